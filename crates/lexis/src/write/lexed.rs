//! Tokens to text with a lexer: keep the mode stack, go along the cheapest route to every token, and
//! put a separator in where the lexer would read two pieces as one.
//!
//! A search with few steps back: for every token, in this order, without and with each separator, other
//! routes, other lexemes; then the same for the token before, a few tokens deep. Nearly always the
//! first candidate fits. Cost per token: a look-up of its routes and one of the boundary before it;
//! the number of candidates tried is linear in the tokens. What modes do not allow is known before
//! ([`modes`]).

mod modes;
mod parts;

use std::ops::Range;

use std::sync::Arc;

use gramercy_base::{IndexSet, LimitReached, Map, Set};
use gramercy_grammar::{Grammar, ModeId, RuleId, TerminalId, TerminalKind};

use super::ordinals::Ordinals;
use super::quick::{self, Quick};
use super::{Choice, Obstacle, Unwritable, WriteOptions, Written, WrittenToken};
use crate::automaton::Lexer;
use crate::dfa::{Cell, Dfa, OutcomeId};
use crate::explore::When;
use crate::lexemes::{Book, LexemeId, Lexemes, ModeOutcomeId};
use crate::matching::Matching;
use crate::routes::{BLANKS, Last, Pools, Route, Tools, Ways};
use crate::scan::Scan;
use crate::spacing::{Draft, Mark, Spacing};
use crate::spell::{Spelled, spell};
use crate::stacks::{StackId, Stacks};
use gramercy_base::Draw;
use modes::ModeSets;

/// Lexemes of one route that are tried.
const VARIANTS: usize = 8;
/// Random ones among them, where these are wanted.
const RANDOM_VARIANTS: usize = 3;
/// Candidates that are tried, per token on average.
const ATTEMPTS_PER_TOKEN: usize = 100;
/// Candidates that are tried without getting any further, at most: a long text is given up as soon as a
/// short one at a place that cannot be written.
const ATTEMPTS_AT_A_PLACE: usize = 4000;
/// How many tokens a search goes back from the furthest one it came to.
const MAX_BACK: usize = 3;
/// Tokens that are tried where any token will do.
const MAX_ANY: usize = 6;
/// Stacks whose ways are kept before all are forgotten.
const MAX_KEPT: usize = 4096;
/// Stacks that are looked at in search of the first place where something is possible.
const MAX_LOOKED_AT: usize = 300;

#[derive(Clone, Debug)]
pub(super) struct LexedWriter<'g> {
    grammar: &'g Grammar,
    lexer: Arc<Lexer>,
    dfa: Dfa,
    book: Book,
    stacks: Stacks,
    pools: Arc<Pools>,
    lexemes: Lexemes,
    spacing: Spacing,
    ways: Map<StackId, Arc<Here>>,
    modes: ModeSets,
    // What one text needs while it is written.
    draft: Draft,
    stack: StackId,
    placed: Vec<Placed>,
    ordinals: Ordinals,
    scratch: String,
    caution: Caution,
}

/// How a search treats pieces that could still become longer once a token stands after them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Caution {
    /// They are watched: most die soon, and text is shortest so.
    Watch,
    /// Candidates that leave some of them alive come last.
    Avoid,
}

/// What can come next from a stack, and which separators are tried in which order.
#[derive(Debug)]
struct Here {
    ways: Ways,
    /// If something is to be between tokens only where it must.
    minimal: Vec<Option<usize>>,
    /// If something is wanted between tokens.
    wanted: Vec<Option<usize>>,
}

/// A token that was put, with the way back.
#[derive(Clone, Copy, Debug)]
struct Placed {
    mark: Mark,
    stack: StackId,
    /// The next candidate, should this one lead nowhere.
    cursor: usize,
}

/// The text that is chosen for the end of a route.
enum Text {
    Lexeme(LexemeId, ModeOutcomeId),
    Spelled(Box<[LexemeId]>),
    /// In the scratch buffer, with the state after it.
    Scratch(Cell),
}

