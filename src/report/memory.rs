//! A chapter's entry in the ledger, laid out under its text.

use super::lang::Lang;
use super::style::{DIM, paint};
use super::table;
use crate::domain::chapter::memory::Entry;
use serde::Serialize;

/// What is noted of a chapter.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Remembered {
    /// When it takes place.
    pub time: String,
    /// Where.
    pub places: Vec<String>,
    /// What happened.
    pub events: Vec<String>,
    /// How people stand at its end.
    pub people: Vec<Person>,
    /// What is open at its end.
    pub threads: Vec<String>,
}

/// How somebody stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Person {
    /// The id, or the name where the book has no such character.
    pub who: String,
    /// In a phrase.
    pub state: String,
}

impl Remembered {
    /// The entry; `None` where nothing is noted.
    #[must_use]
    pub fn of(entry: Entry) -> Option<Self> {
        (entry != Entry::default()).then(|| Self {
            time: entry.time,
            places: entry.places,
            events: entry.events,
            people: entry.people.into_iter().map(|person| Person { who: person.who, state: person.state }).collect(),
            threads: entry.threads,
        })
    }

    /// A line a part, for those that have something to say.
    #[must_use]
    pub fn text(&self, lang: Lang) -> String {
        let people: Vec<String> = self.people.iter().map(|person| format!("{} {}", person.who, person.state)).collect();
        let joined = |list: &[String]| list.join(lang.pick("；", "; "));
        let rows = [
            (lang.pick("时间", "time"), self.time.clone()),
            (lang.pick("地点", "places"), joined(&self.places)),
            (lang.pick("事件", "events"), joined(&self.events)),
            (lang.pick("人物", "people"), joined(&people)),
            (lang.pick("悬着", "open"), joined(&self.threads)),
        ];
        let width = rows.iter().map(|(label, _)| table::width(label)).max().unwrap_or(0);
        let mut out = format!("{}\n", paint(DIM, lang.pick("── 章节记忆 ──", "── chapter memory ──")));
        for (label, words) in rows.into_iter().filter(|(_, words)| !words.is_empty()) {
            let pad = " ".repeat(width - table::width(label) + 2);
            out.push_str(&format!("{}{pad}{words}\n", paint(DIM, label)));
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_noted_is_shown() {
        let entry = Entry { events: vec!["门开了".into(), "灯灭了".into()], ..Entry::default() };
        let text = Remembered::of(entry).unwrap().text(Lang::En);
        let plain = crate::report::style::render(&text, false);
        assert_eq!(plain, "── chapter memory ──\nevents  门开了; 灯灭了\n");
        assert_eq!(Remembered::of(Entry::default()), None);
    }
}
