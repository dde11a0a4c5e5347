//! One style of quotation marks in a text, and in a book.

use super::quotes::{Quote, QuoteStyle, quotes};

/// The styles of outer marks. Single marks stand within others.
pub(super) const OUTER: [QuoteStyle; 3] = [QuoteStyle::CurlyDouble, QuoteStyle::Corner, QuoteStyle::Straight];

/// The fewest spans in other marks, and their least share in hundredths: fewer are titles and words set apart.
pub(super) const ODD: (usize, usize) = (3, 10);

/// The fewest spans of a book that show its style, and the least share of that style in hundredths.
const CLEAR: (usize, usize) = (20, 95);

/// The style in which a book writes its speech; `None` with little speech or several styles.
pub fn quote_style_of<'t>(texts: impl IntoIterator<Item = &'t str>) -> Option<QuoteStyle> {
    let styles: Vec<QuoteStyle> = texts.into_iter().flat_map(quotes).map(|quote| quote.style).collect();
    let count = |style: QuoteStyle| styles.iter().filter(|own| **own == style).count();
    let all: usize = OUTER.map(count).iter().sum();
    OUTER.into_iter().find(|style| all >= CLEAR.0 && count(*style) * 100 >= all * CLEAR.1)
}

/// Returns a text with all of its speech in one style of marks, and how many spans changed; `None` when nothing
/// changes. Without the style of a book only straight marks are changed, because two other styles may serve two
/// purposes.
pub fn in_one_quote_style(text: &str, of_book: Option<QuoteStyle>) -> Option<(String, usize)> {
    // A term that is set apart may have marks of its own.
    let of_speech = |quote: &Quote| quote.is_speech && OUTER.contains(&quote.style);
    let all: Vec<Quote> = quotes(text).into_iter().filter(of_speech).collect();
    let count = |style: QuoteStyle| all.iter().filter(|quote| quote.style == style).count();
    let usual = of_book.or_else(|| {
        let [curly, corner, _] = OUTER.map(count);
        let style = if curly >= corner { QuoteStyle::CurlyDouble } else { QuoteStyle::Corner };
        (curly.max(corner) > 0).then_some(style)
    })?;
    let is_odd = |style: QuoteStyle| {
        let may_change = of_book.is_some() || style == QuoteStyle::Straight;
        style != usual && may_change && count(style) >= ODD.0 && count(style) * 100 >= all.len() * ODD.1
    };
    let odd: Vec<&Quote> = all.iter().filter(|quote| quote.closed && is_odd(quote.style)).collect();
    let mut out = String::with_capacity(text.len());
    let mut done = 0;
    for quote in &odd {
        let (open, close) = marks(usual);
        out.push_str(&text[done..quote.range.start]);
        out.push(open);
        out.extend(text[quote.inner.clone()].chars().map(|c| nested(c, usual)));
        out.push(close);
        done = quote.range.end;
    }
    out.push_str(&text[done..]);
    (!odd.is_empty()).then_some((out, odd.len()))
}

fn marks(style: QuoteStyle) -> (char, char) {
    match style {
        QuoteStyle::CurlyDouble => ('“', '”'),
        QuoteStyle::CurlySingle => ('‘', '’'),
        QuoteStyle::Corner => ('「', '」'),
        QuoteStyle::WhiteCorner => ('『', '』'),
        QuoteStyle::Slanted => ('〝', '〞'),
        QuoteStyle::Angle => ('«', '»'),
        // A book's style is one of the outer ones; the rest have no marks of their own.
        QuoteStyle::Straight | QuoteStyle::StraightSingle | QuoteStyle::Dash => ('"', '"'),
    }
}

/// A mark within a span, in the style that fits the outer one.
fn nested(c: char, outer: QuoteStyle) -> char {
    match (outer, c) {
        (QuoteStyle::CurlyDouble, '“' | '『' | '「') => '‘',
        (QuoteStyle::CurlyDouble, '”' | '』' | '」') => '’',
        (QuoteStyle::Corner, '‘' | '“' | '「') => '『',
        (QuoteStyle::Corner, '’' | '”' | '」') => '』',
        (_, other) => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn speech_is_put_into_the_marks_of_the_book() {
        let mixed = "“甲。”“乙。”\"丙。\"\"丁。\"\"戊。\"";
        assert_eq!(in_one_quote_style(mixed, None), Some(("“甲。”“乙。”“丙。”“丁。”“戊。”".to_owned(), 3)));
        let two_uses = "“甲。”“乙。”「丙。」「丁。」「戊。」";
        assert_eq!(in_one_quote_style(two_uses, None), None, "two purposes, as far as is known");
        assert_eq!(in_one_quote_style(two_uses, Some(QuoteStyle::Corner)), None, "two spans are words set apart");
        assert_eq!(
            in_one_quote_style("“他说‘走’。”“嗯。”“哦。”", Some(QuoteStyle::Corner)).unwrap().0,
            "「他说『走』。」「嗯。」「哦。」"
        );
        assert_eq!(in_one_quote_style("“甲。”「乙」", Some(QuoteStyle::CurlyDouble)), None, "a word set apart");
        assert_eq!(in_one_quote_style("\"甲。\"\"乙。\"\"丙。\"", None), None, "all alike");
    }

    #[test]
    fn a_book_shows_its_style() {
        let book = "“甲。”".repeat(30);
        assert_eq!(quote_style_of([book.as_str()]), Some(QuoteStyle::CurlyDouble));
        assert_eq!(quote_style_of([book.as_str(), &"「乙。」".repeat(5)]), None);
        assert_eq!(quote_style_of(["“甲。”"]), None);
    }
}
