//! The writer's replies: the scenes of the outline, filled up to the wanted length with narration and conversations.
//! A book goes through each pool of patterns in an order of its own. Chapter N begins at N times the number of
//! patterns that a chapter takes, and takes the next choices each time round, so that no sentence of the last chapters
//! comes again. A chapter that is written twice is thus the same, and a chapter of a long book costs no more than the
//! first.

use crate::agents::offline::phrases::{has_speech, is_break, paragraphs, roll, seed, sentences, words};
use crate::agents::offline::scenario::{Props, Scenario};
use crate::agents::prelude::*;
use crate::agents::revision_wish::{NOTHING_ELSE, SPELT};
use crate::agents::{ChapterContext, SceneOrder};
use crate::domain::chapter::MOST;
use crate::domain::chapter::evaluation::{Check, Fix};

/// About how many characters a piece of filler has.
const PIECE: u32 = 27;
/// About how many characters the outline takes.
const OUTLINE: u32 = 450;
/// Sentences with a worn-out phrase in a chapter, so that the refiner has something to do.
const SLIPS: usize = 2;
/// How many texts of a chapter are told apart by their openings.
const TEXTS: usize = 12;

struct Composer<'a> {
    scenario: &'a Scenario,
    /// How many judgements came before the text.
    index: usize,
    /// The lengths that the text keeps to.
    least: u32,
    most: u32,
    drawn: BTreeMap<&'static str, usize>,
    props: Props,
    /// Paragraphs that stay together, by scene and place within it.
    blocks: Vec<((usize, usize), String)>,
    total: u32,
}

impl<'a> Composer<'a> {
    fn new(context: &ChapterContext, scenario: &'a Scenario, index: usize) -> Self {
        let (least, most) = (context.config.min_words, context.config.max_words);
        let props = Props::from([(String::new(), scenario.turn * 7 + index * 31)]);
        Self { scenario, index, least, most, drawn: BTreeMap::new(), props, blocks: Vec::new(), total: 0 }
    }

    /// The next piece of a pool of which each chapter takes `share`.
    fn piece(&mut self, name: &'static str, scene: usize, share: usize) -> Vec<String> {
        let order = self.scenario.stock.shuffled(name);
        let drawn = self.drawn.entry(name).or_default();
        let place = self.scenario.turn * share + *drawn + self.index * (order.len() / 3 + 1);
        let pattern = order[place % order.len()];
        let turn = roll(seed(&[pattern]), 0, 4096) + place / order.len() + self.index * 11;
        *drawn += 1;
        let partner = &self.scenario.people[1 + scene % (self.scenario.people.len() - 1)];
        self.scenario.written(pattern, turn, (partner, &[]), &mut self.props).concat()
    }

    /// Puts paragraphs on the page unless they make the text longer than `limit`.
    fn add(&mut self, place: (usize, usize), paragraphs: Vec<String>, limit: u32) {
        let text = paragraphs.join("\n\n");
        if self.total + words(&text) <= limit || self.blocks.is_empty() {
            self.total += words(&text);
            self.blocks.push((place, text));
        }
    }

