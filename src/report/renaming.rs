//! A person's new name: the answer of `novel character rename`.

use super::catalogue::say;
use super::commit::Commit;
use super::lang::Lang;
use super::lists::listed;
use super::style::{DIM, HINT, paint};
use crate::domain::ChapterNo;
use crate::pipeline::planning::rename::{self, RenamedByHand};
use crate::store::format::rename::Reach;
use serde::Serialize;

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Renamed {
    pub id: String,
    /// The name before.
    pub from: String,
    /// The name from now on.
    pub name: String,
    /// Aliases, which stay.
    pub aliases: Vec<String>,
    /// Every name that is no longer used.
    pub former_names: Vec<String>,
    /// Written chapters with old names, as they were before the change.
    pub chapters: Vec<OldNames>,
    /// True when the chapters have the new name.
    pub in_chapters: bool,
    /// Longer names that hold an old one and stay.
    pub longer: Vec<String>,
    /// The number of files that change.
    pub files: usize,
    /// The commit; null for a preview, and where nothing changes.
    pub commit: Option<Commit>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct OldNames {
    pub chapter: ChapterNo,
    /// The number of old names.
    pub count: usize,
    /// The number of those that stay, because the text may mean something else.
    pub doubtful: usize,
    /// The sentence with the first one.
    pub quotation: String,
}

impl Renamed {
    #[must_use]
    pub fn of(outcome: &rename::Renamed) -> Self {
        let chapters = outcome.chapters.iter().map(|found| OldNames {
            chapter: found.chapter,
            count: found.count,
            doubtful: found.doubtful,
            quotation: found.quotation.clone(),
        });
        Self {
            id: outcome.id.to_string(),
            from: outcome.was.clone(),
            name: outcome.to.clone(),
            aliases: outcome.aliases.clone(),
            former_names: outcome.former_names.clone(),
            chapters: chapters.collect(),
            in_chapters: outcome.reach == Reach::Chapters,
            longer: outcome.longer.clone(),
            files: outcome.files,
            commit: outcome.done.as_ref().map(|done| done.commit.into()),
        }
    }

    /// The number of old names that change in chapters.
    #[must_use]
    pub fn occurrences(&self) -> usize {
        self.chapters.iter().map(|found| found.count - found.doubtful).sum()
    }

    /// The change, the chapters with old names, and the command to type next.
    #[must_use]
    pub fn text(&self, lang: Lang) -> String {
        let (name, from, files) = (&self.name, &self.from, self.files);
        let mut out = match &self.commit {
            Some(commit) => {
                let commit = commit.short();
                say!(lang, person_is_renamed(from, name, files, commit))
            }
            None if files == 0 => say!(lang, nobody_to_be_renamed(name)),
            None => say!(lang, person_would_be_renamed(from, name, files)),
        };
        if self.files > 0 && !self.aliases.is_empty() {
            let aliases = listed(&self.aliases, lang);
            out.push_str(&say!(lang, aliases_stay(aliases)));
        }
        if !self.longer.is_empty() {
            let longer = listed(&self.longer, lang);
            out.push_str(&say!(lang, longer_names_stay(longer)));
        }
        if !self.chapters.is_empty() {
            let (chapters, count) = (self.chapters.len(), self.occurrences());
            out.push_str(&match (self.in_chapters, self.commit.is_some()) {
                (true, true) => say!(lang, chapters_had_old_name(chapters, count)),
                (true, false) => say!(lang, chapters_would_change(chapters, count)),
                (false, _) => say!(lang, chapters_have_old_name(chapters, count)),
            });
        }
        for OldNames { chapter, count, doubtful, quotation } in &self.chapters {
            let doubt = if *doubtful > 0 { say!(lang, doubtful_stay(doubtful)) } else { String::new() };
            let (open, close) = (say!(lang, opening_quote), say!(lang, closing_quote));
            let quotation = paint(DIM, &format!("{open}{quotation}{close}"));
            out.push_str(&format!("  {chapter}  {count}{doubt}  {quotation}\n"));
        }
        if !self.in_chapters && self.occurrences() > 0 {
            let command = paint(HINT, &command((&self.id, name), " --in-chapters"));
            out.push_str(&say!(lang, to_change_chapters_too(command)));
        }
        if self.commit.is_some() {
            out.push_str(say!(lang, take_back_with_novel_undo));
        }
        out
    }
}

fn command((id, name): (&str, &str), flags: &str) -> String {
    let name = if name.contains(char::is_whitespace) { format!("'{name}'") } else { name.to_owned() };
    format!("novel character rename {id} {name}{flags}")
}

/// A person whom the author has renamed by hand, and the command that lets the rest follow.
#[must_use]
pub fn by_hand((id, was, is): (&str, &str, &str), lang: Lang) -> String {
    let command = command((id, is), " --dry-run");
    say!(lang, renamed_by_hand(was, is, command))
}

/// A name changed by hand in words for `novel status`, where it is known whether chapters have the old name.
#[must_use]
pub fn pending(renamed: &RenamedByHand, lang: Lang) -> String {
    let RenamedByHand { id, was, is, in_chapters } = renamed;
    let command = command((id.as_str(), is), if *in_chapters { " --in-chapters" } else { "" });
    match in_chapters {
        true => say!(lang, renamed_and_chapters_have_old_name(was, is, command)),
        false => say!(lang, renamed_and_records_have_old_name(was, is, command)),
    }
}
