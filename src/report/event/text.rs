//! The lines of a run in words.

use crate::domain::chapter::stage::Stage;
use crate::domain::chapter::{Gate, Scenes};
use crate::report::event::{AffectedLine, EventLine};
use crate::report::prelude::*;

/// Later chapters listed for people.
const SHOWN: usize = 12;

impl EventLine {
    /// The line for people, with a line break when it is an answer; `None` for what is not shown as a line.
    pub fn text(&self, lang: Lang) -> Option<String> {
        Some(match self {
            Self::Recovered { what, .. } => what.join("\n"),
            Self::Resumed { command, done, left } => resumed(command, *done, *left, lang),
            Self::Restored { paths, converted, kept, commit } => {
                text(paths, converted, kept.as_deref(), commit.as_ref().map(Commit::short), lang)
            }
            Self::ContractsFollow { commit, count } => {
                say!(lang, contracts_follow_plans(count, commit = commit.short()))
            }
            Self::Migrated { commit, files } => migrated(commit.short(), *files, lang),
            Self::Memories { chapters: (first, last), added, removed } => {
                say!(lang, mem0_server_chapters_passages_to_add(range = figures::range(first, last), added, removed))
            }
            Self::HandEdit { commit, paths } => {
                say!(lang, your_changes_are_committed_first_as(commit, list = paths.join(say!(lang, list_comma))))
            }
            Self::StyleLearnt { commit, subject } => say!(lang, style_is_drawn_from_what_is(subject, commit)),
            Self::Quality { brief, .. } => brief.announced(lang),
            Self::EditTaken { chapter, path } => say!(lang, holds_edit_of_yours_it_becomes(path, chapter)),
            // A text of the author or of the book is the start of the work, not earlier work.
            Self::Chapter { reused, .. } if reused[..] == [Stage::Edit] => return None,
            Self::Chapter { chapter, title, reused, scenes, .. } if !reused.is_empty() => {
                let name = |stage: &Stage| match scenes {
                    Some(Scenes { written, planned }) if *stage == Stage::Scene => {
                        say!(lang, text_scene_of(written, planned))
                    }
                    _ => stage.say(lang).to_owned(),
                };
                let list: Vec<String> = reused.iter().map(name).collect();
                say!(lang, going_on_is_there(chapter, title, list = list.join(say!(lang, list_comma))))
            }
            Self::Waiting { wait_ms, left_ms, .. } => {
                let left =
                    left_ms.map_or_else(String::new, |left| say!(lang, for_at_most(left = figures::duration(left))));
                say!(lang, trying_again_in(why = self.waiting_for(lang)?, wait = figures::duration(*wait_ms), left))
            }
            Self::AskedAgain { stage, why, continued: true } => {
                say!(lang, continuing_from_last_whole_sentence(stage = stage.say(lang), why))
            }
            Self::AskedAgain { stage, why, .. } => say!(lang, asking_again(stage = stage.say(lang), why)),
            Self::Warning { work, text } => format!("{} {text}", words::of_work(*work, lang)),
            Self::Reused { chapter, .. } => {
                say!(lang, is_there_already_and_was_not(chapter = paint(STRONG, &chapter.to_string())))
            }
            Self::Completed { .. } => self.completed_text(lang),
            Self::Chapter { .. }
            | Self::Stage { .. }
            | Self::Text { .. }
            | Self::StageDone { .. }
            | Self::Gate { .. }
            | Self::Paused { .. } => {
                return None;
            }
        })
    }

    /// The reason of a wait without its length, to stand beside a countdown.
    pub fn waiting_for(&self, lang: Lang) -> Option<String> {
        let Self::Waiting { stage, asked_ms, why, .. } = self else { return None };
        let asked =
            asked_ms.map_or_else(String::new, |asked| say!(lang, server_asks_for(asked = figures::duration(asked))));
        Some(say!(lang, text_stage_why(stage = stage.say(lang), why, asked)))
    }

