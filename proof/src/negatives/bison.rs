//! The places of bison's errors, and what it expects there.
//!
//! An LR parser never shifts a token that cannot come, with default reductions or without; so for a grammar without
//! conflicts the token at its first error is ours, exactly. What it says it expects is exact only with look-ahead
//! correction (`parse.lac full`): without it, default reductions have been made, and merged look-aheads let tokens pass
//! that cannot come.
//!
//! The BNF core of every grammar of tokens is written for bison with numbers for names. Grammars that have conflicts
//! as LALR(1) are tried as canonical LR(1); those that have conflicts there too are left out, because bison resolves
//! conflicts and then reads another language.

use std::fmt::Write as _;
use std::ops::ControlFlow;
use std::path::Path;

use gramercy_base::{Id, IdSet};
use gramercy_derive::{CheapestTrees, Contexts, Resolution};
use gramercy_grammar::{Symbol, TerminalId, TerminalKind, TextKind};
use gramercy_language::Language;
use gramercy_mutate::check::exact::Exact;
use gramercy_mutate::operators::rule::Rules;
use gramercy_mutate::operators::word::Words;
use gramercy_mutate::{Check, Reader, Vocabulary};

use crate::Fallible;
use crate::antlr::tool::{command, run as run_program};
use crate::columns::aligned;

/// A mutant with our first error.
struct Mutant {
    tokens: Vec<TerminalId>,
    token: usize,
    expected: IdSet<TerminalId>,
    end_expected: bool,
}

/// The results for one grammar.
#[derive(Clone, Debug, Default)]
pub struct Trial {
    name: String,
    /// `lalr` or `canonical-lr`.
    automaton: &'static str,
    left_out: Option<String>,
    mutants: usize,
    /// Mutants with the same error token, without and with look-ahead correction.
    places: [usize; 2],
    /// Mutants with the same expected tokens, without and with it.
    expected: [usize; 2],
    /// The first difference.
    difference: Option<String>,
}

impl Trial {
    /// Whether a place differs, or an expected set with look-ahead correction.
    #[must_use]
    pub fn failed(&self) -> bool {
        self.left_out.is_none()
            && (self.places != [self.mutants; 2] || self.expected[1] != self.mutants)
    }
}

/// Compares the first errors of at most `most` mutants of a grammar.
///
/// # Errors
/// If a program cannot be started.
pub fn run(name: &str, language: &Language, most: usize) -> Fallible<Trial> {
    let mut trial = Trial { name: name.to_owned(), ..Trial::default() };
    if let Some(reason) = unsuited(language) {
        trial.left_out = Some(reason.to_owned());
        return Ok(trial);
    }
    let folder = gramercy_testkit::workspace().join("target/proof-bison-errors");
    std::fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    run_program("bison", &["--version"], &folder)?;
    let Some(automaton) = automaton_without_conflicts(language, &folder)? else {
        trial.left_out = Some("it has conflicts".to_owned());
        return Ok(trial);
    };
    trial.automaton = automaton;
    let mutants = mutants(language, most);
    trial.mutants = mutants.len();
    for (number, correction) in ["none", "full"].into_iter().enumerate() {
        build(language, automaton, correction, &folder)?;
        let answers = ask(&mutants, &folder)?;
        for (mutant, answer) in mutants.iter().zip(answers.lines()) {
            compare(mutant, answer, number, language, &mut trial);
        }
        if answers.lines().count() != mutants.len() {
            return Err(format!("{name}: bison's parser did not read every mutant"));
        }
    }
    Ok(trial)
}

/// Why a grammar cannot be written for bison.
fn unsuited(language: &Language) -> Option<&'static str> {
    let terminals = language.grammar().terminals();
    let is_class = |id: TerminalId| matches!(terminals[id].kind, TerminalKind::AnyTokenBut(_));
    if language.grammar().text_kind() == TextKind::Scannerless {
        Some("it has no tokens")
    } else if language.bnf().terminals().any(is_class) {
        Some("a terminal stands for several tokens")
    } else if language.bnf().productions().any(|id| !language.useful().has_production(id)) {
        Some("some productions are in no sentence")
    } else {
        None
    }
}

