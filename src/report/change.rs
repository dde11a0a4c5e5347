//! The effect of a command on the book in one line, or its preview as a list. The author's wishes for the next chapters: the
//! answers of `novel wish`.

use crate::domain::chapter::author_notes::{Wish, Wishes};
use crate::pipeline::book::going_back::RollbackEffect;
use crate::report::prelude::*;
use crate::report::subject;
use crate::store::layout::{self, BookPath};
use crate::store::{EditKind, StageCommit};
use serde::Serializer;
use std::fmt;

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ChangeReport {
    /// A sentence without its end, in the author's language.
    pub what: String,
    pub commit: Commit,
    /// The command that reverts the change; `None` without one.
    pub undo: Option<UndoCommand>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UndoCommand {
    Undo(u32),
    /// Redo so many undone transactions.
    Redo(u32),
}

impl fmt::Display for UndoCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Undo(1) => f.write_str("novel undo"),
            Self::Undo(steps) => write!(f, "novel undo {steps}"),
            Self::Redo(1) => f.write_str("novel redo"),
            Self::Redo(steps) => write!(f, "novel redo {steps}"),
        }
    }
}

impl Serialize for UndoCommand {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

impl ChangeReport {
    /// The change, its commit, and the command that reverts it. No mark follows the commit id, so that a double click
    /// selects it.
    pub fn text(&self, lang: Lang) -> String {
        let Self { what, commit, .. } = self;
        let undo = match &self.undo {
            Some(undo) => {
                let shown = paint(HINT, &undo.to_string());
                match undo {
                    UndoCommand::Redo(_) => say!(lang, change_redo(shown)),
                    UndoCommand::Undo(_) => say!(lang, change_undo(shown)),
                }
            }
            None => String::new(),
        };
        say!(lang, change_as(what, commit, undo))
    }
}

/// The book is already at the target of a command.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Unchanged {
    pub status: &'static str,
    /// The place: `ch-048`, `ch-048/scene-2`.
    pub at: String,
}

impl Unchanged {
    pub fn at(at: String) -> Self {
        Self { status: "unchanged", at }
    }

    pub fn text(&self, lang: Lang) -> String {
        say!(lang, book_is_at_already_nothing_has(at = &self.at))
    }
}

/// The end of a scene of a draft; scene 0 is the beginning, before the scenes are planned.
pub fn scene_of_draft(scene: u32) -> Both {
    match scene {
        0 => both!(beginning),
        _ => both!(scene(scene)),
    }
}

#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Preview {
    /// A sentence without its end, in the author's language.
    pub what: String,
    /// Commits that would leave the book's branch, newest first; they stay in the repository.
    pub leaving: Vec<LeavingCommit>,
    pub chapters_leaving: Vec<ChapterNo>,
    pub chapters_returning: Vec<ChapterNo>,
    pub files: Vec<FileEffect>,
    /// Drafts that would be put aside.
    pub drafts: Vec<String>,
    /// The known cost of all that would leave, in millionths of a US dollar; dollars in JSON.
    #[serde(rename = "paid_usd", serialize_with = "dollars::sum")]
    pub paid_micro_usd: u64,
    /// True when a part of it has no known price.
    pub paid_is_partial: bool,
    /// The ref that would keep the leaving commits; `None` when nothing leaves.
    pub kept_as: Option<String>,
    /// Files that stay although the target lacks them: the author's inputs and plans.
    pub untouched: Vec<String>,
    /// Hand edits that would be committed first.
    pub hand_edits: Vec<String>,
}

/// A commit that would leave the book's branch.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LeavingCommit {
    pub commit: Commit,
    pub subject: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FileEffect {
    pub path: String,
    pub change: EditKind,
}

/// Entries of a list that are shown.
const SHOWN: usize = 12;

