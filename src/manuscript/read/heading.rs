//! Headings by their line alone: the numbers, the units and the names that announce a part of a novel.

use crate::domain::notation::numeral;
use crate::manuscript::PartKind;

/// The form of a heading. The headings of a file are of one form, nearly always.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum HeadingForm {
    /// `第12章`, by the unit.
    Unit(char),
    /// `Chapter 12`
    English,
    /// `12、夜雨`
    Mark,
    /// `12 夜雨`
    Blank,
    /// `12` alone
    Bare,
    /// `（12）`
    Bracket,
    /// 楔子, 番外, 后记
    Name,
    /// A line that the author's own pattern matches.
    Given,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct HeadingMatch {
    pub(super) form: HeadingForm,
    pub(super) number: Option<u32>,
    pub(super) title: String,
    pub(super) kind: PartKind,
    pub(super) is_volume: bool,
    /// The volume that the line names before its chapter.
    pub(super) volume: Option<(Option<u32>, String)>,
    /// The line reads like a sentence.
    pub(super) is_weak: bool,
}

/// Units of chapters, and of parts of chapters in files that have no larger unit.
pub(super) const CHAPTERS: &str = "章回话話";
const PARTS: &str = "节節幕折集场場";
pub(super) const VOLUMES: &str = "卷部册冊篇编編季";
/// Words that begin with a unit: 第一节课 and 第一部分 announce nothing.
const WORDS: [(char, &str); 12] = [
    ('节', "课"),
    ('节', "车"),
    ('集', "合"),
    ('集', "团"),
    ('部', "赛游队戏电作小手门"),
    ('篇', "张文"),
    ('回', "合去来到见听"),
    ('章', "程"),
    ('场', "比雪雨戏"),
    ('话', "音"),
    ('卷', "子入"),
    ('幕', "后"),
];
const LONGEST: usize = 40;

const NAMES: [(&str, PartKind); 27] = [
    ("楔子", PartKind::Prologue),
    ("序章", PartKind::Prologue),
    ("序幕", PartKind::Prologue),
    ("序言", PartKind::Prologue),
    ("序", PartKind::Prologue),
    ("自序", PartKind::Prologue),
    ("前言", PartKind::Prologue),
    ("引子", PartKind::Prologue),
    ("引言", PartKind::Prologue),
    ("开篇", PartKind::Prologue),
    ("Prologue", PartKind::Prologue),
    ("番外篇", PartKind::Extra),
    ("番外", PartKind::Extra),
    ("外传", PartKind::Extra),
    ("外傳", PartKind::Extra),
    ("特别篇", PartKind::Extra),
    ("尾声", PartKind::Epilogue),
    ("尾聲", PartKind::Epilogue),
    ("终章", PartKind::Epilogue),
    ("終章", PartKind::Epilogue),
    ("大结局", PartKind::Epilogue),
    ("Epilogue", PartKind::Epilogue),
    ("后记", PartKind::Afterword),
    ("後記", PartKind::Afterword),
    ("跋", PartKind::Afterword),
    ("附录", PartKind::Afterword),
    ("终幕", PartKind::Epilogue),
];
const NOTICES: [&str; 20] = [
    "请假条",
    "请假一天",
    "请假",
    "請假條",
    "上架感言",
    "完本感言",
    "完结感言",
    "新书感言",
    "感言",
    "上架通知",
    "更新通知",
    "停更通知",
    "断更通知",
    "作者的话",
    "加更通知",
    "新书公告",
    "新书通知",
    "公告",
    "单章",
    "致读者",
];

/// True for words to the readers: 请假条, 完本感言.
pub(super) fn is_notice(title: &str) -> bool {
    let title = title.trim_matches(is_ornament);
    let is_whole =
        |rest: &str| rest.is_empty() || rest.starts_with(is_separator) || rest.starts_with(['！', '。', '!', '，']);
    NOTICES.iter().any(|name| title.strip_prefix(name).is_some_and(is_whole))
        || ["请假条", "上架感言", "完本感言", "完结感言"]
            .iter()
            .any(|name| title.ends_with(name) && title.chars().count() < 12)
}

pub(super) fn candidate(line: &str) -> Option<HeadingMatch> {
    if line.chars().count() > LONGEST + 60 {
        return None;
    }
    let is_sentence = line.ends_with(['。', '，', ',', ';', '；', '、', '”', '」']) || line.chars().count() > LONGEST;
    let text = bare(line);
    let found = numbered(&text).or_else(|| english(&text)).or_else(|| named(&text)).or_else(|| plain(&text))?;
    let is_weak = found.is_weak || is_sentence;
    let kind = if is_notice(&found.title) { PartKind::Notice } else { found.kind };
    Some(HeadingMatch { is_weak, kind, ..found })
}

