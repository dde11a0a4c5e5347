//! Names of people whom no registry has.
//!
//! A name of a person stands at the beginning of clauses, right before words of speech and action, among changing neighbours,
//! and often begins with a surname. Measured on five chapters at a time, since one chapter is too little: see
//! [`LEAST_SCORE`].

use super::char_set::CharSet;
use super::chars::is_han;
use super::common_words::is_common;
use super::names::{COMPOUND_SURNAMES, NameIndex, SURNAMES};
use super::sentence_pattern::is_function_character;
use aho_corasick::{AhoCorasick, MatchKind};
use std::collections::BTreeMap;

/// A name that the texts use and the registry does not have.
#[derive(Debug, Clone, PartialEq)]
pub struct NewName {
    /// The name as it is written.
    pub form: String,
    /// How often it stands in the texts, at least 2.
    pub count: usize,
    /// How much speaks for a name, [`LEAST_SCORE`] or more.
    pub score: f64,
}

/// The score from which a string is taken for a name. The weights of the score come from four novels; on five chapters each of
/// two others that were not looked at before, it finds the share of mentions that `tests/it/text/name_figures.rs` prints.
pub const LEAST_SCORE: f64 = 3.3;

/// A string of three or four characters that so many spoken passages follow is a name although common words are in it.
const SPEAKS: usize = 2;

/// How many characters a name has.
const LENGTHS: std::ops::RangeInclusive<usize> = 2..=4;

/// Words of speech and action with which a clause goes on after the name of its subject.
const ACTS: [&str; 65] = [
    "道",
    "说",
    "问",
    "笑",
    "答",
    "喊",
    "叫",
    "骂",
    "叹",
    "想",
    "听",
    "看",
    "望",
    "瞧",
    "见",
    "曰",
    "云",
    "喝",
    "哭",
    "应",
    "走",
    "站在",
    "站着",
    "站起",
    "站了",
    "站住",
    "坐",
    "跪",
    "接",
    "拿",
    "取",
    "皱",
    "抬",
    "拱手",
    "点头",
    "摇头",
    "转身",
    "回头",
    "低头",
    "伸手",
    "起身",
    "上前",
    "沉默",
    "冷笑",
    "微笑",
    "大笑",
    "大怒",
    "大喜",
    "大惊",
    "把",
    "将",
    "向",
    "对",
    "命",
    "率",
    "挥",
    "举",
    "跳",
    "赶",
    "杀",
    "闻",
    "心中",
    "心里",
    "的声音",
    "的手",
];

/// Adverbs between the name and the act, longer ones first.
const ADVERBS: [&str; 36] = [
    "一面", "连忙", "急忙", "微微", "轻轻", "淡淡", "忽然", "突然", "慢慢", "在旁", "不觉", "不禁", "听了", "高声",
    "低声", "厉声", "大声", "哈哈", "嘻嘻", "也", "便", "就", "又", "忙", "只", "正", "却", "冷", "早", "还", "都",
    "且", "乃", "方", "才", "陪",
];

/// Titles behind a surname, which make a name of it.
const TITLES: [&str; 36] = [
    "掌柜", "师傅", "大夫", "先生", "太太", "小姐", "姑娘", "老爷", "夫人", "公子", "将军", "道长", "大师", "长老",
    "老板", "队长", "局长", "主任", "经理", "大娘", "大爷", "大叔", "婶", "嫂", "哥", "姐", "妈", "爷", "奶奶", "师兄",
    "师弟", "师姐", "师妹", "真人", "员外", "总兵",
];

/// Surnames that are ordinary words far more often.
static WEAK_SURNAMES: CharSet = CharSet::of("于时全东双通从空曾归相和容向乐公应文方白高金明");

/// Characters beside the function characters with which no name begins or ends.
static NO_NAME: CharSet = CharSet::of(
    "我你他她它会能上里便即将要遂乃则且此何吾汝谁可已亦忽听见说问笑看想无再先后前下去来到出入进起回当时今日同叫请教令让使大自暗等",
);
/// Numerals, which are rare in names.
static NUMERALS: CharSet = CharSet::of("一二三四五六七八九十两几每各某多少");

