//! The arithmetics in which trees are counted: exact, short and long.
//!
//! All numbers are sums of products of positive numbers, so errors stay relative: a product has the errors of both
//! factors, a sum that of its worst term, and each operation adds one rounding. Every inexact number carries the
//! number of roundings that bounds its relative error (Denise and Zimmermann, "Uniform random generation of
//! decomposable structures using floating-point arithmetic", TCS 1999). A number with r roundings in an arithmetic
//! of precision p is within a factor of (1 ± 2⁻ᵖ)ʳ of the true one.
//!
//! [`Short`] numbers are a double with an exponent of their own, since numbers of trees outgrow the range of a
//! double. [`Long`] numbers have as many bits as asked for. [`Exact`] ones are integers.

use dashu_int::UBig;
use dashu_int::ops::BitTest;

/// An arithmetic of numbers that are not negative.
pub trait Arithmetic: Send + Sync {
    /// Its numbers.
    type Number: Clone + Send + Sync + std::fmt::Debug;

    /// Nothing.
    fn zero(&self) -> Self::Number;
    /// One.
    fn one(&self) -> Self::Number;
    /// Whether a number is nothing.
    fn is_zero(&self, number: &Self::Number) -> bool;
    /// Adds a number to another.
    fn add(&self, sum: &mut Self::Number, term: &Self::Number);
    /// A product.
    fn multiply(&self, left: &Self::Number, right: &Self::Number) -> Self::Number;
    /// The sum over i of `left[i] · right[len − 1 − i]`; both are equally long.
    fn convolve(&self, left: &[Self::Number], right: &[Self::Number]) -> Self::Number;
    /// The bytes of memory that a number takes, the number itself included.
    fn bytes(&self, number: &Self::Number) -> usize;
}

/// Integers.
#[derive(Clone, Copy, Debug, Default)]
pub struct Exact;

impl Arithmetic for Exact {
    type Number = UBig;

    fn zero(&self) -> UBig {
        UBig::ZERO
    }

    fn one(&self) -> UBig {
        UBig::ONE
    }

    fn is_zero(&self, number: &UBig) -> bool {
        number.is_zero()
    }

    fn add(&self, sum: &mut UBig, term: &UBig) {
        *sum += term;
    }

    fn multiply(&self, left: &UBig, right: &UBig) -> UBig {
        left * right
    }

    fn convolve(&self, left: &[UBig], right: &[UBig]) -> UBig {
        // Most numbers of small sizes fit in a machine word: their sum is kept in two.
        let (mut small, mut sum) = (0_u128, UBig::ZERO);
        for (left, right) in left.iter().zip(right.iter().rev()) {
            if left.is_zero() || right.is_zero() {
                continue;
            }
            let words = (u64::try_from(left), u64::try_from(right));
            let product = match words {
                (Ok(left), Ok(right)) => Some(u128::from(left) * u128::from(right)),
                _ => None,
            };
            match product.and_then(|product| small.checked_add(product)) {
                Some(fits) => small = fits,
                None => sum += left * right,
            }
        }
        sum + UBig::from(small)
    }

    fn bytes(&self, number: &UBig) -> usize {
        let words = number.bit_len().div_ceil(64);
        size_of::<UBig>() + if words > 2 { 8 * words } else { 0 }
    }
}

/// Doubles with an exponent of their own.
#[derive(Clone, Copy, Debug, Default)]
pub struct Short;

/// A number of [`Short`]: the mantissa is 0 or from 1 to below 2.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShortNumber {
    mantissa: f64,
    exponent: i32,
    roundings: u32,
}

/// The exponent of zero: small enough to lose every comparison, large enough for sums of two.
const NOTHING: i32 = i32::MIN / 4;
/// Exponents are cut off this far below the largest of a sum.
const CUT: i32 = -1022;
/// Terms that are summed one after the other before sums are summed in pairs.
const BLOCK: usize = 32;
/// Roundings of a convolution beside those of its factors: the product, a block and pairs of blocks, and what is
/// cut off.
const OF_CONVOLUTION: u32 = 1 + 32 + 32 + 1;

impl ShortNumber {
    /// The number as mantissa · 2^exponent.
    #[must_use]
    pub fn parts(&self) -> (f64, i32) {
        (self.mantissa, self.exponent)
    }

    /// The bound on roundings.
    #[must_use]
    pub fn roundings(&self) -> u32 {
        self.roundings
    }

    /// Whether it is zero, which is always exact.
    #[must_use]
    pub fn is_zero(&self) -> bool {
        self.mantissa == 0.0
    }

