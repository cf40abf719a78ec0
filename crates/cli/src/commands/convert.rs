//! `gramercy convert`: a grammar in another notation, or in another shape.

use std::path::Path;

use clap::{Args, ValueEnum};
use gramercy::base::{LimitReached, Limits};
use gramercy::formats::{WrittenFile, antlr4, bnf_listing, native, notation_of, yacc};
use gramercy::{Grammar, Notation};

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
    /// Notation to write [default: by the name of -o, else native]; `bnf` is a numbered list of
    /// productions for reading
    #[arg(long, value_name = "NAME")]
    to: Option<Target>,
    #[command(flatten)]
    transformations: TransformationArgs,
    #[command(flatten)]
    output: OutputArgs,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Target {
    Native,
    Antlr4,
    Yacc,
    Bnf,
}

impl Convert {
    pub(crate) fn run(&self, console: &mut Console) -> Result<Outcome, Failure> {
        let to = self.output.form(self.to, Target::of_extension, "--to")?;
        let limits = Limits::default();
        let (_, grammar) = self.grammar.load_grammar(limits, console)?;
        let grammar = self.transformations.apply(grammar, &limits)?;
        let to = to.unwrap_or(Target::Native);
        if to == Target::Antlr4 {
            console.report(&antlr4::lost_precedence(&grammar), grammar.sources());
        }
        let files = to.write(&grammar, &limits)?;
        self.output.write(&files, console)?;
        Ok(Outcome::Clean)
    }
}

impl Target {
    fn of_extension(extension: &str) -> Option<Self> {
        match extension {
            "bnf" => Some(Target::Bnf),
            _ => match notation_of(Path::new("grammar").with_extension(extension).as_path())? {
                Notation::Native => Some(Target::Native),
                Notation::Antlr4 => Some(Target::Antlr4),
                Notation::Yacc => Some(Target::Yacc),
                Notation::Tribble | Notation::Scala => None,
            },
        }
    }

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
