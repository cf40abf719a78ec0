//! Edits that make a grammar accept less, for inputs that it accepts and should not.
//!
//! The tree of such an input shows what let it in. Every element of the tree is a suspect; those that passing inputs do
//! not use come first, and of these the ones near the place that should have been refused. An element becomes edits:
//!
//! - an alternative is deleted;
//! - an optional part becomes mandatory, a repeated one occurs once, or at least once;
//! - a symbol that is too general becomes one of its alternatives, or the group of all of them except the one that was
//!   used (its alternatives are *split*).
//!
//! Example: `x : A | B` in `s : x C`; the input `B C` is wrongly accepted and `A C` passes. The production `x : B` is
//! used by no passing input, so the first edit deletes it; the next one changes `x` in `s` to `A`.
//!
//! Linear in the size of the trees; an element gives at most a handful of edits.

use gramercy_base::{IndexMap, Span};
use gramercy_grammar::{ExprId, ExprKind, Grammar, Notation, ProductionId, Symbol};

use crate::localize::Wanted;
use crate::repair::edits::{Edit, Effect, Support};
use crate::search::failure::{Depth, Examiner};
use crate::spectra::{Element, Metric, Spectrum, Suspicions, of_derivations};
use crate::subject::Subject;

/// Elements of a tree that become edits.
const MAX_ELEMENTS: usize = 200;

/// The edits with which wrongly accepted texts might be rejected, the likeliest first, each with its likelihood.
#[must_use]
pub fn narrowing(
    subject: &Subject<'_>,
    examiner: &mut Examiner<'_, '_>,
    failing: &[(&str, Wanted)],
    passing: &[&str],
) -> Vec<((Edit, Support), f64)> {
    let mut spectrum = |text: &str| -> Spectrum {
        let examined = examiner.examine(text, Depth::Spectrum);
        examined.tree.as_ref().map_or_else(Vec::new, of_derivations)
    };
    let failed: Vec<_> = failing.iter().map(|(text, _)| spectrum(text)).collect();
    let passed: Vec<_> = passing.iter().map(|text| spectrum(text)).collect();
    let suspicions = Suspicions::new(Metric::Ochiai, &failed, &passed);
    let mut elements: Vec<Element> = failed.iter().flatten().copied().collect();
    elements.sort_unstable();
    elements.dedup();
    elements.sort_by(|&a, &b| suspicions.of(b).total_cmp(&suspicions.of(a)));
    let narrower = Narrower { subject, grammar: subject.grammar() };
    let mut edits: IndexMap<(Edit, Support), f64> = IndexMap::default();
    for &element in elements.iter().take(MAX_ELEMENTS) {
        // If a production is not used at all, its occurrence at one position says nothing more.
        let is_unused = !passing.is_empty()
            && suspicions.is_unused(element)
            && match element {
                Element::Pair(_, _, below) => !suspicions.is_unused(Element::Production(below)),
                _ => true,
            };
        for edit in narrower.edits(element) {
            let support = Support::of(&edit, is_unused);
            let known = edits.entry((edit, support)).or_default();
            *known = known.max(suspicions.of(element).powi(4));
        }
    }
    edits.into_iter().collect()
}

struct Narrower<'a, 'l> {
    subject: &'a Subject<'l>,
    grammar: &'l Grammar,
}

impl Narrower<'_, '_> {
    fn edits(&self, element: Element) -> Vec<Edit> {
        match element {
            Element::Production(production) => {
                let mut edits: Vec<_> = self.deleted(production).into_iter().collect();
                edits.extend(self.less_repeated(production));
                edits
            }
            Element::Pair(production, at, below) => {
                self.specialized(production, at as usize, below)
            }
            Element::Item(..) | Element::Token(_) => Vec::new(),
        }
    }

    fn text(&self, span: Span) -> &str {
        self.grammar.sources().text(span)
    }

    fn span(&self, expr: ExprId) -> Span {
        self.grammar.expr(expr).span
    }

