//! The preferred tree: the one derivation that precedence, associativity and the order of
//! alternatives choose.
//!
//! A derivation is the sequence of decisions that the grammar's own tool takes while it reads the
//! input. Of all derivations the preferred one is the one that decides first as the tool would: two
//! are compared at their first difference. So the tool's own tree is found wherever the tool
//! accepts, and where it does not (bison's resolutions can lose sentences), there still is one.
//!
//! **yacc**: decisions are the actions of an LR parser, tokens shifted and productions reduced. Of
//! shifting a token and reducing a production, the higher precedence wins; a production has that of
//! its `%prec` token, else of its last terminal. Among equals `%left` reduces and `%right` shifts;
//! `%nonassoc`, whose restriction is ignored, reduces. Without precedence the token is shifted. Of
//! two productions the one listed first is reduced.
//!
//! **All others** are read as ANTLR reads its own: decisions are alternatives, from the top and from
//! left to right, the first listed wins; loops and options go on as long as they can, non-greedy ones
//! end as soon as they can; where a terminal may be longer or shorter, it is longer. A directly
//! left-recursive rule is a loop, which begins with one of its other alternatives and goes on with
//! the left-recursive ones. Of n alternatives the i-th binds with n-i+1; an operand to the right of
//! an operator may only go on with operators that bind tighter than its own, or with
//! `<assoc=right>` and after prefix operators, as tight. Operands in the middle are free.
//!
//! Everything is decided on the forest, children first: decisions within a node depend on what
//! stands around it only through the bound on operators, so a node is decided once for each bound.
//! Where derivations are cyclic, a node chooses among those that are finished before it. Linear in
//! the forest and its bounds, but for comparisons: two ways are compared up to their first
//! difference, parts that they share are passed over, and no two nodes are compared twice.

mod compare;
mod readings;
mod select;

use gramercy_base::{IdSet, Table};
use gramercy_grammar::{
    Associativity, Bnf, ExprKind, Grammar, NonterminalId, Notation, Origin, ProductionId, RuleId,
    Symbol,
};

use crate::budget::{Budget, InputLimit};
use crate::derivations::Derivations;
use crate::precedences::Precedences;
pub use readings::Readings;
use select::{Selection, Wanted};

/// What a grammar prefers.
#[derive(Clone, Debug)]
pub struct Preferences {
    order: Order,
}

/// Which decisions a derivation is a sequence of.
#[derive(Clone, Debug)]
pub(crate) enum Order {
    Actions(Precedences),
    Alternatives(Table<ProductionId, Choice>),
}

/// What it means to choose a production from the top.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Choice {
    /// Its place among those that could be chosen.
    rank: u32,
    role: Role,
    /// How tightly it binds, if it is an alternative of a left-recursive rule.
    binds: u32,
    /// The least that an operator must bind to follow its last part.
    last_operand: u32,
}

/// What a production is in a loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    /// It is in none.
    Plain,
    /// What the loop begins with.
    Begin(Ending),
    /// What it goes on with: its first part is the loop so far.
    GoOn(Ending),
}

/// When a loop ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Ending {
    Late,
    Early,
}

impl Preferences {
    /// What a grammar prefers.
    #[must_use]
    pub fn of(grammar: &Grammar, bnf: &Bnf) -> Self {
        let order = if Precedences::decide_in(grammar) {
            Order::Actions(Precedences::of(grammar, bnf))
        } else {
            let recursive = left_recursive(bnf);
            let choice = |id| Choice::of(grammar, bnf, &recursive, id);
            Order::Alternatives(bnf.productions().map(choice).collect())
        };
        Self { order }
    }

    /// Whether a grammar says what it prefers: its notation's tool builds one tree, or its terminals have
    /// precedences.
    #[must_use]
    pub fn are_declared_in(grammar: &Grammar) -> bool {
        grammar.notation() == Notation::Antlr4 || Precedences::decide_in(grammar)
    }

    /// The preferred one of some derivations: every node has one way, which lists all its parts.
    #[must_use]
    pub fn pick(&self, derivations: &Derivations) -> Derivations {
        self.pick_within(derivations, &mut Budget::unlimited())
            .expect("invariant: no limit is reached")
    }

    /// The same within a budget.
    pub(crate) fn pick_within(
        &self,
        derivations: &Derivations,
        budget: &mut Budget,
    ) -> Result<Derivations, InputLimit> {
        Ok(Selection::new(&self.order, Wanted::Preferred, derivations, budget)?.tree())
    }

