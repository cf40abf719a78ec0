//! Random derivation trees of the BNF core: any production that fits in the remaining budget of
//! tokens; if none fits, or the tree is large, the production with the shortest yield.
//!
//! Linear in the tree times the alternatives of its nonterminals.

use gramercy_analysis::{Length, ShortestYield};
use gramercy_grammar::{Bnf, NonterminalId, ProductionId, Symbol, TerminalId, Tree};
use gramercy_testkit::random::Random;

/// After this many productions, only shortest yields are used.
const MAX_PRODUCTIONS: usize = 1000;

/// A sampler of trees of one grammar.
#[derive(Debug)]
pub struct TreeSampler<'g> {
    bnf: &'g Bnf,
    shortest: ShortestYield,
}

impl<'g> TreeSampler<'g> {
    /// A sampler; `None` if the language is empty.
    #[must_use]
    pub fn new(bnf: &'g Bnf) -> Option<Self> {
        let shortest = ShortestYield::of(bnf, Length::Terminals);
        shortest.length(bnf.start())?;
        Some(Self { bnf, shortest })
    }

    /// A random tree of at most about `tokens` tokens, or of the minimal number. `fits` sees the
    /// tokens from left to right; if it rejects one, there is no tree.
    pub fn draw(
        &self,
        dice: &mut Random,
        tokens: usize,
        mut fits: impl FnMut(TerminalId) -> bool,
    ) -> Option<Tree> {
        let start = self.bnf.start();
        let mut productions = Vec::new();
        let mut pending = vec![Symbol::Nonterminal(start)];
        // The remaining budget if all pending symbols get their shortest yields.
        let mut room = (tokens as u64).saturating_sub(self.length(start));
        while let Some(symbol) = pending.pop() {
            match symbol {
                Symbol::Terminal(terminal) if !fits(terminal) => return None,
                Symbol::Terminal(_) => {}
                Symbol::Nonterminal(nonterminal) => {
                    let limit = if productions.len() < MAX_PRODUCTIONS { Some(room) } else { None };
                    let (production, more) = self.choose(dice, nonterminal, limit);
                    room -= more;
                    productions.push(production);
                    pending.extend(self.bnf.rhs(production).iter().rev());
                }
            }
        }
        Some(Tree::new(self.bnf, productions))
    }

    /// A production that needs at most `room` tokens more than the shortest yield, and how many
    /// more.
    fn choose(
        &self,
        dice: &mut Random,
        of: NonterminalId,
        room: Option<u64>,
    ) -> (ProductionId, u64) {
        let least = self.length(of);
        let extra = |&production: &ProductionId| {
            let length = self.shortest.of_symbols(self.bnf.rhs(production))?;
            let extra = length - least;
            (extra <= room?).then_some((production, extra))
        };
        let fitting: Vec<_> = self.bnf.productions_of(of).iter().filter_map(extra).collect();
        match fitting[..] {
            [] => {
                let shortest = self.shortest.production(of);
                (shortest.expect("invariant: only productive symbols are drawn"), 0)
            }
            _ => *dice.pick(&fitting),
        }
    }

    fn length(&self, of: NonterminalId) -> u64 {
        self.shortest.length(of).expect("invariant: only productive symbols are drawn")
    }
}
