//! Lexemes: texts that the lexer takes for a given outcome in a given mode. They are found *by the
//! automaton*, any path to a state whose winner is that outcome, so an identifier is never a keyword.
//!
//! - *ordinary*: a few short, readable texts;
//! - *shortest*: the cheapest path, with the most pleasant characters;
//! - *varied*: a small cycle of lexemes that covers the structure of the token's rule;
//! - *random*: a random path, short ones first.
//!
//! Each of them has a minimum number of characters, if that is requested and such lexemes exist.
//! Everything is made on first use. In reading order: [`shape`], [`ordinary`], [`varied`], [`words`],
//! [`random`], [`long`], [`pool`].

pub(crate) mod long;
pub(crate) mod ordinary;
pub mod pool;
pub(crate) mod random;
pub(crate) mod shape;
pub(crate) mod varied;
pub(crate) mod words;

use gramercy_base::named::{self, Named, choice};
use gramercy_base::{IndexMap, IndexSet, LimitReached, Map, Table};
use gramercy_grammar::{Grammar, ModeId, RuleId};

use crate::alphabet::{Alphabet, Palette};
use crate::automaton::Lexer;
use crate::dfa::{Cell, Dfa, DfaStateId, OutcomeId};
use crate::explore::{Explored, When};
use crate::write::WriteOptions;
use gramercy_base::Draw;
use random::{ClassSamplers, Incoming, Walker};
use shape::Shapes;

gramercy_base::define_id!(pub(crate) struct ModeOutcomeId, "an outcome in a mode");
gramercy_base::define_id!(pub(crate) struct LexemeId, "a lexeme");

/// Which lexemes are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Lexemes {
    /// Short, readable ones in turn.
    #[default]
    Ordinary,
    /// Always the shortest.
    Shortest,
    /// In turn from a small set that covers the structure of the token's rule.
    Varied,
    /// Random ones.
    Random,
}

impl Named for Lexemes {
    const CHOICES: &'static [named::Choice<Self>] = &[
        choice(Self::Ordinary, "ordinary", "short, readable ones in turn"),
        choice(Self::Shortest, "shortest", "always the shortest"),
        choice(Self::Varied, "varied", "in turn from a small set that covers the token's rule"),
        choice(Self::Random, "random", "drawn at random"),
    ];
}

/// What one match can be.
#[derive(Clone, Debug)]
pub(crate) struct ModeOutcome {
    pub(crate) mode: ModeId,
    pub(crate) outcome: OutcomeId,
    /// The price of its cheapest lexeme.
    pub(crate) cost: u64,
    pub(crate) shortest: LexemeId,
    /// How many characters its lexemes have at least.
    least: usize,
    /// Lexemes that cover the structure of the rule, the shortest first; empty if not made yet.
    cycle: Vec<LexemeId>,
    /// Short, readable lexemes; empty if not made yet.
    ordinary: Vec<LexemeId>,
    walker: Option<Box<Walker>>,
}

/// A text of a piece.
#[derive(Clone, Debug)]
pub(crate) struct Lexeme {
    pub(crate) text: Box<str>,
    /// The state of the automaton after it.
    pub(crate) end: Cell,
    /// Whether it is right only if the input ends there.
    pub(crate) when: When,
}

/// All lexemes made so far.
#[derive(Clone, Debug)]
pub(crate) struct Book {
    pub(crate) alphabet: Alphabet,
    /// How many characters lexemes of tokens have at least, where there are such.
    least: usize,
    palette: Palette,
    samplers: ClassSamplers,
    shapes: Shapes,
    explored: Table<ModeId, Option<Box<ModeOutcomes>>>,
    pub(crate) pieces: Table<ModeOutcomeId, ModeOutcome>,
    pub(crate) lexemes: Table<LexemeId, Lexeme>,
    /// Lexemes that were cut from given texts.
    cut: Map<(Cell, Box<str>), LexemeId>,
    /// For each rule, the texts that cover its structure, with what they are.
    varied: Map<RuleId, Vec<Known>>,
}

/// A text, what it is, and the state after it.
#[derive(Clone, Debug)]
struct Known {
    text: Box<str>,
    outcome: OutcomeId,
    end: Cell,
}

