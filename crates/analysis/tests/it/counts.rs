//! Numbers of trees: the figures of a publication, and the arithmetics against each other and against a list of all
//! trees.

use gramercy_analysis::Productive;
use gramercy_analysis::counts::forms::Measured;
use gramercy_analysis::counts::tables::MemoryLimit;
use gramercy_analysis::counts::{
    Arithmetic, CountTables, Exact, Forms, Long, Restriction, Short, SizeUnit,
};
use gramercy_base::IdSet;
use gramercy_grammar::{Cfg, NonterminalId, ProductionId, Symbol};

use crate::Views;

/// Dreyfus, Héam and Kouchnarenko, ICST Workshops 2013, section V.
const JSON: &str = "Object: '{' '}' | '{' Members '}'; Members: Pair | Pair ',' Members;
    Pair: 'letter' ':' Value; Array: '[' ']' | '[' Elements ']';
    Elements: Value | Value ',' Elements; Value: 'letter' | Object | 'digit' | Array;";
/// The same, example 2.
const EXAMPLE_2: &str = "S: S S | 'a' T | X 'b'; T: 'a' 'a'; X: T X | 'b';";

fn forms(cfg: &Cfg, unit: SizeUnit) -> Forms {
    let productive = Productive::of(cfg);
    let measured = Measured {
        usable: &|production| productive.has_production(production),
        of_production: &|_| unit.of_production(),
        of_terminal: &|_| 1,
    };
    Forms::new(cfg, &measured).expect("sizes are finite")
}

fn exact(forms: &Forms, largest: usize, restriction: &Restriction<'_, dashu_int::UBig>) -> Numbers {
    CountTables::new(&Exact, forms, largest, restriction, MemoryLimit::default())
        .expect("small tables")
}

type Numbers = CountTables<dashu_int::UBig>;

fn row(tables: &Numbers, of: NonterminalId, sizes: impl Iterator<Item = usize>) -> String {
    sizes.map(|size| tables.of(of, size).to_string()).collect::<Vec<_>>().join(" ")
}

fn named(views: &Views, name: &str) -> NonterminalId {
    let mut ids = views.bnf.cfg().nonterminals();
    ids.find(|&id| views.name(Symbol::Nonterminal(id)) == name).expect("it is in the grammar")
}

/// The productions of some nonterminals.
fn productions(views: &Views, names: &[&str]) -> IdSet<ProductionId> {
    let mut set = IdSet::new(views.bnf.production_count());
    for name in names {
        for &production in views.bnf.productions_of(named(views, name)) {
            set.insert(production);
        }
    }
    set
}

/// How many trees of a size use productions of these nonterminals, of each of them at least one.
fn covering(views: &Views, forms: &Forms, names: &[&str], size: usize) -> i64 {
    let count = |names: &[&str]| {
        let without = productions(views, names);
        let all = exact(forms, size, &Restriction::All);
        let tables = exact(forms, size, &Restriction::Without(&without, &all));
        i64::try_from(tables.of(views.bnf.start(), size).clone()).expect("a small number")
    };
    match names {
        [x] => count(&[]) - count(&[x]),
        [x, y] => count(&[]) - count(&[x]) - count(&[y]) + count(&[x, y]),
        _ => unreachable!("one or two"),
    }
}

#[test]
fn json_has_the_published_numbers() {
    let views = Views::of(JSON);
    let forms = forms(&views.bnf, SizeUnit::Nodes);
    let tables = exact(&forms, 39, &Restriction::All);
    assert_eq!(
        row(&tables, views.bnf.start(), 1..=39),
        "0 0 1 0 0 0 0 0 2 0 2 0 0 2 0 6 2 12 4 12 10 16 36 42 74 90 140 180 276 390 634 918 1438 1954 \
         3086 4358 6846 9996 15372"
    );
    let cover = |names: &[&str]| covering(&views, &forms, names, 20);
    let common = ["Object", "Members", "Pair", "Value"];
    for x in common {
        assert_eq!(cover(&[x]), 12, "{x}");
        assert!(common.iter().filter(|&&y| x != y).all(|y| cover(&[x, y]) == 12), "{x}");
        assert_eq!((cover(&[x, "Array"]), cover(&[x, "Elements"])), (11, 8), "{x}");
    }
    assert_eq!((cover(&["Array"]), cover(&["Elements"])), (11, 8));
    assert_eq!(cover(&["Array", "Elements"]), 8);
}

#[test]
fn example_2_has_the_published_numbers() {
    let views = Views::of(EXAMPLE_2);
    let forms = forms(&views.bnf, SizeUnit::Nodes);
    let tables = exact(&forms, 23, &Restriction::All);
    assert_eq!(
        row(&tables, views.bnf.start(), 1..=23),
        "0 0 0 1 1 0 0 1 1 2 1 1 2 4 6 7 5 8 17 27 34 34 43"
    );
    let sizes = [5, 10, 15, 19, 20];
    let cover = |name| sizes.map(|size| covering(&views, &forms, &[name], size));
    assert_eq!(cover("X"), [0, 2, 6, 17, 27]);
    assert_eq!(cover("T"), [1, 2, 6, 12, 27]);
}

