//! A model's talk before and after a text, and its end marks.

use crate::agents::context::chars;
use crate::domain::volume::outline::Field;
use crate::text::is_han;

/// The most characters after an end mark that are cut.
const AFTER_MARK: usize = 400;
/// Lines from the end in which an end mark is looked for.
const TAIL: usize = 14;
const LONGEST_LINE: usize = 120;

/// The reply up to the first mark of a chat template behind some text; marks before the text are left out. A model that
/// does not stop there invents the next turns of the conversation.
pub(crate) fn without_template(reply: &str) -> &str {
    // A reply of several channels is thinking up to its last one.
    let mut rest = reply.rsplit_once(FINAL).map_or(reply, |(_, rest)| rest);
    while let Some((start, end)) = template_mark(rest) {
        let before = rest[..start].trim();
        if !before.is_empty() && !TURNS.contains(&before) {
            return rest[..start].trim_end();
        }
        rest = &rest[end..];
    }
    let turns = ["\nUser:", "\nHuman:", "\nAssistant:"];
    let next = turns.iter().filter_map(|turn| rest.find(turn)).min();
    // A pair of turns is a conversation; one alone may be the story's.
    let is_pair = turns.iter().filter(|turn| rest.contains(**turn)).count() > 1;
    let whole = next.filter(|_| is_pair).map_or(rest, |at| rest[..at].trim_end());
    // A mark that the output's end has cut.
    let open = whole.rfind("<|").filter(|at| whole[at + 2..].chars().all(|c| c.is_ascii_lowercase() || c == '_'));
    open.map_or(whole, |at| whole[..at].trim_end())
}

/// The mark before the answer in a reply of several channels.
const FINAL: &str = "<|channel|>final<|message|>";
/// The words between marks that begin a turn.
const TURNS: [&str; 6] = ["assistant", "final", "analysis", "commentary", "user", "system"];

/// Names in the marks of chat templates, in their brackets: `<|im_end|>`, `</s>`, `<end_of_turn>`, `[/INST]`.
const TEMPLATE: [&str; 8] = ["s", "/s", "start_of_turn", "end_of_turn", "eos", "/INST", "INST", "endoftext"];

/// The bytes of the first mark of a chat template.
fn template_mark(text: &str) -> Option<(usize, usize)> {
    text.char_indices().filter(|(_, c)| "<[".contains(*c)).find_map(|(at, open)| {
        let close = if open == '<' { '>' } else { ']' };
        let inner = &text[at + 1..];
        let inner = &inner[..inner.find(close)?];
        let is_barred = ['|', '｜'].iter().any(|bar| {
            let name = inner.strip_prefix(*bar).and_then(|name| name.strip_suffix(*bar));
            name.is_some_and(|name| {
                chars(name) < 32 && name.chars().all(|c| c.is_ascii_alphanumeric() || "_▁-".contains(c))
            })
        });
        (is_barred || TEMPLATE.contains(&inner)).then_some((at, at + 1 + inner.len() + 1))
    })
}

/// Cuts talk and end marks off the end. Returns the lines of talk, without end marks, rules and word counts.
pub(crate) fn cut_end(lines: &mut Vec<&str>) -> Vec<String> {
    let mut cut = cut_behind_mark(lines);
    while let Some(last) = lines.last() {
        let before = lines[..lines.len() - 1].iter().rfind(|line| !line.trim().is_empty());
        // A note that the story leads up to stands on a paper in the story.
        let is_quoted = before.is_some_and(|line| line.trim_end().ends_with(['：', ':']));
        if is_closing_talk(last, before.is_some_and(|line| line.contains(is_han))) && !is_quoted {
            cut.push(last.trim().to_owned());
        } else if !(is_rule(last) || is_mark(last) || is_count(last)) {
            break;
        }
        lines.pop();
    }
    cut
}

