//! Facts about small grammars, as texts.

use gramercy_analysis::{
    Adjacency, Cyclic, Duplicates, First, Follow, Heights, Last, LeftRecursive, Length, Longest,
    LongestYield, Nullable, Precede, Productive, Reachable, ShortestYield, TerminalOrEnd,
    TerminalSets, Useful,
};
use gramercy_base::IdSet;
use gramercy_grammar::{NonterminalId, Symbol};

use crate::Views;

/// `A=a b B=` and so on; the marker is `$`.
fn show_sets(views: &Views, sets: &TerminalSets) -> String {
    let row = |id: NonterminalId| {
        let members = sets.iter_row(id).map(|member| show(views, member, "$"));
        let name = views.name(Symbol::Nonterminal(id));
        format!("{name}={}", members.collect::<Vec<_>>().join(" "))
    };
    views.bnf.nonterminals().ids().map(row).collect::<Vec<_>>().join("; ")
}

fn show(views: &Views, id: TerminalOrEnd, end: &str) -> String {
    let terminal = id.terminal(&views.bnf);
    terminal.map_or(end, |terminal| views.name(Symbol::Terminal(terminal))).to_owned()
}

fn show_names(views: &Views, wanted: impl Fn(NonterminalId) -> bool) -> String {
    let ids = views.bnf.nonterminals().ids().filter(|&id| wanted(id));
    ids.map(|id| views.name(Symbol::Nonterminal(id))).collect::<Vec<_>>().join(" ")
}

#[test]
fn first_and_follow_skip_nullable_symbols() {
    fn check(text: &str, first: &str, follow: &str) {
        let views = Views::of(text);
        let bnf = &views.bnf;
        let (productive, nullable) = (Productive::of(bnf), Nullable::of(bnf));
        let useful = Useful::of(bnf, &productive);
        let of_first = First::of(bnf, &productive, &nullable);
        let of_follow = Follow::of(bnf, &useful, &nullable, &of_first);
        assert_eq!(show_sets(&views, of_first.sets()), first, "first of {text}");
        assert_eq!(show_sets(&views, of_follow.sets()), follow, "follow of {text}");
    }
    check("S: X y; X: x | ;", "S=y x; X=x", "S=$; X=y");
    check("S: X Y; X: x |; Y: y | ;", "S=x y; X=x; Y=y", "S=$; X=y $; Y=$");
    check("E: E '+' T | T; T: n | '(' E ')';", "E=n '('; T=n '('", "E='+' ')' $; T='+' ')' $");
    // An unproductive nonterminal has no first and no follow set.
    check("S: a | U b; U: c U;", "S=a; U=", "S=$; U=");
    check("S: S x;", "S=", "S=");
    check("S: a; X: b S c;", "S=a; X=b", "S=$; X=");
}

#[test]
fn last_and_precede_are_the_mirror_image() {
    fn check(text: &str, last: &str, precede: &str) {
        let views = Views::of(text);
        let bnf = &views.bnf;
        let (productive, nullable) = (Productive::of(bnf), Nullable::of(bnf));
        let useful = Useful::of(bnf, &productive);
        let of_last = Last::of(bnf, &productive, &nullable);
        let of_precede = Precede::of(bnf, &useful, &nullable, &of_last);
        assert_eq!(show_sets(&views, of_last.sets()), last, "last of {text}");
        let precede_shown = show_sets(&views, of_precede.sets()).replace('$', "⊢");
        assert_eq!(precede_shown, precede, "precede of {text}");
    }
    check("S: y X; X: x | ;", "S=y x; X=x", "S=⊢; X=y");
    check("S: X Y; X: x | ; Y: y | ;", "S=x y; X=x; Y=y", "S=⊢; X=⊢; Y=x ⊢");
}

#[test]
fn adjacency_has_both_markers() {
    fn check(text: &str, expected: &str) {
        let views = Views::of(text);
        let bnf = &views.bnf;
        let (productive, nullable) = (Productive::of(bnf), Nullable::of(bnf));
        let useful = Useful::of(bnf, &productive);
        let first = First::of(bnf, &productive, &nullable);
        let follow = Follow::of(bnf, &useful, &nullable, &first);
        let adjacency = Adjacency::of(bnf, &useful, &nullable, &first, &follow);
        let pair = |(a, b)| format!("{}{}", show(&views, a, "⊢"), show(&views, b, "$"));
        assert_eq!(adjacency.pairs().map(pair).collect::<Vec<_>>().join(" "), expected, "{text}");
    }
    check("D: o D c D | ;", "oo oc co cc c$ ⊢o ⊢$");
    check("S: a b c | d a c;", "ab ac bc c$ da ⊢a ⊢d");
    check("S: a S b | ;", "aa ab bb b$ ⊢a ⊢$");
    check("S: ;", "⊢$");
    check("S: S;", "");
}

