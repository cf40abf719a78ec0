//! What each strategy must do.
//!
//! Strategies come in two kinds. The tests of an [`Indexed`] one depend on nothing but their number, so
//! they are made in any order and in parallel. Those of a [`Sequential`] one depend on the tests before.
//!
//! A tree is in the language of the grammar, but the grammar's lexer may not be able to read its tokens
//! from any text. Then the strategy is asked again for the same target, by the number of the attempt,
//! until it has no other tree to offer.

use gramercy_grammar::TerminalId;
use gramercy_lexis::{Choice, Page, Paged, Render, Trial, Writer};

use crate::draft::{Draft, Goal};

/// A strategy whose tests can be made in any order.
pub trait Indexed: Sync {
    /// How many tests there are at most; some may be equal, or not exist.
    fn count(&self) -> u64;

    /// Makes a test in an empty draft; `false` if there is none of this number, or no further attempt
    /// at it. The same number and attempt give the same test.
    fn make(&self, number: u64, attempt: u32, draft: &mut Draft) -> bool;

    /// Whether tests can be changed.
    fn can_mend(&self) -> bool {
        false
    }

    /// Changes a test until the lexer can make its tokens where they stand.
    fn mend(&self, number: u64, attempt: u32, trial: &mut Trial<'_>, draft: &mut Draft) -> Mended {
        let _ = (number, attempt, trial, draft);
        Mended::InVain
    }

    /// Who makes the first attempts at tests faster, if many are made one behind the other.
    fn maker(&self, plain: Option<Plain<'_>>) -> Option<Box<dyn Maker + '_>> {
        let _ = plain;
        None
    }
}

/// What is known where nothing is wanted of tests but their texts.
#[derive(Clone, Copy, Debug)]
pub struct Plain<'w> {
    /// Who writes them.
    pub writer: &'w Writer<'w>,
    /// How others want to have them.
    pub render: Option<Render>,
}

/// Makes tests with memory of its own.
pub trait Maker {
    /// Makes what the strategy makes at its first attempt.
    fn make(&mut self, number: u64, draft: &mut Draft) -> bool;

    /// Writes the text of that onto a page at once, as it was wanted, and says how many tokens it has; `None` if
    /// it has to be made first and then written.
    fn write(&mut self, choice: &Choice<'_>, page: &mut Page) -> Option<(usize, Paged)> {
        let _ = (choice, page);
        None
    }
}

impl<S: Indexed + ?Sized> Indexed for Box<S> {
    fn count(&self) -> u64 {
        (**self).count()
    }

    fn make(&self, number: u64, attempt: u32, draft: &mut Draft) -> bool {
        (**self).make(number, attempt, draft)
    }

    fn can_mend(&self) -> bool {
        (**self).can_mend()
    }

    fn mend(&self, number: u64, attempt: u32, trial: &mut Trial<'_>, draft: &mut Draft) -> Mended {
        (**self).mend(number, attempt, trial, draft)
    }

    fn maker(&self, plain: Option<Plain<'_>>) -> Option<Box<dyn Maker + '_>> {
        (**self).maker(plain)
    }
}

/// What came of changing a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mended {
    /// Nothing had to be changed.
    Needless,
    /// It was changed.
    Changed,
    /// It was changed, but not enough.
    InVain,
}

/// A strategy whose tests depend on the tests before.
pub trait Sequential {
    /// Makes the next test in an empty draft; `false` if there are no more.
    fn next(&mut self, draft: &mut Draft) -> bool;

    /// The last test could not be written as text: makes another one in its place, in an empty draft;
    /// `false` if there is none, and what it was made for is given up. Attempts are counted from 1.
    fn again(&mut self, attempt: u32, draft: &mut Draft) -> bool;

    /// In the last test two tokens could not be told apart, whatever was put between them: it is better not
    /// to have them next to each other.
    fn avoid(&mut self, left: TerminalId, right: TerminalId) {
        let _ = (left, right);
    }

    /// What was found to be in no sentence, when there are no more tests.
    fn impossible(&self) -> Vec<Goal> {
        Vec::new()
    }
}

/// Either kind.
pub enum Strategy<'s> {
    /// Tests in any order.
    Indexed(Box<dyn Indexed + 's>),
    /// Tests one after the other.
    Sequential(Box<dyn Sequential + 's>),
}
