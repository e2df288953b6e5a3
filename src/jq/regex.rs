//! `match`, `test` and the functions based on them.
//!
//! Deliberate difference: patterns use `regex-lite`, which is linear in the text. jq's own library also has
//! look-around and back-references, which are errors here.

use crate::access::{fail, wrong};
use crate::bound;
use crate::value::Json;
use jaq_core::ValR;
use regex_lite::RegexBuilder;

/// Maximum size of a compiled pattern.
const MAX_PATTERN: usize = 1 << 18;

/// All matches of a pattern, or with `test` whether there is one.
pub fn matches(value: &Json, pattern: &Json, flags: &Json, test: bool) -> ValR<Json> {
    let Some(text) = value.str() else { return wrong(value, "cannot be matched, as it is not a string") };
    let Some(pattern_text) = pattern.str() else {
        return wrong(pattern, "cannot be matched, as it is not a string");
    };
    let flags = match flags {
        Json::Null => "",
        Json::Text(flags) => flags,
        other => return wrong(other, "is not a string"),
    };
    if flags.contains(|c| !"gimnpslx".contains(c)) {
        return fail(format_args!("{flags} is not a valid modifier string"));
    }
    let (global, not_empty) = (flags.contains('g'), flags.contains('n'));
    bound::check(100 + pattern_text.len() + text.len().saturating_mul(pattern_text.len()) / 8)?;
    let regex = RegexBuilder::new(pattern_text)
        .case_insensitive(flags.contains('i'))
        .ignore_whitespace(flags.contains('x'))
        .dot_matches_new_line(flags.contains(['m', 'p']))
        .size_limit(MAX_PATTERN)
        .build();
    let regex = match regex {
        Ok(regex) => regex,
        Err(why) => return fail(format_args!("{pattern_text} (at offset 0) is not a valid regex: {why}")),
    };
    let mut found = Vec::new();
    // Characters before a byte offset, counted from the previous offset.
    let (mut counted, mut characters) = (0, 0);
    let mut start = 0;
    while start <= text.len() {
        let Some(groups) = regex.captures_at(text, start) else { break };
        let Some(whole) = groups.get(0) else { break };
        if whole.is_empty() && not_empty {
            match text[whole.end()..].chars().next() {
                Some(c) => start = whole.end() + c.len_utf8(),
                None => break,
            }
            continue;
        }
        if test {
            return Ok(Json::Bool(true));
        }
        characters += text[counted..whole.start()].chars().count();
        counted = whole.start();
        bound::check(20 + (text.len() - whole.start()) / 64)?;
        let offset = |at: usize| {
            let (low, high) = (at.min(counted), at.max(counted));
            let between = text[low..high].chars().count();
            Json::int(if at < counted { characters - between } else { characters + between })
        };
        let names = regex.capture_names().map(|name| name.map_or(Json::Null, Json::text));
        let captures = names.enumerate().skip(1).map(|(number, name)| {
            let group = groups.get(number);
            if whole.is_empty() {
                return Json::fields([
                    ("offset", offset(whole.start())),
                    ("string", Json::text("")),
                    ("length", Json::int(0)),
                    ("name", name),
                ]);
            }
            match group {
                None => Json::fields([
                    ("offset", Json::Number(-1.0)),
                    ("string", Json::Null),
                    ("length", Json::int(0)),
                    ("name", name),
                ]),
                Some(group) if group.is_empty() => Json::fields([
                    ("offset", offset(group.start())),
                    ("string", Json::text("")),
                    ("length", Json::int(0)),
                    ("name", name),
                ]),
                Some(group) => Json::fields([
                    ("offset", offset(group.start())),
                    ("length", Json::int(group.as_str().chars().count())),
                    ("string", Json::text(group.as_str())),
                    ("name", name),
                ]),
            }
        });
        let captures: Json = captures.collect();
        found.push(Json::fields([
            ("offset", offset(whole.start())),
            ("length", Json::int(whole.as_str().chars().count())),
            ("string", Json::text(whole.as_str())),
            ("captures", captures),
        ]));
        if !global {
            break;
        }
        start = match (whole.is_empty(), text[whole.end()..].chars().next()) {
            (false, _) => whole.end(),
            (true, Some(c)) => whole.end() + c.len_utf8(),
            (true, None) => break,
        };
    }
    Ok(if test { Json::Bool(false) } else { Json::array(found) })
}
