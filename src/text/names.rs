//! Mentions of the people, places and things of a registry.
//! Registered names cover most mentions only when aliases and given names count too: on three modern novels canonical
//! names alone find 51–91 %, with given names 85–96 %.
//! Ids in a text.
//! The words around names: acts, titles, words before and behind names, and words that are no name.

use crate::domain::Slug;
use crate::text::chars::CharSet;
use crate::text::prelude::*;
use crate::text::wording::leftmost_longest;
use aho_corasick::AhoCorasick;
use pinyin::ToPinyin;
use std::sync::LazyLock;

/// A registered person, place or thing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedEntity {
    /// The registry's id; several things may share a form but not an id.
    pub id: String,
    pub name: String,
    /// Other forms in the text: courtesy names, titles, nicknames.
    pub aliases: Vec<String>,
    /// A person's surname may be dropped.
    pub is_person: bool,
}

/// A registry prepared for searching.
#[derive(Debug, Clone)]
pub struct NameIndex {
    forms: Vec<NameForm>,
    automaton: AhoCorasick,
}

#[derive(Debug, Clone)]
struct NameForm {
    text: String,
    owners: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Mention {
    /// The ids that may be meant: one, or several when a form is shared.
    pub ids: Vec<String>,
    pub form: String,
    pub range: Range<usize>,
}

impl NameIndex {
    /// Prepares a registry.
    ///
    /// Beside names and aliases, the given name of a person counts: the last two characters of a three-character name
    /// with a known surname, or of a four-character one with a two-character surname. A given name is left out when
    /// it is one character, an ordinary word (光明, 向前), shared by two people, or a registered form.
    pub fn new(registry: &[NamedEntity]) -> Self {
        let mut owners: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for named in registry {
            for form in named.aliases.iter().chain([&named.name]).map(|f| f.trim()).filter(|f| !f.is_empty()) {
                owners.entry(form.to_owned()).or_default().insert(named.id.clone());
            }
        }
        let mut given: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for named in registry.iter().filter(|n| n.is_person) {
            if let Some(name) = given_name(named.name.trim()) {
                given.entry(name).or_default().insert(&named.id);
            }
        }
        for (name, ids) in given {
            if ids.len() == 1 && !(is_common(name) || WORDS.contains(&name)) && !owners.contains_key(name) {
                owners.insert(name.to_owned(), ids.into_iter().map(str::to_owned).collect());
            }
        }
        let forms: Vec<NameForm> =
            owners.into_iter().map(|(text, owners)| NameForm { text, owners: Vec::from_iter(owners) }).collect();
        let texts: Vec<String> = forms.iter().map(|f| f.text.clone()).collect();
        Self { forms, automaton: leftmost_longest(&texts) }
    }

    pub fn forms(&self) -> impl Iterator<Item = &str> {
        self.forms.iter().map(|form| form.text.as_str())
    }

    /// The ids that a form belongs to; empty for an unknown one.
    pub(super) fn owners(&self, form: &str) -> &[String] {
        self.forms.iter().find(|known| known.text == form).map_or(&[], |known| &known.owners)
    }

    /// The forms that belong to this id, shared ones included.
    pub(super) fn forms_of<'a>(&'a self, id: &'a str) -> impl Iterator<Item = &'a str> {
        let forms = self.forms.iter().filter(move |form| form.owners.iter().any(|owner| owner == id));
        forms.map(|form| form.text.as_str())
    }

    pub(super) fn occurs_in(&self, text: &str) -> bool {
        self.automaton.is_match(text)
    }

    /// All mentions in order; of overlapping forms the first one counts, and of those that begin together the longest.
    pub fn mentions(&self, text: &str) -> Vec<Mention> {
        self.automaton
            .find_iter(text)
            .map(|m| {
                let form = &self.forms[m.pattern().as_usize()];
                Mention { ids: form.owners.clone(), form: form.text.clone(), range: m.range() }
            })
            .collect()
    }

