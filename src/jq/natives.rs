//! jq's functions that are not defined in jq itself, with jq's messages.

use crate::access::{fail, wrong, wrong_pair};
use crate::bound;
use crate::program::{Around, JqData};
use crate::sorting::{groups, least, pay_for_sort, sorted_by};
use crate::value::{Json, JsonFields, into_items, sorted_keys};
use crate::{dates, formats, read, regex, write};
use jaq_core::box_iter::box_once;
use jaq_core::native::{Fun, bome, run, unary, v};
use jaq_core::{Ctx, Cv, Error, Exn, Native, RunPtr, ValR, ValXs};
use std::cmp::Ordering;
use std::sync::Arc;

/// The name of the check at the start of recursive definitions.
pub const CHECK: &str = "_check";
/// The same for definitions that take filters.
pub const CHECK_PASSING: &str = "_check_passing";

type JqFunction = (&'static str, usize, RunPtr<JqData>);

/// All functions: jaq's own and these.
pub fn all() -> impl Iterator<Item = Fun<JqData>> {
    let check = Native::new(|cv: Cv<'_, JqData>| bome(bound::check(1).map(|()| cv.1)))
        .with_paths(|cv| box_once(bound::check(1).map(|()| cv.1).map_err(Exn::from)))
        .with_update(|cv, f| match bound::check(1) {
            Ok(()) => f(cv.1),
            Err(error) => box_once(Err(Exn::from(error))),
        });
    let passing = Native::new(|cv: Cv<'_, JqData>| bome(bound::check_passing().map(|()| cv.1)))
        .with_paths(|cv| box_once(bound::check_passing().map(|()| cv.1).map_err(Exn::from)))
        .with_update(|cv, f| match bound::check_passing() {
            Ok(()) => f(cv.1),
            Err(error) => box_once(Err(Exn::from(error))),
        });
    jaq_core::funs()
        .filter(|(name, arguments, _)| !is_ours(name, arguments.len()))
        .chain(ours().map(|(name, arity, f)| run::<JqData>((*name, v(*arity), *f))))
        .chain([(CHECK, v(0), check), (CHECK_PASSING, v(0), passing)])
}

fn ours() -> impl Iterator<Item = &'static JqFunction> {
    [VALUES, NUMBERS, OUTSIDE].into_iter().flatten()
}

/// Whether this function replaces jaq's.
pub fn is_ours(name: &str, arity: usize) -> bool {
    ours().any(|row| row.0 == name && row.1 == arity)
}

/// Takes the last argument of a native function that is not taken yet.
fn pop(ctx: &mut Ctx<'_, JqData>) -> Json {
    ctx.pop_var()
}

const VALUES: &[JqFunction] = &[
    ("null", 0, |_| bome(Ok(Json::Null))),
    ("type", 0, |cv| bome(Ok(Json::text(cv.1.kind())))),
    ("length", 0, |cv| bome(length(&cv.1))),
    ("utf8bytelength", 0, |cv| {
        bome(match &cv.1 {
            Json::Text(text) => Ok(Json::int(text.len())),
            other => wrong(other, "only strings have UTF-8 byte length"),
        })
    }),
    ("keys", 0, |cv| bome(keys(&cv.1, true))),
    ("keys_unsorted", 0, |cv| bome(keys(&cv.1, false))),
    ("has", 1, |cv| unary(cv, |value, key| has(&value, &key))),
    ("contains", 1, |cv| unary(cv, |a, b| contains_checked(&a, &b))),
    ("indices", 1, |cv| unary(cv, |value, part| value.indices(&part))),
    ("add", 0, |cv| bome(add(cv.1))),
    ("join", 1, |cv| unary(cv, |items, by| join(&items, &by))),
    ("_flatten", 1, |cv| unary(cv, |items, depth| flatten(&items, depth.number().unwrap_or(-1.0)))),
    ("reverse", 0, |cv| {
        bome(match cv.1 {
            Json::Null => Ok(Json::array(Vec::new())),
            Json::Text(text) => Ok(Json::text(text.chars().rev().collect::<String>())),
            Json::Array(items) => {
                let mut items = into_items(items);
                items.reverse();
                Ok(Json::array(items))
            }
            other => fail(format_args!("Cannot index {} with number", other.kind())),
        })
    }),
    ("_object", 0, |cv| {
        let pairs = cv.1.items().unwrap_or_default().iter().filter_map(|pair| match pair.items()? {
            [key, value] => Some((key.clone(), value.clone())),
            _ => None,
        });
        bome(jaq_core::ValT::from_map(pairs))
    }),
    ("sort", 0, |cv| {
        bome(match cv.1 {
            Json::Array(items) => {
                let mut items = into_items(items);
                pay_for_sort(&items).map(|()| {
                    items.sort();
                    Json::array(items)
                })
            }
            other => wrong(&other, "cannot be sorted, as it is not an array"),
        })
    }),
    ("_sort_by", 1, |cv| {
        unary(cv, |items, keys| {
            let sorted = sorted_by(&items, &keys, "cannot be sorted, as they are not both arrays")?;
            Ok(Json::array(sorted.into_iter().map(|(_, item)| item.clone()).collect()))
        })
    }),
    ("_group_by", 1, |cv| unary(cv, |items, keys| groups(&items, &keys))),
    ("_min_by", 1, |cv| unary(cv, |items, keys| least(&items, &keys, Ordering::is_lt))),
    ("_max_by", 1, |cv| unary(cv, |items, keys| least(&items, &keys, Ordering::is_ge))),
    ("bsearch", 1, |cv| {
        unary(cv, |items, item| match items.items() {
            Some(items) => Ok(match items.binary_search(&item) {
                Ok(at) => Json::int(at),
                Err(at) => Json::Number(-1.0 - at as f64),
            }),
            None => wrong(&items, "cannot be searched from"),
        })
    }),
    ("startswith", 1, |cv| {
        unary(cv, |text, part| match (text.str(), part.str()) {
            (Some(text), Some(part)) => Ok(Json::Bool(text.starts_with(part))),
            _ => fail("startswith() requires string inputs"),
        })
    }),
    ("endswith", 1, |cv| {
        unary(cv, |text, part| match (text.str(), part.str()) {
            (Some(text), Some(part)) => Ok(Json::Bool(text.ends_with(part))),
            _ => fail("endswith() requires string inputs"),
        })
    }),
    ("ltrimstr", 1, |cv| {
        unary(cv, |text, part| {
            let rest = text.str().zip(part.str()).and_then(|(text, part)| text.strip_prefix(part));
            Ok(rest.map(Json::text).unwrap_or(text))
        })
    }),
    ("rtrimstr", 1, |cv| {
        unary(cv, |text, part| {
            let rest = text.str().zip(part.str()).and_then(|(text, part)| text.strip_suffix(part));
            Ok(rest.map(Json::text).unwrap_or(text))
        })
    }),
    ("trim", 0, |cv| bome(trimmed(&cv.1, str::trim))),
    ("ltrim", 0, |cv| bome(trimmed(&cv.1, str::trim_start))),
    ("rtrim", 0, |cv| bome(trimmed(&cv.1, str::trim_end))),
    ("split", 1, |cv| {
        unary(cv, |text, by| match (&text, &by) {
            (Json::Text(_), Json::Text(_)) => text / by,
            _ => fail("split input and separator must be strings"),
        })
    }),
    ("ascii_downcase", 0, |cv| bome(case(&cv.1, str::to_ascii_lowercase))),
    ("ascii_upcase", 0, |cv| bome(case(&cv.1, str::to_ascii_uppercase))),
    ("explode", 0, |cv| {
        bome(match &cv.1 {
            Json::Text(text) => Ok(text.chars().map(|c| Json::Number(f64::from(u32::from(c)))).collect()),
            other => wrong(other, "cannot be exploded"),
        })
    }),
    ("implode", 0, |cv| bome(implode(&cv.1))),
    ("tojson", 0, |cv| bome(Ok(Json::text(write::compact(&cv.1))))),
    ("fromjson", 0, |cv| {
        let Some(text) = cv.1.str() else { return bome(wrong(&cv.1, "only strings can be parsed")) };
        bome(bound::check(text.len() / 4).and_then(|()| parsed(text)))
    }),
    ("tonumber", 0, |cv| {
        bome(match &cv.1 {
            Json::Text(text) => match parsed(text) {
                Ok(value) if value.number().is_none() => wrong(&cv.1, "cannot be parsed as a number"),
                other => other,
            },
            value if value.number().is_some() => Ok(cv.1),
            other => wrong(other, "cannot be parsed as a number"),
        })
    }),
    ("_format", 1, |cv| unary(cv, |value, name| formats::format(&value, name.str().unwrap_or_default()))),
    ("format", 1, |cv| unary(cv, |value, name| formats::format(&value, name.str().unwrap_or_default()))),
    ("_match", 3, |mut cv| {
        let (test, flags, pattern) = (pop(&mut cv.0), pop(&mut cv.0), pop(&mut cv.0));
        bome(regex::matches(&cv.1, &pattern, &flags, matches!(test, Json::Bool(true))))
    }),
];

const NUMBERS: &[JqFunction] = &[
    ("infinite", 0, |_| bome(Ok(Json::Number(f64::INFINITY)))),
    ("nan", 0, |_| bome(Ok(Json::Number(f64::NAN)))),
    ("isinfinite", 0, |cv| bome(of_number(&cv.1, |n| Json::Bool(n.is_infinite())))),
    ("isnan", 0, |cv| bome(of_number(&cv.1, |n| Json::Bool(n.is_nan())))),
    ("isnormal", 0, |cv| bome(of_number(&cv.1, |n| Json::Bool(n.is_normal())))),
    ("floor", 0, |cv| math(cv, f64::floor)),
    ("ceil", 0, |cv| math(cv, f64::ceil)),
    ("round", 0, |cv| math(cv, f64::round)),
    ("trunc", 0, |cv| math(cv, f64::trunc)),
    ("fabs", 0, |cv| math(cv, f64::abs)),
    ("rint", 0, |cv| math(cv, base::math::round_even)),
    ("nearbyint", 0, |cv| math(cv, base::math::round_even)),
    ("sqrt", 0, |cv| math(cv, base::math::sqrt)),
    ("cbrt", 0, |cv| math(cv, base::math::cbrt)),
    ("exp", 0, |cv| math(cv, base::math::exp)),
    ("exp2", 0, |cv| math(cv, base::math::exp2)),
    ("exp10", 0, |cv| math(cv, base::math::exp10)),
    ("log", 0, |cv| math(cv, base::math::ln)),
    ("log2", 0, |cv| math(cv, base::math::log2)),
    ("log10", 0, |cv| math(cv, base::math::log10)),
    ("sin", 0, |cv| math(cv, base::math::sin)),
    ("cos", 0, |cv| math(cv, base::math::cos)),
    ("tan", 0, |cv| math(cv, base::math::tan)),
    ("asin", 0, |cv| math(cv, base::math::asin)),
    ("acos", 0, |cv| math(cv, base::math::acos)),
    ("atan", 0, |cv| math(cv, base::math::atan)),
    ("sinh", 0, |cv| math(cv, base::math::sinh)),
    ("cosh", 0, |cv| math(cv, base::math::cosh)),
    ("tanh", 0, |cv| math(cv, base::math::tanh)),
    ("pow", 2, |cv| math_pair(cv, base::math::pow)),
    ("atan2", 2, |cv| math_pair(cv, base::math::atan2)),
    ("fmod", 2, |cv| math_pair(cv, base::math::fmod)),
    ("fmin", 2, |cv| math_pair(cv, f64::min)),
    ("fmax", 2, |cv| math_pair(cv, f64::max)),
];

const OUTSIDE: &[JqFunction] = &[
    ("now", 0, |cv| {
        let now = cv.0.data().around.now;
        bome(Ok(Json::Number(now.0 as f64 / 1e6)))
    }),
    ("input_filename", 0, |cv| bome(Ok(cv.0.data().around.file.as_deref().map_or(Json::Null, Json::text)))),
    ("input_line_number", 0, |cv| bome(Ok(Json::Number(cv.0.data().around.lines as f64)))),
    ("input", 0, |cv| bome(input(cv.0.data().around).unwrap_or_else(|| fail("break")))),
    ("inputs", 0, |cv| {
        let around = cv.0.data().around;
        Box::new(std::iter::from_fn(move || input(around)).map(|value| value.map_err(Exn::from)))
    }),
    ("debug", 0, |cv| {
        message(
            &cv.0,
            &format!("{}\n", write::compact(&Json::array(vec![Json::text("DEBUG:"), cv.1.clone()]))),
        );
        bome(Ok(cv.1))
    }),
    ("stderr", 0, |cv| {
        message(&cv.0, &cv.1.str().map_or_else(|| write::compact(&cv.1), str::to_owned));
        bome(Ok(cv.1))
    }),
    ("halt", 1, |mut cv| halt(&pop(&mut cv.0))),
    ("halt_error", 1, |mut cv| {
        let code = pop(&mut cv.0);
        if code.number().is_none() {
            return bome(fail("halt_error/1: number required"));
        }
        message(&cv.0, &cv.1.str().map_or_else(|| format!("{}\n", write::compact(&cv.1)), str::to_owned));
        halt(&code)
    }),
    ("gmtime", 0, |cv| bome(dates::broken_down(&cv.1, "gmtime"))),
    ("localtime", 0, |cv| bome(dates::broken_down(&cv.1, "localtime"))),
    ("mktime", 0, |cv| bome(dates::seconds(&cv.1))),
    ("strftime", 1, |cv| unary(cv, |time, format| dates::print(&time, &format, "strftime/1"))),
    ("strflocaltime", 1, |cv| unary(cv, |time, format| dates::print(&time, &format, "strflocaltime/1"))),
    ("strptime", 1, |cv| unary(cv, |text, format| dates::read(&text, &format))),
];

/// Takes the next input.
fn input(around: &Around) -> Option<ValR<Json>> {
    let mut waiting = around.inputs.take();
    let next = waiting.pop();
    around.inputs.set(waiting);
    next.map(|value| value.map_err(Error::str))
}

fn halt<'a>(code: &Json) -> ValXs<'a, Json> {
    match code.number() {
        Some(code) => box_once(Err(Exn::halt(code as i32))),
        None => bome(fail("halt/1: number required")),
    }
}

fn message(ctx: &Ctx<'_, JqData>, text: &str) {
    let messages = &ctx.data().around.messages;
    let mut all = messages.take();
    if bound::charge(text.len() / 16 + 1) {
        all.push_str(text);
    }
    messages.set(all);
}

fn parsed(text: &str) -> ValR<Json> {
    match read::only(text) {
        Ok(Some(value)) => Ok(value),
        Ok(None) => fail(format_args!("Expected JSON value (while parsing '{text}')")),
        Err(why) => fail(format_args!("{why} (while parsing '{text}')")),
    }
}

fn of_number(value: &Json, f: impl Fn(f64) -> Json) -> ValR<Json> {
    value.number().map_or_else(|| wrong(value, "number required"), |n| Ok(f(n)))
}

fn math<'a>(cv: Cv<'a, JqData>, f: fn(f64) -> f64) -> ValXs<'a, Json> {
    bome(of_number(&cv.1, |n| Json::Number(f(n))))
}

