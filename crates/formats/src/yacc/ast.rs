//! A yacc file as it was parsed: symbols, declarations and alternatives in flat tables, before
//! anything is known of what the symbols are.

use std::borrow::Cow;
use std::ops::Range;

use gramercy_base::{Id, IndexMap, IndexSet, Map, Span};
use gramercy_grammar::{Associativity, ExpectedConflicts};

use super::quoting;

gramercy_base::define_id!(pub(crate) struct SymbolId, "a symbol of a yacc file");

/// How a symbol is written. Different spellings of one text are different symbols.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Spelling {
    /// A plain name.
    Name,
    /// In single quotes.
    Quoted,
    /// In double quotes.
    Text,
    /// Nowhere: it was made for a mid-rule action or a use of a parameterized rule.
    Made,
}

/// The symbols of a file, each known by its spelling and its text without escapes.
#[derive(Debug, Default)]
pub(crate) struct Symbols<'t> {
    known: IndexSet<(Spelling, Cow<'t, str>)>,
}

impl<'t> Symbols<'t> {
    /// The symbol of a text, made at its first mention.
    pub(crate) fn intern(&mut self, spelling: Spelling, text: impl Into<Cow<'t, str>>) -> SymbolId {
        SymbolId::from_index(self.known.insert_full((spelling, text.into())).0)
    }

    /// A new symbol, whose name is as near as possible to the one given.
    pub(crate) fn make(&mut self, mut name: String) -> SymbolId {
        let taken = |known: &IndexSet<_>, name: &str| {
            let key = |spelling| (spelling, Cow::Borrowed(name));
            known.contains(&key(Spelling::Name)) || known.contains(&key(Spelling::Made))
        };
        while taken(&self.known, &name) {
            name.push('_');
        }
        self.intern(Spelling::Made, name)
    }

    /// The symbol of a text, if it was mentioned.
    pub(crate) fn find(&self, spelling: Spelling, text: &str) -> Option<SymbolId> {
        let at = self.known.get_index_of(&(spelling, Cow::Borrowed(text)))?;
        Some(SymbolId::from_index(at))
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.known.len()
    }

    /// All of them.
    pub(crate) fn ids(&self) -> impl Iterator<Item = SymbolId> + use<> {
        (0..self.known.len()).map(SymbolId::from_index)
    }

    /// How a symbol is written.
    pub(crate) fn spelling(&self, symbol: SymbolId) -> Spelling {
        self.known[symbol.index()].0
    }

    /// Its text, without quotes.
    pub(crate) fn text(&self, symbol: SymbolId) -> &str {
        &self.known[symbol.index()].1
    }

    /// Its name as a user writes it.
    pub(crate) fn name(&self, symbol: SymbolId) -> Cow<'_, str> {
        let (spelling, text) = &self.known[symbol.index()];
        match spelling {
            Spelling::Name | Spelling::Made => Cow::Borrowed(text),
            Spelling::Quoted => Cow::Owned(quoting::quote(text, '\'')),
            Spelling::Text => Cow::Owned(quoting::quote(text, '"')),
        }
    }
}

/// A symbol and its place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mention {
    pub(crate) symbol: SymbolId,
    pub(crate) span: Span,
}

/// A token as `%token` or a precedence declares it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TokenDeclaration {
    pub(crate) token: Mention,
    pub(crate) number: Option<u32>,
    pub(crate) alias: Option<Alias>,
}

/// Another name for a token.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Alias {
    pub(crate) text: Mention,
    /// It describes the token in the user's language; it is not what the token looks like.
    pub(crate) translatable: bool,
}

/// The tokens of one precedence declaration.
#[derive(Clone, Debug)]
pub(crate) struct Level {
    pub(crate) associativity: Associativity,
    pub(crate) tokens: Vec<Mention>,
}

/// One item of a right-hand side.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Item {
    pub(crate) kind: ItemKind,
    pub(crate) span: Span,
}

