//! Phrases, openings of sentences, and beginnings and ends of chapters that the last chapters repeat.
//! A phrase counts when it comes back in a quarter of the chapters; names of the story are left out. Chapters 41 to 60
//! of three novels by people (1750–1900) have the formulas of the storyteller (且听下回分解, 后人有诗, 吃了一惊) and little else
//! (`worn_phrases_of_novels`).

use crate::domain::ChapterNo;
use crate::domain::quality::{EdgeShape, Pattern, Worn, WornKind};
use crate::text::chars::{CharSet, is_han, is_quote_mark};
use crate::text::names::{TITLES, TRADES};
use crate::text::quotes::quotes;
use crate::text::repeat::{is_function_character, opening, touches_name};
use crate::text::split::{BlockKind, clauses, paragraphs, prose_sentences};
use crate::text::wording::leftmost_longest;
use aho_corasick::AhoCorasick;
use std::collections::BTreeSet;

/// Han characters of a phrase. Shorter ones are words that any text has.
const SHORTEST: usize = 4;
/// Han characters of the longest phrase.
const LONGEST: usize = 12;
/// A phrase stands in one of so many chapters, and in at least [`LEAST_CHAPTERS`].
const ONE_IN: usize = 4;
const LEAST_CHAPTERS: usize = 3;
/// The share of sentences that begin alike from which on an opening is worn.
const OPENING_SHARE: f64 = 0.025;
/// The number of chapters in a row that begin or end alike from which on the pattern is worn.
const ROW: usize = 3;
/// Han characters at a chapter's edge in which words are looked for.
const EDGE: usize = 40;
/// The most Han characters of a paragraph of one sentence that is a short line.
const SHORT_LINE: usize = 12;

const TOP: usize = 8;

/// Fewer characters are faster to sort than to count.
const MANY: usize = 4096;

/// Characters that a phrase does not begin with, since they lean on a word before.
static LEANING: CharSet = CharSet::of("的了着过地得们吗呢吧啊么我你他她它这那其");
/// Characters that a phrase does not end with, since they need a word after.
static HANGING: CharSet = CharSet::of("的地得把被给向从对和与跟而但因为所以如若之这那哪个是在我你他她它一不");

/// First words of a chapter that tell the time.
const TIMES: [&str; 24] = [
    "第二天",
    "第三天",
    "次日",
    "翌日",
    "清晨",
    "早晨",
    "凌晨",
    "天亮",
    "天刚",
    "天色",
    "黎明",
    "傍晚",
    "黄昏",
    "入夜",
    "夜里",
    "夜色",
    "深夜",
    "半夜",
    "午后",
    "正午",
    "三天后",
    "两天后",
    "几天后",
    "一夜",
];
/// First words of a chapter that tell the weather.
const WEATHER: [&str; 14] =
    ["雨", "雪", "雾", "大雨", "大雪", "大雾", "风", "北风", "阳光", "月光", "月亮", "太阳", "乌云", "雷"];

/// Returns the patterns that the chapters, in their order, have worn out: phrases, openings of sentences, then starts
/// and ends of chapters, the most frequent of each kind first. `names` are those of the story; `own` are phrases that
/// the author may repeat freely.
pub fn worn(chapters: &[(ChapterNo, &str)], names: &[&str], own: &[&str]) -> Vec<Worn> {
    let forms: Vec<String> = names.iter().filter(|name| !name.is_empty()).map(|name| (*name).to_owned()).collect();
    let index = leftmost_longest(&forms);
    let texts: Vec<ChapterRuns> =
        chapters.iter().map(|(chapter, text)| ChapterRuns::of(*chapter, text, &index)).collect();
    let own_parts: PhraseTrigrams = own.iter().flat_map(|own| PhraseTrigrams::of(own).0).collect();
    let is_own = |words: &str| own_parts.shares(words) || own.iter().any(|own| words.contains(own));
    let is_free = |words: &str| !touches_name(words, names) && !is_own(words);
    let least = chapters.len().div_ceil(ONE_IN).max(LEAST_CHAPTERS);
    let starts = edge_words(&texts, WornKind::ChapterStart, &is_free);
    let ends = edge_words(&texts, WornKind::ChapterEnd, &is_free);
    let at_edges: Vec<&str> = starts.iter().chain(&ends).map(words_of).collect();
    let mut phrases = recurring(&texts, |text| &text.runs, least, &is_free);
    // Not earlier: the words for a person stand for their parts, 出租车司机 for 出租车司.
    phrases.retain(|phrase| !at_edges.contains(&words_of(phrase)) && !is_person(words_of(phrase)));
    phrases.truncate(TOP);
    let rows = [(WornKind::ChapterStart, starts), (WornKind::ChapterEnd, ends)];
    let rows = rows.into_iter().flat_map(|(kind, words)| row(&texts, kind).into_iter().chain(words));
    let openings = openings(&texts, &is_free);
    phrases.into_iter().chain(openings).chain(rows).collect()
}

