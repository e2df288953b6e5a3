//! `printf`

use super::BuiltinResult;
use crate::ShellContext;
use crate::expand::escape::{Dialect, ansi, backslashed};
use crate::vm::{MAX_WORD, Res, Vm};
use base::pad;

/// Maximum field width.
const MAX_WIDTH: usize = 1 << 20;

struct PrintfState<'a> {
    args: std::slice::Iter<'a, String>,
    out: String,
    errors: Vec<String>,
    warnings: Vec<String>,
    stop: bool,
}

pub(super) fn printf(vm: &mut Vm, cx: &mut ShellContext, args: &[String]) -> Res<BuiltinResult> {
    let mut rest = &args[1..];
    let mut target = None;
    if let [first, name, more @ ..] = rest
        && first == "-v"
    {
        let parameter = crate::expand::parse_parameter(name);
        if crate::lower::name_prefix(&parameter.name) != parameter.name || parameter.name.is_empty() {
            return vm.fault("printf", &format!("`{name}': not a valid identifier"), 2);
        }
        target = Some(name.clone());
        rest = more;
    }
    match rest {
        [first, more @ ..] if first == "--" => rest = more,
        [first, ..] if first.starts_with('-') && first.len() > 1 => {
            let option: String = first.chars().take(2).collect();
            return vm.usage("printf", &option);
        }
        _ => {}
    }
    let Some((format, values)) = rest.split_first() else {
        vm.run.err.extend(b"printf: usage: printf [-v var] format [arguments]\n");
        return Ok(BuiltinResult::Done(2));
    };
    let mut printer = PrintfState {
        args: values.iter(),
        out: String::new(),
        errors: Vec::new(),
        warnings: Vec::new(),
        stop: false,
    };
    let mut wrong = None;
    loop {
        let before = printer.args.len();
        if let Err(message) = printer.round(format, cx) {
            wrong = Some(message);
            break;
        }
        cx.fuel = cx.fuel.saturating_sub(1);
        if printer.stop
            || printer.args.len() == 0
            || printer.args.len() == before
            || printer.out.len() > MAX_WORD
        {
            break;
        }
    }
    let PrintfState { out, errors, warnings, .. } = printer;
    let failed = !errors.is_empty() || wrong.is_some();
    for message in warnings.into_iter().chain(errors).chain(wrong) {
        vm.complain(&format!("printf: {message}"));
    }
    vm.last_builtin = "printf".into();
    match target {
        None => vm.run.out.extend(out.as_bytes()),
        Some(name) => {
            let parameter = crate::expand::parse_parameter(&name);
            let key = match &parameter.key {
                Some(key) => match vm.element_key(cx, &parameter.name, key) {
                    Ok(key) => Some(key),
                    Err(message) => return vm.fault("printf", &message, 1),
                },
                None => None,
            };
            if let Err(message) = vm.set_element(cx, &parameter.name, key.as_deref(), out, false) {
                vm.complain(&message);
                return Ok(BuiltinResult::Done(1));
            }
        }
    }
    Ok(BuiltinResult::Done(u8::from(failed)))
}

/// A conversion, `%-10.3d`, without its percent sign and letter.
#[derive(Default)]
struct PrintfConversion {
    left: bool,
    zero: bool,
    plus: bool,
    space: bool,
    alternate: bool,
    width: usize,
    precision: Option<usize>,
}

