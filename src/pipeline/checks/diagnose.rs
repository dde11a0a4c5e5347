//! The problems of a book's content, and their repair from history. The repository itself is examined by
//! [`store::examine`](crate::store::examine).
//! Whether the providers of models are ready: they answer, take the key and have the models. Nothing is generated, so nothing
//! is paid for.

use crate::domain::renumbering::is_like;
use crate::llm::{Client, Fault, Timeouts, preset};
use crate::pipeline::book::damage::{self, Damage, in_the_way};
use crate::pipeline::book::earlier_passages::{committed_links, last_whole};
use crate::pipeline::book::files;
use crate::pipeline::book::{hand_edits, memories, replay};
use crate::pipeline::checks::story::{self, BookProblem, TextPrint};
use crate::pipeline::engine::responder::{ModelClient, Models};
use crate::pipeline::planning::follow;
use crate::pipeline::prelude::*;
use crate::pipeline::rebuild::outdated::{self, OutdatedReason};
use crate::store::format::Problem;
use crate::store::format::check::{FormatSeverity, check_file, fault};
use crate::store::{self, Committed, EntryFilter, Instead, Obstacle};
use crate::text::encoding;

/// Examines the accepted line, and what the author has changed since. Reads only.
pub fn examine(book: &Book) -> Result<Vec<BookProblem>, RunError> {
    let view = BookView::new(book.snapshot()?);
    let survey = damage::survey(book, EntryFilter::of(&layout::is_book_path))?;
    // The next command commits the author's sound edits, and works with them.
    let ahead = hand_edits::with_edits(book, &survey.edits)?;
    let (mut problems, texts) = bad_files(book, &ahead)?;
    problems.extend(gone(book)?);
    problems.extend(missing_results(book, &view)?);
    let edited = outdated::outdated(book, &view)?.into_iter().filter_map(|outdated| match outdated.reason {
        OutdatedReason::Edited { from } => Some((outdated.chapter, from)),
        OutdatedReason::Unread | OutdatedReason::Skipped => None,
    });
    let edited: BTreeMap<ChapterNo, ContentId> = edited.collect();
    problems.extend(edited.keys().map(|&chapter| BookProblem::Outdated { chapter }));
    for chapter in hand_edits::lost_chapters(book)? {
        problems.push(gap(book, &view, chapter)?);
    }
    problems.extend(story::same_chapters(&ahead, &texts, &edited)?);
    problems.extend(story::same_names(&ahead));
    let replayed = replay::replay(book)?;
    let derived = memories::restored(book, &view, &replayed.chronicle)?.and(replay::bases(&view, &replayed.chronicle)?);
    problems.extend(
        replayed.mismatches.into_iter().map(|m| BookProblem::StateDiffers { chapter: m.chapter, path: m.path }),
    );
    let paths = derived.puts.into_keys().chain(derived.removes);
    problems.extend(paths.map(|path| BookProblem::StateDiffers { chapter: None, path }));
    // One that cannot be read is told of above.
    if let Ok(recorded) = view.recorded_checkpoint()
        && !view.agrees(&recorded)?
    {
        let contents = view.contents()?;
        let is = (contents.last_number(), u32::try_from(contents.count()).unwrap_or(u32::MAX));
        problems.push(BookProblem::CheckpointDiffers { says: (recorded.last_completed, recorded.totals.chapters), is });
    }
    // A checkpoint or an outline that cannot be read is told of above.
    let next = files::next_chapter(&view).ok().flatten();
    let in_the_way = damage::in_the_way(book, next.as_ref(), &survey)?;
    problems.extend(story::unknown_lines(&ahead, &replayed.chronicle)?);
    // Plans that cannot be read are told of above.
    if let Some(volume) = next.as_ref().map(|next| next.volume)
        && let Ok(things @ 1..) = follow::behind(book, &ahead, volume)
    {
        problems.push(BookProblem::PlansBehind { volume, things });
    }
    problems.extend(survey.damaged.into_iter().map(|damaged| match damaged.error {
        Some(error) => BookProblem::BrokenEdit { path: damaged.path, error },
        None => BookProblem::Deleted { path: damaged.path },
    }));
    problems.extend(in_the_way.into_iter().map(BookProblem::InTheWay));
    problems.extend(store::hand_edits::stray_copies(book)?.into_iter().map(BookProblem::StrayCopy));
    story::add_refused(book, &mut problems);
    Ok(problems)
}

