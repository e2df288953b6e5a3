//! `module` and `ml`, the shell functions of Lmod.
//!
//! On clusters, a file in /etc/profile.d defines them in every shell. Here the first call defines them, so
//! the start of a shell costs nothing. The program that they evaluate is an ordinary file.

use super::BuiltinResult;
use crate::ShellContext;
use crate::vm::stack::TextKind;
use crate::vm::{Res, Vm};
use base::ids::Uid;

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

pub(super) fn modules(vm: &mut Vm, cx: &mut ShellContext, args: &[String]) -> Res<BuiltinResult> {
    if cx.kernel.fs.stat(Uid(0), LMOD).is_err() {
        let name = args.first().cloned().unwrap_or_default();
        return vm.fault(&name, "command not found", 127);
    }
    let words: Vec<String> = args.iter().map(|w| format!("'{}'", w.replace('\'', "'\\''"))).collect();
    let line = vm.line;
    let [name, rest @ ..] = words.as_slice() else { return Ok(BuiltinResult::Done(0)) };
    let name = name.trim_matches('\'');
    let text = format!("{FUNCTIONS}{name} {}", rest.join(" "));
    vm.push_text(&text, TextKind::Eval, line);
    Ok(BuiltinResult::Entered)
}
