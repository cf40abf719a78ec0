//! Names that are legal in ANTLR.

use std::fmt::Write as _;

use gramercy_base::{Map, Set};

use crate::antlr4::lex::{is_name_part, is_name_start, is_token_name};

/// The use of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NameKind {
    /// A parser rule, which begins with a lower-case letter.
    Rule,
    /// A token or lexer rule, which begins with an upper-case letter.
    Token,
}

/// Words that ANTLR reserves or that clash with the code it generates.
const RESERVED: [&str; 28] = [
    "import",
    "fragment",
    "lexer",
    "parser",
    "grammar",
    "protected",
    "public",
    "private",
    "returns",
    "locals",
    "throws",
    "catch",
    "finally",
    "mode",
    "options",
    "tokens",
    "channels",
    "tree",
    "rule",
    "parserRule",
    "EOF",
    "HIDDEN",
    "DEFAULT_TOKEN_CHANNEL",
    "DEFAULT_MODE",
    "SKIP",
    "MORE",
    "MAX_CHAR_VALUE",
    "MIN_CHAR_VALUE",
];

/// Whether a name can be used without changes.
fn is_legal(name: &str, kind: NameKind) -> bool {
    is_identifier(name) && is_token_name(name) == (kind == NameKind::Token)
}

/// Whether a text is a name at all.
pub(super) fn is_identifier(name: &str) -> bool {
    name.chars().next().is_some_and(is_name_start)
        && name.chars().all(is_name_part)
        && !RESERVED.contains(&name)
}

/// A legal name that is as similar to the given one as possible.
fn legal(name: &str, kind: NameKind) -> String {
    if is_legal(name, kind) {
        return name.to_owned();
    }
    let mut text: String = name.chars().map(|c| if is_name_part(c) { c } else { '_' }).collect();
    if let Some(first) = text.chars().next() {
        let changed: String = match kind {
            NameKind::Rule => first.to_lowercase().collect(),
            NameKind::Token => first.to_uppercase().collect(),
        };
        text.replace_range(..first.len_utf8(), &changed);
    }
    if RESERVED.contains(&&*text) {
        text.push('_');
    }
    match (is_legal(&text, kind), kind) {
        (true, _) => text,
        (false, NameKind::Rule) => format!("r_{text}"),
        (false, NameKind::Token) => format!("T_{text}"),
    }
}

/// The names that are in use.
#[derive(Debug, Default)]
pub(super) struct Names {
    taken: Set<String>,
    /// The number of requests for a name that is in use.
    again: Map<String, usize>,
}

impl Names {
    /// Names several items of a kind. Legal names are kept.
    pub(super) fn give(&mut self, wanted: &[&str], kind: NameKind) -> Vec<String> {
        let keeps = |name: &str| is_legal(name, kind);
        let kept: Vec<bool> =
            wanted.iter().map(|&name| keeps(name) && self.taken.insert(name.to_owned())).collect();
        let named = wanted.iter().zip(kept).map(|(&name, kept)| match kept {
            true => name.to_owned(),
            false => self.unique(&legal(name, kind)),
        });
        named.collect()
    }

    /// A unique name.
    pub(super) fn unique(&mut self, wanted: &str) -> String {
        if self.taken.insert(wanted.to_owned()) {
            return wanted.to_owned();
        }
        let again = self.again.entry(wanted.to_owned()).or_insert(1);
        loop {
            *again += 1;
            let name = format!("{wanted}_{again}");
            if self.taken.insert(name.clone()) {
                return name;
            }
        }
    }

    /// A name similar to the given one.
    pub(super) fn like(&mut self, wanted: &str, kind: NameKind) -> String {
        self.unique(&legal(wanted, kind))
    }
}

/// The name of a grammar without the suffix for lexer or parser.
pub(super) fn of_grammar(name: &str) -> String {
    let stem = name.strip_suffix("Parser").filter(|stem| !stem.is_empty()).unwrap_or(name);
    let mut text: String = stem.chars().map(|c| if is_name_part(c) { c } else { '_' }).collect();
    if !is_identifier(&text) {
        text.insert_str(0, "G_");
    }
    text
}

/// A name for a token with this text: `WHILE`, `PLUS`, `LESS_EQUAL`.
pub(super) fn of_text(text: &str) -> String {
    const MOST: usize = 8;
    let is_word = text.chars().all(|c| c.is_alphanumeric() || c == '_');
    if is_word && is_identifier(&text.to_uppercase()) {
        return text.to_uppercase();
    }
    let words: Vec<_> = text.chars().take(MOST).map(of_char).collect();
    match words.is_empty() {
        true => "EMPTY".to_owned(),
        false => words.join("_"),
    }
}

fn of_char(c: char) -> String {
    let name = match c {
        '!' => "EXCLAMATION",
        '"' => "QUOTE",
        '#' => "HASH",
        '$' => "DOLLAR",
        '%' => "PERCENT",
        '&' => "AND",
        '\'' => "APOSTROPHE",
        '(' => "LPAREN",
        ')' => "RPAREN",
        '*' => "STAR",
        '+' => "PLUS",
        ',' => "COMMA",
        '-' => "MINUS",
        '.' => "DOT",
        '/' => "SLASH",
        ':' => "COLON",
        ';' => "SEMI",
        '<' => "LESS",
        '=' => "EQUAL",
        '>' => "GREATER",
        '?' => "QUESTION",
        '@' => "AT",
        '[' => "LBRACK",
        '\\' => "BACKSLASH",
        ']' => "RBRACK",
        '^' => "CARET",
        '_' => "UNDERSCORE",
        '`' => "BACKTICK",
        '{' => "LBRACE",
        '|' => "OR",
        '}' => "RBRACE",
        '~' => "TILDE",
        ' ' => "SPACE",
        '\t' => "TAB",
        '\n' => "NEWLINE",
        '\r' => "RETURN",
        c if c.is_ascii_alphanumeric() => return c.to_uppercase().collect(),
        c => {
            let mut name = String::from("U");
            write!(name, "{:X}", u32::from(c)).expect("writing to a string does not fail");
            return name;
        }
    };
    name.to_owned()
}

#[cfg(test)]
mod tests {
    use super::{NameKind, Names, of_grammar, of_text};

    #[test]
    fn names_are_legal_unique_and_kept_where_possible() {
        let check = |kind, wanted: &[&str], expected: &[&str]| {
            assert_eq!(Names::default().give(wanted, kind), expected);
        };
        check(
            NameKind::Rule,
            &["Expr", "expr", "a-b", "1st", "", "_x", "mode"],
            &["expr_2", "expr", "a_b", "r_1st", "r_", "r__x", "mode_"],
        );
        check(
            NameKind::Token,
            &["id", "ID", "Id", "語", "EOF", "$end"],
            &["Id_2", "ID", "Id", "T_語", "EOF_", "T__end"],
        );
    }

    #[test]
    fn texts_have_names() {
        let check = |text, expected| assert_eq!(of_text(text), expected);
        check("while", "WHILE");
        check("<=", "LESS_EQUAL");
        check("1", "1");
        check("é", "É");
        check("\u{1}", "U1");
        check("", "EMPTY");
    }

    #[test]
    fn grammars_have_names() {
        let check = |name, expected: &str| assert_eq!(of_grammar(name), expected);
        check("FooParser", "Foo");
        check("Parser", "Parser");
        check("my grammar", "my_grammar");
        check("1", "G_1");
    }
}
