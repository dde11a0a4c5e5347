//! Revisions of chapters that contradict the records (row R29): made at the author's word, or by the book's policy after the
//! check of every tenth chapter. The strong model changes what a wish names, and the rest of the text stays. A revision that waits is the
//! chapter's draft, on a branch of its own, until the author takes it or puts it aside; no later chapter is written before.

use crate::agents::revision_wish::revision_wish;
use crate::domain::book::config::RevisionPolicy;
use crate::domain::chapter::stage::{Decision, Record};
use crate::pipeline::chapter;
use crate::pipeline::chapter::decide::{self, InFlight, WaitReason, pending, waiting_after};
use crate::pipeline::chapter::draft::{self, ChapterDraft, with_wish};
use crate::pipeline::chapter::records::StageMessage;
use crate::pipeline::chapter::run::AfterCheck;
use crate::pipeline::chapter::write::{self, ChapterOutcome};
use crate::pipeline::checks::consistency::{self, Examination, is_conflict};
use crate::pipeline::prelude::*;
use crate::store;
use crate::store::format::lossy_text;
use crate::text::consistency::Inconsistency;

/// Which chapters are revised, and who takes the revisions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RevisionOrder {
    /// The first chapter to be examined; `None` for the book's first.
    pub from: Option<ChapterNo>,
    /// The last one; `None` for the book's last.
    pub to: Option<ChapterNo>,
    /// Whether what is only doubtful is revised as well.
    pub doubts: bool,
    /// The judge of a revision, whose word lets it into the book.
    pub approval: Approval,
}

#[derive(Debug, Clone, PartialEq)]
pub struct WaitingRevision {
    pub chapter: ChapterNo,
    pub title: String,
    pub wish: String,
    pub lines: Vec<WishLine>,
    pub score: f64,
    /// The chapter as the book has it.
    pub before: String,
    pub after: String,
    /// The chapters that wait as well, and are asked about after this one.
    pub later: Vec<InFlight>,
}

/// A line of the wish that a reviser is told.
#[derive(Debug, Clone, PartialEq)]
pub enum WishLine {
    Finding(Inconsistency),
    /// The rest of the chapter is to stay.
    NothingElse,
    /// In the words of the author or of a model.
    Words(String),
}

/// The first revision that waits for the author; `None` where none does. Reads only.
pub fn waiting(book: &Book) -> Result<Option<WaitingRevision>, RunError> {
    let Some(pending) = pending(book)? else { return Ok(None) };
    let WaitReason::Judged { pause, .. } = &pending.why else { return Ok(None) };
    let Some(tip) = store::draft::draft_tip(book, pending.chapter)?.filter(|_| pause.held) else { return Ok(None) };
    let (now, draft) = (book.snapshot()?, book.snapshot_of(tip)?);
    let path = ChapterPaths::of(BookView::new(now.clone()).volume_of(pending.chapter)?, pending.chapter).text;
    let text = |bytes: Option<Vec<u8>>| lossy_text(bytes.unwrap_or_default());
    let wish = super::draft::wish_of(&draft)?;
    Ok(Some(WaitingRevision {
        chapter: pending.chapter,
        title: pending.title,
        lines: wish_lines(book, pending.chapter, &wish),
        wish,
        score: pause.overall.unwrap_or_default(),
        before: text(now.read(&path)?),
        after: text(draft.read(&path)?),
        later: waiting_after(book, pending.chapter)?,
    }))
}

/// The lines of a chapter's wish. One that the program composed is told by composing it again of what contradicts the records
/// in the chapter; a book that cannot be examined leaves each line as it is.
fn wish_lines(book: &Book, chapter: ChapterNo, wish: &str) -> Vec<WishLine> {
    let findings = consistency::examine(book, Some(chapter), Some(chapter));
    let findings = findings.map(|examination| examination.findings).unwrap_or_default();
    let line = |line: &str| match findings
        .iter()
        .find(|found| crate::agents::revision_wish::line(found).as_deref() == Some(line))
    {
        Some(found) => WishLine::Finding(found.clone()),
        None if line == crate::agents::revision_wish::NOTHING_ELSE => WishLine::NothingElse,
        None => WishLine::Words(line.to_owned()),
    };
    wish.lines().map(str::trim).filter(|line| !line.is_empty()).map(line).collect()
}

/// The wishes that the revisers of these chapters are told, by chapter. Chapters whose findings no revision mends are left out.
fn wishes<'f>(findings: impl Iterator<Item = &'f Inconsistency>) -> BTreeMap<ChapterNo, String> {
    let mut found: BTreeMap<ChapterNo, Vec<&Inconsistency>> = BTreeMap::new();
    for finding in findings {
        found.entry(finding.chapter).or_default().push(finding);
    }
    let wishes = found.into_iter().filter_map(|(chapter, findings)| Some((chapter, revision_wish(findings)?)));
    wishes.collect()
}

