//! The next chapter's draft, asked for while a chapter is refined and judged.
//! Summary and delta of a chapter are made from its draft, and the next chapter is told of nothing else but the last lines of the text.
//! So the next draft may begin as soon as the summary is there. It is an ordinary draft on its own branch, whose commits name the commit of
//! the chapter's draft that it was told of ([`key::AHEAD`]); chapters enter the book one after the other, as without it. When its turn
//! comes, the draft goes on if the chapter has become what it was told, or differs in wording only, and is put aside otherwise. A death
//! leaves both drafts as they are, and the next run takes both up.

use crate::domain::book::checkpoint::ChapterLog;
use crate::domain::chapter::stage::Progress;
use crate::domain::chapter::{Gate, Tries};
use crate::pipeline::book::chapter_context;
use crate::pipeline::book::files;
use crate::pipeline::book::hand_edits;
use crate::pipeline::chapter::attempt;
use crate::pipeline::chapter::draft::{ChapterDraft, ContextBasis};
use crate::pipeline::chapter::existing::join;
use crate::pipeline::chapter::inputs;
use crate::pipeline::chapter::records::{read, records};
use crate::pipeline::chapter::run::Outcome;
use crate::pipeline::engine::run::AheadMode;
use crate::pipeline::planning::settled::PLANS;
use crate::pipeline::prelude::*;
use crate::pipeline::recall;
use crate::store::remote;
use crate::store::{self, EntryFilter};
use futures_util::future;

/// Of so many chapters before, at most [`REVISED`] were revised where work ahead is safe. One lost draft in five chapters of four calls
/// is one call more in twenty.
const LOOK_BACK: u32 = 5;
const REVISED: usize = 1;

/// A summary or an ending differs in wording only where so much of its characters is the same.
const SAME_WORDS: f64 = 0.7;

impl<'b> Run<'b> {
    /// Writes a chapter, and beside it the draft of the one after it where that is wanted. Ends when both have: a draft that is under way is
    /// paid for, whatever becomes of the chapter.
    pub(super) async fn chapter_with_next(
        &self,
        chapter: ChapterNo,
        write: impl Future<Output = Result<Outcome, RunError>>,
    ) -> Result<Outcome, RunError> {
        // The offline writer answers at once.
        if self.ahead.mode.get() == AheadMode::Off || !self.calls.responder.asks_models() {
            return write.await;
        }
        self.ahead.begin();
        let written = async {
            let outcome = write.await;
            self.ahead.over();
            outcome
        };
        let ahead = async {
            if self.ahead.wait().await {
                // A failure is told when the chapter's turn comes and its draft is asked for again.
                let _ = draft_after(self, chapter).await;
            }
        };
        future::join(written, ahead).await.0
    }

    /// Looks at a draft that was begun before the chapter before was accepted, and puts it aside where that has become another than the
    /// draft was told.
    pub(super) fn settle_ahead(&self, view: &BookView<'_>, chapter: ChapterNo) -> Result<(), RunError> {
        let book = self.session.book();
        let records = store::draft::draft_records(book, chapter)?.unwrap_or_default();
        let Some(last) = records.last() else { return Ok(()) };
        let Some(told) = last.trailers.read(key::AHEAD) else { return Ok(()) };
        let has_text = last.trailers.read(trailer::STAGE) != Some(Stage::Fault);
        let Some(before) = chapter.previous() else { return Ok(()) };
        let is_same = remote::history::has_commit(book, told)?
            && is_as_told(&BookView::new(book.snapshot_of(told)?), view, before)?;
        let count = if is_same { &self.ahead.kept } else { &self.ahead.lost };
        count.set(count.get() + u32::from(has_text));
        if !is_same && let Some(closed) = self.session.close_draft(chapter.into())? {
            let kept = store::kept_name(&closed.kept).unwrap_or(&closed.kept).to_owned();
            self.tell(Event::Warning { work: chapter.into(), warning: Warning::AheadLost { before, kept } });
        }
        Ok(())
    }
}

/// Drafts the chapter after this one, where work ahead is wanted now.
async fn draft_after(run: &Run<'_>, chapter: ChapterNo) -> Result<(), RunError> {
    let Some(mut draft) = open_after(run, chapter)? else { return Ok(()) };
    recall::recall(run, &mut draft.context).await?;
    // The chapter before still needs its calls.
    if run.calls.stop.asked() || !inputs::affords_twice(&draft, Stage::Draft)? {
        return Ok(());
    }
    attempt::perform(&draft, Stage::Draft).await
}

