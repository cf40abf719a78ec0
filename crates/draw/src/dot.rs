//! Writes a sketch as DOT, the language of Graphviz.
//!
//! Labels with more than plain text are written in its HTML-like form. Linear.

use std::fmt::{self, Write};

use crate::sketch::{Edge, Label, Look, Sketch, Stroke, Vertex};
use crate::text;

pub(crate) fn write(sketch: &Sketch) -> String {
    let mut out = String::new();
    sketch.write_dot(&mut out).expect("invariant: a string takes any text");
    out
}

impl Sketch {
    fn write_dot(&self, out: &mut String) -> fmt::Result {
        writeln!(out, "digraph {} {{", text::dot(&self.title))?;
        writeln!(out, "  rankdir=LR;")?;
        if self.ordered {
            writeln!(out, "  ordering=out;")?;
        }
        writeln!(out, "  node [fontname=monospace, fontsize=12, height=0, margin=\"0.08,0.04\"];")?;
        writeln!(out, "  edge [fontname=monospace, fontsize=11, arrowsize=0.6];")?;
        for vertex in self.vertices.values() {
            writeln!(out, "  {} [label={}, {}];", vertex.name, label(vertex), style(vertex.look))?;
        }
        self.edges.iter().try_for_each(|edge| self.write_edge(edge, out))?;
        writeln!(out, "}}")
    }

    fn write_edge(&self, edge: &Edge, out: &mut String) -> fmt::Result {
        let (from, to) = (&self.vertices[edge.from].name, &self.vertices[edge.to].name);
        let label = text::dot(&edge.label);
        // Graphviz cannot always place the label of an edge that does not constrain the ranks, but
        // it can always place an external label.
        let beside = if edge.stroke == Stroke::Dashed && from != to { "xlabel" } else { "label" };
        let mut attributes = Vec::new();
        if !edge.label.is_empty() {
            attributes.push(format!("{beside}={label}"));
        }
        if edge.stroke == Stroke::Dashed {
            attributes.push("style=dashed, constraint=false".into());
        }
        match &attributes[..] {
            [] => writeln!(out, "  {from} -> {to};"),
            _ => writeln!(out, "  {from} -> {to} [{}];", attributes.join(", ")),
        }
    }
}

fn label(vertex: &Vertex) -> String {
    match &vertex.label {
        Label::Text(text) => text::dot(text),
        Label::Numbered(name, number) => {
            // Graphviz drops text that consists only of spaces in HTML-like labels.
            let name = text::xml(name).replace(' ', "&#160;");
            format!("<{name}<SUB>{number}</SUB>>")
        }
        Label::Lines(heading, lines) if lines.is_empty() => text::dot(heading),
        Label::Lines(heading, lines) => {
            let mut rows = format!("<TR><TD><B>{}</B></TD></TR><HR/>", text::xml(heading));
            for line in lines {
                rows += &format!("<TR><TD ALIGN=\"LEFT\">{}</TD></TR>", text::xml(line));
            }
            format!("<<TABLE BORDER=\"0\" CELLSPACING=\"0\" CELLPADDING=\"1\">{rows}</TABLE>>")
        }
    }
}

fn style(look: Look) -> &'static str {
    match look {
        Look::Synthetic => "shape=circle, width=0.25, margin=\"0.02,0.02\"",
        Look::Reference | Look::State => "shape=box",
        Look::Terminal => "shape=box, style=rounded",
        Look::Conflict => "shape=box, color=red, style=filled, fillcolor=mistyrose",
        Look::Start => "shape=box, style=filled, fillcolor=lightgray",
        Look::Accept => "shape=box, peripheries=2",
    }
}
