//! Text and Markdown.

use super::{Edition, EditionChapter, Line, Profile, lines};

/// The book as text, by a profile. Ends with a line break.
#[must_use]
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
#[must_use]
pub fn chapter_text(chapter: &EditionChapter, profile: &Profile) -> String {
    let mut out = [&profile.chapter_heading(chapter), "\n"].concat();
    paragraphs(&mut out, chapter, profile);
    out
}

fn paragraphs(out: &mut String, chapter: &EditionChapter, profile: &Profile) {
    for line in lines(&chapter.text) {
        out.push_str(&"\n".repeat(profile.blank_lines));
        match line {
            Line::Paragraph(text) | Line::Heading(text) => out.extend([&profile.indent, text]),
            Line::SceneBreak(own) => {
                out.push_str(if profile.scene_break.is_empty() { own } else { &profile.scene_break });
            }
        }
        out.push('\n');
    }
}

/// The book in Markdown: `#` a volume, `##` a chapter, and title, author and commit in front.
#[must_use]
pub fn markdown(edition: &Edition, profile: &Profile) -> String {
    let quoted = |text: &str| serde_json::Value::from(text).to_string();
    let mut out = format!("---\ntitle: {}\n", quoted(&edition.title));
    if !edition.author.is_empty() {
        out.push_str(&format!("author: {}\n", quoted(&edition.author)));
    }
    out.push_str(&format!("lang: zh-CN\ncommit: {}\n---\n", edition.commit));
    for volume in &edition.volumes {
        if let Some(heading) = profile.volume_heading(volume) {
            out.push_str(&format!("\n# {heading}\n"));
        }
        for chapter in &volume.chapters {
            out.push_str("\n#");
            out.push_str(&chapter_markdown(chapter, profile));
        }
    }
    out
}

/// One chapter in Markdown: `#` its heading, and its text as it stands.
#[must_use]
pub fn chapter_markdown(chapter: &EditionChapter, profile: &Profile) -> String {
    format!("# {}\n\n{}\n", profile.chapter_heading(chapter), chapter.text.trim())
}
