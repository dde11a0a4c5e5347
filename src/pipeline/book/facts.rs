//! Questions about the facts of a book: what holds now or held at a chapter, how it came so, and which step made it.
//! The answers follow the story as it is now: a chapter that was written again counts as it reads today, and a chapter that was
//! rolled back does not count. A commit named as such answers with what it has committed.

use crate::domain::state::history::fact::{Cause, Fact, FactChange, Subjects, Unresolved};
use crate::domain::state::{Category, Op};
use crate::domain::volume::foreshadowing::Foreshadowing;
use crate::pipeline::book::files;
use crate::pipeline::book::names;
use crate::pipeline::book::timeline::Timeline;
use crate::pipeline::prelude::*;
use crate::store;
use crate::store::format::renumber::renumbered;
use crate::text::{Clue, SourceSentence};
use serde_json::Value;

/// Why a question has no answer.
#[derive(Debug, thiserror::Error)]
#[error("{self:?}")]
pub enum FactError {
    /// The name stands for nothing, or for several things.
    Unresolved(#[from] Unresolved),
    /// The book never had such a fact.
    NeverNoted {
        /// The path, or the id of the plot thread.
        fact: String,
        /// Which one was perhaps meant.
        nearest: Option<String>,
    },
    /// Neither the ledger nor a plan has such a foreshadowing.
    NoForeshadowing {
        typed: String,
        /// The one that was perhaps meant.
        nearest: Option<String>,
    },
    /// The book cannot be read.
    Run(#[from] RunError),
}

impl From<crate::store::StoreError> for FactError {
    fn from(error: crate::store::StoreError) -> Self {
        Self::Run(error.into())
    }
}

/// The time that a question is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum When {
    /// As the book's last commit has it.
    Now,
    Chapter(ChapterNo),
    /// After the last chapter of that volume.
    Volume(VolumeNo),
    /// As that commit has it.
    Commit(String),
}

/// A part of the state at a time.
#[derive(Debug, Clone, PartialEq)]
pub struct FactsAt {
    /// The fact; `None` for the whole state.
    pub fact: Option<Fact>,
    /// The last chapter at that time.
    pub chapter: Option<ChapterNo>,
    /// The commit of that chapter, or the commit that was asked for.
    pub commit: CommitId,
    /// The value; `None` if there was no value at that time. The whole state is the content of its file.
    pub value: Option<Value>,
    /// True when the chapter's commit has another value: an earlier chapter has been written again since, or the state edited.
    pub differs_from_commit: bool,
    /// The display names of the things of the state, by id.
    pub names: BTreeMap<String, String>,
}

/// A change with everything that is known of it.
#[derive(Debug, Clone, PartialEq)]
pub struct ToldChange {
    pub change: FactChange,
    pub commit: Transaction,
    /// The sentence of the chapter's text that says so; `None` when it was not found, or when the change is from no chapter.
    pub source: Option<SourceSentence>,
    /// The models of the agents whose work the commit is, by the agent's name.
    pub models: BTreeMap<String, String>,
}

impl ToldChange {
    /// The chapter that changed the fact; `None` for an edit.
    pub fn chapter(&self) -> Option<ChapterNo> {
        match self.change.cause {
            Cause::Chapter(chapter) => Some(chapter),
            Cause::Edit(_) => None,
        }
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct FactHistory {
    pub fact: Fact,
    /// The number of all its changes.
    pub total: usize,
    /// The last of them, oldest first.
    pub changes: Vec<ToldChange>,
    /// The value now; `None` where it is gone.
    pub now: Option<Value>,
    /// The display names of the things of the state, by id.
    pub names: BTreeMap<String, String>,
}

/// A present value with the change that made it.
#[derive(Debug, Clone, PartialEq)]
pub struct Blamed {
    /// The value's path, or the id of a plot thread.
    pub path: String,
    /// The value; of a list, one entry.
    pub value: Value,
    pub made_by: ToldChange,
}

pub fn state(book: &Book, typed: Option<&str>, when: &When) -> Result<FactsAt, FactError> {
    let past = BookHistory::of(book)?;
    let fact = typed.map(|typed| past.resolve(typed)).transpose()?;
    let names = past.names.clone();
    let view = BookView::new(book.snapshot()?);
    let (chapter, commit) = match when {
        When::Now => (view.contents()?.last(), book.tip()?),
        When::Commit(name) => {
            let unknown = || RunError::NoSuchRevision { name: name.clone() };
            let commit = book.resolve(name)?.ok_or_else(unknown)?;
            (book.contents_of(commit)?.last(), commit)
        }
        When::Chapter(chapter) => {
            let commit = book.chapter_commit(*chapter)?.ok_or(RunError::NoSuchChapter(*chapter))?;
            (Some(*chapter), commit)
        }
        When::Volume(volume) => {
            let of_volume = view.contents()?.iter().filter(|(_, at)| at == volume).map(|(chapter, _)| chapter);
            let chapter = of_volume.max().ok_or(RunError::NoSuchVolume(*volume))?;
            let commit = book.chapter_commit(chapter)?.ok_or(RunError::NoSuchChapter(chapter))?;
            (Some(chapter), commit)
        }
    };
    let then = BookView::new(book.snapshot_of(commit)?);
    let committed = |fact: Option<&Fact>| -> Result<Option<Value>, FactError> {
        Ok(match fact {
            None => Some(document(&then.state()?)),
            Some(Fact::Value(keys)) => then.state()?.get(&keys.join(".")).cloned(),
            Some(Fact::Thread(id)) => then.ledger()?.get(id).map(thread_value),
        })
    };
    let is_of_chapter = matches!(when, When::Chapter(_) | When::Volume(_));
    let (value, differs_from_commit) = match (chapter.filter(|_| is_of_chapter), &fact) {
        (Some(chapter), fact) => {
            let folded = past.timeline.chronicle.as_of(chapter);
            let value = match fact {
                None => Some(document(&folded.now().state)),
                Some(Fact::Value(keys)) => folded.now().state.get(&keys.join(".")).cloned(),
                Some(Fact::Thread(id)) => folded.thread(id).as_ref().map(thread_value),
            };
            // A thread that a volume has left behind is in no later commit, and a commit may have brought later chapters along.
            let is_comparable =
                !matches!(fact, Some(Fact::Thread(_))) && book.contents_of(commit)?.last() == Some(chapter);
            let differs = is_comparable && committed(fact.as_ref()).ok() != Some(value.clone());
            (value, differs)
        }
        (None, Some(Fact::Thread(id))) if *when == When::Now => {
            (past.timeline.chronicle.thread(id).as_ref().map(thread_value), false)
        }
        (None, fact) => (committed(fact.as_ref())?, false),
    };
    Ok(FactsAt { fact, chapter, commit, value, differs_from_commit, names })
}

/// The last `most` changes of a fact, oldest first, each with its commit and its sentence.
pub fn history(book: &Book, typed: &str, most: usize) -> Result<FactHistory, FactError> {
    let past = BookHistory::of(book)?;
    let fact = past.resolve(typed)?;
    let mut changes = past.timeline.chronicle.changes(&fact);
    let total = changes.len();
    let changes = past.tell(changes.split_off(total.saturating_sub(most)))?;
    let chronicle = &past.timeline.chronicle;
    let now = match &fact {
        Fact::Value(keys) => chronicle.now().state.get(&keys.join(".")).cloned(),
        Fact::Thread(id) => chronicle.thread(id).map(|entry| entry.status().as_str().into()),
    };
    let names = past.names.clone();
    Ok(FactHistory { fact, total, changes, now, names })
}

/// Each present value of the fact, with the change that made it. Empty where the fact has no value any more.
pub fn blame(book: &Book, typed: &str) -> Result<(Fact, Vec<Blamed>), FactError> {
    let past = BookHistory::of(book)?;
    let fact = past.resolve(typed)?;
    let origins = past.timeline.chronicle.origins(&fact);
    let told = past.tell(origins.iter().map(|origin| origin.change.clone()).collect())?;
    let blamed = origins.into_iter().zip(told).map(|(origin, made_by)| Blamed {
        path: origin.keys.join("."),
        value: origin.value,
        made_by,
    });
    let blamed = blamed.collect();
    Ok((fact, blamed))
}

/// Every change of a plot thread, oldest first. Empty for one that is only planned.
pub(super) fn changes_of_thread(book: &Book, id: &Slug) -> Result<Vec<ToldChange>, FactError> {
    let past = BookHistory::of(book)?;
    past.tell(past.timeline.chronicle.changes(&Fact::Thread(id.clone())))
}

/// The state as its file has it, without the version of the format.
fn document(state: &crate::domain::state::State) -> Value {
    let mut document: Value = serde_json::from_slice(&format::state::write(state)).unwrap_or_default();
    document.as_object_mut().and_then(|fields| fields.shift_remove("schema_version"));
    document
}

/// A plot thread as the ledger's file has it.
fn thread_value(entry: &Foreshadowing) -> Value {
    let ledger = format::foreshadowing::write(&Ledger { entries: vec![entry.clone()] }, None);
    let mut document: Value = serde_json::from_slice(&ledger).unwrap_or_default();
    document["foreshadowing"][0].take()
}

/// The past of a book, with the names of everything in it.
struct BookHistory<'b> {
    book: &'b Book,
    timeline: Timeline,
    subjects: Subjects,
    /// The names of what the facts are about, by id.
    names: BTreeMap<String, String>,
}

impl<'b> BookHistory<'b> {
    fn of(book: &'b Book) -> Result<Self, RunError> {
        let timeline = Timeline::of(book)?;
        let mut subjects = timeline.chronicle.subjects();
        let view = BookView::new(book.snapshot()?);
        // A character whose file cannot be read is known by its id; `doctor` reports the file.
        let people = files::characters(&view).unwrap_or_default().into_iter();
        for person in people.chain(files::retired_characters(&view).unwrap_or_default()) {
            subjects.name(Category::Characters, &person.id, person.names().map(str::to_owned));
        }
        Ok(Self { book, timeline, subjects, names: names::names_by_id(&view) })
    }

