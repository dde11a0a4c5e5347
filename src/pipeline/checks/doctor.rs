//! The examination and the repair of a book, from its repository to its content. The repository is examined until a repair
//! changes nothing any more, because one repair lets the next finding appear.

use crate::pipeline::book::replay;
use crate::pipeline::checks::diagnose::{self, Consent};
use crate::pipeline::checks::story::BookProblem;
use crate::pipeline::prelude::*;
use crate::store::{self, Holder, Moment, NeededFor, OpenError, RepairError, RepoFinding, Wait, Wording};
use std::path::{Path, PathBuf};

/// A repair is followed by another examination at most so many times.
const ROUNDS: usize = 6;

#[derive(Debug)]
pub struct RepositoryReport {
    /// The findings, in the order of examination, each with whether it has been repaired.
    pub findings: Vec<(RepoFinding, bool)>,
    /// The author's own git command that is not finished. Nothing is repaired until it is.
    pub in_progress: Option<&'static str>,
    /// Objects that are nowhere to be had, after a repair.
    pub lost: Option<Lost>,
    pub failures: Vec<RepairError>,
}

/// Content that only a backup has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lost {
    pub needed_for: Vec<NeededFor>,
    /// The newest whole commit, with its first line.
    pub whole: Option<(CommitId, String)>,
}

impl RepositoryReport {
    /// True when the content can be read.
    pub fn is_readable(&self) -> bool {
        let left = self.findings.iter().filter(|(_, repaired)| !repaired);
        left.map(|(finding, _)| finding).all(|finding| !is_unreadable(finding))
    }

    /// True when a repair moves files that another program might be using, or a branch.
    pub fn needs_consent(&self) -> bool {
        let touches = |finding: &RepoFinding| {
            matches!(
                finding,
                RepoFinding::StrayLock { .. }
                    | RepoFinding::LostBranch { .. }
                    | RepoFinding::BrokenObject { .. }
                    | RepoFinding::BrokenPack { .. }
            )
        };
        self.findings.iter().any(|(finding, _)| touches(finding))
    }
}

/// True for a finding that keeps the content from being read. Drafts that are kept are no part of it.
fn is_unreadable(finding: &RepoFinding) -> bool {
    match finding {
        RepoFinding::MissingObject { needed_for, .. } => !matches!(needed_for, NeededFor::Ref(_)),
        RepoFinding::LostBranch { .. }
        | RepoFinding::BrokenObject { .. }
        | RepoFinding::BrokenPack { .. }
        | RepoFinding::BadIndex => true,
        _ => false,
    }
}

fn is_missing(finding: &RepoFinding) -> bool {
    matches!(finding, RepoFinding::MissingObject { .. }) || is_lost_branch(finding)
}

fn is_lost_branch(finding: &RepoFinding) -> bool {
    matches!(finding, RepoFinding::LostBranch { .. })
}

/// The folder of the repository that `start` is in, also when the book in it cannot be opened.
pub fn root(start: &Path) -> PathBuf {
    let here = start
        .ancestors()
        .find(|folder| folder.join(".git").exists() && folder.file_name().is_none_or(|name| name != layout::STAGING));
    here.unwrap_or(start).to_owned()
}

/// Examines the repository at `root`. Changes nothing.
/// Fails when it is no repository that can be read here.
pub fn examine_repository(root: &Path, now: Moment) -> Result<RepositoryReport, OpenError> {
    let in_progress = store::in_progress(root)?;
    let findings = store::examine(root, now)?.into_iter().map(|finding| (finding, false)).collect();
    Ok(RepositoryReport { findings, in_progress, lost: None, failures: Vec::new() })
}