/// On a line that was merged, or that the author has moved by hand, the number may be another chapter's.
fn gap(book: &Book, view: &BookView<'_>, chapter: ChapterNo) -> Result<BookProblem, RunError> {
    let at = |bytes: Vec<u8>| Chapter::from_markdown(chapter, &String::from_utf8_lossy(&bytes), "");
    let records = recorded_text(view, chapter);
    let recorded = records.as_ref().map(|text| store::change::content(book, text)).transpose()?.flatten().map(at);
    let others = view.contents()?.iter().filter(|_| recorded.is_none());
    let others = others.map(|(other, _)| view.chapter(other)).collect::<Result<Vec<_>, _>>()?;
    let is_it = |then: &Snapshot<'_>| {
        let path = then.contents().ok().and_then(|contents| contents.volume_of(chapter));
        let text = path.and_then(|volume| then.read(&layout::chapter(volume, chapter)).ok().flatten()).map(at);
        let text = text.filter(|_| records.is_none() || recorded_text(then, chapter) == records);
        text.is_some_and(|text| match &recorded {
            Some(recorded) => is_like(recorded, &text),
            None => !others.iter().any(|other| is_like(other, &text)),
        })
    };
    let whole_in = store::history::last_commit_with(book, chapter, is_it)?;
    let recorded = recorded.filter(|_| whole_in.is_none()).map(|text| text.to_markdown());
    Ok(BookProblem::Gap { chapter, whole_in, recorded })
}

/// Files that the last commit lacks, or has cut off: those without which no book works, and those that the author has
/// removed or shortened since the program's last commit. That the author meant the latter is possible.
fn gone(book: &Book) -> Result<Vec<BookProblem>, RunError> {
    let snapshot = book.snapshot()?;
    let mut lost: BTreeMap<String, (Damage, bool)> = BTreeMap::new();
    for wound in damage::lost_since(book, &snapshot, BookPath::is_needed)? {
        lost.insert(wound.path.clone(), (wound, true));
    }
    for path in [layout::CONFIG, layout::STORYLINES].map(str::to_owned) {
        if !snapshot.has(&path)
            && let Some(whole_in) = last_whole(book, &path)?
        {
            lost.insert(path.clone(), (Damage { path, error: None, whole_in }, false));
        }
    }
    for wound in damage::wounds(book)? {
        lost.insert(wound.path.clone(), (wound, false));
    }
    let problem = |(wound, harmless): (Damage, bool)| {
        let Damage { path, error, whole_in } = wound;
        let is_chapter = matches!(layout::classify(&path), Some(BookPath::Chapter(..)));
        match error {
            // A missing chapter is told of as such.
            None if is_chapter => None,
            None => Some(BookProblem::Gone { path, whole_in, harmless }),
            // Other damage shows in the file itself.
            Some(error) if error.problem == Problem::CutOff => {
                Some(BookProblem::BadFile { path, error, harmless, whole_in: Some(whole_in) })
            }
            Some(_) => None,
        }
    };
    Ok(lost.into_values().filter_map(problem).collect())
}

/// The files that are not of their format. Since all are read for this, the prints of the chapters' texts come with them.
fn bad_files(
    book: &Book,
    snapshot: &Snapshot<'_>,
) -> Result<(Vec<BookProblem>, BTreeMap<ChapterNo, TextPrint>), RunError> {
    let contents = snapshot.contents()?;
    let (mut problems, mut texts) = (Vec::new(), BTreeMap::new());
    snapshot.read_all(
        |path| layout::classify(path).is_some(),
        |path, bytes| {
            // A filter may keep a note in git encrypted, whose bytes are no text.
            if std::str::from_utf8(bytes).is_err() && store::not_writable::filter_at(book, path)?.is_some() {
                return Ok(());
            }
            for finding in check_file(path, bytes) {
                let harmless = finding.severity == FormatSeverity::Warning;
                let whole_in = if harmless { None } else { last_whole(book, path)? };
                problems.push(BookProblem::BadFile { path: path.to_owned(), error: finding.error, harmless, whole_in });
            }
            if let Some(BookPath::Chapter(volume, chapter)) = layout::classify(path)
                && contents.volume_of(chapter) == Some(volume)
            {
                let text = format::lossy_text(bytes.to_vec());
                texts.insert(chapter, TextPrint::of(&Chapter::from_markdown(chapter, &text, "")));
            }
            Ok::<(), RunError>(())
        },
    )?;
    Ok((problems, texts))
}