/// Cuts a greeting and a line with the plan's fields off the beginning of a text, before or behind its heading, and
/// returns them.
pub(crate) fn cut_beginning(lines: &mut Vec<&str>, is_heading: impl Fn(&str) -> bool) -> Vec<String> {
    let (mut cut, mut from) = (Vec::new(), 0);
    while let Some(told) = lines[from..].iter().position(|line| !line.trim().is_empty()) {
        let (at, line) = (from + told, lines[from + told]);
        if is_opening_talk(line) || tells_fields(line) {
            cut.push(line.trim().to_owned());
            let rules = lines[at + 1..].iter().take_while(|line| is_rule(line)).count();
            lines.drain(at..=at + rules);
        } else if from == 0 && is_heading(line) {
            from = at + 1;
        } else {
            break;
        }
    }
    cut
}

/// True for a line of the plan's fields in brackets: `【视角：闻小满｜地点：渡口】`.
fn tells_fields(line: &str) -> bool {
    let is_known = |part: &str| {
        let fields = [Field::Pov, Field::Storyline, Field::Location, Field::Conflict, Field::Arc];
        part.contains(['：', ':']) && fields.iter().any(|field| part.trim().starts_with(field.as_str()))
    };
    let inner = line.trim().strip_prefix(['【', '[', '（']).and_then(|line| line.strip_suffix(['】', ']', '）']));
    inner.is_some_and(|inner| {
        let begins = [Field::Pov, Field::Storyline].iter().any(|field| inner.starts_with(field.as_str()));
        begins && inner.split(['｜', '|', '；', '，', ' ']).any(is_known)
    })
}

/// Takes lines out of the story in which a model speaks to the author or ticks off the plan, and returns them:
/// `【作者注：与第三章呼应】`, `（此处推进 yellow_boot）`, `注：此处为过渡。`
pub(crate) fn cut_notes_within(lines: &mut Vec<&str>) -> Vec<String> {
    let speaks = |inner: &str| {
        ["作者注", "作者按", "创作说明", "写作说明", "写作提示"].iter().any(|note| inner.starts_with(note))
    };
    let is_note = |line: &str| {
        let inner = line.trim().strip_prefix(['【', '[', '（', '(']);
        inner.and_then(|line| line.strip_suffix(['】', ']', '）', ')'])).is_some_and(|inner| {
            !has_speech(inner) && chars(inner) <= LONGEST_LINE && (speaks(inner) || ticks_off(inner))
        })
    };
    let (mut notes, mut before) = (Vec::new(), "");
    lines.retain(|line| {
        let is_quoted = before.ends_with(['：', ':']);
        // `C-130 已降落。` may be the story's.
        let is_of_plan = |words: &str| words.starts_with("OBJ-") || words.contains('_');
        let ticks = || is_of_plan(bare(line)) && ticks_off(bare(line)) && !has_speech(line);
        let speaks_up =
            is_note(line) || !is_quoted && (ticks() || is_marked(bare(line)) && is_closing_talk(line, true));
        notes.extend(speaks_up.then(|| line.trim().to_owned()));
        before = if line.trim().is_empty() { before } else { line.trim() };
        !speaks_up
    });
    if !notes.is_empty() {
        lines.dedup_by(|line, before| line.trim().is_empty() && before.trim().is_empty());
    }
    notes
}

/// True for words that name an id of the plan and what has become of the plan: `W-001 已遵守`, `伏笔 yellow_boot 已推进`.
fn ticks_off(words: &str) -> bool {
    let is_of_id = |c: char| c.is_ascii_alphanumeric() || "-_".contains(c);
    let is_id = |word: &str| {
        let word = word.to_lowercase();
        let has_number =
            word.rsplit('-').next().is_some_and(|last| !last.is_empty() && last.chars().all(|c| c.is_ascii_digit()));
        let is_rule = ["w-", "c-", "ls-", "obj-"].iter().any(|kind| word.starts_with(kind)) && has_number;
        is_rule
            || word.contains('_') && word.chars().all(is_of_id) && word.starts_with(|c: char| c.is_ascii_lowercase())
    };
    let names_one = words.split(|c| !is_of_id(c)).any(is_id);
    names_one && ["已", "均", "此处", "推进", "完成", "遵守", "埋下", "回收"].iter().any(|word| words.contains(word))
}

/// Puts scene breaks in place of headings of scenes in bold, in brackets or with `#`, and returns these headings.
pub(crate) fn break_at_scene_headings(lines: &mut [&str]) -> Vec<String> {
    let is_heading = |line: &str| line.starts_with(['*', '【', '[', '#']) && parts_scenes(line) && line.contains('场');
    let headings = lines.iter_mut().filter(|line| is_heading(line.trim()));
    headings.map(|line| std::mem::replace(line, "***").trim().to_owned()).collect()
}

