use crate::git::refs::{DRAFTS, KEPT};
use crate::store::book::line_names::{BRANCHES, is_line_name};
use crate::store::drafts::kept::{TAGS, is_chapter_tag};
use crate::store::prelude::*;

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