    /// The fact that `typed` stands for, if the book ever had it.
    fn resolve(&self, typed: &str) -> Result<Fact, FactError> {
        let fact = self.subjects.resolve(typed).map_err(|error| match error {
            Unresolved::Unknown(name) => {
                let known: Vec<String> = self.subjects.paths().collect();
                let ends = known.iter().flat_map(|path| [path.as_str(), path.rsplit('.').next().unwrap_or(path)]);
                let nearest = text::nearest(&name, ends).map(str::to_owned);
                FactError::NeverNoted { fact: name, nearest }
            }
            ambiguous => FactError::Unresolved(ambiguous),
        })?;
        let chronicle = &self.timeline.chronicle;
        let is_there = match &fact {
            Fact::Value(keys) => chronicle.now().state.get(&keys.join(".")).is_some(),
            Fact::Thread(_) => true,
        };
        if is_there || !chronicle.changes(&fact).is_empty() {
            return Ok(fact);
        }
        let (typed, mut known) = (fact.to_string(), self.known_below(&fact));
        // A character of the book of whom no chapter has noted anything is known and has no value.
        known.retain(|path| *path != typed);
        let nearest = text::nearest(&typed, known.iter().map(String::as_str)).map(str::to_owned);
        Err(FactError::NeverNoted { fact: typed, nearest })
    }

