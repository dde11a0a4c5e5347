//! The commits in effect with what questions about a whole line ask of them, kept from one command to the next.

use super::commit_walk::{Transaction, Walk};
use super::repository::Book;
use crate::store::error::StoreError;
use crate::store::git::commit_id::CommitId;
use crate::store::git::message::{Kind, key};

/// The name of the kept line, …
const KEPT: &str = "in-effect";
/// … and the version of the rules by which it is made. Raise it whenever the same commits give something else.
const RULES: u32 = 1;

/// A commit in effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InEffect {
    pub id: CommitId,
    /// The kind of change.
    pub kind: Kind,
    /// The last commit of the draft that it was made of.
    pub draft: Option<CommitId>,
}

impl InEffect {
    fn of(transaction: &Transaction) -> Self {
        Self { id: transaction.id, kind: transaction.kind, draft: transaction.trailers.read(key::DRAFT) }
    }

    fn read(line: &str) -> Option<Self> {
        let mut words = line.split(' ');
        let (id, kind) = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
        let draft = words.next().map(str::parse).transpose().ok()?;
        Some(Self { id, kind, draft })
    }

    fn write(&self, out: &mut String) {
        let Self { id, kind, draft } = self;
        let draft = draft.map_or_else(String::new, |draft| format!(" {draft}"));
        *out += &format!("{id} {kind}{draft}\n");
    }
}

impl Book {
    /// The commits that are in effect, newest first, as [`Self::in_effect`] finds them: with those of the last look, so that a
    /// long line is walked once. Commands that write do without it.
    pub fn line_in_effect(&self) -> Result<Vec<InEffect>, StoreError> {
        let tip = self.tip()?;
        let key = self.history_key(RULES)?;
        let kept = self.cached(KEPT, &key).ok().flatten().and_then(|bytes| read(&bytes)).unwrap_or_default();
        if kept.first().is_some_and(|first| first.id == tip) {
            return Ok(kept);
        }
        let mut line = Vec::new();
        for transaction in Walk::in_effect(&self.repo, tip.oid()) {
            let transaction = transaction?;
            // The line before a commit depends on that commit alone.
            if kept.first().is_some_and(|first| first.id == transaction.id) {
                line.extend(kept);
                break;
            }
            line.push(InEffect::of(&transaction));
        }
        let mut out = String::new();
        line.iter().for_each(|commit| commit.write(&mut out));
        self.keep_cached(KEPT, &key, out.as_bytes());
        Ok(line)
    }
}

/// A line of text for each commit.
fn read(bytes: &[u8]) -> Option<Vec<InEffect>> {
    std::str::from_utf8(bytes).ok()?.lines().map(InEffect::read).collect()
}
