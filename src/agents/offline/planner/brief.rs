//! Reads a section of the author's brief by its heading.

use super::one_field;

/// The longest stretch of the brief that is quoted in one piece.
const LONGEST: usize = 160;

/// The text under a heading on one line, without the advice in comments; `None` for an empty section.
pub(super) fn section(brief: &str, heading: &str) -> Option<String> {
    let plain = without_comments(brief);
    let lines =
        plain.lines().skip_while(|line| line.trim_start_matches('#').trim() != heading || !line.starts_with('#'));
    let body: Vec<&str> = lines.skip(1).take_while(|line| !line.starts_with('#')).collect();
    let text = one_field(&body.join("\n"));
    let text = clip(text.trim_start_matches(['-', '*', ' ']));
    text.chars().any(char::is_alphanumeric).then_some(text)
}

fn without_comments(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("<!--") {
        plain.push_str(before);
        rest = after.split_once("-->").map_or("", |(_, after)| after);
    }
    plain + rest
}

/// Cut at the end of a sentence, where there is one.
fn clip(text: &str) -> String {
    let Some((end, _)) = text.char_indices().nth(LONGEST) else { return text.to_owned() };
    let cut = &text[..end];
    match cut.rfind(['。', '！', '？', '，']) {
        Some(at) => format!("{}。", &cut[..at]),
        None => cut.to_owned(),
    }
}

/// A sentence without the mark at its end, to stand inside another.
pub(super) fn bare(text: &str) -> &str {
    text.trim_end_matches(['。', '！', '？', '，', '.', ' '])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn advice_is_not_content() {
        let brief = "# 纲领\n\n## 核心冲突\n\n<!-- 主角和谁\n争什么？ -->\n他要还债；\n债主不收。\n\n## 主角\n\n<!-- 谁？ -->\n";
        assert_eq!(section(brief, "核心冲突").as_deref(), Some("他要还债，债主不收。"));
        assert_eq!(section(brief, "主角"), None);
        assert_eq!(section(brief, "结局"), None);
        assert_eq!(section("", "主角"), None);
    }
}