fn math_pair<'a>(mut cv: Cv<'a, JqData>, f: fn(f64, f64) -> f64) -> ValXs<'a, Json> {
    let (b, a) = (pop(&mut cv.0), pop(&mut cv.0));
    bome(match (a.number(), b.number()) {
        (Some(a), Some(b)) => Ok(Json::Number(f(a, b))),
        (None, _) => wrong(&a, "number required"),
        _ => wrong(&b, "number required"),
    })
}

fn length(value: &Json) -> ValR<Json> {
    match value {
        Json::Null => Ok(Json::int(0)),
        Json::Text(text) => bound::check(text.len() / 16).map(|()| Json::int(text.chars().count())),
        Json::Array(items) => Ok(Json::int(items.len())),
        Json::Object(fields) => Ok(Json::int(fields.len())),
        Json::Number(n) | Json::Literal(n, _) => Ok(Json::Number(n.abs())),
        Json::Bool(_) => wrong(value, "has no length"),
    }
}

fn keys(value: &Json, sorted: bool) -> ValR<Json> {
    match value {
        Json::Array(items) => Ok((0..items.len()).map(Json::int).collect()),
        Json::Object(fields) if sorted => {
            Ok(sorted_keys(fields).into_iter().cloned().map(Json::Text).collect())
        }
        Json::Object(fields) => Ok(fields.keys().cloned().map(Json::Text).collect()),
        other => wrong(other, "has no keys"),
    }
}

