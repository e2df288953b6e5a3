//! `echo`

use super::Outcome;
use crate::shell::Cx;
use crate::shell::expand::escape::{Dialect, ansi};
use crate::shell::options::Shopt;
use crate::shell::vm::{Res, Vm};

pub(super) fn echo(vm: &mut Vm, _: &mut Cx, args: &[String]) -> Res<Outcome> {
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
    Ok(Outcome::Done(0))
}
