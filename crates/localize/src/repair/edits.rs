//! From an explanation to edits of the grammar's text, in the notation of its file.

use gramercy_base::{Id, Span};
use gramercy_grammar::{
    ExprId, ExprKind, Grammar, NonterminalId, Notation, Origin, RuleId, Symbol, TerminalId,
    TerminalKind,
};
use gramercy_parse::NonterminalSource;
use gramercy_parse::tables::InputId;

use crate::chart::Reader;
use crate::search::{Change, Explanation, Layer};
use crate::subject::Subject;

/// An edit of a grammar file: a span gets another text.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Edit {
    /// What is replaced; an empty span inserts.
    pub span: Span,
    /// The new text.
    pub text: String,
    /// What that does, in words.
    pub what: String,
    /// What becomes of the old text.
    pub effect: Effect,
}

/// What an edit does to the part of the grammar that it changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Effect {
    /// Everything that was derived before is still derived.
    Adds,
    /// Something else is derived instead.
    Replaces,
}

/// Whether passing tests speak for what an edit changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Support {
    /// It replaces what no passing test uses.
    Replaced,
    /// It is not known.
    Unknown,
    /// It keeps what no passing test uses.
    Kept,
}

impl Support {
    /// The support of an edit of a part that passing tests use, or do not.
    pub(crate) fn of(edit: &Edit, is_unused: bool) -> Self {
        match (is_unused, edit.effect) {
            (true, Effect::Replaces) => Support::Replaced,
            (true, Effect::Adds) => Support::Kept,
            (false, _) => Support::Unknown,
        }
    }
}

/// The most replacements that are tried for symbols that stand for a text.
const MAX_SPELLINGS: usize = 4;
/// The longest text that becomes symbols.
const MAX_SYMBOLS: usize = 8;

/// Writes edits.
#[derive(Debug)]
pub struct Editor<'a, 'l> {
    /// The grammar.
    pub subject: &'a Subject<'l>,
    /// The input of the failing test.
    pub text: &'a str,
    /// Its tokens.
    pub inputs: &'a [InputId],
}

impl Editor<'_, '_> {
    /// The edits that make a change.
    #[must_use]
    pub fn edits(&self, change: &Explanation) -> Vec<Edit> {
        match change.layer {
            Layer::Syntax => self.syntax(change),
            Layer::Lexis => self.lexis(change),
        }
    }

    fn grammar(&self) -> &Grammar {
        self.subject.grammar()
    }

    fn source(&self, span: Span) -> &str {
        self.grammar().sources().text(span)
    }

    /// Whether parts of a rule can be optional, repeated and grouped.
    fn has_groups(&self) -> bool {
        self.grammar().notation() != Notation::Yacc
    }

    fn syntax(&self, change: &Explanation) -> Vec<Edit> {
        let slots = self.subject.slots();
        let exprs = self.exprs(change);
        let dot = slots.dot(change.slot);
        let next = exprs.get(dot).copied().flatten();
        let previous = dot.checked_sub(1).and_then(|at| exprs[at]);
        let symbols = || self.spellings(change);
        match change.change {
            Change::Skip => {
                let target = slots.dot(change.target);
                let parts: Option<Vec<_>> = exprs[dot..target].iter().copied().collect();
                parts.map_or_else(Vec::new, |parts| self.optional(change, &parts, dot..target))
            }
            Change::Insert => {
                let at = match (next, previous) {
                    (Some(next), _) => self.start_of(next),
                    (None, Some(previous)) => self.end_of(previous),
                    (None, None) => return Vec::new(),
                };
                self.insert(change, at, next.is_some(), symbols(), dot)
            }
            Change::Substitute => {
                let Some(next) = next.filter(|_| exprs.len() > 1) else { return Vec::new() };
                let (span, old) = (self.span(next), self.source(self.span(next)));
                let mut edits = Vec::new();
                for new in symbols() {
                    edits.push(match self.has_groups() {
                        true => Edit {
                            span,
                            text: format!("({old} | {new})"),
                            what: format!("`{new}` beside `{old}`"),
                            effect: Effect::Adds,
                        },
                        false => self.alternative_with(change, dot..dot + 1, &new),
                    });
                    edits.push(self.replaced(next, new));
                }
                edits
            }
            Change::Alternative => {
                let only = next.filter(|_| {
                    exprs.len() == 1 && self.subject.owner(change.slot) == Some(change.rule)
                });
                let mut edits = Vec::new();
                for new in symbols() {
                    edits.extend(self.alternative(change, &new));
                    edits.extend(only.map(|only| self.replaced(only, new)));
                }
                edits
            }
            Change::Transpose => match (next, exprs.get(dot + 1).copied().flatten()) {
                (Some(first), Some(second)) => self.transpose(change, first, second, dot),
                _ => Vec::new(),
            },
            Change::Repeat => self.repeat(change, previous),
            Change::Widen | Change::Rematch => Vec::new(),
        }
    }

