//! A rebuild: edited chapters are summarised again on a draft, the later deltas are replayed on what that gives, and all of
//! it becomes one commit.

use crate::agents::call::prompt::hash_of;
use crate::agents::context::chapter::Memory;
use crate::agents::{Why, summarizer};
use crate::domain::book::checkpoint::Totals;
use crate::domain::chapter::summary::Summary;
use crate::pipeline::book::chapter_context;
use crate::pipeline::book::files;
use crate::pipeline::book::hand_edits;
use crate::pipeline::book::migrate;
use crate::pipeline::book::replay::{bases, restored};
use crate::pipeline::book::timeline;
use crate::pipeline::chapter::existing::memories_before;
use crate::pipeline::chapter::revision::{self, Approval};
use crate::pipeline::chapter::summaries::SummarySource;
use crate::pipeline::engine::ask::{Attempts, Job, ReadOutcome, ReplyText};
use crate::pipeline::engine::call_record::PaidCall;
use crate::pipeline::planning::draft::{self, Closing, PlanDraft, PlanResult};
use crate::pipeline::prelude::*;
use crate::pipeline::rebuild::outdated::{OutdatedReason, RebuildItem, RebuildOrder, Treatment};
use crate::pipeline::rebuild::plan::{
    self, EditedChapters, Ground, Rebuilt, Reliance, is_rebuild, left_by_last, made, planned_chapters,
};
use crate::store::{self, Remark};
use crate::text::Count;

/// So many chapters are named in a subject.
const NAMED: usize = 4;
/// So many chapters that rely on a change are listed in a commit.
const LISTED: usize = 40;

/// Brings summaries, deltas and state in line with the texts of an order's chapters: one commit, of which nothing is in
/// the book before it is whole. Then mends the chapters that rely on what has changed, where the order says so; with
/// nothing to rebuild, those of the last rebuild. The same order after an interruption reuses every paid reply.
/// Fails with [`RunError::NoSuchChapter`]; the [`RunError`] that ended a question.
pub async fn rebuild(run: &Run<'_>, order: &RebuildOrder) -> Result<Rebuilt, RunError> {
    if order.chapters.is_empty() {
        run.settled_next()?;
        hand_edits::commit_local_changes(run)?;
    } else {
        // The author's word that texts which have changed places are edits.
        hand_edits::commit_all_but_losses(run)?;
        hand_edits::reconcile(run)?;
    }
    migrate::bring_up(run)?;
    let book = run.session.book();
    let since = store::pending_command::begin_pending(run.session, &order.words())?;
    let mut rebuilt = match since.iter().find(|transaction| is_rebuild(transaction)) {
        Some(done) => made(book, order, done)?,
        None => rebuild_summaries(run, order).await?,
    };
    if rebuilt.commit.is_none() && order.goes_on() {
        rebuilt.relying = left_by_last(book, order)?;
        if order.cascade && !rebuilt.relying.is_empty() {
            let chapters = rebuilt.relying.iter().map(|reliance| reliance.chapter).collect();
            rebuilt = rebuild_summaries(run, &RebuildOrder { chapters, ..order.clone() }).await?;
        }
    }
    if order.revise {
        rebuilt.revised = true;
        let certain = rebuilt.relying.iter().filter(|reliance| reliance.is_certain());
        let wishes = certain.map(|reliance| (reliance.chapter, reliance.wish())).collect();
        rebuilt.mended = revision::mend(run, &wishes, Approval::Gate).await?;
        rebuilt.relying.retain(|reliance| rebuilt.mended.iter().all(|(chapter, _)| *chapter != reliance.chapter));
    }
    Ok(rebuilt)
}

