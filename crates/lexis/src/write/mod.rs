//! From tokens to text: a text that the grammar's own lexer reads as exactly these tokens, with the
//! smallest spacing.
//!
//! One face over the three kinds of grammars. With lexical rules, [`lexed`] finds lexemes, modes and
//! separators; in a scannerless grammar a text is the concatenation of its terminals' texts
//! ([`scannerless`]); a grammar of tokens only gets aliases, a pool's lexemes or names
//! ([`tokens_only`]). A writer keeps what it found out, so the usual token costs a few look-ups. Where
//! very many texts are wanted, [`quick`] puts them together from pools, and [`edited`] from the one before.

mod edited;
mod lexed;
mod ordinals;
pub mod quick;
mod scannerless;
mod tokens_only;

use std::ops::Range;
use std::sync::Arc;

use gramercy_base::{IdSet, IndexSet, LimitReached, Limits};
use gramercy_grammar::{Grammar, ModeId, RuleId, TerminalId, TextKind};

use crate::alphabet::Alphabet;
use crate::automaton::{Lexer, LexerError};
use crate::lexemes::Lexemes;
use crate::lexemes::pool::Pool;
use crate::matching::Matching;
use crate::spacing::Spacing;
use lexed::LexedWriter;
use quick::{Candidate, Links, Page, Paged, Quick, Render, Trial};
use scannerless::ScannerlessWriter;
use tokens_only::TokensOnlyWriter;

/// How texts are written.
#[derive(Clone, Debug, Default)]
pub struct WriteOptions {
    /// Which lexemes.
    pub lexemes: Lexemes,
    /// What goes between tokens.
    pub spacing: Spacing,
    /// Which characters may be used.
    pub alphabet: Alphabet,
    /// How many characters lexemes of tokens and words of regular expressions have at least, where there
    /// are such.
    pub lexeme_length: usize,
    /// Lexemes that the user gives; tokens with some get no others.
    pub pool: Pool,
    /// Bounds on automata.
    pub limits: Limits,
}

/// Which of the many texts of a token string is wanted. The same choice gives the same text.
#[derive(Clone, Copy, Debug, Default)]
pub struct Choice<'c> {
    /// The seed of the suite.
    pub seed: u64,
    /// The number of the test.
    pub test: u64,
    /// Texts that tokens must have, by their index, ascending.
    pub fixed: &'c [(usize, &'c str)],
}

impl<'c> Choice<'c> {
    /// The text that a token must have, if any.
    fn fixed_text(&self, index: usize) -> Option<&'c str> {
        let at = self.fixed.binary_search_by_key(&index, |&(at, _)| at).ok()?;
        Some(self.fixed[at].1)
    }
}

/// A text with its tokens.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Written {
    /// The text.
    pub text: String,
    /// The visible tokens, in order.
    pub tokens: Vec<WrittenToken>,
    /// Whether names stand in for lexemes that nobody knows.
    pub placeholders: bool,
    /// Whether it is put together from parts of which all is proven, and needs no proof of its own.
    pub is_certain: bool,
}

/// A token in a written text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WrittenToken {
    /// Its type; where any token was allowed, the one that was chosen.
    pub terminal: TerminalId,
    /// The first byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

/// Why a token string was not written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unwritable {
    /// The first token that could not be put; the number of tokens if the end is what is wrong.
    pub token_index: usize,
    /// What stood in the way.
    pub obstacle: Obstacle,
}

/// What stands in the way of a token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Obstacle {
    /// The lexer cannot make the token from this mode on.
    NotInMode {
        /// The token.
        token: TerminalId,
        /// The current mode.
        mode: ModeId,
    },
    /// Next to each other the tokens are read as others, and nothing that was tried separates them.
    NoSeparator {
        /// The token before, if there is one.
        left: Option<TerminalId>,
        /// The token after; none is the end of the text.
        right: Option<TerminalId>,
        /// The mode between them.
        mode: Option<ModeId>,
    },
    /// No text of the token is allowed: its pool, the alphabet or a fixed text leave none.
    NoLexeme(TerminalId),
    /// A bound was reached before an answer was found.
    Bound(LimitReached),
}

impl Obstacle {
    /// What stands in the way, in the grammar's own names.
    #[must_use]
    pub fn describe(&self, grammar: &Grammar) -> String {
        let token = |id: TerminalId| &*grammar.terminals()[id].name;
        let mode = |id: ModeId| match grammar.lexicon() {
            Some(lexicon) => format!(" in mode {}", lexicon.modes[id].name),
            None => String::new(),
        };
        match *self {
            Obstacle::NotInMode { token: id, mode: at } => {
                format!("the lexer makes no {}{}", token(id), mode(at))
            }
            Obstacle::NoSeparator { left, right, mode: at } => {
                let left = left.map_or("the beginning", token);
                let right = right.map_or("the end", token);
                format!("nothing separates {left} from {right}{}", at.map(mode).unwrap_or_default())
            }
            Obstacle::NoLexeme(id) => format!("no text of {} is allowed", token(id)),
            Obstacle::Bound(limit) => limit.to_string(),
        }
    }
}