const LONGEST_NAME: usize = 15;

/// True for lines that separate scenes: `## 第二场`, `**场景三：渡口**`, `【第四场】`, `第一场 渡口`, `* * *`. A line that ends like a
/// sentence belongs to the story: `第一场：林枫对王虎。`
pub(crate) fn parts_scenes(line: &str) -> bool {
    if line.is_empty() {
        return false;
    }
    let bare = line.trim_matches(|c: char| "#*【】[]（）()_-—~ 　".contains(c));
    let numeral = |c: char| c.is_ascii_digit() || "一二三四五六七八九十".contains(c);
    let numbered = |text: &str| {
        let digits = text.trim_start();
        let rest = digits.trim_start_matches(numeral);
        (rest.len() < digits.len()).then(|| rest.to_owned())
    };
    let ends = |rest: &str| {
        let name = rest.trim_start_matches([' ', '　', ':', '：', '·', '、']);
        let is_apart = rest.is_empty() || name.len() < rest.len();
        is_apart
            && chars(name) <= LONGEST_NAME
            && !name.contains(['。', '！', '？', '…', '；', '!', '?', ';', '”', '」'])
    };
    let named = bare.strip_prefix('第').and_then(numbered).and_then(|rest| rest.strip_prefix('场').map(str::to_owned));
    let named = named.or_else(|| bare.strip_prefix("场景").or_else(|| bare.strip_prefix("场次")).and_then(numbered));
    bare.is_empty() || named.is_some_and(|rest| ends(&rest))
}

/// Cuts the text at an end mark near its end, in a line of its own or in brackets behind the last sentence. Returns the lines behind it.
fn cut_behind_mark(lines: &mut Vec<&str>) -> Vec<String> {
    let from = lines.len().saturating_sub(TAIL);
    let found = (from..lines.len()).find_map(|at| {
        let within = bracketed_mark(lines[at]);
        let whole = is_mark(lines[at]) || opens_notes(lines[at]);
        within.or_else(|| whole.then_some((0, lines[at].len()))).map(|span| (at, span))
    });
    let Some((at, (start, end))) = found else { return Vec::new() };
    let behind = std::iter::once(&lines[at][end..]).chain(lines[at + 1..].iter().copied());
    let behind: Vec<String> = behind.map(|line| line.trim().to_owned()).filter(|line| !line.is_empty()).collect();
    let is_before = lines[..at].iter().any(|line| !line.trim().is_empty()) || !lines[at][..start].trim().is_empty();
    if behind.iter().map(|line| chars(line)).sum::<usize>() > AFTER_MARK || !is_before {
        return Vec::new();
    }
    lines.truncate(at + 1);
    lines[at] = lines[at][..start].trim_end();
    behind
}

/// The bytes of an end mark in brackets, brackets included.
fn bracketed_mark(line: &str) -> Option<(usize, usize)> {
    line.char_indices().filter(|(_, c)| "（(【[〔".contains(*c)).find_map(|(at, c)| {
        let inner = &line[at + c.len_utf8()..];
        let end = inner.find(['）', ')', '】', ']', '〕'])?;
        let close = inner[end..].chars().next()?.len_utf8();
        // `（本章完，字数2031，下一章预告……）`
        let first = inner[..end].split(['，', ',', '。', '；', '：', ' ']).next().unwrap_or_default();
        (names_end(first) || names_end(&inner[..end])).then_some((at, at + c.len_utf8() + end + close))
    })
}

fn is_mark(line: &str) -> bool {
    names_end(line.trim().trim_matches(|c: char| "（）()【】[]〔〕*_—-~～=·。.… 　".contains(c)))
}

/// True for a heading over a model's notes on its own text.
fn opens_notes(line: &str) -> bool {
    let words = bare(line).trim_end_matches(['：', ':', '*']);
    ["自检", "自查", "自评", "作者有话说", "作者的话"].contains(&words)
        || ["本章", "章节", "情节", "剧情", "写作", "创作"]
            .iter()
            .any(|of| words.strip_prefix(of).is_some_and(|rest| NOTES_ON_TEXT.contains(&rest)))
}

