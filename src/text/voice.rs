//! How a person speaks: figures of the lines, habits that come too often, and whether two people can be told apart.

use crate::domain::world::character::TicKind;
use crate::text::chars::{han_count, is_han};
use crate::text::speakers::{COVERED, Lines};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

#[derive(Debug, Clone, PartialEq)]
pub struct Voice {
    pub lines: usize,
    /// Mean Han characters of a line.
    pub length: f64,
    /// Share of lines that end with a question mark, 0 to 1.
    pub questions: f64,
    /// Share of lines whose last character is the particle, 0 to 1, the most frequent first.
    pub particles: Vec<(char, f64)>,
    /// Share of lines with a phrase that the person has in three lines at least, and three times as often as others, 0 to 1.
    pub catch_phrases: f64,
    /// Habits that come too often, the most frequent first.
    pub tics: Vec<Tic>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Tic {
    pub words: String,
    pub kind: TicKind,
    /// The number of lines with the words.
    pub times: usize,
}

const PARTICLES: &str = "吧呢吗呀啊啦嘛呗哦哟么罢了的";
/// Particles of nearly every speaker, whose share says nothing.
const COMMON: [char; 2] = ['了', '的'];
/// Fewer lines than this have no habits.
const LEAST_FOR_TICS: usize = 30;
/// A habit is in so many lines, and in such a share of them. In windows of 60 lines of one person of 红楼梦 and 七剑十三侠,
/// forms of address left out, 95 in 100 have no phrase above a tenth of the lines, and no particle but 了 above three
/// tenths.
const LEAST_TIMES: usize = 6;
const TOO_OFTEN: f64 = 0.10;
const OPENING_TOO_OFTEN: f64 = 0.15;
const PARTICLE_TOO_OFTEN: f64 = 0.30;
/// A person's own phrase is so many times as frequent as in the lines of others.
const OWN: f64 = 3.0;
/// Lengths of phrases, in Han characters.
const LENGTHS: std::ops::RangeInclusive<usize> = 3..=8;
/// A phrase in fewer lines is no catch-phrase.
const CATCH: usize = 3;
/// The most Han characters of an opening.
const OPENING: usize = 3;
/// Last characters of forms of address, which name the listener.
const ADDRESS: [&str; 34] = [
    "爷", "太", "奶", "娘", "姐", "妹", "哥", "弟", "兄", "嫂", "婶", "叔", "伯", "公子", "小姐", "先生", "大人",
    "将军", "元帅", "师父", "师尊", "前辈", "道长", "掌柜", "老板", "老师", "殿下", "陛下", "大夫", "妈", "爹", "爸",
    "祖宗", "姑",
];

/// The number of lines from which on two people are compared.
pub const LEAST_LINES: usize = 80;
/// Lines compared of each person, the last ones.
const MOST_LINES: usize = 200;
/// The number of characters compared: the most frequent ones of all lines.
const CHARACTERS: usize = 200;
/// Shuffles that a distance is compared with.
const SHUFFLES: usize = 99;
/// Two people are alike when more than this share of shuffles is as far apart as they are.
const ALIKE: f64 = 0.2;
/// The most that one figure adds to a distance, so that one word does not decide it.
const CAP: f64 = 16.0;

impl Lines {
    /// The figures of a person; `None` for a person without lines.
    pub fn voice(&self, id: &str) -> Option<Voice> {
        let own = self.by.get(id).filter(|lines| !lines.is_empty())?;
        let others: Vec<&String> =
            self.by.iter().filter(|(other, _)| *other != id).flat_map(|(_, lines)| lines).collect();
        let share = |n: usize| n as f64 / own.len() as f64;
        let mut particles: BTreeMap<char, usize> = BTreeMap::new();
        for particle in own.iter().filter_map(|line| particle(line)) {
            *particles.entry(particle).or_default() += 1;
        }
        let mut shares: Vec<(char, f64)> = particles.iter().map(|(c, n)| (*c, share(*n))).collect();
        shares.sort_by(|a, b| b.1.total_cmp(&a.1));
        let phrases = own_phrases(own, &others);
        let with_phrase = |line: &&String| phrases.iter().any(|(phrase, _)| line.contains(phrase.as_str()));
        Some(Voice {
            lines: own.len(),
            length: own.iter().map(|line| han_count(line)).sum::<usize>() as f64 / own.len() as f64,
            questions: share(own.iter().filter(|line| is_question(line)).count()),
            catch_phrases: share(own.iter().filter(with_phrase).count()),
            tics: tics(own, &others, &phrases, &particles),
            particles: shares,
        })
    }

