//! Tests: endless, huge and deep input ends in an error message.

use super::machine::TestMachine;

fn machine() -> TestMachine {
    let mut machine = TestMachine::new();
    machine.saves = false;
    machine
}

fn nested(open: &str, middle: &str, close: &str, depth: usize) -> String {
    format!("{}{middle}{}", open.repeat(depth), close.repeat(depth))
}

#[test]
fn deep_nesting() {
    let shapes = [
        ("( ", "true", " )"),
        ("{ ", "true", "; }"),
        ("if ", "true", "; then true; fi"),
        ("while ", "false", "; do break; done"),
        ("echo $(", "echo", ")"),
        ("echo \"$(", "echo", ")\""),
        ("echo ${x:-", "y", "}"),
        ("echo $((1+", "1", "))"),
        ("[[ ", "a", " ]]"),
        ("[[ ( ", "a", " ) ]]"),
        ("f() { ", "true", "; }"),
        ("case x in x) ", "true", ";; esac"),
        ("cat <(", "true", ")"),
        ("! ", "true", ""),
        ("a[", "1", "]"),
    ];
    for (open, middle, close) in shapes {
        for depth in [50, 1000, 100_000] {
            let script = nested(open, middle, close, depth);
            // It must terminate; most inputs are syntax errors or nested too deeply.
            let outcome = machine().run(&script);
            assert!(outcome.code >= 0, "{open} {depth}");
        }
    }
    let outcome = machine().run(&nested("( ", "true", " )", 1000));
    assert_eq!(
        (outcome.code, outcome.err.contains("maximum nesting level exceeded")),
        (2, true),
        "{}",
        outcome.err
    );
}

#[test]
fn deep_arithmetic() {
    for (open, close) in
        [("(", ")"), ("-", ""), ("!", ""), ("a[", "]"), ("1?", ":1"), ("1**", ""), ("x=", "")]
    {
        for depth in [5, 20, 10_000] {
            let script = format!("echo $(({}))", nested(open, "1", close, depth));
            assert!(machine().run(&script).code >= 0);
            let script = format!("x='{}'; echo $((x))", nested(open, "1", close, depth));
            assert!(machine().run(&script).code >= 0);
        }
    }
    let outcome = machine().run("a=b; b=a; echo $((a))");
    assert!(outcome.err.contains("expression recursion level exceeded"), "{}", outcome.err);
}

#[test]
fn endless_recursion() {
    let outcome = machine().run("f() { f; }; f; echo after");
    assert!(outcome.err.contains("maximum function nesting level exceeded"), "{}", outcome.err);
    let outcome = machine().run("echo 'eval \"$x\"' > x; x='eval \"$x\"'; eval \"$x\"");
    assert!(outcome.err.contains("nesting level exceeded"), "{}", outcome.err);
}

#[test]
fn a_fork_bomb_ends() {
    let mut machine = machine();
    let outcome = machine.run(":(){ :|:& };:");
    assert!(outcome.err.contains("fork: retry: Resource temporarily unavailable"), "{:.300}", outcome.err);
    assert!(outcome.err.contains("fork: Resource temporarily unavailable"), "{:.300}", outcome.err);
    assert_eq!(machine.process_count(), 0);
}

#[test]
fn many_words() {
    let outcome = machine().run("echo {1..10000000}");
    assert!(outcome.err.contains("too many words"), "{:.200}", outcome.err);
    let outcome = machine().run("set -- {1..50000}; echo $#");
    assert_eq!(outcome.out, "50000\n");
    let outcome = machine().run(
        "echo {a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}",
    );
    assert!(outcome.err.contains("too many words"), "{:.200}", outcome.err);
}

#[test]
fn a_word_that_doubles() {
    let outcome = machine().run("x=aaaaaaaa; while :; do x=$x$x || break; done; echo after");
    assert_ne!(outcome.code, 0);
    assert!(outcome.err.contains("too large"), "{:.200}", outcome.err);
}