    /// The paths that ever had a value beside the fact, below the same thing.
    fn known_below(&self, fact: &Fact) -> Vec<String> {
        let Fact::Value(keys) = fact else { return Vec::new() };
        let beside = Fact::Value(keys.iter().take(keys.len().saturating_sub(1)).cloned().collect());
        let changes = self.timeline.chronicle.changes(&beside).into_iter();
        changes.map(|change| change.keys.join(".")).chain(self.subjects.paths()).collect()
    }

    /// The changes with their commits, sentences and models.
    fn tell(&self, changes: Vec<FactChange>) -> Result<Vec<ToldChange>, FactError> {
        let view = BookView::new(self.book.snapshot()?);
        let commits = self.commits_of(&view, &changes)?;
        let mut told = Vec::with_capacity(changes.len());
        for change in changes {
            let (commit, source) = match change.cause {
                Cause::Chapter(chapter) => (commits.get(&chapter), self.source(&view, chapter, &change)),
                Cause::Edit(edit) => (self.timeline.edits.get(edit), None),
            };
            // Every chapter and every edit of a timeline has its commit.
            let commit = self.book.transaction(commit.copied().unwrap_or(view.commit_id()))?;
            let models = commit.trailers.get(trailer::MODELS).map(models_of).unwrap_or_default();
            told.push(ToldChange { change, commit, source, models });
        }
        Ok(told)
    }

