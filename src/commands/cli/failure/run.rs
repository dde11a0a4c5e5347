//! Failures of work in a book; longer than 500 lines because each kind of error has its message here.

use crate::agents::Breakdown;
use crate::commands::cli::failure::again;
use crate::commands::prelude::*;
use crate::domain::book::work::{Part, PlanStage};
use crate::domain::chapter::stage::Stage;
use crate::domain::volume::outline::{self, Field};
use crate::domain::volume::plan::Flaw;
use crate::domain::world::storyline::Status;
use crate::llm::{Effort, Fault, Limit};
use crate::pipeline::engine::error::{ImportError, RenumberError, Thought};
use crate::pipeline::{RunError, Why};
use crate::report::prelude::*;
use crate::report::problem::{self, FileVersion};
use crate::report::{context, faults, renaming};
use crate::store::format::{FormatError, Problem};
use crate::store::{Obstacle, Obstruction, layout};

impl From<RunError> for Failure {
    /// The failure of a run; longer than 80 lines because each kind of error has its words here, in one exhaustive match.
    fn from(error: RunError) -> Self {
        match error {
            RunError::Sync(error) => error.into(),
            RunError::Begin(error) => error.into(),
            RunError::Init(error) => error.into(),
            RunError::History(error) => error.into(),
            RunError::Waiver(error) => error.into(),
            RunError::Renumber(error) => of_renumbering(error),
            RunError::Rename(error) => error.into(),
            RunError::Import(ImportError::Another(chapter)) => Self::no(both!(import_another_book(chapter))),
            RunError::Import(ImportError::Shifted { title, file, book, lacking: None }) => {
                Self::no(both!(import_shifted(title, file, book)))
            }
            RunError::Import(ImportError::Shifted { title, file, book, lacking: Some((lacking, name)) }) => {
                let (number, quoted) = (lacking.get(), quoted(&name));
                Self::no(both!(import_lacking(title, file, book, lacking, name, number, quoted)))
            }
            RunError::Line(error) => error.into(),
            RunError::Commit(error) => error.into(),
            RunError::Draft(error) => error.into(),
            RunError::Store(error) => error.into(),
            RunError::Format { path, source } => Self::of_file(&path, &source, FileVersion::Committed),
            RunError::BrokenEdit { path, source } => Self::of_file(&path, &source, FileVersion::Uncommitted),
            RunError::Deleted { paths } => Self::deleted(&paths),
            RunError::InTheWay(found) => Self::in_the_way(&found),
            RunError::Outline { path, errors } => {
                let n = errors.len();
                let failure = Self::no(both!(has(path, n)));
                let said = |error| Both::of(|lang| problem::of_outline(error, lang));
                let failure = errors.iter().map(said).fold(failure, Self::cause);
                if errors.iter().all(|error| matches!(error.problem, outline::OutlineProblem::Lacks { .. })) {
                    return failure.hint(both!(fill_them_in_or_leave_them));
                }
                if errors.iter().all(|error| matches!(error.problem, outline::OutlineProblem::Storyline(_))) {
                    return failure.hint(both!(correct_storyline_or_define_it));
                }
                if errors.iter().all(|error| error.problem.is_of_order()) {
                    return failure.hint(both!(number_sections_in_order));
                }
                let needed = Field::ALL.iter().filter(|field| field.is_required());
                let fields: Vec<&str> = needed.map(|field| field.as_str()).collect();
                failure
                    .hint(both!(lang, section_n_title_chapter_with_line(fields = fields.join(say!(lang, list_comma)))))
            }
            RunError::Lost { chapters, paths, later } => Self::lost(&chapters, &paths, later),
            RunError::NotLost(chapter) => Self::no(both!(is_in_book(chapter))),
            RunError::Missing { path } => Self::set_up(both!(run_is_missing(path))),
            RunError::NoSuchStyle { name } => Self::usage(both!(there_is_no_built_in_style(name)))
                .hint(both!(lang, models_it_may_be(names = words::presets(lang)))),
            RunError::NotPlanned { chapter, volume } => Self::decide(both!(is_not_planned_yet(chapter)))
                .hint(both!(novel_plan_make_plans_next_volume_to(n = chapter.get(), volume))),
            RunError::NotReviewed(volume) => Self::decide(both!(is_written_and_not_reviewed_yet_its(volume))),
            RunError::NoBrief { chapter } => {
                let message = match chapter {
                    Some(chapter) => both!(no_quality_brief_has_in_it(chapter)),
                    None => both!(there_is_no_quality_brief_yet),
                };
                Self::no(message).hint(both!(every_fifth_chapter_brings_one_novel))
            }
            RunError::ChangesWait => Self::decide(both!(changes_of_contracts_wait_for_you)),
            RunError::ContractDiffers(chapter) => Self::decide(both!(section_and_contract_differ(chapter)))
                .hint(both!(derive_contract_novel_decide_derive))
                .hint(both!(keep_contract_novel_continue_yes)),
            RunError::OwnContract { chapter, path } => Self::decide(both!(section_and_contract_differ(chapter)))
                .hint(both!(change_own_contract_or_delete(path))),
            RunError::DraftUnderOther(chapter) => Self::decide(both!(contract_of_is_new_and_its_draft_is_not(chapter)))
                .hint(both!(go_on_with_the_draft_novel_continue))
                .hint(both!(write_it_anew_novel_decide_drop)),
            RunError::PlanWaits { volume, sound } => {
                let failure = Self::decide(both!(plan_of_waits_for_your_approval(volume)));
                let look = both!(look_at_it_first_novel_plan);
                match sound {
                    true => failure.hint(both!(approve_it_novel_plan_approve)).hint(look),
                    false => failure.hint(look).hint(both!(it_has_flaws_mend_files_in)),
                }
            }
            RunError::Lacks { step, first } => {
                let command = match first {
                    Step::World => "novel world update",
                    Step::Theme => "novel world theme",
                    _ => "novel character first",
                };
                let message = both!(lang, first_then(before = first.say(lang), what = step.say(lang)));
                Self::no(message).hint(both!(first_novel_start_takes_steps_in(command)))
            }
            RunError::NotNext { chapter, first } => Self::no(both!(cannot_be_written_yet_comes_first(chapter, first))),
            RunError::Prompt(error) => Self::no(both!(prompt_file_of_book_has_mistake))
                .cause(Both::of(|lang| problem::of_prompt(&error, lang))),
            RunError::DoesNotFit { stage, model, needed, limit, breakdown, waits } => {
                let failure = Self::does_not_fit(stage, &model, needed, limit, &breakdown);
                if waits { failure.hint(both!(novel_decide_shows_ways_on)) } else { failure }
            }
            RunError::Budget { spent, next, limit } => {
                let words = Both::of(|lang| {
                    let (spent, next) = (figures::money(spent, lang), figures::money(next, lang));
                    say!(lang, budget_of_is_nearly_spent_so(limit = figures::budget(limit, lang), spent, next))
                });
                Self::new(Exit::Budget, words).hint(both!(run_same_command_with_more_budget))
            }
            RunError::UnknownPrice { model } => Self::set_up(both!(budget_needs_price_and_that_of(model))),
            RunError::Model { work, stage, model, thought, has_others, source } => {
                let mut failure = Self::from(&*source);
                if let Some(Thought { effort, tokens, fills_context }) = thought {
                    if !matches!(effort, Some(Effort::Off | Effort::Low)) {
                        failure = failure.hint(both!(have_it_think_less));
                    }
                    failure = match tokens.map(|tokens| tokens.saturating_mul(2)) {
                        _ if fills_context => failure.hint(both!(context_leaves_no_more_room_to_think)),
                        Some(tokens) => failure.hint(both!(give_it_more_room_to_think(tokens))),
                        None => failure,
                    };
                    failure = failure.hint(both!(try_another_model_model_name));
                }
                let part = stage.parse();
                let fault = source.fault.cause();
                let is_too_long =
                    matches!(fault, Fault::ContextTooLong { .. } | Fault::Truncated { limit: Limit::Context, .. });
                if is_too_long && matches!(part, Ok(Part::Chapter(_))) {
                    failure.hints.insert(0, both!(novel_context_shows_parts(work)));
                }
                if matches!(fault, Fault::Refused { .. }) {
                    let milder = match part {
                        Ok(Part::Chapter(_)) => both!(have_it_told_with_restraint),
                        Ok(Part::Plan(PlanStage::Summary)) => both!(soften_passage_of_chapter),
                        _ => both!(ask_for_it_with_restraint),
                    };
                    failure.hints.insert(0, milder);
                }
                let may_do_better =
                    matches!(fault, Fault::Refused { .. } | Fault::Billing { .. } | Fault::SpendLimit { .. });
                if may_do_better && !has_others {
                    failure = failure.hint(both!(set_fallback));
                }
                if part == Ok(Part::Chapter(Stage::ScenePlan)) {
                    failure = failure.hint(both!(or_write_it_as_a_whole));
                }
                if matches!(part, Ok(Part::Chapter(_))) && source.fault.is_of_question() {
                    failure = failure.hint(both!(novel_decide_shows_ways_on));
                }
                failure.causes.insert(0, both!(lang, gave_no_answer_for(model, stage = spoken(stage, lang))));
                failure
            }
            RunError::Memory { server, fault } => Self::of_memory_server(&server, &fault),
            RunError::Unusable { work, stage, model, problem } => {
                let message = both!(lang, answers_of_for_cannot_be_used(model, stage = spoken(stage, lang)));
                let failure = Self::new(Exit::Model, message)
                    .cause(Both::of(|lang| faults::of_reply(&Why::Reply(problem.clone()), lang)));
                match stage.parse() {
                    Ok(Part::Chapter(stage)) => {
                        let failure = failure.hint(both!(they_are_kept_novel_show_chapter(work)));
                        let failure = match stage {
                            Stage::ScenePlan => failure.hint(both!(or_write_it_as_a_whole)),
                            _ => failure,
                        };
                        failure.hint(both!(novel_decide_shows_ways_on))
                    }
                    _ => failure
                        .hint(both!(they_are_kept_on_draft_branch))
                        .hint(again())
                        .hint(both!(try_another_model_model_name)),
                }
            }
            RunError::BrokenOff { chapter, words, path, source } => {
                let inner = Self::from(*source);
                let words = figures::count(u64::from(words));
                let mut failure = Self::new(Exit::Model, both!(is_not_finished_words_that_are(chapter, words, path)));
                failure.causes = std::iter::once(inner.message).chain(inner.causes).collect();
                let again = again();
                failure.hints.extend(inner.hints.into_iter().filter(|hint| *hint != again));
                failure
            }
            RunError::Interrupted => Self::new(Exit::Interrupted, both!(run_stopped)).hint(again()),
            RunError::Unexpected(error) => Self::bug(both!(novel_failed_inside)).because(error.as_ref()),
            RunError::AnsweredMeanwhile => {
                Self::busy(both!(question_has_been_answered_meanwhile)).hint(both!(novel_status_says_how_far_book_is))
            }
            RunError::NothingToDecide => Self::no(both!(nothing_waits_for_decision)),
            RunError::NotOffered { chapter, decision, overall, options } => {
                let options: Vec<&str> = options.iter().map(|option| option.as_str()).collect();
                let options = options.join(" | ");
                let message = Both::of(|lang| {
                    let why = match overall.map(figures::score) {
                        Some(score) => say!(lang, it_scores(score)),
                        None => say!(lang, its_text_is_not_finished).to_owned(),
                    };
                    say!(lang, cannot_be_chosen_for_now(decision, chapter, why))
                });
                Self::no(message).hint(both!(run_it_may_be(options)))
            }
            RunError::NotEdited { chapter, path } => Self::no(both!(text_of_has_not_been_changed(chapter, path))),
            RunError::Back(error) => error.into(),
            RunError::IsAccepted(chapter) => {
                let failure = Self::no(both!(is_accepted_it_has_no_scenes(chapter)));
                match chapter.previous() {
                    Some(before) => failure.hint(both!(to_write_whole_chapter_again_novel(before))),
                    None => failure,
                }
            }
            RunError::NotInFlight { chapter, in_flight } => {
                let failure = Self::no(both!(has_no_draft_in_flight(chapter)));
                match in_flight {
                    Some(other) => failure.hint(both!(is_one_that_is_being_written(other))),
                    None => failure.hint(both!(novel_status_says_where_book_stands)),
                }
            }
            RunError::NotInScenes(chapter) => Self::no(both!(is_not_written_scene_by_scene(chapter))),
            RunError::RevisedSince { chapter, stage } => {
                let message = both!(lang, has_been_through_as_whole_since(chapter, stage = stage.say(lang)));
                Self::no(message).hint(both!(text_as_scenes_left_it_novel(chapter)))
            }
            RunError::NoSuchScene { chapter, scene, written } => {
                let failure = Self::no(both!(has_no_scene(chapter, scene)));
                match written {
                    0 => failure.hint(both!(no_scene_is_written_yet)),
                    _ => failure.hint(both!(are_written_novel_rollback_scene(written, chapter))),
                }
            }
            RunError::NoSuchCharacter { name, nearest } => {
                let failure = Self::no(both!(no_active_character_is_called(name))).meant(nearest);
                failure.hint(both!(novel_character_list_lists_them))
            }
            RunError::NameAmbiguous { name, candidates } => {
                Self::new(Exit::Usage, both!(stands_for_several_things(name))).hint(Both::of(|lang| {
                    let known = candidates.iter().map(|(id, name)| say!(lang, id_of_name(id, name)));
                    say!(lang, give_one_of_ids(ids = known.collect::<Vec<_>>().join(say!(lang, list_comma))))
                }))
            }
            RunError::RetiredAlready { id } => Self::no(both!(has_left_story_already(id))),
            RunError::PersonNeeded { id, name, ties } => Self::needed(both!(cannot_leave_story_yet(name, id)), &ties),
            RunError::NoSuchStoryline { name, nearest } => {
                let failure = Self::no(both!(no_storyline_is_called(name))).meant(nearest);
                failure.hint(both!(novel_storyline_list_lists_them))
            }
            RunError::UnknownVolume { name, nearest } => {
                let failure = Self::new(Exit::Usage, both!(no_volume_is_called(name))).meant(nearest);
                failure.hint(both!(write_volume_as_or_vol))
            }
            RunError::LineEnded { id, name } => Self::no(both!(has_ended_already(name, id))),
            RunError::UnknownViewpoint { name } => Self::no(both!(nobody_in_book_is_called(name))),
            RunError::StorylineThere { id, name } => Self::no(both!(there_is_storyline_already(name, id))),
            RunError::NoIdIn { name } => Self::no(both!(no_id_can_be_made_of(name))),
            RunError::TooManyActive { active } => {
                let n = active.len();
                let these = Both::of(|lang| {
                    let list = listed(active.iter().map(|(id, name)| format!("{id} {name}")), lang);
                    say!(lang, these_run(list))
                });
                Self::no(both!(storylines_run_already_more_get_mixed(n)))
                    .cause(these)
                    .hint(both!(let_one_rest_first_novel_storyline))
            }
            RunError::LineNeeded { id, name, to, ties } => {
                let message = match to {
                    Status::Ended => both!(storyline_cannot_end_yet(name, id)),
                    Status::Active | Status::Dormant | Status::Planned => both!(storyline_cannot_pause_yet(name, id)),
                };
                Self::needed(message, &ties)
            }
            RunError::LinesDrafted { volume } => Self::no(both!(plan_of_that_waits_begins_storylines(volume))),
            RunError::TooLittleProse { han, least } => Self::no(both!(samples_have_han_characters_too_few(han, least))),
            RunError::Contradictions { last, conflicts } => {
                Self::decide(both!(stopped_after_to_records(last, conflicts)))
            }
            RunError::FlawedPlan { volume, flaws, folder } => {
                let n = flaws.iter().filter(|flaw| flaw.blocks()).count();
                let message = both!(lang, plan_of_cannot_be_used_yet(volume, n, list = list_of(&flaws, lang)));
                Self::decide(message).hint(both!(correct_outline_md_and_novel_plan(folder)))
            }
            RunError::FlawedRevision { volume, flaws } => {
                let message = both!(lang, with_this_plan_would_not_hold(volume, list = list_of(&flaws, lang)));
                Self::decide(message).hint(both!(correct_outline_md_or_contracts_in(volume)))
            }
            RunError::NoSuchRevision { name } => Self::no(both!(there_is_no_commit(name))),
            RunError::TooFewChapters { volume, chapters, least } => {
                Self::no(both!(cannot_have_chapters_at_least_are(volume, chapters, least)))
            }
            RunError::NoSuchVolume(volume) => {
                Self::no(both!(is_not_planned(volume))).hint(both!(novel_status_says_how_far_book_is))
            }
            RunError::Unfinished { volume, written, planned } => {
                Self::no(both!(is_reviewed_when_it_is_written(volume, written, planned)))
            }
            RunError::OnTrial(volume) => Self::no(both!(of_there_are_only_trial_chapters(volume))),
            RunError::Ended(volume) => Self::no(both!(book_is_complete_and_ends_with(volume))),
            RunError::ChapterGone(chapter) => Self::no(both!(chapter_is_gone(chapter))),
            RunError::NoSuchChapter(chapter) => {
                Self::no(both!(is_not_written_yet(chapter))).hint(both!(novel_status_says_how_far_book_is))
            }
        }
    }
}

