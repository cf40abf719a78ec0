//! The syntax tree of a yacc file: symbols, declarations and alternatives in flat tables, before
//! symbols are resolved.

use std::borrow::Cow;
use std::ops::Range;

use gramercy_base::{Id, IndexMap, IndexSet, Map, Span};
use gramercy_grammar::{Associativity, ExpectedConflicts};

use super::quoting;

gramercy_base::define_id!(pub(crate) struct SymbolId, "a symbol of a yacc file");

/// The spelling of a symbol. Different spellings of one text are different symbols.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Spelling {
    /// A plain name.
    Name,
    /// In single quotes.
    Quoted,
    /// In double quotes.
    Text,
    /// None: the symbol was created for a mid-rule action or a use of a parameterized rule.
    Made,
}

/// The symbols of a file, by their spelling and their text without escapes.
#[derive(Debug, Default)]
pub(crate) struct Symbols<'t> {
    known: IndexSet<(Spelling, Cow<'t, str>)>,
}

impl<'t> Symbols<'t> {
    /// The symbol of a text, created at its first mention.
    pub(crate) fn intern(&mut self, spelling: Spelling, text: impl Into<Cow<'t, str>>) -> SymbolId {
        SymbolId::from_index(self.known.insert_full((spelling, text.into())).0)
    }

    /// A new symbol whose name is as similar as possible to the given one.
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

    /// The number of symbols.
    pub(crate) fn len(&self) -> usize {
        self.known.len()
    }

    /// All symbols.
    pub(crate) fn ids(&self) -> impl Iterator<Item = SymbolId> + use<> {
        (0..self.known.len()).map(SymbolId::from_index)
    }

    /// The spelling of a symbol.
    pub(crate) fn spelling(&self, symbol: SymbolId) -> Spelling {
        self.known[symbol.index()].0
    }

    /// Its text, without quotes.
    pub(crate) fn text(&self, symbol: SymbolId) -> &str {
        &self.known[symbol.index()].1
    }

    /// Its name in messages.
    pub(crate) fn name(&self, symbol: SymbolId) -> Cow<'_, str> {
        let (spelling, text) = &self.known[symbol.index()];
        match spelling {
            Spelling::Name | Spelling::Made => Cow::Borrowed(text),
            Spelling::Quoted => Cow::Owned(quoting::quote(text, '\'')),
            Spelling::Text => Cow::Owned(quoting::quote(text, '"')),
        }
    }
}

/// A symbol and its span.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mention {
    pub(crate) symbol: SymbolId,
    pub(crate) span: Span,
}

/// A token in `%token` or in a precedence declaration.
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
    /// Whether it describes the token in the user's language and is not the text of the token.
    pub(crate) translatable: bool,
}

/// The tokens of one precedence declaration.
#[derive(Clone, Debug)]
pub(crate) struct PrecedenceLevel {
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
    pub(crate) directives: AlternativeDirectives,
}

/// The directives of an alternative.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct AlternativeDirectives {
    pub(crate) prec: Option<Mention>,
    pub(crate) dynamic_prec: Option<u32>,
}

/// A use of a parameterized rule, such as `list(expr)`.
#[derive(Clone, Debug)]
pub(crate) struct Use {
    pub(crate) template: Mention,
    pub(crate) arguments: Vec<Argument>,
    /// The first use that is nested in this one; all uses from there to this one are.
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
    /// Whether its alternatives replace its uses.
    pub(crate) inline: bool,
    pub(crate) alternatives: Vec<Alternative>,
}

/// Something that the parser ignored.
#[derive(Clone, Debug)]
pub(crate) struct IgnoredPart {
    pub(crate) kind: gramercy_grammar::NoteKind,
    pub(crate) span: Span,
    pub(crate) message: String,
}

/// A parsed file.
#[derive(Debug, Default)]
pub(crate) struct File<'t> {
    pub(crate) symbols: Symbols<'t>,
    pub(crate) tokens: Vec<TokenDeclaration>,
    pub(crate) levels: Vec<PrecedenceLevel>,
    /// Whether `%type` or `%nterm` declares a symbol.
    pub(crate) declares_others: bool,
    pub(crate) starts: Vec<Mention>,
    /// The left-hand sides in the order of the file, each with its first span.
    pub(crate) rules: IndexMap<SymbolId, Span>,
    pub(crate) alternatives: Vec<Alternative>,
    pub(crate) items: Vec<Item>,
    /// The labels of items.
    pub(crate) labels: Map<u32, &'t str>,
    pub(crate) uses: Vec<Use>,
    pub(crate) templates: IndexMap<SymbolId, Template>,
    pub(crate) asides: Vec<IgnoredPart>,
    /// The number of actions, and the span of the first.
    pub(crate) actions: Option<(usize, Span)>,
    /// The values of `%expect` and `%expect-rr`.
    pub(crate) expected: Option<ExpectedConflicts>,
    /// Whether the file requests an automaton other than LALR(1).
    pub(crate) other_automata: bool,
    /// Directives without an effect on the grammar, each with its first span.
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
