//! Making the settled chapter one commit of the book.

use crate::domain::book::checkpoint::{ChapterLog, ChapterTotals, StageLog, Totals};
use crate::domain::chapter::stage::PipelineStage;
use crate::domain::chapter::{Gate, Tries};
use crate::domain::state::history::AffectedChapter;
use crate::domain::workflow::TRIAL;
use crate::domain::world::contract::Rule;
use crate::pipeline::book::files;
use crate::pipeline::book::names;
use crate::pipeline::book::replay;
use crate::pipeline::chapter::draft::ChapterDraft;
use crate::pipeline::chapter::existing::{ExistingChapter, Joined, join};
use crate::pipeline::engine::commits::DraftSession;
use crate::pipeline::engine::event::Accepted;
use crate::pipeline::prelude::*;
use crate::store::{self, Body, Draft, Remark};
use crate::text::Count;

/// Accepts a chapter: its files, the merged state, the ledger, the log and the checkpoint in one commit, tagged; the
/// draft is kept under `refs/novel/kept/`.
pub(crate) fn accept(
    chapter_draft: ChapterDraft<'_, '_>,
    gate: Gate,
    verdict: Option<Evaluation>,
    tries: Tries,
) -> Result<Accepted, RunError> {
    let mut log = chapter_draft.log_with(&chapter_draft.log.borrow());
    let ChapterDraft { session: DraftSession { run, draft, .. }, context, paths, present, checkpoint, .. } =
        chapter_draft;
    let number = context.chapter;
    let view = BookView::new(run.session.book().snapshot()?);
    let mut change = draft.change()?.only(|path| is_part_of(number, path));
    let Results { chapter, first_sentence, delta } = Results::of(&draft, &paths, &context)?;
    let Joined { delta, now, affected, reached, dropped } = join(&view, context.volume, delta, present.as_ref())?;
    log.warnings.extend(dropped);
    log.gate = Some(gate);
    log.revisions = tries.revisions;
    let mut accepted = accepted(&chapter, first_sentence, verdict.as_ref(), gate, &log);
    let replaced = present.as_ref().and_then(|present| present.commit);
    accepted.replaces = replaced.map(|commit| commit.to_string());
    accepted.names = if affected.is_empty() { BTreeMap::new() } else { names::names_by_id(&view) };
    accepted.affected = affected;
    let skipped_ops = delta.skipped.is_some();
    let (words, overall) = (accepted.words, accepted.overall);
    let figures = ChapterTotals { log: Some(&log), words, overall, gate: Some(gate), skipped_ops };
    let totals = checkpoint.totals.with(figures);
    let mut checkpoint = with_nothing_in_flight(Checkpoint { totals, time: run.calls.clock.rfc3339(), ..checkpoint });
    match &present {
        Some(present) => checkpoint.totals = without(checkpoint.totals, &view, number, present)?,
        None => {
            let last = context.outline.range().is_some_and(|(_, last)| last == number);
            checkpoint.phase = phase_after(checkpoint.phase, &context, last);
            checkpoint.volume = context.volume;
            checkpoint.last_completed = number.get();
        }
    }

    // The offline writer's verdict is no reading, so nothing is verified by it.
    if let Some(evaluation) = verdict.as_ref().filter(|verdict| verdict.reading) {
        change = with_verified_rules(change, run, &view, evaluation, number)?;
    }
    if let Some(evaluation) = verdict {
        let recorded = RecordedEvaluation { evaluation, gate: Some(gate) };
        change = change.put(&paths.evaluation, format::evaluation::write(&recorded, None));
    }
    if present.as_ref().is_some_and(|present| !present.is_last_on(context.storyline(), number)) {
        // The line remembers a later chapter.
        change.puts.remove(&layout::memory(context.storyline()));
    }
    let ledger = format::foreshadowing::write(&now.ledger, view.bytes(layout::FORESHADOWING)?.as_deref());
    change = change
        .put(&paths.delta, format::delta::write(&delta, None))
        .put(&paths.log, format::write(&with_earlier(&view, context.volume, &log)?, None))
        .put(layout::STATE, format::state::write(&now.state))
        .put(layout::FORESHADOWING, ledger);
    let change = view.put_checkpoint(change, &checkpoint)?;

    let message = message(&accepted, &context, &reached);
    let commit = BookCommit::new(run, number.into(), message, change, &view).accepting(draft);
    let mut commit = commit.paid(&accepted.models, accepted.cost_micro_usd);
    if let Some(replaced) = replaced {
        commit = commit.trailer(key::REPLACES, replaced);
    }
    let committed = commit.make()?;

    warn_of_title(run, &chapter, context.section.title.clone(), present.is_some());
    warn_of_thin_state(run, number, checkpoint.totals, skipped_ops)?;
    if present.is_some() && view.has(&layout::review(context.volume)) {
        let warning = Warning::ReviewIsOlder { volume: context.volume };
        run.tell(Event::Warning { work: number.into(), warning });
    }
    accepted.commit = committed.id.to_string();
    run.tell(Event::Accepted(accepted.clone()));
    Ok(accepted)
}