    /// The body of a chapter: the scenes that its outline asks for, and a share of filler. Every chapter of a book
    /// takes the same share, so that no piece comes again before all others have come.
    fn body(mut self) -> String {
        let (scenario, least, room) = (self.scenario, self.least, self.most.saturating_sub(self.least));
        let (usual, limit) = (least + room / 4, self.most - room / 8);
        let share = (usual.saturating_sub(OUTLINE) / PIECE).max(1) as usize;
        let scenes = (2 + usual as usize / 900).min(MOST);
        let (last, middle) = (scenes - 1, scenes / 2);
        let mut outline =
            vec![((0, 0), vec![opening(scenario, self.index)]), ((last, 900), self.piece("close", last, 1))];
        let steps = scenario.conflict.steps.iter().cloned();
        outline.extend([(0, 300), (middle, 350), (last, 550)].into_iter().zip(steps));
        outline.extend(scenario.hints.iter().zip(0..).map(|((action, told), at)| {
            let (scene, place) = if *action == Action::Resolved { (last, 600) } else { (middle, 400) };
            ((scene, place + at), told.steps.concat())
        }));
        outline.extend(scenario.changes.iter().zip(800..).map(|(told, at)| ((last, at), told.steps.concat())));
        outline.extend((1..scenes).map(|scene| ((scene, 0), self.piece("later", scene, last))));
        outline.extend((0..SLIPS).map(|scene| ((scene, 450), self.piece("tic", scene, SLIPS))));
        for (place, paragraphs) in outline {
            self.add(place, paragraphs, limit);
        }
        let mut at = 0;
        while at < share || self.total < least && at < share + 24 {
            // The gaps between the steps of the conflict, one scene after the other.
            let (scene, gap) = (at % scenes, at / scenes);
            let piece = if at < share { self.piece("filler", scene, share) } else { self.piece("spare", scene, 2) };
            let place = [430, 210, 640, 240, 460, 670][gap % 6] + gap / 6;
            self.add((scene, place), piece, limit);
            at += 1;
        }
        self.blocks.sort_by_key(|(place, _)| *place);
        let scenes = self.blocks.chunk_by(|(one, _), (other, _)| one.0 == other.0);
        let scenes = scenes.map(|blocks| blocks.iter().map(|(_, told)| told.as_str()).collect::<Vec<_>>().join("\n\n"));
        scenes.collect::<Vec<_>>().join("\n\n* * *\n\n")
    }
}

/// The first paragraph of the text that `index` judgements came before. Each text of a chapter has its own, which
/// nothing else changes, so that it tells them apart.
fn opening(scenario: &Scenario, index: usize) -> String {
    let (name, turn) = if index == 0 { ("opening", 0) } else { ("opening again", index - 1) };
    let pattern = scenario.stock.pick(name, scenario.turn + turn);
    let mut props = Props::from([(String::new(), scenario.turn * 7 + index * 11)]);
    scenario.written(pattern, scenario.turn, (&scenario.people[1], &[]), &mut props).concat().concat()
}

/// How many judgements came before a text, told by its opening; `None` when it is not one of the offline writer's.
pub(super) fn index_of(scenario: &Scenario, text: &str) -> Option<usize> {
    (0..TEXTS).find(|index| sentences(&opening(scenario, *index)).next().is_some_and(|first| text.contains(first)))
}

/// A chapter from its outline, for the first time or, with an index of 1, again.
pub(super) fn draft(context: &ChapterContext, index: usize) -> String {
    let scenario = Scenario::of(context);
    reply(context, &scenario, &Composer::new(context, &scenario, index).body())
}

/// The text with a name put right, or with a new opening and new paragraphs in place of those that the fixes and
/// violations name. If they name no two paragraphs, others of narration are replaced.
pub(super) fn revise(context: &ChapterContext, text: &Chapter, fixes: &[Fix], violations: &[Check]) -> String {
    let scenario = Scenario::of(context);
    if let Some(corrected) = corrected(&text.body, fixes) {
        return reply(context, &scenario, &corrected);
    }
    let known = index_of(&scenario, &text.body);
    let index = (known.unwrap_or(0) + 1).min(TEXTS - 1);
    let mut composer = Composer::new(context, &scenario, index);
    let lines = text.body.split('\n').map(str::trim).filter(|line| !line.is_empty());
    let lines = lines.skip(usize::from(known.is_some())).map(str::to_owned);
    let mut kept: Vec<String> = std::iter::once(opening(&scenario, index)).chain(lines).collect();
    let targets = fixes.iter().map(|fix| fix.target.trim()).chain(violations.iter().map(|check| check.evidence.trim()));
    let targets: Vec<&str> = targets.filter(|target| target.chars().count() >= 4).collect();
    let is_blamed = |text: &str| targets.iter().any(|target| text.contains(target) || target.contains(text));
    let inside = (1..kept.len()).filter(|at| !is_break(&kept[*at]));
    let (mut places, free): (Vec<usize>, Vec<usize>) = inside.partition(|at| is_blamed(&kept[*at]));
    // The scenes of the outline stay.
    let told = scenario.conflict.steps.concat();
    let is_free = |at: &usize| *at + 1 < kept.len() && !has_speech(&kept[*at]) && !told.contains(&kept[*at]);
    let free = free.into_iter().filter(is_free).skip(index * 2).step_by(2);
    places.extend(free.take(2usize.saturating_sub(places.len())));
    let mut total: u32 = kept.iter().map(|paragraph| words(paragraph)).sum();
    for at in places {
        let new = composer.piece("spare", 1, 2).concat();
        let changed = total - words(&kept[at]) + words(&new);
        if (composer.least..=composer.most).contains(&changed) {
            (total, kept[at]) = (changed, new);
        }
    }
    reply(context, &scenario, &kept.join("\n\n"))
}