/// The heading that the line is, whatever its form.
pub(super) fn titled(text: &str) -> HeadingMatch {
    let plain = HeadingMatch {
        form: HeadingForm::Given,
        number: None,
        title: text.trim_start_matches('#').trim().to_owned(),
        kind: PartKind::Chapter,
        is_volume: false,
        volume: None,
        is_weak: false,
    };
    match candidate(text).filter(|found| !found.is_weak || matches!(found.form, HeadingForm::Unit(_))) {
        Some(found) if !matches!(found.form, HeadingForm::Blank | HeadingForm::Bare) || found.title.is_empty() => found,
        Some(found) if found.form == HeadingForm::Blank => found,
        _ => plain,
    }
}

/// The line without what adorns headings: hash marks, stars, brackets, the book's title, 正文.
fn bare(line: &str) -> String {
    let line = line.trim_start_matches('#').trim();
    let text = line.trim_start_matches(is_ornament);
    // Stars on both sides adorn the line; marks at its end alone belong to the title.
    let text = if text.len() < line.len() { text.trim_end_matches(is_ornament) } else { text };
    let text = if line.starts_with(['☆', '★']) { text.trim_start_matches(['、', ' ']) } else { text };
    let mut text = match text.strip_prefix(['【', '[', '［', '〔', '「', '『']) {
        Some(rest) => rest.replacen(['】', ']', '］', '〕', '」', '』'], " ", 1).trim_end().to_owned(),
        None => text.to_owned(),
    };
    if let Some((_, rest)) = text.strip_prefix('《').and_then(|rest| rest.split_once('》')) {
        let rest = rest.trim_start_matches(is_separator);
        if rest.starts_with('第') {
            text = rest.to_owned();
        }
    }
    for prefix in ["正文卷", "正文", "VIP章节", "VIP"] {
        if let Some(rest) = text.strip_prefix(prefix)
            && rest.trim_start_matches(is_separator).starts_with(['第', '卷', '楔', '序'])
        {
            return rest.trim_start_matches(is_separator).to_owned();
        }
    }
    text
}

fn is_ornament(c: char) -> bool {
    let is_picture =
        |c| matches!(c, '\u{2190}'..='\u{23ff}' | '\u{2600}'..='\u{27bf}' | '\u{fe0f}' | '\u{1f000}'..='\u{1faff}');
    c.is_whitespace() || "☆★◆◇●○■□▲△※*＊=＝-—─~～·•".contains(c) || is_picture(c)
}

fn is_separator(c: char) -> bool {
    c.is_whitespace() || ":：、.．·-—_|｜/】]）)".contains(c)
}

/// The title without the one separator after its number. Two of a kind, as in ——归来, belong to the title, and so does a dash or dot that
/// stands at the title and apart from the number.
fn without_separator(after: &str) -> &str {
    let title = after.trim();
    let is_apart = after.starts_with(char::is_whitespace);
    let mut chars = title.chars();
    match (chars.next(), chars.as_str()) {
        (Some('—' | '-' | '·' | '.' | '_' | '|' | '/'), rest) if is_apart && !rest.starts_with(char::is_whitespace) => {
            title
        }
        (Some(first), rest) if is_separator(first) && !")）】]".contains(first) && !rest.starts_with(first) => rest,
        _ => title,
    }
}

fn heading(form: HeadingForm, number: Option<u32>, title: &str) -> HeadingMatch {
    let title = without_separator(title).trim().to_owned();
    HeadingMatch { form, number, title, kind: PartKind::Chapter, is_volume: false, volume: None, is_weak: false }
}

/// The number of `第3-5章`, which is the first, and none for a chapter between two others, `第3.5章`; with the text behind it.
fn between(number: u32, after: &str) -> (Option<u32>, &str) {
    let behind = |marks: &[char]| numeral(after.strip_prefix(marks)?.trim_start());
    match (behind(&['.', '．']), behind(&['-', '－', '–', '—', '~', '～', '、', '至', '到'])) {
        (Some((_, rest)), _) => (None, rest),
        (_, Some((_, rest))) => (Some(number), rest),
        _ => (Some(number), after),
    }
}

