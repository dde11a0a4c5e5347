//! Choosing the remote. A book's files may name one of the user's own remotes; an address comes only from the user, so
//! that a cloned book cannot send anything elsewhere.

use crate::git::filtered::{remove_settings, write_settings};
use crate::git::refs::{DRAFTS, KEPT};
use crate::store::book::line_names::{BRANCHES, is_line_name};
use crate::store::drafts::kept::{self, TAGS, is_chapter_tag};
use crate::store::prelude::*;
use crate::store::remote::process::RemoteError;

/// The setting with the remote of the last sync.
const KEY: &str = "novel.remote";
/// The remote name of a first address.
const FIRST: &str = "origin";

/// A remote that git knows by name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RemoteName(String);

impl RemoteName {
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Display for RemoteName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

/// The local ref of a remote's branch.
pub(crate) fn tracking(remote: &RemoteName, branch: &str) -> String {
    format!("refs/remotes/{remote}/{branch}")
}

/// True for an address or a path, false for a name.
pub fn is_address(text: &str) -> bool {
    text.contains(['/', ':', '\\'])
}

/// Checks that an address can be given to git: it is no option, runs no program, and has one line.
pub(super) fn check_address(address: &str) -> Result<(), RemoteError> {
    let runs_program =
        address.split_once("::").is_some_and(|(scheme, _)| scheme.chars().all(|c| c.is_ascii_alphanumeric()));
    let is_sound = !address.is_empty() && !address.starts_with('-') && !address.chars().any(char::is_control);
    if is_sound && !runs_program { Ok(()) } else { Err(RemoteError::BadAddress) }
}

/// The default remote: the one in the book's settings, the one of the last sync, the one of the branch, or the only
/// one.
pub fn default_remote(book: &Book, named: Option<&str>) -> Result<RemoteName, RemoteError> {
    let all = remotes(book)?;
    let known = |name: &str| all.iter().any(|known| known == name);
    if let Some(named) = named.filter(|named| !named.is_empty()) {
        let is_known = known(named);
        return is_known.then(|| RemoteName(named.to_owned())).ok_or_else(|| RemoteError::Unknown(named.to_owned()));
    }
    let of_branch = format!("branch.{}.remote", book.branch());
    let noted = [KEY, of_branch.as_str()].into_iter().filter_map(|key| setting(book, key).transpose());
    for name in noted {
        let name = name?;
        if known(&name) {
            return Ok(RemoteName(name));
        }
    }
    match all.as_slice() {
        [] => Err(RemoteError::NoRemote),
        [only] => Ok(RemoteName(only.clone())),
        _ if known(FIRST) => Ok(RemoteName(FIRST.to_owned())),
        _ => Err(RemoteError::Several(all)),
    }
}

/// An address by which git is asked whether there is a repository, before it becomes a remote. Fails with
/// [`RemoteError::BadAddress`].
pub fn remote_at(address: &str) -> Result<RemoteName, RemoteError> {
    check_address(address)?;
    Ok(RemoteName(address.to_owned()))
}

/// The remote of earlier syncs or of the settings; `None` for a book that is not synced. Fails with
/// [`RemoteError::Unknown`] when git does not know the remote in the settings.
pub fn synced_remote(book: &Book, named: &str) -> Result<Option<RemoteName>, RemoteError> {
    match (named, setting(book, KEY)?) {
        ("", None) => Ok(None),
        ("", Some(noted)) => Ok(remotes(book)?.contains(&noted).then_some(RemoteName(noted))),
        _ => default_remote(book, Some(named)).map(Some),
    }
}

/// The last known commit of the book's branch on the remote, if any.
pub fn known_tip(book: &Book, remote: &RemoteName) -> Result<Option<CommitId>, StoreError> {
    kept::ref_target(book, &tracking(remote, book.branch()))
}

pub fn remotes(book: &Book) -> Result<Vec<String>, StoreError> {
    let names = book.repo.remotes().doing("reading the remotes")?;
    let names = names.iter().filter_map(|name| name.ok().flatten());
    Ok(names.filter(|name| !name.starts_with('-')).map(str::to_owned).collect())
}

fn setting(book: &Book, key: &str) -> Result<Option<String>, StoreError> {
    let config = book.repo.config().and_then(|mut config| config.snapshot()).doing("reading the configuration")?;
    config.get_string(key).or_missing("reading the configuration")
}

/// Makes an address the book's remote: the existing one with that address, or a new one called `origin`. Fails with
/// [`RemoteError::BadAddress`], or [`RemoteError::NameTaken`] when `origin` has another address.
pub fn remote_of(session: &Session<'_>, address: &str) -> Result<RemoteName, RemoteError> {
    check_address(address)?;
    let book = session.book;
    let all = remotes(book)?;
    for name in &all {
        let known = book.repo.find_remote(name).doing("reading the remotes")?;
        if known.url().is_ok_and(|url| is_same_place(book.root(), url, address)) {
            return Ok(RemoteName(name.clone()));
        }
    }
    if all.iter().any(|name| name == FIRST) {
        return Err(RemoteError::NameTaken(FIRST.to_owned()));
    }
    let fetch = format!("+refs/heads/*:refs/remotes/{FIRST}/*");
    let url = format!("remote.{FIRST}.url");
    write_settings(&book.repo, &[(&url, address), (&format!("remote.{FIRST}.fetch"), &fetch)])?;
    Ok(RemoteName(FIRST.to_owned()))
}

/// Takes the remote, which [`remote_of`] has made, out of the settings again.
pub fn forget_remote(session: &Session<'_>, remote: &RemoteName) -> Result<(), StoreError> {
    let name = remote.as_str();
    remove_settings(&session.book.repo, &[format!("remote.{name}.url"), format!("remote.{name}.fetch")])
}

/// Records the book's remote, where leases are taken from now on.
pub fn note_remote(session: &Session<'_>, remote: &RemoteName) -> Result<(), StoreError> {
    if setting(session.book, KEY)?.as_deref() == Some(remote.as_str()) {
        return Ok(());
    }
    write_settings(&session.book.repo, &[(KEY, remote.as_str())])
}

/// True when two addresses are equal, or paths to one folder; a relative one counts from `root`.
fn is_same_place(root: &Path, one: &str, other: &str) -> bool {
    let folder = |address: &str| root.join(address).canonicalize().ok();
    one == other || folder(one).is_some_and(|one| Some(one) == folder(other))
}

pub(crate) const LEASE: &str = "refs/novel/lease";

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Listing {
    refs: BTreeMap<String, CommitId>,
    head: Option<String>,
}

impl Listing {
    /// Parses the output of `git ls-remote --symref`. Other lines are ignored.
    pub(crate) fn parse(text: &str) -> Self {
        let mut listing = Self::default();
        for line in text.lines() {
            let Some((value, name)) = line.split_once('\t') else { continue };
            if let (Some(target), "HEAD") = (value.strip_prefix("ref: refs/heads/"), name) {
                listing.head = Some(target.to_owned());
            } else if let Ok(id) = value.parse()
                && git2::Reference::is_valid_name(name)
                && name.starts_with("refs/")
            {
                listing.refs.insert(name.to_owned(), id);
            }
        }
        listing
    }