    /// The preferred derivation and another one; `None` if there is only one.
    #[must_use]
    pub fn readings(&self, derivations: &Derivations) -> Option<Readings> {
        readings::readings(&self.order, derivations)
    }
}

impl Choice {
    fn of(
        grammar: &Grammar,
        bnf: &Bnf,
        recursive: &IdSet<NonterminalId>,
        production: ProductionId,
    ) -> Self {
        let lhs = bnf.lhs(production);
        let origin = bnf.nonterminals()[lhs].origin;
        let ending = match origin {
            Origin::Repeat(expr) => ending_of(grammar, expr),
            Origin::Rule(_) | Origin::Group(_) | Origin::Start => Ending::Late,
        };
        let role = if continues(bnf, production) {
            Role::GoOn(ending)
        } else if recursive.contains(lhs) {
            Role::Begin(ending)
        } else {
            Role::Plain
        };
        let plain =
            Self { rank: rank(bnf, production, origin, ending), role, binds: 0, last_operand: 0 };
        match origin {
            Origin::Rule(rule) if role != Role::Plain => plain.bind(grammar, bnf, production, rule),
            _ => plain,
        }
    }

    /// How an alternative of a left-recursive rule binds.
    fn bind(self, grammar: &Grammar, bnf: &Bnf, production: ProductionId, rule: RuleId) -> Self {
        let ExprKind::Alternation(alternatives) = &grammar.expr(grammar.rules()[rule].body).kind
        else {
            unreachable!("invariant: a rule's body is an alternation");
        };
        let count = u32::try_from(alternatives.len()).expect("invariant: alternatives fit");
        let binds = count - bnf.alternative(production).map_or(0, |alternative| alternative.index);
        let attributes = bnf.attributes(grammar, production);
        let from_right = attributes.and_then(|it| it.associativity) == Some(Associativity::Right);
        let last_operand = match (ends_in(grammar, bnf, production, rule), self.role) {
            (false, _) => 0,
            (true, Role::GoOn(_)) if !from_right => binds + 1,
            (true, _) => binds,
        };
        Self { binds, last_operand, ..self }
    }
}

/// The nonterminals of which some production begins with the nonterminal itself.
fn left_recursive(bnf: &Bnf) -> IdSet<NonterminalId> {
    let mut recursive = IdSet::new(bnf.cfg().nonterminal_count());
    for production in bnf.productions().filter(|&production| continues(bnf, production)) {
        recursive.insert(bnf.lhs(production));
    }
    recursive
}

/// Whether a production begins with its own left-hand side, in whichever form.
fn continues(bnf: &Bnf, production: ProductionId) -> bool {
    let origin = |id: NonterminalId| bnf.nonterminals()[id].origin;
    match (bnf.rhs(production).first(), origin(bnf.lhs(production))) {
        (_, Origin::Start) => false,
        (Some(&Symbol::Nonterminal(first)), own) => {
            origin(first) == own && {
                // What is left of a bounded quantifier stands in itself at the end only.
                bnf.rhs(production).len() > 1 || !matches!(own, Origin::Repeat(_))
            }
        }
        _ => false,
    }
}

/// Whether an alternative of a rule, as written, ends in a reference to the rule.
fn ends_in(grammar: &Grammar, bnf: &Bnf, production: ProductionId, rule: RuleId) -> bool {
    let Some(expr) = bnf.alternative_expr(grammar, production) else { return false };
    match &grammar.expr(expr).kind {
        ExprKind::Sequence(items) => {
            let last = *items.last().expect("invariant: a sequence has items");
            grammar.expr(last).kind == ExprKind::Rule(rule)
        }
        _ => false,
    }
}

fn ending_of(grammar: &Grammar, repeat: gramercy_grammar::ExprId) -> Ending {
    match grammar.expr(repeat).kind {
        ExprKind::Repeat { greedy: false, .. } => Ending::Early,
        _ => Ending::Late,
    }
}

/// The place of a production among those of its left-hand side.
fn rank(bnf: &Bnf, production: ProductionId, origin: Origin, ending: Ending) -> u32 {
    match (bnf.alternative(production), origin) {
        (_, Origin::Repeat(_)) => {
            let is_empty = bnf.rhs(production).is_empty();
            u32::from(is_empty == (ending == Ending::Late))
        }
        (Some(alternative), _) => alternative.index,
        (None, _) => {
            let all = bnf.productions_of(bnf.lhs(production));
            let before = all.iter().take_while(|&&other| other != production).count();
            u32::try_from(before).expect("invariant: productions fit")
        }
    }
}
