//! Which of many mutants are kept.

use std::fmt;
use std::str::FromStr;

use gramercy_base::{Id, Set};
use gramercy_grammar::TerminalId;

use crate::edit::{Class, Item, Operator};

/// A way to keep few of many mutants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Select {
    /// One for each item, operator and class of error.
    Item,
    /// One for each token before the first error and token that cannot come there.
    Pair,
    /// At most this number for each base test.
    PerBase(u64),
}

impl fmt::Display for Select {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Select::Item => f.write_str("item"),
            Select::Pair => f.write_str("pair"),
            Select::PerBase(most) => write!(f, "{most}"),
        }
    }
}

impl FromStr for Select {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "item" => Ok(Select::Item),
            "pair" => Ok(Select::Pair),
            _ => match text.parse() {
                Ok(most) if most > 0 => Ok(Select::PerBase(most)),
                _ => Err("`item`, `pair`, or a number of tests for each base test".to_owned()),
            },
        }
    }
}

/// What was kept already.
#[derive(Clone, Debug)]
pub struct Selector {
    select: Select,
    seen: Set<(u64, u64)>,
    of_base: u64,
}

impl Selector {
    /// Nothing is kept yet.
    #[must_use]
    pub fn new(select: Select) -> Self {
        Self { select, seen: Set::default(), of_base: 0 }
    }

    /// Another base follows.
    pub fn begin(&mut self) {
        self.of_base = 0;
    }

    /// Whether the class of error or its place decides.
    #[must_use]
    pub fn needs_error(&self) -> bool {
        !matches!(self.select, Select::PerBase(_))
    }

    /// Whether no more mutants of this base are kept.
    #[must_use]
    pub fn is_done_with_base(&self) -> bool {
        matches!(self.select, Select::PerBase(most) if self.of_base >= most)
    }

    /// Whether a mutant is kept: one with this error, and these tokens at its place and before it.
    pub fn keeps(
        &mut self,
        operator: Operator,
        item: Option<Item>,
        class: Class,
        (before, at): (Option<TerminalId>, Option<TerminalId>),
    ) -> bool {
        let number = |id: Option<usize>| id.map_or(0, |id| id as u64 + 1);
        let key = match self.select {
            Select::PerBase(most) => {
                self.of_base += 1;
                return self.of_base <= most;
            }
            Select::Item => {
                let of = item.map_or((0, 0), |item| (item.production.index() + 1, item.dot));
                let small = (operator.family as u64, operator.kind as u64, class as u64);
                (of.0 as u64, (of.1 as u64) << 16 | small.0 << 12 | small.1 << 8 | small.2)
            }
            Select::Pair => (number(before.map(Id::index)), number(at.map(Id::index))),
        };
        self.seen.insert(key)
    }
}

#[cfg(test)]
mod tests {
    use super::Select;

    #[test]
    fn strategies_have_names() {
        for name in ["item", "pair", "3"] {
            assert_eq!(name.parse::<Select>().expect("known").to_string(), name);
        }
        assert!("0".parse::<Select>().is_err());
        assert!("some".parse::<Select>().is_err());
    }
}
