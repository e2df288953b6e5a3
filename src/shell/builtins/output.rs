//! `echo`

use super::BuiltinResult;
use crate::ShellContext;
use crate::expand::escape::{Dialect, ansi};
use crate::options::Shopt;
use crate::vm::{Res, Vm};

pub(super) fn echo(vm: &mut Vm, _: &mut ShellContext, args: &[String]) -> Res<BuiltinResult> {
    let (mut newline, mut escapes) = (true, vm.shopt(Shopt::XpgEcho));
    let mut rest = &args[1..];
    while let [first, more @ ..] = rest {
        let letters = first.strip_prefix('-').unwrap_or("");
        if letters.is_empty() || !letters.chars().all(|c| "neE".contains(c)) {
            break;
        }
        for letter in letters.chars() {
            match letter {
                'n' => newline = false,
                'e' => escapes = true,
                _ => escapes = false,
            }
        }
        rest = more;
    }
    vm.last_builtin = "echo".into();
    let mut text = rest.join(" ");
    if escapes {
        let (changed, stop) = ansi(&text, Dialect::Echo);
        text = changed;
        newline &= !stop;
    }
    vm.run.out.extend(text.as_bytes());
    if newline {
        vm.run.out.push(b'\n');
    }
    Ok(BuiltinResult::Done(0))
}
