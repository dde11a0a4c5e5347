//! Things that left the book and are kept, and their return: the answers of `novel restore`.

use crate::domain::Work;
use crate::pipeline::book::kept::{Kept, KeptThing, KeptWhy};
use crate::pipeline::chapter::restore::Restored;
use crate::report::prelude::*;
use crate::report::subject;
use crate::store::CommitId;

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
