//! Compares sed(1) with the machine's own.

use crate::testing::Host;

const INPUT: &str = "one two\nthree\nfoo=bar baz\n#SBATCH --time=10\n\nlast one";

#[test]
fn same_as_the_real_program() {
    let mut host = Host::default();
    for args in [
        &["s/o/0/"][..],
        &["s/o/0/g"],
        &["s/o/0/2"],
        &["-n", "s/one/ONE/p"],
        &["s/\\(.*\\)=\\(.*\\)/\\2=\\1/"],
        &["-E", "s/([a-z]+) ([a-z]+)/\\2 \\1/"],
        &["s|one|a/b|;s/#.*//"],
        &["s/[aeiou]/<&>/g"],
        &["s/x*/-/g"],
        &["s/ONE/x/I"],
        &["-n", "2p"],
        &["-n", "$p"],
        &["-n", "3,5p"],
        &["2,4d"],
        &["/foo/d"],
        &["/^$/d"],
        &["/three/,/^#/d"],
        &["/three/,+1d"],
        &["1~2d"],
        &["0~2d"],
        &["2q"],
        &["3Q"],
        &["2q5"],
        &["-n", "$="],
        &["="],
        &["/one/a added"],
        &["/one/i\\\nbefore\\\nthis"],
        &["2c changed"],
        &["2,3c changed"],
        &["y/abc/xyz/"],
        &["-n", "l"],
        &["F"],
        &["s/\\([a-z]\\)\\1/<\\1\\1>/g"],
        &["-E", "s/e|ee|three/[&]/"],
        &["v;s/o/0/"],
        &["N;s/\\n/+/"],
        &["$!N;s/\\n/+/"],
        &[":a;N;$!ba;s/\\n/,/g"],
        &["G"],
        &["-n", "1!G;h;$p"],
        &["-n", "H;${x;s/\\n/,/g;p}"],
        &["/one/{s/o/O/;p;d}"],
        &["-e", "s/a/b/", "-e", "s/b/c/g"],
        &["s/\\bone\\b/[&]/"],
        &["n;d"],
        &["$!{h;d};x;G"],
        &["P;D"],
        &["-n", "/foo/!p"],
        &["s/t\\(wo\\)\\?/T/g"],
        &["s/.*/\\U&/;s/O/\\l&/"],
        &["s/\\w\\+/\\u&/g"],
        &["-n", "/^#SBATCH/s/^#SBATCH *//p"],
        &["s/a\\|e/_/g"],
        &["-s", "1d"],
        &["0,/one/d"],
        &["2,1p"],
        &["s,/,x,g"],
        &["s/\\t/ /;s/$/!/"],
        &["-E", "s/^(.)(.*)$/\\2\\1/"],
        &["t;s/o/0/;ta;s/$/ no/;:a"],
        &["k"],
        &["s/a/b"],
        &["s/a/b/k"],
        &["{p"],
        &["p}"],
        &["b nowhere"],
        &["s/a/\\1/"],
        &["3,"],
        &["p x"],
    ] {
        host.same(&[&["sed"], args].concat(), INPUT, &[]);
    }
    // A last line without a line break gets one from `q` only.
    for script in ["q", "p", "n", "N", "$q", "p;q", "$!N;q", "Q", "i x"] {
        host.same(&["sed", script], "one", &[]);
        host.same(&["sed", "-n", &format!("p;{script}")], "one\ntwo", &[]);
    }
}

#[test]
fn files_and_messages() {
    let mut host = Host::with(&[("a", "x\ny\n"), ("b", "x\nz")]);
    assert_eq!(host.out(&["sed", "-i.bak", "s/x/X/;$s/$/!/", "a", "b"]), "");
    assert_eq!(
        (host.cat("a"), host.cat("b"), host.cat("a.bak")),
        ("X\ny!\n".into(), "X\nz!".into(), "x\ny\n".into())
    );
    assert_eq!(host.out(&["sed", "-i", "1q", "a"]), "");
    assert_eq!(host.cat("a"), "X\n");
    assert_eq!(host.out(&["sed", "-n", "w out\n$r b", "a"]), "X\nz!");
    assert_eq!(host.cat("out"), "X\n");
    let ran = host.run(&["sed", "p", "nope"]);
    assert_eq!((ran.err.as_str(), ran.code), ("sed: can't read nope: No such file or directory\n", 2));
    assert_eq!(host.run(&["sed", "s/a/b"]).err, "sed: -e expression #1, char 5: unterminated `s' command\n");
    assert_eq!(host.run(&["sed", "k"]).err, "sed: -e expression #1, char 1: unknown command: `k'\n");
    let ran =
        host.run_in(&["sed", ":a;s/^/xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx/;s/x/&&&&&&&&&&&&&&&&&/g;ba"], "x\n");
    assert_eq!((ran.err.as_str(), ran.code), ("sed: couldn't re-allocate memory\n", 4));
}
