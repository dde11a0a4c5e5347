//! How a chapter tells its outline: in situations of its own, not in the outline's words.
//!
//! A line that the offline planner wrote is read back to its pattern, and the scene that was written for that pattern is
//! played with the line's people, place and thing. An author's line gives what it names: a thing, and a few short words.

use super::chance::seed;
use super::cut::{clip, phrase, sentences, words};
use super::patterns::{Slots, pool, read_back};

/// The longest stretch of an outline field that a summary repeats as one piece, in characters.
const LONGEST: usize = 44;

/// A line of the outline, and the text that tells it.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Told {
    /// The line in the outline's words.
    pub(super) plan: String,
    /// The paragraphs that tell it; none for a line that the whole chapter tells.
    pub(super) text: Vec<String>,
    /// The pattern of the planner that the line was made with.
    pub(super) pattern: Option<&'static str>,
    /// The words of the line, by the slots of the pattern.
    pub(super) names: Slots,
}

impl Told {
    /// Whether a text tells it: in these sentences, in the outline's words, or, where it has no text, by all its names.
    pub(super) fn is_in(&self, body: &str) -> bool {
        let stands = |sentence: &str| words(sentence) > 4 && body.contains(sentence);
        let by_names = || !self.names.is_empty() && self.names.values().all(|name| body.contains(name.as_str()));
        body.contains(&self.plan)
            || self.text.iter().flat_map(|paragraph| sentences(paragraph)).any(stands)
            || (self.text.is_empty() && by_names())
    }
}

/// A line of the outline before it is told.
#[derive(Debug, Clone, Default)]
pub(super) struct Line {
    /// The line in words for a summary.
    pub(super) plan: String,
    /// Its pattern's place in the planner's pool and the words of its slots; `None` for an author's own line.
    pub(super) read: Option<(usize, &'static str, Slots)>,
}

impl Line {
    /// Reads a line with the planner's patterns of one kind; `None` when it says nothing.
    pub(super) fn read(kind: &str, text: &str, known: &[(&str, &str)]) -> Option<Self> {
        let plan = phrase(text, LONGEST)?;
        let text = text.trim().trim_end_matches('。');
        let patterns = pool(&format!("plan {kind}")).iter().enumerate();
        let read = patterns.filter_map(|(at, pattern)| Some((at, *pattern, read_back(pattern, text, known)?))).next();
        Some(Self { plan, read })
    }

    /// A word of a slot of the line's pattern.
    pub(super) fn named(&self, slot: &str) -> Option<&str> {
        self.read.as_ref().and_then(|(_, _, slots)| slots.get(slot)).map(String::as_str)
    }

