//! What is heard of parts of trees: runs of tokens, and between them nonterminals that are closed off.
//!
//! Equal runs are kept once, and so all of them stay near the processor; they are copied in pieces of fixed
//! length, which needs no loop and no branch. A nonterminal with one ending is part of its run.

use gramercy_base::{Draw, Id, Map};
use gramercy_grammar::{NonterminalId, TerminalId};

use crate::draft::{Receiver, WIDE};
use crate::strategies::random::endings::{Choices, Endings, Several};

/// A run of tokens: its first piece, and how many tokens it has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Run {
    first: u32,
    len: u32,
}

/// All runs, in pieces.
#[derive(Debug)]
pub(super) struct Runs {
    pieces: Vec<[TerminalId; WIDE]>,
    known: Map<Box<[TerminalId]>, Run>,
}

impl Runs {
    pub(super) fn new() -> Self {
        Self { pieces: Vec::new(), known: Map::default() }
    }

    /// Keeps a run.
    pub(super) fn keep(&mut self, run: &[TerminalId]) -> Run {
        if let Some(&known) = self.known.get(run) {
            return known;
        }
        let kept = Run { first: fit(self.pieces.len()), len: fit(run.len()) };
        let mut rest = run;
        // Even the empty run has a piece.
        while self.pieces.len() == kept.first as usize || !rest.is_empty() {
            let (now, later) = rest.split_at(rest.len().min(WIDE));
            let mut piece = [TerminalId::from_index(0); WIDE];
            piece[..now.len()].copy_from_slice(now);
            self.pieces.push(piece);
            rest = later;
        }
        self.known.insert(run.into(), kept);
        kept
    }

    /// The tokens of a run.
    fn tokens(&self, run: Run) -> &[TerminalId] {
        &self.pieces[run.first as usize..].as_flattened()[..run.len as usize]
    }

    /// Puts a run behind what was received.
    #[inline(always)]
    pub(super) fn put(&self, run: Run, into: &mut impl Receiver) {
        let len = run.len as usize;
        if len <= WIDE {
            into.piece(&self.pieces[run.first as usize], len);
        } else {
            self.put_long(run, into);
        }
    }

    #[inline(never)]
    fn put_long(&self, run: Run, into: &mut impl Receiver) {
        self.tokens(run).iter().for_each(|&token| into.token(token));
    }
}

/// What is heard of a part of a tree: where its stretches lie, and the run behind them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Phrase {
    first: u32,
    len: u32,
    tail: Run,
}

impl Phrase {
    /// Whether nothing is heard.
    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.len == 0 && self.tail.len == 0
    }
}

/// Some tokens, and behind them a nonterminal that is closed off.
#[derive(Clone, Copy, Debug)]
struct Stretch {
    run: Run,
    closing: Closing,
}

/// How a nonterminal is closed off.
#[derive(Clone, Copy, Debug)]
enum Closing {
    /// By one of several trees.
    Several(Several),
    /// Node by node.
    Nodes(NonterminalId),
}

/// What phrases are made of.
#[derive(Clone, Copy, Debug)]
pub(super) enum Sound {
    /// A token.
    Token(TerminalId),
    /// Any tree with a shortest yield.
    Close(NonterminalId),
}

/// All phrases.
#[derive(Debug)]
pub(super) struct Phrases {
    runs: Runs,
    stretches: Vec<Stretch>,
}

impl Phrases {
    /// No phrases yet, but all runs of endings.
    pub(super) fn new(runs: Runs) -> Self {
        Self { runs, stretches: Vec::new() }
    }

    /// Keeps a phrase.
    pub(super) fn keep(&mut self, sounds: &[Sound], endings: &Endings) -> Phrase {
        let (first, mut tokens) = (self.stretches.len(), Vec::new());
        for &sound in sounds {
            let id = match sound {
                Sound::Token(token) => {
                    tokens.push(token);
                    continue;
                }
                Sound::Close(id) => id,
            };
            let closing = match endings.of(id) {
                Choices::One(ending) => {
                    tokens.extend_from_slice(self.runs.tokens(endings.run(ending)));
                    continue;
                }
                Choices::Several(several) => Closing::Several(several),
                Choices::Many => Closing::Nodes(id),
            };
            self.stretches.push(Stretch { run: self.runs.keep(&tokens), closing });
            tokens.clear();
        }
        let len = fit(self.stretches.len() - first);
        Phrase { first: fit(first), len, tail: self.runs.keep(&tokens) }
    }

    /// The runs of phrases and endings.
    #[inline]
    pub(super) fn runs(&self) -> &Runs {
        &self.runs
    }

    /// Puts a phrase behind what was received; `close` closes off node by node.
    #[inline]
    pub(super) fn put<R: Receiver>(
        &self,
        phrase: Phrase,
        (endings, draw): (&Endings, &mut Draw),
        into: &mut R,
        mut close: impl FnMut(NonterminalId, &mut Draw, &mut R),
    ) {
        for stretch in &self.stretches[phrase.first as usize..][..phrase.len as usize] {
            self.runs.put(stretch.run, into);
            match stretch.closing {
                Closing::Several(several) => {
                    let ending = endings.choose_among(several, draw);
                    self.runs.put(endings.run(ending), into);
                }
                Closing::Nodes(id) => close(id, draw, into),
            }
        }
        self.runs.put(phrase.tail, into);
    }
}

fn fit(n: usize) -> u32 {
    u32::try_from(n).expect("invariant: phrases are bounded")
}
