//! Parts of a long text that stand for the whole: its beginning, its middle and its end.

use super::split::sentences;

/// Returns the text where it has at most `limit` characters, and otherwise three parts of at most a third of that each, from
/// the beginning, around the middle and at the end, in order. Parts consist of whole sentences; a text without any is cut.
#[must_use]
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

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
}