    /// The pattern that tells the line in chapter `number`, and the round of its choices. `own` are the ways of telling an
    /// author's line.
    pub(super) fn telling(&self, kind: &str, number: usize) -> (&'static str, usize) {
        match &self.read {
            Some((at, ..)) => {
                let list = pool(kind);
                let ways: Vec<&'static str> = list.get(*at).map_or("", |line| line).split(" || ").collect();
                // The planner walks through conflicts and arcs, and comes back one chapter early each time.
                let length = if ["story", "arc"].contains(&kind) { list.len() - 1 } else { list.len() };
                let again = number / length.max(1);
                (ways[again % ways.len()], again / ways.len())
            }
            None => {
                let list = pool(&format!("{kind} any"));
                let start = seed(&[kind]) as usize % list.len().max(1);
                let round = number / list.len().max(1);
                (list.get((start + number) % list.len().max(1)).copied().unwrap_or_default(), round)
            }
        }
    }
}

/// The first thing that a text names: in corner brackets, or after a numeral and a measure word.
pub(super) fn thing_in(text: &str) -> Option<String> {
    const MEASURES: &str = "只把张本件封条枚盏块段支辆顶双串盒瓶份扇幅根朵幢艘柄册部个";
    const NUMERALS: &str = "一两三半几那这";
    const ENDS: &str = "的了在是却和就不也都把被给让到来去说，。；：、！？…—「」“”（）()\n 里上下前后将时";
    let bracketed = || {
        let inner = text.split_once('「')?.1.split_once('」')?.0;
        ((2..=8).contains(&inner.chars().count()) && inner.chars().all(crate::text::is_han)).then(|| inner.to_owned())
    };
    let chars: Vec<char> = text.chars().collect();
    let counted = || {
        chars.windows(2).enumerate().find_map(|(at, pair)| {
            let is_start = NUMERALS.contains(pair[0]) && MEASURES.contains(pair[1]);
            let rest = chars.get(at + 2..).filter(|_| is_start)?;
            let length = rest.iter().take_while(|c| !ENDS.contains(**c)).count();
            // A word before `的` describes what is named behind it.
            let describes = rest.get(length) == Some(&'的');
            let word: String = rest[..length].iter().collect();
            ((2..=6).contains(&length) && !describes && !is_person(&word)).then_some(word)
        })
    };
    counted().or_else(bracketed)
}

/// True for a word that means a person, such as 父亲 or 售票员, which can be neither put down nor kept in a drawer.
fn is_person(word: &str) -> bool {
    const LAST: &str = "人亲爸妈爷奶叔伯姑婶姨舅嫂哥姐弟妹员师匠徒贼兵警";
    const WORDS: [&str; 9] = ["孩子", "女子", "男子", "汉子", "老板", "司机", "学生", "医生", "先生"];
    word.ends_with(|c| LAST.contains(c)) || WORDS.iter().any(|person| word.ends_with(person))
}

/// A clause of a text that may be spoken and is short enough to be no copy of it: three to seven characters that name no one of
/// `people` and speak of no third person.
pub(super) fn few_words(text: &str, people: &[&str]) -> Option<String> {
    let clauses =
        text.split(['，', '。', '；', '：', '、', ',', ';', '\n', '？', '！']).filter_map(|clause| phrase(clause, 40));
    let is_short =
        |clause: &String| (3..=7).contains(&clause.chars().count()) && clause.chars().all(crate::text::is_han);
    let is_told = |clause: &String| clause.contains(['他', '她']);
    clauses
        .filter(is_short)
        .find(|clause| !is_told(clause) && !people.iter().any(|name| clause.contains(clip(name, 8))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_the_planner_is_read_back_to_its_pattern() {
        let known = [("主", "闻小满"), ("地", "老码头")];
        let line =
            Line::read("conflict", "闻小满想把红伞悄悄还回去，鲁迟守在老码头，等的正是来还的人", &known).unwrap();
        assert_eq!((line.named("客"), line.named("物")), (Some("鲁迟"), Some("红伞")));
        let own = Line::read("conflict", "老太太来认领一只保温杯，小满却只肯照守则问暗记", &known).unwrap();
        assert!(own.read.is_none());
    }

    #[test]
    fn an_authors_line_gives_things_and_short_words() {
        let text = "老太太来认领一只保温杯，却想不起杯子是给谁带的；老太太答不上来";
        assert_eq!(thing_in(text).as_deref(), Some("保温杯"));
        assert_eq!(thing_in("旧报纸上写着「少放糖」"), Some("少放糖".to_owned()));
        assert_eq!(thing_in("一个嘴甜的男人来了"), None);
        assert_eq!(thing_in("她看见一个父亲在一张验收单上签字").as_deref(), Some("验收单"));
        assert_eq!(few_words(text, &["闻小满"]).as_deref(), Some("老太太答不上来"));
        assert_eq!(few_words(text, &["老太太"]), None);
        assert_eq!(thing_in("签的是那张旧单背面唯一的名字"), None);
        assert_eq!(thing_in("靴底写着「小舟，十七码」"), None);
        assert_eq!(few_words("她却坐到他对面；还不回去", &[]).as_deref(), Some("还不回去"));
    }

    #[test]
    fn every_pattern_of_the_planner_has_a_telling() {
        for kind in ["plant", "advance", "resolve", "truth", "change", "bridge", "arc"] {
            assert_eq!(pool(kind).len(), pool(&format!("plan {kind}")).len(), "{kind}");
            assert!(!pool(&format!("{kind} any")).is_empty(), "{kind}");
        }
        assert_eq!(pool("story").len(), pool("plan conflict").len());
    }
}
