//! CSS lengths and percentages: whole pixels and tenths of a percent.
//!
//! They are formatted from integers because floating-point formatting would add 20 kB to the page.

/// A length such as `120px`.
#[must_use]
pub fn px(length: f64) -> String {
    format!("{}px", length.round() as i64)
}

/// A fraction as a percentage such as `37.5%`, at most 100%.
#[must_use]
pub fn percent(share: f64) -> String {
    format!("{}%", tenths(share.clamp(0.0, 1.0) * 100.0))
}

/// A non-negative number with one decimal.
#[must_use]
pub fn tenths(number: f64) -> String {
    let tenths = (number * 10.0).round() as u64;
    format!("{}.{}", tenths / 10, tenths % 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_as_in_style_sheets() {
        assert_eq!([px(119.6), px(-3.2)], ["120px", "-3px"]);
        assert_eq!([percent(0.375), percent(2.0), percent(0.0)], ["37.5%", "100.0%", "0.0%"]);
        assert_eq!([tenths(31.25), tenths(0.04)], ["31.3", "0.0"]);
    }
}
