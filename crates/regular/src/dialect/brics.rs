//! The dialect of Tribble's grammars: that of the brics automaton library with complement and
//! intersection, without its other extensions.
//!
//! ```text
//! union    := intersection { '|' intersection }
//! intersection := concat { '&' concat }
//! concat   := repeat { repeat }
//! repeat   := complement { '?' | '*' | '+' | '{n}' | '{n,}' | '{n,m}' }
//! complement := '~' complement | class
//! class    := '[' [ '^' ] char [ '-' char ] { … } ']' | simple
//! simple   := '.' | '"' text '"' | '(' ')' | '(' union ')' | char
//! char     := '\' any | any
//! ```
//!
//! Where an operand is expected, any character stands for itself: `|a` is the two characters,
//! `a||b` is `a` or `|b`, and `[]]` is a class with `]`. `\` makes the next character literal.
//! White space is an ordinary character. `{n,m}` with n > m, like a reversed range in a class, is
//! the empty language.
//!
//! The library works on UTF-16 units, this parser on code points: `.`, `[^…]` and `~` extend to
//! U+10FFFF. A character beyond U+FFFF is one character here and two there.
//!
//! Cost: linear in the pattern. Nesting is limited, so neither reading nor any walk over the result
//! exhausts the stack.

use std::ops::Range;

use super::RegexError;
use crate::{CharSet, Regex};

/// The maximal nesting of groups, complements and repetitions.
const MAX_NESTING: usize = 250;

/// Parses a pattern.
///
/// # Errors
/// If something is missing, superfluous or nested too deeply.
pub fn parse(pattern: &str) -> Result<Regex, RegexError> {
    if pattern.is_empty() {
        return Ok(Regex::Empty);
    }
    let mut parser = Parser { pattern, at: 0, groups: 0 };
    let regex = parser.union()?;
    match parser.peek() {
        None => Ok(regex.tree),
        Some(c) => Err(RegexError::new("unmatched `)`", parser.range_of(c))
            .help(r"a literal parenthesis is written `\)`")),
    }
}

/// An expression and its height, which [`MAX_NESTING`] limits.
struct Nested {
    tree: Regex,
    height: usize,
}

impl Nested {
    fn leaf(tree: Regex) -> Self {
        Self { tree, height: 0 }
    }

    /// A single expression stays as it is; several are joined.
    fn join(mut parts: Vec<Nested>, join: fn(Vec<Regex>) -> Regex) -> Self {
        if parts.len() == 1 {
            return parts.remove(0);
        }
        let height = parts.iter().map(|part| part.height).max().unwrap_or(0) + 1;
        Self { tree: join(parts.into_iter().map(|part| part.tree).collect()), height }
    }
}

struct Parser<'a> {
    pattern: &'a str,
    at: usize,
    /// The number of open parentheses.
    groups: usize,
}

