//! Facts, their changes and origins: the answers of `novel state`, `history` and `blame`.
//! A chapter's ledger entry, laid out under its text.

use crate::domain::book::config::Agent;
use crate::domain::chapter::summary::{ChapterKind, ChapterNotes, Hook, PersonStatus, ReaderNote};
use crate::domain::state::history::fact::Fact;
use crate::domain::volume::foreshadowing::{Action, Scope};
use crate::pipeline::book::facts::{Blamed, FactHistory, FactsAt, ToldChange};
use crate::report::prelude::*;
use crate::report::words::{self, Ids};
use crate::report::{subject, table};
use crate::store::Kind;
use crate::text::Basis;
use serde_json::{Map, Value};

/// A part of the state at some time.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct StateReport {
    /// The path, or the id of a plot thread; null for the whole state.
    pub fact: Option<String>,
    /// `state` or `foreshadowing`.
    pub of: &'static str,
    /// The last chapter at that time.
    pub chapter: Option<ChapterNo>,
    pub commit: Commit,
    /// Null without a value.
    pub value: Option<Value>,
    /// True when the commit has another value than the present story.
    pub differs_from_commit: bool,
    #[serde(skip)]
    names: BTreeMap<String, String>,
}

impl StateReport {
    pub fn of(facts: FactsAt) -> Self {
        Self {
            of: sort(facts.fact.as_ref()),
            fact: facts.fact.as_ref().map(ToString::to_string),
            chapter: facts.chapter,
            commit: facts.commit.into(),
            value: facts.value,
            differs_from_commit: facts.differs_from_commit,
            names: facts.names,
        }
    }

    /// A plain value on its own line; otherwise a line per key, indented: keys in words, or as in the file, with names.
    pub fn text(&self, lang: Lang, ids: Ids) -> String {
        match &self.value {
            None => String::new(),
            Some(Value::Object(entry)) if self.of == "foreshadowing" => thread(entry, lang),
            Some(Value::Object(map)) => {
                let mut out = String::new();
                self.tree(map, 0, (lang, ids), &mut out);
                out
            }
            Some(value) => format!("{}\n", words::plain(value, lang)),
        }
    }

    fn tree(&self, map: &Map<String, Value>, depth: usize, (lang, ids): (Lang, Ids), out: &mut String) {
        let indent = "  ".repeat(depth);
        for (key, value) in map {
            let key = match ids {
                Ids::Shown => self.key_with_name(key, lang),
                Ids::Hidden => words::of_key(key, &self.names, lang),
            };
            match value {
                Value::Object(below) if !below.is_empty() => {
                    let key = if depth == 0 { paint(STRONG, &key) } else { key };
                    out.push_str(&format!("{indent}{key}\n"));
                    self.tree(below, depth + 1, (lang, ids), out);
                }
                Value::Object(_) => {}
                value => out.push_str(&format!("{indent}{key}{}{}\n", say!(lang, colon), words::plain(value, lang))),
            }
        }
    }