/// The results that chapters lack. Each is missing when the commit that the chapter is from has it.
fn missing_results(book: &Book, view: &BookView<'_>) -> Result<Vec<BookProblem>, RunError> {
    let mut lacking = BTreeMap::new();
    for (chapter, volume) in view.contents()?.iter() {
        let places = ChapterPaths::of(volume, chapter);
        let all = [&places.summary, &places.delta, &places.evaluation, &places.log, &places.memory];
        let paths: Vec<String> = all.into_iter().filter(|path| !view.has(path)).cloned().collect();
        if !paths.is_empty() {
            lacking.insert(chapter, (places, paths));
        }
    }
    let commits = match lacking.is_empty() {
        // The search for the commits walks through the history.
        true => BTreeMap::new(),
        false => store::history::commits_of(book, &lacking.keys().copied().collect())?,
    };
    let mut problems = Vec::new();
    for (chapter, (places, lacking)) in lacking {
        let Some(transaction) = commits.get(&chapter) else { continue };
        let then = book.snapshot_of(transaction.id)?;
        // Under another number of the chapter's, the commit has the results of another chapter at these paths.
        let is_same = store::history::number_then(book, chapter, transaction.id)? == Some(chapter);
        let had = |path: &String| is_same && then.has(path);
        let has_none = [&places.summary, &places.delta].iter().all(|path| lacking.contains(path) && !had(path));
        problems.extend(has_none.then_some(BookProblem::NoDelta { chapter }));
        for path in lacking.into_iter().filter(had) {
            problems.push(BookProblem::Missing { chapter, path, whole_in: transaction.id });
        }
    }
    Ok(problems)
}

/// Whether the author has agreed to the repairs that need a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Consent {
    Given,
    /// Repairs that need a question are left out.
    NotGiven,
}

impl Consent {
    pub(super) fn covers(self, problem: &BookProblem) -> bool {
        self == Self::Given || !problem.is_asked_about()
    }
}

impl From<bool> for Consent {
    /// The consent that the flag `--yes` stands for.
    fn from(yes: bool) -> Self {
        if yes { Self::Given } else { Self::NotGiven }
    }
}

impl Run<'_> {
    /// Makes state, ledger, memories, checkpoint and the versions that deltas name what the chapters of the book make them, in one
    /// commit. `None` where they are.
    /// Fails when the repository cannot be read or the commit is refused.
    pub(crate) fn replay_state(&self) -> Result<Option<Committed>, RunError> {
        let book = self.session.book();
        let snapshot = BookView::new(book.snapshot()?);
        store::history::retag(self.session)?;
        let chronicle = replay::replay(book)?.chronicle;
        let memories = memories::restored(book, &snapshot, &chronicle)?;
        let mut change =
            replay::restored(&snapshot, chronicle.now())?.and(memories).and(replay::bases(&snapshot, &chronicle)?);
        let view = BookView::new(store::change::snapshot_over(book, snapshot.commit_id(), &change)?);
        let recorded = view.recorded_checkpoint();
        if !recorded.as_ref().is_ok_and(|recorded| view.agrees(recorded).unwrap_or(false)) {
            let begun = |_| Checkpoint::new(Phase::Writing, self.calls.clock.rfc3339());
            let checkpoint =
                Checkpoint { time: self.calls.clock.rfc3339(), ..view.corrected(recorded.unwrap_or_else(begun))? };
            change = view.put_checkpoint(change, &checkpoint)?;
        }
        if change == Change::default() {
            return Ok(None);
        }
        let message = rebuilt(&change);
        let work = Work::Step(Step::Regenerate);
        Ok(Some(BookCommit::new(self, work, message, change, &snapshot).make_unless_edited()?))
    }
}

