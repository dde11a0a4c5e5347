//! The summarizer's result for a chapter.

use super::memory::Entry;
use crate::domain::Slug;
use crate::domain::named::named;
use crate::domain::state::RawOp;

named! {
    /// The risk that a mention gives away a secret of another storyline.
    pub enum LeakRisk {
        None = "none",
        Low = "low",
        /// Worth a look.
        Medium = "medium",
        /// Must be revised outside a crossover chapter (LS-005).
        High = "high",
    }
}

/// A mention of an entity of another storyline.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CrossReference {
    /// The name in the text.
    pub entity: String,
    /// The storyline of the entity, as the summarizer says.
    pub storyline: String,
    pub risk: LeakRisk,
    /// A quotation of the chapter.
    pub evidence: String,
}

/// The storylines that a chapter is on or speaks of.
pub fn lines_seen<'a>(
    own: Option<&'a Slug>,
    spoken: impl IntoIterator<Item = &'a CrossReference>,
) -> impl Iterator<Item = &'a str> {
    let spoken = spoken.into_iter().map(|reference| reference.storyline.as_str());
    own.map(Slug::as_str).into_iter().chain(spoken)
}

#[derive(Debug, Clone, PartialEq)]
pub struct Summary {
    /// About 300 characters: events, dialogue that matters, turns.
    pub text: String,
    /// Changes of the state, unchecked.
    pub ops: Vec<RawOp>,
    /// The new memory of the chapter's storyline, at most 500 characters.
    pub memory: String,
    /// Mentions of other storylines' entities.
    pub cross_references: Vec<CrossReference>,
    /// One sentence on this storyline, for agents on the other ones.
    pub line_status: String,
    pub entry: Entry,
}

impl Summary {
    /// All texts but those of operations and mentions.
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
