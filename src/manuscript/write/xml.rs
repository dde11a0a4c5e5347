//! XML text: escaping.

/// A text for XML, in an element or in an attribute. Characters that XML 1.0 cannot hold, which no story has (control characters
/// but for tab and line breaks), become the replacement character, so that their loss is seen.
pub(super) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\u{0}'..='\u{8}' | '\u{B}' | '\u{C}' | '\u{E}'..='\u{1F}' | '\u{FFFE}' | '\u{FFFF}' => {
                out.push('\u{FFFD}')
            }
            c => out.push(c),
        }
    }
    out
}
