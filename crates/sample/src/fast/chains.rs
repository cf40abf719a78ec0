//! Runs of tokens as chains of links, for texts that are written without a look at their tokens.

use gramercy_base::{Id, to_u32};
use gramercy_grammar::{ProductionId, TerminalId};
use gramercy_lexis::{Choice, LinkId, Links, Page, Paged};

use crate::fast::runs::{Run, Runs};
use crate::grow::receivers::{Receiver, Roomy};

/// Links that are copied at once.
const WIDE: usize = 4;

/// The chains of all runs.
#[derive(Debug)]
pub(crate) struct Chains {
    links: Links,
    /// By the places of runs.
    chains: Vec<Chain>,
    /// What is beyond the first links of long ones.
    rest: Vec<LinkId>,
}

/// The links of a run.
#[derive(Clone, Copy, Debug)]
struct Chain {
    first: [LinkId; WIDE],
    len: u32,
    /// Where the rest of a long one begins.
    rest: u32,
}

impl Chains {
    pub(crate) fn new(mut links: Links, runs: &Runs) -> Self {
        let nobody = LinkId::from_index(0);
        let none = Chain { first: [nobody; WIDE], len: 0, rest: 0 };
        let (mut chains, mut rest) = (vec![none; runs.places()], Vec::new());
        for run in runs.all() {
            let chain = links.chain(runs.tokens(run));
            let (now, later) = chain.split_at(chain.len().min(WIDE));
            let kept = &mut chains[run.place()];
            kept.first[..now.len()].copy_from_slice(now);
            (kept.len, kept.rest) = (to_u32(chain.len()), to_u32(rest.len()));
            rest.extend_from_slice(later);
        }
        Self { links, chains, rest }
    }

    /// Writes what was received onto a page.
    pub(crate) fn write(
        &self,
        sentence: &Linked<'_>,
        choice: &Choice<'_>,
        page: &mut Page,
    ) -> Option<Paged> {
        self.links.write_page(sentence.links.items(), choice, page)
    }
}

/// The links of a sentence, in the making.
pub(crate) struct Linked<'l> {
    chains: &'l Chains,
    links: Roomy<'l, LinkId, WIDE>,
    tokens: usize,
}

impl<'l> Linked<'l> {
    /// No links yet, in memory that is used again.
    pub(crate) fn new(chains: &'l Chains, links: &'l mut Vec<LinkId>) -> Self {
        Self { chains, links: Roomy::new(links), tokens: 0 }
    }

    #[inline(never)]
    fn rest(&mut self, chain: &Chain) {
        let rest = &self.chains.rest[chain.rest as usize..];
        rest[..chain.len as usize - WIDE].iter().for_each(|&link| self.links.push(link));
    }
}

impl Receiver for Linked<'_> {
    const WANTS_TREE: bool = false;

    #[inline]
    fn production(&mut self, _: ProductionId) {}

    #[inline]
    fn token(&mut self, token: TerminalId) {
        self.links.push(Links::of_token(token));
        self.tokens += 1;
    }

    #[inline(always)]
    fn run(&mut self, run: Run, _: &Runs) {
        let chain = &self.chains.chains[run.place()];
        self.tokens += run.len();
        if chain.len as usize <= WIDE {
            self.links.append(&chain.first, chain.len as usize);
        } else {
            self.links.append(&chain.first, WIDE);
            self.rest(chain);
        }
    }

    fn token_count(&self) -> usize {
        self.tokens
    }

    /// Methods that close trees off have no fast path.
    fn close_off(&mut self) {}

    fn restart(&mut self) {
        self.links.clear();
        self.tokens = 0;
    }
}
