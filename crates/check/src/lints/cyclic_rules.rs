//! Rules that derive themselves, A ⇒⁺ A, and repetitions of nullable bodies: each sentence that
//! uses one has infinitely many trees.
//!
//! There is one diagnostic per group of nonterminals that derive each other, with the shortest
//! cycle through the first of them. Linear in the grammar, and in the group for its cycle.

use gramercy_analysis::{Cyclic, cyclic};
use gramercy_base::{Diagnostic, IndexMap, IndexSet};
use gramercy_grammar::{NonterminalId, Origin, Symbol};

use crate::codes::{CYCLIC_RULE, EMPTY_LOOP};
use crate::context::Context;

/// Groups that contain a rule.
pub(super) fn find_rules(context: &Context<'_>, found: &mut Vec<Diagnostic>) {
    let mut seen = IndexSet::default();
    for group in groups(context) {
        let Some(&first) = group.iter().find(|&&id| context.rule_of(id).is_some()) else {
            continue;
        };
        let rule = context.rule_of(first).expect("just found");
        // The same rule may be cyclic in each of its end-of-input forms.
        if seen.insert(rule) {
            let rule = &context.grammar.rules()[rule];
            let message = format!("the rule `{}` derives itself", rule.name);
            let names = context.names();
            let cycle = cycle(context, first).into_iter().map(|id| names.nonterminal(id));
            let cycle = cycle.collect::<Vec<_>>().join(" → ");
            found.push(
                Diagnostic::at(CYCLIC_RULE, rule.span, message)
                    .note(format!("the cycle is {cycle}; all other symbols can be empty"))
                    .note("a sentence that uses it has infinitely many trees")
                    .help("remove one alternative from the cycle"),
            );
        }
    }
}

/// Groups that consist of a single repetition.
pub(super) fn find_loops(context: &Context<'_>, found: &mut Vec<Diagnostic>) {
    let mut seen = IndexSet::default();
    for group in groups(context) {
        if group.iter().any(|&id| context.rule_of(id).is_some()) {
            continue;
        }
        let origin = |&id: &NonterminalId| match context.bnf.nonterminals()[id].origin {
            Origin::Repeat(expr) => Some(expr),
            Origin::Rule(_) | Origin::Group(_) | Origin::Start => None,
        };
        if let Some(expr) = group.iter().find_map(origin)
            && seen.insert(expr)
        {
            let message = format!("the body of `{}` can be empty", context.names().expr(expr));
            found.push(
                Diagnostic::at(EMPTY_LOOP, context.grammar.expr(expr).span, message)
                    .note("a sentence that uses it has infinitely many trees")
                    .help("make sure that the body is not empty"),
            );
        }
    }
}

/// The useful groups, each ascending.
fn groups(context: &Context<'_>) -> Vec<Vec<NonterminalId>> {
    let cyclic = Cyclic::of(context.bnf, &context.nullable);
    let mut groups: Vec<_> = cyclic.groups().map(<[_]>::to_vec).collect();
    groups.iter_mut().for_each(|group| group.sort_unstable());
    groups.retain(|group| context.useful.contains(Symbol::Nonterminal(group[0])));
    groups.sort_unstable();
    groups
}

/// The shortest cycle of a nonterminal, both ends included.
fn cycle(context: &Context<'_>, from: NonterminalId) -> Vec<NonterminalId> {
    let bnf = context.bnf;
    // Each visited nonterminal with its predecessor, in the order of distance.
    let mut before: IndexMap<NonterminalId, Option<NonterminalId>> = IndexMap::default();
    let mut at = 0;
    let mut next = Some(from);
    while let Some(current) = next {
        let steps = bnf.productions_of(current).iter();
        for inner in steps.flat_map(|&id| cyclic::alone(bnf, &context.nullable, id)) {
            if inner == from {
                let back = |&id: &NonterminalId| before.get(&id).copied().flatten();
                let mut path: Vec<_> = std::iter::successors(Some(current), back).collect();
                path.reverse();
                path.retain(|&id| id != from);
                return [vec![from], path, vec![from]].concat();
            }
            before.entry(inner).or_insert(Some(current));
        }
        next = before.get_index(at).map(|(&id, _)| id);
        at += 1;
    }
    unreachable!("invariant: a nonterminal of a cyclic group derives itself")
}