    pub fn get(&self, name: &str) -> Option<CommitId> {
        self.refs.get(name).copied()
    }

    pub fn branch(&self, branch: &str) -> Option<CommitId> {
        self.get(&format!("refs/heads/{branch}"))
    }

    /// The branch that a plain clone checks out, if it exists.
    pub fn head(&self) -> Option<(&str, CommitId)> {
        let head = self.head.as_deref()?;
        Some((head, self.branch(head)?))
    }

    /// Branches that may be lines of the book, each with its tip.
    pub fn lines(&self) -> BTreeMap<String, CommitId> {
        let branches = self.below(BRANCHES).map(|(name, id)| (&name[BRANCHES.len()..], id));
        branches.filter(|(name, _)| is_line_name(name)).map(|(name, id)| (name.to_owned(), id)).collect()
    }

    pub fn drafts(&self) -> BTreeMap<Work, CommitId> {
        self.below(DRAFTS).filter_map(|(name, id)| Some((name[DRAFTS.len()..].parse().ok()?, id))).collect()
    }

    /// Kept lines, by full ref name.
    pub fn kept(&self) -> BTreeMap<String, CommitId> {
        self.below(KEPT).map(|(name, id)| (name.to_owned(), id)).collect()
    }

    /// Chapter tags, by full ref name.
    pub fn tags(&self) -> BTreeMap<String, CommitId> {
        let tags = self.below(TAGS).filter(|(name, _)| is_chapter_tag(name));
        tags.map(|(name, id)| (name.to_owned(), id)).collect()
    }

    /// Every commit that a ref names.
    pub fn ids(&self) -> Vec<CommitId> {
        self.refs.values().copied().collect()
    }

    pub fn lease(&self) -> Option<CommitId> {
        self.get(LEASE)
    }

    fn below<'l>(&'l self, prefix: &'l str) -> impl Iterator<Item = (&'l str, CommitId)> {
        let from = self.refs.range(prefix.to_owned()..).map(|(name, id)| (name.as_str(), *id));
        from.take_while(move |(name, _)| name.starts_with(prefix))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_no_option_and_runs_no_program() {
        for sound in ["/srv/b.git", "git@h:b.git", "https://h/b", "ssh://h/~/b", "C:\\b", "[::1]:b"] {
            assert!(check_address(sound).is_ok() && is_address(sound), "{sound}");
        }
        for bad in ["", "--upload-pack=x", "-u", "ext::sh -c x", "fd::1", "a\nb/c"] {
            assert!(check_address(bad).is_err(), "{bad}");
        }
        assert!(!is_address("origin"));
    }
}

#[cfg(test)]
mod listing_tests {
    use super::*;

    #[test]
    fn a_listing_is_read_and_what_is_not_a_ref_is_passed_over() {
        let id = "0123456789012345678901234567890123456789";
        let text = format!(
            "ref: refs/heads/main\tHEAD\n{id}\tHEAD\n{id}\trefs/heads/main\n{id}\trefs/heads/draft/ch-004\n\
             {id}\trefs/heads/draft/../x\n{id}\trefs/tags/ch-001\n{id}\trefs/tags/v1\n{id}\trefs/tags/ch-old\n{id}\trefs/tags/ch-001^{{}}\n\
             {id}\trefs/novel/kept/ch-001/0123456789\n{id}\trefs/novel/lease\nwarning: x\nnonsense\trefs/heads/y\n"
        );
        let listing = Listing::parse(&text);
        let commit: CommitId = id.parse().unwrap();
        assert_eq!(listing.head(), Some(("main", commit)));
        assert_eq!(listing.drafts().keys().map(ToString::to_string).collect::<Vec<_>>(), ["ch-004"]);
        assert_eq!(listing.tags().into_keys().collect::<Vec<_>>(), ["refs/tags/ch-001"]);
        assert_eq!(listing.kept().into_keys().collect::<Vec<_>>(), ["refs/novel/kept/ch-001/0123456789"]);
        assert_eq!(listing.lease(), Some(commit));
    }
}
