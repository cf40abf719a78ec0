//! Symbols and productions with the names of the grammar. An auxiliary nonterminal is shown as its
//! group or quantifier.

use gramercy_grammar::{
    Bnf, ExprId, ExprKind, Grammar, NonterminalId, Origin, ProductionId, Symbol, TerminalId,
    quantifier,
};

/// The maximal length of a text.
const WIDTH: usize = 60;
/// The maximal length of a text among many.
const BRIEF: usize = 24;

/// The names of one grammar.
#[derive(Clone, Copy)]
pub(crate) struct Names<'a> {
    grammar: &'a Grammar,
    bnf: &'a Bnf,
}

impl<'a> Names<'a> {
    pub(crate) fn new(grammar: &'a Grammar, bnf: &'a Bnf) -> Self {
        Self { grammar, bnf }
    }

    pub(crate) fn symbol(self, symbol: Symbol) -> String {
        match symbol {
            Symbol::Terminal(terminal) => self.terminal(terminal).to_owned(),
            Symbol::Nonterminal(nonterminal) => self.nonterminal(nonterminal),
        }
    }

    pub(crate) fn terminal(self, terminal: TerminalId) -> &'a str {
        &self.grammar.terminals()[terminal].name
    }

    pub(crate) fn nonterminal(self, nonterminal: NonterminalId) -> String {
        match self.bnf.nonterminals()[nonterminal].origin {
            Origin::Rule(rule) => self.grammar.rules()[rule].name.as_ref().to_owned(),
            Origin::Start => self.grammar.rules()[self.grammar.start()].name.as_ref().to_owned(),
            Origin::Group(expr) | Origin::Repeat(expr) => self.expr(expr),
        }
    }

    /// A nonterminal among many.
    pub(crate) fn brief(self, nonterminal: NonterminalId) -> String {
        match self.bnf.nonterminals()[nonterminal].origin {
            Origin::Group(expr) | Origin::Repeat(expr) => cut(self.whole(expr), BRIEF),
            Origin::Rule(_) | Origin::Start => self.nonterminal(nonterminal),
        }
    }

    /// An expression in EBNF, shortened if it is long.
    pub(crate) fn expr(self, expr: ExprId) -> String {
        cut(self.whole(expr), WIDTH)
    }

    fn whole(self, expr: ExprId) -> String {
        let mut text = String::new();
        self.write(expr, &mut text);
        text
    }

    /// A production as `lhs: a b c`.
    pub(crate) fn production(self, production: ProductionId) -> String {
        let lhs = self.nonterminal(self.bnf.lhs(production));
        let rhs = self.bnf.rhs(production);
        if rhs.is_empty() {
            return format!("{lhs}: (nothing)");
        }
        let rhs: Vec<_> = rhs.iter().map(|&symbol| self.symbol(symbol)).collect();
        cut(format!("{lhs}: {}", rhs.join(" ")), WIDTH)
    }

    /// Appends an expression, or as much of it as is shown. Readers limit the nesting.
    fn write(self, expr: ExprId, into: &mut String) {
        if into.len() > 4 * WIDTH {
            return;
        }
        match &self.grammar.expr(expr).kind {
            ExprKind::Alternation(alternatives) => {
                into.push('(');
                for (at, alternative) in alternatives.iter().enumerate() {
                    into.push_str(if at == 0 { "" } else { " | " });
                    self.write(alternative.expr, into);
                }
                into.push(')');
            }
            ExprKind::Sequence(items) => {
                for (at, &item) in items.iter().enumerate() {
                    into.push_str(if at == 0 { "" } else { " " });
                    self.write(item, into);
                }
            }
            ExprKind::Repeat { body, min, max, .. } => {
                self.write_body(*body, into);
                into.push_str(&quantifier(*min, *max));
            }
            ExprKind::Rule(rule) => into.push_str(&self.grammar.rules()[*rule].name),
            ExprKind::Terminal(terminal) => into.push_str(self.terminal(*terminal)),
            ExprKind::Commands(_) => into.push_str("->"),
        }
    }

    fn write_body(self, body: ExprId, into: &mut String) {
        match self.grammar.expr(body).kind {
            ExprKind::Sequence(_) | ExprKind::Repeat { .. } => {
                into.push('(');
                self.write(body, into);
                into.push(')');
            }
            _ => self.write(body, into),
        }
    }
}

/// Shortens a text that has more characters.
pub(crate) fn cut(text: String, width: usize) -> String {
    match text.char_indices().nth(width) {
        None => text,
        Some((at, _)) => format!("{}…", &text[..at]),
    }
}

/// The first names in backticks, and the number of the others.
pub(crate) fn list<S: AsRef<str>>(names: impl IntoIterator<Item = S>) -> String {
    const SHOWN: usize = 8;
    let names: Vec<_> = names.into_iter().collect();
    let shown = if names.len() <= SHOWN + 1 { names.len() } else { SHOWN };
    let quoted: Vec<_> = names[..shown].iter().map(|name| format!("`{}`", name.as_ref())).collect();
    match (names.len() - shown, &quoted[..]) {
        (0, [first @ .., last]) if !first.is_empty() => format!("{} and {last}", first.join(", ")),
        (0, _) => quoted.join(", "),
        (more, _) => format!("{} and {more} more", quoted.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::{list, quantifier};

    #[test]
    fn lists_are_cut() {
        let check = |count: usize, expected: &str| {
            let names: Vec<_> = (0..count).map(|at| at.to_string()).collect();
            assert_eq!(list(names), expected);
        };
        check(1, "`0`");
        check(3, "`0`, `1` and `2`");
        check(11, "`0`, `1`, `2`, `3`, `4`, `5`, `6`, `7` and 3 more");
    }

    #[test]
    fn quantifiers_have_their_shortest_form() {
        let shown = [(0, Some(1)), (1, None), (2, Some(2)), (2, Some(3)), (3, None)];
        let shown = shown.map(|(min, max)| quantifier(min, max));
        assert_eq!(shown, ["?", "+", "{2}", "{2,3}", "{3,}"]);
    }
}
