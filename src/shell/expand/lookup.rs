//! Resolves a [`Param`] to its value or values.

use super::element;
use crate::ShellContext;
use crate::lower::name_prefix;
use crate::op::{Index, Param};
use crate::options::Flag;
use crate::vars::{VarRef, map_keys};
use crate::vm::{Halt, Res, Vm};

/// A resolved parameter: its name and subscript.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ResolvedParameter {
    pub name: String,
    pub index: Index,
    pub key: Option<String>,
}

/// The value of a parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ParamValue {
    Unset,
    One(String),
    /// `$@`, `${a[*]}`
    Many(Vec<String>),
}

impl Vm {
    /// Resolves a parameter; pops its subscript from the text stack.
    pub(crate) fn resolve_parameter(
        &mut self,
        cx: &mut ShellContext,
        param: &Param,
    ) -> Res<ResolvedParameter> {
        let key = (param.index == Index::Key).then(|| self.pop_text());
        let resolved = ResolvedParameter { name: param.name.clone(), index: param.index, key };
        if !param.indirect {
            return Ok(resolved);
        }
        if let Some(var) = self.vars.raw(&resolved.name).and_then(VarRef::own).filter(|v| v.reference) {
            // `${!ref}` of a `declare -n` variable is the name itself.
            let name = var.scalar().unwrap_or_default().to_owned();
            return Ok(ResolvedParameter { name: format!("!{name}"), index: Index::None, key: None });
        }
        let target = match self.find(cx, &resolved)? {
            ParamValue::One(target) => target,
            ParamValue::Many(list) => list.join(" "),
            ParamValue::Unset => String::new(),
        };
        if target.is_empty() {
            self.complain(&format!("{}: invalid indirect expansion", resolved.name));
            return Err(Halt::Discard(1));
        }
        let meant = parse_parameter(&target);
        if !is_parameter(&meant.name) {
            self.complain(&format!("{target}: invalid variable name"));
            return Err(Halt::Discard(1));
        }
        Ok(meant)
    }

    /// The value or values of a resolved parameter.
    pub(crate) fn find(&mut self, cx: &mut ShellContext, resolved: &ResolvedParameter) -> Res<ParamValue> {
        if let Some(name) = resolved.name.strip_prefix('!').filter(|n| !n.is_empty()) {
            return Ok(ParamValue::One(name.to_owned()));
        }
        if matches!(resolved.name.as_str(), "@" | "*") {
            return Ok(ParamValue::Many(self.args.clone()));
        }
        let one = |value: Option<String>| value.map_or(ParamValue::Unset, ParamValue::One);
        if let Some((array, key)) =
            self.vars.resolve_element(&resolved.name).filter(|_| resolved.index == Index::None)
        {
            return self.find(cx, &parse_parameter(&format!("{array}[{key}]")));
        }
        match resolved.index {
            Index::None => Ok(one(self.scalar(cx, &resolved.name))),
            Index::All | Index::Star => Ok(self.all_values(cx, &resolved.name)),
            Index::Key => {
                let key = resolved.key.clone().unwrap_or_default();
                if let Some(map) = self.vars.get(&resolved.name).and_then(VarRef::map) {
                    return Ok(one(map.get(&key).cloned()));
                }
                let index = self.arithmetic_value(cx, &key).map_err(|message| {
                    self.complain(&message);
                    self.give_up()
                })?;
                // An index that counts from the end must be within the array; a scalar or nothing has no end.
                let last = match self.vars.get(&resolved.name) {
                    Some(seen) => seen.list().and_then(|list| list.keys().next_back().copied()),
                    None => self
                        .dynamic_list(cx, &resolved.name)
                        .and_then(|list| i64::try_from(list.len()).ok()?.checked_sub(1)),
                };
                let before =
                    index < 0 && last.is_none_or(|last| last.saturating_add(1) < index.saturating_neg());
                if before {
                    self.complain(&format!("{}: bad array subscript", resolved.name));
                    return Ok(ParamValue::Unset);
                }
                Ok(one(match self.vars.get(&resolved.name) {
                    None => self.dynamic_element(cx, &resolved.name, index),
                    Some(seen) => match (seen.list(), seen.text()) {
                        (Some(list), _) => element(list, index).cloned(),
                        (None, Some(text)) => (index == 0).then(|| text.to_owned()),
                        (None, None) => None,
                    },
                }))
            }
        }
    }

