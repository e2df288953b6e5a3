//! factor(1) and numfmt(1): numbers to prime factors, and to and from units.
//!
//! Deliberate differences: factor takes numbers below 2^64; numfmt has no `--format`, `--zero-terminated` and `--debug`.

use super::getopt::{self, Spec};
use crate::Cx;
use base::pad;

const FACTOR: Spec = Spec { short: "h", long: &[("exponents", 'h')], usage: 1 };

/// Whether factor reads standard input.
pub fn factor_reads(argv: &[String]) -> bool {
    getopt::scan(&FACTOR, argv.get(1..).unwrap_or_default()).is_ok_and(|parsed| parsed.operands.is_empty())
}

/// factor(1)
pub fn factor(cx: &mut Cx, stdin: &[u8]) -> u8 {
    let parsed = match getopt::parse(cx, &FACTOR) {
        Ok(parsed) => parsed,
        Err(code) => return code,
    };
    let text = String::from_utf8_lossy(stdin);
    let words: Vec<&str> = if parsed.operands.is_empty() {
        text.split_whitespace().collect()
    } else {
        parsed.operands.iter().map(String::as_str).collect()
    };
    let mut code = 0;
    for word in words {
        let digits = word.trim().trim_start_matches('+');
        let Some(number) = digits.parse::<u64>().ok().filter(|_| digits.bytes().all(|b| b.is_ascii_digit()))
        else {
            cx.error(&if !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()) {
                format!("'{word}' is too large")
            } else {
                format!("'{word}' is not a valid positive integer")
            });
            code = 1;
            continue;
        };
        let mut line = format!("{number}:");
        let primes = prime_factors(number);
        for run in primes.chunk_by(|a, b| a == b) {
            match (parsed.has('h'), run) {
                (true, [prime, _, ..]) => line += &format!(" {prime}^{}", run.len()),
                (_, run) => run.iter().for_each(|prime| line += &format!(" {prime}")),
            }
        }
        cx.line(&line);
    }
    code
}

fn multiply(a: u64, b: u64, modulus: u64) -> u64 {
    u64::try_from(u128::from(a) * u128::from(b) % u128::from(modulus)).unwrap_or(0)
}

fn power(mut base: u64, mut exponent: u64, modulus: u64) -> u64 {
    let mut result = 1;
    base %= modulus;
    while exponent > 0 {
        if exponent & 1 == 1 {
            result = multiply(result, base, modulus);
        }
        base = multiply(base, base, modulus);
        exponent >>= 1;
    }
    result
}

/// The test of Miller and Rabin. These bases decide for every number below 2^64.
fn is_prime(n: u64) -> bool {
    const BASES: [u64; 12] = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37];
    if n < 2 {
        return false;
    }
    if let Some(base) = BASES.iter().find(|base| n.is_multiple_of(**base)) {
        return n == *base;
    }
    let twos = (n - 1).trailing_zeros();
    BASES.iter().all(|base| {
        let mut x = power(*base, (n - 1) >> twos, n);
        if x == 1 || x == n - 1 {
            return true;
        }
        (1..twos).any(|_| {
            x = multiply(x, x, n);
            x == n - 1
        })
    })
}

