//! Productions as they are counted: what each adds itself, and its nonterminals binarized.
//!
//! A [unit](UnitId) is a nonterminal, or a *form*: a nonterminal followed by another unit. The nonterminals
//! X₁ … Xₘ of a production are the form (X₁, (X₂, … Xₘ)), or X₁ itself if there is only one. Equal sequences are one
//! form, whatever the terminals between them.
//!
//! Where a production adds nothing itself and the rest of a form can have size 0, the number for a size depends on
//! another number for the same size. Units are ordered so that these come first. If there is no such order, some
//! nonterminal derives itself, and has infinitely many trees of one size. In nodes this never happens.
//!
//! Example: `S: "x" A S A "y" | ; A: "a";` has the units S, A, (S, A) and (A, (S, A)).

use gramercy_base::{Id, IdSet, Map, Table};
use gramercy_grammar::{Cfg, NonterminalId, ProductionId, Symbol, TerminalId};

use crate::{Components, Rows};

gramercy_base::define_id!(
    /// Nonterminals come first, with the same numbers.
    pub struct UnitId, "a unit of counting");

impl UnitId {
    /// The unit of a nonterminal.
    #[must_use]
    pub fn of(nonterminal: NonterminalId) -> Self {
        Self::from_index(nonterminal.index())
    }
}

/// What a production counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counted {
    /// What it adds itself.
    pub own: usize,
    /// Its nonterminals, if it has any.
    pub form: Option<UnitId>,
}

/// The productions of a grammar, binarized.
#[derive(Clone, Debug)]
pub struct Forms {
    cfg: Cfg,
    productions: Table<ProductionId, Option<Counted>>,
    /// The parts of forms; unit `nonterminals + i` is the i-th.
    pairs: Vec<(NonterminalId, UnitId)>,
    order: Vec<UnitId>,
    /// For every unit, the units whose numbers depend on it.
    users: Rows<UnitId, UnitId>,
}

/// Some nonterminals derive themselves without a change in size, so they have infinitely many trees of one size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CyclicSizes {
    /// Each derives the next, the last the first.
    pub cycle: Vec<NonterminalId>,
}

/// How productions are measured.
pub struct Measured<'m> {
    /// Whether a production is counted at all.
    pub usable: &'m dyn Fn(ProductionId) -> bool,
    /// What a production adds, without its symbols.
    pub of_production: &'m dyn Fn(ProductionId) -> usize,
    /// What a terminal adds.
    pub of_terminal: &'m dyn Fn(TerminalId) -> usize,
}

impl Forms {
    /// The forms of a grammar.
    ///
    /// # Errors
    /// If some nonterminal derives itself without a change in size.
    pub fn new(cfg: &Cfg, measured: &Measured<'_>) -> Result<Self, CyclicSizes> {
        let mut pairs = Pairs { nonterminals: cfg.nonterminal_count(), ..Pairs::default() };
        let productions = cfg.productions().map(|production| {
            (measured.usable)(production).then(|| {
                let rhs = cfg.rhs(production);
                let own = rhs.iter().map(|&symbol| match symbol {
                    Symbol::Terminal(terminal) => (measured.of_terminal)(terminal),
                    Symbol::Nonterminal(_) => 0,
                });
                let form = rhs.iter().rev().fold(None, |rest, &symbol| match symbol {
                    Symbol::Terminal(_) => rest,
                    Symbol::Nonterminal(first) => Some(pairs.join(first, rest)),
                });
                Counted { own: (measured.of_production)(production) + own.sum::<usize>(), form }
            })
        });
        let productions = productions.collect();
        let (order, users) = (Vec::new(), Rows::new());
        let mut forms = Self { cfg: cfg.clone(), productions, pairs: pairs.list, order, users };
        forms.order = forms.sort()?;
        forms.users = forms.find_users();
        Ok(forms)
    }

    /// The productions that are counted.
    #[must_use]
    pub fn cfg(&self) -> &Cfg {
        &self.cfg
    }

    /// How many units there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.cfg.nonterminal_count() + self.pairs.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// What a production counts; `None` if it is not counted.
    #[must_use]
    #[inline]
    pub fn counted(&self, production: ProductionId) -> Option<Counted> {
        self.productions[production]
    }

    /// What a unit is.
    #[must_use]
    #[inline]
    pub fn unit(&self, unit: UnitId) -> Unit {
        match unit.index().checked_sub(self.cfg.nonterminal_count()) {
            None => Unit::Nonterminal(NonterminalId::from_index(unit.index())),
            Some(at) => Unit::Form(self.pairs[at].0, self.pairs[at].1),
        }
    }

    /// All units, each after those whose numbers of the same size it needs.
    #[must_use]
    pub fn order(&self) -> &[UnitId] {
        &self.order
    }

    fn find_users(&self) -> Rows<UnitId, UnitId> {
        let mut users = Vec::new();
        for (at, &(first, rest)) in self.pairs.iter().enumerate() {
            let unit = UnitId::from_index(self.cfg.nonterminal_count() + at);
            users.extend([(UnitId::of(first), unit), (rest, unit)]);
        }
        for production in self.cfg.productions() {
            if let Some(form) = self.counted(production).and_then(|counted| counted.form) {
                users.push((form, UnitId::of(self.cfg.lhs(production))));
            }
        }
        Rows::group(self.len(), &users)
    }

