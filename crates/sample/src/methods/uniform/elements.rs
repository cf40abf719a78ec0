//! What random tests are to cover: elements of a tree, each given by productions.
//!
//! A tree covers an element if it uses one of its productions: of a nonterminal all its productions, of a production
//! itself, of a node of the grammar graph the productions in which it stands, of a terminal those that have it. A
//! pair of nodes on a path is not a matter of single productions: for `kpath:2` productions are copied for each node
//! that their nonterminal can be reached by, so that a copy tells the node above it. Trees of the copied grammar are
//! trees of the grammar, one to one.
//!
//! Example: in `S: A A; A: "a" | "b";` the node "a" is below both nodes A, and A has a copy for each of them with the
//! productions "a" and "b" each. The element (second A, "a") is the production "a" of the second copy.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use gramercy_analysis::counts::tables::MemoryLimit;
use gramercy_base::{Id, IdSet, IndexMap, Table};
use gramercy_grammar::{Cfg, NodeId, NodeKind, NonterminalId, ProductionId, Symbol};
use gramercy_language::Language;

use super::space::{SizeRange, SpaceError, TreeSpace};

/// Which elements trees can cover.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ElementKind {
    /// Nonterminals of the BNF core.
    Nonterminals,
    /// Productions of the BNF core.
    Productions,
    /// Symbolic nodes of the grammar graph.
    Nodes,
    /// Paths of two symbolic nodes.
    Pairs,
    /// Terminals and nonterminals of these names.
    Symbols(Vec<String>),
}

impl FromStr for ElementKind {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match (text, text.split_once(':')) {
            ("nonterminal", _) => Ok(Self::Nonterminals),
            ("production" | "rule", _) => Ok(Self::Productions),
            ("node" | "kpath:1", _) => Ok(Self::Nodes),
            ("kpath:2", _) => Ok(Self::Pairs),
            (_, Some(("symbols", names))) if !names.is_empty() => {
                Ok(Self::Symbols(names.split(',').map(str::to_owned).collect()))
            }
            _ => Err(format!(
                "`{text}` is not covered by uniform tests; known are nonterminal, production, node, kpath:2, \
                 symbols:NAME,NAME"
            )),
        }
    }
}

impl fmt::Display for ElementKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nonterminals => f.write_str("nonterminal"),
            Self::Productions => f.write_str("production"),
            Self::Nodes => f.write_str("node"),
            Self::Pairs => f.write_str("kpath:2"),
            Self::Symbols(names) => write!(f, "symbols:{}", names.join(",")),
        }
    }
}

/// Something that a tree can cover.
#[derive(Clone, Debug)]
pub struct Element {
    /// Its name, unlike that of any other.
    pub name: String,
    /// It is covered by trees that use one of these productions of the space.
    pub productions: IdSet<ProductionId>,
}

/// Elements with the trees that cover them.
#[derive(Clone, Debug)]
pub struct Elements {
    /// The trees.
    pub space: Arc<TreeSpace>,
    /// What they can cover.
    pub list: Vec<Element>,
}

/// Why there are no elements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ElementError {
    /// A name that no symbol has.
    Unknown(String),
    /// Trees cannot be counted.
    Space(SpaceError),
}

impl From<SpaceError> for ElementError {
    fn from(error: SpaceError) -> Self {
        Self::Space(error)
    }
}

impl Elements {
    /// The elements of a kind. Those that no sentence uses are left out.
    ///
    /// # Errors
    /// If a name is unknown, or trees cannot be counted.
    pub fn new(
        language: &Language,
        kind: &ElementKind,
        range: SizeRange,
        memory: MemoryLimit,
    ) -> Result<Self, ElementError> {
        if *kind == ElementKind::Pairs {
            return pairs(language, range, memory);
        }
        let space = Arc::new(TreeSpace::new(language, range, memory)?);
        let mut found = Found::new(language.bnf().production_count());
        let (bnf, useful) = (language.bnf(), language.useful());
        for production in bnf.productions().filter(|&id| useful.has_production(id)) {
            match kind {
                ElementKind::Nonterminals => {
                    found.add(nonterminal_name(language, bnf.lhs(production)), production);
                }
                ElementKind::Productions => {
                    found.add(production_name(language, production), production);
                }
                ElementKind::Nodes => {
                    for node in symbolic_nodes(language, production) {
                        found.add(node_name(language, node), production);
                    }
                }
                ElementKind::Symbols(names) => {
                    let lhs = Symbol::Nonterminal(bnf.lhs(production));
                    for &symbol in bnf.rhs(production).iter().chain([&lhs]) {
                        let name = bnf.symbol_name(language.grammar(), symbol);
                        if names.iter().any(|wanted| wanted == name) {
                            found.add(name.to_owned(), production);
                        }
                    }
                }
                ElementKind::Pairs => unreachable!("invariant: it was handled before"),
            }
        }
        if let ElementKind::Symbols(names) = kind
            && let Some(unknown) = names.iter().find(|name| !found.by_name.contains_key(*name))
        {
            return Err(ElementError::Unknown(unknown.clone()));
        }
        Ok(Self { space, list: found.finish() })
    }
}

