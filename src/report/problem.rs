//! Flaws of the book's files and values, in words for the author.

use crate::agents::PromptError;
use crate::agents::call::prompt::FillError;
use crate::agents::checks::completeness::RemovedPart;
use crate::domain::state::OpRefusal;
use crate::domain::volume::foreshadowing::Action;
use crate::domain::volume::outline::{self, OutlineError};
use crate::domain::volume::plan::Flaw;
use crate::domain::world::retirement::Blocker;
use crate::domain::world::storyline::MAX_ACTIVE;
use crate::pipeline::engine::error::RenumberError;
use crate::pipeline::workflow::FileFault;
use crate::pipeline::{Warning, Why};
use crate::report::prelude::*;
use crate::report::renaming::in_words;
use crate::report::words::quoted;
use crate::report::{faults, foreshadow};
use crate::store::format::{At, FormatError, Mistake, Problem};
use crate::store::layout::{self, BookPath};
use crate::store::{Obstacle, Obstruction};
use std::path::Path;

/// A flaw of a file with its place: `第 5 行：第 1 章缺「冲突」`.
pub fn of_format(error: &FormatError, lang: Lang) -> String {
    let place = place(&error.at, lang);
    let what = match &error.problem {
        Problem::NotText => say!(lang, file_is_not_utf_text).to_owned(),
        Problem::Encoding(name) => say!(lang, file_is_saved_as_and_not(name)),
        Problem::Empty => say!(lang, file_is_empty).to_owned(),
        Problem::CutOff => say!(lang, file_ends_in_middle_of_line).to_owned(),
        Problem::Conflict => say!(lang, file_has_unresolved_conflict_markers).to_owned(),
        Problem::Outline(problem) => of_section(problem, lang),
        Problem::Syntax(syntax) => faults::of_syntax(syntax, lang),
        Problem::Value(value) => faults::of_mistake(value, lang),
        Problem::Newer { found, known } => {
            say!(lang, file_has_schema_version_and_novel(found, version = env!("CARGO_PKG_VERSION"), known))
        }
        Problem::Secret => say!(lang, keys_and_endpoints_do_not_belong).to_owned(),
    };
    format!("{place}{what}")
}

fn place(at: &At, lang: Lang) -> String {
    match at {
        At::File => String::new(),
        At::Line(line) => say!(lang, problem_line(line)),
        At::Position(line, column) => say!(lang, line_column(line, column)),
        At::Key(key) => say!(lang, problem_key(key)),
    }
}

/// The version of an unusable file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileVersion {
    Committed,
    Uncommitted,
}

/// The remedy for an unusable file.
pub fn advice(error: &FormatError, path: &str, version: FileVersion) -> Both {
    match (&error.problem, version) {
        (Problem::Encoding(_), _) if !path.starts_with("staging/") => both!(save_it_as_utf_or_let),
        (Problem::NotText | Problem::Encoding(_), _) if path.starts_with("staging/") => both!(save_file_as_utf),
        (Problem::Conflict, _) => both!(choose_one_side_between_and_then),
        (Problem::Newer { .. }, _) => both!(install_newer_novel_file_is_left),
        (Problem::Secret, _) => both!(remove_it_here_set_it_with),
        // The file is readable, so a repair has nothing to restore.
        (Problem::Value(Mistake::UnknownSetting { .. }), _) => both!(correct_line_of_setting(path)),
        (_, FileVersion::Uncommitted) => match path.strip_prefix("staging/") {
            // `staging/` is a work tree of its own.
            Some(path) => both!(correct_it_or_drop_change_git(path)),
            None => both!(correct_it_or_go_back_to),
        },
        (_, FileVersion::Committed) => both!(correct_it_or_bring_last_whole),
    }
}

impl Words for Obstacle {}

/// A thing that blocks a path of the book: `chapters 是符号链接，应为文件夹`.
pub fn of_obstruction(found: &Obstruction, lang: Lang) -> String {
    found.block.say(lang).to_owned()
}

