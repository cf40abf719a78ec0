//! The spelling of names and terminals in the native notation.
//!
//! A terminal keeps its original spelling if that means the same here, which is tested by reading
//! it. So `'+'` of a yacc file, `[\p{L}_]` of an ANTLR file and `/[a-z]+/` of a Tribble file do not
//! change; other terminals get a new spelling.

use std::fmt::Write;

use gramercy_base::{Id, Map, SourceId, Table};
use gramercy_grammar::{ExprKind, Grammar, Rule, Terminal, TerminalId, TerminalKind};
use gramercy_regular::{CharSet, Regex};

use super::read::{is_name, is_name_start};
use crate::cursor::Cursor;
use crate::ebnf::lower::text_kind;
use crate::ebnf::scanner::Scanner;
use crate::ebnf::syntax::{ExprNodeKind, Tree};
use crate::{LoadOptions, Memory, Reading};

/// A name as it is written; in backticks if it is not a plain word.
pub(super) fn name(name: &str) -> String {
    let plain = name.starts_with(is_name_start) && name.chars().all(is_name) && name != "EOF";
    if plain { name.into() } else { format!("`{}`", name.replace('`', "``")) }
}

/// A text as a literal.
pub(super) fn literal(text: &str) -> String {
    let mut spelled = String::from("\"");
    text.chars().for_each(|c| push_char(&mut spelled, c.into(), "\"\\"));
    spelled.push('"');
    spelled
}

/// A set of characters.
pub(super) fn class(set: &CharSet) -> String {
    if *set == CharSet::any() {
        return ".".into();
    }
    let complement = set.complement();
    let negated = !complement.is_empty() && complement.ranges().len() < set.ranges().len();
    let mut spelled = String::from(if negated { "[^" } else { "[" });
    for &(first, last) in if negated { &complement } else { set }.ranges() {
        push_char(&mut spelled, first, "\\[]^-");
        if last > first {
            if last > first + 1 {
                spelled.push('-');
            }
            push_char(&mut spelled, last, "\\[]^-");
        }
    }
    spelled.push(']');
    spelled
}

/// Appends a character, escaped if it is one of `special` or invisible.
fn push_char(spelled: &mut String, code: u32, special: &str) {
    let seen = |c: &char| *c == ' ' || (!c.is_whitespace() && c.escape_debug().count() == 1);
    let result = match char::from_u32(code) {
        Some('\n') => write!(spelled, "\\n"),
        Some('\r') => write!(spelled, "\\r"),
        Some('\t') => write!(spelled, "\\t"),
        Some(c) if special.contains(c) => write!(spelled, "\\{c}"),
        Some(c @ ('"' | '\'' | '\\')) => write!(spelled, "{c}"),
        Some(c) if seen(&c) => write!(spelled, "{c}"),
        _ => write!(spelled, "\\u{{{code:X}}}"),
    };
    result.expect("invariant: a string can be written to");
}

/// The spelling of every terminal of a grammar in right-hand sides.
pub(super) fn of_terminals(grammar: &Grammar) -> Table<TerminalId, Box<str>> {
    let tokens = TokenSpellings::new(grammar);
    grammar.terminals().map(|id, terminal| {
        match &terminal.kind {
            TerminalKind::Literal(text) => of_literal(&terminal.name, text),
            TerminalKind::Chars(set) => of_chars(&terminal.name, set),
            TerminalKind::Regex { source, regex } => of_regex(&terminal.name, source, regex),
            TerminalKind::Token { .. } => tokens.spelling(grammar, id),
            TerminalKind::AnyTokenBut(but) => tokens.any_but(grammar, &terminal.name, but),
            TerminalKind::Eof => "EOF".into(),
        }
        .into()
    })
}