/// What can be matched in a mode.
#[derive(Clone, Debug)]
pub(crate) struct ModeOutcomes {
    pub(crate) explored: Explored,
    /// The pieces by price.
    pub(crate) pieces: Vec<ModeOutcomeId>,
    incoming: Option<Incoming>,
}

/// How much the automaton may grow while the lexemes of one rule are found, in configurations.
const MAX_GROWTH: usize = 300_000;
/// How many states are looked at to know whether a text can come after a match that reads nothing.
const MAX_FOLLOWED: usize = 10_000;
/// How many random lexemes stand in for a cycle where a rule's structure led to nothing.
const STAND_INS: u64 = 6;

impl Book {
    pub(crate) fn new(
        grammar: &Grammar,
        lexer: &Lexer,
        options: &WriteOptions,
    ) -> Result<Self, LimitReached> {
        let WriteOptions { alphabet, limits, lexeme_length: least, .. } = options;
        let palette = Palette::new(&lexer.classes, alphabet);
        Ok(Self {
            alphabet: alphabet.clone(),
            least: *least,
            samplers: ClassSamplers::new(&palette),
            palette,
            shapes: Shapes::new(grammar, alphabet, limits)?,
            explored: Table::filled(None, lexer.modes.len()),
            pieces: Table::new(),
            lexemes: Table::new(),
            cut: Map::default(),
            varied: Map::default(),
        })
    }

    /// What can be matched in a mode.
    pub(crate) fn mode(
        &mut self,
        lexer: &Lexer,
        dfa: &mut Dfa,
        mode: ModeId,
    ) -> Result<&ModeOutcomes, LimitReached> {
        if self.explored[mode].is_none() {
            let explored = Explored::new(lexer, dfa, mode, &self.palette)?;
            let mut pieces = Vec::with_capacity(explored.won.len());
            let mut long = match self.least {
                0 => IndexMap::default(),
                least => long::cheapest(&explored, dfa, &self.palette, least),
            };
            // What separates tokens stays short.
            long.retain(|&outcome, _| dfa.outcome(outcome).effect.visible_token(None).is_some());
            for (&outcome, won) in &explored.won {
                let (least, place, text) = match long.swap_remove(&outcome) {
                    Some((place, text)) => (self.least, place, text),
                    None => (0, won.place, explored.text(&self.palette, won.place)),
                };
                let end = dfa.cell(explored.places[place].state);
                let when = if least > 0 { When::Anywhere } else { won.when };
                let shortest = self.lexemes.push(Lexeme { text: text.into(), end, when });
                let cost = explored.places[won.place].cost;
                let (cycle, ordinary, walker) = (Vec::new(), Vec::new(), None);
                let piece =
                    ModeOutcome { mode, outcome, cost, shortest, least, cycle, ordinary, walker };
                pieces.push(self.pieces.push(piece));
            }
            pieces.extend(self.empty_piece(lexer, dfa, mode, explored.won_by_nothing)?);
            self.explored[mode] = Some(Box::new(ModeOutcomes { explored, pieces, incoming: None }));
        }
        Ok(self.explored[mode].as_ref().expect("just made"))
    }

    /// A match that reads nothing and only changes modes, as lexers have it that look ahead: the state
    /// after it is the one before it, and must not win with what follows.
    fn empty_piece(
        &mut self,
        lexer: &Lexer,
        dfa: &mut Dfa,
        mode: ModeId,
        won_by_nothing: Option<OutcomeId>,
    ) -> Result<Option<ModeOutcomeId>, LimitReached> {
        let start = dfa.start(lexer, mode)?;
        let useful = |&outcome: &OutcomeId| {
            let effect = &dfa.outcome(outcome).effect;
            effect.visible_token(None).is_none() && !effect.mode_changes.is_empty()
        };
        let Some(outcome) = won_by_nothing.filter(useful) else { return Ok(None) };
        let shortest = self.intern("", dfa.cell(start));
        let (cycle, ordinary, walker) = (Vec::new(), Vec::new(), None);
        let (cost, least) = (0, 0);
        let piece = ModeOutcome { mode, outcome, cost, shortest, least, cycle, ordinary, walker };
        Ok(Some(self.pieces.push(piece)))
    }