pub fn of_outline(error: &OutlineError, lang: Lang) -> String {
    format!("{}{}", place(&At::Line(error.line), lang), of_section(&error.problem, lang))
}

fn of_section(problem: &outline::OutlineProblem, lang: Lang) -> String {
    use outline::OutlineProblem as P;
    match problem {
        P::Empty => say!(lang, outline_is_empty).to_owned(),
        P::NoNumber(heading) => say!(lang, heading_has_no_number(heading)),
        P::OutOfOrder { found, wanted } => say!(lang, chapter_is_out_of_order(found, wanted)),
        P::Lacks { chapter, field } => {
            let (field, english) = (field.as_str(), field.english());
            say!(lang, field_is_lacking(chapter, field, english))
        }
        P::Twice { chapter, field } => say!(lang, field_stands_twice(chapter, field = field.as_str())),
        P::Storyline(name) => say!(lang, outline_storyline_is_unknown(name)),
        P::NotMarked(heading) => say!(lang, heading_is_not_marked(heading)),
        P::Repeated { chapter, first } => say!(lang, chapter_is_repeated(chapter, first)),
        P::Begins { found, wanted } => say!(lang, outline_begins_elsewhere(found, wanted)),
        P::Unknown { label, meant } => {
            say!(lang, field_is_unknown(label, field = meant.as_str(), english = meant.english()))
        }
    }
}

pub fn of_flaw(flaw: &Flaw, lang: Lang) -> String {
    let verb = |action: Action| foreshadow::verb(action, lang);
    match flaw {
        Flaw::Begins { found, wanted } => say!(lang, plan_begins(found, wanted)),
        Flaw::Count { found, wanted } => say!(lang, plan_count(found, wanted)),
        Flaw::NoConflict(chapter) => say!(lang, plan_no_conflict(chapter)),
        Flaw::TooManyLines { found } => say!(lang, plan_too_many_lines(found, most = MAX_ACTIVE)),
        Flaw::UnknownLine { line } => say!(lang, plan_unknown_line(line)),
        Flaw::EndedLine { line } => say!(lang, plan_ended_line(line)),
        Flaw::NotScheduled { chapter, line } => say!(lang, plan_not_scheduled(chapter, line)),
        Flaw::NoChapter { line } => say!(lang, plan_no_chapter(line)),
        Flaw::NoPrimary => say!(lang, plan_no_primary).to_owned(),
        Flaw::RunTooLong { line, from, run, limit } => say!(lang, plan_run_too_long(line, from, run, limit)),
        Flaw::AwayTooLong { line, after, gap, limit } => say!(lang, plan_away_too_long(line, after, gap, limit)),
        Flaw::MeetingOutside { from, to } => say!(lang, plan_meeting_outside(from, to)),
        Flaw::MeetingAlone { from, to } => say!(lang, plan_meeting_alone(from, to)),
        Flaw::MeetingEmpty { from, to } => say!(lang, plan_meeting_empty(from, to)),
        Flaw::Range { id, from, to } => say!(lang, plan_range(id, from, to)),
        Flaw::Span { id, plant, to } => say!(lang, plan_span(id, plant, to)),
        Flaw::PlantOutside { id, plant } => say!(lang, plan_plant_outside(id, plant)),
        Flaw::Untold { id, chapter, action } => say!(lang, plan_untold(id, chapter, action = verb(*action))),
        Flaw::Unplanned { id, chapter } => say!(lang, plan_unplanned(id, chapter)),
        Flaw::Order { id, chapter, action } => say!(lang, plan_order(id, chapter, action = verb(*action))),
        Flaw::LeftOpen { id, chapter } => say!(lang, plan_left_open(id, chapter)),
        Flaw::LeftHanging { line } => say!(lang, plan_left_hanging(line)),
        Flaw::NoContract(chapter) => say!(lang, plan_no_contract(chapter)),
        Flaw::UnknownPerson { chapter, id } => format!("{chapter} {}", say!(lang, contract_names_unknown(id))),
        Flaw::Unfounded { chapter, fact } => say!(lang, plan_unfounded(chapter, fact)),
    }
}