    /// Deletes the alternative of a production.
    fn deleted(&self, production: ProductionId) -> Option<Edit> {
        let alternative = self.subject.language().bnf().alternative(production)?;
        let body = self.span(alternative.alternation);
        let ExprKind::Alternation(branches) = &self.grammar.expr(alternative.alternation).kind
        else {
            return None;
        };
        let at = alternative.index as usize;
        let own = self.span(branches[at].expr);
        let span = match branches.get(at + 1) {
            Some(next) => Span { end: self.span(next.expr).start, ..own },
            None => {
                let before = self.span(branches.get(at.checked_sub(1)?)?.expr);
                let between = Span { start: before.end, end: own.start, ..own };
                let bar = self.text(between).rfind('|')?;
                let between = self.text(Span { end: between.start + to_offset(bar), ..between });
                let kept = between.trim_end().len();
                Span { start: before.end + to_offset(kept), end: body.end.max(own.end), ..own }
            }
        };
        if span.start > span.end {
            return None;
        }
        let what = match self.text(own).trim() {
            "" => "no empty alternative".to_owned(),
            text => format!("no alternative `{}`", one_line(text)),
        };
        Some(Edit { span, text: String::new(), what, effect: Effect::Replaces })
    }

    /// A part that was left out becomes mandatory; one that was repeated occurs less often.
    fn less_repeated(&self, production: ProductionId) -> Vec<Edit> {
        use gramercy_grammar::Origin;
        let bnf = self.subject.language().bnf();
        let lhs = bnf.lhs(production);
        let Origin::Repeat(expr) = bnf.nonterminals()[lhs].origin else { return Vec::new() };
        let rhs = bnf.rhs(production);
        let is_recursive = rhs.contains(&Symbol::Nonterminal(lhs));
        let span = self.span(expr);
        let text = self.text(span);
        let Some(inner) = text.strip_suffix(['?', '*', '+']) else { return Vec::new() };
        let new = match (text.as_bytes().last(), rhs.is_empty(), is_recursive) {
            (Some(b'?'), true, _) | (Some(b'+'), _, true) => vec![inner.to_owned()],
            (Some(b'*'), true, _) => vec![format!("{inner}+")],
            (Some(b'*'), _, true) => vec![format!("{inner}?")],
            _ => Vec::new(),
        };
        let what = |new: &str| format!("`{}` instead of `{}`", one_line(new), one_line(text));
        let mut edits: Vec<_> = new
            .into_iter()
            .map(|new| Edit { span, what: what(&new), text: new, effect: Effect::Replaces })
            .collect();
        if !rhs.is_empty() && matches!(text.as_bytes().last(), Some(b'?' | b'*')) {
            let what = format!("no `{}`", one_line(text));
            edits.push(Edit { span, text: String::new(), what, effect: Effect::Replaces });
        }
        edits
    }

    /// A symbol becomes one of its alternatives, or all except one.
    fn specialized(&self, production: ProductionId, at: usize, below: ProductionId) -> Vec<Edit> {
        let language = self.subject.language();
        let bnf = language.bnf();
        let Some(&Some(node)) = bnf.nodes(production).get(at) else { return Vec::new() };
        let expr = language.graph().expr(node);
        if !matches!(self.grammar.expr(expr).kind, ExprKind::Rule(_)) {
            return Vec::new();
        }
        let span = self.span(expr);
        let old = self.text(span);
        let others = bnf.productions_of(bnf.lhs(below)).iter().filter(|&&other| other != below);
        let alternatives = others.map(|&other| bnf.alternative_expr(self.grammar, other));
        let texts: Option<Vec<&str>> =
            alternatives.map(|expr| expr.map(|expr| self.text(self.span(expr)).trim())).collect();
        let Some(texts) = texts else { return Vec::new() };
        let is_symbol = |text: &&&str| !text.is_empty() && !text.contains(char::is_whitespace);
        let edit = |new: String| Edit {
            span,
            what: format!("`{}` instead of `{old}`", one_line(&new)),
            text: new,
            effect: Effect::Replaces,
        };
        let mut edits: Vec<_> =
            texts.iter().filter(is_symbol).take(4).map(|text| edit((*text).to_owned())).collect();
        let has_groups = self.grammar.notation() != Notation::Yacc;
        if has_groups && texts.len() > 1 && texts.len() <= 6 && texts.iter().all(|t| !t.is_empty())
        {
            edits.push(edit(format!("({})", texts.join(" | "))));
        }
        edits
    }
}

fn to_offset(bytes: usize) -> u32 {
    gramercy_base::to_u32(bytes)
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
