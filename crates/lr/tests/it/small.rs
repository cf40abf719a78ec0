//! Small and unusual grammars.

use gramercy_analysis::TerminalOrEnd;
use gramercy_base::{Id, Limits};
use gramercy_grammar::Symbol;
use gramercy_lr::Construction::{Canonical, Lalr, Lr0};
use gramercy_lr::conflicts::conflicts;
use gramercy_lr::{
    Automaton, Construction, EmbeddingTree, Gotos, Label, LrGraph, Neighbors, PopEdge, PopPaths,
    PushEdge, ReductionPath, Shallowest, StateId,
};

use crate::{Views, build, try_build};

/// The states' numbers of transitions as `0 -a→ 2`, by source, then by label.
fn show_edges(views: &Views, automaton: &Automaton) -> String {
    let graph = LrGraph::new(&views.bnf, automaton);
    let edge = |edge: PushEdge| {
        let label = match automaton.labels().label(edge.label) {
            Label::Terminal(terminal) => views.name(Symbol::Terminal(terminal)),
            Label::End => "$",
            Label::Nonterminal(nonterminal) => views.name(Symbol::Nonterminal(nonterminal)),
        };
        format!("{}{label}{}", edge.source.index(), edge.target.index())
    };
    graph.push_edges().map(edge).collect::<Vec<_>>().join(" ")
}

fn check_edges(text: &str, construction: Construction, expected: &str) {
    let views = Views::of(text);
    let automaton = build(&views.bnf, construction);
    assert_eq!(show_edges(&views, &automaton), expected, "{construction:?} of {text}");
    let last = LrGraph::new(&views.bnf, &automaton);
    let end = automaton.labels().end();
    let into = last.push_edges().filter(|edge| edge.label == end);
    assert_eq!(into.map(|edge| edge.target).collect::<Vec<_>>(), [automaton.accepting()]);
}

#[test]
fn states_are_numbered_breadth_first() {
    check_edges("S: A b | a c; A: a;", Lr0, "0a1 0S2 0A3 1c4 2$5 3b6");
    check_edges("S: ;", Lr0, "0S1 1$2");
    check_edges("S: a S | ;", Canonical, "0a1 0S2 1a1 1S3 2$4");
}

#[test]
fn grammars_without_sentences_have_automata() {
    check_edges("S: S;", Lr0, "0S1 1$2");
    check_edges("S: S;", Canonical, "0S1 1$2");
    check_edges("S: a U; U: u U;", Lalr, "0a1 0S2 1u3 1U4 2$5 3u3 3U6");
}

#[test]
fn unreachable_rules_are_not_in_the_automaton() {
    check_edges("S: a; X: b S;", Lr0, "0a1 0S2 2$3");
}

/// The lookaheads of the only reduction by the production at `at`, in each state that has it.
fn check_lookaheads(text: &str, construction: Construction, production: usize, expected: &[&str]) {
    let views = Views::of(text);
    let automaton = build(&views.bnf, construction);
    let production = views.bnf.productions().nth(production).expect("such a production");
    let reductions = automaton.states().flat_map(|state| automaton.reductions(state));
    let sets = reductions.filter(|reduction| reduction.production == production).map(|reduction| {
        let set = reduction.lookaheads.expect("lookaheads");
        let name = |id: TerminalOrEnd| {
            let terminal = id.terminal(&views.bnf);
            terminal.map_or("$", |terminal| views.name(Symbol::Terminal(terminal)))
        };
        automaton.lookahead_ids(set).map(name).collect::<Vec<_>>().join(" ")
    });
    assert_eq!(sets.collect::<Vec<_>>(), expected, "{construction:?} of {text}");
}

#[test]
fn lookaheads_are_exact_where_states_are_split() {
    // LR(1) but not LALR(1): A and B are reduced before d and e, or before e and d.
    let text = "S: a A d | b B d | a B e | b A e; A: c; B: c;";
    check_lookaheads(text, Canonical, 4, &["d", "e"]);
    check_lookaheads(text, Lalr, 4, &["d e"]);
    // LALR(1) but not SLR(1).
    let text = "S: A a | b A c | d c | b d a; A: d;";
    check_lookaheads(text, Lalr, 4, &["a", "c"]);
    // ε-rules take lookaheads from after nullable symbols.
    check_lookaheads("S: A B c; A: ; B: b | ;", Lalr, 1, &["c b"]);
    check_lookaheads("S: A B c; A: ; B: b | ;", Canonical, 3, &["c"]);
    check_lookaheads("S: A S b | x; A: ;", Lalr, 2, &["x", "x"]);
}

fn check_conflicts(text: &str, construction: Construction, expected: &str) {
    let views = Views::of(text);
    let automaton = build(&views.bnf, construction);
    let shown = conflicts(&views.bnf, &automaton).map(|conflict| {
        let terminal = conflict.next.terminal(&views.bnf);
        let next = terminal.map_or("$", |terminal| views.name(Symbol::Terminal(terminal)));
        let shift = conflict.shift.map_or(String::new(), |state| format!("s{}", state.index()));
        let reductions = conflict.reductions.iter().map(|id| format!("r{}", id.index()));
        let reductions: String = reductions.collect();
        format!("{}{next}:{shift}{reductions}", conflict.state.index())
    });
    assert_eq!(shown.collect::<Vec<_>>().join(" "), expected, "{construction:?} of {text}");
}

