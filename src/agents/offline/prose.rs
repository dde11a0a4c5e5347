//! From a scenario to paragraphs: scenes with their fixed beats first, then filled up to the wanted length.

use super::chance::{Chance, seed};
use super::cut::{sentences, words};
use super::decks::Decks;
use super::patterns::{expand, pool, turn_of_pattern};
use super::people::Person;
use super::scenario::{Arc, Scenario};
use crate::domain::foreshadowing::Action;
use std::collections::{BTreeMap, BTreeSet};

/// Which of a chapter's texts this is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Edition {
    /// Whether the whole chapter was written again.
    pub(super) rewritten: bool,
    /// Revisions since then.
    pub(super) round: u32,
}

impl Edition {
    /// How many judgements came before this text: the place in a list of rehearsed scores.
    pub(super) fn index(self) -> usize {
        usize::from(self.rewritten) + self.round as usize
    }

    /// Every edition that is ever recognised.
    pub(super) fn all() -> impl Iterator<Item = Self> {
        let rounds = |rewritten| (0..6).map(move |round| Self { rewritten, round });
        rounds(false).chain(rounds(true))
    }

    fn salt(self) -> u64 {
        u64::from(self.round) * 2 + u64::from(self.rewritten)
    }

    /// Which place of a pattern's choices it takes: a rewrite the other one than the draft, so that they differ even
    /// where both come to the same pattern.
    fn turn(self, scenario: &Scenario, pattern: &str) -> usize {
        turn_of_pattern(scenario.seed, pattern) + usize::from(self.rewritten) + self.round as usize
    }

    /// Which hand of patterns it plays: neighbours of a chapter hold the next and the previous one, so a text that
    /// replaces another takes the opposite one.
    fn hand(self, number: u32) -> usize {
        number as usize + if (self.round + u32::from(self.rewritten)) % 2 == 1 { 2 } else { 0 }
    }
}

/// The first paragraph of an edition. Each edition has its own, and nothing else changes it, so that it tells the
/// editions apart.
pub(super) fn opening(scenario: &Scenario, edition: Edition) -> String {
    let mood = format!("opening {}", scenario.mood.name());
    let number = scenario.number as usize + edition.salt() as usize * 5;
    let (name, turn) = if number.is_multiple_of(3) { (mood.as_str(), number / 3) } else { ("opening", number) };
    let mut order = pool(name).to_vec();
    Chance::new(scenario.book_seed ^ seed(&[name])).shuffle(&mut order);
    let pattern = order.get(turn % order.len().max(1)).copied().unwrap_or("[日]，[主]到了[地]。");
    let mut chance = Chance::new(scenario.seed ^ seed(&["opening"]) ^ edition.salt());
    let (partner, third) = (scenario.partner(0), scenario.partner(1));
    expand(pattern, edition.turn(scenario, pattern), &mut chance, &mut |slot, chance| {
        scenario.slot(slot, partner, third, chance)
    })
}

/// The edition that a text is, told by its opening; `None` when somebody wrote another one.
pub(super) fn edition_of(scenario: &Scenario, text: &str) -> Option<Edition> {
    Edition::all().find(|edition| {
        let first = opening(scenario, *edition);
        sentences(&first).first().is_some_and(|sentence| text.contains(sentence))
    })
}

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
    scenario: &'a Scenario,
    edition: Edition,
    chance: Chance,
    decks: Decks,
    used: BTreeSet<u64>,
    said: BTreeMap<String, usize>,
    worn_out: Vec<String>,
}

/// What the narration is filled up with.
const FILLERS: [&str; 7] = ["observe", "act", "sense", "extra", "thought", "odd", "weather"];

