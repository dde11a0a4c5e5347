//! A rebuild before it is made: the chapters that are summarised again, those that only note a change of wording, and the
//! later chapters that rely on what a chapter said before it was changed, with the sentences in which they do.
//! Two traces lead to them: the state (a later chapter works with a value that is another one now, or its operation no
//! longer fits) and the text (a later chapter repeats words that were taken out).

use crate::domain::state::history::{AffectedChapter, FactDifference};
use crate::domain::state::{Op, OpRefusal};
use crate::pipeline::book::hand_edits::{MissingChapters, refuse_lost};
use crate::pipeline::book::on_disk::{refuse_unsound, view_on_disk};
use crate::pipeline::book::replay::replay_of;
use crate::pipeline::book::{files, timeline};
use crate::pipeline::chapter::existing::people_of;
use crate::pipeline::chapter::write::ChapterOutcome;
use crate::pipeline::prelude::*;
use crate::pipeline::rebuild::outdated::{self, OutdatedReason, RebuildItem, RebuildOrder, Treatment};
use crate::store;
use crate::text::{Basis, Clue, PhraseList};
use serde_json::Value;

#[derive(Debug, Clone, PartialEq)]
pub struct RebuildPlan {
    /// The chapters, the earliest first.
    pub chapters: Vec<RebuildItem>,
    /// Later chapters that may rely on them: those that work with anything that these chapters have set so far, or repeat
    /// words that were taken out of them. The rebuild itself tells which of them really do.
    pub may_rely: Vec<Reliance>,
}

/// Plans a rebuild. Reads only, and counts changes that are in no commit.
/// Fails with [`RunError::NoSuchChapter`]; when the repository cannot be read.
pub fn plan(book: &Book, order: &RebuildOrder) -> Result<RebuildPlan, RunError> {
    let view = view_on_disk(book)?;
    match order.chapters.is_empty() {
        true => refuse_unsound(book, MissingChapters::Stop)?,
        // The author's word that texts which have changed places are edits.
        false => refuse_unsound(book, MissingChapters::Pass)?,
    }
    refuse_lost(book, &view)?;
    let chapters = planned_chapters(book, &view, order)?;
    let before = timeline::chronicle(book)?;
    let edits = EditedChapters::of(book, &view, &chapters)?;
    // Nothing is known of the new operations, so everything that rests on the old ones may fall.
    let bare = |after: Chronicle, planned: &RebuildItem| {
        let delta = after.chapters().find(|delta| delta.chapter == planned.chapter).cloned();
        delta.map_or_else(|| after.clone(), |delta| after.with(&Delta { ops: Vec::new(), ..delta }))
    };
    let asked = chapters.iter().filter(|planned| planned.treatment == Treatment::Summarize);
    let after = asked.fold(before.clone(), bare);
    let may_rely = relying(&view, &before, &after, &edits)?;
    Ok(RebuildPlan { chapters, may_rely })
}

/// True when a rebuild has to ask a model: an edit of wording alone needs none. Reads only, and counts changes that are in no
/// commit.
pub fn asks(book: &Book, order: &RebuildOrder) -> Result<bool, RunError> {
    let planned = planned_chapters(book, &view_on_disk(book)?, order)?;
    let is_asked = |planned: &RebuildItem| planned.treatment == Treatment::Summarize;
    Ok(order.cascade || order.revise || planned.iter().any(is_asked))
}

/// The chapters of an order, the earliest first, each with its treatment.
pub(super) fn planned_chapters(
    book: &Book,
    view: &BookView<'_>,
    order: &RebuildOrder,
) -> Result<Vec<RebuildItem>, RunError> {
    let outdated = outdated::with_skipped(book, view)?;
    let mut reasons: BTreeMap<ChapterNo, OutdatedReason> =
        outdated.into_iter().map(|outdated| (outdated.chapter, outdated.reason)).collect();
    let wanted = if order.chapters.is_empty() { reasons.keys().copied().collect() } else { order.chapters.clone() };
    let mut planned = Vec::new();
    for chapter in wanted {
        let (volume, reason) = (view.volume_of(chapter)?, reasons.remove(&chapter));
        let treatment = treatment(book, view, (volume, chapter), reason.as_ref(), order.wording)?;
        planned.push(RebuildItem { chapter, volume, reason, treatment });
    }
    Ok(planned)
}