fn has(value: &Json, key: &Json) -> ValR<Json> {
    match (value, key) {
        (Json::Null, _) => Ok(Json::Bool(false)),
        (Json::Object(fields), Json::Text(key)) => Ok(Json::Bool(fields.contains_key(key))),
        (Json::Array(items), Json::Number(n) | Json::Literal(n, _)) => {
            Ok(Json::Bool(*n >= 0.0 && *n < items.len() as f64))
        }
        _ => fail(format_args!("Cannot check whether {} has a {} key", value.kind(), key.kind())),
    }
}

fn contains_checked(a: &Json, b: &Json) -> ValR<Json> {
    if a.kind() != b.kind() {
        return wrong_pair(a, b, "cannot have their containment checked");
    }
    contains(a, b).map(Json::Bool)
}

fn contains(a: &Json, b: &Json) -> Result<bool, Error<Json>> {
    bound::check(1)?;
    Ok(match (a, b) {
        (Json::Object(a), Json::Object(b)) => {
            for (key, part) in b.iter() {
                match a.get(key) {
                    Some(value) if contains(value, part)? => {}
                    _ => return Ok(false),
                }
            }
            true
        }
        (Json::Array(a), Json::Array(b)) => {
            for part in b.iter() {
                let mut found = false;
                for value in a.iter() {
                    found = found || contains(value, part)?;
                }
                if !found {
                    return Ok(false);
                }
            }
            true
        }
        (Json::Text(a), Json::Text(b)) => bound::check(a.len() / 16).map(|()| a.contains(&**b))?,
        _ => a == b,
    })
}

