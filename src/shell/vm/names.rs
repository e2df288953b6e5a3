//! The call stack of functions and sourced files, for messages, `FUNCNAME`, `BASH_SOURCE` and `caller`.

use super::Vm;
use crate::op::Bytecode;
use host::Env;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A defined function.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct ShellFunction {
    pub code: Arc<Bytecode>,
    /// The file that defined it; `environment` without a file.
    pub source: Arc<str>,
    /// `export -f`
    pub exported: bool,
}

/// A running function or sourced file.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Call {
    /// The function name; `source` for a file.
    pub name: Arc<str>,
    /// The file that contains its commands.
    pub source: Arc<str>,
    /// The line of the call.
    pub line: u32,
    pub function: bool,
    /// The `RETURN` trap has run for it.
    pub returned: bool,
}

impl Vm {
    /// The environment of programs: exported variables and functions.
    pub(crate) fn environment(&mut self) -> Arc<Env> {
        let functions = &self.functions;
        self.vars.shared_env(|env| {
            for (name, function) in functions.iter().filter(|(_, f)| f.exported) {
                env.insert(format!("BASH_FUNC_{name}%%"), format!("() {}", function.code.text));
            }
        })
    }

    /// Whether a function is running, so `local` is allowed.
    pub(crate) fn in_function(&self) -> bool {
        self.calls.iter().any(|call| call.function)
    }

    /// Whether the shell runs a script file, whose name is at the bottom of `BASH_SOURCE`.
    const fn has_file(&self) -> bool {
        !self.interactive && !self.command_text
    }

    /// The file that contains the current commands.
    pub(crate) fn source_name(&self) -> &str {
        match self.calls.last() {
            Some(call) => &call.source,
            None if self.has_file() => &self.name,
            None => "",
        }
    }

    /// The file recorded for a function that is defined now.
    pub(crate) fn defining_source(&self) -> Arc<str> {
        match self.source_name() {
            "" if self.interactive => "main".into(),
            "" => "environment".into(),
            name => name.into(),
        }
    }

    /// The name at the start of messages: the file's or the shell's.
    pub(crate) fn error_name(&self) -> &str {
        let name = if self.interactive { "" } else { self.source_name() };
        match (name.is_empty(), self.name.is_empty()) {
            (false, _) => name,
            (true, false) => &self.name,
            (true, true) => "bash",
        }
    }

    /// The arrays `FUNCNAME`, `BASH_SOURCE`, `BASH_LINENO`; `None` for other names.
    pub(crate) fn call_list(&self, name: &str) -> Option<Vec<String>> {
        let bottom = match name {
            "FUNCNAME" if !self.in_function() => return Some(Vec::new()),
            "FUNCNAME" => "main".to_owned(),
            "BASH_LINENO" => "0".to_owned(),
            "BASH_SOURCE" => self.name.clone(),
            _ => return None,
        };
        let part = |call: &Call| match name {
            "FUNCNAME" => call.name.to_string(),
            "BASH_LINENO" => call.line.to_string(),
            _ => call.source.to_string(),
        };
        let mut list: Vec<String> = self.calls.iter().rev().map(part).collect();
        list.extend(self.has_file().then_some(bottom));
        Some(list)
    }
}