/// Repairs the work tree, commits the author's sound edits, and repairs what the last commit has wrong. Returns the
/// old and the new names of things that stood in the way.
pub fn repair(run: &Run<'_>, consent: Consent) -> Result<Vec<(String, String)>, RunError> {
    let moved = match consent {
        Consent::Given => clear_the_way(run)?,
        Consent::NotGiven => Vec::new(),
    };
    damage::repair_folder(run)?;
    if !committed_links(run.session.book())?.is_empty() {
        // Nothing can be put in place of a link before the author has agreed.
        return Ok(moved);
    }
    match hand_edits::commit_local_changes(run) {
        // Left to the author, and reported.
        Err(
            RunError::BrokenEdit { .. }
            | RunError::Format { .. }
            | RunError::Missing { .. }
            | RunError::InTheWay(_)
            | RunError::Store(StoreError::Keys { .. }),
        ) => {}
        other => _ = other?,
    }
    // The author may have corrected on disk what the last commit has wrong.
    let left = examine(run.session.book())?;
    let left: Vec<BookProblem> = left.into_iter().filter(|problem| consent.covers(problem)).collect();
    repair_problems(run, &left)?;
    Ok(moved)
}

/// Gives other names to obstructions, and puts there what the last commit has, or had before a link was committed. Returns the
/// old and the new names.
fn clear_the_way(run: &Run<'_>) -> Result<Vec<(String, String)>, RunError> {
    let (mut moved, mut back) = (Vec::new(), BTreeMap::new());
    let (book, wanted) = (run.session.book(), EntryFilter::of(&layout::is_book_path));
    let next = files::next_chapter(&BookView::new(book.snapshot()?)).ok().flatten();
    let links = committed_links(book)?;
    let snapshot = book.snapshot()?;
    for found in in_the_way(book, next.as_ref(), &damage::survey(book, wanted)?)? {
        if matches!(found.block, Obstacle::ReadOnly | Obstacle::Committed) {
            continue;
        }
        for path in files_at(&snapshot, &found.path)? {
            back.insert(path, Instead::Committed);
        }
        if let Some(aside) = store::book::rescue::move_aside(run.session, &found.path)? {
            moved.push((found.path, aside));
        }
    }
    damage::restore(run, &back)?;
    let mut change = Change::default();
    for link in links {
        let before = book.snapshot_of(link.whole_in)?;
        for path in files_at(&before, &link.place.path)? {
            change = before.read(&path)?.into_iter().fold(change, |change, bytes| change.put(&path, bytes));
        }
    }
    damage::put_right(run, change)?;
    Ok(moved)
}