/// `第十二章 夜雨`, `第二卷 风起 第一章 夜雨`, `卷三 风起`.
fn numbered(text: &str) -> Option<HeadingMatch> {
    let (number, after, is_ordinal) = match text.strip_prefix('第') {
        Some(rest) => {
            let (number, after) = numeral(rest.trim_start())?;
            let (number, after) = between(number, after.trim_start());
            (number, after.trim_start(), true)
        }
        None => {
            let unit = text.chars().next().filter(|c| "卷章回部".contains(*c))?;
            let (number, after) = numeral(text[unit.len_utf8()..].trim_start_matches(['之', ' ', '　']))?;
            if !(after.is_empty() || after.starts_with(is_separator)) {
                return None;
            }
            let found = heading(HeadingForm::Unit(unit), Some(number), after);
            return Some(HeadingMatch { is_volume: VOLUMES.contains(unit), ..found });
        }
    };
    let unit = after.chars().next().filter(|c| CHAPTERS.contains(*c) || PARTS.contains(*c) || VOLUMES.contains(*c))?;
    let rest = &after[unit.len_utf8()..];
    let portion = rest.strip_prefix('分').filter(|_| unit == '部');
    let rest = portion.unwrap_or(rest);
    let next = rest.chars().next();
    let is_apart = next.is_none_or(|c| is_separator(c) || "（(《「『“".contains(c));
    if !is_apart && WORDS.iter().any(|(of, words)| *of == unit && next.is_some_and(|c| words.contains(c))) {
        return None;
    }
    let unit = if unit == '節' {
        '节'
    } else if unit == '話' {
        '话'
    } else if unit == '場' {
        '场'
    } else {
        unit
    };
    let is_spoken = next.is_some_and(|c| "的是里中上下内就也还都，。".contains(c));
    if VOLUMES.contains(unit) {
        if let Some(at) = rest.find('第')
            && let Some(chapter) = numbered(&rest[at..]).filter(|chapter| !chapter.is_volume)
        {
            let title = heading(HeadingForm::Unit(unit), None, &rest[..at]).title;
            return Some(HeadingMatch { volume: Some((number, title)), ..chapter });
        }
        let is_weak = !is_apart && (rest.contains(['，', '。']) || is_spoken || portion.is_some());
        return Some(HeadingMatch { is_volume: true, is_weak, ..heading(HeadingForm::Unit(unit), number, rest) });
    }
    let is_weak = (!is_apart && (is_spoken || rest.contains(['，', '。']))) || !is_ordinal;
    Some(HeadingMatch { is_weak, ..heading(HeadingForm::Unit(unit), number, rest) })
}

fn english(text: &str) -> Option<HeadingMatch> {
    let lower = text.to_ascii_lowercase();
    let words = ["chapter", "chap", "ch", "section", "episode", "volume", "book", "part", "vol"];
    let word = words.iter().find(|word| {
        lower.strip_prefix(**word).is_some_and(|rest| {
            rest.starts_with([' ', '.', '#', '　']) || rest.starts_with(|c: char| c.is_ascii_digit())
        })
    })?;
    let (number, after) = numeral(text[word.len()..].trim_start_matches([' ', '.', '#', '　']))?;
    if !(after.is_empty() || after.starts_with(is_separator)) {
        return None;
    }
    let is_volume = ["volume", "book", "part", "vol"].contains(word);
    Some(HeadingMatch { is_volume, ..heading(HeadingForm::English, Some(number), after) })
}

/// 楔子, 番外三 夜雨, 请假条.
fn named(text: &str) -> Option<HeadingMatch> {
    let is_short = text.chars().count() <= 25;
    if is_short && is_notice(text) {
        return Some(HeadingMatch { kind: PartKind::Notice, ..heading(HeadingForm::Name, None, text) });
    }
    let (name, kind) = NAMES.iter().find(|(name, _)| {
        text.strip_prefix(name).is_some_and(|rest| {
            let rest = numeral(rest.trim_start_matches('之')).map_or(rest, |(_, rest)| rest);
            rest.is_empty() || rest.starts_with(is_separator) || rest.starts_with(['（', '(', '《'])
        })
    })?;
    let rest = text[name.len()..].trim_matches(is_separator);
    let is_weak = !is_short || rest.contains('。');
    // The name is a part of the title: the book has no other place for it.
    Some(HeadingMatch { kind: *kind, is_weak, title: text.trim().to_owned(), ..heading(HeadingForm::Name, None, text) })
}

