//! Grammars whose token types are only names, and the common parts of all grammars over tokens.
//!
//! If every token has a fixed text, the lexer consists of these texts, quoted tokens stay literals,
//! and white space between them is skipped; otherwise the grammar is a parser grammar that declares
//! its tokens.

use gramercy_base::{IndexSet, LimitReached, Limits, Map, Set};
use gramercy_grammar::{
    Command, ExprKind, Grammar, Notation, RuleId, Terminal, TerminalId, TerminalKind,
};

use super::expand::{Budget, Leaves, branches};
use super::names::{self, NameKind, Names};
use super::page::Page;
use super::phrase::{Branch, Phrase};
use super::spell;
use crate::WrittenFile;

pub(super) fn write(grammar: &Grammar, limits: &Limits) -> Result<Vec<WrittenFile>, LimitReached> {
    let used = used_tokens(grammar);
    let mut names = Names::default();
    let rules: Vec<_> = grammar.syntax_rules().collect();
    let wanted: Vec<_> = rules.iter().map(|(_, rule)| &*rule.name).collect();
    let rules: Map<RuleId, String> =
        rules.iter().map(|(id, _)| *id).zip(names.give(&wanted, NameKind::Rule)).collect();
    let lexer = fixed_texts(grammar, &used);
    let tokens = name_tokens(grammar, &used, lexer.is_some(), &mut names);
    let start = needs_start(grammar).then(|| names.like("start_", NameKind::Rule));

    let name = names::of_grammar(grammar.name());
    let mut page = match lexer {
        Some(_) => Page::new("grammar", &name),
        None => Page::new("parser grammar", &name),
    };
    if lexer.is_none() {
        let declared: Vec<_> = used.iter().map(|token| tokens[token].clone()).collect();
        page.list("tokens", &declared);
    }
    if let Some(start) = &start {
        let items = [rules[&grammar.start()].as_str(), "EOF"].map(Phrase::atom);
        page.rule(start, &[Branch::plain(Phrase::Sequence(items.into()))]);
    }
    let budget = Budget::new(limits);
    let mut leaves = TokenLeaves { grammar, rules: &rules, tokens: &tokens, budget };
    for (id, rule) in grammar.syntax_rules() {
        page.rule(&rules[&id], &branches(grammar, &mut leaves, rule.body)?);
    }
    if let Some(texts) = lexer {
        write_lexer(&mut page, &texts, &tokens, &mut names);
    }
    Ok(vec![page.finish()])
}

/// The texts of all tokens, if each has a different one.
fn fixed_texts<'g>(
    grammar: &'g Grammar,
    used: &IndexSet<TerminalId>,
) -> Option<Vec<(TerminalId, &'g str)>> {
    let text = |&id: &TerminalId| match &grammar.terminals()[id].kind {
        TerminalKind::Token { text: Some(text), .. } if !text.is_empty() => Some((id, &**text)),
        _ => None,
    };
    let texts = used.iter().map(text).collect::<Option<Vec<_>>>()?;
    let distinct: Set<&str> = texts.iter().map(|(_, text)| *text).collect();
    (distinct.len() == texts.len() && !texts.is_empty()).then_some(texts)
}

/// The names of tokens: quoted ones are named by their text if there is a lexer.
fn name_tokens(
    grammar: &Grammar,
    used: &IndexSet<TerminalId>,
    has_lexer: bool,
    names: &mut Names,
) -> Map<TerminalId, String> {
    let mut given = Map::default();
    let mut named = Vec::new();
    for &id in used {
        let Terminal { kind, name, .. } = &grammar.terminals()[id];
        let text = match kind {
            TerminalKind::Token { text, .. } => text.as_deref(),
            _ => None,
        };
        match text {
            Some(text) if is_quoted(name) && has_lexer => {
                given.insert(id, spell::literal(text));
            }
            _ => named.push((id, wanted_name(name, text))),
        }
    }
    let wanted: Vec<_> = named.iter().map(|(_, name)| name.as_str()).collect();
    given.extend(named.iter().map(|(id, _)| *id).zip(names.give(&wanted, NameKind::Token)));
    given
}

