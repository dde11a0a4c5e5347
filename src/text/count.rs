//! The scripts of a text: Han characters, simplified or traditional, and letters of other languages.
//!
//! Windows: stretches of whole paragraphs of about the same length, each within a scene where scenes are long enough.

use crate::text::chars::is_wide_letter;
use crate::text::prelude::*;
use encoding_rs::{BIG5, GBK};
use std::ops::Add;

/// Characters of a text by script.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Scripts {
    han: usize,
    /// Han characters that only texts in simplified characters have; 21 to 31 % in each of twenty chapters of three novels.
    simplified: usize,
    /// Han characters that only texts in traditional characters have; at most 0.1 % in the same chapters.
    traditional: usize,
    latin: usize,
    /// Letters that are neither Han nor Latin: kana, Hangul, Cyrillic.
    other: usize,
}

/// A script that a text has far more of than those before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Script {
    Latin,
    Other,
    Simplified,
    Traditional,
}

/// Below so many letters, shares are chance.
const ENOUGH: usize = 100;
/// Points by which a share of letters exceeds the usual one in a text of another language.
const FOREIGN_LATIN: f64 = 0.25;
const FOREIGN_OTHER: f64 = 0.05;
/// Share of Han characters of the other orthography in a text that is written in it, at least in part.
const ORTHOGRAPHY: f64 = 0.05;

impl Scripts {
    pub(crate) const NONE: Self = Self { han: 0, simplified: 0, traditional: 0, latin: 0, other: 0 };

    #[must_use]
    pub fn of(text: &str) -> Self {
        let mut scripts = Self::NONE;
        for c in text.chars() {
            if is_han(c) {
                scripts.han += 1;
                match (is_in_gb2312(c), is_in_big5(c)) {
                    (true, false) => scripts.simplified += 1,
                    (false, true) => scripts.traditional += 1,
                    _ => {}
                }
            } else if c.is_ascii_alphabetic() {
                scripts.latin += 1;
            } else if !c.is_ascii() && c.is_alphabetic() && !('\u{FF21}'..='\u{FF5A}').contains(&c) {
                scripts.other += 1;
            }
        }
        scripts
    }

    /// The script that this text has far more of than `usual`, and its share in percent; `None` for a short text.
    #[must_use]
    pub fn unlike(self, usual: Self) -> Option<(Script, u32)> {
        let letters = |scripts: Self| scripts.han + scripts.latin + scripts.other;
        if letters(self) < ENOUGH {
            return None;
        }
        let share = |part: usize, whole: usize| if whole < ENOUGH { 0.0 } else { part as f64 / whole as f64 };
        let of_letters =
            |count: fn(Self) -> usize| (share(count(self), letters(self)), share(count(usual), letters(usual)));
        let of_han = |count: fn(Self) -> usize| (share(count(self), self.han), share(count(usual), usual.han));
        let is_simplified = usual.han >= ENOUGH && usual.simplified > usual.traditional;
        let is_traditional = usual.han >= ENOUGH && usual.traditional > usual.simplified;
        let found = [
            (Script::Other, of_letters(|scripts| scripts.other), FOREIGN_OTHER, true),
            (Script::Latin, of_letters(|scripts| scripts.latin), FOREIGN_LATIN, true),
            (Script::Traditional, of_han(|scripts| scripts.traditional), ORTHOGRAPHY, is_simplified),
            (Script::Simplified, of_han(|scripts| scripts.simplified), ORTHOGRAPHY, is_traditional),
        ];
        let is_foreign =
            |(_, (own, usual), more, counts): &(Script, (f64, f64), f64, bool)| *counts && own - usual > *more;
        found.into_iter().find(is_foreign).map(|(script, (own, _), ..)| (script, (own * 100.0).round() as u32))
    }
}

impl Add for Scripts {
    type Output = Self;

    fn add(self, more: Self) -> Self {
        Self {
            han: self.han + more.han,
            simplified: self.simplified + more.simplified,
            traditional: self.traditional + more.traditional,
            latin: self.latin + more.latin,
            other: self.other + more.other,
        }
    }
}