/// All trees of the start symbol with a size, as productions of a leftmost derivation.
fn all_trees(cfg: &Cfg, unit: SizeUnit, size: usize) -> Vec<Vec<ProductionId>> {
    let mut found = Vec::new();
    let mut open = vec![(Vec::new(), vec![Symbol::Nonterminal(cfg.start())], 0_usize)];
    while let Some((productions, mut symbols, used)) = open.pop() {
        // In nodes each open symbol costs at least one, in tokens derivations are kept short.
        let least = if unit == SizeUnit::Nodes { symbols.len() } else { 0 };
        if used + least > size || productions.len() > 3 * size + 6 {
            continue;
        }
        match symbols.pop() {
            None if used == size => found.push(productions),
            None => {}
            Some(Symbol::Terminal(_)) => open.push((productions, symbols, used + 1)),
            Some(Symbol::Nonterminal(nonterminal)) => {
                for &production in cfg.productions_of(nonterminal) {
                    let mut productions = productions.clone();
                    productions.push(production);
                    let mut symbols = symbols.clone();
                    symbols.extend(cfg.rhs(production).iter().rev());
                    open.push((productions, symbols, used + unit.of_production()));
                }
            }
        }
    }
    found
}

const SMALL: [&str; 6] = [
    JSON,
    EXAMPLE_2,
    "S: 'a' S 'b' | T; T: | 'c' T;",
    "S: A B A; A: 'a' | ; B: 'b' B | A 'c';",
    "S: 'i' S | 'i' S 'e' S | 'x';",
    "S: (A | 'b')* 'c'?; A: 'a' S 'd';",
];

#[test]
fn numbers_are_those_of_a_list_of_all_trees() {
    for text in SMALL {
        let views = Views::of(text);
        for unit in [SizeUnit::Nodes, SizeUnit::Tokens] {
            let forms = forms(&views.bnf, unit);
            let most = if unit == SizeUnit::Nodes { 12 } else { 5 };
            let tables = exact(&forms, most, &Restriction::All);
            for size in 0..=most {
                let trees = all_trees(&views.bnf, unit, size);
                let counted = tables.of(views.bnf.start(), size);
                assert_eq!(counted.to_string(), trees.len().to_string(), "{text} {unit:?} {size}");
                for production in views.bnf.productions() {
                    check_restricted(&views, &forms, &tables, production, size, &trees);
                }
            }
        }
    }
}

/// Trees with and without a production are those of the list.
fn check_restricted(
    views: &Views,
    forms: &Forms,
    all: &Numbers,
    production: ProductionId,
    size: usize,
    trees: &[Vec<ProductionId>],
) {
    let mut set = IdSet::new(views.bnf.production_count());
    set.insert(production);
    let without = exact(forms, size, &Restriction::Without(&set, all));
    let with = exact(forms, size, &Restriction::With(&set, all, &without));
    let using = trees.iter().filter(|tree| tree.contains(&production)).count();
    let start = views.bnf.start();
    assert_eq!(with.of(start, size).to_string(), using.to_string());
    assert_eq!(without.of(start, size).to_string(), (trees.len() - using).to_string());
}

#[test]
fn inexact_numbers_are_as_near_as_they_say() {
    let views = Views::of(JSON);
    let forms = forms(&views.bnf, SizeUnit::Nodes);
    let (largest, limit, start) = (400, MemoryLimit::default(), views.bnf.start());
    let exact = exact(&forms, largest, &Restriction::All);
    let short = CountTables::new(&Short, &forms, largest, &Restriction::All, limit);
    let short = short.expect("small tables");
    let long = Long { bits: 70 };
    let longs = CountTables::new(&long, &forms, largest, &Restriction::All, limit);
    let longs = longs.expect("small tables");
    for size in 0..=largest {
        let (exact, short) = (exact.of(start, size), short.of(start, size));
        assert_eq!(exact.is_zero(), Short.is_zero(short));
        let number = longs.of(start, size);
        let (least, most) = long.bounds(number, number.exponent());
        let unit = usize::try_from(number.exponent()).expect("it is not negative");
        assert!(&(least << unit) <= exact && exact <= &(most << unit), "{size}");
        if !exact.is_zero() {
            let excess = dashu_int::ops::BitTest::bit_len(exact).saturating_sub(100);
            let leading = u128::try_from(exact >> excess).expect("100 bits") as f64;
            let found = short.at(i32::try_from(excess).expect("it is small"));
            let bound = f64::from(short.roundings()) * f64::EPSILON + 1e-15;
            assert!((found / leading - 1.0).abs() <= bound, "{size}: {found} {leading}");
        }
    }
}

#[test]
fn cyclic_sizes_are_refused_with_the_cycle() {
    let views = Views::of("S: A 'x' | 'y'; A: B C; B: A | 'b'; C: ;");
    let productive = Productive::of(&views.bnf);
    let measured = Measured {
        usable: &|production| productive.has_production(production),
        of_production: &|_| 0,
        of_terminal: &|_| 1,
    };
    let refused = Forms::new(&views.bnf, &measured).expect_err("A derives itself");
    let mut names: Vec<&str> =
        refused.cycle.iter().map(|&id| views.name(Symbol::Nonterminal(id))).collect();
    names.sort_unstable();
    assert_eq!(names, ["A", "B"]);
    // In nodes each step of the cycle counts.
    let tables = exact(&forms(&views.bnf, SizeUnit::Nodes), 12, &Restriction::All);
    assert_eq!(row(&tables, views.bnf.start(), 1..=12), "0 1 0 0 0 1 0 0 1 0 0 1");
}

#[test]
fn memory_is_bounded() {
    let views = Views::of(JSON);
    let forms = forms(&views.bnf, SizeUnit::Nodes);
    let limit = MemoryLimit { bytes: 1 << 20 };
    let refused = CountTables::new(&Exact, &forms, 3000, &Restriction::All, limit);
    let reached = refused.expect_err("a megabyte is too little");
    assert_eq!(reached.option, Some("--max-memory"));
}
