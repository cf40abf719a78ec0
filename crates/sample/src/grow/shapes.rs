//! All trees with a small share of tokens, where they are few, but for their parts that are closed off: to
//! grow one is then one draw and one copy, instead of a choice and a cut at every node.
//!
//! A shape is as likely as the choices together that lead to it, and what it owes is what they owe, so
//! tests are drawn as if node by node. Shapes of a share are made of those of smaller ones; a share that
//! hangs on itself, or that has too many shapes, gets none. Smaller shares come first, and all of them
//! share a bound on the work, so that large grammars have shapes of their smallest trees only.

use gramercy_base::{Draw, IndexMap, Map, Table, to_u32};
use gramercy_grammar::{NonterminalId, ProductionId, Symbol, TerminalId};
use gramercy_language::Language;

use crate::fast::phrases::{Phrase, Phrases, Sound};
use crate::grow::alias_tables::AliasTables;
use crate::grow::aliases::{self, AliasSlot};
use crate::grow::endings::Endings;
use crate::grow::parts::{Parts, ProductionPart, Split};

/// How many tokens beyond the least a shape has at most.
const MAX_MORE: u32 = 20;
/// Shapes of one share.
const MAX_SHAPES: usize = 128;
/// Ways to cut a share among the parts of a production.
const MAX_CUTS: usize = 1024;
/// Items that are copied for all shapes together: some milliseconds.
const MAX_WORK: usize = 1 << 19;

/// The shapes of every nonterminal.
#[derive(Debug)]
pub(crate) struct Shapes {
    starts: Table<NonterminalId, SharesOf>,
    /// Where the slots of a share lie.
    rows: Vec<(u32, u32)>,
    slots: Vec<AliasSlot<ShapeId>>,
    /// Where the items of shapes lie.
    items_of: Table<ShapeId, (u32, u32)>,
    items: Vec<Item>,
    /// The tokens of shapes, and how many tokens they owe. Kept apart from trees, since it is by far the
    /// most asked for and small enough to stay near the processor.
    phrases_of: Table<ShapeId, (Phrase, u32)>,
}

gramercy_base::define_id!(pub(crate) struct ShapeId, "a shape");

/// The shares of a nonterminal that have shapes: where their rows begin, and how many there are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SharesOf {
    first: u32,
    rows: u32,
}

/// What comes next in a leftmost derivation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Item {
    /// A production; its parts follow.
    Production(ProductionId),
    /// A token.
    Token(TerminalId),
    /// Any tree with a shortest yield.
    Close(NonterminalId),
}

impl SharesOf {
    /// How many shares beyond the least have shapes, or are among others that have.
    pub(crate) fn rows(self) -> u32 {
        self.rows
    }
}

impl Shapes {
    pub(crate) fn new(
        language: &Language,
        (parts, alias_tables): (&Parts, &AliasTables),
        endings: &Endings,
        phrases: &mut Phrases,
    ) -> Self {
        let cfg = language.bnf().cfg();
        let mut making = ShapeBuilder { parts, alias_tables, known: Map::default(), work: 0 };
        let productive = |&id: &NonterminalId| language.productive().contains(id);
        for more in 1..=MAX_MORE {
            for id in cfg.nonterminals().filter(productive) {
                making.row(id, parts.least(id).saturating_add(more));
            }
        }
        let mut shapes = Self {
            starts: Table::with_capacity(cfg.nonterminal_count()),
            rows: Vec::new(),
            slots: Vec::new(),
            items_of: Table::default(),
            items: Vec::new(),
            phrases_of: Table::default(),
        };
        for id in cfg.nonterminals() {
            let first = to_u32(shapes.rows.len());
            // What only passes tokens on has the shapes of its part.
            let most = if parts.passes_on(id).is_some() { 0 } else { MAX_MORE };
            for more in 1..=most {
                let known = making.known.get(&(id, parts.least(id).saturating_add(more)));
                shapes.keep(known.and_then(Option::as_deref).unwrap_or_default(), endings, phrases);
            }
            while shapes.rows.len() > first as usize
                && shapes.rows.last().is_some_and(|(first, end)| first == end)
            {
                shapes.rows.pop();
            }
            shapes.starts.push(SharesOf { first, rows: to_u32(shapes.rows.len()) - first });
        }
        shapes
    }

