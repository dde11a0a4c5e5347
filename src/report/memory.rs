//! A chapter's ledger entry, laid out under its text.

use crate::domain::chapter::summary::{ChapterKind, Entry, Hook, PersonStatus, ReaderNote};
use crate::report::prelude::*;
use crate::report::table;

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Remembered {
    /// In the story's words.
    pub time: String,
    pub places: Vec<String>,
    pub events: Vec<String>,
    /// The people at the chapter's end.
    pub people: Vec<Person>,
    /// The threads open at the chapter's end.
    pub threads: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reader: Option<Reader>,
    /// The places, with names in place of ids.
    #[serde(skip)]
    said_places: Vec<String>,
    /// The threads, with descriptions in place of ids.
    #[serde(skip)]
    said_threads: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Reader {
    pub kind: Option<ChapterKind>,
    pub hook: Option<Hook>,
    /// The question open at the chapter's end.
    pub question: String,
    pub payoffs: Vec<String>,
    /// The chapters whose questions are answered.
    pub answers: Vec<ChapterNo>,
}

impl Reader {
    fn of(note: ReaderNote) -> Option<Self> {
        (note != ReaderNote::default()).then(|| {
            let ReaderNote { kind, hook, question, payoffs, answers } = note;
            Self { kind, hook, question, payoffs, answers }
        })
    }

    /// `危机：谁敲的门（查探）`
    fn hook_text(&self, lang: Lang) -> String {
        let hook = self.hook.map(|hook| hook.say(lang)).into_iter().map(str::to_owned);
        let question = Some(self.question.clone()).filter(|question| !question.is_empty());
        let end = hook.chain(question).collect::<Vec<_>>().join(say!(lang, colon));
        match self.kind.map(|kind| kind.say(lang)) {
            Some(kind) => say!(lang, memory_end_kind(end, kind)),
            None => end,
        }
    }

    fn paid(&self, lang: Lang) -> String {
        let answered = (!self.answers.is_empty())
            .then(|| say!(lang, answers_question_of_chapter(chapters = words::chapters(&self.answers, lang))));
        self.payoffs.iter().cloned().chain(answered).collect::<Vec<_>>().join(say!(lang, clause_semicolon))
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Person {
    /// The id, or the name if the book has no such character.
    pub who: String,
    /// In a phrase.
    pub state: String,
    #[serde(skip)]
    name: String,
}

impl Remembered {
    /// The entry, with names in place of ids; `None` for an empty one.
    pub fn of(entry: Entry, names: &BTreeMap<String, String>) -> Option<Self> {
        let named = |words: &String| names.get(words).unwrap_or(words).clone();
        let person = |PersonStatus { who, state }: PersonStatus| {
            let name = named(&who);
            Person { who, state, name }
        };
        (entry != Entry::default()).then(|| Self {
            time: entry.time,
            said_places: entry.places.iter().map(named).collect(),
            places: entry.places,
            events: entry.events,
            people: entry.people.into_iter().map(person).collect(),
            said_threads: entry.threads.iter().map(named).collect(),
            threads: entry.threads,
            reader: Reader::of(entry.reader),
        })
    }

    /// A line per part that is not empty.
    pub fn text(&self, lang: Lang) -> String {
        let people: Vec<String> =
            self.people.iter().map(|person| format!("{} {}", person.name, person.state)).collect();
        let joined = |list: &[String]| list.join(say!(lang, clause_semicolon));
        let rows = [
            (say!(lang, time), self.time.clone()),
            (say!(lang, places), joined(&self.said_places)),
            (say!(lang, events), joined(&self.events)),
            (say!(lang, people), joined(&people)),
            (say!(lang, memory_open), joined(&self.said_threads)),
            (say!(lang, its_end), self.reader.as_ref().map(|reader| reader.hook_text(lang)).unwrap_or_default()),
            (say!(lang, pays_off), self.reader.as_ref().map(|reader| reader.paid(lang)).unwrap_or_default()),
        ];
        let rows: Vec<_> = rows.into_iter().filter(|(_, words)| !words.is_empty()).collect();
        let width = rows.iter().map(|(label, _)| table::width(label)).max().unwrap_or(0);
        let mut out = format!("{}\n", paint(DIM, say!(lang, chapter_memory)));
        for (label, words) in rows {
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
    fn the_reader_s_part_says_how_the_chapter_ends_and_what_it_gives() {
        let chapter = |number| ChapterNo::new(number).unwrap();
        let reader = ReaderNote {
            kind: Some(ChapterKind::Journey),
            hook: Some(Hook::Danger),
            question: "谁在桥上".into(),
            payoffs: vec!["信送到了".into()],
            answers: vec![chapter(3), chapter(4)],
        };
        let text = Remembered::of(Entry { reader, ..Entry::default() }, &BTreeMap::new()).unwrap().text(Lang::Zh);
        let plain = crate::report::style::render(&text, crate::report::style::Colour::Off);
        let expected = "── 章节记忆 ──\n章末  危机：谁在桥上（行路）\n兑现  信送到了；回答了第 3–4 章的问题\n";
        assert_eq!(plain, expected);
    }

    #[test]
    fn ids_are_shown_by_their_names() {
        let names = [("wen", "闻小满"), ("yellow_boot", "一双黄雨靴"), ("dock", "渡口")];
        let names = names.into_iter().map(|(id, name)| (id.to_owned(), name.to_owned())).collect();
        let person = |who: &str| PersonStatus { who: who.into(), state: "醒着".into() };
        let (people, threads) = (vec![person("wen"), person("老葛")], vec!["yellow_boot".into(), "谁敲的门".into()]);
        let entry = Entry { places: vec!["dock".into()], people, threads, ..Entry::default() };
        let remembered = Remembered::of(entry, &names).unwrap();
        let plain = crate::report::style::render(&remembered.text(Lang::Zh), crate::report::style::Colour::Off);
        let expected = "── 章节记忆 ──\n地点  渡口\n人物  闻小满 醒着；老葛 醒着\n悬着  一双黄雨靴；谁敲的门\n";
        assert_eq!(plain, expected);
        assert_eq!(remembered.people[0].who, "wen", "programs get the id");
    }

    #[test]
    fn only_what_is_noted_is_shown() {
        let entry = Entry { events: vec!["门开了".into(), "灯灭了".into()], ..Entry::default() };
        let text = Remembered::of(entry, &BTreeMap::new()).unwrap().text(Lang::En);
        let plain = crate::report::style::render(&text, crate::report::style::Colour::Off);
        assert_eq!(plain, "── chapter memory ──\nevents  门开了; 灯灭了\n");
        assert_eq!(Remembered::of(Entry::default(), &BTreeMap::new()), None);
    }
}
