//! The promise of all positive tests: the grammar's own lexer and parser read the text of a tree
//! back to its tokens, and the forest contains the tree.

use gramercy_base::to_u32;
use gramercy_grammar::{TerminalId, TextKind, Tree};
use gramercy_language::Language;
use gramercy_lexis::{Choice, Unwritable, Writable, Writer, Written};
use gramercy_parse::{Derivations, Parsed, TextParser, TextWorkspace, TokenRange};
use gramercy_testkit::random::Random;

use crate::trees::TreeSampler;
use crate::{Fallible, languages};

/// A text with its tree.
#[derive(Clone, Debug)]
pub struct WrittenTree {
    /// The tree.
    pub tree: Tree,
    /// Its text.
    pub written: Written,
}

/// The result of a request for texts.
#[derive(Clone, Debug, Default)]
pub struct WrittenTrees {
    /// The texts.
    pub made: Vec<WrittenTree>,
    /// The number of random trees that the lexer's modes make impossible.
    pub ruled_out: usize,
    /// The number of trees without a text.
    pub unwritten: Vec<Unwritable>,
}

/// The maximal number of trees that are drawn for one text.
const ATTEMPTS: usize = 30;

/// WrittenTrees of random trees, each of about `tokens` tokens at most.
pub fn texts(
    language: &Language,
    writer: &mut Writer<'_>,
    count: usize,
    tokens: usize,
    seed: u64,
) -> WrittenTrees {
    let mut texts = WrittenTrees::default();
    let Some(sampler) = TreeSampler::new(language.bnf()) else { return texts };
    for number in 0..(count * ATTEMPTS) as u64 {
        if texts.made.len() >= count {
            break;
        }
        let mut dice = Random(seed ^ (number << 20));
        let budget = 1 + dice.below(tokens);
        let mut modes = writer.start_modes();
        let fits = |token: TerminalId| match writer.can_write(modes, token) {
            Writable::Yes(next) => {
                modes = next;
                true
            }
            Writable::Impossible(_) => false,
            Writable::Unknown => true,
        };
        let Some(tree) = sampler.draw(&mut dice, budget, fits) else {
            texts.ruled_out += 1;
            continue;
        };
        let sentence: Vec<_> = tree.terminals(language.bnf()).collect();
        match writer.write(&sentence, &Choice { seed, test: number, fixed: &[] }) {
            Ok(written) => texts.made.push(WrittenTree { tree, written }),
            Err(unwritable) => texts.unwritten.push(unwritable),
        }
    }
    texts
}

/// The defect in reading a text back, if any.
pub fn complaint(
    language: &Language,
    workspace: &mut TextWorkspace,
    made: &WrittenTree,
) -> Option<String> {
    read(language, workspace, made).err()
}

/// Reads a text back.
///
/// # Errors
/// If it is rejected, has other tokens, or its forest does not contain the tree.
pub fn read(
    language: &Language,
    workspace: &mut TextWorkspace,
    made: &WrittenTree,
) -> Fallible<Parsed> {
    let parser = languages::parser(language)?;
    let made = &readable(language, made);
    let text = &made.written.text;
    let parsed = parser.parse(workspace, text);
    let parsed =
        parsed.map_err(|rejection| format!("rejected at byte {}: {text:?}", rejection.byte))?;
    let ranges =
        ranges(language, made, &parsed).ok_or_else(|| format!("other tokens: {text:?}"))?;
    if contains(parser, language, made, &parsed, &ranges) {
        return Ok(parsed);
    }
    Err(format!("the tree is not in the forest: {text:?}"))
}

/// A grammar without a lexer has tokens separated by blanks: a token with a blank text is read by
/// its name.
fn readable(language: &Language, made: &WrittenTree) -> WrittenTree {
    let mut made = made.clone();
    if language.grammar().text_kind() == TextKind::TokensOnly {
        made.written.text.clear();
        for token in &mut made.written.tokens {
            token.start = made.written.text.len();
            made.written.text += &language.grammar().terminals()[token.terminal].name;
            token.end = made.written.text.len();
            made.written.text.push(' ');
        }
    }
    made
}

/// The input tokens of each terminal of the tree; `None` if they differ.
fn ranges(language: &Language, made: &WrittenTree, parsed: &Parsed) -> Option<Vec<TokenRange>> {
    let written = &made.written.tokens;
    let is_start = |at: usize, byte: usize| match parsed.tokens.get(at) {
        Some(token) => token.start as usize == byte,
        None => byte == made.written.text.len(),
    };
    let (mut at, mut ranges) = (0, Vec::with_capacity(written.len()));
    for token in written {
        let start = at;
        if language.grammar().text_kind() == TextKind::Scannerless {
            while parsed.tokens.get(at).is_some_and(|c| c.end as usize <= token.end) {
                at += 1;
            }
        } else {
            let read = parsed.tokens.get(at)?;
            let same = read.terminal == Some(token.terminal) && read.end as usize == token.end;
            if !same || !is_start(at, token.start) {
                return None;
            }
            at += 1;
        }
        ranges.push(TokenRange { start: to_u32(start), end: to_u32(at) });
    }
    (at == parsed.tokens.len()).then_some(ranges)
}

fn contains(
    parser: &TextParser,
    language: &Language,
    made: &WrittenTree,
    parsed: &Parsed,
    ranges: &[TokenRange],
) -> bool {
    let derivations = Derivations::of_forest(parser.parser(), &parsed.forest);
    derivations.contains(language.bnf(), &made.tree, |at| ranges[at])
}
