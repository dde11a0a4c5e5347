//! `brief.md` without the template: unanswered questions tell a model nothing.

/// The author's own words in a Markdown text, without comments (`<!-- … -->`) and headings without content. Other text
/// stays.
pub(crate) fn answered(text: &str) -> String {
    let text = without_comments(text);
    let mut kept: Vec<&str> = Vec::new();
    // Headings that wait for their first line of content, each with its level.
    let mut waiting: Vec<(usize, &str)> = Vec::new();
    for line in text.lines() {
        match level(line.trim_start()) {
            Some(level) => {
                waiting.retain(|(above, _)| *above < level);
                waiting.push((level, line));
            }
            None if line.trim().is_empty() => {
                if waiting.is_empty() && kept.last().is_some_and(|last| !last.is_empty()) {
                    kept.push("");
                }
            }
            None => {
                for (_, heading) in waiting.drain(..) {
                    if kept.last().is_some_and(|last| !last.is_empty()) {
                        kept.push("");
                    }
                    kept.extend([heading, ""]);
                }
                kept.push(line.trim_end());
            }
        }
    }
    kept.join("\n").trim().to_owned()
}

/// The level of a Markdown heading; `None` for any other line.
fn level(line: &str) -> Option<usize> {
    let marks = line.len() - line.trim_start_matches('#').len();
    let rest = &line[marks..];
    ((1..=6).contains(&marks) && (rest.is_empty() || rest.starts_with(char::is_whitespace))).then_some(marks)
}

/// The text without comments. An unclosed comment ends with its line, so that a slip hides one line and not the rest of
/// the page.
fn without_comments(text: &str) -> String {
    let mut rest = text;
    let mut kept = String::with_capacity(text.len());
    while let Some((before, comment)) = rest.split_once("<!--") {
        kept.push_str(before);
        rest = match comment.split_once("-->") {
            Some((_, after)) => after,
            None => comment.find('\n').map_or("", |end| &comment[end..]),
        };
    }
    kept + rest
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn only_what_the_author_has_answered_is_left() {
        let brief = "# 创作纲领\n\n<!-- 先读\n这一页 -->\n\n## 一句话\n\n<!-- 谁？ -->\n\n## 主题\n\n<!-- 用问句 -->\n欠的债要不要还？\n\n\n\
                     还不还得起？\n\n## 结局方向\n";
        assert_eq!(answered(brief), "# 创作纲领\n\n## 主题\n\n欠的债要不要还？\n\n还不还得起？");
        let template = include_str!("../../../templates/book/brief.md");
        assert_eq!(answered(template), "", "the template itself says nothing");
        assert_eq!(answered("#影帝塌房#冲上热搜\n\n## 甲\n### 乙\n丙"), "#影帝塌房#冲上热搜\n\n## 甲\n\n### 乙\n\n丙");
        assert_eq!(answered("甲<!-- 没写完\n乙"), "甲\n乙");
    }

    proptest! {
        #[test]
        fn an_answered_text_stays_as_it_is(text in "(#{0,3} ?[甲乙 ]{0,3}(<!--)?(-->)?\n?){0,12}") {
            let once = answered(&text);
            prop_assert_eq!(answered(&once), once);
        }
    }
}
