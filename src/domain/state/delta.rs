//! The changes of one chapter.

use crate::domain::state::apply::{Op, RawOp, apply_op, within_range};
use crate::domain::state::{OpRefusal, State};
use crate::domain::volume::foreshadowing::{Action, Ledger, ThreadPlan};
use crate::domain::{ChapterNo, ContentId, Slug};
use serde::{Deserialize, Serialize};

/// In a file, the operations are raw.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Delta<O = Op> {
    pub chapter: ChapterNo,
    /// The state version that the changes are based on.
    #[serde(rename = "base_state_version")]
    pub base_version: u32,
    #[serde(rename = "storyline_id")]
    pub storyline: Slug,
    /// The accepted operations, in order.
    pub ops: Vec<O>,
    /// Why the chapter changes nothing, when its operations were unreadable (agent protocol §10.6, rule 1).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub skipped: Option<String>,
    /// Git's id of the chapter's file that the changes were read from; `None` before acceptance and in deltas of older
    /// versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<ContentId>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct DroppedOp {
    /// Index in the list as given.
    pub index: usize,
    pub path: String,
    pub reason: OpRefusal,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the delta of {chapter} was made for state {base}, but the book is at state {version}")]
pub struct WrongBase {
    pub chapter: ChapterNo,
    /// The state version that the delta is based on.
    pub base: u32,
    pub version: u32,
}

impl Delta {
    /// Applies `raw` in order to `state` and `ledger`, and splits it into valid and dropped operations.
    pub fn screen(
        chapter: ChapterNo,
        storyline: &Slug,
        raw: &[RawOp],
        state: &State,
        ledger: &Ledger,
    ) -> (Self, Vec<DroppedOp>) {
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
                Err(reason) => dropped.push(DroppedOp { index, path: raw_op.path.clone(), reason }),
            }
        }
        (delta, dropped)
    }

    /// Adds the planned scope and due range to the foreshadowings that the delta plants.
    #[must_use]
    pub fn as_planned(mut self, planned: &[ThreadPlan]) -> Self {
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

    /// A delta for unreadable operations, which changes only the version.
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
    pub fn merge(&self, state: &State, ledger: &Ledger) -> Result<Merged, WrongBase> {
        if self.base_version != state.version {
            return Err(WrongBase { chapter: self.chapter, base: self.base_version, version: state.version });
        }
        let (mut state, mut ledger) = (state.clone(), ledger.clone());
        let dropped = self.merge_into(&mut state, &mut ledger);
        Ok(Merged { state, ledger, dropped })
    }

    /// Applies the operations in place, whatever version the delta was made for, and returns those that did not fit.
    pub fn merge_into(&self, state: &mut State, ledger: &mut Ledger) -> Vec<DroppedOp> {
        let mut dropped = Vec::new();
        for (index, op) in self.ops.iter().enumerate() {
            if let Err(reason) = apply_op(state, ledger, op, self.chapter, &self.storyline) {
                dropped.push(DroppedOp { index, path: op.path_text(), reason });
            }
        }
        state.version += 1;
        state.last_updated_chapter = self.chapter.get();
        dropped
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct Merged {
    pub state: State,
    pub ledger: Ledger,
    pub dropped: Vec<DroppedOp>,
}
