//! The functions of bc's library as power series, with guard digits that the caller truncates.
//!
//! Each function charges its work to a budget, and returns `None` when the budget is used up.

use super::decimal::Decimal;

/// The remaining budget of a run, in units of [`Decimal::work`].
#[derive(Clone, Copy, Debug)]
pub struct Fuel(pub u32);

impl Fuel {
    /// Charges for an operation on two numbers.
    pub fn spend(&mut self, a: &Decimal, b: &Decimal) -> Option<()> {
        self.0 = self.0.checked_sub(a.work(b))?;
        Some(())
    }
}

/// Sums terms, each computed from the previous one, until they vanish.
fn series(
    fuel: &mut Fuel,
    first: Decimal,
    precise: usize,
    mut next: impl FnMut(&Decimal, i64) -> Option<Decimal>,
) -> Option<Decimal> {
    let mut term = first.with_scale(precise);
    let mut sum = term.clone();
    for n in 1.. {
        fuel.spend(&sum, &sum)?;
        term = next(&term, n)?.with_scale(precise);
        if term.is_zero() {
            break;
        }
        sum = sum.add(&term);
    }
    Some(sum)
}

/// e^x
pub fn exponential(fuel: &mut Fuel, x: &Decimal, precise: usize) -> Option<Decimal> {
    // e^x = (e^(x / 2^k))^(2^k)
    let mut small = x.with_scale(precise + 10);
    let (mut halvings, half) = (0, Decimal::parse("0.5"));
    while small.order(&Decimal::whole(1)).is_gt() || small.order(&Decimal::whole(-1)).is_lt() {
        small = small.mul(&half).with_scale(precise + 10);
        halvings += 1;
    }
    let digits = precise + 10 + halvings;
    let mut power =
        series(fuel, Decimal::whole(1), digits, |term, n| term.mul(&small).div(&Decimal::whole(n), digits))?;
    for _ in 0..halvings {
        fuel.spend(&power, &power)?;
        power = power.mul(&power).with_scale(digits);
    }
    Some(power)
}

/// The natural logarithm.
pub fn logarithm(fuel: &mut Fuel, x: &Decimal, precise: usize) -> Option<Decimal> {
    // l(x) = 2^k l(x^(1/2^k)), and l(y) = 2 artanh((y-1)/(y+1)).
    let digits = precise + 10;
    let (mut y, mut factor) = (x.with_scale(digits), Decimal::whole(2));
    while y.order(&Decimal::parse("1.2")).is_gt() || y.order(&Decimal::parse("0.8")).is_lt() {
        fuel.spend(&y, &y)?;
        y = y.sqrt(digits)?;
        factor = factor.mul(&Decimal::whole(2));
    }
    let z = y.sub(&Decimal::whole(1)).div(&y.add(&Decimal::whole(1)), digits)?;
    let square = z.mul(&z).with_scale(digits);
    let mut power = z.clone();
    let sum = series(fuel, z, digits, |_, n| {
        power = power.mul(&square).with_scale(digits);
        power.div(&Decimal::whole(2 * n + 1), digits)
    })?;
    Some(sum.mul(&factor))
}

/// pi / 2.
pub fn half_pi(fuel: &mut Fuel, precise: usize) -> Option<Decimal> {
    // Machin: pi/4 = 4 arctan(1/5) - arctan(1/239)
    let mut inverse = |n: i64| {
        let first = Decimal::whole(1).div(&Decimal::whole(n), precise + 5)?;
        let square = Decimal::whole(n * n);
        let mut power = first.clone();
        series(fuel, first, precise + 5, |_, k| {
            power = power.div(&square, precise + 5)?.negated();
            power.div(&Decimal::whole(2 * k + 1), precise + 5)
        })
    };
    let quarter = Decimal::whole(4).mul(&inverse(5)?).sub(&inverse(239)?);
    Some(quarter.mul(&Decimal::whole(2)))
}

/// The sine.
pub fn sine(fuel: &mut Fuel, x: &Decimal, precise: usize) -> Option<Decimal> {
    let digits = precise + 5;
    let whole = half_pi(fuel, digits)?.mul(&Decimal::whole(4));
    let turns = x.div(&whole, 0)?;
    let small = x.sub(&turns.mul(&whole)).with_scale(digits);
    let square = small.mul(&small).with_scale(digits);
    series(fuel, small, digits, |term, n| {
        term.mul(&square).div(&Decimal::whole(2 * n * (2 * n + 1)), digits).map(|term| term.negated())
    })
}

/// The arctangent.
pub fn arctangent(fuel: &mut Fuel, x: &Decimal, precise: usize) -> Option<Decimal> {
    // a(x) = 2 a(x / (1 + sqrt(1 + x^2))), until it is small.
    let digits = precise + 10;
    let (mut y, mut factor) = (x.with_scale(digits), Decimal::whole(1));
    while y.order(&Decimal::parse("0.2")).is_gt() || y.order(&Decimal::parse("0.2").negated()).is_lt() {
        fuel.spend(&y, &y)?;
        let root = Decimal::whole(1).add(&y.mul(&y).with_scale(digits)).sqrt(digits)?;
        y = y.div(&Decimal::whole(1).add(&root), digits)?;
        factor = factor.mul(&Decimal::whole(2));
    }
    let square = y.mul(&y).with_scale(digits);
    let mut power = y.clone();
    let sum = series(fuel, y, digits, |_, n| {
        power = power.mul(&square).with_scale(digits).negated();
        power.div(&Decimal::whole(2 * n + 1), digits)
    })?;
    Some(sum.mul(&factor))
}