/// The routes to what is wanted at a place.
enum Routes<'w> {
    To(TerminalId, &'w [Route]),
    Any(Vec<(TerminalId, &'w Route)>),
    Fixed(Vec<(TerminalId, Route)>),
}

impl Routes<'_> {
    fn len(&self) -> usize {
        match self {
            Routes::To(_, routes) => routes.len(),
            Routes::Any(routes) => routes.len(),
            Routes::Fixed(routes) => routes.len(),
        }
    }

    fn get(&self, index: usize) -> Option<(TerminalId, &Route)> {
        match self {
            Routes::To(token, routes) => Some((*token, routes.get(index)?)),
            Routes::Any(routes) => routes.get(index).copied(),
            Routes::Fixed(routes) => routes.get(index).map(|(token, route)| (*token, route)),
        }
    }
}

/// The texts that were tried at a place, where more than one was: random ones are often the same.
#[derive(Default)]
struct Tried {
    /// The route and variant that is being tried.
    current: Option<usize>,
    texts: Set<String>,
}

impl Tried {
    /// Whether the text of a route and variant is another one than those before it.
    fn is_new(&mut self, writer: &LexedWriter<'_>, number: usize, text: &Text) -> bool {
        let Text::Scratch(_) = text else { return true };
        if self.current == Some(number) {
            return true;
        }
        self.current = Some(number);
        self.texts.insert(writer.scratch.clone())
    }
}

/// What is to be put at a place.
struct TokenRequest<'w> {
    tokens: &'w [TerminalId],
    index: usize,
    choice: &'w Choice<'w>,
}

impl TokenRequest<'_> {
    fn token(&self) -> TerminalId {
        self.tokens[self.index]
    }

    fn is_last(&self) -> bool {
        self.index + 1 == self.tokens.len()
    }

    fn fixed(&self) -> Option<&str> {
        self.choice.fixed_text(self.index)
    }
}

impl<'g> LexedWriter<'g> {
    pub(super) fn new(
        grammar: &'g Grammar,
        lexer: Arc<Lexer>,
        options: &WriteOptions,
    ) -> Result<Self, LimitReached> {
        let dfa = Dfa::new(&lexer, options.limits.states);
        let book = Book::new(grammar, &lexer, options)?;
        Ok(Self {
            grammar,
            lexer,
            dfa,
            book,
            stacks: Stacks::new(),
            pools: Arc::new(options.pool.by_terminal(grammar)),
            lexemes: options.lexemes,
            spacing: options.spacing,
            ways: Map::default(),
            modes: ModeSets::default(),
            draft: Draft::default(),
            stack: Stacks::initial(),
            placed: Vec::new(),
            ordinals: Ordinals::new(grammar),
            scratch: String::new(),
            caution: Caution::Watch,
        })
    }

    pub(super) fn write(
        &mut self,
        tokens: &[TerminalId],
        choice: &Choice<'_>,
        written: &mut Written,
    ) -> Result<(), Unwritable> {
        // No search is as fast as what is known of modes; but a fixed text may have characters that no
        // lexeme has.
        let first_fixed = choice.fixed.iter().map(|&(at, _)| at).min().unwrap_or(tokens.len());
        if let Some(impossible) = self.impossible(&tokens[..first_fixed]) {
            return Err(impossible);
        }
        self.ordinals.count(tokens);
        std::mem::swap(&mut self.draft.text, &mut written.text);
        self.caution = Caution::Watch;
        let mut result = self.search(tokens, choice, written);
        if result.is_err() {
            // The obstacle may lie further back than a search goes: `- -` that was written as the
            // beginning of a comment, which only the end of the text completes.
            self.caution = Caution::Avoid;
            written.tokens.clear();
            result = self.search(tokens, choice, written).or(result);
        }
        std::mem::swap(&mut self.draft.text, &mut written.text);
        result
    }

