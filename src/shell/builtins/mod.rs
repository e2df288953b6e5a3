//! The builtins of bash(1), "SHELL BUILTIN COMMANDS", grouped by topic.

mod declare;
mod directories;
mod flow;
mod hash;
mod info;
mod jobs;
mod modules;
mod output;
mod printf;
mod read;
mod set;
mod test;
mod trap;
pub(super) mod wait;

pub(super) use declare::shown;
pub(super) use directories::stack as directory_stack;
pub(super) use flow::enter_source;
pub(super) use set::switch_named;

use super::ShellContext;
use super::vm::{Res, Vm};
use host::Env;

/// The result of a builtin.
pub(super) enum BuiltinResult {
    /// Finished with this exit status.
    Done(u8),
    /// It changed the control flow (`break`, `return`); there is nothing to restore.
    Jumped,
    /// It pushed a frame (`eval`); its redirections are undone at the end of the frame.
    Entered,
    /// It waits.
    Waits(wait::BuiltinWait),
    /// Finished; its redirections stay in effect (`exec > file`).
    Keep(u8),
    /// The shell executes this program under this name, with this environment if given.
    Exec { args: Vec<String>, name: String, env: Option<Env> },
    /// Run these words as a command, skipping functions (`command`).
    Program(Vec<String>),
}

/// A builtin.
pub(super) type Builtin = fn(&mut Vm, &mut ShellContext, &[String]) -> Res<BuiltinResult>;

/// All builtins, sorted, with a line of help.
pub(super) const TABLE: &[(&str, Builtin, &str)] = &[
    (".", flow::source, ". filename [arguments]"),
    (":", flow::colon, ": (does nothing)"),
    ("[", test::bracket, "[ arg... ]"),
    ("alias", info::alias, "alias [-p] [name[=value] ... ]"),
    ("bg", jobs::bg, "bg [job_spec ...]"),
    ("bind", info::accepted, "bind (not simulated: line editing belongs to the terminal)"),
    ("break", flow::break_, "break [n]"),
    ("builtin", flow::builtin, "builtin [shell-builtin [arg ...]]"),
    ("caller", info::caller, "caller [expr]"),
    ("cd", directories::cd, "cd [-L|[-P [-e]] [-@]] [dir]"),
    ("command", flow::command, "command [-pVv] command [arg ...]"),
    ("complete", info::accepted, "complete (not simulated: completion is built in)"),
    ("continue", flow::continue_, "continue [n]"),
    (
        "declare",
        declare::declare,
        "declare [-aAfFgiIlnrtux] [name[=value] ...] or declare -p [-aAfFilnrtux] [name ...]",
    ),
    ("dirs", directories::dirs, "dirs [-clpv] [+N] [-N]"),
    ("disown", jobs::disown, "disown [-h] [-ar] [jobspec ... | pid ...]"),
    ("echo", output::echo, "echo [-neE] [arg ...]"),
    ("enable", info::enable, "enable [-a] [-dnps] [-f filename] [name ...]"),
    ("eval", flow::eval, "eval [arg ...]"),
    ("exec", flow::exec, "exec [-cl] [-a name] [command [argument ...]] [redirection ...]"),
    ("exit", flow::exit, "exit [n]"),
    ("export", declare::export, "export [-fn] [name[=value] ...] or export -p"),
    ("false", flow::false_, "false"),
    ("fg", jobs::fg, "fg [job_spec]"),
    ("getopts", set::getopts, "getopts optstring name [arg ...]"),
    ("hash", hash::hash, "hash [-lr] [-p pathname] [-dt] [name ...]"),
    ("help", info::help, "help [-dms] [pattern ...]"),
    ("history", info::history, "history [-c] [n]"),
    ("jobs", jobs::jobs, "jobs [-lnprs] [jobspec ...]"),
    ("kill", jobs::kill, "kill [-s sigspec | -n signum | -sigspec] pid | jobspec ... or kill -l [sigspec]"),
    ("let", declare::let_, "let arg [arg ...]"),
    ("local", declare::local, "local [option] name[=value] ..."),
    ("logout", flow::exit, "logout [n]"),
    (
        "mapfile",
        read::mapfile,
        "mapfile [-d delim] [-n count] [-O origin] [-s count] [-t] [-u fd] [-C callback] [-c quantum] [array]",
    ),
    ("ml", modules::modules, "ml [options] [module ...]"),
    ("module", modules::modules, "module [options] sub-command [args ...]"),
    ("popd", directories::popd, "popd [-n] [+N | -N]"),
    ("printf", printf::printf, "printf [-v var] format [arguments]"),
    ("pushd", directories::pushd, "pushd [-n] [+N | -N | dir]"),
    ("pwd", directories::pwd, "pwd [-LP]"),
    (
        "read",
        read::read,
        "read [-ers] [-a array] [-d delim] [-i text] [-n nchars] [-N nchars] [-p prompt] [-t timeout] [-u fd] [name ...]",
    ),
    (
        "readarray",
        read::mapfile,
        "readarray [-d delim] [-n count] [-O origin] [-s count] [-t] [-u fd] [-C callback] [-c quantum] [array]",
    ),
    ("readonly", declare::readonly, "readonly [-aAf] [name[=value] ...] or readonly -p"),
    ("return", flow::return_, "return [n]"),
    ("set", set::set, "set [-abefhkmnptuvxBCEHPT] [-o option-name] [--] [-] [arg ...]"),
    ("shift", set::shift, "shift [n]"),
    ("shopt", set::shopt, "shopt [-pqsu] [-o] [optname ...]"),
    ("source", flow::source, "source filename [arguments]"),
    ("test", test::test, "test [expr]"),
    ("times", jobs::times, "times"),
    ("trap", trap::trap, "trap [-lp] [[arg] signal_spec ...]"),
    ("true", flow::colon, "true"),
    ("type", info::type_, "type [-afptP] name [name ...]"),
    ("typeset", declare::declare, "typeset [-aAfFgiIlnrtux] name[=value] ..."),
    ("ulimit", info::ulimit, "ulimit [-SHabcdefiklmnpqrstuvxPRT] [limit]"),
    ("umask", directories::umask, "umask [-p] [-S] [mode]"),
    ("unalias", info::unalias, "unalias [-a] name [name ...]"),
    ("unset", declare::unset, "unset [-f] [-v] [-n] [name ...]"),
    ("wait", wait::wait, "wait [-fn] [-p var] [id ...]"),
];

