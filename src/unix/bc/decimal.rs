//! Decimal numbers of arbitrary precision for bc(1): an integer of `num-bigint` and a number of decimal places.

use base::pad;
use num_bigint::{BigInt, BigUint, Sign};
use std::cmp::Ordering;

/// Maximum number of digits of a number.
pub const MAX_DIGITS: usize = 20_000;

/// `unscaled / 10^scale`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Decimal {
    unscaled: BigInt,
    scale: usize,
}

/// 10 to the power of `n`.
fn power_of_ten(n: usize) -> BigInt {
    BigInt::from(10).pow(u32::try_from(n).unwrap_or(u32::MAX))
}

impl Decimal {
    /// 0.
    #[must_use]
    pub const fn zero() -> Self {
        Self { unscaled: BigInt::ZERO, scale: 0 }
    }

    /// An integer.
    #[must_use]
    pub fn whole(value: i64) -> Self {
        Self { unscaled: value.into(), scale: 0 }
    }

    /// Parses `12.34`. Letters are digits above 9, as in bc(1): `F` is 15.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
        let digits: Vec<u8> = whole.bytes().chain(fraction.bytes()).map(|b| b.wrapping_sub(b'0')).collect();
        let unscaled = if digits.iter().all(|digit| *digit < 10) {
            BigUint::from_radix_be(&digits, 10).unwrap_or_default()
        } else {
            digits.iter().fold(BigUint::ZERO, |n, digit| n * 10_u32 + u32::from(*digit))
        };
        Self { unscaled: unscaled.into(), scale: fraction.len() }
    }

    /// The number of decimal places.
    #[must_use]
    pub const fn scale(&self) -> usize {
        self.scale
    }

    /// The digits, without leading zeros.
    fn digits(&self) -> String {
        self.unscaled.magnitude().to_string()
    }

    /// The number of digits, without leading zeros before the point.
    #[must_use]
    pub fn length(&self) -> usize {
        if self.is_zero() { self.scale.max(1) } else { self.digits().len().max(self.scale) }
    }

    /// An upper bound of [`Self::length`] that is quick to compute.
    #[must_use]
    pub fn length_at_most(&self) -> usize {
        let digits = usize::try_from(self.unscaled.bits()).unwrap_or(usize::MAX).saturating_mul(31) / 100;
        digits.saturating_add(1).max(self.scale)
    }

    /// The work of an operation on two numbers. A short operation is 1.
    #[must_use]
    pub fn work(&self, other: &Self) -> u32 {
        let words = |n: &Self| n.unscaled.bits().saturating_add(n.scale as u64 * 4) / 64 + 1;
        u32::try_from(1 + words(self).saturating_mul(words(other)) / 256).unwrap_or(u32::MAX)
    }

    /// Whether it is zero.
    #[must_use]
    pub fn is_zero(&self) -> bool {
        self.unscaled.sign() == Sign::NoSign
    }

    /// Whether it is below zero.
    #[must_use]
    pub fn is_negative(&self) -> bool {
        self.unscaled.sign() == Sign::Minus
    }

    /// With exactly `scale` decimal places, truncated.
    #[must_use]
    pub fn with_scale(&self, scale: usize) -> Self {
        let unscaled = match scale.cmp(&self.scale) {
            Ordering::Equal => self.unscaled.clone(),
            Ordering::Greater => &self.unscaled * power_of_ten(scale - self.scale),
            Ordering::Less => &self.unscaled / power_of_ten(self.scale - scale),
        };
        Self { unscaled, scale }
    }

    /// `-a`
    #[must_use]
    pub fn negated(&self) -> Self {
        Self { unscaled: -&self.unscaled, scale: self.scale }
    }

    /// Compares values: 1.0 equals 1.
    #[must_use]
    pub fn order(&self, other: &Self) -> Ordering {
        let scale = self.scale.max(other.scale);
        self.with_scale(scale).unscaled.cmp(&other.with_scale(scale).unscaled)
    }

    /// `a + b`, with the larger scale.
    #[must_use]
    pub fn add(&self, other: &Self) -> Self {
        let scale = self.scale.max(other.scale);
        Self { unscaled: self.with_scale(scale).unscaled + other.with_scale(scale).unscaled, scale }
    }

    /// `a - b`
    #[must_use]
    pub fn sub(&self, other: &Self) -> Self {
        self.add(&other.negated())
    }

    /// `a * b` with all decimal places.
    #[must_use]
    pub fn mul(&self, other: &Self) -> Self {
        Self { unscaled: &self.unscaled * &other.unscaled, scale: self.scale + other.scale }
    }

    /// `a / b`, truncated to `scale` decimal places. `None` if b is zero.
    #[must_use]
    pub fn div(&self, other: &Self, scale: usize) -> Option<Self> {
        let dividend = self.with_scale(scale + other.scale).unscaled;
        Some(Self { unscaled: dividend.checked_div(&other.unscaled)?, scale })
    }

    /// The square root, truncated to `scale` decimal places. `None` if the number is negative.
    #[must_use]
    pub fn sqrt(&self, scale: usize) -> Option<Self> {
        let square = self.with_scale(2 * scale).unscaled;
        (!self.is_negative()).then(|| Self { unscaled: square.sqrt(), scale })
    }

    /// The integer part, if it fits.
    #[must_use]
    pub fn to_i64(&self) -> Option<i64> {
        i64::try_from(self.with_scale(0).unscaled).ok()
    }

    /// As bc prints it: no zero before the point.
    #[must_use]
    pub fn text(&self) -> String {
        if self.is_zero() {
            return "0".to_owned();
        }
        let sign = if self.is_negative() { "-" } else { "" };
        let digits = pad::zeros(self.digits(), self.scale.min(MAX_DIGITS));
        let (whole, fraction) = digits.split_at(digits.len().saturating_sub(self.scale));
        let point = if self.scale > 0 { "." } else { "" };
        format!("{sign}{whole}{point}{fraction}")
    }
}
