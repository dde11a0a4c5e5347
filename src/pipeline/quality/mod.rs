//! The quality brief: after every fifth chapter the book gets a file with the figures of the last five, counted from its own
//! files, and with it what follows for the style. One commit, no call of a model.
//!
//! Whether a brief is due follows from the tree alone: the newest whole block of five chapters has one or it has not. A run
//! that died after the chapter leaves it to the next run, and a rollback takes it along with its chapters. Blocks before the newest
//! one get none later, so a book of an older program begins where it stands.
//!
//! Whether the style has moved away from the chapters before, and what becomes of `style-drift.json`.
//!
//! A check that finds nothing new is repeated against the same chapters as the one that raised the alarm: a baseline that moved
//! along would soon take the drifted chapters for the author's own. After twenty chapters it does, and the new style stands.

pub(crate) mod figures;

use crate::agents::style_analyzer::{corrections, moved_figures};
use crate::domain::quality::{
    BLOCK, ChapterFigures, DriftCheck, DriftFile, INVENTORY, LOOK_BACK, OpenThread, QualityBrief, StyleMeasure,
    last_of_block,
};
use crate::domain::volume::inventory::{Standing, Thread};
use crate::domain::world::style::StyleProfile;
use crate::pipeline::book::files;
use crate::pipeline::book::foreshadowing;
use crate::pipeline::book::hand_edits;
use crate::pipeline::planning::style::remeasured;
use crate::pipeline::prelude::*;
use crate::pipeline::quality;
use crate::pipeline::quality::figures::CountedBrief;
use crate::store::format::style::{Drift, MovedFigure};
use crate::store::{Body, CommitError, QualitySubject, Remark};
use crate::text::{LEAST_BASELINE, StyleComparison};

#[derive(Debug, Clone, PartialEq)]
pub struct RecordedBrief {
    pub brief: QualityBrief,
    /// Its chapters that have another text now.
    pub changed: Vec<ChapterNo>,
}

/// The briefs of the book, the oldest first. One whose chapters have left the book is passed over. Reads only.
pub fn briefs(book: &Book) -> Result<Vec<RecordedBrief>, RunError> {
    let view = BookView::new(book.snapshot()?);
    let mut found = Vec::new();
    let texts = view.chapter_texts()?;
    for last in texts.keys().filter(|chapter| chapter.get().is_multiple_of(BLOCK)) {
        let Some(brief) = quality::figures::quality_brief(&view, *last)? else { continue };
        let is_changed =
            |figures: &&ChapterFigures| texts.get(&figures.chapter).is_none_or(|(_, text)| *text != figures.text);
        let changed = brief.chapters.iter().filter(is_changed).map(|figures| figures.chapter).collect();
        found.push(RecordedBrief { brief, changed });
    }
    Ok(found)
}

/// The last chapter of the block whose brief is missing.
fn due(view: &BookView<'_>) -> Result<Option<ChapterNo>, RunError> {
    let contents = view.contents()?;
    let last = last_of_block(contents.last_number()).filter(|last| contents.has(*last));
    let Some(volume) = last.and_then(|last| contents.volume_of(last)) else { return Ok(None) };
    Ok(last.filter(|last| !view.has(&layout::quality_brief(volume, *last))))
}

/// Writes the brief that is due, in one commit with the corrections of style and the phrases that join the house list.
/// Does nothing where none is due.
pub fn write_quality_brief(run: &Run<'_>) -> Result<(), RunError> {
    let view = BookView::new(run.session.book().snapshot()?);
    let Some(last) = due(&view)? else { return Ok(()) };
    hand_edits::commit_local_changes_for(run, last)?;
    // The author's changes may concern the chapters, the corrections or the list.
    let view = BookView::new(run.session.book().snapshot()?);
    let Some(mut counted) = figures::count(&view, last)? else { return Ok(()) };
    if last.get().is_multiple_of(INVENTORY) {
        counted.brief.threads = open_threads(run.session.book())?;
    }
    let change = change(&view, last, &counted)?;
    let brief = counted.brief;
    let commit = BookCommit::new(run, last.into(), message(&brief), change, &view);
    match commit.make_unless_edited() {
        // Saved between the look and the lock: the next chapter finds it committed.
        Err(CommitError::AuthorEdited { .. }) => Ok(()),
        Err(error) => Err(error.into()),
        Ok(committed) => {
            tell_brief(run, brief, committed.id.to_string());
            Ok(())
        }
    }
}