fn treatment(
    book: &Book,
    view: &BookView<'_>,
    (volume, chapter): (VolumeNo, ChapterNo),
    reason: Option<&OutdatedReason>,
    vouched: bool,
) -> Result<Treatment, RunError> {
    let Some(OutdatedReason::Edited { from }) = reason else { return Ok(Treatment::Summarize) };
    if vouched {
        return Ok(Treatment::Note);
    }
    // The earlier text may be beyond the end of a shallow clone.
    let Some(old) = store::change::content(book, from)? else { return Ok(Treatment::Summarize) };
    let old = Chapter::from_markdown(chapter, &String::from_utf8_lossy(&old), "");
    let new = view.chapter(chapter)?;
    let paths = ChapterPaths::of(volume, chapter);
    let mut derived = String::new();
    for path in [&paths.summary, &paths.delta, &paths.memory] {
        derived.push_str(&String::from_utf8_lossy(&view.bytes(path)?.unwrap_or_default()));
    }
    let characters = files::characters(view)?;
    let names: Vec<String> = characters.iter().flat_map(|person| person.names()).map(str::to_owned).collect();
    let alone = text::is_wording_alone(&old.body, &new.body, &derived, &names);
    Ok(if alone { Treatment::Note } else { Treatment::Summarize })
}

#[derive(Debug, Default)]
pub struct Rebuilt {
    /// Its commit; `None` when nothing was to be done.
    pub commit: Option<CommitId>,
    /// The chapters that were rebuilt, the earliest first; those that a cascade reached have no reason.
    pub chapters: Vec<RebuildItem>,
    /// The later chapters that rely on what has changed, and were neither rebuilt nor mended.
    pub relying: Vec<Reliance>,
    /// The chapters whose text was mended, the earliest first; the last may wait for the author.
    pub mended: Vec<(ChapterNo, ChapterOutcome)>,
    /// Whether texts were to be mended: those of `relying` were left.
    pub revised: bool,
}

pub(super) fn is_rebuild(transaction: &Transaction) -> bool {
    transaction.kind == Kind::Rebuild && transaction.trailers.get(STEP) == Some(Step::Rebuild.as_str())
}

/// A rebuild that is in the book. Chapters that were accepted after it rely on nothing any more.
pub(super) fn made(book: &Book, order: &RebuildOrder, done: &Transaction) -> Result<Rebuilt, RunError> {
    let Some(parent) = done.parent else { return Ok(Rebuilt { commit: Some(done.id), ..Rebuilt::default() }) };
    let (then, now) = (BookView::new(book.snapshot_of(parent)?), BookView::new(book.snapshot_of(done.id)?));
    let chapters = planned_chapters(book, &then, order)?;
    let edits = EditedChapters::of(book, &then, &chapters)?;
    let (before, after) = (replay_of(book, parent)?.chronicle, replay_of(book, done.id)?.chronicle);
    let mut relying = relying(&now, &before, &after, &edits)?;
    let again: BTreeSet<ChapterNo> =
        store::pending_command::log_after(book, done.id)?.iter().filter_map(Transaction::accepts).collect();
    relying.retain(|reliance| !order.cascade && !again.contains(&reliance.chapter));
    Ok(Rebuilt { commit: Some(done.id), chapters, relying, ..Rebuilt::default() })
}

