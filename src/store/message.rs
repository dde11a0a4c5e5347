//! Commit messages: a subject for people, a body, and trailers that say what the commit did.
//! "Ours" is decided by the trailer `Novel-Kind`, never by memory. A commit without it is the author's own hand edit.

use crate::domain::id::named;
use crate::domain::{ChapterNo, VolumeNo};
use crate::store::subject::{Body, BodyLine, Subject};
use std::fmt;
use std::str::FromStr;

named! {
    pub enum Kind {
        Init = "init",
        /// Planning: briefs, outlines, contracts, schedules.
        Plan = "plan",
        Chapter = "chapter",
        Review = "review",
        /// A character, line or item left the running state.
        Retire = "retire",
        /// World rules or characters changed.
        World = "world",
        /// State or summaries were derived again.
        Rebuild = "rebuild",
        /// The book went back to an earlier point, forwards.
        Rollback = "rollback",
        /// The last transaction was taken back.
        Undo = "undo",
        /// An undone transaction was put back.
        Redo = "redo",
        /// Another line of the book, begun to try something, became the book's line.
        Adopt = "adopt",
        /// The author changed files by hand.
        HandEdit = "hand-edit",
        /// An existing text became chapters.
        Import = "import",
        /// Another device's line was joined.
        SyncMerge = "sync-merge",
        /// Settings of the book changed.
        Config = "config",
        /// Files of an older format were brought to the present one.
        Migrate = "migrate",
        /// The figures of five chapters, and what follows from them for the style.
        Quality = "quality",
        /// A stage result of the chapter in flight; on draft branches only.
        Stage = "stage",
        /// Kept drafts were gathered; on no branch.
        Archive = "archive",
    }
}

impl Kind {
    /// True for a commit that follows from the one before it, without anybody asking for it. It is neither taken back alone nor the
    /// end of what can be redone, and the next run makes it again where it is missing.
    pub fn is_upkeep(self) -> bool {
        matches!(self, Self::Migrate | Self::Quality)
    }
}

pub mod key {
    pub const KIND: &str = "Novel-Kind";
    /// The chapter that it accepted or belongs to, as a plain number.
    pub const CHAPTER: &str = "Novel-Chapter";
    pub const VOLUME: &str = "Novel-Volume";
    /// The tip of the draft that a chapter was accepted from.
    pub const DRAFT: &str = "Novel-Draft";
    /// Of a draft that was written before its turn: the commit of the draft before that it was told of.
    pub const AHEAD: &str = "Novel-Ahead";
    /// The commit of the chapter that this one replaces; such a commit does not move the end of the book.
    pub const REPLACES: &str = "Novel-Replaces";
    /// Of a rollback, undo, redo or adoption: the commit whose content the book has again.
    pub const TO: &str = "Novel-To";
    /// Of a quality brief: its first and last chapter, as `1..5`.
    pub const CHAPTERS: &str = "Novel-Chapters";
    /// Of a quality brief: the fate of the corrections of style; left out for a book without any.
    pub const DRIFT: &str = "Novel-Drift";
    /// Of a migration: the version that the files have from now on.
    pub const FORMATS: &str = "Novel-Formats";
    /// Of a rollback or an adoption: the commit that the book left.
    pub const FROM: &str = "Novel-From";
    /// Of an undo: the commit that was taken back.
    pub const UNDOES: &str = "Novel-Undoes";
    /// Of a redo: the commit that was put back.
    pub const REDOES: &str = "Novel-Redoes";
    /// Of a transaction that follows from the author's answer to a question: the answer.
    pub const ANSWER: &str = "Novel-Answer";
    /// Of something kept that is in the book again: the commit that it comes from.
    pub const RESTORES: &str = "Novel-Restores";
    /// Of an adoption: the branch whose line became the book's.
    pub const ADOPTS: &str = "Novel-Adopts";
    /// Of an adoption: the open drafts of that line, each with its tip, which go on with the book.
    pub const CARRIES: &str = "Novel-Carries";
    /// Which drafts a step back, or a chapter that leaves, closes, each with its tip: taking the commit back opens them again.
    pub const CLOSES: &str = "Novel-Closes";
    /// Which chapters are out of the book on purpose although later ones are in it: `ch-003, ch-004`.
    pub const REMOVES: &str = "Novel-Removes";
    /// Of a change of the chapters' numbers: the operation, as `insert 3`.
    pub const MOVED: &str = "Novel-Moved";
    /// Of a person's new name: the id, and each old name with the new one.
    pub const RENAMED: &str = "Novel-Renamed";
    /// Of a move of the branch to a commit that exists: that commit. Only the intent says it; no commit of the book does.
    pub const FORWARD: &str = "Novel-Forward";
    /// Of a retirement: the character's id.
    pub const CHARACTER: &str = "Novel-Character";
    /// Of a merge of two devices' lines where the author had to choose: the side that was taken, `ours` or `theirs`.
    pub const TOOK: &str = "Novel-Took";
    /// Of such a merge: the ref that keeps the other line.
    pub const KEPT: &str = "Novel-Kept";
    /// Of an imported chapter: the file and the line that it begins on.
    pub const SOURCE: &str = "Novel-Source";
    /// Of an imported chapter: the hash of that file as a blob of git's.
    pub const SOURCE_HASH: &str = "Novel-Source-Hash";
    /// Of an archive, once for each of its drafts: the name of its ref below `refs/novel/kept/`, and its last commit.
    pub const HOLDS: &str = "Novel-Holds";
}