    /// The commits that the deltas of the changes are from: the one that accepted the chapter, where it has that very delta,
    /// also over a merge; otherwise the one that brought the delta as it is.
    fn commits_of(
        &self,
        view: &BookView<'_>,
        changes: &[FactChange],
    ) -> Result<BTreeMap<ChapterNo, CommitId>, FactError> {
        let (mut commits, mut unsure) = (BTreeMap::new(), BTreeSet::new());
        for change in changes {
            let Cause::Chapter(chapter) = change.cause else { continue };
            let Some((_, brought)) = self.timeline.deltas.get(&chapter).copied() else { continue };
            if commits.insert(chapter, brought).is_none() && self.book.transaction(brought)?.accepts() != Some(chapter)
            {
                unsure.insert(chapter);
            }
        }
        if unsure.is_empty() {
            return Ok(commits);
        }
        for (chapter, accepted) in store::history::commits_of(self.book, &unsure)? {
            let Some((volume, _)) = self.timeline.deltas.get(&chapter) else { continue };
            let then = BookView::new(self.book.snapshot_of(accepted.id)?);
            let was = store::history::number_then(self.book, chapter, accepted.id)?.unwrap_or(chapter);
            let Some(of) = then.contents()?.volume_of(was) else { continue };
            // With other numbers, the delta tells of the same operations.
            let place = BookPath::Delta(of, was);
            let moves = store::provenance::renumberings_after(self.book, accepted.id)?.into_iter().rev();
            let then =
                then.bytes(&place.path())?.map(|bytes| moves.fold(bytes, |bytes, how| renumbered(&place, &bytes, how)));
            let ops = |bytes: Option<Vec<u8>>| Some(format::delta::read(&bytes?).ok()?.ops);
            if ops(then) == ops(view.bytes(&layout::delta(*volume, chapter))?) {
                commits.insert(chapter, accepted.id);
            }
        }
        Ok(commits)
    }

    /// The sentence of the chapter that a change is from. A text that cannot be read has none.
    fn source(&self, view: &BookView<'_>, chapter: ChapterNo, change: &FactChange) -> Option<SourceSentence> {
        let text = view.chapter(chapter).ok()?;
        text::source_sentence(&text.body, &self.clue(change))
    }

    /// The words to look for: the values that the operations write, or the names behind an id, and the names of the things concerned.
    fn clue(&self, change: &FactChange) -> Clue {
        let names = |id: &str| -> Vec<String> { self.subjects.names_of(id).into_iter().map(str::to_owned).collect() };
        let mut clue = Clue::default();
        let mut value = |value: &Value| match value {
            Value::String(text) => {
                let named = names(text);
                clue.values.extend(if named.is_empty() { vec![text.clone()] } else { named });
            }
            Value::Number(number) => clue.values.push(number.to_string()),
            _ => {}
        };
        for op in &change.ops {
            match op {
                Op::Set { value: Value::Object(_), .. } => change.new.iter().for_each(&mut value),
                Op::Set { value: set, .. } | Op::Add { value: set, .. } | Op::Remove { value: set, .. } => value(set),
                // The number of a relationship is in no text.
                Op::Inc { path, .. } if path.is_relationship() => {}
                Op::Inc { by, .. } => value(&Value::String(by.to_string().trim_start_matches('-').to_owned())),
                Op::Foreshadow(op) => value(&Value::String(op.detail.clone())),
            }
        }
        let ids = change.keys.iter().skip(1).filter(|key| key.parse::<Slug>().is_ok());
        clue.subjects.extend(ids.map(|id| names(id)).filter(|names| !names.is_empty()));
        clue
    }
}

/// `writer=a, judge=b` as a map.
fn models_of(text: &str) -> BTreeMap<String, String> {
    let pairs = text.split(", ").filter_map(|pair| pair.split_once('='));
    pairs.map(|(agent, model)| (agent.to_owned(), model.to_owned())).collect()
}
