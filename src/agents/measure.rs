//! Rough measures of text for prompts and replies.

/// The tokens a model is likely to count, estimated from above for Chinese: one for a character outside ASCII, a quarter
/// for one inside it.
pub(crate) fn estimate_tokens(text: &str) -> u32 {
    let ascii = text.bytes().filter(u8::is_ascii).count();
    let wide = text.chars().count() - ascii;
    u32::try_from(wide + ascii.div_ceil(4)).unwrap_or(u32::MAX)
}

/// Words as authors count them: Han characters, and runs of Latin letters or digits.
pub(crate) fn count_words(text: &str) -> u32 {
    let (mut words, mut inside) = (0, false);
    for c in text.chars() {
        let han = matches!(c, '\u{3400}'..='\u{9fff}' | '\u{20000}'..='\u{3ffff}' | '〇');
        let latin = c.is_alphanumeric() && !han;
        words += u32::from(han || (latin && !inside));
        inside = latin;
    }
    words
}

/// The number of characters.
pub(crate) fn chars(text: &str) -> usize {
    text.chars().count()
}

/// At most `max` characters, the last one `…` where something was cut off.
pub(crate) fn clip(text: &str, max: usize) -> String {
    let text = text.trim();
    if chars(text) <= max {
        return text.to_owned();
    }
    let kept: String = text.chars().take(max.saturating_sub(1)).collect();
    format!("{}…", kept.trim_end())
}

/// [`clip`] with line breaks turned into `；`, for lists with one entry a line.
pub(crate) fn clip_line(text: &str, max: usize) -> String {
    let line = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join("；");
    clip(&line, max)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn han_counts_one_and_four_ascii_characters_count_one() {
        assert_eq!(estimate_tokens("雨停了。"), 4);
        assert_eq!(estimate_tokens("lin-feng"), 2);
        assert_eq!(count_words("他说：OK 吧，走 100 步。"), 7);
    }

    #[test]
    fn a_clipped_text_says_so_and_keeps_its_length() {
        assert_eq!(clip(" 一二三四五 ", 4), "一二三…");
        assert_eq!(clip("一二三四", 4), "一二三四");
        assert_eq!(clip_line("一\n\n 二", 9), "一；二");
    }
}
