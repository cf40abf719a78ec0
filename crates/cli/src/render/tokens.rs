//! The tokens of an input, and why they are what they are.

use serde::Serialize;

use super::Palette;
use super::table::Table;

/// A token; in a scannerless grammar, a terminal of the tree.
#[derive(Serialize)]
pub(crate) struct TokenRow<'t> {
    pub(crate) name: &'t str,
    pub(crate) text: &'t str,
    pub(crate) byte: usize,
    pub(crate) line: usize,
    pub(crate) column: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) channel: Option<&'t str>,
}

/// A match of the lexer.
#[derive(Serialize)]
pub(crate) struct MatchRow<'t> {
    pub(crate) text: &'t str,
    pub(crate) byte: usize,
    pub(crate) line: usize,
    pub(crate) column: usize,
    pub(crate) mode: &'t str,
    pub(crate) rule: &'t str,
    /// What became of the text: a token's name, `skip` or `more`.
    pub(crate) made: &'t str,
    /// The rule that came second, and what it matched.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) second: Option<SecondRow<'t>>,
}

/// A rule that came second.
#[derive(Serialize)]
pub(crate) struct SecondRow<'t> {
    pub(crate) rule: &'t str,
    pub(crate) text: &'t str,
    /// Why it lost.
    pub(crate) because: &'static str,
}

/// The tokens as a table.
pub(crate) fn token_table(rows: &[TokenRow<'_>], palette: Palette) -> String {
    let mut table = Table::of_words(["Token", "text", "place", "channel"]);
    for TokenRow { name, text, line, column, channel, .. } in rows {
        let place = format!("{line}:{column}");
        let channel = channel.unwrap_or("default").to_owned();
        table.row([(*name).to_owned(), format!("{text:?}"), place, channel]);
    }
    table.render(palette)
}

/// The matches as a table.
pub(crate) fn match_table(rows: &[MatchRow<'_>], palette: Palette) -> String {
    let mut table = Table::of_words(["Rule", "text", "place", "mode", "made", "second"]);
    for MatchRow { text, line, column, mode, rule, made, second, .. } in rows {
        let second = second.as_ref().map_or("-".to_owned(), |second| {
            format!("{} {:?} ({})", second.rule, second.text, second.because)
        });
        table.row([
            (*rule).to_owned(),
            format!("{text:?}"),
            format!("{line}:{column}"),
            (*mode).to_owned(),
            (*made).to_owned(),
            second,
        ]);
    }
    table.render(palette)
}
