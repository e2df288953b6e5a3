//! `$x`, `${x:-y}` and their like.

use super::lookup::{Found, Place};
use crate::shell::Cx;
use crate::shell::op::{Index, Mode, Param, Test};
use crate::shell::vm::{Halt, Res, Vm};

impl Vm {
    pub(in crate::shell) fn expand_param(&mut self, cx: &mut Cx, param: &Param) -> Res<()> {
        let place = self.place(cx, param)?;
        let found = self.find(cx, &place)?;
        self.check_unbound(&found, &place)?;
        self.append_found(cx, found, place.index, param.quoted)
    }

    /// Appends a value as its quoting and its part demand.
    pub(in crate::shell) fn append_found(
        &mut self,
        cx: &mut Cx,
        found: Found,
        index: Index,
        quoted: bool,
    ) -> Res<()> {
        let args = self.run.buffers.last().is_some_and(|b| b.mode == Mode::Args);
        match found {
            Found::Unset => {
                if quoted {
                    self.append("", true)?;
                }
                Ok(())
            }
            // An empty `"$@"` is no argument, not an empty one.
            Found::One(value) if quoted => self.append(&value, true),
            Found::One(value) => self.append_split(cx, &value),
            Found::Many(list) if args && !(quoted && index == Index::Star) => {
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
            Found::Many(list) => {
                let separator = if index == Index::Star {
                    self.ifs().chars().next().map(String::from).unwrap_or_default()
                } else {
                    " ".into()
                };
                self.append(&list.join(&separator), quoted)
            }
        }
    }

    /// `${x-word}`: true to jump over the word. What is there is appended if it is wanted.
    pub(in crate::shell) fn test_param(
        &mut self,
        cx: &mut Cx,
        param: &Param,
        colon: bool,
        test: Test,
    ) -> Res<bool> {
        let place = self.place(cx, param)?;
        let found = self.find(cx, &place)?;
        let there = match &found {
            Found::Unset => false,
            Found::One(value) => !colon || !value.is_empty(),
            Found::Many(list) => match list.as_slice() {
                [] => false,
                [one] => !colon || !one.is_empty(),
                _ => true,
            },
        };
        if test == Test::Alternative {
            // `"${a[@]+x}"` of an empty list is no argument at all.
            let nothing = matches!(&found, Found::Many(list) if list.is_empty());
            if !there && param.quoted && !nothing {
                self.append("", true)?;
            }
            return Ok(!there);
        }
        if there {
            self.append_found(cx, found, place.index, param.quoted)?;
        }
        Ok(there)
    }

    /// `${x=word}`: the word is on the stack.
    pub(in crate::shell) fn assign_default(&mut self, cx: &mut Cx, param: &Param) -> Res<()> {
        let value = self.pop_text();
        let Place { name, index, key } = self.place(cx, param)?;
        let assignable =
            index != Index::All && index != Index::Star && crate::shell::lower::name_prefix(&name) == name;
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
        self.append_found(cx, Found::One(value), index, param.quoted)
    }

    pub(in crate::shell) fn discard_with(&mut self, message: &str) -> Halt {
        self.complain(message);
        Halt::Discard(1)
    }

    /// `${x?word}`: the word is on the stack.
    pub(in crate::shell) fn unset_error(&mut self, param: &Param, colon: bool) -> Res<()> {
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
