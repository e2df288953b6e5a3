//! Tests: the scripts of `cases.sh` run in this shell and in the machine's bash; output and exit status must
//! be equal. Every shell is serialised and deserialised between two slices, as in a saved session.

mod limits;
mod machine;
mod terminal;

use machine::{ScriptResult, TestMachine};
use testing::{BashResult, bash};

const CASES: &str = include_str!("cases.sh");

/// The cases: name and script.
fn cases() -> Vec<(&'static str, &'static str)> {
    CASES.split("#--- ").skip(1).filter_map(|case| case.split_once('\n')).collect()
}

#[test]
fn as_bash() {
    let (mut wrong, mut count) = (Vec::new(), 0);
    let only = std::env::var("SHELL_CASE").unwrap_or_default();
    for (name, script) in cases() {
        if !name.contains(&only) {
            continue;
        }
        count += 1;
        let BashResult { out, err, code } = bash(script, &[]);
        let theirs = ScriptResult { out, err, code };
        let mut ours = TestMachine::new().run(script);
        // Compare messages only if the case requests it.
        if !name.ends_with("+err") {
            ours.err.clone_from(&theirs.err);
        }
        if ours != theirs {
            wrong.push(format!("--- {name}\n{script}\nbash:  {theirs:?}\nours:  {ours:?}\n"));
        }
    }
    assert!(wrong.is_empty(), "{} of {count} differ\n{}", wrong.len(), wrong.join("\n"));
}