    /// True when a form that belongs to one of these ids alone stands in the text.
    pub fn names_one_of(&self, text: &str, ids: &BTreeSet<&str>) -> bool {
        self.automaton.find_iter(text).any(|found| match self.forms[found.pattern().as_usize()].owners.as_slice() {
            [owner] => ids.contains(owner.as_str()),
            _ => false,
        })
    }
}

/// The name without its surname, where a surname is known.
pub(super) fn given_name(name: &str) -> Option<&str> {
    if !name.chars().all(is_han) {
        return None;
    }
    let surname = COMPOUND_SURNAMES.iter().find(|s| name.starts_with(**s)).map(|s| s.len());
    let first = name.chars().next()?;
    let surname = surname.or_else(|| SURNAMES.has(first).then(|| first.len_utf8()))?;
    let given = &name[surname..];
    (given.chars().count() == 2).then_some(given)
}

/// Surnames of one character, the usual ones of modern and historical fiction.
pub(super) static SURNAMES: CharSet = CharSet::of(SURNAME_LIST);

const SURNAME_LIST: &str = "赵钱孙李周吴郑王冯陈褚卫蒋沈韩杨朱秦尤许何吕施张孔曹严华金魏陶姜戚谢邹喻柏水窦章云苏潘葛奚范彭郎鲁韦昌马苗凤花方\
俞任袁柳酆鲍史唐费廉岑薛雷贺倪汤滕殷罗毕郝邬安常乐于时傅皮卞齐康伍余元卜顾孟平黄和穆萧尹姚邵湛汪祁毛禹狄米贝明臧计伏成戴谈宋茅庞熊纪\
舒屈项祝董梁杜阮蓝闵席季麻强贾路娄危江童颜郭梅盛林刁钟徐邱骆高夏蔡田樊胡凌霍虞万支柯昝管卢莫经房裘缪干解应宗丁宣邓郁单杭洪包诸左石崔吉\
龚程嵇邢裴陆荣翁荀羊惠甄曲封芮储靳段富巫乌焦巴弓牧山谷车侯全班仰秋仲伊宫宁仇栾甘厉戎祖武符刘景詹束龙叶幸司韶黎白怀蒲邰从鄂索咸籍赖卓蔺\
屠蒙池乔阴胥苍双闻莘党翟谭贡劳姬申扶堵冉宰郦雍桑桂牛寿通边扈燕冀郏浦尚农温别庄晏柴瞿阎充慕连茹习艾鱼容向古易慎戈廖庾终暨居衡步都耿满\
弘匡国文寇广禄阙东欧沃利蔚越隆师巩聂晁勾敖融冷訾辛阚那简饶空曾沙养丰关相查后荆红游竺权盖益桓公肖付代覃佟楚闫";

/// Surnames of two characters.
pub(super) const COMPOUND_SURNAMES: [&str; 28] = [
    "欧阳", "司马", "上官", "诸葛", "夏侯", "东方", "皇甫", "尉迟", "公孙", "慕容", "令狐", "长孙", "宇文", "司徒",
    "司空", "南宫", "独孤", "拓跋", "轩辕", "端木", "百里", "呼延", "东郭", "西门", "太史", "公羊", "澹台", "完颜",
];

/// Given names that are ordinary words all the same, though mostly tagged as names.
const WORDS: [&str; 4] = ["无忌", "文明", "白云", "安静"];

/// Returns the text with what `name` gives in place of ids, except in code in backticks, paths and targets.
pub fn with_names(text: &str, name: impl Fn(&str) -> Option<String>) -> String {
    let is_of_id = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    let (mut out, mut left, mut is_code) = (String::new(), text, false);
    while let Some(first) = left.chars().next() {
        is_code ^= first == '`';
        let end = match is_of_id(first) {
            true => left.find(|c| !is_of_id(c)).unwrap_or(left.len()),
            false => first.len_utf8(),
        };
        let (word, rest) = left.split_at(end);
        let is_typed = is_code || out.ends_with(['/', '.', '@']) || rest.starts_with(['/', '@']);
        // A word that is an id by chance stands among English words.
        let beside = [out.trim_end().chars().next_back(), rest.trim_start().chars().next()];
        let is_id = word.contains(['-', '_']) || beside.into_iter().flatten().any(|c| !c.is_ascii());
        let named = Some(word).filter(|_| is_of_id(first) && is_id && !is_typed).and_then(&name);
        out.push_str(named.as_deref().unwrap_or(word));
        left = rest;
    }
    out
}

/// The number of a chapter's objective: `OBJ-048-2` is the second.
pub fn objective(id: &str) -> Option<&str> {
    let (chapter, n) = id.strip_prefix("OBJ-")?.split_once('-')?;
    [chapter, n].iter().all(|part| part.chars().all(|c| c.is_ascii_digit())).then_some(n)
}

/// The longest id made from a name; a number may still follow.
const LONGEST: usize = 56;

/// An id for a name: pinyin with dashes between the characters, Latin letters kept. `None` for a name with neither.
pub fn slug_of(name: &str) -> Option<Slug> {
    let mut words: Vec<String> = Vec::new();
    let mut latin = false;
    for c in name.chars() {
        if let Some(syllable) = c.to_pinyin() {
            words.push(syllable.plain().replace('ü', "v"));
            latin = false;
        } else if c.is_ascii_alphanumeric() {
            match words.last_mut().filter(|_| latin) {
                Some(word) => word.push(c.to_ascii_lowercase()),
                None => words.push(c.to_ascii_lowercase().to_string()),
            }
            latin = true;
        } else {
            latin = false;
        }
    }
    let base: String = words.join("-").chars().take(LONGEST).collect();
    Slug::new(base.trim_end_matches('-')).ok()
}

/// An id for a name, with a number behind it where the id is `taken`.
pub fn free_slug(name: &str, taken: &dyn Fn(&Slug) -> bool) -> Option<Slug> {
    let plain = slug_of(name)?;
    if !taken(&plain) {
        return Some(plain);
    }
    (2..100).find_map(|n| Slug::new(&format!("{plain}-{n}")).ok().filter(|slug| !taken(slug)))
}

#[cfg(test)]
mod ids_tests {
    use super::*;