    fn key_with_name(&self, key: &str, lang: Lang) -> String {
        let name = self.names.get(key).map(|name| paint(DIM, &say!(lang, facts_name(name))));
        format!("{key}{}", name.unwrap_or_default())
    }
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct HistoryReport {
    /// The path, or the id of a plot thread.
    pub fact: String,
    /// `state` or `foreshadowing`.
    pub of: &'static str,
    /// The present value; null when removed.
    pub now: Option<Value>,
    /// The number of all changes, shown or not.
    pub total: usize,
    /// The last changes, oldest first.
    pub changes: Vec<ChangeEntry>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ChangeEntry {
    /// Null for a change beside the chapters.
    pub chapter: Option<ChapterNo>,
    pub commit: Commit,
    /// The kind of commit: `chapter`, `hand-edit`, `retire`, …
    pub kind: Kind,
    pub subject: String,
    pub author: String,
    pub path: String,
    /// Null for an empty place.
    pub old: Option<Value>,
    /// Null for a removed value.
    pub new: Option<Value>,
    /// The event of a plot thread, in the chapter's words.
    pub detail: Option<String>,
    /// The chapter's sentence as evidence; null if not found.
    pub sentence: Option<String>,
    /// The part of the fact in the sentence.
    pub sentence_has: Option<Basis>,
    /// The models of the agents whose work the commit is, by agent.
    pub models: BTreeMap<String, String>,
}

impl ChangeEntry {
    fn of(told: ToldChange) -> Self {
        let detail = told.change.ops.iter().find_map(|op| match op {
            crate::domain::state::Op::Foreshadow(op) if told.change.keys.len() == 1 => Some(op.detail.clone()),
            _ => None,
        });
        Self {
            chapter: told.chapter(),
            commit: told.commit.id.into(),
            kind: told.commit.kind,
            subject: told.commit.subject.clone(),
            author: told.commit.author.name.clone(),
            path: told.change.keys.join("."),
            old: told.change.old,
            new: told.change.new,
            detail: detail.filter(|detail| !detail.is_empty()),
            sentence_has: told.source.as_ref().map(|source| source.basis),
            sentence: told.source.map(|source| source.sentence),
            models: told.models,
        }
    }

    /// The chapter, or the kind of edit and its commit.
    fn place(&self, lang: Lang) -> String {
        match self.chapter {
            Some(chapter) => paint(STRONG, &chapter.to_string()),
            None => format!("{}  {}", paint(STRONG, self.kind.say(lang)), paint(DIM, self.commit.short())),
        }
    }

    /// The sentence, or a note that it is missing; for an edit its author and subject.
    fn evidence(&self, lang: Lang) -> String {
        match (&self.sentence, self.chapter) {
            (Some(sentence), _) if self.sentence_has == Some(Basis::Names) => {
                format!("{sentence}{}", paint(DIM, say!(lang, only_people_agree)))
            }
            (Some(sentence), _) => sentence.clone(),
            (None, Some(_)) => paint(DIM, say!(lang, no_sentence_of_text_says_so)),
            (None, None) => {
                let (author, subject) = (&self.author, subject::of_commit(self.kind, &self.subject, lang));
                paint(DIM, &say!(lang, facts_author_subject(author, subject)))
            }
        }
    }

    /// The agents with their models, or the author. The place names the kind of a change beside the chapters.
    fn maker(&self, lang: Lang) -> String {
        let of = |agent: Agent| {
            let model = self.models.get(agent.as_str())?;
            Some(say!(lang, facts_agent_model(agent = agent.say(lang), model)))
        };
        match (self.chapter, of(Agent::Summarizer), of(Agent::Writer)) {
            (Some(_), Some(noted), Some(written)) => say!(lang, noted_by_text_by(noted, written)),
            (None, ..) => self.author.clone(),
            _ => say!(lang, facts_kind_author(kind = self.kind.say(lang), author = &self.author)),
        }
    }
}

impl HistoryReport {
    pub fn of(history: FactHistory) -> Self {
        Self {
            of: sort(Some(&history.fact)),
            fact: history.fact.to_string(),
            now: history.now,
            total: history.total,
            changes: history.changes.into_iter().map(ChangeEntry::of).collect(),
        }
    }

    /// Two lines per change, oldest first: the value and the sentence.
    pub fn text(&self, lang: Lang) -> String {
        let mut out = String::new();
        let earlier = self.total - self.changes.len();
        if earlier > 0 {
            out.push_str(&format!("{}\n", paint(DIM, &say!(lang, earlier_changes_n(earlier, total = self.total)))));
        }
        for change in &self.changes {
            let below = change.path.strip_prefix(&self.fact).unwrap_or(&change.path).trim_start_matches('.');
            let below = if below.is_empty() { String::new() } else { say!(lang, facts_below(below)) };
            let value = changed(change, lang);
            out.push_str(&format!("{}  {below}{value}\n", change.place(lang)));
            out.push_str(&format!("    {}\n", change.evidence(lang)));
        }
        if self.now.is_none() {
            out.push_str(&format!("{}\n", paint(WARN, say!(lang, there_is_no_such_value_any))));
        }
        out
    }
}

/// The origins of present values.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BlameReport {
    pub fact: String,
    /// `state` or `foreshadowing`.
    pub of: &'static str,
    /// A line per value that is no map, and per entry of a list.
    pub lines: Vec<BlameLine>,
}

/// A present value and its origin.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BlameLine {
    pub path: String,
    pub value: Value,
    pub change: ChangeEntry,
}

