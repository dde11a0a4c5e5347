//! Commits of the accepted line, read one by one.

use crate::store::message::{Trailers, key};
use crate::store::prelude::*;
use git2::Commit;
use std::collections::BinaryHeap;
use std::ops::RangeInclusive;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Transaction {
    pub id: CommitId,
    /// The kind of change. A commit that `novel` did not make is a [`Kind::HandEdit`].
    pub kind: Kind,
    /// Whether `novel` made it.
    pub is_ours: bool,
    pub chapter: Option<ChapterNo>,
    pub volume: Option<VolumeNo>,
    /// The first line of the message.
    pub subject: String,
    pub author: Identity,
    pub time: Moment,
    /// Everything that it says about itself.
    pub trailers: Trailers,
    /// The commit before it on the same line.
    pub parent: Option<CommitId>,
    /// Whether it has further parents: another line that it joins with its own, or the line that it went back to.
    has_others: bool,
}

impl Transaction {
    pub(crate) fn of(commit: &Commit<'_>) -> Self {
        let message = String::from_utf8_lossy(commit.message_raw_bytes());
        let trailers = Trailers::parse(&message);
        let author = commit.author();
        Self {
            id: commit.id().into(),
            kind: trailers.kind().unwrap_or(Kind::HandEdit),
            is_ours: trailers.kind().is_some(),
            chapter: trailers.chapter(),
            volume: trailers.volume(),
            subject: message.trim_start().lines().next().unwrap_or_default().trim().to_owned(),
            author: Identity {
                name: String::from_utf8_lossy(author.name_bytes()).into_owned(),
                email: String::from_utf8_lossy(author.email_bytes()).into_owned(),
            },
            time: author.when().into(),
            trailers,
            parent: commit.parent_id(0).ok().map(CommitId::from),
            has_others: commit.parent_count() > 1,
        }
    }

    /// True for a commit that joins another line with its own.
    pub fn is_join(&self) -> bool {
        self.has_others && self.returns_to().is_none()
    }

    /// The parents but for the one of a line that a sync did not choose.
    pub(super) fn taken(&self, parents: impl Iterator<Item = Oid>) -> impl Iterator<Item = Oid> {
        let kept = self.trailers.get(key::KEPT).unwrap_or_default();
        let is_left = |parent: Oid| !kept.is_empty() && kept.ends_with(&CommitId::from(parent).short());
        parents.enumerate().filter(move |(at, parent)| *at == 0 || !is_left(*parent)).map(|(_, parent)| parent)
    }

    /// The chapter that this commit put into the book.
    pub fn accepts(&self) -> Option<ChapterNo> {
        self.chapter.filter(|_| matches!(self.kind, Kind::Chapter | Kind::Import))
    }

    /// The commit whose chapter this one takes the place of, when it is a chapter written again.
    pub fn replaces(&self) -> Option<CommitId> {
        self.accepts().and_then(|_| self.trailers.read(key::REPLACES))
    }

    /// The chapters of which it says that they are out of the book on purpose.
    pub fn removes(&self) -> impl Iterator<Item = ChapterNo> {
        let named = self.trailers.get(key::REMOVES).filter(|_| self.is_ours).unwrap_or_default();
        named.split(", ").filter_map(|chapter| chapter.parse().ok())
    }

    /// The chapters' other numbers, where the commit gave them some.
    pub(crate) fn renumbers(&self) -> Option<Renumbering> {
        self.trailers.read(key::MOVED).filter(|_| self.is_ours)
    }

    /// The commit that this one takes back or puts back.
    pub fn retraces(&self) -> Option<CommitId> {
        match self.kind {
            Kind::Undo => self.trailers.read(key::UNDOES),
            Kind::Redo => self.trailers.read(key::REDOES),
            _ => None,
        }
    }

    /// The commit whose content the book had again after this one.
    pub(crate) fn returns_to(&self) -> Option<Oid> {
        let returns = matches!(self.kind, Kind::Rollback | Kind::Undo | Kind::Redo | Kind::Adopt);
        self.trailers.read::<CommitId>(key::TO).filter(|_| returns).map(CommitId::oid)
    }
}

/// Goes back along first parents.
pub(crate) struct CommitWalk<'r> {
    repo: &'r Repository,
    next: Option<Oid>,
    in_effect: bool,
    wanted: CommitFilter<'r>,
}

/// The commits that a walk is for. The trailers of others are not read.
enum CommitFilter<'w> {
    All,
    /// Those that accepted one of these chapters.
    Accepting(RangeInclusive<ChapterNo>),
    /// Those of these kinds; not [`Kind::HandEdit`], which needs no trailer.
    Of(&'w [Kind]),
}