    /// Whether some text of a piece does not begin with anything that a mode matches, so that a match
    /// in that mode that reads nothing can come before it; as far as that is known.
    pub(crate) fn can_follow(
        &self,
        lexer: &Lexer,
        dfa: &mut Dfa,
        passed: ModeId,
        piece: ModeOutcomeId,
    ) -> Result<bool, LimitReached> {
        let ModeOutcome { mode, outcome, shortest, .. } = self.pieces[piece];
        let of_mode = self.explored[mode].as_ref().expect("invariant: the piece is of this mode");
        let explored = &of_mode.explored;
        if !explored.is_whole() || self.lexemes[shortest].when == When::AtEnd {
            return Ok(true);
        }
        let start = (explored.start(), Some(dfa.start(lexer, passed)?));
        let (mut found, mut at) = (IndexSet::from_iter([start]), 0);
        while let Some(&(place, state)) = found.get_index(at) {
            at += 1;
            for &(class, next) in explored.edges(place) {
                let step = |from| dfa.step(lexer, from, class);
                let passed = state.map(step).transpose()?.flatten();
                if passed.is_some_and(|state| dfa.winner(state).is_some()) {
                    continue;
                }
                if dfa.winner(explored.places[next].state) == Some(outcome) {
                    return Ok(true);
                }
                found.insert((next, passed));
            }
            if found.len() > MAX_FOLLOWED {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// A lexeme that was cut from a given text, after which the automaton is in state `end`.
    pub(crate) fn intern(&mut self, text: &str, end: Cell) -> LexemeId {
        let lexemes = &mut self.lexemes;
        *self.cut.entry((end, text.into())).or_insert_with(|| {
            lexemes.push(Lexeme { text: text.into(), end, when: When::Anywhere })
        })
    }

    /// The lexemes that cover the structure of a piece's rule, the shortest first.
    #[inline]
    pub(crate) fn cycle(
        &mut self,
        lexer: &Lexer,
        dfa: &mut Dfa,
        piece: ModeOutcomeId,
    ) -> Result<&[LexemeId], LimitReached> {
        if self.pieces[piece].cycle.is_empty() {
            self.pieces[piece].cycle = self.make_cycle(lexer, dfa, piece)?;
        }
        Ok(&self.pieces[piece].cycle)
    }

    #[cold]
    fn make_cycle(
        &mut self,
        lexer: &Lexer,
        dfa: &mut Dfa,
        piece: ModeOutcomeId,
    ) -> Result<Vec<LexemeId>, LimitReached> {
        let ModeOutcome { mode, outcome, shortest, least, .. } = self.pieces[piece];
        let mut cycle = vec![shortest];
        if self.lexemes[shortest].when == When::AtEnd {
            return Ok(cycle);
        }
        let rule = dfa.outcome(outcome).rule;
        if !self.varied.contains_key(&rule) {
            let texts = self.texts_of_rule(lexer, dfa, mode, rule)?;
            self.varied.insert(rule, texts);
        }
        let of_rule = self.varied[&rule].iter();
        let is_fit =
            |known: &&Known| known.outcome == outcome && known.text.chars().count() >= least;
        let mut known: Vec<_> = of_rule.filter(is_fit).cloned().collect();
        if known.is_empty() {
            known = self.stand_ins(dfa, piece);
        }
        known.retain(|known| known.text != self.lexemes[shortest].text);
        for Known { text, end, .. } in known {
            cycle.push(self.lexemes.push(Lexeme { text, end, when: When::Anywhere }));
        }
        Ok(cycle)
    }

    /// Short, readable lexemes of a piece; the shortest one if there are no others.
    #[inline]
    pub(crate) fn ordinary(
        &mut self,
        lexer: &Lexer,
        dfa: &mut Dfa,
        piece: ModeOutcomeId,
    ) -> Result<&[LexemeId], LimitReached> {
        if self.pieces[piece].ordinary.is_empty() {
            self.pieces[piece].ordinary = self.make_ordinary(lexer, dfa, piece)?;
        }
        Ok(&self.pieces[piece].ordinary)
    }

    #[cold]
    fn make_ordinary(
        &mut self,
        lexer: &Lexer,
        dfa: &mut Dfa,
        piece: ModeOutcomeId,
    ) -> Result<Vec<LexemeId>, LimitReached> {
        let ModeOutcome { mode, outcome, shortest, least, .. } = self.pieces[piece];
        let root = self.shapes.rules[dfa.outcome(outcome).rule];
        let Some(root) = root.filter(|_| self.lexemes[shortest].when != When::AtEnd) else {
            return Ok(vec![shortest]);
        };
        let start = dfa.start(lexer, mode)?;
        let max_size = dfa.size() + MAX_GROWTH;
        let mut known = |text: &str| {
            let known = what_is(lexer, dfa, start, text, max_size)?;
            (known.outcome == outcome && text.chars().count() >= least).then_some(known)
        };
        let texts = ordinary::texts(&self.shapes, root, |text| known(text).is_some());
        let found: Vec<Known> = texts.iter().filter_map(|text| known(text)).collect();
        if found.is_empty() {
            return Ok(vec![shortest]);
        }
        let when = When::Anywhere;
        let lexemes = found.into_iter().map(|Known { text, end, .. }| Lexeme { text, end, when });
        Ok(lexemes.map(|lexeme| self.lexemes.push(lexeme)).collect())
    }

    /// Texts that cover the structure of a rule and for which the rule wins.
    fn texts_of_rule(
        &self,
        lexer: &Lexer,
        dfa: &mut Dfa,
        mode: ModeId,
        rule: RuleId,
    ) -> Result<Vec<Known>, LimitReached> {
        let Some(root) = self.shapes.rules[rule] else { return Ok(Vec::new()) };
        let mut found = Vec::new();
        let start = dfa.start(lexer, mode)?;
        let max_size = dfa.size() + MAX_GROWTH;
        varied::covering(&self.shapes, root, |text| {
            let known = what_is(lexer, dfa, start, text, max_size);
            let known = known.filter(|known| dfa.outcome(known.outcome).rule == rule);
            let right = known.is_some();
            found.extend(known);
            right
        });
        Ok(found)
    }

    fn stand_ins(&mut self, dfa: &Dfa, piece: ModeOutcomeId) -> Vec<Known> {
        let outcome = self.pieces[piece].outcome;
        let mut known: Vec<Known> = Vec::new();
        for number in 0..STAND_INS {
            let mut text = String::new();
            let end = self.random(dfa, piece, &mut Draw::new([number, 0, 0, 0]), &mut text);
            if let Some(end) = end
                && known.iter().all(|known| *known.text != *text)
            {
                known.push(Known { text: text.into(), outcome, end });
            }
        }
        known
    }

    /// Appends a random lexeme of a piece to `text` and gives the state after it; `None` if there is
    /// none but at the end of input.
    pub(crate) fn random(
        &mut self,
        dfa: &Dfa,
        piece: ModeOutcomeId,
        draw: &mut Draw,
        text: &mut String,
    ) -> Option<Cell> {
        let ModeOutcome { mode, outcome, least, .. } = self.pieces[piece];
        let walker = self.pieces[piece].walker.get_or_insert_with(|| {
            let mode = self.explored[mode].as_mut().expect("invariant: pieces are of known modes");
            let incoming = mode.incoming.get_or_insert_with(|| random::incoming(&mode.explored));
            Box::new(Walker::new(dfa, &mode.explored, incoming, &self.samplers, outcome))
        });
        walker.draw(&self.samplers, least, draw, text)
    }
}

/// What a whole text is; `None` if no rule matches all of it, or if the automaton grew too large over
/// the question.
fn what_is(
    lexer: &Lexer,
    dfa: &mut Dfa,
    start: DfaStateId,
    text: &str,
    max_size: usize,
) -> Option<Known> {
    let mut end = dfa.cell(start);
    for c in text.chars() {
        end = dfa.step_cell(lexer, end, lexer.table.get(c.into())).ok()?;
        if end == Cell::DEAD || dfa.size() > max_size {
            return None;
        }
    }
    let outcome = dfa.winner_of(end)?.outcome;
    Some(Known { text: text.into(), outcome, end })
}
