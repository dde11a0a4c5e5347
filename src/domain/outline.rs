//! A volume's outline: Markdown with one `## ` section a chapter, readable and writable by hand.
//!
//! ```text
//! ## 第48章 密信
//!
//! - 故事线: main-arc
//! - 视角: 林枫
//! - 地点: 城北废墟
//! - 冲突: 暗号指向城北，而城北今夜封城
//! - 人物弧光: 从不信人到第一次托付
//! - 伏笔: 推进 ancient_prophecy：符文与预言同源
//! - 状态变化: 林枫到城北废墟；得到密信
//! ```
//!
//! The seven fields are those of the product document, §5.3, and `过渡` says, where it is wanted, how the chapter leads
//! over to another storyline (§6.6.3), and `规则` which world rules it hangs on (`W-001、W-004`, §6.5.4); their English names (`Storyline`, `POV`, `Location`,
//! `Conflict`, `Arc`, `Foreshadowing`, `StateChanges`, `Transition`, `Rules`) are read as well, with or without list dashes and bold marks,
//! with a half- or full-width colon, and over several lines.

use super::chapter::{bare_title, numbered};
use super::foreshadowing::Action;
use super::named::named;
use super::{ChapterNo, Slug};
use std::collections::BTreeMap;

named! {
    /// A field of a chapter's section. All but the last two must be there.
    pub enum Field {
        /// The storyline's id.
        Storyline = "故事线",
        /// Whose eyes.
        Pov = "视角",
        /// Where.
        Location = "地点",
        /// The chapter's core conflict.
        Conflict = "冲突",
        /// What changes in a person.
        Arc = "人物弧光",
        /// What is planted, advanced or resolved; `无` for nothing.
        Foreshadowing = "伏笔",
        /// What is different afterwards.
        StateChanges = "状态变化",
        /// How the chapter leads over to another storyline.
        Transition = "过渡",
        /// The ids of the world rules that the chapter hangs on.
        Rules = "规则",
    }
}

impl Field {
    /// The name in the source documents, read as well.
    #[must_use]
    pub const fn english(self) -> &'static str {
        match self {
            Self::Storyline => "Storyline",
            Self::Pov => "POV",
            Self::Location => "Location",
            Self::Conflict => "Conflict",
            Self::Arc => "Arc",
            Self::Foreshadowing => "Foreshadowing",
            Self::StateChanges => "StateChanges",
            Self::Transition => "Transition",
            Self::Rules => "Rules",
        }
    }

    /// Whether a section without it is a mistake.
    #[must_use]
    pub const fn is_required(self) -> bool {
        !matches!(self, Self::Transition | Self::Rules)
    }

    fn of_label(label: &str) -> Option<Self> {
        let bare: String = label.chars().filter(|c| !matches!(c, '*' | ' ' | '　' | '_' | '`')).collect();
        Self::ALL.iter().copied().find(|f| bare == f.as_str() || bare.eq_ignore_ascii_case(f.english()))
    }
}

/// A foreshadowing task of a chapter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Task {
    /// What to do.
    pub action: Action,
    /// Which foreshadowing.
    pub id: Slug,
    /// How.
    pub detail: String,
}

/// One chapter's section.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    /// The chapter.
    pub chapter: ChapterNo,
    /// Its working title.
    pub title: String,
    /// The line of its heading, from 1.
    pub line: usize,
    /// Its storyline.
    pub storyline: Slug,
    /// The other fields' texts, [`Field::Storyline`] included, as written.
    pub fields: BTreeMap<Field, String>,
    /// The foreshadowing field, read.
    pub tasks: Vec<Task>,
    /// The whole section as written, heading included, for the prompts.
    pub source: String,
}

impl Section {
    /// A field's text.
    #[must_use]
    pub fn field(&self, field: Field) -> &str {
        self.fields.get(&field).map_or("", String::as_str)
    }
}

/// A volume's outline.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Outline {
    /// What stands before the first chapter: the volume's title and remarks.
    pub preface: String,
    /// The chapters, in order, without gaps.
    pub sections: Vec<Section>,
}