/// Tells of a new chapter that has another title than its section, which the author may have changed since the text was written.
fn warn_of_title(run: &Run<'_>, chapter: &Chapter, section: String, again: bool) {
    if !again && chapter.title != section {
        let warning = Warning::OtherTitle { title: chapter.title.clone(), section };
        run.tell(Event::Warning { work: chapter.number.into(), warning });
    }
}

/// True for the draft's files that join the book with the chapter. The calls, and the author's commits of other things in
/// `staging/`, are no part of it; the draft keeps them.
fn is_part_of(chapter: ChapterNo, path: &str) -> bool {
    let place = layout::classify(path);
    place.is_some_and(|place| place.is_result_of(chapter) || matches!(place, layout::BookPath::Memory(_)))
}

/// The checkpoint after the commit that ends what was in flight.
fn with_nothing_in_flight(checkpoint: Checkpoint) -> Checkpoint {
    let stage = Some(PipelineStage::Committed);
    Checkpoint { stage, inflight: None, revisions: 0, pending: Vec::new(), ..checkpoint }
}

/// The results of the draft that the chapter is made of.
struct Results {
    chapter: Chapter,
    first_sentence: String,
    /// Its delta, which names the text.
    delta: Delta,
}

impl Results {
    fn of(draft: &Draft<'_>, paths: &ChapterPaths, context: &ChapterContext) -> Result<Self, RunError> {
        let number = context.chapter;
        // Unchanged files are left out of the draft's change, so they are read from its tree.
        let take = |path: &str| draft.read(path)?.ok_or_else(|| RunError::Missing { path: path.to_owned() });
        let file = take(&paths.text)?;
        let chapter = Chapter::from_markdown(number, &String::from_utf8_lossy(&file), &context.section.title);
        let summary =
            format::summary::read(number, &take(&paths.summary)?).map_err(RunError::of_file(&paths.summary))?;
        let mut delta = format::delta::read(&take(&paths.delta)?).map_err(RunError::of_file(&paths.delta))?;
        delta.text = Some(store::id_of(&file)?);
        let first = text::sentences(&summary.text).first().map(|sentence| sentence.text().trim().to_owned());
        Ok(Self { chapter, first_sentence: first.unwrap_or_default(), delta })
    }
}

/// The event of an accepted chapter, before its commit.
fn accepted(
    chapter: &Chapter,
    summary: String,
    verdict: Option<&Evaluation>,
    gate: Gate,
    log: &ChapterLog,
) -> Accepted {
    let sum = |of: fn(&StageLog) -> u64| log.stages.iter().map(of).sum();
    Accepted {
        chapter: chapter.number,
        title: chapter.title.clone(),
        summary,
        commit: String::new(),
        words: Count::of_prose(&chapter.body).words as u64,
        overall: verdict.map(Evaluation::overall),
        reading: verdict.is_none_or(|verdict| verdict.reading),
        gate,
        revisions: log.revisions,
        duration_ms: log.duration_ms(),
        input_tokens: sum(|stage| stage.input_tokens.unwrap_or(0)),
        output_tokens: sum(|stage| stage.output_tokens.unwrap_or(0)),
        sent_chars: sum(|stage| stage.sent_chars),
        cost_micro_usd: log.cost_micro_usd(),
        models: models(log),
        replaces: None,
        affected: Vec::new(),
        names: BTreeMap::new(),
    }
}

/// The message of the commit. `reached` names the versions of the state before and after.
fn message(accepted: &Accepted, context: &ChapterContext, reached: &str) -> Message {
    let number = accepted.chapter;
    let message = Message::new(Kind::Chapter, Subject::Chapter(number, accepted.title.clone()))
        .body(body(&accepted.summary, &accepted.affected))
        .trailer(key::CHAPTER, number.get())
        .trailer(key::VOLUME, context.volume.get())
        .trailer("Novel-Storyline", context.storyline())
        .trailer("Novel-State", reached);
    let message = match accepted.overall {
        Some(overall) => message.trailer("Novel-Score", format!("{overall:.2}")),
        None => message,
    };
    message
        .trailer("Novel-Gate", accepted.gate)
        .trailer("Novel-Revisions", accepted.revisions)
        .trailer("Novel-Words", accepted.words)
}

/// The change with a note at the world rules that the judge has found kept in the chapter.
fn with_verified_rules(
    change: Change,
    run: &Run<'_>,
    view: &BookView<'_>,
    evaluation: &Evaluation,
    chapter: ChapterNo,
) -> Result<Change, RunError> {
    let path = layout::WORLD_RULES;
    let bytes = view.bytes(path)?;
    let (before, is_edited) = (files::rules(view)?, run.session.book().on_disk(path)? != bytes);
    let rules = verified(before.clone(), evaluation, chapter);
    // An edit of the author's that is in no commit yet comes first; the next chapter notes the rules again.
    if rules == before || is_edited {
        return Ok(change);
    }
    Ok(change.put(path, format::rules::write(&rules, bytes.as_deref())))
}

