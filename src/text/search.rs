//! Search: the terms of a text for an index, the terms of a query, and the passage that answers a query best.
//! A run of Han characters becomes its pairs of neighbours. Ranked by BM25 that finds a known chapter at least as often as words
//! of a dictionary do, and needs no dictionary. The last character of a run stands for itself as well, so that a search for a
//! single character meets every place, and so that pairs from both sides of a comma are never neighbours.
//! Other letters and digits count as whole words. Width, case and punctuation make no difference.
//! An index holds the terms of a text and roughly their numbers, not their places, which would take more room than the
//! text. Only the text tells whether words stand in it as typed.

use crate::text::chars::{fold, is_wide_letter};
use crate::text::prelude::*;
use serde::Serializer;
use serde::ser::SerializeStruct as _;
use std::iter;
use unicode_width::UnicodeWidthChar as _;

/// More terms than these only slow a ranking down.
const MOST_TERMS: usize = 64;

/// An index has a term once more from so many occurrences on. In BM25 one occurrence counts for little beside many, so
/// these steps rank nearly as exact numbers do.
pub const FREQUENCIES: [u32; 3] = [2, 4, 8];

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IndexEntries {
    /// The different terms of the text, each followed by a space, and once more for each of the [`FREQUENCIES`] it
    /// reaches.
    pub entries: String,
    /// The number of terms with repetitions.
    pub length: u32,
}

impl IndexEntries {
    pub fn of(text: &str) -> Self {
        let folded: Vec<char> = text.chars().map(fold).collect();
        let mut counts: BTreeMap<String, u32> = BTreeMap::new();
        for piece in terms(&folded) {
            *counts.entry(folded[piece].iter().collect()).or_default() += 1;
        }
        let mut entries = String::with_capacity(text.len() * 3);
        let mut length = 0;
        for (term, count) in counts {
            length += count;
            for least in iter::once(1).chain(FREQUENCIES).filter(|least| count >= *least) {
                entries.extend([&entry(&term, least), " "]);
            }
        }
        Self { entries, length }
    }
}

/// The index entry of a term that occurs at least `least` times. The multiplication sign is no letter, so no term
/// begins with it.
fn entry(term: &str, least: u32) -> String {
    if least < 2 { term.to_owned() } else { format!("×{least}{term}") }
}

fn terms(folded: &[char]) -> impl Iterator<Item = Range<usize>> + '_ {
    runs(folded).flat_map(|run| pieces(folded, &run))
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Term {
    /// Folded, without a space.
    pub letters: Vec<char>,
    /// True for a single Han character, which every term that begins with it answers.
    pub is_prefix: bool,
}

impl Term {
    /// Returns the index entry of the term with at least `least` occurrences, 1 or one of the [`FREQUENCIES`]; for a
    /// [prefix](Self::is_prefix) the beginning of an entry.
    pub fn entry(&self, least: u32) -> String {
        entry(&String::from_iter(&self.letters), least)
    }

