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

#[cfg(test)]
mod tests {
    use super::grouped;

    #[test]
    fn digits_are_grouped_from_the_right() {
        let check = |number: u64, expected: &str| assert_eq!(grouped(number), expected);
        check(0, "0");
        check(999, "999");
        check(1000, "1,000");
        check(1_992_384, "1,992,384");
    }
}
