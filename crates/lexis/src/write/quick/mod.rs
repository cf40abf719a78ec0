//! Tokens to text at the speed of copying, for suites of very many tests.
//!
//! Each terminal has a pool of lexemes that the usual writer made, and of every two lexemes it is known
//! beforehand whether they can stand next to each other or a blank goes between them ([`pairs`]). So
//! every boundary is decided by its neighbours alone, and a text is put down on a [`Page`] without a
//! further look at the lexer; from time to time one is still read back. What does not fit all this
//! (tokens of several matches, tokens without pools, pairs that no blank separates) is left to the usual
//! writer.
//!
//! Writing a token costs a draw, a look-up and a copy, and so do several tokens that come again and again
//! ([`links`]).

mod links;
mod page;
mod pairs;

use std::ops::Range;
use std::sync::Arc;

use gramercy_base::{LimitReached, to_u32};
use gramercy_grammar::TerminalId;

use super::{Choice, Written, WrittenToken};
use crate::automaton::Lexer;
use crate::dfa::Dfa;
use crate::spacing::Spacing;
pub use links::{LinkId, Links, Render};
pub use page::{Page, Paged, Trial};
use pairs::{Between, Pairs, Reader};

/// Lexemes of a terminal at most.
pub(super) const POOL: u64 = 256;
/// A pool is complete after this number of draws without a new lexeme.
pub(super) const REPEATS: u32 = 8;
/// Bytes that are copied at once: most lexemes are shorter, and a copy of fixed length is cheap.
const WIDE: usize = 48;
/// One test out of this number is read back.
const PROOF: u64 = 64;
/// Marks two lexemes that cannot be neighbours, among the bytes that are left out between them.
const IMPOSSIBLE: u8 = 0x80;

/// A lexeme, before the table is made.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Candidate {
    pub(super) text: Box<str>,
    /// What it is, which may be one of several tokens that its terminal stands for.
    pub(super) terminal: TerminalId,
    pub(super) is_placeholder: bool,
}

/// The lexemes of every terminal, by its index.
pub(super) type Pools = Vec<Vec<Candidate>>;

/// Pools with the table of pairs.
#[derive(Clone, Debug)]
pub(super) struct Quick {
    /// For every lexeme the blank and its text; some bytes more in the end.
    bytes: Vec<u8>,
    lexemes: Vec<Lexeme>,
    /// What each lexeme is.
    terminals: Vec<TerminalId>,
    /// By terminal: where its lexemes begin, and how many there are. Who has none shares one that can
    /// stand next to nothing.
    pools: Vec<(u32, u32)>,
    /// By row and column.
    entries: Vec<Entry>,
    /// How many contexts there are, and by lexeme and context the row after it.
    contexts: usize,
    rows: Vec<u32>,
    blank: u32,
    /// The length of the longest lexeme with its blank.
    longest: u32,
    /// The row at the beginning of a text.
    first_row: u32,
    /// The column of the end.
    end: u32,
    /// Whether a lexer reads the texts, so that there is something to prove.
    is_read: bool,
}

#[derive(Clone, Copy, Debug)]
struct Lexeme {
    /// Where the blank before it begins.
    start: u32,
    /// Its column of answers.
    column: u32,
    /// The row after it in the first context.
    row: u32,
    /// The length of both, and a mark if it stands in for a lexeme that nobody knows.
    marked_len: u32,
    /// By how many bytes it is longer than its text.
    added: u32,
}

/// Marks a lexeme that stands in for others.
const PLACEHOLDER: u32 = 1 << 31;

impl Lexeme {
    #[inline(always)]
    fn len(&self) -> u32 {
        self.marked_len & !PLACEHOLDER
    }
}

/// What goes between two lexemes.
#[derive(Clone, Copy, Debug)]
struct Entry {
    /// How many bytes of the second with its blank are left out: the blank or nothing.
    skip: u8,
    /// The context in which the second is read.
    context: u8,
}

const NEVER: Entry = Entry { skip: IMPOSSIBLE, context: 0 };
/// For what fits nowhere, and for the end.
const EXTRA_COLUMNS: usize = 2;

impl Quick {
    /// Where texts stand next to each other as they are, or with a blank between all of them.
    pub(super) fn without_lexer(pools: &Pools, blank: Option<&'static str>) -> Arc<Self> {
        let lexemes = pools.iter().map(Vec::len).sum();
        let pairs = Pairs::alike(lexemes, blank.unwrap_or_default(), blank.is_some());
        Arc::new(Self { is_read: false, ..Self::new(pools, &pairs) })
    }

