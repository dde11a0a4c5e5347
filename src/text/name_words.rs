//! The words around names: acts, titles, words before and behind names, and words that are no name.

use super::chars::is_han;
use crate::text::chars::CharSet;
use std::sync::LazyLock;

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
mod tests {
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
