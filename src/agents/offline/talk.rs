//! Conversations: lines by what they do, in the manner of who says them.

use super::chance::Chance;
use super::cut::words;
use super::patterns::expand;
use super::people::Person;
use super::prose::Composer;

impl Composer<'_> {
    /// What a person says: a line of a pool in the person's manner, with or without quotation marks around it.
    pub(super) fn line(&mut self, name: &str, speaker: &Person, listener: &Person) -> Option<String> {
        for _ in 0..3 {
            let pattern = self.decks.draw(name, &mut self.chance)?;
            let scenario = self.scenario;
            let third = scenario.others.iter().find(|p| p.name != speaker.name && p.name != listener.name);
            let mut slot = |slot: &str, chance: &mut Chance| match (slot, third) {
                ("三", None) => "那一位".to_owned(),
                _ => scenario.slot(slot, listener, third.unwrap_or(listener), chance),
            };
            let said = expand(pattern, self.edition.turn(scenario, pattern), &mut self.chance, &mut slot);
            let mode = self.in_manner(said, speaker);
            if self.fresh(&mode) {
                return Some(mode);
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
            // A short one opens the sentence; a longer one is a sentence, if it does not say itself what it is.
            let joint = match phrase.chars().last() {
                Some('？' | '！') => "",
                _ if phrase.chars().count() > 4 => "。",
                _ => "，",
            };
            return format!("{phrase}{joint}{said}");
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
    pub(super) fn talk(&mut self, shape: &[(usize, &str)], scene: usize) -> Vec<String> {
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
}