impl CommitFilter<'_> {
    /// False for a message whose trailers cannot make the commit one of them.
    fn may_be(&self, message: &[u8]) -> bool {
        match self {
            Self::All => true,
            Self::Accepting(chapters) => may_accept(message, chapters),
            Self::Of(kinds) => may_be_of(message, kinds),
        }
    }

    fn has(&self, transaction: &Transaction) -> bool {
        match self {
            Self::All => true,
            Self::Accepting(chapters) => transaction.accepts().is_some_and(|chapter| chapters.contains(&chapter)),
            Self::Of(kinds) => kinds.contains(&transaction.kind),
        }
    }
}

impl<'r> CommitWalk<'r> {
    pub(crate) fn of_line(repo: &'r Repository, tip: Oid) -> Self {
        Self { repo, next: Some(tip), in_effect: false, wanted: CommitFilter::All }
    }

    /// The commits whose content is in the book: those that a rollback, undo or redo took out are passed over.
    pub(crate) fn in_effect(repo: &'r Repository, tip: Oid) -> Self {
        Self { in_effect: true, ..Self::of_line(repo, tip) }
    }

    /// The same, of the commits that accepted one of these chapters.
    pub(crate) fn accepting(self, chapters: Option<RangeInclusive<ChapterNo>>) -> Self {
        Self { wanted: chapters.map_or(CommitFilter::All, CommitFilter::Accepting), ..self }
    }

    /// The same, of the commits of these kinds; not of [`Kind::HandEdit`], which needs no trailer.
    pub(crate) fn of_kinds(self, kinds: &'r [Kind]) -> Self {
        Self { wanted: CommitFilter::Of(kinds), ..self }
    }

    /// The commit `id` when it is one of the wanted.
    fn step(&mut self, id: Oid) -> Result<Option<Transaction>, StoreError> {
        let commit = self.repo.find_commit(id).doing("reading a commit")?;
        let message = commit.message_raw_bytes();
        if !(self.wanted.may_be(message) || self.in_effect && may_return(message)) {
            self.next = commit.parent_id(0).ok();
            return Ok(None);
        }
        let transaction = Transaction::of(&commit);
        self.next = transaction.parent.map(CommitId::oid);
        if self.in_effect
            && let Some(to) = transaction.returns_to()
        {
            self.next = self.landing(&commit, to)?.or(self.next);
        }
        Ok(self.wanted.has(&transaction).then_some(transaction))
    }

    /// The commit from which one that went back to `to` continues: `to`, or after the author rewrote the history, the commit
    /// there that holds the same files.
    fn landing(&self, commit: &Commit<'_>, to: Oid) -> Result<Option<Oid>, StoreError> {
        // Another line that was joined.
        if commit.parent_ids().skip(1).any(|parent| parent == to) {
            return Ok(Some(to));
        }
        let target = self.repo.find_commit(to).or_missing("reading a commit")?;
        let tree = target.map_or(commit.tree_id(), |t| t.tree_id());
        let mut at = commit.parent_id(0).ok();
        while let Some(id) = at {
            let earlier = self.repo.find_commit(id).doing("reading a commit")?;
            if id == to || earlier.tree_id() == tree {
                return Ok(Some(id));
            }
            at = earlier.parent_id(0).ok();
        }
        Ok(None)
    }
}

impl Iterator for CommitWalk<'_> {
    type Item = Result<Transaction, StoreError>;

    fn next(&mut self) -> Option<Self::Item> {
        while let Some(id) = self.next.take() {
            if let Some(found) = self.step(id).transpose() {
                return Some(found);
            }
        }
        None
    }
}

/// Goes back along all parents: a commit comes before those that it goes on from, and of others the newer one first. The commits of
/// drafts are passed over, and so is a line that a sync did not choose.
pub(crate) struct BothSides<'r> {
    repo: &'r Repository,
    /// Commits whose followers have been given, with their times.
    next: BinaryHeap<(i64, Oid)>,
    seen: BTreeSet<Oid>,
}

impl<'r> BothSides<'r> {
    pub(crate) fn new(repo: &'r Repository, tip: Oid) -> Self {
        Self { repo, next: BinaryHeap::from([(0, tip)]), seen: BTreeSet::from([tip]) }
    }

    fn step(&mut self, id: Oid) -> Result<Option<Transaction>, StoreError> {
        let commit = self.repo.find_commit(id).doing("reading a commit")?;
        let transaction = Transaction::of(&commit);
        for parent in transaction.taken(commit.parent_ids()) {
            // A shallow clone ends somewhere.
            if let Some(earlier) = self.repo.find_commit(parent).or_missing("reading a commit")?
                && self.seen.insert(parent)
            {
                self.next.push((earlier.time().seconds(), parent));
            }
        }
        Ok(Some(transaction).filter(|transaction| !matches!(transaction.kind, Kind::Stage | Kind::Archive)))
    }
}

impl Iterator for BothSides<'_> {
    type Item = Result<Transaction, StoreError>;

    fn next(&mut self) -> Option<Self::Item> {
        while let Some((_, id)) = self.next.pop() {
            if let Some(found) = self.step(id).transpose() {
                return Some(found);
            }
        }
        None
    }
}

