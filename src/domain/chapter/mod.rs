//! A chapter's text: a title and prose in Markdown. A chapter in scenes: the plan, and the progress.

pub mod author_notes;
pub mod evaluation;
mod gate;
pub mod stage;
pub mod summary;

pub use crate::domain::chapter::author_notes::{FindingId, FindingIdError, Waiver, Waivers};
pub use crate::domain::chapter::gate::{Gate, MAX_REWRITES, Mode, Thresholds, Tries, decide};
use crate::domain::notation::parse_numeral;
use crate::domain::prelude::*;
use std::borrow::Cow;
use std::ops::RangeInclusive;

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

/// The fewest scenes of a chapter written in scenes.
pub const FEWEST: usize = 2;
pub const MOST: usize = 6;

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Scene {
    /// The purpose in the chapter.
    pub goal: String,
    /// Place and time.
    pub place: String,
    pub people: Vec<String>,
    pub conflict: String,
    /// The change by the end of the scene.
    pub turn: String,
    /// The share of the chapter's words in hundredths; 0 where the plan does not say.
    pub share: u32,
}

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct ScenePlan {
    pub scenes: Vec<Scene>,
}

impl ScenePlan {
    pub fn count(&self) -> u32 {
        u32::try_from(self.scenes.len()).unwrap_or(u32::MAX)
    }

    pub fn scene(&self, number: u32) -> Option<&Scene> {
        self.scenes.get(number.checked_sub(1)? as usize)
    }

    /// The fewest and the most words of a scene, after `words` words of a chapter that should have as many as `wanted`:
    /// the rest is divided by shares, so that later scenes make up for a short one. No scene has to be more than twice
    /// as long as planned, or may be less than half.
    pub fn span(&self, number: u32, words: u32, wanted: &RangeInclusive<u32>) -> RangeInclusive<u32> {
        let shares = self.shares();
        let from = (number.saturating_sub(1) as usize).min(shares.len());
        let (own, left) = (shares.get(from).copied().unwrap_or(1), shares[from..].iter().sum::<u64>().max(1));
        let of = |total: u32| {
            let planned = (u64::from(total) * own / shares.iter().sum::<u64>().max(1)).max(1);
            let wanted = u64::from(total.saturating_sub(words)) * own / left;
            u32::try_from(wanted.clamp(planned.div_ceil(2), planned * 2)).unwrap_or(u32::MAX)
        };
        let fewest = of(*wanted.start());
        fewest..=of(*wanted.end()).max(fewest)
    }

    /// The weight of each scene; all are equal when a scene has none.
    fn shares(&self) -> Vec<u64> {
        let even = self.scenes.iter().any(|scene| scene.share == 0);
        self.scenes.iter().map(|scene| if even { 1 } else { u64::from(scene.share) }).collect()
    }
}

/// The progress of a chapter written in scenes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Scenes {
    pub written: u32,
    pub planned: u32,
}

impl Scenes {
    pub fn are_open(self) -> bool {
        self.written < self.planned
    }
}

/// The number of a scene and of all scenes: `2/4`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct SceneNo {
    pub number: u32,
    pub of: u32,
}

impl fmt::Display for SceneNo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

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

    fn plan(shares: &[u32]) -> ScenePlan {
        ScenePlan { scenes: shares.iter().map(|&share| Scene { share, ..Scene::default() }).collect() }
    }

    #[test]
    fn what_is_left_is_divided_by_shares() {
        assert_eq!(plan(&[0, 0, 0, 0]).span(1, 0, &(2000..=3000)), 500..=750);
        let plan = plan(&[20, 30, 50]);
        assert_eq!(plan.span(1, 0, &(1000..=1500)), 200..=300);
        assert_eq!(plan.span(3, 500, &(1000..=1500)), 500..=1000);
        assert_eq!(plan.span(3, 300, &(1000..=1500)), 700..=1200, "short scenes are made up for");
        assert_eq!(plan.span(3, 2000, &(1000..=1500)), 250..=375, "and a scene is never crowded out");
        assert_eq!(plan.scene(0), None);
    }

    proptest! {
        #[test]
        fn scenes_of_the_wanted_length_make_a_chapter_of_the_wanted_length(
            shares in prop::collection::vec(0u32..60, 1..7),
            (least, more) in (200u32..5000, 0u32..2000),
            place in 0.0f64..=1.0,
        ) {
            let plan = plan(&shares);
            let mut words = 0;
            for number in 1..=plan.count() {
                let (fewest, most) = plan.span(number, words, &(least..=least + more)).into_inner();
                words += fewest + (f64::from(most - fewest) * place) as u32;
            }
            // Divisions round.
            let slack = 2 * plan.count();
            prop_assert!((least..=least + more + slack).contains(&(words + slack)), "{words}");
        }

        #[test]
        fn any_scene_of_any_plan_has_a_length(shares in prop::collection::vec(any::<u32>(), 0..7), number: u32, words: u32, least: u32, most: u32) {
            let (fewest, most) = plan(&shares).span(number, words, &(least..=most)).into_inner();
            prop_assert!(0 < fewest && fewest <= most);
        }
    }
}