fn add(value: Json) -> ValR<Json> {
    let items = match value {
        Json::Array(items) => into_items(items),
        Json::Object(fields) => fields.values().cloned().collect(),
        other => {
            return fail(format_args!("Cannot iterate over {} ({})", other.kind(), write::brief(&other)));
        }
    };
    // Texts and arrays grow in place.
    if items.len() > 1 && items.iter().all(|item| item.str().is_some()) {
        return Ok(Json::text(items.iter().filter_map(Json::str).collect::<String>()));
    }
    items.into_iter().try_fold(Json::Null, |sum, item| sum + item)
}

fn join(items: &Json, by: &Json) -> ValR<Json> {
    let values = match items {
        Json::Array(items) => items.as_slice(),
        other => return fail(format_args!("Cannot iterate over {} ({})", other.kind(), write::brief(other))),
    };
    let mut out = String::new();
    for (at, item) in values.iter().enumerate() {
        if at > 0 {
            match by {
                Json::Text(by) => out.push_str(by),
                Json::Null => {}
                other => return wrong_pair(&Json::text(out), other, "cannot be added"),
            }
        }
        match item {
            Json::Null => {}
            Json::Text(text) => out.push_str(text),
            Json::Bool(_) | Json::Number(_) | Json::Literal(..) => out.push_str(&write::compact(item)),
            other => return wrong_pair(&Json::text(out), other, "cannot be added"),
        }
        bound::check(out.len() / (16 * values.len()) + 1)?;
    }
    Ok(Json::text(out))
}

