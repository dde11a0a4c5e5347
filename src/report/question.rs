//! A question to the author in the shape of the agent protocol (§10.5), whatever the subject.

use super::table::width;
use crate::report::prelude::*;

#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "type", rename = "requires_user_decision")]
pub struct Question<S> {
    /// The first of the options.
    pub recommendation: Option<&'static str>,
    /// The possible answers, the recommended one first.
    pub options: Vec<&'static str>,
    pub rationale: String,
    pub data: Data<S>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Data<S> {
    /// `chapter`, `unfinished`, `trial`, `plan`, `contracts`, `cleanup` or `volume`; for choices `new-book`, `style`,
    /// `found`, `write`, `plan-volume` or `review`.
    pub about: &'static str,
    /// In the order of the options.
    pub commands: Vec<String>,
    #[serde(flatten)]
    pub subject: S,
}

impl<S> Question<S> {
    /// A question whose first option is recommended. `command` makes the command of an option.
    pub fn new(
        about: &'static str,
        options: Vec<&'static str>,
        rationale: String,
        command: impl Fn(&str) -> String,
        subject: S,
    ) -> Self {
        let commands = options.iter().map(|option| command(option)).collect();
        Self { recommendation: options.first().copied(), options, rationale, data: Data { about, commands, subject } }
    }

    /// The options in words, the recommended one marked.
    pub fn choices(&self, lang: Lang, words: impl Fn(&'static str) -> String) -> Vec<String> {
        let marked = |option: &&'static str| match Some(*option) == self.recommendation {
            true => format!("{}{}", words(option), say!(lang, recommended)),
            false => words(option),
        };
        self.options.iter().map(marked).collect()
    }

    /// The reason, and the command for every option with its words.
    pub fn listed(&self, lang: Lang, columns: usize, words: impl Fn(&str, Lang) -> &'static str) -> String {
        let choices = self.choices(lang, |option| words(option, lang).to_owned());
        format!("{}\n{}", self.rationale, self.commands(&choices, columns))
    }

    /// The command for every option, with the option in words.
    pub(super) fn commands(&self, choices: &[String], columns: usize) -> String {
        commands(&self.data.commands, choices, columns)
    }
}

/// Commands with their meanings.
pub(super) fn commands(commands: &[String], choices: &[String], columns: usize) -> String {
    let widest = commands.iter().map(|command| width(command)).max().unwrap_or(0);
    if widest > columns / 2 {
        // There is no room for words beside such a command.
        let lines = commands.iter().zip(choices);
        return lines.map(|(command, words)| format!("  {}\n      {words}\n", paint(HINT, command))).collect();
    }
    let mut table = Table::bare("ll", 1).indented(2);
    for (command, words) in commands.iter().zip(choices) {
        table.row([Cell::painted(HINT, command.as_str()), words.as_str().into()]);
    }
    table.text(columns)
}
