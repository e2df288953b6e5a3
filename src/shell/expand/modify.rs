//! `${x%y}`, `${x/a/b}`, `${x:1:2}`, `${#x}`, `${x^^}`, `${x@Q}`.

use super::escape::{Dialect, ansi, double_quoted, quote, quote_if_needed};
use super::lookup::{ParamValue, ResolvedParameter as Where};
use crate::ShellContext;
use crate::builtins::shown;
use crate::op::{CaseChange, Index, Modify, Param, ReplaceScope};
use crate::options::Shopt;
use crate::pattern::Pattern;
use crate::vars::{ShellVar, VarRef, VarValue, map_keys};
use crate::vm::{Halt, MAX_WORD, Res, Vm};
use base::regex::{lower, upper};

/// Steps of matching in one expansion.
const MAX_WORK: u64 = 20_000_000;

impl Vm {
    pub(crate) fn expand_modified(
        &mut self,
        cx: &mut ShellContext,
        param: &Param,
        modify: Modify,
    ) -> Res<()> {
        match modify {
            Modify::Length => return self.expand_length(cx, param),
            Modify::Keys => {
                let keys = ParamValue::Many(self.keys(&param.name));
                return self.append_found(cx, keys, param.index, param.quoted);
            }
            Modify::Names => {
                let names =
                    self.vars.iter().map(|(n, _)| n.to_owned()).filter(|n| n.starts_with(&param.name));
                let names = ParamValue::Many(names.collect());
                return self.append_found(cx, names, param.index, param.quoted);
            }
            Modify::Slice { length } => return self.expand_slice(cx, param, length),
            Modify::Transform(kind) => return self.expand_transformed(cx, param, kind),
            Modify::Prefix { .. } | Modify::Suffix { .. } | Modify::Replace(_) | Modify::Case { .. } => {}
        }
        let with = if matches!(modify, Modify::Replace(_)) { self.pop_text() } else { String::new() };
        let pattern = self.pop_text();
        let resolved = self.resolve_parameter(cx, param)?;
        let found = self.find(cx, &resolved)?;
        self.check_unbound(&found, &resolved)?;
        let pattern = Pattern::new(
            &pattern,
            self.shopt(Shopt::Extglob),
            self.shopt(Shopt::Nocasematch) && matches!(modify, Modify::Replace(_)),
        );
        let ampersand = self.shopt(Shopt::PatsubReplacement);
        let mut work = MAX_WORK;
        let mut change = |value: &String| match modify {
            Modify::Prefix { longest } => strip_prefix(value, &pattern, longest, &mut work),
            Modify::Suffix { longest } => strip_suffix(value, &pattern, longest, &mut work),
            Modify::Replace(scope) => replace(value, &pattern, &with, scope, ampersand, &mut work),
            Modify::Case { to, all } => change_case(value, &pattern, to, all),
            Modify::Length | Modify::Slice { .. } | Modify::Transform(_) | Modify::Keys | Modify::Names => {
                value.clone()
            }
        };
        let (found, size) = match found {
            ParamValue::Unset => (ParamValue::Unset, 0),
            ParamValue::One(value) => (ParamValue::One(change(&value)), value.len()),
            ParamValue::Many(list) => {
                let size = list.iter().map(|value| value.len() + 16).sum();
                (ParamValue::Many(list.iter().map(change).collect()), size)
            }
        };
        if work == 0 {
            self.complain("a pattern took twenty million steps of matching, which is the limit in sandbatch");
            return Err(Halt::Discard(1));
        }
        cx.spend(size);
        cx.spend(usize::try_from(MAX_WORK - work).unwrap_or(usize::MAX));
        self.append_found(cx, found, resolved.index, param.quoted)
    }

    fn expand_length(&mut self, cx: &mut ShellContext, param: &Param) -> Res<()> {
        let resolved = self.resolve_parameter(cx, param)?;
        let found = self.find(cx, &resolved)?;
        self.check_unbound(&found, &resolved)?;
        let length = match found {
            ParamValue::Unset => 0,
            ParamValue::One(value) => value.chars().count(),
            ParamValue::Many(list) => list.len(),
        };
        self.append_found(cx, ParamValue::One(length.to_string()), Index::None, param.quoted)
    }

    fn expand_slice(&mut self, cx: &mut ShellContext, param: &Param, with_length: bool) -> Res<()> {
        let length = if with_length { Some(self.pop_text()) } else { None };
        let offset = self.pop_text();
        let resolved = self.resolve_parameter(cx, param)?;
        let found = self.find(cx, &resolved)?;
        self.check_unbound(&found, &resolved)?;
        let offset = self.slice_number(cx, &resolved.name, &offset)?;
        let length = match length {
            Some(text) => Some(self.slice_number(cx, &resolved.name, &text)?),
            None => None,
        };
        let scalar = self.vars.get(&resolved.name).and_then(VarRef::text).is_some();
        let found = match found {
            ParamValue::Many(list) if scalar => ParamValue::One(list.concat()),
            other => other,
        };
        let found = match found {
            ParamValue::Unset => ParamValue::Unset,
            ParamValue::One(value) => {
                let chars: Vec<char> = value.chars().collect();
                let part = self.bounds(chars.len(), offset, length)?;
                ParamValue::One(chars[part].iter().collect())
            }
            ParamValue::Many(list) => ParamValue::Many(self.slice_list(&resolved, list, offset, length)?),
        };
        self.append_found(cx, found, resolved.index, param.quoted)
    }