/// Something wrong with an outline, with the line where it is.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {problem}")]
pub struct OutlineError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong.
    pub problem: Problem,
}

/// What can be wrong with an outline.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// There is no `## ` section at all.
    #[error("there is no `## ` section, and so no chapter")]
    Empty,
    /// A heading without a chapter number.
    #[error("heading `{0}` has no chapter number (write `## 第12章 标题`)")]
    NoNumber(String),
    /// Chapters do not follow each other.
    #[error("chapter {found} stands where chapter {wanted} should")]
    OutOfOrder {
        /// The number that was read.
        found: u32,
        /// The number that should follow.
        wanted: u32,
    },
    /// A field is missing or empty.
    #[error("chapter {chapter} lacks `{}` ({})", field.as_str(), field.english())]
    Lacks {
        /// The chapter's number.
        chapter: u32,
        /// The field.
        field: Field,
    },
    /// A field stands twice in a section.
    #[error("chapter {chapter} has `{}` twice", field.as_str())]
    Twice {
        /// The chapter's number.
        chapter: u32,
        /// The field.
        field: Field,
    },
    /// The storyline is not an id.
    #[error("storyline `{0}` is not an id (lower-case letters, digits and `-`)")]
    Storyline(String),
}

/// A chapter number in Arabic or Chinese numerals, up to 9999.
#[must_use]
pub fn parse_numeral(text: &str) -> Option<u32> {
    let text: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    if text.is_empty() {
        return None;
    }
    let arabic: Option<String> = text
        .chars()
        .map(|c| match c {
            '０'..='９' => char::from_u32(c as u32 - '０' as u32 + '0' as u32),
            _ => c.is_ascii_digit().then_some(c),
        })
        .collect();
    if let Some(digits) = arabic {
        return (digits.len() <= 6).then(|| digits.parse().ok()).flatten();
    }
    let digit = |c| "零一二三四五六七八九".chars().position(|d| d == c).map(|at| at as u32);
    let (mut total, mut pending, mut positional) = (0u32, None::<u32>, true);
    let mut plain = String::new();
    for c in text.chars() {
        let c = match c {
            '〇' => '零',
            '两' => '二',
            other => other,
        };
        if let Some(value) = digit(c) {
            plain.push(char::from_digit(value, 10)?);
            pending = Some(value);
            continue;
        }
        positional = false;
        let unit = match c {
            '十' => 10,
            '百' => 100,
            '千' => 1000,
            _ => return None,
        };
        total += pending.take().unwrap_or(1).max(u32::from(unit == 10)) * unit;
    }
    if positional && plain.len() > 1 { plain.parse().ok() } else { Some(total + pending.unwrap_or(0)) }
}

/// The chapter number of a heading and its title: `第12章 …`, `第十二章 …`, `12. …`, `Chapter 12: …`, `ch-012 …`.
fn read_heading(heading: &str) -> Option<(u32, String)> {
    let text = heading.trim_start_matches('#').trim().trim_matches('*').trim();
    let separators = [' ', '　', ':', '：', '.', '、', '-', '—'];
    if let Some((number, title)) = numbered(text) {
        return Some((parse_numeral(number)?, bare_title(title.trim_start_matches(separators)).to_owned()));
    }
    let lower = text.to_ascii_lowercase();
    let word =
        ["chapter-", "chapter", "ch-", "ch."].iter().find(|word| lower.starts_with(**word)).map_or(0, |w| w.len());
    let rest = text[word..].trim_start();
    let title = rest.trim_start_matches(|c: char| c.is_ascii_digit());
    let number = rest[..rest.len() - title.len()].parse().ok()?;
    Some((number, bare_title(title.trim_start_matches(separators)).to_owned()))
}