    /// Something else in the place of an expression.
    fn replaced(&self, expr: ExprId, new: String) -> Edit {
        let (span, old) = (self.span(expr), self.source(self.span(expr)));
        let what = format!("`{new}` instead of `{old}`");
        Edit { span, text: new, what, effect: Effect::Replaces }
    }

    /// The expressions of a production's positions.
    fn exprs(&self, change: &Explanation) -> Vec<Option<ExprId>> {
        let slots = self.subject.slots();
        let production = slots.production(change.slot);
        let first = slots.first(production);
        let rhs = slots.cfg().rhs(production).len();
        (0..rhs)
            .map(|at| {
                let slot = crate::slots::SlotId::from_index(first.index() + at);
                self.subject.expr(Layer::Syntax, slot)
            })
            .collect()
    }

    fn span(&self, expr: ExprId) -> Span {
        self.grammar().expr(expr).span
    }

    fn start_of(&self, expr: ExprId) -> Span {
        let span = self.span(expr);
        Span { end: span.start, ..span }
    }

    fn end_of(&self, expr: ExprId) -> Span {
        let span = self.span(expr);
        Span { start: span.end, ..span }
    }

    /// Makes parts optional.
    fn optional(
        &self,
        change: &Explanation,
        parts: &[ExprId],
        range: std::ops::Range<usize>,
    ) -> Vec<Edit> {
        let (Some(&first), Some(&last)) = (parts.first(), parts.last()) else { return Vec::new() };
        let span = Span { end: self.span(last).end, ..self.span(first) };
        let old = self.source(span);
        let what = format!("`{old}` is optional");
        let effect = Effect::Replaces;
        let deleted = Edit { span, text: String::new(), what: format!("no `{old}`"), effect };
        if !self.has_groups() {
            return vec![self.alternative_with(change, range, ""), deleted];
        }
        let text = match parts {
            [only] => match &self.grammar().expr(*only).kind {
                ExprKind::Repeat { min: 1, max: None, .. } if old.ends_with('+') => {
                    format!("{}*", &old[..old.len() - 1])
                }
                ExprKind::Rule(_) | ExprKind::Terminal(_) => format!("{old}?"),
                _ => format!("({old})?"),
            },
            _ => format!("({old})?"),
        };
        vec![Edit { span, text, what, effect: Effect::Adds }, deleted]
    }

    /// Puts two parts into the other order, or allows both orders.
    fn transpose(
        &self,
        change: &Explanation,
        first: ExprId,
        second: ExprId,
        dot: usize,
    ) -> Vec<Edit> {
        let [x, y] = [first, second].map(|expr| self.source(self.span(expr)));
        let span = Span { end: self.span(second).end, ..self.span(first) };
        let swapped = format!("{y} {x}");
        let what = format!("`{swapped}` instead of `{x} {y}`");
        let both = match self.has_groups() {
            true => Edit {
                span,
                text: format!("({x} {y} | {swapped})"),
                what: format!("`{swapped}` beside `{x} {y}`"),
                effect: Effect::Adds,
            },
            false => self.alternative_with(change, dot..dot + 2, &swapped),
        };
        vec![Edit { span, text: swapped, what, effect: Effect::Replaces }, both]
    }

    /// Inserts symbols as an optional part, and as one that may be repeated.
    fn insert(
        &self,
        change: &Explanation,
        at: Span,
        is_before: bool,
        symbols: Vec<String>,
        dot: usize,
    ) -> Vec<Edit> {
        let mut edits = Vec::new();
        for new in symbols {
            if !self.has_groups() {
                edits.push(self.alternative_with(change, dot..dot, &new));
                continue;
            }
            let grouped = if new.contains(' ') { format!("({new})") } else { new.clone() };
            for suffix in ["?", "*"] {
                let text = match is_before {
                    true => format!("{grouped}{suffix} "),
                    false => format!(" {grouped}{suffix}"),
                };
                let what = match suffix {
                    "?" => format!("optional `{new}`"),
                    _ => format!("any number of `{new}`"),
                };
                edits.push(Edit { span: at, text, what, effect: Effect::Adds });
            }
        }
        edits
    }