#[test]
fn conflicts_are_listed_and_not_resolved() {
    check_conflicts("E: E p E | n;", Canonical, "5p:s3r0");
    check_conflicts("E: E p E | n;", Lr0, "5p:s3r0");
    check_conflicts("S: A | B; A: a; B: a;", Lalr, "1$:r2r3");
    check_conflicts("S: A | B; A: a; B: a;", Lr0, "1a:r2r3 1$:r2r3");
    // A repeated production conflicts with itself; acceptance conflicts with a reduction.
    check_conflicts("S: a | a;", Lalr, "1$:r0r1");
    check_conflicts("S: S | a;", Lalr, "2$:s3r0");
}

#[test]
fn a_limit_names_the_option_that_raises_it() {
    let Views { bnf, .. } = &Views::of("S: a S b | ;");
    let limits = Limits { states: 3, ..Limits::default() };
    for construction in Construction::ALL {
        let error = try_build(bnf, construction, &limits).expect_err("six states");
        assert_eq!((error.limit, error.option), (3, Some("--max-states")));
        let limits = Limits { states: build(bnf, construction).state_count(), ..limits };
        assert!(try_build(bnf, construction, &limits).is_ok());
    }
}

#[test]
fn the_reduction_path_of_figure_1b() {
    let views = Views::of("D: D '[' D ']' | ;");
    let automaton = build(&views.bnf, Lr0);
    let graph = LrGraph::new(&views.bnf, &automaton);
    let long = views.bnf.productions().next().expect("two productions");
    let numbers = |states: &[StateId]| states.iter().map(|s| s.index()).collect::<Vec<_>>();
    let targets = graph.pop_edges().filter(|pop| pop.production == long);
    let paths = targets.map(|pop| ReductionPath::of(&graph, pop).expect("a path"));
    let shown: Vec<_> = paths
        .map(|path| {
            assert_eq!(path.push_path(&graph).count(), 4);
            (numbers(&path.states), path.push.target.index())
        })
        .collect();
    assert_eq!(shown, [(vec![0, 1, 2, 4, 5], 1), (vec![2, 4, 2, 4, 5], 4)]);
}

#[test]
fn only_a_pop_edge_has_a_reduction_path() {
    let views = Views::of("S: a A; A: b;");
    let automaton = build(&views.bnf, Lr0);
    let graph = LrGraph::new(&views.bnf, &automaton);
    let pop = graph.pop_edges().last().expect("two pop edges");
    assert!(ReductionPath::of(&graph, pop).is_some());
    let elsewhere = PopEdge { target: automaton.accepting(), ..pop };
    assert_eq!(ReductionPath::of(&graph, elsewhere), None);
    let swapped = PopEdge { source: pop.target, ..pop };
    assert_eq!(ReductionPath::of(&graph, swapped), None);
    assert_eq!(graph.pop_rank(automaton.accepting(), pop.production), None);
}

#[test]
fn many_rules_make_many_small_states() {
    let rules = 20_000;
    let rule = |at: usize| format!("A{at}: x A{} y A{at} | z;", (at + 1) % rules);
    let Views { bnf, .. } = &Views::of(&(0..rules).map(rule).collect::<String>());
    for construction in Construction::ALL {
        let automaton = build(bnf, construction);
        let graph = LrGraph::new(bnf, &automaton);
        // A state before each Aᵢ after x and after y, and one after each symbol of the rules.
        assert!(automaton.state_count() > 4 * rules, "{construction:?}");
        assert!(automaton.state_count() < 12 * rules, "{construction:?}");
        assert_eq!(graph.pop_edges().count(), graph.pop_edge_count());
    }
}

/// The grammar of the worked examples in the documentation of the modules.
const EXAMPLE: &str = "S: C C; C: c C | d;";

#[test]
fn the_examples_of_the_modules_hold() {
    let views = Views::of(EXAMPLE);
    let bnf = &views.bnf;
    let sizes = |construction| {
        let automaton = build(bnf, construction);
        let graph = LrGraph::new(bnf, &automaton);
        [automaton.state_count(), graph.push_edge_count(), graph.pop_edge_count()]
    };
    assert_eq!(sizes(Lr0), [8, 11, 7]);
    assert_eq!(sizes(Canonical), [11, 14, 9]);
    let automaton = build(bnf, Lr0);
    let gotos = Gotos::of(bnf, &automaton);
    let pushes: Vec<_> = gotos.ids().map(|goto| gotos.source(goto).index()).collect();
    assert_eq!(pushes, [0, 0, 1, 4]);
    let paths = PopPaths::new(bnf, &automaton, &gotos, 2, &Limits::default()).expect("few paths");
    assert_eq!(paths.count(), 12);
    let all = |_| true;
    let tree = EmbeddingTree::new(bnf, &automaton, &gotos, &all);
    let depths: Vec<_> = gotos.ids().map(|goto| tree.depth(goto)).collect();
    assert_eq!(depths, [0, 1, 2, 1]);
    let occurrences = tree.occurrences(bnf, &automaton, &gotos, &all);
    let shallowest = Shallowest::new(&tree, &occurrences);
    let inner = gotos.ids().nth(2).expect("four pushes");
    assert!((shallowest.count(inner) - 2.0).abs() < 1e-9);
    let neighbors = Neighbors::of(&LrGraph::new(bnf, &automaton));
    let [c, d] = [0, 1].map(TerminalOrEnd::from_index);
    let witnesses: Vec<_> = neighbors.witnesses(d, c).map(Id::index).collect();
    assert_eq!(witnesses, [2, 4, 5]);
    let lookaheads = [(Lalr, &["c d $"][..]), (Canonical, &["c d", "$"][..])];
    for (construction, expected) in lookaheads {
        check_lookaheads(EXAMPLE, construction, 2, expected);
    }
}
