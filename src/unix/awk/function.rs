//! awk's built-in functions.

use super::gnu;
use super::machine::{Awk, Flow};
use super::op::slot;
use super::print::{runs_out, sprintf};
use super::value::AwkValue;
use crate::Cx;
use base::math;
use base::time::Time;

impl Awk {
    /// Calls a built-in function.
    pub(super) fn builtin(&mut self, cx: &mut Cx, name: &str, count: u32) -> Flow {
        let args = self.pop_many(count);
        let number = |i: usize| args.get(i).map_or(0.0, AwkValue::number);
        let text = |i: usize| args.get(i).map(|v| self.text(v)).unwrap_or_default();
        let value = match name {
            "length" if count == 0 => AwkValue::Number(self.store.record().chars().count() as f64),
            "length" => AwkValue::Number(text(0).chars().count() as f64),
            "int" => AwkValue::Number(number(0).trunc()),
            "sqrt" => AwkValue::Number(math::sqrt(number(0))),
            "exp" => AwkValue::Number(math::exp(number(0))),
            "log" => AwkValue::Number(math::ln(number(0))),
            "sin" => AwkValue::Number(math::sin(number(0))),
            "cos" => AwkValue::Number(math::cos(number(0))),
            "atan2" => AwkValue::Number(math::atan2(number(0), number(1))),
            "tolower" => AwkValue::Text(text(0).to_lowercase()),
            "toupper" => AwkValue::Text(text(0).to_uppercase()),
            "substr" => {
                let (from, length) = (number(1), args.get(2).map(AwkValue::number));
                AwkValue::Text(substring(&text(0), from, length))
            }
            "index" => {
                let (whole, part) = (text(0), text(1));
                let at = whole.find(&part).map(|at| whole.get(..at).unwrap_or_default().chars().count() + 1);
                AwkValue::Number(at.unwrap_or(0) as f64)
            }
            "sprintf" => {
                let (format, values) = (text(0), args.get(1..).unwrap_or_default());
                if let Some(short) = runs_out(&format, values.len()) {
                    return Flow::Fatal(short);
                }
                AwkValue::Text(sprintf(&format, values, &self.store.special(slot::CONVFMT)))
            }
            "match" => {
                let (text, pattern) = (text(0), text(1));
                return self.match_(&text, &pattern);
            }
            "rand" => AwkValue::Number(self.random()),
            "srand" => {
                let old = self.seed;
                self.seed = if count == 0 { cx.now.secs() as f64 } else { number(0) };
                self.random = self.seed.to_bits();
                AwkValue::Number(old)
            }
            "systime" => AwkValue::Number(cx.now.secs() as f64),
            "strftime" => {
                let format = if count == 0 { "%a %b %e %H:%M:%S %Z %Y".to_owned() } else { text(0) };
                let time = if count < 2 { cx.now } else { Time((number(1) * 1e6) as i64) };
                AwkValue::Text(base::strftime::strftime(time, &format))
            }
            "fflush" => AwkValue::Number(0.0),
            "asort" | "asorti" => return self.sort_array(&args, name == "asorti"),
            "gensub" => return self.general_substitution(&args),
            "mktime" => AwkValue::Number(gnu::mktime(&text(0)).map_or(-1.0, |time| time as f64)),
            "strtonum" => AwkValue::Number(match args.first() {
                Some(AwkValue::Number(n)) => *n,
                _ => gnu::strtonum(&text(0)),
            }),
            "and" | "or" | "xor" | "lshift" | "rshift" | "compl" => {
                let operands: Vec<f64> = args.iter().map(AwkValue::number).collect();
                match gnu::bits(name, &operands) {
                    Some(value) => AwkValue::Number(value),
                    None => return Flow::Fatal(format!("{name}: negative values are not allowed")),
                }
            }
            _ => return Flow::Fatal(format!("{name}() is not simulated in sandbatch")),
        };
        self.push(value);
        Flow::On
    }

    fn match_(&mut self, text: &str, pattern: &str) -> Flow {
        let Some(regex) = self.pattern(pattern) else {
            return Flow::Fatal(format!("invalid regexp: /{pattern}/"));
        };
        let chars = |from: usize, to: usize| text.get(from..to).unwrap_or_default().chars().count() as f64;
        let (start, length) = match regex.find_at(text, 0) {
            Some((from, to)) => (chars(0, from) + 1.0, chars(from, to)),
            None => (0.0, -1.0),
        };
        self.store.set_global(slot::RSTART, AwkValue::Number(start));
        self.store.set_global(slot::RLENGTH, AwkValue::Number(length));
        self.push(AwkValue::Number(start));
        Flow::On
    }

    /// splitmix64 of a counter, so that every machine gets the same numbers.
    fn random(&mut self) -> f64 {
        self.random = self.random.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.random;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }
}

/// `substr` as in gawk 5.2: fractions are cut off, and a start before the first character is the first one, whatever the length.
fn substring(text: &str, from: f64, length: Option<f64>) -> String {
    // A cast cuts off, saturates, and takes what is no number as 0.
    let skip = (from as usize).saturating_sub(1);
    let take = length.map_or(usize::MAX, |length| length as usize);
    text.chars().skip(skip).take(take).collect()
}
