//! Inputs made from seeds: a few mutations of a seed, one after the other.

use std::ops::Range;

use crate::dice::Dice;
use crate::seeds::Seeds;

/// The size of most inputs, and of one in a hundred.
const USUAL: usize = 16 << 10;
const LARGEST: usize = 1 << 20;

/// Bytes that begin or end a construct, or are not text.
const BYTES: &[u8] =
    b"\0\x01\n\r\t \"'`/\\()[]{}<>|;:=?*+~.,-@#%$&^!0a\x7f\x80\xbf\xc3\xed\xf4\xff";

/// Characters that are invisible, look like others, or look like several.
const ODD: &[&str] =
    &["\u{FEFF}", "\u{2028}", "\u{A0}", "\u{1F600}", "\u{301}", "\r\n", "\u{10FFFF}"];

/// Fragments of all notations, one per line, for every reader.
const TOKENS: &str = include_str!("../tokens.txt");

/// Constructs that can be nested.
const BRACKETS: &[(&str, &str)] = &[
    ("(", ")"),
    ("[", "]"),
    ("{", "}"),
    ("<", ">"),
    ("/*", "*/"),
    ("(", ")?"),
    ("(", "|)"),
    ("~(", ")"),
    ("/(", ")/"),
    ("%{", "%}"),
    ("(", ""),
    ("", ")"),
    ("\\", ""),
];

const NUMBERS: &[&str] = &["0", "9", "999", "65536", "4294967295", "18446744073709551616"];

type Operator = fn(&mut Vec<u8>, &mut Dice, &Context<'_>);

const OPERATORS: &[Operator] = &[
    change_byte,
    insert_byte,
    insert_odd,
    delete,
    duplicate,
    exchange,
    insert_token,
    replace_word,
    copy_word,
    splice,
    nest,
    repeat,
    enlarge_number,
    cut,
];

/// The context of operators.
struct Context<'s> {
    seeds: &'s Seeds,
    tokens: &'s [&'static str],
    /// The largest size that an input may have.
    most: usize,
}

/// The input with a number.
pub(crate) fn input(seeds: &Seeds, seed: u64, index: u64) -> Vec<u8> {
    let mut dice = Dice::new(seed, index);
    let most = if dice.once_in(100) { LARGEST } else { USUAL };
    let tokens: Vec<_> = TOKENS.lines().collect();
    let context = Context { seeds, tokens: &tokens, most };
    let mut text = seeds.pick(&mut dice).to_vec();
    let mistakes = 1 << dice.below(4);
    for _ in 0..mistakes {
        let operator = OPERATORS[dice.below(OPERATORS.len())];
        operator(&mut text, &mut dice, &context);
        text.truncate(most);
    }
    text
}

/// Inserts a fragment at a random position.
fn insert(text: &mut Vec<u8>, dice: &mut Dice, piece: &[u8]) {
    let at = dice.below(text.len() + 1);
    text.splice(at..at, piece.iter().copied());
}

fn change_byte(text: &mut Vec<u8>, dice: &mut Dice, _: &Context<'_>) {
    let at = dice.below(text.len());
    text.splice(at..text.len().min(at + 1), [BYTES[dice.below(BYTES.len())]]);
}

fn insert_byte(text: &mut Vec<u8>, dice: &mut Dice, _: &Context<'_>) {
    let byte = BYTES[dice.below(BYTES.len())];
    insert(text, dice, &[byte]);
}

fn insert_odd(text: &mut Vec<u8>, dice: &mut Dice, _: &Context<'_>) {
    let odd = ODD[dice.below(ODD.len())];
    insert(text, dice, odd.as_bytes());
}

fn delete(text: &mut Vec<u8>, dice: &mut Dice, _: &Context<'_>) {
    text.drain(dice.range(text.len()));
}

fn duplicate(text: &mut Vec<u8>, dice: &mut Dice, _: &Context<'_>) {
    let piece = text[dice.range(text.len())].to_vec();
    insert(text, dice, &piece);
}

