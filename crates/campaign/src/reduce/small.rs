//! Edits without a tree: lexemes, gaps, tokens, characters.
//!
//! - *Lexemes*: all tokens of one text get the shortest lexeme of their type, or a short one that no other token has;
//!   where that fails for all of them, one of them. The texts form a group: mostly all become short at once.
//! - *Gaps*: white space and comments become as short as the lexer allows; the gaps form a group.
//! - *Tokens*: one token, two neighbours, or two tokens of one production (brackets) are removed.
//! - *Characters*: two tokens of one type become one, without what is between them; halves, quarters, … of tokens, then
//!   single characters of the text, and in small texts a few neighbours, are removed.
//!
//! The last two are tried only if the text stays where it has to: mostly in the language.

use std::ops::Range;
use std::sync::Arc;

use gramercy_base::{IndexMap, Set, to_u32};
use gramercy_grammar::{TerminalId, TextKind};

use super::document::{Document, Leaf, Tools};
use super::plan::{Change, Edit, Plan};

/// Texts with more leaves get no pairs of tokens that are not neighbours.
const PAIRED_LEAVES: usize = 2000;
/// Productions with more tokens of their own get no pairs.
const PAIRED_TOKENS: usize = 8;
/// Texts with more leaves get no merged tokens.
const MERGED_LEAVES: usize = 200;
/// A token is merged with this number of those that follow.
const MERGED_WITH: usize = 4;
/// In texts with at most this number of bytes, a few neighbouring characters are removed at once, wherever they are.
const WINDOWED_BYTES: usize = 120;
/// The most characters that are removed so.
const WIDEST_WINDOW: usize = 4;
/// Merging seldom helps where nothing else does.
const DOUBT_MERGE: f32 = 1.0;
/// A whole lexeme is less likely to be needed than some of it.
const DOUBT_SINGLE: f32 = 0.7;

/// Shorter lexemes.
pub(super) fn lexemes(tools: &mut Tools<'_>, document: &Document) -> Plan {
    let mut classes: IndexMap<(TerminalId, &str), Vec<u32>> = IndexMap::default();
    for (at, leaf) in (0u32..).zip(&document.leaves) {
        let text = document.lexeme(at as usize);
        if !tools.is_fixed(leaf.terminal) && !text.is_empty() {
            classes.entry((leaf.terminal, text)).or_default().push(at);
        }
    }
    let used: Set<&str> = (0..document.leaves.len()).map(|leaf| document.lexeme(leaf)).collect();
    let (mut group, mut singles) = (Vec::new(), Vec::new());
    for ((terminal, text), leaves) in &classes {
        let rename = |leaves: &[u32], new: &Arc<str>| {
            let gain = (text.len() - new.len()) * leaves.len();
            Edit::new(Change::Rename(leaves.into(), Arc::clone(new)), gain)
        };
        let shortest = tools.yields.lexeme(*terminal).cloned();
        if let Some(new) = shortest.filter(|new| new.len() < text.len()) {
            group.push(rename(leaves, &new));
            if leaves.len() > 1 {
                let one = leaves.iter().map(|&leaf| rename(&[leaf], &new).doubted(DOUBT_SINGLE));
                singles.extend(one);
            }
        }
        for new in short_unused(tools, *terminal, text, &used) {
            singles.push(rename(leaves, &new).doubted(DOUBT_SINGLE));
        }
    }
    Plan::new(vec![group], singles)
}

/// Texts of one character that are this token, and that no token has: the first character of the text itself, and one
/// that is free.
fn short_unused(
    tools: &mut Tools<'_>,
    terminal: TerminalId,
    text: &str,
    used: &Set<&str>,
) -> Vec<Arc<str>> {
    if text.len() < 2 || tools.language.grammar().text_kind() != TextKind::Lexed {
        return Vec::new();
    }
    let shortest = tools.yields.lexeme(terminal).cloned();
    let first = text.chars().next().map(String::from);
    let letters = ('a'..='z').chain('0'..='9').map(String::from);
    let mut found: Vec<Arc<str>> = Vec::new();
    for text in first.into_iter().chain(letters.take(36)) {
        let is_new = !used.contains(&*text) && shortest.as_deref() != Some(&*text);
        if is_new && tools.type_of(&text) == Some(terminal) {
            found.push(text.into());
            break;
        }
    }
    found
}

/// Shorter gaps.
pub(super) fn gaps(document: &Document) -> Plan {
    let wide = (0u32..).zip(&document.leaves).filter(|(_, leaf)| leaf.gap < leaf.start);
    let group = wide.map(|(at, leaf)| Edit::new(Change::Gap(at), (leaf.start - leaf.gap) as usize));
    let tail = Edit::new(Change::Tail, document.tail().len());
    Plan::new(vec![group.collect()], vec![tail])
}

