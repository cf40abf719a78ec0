//! Where an element of a group stands in the grammar, with the lines of its rule.

use gramercy_base::Span;
use gramercy_grammar::Grammar;

/// Lines that are shown at most.
const LINES: usize = 14;
/// Lines before the element that are shown of a longer rule.
const BEFORE: usize = 4;

/// Where an element stands in the grammar. Lines and columns count from 1, columns in code points.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ElementPlace {
    /// The file.
    pub file: String,
    /// Where it begins.
    pub line: usize,
    /// Where it begins.
    pub column: usize,
    /// Where it ends.
    pub end_line: usize,
    /// Where it ends, exclusive.
    pub end_column: usize,
    /// The lines of its rule; of a long rule, those around the element.
    pub excerpt: String,
    /// The number of the first of these lines.
    pub excerpt_line: usize,
}

impl ElementPlace {
    /// The place of a span.
    pub(crate) fn of(grammar: &Grammar, span: Span) -> Self {
        let source = grammar.sources().get(span.source);
        let position = |offset: u32| source.position(offset as usize);
        let (start, end) = (position(span.start), position(span.end));
        let rule = rule_around(grammar, span);
        let (mut first, mut last) = (position(rule.start).line, position(rule.end).line);
        if last - first >= LINES {
            first = first.max(start.line.saturating_sub(BEFORE));
            last = last.min(first + LINES - 1);
        }
        let lines = source.text().lines().skip(first - 1).take(last - first + 1);
        Self {
            file: source.name().to_owned(),
            line: start.line,
            column: start.column,
            end_line: end.line,
            end_column: end.column,
            excerpt: lines.collect::<Vec<_>>().join("\n"),
            excerpt_line: first,
        }
    }
}

/// The rule in which a span lies, from its name to the end of its body; the span itself if it lies in none.
fn rule_around(grammar: &Grammar, span: Span) -> Span {
    let whole = |rule: &gramercy_grammar::Rule| {
        let body = grammar.expr(rule.body).span;
        let is_one = body.source == rule.span.source && body.start >= rule.span.start;
        if is_one { rule.span.to(body) } else { rule.span }
    };
    let has = |rule: &Span| {
        rule.source == span.source && rule.start <= span.start && span.end <= rule.end
    };
    grammar.rules().values().map(whole).find(has).unwrap_or(span)
}

#[cfg(test)]
mod tests {
    use gramercy_language::Language;

    use super::ElementPlace;

    #[test]
    fn the_excerpt_is_the_whole_rule() {
        let text = "S := A\n  | \"b\";\nA := \"a\";\n";
        let language = Language::from_text("x.gram", text).expect("it is a grammar");
        let grammar = language.grammar();
        let rule = grammar.rules().values().next().expect("there are rules");
        let place = ElementPlace::of(grammar, rule.span);
        assert_eq!((place.line, place.column, place.excerpt_line), (1, 1, 1));
        assert_eq!(place.excerpt, "S := A\n  | \"b\";");
    }

    #[test]
    fn long_rules_are_cut_around_the_element() {
        let alternatives: Vec<String> = (0..40).map(|number| format!("\"{number}\"")).collect();
        let text = format!("S := {};\n", alternatives.join("\n  | "));
        let language = Language::from_text("x.gram", &text).expect("it is a grammar");
        let grammar = language.grammar();
        let at = u32::try_from(text.find("\"30\"").expect("it is there")).expect("it is short");
        let source = grammar.rules().values().next().expect("there are rules").span.source;
        let span = gramercy_base::Span::new(source, at as usize, at as usize + 4);
        let place = ElementPlace::of(grammar, span);
        assert_eq!((place.line, place.excerpt_line), (31, 27));
        assert!(place.excerpt.contains("\"30\""), "{}", place.excerpt);
        assert!(place.excerpt.lines().count() <= super::LINES);
    }
}