impl BlameReport {
    pub fn of(fact: &Fact, blamed: Vec<Blamed>) -> Self {
        let line = |blamed: Blamed| BlameLine {
            path: blamed.path,
            value: blamed.value,
            change: ChangeEntry::of(blamed.made_by),
        };
        Self { fact: fact.to_string(), of: sort(Some(fact)), lines: blamed.into_iter().map(line).collect() }
    }

    /// Three lines per value: the value, its origin, and the sentence.
    pub fn text(&self, lang: Lang) -> String {
        let mut out = String::new();
        for line in &self.lines {
            let value = match self.of {
                "foreshadowing" => line.value.as_str().map_or_else(String::new, |status| status_words(status, lang)),
                _ => words::plain(&line.value, lang),
            };
            out.push_str(&format!("{} = {value}\n", paint(STRONG, &line.path)));
            out.push_str(&format!("  {}  {}\n", line.change.place(lang), line.change.maker(lang)));
            if let Some(detail) = &line.change.detail {
                out.push_str(&format!("  {detail}\n"));
            }
            out.push_str(&format!("  {}\n", line.change.evidence(lang)));
        }
        out
    }
}

fn sort(fact: Option<&Fact>) -> &'static str {
    if matches!(fact, Some(Fact::Thread(_))) { "foreshadowing" } else { "state" }
}

fn status_words(status: &str, lang: Lang) -> String {
    status.parse::<Action>().map_or_else(|_| status.to_owned(), |action| action.say(lang).to_owned())
}

/// The change in a line: a list by its entries, a number with the difference, anything else from the old to the new
/// value.
fn changed(change: &ChangeEntry, lang: Lang) -> String {
    if let (Some(detail), Some(Value::String(status))) = (&change.detail, &change.new) {
        return say!(lang, facts_status_detail(status = status_words(status, lang), detail));
    }
    let gone = || paint(DIM, say!(lang, gone));
    match (&change.old, &change.new) {
        (Some(Value::Array(old)), Some(Value::Array(new))) => {
            let with = |sign: &str, list: &[Value], other: &[Value]| -> Vec<String> {
                let own = list.iter().filter(|entry| !other.contains(entry));
                own.map(|entry| format!("{sign}{}", words::plain(entry, lang))).collect()
            };
            let signs = [with("+", new, old), with("-", old, new)].concat();
            if signs.is_empty() { words::plain(&Value::Array(new.clone()), lang) } else { signs.join(" ") }
        }
        (None, Some(Value::Array(new))) => {
            new.iter().map(|entry| format!("+{}", words::plain(entry, lang))).collect::<Vec<_>>().join(" ")
        }
        (Some(Value::Number(old)), Some(Value::Number(new))) => match (old.as_i64(), new.as_i64()) {
            (Some(from), Some(to)) => format!("{from} → {to} ({:+})", i128::from(to) - i128::from(from)),
            _ => format!("{old} → {new}"),
        },
        (Some(old), Some(new)) => format!("{} → {}", words::plain(old, lang), words::plain(new, lang)),
        (None, Some(new)) => words::plain(new, lang),
        (Some(old), None) => format!("{} → {}", words::plain(old, lang), gone()),
        (None, None) => gone(),
    }
}