/// A thing that still needs a person or a storyline, with its file.
pub fn of_tie(tie: &Blocker, lang: Lang) -> String {
    let file = file_of(tie);
    match tie {
        Blocker::Foreshadowing { id, scope } => say!(lang, foreshadowing_is_open(id, scope = scope.say(lang), file)),
        Blocker::PointOfView { line, status, .. } => {
            say!(lang, storyline_is_told_through_this_person(line, status = status.say(lang), file))
        }
        Blocker::Shared { from, to } => say!(lang, storylines_and_share_this_person(from, to, file)),
        Blocker::Meeting { chapters: (first, last), through, .. } => {
            let by = through.as_ref().map_or_else(String::new, |line| say!(lang, through_eyes_of(line)));
            say!(lang, storylines_are_still_to_meet_in(range = figures::range(first, last), by, file))
        }
        Blocker::Chapters { chapters, .. } => {
            let list = chapters.iter().map(ToString::to_string).collect::<Vec<_>>().join(say!(lang, list_comma));
            say!(lang, planned_and_not_written(list, file))
        }
        Blocker::Change { .. } => say!(lang, change_of_character_waits(file)),
    }
}

/// The file of a tie: in the book, or in the draft in `staging/`.
pub fn file_of(tie: &Blocker) -> String {
    let staged = |waiting: bool, path: String| if waiting { format!("{}/{path}", layout::STAGING) } else { path };
    match tie {
        Blocker::Foreshadowing { .. } => layout::FORESHADOWING.to_owned(),
        Blocker::PointOfView { draft, .. } => staged(draft.is_some(), layout::STORYLINES.to_owned()),
        Blocker::Shared { .. } => layout::STORYLINES.to_owned(),
        Blocker::Meeting { volume, waiting, .. } => staged(*waiting, layout::schedule(*volume)),
        Blocker::Chapters { volume, waiting, .. } => staged(*waiting, layout::outline(*volume)),
        Blocker::Change { id } => staged(true, BookPath::Character { id: id.clone(), retired: false }.path()),
    }
}

pub fn of_prompt(error: &PromptError, lang: Lang) -> String {
    match error {
        PromptError::Fill(FillError::Unknown { file, line, name, known }) => {
            say!(lang, prompt_variable_is_unknown(file, line, name, known))
        }
        PromptError::Fill(FillError::Unused { file, name }) => say!(lang, prompt_variable_is_unused(file, name)),
        PromptError::Fill(FillError::Brace { file, line, brace }) => {
            say!(lang, prompt_brace_is_single(file, line, brace))
        }
        PromptError::UnknownFile(file) => say!(lang, prompt_file_is_unknown(file)),
    }
}

/// Why a file cannot be used.
pub fn of_fault(fault: &FileFault, lang: Lang) -> String {
    match fault {
        FileFault::Missing => say!(lang, file_is_missing).to_owned(),
        FileFault::Format(error) => of_format(error, lang),
        FileFault::Prompt(error) => of_prompt(error, lang),
        FileFault::InTheWay(found) => of_obstruction(found, lang),
        FileFault::Order(error) => of_order(error, lang),
        FileFault::Outline(errors) => {
            let mut what = errors.first().map(|error| of_outline(error, lang)).unwrap_or_default();
            let more = errors.len().saturating_sub(1);
            if more > 0 {
                what.push_str(&say!(lang, status_and_more(more)));
            }
            what
        }
    }
}

/// A text or a section that is not where the order of chapters has it.
pub fn of_order(error: &RenumberError, lang: Lang) -> String {
    match error {
        RenumberError::SectionAlone { how, .. } => say!(lang, section_is_alone(what = in_words(*how, lang))),
        RenumberError::OldNumber { chapter, .. } => say!(lang, text_is_of_chapter_with_other_number(chapter)),
        RenumberError::Misplaced { path, belongs, .. } if layout::classify(path).is_none() => {
            say!(lang, text_has_name_of_no_chapter(belongs))
        }
        RenumberError::Misplaced { path, belongs, .. } if path.rsplit('/').nth(1) == belongs.rsplit('/').nth(1) => {
            say!(lang, text_is_behind_gap).to_owned()
        }
        _ => say!(lang, text_is_in_wrong_volume).to_owned(),
    }
}