/// Reads a spelling as a leaf of a right-hand side.
fn read_leaf(spelling: &str) -> Option<(ExprNodeKind, Tree)> {
    let (files, options) = (Memory::default(), LoadOptions::default());
    let mut reading = Reading::new(&files, &options);
    let cursor = Cursor::new(SourceId::from_index(0), spelling);
    let mut scanner = Scanner { cursor, reading: &mut reading, tree: Tree::default() };
    let leaf = scanner.leaf().ok()??;
    let (at_end, tree) = (scanner.cursor.at_end(), scanner.tree);
    (at_end && !reading.has_errors()).then_some((leaf, tree))
}

fn means_literal(spelling: &str, text: &str) -> bool {
    matches!(read_leaf(spelling), Some((ExprNodeKind::Literal(read), _)) if *read == *text)
}

fn of_literal(spelling: &str, text: &str) -> String {
    if means_literal(spelling, text) { spelling.into() } else { literal(text) }
}

fn of_chars(spelling: &str, set: &CharSet) -> String {
    let means_set = |kind: &ExprNodeKind| matches!(text_kind(kind), Some(TerminalKind::Chars(read)) if read == *set);
    match read_leaf(spelling) {
        Some((kind, _)) if means_set(&kind) => spelling.into(),
        _ => class(set),
    }
}

fn of_regex(spelling: &str, source: &str, regex: &Regex) -> String {
    // As an item, `/*` would begin a comment.
    let same = |spelling: &String| match read_leaf(spelling).filter(|_| !spelling.starts_with("/*"))
    {
        Some((ExprNodeKind::Pattern(read), _)) => *read.source == *source && read.regex == *regex,
        _ => false,
    };
    let as_written = [spelling.into(), format!("{spelling}tribble"), format!("/{source}/")];
    let encoded = tribble_regex(source);
    as_written
        .into_iter()
        .chain([encoded])
        .find(same)
        .unwrap_or_else(|| tribble_regex(&brics(regex)))
}

/// A pattern of Tribble's dialect.
fn tribble_regex(pattern: &str) -> String {
    let mut spelled = String::from("/");
    for c in pattern.chars() {
        match c {
            '\n' => spelled.push_str("\\n"),
            '\r' => spelled.push_str("\\r"),
            '\t' => spelled.push_str("\\t"),
            '"' | '\\' | '/' => spelled.extend(['\\', c]),
            _ => spelled.push(c),
        }
    }
    spelled + "/tribble"
}

/// An expression in the brics dialect, which has all operators of expressions.
fn brics(regex: &Regex) -> String {
    let join = |parts: &[Regex], sign: &str| {
        format!("({})", parts.iter().map(brics).collect::<Vec<_>>().join(sign))
    };
    match regex {
        Regex::Nothing => "[b-a]".into(),
        Regex::Empty => "()".into(),
        Regex::Chars(set) if *set == CharSet::any() => ".".into(),
        Regex::Chars(set) => brics_class(set),
        Regex::Concat(parts) => join(parts, ""),
        Regex::Union(parts) => join(parts, "|"),
        Regex::Intersection(parts) => join(parts, "&"),
        Regex::Complement(inner) => format!("~({})", brics(inner)),
        Regex::Repeat { inner, min, max: None } => format!("({}){{{min},}}", brics(inner)),
        Regex::Repeat { inner, min, max: Some(max) } => {
            format!("({}){{{min},{max}}}", brics(inner))
        }
    }
}

/// A set in the brics dialect, where a backslash makes any character literal. Surrogates, which a
/// text cannot contain, are left out.
fn brics_class(set: &CharSet) -> String {
    let halves =
        |&(first, last): &(u32, u32)| [(first, last.min(0xD7FF)), (first.max(0xE000), last)];
    let mut spelled = String::from("[");
    for (first, last) in set.ranges().iter().flat_map(halves).filter(|(first, last)| first <= last)
    {
        let ends = [first, last].map(|code| char::from_u32(code).unwrap_or_default());
        write!(spelled, "\\{}-\\{}", ends[0], ends[1])
            .expect("invariant: a string can be written to");
    }
    if spelled.len() == 1 { "[b-a]".into() } else { spelled + "]" }
}

