//! The grammars G_X and G_XY of Dreyfus, Héam and Kouchnarenko, ICST Workshops 2013, section IV: their trees are the
//! trees that cover X, and both X and Y. We count without them, so they are built here as they are printed.

use std::sync::Arc;

use gramercy_analysis::counts::tables::MemoryLimit;
use gramercy_analysis::counts::{Exact, Restriction, SizeUnit};
use gramercy_base::{Id, IdSet};
use gramercy_derive::Candidate;
use gramercy_grammar::{Cfg, NonterminalId, ProductionId, Symbol};
use gramercy_language::Language;
use gramercy_sample::methods::uniform::{Ranking, SizeRange, TreeSpace};
use gramercy_testkit::random::Random;

use crate::uniform::{EXAMPLE_2, JSON, language, space};

/// A printed construction, with the production of the BNF core for each of its own.
struct Published {
    cfg: Cfg,
    origin: Vec<ProductionId>,
}

impl Published {
    /// The grammar itself.
    fn of(cfg: &Cfg) -> Self {
        Self { cfg: cfg.clone(), origin: cfg.productions().collect() }
    }

    /// G_X, for a nonterminal X or for copies of one: nonterminals (Z, 0) below X, (Z, 1) with X to come, (Z, 2)
    /// without X. Copy i of Z has the number of Z plus i times the number of nonterminals.
    fn covering(&self, is_x: &dyn Fn(NonterminalId) -> bool) -> Self {
        let (cfg, count) = (&self.cfg, self.cfg.nonterminal_count());
        let copy = |id: NonterminalId, layer| NonterminalId::from_index(id.index() + layer * count);
        let (mut rules, mut origin) = (Vec::new(), Vec::new());
        let layered = |rhs: &[Symbol], layers: &dyn Fn(usize) -> usize| -> Vec<Symbol> {
            let mut at = 0;
            let mut next = |symbol: &Symbol| match *symbol {
                Symbol::Terminal(_) => *symbol,
                Symbol::Nonterminal(id) => {
                    at += 1;
                    Symbol::Nonterminal(copy(id, layers(at - 1)))
                }
            };
            rhs.iter().map(&mut next).collect()
        };
        for production in cfg.productions() {
            let (lhs, rhs) = (cfg.lhs(production), cfg.rhs(production));
            let inner = rhs.iter().filter(|of| matches!(of, Symbol::Nonterminal(_))).count();
            let mut add = |lhs: NonterminalId, rhs: Vec<Symbol>| {
                rules.push((lhs, rhs));
                origin.push(self.origin[production.index()]);
            };
            add(copy(lhs, 0), layered(rhs, &|_| 0));
            if is_x(lhs) {
                add(copy(lhs, 1), layered(rhs, &|_| 0));
                continue;
            }
            add(copy(lhs, 2), layered(rhs, &|_| 2));
            for mask in 1..1_usize << inner {
                add(copy(lhs, 1), layered(rhs, &|at| if mask >> at & 1 == 1 { 1 } else { 2 }));
            }
        }
        let start = copy(cfg.start(), 1);
        let rules = rules.iter().map(|(lhs, rhs)| (*lhs, &rhs[..]));
        Self { cfg: Cfg::new(cfg.terminal_count(), 3 * count, start, rules), origin }
    }

    /// G_XY, from G_X by the same construction for the three copies of Y.
    fn covering_both(cfg: &Cfg, x: NonterminalId, y: NonterminalId) -> Self {
        let count = cfg.nonterminal_count();
        let of_x = Self::of(cfg).covering(&|id| id == x);
        of_x.covering(&|id| id.index() % count == y.index())
    }

    /// Its trees, with their own productions.
    fn space(&self, language: &Language, range: SizeRange) -> Option<Arc<TreeSpace>> {
        let memory = MemoryLimit::default();
        TreeSpace::of_cfg(language, &self.cfg, &|_| true, None, range, memory).ok().map(Arc::new)
    }

    /// Its trees as trees of the BNF core.
    fn trees(&self, language: &Language, range: SizeRange) -> Option<Vec<Vec<ProductionId>>> {
        let mut trees = all_trees(self.space(language, range)?);
        for production in trees.iter_mut().flatten() {
            *production = self.origin[production.index()];
        }
        Some(trees)
    }
}

/// More trees than these are not listed.
const MOST: usize = 3000;

/// The first trees of a space.
pub(crate) fn all_trees(space: Arc<TreeSpace>) -> Vec<Vec<ProductionId>> {
    let Ok(ranking) = Ranking::new(space) else { return Vec::new() };
    let mut trees = Vec::new();
    for rank in 0..=MOST {
        let mut candidate = Candidate::default();
        if !ranking.unrank(&rank.into(), &mut candidate) {
            break;
        }
        trees.push(candidate.productions);
    }
    trees
}

/// Whether trees of G_X, or of G_XY, are the trees that cover all of some nonterminals; `None` if they are too many.
fn check_bijection(language: &Language, most: usize, names: &[NonterminalId]) -> Option<usize> {
    let (bnf, range) = (language.bnf(), SizeRange { unit: SizeUnit::Nodes, least: 1, most });
    let published = match *names {
        [x] => Published::of(bnf.cfg()).covering(&|id| id == x),
        [x, y] => Published::covering_both(bnf.cfg(), x, y),
        _ => unreachable!("one or two"),
    };
    let mut theirs = published.trees(language, range)?;
    let mut ours = all_trees(space(language, SizeUnit::Nodes, 1, most));
    if theirs.len() > MOST || ours.len() > MOST {
        return None;
    }
    let covers =
        |tree: &Vec<ProductionId>| names.iter().all(|&of| tree.iter().any(|&id| bnf.lhs(id) == of));
    ours.retain(covers);
    ours.sort();
    theirs.sort();
    assert_eq!(ours, theirs, "{names:?}");
    Some(ours.len())
}

