//! Pieces of a text. Excerpts of a sample: short runs of whole paragraphs that show how an author writes one kind of scene.
//! Extracts of a long text: its beginning, middle and end. Windows: stretches of whole paragraphs of about the same length,
//! each within a scene where scenes are long enough.

use crate::text::chars::han_count;
use crate::text::prelude::*;
use crate::text::quotes::quotes;

/// The lengths of an excerpt, in characters: a shorter one shows too little, a longer one takes the room of two.
const SHORTEST: usize = 80;
const LONGEST: usize = 240;
/// An excerpt is dialogue from this share of Han characters in quotation marks on.
const DIALOGUE: f64 = 0.3;
/// An excerpt is an action up to this share of Han characters in quotation marks.
const ACTION: f64 = 0.1;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ExcerptKind {
    Dialogue,
    /// People act and hardly speak.
    Action,
    Ending,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Excerpt {
    pub kind: ExcerptKind,
    /// The paragraphs, a line each; 80 to 240 characters.
    pub text: String,
}

/// The excerpts of a text: the last paragraphs of each chapter are an ending, runs of paragraphs before them are
/// dialogue or action. Mixtures and long paragraphs are left out. Excerpts do not overlap.
pub fn excerpts(text: &str) -> Vec<Excerpt> {
    let mut found = Vec::new();
    let mut chapter: Vec<&str> = Vec::new();
    for paragraph in paragraphs(text) {
        match paragraph.block {
            BlockKind::Prose => chapter.push(paragraph.text),
            BlockKind::Heading => of_chapter(&std::mem::take(&mut chapter), &mut found),
            BlockKind::SceneBreak => {}
        }
    }
    of_chapter(&chapter, &mut found);
    found
}

fn of_chapter(paragraphs: &[&str], found: &mut Vec<Excerpt>) {
    let mut last = paragraphs.len();
    let mut length = 0;
    while last > 0 && length + chars(paragraphs[last - 1]) <= LONGEST {
        last -= 1;
        length += chars(paragraphs[last]);
    }
    let (body, end) = paragraphs.split_at(last);
    let mut rest = body;
    while let Some((run, after)) = next_run(rest) {
        let text = run.join("\n");
        found.extend(kind(&text).map(|kind| Excerpt { kind, text }));
        rest = after;
    }
    // A sample that is all ending may be a fragment.
    if length >= SHORTEST && !body.is_empty() {
        found.push(Excerpt { kind: ExcerptKind::Ending, text: end.join("\n") });
    }
}

/// The first run of paragraphs that is long enough and not too long, and what follows it.
fn next_run<'a, 'p>(paragraphs: &'a [&'p str]) -> Option<(&'a [&'p str], &'a [&'p str])> {
    let mut first = 0;
    let mut length = 0;
    for (at, paragraph) in paragraphs.iter().enumerate() {
        length += chars(paragraph);
        while length > LONGEST {
            length -= chars(paragraphs[first]);
            first += 1;
        }
        if length >= SHORTEST {
            return Some((&paragraphs[first..=at], &paragraphs[at + 1..]));
        }
    }
    None
}

/// The kind of a run by its share of speech; `None` for a mixture.
fn kind(text: &str) -> Option<ExcerptKind> {
    let said: usize = quotes(text).iter().map(|quote| han_count(&text[quote.inner.clone()])).sum();
    let share = said as f64 / han_count(text).max(1) as f64;
    match share {
        _ if share >= DIALOGUE => Some(ExcerptKind::Dialogue),
        _ if share <= ACTION => Some(ExcerptKind::Action),
        _ => None,
    }
}

fn chars(text: &str) -> usize {
    text.chars().count()
}

/// Returns the text where it has at most `limit` characters, and otherwise three parts of at most a third of that each, from
/// the beginning, around the middle and at the end, in order. Parts consist of whole sentences; a text without any is cut.
pub fn extracts(text: &str, limit: usize) -> Vec<&str> {
    let text = text.trim();
    let total = text.chars().count();
    if total <= limit {
        return vec![text];
    }
    let part = limit / 3;
    // The places, in characters, at which a part may begin and end.
    let mut borders: Vec<(usize, usize)> = Vec::new();
    let mut chars = 0;
    for sentence in sentences(text) {
        borders.push((chars, sentence.start));
        chars += sentence.raw.chars().count();
    }
    borders.push((total, text.len()));
    let middle = (total - part) / 2;
    let parts = [0, middle, total - part].map(|from| within(text, &borders, (from, from + part)));
    parts.into_iter().filter(|part| !part.is_empty()).collect()
}

