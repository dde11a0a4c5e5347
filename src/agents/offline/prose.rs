//! From a scenario to paragraphs: scenes with what the outline asks for first, then filled up to the wanted length.

use super::chance::{Chance, seed};
use super::cut::{has_speech, sentences, words};
use super::edition::{Edition, opening};
use super::patterns::{expand, pool};
use super::rota::{Props, Rota};
use super::scenario::{GESTURES, Scenario};
use crate::domain::volume::foreshadowing::Action;
use std::collections::BTreeSet;

/// Paragraphs that stay together.
struct Block {
    scene: usize,
    rank: u32,
    paragraphs: Vec<String>,
    /// Whether they may be joined with their neighbours and name the person by a pronoun.
    is_loose: bool,
}

/// The page as far as it is written.
struct Sheet {
    blocks: Vec<Block>,
    total: u32,
    limit: u32,
}

impl Sheet {
    /// Puts a block on the page unless it makes the text too long; whether there was room.
    fn add(&mut self, block: Block) -> bool {
        let size: u32 = block.paragraphs.iter().map(|p| words(p)).sum();
        let fits = size > 0 && (self.total + size <= self.limit || self.blocks.is_empty());
        if fits {
            self.total += size;
            self.blocks.push(block);
        }
        fits
    }

    /// The scenes in order, with a break between them.
    fn into_text(mut self, scenario: &Scenario) -> String {
        self.blocks.sort_by_key(|block| (block.scene, block.rank));
        let mut pieces: Vec<String> = Vec::new();
        let (mut scene, mut may_join) = (0, false);
        for block in self.blocks {
            if block.scene != scene {
                scene = block.scene;
                may_join = false;
                pieces.push("* * *".to_owned());
            }
            for paragraph in block.paragraphs {
                let is_loose = block.is_loose && !has_speech(&paragraph);
                match pieces.last_mut().filter(|last| may_join && is_loose && words(last) < LONG_PARAGRAPH) {
                    Some(last) => {
                        let next = scenario.after(last, paragraph);
                        last.push_str(&next);
                    }
                    None => {
                        let last = pieces.last().map_or("", String::as_str);
                        let starts_alike = is_loose && last.starts_with(scenario.pov.name.as_str());
                        pieces.push(if starts_alike { scenario.after(last, paragraph) } else { paragraph });
                    }
                }
                may_join = is_loose;
            }
        }
        pieces.join("\n\n")
    }
}

/// Narration is not joined to a paragraph of so many characters.
const LONG_PARAGRAPH: u32 = 60;

impl Scenario {
    /// A sentence as it stands after another one: the person who was named there has a pronoun here.
    fn after(&self, before: &str, next: String) -> String {
        let is_clear =
            before.contains(&self.pov.name) && !self.others.iter().any(|person| before.contains(&person.name));
        match next.strip_prefix(self.pov.name.as_str()).filter(|_| is_clear) {
            Some(rest) => format!("{}{rest}", self.pov.pronoun),
            None => next,
        }
    }
}

/// Writes one text.
pub(super) struct Composer<'a> {
    scenario: &'a Scenario,
    edition: Edition,
    chance: Chance,
    rota: Rota,
    /// How many patterns a chapter may take of each pool of fillers.
    share: usize,
    used: BTreeSet<u64>,
    worn_out: Vec<String>,
    fillers: usize,
    gestures: usize,
}

/// Sentences with a worn-out phrase in a chapter.
const SLIPS: usize = 2;
/// The pools that a chapter is filled up from, over and over: narration and conversations.
const FILLERS: [&str; 8] = ["do", "exchange", "mind", "guest", "see", "exchange", "hear", "folk"];
/// About how many characters one round of them has.
const ROUND: u32 = 330;
/// About how many characters the outline itself takes.
const OUTLINE: u32 = 650;

impl<'a> Composer<'a> {
    /// A composer for an edition of a chapter of at most `most` characters.
    pub(super) fn new(scenario: &'a Scenario, edition: Edition, most: u32) -> Self {
        Self {
            scenario,
            edition,
            chance: Chance::new(scenario.seed ^ seed(&["prose", &edition.salt().to_string()])),
            rota: Rota::new(scenario.book_seed, scenario.number, edition.shift(scenario)),
            share: 1 + (most.saturating_sub(OUTLINE) * 2 / 3 / ROUND) as usize,
            used: BTreeSet::new(),
            worn_out: Vec::new(),
            fillers: scenario.number as usize,
            gestures: scenario.number as usize * GESTURES,
        }
    }