/// The tokens that can be written as literals, and the tokens of names and literals.
struct TokenSpellings {
    of_name: Map<Box<str>, TerminalId>,
    /// For each text its token, unless there are several.
    of_text: Map<Box<str>, Option<TerminalId>>,
    /// The text of tokens whose name is their literal.
    literals: Table<TerminalId, Option<Box<str>>>,
}

impl TokenSpellings {
    fn new(grammar: &Grammar) -> Self {
        let literals = Table::filled(None, grammar.terminals().len());
        let mut tokens = Self { of_name: Map::default(), of_text: Map::default(), literals };
        for (id, terminal) in grammar.terminals().iter() {
            if let TerminalKind::Token { name, text } = &terminal.kind {
                tokens.of_name.insert(name.clone(), id);
                if let Some(text) = text {
                    tokens.add(id, name, text);
                }
            }
        }
        // If case is ignored, a token has no fixed text.
        for rule in grammar.rules().values() {
            if let Some((token, text)) = whole_literal(grammar, rule)
                && matches!(grammar.terminals()[token].kind, TerminalKind::Token { text: None, .. })
            {
                tokens.add(token, token_name(&grammar.terminals()[token]), text);
            }
        }
        tokens
    }

    fn add(&mut self, token: TerminalId, name: &str, text: &str) {
        self.literals[token] = means_literal(name, text).then(|| text.into());
        self.of_text.entry(text.into()).and_modify(|of| *of = None).or_insert(Some(token));
    }

    fn spelling(&self, grammar: &Grammar, token: TerminalId) -> String {
        let name = token_name(&grammar.terminals()[token]);
        match &self.literals[token] {
            Some(text) if self.of_text[text] == Some(token) => name.into(),
            _ => self::name(name),
        }
    }

    fn any_but(&self, grammar: &Grammar, spelling: &str, but: &[TerminalId]) -> String {
        if let Some((kind, tree)) = read_leaf(spelling)
            && self.members(&kind, &tree).as_deref() == Some(but)
        {
            return spelling.into();
        }
        let names: Vec<_> = but.iter().map(|&id| self.spelling(grammar, id)).collect();
        match &names[..] {
            [] => ".".into(),
            [only] => format!("~{only}"),
            _ => format!("~({})", names.join(" | ")),
        }
    }

    /// The tokens that a spelling excludes, ascending.
    fn members(&self, kind: &ExprNodeKind, tree: &Tree) -> Option<Vec<TerminalId>> {
        let units = match kind {
            ExprNodeKind::Any => &[],
            ExprNodeKind::AnyBut(units) => &units[..],
            _ => return None,
        };
        let token = |kind: &ExprNodeKind| match kind {
            ExprNodeKind::Name(name) => self.of_name.get(tree.text(*name)).copied(),
            ExprNodeKind::Literal(text) => self.of_text.get(text).copied().flatten(),
            _ => None,
        };
        let mut members: Vec<_> =
            units.iter().map(|unit| token(&unit.kind)).collect::<Option<_>>()?;
        members.sort_unstable();
        Some(members)
    }
}

/// The token and the literal of a rule that consists of a single literal.
fn whole_literal<'g>(grammar: &'g Grammar, rule: &Rule) -> Option<(TerminalId, &'g str)> {
    let token = rule.token()?;
    let ExprKind::Alternation(alternatives) = &grammar.expr(rule.body).kind else { return None };
    let [only] = &alternatives[..] else { return None };
    let ExprKind::Terminal(literal) = grammar.expr(only.expr).kind else { return None };
    match &grammar.terminals()[literal].kind {
        TerminalKind::Literal(text) => Some((token.token, text)),
        _ => None,
    }
}

/// The name of a token type.
pub(super) fn token_name(terminal: &Terminal) -> &str {
    match &terminal.kind {
        TerminalKind::Token { name, .. } => name,
        _ => &terminal.name,
    }
}
