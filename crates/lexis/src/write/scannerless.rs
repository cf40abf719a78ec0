//! Grammars whose terminals are text: a sentence's text is their concatenation.

use gramercy_base::{LimitReached, Limits, Table};
use gramercy_grammar::{Grammar, TerminalId, TerminalKind};
use gramercy_regular::{CharSet, Dfa as RegexDfa, Regex};

use super::edited::Edited;
use super::ordinals::Ordinals;
use super::{Choice, Modes, Obstacle, Unwritable, Writable, WriteOptions, Written, WrittenToken};
use crate::alphabet::{Alphabet, Pick, picks};
use crate::lexemes::shape::Shapes;
use crate::lexemes::{Lexemes, ordinary, varied, words};
use gramercy_base::Draw;

#[derive(Clone, Debug)]
pub(super) struct ScannerlessWriter {
    lexemes: Lexemes,
    terminals: Table<TerminalId, Terminal>,
    /// Whether some terminal has several texts.
    has_choice: bool,
    ordinals: Ordinals,
    edited: Edited,
}

/// What a terminal is written as.
#[derive(Clone, Debug)]
struct Terminal {
    /// Some of its texts, the shortest first; none if it has none that may be written.
    cycle: Vec<Box<str>>,
    /// Short, readable ones of its texts; the shortest if there are no others.
    ordinary: Vec<Box<str>>,
    /// All of them, where there are more.
    rest: Option<Rest>,
    /// The lexemes of a pool that are not texts of the terminal.
    wrong: Vec<Box<str>>,
}

#[derive(Clone, Debug)]
enum Rest {
    Chars(Box<[Pick]>),
    Regex(Box<words::Random>),
}

impl ScannerlessWriter {
    pub(super) fn new(grammar: &Grammar, options: &WriteOptions) -> Result<Self, LimitReached> {
        let mut shapes = Shapes::new(grammar, &options.alphabet, &options.limits)?;
        let pools = options.pool.by_terminal(grammar);
        let mut terminals = Table::with_capacity(grammar.terminals().len());
        for (id, terminal) in grammar.terminals().iter() {
            let pool = pools.get(&id).map(Vec::as_slice);
            terminals.push(Terminal::new(&mut shapes, &terminal.kind, pool, options)?);
        }
        let has_choice =
            terminals.iter().any(|(_, terminal): (_, &Terminal)| terminal.cycle.len() > 1);
        let ordinals = Ordinals::new(grammar);
        let (lexemes, edited) = (options.lexemes, Edited::default());
        Ok(Self { lexemes, terminals, has_choice, ordinals, edited })
    }

    pub(super) fn write(
        &mut self,
        tokens: &[TerminalId],
        choice: &Choice<'_>,
        written: &mut Written,
    ) -> Result<(), Unwritable> {
        if self.has_choice {
            self.ordinals.count(tokens);
        }
        written.tokens.reserve(tokens.len());
        for (index, &terminal) in tokens.iter().enumerate() {
            let start = written.text.len();
            match choice.fixed_text(index) {
                Some(text) => written.text.push_str(text),
                None => self
                    .put(terminal, index, choice, &mut written.text)
                    .map_err(|obstacle| Unwritable { token_index: index, obstacle })?,
            }
            written.tokens.push(WrittenToken { terminal, start, end: written.text.len() });
        }
        Ok(())
    }

    pub(super) fn edit(&mut self, tokens: &[TerminalId]) -> Option<&str> {
        if self.has_choice && self.lexemes != Lexemes::Shortest {
            return None;
        }
        let text_of = |token| self.terminals[token].cycle.first().map(|text| &**text);
        self.edited.edit(tokens, text_of)?;
        Some(self.edited.text())
    }

    pub(super) fn edited(&self) -> &str {
        self.edited.text()
    }

    fn put(
        &self,
        terminal: TerminalId,
        index: usize,
        choice: &Choice<'_>,
        text: &mut String,
    ) -> Result<(), Obstacle> {
        let Terminal { cycle, ordinary, rest, .. } = &self.terminals[terminal];
        let Some(shortest) = cycle.first() else { return Err(Obstacle::NoLexeme(terminal)) };
        match (self.lexemes, rest, cycle.len()) {
            (Lexemes::Random, Some(rest), _) => {
                let mut draw = Draw::new([choice.seed, choice.test, index as u64, 0]);
                rest.draw(&mut draw, text);
            }
            (Lexemes::Shortest, ..) | (.., 1) => text.push_str(shortest),
            (Lexemes::Ordinary, ..) => {
                text.push_str(&ordinary[self.ordinals.turn(index, choice, ordinary.len())]);
            }
            (Lexemes::Varied | Lexemes::Random, _, texts) => {
                text.push_str(&cycle[self.ordinals.turn(index, choice, texts)]);
            }
        }
        Ok(())
    }