/// A commit message to be written. Only [`Message::trailer`] makes trailers; no other text becomes one.
#[derive(Debug, Clone, PartialEq)]
pub struct Message {
    kind: Kind,
    subject: Subject,
    body: Body,
    trailers: Vec<(String, String)>,
}

impl Message {
    pub fn new(kind: Kind, subject: impl Into<Subject>) -> Self {
        Self { kind, subject: subject.into(), body: Body::default(), trailers: Vec::new() }
    }

    /// Adds text between the subject and the trailers.
    #[must_use]
    pub fn body(mut self, text: impl Into<Body>) -> Self {
        self.body = text.into();
        self
    }

    /// Adds a trailer. Empty values and names that are not `Letters-And-Digits` are left out.
    #[must_use]
    pub fn trailer(mut self, key: &str, value: impl fmt::Display) -> Self {
        let value = one_line(&value.to_string());
        if is_key(key) && !value.is_empty() && key != key::KIND {
            self.trailers.push((key.to_owned(), value));
        }
        self
    }

    pub fn kind(&self) -> Kind {
        self.kind
    }

    pub(crate) fn named_commits(&self) -> impl Iterator<Item = git2::Oid> {
        let trailers = self.trailers.iter().filter(|(name, _)| *name != key::SOURCE_HASH);
        let words = trailers.flat_map(|(_, value)| value.split([' ', ',']));
        words.filter(|word| word.len() == 40).filter_map(|word| word.parse().ok())
    }

    /// The text that goes into the commit. The subject is one line; line breaks in it become spaces.
    pub fn render(&self, worded: impl Fn(&Subject) -> String) -> String {
        let subject = one_line(&worded(&self.subject));
        let subject = if subject.is_empty() { self.kind.as_str() } else { &subject };
        let mut text = format!("{}\n\n", guarded(subject));
        let line = |line: &BodyLine| match line {
            BodyLine::Text(text) => text.clone(),
            BodyLine::Remark(remark) => worded(&Subject::Remark(remark.clone())),
        };
        let lines: Vec<String> = self.body.lines().map(line).collect();
        let body: Vec<String> =
            lines.iter().flat_map(|line| line.lines()).map(|line| guarded(plain(line).trim_end())).collect();
        let body = body.join("\n");
        let body = body.trim_matches('\n');
        if !body.trim().is_empty() {
            text.push_str(body);
            text.push_str("\n\n");
        }
        text.push_str(&format!("{}: {}\n", key::KIND, self.kind));
        for (key, value) in &self.trailers {
            text.push_str(&format!("{key}: {value}\n"));
        }
        text
    }
}

/// The trailers of an existing commit, in order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Trailers(Vec<(String, String)>);

impl Trailers {
    /// Reads the trailers of any message, ours or not. A paragraph that was added after ours does not hide them.
    pub fn parse(message: &str) -> Self {
        let found: Vec<_> = git2::message_trailers_strs(message)
            .map(|t| t.iter().map(|(k, v)| (k.to_owned(), v.trim().to_owned())).collect())
            .unwrap_or_default();
        let trailers = Self(found);
        if trailers.get(key::KIND).is_some() || !message.contains(key::KIND) {
            trailers
        } else {
            Self::buried(message).unwrap_or(trailers)
        }
    }

    /// The last paragraph that consists of trailers and says a kind.
    fn buried(message: &str) -> Option<Self> {
        let paragraphs: Vec<&str> = message.split("\n\n").skip(1).collect();
        paragraphs.into_iter().rev().find_map(|paragraph| {
            let pairs: Option<Vec<_>> = paragraph
                .lines()
                .map(|line| {
                    line.split_once(": ").filter(|(k, _)| is_key(k)).map(|(k, v)| (k.to_owned(), v.trim().to_owned()))
                })
                .collect();
            pairs.map(Self).filter(|t| t.get(key::KIND).is_some())
        })
    }

