//! The scripts of a text: Han characters, simplified or traditional, and letters of other languages.

use crate::text::prelude::*;
use encoding_rs::{BIG5, GBK};
use std::cmp::Ordering;
use std::ops::Add;

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
/// Letters of paragraphs one after the other that are a part in another language, and no sign, letter or line of a song: where the
/// story leads up to them or they are speech, and elsewhere.
const LATIN_PART: [usize; 2] = [300, 60];
const OTHER_PART: [usize; 2] = [100, 30];
const ORTHOGRAPHY_PART: [usize; 2] = [100, 100];
/// Share of letters in a book that has such parts of its own.
const AT_HOME: f64 = 0.02;

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
        if self.letters() < ENOUGH {
            return None;
        }
        let share = |part: usize, whole: usize| if whole < ENOUGH { 0.0 } else { part as f64 / whole as f64 };
        let of_letters =
            |count: fn(Self) -> usize| (share(count(self), self.letters()), share(count(usual), usual.letters()));
        let of_han = |count: fn(Self) -> usize| (share(count(self), self.han), share(count(usual), usual.han));
        let orthography = usual.orthography();
        let found = [
            (Script::Other, of_letters(|scripts| scripts.other), FOREIGN_OTHER, true),
            (Script::Latin, of_letters(|scripts| scripts.latin), FOREIGN_LATIN, true),
            (
                Script::Traditional,
                of_han(|scripts| scripts.traditional),
                ORTHOGRAPHY,
                orthography == Some(Script::Simplified),
            ),
            (
                Script::Simplified,
                of_han(|scripts| scripts.simplified),
                ORTHOGRAPHY,
                orthography == Some(Script::Traditional),
            ),
        ];
        let is_foreign =
            |(_, (own, usual), more, counts): &(Script, (f64, f64), f64, bool)| *counts && own - usual > *more;
        found.into_iter().find(is_foreign).map(|(script, (own, _), ..)| (script, (own * 100.0).round() as u32))
    }

    /// The script that the text, or some paragraphs of it one after the other, have far more of than `usual`, and its share of the text in
    /// percent.
    #[must_use]
    pub fn unlike_in(text: &str, usual: Self) -> Option<(Script, u32)> {
        let lines = text.lines().map(|line| (line.trim(), Self::of(line)));
        let paragraphs: Vec<(&str, Self)> = lines.filter(|(_, line)| line.letters() > 0).collect();
        let whole = paragraphs.iter().map(|(_, paragraph)| *paragraph).fold(Self::NONE, Add::add);
        if let Some(found) = whole.unlike(usual) {
            return Some(found);
        }
        let share = |part: usize, of: Self| part as f64 / of.letters().max(1) as f64;
        let orthography = usual.orthography();
        let parts = [
            (Script::Latin, LATIN_PART, share(usual.latin, usual) <= AT_HOME),
            (Script::Other, OTHER_PART, share(usual.other, usual) <= AT_HOME),
            (Script::Traditional, ORTHOGRAPHY_PART, orthography == Some(Script::Simplified)),
            (Script::Simplified, ORTHOGRAPHY_PART, orthography == Some(Script::Traditional)),
        ];
        parts.into_iter().filter(|(.., counts)| *counts).find_map(|(script, enough, _)| {
            let (mut before, mut run, mut all, mut needed, mut is_part) = ("", 0, 0, 0, false);
            for (line, paragraph) in &paragraphs {
                let count = paragraph.written_in(script);
                if run == 0 {
                    let is_led = before.ends_with(['：', ':']) || line.starts_with(['“', '「', '『', '"', '《', '【']);
                    needed = enough[usize::from(!is_led)];
                }
                run = if count == 0 { 0 } else { run + count };
                all += count;
                is_part |= run >= needed;
                before = line;
            }
            let all = share(all, whole);
            is_part.then(|| (script, ((all * 100.0).round() as u32).max(1)))
        })
    }

    fn letters(self) -> usize {
        self.han + self.latin + self.other
    }

    /// The characters that a text is written in, simplified or traditional; `None` where too few tell.
    fn orthography(self) -> Option<Script> {
        match self.simplified.cmp(&self.traditional) {
            _ if self.han < ENOUGH => None,
            Ordering::Greater => Some(Script::Simplified),
            Ordering::Less => Some(Script::Traditional),
            Ordering::Equal => None,
        }
    }

    /// The letters of a paragraph that is written in the script; 0 for a paragraph that only has some of them.
    fn written_in(self, script: Script) -> usize {
        let is_orthography = |own: usize| own as f64 > self.han as f64 * 2.0 * ORTHOGRAPHY;
        let (letters, is_so) = match script {
            // A word has three times as many Latin letters as Han characters.
            Script::Latin => (self.latin, self.latin > self.han * 3),
            Script::Other => (self.other, self.other * 3 > self.han),
            Script::Traditional => (self.han, is_orthography(self.traditional)),
            Script::Simplified => (self.han, is_orthography(self.simplified)),
        };
        if is_so { letters } else { 0 }
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

    #[test]
    fn a_part_in_another_language_or_orthography_is_told_in_a_long_text() {
        let english =
            "The rain had stopped. He put the letter away and walked to the gate, where the keeper spoke to him.";
        let japanese = "雨が止んだ。彼は手紙をしまって、北の門へ歩いていった。";
        let usual = Scripts::of(&SIMPLIFIED.repeat(8));
        let chapter = |part: &str| format!("{}{part}", format!("{SIMPLIFIED}\n\n").repeat(40));
        let part = |line: &str, times: usize| format!("{line}\n\n").repeat(times);
        for (text, script) in [
            (chapter(&part(english, 4)), Some(Script::Latin)),
            (chapter(&part(japanese, 6)), Some(Script::Other)),
            (chapter(&part(TRADITIONAL, 4)), Some(Script::Traditional)),
            (part(TRADITIONAL, 4) + &chapter(""), Some(Script::Traditional)),
            (chapter(&part(english, 1)), Some(Script::Latin)),
            (chapter(&part(japanese, 2)), Some(Script::Other)),
            // A letter, a call in a foreign language, a sign and a couplet.
            (chapter(&format!("{SIMPLIFIED}信上只有一行字：\n\n{}", part(english, 1))), None),
            (chapter(&format!("“{english}”\n\n")), None),
            (chapter("GRAND HOTEL, Bund 14, Shanghai\n\n"), None),
            (chapter(&part(TRADITIONAL, 1)), None),
            (chapter(&format!("{english}{SIMPLIFIED}\n\n").repeat(4)), None),
            (chapter(""), None),
        ] {
            assert_eq!(Scripts::unlike_in(&text, usual).map(|(script, _)| script), script, "{text}");
        }
        let bilingual = Scripts::of(&format!("{SIMPLIFIED}{english}"));
        assert_eq!(Scripts::unlike_in(&chapter(&part(english, 4)), bilingual), None);
    }
}