    fn repeat(&self, change: &Explanation, previous: Option<ExprId>) -> Vec<Edit> {
        let slots = self.subject.slots();
        let exprs = self.exprs(change);
        let whole = slots.dot(change.target) == 0 && slots.dot(change.slot) > 1;
        if !self.has_groups() {
            // A list is a rule of its own in this notation: the rule derives itself after itself.
            let name = &self.grammar().rules()[change.rule].name;
            let production = self.production_text(change, 0..0, "");
            return vec![self.alternative_text(change.rule, &format!("{name} {production}"))]
                .into_iter()
                .flatten()
                .collect();
        }
        let (first, last) = match (whole, previous) {
            (true, _) => (exprs.first().copied().flatten(), exprs.last().copied().flatten()),
            (false, previous) => (previous, previous),
        };
        let (Some(first), Some(last)) = (first, last) else { return Vec::new() };
        let span = Span { end: self.span(last).end, ..self.span(first) };
        let old = self.source(span);
        let what = format!("`{old}` may be repeated");
        let text = match (&self.grammar().expr(first).kind, first == last) {
            (ExprKind::Repeat { min: 0, max: Some(1), .. }, true) if old.ends_with('?') => {
                format!("{}*", &old[..old.len() - 1])
            }
            (ExprKind::Rule(_) | ExprKind::Terminal(_), true) => format!("{old}+"),
            _ => format!("({old})+"),
        };
        vec![Edit { span, text, what, effect: Effect::Adds }]
    }

    /// One more alternative of the rule or group that a change blames.
    fn alternative(&self, change: &Explanation, new: &str) -> Option<Edit> {
        let slots = self.subject.slots();
        let production = slots.production(change.slot);
        let symbol = slots.next(change.slot);
        let of = match symbol {
            Some(Symbol::Nonterminal(of)) if self.subject.owner_of(of) == Some(change.rule) => of,
            _ => slots.cfg().lhs(production),
        };
        let NonterminalSource::Bnf(id) = self.subject.parser().parser().nonterminal_source(of)
        else {
            return None;
        };
        match self.subject.language().bnf().nonterminals()[id].origin {
            Origin::Group(expr) => {
                let span = self.end_of(expr);
                Some(Edit {
                    span,
                    text: format!(" | {new}"),
                    what: format!("alternative `{new}`"),
                    effect: Effect::Adds,
                })
            }
            _ => self.alternative_text(change.rule, new),
        }
    }

    /// One more alternative of a rule.
    fn alternative_text(&self, rule: RuleId, new: &str) -> Option<Edit> {
        let body = self.grammar().rules()[rule].body;
        let span = self.end_of(body);
        let ExprKind::Alternation(alternatives) = &self.grammar().expr(body).kind else {
            return None;
        };
        let is_labelled = alternatives
            .iter()
            .any(|alternative| alternative.attributes.as_ref().is_some_and(|a| a.label.is_some()));
        let label =
            if is_labelled { format!(" # added{}", alternatives.len() + 1) } else { String::new() };
        let separator = self.separator(body, alternatives.len());
        let name = &self.grammar().rules()[rule].name;
        let what = format!("alternative `{new}` of `{name}`");
        Some(Edit { span, text: format!("{separator}| {new}{label}"), what, effect: Effect::Adds })
    }

    /// How the alternatives of a rule are separated: on lines of their own where they are.
    fn separator(&self, body: ExprId, alternatives: usize) -> String {
        let text = self.source(self.span(body));
        let span = self.span(body);
        let file = self.grammar().sources().get(span.source).text();
        let line_start = file[..span.start as usize].rfind('\n').map_or(0, |at| at + 1);
        let indent: String =
            file[line_start..].chars().take_while(|c| *c == ' ' || *c == '\t').collect();
        match text.rfind("\n").filter(|_| alternatives > 1) {
            Some(at) => {
                let line = &text[at + 1..];
                let indent: String = line.chars().take_while(|c| *c == ' ' || *c == '\t').collect();
                match line.trim_start().starts_with('|') {
                    true => format!("\n{indent}"),
                    false => " ".to_owned(),
                }
            }
            None if file[line_start..].trim_start().starts_with(':') => format!("\n{indent}"),
            None => " ".to_owned(),
        }
    }

