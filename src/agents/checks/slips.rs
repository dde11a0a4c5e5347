//! Slips in an otherwise good chapter: words of the prompt, a used title, other quotation marks, and a gap to the last
//! chapter of the storyline.

use crate::agents::checks::sources::Sources;
use crate::agents::prelude::*;
use crate::text;

/// Words about the task from prompts and models, which no narrator uses.
const OF_PROMPT: [&str; 38] = [
    "章纲",
    "卷纲",
    "本章目标",
    "章节目标",
    "章节契约",
    "创作纲领",
    "故事线规范",
    "伏笔任务",
    "伏笔台账",
    "忌用语",
    "状态提示",
    "写手提示",
    "近章摘要",
    "章前状态",
    "冻结线",
    "相邻线",
    "活跃线",
    "人物档案与契约",
    "作为AI语言模型",
    "作为一个AI语言模型",
    "作为一个语言模型",
    "作为人工智能助手",
    "根据您的要求",
    "按照您的要求",
    "根据你的要求",
    "按照大纲",
    "根据大纲",
    "大纲要求",
    "字数要求",
    "目标字数",
    "字数控制在",
    "以下是正文",
    "正文如下",
    "续写如下",
    "（此处省略",
    "(此处省略",
    "【此处",
    "[此处",
];

/// The first words of the prompt in a text, outside speech, with their sentence: a name of a part of the prompt, an id
/// in underscores, a placeholder, a tag.
pub(crate) fn prompt_words(body: &str) -> Option<(String, String)> {
    let quotes = text::quotes(body);
    let is_spoken = |at: usize| quotes.iter().any(|quote| quote.range.contains(&at));
    let words = OF_PROMPT.iter().flat_map(|words| body.match_indices(words));
    let first =
        words.chain(ids(body)).chain(tags(body)).chain(rule_ids(body)).filter(|(at, _)| !is_spoken(*at)).min()?;
    let sentence = text::sentences(body).into_iter().rfind(|sentence| sentence.start <= first.0)?;
    Some((first.1.to_owned(), sentence.text().to_owned()))
}

/// Words of Latin letters with underscores: `seventh_day_deal`, `{previous_ending}`.
fn ids(body: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_part = |c: char| c.is_ascii_lowercase() || c == '_';
    body.split(move |c| !is_part(c)).filter_map(move |word| {
        let is_id = word.trim_matches('_').contains('_') && word.chars().filter(char::is_ascii_lowercase).count() > 3;
        is_id.then(|| (word.as_ptr() as usize - body.as_ptr() as usize, word))
    })
}

/// Ids of rules and objectives: `W-001`, `C-LUO-001`, `OBJ-004-1`.
fn rule_ids(body: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_part = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '-';
    body.split(move |c| !is_part(c)).filter_map(move |word| {
        let (kind, rest) = word.split_once('-')?;
        let number = rest.rsplit('-').find(|part| part.len() == 3)?;
        let is_id = ["W", "C", "OBJ"].contains(&kind) && number.bytes().all(|byte| byte.is_ascii_digit());
        is_id.then(|| (word.as_ptr() as usize - body.as_ptr() as usize, word))
    })
}