/// People in general, who have no name.
const ANYBODY: [&str; 35] = [
    "众人", "大家", "别人", "人家", "有人", "来人", "那人", "男人", "女人", "老人", "少年", "青年", "孩子", "姑娘",
    "丫头", "婆子", "奶奶", "太太", "老爷", "先生", "师父", "徒弟", "对方", "本帅", "元帅", "王爷", "童子", "小军",
    "老尼", "老祖", "失主", "店家", "客人", "房东", "邻居",
];

/// The evidence for a candidate.
#[derive(Debug, Default)]
struct Evidence {
    /// How often it stands at the beginning of a clause right before an act.
    acts: usize,
    /// How often words of its own follow: a clause that ends in 道 right behind it.
    speaks: usize,
    /// Whether it is a surname with a title, or 老, 小 or 阿 with one.
    is_titled: bool,
    count: usize,
    /// How often it begins a clause.
    begins: usize,
    before: Neighbours,
    after: Neighbours,
}

/// The characters beside a candidate.
#[derive(Debug, Default)]
struct Neighbours {
    han: BTreeMap<char, usize>,
    /// Punctuation and the ends of a text; each counts as a neighbour of its own.
    other: usize,
}

impl Neighbours {
    fn add(&mut self, neighbour: Option<char>) {
        match neighbour.filter(|c| is_han(*c)) {
            Some(c) => *self.han.entry(c).or_default() += 1,
            None => self.other += 1,
        }
    }

    /// The Shannon entropy in bits.
    fn entropy(&self) -> f64 {
        let all = (self.han.values().sum::<usize>() + self.other) as f64;
        let part = |n: usize| -(n as f64 / all) * (n as f64 / all).log2();
        self.han.values().map(|n| part(*n)).sum::<f64>() + self.other as f64 * part(1)
    }
}

/// The names in `texts`, usually the text of five chapters, that `known` does not have, the surest first. Forms that hold a known
/// name, or are a part of one, are left out.
#[must_use]
pub fn new_names(texts: &[&str], known: &NameIndex) -> Vec<NewName> {
    let mut candidates = candidates(texts);
    let names: String = known.forms().flat_map(|name| [name, "\n"]).collect();
    candidates.retain(|form, _| !names.contains(form.as_str()) && !known.occurs_in(form));
    let forms: Vec<String> = candidates.keys().cloned().collect();
    let mut evidence: Vec<Evidence> = candidates.into_values().collect();
    let mut letters: BTreeMap<char, usize> = BTreeMap::new();
    for text in texts {
        for c in text.chars().filter(|c| is_han(*c)) {
            *letters.entry(c).or_default() += 1;
        }
    }
    count(texts, &forms, &mut evidence);
    let found = forms.into_iter().zip(&evidence).filter(|(_, evidence)| evidence.count > 1);
    let scored = found.map(|(form, evidence)| {
        let score = score(&form, evidence, &letters);
        NewName { form, count: evidence.count, score }
    });
    pruned(scored.filter(|name| name.score >= LEAST_SCORE).collect())
}

