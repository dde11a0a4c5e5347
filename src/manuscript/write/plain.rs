//! Text and Markdown.

use crate::manuscript::write::{Edition, EditionChapter, PageLine, Profile, lines};
use std::borrow::Cow;

/// The book as text, by a profile. Ends with a line break.
pub fn text(edition: &Edition, profile: &Profile) -> String {
    let mut out = String::new();
    let heading = |out: &mut String, line: &str| {
        if !out.is_empty() {
            out.push_str(&"\n".repeat(profile.blank_lines_before_heading));
        }
        out.push_str(line);
        out.push('\n');
    };
    for volume in &edition.volumes {
        if let Some(line) = profile.volume_heading(volume) {
            heading(&mut out, &line);
        }
        for chapter in &volume.chapters {
            heading(&mut out, &profile.chapter_heading(chapter));
            paragraphs(&mut out, chapter, profile);
        }
    }
    out
}

/// One chapter as text: its heading and its paragraphs.
pub fn chapter_text(chapter: &EditionChapter, profile: &Profile) -> String {
    let mut out = [&profile.chapter_heading(chapter), "\n"].concat();
    paragraphs(&mut out, chapter, profile);
    out
}

fn paragraphs(out: &mut String, chapter: &EditionChapter, profile: &Profile) {
    for line in lines(&chapter.text) {
        if !matches!(line, PageLine::Gap) {
            out.push_str(&"\n".repeat(profile.blank_lines));
        }
        match line {
            PageLine::Paragraph(text) => {
                let lines = text.lines().map(|line| [&profile.indent, line.trim()].concat());
                out.push_str(&lines.collect::<Vec<_>>().join("\n"));
            }
            PageLine::Heading(depth, text) => out.extend([&profile.indent, &"#".repeat(depth), text]),
            PageLine::SceneBreak(own) => {
                out.push_str(if profile.scene_break.is_empty() { own } else { &profile.scene_break });
            }
            PageLine::Gap => {}
        }
        out.push('\n');
    }
}

/// The book in Markdown: `#` a volume, `##` a chapter, and title, author and commit in front.
pub fn markdown(edition: &Edition, profile: &Profile) -> String {
    let quoted = |text: &str| serde_json::Value::from(text).to_string();
    let mut out = format!("---\ntitle: {}\n", quoted(&edition.title));
    if !edition.author.is_empty() {
        out.push_str(&format!("author: {}\n", quoted(&edition.author)));
    }
    out.push_str(&format!("lang: zh-CN\ncommit: {}\n---\n", edition.commit));
    for volume in &edition.volumes {
        if let Some(heading) = profile.volume_heading(volume) {
            out.push_str(&format!("\n# {}\n", escaped_heading(&heading)));
        }
        for chapter in &volume.chapters {
            out.push('\n');
            out.push_str(&chapter_markdown(chapter, profile, 2));
        }
    }
    out
}

/// One chapter in Markdown: its heading on that level, and its text, which a reader of Markdown shows as it stands.
pub fn chapter_markdown(chapter: &EditionChapter, profile: &Profile, level: usize) -> String {
    let mut out = format!("{} {}\n\n", "#".repeat(level), escaped_heading(&profile.chapter_heading(chapter)));
    let mut following = chapter.text.trim().lines().peekable();
    while let Some(line) = following.next() {
        match lines(line).into_iter().next() {
            Some(PageLine::Paragraph(text)) => {
                out.push_str(&escaped(text));
                // Without an empty line after it, the paragraph goes on in the next line.
                if following.peek().is_some_and(|next| !next.trim().is_empty()) {
                    out.push('\\');
                }
            }
            Some(PageLine::Heading(depth, text)) => {
                out.extend([&"#".repeat((level + depth - 1).min(6)), " ", &escaped_heading(text.trim_start())]);
            }
            Some(PageLine::SceneBreak(mark)) => out.push_str(mark),
            Some(PageLine::Gap) | None => {}
        }
        out.push('\n');
    }
    out
}

/// A heading likewise, with a backslash before marks at its end, which would close it.
fn escaped_heading(text: &str) -> String {
    let text = escaped(text);
    let open = text.trim_end_matches('#');
    let is_closed = open.is_empty() || open.ends_with(' ');
    if is_closed && open.len() < text.len() { [open, "\\", &text[open.len()..]].concat() } else { text.into_owned() }
}

/// The text with a backslash before marks that Markdown would take for a heading, for a block of code or for an escape.
fn escaped(text: &str) -> Cow<'_, str> {
    let title = text.trim_start_matches('#');
    let is_heading = title.len() < text.len() && title.starts_with(|c: char| c.is_whitespace() || c == '第');
    let is_mark = is_heading || text.starts_with("```");
    if !is_mark && !text.contains('\\') {
        return text.into();
    }
    let mut out = String::from(if is_mark { "\\" } else { "" });
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        out.push(c);
        if c == '\\' && chars.peek().is_none_or(char::is_ascii_punctuation) {
            out.push(c);
        }
    }
    out.into()
}