    /// No shapes at all.
    #[cfg(test)]
    pub(crate) fn none(
        language: &Language,
        (parts, endings): (&Parts, &Endings),
        phrases: &mut Phrases,
    ) -> Self {
        let alias_tables = AliasTables::new(language, &Table::default(), |_| None);
        Self::new(language, (parts, &alias_tables), endings, phrases)
    }

    /// How many there are.
    #[cfg(test)]
    pub(crate) fn len(&self) -> usize {
        self.slots.len()
    }

    /// Adds the row of a share.
    fn keep(&mut self, trees: &[Tree], endings: &Endings, phrases: &mut Phrases) {
        let mut things = Vec::with_capacity(trees.len());
        for tree in trees {
            let begin = to_u32(self.items.len());
            self.items.extend_from_slice(&tree.items);
            let id = self.items_of.push((begin, to_u32(self.items.len())));
            let sounds: Vec<Sound> = tree.items.iter().filter_map(sound).collect();
            self.phrases_of.push((phrases.keep(&sounds, endings), tree.owed));
            things.push((id, tree.likelihood));
        }
        let first = to_u32(self.slots.len());
        self.slots.extend(aliases::slots(&things));
        self.rows.push((first, to_u32(self.slots.len())));
    }

    /// The shares of a nonterminal that have shapes.
    #[inline]
    pub(crate) fn of(&self, nonterminal: NonterminalId) -> SharesOf {
        self.starts[nonterminal]
    }

    /// One of the shapes of a nonterminal with so many tokens beyond the least; `None` if there are too
    /// many.
    #[inline]
    pub(crate) fn choose(&self, of: SharesOf, more: u32, draw: &mut Draw) -> Option<ShapeId> {
        let at = more.wrapping_sub(1);
        if at >= of.rows {
            return None;
        }
        let (first, end) = self.rows[(of.first + at) as usize];
        if first == end {
            return None;
        }
        Some(aliases::choose(&self.slots[first as usize..end as usize], draw))
    }

    /// All of a shape.
    pub(crate) fn items(&self, shape: ShapeId) -> &[Item] {
        let (first, end) = self.items_of[shape];
        &self.items[first as usize..end as usize]
    }

    /// The tokens of a shape, and how many tokens it owes.
    #[inline]
    pub(crate) fn phrase(&self, shape: ShapeId) -> (Phrase, u32) {
        self.phrases_of[shape]
    }
}

fn sound(item: &Item) -> Option<Sound> {
    match *item {
        Item::Production(_) => None,
        Item::Token(token) => Some(Sound::Token(token)),
        Item::Close(id) => Some(Sound::Close(id)),
    }
}

/// A shape in the making.
#[derive(Clone, Debug)]
struct Tree {
    items: Vec<Item>,
    owed: u32,
    likelihood: f64,
}

/// A way to cut a share: what the open parts get, what nobody can take, and how likely it is.
#[derive(Clone, Debug)]
struct Cut {
    shares: Vec<u32>,
    owed: u32,
    likelihood: f64,
}

/// What shapes are made of.
struct ShapeBuilder<'m> {
    parts: &'m Parts,
    alias_tables: &'m AliasTables,
    /// By nonterminal and tokens; `None` where there are too many, or while they are being made.
    known: Map<(NonterminalId, u32), Option<Vec<Tree>>>,
    work: usize,
}