    #[test]
    fn names_become_ids_that_people_can_read() {
        let slug = |name: &str| slug_of(name).map(|slug| slug.to_string());
        for (name, id) in [("林风", "lin-feng"), ("阿Ben", "a-ben"), ("R2 D2", "r2-d2"), ("吕布", "lv-bu")] {
            assert_eq!(slug(name).as_deref(), Some(id));
        }
        assert_eq!(slug("—！"), None);
        let taken = |slug: &Slug| matches!(slug.as_str(), "lin-feng" | "lin-feng-2");
        assert_eq!(free_slug("林风", &taken).unwrap().as_str(), "lin-feng-3");
    }
}

/// Words of speech and action that follow the name of its subject.
pub(super) const ACTS: [&str; 65] = [
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
pub(super) const ADVERBS: [&str; 36] = [
    "一面", "连忙", "急忙", "微微", "轻轻", "淡淡", "忽然", "突然", "慢慢", "在旁", "不觉", "不禁", "听了", "高声",
    "低声", "厉声", "大声", "哈哈", "嘻嘻", "也", "便", "就", "又", "忙", "只", "正", "却", "冷", "早", "还", "都",
    "且", "乃", "方", "才", "陪",
];

/// Last characters of verbs and conjunctions that stand before a person: 只见, 却说, 与, 命.
pub(super) static BEFORE_NAME: CharSet =
    CharSet::of("见与同叫对向命问和请令把将被是到往给替望像如连着了有那这使道说来");
/// First characters of words that continue a clause behind a person: 与, 等, 二人, 在.
pub(super) static AFTER_NAME: CharSet =
    CharSet::of("与和同等的在是到之也便就又不已都二两一却听这来去因正了大心家进出有亦即乃上下急见");

/// First characters of acts and adverbs, as a quick test before the words themselves.
pub(super) static ACT_FIRSTS: CharSet = CharSet::of_firsts(&ACTS);
pub(super) static ADVERB_FIRSTS: CharSet = CharSet::of_firsts(&ADVERBS);

/// Titles behind a surname, which make a name of it.
pub(super) const TITLES: [&str; 36] = [
    "掌柜", "师傅", "大夫", "先生", "太太", "小姐", "姑娘", "老爷", "夫人", "公子", "将军", "道长", "大师", "长老",
    "老板", "队长", "局长", "主任", "经理", "大娘", "大爷", "大叔", "婶", "嫂", "哥", "姐", "妈", "爷", "奶奶", "师兄",
    "师弟", "师姐", "师妹", "真人", "员外", "总兵",
];

/// Last words of what people are called by their trade or their place among others, where a name is not known;
/// separated by spaces.
pub(super) const TRADES: &str = "\
    司机 教师 老师 医生 护士 警察 民警 保安 中介 店主 店员 工人 学生 学徒 船夫 \
    车夫 马夫 渔夫 樵夫 捕快 衙役 书生 和尚 道士 尼姑 侍卫 护卫 丫鬟 管家 伙计 \
    小二 门房 记者 律师 会计 秘书 主管 助理 同事 邻居 房东 租客 乘客 旅客 摊主 \
    摊贩 货郎 铁匠 木匠 裁缝 厨子 厨师 郎中 账房 弟子 长工 老头 老太太 老汉 志愿者";

/// Surnames that are ordinary words far more often.
pub(super) static WEAK_SURNAMES: CharSet = CharSet::of("于时全东双通从空曾归相和容向乐公应文方白高金明");

/// Characters beside the function characters with which no name begins or ends.
pub(super) static NO_NAME: CharSet = CharSet::of(
    "我你他她它会能上里便即将要遂乃则且此何吾汝谁可已亦忽听见说问笑看想无再先后前下去来到出入进起回当时今日同叫请教令让使大自暗等",
);
/// First characters of familiar names.
pub(super) static FAMILIAR: CharSet = CharSet::of("老小阿");

/// Words for people in general.
pub(super) const ANYBODY: [&str; 41] = [
    "众人",
    "大家",
    "别人",
    "人家",
    "有人",
    "来人",
    "那人",
    "男人",
    "女人",
    "老人",
    "少年",
    "青年",
    "孩子",
    "姑娘",
    "丫头",
    "婆子",
    "奶奶",
    "太太",
    "老爷",
    "先生",
    "师父",
    "徒弟",
    "对方",
    "本帅",
    "元帅",
    "王爷",
    "童子",
    "小军",
    "老尼",
    "老祖",
    "失主",
    "店家",
    "客人",
    "房东",
    "邻居",
    "二人",
    "姐姐",
    "妹妹",
    "老婆子",
    "小丫头",
    "女孩儿",
];

/// A line per first character, sorted by that character.
static LINES: LazyLock<Vec<&'static str>> = LazyLock::new(|| {
    let lines = include_str!("common_words.txt").lines();
    lines.filter(|line| line.chars().next().is_some_and(is_han)).collect()
});