    /// One more alternative: a production with some positions replaced.
    fn alternative_with(
        &self,
        change: &Explanation,
        range: std::ops::Range<usize>,
        new: &str,
    ) -> Edit {
        let text = self.production_text(change, range, new);
        let body = self.grammar().rules()[change.rule].body;
        let what = format!("alternative `{text}`");
        let text = if text.is_empty() { "%empty".to_owned() } else { text };
        self.alternative_text(change.rule, &text).unwrap_or(Edit {
            span: self.end_of(body),
            text: format!(" | {text}"),
            what,
            effect: Effect::Adds,
        })
    }

    fn production_text(
        &self,
        change: &Explanation,
        range: std::ops::Range<usize>,
        new: &str,
    ) -> String {
        let exprs = self.exprs(change);
        let source = |expr: &Option<ExprId>| expr.map(|expr| self.source(self.span(expr)));
        let before = exprs[..range.start].iter().filter_map(source);
        let after = exprs[range.end..].iter().filter_map(source);
        let parts = before.chain([new].into_iter().filter(|new| !new.is_empty())).chain(after);
        parts.collect::<Vec<_>>().join(" ")
    }

    /// The symbols that can stand for the tokens of a change, the most general first.
    fn spellings(&self, change: &Explanation) -> Vec<String> {
        let inputs = &self.inputs[change.token..change.token + change.gap];
        if inputs.is_empty() || inputs.len() > 64 {
            return Vec::new();
        }
        let mut reader = Reader::new(self.subject.slots(), 2_000_000);
        let mut spellings = Vec::new();
        let phrases: Vec<_> =
            (0..inputs.len()).map(|at| reader.phrases(inputs, at, inputs.len())).collect();
        if inputs.len() > 1
            && let Some(whole) = phrases[0].get(inputs.len() - 1)
        {
            spellings.extend(self.names(whole).into_iter().take(MAX_SPELLINGS));
        }
        if inputs.len() == 1 {
            spellings.extend(self.token(inputs[0], change));
            let names = phrases[0].first().map_or_else(Vec::new, |phrases| self.names(phrases));
            spellings.extend(names.into_iter().take(MAX_SPELLINGS));
        } else {
            spellings.extend(self.cover(inputs, &phrases, change));
        }
        spellings.dedup();
        spellings
    }

    /// The fewest symbols that stand for tokens, in order.
    fn cover(
        &self,
        inputs: &[InputId],
        phrases: &[Vec<Vec<NonterminalId>>],
        change: &Explanation,
    ) -> Option<String> {
        let mut best: Vec<Option<Vec<String>>> = vec![None; inputs.len() + 1];
        best[0] = Some(Vec::new());
        for at in 0..inputs.len() {
            let Some(before) = best[at].clone() else { continue };
            let mut offer = |to: usize, name: String| {
                let known = best[to].as_ref().map_or(usize::MAX, Vec::len);
                if before.len() + 1 < known {
                    let mut names = before.clone();
                    names.push(name);
                    best[to] = Some(names);
                }
            };
            for (more, found) in phrases[at].iter().enumerate().skip(1) {
                if let Some(name) = self.names(found).into_iter().next() {
                    offer(at + more + 1, name);
                }
            }
            if let Some(name) = self.token(inputs[at], change) {
                offer(at + 1, name);
            }
        }
        let names = best.pop().flatten()?;
        (names.len() <= MAX_SYMBOLS).then(|| names.join(" "))
    }

    /// The names of rules among nonterminals, those with most productions first.
    fn names(&self, nonterminals: &[NonterminalId]) -> Vec<String> {
        let cfg = self.subject.cfg();
        let mut rules: Vec<_> = nonterminals
            .iter()
            .filter_map(|&id| {
                let rule = self.subject.referenced(Symbol::Nonterminal(id))?;
                Some((std::cmp::Reverse(cfg.productions_of(id).len()), rule))
            })
            .collect();
        rules.sort_unstable();
        rules.dedup();
        rules.into_iter().map(|(_, rule)| self.grammar().rules()[rule].name.to_string()).collect()
    }

    /// How a token is written in a rule; text that is no token becomes a literal where the notation allows that.
    fn token(&self, input: InputId, change: &Explanation) -> Option<String> {
        if input == self.subject.slots().unknown() {
            let text = &self.text[change.inserted.0..change.inserted.1];
            let is_word = text.chars().count() <= 8 && !text.contains(char::is_whitespace);
            let is_combined = self.grammar().sources().iter().count() == 1;
            let allows = self.grammar().notation() == Notation::Antlr4 && is_combined;
            return (allows && is_word && change.gap == 1).then(|| quote(Notation::Antlr4, text));
        }
        if self.subject.spellings().is_none()
            && !matches!(
                self.grammar().terminals().get(TerminalId::from_index(input.index()))?.kind,
                TerminalKind::Token { .. }
            )
        {
            let text = &self.text[change.inserted.0..change.inserted.1];
            return Some(quote(self.grammar().notation(), text));
        }
        let terminal = self.grammar().terminals().get(TerminalId::from_index(input.index()))?;
        Some(terminal.name.to_string())
    }