impl Item {
    /// The symbol of an item of a production.
    pub(crate) fn symbol(&self) -> SymbolId {
        match self.kind {
            ItemKind::Symbol(symbol) => symbol,
            other => unreachable!("invariant: {other:?} was expanded"),
        }
    }
}

/// The kinds of items.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ItemKind {
    /// A symbol.
    Symbol(SymbolId),
    /// A use of a parameterized rule, as an index into [`File::uses`].
    Use(u32),
    /// An action or a predicate.
    Action {
        /// Whether its semantic value is set or used.
        valued: bool,
    },
}

/// One alternative of a rule.
#[derive(Clone, Debug)]
pub(crate) struct Alternative {
    pub(crate) lhs: SymbolId,
    /// Its items, as a range of [`File::items`].
    pub(crate) items: Range<u32>,
    pub(crate) span: Span,
    pub(crate) remarks: Remarks,
}

/// What is said of an alternative.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Remarks {
    pub(crate) prec: Option<Mention>,
    pub(crate) dynamic_prec: Option<u32>,
}

/// A use of a parameterized rule, such as `list(expr)`.
#[derive(Clone, Debug)]
pub(crate) struct Use {
    pub(crate) template: Mention,
    pub(crate) arguments: Vec<Argument>,
    /// The first use that is nested in this one; all from there to this one are.
    pub(crate) first: u32,
}

/// An argument of a parameterized rule.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Argument {
    Symbol(SymbolId),
    Use(u32),
}

/// A parameterized rule.
#[derive(Clone, Debug)]
pub(crate) struct Template {
    pub(crate) parameters: IndexMap<SymbolId, ()>,
    /// Whether its alternatives are put in place of its uses.
    pub(crate) inline: bool,
    pub(crate) alternatives: Vec<Alternative>,
}

/// Something that was set aside while parsing.
#[derive(Clone, Debug)]
pub(crate) struct Aside {
    pub(crate) kind: gramercy_grammar::NoteKind,
    pub(crate) span: Span,
    pub(crate) message: String,
}

/// A parsed file.
#[derive(Debug, Default)]
pub(crate) struct File<'t> {
    pub(crate) symbols: Symbols<'t>,
    pub(crate) tokens: Vec<TokenDeclaration>,
    pub(crate) levels: Vec<Level>,
    /// Whether `%type` or `%nterm` declares a symbol.
    pub(crate) declares_others: bool,
    pub(crate) starts: Vec<Mention>,
    /// The left-hand sides in the order of the file, each with its first place.
    pub(crate) rules: IndexMap<SymbolId, Span>,
    pub(crate) alternatives: Vec<Alternative>,
    pub(crate) items: Vec<Item>,
    /// The names that the author gave to items.
    pub(crate) labels: Map<u32, &'t str>,
    pub(crate) uses: Vec<Use>,
    pub(crate) templates: IndexMap<SymbolId, Template>,
    pub(crate) asides: Vec<Aside>,
    /// Actions: how many, and where the first is.
    pub(crate) actions: Option<(usize, Span)>,
    /// What `%expect` and `%expect-rr` say.
    pub(crate) expected: Option<ExpectedConflicts>,
    /// Whether the file asks for other automata than LALR(1).
    pub(crate) other_automata: bool,
    /// Directives without a bearing on the grammar, each with its first place.
    pub(crate) ignored: IndexMap<&'t str, Span>,
}

impl File<'_> {
    /// The items of an alternative.
    pub(crate) fn items_of(&self, alternative: &Alternative) -> &[Item] {
        &self.items[range(&alternative.items)]
    }
}

/// A range of indices for slices.
pub(crate) fn range(range: &Range<u32>) -> Range<usize> {
    range.start as usize..range.end as usize
}

/// An index as it is stored.
pub(crate) fn fit(index: usize) -> u32 {
    u32::try_from(index).expect("invariant: a file under 4 GiB has no more items")
}
