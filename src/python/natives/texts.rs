//! Methods of strings and bytes.

use super::{Kw, NativeTable, arg};
use crate::ast::PyName;
use crate::value::{Py, PyObject};
use crate::vm::{PyResult, PyVm, Stop};

fn map(vm: &mut PyVm<'_>, a: &[Py], f: impl Fn(&str) -> String) -> PyResult {
    let text = vm.need_text(a, 0, "str")?;
    Ok(vm.text(f(&text)))
}

fn every(vm: &mut PyVm<'_>, a: &[Py], f: impl Fn(char) -> bool) -> PyResult {
    let text = vm.need_text(a, 0, "str")?;
    Ok(Py::Bool(!text.is_empty() && text.chars().all(f)))
}

fn strip(vm: &mut PyVm<'_>, a: &[Py], left: bool, right: bool) -> PyResult {
    let text = vm.need_text(a, 0, "strip")?;
    let set: Option<Vec<char>> = a.get(1).and_then(|s| vm.str_ref(*s)).map(|s| s.chars().collect());
    let hit = |c: char| set.as_ref().map_or(c.is_whitespace(), |s| s.contains(&c));
    let mut out: &str = &text;
    if left {
        out = out.trim_start_matches(hit);
    }
    if right {
        out = out.trim_end_matches(hit);
    }
    Ok(vm.text(out))
}

fn split(vm: &mut PyVm<'_>, a: &[Py], named: Kw<'_>, from_right: bool) -> PyResult {
    let text = vm.need_text(a, 0, "split")?;
    let separator = arg(a, named, 1, "sep").and_then(|s| vm.str_ref(s)).map(str::to_owned);
    let most = arg(a, named, 2, "maxsplit").and_then(|m| vm.as_int(m)).and_then(|m| usize::try_from(m).ok());
    let parts: Vec<String> = match separator {
        Some(s) if s.is_empty() => return vm.value_error("empty separator"),
        Some(s) => match (most, from_right) {
            (None, _) => text.split(&s).map(str::to_owned).collect(),
            (Some(n), false) => text.splitn(n + 1, &s).map(str::to_owned).collect(),
            (Some(n), true) => {
                let mut parts: Vec<String> = text.rsplitn(n + 1, &s).map(str::to_owned).collect();
                parts.reverse();
                parts
            }
        },
        None => match (most, from_right) {
            (None, _) => text.split_whitespace().map(str::to_owned).collect(),
            (Some(n), false) => {
                let (mut rest, mut parts) = (text.trim_start(), Vec::new());
                while parts.len() < n
                    && let Some(at) = rest.find(char::is_whitespace)
                {
                    parts.push(rest[..at].to_owned());
                    rest = rest[at..].trim_start();
                }
                if !rest.is_empty() {
                    parts.push(rest.to_owned());
                }
                parts
            }
            (Some(n), true) => {
                let (mut rest, mut parts) = (text.trim_end(), Vec::new());
                while parts.len() < n
                    && let Some(at) = rest.rfind(char::is_whitespace)
                {
                    parts.push(rest[at..].trim_start().to_owned());
                    rest = rest[..at].trim_end();
                }
                if !rest.is_empty() {
                    parts.push(rest.to_owned());
                }
                parts.reverse();
                parts
            }
        },
    };
    let parts = parts.into_iter().map(|p| vm.text(p)).collect();
    Ok(vm.list(parts))
}

/// What lies between the optional bounds in the third and fourth argument, and its first position, both in characters. `None`
/// if the bounds leave nothing, not even an empty text: `"abc".find("", 4)` is -1.
fn between(vm: &mut PyVm<'_>, text: &PyName, a: &[Py]) -> PyResult<Option<(usize, PyName)>> {
    let bounds = [2, 3].map(|i| a.get(i).copied().unwrap_or(Py::None));
    if bounds == [Py::None; 2] {
        return Ok(Some((0, text.clone())));
    }
    let len = vm.len(a[0])?;
    let Some((start, count)) = vm.bounds(bounds, len)? else { return Ok(None) };
    Ok(Some((start, text.chars().skip(start).take(count).collect::<String>().into())))
}