/// True for the Han characters of GB 2312, the standard for simplified characters: rows 16 to 87 of GBK's second half.
fn is_in_gb2312(c: char) -> bool {
    let mut buffer = [0; 4];
    let (bytes, _, is_lossy) = GBK.encode(c.encode_utf8(&mut buffer));
    !is_lossy && matches!(bytes[..], [0xB0..=0xF7, 0xA1..=0xFE])
}

/// True for the Han characters of Big5, the encoding of traditional characters.
fn is_in_big5(c: char) -> bool {
    let mut buffer = [0; 4];
    let (_, _, is_lossy) = BIG5.encode(c.encode_utf8(&mut buffer));
    !is_lossy
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Count {
    /// Words as Chinese web platforms count them: each Han character, kana or Hangul syllable is one, each run of Latin
    /// letters and digits is one, punctuation is nothing.
    pub words: usize,
    /// Han characters and words, with every punctuation mark and symbol counted as one.
    pub words_with_punctuation: usize,
    /// Han characters alone, the base of every rate in this room.
    pub han: usize,
}

/// Characters without blanks and line breaks, as editors count them.
#[must_use]
pub fn characters(text: &str) -> usize {
    text.chars().filter(|c| !c.is_whitespace()).count()
}

impl Count {
    pub fn of(text: &str) -> Self {
        let mut count = Self::default();
        let mut marks = 0;
        let mut chars = text.chars().peekable();
        let mut in_run = false;
        while let Some(c) = chars.next() {
            if is_wide_letter(c) {
                count.words += 1;
                count.han += usize::from(is_han(c));
                in_run = false;
            } else if is_letter(c) {
                count.words += usize::from(!in_run);
                in_run = true;
            } else {
                // 3.14, 10,000, don't and AK-47 are one word each.
                let joins = in_run
                    && matches!(c, '.' | ',' | '\'' | '’' | '-' | '_')
                    && chars.peek().is_some_and(|&next| is_letter(next) && !is_wide_letter(next));
                if !joins {
                    marks += usize::from(!c.is_whitespace() && !c.is_control());
                    in_run = false;
                }
            }
        }
        count.words_with_punctuation = count.words + marks;
        count
    }

    /// Counts the paragraphs of the story only: no headings, no scene breaks.
    pub fn of_prose(text: &str) -> Self {
        paragraphs(text)
            .iter()
            .filter(|p| p.block == Block::Prose)
            .fold(Self::default(), |sum, p| sum + Self::of(p.text))
    }
}

impl Add for Count {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            words: self.words + other.words,
            words_with_punctuation: self.words_with_punctuation + other.words_with_punctuation,
            han: self.han + other.han,
        }
    }
}

/// `hits` per 1,000 Han characters; 0 for a text without Han characters.
pub fn per_thousand(hits: usize, han: usize) -> f64 {
    if han == 0 { 0.0 } else { hits as f64 * 1000.0 / han as f64 }
}

#[cfg(test)]
mod count_tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn words_are_counted_as_platforms_count_them() {
        let count = Count::of("他用 AK-47 打了 3.5 发，“砰！”don't……");
        // 他用 打了 发 砰 are six; AK-47, 3.5 and don't one each.
        assert_eq!(count.words, 9);
        assert_eq!(count.han, 6);
        // ，“！”……
        assert_eq!(count.words_with_punctuation, 9 + 6);
    }

    #[test]
    fn headings_count_only_when_everything_is_counted() {
        let text = "# 第一章 夜雨\n\n雨停了。\n\n---\n\n天亮了。";
        assert_eq!(Count::of_prose(text).words, 6);
        assert_eq!(Count::of_prose(text).words_with_punctuation, 8);
        assert_eq!(Count::of(text).words, 11);
    }

    #[test]
    fn rates_of_nothing_are_zero() {
        assert_eq!(per_thousand(3, 0), 0.0);
        assert_eq!(per_thousand(3, 1500), 2.0);
    }

    proptest! {
        #[test]
        fn counts_add_up_over_paragraphs(parts in proptest::collection::vec("[天地人a1。，“” .'-]{0,20}", 0..6)) {
            let whole = parts.join("\n");
            let sum = parts.iter().fold(Count::default(), |sum, part| sum + Count::of(part));
            prop_assert_eq!(Count::of(&whole), sum);
            let prose = parts.iter().fold(Count::default(), |sum, part| sum + Count::of_prose(part));
            prop_assert_eq!(Count::of_prose(&whole), prose);
        }
    }
}