impl Parser<'_> {
    fn rest(&self) -> &str {
        &self.pattern[self.at..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn peek_any(&self, chars: &str) -> bool {
        self.peek().is_some_and(|c| chars.contains(c))
    }

    fn eat(&mut self, expected: char) -> bool {
        let found = self.peek() == Some(expected);
        if found {
            self.at += expected.len_utf8();
        }
        found
    }

    /// The byte range of the next character, which is `c`.
    fn range_of(&self, c: char) -> Range<usize> {
        self.at..self.at + c.len_utf8()
    }

    fn here(&self) -> Range<usize> {
        self.at..self.at
    }

    fn union(&mut self) -> Result<Nested, RegexError> {
        let mut parts = vec![self.intersection()?];
        while self.eat('|') {
            parts.push(self.intersection()?);
        }
        Ok(Nested::join(parts, Regex::Union))
    }

    fn intersection(&mut self) -> Result<Nested, RegexError> {
        let mut parts = vec![self.concat()?];
        while self.eat('&') {
            parts.push(self.concat()?);
        }
        Ok(Nested::join(parts, Regex::Intersection))
    }

    fn concat(&mut self) -> Result<Nested, RegexError> {
        let mut parts = vec![self.repeat()?];
        while self.peek().is_some() && !self.peek_any(")|&") {
            parts.push(self.repeat()?);
        }
        Ok(Nested::join(parts, Regex::Concat))
    }

    fn repeat(&mut self) -> Result<Nested, RegexError> {
        let first = self.at;
        let mut inner = self.complement()?;
        while let Some((min, max)) = self.suffix()? {
            inner.height += 1;
            inner.tree = Regex::Repeat { inner: Box::new(inner.tree), min, max };
            self.check_nesting(inner.height, first)?;
        }
        Ok(inner)
    }

    fn check_nesting(&self, height: usize, first: usize) -> Result<(), RegexError> {
        if height + self.groups <= MAX_NESTING {
            return Ok(());
        }
        let message = format!("nested more than {MAX_NESTING} deep");
        Err(RegexError::new(message, first..self.at))
    }

    /// The bounds of a repetition, if there is a suffix.
    fn suffix(&mut self) -> Result<Option<(u32, Option<u32>)>, RegexError> {
        let first = self.at;
        Ok(Some(match self.peek() {
            _ if self.eat('?') => (0, Some(1)),
            _ if self.eat('*') => (0, None),
            _ if self.eat('+') => (1, None),
            _ if self.eat('{') => self.bounds(first)?,
            _ => return Ok(None),
        }))
    }

    fn bounds(&mut self, first: usize) -> Result<(u32, Option<u32>), RegexError> {
        let Some(min) = self.number()? else {
            return Err(RegexError::new("a number is missing", self.here())
                .help(r"a repetition is `{n}`, `{n,}` or `{n,m}`; a literal brace is `\{`"));
        };
        let max = if self.eat(',') { self.number()? } else { Some(min) };
        if self.eat('}') {
            return Ok((min, max));
        }
        Err(RegexError::new("unclosed `{`", first..self.at))
    }

    fn number(&mut self) -> Result<Option<u32>, RegexError> {
        let length = self.rest().bytes().take_while(u8::is_ascii_digit).count();
        if length == 0 {
            return Ok(None);
        }
        let range = self.at..self.at + length;
        self.at = range.end;
        match self.pattern[range.clone()].parse() {
            Ok(number) => Ok(Some(number)),
            Err(_) => Err(RegexError::new("the number is too large", range)),
        }
    }

    fn complement(&mut self) -> Result<Nested, RegexError> {
        let first = self.at;
        let signs = self.rest().bytes().take_while(|&byte| byte == b'~').count();
        self.at += signs;
        let mut inner = self.class()?;
        self.check_nesting(inner.height + signs, first)?;
        for _ in 0..signs {
            inner.tree = Regex::Complement(Box::new(inner.tree));
        }
        inner.height += signs;
        Ok(inner)
    }

    fn class(&mut self) -> Result<Nested, RegexError> {
        let first = self.at;
        if !self.eat('[') {
            return self.simple();
        }
        let negated = self.eat('^');
        let mut ranges = Vec::new();
        loop {
            self.class_item(&mut ranges)?;
            if self.eat(']') {
                break;
            }
            if self.peek().is_none() {
                return Err(RegexError::new("unclosed `[`", first..self.at));
            }
        }
        let set = CharSet::from_ranges(ranges);
        Ok(Nested::leaf(Regex::Chars(if negated { set.complement() } else { set })))
    }

    fn class_item(&mut self, ranges: &mut Vec<(u32, u32)>) -> Result<(), RegexError> {
        let first = u32::from(self.char()?);
        let last = match self.eat('-') {
            false => first,
            true if self.peek() == Some(']') => {
                ranges.push(('-'.into(), '-'.into()));
                first
            }
            true => self.char()?.into(),
        };
        ranges.push((first, last));
        Ok(())
    }

    fn simple(&mut self) -> Result<Nested, RegexError> {
        match self.peek() {
            _ if self.eat('.') => Ok(Nested::leaf(Regex::Chars(CharSet::any()))),
            _ if self.eat('"') => self.quoted(),
            _ if self.eat('(') => self.group(),
            _ => Ok(Nested::leaf(Regex::Chars(CharSet::single(self.char()?)))),
        }
    }

    fn quoted(&mut self) -> Result<Nested, RegexError> {
        let Some((text, _)) = self.rest().split_once('"') else {
            return Err(RegexError::new("unclosed `\"`", self.at - 1..self.pattern.len())
                .help("a literal quotation mark is written `\\\"`"));
        };
        let (literal, length) = (Regex::literal(text), text.len());
        self.at += length + 1;
        Ok(Nested { tree: literal, height: 1 })
    }

    /// Parses a group, after its opening parenthesis.
    fn group(&mut self) -> Result<Nested, RegexError> {
        let first = self.at - 1;
        if self.eat(')') {
            return Ok(Nested::leaf(Regex::Empty));
        }
        self.groups += 1;
        self.check_nesting(0, first)?;
        let inner = self.union()?;
        self.groups -= 1;
        if self.eat(')') {
            return Ok(inner);
        }
        Err(RegexError::new("unclosed `(`", first..self.at)
            .help(r"a literal parenthesis is written `\(`"))
    }

    fn char(&mut self) -> Result<char, RegexError> {
        self.eat('\\');
        let Some(c) = self.peek() else {
            return Err(RegexError::new("the pattern ends too early", self.here()));
        };
        self.at += c.len_utf8();
        Ok(c)
    }
}

#[cfg(test)]
mod tests {
    use super::{MAX_NESTING, parse};
    use crate::{Dfa, Regex};
    use gramercy_base::Limits;

    fn dfa(pattern: &str) -> Dfa {
        Dfa::minimal(&parse(pattern).unwrap(), &Limits::default()).unwrap()
    }

    fn check(pattern: &str, matching: &[&str], others: &[&str]) {
        let dfa = dfa(pattern);
        matching.iter().for_each(|text| assert!(dfa.matches(text), "{pattern} on {text}"));
        others.iter().for_each(|text| assert!(!dfa.matches(text), "{pattern} on {text}"));
    }

    fn check_error(pattern: &str, message: &str, range: std::ops::Range<usize>) {
        let error = parse(pattern).unwrap_err();
        assert_eq!((&*error.message, error.range), (message, range), "{pattern}");
    }

    #[test]
    fn operators_bind_as_in_the_library() {
        check("ab|cd&.*d", &["ab", "cd"], &["abd", "acd"]);
        check("ab*", &["a", "abb"], &["abab"]);
        check("~a*", &["", "b", "bb", "aa"], &[]);
        check("~(a*)", &["b", "ab"], &["", "a", "aa"]);
        check("~ab", &["b", "bb", "aab"], &["ab", "a"]);
        check("~~a", &["a"], &["", "aa"]);
        check(".*ab.*&~(.*ba.*)", &["ab", "aabb"], &["aba", "bab"]);
    }

    #[test]
    fn repetitions() {
        check("a?b+c*", &["b", "abbcc"], &["a", "aab"]);
        check("a{2}", &["aa"], &["a", "aaa"]);
        check("a{2,}", &["aa", "aaaa"], &["a"]);
        check("a{2,3}", &["aa", "aaa"], &["a", "aaaa"]);
        check("a*+?", &["", "a", "aa"], &["b"]);
        check("a{0}", &[""], &["a"]);
        assert!(dfa("a{3,2}").is_empty());
    }

    #[test]
    fn classes() {
        check("[a-c\\]x]", &["a", "b", "c", "]", "x"], &["d", "-"]);
        check("[a-]", &["a", "-"], &["b"]);
        check("[]]", &["]"], &["["]);
        check("[^]a]", &["b", "^", "\n", "\u{10FFFF}"], &["]", "a", ""]);
        check("[|[0-9]", &["|", "[", "5"], &["]"]);
        check("[\\d]", &["d"], &["0", "\\"]);
        check("[\"(.]", &["\"", "(", "."], &["x"]);
        assert!(dfa("[z-a]").is_empty());
        check("[^z-a]", &["a", "q"], &[""]);
    }

    #[test]
    fn any_character_may_stand_for_itself() {
        check("\\n\\*\\x20", &["n*x20"], &["\n"]);
        check("a b", &["a b"], &["ab"]);
        check("#@<1-3>", &["#@<1-3>"], &["", "2"]);
        check("]", &["]"], &[]);
        check("*a", &["*a"], &["a"]);
        check("|a", &["|a"], &["a", ""]);
        check("a||b", &["a", "|b"], &["b", ""]);
        check("(|a)", &["|a"], &["a"]);
        check("a&&b", &[], &["a", "b"]);
        check("}{2}", &["}}"], &[]);
        check("\u{1F600}+", &["\u{1F600}\u{1F600}"], &[]);
    }

    #[test]
    fn quoted_text_and_groups() {
        check("\"a|b\\\"c", &["a|b\\c"], &["a"]);
        check("\"ab\"*", &["", "abab"], &["aba"]);
        check("()|a", &["", "a"], &[]);
        check("(a|b)c", &["ac", "bc"], &["a"]);
        check("", &[""], &["a"]);
        assert_eq!(parse("\"\"").unwrap(), Regex::Empty);
    }

    #[test]
    fn errors_have_positions() {
        check_error("ab)", "unmatched `)`", 2..3);
        check_error("a(bc", "unclosed `(`", 1..4);
        check_error("a[bc", "unclosed `[`", 1..4);
        check_error("x\"bc", "unclosed `\"`", 1..4);
        check_error("a|", "the pattern ends too early", 2..2);
        check_error("~", "the pattern ends too early", 1..1);
        check_error("a\\", "the pattern ends too early", 2..2);
        check_error("[a-", "the pattern ends too early", 3..3);
        check_error("a{x}", "a number is missing", 2..2);
        check_error("a{1,2", "unclosed `{`", 1..5);
        check_error("a{99999999999}", "the number is too large", 2..13);
    }

    #[test]
    fn nesting_is_bounded() {
        for (open, close) in [("(", ")"), ("~", ""), ("", "?"), ("~(a|", ")*")] {
            let deep = |levels: usize| format!("{}a{}", open.repeat(levels), close.repeat(levels));
            assert!(parse(&deep(MAX_NESTING / 4)).is_ok());
            let error = parse(&deep(100_000)).unwrap_err();
            assert!(error.message.starts_with("nested more than"), "{open} {close}");
        }
    }
}