    fn search(
        &mut self,
        tokens: &[TerminalId],
        choice: &Choice<'_>,
        written: &mut Written,
    ) -> Result<(), Unwritable> {
        self.draft.clear();
        self.placed.clear();
        self.stack = Stacks::initial();
        let mut attempts = ATTEMPTS_PER_TOKEN * (tokens.len() + 4);
        let (mut cursor, mut failure) = (0, None::<Unwritable>);
        let (mut furthest, mut at_place) = (0, ATTEMPTS_AT_A_PLACE);
        loop {
            let index = self.placed.len();
            if index > furthest {
                (furthest, at_place) = (index, ATTEMPTS_AT_A_PLACE);
            }
            let request = TokenRequest { tokens, index, choice };
            let allowed = attempts.min(at_place);
            let mut left = allowed;
            let step = match index == tokens.len() {
                true => self.end(tokens),
                false => self.place(&request, cursor, &mut left, written),
            };
            attempts -= allowed - left;
            at_place -= allowed - left;
            let obstacle = match step {
                Ok(None) if index == tokens.len() => return Ok(()),
                Ok(None) => {
                    cursor = 0;
                    continue;
                }
                Ok(Some(obstacle)) => obstacle,
                Err(limit) => {
                    return Err(Unwritable { token_index: index, obstacle: limit.into() });
                }
            };
            let worse = failure.as_ref().is_some_and(|known| known.token_index >= index);
            let failed = match failure.take() {
                Some(known) if worse => known,
                _ => Unwritable { token_index: index, obstacle },
            };
            // Another candidate for the token before, unless that leads too far back.
            match self.placed.pop() {
                Some(before) if left > 0 && failed.token_index - index < MAX_BACK => {
                    self.draft.release(before.mark);
                    written.tokens.pop();
                    (self.stack, cursor) = (before.stack, before.cursor);
                    failure = Some(failed);
                }
                _ => return Err(failed),
            }
        }
    }

    /// Puts the next token by the first candidate from `cursor` on that fits; else says what is in the
    /// way.
    ///
    /// Candidates come in two laps. If one of the first leads nowhere, the next one has another text,
    /// as what comes before a token seldom matters to what comes after it; the second lap leaves
    /// nothing out.
    fn place(
        &mut self,
        request: &TokenRequest<'_>,
        cursor: usize,
        attempts: &mut usize,
        written: &mut Written,
    ) -> Result<Option<Obstacle>, LimitReached> {
        let here = self.here(self.stack)?;
        let routes = self.routes(request, &here)?;
        let order = if request.index == 0 { &here.minimal } else { &here.wanted };
        let per_variant = order.len() * routes.len();
        let lap = VARIANTS * per_variant;
        let (stack, mark) = (self.stack, self.draft.mark());
        let mut tried = Tried::default();
        let mut cursor = cursor;
        while cursor < 2 * lap && *attempts > 0 {
            let (is_first_lap, at) = (cursor < lap, cursor % lap);
            let (token, route) =
                routes.get(at / order.len() % routes.len()).expect("invariant: it is within them");
            let variant = at / per_variant;
            let next_text = cursor - at % order.len() + order.len();
            let separator = order[at % order.len()].map(|at| &*here.ways.separators[at]);
            cursor += 1;
            let text = self.text(request, route, variant)?;
            let Some(text) = text.filter(|text| tried.is_new(self, at / order.len(), text)) else {
                cursor = next_text;
                continue;
            };
            *attempts -= 1;
            if let Some((start, next)) = self.put(request, separator, route, &text)?
                && !(is_first_lap && self.caution == Caution::Avoid && self.draft.is_watched())
            {
                let end = self.draft.text.len();
                written.tokens.push(WrittenToken { terminal: token, start, end });
                let cursor = if is_first_lap { next_text } else { cursor };
                self.placed.push(Placed { mark, stack, cursor });
                self.stack = next;
                return Ok(None);
            }
            self.draft.reset(mark);
        }
        self.draft.release(mark);
        Ok(Some(self.obstacle(request, &here, routes.get(0).is_some())))
    }

    /// What stands in the way of a token for which no candidate fits.
    fn obstacle(&self, request: &TokenRequest<'_>, here: &Here, has_routes: bool) -> Obstacle {
        let (token, mode) = (request.token(), self.stacks.mode(self.stack));
        if has_routes {
            let left = request.index.checked_sub(1).map(|before| request.tokens[before]);
            return Obstacle::NoSeparator { left, right: Some(token), mode: Some(mode) };
        }
        if request.fixed().is_some() && here.ways.routes.contains_key(&token) {
            return Obstacle::NoLexeme(token);
        }
        self.not_possible(token, mode)
    }

    /// What stands in the way of a token to which no route leads.
    fn not_possible(&self, token: TerminalId, mode: ModeId) -> Obstacle {
        match self.pools.contains_key(&token) {
            true => Obstacle::NoLexeme(token),
            false => Obstacle::NotInMode { token, mode },
        }
    }

