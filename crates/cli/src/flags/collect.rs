//! How a program is run to see what inputs cover.

use std::path::PathBuf;

use clap::{Args, ValueHint};
use gramercy::campaign::collect::CollectSpec;
use gramercy::campaign::collect::presets::Preset;
use gramercy::campaign::oracle::OracleSpec;
use gramercy::subject::Program;

use super::named;

const HEADING: &str = "Collecting options";

/// The options of every command that runs a program to learn.
#[derive(Args)]
pub(crate) struct CollectArgs {
    /// Run the program, and find out what inputs cover as this preset does
    #[arg(long, value_name = "PRESET", help_heading = HEADING, value_parser = named::<Preset>())]
    pub(crate) collect: Option<Preset>,
    /// Shell command before each run; $COVERAGE is an empty folder for coverage data
    #[arg(long, value_name = "SHELL", help_heading = HEADING, requires = "collect")]
    reset: Option<String>,
    /// Shell command that runs the program, which is "$@"
    #[arg(long, value_name = "SHELL", help_heading = HEADING, requires = "collect")]
    run: Option<String>,
    /// Shell command after each run that prints a coverage report
    #[arg(long, value_name = "SHELL", help_heading = HEADING, requires = "collect")]
    export: Option<String>,
    /// Environment variable of the program, NAME=VALUE; may be given more than once
    #[arg(long, value_name = "NAME=VALUE", help_heading = HEADING, value_parser = variable)]
    env: Vec<(String, String)>,
    /// Database of runs, so that no input runs twice [default: MODEL.runs.db]
    #[arg(long, value_name = "FILE", help_heading = HEADING, value_hint = ValueHint::FilePath)]
    pub(crate) cache: Option<PathBuf>,
    /// With --refine, the most runs of the program
    #[arg(long, value_name = "N", default_value_t = 1000, help_heading = HEADING)]
    pub(crate) max_runs: usize,
    /// The program and its arguments
    #[arg(last = true, value_name = "COMMAND")]
    pub(crate) command: Vec<String>,
}

impl CollectArgs {
    /// How behaviour of the command is collected; `None` if no program is to be run.
    pub(crate) fn spec(
        &self,
        apply: impl FnOnce(Program) -> Program,
        oracle: OracleSpec,
        messages: &[String],
    ) -> Option<CollectSpec> {
        let mut program = apply(Program::new(self.command.clone()));
        program.environment.extend(self.env.iter().cloned());
        let mut spec = CollectSpec::new(self.collect?, program);
        let replace = |template: &mut String, own: &Option<String>| {
            if let Some(own) = own {
                template.clone_from(own);
            }
        };
        replace(&mut spec.templates.reset, &self.reset);
        replace(&mut spec.templates.run, &self.run);
        replace(&mut spec.templates.export, &self.export);
        spec.oracle = oracle;
        spec.messages = messages.to_vec();
        Some(spec)
    }
}

fn variable(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("NAME=VALUE is needed")?;
    Ok((name.to_owned(), value.to_owned()))
}