    /// The value of the first trailer called `key`.
    pub fn get(&self, key: &str) -> Option<&str> {
        self.0.iter().find(|(k, _)| k.eq_ignore_ascii_case(key)).map(|(_, v)| v.as_str())
    }

    /// The value of `key`, read as a `T`; `None` when it is absent or does not read.
    pub fn read<T: FromStr>(&self, key: &str) -> Option<T> {
        self.get(key)?.parse().ok()
    }

    /// The kind of the commit; `None` for a commit that `novel` did not make.
    pub fn kind(&self) -> Option<Kind> {
        self.read(key::KIND)
    }

    pub fn chapter(&self) -> Option<ChapterNo> {
        self.read(key::CHAPTER)
    }

    pub fn volume(&self) -> Option<VolumeNo> {
        self.read(key::VOLUME)
    }

    /// Returns the message that has these trailers without its first line and without them.
    pub fn body(&self, message: &str) -> String {
        let is_trailer = |line: &str| {
            let pair = line.split_once(':').map(|(key, value)| (key.trim_end(), value.trim()));
            pair.is_some_and(|pair| self.iter().any(|trailer| trailer == pair))
        };
        let (_, rest) = message.trim_start().split_once('\n').unwrap_or_default();
        let paragraphs = rest.split("\n\n").filter(|paragraph| !paragraph.trim().is_empty());
        let prose = paragraphs.filter(|paragraph| !paragraph.trim().lines().all(is_trailer));
        prose.map(|paragraph| paragraph.trim_matches('\n')).collect::<Vec<_>>().join("\n\n").trim_end().to_owned()
    }

    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(k, v)| (k.as_str(), v.as_str()))
    }
}

/// Takes the trailers out of the author's `message` that would make the commit one of ours, and returns the rest with the
/// lines that are gone. `None` for a message that claims nothing, and for one that claims what the commit `amended` is.
pub(crate) fn without_claims(message: &str, amended: &str) -> Option<(String, Vec<String>)> {
    let of = |line: &str| {
        let (key, value) = line.split_once(':')?;
        let key = key.trim_end();
        let is_ours = is_key(key) && key.get(..6).is_some_and(|start| start.eq_ignore_ascii_case("novel-"));
        is_ours.then(|| (key.to_ascii_lowercase(), value.trim().to_owned()))
    };
    let claims = |text: &str| text.lines().filter_map(of).collect::<Vec<_>>();
    let is_kind =
        |(key, value): &(String, String)| key.eq_ignore_ascii_case(key::KIND) && value.parse::<Kind>().is_ok();
    let claimed = claims(message);
    if !claimed.iter().any(is_kind) || claimed == claims(amended) {
        return None;
    }
    let (gone, rest): (Vec<&str>, Vec<&str>) = message.split_inclusive('\n').partition(|line| of(line).is_some());
    Some((rest.concat(), gone.into_iter().map(|line| line.trim_end().to_owned()).collect()))
}

fn is_key(key: &str) -> bool {
    !key.is_empty() && key.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
}

/// `text` without control characters, which git and terminals both mishandle.
fn plain(text: &str) -> String {
    text.chars().map(|c| if c == '\t' { ' ' } else { c }).filter(|c| !c.is_control()).collect()
}

