//! The changes of one chapter: which of its operations count, and the state after them.

use super::apply::{apply_op, within_range};
use super::op::{Op, RawOp};
use super::{Refusal, State};
use crate::domain::volume::foreshadowing::{Action, Ledger, Planned};
use crate::domain::{ChapterNo, ContentId, Slug};

/// The changes of one chapter.
#[derive(Debug, Clone, PartialEq)]
pub struct Delta {
    /// The chapter that made the changes.
    pub chapter: ChapterNo,
    /// The state version they were made for.
    pub base_version: u32,
    /// The storyline of the chapter.
    pub storyline: Slug,
    /// The changes, in order. Operations that were refused are not here.
    pub ops: Vec<Op>,
    /// Why the chapter changes nothing, when its operations could not be read (agent protocol §10.6, rule 1).
    pub skipped: Option<String>,
    /// The chapter's file that the changes were read from. `None` before the chapter is accepted, and in deltas of older versions.
    pub text: Option<ContentId>,
}

/// An operation that was left out, with the reason.
#[derive(Debug, Clone, PartialEq)]
pub struct Dropped {
    /// Position in the list as given, from 0.
    pub index: usize,
    /// The path as given.
    pub path: String,
    pub reason: Refusal,
}

/// The delta was made for another state.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the delta of {chapter} was made for state {base}, but the book is at state {version}")]
pub struct WrongBase {
    /// The chapter of the delta.
    pub chapter: ChapterNo,
    /// The chapter that the delta was made for.
    pub base: u32,
    /// The chapter that the book is at.
    pub version: u32,
}

impl Delta {
    /// Keeps those of `raw` that pass every rule when applied in order to `state` and `ledger`, and tells the others.
    #[must_use]
    pub fn screen(
        chapter: ChapterNo,
        storyline: &Slug,
        raw: &[RawOp],
        state: &State,
        ledger: &Ledger,
    ) -> (Self, Vec<Dropped>) {
        let mut trial = (state.clone(), ledger.clone());
        let mut delta = Self {
            chapter,
            base_version: state.version,
            storyline: storyline.clone(),
            ops: Vec::new(),
            skipped: None,
            text: None,
        };
        let mut dropped = Vec::new();
        for (index, raw_op) in raw.iter().enumerate() {
            let applied = raw_op.check().and_then(|op| within_range(op, &trial.0)).and_then(|op| {
                apply_op(&mut trial.0, &mut trial.1, &op, chapter, storyline)?;
                Ok(op)
            });
            match applied {
                Ok(op) => delta.ops.push(op),
                Err(reason) => dropped.push(Dropped { index, path: raw_op.path.clone(), reason }),
            }
        }
        (delta, dropped)
    }

    /// The delta with what it plants as the volume has planned it: how far it reaches and when it is due.
    #[must_use]
    pub fn as_planned(mut self, planned: &[Planned]) -> Self {
        for op in &mut self.ops {
            let Op::Foreshadow(op) = op else { continue };
            let plan = planned.iter().find(|planned| planned.id == op.id && op.action == Action::Planted);
            if let Some(plan) = plan {
                op.scope = Some(plan.scope);
                op.target = plan.target;
            }
        }
        self
    }

    /// A delta that changes nothing but the version, because the chapter's operations could not be read.
    #[must_use]
    pub fn skipping(chapter: ChapterNo, storyline: &Slug, state: &State, reason: &str) -> Self {
        Self {
            chapter,
            base_version: state.version,
            storyline: storyline.clone(),
            ops: Vec::new(),
            skipped: Some(reason.to_owned()),
            text: None,
        }
    }

    /// The state and the ledger after this chapter. An operation that no longer fits is dropped alone.
    /// Fails with [`WrongBase`] when the delta was made for another state version.
    pub fn merge(&self, state: &State, ledger: &Ledger) -> Result<Merged, WrongBase> {
        if self.base_version != state.version {
            return Err(WrongBase { chapter: self.chapter, base: self.base_version, version: state.version });
        }
        let (mut state, mut ledger) = (state.clone(), ledger.clone());
        let dropped = self.merge_into(&mut state, &mut ledger);
        Ok(Merged { state, ledger, dropped })
    }

    /// Carries the operations out where they are, whatever version the delta was made for, and gives back what did not fit.
    pub fn merge_into(&self, state: &mut State, ledger: &mut Ledger) -> Vec<Dropped> {
        let mut dropped = Vec::new();
        for (index, op) in self.ops.iter().enumerate() {
            if let Err(reason) = apply_op(state, ledger, op, self.chapter, &self.storyline) {
                dropped.push(Dropped { index, path: op.path_text(), reason });
            }
        }
        state.version += 1;
        state.last_updated_chapter = self.chapter.get();
        dropped
    }
}

/// The result of a merge.
#[derive(Debug, Clone, PartialEq)]
pub struct Merged {
    /// The state, one version on.
    pub state: State,
    /// The ledger after the chapter's foreshadowing.
    pub ledger: Ledger,
    /// Operations that did not fit.
    pub dropped: Vec<Dropped>,
}
