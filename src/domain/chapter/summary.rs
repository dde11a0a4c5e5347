//! The summarizer's result for a chapter.

use super::memory::Entry;
use crate::domain::Slug;
use crate::domain::named::named;
use crate::domain::state::RawOp;

named! {
    /// How likely a mention of something outside the storyline gives away what the reader or the character must not know.
    pub enum LeakRisk {
        /// Harmless.
        None = "none",
        Low = "low",
        /// Worth a look.
        Medium = "medium",
        /// Must be revised outside a convergence chapter (LS-005).
        High = "high",
    }
}

/// A mention of an entity that does not belong to the chapter's storyline.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CrossReference {
    /// The name as it stands in the text.
    pub entity: String,
    /// The storyline it belongs to, as the summarizer says.
    pub storyline: String,
    pub risk: LeakRisk,
    /// Words of the chapter that show it.
    pub evidence: String,
}

/// The storylines that a chapter is on or speaks of, as far as it is known.
pub fn lines_seen<'a>(
    own: Option<&'a Slug>,
    spoken: impl IntoIterator<Item = &'a CrossReference>,
) -> impl Iterator<Item = &'a str> {
    let spoken = spoken.into_iter().map(|reference| reference.storyline.as_str());
    own.map(Slug::as_str).into_iter().chain(spoken)
}

/// A chapter's summary and what it changes.
#[derive(Debug, Clone, PartialEq)]
pub struct Summary {
    /// About 300 characters: events, dialogue that matters, turns.
    pub text: String,
    /// The changes of the state, unchecked.
    pub ops: Vec<RawOp>,
    /// The new memory of the chapter's storyline, at most 500 characters.
    pub memory: String,
    /// Mentions of what belongs to other storylines.
    pub cross_references: Vec<CrossReference>,
    /// One sentence on this storyline for the readers of the others.
    pub line_status: String,
    /// The chapter's entry in the ledger.
    pub entry: Entry,
}

impl Summary {
    /// Everything that it says in words of its own, the operations and the mentions apart.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        let Entry { time, places, events, people, threads, reader } = &self.entry;
        let states = people.iter().map(|person| &person.state);
        let entry = std::iter::once(time).chain(places).chain(events).chain(states).chain(threads);
        let entry = entry.chain(std::iter::once(&reader.question)).chain(&reader.payoffs);
        [&self.text, &self.memory, &self.line_status].into_iter().chain(entry).map(String::as_str)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::chapter::memory::PersonStatus;

    #[test]
    fn every_text_of_a_summary_is_looked_at() {
        let entry = Entry {
            time: "冬夜".into(),
            places: vec!["渡口".into()],
            events: vec!["失火".into()],
            people: vec![PersonStatus { who: "shen-du".into(), state: "起疑".into() }],
            threads: vec!["灯还亮着".into()],
            ..Entry::default()
        };
        let summary = Summary {
            text: "他到了渡口。".into(),
            ops: Vec::new(),
            memory: "渡口失火。".into(),
            cross_references: Vec::new(),
            line_status: "船没有来。".into(),
            entry,
        };
        let texts: Vec<&str> = summary.texts().collect();
        for text in ["他到了渡口。", "渡口失火。", "船没有来。", "冬夜", "渡口", "失火", "起疑", "灯还亮着"]
        {
            assert!(texts.contains(&text), "{text}: {texts:?}");
        }
    }
}