    /// The number in units of 2^exponent. Beyond the range of a double it is 0 or infinite.
    #[must_use]
    #[inline]
    pub fn at(&self, exponent: i32) -> f64 {
        self.mantissa * power(self.exponent.saturating_sub(exponent))
    }

    /// How large it is relative to another that is not zero.
    #[must_use]
    pub fn ratio(&self, of: &Self) -> f64 {
        self.at(of.exponent) / of.mantissa
    }

    /// Its logarithm to base 2; negative infinity of zero.
    #[must_use]
    pub fn log2(&self) -> f64 {
        self.mantissa.log2() + f64::from(self.exponent)
    }

    fn normal(value: f64, exponent: i32, roundings: u32) -> Self {
        if value == 0.0 {
            return Self { mantissa: 0.0, exponent: NOTHING, roundings: 0 };
        }
        let bits = value.to_bits();
        let own = i32::try_from((bits >> 52) & 0x7ff).expect("invariant: eleven bits") - 1023;
        let mantissa = f64::from_bits((bits & !(0x7ff << 52)) | (1023 << 52));
        Self { mantissa, exponent: exponent + own, roundings }
    }
}

/// A power of two, within the range of normal doubles; 0 far below it.
#[inline]
fn power(exponent: i32) -> f64 {
    if exponent < CUT {
        return 0.0;
    }
    let biased = u64::try_from(exponent.min(1023) + 1023).expect("invariant: it is cut off above");
    f64::from_bits(biased << 52)
}

impl Arithmetic for Short {
    type Number = ShortNumber;

    fn zero(&self) -> ShortNumber {
        ShortNumber { mantissa: 0.0, exponent: NOTHING, roundings: 0 }
    }

    fn one(&self) -> ShortNumber {
        ShortNumber { mantissa: 1.0, exponent: 0, roundings: 0 }
    }

    fn is_zero(&self, number: &ShortNumber) -> bool {
        number.is_zero()
    }

    fn add(&self, sum: &mut ShortNumber, term: &ShortNumber) {
        if term.is_zero() {
            return;
        }
        if sum.is_zero() {
            *sum = *term;
            return;
        }
        let exponent = sum.exponent.max(term.exponent);
        let roundings = sum.roundings.max(term.roundings).saturating_add(2);
        *sum = ShortNumber::normal(sum.at(exponent) + term.at(exponent), exponent, roundings);
    }

    fn multiply(&self, left: &ShortNumber, right: &ShortNumber) -> ShortNumber {
        if left.is_zero() || right.is_zero() {
            return self.zero();
        }
        let roundings = left.roundings.saturating_add(right.roundings).saturating_add(1);
        let exponent = left.exponent + right.exponent;
        ShortNumber::normal(left.mantissa * right.mantissa, exponent, roundings)
    }

    fn convolve(&self, left: &[ShortNumber], right: &[ShortNumber]) -> ShortNumber {
        let pairs = || left.iter().zip(right.iter().rev());
        let (mut exponent, mut roundings) = (NOTHING, 0);
        for (left, right) in pairs() {
            exponent = exponent.max(left.exponent + right.exponent);
            roundings = roundings.max(left.roundings.saturating_add(right.roundings));
        }
        if exponent <= NOTHING / 2 {
            return self.zero();
        }
        let sum = match left.len() <= BLOCK {
            true => block(left, right, exponent),
            false => in_pairs(left, right, exponent),
        };
        ShortNumber::normal(sum, exponent, roundings.saturating_add(OF_CONVOLUTION))
    }

    fn bytes(&self, _: &ShortNumber) -> usize {
        size_of::<ShortNumber>()
    }
}

/// The sum of few products, in units of a power of two.
#[inline]
fn block(left: &[ShortNumber], right: &[ShortNumber], exponent: i32) -> f64 {
    let mut sum = 0.0;
    for (left, right) in left.iter().zip(right.iter().rev()) {
        let below = (left.exponent + right.exponent - exponent).max(CUT);
        let biased = u64::from((below + 1023).unsigned_abs());
        sum += left.mantissa * right.mantissa * f64::from_bits(biased << 52);
    }
    sum
}

