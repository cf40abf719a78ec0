//! `gramercy graph`: pictures of a grammar.

use clap::error::ErrorKind;
use clap::{Args, CommandFactory, ValueEnum};
use gramercy::base::{Diagnostic, LimitReached};
use gramercy::draw::{self, Sketch, TooLarge};
use gramercy::formats::WrittenFile;
use gramercy::formats::suggest::did_you_mean;
use gramercy::language::Language;
use gramercy::{Construction, LrGraph};

use super::automata::Automata;
use crate::codes;
use crate::console::Console;
use crate::flags::{Cli, GrammarArgs, LimitArgs, OutputArgs, automata};
use crate::outcome::{Failure, Outcome};

/// Draw the grammar graph, the LR-graph or railroad diagrams of a grammar
#[derive(Args)]
#[command(after_help = "\
Examples:
  gramercy graph grammar.gram -o grammar.svg
  gramercy graph grammar.gram --kind railroad -o diagrams.svg
  gramercy graph grammar.gram --kind railroad --rule Expression -o expression.svg
  gramercy graph grammar.gram --kind railroad --per-rule -o diagrams/
  gramercy graph grammar.y --kind lr --automaton lr1 --format dot | dot -Tpdf")]
pub(crate) struct Graph {
    #[command(flatten)]
    grammar: GrammarArgs,
    /// What to draw
    #[arg(long, value_name = "NAME", default_value = "grammar")]
    kind: Kind,
    /// Automaton that the LR-graph is drawn of
    #[arg(long, value_name = "NAME", default_value = "lr0", value_parser = automata())]
    automaton: Construction,
    /// Draw the railroad diagram of this rule alone; may be given several times
    #[arg(long, value_name = "NAME")]
    rule: Vec<String>,
    /// Draw a railroad diagram per rule, each into a file of its own in the folder of -o
    #[arg(long, conflicts_with = "rule", requires = "output")]
    per_rule: bool,
    #[command(flatten)]
    limits: LimitArgs,
    /// Form of the picture [default: by the name of -o, else svg]; railroad diagrams are SVG only
    #[arg(long, value_name = "NAME", help_heading = "Output options")]
    format: Option<Format>,
    #[command(flatten)]
    output: OutputArgs,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Kind {
    Grammar,
    Lr,
    Railroad,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    Dot,
    Svg,
}

impl Graph {
    pub(crate) fn run(&self, console: &mut Console) -> Result<Outcome, Failure> {
        let format = self.output.form(self.format, Format::of_extension, "--format")?;
        let format = format.unwrap_or(Format::Svg);
        if (self.kind, format) == (Kind::Railroad, Format::Dot) {
            let message = "railroad diagrams are drawn as SVG only";
            return Err(Cli::command().error(ErrorKind::ArgumentConflict, message).into());
        }
        if self.kind != Kind::Railroad && (self.per_rule || !self.rule.is_empty()) {
            return Err(Failure::usage("--rule and --per-rule are for --kind railroad"));
        }
        let loaded = self.grammar.load(self.limits.limits(), console)?;
        if self.per_rule || !self.rule.is_empty() {
            self.output.write(&self.railroads(&loaded.language)?, console)?;
            return Ok(Outcome::Clean);
        }
        let extension = match format {
            Format::Dot => "dot",
            Format::Svg => "svg",
        };
        let name = format!("{}.{extension}", loaded.grammar().name());
        let picture = WrittenFile { name, text: self.draw(&loaded.language, format)? };
        self.output.write(&[picture], console)?;
        Ok(Outcome::Clean)
    }

    /// The diagrams of the chosen rules, or of all.
    fn railroads(&self, language: &Language) -> Result<Vec<WrittenFile>, Failure> {
        let all = draw::railroads(language.grammar());
        for rule in &self.rule {
            if all.iter().all(|(name, _)| name != rule) {
                let message = format!("there is no rule `{rule}`");
                let mut error = Diagnostic::new(codes::NO_SUCH_RULE, message);
                error.help = did_you_mean(rule, all.iter().map(|(name, _)| name.as_str()));
                return Err(Failure::refused(error));
            }
        }
        let chosen = all.into_iter().filter(|(name, _)| self.per_rule || self.rule.contains(name));
        Ok(chosen.map(|(name, text)| WrittenFile { name: format!("{name}.svg"), text }).collect())
    }

    fn draw(&self, language: &Language, format: Format) -> Result<String, Failure> {
        let grammar = language.grammar();
        match self.kind {
            Kind::Grammar => format.write(&draw::grammar_graph(grammar, language.graph())),
            Kind::Lr => format.write(&self.lr_graph(language)?),
            Kind::Railroad => Ok(draw::railroad(grammar)),
        }
    }

    fn lr_graph(&self, language: &Language) -> Result<Sketch, LimitReached> {
        let bnf = language.bnf();
        let automaton = Automata::of(bnf, self.limits.limits()).build(self.automaton)?;
        Ok(draw::lr_graph(language.grammar(), bnf, &LrGraph::new(bnf, &automaton)))
    }
}

impl Format {
    fn of_extension(extension: &str) -> Option<Self> {
        match extension {
            "dot" | "gv" => Some(Format::Dot),
            "svg" => Some(Format::Svg),
            _ => None,
        }
    }

    fn write(self, sketch: &Sketch) -> Result<String, Failure> {
        match self {
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