fn tell_brief(run: &Run<'_>, brief: QualityBrief, commit: String) {
    if brief.drift.file == DriftFile::Written {
        let warning = Warning::StyleDrifts { moved: brief.drift.moved.clone() };
        run.tell(Event::Warning { work: brief.last.into(), warning });
    }
    run.tell(Event::Quality { brief: Box::new(brief), commit });
}

/// The open plot threads, the most urgent first.
fn open_threads(book: &Book) -> Result<Vec<OpenThread>, RunError> {
    let threads = foreshadowing::inventory(book)?.threads.into_iter();
    let open = threads.filter(|thread| !matches!(thread.standing, Standing::Planned | Standing::Resolved));
    let mut open: Vec<OpenThread> =
        open.map(|Thread { id, description, standing, .. }| OpenThread { id, description, standing }).collect();
    open.sort_by_key(|thread| thread.standing);
    Ok(open)
}

fn change(view: &BookView<'_>, last: ChapterNo, counted: &CountedBrief) -> Result<Change, RunError> {
    let path = layout::quality_brief(view.volume_of(last)?, last);
    let mut change = Change::default().put(&path, format::write(&counted.brief, None));
    if let Some(drift) = &counted.drift {
        change = view.put(change, layout::STYLE_DRIFT, |was| format::write(drift, was))?;
    }
    if counted.brief.drift.file == DriftFile::Removed {
        change = change.remove(layout::STYLE_DRIFT);
    }
    if let Some(profile) = refreshed(view, last)? {
        change = view.put(change, layout::STYLE_PROFILE, |was| format::write(&profile, was))?;
    }
    if let Some(phrases) = &counted.phrases {
        change = view.put(change, layout::AI_PHRASES, |was| format::style::write_phrases(phrases, was))?;
    }
    Ok(change)
}

/// A style that was drawn from the first chapters is measured again with these chapters …
const REFRESHED_AT: [u32; 2] = [10, 20];

/// The style profile with the figures of all chapters up to `last`, where it is time for that; its directives stay. Three
/// chapters tell little about a writer, and from twenty on the drift check has a baseline of its own.
fn refreshed(view: &BookView<'_>, last: ChapterNo) -> Result<Option<StyleProfile>, RunError> {
    if !REFRESHED_AT.contains(&last.get()) {
        return Ok(None);
    }
    let Some(profile) = files::style_profile(view)? else { return Ok(None) };
    let numbers = view.contents()?.iter().map(|(number, _)| number).filter(|number| *number <= last);
    let texts = numbers.map(|number| Ok(view.chapter(number)?.body)).collect::<Result<Vec<String>, RunError>>()?;
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    Ok(remeasured(&profile, &texts).filter(|measured| *measured != profile))
}

fn message(brief: &QualityBrief) -> Message {
    let (first, last) = (brief.first, brief.last);
    let mean = brief.mean().map(|mean| format!("{mean:.2}"));
    let helped = brief.chapters.iter().filter(|chapter| chapter.needed_help()).count();
    let told = match brief.drift.file {
        DriftFile::Written => Some(Remark::StyleMoved(brief.drift.corrections.clone())),
        DriftFile::Removed => Some(Remark::StyleBack),
        _ => None,
    };
    let listed = brief.listed.iter().map(|phrase| Remark::Listed(phrase.clone()));
    let message = Message::new(Kind::Quality, Subject::Quality(QualitySubject { first, last, mean, helped }))
        .body(Body::default().with(told).with(listed))
        .trailer(key::CHAPTERS, format!("{}..{}", first.get(), last.get()));
    match brief.drift.file {
        DriftFile::Absent => message,
        file => message.trailer(key::DRIFT, file),
    }
}

