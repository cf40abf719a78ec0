//! The structure of lexical rules and regular expressions, in one form: where there is a choice, and
//! of what. Lexemes that cover a rule's structure are walks over it.
//!
//! Linear in the rules; character sets become the characters that they offer.

use gramercy_base::{Id, LimitReached, Limits, Map, Table};
use gramercy_grammar::{ExprId, ExprKind, Grammar, RuleId, RuleKind, TerminalKind};
use gramercy_regular::{CharSet, Dfa as RegexDfa, Regex, unicode};

use crate::alphabet::{Alphabet, CharKind, Pick, picks};
use crate::lexemes::words;

gramercy_base::define_id!(pub(crate) struct ShapeId, "a part of a rule's structure");

/// A part of a rule's structure.
#[derive(Clone, Debug)]
pub(crate) enum Shape {
    /// One of these characters, the pleasant first; with none, this cannot be written.
    Chars {
        picks: Box<[Pick]>,
        /// Whether the set is a list of characters more than of ranges, so that each matters.
        listed: bool,
    },
    /// One after the other.
    Sequence(Box<[ShapeId]>),
    /// One of these.
    Choice(Box<[ShapeId]>),
    /// The same thing several times.
    Repeat { body: ShapeId, min: u32, max: Option<u32> },
    /// Another rule.
    Rule(RuleId),
}

/// The structure of all lexical rules of a grammar, and of whatever else was added.
#[derive(Clone, Debug)]
pub(crate) struct Shapes {
    pub(crate) nodes: Table<ShapeId, Shape>,
    pub(crate) rules: Table<RuleId, Option<ShapeId>>,
    /// The price of the cheapest text of every shape; `None` if there is none.
    pub(crate) cheapest: Table<ShapeId, Option<u64>>,
    /// The weight of the plainest text of every shape: few characters, and above all few that are neither letters nor
    /// digits; `None` if there is none.
    pub(crate) plainest: Table<ShapeId, Option<u64>>,
    known_sets: Map<CharSet, ShapeId>,
    alphabet: Alphabet,
    limits: Limits,
}

/// The largest set of characters that may be a list.
const MAX_LISTED: usize = 16;
/// An alternation of more single characters and ranges than this is treated as one set.
const MAX_SINGLE: usize = 16;

/// The set of alternatives that are single characters, all of them.
fn single_characters(grammar: &Grammar, alternatives: &[ExprId]) -> Option<CharSet> {
    let of_one = |&id: &ExprId| match &grammar.expr(id).kind {
        ExprKind::Terminal(terminal) => match &grammar.terminals()[*terminal].kind {
            TerminalKind::Chars(set) => Some(set.ranges().to_vec()),
            TerminalKind::Literal(text) if text.chars().count() == 1 => {
                Some(text.chars().map(|c| (u32::from(c), u32::from(c))).collect())
            }
            _ => None,
        },
        _ => None,
    };
    let ranges: Option<Vec<_>> = alternatives.iter().map(of_one).collect();
    Some(CharSet::from_ranges(ranges?.into_iter().flatten()))
}

impl Shapes {
    /// The structure of a grammar's lexical rules.
    ///
    /// # Errors
    /// If an automaton of a regular expression is larger than the limits allow.
    pub(crate) fn new(
        grammar: &Grammar,
        alphabet: &Alphabet,
        limits: &Limits,
    ) -> Result<Self, LimitReached> {
        let mut shapes = Self {
            nodes: Table::new(),
            rules: Table::filled(None, grammar.rules().len()),
            cheapest: Table::new(),
            plainest: Table::new(),
            known_sets: Map::default(),
            alphabet: alphabet.clone(),
            limits: *limits,
        };
        for (id, rule) in grammar.rules().iter() {
            let ignore_case = match &rule.kind {
                RuleKind::Syntax => continue,
                RuleKind::Token(token) => token.ignore_case,
                RuleKind::Fragment { ignore_case } => *ignore_case,
            };
            shapes.rules[id] = Some(shapes.expr(grammar, rule.body, ignore_case)?);
        }
        shapes.price(0);
        Ok(shapes)
    }

