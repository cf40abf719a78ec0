//! How tokens change the mode: which modes a lexer may be in after a token that the parser sees, given
//! those it may be in before.
//!
//! A stack of modes is abstracted to its *top*: the current mode, and the mode that was remembered
//! last. Pushing is exact; what lies below a mode that is popped to is any mode with which it was ever
//! seen. So every possible change is among those found, and some that are found may be impossible.
//! Skipped and hidden matches before the token, and parts that `more` joins to it, are counted in.
//!
//! Cost: tops times outcomes, for each token; tops are at most the square of the modes, and there is
//! no flow if they are more than fit into a machine word.

use gramercy_base::{IndexSet, Table};
use gramercy_grammar::{ModeId, TerminalId};

use crate::effect::{Effect, ModeChange};
use crate::reach::{Begun, Possible, initial_stack};

/// The current mode, and the one below it; `None` at the bottom.
type Top = (ModeId, Option<ModeId>);

/// A set of tops, by their numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Tops(u64);

impl Tops {
    /// Whether there are none.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Those of both.
    #[must_use]
    pub fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Each of them alone.
    pub fn each(self) -> impl Iterator<Item = (usize, Self)> {
        let members = (0..u64::BITS).filter(move |at| self.0 >> at & 1 == 1);
        members.map(|at| (at as usize, Self(1 << at)))
    }

    fn one(at: usize) -> Self {
        Self(1 << at)
    }
}

/// The changes of tops by tokens.
#[derive(Clone, Debug)]
pub struct ModeFlow {
    tops: Vec<Top>,
    /// For every token, what each top becomes.
    steps: Table<TerminalId, Box<[Tops]>>,
}

impl ModeFlow {
    /// The flow of a lexer; `None` if it has too many tops.
    pub(crate) fn new(possible: &Possible<'_>, terminals: usize) -> Option<Self> {
        let tops = all_tops(possible)?;
        let none: Box<[Tops]> = vec![Tops::default(); tops.len()].into();
        let mut steps = Table::filled(none, terminals);
        for at in 0..tops.len() {
            for (token, after) in visible_steps(possible, &tops, at) {
                let to = &mut steps[token][at];
                *to = to.union(after);
            }
        }
        Some(Self { tops: tops.into_iter().collect(), steps })
    }

    /// The number of tops.
    #[must_use]
    pub fn len(&self) -> usize {
        self.tops.len()
    }

    /// Never: a lexer begins in some mode.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.tops.is_empty()
    }

    /// Where a lexer begins.
    #[must_use]
    pub fn initial(&self) -> Tops {
        Tops::one(0)
    }

    /// Wherever a lexer can be.
    #[must_use]
    pub fn all(&self) -> Tops {
        (0..self.tops.len()).fold(Tops::default(), |all, at| all.union(Tops::one(at)))
    }

    /// Where it may be after a token; nowhere if the token cannot be made from there.
    #[must_use]
    pub fn after(&self, token: TerminalId, before: Tops) -> Tops {
        let steps = &self.steps[token];
        before.each().fold(Tops::default(), |all, (at, _)| all.union(steps[at]))
    }

    /// The current modes of tops.
    #[must_use]
    pub fn modes(&self, tops: Tops) -> Vec<ModeId> {
        let mut modes: Vec<_> = tops.each().map(|(at, _)| self.tops[at].0).collect();
        modes.sort_unstable();
        modes.dedup();
        modes
    }
}

/// Every top that a lexer can have, the initial one first. What a mode is popped to depends on tops
/// that may be found later, so all are tried again until none is new.
fn all_tops(possible: &Possible<'_>) -> Option<IndexSet<Top>> {
    let mut tops: IndexSet<Top> = [(initial_stack()[0], None)].into_iter().collect();
    loop {
        let before = tops.len();
        for at in 0..before {
            for (_, effect) in &possible[tops[at].0] {
                let passed = change(&tops, tops[at], effect).1;
                tops.extend(passed);
            }
        }
        if tops.len() > u64::BITS as usize {
            return None;
        }
        if tops.len() == before {
            return Some(tops);
        }
    }
}

/// The tops after the mode changes of a match, and all that were passed through.
fn change(tops: &IndexSet<Top>, from: Top, effect: &Effect) -> (Vec<Top>, Vec<Top>) {
    let (mut now, mut passed) = (vec![from], Vec::new());
    for change in &effect.mode_changes {
        let next = now.iter().flat_map(|&(mode, below)| match *change {
            ModeChange::Set(to) => vec![(to, below)],
            ModeChange::Push(to) => vec![(to, Some(mode))],
            // At the bottom nothing can be popped.
            ModeChange::Pop => {
                let back = below.into_iter();
                back.flat_map(|to| tops.iter().copied().filter(move |top| top.0 == to)).collect()
            }
        });
        now = next.collect();
        passed.extend(now.iter().copied());
    }
    (now, passed)
}