    /// Ends the text, with a separator if it must be; else says what is in the way.
    fn end(&mut self, tokens: &[TerminalId]) -> Result<Option<Obstacle>, LimitReached> {
        if tokens.is_empty() {
            return self.write_nothing();
        }
        if self.draft.can_end(&self.lexer, &mut self.dfa)? {
            return Ok(None);
        }
        let here = self.here(self.stack)?;
        let mark = self.draft.mark();
        for separator in &here.ways.separators {
            if self.append_all(separator)? && self.draft.can_end(&self.lexer, &mut self.dfa)? {
                return Ok(None);
            }
            self.draft.reset(mark);
        }
        self.draft.release(mark);
        let (left, mode) = (tokens.last().copied(), Some(self.stacks.mode(self.stack)));
        Ok(Some(Obstacle::NoSeparator { left, right: None, mode }))
    }

    /// Even the empty text may be a token: a rule that asks for nothing but the end of input.
    fn write_nothing(&mut self) -> Result<Option<Obstacle>, LimitReached> {
        let here = self.here(self.stack)?;
        let mut texts = vec![String::new()];
        for separator in &here.ways.separators {
            let lexemes = separator.iter().map(|&lexeme| &*self.book.lexemes[lexeme].text);
            texts.push(lexemes.collect());
        }
        for text in texts {
            if Scan::new(&self.lexer, &mut self.dfa, &text).next_visible() == Ok(None) {
                self.draft.text = text;
                return Ok(None);
            }
        }
        let mode = Some(self.stacks.mode(self.stack));
        Ok(Some(Obstacle::NoSeparator { left: None, right: None, mode }))
    }

    /// Appends a separator and a route; where the token begins and which stack is after it, unless a
    /// boundary breaks.
    fn put(
        &mut self,
        request: &TokenRequest<'_>,
        separator: Option<&[LexemeId]>,
        route: &Route,
        text: &Text,
    ) -> Result<Option<(usize, StackId)>, LimitReached> {
        if let Some(separator) = separator
            && !self.append_all(separator)?
        {
            return Ok(None);
        }
        let mut start = None;
        let mut stack = self.stack;
        for (at, &piece) in route.lead.iter().enumerate() {
            let between = (at > 0 && at <= route.hidden).then_some(stack);
            let Some(begins) = self.append_lead(piece, between)? else { return Ok(None) };
            if at >= route.hidden {
                start.get_or_insert(begins);
            }
            let effect = &self.dfa.outcome(self.book.pieces[piece].outcome).effect;
            let Some(after) = self.stacks.after(stack, effect) else { return Ok(None) };
            stack = after;
        }
        let whole = route.lead.len() == route.hidden;
        let between = (whole && route.hidden > 0).then_some(stack);
        // At the end of input a lexer that has matched anything is done, unless a token was begun.
        let may_be_empty = !whole || (route.hidden == 0 && self.draft.text.is_empty());
        let Some(begins) = self.append_last(request, text, may_be_empty, between)? else {
            return Ok(None);
        };
        Ok(Some((start.unwrap_or(begins), route.next)))
    }

    /// Appends the shortest lexeme of a piece that leads to a token.
    fn append_lead(
        &mut self,
        piece: ModeOutcomeId,
        between: Option<StackId>,
    ) -> Result<Option<usize>, LimitReached> {
        let lexeme = [self.book.pieces[piece].shortest];
        self.separated(between, |this| this.append_all(&lexeme))
    }

    /// Appends the end of a route.
    fn append_last(
        &mut self,
        request: &TokenRequest<'_>,
        text: &Text,
        may_be_empty: bool,
        between: Option<StackId>,
    ) -> Result<Option<usize>, LimitReached> {
        match text {
            Text::Lexeme(lexeme, piece) if self.book.lexemes[*lexeme].when == When::AtEnd => {
                let outcome = self.book.pieces[*piece].outcome;
                self.append_at_end(request, *lexeme, outcome, may_be_empty)
            }
            Text::Lexeme(lexeme, _) => self.separated(between, |this| this.append_all(&[*lexeme])),
            Text::Spelled(lexemes) => self.separated(between, |this| this.append_all(lexemes)),
            Text::Scratch(end) => {
                let scratch = std::mem::take(&mut self.scratch);
                let result = self.separated(between, |this| {
                    this.draft.append(&this.lexer, &mut this.dfa, &scratch, *end)
                });
                self.scratch = scratch;
                result
            }
        }
    }