/// First and last of the chapters that a block is compared with; `None` while there are too few.
pub(super) fn baseline(first: ChapterNo, before: Option<&QualityBrief>) -> Option<(ChapterNo, ChapterNo)> {
    let drifting = before.filter(|brief| brief.drift.alarm).and_then(|brief| brief.drift.against());
    let held = drifting.filter(|(_, last)| first.get() <= last.get() + LOOK_BACK);
    held.or_else(|| {
        let last = first.previous()?;
        let from = ChapterNo::new(first.get().saturating_sub(LOOK_BACK).max(1))?;
        (last.get() + 1 - from.get() >= LEAST_BASELINE as u32).then_some((from, last))
    })
}

/// The corrections in force, and what the author may have done to them.
#[derive(Debug, Clone, Copy)]
pub(super) struct Present<'a> {
    /// The brief on the five chapters before.
    pub(super) before: Option<&'a QualityBrief>,
    /// `style-drift.json` as the book has it.
    pub(super) file: Option<&'a Drift>,
}

impl Present<'_> {
    /// True when the file is as the last brief has left it.
    fn is_ours(&self) -> bool {
        let written = self.before.filter(|brief| brief.drift.file == DriftFile::Written);
        written.zip(self.file).is_some_and(|(brief, file)| brief.drift.corrections == file.corrections)
    }

    /// True when there were corrections against the drift that goes on, and the author has taken them away.
    fn is_dismissed(&self) -> bool {
        let had_file = |file: DriftFile| matches!(file, DriftFile::Written | DriftFile::Kept | DriftFile::Dismissed);
        self.file.is_none() && self.before.is_some_and(|brief| brief.drift.alarm && had_file(brief.drift.file))
    }
}

/// The check, and the file that it writes; the file goes where the check says [`DriftFile::Removed`].
pub(super) fn check(
    last: ChapterNo,
    against: Option<(ChapterNo, ChapterNo)>,
    comparison: Option<&StyleComparison>,
    present: Present<'_>,
) -> (DriftCheck, Option<Drift>) {
    let alarm = comparison.is_some_and(StyleComparison::is_alarm);
    let file = match (present.file.is_some(), alarm) {
        (true, _) if !present.is_ours() => DriftFile::Kept,
        (true, true) => DriftFile::Written,
        (true, false) => DriftFile::Removed,
        (false, false) => DriftFile::Absent,
        (false, true) if present.is_dismissed() => DriftFile::Dismissed,
        (false, true) => DriftFile::Written,
    };
    let told = comparison.filter(|_| alarm);
    let round = |value: f64| (value * 1000.0).round() / 1000.0;
    let (against_first, against_last) = against.filter(|_| comparison.is_some()).unzip();
    let check = DriftCheck {
        against_first,
        against_last,
        delta: comparison.map_or(0.0, |comparison| round(comparison.delta)),
        level: comparison.map_or(0.0, |comparison| round(comparison.level)),
        alarm,
        moved: told.map(|told| moved_figures(told).iter().map(|figure| figure.measure).collect()).unwrap_or_default(),
        corrections: told.map(corrections).unwrap_or_default(),
        file,
    };
    let detected = present.file.map_or(last, |file| file.detected);
    let written = told.filter(|_| file == DriftFile::Written).map(|told| Drift {
        detected,
        deviations: deviations(told),
        corrections: check.corrections.clone(),
    });
    (check, written)
}

