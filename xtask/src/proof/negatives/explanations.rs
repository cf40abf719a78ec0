//! Why programs accept tests that must be rejected, test by test.

use serde_json::Value;

/// Why programs accept some tests.
pub(super) struct Explanation {
    pub(super) programs: &'static [&'static str],
    /// Who departs from the language's definition: the grammar or the program.
    pub(super) cause: &'static str,
    pub(super) why: &'static str,
    /// Whether this is why a test is accepted.
    pub(super) fits: fn(&Value) -> bool,
}

/// The explanations; the first that fits a test counts.
pub(super) const EXPLAINED: &[Explanation] = &[
    Explanation {
        programs: &["jq"],
        cause: "program",
        why: "Numbers are read as the C library reads them: a plus sign, leading zeros, and no digits before or after the point.",
        fits: |test| has_number(text(test)),
    },
    Explanation {
        programs: &["jq"],
        cause: "program",
        why: "Bytes inside a string that are not UTF-8 are replaced by U+FFFD.",
        fits: is_not_utf8_inside,
    },
    Explanation {
        programs: &["python-json", "jq"],
        cause: "program",
        why: "A byte order mark is skipped. RFC 8259, section 8.1, allows a parser to do so; the grammar has none.",
        fits: begins_with_mark,
    },
    Explanation {
        programs: &["python-json", "xmllint"],
        cause: "program",
        why: "The encoding of bytes is detected, UTF-16 too; the grammar is about text in UTF-8.",
        fits: |test| is_inserted(test, "UTF-16"),
    },
    Explanation {
        programs: &["python-json"],
        cause: "program",
        why: "Bytes are decoded with `surrogatepass`, so a surrogate may stand alone in a string.",
        fits: |test| is_inserted(test, "lone surrogate"),
    },
    Explanation {
        programs: &["xmllint"],
        cause: "grammar",
        why: "An entity of XML 1.0 (section 4.3.3) may begin with a byte order mark; the grammar has none.",
        fits: begins_with_mark,
    },
    Explanation {
        programs: &["python-toml"],
        cause: "grammar",
        why: "A string in three quotes may end with one or two quotes more (TOML 1.0, strings); the grammar leaves that out.",
        fits: |test| {
            let has = |quote: &str| text(test).contains(&quote.repeat(7));
            has("\"") || has("'")
        },
    },
    Explanation {
        programs: &["luac5.4"],
        cause: "program",
        why: "A first line that begins with `#` is skipped in a file, so that a script can name its interpreter.",
        fits: |test| text(test).starts_with('#'),
    },
    Explanation {
        programs: &["luac5.4"],
        cause: "program",
        why: "A byte order mark at the begin of a file is skipped.",
        fits: begins_with_mark,
    },
    Explanation {
        programs: &["luac5.4"],
        cause: "grammar",
        why: "The end of a comment is found by host code, which is not part of the grammar.",
        fits: |test| text(test).contains("--"),
    },
    Explanation {
        programs: &["luac5.4"],
        cause: "grammar",
        why: "A backslash before a line break is an escape (Lua 5.4, section 3.1), also before a carriage return alone.",
        fits: |test| text(test).contains("\\\r"),
    },
    Explanation {
        programs: &["sqlite3"],
        cause: "program",
        why: "A byte order mark is white space, wherever it stands.",
        fits: begins_with_mark,
    },
    Explanation {
        programs: &["sqlite3"],
        cause: "grammar",
        why: "A comment may be ended by the end of the input (SQL comment syntax of SQLite).",
        fits: |test| {
            let text = text(test);
            text.rfind("/*").is_some_and(|at| !text[at + 2..].contains("*/"))
        },
    },
    Explanation {
        programs: &["sqlite3"],
        cause: "grammar",
        why: "The name of a type may be empty in a cast.",
        fits: |test| text(test).contains("as )") || text(test).contains("as)"),
    },
    Explanation {
        programs: &["sqlite3"],
        cause: "grammar",
        why: "A transaction may have a name, which is ignored.",
        fits: |test| text(test).to_lowercase().contains("transaction"),
    },
    Explanation {
        programs: &["sqlite3"],
        cause: "grammar",
        why: "The operand of a sign may be a negation, `+ not null`.",
        fits: |test| {
            let text = text(test).to_lowercase();
            ["+not", "-not", "~not", "+ not", "- not", "~ not"].iter().any(|it| text.contains(it))
        },
    },
];

fn text(test: &Value) -> &str {
    test["text"].as_str().unwrap_or_default()
}

fn begins_with_mark(test: &Value) -> bool {
    text(test).starts_with('\u{FEFF}')
}

fn is_inserted(test: &Value, name: &str) -> bool {
    test["mutation"]["inserted"].as_array().is_some_and(|all| all.iter().any(|one| one == name))
}

/// Whether bytes that are not UTF-8 stand inside a string: after an odd number of quotes.
fn is_not_utf8_inside(test: &Value) -> bool {
    let (Some(place), Some(base)) =
        (test["mutation"]["place"].as_u64(), test["mutation"]["base"].as_str())
    else {
        return false;
    };
    let before = usize::try_from(place).ok().and_then(|place| base.get(..place));
    test["bytes"].is_string()
        && before.is_some_and(|before| before.replace("\\\"", "").matches('"').count() % 2 == 1)
}

/// Whether a text has a number that only the C library reads.
fn has_number(text: &str) -> bool {
    let is_part = |c: char| c.is_ascii_digit() || "+-.eE".contains(c);
    let mut words = text.split(|c: char| !is_part(c));
    words.any(|word| {
        let digits = word.trim_start_matches(['+', '-']);
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, "0"));
        let has_leading_zero =
            whole.len() > 1 && whole.starts_with('0') && !whole.starts_with("0e");
        let lacks_digits = !fraction.starts_with(|c: char| c.is_ascii_digit()) || whole.is_empty();
        !word.is_empty() && (word.starts_with('+') || has_leading_zero || lacks_digits)
    })
}

#[cfg(test)]
mod tests {
    use super::has_number;

    #[test]
    fn numbers_of_the_c_library() {
        for text in ["+0", ".0", "00", "01", "0.", "-.0", "0.e0", "[1.]"] {
            assert!(has_number(text), "{text}");
        }
        for text in ["0", "-0", "10", "0.5", "0e0", "1.5E+1", "\"a\"", "[]"] {
            assert!(!has_number(text), "{text}");
        }
    }
}
