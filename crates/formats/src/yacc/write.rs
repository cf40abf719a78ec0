//! A BNF core as a yacc file.
//!
//! The file has the core's productions in the core's order, so reading it back gives the same
//! productions. Terminals stay distinct, with their text where it is fixed; see `names`. For a yacc
//! grammar, precedences, `%prec` and `%dprec` are kept. A nonterminal whose productions all
//! disappeared with the end of input, but that is still used, is written as one that derives
//! itself: yacc has no nonterminals without productions. Linear in the core.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use gramercy_base::IdSet;
use gramercy_grammar::{
    Associativity, Bnf, Grammar, NonterminalId, Notation, ProductionId, Symbol, TerminalId,
};

use super::names::{Names, comment};

/// The yacc file of a grammar's BNF core.
#[must_use]
pub fn write(grammar: &Grammar, bnf: &Bnf) -> String {
    let names = Names::new(grammar, bnf);
    let mut writer = Writer { grammar, bnf, names, text: String::new() };
    writer.head();
    writer.tokens();
    if grammar.notation() == Notation::Yacc {
        writer.precedences();
    }
    writer.line(&format!("%start {}", writer.names.nonterminal(bnf.start())));
    writer.line("\n%%\n");
    writer.rules();
    writer.underived();
    writer.line("%%");
    writer.text
}

struct Writer<'g> {
    grammar: &'g Grammar,
    bnf: &'g Bnf,
    names: Names,
    text: String,
}

impl Writer<'_> {
    fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    fn head(&mut self) {
        self.line(&comment(&format!("The BNF core of {}.", self.grammar.name())));
        let ranked = |production| self.dynamic_precedence(production).is_some();
        if self.bnf.productions().any(ranked) {
            self.line("%glr-parser");
        }
    }

    fn tokens(&mut self) {
        for id in self.grammar.terminals().ids() {
            let declaration = self.names.terminal(id).and_then(|name| name.declaration.as_deref());
            if let Some(declaration) = declaration {
                let line = format!("%token {declaration}");
                self.line(&line);
            }
        }
    }

    /// One line per level, the loosest first.
    fn precedences(&mut self) {
        let mut levels: BTreeMap<u32, (Associativity, Vec<TerminalId>)> = BTreeMap::new();
        for (id, terminal) in self.grammar.terminals().iter() {
            if let Some(precedence) = terminal.precedence {
                let level = levels.entry(precedence.level);
                level.or_insert((precedence.associativity, Vec::new())).1.push(id);
            }
        }
        for (associativity, tokens) in levels.into_values() {
            let mut line = String::from(match associativity {
                Associativity::Left => "%left",
                Associativity::Right => "%right",
                Associativity::Never => "%nonassoc",
                Associativity::Undeclared => "%precedence",
            });
            for name in tokens.into_iter().filter_map(|token| self.names.terminal(token)) {
                line.push(' ');
                line.push_str(&name.reference);
            }
            self.line(&line);
        }
    }

    /// All productions in order; adjacent ones with the same left-hand side are one rule.
    fn rules(&mut self) {
        let mut open: Option<NonterminalId> = None;
        for production in self.bnf.productions() {
            let lhs = self.bnf.lhs(production);
            let name = self.names.nonterminal(lhs);
            if open == Some(lhs) {
                let _infallible = write!(self.text, "{:1$}|", "", indent(name));
            } else {
                if let Some(before) = open {
                    self.close_rule(before);
                }
                let name = self.names.nonterminal(lhs);
                let _infallible = write!(self.text, "{name}:");
                open = Some(lhs);
            }
            self.right_hand_side(production);
        }
        if let Some(last) = open {
            self.close_rule(last);
        }
    }

    fn close_rule(&mut self, lhs: NonterminalId) {
        let width = indent(self.names.nonterminal(lhs));
        let _infallible = writeln!(self.text, "{:width$};\n", "");
    }

    fn right_hand_side(&mut self, production: ProductionId) {
        let rhs = self.bnf.rhs(production);
        if rhs.is_empty() {
            self.text.push_str(" %empty");
        }
        for &symbol in rhs {
            let name = match symbol {
                Symbol::Nonterminal(id) => self.names.nonterminal(id),
                Symbol::Terminal(id) => {
                    let name = self.names.terminal(id);
                    &name.expect("invariant: a terminal of the core is written").reference
                }
            };
            self.text.push(' ');
            self.text.push_str(name);
        }
        if self.grammar.notation() == Notation::Yacc {
            self.directives(production);
        }
        self.text.push('\n');
    }

    fn directives(&mut self, production: ProductionId) {
        let attributes = self.bnf.attributes(self.grammar, production);
        let token = attributes.and_then(|attributes| attributes.precedence_of);
        // The end of input is not written.
        if let Some(name) = token.and_then(|token| self.names.terminal(token)) {
            let _infallible = write!(self.text, " %prec {}", name.reference);
        }
        if let Some(rank) = self.dynamic_precedence(production) {
            let _infallible = write!(self.text, " %dprec {rank}");
        }
    }

    fn dynamic_precedence(&self, production: ProductionId) -> Option<u32> {
        self.bnf.attributes(self.grammar, production)?.dynamic_precedence
    }

    /// Nonterminals that are used but have no production.
    fn underived(&mut self) {
        let mut mentioned = IdSet::new(self.bnf.nonterminal_count());
        mentioned.insert(self.bnf.start());
        for production in self.bnf.productions() {
            for &symbol in self.bnf.rhs(production) {
                if let Symbol::Nonterminal(id) = symbol {
                    mentioned.insert(id);
                }
            }
        }
        for id in mentioned.iter().filter(|&id| self.bnf.productions_of(id).is_empty()) {
            let name = self.names.nonterminal(id).to_string();
            self.line(&format!("{name}: {name} ;\n"));
        }
    }
}

/// The indentation of alternatives: below the colon, unless the name is very long.
fn indent(name: &str) -> usize {
    const MOST: usize = 60;
    name.len().min(MOST)
}
