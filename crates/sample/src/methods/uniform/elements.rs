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

impl ElementKind {
    /// What an element of the kind is called before its name.
    fn noun(&self) -> &'static str {
        match self {
            Self::Nonterminals => "nonterminal",
            Self::Productions => "production",
            Self::Nodes => "node",
            Self::Pairs => "path",
            Self::Symbols(_) => "symbol",
        }
    }
}

/// Kinds of elements, joined with `+`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ElementKinds(pub Vec<ElementKind>);

impl FromStr for ElementKinds {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut parts: Vec<String> = Vec::new();
        for part in text.split('+') {
            match parts.last_mut() {
                // The name of a symbol can have a plus sign.
                Some(last)
                    if last.starts_with("symbols:") && part.parse::<ElementKind>().is_err() =>
                {
                    last.push('+');
                    last.push_str(part);
                }
                _ => parts.push(part.to_owned()),
            }
        }
        parts.iter().map(|part| part.parse()).collect::<Result<_, _>>().map(Self)
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
    /// The elements of some kinds. Those that no sentence uses are left out.
    ///
    /// # Errors
    /// If a name is unknown, or trees cannot be counted.
    pub fn new(
        language: &Language,
        kinds: &ElementKinds,
        range: SizeRange,
        memory: MemoryLimit,
    ) -> Result<Self, ElementError> {
        let kinds = &kinds.0[..];
        let source = match kinds.contains(&ElementKind::Pairs) {
            true => Source::copies(language),
            false => Source::plain(language),
        };
        let mut list = Vec::new();
        for kind in kinds {
            let mut found = Found::new(source.cfg.production_count());
            source.find(kind, &mut found)?;
            let of_kind = found.finish();
            // Names of different kinds can be equal.
            list.extend(of_kind.into_iter().map(|element| match kinds.len() {
                1 => element,
                _ => Element { name: format!("{} {}", kind.noun(), element.name), ..element },
            }));
        }
        let Source { cfg, origin, .. } = source;
        let usable = |production| match &origin {
            Some(_) => true,
            None => language.useful().has_production(production),
        };
        let space = TreeSpace::of_cfg(language, &cfg, &usable, origin.clone(), range, memory)?;
        Ok(Self { space: Arc::new(space), list })
    }
}

/// The productions that elements are made of: those of the BNF core, or copies of them.
struct Source<'l> {
    language: &'l Language,
    cfg: Cfg,
    /// The production of the BNF core for each, where they are copies.
    origin: Option<Table<ProductionId, ProductionId>>,
    /// For each copy, the symbolic node that its nonterminal was reached by.
    above: Vec<Option<NodeId>>,
}

/// A nonterminal with the symbolic node that it was reached by.
type Below = (NonterminalId, Option<NodeId>);

impl<'l> Source<'l> {
    fn plain(language: &'l Language) -> Self {
        Self { language, cfg: language.bnf().cfg().clone(), origin: None, above: Vec::new() }
    }

    /// A copy of each production for each node that its nonterminal can be reached by.
    fn copies(language: &'l Language) -> Self {
        let (bnf, useful) = (language.bnf(), language.useful());
        let mut copies: IndexMap<Below, ()> = IndexMap::default();
        copies.insert((bnf.start(), None), ());
        let (mut rules, mut origin, mut above) = (Vec::new(), Table::new(), Vec::new());
        let mut at = 0;
        while let Some((&(nonterminal, node), ())) = copies.get_index(at) {
            let own = bnf.productions_of(nonterminal).iter();
            for &production in own.filter(|&&id| useful.has_production(id)) {
                let symbols = bnf.rhs(production).iter().zip(bnf.nodes(production));
                let rhs: Vec<Symbol> = symbols
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
        let start = NonterminalId::from_index(0);
        let rules = rules.iter().map(|(lhs, rhs)| (*lhs, &rhs[..]));
        let cfg = Cfg::new(bnf.terminal_count(), copies.len(), start, rules);
        Self { language, cfg, origin: Some(origin), above }
    }

    /// Each production with the one of the BNF core that it is, or is a copy of. Those that no sentence uses are left
    /// out.
    fn productions(&self) -> impl Iterator<Item = (ProductionId, ProductionId)> {
        let origin = |id| self.origin.as_ref().map_or(id, |origin| origin[id]);
        let pairs = self.cfg.productions().map(move |id| (id, origin(id)));
        pairs.filter(|&(_, core)| self.language.useful().has_production(core))
    }

    fn find(&self, kind: &ElementKind, found: &mut Found) -> Result<(), ElementError> {
        let (language, bnf) = (self.language, self.language.bnf());
        for (own, production) in self.productions() {
            match kind {
                ElementKind::Nonterminals => {
                    found.add(nonterminal_name(language, bnf.lhs(production)), own);
                }
                ElementKind::Productions => found.add(production_name(language, production), own),
                ElementKind::Nodes => {
                    for node in symbolic_nodes(language, production) {
                        found.add(node_name(language, node), own);
                    }
                }
                ElementKind::Symbols(names) => {
                    let lhs = Symbol::Nonterminal(bnf.lhs(production));
                    for &symbol in bnf.rhs(production).iter().chain([&lhs]) {
                        let name = bnf.symbol_name(language.grammar(), symbol);
                        if names.iter().any(|wanted| wanted == name) {
                            found.add(name.to_owned(), own);
                        }
                    }
                }
                ElementKind::Pairs => {
                    let Some(above) = self.above[own.index()] else { continue };
                    let above = node_name(language, above);
                    for below in symbolic_nodes(language, production) {
                        found.add(format!("{above} → {}", node_name(language, below)), own);
                    }
                }
            }
        }
        match kind {
            ElementKind::Symbols(names) => {
                let unknown = names.iter().find(|name| !found.by_name.contains_key(*name));
                unknown.map_or(Ok(()), |name| Err(ElementError::Unknown(name.clone())))
            }
            _ => Ok(()),
        }
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