impl Preview {
    pub fn of(effect: &RollbackEffect, lang: Lang) -> Self {
        let inputs = || say!(lang, brief_settings_style_samples_prompts).to_owned();
        let plans = || say!(lang, plans_of_volumes).to_owned();
        let by_rule = [(effect.keeps_inputs, inputs()), (effect.keeps_plans, plans())];
        let untouched = by_rule.into_iter().filter_map(|(stays, what)| stays.then_some(what));
        let file = |(path, change): &(String, EditKind)| FileEffect { path: path.clone(), change: *change };
        let leaving = effect.leaving.iter();
        let leaving: Vec<LeavingCommit> =
            leaving.map(|t| LeavingCommit { commit: t.id.into(), subject: t.subject.clone() }).collect();
        Self {
            what: say!(lang, going_back_to_what_leaves_book(name = &effect.name)),
            kept_as: (!leaving.is_empty() || !effect.chapters_leaving.is_empty())
                .then(|| say!(lang, gits_history).to_owned()),
            leaving,
            chapters_leaving: effect.chapters_leaving.clone(),
            chapters_returning: effect.chapters_returning.clone(),
            files: effect.files.iter().map(file).collect(),
            drafts: effect.drafts.iter().map(ToString::to_string).collect(),
            paid_micro_usd: effect.paid.micro_usd,
            paid_is_partial: effect.paid.is_partial,
            untouched: untouched.chain(effect.kept.iter().cloned()).collect(),
            hand_edits: effect.hand_edits.clone(),
        }
    }

    /// A draft goes back to the end of a scene.
    pub fn of_draft(
        (chapter, scene): (ChapterNo, u32),
        leaving: &[StageCommit],
        hand_edits: Vec<String>,
        lang: Lang,
    ) -> Self {
        let line = |commit: &StageCommit| LeavingCommit { commit: commit.id.into(), subject: commit.subject.clone() };
        let place = scene_of_draft(scene);
        Self {
            what: say!(lang, going_back_to_of_what_leaves(place = place.get(lang), chapter)),
            kept_as: (!leaving.is_empty()).then(|| say!(lang, history_of_draft(chapter))),
            leaving: leaving.iter().map(line).collect(),
            hand_edits,
            ..Self::default()
        }
    }

    /// The list; a long one is cut, with the number of the rest.
    pub fn text(&self, lang: Lang, columns: usize) -> String {
        let mut out = format!("{}\n", paint(STRONG, &self.what));
        let mut table = Table::bare("ll", 1).indented(2);
        for leaving in self.leaving.iter().take(SHOWN) {
            table.row([Cell::painted(DIM, leaving.commit.short()), subject::worded(&leaving.subject, lang).into()]);
        }
        out.push_str(&table.text(columns));
        if self.leaving.len() > SHOWN {
            out.push_str(&say!(lang, change_and_more(n = self.leaving.len() - SHOWN)));
        }
        for line in self.effects(lang) {
            out.push_str(&format!("  {line}\n"));
        }
        if let Some(kept) = &self.kept_as {
            out.push_str(&say!(lang, all_of_it_is_kept_as(kept)));
        }
        let sep = say!(lang, list_comma);
        if !self.untouched.is_empty() {
            out.push_str(&say!(lang, left_as_it_is(list = self.untouched.join(sep))));
        }
        if !self.hand_edits.is_empty() {
            let list = self.hand_edits.join(sep);
            out.push_str(&format!("  {}\n", paint(WARN, &say!(lang, committed_first_as_your_own_edits(list)))));
        }
        out
    }

