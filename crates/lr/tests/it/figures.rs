//! Sizes of the automata of real grammars; the conflicts of LALR(1) are those that bison 3.8.2
//! reports.

use gramercy_analysis::Duplicates;
use gramercy_lr::Construction::{Canonical, Lalr, Lr0};
use gramercy_lr::{ConflictCounts, Construction, LrGraph};

use crate::{Views, build};

/// States, push edges, pop edges and pop edges by label.
type Sizes = [usize; 4];
/// Shift/reduce cells and their states, reduce/reduce conflicts and their states.
type Conflicts = [usize; 4];

fn check(text: &str, construction: Construction, sizes: Sizes, conflicts: Option<Conflicts>) {
    let Views { bnf, .. } = Views::of(text);
    let automaton = build(&bnf, construction);
    let graph = LrGraph::new(&bnf, &automaton);
    let labels = graph.pop_label_count(&Duplicates::of(&bnf));
    let found = [automaton.state_count(), graph.push_edge_count(), graph.pop_edge_count(), labels];
    assert_eq!(found, sizes, "{construction:?}");
    assert_eq!(graph.pop_edges().count(), sizes[2], "{construction:?}");
    if let Some(conflicts) = conflicts {
        let ConflictCounts { shift_reduce: sr, reduce_reduce: rr } =
            ConflictCounts::of(&bnf, &automaton);
        let found = [sr.conflicts, sr.states, rr.conflicts, rr.states];
        assert_eq!(found, conflicts, "{construction:?}");
    }
}

fn check_file(file: &str, construction: Construction, sizes: Sizes, conflicts: Option<Conflicts>) {
    let Some(folder) = gramercy_testkit::shared("pytomata") else { return };
    let text = std::fs::read_to_string(folder.join(file)).expect("a readable file");
    check(&text, construction, sizes, conflicts);
}

#[test]
fn ampl20() {
    check_file("ampl20.y", Lr0, [153, 316, 277, 277], Some([63, 44, 48, 1]));
    check_file("ampl20.y", Canonical, [483, 1115, 998, 998], Some([0, 0, 0, 0]));
    check_file("ampl20.y", Lalr, [153, 316, 277, 277], Some([0, 0, 0, 0]));
}

#[test]
fn ampl() {
    check_file("ampl.y", Lr0, [162, 348, 303, 303], None);
    check_file("ampl.y", Canonical, [506, 1220, 1099, 1099], None);
}

#[test]
fn go() {
    check_file("go.y", Lr0, [480, 3770, 4728, 4724], Some([988, 101, 2212, 24]));
    check_file("go.y", Lalr, [480, 3770, 4728, 4724], Some([210, 32, 45, 6]));
    check_file("go.y", Canonical, [2963, 24053, 30011, 30007], Some([1432, 144, 45, 6]));
}

#[test]
fn sqlite() {
    let conflicts = [12392, 290, 40261, 132];
    check_file("sqlite.y", Lr0, [966, 21586, 22581, 22581], Some(conflicts));
    let conflicts = [10142, 162, 7651, 93];
    check_file("sqlite.y", Lalr, [966, 21586, 22581, 22581], Some(conflicts));
    let conflicts = [225_825, 3171, 202_556, 2545];
    check_file("sqlite.y", Canonical, [27349, 354_127, 383_430, 383_430], Some(conflicts));
}

#[test]
fn the_figures_of_the_publication() {
    let figures = [
        ("D: '[' D ']' D | ;", [7, 8, 6, 6], [11, 13, 10, 10]),
        ("D: D '[' D ']' | ;", [6, 6, 4, 4], [9, 9, 6, 6]),
        ("D: D D | '[' D ']' | ;", [7, 12, 15, 15], [11, 19, 24, 24]),
        ("E: E '+' E | '(' E ')' | num;", [9, 14, 9, 9], [15, 23, 15, 15]),
    ];
    for (text, lr0, lr1) in figures {
        check(text, Lr0, lr0, None);
        check(text, Lalr, lr0, None);
        check(text, Canonical, lr1, None);
    }
}