/// `12、夜雨`, `012 夜雨`, `十二`, `（十二）`.
fn plain(text: &str) -> Option<HeadingMatch> {
    if let Some(inner) = text.strip_prefix(['（', '(']) {
        let (number, after) = numeral(inner)?;
        let after = after.strip_prefix(['）', ')'])?;
        return Some(heading(HeadingForm::Bracket, Some(number), after));
    }
    let (number, after) = numeral(text)?;
    if number > 9999 {
        return None;
    }
    let next = after.chars().next();
    let form = match next {
        None => HeadingForm::Bare,
        Some('、' | '．' | ':' | '：') => HeadingForm::Mark,
        Some('.') if !after[1..].starts_with(|c: char| c.is_ascii_digit()) => HeadingForm::Mark,
        Some(c) if c.is_whitespace() => HeadingForm::Blank,
        _ => return None,
    };
    Some(heading(form, Some(number), after))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Option<(Option<u32>, String)> {
        candidate(line).filter(|found| !found.is_weak).map(|found| (found.number, found.title))
    }

    #[test]
    fn headings_of_every_form_give_number_and_title() {
        for (line, number, title) in [
            ("第一章 夜雨", 1, "夜雨"),
            ("第一百二十三章：夜雨", 123, "夜雨"),
            ("第１２章　夜雨", 12, "夜雨"),
            ("第 12 章 夜雨", 12, "夜雨"),
            ("第廿三回 夜雨", 23, "夜雨"),
            ("第卅章", 30, ""),
            ("第两百章 夜雨", 200, "夜雨"),
            ("第二〇一章 夜雨", 201, "夜雨"),
            ("第壹佰零贰章 夜雨", 102, "夜雨"),
            ("【第十章】夜雨", 10, "夜雨"),
            ("《青锋录》第十章 夜雨", 10, "夜雨"),
            ("正文 第三章 夜雨", 3, "夜雨"),
            ("## 第3章 夜雨", 3, "夜雨"),
            ("第三幕 夜雨", 3, "夜雨"),
            ("第三话 夜雨", 3, "夜雨"),
            ("Chapter 12: Rain", 12, "Rain"),
            ("chapter.012", 12, ""),
            ("☆、第3章 夜雨", 3, "夜雨"),
            ("12、夜雨", 12, "夜雨"),
            ("十二、夜雨", 12, "夜雨"),
            ("（十二）", 12, ""),
            ("012 夜雨", 12, "夜雨"),
            ("第一章夜雨", 1, "夜雨"),
            ("第四章 《夜雨》", 4, "《夜雨》"),
            ("章五 夜雨", 5, "夜雨"),
            ("第一章 ——归来", 1, "——归来"),
            ("第一章 —归来", 1, "—归来"),
            ("第一章 - 归来", 1, "归来"),
            ("第一章—归来", 1, "归来"),
            ("第一章 .com时代", 1, ".com时代"),
            ("第一章 _夜雨_", 1, "_夜雨_"),
            ("第二章 ～～夜～～", 2, "～～夜～～"),
            ("★第三章：夜★", 3, "夜"),
            ("🌧第三章 夜🌧", 3, "夜"),
            ("第3-5章 夜雨", 3, "夜雨"),
            ("第三、四章 夜雨", 3, "夜雨"),
        ] {
            assert_eq!(read(line), Some((Some(number), title.to_owned())), "{line}");
        }
    }

    #[test]
    fn a_chapter_between_two_others_has_no_number() {
        assert_eq!(read("第1.5章 夜雨"), Some((None, "夜雨".to_owned())));
    }

    #[test]
    fn sentences_that_begin_like_headings_are_weak_or_none() {
        for line in [
            "第一节课就要开始了",
            "第一部分是最难的",
            "第二回合他输了",
            "第三章的内容他早就忘了",
            "第一章，他翻开书。",
            "第二天早上他走了",
            "第一场雪落了下来",
            "3个苹果",
            "1.5倍",
            "2019年的夏天",
            "番外的故事很长",
            "序列号写在背面",
            "一个人走在路上",
        ] {
            assert_eq!(read(line), None, "{line}");
        }
    }

    #[test]
    fn names_volumes_and_notices_are_told_apart() {
        let kind = |line: &str| candidate(line).map(|found| (found.kind, found.is_volume));
        assert_eq!(kind("楔子"), Some((PartKind::Prologue, false)));
        assert_eq!(kind("番外二 旧事"), Some((PartKind::Extra, false)));
        assert_eq!(kind("尾声"), Some((PartKind::Epilogue, false)));
        assert_eq!(kind("请假条"), Some((PartKind::Notice, false)));
        assert_eq!(kind("第九章 完本感言"), Some((PartKind::Notice, false)));
        assert_eq!(kind("第二卷 风起"), Some((PartKind::Chapter, true)));
        assert_eq!(kind("卷三 风起"), Some((PartKind::Chapter, true)));
        let both = candidate("第二卷 风起 第七章 夜雨").unwrap();
        assert_eq!(
            (both.volume, both.number, both.title.as_str()),
            (Some((Some(2), "风起".to_owned())), Some(7), "夜雨")
        );
    }
}
