//! Encodings of text: UTF-8, Latin-1, UTF-16, and all that browsers know.
//!
//! Latin-1 is ISO 8859-1 itself: every byte is the code point of the same number, so that grammars can describe bytes.
//! (The web gives that name to windows-1252, which is another encoding here.) `utf-16` looks at the byte order mark, and
//! drops it; without a mark the text is big-endian (RFC 2781, section 4.3). All other byte order marks are part of the
//! text.
//!
//! Decoding is linear, and UTF-8 is not copied.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use encoding_rs::DecoderResult;

/// An encoding of text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Encoding(Kind);

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Kind {
    #[default]
    Utf8,
    Latin1,
    /// The byte order mark tells the order.
    Utf16,
    Other(&'static encoding_rs::Encoding),
}

/// Names of ISO 8859-1 that the web uses for windows-1252.
const LATIN_1: [&str; 7] =
    ["latin-1", "latin1", "l1", "iso-8859-1", "iso8859-1", "iso88591", "iso_8859-1"];

impl FromStr for Encoding {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let known = name.trim().to_ascii_lowercase();
        if LATIN_1.contains(&known.as_str()) {
            return Ok(Self(Kind::Latin1));
        }
        if known == "utf-16" || known == "utf16" {
            return Ok(Self(Kind::Utf16));
        }
        match encoding_rs::Encoding::for_label_no_replacement(known.as_bytes()) {
            Some(other) if other == encoding_rs::UTF_8 => Ok(Self::UTF_8),
            Some(other) => Ok(Self(Kind::Other(other))),
            None => {
                Err("an encoding such as utf-8, latin-1, utf-16, windows-1252 or shift_jis is \
                         needed"
                    .to_owned())
            }
        }
    }
}

impl fmt::Display for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Kind::Utf8 => f.write_str("utf-8"),
            Kind::Latin1 => f.write_str("latin-1"),
            Kind::Utf16 => f.write_str("utf-16"),
            Kind::Other(of) => f.write_str(&of.name().to_ascii_lowercase()),
        }
    }
}

impl Encoding {
    /// UTF-8.
    pub const UTF_8: Self = Self(Kind::Utf8);

    /// Whether this is UTF-8.
    #[must_use]
    pub fn is_utf8(self) -> bool {
        self.0 == Kind::Utf8
    }

    /// The text that some bytes encode.
    ///
    /// # Errors
    /// The first byte that belongs to no text.
    pub fn decode(self, bytes: &[u8]) -> Result<Cow<'_, str>, usize> {
        match self.0 {
            Kind::Utf8 => match std::str::from_utf8(bytes) {
                Ok(text) => Ok(Cow::Borrowed(text)),
                Err(error) => Err(error.valid_up_to()),
            },
            Kind::Latin1 => Ok(encoding_rs::mem::decode_latin1(bytes)),
            Kind::Utf16 => {
                let (order, mark) = order_of(bytes);
                let text = decode(order, &bytes[mark..]);
                text.map(Cow::Owned).map_err(|byte| byte + mark)
            }
            Kind::Other(of) => decode(of, bytes).map(Cow::Owned),
        }
    }

    /// The bytes of a text in this encoding; `None` if it has no bytes for some character. UTF-16 is written big-endian
    /// with a byte order mark, unless the encoding's name says otherwise.
    #[must_use]
    pub fn encode(self, text: &str) -> Option<Cow<'_, [u8]>> {
        let utf_16 = |bytes: fn(u16) -> [u8; 2], mark: &[u16]| {
            let units = mark.iter().copied().chain(text.encode_utf16());
            Some(Cow::Owned(units.flat_map(bytes).collect()))
        };
        match self.0 {
            Kind::Utf8 => Some(Cow::Borrowed(text.as_bytes())),
            Kind::Latin1 => {
                let bytes: Result<Vec<u8>, _> = text.chars().map(u8::try_from).collect();
                bytes.ok().map(Cow::Owned)
            }
            Kind::Utf16 => utf_16(u16::to_be_bytes, &[0xFEFF]),
            Kind::Other(of) if of == encoding_rs::UTF_16BE => utf_16(u16::to_be_bytes, &[]),
            Kind::Other(of) if of == encoding_rs::UTF_16LE => utf_16(u16::to_le_bytes, &[]),
            Kind::Other(of) => {
                let (bytes, _, has_unmappable) = of.encode(text);
                (!has_unmappable).then_some(bytes)
            }
        }
    }

    /// Where in the encoded bytes a place of the decoded text is. Encodings that switch between character sets are
    /// counted as if written anew up to that place.
    #[must_use]
    pub fn byte_in(self, encoded: &[u8], text: &str, at: usize) -> usize {
        let before = &text[..at];
        match self.0 {
            Kind::Utf8 => at,
            Kind::Latin1 => before.chars().count(),
            Kind::Utf16 => order_of(encoded).1 + 2 * before.encode_utf16().count(),
            Kind::Other(of) if of.is_single_byte() => before.chars().count(),
            Kind::Other(of) if of.output_encoding() != of => 2 * before.encode_utf16().count(),
            Kind::Other(of) => of.encode(before).0.len(),
        }
    }
}