/// The position of a part in characters, between optional bounds.
fn find(vm: &mut PyVm<'_>, a: &[Py], last: bool) -> PyResult<Option<i64>> {
    let text = vm.need_text(a, 0, "find")?;
    let part = vm.need_text(a, 1, "find")?;
    let Some((start, inner)) = between(vm, &text, a)? else { return Ok(None) };
    let at = if last { inner.rfind(&*part) } else { inner.find(&*part) };
    Ok(at.map(|at| i64::try_from(start + inner[..at].chars().count()).unwrap_or(0)))
}

fn affix(vm: &mut PyVm<'_>, a: &[Py], test: fn(&str, &str) -> bool, name: &str) -> PyResult {
    let text = vm.need_text(a, 0, name)?;
    let value = vm.need(a, 1, name)?;
    let all = if vm.str_ref(value).is_some() { vec![value] } else { vm.items(value) };
    if all.is_empty() && vm.type_of(value) != crate::value::PyType::Tuple {
        let message = format!("{name} first arg must be str or a tuple of str, not {}", vm.type_name(value));
        return vm.type_error(&message);
    }
    let inner = between(vm, &text, a)?;
    let holds = inner.is_some_and(|(_, t)| all.iter().any(|p| vm.str_ref(*p).is_some_and(|p| test(&t, p))));
    Ok(Py::Bool(holds))
}

fn pad(vm: &mut PyVm<'_>, a: &[Py], how: char) -> PyResult {
    let text = vm.need_text(a, 0, "just")?;
    let width = vm.need_length(a, 1, "just")?;
    let fill = if a.len() > 2 { vm.need_text(a, 2, "just")? } else { " ".into() };
    if fill.chars().count() != 1 {
        return vm.type_error("The fill character must be exactly one character long");
    }
    let missing = width.saturating_sub(text.chars().count());
    let left = match how {
        '<' => 0,
        '>' => missing,
        _ => missing / 2 + (missing & width & 1),
    };
    Ok(vm.text(format!("{}{text}{}", fill.repeat(left), fill.repeat(missing - left))))
}

fn partition(vm: &mut PyVm<'_>, a: &[Py], last: bool) -> PyResult {
    let (text, by) = (vm.need_text(a, 0, "partition")?, vm.need_text(a, 1, "partition")?);
    let found = if last { text.rsplit_once(&*by) } else { text.split_once(&*by) };
    let parts = match found {
        Some((x, y)) => [x, &*by, y],
        None if last => ["", "", &*text],
        None => [&*text, "", ""],
    };
    let parts = parts.map(|p| vm.text(p)).to_vec();
    Ok(vm.tuple(parts))
}

fn capitalized(text: &str) -> String {
    let mut chars = text.chars();
    chars
        .next()
        .map_or_else(String::new, |c| c.to_uppercase().collect::<String>() + &chars.as_str().to_lowercase())
}

fn titled(text: &str) -> String {
    let mut inside = false;
    text.chars()
        .flat_map(|c| {
            let out: Vec<char> = if inside { c.to_lowercase().collect() } else { c.to_uppercase().collect() };
            inside = c.is_alphabetic();
            out
        })
        .collect()
}

fn bytes_of(vm: &PyVm<'_>, value: Py) -> Vec<u8> {
    match vm.payload(value) {
        Py::Obj(id) => match vm.obj(id) {
            PyObject::Bytes(b, _) => b.clone(),
            _ => Vec::new(),
        },
        _ => Vec::new(),
    }
}

