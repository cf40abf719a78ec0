//! How often each alternative of a grammar was used, as it is written in the grammar's files.
//!
//! An alternative may have become several productions (where the end of input is split off); their
//! uses are added. Linear in the productions.

use gramercy_base::{IndexMap, Span, Table};
use gramercy_grammar::{AlternativeRef, ExprKind, Origin, ProductionId, RuleId};

use gramercy_language::Language;

/// An alternative with the number of its uses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AlternativeUses {
    /// The alternative.
    pub alternative: AlternativeRef,
    /// Where it is written.
    pub span: Span,
    /// The rule whose own alternative it is; those of groups have none.
    pub rule: Option<RuleId>,
    /// How often it was used.
    pub uses: u64,
}

/// The uses of all alternatives, in the order of their places; an outer one comes before those
/// within it.
#[must_use]
pub fn uses_of_alternatives(
    language: &Language,
    uses: &Table<ProductionId, u64>,
) -> Vec<AlternativeUses> {
    let mut found: IndexMap<AlternativeRef, AlternativeUses> = IndexMap::default();
    for production in language.bnf().productions() {
        let Some(alternative) = language.bnf().alternative(production) else { continue };
        let entry = found.entry(alternative).or_insert_with(|| AlternativeUses {
            alternative,
            span: span_of(language, alternative),
            rule: match language.bnf().nonterminals()[language.bnf().lhs(production)].origin {
                Origin::Rule(rule) => Some(rule),
                Origin::Group(_) | Origin::Repeat(_) | Origin::Start => None,
            },
            uses: 0,
        });
        entry.uses += uses[production];
    }
    let mut found: Vec<_> = found.into_values().collect();
    found.sort_by_key(|of| (of.span.source, of.span.start, std::cmp::Reverse(of.span.end)));
    found
}

fn span_of(language: &Language, of: AlternativeRef) -> Span {
    match &language.grammar().expr(of.alternation).kind {
        ExprKind::Alternation(alternatives) => {
            language.grammar().expr(alternatives[of.index as usize].expr).span
        }
        other => unreachable!("invariant: {other:?} is an alternation"),
    }
}