fn is_quoted(name: &str) -> bool {
    name.starts_with(['\'', '"'])
}

/// The preferred name of a token: for a quoted one, from its text.
pub(super) fn wanted_name(name: &str, text: Option<&str>) -> String {
    match text {
        Some(text) if is_quoted(name) => names::of_text(text),
        _ => name.to_owned(),
    }
}

fn write_lexer(
    page: &mut Page,
    texts: &[(TerminalId, &str)],
    tokens: &Map<TerminalId, String>,
    names: &mut Names,
) {
    for (id, text) in texts {
        let name = &tokens[id];
        if !name.starts_with('\'') {
            page.rule(name, &[Branch::plain(Phrase::Atom(spell::literal(text)))]);
        }
    }
    let is_space = |text: &str| text.chars().all(|c| matches!(c, ' ' | '\t' | '\r' | '\n'));
    if !texts.iter().any(|(_, text)| is_space(text)) {
        let space = names.like("WS", NameKind::Token);
        let skip = vec![Phrase::atom("[ \\t\\r\\n]+"), Phrase::Commands("skip".into())];
        page.rule(&space, &[Branch::plain(Phrase::Sequence(skip))]);
    }
}

struct TokenLeaves<'g> {
    grammar: &'g Grammar,
    rules: &'g Map<RuleId, String>,
    tokens: &'g Map<TerminalId, String>,
    budget: Budget,
}

impl Leaves for TokenLeaves<'_> {
    fn budget(&mut self) -> &mut Budget {
        &mut self.budget
    }

    fn terminal(&mut self, id: TerminalId) -> Result<Phrase, LimitReached> {
        Ok(terminal(self.grammar, id, |token| self.tokens[&token].clone()))
    }

    fn rule(&self, rule: RuleId) -> String {
        self.rules[&rule].clone()
    }

    fn command(&self, _: Command) -> String {
        unreachable!("invariant: commands are in lexical rules only")
    }
}

/// An occurrence of a terminal in a syntax rule over tokens.
pub(super) fn terminal(
    grammar: &Grammar,
    id: TerminalId,
    token: impl Fn(TerminalId) -> String,
) -> Phrase {
    match &grammar.terminals()[id].kind {
        TerminalKind::AnyTokenBut(members) => {
            let members: Vec<_> = members.iter().map(|&member| token(member)).collect();
            Phrase::Atom(match &members[..] {
                [] => ".".to_owned(),
                [only] => format!("~{only}"),
                _ => format!("~({})", members.join(" | ")),
            })
        }
        TerminalKind::Eof => Phrase::atom("EOF"),
        kind if kind.is_empty() => Phrase::Empty,
        _ => Phrase::Atom(token(id)),
    }
}

/// The token types that syntax rules use, in the order of their first occurrence.
pub(super) fn used_tokens(grammar: &Grammar) -> IndexSet<TerminalId> {
    let mut used = IndexSet::default();
    for (id, terminal) in grammar.terminals().iter().take(grammar.syntax_terminals()) {
        match &terminal.kind {
            TerminalKind::AnyTokenBut(members) => used.extend(members.iter().copied()),
            _ => drop(used.insert(id)),
        }
    }
    used
}

/// Whether a rule that requires the end of input must be added: grammars of other notations are
/// about whole inputs.
pub(super) fn needs_start(grammar: &Grammar) -> bool {
    let is_eof = |kind: &ExprKind| match kind {
        ExprKind::Terminal(id) => grammar.terminals()[*id].kind == TerminalKind::Eof,
        _ => false,
    };
    let mentions_eof = || grammar.exprs().values().any(|expr| is_eof(&expr.kind));
    grammar.notation() != Notation::Antlr4 && !mentions_eof()
}