/// What a text does with a foreshadowing by its first word, in Chinese or in English, and what follows that word.
#[must_use]
pub fn read_action(text: &str) -> Option<(Action, &str)> {
    let words: [(&str, Action); 11] = [
        ("埋设", Action::Planted),
        ("埋下", Action::Planted),
        ("planted", Action::Planted),
        ("plant", Action::Planted),
        ("推进", Action::Advanced),
        ("advanced", Action::Advanced),
        ("advance", Action::Advanced),
        ("回收", Action::Resolved),
        ("resolved", Action::Resolved),
        ("resolve", Action::Resolved),
        ("收束", Action::Resolved),
    ];
    words.iter().find_map(|(word, action)| {
        let (begins, rest) = text.split_at_checked(word.len())?;
        begins.eq_ignore_ascii_case(word).then_some((*action, rest))
    })
}

/// Reads `推进 ancient_prophecy：符文与预言同源；埋设 mirror：…`. Parts that name no action and id are remarks.
fn read_tasks(text: &str) -> Vec<Task> {
    let parts = text.split(['；', ';', '\n']);
    parts
        .filter_map(|part| {
            let (action, rest) = read_action(part.trim().trim_start_matches(['-', '*', ' ']))?;
            let rest = rest.trim_start_matches([' ', '　', ':', '：', '`']);
            let id: String = rest
                .chars()
                .take_while(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '-' | '_'))
                .collect();
            let detail = rest[id.len()..].trim_matches([' ', '　', ':', '：', '`', '。', '（', '）', '(', ')']);
            Some(Task { action, id: Slug::new(&id).ok()?, detail: detail.to_owned() })
        })
        .collect()
}

impl Outline {
    /// Reads an outline and reports everything that is wrong with it, in the order of lines.
    ///
    /// # Errors
    /// All the [`OutlineError`]s; never an empty list.
    pub fn parse(text: &str) -> Result<Self, Vec<OutlineError>> {
        let mut outline = Self::default();
        let mut errors = Vec::new();
        let mut open: Option<OpenSection> = None;
        let mut in_comment = false;
        for (index, line) in text.trim_start_matches('\u{feff}').lines().enumerate() {
            // An HTML comment is the template's advice to the author, not a part of the plan.
            let hidden = in_comment || line.trim_start().starts_with("<!--");
            in_comment = hidden && !line.contains("-->");
            if hidden {
                continue;
            }
            if line.starts_with("## ") {
                if let Some(section) = open.take() {
                    section.close(&mut outline, &mut errors);
                }
                open = OpenSection::begin(line, index + 1, &mut errors);
            } else if let Some(section) = &mut open {
                section.read(line, index + 1, &mut errors);
            } else if outline.sections.is_empty() && errors.is_empty() {
                outline.preface.push_str(line);
                outline.preface.push('\n');
            }
        }
        if let Some(section) = open.take() {
            section.close(&mut outline, &mut errors);
        }
        for pair in 1..outline.sections.len() {
            let (wanted, section) = (outline.sections[pair - 1].chapter.next(), &outline.sections[pair]);
            if section.chapter != wanted {
                let problem = Problem::OutOfOrder { found: section.chapter.get(), wanted: wanted.get() };
                errors.push(OutlineError { line: section.line, problem });
            }
        }
        if outline.sections.is_empty() && errors.is_empty() {
            errors.push(OutlineError { line: 1, problem: Problem::Empty });
        }
        errors.sort_by_key(|error| error.line);
        if errors.is_empty() { Ok(outline) } else { Err(errors) }
    }

    /// The section of a chapter.
    #[must_use]
    pub fn section(&self, chapter: ChapterNo) -> Option<&Section> {
        self.sections.iter().find(|section| section.chapter == chapter)
    }

    /// The text that this was read from with other sections for some chapters. Every other line stays as it is, and so do
    /// the comments in a section that is replaced.
    #[must_use]
    pub fn spliced(&self, text: &str, new: &BTreeMap<ChapterNo, String>) -> String {
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        let mut out = String::with_capacity(text.len());
        let mut done = 0;
        for (at, section) in self.sections.iter().enumerate() {
            let Some(source) = new.get(&section.chapter) else { continue };
            let begin = (section.line - 1).min(lines.len());
            let end = self.sections.get(at + 1).map_or(lines.len(), |next| (next.line - 1).min(lines.len()));
            out.extend(lines[done..begin].iter().copied());
            splice(&mut out, &lines[begin..end], source);
            done = end;
        }
        out.extend(lines[done.min(lines.len())..].iter().copied());
        out
    }

