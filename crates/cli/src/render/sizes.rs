//! The sizes of a grammar: one value, as JSON and as tables. The names of the fields are fixed.

use std::collections::BTreeMap;

use serde::{Serialize, Serializer};

use super::Palette;
use super::numbers::grouped;
use super::table::Table;

/// Everything that `stats` shows.
#[derive(Serialize)]
pub(crate) struct Sizes<'a> {
    pub(crate) grammar: GrammarSizes<'a>,
    pub(crate) graph: GraphSizes,
    pub(crate) bnf: BnfSizes,
    /// By the names of the automata.
    #[serde(serialize_with = "as_map")]
    pub(crate) lr: Vec<(&'static str, LrSizes)>,
}

fn as_map<S: Serializer>(pairs: &[(&str, LrSizes)], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(pairs.iter().map(|(name, sizes)| (name, sizes)))
}

/// The grammar as its file has it.
#[derive(Serialize)]
pub(crate) struct GrammarSizes<'a> {
    pub(crate) file: String,
    pub(crate) notation: &'a str,
    pub(crate) start: &'a str,
    pub(crate) rules: usize,
    pub(crate) notes: usize,
}

/// The grammar graph.
#[derive(Serialize)]
pub(crate) struct GraphSizes {
    pub(crate) nodes: usize,
    pub(crate) symbolic: usize,
    /// The number of paths by their number of symbolic nodes.
    pub(crate) kpaths: BTreeMap<usize, u128>,
}

/// The BNF core.
#[derive(Serialize)]
pub(crate) struct BnfSizes {
    pub(crate) nonterminals: usize,
    pub(crate) terminals: usize,
    pub(crate) productions: usize,
}

/// An LR automaton and its graph.
#[derive(Serialize)]
pub(crate) struct LrSizes {
    pub(crate) states: usize,
    pub(crate) push_edges: usize,
    pub(crate) pop_edges: usize,
    /// Conflicts before precedence and associativity resolve any.
    pub(crate) shift_reduce: usize,
    pub(crate) reduce_reduce: usize,
    /// Conflicts that precedence and associativity leave, if any are declared.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) unresolved: Option<UnresolvedSizes>,
}

/// Conflicts that precedence and associativity leave.
#[derive(Serialize)]
pub(crate) struct UnresolvedSizes {
    pub(crate) shift_reduce: usize,
    pub(crate) reduce_reduce: usize,
}

impl Sizes<'_> {
    /// As tables, with an empty line between each two.
    pub(crate) fn for_people(&self, palette: Palette) -> String {
        let tables =
            [self.grammar.table(), self.graph.table(), self.bnf.table(), lr_table(&self.lr)];
        let mut text = tables.map(|table| table.render(palette)).join("\n");
        if self.grammar.notes > 0 {
            text.push_str("\nParts of the grammar are ignored; `gramercy check` lists them.\n");
        }
        text
    }
}

impl GrammarSizes<'_> {
    fn table(&self) -> Table {
        let mut table = Table::of_words(["Grammar", &self.file]);
        table.row(["notation".to_owned(), self.notation.to_owned()]);
        table.row(["start".to_owned(), self.start.to_owned()]);
        table.row(["rules".to_owned(), grouped(self.rules)]);
        table.row(["notes".to_owned(), grouped(self.notes)]);
        table
    }
}

impl GraphSizes {
    fn table(&self) -> Table {
        let mut table = Table::of_numbers(["Grammar graph", ""]);
        table.row(["nodes".to_owned(), grouped(self.nodes)]);
        table.row(["symbolic".to_owned(), grouped(self.symbolic)]);
        for (k, count) in &self.kpaths {
            table.row([format!("{k}-paths"), grouped(count)]);
        }
        table
    }
}

impl BnfSizes {
    fn table(&self) -> Table {
        let mut table = Table::of_numbers(["BNF core", ""]);
        table.row(["nonterminals".to_owned(), grouped(self.nonterminals)]);
        table.row(["terminals".to_owned(), grouped(self.terminals)]);
        table.row(["productions".to_owned(), grouped(self.productions)]);
        table
    }
}

fn lr_table(automata: &[(&str, LrSizes)]) -> Table {
    let mut headings =
        vec!["LR automata", "states", "push edges", "pop edges", "shift/reduce", "reduce/reduce"];
    if automata.iter().any(|(_, sizes)| sizes.unresolved.is_some()) {
        headings.extend(["unresolved s/r", "unresolved r/r"]);
    }
    let mut table = Table::of_numbers(headings);
    for (name, sizes) in automata {
        let LrSizes { states, push_edges, pop_edges, shift_reduce, reduce_reduce, unresolved } =
            sizes;
        let mut numbers = vec![*states, *push_edges, *pop_edges, *shift_reduce, *reduce_reduce];
        if let Some(UnresolvedSizes { shift_reduce, reduce_reduce }) = unresolved {
            numbers.extend([shift_reduce, reduce_reduce]);
        }
        table.row(std::iter::once((*name).to_owned()).chain(numbers.into_iter().map(grouped)));
    }
    table
}