/// Puts right what can be: files from history in one commit, then what follows from the chapters in another. The
/// present content stays in history.
/// Fails when the repository cannot be read or the commit is refused.
pub fn repair_problems(run: &Run<'_>, problems: &[BookProblem]) -> Result<Option<Committed>, RunError> {
    let book = run.session.book();
    let snapshot = book.snapshot()?;
    let mut change = Change::default();
    for problem in problems {
        let (path, commit) = match problem {
            BookProblem::BadFile { path, whole_in: Some(commit), .. } => (path, commit),
            BookProblem::Missing { path, whole_in, .. } | BookProblem::Gone { path, whole_in, .. } => (path, whole_in),
            BookProblem::SameText { earlier: Some((chapter, text)), .. } => {
                let path = layout::chapter(BookView::new(snapshot.clone()).volume_of(*chapter)?, *chapter);
                change = store::change::content(book, text)?
                    .into_iter()
                    .fold(change, |change, bytes| change.put(&path, bytes));
                continue;
            }
            BookProblem::Gap { chapter, recorded: Some(text), .. } => {
                let view = BookView::new(snapshot.clone());
                let delta = view.files(layout::DELTAS)?.into_iter().find(|path| layout::is_of_chapter(path, *chapter));
                let delta = delta.and_then(|path| Some((layout::classify(&path)?.volume()?, path)));
                let Some((volume, path)) = delta else { continue };
                let place = layout::chapter(volume, *chapter);
                change = change.put(&place, text.clone());
                let text = store::change::snapshot_over(book, view.commit_id(), &change)?.content_id(&place);
                let delta = files::delta(&view, volume, *chapter)?.map(|delta| Delta { text, ..delta });
                change = delta.into_iter().fold(change, |change, delta| {
                    change.put(&path, format::delta::write(&delta, view.bytes(&path).ok().flatten().as_deref()))
                });
                continue;
            }
            BookProblem::Gap { chapter, whole_in: Some(commit), .. } => {
                let then = book.snapshot_of(*commit)?;
                for path in results_of(&then, *chapter)? {
                    let Some(bytes) = then.read(&path)? else { continue };
                    change = change.put(&path, bytes);
                }
                continue;
            }
            _ => continue,
        };
        // Text in another encoding is sound text.
        let decoded = snapshot.read(path)?.and_then(|bytes| encoding::decode(&bytes));
        let decoded = decoded.map(|(_, text)| text.into_bytes());
        if let Some(text) = decoded.filter(|text| fault(path, text, None).is_none()) {
            change = change.put(path, text);
        } else if let Some(bytes) = book.snapshot_of(*commit)?.read(path)? {
            change = change.put(path, bytes);
        }
    }
    let committed = damage::put_right(run, change)?;
    // Files that have come back, or that the author has changed meanwhile, may ask for it too.
    Ok(run.replay_state()?.or(committed))
}

/// Takes chapters that have been deleted by hand out of the book for good, and says so in the commit, so that they are
/// not asked about again. Returns the last commit and the number of commits.
/// Fails with [`RunError::NotLost`] for a chapter that is there.
pub fn remove_chapters(run: &Run<'_>, chapters: &BTreeSet<ChapterNo>) -> Result<(CommitId, u32), RunError> {
    let book = run.session.book();
    hand_edits::commit_all_but_losses(run)?;
    let snapshot = book.snapshot()?;
    let contents = snapshot.contents()?;
    let lost = hand_edits::lost_chapters(book)?;
    let mut change = Change::default();
    for &chapter in chapters {
        let is_deleted = match contents.volume_of(chapter) {
            Some(volume) => book.on_disk(&layout::chapter(volume, chapter))?.is_none(),
            None => lost.contains(&chapter),
        };
        if !is_deleted {
            return Err(RunError::NotLost(chapter));
        }
        change = results_of(&snapshot, chapter)?.iter().fold(change, |change, path| change.remove(path));
    }
    let named: Vec<String> = chapters.iter().map(ChapterNo::to_string).collect();
    let message = Message::new(Kind::HandEdit, Subject::Remove(named.clone())).trailer(key::REMOVES, named.join(", "));
    let work = Work::Step(Step::Regenerate);
    let committed = BookCommit::new(run, work, message, change, &snapshot).make_unless_edited()?;
    Ok(run.replay_state()?.map_or((committed.id, 1), |replayed| (replayed.id, 2)))
}

/// The file at `path`, or those in the folder there, without links.
fn files_at(snapshot: &Snapshot<'_>, path: &str) -> Result<Vec<String>, RunError> {
    let mut files = snapshot.files(path)?;
    files.extend(snapshot.has(path).then(|| path.to_owned()));
    files.retain(|path| !snapshot.is_link(path));
    Ok(files)
}

/// The text that the chapter's delta is of.
fn recorded_text(snapshot: &Snapshot<'_>, chapter: ChapterNo) -> Option<ContentId> {
    let is_its = |path: &String| matches!(layout::classify(path), Some(BookPath::Delta(_, of)) if of == chapter);
    let path = snapshot.files(layout::DELTAS).ok()?.into_iter().find(is_its)?;
    format::delta::read(&snapshot.read(&path).ok()??).ok()?.text
}

