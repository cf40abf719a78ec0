//! Draws figures at their positions.

use std::fmt::Write;

use gramercy_grammar::{Grammar, Rule, RuleKind};

use super::figures::{
    Figure, FigureId, FigureKind, Figures, GAP, HALF_BOX, LONGEST_TEXT, Placed, STUB, TRACK, TURN,
};
use super::rules::{Diagrams, anchor};
use crate::layout::Point;
use crate::svg::{Number, Svg};
use crate::text;

const MARGIN: f64 = 20.0;
/// The distance from the top of a diagram with its heading to the top of the tracks.
const HEADING: f64 = 30.0;
/// The distance between two diagrams.
const BETWEEN: f64 = 24.0;
/// The track before and after the figure of a rule.
const END: f64 = 24.0;

pub(super) fn draw(grammar: &Grammar, diagrams: &Diagrams) -> String {
    let figures = diagrams.rules.iter().map(|&(_, figure)| diagrams.figures.get(figure));
    let height = |figure: &Figure| HEADING + figure.above + figure.below + BETWEEN;
    let heights: f64 = figures.clone().map(height).sum();
    let tracks = figures.map(|figure| figure.width).fold(0.0, f64::max) + 2.0 * END;
    let headings = diagrams.rules.iter().map(|&(rule, _)| heading_width(&grammar.rules()[rule]));
    let width = headings.fold(tracks, f64::max) + 2.0 * MARGIN;
    let mut svg = Svg::new(
        &format!("Railroad diagrams of {}", grammar.name()),
        width,
        heights + 2.0 * MARGIN,
    );
    let mut top = MARGIN;
    for &(rule, root) in &diagrams.rules {
        heading(&mut svg, &grammar.rules()[rule], top);
        let figure = diagrams.figures.get(root);
        let mut drawing =
            Drawing { figures: &diagrams.figures, path: String::new(), svg: &mut svg };
        drawing.rule(root, Point { x: MARGIN, y: top + HEADING + figure.above });
        top += height(figure);
    }
    svg.finish()
}

/// The remark on the kind of a rule in its heading.
fn remark(rule: &Rule) -> &'static str {
    match rule.kind {
        RuleKind::Syntax => "",
        RuleKind::Token(_) => "token",
        RuleKind::Fragment { .. } => "fragment",
    }
}

fn heading_width(rule: &Rule) -> f64 {
    text::width(&rule.name) + 8.0 + text::width(remark(rule))
}

fn heading(svg: &mut Svg, rule: &Rule, top: f64) {
    let (id, name) = (anchor(&rule.name), text::xml(&rule.name));
    let (x, y) = (Number(MARGIN), Number(top + 14.0));
    let remark = match remark(rule) {
        "" => String::new(),
        remark => format!(r#"<tspan class="remark" dx="8">{remark}</tspan>"#),
    };
    svg.line(format_args!(
        r#"<text id="{id}" class="heading item" x="{x}" y="{y}">{name}{remark}</text>"#
    ));
}

struct Drawing<'a> {
    figures: &'a Figures,
    path: String,
    svg: &'a mut Svg,
}