/// The command that puts a text back into the folder of its records, or under its present number.
pub fn back_to_order(error: &RenumberError) -> Option<String> {
    let (path, belongs, root, replaces) = match error {
        RenumberError::Misplaced { path, belongs, is_committed: true, root } => {
            let git = format!("git -C {}", quoted(root.display()));
            return Some(format!("{git} mv {path} {belongs} && {git} commit -m {}", chapter_of(belongs)));
        }
        RenumberError::Misplaced { path, belongs, root, .. } => (path, belongs, root, false),
        RenumberError::OldNumber { path, belongs, replaces, root, .. } => (path, belongs, root, *replaces),
        _ => return None,
    };
    let [from, to] = [path, belongs].map(|path| quoted(root.join(path).display()));
    let back =
        if replaces { format!(" && git -C {} checkout -- {path}", quoted(root.display())) } else { String::new() };
    Some(format!("mv {from} {to}{back}"))
}

/// The way to make the author's text at the place of a chapter that chapter.
pub fn to_make_it_chapter(found: &Obstruction, lang: Lang) -> String {
    say!(lang, to_make_it_chapter_git_add(command = commit_as_chapter(found)))
}

/// The command that commits the author's text at the place of a chapter, from any folder.
pub fn commit_as_chapter(found: &Obstruction) -> String {
    let (git, path) = (git_at(found), &found.path);
    format!("{git} add {path} && {git} commit -m {}", chapter_of(path))
}

fn chapter_of(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path).trim_end_matches(".md")
}

/// `git` for the repository of the thing, from any folder.
pub fn git_at(found: &Obstruction) -> String {
    let root = found.full.ancestors().nth(Path::new(&found.path).components().count());
    format!("git -C {}", quoted(root.unwrap_or(&found.full).display()))
}

/// Dropped operations told one by one; the log has all of them.
const DROPPED_LISTED: usize = 3;

