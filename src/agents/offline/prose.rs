//! From a scenario to paragraphs: scenes with their fixed beats first, then filled up to the wanted length.

use super::chance::{Chance, seed};
use super::cut::{sentences, words};
use super::decks::Decks;
use super::edition::{Edition, opening};
use super::patterns::{expand, pool};
use super::scenario::{Arc, Scenario};
use super::talk_shapes::TALKS;
use crate::domain::volume::foreshadowing::Action;
use std::collections::{BTreeMap, BTreeSet};

/// Paragraphs that stay together.
struct Block {
    scene: usize,
    rank: u32,
    paragraphs: Vec<String>,
}

impl Block {
    fn is_talk(&self) -> bool {
        self.paragraphs.len() > 1
    }
}

/// What is on the page so far.
struct Sheet {
    blocks: Vec<Block>,
    total: u32,
    limit: u32,
}

impl Sheet {
    /// Puts paragraphs into a scene unless they make the text too long; whether there was room.
    fn add(&mut self, scene: usize, rank: u32, paragraphs: Vec<String>) -> bool {
        let size: u32 = paragraphs.iter().map(|p| words(p)).sum();
        let fits = size > 0 && (self.total + size <= self.limit || self.blocks.is_empty());
        if fits {
            self.total += size;
            self.blocks.push(Block { scene, rank, paragraphs });
        }
        fits
    }

    /// The scenes in order, with a break between them.
    fn into_text(mut self) -> String {
        self.blocks.sort_by_key(|block| (block.scene, block.rank));
        for at in 1..self.blocks.len() {
            // Two conversations in a row read as one that forgot its subject: narration comes between them.
            let apart = |other: &Block| other.scene == self.blocks[at].scene && !other.is_talk();
            if self.blocks[at].is_talk() && self.blocks[at - 1].is_talk() {
                let next = self.blocks[at..].iter().position(apart);
                next.into_iter().for_each(|next| self.blocks[at..=at + next].rotate_right(1));
            }
        }
        let mut pieces: Vec<String> = Vec::new();
        let mut scene = 0;
        for block in self.blocks {
            if block.scene != scene {
                scene = block.scene;
                pieces.push("* * *".to_owned());
            }
            pieces.extend(block.paragraphs);
        }
        pieces.join("\n\n")
    }
}

/// Writes one text.
pub(super) struct Composer<'a> {
    pub(super) scenario: &'a Scenario,
    pub(super) edition: Edition,
    pub(super) chance: Chance,
    pub(super) decks: Decks,
    pub(super) used: BTreeSet<u64>,
    pub(super) said: BTreeMap<String, usize>,
    pub(super) worn_out: Vec<String>,
}

/// What the narration is filled up with.
const FILLERS: [&str; 7] = ["observe", "act", "sense", "extra", "thought", "odd", "weather"];

impl<'a> Composer<'a> {
    /// A composer for an edition.
    pub(super) fn new(scenario: &'a Scenario, edition: Edition) -> Self {
        let chance = Chance::new(scenario.seed ^ seed(&["prose", &edition.salt().to_string()]));
        let decks = Decks::new(scenario.book_seed, edition.hand(scenario.number));
        Self { scenario, edition, chance, decks, used: BTreeSet::new(), said: BTreeMap::new(), worn_out: Vec::new() }
    }

    /// Lets a few of these worn-out phrases slip into the text, so that the refiner has something to do.
    pub(super) fn careless(mut self, phrases: Vec<String>) -> Self {
        self.worn_out = phrases;
        self
    }

    /// Keeps the sentences of an existing text from being written again.
    pub(super) fn avoid(&mut self, text: &str) {
        text.lines().flat_map(sentences).for_each(|sentence| {
            self.used.insert(seed(&[sentence]));
        });
    }

    /// Notes a text's sentences, unless one of them has stood before.
    pub(super) fn fresh(&mut self, text: &str) -> bool {
        let keys: Vec<u64> = sentences(text).iter().filter(|s| words(s) > 4).map(|s| seed(&[s])).collect();
        let distinct: BTreeSet<u64> = keys.iter().copied().collect();
        if distinct.len() < keys.len() || keys.iter().any(|key| self.used.contains(key)) {
            return false;
        }
        self.used.extend(keys);
        true
    }

