//! Names of people that no registry has.
//! A name stands at the beginning of clauses, right before words of speech and action, in lists of names, behind verbs
//! that take a person, among changing neighbours, and often begins with a surname. Measured on five chapters at a time,
//! since one is too little: see [`LEAST_SCORE`].

use crate::text::names::{
    ACT_FIRSTS, ACTS, ADVERB_FIRSTS, ADVERBS, AFTER_NAME, ANYBODY, BEFORE_NAME, COMPOUND_SURNAMES, FAMILIAR, NO_NAME,
    NameIndex, SURNAMES, TITLES, WEAK_SURNAMES, is_common,
};
use crate::text::prelude::*;
use crate::text::repeat::is_function_character;
use std::ops::RangeInclusive;

#[derive(Debug, Clone, PartialEq)]
pub struct NewName {
    pub form: String,
    /// Occurrences in the texts, at least 2.
    pub count: usize,
    /// The weight of the evidence, at least [`LEAST_SCORE`].
    pub score: f64,
}

/// The score from which a string is taken for a name. The weights are those of a logistic regression over the strings of four in
/// five blocks of two novels, rounded to one digit; acting counts twice as much, for people of few mentions. On the other blocks,
/// it finds the share of mentions that `tests/it/text/name_figures.rs` prints.
pub const LEAST_SCORE: f64 = 5.5;

/// Cap on four times the share of mentions that act.
const MOST_ACTING: f64 = 2.0;
/// Cap on spoken passages.
const MOST_SPEECHES: usize = 4;
/// Cap on entropy, in bits.
const MOST_ENTROPY: f64 = 4.0;
/// Cap on cohesion, in bits.
const MOST_COHESION: f64 = 14.0;

const LENGTHS: RangeInclusive<usize> = 2..=4;

#[derive(Debug, Default)]
struct NameEvidence {
    /// Mentions at the beginning of a clause right before an act.
    acts: usize,
    /// Mentions followed by speech: a clause that ends in 道 right behind the name.
    speaks: usize,
    /// Mentions at the beginning of a clause, before a word that continues the clause behind a person.
    goes_on: usize,
    /// Mentions as a member of a list.
    listed: usize,
    /// Mentions behind a word that takes a person, before one that continues the clause.
    taken: usize,
    /// True for a surname with a title, or behind 老, 小 or 阿.
    is_titled: bool,
    count: usize,
    /// Mentions at the beginning of a clause.
    begins: usize,
    /// Mentions behind a character that takes no person, as things have: 清点老相框.
    outside: usize,
    after: Neighbours,
}

impl NameEvidence {
    fn add(&mut self, place: &NamePosition) {
        let count = match place {
            NamePosition::Speaks => {
                self.speaks += 1;
                &mut self.acts
            }
            NamePosition::Acts => &mut self.acts,
            NamePosition::GoesOn => &mut self.goes_on,
            NamePosition::Listed => &mut self.listed,
            NamePosition::Taken => &mut self.taken,
        };
        *count += 1;
    }
}

#[derive(Debug, Default)]
struct Neighbours {
    han: BTreeMap<char, usize>,
    /// Punctuation and ends of texts; each counts as a neighbour of its own.
    other: usize,
}

impl Neighbours {
    fn add(&mut self, neighbour: Option<char>) {
        match neighbour.filter(|c| is_han(*c)) {
            Some(c) => *self.han.entry(c).or_default() += 1,
            None => self.other += 1,
        }
    }

    fn entropy(&self) -> f64 {
        let all = (self.han.values().sum::<usize>() + self.other) as f64;
        let part = |n: usize| -(n as f64 / all) * (n as f64 / all).log2();
        self.han.values().map(|n| part(*n)).sum::<f64>() + self.other as f64 * part(1)
    }
}

