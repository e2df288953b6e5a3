//! `module` and `ml`, the shell functions of Lmod.
//!
//! On clusters a file of /etc/profile.d defines them in every shell. Here the first call does, so that a shell's start
//! costs nothing: from then on they are functions, and the program that they evaluate is a file like any other.

use super::Outcome;
use crate::base::ids::Uid;
use crate::shell::Cx;
use crate::shell::vm::stack::TextKind;
use crate::shell::vm::{Res, Vm};

const LMOD: &str = "/usr/share/lmod/lmod/libexec/lmod";
const FUNCTIONS: &str = r#"module() { eval "$(/usr/share/lmod/lmod/libexec/lmod bash "$@")"; }
ml() {
    case $1 in
        '') module list ;;
        -* | av | avail | display | keyword | list | load | purge | restore | save | show | spider | swap | unload | use)
            module "$@" ;;
        *) module load "$@" ;;
    esac
}
"#;

pub(super) fn modules(vm: &mut Vm, cx: &mut Cx, args: &[String]) -> Res<Outcome> {
    if cx.kernel.fs.stat(Uid(0), LMOD).is_err() {
        let name = args.first().cloned().unwrap_or_default();
        return vm.fault(&name, "command not found", 127);
    }
    let words: Vec<String> = args.iter().map(|w| format!("'{}'", w.replace('\'', "'\\''"))).collect();
    let line = vm.line;
    let [name, rest @ ..] = words.as_slice() else { return Ok(Outcome::Done(0)) };
    let name = name.trim_matches('\'');
    let text = format!("{FUNCTIONS}{name} {}", rest.join(" "));
    vm.push_text(&text, TextKind::Eval, line);
    Ok(Outcome::Entered)
}
