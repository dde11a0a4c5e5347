//! Writing one ref as git does: its new content goes into its lock, and the lock takes its place.
//! libgit2 can do the same, and syncs nothing, or the logs and every folder on the way as well: eight calls for a branch. A move needs
//! two: the file before it has its name, and the folder of that name. Logs are for people; a power cut may take their last line.

use super::{DRAFTS, Moves, Naming, Swap, Unmoved, lock_path, target};
use crate::git::disk::{read_if_there, sync_dir, system};
use crate::git::error::{IoContext, StoreError};
use git2::{Oid, Repository, Signature};
use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::Write as _;
use std::path::Path;

/// Makes the move with the lock of the ref, which is `file`.
pub(super) fn swap_under_lock(repo: &Repository, swap: Swap<'_>, file: File, naming: Naming) -> Result<(), Unmoved> {
    let lock = lock_path(repo, swap.name);
    let moved = under_lock(repo, swap, file, &lock);
    if moved.is_err() {
        let _ = system::remove_file(&lock);
    }
    let folder = lock.parent().filter(|_| naming == Naming::AtOnce);
    moved.and_then(|()| folder.map_or(Ok(()), sync_dir).map_err(Unmoved::Unsynced))
}

fn under_lock(repo: &Repository, swap: Swap<'_>, mut file: File, lock: &Path) -> Result<(), Unmoved> {
    let at = target(repo, swap.name)?;
    if at != swap.old {
        return Err(Unmoved::Moved(at));
    }
    if at.is_none() {
        refuse_overlap(repo, swap.name)?;
    }
    let written = file.write_all(format!("{}\n", swap.new).as_bytes()).and_then(|()| file.sync_all());
    drop(file);
    written.at("writing", lock)?;
    let place = repo.commondir().join(swap.name);
    if place.is_dir() {
        // An empty folder of refs that were there once makes way, as for git.
        let _ = fs::remove_dir(&place);
    }
    system::rename(lock, &place).at("writing", &place)?;
    log(repo, swap);
    Ok(())
}

/// A name is a ref's or a folder's of refs, and packed ones have no folder that would be in the way.
fn refuse_overlap(repo: &Repository, name: &str) -> Result<(), StoreError> {
    let packed = PackedRefs::open(repo)?;
    let mut other = packed.any_below(&format!("{name}/"));
    for (at, _) in name.rmatch_indices('/') {
        if other.is_none() && packed.has(&name[..at]) {
            other = Some(name[..at].to_owned());
        }
    }
    match other {
        Some(other) => Err(StoreError::Damaged { what: format!("`{other}` is in the way of `{name}`") }),
        None => Ok(()),
    }
}

/// Writes the name of a branch into the lock of `HEAD`, and gives the lock its place.
pub(super) fn point_head(repo: &Repository, mut file: File, branch: &str, why: &str) -> Result<(), StoreError> {
    let (head, lock) = (repo.path().join("HEAD"), repo.path().join("HEAD.lock"));
    let old = repo.head().ok().and_then(|at| at.target()).unwrap_or(Oid::ZERO_SHA1);
    let written = file.write_all(format!("ref: {branch}\n").as_bytes()).and_then(|()| file.sync_all());
    drop(file);
    written.at("writing", &lock)?;
    system::rename(&lock, &head).at("writing", &head)?;
    if let Some(new) = target(repo, branch)?
        && let Some(line) = line(repo, (old, new), why)
    {
        append(&repo.path().join("logs/HEAD"), &line, logs_moves(repo));
    }
    Ok(())
}

/// Removes the log of a ref that is gone.
pub(super) fn forget(repo: &Repository, name: &str) {
    let log = repo.commondir().join("logs").join(name);
    if system::remove_file(&log).is_ok() {
        remove_empty_folders(&repo.commondir().join("logs"), name);
    }
}

/// Removes the folders of a ref that is gone which hold nothing more, as git does: down to `refs/heads` and its like, which stay.
pub(super) fn prune_folders(repo: &Repository, name: &str) {
    remove_empty_folders(repo.commondir(), name);
}