impl From<LimitReached> for Obstacle {
    fn from(limit: LimitReached) -> Self {
        Obstacle::Bound(limit)
    }
}

/// The modes in which a lexer can be between two tokens. Only meaningful with the [`Writer`] that gave
/// it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Modes(pub(crate) u32);

impl Modes {
    /// Where there are no modes.
    pub(crate) const ONLY: Modes = Modes(0);
}

/// Whether a token can be written at some place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Writable {
    /// The lexer can make it, and is in these modes afterwards. That its neighbours can be told apart
    /// is not promised.
    Yes(Modes),
    /// No text has this token here, whatever the lexemes before it.
    Impossible(Obstacle),
    /// Not known within the bounds.
    Unknown,
}

/// A rule that can match something of what is written for a token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LexemePart {
    /// The rule.
    pub rule: RuleId,
    /// Whether its match is before the token and the parser does not see it.
    pub is_hidden: bool,
    /// What stands in front of its match: of the token, or of the hidden text.
    pub before: Box<str>,
    /// And what stands after it.
    pub after: Box<str>,
}

/// Writes token strings of one grammar as text.
#[derive(Clone, Debug)]
pub struct Writer<'g> {
    grammar: &'g Grammar,
    kind: Kind<'g>,
    quick: Option<Arc<Quick>>,
    /// Memory for it, used again.
    page: Page,
}