/// True for words that call a person by trade or title: 出租车司机, 退休教师说.
fn is_person(words: &str) -> bool {
    let bare = words.strip_suffix(['道', '说', '问', '笑', '答', '喊']).unwrap_or(words);
    TRADES.split(' ').chain(TITLES).filter(|title| title.chars().count() > 1).any(|title| bare.ends_with(title))
}

fn words_of(worn: &Worn) -> &str {
    match &worn.pattern {
        Pattern::Words(words) => words,
        Pattern::Shape(_) => "",
    }
}

struct ChapterRuns {
    chapter: ChapterNo,
    runs: Runs,
    openings: Vec<String>,
    edges: [Runs; 2],
    shapes: [Option<EdgeShape>; 2],
}

impl ChapterRuns {
    fn of(chapter: ChapterNo, text: &str, names: &AhoCorasick) -> Self {
        let prose: Vec<&str> =
            paragraphs(text).into_iter().filter(|p| p.block == BlockKind::Prose).map(|p| p.text.trim()).collect();
        let mut runs = Runs::default();
        prose.iter().for_each(|paragraph| runs.add(&unnamed(paragraph, names)));
        let edges = [Runs::edge(&mut runs.each()), Runs::edge(&mut runs.each().rev())];
        let sentences = prose_sentences(text);
        Self {
            chapter,
            openings: sentences.iter().filter_map(|sentence| opening(sentence.text())).collect(),
            edges,
            shapes: [prose.first().and_then(|first| start_shape(first)), prose.last().and_then(|last| end_shape(last))],
            runs,
        }
    }
}

/// The text with a break in place of each name, so that no phrase spans a name.
fn unnamed(text: &str, names: &AhoCorasick) -> String {
    let mut rest = String::with_capacity(text.len());
    names.replace_all_with(text, &mut rest, |_, _, rest| {
        rest.push('\n');
        true
    });
    rest
}

/// Runs of Han characters without a mark between them.
#[derive(Debug, Default)]
struct Runs {
    chars: Vec<char>,
    ends: Vec<usize>,
}

impl Runs {
    fn add(&mut self, text: &str) {
        for run in clauses(text).into_iter().flat_map(|clause| clause.split(|c: char| !is_han(c))) {
            self.push(run.chars());
        }
    }

    fn push(&mut self, run: impl Iterator<Item = char>) {
        let start = self.chars.len();
        self.chars.extend(run);
        if self.chars.len() > start {
            self.ends.push(self.chars.len());
        }
    }

    /// The first of `runs` that have [`EDGE`] characters together.
    fn edge(runs: &mut dyn Iterator<Item = &[char]>) -> Self {
        let mut at_edge = Self::default();
        while at_edge.chars.len() < EDGE
            && let Some(run) = runs.next()
        {
            at_edge.push(run.iter().copied());
        }
        at_edge
    }

    fn each(&self) -> impl DoubleEndedIterator<Item = &[char]> {
        (0..self.ends.len()).map(|at| {
            let start = at.checked_sub(1).map_or(0, |before| self.ends[before]);
            &self.chars[start..self.ends[at]]
        })
    }
}

fn start_shape(paragraph: &str) -> Option<EdgeShape> {
    let begins = |words: &[&str]| words.iter().any(|word| paragraph.starts_with(word));
    if begins_speech(paragraph) {
        Some(EdgeShape::Speech)
    } else if begins(&TIMES) {
        Some(EdgeShape::Time)
    } else {
        begins(&WEATHER).then_some(EdgeShape::Weather)
    }
}

fn begins_speech(paragraph: &str) -> bool {
    quotes(paragraph).first().is_some_and(|quote| quote.range.start == 0 && quote.is_speech)
}

fn end_shape(paragraph: &str) -> Option<EdgeShape> {
    let bare = paragraph.trim_end_matches(is_quote_mark);
    let is_speech = bare.len() < paragraph.len() && begins_speech(paragraph);
    let han = paragraph.chars().filter(|c| is_han(*c)).count();
    if bare.ends_with(['？', '?']) {
        Some(EdgeShape::Question)
    } else if bare.ends_with('…') {
        Some(EdgeShape::Ellipsis)
    } else if is_speech {
        Some(EdgeShape::Speech)
    } else {
        (han <= SHORT_LINE && prose_sentences(paragraph).len() == 1).then_some(EdgeShape::ShortLine)
    }
}