    /// Adds the structure of a terminal of a scannerless grammar; `None` if it is none.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub(crate) fn add_terminal(
        &mut self,
        kind: &TerminalKind,
    ) -> Result<Option<ShapeId>, LimitReached> {
        let known = self.nodes.len();
        let shape = match kind {
            TerminalKind::Literal(text) => self.text(text),
            TerminalKind::Chars(set) => self.chars(set),
            TerminalKind::Regex { regex, .. } => self.regex(regex)?,
            TerminalKind::Token { .. } | TerminalKind::AnyTokenBut(_) | TerminalKind::Eof => {
                return Ok(None);
            }
        };
        self.price(known);
        Ok(Some(shape))
    }

    /// Nesting is bounded by the readers.
    fn expr(
        &mut self,
        grammar: &Grammar,
        id: ExprId,
        ignore_case: bool,
    ) -> Result<ShapeId, LimitReached> {
        let shape = match &grammar.expr(id).kind {
            ExprKind::Alternation(alternatives) => {
                let exprs: Vec<_> = alternatives.iter().map(|a| a.expr).collect();
                if exprs.len() > MAX_SINGLE
                    && let Some(set) = single_characters(grammar, &exprs)
                {
                    return Ok(self.chars(&set));
                }
                let branches = self.exprs(grammar, &exprs, ignore_case)?;
                if let [only] = branches[..] {
                    return Ok(only);
                }
                Shape::Choice(branches)
            }
            ExprKind::Sequence(items) => {
                Shape::Sequence(self.exprs(grammar, items, ignore_case)?)
            }
            &ExprKind::Repeat { body, min, max, .. } => {
                Shape::Repeat { body: self.expr(grammar, body, ignore_case)?, min, max }
            }
            ExprKind::Rule(rule) => Shape::Rule(*rule),
            ExprKind::Commands(_) => Shape::Sequence([].into()),
            ExprKind::Terminal(terminal) => {
                return match &grammar.terminals()[*terminal].kind {
                    TerminalKind::Literal(text) if ignore_case => Ok(self.text_in_any_case(text)),
                    TerminalKind::Literal(text) => Ok(self.text(text)),
                    TerminalKind::Chars(set) => Ok(self.chars(set)),
                    TerminalKind::Regex { regex, .. } => self.regex(regex),
                    // The end of input is not for writing in the middle of a text.
                    _ => Ok(self.chars(&CharSet::empty())),
                };
            }
        };
        Ok(self.push(shape))
    }

    fn exprs(
        &mut self,
        grammar: &Grammar,
        ids: &[ExprId],
        ignore_case: bool,
    ) -> Result<Box<[ShapeId]>, LimitReached> {
        ids.iter().map(|&id| self.expr(grammar, id, ignore_case)).collect()
    }

    /// Nesting is bounded by the dialects.
    fn regex(&mut self, regex: &Regex) -> Result<ShapeId, LimitReached> {
        let shape = match regex {
            Regex::Nothing => return Ok(self.chars(&CharSet::empty())),
            Regex::Empty => Shape::Sequence([].into()),
            Regex::Chars(set) => return Ok(self.chars(set)),
            Regex::Concat(items) => Shape::Sequence(
                items.iter().map(|item| self.regex(item)).collect::<Result<_, _>>()?,
            ),
            Regex::Union(branches) => {
                Shape::Choice(branches.iter().map(|one| self.regex(one)).collect::<Result<_, _>>()?)
            }
            Regex::Repeat { inner, min, max } => {
                Shape::Repeat { body: self.regex(inner)?, min: *min, max: *max }
            }
            Regex::Intersection(_) | Regex::Complement(_) => {
                let dfa = RegexDfa::minimal(regex, &self.limits)?;
                let words = words::covering(&dfa, &self.alphabet);
                Shape::Choice(words.iter().map(|word| self.text(word)).collect())
            }
        };
        Ok(self.push(shape))
    }

    fn text(&mut self, text: &str) -> ShapeId {
        let letters = text.chars().map(|c| self.chars(&CharSet::single(c))).collect();
        self.push(Shape::Sequence(letters))
    }

    fn text_in_any_case(&mut self, text: &str) -> ShapeId {
        let letters = text.chars().map(|c| {
            let (lower, upper) = unicode::simple_case_variants(c.into());
            let set = CharSet::from_ranges([(lower, lower), (upper, upper)]);
            // Every letter is a choice of its own.
            self.new_chars(&set)
        });
        let letters = letters.collect();
        self.push(Shape::Sequence(letters))
    }

    fn chars(&mut self, set: &CharSet) -> ShapeId {
        if set.len() != 1 {
            return self.new_chars(set);
        }
        // A single character is no choice, and most shapes are single characters.
        if let Some(&known) = self.known_sets.get(set) {
            return known;
        }
        let id = self.new_chars(set);
        self.known_sets.insert(set.clone(), id);
        id
    }

    fn new_chars(&mut self, set: &CharSet) -> ShapeId {
        let listed = set.len() <= MAX_LISTED && set.len() <= 2 * set.ranges().len();
        self.push(Shape::Chars { picks: picks(set, &self.alphabet), listed })
    }

    fn push(&mut self, shape: Shape) -> ShapeId {
        self.cheapest.push(None);
        self.plainest.push(None);
        self.nodes.push(shape)
    }

    /// Finds prices and weights, in as many rounds as references nest.
    fn price(&mut self, known: usize) {
        let Self { nodes, rules, cheapest, plainest, .. } = self;
        settle(nodes, rules, cheapest, known, |pick| pick.cost());
        settle(nodes, rules, plainest, known, |pick| weight(pick.kind));
    }
}