/// The name of a stage or an agent, in words.
pub(super) fn spoken(name: &str, lang: Lang) -> String {
    let stage = name.parse::<Part>().map(|part| part.say(lang));
    stage
        .or_else(|_| name.parse::<Agent>().map(|agent| agent.say(lang)))
        .map_or_else(|_| name.to_owned(), str::to_owned)
}

/// Flaws of a plan, one a line.
pub(super) fn list_of(flaws: &[Flaw], lang: Lang) -> String {
    let lines = flaws.iter().map(|flaw| format!("  - {}\n", problem::of_flaw(flaw, lang)));
    lines.collect::<String>().trim_end().to_owned()
}

impl Failure {
    pub(super) fn of_file(path: &str, error: &FormatError, version: FileVersion) -> Self {
        let exit = if path.starts_with("staging/") { Exit::No } else { Exit::NotSetUp };
        let told = match (path, &error.problem) {
            // Budget and models depend on the settings: with a bad one the book is not set up.
            (layout::CONFIG, Problem::Value(_)) => Self::new(exit, both!(has_setting_that_cannot_be_used(path))),
            (_, Problem::Newer { .. }) => Self::new(exit, both!(was_written_by_newer_novel(path))),
            _ => Self::new(exit, both!(run_cannot_be_read(path))),
        };
        told.cause(Both::of(|lang| problem::of_format(error, lang))).hint(problem::advice(error, path, version))
    }

