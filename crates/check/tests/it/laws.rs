//! The claims of explanations, compared with canonical LR(1) on random grammars. That the parser
//! reads each example with the claimed trees is asserted where examples are created.

use gramercy_analysis::{First, Nullable, Productive, Useful};
use gramercy_base::Limits;
use gramercy_grammar::Cfg;
use gramercy_lr::{ConflictCounts, Construction, Facts};

use crate::Read;
use crate::conflicts::{explained_with, read_examples};

const GRAMMARS: usize = 600;
/// Enough for most conflicts of small grammars.
const EFFORT: usize = 5_000;

/// A generator with the same numbers in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % bound
    }
}

fn grammar(random: &mut Random) -> String {
    let mut text = "%%".to_owned();
    let rules = 1 + random.below(3);
    for rule in 0..=rules {
        let alternatives = 1 + random.below(3);
        let bodies: Vec<_> = (0..alternatives).map(|_| body(random, rules)).collect();
        text.push_str(&format!(" r{rule}: {};", bodies.join(" | ")));
    }
    text
}

fn body(random: &mut Random, rules: u64) -> String {
    let symbols = (0..random.below(4)).map(|_| match random.below(5) {
        0 | 1 => format!("r{}", random.below(rules + 1)),
        token => ["A", "B", "C"][usize::try_from(token - 2).expect("a small number")].to_owned(),
    });
    symbols.collect::<Vec<_>>().join(" ")
}

/// The number of conflicts in canonical LR(1) of the useful productions.
fn canonical_conflicts(cfg: &Cfg) -> usize {
    let productive = Productive::of(cfg);
    let useful = Useful::of(cfg, &productive);
    let productions = useful.productions().iter().map(|id| (cfg.lhs(id), cfg.rhs(id)));
    let cfg = Cfg::new(cfg.terminal_count(), cfg.nonterminal_count(), cfg.start(), productions);
    let nullable = Nullable::of(&cfg);
    let first = First::of(&cfg, &Productive::of(&cfg), &nullable);
    let facts = Facts { nullable: &nullable, first: &first };
    let automaton = Construction::Canonical.build(&cfg, &facts, &Limits::default());
    let counts = ConflictCounts::of(&cfg, &automaton.expect("a small grammar"));
    counts.shift_reduce.conflicts + counts.reduce_reduce.conflicts
}

#[test]
fn explanations_agree_with_canonical_lr() {
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    let (mut unknown, mut examples) = (0, 0);
    for _ in 0..GRAMMARS {
        let text = grammar(&mut random);
        let read = Read::new("a.y", &text);
        let found = explained_with(&read, EFFORT);
        examples += read_examples(&read, &found);
        let claims = |words: &str| found.iter().filter(|it| it.message.ends_with(words)).count();
        let real = claims("the grammar is ambiguous") + claims("the next token does not decide");
        let without = claims("no example was found");
        match canonical_conflicts(read.bnf.cfg()) {
            0 => assert_eq!(real, 0, "{text}"),
            _ => assert!(real + without > 0, "{text}"),
        }
        unknown += without;
    }
    assert!(unknown == 0 && examples > GRAMMARS, "{unknown} {examples}");
}
