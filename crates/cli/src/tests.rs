//! What holds for the command line as a whole, and for the guide that explains it.

use std::fmt::Write;
use std::path::PathBuf;

use clap::{Command, CommandFactory};
use gramercy::base::Code;
use gramercy_testkit::{files_in, workspace};

use crate::codes;
use crate::flags::Cli;

fn guide(page: &str) -> PathBuf {
    workspace().join("guide").join(page)
}

fn commands() -> Vec<Command> {
    Cli::command().get_subcommands().cloned().collect()
}

fn all_codes() -> Vec<Code> {
    let mut codes: Vec<_> =
        gramercy::CODES.iter().chain([&codes::ALL]).copied().flatten().copied().collect();
    codes.sort_by_key(|code| code.name);
    codes
}

#[test]
fn the_definition_of_the_arguments_is_sound() {
    Cli::command().debug_assert();
}

#[test]
fn every_command_has_a_page_in_the_guide() {
    let index = std::fs::read_to_string(guide("README.md")).expect("the guide has an index");
    for command in commands() {
        let page = format!("{}.md", command.get_name());
        assert!(guide(&page).is_file(), "guide/{page} is missing");
        assert!(index.contains(&format!("({page})")), "guide/README.md does not lead to {page}");
    }
}

#[test]
fn the_examples_in_the_help_can_be_run() {
    for command in commands() {
        let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
        let (_, examples) = help.split_once("Examples:\n").unwrap_or_else(|| {
            panic!("the help of {} has no examples", command.get_name());
        });
        for line in examples.lines() {
            let words = line.split_whitespace().take_while(|word| !matches!(*word, ">" | "|"));
            if let Err(error) = Cli::command().try_get_matches_from(words) {
                panic!("{line}: {error}");
            }
        }
    }
}

#[test]
fn every_diagnostic_code_is_unique() {
    for pair in all_codes().windows(2) {
        assert_ne!(pair[0].name, pair[1].name);
    }
}

/// A crate that defines codes must also be asked for them.
#[test]
fn no_list_of_codes_is_forgotten() {
    let codes = all_codes();
    for file in files_in(&workspace().join("crates"), &["rs"]) {
        let text = std::fs::read_to_string(&file).expect("the file can be read");
        for name in text.lines().filter_map(defined_code) {
            let known = codes.iter().any(|code| code.name == name);
            assert!(known, "{}: `{name}` is in no list of gramercy::CODES", file.display());
        }
    }
}

/// The name in a line such as `COLD_SOUP, "cold-soup", Warning;`.
fn defined_code(line: &str) -> Option<&str> {
    let (constant, rest) = line.trim().split_once(", \"")?;
    let (name, severity) = rest.split_once("\", ")?;
    let is_constant =
        constant.chars().all(|c| c == '_' || c.is_ascii_uppercase() || c.is_ascii_digit());
    (is_constant && matches!(severity, "Error;" | "Warning;" | "Note;")).then_some(name)
}

#[test]
fn the_guide_lists_every_diagnostic() {
    let mut page = String::from(
        "# Diagnostics\n\nWhat `gramercy` can say about a grammar or a command, by its stable code. \
         An *error* means that the input cannot be used; a *warning*, that it is probably not what \
         its author meant; a *note*, that something was ignored or decided.\n\n\
         | code | severity | meaning |\n|---|---|---|\n",
    );
    for code in all_codes() {
        let severity = code.severity.as_str();
        let _ = writeln!(page, "| `{}` | {severity} | {} |", code.name, code.meaning);
    }
    snapbox::assert_data_eq!(page, snapbox::Data::read_from(&guide("diagnostics.md"), None).raw());
}