    /// Edits of a token rule.
    fn lexis(&self, change: &Explanation) -> Vec<Edit> {
        let Some(spellings) = self.subject.spellings() else { return Vec::new() };
        if !self.has_groups() {
            return Vec::new();
        }
        let slots = spellings.slots();
        let sources = spellings.sources(slots.production(change.slot));
        let dot = slots.dot(change.slot);
        let next = sources.get(dot).copied();
        let previous = dot.checked_sub(1).and_then(|at| sources.get(at)).copied();
        let new = &self.text[change.inserted.0..change.inserted.1];
        let notation = self.grammar().notation();
        let beside = |expr: ExprId, new: &str| {
            let (span, old) = (self.span(expr), self.source(self.span(expr)));
            let what = format!("{new} beside `{old}`");
            Edit { span, text: format!("({old} | {new})"), what, effect: Effect::Adds }
        };
        match (change.change, next, previous) {
            (Change::Widen, Some(next), _) => {
                let mut edits: Vec<_> = self.widen_set(next, new).into_iter().collect();
                edits.push(beside(next, &quote(notation, new)));
                edits
            }
            (Change::Insert | Change::Substitute, Some(next), _) => {
                let quoted = quote(notation, new);
                let insert = Edit {
                    span: self.start_of(next),
                    text: format!("{quoted}? "),
                    what: format!("optional {quoted}"),
                    effect: Effect::Adds,
                };
                vec![beside(next, &quoted), insert]
            }
            (Change::Insert, None, Some(previous)) => {
                let quoted = quote(notation, new);
                let text = format!(" {quoted}?");
                vec![Edit {
                    span: self.end_of(previous),
                    text,
                    what: format!("optional {quoted}"),
                    effect: Effect::Adds,
                }]
            }
            (Change::Skip, Some(next), _) => {
                let (span, old) = (self.span(next), self.source(self.span(next)));
                let text = match &self.grammar().expr(next).kind {
                    ExprKind::Rule(_) | ExprKind::Terminal(_) => format!("{old}?"),
                    _ => format!("({old})?"),
                };
                vec![Edit {
                    span,
                    text,
                    what: format!("`{old}` is optional"),
                    effect: Effect::Adds,
                }]
            }
            (Change::Repeat, _, Some(previous)) => {
                let (span, old) = (self.span(previous), self.source(self.span(previous)));
                vec![Edit {
                    span,
                    text: format!("({old})+"),
                    what: format!("`{old}` may be repeated"),
                    effect: Effect::Adds,
                }]
            }
            _ => Vec::new(),
        }
    }

    /// Adds a character to a set that is written in brackets.
    fn widen_set(&self, expr: ExprId, new: &str) -> Option<Edit> {
        let (span, old) = (self.span(expr), self.source(self.span(expr)));
        let c = new.chars().next()?;
        let escaped = match c {
            ']' | '\\' | '-' => format!("\\{c}"),
            '\n' => "\\n".to_owned(),
            '\r' => "\\r".to_owned(),
            '\t' => "\\t".to_owned(),
            c => c.to_string(),
        };
        let what = format!("`{escaped}` in `{old}`");
        if let Some(inner) = old.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            return Some(Edit {
                span,
                text: format!("[{inner}{escaped}]"),
                what,
                effect: Effect::Adds,
            });
        }
        let inner = old.strip_prefix('~')?.trim_start();
        let inner = inner.strip_prefix('[')?.strip_suffix(']')?;
        let rest = inner.replacen(&escaped, "", 1);
        (rest.len() < inner.len() && !rest.is_empty()).then(|| Edit {
            span,
            text: format!("~[{rest}]"),
            what: format!("`{escaped}` is allowed"),
            effect: Effect::Adds,
        })
    }
}

/// A literal.
fn quote(notation: Notation, text: &str) -> String {
    let delimiter = if notation == Notation::Antlr4 { '\'' } else { '"' };
    let mut quoted = String::from(delimiter);
    for c in text.chars() {
        match c {
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            '\\' => quoted.push_str("\\\\"),
            c if c == delimiter => {
                quoted.push('\\');
                quoted.push(c);
            }
            c => quoted.push(c),
        }
    }
    quoted.push(delimiter);
    quoted
}
