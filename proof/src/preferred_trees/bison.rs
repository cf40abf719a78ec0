//! bison's own trees: parsers that it made, with actions that write the tree.

use std::fmt::Write as _;
use std::path::Path;
use std::process::Stdio;

use gramercy_formats::Memory;

use super::{Effort, Outcome, outline, random_grammars, texts};
use crate::antlr::tool::{command, run};
use crate::{Fallible, languages};

/// Compares trees of random grammars with bison's, and what it accepts with what our resolved parser accepts.
///
/// # Errors
/// If a program cannot be started, or a grammar cannot be read.
pub fn bison(effort: &Effort) -> Fallible<Outcome> {
    let folder = gramercy_testkit::workspace().join("target/proof-bison");
    std::fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    run("bison", &["--version"], &folder)?;
    let mut outcome = Outcome::default();
    for seed in effort.seed..effort.seed + effort.grammars {
        let (declarations, productions) = random_grammars::yacc(seed);
        one(&folder, seed, &declarations, &productions, effort.texts, &mut outcome)?;
    }
    Ok(outcome)
}

fn one(
    folder: &Path,
    seed: u64,
    declarations: &str,
    productions: &[(&str, String)],
    count: usize,
    outcome: &mut Outcome,
) -> Fallible {
    let mut grammar = format!("{declarations}%%\n");
    for (lhs, rhs) in productions {
        let _infallible = writeln!(grammar, "{lhs}: {rhs};");
    }
    let files = Memory::with("t.y", grammar.as_str());
    let language = languages::read_from(Path::new("t.y"), &files, None)?;
    let texts = texts(&language, count, seed)?;
    let program = program(declarations, productions);
    std::fs::write(folder.join("t.y"), program).map_err(|error| error.to_string())?;
    let built = run("bison", &["-Wnone", "-o", "t.c", "t.y"], folder)
        .and_then(|()| run("gcc", &["-O0", "-D_GNU_SOURCE", "-w", "-o", "t", "t.c"], folder));
    if built.is_err() {
        outcome.refused += 1;
        return Ok(());
    }
    outcome.grammars += 1;
    let trees = ask(folder, &texts)?;
    let parser = languages::parser(&language)?;
    let mut workspace = parser.workspace();
    for (text, theirs) in texts.iter().zip(trees.lines()) {
        let is_accepted = parser.is_accepted_by_tool(&mut workspace, text);
        if is_accepted != Some(theirs != "reject") {
            let ours = format!("accepted by our resolved parser: {is_accepted:?}");
            outcome.compare(&grammar, text, &ours, theirs);
        } else if theirs == "reject" {
            outcome.rejected += 1;
        } else {
            let ours = outline(&language, text).unwrap_or_else(|problem| problem);
            outcome.compare(&grammar, text, &ours, theirs);
        }
    }
    Ok(())
}

fn ask(folder: &Path, texts: &[String]) -> Fallible<String> {
    let given = folder.join("input");
    let lines: String = texts.iter().map(|text| text.replace('\n', " ") + "\n").collect();
    std::fs::write(&given, lines).map_err(|error| error.to_string())?;
    let input = std::fs::File::open(&given).map_err(|error| error.to_string())?;
    // The text of a tree may double with every reduction of a grammar that reduces forever.
    let mut command = command("sh");
    command.args(["-c", "ulimit -v 1000000; exec \"$0\""]).arg(folder.join("t"));
    let output = command.stdin(input).stderr(Stdio::null()).output();
    let output = output.map_err(|error| format!("cannot start bison's parser: {error}"))?;
    String::from_utf8(output.stdout).map_err(|error| error.to_string())
}

fn program(declarations: &str, productions: &[(&str, String)]) -> String {
    let mut rules = String::from("top: s { tree = $1; };\n");
    for (lhs, rhs) in productions {
        let plain = rhs.split("%prec").next().unwrap_or(rhs);
        let symbols = plain.split_whitespace().count();
        let format = "%s".repeat(symbols);
        let arguments: String = (1..=symbols).map(|n| format!(", ${n}")).collect();
        let _infallible =
            writeln!(rules, "{lhs}: {rhs} {{ $$ = show(\"({lhs} {format})\"{arguments}); }};");
    }
    format!("{HEAD}{declarations}%%\n{rules}{TAIL}")
}

const HEAD: &str = r#"%{
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define YYSTYPE char *
int yylex(void);
static char *tree;
void yyerror(const char *message) { (void)message; }
static char *show(const char *format, ...) {
  char *text;
  va_list arguments;
  va_start(arguments, format);
  if (vasprintf(&text, format, arguments) < 0) exit(2);
  va_end(arguments);
  return text;
}
%}
"#;

const TAIL: &str = r#"%%
static char *rest;
int yylex(void) {
  char *word = strtok(rest, " \n");
  rest = NULL;
  if (!word) return 0;
  yylval = ".";
  if (!strcmp(word, "N")) return N;
  if (!strcmp(word, "X")) return X;
  if (!strcmp(word, "Y")) return Y;
  return word[0];
}
int main(void) {
  static char line[65536];
  while (fgets(line, sizeof line, stdin)) {
    rest = line;
    tree = NULL;
    puts(yyparse() == 0 ? tree : "reject");
  }
  return 0;
}
"#;