    /// Evaluates an offset or length; error messages name the variable.
    fn slice_number(&mut self, cx: &mut ShellContext, name: &str, text: &str) -> Res<i64> {
        self.arithmetic_value(cx, text).map_err(|message| {
            if message.ends_with("unbound variable") {
                self.complain(&message);
                return self.fatal_expansion();
            }
            self.complain(&format!("{name}: {message}"));
            Halt::Discard(1)
        })
    }

    fn slice_list(
        &mut self,
        resolved: &Where,
        mut list: Vec<String>,
        offset: i64,
        length: Option<i64>,
    ) -> Res<Vec<String>> {
        if matches!(resolved.name.as_str(), "@" | "*") {
            list.insert(0, self.name.clone());
            if length.is_none() && offset == 0 {
                return Ok(list);
            }
        } else {
            let keys: Vec<i64> = self.keys(&resolved.name).iter().filter_map(|k| k.parse().ok()).collect();
            let end = keys.last().map_or(0, |k| k + 1);
            let from = if offset < 0 { end + offset } else { offset };
            if keys.len() == list.len() && from >= 0 {
                let kept = keys.iter().zip(list).filter(|(k, _)| **k >= from).map(|(_, v)| v);
                return match length {
                    Some(n) if n < 0 => Err(self.bad_substring(n)),
                    Some(n) => Ok(kept.take(usize::try_from(n).unwrap_or(0)).collect()),
                    None => Ok(kept.collect()),
                };
            }
        }
        if let Some(n) = length.filter(|n| *n < 0) {
            return Err(self.bad_substring(n));
        }
        let part = self.bounds(list.len(), offset, length)?;
        Ok(list[part].to_vec())
    }

    fn bad_substring(&mut self, n: i64) -> Halt {
        self.complain(&format!("{n}: substring expression < 0"));
        Halt::Discard(1)
    }

    /// The range that an offset and a length select.
    fn bounds(&mut self, size: usize, offset: i64, length: Option<i64>) -> Res<std::ops::Range<usize>> {
        let total = i64::try_from(size).unwrap_or(i64::MAX);
        let start = if offset < 0 { total.saturating_add(offset) } else { offset };
        if start < 0 || start > total {
            return Ok(0..0);
        }
        let end = match length {
            None => total,
            Some(n) if n < 0 => {
                let end = total.saturating_add(n);
                if end < start {
                    return Err(self.bad_substring(n));
                }
                end
            }
            Some(n) => start.saturating_add(n).min(total),
        };
        Ok(usize::try_from(start).unwrap_or(0)..usize::try_from(end).unwrap_or(0))
    }

    fn expand_transformed(&mut self, cx: &mut ShellContext, param: &Param, kind: char) -> Res<()> {
        let resolved = self.resolve_parameter(cx, param)?;
        let found = self.find(cx, &resolved)?;
        if kind != 'a' && kind != 'A' {
            self.check_unbound(&found, &resolved)?;
        }
        let var = self.vars.get(&resolved.name).map(VarRef::to_var);
        let flags = var.as_ref().map(ShellVar::flags).unwrap_or_default();
        let name = resolved.name.clone();
        let all = matches!(resolved.index, Index::All | Index::Star);
        if let (true, 'A' | 'K' | 'k', Some(var)) = (all, kind, &var) {
            return self.expand_whole(cx, kind, &name, var, resolved.index, param.quoted);
        }
        let change = |value: &String| match kind {
            'Q' => quote(value),
            'E' => ansi(value, Dialect::Quote).0,
            'U' => value.chars().map(upper).collect(),
            'L' => value.chars().map(lower).collect(),
            'u' => change_case(value, &Pattern::new("", false, false), CaseChange::Upper, false),
            'a' => flags.clone(),
            'A' if flags.is_empty() => format!("{name}={}", quote(value)),
            'A' => format!("declare -{flags} {name}={}", quote(value)),
            'K' | 'k' => quote(value),
            _ => value.clone(),
        };
        let found = match found {
            ParamValue::Unset if kind == 'a' && !flags.is_empty() => ParamValue::One(flags.clone()),
            ParamValue::Unset if kind == 'A' && !flags.is_empty() => {
                ParamValue::One(format!("declare -{flags} {name}"))
            }
            ParamValue::Unset => ParamValue::Unset,
            ParamValue::One(value) if kind == 'P' => ParamValue::One(self.prompt_text(cx, &value)),
            ParamValue::One(value) => ParamValue::One(change(&value)),
            ParamValue::Many(list) if kind == 'A' => {
                let words: Vec<String> = list.iter().map(|w| quote(w)).collect();
                ParamValue::One(format!("set -- {}", words.join(" ")))
            }
            ParamValue::Many(list) => ParamValue::Many(list.iter().map(change).collect()),
        };
        self.append_found(cx, found, resolved.index, param.quoted)
    }

