//! The writer's replies: a chapter in Markdown, then hints on what changed.

use super::chance::seed;
use super::cut::{clip, has_speech, is_break, words};
use super::edition::{Edition, edition_of, opening};
use super::prose::Composer;
use super::scenario::Scenario;
use crate::agents::revision_wish::{NOTHING_ELSE, SPELT};
use crate::agents::{ChapterContext, context};
use crate::domain::chapter::Chapter;
use crate::domain::chapter::evaluation::{Check, Fix};

pub(super) fn draft(context: &ChapterContext) -> String {
    let scenario = Scenario::of(context);
    reply(context, &scenario, &first_body(context, &scenario))
}

/// The prose of a first draft.
pub(super) fn first_body(context: &ChapterContext, scenario: &Scenario) -> String {
    let phrases = context::listed(&context.phrases).map(str::to_owned);
    let careless = phrases.filter(|phrase| phrase.chars().count() > 1).collect();
    let mut composer =
        Composer::new(scenario, Edition { rewritten: false, round: 0 }, context.config.max_words).careless(careless);
    composer.body(context.config.min_words, context.config.max_words)
}

/// The chapter again from the outline, with other patterns throughout.
pub(super) fn rewrite(context: &ChapterContext) -> String {
    let scenario = Scenario::of(context);
    let mut composer = Composer::new(&scenario, Edition { rewritten: true, round: 0 }, context.config.max_words);
    let body = composer.body(context.config.min_words, context.config.max_words);
    reply(context, &scenario, &body)
}

/// The text with a name put right, or with a new opening and new paragraphs in place of those that the fixes and violations
/// name. If they name no paragraph, two paragraphs of narration are replaced.
pub(super) fn revise(
    context: &ChapterContext,
    text: &Chapter,
    fixes: &[Fix],
    violations: &[Check],
    round: u32,
) -> String {
    if let Some(corrected) = corrected(&text.body, fixes) {
        return reply(context, &Scenario::of(context), &corrected);
    }
    let scenario = Scenario::of(context);
    let known = edition_of(&scenario, &text.body);
    let edition = Edition { rewritten: known.is_some_and(|edition| edition.rewritten), round };
    let mut composer = Composer::new(&scenario, edition, context.config.max_words);
    composer.avoid(&text.body);
    let mut kept: Vec<String> = text.body.split('\n').map(|p| p.trim().to_owned()).filter(|p| !p.is_empty()).collect();
    let first = opening(&scenario, edition);
    match kept.first_mut() {
        Some(old) if known.is_some() => *old = first,
        _ => kept.insert(0, first),
    }
    let blamed = |paragraph: &str| {
        let targets = fixes.iter().map(|fix| fix.target.trim()).chain(violations.iter().map(|v| v.evidence.trim()));
        let quoted = targets.filter(|target| target.chars().count() >= 4);
        quoted.into_iter().any(|target| paragraph.contains(target) || target.contains(paragraph))
    };
    let narrated = |at: &usize| *at > 0 && *at + 1 < kept.len() && !is_break(&kept[*at]) && !has_speech(&kept[*at]);
    let mut places: Vec<usize> = (1..kept.len()).filter(|&at| !is_break(&kept[at]) && blamed(&kept[at])).collect();
    let free: Vec<usize> = (0..kept.len()).filter(narrated).filter(|at| !places.contains(at)).collect();
    let start = seed(&["revise", &round.to_string()]) as usize ^ scenario.number as usize;
    places
        .extend((0..2usize.saturating_sub(places.len())).filter_map(|n| free.get((start + n * 3) % free.len().max(1))));
    places.sort_unstable();
    places.dedup();
    let mut total: u32 = kept.iter().map(|p| words(p)).sum();
    for &at in &places {
        let Some(new) = composer.spare(at) else { continue };
        let changed = total - words(&kept[at]) + words(&new);
        if changed <= context.config.max_words {
            total = changed;
            kept[at] = new;
        }
    }
    while total < context.config.min_words {
        let Some(new) = composer.spare(1) else { break };
        total += words(&new);
        kept.insert(kept.len() / 2, new);
    }
    reply(context, &scenario, &kept.join("\n\n"))
}

/// The text with names spelt as a wish has them, where it wishes for nothing else.
fn corrected(body: &str, fixes: &[Fix]) -> Option<String> {
    let (rest, names): (Vec<&Fix>, Vec<&Fix>) = fixes.iter().partition(|fix| !fix.instruction.contains(SPELT));
    if names.is_empty() || rest.iter().any(|fix| fix.instruction != NOTHING_ELSE) {
        return None;
    }
    names.into_iter().try_fold(body.to_owned(), |body, fix| {
        let (found, right) = fix.instruction.split_once(SPELT)?;
        let wrong = found.split_once('「')?.1.split_once('」')?.0;
        let right = right.strip_prefix('“')?.split_once('”')?.0;
        Some(body.replace(wrong, right))
    })
}

pub(super) fn reply(context: &ChapterContext, scenario: &Scenario, body: &str) -> String {
    let title = title(context, scenario);
    let mut hints = vec![format!("{}：身在{}，心绪有了变化", scenario.pov.name, scenario.place)];
    hints.extend(scenario.changes.iter().filter(|change| change.is_in(body)).take(3).map(|change| change.plan.clone()));
    hints.truncate(4);
    let hints: Vec<String> = hints.iter().map(|hint| format!("- {hint}")).collect();
    format!("# 第{}章 {title}\n\n{body}\n\n【状态提示】\n{}\n", context.chapter.get(), hints.join("\n"))
}

/// The outline's title, or the chapter's thing where the outline has only a number.
fn title(context: &ChapterContext, scenario: &Scenario) -> String {
    let given = context.section.title.trim();
    let number = given.starts_with('第') && given.ends_with('章');
    if given.is_empty() || number { clip(&scenario.thing, 12).to_owned() } else { given.to_owned() }
}
