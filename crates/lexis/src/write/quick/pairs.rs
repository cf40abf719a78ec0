//! Of every two lexemes, whether they can stand next to each other, and if not, whether a blank helps.
//!
//! The automaton after the first lexeme, fed with the second, must die before it matches again; what is
//! not decided by then counts as no. What stands after a lexeme is the state of the automaton and the
//! *context*, a stack of modes; from every context that lexemes lead to, each lexeme is tried. Lexemes with
//! equal answers share a row and a column, so the table is small. Cost: a few steps of the automaton for
//! every state after a lexeme and every lexeme.

use gramercy_base::{Id, IndexMap, IndexSet, LimitReached, to_u32};
use gramercy_grammar::{ModeId, TerminalId};

use super::Candidate;
use crate::automaton::Lexer;
use crate::dfa::{Cell, Dfa};
use crate::effect::Emission;
use crate::routes::BLANKS;
use crate::scan::Scan;
use crate::spacing::{Fate, Spacing, run_on};

/// Pairs that are looked at, at most.
const MAX_PAIRS: usize = 1 << 23;
/// Contexts that are looked at; of those beyond, nothing is known.
const MAX_CONTEXTS: usize = 64;
/// Matches of nothing before a lexeme.
const MAX_EMPTY: usize = 8;

/// What goes between two lexemes, and the context in which the second is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Between {
    Nothing(u8),
    Blank(u8),
    Impossible,
}

/// The answers for all pairs, and the blank that they refer to.
#[derive(Clone, Debug)]
pub(super) struct Pairs {
    pub(super) blank: &'static str,
    pub(super) contexts: usize,
    /// The column of every lexeme.
    pub(super) columns_of: Vec<u32>,
    /// By lexeme and context in which it is read, the row after it.
    pub(super) rows_of: Vec<Option<u32>>,
    pub(super) columns: usize,
    /// By row and column.
    pub(super) answers: Vec<Between>,
    /// The answers at the beginning of a text, by column.
    pub(super) first: Vec<Between>,
    /// By row, whether a text can end there.
    pub(super) can_end: Vec<bool>,
}

/// The automaton that is asked.
pub(super) struct Reader<'r> {
    pub(super) lexer: &'r Lexer,
    pub(super) dfa: &'r mut Dfa,
}

/// What a text is in some context.
struct Entered {
    end: Cell,
    token: Option<TerminalId>,
    stack: Vec<ModeId>,
}

/// What stands after a lexeme.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Behind {
    end: Cell,
    context: u8,
    can_end: bool,
}

/// What stands after lexemes, by lexeme and context; nothing where it is not what it should be.
pub(super) struct Places {
    stacks: IndexSet<Vec<ModeId>>,
    behind: Vec<Vec<Option<Behind>>>,
}

impl Pairs {
    /// The same answer for all pairs of lexemes.
    pub(super) fn alike(lexemes: usize, blank: &'static str, has_blank: bool) -> Self {
        let answer = if has_blank { Between::Blank(0) } else { Between::Nothing(0) };
        Self {
            blank,
            contexts: 1,
            columns_of: vec![0; lexemes],
            rows_of: vec![Some(0); lexemes],
            columns: 1,
            answers: vec![answer],
            first: vec![Between::Nothing(0)],
            can_end: vec![true],
        }
    }

