//! The deviations that the author intends: recorded, and shown as findings no longer.

use crate::agents::context::rules::objectives;
use crate::domain::chapter::{FindingId, Waiver, Waivers};
use crate::pipeline::book::chapter_context;
use crate::pipeline::book::direct_commit;
use crate::pipeline::book::files;
use crate::pipeline::book::hand_edits;
use crate::pipeline::checks::consistency;
use crate::pipeline::engine::error::WaiverError;
use crate::pipeline::prelude::*;
use crate::text::consistency::Sort;

pub fn waivers(book: &Book) -> Result<Waivers, RunError> {
    BookView::new(book.snapshot()?).waivers()
}

/// Records that the findings are meant, for one reason, in one commit; `None` when all of it is recorded already.
/// Fails with [`WaiverError`]; when the book cannot be read or the commit cannot be made.
pub fn waive(run: &Run<'_>, findings: &[FindingId], reason: &str) -> Result<Option<Done>, RunError> {
    hand_edits::commit_local_changes(run)?;
    let findings = findings.iter().map(|finding| known(run.session.book(), finding));
    let findings = findings.collect::<Result<Vec<_>, _>>()?;
    change_waivers(run, &findings, Subject::Waive(names(&findings)), reason, |waivers| {
        let waiver = |finding: FindingId| Waiver { finding, reason: reason.to_owned() };
        let added: Vec<bool> = findings.iter().cloned().map(|finding| waivers.add(waiver(finding))).collect();
        Ok(added.contains(&true))
    })
}

/// Takes waivers back in one commit.
/// Fails with [`WaiverError::NotWaived`]; when the book cannot be read or the commit cannot be made.
pub fn unwaive(run: &Run<'_>, findings: &[FindingId]) -> Result<Option<Done>, RunError> {
    hand_edits::commit_local_changes(run)?;
    change_waivers(run, findings, Subject::WaiveNoLonger(names(findings)), "", |waivers| {
        for finding in findings {
            if !waivers.remove(finding) {
                return Err(WaiverError::NotWaived(finding.clone()));
            }
        }
        Ok(true)
    })
}

fn change_waivers(
    run: &Run<'_>,
    findings: &[FindingId],
    subject: Subject,
    reason: &str,
    change: impl FnOnce(&mut Waivers) -> Result<bool, WaiverError>,
) -> Result<Option<Done>, RunError> {
    let view = BookView::new(run.session.book().snapshot()?);
    let mut waivers = view.waivers()?;
    if !change(&mut waivers)? {
        return Ok(None);
    }
    let previous = view.bytes(layout::WAIVERS)?;
    let bytes = (!waivers.list.is_empty()).then(|| format::write(&waivers, previous.as_deref()));
    let files = Change::default().put_or_remove(layout::WAIVERS, bytes);
    let message = Message::new(Kind::Config, subject).body(reason.to_owned());
    direct_commit::commit_step(run, (Step::Waive, &names(findings).join(", ")), message, files, &view).map(Some)
}

fn names(findings: &[FindingId]) -> Vec<String> {
    findings.iter().map(ToString::to_string).collect()
}

/// The finding with the spelling of the book, if it can be waived. A finding of the checks has to be there in a chapter of the
/// book; a chapter that is still to be written may have any.
fn known(book: &Book, finding: &FindingId) -> Result<FindingId, RunError> {
    let Ok(sort) = finding.check.parse::<Sort>() else { return rule(book, finding) };
    let wanted = sort.has_subject();
    if wanted == finding.subject.is_empty() {
        return Err(WaiverError::Subject { finding: finding.clone(), wanted }.into());
    }
    let Some(chapter) = finding.chapter else { return Ok(finding.clone()) };
    if BookView::new(book.snapshot()?).contents()?.volume_of(chapter).is_none() {
        return Ok(finding.clone());
    }
    let examined = consistency::examine(book, Some(chapter), Some(chapter))?;
    let found: Vec<FindingId> = examined.findings.iter().chain(&examined.waived).map(consistency::id_of).collect();
    match found.contains(finding) {
        true => Ok(finding.clone()),
        false => Err(WaiverError::NotFound { finding: finding.clone(), found }.into()),
    }
}

/// The finding as one of a rule of the book, in one chapter.
fn rule(book: &Book, finding: &FindingId) -> Result<FindingId, RunError> {
    let Some(rule) = rules(book, finding.chapter)?.into_iter().find(|id| id.eq_ignore_ascii_case(&finding.check))
    else {
        return Err(WaiverError::UnknownCheck(finding.clone()).into());
    };
    if finding.chapter.is_none() {
        return Err(WaiverError::RuleOfBook(finding.clone()).into());
    }
    if !finding.subject.is_empty() {
        return Err(WaiverError::Subject { finding: finding.clone(), wanted: false }.into());
    }
    Ok(FindingId { check: rule, ..finding.clone() })
}

/// The ids of all rules that a chapter can be held against.
fn rules(book: &Book, chapter: Option<ChapterNo>) -> Result<Vec<String>, RunError> {
    let view = BookView::new(book.snapshot()?);
    let mut ids: Vec<String> =
        files::rules(&view)?.into_iter().chain(files::storyline_rules(&view)?).map(|rule| rule.id).collect();
    let people = files::characters(&view)?.into_iter().chain(files::retired_characters(&view)?);
    ids.extend(people.flat_map(|person| person.contracts).map(|contract| contract.id));
    let context = chapter.map(|chapter| chapter_context::of_chapter(&view, chapter));
    match context {
        None | Some(Err(RunError::NotPlanned { .. })) => {}
        Some(context) => ids.extend(objectives(&context?).iter().map(|objective| objective.id.clone())),
    }
    Ok(ids)
}
