//! Things that left the book and are kept, and their return, the answers of `novel restore`; the author's own text at the place
//! of a chapter whose draft is open, which is kept then.

use crate::domain::Work;
use crate::pipeline::book::kept::{Kept, KeptThing, KeptWhy};
use crate::pipeline::chapter::existing::OwnText;
use crate::pipeline::chapter::restore::Restored;
use crate::report::prelude::*;
use crate::report::subject;
use crate::report::words::quoted;
use crate::store::{CommitId, Kind, Transaction};
use std::path::Path;

/// The newest first.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct KeptList {
    pub kept: Vec<KeptEntry>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct KeptEntry {
    /// The name for `novel restore NAME`.
    pub name: String,
    /// `line`, `branch`, `draft`, `chapter` or `files`.
    pub kind: &'static str,
    pub chapters: Vec<ChapterNo>,
    /// The files, for the kind `files`.
    pub files: Vec<String>,
    /// The reason: `rolled-back`, `undone`, `line-left`, `replaced`, `put-aside`, `damaged`, `salvaged`, `staged`,
    /// `deleted`.
    pub why: KeptWhy,
    pub commit: Commit,
    /// Time of the commit, in the author's zone.
    pub time: String,
    /// The first line of the commit.
    pub subject: String,
    #[serde(skip)]
    what: [String; 2],
}

impl KeptEntry {
    /// `time` is the commit's time in the author's words.
    pub fn of(kept: &Kept, time: String) -> Self {
        let (kind, chapters, files) = match &kept.thing {
            KeptThing::Line { chapters, .. } => ("line", chapters.clone(), Vec::new()),
            KeptThing::Branch { .. } => ("branch", Vec::new(), Vec::new()),
            KeptThing::Draft(work) => ("draft", work.chapter().into_iter().collect(), Vec::new()),
            KeptThing::Chapter(chapter) => ("chapter", vec![*chapter], Vec::new()),
            KeptThing::Files(paths) => ("files", Vec::new(), paths.clone()),
        };
        Self {
            name: kept.name.clone(),
            kind,
            chapters,
            files,
            why: kept.why,
            commit: kept.commit.into(),
            time,
            subject: kept.subject.clone(),
            what: [Lang::Zh, Lang::En].map(|lang| what(&kept.thing, lang)),
        }
    }
}

impl Words for KeptWhy {}

fn what(thing: &KeptThing, lang: Lang) -> String {
    match thing {
        KeptThing::Line { transactions, chapters } if chapters.is_empty() => {
            say!(lang, kept_steps_transactions(transactions))
        }
        KeptThing::Line { chapters, .. } => {
            let noun = if chapters.len() == 1 { "chapter" } else { "chapters" };
            say!(lang, kept_noun_list(noun, list = words::chapters(chapters, lang)))
        }
        KeptThing::Branch { name } => say!(lang, branch(name)),
        KeptThing::Draft(work) => work_in(*work, lang),
        KeptThing::Chapter(chapter) => say!(lang, earlier_text_of(chapter)),
        KeptThing::Files(paths) => paths.join(say!(lang, list_comma)),
    }
}

fn work_in(work: Work, lang: Lang) -> String {
    let name = match work {
        Work::Step(step) => step.say(lang).to_owned(),
        work => work.to_string(),
    };
    say!(lang, draft_of(name))
}

impl KeptList {
    /// A line each, and the command that brings one back.
    pub fn text(&self, lang: Lang, columns: usize) -> String {
        if self.kept.is_empty() {
            return say!(lang, nothing_has_left_book).to_owned();
        }
        let mut table = Table::new(say!(lang, kept_columns).split('|'), "lllll", 4).yielding(16, [3]);
        for entry in &self.kept {
            let what = lang.pick(&entry.what[0], &entry.what[1]);
            table.row([
                Cell::painted(STRONG, entry.name.as_str()),
                what.as_str().into(),
                entry.why.say(lang).into(),
                Cell::painted(DIM, figures::minute(&entry.time)),
                subject::worded(&entry.subject, lang).into(),
            ]);
        }
        let name = say!(lang, placeholder_name);
        let look = paint(HINT, &format!("novel restore {name} --print"));
        let back = paint(HINT, &format!("novel restore {name}"));
        let hint = say!(lang, to_look_at_one_to_bring(look, back));
        table.text(columns) + &hint
    }
}

