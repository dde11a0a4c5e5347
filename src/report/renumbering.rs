//! Chapters with other numbers: the answer of `novel chapter`.

use crate::domain::renumbering::Renumbering;
use crate::domain::volume::outline::Field;
use crate::pipeline::planning::renumber::Renumbered;
use crate::report::prelude::*;

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RenumberReport {
    #[serde(rename = "operation")]
    pub how: Renumbering,
    pub moved: Vec<Moved>,
    pub files: usize,
    /// Chapters whose summary and state changes are not of their text.
    pub rebuild: Vec<ChapterNo>,
    /// Chapters in the making whose drafts get other numbers.
    pub drafts: Vec<MovedDraft>,
    /// The fields of an inserted chapter's section that are as in the one beside it; null for other operations.
    pub taken: Option<Taken>,
    /// The commit; null for a preview.
    pub commit: Option<Commit>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Taken {
    pub storyline: String,
    pub viewpoint: String,
    pub place: String,
    /// The outline with the section.
    pub outline: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct MovedDraft {
    pub from: u32,
    /// Null for a draft that is put aside.
    pub to: Option<u32>,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Moved {
    pub from: u32,
    pub to: u32,
}

impl RenumberReport {
    pub fn of(outcome: &Renumbered) -> Self {
        let moved = outcome.moved.iter().map(|(from, to)| Moved { from: from.get(), to: to.get() });
        Self {
            how: outcome.how,
            moved: moved.collect(),
            files: outcome.files,
            rebuild: outcome.rebuild.clone(),
            drafts: (outcome.drafts.iter())
                .map(|(from, to)| MovedDraft { from: from.get(), to: to.map(ChapterNo::get) })
                .collect(),
            taken: outcome.taken.as_ref().map(|(outline, fields)| {
                let [storyline, viewpoint, place] = [Field::Storyline, Field::Pov, Field::Location]
                    .map(|field| fields.get(&field).cloned().unwrap_or_default());
                Taken { storyline, viewpoint, place, outline: outline.clone() }
            }),
            commit: outcome.done.as_ref().map(|done| done.commit.into()),
        }
    }

    /// The operation, the new numbers, and the command to type next.
    pub fn text(&self, lang: Lang) -> String {
        let (what, files) = (in_words(self.how, lang), self.files);
        let mut out = match &self.commit {
            Some(commit) => say!(lang, chapters_renumbered(what, files, commit = commit.short())),
            None => say!(lang, chapters_would_be_renumbered(what, files)),
        };
        for run in self.moved.chunk_by(|a, b| a.from + 1 == b.from && a.to + 1 == b.to) {
            let (first, last) = (run[0], run[run.len() - 1]);
            out.push_str(&match run.len() {
                1 => format!("  ch-{:03} → ch-{:03}\n", first.from, first.to),
                _ => format!("  ch-{:03}–ch-{:03} → ch-{:03}–ch-{:03}\n", first.from, last.from, first.to, last.to),
            });
        }
        for draft in &self.drafts {
            let from = format!("ch-{:03}", draft.from);
            out.push_str(&match draft.to {
                Some(to) => say!(lang, draft_follows_its_chapter(from, to = format!("ch-{to:03}"))),
                None => say!(lang, draft_of_changed_chapter_is_put_aside(from)),
            });
        }
        if let Some(Taken { storyline, viewpoint, place, outline }) = &self.taken {
            out.push_str(&say!(lang, section_is_like_its_neighbour(storyline, viewpoint, place, outline)));
        }
        if !self.rebuild.is_empty() {
            let list: Vec<String> = self.rebuild.iter().map(|chapter| chapter.get().to_string()).collect();
            let command = paint(HINT, &format!("novel rebuild {}", list.join(",")));
            out.push_str(&say!(lang, chapters_to_be_read_again(command)));
        }
        if self.commit.is_some() {
            out.push_str(say!(lang, take_back_with_novel_undo));
        }
        out
    }
}

pub fn in_words(how: Renumbering, lang: Lang) -> String {
    match how {
        Renumbering::Insert(at) => say!(lang, chapter_is_inserted(at)),
        Renumbering::Move { from, to } if from == to => say!(lang, chapter_is_in_other_volume(from)),
        Renumbering::Move { from, to } => say!(lang, chapter_is_moved(from, to)),
        Renumbering::Split(at) => say!(lang, chapter_is_split(at)),
        Renumbering::Merge(at) => say!(lang, chapters_are_merged(at, next = at.next())),
        Renumbering::Remove(at) => say!(lang, chapter_is_removed(at)),
    }
}

pub(super) fn subject(how: Renumbering, lang: Lang) -> String {
    match lang {
        Lang::Zh => format!("{}{}", say!(lang, subject_chapters), in_words(how, lang)),
        Lang::En => format!("{}{how}", say!(lang, subject_chapters)),
    }
}
