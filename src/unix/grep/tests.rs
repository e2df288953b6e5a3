//! Compares grep(1) with the machine's own.

use crate::testing::{Host, real};

const FILE: &str =
    "JobId=12 JobName=wrap\n   JobState=RUNNING Reason=None\nalpha beta\nAlpha.beta\n\nfoo_bar foo\n12 345\n";

#[test]
fn same_as_the_real_program() {
    let mut host = Host::with(&[("f", FILE), ("g", "alpha\nbeta\ngamma\n")]);
    for args in [
        &["alpha", "f"][..],
        &["-i", "alpha", "f", "g"],
        &["-c", "a", "f", "g"],
        &["-v", "a", "f"],
        &["-n", "beta", "f"],
        &["-l", "gamma", "f", "g"],
        &["-L", "gamma", "f", "g"],
        &["-o", "[0-9]*", "f"],
        &["-oE", "Job[A-Z][a-z]+=[^ ]*", "f"],
        &["-E", "^(Job|foo)", "f"],
        &["-w", "foo", "f"],
        &["-x", "alpha", "f", "g"],
        &["-F", "a.b", "f"],
        &["a.b", "f"],
        &["-A1", "JobId", "f"],
        &["-n", "-B1", "Alpha", "f"],
        &["-C", "1", "foo", "f"],
        &["-A0", "-e", "alpha", "-e", "12", "f"],
        &["-1", "beta", "f"],
        &["-q", "alpha", "f"],
        &["nothing", "f"],
        &["-h", "beta", "f", "g"],
        &["-H", "beta", "g"],
        &["-m1", "a", "f", "g"],
        &["-c", "^$", "f"],
        &["\\(al\\|ga\\)", "g"],
        &["-E", "a{2}|m{2}", "g"],
        &["-nb", "beta", "f"],
        &["-s", "x", "nope"],
        &["-r", "gamma", "."],
        &["-F", "-E", "a", "g"],
        &["-E", "-E", "a", "g"],
        &["-C1", "-o", "gamma\\|^$", "f", "g"],
        &["-A1", "-on", "o", "f"],
        &["-vn", "-C1", "-o", "a", "f", "g"],
        &["-b", "-C1", "beta", "f"],
        &["-n", "-m1", "-A3", "a", "f", "g"],
        &["-m0", "-c", "a", "f"],
        &["-m0", "-L", "a", "f"],
        &["-A1", "-C3", "beta", "f"],
    ] {
        host.same(&[&["grep"], args].concat(), "", &[("f", FILE), ("g", "alpha\nbeta\ngamma\n")]);
    }
    assert_eq!(real(&["grep", "b"], "abc\nx\n", &[]).out, host.run_in(&["grep", "b"], "abc\nx\n").out);
    assert_eq!(host.run(&["grep", "x", "nope"]).err, "grep: nope: No such file or directory\n");
    assert_eq!(host.run(&["grep", "-E", "(", "f"]).err, "grep: Unmatched ( or \\(\n");
    let ran = host.run(&["grep"]);
    assert_eq!(
        (ran.code, ran.err.as_str()),
        (2, "Usage: grep [OPTION]... PATTERNS [FILE]...\nTry 'grep --help' for more information.\n")
    );
}