/// Elements by name, in order.
struct Found {
    productions: usize,
    by_name: IndexMap<String, IdSet<ProductionId>>,
}

impl Found {
    fn new(productions: usize) -> Self {
        Self { productions, by_name: IndexMap::default() }
    }

    fn add(&mut self, name: String, production: ProductionId) {
        let count = self.productions;
        self.by_name.entry(name).or_insert_with(|| IdSet::new(count)).insert(production);
    }

    fn finish(self) -> Vec<Element> {
        let element = |(name, productions)| Element { name, productions };
        self.by_name.into_iter().map(element).collect()
    }
}

fn nonterminal_name(language: &Language, id: NonterminalId) -> String {
    language.bnf().nonterminals()[id].name.to_string()
}

fn production_name(language: &Language, production: ProductionId) -> String {
    let (bnf, grammar) = (language.bnf(), language.grammar());
    let mut name = nonterminal_name(language, bnf.lhs(production)) + " →";
    for &symbol in bnf.rhs(production) {
        name.push(' ');
        name.push_str(bnf.symbol_name(grammar, symbol));
    }
    // Two productions can have the same symbols; their numbers tell them apart.
    let same = bnf.productions_of(bnf.lhs(production)).iter();
    let same = same.filter(|&&other| bnf.rhs(other) == bnf.rhs(production));
    match same.take_while(|&&other| other != production).count() {
        0 => name,
        before => format!("{name} #{}", before + 1),
    }
}

fn node_name(language: &Language, node: NodeId) -> String {
    let grammar = language.grammar();
    let name: &str = match language.graph().kind(node) {
        NodeKind::Reference(rule) => &grammar.rules()[rule].name,
        NodeKind::Leaf(terminal) => &grammar.terminals()[terminal].name,
        _ => "",
    };
    format!("{name}_{}", node.index())
}

/// The symbolic nodes that a production stands for, empty leaves included.
fn symbolic_nodes(
    language: &Language,
    production: ProductionId,
) -> impl Iterator<Item = NodeId> + '_ {
    let bnf = language.bnf();
    let silent = bnf.silent(production).iter().map(|&(_, node)| node);
    let nodes = bnf.nodes(production).iter().copied().flatten().chain(silent);
    nodes.filter(|&node| language.graph().kind(node).is_symbolic())
}

/// A nonterminal with the symbolic node that it was reached by.
type Below = (NonterminalId, Option<NodeId>);

/// The paths of two symbolic nodes.
fn pairs(
    language: &Language,
    range: SizeRange,
    memory: MemoryLimit,
) -> Result<Elements, ElementError> {
    let (bnf, useful) = (language.bnf(), language.useful());
    let mut copies: IndexMap<Below, ()> = IndexMap::default();
    copies.insert((bnf.start(), None), ());
    let (mut rules, mut origin, mut above) = (Vec::new(), Table::new(), Vec::new());
    let mut at = 0;
    while let Some((&(nonterminal, node), ())) = copies.get_index(at) {
        let own = bnf.productions_of(nonterminal).iter();
        for &production in own.filter(|&&id| useful.has_production(id)) {
            let rhs: Vec<Symbol> = bnf
                .rhs(production)
                .iter()
                .zip(bnf.nodes(production))
                .map(|(&symbol, &position)| match symbol {
                    Symbol::Terminal(_) => symbol,
                    Symbol::Nonterminal(inner) => {
                        let is_symbolic =
                            |node: &NodeId| language.graph().kind(*node).is_symbolic();
                        let below = (inner, position.filter(is_symbolic).or(node));
                        let copy = copies.entry(below);
                        let index = copy.index();
                        copy.or_insert(());
                        Symbol::Nonterminal(NonterminalId::from_index(index))
                    }
                })
                .collect();
            rules.push((NonterminalId::from_index(at), rhs));
            origin.push(production);
            above.push(node);
        }
        at += 1;
    }
    let mut found = Found::new(rules.len());
    for (index, (&production, node)) in origin.values().zip(&above).enumerate() {
        let Some(node) = *node else { continue };
        for below in symbolic_nodes(language, production) {
            let name = format!("{} → {}", node_name(language, node), node_name(language, below));
            found.add(name, ProductionId::from_index(index));
        }
    }
    let start = NonterminalId::from_index(0);
    let rules = rules.iter().map(|(lhs, rhs)| (*lhs, &rhs[..]));
    let cfg = Cfg::new(bnf.terminal_count(), copies.len(), start, rules);
    let space = TreeSpace::of_cfg(language, &cfg, &|_| true, Some(origin), range, memory)?;
    Ok(Elements { space: Arc::new(space), list: found.finish() })
}
