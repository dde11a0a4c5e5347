//! A question to the author in the shape of the agent protocol (§10.5), whatever the subject.
//! The book's position in a few lines, for an assistant that starts to work in the folder. Texts of the book stand in
//! quotation marks and are marked as data; no keys are shown, and the whole is short.

use crate::domain::book::checkpoint::Phase;
use crate::report::prelude::*;
use crate::report::table::{self, width};

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

pub const MOST: usize = 1_500;

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PositionReport {
    /// May be empty.
    pub title: String,
    pub phase: Phase,
    pub volume: u32,
    /// The last accepted chapter; 0 before the first.
    pub last_completed: u32,
    /// The last chapter with a summary, if any.
    pub last_chapter: Option<LastChapter>,
    /// The chapter in flight, its title and progress, in the author's language.
    pub inflight: Option<String>,
    pub pending: Vec<String>,
    /// Foreshadowings due soon or overdue.
    pub due: Vec<Due>,
    /// The number of files with uncommitted changes.
    pub uncommitted: usize,
    /// Unusable files, and reasons why nothing could be written now.
    pub problems: Vec<String>,
    pub next: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LastChapter {
    pub chapter: ChapterNo,
    pub title: String,
    /// The first sentence of the summary.
    pub summary: String,
    pub storyline: String,
    /// The storyline's status in a sentence; may be empty.
    pub storyline_status: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Due {
    pub id: String,
    pub description: String,
    /// The last chapter of the planned resolution.
    pub due: u32,
}

/// Columns for a sentence, and for a name or a file.
const SENTENCE: usize = 140;
const NAME: usize = 48;
/// Entries of a list before shortening.
const SHOWN: usize = 5;

impl PositionReport {
    /// At most [`MOST`] characters. Lists are shortened until they fit.
    pub fn text(&self, lang: Lang) -> String {
        let fits = |text: &String| text.chars().count() <= MOST;
        let shorter = (0..=SHOWN).rev().map(|shown| self.lines(lang, shown)).find(fits);
        shorter.unwrap_or_else(|| self.lines(lang, 0).chars().take(MOST).collect())
    }

    fn lines(&self, lang: Lang, shown: usize) -> String {
        let mut out = say!(lang, state_of_this_book_texts_in).to_owned();
        let mut line = |name: &str, fact: String| {
            out.push_str(&format!("{name}{}{fact}\n", say!(lang, colon)));
        };
        if !self.title.is_empty() {
            line(say!(lang, title), quoted(&self.title, NAME));
        }
        let (phase, volume, last) = (self.phase.say(lang), self.volume, self.last_completed);
        line(say!(lang, phase), say!(lang, volume_chapters_written(phase, volume, last)));
        if let Some(LastChapter { chapter, title, summary, storyline, storyline_status }) = &self.last_chapter {
            let (title, summary) = (quoted(title, NAME), quoted(summary, SENTENCE));
            line(say!(lang, last_chapter), format!("{chapter} {title} {summary}"));
            let status = if storyline_status.is_empty() { String::new() } else { quoted(storyline_status, SENTENCE) };
            line(
                say!(lang, position_storyline),
                format!("{} {status}", clipped(storyline, NAME)).trim_end().to_owned(),
            );
        }
        if let Some(inflight) = &self.inflight {
            line(say!(lang, in_flight), quoted(inflight, SENTENCE));
        }
        for pending in self.pending.iter().take(shown) {
            line(say!(lang, for_author_to_decide), quoted(pending, SENTENCE));
        }
        for Due { id, description, due } in self.due.iter().take(shown) {
            let (id, description) = (clipped(id, NAME), quoted(description, NAME));
            line(say!(lang, foreshadowing_due), say!(lang, by_chapter(id, description, due)));
        }
        for problem in self.problems.iter().take(shown) {
            line(say!(lang, problem), quoted(problem, SENTENCE));
        }
        if self.uncommitted > 0 {
            line(say!(lang, edits_not_committed), say!(lang, files(n = self.uncommitted)));
        }
        line(say!(lang, position_next), clipped(&self.next, SENTENCE));
        out
    }
}

/// The text in quotation marks, which it cannot end, on one line.
fn quoted(text: &str, columns: usize) -> String {
    format!("\"{}\"", clipped(text, columns))
}

/// The text on one line, without marks that could end a quotation.
fn clipped(text: &str, columns: usize) -> String {
    table::clip(&text.replace(['\u{2028}', '\u{2029}'], " ").replace('"', "'"), columns)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn of(words: &[String]) -> PositionReport {
        let word = |at: usize| words[at % words.len()].clone();
        let due = |at| Due { id: word(at), description: word(at + 1), due: u32::MAX };
        PositionReport {
            title: word(0),
            phase: Phase::Writing,
            volume: 999,
            last_completed: 999_999,
            last_chapter: ChapterNo::new(999_999).map(|chapter| LastChapter {
                chapter,
                title: word(1),
                summary: word(2),
                storyline: word(3),
                storyline_status: word(4),
            }),
            inflight: Some(word(5)),
            pending: words.to_vec(),
            due: (0..9).map(due).collect(),
            uncommitted: usize::MAX,
            problems: words.to_vec(),
            next: word(6),
        }
    }

    proptest! {
        #[test]
        fn any_book_fits_and_no_text_of_it_leaves_its_quotation_marks(words in prop::collection::vec("(雨|a|\"|\n|\u{2028}|e\u{301}|\u{200d}|👨‍👩‍👧){0,400}", 1..9)) {
            for lang in [Lang::Zh, Lang::En] {
                let text = of(&words).text(lang);
                prop_assert!(text.chars().count() <= MOST, "{}", text.chars().count());
                prop_assert!(text.lines().all(|line| line.matches('"').count() % 2 == 0), "{text}");
            }
        }
    }
}