    /// The storylines in the order of their first chapter.
    #[must_use]
    pub fn storylines(&self) -> Vec<Slug> {
        let mut lines = Vec::new();
        for section in &self.sections {
            if !lines.contains(&section.storyline) {
                lines.push(section.storyline.clone());
            }
        }
        lines
    }

    /// First and last planned chapter.
    #[must_use]
    pub fn range(&self) -> Option<(ChapterNo, ChapterNo)> {
        Some((self.sections.first()?.chapter, self.sections.last()?.chapter))
    }
}

/// Puts a section in the place of the lines of another, with that one's comments and the empty lines at its end.
fn splice(out: &mut String, lines: &[&str], source: &str) {
    let ending = if lines.first().is_some_and(|line| line.ends_with("\r\n")) { "\r\n" } else { "\n" };
    for line in source.trim_end().lines() {
        out.push_str(line);
        out.push_str(ending);
    }
    let mut in_comment = false;
    let mut hidden: Vec<bool> = Vec::with_capacity(lines.len());
    for line in lines {
        let is_hidden = in_comment || line.trim_start().starts_with("<!--");
        in_comment = is_hidden && !line.contains("-->");
        hidden.push(is_hidden);
    }
    let last = (0..lines.len()).rev().find(|at| !hidden[*at] && !lines[*at].trim().is_empty()).unwrap_or(0);
    let kept = lines.iter().enumerate().filter(|(at, _)| *at > last || hidden[*at]);
    kept.for_each(|(_, line)| out.push_str(line));
}

/// A text on one line.
#[must_use]
pub fn one_line(text: &str) -> String {
    text.lines().map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join("；")
}

/// A chapter's section as it stands in an outline. Values are put on one line each.
#[must_use]
pub fn write_section(chapter: ChapterNo, title: &str, fields: &BTreeMap<Field, String>) -> String {
    let mut text = format!("## 第{}章 {}\n\n", chapter.get(), one_line(title));
    for (field, value) in fields {
        text.push_str(&format!("- {field}: {}\n", one_line(value)));
    }
    text
}

/// A section whose end has not been seen.
struct OpenSection {
    chapter: ChapterNo,
    title: String,
    line: usize,
    fields: BTreeMap<Field, String>,
    current: Option<Field>,
    source: String,
}

impl OpenSection {
    fn begin(heading: &str, line: usize, errors: &mut Vec<OutlineError>) -> Option<Self> {
        let read = read_heading(heading).and_then(|(number, title)| Some((ChapterNo::new(number)?, title)));
        let Some((chapter, title)) = read else {
            errors.push(OutlineError { line, problem: Problem::NoNumber(heading.trim().to_owned()) });
            return None;
        };
        let source = format!("{}\n", heading.trim_end());
        Some(Self { chapter, title, line, fields: BTreeMap::new(), current: None, source })
    }

    fn read(&mut self, text: &str, line: usize, errors: &mut Vec<OutlineError>) {
        self.source.push_str(text.trim_end());
        self.source.push('\n');
        let bare = text.trim().trim_start_matches(['-', '*', '+', ' ']);
        let labelled = bare.split_once([':', '：']).and_then(|(label, rest)| Some((Field::of_label(label)?, rest)));
        if let Some((field, rest)) = labelled {
            let value = rest.trim().trim_start_matches("**").trim().to_owned();
            if self.fields.insert(field, value).is_some() {
                let problem = Problem::Twice { chapter: self.chapter.get(), field };
                errors.push(OutlineError { line, problem });
            }
            self.current = Some(field);
        } else if text.trim().is_empty() {
            // A blank line does not end a field: authors put one between the label and a list.
        } else if let Some(value) = self.current.and_then(|field| self.fields.get_mut(&field)) {
            if !value.is_empty() {
                value.push('\n');
            }
            value.push_str(bare);
        }
    }