/// The later chapters that rely on what the last rebuild of an edited chapter has changed, and that nothing has put right since: for
/// a cascade those whose delta is still the same, otherwise those whose text is. Reads only.
pub fn left_by_last(book: &Book, order: &RebuildOrder) -> Result<Vec<Reliance>, RunError> {
    let (all, mut failed) = (RebuildOrder::default(), None);
    let is_of_edit = |done: &Transaction| {
        let Some(parent) = done.parent.filter(|_| is_rebuild(done)) else { return false };
        let planned = book.snapshot_of(parent).map_err(RunError::from);
        match planned.and_then(|then| planned_chapters(book, &BookView::new(then), &all)) {
            Ok(planned) => !planned.is_empty(),
            Err(error) => {
                failed = Some(error);
                true
            }
        }
    };
    let done = store::history::last_of(book, &[Kind::Rebuild], is_of_edit)?;
    if let Some(error) = failed {
        return Err(error);
    }
    let Some(done) = done else { return Ok(Vec::new()) };
    let mut left = made(book, &all, &done)?.relying;
    if order.cascade {
        let (then, now) = (book.snapshot_of(done.id)?, BookView::new(book.snapshot()?));
        let (deltas, new) = (then.content_ids(layout::DELTAS)?, now.content_ids(layout::DELTAS)?);
        let path = |chapter| Ok::<_, RunError>(layout::delta(now.volume_of(chapter)?, chapter));
        let mut kept = Vec::new();
        for reliance in left {
            let path = path(reliance.chapter)?;
            kept.extend((deltas.get(&path) == new.get(&path)).then_some(reliance));
        }
        left = kept;
    }
    Ok(left)
}

/// Words that stand in more than this share of the later chapters are the book's ordinary vocabulary and tell nothing.
const COMMON_SHARE: f64 = 0.1;
/// Words may stand in this many later chapters whatever their share is.
const COMMON_FROM: usize = 3;

/// Something that a chapter relies on.
#[derive(Debug, Clone, PartialEq)]
pub enum Ground {
    /// It works with a value that is another one now.
    Value(FactDifference),
    /// Its operation on that path no longer fits.
    Operation(String, OpRefusal),
    /// It has words that were taken out of this chapter.
    Words(ChapterNo, String),
}

/// A place in which a chapter relies on something.
#[derive(Debug, Clone, PartialEq)]
pub struct Point {
    pub ground: Ground,
    pub sentence: Option<String>,
}

impl Point {
    /// True when the chapter says it, or can no longer do what it did. A value that the chapter works with and does not
    /// mention may be no matter.
    pub fn is_certain(&self) -> bool {
        self.sentence.is_some() || matches!(self.ground, Ground::Operation(..))
    }
}

/// A later chapter that relies on what has changed.
#[derive(Debug, Clone, PartialEq)]
pub struct Reliance {
    pub chapter: ChapterNo,
    /// The places, the certain ones first.
    pub points: Vec<Point>,
}

impl Reliance {
    /// True when one of its points is.
    pub fn is_certain(&self) -> bool {
        self.points.iter().any(Point::is_certain)
    }

    /// Returns the order to the writer, in Chinese: each thing that is different now, with the sentence that relies on it.
    pub fn wish(&self) -> String {
        let lines = self.points.iter().filter(|point| point.is_certain()).map(|point| {
            let changed = match &point.ground {
                Ground::Value(FactDifference { path, was, is }) => {
                    let said = |value: &Option<Value>| value.as_ref().map_or_else(|| "没有".to_owned(), plain);
                    format!("前文改过，{path} 原来是“{}”，现在是“{}”", said(was), said(is))
                }
                Ground::Operation(path, _) => format!("前文改过，本章对 {path} 的变化接不上了"),
                Ground::Words(from, words) => format!("第{}章改过，已经没有“{words}”的说法", from.get()),
            };
            match &point.sentence {
                Some(sentence) => format!("{changed}；本章这一句要跟着改：{sentence}"),
                None => changed,
            }
        });
        let lines: Vec<String> = lines.collect();
        format!("{}。只改与此有关的句子，其余照抄原稿。", lines.join("。"))
    }
}

fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(list) => list.iter().map(plain).collect::<Vec<_>>().join("、"),
        other => other.to_string(),
    }
}

/// The chapters that were edited, and the words that were taken out of each.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct EditedChapters {
    chapters: BTreeSet<ChapterNo>,
    lost: BTreeMap<String, ChapterNo>,
    /// Those of them that are the names of people who are called otherwise now.
    former_names: BTreeSet<String>,
}