    fn meets(&self, found: &[char]) -> bool {
        if self.is_prefix { found.starts_with(&self.letters) } else { found == self.letters }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Query {
    words: Vec<Vec<Term>>,
    /// The letters of each word, folded.
    letters: Vec<String>,
    terms: Vec<Term>,
}

impl Query {
    /// Reads a query; `None` without a letter or digit.
    pub fn parse(typed: &str) -> Option<Self> {
        let typed: Vec<Vec<char>> = typed.split_whitespace().map(|word| word.chars().map(fold).collect()).collect();
        let words: Vec<Vec<Term>> = typed.iter().map(|word| phrase(word)).filter(|word| !word.is_empty()).collect();
        if words.is_empty() {
            return None;
        }
        let letters = typed.iter().map(|word| word.iter().filter(|c| is_letter(**c)).collect::<String>());
        let letters = letters.filter(|letters| !letters.is_empty()).collect();
        let terms = ranked(&words);
        Some(Self { words, letters, terms })
    }

    /// The words, each as the terms that stand in a row wherever the word does.
    pub fn words(&self) -> &[Vec<Term>] {
        &self.words
    }

    pub fn terms(&self) -> &[Term] {
        &self.terms
    }

    /// True when every word stands in the text as typed.
    pub fn is_literal_in(&self, text: &str) -> bool {
        let folded: Vec<char> = text.chars().map(fold).collect();
        let terms: Vec<Range<usize>> = terms(&folded).collect();
        let meets = |(term, piece): (&Term, &Range<usize>)| term.meets(&folded[piece.clone()]);
        let stands_in = |word: &Vec<Term>| terms.windows(word.len()).any(|window| iter::zip(word, window).all(meets));
        self.words.iter().all(stands_in)
    }

    /// Counts the [`terms`](Self::terms) in the text.
    pub fn held_by(&self, text: &str) -> usize {
        let folded: Vec<char> = text.chars().map(fold).collect();
        distinct(&self.places(&folded), &(0..folded.len()))
    }

    /// Returns the passage that has most of the query, at most `limit` characters and the dots of a cut sentence;
    /// `None` when the text has nothing of the query.
    pub fn passage(&self, text: &str, limit: usize) -> Option<Passage> {
        let sentences = sentences(text);
        let end = |at: usize| sentences.get(at + 1).map_or(text.len(), |next| next.start);
        let mut best: Option<(usize, usize, Range<usize>)> = None;
        for (at, sentence) in sentences.iter().enumerate() {
            let Some((score, range)) = self.best_part(&text[sentence.start..end(at)], limit) else { continue };
            // A heading is shown beside the passage anyway.
            let score = if sentence.block == BlockKind::Prose { score * 2 } else { score };
            if best.as_ref().is_none_or(|(most, ..)| score > *most) {
                best = Some((score, at, sentence.start + range.start..sentence.start + range.end));
            }
        }
        let (score, at, part) = best?;
        let whole = trimmed(text, sentences[at].start..end(at));
        if part != whole {
            let dots = |is_cut: bool| if is_cut { "…" } else { "" };
            let (before, after) = (dots(part.start > whole.start), dots(part.end < whole.end));
            return Some(self.marked(format!("{before}{}{after}", text[part].trim()), score));
        }
        let (mut first, mut last) = (at, at);
        let fits = |first: usize, last: usize| {
            sentences[first].paragraph == sentences[last].paragraph
                && text[trimmed(text, sentences[first].start..end(last))].chars().count() <= limit
        };
        while last + 1 < sentences.len() && fits(first, last + 1) {
            last += 1;
        }
        while first > 0 && fits(first - 1, last) {
            first -= 1;
        }
        Some(self.marked(text[trimmed(text, sentences[first].start..end(last))].to_owned(), score))
    }

    /// The part of a sentence, at most `limit` characters long, that has most of the query, with its score.
    fn best_part(&self, sentence: &str, limit: usize) -> Option<(usize, Range<usize>)> {
        let whole = trimmed(sentence, 0..sentence.len());
        let chars: Vec<(usize, char)> = sentence[whole.clone()].char_indices().collect();
        let folded: Vec<char> = chars.iter().map(|(_, c)| fold(*c)).collect();
        let places = self.places(&folded);
        if places.is_empty() {
            return None;
        }
        if chars.len() <= limit {
            return Some((self.score(&folded, &places, &(0..chars.len())), whole));
        }
        let mut best: Option<(usize, Range<usize>)> = None;
        for (_, place) in &places {
            // Some words before the first term tell what it is about.
            let start = place.start.saturating_sub(limit / 4).min(chars.len() - limit);
            let window = settled(&chars, start)..settled(&chars, start + limit);
            let score = self.score(&folded, &places, &window);
            if best.as_ref().is_none_or(|(most, _)| score > *most) {
                best = Some((score, window));
            }
        }
        let byte = |at: usize| whole.start + chars.get(at).map_or(whole.len(), |(byte, _)| *byte);
        best.map(|(score, window)| (score, byte(window.start)..byte(window.end)))
    }

    /// One point for each term within the window, and one more for each term of a word that is whole there.
    fn score(&self, folded: &[char], places: &[(usize, Range<usize>)], window: &Range<usize>) -> usize {
        let letters: String = folded[window.clone()].iter().filter(|c| is_letter(**c)).collect();
        let whole = self.words.iter().zip(&self.letters).filter(|(_, word)| letters.contains(word.as_str()));
        distinct(places, window) + whole.map(|(word, _)| word.len()).sum::<usize>()
    }

    fn marked(&self, text: String, score: usize) -> Passage {
        let chars: Vec<(usize, char)> = text.char_indices().collect();
        let folded: Vec<char> = chars.iter().map(|(_, c)| fold(*c)).collect();
        let byte = |at: usize| chars.get(at).map_or(text.len(), |(byte, _)| *byte);
        let mut marks: Vec<Range<usize>> = Vec::new();
        for (_, place) in self.places(&folded) {
            let mark = byte(place.start)..byte(place.end);
            match marks.last_mut() {
                Some(last) if mark.start <= last.end => last.end = last.end.max(mark.end),
                _ => marks.push(mark),
            }
        }
        Passage { text, marks, score }
    }

    /// The places of the terms, by number, in order.
    fn places(&self, folded: &[char]) -> Vec<(usize, Range<usize>)> {
        let mut places = Vec::new();
        for piece in terms(folded) {
            for (number, term) in self.terms.iter().enumerate() {
                if term.meets(&folded[piece.clone()]) {
                    let end = if term.is_prefix { piece.start + 1 } else { piece.end };
                    places.push((number, piece.start..end));
                }
            }
        }
        places
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Passage {
    /// A sentence with its neighbours as far as they fit, or a part of a long one between dots.
    pub text: String,
    /// The places of the query's terms in `text`, in order, as byte ranges that do not touch.
    pub marks: Vec<Range<usize>>,
    /// How much of the query the passage has.
    pub score: usize,
}

/// The text as `passage`, and the places as `highlights`: the index of the first character and of the one after the last.
impl Serialize for Passage {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let at = |byte: usize| self.text[..byte].chars().count();
        let highlights: Vec<_> = self.marks.iter().map(|mark| (at(mark.start), at(mark.end))).collect();
        let mut passage = to.serialize_struct("Passage", 2)?;
        passage.serialize_field("passage", &self.text)?;
        passage.serialize_field("highlights", &highlights)?;
        passage.end()
    }
}

/// The runs of letters, Han characters and others apart.
fn runs(folded: &[char]) -> impl Iterator<Item = Range<usize>> + '_ {
    let mut start = 0;
    let of_a_kind = folded.chunk_by(|a, b| is_letter(*a) == is_letter(*b) && is_wide_letter(*a) == is_wide_letter(*b));
    of_a_kind.filter_map(move |run| {
        let range = start..start + run.len();
        start = range.end;
        is_letter(run[0]).then_some(range)
    })
}

/// The terms of a run: its pairs and its last character, or all of it.
fn pieces(folded: &[char], run: &Range<usize>) -> Vec<Range<usize>> {
    if !is_wide_letter(folded[run.start]) {
        return vec![run.clone()];
    }
    run.clone().map(|at| at..(at + 2).min(run.end)).collect()
}

/// The terms that stand in a row in an index wherever the word stands in a text.
fn phrase(word: &[char]) -> Vec<Term> {
    let mut terms = Vec::new();
    let runs: Vec<Range<usize>> = runs(word).collect();
    for (number, run) in runs.iter().enumerate() {
        let mut of_run = pieces(word, run);
        let is_last = number + 1 == runs.len();
        let goes_on = is_last && is_wide_letter(word[run.start]);
        if goes_on && of_run.len() > 1 {
            // The character that follows in the text decides about the last character.
            of_run.pop();
        }
        let is_prefix = goes_on && run.len() == 1;
        terms.extend(of_run.into_iter().map(|piece| Term { letters: word[piece].to_vec(), is_prefix }));
    }
    terms
}

/// The different terms that rank: pairs, words, and single characters that were asked for.
fn ranked(words: &[Vec<Term>]) -> Vec<Term> {
    let is_pair = |term: &Term| term.letters.len() > 1 || !term.letters.iter().copied().all(is_wide_letter);
    let mut terms: Vec<Term> = Vec::new();
    for word in words {
        let wanted = word.iter().filter(|term| word.len() == 1 || is_pair(term));
        for term in wanted {
            if terms.len() < MOST_TERMS && !terms.contains(term) {
                terms.push(term.clone());
            }
        }
    }
    if terms.is_empty() {
        let single = words.iter().flatten().map(|term| Term { is_prefix: true, ..term.clone() });
        terms = single.collect::<BTreeSet<_>>().into_iter().take(MOST_TERMS).collect();
    }
    terms
}

fn distinct(places: &[(usize, Range<usize>)], window: &Range<usize>) -> usize {
    let inside = places.iter().filter(|(_, place)| window.start <= place.start && place.end <= window.end);
    inside.map(|(number, _)| number).collect::<BTreeSet<_>>().len()
}

fn trimmed(text: &str, range: Range<usize>) -> Range<usize> {
    let part = &text[range.clone()];
    let start = range.start + (part.len() - part.trim_start().len());
    start..start + part.trim().len()
}

/// The nearest place from `at` on where a text may be cut: not before a mark that joins the character before.
fn settled(chars: &[(usize, char)], at: usize) -> usize {
    const JOINER: char = '\u{200D}';
    let joins =
        |at: usize| at > 0 && chars.get(at).is_some_and(|(_, c)| c.width() == Some(0) || chars[at - 1].1 == JOINER);
    (at..chars.len()).find(|at| !joins(*at)).unwrap_or(chars.len())
}

/// The weight of a piece that one text in a hundred has.
const SCALE: u64 = 100;

/// For each text how much of the wish it has: every pair of Han characters and every word counts once, rare ones more.
pub fn common(wish: &str, texts: &[String]) -> Vec<u64> {
    let texts: Vec<String> = texts.iter().map(|text| text.chars().map(fold).collect()).collect();
    let mut found = vec![0; texts.len()];
    for piece in pieces_of_wish(wish) {
        let having: Vec<usize> = (0..texts.len()).filter(|at| texts[*at].contains(&piece)).collect();
        let weight = (texts.len() as u64 * SCALE).checked_div(having.len() as u64).unwrap_or(0);
        for at in having {
            found[at] += weight;
        }
    }
    found
}

/// Pairs of neighbouring Han characters, a Han character that stands alone, and words of other letters.
fn pieces_of_wish(wish: &str) -> BTreeSet<String> {
    let folded: Vec<char> = wish.chars().map(fold).collect();
    let mut pieces = BTreeSet::new();
    for run in folded.chunk_by(|a, b| is_letter(*a) == is_letter(*b) && is_han(*a) == is_han(*b)) {
        if run.first().is_some_and(|c| is_han(*c)) && run.len() > 1 {
            pieces.extend(run.windows(2).map(|pair| pair.iter().collect::<String>()));
        } else if run.iter().all(|c| is_letter(*c)) {
            pieces.insert(run.iter().collect());
        }
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn query(typed: &str) -> Query {
        Query::parse(typed).unwrap()
    }

    fn marked(passage: &Passage) -> Vec<&str> {
        passage.marks.iter().map(|mark| &passage.text[mark.clone()]).collect()
    }

    #[test]
    fn characters_become_pairs_and_other_letters_words() {
        let of = |text: &str| IndexEntries::of(text).entries;
        assert_eq!(of("密信到了，ＡＢ4号。"), "ab4 了 信到 到了 号 密信 ");
        assert_eq!(of("—— ……"), "");
        assert_eq!(of("雨，雨，雨，雪"), "雨 ×2雨 雪 ");
        assert_eq!(
            IndexEntries::of(&"ab ".repeat(9)),
            IndexEntries { entries: "ab ×2ab ×4ab ×8ab ".into(), length: 9 }
        );
    }

    #[test]
    fn a_query_is_words_and_the_terms_that_rank() {
        let texts = |query: &Query| query.terms.iter().map(|term| term.entry(1)).collect::<Vec<_>>();
        assert_eq!(texts(&query("密信 城门口 密信")), ["密信", "城门", "门口"]);
        assert_eq!(texts(&query("风雪，夜归人")), ["风雪", "夜归", "归人"]);
        assert_eq!(texts(&query("剑 密信")), ["剑", "密信"]);
        assert!(query("剑").terms[0].is_prefix && query("剑").words[0][0].is_prefix);
        assert_eq!((Query::parse(""), Query::parse("！…… ——")), (None, None));
        assert!(query(&"天地玄黄宇宙洪荒".repeat(90)).terms.len() <= MOST_TERMS);
    }

    #[test]
    fn a_word_is_met_where_it_stands_and_not_across_a_comma() {
        let text = "他把密信交给城门守卫。风雪，夜归。拔剑";
        for word in ["密信", "密信交给城门", "风雪夜归", "风雪，夜归", "剑", "雪", "卫"] {
            assert_eq!(query(word).is_literal_in(text), word != "风雪夜归", "{word}");
        }
    }

    #[test]
    fn the_passage_is_the_sentence_with_most_of_the_query_and_its_neighbours() {
        let text =
            "# 第3章 密信\n\n雨停了。他从袖中取出一封密信，递过去。守卫没有接。\n\n密信就这样留在了城门的石阶上。\n";
        let passage = query("密信").passage(text, 60).unwrap();
        assert_eq!(passage.text, "雨停了。他从袖中取出一封密信，递过去。守卫没有接。");
        assert_eq!(marked(&passage), ["密信"]);
        let passage = query("密信 城门").passage(text, 60).unwrap();
        assert_eq!((passage.text.as_str(), marked(&passage)), ("密信就这样留在了城门的石阶上。", vec!["密信", "城门"]));
        assert_eq!(query("密信").passage(text, 20).unwrap().text, "雨停了。他从袖中取出一封密信，递过去。");
        assert_eq!(query("第3章").passage("# 第3章 密信\n", 60).unwrap().text, "# 第3章 密信");
        assert_eq!(query("渡船").passage(text, 60), None);
    }

    #[test]
    fn a_long_sentence_is_cut_around_the_query_between_characters() {
        let text = format!("{}他终于把那封密信拿了出来{}。", "一路走，".repeat(40), "，没有人说话".repeat(40));
        let passage = query("那封密信").passage(&text, 40).unwrap();
        assert!(passage.text.starts_with('…') && passage.text.ends_with('…'), "{}", passage.text);
        assert_eq!((passage.text.chars().count(), marked(&passage)), (42, vec!["那封密信"]));
        let joined = format!("{}密信👩\u{200D}🚀{}", "啊".repeat(30), "啊".repeat(30));
        let cut = query("密信").passage(&joined, 8).unwrap();
        assert!(!cut.text.ends_with("\u{200D}…"), "{}", cut.text);
    }

    #[test]
    fn width_case_and_punctuation_make_no_difference() {
        let passage = query("abc 密信").passage("他说：“ＡＢＣ，密、信”还是“密信”？", 60).unwrap();
        assert_eq!(marked(&passage), ["ＡＢＣ", "密信"]);
    }

    proptest! {
        #[test]
        fn any_piece_of_a_text_is_met_in_it_and_in_its_entries(text in "[密信城门，。a4 \n]{1,40}", from in 0usize..40, length in 1usize..12) {
            let piece: String = text.chars().skip(from).take(length).collect();
            if let Some(query) = Query::parse(&piece) {
                // The beginning or the end of a Latin word is another word.
                let is_whole = !piece.contains(['a', '4']);
                prop_assert!(!is_whole || query.is_literal_in(&text), "{piece:?} in {text:?}");
                let IndexEntries { entries, .. } = IndexEntries::of(&text);
                let has = |term: &Term| entries.split(' ').any(|entry| term.meets(&entry.chars().collect::<Vec<_>>()));
                prop_assert!(!query.is_literal_in(&text) || query.words().iter().flatten().all(has), "{piece:?} in {text:?}");
            }
        }

        #[test]
        fn a_passage_is_a_piece_of_its_text_with_the_marks_in_it(
            text in "(密信|城门|[，。！\n ]|[\u{4E00}-\u{4E20}]|a\u{301}|👩\u{200D}🚀|\\PC){0,60}",
            typed in "(密信|城门|a|\\PC){1,4}",
            limit in 4usize..40,
        ) {
            let Some(query) = Query::parse(&typed) else { return Ok(()) };
            let Some(passage) = query.passage(&text, limit) else { return Ok(()) };
            prop_assert!(!passage.marks.is_empty() || passage.text.contains('…'), "{passage:?}");
            prop_assert!(passage.score > 0 && query.held_by(&text) > 0);
            let inner = passage.text.strip_prefix('…').unwrap_or(&passage.text);
            let inner = inner.strip_suffix('…').unwrap_or(inner);
            prop_assert!(text.contains(inner), "{passage:?}");
            let mut end = 0;
            for mark in &passage.marks {
                prop_assert!(mark.start >= end && mark.end > mark.start);
                prop_assert!(passage.text.get(mark.clone()).is_some());
                end = mark.end;
            }
        }

        #[test]
        fn nothing_panics(text in any::<String>(), typed in any::<String>(), limit in 0usize..80) {
            let _ = IndexEntries::of(&text);
            if let Some(query) = Query::parse(&typed) {
                let _ = (query.passage(&text, limit), query.is_literal_in(&text));
            }
        }
    }

    fn texts(all: &[&str]) -> Vec<String> {
        all.iter().map(|text| (*text).to_owned()).collect()
    }

    #[test]
    fn what_few_texts_have_counts_more_than_what_all_have() {
        let texts = texts(&["城门的规矩", "船票的规矩", "茶", "Ferry tickets"]);
        let like = common("补一条关于船票的规矩", &texts);
        assert!(like[1] > like[0] && like[0] > like[2] && like[2] == 0, "{like:?}");
        assert!(common("ferry", &texts)[3] > 0 && common("茶", &texts)[2] > 0);
        assert_eq!(common("", &texts), [0; 4]);
        assert_eq!(common("船票", &[]), Vec::<u64>::new());
    }

    proptest! {
        #[test]
        fn the_same_wish_always_says_the_same(wish in "\\PC{0,20}", all in prop::collection::vec("\\PC{0,30}", 0..6)) {
            prop_assert_eq!(common(&wish, &all), common(&wish, &all));
            prop_assert_eq!(common(&wish, &all).len(), all.len());
        }
    }
}
