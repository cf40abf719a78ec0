//! The promise of all positive tests: a tree's text, read by the grammar's own lexer and parser, gives
//! back its tokens, and its forest contains the tree.

use gramercy_grammar::{TerminalId, TextKind, Tree};
use gramercy_language::Language;
use gramercy_lexis::{Choice, Unwritable, Writable, Writer, Written};
use gramercy_parse::{Derivations, Parsed, TextParser, TextWorkspace, TokenRange};
use gramercy_testkit::random::Random;

use crate::trees::TreeSampler;
use crate::{Fallible, languages};

/// A text with the tree that it was made from.
#[derive(Clone, Debug)]
pub struct Made {
    /// The tree.
    pub tree: Tree,
    /// Its text.
    pub written: Written,
}

/// What came of a request for texts.
#[derive(Clone, Debug, Default)]
pub struct Texts {
    /// The texts.
    pub made: Vec<Made>,
    /// Trees that a lexer's modes ruled out while they were drawn.
    pub ruled_out: usize,
    /// Trees for which no text was found.
    pub unwritten: Vec<Unwritable>,
}

/// How many trees are drawn for one text at most.
const ATTEMPTS: usize = 30;

/// Texts of random trees, each of at most about `tokens` tokens.
pub fn texts(
    language: &Language,
    writer: &mut Writer<'_>,
    count: usize,
    tokens: usize,
    seed: u64,
) -> Texts {
    let mut texts = Texts::default();
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
            Ok(written) => texts.made.push(Made { tree, written }),
            Err(unwritable) => texts.unwritten.push(unwritable),
        }
    }
    texts
}

/// What is wrong with how a text is read back, if anything.
pub fn complaint(
    language: &Language,
    workspace: &mut TextWorkspace,
    made: &Made,
) -> Option<String> {
    read(language, workspace, made).err()
}

/// Reads a text back.
///
/// # Errors
/// If it is rejected, has other tokens, or its forest is without the tree.
pub fn read(language: &Language, workspace: &mut TextWorkspace, made: &Made) -> Fallible<Parsed> {
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

/// A grammar of tokens only has no lexer, and blanks separate its tokens: a token whose text is blank is
/// read by its name.
fn readable(language: &Language, made: &Made) -> Made {
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

/// Which tokens of the input each terminal of the tree is; `None` if they are others.
fn ranges(language: &Language, made: &Made, parsed: &Parsed) -> Option<Vec<TokenRange>> {
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
        let fit = |n: usize| u32::try_from(n).expect("invariant: texts of tests are short");
        ranges.push(TokenRange { start: fit(start), end: fit(at) });
    }
    (at == parsed.tokens.len()).then_some(ranges)
}

fn contains(
    parser: &TextParser,
    language: &Language,
    made: &Made,
    parsed: &Parsed,
    ranges: &[TokenRange],
) -> bool {
    let derivations = Derivations::of_forest(parser.parser(), &parsed.forest);
    derivations.contains(language.bnf(), &made.tree, |at| ranges[at])
}