    /// Needed files are gone: they come back, or the author confirms their removal.
    pub(super) fn deleted(paths: &[String]) -> Self {
        let message = both!(lang, deleted_and_book_needs_it(paths = paths.join(say!(lang, list_comma))));
        let list: Vec<String> = paths.iter().map(|path| quoted(format!(":/{path}"))).collect();
        Self::decide(message)
            .hint(both!(to_bring_it_back_novel_doctor_repair))
            .hint(both!(to_delete_it_on_purpose_commit(list = list.join(" "))))
    }

    /// Things that block paths of the book, each with the command that moves it away.
    pub(super) fn in_the_way(found: &[Obstruction]) -> Self {
        let is_own = found.iter().any(|found| matches!(found.block, Obstacle::Untracked | Obstacle::Committed));
        let exit = if is_own { Exit::Decide } else { Exit::NotSetUp };
        let mut failure = Self::new(exit, both!(something_stands_where_book_is_to));
        for found in found {
            let shown = if found.path.is_empty() { found.full.display().to_string() } else { found.path.clone() };
            failure = failure.cause(Both::of(|lang| {
                format!("{shown}{}{}", say!(lang, colon), problem::of_obstruction(found, lang))
            }));
        }
        let mut hints: Vec<Both> = Vec::new();
        for found in found {
            let full = quoted(found.full.display());
            match found.block {
                Obstacle::Untracked => {
                    hints.push(both!(to_make_way_mv(full, aside = quoted(format!("{}.aside", found.full.display())))));
                }
                Obstacle::Committed => {
                    let aside = quoted(format!("{}.aside", found.full.display()));
                    let (git, path) = (problem::git_at(found), &found.path);
                    hints.push(both!(to_make_way_mv_git_commit(full, aside, git, path)));
                }
                Obstacle::ReadOnly => {
                    hints.push(both!(to_allow_writing_chmod_u_w(full)));
                }
                Obstacle::LinkedFolder | Obstacle::Link => hints.push(both!(doctor_sets_link_aside)),
                Obstacle::File | Obstacle::Folder => hints.push(both!(novel_doctor_repair_yes_puts_real)),
            }
        }
        let text = found.iter().find(|found| {
            let place = layout::classify(&found.path);
            found.block == Obstacle::Untracked && matches!(place, Some(layout::BookPath::Chapter(..)))
        });
        if let Some(text) = text {
            hints.insert(0, Both::of(|lang| problem::to_make_it_chapter(text, lang)));
            if let Some(chapter) = layout::classify(&text.path).and_then(|place| place.chapter()) {
                let aside = quoted(format!("{}.aside", text.full.display()));
                hints.push(both!(to_insert_own_text(number = chapter.get(), aside)));
            }
        }
        hints.dedup();
        hints.into_iter().fold(failure, Self::hint)
    }

