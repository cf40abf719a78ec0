//! Numbers in right-hand sides: the bounds of quantifiers, and probabilities.

use gramercy_base::{Diagnostic, Span};

use super::scanner::Scanner;
use super::syntax::Probability;
use crate::codes;

/// The bounds of a quantifier in braces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Bounds {
    pub(crate) min: u32,
    pub(crate) max: Option<u32>,
    pub(crate) span: Span,
}

/// An error was reported and the parser cannot continue here.
pub(crate) struct Lost;

impl Scanner<'_, '_, '_> {
    /// Reads a quantifier, if one is next; otherwise white space and comments are not consumed.
    pub(crate) fn quantifier_bounds(&mut self) -> Result<Option<Bounds>, Lost> {
        let ahead = self.ahead();
        let (min, max) = match ahead.peek() {
            Some('?') => (0, Some(1)),
            Some('*') => (0, None),
            Some('+') => (1, None),
            Some('{') => {
                self.cursor.seek(ahead.offset());
                return self.braces().map(Some);
            }
            _ => return Ok(None),
        };
        let start = ahead.offset();
        self.cursor.seek(start + 1);
        Ok(Some(Bounds { min, max, span: self.cursor.span_from(start) }))
    }

    /// Reads `{n}`, `{n,}`, `{,m}` or `{n,m}`. A minimum above the maximum is reported.
    fn braces(&mut self) -> Result<Bounds, Lost> {
        let start = self.cursor.offset();
        self.cursor.bump();
        let min = self.number();
        let comma = self.eat(",");
        let max = if comma { self.number() } else { min };
        if !self.eat("}") || (min.is_none() && max.is_none()) {
            let error =
                self.expected(if min.is_some() || max.is_some() { "`}`" } else { "a number" });
            self.reading.report(error.help("a quantifier is `{n}`, `{n,}`, `{,m}` or `{n,m}`"));
            return Err(Lost);
        }
        let bounds = Bounds { min: min.unwrap_or(0), max, span: self.cursor.span_from(start) };
        self.refuse_disorder(bounds);
        Ok(bounds)
    }

    /// Reports a minimum above the maximum.
    pub(crate) fn refuse_disorder(&mut self, bounds: Bounds) {
        if bounds.max.is_some_and(|max| max < bounds.min) {
            let message = "the minimum is greater than the maximum";
            self.reading.report(Diagnostic::at(codes::BAD_NUMBER, bounds.span, message));
        }
    }

    /// Reads a number, if there is one. A number that is too large is reported.
    pub(crate) fn number(&mut self) -> Option<u32> {
        self.trivia();
        let start = self.cursor.offset();
        let digits = self.cursor.eat_while(|c| c.is_ascii_digit());
        if digits.is_empty() {
            return None;
        }
        let value = digits.parse();
        if value.is_err() {
            let message = format!("this number is too large; the largest is {}", u32::MAX);
            let span = self.cursor.span_from(start);
            self.reading.report(Diagnostic::at(codes::BAD_NUMBER, span, message));
        }
        Some(value.unwrap_or(u32::MAX))
    }

    /// Reads the probability after `@@`. An invalid one is reported.
    pub(crate) fn probability(&mut self) -> Option<Probability> {
        self.trivia();
        let start = self.cursor.offset();
        let written = self.cursor.eat_while(|c| c.is_ascii_hexdigit() || "xXpP.-+".contains(c));
        if written.is_empty() {
            let error = self.expected("a probability").help("write it as in `\"a\" @@ 0.5`");
            self.reading.report(error);
            return None;
        }
        let span = self.cursor.span_from(start);
        let problem = match parse_float(written) {
            Some(value) if (0.0..=1.0).contains(&value) => {
                return Some(Probability { value, span });
            }
            Some(_) => format!("the probability {written} is not between 0 and 1"),
            None => format!("`{written}` is not a number"),
        };
        self.reading.report(Diagnostic::at(codes::BAD_PROBABILITY, span, problem));
        None
    }
}

/// A floating-point number, decimal or hexadecimal, possibly with Java's suffix.
fn parse_float(written: &str) -> Option<f64> {
    let hexadecimal = written.get(..2).is_some_and(|start| start.eq_ignore_ascii_case("0x"));
    let parse =
        |text: &str| if hexadecimal { parse_hexadecimal(&text[2..]) } else { text.parse().ok() };
    parse(written).or_else(|| parse(written.strip_suffix(['d', 'D', 'f', 'F'])?))
}

/// The number after `0x`: hexadecimal digits with a point, `p`, a power of two.
fn parse_hexadecimal(text: &str) -> Option<f64> {
    let (digits, exponent) = text.split_once(['p', 'P'])?;
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    if whole.is_empty() && fraction.is_empty() {
        return None;
    }
    let mut value = 0.0;
    for digit in whole.chars().chain(fraction.chars()) {
        value = value * 16.0 + f64::from(digit.to_digit(16)?);
    }
    let shift = i32::try_from(fraction.len()).ok()?.checked_mul(4)?;
    let exponent: i32 = exponent.parse().ok()?;
    Some(value * f64::from(exponent.checked_sub(shift)?).exp2())
}

#[cfg(test)]
mod tests {
    use super::parse_float;

    #[test]
    fn floats_are_decimal_or_hexadecimal() {
        let check = |text, expected| assert_eq!(parse_float(text), expected, "{text}");
        check("0.5", Some(0.5));
        check(".25", Some(0.25));
        check("1", Some(1.0));
        check("1e-2", Some(0.01));
        check("0.5d", Some(0.5));
        check("0x1p-1", Some(0.5));
        check("0X.8p0", Some(0.5));
        check("0x1.8P-2", Some(0.375));
        check("0x1p-1f", Some(0.5));
        check("0x1", None);
        check("0xp1", None);
        check("0x1p99999999999", None);
        check("1.2.3", None);
        check("-", None);
        check("d", None);
    }
}
