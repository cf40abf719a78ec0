//! Big numbers for people.

use std::fmt::Display;

/// A whole number with a comma between each three digits: `1,992,384`.
pub(crate) fn grouped(number: impl Display) -> String {
    let digits = number.to_string();
    let mut grouped = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

/// Whole numbers with more digits than this are rounded for people.
const EXACT_DIGITS: usize = 15;

/// A whole number with commas, or rounded to two digits if it is huge: `about 1.6e45`.
pub(crate) fn grouped_or_rounded(number: impl Display) -> String {
    let digits = number.to_string();
    if digits.len() <= EXACT_DIGITS {
        return grouped(digits);
    }
    let digit = |at: usize| u32::from(digits.as_bytes()[at] - b'0');
    let rounded = digit(0) * 10 + digit(1) + u32::from(digit(2) >= 5);
    // What is rounded up to 100 has one digit more.
    let (leading, exponent) = match rounded {
        100 => (10, digits.len()),
        leading => (leading, digits.len() - 1),
    };
    format!("about {}.{}e{exponent}", leading / 10, leading % 10)
}

#[cfg(test)]
mod tests {
    use super::{grouped, grouped_or_rounded};

    #[test]
    fn huge_numbers_are_rounded() {
        let check = |number: &str, expected: &str| {
            assert_eq!(grouped_or_rounded(number), expected);
        };
        check("1430", "1,430");
        check("999999999999999", "999,999,999,999,999");
        check("1000000000000000", "about 1.0e15");
        check("1649999999999999999", "about 1.6e18");
        check("1650000000000000000", "about 1.7e18");
        check("9960000000000000000", "about 1.0e19");
    }

    #[test]
    fn digits_are_grouped_from_the_right() {
        let check = |number: u64, expected: &str| assert_eq!(grouped(number), expected);
        check(0, "0");
        check(999, "999");
        check(1000, "1,000");
        check(1_992_384, "1,992,384");
    }
}