fn remove_empty_folders(root: &Path, name: &str) {
    let depth = |folder: &Path| folder.components().count();
    let folders = Path::new(name).ancestors().skip(1).take_while(|folder| depth(folder) > 2);
    // The first that is not empty ends it.
    let _ = folders.map(|folder| fs::remove_dir(root.join(folder))).find(Result::is_err);
}

/// Notes the move where git would: in the log of a branch, and in that of `HEAD` when it is the branch. Drafts have none,
/// unless the author's git has begun one.
fn log(repo: &Repository, swap: Swap<'_>) {
    let Some(line) = line(repo, (swap.old.unwrap_or(Oid::ZERO_SHA1), swap.new), swap.why) else { return };
    let begins = logs_moves(repo) && swap.name.starts_with("refs/heads/") && !swap.name.starts_with(DRAFTS);
    append(&repo.commondir().join("logs").join(swap.name), &line, begins);
    let head = fs::read_to_string(repo.path().join("HEAD")).unwrap_or_default();
    if head.strip_prefix("ref:").is_some_and(|branch| branch.trim() == swap.name) {
        append(&repo.path().join("logs/HEAD"), &line, logs_moves(repo));
    }
}

/// Whether the author's git begins logs, as it does unless told otherwise.
fn logs_moves(repo: &Repository) -> bool {
    repo.config().is_ok_and(|config| config.get_bool("core.logAllRefUpdates").unwrap_or(true))
}

fn line(repo: &Repository, (old, new): (Oid, Oid), why: &str) -> Option<String> {
    let who = repo.signature().or_else(|_| Signature::now("novel", "novel@localhost")).ok()?;
    let when = who.when();
    let (hours, minutes) = (when.offset_minutes().abs() / 60, when.offset_minutes().abs() % 60);
    Some(format!("{old} {new} {who} {} {}{hours:02}{minutes:02}\t{why}\n", when.seconds(), when.sign()))
}

/// Adds a line to a log. The ref has moved already, so a log that cannot be written stops nothing.
fn append(log: &Path, line: &str, begins: bool) {
    if begins && let Some(folder) = log.parent() {
        let _ = fs::create_dir_all(folder);
    }
    if let Ok(mut file) = OpenOptions::new().append(true).create(begins).open(log) {
        let _ = file.write_all(line.as_bytes());
    }
}

/// The first line of a file that is sorted and in which every tag is followed by what it names.
const HEADER: &[u8] = b"# pack-refs with: peeled fully-peeled sorted \n";

/// The refs that git has packed. Lines that make no sense are passed over.
pub(super) struct PackedRefs(Vec<u8>);

impl PackedRefs {
    pub(super) fn open(repo: &Repository) -> Result<Self, StoreError> {
        Ok(Self(read_if_there(&repo.commondir().join("packed-refs"))?.unwrap_or_default()))
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.names_below(name).any(|found| found.len() == name.len())
    }

    /// The name of a ref whose name begins with `prefix`, if there is one.
    pub(super) fn any_below(&self, prefix: &str) -> Option<String> {
        self.names_below(prefix).next().map(|name| String::from_utf8_lossy(name).into_owned())
    }

    fn names_below(&self, prefix: &str) -> impl Iterator<Item = &[u8]> {
        self.lines().filter_map(name_in).filter(move |name| name.starts_with(prefix.as_bytes()))
    }

    /// Name and id of every ref whose name begins with `prefix`, in the order of the file.
    pub(super) fn below(&self, prefix: &str) -> Vec<(String, Oid)> {
        let wanted = self.lines().filter(|line| name_in(line).is_some_and(|name| name.starts_with(prefix.as_bytes())));
        let texts = wanted.filter_map(|line| std::str::from_utf8(line).ok());
        texts.filter_map(|line| Some((line[41..].trim_end().to_owned(), line[..40].parse().ok()?))).collect()
    }