    /// The pairs of people who cannot be told apart with the names covered. Pairs with fewer than [`LEAST_LINES`] of
    /// either are not compared.
    ///
    /// The distance of two people is the mean squared difference of their rates of the 200 most frequent characters, of the length
    /// of their lines, of questions, commas and final particles, each in standard errors. It is compared with the distances of 99
    /// shuffles of the same lines: two people are alike when more than a fifth of the shuffles are as far apart. Measured on
    /// random lines of nine people of 红楼梦 (`figures_of_speech`): with 80 lines each 3 of 36 pairs are taken for alike, and 7
    /// of 9 halves of one person; with 120 lines 4 and 8; with 180 lines 0 of 21 and 5 of 7.
    pub fn alike<'i>(&self, people: &[&'i str]) -> Vec<(&'i str, &'i str)> {
        let enough = |id: &&&str| self.by.get(**id).is_some_and(|lines| lines.len() >= LEAST_LINES);
        let people: Vec<&str> = people.iter().filter(enough).copied().collect();
        if people.len() < 2 {
            return Vec::new();
        }
        let scale = VoiceScale::of(self);
        let measured: Vec<Vec<Figures>> = people
            .iter()
            .map(|id| {
                let lines = &self.by[*id];
                lines[lines.len().saturating_sub(MOST_LINES)..].iter().map(|line| scale.measure(line)).collect()
            })
            .collect();
        let pairs = (0..people.len()).flat_map(|a| (a + 1..people.len()).map(move |b| (a, b)));
        let alike = pairs.filter(|(a, b)| share_as_far(&measured[*a], &measured[*b], &scale) > ALIKE);
        alike.map(|(a, b)| (people[a], people[b])).collect()
    }
}

fn core(line: &str) -> &str {
    line.trim_end_matches(|c: char| !c.is_alphanumeric())
}

fn particle(line: &str) -> Option<char> {
    core(line).chars().last().filter(|c| PARTICLES.contains(*c))
}

fn is_question(line: &str) -> bool {
    line.trim_end_matches(super::chars::is_quote_mark).ends_with(['？', '?'])
}

/// The words before the first mark of a line, where they are few and more follows.
fn opening(line: &str) -> Option<String> {
    let first: String = line.chars().take_while(|c| is_han(*c)).collect();
    let is_short = (1..=OPENING).contains(&first.chars().count()) && core(line).len() > first.len();
    is_short.then_some(first)
}

fn phrases_of(line: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for run in line.split(|c: char| !is_han(c) || c == COVERED) {
        let chars: Vec<char> = run.chars().collect();
        for length in LENGTHS {
            found.extend(chars.windows(length).map(|window| window.iter().collect::<String>()));
        }
    }
    found
}

fn is_own(times: usize, of: usize, elsewhere: usize, others: usize) -> bool {
    times as f64 * others.max(1) as f64 >= OWN * elsewhere as f64 * of as f64
}

