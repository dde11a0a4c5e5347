//! Settings and where they come from, the answers of `novel config`, and a model that was set up, the answer of `novel setup`.

use crate::report::prelude::*;
use std::path::PathBuf;

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SettingList {
    pub settings: Vec<Setting>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Setting {
    pub key: String,
    /// The value as in the file; never a secret.
    pub value: Option<String>,
    /// The source in the author's language: a flag, a variable, a file.
    pub origin: String,
    /// The meaning in the author's language.
    pub meaning: String,
}

/// Whether a listing shows the sources of values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origins {
    /// In a second column.
    Shown,
    /// Only the settings, as in the file.
    Hidden,
}

/// A terminal of so many columns has room for the addresses of providers.
const WIDE: usize = 120;

impl SettingList {
    /// A line `key = value` each, as in the file, with the source if `origins` are shown, else with the meaning. A key
    /// without a value is a comment.
    pub fn text(&self, origins: Origins, columns: usize) -> String {
        let mut table = Table::bare("ll", 1);
        for Setting { key, value, origin, meaning } in &self.settings {
            let line = match value {
                Some(value) => Cell::from(format!("{key} = {value}")),
                None => Cell::painted(DIM, format!("# {key}")),
            };
            let note = if origins == Origins::Shown { origin } else { meaning };
            table.row([line, Cell::painted(DIM, note.as_str())]);
        }
        table.text(columns)
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Providers {
    /// In the order in which one is chosen without configuration.
    pub providers: Vec<Provider>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Provider {
    pub name: String,
    pub base_url: String,
    /// The variable with the key; `None` where no key is needed.
    pub key_env: Option<String>,
    /// True when a key is set. The key itself is never shown.
    pub key_set: bool,
    pub chosen: bool,
    /// The model for most of the work.
    pub standard: String,
    pub strong: String,
}

impl Providers {
    /// A row per provider; `*` marks the chosen one.
    pub fn text(&self, lang: Lang, columns: usize) -> String {
        let headings = say!(lang, config_columns).split('|');
        // A broken address cannot be copied: on a narrow terminal all addresses stand in a list of their own.
        let has_room = columns >= WIDE;
        let mut table = match has_room {
            true => Table::new(headings, "llllll", 5).yielding(16, [4]),
            false => Table::new(headings, "lllll", 2).yielding(24, [4]),
        };
        let mut addresses = Table::new(say!(lang, config_address_columns).split('|'), "lll", 2);
        for provider in &self.providers {
            let key = match (&provider.key_env, provider.key_set) {
                (None, false) => Cell::painted(DIM, say!(lang, not_needed)),
                (_, true) => Cell::painted(GOOD, say!(lang, set)),
                (Some(name), false) => Cell::painted(DIM, say!(lang, is_not_set(name))),
            };
            let mark = || Cell::from(if provider.chosen { "*" } else { " " });
            let address = || Cell::painted(DIM, provider.base_url.as_str());
            let cells = [mark(), provider.name.as_str().into(), key, provider.standard.as_str().into()];
            let cells = cells.into_iter().chain([provider.strong.as_str().into()]);
            table.row(cells.chain(has_room.then(address)));
            addresses.row([mark(), provider.name.as_str().into(), address()]);
        }
        let mut out = table.text(columns);
        if !has_room {
            out.push_str(&format!("\n{}", addresses.text(columns)));
        }
        if !self.providers.iter().any(|provider| provider.chosen) {
            out.push_str(&format!("{}\n", paint(DIM, say!(lang, none_is_chosen_set_one_of))));
        }
        out
    }
}

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
