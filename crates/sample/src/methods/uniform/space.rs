//! The trees among which one is drawn: those of a grammar whose size is within a range.

use std::fmt;

use dashu_int::UBig;
use gramercy_analysis::counts::forms::Measured;
use gramercy_analysis::counts::tables::MemoryLimit;
use gramercy_analysis::counts::{
    Arithmetic, CountTables, CyclicSizes, Exact, Forms, Restriction, Short, SizeUnit,
};
use gramercy_analysis::{Productive, Useful};
use gramercy_base::{IdSet, LimitReached, Table};
use gramercy_grammar::{Cfg, NonterminalId, ProductionId, TerminalId, TerminalKind};
use gramercy_language::Language;

/// Which trees are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SizeRange {
    /// What sizes are measured in.
    pub unit: SizeUnit,
    /// The least size.
    pub least: usize,
    /// The greatest size.
    pub most: usize,
}

/// The trees of a range of sizes.
#[derive(Clone, Debug)]
pub struct TreeSpace {
    forms: Forms,
    range: SizeRange,
    /// The production of the BNF core for each counted one, where those are copies.
    origin: Option<Table<ProductionId, ProductionId>>,
    memory: MemoryLimit,
}

/// Why no tree can be drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SpaceError {
    /// The start symbol derives no sentence.
    NoSentence,
    /// No tree has such a size; the nearest sizes that have one, as far as they were looked for.
    NoSize {
        /// What was requested.
        range: SizeRange,
        /// The nearest size below.
        below: Option<usize>,
        /// The nearest size above.
        above: Option<usize>,
    },
    /// Sizes do not grow along a cycle of nonterminals.
    Cyclic {
        /// Each derives the next, the last the first.
        cycle: Vec<NonterminalId>,
        /// The unit.
        unit: SizeUnit,
    },
    /// The texts of a terminal have more than one length.
    NoLength(TerminalId),
    /// Tables take more memory than allowed.
    Limit(LimitReached),
}

impl From<LimitReached> for SpaceError {
    fn from(limit: LimitReached) -> Self {
        Self::Limit(limit)
    }
}

impl fmt::Display for SpaceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSentence => f.write_str("the start rule derives no sentence"),
            Self::NoSize { range, .. } => write!(f, "no tree has {range}"),
            Self::Cyclic { unit, .. } => {
                write!(f, "trees of one size in {} are infinitely many", unit.name())
            }
            Self::NoLength(_) => f.write_str("the texts of a terminal may have several lengths"),
            Self::Limit(limit) => limit.fmt(f),
        }
    }
}

impl std::error::Error for SpaceError {}

impl fmt::Display for SizeRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { unit, least, most } = self;
        match least == most {
            true => write!(f, "{least} {}", unit.name()),
            false => write!(f, "{least} to {most} {}", unit.name()),
        }
    }
}

/// How far beyond a request sizes are looked for that have a tree.
const LOOK_AHEAD: usize = 64;

impl TreeSpace {
    /// The trees of a language with a size within a range, which may be none.
    ///
    /// # Errors
    /// If sizes are not well defined.
    pub fn new(
        language: &Language,
        range: SizeRange,
        memory: MemoryLimit,
    ) -> Result<Self, SpaceError> {
        let useful = |production| language.useful().has_production(production);
        Self::of_cfg(language, language.bnf().cfg(), &useful, None, range, memory)
    }

    /// The trees of a grammar whose productions are copies of those of a language.
    ///
    /// # Errors
    /// If sizes are not well defined.
    pub fn of_cfg(
        language: &Language,
        cfg: &Cfg,
        usable: &dyn Fn(ProductionId) -> bool,
        origin: Option<Table<ProductionId, ProductionId>>,
        range: SizeRange,
        memory: MemoryLimit,
    ) -> Result<Self, SpaceError> {
        if language.useful().is_empty() {
            return Err(SpaceError::NoSentence);
        }
        let unit = range.unit;
        let lengths = lengths(language, unit)?;
        let measured = Measured {
            usable,
            of_production: &|_| unit.of_production(),
            of_terminal: &|terminal| lengths[terminal],
        };
        let cyclic = |CyclicSizes { cycle }| SpaceError::Cyclic { cycle, unit };
        let forms = Forms::new(cfg, &measured).map_err(cyclic)?;
        Ok(Self { forms, range, origin, memory })
    }

    /// The trees of productions that are binarized already.
    #[must_use]
    pub fn of_forms(forms: Forms, range: SizeRange) -> Self {
        Self { forms, range, origin: None, memory: MemoryLimit::default() }
    }

    /// The productions as they are counted.
    #[must_use]
    pub fn forms(&self) -> &Forms {
        &self.forms
    }

    /// The sizes.
    #[must_use]
    pub fn range(&self) -> SizeRange {
        self.range
    }

    /// The nonterminal that derives whole sentences.
    #[must_use]
    pub fn start(&self) -> NonterminalId {
        self.forms.cfg().start()
    }

