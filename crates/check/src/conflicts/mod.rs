//! LR conflicts, explained by examples.
//!
//! The unresolved conflicts of the LALR(1) automaton are grouped by their causes. For each cause,
//! two items are followed backward from the conflicting state until both derive the same
//! nonterminal, and then forward to a common end: a sentence with two readings. If there is no
//! common end, there are two sentences with a common beginning. The parser of this project reads
//! every example before it is shown, and its forest must contain the claimed trees.
//!
//! In reading order: `reduced`, `machine`, `resolve`, `causes`, `beginnings`, `work`, `backward`,
//! `forward`, `reading`, `sentence`, `prove`, `explain`, `alike`, `describe`, `summary`, `expectation`.

mod alike;
mod backward;
mod beginnings;
mod causes;
mod describe;
mod expectation;
mod explain;
mod forward;
mod machine;
mod prove;
mod reading;
mod reduced;
mod resolve;
mod sentence;
mod summary;
mod work;

use gramercy_base::{Diagnostic, LimitReached};
use gramercy_grammar::{Bnf, Grammar, Notation, TextKind};
use gramercy_lr::{Automaton, Conflict, conflicts};

use crate::codes::NOT_CHECKED;
use crate::context::Context;
use causes::Cause;
use describe::Describer;
use expectation::Expectation;
use explain::{Explainer, Explanation};
use machine::Machine;
use prove::Prover;
use reduced::Reduced;
use resolve::Precedences;
pub use summary::Counts;
use summary::{Tally, summary};
use work::Work;

/// The output about LR conflicts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Conflicts {
    /// Depends on the notation: each conflict is explained for yacc, whose users expect that;
    /// conflicts are counted for other grammars over tokens; conflicts of ANTLR grammars, whose parser
    /// does not meet them, and of scannerless grammars are ignored.
    #[default]
    ByNotation,
    /// No output.
    Ignored,
    /// The number of conflicts.
    Counted,
    /// An explanation of each conflict.
    Explained,
}

impl Conflicts {
    fn decided(self, context: &Context<'_>) -> Self {
        match (self, context.grammar.notation(), context.grammar.text_kind()) {
            (Conflicts::ByNotation, Notation::Yacc, _) => Conflicts::Explained,
            (Conflicts::ByNotation, Notation::Antlr4, _)
            | (Conflicts::ByNotation, _, TextKind::Scannerless) => Conflicts::Ignored,
            (Conflicts::ByNotation, _, _) => Conflicts::Counted,
            (decided, ..) => decided,
        }
    }
}

/// How many conflicts of an automaton of a BNF core precedence and associativity leave.
#[must_use]
pub fn unresolved(grammar: &Grammar, bnf: &Bnf, automaton: &Automaton) -> Counts {
    let precedences = Precedences::new(grammar, bnf, None);
    let all = conflicts::conflicts(bnf, automaton);
    let left: Vec<_> = all.filter_map(|conflict| precedences.unresolved(conflict)).collect();
    Counts::of(&left)
}

/// Finds the conflicts of a grammar that has sentences.
pub(crate) fn find(context: &Context<'_>, found: &mut Vec<Diagnostic>) {
    let wanted = context.options.conflicts.decided(context);
    if wanted == Conflicts::Ignored || context.useful.is_empty() {
        return;
    }
    if let Err(limit) = try_find(context, wanted, found) {
        let message = format!("the LR conflicts are not known: {limit}");
        found.push(Diagnostic::new(NOT_CHECKED, message));
    }
}

fn try_find(
    context: &Context<'_>,
    wanted: Conflicts,
    found: &mut Vec<Diagnostic>,
) -> Result<(), LimitReached> {
    let reduced = Reduced::of(context.bnf, &context.useful);
    let machine = Machine::new(&reduced.cfg, context.limits)?;
    let precedences = Precedences::new(context.grammar, context.bnf, Some(&reduced));
    let all = conflicts::conflicts(&reduced.cfg, &machine.automaton);
    let left: Vec<_> = all.filter_map(|conflict| precedences.unresolved(conflict)).collect();
    let counts = Counts::of(&left);
    let expectation = Expectation::of(context.grammar, counts);
    if let Expectation::Wrong(expected) = expectation {
        found.push(expectation::unexpected(counts, expected));
    }
    if left.is_empty() {
        return Ok(());
    }
    // Expected conflicts are explained only on request.
    let on_demand = context.options.conflicts == Conflicts::ByNotation;
    let wanted = match expectation {
        Expectation::Right if on_demand => Conflicts::Counted,
        _ => wanted,
    };
    let tally = match wanted {
        Conflicts::Explained => Some(explain_all(context, &reduced, &machine, &left, found)?),
        Conflicts::ByNotation | Conflicts::Ignored | Conflicts::Counted => None,
    };
    let summary = summary(counts, tally, context.options.effort);
    found.push(match expectation {
        Expectation::Right => summary.note("as many as the file expects"),
        Expectation::Wrong(_) | Expectation::None => summary,
    });
    Ok(())
}

/// The number of findings that are shown by default.
const SHOWN: usize = 20;
/// In the first round each conflict gets this fraction of the effort, as a divisor.
const QUICK: usize = 20;
/// In the second round all unexplained conflicts share this many efforts.
const MOST_EFFORTS: usize = 20;

fn explain_all(
    context: &Context<'_>,
    reduced: &Reduced,
    machine: &Machine<'_>,
    left: &[Conflict],
    found: &mut Vec<Diagnostic>,
) -> Result<Tally, LimitReached> {
    let prover = Prover::new(context.grammar, context.bnf, context.limits)?;
    let mut explainer = Explainer::new(machine, reduced, context.bnf, prover);
    let describer = Describer { context, machine, reduced };
    let causes = causes::causes(machine, left);
    let explained = explain_causes(&mut explainer, causes, context.options.effort);
    let mut tally = Tally::of(&explained);
    let mut findings = alike::group(machine, explained);
    findings.sort_by_key(|finding| finding.explanation.rank());
    tally.not_shown = match context.options.conflicts {
        Conflicts::Explained => 0,
        _ => findings.len().saturating_sub(SHOWN),
    };
    findings.truncate(findings.len() - tally.not_shown);
    found.extend(findings.iter().map(|finding| describer.describe(finding)));
    Ok(tally)
}

/// Explains causes: all of them with little effort, then the unexplained ones with full effort,
/// while the budget lasts.
fn explain_causes(
    explainer: &mut Explainer<'_>,
    causes: Vec<Cause>,
    effort: usize,
) -> Vec<(Cause, Explanation)> {
    let quickly = |cause: Cause| {
        let explanation = explainer.explain(&cause, &mut Work::new(effort / QUICK));
        (cause, explanation)
    };
    let mut explained: Vec<_> = causes.into_iter().map(quickly).collect();
    let mut total = Work::new(effort.saturating_mul(MOST_EFFORTS));
    for (cause, explanation) in explained.iter_mut().filter(|(_, found)| !found.is_final()) {
        let again = total.lend(effort, |work| explainer.explain(cause, work));
        if again.rank() < explanation.rank() {
            *explanation = again;
        }
    }
    explained
}