/// The sum of many products: blocks are summed in pairs, so that a term is rounded logarithmically often.
fn in_pairs(left: &[ShortNumber], right: &[ShortNumber], exponent: i32) -> f64 {
    // One partial sum of 2^i blocks at each index i where `full` has a bit.
    let (mut partial, mut full) = ([0.0_f64; 40], 0_u64);
    for (left, right) in left.chunks(BLOCK).zip(right.rchunks(BLOCK)) {
        let mut sum = block(left, right, exponent);
        let mut level = 0;
        while full >> level & 1 == 1 {
            sum += partial[level];
            level += 1;
        }
        partial[level] = sum;
        full += 1;
    }
    let levels = (0..partial.len()).filter(|&level| full >> level & 1 == 1);
    levels.fold(0.0, |sum, level| sum + partial[level])
}

/// Floating point with as many bits as asked for. Numbers are rounded down.
#[derive(Clone, Copy, Debug)]
pub struct Long {
    /// The bits of a mantissa.
    pub bits: usize,
}

/// A number of [`Long`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LongNumber {
    mantissa: UBig,
    exponent: i64,
    roundings: u64,
}

impl Long {
    fn rounded(&self, mantissa: UBig, exponent: i64, roundings: u64) -> LongNumber {
        match mantissa.bit_len().checked_sub(self.bits) {
            None | Some(0) => LongNumber { mantissa, exponent, roundings },
            Some(excess) => LongNumber {
                mantissa: mantissa >> excess,
                exponent: exponent + i64::try_from(excess).expect("invariant: lengths are small"),
                roundings: roundings + 1,
            },
        }
    }

    /// The least and the greatest value that a number can stand for, in units of 2^exponent.
    #[must_use]
    pub fn bounds(&self, number: &LongNumber, exponent: i64) -> (UBig, UBig) {
        // Numbers are rounded down by at most roundings units in the last place, and some slack for products.
        let slack = match number.roundings {
            0 => UBig::ZERO,
            roundings => {
                ((&number.mantissa * UBig::from(2 * roundings)) >> (self.bits - 1)) + UBig::ONE
            }
        };
        let high = &number.mantissa + slack;
        match usize::try_from(number.exponent - exponent) {
            Ok(up) => (&number.mantissa << up, high << up),
            Err(_) => {
                let down = usize::try_from(exponent - number.exponent).unwrap_or(usize::MAX);
                (&number.mantissa >> down, (high >> down) + UBig::ONE)
            }
        }
    }
}

impl LongNumber {
    /// The exponent of its last bit.
    #[must_use]
    pub fn exponent(&self) -> i64 {
        self.exponent
    }
}

impl Arithmetic for Long {
    type Number = LongNumber;

    fn zero(&self) -> LongNumber {
        LongNumber { mantissa: UBig::ZERO, exponent: 0, roundings: 0 }
    }

    fn one(&self) -> LongNumber {
        LongNumber { mantissa: UBig::ONE, exponent: 0, roundings: 0 }
    }

    fn is_zero(&self, number: &LongNumber) -> bool {
        number.mantissa.is_zero()
    }

    fn add(&self, sum: &mut LongNumber, term: &LongNumber) {
        if self.is_zero(term) {
            return;
        }
        if self.is_zero(sum) {
            sum.clone_from(term);
            return;
        }
        let (low, high) = match sum.exponent <= term.exponent {
            true => (&*sum, term),
            false => (term, &*sum),
        };
        let roundings = low.roundings.max(high.roundings);
        let shift = usize::try_from(high.exponent - low.exponent).unwrap_or(usize::MAX);
        *sum = match shift <= 2 * self.bits {
            true => {
                let mantissa = (&high.mantissa << shift) + &low.mantissa;
                self.rounded(mantissa, low.exponent, roundings)
            }
            // The low one is below the last bit of the high one, or just as long: both are at most `bits` long.
            false => LongNumber { roundings: roundings + 1, ..high.clone() },
        };
    }

    fn multiply(&self, left: &LongNumber, right: &LongNumber) -> LongNumber {
        if self.is_zero(left) || self.is_zero(right) {
            return self.zero();
        }
        let roundings = left.roundings + right.roundings;
        let mantissa = &left.mantissa * &right.mantissa;
        self.rounded(mantissa, left.exponent + right.exponent, roundings)
    }

    fn convolve(&self, left: &[LongNumber], right: &[LongNumber]) -> LongNumber {
        let mut sum = self.zero();
        for (left, right) in left.iter().zip(right.iter().rev()) {
            if !self.is_zero(left) && !self.is_zero(right) {
                self.add(&mut sum, &self.multiply(left, right));
            }
        }
        sum
    }

    fn bytes(&self, _: &LongNumber) -> usize {
        size_of::<LongNumber>() + self.bits / 8 + 16
    }
}