/// The person's catch-phrases with their numbers of lines, the most frequent first; of phrases within each other the
/// longest that is nearly as frequent. Forms of address are left out.
fn own_phrases(own: &[String], others: &[&String]) -> Vec<(String, usize)> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for phrase in own.iter().flat_map(|line| phrases_of(line)) {
        *counts.entry(phrase).or_default() += 1;
    }
    counts.retain(|phrase, times| *times >= CATCH && !ADDRESS.iter().any(|word| phrase.contains(word)));
    let mut elsewhere: BTreeMap<&str, usize> = counts.keys().map(|phrase| (phrase.as_str(), 0)).collect();
    for phrase in others.iter().flat_map(|line| phrases_of(line)) {
        if let Some(lines) = elsewhere.get_mut(phrase.as_str()) {
            *lines += 1;
        }
    }
    let of_others = |phrase: &str| elsewhere.get(phrase).copied().unwrap_or_default();
    let is_rare = |phrase: &str, times| is_own(times, own.len(), of_others(phrase), others.len());
    let rare = counts.iter().filter(|(phrase, times)| is_rare(phrase, **times));
    let mut found: Vec<(String, usize)> = rare.map(|(phrase, times)| (phrase.clone(), *times)).collect();
    // Longer ones first, so that parts of a phrase come after it.
    found.sort_by_key(|(phrase, times)| (std::cmp::Reverse(phrase.len()), std::cmp::Reverse(*times)));
    let mut kept: Vec<(String, usize)> = Vec::new();
    for (phrase, times) in found {
        // Overlapping windows of one longer phrase are as frequent as it is.
        let overlaps = |(other, n): &(String, usize)| shares_run(other, &phrase) && *n * 5 >= times * 4;
        if !kept.iter().any(overlaps) {
            kept.push((phrase, times));
        }
    }
    kept.sort_by_key(|(_, times)| std::cmp::Reverse(*times));
    kept
}

fn shares_run(one: &str, other: &str) -> bool {
    let chars: Vec<char> = one.chars().collect();
    chars.windows(2).any(|pair| other.contains(&pair.iter().collect::<String>()))
}

fn tics(
    own: &[String],
    others: &[&String],
    phrases: &[(String, usize)],
    particles: &BTreeMap<char, usize>,
) -> Vec<Tic> {
    if own.len() < LEAST_FOR_TICS {
        return Vec::new();
    }
    let is_often = |times: usize, share: f64| times >= LEAST_TIMES && times as f64 >= share * own.len() as f64;
    let phrase = |(words, times): &(String, usize)| Tic { words: words.clone(), kind: TicKind::Phrase, times: *times };
    let mut found: Vec<Tic> = phrases.iter().filter(|(_, times)| is_often(*times, TOO_OFTEN)).map(phrase).collect();
    let mut openings: BTreeMap<String, usize> = BTreeMap::new();
    for words in own.iter().filter_map(|line| opening(line)) {
        *openings.entry(words).or_default() += 1;
    }
    openings.retain(|words, times| {
        let elsewhere = others.iter().filter(|line| opening(line).as_deref() == Some(words)).count();
        let is_address = ADDRESS.iter().any(|word| words.contains(word));
        is_often(*times, OPENING_TOO_OFTEN) && is_own(*times, own.len(), elsewhere, others.len()) && !is_address
    });
    found.extend(openings.into_iter().map(|(words, times)| Tic { words, kind: TicKind::Opening, times }));
    let often = particles.iter().filter(|(c, times)| !COMMON.contains(c) && is_often(**times, PARTICLE_TOO_OFTEN));
    found.extend(often.map(|(c, times)| Tic { words: c.to_string(), kind: TicKind::Particle, times: *times }));
    found.sort_by_key(|tic| std::cmp::Reverse(tic.times));
    found
}

/// The figures by which lines are compared: characters per Han character first, then figures of whole lines.
struct VoiceScale {
    characters: BTreeMap<char, usize>,
}

impl VoiceScale {
    fn of(lines: &Lines) -> Self {
        let mut counts: BTreeMap<char, usize> = BTreeMap::new();
        for c in lines.by.values().flatten().flat_map(|line| line.chars()).filter(|c| *c != COVERED) {
            *counts.entry(c).or_default() += 1;
        }
        let mut frequent: Vec<(char, usize)> = counts.into_iter().collect();
        frequent.sort_by_key(|(c, n)| (std::cmp::Reverse(*n), *c));
        let characters = frequent.into_iter().take(CHARACTERS).enumerate().map(|(at, (c, _))| (c, at)).collect();
        Self { characters }
    }

    /// The number of figures: the Han characters, the counts of the characters, and the figures of the line.
    fn figures(&self) -> usize {
        1 + self.characters.len() + LINE_FIGURES + PARTICLES.chars().count()
    }