/// The chapters at the end of the list that all begin, or end, alike.
fn row(texts: &[ChapterRuns], kind: WornKind) -> Option<Worn> {
    let shape_of = |text: &ChapterRuns| text.shapes[usize::from(kind == WornKind::ChapterEnd)];
    let shape = shape_of(texts.last()?)?;
    let in_row = texts.iter().rev().take_while(|text| shape_of(text) == Some(shape)).count();
    let chapters = texts[texts.len() - in_row..].iter().map(|text| text.chapter).collect();
    (in_row >= ROW).then_some(Worn { kind, pattern: Pattern::Shape(shape), times: in_row, chapters })
}

/// The most frequent words at the start, or at the end, of several chapters.
fn edge_words(texts: &[ChapterRuns], kind: WornKind, is_free: &dyn Fn(&str) -> bool) -> Option<Worn> {
    let edge = usize::from(kind == WornKind::ChapterEnd);
    let found = recurring(texts, |text| &text.edges[edge], LEAST_CHAPTERS, is_free);
    found.into_iter().next().map(|worn| Worn { kind, ..worn })
}

/// Openings that a fortieth of all sentences share.
fn openings(texts: &[ChapterRuns], is_free: &dyn Fn(&str) -> bool) -> Vec<Worn> {
    let mut all: Vec<(&str, ChapterNo)> =
        texts.iter().flat_map(|text| text.openings.iter().map(|words| (words.as_str(), text.chapter))).collect();
    all.sort();
    let least = (all.len() as f64 * OPENING_SHARE).max(LEAST_CHAPTERS as f64);
    let groups = all.chunk_by(|a, b| a.0 == b.0).filter(|group| group.len() as f64 >= least);
    let mut found: Vec<Worn> = groups
        .map(|group| Worn {
            kind: WornKind::Opening,
            pattern: Pattern::Words(group[0].0.to_owned()),
            times: group.len(),
            chapters: distinct(group.iter().map(|(_, chapter)| *chapter)),
        })
        .filter(|worn| worn.chapters.len() >= LEAST_CHAPTERS && is_free(words_of(worn)))
        .collect();
    found.sort_by_key(|worn| std::cmp::Reverse(worn.times));
    found.truncate(TOP);
    found
}

fn distinct(chapters: impl Iterator<Item = ChapterNo>) -> Vec<ChapterNo> {
    chapters.collect::<BTreeSet<_>>().into_iter().collect()
}

/// The phrases of at least `least` chapters, the weightiest (times × (length − 1)) first. Of two that overlap the
/// weightier one stays.
fn recurring<'t>(
    texts: &'t [ChapterRuns],
    runs: impl Fn(&'t ChapterRuns) -> &'t Runs,
    least: usize,
    is_free: &dyn Fn(&str) -> bool,
) -> Vec<Worn> {
    let begins = |run: &[char]| 0..(run.len() + 1).saturating_sub(SHORTEST);
    let places = |text| {
        let of_run = move |run: &'t [char]| begins(run).map(move |at| &run[at..run.len().min(at + LONGEST)]);
        runs(text).each().flat_map(of_run)
    };
    let mut all: Vec<(&[char], ChapterNo)> = Vec::new();
    if texts.iter().map(|text| runs(text).chars.len()).sum::<usize>() < MANY {
        all.extend(texts.iter().flat_map(|text| places(text).map(|place| (place, text.chapter))));
    } else {
        let mut spread = Spread::default();
        // The numbers begin again after 65,535 chapters, twelve times the longest books.
        for (text, nth) in texts.iter().zip((1..=u16::MAX).cycle()) {
            places(text).for_each(|place| spread.add(place, nth));
        }
        for text in texts {
            all.extend(places(text).filter(|place| spread.chapters(place) >= least).map(|place| (place, text.chapter)));
        }
    }
    // Sorted once by what they begin with, the places that share so many characters are neighbours for every size.
    all.sort_unstable();
    let mut found: Vec<Worn> = Vec::new();
    for size in SHORTEST..=LONGEST {
        all.retain(|(place, _)| place.len() >= size);
        for group in all.chunk_by(|a, b| a.0[..size] == b.0[..size]).filter(|group| group.len() >= least) {
            let gram = &group[0].0[..size];
            let chapters = distinct(group.iter().map(|(_, chapter)| *chapter));
            let words: String = gram.iter().collect();
            if chapters.len() >= least && is_phrase(gram) && is_free(&words) {
                let pattern = Pattern::Words(words);
                found.push(Worn { kind: WornKind::Phrase, pattern, times: group.len(), chapters });
            }
        }
    }
    let weight = |worn: &Worn| worn.times * (words_of(worn).chars().count() - 1);
    // Stable over length and alphabet, so that equal weights do not jump about.
    found.sort_by_key(|worn| std::cmp::Reverse(weight(worn)));
    let mut kept: Vec<Worn> = Vec::new();
    let mut parts = PhraseTrigrams::default();
    for worn in found {
        if !parts.shares(words_of(&worn)) {
            parts.0.extend(PhraseTrigrams::of(words_of(&worn)).0);
            kept.push(worn);
        }
    }
    kept
}

