//! Whether an input was read as its corpus says it should be.

use gramercy::suite::Expectation;
use serde::Serialize;

use crate::render::rejections::PlacedError;

/// How a verdict compares with what the corpus expects.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Judgement {
    /// Accepted, and that was expected.
    Accepted,
    /// Rejected, and that was expected.
    Rejected,
    /// Accepted, though it should be rejected.
    AcceptedNegative,
    /// Rejected, though it should be accepted.
    RejectedPositive,
    /// Rejected as expected, but the first error is elsewhere.
    WrongPlace,
    /// Rejected at the expected place, but for another reason: other tokens are expected there, or the class of the
    /// error is another one.
    WrongReason,
}

impl Judgement {
    /// Whether the verdict is what the corpus expects.
    pub(crate) fn is_as_expected(&self) -> bool {
        matches!(self, Judgement::Accepted | Judgement::Rejected)
    }

    /// What is wrong, in words; nothing if all is as expected.
    pub(crate) fn in_words(&self) -> Option<&'static str> {
        match self {
            Judgement::Accepted | Judgement::Rejected => None,
            Judgement::AcceptedNegative => Some("accepted, but it should be rejected"),
            Judgement::RejectedPositive => Some("rejected, but it should be accepted"),
            Judgement::WrongPlace => Some("rejected as expected, but at another place"),
            Judgement::WrongReason => {
                Some("rejected as expected and there, but for another reason")
            }
        }
    }
}

/// Compares a verdict with an expectation, if there is one.
pub(crate) fn judge(
    expect: Option<&Expectation>,
    error: Option<&PlacedError>,
) -> Option<Judgement> {
    Some(match (expect?, error) {
        (Expectation::Accept, None) => Judgement::Accepted,
        (Expectation::Accept, Some(_)) => Judgement::RejectedPositive,
        (Expectation::Reject(_), None) => Judgement::AcceptedNegative,
        (Expectation::Reject(expected), Some(error)) => {
            let differs = |expected: Option<usize>, found: Option<usize>| {
                expected.is_some() && found.is_some() && expected != found
            };
            let is_elsewhere = differs(expected.byte, Some(error.byte))
                || differs(expected.token, error.token)
                || differs(expected.line, Some(error.line))
                || differs(expected.column, Some(error.column));
            let is_other = !expected.expected.is_empty()
                && !same_names(expected.expected.iter().map(|name| &**name), &error.expected);
            match (is_elsewhere, is_other) {
                (true, _) => Judgement::WrongPlace,
                (false, true) => Judgement::WrongReason,
                (false, false) => Judgement::Rejected,
            }
        }
    })
}

fn same_names<'n>(expected: impl Iterator<Item = &'n str>, found: &[String]) -> bool {
    let mut expected: Vec<&str> = expected.collect();
    let mut found: Vec<&str> = found.iter().map(String::as_str).collect();
    expected.sort_unstable();
    found.sort_unstable();
    expected == found
}

#[cfg(test)]
mod tests {
    use gramercy::suite::Expectation;
    use gramercy::suite::document::Error;

    use super::{Judgement, judge};
    use crate::render::rejections::PlacedError;

    fn check(expect: &Expectation, error: Option<&PlacedError>, expected: &Judgement) {
        assert_eq!(judge(Some(expect), error).as_ref(), Some(expected));
    }

    #[test]
    fn verdicts_are_compared_with_what_is_known() {
        let error = PlacedError::at(3, &["a", "b"]);
        let reject = |byte, expected: &[&'static str]| {
            let expected = expected.iter().map(|&name| name.into()).collect();
            Expectation::Reject(Box::new(Error { byte, expected, ..Error::default() }))
        };
        check(&Expectation::Accept, None, &Judgement::Accepted);
        check(&Expectation::Accept, Some(&error), &Judgement::RejectedPositive);
        check(&reject(None, &[]), None, &Judgement::AcceptedNegative);
        check(&reject(None, &[]), Some(&error), &Judgement::Rejected);
        check(&reject(Some(3), &["b", "a"]), Some(&error), &Judgement::Rejected);
        check(&reject(Some(4), &[]), Some(&error), &Judgement::WrongPlace);
        check(&reject(Some(3), &["a"]), Some(&error), &Judgement::WrongReason);
        assert_eq!(judge(None, Some(&error)), None);
    }
}
