//! Resolves names to rules, and reports undefined names.

use gramercy_base::{Diagnostic, Span, Table};

use super::syntax::{NameId, RuleSyntax, Tree};
use crate::{Reading, codes, suggest};

/// The maximal number of names that are compared for a suggestion; more would take too long.
pub(crate) const MOST_CANDIDATES: usize = 5_000;

/// For each name, the index of its first definition. Further definitions are reported.
pub(crate) fn define(
    reading: &mut Reading<'_>,
    tree: &Tree,
    definitions: impl IntoIterator<Item = (NameId, Span, usize)>,
) -> Table<NameId, Option<usize>> {
    let mut of_name: Table<NameId, Option<(usize, Span)>> = Table::filled(None, tree.name_count());
    for (name, span, index) in definitions {
        match of_name[name] {
            None => of_name[name] = Some((index, span)),
            Some((_, first)) => {
                let message = format!("`{}` is defined twice", tree.text(name));
                let diagnostic = Diagnostic::at(codes::DUPLICATE_RULE, span, message);
                reading.report(diagnostic.label(first, "it is defined here already"));
            }
        }
    }
    of_name.map(|_, definition| definition.map(|(index, _)| index))
}

/// Reports every undefined name in the rules, once each.
pub(crate) fn report_undefined(
    reading: &mut Reading<'_>,
    tree: &Tree,
    rules: &[RuleSyntax],
    of_name: &Table<NameId, Option<usize>>,
) {
    let mut uses: Table<NameId, usize> = Table::filled(0, tree.name_count());
    let mut undefined = Vec::new();
    for (name, span) in rules.iter().flat_map(|rule| tree.mentions(rule)) {
        if of_name[name].is_none() {
            uses[name] += 1;
            if uses[name] == 1 {
                undefined.push((name, span));
            }
        }
    }
    for (name, span) in undefined {
        let message = format!("no rule defines `{}`", tree.text(name));
        let mut diagnostic = Diagnostic::at(codes::UNDEFINED_RULE, span, message);
        if uses[name] > 1 {
            diagnostic = diagnostic.note(format!("it is used {} times", uses[name]));
        }
        if reading.keeps_errors() {
            diagnostic.help = did_you_mean(tree, name, of_name);
        }
        reading.report(diagnostic);
    }
}

/// The help with the closest defined name.
pub(crate) fn did_you_mean(
    tree: &Tree,
    wrong: NameId,
    of_name: &Table<NameId, Option<usize>>,
) -> Option<String> {
    let defined = of_name.iter().filter(|(_, definition)| definition.is_some());
    let names = defined.map(|(name, _)| tree.text(name)).take(MOST_CANDIDATES);
    suggest::did_you_mean(tree.text(wrong), names)
}

/// The name of a grammar without a name: that of its file, without folders and extension.
pub(crate) fn grammar_name(path: &std::path::Path) -> String {
    path.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned())
}
