//! A chapter's text: a title and prose in Markdown.

use super::ChapterNo;

/// A chapter as it stands in `chapters/vol-01/chapter-001.md`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chapter {
    /// Its number.
    pub number: ChapterNo,
    /// Its title, without the number.
    pub title: String,
    /// The prose, without the heading, ending with a newline.
    pub body: String,
}

impl Chapter {
    /// The file: `# 第48章 密信`, an empty line, the prose.
    #[must_use]
    pub fn to_markdown(&self) -> String {
        format!("# 第{}章 {}\n\n{}\n", self.number.get(), self.title, self.body.trim())
    }

    /// Reads a chapter from a file or a reply. The first line is the heading if it begins with `#`; the number in it is
    /// ignored, since the file's place says which chapter it is. Line ends become LF.
    #[must_use]
    pub fn from_markdown(number: ChapterNo, text: &str, fallback_title: &str) -> Self {
        let text = text.trim_start_matches('\u{feff}').replace("\r\n", "\n");
        let text = text.trim_start();
        let (heading, body) = match text.split_once('\n') {
            Some((first, rest)) if first.starts_with('#') => (Some(first), rest),
            None if text.starts_with('#') => (Some(text), ""),
            _ => (None, text),
        };
        let title = heading.map(title_of_heading).filter(|title| !title.is_empty());
        Self {
            number,
            title: title.unwrap_or_else(|| fallback_title.trim().to_owned()),
            body: format!("{}\n", body.trim()),
        }
    }
}

/// The title in a heading such as `# 第48章 密信`, `## 第四十八章：密信` or `# 密信`.
#[must_use]
pub fn title_of_heading(heading: &str) -> String {
    let text = heading.trim().trim_start_matches('#').trim().trim_matches('*').trim();
    let after_number = text.strip_prefix('第').and_then(|rest| {
        let (number, title) = rest.split_once('章')?;
        let numeral = |c: char| c.is_ascii_digit() || c.is_whitespace() || "零〇一二三四五六七八九十百千两".contains(c);
        number.chars().all(numeral).then_some(title)
    });
    after_number.unwrap_or(text).trim_matches([' ', '　', ':', '：', '.', '、', '《', '》']).to_owned()
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
}