/// The byte order of UTF-16, and how many bytes the mark has that tells it.
fn order_of(bytes: &[u8]) -> (&'static encoding_rs::Encoding, usize) {
    match bytes {
        [0xFF, 0xFE, ..] => (encoding_rs::UTF_16LE, 2),
        [0xFE, 0xFF, ..] => (encoding_rs::UTF_16BE, 2),
        _ => (encoding_rs::UTF_16BE, 0),
    }
}

fn decode(of: &'static encoding_rs::Encoding, bytes: &[u8]) -> Result<String, usize> {
    let mut decoder = of.new_decoder_without_bom_handling();
    let length = decoder.max_utf8_buffer_length_without_replacement(bytes.len());
    let mut text = String::with_capacity(length.unwrap_or(bytes.len()));
    let (result, read) = decoder.decode_to_string_without_replacement(bytes, &mut text, true);
    match result {
        DecoderResult::InputEmpty => Ok(text),
        DecoderResult::Malformed(length, after) => {
            Err(read.saturating_sub(usize::from(length) + usize::from(after)))
        }
        DecoderResult::OutputFull => {
            unreachable!("invariant: there is memory for the longest text")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Encoding;

    fn encoding(name: &str) -> Encoding {
        name.parse().expect(name)
    }

    #[test]
    fn names_are_those_of_the_web_but_for_latin_1() {
        for (name, shown) in [
            ("utf-8", "utf-8"),
            ("UTF8", "utf-8"),
            ("Latin1", "latin-1"),
            ("iso-8859-1", "latin-1"),
            ("windows-1252", "windows-1252"),
            ("utf-16", "utf-16"),
            ("UTF-16LE", "utf-16le"),
            ("sjis", "shift_jis"),
        ] {
            assert_eq!(encoding(name).to_string(), shown, "{name}");
        }
        assert!("klingon".parse::<Encoding>().is_err());
        assert!("replacement".parse::<Encoding>().is_err());
    }

    #[test]
    fn every_byte_is_a_character_of_latin_1() {
        let bytes: Vec<u8> = (0..=255).collect();
        let text = encoding("latin-1").decode(&bytes).expect("every byte");
        assert!(text.chars().eq((0..=255u8).map(char::from)));
        assert_eq!(encoding("latin-1").encode(&text).as_deref(), Some(&bytes[..]));
        assert_eq!(encoding("latin-1").encode("€"), None);
        let web = encoding("windows-1252").decode(b"\x80").expect("a character");
        assert_eq!(web, "€");
    }

    #[test]
    fn the_mark_of_utf_16_tells_the_order_and_is_dropped() {
        let check = |name: &str, bytes: &[u8], expected: Result<&str, usize>| {
            let text = encoding(name).decode(bytes);
            assert_eq!(text.as_deref().map_err(|byte| *byte), expected, "{name} {bytes:?}");
        };
        check("utf-16", b"\xFF\xFEa\0", Ok("a"));
        check("utf-16", b"\xFE\xFF\0a", Ok("a"));
        check("utf-16", b"\0a\0b", Ok("ab"));
        check("utf-16le", b"\xFF\xFEa\0", Ok("\u{FEFF}a"));
        check("utf-16le", b"a\0\x3D\xD8\x00\xDE", Ok("a😀"));
        check("utf-8", b"ab\xFF", Err(2));
        check("shift_jis", b"a\x82\xA0\xFF", Err(3));
        check("euc-kr", b"ab\x80c", Err(2));
    }

    #[test]
    fn places_are_found_in_the_encoded_bytes() {
        let text = "aé😀ü!";
        for name in ["utf-8", "utf-16", "utf-16le", "utf-16be", "gb18030"] {
            let of = encoding(name);
            let bytes = of.encode(text).expect("all characters exist");
            assert_eq!(of.decode(&bytes).as_deref(), Ok(text), "{name}");
            for (at, _) in text.char_indices().chain([(text.len(), ' ')]) {
                let place = of.byte_in(&bytes, text, at);
                assert_eq!(of.decode(&bytes[..place]).as_deref(), Ok(&text[..at]), "{name} {at}");
            }
        }
        let text = "aé!";
        for name in ["latin-1", "windows-1252"] {
            assert_eq!(encoding(name).byte_in(b"a\xE9!", text, 3), 2, "{name}");
        }
    }
}