/// Goes back along first parents without reading what the commits say.
pub(crate) struct FirstParents<'r> {
    repo: &'r Repository,
    next: Option<Oid>,
}

impl<'r> FirstParents<'r> {
    pub(crate) fn new(repo: &'r Repository, tip: Oid) -> Self {
        Self { repo, next: Some(tip) }
    }
}

impl<'r> Iterator for FirstParents<'r> {
    type Item = Result<Commit<'r>, StoreError>;

    fn next(&mut self) -> Option<Self::Item> {
        let commit = self.repo.find_commit(self.next.take()?).doing("reading a commit");
        self.next = commit.as_ref().ok().and_then(|commit| commit.parent_id(0).ok());
        Some(commit)
    }
}

/// False for a message that cannot have a trailer by which one of these chapters was accepted. Reading the trailers takes
/// some ten times as long.
pub(crate) fn may_accept(message: &[u8], chapters: &RangeInclusive<ChapterNo>) -> bool {
    let digits = |rest: &[u8]| rest.iter().filter(|byte| byte.is_ascii_digit()).map(|byte| char::from(*byte)).collect();
    names(message, key::CHAPTER).is_some_and(|mut rests| {
        rests.any(|rest| {
            let digits: String = digits(rest);
            // A value that goes on in the next line is left to the reader of trailers.
            digits.is_empty()
                || digits.parse().ok().and_then(ChapterNo::new).is_some_and(|chapter| chapters.contains(&chapter))
        })
    })
}

/// False for a message that cannot have a trailer by which chapters have other numbers.
pub(crate) fn may_renumber(message: &[u8]) -> bool {
    may_have(message, key::MOVED)
}

/// False for a message that cannot have the trailer.
pub(super) fn may_have(message: &[u8], trailer: &'static str) -> bool {
    names(message, trailer).is_some_and(|mut rests| rests.next().is_some())
}

/// False for a message that cannot have a trailer that names one of these kinds.
pub(super) fn may_be_of(message: &[u8], kinds: &[Kind]) -> bool {
    names(message, key::KIND).is_some_and(|mut rests| {
        rests.any(|rest| {
            let value = rest.trim_ascii_start().strip_prefix(b":").unwrap_or(rest).trim_ascii();
            // A value that goes on in the next line is left to the reader of trailers.
            value.is_empty() || kinds.iter().any(|kind| value == kind.as_str().as_bytes())
        })
    })
}

/// False for a message that cannot name a commit to which the book went back.
pub(crate) fn may_return(message: &[u8]) -> bool {
    names(message, key::TO).is_some()
}

/// The rests of the lines that begin with `key`, whatever their case; `None` where no line does.
fn names<'m>(message: &'m [u8], key: &'static str) -> Option<impl Iterator<Item = &'m [u8]>> {
    let rest = |line: &'m [u8]| {
        let line = line.trim_ascii_start();
        let (begin, rest) = line.split_at_checked(key.len())?;
        begin.eq_ignore_ascii_case(key.as_bytes()).then_some(rest)
    };
    let mut rests = message.split(|byte| *byte == b'\n').filter_map(rest).peekable();
    rests.peek().is_some().then_some(rests)
}

pub(crate) fn tag_ref(chapter: ChapterNo) -> String {
    format!("refs/tags/{chapter}")
}

pub(super) fn is_chapter_tag(name: &str) -> bool {
    let chapter = name.strip_prefix("refs/tags/").and_then(|tag| tag.parse().ok());
    chapter.is_some_and(|chapter| tag_ref(chapter) == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_passed_over_only_when_its_trailers_cannot_name_the_chapter() {
        let chapter = |n| ChapterNo::new(n).unwrap();
        let may = |trailer: &str, first, last| {
            may_accept(format!("ch: x\n\nThe 48th.\n\n{trailer}\n").as_bytes(), &(chapter(first)..=chapter(last)))
        };
        for trailer in ["Novel-Chapter: 48", "novel-chapter : 48", "NOVEL-CHAPTER:\n 48", "Novel-Chapter: ch-048"] {
            assert!(may(trailer, 48, 48) && may(trailer, 40, 50), "{trailer}");
        }
        assert!(!may("Novel-Chapter: 48", 49, 60) && !may("Novel-Volume: 48", 48, 48));
        let may_plan = |trailer: &str| may_be_of(format!("plan\n\n{trailer}\n").as_bytes(), &[Kind::Init, Kind::Plan]);
        for trailer in ["Novel-Kind: plan", "novel-kind :  init", "NOVEL-KIND:\n plan"] {
            assert!(may_plan(trailer), "{trailer}");
        }
        assert!(!may_plan("Novel-Kind: chapter") && !may_plan("Novel-Step: plan"));
        assert!(may_return(b"undo\n\nnovel-to: abc\n") && !may_return(b"ch: x\n\nNovel-Chapter: 48\n"));
    }
}
