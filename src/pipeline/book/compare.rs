//! Two versions of a part of the book side by side: lines since they parted, or two texts of a chapter.

use crate::domain::notation::plain;
use crate::domain::state::Op;
use crate::pipeline::book::files;
use crate::pipeline::book::kept::{self, KeptThing};
use crate::pipeline::book::names;
use crate::pipeline::engine::error::HistoryError;
use crate::pipeline::prelude::*;
use crate::store;
use crate::text::Count;
use serde::{Serialize, Serializer};
use serde_json::Value;

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ComparisonSide {
    pub name: String,
    pub commit: CommitId,
    /// The chapter that it is a text of; `None` for a whole line.
    #[serde(skip)]
    pub chapter: Option<ChapterNo>,
}

/// The facts about a chapter on one side.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ChapterFacts {
    pub title: String,
    pub words: u64,
    /// The judge's overall score, where it has been judged.
    pub score: Option<f64>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ChapterPair {
    pub chapter: ChapterNo,
    pub a: Option<ChapterFacts>,
    pub b: Option<ChapterFacts>,
    /// True when both have the same text.
    #[serde(rename = "same")]
    pub is_same: bool,
}

/// A value that differs; `None` where a side does not have it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct StateDifference {
    /// Its path: `characters.lin-feng.location`.
    pub path: String,
    pub a: Option<StateAtPath>,
    pub b: Option<StateAtPath>,
}

/// The state at a path: its value after a whole line, or what one chapter does to it.
#[derive(Debug, Clone, PartialEq)]
pub enum StateAtPath {
    /// The value: a text as it is, anything else as JSON.
    Value(String),
    /// The operations of the chapter, in their order.
    Ops(Vec<Op>),
}

/// One text for both, in `--json`.
impl Serialize for StateAtPath {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let op = |op: &Op| match op {
            Op::Set { value, .. } => format!("set {}", plain(value)),
            Op::Inc { by, .. } => format!("inc {by}"),
            Op::Add { value, .. } => format!("add {}", plain(value)),
            Op::Remove { value, .. } => format!("remove {}", plain(value)),
            Op::Foreshadow(op) => format!("foreshadow {} {}", op.action, op.detail).trim_end().to_owned(),
        };
        match self {
            Self::Value(value) => value.serialize(to),
            Self::Ops(ops) => ops.iter().map(op).collect::<Vec<_>>().join("; ").serialize(to),
        }
    }
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Comparison {
    pub a: ComparisonSide,
    pub b: ComparisonSide,
    /// The last chapter that both have with the same text before any that differs; `None` for two texts of a chapter.
    pub shared: Option<ChapterNo>,
    /// The chapters that differ, in order.
    pub chapters: Vec<ChapterPair>,
    /// The differences between the states at the ends of two lines; of two texts of a chapter, the operations on the state.
    pub state: Vec<StateDifference>,
    /// The two texts, where one chapter is compared.
    #[serde(skip)]
    pub texts: Option<(String, String)>,
    /// The names of what the differences are about, by id.
    #[serde(skip)]
    pub names: BTreeMap<String, String>,
}

/// Finds what a name stands for: a branch, a chapter of the book or in flight, something kept, or a commit.
fn side(book: &Book, name: &str) -> Result<ComparisonSide, RunError> {
    let of = |commit, chapter| ComparisonSide { name: name.to_owned(), commit, chapter };
    if let Some(tip) = store::lines::line_tip(book, name)? {
        let work = name.strip_prefix("draft/").and_then(|name| name.rsplit('/').next());
        let chapter = work.and_then(|work| work.parse::<Work>().ok()).and_then(Work::chapter);
        return Ok(of(tip, chapter));
    }
    if let Ok(chapter) = name.parse::<ChapterNo>() {
        let commit = match store::draft::draft_tip(book, chapter)? {
            Some(tip) => Some(tip),
            None => book.contents_of(book.tip()?)?.has(chapter).then(|| book.tip()).transpose()?,
        };
        if let Some(commit) = commit {
            return Ok(of(commit, Some(chapter)));
        }
    }
    match kept::find(book, name) {
        Ok(kept) => {
            let chapter = match kept.thing {
                KeptThing::Chapter(chapter) | KeptThing::Draft(Work::Chapter(chapter)) => Some(chapter),
                _ => None,
            };
            Ok(of(kept.commit, chapter))
        }
        Err(RunError::History(HistoryError::NothingKept(_))) => {
            let commit = book.resolve(name)?.ok_or_else(|| RunError::NoSuchRevision { name: name.to_owned() })?;
            Ok(of(commit, None))
        }
        Err(error) => Err(error),
    }
}

/// Compares two versions; without a second one, with the line that the book is on. With `chapter`, only that one of two
/// lines. Reads only.
pub fn compare(book: &Book, a: &str, b: Option<&str>, chapter: Option<ChapterNo>) -> Result<Comparison, RunError> {
    let mut a = side(book, a)?;
    let mut b = side(book, b.unwrap_or_else(|| book.branch()))?;
    let one = chapter.or(a.chapter).or(b.chapter);
    if one.is_some() {
        a.chapter = a.chapter.or(one);
        b.chapter = b.chapter.or(one);
    }
    let (there, here) = (book.snapshot_of(a.commit)?, book.snapshot_of(b.commit)?);
    match (a.chapter, b.chapter) {
        (Some(of_a), Some(of_b)) => texts(a, b, (&there, of_a), (&here, of_b)),
        _ => lines(a, b, &there, &here),
    }
}