    /// The answers for lexemes, with the blank that leaves the fewest pairs impossible; `None` if there
    /// are too many.
    pub(super) fn new(
        reader: &mut Reader<'_>,
        texts: &[&str],
        places: &Places,
        spacing: Spacing,
        allows: impl Fn(&str) -> bool,
    ) -> Result<Option<Self>, LimitReached> {
        let rows: IndexSet<Behind> = places.behind.iter().flatten().flatten().copied().collect();
        if rows.len() * texts.len() > MAX_PAIRS {
            return Ok(None);
        }
        let mut touching = Vec::with_capacity(rows.len());
        for row in &rows {
            touching.push(reader.next_to(texts, places, (row.end, row.context))?);
        }
        let preferred = if spacing == Spacing::Newline { 1 } else { 0 };
        let mut blanks = BLANKS;
        blanks.swap(0, preferred);
        let mut best: Option<(usize, &'static str, Vec<Vec<Between>>)> = None;
        for blank in blanks.into_iter().filter(|blank| allows(blank)) {
            let mut behind_blank = Vec::new();
            for stack in &places.stacks {
                behind_blank.push(reader.behind_blank(texts, places, stack, blank)?);
            }
            let mut answers = Vec::with_capacity(rows.len());
            for (row, touching) in rows.iter().zip(&touching) {
                let is_left_safe = reader.dies_in(row.end, blank)?;
                let spaced = behind_blank[usize::from(row.context)].as_ref();
                let spaced = spaced.filter(|_| is_left_safe);
                let answer = |(at, &touches): (usize, &bool)| {
                    let blank = spaced.and_then(|(context, fits)| fits[at].then_some(*context));
                    let blank = blank.map(Between::Blank);
                    let nothing = touches.then_some(Between::Nothing(row.context));
                    let chosen = match spacing {
                        Spacing::Minimal => nothing.or(blank),
                        Spacing::Space | Spacing::Newline => blank.or(nothing),
                    };
                    chosen.unwrap_or(Between::Impossible)
                };
                answers.push(touching.iter().enumerate().map(answer).collect::<Vec<_>>());
            }
            let impossible = answers.iter().flatten();
            let impossible = impossible.filter(|&&answer| answer == Between::Impossible).count();
            if best.as_ref().is_none_or(|(least, ..)| impossible < *least) {
                best = Some((impossible, blank, answers));
            }
        }
        let (_, blank, answers) = best.unwrap_or_else(|| {
            let answer = |row: &Behind, touches: bool| match touches {
                true => Between::Nothing(row.context),
                false => Between::Impossible,
            };
            let row = |(row, touching): (&Behind, &Vec<bool>)| {
                touching.iter().map(|&touches| answer(row, touches)).collect()
            };
            (0, "", rows.iter().zip(&touching).map(row).collect())
        });
        Ok(Some(Self::shared(blank, places, &rows, &answers)))
    }

    /// Equal columns and equal rows become one.
    fn shared(
        blank: &'static str,
        places: &Places,
        rows: &IndexSet<Behind>,
        answers: &[Vec<Between>],
    ) -> Self {
        let begins = |lexeme: usize| match places.behind[lexeme][0] {
            Some(_) => Between::Nothing(0),
            None => Between::Impossible,
        };
        let mut columns: IndexMap<Vec<Between>, usize> = IndexMap::default();
        let mut columns_of = Vec::with_capacity(places.behind.len());
        for at in 0..places.behind.len() {
            let column = answers.iter().map(|row| row[at]).chain([begins(at)]).collect::<Vec<_>>();
            let entry = columns.entry(column);
            columns_of.push(to_u32(entry.index()));
            entry.or_insert(at);
        }
        let mut shared: IndexSet<(Vec<Between>, bool)> = IndexSet::default();
        let shared_row: Vec<u32> = rows
            .iter()
            .zip(answers)
            .map(|(row, answers)| {
                let answers = columns.values().map(|&at| answers[at]).collect::<Vec<_>>();
                to_u32(shared.insert_full((answers, row.can_end)).0)
            })
            .collect();
        let row_of = |behind: Behind| {
            shared_row[rows.get_index_of(&behind).expect("invariant: each has a row")]
        };
        let contexts = places.stacks.len();
        let by_context = |behind: &Vec<Option<Behind>>| {
            let known = behind.iter().map(|behind| behind.map(row_of)).collect::<Vec<_>>();
            known.into_iter().chain(std::iter::repeat(None)).take(contexts).collect::<Vec<_>>()
        };
        Self {
            blank,
            contexts,
            columns_of,
            rows_of: places.behind.iter().flat_map(by_context).collect(),
            columns: columns.len(),
            first: columns.values().map(|&at| begins(at)).collect(),
            can_end: shared.iter().map(|(_, can_end)| *can_end).collect(),
            answers: shared.into_iter().flat_map(|(answers, _)| answers).collect(),
        }
    }
}

impl Reader<'_> {
    /// What stands after each of some lexemes, in every context that they lead to.
    pub(super) fn places(&mut self, lexemes: &[&Candidate]) -> Result<Places, LimitReached> {
        let mut stacks = IndexSet::<Vec<ModeId>>::from_iter([vec![ModeId::from_index(0)]]);
        let mut behind = vec![Vec::new(); lexemes.len()];
        let mut at = 0;
        while at < stacks.len() {
            let stack = stacks[at].clone();
            for (candidate, behind) in lexemes.iter().zip(&mut behind) {
                let place = match self.enter(&stack, &candidate.text)? {
                    Some(Entered { end, token, stack: after })
                        if token == Some(candidate.terminal)
                            && (stacks.len() < MAX_CONTEXTS || stacks.contains(&after)) =>
                    {
                        let context = stacks.insert_full(after).0;
                        let context = u8::try_from(context).expect("invariant: they are few");
                        let can_end = self.can_end(&stack, candidate);
                        Some(Behind { end, context, can_end })
                    }
                    _ => None,
                };
                behind.push(place);
            }
            at += 1;
        }
        Ok(Places { stacks, behind })
    }