    /// The prompt is too large for its model: its largest parts first.
    pub(super) fn does_not_fit(stage: &str, model: &str, needed: u64, limit: u64, breakdown: &Breakdown) -> Self {
        let mut parts: Vec<_> = breakdown.entries.iter().collect();
        parts.sort_by_key(|entry| std::cmp::Reverse(entry.tokens));
        let (needed, limit) = (figures::count(needed), figures::count(limit));
        let message = both!(lang, prompt_of_needs_about_tokens_with(stage = spoken(stage, lang), needed, model, limit));
        let mut failure = Self::set_up(message);
        failure.causes = parts
            .iter()
            .take(5)
            .map(|entry| {
                Both::of(|lang| {
                    let (name, tokens) = (context::part(&entry.name, lang), figures::count(entry.tokens.into()));
                    format!("{name}{}{tokens}", say!(lang, colon))
                })
            })
            .collect();
        let failure = failure.hint(both!(use_model_with_larger_context_or));
        let failure = match stage.parse() {
            Ok(Part::Chapter(Stage::Draft)) => failure.hint(both!(or_write_it_scene_by_scene)),
            _ => failure,
        };
        failure.hint(both!(or_make_chapter_max_words_and))
    }
}

fn of_renumbering(error: RenumberError) -> Failure {
    let no = Failure::no;
    match error {
        RenumberError::DraftOpen(work) => {
            no(both!(draft_is_for_present_numbers(work))).hint(both!(finish_or_put_aside_draft_first))
        }
        RenumberError::DraftOfOther(work) => {
            Failure::decide(both!(draft_is_for_earlier_numbers(work))).hint(both!(put_draft_aside_first(work)))
        }
        RenumberError::NoBeginning => no(both!(second_part_has_no_beginning)).hint(both!(give_words_of_one_paragraph)),
        RenumberError::PlansPending(count) => Failure::decide(both!(changes_of_plans_are_to_be_followed_first(count)))
            .hint(both!(look_at_them_novel_impact))
            .hint(both!(bring_up_to_date_novel_impact_regenerate))
            .hint(both!(leave_it_as_it_is_novel_impact_keep)),
        RenumberError::Beyond(chapter, last) => no(both!(chapter_is_beyond_the_plan(chapter, last))),
        RenumberError::SameText(chapter) => no(both!(chapter_has_this_text_already(chapter))),
        RenumberError::Mixed(one, other) => no(both!(written_and_planned_chapters_do_not_mix(one, other)))
            .hint(both!(write_planned_one_first(planned = one.max(other)))),
        RenumberError::EmptyVolume(volume, chapter) => no(both!(volume_would_be_empty(volume, chapter))),
        RenumberError::NeedsText(chapter) => no(both!(chapter_among_written_ones_needs_text(chapter))),
        RenumberError::NotWritten(chapter) => no(both!(chapter_is_only_planned(chapter))),
        RenumberError::ByHand { all, as_edits } => {
            let message = both!(lang, chapters_stand_rearranged(what = renaming::all_in_words(&all, 0, lang)));
            let failure = Failure::decide(message).hint(both!(take_rearranged_chapters_over));
            match as_edits.map(|(first, last)| (first.get(), last.get())) {
                Some((first, last)) => failure.hint(both!(leave_rearranged_chapters_as_edits(first, last))),
                None => failure,
            }
        }
        RenumberError::Misplaced { ref path, .. }
        | RenumberError::OldNumber { ref path, .. }
        | RenumberError::SectionAlone { ref path, .. } => {
            let message = both!(lang, content_path_error(path, error = problem::of_order(&error, lang)));
            let failure = Failure::decide(message);
            match (problem::back_to_order(&error), &error) {
                (Some(command), RenumberError::OldNumber { chapter, replaces, .. }) => {
                    let failure = failure.hint(both!(text_to_its_present_number(chapter, command)));
                    if *replaces { failure.hint(both!(text_is_meant_to_be_there(path))) } else { failure }
                }
                (Some(command), _) => failure.hint(both!(put_text_back(command))),
                (None, _) => failure.hint(both!(put_section_back(path))),
            }
        }
        RenumberError::NoPlace { beginning, found } => {
            no(both!(paragraphs_begin_with_words(found, beginning))).hint(both!(give_words_of_one_paragraph))
        }
    }
}