    /// `ch-001 夜班守则  1,204 字  4.12  通过  34s  $0.61`
    fn completed_text(&self, lang: Lang) -> String {
        let Self::Completed { chapter, title, word_count, quality_score, reading, gate, revisions, .. } = self else {
            return String::new();
        };
        let Self::Completed { duration_ms, cost_micro_usd, replaces, resting, .. } = self else {
            return String::new();
        };
        let colour = match gate {
            Gate::Pass | Gate::AuthorPass => GOOD,
            Gate::Polish | Gate::Revise => GOOD,
            Gate::ForcePass => WARN,
            Gate::Rewrite | Gate::Pause => BAD,
        };
        let words = figures::count(*word_count);
        let mut score = quality_score.map_or_else(|| say!(lang, not_judged).to_owned(), figures::score);
        if !reading {
            score.push_str(say!(lang, placeholder));
        }
        let words = say!(lang, text_words(words));
        let gate = paint(colour, gate.say(lang));
        let revised = match revisions {
            0 => String::new(),
            n => say!(lang, revised(n)),
        };
        let again = match replaces {
            Some(old) => say!(lang, in_place_of(old)),
            None => String::new(),
        };
        let (cost, time) = (figures::price(*cost_micro_usd, lang), figures::duration(*duration_ms));
        let line = format!(
            "{} {title}  {words}  {score}  {gate}{revised}  {time}  {cost}{again}\n",
            paint(STRONG, &chapter.to_string())
        );
        line + &resting_text(resting, lang)
    }

    /// Lines for verbose runs only.
    pub fn detail(&self, lang: Lang) -> Option<String> {
        Some(match self {
            Self::Stage { work, stage, scene, model, sent_chars } => {
                let (what, sent) = (words::of_stage(*work, *stage, *scene, lang), figures::count(*sent_chars));
                say!(lang, characters(what, model, sent))
            }
            Self::StageDone { work, stage, model, duration_ms, input_tokens, cached_tokens, output_tokens, .. } => {
                let Self::StageDone { cost_micro_usd, scene, .. } = self else { return None };
                let cost = figures::price(*cost_micro_usd, lang);
                let (what, time) = (words::of_stage(*work, *stage, *scene, lang), figures::duration(*duration_ms));
                let figure = |tokens: &Option<u64>| tokens.map_or_else(|| "?".to_owned(), figures::count);
                let (sent, cached, got) = (figure(input_tokens), figure(cached_tokens), figure(output_tokens));
                say!(lang, text_tokens_in_cached_tokens_out(what, model, time, sent, cached, got, cost))
            }
            Self::Gate { chapter, overall, blocking, gate } => {
                let (score, gate, n) = (figures::score(*overall), gate.say(lang), blocking.len());
                say!(lang, scores_violations(chapter, score, n, gate))
            }
            _ => return None,
        })
    }
}

/// The line of an interrupted command given again.
fn resumed(command: &str, done: u32, left: u32, lang: Lang) -> String {
    match left {
        0 => say!(lang, interrupted_is_complete_and_is_not(command)),
        _ => say!(lang, going_on_with_interrupted_done_left(command, done, left)),
    }
}

fn migrated(commit: &str, files: usize, lang: Lang) -> String {
    say!(lang, of_older_format_brought_to_present(commit, files))
}

/// The reasons why later chapters rely on changes, a line each, and how to rewrite these chapters.
fn resting_text(resting: &[AffectedLine], lang: Lang) -> String {
    if resting.is_empty() {
        return String::new();
    }
    let count = resting.len();
    let mut text = say!(lang, built_on_what_has_changed(count));
    for AffectedLine { chapter, said, .. } in resting.iter().take(SHOWN) {
        text.push_str(&format!("    {chapter}{}{}\n", say!(lang, colon), said.join(say!(lang, clause_semicolon))));
    }
    if resting.len() > SHOWN {
        text.push_str("    …\n");
    }
    let list = figures::runs(resting.iter().map(|resting| resting.chapter.get()));
    text + &match resting.len() {
        1 => say!(lang, to_write_it_again_novel_write(list)),
        _ => say!(lang, to_write_them_again_novel_write(list)),
    }
}

/// The restored and converted files, and the command that shows the earlier bytes.
pub(super) fn text(
    paths: &[String],
    converted: &[String],
    kept: Option<&str>,
    commit: Option<&str>,
    lang: Lang,
) -> String {
    let list =
        |paths: &[&String]| paths.iter().map(|path| path.as_str()).collect::<Vec<_>>().join(say!(lang, list_comma));
    let (plain, other): (Vec<&String>, Vec<&String>) = paths.iter().partition(|path| !converted.contains(path));
    let by = commit.map_or_else(String::new, |commit| say!(lang, restored_commit(commit)));
    let (restored, changed) = (list(&plain), list(&other));
    let restored = (!plain.is_empty()).then(|| say!(lang, missing_or_damaged_restored_from_history(by, restored)));
    let changed = (!other.is_empty()).then(|| say!(lang, converted_to_utf(changed)));
    let bytes = kept.zip(paths.first()).map(|(kept, path)| say!(lang, old_bytes_are_kept_git_show(kept, path)));
    restored.into_iter().chain(changed).chain(bytes).collect::<Vec<_>>().join(say!(lang, clause_semicolon))
}
