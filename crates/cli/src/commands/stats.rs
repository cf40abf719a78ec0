//! `gramercy stats`: the sizes of a grammar and of its views.

use std::fmt::Write as _;
use std::io::Write;

use clap::Args;
use gramercy::{Bnf, GrammarGraph};
use serde::Serialize;

use crate::console::Console;
use crate::flags::{GrammarArgs, JsonArgs, LimitArgs, LoadedGrammar};
use crate::outcome::{Failure, Outcome};
use crate::render::numbers::grouped;
use crate::render::{Palette, json};

/// Show the sizes of a grammar, of its graph and of its BNF core
#[derive(Args)]
#[command(after_help = "\
Examples:
  gramercy stats grammar.gram
  gramercy stats grammar.y --lr lr0,lr1
  gramercy stats grammar.g4 --start file --json")]
pub(crate) struct Stats {
    #[command(flatten)]
    grammar: GrammarArgs,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    output: JsonArgs,
}

impl Stats {
    pub(crate) fn run(&self, console: &mut Console) -> Result<Outcome, Failure> {
        let loaded = self.grammar.load(self.limits.limits(), console)?;
        let graph = loaded.grammar.graph();
        let bnf = loaded.grammar.bnf(&graph, &self.limits.limits())?;
        let report = Report {
            grammar: GrammarSizes::of(&loaded),
            graph: GraphSizes::of(&graph),
            bnf: BnfSizes::of(&bnf),
        };
        if self.output.json {
            json::write(console.out(), &report)?;
        } else {
            let text = report.for_people(console.out_palette());
            console.out().write_all(text.as_bytes())?;
        }
        Ok(Outcome::Clean)
    }
}

/// The document; its field names are fixed.
#[derive(Serialize)]
struct Report<'a> {
    grammar: GrammarSizes<'a>,
    graph: GraphSizes,
    bnf: BnfSizes,
}

#[derive(Serialize)]
struct GrammarSizes<'a> {
    file: String,
    notation: &'a str,
    start: &'a str,
    rules: usize,
    notes: usize,
}

impl<'a> GrammarSizes<'a> {
    fn of(loaded: &'a LoadedGrammar) -> Self {
        let grammar = &loaded.grammar;
        Self {
            file: loaded.file.display().to_string(),
            notation: grammar.notation().as_str(),
            start: &grammar.rules()[grammar.start()].name,
            rules: grammar.written_rules(),
            notes: grammar.notes().len(),
        }
    }
}

#[derive(Serialize)]
struct GraphSizes {
    nodes: usize,
    symbolic: usize,
}

impl GraphSizes {
    fn of(graph: &GrammarGraph) -> Self {
        let symbolic = graph.ids().filter(|&node| graph.kind(node).is_symbolic()).count();
        Self { nodes: graph.len(), symbolic }
    }
}

#[derive(Serialize)]
struct BnfSizes {
    nonterminals: usize,
    terminals: usize,
    productions: usize,
}

impl BnfSizes {
    fn of(bnf: &Bnf) -> Self {
        Self {
            nonterminals: bnf.nonterminals().len(),
            terminals: bnf.terminal_count(),
            productions: bnf.production_count(),
        }
    }
}

impl Report<'_> {
    fn for_people(&self, palette: Palette) -> String {
        let heading = palette.heading;
        let mut text = String::new();
        let _ = writeln!(text, "{heading}{}{heading:#}", self.grammar.file);
        text
    }
}