impl Run<'_> {
    /// Does about the conflicts of a routine check what the book's policy says.
    pub(super) async fn revise_by_policy(
        &self,
        (first, last): (Option<ChapterNo>, ChapterNo),
        conflicts: &[Inconsistency],
    ) -> Result<AfterCheck, RunError> {
        let approval = match config_now(self.session.book())?.revision_policy {
            RevisionPolicy::AutoApply => Approval::Gate,
            RevisionPolicy::ManualConfirm => Approval::Author,
            RevisionPolicy::None => return Ok(AfterCheck::Left(conflicts.len())),
        };
        let fates = mend(self, &wishes(conflicts.iter()), approval).await?;
        let waits = fates.into_iter().find_map(|(chapter, fate)| match fate {
            ChapterOutcome::Paused(pause) => Some((chapter, pause)),
            _ => None,
        });
        match waits {
            Some((chapter, pause)) => Ok(AfterCheck::Waits(chapter, pause)),
            None => {
                let left = consistency::examine(self.session.book(), first, Some(last))?.findings;
                Ok(AfterCheck::Left(left.iter().filter(|finding| is_conflict(finding)).count()))
            }
        }
    }
}

/// Has the chapters of the order revised that contradict the records. Also returns what was found.
pub async fn revise_chapters(
    run: &Run<'_>,
    order: &RevisionOrder,
) -> Result<(Examination, Vec<(ChapterNo, ChapterOutcome)>), RunError> {
    run.settled_next()?;
    let examination = consistency::examine(run.session.book(), order.from, order.to)?;
    let wishes = wishes(examination.findings.iter().filter(|finding| order.doubts || is_conflict(finding)));
    let fates = mend(run, &wishes, order.approval).await?;
    Ok((examination, fates))
}

/// Accepts the revision that waits. It is in the book after the next `continue`.
/// Fails with [`RunError::NothingToDecide`] when no revision waits.
pub fn accept_revision(run: &Run<'_>) -> Result<ChapterNo, RunError> {
    waiting(run.session.book())?.ok_or(RunError::NothingToDecide)?;
    decide::record_decision(run, Decision::Accept)
}

/// Puts the revision that waits aside.
pub fn reject_revision(run: &Run<'_>) -> Result<ChapterNo, RunError> {
    let chapter = waiting(run.session.book())?.ok_or(RunError::NothingToDecide)?.chapter;
    decide::put_aside(run, chapter.into())?;
    Ok(chapter)
}

/// The judge of a mended chapter, whose word lets it into the book.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Approval {
    Gate,
    /// The author, once it has passed the gate.
    Author,
}

/// Mends chapters of the book, the earliest first: the strong model changes what the wish names and leaves the rest of
/// the text as it is. Each becomes one commit, and the first that waits for the author ends the work; or each waits for
/// the author, where `approval` says so.
pub async fn mend(
    run: &Run<'_>,
    wishes: &BTreeMap<ChapterNo, String>,
    approval: Approval,
) -> Result<Vec<(ChapterNo, ChapterOutcome)>, RunError> {
    let mut fates = Vec::new();
    for (&chapter, wish) in wishes {
        let chapter_draft = write::draft_for(run, chapter, wish)?;
        begin_mending(&chapter_draft, wish, approval)?;
        let fate = ChapterOutcome::from(chapter::run::carry_through(run, chapter_draft).await?);
        let paused = matches!(fate, ChapterOutcome::Paused(_));
        fates.push((chapter, fate));
        // A chapter that only waits to be looked at keeps no other from being mended.
        if paused && approval == Approval::Gate {
            break;
        }
    }
    Ok(fates)
}

/// Makes the text that the book has the draft's, to be revised before anything is said of it. A draft that has a text
/// goes on as it is. A death in between leaves the rest to this function's next call.
fn begin_mending(chapter_draft: &ChapterDraft<'_, '_>, wish: &str, approval: Approval) -> Result<(), RunError> {
    let mut records = chapter_draft.records()?;
    if records.is_empty() {
        let text = chapter_draft.text()?;
        let note = StageMessage { result: StageNote::Name(text.title.clone()), ..StageMessage::default() };
        // In one commit: a draft with the wish alone would be written from the outline.
        chapter_draft.commit(Stage::Edit, with_wish(draft::new_text(chapter_draft, &text, ""), wish), note, None)?;
        records = chapter_draft.records()?;
    }
    if records[..] == [Record::Text(Stage::Edit)] && approval == Approval::Author {
        // Said before the revision is asked for, so that none gets into the book unseen.
        say(chapter_draft, Decision::Hold, StageNote::WaitForAuthor)?;
        records = chapter_draft.records()?;
    }
    let is_begun = !matches!(
        records[..],
        [Record::Text(Stage::Edit)] | [Record::Text(Stage::Edit), Record::Decided(Decision::Hold)]
    );
    if is_begun { Ok(()) } else { say(chapter_draft, Decision::Revise, StageNote::Mend) }
}

fn say(chapter_draft: &ChapterDraft<'_, '_>, decision: Decision, result: StageNote) -> Result<(), RunError> {
    let note = StageMessage { result, decision: Some(decision), ..StageMessage::default() };
    chapter_draft.commit(Stage::Decision, Change::default(), note, None)?;
    Ok(())
}