fn results_of(snapshot: &Snapshot<'_>, chapter: ChapterNo) -> Result<Vec<String>, RunError> {
    Ok(snapshot.files("")?.into_iter().filter(|path| layout::is_of_chapter(path, chapter)).collect())
}

fn rebuilt(change: &Change) -> Message {
    let body = change.puts.keys().map(|path| format!("- {path}\n")).collect::<String>();
    Message::new(Kind::Rebuild, Subject::Derived).body(&body)
}

/// Something about a provider that would stop a run.
#[derive(Debug, Clone, PartialEq)]
pub enum ProviderProblem {
    /// Its address does not answer, or answers with an error of its own.
    Silent { provider: String, fault: Fault },
    /// It does not accept the key, or the account behind it.
    KeyRefused {
        provider: String,
        /// The reason, in the server's words, without the key.
        fault: Fault,
    },
    /// It answers and does not say which models it has.
    NotListed { provider: String },
    /// It does not have a model that is set up.
    UnknownModel {
        provider: String,
        model: String,
        /// The most similar name that it has; nothing where none is similar.
        near: Option<String>,
    },
}

/// Asks every provider of `models` which models it has, once each.
pub async fn probe(models: Models, timeouts: Timeouts) -> Vec<ProviderProblem> {
    let Models { standard, strong, own, fallbacks, .. } = models;
    let mut providers: BTreeMap<(String, String), (Client, Vec<String>)> = BTreeMap::new();
    let all = [standard, strong].into_iter().chain(own.into_values()).chain(fallbacks.into_values().flatten());
    for ModelClient { client, model, .. } in all {
        let place = (client.endpoint().name.clone(), client.endpoint().base_url.clone());
        let (_, wanted) = providers.entry(place).or_insert_with(|| (client.with_timeouts(timeouts), Vec::new()));
        if !wanted.contains(&model) {
            wanted.push(model);
        }
    }
    let mut problems = Vec::new();
    for (client, models) in providers.into_values() {
        problems.extend(probe_one(&client, &models).await);
    }
    problems
}

async fn probe_one(client: &Client, models: &[String]) -> Vec<ProviderProblem> {
    let provider = client.endpoint().name.clone();
    let known = match client.models().await {
        Ok(known) => known,
        Err(failure) => return vec![of_fault(provider, failure.fault)],
    };
    // A server that serves what it has loaded takes any name.
    if preset::find(&provider).is_some_and(|preset| preset.takes_any_name()) {
        return Vec::new();
    }
    let missing = models.iter().filter(|model| !known.iter().any(|known| is_same(known, model)));
    let unknown = |model: &String| ProviderProblem::UnknownModel {
        provider: provider.clone(),
        model: model.clone(),
        near: text::nearest(model, known.iter().map(String::as_str)).map(str::to_owned),
    };
    missing.map(unknown).collect()
}

/// Servers list models with the name of their maker before them, or with a tag behind them.
fn is_same(listed: &str, model: &str) -> bool {
    let bare = listed.strip_suffix(":latest").unwrap_or(listed);
    [listed, bare]
        .into_iter()
        .any(|name| name == model || name.strip_suffix(model).is_some_and(|rest| rest.ends_with('/')))
}

fn of_fault(provider: String, fault: Fault) -> ProviderProblem {
    match fault {
        Fault::Unauthorized { .. } | Fault::Forbidden { .. } | Fault::Billing { .. } | Fault::SpendLimit { .. } => {
            ProviderProblem::KeyRefused { provider, fault }
        }
        // The address is right, and this server has no such list.
        Fault::UnknownModel { .. } | Fault::BadRequest { .. } | Fault::Protocol { .. } | Fault::RateLimited { .. } => {
            ProviderProblem::NotListed { provider }
        }
        fault => ProviderProblem::Silent { provider, fault },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_is_known_under_the_names_that_servers_give_it() {
        for listed in ["qwen3", "qwen3:latest", "models/qwen3", "alibaba/qwen3"] {
            assert!(is_same(listed, "qwen3"), "{listed}");
        }
        for other in ["qwen3-max", "my-qwen3", "qwen3:8b"] {
            assert!(!is_same(other, "qwen3"), "{other}");
        }
    }
}