    /// The file after the moves, in order of name.
    pub(super) fn with(&self, moves: &Moves<'_>) -> Vec<u8> {
        let mut out = Vec::with_capacity(self.0.len() + moves.len() * 64);
        let mut entries: BTreeMap<&[u8], Vec<u8>> = BTreeMap::new();
        let mut last: Option<&[u8]> = None;
        for line in self.lines() {
            if line.first() == Some(&b'#') {
                out.extend_from_slice(line);
            } else if line.first() == Some(&b'^') {
                last.and_then(|name| entries.get_mut(name)).into_iter().for_each(|entry| entry.extend_from_slice(line));
            } else if let Some(name) = name_in(line) {
                entries.insert(name, line.to_vec());
                last = Some(name);
            }
        }
        if self.0.is_empty() {
            out.extend_from_slice(HEADER);
        }
        for (name, new) in moves {
            match new {
                Some(id) => _ = entries.insert(name.as_bytes(), format!("{id} {name}\n").into_bytes()),
                None => _ = entries.remove(name.as_bytes()),
            }
        }
        entries.into_values().for_each(|entry| out.extend(entry));
        out
    }

    /// Whether the moves change anything here.
    pub(super) fn differs_with(&self, moves: &Moves<'_>) -> bool {
        self.with(moves) != self.0
    }

    fn lines(&self) -> impl Iterator<Item = &[u8]> {
        self.0.split_inclusive(|byte| *byte == b'\n')
    }
}

/// The name of a ref; `None` for a line of another kind, as the one with the object that a tag names.
fn name_in(line: &[u8]) -> Option<&[u8]> {
    line.get(..40).filter(|id| id.iter().all(u8::is_ascii_hexdigit))?;
    line.get(41..).map(<[u8]>::trim_ascii_end).filter(|name| !name.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn every_ref_of_a_prefix_is_found(
            refs in prop::collection::btree_map("refs/[ab]{1,3}(/[ab]{1,5})?", any::<bool>(), 0..60),
            prefix in "(refs/)?[ab]{0,3}/?",
            name in "refs/[ab]{1,3}",
        ) {
            let id = "0123456789abcdef0123456789abcdef01234567";
            let line = |(name, is_tag): (&String, &bool)| {
                format!("{id} {name}\n{}", if *is_tag { format!("^{id}\n") } else { String::new() })
            };
            let file = format!("# pack-refs with: peeled \n\nno ref\n{}", refs.iter().map(line).collect::<String>());
            let packed = PackedRefs(file.into_bytes());
            let found: Vec<String> = packed.below(&prefix).into_iter().map(|(name, _)| name).collect();
            let wanted: Vec<String> = refs.keys().filter(|name| name.starts_with(&prefix)).cloned().collect();
            prop_assert_eq!(packed.any_below(&prefix), wanted.first().cloned());
            prop_assert_eq!(found, wanted);
            prop_assert_eq!(packed.has(&name), refs.contains_key(&name));
        }
    }

    #[test]
    fn a_file_stays_sorted_and_keeps_what_other_tags_name() {
        let id = |digit: char| digit.to_string().repeat(40);
        let [a, b, c] = ['a', 'b', 'c'].map(id);
        let header = "# pack-refs with: peeled fully-peeled sorted \n";
        let packed = format!(
            "{header}{a} refs/heads/main\n{a} refs/tags/ch-002\n^{b}\n{a} refs/tags/ch-004\n{b} refs/tags/v1\n^{c}\n"
        );
        let new: Oid = c.parse().unwrap();
        let moves = Moves::from([
            ("refs/tags/ch-002", Some(new)),
            ("refs/tags/ch-003", Some(new)),
            ("refs/tags/ch-004", None),
            ("refs/tags/ch-005", None),
        ]);
        let after = String::from_utf8(PackedRefs(packed.into_bytes()).with(&moves)).unwrap();
        let tags = format!("{c} refs/tags/ch-002\n{c} refs/tags/ch-003\n{b} refs/tags/v1\n^{c}\n");
        assert_eq!(after, format!("{header}{a} refs/heads/main\n{tags}"));
        let first = PackedRefs(Vec::new()).with(&Moves::from([("refs/tags/ch-001", Some(new))]));
        assert_eq!(String::from_utf8(first).unwrap(), format!("{header}{c} refs/tags/ch-001\n"));
    }
}