    /// Chapters, files, drafts and money, a line each if not empty.
    fn effects(&self, lang: Lang) -> Vec<String> {
        let mut lines = Vec::new();
        let chapters = |chapters: &[ChapterNo]| words::chapters(chapters, lang);
        if !self.chapters_leaving.is_empty() {
            lines.push(say!(lang, chapters_that_leave(list = chapters(&self.chapters_leaving))));
        }
        if !self.chapters_returning.is_empty() {
            lines.push(say!(lang, chapters_that_come_back(list = chapters(&self.chapters_returning))));
        }
        let text = |file: &FileEffect| match layout::classify(&file.path) {
            Some(BookPath::Chapter(_, chapter)) if file.change == EditKind::Modified => Some(chapter),
            _ => None,
        };
        let texts: Vec<ChapterNo> = self.files.iter().filter_map(text).collect();
        if !texts.is_empty() {
            lines.push(say!(lang, chapters_whose_text_changes(list = chapters(&texts))));
        }
        if !self.files.is_empty() {
            let of = |change: EditKind| self.files.iter().filter(|file| file.change == change).count();
            let (modified, deleted, added) = (of(EditKind::Modified), of(EditKind::Deleted), of(EditKind::Added));
            let counts = [
                (modified, say!(lang, files_modified(modified))),
                (deleted, say!(lang, files_deleted(deleted))),
                (added, say!(lang, files_added(added))),
            ];
            let counts: Vec<String> = counts.into_iter().filter(|(n, _)| *n > 0).map(|(_, text)| text).collect();
            lines.push(say!(lang, files_change(list = counts.join(say!(lang, clause_comma)))));
        }
        if !self.drafts.is_empty() {
            lines.push(say!(lang, drafts_put_aside(list = self.drafts.join(say!(lang, list_comma)))));
        }
        if self.paid_micro_usd > 0 || self.paid_is_partial {
            let rest = if self.paid_is_partial { say!(lang, and_more_of_unknown_price) } else { "" };
            lines.push(say!(lang, paid_for_what_leaves(paid = figures::money(self.paid_micro_usd, lang), rest)));
        }
        lines
    }
}

/// Each wish with its number from 1 and its chapters, and the command to take one back.
pub fn wishes_text(open: &Wishes, lang: Lang, columns: usize) -> String {
    if open.wishes.is_empty() {
        return say!(lang, no_wishes(command = paint(HINT, say!(lang, novel_wish_text)))).to_owned();
    }
    let mut table = Table::bare("rll", 1);
    for (at, wish) in open.wishes.iter().enumerate() {
        let number = (at + 1).to_string();
        table.row([number.into(), wish.text.as_str().into(), Cell::painted(DIM, wish_extent(wish, lang))]);
    }
    let command = paint(HINT, &format!("novel wish --take-back {}", open.wishes.len()));
    table.text(columns) + &say!(lang, wish_to_take_one_back(command))
}

/// The chapters of a wish: `ch-013–ch-015`.
pub(super) fn wish_extent(wish: &Wish, lang: Lang) -> String {
    let (first, last) = (wish.first_chapter, wish.last_chapter);
    if first == last { first.to_string() } else { say!(lang, wish_chapters(first, last)) }
}

/// A wish that is in the book now.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct WishNoted {
    pub status: &'static str,
    #[serde(flatten)]
    pub wish: Wish,
    pub commit: Commit,
    /// The next chapter, where it has a text already and the wish begins after it.
    pub passed_over: Option<ChapterNo>,
}

impl WishNoted {
    pub fn text(&self, lang: Lang) -> String {
        format!("{}\n{}\n", wish_noted(&self.wish, self.passed_over, lang), say!(lang, to_see_wishes_novel_wish))
    }
}

/// The chapters of a new wish, and the ways to have it in the chapter before them.
pub fn wish_noted(wish: &Wish, passed_over: Option<ChapterNo>, lang: Lang) -> String {
    let told = say!(lang, wish_is_noted(chapters = wish_extent(wish, lang)));
    match passed_over {
        Some(chapter) => told + &say!(lang, wish_passes_chapter_over(chapter, number = chapter.get())),
        None => told,
    }
}

/// The way to a wish, beside the choices of what comes next.
pub(super) fn wish_hint(lang: Lang) -> String {
    let command = say!(lang, novel_wish_text);
    format!("{}\n", paint(DIM, &say!(lang, or_wish_for_next_chapters(command))))
}