/// The names in `texts`, usually the text of five chapters, that `known` does not have, the surest first. Forms that hold a known
/// name, or are a part of one, are left out.
pub fn new_names(texts: &[&str], known: &NameIndex) -> Vec<NewName> {
    let mut candidates = candidates(texts);
    let names: String = known.forms().flat_map(|name| [name, "\n"]).collect();
    candidates.retain(|form, _| !names.contains(form.as_str()) && !known.occurs_in(form));
    let forms: Vec<String> = candidates.keys().cloned().collect();
    let mut evidence: Vec<NameEvidence> = candidates.into_values().collect();
    let letters = Letters::of(texts);
    count(texts, &forms, &mut evidence);
    let found = forms.into_iter().zip(&evidence);
    let found = found.filter(|(form, evidence)| evidence.count > 1 && is_person(form, evidence));
    let scored = found.map(|(form, evidence)| {
        let score = score(&form, evidence, &letters);
        NewName { form, count: evidence.count, score }
    });
    pruned(scored.filter(|name| name.score >= LEAST_SCORE).collect())
}

/// Strings at places where names stand, with the evidence.
fn candidates(texts: &[&str]) -> BTreeMap<String, NameEvidence> {
    let mut found: BTreeMap<&str, NameEvidence> = BTreeMap::new();
    let mut titled: Vec<String> = Vec::new();
    for clause in texts.iter().flat_map(|text| clauses(text)) {
        let ends: Vec<usize> = clause.text.char_indices().map(|(at, _)| at).chain([clause.text.len()]).collect();
        for (at, &start) in ends.iter().enumerate().filter(|(_, start)| clause.takes_name_at(**start)) {
            for &end in ends[at..].iter().skip(*LENGTHS.start()).take(LENGTHS.count()) {
                let form = &clause.text[start..end];
                // Few forms have a place, and it is found sooner than whether they may be names.
                let place = clause.place(start, end).filter(|_| may_be_name(form));
                place.iter().for_each(|place| found.entry(form).or_default().add(place));
            }
        }
        titled.extend(titled_names(clause.text));
    }
    let mut found: BTreeMap<String, NameEvidence> =
        found.into_iter().map(|(form, of_it)| (form.to_owned(), of_it)).collect();
    for form in titled {
        found.entry(form).or_default().is_titled = true;
    }
    found
}

#[derive(Debug, Clone, Copy)]
enum NamePosition {
    /// At the beginning of a clause, before an act of speech whose words follow.
    Speaks,
    /// At the beginning of a clause, before another act.
    Acts,
    /// At the beginning of a clause, before a word that continues it behind a person.
    GoesOn,
    /// Between the marks of a list.
    Listed,
    /// Behind a word that takes a person, and before an act or a word that continues the clause.
    Taken,
}

/// A run of Han characters between other characters.
struct Clause<'a> {
    text: &'a str,
    /// True when the mark of a list, 、, stands right before or behind the clause.
    is_in_list: bool,
}

fn clauses(text: &str) -> impl Iterator<Item = Clause<'_>> {
    let mut is_behind_mark = false;
    text.split_inclusive(|c: char| !is_han(c)).filter_map(move |piece| {
        let run = piece.trim_end_matches(|c: char| !is_han(c));
        let is_before_mark = piece.ends_with('、');
        let is_in_list = std::mem::replace(&mut is_behind_mark, is_before_mark) || is_before_mark;
        (!run.is_empty()).then_some(Clause { text: run, is_in_list })
    })
}

impl Clause<'_> {
    fn takes_name_at(&self, start: usize) -> bool {
        self.text[..start].chars().next_back().is_none_or(|c| BEFORE_NAME.has(c))
    }

    /// The place of what stands between two positions, the first of which [takes](Self::takes_name_at) a name.
    fn place(&self, start: usize, end: usize) -> Option<NamePosition> {
        let rest = &self.text[end..];
        let begins = start == 0;
        let Some(next) = rest.chars().next() else {
            return (begins && self.is_in_list).then_some(NamePosition::Listed);
        };
        match (begins, goes_on_with_act(rest)) {
            (true, true) if is_speech(rest) => Some(NamePosition::Speaks),
            (true, true) => Some(NamePosition::Acts),
            (false, true) => Some(NamePosition::Taken),
            (_, false) if !AFTER_NAME.has(next) => None,
            (true, false) => Some(NamePosition::GoesOn),
            (false, false) => Some(NamePosition::Taken),
        }
    }
}