/// The longest run of whole sentences between two places, given in characters; or the text between them without such a run.
fn within<'t>(text: &'t str, borders: &[(usize, usize)], (from, to): (usize, usize)) -> &'t str {
    let first = borders.iter().find(|(at, _)| *at >= from);
    let last = borders.iter().rev().find(|(at, _)| *at <= to);
    match (first, last) {
        (Some((_, start)), Some((_, end))) if start < end => text[*start..*end].trim(),
        _ => {
            let byte = |n: usize| text.char_indices().nth(n).map_or(text.len(), |(at, _)| at);
            text[byte(from)..byte(to)].trim()
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

    #[test]
    fn a_sample_gives_dialogue_action_and_the_end_of_each_chapter() {
        let talk = "“船什么时候开？”他把票按在桌上，不肯松手，眼睛只看着门。\n“等风。”\n".repeat(6);
        let act = "他翻过栏杆，脚下一滑，手先抓住了缆绳，整个人贴在船舷上，听着上面的脚步过去。\n".repeat(6);
        let end = "灯灭了。江面上只剩下一点水声，那张票还捏在他手里，已经湿透了。\n".repeat(5);
        let sample = format!("# 第一章\n\n{talk}{act}{end}# 第二章\n\n{act}{end}");
        let kinds: Vec<ExcerptKind> = excerpts(&sample).into_iter().map(|excerpt| excerpt.kind).collect();
        assert!(kinds.contains(&ExcerptKind::Dialogue) && kinds.contains(&ExcerptKind::Action), "{kinds:?}");
        assert_eq!(kinds.iter().filter(|kind| **kind == ExcerptKind::Ending).count(), 2);
        let endings = excerpts(&sample).into_iter().filter(|excerpt| excerpt.kind == ExcerptKind::Ending);
        assert!(endings.into_iter().all(|ending| ending.text.ends_with("已经湿透了。")));
        assert_eq!(excerpts("短。\n"), []);
    }

    proptest! {
        #[test]
        fn an_excerpt_is_whole_paragraphs_of_bounded_length(
            lines in proptest::collection::vec("[#“”甲乙丙丁，。]{0,120}", 0..30)
        ) {
            let text = lines.join("\n");
            for excerpt in excerpts(&text) {
                let length: usize = excerpt.text.lines().map(chars).sum();
                prop_assert!((SHORTEST..=LONGEST).contains(&length));
                prop_assert!(excerpt.text.lines().all(|line| lines.iter().any(|known| known.trim() == line)));
            }
        }
    }

    #[test]
    fn a_long_text_is_read_at_its_beginning_middle_and_end() {
        let text: String =
            (1..=60).map(|n| format!("第{n}句，他往前走了一步。{}", if n % 5 == 0 { "\n" } else { "" })).collect();
        let parts = extracts(&text, 90);
        assert_eq!(parts.len(), 3);
        assert!(parts[0].starts_with("第1句") && parts[2].ends_with("第60句，他往前走了一步。"), "{parts:?}");
        assert!(parts[1].contains("第30句") || parts[1].contains("第31句"), "{parts:?}");
        assert!(parts.iter().all(|part| part.starts_with('第') && part.ends_with('。')), "{parts:?}");
        assert_eq!(extracts("雨停了。", 90), ["雨停了。"]);
    }

    proptest! {
        #[test]
        fn parts_stand_in_the_text_in_order_and_fit(text in "[天地人，。“”\n]{0,200}", limit in 3..80usize) {
            let parts = extracts(&text, limit);
            prop_assert!(parts.iter().map(|part| part.chars().count()).sum::<usize>() <= limit);
            let mut at = 0;
            for part in parts {
                let found = text[at..].find(part);
                prop_assert!(found.is_some());
                at += found.unwrap_or(0) + part.len();
            }
        }
    }

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