/// The tokens that the parser may see next from a top, with what the top becomes.
fn visible_steps(
    possible: &Possible<'_>,
    tops: &IndexSet<Top>,
    from: usize,
) -> Vec<(TerminalId, Tops)> {
    let mut steps = Vec::new();
    let mut seen: IndexSet<(Top, Begun)> = [(tops[from], Begun::Nothing)].into_iter().collect();
    let mut at = 0;
    while let Some(&(top, begun)) = seen.get_index(at) {
        at += 1;
        for (_, effect) in &possible[top.0] {
            let after = change(tops, top, effect).0;
            match effect.visible_token(begun.channel()) {
                Some(token) => {
                    let numbers = after.iter().filter_map(|top| tops.get_index_of(top));
                    let set = numbers.fold(Tops::default(), |all, it| all.union(Tops::one(it)));
                    steps.push((token, set));
                }
                None => seen.extend(after.into_iter().map(|top| (top, begun.after(effect)))),
            }
        }
    }
    steps
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use gramercy_base::Limits;
    use gramercy_formats::{LoadOptions, Memory, load};

    use crate::{Dfa, Inventory, Lexer};

    /// A lexer with parentheses in which line ends are hidden, and strings with code in them.
    const LEXER: &str = "lexer grammar L; \
        OPEN : '(' -> pushMode(INSIDE) ; CLOSE : ')' ; NL : '\\n' ; ID : [a-z]+ ; \
        QUOTE : '\"' -> pushMode(TEXT) ; C : '/*' -> more, mode(COMMENT) ; \
        mode INSIDE; IOPEN : '(' -> type(OPEN), pushMode(INSIDE) ; \
        ICLOSE : ')' -> type(CLOSE), popMode ; INL : '\\n' -> channel(HIDDEN) ; \
        IID : [a-z]+ -> type(ID) ; IQUOTE : '\"' -> type(QUOTE), pushMode(TEXT) ; \
        mode TEXT; END : '\"' -> popMode ; CHARS : ~[\"$]+ ; CODE : '$(' -> pushMode(INSIDE) ; \
        mode COMMENT; ENDED : '*/' -> skip, mode(DEFAULT_MODE) ; ANY : . -> more ;";

    /// Which modes the lexer may be in after the tokens.
    #[track_caller]
    fn check(tokens: &[&str], expected: &[&str]) {
        let parser = "parser grammar P; options { tokenVocab = L; } \
            s : (OPEN | CLOSE | NL | ID | QUOTE | END | CHARS | CODE)* EOF ;";
        let files = Memory::with("L.g4", LEXER).and("P.g4", parser);
        let loaded = load(Path::new("P.g4"), &files, &LoadOptions::default());
        let grammar = loaded.grammar.expect("a grammar");
        let lexer = Lexer::new(&grammar, &Limits::default()).expect("a lexer");
        let mut dfa = Dfa::new(&lexer, 1000);
        let flow = Inventory::new(&grammar, &lexer, &mut dfa).expect("small").flow.expect("small");
        let token = |name: &&str| {
            let mut terminals = grammar.terminals().iter();
            terminals.find(|(_, terminal)| *terminal.name == **name).expect("a token").0
        };
        let after =
            tokens.iter().fold(flow.initial(), |before, name| flow.after(token(name), before));
        let lexicon = grammar.lexicon().expect("a lexicon");
        let modes = flow.modes(after).into_iter().map(|mode| &*lexicon.modes[mode].name);
        assert_eq!(modes.collect::<Vec<_>>(), expected, "{tokens:?}");
    }

    #[test]
    fn modes_are_pushed_and_popped() {
        check(&[], &["DEFAULT_MODE"]);
        check(&["ID", "NL"], &["DEFAULT_MODE"]);
        check(&["OPEN"], &["INSIDE"]);
        check(&["OPEN", "ID", "CLOSE"], &["DEFAULT_MODE"]);
        check(&["OPEN", "OPEN", "CLOSE"], &["INSIDE"]);
        check(&["QUOTE", "CHARS"], &["TEXT"]);
        check(&["QUOTE", "CODE", "OPEN", "CLOSE"], &["INSIDE"]);
        check(&["QUOTE", "CODE", "CLOSE"], &["TEXT"]);
        check(&["OPEN", "QUOTE", "END"], &["INSIDE"]);
    }

    #[test]
    fn what_cannot_come_leads_nowhere() {
        check(&["OPEN", "NL"], &[]);
        check(&["CHARS"], &[]);
        check(&["QUOTE", "ID"], &[]);
        check(&["OPEN", "ID", "CLOSE", "NL"], &["DEFAULT_MODE"]);
    }

    #[test]
    fn what_lies_below_is_any_mode_that_may() {
        // Two levels down the abstraction no longer knows.
        check(&["OPEN", "OPEN", "CLOSE", "CLOSE"], &["DEFAULT_MODE", "INSIDE", "TEXT"]);
    }
}