/// The surnames with a title, and those behind 老, 小 and 阿.
fn titled_names(clause: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (at, c) in clause.char_indices().filter(|(_, c)| is_surname(*c)) {
        let behind = &clause[at + c.len_utf8()..];
        found.extend(TITLES.iter().filter(|title| behind.starts_with(**title)).map(|title| format!("{c}{title}")));
        if let Some(first) = clause[..at].chars().next_back().filter(|c| FAMILIAR.has(*c)) {
            found.push(format!("{first}{c}"));
        }
    }
    found
}

fn may_be_name(form: &str) -> bool {
    let cannot = |c: char| is_function_character(c) || NO_NAME.has(c);
    let mut chars = form.chars();
    let (Some(first), Some(last)) = (chars.next(), chars.next_back()) else { return false };
    // 狄洪道: a given name may end in what is elsewhere a word of speech.
    let is_closed = last != '道' || (is_surname(first) && form.chars().count() > 2);
    let is_phrase = chars.any(|c| matches!(c, '的' | '了' | '着'));
    is_closed && !is_phrase && !cannot(first) && !cannot(last) && !ANYBODY.contains(&form)
}

/// True when the rest of a clause begins with an act, perhaps after an adverb.
fn goes_on_with_act(rest: &str) -> bool {
    let is_act = |rest: &str| {
        ACTS.iter().any(|act| match rest.strip_prefix(act) {
            // 道 is speech where the clause ends with it, and part of a name or a word elsewhere.
            Some(after) if *act == "道" => after.chars().next().is_none_or(|c| matches!(c, '了' | '着')),
            other => other.is_some(),
        })
    };
    let Some(first) = rest.chars().next() else { return false };
    let is_after_adverb = || ADVERBS.iter().filter_map(|adverb| rest.strip_prefix(adverb)).any(&is_act);
    (ACT_FIRSTS.has(first) && is_act(rest)) || (ADVERB_FIRSTS.has(first) && is_after_adverb())
}

/// True when a clause ends in 道, perhaps with a word before: 道, 笑道, 又问道.
fn is_speech(rest: &str) -> bool {
    rest.ends_with('道') && rest.chars().count() <= 3
}

fn is_surname(c: char) -> bool {
    SURNAMES.has(c) && !WEAK_SURNAMES.has(c)
}

/// Counts the sorted forms and their neighbours. An automaton for some hundred forms takes longer to build than looking
/// them up at each place that begins like one.
fn count(texts: &[&str], forms: &[String], evidence: &mut [NameEvidence]) {
    let begins = Beginnings::of(forms);
    let lengths: BTreeSet<usize> = forms.iter().map(String::len).collect();
    for text in texts {
        let mut before = None;
        let mut places = text.char_indices().peekable();
        while let Some((at, first)) = places.next() {
            let near = places.peek().map_or(0..0, |(_, second)| begins.near([first, *second]));
            for end in lengths.iter().filter(|_| !near.is_empty()).map(|length| at + length) {
                let number = text
                    .get(at..end)
                    .map(|form| forms[near.clone()].binary_search_by(|other| other.as_str().cmp(form)));
                let Some(Ok(number)) = number else { continue };
                let of_it = &mut evidence[near.start + number];
                of_it.count += 1;
                of_it.outside += usize::from(before.is_some_and(|c| is_han(c) && !BEFORE_NAME.has(c)));
                of_it.begins += usize::from(!before.is_some_and(is_han));
                of_it.after.add(text[end..].chars().next());
            }
            before = Some(first);
        }
    }
}

/// The places of forms in the sorted list, by a hash of their first two characters.
struct Beginnings(Vec<Range<usize>>);

impl Beginnings {
    const BITS: u32 = 12;

    fn number([first, second]: [char; 2]) -> usize {
        let mixed = (u32::from(first).rotate_left(16) ^ u32::from(second)).wrapping_mul(0x9E37_79B9);
        (mixed >> (u32::BITS - Self::BITS)) as usize
    }