    /// Where a lexer reads the text; `None` if there are too many lexemes.
    pub(super) fn with_lexer(
        pools: &Pools,
        (lexer, dfa): (&Lexer, &mut Dfa),
        spacing: Spacing,
        allows: impl Fn(&str) -> bool,
    ) -> Result<Option<Arc<Self>>, LimitReached> {
        let mut reader = Reader { lexer, dfa };
        let lexemes: Vec<&Candidate> = pools.iter().flatten().collect();
        let places = reader.places(&lexemes)?;
        let texts: Vec<&str> = lexemes.iter().map(|candidate| &*candidate.text).collect();
        let pairs = Pairs::new(&mut reader, &texts, &places, spacing, allows)?;
        Ok(pairs.map(|pairs| Arc::new(Self::new(pools, &pairs))))
    }

    fn new(pools: &Pools, pairs: &Pairs) -> Self {
        let (entries, columns) = (entries(pairs), to_u32(pairs.columns + EXTRA_COLUMNS));
        let mut quick = Self {
            bytes: Vec::new(),
            lexemes: Vec::new(),
            terminals: Vec::new(),
            pools: Vec::new(),
            first_row: to_u32(entries.len()) - columns,
            end: columns - 1,
            entries,
            contexts: pairs.contexts,
            rows: Vec::new(),
            blank: to_u32(pairs.blank.len()),
            longest: 0,
            is_read: true,
        };
        for pool in pools {
            let nobody = to_u32(pairs.columns_of.len());
            let here = (to_u32(quick.lexemes.len()), to_u32(pool.len()));
            quick.pools.push(if pool.is_empty() { (nobody, 1) } else { here });
            for Candidate { text, terminal, is_placeholder } in pool {
                let column = pairs.columns_of[quick.lexemes.len()];
                quick.add(pairs.blank, text, column, *is_placeholder);
                quick.terminals.push(*terminal);
            }
        }
        // Where a lexeme cannot be read, the text is spoilt, whatever follows.
        let row = |row: &Option<u32>| row.map_or(quick.first_row, |row| row * columns);
        quick.rows = pairs.rows_of.iter().map(row).collect();
        quick.rows.extend(std::iter::repeat_n(quick.first_row, pairs.contexts));
        quick.add(pairs.blank, "", to_u32(pairs.columns), false);
        quick.bytes.resize(quick.bytes.len() + WIDE, 0);
        for (lexeme, rows) in quick.lexemes.iter_mut().zip(quick.rows.chunks(quick.contexts)) {
            lexeme.row = rows[0];
            quick.longest = quick.longest.max(lexeme.len());
        }
        quick
    }

    fn add(&mut self, blank: &str, text: &str, column: u32, is_placeholder: bool) {
        let start = to_u32(self.bytes.len());
        self.bytes.extend_from_slice(blank.as_bytes());
        self.bytes.extend_from_slice(text.as_bytes());
        let mark = if is_placeholder { PLACEHOLDER } else { 0 };
        let marked_len = to_u32(blank.len() + text.len()) | mark;
        self.lexemes.push(Lexeme { start, column, row: 0, marked_len, added: 0 });
    }

    /// The column of what fits nowhere.
    fn nowhere(&self) -> u32 {
        self.end - 1
    }

    /// Whether the text of a test is to be read back.
    pub(super) fn is_proven(&self, test: u64) -> bool {
        self.is_read && test.is_multiple_of(PROOF)
    }

    /// Writes a token string; `false` if that is left to the usual writer.
    pub(super) fn write(
        &self,
        tokens: &[TerminalId],
        choice: &Choice<'_>,
        page: &mut Page,
        written: &mut Written,
    ) -> bool {
        let paged = self.put(tokens, choice, page, |lexeme, Range { start, end }| {
            // What has no lexeme spoils the text.
            let terminal = self.terminals.get(lexeme).copied();
            written.tokens.extend(terminal.map(|terminal| WrittenToken { terminal, start, end }));
        });
        let Some(paged) = paged else { return false };
        written.text.push_str(page.text());
        written.placeholders = paged.placeholders;
        written.is_certain = !self.is_proven(choice.test);
        true
    }
}

/// The answers as they are looked up, with one more column for what fits nowhere, one for the end of a text, and one
/// more row for its beginning.
fn entries(pairs: &Pairs) -> Vec<Entry> {
    let blank = u8::try_from(pairs.blank.len()).expect("invariant: blanks are short");
    let entry = |answer: &Between| match *answer {
        Between::Nothing(context) => Entry { skip: blank, context },
        Between::Blank(context) => Entry { skip: 0, context },
        Between::Impossible => NEVER,
    };
    let mut entries = Vec::with_capacity(pairs.answers.len());
    for (row, can_end) in pairs.answers.chunks(pairs.columns.max(1)).zip(&pairs.can_end) {
        entries.extend(row.iter().map(entry));
        entries.push(NEVER);
        entries.push(if *can_end { Entry { skip: 0, context: 0 } } else { NEVER });
    }
    entries.extend(pairs.first.iter().map(entry));
    entries.extend([NEVER, NEVER]);
    entries
}
