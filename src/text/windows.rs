//! Windows: stretches of whole paragraphs of about the same length, each within a scene where scenes are long enough.

use crate::text::prelude::*;

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
pub fn windows(text: &str) -> Vec<Window> {
    let target = LENGTH.max(text.chars().count() / PARTS);
    let mut cutter = Cutter { windows: Vec::new(), text: String::new(), chars: 0, begun: 1 };
    let mut scene = 1;
    for paragraph in paragraphs(text) {
        match paragraph.block {
            BlockKind::Heading => {}
            BlockKind::SceneBreak => {
                scene += 1;
                cutter.cut_from(target.div_ceil(2));
            }
            BlockKind::Prose if paragraph.text.chars().count() > 2 * target => {
                for sentence in sentences(paragraph.text) {
                    cutter.add(sentence.raw, scene);
                    cutter.cut_from(target);
                }
                cutter.end_line();
            }
            BlockKind::Prose => {
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
            let prose: String = paragraphs(&text).iter().filter(|p| p.block == BlockKind::Prose).map(|p| p.text).collect();
            let kept: String = found.iter().map(|window| window.text.as_str()).collect();
            prop_assert_eq!(letters(&kept), letters(&prose));
        }
    }
}
