//! A chapter's text: a title and prose in Markdown.

pub mod calibration;
pub mod evaluation;
mod gate;
mod scene;
pub mod stage;
pub mod summary;
mod waiver;

pub use self::gate::{Gate, MAX_REWRITES, Mode, Thresholds, Tries, decide};
pub use self::scene::{FEWEST, MOST, Scene, SceneNo, ScenePlan, Scenes};
pub use self::waiver::{FindingId, FindingIdError, Waiver, Waivers};
use crate::domain::notation::parse_numeral;
use crate::domain::prelude::*;
use std::borrow::Cow;

/// A chapter as in `chapters/vol-01/chapter-001.md`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chapter {
    pub number: ChapterNo,
    /// The title without the number.
    pub title: String,
    /// The prose, without the heading, ending with a newline.
    pub body: String,
}

impl Chapter {
    /// The content of the file: `# 第48章 密信`, an empty line, the prose.
    pub fn to_markdown(&self) -> String {
        format!("# 第{}章 {}\n\n{}\n", self.number.get(), self.title, self.body.trim())
    }

    /// Reads a chapter from a file or a reply. The first line is the heading if [`is_heading`] says so; the number in
    /// it is ignored, since the file's place gives the chapter. Line ends become LF.
    pub fn from_markdown(number: ChapterNo, text: &str, fallback_title: &str) -> Self {
        let text = text.trim_start_matches('\u{feff}');
        let text = if text.contains('\r') { Cow::Owned(text.replace("\r\n", "\n")) } else { Cow::Borrowed(text) };
        let text = text.trim_start();
        let (heading, body) = match text.split_once('\n') {
            Some((first, rest)) if is_heading(first) => (Some(first), rest),
            None if is_heading(text) => (Some(text), ""),
            _ => (None, text),
        };
        let title = heading.map(title_of_heading).filter(|title| !title.is_empty());
        Self {
            number,
            title: title.unwrap_or_else(|| fallback_title.trim().to_owned()),
            body: [body.trim(), "\n"].concat(),
        }
    }
}

/// True for a heading in Markdown: hash marks, then a space or a chapter's number. `#影帝塌房#冲上热搜` is a post in the story.
pub fn is_heading(line: &str) -> bool {
    let text = line.trim_start_matches('#');
    text.len() < line.len() && (text.is_empty() || text.starts_with(char::is_whitespace) || numbered(text).is_some())
}

/// The title in a heading such as `# 第48章 密信`, `## 第四十八章：密信` or `# 密信`.
pub fn title_of_heading(heading: &str) -> String {
    let text = heading.trim().trim_start_matches('#').trim().trim_matches('*').trim();
    bare_title(numbered(text).map_or(text, |(_, title)| title)).to_owned()
}

/// A title without the separator after its number, and without book-title marks around the whole.
pub(crate) fn bare_title(text: &str) -> &str {
    let title = text.trim_matches([' ', '　', ':', '：', '.', '、']);
    // Book-title marks within a title stay.
    let bare = title.strip_prefix('《').and_then(|rest| rest.strip_suffix('》'));
    bare.filter(|bare| !bare.contains(['《', '》'])).unwrap_or(title)
}

/// The numeral and what follows it in a text that begins with `第48章`.
pub(crate) fn numbered(text: &str) -> Option<(&str, &str)> {
    let (number, title) = text.strip_prefix('第')?.split_once('章')?;
    let numeral = |c: char| {
        c.is_ascii_digit()
            || ('０'..='９').contains(&c)
            || c.is_whitespace()
            || "零〇一二三四五六七八九十百千两".contains(c)
    };
    (!number.trim().is_empty() && number.chars().all(numeral)).then_some((number, title))
}

/// The number of a chapter in the first line of a text; `None` where that is no heading with a number.
pub fn heading_number(text: &str) -> Option<u32> {
    let line = text.trim_start_matches('\u{feff}').trim_start().lines().next()?;
    parse_numeral(numbered(line.trim_start_matches(['#', '＃', ' ', '*']))?.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_of_every_shape_give_the_title() {
        for heading in ["# 第48章 密信", "## 第四十八章：密信", "# 密信", "**第 48 章　《密信》**", "# 第48章 密信 "]
        {
            assert_eq!(title_of_heading(heading), "密信", "{heading}");
        }
        assert_eq!(title_of_heading("# 第48章"), "");
        assert_eq!(title_of_heading("# 第一道印章"), "第一道印章");
        for title in ["404号房", "24小时", "夜读《史记》", "《史记》与《汉书》", "Chapter House"] {
            assert_eq!(title_of_heading(&format!("# 第48章 {title}")), title);
        }
    }

    #[test]
    fn a_hashtag_is_no_heading() {
        for line in ["# 密信", "## 第二场", "#第48章 密信", "#"] {
            assert!(is_heading(line), "{line}");
        }
        for line in ["#影帝塌房#冲上热搜", "第48章 密信", "雨停了。"] {
            assert!(!is_heading(line), "{line}");
        }
        let number = ChapterNo::new(48).unwrap();
        let chapter = Chapter::from_markdown(number, "#影帝塌房#冲上热搜\n\n雨停了。", "密信");
        assert_eq!((chapter.title.as_str(), chapter.body.as_str()), ("密信", "#影帝塌房#冲上热搜\n\n雨停了。\n"));
    }

    #[test]
    fn a_chapter_reads_back_what_it_prints() {
        let number = ChapterNo::new(48).unwrap();
        let chapter = Chapter { number, title: "密信".into(), body: "雨停了。\n\n他收起信。\n".into() };
        assert_eq!(Chapter::from_markdown(number, &chapter.to_markdown(), "?"), chapter);
        let crlf = chapter.to_markdown().replace('\n', "\r\n");
        assert_eq!(Chapter::from_markdown(number, &crlf, "?"), chapter);
        let bare = Chapter::from_markdown(number, "雨停了。", "无题");
        assert_eq!((bare.title.as_str(), bare.body.as_str()), ("无题", "雨停了。\n"));
    }

    #[test]
    fn a_heading_alone_is_a_chapter_without_prose() {
        let chapter = Chapter::from_markdown(ChapterNo::FIRST, "# 第1章 密信", "无题");
        assert_eq!((chapter.title.as_str(), chapter.body.trim()), ("密信", ""));
    }
}