/// Who says what in a conversation: `0` and `1` are its two people.
const TALKS: [&[(usize, &str)]; 9] = [
    &[(0, "ask"), (1, "evade"), (0, "press"), (1, "yield"), (0, "thank")],
    &[(1, "warn"), (0, "shrug"), (1, "warn"), (0, "shrug"), (1, "agree")],
    &[(0, "propose"), (1, "doubt"), (0, "argue"), (1, "agree")],
    &[(1, "tease"), (0, "retort"), (1, "serious"), (0, "ask"), (1, "inform")],
    &[(1, "inform"), (0, "doubt"), (1, "explain"), (0, "propose"), (1, "agree")],
    &[(0, "offer"), (1, "haggle"), (0, "haggle"), (1, "deal"), (0, "thank")],
    &[(1, "reminisce"), (0, "memory"), (1, "memory"), (0, "hush")],
    &[(1, "rumour"), (0, "gossip"), (1, "gossip"), (0, "gossip"), (1, "shush")],
    &[(0, "plead"), (1, "refuse"), (0, "plead"), (1, "relent"), (0, "thank")],
];

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
    fn fresh(&mut self, text: &str) -> bool {
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

    /// What a person says: a line of a pool in the person's manner, with or without quotation marks around it.
    fn line(&mut self, name: &str, speaker: &Person, listener: &Person) -> Option<String> {
        for _ in 0..3 {
            let pattern = self.decks.draw(name, &mut self.chance)?;
            let scenario = self.scenario;
            let third = scenario.others.iter().find(|p| p.name != speaker.name && p.name != listener.name);
            let mut slot = |slot: &str, chance: &mut Chance| match (slot, third) {
                ("三", None) => "那一位".to_owned(),
                _ => scenario.slot(slot, listener, third.unwrap_or(listener), chance),
            };
            let said = expand(pattern, self.edition.turn(scenario, pattern), &mut self.chance, &mut slot);
            let manner = self.in_manner(said, speaker);
            if self.fresh(&manner) {
                return Some(manner);
            }
        }
        None
    }

    fn in_manner(&mut self, said: String, speaker: &Person) -> String {
        let scenario = self.scenario;
        let count = self.said.entry(speaker.name.clone()).or_default();
        *count += 1;
        let count = *count;
        if speaker.terse {
            // Somebody of few words says the first half, where that is a sentence of its own.
            let (first, end) = (said.split(['，', '。', '？', '：']).next().unwrap_or(&said), said.ends_with('？'));
            if words(first) >= 5 && self.chance.percent(50) && !said.contains('：') {
                return format!("{first}{}", if end { '？' } else { '。' });
            }
        }
        if let Some(phrase) = self.chance.pick(&speaker.catch_phrases).cloned()
            // Twice in a chapter is a habit, more is a tic.
            && (count == 2 || count == 9)
            && !said.contains(&phrase)
        {
            return format!("{phrase}，{said}");
        }
        let Some(habit) = self.chance.pick(&speaker.habits).copied() else { return said };
        if !self.chance.percent(35) {
            return said;
        }
        let Some(pattern) = self.decks.draw(habit, &mut self.chance) else { return said };
        let mut slot = |slot: &str, chance: &mut Chance| scenario.slot(slot, speaker, speaker, chance);
        let extra = expand(pattern, self.edition.turn(scenario, pattern), &mut self.chance, &mut slot);
        match (extra.strip_prefix('，'), said.strip_suffix('。')) {
            (None, _) => format!("{extra}{said}"),
            (Some(_), Some(bare)) if habit == "asking" => format!("{bare}{extra}？"),
            (Some(_), Some(bare)) => format!("{bare}{extra}。"),
            (Some(_), None) => said,
        }
    }

    /// A conversation, one paragraph a line.
    fn talk(&mut self, shape: &[(usize, &str)], scene: usize) -> Vec<String> {
        let scenario = self.scenario;
        let people = [&scenario.pov, scenario.partner(scene)];
        let third = scenario.partner(scene + 1);
        let mut paragraphs = Vec::new();
        let frame = |composer: &mut Self, name: &str, speaker: usize| {
            let pattern = composer.decks.draw(name, &mut composer.chance)?;
            let mut slot = |slot: &str, chance: &mut Chance| match slot {
                "甲" => people[speaker].name.clone(),
                "乙" => people[1 - speaker].name.clone(),
                _ => scenario.slot(slot, people[1], third, chance),
            };
            let text = expand(pattern, composer.edition.turn(scenario, pattern), &mut composer.chance, &mut slot);
            (name == "tag" || composer.fresh(&text)).then_some(text)
        };
        if self.decks.left("lead", &mut self.chance) > 0 && self.chance.percent(45) {
            paragraphs.extend(frame(self, "lead", 0));
        }
        for (at, &(speaker, name)) in shape.iter().enumerate() {
            let Some(said) = self.line(name, people[speaker], people[1 - speaker]) else { continue };
            let tag = if at < 2 || self.chance.percent(40) { frame(self, "tag", speaker) } else { None };
            let style = self.chance.below(3);
            paragraphs.push(match (tag, said.split_once('，')) {
                (Some(tag), Some((head, tail))) if style == 0 && words(head) > 3 && words(tail) > 4 => {
                    format!("“{head}，”{tag}，“{tail}”")
                }
                (Some(tag), _) if style == 1 => format!("“{said}”{tag}。"),
                (Some(tag), _) => format!("{tag}：“{said}”"),
                (None, _) => format!("“{said}”"),
            });
            if at == 2 && self.decks.left("beat", &mut self.chance) > 0 {
                paragraphs.extend(frame(self, "beat", speaker));
            }
        }
        paragraphs
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