async fn rebuild_summaries(run: &Run<'_>, order: &RebuildOrder) -> Result<Rebuilt, RunError> {
    let book = run.session.book();
    let view = BookView::new(book.snapshot()?);
    let planned = planned_chapters(book, &view, order)?;
    if planned.is_empty() {
        return Ok(Rebuilt::default());
    }
    let request = request_of(order, &view)?;
    let before = timeline::chronicle(book)?;
    let edits = EditedChapters::of(book, &view, &planned)?;
    let draft = PlanDraft::open(run, Work::Step(Step::Rebuild), &request, DraftFiles::default())?;
    let mut rebuilding = Rebuilding { book, draft, after: before.clone(), before, edits, chapters: Vec::new() };
    let of = u32::try_from(planned.len()).unwrap_or(u32::MAX);
    for (chapter, number) in planned.into_iter().zip(1..) {
        run.tell(Event::Turn { number, of });
        rebuilding.take(chapter).await?;
    }
    let mut relying = rebuilding.relying()?;
    while order.cascade
        && let Some(next) = relying.first().map(|reliance| reliance.chapter)
    {
        let volume = view.volume_of(next)?;
        let treatment = Treatment::Summarize;
        rebuilding.edits.add(next);
        rebuilding.take(RebuildItem { chapter: next, volume, reason: None, treatment }).await?;
        relying = rebuilding.relying()?;
    }
    rebuilding.close(relying)
}

/// How many chapters no rebuild has read yet, and whether any are outdated: a rebuild that died has some on its draft. Reads only.
pub(in crate::pipeline) fn left(book: &Book, view: &BookView<'_>) -> Result<(u64, bool), RunError> {
    let (work, order) = (Work::Step(Step::Rebuild), RebuildOrder::default());
    let mut planned = planned_chapters(book, view, &order)?;
    let is_outdated = !planned.is_empty();
    if draft::is_of_request(book, work, &request_of(&order, view)?)? == Some(true) {
        let records = store::draft::draft_records(book, work)?.unwrap_or_default();
        let read: Vec<ChapterNo> = records.iter().filter_map(|record| record.trailers.read(trailer::COVERS)).collect();
        planned.retain(|planned| !read.contains(&planned.chapter));
    }
    Ok((planned.len() as u64, is_outdated))
}

/// The order in words, with the texts that it is about: after another edit it is another request.
fn request_of(order: &RebuildOrder, snapshot: &Snapshot<'_>) -> Result<String, RunError> {
    let texts = snapshot.content_ids(layout::CHAPTERS)?;
    let texts: Vec<(String, String)> = texts.into_iter().map(|(path, id)| (path, id.to_string())).collect();
    let texts: Vec<(&str, &str)> = texts.iter().map(|(path, id)| (path.as_str(), id.as_str())).collect();
    Ok(format!("{}\n{}", order.words(), hash_of(&texts)))
}

/// A rebuild under way.
struct Rebuilding<'r, 'b> {
    book: &'b Book,
    draft: PlanDraft<'r, 'b>,
    /// The history of the state up to now …
    before: Chronicle,
    /// … and with the rebuilt chapters.
    after: Chronicle,
    edits: EditedChapters,
    chapters: Vec<RebuildItem>,
}

impl Rebuilding<'_, '_> {
    /// Rebuilds a chapter, unless the draft has it already.
    async fn take(&mut self, planned: RebuildItem) -> Result<(), RunError> {
        let RebuildItem { chapter, volume, treatment, .. } = planned;
        let paths = ChapterPaths::of(volume, chapter);
        let view = BookView::new(self.draft.snapshot()?);
        let file = view.bytes(&paths.text)?.ok_or(RunError::NoSuchChapter(chapter))?;
        if !self.draft.has_covered(PlanStage::Summary, &chapter.to_string())? {
            let text = Chapter::from_markdown(chapter, &String::from_utf8_lossy(&file), "");
            match treatment {
                Treatment::Note => {
                    let change = noted(&self.draft, &paths, &text, &file)?;
                    let covers = Some(chapter.to_string());
                    let result = PlanResult { covers, ..(change, StageNote::Reworded(chapter)).into() };
                    self.draft.record(PlanStage::Summary, result, None)?;
                }
                Treatment::Summarize => self.summarize(&view, &paths, &text, &file).await?,
            }
        }
        let delta = self.draft.read(&paths.delta)?;
        let delta =
            delta.map(|bytes| format::delta::read(&bytes)).transpose().map_err(RunError::of_file(&paths.delta))?;
        if let Some(delta) = delta {
            self.after = self.after.with(&delta);
        }
        self.chapters.push(planned);
        Ok(())
    }