    /// A piece that needs the end of input is for the last token.
    fn append_at_end(
        &mut self,
        request: &TokenRequest<'_>,
        lexeme: LexemeId,
        outcome: OutcomeId,
        may_be_empty: bool,
    ) -> Result<Option<usize>, LimitReached> {
        let (begins, lexeme) = (self.draft.text.len(), &self.book.lexemes[lexeme]);
        if !request.is_last() || (lexeme.text.is_empty() && !may_be_empty) {
            return Ok(None);
        }
        let (text, end) = (&lexeme.text, lexeme.end);
        let fits = self.draft.append_last(&self.lexer, &mut self.dfa, text, end, outcome)?;
        Ok(fits.then_some(begins))
    }

    /// Appends something, with the separators of a stack before it if it does not fit without; where
    /// it begins, if it fits at all.
    fn separated(
        &mut self,
        between: Option<StackId>,
        mut append: impl FnMut(&mut Self) -> Result<bool, LimitReached>,
    ) -> Result<Option<usize>, LimitReached> {
        let begins = self.draft.text.len();
        let Some(stack) = between else { return Ok(append(self)?.then_some(begins)) };
        let mark = self.draft.mark();
        if append(self)? {
            return Ok(Some(begins));
        }
        for separator in &self.here(stack)?.ways.separators {
            self.draft.reset(mark);
            if self.append_all(separator)? {
                let begins = self.draft.text.len();
                if append(self)? {
                    return Ok(Some(begins));
                }
            }
        }
        Ok(None)
    }

    fn append_all(&mut self, lexemes: &[LexemeId]) -> Result<bool, LimitReached> {
        for &lexeme in lexemes {
            let lexeme = &self.book.lexemes[lexeme];
            if !self.draft.append(&self.lexer, &mut self.dfa, &lexeme.text, lexeme.end)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The text for the end of a route; `None` if there is no such variant.
    fn text(
        &mut self,
        request: &TokenRequest<'_>,
        route: &Route,
        variant: usize,
    ) -> Result<Option<Text>, LimitReached> {
        let turn = |len: usize| {
            let first = self.ordinals.turn(request.index, request.choice, len);
            (variant < len).then(|| (first + variant) % len)
        };
        let piece = match &route.last {
            Last::Spelled(spellings) => {
                return Ok(turn(spellings.len()).map(|at| Text::Spelled(spellings[at].clone())));
            }
            Last::ModeOutcome(piece) => *piece,
        };
        let lexeme = match self.lexemes {
            Lexemes::Random if variant < RANDOM_VARIANTS => None,
            // Where random ones do not fit, one with another structure may.
            Lexemes::Random => {
                let cycle = self.book.cycle(&self.lexer, &mut self.dfa, piece)?;
                let Some(&lexeme) = cycle.get(variant - RANDOM_VARIANTS) else { return Ok(None) };
                Some(lexeme)
            }
            Lexemes::Shortest if variant == 0 => Some(self.book.pieces[piece].shortest),
            Lexemes::Shortest => {
                self.book.cycle(&self.lexer, &mut self.dfa, piece)?.get(variant).copied()
            }
            Lexemes::Ordinary => {
                let ordinary = self.book.ordinary(&self.lexer, &mut self.dfa, piece)?;
                let len = ordinary.len();
                match turn(len) {
                    Some(at) => Some(ordinary[at]),
                    // Where no ordinary one fits, one with another structure may.
                    None => {
                        let cycle = self.book.cycle(&self.lexer, &mut self.dfa, piece)?;
                        cycle.get(variant - len).copied()
                    }
                }
            }
            Lexemes::Varied => {
                let cycle = self.book.cycle(&self.lexer, &mut self.dfa, piece)?;
                turn(cycle.len()).map(|at| cycle[at])
            }
        };
        if let Some(lexeme) = lexeme {
            return Ok(Some(Text::Lexeme(lexeme, piece)));
        }
        // Random ones where they are wanted, and where all others were in the way.
        let Choice { seed, test, .. } = *request.choice;
        Ok(self.random_text(piece, [seed, test, request.index as u64, variant as u64]))
    }

    fn random_text(&mut self, piece: ModeOutcomeId, keys: [u64; 4]) -> Option<Text> {
        self.scratch.clear();
        let end = self.book.random(&self.dfa, piece, &mut Draw::new(keys), &mut self.scratch);
        end.map(Text::Scratch)
    }

    /// The routes to what is wanted at a place.
    fn routes<'w>(
        &mut self,
        request: &TokenRequest<'_>,
        here: &'w Here,
    ) -> Result<Routes<'w>, LimitReached> {
        let token = request.token();
        if let Some(text) = request.fixed() {
            return Ok(Routes::Fixed(self.fixed_routes(token, text, here)?));
        }
        if let TerminalKind::AnyTokenBut(not) = &self.grammar.terminals()[token].kind {
            let mut any: Vec<_> = here
                .ways
                .routes
                .iter()
                .filter(|(token, _)| !not.contains(token))
                .filter_map(|(&token, routes)| Some((token, routes.first()?)))
                .collect();
            any.sort_by_key(|(token, route)| (route.cost, *token));
            let first = self.ordinals.turn(request.index, request.choice, any.len());
            any.rotate_left(first);
            any.truncate(MAX_ANY);
            return Ok(Routes::Any(any));
        }
        Ok(Routes::To(token, here.ways.routes.get(&token).map_or(&[], Vec::as_slice)))
    }