    fn measure(&self, line: &str) -> Figures {
        let mut found: BTreeMap<usize, f64> = BTreeMap::new();
        for at in line.chars().filter_map(|c| self.characters.get(&c)) {
            *found.entry(1 + at).or_default() += 1.0;
        }
        let han = han_count(line) as f64;
        let commas = line.chars().filter(|c| matches!(c, '，' | ',')).count() as f64;
        let of_line = 1 + self.characters.len();
        found.extend([
            (0, han),
            (of_line, han),
            (of_line + 1, f64::from(u8::from(is_question(line)))),
            (of_line + 2, commas),
        ]);
        let end = particle(line).and_then(|end| PARTICLES.chars().position(|c| c == end));
        found.extend(end.map(|at| (of_line + LINE_FIGURES + at, 1.0)));
        found.into_iter().collect()
    }
}

/// The figures of a line that are not 0, each with its number.
type Figures = Vec<(usize, f64)>;
/// The figures of a whole line: its length, whether it asks, its commas.
const LINE_FIGURES: usize = 3;

/// The share of shuffles of both people's lines that are as far apart as the two.
fn share_as_far(one: &[Figures], other: &[Figures], scale: &VoiceScale) -> f64 {
    let mut lines: Vec<&Figures> = one.iter().chain(other).collect();
    let total = sum(&lines, scale.figures());
    let mut squares = vec![0.0; total.len()];
    for (figure, value) in lines.iter().flat_map(|line| line.iter()) {
        squares[*figure] += value * value;
    }
    let pool = Pool { total, squares, lines: lines.len(), characters: scale.characters.len() };
    let distance = pool.distance(&lines[..one.len()]);
    let mut chance = Chance(SEED);
    let mut as_far = 0;
    for _ in 0..SHUFFLES {
        // Drawing the first part is enough.
        for at in 0..one.len() {
            let other = at + chance.below(lines.len() - at);
            lines.swap(at, other);
        }
        as_far += usize::from(pool.distance(&lines[..one.len()]) >= distance);
    }
    (as_far + 1) as f64 / (SHUFFLES + 1) as f64
}

fn sum(lines: &[&Figures], figures: usize) -> Vec<f64> {
    let mut sum = vec![0.0; figures];
    for (figure, value) in lines.iter().flat_map(|line| line.iter()) {
        sum[*figure] += value;
    }
    sum
}

struct Pool {
    total: Vec<f64>,
    squares: Vec<f64>,
    lines: usize,
    characters: usize,
}

impl Pool {
    /// The distance of some of the lines from the rest: the mean squared difference in standard errors.
    fn distance(&self, part: &[&Figures]) -> f64 {
        let own = sum(part, self.total.len());
        let (here, there) = (own[0].max(1.0), (self.total[0] - own[0]).max(1.0));
        let (few, rest) = (part.len() as f64, (self.lines - part.len()) as f64);
        let square = |figure: usize| {
            let (of_own, of_rest) = (own[figure], self.total[figure] - own[figure]);
            let (difference, variance) = if figure <= self.characters {
                let rate = self.total[figure] / (here + there);
                (of_own / here - of_rest / there, rate * (1.0 / here + 1.0 / there))
            } else {
                let mean = self.total[figure] / self.lines as f64;
                let variance = (self.squares[figure] / self.lines as f64 - mean * mean) * (1.0 / few + 1.0 / rest);
                (of_own / few - of_rest / rest, variance)
            };
            if variance > 0.0 { (difference * difference / variance).min(CAP) } else { 0.0 }
        };
        (1..own.len()).map(square).sum::<f64>() / (own.len() - 1) as f64
    }
}

/// A fixed seed, so that equal lines always give equal answers.
const SEED: u64 = 0x9E37_79B9_7F4A_7C15;

/// Numbers by SplitMix64.
struct Chance(u64);

