//! `summaries/vol-01/chapter-001-summary.md`: a chapter's summary, for people and for the next chapters, and
//! `storylines/<id>/memory.md`: a storyline's memory.
//!
//! ```text
//! # 第48章 密信                             > 第47章：沈渡带着半张船票上了夜船
//!
//! > 故事线：main-arc                        沈渡知道票是假的……
//! > 现状：沈渡上了夜船
//! > 串线：阿七｜tide-plan｜low｜他想起渡口那个卖橘子的姑娘
//!
//! 腊月初三夜……
//! ```
//!
//! The line `> 代拟：` marks an excerpt that the program made of sentences of the chapter, because the summarizer gave no
//! readable answer.

use crate::agents::context::chapter::Memory;
use crate::domain::chapter::summary::CrossReference;
use crate::domain::chapter::title_of_heading;
use crate::domain::notation::parse_numeral;
use crate::domain::{BadText, ChapterNo, Slug};
use crate::store::format::{At, FormatError, Mistake, Problem, text};

/// The content of the summary's file. Operations and memory have files of their own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SummaryPage {
    /// From the file's place; the heading only repeats it.
    pub chapter: ChapterNo,
    pub title: String,
    pub storyline: Slug,
    /// The status of the storyline, in one sentence; may be empty.
    pub line_status: String,
    /// Mentions of other storylines.
    pub cross_references: Vec<CrossReference>,
    pub text: String,
    /// True for an excerpt that the program made of the chapter.
    pub excerpt: bool,
}

const STORYLINE: &str = "故事线";
const STATUS: &str = "现状";
const CROSSING: &str = "串线";
const EXCERPT: &str = "代拟";
/// Follows the label, to tell readers of the file about the text's origin.
const EXCERPT_NOTE: &str = "摘要没有读出来，这里是正文的摘句";
const BAR: char = '｜';

/// Fails also when the storyline is missing or no id, or a cross reference lacks one of its four parts.
pub fn read(chapter: ChapterNo, bytes: &[u8]) -> Result<SummaryPage, FormatError> {
    let text = text(bytes)?;
    let mut page = ParsedPage {
        title: String::new(),
        storyline: None,
        line_status: String::new(),
        crossings: Vec::new(),
        text: String::new(),
        excerpt: false,
    };
    let mut lines = text.lines().enumerate().peekable();
    while let Some((index, line)) = lines.next_if(|(_, line)| {
        let line = line.trim();
        line.is_empty() || line.starts_with('#') || line.starts_with('>')
    }) {
        let line = line.trim();
        if line.starts_with('#') {
            if !page.title.is_empty() {
                break;
            }
            page.title = title_of_heading(line);
        } else if let Some(field) = line.strip_prefix('>') {
            page.field(field.trim(), index + 1)?;
        } else if page.storyline.is_some() {
            // The blank line after the block: all that follows is the summary, even a quotation.
            break;
        }
    }
    page.text = lines.map(|(_, line)| line).collect::<Vec<_>>().join("\n").trim().to_owned();
    let missing = Mistake::NoStorylineLine;
    let storyline = page.storyline.ok_or(FormatError { at: At::Line(1), problem: Problem::Value(missing) })?;
    Ok(SummaryPage {
        chapter,
        title: page.title,
        storyline,
        line_status: page.line_status,
        cross_references: page.crossings,
        text: page.text,
        excerpt: page.excerpt,
    })
}

struct ParsedPage {
    title: String,
    storyline: Option<Slug>,
    line_status: String,
    crossings: Vec<CrossReference>,
    text: String,
    excerpt: bool,
}

impl ParsedPage {
    fn field(&mut self, field: &str, line: usize) -> Result<(), FormatError> {
        let wrong = |mistake| FormatError { at: At::Line(line), problem: Problem::Value(mistake) };
        let Some((label, value)) = field.split_once(['：', ':']) else {
            return Ok(());
        };
        let value = value.trim();
        match label.trim() {
            STORYLINE => {
                self.storyline =
                    Some(value.parse().map_err(|e: crate::domain::IdError| wrong(BadText::from(e).into()))?)
            }
            STATUS => value.clone_into(&mut self.line_status),
            EXCERPT => self.excerpt = true,
            CROSSING => {
                let parts: Vec<&str> = value.splitn(4, BAR).collect();
                let [entity, storyline, risk, evidence] = parts[..] else {
                    return Err(wrong(Mistake::CrossReference));
                };
                self.crossings.push(CrossReference {
                    entity: entity.into(),
                    storyline: storyline.into(),
                    risk: risk.parse().map_err(|e: crate::domain::UnknownName| wrong(BadText::from(e).into()))?,
                    evidence: evidence.into(),
                });
            }
            _ => {}
        }
        Ok(())
    }
}

