//! Token rules that only other token rules use. They should be fragments: the parser does not use
//! their tokens.

use gramercy_base::Diagnostic;
use gramercy_grammar::Rule;

use crate::codes::MISSING_FRAGMENT;
use crate::context::Context;
use crate::names;

pub(super) fn find(context: &Context<'_>, found: &mut Vec<Diagnostic>) {
    let rules: Vec<_> = context.helpers.iter().map(|rule| &context.grammar.rules()[rule]).collect();
    found.extend(report(&rules));
}

fn report(rules: &[&Rule]) -> Option<Diagnostic> {
    let names = names::list(rules.iter().map(|rule| &rule.name));
    let (message, help) = match rules {
        [] => return None,
        [_] => (
            format!("no parser rule uses the token {names}, only other token rules do"),
            "mark it `fragment`",
        ),
        _ => (
            format!(
                "no parser rule uses these {} tokens, only other token rules do: {names}",
                rules.len()
            ),
            "mark them `fragment`",
        ),
    };
    let diagnostic = Diagnostic::at(MISSING_FRAGMENT, rules[0].span, message).help(help);
    Some(rules[1..].iter().take(3).fold(diagnostic, |it, rule| it.label(rule.span, "")))
}
