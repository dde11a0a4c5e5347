//! A person's new name: the answer of `novel character rename`.
//! Chapters with other numbers: the answer of `novel chapter`.

use crate::domain::impact::NameClash;
use crate::domain::renumbering::Renumbering;
use crate::domain::volume::outline::Field;
use crate::pipeline::planning::rename::{self, RenamedByHand};
use crate::pipeline::planning::renumber::Renumbered;
use crate::pipeline::planning::renumber_order::Unplanted;
use crate::report::prelude::*;
use crate::store::format::renumber::RenameReach;

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RenameReport {
    pub id: String,
    pub from: String,
    pub name: String,
    pub aliases: Vec<String>,
    /// Every name that is no longer used.
    pub former_names: Vec<String>,
    /// Written chapters with old names, as they were before the change.
    pub chapters: Vec<rename::Occurrences>,
    /// True when the chapters have the new name.
    pub in_chapters: bool,
    /// Longer names that hold an old one and stay.
    pub longer: Vec<String>,
    /// Old names that are ordinary words too.
    pub common_words: Vec<rename::CommonWord>,
    pub files: usize,
    /// The commit; null for a preview, and where nothing changes.
    pub commit: Option<Commit>,
}

impl RenameReport {
    pub fn of(outcome: &rename::RenameResult) -> Self {
        Self {
            id: outcome.id.to_string(),
            from: outcome.was.clone(),
            name: outcome.to.clone(),
            aliases: outcome.aliases.clone(),
            former_names: outcome.former_names.clone(),
            chapters: outcome.chapters.clone(),
            in_chapters: outcome.reach == RenameReach::Chapters,
            longer: outcome.longer.clone(),
            common_words: outcome.common_words.clone(),
            files: outcome.files,
            commit: outcome.done.as_ref().map(|done| done.commit.into()),
        }
    }

    /// The number of old names that change in chapters.
    pub fn occurrences(&self) -> usize {
        self.chapters.iter().map(|found| found.count - found.doubtful).sum()
    }

    /// The change, the chapters with old names, and the command to type next.
    pub fn text(&self, lang: Lang) -> String {
        let (name, from, files) = (&self.name, &self.from, self.files);
        let mut out = match &self.commit {
            Some(commit) => say!(lang, person_is_renamed(from, name, files, commit = commit.short())),
            None if files == 0 => say!(lang, nobody_to_be_renamed(name)),
            None => say!(lang, person_would_be_renamed(from, name, files)),
        };
        if self.files > 0 && !self.aliases.is_empty() {
            out.push_str(&say!(lang, aliases_stay(aliases = listed(&self.aliases, lang))));
        }
        if !self.longer.is_empty() {
            out.push_str(&say!(lang, longer_names_stay(longer = listed(&self.longer, lang))));
        }
        let short: Vec<&String> = self.former_names.iter().filter(|name| name.chars().nth(1).is_none()).collect();
        if self.files > 0 && !short.is_empty() {
            out.push_str(&say!(lang, short_name_stays(names = listed(short, lang))));
        }
        let quoted = |quotation: &str| {
            paint(DIM, &format!("{}{quotation}{}", say!(lang, opening_quote), say!(lang, closing_quote)))
        };
        for rename::CommonWord { word, count, quotations } in &self.common_words {
            out.push_str(&say!(lang, common_word_changes(word, count)));
            quotations.iter().for_each(|quotation| out.push_str(&format!("    {}\n", quoted(quotation))));
        }
        if !self.chapters.is_empty() {
            let (chapters, count) = (self.chapters.len(), self.occurrences());
            out.push_str(&match (self.in_chapters, self.commit.is_some()) {
                (true, true) => say!(lang, chapters_had_old_name(chapters, count)),
                (true, false) => say!(lang, chapters_would_change(chapters, count)),
                (false, _) => say!(lang, chapters_have_old_name(chapters, count)),
            });
        }
        for rename::Occurrences { chapter, count, doubtful, doubtful_quotations, quotation } in &self.chapters {
            let doubt = if *doubtful > 0 { say!(lang, doubtful_stay(doubtful)) } else { String::new() };
            out.push_str(&format!("  {chapter}  {count}{doubt}  {}\n", quoted(quotation)));
            doubtful_quotations.iter().for_each(|quotation| out.push_str(&format!("    {}\n", quoted(quotation))));
        }
        if !self.in_chapters && self.occurrences() > 0 {
            let command = paint(HINT, &command((&self.id, name), " --in-chapters"));
            out.push_str(&say!(lang, to_change_chapters_too(command)));
        }
        if self.commit.is_some() {
            out.push_str(&take_back(1, lang));
        }
        out
    }
}