/// The result of `novel restore NAME`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CameBack {
    /// `line`, `chapter`, `draft`, `files`, `branch`, `unchanged`, or `restored` where an interrupted command had done
    /// it.
    pub kind: &'static str,
    /// A sentence without its end, in the author's language.
    pub what: String,
    /// The commit of the book, if one was needed.
    pub commit: Option<Commit>,
    /// Later chapters that rely on the difference.
    pub affected: Vec<ChapterNo>,
    /// The command that reverts it, or the one to type next.
    pub next: Option<String>,
}

impl CameBack {
    pub fn of(restored: &Restored, name: &str, lang: Lang) -> Self {
        let undo = || Some("novel undo".to_owned());
        let bare = |kind, what| Self { kind, what, commit: None, affected: Vec::new(), next: None };
        match restored {
            Restored::Line(done) => {
                let what = say!(lang, brought_line_back(name));
                Self { commit: Some(done.committed.id.into()), next: undo(), ..bare("line", what) }
            }
            Restored::Chapter { chapter, commit, affected } => {
                let what = say!(lang, brought_that_text_of_back(chapter));
                let (commit, affected) = (Some((*commit).into()), affected.clone());
                Self { commit, affected, next: undo(), ..bare("chapter", what) }
            }
            Restored::Removed(chapter, done) => {
                let commit = done.done.as_ref().map(|done| done.commit.into());
                Self { commit, next: undo(), ..bare("chapter", say!(lang, brought_that_text_of_back(chapter))) }
            }
            Restored::Draft(work, _) => {
                let work = work_in(*work, lang);
                Self { next: Some("novel continue".to_owned()), ..bare("draft", say!(lang, opened_again(work))) }
            }
            Restored::Files { commit, paths } => {
                let list = paths.join(say!(lang, list_comma));
                Self { commit: Some((*commit).into()), next: undo(), ..bare("files", say!(lang, brought_back(list))) }
            }
            Restored::Branch(branch) => {
                let what = say!(lang, branch_is_there_again(branch));
                Self { next: Some(format!("novel branch switch {branch}")), ..bare("branch", what) }
            }
            Restored::Unchanged => bare("unchanged", say!(lang, is_there_already_nothing_has_changed(name))),
        }
    }

    /// The result of a command that was interrupted and given again.
    pub fn again(name: &str, commit: &CommitId, lang: Lang) -> Self {
        Self {
            kind: "restored",
            what: say!(lang, was_brought_back_before_interruption(name)),
            commit: Some((*commit).into()),
            affected: Vec::new(),
            next: Some("novel undo".to_owned()),
        }
    }

    /// The line, and the chapters that rely on the difference.
    pub fn text(&self, lang: Lang) -> String {
        let what = &self.what;
        let commit = self.commit.as_ref().map_or_else(String::new, |id| say!(lang, kept_as(id)));
        let next = match (&self.next, &self.commit) {
            (None, _) => String::new(),
            (Some(next), Some(_)) => say!(lang, kept_undo(next = paint(HINT, next))),
            (Some(next), None) => say!(lang, kept_next(next = paint(HINT, next))),
        };
        let mut out = format!("{what}{commit}{next}\n");
        if !self.affected.is_empty() {
            out.push_str(&say!(lang, chapters_rest_on_what_is_different(list = words::chapters(&self.affected, lang))));
        }
        out
    }
}