pub(super) const TABLE: NativeTable = &[
    ("str.upper", |vm, a, _| map(vm, a, str::to_uppercase)),
    ("str.lower", |vm, a, _| map(vm, a, str::to_lowercase)),
    ("str.casefold", |vm, a, _| map(vm, a, str::to_lowercase)),
    ("str.capitalize", |vm, a, _| map(vm, a, capitalized)),
    ("str.title", |vm, a, _| map(vm, a, titled)),
    ("str.swapcase", |vm, a, _| {
        map(vm, a, |t| {
            t.chars()
                .flat_map(|c| {
                    if c.is_uppercase() {
                        c.to_lowercase().collect::<Vec<_>>()
                    } else {
                        c.to_uppercase().collect()
                    }
                })
                .collect()
        })
    }),
    ("str.strip", |vm, a, _| strip(vm, a, true, true)),
    ("str.lstrip", |vm, a, _| strip(vm, a, true, false)),
    ("str.rstrip", |vm, a, _| strip(vm, a, false, true)),
    ("str.split", |vm, a, n| split(vm, a, n, false)),
    ("str.rsplit", |vm, a, n| split(vm, a, n, true)),
    ("str.splitlines", |vm, a, named| {
        let text = vm.need_text(a, 0, "splitlines")?;
        let keep = super::arg(a, named, 1, "keepends") == Some(Py::Bool(true));
        let lines: Vec<Py> = text
            .split_inclusive('\n')
            .map(|l| if keep { l } else { l.trim_end_matches('\n').trim_end_matches('\r') })
            .map(|l| vm.text(l))
            .collect();
        Ok(vm.list(lines))
    }),
    ("str.join", |vm, a, _| {
        let by = vm.need_text(a, 0, "join")?;
        let value = vm.need(a, 1, "join")?;
        if vm.needs_python(value) {
            let function = vm.builtin("_join");
            return Err(Stop::Tail(function, a.to_vec(), Vec::new()));
        }
        if !vm.is_iterable(value) {
            return vm.type_error("can only join an iterable");
        }
        let items = vm.gather(value)?;
        vm.fuel -= i64::try_from(items.len()).unwrap_or(0);
        let mut out = String::new();
        for (i, item) in items.into_iter().enumerate() {
            if i > 0 {
                out += &by;
            }
            match vm.text_of(item)? {
                Some(text) => {
                    vm.fits(out.len() + text.len())?;
                    out += &text;
                }
                None => {
                    let message =
                        format!("sequence item {i}: expected str instance, {} found", vm.type_name(item));
                    return vm.type_error(&message);
                }
            }
        }
        Ok(vm.text(out))
    }),
    ("str.replace", |vm, a, _| {
        let (text, from, to) =
            (vm.need_text(a, 0, "replace")?, vm.need_text(a, 1, "replace")?, vm.need_text(a, 2, "replace")?);
        // A negative number of replacements means all.
        let most = if a.len() > 3 { usize::try_from(vm.need_int(a, 3, "replace")?).ok() } else { None };
        let all = if from.is_empty() { text.chars().count() + 1 } else { text.matches(&*from).count() };
        let most = most.map_or(all, |n| n.min(all));
        vm.fits(text.len().saturating_add(to.len().saturating_mul(most)))?;
        Ok(vm.text(text.replacen(&*from, &to, most)))
    }),
    ("str.find", |vm, a, _| Ok(Py::Int(find(vm, a, false)?.unwrap_or(-1)))),
    ("str.rfind", |vm, a, _| Ok(Py::Int(find(vm, a, true)?.unwrap_or(-1)))),
    ("str.index", |vm, a, _| match find(vm, a, false)? {
        Some(n) => Ok(Py::Int(n)),
        None => vm.value_error("substring not found"),
    }),
    ("str.rindex", |vm, a, _| match find(vm, a, true)? {
        Some(n) => Ok(Py::Int(n)),
        None => vm.value_error("substring not found"),
    }),
    ("str.count", |vm, a, _| {
        let (text, part) = (vm.need_text(a, 0, "count")?, vm.need_text(a, 1, "count")?);
        let Some((_, text)) = between(vm, &text, a)? else { return Ok(Py::Int(0)) };
        let n = if part.is_empty() { text.chars().count() + 1 } else { text.matches(&*part).count() };
        Ok(Py::Int(i64::try_from(n).unwrap_or(0)))
    }),
    ("str.startswith", |vm, a, _| affix(vm, a, |t, p| t.starts_with(p), "startswith")),
    ("str.endswith", |vm, a, _| affix(vm, a, |t, p| t.ends_with(p), "endswith")),
    ("str.removeprefix", |vm, a, _| {
        let (text, part) = (vm.need_text(a, 0, "removeprefix")?, vm.need_text(a, 1, "removeprefix")?);
        Ok(vm.text(text.strip_prefix(&*part).unwrap_or(&text)))
    }),
    ("str.removesuffix", |vm, a, _| {
        let (text, part) = (vm.need_text(a, 0, "removesuffix")?, vm.need_text(a, 1, "removesuffix")?);
        Ok(vm.text(text.strip_suffix(&*part).unwrap_or(&text)))
    }),
    ("str.ljust", |vm, a, _| pad(vm, a, '<')),
    ("str.rjust", |vm, a, _| pad(vm, a, '>')),
    ("str.center", |vm, a, _| pad(vm, a, '^')),
    ("str.zfill", |vm, a, _| {
        let text = vm.need_text(a, 0, "zfill")?;
        let width = vm.need_length(a, 1, "zfill")?;
        let (sign, rest) = if text.starts_with(['-', '+']) { text.split_at(1) } else { ("", &*text) };
        let missing = width.saturating_sub(text.chars().count());
        Ok(vm.text(format!("{sign}{}{rest}", "0".repeat(missing))))
    }),
    ("str.partition", |vm, a, _| partition(vm, a, false)),
    ("str.rpartition", |vm, a, _| partition(vm, a, true)),
    ("str.isdigit", |vm, a, _| every(vm, a, |c| c.is_ascii_digit())),
    ("str.isdecimal", |vm, a, _| every(vm, a, |c| c.is_ascii_digit())),
    ("str.isnumeric", |vm, a, _| every(vm, a, char::is_numeric)),
    ("str.isalpha", |vm, a, _| every(vm, a, char::is_alphabetic)),
    ("str.isalnum", |vm, a, _| every(vm, a, char::is_alphanumeric)),
    ("str.isspace", |vm, a, _| every(vm, a, char::is_whitespace)),
    ("str.isupper", |vm, a, _| {
        let text = vm.need_text(a, 0, "isupper")?;
        Ok(Py::Bool(text.chars().any(char::is_uppercase) && !text.chars().any(char::is_lowercase)))
    }),
    ("str.islower", |vm, a, _| {
        let text = vm.need_text(a, 0, "islower")?;
        Ok(Py::Bool(text.chars().any(char::is_lowercase) && !text.chars().any(char::is_uppercase)))
    }),
    ("str.isidentifier", |vm, a, _| {
        let text = vm.need_text(a, 0, "isidentifier")?;
        Ok(Py::Bool(
            !text.is_empty()
                && !text.starts_with(|c: char| c.is_ascii_digit())
                && text.chars().all(|c| c.is_alphanumeric() || c == '_'),
        ))
    }),
    ("str.expandtabs", |vm, a, named| vm.tail("_expandtabs", a, named)),
    ("str.maketrans", |vm, a, named| vm.tail("_maketrans", a, named)),
    ("str.casefold", |vm, a, _| map(vm, a, str::to_lowercase)),
    ("str.format_map", |vm, a, named| vm.tail("_format_map", a, named)),
    ("str.isascii", |vm, a, _| {
        let text = vm.need_text(a, 0, "isascii")?;
        Ok(Py::Bool(text.is_ascii()))
    }),
    ("str.isprintable", |vm, a, _| {
        let text = vm.need_text(a, 0, "isprintable")?;
        Ok(Py::Bool(text.chars().all(|c| !c.is_control())))
    }),
    ("str.istitle", |vm, a, named| vm.tail("_istitle", a, named)),
    ("bytes.startswith", |vm, a, _| {
        let (own, part) = (bytes_of(vm, a[0]), bytes_of(vm, vm.payload(a[1])));
        Ok(Py::Bool(own.starts_with(&part)))
    }),
    ("bytes.endswith", |vm, a, _| {
        let (own, part) = (bytes_of(vm, a[0]), bytes_of(vm, vm.payload(a[1])));
        Ok(Py::Bool(own.ends_with(&part)))
    }),
    ("bytes.upper", |vm, a, _| {
        let own = bytes_of(vm, a[0]).to_ascii_uppercase();
        Ok(vm.add(PyObject::Bytes(own, false)))
    }),
    ("bytes.lower", |vm, a, _| {
        let own = bytes_of(vm, a[0]).to_ascii_lowercase();
        Ok(vm.add(PyObject::Bytes(own, false)))
    }),
    ("bytes.find", |vm, a, named| vm.tail("_bytes_find", a, named)),
    ("bytes.count", |vm, a, named| vm.tail("_bytes_count", a, named)),
    ("bytes.replace", |vm, a, named| vm.tail("_bytes_replace", a, named)),
    ("bytes.join", |vm, a, named| vm.tail("_bytes_join", a, named)),
    ("bytes.splitlines", |vm, a, named| vm.tail("_bytes_lines", a, named)),
    ("bytes.fromhex", |vm, a, named| vm.tail("_bytes_fromhex", &a[1..], named)),
    ("str.format", |vm, a, named| {
        let text = vm.need_text(a, 0, "format")?;
        let out = vm.format_method(&text, &a[1..], named)?;
        Ok(vm.text(out))
    }),
    ("str.encode", |vm, a, named| {
        let text = vm.need_text(a, 0, "encode")?;
        let codec =
            super::arg(a, named, 1, "encoding").and_then(|c| vm.str_ref(c)).unwrap_or("utf-8").to_lowercase();
        if codec != "utf-8" && codec != "utf8" {
            return vm.tail("_encode", a, named);
        }
        Ok(vm.add(PyObject::Bytes(text.as_bytes().to_vec(), false)))
    }),
    ("str.translate", |vm, a, _| {
        let text = vm.need_text(a, 0, "translate")?;
        let table = vm.need(a, 1, "translate")?;
        let mut out = String::new();
        for c in text.chars() {
            match vm.dict_get(table, Py::Int(i64::from(u32::from(c))))? {
                Some(Py::None) => {}
                Some(Py::Int(n)) => out.extend(u32::try_from(n).ok().and_then(char::from_u32)),
                Some(value) => out += vm.str_ref(value).unwrap_or(""),
                None => out.push(c),
            }
            vm.fits(out.len())?;
        }
        Ok(vm.text(out))
    }),
    ("bytes.decode", |vm, a, _| {
        let bytes = bytes_of(vm, a[0]);
        match String::from_utf8(bytes) {
            Ok(text) => Ok(vm.text(text)),
            Err(error) => {
                let at = error.utf8_error().valid_up_to();
                let byte = error.as_bytes().get(at).copied().unwrap_or(0);
                let message = format!(
                    "'utf-8' codec can't decode byte 0x{byte:02x} in position {at}: invalid start byte"
                );
                Err(vm.error("UnicodeDecodeError", &message))
            }
        }
    }),
    ("bytes.hex", |vm, a, _| {
        let bytes = bytes_of(vm, a[0]);
        Ok(vm.text(bytes.iter().map(|b| format!("{b:02x}")).collect::<String>()))
    }),
    ("bytes.strip", |vm, a, _| {
        let bytes = bytes_of(vm, a[0]);
        Ok(vm.add(PyObject::Bytes(bytes.trim_ascii().to_vec(), false)))
    }),
    ("bytes.split", |vm, a, named| {
        if a.len() > 1 {
            return vm.tail("_bytes_split", a, named);
        }
        let bytes = bytes_of(vm, a[0]);
        let parts: Vec<Py> = bytes
            .split(u8::is_ascii_whitespace)
            .filter(|p| !p.is_empty())
            .map(|p| vm.add(PyObject::Bytes(p.to_vec(), false)))
            .collect();
        Ok(vm.list(parts))
    }),
    ("bytearray.append", |vm, a, _| {
        let n = vm.need_int(a, 1, "append")?;
        if let Py::Obj(id) = a[0]
            && let PyObject::Bytes(b, _) = vm.obj_mut(id)
        {
            b.push(u8::try_from(n).unwrap_or(0));
        }
        Ok(Py::None)
    }),
    ("bytearray.extend", |vm, a, _| {
        let more = bytes_of(vm, vm.payload(a[1]));
        if let Py::Obj(id) = a[0]
            && let PyObject::Bytes(b, _) = vm.obj_mut(id)
        {
            b.extend(more);
        }
        Ok(Py::None)
    }),
    ("bytearray.decode", |vm, a, _| {
        let bytes = bytes_of(vm, a[0]);
        Ok(vm.text(String::from_utf8_lossy(&bytes).into_owned()))
    }),
];