    /// Routes that end in a given text.
    fn fixed_routes(
        &mut self,
        token: TerminalId,
        text: &str,
        here: &Here,
    ) -> Result<Vec<(TerminalId, Route)>, LimitReached> {
        let mut leads: IndexSet<&[ModeOutcomeId]> = IndexSet::from_iter([&[][..]]);
        let meant = here.ways.routes.iter().filter(|(of, _)| self.is_meant(token, **of));
        let usual = meant.flat_map(|(_, routes)| routes);
        leads.extend(usual.map(|route| &route.lead[..route.hidden]));
        let mut routes = Vec::new();
        for lead in leads {
            let stack = lead.iter().try_fold(self.stack, |stack, &piece| {
                let effect = &self.dfa.outcome(self.book.pieces[piece].outcome).effect;
                self.stacks.after(stack, effect)
            });
            let Some(stack) = stack else { continue };
            if let Some(Spelled { token: Some(found), next, lexemes }) =
                spell(&mut self.tools(), stack, text)?
                && self.is_meant(token, found)
            {
                let (last, hidden) = (Last::Spelled(vec![lexemes]), lead.len());
                routes.push((found, Route { lead: lead.into(), last, next, cost: 0, hidden }));
            }
        }
        Ok(routes)
    }

    /// What can come next from a stack.
    #[inline]
    fn here(&mut self, stack: StackId) -> Result<Arc<Here>, LimitReached> {
        match self.ways.get(&stack) {
            Some(known) => Ok(Arc::clone(known)),
            None => self.make_here(stack),
        }
    }

    #[cold]
    fn make_here(&mut self, stack: StackId) -> Result<Arc<Here>, LimitReached> {
        let pools = Arc::clone(&self.pools);
        let ways = Ways::new(&mut Tools { pools: &pools, ..self.tools() }, stack)?;
        let minimal: Vec<_> =
            std::iter::once(None).chain((0..ways.separators.len()).map(Some)).collect();
        let mut wanted = minimal.clone();
        let blank = match self.spacing {
            Spacing::Minimal => None,
            Spacing::Space => self.separator_of(&ways, BLANKS[0]),
            Spacing::Newline => self.separator_of(&ways, BLANKS[1]),
        };
        // Where the blank that is wanted is none, any other is better than nothing.
        let blank = blank.or_else(|| {
            let blanks = BLANKS.iter().filter(|_| self.spacing != Spacing::Minimal);
            blanks.filter_map(|blank| self.separator_of(&ways, blank)).next()
        });
        if let Some(blank) = blank {
            wanted.retain(|at| *at != Some(blank));
            wanted.insert(0, Some(blank));
        }
        let here = Arc::new(Here { ways, minimal, wanted });
        if self.ways.len() >= MAX_KEPT {
            self.ways.clear();
        }
        self.ways.insert(stack, Arc::clone(&here));
        Ok(here)
    }

    fn separator_of(&self, ways: &Ways, text: &str) -> Option<usize> {
        ways.separators.iter().position(|lexemes| match lexemes[..] {
            [only] => *self.book.lexemes[only].text == *text,
            _ => false,
        })
    }