/// The least characters of a window that ends at a paragraph.
const LENGTH: usize = 400;
/// Longer texts have longer windows, so that there are at most [`MOST_WINDOWS`].
const PARTS: usize = 12;

pub const MOST_WINDOWS: usize = 2 * PARTS + 1;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Window {
    /// The scene in which the window begins, counted from 1. Scenes are parted by lines of rule characters.
    pub scene: u32,
    /// The paragraphs of the window, a line each, without headings and scene breaks.
    pub text: String,
}

/// Cuts the prose of a text into windows, at most [`MOST_WINDOWS`]. A window ends with the paragraph in which it gets
/// long enough, inside a paragraph only where that is very long, and with its scene unless the scene is short.
#[must_use]
pub fn windows(text: &str) -> Vec<Window> {
    let target = LENGTH.max(text.chars().count() / PARTS);
    let mut cutter = Cutter { windows: Vec::new(), text: String::new(), chars: 0, begun: 1 };
    let mut scene = 1;
    for paragraph in paragraphs(text) {
        match paragraph.block {
            Block::Heading => {}
            Block::SceneBreak => {
                scene += 1;
                cutter.cut_from(target.div_ceil(2));
            }
            Block::Prose if paragraph.text.chars().count() > 2 * target => {
                for sentence in sentences(paragraph.text) {
                    cutter.add(sentence.raw, scene);
                    cutter.cut_from(target);
                }
                cutter.end_line();
            }
            Block::Prose => {
                cutter.add(paragraph.text, scene);
                cutter.end_line();
                cutter.cut_from(target);
            }
        }
    }
    cutter.cut_from(1);
    cutter.windows
}

struct Cutter {
    windows: Vec<Window>,
    text: String,
    chars: usize,
    /// The scene in which the window that is being filled begins.
    begun: u32,
}

impl Cutter {
    fn add(&mut self, text: &str, scene: u32) {
        if self.chars == 0 {
            self.begun = scene;
        }
        self.text.push_str(text);
        self.chars += text.chars().count();
    }

    fn end_line(&mut self) {
        if !self.text.is_empty() {
            self.text.push('\n');
        }
    }

    /// Ends the window when it has at least `least` characters.
    fn cut_from(&mut self, least: usize) {
        if self.chars >= least {
            let text = std::mem::take(&mut self.text).trim().to_owned();
            self.windows.push(Window { scene: self.begun, text });
            self.chars = 0;
        }
    }
}