fn automaton_without_conflicts(
    language: &Language,
    folder: &Path,
) -> Fallible<Option<&'static str>> {
    for automaton in ["lalr", "canonical-lr"] {
        write(language, automaton, "none", folder)?;
        let arguments =
            ["-Wno-all", "-Werror=conflicts-sr", "-Werror=conflicts-rr", "-o", "t.c", "t.y"];
        if run_program("bison", &arguments, folder).is_ok() {
            return Ok(Some(automaton));
        }
    }
    Ok(None)
}

fn build(language: &Language, automaton: &str, correction: &str, folder: &Path) -> Fallible {
    write(language, automaton, correction, folder)?;
    run_program("bison", &["-Wno-all", "-o", "t.c", "t.y"], folder)?;
    run_program("gcc", &["-O1", "-w", "-o", "t", "t.c"], folder)
}

fn write(language: &Language, automaton: &str, correction: &str, folder: &Path) -> Fallible {
    let cfg = language.bnf().cfg();
    let mut text = format!(
        "%define lr.type {automaton}\n%define parse.lac {correction}\n%define parse.error custom\n{HEAD}"
    );
    for id in cfg.terminals() {
        let _infallible = writeln!(text, "%token T{0} {1}", id.index(), FIRST_CODE + id.index());
    }
    let _infallible = write!(text, "%start n{}\n%%\n", cfg.start().index());
    for id in cfg.productions() {
        let _infallible = write!(text, "n{}:", cfg.lhs(id).index());
        for symbol in cfg.rhs(id) {
            let _infallible = match symbol {
                Symbol::Terminal(id) => write!(text, " T{}", id.index()),
                Symbol::Nonterminal(id) => write!(text, " n{}", id.index()),
            };
        }
        text.push_str(";\n");
    }
    text.push_str(TAIL);
    std::fs::write(folder.join("t.y"), text).map_err(|error| error.to_string())
}

/// The code of the first token; bison keeps the smaller ones for characters and for itself.
const FIRST_CODE: usize = 300;

/// Mutants of single tokens of the smallest sentences around productions.
fn mutants(language: &Language, most: usize) -> Vec<Mutant> {
    let cheapest = CheapestTrees::new(language, Resolution::default());
    let contexts = Contexts::new(language, &cheapest);
    let rules = Rules::new(language, &contexts);
    let Ok(parser) = language.parser() else { return Vec::new() };
    let mut workspaces = [parser.parser().workspace(), parser.parser().workspace()];
    let [one, other] = &mut workspaces;
    let (Some(one), Some(other)) =
        (Reader::new(parser.parser(), one), Reader::new(parser.parser(), other))
    else {
        return Vec::new();
    };
    let mut check = Exact::new(Vocabulary::new(language), one);
    let mut errors = Exact::new(Vocabulary::new(language), other);
    let mut words = Words::new(language.bnf().terminal_count());
    let productions: Vec<_> = rules.productions().collect();
    // Each sentence gets its share, spread over its mutants.
    let share = (most / productions.len().max(1)).max(1) as u64;
    let mut found = Vec::new();
    for production in productions {
        let base = rules.base(production).tokens;
        check.begin(&base);
        errors.begin(&base);
        let all = words.count(&base, &mut check);
        let (step, mut at) = (all.div_ceil(share).max(1), 0);
        let _ = words.visit(&base, &mut check, &mut |edit| {
            at += 1;
            if at % step == 0
                && let Some(token) = errors.error(edit.place, edit.removed, edit.inserted)
            {
                let (expected, end_expected) = errors.reader().expected_here();
                found.push(Mutant { tokens: edit.apply(&base), token, expected, end_expected });
            }
            match found.len() < most {
                true => ControlFlow::Continue(()),
                false => ControlFlow::Break(()),
            }
        });
    }
    found
}