const NOTES_ON_TEXT: [&str; 11] =
    ["要点", "总结", "小结", "亮点", "概要", "摘要", "说明", "看点", "思路", "备注", "目标完成情况"];

/// True for words that only announce the end of a chapter or a book.
fn names_end(words: &str) -> bool {
    let words = words.trim().to_lowercase();
    let of_chapter = words
        .strip_prefix('第')
        .and_then(|rest| rest.split_once('章'))
        .map(|(_, rest)| rest.trim_matches([' ', '·', '：']));
    matches!(of_chapter, Some("完" | "终" | "结束" | "完结"))
        || [
            "全文完",
            "全书完",
            "本章完",
            "本章终",
            "本章结束",
            "本章完结",
            "全章完",
            "章末",
            "未完待续",
            "待续",
            "待续写",
            "完",
            "终",
            "end",
            "the end",
            "to be continued",
            "end of chapter",
        ]
        .contains(&words.as_str())
}

fn is_rule(line: &str) -> bool {
    line.chars().all(|c| c.is_whitespace() || "*_—-~～=".contains(c))
}

/// True for a word count under the text.
fn is_count(line: &str) -> bool {
    let bare = bare(line);
    let digit = |c: char| c.is_ascii_digit() || ('０'..='９').contains(&c);
    let named = ["字数", "全文共", "全文约", "本章字数", "本章共", "本章约", "共计", "word count"];
    chars(bare) < 24 && bare.contains(digit) && named.iter().any(|name| bare.to_lowercase().starts_with(name))
}

fn bare(line: &str) -> &str {
    line.trim().trim_matches(|c: char| "（）()【】[]〔〕*_—-~～=·>#　 ".contains(c))
}

fn has_speech(line: &str) -> bool {
    line.contains(['“', '”', '「', '」', '『', '』', '"', '＂'])
}

/// Words with which a model speaks of its text.
const OF_TEXT: [&str; 27] = [
    "这一章",
    "这章",
    "本章",
    "下一章",
    "章节",
    "正文",
    "全文",
    "续写",
    "大纲",
    "章纲",
    "修改",
    "调整",
    "润色",
    "字数",
    "篇幅",
    "剧情",
    "情节",
    "文风",
    "创作",
    "反馈",
    "建议",
    "喜欢",
    "满意",
    "要求",
    "chapter",
    "story",
    "revis",
];

/// Words with which a model offers more, in a line that also mentions its text.
const OFFERS: [&str; 32] = [
    "你觉得这",
    "您觉得这",
    "希望您",
    "希望你",
    "希望这",
    "希望能",
    "希望本",
    "以上就是",
    "以上是",
    "以上为",
    "以上便是",
    "以上约",
    "如果您",
    "如果你希望",
    "如果你想",
    "如您",
    "如需",
    "如有",
    "若需",
    "若您",
    "需要我",
    "是否需要",
    "请告诉我",
    "请随时",
    "期待您",
    "感谢您",
    "感谢阅读",
    "i hope",
    "let me know",
    "feel free",
    "would you like",
    "please let me",
];

/// Words with which authors of a platform ask for votes.
const BEGS: [&str; 5] = ["求月票", "求推荐", "求收藏", "求订阅", "求打赏"];

/// Words that begin a note and never a paragraph of the story.
const NOTES: [&str; 11] = [
    "下一章预告",
    "下章预告",
    "下一章：",
    "场景目标",
    "作者有话说",
    "作者的话",
    "创作说明",
    "写作说明",
    "本章说明",
    "字数统计",
    "注：本章",
];