/// Returns the beginning of a text in whole sentences, at most `most` characters; a longer first sentence is cut, with
/// dots behind it.
#[must_use]
pub fn opening(text: &str, most: usize) -> String {
    let (mut end, mut chars) = (0, 0);
    for sentence in sentences(text) {
        chars += sentence.raw.trim_end().chars().count();
        if chars > most {
            break;
        }
        chars += sentence.raw.chars().count() - sentence.raw.trim_end().chars().count();
        end = sentence.start + sentence.raw.len();
    }
    match text[..end].trim() {
        "" if text.trim().chars().count() > most => {
            format!("{}…", text.trim().chars().take(most).collect::<String>())
        }
        "" => text.trim().to_owned(),
        whole => whole.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIMPLIFIED: &str = "雨停了。林枫收起信，往北门走。这时候守门人说话了，声音很轻，像是怕惊动什么人。";
    const TRADITIONAL: &str = "雨停了。林楓收起信，往北門走。這時候守門人說話了，聲音很輕，像是怕驚動什麼人。";

    fn unlike(text: &str, usual: &str) -> Option<Script> {
        let of = |text: &str| Scripts::of(&text.repeat(8));
        of(text).unlike(of(usual)).map(|(script, _)| script)
    }

    #[test]
    fn another_language_or_orthography_than_the_books_is_told() {
        let english = "The rain had stopped. He put the letter away and walked to the gate.";
        let japanese = "雨が止んだ。彼は手紙をしまって、北の門へ歩いていった。";
        for (text, usual, script) in [
            (english, SIMPLIFIED, Some(Script::Latin)),
            (japanese, SIMPLIFIED, Some(Script::Other)),
            (&format!("{SIMPLIFIED}{english}"), SIMPLIFIED, Some(Script::Latin)),
            (TRADITIONAL, SIMPLIFIED, Some(Script::Traditional)),
            (&format!("{SIMPLIFIED}{TRADITIONAL}"), SIMPLIFIED, Some(Script::Traditional)),
            (SIMPLIFIED, TRADITIONAL, Some(Script::Simplified)),
            (SIMPLIFIED, SIMPLIFIED, None),
            (TRADITIONAL, TRADITIONAL, None),
            (&format!("{SIMPLIFIED}他回了一句OK，又看了看GPS。"), SIMPLIFIED, None),
            // The book's own way of writing is no fault, and a book without a text yet has none.
            (&format!("{SIMPLIFIED}{english}"), &format!("{SIMPLIFIED}{english}"), None),
            (TRADITIONAL, "", None),
            (english, "", Some(Script::Latin)),
        ] {
            assert_eq!(unlike(text, usual), script, "{text}");
        }
        assert_eq!(Scripts::of(english).unlike(Scripts::default()), None, "too short to tell");
    }
}

#[cfg(test)]
mod windows_tests {
    use super::*;
    use proptest::prelude::*;

    fn letters(text: &str) -> String {
        text.chars().filter(|c| !c.is_whitespace()).collect()
    }

    #[test]
    fn windows_are_whole_paragraphs_of_one_scene() {
        let paragraph = |c: char| format!("{}。", c.to_string().repeat(149));
        let text = [
            "# 第1章 灯",
            &paragraph('甲'),
            &paragraph('乙'),
            &paragraph('丙'),
            &paragraph('丁'),
            "***",
            &paragraph('戊'),
        ];
        let found = windows(&text.join("\n\n"));
        let shape: Vec<(u32, usize)> = found.iter().map(|window| (window.scene, window.text.lines().count())).collect();
        assert_eq!(shape, [(1, 3), (1, 2)], "a short end of a scene goes with the next one");
        let long = ["甲", "乙"].map(|c| paragraph(c.chars().next().unwrap()).repeat(2));
        let found = windows(&format!("{}\n\n***\n\n{}", long[0], long[1]));
        assert_eq!(found.iter().map(|window| window.scene).collect::<Vec<_>>(), [1, 2]);
        assert!(windows("# 第1章 灯\n\n").is_empty());
    }

    #[test]
    fn a_long_paragraph_is_cut_between_sentences() {
        let text = format!("{}。", "夜".repeat(99)).repeat(20);
        let found = windows(&text);
        assert!(found.len() > 3 && found.iter().all(|window| window.text.ends_with('。')), "{}", found.len());
    }

    #[test]
    fn an_opening_ends_with_a_sentence() {
        assert_eq!(opening("灯灭了。\n门开了。风很大。", 9), "灯灭了。\n门开了。");
        assert_eq!((opening("灯灭了。", 2), opening(" ", 3)), ("灯灭…".into(), String::new()));
    }

    proptest! {
        #[test]
        fn nothing_is_lost_and_windows_are_few(text in "([夜灯信。！\n]{0,60}|\\*\\*\\*\n){0,60}") {
            let found = windows(&text);
            prop_assert!(found.len() <= MOST_WINDOWS, "{}", found.len());
            prop_assert!(found.iter().all(|window| !window.text.is_empty()));
            let prose: String = paragraphs(&text).iter().filter(|p| p.block == Block::Prose).map(|p| p.text).collect();
            let kept: String = found.iter().map(|window| window.text.as_str()).collect();
            prop_assert_eq!(letters(&kept), letters(&prose));
        }
    }
}