    /// The units that some tree uses one of these productions in, in order.
    #[must_use]
    pub fn order_above(&self, productions: &IdSet<ProductionId>) -> Vec<UnitId> {
        let counted = productions.iter().filter(|&id| self.counted(id).is_some());
        let mut open: Vec<_> = counted.map(|id| UnitId::of(self.cfg.lhs(id))).collect();
        let mut above = IdSet::new(self.len());
        while let Some(unit) = open.pop() {
            if above.insert(unit) {
                open.extend(self.users.row(unit));
            }
        }
        self.order.iter().copied().filter(|&unit| above.contains(unit)).collect()
    }

    /// The units that have a tree of size 0.
    fn of_size_zero(&self) -> IdSet<UnitId> {
        let (mut users, mut open) = (Vec::new(), Vec::new());
        for unit in (0..self.len()).map(UnitId::from_index) {
            match self.unit(unit) {
                Unit::Form(first, rest) => {
                    users.extend([(UnitId::of(first), unit), (rest, unit)]);
                }
                Unit::Nonterminal(nonterminal) => {
                    let counted = self.cfg.productions_of(nonterminal).iter();
                    let counted = counted.filter_map(|&production| self.counted(production));
                    for of in counted.filter(|of| of.own == 0) {
                        match of.form {
                            None => open.push(unit),
                            Some(form) => users.push((form, unit)),
                        }
                    }
                }
            }
        }
        let users = Rows::group(self.len(), &users);
        let mut zero = IdSet::new(self.len());
        while let Some(unit) = open.pop() {
            if !zero.insert(unit) {
                continue;
            }
            for &user in users.row(unit) {
                let is_zero = match self.unit(user) {
                    Unit::Form(first, rest) => {
                        zero.contains(UnitId::of(first)) && zero.contains(rest)
                    }
                    Unit::Nonterminal(_) => true,
                };
                open.extend(is_zero.then_some(user));
            }
        }
        zero
    }

    /// The units whose numbers of the same size a unit needs.
    fn needs(&self, unit: UnitId, zero: &IdSet<UnitId>, needed: &mut Vec<UnitId>) {
        match self.unit(unit) {
            Unit::Form(first, rest) => {
                let first = UnitId::of(first);
                needed.extend(zero.contains(rest).then_some(first));
                needed.extend(zero.contains(first).then_some(rest));
            }
            Unit::Nonterminal(nonterminal) => {
                let counted = self.cfg.productions_of(nonterminal).iter();
                let counted = counted.filter_map(|&production| self.counted(production));
                needed.extend(counted.filter(|of| of.own == 0).filter_map(|of| of.form));
            }
        }
    }

    fn sort(&self) -> Result<Vec<UnitId>, CyclicSizes> {
        let zero = self.of_size_zero();
        let mut needed = Rows::new();
        for unit in (0..self.len()).map(UnitId::from_index) {
            let mut row = Vec::new();
            self.needs(unit, &zero, &mut row);
            needed.push(row);
        }
        let components = Components::of(&needed);
        if let Some(members) = components.cycles().next() {
            return Err(CyclicSizes { cycle: self.cycle(&needed, members) });
        }
        Ok(components.ids().map(|component| components.members(component)[0]).collect())
    }

    /// The nonterminals on a shortest cycle through a member of a component.
    fn cycle(&self, needed: &Rows<UnitId, UnitId>, members: &[UnitId]) -> Vec<NonterminalId> {
        let is_nonterminal = |&&unit: &&UnitId| matches!(self.unit(unit), Unit::Nonterminal(_));
        let start = *members.iter().find(is_nonterminal).unwrap_or(&members[0]);
        let mut from: Map<UnitId, UnitId> = Map::default();
        let mut queue = std::collections::VecDeque::from([start]);
        while let Some(unit) = queue.pop_front() {
            for &next in needed.row(unit) {
                if let std::collections::hash_map::Entry::Vacant(entry) = from.entry(next) {
                    entry.insert(unit);
                    queue.push_back(next);
                }
            }
            if from.contains_key(&start) {
                break;
            }
        }
        let way = std::iter::successors(from.get(&start).copied(), |unit| {
            (*unit != start).then(|| from[unit])
        });
        let mut cycle: Vec<_> = way
            .filter_map(|unit| match self.unit(unit) {
                Unit::Nonterminal(nonterminal) => Some(nonterminal),
                Unit::Form(..) => None,
            })
            .collect();
        cycle.reverse();
        cycle
    }
}

/// What a unit is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// A nonterminal.
    Nonterminal(NonterminalId),
    /// A nonterminal and what follows it.
    Form(NonterminalId, UnitId),
}

#[derive(Default)]
struct Pairs {
    nonterminals: usize,
    list: Vec<(NonterminalId, UnitId)>,
    known: Map<(NonterminalId, UnitId), UnitId>,
}

impl Pairs {
    fn join(&mut self, first: NonterminalId, rest: Option<UnitId>) -> UnitId {
        let Some(rest) = rest else { return UnitId::of(first) };
        let next = UnitId::from_index(self.nonterminals + self.list.len());
        let unit = *self.known.entry((first, rest)).or_insert(next);
        if unit == next {
            self.list.push((first, rest));
        }
        unit
    }
}
