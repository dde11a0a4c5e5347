use crate::domain::volume::outline::edit::one_line;
use crate::llm;
use crate::text::Count;

/// An upper-side estimate of a model's tokens for Chinese.
pub(crate) fn estimate_tokens(text: &str) -> u32 {
    u32::try_from(llm::estimate(text)).unwrap_or(u32::MAX)
}

/// Words as authors count them: Han characters, and runs of Latin letters or digits.
pub(crate) fn count_words(prose: &str) -> u32 {
    u32::try_from(Count::of_prose(prose).words).unwrap_or(u32::MAX)
}

pub(crate) fn chars(text: &str) -> usize {
    text.chars().count()
}

/// At most `max` characters, the last one `…` after a cut.
pub(crate) fn clip(text: &str, max: usize) -> String {
    let text = text.trim();
    if chars(text) <= max {
        return text.to_owned();
    }
    if max == 0 {
        return String::new();
    }
    let kept: String = text.chars().take(max - 1).collect();
    format!("{}…", kept.trim_end())
}

/// [`clip`] with line breaks turned into `；`, for lists with one entry a line.
pub(crate) fn clip_line(text: &str, max: usize) -> String {
    clip(&one_line(text), max)
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
