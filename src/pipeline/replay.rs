//! The state as a function of history: folding the deltas of the chapters gives what is committed, byte for byte.

use super::halt::Halt;
use super::shelf::{Shelf, opens_volume};
use crate::domain::ChapterNo;
use crate::domain::chronicle::{Chronicle, Facts};
use crate::store::{Book, CommitId, Kind, Transaction, format, layout};

/// A chapter whose committed state is not what its delta makes of the state before it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mismatch {
    /// The chapter.
    pub chapter: ChapterNo,
    /// Its commit.
    pub commit: CommitId,
    /// The file that differs, or that is missing.
    pub path: String,
}

/// What a replay gives.
#[derive(Debug, Clone, PartialEq)]
pub struct Replayed {
    /// What has shaped the state, and the state and the ledger after it.
    pub chronicle: Chronicle,
    /// Chapters replayed.
    pub chapters: u32,
    /// Where the committed state differs from the replayed one. After a mismatch the replay goes on with its own state.
    pub mismatches: Vec<Mismatch>,
}

/// Replays the chapters that are in effect, oldest first. What somebody wrote into the state by hand or by planning is
/// the basis for the chapters after it. A chapter that was written again has its new delta where it had the old one.
///
/// # Errors
/// When the repository or a delta cannot be read.
pub fn replay(book: &Book) -> Result<Replayed, Halt> {
    replay_of(book, &book.in_effect(|_| false)?)
}

/// The same, of transactions that are known already, newest first.
pub(crate) fn replay_of(book: &Book, line: &[Transaction]) -> Result<Replayed, Halt> {
    let mut replayed = Replayed { chronicle: Chronicle::default(), chapters: 0, mismatches: Vec::new() };
    let mut written: Option<(Vec<u8>, Vec<u8>)> = None;
    for transaction in line.iter().rev() {
        let snapshot = book.snapshot_of(transaction.id)?;
        let read = |path: &str| snapshot.read(path).map(Option::unwrap_or_default);
        let now = (read(layout::STATE)?, read(layout::FORESHADOWING)?);
        if transaction.kind == Kind::Chapter {
            chapter(book, transaction, &now, &mut replayed)?;
        } else if written.as_ref() != Some(&now) {
            // A version that was broken by hand and has been put right since is nobody's basis.
            let shelf = Shelf::new(&snapshot);
            let (state, ledger) = (shelf.state(), shelf.ledger());
            if matches!(state, Err(Halt::Format { .. })) || matches!(ledger, Err(Halt::Format { .. })) {
                continue;
            }
            replayed.chronicle.set(Facts { state: state?, ledger: ledger? });
        }
        written = Some(now);
    }
    Ok(replayed)
}

fn chapter(
    book: &Book,
    transaction: &Transaction,
    committed: &(Vec<u8>, Vec<u8>),
    replayed: &mut Replayed,
) -> Result<(), Halt> {
    let (Some(chapter), Some(volume)) = (transaction.accepts(), transaction.volume) else { return Ok(()) };
    let snapshot = book.snapshot_of(transaction.id)?;
    let differs = |path: String| Mismatch { chapter, commit: transaction.id, path };
    let path = layout::delta(volume, chapter);
    let Some(bytes) = snapshot.read(&path)? else {
        replayed.mismatches.push(differs(path));
        return Ok(());
    };
    let delta = format::delta::read(&bytes).map_err(Halt::of_file(&path))?;
    let chronicle = &replayed.chronicle;
    let again = transaction.replaces().and_then(|_| chronicle.before(chapter));
    if delta.base_version != again.as_ref().unwrap_or(chronicle.now()).state.version {
        replayed.mismatches.push(differs(path.clone()));
    }
    if again.is_some() {
        replayed.chronicle = chronicle.with(&delta);
    } else {
        replayed.chronicle.accept(delta, opens_volume(&snapshot, volume, chapter));
        replayed.chapters += 1;
    }
    let now = replayed.chronicle.now();
    if format::state::write(&now.state) != committed.0 {
        replayed.mismatches.push(differs(layout::STATE.to_owned()));
    }
    if format::foreshadowing::read(&committed.1).ok().as_ref() != Some(&now.ledger) {
        replayed.mismatches.push(differs(layout::FORESHADOWING.to_owned()));
    }
    Ok(())
}