    fn dynamic_element(&mut self, cx: &ShellContext, name: &str, index: i64) -> Option<String> {
        match self.dynamic_list(cx, name) {
            Some(list) => {
                let count = i64::try_from(list.len()).unwrap_or(i64::MAX);
                let index = if index < 0 { count.checked_add(index)? } else { index };
                usize::try_from(index).ok().and_then(|i| list.get(i).cloned())
            }
            None => self.scalar(cx, name).filter(|_| index == 0),
        }
    }

    /// Arrays that the shell computes.
    fn dynamic_list(&self, cx: &ShellContext, name: &str) -> Option<Vec<String>> {
        let process = cx.kernel.process(cx.pid);
        match name {
            "FUNCNAME" | "BASH_SOURCE" | "BASH_LINENO" => self.call_list(name),
            "PIPESTATUS" => Some(self.pipe.iter().map(ToString::to_string).collect()),
            "BASH_VERSINFO" => {
                Some(["5", "2", "15", "1", "release", "x86_64-pc-linux-gnu"].map(str::to_owned).into())
            }
            "DIRSTACK" => Some(crate::builtins::directory_stack(self, cx)),
            "GROUPS" => process.map(|p| vec![p.origin.uid.to_string()]),
            _ => None,
        }
    }

    fn all_values(&mut self, cx: &ShellContext, name: &str) -> ParamValue {
        let Some(seen) = self.vars.get(name) else {
            return ParamValue::Many(match self.dynamic_list(cx, name) {
                Some(list) => list,
                None => self.scalar(cx, name).into_iter().collect(),
            });
        };
        ParamValue::Many(match (seen.list(), seen.map()) {
            (Some(list), _) => list.values().cloned().collect(),
            (None, Some(map)) => map_keys(map).into_iter().filter_map(|k| map.get(k).cloned()).collect(),
            (None, None) => seen.text().map(str::to_owned).into_iter().collect(),
        })
    }

    /// The keys of an array: `${!a[@]}`.
    pub(crate) fn keys(&self, name: &str) -> Vec<String> {
        let Some(seen) = self.vars.get(name) else { return Vec::new() };
        match (seen.list(), seen.map()) {
            (Some(list), _) => list.keys().map(ToString::to_string).collect(),
            (None, Some(map)) => map_keys(map).into_iter().cloned().collect(),
            (None, None) => seen.text().map(|_| "0".into()).into_iter().collect(),
        }
    }

    /// `set -u`: an unset parameter ends the shell.
    pub(crate) fn check_unbound(&mut self, found: &ParamValue, resolved: &ResolvedParameter) -> Res<()> {
        if *found != ParamValue::Unset || !self.flag(Flag::Nounset) {
            return Ok(());
        }
        let shown = match (&resolved.key, resolved.index) {
            (Some(key), _) => format!("{}[{key}]", resolved.name),
            (None, Index::All | Index::Star) if !matches!(resolved.name.as_str(), "@" | "*") => {
                format!("{}[@]", resolved.name)
            }
            (None, _) if resolved.name.starts_with(|c: char| c.is_ascii_digit() || c == '!') => {
                format!("${}", resolved.name)
            }
            (None, _) => resolved.name.clone(),
        };
        self.complain(&format!("{shown}: unbound variable"));
        Err(self.fatal_expansion())
    }

    /// The effect of `${x?}`, or of an unset parameter under `set -u`.
    pub(crate) fn fatal_expansion(&self) -> Halt {
        if self.interactive {
            return Halt::Discard(1);
        }
        let own_text = self.command_text && self.subshell == 0 && !self.flag(Flag::Errexit);
        Halt::Exit(if own_text { 127 } else { 1 })
    }
}

/// Whether a text is a valid parameter name.
fn is_parameter(name: &str) -> bool {
    name_prefix(name) == name
        || name.bytes().all(|b| b.is_ascii_digit())
        || name.len() == 1 && name.starts_with(['@', '*', '#', '?', '-', '$', '!'])
}

/// Parses `name`, `name[key]`, `name[@]`.
pub(crate) fn parse_parameter(text: &str) -> ResolvedParameter {
    let name = name_prefix(text);
    if let Some(key) = text[name.len()..].strip_prefix('[').and_then(|r| r.strip_suffix(']'))
        && !name.is_empty()
    {
        let (index, key) = match key {
            "@" => (Index::All, None),
            "*" => (Index::Star, None),
            key => (Index::Key, Some(key.to_owned())),
        };
        return ResolvedParameter { name: name.to_owned(), index, key };
    }
    let index = match text {
        "@" => Index::All,
        "*" => Index::Star,
        _ => Index::None,
    };
    ResolvedParameter { name: text.to_owned(), index, key: None }
}
