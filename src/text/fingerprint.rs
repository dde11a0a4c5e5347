//! How a writer sounds, in figures measured from samples.

use crate::text::ai_tells::SHORT_SENTENCE;
use crate::text::chars::{CharSet, han_count, is_quote_mark, per_thousand};
use crate::text::prelude::*;
use crate::text::quotes::{Quote, quotes};
use crate::text::repeat::{FUNCTION_CHARACTERS, Habit, habits, is_function_character};
use crate::text::split::{Paragraph, Sentence};
use aho_corasick::AhoCorasick;
use std::sync::LazyLock;

/// A figure over all samples together, and how much it differs from sample to sample.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct SampledFigure {
    pub value: f64,
    /// Standard deviation between samples; 0 with fewer than two.
    pub between: f64,
}

/// The marks in the profile beside the function characters; a quote counts once, in whatever style it is written.
const PROFILE_MARKS: [char; 10] = ['，', '。', '！', '？', '、', '：', '；', '…', '—', '“'];

static MODAL_PARTICLES: CharSet = CharSet::of("吧呢吗呀啊啦嘛呗哦哟");

/// The places of the function characters and the marks in a [`Tally`], by character.
static PLACES: LazyLock<Vec<(char, usize)>> = LazyLock::new(|| {
    let mut places: Vec<(char, usize)> = profiled().enumerate().map(|(place, c)| (c, place)).collect();
    places.sort_unstable();
    places
});

fn profiled() -> impl Iterator<Item = char> {
    FUNCTION_CHARACTERS.chars().chain(PROFILE_MARKS)
}

fn place_of(c: char) -> Option<usize> {
    let at = PLACES.binary_search_by_key(&c, |(profiled, _)| *profiled).ok()?;
    Some(PLACES[at].1)
}

static CONNECTIVE: LazyLock<AhoCorasick> =
    LazyLock::new(|| AhoCorasick::new(CONNECTIVES).expect("two dozen words fit in an automaton"));

const CONNECTIVES: [&str; 24] = [
    "但是", "可是", "然而", "不过", "只是", "而且", "并且", "况且", "因为", "所以", "因此", "于是", "虽然", "尽管",
    "如果", "要是", "倘若", "即使", "既然", "只要", "只有", "除非", "否则", "甚至",
];

/// A style measured from samples, usually one a chapter. Rates are per 1,000 Han characters. One to three chapters are
/// too few for alarms: figures of one author swing by a fifth (sentence length) to a half (dialogue) between chapters.
/// Refresh a fingerprint around chapters 10 and 20.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Fingerprint {
    /// How many samples had prose in them.
    pub samples: usize,
    /// Han characters of prose measured.
    pub han: usize,
    /// Mean Han characters in a sentence, dialogue included.
    pub sentence_length: SampledFigure,
    /// Standard deviation of the length over sentences: how much the rhythm varies.
    pub sentence_length_sd: f64,
    /// Share of sentences with at most eight Han characters, 0 to 1.
    pub short_sentences: SampledFigure,
    pub commas: SampledFigure,
    /// Share of Han characters that are said, 0 to 1; terms in quotation marks that are only set apart do not count.
    pub dialogue_ratio: SampledFigure,
    /// Mean Han characters in a paragraph.
    pub paragraph_length: SampledFigure,
    /// Modal particles (吧呢吗…) per thousand.
    pub modal_particles: SampledFigure,
    /// Connectives (但是, 因为…) per thousand.
    pub connectives: SampledFigure,
    /// 我 per thousand outside quotes.
    pub first_person: SampledFigure,
    /// 51 function characters and 10 punctuation marks per thousand: the profile that tells writers apart best.
    pub profile: BTreeMap<char, SampledFigure>,
    /// Phrases used again and again, the weightiest first.
    pub habits: Vec<Habit>,
}

impl Fingerprint {
    /// Measures `samples`; those without prose are passed over. Without prose every figure is 0.
    pub fn measure(samples: &[&str]) -> Self {
        Self::measure_without(samples, &[])
    }

    /// As [`Fingerprint::measure`], but habits that are, hold or belong to one of `names` are left out.
    pub fn measure_without(samples: &[&str], names: &[&str]) -> Self {
        let tallies = Tally::of_all(samples);
        let of_each: Vec<&Tally> = tallies.iter().collect();
        let all = Tallies::of(of_each);
        let (total, measure) = (&all.total, |figure: &dyn Fn(&Tally) -> f64| all.measure(figure));
        let least = (total.han / HABIT_EVERY).max(3);
        Self {
            samples: tallies.len(),
            han: total.han,
            sentence_length: measure(&Tally::sentence_length),
            sentence_length_sd: deviation(total.sentence_lengths.iter().map(|&n| n as f64)),
            short_sentences: measure(&Tally::short_sentences),
            commas: measure(&|t| ratio(t.commas, t.sentence_lengths.len())),
            dialogue_ratio: measure(&Tally::dialogue_ratio),
            paragraph_length: measure(&Tally::paragraph_length),
            modal_particles: measure(&Tally::modal_particles),
            connectives: measure(&|t| per_thousand(t.connectives, t.han)),
            first_person: measure(&|t| per_thousand(t.first_person, t.han - t.dialogue_han)),
            profile: all.profile(),
            habits: habits(samples, names, least, TOP),
        }
    }
}

