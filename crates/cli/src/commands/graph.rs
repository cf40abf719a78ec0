//! `gramercy graph`: pictures of a grammar.

use clap::error::ErrorKind;
use clap::{Args, CommandFactory, ValueEnum};
use gramercy::base::Diagnostic;
use gramercy::draw::{self, Sketch, TooLarge};

use crate::codes;
use crate::console::Console;
use crate::flags::{Cli, GrammarArgs, LimitArgs, LoadedGrammar, OutputArgs};
use crate::outcome::{Failure, Outcome};

/// Draw the grammar graph, the LR-graph or railroad diagrams of a grammar
#[derive(Args)]
#[command(after_help = "\
Examples:
  gramercy graph grammar.gram -o grammar.svg
  gramercy graph grammar.gram --kind railroad -o diagrams.svg
  gramercy graph grammar.y --format dot | dot -Tpdf")]
pub(crate) struct Graph {
    #[command(flatten)]
    grammar: GrammarArgs,
    /// What to draw
    #[arg(long, value_name = "NAME", default_value = "grammar")]
    kind: Kind,
    #[command(flatten)]
    limits: LimitArgs,
    /// Form of the picture; railroad diagrams are SVG only
    #[arg(long, value_name = "NAME", default_value = "svg", help_heading = "Output options")]
    format: Format,
    #[command(flatten)]
    output: OutputArgs,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Kind {
    Grammar,
    Railroad,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    Dot,
    Svg,
}

impl Graph {
    pub(crate) fn run(&self, console: &mut Console) -> Result<Outcome, Failure> {
        if (self.kind, self.format) == (Kind::Railroad, Format::Dot) {
            let message = "railroad diagrams are drawn as SVG only";
            return Err(Cli::command().error(ErrorKind::ArgumentConflict, message).into());
        }
        let loaded = self.grammar.load(self.limits.limits(), console)?;
        let picture = self.draw(&loaded)?;
        self.output.write(&picture, console)?;
        Ok(Outcome::Clean)
    }

    fn draw(&self, loaded: &LoadedGrammar) -> Result<String, Failure> {
        let grammar = &loaded.grammar;
        match self.kind {
            Kind::Grammar => self.write(&draw::grammar_graph(grammar, &grammar.graph())),
            Kind::Railroad => Ok(draw::railroad(grammar)),
        }
    }

    fn write(&self, sketch: &Sketch) -> Result<String, Failure> {
        match self.format {
            Format::Dot => Ok(sketch.to_dot()),
            Format::Svg => sketch.to_svg().map_err(too_large),
        }
    }
}

fn too_large(TooLarge { vertices, edges }: TooLarge) -> Failure {
    let message = format!("no picture of {vertices} nodes and {edges} edges could be read");
    let limits =
        format!("a picture has at most {} nodes and {} edges", TooLarge::VERTICES, TooLarge::EDGES);
    let help = "write it with --format dot, which has no limit";
    Failure::refused(Diagnostic::new(codes::LIMIT_REACHED, message).note(limits).help(help))
}
