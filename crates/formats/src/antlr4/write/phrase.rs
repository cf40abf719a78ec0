//! Right-hand sides in ANTLR's notation, as trees with the necessary parentheses.

use gramercy_grammar::Associativity;

/// A node of a right-hand side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Phrase {
    /// Empty.
    Empty,
    /// An atom, which needs no parentheses: a name, a literal, a set.
    Atom(String),
    /// A sequence.
    Sequence(Vec<Phrase>),
    /// A choice.
    Choice(Vec<Phrase>),
    /// A phrase with a suffix.
    Repeat(Box<Phrase>, &'static str),
    /// A phrase with a label.
    Label(String, Box<Phrase>),
    /// Lexer commands.
    Commands(String),
}

/// An alternative of a rule.
#[derive(Clone, Debug)]
pub(super) struct Branch {
    pub(super) phrase: Phrase,
    pub(super) label: Option<String>,
    pub(super) associativity: Option<Associativity>,
}

/// The position of a phrase.
#[derive(Clone, Copy, PartialEq, Eq)]
enum PhrasePosition {
    /// A whole alternative.
    Alternative,
    /// An item of a sequence.
    Item,
    /// Under a suffix or label.
    Atom,
}

impl Phrase {
    pub(super) fn atom(text: impl Into<String>) -> Self {
        Phrase::Atom(text.into())
    }

    /// A choice; a single alternative stays as it is.
    pub(super) fn choice(mut phrases: Vec<Phrase>) -> Self {
        match phrases.len() {
            1 => phrases.remove(0),
            _ => Phrase::Choice(phrases),
        }
    }

    /// A sequence; a single item stays as it is.
    pub(super) fn sequence(mut phrases: Vec<Phrase>) -> Self {
        match phrases.len() {
            0 => Phrase::Empty,
            1 => phrases.remove(0),
            _ => Phrase::Sequence(phrases),
        }
    }

    /// The number of atoms, to measure the cost of copies.
    pub(super) fn size(&self) -> usize {
        match self {
            Phrase::Empty | Phrase::Atom(_) | Phrase::Commands(_) => 1,
            Phrase::Sequence(parts) | Phrase::Choice(parts) => parts.iter().map(Self::size).sum(),
            Phrase::Repeat(body, _) | Phrase::Label(_, body) => body.size(),
        }
    }

    fn write(&self, position: PhrasePosition, text: &mut String) {
        match self {
            Phrase::Empty if position == PhrasePosition::Alternative => {}
            Phrase::Empty => text.push_str("()"),
            Phrase::Atom(atom) => text.push_str(atom),
            Phrase::Sequence(items) if position == PhrasePosition::Alternative => {
                write_items(items, text);
            }
            Phrase::Sequence(items) => in_parentheses(text, |text| write_items(items, text)),
            Phrase::Choice(alternatives) => in_parentheses(text, |text| {
                for (index, alternative) in alternatives.iter().enumerate() {
                    text.push_str(if index > 0 { " | " } else { "" });
                    alternative.write(PhrasePosition::Alternative, text);
                }
            }),
            Phrase::Repeat(..) if position == PhrasePosition::Atom => {
                in_parentheses(text, |text| self.write(PhrasePosition::Item, text));
            }
            Phrase::Repeat(body, suffix) => {
                body.write(PhrasePosition::Atom, text);
                text.push_str(suffix);
            }
            Phrase::Label(label, body) => {
                text.push_str(label);
                text.push('=');
                body.write(PhrasePosition::Atom, text);
            }
            Phrase::Commands(commands) if position == PhrasePosition::Alternative => {
                text.push_str("-> ");
                text.push_str(commands);
            }
            Phrase::Commands(_) => {
                in_parentheses(text, |text| self.write(PhrasePosition::Alternative, text));
            }
        }
    }
}

/// Commands are at the end of an alternative without parentheses.
fn write_items(items: &[Phrase], text: &mut String) {
    for (index, item) in items.iter().enumerate() {
        text.push_str(if index > 0 { " " } else { "" });
        let is_last = index + 1 == items.len();
        match item {
            Phrase::Commands(_) if is_last => item.write(PhrasePosition::Alternative, text),
            _ => item.write(PhrasePosition::Item, text),
        }
    }
}

fn in_parentheses(text: &mut String, write: impl FnOnce(&mut String)) {
    text.push('(');
    write(text);
    text.push(')');
}

impl Branch {
    /// An alternative without a label or associativity.
    pub(super) fn plain(phrase: Phrase) -> Self {
        Self { phrase, label: None, associativity: None }
    }

    /// The alternative as text.
    pub(super) fn text(&self) -> String {
        let mut text = String::new();
        match self.associativity {
            Some(Associativity::Right) => text.push_str("<assoc=right> "),
            Some(Associativity::Left) => text.push_str("<assoc=left> "),
            Some(Associativity::Never | Associativity::Undeclared) | None => {}
        }
        self.phrase.write(PhrasePosition::Alternative, &mut text);
        if let Some(label) = &self.label {
            text.push_str(if text.is_empty() { "# " } else { " # " });
            text.push_str(label);
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::{Branch, Phrase};

    fn check(phrase: Phrase, expected: &str) {
        assert_eq!(Branch::plain(phrase).text(), expected);
    }

    #[test]
    fn parentheses_are_only_where_they_are_needed() {
        let atom = |text: &str| Phrase::atom(text);
        let star = |phrase| Phrase::Repeat(Box::new(phrase), "*");
        let pair = || Phrase::Sequence(vec![Phrase::atom("a"), Phrase::atom("b")]);
        check(Phrase::Empty, "");
        check(pair(), "a b");
        check(star(pair()), "(a b)*");
        check(star(star(atom("a"))), "(a*)*");
        check(Phrase::Sequence(vec![pair(), Phrase::Empty]), "(a b) ()");
        check(Phrase::Choice(vec![pair(), Phrase::Empty]), "(a b | )");
        check(star(Phrase::Label("x".into(), Box::new(atom("a")))), "x=a*");
        check(Phrase::Label("x".into(), Box::new(star(atom("a")))), "x=(a*)");
        let skip = || Phrase::Commands("skip".into());
        check(skip(), "-> skip");
        check(Phrase::Sequence(vec![atom("a"), skip()]), "a -> skip");
        check(Phrase::Sequence(vec![skip(), atom("a")]), "(-> skip) a");
    }
}
