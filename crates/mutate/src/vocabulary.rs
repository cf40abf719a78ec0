//! The tokens that can be put into a sentence.

use gramercy_base::{Id, IdSet};
use gramercy_grammar::{TerminalId, TerminalKind};
use gramercy_language::Language;
use gramercy_parse::Parser;
use gramercy_parse::tables::InputId;

/// The tokens that can be put into a sentence, and the terminals of syntax rules that each of them is.
#[derive(Clone, Debug)]
pub struct Vocabulary {
    all: IdSet<TerminalId>,
    /// Terminals that stand for any of several tokens, with these tokens.
    classes: Vec<(TerminalId, IdSet<TerminalId>)>,
}

impl Vocabulary {
    /// The vocabulary of a language: the terminals of syntax rules that have a text. Tokens that the lexer never makes,
    /// because other rules win, are not among them.
    #[must_use]
    pub fn new(language: &Language) -> Self {
        let (grammar, count) = (language.grammar(), language.bnf().terminal_count());
        let kind = |id: TerminalId| &grammar.terminals()[id].kind;
        let mut all = IdSet::new(count);
        for terminal in (0..count).map(TerminalId::from_index) {
            let is_one =
                !matches!(kind(terminal), TerminalKind::Eof | TerminalKind::AnyTokenBut(_));
            if is_one && !language.never_written().contains(terminal) {
                all.insert(terminal);
            }
        }
        let class = |terminal: TerminalId| match kind(terminal) {
            TerminalKind::AnyTokenBut(excluded) => {
                let mut members = all.clone();
                excluded
                    .iter()
                    .filter(|id| id.index() < count)
                    .for_each(|&id| _ = members.remove(id));
                Some((terminal, members))
            }
            _ => None,
        };
        let classes = (0..count).map(TerminalId::from_index).filter_map(class).collect();
        Self { all, classes }
    }

    /// All tokens.
    #[must_use]
    pub fn all(&self) -> &IdSet<TerminalId> {
        &self.all
    }

    /// Adds the members of the classes of tokens that a set holds.
    pub fn expand(&self, set: &mut IdSet<TerminalId>) {
        for (class, members) in &self.classes {
            if set.contains(*class) {
                set.union_with(members.words());
            }
        }
    }

    /// The terminals that a token is: itself, and the classes that hold it.
    pub fn terminals_of(&self, token: TerminalId) -> impl Iterator<Item = TerminalId> + '_ {
        let holding = self.classes.iter().filter(move |(_, members)| members.contains(token));
        std::iter::once(token).chain(holding.map(|&(class, _)| class))
    }
}

/// The input symbols of tokens.
pub(crate) fn inputs_of(parser: &Parser, tokens: &[TerminalId], into: &mut Vec<InputId>) {
    into.clear();
    into.extend(tokens.iter().map(|&token| parser.input_of_token(token)));
}
