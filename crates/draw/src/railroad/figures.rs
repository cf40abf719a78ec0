//! The elements of diagrams and their sizes.
//!
//! A figure is entered on the left and left on the right, both at the height of its *line*. It has
//! an extent above the line and one below it.

use gramercy_base::Table;

use crate::text;

gramercy_base::define_id!(pub(super) struct FigureId, "an element of a railroad diagram");

/// The radius of a turn.
pub(super) const TURN: f64 = 8.0;
/// The distance between tracks or boxes above each other.
pub(super) const GAP: f64 = 8.0;
/// The track between two elements of a row.
pub(super) const TRACK: f64 = 12.0;
/// Wider rows are broken.
const WIDEST_ROW: f64 = 840.0;
/// Half the height of a box.
pub(super) const HALF_BOX: f64 = 12.0;
const BOX_PADDING: f64 = 10.0;
/// The maximal number of columns of text in a box.
pub(super) const LONGEST_TEXT: usize = 60;
/// The track at both ends of a remark.
pub(super) const STUB: f64 = 10.0;

pub(super) struct Figure {
    pub(super) kind: FigureKind,
    pub(super) width: f64,
    pub(super) above: f64,
    pub(super) below: f64,
}

pub(super) enum FigureKind {
    /// A bare track.
    Track,
    Box(Box<Station>),
    /// A remark on the track.
    Remark(String),
    Row(Vec<FigureId>),
    /// Rows below each other, connected from the end of one to the beginning of the next.
    Lines(Vec<Placed>),
    /// The first one on the line, the others below it.
    Choice(Vec<Placed>),
    /// A figure with a bypass at this distance above its line.
    Optional(FigureId, f64),
    /// A figure, and another one on the way back below it.
    Loop(FigureId, Placed),
}

/// A box on the track.
pub(super) struct Station {
    pub(super) text: String,
    pub(super) class: &'static str,
    /// The id of the diagram that it links to.
    pub(super) link: Option<String>,
}

/// A figure and the height of its line, measured down from the line of its parent.
#[derive(Clone, Copy)]
pub(super) struct Placed {
    pub(super) figure: FigureId,
    pub(super) y: f64,
}

pub(super) struct Figures {
    figures: Table<FigureId, Figure>,
}

impl Figures {
    pub(super) fn new() -> Self {
        Self { figures: Table::new() }
    }

    pub(super) fn get(&self, id: FigureId) -> &Figure {
        &self.figures[id]
    }

    fn push(&mut self, kind: FigureKind, width: f64, above: f64, below: f64) -> FigureId {
        self.figures.push(Figure { kind, width, above, below })
    }

    pub(super) fn track(&mut self) -> FigureId {
        self.push(FigureKind::Track, 0.0, 1.0, 1.0)
    }

    pub(super) fn station(&mut self, station: Station) -> FigureId {
        let shown = text::shortened(&station.text, LONGEST_TEXT);
        let width = (text::width(&shown) + 2.0 * BOX_PADDING).ceil();
        self.push(FigureKind::Box(Box::new(station)), width, HALF_BOX, HALF_BOX)
    }

    pub(super) fn remark(&mut self, remark: String) -> FigureId {
        let width = (text::width(&remark) + 3.0 * STUB).ceil();
        self.push(FigureKind::Remark(remark), width, HALF_BOX, HALF_BOX)
    }

    /// A sequence; broken into lines if it is too wide.
    pub(super) fn row(&mut self, items: Vec<FigureId>) -> FigureId {
        let lines = self.broken(items);
        let rows: Vec<_> = lines.into_iter().map(|line| self.line(line)).collect();
        match rows[..] {
            [] => self.track(),
            [only] => only,
            _ => self.lines(&rows),
        }
    }

    /// Distributes items over as few lines as possible.
    fn broken(&self, items: Vec<FigureId>) -> Vec<Vec<FigureId>> {
        let (mut lines, mut width) = (Vec::<Vec<FigureId>>::new(), 0.0);
        for item in items {
            width += TRACK + self.figures[item].width;
            match lines.last_mut() {
                Some(line) if width <= WIDEST_ROW => line.push(item),
                _ => {
                    width = self.figures[item].width;
                    lines.push(vec![item]);
                }
            }
        }
        lines
    }

    fn line(&mut self, items: Vec<FigureId>) -> FigureId {
        if let [only] = items[..] {
            return only;
        }
        let tracks = items.len().saturating_sub(1) as f64 * TRACK;
        let width = items.iter().map(|&item| self.figures[item].width).sum::<f64>() + tracks;
        let (above, below) = (self.most(&items, |f| f.above), self.most(&items, |f| f.below));
        self.push(FigureKind::Row(items), width, above, below)
    }

    fn lines(&mut self, rows: &[FigureId]) -> FigureId {
        let mut y = 0.0;
        let mut placed = vec![Placed { figure: rows[0], y }];
        for pair in rows.windows(2) {
            let (upper, lower) = (&self.figures[pair[0]], &self.figures[pair[1]]);
            // The track back to the left is between two lines.
            y += (upper.below + GAP).max(2.0 * TURN) + (lower.above + GAP).max(2.0 * TURN);
            placed.push(Placed { figure: pair[1], y });
        }
        let width = self.most(rows, |figure| figure.width) + 6.0 * TURN;
        let (above, below) =
            (self.figures[rows[0]].above, y + self.figures[rows[rows.len() - 1]].below);
        self.push(FigureKind::Lines(placed), width, above, below)
    }

    /// A choice.
    pub(super) fn choice(&mut self, branches: &[FigureId]) -> FigureId {
        let [first, rest @ ..] = branches else {
            return self.remark("\u{2205}".into());
        };
        if rest.is_empty() {
            return *first;
        }
        let mut y = 0.0;
        let mut placed = vec![Placed { figure: *first, y }];
        for pair in branches.windows(2) {
            let (upper, lower) = (&self.figures[pair[0]], &self.figures[pair[1]]);
            y = (y + upper.below + GAP + lower.above).max(2.0 * TURN);
            placed.push(Placed { figure: pair[1], y });
        }
        let width = self.most(branches, |figure| figure.width) + 4.0 * TURN;
        let (above, below) =
            (self.figures[*first].above, y + self.figures[branches[branches.len() - 1]].below);
        self.push(FigureKind::Choice(placed), width, above, below)
    }

    /// An optional figure.
    pub(super) fn optional(&mut self, figure: FigureId) -> FigureId {
        let Figure { width, above, below, .. } = self.figures[figure];
        let bypass = (above + GAP).max(2.0 * TURN);
        self.push(FigureKind::Optional(figure, bypass), width + 4.0 * TURN, bypass + 1.0, below)
    }

    /// A figure at least once, with another one in between.
    pub(super) fn repetition(&mut self, figure: FigureId, between: FigureId) -> FigureId {
        let (there, back) = (&self.figures[figure], &self.figures[between]);
        let y = (there.below + GAP + back.above).max(2.0 * TURN);
        let width = there.width.max(back.width) + 2.0 * TURN;
        let (above, below) = (there.above, y + back.below);
        self.push(FigureKind::Loop(figure, Placed { figure: between, y }), width, above, below)
    }

    fn most(&self, figures: &[FigureId], of: impl Fn(&Figure) -> f64) -> f64 {
        figures.iter().map(|&figure| of(&self.figures[figure])).fold(0.0, f64::max)
    }
}
