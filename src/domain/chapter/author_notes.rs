//! The author's notes on chapters: wishes for some of the next ones, in plain words, and deviations that are accepted and are no
//! faults.

use crate::domain::IdError;
use crate::domain::prelude::*;

/// A wish for the chapters `first_chapter` to `last_chapter`, both included.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Wish {
    pub text: String,
    pub first_chapter: ChapterNo,
    pub last_chapter: ChapterNo,
}

impl Wish {
    /// The most characters of all open wishes: every prompt of their chapters has them beside the chapter's section, which has
    /// 2,000.
    pub const MOST: usize = 1_000;

    /// False once all chapters before `next` are written and the wish is for no later one.
    pub fn is_open(&self, next: ChapterNo) -> bool {
        self.last_chapter >= next
    }
}

/// The wishes in the order in which they were made; a wish is used up when its last chapter is written.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Wishes {
    pub wishes: Vec<Wish>,
}

impl Wishes {
    /// The wishes for a chapter.
    pub fn of(&self, chapter: ChapterNo) -> impl Iterator<Item = &str> {
        let is_for = move |wish: &&Wish| (wish.first_chapter..=wish.last_chapter).contains(&chapter);
        self.wishes.iter().filter(is_for).map(|wish| wish.text.as_str())
    }

    /// The wishes of two lines that have gone on from `base`: those that either has made, without those that either has taken back.
    #[must_use]
    pub fn joined(mut self, theirs: Self, base: &Self) -> Self {
        self.wishes.retain(|wish| theirs.wishes.contains(wish) || !base.wishes.contains(wish));
        let is_new = |wish: &Wish| !base.wishes.contains(wish) && !self.wishes.contains(wish);
        let new: Vec<Wish> = theirs.wishes.into_iter().filter(is_new).collect();
        self.wishes.extend(new);
        self
    }

    /// The wishes that chapters from `next` on have still to fulfil.
    #[must_use]
    pub fn open_from(mut self, next: ChapterNo) -> Self {
        self.wishes.retain(|wish| wish.is_open(next));
        self
    }
}

/// The word for every chapter, in place of a number.
const EVERY_CHAPTER: &str = "all";

/// The name of a finding: `ch-012/leak/老周`, `ch-012/W-003` for a rule, `all/variant/林峰` for every chapter.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct FindingId {
    /// `None`, and missing in files, for every chapter of the book.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chapter: Option<ChapterNo>,
    /// The sort of the finding, or the id of its rule.
    pub check: String,
    /// The person, the item or the word; empty for a rule, and where the chapter as a whole is meant.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub subject: String,
}

impl FindingId {
    fn covers(&self, chapter: ChapterNo, check: &str, subject: &str) -> bool {
        self.chapter.is_none_or(|own| own == chapter) && self.check == check && self.subject == subject
    }
}

