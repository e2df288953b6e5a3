//! Round axis marks.

/// End of an axis and number of steps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Marks {
    /// Highest mark; never 0.
    pub top: f64,
    /// Number of steps from 0 to `top`.
    pub steps: u32,
}

/// Round marks for values up to `most`.
#[must_use]
pub fn marks(most: f64) -> Marks {
    let mut unit = 1.0;
    if most > 0.0 && most < 1e15 {
        while unit > most && unit > 1e-6 {
            unit /= 10.0;
        }
        while unit * 10.0 <= most {
            unit *= 10.0;
        }
    }
    let table = [(1.0, 2), (2.0, 2), (3.0, 3), (4.0, 4), (5.0, 5), (6.0, 3), (8.0, 4), (10.0, 5)];
    let fits = table.into_iter().find(|(times, _)| times * unit >= most * 0.999_999);
    let (times, steps) = fits.unwrap_or((10.0, 5));
    Marks { top: times * unit, steps }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn round_numbers() {
        let table =
            [(0.0, 1.0), (1.0, 1.0), (7.0, 8.0), (93.0, 100.0), (120.0, 200.0), (0.3, 0.3), (f64::NAN, 10.0)];
        for (most, top) in table {
            assert!((marks(most).top - top).abs() < 1e-9, "{most}: {:?}", marks(most));
        }
    }
}