impl Drawing<'_> {
    /// The tracks of a rule between its two ends.
    fn rule(&mut self, root: FigureId, at: Point) {
        let width = self.figures.get(root).width;
        let Point { x, y } = at;
        let (start, end) = (x + END, x + END + width);
        for buffer in [x, x + 5.0, end + END - 5.0, end + END] {
            self.from(buffer, y - 8.0).down(y + 8.0);
        }
        self.from(x, y).across(start);
        self.from(end, y).across(end + END);
        let mut agenda = vec![(root, Point { x: start, y })];
        let mut stations = Vec::new();
        while let Some((id, at)) = agenda.pop() {
            if matches!(self.figures.get(id).kind, FigureKind::Box(_) | FigureKind::Remark(_)) {
                stations.push((id, at));
            }
            self.tracks(id, at, &mut agenda);
        }
        let path = std::mem::take(&mut self.path);
        self.svg.line(format_args!(r#"<path class="track" d="{path}"/>"#));
        stations.into_iter().for_each(|(id, at)| self.station(id, at));
    }

    /// Draws the tracks of a figure and appends the positions of its children.
    fn tracks(&mut self, id: FigureId, at: Point, agenda: &mut Vec<(FigureId, Point)>) {
        let Point { x, y } = at;
        let figure = self.figures.get(id);
        let end = x + figure.width;
        match &figure.kind {
            FigureKind::Track | FigureKind::Box(_) => {}
            FigureKind::Remark(_) => {
                self.from(x, y).across(x + STUB);
                self.from(end - STUB, y).across(end);
            }
            FigureKind::Row(items) => {
                let mut x = x;
                for (index, &item) in items.iter().enumerate() {
                    if index > 0 {
                        self.from(x, y).across(x + TRACK);
                        x += TRACK;
                    }
                    agenda.push((item, Point { x, y }));
                    x += self.figures.get(item).width;
                }
            }
            FigureKind::Lines(rows) => self.lines(rows, at, end, agenda),
            FigureKind::Choice(branches) => {
                for &Placed { figure, y: down } in branches {
                    let (first, last) = (x + 2.0 * TURN, end - 2.0 * TURN);
                    if down > 0.0 {
                        self.from(x, y).turn(TURN, TURN, 1).down(y + down - TURN);
                        self.turn(TURN, TURN, 0);
                        self.from(last, y + down).turn(TURN, -TURN, 0).down(y + TURN);
                        self.turn(TURN, -TURN, 1);
                    } else {
                        self.from(x, y).across(first);
                        self.from(last, y).across(end);
                    }
                    self.part(figure, Point { x: first, y: y + down }, last, agenda);
                }
            }
            &FigureKind::Optional(figure, bypass) => {
                let (first, last) = (x + 2.0 * TURN, end - 2.0 * TURN);
                self.from(x, y).across(first);
                self.from(last, y).across(end);
                self.from(x, y).turn(TURN, -TURN, 0).down(y - bypass + TURN);
                self.turn(TURN, -TURN, 1).across(last).turn(TURN, TURN, 1).down(y - TURN);
                self.turn(TURN, TURN, 0);
                self.part(figure, Point { x: first, y }, last, agenda);
            }
            &FigureKind::Loop(there, Placed { figure: back, y: down }) => {
                let (first, last) = (x + TURN, end - TURN);
                self.from(x, y).across(first);
                self.from(last, y).across(end);
                self.part(there, Point { x: first, y }, last, agenda);
                self.from(first, y).turn(-TURN, TURN, 0).down(y + down - TURN);
                self.turn(TURN, TURN, 0);
                self.from(last, y).turn(TURN, TURN, 1).down(y + down - TURN);
                self.turn(-TURN, TURN, 1);
                self.part(back, Point { x: first, y: y + down }, last, agenda);
                self.arrow(first, y + down);
            }
        }
    }

    /// A child at the beginning of a longer track.
    fn part(&mut self, id: FigureId, at: Point, end: f64, agenda: &mut Vec<(FigureId, Point)>) {
        self.from(at.x + self.figures.get(id).width, at.y).across(end);
        agenda.push((id, at));
    }

    /// Rows of a broken sequence: back to the left between them, and up again at the end.
    fn lines(&mut self, rows: &[Placed], at: Point, end: f64, agenda: &mut Vec<(FigureId, Point)>) {
        let Point { x, y } = at;
        let (first, last) = (x + 2.0 * TURN, end - 4.0 * TURN);
        self.from(x, y).across(first);
        for &Placed { figure, y: down } in rows {
            self.part(figure, Point { x: first, y: y + down }, last, agenda);
        }
        for pair in rows.windows(2) {
            let (upper, lower) = (y + pair[0].y, y + pair[1].y);
            let below = self.figures.get(pair[0].figure).below;
            let back = upper + (below + GAP).max(2.0 * TURN);
            self.from(last, upper).turn(TURN, TURN, 1).down(back - TURN).turn(-TURN, TURN, 1);
            self.across(x + TURN).turn(-TURN, TURN, 0).down(lower - TURN).turn(TURN, TURN, 0);
            self.across(first);
            self.arrow(last.midpoint(x), back);
        }
        let bottom = y + rows[rows.len() - 1].y;
        self.from(last, bottom).across(end - 2.0 * TURN).turn(TURN, -TURN, 0).down(y + TURN);
        self.turn(TURN, -TURN, 1);
    }

    fn station(&mut self, id: FigureId, at: Point) {
        let figure = self.figures.get(id);
        let middle = Point { x: at.x + figure.width / 2.0, y: at.y };
        let height = 2.0 * HALF_BOX;
        match &figure.kind {
            FigureKind::Box(station) => {
                let round = if station.class == "node reference" { 0.0 } else { HALF_BOX };
                let (open, close) = match &station.link {
                    Some(link) => (format!(r##"<a href="#{link}">"##), "</a>"),
                    None => ("<g>".into(), "</g>"),
                };
                self.svg.line(format_args!("{open}"));
                let shown = text::shortened(&station.text, LONGEST_TEXT);
                if *shown != station.text {
                    self.svg.line(format_args!("<title>{}</title>", text::xml(&station.text)));
                }
                self.svg.rect(station.class, middle, figure.width, height, round);
                self.svg.text("name", middle, &text::xml(&shown));
                self.svg.line(format_args!("{close}"));
            }
            FigureKind::Remark(remark) => self.svg.text("remark", middle, &text::xml(remark)),
            _ => unreachable!("invariant: other figures have tracks"),
        }
    }

    fn from(&mut self, x: f64, y: f64) -> &mut Self {
        self.add(format_args!("M{} {}", Number(x), Number(y)))
    }

    fn across(&mut self, x: f64) -> &mut Self {
        self.add(format_args!("H{}", Number(x)))
    }

    fn down(&mut self, y: f64) -> &mut Self {
        self.add(format_args!("V{}", Number(y)))
    }

    /// A quarter of a circle; `clockwise` is 1 or 0.
    fn turn(&mut self, x: f64, y: f64, clockwise: u8) -> &mut Self {
        let (radius, x, y) = (Number(TURN), Number(x), Number(y));
        self.add(format_args!("a{radius} {radius} 0 0 {clockwise} {x} {y}"))
    }

    /// A small arrow to the left.
    fn arrow(&mut self, x: f64, y: f64) -> &mut Self {
        let (x, y) = (Number(x + 4.0), Number(y));
        self.add(format_args!("M{x} {y}m4 -3.5 -5 3.5 5 3.5"))
    }

    fn add(&mut self, step: std::fmt::Arguments<'_>) -> &mut Self {
        self.path.write_fmt(step).expect("invariant: a string takes any text");
        self
    }
}