#[derive(Clone, Debug)]
enum Kind<'g> {
    Lexed(Box<LexedWriter<'g>>),
    Scannerless(Box<ScannerlessWriter>),
    TokensOnly(Box<TokensOnlyWriter<'g>>),
}

impl<'g> Writer<'g> {
    /// A writer for a grammar.
    ///
    /// # Errors
    /// If the grammar's lexer cannot be built.
    pub fn new(grammar: &'g Grammar, options: &WriteOptions) -> Result<Self, LexerError> {
        let lexer = match grammar.text_kind() {
            TextKind::Lexed => Some(Arc::new(Lexer::new(grammar, &options.limits)?)),
            TextKind::Scannerless | TextKind::TokensOnly => None,
        };
        Self::with_lexer(grammar, lexer, options)
    }

    /// A writer for a grammar whose lexer is at hand, where it has lexical rules.
    ///
    /// # Errors
    /// If the lexer is missing, or its automaton is beyond the limits.
    pub fn with_lexer(
        grammar: &'g Grammar,
        lexer: Option<Arc<Lexer>>,
        options: &WriteOptions,
    ) -> Result<Self, LexerError> {
        let kind = match grammar.text_kind() {
            TextKind::Lexed => {
                let lexer = lexer.ok_or(LexerError::NoLexicalRules)?;
                Kind::Lexed(Box::new(LexedWriter::new(grammar, lexer, options)?))
            }
            TextKind::Scannerless => {
                Kind::Scannerless(Box::new(ScannerlessWriter::new(grammar, options)?))
            }
            TextKind::TokensOnly => {
                Kind::TokensOnly(Box::new(TokensOnlyWriter::new(grammar, options)))
            }
        };
        let quick = match &kind {
            // Where every token has one text, pools of one give the same texts.
            Kind::TokensOnly(writer) => {
                Some(Quick::without_lexer(&writer.only_texts(), Some(writer.blank())))
            }
            Kind::Lexed(_) | Kind::Scannerless(_) => None,
        };
        Ok(Self { grammar, kind, quick, page: Page::default() })
    }

    /// The grammar.
    #[must_use]
    pub fn grammar(&self) -> &'g Grammar {
        self.grammar
    }

    /// A text of a token string: terminals of syntax rules, without the end of input.
    ///
    /// # Errors
    /// If none was found, with the first token that could not be put.
    pub fn write(
        &mut self,
        tokens: &[TerminalId],
        choice: &Choice<'_>,
    ) -> Result<Written, Unwritable> {
        let mut written = Written::default();
        self.write_into(tokens, choice, &mut written)?;
        Ok(written)
    }

    /// As [`write`](Self::write), into memory that is used again. After an error its content means
    /// nothing.
    ///
    /// # Errors
    /// As [`write`](Self::write).
    pub fn write_into(
        &mut self,
        tokens: &[TerminalId],
        choice: &Choice<'_>,
        written: &mut Written,
    ) -> Result<(), Unwritable> {
        written.text.clear();
        written.tokens.clear();
        written.placeholders = false;
        written.is_certain = false;
        if let Some(quick) = &self.quick
            && choice.fixed.is_empty()
        {
            if quick.write(tokens, choice, &mut self.page, written) {
                return Ok(());
            }
            written.tokens.clear();
            written.text.clear();
        }
        match &mut self.kind {
            Kind::Lexed(writer) => writer.write(tokens, choice, written),
            Kind::Scannerless(writer) => writer.write(tokens, choice, written),
            Kind::TokensOnly(writer) => writer.write(tokens, choice, written),
        }
    }

    /// From now on puts texts together from pools of lexemes that are made now, wherever it can: much
    /// faster, and lexemes are drawn by seed and test instead of taking turns.
    ///
    /// # Errors
    /// If the lexer's automaton grows beyond its limit.
    pub fn prepare_quick(&mut self, seed: u64) -> Result<(), LimitReached> {
        self.quick = None;
        let pools = self.quick_pools(seed);
        self.quick = match &mut self.kind {
            Kind::Lexed(writer) => writer.quick(&pools)?,
            Kind::Scannerless(_) => Some(Quick::without_lexer(&pools, None)),
            Kind::TokensOnly(writer) => Some(Quick::without_lexer(&pools, Some(writer.blank()))),
        };
        Ok(())
    }

    /// Writes onto a page what [`write_into`](Self::write_into) writes, where nothing but the text is
    /// wanted. `None` for what needs a second look: texts that are to be read back, those with fixed texts,
    /// and what pools of lexemes cannot write.
    #[must_use]
    pub fn write_page(
        &self,
        tokens: &[TerminalId],
        choice: &Choice<'_>,
        page: &mut Page,
    ) -> Option<Paged> {
        let quick = self.quick.as_deref()?;
        let is_usual = choice.fixed.is_empty() && !quick.is_proven(choice.test);
        if is_usual { quick.put(tokens, choice, page, |_, _| ()) } else { None }
    }

    /// The text that [`write_into`](Self::write_into) writes, where nothing else is wanted: found from the
    /// last one that was asked for, from which it mostly differs little. `None` where texts are not
    /// put together from one text for each terminal.
    pub fn edit(&mut self, tokens: &[TerminalId]) -> Option<&str> {
        match &mut self.kind {
            Kind::Scannerless(writer) => writer.edit(tokens),
            Kind::Lexed(_) | Kind::TokensOnly(_) => None,
        }
    }

    /// What [`edit`](Self::edit) gave last.
    #[must_use]
    pub fn edited(&self) -> &str {
        match &self.kind {
            Kind::Scannerless(writer) => writer.edited(),
            Kind::Lexed(_) | Kind::TokensOnly(_) => "",
        }
    }

    /// What writes several tokens at once, as [`write_page`](Self::write_page) writes them, or as somebody else
    /// wants to have them; `None` where pools of lexemes do not suffice for that.
    #[must_use]
    pub fn links(&self, render: Option<Render>) -> Option<Links> {
        Links::new(self.quick.as_deref()?, render)
    }

    /// Tries whether pools of lexemes can write the tokens of a test, which costs far less than what the
    /// usual writer tries; `None` without pools.
    #[must_use]
    pub fn trial(&self, choice: &Choice<'_>) -> Option<Trial<'_>> {
        let quick = self.quick.as_deref().filter(|_| choice.fixed.is_empty())?;
        Some(Trial::new(quick, choice))
    }

    /// Lexemes of every terminal, as the usual writer writes them alone.
    fn quick_pools(&mut self, seed: u64) -> quick::Pools {
        let terminals = self.grammar.terminals().ids();
        terminals.map(|terminal| self.quick_pool(terminal, seed)).collect()
    }

    fn quick_pool(&mut self, terminal: TerminalId, seed: u64) -> Vec<Candidate> {
        let mut pool = IndexSet::default();
        let (mut written, mut repeats) = (Written::default(), 0);
        for test in 0..quick::POOL {
            let choice = Choice { seed, test, fixed: &[] };
            if self.write_into(&[terminal], &choice, &mut written).is_err() {
                break;
            }
            let Written { text, tokens, placeholders: is_placeholder, .. } = &written;
            // What stands before or after a token only leads to the modes it is made in.
            let is_new = match tokens[..] {
                [WrittenToken { terminal, start: 0, end }] if end == text.len() => {
                    let (text, is_placeholder) = (text.as_str().into(), *is_placeholder);
                    pool.insert(Candidate { text, terminal, is_placeholder })
                }
                _ => false,
            };
            repeats = if is_new { 0 } else { repeats + 1 };
            if repeats >= quick::REPEATS {
                break;
            }
        }
        if pool.is_empty() {
            let text =
                |text: String| Candidate { text: text.into(), terminal, is_placeholder: false };
            pool.extend(self.lexemes_of(terminal).into_iter().map(text));
        }
        pool.into_iter().collect()
    }

    /// The modes at the beginning of a text.
    #[must_use]
    pub fn start_modes(&self) -> Modes {
        Modes::ONLY
    }

    /// Whether a token can be written in the given modes, for callers that build a token string from left
    /// to right and could still take another one.
    pub fn can_write(&mut self, modes: Modes, token: TerminalId) -> Writable {
        match &mut self.kind {
            Kind::Lexed(writer) => writer.can_write(modes, token),
            Kind::Scannerless(writer) => writer.can_write(token),
            Kind::TokensOnly(writer) => writer.can_write(token),
        }
    }

    /// The modes that can be current there, without those that were pushed before.
    #[must_use]
    pub fn current_modes(&self, modes: Modes) -> Vec<ModeId> {
        match &self.kind {
            Kind::Lexed(writer) => writer.current(modes),
            Kind::Scannerless(_) | Kind::TokensOnly(_) => Vec::new(),
        }
    }

    /// Which rules can match something of what is written for a token in the given modes or before it,
    /// or after the last token; as far as that is known.
    pub fn parts(&mut self, modes: Modes, token: Option<TerminalId>) -> Arc<[LexemePart]> {
        match &mut self.kind {
            Kind::Lexed(writer) => writer.parts(modes, token).unwrap_or_default(),
            Kind::Scannerless(_) | Kind::TokensOnly(_) => Arc::default(),
        }
    }

    /// The terminals of syntax rules that no text has, wherever they stand; not all of them where that
    /// is beyond the bounds.
    pub fn never_written(&mut self) -> IdSet<TerminalId> {
        let syntax_terminals = self.grammar.syntax_terminals();
        let mut never = IdSet::new(syntax_terminals);
        if let Kind::Lexed(writer) = &mut self.kind {
            return writer.never_made().unwrap_or(never);
        }
        for terminal in self.grammar.terminals().ids().take(syntax_terminals) {
            if matches!(self.can_write(Modes::ONLY, terminal), Writable::Impossible(_)) {
                never.insert(terminal);
            }
        }
        never
    }

    /// The lexemes of a terminal that are written in turn, the shortest first: those of the first
    /// place where the lexer can make it. Empty if there are none.
    pub fn lexemes_of(&mut self, terminal: TerminalId) -> Vec<String> {
        match &mut self.kind {
            Kind::Lexed(writer) => writer.lexemes_of(terminal),
            Kind::Scannerless(writer) => writer.lexemes_of(terminal),
            Kind::TokensOnly(writer) => writer.lexemes_of(terminal),
        }
    }

    /// How the lexer reads texts of a token rule; `None` if there is no lexer, or the rule is none of its.
    pub fn matching(&mut self, rule: RuleId) -> Option<Matching<'_>> {
        match &mut self.kind {
            Kind::Lexed(writer) => writer.matching(rule),
            Kind::Scannerless(_) | Kind::TokensOnly(_) => None,
        }
    }

    /// The lexemes of the pool that are not what their names say, in any mode that can be reached.
    pub fn wrong_pool_lexemes(&mut self) -> Vec<(TerminalId, String)> {
        match &mut self.kind {
            Kind::Lexed(writer) => writer.wrong_pool_lexemes(),
            Kind::Scannerless(writer) => writer.wrong_pool_lexemes(),
            Kind::TokensOnly(_) => Vec::new(),
        }
    }

    /// What the grammar's lexer matches in a text, also what the parser does not see: rules with their
    /// places. Grammars without a lexer match nothing.
    pub fn matches(&mut self, text: &str) -> Vec<(RuleId, Range<usize>)> {
        match &mut self.kind {
            Kind::Lexed(writer) => writer.matches(text),
            Kind::Scannerless(_) | Kind::TokensOnly(_) => Vec::new(),
        }
    }

    /// Whether the grammar's lexer reads a written text as the tokens that it was written for. It
    /// does; this is the proof. Grammars without a lexer have none, and of texts that are certain it
    /// was made beforehand, for every pair of lexemes.
    pub fn reads_back(&mut self, written: &Written) -> bool {
        match &mut self.kind {
            _ if written.is_certain => true,
            Kind::Lexed(writer) => writer.reads_back(written),
            Kind::Scannerless(_) | Kind::TokensOnly(_) => true,
        }
    }
}