/// A plot thread: status, subject, events and due range.
fn thread(entry: &Map<String, Value>, lang: Lang) -> String {
    let text = |key: &str| entry.get(key).and_then(Value::as_str).unwrap_or_default();
    let chapter = |value: &Value| value.as_u64().and_then(|n| ChapterNo::new(u32::try_from(n).ok()?));
    let scope = text("scope").parse::<Scope>().map_or("", |scope| scope.say(lang));
    let (id, status) = (paint(STRONG, text("id")), status_words(text("status"), lang));
    let mut out = say!(lang, facts_id_status(id, status, scope));
    out.push_str(&format!("  {}\n", text("description")));
    for step in entry.get("history").and_then(Value::as_array).into_iter().flatten() {
        let at = step.get("chapter").and_then(chapter).map(|at| at.to_string()).unwrap_or_default();
        let field = |key: &str| step.get(key).and_then(Value::as_str).unwrap_or_default();
        out.push_str(&format!("  {at}  {}  {}\n", status_words(field("action"), lang), field("detail")));
    }
    let due: Vec<ChapterNo> =
        entry.get("target_resolve_range").and_then(Value::as_array).into_iter().flatten().filter_map(chapter).collect();
    if let [from, to] = due[..] {
        out.push_str(&say!(lang, to_be_resolved_from_to(from, to)));
    }
    out
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Remembered {
    /// In the story's words.
    pub time: String,
    pub places: Vec<String>,
    pub events: Vec<String>,
    /// The people at the chapter's end.
    pub people: Vec<PersonEntry>,
    /// The threads open at the chapter's end.
    pub threads: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reader: Option<ReaderEntry>,
    /// The places, with names in place of ids.
    #[serde(skip)]
    said_places: Vec<String>,
    /// The threads, with descriptions in place of ids.
    #[serde(skip)]
    said_threads: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ReaderEntry {
    pub kind: Option<ChapterKind>,
    pub hook: Option<Hook>,
    /// The question open at the chapter's end.
    pub question: String,
    pub payoffs: Vec<String>,
    /// The chapters whose questions are answered.
    pub answers: Vec<ChapterNo>,
}

impl ReaderEntry {
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
pub struct PersonEntry {
    /// The id, or the name if the book has no such character.
    pub who: String,
    /// In a phrase.
    pub state: String,
    #[serde(skip)]
    name: String,
}

impl Remembered {
    /// The entry, with names in place of ids; `None` for an empty one.
    pub fn of(entry: ChapterNotes, names: &BTreeMap<String, String>) -> Option<Self> {
        let named = |words: &String| names.get(words).unwrap_or(words).clone();
        let person = |PersonStatus { who, state }: PersonStatus| {
            let name = named(&who);
            PersonEntry { who, state, name }
        };
        (entry != ChapterNotes::default()).then(|| Self {
            time: entry.time,
            said_places: entry.places.iter().map(named).collect(),
            places: entry.places,
            events: entry.events,
            people: entry.people.into_iter().map(person).collect(),
            said_threads: entry.threads.iter().map(named).collect(),
            threads: entry.threads,
            reader: ReaderEntry::of(entry.reader),
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
        let text = Remembered::of(ChapterNotes { reader, ..ChapterNotes::default() }, &BTreeMap::new())
            .unwrap()
            .text(Lang::Zh);
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
        let entry = ChapterNotes { places: vec!["dock".into()], people, threads, ..ChapterNotes::default() };
        let remembered = Remembered::of(entry, &names).unwrap();
        let plain = crate::report::style::render(&remembered.text(Lang::Zh), crate::report::style::Colour::Off);
        let expected = "── 章节记忆 ──\n地点  渡口\n人物  闻小满 醒着；老葛 醒着\n悬着  一双黄雨靴；谁敲的门\n";
        assert_eq!(plain, expected);
        assert_eq!(remembered.people[0].who, "wen", "programs get the id");
    }

    #[test]
    fn only_what_is_noted_is_shown() {
        let entry = ChapterNotes { events: vec!["门开了".into(), "灯灭了".into()], ..ChapterNotes::default() };
        let text = Remembered::of(entry, &BTreeMap::new()).unwrap().text(Lang::En);
        let plain = crate::report::style::render(&text, crate::report::style::Colour::Off);
        assert_eq!(plain, "── chapter memory ──\nevents  门开了; 灯灭了\n");
        assert_eq!(Remembered::of(ChapterNotes::default(), &BTreeMap::new()), None);
    }
}