    /// One piece of a pool, half of them in the storyline's own tone.
    fn piece(&mut self, name: &str, scene: usize) -> Option<String> {
        let scenario = self.scenario;
        let toned = match name {
            "weather" => scenario.weather.to_owned(),
            _ => format!("{name} {}", scenario.mood.name()),
        };
        for _ in 0..4 {
            let own = self.decks.left(&toned, &mut self.chance);
            let common = self.decks.left(name, &mut self.chance);
            let use_own = own > 0 && (common == 0 || self.chance.percent(60)) || pool(name).is_empty();
            let pattern = if use_own { self.decks.draw(&toned, &mut self.chance) } else { None };
            let pattern = pattern.or_else(|| self.decks.draw(name, &mut self.chance))?;
            let (partner, third) = (scenario.partner(scene), scenario.partner(scene + 1));
            let mut slot = |slot: &str, chance: &mut Chance| scenario.slot(slot, partner, third, chance);
            let text = expand(pattern, self.edition.turn(scenario, pattern), &mut self.chance, &mut slot);
            if self.fresh(&text) {
                return Some(text);
            }
        }
        None
    }

    /// A piece of narration that can stand anywhere, from the pool that has most left, so that none runs dry while
    /// others are full. When only what the neighbouring chapters use is left, `last_resort` decides.
    pub(super) fn filler(&mut self, scene: usize, last_resort: bool) -> Option<String> {
        let first = self.chance.below(FILLERS.len());
        let mut best = (0, FILLERS[first]);
        for step in 0..FILLERS.len() {
            let name = FILLERS[(first + step) % FILLERS.len()];
            let toned = format!("{name} {}", self.scenario.mood.name());
            // The patterns of the sky speak of the day.
            if name == "weather" && scene > 1 {
                continue;
            }
            let names = if name == "weather" { [self.scenario.weather, ""] } else { [name, toned.as_str()] };
            let left: usize = names.iter().map(|name| self.decks.left(name, &mut self.chance)).sum();
            if left > best.0 + 8 || best.0 == 0 && left > 0 {
                best = (left, name);
            }
        }
        if best.0 == 0 {
            let fullest =
                FILLERS.iter().filter(|_| last_resort).max_by_key(|name| self.decks.len(name, &mut self.chance));
            return self.piece(fullest?, scene);
        }
        let first = self.piece(best.1, scene)?;
        // What somebody sees or hears goes with what he does or thinks of it.
        let seen = matches!(best.1, "weather" | "sense" | "observe") && words(&first) < 45;
        let answer = if self.chance.percent(50) { "act" } else { "thought" };
        if seen && self.decks.left(answer, &mut self.chance) > 0 && self.chance.percent(60) {
            let second = self.piece(answer, scene).unwrap_or_default();
            return Some(first + &second);
        }
        Some(first)
    }

    /// The whole body between `least` and `most` words.
    pub(super) fn body(&mut self, least: u32, most: u32) -> String {
        let (least, most) = (least.min(most), most.max(least).max(60));
        let room = most - least;
        let target = least + room * (35 + self.chance.below(25) as u32) / 100;
        let limit = most - room / 8;
        let scenes = match target {
            0..=700 => 2,
            701..=1800 => 3,
            1801..=3600 => 4,
            _ => 5 + (target as usize - 3600) / 1500,
        };
        let mut sheet = Sheet { blocks: Vec::new(), total: 0, limit };
        let last = scenes - 1;
        let first = opening(self.scenario, self.edition);
        self.fresh(&first);
        sheet.add(0, 0, vec![first]);
        for (scene, rank, paragraphs) in self.beats(scenes, target) {
            sheet.add(scene.min(last), rank, paragraphs);
        }
        let mut spoken = 2;
        let mut misses = 0;
        while sheet.total < target && misses < 12 {
            let scene = self.chance.below(scenes);
            let rank = 110 + self.chance.below(770) as u32;
            let paragraphs = if self.chance.percent(12) && spoken < scenes * 2 && target - sheet.total > 200 {
                spoken += 1;
                let shape = TALKS[(self.scenario.number as usize + spoken) % TALKS.len()];
                self.talk(shape, scene + spoken)
            } else {
                self.filler(scene, sheet.total < least).into_iter().collect()
            };
            misses += u32::from(!sheet.add(scene, rank, paragraphs));
        }
        sheet.into_text()
    }