    async fn summarize(
        &self,
        view: &BookView<'_>,
        paths: &ChapterPaths,
        text: &Chapter,
        file: &[u8],
    ) -> Result<(), RunError> {
        let chapter = text.number;
        let mut context = chapter_context::accepted_context(view, text)?;
        let facts = self.after.before(chapter);
        (context.state, context.ledger) = (facts.state, facts.ledger);
        context.memories = self.memories(chapter, context.memories)?;
        let line = context.storyline();
        let is_later = |delta: &Delta| delta.chapter > chapter && delta.storyline == *line;
        let is_last_on_line = !self.after.chapters().any(is_later);
        let task = Task::Summarize { context: &context, text, hints: "" };
        let attempt = async || {
            let mut job = SummaryJob {
                draft: &self.draft,
                context: &context,
                text,
                file,
                paths,
                task: &task,
                is_last_on_line,
                kept: None,
            };
            self.draft.session.ask(&mut job).await
        };
        let calls = &self.draft.session.run.calls;
        calls.unrecorded.try_twice(Part::Plan(PlanStage::Summary), attempt).await
    }

    /// The memories before a chapter: those that the book had, or the later ones of this rebuild, which chapters of an import have
    /// alone.
    fn memories(
        &self,
        chapter: ChapterNo,
        present: BTreeMap<Slug, Memory>,
    ) -> Result<BTreeMap<Slug, Memory>, RunError> {
        let mut memories = memories_before(self.book, chapter)?;
        for (line, memory) in present.into_iter().filter(|(_, memory)| memory.chapter.is_some_and(|of| of < chapter)) {
            if memories.get(&line).is_none_or(|before| before.chapter < memory.chapter) {
                memories.insert(line, memory);
            }
        }
        Ok(memories)
    }

    fn relying(&self) -> Result<Vec<Reliance>, RunError> {
        plan::relying(&BookView::new(self.draft.snapshot()?), &self.before, &self.after, &self.edits)
    }

    /// Makes the draft one commit of the book, with the state and the ledger that follow.
    fn close(self, relying: Vec<Reliance>) -> Result<Rebuilt, RunError> {
        let Self { book, draft, after, chapters, .. } = self;
        let view = BookView::new(draft.snapshot()?);
        let facts = restored(&view, after.now())?.and(bases(&view, &after)?);
        if facts != Change::default() {
            draft.commit(PlanStage::Edit, facts, StageNote::Replayed)?;
        }
        let (words, skipped) = totals_change(book, &draft.snapshot()?, &chapters)?;
        let closing = Closing {
            kind: Kind::Rebuild,
            subject: Subject::Rebuild(names(chapters.iter().map(|planned| planned.chapter))),
            body: worded(book, &draft, body(&chapters, &relying))?,
            trailers: vec![(STEP, Step::Rebuild.to_string())],
            checkpoint: Box::new(move |mut checkpoint| {
                let Totals { words: all, skipped_ops, .. } = &mut checkpoint.totals;
                *all = all.saturating_add_signed(words);
                *skipped_ops = u32::try_from((i64::from(*skipped_ops) + skipped).max(0)).unwrap_or(u32::MAX);
                checkpoint
            }),
        };
        let commit = draft.accept(closing)?.commit;
        Ok(Rebuilt { commit: Some(commit), chapters, relying, ..Rebuilt::default() })
    }
}