fn texts(
    a: ComparisonSide,
    b: ComparisonSide,
    (there, of_a): (&Snapshot<'_>, ChapterNo),
    (here, of_b): (&Snapshot<'_>, ChapterNo),
) -> Result<Comparison, RunError> {
    let read = |at: &Snapshot<'_>, chapter| text_of(at, chapter)?.ok_or(RunError::NoSuchChapter(chapter));
    let (old, new) = (read(there, of_a)?, read(here, of_b)?);
    let pair = ChapterPair { chapter: of_b, a: facts(there, of_a)?, b: facts(here, of_b)?, is_same: old == new };
    let state = differing(&operations(there, of_a)?, &operations(here, of_b)?);
    let (texts, names) = (Some((old, new)), names(there, here));
    Ok(Comparison { a, b, shared: None, chapters: vec![pair], state, texts, names })
}

fn lines(
    a: ComparisonSide,
    b: ComparisonSide,
    there: &Snapshot<'_>,
    here: &Snapshot<'_>,
) -> Result<Comparison, RunError> {
    let (of_a, of_b) = (there.contents()?, here.contents()?);
    let all: BTreeSet<ChapterNo> = of_a.iter().chain(of_b.iter()).map(|(chapter, _)| chapter).collect();
    let (mut shared, mut chapters) = (None, Vec::new());
    for chapter in all {
        let is_same = text_of(there, chapter)? == text_of(here, chapter)?;
        if is_same {
            shared = if chapters.is_empty() { Some(chapter) } else { shared };
            continue;
        }
        chapters.push(ChapterPair { chapter, a: facts(there, chapter)?, b: facts(here, chapter)?, is_same });
    }
    let state = differing(&state_of(there)?, &state_of(here)?);
    Ok(Comparison { a, b, shared, chapters, state, texts: None, names: names(there, here) })
}

/// The names of both sides by id; those of the second where both have one.
fn names(there: &Snapshot<'_>, here: &Snapshot<'_>) -> BTreeMap<String, String> {
    let mut names = names::names_by_id(&BookView::new(there.clone()));
    names.extend(names::names_by_id(&BookView::new(here.clone())));
    names
}

fn text_of(at: &Snapshot<'_>, chapter: ChapterNo) -> Result<Option<String>, RunError> {
    let Some(volume) = at.contents()?.volume_of(chapter) else { return Ok(None) };
    let bytes = at.read(&layout::chapter(volume, chapter))?;
    Ok(bytes.map(format::lossy_text))
}

fn facts(at: &Snapshot<'_>, chapter: ChapterNo) -> Result<Option<ChapterFacts>, RunError> {
    let view = BookView::new(at.clone());
    let Some(volume) = view.contents()?.volume_of(chapter) else { return Ok(None) };
    let text = view.chapter(chapter)?;
    let words = Count::of_prose(&text.body).words as u64;
    let score = files::evaluation(&view, volume, chapter)?.map(|recorded| recorded.evaluation.overall());
    Ok(Some(ChapterFacts { title: text.title, words, score }))
}

/// Every single value of the state, by its path.
fn state_of(at: &Snapshot<'_>) -> Result<BTreeMap<String, StateAtPath>, RunError> {
    let bytes = at.read(layout::STATE)?.unwrap_or_default();
    let mut values = BTreeMap::new();
    if let Ok(Value::Object(fields)) = serde_json::from_slice::<Value>(&bytes) {
        for (name, value) in fields {
            // The state's own bookkeeping differs wherever anything does.
            if value.is_object() {
                flatten(&name, &value, &mut values);
            }
        }
    }
    Ok(values)
}

fn flatten(path: &str, value: &Value, into: &mut BTreeMap<String, StateAtPath>) {
    match value {
        Value::Object(fields) => {
            fields.iter().for_each(|(name, value)| flatten(&format!("{path}.{name}"), value, into));
        }
        other => {
            into.insert(path.to_owned(), StateAtPath::Value(plain(other)));
        }
    }
}

/// The effect of a chapter's delta on the state, by path. A delta that cannot be read has none; `novel doctor` tells of it.
fn operations(at: &Snapshot<'_>, chapter: ChapterNo) -> Result<BTreeMap<String, StateAtPath>, RunError> {
    let mut operations: BTreeMap<String, Vec<Op>> = BTreeMap::new();
    let Some(volume) = at.contents()?.volume_of(chapter) else { return Ok(BTreeMap::new()) };
    let bytes = at.read(&layout::delta(volume, chapter))?.unwrap_or_default();
    for op in format::delta::read(&bytes).map(|delta| delta.ops).unwrap_or_default() {
        operations.entry(op.path_text()).or_default().push(op);
    }
    Ok(operations.into_iter().map(|(path, ops)| (path, StateAtPath::Ops(ops))).collect())
}

fn differing(a: &BTreeMap<String, StateAtPath>, b: &BTreeMap<String, StateAtPath>) -> Vec<StateDifference> {
    let paths: BTreeSet<&String> = a.keys().chain(b.keys()).collect();
    let differs = |path: &&String| a.get(*path) != b.get(*path);
    let difference =
        |path: &String| StateDifference { path: path.clone(), a: a.get(path).cloned(), b: b.get(path).cloned() };
    paths.into_iter().filter(differs).map(difference).collect()
}
