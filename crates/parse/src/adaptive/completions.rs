//! Which production of the BNF core is completed at a state of the network.
//!
//! The BNF core splits nonterminals by how they treat the end of input ([`EofForm`]). Before the end of input is
//! met, everything that completes is inner. From then on the forms of the children tell: a production that met the
//! first end of input itself or in a child is final, and one that began after it is a tail.

use gramercy_base::{Map, Table};
use gramercy_grammar::{
    Bnf, EofForm, ExprId, ExprKind, Grammar, NonterminalId, Origin, ProductionId, Symbol,
    TerminalKind,
};

use crate::core::ProductionSource;
use crate::parser::Parser;

gramercy_base::define_id!(pub(super) struct CompletionId, "what is completed at a state of a network");

/// An expansion of an expression that has a nonterminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Expansion {
    /// An alternative of a rule or group.
    Alternative(ExprId, u32),
    /// A quantified expression that is left out, or has no iteration yet.
    Empty(ExprId),
    /// Its first iteration.
    Once(ExprId),
    /// All iterations so far and one more.
    Again(ExprId),
}

/// The productions of an expansion, in all forms.
#[derive(Clone, Debug, Default)]
pub(super) struct Completion {
    /// The inner one.
    inner: Option<ProductionId>,
    all: Vec<FormedProduction>,
}

#[derive(Clone, Debug)]
struct FormedProduction {
    /// Its number in the grammar that the parser works on.
    id: ProductionId,
    lhs: NonterminalId,
    form: EofForm,
    nonterminals: Box<[NonterminalId]>,
    /// How many ends of input it asks for itself.
    ends: usize,
}

/// All completions of a network.
#[derive(Clone, Debug)]
pub(super) struct Completions {
    known: Map<Expansion, CompletionId>,
    of: Table<CompletionId, Completion>,
    /// For every production of the parser's grammar, how many nonterminals it has.
    arities: Table<ProductionId, u32>,
    lhs: Table<ProductionId, NonterminalId>,
    /// The production above a nonterminal of the start rule, where the core has one.
    above_start: Vec<(NonterminalId, ProductionId)>,
}

/// A value below what is completed next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Completed {
    Nonterminal(NonterminalId, EofForm),
    /// An end of input, and whether it was the first.
    End(bool),
}

/// What is completed and not yet part of something larger, once the end of input was met.
#[derive(Clone, Debug, Default)]
pub(super) struct Pending {
    values: Vec<Completed>,
    has_met_end: bool,
}

impl Completions {
    pub(super) fn new(grammar: &Grammar, bnf: &Bnf, parser: &Parser) -> Self {
        let cfg = parser.cfg();
        let nonterminals = |id: ProductionId| {
            cfg.rhs(id).iter().filter_map(|symbol| match *symbol {
                Symbol::Nonterminal(id) => Some(id),
                Symbol::Terminal(_) => None,
            })
        };
        let arity = |id| u32::try_from(nonterminals(id).count()).expect("invariant: symbols fit");
        let mut made = Self {
            known: Map::default(),
            of: Table::new(),
            arities: cfg.productions().map(arity).collect(),
            lhs: cfg.productions().map(|id| cfg.lhs(id)).collect(),
            above_start: Vec::new(),
        };
        for id in cfg.productions() {
            let ProductionSource::Bnf(of) = parser.production_source(id) else { continue };
            let lhs = bnf.lhs(of);
            let Some(expansion) = expansion(bnf, of) else {
                made.above_start.extend(nonterminals(id).map(|start| (start, id)));
                continue;
            };
            let form = bnf.nonterminals()[lhs].eof_form;
            let (nonterminals, ends) = (nonterminals(id).collect(), ends_in(grammar, expansion));
            let completion = made.id(expansion);
            let completion = &mut made.of[completion];
            if form == EofForm::Inner {
                completion.inner = Some(id);
            }
            completion.all.push(FormedProduction { id, lhs, form, nonterminals, ends });
        }
        made
    }

    /// The number of an expansion.
    pub(super) fn id(&mut self, expansion: Expansion) -> CompletionId {
        let of = &mut self.of;
        *self.known.entry(expansion).or_insert_with(|| of.push(Completion::default()))
    }

    /// The production that is completed while the end of input is not met.
    #[inline]
    pub(super) fn inner(&self, id: CompletionId) -> Option<ProductionId> {
        self.of[id].inner
    }

