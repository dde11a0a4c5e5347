use crate::agents::checks::completeness::Removed;
use crate::domain::state::Refusal;
use crate::pipeline::{Warning, Why};
use crate::report::mistake;
use crate::report::prelude::*;
use crate::store::SystemFault;

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
            say!(lang, repeats_of_its_text_from_also(percent, from = super::reply::of_source(*from, lang), passage))
        }
        Warning::Title { title, like } => say!(lang, is_called_which_is_too_like(title, like)),
        Warning::Requoted { spans } => say!(lang, had_quotations_in_other_marks_than(spans)),
        Warning::PromptWords { words } => say!(lang, speaks_of_its_task_also_after(words)),
        Warning::RevisionDropped { why } => {
            let why = super::reply::of_reply(&Why::Reply(why.clone()), lang);
            say!(lang, keeps_its_text_because_revision_cannot(why))
        }
        Warning::StyleDrifts { moved } => super::quality::drift_warning(moved, lang),
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
            let one = |(number, reason): &(usize, Refusal)| {
                say!(lang, state_operation_and_reason(number, reason = super::mistake::of_refusal(reason, lang)))
            };
            let mut list: Vec<String> = dropped.iter().take(DROPPED_LISTED).map(one).collect();
            let (count, more) = (dropped.len(), dropped.len().saturating_sub(DROPPED_LISTED));
            list.extend((more > 0).then(|| say!(lang, state_operations_and_more(more))));
            say!(lang, state_operations_were_dropped(count, list = list.join(say!(lang, list_semicolon))))
        }
        Warning::NotRefined { why } => say!(lang, text_is_not_refined(why = super::reply::of_reply(why, lang))),
        Warning::OperationsSkipped { why } => {
            say!(lang, state_operations_could_not_be_read(why = super::reply::of_reply(why, lang)))
        }
        Warning::SummaryByExcerpt { why } => {
            say!(lang, summary_could_not_be_had(why = super::reply::of_reply(why, lang)))
        }
        Warning::Contradiction(finding) => super::consistency::what(&finding.what, lang),
        Warning::StateIsThin { chapters } => thin_state(chapters, lang),
        Warning::Outdated { chapters } => {
            say!(lang, relies_on_outdated(list = crate::report::words::chapters(chapters, lang)))
        }
        Warning::PlansChanged { count, price } => {
            say!(lang, plans_changed_and_rest_on_them(count, price = Estimate::of(Some(*price)).text(lang)))
        }
        Warning::Renamed { id, was, is } => super::renaming::by_hand((id.as_str(), was, is), lang),
        Warning::FolderLags { why } => folder_lags(why, lang),
        Warning::BothChanged { paths } => {
            say!(lang, same_lines_were_changed_in_book(list = paths.join(say!(lang, list_comma))))
        }
        Warning::ContractSince => say!(lang, draft_was_begun_under_another_contract).to_owned(),
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
            let (stage, why) = (part.say(lang), super::reply::of_fault(why, lang));
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

fn folder_lags(why: &SystemFault, lang: Lang) -> String {
    say!(lang, is_in_book_but_folder_is(why = mistake::of_fault(why, lang)))
}

fn of_removed(removed: &Removed, lang: Lang) -> String {
    match removed {
        Removed::PlanAround => say!(lang, had_lines_of_plan_around_its).to_owned(),
        Removed::Prompt => say!(lang, had_lines_of_prompt_in_its).to_owned(),
        Removed::EndRepeats { words } => say!(lang, repeated_itself_in_its_last_words(words)),
        Removed::Twice { words } => say!(lang, had_paragraphs_of_words_twice_they(words)),
        Removed::Chat { words } => {
            let chars = words.chars().count();
            say!(lang, had_characters_of_models_talk_around(chars, words = super::table::clip(words, TALK)))
        }
        Removed::PreviousEnding { words } => say!(lang, began_with_words_of_end_of(words)),
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