/// A warning in one sentence without its end.
///
/// The function is longer than 80 lines because every warning has its sentence here, in both languages.
pub fn say(warning: &Warning, lang: Lang) -> String {
    match warning {
        Warning::TooShort { words, wanted } => say!(lang, has_words_instead_of_at_least(words, wanted)),
        Warning::TooLong { words, wanted } => say!(lang, has_words_instead_of_at_most(words, wanted)),
        Warning::Removed(removed) => of_removed(removed, lang),
        Warning::Recycled { percent, from, passage } => {
            say!(
                lang,
                repeats_of_its_text_from_also(percent, from = crate::report::faults::of_source(*from, lang), passage)
            )
        }
        Warning::Title { title, like } => say!(lang, is_called_which_is_too_like(title, like)),
        Warning::Requoted { spans } => say!(lang, had_quotations_in_other_marks_than(spans)),
        Warning::PromptWords { words } => say!(lang, speaks_of_its_task_also_after(words)),
        Warning::RevisionDropped { why } => {
            let why = crate::report::faults::of_reply(&Why::Reply(why.clone()), lang);
            say!(lang, keeps_its_text_because_revision_cannot(why))
        }
        Warning::NotPolished => say!(lang, second_polish_is_left_out).to_owned(),
        Warning::StyleDrifts { moved } => crate::report::quality::drift_warning(moved, lang),
        Warning::Unchecked { rules } => {
            say!(lang, not_checked_because_judge_did_not(list = rules.join(say!(lang, list_comma))))
        }
        Warning::Unproven { rules } => {
            say!(lang, judged_broken_but_no_words_of(list = rules.join(say!(lang, list_comma))))
        }
        Warning::PlansSettled { count, since } => {
            say!(lang, changes_of_plans_count_as_followed(count, since = since.short()))
        }
        Warning::OtherTitle { title, section } => say!(lang, keeps_title_beside_section(title, section)),
        Warning::CheckoutTakenBack => say!(lang, files_of_checkout_are_out).to_owned(),
        Warning::Rebuilt => say!(lang, follows_chapters_that_plain_git_has).to_owned(),
        Warning::ReviewIsOlder { volume } => say!(lang, is_another_text_than_review_of(volume, n = volume.get())),
        Warning::MentionDropped { entity } => say!(lang, mention_of_is_not_in_text(entity)),
        Warning::OperationCopied { number } => say!(lang, state_operation_repeats_prompts_example_and(number)),
        Warning::OperationsDropped { dropped } => {
            let one = |(number, reason): &(usize, OpRefusal)| {
                say!(lang, state_operation_and_reason(number, reason = faults::of_refusal(reason, lang)))
            };
            let mut list: Vec<String> = dropped.iter().take(DROPPED_LISTED).map(one).collect();
            let (count, more) = (dropped.len(), dropped.len().saturating_sub(DROPPED_LISTED));
            list.extend((more > 0).then(|| say!(lang, state_operations_and_more(more))));
            say!(lang, state_operations_were_dropped(count, list = list.join(say!(lang, list_semicolon))))
        }
        Warning::NotRefined { why } => {
            say!(lang, text_is_not_refined(why = crate::report::faults::of_reply(why, lang)))
        }
        Warning::OperationsSkipped { why } => {
            say!(lang, state_operations_could_not_be_read(why = crate::report::faults::of_reply(why, lang)))
        }
        Warning::SummaryByExcerpt { why } => {
            say!(lang, summary_could_not_be_had(why = crate::report::faults::of_reply(why, lang)))
        }
        Warning::Contradiction(finding) => crate::report::consistency::what(&finding.what, lang),
        Warning::StateIsThin { chapters } => thin_state(chapters, lang),
        Warning::Outdated { chapters } => {
            say!(lang, relies_on_outdated(list = crate::report::words::chapters(chapters, lang)))
        }
        Warning::PlansChanged { count, price } => {
            say!(lang, plans_changed_and_rest_on_them(count, price = Estimate::of(Some(*price)).text(lang)))
        }
        Warning::Renamed { id, was, is } => crate::report::renaming::by_hand((id.as_str(), was, is), lang),
        Warning::FolderLags { why } => say!(lang, is_in_book_but_folder_is(why = faults::of_system_fault(why, lang))),
        Warning::BothChanged { paths } => {
            say!(lang, same_lines_were_changed_in_book(list = paths.join(say!(lang, list_comma))))
        }
        Warning::ContractSince => say!(lang, draft_was_begun_under_another_contract).to_owned(),
        Warning::UnknownPerson { id } => say!(lang, contract_names_unknown(id)),
        Warning::BesideSection { path } => say!(lang, contract_stands_beside_its_section(path)),
        Warning::AheadLost { before, kept } => say!(lang, draft_written_ahead_is_put_aside(before, kept)),
        Warning::Unusable { path } => say!(lang, cannot_be_read_as_it_is(path)),
        Warning::NotWritten => say!(lang, could_not_be_written_noted_and).to_owned(),
        Warning::StyleNotLearnt => say!(lang, style_could_not_be_drawn_from).to_owned(),
        Warning::BegunOtherwise { by_scenes } => begun_otherwise(*by_scenes, lang),
        Warning::NoRoom { stage, model, needed, limit } => {
            let (stage, needed, limit) = (stage.say(lang), figures::count(*needed), figures::count(*limit));
            say!(lang, later_prompt_will_not_fit(stage, model, needed, limit))
        }
        Warning::OtherModel { part, from, to, why } => {
            let (stage, why) = (part.say(lang), crate::report::faults::of_fault(why, lang));
            say!(lang, another_model_is_asked(stage, from, to, why))
        }
        Warning::LargePrompt { part, tokens, limit } => {
            say!(lang, prompt_of_has_about_tokens_over(stage = part.say(lang), tokens, limit))
        }
    }
}