/// The weight of a character that is neither a letter nor a digit, as a bracket is.
pub(crate) const PUNCTUATION_WEIGHT: u64 = 20;

/// The weight of a character in a text that is to be plain.
fn weight(kind: CharKind) -> u64 {
    match kind {
        CharKind::Lower | CharKind::Digit | CharKind::Upper => 1,
        CharKind::Punctuation => PUNCTUATION_WEIGHT,
        CharKind::Space | CharKind::LineEnd | CharKind::Tab => 4 * PUNCTUATION_WEIGHT,
        CharKind::Wide | CharKind::Astral | CharKind::Combining => 20 * PUNCTUATION_WEIGHT,
        CharKind::Odd => 1000 * PUNCTUATION_WEIGHT,
    }
}

/// Finds for every shape from `known` on the least cost of a text, where `cost` is that of a character.
fn settle(
    nodes: &Table<ShapeId, Shape>,
    rules: &Table<RuleId, Option<ShapeId>>,
    least: &mut Table<ShapeId, Option<u64>>,
    known: usize,
    cost: impl Fn(&Pick) -> u64,
) {
    let cost_of = |shape: &Shape, least: &Table<ShapeId, Option<u64>>| match shape {
        Shape::Chars { picks, .. } => picks.first().map(&cost),
        Shape::Sequence(items) => {
            items.iter().try_fold(0_u64, |sum, &item| Some(sum.saturating_add(least[item]?)))
        }
        Shape::Choice(branches) => branches.iter().filter_map(|&branch| least[branch]).min(),
        Shape::Repeat { min: 0, .. } => Some(0),
        Shape::Repeat { body, min, .. } => Some(least[*body]?.saturating_mul(u64::from(*min))),
        Shape::Rule(rule) => least[rules[*rule]?],
    };
    loop {
        let mut changed = false;
        for id in (known..nodes.len()).map(ShapeId::from_index) {
            if let Some(cost) = cost_of(&nodes[id], least)
                && least[id].is_none_or(|known| cost < known)
            {
                least[id] = Some(cost);
                changed = true;
            }
        }
        if !changed {
            return;
        }
    }
}