/// The command that gives a person a name.
pub fn command((id, name): (&str, &str), flags: &str) -> String {
    let name = if name.contains(char::is_whitespace) { format!("'{name}'") } else { name.to_owned() };
    format!("novel character rename {id} {name}{flags}")
}

/// A person whom the author has renamed by hand, and the command that lets the rest follow.
pub fn by_hand((id, was, is): (&str, &str, &str), lang: Lang) -> String {
    say!(lang, renamed_by_hand(was, is, command = command((id, is), " --dry-run")))
}

/// A name changed by hand that leaves open who is meant.
pub fn clash(NameClash { id, was, is, by, by_is }: &NameClash, lang: Lang) -> String {
    match by_is {
        Some(by_is) => say!(lang, names_are_exchanged(was, id, is, by, by_is)),
        None => say!(lang, name_is_shared(was, id, is, by)),
    }
}

/// The commands that lead out of the clash.
pub fn out_of_clash(NameClash { id, is, by, by_is, .. }: &NameClash, lang: Lang) -> String {
    let rename = |id: &str, name: &str| command((id, name), " --in-chapters");
    let first = rename(id.as_str(), say!(lang, name_of_your_choice));
    let Some(by_is) = by_is else { return say!(lang, give_another_name(first)) };
    say!(lang, rename_one_by_one(first, second = rename(by.as_str(), by_is), third = rename(id.as_str(), is)))
}

/// A name changed by hand in words for `novel status`, where it is known whether chapters have the old name.
pub fn pending(renamed: &RenamedByHand, lang: Lang) -> String {
    let RenamedByHand { id, was, is, in_chapters, clash: concerns } = renamed;
    if let Some(concerns) = concerns {
        return clash(concerns, lang);
    }
    let command = command((id.as_str(), is), if *in_chapters { " --in-chapters" } else { "" });
    match in_chapters {
        true => say!(lang, renamed_and_chapters_have_old_name(was, is, command)),
        false => say!(lang, renamed_and_records_have_old_name(was, is, command)),
    }
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RenumberReport {
    #[serde(rename = "operation")]
    pub how: Renumbering,
    pub moved: Vec<NumberMove>,
    pub files: usize,
    /// Chapters whose summary and state changes are not of their text.
    pub rebuild: Vec<ChapterNo>,
    /// Chapters in the making whose drafts get other numbers.
    pub drafts: Vec<MovedDraft>,
    /// The fields of an inserted chapter's section that are as in the one beside it; null for other operations.
    pub taken: Option<InheritedFields>,
    /// The plot threads that only the removed chapter planted, and that later chapters advance or resolve.
    pub unplanted: Vec<Unplanted>,
    #[serde(skip)]
    pub earlier: Vec<Renumbering>,
    /// Other operations by hand that are to be taken over after this one.
    pub then: Vec<Renumbering>,
    #[serde(skip)]
    pub has_edits: bool,
    /// The commit; null for a preview.
    pub commit: Option<Commit>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct InheritedFields {
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
pub struct NumberMove {
    pub from: u32,
    pub to: u32,
}

impl RenumberReport {
    pub fn of(outcome: &Renumbered) -> Self {
        let moved = outcome.moved.iter().map(|(from, to)| NumberMove { from: from.get(), to: to.get() });
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
                InheritedFields { storyline, viewpoint, place, outline: outline.clone() }
            }),
            unplanted: outcome.unplanted.clone(),
            earlier: outcome.earlier.clone(),
            then: outcome.then.clone(),
            has_edits: outcome.has_edits,
            commit: outcome.done.as_ref().map(|done| done.commit.into()),
        }
    }

    /// The operation, the new numbers, and the command to type next, where this is the last one: `count` steps lead back.
    pub fn text(&self, lang: Lang, count: usize) -> String {
        let all = [self.earlier.as_slice(), &[self.how], &self.then].concat();
        let (what, files) = (one_in_words(&all, self.earlier.len(), lang), self.files);
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
        if let Some(InheritedFields { storyline, viewpoint, place, outline }) = &self.taken {
            let fields = [
                (say!(lang, taken_storyline), storyline),
                (say!(lang, taken_viewpoint), viewpoint),
                (say!(lang, taken_place), place),
            ];
            let fields = fields.into_iter().filter(|(_, value)| !value.is_empty());
            let list: Vec<String> = fields.map(|(name, value)| format!("{name} {value}")).collect();
            let list = list.join(say!(lang, list_comma));
            out.push_str(&match list.is_empty() {
                true => say!(lang, section_has_fields_to_be_told(outline)),
                false => say!(lang, section_is_like_its_neighbour(list, outline)),
            });
        }
        for Unplanted { id, words, taken_up } in &self.unplanted {
            let name = if words.is_empty() { id.as_str() } else { words };
            let chapters = words::chapters(taken_up, lang);
            out.push_str(&say!(lang, thread_is_no_longer_planted(name, chapters)));
        }
        out.push_str(&self.to_rebuild(lang));
        match (&self.commit, self.then.as_slice()) {
            (Some(_), []) if self.has_edits => out.push_str(&say!(lang, take_back_with_edits(count = steps(count)))),
            (Some(_), []) => out.push_str(&take_back(count, lang)),
            (None, [_, ..]) => {
                out.push_str(&say!(
                    lang,
                    chapters_move_further(what = all_in_words(&all, self.earlier.len() + 1, lang))
                ));
            }
            _ => {}
        }
        out
    }
}