    /// Expands `${a[@]@A}`, the whole array as a `declare` command, and `@K` and `@k`, its keys and values.
    fn expand_whole(
        &mut self,
        cx: &mut ShellContext,
        kind: char,
        name: &str,
        var: &ShellVar,
        index: Index,
        quoted: bool,
    ) -> Res<()> {
        let pairs: Vec<(String, String)> = match &var.value {
            VarValue::List(list) => list.iter().map(|(k, v)| (k.to_string(), v.clone())).collect(),
            VarValue::Map(map) => map_keys(map).into_iter().map(|k| (k.clone(), map[k].clone())).collect(),
            VarValue::Text(text) => vec![("0".into(), text.clone())],
            VarValue::Unset => Vec::new(),
        };
        let found = match kind {
            'A' => ParamValue::One(shown(name, var)),
            'K' => {
                let end = if matches!(var.value, VarValue::Map(_)) { " " } else { "" };
                let words: Vec<String> = pairs
                    .iter()
                    .map(|(k, v)| format!("{} {}", quote_if_needed(k), double_quoted(v)))
                    .collect();
                ParamValue::One(words.join(" ") + end)
            }
            _ => ParamValue::Many(pairs.into_iter().flat_map(|(k, v)| [k, v]).collect()),
        };
        self.append_found(cx, found, index, quoted)
    }
}

fn strip_prefix(value: &str, pattern: &Pattern, longest: bool, work: &mut u64) -> String {
    let chars: Vec<char> = value.chars().collect();
    let ends = pattern.ends_within(&chars, work);
    let cut = if longest { ends.last() } else { ends.first() };
    cut.map_or_else(|| value.to_owned(), |cut| chars[*cut..].iter().collect())
}

fn strip_suffix(value: &str, pattern: &Pattern, longest: bool, work: &mut u64) -> String {
    let chars: Vec<char> = value.chars().collect();
    let starts = pattern.suffix_starts(&chars, work);
    let cut = if longest { starts.last() } else { starts.first() };
    cut.map_or_else(|| value.to_owned(), |cut| chars[..*cut].iter().collect())
}

/// The replacement of a match: an unquoted `&` inserts the match.
fn replacement(with: &str, matched: &[char], ampersand: bool) -> String {
    let mut out = String::new();
    let mut chars = with.chars();
    while let Some(c) = chars.next() {
        match c {
            crate::pattern::MARK => out.extend(chars.next()),
            '&' if ampersand => out.extend(matched),
            '\\' => match chars.next() {
                Some('&') if ampersand => out.push('&'),
                Some(other) => out.extend(['\\', other]),
                None => out.push('\\'),
            },
            c => out.push(c),
        }
    }
    out
}

fn replace(
    value: &str,
    pattern: &Pattern,
    with: &str,
    scope: ReplaceScope,
    ampersand: bool,
    work: &mut u64,
) -> String {
    let chars: Vec<char> = value.chars().collect();
    match scope {
        ReplaceScope::Start => match pattern.ends_within(&chars, work).last() {
            Some(end) => {
                replacement(with, &chars[..*end], ampersand) + &chars[*end..].iter().collect::<String>()
            }
            None => value.to_owned(),
        },
        ReplaceScope::End => match pattern.suffix_starts(&chars, work).last() {
            Some(start) => {
                chars[..*start].iter().collect::<String>() + &replacement(with, &chars[*start..], ampersand)
            }
            None => value.to_owned(),
        },
        ReplaceScope::First | ReplaceScope::Every => {
            let mut out = String::new();
            let mut at = 0;
            let mut done = false;
            while at < chars.len() {
                let ends = if done { Vec::new() } else { pattern.ends_within(&chars[at..], work) };
                match ends.last().copied().filter(|end| *end > 0) {
                    Some(end) if out.len() < MAX_WORD => {
                        out.push_str(&replacement(with, &chars[at..at + end], ampersand));
                        at += end;
                        done = scope == ReplaceScope::First;
                    }
                    Some(_) | None => {
                        out.push(chars[at]);
                        at += 1;
                    }
                }
            }
            out
        }
    }
}

fn change_case(value: &str, pattern: &Pattern, to: CaseChange, all: bool) -> String {
    let mut out = String::with_capacity(value.len());
    for (i, c) in value.chars().enumerate() {
        if !(all || i == 0) || !pattern.matches_char(c) {
            out.push(c);
            continue;
        }
        match to {
            CaseChange::Toggle if c.is_lowercase() => out.push(upper(c)),
            CaseChange::Upper => out.push(upper(c)),
            CaseChange::Toggle | CaseChange::Lower => out.push(lower(c)),
        }
    }
    out
}