/// Warns when the operations of many chapters could not be read: with each further such chapter, and otherwise with the
/// brief that every fifth chapter brings.
fn warn_of_thin_state(run: &Run<'_>, chapter: ChapterNo, totals: Totals, skipped: bool) -> Result<(), RunError> {
    if replay::is_thin(totals) && (skipped || chapter.get().is_multiple_of(replay::BRIEF_EVERY)) {
        let warning = Warning::StateIsThin {
            chapters: replay::without_operations(&BookView::new(run.session.book().snapshot()?))?,
        };
        run.tell(Event::Warning { work: chapter.into(), warning });
    }
    Ok(())
}

/// The world rules with a note at each that the judge has found kept in the chapter.
fn verified(mut rules: Vec<Rule>, evaluation: &Evaluation, chapter: ChapterNo) -> Vec<Rule> {
    for rule in rules.iter_mut().filter(|rule| evaluation.verifies(&rule.id)) {
        rule.last_verified = Some(chapter.get());
    }
    rules
}

/// So many later chapters are named in a commit's message.
const NAMED: usize = 12;

/// The first sentence of the summary, and which later chapters rest on what is different now.
fn body(first_sentence: &str, affected: &[AffectedChapter]) -> Body {
    let lines = affected.iter().take(NAMED).map(|AffectedChapter { chapter, on, dropped }| {
        let refused = dropped.iter().map(|(path, reason)| format!("{path}: {reason}"));
        Remark::RestsOn(*chapter, on.iter().map(|on| on.path.clone()).chain(refused).collect())
    });
    let more = affected.len().saturating_sub(NAMED);
    Body::from(first_sentence).with(lines).with((more > 0).then_some(Remark::More(more)))
}

/// The log with the calls of the text that it takes the place of: they were paid for, and none of it is in the text.
fn with_earlier(view: &BookView<'_>, volume: VolumeNo, log: &ChapterLog) -> Result<ChapterLog, RunError> {
    let Some(earlier) = files::chapter_log(view, volume, log.chapter)? else { return Ok(log.clone()) };
    let earlier = earlier.stages.into_iter().map(|stage| StageLog { used: false, ..stage });
    Ok(ChapterLog { stages: earlier.chain(log.stages.iter().cloned()).collect(), ..log.clone() })
}

/// The book's sums without the text that was there; what it cost stays.
fn without(
    totals: Totals,
    view: &BookView<'_>,
    chapter: ChapterNo,
    present: &ExistingChapter,
) -> Result<Totals, RunError> {
    let words = Count::of_prose(&view.chapter(chapter)?.body).words as u64;
    let report = present.report.as_ref();
    let score = report.map_or(0.0, |report| report.evaluation.overall());
    let forced = report.is_some_and(|report| report.gate == Some(Gate::ForcePass));
    let skipped = files::delta(view, view.volume_of(chapter)?, chapter)?.is_some_and(|delta| delta.skipped.is_some());
    Ok(Totals {
        chapters: totals.chapters.saturating_sub(1),
        words: totals.words.saturating_sub(words),
        score_hundredths: totals.score_hundredths.saturating_sub((score * 100.0).round() as u64),
        scored: totals.scored.saturating_sub(u32::from(report.is_some())),
        force_passed: totals.force_passed.saturating_sub(u32::from(forced)),
        skipped_ops: totals.skipped_ops.saturating_sub(u32::from(skipped)),
        ..totals
    })
}

/// The phase of the book after the chapter. Trial chapters end with a question and not with a review.
fn phase_after(before: Phase, context: &ChapterContext, last: bool) -> Phase {
    let is_trial = !context.is_scheduled && context.outline.sections.len() <= TRIAL as usize;
    let on_trial = before == Phase::QuickStart && context.volume == VolumeNo::FIRST && is_trial;
    match (on_trial, last) {
        (true, _) => Phase::QuickStart,
        (false, true) => Phase::VolumeReview,
        (false, false) => Phase::Writing,
    }
}

/// The models of each role: `writer=…, refiner=…, judge=…`, the last model of each.
fn models(log: &ChapterLog) -> String {
    let last = |names: &[&str]| {
        let stage = log.stages.iter().rev().find(|stage| stage.used && names.contains(&stage.name.as_str()));
        stage.map(|stage| stage.model.clone())
    };
    let roles: [(&str, &[&str]); 5] = [
        ("plot-architect", &["scene-plan"]),
        ("writer", &["draft", "scene", "revise", "rewrite"]),
        ("summarizer", &["summarize"]),
        ("refiner", &["refine", "polish"]),
        ("judge", &["judge", "judge-2"]),
    ];
    let named = roles.iter().filter_map(|(role, names)| Some(format!("{role}={}", last(names)?)));
    named.collect::<Vec<_>>().join(", ")
}
