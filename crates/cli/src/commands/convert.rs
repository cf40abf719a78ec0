//! `gramercy convert`: a grammar in another notation, or in another shape.

use clap::{Args, ValueEnum};
use gramercy::Grammar;
use gramercy::base::{LimitReached, Limits};
use gramercy::formats::{WrittenFile, antlr4, bnf_listing, native, yacc};

use crate::console::Console;
use crate::flags::{GrammarArgs, OutputArgs, TransformationArgs};
use crate::outcome::{Failure, Outcome};

/// Write a grammar in another notation, or transformed
#[derive(Args)]
#[command(after_help = "\
The language stays the same. Transformations may be given more than once.

Examples:
  gramercy convert grammar.g4 --to yacc -o grammar.y
  gramercy convert grammar.gram --to antlr4 -o grammars/
  gramercy convert grammar.gram --to bnf
  gramercy convert grammar.gram --unfold-regexes --inline 2")]
pub(crate) struct Convert {
    #[command(flatten)]
    grammar: GrammarArgs,
    /// Notation to write; `bnf` is a numbered list of productions for reading
    #[arg(long, value_name = "NAME", default_value = "native")]
    to: Target,
    #[command(flatten)]
    transformations: TransformationArgs,
    #[command(flatten)]
    output: OutputArgs,
}

#[derive(Clone, Copy, ValueEnum)]
enum Target {
    Native,
    Antlr4,
    Yacc,
    Bnf,
}

impl Convert {
    pub(crate) fn run(&self, console: &mut Console) -> Result<Outcome, Failure> {
        let limits = Limits::default();
        let (_, grammar) = self.grammar.load_grammar(limits, console)?;
        let grammar = self.transformations.apply(grammar, &limits)?;
        let files = self.to.write(&grammar, &limits)?;
        self.output.write(&files, console)?;
        Ok(Outcome::Clean)
    }
}

impl Target {
    fn write(self, grammar: &Grammar, limits: &Limits) -> Result<Vec<WrittenFile>, LimitReached> {
        let bnf = || grammar.bnf(&grammar.graph(), limits);
        let file = |extension: &str, text: String| {
            vec![WrittenFile { name: format!("{}.{extension}", grammar.name()), text }]
        };
        Ok(match self {
            Target::Native => file("gram", native::write(grammar)),
            Target::Antlr4 => antlr4::write(grammar, limits)?,
            Target::Yacc => file("y", yacc::write(grammar, &bnf()?)),
            Target::Bnf => file("bnf", bnf_listing(grammar, &bnf()?)),
        })
    }
}