/// Repairs what the report has found. Missing objects are taken from the folder of the book, then from its remotes; only what
/// no remote has lets a branch go back to an earlier commit.
/// Fails when the repository cannot be examined any more; a single repair that fails is part of the report.
pub fn repair_repository(
    root: &Path,
    mut report: RepositoryReport,
    holder: &Holder,
    wait: impl Fn() -> Wait,
    wording: Wording,
) -> Result<RepositoryReport, OpenError> {
    if report.in_progress.is_some() {
        return Ok(report);
    }
    let mut left: Vec<RepoFinding> = report.findings.iter().map(|(finding, _)| finding.clone()).collect();
    let mut sought: Vec<RepoFinding> = Vec::new();
    for _ in 0..ROUNDS {
        if left.is_empty() {
            break;
        }
        let (missing, others): (Vec<RepoFinding>, Vec<RepoFinding>) = left.iter().cloned().partition(is_missing);
        let one = |finding: &RepoFinding| store::repair(root, finding, holder, wait(), wording).err();
        report.failures = others.iter().filter_map(one).collect();
        let is_new = missing.iter().any(|finding| !sought.contains(finding));
        if is_new {
            let derived = derived(root, &missing, wording);
            report.failures.extend(store::restore_missing(root, &missing, derived, holder, &wait()).err());
            sought.extend(missing);
        } else {
            // A branch goes back, and any other ref is put aside, only after what they name was sought in vain.
            report.failures.extend(missing.iter().filter(|finding| is_lost_branch(finding)).filter_map(one));
            let refs = missing.iter().filter_map(lost_ref);
            report.failures.extend(refs.filter_map(|name| store::put_ref_aside(root, name, holder, &wait()).err()));
        }
        let now = store::examine(root, holder.since)?;
        let new = now.iter().filter(|finding| report.findings.iter().all(|(known, _)| known != *finding));
        let new: Vec<(RepoFinding, bool)> = new.map(|finding| (finding.clone(), false)).collect();
        // The same branch, with what is known of it by now.
        report.findings.retain(|(known, _)| !new.iter().any(|(new, _)| is_same_branch(known, new)));
        report.findings.extend(new);
        let is_last_resort = |finding: &RepoFinding| is_lost_branch(finding) || lost_ref(finding).is_some();
        let is_stuck = now == left && !(is_new && now.iter().any(is_last_resort));
        left = now;
        if is_stuck {
            break;
        }
    }
    for (finding, repaired) in &mut report.findings {
        *repaired = !left.contains(finding);
    }
    let needed_for: Vec<NeededFor> = left.iter().filter_map(needed_for).collect();
    if !needed_for.is_empty() {
        report.lost = Some(Lost { needed_for, whole: store::newest_whole(root)? });
    }
    Ok(report)
}

/// The recorded states and ledgers that are missing, by replay.
fn derived(root: &Path, missing: &[RepoFinding], wording: Wording) -> Vec<Vec<u8>> {
    let is_recorded = |path: &str| [layout::STATE, layout::FORESHADOWING].contains(&path);
    let commits = missing.iter().filter_map(|finding| match finding {
        RepoFinding::MissingObject { needed_for: NeededFor::File(path, commit), .. } if is_recorded(path) => {
            Some(*commit)
        }
        _ => None,
    });
    // A book that lacks more than that has nothing to replay.
    let Ok(book) = Book::open(root, wording) else { return Vec::new() };
    commits.filter_map(|commit| replay::files_at(&book, commit).ok()).flatten().collect()
}

fn is_same_branch(one: &RepoFinding, other: &RepoFinding) -> bool {
    match (one, other) {
        (RepoFinding::LostBranch { name, .. }, RepoFinding::LostBranch { name: other, .. }) => name == other,
        _ => false,
    }
}

/// A ref beside the book's branch that names something that is missing.
fn lost_ref(finding: &RepoFinding) -> Option<&str> {
    match finding {
        RepoFinding::MissingObject { needed_for: NeededFor::Ref(name), .. } => Some(name),
        _ => None,
    }
}

fn needed_for(finding: &RepoFinding) -> Option<NeededFor> {
    match finding {
        RepoFinding::MissingObject { needed_for, .. } => Some(needed_for.clone()),
        RepoFinding::LostBranch { name, .. } => Some(NeededFor::Ref(name.clone())),
        _ => None,
    }
}

/// Examines the content of a book whose repository has been examined, and repairs it with `repair` as long as that
/// helps. Returns the problems, each with whether it has been repaired.
/// Fails when the repository cannot be read, or a repair fails.
pub fn examine_content<E: From<RunError>>(
    book: &Book,
    consent: Consent,
    mut repair: Option<&mut dyn FnMut() -> Result<(), E>>,
) -> Result<Vec<(BookProblem, bool)>, E> {
    let mut found = diagnose::examine(book)?;
    let mut left = found.clone();
    for _ in 0..ROUNDS {
        let may = |problem: &BookProblem| problem.is_curable() && consent.covers(problem);
        let Some(repair) = repair.as_mut().filter(|_| left.iter().any(may)) else { break };
        repair()?;
        let now = diagnose::examine(book)?;
        found.extend(now.iter().filter(|problem| !found.contains(problem)).cloned().collect::<Vec<_>>());
        if std::mem::replace(&mut left, now) == left {
            break;
        }
    }
    Ok(found.into_iter().map(|problem| (problem.clone(), !left.contains(&problem))).collect())
}
