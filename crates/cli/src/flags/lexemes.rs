//! How tokens are written as text.

use std::path::{Path, PathBuf};

use clap::{Args, ValueHint};
use gramercy::Grammar;
use gramercy::assemble::recipe::{TextRecipe, TokenLexemes};
use gramercy::base::{Diagnostic, Named, files};
use gramercy::grammar::{TerminalId, TerminalKind, TextKind};
use gramercy::lexis::{Alphabet, Lexemes, Spacing, Writer};
use toml::Spanned;
use toml::de::{DeString, DeTable, DeValue};

use super::{SMALL_FILE, named};
use crate::codes;
use crate::outcome::Failure;

const HEADING: &str = "Text options";
/// Automata are looked through for every number of characters up to this.
const MAX_LENGTH: i64 = 1000;

/// The options of every command that writes tokens.
#[derive(Args, Clone)]
pub(crate) struct LexemeArgs {
    /// Texts of tokens: ordinary, shortest, varied, random, or a file with `NAME = ["text", …]` lines
    #[arg(long, value_name = "HOW", default_value = "ordinary", help_heading = HEADING)]
    pub(crate) lexemes: String,
    /// Texts of one token, separated by commas; may be given more than once
    #[arg(long, value_name = "ID=x,y", value_parser = lexeme, help_heading = HEADING)]
    pub(crate) lexeme: Vec<TokenLexemes>,
    /// Minimum number of characters in the text of a token or regular expression, where it has such texts
    #[arg(long, value_name = "N", default_value = "0", help_heading = HEADING)]
    #[arg(value_parser = clap::value_parser!(u16).range(..=MAX_LENGTH))]
    pub(crate) lexeme_length: u16,
    /// Write a template for --lexemes with all tokens and their known texts, and exit
    #[arg(long, value_name = "FILE", help_heading = HEADING, value_hint = ValueHint::FilePath)]
    pub(crate) write_lexemes: Option<PathBuf>,
    /// What to put between tokens, where the lexer skips it
    #[arg(
        long, value_name = "HOW", default_value = "minimal", value_parser = named::<Spacing>(),
        help_heading = HEADING
    )]
    pub(crate) spacing: Spacing,
    /// Characters that lexemes may have: any, ascii, or a list such as a-z0-9_
    #[arg(long, value_name = "CHARS", default_value = "any", help_heading = HEADING)]
    pub(crate) alphabet: Alphabet,
}

fn lexeme(text: &str) -> Result<TokenLexemes, String> {
    let (token, texts) = text.split_once('=').ok_or("a token and its texts, such as ID=x,y")?;
    let texts: Vec<String> = texts.split(',').map(str::to_owned).collect();
    Ok(TokenLexemes { token: token.to_owned(), texts })
}

impl LexemeArgs {
    /// How tokens become text. A file of lexemes becomes part of the recipe.
    pub(crate) fn recipe(&self, grammar: &Grammar) -> Result<TextRecipe, Failure> {
        let named = Lexemes::from_name(&self.lexemes);
        let mut pool = match named {
            Some(_) => Vec::new(),
            None => {
                let pool = read_file(&self.lexemes)?;
                check_complete(grammar, &pool, &self.lexeme, &self.lexemes)?;
                pool
            }
        };
        pool.extend(self.lexeme.iter().cloned());
        Ok(TextRecipe {
            lexemes: named.unwrap_or_default(),
            pool,
            lexeme_length: self.lexeme_length.into(),
            spacing: self.spacing,
            alphabet: self.alphabet.clone(),
        })
    }
}

/// A file of texts: a TOML table with a list a token.
fn read_file(path: &str) -> Result<Vec<TokenLexemes>, Failure> {
    let bad = |reason: String| {
        let message = format!("cannot read the lexemes in `{path}`: {reason}");
        let help = "--lexemes takes ordinary, shortest, varied, random, or a file; --write-lexemes makes one";
        Failure::refused(Diagnostic::new(codes::BAD_LEXEMES, message).help(help))
    };
    let text =
        files::read_text(Path::new(path), SMALL_FILE).map_err(|error| bad(error.to_string()))?;
    let table = DeTable::parse(&text).map_err(|error| bad(error.message().to_owned()))?;
    let list = |(token, value): (&Spanned<_>, &Spanned<DeValue<'_>>)| {
        let token: String = DeString::to_string(token.get_ref());
        let texts = value.get_ref().as_array().map(|texts| {
            texts.iter().map(|text| text.get_ref().as_str().map(str::to_owned)).collect()
        });
        match texts.flatten() {
            Some(texts) => Ok(TokenLexemes { token, texts }),
            None => Err(bad(format!("`{token}` is no list of texts"))),
        }
    };
    table.get_ref().iter().map(list).collect()
}

/// Whether a token has a text of its own, or a lexer that makes one.
fn is_known(grammar: &Grammar, terminal: TerminalId) -> bool {
    grammar.text_kind() != TextKind::TokensOnly
        || !matches!(grammar.terminals()[terminal].kind, TerminalKind::Token { text: None, .. })
}

/// Refuses a file that leaves tokens without texts.
fn check_complete(
    grammar: &Grammar,
    file: &[TokenLexemes],
    more: &[TokenLexemes],
    path: &str,
) -> Result<(), Failure> {
    let given: Vec<&TokenLexemes> = file.iter().chain(more).collect();
    let has_texts = |name: &str| given.iter().any(|of| of.token == name && !of.texts.is_empty());
    let missing: Vec<&str> = syntax_terminals(grammar)
        .filter(|&id| {
            !is_known(grammar, id)
                || given
                    .iter()
                    .any(|of| of.token == *grammar.terminals()[id].name && of.texts.is_empty())
        })
        .map(|id| &*grammar.terminals()[id].name)
        .filter(|name| !has_texts(name))
        .collect();
    match missing[..] {
        [] => Ok(()),
        [first, ..] => {
            let message = format!("`{path}` has no text for the token `{first}`");
            let mut diagnostic = Diagnostic::new(codes::BAD_LEXEMES, message);
            if missing.len() > 1 {
                diagnostic = diagnostic.note(format!("nor for {} others", missing.len() - 1));
            }
            Err(Failure::refused(diagnostic.help("add one, or use --lexeme")))
        }
    }
}

fn syntax_terminals(grammar: &Grammar) -> impl Iterator<Item = TerminalId> + '_ {
    grammar.terminals().ids().take(grammar.syntax_terminals())
}

/// A file for `--lexemes` with all that is known.
pub(crate) fn template(grammar: &Grammar, writer: &mut Writer<'_>) -> String {
    // A JSON string is a TOML string.
    let quote = |text: &str| serde_json::Value::from(text).to_string();
    let mut file = String::from("# Texts of the tokens, for --lexemes.\n");
    for terminal in syntax_terminals(grammar) {
        let name = &grammar.terminals()[terminal].name;
        if is_known(grammar, terminal) {
            let texts = writer.lexemes_of(terminal);
            let texts: Vec<_> = texts.iter().map(|text| quote(text)).collect();
            file.push_str(&format!("{} = [{}]\n", quote(name), texts.join(", ")));
        } else {
            file.push_str(&format!("# Nothing is known about this one.\n{} = []\n", quote(name)));
        }
    }
    file
}