fn common_divisor(mut a: u64, mut b: u64) -> u64 {
    while b > 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// Pollard's rho: a proper divisor of a composite number.
fn divisor(n: u64) -> u64 {
    if n.is_multiple_of(2) {
        return 2;
    }
    for start in 1.. {
        let next = |x: u64| (multiply(x, x, n) + start) % n;
        let (mut slow, mut fast, mut found) = (2, 2, 1);
        while found == 1 {
            slow = next(slow);
            fast = next(next(fast));
            found = common_divisor(slow.abs_diff(fast), n);
        }
        if found != n {
            return found;
        }
    }
    n
}

/// The prime factors of a number, ascending.
fn prime_factors(n: u64) -> Vec<u64> {
    let mut open = vec![n];
    let mut primes = Vec::new();
    while let Some(n) = open.pop() {
        if is_prime(n) {
            primes.push(n);
        } else if n > 1 {
            let part = divisor(n);
            open.extend([part, n / part]);
        }
    }
    primes.sort_unstable();
    primes
}

const NUMFMT: Spec = Spec {
    short: "d:F:T:f:p:S:h::i:r:",
    long: &[
        ("delimiter", 'd'),
        ("from", 'F'),
        ("to", 'T'),
        ("field", 'f'),
        ("padding", 'p'),
        ("suffix", 'S'),
        ("header", 'h'),
        ("invalid", 'i'),
        ("round", 'r'),
    ],
    usage: 1,
};

/// Whether numfmt reads standard input.
pub fn numfmt_reads(argv: &[String]) -> bool {
    getopt::scan(&NUMFMT, argv.get(1..).unwrap_or_default()).is_ok_and(|parsed| parsed.operands.is_empty())
}

/// Units of `--from` and `--to`.
#[derive(Clone, Copy, PartialEq, Eq)]
enum UnitScale {
    None,
    Auto,
    Si,
    Iec,
    IecI,
}

const PREFIXES: &str = "KMGTPEZY";

fn scale(name: &str) -> Option<UnitScale> {
    Some(match name {
        "none" => UnitScale::None,
        "auto" => UnitScale::Auto,
        "si" => UnitScale::Si,
        "iec" => UnitScale::Iec,
        "iec-i" => UnitScale::IecI,
        _ => return None,
    })
}

/// Parses a number with a unit. The error is numfmt's message.
fn parse_scaled(text: &str, from: UnitScale) -> Result<f64, String> {
    let end = text.find(|c: char| !(c.is_ascii_digit() || c == '.' || c == '-')).unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    let value: f64 = number.parse().map_err(|_| format!("invalid number: '{text}'"))?;
    let mut letters = unit.chars();
    let Some(letter) = letters.next() else { return Ok(value) };
    let rest = letters.as_str();
    let Some(steps) =
        PREFIXES.find(letter.to_ascii_uppercase()).filter(|_| letter == 'k' || letter.is_ascii_uppercase())
    else {
        return Err(format!("invalid suffix in input: '{text}'"));
    };
    let base: f64 = match (from, rest) {
        (UnitScale::None, _) => {
            return Err(format!("rejecting suffix in input: '{text}' (consider using --from)"));
        }
        (UnitScale::Si | UnitScale::Auto, "") => 1000.0,
        (UnitScale::Iec, "") | (UnitScale::IecI | UnitScale::Auto, "i") => 1024.0,
        (UnitScale::IecI, "") => return Err(format!("missing 'i' suffix in input: '{text}' (e.g Ki/Mi/Gi)")),
        _ => return Err(format!("invalid suffix in input: '{text}'")),
    };
    Ok((0..=steps).fold(value, |value, _| value * base))
}

/// Rounds as `--round` requests.
fn rounded(value: f64, how: &str) -> f64 {
    match how {
        "up" => value.ceil(),
        "down" => value.floor(),
        "towards-zero" => value.trunc(),
        "nearest" => value.round(),
        _ => value.abs().ceil().copysign(value),
    }
}

fn show_scaled(value: f64, to: UnitScale, decimals: usize, how: &str) -> String {
    let base = match to {
        UnitScale::None | UnitScale::Auto => return pad::fixed(value, decimals),
        UnitScale::Si => 1000.0,
        UnitScale::Iec | UnitScale::IecI => 1024.0,
    };
    let (mut size, mut steps) = (value, 0);
    while size.abs() >= base && steps < PREFIXES.len() {
        size /= base;
        steps += 1;
    }
    if steps == 0 {
        return pad::fixed(rounded(size, how), 0);
    }
    let mut shown = if size.abs() < 10.0 { rounded(size * 10.0, how) / 10.0 } else { rounded(size, how) };
    if shown.abs() >= base && steps < PREFIXES.len() {
        shown /= base;
        steps += 1;
    }
    let digits = pad::fixed(shown, usize::from(shown.abs() < 10.0));
    let prefix = PREFIXES.get(steps - 1..steps).unwrap_or_default();
    let prefix = if to == UnitScale::Si && steps == 1 { "K" } else { prefix };
    digits + prefix + if to == UnitScale::IecI { "i" } else { "" }
}

/// numfmt(1)
pub fn numfmt(cx: &mut Cx, stdin: &[u8]) -> u8 {
    let parsed = match getopt::parse(cx, &NUMFMT) {
        Ok(parsed) => parsed,
        Err(code) => return code,
    };
    let mut scales = [UnitScale::None; 2];
    for (target, (letter, option)) in scales.iter_mut().zip([('F', "from"), ('T', "to")]) {
        let name = parsed.value(letter).unwrap_or("none");
        match scale(name).filter(|scale| letter == 'F' || *scale != UnitScale::Auto) {
            Some(scale) => *target = scale,
            None => {
                return getopt::usage(cx, &NUMFMT, &format!("invalid argument '{name}' for '--{option}'"));
            }
        }
    }
    let field = parsed.value('f').unwrap_or("1");
    let all = field == "-";
    let Some(field) = field.parse::<usize>().ok().filter(|n| *n > 0).or(all.then_some(0)) else {
        cx.error(&format!("invalid field value '{field}'"));
        return 1;
    };
    let separator = parsed.value('d').and_then(|d| d.chars().next());
    let width = parsed.value('p').map_or(Some(0), |p| p.parse::<i64>().ok());
    let Some(width) = width else {
        cx.error(&format!("invalid padding value '{}'", parsed.value('p').unwrap_or_default()));
        return 1;
    };
    let header =
        if parsed.has('h') { parsed.value('h').and_then(|h| h.parse().ok()).unwrap_or(1_usize) } else { 0 };
    let how = parsed.value('r').unwrap_or("from-zero").to_owned();
    let suffix = parsed.value('S').unwrap_or("").to_owned();
    let convert = |word: &str| -> Result<String, String> {
        let bare = word.strip_suffix(suffix.as_str()).unwrap_or(word);
        let value = parse_scaled(bare, scales[0])?;
        let decimals =
            bare.split_once('.').map_or(0, |(_, d)| d.chars().take_while(char::is_ascii_digit).count());
        let decimals = if scales[0] == UnitScale::None { decimals } else { 0 };
        let value = if scales[0] != UnitScale::None && scales[1] == UnitScale::None {
            rounded(value, &how)
        } else {
            value
        };
        let text = show_scaled(value, scales[1], decimals, &how) + &suffix;
        let cells = usize::try_from(width.unsigned_abs()).unwrap_or(usize::MAX);
        Ok(if width < 0 { pad::left(text, cells) } else { pad::right(text, cells) })
    };
    let text = String::from_utf8_lossy(stdin).into_owned();
    let lines: Vec<&str> = if parsed.operands.is_empty() {
        text.lines().collect()
    } else {
        parsed.operands.iter().map(String::as_str).collect()
    };
    let mut code = 0;
    for (at, line) in lines.into_iter().enumerate() {
        if at < header && parsed.operands.is_empty() {
            cx.line(line);
            continue;
        }
        match in_fields(line, separator, |n| all || n == field, &convert) {
            Ok(line) => cx.line(&line),
            Err(why) => {
                let how = parsed.value('i').unwrap_or("abort");
                if how != "ignore" {
                    cx.error(&why);
                    code = 2;
                }
                if how == "abort" {
                    return code;
                }
                cx.line(line);
            }
        }
    }
    code
}

/// The line with some of its fields, counted from 1, replaced. Blanks before a field stay as wide as they are.
fn in_fields(
    line: &str,
    separator: Option<char>,
    chosen: impl Fn(usize) -> bool,
    change: &dyn Fn(&str) -> Result<String, String>,
) -> Result<String, String> {
    let mut out = String::new();
    if let Some(separator) = separator {
        for (at, part) in line.split(separator).enumerate() {
            if at > 0 {
                out.push(separator);
            }
            out += &if chosen(at + 1) { change(part)? } else { part.to_owned() };
        }
        return Ok(out);
    }
    let (mut rest, mut number) = (line, 0);
    while !rest.is_empty() {
        let word = rest.trim_start();
        let blanks = rest.len() - word.len();
        let end = word.find(char::is_whitespace).unwrap_or(word.len());
        number += 1;
        if chosen(number) && end > 0 {
            let text = change(&word[..end])?;
            // The field keeps its width, with one blank at least.
            let own = blanks + end;
            out += &if blanks == 0 {
                text
            } else if number > 1 {
                format!(" {}", pad::right(text, own - 1))
            } else {
                pad::right(text, own)
            };
        } else {
            out += &rest[..blanks + end];
        }
        rest = &word[end..];
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use crate::testing::Host;

    #[test]
    fn same_as_the_real_programs() {
        let mut host = Host::default();
        let input = "1000 a\n1234567 b\n999 c\n";
        for argv in [
            &["factor", "1", "2", "12", "97", "1001", "4294967297", "18446744073709551557"][..],
            &["factor", "18446744065119617029", "0", "+7"],
            &["factor", "x"],
            &["factor"],
            &["numfmt", "--to=si", "999", "1000", "1500", "9999", "123456789"],
            &["numfmt", "--to=iec", "1023", "1024", "2048", "10240", "1048575"],
            &["numfmt", "--to=iec-i", "4096", "5000000000"],
            &["numfmt", "--from=iec", "1K", "2M", "1.5G"],
            &["numfmt", "--from=si", "1K", "2M", "1.5G"],
            &["numfmt", "--from=auto", "1K", "1Ki"],
            &["numfmt", "--from=iec-i", "1K"],
            &["numfmt", "1K"],
            &["numfmt", "--to=si", "--padding=10", "1000"],
            &["numfmt", "--to=si", "--padding=-10", "1000"],
            &["numfmt", "--to=si", "--suffix=B", "1000"],
            &["numfmt", "--to=si", "--round=nearest", "1449", "1450"],
            &["numfmt", "--to=si", "-d,", "--field=2", "a,5000,b"],
            &["numfmt", "--to=foo", "1"],
            &["numfmt", "abc"],
        ] {
            host.same(argv, if argv.len() == 1 { "12 35\n7\n" } else { input }, &[]);
        }
        host.same(&["numfmt", "--to=si"], input, &[]);
        host.same(&["numfmt", "--header", "--field=2", "--to=iec"], "name size\na 2048\nb 4096\n", &[]);
    }
}