/// True for one of the 37,000 common words of two characters; words that are mostly names of people are not listed.
pub(crate) fn is_common_word(first: char, second: char) -> bool {
    let at = LINES.binary_search_by_key(&Some(first), |line| line.chars().next());
    at.is_ok_and(|at| LINES[at].chars().skip(1).any(|c| c == second))
}

pub(crate) fn is_common(text: &str) -> bool {
    let mut chars = text.chars();
    match (chars.next(), chars.next(), chars.next()) {
        (Some(first), Some(second), None) => is_common_word(first, second),
        _ => false,
    }
}

#[cfg(test)]
mod name_words_tests {
    use super::*;

    #[test]
    fn words_are_told_from_names() {
        for word in ["光明", "今天", "一个", "做作", "冬天"] {
            assert!(is_common(word), "{word}");
        }
        for name in ["林枫", "黛玉", "明", "光明正", "ab", ""] {
            assert!(!is_common(name), "{name}");
        }
        assert!(LINES.windows(2).all(|two| two[0].chars().next() < two[1].chars().next()));
    }
}

/// A name, and the one that takes its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replacement {
    pub was: String,
    pub is: String,
    /// False for an alias, which has no surname to be dropped.
    pub is_full: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OldName<'r> {
    pub range: Range<usize>,
    /// The name that takes its place; `None` where the text may mean something else.
    pub to: Option<&'r str>,
}

/// The names that change, among all those of the book.
#[derive(Debug, Clone)]
pub struct Renaming {
    index: NameIndex,
    /// The new form of each old one; `None` for one that others have too.
    to: BTreeMap<String, Option<String>>,
    /// The old forms that are given names without their surnames.
    given: Option<String>,
}