fn take_back(count: usize, lang: Lang) -> String {
    say!(lang, take_back_with_novel_undo(count = steps(count)))
}

fn steps(count: usize) -> String {
    if count > 1 { format!(" {count}") } else { String::new() }
}

impl RenumberReport {
    /// The command for chapters whose summary and state changes are not of their text; empty without any.
    pub fn to_rebuild(&self, lang: Lang) -> String {
        if self.rebuild.is_empty() {
            return String::new();
        }
        let list: Vec<String> = self.rebuild.iter().map(|chapter| chapter.get().to_string()).collect();
        let command = paint(HINT, &format!("novel rebuild {}", list.join(",")));
        say!(lang, chapters_to_be_read_again(command))
    }
}

/// The operations after the first `told` in words, each with the numbers that its chapters have before all and after all.
pub fn all_in_words(all: &[Renumbering], told: usize, lang: Lang) -> String {
    let removed = |(at, how): (usize, &Renumbering)| match *how {
        Renumbering::Remove(chapter) => all[..at].iter().rev().try_fold(chapter, |number, how| how.before(number)),
        _ => None,
    };
    let removed: Vec<ChapterNo> = all.iter().enumerate().map_while(removed).collect();
    let gone = removed.get(told..).filter(|gone| !gone.is_empty());
    let gone = gone.map(|gone| say!(lang, chapter_is_removed(at = words::listed(gone, lang))));
    let rest = (told.max(removed.len())..all.len()).map(|at| one_in_words(all, at, lang));
    gone.into_iter().chain(rest).collect::<Vec<_>>().join(say!(lang, clause_semicolon))
}

fn one_in_words(all: &[Renumbering], at: usize, lang: Lang) -> String {
    let was = |of| all[..at].iter().rev().try_fold(of, |number, how| how.before(number)).unwrap_or(of);
    let is = |of| Renumbering::of_all(&all[at + 1..], of).unwrap_or(of);
    match all[at] {
        Renumbering::Insert(new) => in_words(Renumbering::Insert(is(new)), lang),
        Renumbering::Split(of) => in_words(Renumbering::Split(is(of)), lang),
        Renumbering::Move { from, to } if was(from) != is(to) => {
            say!(lang, chapter_is_moved(from = was(from), to = is(to)))
        }
        Renumbering::Merge(of) => say!(lang, chapters_are_merged(at = was(of), next = was(of.next()))),
        Renumbering::Remove(of) => in_words(Renumbering::Remove(was(of)), lang),
        how @ Renumbering::Move { .. } => in_words(how, lang),
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
