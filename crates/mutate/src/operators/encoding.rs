//! Bytes that are not UTF-8, and a byte order mark.
//!
//! An input is a text in UTF-8, so whatever is not UTF-8 is outside every language. The forms are those that decoders
//! get wrong: bytes that begin nothing, sequences that are cut short, overlong forms, surrogates, numbers beyond the
//! last character (RFC 3629, sections 3 and 10), and the text in UTF-16. A byte order mark is a character; the text
//! with it is outside the language if the grammar does not read it there.
//!
//! Example: the text `[]` and a lone surrogate after its first token: `5B ED A0 80 5D`.

/// A form of bytes that are not UTF-8.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BadBytes {
    /// What it is, for people.
    pub name: &'static str,
    /// The bytes.
    pub bytes: &'static [u8],
}

/// The byte order mark of UTF-8.
pub const MARK: &str = "\u{FEFF}";

/// The forms that are put into a text.
pub const FORMS: &[BadBytes] = &[
    BadBytes { name: "invalid byte", bytes: b"\xFF" },
    BadBytes { name: "lone continuation byte", bytes: b"\x80" },
    BadBytes { name: "overlong form of `/`", bytes: b"\xC0\xAF" },
    BadBytes { name: "overlong form of U+0000", bytes: b"\xE0\x80\x80" },
    BadBytes { name: "lone surrogate", bytes: b"\xED\xA0\x80" },
    BadBytes { name: "beyond U+10FFFF", bytes: b"\xF4\x90\x80\x80" },
    BadBytes { name: "cut sequence", bytes: b"\xE2\x82" },
];

/// A text in UTF-16, little endian, with its byte order mark.
#[must_use]
pub fn utf16(text: &str) -> Vec<u8> {
    let units = "\u{FEFF}".encode_utf16().chain(text.encode_utf16());
    units.flat_map(u16::to_le_bytes).collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn no_form_is_text_wherever_it_stands() {
        for form in super::FORMS {
            for text in ["", "a", "é", "€x"] {
                for (place, _) in text.char_indices().chain([(text.len(), ' ')]) {
                    let bytes =
                        [&text.as_bytes()[..place], form.bytes, &text.as_bytes()[place..]].concat();
                    let error = std::str::from_utf8(&bytes).expect_err(form.name);
                    assert_eq!(error.valid_up_to(), place, "{}", form.name);
                }
            }
        }
        assert!(std::str::from_utf8(&super::utf16("")).is_err());
    }
}
