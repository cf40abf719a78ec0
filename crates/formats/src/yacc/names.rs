//! The spelling of symbols in a yacc file.
//!
//! A symbol whose name is a yacc identifier keeps it. A terminal with a fixed text of one ASCII
//! character is that character in quotes; one with a longer text is a declared token that is used
//! by its alias; any other is a declared token with a new name and its own name in a comment. Names
//! are assigned in the order of the ids, so equal grammars give equal files, and no two symbols
//! have the same name.

use gramercy_base::{Id, Set, Table};
use gramercy_grammar::{Bnf, Grammar, NonterminalId, Notation, Terminal, TerminalId, TerminalKind};

use super::lex::is_in_name;
use super::quoting::quote;

/// Names with a meaning in bison.
const RESERVED: [&str; 5] = ["error", "YYEOF", "YYerror", "YYUNDEF", "YYEMPTY"];

/// The spelling of all symbols.
pub(crate) struct Names {
    nonterminals: Table<NonterminalId, String>,
    terminals: Table<TerminalId, Option<TerminalName>>,
}

/// The spelling of a terminal.
#[derive(Clone, Debug)]
pub(crate) struct TerminalName {
    /// In a rule.
    pub(crate) reference: String,
    /// After `%token`, if it must be declared.
    pub(crate) declaration: Option<String>,
}

impl Names {
    /// Names the nonterminals and terminals of a BNF core; for a yacc grammar also the tokens that
    /// no rule uses, because precedences may refer to them.
    pub(crate) fn new(grammar: &Grammar, bnf: &Bnf) -> Self {
        let mut naming = Naming {
            taken: RESERVED.iter().map(|&name| name.into()).collect(),
            aliases: Set::default(),
        };
        let mut terminals = Table::filled(None, grammar.terminals().len());
        let written: Vec<_> = grammar
            .terminals()
            .iter()
            .filter(|(id, terminal)| is_written(grammar, bnf, *id, terminal))
            .collect();
        for &(id, terminal) in &written {
            terminals[id] = naming.kept_terminal(terminal);
        }
        let kept = bnf.nonterminals().map(|_, nonterminal| naming.kept(&nonterminal.name));
        for &(id, terminal) in &written {
            if terminals[id].is_none() {
                terminals[id] = Some(naming.made_terminal(id, terminal));
            }
        }
        let nonterminals = kept.map(|id, kept| match kept {
            Some(name) => name.clone(),
            None => naming.unique(identifier_like(&bnf.nonterminals()[id].name)),
        });
        Self { nonterminals, terminals }
    }

    /// The spelling of a nonterminal.
    pub(crate) fn nonterminal(&self, id: NonterminalId) -> &str {
        &self.nonterminals[id]
    }

    /// The spelling of a terminal, if it is written.
    pub(crate) fn terminal(&self, id: TerminalId) -> Option<&TerminalName> {
        self.terminals[id].as_ref()
    }
}

fn is_written(grammar: &Grammar, bnf: &Bnf, id: TerminalId, terminal: &Terminal) -> bool {
    let unused_token =
        grammar.notation() == Notation::Yacc && matches!(terminal.kind, TerminalKind::Token { .. });
    id.index() < bnf.terminal_count() || unused_token
}

struct Naming {
    taken: Set<String>,
    aliases: Set<String>,
}

impl Naming {
    /// A name without changes, if it is an identifier and unused.
    fn kept(&mut self, name: &str) -> Option<String> {
        let free = is_identifier(name) && self.taken.insert(name.into());
        free.then(|| name.into())
    }

    /// An unused name that is as similar as possible to the given one.
    fn unique(&mut self, mut name: String) -> String {
        while !self.taken.insert(name.clone()) {
            name.push('_');
        }
        name
    }

    fn kept_terminal(&mut self, terminal: &Terminal) -> Option<TerminalName> {
        let TerminalKind::Token { name, text } = &terminal.kind else {
            return None;
        };
        let reference = self.kept(name)?;
        let declaration = Some(match text.as_deref().and_then(alias) {
            Some(alias) => {
                self.aliases.insert(alias.clone());
                format!("{reference} {alias}")
            }
            None => reference.clone(),
        });
        Some(TerminalName { reference, declaration })
    }

    fn made_terminal(&mut self, id: TerminalId, terminal: &Terminal) -> TerminalName {
        let text = fixed_text(&terminal.kind);
        if let Some(character) = text.and_then(|text| self.character(text)) {
            return TerminalName { reference: character, declaration: None };
        }
        let word = text.filter(|text| text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_'));
        let name = self.unique(match word {
            Some(word) => format!("T_{word}"),
            None => format!("T_{}", id.index() + 1),
        });
        let Some(alias) = text.and_then(alias) else {
            let declaration = Some(format!("{name} {}", comment(&terminal.name)));
            return TerminalName { reference: name, declaration };
        };
        let declaration = Some(format!("{name} {alias}"));
        // An alias of several tokens means the first of them.
        let reference = if self.aliases.insert(alias.clone()) { alias } else { name };
        TerminalName { reference, declaration }
    }

    /// A text of one ASCII character in single quotes, if that is unused.
    fn character(&mut self, text: &str) -> Option<String> {
        let quoted = quote(text, '\'');
        let single = text.len() == 1 && text != "\0" && self.aliases.insert(quoted.clone());
        single.then_some(quoted)
    }
}

/// A text in double quotes, if it can be an alias.
fn alias(text: &str) -> Option<String> {
    // Readers treat single quotes inside an alias as decoration; see `resolve`.
    let is_quoted = text.len() > 2 && text.starts_with(['\'', '`']) && text.ends_with('\'');
    let alias = if is_quoted { quote(&format!("'{text}'"), '"') } else { quote(text, '"') };
    (!text.is_empty() && !text.contains('\0')).then_some(alias)
}

fn fixed_text(kind: &TerminalKind) -> Option<&str> {
    match kind {
        TerminalKind::Literal(text) => Some(text),
        TerminalKind::Token { text, .. } => text.as_deref(),
        TerminalKind::Chars(_)
        | TerminalKind::Regex { .. }
        | TerminalKind::AnyTokenBut(_)
        | TerminalKind::Eof => None,
    }
}

fn is_identifier(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_' || c == '.')
        && name.chars().all(is_in_name)
}

/// An identifier made from another name. Mid-rule actions, `$@N` and `@N`, get a word.
fn identifier_like(name: &str) -> String {
    if let Some((_, number)) = name.split_once('@')
        && number.bytes().all(|byte| byte.is_ascii_digit())
    {
        return format!("action_{number}");
    }
    let mut made: String = name.chars().map(|c| if is_in_name(c) { c } else { '_' }).collect();
    if !is_identifier(&made) {
        made.insert_str(0, "n_");
    }
    made
}

/// A comment with a text in it, on one line.
pub(crate) fn comment(text: &str) -> String {
    const MOST: usize = 60;
    let one_line: String =
        text.chars().take(MOST).map(|c| if c.is_control() { ' ' } else { c }).collect();
    format!("/* {} */", one_line.replace("*/", "* /"))
}
