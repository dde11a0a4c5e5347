//! A model that was set up: the answer of `novel setup`.

use crate::report::prelude::*;
use std::path::PathBuf;

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SetUp {
    pub provider: String,
    pub address: String,
    pub model: String,
    pub key: KeyPlace,
    /// `None` where the model was not asked.
    #[serde(rename = "test")]
    pub trial: Option<Trial>,
    /// The path of the configuration file.
    pub settings: String,
    /// Of messages.
    pub language: &'static str,
    /// Of money that is shown.
    pub currency: &'static str,
}

/// The place of the key, and never the key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case", tag = "in")]
pub enum KeyPlace {
    /// A model on this machine.
    NotNeeded,
    /// In the variable that the provider's own programs read.
    Usual { variable: String },
    /// In a variable that the user has named.
    Named { variable: String },
    /// In a file of the user's, which only the user can read.
    File { path: PathBuf },
}

/// The call that tried the model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Trial {
    pub duration_ms: u64,
    pub input_tokens: u64,
    pub output_tokens: u64,
    /// `None` for an unknown price.
    pub cost_micro_usd: Option<u64>,
}

impl SetUp {
    pub fn text(&self, lang: Lang) -> String {
        let Self { model, address, settings, .. } = self;
        let mut out = match &self.trial {
            Some(Trial { duration_ms, input_tokens, output_tokens, cost_micro_usd }) => {
                let (time, tokens) = (figures::duration(*duration_ms), figures::count(input_tokens + output_tokens));
                say!(lang, setup_model_answered(model, time, tokens, cost = figures::price(*cost_micro_usd, lang)))
            }
            None => say!(lang, setup_model_not_asked(model, address)),
        };
        out.push_str(&match &self.key {
            KeyPlace::NotNeeded => say!(lang, setup_needs_no_key).to_owned(),
            KeyPlace::Usual { variable } | KeyPlace::Named { variable } => {
                say!(lang, setup_key_is_in_variable(variable))
            }
            KeyPlace::File { path } => say!(lang, setup_key_is_in_file(path = path.display())),
        });
        let (money, other) = match self.currency {
            "cny" => (say!(lang, yuan), "usd"),
            _ => (say!(lang, dollars), "cny"),
        };
        out.push_str(&say!(lang, setup_speaks(money, other)));
        out.push_str(&say!(lang, setup_settings_are_in(settings)));
        out
    }
}