fn exchange(text: &mut Vec<u8>, dice: &mut Dice, _: &Context<'_>) {
    let taken: Vec<u8> = text.drain(dice.range(text.len())).collect();
    insert(text, dice, &taken);
}

fn token<'s>(dice: &mut Dice, context: &Context<'s>) -> &'s [u8] {
    context.tokens[dice.below(context.tokens.len())].as_bytes()
}

fn insert_token(text: &mut Vec<u8>, dice: &mut Dice, context: &Context<'_>) {
    let piece = token(dice, context);
    insert(text, dice, piece);
}

/// The word or run of punctuation around a position.
fn word_at(text: &[u8], at: usize) -> Range<usize> {
    let same = |a: u8, b: u8| {
        let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
        is_word(a) == is_word(b) && !a.is_ascii_whitespace() && !b.is_ascii_whitespace()
    };
    let Some(&here) = text.get(at) else { return at..at };
    let before = text[..at].iter().rev().take_while(|&&byte| same(byte, here)).count();
    let behind = text[at..].iter().take_while(|&&byte| same(byte, here)).count();
    at - before..at + behind
}

fn replace_word(text: &mut Vec<u8>, dice: &mut Dice, context: &Context<'_>) {
    let word = word_at(text, dice.below(text.len()));
    text.splice(word, token(dice, context).iter().copied());
}

/// Replaces one word of the text by another: duplicate rules, cycles, undefined names.
fn copy_word(text: &mut Vec<u8>, dice: &mut Dice, _: &Context<'_>) {
    let from = word_at(text, dice.below(text.len()));
    let word = text[from].to_vec();
    let to = word_at(text, dice.below(text.len()));
    text.splice(to, word);
}

/// Continues with another seed from a random position.
fn splice(text: &mut Vec<u8>, dice: &mut Dice, context: &Context<'_>) {
    let other = context.seeds.pick(dice);
    text.truncate(dice.below(text.len() + 1));
    text.extend_from_slice(&other[dice.below(other.len() + 1)..]);
}

fn nest(text: &mut Vec<u8>, dice: &mut Dice, context: &Context<'_>) {
    let (open, close) = BRACKETS[dice.below(BRACKETS.len())];
    let most = context.most / (open.len() + close.len()).max(1) / 2;
    let depth = (1 << dice.below(18)).min(most);
    let range = dice.range(text.len());
    text.splice(range.end..range.end, close.repeat(depth).into_bytes());
    text.splice(range.start..range.start, open.repeat(depth).into_bytes());
}

fn repeat(text: &mut Vec<u8>, dice: &mut Dice, context: &Context<'_>) {
    let range = dice.range(text.len());
    let piece = text[range.clone()].to_vec();
    let times = (1 << dice.below(18)).min(context.most / piece.len().max(1));
    text.splice(range.end..range.end, piece.repeat(times));
}

fn enlarge_number(text: &mut Vec<u8>, dice: &mut Dice, _: &Context<'_>) {
    let from = dice.below(text.len() + 1);
    let digit = text[from..].iter().position(u8::is_ascii_digit);
    let at = digit.map_or(from, |digit| from + digit);
    let digits = NUMBERS[dice.below(NUMBERS.len())];
    text.splice(at..at, digits.bytes());
}

fn cut(text: &mut Vec<u8>, dice: &mut Dice, _: &Context<'_>) {
    text.truncate(dice.below(text.len() + 1));
}

#[cfg(test)]
mod tests {
    use gramercy_grammar::Notation;

    use super::input;
    use crate::exercise::exercise;
    use crate::seeds::Seeds;

    /// More are read by `cargo xtask fuzz`.
    #[test]
    fn readers_stand_some_mutated_inputs() {
        for reader in Notation::ALL {
            let seeds = Seeds::collect(reader).expect("readable files");
            for index in 0..300 {
                exercise(reader, input(&seeds, 0, index));
            }
        }
    }
}
