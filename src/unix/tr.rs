//! tr(1), on bytes.

use super::getopt::{self, Spec};
use super::stream::{What, machine};
use crate::{Cx, UnixMachine};
use serde::{Deserialize, Serialize};

/// tr(1)
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Tr {
    /// The replacement of each byte; empty if there is no translation.
    map: Vec<u8>,
    /// The deleted bytes; empty if there are none.
    delete: Vec<bool>,
    /// The bytes whose repeats are squeezed; empty if there are none.
    squeeze: Vec<bool>,
    last: Option<u8>,
}

/// Starts tr(1).
pub fn start(cx: &mut Cx) -> UnixMachine {
    const SPEC: Spec = Spec {
        short: "+cCdst",
        long: &[("complement", 'c'), ("delete", 'd'), ("squeeze-repeats", 's'), ("truncate-set1", 't')],
        usage: 1,
    };
    let parsed = match getopt::parse(cx, &SPEC) {
        Ok(parsed) => parsed,
        Err(code) => return UnixMachine::End(code),
    };
    let (delete, squeeze) = (parsed.has('d'), parsed.has('s'));
    match make(&parsed.operands, parsed.has('c') || parsed.has('C'), delete, squeeze, parsed.has('t')) {
        Ok(tr) => machine(&[], What::Tr(Box::new(tr))),
        Err((text, hint)) => {
            cx.error(&text);
            if let Some(hint) = hint {
                cx.complain(hint);
            }
            if text.starts_with("missing") || text.starts_with("extra") {
                getopt::try_help(cx);
            }
            UnixMachine::End(1)
        }
    }
}