#[test]
fn useless_symbols_are_found() {
    fn check(text: &str, productive: &str, reachable: &str, useful: &str) {
        let views = Views::of(text);
        let is_productive = Productive::of(&views.bnf);
        let is_reachable = Reachable::of(&views.bnf);
        let is_useful = Useful::of(&views.bnf, &is_productive);
        let symbol = Symbol::Nonterminal;
        assert_eq!(show_names(&views, |id| is_productive.contains(id)), productive, "{text}");
        assert_eq!(show_names(&views, |id| is_reachable.contains(symbol(id))), reachable, "{text}");
        assert_eq!(show_names(&views, |id| is_useful.contains(symbol(id))), useful, "{text}");
    }
    check("S: A | B; A: a; B: B b; C: c;", "S A C", "S A B", "S A");
    // A is reachable only next to an unproductive symbol.
    check("S: a | A B; A: a; B: B b;", "S A", "S A B", "S");
    check("S: A; A: S;", "", "S A", "");
    check("S: ;", "S", "S", "S");
}

#[test]
fn a_terminal_without_text_derives_nothing() {
    let views = Views::of("S: A | B; A: a; B: b;");
    let mut textless = IdSet::new(2);
    textless.insert(views.bnf.terminals().next().expect("two terminals"));
    let productive = Productive::without(&views.bnf, &textless);
    assert_eq!(show_names(&views, |id| productive.contains(id)), "S B");
    assert_eq!(productive.productions().len(), 2);
}

#[test]
fn cycles_and_left_recursion() {
    fn check(text: &str, cyclic: &str, left: &str, hidden: &str) {
        let views = Views::of(text);
        let nullable = Nullable::of(&views.bnf);
        let is_cyclic = Cyclic::of(&views.bnf, &nullable);
        let is_left = LeftRecursive::of(&views.bnf, &nullable);
        assert_eq!(show_names(&views, |id| is_cyclic.contains(id)), cyclic, "{text}");
        assert_eq!(show_names(&views, |id| is_left.contains(id)), left, "{text}");
        assert_eq!(show_names(&views, |id| is_left.is_hidden(id)), hidden, "{text}");
    }
    check("S: S a | b;", "", "S", "");
    check("S: a S | b;", "", "", "");
    check("S: A; A: B | a; B: A;", "A B", "A B", "");
    check("S: N S a | b; N: ;", "", "S", "S");
    check("S: N S N | b; N: ;", "S", "S", "S");
    check("S: S S | ;", "S", "S", "");
    check("S: A b; A: S c;", "", "S A", "");
}

#[test]
fn shortest_yields_and_their_ties() {
    fn check(text: &str, terminals: &str, edges: &str) {
        let views = Views::of(text);
        for (length, expected) in [(Length::Terminals, terminals), (Length::LrEdges, edges)] {
            let shortest = ShortestYield::of(&views.bnf, length);
            let of = |id: NonterminalId| {
                let name = views.name(Symbol::Nonterminal(id));
                let Some(length) = shortest.length(id) else { return format!("{name}=never") };
                let mut word = Vec::new();
                shortest.write(&views.bnf, &[Symbol::Nonterminal(id)], &mut word);
                let word = word.into_iter().map(|t| views.name(Symbol::Terminal(t)));
                format!("{name}={length}:{}", word.collect::<String>())
            };
            let all = views.bnf.nonterminals().ids().map(of).collect::<Vec<_>>().join(" ");
            assert_eq!(all, expected, "{length:?} of {text}");
        }
    }
    check("S: a S | A b; A: c | d;", "S=2:cb A=1:c", "S=6:cb A=3:c");
    // Three productions for one terminal, or one production for two: the measures differ.
    check("S: A | x y; A: B; B: b;", "S=1:b A=1:b B=1:b", "S=4:xy A=5:b B=3:b");
    // Equally short: fewer productions first, then file order.
    check("S: A | b; A: a;", "S=1:b A=1:a", "S=3:b A=3:a");
    check("S: S | A; A: S | a | b;", "S=1:a A=1:a", "S=5:a A=3:a");
    check("S: U | a; U: U u;", "S=1:a U=never", "S=3:a U=never");
    check("S: ;", "S=0:", "S=2:");
    // The example of the module.
    check("S: A | a a; A: B; B: b;", "S=1:b A=1:b B=1:b", "S=4:aa A=5:b B=3:b");
}

