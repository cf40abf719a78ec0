//! Where the nearest missing chain of productions is: `rule`, `cdrc` and `step:K`.
//!
//! The chains that begin with a production have adjacent ranks. Below a nonterminal the nearest
//! missing one begins with one of its own productions, or with those of the nearest nonterminal that
//! has any: a breadth-first search from all of these at once, upwards. What a finished tree covers is
//! measured as for any other test.

use std::collections::VecDeque;

use gramercy_analysis::Rows;
use gramercy_base::{IdSet, LimitReached, Table};
use gramercy_coverage::criteria::step::Steps;
use gramercy_coverage::{Criterion, Reading, TargetId, TargetSet};
use gramercy_grammar::{NonterminalId, ProductionId, Symbol, Tree};
use gramercy_language::Language;
use gramercy_parse::Derivations;

use super::{Plan, Source, Taken};
use gramercy_derive::agenda::Agenda;
use gramercy_derive::candidate::Candidate;
use gramercy_derive::contexts::Step;

/// The missing chains.
#[derive(Debug)]
pub struct MissingChains<'v> {
    language: &'v Language,
    criterion: Steps<'v>,
    agenda: Agenda,
    /// For each nonterminal what is nearest: a chain of its own, or a step towards one.
    nearest: Table<NonterminalId, Nearest>,
    /// The useful positions at which a nonterminal stands.
    uses: Rows<NonterminalId, Step>,
    /// Nonterminals that trees have in few places.
    above_cycles: IdSet<NonterminalId>,
    /// Whether something came back to the agenda since these ways were found.
    is_grown: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Nearest {
    None,
    Own,
    Below(Step),
}

impl<'v> MissingChains<'v> {
    /// The chains of k productions that these do not include.
    ///
    /// # Errors
    /// If there are more chains than the limit on targets.
    pub fn new(language: &'v Language, k: u32, given: &TargetSet) -> Result<Self, LimitReached> {
        let criterion = Steps::new(language, k)?;
        let mut agenda = Agenda::full(criterion.targets());
        if criterion.coverable() < criterion.targets() {
            let useless = |target: &TargetId| criterion.uncoverable(*target).is_some();
            let useless: TargetSet = (0..criterion.targets()).filter(useless).collect();
            agenda.remove_all(&useless);
        }
        agenda.remove_all(given);
        let bnf = language.bnf();
        let mut uses = Vec::new();
        for production in bnf.productions().filter(|&id| language.useful().has_production(id)) {
            for (position, &symbol) in bnf.rhs(production).iter().enumerate() {
                if let Symbol::Nonterminal(below) = symbol {
                    uses.push((below, Step { production, position }));
                }
            }
        }
        let uses = Rows::group(bnf.nonterminal_count(), &uses);
        let nearest = Table::filled(Nearest::None, bnf.nonterminal_count());
        let above_cycles = super::above_cycles(language, &super::components(language));
        let is_grown = false;
        let mut missing =
            Self { language, criterion, agenda, nearest, uses, above_cycles, is_grown };
        missing.find_nearest();
        Ok(missing)
    }

    /// A missing chain that begins with a production of a nonterminal.
    fn own(&self, nonterminal: NonterminalId) -> Option<TargetId> {
        self.language.bnf().productions_of(nonterminal).iter().find_map(|&production| {
            let ranks = self.criterion.beginning_with(production);
            self.agenda.first_in(ranks.start, ranks.end)
        })
    }

    fn find_nearest(&mut self) {
        self.is_grown = false;
        let mut queue = VecDeque::new();
        for nonterminal in self.language.bnf().nonterminals().ids() {
            let is_own = self.own(nonterminal).is_some();
            self.nearest[nonterminal] = if is_own { Nearest::Own } else { Nearest::None };
            if is_own {
                queue.push_back(nonterminal);
            }
        }
        while let Some(below) = queue.pop_front() {
            for &step in self.uses.row(below) {
                let above = self.language.bnf().lhs(step.production);
                if self.nearest[above] == Nearest::None {
                    self.nearest[above] = Nearest::Below(step);
                    queue.push_back(above);
                }
            }
        }
    }

    /// Plans the way to the nearest chain, if what is known of it is not out of date.
    fn follow(&self, nonterminal: NonterminalId, plan: &mut Plan) -> Option<TargetId> {
        plan.steps.clear();
        let mut at = nonterminal;
        while let Nearest::Below(step) = self.nearest[at] {
            plan.steps.push(step);
            let Symbol::Nonterminal(below) =
                self.language.bnf().rhs(step.production)[step.position]
            else {
                unreachable!("invariant: steps lead to nonterminals");
            };
            at = below;
        }
        let target = self.own(at)?;
        plan.approach = plan.steps.len();
        let chain = self.criterion.chain(target);
        let steps = chain.steps.iter();
        let steps = steps.map(|step| Step { production: step.production, position: step.position });
        plan.steps.extend(steps);
        plan.last = Some(chain.last);
        Some(target)
    }
}

impl Source for MissingChains<'_> {
    type NodeState = ();

    fn begin(&mut self) {
        self.find_nearest();
    }

    fn used(&mut self, (): (), _: ProductionId) {}

    fn below(&mut self, (): (), _: ProductionId, _: usize) {}

    fn take(&mut self, nonterminal: NonterminalId, (): (), plan: &mut Plan) -> Option<Taken> {
        let mut target = self.follow(nonterminal, plan);
        let is_out_of_date = self.is_grown || self.nearest[nonterminal] != Nearest::None;
        if target.is_none() && is_out_of_date {
            self.find_nearest();
            target = self.follow(nonterminal, plan);
        }
        let target = target?;
        self.agenda.remove(target);
        let first = plan.steps.get(plan.approach).map(|step| step.production).or(plan.last);
        let first = first.expect("invariant: a chain has a production");
        let is_rare = self.above_cycles.contains(self.language.bnf().lhs(first));
        Some(Taken { target, is_rare })
    }

    fn take_any(&mut self, _: &mut Plan) -> Option<(TargetId, bool)> {
        // What is missing is useful, so it is below the start symbol.
        let target = self.agenda.first_in(0, self.criterion.targets())?;
        self.agenda.remove(target);
        Some((target, false))
    }

    fn put_back(&mut self, target: TargetId) {
        self.agenda.insert(target);
        // The nonterminal has one of its own again; ways that were found stay usable.
        let first = self.criterion.chain(target);
        let first = first.steps.first().map_or(first.last, |step| step.production);
        let lhs = self.language.bnf().lhs(first);
        self.nearest[lhs] = Nearest::Own;
        self.is_grown = true;
    }

    fn give_up(&mut self, target: TargetId) {
        self.agenda.remove(target);
    }

    fn finish(&mut self, candidate: &mut Candidate, fresh: &mut Vec<TargetId>) {
        let tree = Tree::new(self.language.bnf(), candidate.productions.clone());
        let mut covered = TargetSet::new();
        let derivations = Derivations::of_tree(self.language.bnf(), &tree);
        self.criterion.cover(&Reading::of(&derivations), &mut covered);
        fresh.extend(covered.iter().filter(|&target| self.agenda.remove(target)));
    }

    fn missing(&self) -> u64 {
        self.agenda.len()
    }

    fn is_missing(&self, target: TargetId) -> bool {
        self.agenda.contains(target)
    }
}