/// An upper bound on the chapters that have the shortest phrase at a place: nearly all places of prose are in one
/// chapter and need not be sorted. Phrases with one hash share a count.
struct Spread(Vec<(u16, u16)>);

impl Default for Spread {
    fn default() -> Self {
        Self(vec![(0, 0); 1 << Self::BITS])
    }
}

impl Spread {
    /// As many numbers as twenty chapters of three thousand characters have places: a few phrases that share one do not
    /// bring a count to a quarter of the chapters.
    const BITS: u32 = 16;

    fn number(place: &[char]) -> usize {
        let mixed = place[..SHORTEST]
            .iter()
            .fold(0u64, |sum, c| (sum.rotate_left(5) ^ u64::from(u32::from(*c))).wrapping_mul(0x9E37_79B9_7F4A_7C15));
        (mixed >> (u64::BITS - Self::BITS)) as usize
    }

    /// Counts a place in a chapter, numbered from 1.
    fn add(&mut self, place: &[char], chapter: u16) {
        let (last, chapters) = &mut self.0[Self::number(place)];
        *chapters = chapters.saturating_add(u16::from(*last != chapter));
        *last = chapter;
    }

    fn chapters(&self, place: &[char]) -> usize {
        self.0[Self::number(place)].1.into()
    }
}

/// All runs of three characters of some phrases. Phrases that share one belong to one longer phrase.
#[derive(Debug, Default)]
struct PhraseTrigrams(BTreeSet<[char; 3]>);

impl PhraseTrigrams {
    fn of(words: &str) -> Self {
        let chars: Vec<char> = words.chars().collect();
        Self(chars.windows(3).filter_map(|part| part.try_into().ok()).collect())
    }

    fn shares(&self, words: &str) -> bool {
        Self::of(words).0.iter().any(|part| self.0.contains(part))
    }
}

impl FromIterator<[char; 3]> for PhraseTrigrams {
    fn from_iter<I: IntoIterator<Item = [char; 3]>>(parts: I) -> Self {
        Self(parts.into_iter().collect())
    }
}

