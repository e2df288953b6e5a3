//! Who is being run: functions and sourced files, for messages, `FUNCNAME`, `BASH_SOURCE` and `caller`.

use super::Vm;
use crate::host::Env;
use crate::shell::op::Code;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A function that was defined.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(in crate::shell) struct Function {
    pub code: Arc<Code>,
    /// The file that defined it; `environment` where there was none.
    pub source: Arc<str>,
    /// `export -f`
    pub exported: bool,
}

/// A function or a sourced file that is being run.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(in crate::shell) struct Call {
    /// The function; `source` for a file.
    pub name: Arc<str>,
    /// The file that its commands are in.
    pub source: Arc<str>,
    /// The line of the call.
    pub line: u32,
    pub function: bool,
    /// The trap on `RETURN` has run for it.
    pub returned: bool,
}

impl Vm {
    /// What a program inherits: exported variables and functions.
    pub(in crate::shell) fn environment(&mut self) -> Arc<Env> {
        let functions = &self.functions;
        self.vars.shared_env(|env| {
            for (name, function) in functions.iter().filter(|(_, f)| f.exported) {
                env.insert(format!("BASH_FUNC_{name}%%"), format!("() {}", function.code.text));
            }
        })
    }

    /// Whether a function is being run, so that there can be local variables.
    pub(in crate::shell) fn in_function(&self) -> bool {
        self.calls.iter().any(|call| call.function)
    }

    /// The shell runs a script file, whose name is at the bottom of `BASH_SOURCE`.
    const fn has_file(&self) -> bool {
        !self.interactive && !self.command_text
    }

    /// The file that the current commands are in.
    pub(in crate::shell) fn source_name(&self) -> &str {
        match self.calls.last() {
            Some(call) => &call.source,
            None if self.has_file() => &self.name,
            None => "",
        }
    }

    /// What a function that is defined now remembers as its file.
    pub(in crate::shell) fn defining_source(&self) -> Arc<str> {
        match self.source_name() {
            "" if self.interactive => "main".into(),
            "" => "environment".into(),
            name => name.into(),
        }
    }

    /// How messages begin: the file's name, or the shell's.
    pub(in crate::shell) fn error_name(&self) -> &str {
        let name = if self.interactive { "" } else { self.source_name() };
        match (name.is_empty(), self.name.is_empty()) {
            (false, _) => name,
            (true, false) => &self.name,
            (true, true) => "bash",
        }
    }

    /// `FUNCNAME`, `BASH_SOURCE`, `BASH_LINENO`; none: no such array.
    pub(in crate::shell) fn call_list(&self, name: &str) -> Option<Vec<String>> {
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
