//! A tree for a text outside of the language: that of a text nearby.
//!
//! At the first error, one token is removed, replaced or inserted; of all such changes the one is taken after which the
//! parser comes furthest. This is repeated a few times. The tree of the changed text is then laid over the original
//! one: an inserted token becomes a leaf without text, a replaced one a leaf with the original text, and a removed one
//! becomes a part of the leaf before it. Edits of the tree then move whole parts of the original text, and whether a
//! candidate stays outside of the language is asked of the parser.
//!
//! The idea of trying single changes at the error is that of Burke and Fisher, A Practical Method for LR and LL
//! Syntactic Error Diagnosis and Recovery, TOPLAS 1987, section 3.
//!
//! Example: `[1,,2]` with a list of numbers: inserting a number before the second comma leads to a sentence, so there
//! are four elements in the tree, of which the second has no text.
//!
//! Every change costs one reading of the text; their number is bounded, and smaller for long texts.

use std::ops::Range;

use gramercy_base::to_u32;
use gramercy_parse::{TextRejection, TokenSpan};

use super::document::{Document, Leaf, Tools};
use super::tree::Tree;

/// Changes that are made.
const MAX_CHANGES: usize = 12;
/// Bytes of all texts that are read to find one change.
const MAX_READ: usize = 4 << 20;
/// Texts that are tried to find one change.
const MAX_TRIED: usize = 120;

/// A token of the changed text.
#[derive(Clone, Debug)]
struct ChangedToken {
    /// Its text after the changes.
    text: String,
    /// The bytes of the original that it stands for.
    original: Range<usize>,
}

/// A document for a rejected text: with a tree if few changes lead into the language.
pub(super) fn recover(tools: &mut Tools<'_>, text: &str) -> Document {
    let mut parts = split(tools, text);
    for _ in 0..MAX_CHANGES {
        let joined = join(tools, text, &parts);
        match tools.read(&joined.text) {
            Ok(read) => return overlay(text, &parts, &joined, &read),
            Err(rejection) => {
                let at = joined.part_at(rejection.byte);
                let Some(changed) = improve(tools, text, &parts, at, &rejection) else { break };
                parts = changed;
            }
        }
    }
    let leaves = plain_leaves(tools, text);
    Document { text: text.into(), leaves, tree: Tree::default() }
}

/// The tokens of a text; characters that are no token are parts of their own.
fn split(tools: &mut Tools<'_>, text: &str) -> Vec<ChangedToken> {
    let spans = plain_leaves(tools, text);
    spans
        .iter()
        .map(|leaf| {
            let original = leaf.start as usize..leaf.end as usize;
            ChangedToken { text: text[original.clone()].to_owned(), original }
        })
        .collect()
}

/// The tokens of a text one after the other, whatever stands between them.
pub(super) fn plain_leaves(tools: &mut Tools<'_>, text: &str) -> Vec<Leaf> {
    let terminal = tools.any_terminal();
    let mut leaves: Vec<Leaf> = Vec::new();
    let mut from = 0;
    while from < text.len() {
        let (tokens, stopped) = tools.parser.tokens(&mut tools.workspace, &text[from..]);
        for TokenSpan { start, end, terminal: own } in tokens {
            let gap = leaves.last().map_or(0, |leaf| leaf.end);
            let (start, end) = (start + to_u32(from), end + to_u32(from));
            leaves.push(Leaf { terminal: own.unwrap_or(terminal), gap, start, end });
        }
        let Some((byte, _)) = stopped else { break };
        // One character is no token.
        let at = (from + byte).max(leaves.last().map_or(0, |leaf| leaf.end as usize));
        let Some(c) = text[at..].chars().next() else { break };
        let gap = leaves.last().map_or(0, |leaf| leaf.end);
        let end = to_u32(at + c.len_utf8());
        leaves.push(Leaf { terminal, gap, start: to_u32(at), end });
        from = end as usize;
    }
    leaves
}

/// The changed text, and where each part of it begins.
struct Joined {
    text: String,
    starts: Vec<usize>,
}

impl Joined {
    fn part_at(&self, byte: usize) -> usize {
        self.starts.partition_point(|&start| start <= byte).saturating_sub(1)
    }
}