impl fmt::Display for FindingId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.chapter {
            Some(chapter) => write!(f, "{chapter}/{}", self.check)?,
            None => write!(f, "{EVERY_CHAPTER}/{}", self.check)?,
        }
        if self.subject.is_empty() { Ok(()) } else { write!(f, "/{}", self.subject) }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FindingIdError {
    /// No slash, or nothing behind it.
    #[error("`{0}` names no finding (write ch-012/leak/老周, ch-012/W-003 or all/variant/林峰)")]
    Shape(String),
    /// The first part is neither a chapter nor the word for every chapter.
    #[error(transparent)]
    Chapter(#[from] IdError),
}

impl FromStr for FindingId {
    type Err = FindingIdError;

    fn from_str(text: &str) -> Result<Self, FindingIdError> {
        let mut parts = text.trim().splitn(3, '/').map(str::trim);
        let (Some(chapter), Some(check)) = (parts.next(), parts.next().filter(|check| !check.is_empty())) else {
            return Err(FindingIdError::Shape(text.to_owned()));
        };
        let chapter = if chapter == EVERY_CHAPTER { None } else { Some(chapter.parse()?) };
        Ok(Self { chapter, check: check.to_owned(), subject: parts.next().unwrap_or_default().to_owned() })
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Waiver {
    #[serde(flatten)]
    pub finding: FindingId,
    #[serde(default)]
    pub reason: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Waivers {
    #[serde(rename = "waivers")]
    pub list: Vec<Waiver>,
}

impl Waivers {
    pub fn of_rule(&self, chapter: ChapterNo, rule: &str) -> Option<&Waiver> {
        self.of_finding(chapter, rule, "")
    }

    pub fn of_finding(&self, chapter: ChapterNo, sort: &str, subject: &str) -> Option<&Waiver> {
        self.list.iter().find(|waiver| waiver.finding.covers(chapter, sort, subject))
    }

    /// Adds a waiver or changes the reason of an existing one. Returns true when something changed.
    pub fn add(&mut self, waiver: Waiver) -> bool {
        match self.list.iter_mut().find(|known| known.finding == waiver.finding) {
            Some(known) if known.reason == waiver.reason => false,
            Some(known) => {
                known.reason = waiver.reason;
                true
            }
            None => {
                self.list.push(waiver);
                true
            }
        }
    }

    /// Removes a waiver. Returns true when it existed.
    pub fn remove(&mut self, finding: &FindingId) -> bool {
        let before = self.list.len();
        self.list.retain(|waiver| waiver.finding != *finding);
        self.list.len() < before
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn id(text: &str) -> FindingId {
        text.parse().unwrap()
    }

    #[test]
    fn an_id_names_a_chapter_a_check_and_a_subject() {
        assert_eq!(id("12/leak/老周"), id("ch-012/leak/老周"));
        assert_eq!(id("ch-12/W-003").to_string(), "ch-012/W-003");
        assert_eq!(id("all/variant/林峰").chapter, None);
        assert_eq!(id("ch-1/date/初三/夜").subject, "初三/夜");
        for wrong in ["ch-012", "ch-012/", "leak/老周", "", "/W-003"] {
            assert!(wrong.parse::<FindingId>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_waiver_holds_for_its_chapter_or_for_all() {
        let mut waivers = Waivers::default();
        let waiver = |finding: &str| Waiver { finding: id(finding), reason: "有意".into() };
        assert!(waivers.add(waiver("ch-012/W-003")) && waivers.add(waiver("all/variant/林峰")));
        assert!(!waivers.add(waiver("ch-012/W-003")));
        let [twelve, other] = [12, 13].map(|n| ChapterNo::new(n).unwrap());
        assert!(waivers.of_rule(twelve, "W-003").is_some() && waivers.of_rule(other, "W-003").is_none());
        assert!(waivers.of_finding(other, "variant", "林峰").is_some());
        assert!(waivers.of_finding(other, "variant", "林枫").is_none());
        assert!(waivers.remove(&id("ch-012/W-003")) && !waivers.remove(&id("ch-012/W-003")));
        assert_eq!(waivers.list.len(), 1);
    }

    proptest! {
        #[test]
        fn any_id_is_read_back(chapter in proptest::option::of(1u32..=9999), check in "[A-Za-z0-9-]{1,9}", subject in "[一-龥]{0,4}") {
            let id = FindingId { chapter: chapter.and_then(ChapterNo::new), check, subject };
            prop_assert_eq!(id.to_string().parse(), Ok(id));
        }
    }

    #[test]
    fn another_reason_is_a_change_and_the_same_one_is_none() {
        let mut waivers = Waivers::default();
        let waiver = |reason: &str| Waiver { finding: id("ch-012/W-003"), reason: reason.into() };
        assert!(waivers.add(waiver("有意")) && !waivers.add(waiver("有意")) && waivers.add(waiver("伏笔")));
        assert_eq!(waivers.list, [waiver("伏笔")]);
        assert!(!waivers.remove(&id("ch-013/W-003")));
    }
}
