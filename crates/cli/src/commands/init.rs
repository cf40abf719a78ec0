//! `gramercy init`: a commented `gramercy.toml` for the grammar and the program at hand.

use std::io::Write;
use std::path::PathBuf;

use clap::{Args, ValueHint};
use gramercy::base::{Diagnostic, Limits};

use super::campaigns::preset;
use crate::codes;
use crate::console::Console;
use crate::flags::GrammarArgs;
use crate::outcome::{Failure, Outcome};

/// Write a commented gramercy.toml, so that `gramercy run` alone works
#[derive(Args)]
#[command(after_help = "\
The file goes beside the grammar, or to -o. Every key is the long name of an option; flags win over it.

Examples:
  gramercy init json.g4 --preset jq
  gramercy init json.g4 -- ./parser {}
  gramercy init json.g4 -o - -- ./parser {}")]
pub(crate) struct Init {
    #[command(flatten)]
    grammar: GrammarArgs,
    /// Preset of the program
    #[arg(long, value_name = "NAME")]
    preset: Option<String>,
    /// File to write; - is standard output [default: gramercy.toml beside the grammar]
    #[arg(long, short, value_name = "FILE", value_hint = ValueHint::FilePath)]
    output: Option<PathBuf>,
    /// Replace a file that is there already
    #[arg(long)]
    force: bool,
    /// The program and its arguments
    #[arg(last = true, value_name = "COMMAND")]
    command: Vec<String>,
}

impl Init {
    pub(crate) fn run(&self, console: &mut Console) -> Result<Outcome, Failure> {
        let loaded = self.grammar.load(Limits::default(), console)?;
        let preset = self.preset.as_deref().map(preset).transpose()?;
        let folder = loaded.file.parent().map(PathBuf::from).unwrap_or_default();
        let path = self.output.clone().unwrap_or_else(|| folder.join("gramercy.toml"));
        let beside = path.parent() == Some(&folder);
        let grammar = match (beside, loaded.file.file_name()) {
            (true, Some(name)) => PathBuf::from(name),
            _ => std::path::absolute(&loaded.file).unwrap_or_else(|_| loaded.file.clone()),
        };
        let program = Program {
            command: &self.command,
            preset: preset.map(|preset| preset.name),
            database: loaded.file.with_extension("db"),
        };
        let text = file(&grammar.display().to_string(), loaded.start(), &program);
        if path.as_os_str() == "-" {
            console.out().write_all(text.as_bytes())?;
            return Ok(Outcome::Clean);
        }
        if path.exists() && !self.force {
            let message = format!("`{}` is there already", path.display());
            let diagnostic = Diagnostic::new(codes::IN_THE_WAY, message);
            return Err(Failure::refused(diagnostic.help("replace it with --force")));
        }
        std::fs::write(&path, text).map_err(|error| Failure::unwritable(&path, &error))?;
        console.say(&format!("wrote `{}`; now try `gramercy run`\n", path.display()));
        Ok(Outcome::Clean)
    }
}

/// The program of a file.
struct Program<'p> {
    command: &'p [String],
    preset: Option<&'p str>,
    database: PathBuf,
}

/// The text of the file. A JSON string is a TOML string.
fn file(grammar: &str, start: &str, program: &Program<'_>) -> String {
    let quote = |text: &str| serde_json::Value::from(text).to_string();
    let database = program.database.file_name().map(|name| name.to_string_lossy().into_owned());
    let database = quote(&database.unwrap_or_else(|| "campaign.db".to_owned()));
    let run = match (program.preset, program.command) {
        (Some(preset), _) => format!("preset = {}\n", quote(preset)),
        (None, []) => "# The program under test; {} is the file with the test.\n\
             # command = [\"./parser\", \"{}\"]\n# Or a program that is known: see `gramercy run --presets`.\n\
             # preset = \"jq\"\n"
            .to_owned(),
        (None, command) => {
            let words: Vec<String> = command.iter().map(|word| quote(word)).collect();
            format!("# The program under test; {{}} is the file with the test.\ncommand = [{}]\n", words.join(", "))
        }
    };
    format!(
        "# Defaults of gramercy for this project. Each key is the long name of an option; flags win.\n\
         grammar = {}\n# start = {}\n\n[run]\n{run}\n\
         # What the tests cover, and random tests beside them.\n# cover = \"kpath:2+lexeme:1\"\n# random = 1000\n\n\
         # Exit codes and output that tell how the program responded.\n# accept-exit = [0]\n# reject-exit = [1]\n\
         # accept-output = [\"no such table\"]\n# position = \"line (?<line>[0-9]+), column (?<column>[0-9]+)\"\n\n\
         # Bounds of one test.\ntimeout = \"10s\"\nmemory = \"2G\"\n\n\
         # Keep verdicts, and continue with --resume.\n# db = {database}\n# report = [\"report.html\"]\n",
        quote(grammar),
        quote(start),
    )
}