/// `ch-003`, `ch-007`, `…`.
fn names(chapters: impl Iterator<Item = ChapterNo>) -> Vec<String> {
    let all: BTreeSet<ChapterNo> = chapters.collect();
    let more = (all.len() > NAMED).then(|| "…".to_owned());
    all.iter().take(NAMED).map(ChapterNo::to_string).chain(more).collect()
}

/// Returns the commit's body: the treatment of each chapter, and the later chapters that rely on what has changed.
fn body(chapters: &[RebuildItem], relying: &[Reliance]) -> Vec<Remark> {
    let treated = chapters.iter().map(|planned| match planned.treatment {
        Treatment::Note => Remark::WordingAlone(planned.chapter),
        Treatment::Summarize => Remark::SummarizedAgain(planned.chapter),
    });
    let relying_on = relying.iter().take(LISTED).map(|reliance| {
        Remark::RestsOn(reliance.chapter, reliance.points.iter().map(|point| ground(&point.ground)).collect())
    });
    let more = relying.len().saturating_sub(LISTED);
    treated.chain(relying_on).chain((more > 0).then_some(Remark::More(more))).collect()
}

/// Lines of a body in the language of the book.
fn worded(book: &Book, draft: &PlanDraft<'_, '_>, remarks: Vec<Remark>) -> Result<String, RunError> {
    let tip = draft.session.tip();
    let lines = remarks.into_iter().map(|remark| book.worded(&Subject::Remark(remark), tip));
    Ok(lines.collect::<Result<Vec<String>, _>>()?.join("\n"))
}

fn ground(ground: &Ground) -> String {
    match ground {
        Ground::Value(difference) => difference.path.clone(),
        Ground::Operation(path, refusal) => format!("{path}: {refusal}"),
        Ground::Words(from, words) => format!("\u{201c}{words}\u{201d} of {from}"),
    }
}

/// Counts the words that the edits added or took, and the deltas that were unreadable and no longer are.
fn totals_change(book: &Book, draft: &Snapshot<'_>, chapters: &[RebuildItem]) -> Result<(i64, i64), RunError> {
    let (now, then) = (BookView::new(draft.clone()), BookView::new(book.snapshot()?));
    let (mut more_words, mut more_skipped) = (0, 0);
    let words = |body: &str| i64::try_from(Count::of_prose(body).words).unwrap_or(i64::MAX);
    for RebuildItem { chapter, volume, reason, .. } in chapters {
        if let Some(OutdatedReason::Edited { from }) = reason
            && let Some(old) = store::change::content(book, from)?
        {
            let old = Chapter::from_markdown(*chapter, &String::from_utf8_lossy(&old), "");
            more_words += words(&now.chapter(*chapter)?.body) - words(&old.body);
        }
        let skipped = |view: &BookView<'_>| -> Result<i64, RunError> {
            Ok(i64::from(files::delta(view, *volume, *chapter)?.is_some_and(|delta| delta.skipped.is_some())))
        };
        more_skipped += skipped(&now)? - skipped(&then)?;
    }
    Ok((more_words, more_skipped))
}

pub(super) struct SummaryJob<'a, 'r, 'b> {
    pub(super) draft: &'a PlanDraft<'r, 'b>,
    pub(super) context: &'a ChapterContext,
    pub(super) text: &'a Chapter,
    pub(super) file: &'a [u8],
    pub(super) paths: &'a ChapterPaths,
    pub(super) task: &'a Task<'a>,
    /// Whether the storyline remembers this chapter as its last.
    pub(super) is_last_on_line: bool,
    /// A summary whose operations could not be read.
    pub(super) kept: Option<Box<Summary>>,
}