/// Whether a line is a model's talk about its text; `in_han` for one below a text in Han characters.
fn is_closing_talk(line: &str, in_han: bool) -> bool {
    let words = bare(line).to_lowercase();
    if words.is_empty() || chars(&words) > LONGEST_LINE || has_speech(line) {
        return false;
    }
    let is_english = in_han && !words.contains(is_han);
    let speaks = OF_TEXT.iter().any(|word| words.contains(word));
    let is_note = is_marked(&words);
    // Objectives, rules and plot threads, which a model ticks off: `OBJ-004-1 已完成。`
    let is_of_plan = words.starts_with("obj-") || ticks_off(&words);
    // `注：请告诉我妹妹，我没有走。` asks no reader.
    let asked = words.trim_end_matches(|c: char| !c.is_alphanumeric());
    let offers_last = OFFERS.iter().any(|offer| asked.ends_with(offer));
    let begs = BEGS.iter().any(|begged| words.starts_with(begged) || is_note && words.contains(begged))
        && !words.contains('的');
    NOTES.iter().any(|note| words.starts_with(note))
        || is_of_plan
        || begs
        || (is_note && (speaks || offers_last || words.contains("此处")))
        || ((speaks || is_english) && OFFERS.iter().any(|offer| words.starts_with(offer)))
}

fn is_marked(words: &str) -> bool {
    ["注：", "注:", "备注：", "备注:", "ps：", "ps:"].iter().any(|mark| words.starts_with(mark))
}

