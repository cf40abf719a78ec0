//! Removes bison's `error` token from the grammar.
//!
//! `error` matches input that the parser skips after a syntax error. No sentence of the language
//! contains it, so an alternative with it is ignored. A rule that derives something with `error`
//! but nothing without it is *lost*; an alternative with a lost rule is ignored too. A rule that
//! derives nothing even with `error` is a mistake of the author and is kept, so that it is
//! reported. Linear in the productions.

use gramercy_base::{Span, Table, to_u32};

use super::ast::{File, Item, SymbolId, range};
use super::expand::Production;
use super::resolve::{Role, Roles};

/// The productions that are kept.
pub(crate) struct KeptProductions {
    kept: Vec<bool>,
    /// The productions that are ignored because of a symbol, in the order of the file.
    pub(crate) dropped: Vec<Dropped>,
}

impl KeptProductions {
    /// Whether a production is kept.
    pub(crate) fn contains(&self, production: usize) -> bool {
        self.kept[production]
    }
}

/// A production that is ignored.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Dropped {
    pub(crate) lhs: SymbolId,
    /// The symbol that makes it invalid.
    pub(crate) because_of: SymbolId,
    pub(crate) span: Span,
}

/// Decides which productions are kept.
pub(crate) fn without_error_token(
    file: &File<'_>,
    roles: &Roles,
    productions: &[Production],
) -> KeptProductions {
    let mut kept = KeptProductions { kept: vec![true; productions.len()], dropped: Vec::new() };
    let grammar = Productions { file, roles, list: productions };
    let is_error = |symbol: &SymbolId| roles.of(*symbol) == Role::Error;
    if !productions.iter().any(|production| grammar.symbols(production).any(|s| is_error(&s))) {
        return kept;
    }
    let users = grammar.users();
    let with = grammar.productive(&users, &[Role::Token, Role::End, Role::Error]);
    let without = grammar.productive(&users, &[Role::Token, Role::End]);
    let needs_error = |&symbol: &SymbolId| with[symbol] && !without[symbol];
    for (at, production) in productions.iter().enumerate() {
        if let Some(because_of) = grammar.symbols(production).find(needs_error) {
            kept.kept[at] = false;
            let Production { lhs, span, .. } = *production;
            kept.dropped.push(Dropped { lhs, because_of, span });
        }
    }
    for (at, production) in productions.iter().enumerate() {
        if let Some(owner) = production.owner {
            kept.kept[at] = kept.kept[owner as usize];
        }
    }
    kept
}

#[derive(Clone, Copy)]
struct Productions<'f, 't> {
    file: &'f File<'t>,
    roles: &'f Roles,
    list: &'f [Production],
}

impl<'f> Productions<'f, '_> {
    fn symbols(self, production: &Production) -> impl Iterator<Item = SymbolId> + use<'f, '_> {
        let roles = self.roles;
        let items = self.file.items[range(&production.items)].iter();
        items.map(Item::symbol).map(|symbol| roles.same(symbol))
    }

    /// For every symbol the productions that contain it, once for each occurrence.
    fn users(self) -> Table<SymbolId, Vec<u32>> {
        let mut users = Table::filled(Vec::new(), self.file.symbols.len());
        for (at, production) in self.list.iter().enumerate() {
            self.symbols(production).for_each(|symbol| users[symbol].push(to_u32(at)));
        }
        users
    }

    /// Which symbols derive something, if those of the given roles do.
    fn productive(
        self,
        users: &Table<SymbolId, Vec<u32>>,
        given: &[Role],
    ) -> Table<SymbolId, bool> {
        let mut missing: Vec<_> =
            self.list.iter().map(|production| production.items.len()).collect();
        let is_given = |&symbol: &SymbolId| given.contains(&self.roles.of(symbol));
        let mut work: Vec<_> = self.file.symbols.ids().filter(is_given).collect();
        let empty = self.list.iter().filter(|production| production.items.is_empty());
        work.extend(empty.map(|production| production.lhs));
        let mut productive = Table::filled(false, self.file.symbols.len());
        while let Some(symbol) = work.pop() {
            if std::mem::replace(&mut productive[symbol], true) {
                continue;
            }
            for &user in &users[symbol] {
                let missing = &mut missing[user as usize];
                *missing -= 1;
                if *missing == 0 {
                    work.push(self.list[user as usize].lhs);
                }
            }
        }
        productive
    }
}