impl PrintfState<'_> {
    fn round(&mut self, format: &str, cx: &ShellContext) -> Result<(), String> {
        let mut rest = format;
        while let Some(at) = rest.find('%') {
            self.out.push_str(&ansi(&rest[..at], Dialect::Format).0);
            rest = &rest[at + 1..];
            if let Some(more) = rest.strip_prefix('%') {
                self.out.push('%');
                rest = more;
                continue;
            }
            rest = self.conversion(rest, cx)?;
            if self.stop {
                return Ok(());
            }
        }
        self.out.push_str(&ansi(rest, Dialect::Format).0);
        Ok(())
    }

    fn number_or_star(&mut self, text: &mut &str) -> i64 {
        if let Some(rest) = text.strip_prefix('*') {
            *text = rest;
            return self.integer();
        }
        let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
        let number = text[..digits].parse().unwrap_or(0);
        *text = &text[digits..];
        number
    }

    fn conversion<'t>(&mut self, text: &'t str, cx: &ShellContext) -> Result<&'t str, String> {
        let mut rest = text;
        let mut spec = PrintfConversion::default();
        while let Some(c) = rest.chars().next().filter(|c| "-+ #0'".contains(*c)) {
            match c {
                '-' => spec.left = true,
                '+' => spec.plus = true,
                ' ' => spec.space = true,
                '#' => spec.alternate = true,
                '0' => spec.zero = true,
                _ => {}
            }
            rest = &rest[1..];
        }
        let width = self.number_or_star(&mut rest);
        spec.left |= width < 0;
        spec.width = usize::try_from(width.unsigned_abs()).unwrap_or(0).min(MAX_WIDTH);
        if let Some(after) = rest.strip_prefix('.') {
            rest = after;
            spec.precision = usize::try_from(self.number_or_star(&mut rest)).ok().map(|p| p.min(MAX_WIDTH));
        }
        rest = length_modifiers(rest);
        if rest.starts_with('(') {
            let Some(end) = rest.find(")T") else { return Err("`(': missing format character".into()) };
            let given = self.args.next().map_or(-1, |a| a.parse::<i64>().unwrap_or(-1));
            // As in bash, a time that has no date is the epoch.
            let time = match given {
                ..0 => cx.now,
                _ if given > i64::MAX / base::time::SECOND => base::time::Time(0),
                _ => base::time::Time::from_secs(given),
            };
            let shown = time.strftime(&rest[1..end]);
            self.pad(&shown, &spec);
            return Ok(&rest[end + 2..]);
        }
        let Some(letter) = rest.chars().next() else {
            return Err(format!("`%{text}': missing format character"));
        };
        self.convert(letter, &spec).ok_or_else(|| format!("`{letter}': invalid format character"))?;
        Ok(&rest[letter.len_utf8()..])
    }

    fn convert(&mut self, letter: char, spec: &PrintfConversion) -> Option<()> {
        match letter {
            's' => {
                let text = self.args.next().cloned().unwrap_or_default();
                let text = self.cut(&text, spec);
                self.pad(&text, spec);
            }
            // `%q` truncates the quoted text, `%Q` quotes the truncated text.
            'q' | 'Q' => {
                let text = self.args.next().cloned().unwrap_or_default();
                let cut = if letter == 'Q' { self.cut(&text, spec) } else { text };
                let text = backslashed(&cut);
                let text = if letter == 'q' { self.cut(&text, spec) } else { text };
                self.pad(&text, spec);
            }
            'b' => {
                let text = self.args.next().cloned().unwrap_or_default();
                let (text, stop) = ansi(&text, Dialect::Echo);
                let text = self.cut(&text, spec);
                self.pad(&text, spec);
                self.stop = stop;
            }
            'c' => {
                let first = self.args.next().map_or(Some('\0'), |a| a.chars().next());
                let text = first.unwrap_or('\0').to_string();
                self.pad(&text, spec);
            }
            'd' | 'i' => {
                let n = self.integer();
                let digits = n.unsigned_abs().to_string();
                self.number(n < 0, "", &digits, spec);
            }
            'u' => {
                let n = self.integer().cast_unsigned();
                self.number(
                    false,
                    "",
                    &n.to_string(),
                    &PrintfConversion { plus: false, space: false, ..*spec },
                );
            }
            'o' => {
                let n = self.integer();
                self.number(false, if spec.alternate && n != 0 { "0" } else { "" }, &format!("{n:o}"), spec);
            }
            'x' => {
                let n = self.integer();
                self.number(false, if spec.alternate && n != 0 { "0x" } else { "" }, &format!("{n:x}"), spec);
            }
            'X' => {
                let n = self.integer();
                self.number(false, if spec.alternate && n != 0 { "0X" } else { "" }, &format!("{n:X}"), spec);
            }
            'e' | 'E' | 'f' | 'F' | 'g' | 'G' => {
                let value = self.float();
                let digits = float_text(value.abs(), letter, spec.precision.unwrap_or(6), spec.alternate);
                let plain = PrintfConversion { precision: None, ..*spec };
                self.number(value.is_sign_negative(), "", &digits, &plain);
            }
            'n' => {}
            _ => return None,
        }
        Some(())
    }

    fn cut(&self, text: &str, spec: &PrintfConversion) -> String {
        spec.precision.map_or_else(|| text.to_owned(), |p| text.chars().take(p).collect())
    }

    fn pad(&mut self, text: &str, spec: &PrintfConversion) {
        let fill = " ".repeat(spec.width.saturating_sub(text.chars().count()));
        if spec.left { self.out.extend([text, &fill]) } else { self.out.extend([&fill, text]) }
    }

    fn number(&mut self, negative: bool, prefix: &str, digits: &str, spec: &PrintfConversion) {
        let sign = if negative {
            "-"
        } else if spec.plus {
            "+"
        } else if spec.space {
            " "
        } else {
            ""
        };
        let mut digits = digits.to_owned();
        if let Some(precision) = spec.precision {
            digits = "0".repeat(precision.saturating_sub(digits.len())) + &digits;
        } else if spec.zero && !spec.left {
            let taken = sign.len() + prefix.len() + digits.len();
            digits = "0".repeat(spec.width.saturating_sub(taken)) + &digits;
        }
        self.pad(&format!("{sign}{prefix}{digits}"), spec);
    }

    fn integer(&mut self) -> i64 {
        let Some(text) = self.args.next() else { return 0 };
        if let Some(c) = text.strip_prefix(['\'', '"']) {
            return c.chars().next().map_or(0, |c| i64::from(u32::from(c)));
        }
        let trimmed = text.trim_start();
        if trimmed.is_empty() {
            return 0;
        }
        let (negative, digits) = match trimmed.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, trimmed.strip_prefix('+').unwrap_or(trimmed)),
        };
        let (radix, digits) =
            if let Some(hex) = digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
                (16, hex)
            } else if digits.len() > 1 && digits.starts_with('0') {
                (8, &digits[1..])
            } else {
                (10, digits)
            };
        let end = digits.find(|c: char| !c.is_digit(radix)).unwrap_or(digits.len());
        if end < digits.len() || digits.is_empty() {
            let what = match radix {
                8 => "invalid octal number",
                16 => "invalid hex number",
                _ => "invalid number",
            };
            self.errors.push(format!("{text}: {what}"));
        }
        let size = match u128::from_str_radix(&digits[..end.min(30)], radix) {
            Ok(size) if end <= 30 => size,
            Ok(_) => u128::MAX,
            Err(_) => 0,
        };
        let most = if negative { 1 << 63 } else { u128::from(u64::MAX) };
        if size > most {
            self.warnings.push(format!("warning: {text}: Numerical result out of range"));
            return if negative { i64::MIN } else { i64::MAX };
        }
        let value = u64::try_from(size).unwrap_or(u64::MAX).cast_signed();
        if negative { value.wrapping_neg() } else { value }
    }

    fn float(&mut self) -> f64 {
        let Some(text) = self.args.next() else { return 0.0 };
        if let Some(c) = text.strip_prefix(['\'', '"']) {
            return c.chars().next().map_or(0.0, |c| f64::from(u32::from(c)));
        }
        let trimmed = text.trim();
        if trimmed.is_empty() {
            return 0.0;
        }
        let (sign, bare) = match trimmed.strip_prefix('-') {
            Some(rest) => (-1.0, rest),
            None => (1.0, trimmed.strip_prefix('+').unwrap_or(trimmed)),
        };
        if let Some(hex) = bare.strip_prefix("0x").or_else(|| bare.strip_prefix("0X")) {
            let end = hex.find(|c: char| !c.is_ascii_hexdigit()).unwrap_or(hex.len());
            if end < hex.len() || hex.is_empty() {
                self.errors.push(format!("{text}: invalid number"));
            }
            let digit = |value: f64, c: char| value * 16.0 + f64::from(c.to_digit(16).unwrap_or(0));
            return sign * hex[..end].chars().take(300).fold(0.0, digit);
        }
        match trimmed.parse::<f64>() {
            Ok(value) => value,
            Err(_) => {
                self.errors.push(format!("{text}: invalid number"));
                let end = trimmed.find(|c: char| !(c.is_ascii_digit() || ".-+".contains(c)));
                trimmed[..end.unwrap_or(trimmed.len())].parse().unwrap_or(0.0)
            }
        }
    }
}