impl ShapeBuilder<'_> {
    /// Makes the shapes of a share, if that was not tried yet.
    fn row(&mut self, nonterminal: NonterminalId, tokens: u32) {
        if !self.known.contains_key(&(nonterminal, tokens)) {
            self.known.insert((nonterminal, tokens), None);
            let trees = self.trees(nonterminal, tokens);
            self.known.insert((nonterminal, tokens), trees);
        }
    }

    fn trees(&mut self, nonterminal: NonterminalId, tokens: u32) -> Option<Vec<Tree>> {
        let parts = self.parts;
        if tokens > parts.least(nonterminal).saturating_add(MAX_MORE) {
            return None;
        }
        let fitting = parts.fitting(nonterminal, tokens);
        let unfit = tokens - fitting;
        if fitting <= parts.least(nonterminal) {
            let items = vec![Item::Close(nonterminal)];
            return Some(vec![Tree { items, owed: unfit, likelihood: 1.0 }]);
        }
        let tokens = fitting;
        let mut all: IndexMap<(Vec<Item>, u32), f64> = IndexMap::default();
        for (production, likelihood) in self.alias_tables.chances(nonterminal, tokens)? {
            let split = parts.split(production);
            for cut in self.cuts(&split, tokens.saturating_sub(split.least))? {
                let root = Tree {
                    items: vec![Item::Production(production)],
                    owed: cut.owed + unfit,
                    likelihood: likelihood * cut.likelihood,
                };
                let mut begun = vec![root];
                for (part, &more) in split.parts.iter().zip(&cut.shares) {
                    begun = self.go_on(begun, part, more)?;
                }
                for Tree { items, owed, likelihood } in begun {
                    *all.entry((items, owed)).or_default() += likelihood;
                }
                if all.len() > MAX_SHAPES {
                    return None;
                }
            }
        }
        let tree = |((items, owed), likelihood)| Tree { items, owed, likelihood };
        Some(all.into_iter().map(tree).collect())
    }

    /// All that goes on with a part that gets some tokens beyond the least.
    fn go_on(
        &mut self,
        mut begun: Vec<Tree>,
        part: &ProductionPart,
        more: u32,
    ) -> Option<Vec<Tree>> {
        let id = match part.symbol {
            Symbol::Nonterminal(id) if more > 0 => id,
            Symbol::Nonterminal(id) => {
                begun.iter_mut().for_each(|tree| tree.items.push(Item::Close(id)));
                return Some(begun);
            }
            Symbol::Terminal(terminal) => {
                begun.iter_mut().for_each(|tree| tree.items.push(Item::Token(terminal)));
                return Some(begun);
            }
        };
        let mut longer = Vec::new();
        for tree in begun {
            // What is owed would be taken by some part of what takes no more itself.
            if tree.owed > 0 && !self.parts.is_endless(id) {
                return None;
            }
            let tokens = part.least.saturating_add(more).saturating_add(tree.owed);
            self.row(id, tokens);
            for below in self.known[&(id, tokens)].as_ref()? {
                self.work += tree.items.len() + below.items.len();
                longer.push(Tree {
                    items: [&tree.items[..], &below.items].concat(),
                    owed: below.owed,
                    likelihood: tree.likelihood * below.likelihood,
                });
                if longer.len() > MAX_SHAPES || self.work > MAX_WORK {
                    return None;
                }
            }
        }
        Some(longer)
    }

    /// All ways in which tokens beyond the least are spread over the parts of a production.
    fn cuts(&mut self, split: &Split<'_>, more: u32) -> Option<Vec<Cut>> {
        let begin = Cut { shares: vec![0; split.parts.len()], owed: more, likelihood: 1.0 };
        let mut all: IndexMap<(Vec<u32>, u32), f64> = IndexMap::default();
        let mut stack = vec![(begin, split.opens.to_vec())];
        let mut ways = 0;
        while let Some((cut, open)) = stack.pop() {
            if cut.owed == 0 || open.is_empty() {
                *all.entry((cut.shares, cut.owed)).or_default() += cut.likelihood;
                continue;
            }
            for at in 0..open.len() {
                let mut rest = open.clone();
                let taker = rest.swap_remove(at);
                let room = split.parts[taker as usize].room;
                // The last one takes all.
                let least = if rest.is_empty() { cut.owed } else { 0 };
                let choices = f64::from(cut.owed - least + 1) * open.len() as f64;
                for wanted in least..=cut.owed {
                    let part = wanted.min(room);
                    let mut next = Cut { likelihood: cut.likelihood / choices, ..cut.clone() };
                    next.shares[taker as usize] = part;
                    next.owed -= part;
                    stack.push((next, rest.clone()));
                    ways += 1;
                }
            }
            if ways > MAX_CUTS || self.work > MAX_WORK {
                return None;
            }
            self.work += split.parts.len();
        }
        let cut = |((shares, owed), likelihood)| Cut { shares, owed, likelihood };
        Some(all.into_iter().map(cut).collect())
    }
}