    /// Whether a lexeme is what it should be where the text ends with it.
    fn can_end(&mut self, stack: &[ModeId], candidate: &Candidate) -> bool {
        let Candidate { text, terminal, .. } = candidate;
        let mut scan = Scan::within(self.lexer, self.dfa, text, stack.to_vec());
        let last = scan.next_visible();
        let is_last = matches!(last, Ok(Some(token)) if token.terminal == *terminal
            && (token.start, token.end) == (0, text.len()));
        is_last && scan.next_visible() == Ok(None)
    }

    /// Which lexemes can stand after a state and a context.
    fn next_to(
        &mut self,
        texts: &[&str],
        places: &Places,
        (end, context): (Cell, u8),
    ) -> Result<Vec<bool>, LimitReached> {
        let mut fits = Vec::with_capacity(texts.len());
        for (text, behind) in texts.iter().zip(&places.behind) {
            fits.push(behind[usize::from(context)].is_some() && self.dies_in(end, text)?);
        }
        Ok(fits)
    }

    /// The context after a blank in some modes, and which lexemes can stand there; nothing if it is not
    /// one match that the parser does not see.
    fn behind_blank(
        &mut self,
        texts: &[&str],
        places: &Places,
        stack: &[ModeId],
        blank: &str,
    ) -> Result<Option<(u8, Vec<bool>)>, LimitReached> {
        let Some(Entered { end, token: None, stack }) = self.enter(stack, blank)? else {
            return Ok(None);
        };
        let Some(context) = places.stacks.get_index_of(&stack) else { return Ok(None) };
        let context = u8::try_from(context).expect("invariant: they are few");
        Ok(Some((context, self.next_to(texts, places, (end, context))?)))
    }

    /// Whether the automaton after a lexeme dies in a text before it matches again.
    fn dies_in(&mut self, end: Cell, text: &str) -> Result<bool, LimitReached> {
        Ok(end.is_end() || matches!(run_on(self.lexer, self.dfa, end, text)?, Fate::Dead))
    }

    /// Reads a text in some modes; `None` if it is not one match, after others at most that read nothing
    /// and are decided within the text.
    fn enter(&mut self, stack: &[ModeId], text: &str) -> Result<Option<Entered>, LimitReached> {
        let mut stack = stack.to_vec();
        for _ in 0..MAX_EMPTY {
            let mode = *stack.last().expect("invariant: there is a mode");
            let start = self.dfa.start(self.lexer, mode)?;
            let mut cell = self.dfa.cell(start);
            let (mut last, mut at) = (cell.wins().then_some((cell, 0)), 0);
            let mut is_dead = false;
            for c in text.chars() {
                let is_end = cell.is_end();
                cell = match is_end {
                    true => Cell::DEAD,
                    false => {
                        self.dfa.step_cell(self.lexer, cell, self.lexer.table.get(c.into()))?
                    }
                };
                is_dead = cell == Cell::DEAD;
                if is_dead {
                    break;
                }
                at += c.len_utf8();
                if cell.wins() {
                    last = Some((cell, at));
                }
            }
            let Some((end, at)) = last else { return Ok(None) };
            let Some(winner) = self.dfa.winner_of(end) else { return Ok(None) };
            let effect = &self.dfa.outcome(winner.outcome).effect;
            let token = effect.visible_token(None);
            let is_whole = at == text.len();
            let is_nothing = at == 0 && is_dead && token.is_none();
            if effect.emission == Emission::More
                || !(is_whole || is_nothing)
                || effect.change_modes(&mut stack).is_err()
            {
                return Ok(None);
            }
            if is_whole && !text.is_empty() {
                return Ok(Some(Entered { end, token, stack }));
            }
        }
        Ok(None)
    }
}