/// True for a phrase that neither leans on the word before nor lacks its end, and half of which says something.
fn is_phrase(gram: &[char]) -> bool {
    let [first, .., last] = gram else { return false };
    let content = gram.iter().filter(|c| !is_function_character(**c)).count();
    !LEANING.has(*first) && !HANGING.has(*last) && content * 2 >= gram.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn number(chapter: usize) -> ChapterNo {
        ChapterNo::new(u32::try_from(chapter).unwrap()).unwrap()
    }

    fn numbered(texts: &[String]) -> Vec<(ChapterNo, &str)> {
        (1..).zip(texts).map(|(chapter, text)| (number(chapter), text.as_str())).collect()
    }

    fn told(worn: &[Worn], kind: WornKind) -> Vec<(String, usize)> {
        let shown = |worn: &Worn| match &worn.pattern {
            Pattern::Words(words) => words.clone(),
            Pattern::Shape(shape) => shape.to_string(),
        };
        worn.iter().filter(|worn| worn.kind == kind).map(|worn| (shown(worn), worn.times)).collect()
    }

    /// Chapters that have nothing in common but what is put into them.
    fn chapters(count: usize, with: &str) -> Vec<String> {
        let han = |n: usize| char::from_u32(0x4E00 + u32::try_from(n * 7919 % 20_000).unwrap()).unwrap();
        let line = |n: usize| -> String { (0..EDGE).map(|at| han(n * EDGE + at)).collect() };
        (0..count).map(|n| format!("{}。\n\n{with}\n\n{}。\n", line(2 * n), line(2 * n + 1))).collect()
    }

    proptest! {
        #[test]
        fn no_phrase_is_in_more_chapters_than_are_counted(chapters in prop::collection::vec("[甲乙丙]{4,20}", 1..6)) {
            let runs: Vec<Vec<char>> = chapters.iter().map(|text| text.chars().collect()).collect();
            let mut spread = Spread::default();
            for (run, nth) in runs.iter().zip(1..) {
                run.windows(SHORTEST).for_each(|place| spread.add(place, nth));
            }
            for place in runs.iter().flat_map(|run| run.windows(SHORTEST)) {
                let holds = |run: &&Vec<char>| run.windows(SHORTEST).any(|other| other == place);
                prop_assert!(spread.chapters(place) >= runs.iter().filter(holds).count());
            }
        }
    }

    #[test]
    fn a_phrase_of_many_chapters_is_named_with_them() {
        let texts = chapters(8, "她深吸了一口气，没有说话。");
        let found = worn(&numbered(&texts), &[], &[]);
        let phrases = told(&found, WornKind::Phrase);
        assert_eq!(phrases, [("深吸了一口气".to_owned(), 8), ("没有说话".to_owned(), 8)]);
        assert_eq!(found[0].chapters.len(), 8);
    }

    #[test]
    fn names_and_the_authors_own_phrases_are_left_out() {
        let texts = chapters(8, "林小满拔出青霜剑，深吸了一口气。");
        let found = worn(&numbered(&texts), &["林小满", "青霜剑"], &["吸了一口气"]);
        assert_eq!(told(&found, WornKind::Phrase), []);
        assert_eq!(told(&found, WornKind::Opening), []);
    }

    #[test]
    fn people_called_by_their_trade_are_no_worn_phrase() {
        let texts = chapters(8, "出租车司机，退休女教师说。房产中介，深吸了一口气。");
        let found = worn(&numbered(&texts), &[], &[]);
        let phrases: Vec<String> = told(&found, WornKind::Phrase).into_iter().map(|(words, _)| words).collect();
        assert!(phrases.contains(&"深吸了一口气".to_owned()), "{phrases:?}");
        for person in ["出租车司", "退休女教", "房产中介"] {
            assert!(!phrases.iter().any(|words| words.contains(person)), "{phrases:?}");
        }
    }

    #[test]
    fn sentences_that_begin_alike_are_counted() {
        let texts = chapters(6, "忽然灯灭了。忽然门开了。忽然人来了。");
        assert_eq!(told(&worn(&numbered(&texts), &[], &[]), WornKind::Opening), [("忽然".to_owned(), 18)]);
    }

    #[test]
    fn chapters_in_a_row_that_end_alike_are_told_by_their_shape() {
        let ends = ["门开了。", "“谁在那里？”", "“你是谁？”", "他会回来吗？"];
        let texts: Vec<String> =
            chapters(4, "").iter().zip(ends).map(|(text, end)| format!("{text}\n{end}\n")).collect();
        let found = worn(&numbered(&texts), &[], &[]);
        assert_eq!(told(&found, WornKind::ChapterEnd), [("question".to_owned(), 3)]);
        assert_eq!(found.last().unwrap().chapters, [number(2), number(3), number(4)]);
        // The row is over with the chapter that ends otherwise.
        let texts = [&texts[..], &chapters(1, "")[..]].concat();
        assert_eq!(told(&worn(&numbered(&texts), &[], &[]), WornKind::ChapterEnd), []);
    }

    #[test]
    fn words_at_the_end_of_chapters_are_no_phrase_beside_it() {
        let end = |text: &String| format!("{text}\n要知后事如何，此去是吉是凶，且听下回分解。\n");
        let texts: Vec<String> = chapters(5, "").iter().map(end).collect();
        let found = worn(&numbered(&texts), &[], &[]);
        assert_eq!(told(&found, WornKind::ChapterEnd), [("且听下回分解".to_owned(), 5)]);
        assert!(!told(&found, WornKind::Phrase).iter().any(|(words, _)| words.contains("下回")));
    }

    proptest! {
        #[test]
        fn any_text_is_taken_apart(texts in prop::collection::vec("[他没说话雨了的，。？…“”\n]{0,60}", 0..6)) {
            let found = worn(&numbered(&texts), &["雨"], &[]);
            prop_assert!(found.iter().all(|worn| worn.chapters.len() >= LEAST_CHAPTERS && worn.times >= worn.chapters.len()));
            prop_assert!(found.iter().all(|worn| !words_of(worn).contains('雨')));
        }
    }
}