    fn close(self, outline: &mut Outline, errors: &mut Vec<OutlineError>) {
        let chapter = self.chapter.get();
        for &field in Field::ALL.iter().filter(|field| field.is_required()) {
            if self.fields.get(&field).is_none_or(|value| value.trim().is_empty()) {
                errors.push(OutlineError { line: self.line, problem: Problem::Lacks { chapter, field } });
            }
        }
        let written = self.fields.get(&Field::Storyline).map_or("", String::as_str);
        let id = written.trim_matches(['`', ' ']).split(['（', '(', ' ', '，', ',']).next().unwrap_or_default();
        let storyline = match Slug::new(id) {
            Ok(storyline) => storyline,
            Err(_) if written.is_empty() => return,
            Err(_) => {
                let problem = Problem::Storyline(written.to_owned());
                errors.push(OutlineError { line: self.line, problem });
                return;
            }
        };
        let tasks = read_tasks(self.fields.get(&Field::Foreshadowing).map_or("", String::as_str));
        outline.sections.push(Section {
            chapter: self.chapter,
            title: if self.title.is_empty() { format!("第{chapter}章") } else { self.title },
            line: self.line,
            storyline,
            fields: self.fields,
            tasks,
            source: self.source.trim_end().to_owned(),
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const TWO: &str = "# 第一卷 潮信\n\n给自己的话。\n\n## 第1章 密信\n\n- 故事线: main-arc（主线）\n- 视角: 林枫\n- 地点: 魔都外城\n\
        - 冲突: 信使死在门前\n- 人物弧光: 从旁观到卷入\n- 伏笔: 埋设 ancient_prophecy：信纸背面的符文；其余照旧\n- 状态变化:\n  - 林枫得到密信\n  - 林枫起疑\n\n\
        ## Chapter 2: Ruins\n**Storyline**: sea-plan\n**POV**: 许青\n**Location**：码头\nConflict: x\nArc: y\nForeshadowing: 无\nStateChanges: z\n";

    #[test]
    fn both_notations_are_read() {
        let outline = Outline::parse(TWO).unwrap();
        assert_eq!(outline.preface.trim(), "# 第一卷 潮信\n\n给自己的话。");
        let [one, two] = &outline.sections[..] else { panic!("{outline:?}") };
        assert_eq!((one.title.as_str(), one.storyline.as_str(), one.line), ("密信", "main-arc", 5));
        assert_eq!(one.field(Field::StateChanges), "林枫得到密信\n林枫起疑");
        let task = Task {
            action: Action::Planted,
            id: Slug::new("ancient_prophecy").unwrap(),
            detail: "信纸背面的符文".into(),
        };
        assert_eq!(one.tasks, [task]);
        assert_eq!((two.title.as_str(), two.field(Field::Location), two.tasks.len()), ("Ruins", "码头", 0));
        assert_eq!(outline.storylines().len(), 2);
        let marked = format!("\u{feff}{}", &TWO[TWO.find("## 第1章").unwrap()..]);
        assert_eq!(
            Outline::parse(&marked).unwrap().sections.len(),
            2,
            "a byte order mark is no part of the first line"
        );
    }

    #[test]
    fn every_mistake_is_named_with_its_line() {
        let problems = |text: &str| -> Vec<(usize, String)> {
            Outline::parse(text).unwrap_err().into_iter().map(|e| (e.line, e.problem.to_string())).collect()
        };
        assert_eq!(problems("")[0].0, 1);
        assert!(problems("# 卷\n\n## 尾声\n")[0].1.contains("no chapter number"));
        let lacking = TWO.replace("- 冲突: 信使死在门前\n", "");
        assert_eq!(problems(&lacking), [(5, "chapter 1 lacks `冲突` (Conflict)".to_owned())]);
        let gap = TWO.replace("Chapter 2", "Chapter 3");
        assert_eq!(problems(&gap)[0].1, "chapter 3 stands where chapter 2 should");
        assert!(problems(&TWO.replace("sea-plan", "靖海"))[0].1.contains("not an id"));
        let twice = problems(&TWO.replace("- 地点: 魔都外城", "- 视角: 许青"));
        assert!(twice.iter().any(|(line, problem)| *line == 9 && problem.contains("twice")), "{twice:?}");
    }

    #[test]
    fn a_title_keeps_its_own_numbers_and_words() {
        let section = TWO.split_once("## 第1章 密信").unwrap().1.split_once("## Chapter 2").unwrap().0;
        let title =
            |heading: &str| Outline::parse(&format!("## {heading}{section}")).unwrap().sections[0].title.clone();
        for own in ["404号房", "24小时", "1937年的雨", "Chapter House", "夜读《史记》", "第二章没有写完", "Ch. 3"]
        {
            for number in ["第1章 ", "第一章：", "Chapter 1: ", "1. ", "第１章 — "] {
                assert_eq!(title(&format!("{number}{own}")), own, "{number}");
            }
        }
        assert_eq!((title("第1章 《密信》"), title("第1章")), ("密信".to_owned(), "第1章".to_owned()));
    }

    #[test]
    fn advice_in_comments_is_not_a_plan() {
        let commented = format!("<!--\n## 第9章 样例\n-->\n{TWO}");
        assert_eq!(Outline::parse(&commented).unwrap().sections.len(), 2);
    }

    #[test]
    fn a_section_is_replaced_and_every_other_line_stays() {
        let text = format!("{}\n\n<!-- 留着\n## 不是章 -->\n", TWO.replace("- 冲突:", "<!-- 再想想 -->\n- 冲突:"));
        let outline = Outline::parse(&text).unwrap();
        let fields = BTreeMap::from([(Field::Storyline, "main-arc".to_owned()), (Field::Conflict, "换了".to_owned())]);
        let new = BTreeMap::from([(ChapterNo::FIRST, write_section(ChapterNo::FIRST, "新信", &fields))]);
        let spliced = outline.spliced(&text, &new);
        let (head, rest) = text.split_once("## 第1章").unwrap();
        let tail = rest.split_once("## Chapter 2").unwrap().1;
        let section = "## 第1章 新信\n\n- 故事线: main-arc\n- 冲突: 换了\n<!-- 再想想 -->\n\n## Chapter 2";
        assert_eq!(spliced, format!("{head}{section}{tail}"));
        assert_eq!(outline.spliced(&text, &BTreeMap::new()), text);
        // The last section, without an end of line and with those of Windows.
        let windows = text.trim_end().replace('\n', "\r\n");
        let second = BTreeMap::from([(ChapterNo::FIRST.next(), "## 第2章 x\n- 冲突: y".to_owned())]);
        let spliced = Outline::parse(&windows).unwrap().spliced(&windows, &second);
        assert!(spliced.contains("## 第2章 x\r\n- 冲突: y\r\n") && spliced.ends_with("## 不是章 -->"), "{spliced:?}");
    }

    #[test]
    fn numerals_of_all_kinds() {
        let table = [
            ("12", 12),
            ("０４８", 48),
            ("十", 10),
            ("十二", 12),
            ("二十", 20),
            ("一百零三", 103),
            ("一百二十", 120),
            ("两千零一", 2001),
            ("一二三", 123),
            ("二〇〇", 200),
            ("七", 7),
        ];
        for (text, number) in table {
            assert_eq!(parse_numeral(text), Some(number), "{text}");
        }
        assert_eq!(parse_numeral("道"), None);
        assert_eq!(parse_numeral(""), None);
    }

    proptest! {
        #[test]
        fn reading_never_panics(text in "(## ?|第|章|一|十|12|- |故事线|：|:|\\n|main-arc|[a-z ]|<!--|-->){0,60}") {
            let _ = Outline::parse(&text);
        }
    }
}