/// The figures that moved, by their names in the style profile.
fn deviations(comparison: &StyleComparison) -> Vec<MovedFigure> {
    let round = |value: f64| (value * 100.0).round() / 100.0;
    let name = |measure: StyleMeasure| match measure {
        StyleMeasure::SentenceLength => "avg_sentence_length",
        StyleMeasure::ParagraphLength => "paragraph_length_han",
        StyleMeasure::ModalParticles => "modal_particles_per_thousand",
        other => other.as_str(),
    };
    let moved = moved_figures(comparison).into_iter().map(|figure| MovedFigure {
        figure: name(figure.measure).to_owned(),
        baseline: round(figure.deviation.base),
        current: round(figure.deviation.now),
    });
    let delta = MovedFigure {
        figure: "function_characters".to_owned(),
        baseline: round(comparison.level),
        current: round(comparison.delta),
    };
    moved.chain((comparison.delta > comparison.level).then_some(delta)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::{ComparedFigure, Deviation};

    fn chapter(number: u32) -> ChapterNo {
        ChapterNo::new(number).unwrap()
    }

    fn comparison(delta: f64) -> StyleComparison {
        let deviation = Deviation { base: 20.0, now: 12.0, relative: Some(-0.4), z: Some(-4.0 * delta) };
        let figures = vec![ComparedFigure { measure: StyleMeasure::SentenceLength, deviation, own_z: 1.0 }];
        StyleComparison { delta, level: 0.5, moved: vec![('，', -2.0)], figures }
    }

    fn brief(drift: DriftCheck) -> QualityBrief {
        QualityBrief::sample([26, 30], drift)
    }

    const RANGE: (u32, u32) = (6, 25);

    fn checked(delta: f64, before: Option<&QualityBrief>, file: Option<&Drift>) -> (DriftCheck, Option<Drift>) {
        let against = Some((chapter(RANGE.0), chapter(RANGE.1)));
        check(chapter(30), against, Some(&comparison(delta)), Present { before, file })
    }

    #[test]
    fn corrections_come_with_the_alarm_and_go_with_it() {
        let (alarm, written) = checked(1.0, None, None);
        assert_eq!((alarm.file, alarm.alarm, alarm.corrections.len()), (DriftFile::Written, true, 2));
        let written = written.unwrap();
        assert_eq!((written.detected, written.deviations.len()), (chapter(30), 2));
        let before = brief(alarm);
        let (goes_on, again) = checked(1.0, Some(&before), Some(&written));
        assert_eq!((goes_on.file, again.unwrap().detected), (DriftFile::Written, chapter(30)));
        let (back, none) = checked(0.1, Some(&before), Some(&written));
        assert_eq!((back.file, none), (DriftFile::Removed, None));
        assert_eq!(checked(0.1, None, None).0.file, DriftFile::Absent);
    }

    #[test]
    fn the_authors_own_corrections_stay_and_those_taken_away_stay_away() {
        let (alarm, written) = checked(1.0, None, None);
        let before = brief(alarm);
        let edited = Drift { corrections: vec!["多写雨".into()], ..written.unwrap() };
        for delta in [1.0, 0.1] {
            let (kept, none) = checked(delta, Some(&before), Some(&edited));
            assert_eq!((kept.file, none), (DriftFile::Kept, None));
        }
        let (dismissed, none) = checked(1.0, Some(&before), None);
        assert_eq!((dismissed.file, none), (DriftFile::Dismissed, None));
        let after = brief(dismissed);
        assert_eq!(checked(1.0, Some(&after), None).0.file, DriftFile::Dismissed);
        let back = brief(checked(0.1, Some(&after), None).0);
        assert_eq!(checked(1.0, Some(&back), None).0.file, DriftFile::Written);
    }

    #[test]
    fn the_baseline_holds_while_the_style_drifts_and_moves_on_after_twenty_chapters() {
        let range = |first: u32, before: Option<&QualityBrief>| {
            baseline(chapter(first), before).map(|(from, to)| (from.get(), to.get()))
        };
        assert_eq!([range(1, None), range(6, None), range(11, None)], [None, None, Some((1, 10))]);
        assert_eq!([range(26, None), range(46, None)], [Some((6, 25)), Some((26, 45))]);
        let drifting = brief(checked(1.0, None, None).0);
        assert_eq!([range(31, Some(&drifting)), range(45, Some(&drifting))], [Some(RANGE); 2]);
        assert_eq!(range(46, Some(&drifting)), Some((26, 45)));
    }
}