/// Writes a summary. Line breaks within a field become spaces, and bars within a name become half-width.
pub fn write(page: &SummaryPage) -> Vec<u8> {
    let line = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let name = |text: &str| line(text).replace(BAR, "|");
    let mut out = format!("# 第{}章 {}\n\n", page.chapter.get(), line(&page.title));
    out.push_str(&format!("> {STORYLINE}：{}\n", page.storyline));
    if !page.line_status.trim().is_empty() {
        out.push_str(&format!("> {STATUS}：{}\n", line(&page.line_status)));
    }
    if page.excerpt {
        out.push_str(&format!("> {EXCERPT}：{EXCERPT_NOTE}\n"));
    }
    for crossing in &page.cross_references {
        let (entity, storyline) = (name(&crossing.entity), name(&crossing.storyline));
        let (risk, evidence) = (crossing.risk, line(&crossing.evidence));
        out.push_str(&format!("> {CROSSING}：{entity}{BAR}{storyline}{BAR}{risk}{BAR}{evidence}\n"));
    }
    out.push_str(&format!("\n{}\n", page.text.trim()));
    out.into_bytes()
}

/// Stands in place of a chapter's number before the line's first chapter.
const BEFORE: &str = "未开篇";

/// A file without the form of the first line is all facts: an author may write it freely.
pub fn read_memory(bytes: &[u8]) -> Result<Memory, FormatError> {
    let text = text(bytes)?;
    let text = text.trim();
    let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
    let head = first.strip_prefix('>').and_then(|head| head.split_once(['：', ':']));
    let Some((place, status)) = head else {
        return Ok(Memory { chapter: None, status: String::new(), facts: text.to_owned() });
    };
    let number = place.trim().strip_prefix('第').and_then(|n| n.strip_suffix('章')).and_then(parse_numeral);
    let chapter = number.and_then(ChapterNo::new);
    if chapter.is_none() && place.trim() != BEFORE {
        return Ok(Memory { chapter: None, status: String::new(), facts: text.to_owned() });
    }
    Ok(Memory { chapter, status: status.trim().to_owned(), facts: rest.trim().to_owned() })
}

/// Writes a memory. The status becomes one line.
pub fn write_memory(memory: &Memory) -> Vec<u8> {
    let place = memory.chapter.map_or_else(|| BEFORE.to_owned(), |chapter| format!("第{}章", chapter.get()));
    let status = memory.status.split_whitespace().collect::<Vec<_>>().join(" ");
    let facts = memory.facts.trim();
    let text =
        if facts.is_empty() { format!("> {place}：{status}\n") } else { format!("> {place}：{status}\n\n{facts}\n") };
    text.into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::format::samples;
    use proptest::prelude::*;

    const PAGE: &str = "# 第48章 密信\n\n> 故事线：main-arc\n> 现状：上了夜船\n> 串线：阿七｜tide-plan｜low｜卖橘子的姑娘｜等着\n\n> 引文也是摘要。\n\n腊月初三夜。\n";

    #[test]
    fn a_page_reads_back_and_mistakes_have_their_line() {
        let chapter = ChapterNo::new(48).unwrap();
        let page = read(chapter, PAGE.as_bytes()).unwrap();
        assert_eq!((page.title.as_str(), page.storyline.as_str()), ("密信", "main-arc"));
        assert_eq!(page.cross_references[0].evidence, "卖橘子的姑娘｜等着");
        assert_eq!(page.text, "> 引文也是摘要。\n\n腊月初三夜。");
        assert_eq!(String::from_utf8(write(&page)).unwrap(), PAGE);
        assert_eq!(read(chapter, PAGE.replace("low", "tall").as_bytes()).unwrap_err().at, At::Line(5));
        assert_eq!(read(chapter, PAGE.replace("main-arc", "主线").as_bytes()).unwrap_err().at, At::Line(3));
        let excerpt = SummaryPage { excerpt: true, ..page };
        assert!(String::from_utf8(write(&excerpt)).unwrap().contains("> 代拟："));
        let lacking = read(chapter, "腊月初三夜。".as_bytes()).unwrap_err();
        assert_eq!(lacking.problem, Problem::Value(Mistake::NoStorylineLine));
    }

    proptest! {
        #[test]
        fn any_page_survives(page in samples::summary()) {
            let bytes = write(&page);
            prop_assert_eq!(read(page.chapter, &bytes).unwrap(), page);
        }

        #[test]
        fn reading_never_panics(text in "(#|> |故事线|现状|串线|：|｜|low|main-arc|\\n|章){0,30}") {
            let _ = read(ChapterNo::FIRST, text.as_bytes());
        }
    }

    #[test]
    fn the_first_line_says_where_the_line_stands() {
        let memory = read_memory("\u{feff}> 第四十七章：上了夜船\r\n\r\n票是假的。\r\n".as_bytes()).unwrap();
        assert_eq!((memory.chapter.map(ChapterNo::get), memory.status.as_str()), (Some(47), "上了夜船"));
        assert_eq!(memory.facts, "票是假的。");
        let free = read_memory("票是假的。\n\n> 引文：不是状态\n".as_bytes()).unwrap();
        assert_eq!((free.chapter, free.status.as_str()), (None, ""));
        assert!(free.facts.starts_with("票"));
    }

    proptest! {
        #[test]
        fn any_memory_survives(memory in samples::memory()) {
            let bytes = write_memory(&memory);
            prop_assert_eq!(read_memory(&bytes).unwrap(), memory);
        }
    }
}
