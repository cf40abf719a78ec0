//! Parts of the cover family: `symbol`, `bfs:K`, `deriv`, `pll` and `pair`. They are the fragments that
//! the cover algorithm puts into small tests; what it closes off there is a slot here.

use gramercy_base::Id;
use gramercy_coverage::{Reading, TargetId, TargetSet, Views};
use gramercy_grammar::{NonterminalId, ProductionId, Symbol, Tree};
use gramercy_parse::Derivations;

use super::Piece;
use super::parts::{Above, Parts, SpotId, Wanted, spot_of, steps_of_nonterminals};
use crate::contexts::Contexts;
use crate::draft::Draft;
use crate::minimal::Minimal;
use crate::strategies::cover::{Build, Fragments};

/// The fragments of a criterion.
pub struct FragmentParts<'v, F: Fragments> {
    views: &'v Views<'v>,
    criterion: F,
    paths: F::Paths<'v>,
}

impl<'v, F: Fragments> FragmentParts<'v, F> {
    /// The fragments of these views that are cheapest in tokens.
    pub fn new(views: &'v Views<'v>, criterion: F, minimal: &'v Minimal<'v>) -> Self {
        let contexts = Contexts::new(views, minimal);
        let paths = criterion.paths(views, &contexts);
        Self { views, criterion, paths }
    }
}

impl<F: Fragments> std::fmt::Debug for FragmentParts<'_, F> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("FragmentParts").field(&self.criterion).finish()
    }
}

impl<F: Fragments> FragmentParts<'_, F> {
    /// Appends a production as a part; the spot it stands at.
    pub(super) fn production(&self, production: ProductionId, pieces: &mut Vec<Piece>) -> SpotId {
        pieces.push(Piece::Production(production));
        pieces.extend(nonterminals(self.views.bnf.rhs(production)).map(Piece::Open));
        spot_of(self.views.bnf.lhs(production))
    }
}

impl<F: Fragments> Parts for FragmentParts<'_, F> {
    type Place = ();

    fn targets(&self) -> u64 {
        self.criterion.targets()
    }

    fn is_coverable(&self, target: TargetId) -> bool {
        self.criterion.uncoverable(target).is_none()
    }

    fn spots(&self) -> usize {
        self.views.bnf.nonterminal_count()
    }

    fn steps(&self) -> Vec<(SpotId, Above)> {
        steps_of_nonterminals(self.views)
    }

    fn root(&self) {}

    fn below(&self, (): (), _: ProductionId, _: usize) {}

    fn head(&self, spot: SpotId) -> NonterminalId {
        NonterminalId::from_index(spot.index())
    }

    fn spot(&self, nonterminal: NonterminalId, (): ()) -> Option<SpotId> {
        Some(spot_of(nonterminal))
    }

    fn part(&self, target: TargetId, pieces: &mut Vec<Piece>) -> SpotId {
        let mut recorder = Recorder { root: None, pieces };
        self.criterion.build(self.views, &self.paths, target, &mut recorder);
        spot_of(recorder.root.expect("invariant: a fragment has a root"))
    }

    fn cover(&self, draft: &mut Draft, _: Wanted<'_>, covered: &mut TargetSet) {
        let tree = Tree::new(self.views.bnf, draft.productions.clone());
        let derivations = Derivations::of_tree(self.views.bnf, &tree);
        self.criterion.cover(&Reading::of(&derivations), covered);
    }
}

/// Notes how a fragment is built.
struct Recorder<'r> {
    root: Option<NonterminalId>,
    pieces: &'r mut Vec<Piece>,
}

fn nonterminals(symbols: &[Symbol]) -> impl Iterator<Item = NonterminalId> + '_ {
    symbols.iter().filter_map(|symbol| match symbol {
        Symbol::Nonterminal(id) => Some(*id),
        Symbol::Terminal(_) => None,
    })
}

impl Build for Recorder<'_> {
    fn open(&mut self, nonterminal: NonterminalId) {
        self.root = Some(nonterminal);
    }

    fn finish(&mut self, _: NonterminalId) {}

    fn production(&mut self, production: ProductionId) {
        self.pieces.push(Piece::Production(production));
    }

    fn close(&mut self, symbols: &[Symbol]) {
        self.pieces.extend(nonterminals(symbols).map(Piece::Open));
    }

    fn vanish(&mut self, symbols: &[Symbol]) {
        self.pieces.extend(nonterminals(symbols).map(|_| Piece::Closed));
    }
}