fn is_opening_talk(line: &str) -> bool {
    let words = bare(line).to_lowercase();
    let begins = [
        "好的",
        "好，",
        "当然",
        "没问题",
        "以下是",
        "以下为",
        "下面是",
        "这是",
        "收到",
        "明白",
        "sure",
        "here is",
        "here's",
        "certainly",
        "of course",
        "okay",
    ];
    let speaks = OF_TEXT.iter().any(|word| words.contains(word))
        || words.strip_suffix(['：', ':']).is_some_and(|words| words.contains("章"));
    // A greeting leads over to the text; a thought of the story does not.
    let is_answer =
        ["好的，", "好的。", "好的！", "收到，", "明白，", "当然可以"].iter().any(|word| words.starts_with(word));
    let ends = words.ends_with(['：', ':'])
        || ["以下是", "下面是", "以下为"].iter().any(|word| words.contains(word))
        || is_answer && ["开始", "为您", "为你", "按照", "根据"].iter().any(|word| words.contains(word));
    chars(&words) <= LONGEST_LINE
        && !has_speech(line)
        && speaks
        && ends
        && begins.iter().any(|word| words.starts_with(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(text: &str) -> (String, usize) {
        let mut lines: Vec<&str> = text.lines().collect();
        let said: usize = cut_beginning(&mut lines, |line| line.starts_with('#'))
            .into_iter()
            .chain(cut_end(&mut lines))
            .chain(cut_notes_within(&mut lines))
            .map(|line| chars(&line))
            .sum();
        (lines.join("\n").trim().to_owned(), said)
    }

    #[test]
    fn talk_and_end_marks_go_and_the_story_stays() {
        let story = "雨停了。\n\n他收起信。";
        for around in [
            "{}\n\n（本章完）\n\n希望您喜欢这一章！",
            "{}（本章完）希望您喜欢这一章！",
            "{}\n\n【未完待续】\n\n---\n\n如需调整节奏或字数，请告诉我。",
            "{}\n\n希望您喜欢这一章！如果您需要修改，请随时告诉我。",
            "{}\n\n---\n以上就是第2章的全部正文。\n\n**字数：** 2031",
            "{}\n\n（第2章 完）",
            "{}\n\nI hope you enjoyed this chapter!",
            "{}\n\n下一章预告：林枫出城之后……",
            "好的，下面是第2章的正文：\n\n{}",
            "以下是本章内容：\n---\n{}",
            "{}\n\n（本章完）\n\n下一回里，守门人会找上门来。谢谢阅读。",
            "{}\n\n（本章完，字数2031，下一章预告：守门人）",
            "{}\n\nOBJ-004-1 已完成。\nOBJ-004-2 已完成。",
            "{}\n\n注：人物关系可以再改，请告诉我。",
            "{}\n\nPS：求月票，求推荐票！",
            "{}\n\nLet me know if you would like me to adjust anything.",
            "{}\n\n**本章要点**\n\n- 林枫得到密信\n- 守门人起疑",
            "{}\n\n自检：\n- 字数：约1100字\n- 目标均已完成",
            "{}\n\n下一章：十一层的空架子",
            "{}\n\n***\n\n**场景目标**：林枫守夜",
            "{}\n\nW-001、C-XIAOMAN-002 均已遵守。",
            "{}\n\n伏笔 yellow_boot 已推进。",
            "好的，下面开始创作。\n\n{}",
            "当然可以！根据章节契约，我写了如下正文。\n\n---\n\n{}",
            "{}\n\n如果你希望我调整语气或者加强冲突，随时告诉我，我会继续修改。",
            "{}\n\n（以上约1100字，符合要求，已完成全部目标）",
            "{}\n\n——第四章·完——",
            "{}\n\n（待续写：见证人一栏）",
            "【视角：林枫｜地点：渡口】\n\n{}",
            "{}\n\n### 写作说明\n\n1. 遵守了守则\n2. 字数约1200字",
            "{}\n\n【创作说明】\n本章以林枫的视角展开。",
            "{}\n\n你觉得这一章怎么样？",
        ] {
            assert_eq!(cut(&around.replace("{}", story)).0, story, "{around}");
        }
        for (own, said) in [
            ("雨停了。\n\n“希望您喜欢这一章。”他把书递过来。", 0),
            ("好的东西都在城北。\n\n雨停了。", 0),
            ("雨停了。\n\n如果您还记得，那年也是这样的雨。", 0),
            ("雨停了。\n\n他希望这一切都有个了结。", 0),
            ("雨停了。\n\n注：旧历三月初七。", 0),
            ("纸条背面还有一行小字：\n\n注：请告诉我妹妹，我没有走。", 0),
            ("背面还有一行小字。\n\n注：请告诉我妹妹，我没有走。", 0),
            ("门上写着：\n\n备注：本章不许修改。\n\n他收起信。", 0),
            ("（完了，他想。）\n\n雨停了。", 0),
            ("（完）", 0),
            ("好的，他想，明天开始。\n\n雨停了。", 0),
            ("【地点：渡口】\n\n雨停了。", 0),
            ("雨停了。\n\n屏幕上跳出一行：（W-001 离线）", 0),
            ("雨停了。\n\nC-130 已降落。\n\n他收起信。", 0),
            ("这是第一次有人问起那封信。\n\n雨停了。", 0),
            ("雨停了。\n\n如果你希望我留下，我就留下。", 0),
        ] {
            assert_eq!(cut(own), (if own == "（完）" { "" } else { own }.to_owned(), said), "{own}");
        }
        assert_eq!(cut(&format!("{story}\n\n（本章完）")).1, 0, "a mark alone is no talk");
        assert_eq!(
            cut(&format!("# 第2章 城门\n\n好的，下面开始创作。\n\n{story}")).0,
            format!("# 第2章 城门\n\n{story}")
        );
        for note in [
            "【作者注：这里与第三章呼应】",
            "（此处推进 yellow_boot）",
            "（此处完成 OBJ-004-1：守夜）",
            "注：此处为过渡，请告诉我是否需要加长。",
            "OBJ-004-1 已完成。",
        ] {
            assert_eq!(cut(&format!("雨停了。\n\n{note}\n\n他收起信。")).0, story, "{note}");
        }
        for around in [
            "{}<|im_end|>",
            "{}</s>",
            "{}\n<|im_end|>\n<|im_start|>user\n再写一章",
            "{}<｜end▁of▁sentence｜>",
            "<|im_start|>{}<end_of_turn>\n",
            "{}[/INST]",
            "{}<|im_end",
            "{}\n\nUser: 再写一章。\n\nAssistant: 好的。",
            "<|channel|>final<|message|>{}",
            "<|channel|>analysis<|message|>先想一想<|end|><|start|>assistant<|channel|>final<|message|>{}<|return|>",
            "<|start_header_id|>assistant<|end_header_id|>{}<|eot_id|>",
        ] {
            assert_eq!(without_template(&around.replace("{}", story)), story, "{around}");
        }
        for own in ["他写下<完>字。", "[警告]系统重启。", "a < b，b > c"] {
            assert_eq!(without_template(own), own);
        }
        let long = format!("{story}\n\n（完）\n\n{}", "他又站了一会儿，才往城里走。\n\n".repeat(40));
        assert_eq!(cut(&long).0, long.trim(), "a mark with a story behind it is the story's");
    }
}