/// The text with names spelt as a wish has them, where it wishes for nothing else.
fn corrected(body: &str, fixes: &[Fix]) -> Option<String> {
    let (names, rest): (Vec<&Fix>, Vec<&Fix>) = fixes.iter().partition(|fix| fix.instruction.contains(SPELT));
    if names.is_empty() || rest.iter().any(|fix| fix.instruction != NOTHING_ELSE) {
        return None;
    }
    names.into_iter().try_fold(body.to_owned(), |body, fix| {
        let (found, right) = fix.instruction.split_once(SPELT)?;
        let wrong = found.split_once('「')?.1.split_once('」')?.0;
        Some(body.replace(wrong, right.strip_prefix('“')?.split_once('”')?.0))
    })
}

/// A body as a reply: with the title of the outline, and with hints on what has changed.
fn reply(context: &ChapterContext, scenario: &Scenario, body: &str) -> String {
    let title = Some(context.section.title.trim()).filter(|title| !title.is_empty()).unwrap_or(&scenario.thing);
    let told = scenario.changes.iter().filter(|change| change.is_in(body)).map(|change| format!("- {}\n", change.plan));
    let (number, pov, changes) = (context.chapter.get(), &scenario.people[0].name, told.collect::<String>());
    let hint = format!("{pov}：身在{}，心绪有了变化", scenario.place);
    format!("# 第{number}章 {title}\n\n{body}\n\n【状态提示】\n- {hint}\n{changes}")
}

/// The plan of the scenes into which the draft is divided.
pub(super) fn scene_plan(context: &ChapterContext) -> String {
    let scenario = Scenario::of(context);
    let people: Vec<&str> = scenario.people.iter().map(|person| person.name.as_str()).collect();
    let scene = |(goal, at): (&str, usize)| {
        let (goal, turn) = (format!("{}{goal}", people[0]), scenario.changes.get(at).map(|told| &told.plan));
        json!({
            "goal": goal, "place": scenario.place, "people": people, "conflict": scenario.conflict.plan, "turn": turn,
            "share": 33,
        })
    };
    let scenes = ["撞上难处", "往前走一步", "拿定主意"].into_iter().zip(0..).map(scene);
    json!({ "scenes": scenes.collect::<Vec<Value>>() }).to_string()
}

/// One scene of the draft: with the heading before the first and the hints after the last.
pub(super) fn scene(context: &ChapterContext, order: &SceneOrder) -> String {
    let scenario = Scenario::of(context);
    let parts = divided(&Composer::new(context, &scenario, 0).body(), order.plan.scenes.len());
    let part = parts.get(order.number.saturating_sub(1) as usize).map_or("", String::as_str);
    let whole = reply(context, &scenario, part);
    let (heading, rest) = whole.split_once("\n\n").unwrap_or_default();
    let text = if order.number as usize == parts.len() { rest } else { part };
    if order.number == 1 { format!("{heading}\n\n{text}") } else { text.to_owned() }
}

/// A text in so many parts of about the same length.
fn divided(body: &str, count: usize) -> Vec<String> {
    let (total, mut done) = (words(body).max(1) as usize, 0);
    let mut parts = vec![Vec::new(); count];
    for paragraph in paragraphs(body) {
        parts[(done * count / total).min(count - 1)].push(paragraph);
        done += words(paragraph) as usize;
    }
    parts.iter().map(|part| part.join("\n\n")).collect()
}
