//! Syntax rules that the start rule does not reach, and fragments that no token rule reaches.
//!
//! Of the rules that only unreachable rules use, the outermost are reported, with the number of
//! rules below them. Linear in the grammar, except for sorting.

use gramercy_analysis::{Components, Rows};
use gramercy_base::{Diagnostic, IdSet};
use gramercy_grammar::{Grammar, RuleId, RuleKind};

use crate::codes::{UNREACHABLE_RULE, UNUSED_FRAGMENT};
use crate::context::Context;
use crate::{names, walk};

pub(super) fn find(context: &Context<'_>, found: &mut Vec<Diagnostic>) {
    let grammar = context.grammar;
    let references = walk::references(grammar);
    let tokens = grammar.rules().iter().filter(|(_, rule)| rule.token().is_some());
    let entries = tokens.map(|(id, _)| id).chain([grammar.start()]);
    let reached = reached(&references, entries);
    let lost: Vec<_> = grammar.rules().ids().filter(|&rule| !reached.contains(rule)).collect();
    let fragments = lost.iter().filter(|&&rule| !grammar.rules()[rule].is_syntax());
    found.extend(unused_fragments(grammar, &fragments.copied().collect::<Vec<_>>()));
    let is_syntax = |rule: &RuleId| grammar.rules()[*rule].is_syntax();
    for root in roots(&references, &reached).into_iter().filter(is_syntax) {
        found.push(unreachable_rule(grammar, &references, &reached, root));
    }
}

fn reached(
    references: &Rows<RuleId, RuleId>,
    entries: impl Iterator<Item = RuleId>,
) -> IdSet<RuleId> {
    let mut reached = IdSet::new(references.len());
    let mut work: Vec<_> = entries.collect();
    while let Some(rule) = work.pop() {
        if reached.insert(rule) {
            work.extend(references.row(rule));
        }
    }
    reached
}

/// The unreachable rules that no other unreachable rule refers to; of mutually recursive rules, the
/// first.
fn roots(references: &Rows<RuleId, RuleId>, reached: &IdSet<RuleId>) -> Vec<RuleId> {
    let components = Components::of(references);
    let mut is_root: Vec<_> = components.ids().map(|_| true).collect();
    let index = |rule| gramercy_base::Id::index(components.component(rule));
    let lost = || references.ids().filter(|&rule| !reached.contains(rule));
    for rule in lost() {
        let elsewhere = references.row(rule).iter().filter(|&&to| index(to) != index(rule));
        elsewhere.for_each(|&to| is_root[index(to)] = false);
    }
    // The first rule of a component is a root; the others are not.
    lost().filter(|&rule| std::mem::replace(&mut is_root[index(rule)], false)).collect()
}

fn unreachable_rule(
    grammar: &Grammar,
    references: &Rows<RuleId, RuleId>,
    reached: &IdSet<RuleId>,
    root: RuleId,
) -> Diagnostic {
    let start = &grammar.rules()[grammar.start()].name;
    let rule = &grammar.rules()[root];
    let message = format!("the rule `{}` cannot be reached from `{start}`", rule.name);
    let mut diagnostic = Diagnostic::at(UNREACHABLE_RULE, rule.span, message);
    let below = self::reached(references, std::iter::once(root));
    let hanging = below.iter().filter(|&rule| rule != root && !reached.contains(rule));
    let hanging: Vec<_> = hanging.map(|rule| &grammar.rules()[rule].name).collect();
    if !hanging.is_empty() {
        let verb = if hanging.len() == 1 { "is" } else { "are" };
        let hanging = names::list(hanging);
        diagnostic = diagnostic.note(format!("{hanging} {verb} only reached from there"));
    }
    diagnostic.help(format!("use it, remove it, or start from it with --start {}", rule.name))
}

fn unused_fragments(grammar: &Grammar, fragments: &[RuleId]) -> Option<Diagnostic> {
    let rules: Vec<_> = fragments.iter().map(|&rule| &grammar.rules()[rule]).collect();
    debug_assert!(rules.iter().all(|rule| matches!(rule.kind, RuleKind::Fragment { .. })));
    let first = rules.first()?;
    let listed = names::list(rules.iter().map(|rule| &rule.name));
    let message = match rules.len() {
        1 => format!("no token rule uses the fragment {listed}"),
        count => format!("no token rule uses these {count} fragments: {listed}"),
    };
    let diagnostic = Diagnostic::at(UNUSED_FRAGMENT, first.span, message);
    Some(rules.iter().skip(1).take(3).fold(diagnostic, |it, rule| it.label(rule.span, "")))
}
