//! Text in pictures: its width and its escaping.

use std::borrow::Cow;

use unicode_width::UnicodeWidthChar;

/// The height of text in pixels.
pub(crate) const FONT_SIZE: f64 = 12.0;
/// The width of a column of the monospaced fonts of the style, slightly rounded up.
const COLUMN: f64 = 7.3;

/// The width of a line of text in pixels.
pub(crate) fn width(text: &str) -> f64 {
    let columns: usize = visible(text).map(|c| c.width().unwrap_or(0)).sum();
    columns as f64 * COLUMN
}

/// A text of at most this many columns: if it is longer, its beginning.
pub(crate) fn shortened(text: &str, columns: usize) -> Cow<'_, str> {
    let (mut taken, mut fitting) = (0, 0);
    for (at, c) in text.char_indices() {
        taken += c.width().unwrap_or(1);
        if taken > columns {
            return Cow::Owned(format!("{}\u{2026}", &text[..fitting]));
        }
        // One column is kept for the ellipsis.
        if taken < columns {
            fitting = at + c.len_utf8();
        }
    }
    Cow::Borrowed(text)
}

/// The characters of a text, with a symbol for each that is invisible or not allowed in XML.
fn visible(text: &str) -> impl Iterator<Item = char> + '_ {
    text.chars().map(|c| match c {
        '\0'..='\u{1f}' => {
            char::from_u32(0x2400 + u32::from(c)).expect("invariant: control pictures are scalars")
        }
        '\u{7f}' => '\u{2421}',
        // Other control characters, marks that change the direction of text, and noncharacters.
        '\u{80}'..='\u{9f}'
        | '\u{200e}'..='\u{200f}'
        | '\u{2028}'..='\u{202e}'
        | '\u{2066}'..='\u{2069}'
        | '\u{fffe}'..='\u{ffff}' => '\u{fffd}',
        c => c,
    })
}

/// Text as XML content or as the value of an attribute in double quotes.
pub(crate) fn xml(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in visible(text) {
        match c {
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '&' => escaped.push_str("&amp;"),
            '"' => escaped.push_str("&quot;"),
            c => escaped.push(c),
        }
    }
    escaped
}

/// Text as a quoted string of DOT.
pub(crate) fn dot(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in visible(text) {
        if matches!(c, '"' | '\\') {
            quoted.push('\\');
        }
        quoted.push(c);
    }
    quoted.push('"');
    quoted
}

/// A name as part of the id of an XML element; different names give different ids.
pub(crate) fn id(name: &str) -> String {
    let mut id = String::with_capacity(name.len());
    for c in name.chars() {
        if c.is_ascii_alphanumeric() || c == '_' {
            id.push(c);
        } else {
            id.push_str(&format!("-{:x}-", u32::from(c)));
        }
    }
    id
}

#[cfg(test)]
mod tests {
    use super::{dot, id, shortened, width, xml};

    #[test]
    fn text_is_escaped() {
        let check = |actual: String, expected: &str| assert_eq!(actual, expected);
        check(xml("a<b> & \"c\""), "a&lt;b&gt; &amp; &quot;c&quot;");
        check(xml("\n\u{7f}\u{202e}\u{ffff}"), "␊␡\u{fffd}\u{fffd}");
        check(dot(r#""\n""#), r#""\"\\n\"""#);
        check(id("a-b'"), "a-2d-b-27-");
    }

    #[test]
    fn long_text_is_shortened() {
        let check = |text, expected: &str| assert_eq!(shortened(text, 4), expected);
        check("abcd", "abcd");
        check("abcde", "abc…");
        check("日本語", "日…");
        check("", "");
    }

    #[test]
    fn wide_characters_take_two_columns() {
        assert!((width("日本") - width("abcd")).abs() < 1e-9);
        assert!(width("e\u{301}").total_cmp(&width("e")).is_eq());
    }
}