/// The strings that stand where names do, with the evidence of their places.
fn candidates(texts: &[&str]) -> BTreeMap<String, Evidence> {
    let mut found: BTreeMap<String, Evidence> = BTreeMap::new();
    let runs = texts.iter().flat_map(|text| text.split(|c: char| !is_han(c))).filter(|run| !run.is_empty());
    for run in runs {
        let ends: Vec<usize> = run.char_indices().map(|(at, _)| at).chain([run.len()]).collect();
        for &end in ends.iter().skip(*LENGTHS.start()).take(LENGTHS.count()) {
            let (form, rest) = run.split_at(end);
            if may_be_name(form) && goes_on_with_act(rest) {
                let evidence = found.entry(form.to_owned()).or_default();
                evidence.acts += 1;
                evidence.speaks += usize::from(is_speech(rest));
            }
        }
        for (at, c) in run.char_indices().filter(|(_, c)| is_surname(*c)) {
            let behind = &run[at + c.len_utf8()..];
            for title in TITLES.iter().filter(|title| behind.starts_with(**title)) {
                found.entry(format!("{c}{title}")).or_default().is_titled = true;
            }
            if let Some(first @ ('老' | '小' | '阿')) = run[..at].chars().next_back() {
                found.entry(format!("{first}{c}")).or_default().is_titled = true;
            }
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

/// Whether the rest of a clause begins with an act, perhaps after an adverb.
fn goes_on_with_act(rest: &str) -> bool {
    let is_act = |rest: &str| {
        ACTS.iter().any(|act| match rest.strip_prefix(act) {
            // 道 is speech where the clause ends with it, and part of a name or a word elsewhere.
            Some(after) if *act == "道" => after.chars().next().is_none_or(|c| matches!(c, '了' | '着')),
            other => other.is_some(),
        })
    };
    is_act(rest) || ADVERBS.iter().filter_map(|adverb| rest.strip_prefix(adverb)).any(is_act)
}

/// Whether a clause ends in 道, perhaps with a word before it: 道, 笑道, 又问道.
fn is_speech(rest: &str) -> bool {
    rest.ends_with('道') && rest.chars().count() <= 3
}

fn is_surname(c: char) -> bool {
    SURNAMES.has(c) && !WEAK_SURNAMES.has(c)
}

/// Counts the forms and what stands beside them.
fn count(texts: &[&str], forms: &[String], evidence: &mut [Evidence]) {
    let automaton = AhoCorasick::builder()
        .match_kind(MatchKind::Standard)
        .build(forms)
        // Building fails only past 2^31 automaton states, that is, on lists of gigabytes.
        .expect("the names of some chapters fit in an automaton");
    for text in texts {
        for found in automaton.find_overlapping_iter(text) {
            let of_it = &mut evidence[found.pattern().as_usize()];
            let before = text[..found.start()].chars().next_back();
            of_it.count += 1;
            of_it.begins += usize::from(!before.is_some_and(is_han));
            of_it.before.add(before);
            of_it.after.add(text[found.end()..].chars().next());
        }
    }
}

fn score(form: &str, evidence: &Evidence, letters: &BTreeMap<char, usize>) -> f64 {
    let Evidence { acts, speaks, is_titled, count, begins, before, after } = evidence;
    let (acts, count) = (*acts as f64, *count as f64);
    let chars: Vec<char> = form.chars().collect();
    let starts_with_surname =
        is_surname(chars[0]) || COMPOUND_SURNAMES.iter().any(|surname| form.starts_with(surname)) || *is_titled;
    let pair = |at: usize| chars[at..].iter().take(2).collect::<String>();
    let mut score = 1.2 * (4.0 * acts / count).min(2.0) + 0.8 * acts.ln_1p();
    score += 0.35 * after.entropy().min(4.0) + 0.2 * (before.entropy() + 0.5 * *begins as f64 / count).min(4.0);
    score += 0.12 * cohesion(&chars, count, letters).min(10.0);
    if starts_with_surname {
        score += 1.2;
    }
    if *is_titled {
        score += 1.0;
    }
    // 一枝梅, 二姐儿: a string that speaks so often is a name, whatever words it is made of.
    let is_speaker = chars.len() > 2 && *speaks >= SPEAKS && !form.ends_with('人');
    if form.contains(|c| NUMERALS.has(c)) && !*is_titled && !is_speaker {
        score -= 1.5;
    }
    if is_common(form) {
        score -= 3.0;
    }
    if chars.len() > 2 && !is_speaker {
        let (first, last) = (is_common(&pair(0)), is_common(&pair(chars.len() - 2)));
        if first || (last && !starts_with_surname) {
            score -= 2.5;
        }
    }
    score
}

/// How much more often the characters stand together than by chance: pointwise mutual information in bits.
fn cohesion(chars: &[char], count: f64, letters: &BTreeMap<char, usize>) -> f64 {
    let all = letters.values().sum::<usize>() as f64;
    let alone: f64 = chars.iter().map(|c| (letters[c] as f64).log2()).sum();
    count.log2() + (chars.len() as f64 - 1.0) * all.log2() - alone
}

/// Leaves out parts of longer names, and longer strings that are a name and something more.
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
    use crate::text::Named;

    fn found(text: &str, known: &[&str]) -> Vec<String> {
        let named =
            |name: &&str| Named { id: (*name).into(), name: (*name).into(), aliases: Vec::new(), is_person: true };
        let known = NameIndex::new(&known.iter().map(named).collect::<Vec<_>>());
        new_names(&[text], &known).into_iter().map(|name| name.form).collect()
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
