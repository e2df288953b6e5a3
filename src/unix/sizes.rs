//! truncate(1), fallocate(1), and the size syntax that dd, truncate and split share.

use super::getopt::{self, Spec};
use crate::Cx;
use host::Errno;
use host::kernel::OpenFlags;

/// Parses `4k`, `1M`, `2GB`, `8x512`, the numbers of dd, truncate and split; `K` is 1024, `kB` is 1000.
#[must_use]
pub fn amount(text: &str) -> Option<u64> {
    if let Some((left, right)) = text.split_once('x') {
        return amount(left)?.checked_mul(amount(right)?);
    }
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let (number, unit) = text.split_at_checked(digits)?;
    let number: u64 = number.parse().ok()?;
    let (letter, rest) = match unit.chars().next() {
        None => return Some(number),
        Some('c') if unit == "c" => return Some(number),
        Some('w') if unit == "w" => return number.checked_mul(2),
        Some('b') if unit == "b" => return number.checked_mul(512),
        Some(letter) => (letter.to_ascii_uppercase(), unit.get(1..)?),
    };
    let power = "KMGTPE".find(letter)? + 1;
    let base: u64 = match rest {
        "" | "iB" => 1024,
        "B" => 1000,
        _ => return None,
    };
    number.checked_mul(base.checked_pow(u32::try_from(power).ok()?)?)
}

/// truncate(1)
pub fn truncate(cx: &mut Cx) -> u8 {
    const SPEC: Spec = Spec {
        short: "cs:r:o",
        long: &[("no-create", 'c'), ("size", 's'), ("reference", 'r'), ("io-blocks", 'o')],
        usage: 1,
    };
    let parsed = match getopt::parse(cx, &SPEC) {
        Ok(parsed) => parsed,
        Err(code) => return code,
    };
    let mut base = None;
    if let Some(name) = parsed.value('r') {
        match cx.kernel.fs.stat(cx.uid(), &cx.path(name)) {
            Ok(stat) => base = Some(stat.size),
            Err(errno) => {
                cx.error(&format!("cannot stat '{name}': {errno}"));
                return 1;
            }
        }
    }
    let size = parsed.value('s').map(str::to_owned);
    if size.is_none() && base.is_none() {
        cx.error("you must specify either '--size' or '--reference'");
        getopt::try_help(cx);
        return 1;
    }
    if parsed.operands.is_empty() {
        cx.error("missing file operand");
        getopt::try_help(cx);
        return 1;
    }
    let sign = size.as_deref().and_then(|text| text.chars().next()).filter(|c| "+-<>/%".contains(*c));
    let text = size.as_deref().map(|text| text.trim_start_matches(['+', '-', '<', '>', '/', '%']));
    let number = text.map(amount);
    if number == Some(None) {
        cx.error(&format!("Invalid number: '{}'", text.unwrap_or_default()));
        return 1;
    }
    let number = number.flatten().unwrap_or(0);
    let mut code = 0;
    for name in &parsed.operands {
        let flags = OpenFlags { write: true, create: !parsed.has('c'), ..OpenFlags::default() };
        let fd = match cx.open(name, flags) {
            Ok(fd) => fd,
            Err(Errno::ENOENT) if parsed.has('c') => continue,
            Err(errno) => {
                cx.error(&format!("cannot open '{name}' for writing: {errno}"));
                code = 1;
                continue;
            }
        };
        let now = base.unwrap_or_else(|| cx.kernel.fd_stat(cx.pid, fd).map_or(0, |stat| stat.size));
        let new = match sign {
            Some('+') => now.saturating_add(number),
            Some('-') => now.saturating_sub(number),
            Some('<') => now.min(number),
            Some('>') => now.max(number),
            Some('/') => now / number.max(1) * number,
            Some(_) => now.div_ceil(number.max(1)).saturating_mul(number),
            None if size.is_none() => now,
            None => number,
        };
        if let Err(errno) = cx.kernel.set_size(cx.pid, fd, new, false, cx.now) {
            cx.error(&format!("failed to truncate '{name}' at {new} bytes: {errno}"));
            code = 1;
        }
        cx.kernel.close(cx.pid, fd).unwrap_or_default();
    }
    code
}

/// fallocate(1)
pub fn fallocate(cx: &mut Cx) -> u8 {
    const SPEC: Spec = Spec {
        short: "l:o:nxv",
        long: &[("length", 'l'), ("offset", 'o'), ("keep-size", 'n'), ("posix", 'x'), ("verbose", 'v')],
        usage: 1,
    };
    let parsed = match getopt::parse(cx, &SPEC) {
        Ok(parsed) => parsed,
        Err(code) => return code,
    };
    let Some(length) = parsed.value('l').map(str::to_owned) else {
        cx.error("no length argument specified");
        return 1;
    };
    let (length, offset) = (amount(&length).filter(|n| *n > 0), amount(parsed.value('o').unwrap_or("0")));
    let (Some(length), Some(offset)) = (length, offset) else {
        cx.error("invalid length value specified");
        return 1;
    };
    let Some(name) = parsed.operands.first() else {
        cx.error("no filename specified");
        return 1;
    };
    let flags = OpenFlags { read: true, write: true, create: true, ..OpenFlags::default() };
    let fd = match cx.open(name, flags) {
        Ok(fd) => fd,
        Err(errno) => {
            cx.error(&format!("cannot open {name}: {errno}"));
            return 1;
        }
    };
    let size = cx.kernel.fd_stat(cx.pid, fd).map_or(0, |stat| stat.size).max(offset.saturating_add(length));
    if let Err(errno) = cx.kernel.set_size(cx.pid, fd, size, true, cx.now) {
        cx.error(&format!("fallocate failed: {errno}"));
        return 1;
    }
    0
}