/// Opens the draft of the chapter after this one, on the book as this one will leave it. `None` where it is not to be written ahead.
fn open_after<'a, 'b>(run: &'a Run<'b>, chapter: ChapterNo) -> Result<Option<ChapterDraft<'a, 'b>>, RunError> {
    let (book, next) = (run.session.book(), chapter.next());
    let now = BookView::new(book.snapshot()?);
    let context = chapter_context::of_chapter(&now, chapter)?;
    let is_planned = context.outline.section(next).is_some();
    let by_scenes = run.by_scenes.unwrap_or(context.config.scene_mode);
    let has_draft = store::draft::draft_records(book, next)?.is_some_and(|records| !records.is_empty());
    if !is_planned
        || by_scenes
        || has_draft
        || now.contents()?.has(chapter)
        || !store::closing::candidates_of(book, next)?.is_empty()
    {
        return Ok(None);
    }
    // Changes of plans that are in no commit yet are settled when the next chapter begins.
    if !hand_edits::uncommitted(book, EntryFilter::of(&|path| PLANS.iter().any(|folder| path.starts_with(folder))))?
        .is_empty()
    {
        return Ok(None);
    }
    let Some(tip) = store::draft::draft_tip(book, chapter)? else { return Ok(None) };
    let (draft, paths) = (book.snapshot_of(tip)?, ChapterPaths::of(context.volume, chapter));
    let Some(delta) = read(&draft, &paths.delta, format::delta::read)? else { return Ok(None) };
    if run.ahead.mode.get() == AheadMode::Safe {
        let commits = store::draft::draft_records(book, chapter)?.unwrap_or_default();
        let progress = Progress::of(&records(book, &commits, &paths)?);
        let is_first = progress.tries == Tries::default() && progress.hand.is_none();
        if context.is_key() || delta.skipped.is_some() || !is_first || !have_passed(&now, chapter)? {
            return Ok(None);
        }
    }
    let files = [&paths.text, &paths.summary, &paths.memory, &paths.delta].map(String::clone);
    let mut change = Change::default();
    for path in files.into_iter().chain([layout::memory(context.storyline())]) {
        change = draft.read(&path)?.into_iter().fold(change, |change, bytes| change.put(&path, bytes));
    }
    let facts = join(&now, context.volume, delta, None)?.now;
    let change = change
        .put(layout::STATE, format::state::write(&facts.state))
        .put(layout::FORESHADOWING, format::foreshadowing::write(&facts.ledger, None));
    let view = BookView::new(store::change::snapshot_with(book, &change)?);
    Ok(Some(ChapterDraft::open_on(run, next, &view, &ContextBasis::Ahead { of: tip, now: &now })?))
}

/// True where the chapters before have mostly passed without a revision. Chapters without a log were written by the author.
fn have_passed(view: &BookView<'_>, chapter: ChapterNo) -> Result<bool, RunError> {
    let mut revised = 0;
    for (before, volume) in chapter_context::before(view, chapter, LOOK_BACK)? {
        revised += usize::from(files::chapter_log(view, volume, before)?.is_some_and(|log| was_revised(&log)));
    }
    Ok(revised <= REVISED)
}

fn was_revised(log: &ChapterLog) -> bool {
    let is_revision = |name: &str| [Stage::Revise, Stage::Rewrite].iter().any(|stage| stage.as_str() == name);
    log.gate == Some(Gate::AuthorPass) || log.stages.iter().any(|call| is_revision(&call.name))
}

/// True where a chapter is as the draft after it was told, or differs in wording only: the same operations, and nearly the same summary and
/// ending.
fn is_as_told(told: &BookView<'_>, now: &BookView<'_>, chapter: ChapterNo) -> Result<bool, RunError> {
    let Some(volume) = now.contents()?.volume_of(chapter) else { return Ok(false) };
    let ops =
        |view: &BookView<'_>| Ok::<_, RunError>(files::delta(view, volume, chapter)?.map(|it| (it.ops, it.skipped)));
    let is_close = |texts: [String; 2]| text::likeness(&texts[0], &texts[1]) >= SAME_WORDS;
    let summary = |view: &BookView<'_>| {
        Ok::<_, RunError>(files::summary(view, volume, chapter)?.map(|page| page.text).unwrap_or_default())
    };
    Ok(ops(told)? == ops(now)?
        && is_close([summary(told)?, summary(now)?])
        && is_close([chapter_context::ending_of(told, chapter)?, chapter_context::ending_of(now, chapter)?]))
}