/// Removals of tokens.
pub(super) fn tokens(document: &Document) -> Plan {
    let count = to_u32(document.leaves.len());
    let mut singles = Vec::new();
    let remove = |leaves: Range<u32>| {
        let gain = document.len(&leaves);
        let inner = leaves.start..leaves.start;
        Edit::new(Change::Keep { outer: leaves, inner }, gain)
    };
    for width in 1..=2 {
        singles.extend((0..(count + 1).saturating_sub(width)).map(|at| remove(at..at + width)));
    }
    if document.leaves.len() <= PAIRED_LEAVES {
        pairs(document, &mut singles);
    }
    Plan::new(Vec::new(), singles)
}

/// Removals of two tokens of one production.
fn pairs(document: &Document, singles: &mut Vec<Edit>) {
    for node in 0..document.tree.nodes.len() {
        let own = document.tree.own_leaves(node);
        if own.len() > PAIRED_TOKENS {
            continue;
        }
        for (index, &left) in own.iter().enumerate() {
            for &right in own[index + 1..].iter().filter(|&&right| right > left + 1) {
                let ranges: [Range<u32>; 2] = [left..left + 1, right..right + 1];
                let gain = ranges.iter().map(|range| document.len(range)).sum();
                singles.push(Edit::new(Change::Remove(ranges.into()), gain));
            }
        }
    }
}

/// Removals of tokens where nothing is known about the structure: any set of them.
pub(super) fn token_set(document: &Document) -> Plan {
    let all = 0..to_u32(document.leaves.len());
    let group = all.map(|leaf| {
        let change = Change::Keep { outer: leaf..leaf + 1, inner: leaf..leaf };
        Edit::new(change, document.len(&(leaf..leaf + 1)))
    });
    Plan::new(vec![group.collect()], Vec::new())
}

/// Removals of characters.
pub(super) fn characters(document: &Document) -> Plan {
    let mut singles = Vec::new();
    let erase = |bytes: Range<usize>| {
        let gain = bytes.len();
        Edit::new(Change::Bytes(to_u32(bytes.start)..to_u32(bytes.end)), gain)
    };
    for leaf in &document.leaves {
        let (start, end) = (leaf.start as usize, leaf.end as usize);
        let text = &document.text[start..end];
        let places: Vec<usize> =
            text.char_indices().map(|(at, _)| start + at).chain([end]).collect();
        let chars = places.len() - 1;
        let mut width = chars / 2;
        while width > 1 {
            let chunks = (0..chars).step_by(width);
            singles.extend(chunks.map(|at| erase(places[at]..places[(at + width).min(chars)])));
            width /= 2;
        }
    }
    for (at, c) in document.text.char_indices() {
        singles.push(erase(at..at + c.len_utf8()));
    }
    if document.text.len() <= WINDOWED_BYTES {
        let places: Vec<usize> =
            document.text.char_indices().map(|(at, _)| at).chain([document.text.len()]).collect();
        for width in 2..=WIDEST_WINDOW {
            let windows = places.windows(width + 1).map(|window| window[0]..window[width]);
            singles.extend(windows.map(|range| erase(range).doubted(DOUBT_MERGE)));
        }
    }
    if document.leaves.len() <= MERGED_LEAVES {
        singles.extend(merges(document).into_iter().map(|range| erase(range).doubted(DOUBT_MERGE)));
    }
    Plan::new(Vec::new(), singles)
}

/// What is removed to make one token of two of the same type: everything between them, and the same number of bytes at
/// the end of the first and the beginning of the second, such as quotes.
fn merges(document: &Document) -> Vec<Range<usize>> {
    let leaves = &document.leaves;
    let mut made = Vec::new();
    for (at, left) in leaves.iter().enumerate() {
        let later = leaves[at + 1..].iter().filter(|right| right.terminal == left.terminal);
        for right in later.take(MERGED_WITH) {
            let width = |leaf: &Leaf| (leaf.end - leaf.start) as usize;
            for inner in 0..=1 {
                if width(left) <= inner || width(right) <= inner {
                    continue;
                }
                let range = left.end as usize - inner..right.start as usize + inner;
                let is_whole = |byte: usize| document.text.is_char_boundary(byte);
                if !range.is_empty() && is_whole(range.start) && is_whole(range.end) {
                    made.push(range);
                }
            }
        }
    }
    made
}
