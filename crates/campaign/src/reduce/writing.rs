//! From an edit to the text of a candidate.
//!
//! Leaves that were neighbours keep the gap between them. Where an edit brings two leaves together, the gap is the
//! shortest that keeps them apart, or, where gaps matter, the one that the right leaf had. The text is then read by
//! the lexer: it must give the same tokens. Linear in the text.

use gramercy_grammar::TerminalId;
use std::ops::Range;
use std::sync::Arc;

use super::document::{Document, Tools};

/// What becomes of gaps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Gaps {
    /// They are as short as the lexer allows.
    Minimal,
    /// They stay with the leaf that follows.
    Kept,
}

/// A part of a candidate.
#[derive(Clone, Debug)]
pub(super) enum CandidatePart {
    /// Leaves of the document.
    Kept(Range<u32>),
    /// The shortest texts of these terminals.
    Shortest(Arc<[TerminalId]>),
    /// Another text for a leaf of the document.
    Renamed(u32, Arc<str>),
    /// Leaves of the document, each with the shortest gap before it.
    Tight(Range<u32>),
}

/// A text, and where its bytes come from.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    pub(super) text: String,
    /// Ranges of the document that were kept, with their new places, in order.
    pub(super) kept: Vec<(Range<usize>, usize)>,
}

impl Candidate {
    /// The byte of the document that became a byte of the candidate.
    pub(super) fn origin(&self, byte: usize) -> Option<usize> {
        let at = self.kept.partition_point(|(_, new)| *new <= byte).checked_sub(1)?;
        let (old, new) = &self.kept[at];
        let from = old.start + (byte - new);
        (from < old.end).then_some(from)
    }

    /// The candidate that only lacks some bytes of the document, in order.
    pub(super) fn without(document: &Document, removed: &[Range<usize>]) -> Self {
        let mut made = Self { text: String::new(), kept: Vec::new() };
        let mut at = 0;
        for range in removed {
            made.keep(document, at..range.start);
            at = range.end;
        }
        made.keep(document, at..document.text.len());
        made
    }

    fn keep(&mut self, document: &Document, bytes: Range<usize>) {
        if !bytes.is_empty() {
            self.kept.push((bytes.clone(), self.text.len()));
            self.text.push_str(&document.text[bytes]);
        }
    }
}

/// A leaf of a candidate while it is written.
struct Placed {
    terminal: TerminalId,
    text: Text,
    gap: Gap,
}

enum Text {
    Leaf(usize),
    New(Arc<str>),
}