/// Texts that are measured together, their counts added up once for all figures.
pub(super) struct Tallies<'t> {
    each: Vec<&'t Tally>,
    total: Tally,
}

impl<'t> Tallies<'t> {
    pub(super) fn of(each: Vec<&'t Tally>) -> Self {
        Self { total: Tally::sum(&each), each }
    }

    pub(super) fn len(&self) -> usize {
        self.each.len()
    }

    pub(super) fn measure(&self, figure: &dyn Fn(&Tally) -> f64) -> SampledFigure {
        SampledFigure { value: figure(&self.total), between: deviation(self.each.iter().map(|tally| figure(tally))) }
    }

    pub(super) fn profile(&self) -> BTreeMap<char, SampledFigure> {
        let rate = |place: usize| move |tally: &Tally| per_thousand(tally.profile[place], tally.han);
        profiled().enumerate().map(|(place, c)| (c, self.measure(&rate(place)))).collect()
    }
}

const TOP: usize = 20;

/// Han characters in which a phrase must come back once to be a habit.
const HABIT_EVERY: usize = 3000;

fn ratio(part: usize, whole: usize) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

/// Sample standard deviation; 0 with fewer than two values.
pub(crate) fn deviation(values: impl Iterator<Item = f64>) -> f64 {
    let values: Vec<f64> = values.collect();
    if values.len() < 2 {
        return 0.0;
    }
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    let squares: f64 = values.iter().map(|v| (v - mean).powi(2)).sum();
    (squares / (values.len() - 1) as f64).sqrt()
}

const PROFILED: usize = 61;

/// Raw counts of one text, which can be added up.
#[derive(Debug)]
pub(super) struct Tally {
    han: usize,
    dialogue_han: usize,
    paragraphs: usize,
    sentence_lengths: Vec<usize>,
    commas: usize,
    modal_particles: usize,
    connectives: usize,
    first_person: usize,
    profile: [usize; PROFILED],
}

impl Default for Tally {
    fn default() -> Self {
        Self {
            han: 0,
            dialogue_han: 0,
            paragraphs: 0,
            sentence_lengths: Vec::new(),
            commas: 0,
            modal_particles: 0,
            connectives: 0,
            first_person: 0,
            profile: [0; PROFILED],
        }
    }
}

impl Tally {
    /// One tally for each sample that has prose in it.
    pub(super) fn of_all(samples: &[&str]) -> Vec<Self> {
        samples.iter().map(|sample| Self::of(sample)).filter(|tally| tally.han > 0).collect()
    }

    fn sum(tallies: &[&Self]) -> Self {
        tallies.iter().fold(Self::default(), |mut sum, tally| {
            sum.add(tally);
            sum
        })
    }

    fn of(text: &str) -> Self {
        let mut tally = Self::of_paragraphs(text);
        tally.sentence_lengths = prose_sentences(text).iter().map(Sentence::han).filter(|han| *han > 0).collect();
        tally
    }

    pub(super) fn of_paragraphs(text: &str) -> Self {
        let mut tally = Self::default();
        let quoted = quotes(text);
        for paragraph in paragraphs(text).into_iter().filter(|p| p.block == BlockKind::Prose) {
            let from = quoted.partition_point(|quote| quote.range.start < paragraph.start);
            let within = |quote: &&Quote| quote.range.start < paragraph.start + paragraph.text.len();
            tally.paragraph(&paragraph, quoted[from..].iter().take_while(within));
        }
        tally
    }

