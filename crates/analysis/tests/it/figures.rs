//! Exact figures for the grammars of Rossouw and Fischer, JSS 2024.

use gramercy_analysis::{
    Adjacency, Duplicates, First, Follow, Nullable, Productive, TerminalOrEnd, Useful,
};

use crate::Views;

fn check(file: &str, sizes: [usize; 3], pairs: usize, repeated: usize) {
    let Some(folder) = gramercy_testkit::shared("pytomata") else { return };
    let text = std::fs::read_to_string(folder.join(file)).expect("a readable file");
    let Views { bnf, .. } = Views::of(&text);
    let found = [bnf.nonterminals().len(), bnf.terminal_count(), bnf.production_count()];
    assert_eq!(found, sizes, "{file}");
    let (productive, nullable) = (Productive::of(&bnf), Nullable::of(&bnf));
    let useful = Useful::of(&bnf, &productive);
    let first = First::of(&bnf, &productive, &nullable);
    let follow = Follow::of(&bnf, &useful, &nullable, &first);
    let adjacency = Adjacency::of(&bnf, &useful, &nullable, &first, &follow);
    let begin = TerminalOrEnd::end(&bnf);
    assert_eq!(adjacency.pairs().filter(|&(a, _)| a != begin).count(), pairs, "{file}");
    assert_eq!(Duplicates::of(&bnf).productions().len(), repeated, "{file}");
}

#[test]
fn ampl() {
    check("ampl20.y", [42, 47, 86], 372, 0);
}

#[test]
fn go() {
    check("go.y", [155, 78, 317], 1608, 1);
}

#[test]
fn sqlite() {
    check("sqlite.y", [203, 162, 591], 22754, 0);
}
