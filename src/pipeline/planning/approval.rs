//! Changes of world rules (L1) and of people's contracts (L2) that an agent proposes. They wait on the draft of their step, as a
//! plan does, until the author approves them. The first rules of a world and the contracts that come with a new person are
//! no changes.

use crate::domain::world::contract::{CharacterContract, Rule, Strength};
use crate::pipeline::book::files;
use crate::pipeline::book::hand_edits;
use crate::pipeline::engine::call_record::{DRAFT_ONLY, draft_file};
use crate::pipeline::engine::trailer::SINCE;
use crate::pipeline::planning::draft::{Closing, PlanDraft, REQUEST};
use crate::pipeline::planning::step::{StepOutcome, unchanged};
use crate::pipeline::prelude::*;
use crate::store;
use serde::{Deserialize, Serialize};

/// The message parts of the commit that will accept the step; on its draft only. A draft with this file waits for the
/// author.
const CLOSING: &str = ".draft/closing.json";
/// Folders whose files are shown to an author who wants to change a proposal.
const SHOWN: [&str; 3] = ["characters/", "volumes/", "world/"];

/// A rule or a contract as far as it binds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Terms {
    pub rule: String,
    /// Hard or soft; `None` for a person's contract.
    pub strength: Option<Strength>,
    /// When it does not hold.
    pub exceptions: Vec<String>,
    /// The event that must happen before it may change.
    pub update_requires: Option<String>,
}

/// A rule or a contract before and after.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ContractChange {
    /// `W-001`, `C-LINFENG-001`.
    pub id: String,
    /// The person's name; `None` for a rule of the world.
    pub owner: Option<String>,
    /// Before; `None` for one that is added.
    pub was: Option<Terms>,
    /// After; `None` for one that goes.
    pub is: Option<Terms>,
}

/// A step that waits for the author.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StepProposal {
    pub step: Step,
    /// The changes, rules first.
    pub changes: Vec<ContractChange>,
    /// The files that it changes, as paths in the book.
    pub files: Vec<String>,
}

#[derive(Serialize, Deserialize)]
struct ClosingDisk {
    kind: String,
    subject: String,
    body: String,
    trailers: Vec<(String, String)>,
}

impl From<&Rule> for Terms {
    fn from(rule: &Rule) -> Self {
        let Rule { rule, strength, exceptions, .. } = rule.clone();
        Self { rule, strength: Some(strength), exceptions, update_requires: None }
    }
}

impl From<&CharacterContract> for Terms {
    fn from(contract: &CharacterContract) -> Self {
        let CharacterContract { rule, exceptions, update_requires, .. } = contract.clone();
        Self { rule, strength: None, exceptions, update_requires }
    }
}

/// The differences between two sets of terms, by id.
fn compared(
    owner: Option<&str>,
    was: &BTreeMap<String, Terms>,
    is: &BTreeMap<String, Terms>,
    changes: &mut Vec<ContractChange>,
) {
    let ids: std::collections::BTreeSet<&String> = was.keys().chain(is.keys()).collect();
    for id in ids.into_iter().filter(|id| was.get(*id) != is.get(*id)) {
        let (was, is) = (was.get(id).cloned(), is.get(id).cloned());
        changes.push(ContractChange { id: id.clone(), owner: owner.map(str::to_owned), was, is });
    }
}

/// Returns the changes of rules in a world that has some, and of the contracts of people who have some.
fn changes(before: &BookView<'_>, after: &BookView<'_>) -> Result<Vec<ContractChange>, RunError> {
    let mut changes = Vec::new();
    let rules = |rules: &[Rule]| rules.iter().map(|rule| (rule.id.clone(), Terms::from(rule))).collect();
    let known = files::rules(before)?;
    if !known.is_empty() {
        compared(None, &rules(&known), &rules(&files::rules(after)?), &mut changes);
    }
    let people = files::characters(after)?;
    let terms = |person: &Character| -> BTreeMap<String, Terms> {
        person.contracts.iter().map(|contract| (contract.id.clone(), Terms::from(contract))).collect()
    };
    for person in files::characters(before)?.iter().filter(|person| !person.contracts.is_empty()) {
        let now = people.iter().find(|now| now.id == person.id).map(&terms).unwrap_or_default();
        compared(Some(&person.display_name), &terms(person), &now, &mut changes);
    }
    Ok(changes)
}

/// The book as the draft of a step found it.
fn basis<'b>(book: &'b Book, step: Step) -> Result<Option<Snapshot<'b>>, RunError> {
    let first = store::draft::draft_records(book, Work::Step(step))?.and_then(|records| records.into_iter().next());
    let Some(first) = first else { return Ok(None) };
    let base: Option<CommitId> = book.transaction(first.id)?.parent;
    Ok(base.map(|base| book.snapshot_of(base)).transpose()?)
}

/// The steps that wait for the author. Reads only.
pub fn proposals(book: &Book) -> Result<Vec<StepProposal>, RunError> {
    let mut found = Vec::new();
    for (work, tip) in store::closing::drafts(book)? {
        let Work::Step(step) = work else { continue };
        let then = BookView::new(book.snapshot_of(tip)?);
        if !then.has(CLOSING) {
            continue;
        }
        let Some(before) = basis(book, step)? else { continue };
        let changes = changes(&BookView::new(before.clone()), &then)?;
        let files = then.changed_since(&before)?.into_iter();
        let files = files.filter(|path| SHOWN.iter().any(|folder| path.starts_with(folder))).collect();
        found.push(StepProposal { step, changes, files });
    }
    Ok(found)
}