/// Closing tags: `</章纲>`.
fn tags(body: &str) -> impl Iterator<Item = (usize, &str)> {
    body.match_indices("</").filter_map(|(at, _)| {
        let end = body[at..].find('>')?;
        let name = &body[at + 2..at + end];
        let is_name = !name.is_empty() && name.chars().all(char::is_alphanumeric) && name.chars().count() <= 12;
        is_name.then(|| (at, &body[at..=at + end]))
    })
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TakenTitle {
    pub(crate) title: String,
    /// The chapter with the title already.
    pub(crate) like: ChapterNo,
}

/// Gives a chapter the title that the author has approved with the plan. Returns the title when it is that of an earlier
/// chapter, or nearly.
pub(crate) fn settle_title(chapter: &mut Chapter, planned: &str, sources: &Sources) -> Option<TakenTitle> {
    if !planned.trim().is_empty() {
        chapter.title = planned.trim().to_owned();
    }
    let (like, _) = sources.titles.like(chapter.number, &chapter.title)?;
    Some(TakenTitle { title: chapter.title.clone(), like })
}

pub(crate) fn name_people(body: &mut String, sources: &Sources) {
    for (id, name) in sources.people.iter().filter(|(id, _)| id.contains('-')) {
        *body = body.replace(id, name);
    }
}

/// Changes quotation marks of speech into the book's. Returns the number of changed spans.
pub(crate) fn requote(body: &mut String, sources: &Sources) -> Option<usize> {
    let (text, spans) = text::in_one_quote_style(body, sources.quote_style)?;
    *body = text;
    Some(spans)
}

/// Characters at the beginning of a chapter that are compared with the end before.
const OPENING: usize = 200;
/// Letters of a sentence that does not recur by chance.
const TELLING: usize = 8;
/// Times of the day in their order.
const TIMES: [(&str, u8); 19] = [
    ("清晨", 1),
    ("黎明", 1),
    ("拂晓", 1),
    ("早上", 2),
    ("早晨", 2),
    ("上午", 2),
    ("正午", 3),
    ("中午", 3),
    ("晌午", 3),
    ("午后", 4),
    ("下午", 4),
    ("傍晚", 5),
    ("黄昏", 5),
    ("日落", 5),
    ("入夜", 6),
    ("晚上", 6),
    ("夜里", 6),
    ("深夜", 7),
    ("半夜", 7),
];
/// A morning after a night needs no words.
const EVENING: u8 = 5;
const MORNING: u8 = 2;
/// Words for the passage of time.
const TIME_PASSES: [&str; 26] = [
    "第二天",
    "次日",
    "翌日",
    "隔天",
    "隔日",
    "天后",
    "日后",
    "月后",
    "年后",
    "周后",
    "后来",
    "那天",
    "那日",
    "当天",
    "之前",
    "此前",
    "先前",
    "前一",
    "昨",
    "想起",
    "记得",
    "回忆",
    "过了",
    "又是",
    "这一天",
    "月",
];

/// Lines for the judge about places where the beginning of a chapter does not follow from the last lines of its
/// storyline.
pub fn seam_doubts(previous_ending: &str, body: &str) -> Vec<String> {
    let opening: String = text::paragraphs(body).iter().map(|p| format!("{}\n", p.text)).collect();
    let opening: String = opening.chars().take(OPENING).collect();
    let letters = |text: &str| text.chars().filter(|c| c.is_alphanumeric()).collect::<String>();
    let told: Vec<String> = text::prose_sentences(previous_ending).iter().map(|s| letters(s.raw)).collect();
    let again = text::prose_sentences(&opening).into_iter().find(|sentence| {
        let own = letters(sentence.raw);
        own.chars().count() >= TELLING && told.contains(&own)
    });
    let again = again.map(|s| format!("开头“{}”是本线上一次结尾写过的原话", s.text()));
    let backwards = time_of(previous_ending, true).zip(time_of(&opening, false)).filter(|(was, is)| {
        let is_next_morning = was.1 >= EVENING && is.1 <= MORNING;
        is.1 < was.1 && !is_next_morning && !TIME_PASSES.iter().any(|words| up_to(&opening, is.0).contains(words))
    });
    let backwards =
        backwards.map(|((was, _), (is, _))| format!("本线上一次停在“{was}”，这一章从“{is}”写起，没有交代过了多久"));
    again.into_iter().chain(backwards).map(|doubt| format!("接缝：{doubt}")).collect()
}

fn up_to<'t>(text: &'t str, word: &str) -> &'t str {
    let at = text.find(word).unwrap_or(text.len());
    let end = text[at..].find(['。', '！', '？', '\n']).map_or(text.len(), |end| at + end);
    &text[..end]
}

