//! The functions of bc's library as series, with digits to spare: the caller cuts them.

use super::decimal::Decimal;

/// A sum of terms, each made from the one before, until they vanish.
fn series(
    first: Decimal,
    precise: usize,
    mut next: impl FnMut(&Decimal, i64) -> Option<Decimal>,
) -> Option<Decimal> {
    let mut term = first.with_scale(precise);
    let mut sum = term.clone();
    for n in 1..5000 {
        term = next(&term, n)?.with_scale(precise);
        if term.is_zero() {
            break;
        }
        sum = sum.add(&term);
    }
    Some(sum)
}

/// e^x
pub fn exponential(x: &Decimal, precise: usize) -> Option<Decimal> {
    // e^x = (e^(x / 2^k))^(2^k)
    let mut small = x.with_scale(precise + 10);
    let (mut halvings, half) = (0, Decimal::parse("0.5"));
    while small.order(&Decimal::whole(1)).is_gt() || small.order(&Decimal::whole(-1)).is_lt() {
        small = small.mul(&half).with_scale(precise + 10);
        halvings += 1;
    }
    let digits = precise + 10 + halvings;
    let mut power =
        series(Decimal::whole(1), digits, |term, n| term.mul(&small).div(&Decimal::whole(n), digits))?;
    for _ in 0..halvings {
        power = power.mul(&power).with_scale(digits);
    }
    Some(power)
}

/// The natural logarithm.
pub fn logarithm(x: &Decimal, precise: usize) -> Option<Decimal> {
    // l(x) = 2^k l(x^(1/2^k)), and l(y) = 2 artanh((y-1)/(y+1)).
    let digits = precise + 10;
    let (mut y, mut factor) = (x.with_scale(digits), Decimal::whole(2));
    while y.order(&Decimal::parse("1.2")).is_gt() || y.order(&Decimal::parse("0.8")).is_lt() {
        y = y.sqrt(digits)?;
        factor = factor.mul(&Decimal::whole(2));
    }
    let z = y.sub(&Decimal::whole(1)).div(&y.add(&Decimal::whole(1)), digits)?;
    let square = z.mul(&z).with_scale(digits);
    let mut power = z.clone();
    let sum = series(z, digits, |_, n| {
        power = power.mul(&square).with_scale(digits);
        power.div(&Decimal::whole(2 * n + 1), digits)
    })?;
    Some(sum.mul(&factor))
}

/// Half of pi.
pub fn half_pi(precise: usize) -> Decimal {
    // Machin: pi/4 = 4 arctan(1/5) - arctan(1/239)
    let arc = |n: i64| {
        let first = Decimal::whole(1).div(&Decimal::whole(n), precise + 5)?;
        let square = Decimal::whole(n * n);
        let mut power = first.clone();
        series(first, precise + 5, |_, k| {
            power = power.div(&square, precise + 5)?.negated();
            power.div(&Decimal::whole(2 * k + 1), precise + 5)
        })
    };
    let quarter = Decimal::whole(4).mul(&arc(5).unwrap_or_default()).sub(&arc(239).unwrap_or_default());
    quarter.mul(&Decimal::whole(2))
}

/// The sine.
pub fn sine(x: &Decimal, precise: usize) -> Option<Decimal> {
    let digits = precise + 5;
    let whole = half_pi(digits).mul(&Decimal::whole(4));
    let turns = x.div(&whole, 0)?;
    let small = x.sub(&turns.mul(&whole)).with_scale(digits);
    let square = small.mul(&small).with_scale(digits);
    series(small, digits, |term, n| {
        term.mul(&square).div(&Decimal::whole(2 * n * (2 * n + 1)), digits).map(|term| term.negated())
    })
}

/// The arctangent.
pub fn arctangent(x: &Decimal, precise: usize) -> Option<Decimal> {
    // a(x) = 2 a(x / (1 + sqrt(1 + x^2))), until it is small.
    let digits = precise + 10;
    let (mut y, mut factor) = (x.with_scale(digits), Decimal::whole(1));
    while y.order(&Decimal::parse("0.2")).is_gt() || y.order(&Decimal::parse("0.2").negated()).is_lt() {
        let root = Decimal::whole(1).add(&y.mul(&y).with_scale(digits)).sqrt(digits)?;
        y = y.div(&Decimal::whole(1).add(&root), digits)?;
        factor = factor.mul(&Decimal::whole(2));
    }
    let square = y.mul(&y).with_scale(digits);
    let mut power = y.clone();
    let sum = series(y, digits, |_, n| {
        power = power.mul(&square).with_scale(digits).negated();
        power.div(&Decimal::whole(2 * n + 1), digits)
    })?;
    Some(sum.mul(&factor))
}