impl SummaryJob<'_, '_, '_> {
    fn result(&self, summary: Summary) -> Result<PlanResult, RunError> {
        let warn = |warning| self.warn(warning);
        let by_model = self.draft.session.run.calls.responder.asks_models();
        let source = SummarySource { context: self.context, text: self.text, paths: self.paths, by_model, warn: &warn };
        let mut files = source.read(summary);
        files.delta.text = Some(store::id_of(self.file)?);
        let mut change = files.change.put(&self.paths.delta, format::delta::write(&files.delta, None));
        if self.is_last_on_line {
            let path = layout::memory(self.context.storyline());
            change = change.put(&path, format::summary::write_memory(&files.memory));
        }
        let words = StageNote::Summarised(self.context.chapter, files.delta.ops.len());
        Ok(PlanResult { covers: Some(self.context.chapter.to_string()), ..(change, words).into() })
    }
}

impl Job for SummaryJob<'_, '_, '_> {
    type Result = PlanResult;

    fn part(&self) -> Part {
        Part::Plan(PlanStage::Summary)
    }

    fn model_role(&self) -> ModelRole {
        ModelRole::Usual(self.draft.session.config.role(Agent::Summarizer))
    }

    fn task(&self) -> &Task<'_> {
        self.task
    }

    fn read(&mut self, reply: &ReplyText<'_>) -> Result<ReadOutcome<PlanResult>, RunError> {
        if let Some(kept) = &self.kept {
            return Ok(match summarizer::read_ops(reply.text) {
                Ok(ops) => ReadOutcome::Done(self.result(Summary { ops, ..(**kept).clone() })?),
                Err(fault) => ReadOutcome::Unusable(fault),
            });
        }
        let read = match summarizer::read(reply.text) {
            Ok(read) => read,
            Err(fault) => return Ok(ReadOutcome::Unusable(fault)),
        };
        if let Some(fault) = self.draft.session.run.calls.echoes(Agent::Summarizer, read.summary.texts()) {
            return Ok(ReadOutcome::Unusable(fault));
        }
        Ok(match read.ops_fault {
            None => ReadOutcome::Done(self.result(read.summary)?),
            Some(fault) => {
                self.kept = Some(Box::new(read.summary));
                ReadOutcome::Incomplete(fault.into())
            }
        })
    }

    fn record(&mut self, result: PlanResult, paid: &PaidCall) -> Result<(), RunError> {
        self.draft.record(PlanStage::Summary, result, Some(paid))?;
        Ok(())
    }

    fn warn(&self, warning: Warning) {
        self.draft.session.run.tell(Event::Warning { work: self.context.chapter.into(), warning });
    }

    fn record_fault(&mut self, why: &Why, paid: PaidCall) -> Result<(), RunError> {
        let chapter = Some(self.context.chapter);
        let note = StageNote::Fault(Part::Plan(PlanStage::Summary), chapter, Box::new(why.clone()));
        let fault = PlanResult { of: Some(PlanStage::Summary), note, ..PlanResult::default() };
        self.draft.record(PlanStage::Fault, fault, Some(&paid))?;
        Ok(())
    }

    // The summary that the book has is worth more than an excerpt, so there is no doing without: the old one stays.
    fn gives_up(&self, _: &ReplyFault, attempts: &Attempts) -> bool {
        attempts.tries > 0
    }
}

/// The change by which a delta and a summary say that they are of the present text, whose wording alone is another one.
pub(super) fn noted(
    draft: &PlanDraft<'_, '_>,
    paths: &ChapterPaths,
    text: &Chapter,
    file: &[u8],
) -> Result<Change, RunError> {
    let mut change = Change::default();
    if let Some(bytes) = draft.read(&paths.delta)? {
        let mut delta = format::delta::read(&bytes).map_err(RunError::of_file(&paths.delta))?;
        delta.text = Some(store::id_of(file)?);
        change = change.put(&paths.delta, format::delta::write(&delta, Some(&bytes)));
    }
    if let Some(bytes) = draft.read(&paths.summary)? {
        let page = format::summary::read(text.number, &bytes).map_err(RunError::of_file(&paths.summary))?;
        if page.title != text.title {
            let page = format::summary::SummaryPage { title: text.title.clone(), ..page };
            change = change.put(&paths.summary, format::summary::write(&page));
        }
    }
    Ok(change)
}