impl EditedChapters {
    /// Compares each chapter with the text that its summary was made of.
    pub(crate) fn of(book: &Book, view: &BookView<'_>, planned: &[RebuildItem]) -> Result<Self, RunError> {
        let mut edits = Self::default();
        let names: Vec<String> =
            files::characters(view)?.iter().flat_map(Character::names).map(str::to_owned).collect();
        for planned in planned {
            let chapter = planned.chapter;
            edits.chapters.insert(chapter);
            let Some(OutdatedReason::Edited { from }) = &planned.reason else { continue };
            let Some(old) = store::change::content(book, from)? else { continue };
            let old = Chapter::from_markdown(chapter, &String::from_utf8_lossy(&old), "");
            let new = view.chapter(chapter)?;
            let former = text::former_names(&old.body, &new.body, &names);
            let named: Vec<&String> = former.iter().chain(&names).collect();
            let mut lost = text::lost_phrases(&old.body, &new.body);
            // An edit that takes a name out takes out pieces around it as well, for which the name stands.
            let is_piece = |phrase: &String| named.iter().any(|name| text::is_piece_of_name(phrase, name, &old.body));
            let whole = |name: &String| old.body.contains(name.as_str()) && !new.body.contains(name.as_str());
            let gone: Vec<String> = named.iter().filter(|name| whole(name)).map(|name| (*name).clone()).collect();
            lost.retain(|phrase| !is_piece(phrase));
            for phrase in lost.into_iter().chain(gone) {
                edits.lost.entry(phrase).or_insert(chapter);
            }
            edits.former_names.extend(former);
        }
        Ok(edits)
    }

    /// Notes that another chapter has been rebuilt, its text unchanged.
    pub(crate) fn add(&mut self, chapter: ChapterNo) {
        self.chapters.insert(chapter);
    }

    pub(crate) fn chapters(&self) -> &BTreeSet<ChapterNo> {
        &self.chapters
    }
}

/// The chapters after the edited ones that rely on what differs between two histories of the state, or on words that are
/// gone, the earliest first.
pub(crate) fn relying(
    view: &BookView<'_>,
    before: &Chronicle,
    after: &Chronicle,
    edits: &EditedChapters,
) -> Result<Vec<Reliance>, RunError> {
    let mut points: BTreeMap<ChapterNo, Vec<Point>> = BTreeMap::new();
    let people = |chapter| people_of(view, chapter).unwrap_or_default();
    let characters = files::characters(view)?;
    let deltas: BTreeMap<ChapterNo, &Delta> = before.chapters().map(|delta| (delta.chapter, delta)).collect();
    for AffectedChapter { chapter, on, dropped } in after.affected(before, edits.chapters(), people) {
        let body = view.chapter(chapter)?.body;
        let found = points.entry(chapter).or_default();
        for (path, refusal) in dropped {
            let told = deltas.get(&chapter).and_then(|delta| told_by(delta, &path)).unwrap_or_default();
            let sentence = sentence(&body, &subjects(&characters, &path), &told);
            found.push(Point { ground: Ground::Operation(path, refusal), sentence });
        }
        for difference in on.into_iter().filter(|difference| !is_name_to_come(difference)) {
            let subjects = subjects(&characters, &difference.path);
            let sentence = gone_values(&difference).iter().find_map(|value| sentence(&body, &subjects, value));
            found.push(Point { ground: Ground::Value(difference), sentence });
        }
    }
    for (chapter, point) in repeated_words(view, edits)? {
        points.entry(chapter).or_default().push(point);
    }
    let reliances = points.into_iter().map(|(chapter, mut points)| {
        points.sort_by_key(|point| !point.is_certain());
        Reliance { chapter, points }
    });
    Ok(reliances.collect())
}

/// Whether the difference is a name that the state lacks as long as a summary is not made again. The files of characters have
/// it, and each chapter with it would be listed.
fn is_name_to_come(difference: &FactDifference) -> bool {
    difference.path.ends_with(".display_name") && difference.is.is_none()
}