/// The last or the first time of day in a text, outside speech.
fn time_of(text: &str, is_last: bool) -> Option<(&'static str, u8)> {
    let quotes = text::quotes(text);
    let is_told = |at: usize| !quotes.iter().any(|quote| quote.range.contains(&at));
    let found = TIMES.iter().flat_map(|(word, time)| text.match_indices(word).map(move |(at, _)| (at, (*word, *time))));
    let found = found.filter(|(at, _)| is_told(*at));
    let found = if is_last { found.max_by_key(|(at, _)| *at) } else { found.min_by_key(|(at, _)| *at) };
    found.map(|(_, time)| time)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::QuoteStyle;

    #[test]
    fn words_of_the_prompt_are_told_from_the_story() {
        for (body, words) in [
            ("雨停了。按照大纲，他要出城。他收起信。", "按照大纲"),
            ("他推进了 seventh_day_deal 这件事。", "seventh_day_deal"),
            ("雨停了。</章纲>他走了。", "</章纲>"),
            ("雨停了。（此处省略三百字）", "（此处省略"),
            ("雨停了。OBJ-004-1 已完成。", "OBJ-004-1"),
            ("他想起了C-LUO-001，没有作声。", "C-LUO-001"),
        ] {
            assert_eq!(prompt_words(body).unwrap().0, words, "{body}");
        }
        assert_eq!(prompt_words("雨停了。按照大纲，他要出城。他收起信。").unwrap().1, "按照大纲，他要出城。");
        for own in ["编辑说：“按照大纲来。”", "他写了 wi-fi 密码。", "a_b", "箭头</", "雨停了。"]
        {
            assert_eq!(prompt_words(own), None, "{own}");
        }
    }

    #[test]
    fn the_planned_title_stays_and_one_that_is_taken_is_told() {
        let chapter = |n: u32| ChapterNo::new(n).unwrap();
        let sources = Sources::default().titled(chapter(1), "夜探北门");
        let of = |title: &str, planned: &str| {
            let mut own = Chapter::from_markdown(chapter(2), &format!("# 第2章 {title}\n\n雨停了。"), planned);
            let found = settle_title(&mut own, planned, &sources);
            (own.title, found.map(|found| found.like))
        };
        assert_eq!(of("夜闯北门", "雨中的信"), ("雨中的信".to_owned(), None));
        assert_eq!(of("雨中的信", "夜探北门"), ("夜探北门".to_owned(), Some(chapter(1))));
        assert_eq!(of("雨中的信", ""), ("雨中的信".to_owned(), None));
        assert_eq!(of("夜闯北门", " "), ("夜闯北门".to_owned(), Some(chapter(1))));
    }

    #[test]
    fn marks_of_another_style_are_put_into_the_books() {
        let sources = Sources::default().quoted(Some(QuoteStyle::CurlyDouble));
        let mut body = "「甲。」\n\n「乙。」\n\n「丙『丁』。」\n".to_owned();
        assert_eq!(requote(&mut body, &sources), Some(3));
        assert_eq!(body, "“甲。”\n\n“乙。”\n\n“丙‘丁’。”\n");
        assert_eq!(requote(&mut body, &sources), None);
    }

    #[test]
    fn a_seam_that_repeats_or_goes_back_is_told() {
        let ending = "深夜，雨停了。守门人把信折好塞回他手里。";
        let told = |body: &str| seam_doubts(ending, body).len();
        assert_eq!(told("他站了一会儿。守门人把信折好，塞回他手里。他走了。"), 1);
        assert_eq!(told("下午，林枫坐在茶馆里。"), 1);
        for body in ["第二天下午，林枫坐在茶馆里。", "清晨，林枫醒了。", "“下午来。”他说。", "林枫出了城。", ""]
        {
            assert_eq!(told(body), 0, "{body}");
        }
        assert_eq!(seam_doubts("", "下午，林枫坐在茶馆里。"), Vec::<String>::new());
    }
}