impl Renaming {
    /// The person has the `id` and, from now on, the names `person`; `others` are all the other names of the book.
    pub fn new(person: NamedEntity, others: &[NamedEntity], names: &[Replacement]) -> Self {
        let id = person.id.clone();
        let old = names.iter().map(|name| NamedEntity {
            id: id.clone(),
            name: name.was.clone(),
            aliases: Vec::new(),
            is_person: name.is_full,
        });
        let index = NameIndex::new(&old.chain([person.clone()]).chain(others.iter().cloned()).collect::<Vec<_>>());
        let only_own = |form: &str| index.owners(form) == [id.as_str()];
        let mut to: BTreeMap<String, Option<String>> = BTreeMap::new();
        let mut given = None;
        for name in names {
            let form = name.was.trim();
            to.insert(form.to_owned(), only_own(form).then(|| name.is.clone()));
            let Some(own) = given_name(form).filter(|own| name.is_full && only_own(own)) else { continue };
            let is = given_name(&name.is).unwrap_or(&name.is);
            if is != own && !person.aliases.iter().any(|alias| alias == own) {
                to.entry(own.to_owned()).or_insert_with(|| Some(is.to_owned()));
                given = Some(own.to_owned());
            }
        }
        Self { index, to, given }
    }

    pub fn find(&self, text: &str) -> Vec<OldName<'_>> {
        let mut found = Vec::new();
        for mention in self.index.mentions(text) {
            let Some(to) = self.to.get(&mention.form) else { continue };
            if mention.form.chars().nth(1).is_none() && text.trim() != mention.form {
                continue;
            }
            let around = (text[..mention.range.start].chars().next_back(), text[mention.range.end..].chars().next());
            if is_within_word(&mention.form, around) {
                continue;
            }
            let is_sure = !self.may_be_other(&mention.form, around)
                && !self.may_be_word_and_name(&mention.form, &text[..mention.range.start]);
            found.push(OldName { range: mention.range, to: to.as_deref().filter(|_| is_sure) });
        }
        found
    }

    /// The text with the new names.
    pub fn apply(&self, text: &str) -> String {
        let (mut out, mut done) = (String::with_capacity(text.len()), 0);
        for OldName { range, to } in self.find(text) {
            let Some(to) = to else { continue };
            out.push_str(&text[done..range.start]);
            out.push_str(to);
            done = range.end;
        }
        out + &text[done..]
    }

    /// The longer names of the book that hold an old one and keep it.
    pub fn longer(&self) -> impl Iterator<Item = &str> {
        let olds = || self.to.keys().filter(|old| old.chars().nth(1).is_some());
        let holds = move |form: &&str| olds().any(|old| form.len() > old.len() && form.contains(old.as_str()));
        self.index.forms().filter(move |form| holds(form) && !self.to.contains_key(*form))
    }

    /// True when the ends of a form make words with the characters around it: both ends of a name, one end of a given name.
    fn may_be_other(&self, form: &str, (before, after): (Option<char>, Option<char>)) -> bool {
        let mut letters = form.chars();
        let (Some(first), Some(last), None) = (letters.next(), letters.next(), letters.next()) else { return false };
        let begins = before.is_some_and(|before| is_common_word(before, first));
        let ends = after.is_some_and(|after| is_common_word(last, after));
        if self.given.as_deref() == Some(form) { begins || ends } else { begins && ends }
    }

    /// True when the surname ends a word and the rest is a name of the person too: 听闻小满. In 看见闻小满 the word before is whole.
    fn may_be_word_and_name(&self, form: &str, before: &str) -> bool {
        let mut before = before.chars().rev();
        let (Some(surname), Some(last)) = (form.chars().next(), before.next()) else { return false };
        let ends_word = before.next().is_some_and(|earlier| is_common_word(earlier, last));
        let rest = &form[surname.len_utf8()..];
        let is_own = || self.to.contains_key(rest) || !self.index.owners(rest).is_empty();
        is_common_word(last, surname) && !ends_word && rest.chars().nth(1).is_some() && is_own()
    }
}