/// One line per mutant: the number of the token at the first error, and the tokens that are expected.
fn ask(mutants: &[Mutant], folder: &Path) -> Fallible<String> {
    let mut lines = String::new();
    for mutant in mutants {
        for token in &mutant.tokens {
            let _infallible = write!(lines, "{} ", FIRST_CODE + token.index());
        }
        lines.push_str("0\n");
    }
    let given = folder.join("input");
    std::fs::write(&given, lines).map_err(|error| error.to_string())?;
    let input = std::fs::File::open(&given).map_err(|error| error.to_string())?;
    let output = command(&folder.join("t").to_string_lossy()).stdin(input).output();
    let output = output.map_err(|error| format!("cannot start bison's parser: {error}"))?;
    String::from_utf8(output.stdout).map_err(|error| error.to_string())
}

fn compare(mutant: &Mutant, answer: &str, number: usize, language: &Language, trial: &mut Trial) {
    let mut words = answer.split_whitespace();
    let place = words.next().and_then(|word| word.parse::<usize>().ok());
    let (mut expected, mut end_expected) = (IdSet::new(language.bnf().terminal_count()), false);
    for word in words {
        match word.strip_prefix('T').and_then(|number| number.parse().ok()) {
            Some(number) => _ = expected.insert(TerminalId::from_index(number)),
            None => end_expected = true,
        }
    }
    let is_same = (expected, end_expected) == (mutant.expected.clone(), mutant.end_expected);
    trial.places[number] += usize::from(place == Some(mutant.token));
    trial.expected[number] += usize::from(is_same);
    if place != Some(mutant.token) || (number == 1 && !is_same) {
        let name = |id: &TerminalId| &*language.grammar().terminals()[*id].name;
        let tokens: Vec<&str> = mutant.tokens.iter().map(name).collect();
        let ours: Vec<usize> = mutant.expected.iter().map(Id::index).collect();
        trial.difference.get_or_insert_with(|| {
            format!("{}: token {}, {ours:?}; bison: {answer}", tokens.join(" "), mutant.token)
        });
    }
}

const COLUMNS: [&str; 7] = [
    "grammar",
    "automaton",
    "mutants",
    "same token",
    "with correction",
    "same expected set",
    "with correction",
];

/// A table with one line per grammar, followed by what was left out and by differences.
#[must_use]
pub fn table(trials: &[Trial]) -> String {
    let row = |trial: &Trial| {
        [
            trial.name.clone(),
            trial.automaton.to_owned(),
            trial.mutants.to_string(),
            trial.places[0].to_string(),
            trial.places[1].to_string(),
            trial.expected[0].to_string(),
            trial.expected[1].to_string(),
        ]
    };
    let judged = trials.iter().filter(|trial| trial.left_out.is_none());
    let rows: Vec<[String; 7]> = judged.map(row).collect();
    let mut lines = aligned(&COLUMNS, &rows);
    for trial in trials {
        let left_out = trial.left_out.iter();
        lines.extend(left_out.map(|reason| format!("{}: left out: {reason}", trial.name)));
        lines.extend(trial.difference.iter().map(|text| format!("{}: {text}", trial.name)));
    }
    lines.join("\n")
}

const HEAD: &str = r"%{
#include <stdio.h>
int yylex(void);
void yyerror(const char *message) { (void)message; }
static int reads;
%}
";

const TAIL: &str = r#"%%
static int is_over;
int yylex(void) {
  int token;
  if (is_over || scanf("%d", &token) != 1) return 0;
  reads++;
  is_over = token == 0;
  return token;
}
static int yyreport_syntax_error(const yypcontext_t *context) {
  static yysymbol_kind_t expected[YYNTOKENS];
  int count = yypcontext_expected_tokens(context, expected, YYNTOKENS);
  printf("%d", reads - 1);
  for (int i = 0; i < count; i++)
    printf(" %s", expected[i] == YYSYMBOL_YYEOF ? "end" : yysymbol_name(expected[i]));
  printf("\n");
  return 0;
}
int main(void) {
  int next;
  while ((next = getchar()) != EOF) {
    ungetc(next, stdin);
    reads = is_over = 0;
    if (yyparse() == 0) printf("accept\n");
    while ((next = getchar()) != EOF && next != '\n')
      ;
  }
  return 0;
}
"#;