    /// What a chapter must have, the most important first: scene, place in the scene, paragraphs.
    fn beats(&mut self, scenes: usize, target: u32) -> Vec<(usize, u32, Vec<String>)> {
        let scenario = self.scenario;
        let last = scenes - 1;
        let late = last.saturating_sub(1).max(1);
        let mut beats: Vec<(usize, u32, Vec<String>)> = Vec::new();
        let mut push = |scene: usize, rank: u32, text: Option<String>| {
            beats.extend(text.map(|text| (scene, rank, vec![text])));
        };
        push(last, 1000, self.piece("close", last));
        push(0, 420, self.piece("conflict", 0));
        for (at, hint) in scenario.hints.iter().enumerate() {
            let (pool, scene) = match hint.action {
                Action::Planted => ("plant", 1),
                Action::Advanced => ("advance", late),
                Action::Resolved => ("resolve", last),
            };
            push(scene, 800 + at as u32, self.piece_with(pool, scene, "伏", &hint.words));
        }
        for (at, change) in scenario.changes.iter().enumerate() {
            push(last, 900 + at as u32, self.piece_with("change", last, "变", change));
        }
        let arc = match &scenario.arc {
            Some(Arc::Turn(..)) => self.piece("arc", late),
            Some(Arc::Plain(_)) => {
                let pattern = self.decks.draw("arc plain", &mut self.chance);
                pattern.map(|pattern| self.written(pattern, late, None))
            }
            None => None,
        };
        push(late, 700, arc);
        let times: &[&str] = if scenes == 2 { &["dusk"] } else { &["noon", "dusk", "night", "later"] };
        let times = if scenes == 3 { &times[1..] } else { times };
        for scene in 1..scenes {
            let name = times.get(scene - 1).copied().unwrap_or("later");
            push(scene, 0, self.piece(name, scene));
        }
        for slip in 0..if target < 700 { 1 } else { 3 } {
            let scene = slip.min(last);
            push(scene, 450 + slip as u32 * 170, self.slip(scene));
        }
        let number = scenario.number as usize + self.edition.salt() as usize * 2;
        let talk = self.talk(TALKS[number % TALKS.len()], 0);
        beats.push((0, 500, if target < 700 { talk.into_iter().take(4).collect() } else { talk }));
        let mut push = |scene: usize, rank: u32, text: Option<String>| {
            beats.extend(text.map(|text| (scene, rank, vec![text])));
        };
        let scene_of = |step: usize| [0, 1.min(last), last][step.min(2)];
        for step in 0..3 {
            let scene = scene_of(step);
            push(scene, 300, scenario.step(&scenario.motif, step, self.edition.index(), &mut self.chance));
        }
        if target >= 700 {
            for step in 0..3 {
                let scene = scene_of(step);
                let rank = [720, 200, 150][step];
                push(scene, rank, scenario.step(&scenario.obstacle, step, self.edition.index(), &mut self.chance));
            }
            push(0, 10, self.piece("arrive", 0));
            push(0, 100, self.piece("weather", 0));
            push(late, 320, self.piece("turn", late));
            if scenario.meeting.is_some() {
                push(late, 310, self.piece("meeting", late));
            }
            if scenario.bridge.is_some() {
                push(last, 960, self.piece("bridge", last));
            }
            if scenario.remembered.is_some() {
                push(0, 250, self.piece("recall", 0));
            }
            if scenario.carried.is_some() {
                push(1, 170, self.piece("carried", 1));
            }
            if scenario.number % 3 == 1 {
                push(last, 350, self.piece("keep", last));
            }
            let mut talks = vec![(1, 600, 1)];
            if target >= 1500 {
                talks.push((late, 500, 2));
            }
            for (scene, rank, turn) in talks {
                let paragraphs = self.talk(TALKS[(number + turn) % TALKS.len()], scene + usize::from(turn == 2));
                beats.push((scene, rank, paragraphs));
            }
            if let Some(said) = self.line("part", scenario.partner(last), &scenario.pov) {
                beats.push((last, 980, vec![format!("{}{}：“{said}”", scenario.partner(last).name, "起身道")]));
            }
        }
        beats
    }

    fn piece_with(&mut self, name: &str, scene: usize, slot: &str, words: &str) -> Option<String> {
        let pattern = self.decks.draw(name, &mut self.chance)?;
        let text = self.written(pattern, scene, Some((slot, words)));
        self.fresh(&text).then_some(text)
    }

    fn written(&mut self, pattern: &str, scene: usize, own: Option<(&str, &str)>) -> String {
        let scenario = self.scenario;
        let (partner, third) = (scenario.partner(scene), scenario.partner(scene + 1));
        let mut fill = |slot: &str, chance: &mut Chance| match own {
            Some((name, words)) if name == slot => words.to_owned(),
            _ => scenario.slot(slot, partner, third, chance),
        };
        expand(pattern, self.edition.turn(scenario, pattern), &mut self.chance, &mut fill)
    }

    /// A sentence or two with one of the worn-out phrases.
    fn slip(&mut self, scene: usize) -> Option<String> {
        for _ in 0..pool("tic").len() {
            let text = self.piece("tic", scene)?;
            if self.worn_out.iter().any(|phrase| text.contains(phrase.as_str())) {
                return Some(text);
            }
        }
        None
    }
}