    /// What tables may take.
    #[must_use]
    pub fn memory(&self) -> MemoryLimit {
        self.memory
    }

    /// The production of the BNF core that a counted production is, or is a copy of.
    #[must_use]
    #[inline]
    pub fn origin(&self, production: ProductionId) -> ProductionId {
        self.origin.as_ref().map_or(production, |origin| origin[production])
    }

    /// Whether counted productions are copies of those of the BNF core.
    #[must_use]
    pub fn has_copies(&self) -> bool {
        self.origin.is_some()
    }

    /// The same trees with another limit on memory, in bytes.
    #[must_use]
    pub fn with_memory(&self, bytes: usize) -> Self {
        Self { memory: MemoryLimit { bytes }, ..self.clone() }
    }

    /// The trees that use none of some productions. Productions that no such tree uses are not counted.
    ///
    /// # Panics
    /// Never: sizes that grow still do with fewer productions.
    #[must_use]
    pub fn without(&self, excluded: &IdSet<ProductionId>) -> Self {
        let usable = self.useful_without(excluded);
        let own = |production| self.forms.counted(production).map_or(0, |counted| counted.own);
        let measured = Measured {
            usable: &|production| usable.contains(production),
            of_production: &own,
            of_terminal: &|_| 0,
        };
        let forms = Forms::new(self.forms.cfg(), &measured);
        let forms = forms.expect("invariant: fewer productions make no cycle");
        Self { forms, ..self.clone() }
    }

    /// The productions that trees use which use none of some productions.
    #[must_use]
    pub fn useful_without(&self, excluded: &IdSet<ProductionId>) -> IdSet<ProductionId> {
        let cfg = self.forms.cfg();
        let without = cfg.without_productions(&|production| {
            excluded.contains(production) || self.forms.counted(production).is_none()
        });
        let useful = Useful::of(&without, &Productive::of(&without));
        let mut set = IdSet::new(cfg.production_count());
        cfg.productions().filter(|&id| useful.has_production(id)).for_each(|id| _ = set.insert(id));
        set
    }

    /// The trees of the same grammar with other sizes.
    #[must_use]
    pub fn of_range(&self, range: SizeRange) -> Self {
        Self { range, ..self.clone() }
    }

    /// Tables up to the greatest size.
    ///
    /// # Errors
    /// If they take more memory than allowed.
    pub fn tables<A: Arithmetic>(
        &self,
        arithmetic: &A,
        restriction: &Restriction<'_, A::Number>,
    ) -> Result<CountTables<A::Number>, LimitReached> {
        CountTables::new(arithmetic, &self.forms, self.range.most, restriction, self.memory)
    }

    /// The number of trees of each size in the range, and of all of them.
    ///
    /// # Errors
    /// If the tables take more memory than allowed.
    pub fn count(&self) -> Result<(CountTables<UBig>, UBig), LimitReached> {
        let tables = self.tables(&Exact, &Restriction::All)?;
        let sizes = self.range.least..=self.range.most;
        let total = sizes.map(|size| tables.of(self.start(), size).clone()).sum();
        Ok((tables, total))
    }

    /// The error that no tree has such a size, with the nearest sizes that have one.
    #[must_use]
    pub fn no_size(&self) -> SpaceError {
        let range = self.range;
        let most = range.most.saturating_add(LOOK_AHEAD);
        let tables = CountTables::new(&Short, &self.forms, most, &Restriction::All, self.memory);
        let Ok(tables) = tables else {
            return SpaceError::NoSize { range, below: None, above: None };
        };
        let has = |size: &usize| !tables.of(self.start(), *size).is_zero();
        let below = (0..range.least).rev().find(has);
        let above = (range.most + 1..=most).find(has);
        SpaceError::NoSize { range, below, above }
    }
}

/// What each terminal adds to a size.
pub(super) fn lengths(
    language: &Language,
    unit: SizeUnit,
) -> Result<Table<TerminalId, usize>, SpaceError> {
    let bnf = language.bnf();
    if unit != SizeUnit::Characters {
        return Ok(Table::filled(1, bnf.terminal_count()));
    }
    let mut used = IdSet::new(bnf.terminal_count());
    for production in bnf.productions().filter(|&id| language.useful().has_production(id)) {
        for symbol in bnf.rhs(production) {
            if let gramercy_grammar::Symbol::Terminal(terminal) = *symbol {
                used.insert(terminal);
            }
        }
    }
    let length = |terminal: TerminalId| match &language.grammar().terminals()[terminal].kind {
        _ if !used.contains(terminal) => Ok(0),
        TerminalKind::Literal(text) | TerminalKind::Token { text: Some(text), .. } => {
            Ok(text.chars().count())
        }
        TerminalKind::Chars(_) => Ok(1),
        TerminalKind::Eof => Ok(0),
        TerminalKind::Regex { .. }
        | TerminalKind::Token { text: None, .. }
        | TerminalKind::AnyTokenBut(_) => Err(SpaceError::NoLength(terminal)),
    };
    bnf.terminals().map(length).collect()
}