    /// Adds a paragraph with its quoted spans. Quoted words that are not said are narration.
    fn paragraph<'q>(
        &mut self,
        Paragraph { text, start, .. }: &Paragraph<'_>,
        quoted: impl Iterator<Item = &'q Quote>,
    ) {
        let han = han_count(text);
        self.han += han;
        self.paragraphs += usize::from(han > 0);
        let count_me = |s: &str| s.matches('我').count();
        self.first_person += count_me(text);
        for quote in quoted {
            if quote.is_speech {
                let spoken = &text[quote.inner.start - start..quote.inner.end - start];
                self.dialogue_han += han_count(spoken);
                self.first_person -= count_me(spoken);
            }
            self.count('“');
        }
        self.connectives += CONNECTIVE.find_overlapping_iter(text).count();
        for c in text.chars() {
            if is_han(c) {
                self.modal_particles += usize::from(MODAL_PARTICLES.has(c));
                if is_function_character(c) {
                    self.count(c);
                }
            } else if !is_quote_mark(c) {
                let mark = match c {
                    ',' => '，',
                    '!' => '！',
                    '?' => '？',
                    ':' => '：',
                    ';' => '；',
                    '─' | '―' => '—',
                    '｡' | '．' => '。',
                    other => other,
                };
                self.commas += usize::from(mark == '，');
                if PROFILE_MARKS.contains(&mark) {
                    self.count(mark);
                }
            }
        }
    }

    fn count(&mut self, c: char) {
        if let Some(place) = place_of(c) {
            self.profile[place] += 1;
        }
    }

    fn add(&mut self, other: &Self) {
        self.han += other.han;
        self.dialogue_han += other.dialogue_han;
        self.paragraphs += other.paragraphs;
        self.sentence_lengths.extend(&other.sentence_lengths);
        self.commas += other.commas;
        self.modal_particles += other.modal_particles;
        self.connectives += other.connectives;
        self.first_person += other.first_person;
        for (sum, count) in self.profile.iter_mut().zip(other.profile) {
            *sum += count;
        }
    }

    pub(super) fn sentence_length(&self) -> f64 {
        ratio(self.sentence_lengths.iter().sum(), self.sentence_lengths.len())
    }

    pub(super) fn dialogue_ratio(&self) -> f64 {
        ratio(self.dialogue_han, self.han)
    }

    pub(super) fn paragraph_length(&self) -> f64 {
        ratio(self.han, self.paragraphs)
    }

    pub(super) fn modal_particles(&self) -> f64 {
        per_thousand(self.modal_particles, self.han)
    }

    fn short_sentences(&self) -> f64 {
        ratio(self.sentence_lengths.iter().filter(|&&n| n <= SHORT_SENTENCE).count(), self.sentence_lengths.len())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// 红楼梦, chapter 8 (public domain).
    const VISIT: &str = "# 第八回\n\n宝玉听了，忙笑道：“原来姐姐那项圈上也有字？我也赏鉴赏鉴。”宝钗道：“你别听他的话，没有什么字。”\n宝玉央及道：“好姐姐，你怎么瞧我的呢？”\n";

    #[test]
    fn the_figures_are_those_of_the_prose() {
        let print = Fingerprint::measure(&[VISIT]);
        // 宝玉…鉴 is 7 + 11 + 6, 宝钗…字 is 3 + 11, 宝玉央及…呢 is 5 + 10.
        assert_eq!(print.han, 53);
        assert_eq!(print.sentence_length.value, 53.0 / 4.0);
        assert_eq!(print.dialogue_ratio.value, 38.0 / 53.0);
        assert_eq!(print.paragraph_length.value, 53.0 / 2.0);
        assert_eq!(print.short_sentences.value, 1.0 / 4.0);
        assert_eq!(print.commas.value, 3.0 / 4.0);
        assert_eq!(print.modal_particles.value, 1000.0 / 53.0);
        assert_eq!(print.profile[&'“'].value, 3000.0 / 53.0);
        assert_eq!(print.profile.len(), 61);
        assert_eq!(print.sentence_length.between, 0.0);
    }

    #[test]
    fn the_spread_is_that_between_samples() {
        let print = Fingerprint::measure(&["天地人天地人。", "天地人天地人天地人天。", "# 题\n"]);
        assert_eq!((print.samples, print.sentence_length.value), (2, 8.0));
        assert!((print.sentence_length.between - 8f64.sqrt()).abs() < 1e-9);
    }

    #[test]
    fn it_survives_being_stored() {
        let print = Fingerprint::measure(&[VISIT, "我推开门。"]);
        let json = serde_json::to_string(&print).unwrap();
        let back: Fingerprint = serde_json::from_str(&json).unwrap();
        assert_eq!(serde_json::to_string(&back).unwrap(), json);
        assert_eq!(Fingerprint::measure(&[]).han, 0);
    }

    proptest! {
        #[test]
        fn shares_stay_shares_on_any_text(texts in proptest::collection::vec("[天我了吗a1。！…—，“”‘’「」\"《》\n　#*]{0,60}", 0..4)) {
            let samples: Vec<&str> = texts.iter().map(String::as_str).collect();
            let print = Fingerprint::measure(&samples);
            for share in [print.dialogue_ratio.value, print.short_sentences.value] {
                prop_assert!((0.0..=1.0).contains(&share));
            }
            let figures = [print.sentence_length, print.commas, print.paragraph_length, print.first_person];
            prop_assert!(figures.iter().chain(print.profile.values()).all(|m| m.value.is_finite() && m.between.is_finite()));
            prop_assert!(print.first_person.value >= 0.0);
        }
    }
}