/// True when letters of an alphabet go on before or after the form.
fn is_within_word(form: &str, (before, after): (Option<char>, Option<char>)) -> bool {
    let is_letter = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() && c.is_ascii());
    is_letter(before) && is_letter(form.chars().next()) || is_letter(after) && is_letter(form.chars().next_back())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn person(id: &str, name: &str, aliases: &[&str]) -> NamedEntity {
        NamedEntity {
            id: id.into(),
            name: name.into(),
            aliases: aliases.iter().map(|a| (*a).to_owned()).collect(),
            is_person: true,
        }
    }

    fn counts(registry: &[NamedEntity], text: &str) -> Vec<(String, usize)> {
        let mut counts = BTreeMap::new();
        for mention in NameIndex::new(registry).mentions(text) {
            if let [id] = mention.ids.as_slice() {
                *counts.entry(id.clone()).or_default() += 1;
            }
        }
        counts.into_iter().collect()
    }

    #[test]
    fn aliases_and_given_names_are_mentions() {
        let registry = [person("lin", "林黛玉", &["颦儿"]), person("jia", "贾宝玉", &["宝二爷"])];
        let text = "林黛玉来了。黛玉笑道：“宝玉，颦儿不恼。”宝二爷不语。";
        assert_eq!(counts(&registry, text), [("jia".to_owned(), 2), ("lin".to_owned(), 3)]);
        let first = &NameIndex::new(&registry).mentions(text)[0];
        assert_eq!((first.form.as_str(), &text[first.range.clone()]), ("林黛玉", "林黛玉"));
    }

    #[test]
    fn a_surname_is_dropped_only_where_it_is_one() {
        assert_eq!(given_name("诸葛亮"), None);
        assert_eq!(given_name("欧阳明日"), Some("明日"));
        assert_eq!(given_name("林冲"), None);
        assert_eq!(given_name("小石头"), None);
        assert_eq!(given_name("艾Alice"), None);
    }

    #[test]
    fn doubtful_given_names_are_left_out() {
        let registry = [person("a", "王伟明", &[]), person("b", "李伟明", &[]), person("c", "孙光明", &[])];
        assert_eq!(counts(&registry, "伟明说前途光明。"), []);
        let place = NamedEntity { is_person: false, ..person("m", "云梦山", &[]) };
        assert_eq!(counts(&[place], "梦山在云梦山北。"), [("m".to_owned(), 1)]);
    }

    #[test]
    fn a_registered_form_wins_over_a_derived_one_and_shared_forms_accuse_nobody() {
        let registry = [person("a", "赵青云", &["师父"]), person("b", "青云", &[]), person("c", "钱通", &["师父"])];
        assert_eq!(counts(&registry, "青云拜见师父。"), [("b".to_owned(), 1)]);
        let both = &NameIndex::new(&registry).mentions("师父")[0];
        assert_eq!(both.ids, ["a", "c"]);
    }

    #[test]
    fn the_longest_form_counts() {
        let registry = [person("a", "赵云", &[]), person("b", "赵云龙", &[])];
        assert_eq!(counts(&registry, "赵云龙见赵云。"), [("a".to_owned(), 1), ("b".to_owned(), 1)]);
        assert_eq!(counts(&[], "赵云"), []);
    }

    #[test]
    fn lists_hold_each_entry_once() {
        let surnames: BTreeSet<char> = SURNAME_LIST.chars().collect();
        assert_eq!(surnames.len(), SURNAME_LIST.chars().count());
    }

    fn named(id: &str, name: &str, aliases: &[&str]) -> NamedEntity {
        let aliases = aliases.iter().map(|alias| (*alias).to_owned()).collect();
        NamedEntity { id: id.into(), name: name.into(), aliases, is_person: true }
    }

    fn full(was: &str, is: &str) -> Replacement {
        Replacement { was: was.into(), is: is.into(), is_full: true }
    }

    #[test]
    fn names_are_replaced_whole_and_longer_names_are_not_cut() {
        let others = [named("b", "赵云龙", &["小赵云"]), named("c", "钱通", &["赵云他舅"])];
        let renaming = Renaming::new(named("a", "李雷", &["子龙", "赵云爷"]), &others, &[full("赵云", "李雷")]);
        for (text, new) in [
            ("赵云见赵云龙。", "李雷见赵云龙。"),
            ("小赵云和赵云爷，赵云他舅，子龙。", "小赵云和赵云爷，赵云他舅，子龙。"),
            ("李雷、赵云、李雷。", "李雷、李雷、李雷。"),
            ("赵云云云", "李雷云云"),
            ("", ""),
        ] {
            assert_eq!(renaming.apply(text), new);
            assert_eq!(renaming.apply(new), new, "a second time changes nothing");
        }
        assert_eq!(renaming.longer().collect::<Vec<_>>(), ["小赵云", "赵云他舅", "赵云爷", "赵云龙"]);
    }

    #[test]
    fn a_given_name_follows_and_a_new_name_may_hold_the_old_one() {
        let apply =
            |person: NamedEntity, names: &[Replacement], text: &str| Renaming::new(person, &[], names).apply(text);
        let new = [full("闻小满", "闻大暑")];
        assert_eq!(apply(named("a", "闻大暑", &[]), &new, "闻小满笑了，小满走了。"), "闻大暑笑了，大暑走了。");
        assert_eq!(apply(named("a", "闻大暑", &[]), &new, "一点小满足。"), "一点小满足。", "满足 is a word");
        let alias = Replacement { was: "小满".into(), is: "阿暑".into(), is_full: false };
        let kept = named("a", "闻大暑", &["小满"]);
        assert_eq!(apply(kept, &new, "闻小满，小满。"), "闻大暑，小满。", "an alias stays");
        let names = [new[0].clone(), alias];
        assert_eq!(apply(named("a", "闻大暑", &["阿暑"]), &names, "闻小满，小满。"), "闻大暑，阿暑。");
        let longer = [full("闻满", "闻满儿")];
        assert_eq!(apply(named("a", "闻满儿", &[]), &longer, "闻满见闻满儿。"), "闻满儿见闻满儿。");
        assert_eq!(apply(named("a", "文小满", &[]), &[full("闻小满", "文小满")], "小满，闻小满"), "小满，文小满");
    }

    #[test]
    fn a_word_before_a_given_name_is_no_surname() {
        let renaming = Renaming::new(named("a", "闻小雨", &["小满"]), &[], &[full("闻小满", "闻小雨")]);
        for (text, new) in [
            ("他听闻小满那天来过。", "他听闻小满那天来过。"),
            ("他看见闻小满，听见闻小满说。", "他看见闻小雨，听见闻小雨说。"),
            ("闻小满闻小满。", "闻小雨闻小雨。"),
        ] {
            assert_eq!(renaming.apply(text), new);
        }
        assert_eq!(renaming.find("他听闻小满那天来过。")[0].to, None, "told as a doubt");
    }

    #[test]
    fn words_and_names_that_others_share_stay_and_are_told() {
        let renaming = Renaming::new(named("a", "柳枫", &[]), &[], &[full("林枫", "柳枫")]);
        assert_eq!(renaming.apply("山林枫叶红了，林枫叶落。"), "山林枫叶红了，柳枫叶落。");
        assert_eq!(renaming.find("山林枫叶红了").iter().map(|old| old.to).collect::<Vec<_>>(), [None]);
        let shared = Renaming::new(named("a", "柳枫", &[]), &[named("b", "钱通", &["林枫"])], &[full("林枫", "柳枫")]);
        assert_eq!(shared.apply("林枫来了。"), "林枫来了。");
        assert_eq!(shared.find("林枫来了。").len(), 1);
        let short = Renaming::new(named("a", "葛望潮", &[]), &[], &[full("葛", "葛望潮")]);
        assert_eq!(short.apply("葛藤，葛。"), "葛藤，葛。");
        assert_eq!(short.apply(" 葛\n"), " 葛望潮\n");
        assert_eq!(short.longer().count(), 0);
        let latin = Renaming::new(named("a", "Rue", &[]), &[], &[full("Lin", "Rue")]);
        assert_eq!(latin.apply("Lin met Linda; Lin's tea, 叫Lin的。"), "Rue met Linda; Rue's tea, 叫Rue的。");
    }
}