type TrError = (String, Option<&'static str>);

fn make(
    sets: &[String],
    complement: bool,
    delete: bool,
    squeeze: bool,
    truncate: bool,
) -> Result<Tr, TrError> {
    let (first, second) = match sets {
        [] => return Err(("missing operand".into(), None)),
        [one] => (one, None),
        [one, two] => (one, Some(two)),
        [_, _, extra, ..] => return Err((format!("extra operand '{extra}'"), None)),
    };
    match second {
        None if !delete && !squeeze => {
            let hint = "Two strings must be given when translating.";
            return Err((format!("missing operand after '{first}'"), Some(hint)));
        }
        None if delete && squeeze => {
            let hint = "Two strings must be given when both deleting and squeezing repeats.";
            return Err((format!("missing operand after '{first}'"), Some(hint)));
        }
        Some(extra) if delete && !squeeze => {
            let hint = "Only one string may be given when deleting without squeezing repeats.";
            return Err((format!("extra operand '{extra}'"), Some(hint)));
        }
        None | Some(_) => {}
    }
    let from = set(first)?;
    let to = second.map(|s| set(s)).transpose()?;
    refuse(&from, to.as_ref(), !delete && second.is_some(), truncate, complement)?;
    let mut from = from.bytes;
    if complement {
        from = (0..=255).filter(|b| !from.contains(b)).collect();
    }
    let mut tr = Tr { map: Vec::new(), delete: Vec::new(), squeeze: Vec::new(), last: None };
    let members = |bytes: &[u8]| (0..=255_u8).map(|b| bytes.contains(&b)).collect::<Vec<bool>>();
    if delete {
        tr.delete = members(&from);
    } else if let Some(to) = &to {
        let to = to.filled(from.len());
        if to.is_empty() && !truncate {
            return Err(("when not truncating set1, string2 must be non-empty".into(), None));
        }
        let last = to.last().copied().unwrap_or_default();
        tr.map = (0..=255).collect();
        for (i, byte) in from.iter().enumerate() {
            let target = match to.get(i) {
                Some(target) => *target,
                None if truncate => continue,
                None => last,
            };
            if let Some(mapped) = tr.map.get_mut(usize::from(*byte)) {
                *mapped = target;
            }
        }
    }
    if squeeze {
        let squeezed = to.as_ref().map_or_else(|| from.clone(), |to| to.filled(from.len()));
        tr.squeeze = members(&squeezed);
    }
    Ok(tr)
}

/// An expanded set; `[x*]` fills it up to the other set's length.
#[derive(Default)]
struct CharSet {
    bytes: Vec<u8>,
    fill: Option<(usize, u8)>,
    /// How often it has `[x*]`.
    fills: usize,
    /// Positions of `[:lower:]` and `[:upper:]`.
    cases: Vec<usize>,
    /// It has a class, one besides `[:lower:]` and `[:upper:]`, `[=x=]`.
    has_class: bool,
    has_other_class: bool,
    has_equivalence: bool,
    /// It ends with a class.
    ends_with_class: bool,
}

/// What tr refuses in sets.
fn refuse(
    from: &CharSet,
    to: Option<&CharSet>,
    translates: bool,
    truncate: bool,
    complement: bool,
) -> Result<(), TrError> {
    let fail = |text: &str| Err((text.to_owned(), None));
    if from.fills > 0 {
        return fail("the [c*] repeat construct may not appear in string1");
    }
    let Some(to) = to else { return Ok(()) };
    if to.fills > 1 {
        return fail("only one [c*] repeat construct may appear in string2");
    }
    if !translates {
        return if to.fills > 0 {
            fail("the [c*] construct may appear in string2 only when translating")
        } else {
            Ok(())
        };
    }
    if to.has_equivalence {
        return fail("[=c=] expressions may not appear in string2 when translating");
    }
    if to.has_other_class {
        return fail(
            "when translating, the only character classes that may appear in\nstring2 are 'upper' and 'lower'",
        );
    }
    let length = if complement { 256 - from.members() } else { from.bytes.len() };
    let filled = to.filled(length);
    // A case class of the second set stands for one of the first. With `[x*]` before it, it moves.
    let moved = |at: &usize| match to.fill {
        Some((fill, _)) if fill <= *at => at + (filled.len() - to.bytes.len()),
        Some(_) | None => *at,
    };
    if !complement && !to.cases.iter().all(|at| from.cases.contains(&moved(at))) {
        return fail("misaligned [:upper:] and/or [:lower:] construct");
    }
    if length > filled.len() && !truncate && !filled.is_empty() && to.ends_with_class {
        return fail(
            "when translating with string1 longer than string2,\nthe latter string must not end with a character class",
        );
    }
    if complement && from.has_class {
        let one = filled.windows(2).all(|two| two[0] == two[1]);
        if filled.len() > length || !one {
            return fail(
                "when translating with complemented character classes,\nstring2 must map all characters in the domain to one",
            );
        }
    }
    Ok(())
}

impl CharSet {
    /// The number of different bytes.
    fn members(&self) -> usize {
        (0..=255).filter(|byte| self.bytes.contains(byte)).count()
    }

    fn filled(&self, length: usize) -> Vec<u8> {
        let mut bytes = self.bytes.clone();
        if let Some((at, byte)) = self.fill {
            let missing = length.saturating_sub(bytes.len());
            bytes.splice(at..at, std::iter::repeat_n(byte, missing));
        }
        bytes
    }
}

/// A member of a set: a byte, and whether it was escaped with a backslash.
fn members(text: &str) -> Vec<(u8, bool)> {
    let bytes = text.as_bytes();
    let mut all = Vec::new();
    let mut i = 0;
    while let Some(&byte) = bytes.get(i) {
        i += 1;
        if byte != b'\\' {
            all.push((byte, false));
            continue;
        }
        let Some(&escaped) = bytes.get(i) else {
            all.push((b'\\', true));
            break;
        };
        i += 1;
        let value = match escaped {
            b'a' => 7,
            b'b' => 8,
            b'f' => 12,
            b'n' => 10,
            b'r' => 13,
            b't' => 9,
            b'v' => 11,
            b'0'..=b'7' => {
                let mut value = u32::from(escaped - b'0');
                for _ in 0..2 {
                    let Some(digit @ b'0'..=b'7') = bytes.get(i) else { break };
                    let more = value * 8 + u32::from(digit - b'0');
                    if more > 255 {
                        break;
                    }
                    value = more;
                    i += 1;
                }
                u8::try_from(value).unwrap_or(0)
            }
            other => other,
        };
        all.push((value, true));
    }
    all
}

fn set(text: &str) -> Result<CharSet, TrError> {
    let all = members(text);
    let mut set = CharSet::default();
    let mut i = 0;
    let plain = |i: usize, byte: u8| all.get(i) == Some(&(byte, false));
    while let Some(&(byte, _)) = all.get(i) {
        if plain(i, b'[') && plain(i + 1, b':') {
            let end = (i + 2..all.len()).find(|j| plain(*j, b':') && plain(j + 1, b']'));
            if let Some(end) = end {
                let name: String = all[i + 2..end].iter().map(|(b, _)| char::from(*b)).collect();
                let bad = || (format!("invalid character class '{name}'"), None);
                let class = class(&name).ok_or_else(bad)?;
                if matches!(name.as_str(), "lower" | "upper") {
                    set.cases.push(set.bytes.len());
                } else {
                    set.has_other_class = true;
                }
                set.bytes.extend((0..=255).filter(class));
                i = end + 2;
                set.has_class = true;
                set.ends_with_class = i >= all.len();
                continue;
            }
        }
        if plain(i, b'[') && plain(i + 1, b'=') && plain(i + 3, b'=') && plain(i + 4, b']') {
            set.bytes.extend(all.get(i + 2).map(|(byte, _)| *byte));
            set.has_equivalence = true;
            i += 5;
            continue;
        }
        if plain(i, b'[') && plain(i + 2, b'*') {
            let end = (i + 3..all.len()).find(|j| plain(*j, b']'));
            if let (Some(end), Some(&(member, _))) = (end, all.get(i + 1)) {
                let digits: String = all[i + 3..end].iter().map(|(b, _)| char::from(*b)).collect();
                let radix = if digits.starts_with('0') { 8 } else { 10 };
                match usize::from_str_radix(&digits, radix) {
                    Ok(n) if n > 0 => set.bytes.extend(std::iter::repeat_n(member, n.min(4096))),
                    Err(_) if !digits.is_empty() => {
                        return Err((format!("invalid repeat count '{digits}' in [c*n] construct"), None));
                    }
                    Ok(_) | Err(_) => {
                        set.fill = Some((set.bytes.len(), member));
                        set.fills += 1;
                    }
                }
                i = end + 1;
                continue;
            }
        }
        if plain(i + 1, b'-')
            && let Some(&(last, _)) = all.get(i + 2)
        {
            if last < byte {
                let text = format!("{}-{}", char::from(byte), char::from(last));
                return Err((
                    format!("range-endpoints of '{text}' are in reverse collating sequence order"),
                    None,
                ));
            }
            set.bytes.extend(byte..=last);
            i += 3;
            continue;
        }
        set.bytes.push(byte);
        i += 1;
    }
    Ok(set)
}

fn class(name: &str) -> Option<fn(&u8) -> bool> {
    Some(match name {
        "alpha" => u8::is_ascii_alphabetic,
        "digit" => u8::is_ascii_digit,
        "alnum" => u8::is_ascii_alphanumeric,
        "upper" => u8::is_ascii_uppercase,
        "lower" => u8::is_ascii_lowercase,
        "space" => |b| b.is_ascii_whitespace() || *b == 11,
        "blank" => |b| matches!(b, b' ' | b'\t'),
        "punct" => u8::is_ascii_punctuation,
        "print" => |b| (32..127).contains(b),
        "graph" => u8::is_ascii_graphic,
        "cntrl" => u8::is_ascii_control,
        "xdigit" => u8::is_ascii_hexdigit,
        _ => return None,
    })
}

impl Tr {
    /// Translates some bytes.
    pub fn bytes(&mut self, out: &mut Vec<u8>, bytes: &[u8]) {
        for &byte in bytes {
            if self.delete.get(usize::from(byte)) == Some(&true) {
                continue;
            }
            let byte = self.map.get(usize::from(byte)).copied().unwrap_or(byte);
            if self.last == Some(byte) && self.squeeze.get(usize::from(byte)) == Some(&true) {
                continue;
            }
            self.last = Some(byte);
            out.push(byte);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::Host;

    #[test]
    fn same_as_the_real_program() {
        let mut host = Host::default();
        for args in [
            &["a-z", "A-Z"][..],
            &["[:lower:]", "[:upper:]"],
            &["-d", "aeiou\\n"],
            &["-s", " "],
            &["-s", "[:space:]", "\\n"],
            &["-cd", "[:alnum:]\\n"],
            &["abc", "x"],
            &["-c", "[:alnum:]", "[_*]"],
            &["-t", "abcd", "xy"],
            &["\\n", ","],
            &["=", "\\t"],
            &["-ds", "a", "b"],
            &["z-a", "x"],
            &["a"],
            &[],
            &["-d", "a", "b"],
            &["a-z", "[:upper:]"],
            &["[:lower:]", "[:digit:]"],
            &["[:upper:]", "[:lower:]"],
            &["[:lower:][:digit:]", "[:upper:]x"],
            &["a[:lower:]", "[:upper:]"],
            &["x[:lower:]", "y[:upper:]"],
            &["[:digit:]a-z", "0-9[:upper:]"],
            &["[:alpha:]", "[:upper:]"],
            &["a-z0-9", "A-Z[:lower:]"],
            &["-c", "[:alpha:]", "xy"],
            &["-c", "[:alpha:]", "x"],
            &["-cs", "a-z", "\\n"],
            &["[=e=]", "E"],
            &["e", "[=E=]"],
            &["-d", "[=e=]"],
            &["a[x*]", "b"],
            &["abc", "[x*2]y"],
            &["abcdefghijk", "[x*010]y"],
            &["a-e", "[x*][y*]"],
            &["-ds", "a", "[b*]"],
            &["-s", "[:upper:]", "[:lower:]"],
            &["-t", "[:lower:][:digit:]", "[:upper:]"],
            &["a-z", ""],
            &["-t", "a-z", ""],
            &["[:nope:]", "x"],
            &["a-c", "A-"],
            &["-s", "lb"],
            &["-cs", "a-", "x[y*]z"],
        ] {
            host.same(&[&["tr"], args].concat(), "Hello  World=42\nabc bbb  aaa\n\n", &[]);
        }
    }
}