/// The builtin of this name.
pub(super) fn find(name: &str) -> Option<Builtin> {
    TABLE.binary_search_by(|(n, ..)| (*n).cmp(name)).ok().map(|i| TABLE[i].1)
}

impl Vm {
    /// The builtin of this name, unless `enable -n` switched it off.
    pub(super) fn builtin(&self, name: &str) -> Option<Builtin> {
        find(name).filter(|_| !self.disabled.iter().any(|n| n == name))
    }

    /// Prints a line to standard output.
    pub(super) fn say(&mut self, line: &str) {
        self.run.out.extend(line.as_bytes());
        self.run.out.push(b'\n');
    }

    /// Prints a builtin's error message; returns its status.
    pub(super) fn fault(&mut self, name: &str, message: &str, status: u8) -> Res<BuiltinResult> {
        self.complain(&format!("{name}: {message}"));
        Ok(BuiltinResult::Done(status))
    }

    /// Prints bash's two lines for an invalid option.
    pub(super) fn usage(&mut self, name: &str, option: &str) -> Res<BuiltinResult> {
        let what = if option.contains(':') { "" } else { ": invalid option" };
        self.complain(&format!("{name}: {option}{what}"));
        if let Some((.., usage)) = TABLE.iter().find(|(n, ..)| *n == name) {
            self.run.err.extend(format!("{name}: usage: {usage}\n").as_bytes());
        }
        Ok(BuiltinResult::Done(2))
    }
}

/// Options, operands and an invalid option: the result of splitting single-letter options from operands.
/// Letters in `with` take a value.
pub(super) type ParsedOptions<'a> = (Vec<(char, Option<String>)>, &'a [String], Option<String>);

pub(super) fn options<'a>(args: &'a [String], known: &str, with: &str) -> ParsedOptions<'a> {
    let mut found = Vec::new();
    let mut rest = args.get(1..).unwrap_or_default();
    while let [first, more @ ..] = rest {
        if first == "--" {
            rest = more;
            break;
        }
        let Some(letters) = first.strip_prefix('-').filter(|l| !l.is_empty()) else { break };
        rest = more;
        for (i, letter) in letters.char_indices() {
            if with.contains(letter) {
                let inline = &letters[i + letter.len_utf8()..];
                let value = if inline.is_empty() {
                    let Some((value, more)) = rest.split_first() else {
                        return (found, rest, Some(format!("-{letter}: option requires an argument")));
                    };
                    rest = more;
                    Some(value.clone())
                } else {
                    Some(inline.to_owned())
                };
                found.push((letter, value));
                break;
            }
            if !known.contains(letter) {
                return (found, rest, Some(format!("-{letter}")));
            }
            found.push((letter, None));
        }
    }
    (found, rest, None)
}