/// The sentence of a chapter that says a value, or a good part of it; one that only names its subject does not count.
fn sentence(body: &str, subjects: &[String], value: &str) -> Option<String> {
    let subjects = if subjects.is_empty() { Vec::new() } else { vec![subjects.to_vec()] };
    let found = text::source_sentence(body, &Clue { values: vec![value.to_owned()], subjects })?;
    (found.basis != Basis::Names).then_some(found.sentence)
}

/// The names of the person that a path is about.
fn subjects(characters: &[Character], path: &str) -> Vec<String> {
    let id = path.strip_prefix("characters.").and_then(|rest| rest.split('.').next());
    let person = characters.iter().find(|person| Some(person.id.as_str()) == id);
    person.map(|person| person.names().map(str::to_owned).collect()).unwrap_or_default()
}

/// The texts that a place had before and does not have any more.
fn gone_values(difference: &FactDifference) -> Vec<String> {
    let mut was = Vec::new();
    let mut is = Vec::new();
    texts(difference.was.as_ref(), &mut was);
    texts(difference.is.as_ref(), &mut is);
    was.retain(|text| !is.contains(text));
    was
}

fn texts(value: Option<&Value>, found: &mut Vec<String>) {
    match value {
        Some(Value::String(text)) => found.push(text.clone()),
        Some(Value::Array(list)) => list.iter().for_each(|value| texts(Some(value), found)),
        Some(Value::Object(map)) => map.values().for_each(|value| texts(Some(value), found)),
        _ => {}
    }
}

/// The words with which a delta's operation on that path says what happened.
fn told_by(delta: &Delta, path: &str) -> Option<String> {
    let op = delta.ops.iter().find(|op| op.path_text() == path)?;
    match op {
        Op::Set { value, .. } | Op::Add { value, .. } | Op::Remove { value, .. } => value.as_str().map(str::to_owned),
        Op::Foreshadow(op) => Some(op.detail.clone()),
        Op::Inc { .. } => None,
    }
}

/// The places in which later chapters have the words that were taken out of an earlier one.
fn repeated_words(view: &BookView<'_>, edits: &EditedChapters) -> Result<Vec<(ChapterNo, Point)>, RunError> {
    let Some(first) = edits.lost.values().min() else { return Ok(Vec::new()) };
    let list = PhraseList::new(edits.lost.keys());
    let mut hits: BTreeMap<String, Vec<(ChapterNo, String)>> = BTreeMap::new();
    let mut looked_at = 0;
    let later = view.contents()?.iter().map(|(chapter, _)| chapter);
    for chapter in later.filter(|chapter| chapter > first && !edits.chapters.contains(chapter)) {
        let body = view.chapter(chapter)?.body;
        looked_at += 1;
        let phrases: BTreeSet<String> = list.find(&body).by_phrase().into_keys().map(str::to_owned).collect();
        for phrase in phrases.into_iter().filter(|phrase| edits.lost.get(phrase).is_some_and(|from| *from < chapter)) {
            let sentence =
                text::sentences(&body).iter().find(|s| s.text().contains(&phrase)).map(|s| s.text().trim().to_owned());
            hits.entry(phrase).or_default().extend(sentence.map(|sentence| (chapter, sentence)));
        }
    }
    let most = COMMON_FROM.max((f64::from(looked_at) * COMMON_SHARE) as usize);
    let mut found = Vec::new();
    let mut said: BTreeSet<(ChapterNo, String)> = BTreeSet::new();
    // The longer words first: a sentence is shown once.
    let mut phrases: Vec<_> = hits.into_iter().collect();
    phrases.retain(|(phrase, places)| places.len() <= most || edits.former_names.contains(phrase));
    phrases.sort_by_key(|(phrase, _)| std::cmp::Reverse(phrase.chars().count()));
    for (phrase, places) in phrases {
        let Some(&from) = edits.lost.get(&phrase) else { continue };
        for (chapter, sentence) in places {
            if said.insert((chapter, sentence.clone())) {
                let ground = Ground::Words(from, phrase.clone());
                found.push((chapter, Point { ground, sentence: Some(sentence) }));
            }
        }
    }
    Ok(found)
}