    pub(super) fn can_write(&self, token: TerminalId) -> Writable {
        match self.terminals[token].cycle.is_empty() {
            true => Writable::Impossible(Obstacle::NoLexeme(token)),
            false => Writable::Yes(Modes::ONLY),
        }
    }

    pub(super) fn lexemes_of(&self, terminal: TerminalId) -> Vec<String> {
        self.terminals[terminal].cycle.iter().map(ToString::to_string).collect()
    }

    pub(super) fn wrong_pool_lexemes(&self) -> Vec<(TerminalId, String)> {
        let of_one = |(id, terminal): (TerminalId, &Terminal)| {
            let wrong = terminal.wrong.clone();
            wrong.into_iter().map(move |text| (id, text.into_string()))
        };
        self.terminals.iter().flat_map(of_one).collect()
    }
}

impl Terminal {
    fn new(
        shapes: &mut Shapes,
        kind: &TerminalKind,
        pool: Option<&[Box<str>]>,
        options: &WriteOptions,
    ) -> Result<Self, LimitReached> {
        if let Some(texts) = pool {
            return Self::of_pool(kind, texts, &options.limits);
        }
        let alphabet = &options.alphabet;
        let (mut cycle, mut ordinary): (Vec<Box<str>>, Vec<Box<str>>) = (Vec::new(), Vec::new());
        if kind.is_empty() {
            cycle.push("".into());
        } else if let Some(shape) = shapes.add_terminal(kind)? {
            let texts = varied::covering(shapes, shape, |text| alphabet.allows(text));
            cycle = texts.into_iter().map(String::into_boxed_str).collect();
            let texts = ordinary::texts(shapes, shape, |text| alphabet.allows(text));
            ordinary = texts.into_iter().map(String::into_boxed_str).collect();
        }
        let rest = match kind {
            TerminalKind::Chars(set) => Some(Rest::Chars(picks(set, alphabet))),
            TerminalKind::Regex { regex, .. } => {
                let dfa = automaton(regex, options)?;
                Self::complete_cycle(&mut cycle, &dfa, alphabet);
                ordinary.retain(|text| dfa.matches(text));
                Some(Rest::Regex(Box::new(words::Random::new(dfa, alphabet))))
            }
            _ => None,
        };
        if ordinary.is_empty() {
            ordinary.extend(cycle.first().cloned());
        }
        let rest = rest.filter(|_| !cycle.is_empty());
        Ok(Self { cycle, ordinary, rest, wrong: Vec::new() })
    }

    /// Walks over the structure leave out the empty text, and what only the automaton knows.
    fn complete_cycle(cycle: &mut Vec<Box<str>>, dfa: &RegexDfa, alphabet: &Alphabet) {
        cycle.retain(|text| dfa.matches(text));
        if dfa.accepts_empty() {
            cycle.insert(0, "".into());
        }
        if cycle.is_empty() {
            let words = words::covering(dfa, alphabet);
            cycle.extend(words.into_iter().map(String::into_boxed_str));
        }
    }

    fn of_pool(
        kind: &TerminalKind,
        texts: &[Box<str>],
        limits: &Limits,
    ) -> Result<Self, LimitReached> {
        let is_text: Box<dyn Fn(&str) -> bool> = match kind {
            TerminalKind::Literal(literal) => Box::new(|text| *text == **literal),
            TerminalKind::Chars(set) => Box::new(|text| {
                let mut chars = text.chars();
                chars.next().is_some_and(|c| set.contains(c.into())) && chars.next().is_none()
            }),
            TerminalKind::Regex { regex, .. } => {
                let dfa = RegexDfa::minimal(regex, limits)?;
                Box::new(move |text| dfa.matches(text))
            }
            _ => Box::new(|_| false),
        };
        let (cycle, wrong): (Vec<Box<str>>, _) =
            texts.iter().cloned().partition(|text| is_text(text));
        Ok(Self { ordinary: cycle.clone(), cycle, rest: None, wrong })
    }
}

/// The automaton of the words that may be written: long ones, if that is wanted and there are any.
fn automaton(regex: &Regex, options: &WriteOptions) -> Result<RegexDfa, LimitReached> {
    let WriteOptions { alphabet, lexeme_length, limits, .. } = options;
    let all = RegexDfa::minimal(regex, limits)?;
    let Some(min) = u32::try_from(*lexeme_length).ok().filter(|&min| min > 0) else {
        return Ok(all);
    };
    let any = Box::new(Regex::Chars(CharSet::any()));
    let of_length = Regex::Repeat { inner: any, min, max: None };
    let long = RegexDfa::minimal(&Regex::Intersection(vec![regex.clone(), of_length]), limits)?;
    let has_words = !words::covering(&long, alphabet).is_empty();
    Ok(if has_words { long } else { all })
}

impl Rest {
    fn draw(&self, draw: &mut Draw, text: &mut String) {
        match self {
            Rest::Chars(picks) => text.push(picks[draw.below(picks.len())].c),
            Rest::Regex(words) => words.draw(draw, text),
        }
    }
}
