//! The tokens of parts of trees: runs of tokens, and between them nonterminals that are closed off.
//!
//! What stands around a nonterminal with a few endings is part of each of them, so that both are put down
//! at once; a nonterminal with one ending is part of its run.

use gramercy_base::{Draw, Map, to_u32};
use gramercy_grammar::{NonterminalId, TerminalId};

use crate::fast::runs::{Run, Runs};
use crate::grow::aliases::{self, AliasSlot};
use crate::grow::endings::{Choices, Endings, Several};
use crate::grow::receivers::Receiver;

/// Endings that are kept with what stands around them, of a nonterminal and of all phrases together.
const MAX_ENDINGS: usize = 16;
const MAX_TICKETS: usize = 1 << 16;

/// The tokens of a part of a tree: where its stretches lie, and the run after them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Phrase {
    first: u32,
    len: u32,
    tail: Run,
}

impl Phrase {
    /// Whether there are no tokens.
    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.len == 0 && self.tail.len() == 0
    }

    /// The run that it is, if nothing is closed off.
    #[inline]
    pub(crate) fn as_run(&self) -> Option<Run> {
        (self.len == 0).then_some(self.tail)
    }
}

/// Up to where a nonterminal was closed off.
#[derive(Clone, Copy, Debug)]
enum Stretch {
    /// One of several runs.
    OneOf(OneOf),
    /// Some tokens, and one of several runs.
    Behind(Run, OneOf),
    /// Some tokens, and a nonterminal that is closed off node by node.
    Nodes(Run, NonterminalId),
}

/// One of several runs: where their slots lie.
#[derive(Clone, Copy, Debug)]
struct OneOf {
    first: u32,
    count: u32,
}

/// Several endings, and what stands before and after each.
type Around = (Several, Box<[TerminalId]>, Box<[TerminalId]>);

/// What phrases are made of.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Sound {
    /// A token.
    Token(TerminalId),
    /// Any tree with a shortest yield.
    Close(NonterminalId),
}

/// All phrases.
#[derive(Debug)]
pub(crate) struct Phrases {
    runs: Runs,
    stretches: Vec<Stretch>,
    slots: Vec<AliasSlot<Run>>,
    known: Map<Around, OneOf>,
}

impl Phrases {
    /// No phrases yet, but all runs of endings.
    pub(crate) fn new(runs: Runs) -> Self {
        Self { runs, stretches: Vec::new(), slots: Vec::new(), known: Map::default() }
    }

    /// Keeps a phrase.
    pub(crate) fn keep(&mut self, sounds: &[Sound], endings: &Endings) -> Phrase {
        let first = self.stretches.len();
        let (mut tokens, mut several) = (Vec::new(), None);
        for &sound in sounds {
            let id = match sound {
                Sound::Token(token) => {
                    tokens.push(token);
                    continue;
                }
                Sound::Close(id) => id,
            };
            match endings.of(id) {
                Choices::One(ending) => {
                    tokens.extend_from_slice(self.runs.tokens(endings.run(ending)));
                }
                Choices::Several(next) => {
                    self.close(several.replace((std::mem::take(&mut tokens), next)), &[], endings);
                }
                Choices::Many => {
                    self.close(several.take(), &[], endings);
                    self.stretches.push(Stretch::Nodes(self.runs.keep(&tokens), id));
                    tokens.clear();
                }
            }
        }
        // What is after the last of several is part of it.
        if let Some((_, last)) = &several
            && self.can_join(endings.slots(*last).len())
        {
            self.close(several, &tokens, endings);
            tokens.clear();
        } else {
            self.close(several, &[], endings);
        }
        let len = to_u32(self.stretches.len() - first);
        Phrase { first: to_u32(first), len, tail: self.runs.keep(&tokens) }
    }

    /// Whether this number of endings may be kept with what is around them.
    fn can_join(&self, endings: usize) -> bool {
        endings <= MAX_ENDINGS && self.slots.len() + endings <= MAX_TICKETS
    }

    /// Adds a stretch that ends with one of several runs, if there are any; `behind` is part of each.
    fn close(
        &mut self,
        several: Option<(Vec<TerminalId>, Several)>,
        behind: &[TerminalId],
        endings: &Endings,
    ) {
        let Some((before, several)) = several else { return };
        let stretch = if self.can_join(endings.slots(several).len()) {
            Stretch::OneOf(self.one_of(&before, several, behind, endings))
        } else {
            let run = self.runs.keep(&before);
            Stretch::Behind(run, self.one_of(&[], several, behind, endings))
        };
        self.stretches.push(stretch);
    }

    fn one_of(
        &mut self,
        before: &[TerminalId],
        several: Several,
        behind: &[TerminalId],
        endings: &Endings,
    ) -> OneOf {
        let key = (several, before.into(), behind.into());
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        let first = to_u32(self.slots.len());
        for slot in endings.slots(several) {
            self.slots.push(slot.map(|ending| {
                let ending = self.runs.tokens(endings.run(ending));
                let whole = [before, ending, behind].concat();
                self.runs.keep(&whole)
            }));
        }
        let kept = OneOf { first, count: to_u32(self.slots.len()) - first };
        self.known.insert(key, kept);
        kept
    }

    /// The runs of phrases and endings.
    #[inline]
    pub(crate) fn runs(&self) -> &Runs {
        &self.runs
    }

    /// Puts a phrase after what was received; `close` closes off node by node.
    #[inline]
    pub(crate) fn put<R: Receiver>(
        &self,
        phrase: Phrase,
        draw: &mut Draw,
        into: &mut R,
        mut close: impl FnMut(NonterminalId, &mut Draw, &mut R),
    ) {
        for stretch in &self.stretches[phrase.first as usize..][..phrase.len as usize] {
            match *stretch {
                Stretch::OneOf(several) => into.run(self.choose(several, draw), &self.runs),
                Stretch::Behind(run, several) => {
                    into.run(run, &self.runs);
                    into.run(self.choose(several, draw), &self.runs);
                }
                Stretch::Nodes(run, id) => {
                    into.run(run, &self.runs);
                    close(id, draw, into);
                }
            }
        }
        into.run(phrase.tail, &self.runs);
    }

    #[inline]
    fn choose(&self, OneOf { first, count }: OneOf, draw: &mut Draw) -> Run {
        aliases::choose_among(&self.slots[first as usize..][..count as usize], draw)
    }
}