/// The text, and the outcome for the draft, which is open still.
pub fn own_text(own: &OwnText, root: &Path, lang: Lang) -> String {
    let OwnText { path, chapter, .. } = own;
    let heading = heading(own, lang);
    let mut words = match own.committed {
        true => say!(lang, own_text_is_chapter(path, chapter, heading)) + say!(lang, its_draft_will_be_put_aside),
        false => say!(lang, own_text_is_in_place_of(path, chapter, heading)) + say!(lang, its_draft_would_be_put_aside),
    };
    words.push_str(&to_insert(own, root, lang));
    words
}

/// The text, after the draft was put aside and kept under this name.
pub fn own_text_in_place_of(own: &OwnText, kept: &str, root: &Path, lang: Lang) -> String {
    let OwnText { path, chapter, .. } = own;
    let is = say!(lang, own_text_is_chapter(path, chapter, heading = heading(own, lang)));
    is + &to_insert(own, root, lang) + &say!(lang, own_text_then_restore(kept))
}

fn heading(own: &OwnText, lang: Lang) -> String {
    own.headed.map(|number| say!(lang, own_text_has_number(number))).unwrap_or_default()
}

/// The way by which the text comes before the chapter that is planned.
fn to_insert(own: &OwnText, root: &Path, lang: Lang) -> String {
    let full = root.join(&own.path);
    let aside = quoted(format!("{}.aside", full.display()));
    let (git, path) = (quoted(root.display()), quoted(&own.path));
    let mut away = format!("mv {} {aside}", quoted(full.display()));
    if own.committed {
        away.push_str(&format!(" && git -C {git} commit -m aside -- {path}"));
    }
    let (chapter, number) = (own.chapter, own.chapter.get());
    let title = if own.title.is_empty() { say!(lang, own_text_title) } else { &own.title };
    say!(lang, own_text_to_insert(chapter, away, number, title = quoted(title), aside))
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Interrupted {
    pub commit: Commit,
    /// The kind: `chapter`, `undo`, …
    pub kind: &'static str,
    pub chapter: Option<ChapterNo>,
    /// A noun phrase for the author: `the acceptance of ch-004`.
    pub what: String,
}

impl Interrupted {
    pub fn of(transaction: &Transaction, lang: Lang) -> Self {
        Self {
            commit: transaction.id.into(),
            kind: transaction.kind.as_str(),
            chapter: transaction.accepts(),
            what: name(transaction, lang),
        }
    }

    /// The message after recovery has finished the transaction.
    pub fn finished(&self, lang: Lang) -> String {
        let Self { commit, what, .. } = self;
        say!(lang, finished_which_had_been_interrupted(what, commit))
    }

    /// The message while the transaction is unfinished.
    pub fn waits(&self, lang: Lang) -> String {
        say!(lang, was_interrupted_next_command_that_writes(what = &self.what))
    }
}

/// A noun phrase for the author.
fn name(transaction: &Transaction, lang: Lang) -> String {
    let subject = &transaction.subject;
    let after = subject.split_once(": ").or(subject.split_once('：')).map_or(subject.as_str(), |(_, after)| after);
    match (transaction.kind, transaction.accepts()) {
        (_, Some(chapter)) if transaction.replaces().is_some() => say!(lang, rewriting_of(chapter)),
        (_, Some(chapter)) => say!(lang, acceptance_of(chapter)),
        (Kind::HandEdit, _) => say!(lang, commit_of_your_edits).to_owned(),
        (Kind::Init, _) => say!(lang, making_of_book).to_owned(),
        (Kind::Rollback, _) => say!(lang, rollback_to(to = after)),
        (Kind::Undo, _) => say!(lang, undo_of(of = subject::worded(after, lang))),
        (Kind::Redo, _) => say!(lang, redo_of(of = subject::worded(after, lang))),
        (kind, _) => say!(lang, interrupted_subject(subject = subject::of_commit(kind, subject, lang))),
    }
}