fn join(tools: &mut Tools<'_>, text: &str, parts: &[ChangedToken]) -> Joined {
    let mut made = Joined { text: String::new(), starts: Vec::with_capacity(parts.len()) };
    let mut end = 0;
    let mut last = "";
    for part in parts {
        let gap = text.get(end..part.original.start).unwrap_or("");
        let gap = if gap.is_empty() { tools.glue(last, &part.text) } else { gap };
        made.text.push_str(gap);
        made.starts.push(made.text.len());
        made.text.push_str(&part.text);
        end = end.max(part.original.end);
        if !part.text.is_empty() {
            last = &part.text;
        }
    }
    made
}

/// The parts after the best single change at one of them.
fn improve(
    tools: &mut Tools<'_>,
    text: &str,
    parts: &[ChangedToken],
    at: usize,
    rejection: &TextRejection,
) -> Option<Vec<ChangedToken>> {
    let is_end = rejection.byte >= join(tools, text, parts).text.len();
    let expected: Vec<String> = rejection
        .expected
        .iter()
        .filter_map(|terminal| tools.yields.lexeme(terminal).map(ToString::to_string))
        .filter(|text| !text.is_empty())
        .collect();
    let mut changes: Vec<Vec<ChangedToken>> = Vec::new();
    let insert = |place: usize, lexeme: &String| {
        let byte = parts.get(place).map_or(text.len(), |part| part.original.start);
        let mut changed = parts.to_vec();
        changed.insert(place, ChangedToken { text: lexeme.clone(), original: byte..byte });
        changed
    };
    if is_end {
        changes.extend(expected.iter().map(|lexeme| insert(parts.len(), lexeme)));
    }
    if at < parts.len() && !parts[at].text.is_empty() {
        let mut removed = parts.to_vec();
        removed[at].text = String::new();
        changes.push(removed);
        if !is_end {
            changes.extend(expected.iter().map(|lexeme| insert(at, lexeme)));
            changes.extend(expected.iter().map(|lexeme| {
                let mut replaced = parts.to_vec();
                replaced[at].text.clone_from(lexeme);
                replaced
            }));
        }
    }
    let most = (MAX_READ / text.len().max(1)).clamp(2, MAX_TRIED);
    let mut best: Option<(Vec<ChangedToken>, usize)> = None;
    for changed in changes.into_iter().take(most) {
        let joined = join(tools, text, &changed);
        let reached = match tools.parser.recognize_as_tool(&mut tools.workspace, &joined.text) {
            Ok(_) => usize::MAX,
            Err(rejection) => {
                // How much of the original was read.
                let part = joined.part_at(rejection.byte);
                let is_end = rejection.byte >= joined.text.len();
                changed.get(part).filter(|_| !is_end).map_or(text.len(), |part| part.original.start)
            }
        };
        if best.as_ref().is_none_or(|(_, known)| reached > *known) {
            best = Some((changed, reached));
        }
    }
    let here = parts.get(at).map_or(text.len(), |part| part.original.start);
    best.filter(|(_, reached)| *reached > here || is_end).map(|(changed, _)| changed)
}

/// The tree of the changed text with leaves of the original one.
fn overlay(text: &str, parts: &[ChangedToken], joined: &Joined, read: &Document) -> Document {
    let mut leaves = Vec::with_capacity(read.leaves.len());
    let mut end = 0;
    for leaf in &read.leaves {
        let (first, last) =
            (joined.part_at(leaf.start as usize), joined.part_at(leaf.end as usize - 1));
        let start = parts[first].original.start.max(end);
        let stop = parts[last].original.end.max(start);
        let gap = to_u32(end);
        leaves.push(Leaf { terminal: leaf.terminal, gap, start: to_u32(start), end: to_u32(stop) });
        end = stop;
    }
    // Removed parts belong to the leaf before them; in front of all leaves they are a part of the first gap.
    let is_removed = |part: &&ChangedToken| part.text.is_empty() && !part.original.is_empty();
    for part in parts.iter().filter(is_removed) {
        let next = leaves.partition_point(|leaf| (leaf.start as usize) < part.original.end);
        let Some(before) = next.checked_sub(1) else { continue };
        let end = to_u32(part.original.end);
        leaves[before].end = leaves[before].end.max(end);
        if let Some(next) = leaves.get_mut(next) {
            next.gap = next.gap.max(end);
        }
    }
    Document { text: text.into(), leaves, tree: read.tree.clone() }
}