    /// Lets a few of these worn-out phrases slip into the text, so that the refiner has something to do.
    pub(super) fn careless(mut self, phrases: Vec<String>) -> Self {
        self.rota.keep("tic", |pattern| phrases.iter().any(|phrase| pattern.contains(phrase.as_str())));
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
    fn fresh(&mut self, text: &str) -> bool {
        let keys: Vec<u64> = sentences(text).iter().filter(|s| words(s) > 4).map(|s| seed(&[s])).collect();
        let distinct: BTreeSet<u64> = keys.iter().copied().collect();
        if distinct.len() < keys.len() || keys.iter().any(|key| self.used.contains(key)) {
            return false;
        }
        self.used.extend(keys);
        true
    }

    /// The next piece of a pool of which each chapter takes `share`: its paragraphs.
    fn piece(&mut self, name: &str, scene: usize, share: usize) -> Option<Vec<String>> {
        let scenario = self.scenario;
        for _ in 0..6 {
            let turn = self.rota.draw(name, share)?;
            let mut props = Props::new(scenario.age, scenario.book_seed, turn).gestures_from(self.gestures);
            let choice = props.choice();
            let text =
                expand(turn.pattern, choice, &mut |slot| scenario.slot(slot, scenario.partner(scene), &mut props));
            self.gestures = props.gestures();
            if self.fresh(&text) {
                return Some(text.split(" / ").map(str::to_owned).collect());
            }
        }
        None
    }

    /// A paragraph in place of one that was taken out; drafts never use these.
    pub(super) fn spare(&mut self, scene: usize) -> Option<String> {
        let spare = if self.rota.drawn("spare") < pool("spare").len() { self.piece("spare", scene, 2) } else { None };
        spare.or_else(|| self.piece("see", scene, self.share)).map(|paragraphs| paragraphs.concat())
    }

    /// The next piece that can stand anywhere.
    fn filler(&mut self, scene: usize) -> Option<Vec<String>> {
        // The patterns that the schedule gives this chapter first, then what it has to borrow.
        for limit in [1, usize::MAX] {
            for _ in 0..FILLERS.len() {
                let name = FILLERS[self.fillers % FILLERS.len()];
                self.fillers += 1;
                // The long pieces have few words that change, so they come back later.
                let share = if name == "guest" { self.share.div_ceil(2) } else { self.share };
                // Conversations are remembered, so none is borrowed.
                let most = if name == "exchange" { share } else { share.saturating_mul(limit) };
                let is_open = self.rota.drawn(name) < most.min(pool(name).len());
                if is_open {
                    return self.piece(name, scene, share);
                }
            }
        }
        None
    }

    /// The body of a chapter, between the two lengths.
    pub(super) fn body(&mut self, least: u32, most: u32) -> String {
        let least = least.min(most);
        let room = most - least;
        let target = least + room * (15 + self.chance.below(20) as u32) / 100;
        let scenes = match target {
            0..=700 => 2,
            701..=1800 => 3,
            1801..=3600 => 4,
            _ => 5 + (target as usize - 3600) / 1500,
        };
        let mut sheet = Sheet { blocks: Vec::new(), total: 0, limit: most - room / 8 };
        self.outline(&mut sheet, scenes, target);
        let (mut misses, mut at) = (0, 0);
        while sheet.total < target && misses < 24 {
            // Gaps between the steps of the conflict, one scene after the other.
            let (scene, rank) =
                (at % scenes, [430, 210, 640, 240, 460, 670][at / scenes % 6] + (at / scenes / 6) as u32);
            at += 1;
            let Some(paragraphs) = self.filler(scene) else { break };
            misses += u32::from(!sheet.add(Block { scene, rank, paragraphs, is_loose: true }));
        }
        sheet.into_text(self.scenario)
    }

    /// Adds the outline and its frame, the most important first.
    fn outline(&mut self, sheet: &mut Sheet, scenes: usize, target: u32) {
        let scenario = self.scenario;
        let (last, middle) = (scenes - 1, 1.min(scenes - 1));
        let late = last.saturating_sub(1).max(middle);
        let first = opening(scenario, self.edition);
        self.fresh(&first);
        let told = |scene, rank, paragraphs: &[String]| Block {
            scene,
            rank,
            paragraphs: paragraphs.to_vec(),
            is_loose: false,
        };
        sheet.add(told(0, 0, &[first]));
        let ending = match &scenario.bridge {
            Some(bridge) => bridge.text.clone(),
            None => self.piece("close", last, 1).unwrap_or_default(),
        };
        sheet.add(told(last, 1000, &ending));
        for (step, (scene, rank)) in scenario.story.iter().zip([(0, 300), (middle, 350), (last, 550)]) {
            sheet.add(told(scene, rank, step));
        }
        for (at, hint) in scenario.hints.iter().enumerate() {
            let (scene, rank) = match hint.action {
                Action::Planted => (middle, 260),
                Action::Advanced => (late, 480),
                Action::Resolved => (last, 600),
            };
            sheet.add(told(scene, rank + at as u32, &hint.told.text));
        }
        for (at, change) in scenario.changes.iter().enumerate() {
            sheet.add(told(last, 800 + at as u32, &change.text));
        }
        let mut blocks: Vec<(usize, u32, Option<Vec<String>>)> = Vec::new();
        for scene in 1..scenes {
            blocks.push((scene, 0, self.piece("later", scene, scenes - 1)));
        }
        for slip in 0..if target < 700 { 1 } else { SLIPS } {
            blocks.push((slip.min(last), 450, self.slip(slip.min(last))));
        }
        if target >= 700 {
            blocks.push((0, 100, self.piece(scenario.weather, 0, 1)));
            blocks.push((0, 150, self.piece("see", 0, self.share)));
            blocks.push((late, 520, scenario.arc.as_ref().map(|arc| arc.text.clone())));
            if scenario.is_meeting {
                blocks.push((middle, 200, self.piece("meeting", middle, 1)));
            }
            if scenario.number.is_multiple_of(3) && !scenario.partner(middle).catch_phrases.is_empty() {
                blocks.push((middle, 100, self.piece("voice", middle, 1)));
            }
        }
        for (scene, rank, paragraphs) in blocks {
            sheet.add(Block { scene, rank, paragraphs: paragraphs.unwrap_or_default(), is_loose: rank != 520 });
        }
    }

    /// A sentence or two with one of the worn-out phrases.
    fn slip(&mut self, scene: usize) -> Option<Vec<String>> {
        for _ in 0..pool("tic").len() {
            let text = self.piece("tic", scene, SLIPS)?;
            if self.worn_out.iter().any(|phrase| text.concat().contains(phrase.as_str())) {
                return Some(text);
            }
        }
        None
    }
}