/// The first of them.
pub fn waiting(book: &Book) -> Result<Option<StepProposal>, RunError> {
    Ok(proposals(book)?.into_iter().next())
}

impl<'b> Run<'b> {
    /// Makes the step one commit of the book, or lets it wait for the author where it changes rules or contracts.
    pub(crate) fn close_or_wait(
        &self,
        plan_draft: PlanDraft<'_, '_>,
        closing: Closing,
    ) -> Result<StepOutcome, RunError> {
        let accept = |draft: PlanDraft<'_, '_>, closing| Ok(StepOutcome::Done(draft.accept(closing)?));
        let Work::Step(step) = plan_draft.session.work else { return accept(plan_draft, closing) };
        let book = self.session.book();
        let (before, after) = (basis(book, step)?, plan_draft.snapshot()?);
        let changed = match &before {
            Some(before) => !changes(&BookView::new(before.clone()), &BookView::new(after.clone()))?.is_empty(),
            None => false,
        };
        if !changed {
            return accept(plan_draft, closing);
        }
        let Closing { kind, subject, body, trailers, .. } = closing;
        let trailers = trailers.into_iter().map(|(key, value)| (key.to_owned(), value)).collect();
        let subject = book.worded(&subject, plan_draft.session.tip())?;
        let disk = ClosingDisk { kind: kind.to_string(), subject: subject.clone(), body, trailers };
        let bytes = draft_file(&disk, CLOSING)?;
        if plan_draft.read(CLOSING)?.as_ref() != Some(&bytes) {
            plan_draft.commit(
                PlanStage::Proposal,
                Change::default().put(CLOSING, bytes),
                StageNote::Proposal(subject),
            )?;
        }
        Ok(StepOutcome::Waits(step))
    }
}

/// The draft of a step that waits, opened. If `staging/` shows it, or with `show`, its files stand there.
fn reopen_proposal<'a, 'b>(run: &'a Run<'b>, step: Step, show: bool) -> Result<PlanDraft<'a, 'b>, RunError> {
    let book = run.session.book();
    let proposal = proposals(book)?.into_iter().find(|proposal| proposal.step == step);
    let proposal = proposal.ok_or(RunError::NothingToDecide)?;
    let tip = store::draft::draft_tip(book, Work::Step(step))?.ok_or(RunError::NothingToDecide)?;
    let request = book.snapshot_of(tip)?.read(REQUEST)?.ok_or(RunError::NothingToDecide)?;
    hand_edits::commit_local_changes(run)?;
    let is_shown = show || store::draft::shown(book) == Some(Work::Step(step));
    let scope = if is_shown { DraftFiles::new(proposal.files) } else { DraftFiles::default() };
    PlanDraft::open(run, Work::Step(step), &String::from_utf8_lossy(&request), scope)
}

/// Makes the proposal part of the book, with what the author has changed of it in `staging/`.
/// Fails with [`RunError::NothingToDecide`] when the step does not wait; [`RunError::BrokenEdit`] when a changed file cannot
/// be read.
pub fn approve_proposal(run: &Run<'_>, step: Step) -> Result<Done, RunError> {
    let plan_draft = reopen_proposal(run, step, false)?;
    plan_draft.take_up()?;
    let bytes = plan_draft.read(CLOSING)?.ok_or(RunError::NothingToDecide)?;
    let disk: ClosingDisk = serde_json::from_slice(&bytes).map_err(|_| RunError::NothingToDecide)?;
    let trailer = |(key, value): (String, String)| {
        let known = [STEP, SINCE].into_iter().find(|known| *known == key)?;
        Some((known, value))
    };
    let closing = Closing {
        kind: disk.kind.parse().unwrap_or(Kind::World),
        subject: Subject::Worded(disk.subject),
        body: disk.body,
        trailers: disk.trailers.into_iter().filter_map(trailer).collect(),
        checkpoint: unchanged(),
    };
    plan_draft.accept(closing)
}

/// Approves a step that waits; any other is returned as it is.
pub fn approve_taken(run: &Run<'_>, taken: StepOutcome) -> Result<StepOutcome, RunError> {
    match taken {
        StepOutcome::Waits(step) => approve_proposal(run, step).map(StepOutcome::Done),
        done @ StepOutcome::Done(_) => Ok(done),
    }
}

/// Shows the proposal's files in `staging/`, where the author may change them. Returns where they stand.
/// Fails with [`RunError::NothingToDecide`] when the step does not wait.
pub fn show_proposal(run: &Run<'_>, step: Step) -> Result<Vec<String>, RunError> {
    let plan_draft = reopen_proposal(run, step, true)?;
    plan_draft.show()?;
    let files = proposals(run.session.book())?.into_iter().find(|proposal| proposal.step == step);
    let files = files.map(|proposal| proposal.files).unwrap_or_default().into_iter();
    Ok(files.filter(|path| !path.starts_with(DRAFT_ONLY)).map(|path| format!("staging/{path}")).collect())
}

/// Puts the proposal aside. It stays reachable under the ref that comes back.
/// Fails with [`RunError::NothingToDecide`] when the step does not wait.
pub fn reject_proposal(run: &Run<'_>, step: Step) -> Result<Option<String>, RunError> {
    let plan_draft = reopen_proposal(run, step, false)?;
    plan_draft.take_up()?;
    plan_draft.session.abandon()
}