#[test]
fn trees_that_cover_nonterminals_are_those_of_the_published_grammars() {
    let (mut of_x, mut of_xy) = (0, 0);
    for seed in 0..40 {
        let text = format!("%%\n{}", random_rules(&mut Random(seed)));
        let language = language(&text);
        for x in language.bnf().cfg().nonterminals() {
            of_x += usize::from(check_bijection(&language, 9, &[x]).is_some_and(|trees| trees > 0));
            for y in language.bnf().cfg().nonterminals().filter(|&y| y != x) {
                let trees = check_bijection(&language, 8, &[x, y]);
                of_xy += usize::from(trees.is_some_and(|trees| trees > 0));
            }
        }
    }
    assert!(of_x > 60 && of_xy > 60, "{of_x} {of_xy}");
}

/// A random grammar with three nonterminals; some are useless.
fn random_rules(random: &mut Random) -> String {
    let symbols = ["A", "B", "C", "'a'", "'b'"];
    let mut text = String::new();
    for name in ["A", "B", "C"] {
        let alternatives = (0..1 + random.below(3)).map(|_| {
            (0..random.below(4)).map(|_| *random.pick(&symbols)).collect::<Vec<_>>().join(" ")
        });
        let alternatives: Vec<String> = alternatives.chain(["'x'".to_owned()]).collect();
        text.push_str(&format!("{name}: {};\n", alternatives.join(" | ")));
    }
    text
}

/// The numbers of trees of the printed grammars are those of inclusion and exclusion, for every nonterminal and pair.
#[test]
fn numbers_of_the_published_grammars_are_ours() {
    for (text, most) in [(JSON, 23), (EXAMPLE_2, 23)] {
        let language = language(text);
        let (bnf, space) = (language.bnf(), space(&language, SizeUnit::Nodes, 1, most));
        let all = space.tables(&Exact, &Restriction::All).expect("small tables");
        let without = |names: &[NonterminalId], size: usize| {
            let mut set = IdSet::new(bnf.production_count());
            for production in bnf.productions().filter(|&id| names.contains(&bnf.lhs(id))) {
                set.insert(production);
            }
            let tables = space.tables(&Exact, &Restriction::Without(&set, &all));
            tables.expect("small tables").of(space.start(), size).clone()
        };
        for x in bnf.cfg().nonterminals() {
            let g_x = Published::of(bnf.cfg()).covering(&|id| id == x);
            let g_x = g_x.space(&language, space.range()).expect("finite sizes");
            let theirs = g_x.count().expect("small tables").0;
            for size in 1..=most {
                let total = all.of(space.start(), size);
                let covering = theirs.of(g_x.start(), size);
                assert_eq!(covering + without(&[x], size), *total, "{x:?} {size}");
            }
            for y in bnf.cfg().nonterminals().filter(|&y| y != x) {
                let g_xy = Published::covering_both(bnf.cfg(), x, y);
                let g_xy = g_xy.space(&language, space.range()).expect("finite sizes");
                let theirs = g_xy.count().expect("small tables").0;
                for size in [9, 16, 19, 20, most] {
                    let single = without(&[x], size) + without(&[y], size);
                    let ours = all.of(space.start(), size) + without(&[x, y], size);
                    assert_eq!(theirs.of(g_xy.start(), size) + single, ours, "{x:?} {y:?} {size}");
                }
            }
        }
    }
}

/// The derivation of `aaabbaabb` in G_X has the printed copies of nonterminals.
#[test]
fn example_3_has_the_published_derivation() {
    let language = language(EXAMPLE_2);
    let (bnf, range) = (language.bnf(), SizeRange { unit: SizeUnit::Nodes, least: 19, most: 19 });
    let name = |id: NonterminalId| &*bnf.nonterminals()[id].name;
    let x = bnf.cfg().nonterminals().find(|&id| name(id) == "X").expect("it has an X");
    let g_x = Published::of(bnf.cfg()).covering(&|id| id == x);
    let trees = all_trees(g_x.space(&language, range).expect("finite sizes"));
    assert_eq!(trees.len(), 17);
    let printed = "S1 S1 S2 T2 S1 X1 S1 X1 T0 X0";
    let copies = |tree: &Vec<ProductionId>| {
        let count = bnf.cfg().nonterminal_count();
        let copy = |&id: &ProductionId| {
            let at = g_x.cfg.lhs(id).index();
            format!("{}{}", name(NonterminalId::from_index(at % count)), at / count)
        };
        tree.iter().map(copy).collect::<Vec<_>>().join(" ")
    };
    let found: Vec<_> = trees.iter().filter(|tree| copies(tree) == printed).collect();
    let [tree] = found[..] else { panic!("{} trees", found.len()) };
    let core = tree.iter().map(|id| g_x.origin[id.index()]).collect();
    let core = gramercy_grammar::Tree::new(bnf, core);
    let word = core.terminals(bnf).map(|id| &*language.grammar().terminals()[id].name);
    assert_eq!(word.collect::<String>().replace('\'', ""), "aaabbaabb");
}