    fn of(forms: &[String]) -> Self {
        let mut begins = Self(vec![0..0; 1 << Self::BITS]);
        for (at, form) in forms.iter().enumerate() {
            let mut chars = form.chars();
            if let (Some(first), Some(second)) = (chars.next(), chars.next()) {
                let places = &mut begins.0[Self::number([first, second])];
                *places = if places.end == 0 { at } else { places.start }..at + 1;
            }
        }
        begins
    }

    fn near(&self, pair: [char; 2]) -> Range<usize> {
        self.0[Self::number(pair)].clone()
    }
}

/// True when a candidate is built like a name, or does what only people do: things stand in lists and behind verbs as
/// well.
fn is_person(form: &str, evidence: &NameEvidence) -> bool {
    has_surname(form, evidence) || is_familiar(form) || evidence.acts > 1 || evidence.speaks > 0
}

fn has_surname(form: &str, evidence: &NameEvidence) -> bool {
    evidence.is_titled
        || form.starts_with(is_surname)
        || COMPOUND_SURNAMES.iter().any(|surname| form.starts_with(surname))
}

/// 小红, 老祖宗, 莺儿.
fn is_familiar(form: &str) -> bool {
    form.starts_with(|c| FAMILIAR.has(c)) || form.ends_with('儿')
}

fn score(form: &str, evidence: &NameEvidence, letters: &Letters) -> f64 {
    let chars: Vec<char> = form.chars().collect();
    let is_long = chars.len() > 2;
    let count = evidence.count as f64;
    let times = |n: usize| (n as f64).ln_1p();
    let if_true = |condition: bool| f64::from(u8::from(condition));
    // Each further character holds the others together by some four bits in any string.
    let cohesion = letters.cohesion(&chars, count).min(MOST_COHESION) - 4.0 * (chars.len() as f64 - 2.0);
    [
        (0.4, times(evidence.acts)),
        (0.6, (4.0 * evidence.acts as f64 / count).min(MOST_ACTING)),
        (0.3, evidence.speaks.min(MOST_SPEECHES) as f64),
        (0.6, times(evidence.goes_on)),
        (2.4, times(evidence.listed)),
        (0.7, times(evidence.taken)),
        (0.4, evidence.begins as f64 / count),
        (-1.0, evidence.outside as f64 / count),
        (0.8, evidence.after.entropy().min(MOST_ENTROPY)),
        (0.3, cohesion),
        (0.9, if_true(has_surname(form, evidence))),
        (1.4, if_true(is_familiar(form))),
        (-2.2, if_true(is_common(form))),
        (-0.9, if_true(is_long && is_common(&form[..chars[0].len_utf8() + chars[1].len_utf8()]))),
        (-2.4, if_true(chars.len() == 4)),
    ]
    .iter()
    .map(|(weight, value)| weight * value)
    .sum()
}

struct Letters {
    /// Counts of the characters of the basic plane, from [`Self::FIRST`] on.
    usual: Vec<u32>,
    rare: BTreeMap<char, u32>,
    all: usize,
}

impl Letters {
    const FIRST: char = '\u{3400}';
    const LAST: char = '\u{9FFF}';

    fn of(texts: &[&str]) -> Self {
        let mut letters =
            Self { usual: vec![0; Self::LAST as usize + 1 - Self::FIRST as usize], rare: BTreeMap::new(), all: 0 };
        for c in texts.iter().flat_map(|text| text.chars()).filter(|c| is_han(*c)) {
            letters.all += 1;
            match letters.usual.get_mut((c as usize).wrapping_sub(Self::FIRST as usize)) {
                Some(count) => *count += 1,
                None => *letters.rare.entry(c).or_default() += 1,
            }
        }
        letters
    }

    fn count(&self, c: char) -> u32 {
        let usual = self.usual.get((c as usize).wrapping_sub(Self::FIRST as usize));
        usual.or_else(|| self.rare.get(&c)).copied().unwrap_or_default()
    }

    /// How much more often the characters stand together, `count` times, than by chance: pointwise mutual information
    /// in bits.
    fn cohesion(&self, chars: &[char], count: f64) -> f64 {
        let alone: f64 = chars.iter().map(|c| f64::from(self.count(*c)).log2()).sum();
        count.log2() + (chars.len() as f64 - 1.0) * (self.all as f64).log2() - alone
    }
}