#[test]
fn longest_yields_or_none() {
    fn check(text: &str, expected: &str) {
        let views = Views::of(text);
        let longest = LongestYield::of(&views.bnf, &Productive::of(&views.bnf));
        let of = |id: NonterminalId| {
            let name = views.name(Symbol::Nonterminal(id));
            match longest.length(id) {
                Longest::Nothing => format!("{name}=never"),
                Longest::Tokens(tokens) => format!("{name}={tokens}"),
                Longest::Unbounded => format!("{name}=unbounded"),
            }
        };
        let all = views.bnf.nonterminals().ids().map(of).collect::<Vec<_>>().join(" ");
        assert_eq!(all, expected, "{text}");
    }
    check("S: a S | A b; A: c | d e;", "S=unbounded A=2");
    check("S: A A b; A: c | d e;", "S=5 A=2");
    // A nonterminal that derives itself alone, or next to an empty string, adds nothing.
    check("S: A | a; A: S E | a b; E: ;", "S=2 A=2 E=0");
    check("S: S S | ;", "S=0");
    check("S: S S | a;", "S=unbounded");
    // The symbol next to it derives nothing.
    check("S: S U | S S V | b; U: U u; V: V;", "S=1 U=never V=never");
    check("S: S S | S U | ; U: a U;", "S=0 U=never");
    // The example of the module.
    check("S: A A; A: a | B; B: A E; E: ;", "S=2 A=1 B=1 E=0");
    check("S: A A; A: a | B; B: A E; E: e | ;", "S=unbounded A=unbounded B=unbounded E=1");
}

#[test]
fn yields_of_huge_length_are_still_derivable() {
    let rule = |at: usize| format!("A{at}: A{at} | A{} A{};", at + 1, at + 1);
    let text: String = (0..200).map(rule).chain(["A200: a;".to_owned()]).collect();
    let views = Views::of(&text);
    let shortest = ShortestYield::of(&views.bnf, Length::Terminals);
    assert_eq!(shortest.length(views.bnf.start()), Some(u64::MAX));
    for id in views.bnf.nonterminals().ids() {
        let production = shortest.production(id).expect("all derive something");
        assert!(!views.bnf.rhs(production).contains(&Symbol::Nonterminal(id)));
    }
}

#[test]
fn heights_on_the_core() {
    fn check(text: &str, expected: &str) {
        let views = Views::of(text);
        let heights = Heights::of(&views.bnf);
        let of = |id: NonterminalId| {
            let height = heights.height(id).map_or("-".to_owned(), |height| height.to_string());
            format!("{}={height}", views.name(Symbol::Nonterminal(id)))
        };
        let all = views.bnf.nonterminals().ids().map(of).collect::<Vec<_>>().join(" ");
        assert_eq!(all, expected, "{text}");
    }
    check("S: A A | ; A: a;", "S=1 A=1");
    check("S: A B; A: a; B: A | B b;", "S=3 A=1 B=2");
    check("S: S;", "S=-");
    // The example of the module.
    check("S: '(' S ')' | x y?;", "S=2 S_1=1");
}

#[test]
fn repeated_productions_and_rules_are_found() {
    fn check(text: &str, productions: &str, rules: &str) {
        let views = Views::of(text);
        let duplicates = Duplicates::of(&views.bnf);
        let pairs = duplicates.productions().iter();
        let pairs = pairs.map(|(again, first)| {
            assert!(duplicates.repeats(*again) && !duplicates.repeats(*first));
            let at = |id| views.bnf.productions().position(|other| other == id);
            format!("{}={}", at(*again).expect("known"), at(*first).expect("known"))
        });
        assert_eq!(pairs.collect::<Vec<_>>().join(" "), productions, "{text}");
        let name = |&id: &NonterminalId| views.name(Symbol::Nonterminal(id));
        let pairs = duplicates.rules().iter().map(|(a, b)| format!("{}={}", name(a), name(b)));
        assert_eq!(pairs.collect::<Vec<_>>().join(" "), rules, "{text}");
    }
    check("S: a | b | a | a;", "2=0 3=0", "");
    check("S: A B; A: x | y; B: y | x | x;", "5=4", "B=A");
    check("S: A B; A: x A | ; B: x B | ;", "", "B=A");
    check("S: A B; A: x B | ; B: x A | ;", "", "");
}
