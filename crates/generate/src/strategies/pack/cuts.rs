//! What cannot be written is cut off large trees, so that the rest can be.
//!
//! The tree is read from left to right with the lexer's modes. Where a token cannot be made in them, or is
//! one that was found inseparable from the one before it, what was grown last before it in the same
//! production is cut off, then what was grown before that; if that does not help, the production itself,
//! and so on upwards. What is cut off is closed off as cheaply as possible. So everything that stands
//! well is kept, and little is read twice: linear in the tree.

use gramercy_base::{Map, Set};
use gramercy_grammar::{NonterminalId, ProductionId, Symbol, TerminalId};
use gramercy_lexis::Modes;

use super::{Tree, Twig};
use gramercy_derive::candidate::Candidate;
use gramercy_derive::cheapest::CheapestTrees;
use gramercy_derive::search::Guide;

/// A twig with what it was grown to.
type Grown = (usize, (ProductionId, usize));

/// Cuts trees.
#[derive(Debug)]
pub(super) struct Pruner<'v> {
    guide: &'v Guide<'v>,
    has_modes: bool,
    /// Tokens that are not to be next to each other.
    inseparable: Set<(TerminalId, TerminalId)>,
    /// What is after whatever closes a nonterminal off, if that can be written.
    closed: Map<(NonterminalId, Point), Option<Point>>,
}

/// Where a reader is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Point {
    modes: Modes,
    /// The token before, where that matters.
    left: Option<TerminalId>,
}

/// A production that is being read.
struct Level {
    twig: usize,
    before: Point,
    production: ProductionId,
    /// The next of its symbols, and the next of the twigs below.
    position: usize,
    below: usize,
    /// The grown twigs that were read, with what is in front of them.
    grown: Vec<(usize, usize, Point)>,
}

impl<'v> Pruner<'v> {
    pub(super) fn new(guide: &'v Guide<'v>) -> Self {
        let (inseparable, closed) = (Set::default(), Map::default());
        Self { guide, has_modes: guide.has_modes(), inseparable, closed }
    }

    /// From now on two tokens are not to be next to each other; `false` if that was known.
    pub(super) fn avoid(&mut self, left: TerminalId, right: TerminalId) -> bool {
        self.closed.clear();
        self.inseparable.insert((left, right))
    }

    /// What is after a token, if it can be written.
    fn behind(&self, point: Point, token: TerminalId) -> Option<Point> {
        if point.left.is_some_and(|left| self.inseparable.contains(&(left, token))) {
            return None;
        }
        let left = (!self.inseparable.is_empty()).then_some(token);
        Some(Point { modes: self.guide.behind(point.modes, token)?, left })
    }

    /// Cuts off what cannot be made: all of that, or nothing if the rest could not be made either.
    pub(super) fn cut<P>(
        &mut self,
        tree: &mut Tree<P>,
        cheapest: &CheapestTrees<'_>,
    ) -> Vec<Grown> {
        let mut cuts = Vec::new();
        if !self.has_modes && self.inseparable.is_empty() {
            return cuts;
        }
        if self.read(&mut tree.twigs, cheapest, &mut cuts).is_none() {
            repair(tree, cuts.drain(..));
        }
        cuts
    }

    fn read<P>(
        &mut self,
        twigs: &mut [Twig<P>],
        cheapest: &CheapestTrees<'_>,
        cuts: &mut Vec<Grown>,
    ) -> Option<()> {
        let cfg = cheapest.cfg();
        let mut point = Point { modes: self.guide.start_modes(), left: None };
        let mut levels: Vec<Level> = Vec::new();
        levels.extend(level(twigs, 0, point));
        while let Some(top) = levels.last_mut() {
            let Some(&symbol) = cfg.rhs(top.production).get(top.position) else {
                levels.pop();
                continue;
            };
            top.position += 1;
            let behind = match symbol {
                Symbol::Terminal(token) => self.behind(point, token),
                Symbol::Nonterminal(id) => {
                    let twig = top.below;
                    top.below += 1;
                    if let Some(below) = level(twigs, twig, point) {
                        top.grown.push((top.position, twig, point));
                        levels.push(below);
                        continue;
                    }
                    self.behind_closed(id, point, cheapest)
                }
            };
            point = match behind {
                Some(behind) => behind,
                None => self.step_back(twigs, &mut levels, cheapest, cuts)?,
            };
        }
        Some(())
    }

    /// Cuts off what stands last before something that cannot be written; what is after it.
    fn step_back<P>(
        &mut self,
        twigs: &mut [Twig<P>],
        levels: &mut Vec<Level>,
        cheapest: &CheapestTrees<'_>,
        cuts: &mut Vec<Grown>,
    ) -> Option<Point> {
        while let Some(top) = levels.last_mut() {
            let (twig, before) = match top.grown.pop() {
                Some((position, twig, before)) => {
                    (top.position, top.below) = (position, twig + 1);
                    (twig, before)
                }
                None => {
                    let Level { twig, before, .. } = levels.pop()?;
                    levels.last_mut()?.grown.pop();
                    (twig, before)
                }
            };
            let Twig { nonterminal, grown, .. } = &mut twigs[twig];
            cuts.extend(grown.take().map(|grown| (twig, grown)));
            if let Some(behind) = self.behind_closed(*nonterminal, before, cheapest) {
                return Some(behind);
            }
        }
        None
    }

    /// What is after whatever closes a nonterminal off, if that can be written.
    fn behind_closed(
        &mut self,
        id: NonterminalId,
        point: Point,
        cheapest: &CheapestTrees<'_>,
    ) -> Option<Point> {
        if let Some(known) = self.closed.get(&(id, point)) {
            return *known;
        }
        let mut candidate = Candidate::default();
        cheapest.close(Symbol::Nonterminal(id), &mut candidate);
        let behind =
            candidate.tokens.iter().try_fold(point, |point, &token| self.behind(point, token));
        self.closed.insert((id, point), behind);
        behind
    }
}

/// Puts back what was cut off.
pub(super) fn repair<P>(tree: &mut Tree<P>, cuts: impl IntoIterator<Item = Grown>) {
    cuts.into_iter().for_each(|(twig, grown)| tree.twigs[twig].grown = Some(grown));
}

/// A twig that is to be read, if it is grown.
fn level<P>(twigs: &[Twig<P>], twig: usize, before: Point) -> Option<Level> {
    let (production, below) = twigs[twig].grown?;
    Some(Level { twig, before, production, position: 0, below, grown: Vec::new() })
}