/// Formats a non-negative number as `%e`, `%f` or `%g`.
fn float_text(value: f64, letter: char, precision: usize, keep: bool) -> String {
    if !value.is_finite() {
        let text = if value.is_nan() { "nan" } else { "inf" };
        return if letter.is_ascii_uppercase() { text.to_uppercase() } else { text.to_owned() };
    }
    let joined = |mantissa: &str, exponent: i32| {
        let sign = if exponent < 0 { '-' } else { '+' };
        format!("{mantissa}e{sign}{:02}", exponent.abs())
    };
    let text = match letter.to_ascii_lowercase() {
        'f' => pad::fixed(value, precision),
        'e' => {
            let (mantissa, exponent) = pad::scientific(value, precision);
            joined(&mantissa, exponent)
        }
        _ => {
            let digits = precision.max(1);
            let (mantissa, exponent) = pad::scientific(value, digits - 1);
            let trim = |t: &str| {
                if t.contains('.') && !keep {
                    t.trim_end_matches('0').trim_end_matches('.').to_owned()
                } else {
                    t.to_owned()
                }
            };
            let limit = i32::try_from(digits).unwrap_or(i32::MAX);
            if exponent < -4 || exponent >= limit {
                joined(&trim(&mantissa), exponent)
            } else {
                let places = usize::try_from(limit - 1 - exponent).unwrap_or(0);
                trim(&pad::fixed(value, places))
            }
        }
    };
    if letter.is_ascii_uppercase() { text.to_uppercase() } else { text }
}

/// Skips length modifiers such as `l` and `h`, which have no effect; `q` is a conversion.
fn length_modifiers(text: &str) -> &str {
    text.trim_start_matches(['l', 'h', 'L', 'j', 'z', 't'])
}
