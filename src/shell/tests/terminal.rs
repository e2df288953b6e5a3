//! Tests: interactive shells, with prompts, jobs and control characters.

use super::machine::TestMachine;
use crate::{Prompt, complete};

#[test]
fn a_session() {
    let mut machine = TestMachine::new();
    let (pid, tty) = machine.login();
    let prompt = |m: &TestMachine| m.shell(pid).map(crate::Vm::prompt);
    assert_eq!(prompt(&machine), Some(Prompt::Ready("[alice@login ~]$ ".into())));
    assert_eq!(machine.type_at(tty, "echo hello\n", 1), "hello\n");
    assert_eq!(machine.type_at(tty, "for i in 1 2; do\n", 1), "");
    assert_eq!(prompt(&machine), Some(Prompt::Ready("> ".into())));
    assert_eq!(machine.type_at(tty, "echo $i; done\n", 1), "1\n2\n");
    assert_eq!(machine.type_at(tty, "nosuch\n", 1), "-bash: nosuch: command not found\n");
    assert_eq!(
        machine.type_at(tty, "echo $?; echo )\n", 1),
        "-bash: syntax error near unexpected token `)'\n"
    );
    assert_eq!(machine.type_at(tty, "sleep 100\n", 1), "");
    assert_eq!(prompt(&machine), Some(Prompt::Busy));
    assert_eq!(machine.type_at(tty, "\u{3}", 1), "\n");
    assert_eq!(machine.type_at(tty, "echo $?\n", 1), "130\n");
    assert_eq!(machine.type_at(tty, "while :; do sleep 1; done\n", 3), "");
    assert_eq!(machine.type_at(tty, "\u{3}", 1), "\n");
    assert_eq!(prompt(&machine), Some(Prompt::Ready("[alice@login ~]$ ".into())));
    let started = machine.type_at(tty, "sleep 5 &\n", 1);
    assert!(started.starts_with("[1] "), "{started}");
    assert_eq!(machine.type_at(tty, "jobs\n", 1), format!("[1]+  {:<24}sleep 5 &\n", "Running"));
    assert_eq!(machine.type_at(tty, "\n", 10), "");
    assert_eq!(machine.type_at(tty, "\n", 1), format!("[1]+  {:<24}sleep 5\n", "Done"));
    assert_eq!(machine.type_at(tty, "cd /tmp; x=5\n", 1), "");
    assert_eq!(prompt(&machine), Some(Prompt::Ready("[alice@login tmp]$ ".into())));
    assert_eq!(machine.shell(pid).and_then(|vm| vm.var("x")), Some("5"));
    assert_eq!(machine.type_at(tty, "history | head -1\n", 1), "    1  echo hello\n");
    assert_eq!(machine.type_at(tty, "\u{4}", 1), "logout\n");
    assert!(machine.shell(pid).is_none());
}

#[test]
fn lines_that_go_on() {
    let mut machine = TestMachine::new();
    let (pid, tty) = machine.login();
    let prompt = |m: &TestMachine| m.shell(pid).map(crate::Vm::prompt);
    // What bash 5.2 prints for each of these, and whether it asks for more with PS2.
    let lines = [
        ("echo a \\\n", None),
        (" b\n", Some("a b\n")),
        ("# c \\\n", Some("")),
        ("echo d # e \\\n", Some("d\n")),
        ("echo \"x \\\n", None),
        ("y\" \\\n", None),
        (" z\n", Some("x y z\n")),
        ("echo $# \\\n", None),
        (" f\n", Some("0 f\n")),
        ("echo g\\\n", None),
        ("h\n", Some("gh\n")),
        ("echo i\\\\\n", Some("i\\\n")),
        ("\\\n", None),
        ("\n", Some("")),
        ("if true; then # k \\\n", None),
        ("# l \\\n", None),
        ("echo m; fi \\\n", None),
        ("\n", Some("m\n")),
        ("echo j | \\\n", None),
        ("cat\n", Some("j\n")),
    ];
    for (line, printed) in lines {
        assert_eq!(machine.type_at(tty, line, 1), printed.unwrap_or_default(), "{line}");
        let wanted = if printed.is_none() { "> " } else { "[alice@login ~]$ " };
        assert_eq!(prompt(&machine), Some(Prompt::Ready(wanted.into())), "{line}");
    }
}

#[test]
fn stopping_and_continuing() {
    let mut machine = TestMachine::new();
    let (_, tty) = machine.login();
    machine.type_at(tty, "sleep 30\n", 1);
    assert_eq!(machine.type_at(tty, "\u{1a}", 1), format!("\n[1]+  {:<24}sleep 30\n", "Stopped"));
    assert_eq!(machine.type_at(tty, "bg\n", 1), "[1]+ sleep 30 &\n");
    assert_eq!(machine.type_at(tty, "fg\n", 60), "sleep 30\n");
    assert_eq!(machine.type_at(tty, "echo $?\n", 1), "0\n");
    machine.type_at(tty, "sleep 50 | cat\n", 1);
    assert_eq!(machine.type_at(tty, "\u{3}", 1), "\n");
    machine.type_at(tty, "sleep 50 &\n", 1);
    assert_eq!(machine.type_at(tty, "kill %1\n", 1), format!("[1]+  {:<24}sleep 50\n", "Terminated"));
}

#[test]
fn reading_and_interrupting() {
    let mut machine = TestMachine::new();
    let (_, tty) = machine.login();
    assert_eq!(machine.type_at(tty, "read -p 'name? ' n; echo \"<$n>\"\n", 1), "name? ");
    assert_eq!(machine.type_at(tty, "bob\n", 1), "<bob>\n");
    machine.type_at(tty, "read n\n", 1);
    assert_eq!(machine.type_at(tty, "\u{3}", 1), "\n");
    assert_eq!(machine.type_at(tty, "cat\n", 1), "");
    assert_eq!(machine.type_at(tty, "some text\n", 1), "");
    assert_eq!(machine.type_at(tty, "\u{4}", 1), "some text\n");
    assert_eq!(machine.type_at(tty, "echo 'open\n", 1), "");
    assert_eq!(machine.type_at(tty, "\u{3}", 1), "\n");
    assert_eq!(machine.type_at(tty, "trap 'echo caught' INT\n", 1), "");
    assert_eq!(machine.type_at(tty, "kill -TERM $$; echo alive\n", 1), "alive\n");
}

#[test]
fn completing() {
    let mut machine = TestMachine::new();
    let (pid, tty) = machine.login();
    machine.type_at(tty, "touch file1 'a b'; mkdir files; fun() { :; }; myvar=1\n", 1);
    let vm = machine.shell(pid).unwrap();
    let hook = |words: &[String], current: &str| {
        (words.first().is_some_and(|w| w == "squeue") && current.starts_with('-'))
            .then(|| vec!["--user".to_owned()])
    };
    let offered = |line: &str| complete(vm, &machine.kernel, pid, line, line.len(), &hook);
    assert_eq!(offered("cat fi").words, ["file1", "files/"]);
    assert_eq!(offered("cat fi").start, 4);
    assert_eq!(offered("echo x; fu").words, ["fun"]);
    assert!(offered("sle").words.contains(&"sleep".to_owned()));
    assert_eq!(offered("echo $myv").words, ["$myvar"]);
    assert_eq!(offered("cat a").words, ["a\\ b"]);
    assert_eq!(offered("squeue --").words, ["--user"]);
    assert_eq!(offered("ls ~al").words, ["~alice/"]);
    assert_eq!(offered("cat < fi").words, ["file1", "files/"]);
}
