//! Commits as git stores them. libgit2 looks for the tree of each commit that it writes, and for the commit itself, in every
//! pack twice.

use git2::{Oid, Signature};

/// A commit to be written.
pub(crate) struct RawCommit<'a> {
    pub(crate) tree: Oid,
    pub(crate) parents: &'a [Oid],
    pub(crate) author: &'a Signature<'a>,
    pub(crate) committer: &'a Signature<'a>,
    pub(crate) message: &'a str,
}

impl RawCommit<'_> {
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = format!("tree {}\n", self.tree).into_bytes();
        for parent in self.parents {
            bytes.extend_from_slice(format!("parent {parent}\n").as_bytes());
        }
        for (role, person) in [("author ", self.author), ("committer ", self.committer)] {
            bytes.extend_from_slice(role.as_bytes());
            bytes.extend_from_slice(person.name_bytes());
            bytes.extend_from_slice(b" <");
            bytes.extend_from_slice(person.email_bytes());
            let (when, minutes) = (person.when(), person.when().offset_minutes().abs());
            let (seconds, sign) = (when.seconds(), when.sign());
            bytes.extend_from_slice(format!("> {seconds} {sign}{:02}{:02}\n", minutes / 60, minutes % 60).as_bytes());
        }
        bytes.push(b'\n');
        bytes.extend_from_slice(self.message.as_bytes());
        bytes
    }
}

/// The tree and the first parent of a commit; `None` for bytes that are no commit.
pub(crate) fn ground(bytes: &[u8]) -> Option<(Oid, Option<Oid>)> {
    let mut lines = bytes.split(|byte| *byte == b'\n');
    let mut id = |name: &str| {
        let digits = lines.next()?.strip_prefix(name.as_bytes())?;
        Oid::from_str(std::str::from_utf8(digits).ok()?).ok()
    };
    Some((id("tree ")?, id("parent ")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::git::object_store::ObjectStore;
    use git2::{Repository, Time};
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]
        #[test]
        fn bytes_are_those_that_libgit2_writes(
            names in prop::array::uniform2("[a-c密]{1,4}( [a-c.]{1,3})?"),
            (seconds, offset) in (0i64..4_000_000_000, -900i32..900),
            message in "([a-c冬 \n]{0,30}\n)?",
            parents in 0usize..3,
        ) {
            let home = tempfile::tempdir().unwrap();
            let repo = Repository::init_bare(home.path()).unwrap();
            let person = |name: &str| Signature::new(name, "a@b", &Time::new(seconds, offset)).unwrap();
            let (author, committer) = (person(&names[0]), person(&names[1]));
            let tree = repo.find_tree(repo.treebuilder(None).unwrap().write().unwrap()).unwrap();
            let commit = |message: &str, parents: &[Oid]| {
                let parents: Vec<git2::Commit<'_>> = parents.iter().map(|id| repo.find_commit(*id).unwrap()).collect();
                repo.commit(None, &author, &committer, message, &tree, &parents.iter().collect::<Vec<_>>()).unwrap()
            };
            let parents: Vec<Oid> = (0..parents).map(|n| commit(&n.to_string(), &[])).collect();
            let id = commit(&message, &parents);
            let raw = RawCommit {
                tree: tree.id(), parents: &parents, author: &author, committer: &committer, message: &message,
            };
            let bytes = raw.to_bytes();
            prop_assert_eq!(&repo.read(id).unwrap()[..], &bytes[..]);
            prop_assert_eq!(ground(&bytes), Some((tree.id(), parents.first().copied())));
        }

        #[test]
        fn never_panics(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            ground(&bytes);
            ground(&[b"tree ", &bytes[..]].concat());
        }
    }
}