fn flatten(value: &Json, depth: f64) -> ValR<Json> {
    fn into(out: &mut Vec<Json>, value: &Json, depth: f64) -> Result<(), Error<Json>> {
        let items: &mut dyn Iterator<Item = &Json> = match value {
            Json::Array(items) => &mut items.iter(),
            Json::Object(fields) => &mut fields.values(),
            other => {
                return fail(format_args!("Cannot iterate over {} ({})", other.kind(), write::brief(other)));
            }
        };
        for item in items {
            bound::check(1)?;
            if matches!(item, Json::Array(_)) && depth != 0.0 {
                into(out, item, depth - 1.0)?;
            } else {
                out.push(item.clone());
            }
        }
        Ok(())
    }
    let mut out = Vec::new();
    into(&mut out, value, depth)?;
    Ok(Json::array(out))
}

fn trimmed(value: &Json, f: fn(&str) -> &str) -> ValR<Json> {
    value.str().map_or_else(|| wrong(value, "cannot be trimmed"), |text| Ok(Json::text(f(text))))
}

fn case(value: &Json, f: fn(&str) -> String) -> ValR<Json> {
    match value.str() {
        Some(text) => Ok(Json::text(f(text))),
        None => fail("explode input must be a string"),
    }
}

fn implode(value: &Json) -> ValR<Json> {
    let Some(items) = value.items() else { return wrong(value, "cannot be imploded") };
    let mut out = String::new();
    for item in items {
        let Some(code) = item.number() else { return fail("Unicode codepoint must be numeric") };
        out.push(char::from_u32(code as u32).unwrap_or(char::REPLACEMENT_CHARACTER));
    }
    Ok(Json::text(out))
}

/// An object of texts, for the environment and arguments.
pub fn texts<'t>(entries: impl IntoIterator<Item = (&'t String, &'t String)>) -> Json {
    let entries =
        entries.into_iter().map(|(key, value)| (Arc::from(key.as_str()), Json::text(value.as_str())));
    Json::object(entries.collect::<JsonFields>())
}