/// Columns of a model's own remarks that are shown.
const TALK: usize = 60;

fn begun_otherwise(by_scenes: bool, lang: Lang) -> String {
    let how = if by_scenes { say!(lang, warning_scene_by_scene) } else { say!(lang, warning_as_whole) };
    say!(lang, was_begun_and_goes_on_so(how))
}

fn of_removed(removed: &RemovedPart, lang: Lang) -> String {
    match removed {
        RemovedPart::PlanAround => say!(lang, had_lines_of_plan_around_its).to_owned(),
        RemovedPart::Prompt => say!(lang, had_lines_of_prompt_in_its).to_owned(),
        RemovedPart::EndRepeats { words } => say!(lang, repeated_itself_in_its_last_words(words)),
        RemovedPart::Twice { words } => say!(lang, had_paragraphs_of_words_twice_they(words)),
        RemovedPart::NextChapter { words } => say!(lang, had_next_chapter_behind_it(words)),
        RemovedPart::Chat { words } => {
            let chars = words.chars().count();
            say!(lang, had_characters_of_models_talk_around(chars, words = crate::report::table::clip(words, TALK)))
        }
        RemovedPart::PreviousEnding { words } => say!(lang, began_with_words_of_end_of(words)),
    }
}

/// Chapters with summaries of an older text, and the remedy.
pub fn outdated(chapters: &[ChapterNo], lang: Lang) -> String {
    say!(lang, chapters_have_been_edited_and_their(list = crate::report::words::chapters(chapters, lang)))
}

/// The proposal to rebuild the state of chapters with unreadable changes.
pub fn thin_state(chapters: &[ChapterNo], lang: Lang) -> String {
    let names: Vec<String> = chapters.iter().map(ChapterNo::to_string).collect();
    let numbers = chapters.iter().map(|chapter| chapter.get().to_string()).collect::<Vec<_>>().join(",");
    let count = chapters.len();
    say!(lang, state_changes_of_chapters_could_not(count, list = names.join(say!(lang, list_comma)), numbers))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::volume::outline::Outline;
    use crate::store::format::Syntax;

    #[test]
    fn mistakes_of_an_outline_are_told_in_the_authors_language() {
        let errors = Outline::parse("## 第1章 起\n- 故事线: main-arc\n").unwrap_err();
        assert_eq!(of_outline(&errors[0], Lang::Zh), "第 1 行：第 1 章缺少 `视角`");
        assert!(of_outline(&errors[0], Lang::En).starts_with("line 1: chapter 1 lacks"));
    }

    #[test]
    fn a_parsers_words_are_known_in_both_languages_and_others_stay_as_they_are() {
        let said = |at, syntax, lang| of_format(&FormatError { at, problem: Problem::Syntax(syntax) }, lang);
        assert_eq!(said(At::Position(1, 8), Syntax::NoValue, Lang::Zh), "第 1 行第 8 列：这里缺少一个值");
        let missing = || Syntax::MissingField("id".into());
        assert_eq!(said(At::Line(3), missing(), Lang::Zh), "第 3 行：缺少字段 `id`");
        assert_eq!(said(At::Line(3), missing(), Lang::En), "line 3: missing field `id`");
        let other = || Syntax::Other("cosmic rays".into());
        assert_eq!(said(At::File, other(), Lang::Zh), "格式不对（cosmic rays）");
        assert_eq!(said(At::File, other(), Lang::En), "cosmic rays");
    }

    #[test]
    fn a_change_that_is_committed_is_not_to_be_restored_from_the_last_commit() {
        let error = FormatError::of_file(Problem::Syntax(Syntax::NoValue));
        assert!(advice(&error, "a.json", FileVersion::Uncommitted).en.contains("novel doctor --repair"));
        assert!(
            advice(&error, "staging/a.json", FileVersion::Uncommitted).en.contains("git -C staging restore a.json")
        );
        assert!(!advice(&error, "a.json", FileVersion::Committed).en.contains("git stash"));
    }
}
