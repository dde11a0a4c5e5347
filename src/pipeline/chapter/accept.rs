//! Making the settled chapter one commit of the book.

use super::draft::{ChapterDraft, Parts};
use super::existing::ExistingChapter;
use super::joined::{Joined, join};
use crate::agents::ChapterContext;
use crate::domain::book::checkpoint::{Checkpoint, Phase, Totals};
use crate::domain::book::log::{ChapterLog, StageLog};
use crate::domain::chapter::Chapter;
use crate::domain::chapter::evaluation::{Evaluation, Finding};
use crate::domain::chapter::gate::{Gate, Tries};
use crate::domain::chapter::stage::PipelineStage;
use crate::domain::state::history::AffectedChapter;
use crate::domain::workflow::TRIAL;
use crate::domain::world::contract::{Layer, Rule};
use crate::domain::{ChapterNo, VolumeNo};
use crate::pipeline::book::state_gaps;
use crate::pipeline::book::view::BookView;
use crate::pipeline::engine::book_commit::BookCommit;
use crate::pipeline::engine::error::RunError;
use crate::pipeline::engine::event::{Accepted, Event, Warning};
use crate::store::format::evaluation::Recorded;
use crate::store::{self, Kind, Message, format, key, layout};
use crate::text::{self, Count};

/// Accepts a chapter: its files, the merged state, the ledger, the log and the checkpoint in one commit, tagged; the
/// draft is kept under `refs/novel/kept/`.
pub(crate) fn accept(
    chapter_draft: ChapterDraft<'_, '_>,
    gate: Gate,
    verdict: Option<Evaluation>,
    tries: Tries,
) -> Result<Accepted, RunError> {
    let run = chapter_draft.run();
    let Parts { context, paths, draft, mut log, present, checkpoint } = chapter_draft.into_parts();
    let number = context.chapter;
    let missing = |path: &str| RunError::Missing { path: path.to_owned() };

    let snapshot = run.session.book().snapshot()?;
    let view = BookView::new(&snapshot);
    // The calls, and what the author has committed of other things in `staging/`, are no part of the chapter; the draft
    // keeps them.
    let mut change = draft.change()?.only(|path| {
        let place = layout::classify(path);
        place.is_some_and(|place| place.is_result_of(number) || matches!(place, layout::BookPath::Memory(_)))
    });

    // What is as it was is no change of the draft.
    let take = |path: &str| draft.read(path)?.ok_or_else(|| missing(path));
    let file = take(&paths.text)?;
    let chapter = Chapter::from_markdown(number, &String::from_utf8_lossy(&file), &context.section.title);
    let summary = format::summary::read(number, &take(&paths.summary)?).map_err(RunError::of_file(&paths.summary))?;
    let mut delta = format::delta::read(&take(&paths.delta)?).map_err(RunError::of_file(&paths.delta))?;
    delta.text = Some(store::id_of(&file)?);
    let Joined { delta, now, affected, reached, dropped } = join(&view, context.volume, delta, present.as_ref())?;
    log.warnings.extend(dropped);

    let words = Count::of_prose(&chapter.body).words as u64;
    let overall = verdict.as_ref().map_or(0.0, Evaluation::overall);
    let reading = verdict.as_ref().is_none_or(|verdict| verdict.reading);
    log.gate = Some(gate);
    log.revisions = tries.revisions;
    let mut checkpoint = Checkpoint {
        stage: Some(PipelineStage::Committed),
        inflight: None,
        revisions: 0,
        pending: Vec::new(),
        totals: checkpoint.totals.with(Some(&log), words, overall, Some(gate), delta.skipped.is_some()),
        time: run.calls.clock.rfc3339(),
        ..checkpoint
    };
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
        let path = layout::WORLD_RULES;
        let bytes = view.bytes(path)?;
        let (before, is_edited) = (view.rules()?, run.session.book().on_disk(path)? != bytes);
        let rules = verified(before.clone(), evaluation, number);
        // An edit of the author's that is in no commit yet comes first; the next chapter notes the rules again.
        if rules != before && !is_edited {
            change = change.put(path, format::rules::write(&rules, bytes.as_deref()));
        }
    }
    if let Some(evaluation) = verdict {
        let recorded = Recorded { evaluation, gate: Some(gate) };
        change = change.put(&paths.evaluation, format::evaluation::write(&recorded, None));
    }
    if present.as_ref().is_some_and(|present| !present.is_last_on(context.storyline(), number)) {
        // The line remembers a later chapter.
        change.puts.remove(&layout::memory(context.storyline()));
    }
    let ledger = format::foreshadowing::write(&now.ledger, view.bytes(layout::FORESHADOWING)?.as_deref());
    change = change
        .put(&paths.delta, format::delta::write(&delta, None))
        .put(&paths.log, format::log::write(&with_earlier(&view, context.volume, &log)?, None))
        .put(layout::STATE, format::state::write(&now.state))
        .put(layout::FORESHADOWING, ledger);
    let change = view.put_checkpoint(change, &checkpoint)?;

    let models = models(&log);
    let first_sentence = text::sentences(&summary.text).first().map(|s| s.text().trim().to_owned()).unwrap_or_default();
    let message = Message::new(Kind::Chapter, &format!("{number}: {}", chapter.title))
        .body(&body(&first_sentence, &affected))
        .trailer(key::CHAPTER, number.get())
        .trailer(key::VOLUME, context.volume.get())
        .trailer("Novel-Storyline", context.storyline())
        .trailer("Novel-State", reached)
        .trailer("Novel-Score", format!("{overall:.2}"))
        .trailer("Novel-Gate", gate)
        .trailer("Novel-Revisions", tries.revisions)
        .trailer("Novel-Words", words);
    let commit = BookCommit::new(run, number.into(), message, &snapshot).change(change).accepting(draft);
    let mut commit = commit.paid(&models, log.cost_micro_usd());
    if let Some(present) = &present {
        commit = commit.trailer(key::REPLACES, present.commit);
    }
    let committed = commit.make()?;

    // Said with each further chapter without operations, and otherwise with the brief that every fifth chapter brings.
    if state_gaps::is_thin(checkpoint.totals)
        && (delta.skipped.is_some() || number.get() % state_gaps::BRIEF_EVERY == 0)
    {
        let snapshot = run.session.book().snapshot()?;
        let warning = Warning::StateIsThin { chapters: state_gaps::without_operations(&BookView::new(&snapshot))? };
        run.tell(Event::Warning { work: number.into(), warning });
    }

    if present.is_some() && view.has(&layout::review(context.volume)) {
        let warning = Warning::ReviewIsOlder { volume: context.volume };
        run.tell(Event::Warning { work: number.into(), warning });
    }

    let sum = |of: fn(&crate::domain::book::log::StageLog) -> u64| log.stages.iter().map(of).sum();
    let accepted = Accepted {
        chapter: number,
        title: chapter.title,
        summary: first_sentence,
        commit: committed.id.short(),
        words,
        overall,
        reading,
        gate,
        revisions: tries.revisions,
        duration_ms: log.duration_ms(),
        input_tokens: sum(|stage| stage.input_tokens.unwrap_or(0)),
        output_tokens: sum(|stage| stage.output_tokens.unwrap_or(0)),
        sent_chars: sum(|stage| stage.sent_chars),
        cost_micro_usd: log.cost_micro_usd(),
        models,
        replaces: present.map(|present| present.commit.short()),
        affected,
    };
    run.tell(Event::Accepted(accepted.clone()));
    Ok(accepted)
}