fn one_line(text: &str) -> String {
    let spaced: String =
        text.chars().map(|c| if c.is_control() || c == '\u{2028}' || c == '\u{2029}' { ' ' } else { c }).collect();
    spaced.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A line that git would take for the start of a patch, a comment or one of our trailers, set in by a space.
fn guarded(line: &str) -> String {
    let risky = line.starts_with("---")
        || line.starts_with('#')
        || line.get(..6).is_some_and(|p| p.eq_ignore_ascii_case("novel-"));
    if risky { format!(" {line}") } else { line.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn as_given(subject: &Subject) -> String {
        match subject {
            Subject::Worded(text) => text.clone(),
            other => format!("{other:?}"),
        }
    }

    #[test]
    fn a_chapter_message_reads_like_the_design() {
        let text = Message::new(Kind::Chapter, "ch-048: 密信")
            .body("第三年冬末，信到了。")
            .trailer(key::CHAPTER, 48)
            .trailer("Novel-State", "47 -> 48")
            .render(as_given);
        assert_eq!(
            text,
            "ch-048: 密信\n\n第三年冬末，信到了。\n\nNovel-Kind: chapter\nNovel-Chapter: 48\nNovel-State: 47 -> 48\n"
        );
        let trailers = Trailers::parse(&text);
        assert_eq!(trailers.kind(), Some(Kind::Chapter));
        assert_eq!(trailers.chapter().map(ChapterNo::get), Some(48));
        assert_eq!(trailers.get("Novel-State"), Some("47 -> 48"));
    }

    #[test]
    fn a_sign_off_paragraph_does_not_hide_the_trailers() {
        let text = Message::new(Kind::Plan, "x").render(as_given) + "\nSigned-off-by: A <a@b>\n";
        assert_eq!(Trailers::parse(&text).kind(), Some(Kind::Plan));
    }

    #[test]
    fn the_body_is_what_stands_between_subject_and_trailers() {
        let body = |text: &str| Trailers::parse(text).body(text);
        let ours = Message::new(Kind::Chapter, "ch-048: 密信").body("第三年冬末：信到了。").trailer(key::CHAPTER, 48);
        let ours = ours.render(as_given);
        assert_eq!(body(&ours), "第三年冬末：信到了。");
        // A paragraph that was added behind ours is not read as a trailer and stays.
        assert_eq!(body(&(ours + "\nSigned-off-by: A <a@b>\n")), "第三年冬末：信到了。\n\nSigned-off-by: A <a@b>");
        let by_hand = "改\n\n两处：\n\n  - 第一处\n  - 第二处\n\n\nNote: 这不是尾注\n但这一段是正文\n";
        assert_eq!(body(by_hand), "两处：\n\n  - 第一处\n  - 第二处\n\nNote: 这不是尾注\n但这一段是正文");
        for empty in ["", "fix", "fix\n", "fix\n\nNovel-Kind: plan\n"] {
            assert_eq!(body(empty), "", "{empty:?}");
        }
    }

    #[test]
    fn foreign_messages_have_no_kind() {
        for text in ["", "fix", "fix\n\nbody", "Novel-Kind: chapter", "a\n\nNovel-Kind: nonsense\n", "\u{0}"] {
            assert_eq!(Trailers::parse(text).kind(), None, "{text:?}");
        }
    }

    #[test]
    fn claims_leave_an_authors_message_unless_it_amends_a_commit_that_makes_them() {
        let typed = "润色\n\n改了三处。\n\nNovel-Kind: chapter\nnovel-chapter: 3\nSigned-off-by: A <a@b>\n# 注释\n";
        let (rest, gone) = without_claims(typed, "上一个提交\n").unwrap();
        assert_eq!(rest, "润色\n\n改了三处。\n\nSigned-off-by: A <a@b>\n# 注释\n");
        assert_eq!(gone, ["Novel-Kind: chapter", "novel-chapter: 3"]);
        assert_eq!(Trailers::parse(&rest).kind(), None);
        let ours = Message::new(Kind::Chapter, "ch-003: 雨").trailer(key::CHAPTER, 3).render(as_given);
        assert_eq!(without_claims(&format!("{ours}# 注释\n"), &ours), None);
        assert!(without_claims(&ours, "上一个提交\n").is_some());
        for harmless in ["", "novel-writing: 三章\n", "fix\n\nNovel-Kind: nonsense\n", "a\n\n Novel-Kind: chapter\n"]
        {
            assert_eq!(without_claims(harmless, ""), None, "{harmless:?}");
        }
    }

    proptest! {
        #[test]
        fn a_message_without_claims_is_not_ours(lines in prop::collection::vec("(Novel-Kind: ?(chapter|init)|novel-KIND : undo|Novel-To: x|甲|# x|x: y| Novel-Kind: plan||---)", 0..12)) {
            let message = lines.join("\n");
            let rest = without_claims(&message, "").map_or(message, |(rest, _)| rest);
            let shown: String = rest.lines().filter(|line| !line.starts_with('#')).map(|line| format!("{line}\n")).collect();
            prop_assert!(Trailers::parse(&shown).kind().is_none() || shown.contains("\n Novel-Kind: plan"));
        }

        #[test]
        fn no_text_forges_a_trailer(subject in any::<String>(), body in any::<String>(), value in any::<String>(), tail in "(Novel-Kind: init|---|#|\n| |x: y|\r\n){0,12}") {
            let message = Message::new(Kind::Stage, (subject + &tail).as_str()).body(&(body + &tail)).trailer(key::TO, value + &tail);
            let trailers = Trailers::parse(&message.render(as_given));
            prop_assert_eq!(trailers.kind(), Some(Kind::Stage));
            prop_assert!(trailers.iter().all(|(k, _)| k == key::KIND || k == key::TO));
        }
    }
}