    /// Notes the end of input; `completed` are all productions so far, in the order in which they were completed.
    pub(super) fn meet_end(&self, pending: &mut Pending, completed: &[ProductionId]) {
        if !std::mem::replace(&mut pending.has_met_end, true) {
            for &production in completed {
                let left = pending.values.len() - self.arities[production] as usize;
                pending.values.truncate(left);
                let inner = Completed::Nonterminal(self.lhs[production], EofForm::Inner);
                pending.values.push(inner);
            }
            pending.values.push(Completed::End(true));
        } else {
            pending.values.push(Completed::End(false));
        }
    }

    /// The production that is completed after the end of input.
    pub(super) fn complete(&self, pending: &mut Pending, id: CompletionId) -> Option<ProductionId> {
        let all = &self.of[id].all;
        let first = all.first()?;
        let len = first.nonterminals.len() + first.ends;
        let children = &pending.values[pending.values.len().checked_sub(len)?..];
        let is_final = |child: &Completed| {
            matches!(child, Completed::End(true) | Completed::Nonterminal(_, EofForm::Final))
        };
        let form = if children.iter().any(is_final) { EofForm::Final } else { EofForm::Tail };
        let nonterminals = || {
            children.iter().filter_map(|child| match *child {
                Completed::Nonterminal(id, _) => Some(id),
                Completed::End(_) => None,
            })
        };
        let fits = |it: &&FormedProduction| {
            it.form == form && it.nonterminals.iter().copied().eq(nonterminals())
        };
        let found = all.iter().find(fits)?;
        pending.values.truncate(pending.values.len() - len);
        pending.values.push(Completed::Nonterminal(found.lhs, form));
        Some(found.id)
    }

    /// The production above the start rule, if there is one.
    pub(super) fn above_start(&self, pending: &Pending) -> Option<ProductionId> {
        let root = pending.values.iter().find_map(|value| match *value {
            Completed::Nonterminal(id, _) => Some(id),
            Completed::End(_) => None,
        })?;
        self.above_start.iter().find(|(start, _)| *start == root).map(|&(_, id)| id)
    }
}

impl Pending {
    pub(super) fn clear(&mut self) {
        self.values.clear();
        self.has_met_end = false;
    }

    pub(super) fn has_met_end(&self) -> bool {
        self.has_met_end
    }
}

/// What a production expands; the choice between two forms of the start rule expands nothing.
fn expansion(bnf: &Bnf, production: ProductionId) -> Option<Expansion> {
    if let Some(of) = bnf.alternative(production) {
        return Some(Expansion::Alternative(of.alternation, of.index));
    }
    let Origin::Repeat(expr) = bnf.nonterminals()[bnf.lhs(production)].origin else {
        return None;
    };
    let origin = |id: NonterminalId| bnf.nonterminals()[id].origin;
    Some(match bnf.rhs(production).first() {
        Some(&Symbol::Nonterminal(first)) if origin(first) == Origin::Repeat(expr) => {
            Expansion::Again(expr)
        }
        None if bnf.silent(production).is_empty() => Expansion::Empty(expr),
        _ => Expansion::Once(expr),
    })
}

/// How many ends of input an expansion asks for itself, and not in a nonterminal of its own.
fn ends_in(grammar: &Grammar, expansion: Expansion) -> usize {
    let root = match expansion {
        Expansion::Empty(_) => return 0,
        Expansion::Alternative(alternation, index) => match &grammar.expr(alternation).kind {
            ExprKind::Alternation(alternatives) => alternatives[index as usize].expr,
            other => unreachable!("invariant: {other:?} is an alternation"),
        },
        Expansion::Once(expr) | Expansion::Again(expr) => match grammar.expr(expr).kind {
            ExprKind::Repeat { body, .. } => body,
            ref other => unreachable!("invariant: {other:?} is a quantifier"),
        },
    };
    let (mut ends, mut stack) = (0, vec![root]);
    while let Some(expr) = stack.pop() {
        match &grammar.expr(expr).kind {
            ExprKind::Sequence(items) => stack.extend(items.iter()),
            ExprKind::Alternation(alternatives) => {
                if let [only] = &alternatives[..] {
                    stack.push(only.expr);
                }
            }
            ExprKind::Terminal(terminal) => {
                ends += usize::from(grammar.terminals()[*terminal].kind == TerminalKind::Eof);
            }
            ExprKind::Repeat { .. } | ExprKind::Rule(_) | ExprKind::Commands(_) => {}
        }
    }
    ends
}
