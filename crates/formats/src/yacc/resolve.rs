//! Resolves which symbols are tokens and which are rules, and the properties of tokens.
//!
//! As in bison, a plain name is a token if `%token` or a precedence declares it, and a rule if it
//! is a left-hand side; anything else is an error. Only a file without any declaration of symbols
//! is *bare*: there, every name that is not a left-hand side is a token. Linear in the file.

use gramercy_base::{Diagnostic, Span, Table};
use gramercy_grammar::Precedence;

use super::ast::{File, Mention, Spelling, SymbolId, range};
use super::expand::Production;
use super::{codes as yacc_codes, shown};
use crate::{Reading, codes, suggest};

/// The kind of a symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// Neither declared nor defined.
    Undefined,
    /// A nonterminal.
    Rule,
    /// A token.
    Token,
    /// The end of input: a token with the number 0.
    End,
    /// Bison's `error` token.
    Error,
}

/// The resolved symbols.
pub(crate) struct Roles {
    role: Table<SymbolId, Role>,
    /// The token of an alias, or the symbol itself.
    same: Table<SymbolId, SymbolId>,
    /// The alias that is the text of a token.
    alias: Table<SymbolId, Option<SymbolId>>,
    precedence: Table<SymbolId, Option<Precedence>>,
    declared: Table<SymbolId, Option<Span>>,
}

impl Roles {
    /// The token of an alias, or the symbol itself.
    pub(crate) fn same(&self, symbol: SymbolId) -> SymbolId {
        self.same[symbol]
    }

    /// The kind of a symbol.
    pub(crate) fn of(&self, symbol: SymbolId) -> Role {
        self.role[self.same[symbol]]
    }

    /// A token's precedence.
    pub(crate) fn precedence(&self, token: SymbolId) -> Option<Precedence> {
        self.precedence[token]
    }

    /// The declaration of a token.
    pub(crate) fn declared(&self, token: SymbolId) -> Option<Span> {
        self.declared[token]
    }

    /// The text of a token, where it is fixed.
    pub(crate) fn text<'f>(&self, file: &'f File<'_>, token: SymbolId) -> Option<&'f str> {
        let text = match file.symbols.spelling(token) {
            Spelling::Quoted | Spelling::Text => file.symbols.text(token),
            Spelling::Name | Spelling::Made => {
                without_inner_quotes(file.symbols.text(self.alias[token]?))
            }
        };
        Some(text).filter(|text| !text.is_empty())
    }
}

/// PHP and Ruby write `"'while'"` for an alias that is a lexeme, so that messages contain the
/// quotes.
fn without_inner_quotes(alias: &str) -> &str {
    let opened = alias.strip_prefix(['\'', '`']);
    let inner = opened.and_then(|rest| rest.strip_suffix('\''));
    inner.filter(|inner| !inner.is_empty()).unwrap_or(alias)
}

/// Resolves the symbols of a file.
pub(crate) fn resolve(
    reading: &mut Reading<'_>,
    file: &File<'_>,
    productions: &[Production],
) -> Roles {
    let count = file.symbols.len();
    let roles = Roles {
        role: Table::filled(Role::Undefined, count),
        same: file.symbols.ids().collect(),
        alias: Table::filled(None, count),
        precedence: Table::filled(None, count),
        declared: Table::filled(None, count),
    };
    let mut resolution = Resolution { reading, file, productions, roles };
    resolution.known_names();
    resolution.declared_tokens();
    resolution.levels();
    resolution.rules();
    resolution.quoted_tokens();
    if resolution.is_bare() {
        resolution.bare_tokens();
    }
    resolution.report_undefined();
    resolution.check_prec();
    resolution.roles
}

struct Resolution<'p, 'r, 'f, 't> {
    reading: &'p mut Reading<'r>,
    file: &'f File<'t>,
    productions: &'f [Production],
    roles: Roles,
}

impl Resolution<'_, '_, '_, '_> {
    /// The names with a predefined meaning in bison.
    fn known_names(&mut self) {
        let names = [("error", Role::Error), ("YYerror", Role::Error), ("YYEOF", Role::End)];
        for (name, role) in names {
            if let Some(symbol) = self.file.symbols.find(Spelling::Name, name) {
                self.roles.role[symbol] = role;
            }
        }
    }

    fn declared_tokens(&mut self) {
        for declaration in &self.file.tokens {
            self.declare(declaration.token);
            let token = declaration.token.symbol;
            if declaration.number == Some(0) {
                self.roles.role[token] = Role::End;
            }
            let Some(alias) = declaration.alias else {
                continue;
            };
            if !alias.translatable {
                self.roles.alias[token].get_or_insert(alias.text.symbol);
            }
            let before = self.roles.same[alias.text.symbol];
            if before == alias.text.symbol {
                self.roles.same[alias.text.symbol] = token;
            } else if before != token {
                self.alias_twice(alias.text, before);
            }
        }
    }

    fn declare(&mut self, token: Mention) {
        let role = &mut self.roles.role[token.symbol];
        if *role == Role::Undefined {
            *role = Role::Token;
        }
        self.roles.declared[token.symbol].get_or_insert(token.span);
    }