    fn tools(&mut self) -> Tools<'_> {
        Tools {
            lexer: &self.lexer,
            dfa: &mut self.dfa,
            book: &mut self.book,
            stacks: &mut self.stacks,
            pools: &self.pools,
        }
    }

    /// The stacks that texts lead to, nearest first, as far as it is sensible to look.
    fn reachable_stacks(&mut self) -> Vec<StackId> {
        let mut found = IndexSet::<StackId>::from_iter([Stacks::initial()]);
        let mut at = 0;
        while at < found.len().min(MAX_LOOKED_AT) {
            if let Ok(here) = self.here(found[at]) {
                found.extend(here.ways.routes.values().flatten().map(|route| route.next));
            }
            at += 1;
        }
        found.into_iter().take(MAX_LOOKED_AT).collect()
    }

    pub(super) fn lexemes_of(&mut self, terminal: TerminalId) -> Vec<String> {
        for stack in self.reachable_stacks() {
            let Ok(here) = self.here(stack) else { continue };
            let Some(route) = here.ways.routes.get(&terminal).and_then(|routes| routes.first())
            else {
                continue;
            };
            let shortest = |piece: &ModeOutcomeId| self.book.pieces[*piece].shortest;
            let begun: Vec<_> = route.lead[route.hidden..].iter().map(shortest).collect();
            let ends: Vec<Box<[LexemeId]>> = match &route.last {
                Last::Spelled(spellings) => spellings.clone(),
                Last::ModeOutcome(piece) => {
                    let cycle = self.book.cycle(&self.lexer, &mut self.dfa, *piece);
                    cycle.unwrap_or_default().iter().map(|&lexeme| [lexeme].into()).collect()
                }
            };
            let text = |lexeme: &LexemeId| &*self.book.lexemes[*lexeme].text;
            return ends.iter().map(|end| begun.iter().chain(end).map(text).collect()).collect();
        }
        Vec::new()
    }

    pub(super) fn wrong_pool_lexemes(&mut self) -> Vec<(TerminalId, String)> {
        let stacks = self.reachable_stacks();
        let pools = Arc::clone(&self.pools);
        let mut wrong = Vec::new();
        for (&token, texts) in &*pools {
            for text in texts {
                let is_right = |&stack: &StackId| {
                    let spelled = spell(&mut self.tools(), stack, text);
                    matches!(spelled, Ok(Some(Spelled { token: Some(found), .. })) if found == token)
                };
                if !stacks.iter().any(is_right) {
                    wrong.push((token, text.to_string()));
                }
            }
        }
        wrong
    }

    pub(super) fn matching(&mut self, rule: RuleId) -> Option<Matching<'_>> {
        let Self { lexer, dfa, book, grammar, .. } = self;
        let mode = grammar.rules()[rule].token()?.mode;
        Some(Matching { lexer, dfa, alphabet: &book.alphabet, rule, mode })
    }

    pub(super) fn matches(&mut self, text: &str) -> Vec<(RuleId, Range<usize>)> {
        let mut scan = Scan::new(&self.lexer, &mut self.dfa, text);
        let mut found = Vec::new();
        while let Ok(Some(matched)) = scan.next_match() {
            found.push(matched);
        }
        let rule = |outcome| self.dfa.outcome(outcome).rule;
        found.into_iter().map(|of| (rule(of.outcome), of.start..of.end)).collect()
    }

    /// A quick writer with these lexemes, but for those that are none in the first mode.
    pub(super) fn quick(
        &mut self,
        pools: &quick::Pools,
    ) -> Result<Option<Arc<Quick>>, LimitReached> {
        let automaton = (&*self.lexer, &mut self.dfa);
        let allows = |blank: &str| self.book.alphabet.allows(blank);
        Quick::with_lexer(pools, automaton, self.spacing, allows)
    }

    pub(super) fn reads_back(&mut self, written: &Written) -> bool {
        let mut scan = Scan::new(&self.lexer, &mut self.dfa, &written.text);
        let same = |expected: &WrittenToken| {
            let token = scan.next_visible();
            matches!(token, Ok(Some(token)) if token.terminal == expected.terminal
                && (token.start, token.end) == (expected.start, expected.end))
        };
        written.tokens.iter().all(same) && scan.next_visible() == Ok(None)
    }
}
