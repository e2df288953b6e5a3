//! Decimal numbers of any length with digits behind the point, as bc(1) counts with them.

use std::cmp::Ordering;

/// Most digits of a number.
pub const MAX_DIGITS: usize = 20_000;

/// A number: sign, decimal digits (the lowest first) and how many of them stand behind the point.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Decimal {
    negative: bool,
    digits: Vec<u8>,
    scale: usize,
}

impl Decimal {
    /// Nothing.
    #[must_use]
    pub const fn zero() -> Self {
        Self { negative: false, digits: Vec::new(), scale: 0 }
    }

    /// A whole number.
    #[must_use]
    pub fn whole(value: i64) -> Self {
        let mut rest = value.unsigned_abs();
        let mut digits = Vec::new();
        while rest > 0 {
            digits.push((rest % 10) as u8);
            rest /= 10;
        }
        Self { negative: value < 0, digits, scale: 0 }
    }

    /// `12.34`; every letter and digit counts in base ten.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        let (whole, part) = text.split_once('.').unwrap_or((text, ""));
        let digits = part.bytes().rev().chain(whole.bytes().rev()).map(|b| b.wrapping_sub(b'0')).collect();
        Self { negative: false, digits, scale: part.len() }.trimmed()
    }

    fn trimmed(mut self) -> Self {
        while self.digits.len() > self.scale && self.digits.last() == Some(&0) {
            self.digits.pop();
        }
        if self.digits.iter().all(|d| *d == 0) {
            self.negative = false;
        }
        self
    }

    /// Digits behind the point.
    #[must_use]
    pub const fn scale(&self) -> usize {
        self.scale
    }

    /// All digits, without zeros in front.
    #[must_use]
    pub fn length(&self) -> usize {
        let zeros = self.digits.iter().rev().take_while(|d| **d == 0).count();
        (self.digits.len() - zeros).max(self.scale).max(1)
    }

    /// Whether it is zero.
    #[must_use]
    pub fn is_zero(&self) -> bool {
        self.digits.iter().all(|d| *d == 0)
    }

    /// Whether it is below zero.
    #[must_use]
    pub const fn is_negative(&self) -> bool {
        self.negative
    }

    /// With exactly so many digits behind the point; what is behind them is cut.
    #[must_use]
    pub fn with_scale(&self, scale: usize) -> Self {
        let mut digits = self.digits.clone();
        if scale >= self.scale {
            digits.splice(0..0, std::iter::repeat_n(0, scale - self.scale));
        } else {
            digits.drain(..(self.scale - scale).min(digits.len()));
        }
        while digits.len() < scale {
            digits.push(0);
        }
        Self { negative: self.negative, digits, scale }.trimmed()
    }

    /// The other sign.
    #[must_use]
    pub fn negated(&self) -> Self {
        Self { negative: !self.negative && !self.is_zero(), ..self.clone() }
    }

    fn magnitude_order(a: &[u8], b: &[u8]) -> Ordering {
        let digit = |n: &[u8], at: usize| n.get(at).copied().unwrap_or(0);
        let places = (0..a.len().max(b.len())).rev();
        places.map(|at| digit(a, at).cmp(&digit(b, at))).find(|o| o.is_ne()).unwrap_or(Ordering::Equal)
    }

    /// Which is larger.
    #[must_use]
    pub fn order(&self, other: &Self) -> Ordering {
        let scale = self.scale.max(other.scale);
        let (a, b) = (self.with_scale(scale), other.with_scale(scale));
        match (a.negative, b.negative) {
            (false, true) => Ordering::Greater,
            (true, false) => Ordering::Less,
            (false, false) => Self::magnitude_order(&a.digits, &b.digits),
            (true, true) => Self::magnitude_order(&b.digits, &a.digits),
        }
    }

    /// `a + b`, with the larger scale.
    #[must_use]
    pub fn add(&self, other: &Self) -> Self {
        let scale = self.scale.max(other.scale);
        let (a, b) = (self.with_scale(scale), other.with_scale(scale));
        if a.negative == b.negative {
            let digits = added(&a.digits, &b.digits);
            return Self { negative: a.negative, digits, scale }.trimmed();
        }
        let (large, small) = match Self::magnitude_order(&a.digits, &b.digits) {
            Ordering::Less => (b, a),
            Ordering::Equal | Ordering::Greater => (a, b),
        };
        let digits = subtracted(&large.digits, &small.digits);
        Self { negative: large.negative, digits, scale }.trimmed()
    }

    /// `a - b`
    #[must_use]
    pub fn sub(&self, other: &Self) -> Self {
        self.add(&other.negated())
    }

    /// `a * b` with all digits.
    #[must_use]
    pub fn mul(&self, other: &Self) -> Self {
        let mut sums = vec![0_u32; self.digits.len() + other.digits.len() + 1];
        for (i, a) in self.digits.iter().enumerate() {
            let mut carry = 0;
            for (j, b) in other.digits.iter().enumerate() {
                let sum = sums[i + j] + u32::from(*a) * u32::from(*b) + carry;
                sums[i + j] = sum % 10;
                carry = sum / 10;
            }
            sums[i + other.digits.len()] += carry;
        }
        let digits = sums.into_iter().map(|digit| digit as u8).collect();
        Self { negative: self.negative != other.negative, digits, scale: self.scale + other.scale }.trimmed()
    }

    /// `a / b` with so many digits behind the point, cut; none by zero.
    #[must_use]
    pub fn div(&self, other: &Self, scale: usize) -> Option<Self> {
        if other.is_zero() {
            return None;
        }
        // Digits of a * 10^(scale + b's scale - a's scale), divided by those of b.
        let mut dividend = self.digits.clone();
        let shift = scale + other.scale;
        if shift >= self.scale {
            dividend.splice(0..0, std::iter::repeat_n(0, shift - self.scale));
        } else {
            dividend.drain(..(self.scale - shift).min(dividend.len()));
        }
        let mut divisor = other.digits.clone();
        while divisor.last() == Some(&0) {
            divisor.pop();
        }
        let mut rest: Vec<u8> = Vec::new();
        let mut quotient = vec![0; dividend.len()];
        for (at, digit) in dividend.iter().enumerate().rev() {
            rest.insert(0, *digit);
            while rest.last() == Some(&0) {
                rest.pop();
            }
            while Self::magnitude_order(&rest, &divisor).is_ge() {
                rest = subtracted(&rest, &divisor);
                while rest.last() == Some(&0) {
                    rest.pop();
                }
                quotient[at] += 1;
            }
        }
        while quotient.len() < scale {
            quotient.push(0);
        }
        Some(Self { negative: self.negative != other.negative, digits: quotient, scale }.trimmed())
    }

    /// The square root with so many digits behind the point, cut; none below zero.
    #[must_use]
    pub fn sqrt(&self, scale: usize) -> Option<Self> {
        if self.negative {
            return None;
        }
        if self.is_zero() {
            return Some(Self::default().with_scale(scale));
        }
        // Newton's steps from above, with a digit to spare.
        let half = Self::parse("0.5");
        let precise = scale + 3;
        let whole_digits = self.digits.len().saturating_sub(self.scale);
        let mut root = Self::parse(&format!("1{}", "0".repeat(whole_digits / 2 + 1))).with_scale(precise);
        for _ in 0..4 * (precise + whole_digits) + 20 {
            let next = root.add(&self.div(&root, precise)?).mul(&half).with_scale(precise);
            if next.order(&root).is_ge() {
                break;
            }
            root = next;
        }
        Some(root.with_scale(scale))
    }

    /// Its part before the point, if it is small.
    #[must_use]
    pub fn to_i64(&self) -> Option<i64> {
        let whole = self.with_scale(0);
        let value = whole
            .digits
            .iter()
            .rev()
            .try_fold(0_i64, |n, d| n.checked_mul(10)?.checked_add(i64::from(*d)))?;
        Some(if self.negative { -value } else { value })
    }

    /// As bc prints it: no zero before the point.
    #[must_use]
    pub fn text(&self) -> String {
        if self.is_zero() {
            return "0".to_owned();
        }
        let mut out = String::new();
        if self.negative {
            out.push('-');
        }
        let whole = self.digits.get(self.scale..).unwrap_or_default();
        out.extend(whole.iter().rev().map(|d| char::from(b'0' + d)));
        if self.scale > 0 {
            out.push('.');
            let missing = self.scale.saturating_sub(self.digits.len());
            out.extend(std::iter::repeat_n('0', missing));
            let part = self.digits.get(..self.scale.min(self.digits.len())).unwrap_or_default();
            out.extend(part.iter().rev().map(|d| char::from(b'0' + d)));
        }
        out
    }
}

fn added(a: &[u8], b: &[u8]) -> Vec<u8> {
    let mut carry = 0;
    let mut out = Vec::with_capacity(a.len().max(b.len()) + 1);
    for at in 0..a.len().max(b.len()) {
        let sum = a.get(at).copied().unwrap_or(0) + b.get(at).copied().unwrap_or(0) + carry;
        out.push(sum % 10);
        carry = sum / 10;
    }
    out.push(carry);
    out
}

/// `a - b` where a is not the smaller one.
fn subtracted(a: &[u8], b: &[u8]) -> Vec<u8> {
    let mut borrow = 0;
    let mut out = Vec::with_capacity(a.len());
    for (at, digit) in a.iter().enumerate() {
        let take = b.get(at).copied().unwrap_or(0) + borrow;
        borrow = u8::from(*digit < take);
        out.push(digit + 10 * borrow - take);
    }
    out
}