    fn alias_twice(&mut self, alias: Mention, owner: SymbolId) {
        let symbols = &self.file.symbols;
        let (alias_name, owner) = (symbols.name(alias.symbol), symbols.name(owner));
        let (alias_name, owner) = (shown(&alias_name), shown(&owner));
        let message = format!("{alias_name} is already the alias of `{owner}`");
        self.reading.report(Diagnostic::at(yacc_codes::ALIAS_TWICE, alias.span, message));
    }

    fn levels(&mut self) {
        for (number, level) in (1..).zip(&self.file.levels) {
            let precedence = Precedence { level: number, associativity: level.associativity };
            for &Mention { symbol, span } in &level.tokens {
                let token = self.roles.same[symbol];
                self.declare(Mention { symbol: token, span });
                if self.roles.precedence[token].replace(precedence).is_some() {
                    let name = self.file.symbols.name(token);
                    let message = format!("{} is given a precedence twice", shown(&name));
                    let code = yacc_codes::PRECEDENCE_TWICE;
                    self.reading.report(Diagnostic::at(code, span, message));
                }
            }
        }
    }

    fn rules(&mut self) {
        for (&lhs, &span) in &self.file.rules {
            if self.roles.role[lhs] != Role::Undefined {
                let name = shown(self.file.symbols.text(lhs));
                let message = format!("`{name}` is a token and cannot have a rule");
                let diagnostic = Diagnostic::at(yacc_codes::RULE_FOR_TOKEN, span, message);
                self.reading.report(match self.roles.declared[lhs] {
                    Some(declared) => diagnostic.label(declared, "declared as a token here"),
                    None => diagnostic,
                });
            }
        }
        for production in self.productions {
            self.roles.role[production.lhs] = Role::Rule;
        }
    }

    fn quoted_tokens(&mut self) {
        for symbol in self.file.symbols.ids() {
            let quoted =
                matches!(self.file.symbols.spelling(symbol), Spelling::Quoted | Spelling::Text);
            if quoted && self.roles.role[symbol] == Role::Undefined {
                self.roles.role[symbol] = Role::Token;
            }
        }
    }

    fn is_bare(&self) -> bool {
        self.file.tokens.is_empty() && self.file.levels.is_empty() && !self.file.declares_others
    }

    fn bare_tokens(&mut self) {
        for production in self.productions {
            for item in &self.file.items[range(&production.items)] {
                let role = &mut self.roles.role[item.symbol()];
                let named = self.file.symbols.spelling(item.symbol()) == Spelling::Name;
                if named && *role == Role::Undefined {
                    *role = Role::Token;
                }
            }
        }
    }

    fn report_undefined(&mut self) {
        let mut reported = Table::filled(false, self.file.symbols.len());
        let mut helped = 0;
        for production in self.productions {
            for item in &self.file.items[range(&production.items)] {
                let symbol = item.symbol();
                let unknown = self.roles.of(symbol) == Role::Undefined
                    && self.file.symbols.spelling(symbol) == Spelling::Name;
                if unknown && !std::mem::replace(&mut reported[symbol], true) {
                    helped += 1;
                    self.undefined(Mention { symbol, span: item.span }, helped);
                }
            }
        }
    }

    fn undefined(&mut self, mention: Mention, number: usize) {
        let name = shown(self.file.symbols.text(mention.symbol));
        let message = format!("`{name}` is neither a token nor a rule");
        let mut diagnostic = Diagnostic::at(codes::UNDEFINED_RULE, mention.span, message);
        diagnostic.help = self
            .suggestion(&name, number)
            .or_else(|| Some("declare it with `%token`, or give it a rule".into()));
        self.reading.report(diagnostic);
    }

    /// The closest name, as long as the search is cheap.
    fn suggestion(&self, name: &str, number: usize) -> Option<String> {
        const MOST_COMPARED: usize = 1_000_000;
        const LONGEST: usize = 80;
        if number.saturating_mul(self.file.symbols.len()) > MOST_COMPARED {
            return None;
        }
        let symbols = &self.file.symbols;
        let known = symbols.ids().filter(|&symbol| {
            symbols.spelling(symbol) == Spelling::Name
                && matches!(self.roles.of(symbol), Role::Rule | Role::Token)
        });
        let names = known.map(|symbol| symbols.text(symbol)).filter(|text| text.len() <= LONGEST);
        suggest::did_you_mean(name, names)
    }

    fn check_prec(&mut self) {
        let mut reported = Table::filled(false, self.file.symbols.len());
        for production in self.productions {
            let Some(Mention { symbol, span }) = production.directives.prec else {
                continue;
            };
            let known = matches!(self.roles.of(symbol), Role::Token | Role::End);
            if !known && !std::mem::replace(&mut reported[symbol], true) {
                let name = self.file.symbols.name(symbol);
                let message = format!("the token {} of `%prec` is not declared", shown(&name));
                let code = yacc_codes::UNDECLARED_PREC;
                self.reading.report(Diagnostic::at(code, span, message));
            }
        }
    }
}