/// The world rules with a note at each that the judge has found kept in the chapter.
fn verified(mut rules: Vec<Rule>, evaluation: &Evaluation, chapter: ChapterNo) -> Vec<Rule> {
    let kept = |rule: &Rule| {
        let mut checks = evaluation.checks.iter().filter(|check| check.layer == Layer::World);
        checks.any(|check| check.rule == rule.id && check.finding == Finding::Pass)
    };
    for rule in rules.iter_mut().filter(|rule| kept(rule)) {
        rule.last_verified = Some(chapter.get());
    }
    rules
}

/// So many later chapters are named in a commit's message.
const NAMED: usize = 12;

/// The first sentence of the summary, and which later chapters rest on what is different now.
fn body(first_sentence: &str, affected: &[AffectedChapter]) -> String {
    let lines = affected.iter().take(NAMED).map(|AffectedChapter { chapter, on, dropped }| {
        let refused = dropped.iter().map(|(path, reason)| format!("{path}: {reason}"));
        let what: Vec<String> = on.iter().map(|on| on.path.clone()).chain(refused).collect();
        format!("\n- {chapter} rests on what has changed: {}", what.join(", "))
    });
    let more = affected.len().saturating_sub(NAMED);
    let more = (more > 0).then(|| format!("\n- and {more} more"));
    std::iter::once(first_sentence.to_owned()).chain(lines).chain(more).collect()
}

/// The log with the calls of the text that it takes the place of: they were paid for, and none of it is in the text.
fn with_earlier(view: &BookView<'_, '_>, volume: VolumeNo, log: &ChapterLog) -> Result<ChapterLog, RunError> {
    let Some(earlier) = view.log(volume, log.chapter)? else { return Ok(log.clone()) };
    let earlier = earlier.stages.into_iter().map(|stage| StageLog { used: false, ..stage });
    Ok(ChapterLog { stages: earlier.chain(log.stages.iter().cloned()).collect(), ..log.clone() })
}

/// The book's sums without the text that was there; what it cost stays.
fn without(
    totals: Totals,
    view: &BookView<'_, '_>,
    chapter: ChapterNo,
    present: &ExistingChapter,
) -> Result<Totals, RunError> {
    let words = Count::of_prose(&view.chapter(chapter)?.body).words as u64;
    let report = present.report.as_ref();
    let score = report.map_or(0.0, |report| report.evaluation.overall());
    let forced = report.is_some_and(|report| report.gate == Some(Gate::ForcePass));
    let skipped = view.delta(view.volume_of(chapter)?, chapter)?.is_some_and(|delta| delta.skipped.is_some());
    Ok(Totals {
        chapters: totals.chapters.saturating_sub(1),
        words: totals.words.saturating_sub(words),
        score_hundredths: totals.score_hundredths.saturating_sub((score * 100.0).round() as u64),
        force_passed: totals.force_passed.saturating_sub(u32::from(forced)),
        skipped_ops: totals.skipped_ops.saturating_sub(u32::from(skipped)),
        ..totals
    })
}

/// Where in the author's loop the book is after the chapter. Trial chapters end with a question and not with a review.
fn phase_after(before: Phase, context: &ChapterContext, last: bool) -> Phase {
    let is_trial = !context.is_scheduled && context.outline.sections.len() <= TRIAL as usize;
    let on_trial = before == Phase::QuickStart && context.volume == VolumeNo::FIRST && is_trial;
    match (on_trial, last) {
        (true, _) => Phase::QuickStart,
        (false, true) => Phase::VolumeReview,
        (false, false) => Phase::Writing,
    }
}

/// Who did what: `writer=…, refiner=…, judge=…`, the last model of each.
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