enum Gap {
    Of(usize),
    Tight,
    New(&'static str),
}

/// Attempts to keep tokens apart that are read as others in this text.
const REPAIRS: usize = 6;

/// The text of pieces; `None` if no text is read as their tokens.
pub(super) fn write(
    tools: &mut Tools<'_>,
    document: &Document,
    pieces: &[CandidatePart],
    gaps: Gaps,
) -> Option<Candidate> {
    let mut placed = place(tools, document, pieces)?;
    decide_gaps(tools, document, &mut placed, gaps);
    let tokens: Vec<TerminalId> = placed.iter().map(|leaf| leaf.terminal).collect();
    for _ in 0..REPAIRS {
        let candidate = put(document, &placed, gaps);
        let Err(at) = tools.is_read_as(&candidate.text, &tokens) else { return Some(candidate) };
        if !separate(document, &mut placed, at) {
            return None;
        }
    }
    None
}

/// The text of pieces, whatever its tokens are.
pub(super) fn write_unread(
    tools: &mut Tools<'_>,
    document: &Document,
    pieces: &[CandidatePart],
    gaps: Gaps,
) -> Option<Candidate> {
    let mut placed = place(tools, document, pieces)?;
    decide_gaps(tools, document, &mut placed, gaps);
    Some(put(document, &placed, gaps))
}

fn place(tools: &Tools<'_>, document: &Document, pieces: &[CandidatePart]) -> Option<Vec<Placed>> {
    let mut placed = Vec::new();
    for piece in pieces {
        match piece {
            CandidatePart::Kept(leaves) => placed.extend(leaves.clone().map(|leaf| {
                let leaf = leaf as usize;
                let terminal = document.leaves[leaf].terminal;
                Placed { terminal, text: Text::Leaf(leaf), gap: Gap::Of(leaf) }
            })),
            CandidatePart::Shortest(tokens) => {
                for &terminal in &**tokens {
                    let text = tools.yields.lexeme(terminal)?;
                    placed.push(Placed {
                        terminal,
                        text: Text::New(text.clone()),
                        gap: Gap::Tight,
                    });
                }
            }
            CandidatePart::Tight(leaves) => placed.extend(leaves.clone().map(|leaf| {
                let leaf = leaf as usize;
                let terminal = document.leaves[leaf].terminal;
                Placed { terminal, text: Text::Leaf(leaf), gap: Gap::Tight }
            })),
            CandidatePart::Renamed(leaf, text) => {
                let leaf = *leaf as usize;
                let terminal = document.leaves[leaf].terminal;
                placed.push(Placed { terminal, text: Text::New(text.clone()), gap: Gap::Of(leaf) });
            }
        }
    }
    Some(placed)
}

fn text_of<'t>(document: &'t Document, placed: &'t Placed) -> &'t str {
    match &placed.text {
        Text::Leaf(leaf) => document.lexeme(*leaf),
        Text::New(text) => text,
    }
}

/// Decides what stands before every leaf.
fn decide_gaps(tools: &mut Tools<'_>, document: &Document, placed: &mut [Placed], gaps: Gaps) {
    for at in 0..placed.len() {
        let left = at.checked_sub(1).map(|left| &placed[left]);
        if stays(document, left, &placed[at], gaps) {
            continue;
        }
        let gap = match left {
            None => "",
            Some(left) => tools.glue(text_of(document, left), text_of(document, &placed[at])),
        };
        placed[at].gap = Gap::New(gap);
    }
}

/// Whether the gap before a leaf stays as it is: between old neighbours, and where gaps matter.
fn stays(document: &Document, left: Option<&Placed>, right: &Placed, gaps: Gaps) -> bool {
    let Gap::Of(leaf) = right.gap else { return false };
    let is_neighbour = match left.map(|left| &left.gap) {
        None => leaf == 0,
        Some(Gap::Of(before)) => before + 1 == leaf,
        Some(Gap::New(_) | Gap::Tight) => match left.map(|left| &left.text) {
            Some(Text::Leaf(before)) => before + 1 == leaf,
            _ => false,
        },
    };
    let is_renamed = |placed: &Placed| matches!(placed.text, Text::New(_));
    let is_new = is_renamed(right) || left.is_some_and(is_renamed);
    let is_wide = document.leaves[leaf].gap < document.leaves[leaf].start;
    match gaps {
        Gaps::Kept => is_wide || (is_neighbour && !is_new) || left.is_none(),
        Gaps::Minimal => is_neighbour && !is_new,
    }
}

fn put(document: &Document, placed: &[Placed], gaps: Gaps) -> Candidate {
    let mut made = Candidate { text: String::new(), kept: Vec::new() };
    // Neighbours are copied together.
    let mut open: Option<Range<usize>> = None;
    for leaf in placed {
        match leaf.gap {
            Gap::Of(at) => {
                let leaf = document.leaves[at];
                extend(&mut made, &mut open, document, leaf.gap as usize..leaf.start as usize);
            }
            Gap::Tight | Gap::New("") => {}
            Gap::New(text) => {
                flush(&mut made, &mut open, document);
                made.text.push_str(text);
            }
        }
        match &leaf.text {
            Text::Leaf(at) => {
                let leaf = document.leaves[*at];
                extend(&mut made, &mut open, document, leaf.start as usize..leaf.end as usize);
            }
            Text::New(text) => {
                flush(&mut made, &mut open, document);
                made.text.push_str(text);
            }
        }
    }
    flush(&mut made, &mut open, document);
    if gaps == Gaps::Kept {
        let end = document.text.len();
        made.keep(document, end - document.tail().len()..end);
    }
    made
}

fn extend(
    made: &mut Candidate,
    open: &mut Option<Range<usize>>,
    document: &Document,
    bytes: Range<usize>,
) {
    match open {
        _ if bytes.is_empty() => {}
        Some(range) if range.end == bytes.start => range.end = bytes.end,
        _ => {
            flush(made, open, document);
            *open = Some(bytes);
        }
    }
}

fn flush(made: &mut Candidate, open: &mut Option<Range<usize>>, document: &Document) {
    if let Some(bytes) = open.take() {
        made.keep(document, bytes);
    }
}

/// Puts a blank before the first leaf at or before a place that has none; `false` if there is none.
fn separate(document: &Document, placed: &mut [Placed], at: usize) -> bool {
    for index in [at, at + 1, at.saturating_sub(1)] {
        let Some(leaf) = placed.get(index) else { continue };
        let next = match leaf.gap {
            Gap::Tight | Gap::New("") => " ",
            Gap::New(" ") => "\n",
            Gap::Of(leaf) if document.leaves[leaf].gap == document.leaves[leaf].start => " ",
            _ => continue,
        };
        placed[index].gap = Gap::New(next);
        return true;
    }
    false
}