#[test]
fn a_huge_here_document() {
    let script = format!("wc -c <<'EOF'\n{}EOF\necho done", "0123456789\n".repeat(1_000_000));
    let outcome = machine().run(&script);
    assert_eq!(outcome.out, "11000000\ndone\n");
    let script = format!("x=1; cat <<EOF | wc -c\n{}EOF\n", "$x 456789\n".repeat(300_000));
    assert_eq!(machine().run(&script).out, "2700000\n");
}

#[test]
fn odd_descriptors() {
    let outcome = machine().run("99999999999>x echo a; echo b 99999>&1; echo c >&99999; echo end");
    assert!(outcome.out.contains("end"), "{outcome:?}");
}

#[test]
fn widths_and_precisions_above_those_of_rusts_formatting() {
    for script in [
        "printf '%.65536f\\n' 1 | wc -c",
        "printf '%.70000e\\n' 1 | wc -c",
        "printf '%.70000g|%70000d|%-70000s|\\n' 1 2 3 | wc -c",
        "printf '%*.*f\\n' 99999999999 99999999999 1 | wc -c",
        "x=$(printf '%070000d' 1); eval \"echo {$x..2}\" | wc -c",
    ] {
        let outcome = machine().run(script);
        assert_eq!((outcome.code, outcome.err.as_str()), (0, ""), "{script}");
        assert!(outcome.out.trim().parse::<usize>().is_ok_and(|n| n > 65_535), "{script} {}", outcome.out);
    }
}

/// As bash: what has no date is the epoch.
#[test]
fn times_without_a_date() {
    let outcome =
        machine().run("TZ=UTC printf '%(%Y-%m-%d)T|' 9223372036854775807 99999999999999999 4102444800");
    assert_eq!(outcome.out, "1970-01-01|1970-01-01|2100-01-01|");
    // The last second that a time can hold.
    let outcome = machine().run("printf '%(%Y-%m-%d)T|' 9223372036854");
    assert_eq!((outcome.code, outcome.err.as_str()), (0, ""));
}

#[test]
fn memory_of_variables() {
    let start = "x=$(printf '%01000000d' 1); i=0;";
    for script in [
        "while :; do y+=$x || break; done",
        "while :; do a[i++]=$x || break; done",
        "declare -A m; while :; do m[$((i++))]=$x || break; done",
    ] {
        let outcome = machine().run(&format!("{start} {script}"));
        assert_ne!(outcome.code, 0, "{script}");
        assert!(outcome.err.contains(": Cannot allocate memory"), "{script} {:.300}", outcome.err);
    }
    let outcome = machine().run(&format!("{start} x=$x$x$x$x$x$x$x$x; f() {{ f | f & }}; f; wait"));
    assert!(outcome.err.contains("fork: Cannot allocate memory"), "{:.300}", outcome.err);
    let outcome = machine().run("a=(1); for i in {1..10}; do a+=(\"${a[@]}\"); done; echo ${#a[@]}");
    assert_eq!(outcome.out, "1024\n");
}

#[test]
fn long_argument_lists() {
    let outcome = machine().run("x=$(printf '%0200000d' 1); cat \"$x\"; echo $?");
    assert!(outcome.err.ends_with("/cat: Argument list too long\n"), "{:.300}", outcome.err);
    assert_eq!(outcome.out, "126\n");
    let script =
        "export x=$(printf '%0200000d' 1); cat < /dev/null; echo $?; unset x; cat < /dev/null; echo $?";
    assert_eq!(machine().run(script).out, "126\n0\n");
}

#[test]
fn matching_has_a_bound() {
    let long = "x=$(printf '%0100000d' 1);";
    let outcome = machine().run(&format!("{long} echo ${{#x}} ${{x//0*z/b}}; echo after"));
    assert!(outcome.err.contains("steps of matching"), "{:.300}", outcome.err);
    let outcome = machine().run(&format!("{long} y=${{x//0/bb}}; echo ${{#y}}"));
    assert_eq!(outcome.out, "199999\n");
}

#[test]
fn subscripts_before_the_first_element() {
    let outcome = machine().run("a=(); s=abc; echo \"<${a[-1]}${none[-1]}${s[-1]}>\" ${PIPESTATUS[-1]}");
    assert_eq!(outcome.out, "<> 0\n");
    assert_eq!(outcome.err.matches("bad array subscript").count(), 3, "{}", outcome.err);
}