impl Chance {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(SEED);
        let mut n = self.0;
        n = (n ^ (n >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        n = (n ^ (n >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((n ^ (n >> 31)) % limit.max(1) as u64) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(by: &[(&str, Vec<String>)]) -> Lines {
        let by: BTreeMap<String, Vec<String>> =
            by.iter().map(|(id, lines)| ((*id).to_owned(), lines.clone())).collect();
        Lines { all: by.values().map(Vec::len).sum(), by }
    }

    const THINGS: [&str; 16] =
        ["门", "灯", "船", "信", "刀", "人", "路", "钱", "雨", "书", "井", "桥", "伞", "马", "碑", "酒"];

    /// The nth pair of things.
    fn pair(n: usize) -> (&'static str, &'static str) {
        (THINGS[n % 16], THINGS[n / 16 % 16])
    }

    /// Lines of one who asks briefly, no two alike.
    fn asking(count: usize) -> Vec<String> {
        (0..count).map(pair).map(|(one, other)| format!("{one}呢？你把{other}放哪里了？")).collect()
    }

    /// Lines of one who explains at length, no two alike.
    fn explaining(count: usize) -> Vec<String> {
        let line = |(one, other)| format!("依我看，{one}的事不必急，先把{other}收好，再慢慢打听，总会有个结果。");
        (0..count).map(pair).map(line).collect()
    }

    #[test]
    fn people_who_speak_differently_are_told_apart_and_one_split_in_two_is_not() {
        let all = asking(200).into_iter().enumerate();
        let (one, other): (Vec<_>, Vec<_>) =
            all.partition(|(n, _)| (n.wrapping_mul(2_654_435_761) >> 9).is_multiple_of(2));
        let of = |part: Vec<(usize, String)>| part.into_iter().map(|(_, line)| line).collect::<Vec<_>>();
        let few = explaining(LEAST_LINES - 1);
        let lines = lines(&[("a", of(one)), ("b", of(other)), ("c", explaining(100)), ("d", few)]);
        let pairs = lines.alike(&["a", "b", "c", "d"]);
        assert_eq!(pairs.first(), Some(&("a", "b")));
        assert!(!pairs.iter().any(|pair| pair.1 == "c"), "{pairs:?}");
        assert!(!pairs.iter().any(|pair| pair.1 == "d"), "d has too few lines: {pairs:?}");
        assert_eq!(lines.alike(&["a"]), []);
    }

    #[test]
    fn figures_and_tics_are_those_of_the_lines() {
        let mut tic = explaining(100);
        for line in tic.iter_mut().step_by(4) {
            *line = format!("哼，{line}你懂不懂啊。");
        }
        let lines = lines(&[("a", tic), ("b", asking(100))]);
        let voice = lines.voice("a").unwrap();
        assert_eq!((voice.lines, voice.questions), (100, 0.0));
        assert_eq!(voice.particles, [('啊', 0.25)]);
        let tics: Vec<(&str, TicKind, usize)> =
            voice.tics.iter().map(|tic| (tic.words.as_str(), tic.kind, tic.times)).collect();
        assert!(tics.contains(&("哼", TicKind::Opening, 25)), "{tics:?}");
        assert!(tics.contains(&("你懂不懂啊", TicKind::Phrase, 25)), "{tics:?}");
        assert!(tics.iter().all(|(words, ..)| !words.contains("懂不") || *words == "你懂不懂啊"), "{tics:?}");
        let asking = lines.voice("b").unwrap();
        assert_eq!((asking.questions, asking.length), (1.0, 9.0));
        assert_eq!(lines.voice("c"), None);
    }

    #[test]
    fn a_particle_is_a_tic_only_where_it_is_rare_in_others() {
        let all: Vec<String> = (0..40).map(|n| format!("第{n}件事这么办呀！")).collect();
        let voice = lines(&[("a", all)]).voice("a").unwrap();
        assert!(voice.tics.iter().any(|tic| tic.kind == TicKind::Particle && tic.words == "呀"), "{:?}", voice.tics);
        let few: Vec<String> = (0..20).map(|n| format!("第{n}件事这么办呀！")).collect();
        assert_eq!(lines(&[("a", few)]).voice("a").unwrap().tics, [], "twenty lines have no habits");
    }
}
