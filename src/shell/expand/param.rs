//! Parameter expansion: `$x`, `${x:-y}` and related forms.

use super::lookup::{ParamValue, ResolvedParameter};
use crate::ShellContext;
use crate::op::{Index, Mode, Param, ParameterTest};
use crate::vm::{Halt, Res, Vm};

impl Vm {
    pub(crate) fn expand_param(&mut self, cx: &mut ShellContext, param: &Param) -> Res<()> {
        let resolved = self.resolve_parameter(cx, param)?;
        let found = self.find(cx, &resolved)?;
        self.check_unbound(&found, &resolved)?;
        self.append_found(cx, found, resolved.index, param.quoted)
    }

    /// Appends a value according to its quoting and subscript.
    pub(crate) fn append_found(
        &mut self,
        cx: &mut ShellContext,
        found: ParamValue,
        index: Index,
        quoted: bool,
    ) -> Res<()> {
        let args = self.run.buffers.last().is_some_and(|b| b.mode == Mode::Args);
        match found {
            ParamValue::Unset => {
                if quoted {
                    self.append("", true)?;
                }
                Ok(())
            }
            // An empty `"$@"` expands to no argument.
            ParamValue::One(value) if quoted => self.append(&value, true),
            ParamValue::One(value) => self.append_split(cx, &value),
            ParamValue::Many(list) if args && !(quoted && index == Index::Star) => {
                cx.spend(list.len().saturating_mul(16));
                for (i, value) in list.iter().enumerate() {
                    match (i, quoted) {
                        (0, _) => {}
                        (_, true) => self.break_field(),
                        (_, false) => self.break_unquoted(),
                    }
                    if quoted { self.append(value, true)? } else { self.append_split(cx, value)? }
                }
                Ok(())
            }
            ParamValue::Many(list) => {
                let separator = if index == Index::Star {
                    self.ifs().chars().next().map(String::from).unwrap_or_default()
                } else {
                    " ".into()
                };
                self.append(&list.join(&separator), quoted)
            }
        }
    }

    /// `${x-word}`: appends the value if it applies; returns true to skip the word.
    pub(crate) fn test_param(
        &mut self,
        cx: &mut ShellContext,
        param: &Param,
        colon: bool,
        test: ParameterTest,
    ) -> Res<bool> {
        let resolved = self.resolve_parameter(cx, param)?;
        let found = self.find(cx, &resolved)?;
        let applies = match &found {
            ParamValue::Unset => false,
            ParamValue::One(value) => !colon || !value.is_empty(),
            ParamValue::Many(list) => match list.as_slice() {
                [] => false,
                [one] => !colon || !one.is_empty(),
                _ => true,
            },
        };
        if test == ParameterTest::Alternative {
            // `"${a[@]+x}"` of an empty list expands to no argument.
            let nothing = matches!(&found, ParamValue::Many(list) if list.is_empty());
            if !applies && param.quoted && !nothing {
                self.append("", true)?;
            }
            return Ok(!applies);
        }
        if applies {
            self.append_found(cx, found, resolved.index, param.quoted)?;
        }
        Ok(applies)
    }

    /// `${x=word}`, with the word on the stack.
    pub(crate) fn assign_default(&mut self, cx: &mut ShellContext, param: &Param) -> Res<()> {
        let value = self.pop_text();
        let ResolvedParameter { name, index, key } = self.resolve_parameter(cx, param)?;
        let assignable =
            index != Index::All && index != Index::Star && crate::lower::name_prefix(&name) == name;
        if !assignable || name.is_empty() {
            self.complain(&format!("${name}: cannot assign in this way"));
            return Err(Halt::Discard(1));
        }
        let key = match key {
            Some(key) => Some(self.element_key(cx, &name, &key).map_err(|m| self.discard_with(&m))?),
            None => None,
        };
        self.set_element(cx, &name, key.as_deref(), value.clone(), false)
            .map_err(|m| self.discard_with(&m))?;
        self.append_found(cx, ParamValue::One(value), index, param.quoted)
    }

    pub(crate) fn discard_with(&mut self, message: &str) -> Halt {
        self.complain(message);
        Halt::Discard(1)
    }

    /// `${x?word}`, with the word on the stack.
    pub(crate) fn unset_error(&mut self, param: &Param, colon: bool) -> Res<()> {
        let message = self.pop_text();
        let message = match (message.is_empty(), colon) {
            (false, _) => message,
            (true, true) => "parameter null or not set".into(),
            (true, false) => "parameter not set".into(),
        };
        let key = if param.index == Index::Key { format!("[{}]", self.pop_text()) } else { String::new() };
        self.complain(&format!("{}{key}: {message}", param.name));
        Err(self.fatal_expansion())
    }
}