/// Leaves out parts of longer names, and longer strings that hold a name.
fn pruned(mut names: Vec<NewName>) -> Vec<NewName> {
    let all = names.clone();
    names.retain(|name| {
        let within = |longer: &NewName| longer.form != name.form && longer.form.contains(&name.form);
        let is_part = all.iter().any(|longer| within(longer) && longer.count * 4 >= name.count * 3);
        let is_more = all.iter().any(|shorter| {
            let lead = name.form.strip_suffix(&shorter.form);
            let has_surname =
                lead.is_some_and(|lead| COMPOUND_SURNAMES.contains(&lead) || lead.chars().all(is_surname));
            let holds = shorter.form != name.form && name.form.contains(&shorter.form);
            holds && !has_surname && !name.form.ends_with('儿') && name.count * 100 < shorter.count * 35
        });
        !is_part && !is_more
    });
    names.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| a.form.cmp(&b.form)));
    names
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::NamedEntity;

    /// The new names in `text`, in a block so long that the characters of a name are as rare in it as they are in chapters.
    fn found(text: &str, known: &[&str]) -> Vec<String> {
        let rest: String = ('\u{5000}'..'\u{6000}').flat_map(|c| [c, '。']).collect();
        let named = |name: &&str| NamedEntity {
            id: (*name).into(),
            name: (*name).into(),
            aliases: Vec::new(),
            is_person: true,
        };
        let known = NameIndex::new(&known.iter().map(named).collect::<Vec<_>>());
        new_names(&[text, &rest], &known).into_iter().map(|name| name.form).collect()
    }

    const TEXT: &str = "赵掌柜笑道：“客官来得早。”林枫说，要一间房。赵掌柜摇头，说没有房了。白霁站在门口，没有说话。\
        “那就马棚。”林枫说。白霁看了他一眼，把伞收了。赵掌柜问：“两位一起？”白霁点头。林枫也点头。众人都笑。众人又说了一阵。";

    #[test]
    fn people_who_speak_and_act_are_found_and_anybody_is_not() {
        let names = found(TEXT, &[]);
        for name in ["赵掌柜", "白霁", "林枫"] {
            assert!(names.contains(&name.to_owned()), "{name}: {names:?}");
        }
        assert_eq!(names.len(), 3, "{names:?}");
    }

    #[test]
    fn what_the_registry_has_is_not_new() {
        let names = found(TEXT, &["林枫", "赵掌柜"]);
        assert_eq!(names, ["白霁"]);
        assert_eq!(found("", &[]), Vec::<String>::new());
    }

    #[test]
    fn a_thing_that_is_listed_and_taken_is_no_name() {
        let text = "纸笔、手电筒、半盒火柴。林枫说完，把手电筒挂在门上。被手电筒一照，林枫看见一只手电筒，像手电筒，又像灯。林枫笑了。";
        assert_eq!(found(text, &[]), ["林枫"]);
    }

    #[test]
    fn names_in_a_list_and_behind_verbs_are_found() {
        let text =
            "徐鸣皋、罗季芳、徐庆都到了。他见徐鸣皋在，便命罗季芳去。徐庆同罗季芳也来，只见徐鸣皋又走。原来徐庆是客。";
        let mut names = found(text, &[]);
        names.sort();
        assert_eq!(names, ["徐庆", "徐鸣皋", "罗季芳"]);
    }

    #[test]
    fn a_name_that_ends_in_a_word_of_speech_stays_whole() {
        let text = "狄洪道道：“走。”狄洪道见天色已晚，便把马系了。狄洪道问他。狄洪道拍马便走。狄洪道笑了。";
        assert_eq!(found(text, &[]), ["狄洪道"]);
    }

    #[test]
    fn a_name_of_common_words_is_found_where_it_speaks() {
        let text = "一枝梅道：“且慢。”我看一枝梅笑道：“不必。”一枝梅向窗外一望，一枝梅又道：“来了。”说罢一枝梅便走。";
        assert_eq!(found(text, &[]), ["一枝梅"]);
    }
}
