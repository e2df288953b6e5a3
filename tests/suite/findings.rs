//! Findings in files, as the program prints them: with lines and markers, one line each, as JSON, and in colours.

use super::site::path;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

/// A site with mistakes in three files, one with control characters.
fn bad_site(name: &str) -> PathBuf {
    let dir = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::create_dir_all(&dir).unwrap();
    let conf = "ClusterName=x\nSlurmctldHost=c\nSelectType=select/cons_tres\nNodeName=cn[1-4] CPUs=4 \\\n  Bards=1\n\
                PreemptMode=CANCL\nKillWait=\u{1b}[31mten\u{7}\nPartitionName=main Nodes=cn[1-4] Default=YES\n";
    fs::write(dir.join("slurm.conf"), conf).unwrap();
    fs::write(dir.join("gres.conf"), "NodeName=cn9 Name=gpu Count=x\n").unwrap();
    fs::write(dir.join("site.toml"), "colour = 3\n").unwrap();
    dir
}

fn run(args: &[&str], env: &[(&str, &str)]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sandbatch"));
    command.args(args).env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE").env_remove("CLICOLOR");
    command.envs(env.iter().copied()).output().unwrap()
}

fn out(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn check_shows_the_line_and_marks_the_place() {
    let dir = bad_site("findings");
    let dir = dir.to_str().unwrap();
    let output = run(&["check", dir], &[]);
    let text = out(&output);
    assert_eq!(output.status.code(), Some(1), "{text}");
    for part in [
        " --> slurm.conf:5:3\n  |\n5 |   Bards=1\n  |   ^^^^^^^\n",
        " --> slurm.conf:6:1\n  |\n6 | PreemptMode=CANCL\n  | ^^^^^^^^^^^^^^^^^\n",
        "1 | colour = 3\n  | ^^^^^^\n",
        "\u{241b}[31mten\u{2407}",
        "4 nodes, 1 partitions\n",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    assert!(text.chars().all(|c| c == '\n' || !c.is_control()), "{text:?}");
}

#[test]
fn programs_read_one_line_each_or_json() {
    let dir = bad_site("findings-short");
    let dir = dir.to_str().unwrap();
    let output = run(&["check", dir, "--short", "--color", "always"], &[]);
    let text = out(&output);
    assert!(text.chars().all(|c| c == '\n' || !c.is_control()), "{text:?}");
    let places: Vec<(&str, u32)> = text
        .lines()
        .filter(|line| line.contains(": error: ") || line.contains(": warning: "))
        .map(|line| {
            let mut parts = line.split(':');
            (parts.next().unwrap(), parts.next().unwrap().parse().unwrap_or(0))
        })
        .collect();
    let mut sorted = places.clone();
    sorted.sort_unstable();
    assert!(places.len() >= 4 && places == sorted, "{places:?}");
    let json = run(&["check", dir, "--json"], &[]);
    let value: serde_json::Value = serde_json::from_slice(&json.stdout).unwrap();
    assert_eq!(json.status.code(), Some(1));
    assert_eq!(value.pointer("/nodes").and_then(serde_json::Value::as_u64), Some(4));
    let listed = value.pointer("/findings").and_then(serde_json::Value::as_array).unwrap();
    assert_eq!(listed.len() + 1, text.lines().count(), "{text}");
    // The two forms contradict each other.
    assert_eq!(run(&["check", dir, "--short", "--json"], &[]).status.code(), Some(2));
}

#[test]
fn strict_fails_on_warnings() {
    let dir = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("findings-strict");
    fs::create_dir_all(&dir).unwrap();
    let conf = "ClusterName=x\nSlurmctldHost=c\nNodeName=n1 CPUs=4\nPartitionName=p Nodes=n1 Default=YES\n\
                PartitionName=q Nodes=n1 MaxTime=10 DefaultTime=20\n";
    fs::write(dir.join("slurm.conf"), conf).unwrap();
    let dir = dir.to_str().unwrap();
    let text = out(&run(&["check", dir], &[]));
    assert!(text.contains("warning: ") && !text.contains("error: "), "{text}");
    assert_eq!(run(&["check", dir], &[]).status.code(), Some(0));
    assert_eq!(run(&["check", dir, "--strict"], &[]).status.code(), Some(1));
}

#[test]
fn colours_only_where_they_are_wanted() {
    let dir = bad_site("findings-colour");
    let dir = dir.to_str().unwrap();
    for (args, env, coloured) in [
        (&["check", dir][..], &[][..], false),
        (&["check", dir], &[("CLICOLOR_FORCE", "1")], true),
        (&["check", dir], &[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")], false),
        (&["check", dir, "--color", "always"], &[], true),
        (&["check", dir, "--color=never"], &[("CLICOLOR_FORCE", "1")], false),
        (&["shell", "--sit"], &[("CLICOLOR_FORCE", "1")], true),
        (&["shell", "--sit"], &[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")], false),
    ] {
        let output = run(args, env);
        let text = [&output.stdout[..], &output.stderr].concat();
        assert_eq!(text.contains(&0x1b), coloured, "{args:?} {env:?}: {}", String::from_utf8_lossy(&text));
    }
}

/// `script` of util-linux gives the program a terminal.
#[cfg(target_os = "linux")]
#[test]
fn on_a_terminal() {
    let dir = bad_site("findings-terminal");
    let trace = dir.join("bad.swf");
    fs::write(
        &trace,
        "; MaxNodes: 4\n; MaxProcs: 16\n1 0 0 9 4 -1 -1 4 60 -1 1 1 1 -1 -1 -1 -1 -1\n7 300 0 50\n",
    )
    .unwrap();
    let terminal = |args: &str, env: &[(&str, &str)]| {
        let line = format!("{} {args}", env!("CARGO_BIN_EXE_sandbatch"));
        let mut command = Command::new("script");
        // A continuous integration's log has colours whatever TERM says, so its variable must not decide here.
        command
            .args(["-qec", &line, "/dev/null"])
            .env_remove("NO_COLOR")
            .env_remove("CI")
            .env("TERM", "xterm");
        let output = command.envs(env.iter().copied()).output().expect("script(1) of util-linux");
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let check = format!("check {}", dir.display());
    assert!(terminal(&check, &[]).contains("\u{1b}[1m\u{1b}[91merror"), "{:?}", terminal(&check, &[]));
    for (name, value) in [("NO_COLOR", "1"), ("TERM", "dumb")] {
        assert!(!terminal(&check, &[(name, value)]).contains('\u{1b}'), "{name}");
    }
    // Other commands show the line on a terminal only.
    let replay = format!("replay --quiet {}", trace.display());
    let told = terminal(&replay, &[("NO_COLOR", "1")]);
    assert!(told.contains("4 | 7 300 0 50") && told.contains("^^^^^^^^^^"), "{told}");
    let piped = run(&["replay", "--quiet", trace.to_str().unwrap()], &[]);
    let piped = String::from_utf8_lossy(&piped.stderr).into_owned();
    assert!(piped.contains("bad.swf:4: warning: 4 fields instead of 18\n"), "{piped}");
}

#[test]
fn a_plan_with_a_mistake() {
    let plan = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("mistaken.toml");
    fs::write(&plan, "site = \"lab\"\n[[workload]]\nfiel = \"x\"\n").unwrap();
    let output = run(&["compare", plan.to_str().unwrap()], &[]);
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2));
    assert!(told.contains("mistaken.toml:3: error: unknown field `fiel`"), "{told}");
}

#[test]
fn lessons_are_shown_in_the_same_way() {
    let lesson = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("bad-lesson.md");
    let good = fs::read_to_string(path("examples/lessons/en/01-first-job.md")).unwrap();
    fs::write(&lesson, good.replacen("---\n", "---\ncolour: red\n", 1)).unwrap();
    let shown = out(&run(&["lesson", "check", lesson.to_str().unwrap()], &[]));
    assert!(shown.contains("2 | colour: red\n"), "{shown}");
    let short = out(&run(&["lesson", "check", "--short", lesson.to_str().unwrap()], &[]));
    assert!(short.contains("bad-lesson.md:2: "), "{short}");
}

#[test]
fn garbage_is_no_session_and_no_success() {
    let dir = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("garbage");
    fs::create_dir_all(&dir).unwrap();
    for (name, bytes) in [
        ("empty.txt", &b""[..]),
        ("program.txt", b"\x7fELF\0\0"),
        ("cut.txt", b"\x1f\x8b\x08\x00\x00"),
        ("page.txt", b"# A title\n\nText.\n"),
    ] {
        let file = dir.join(name);
        fs::write(&file, bytes).unwrap();
        let file = file.to_str().unwrap();
        for args in [&["transcript", file][..], &["compare", file], &["calibrate", file], &["check", file]] {
            let output = run(args, &[]);
            let told = String::from_utf8_lossy(&output.stderr).into_owned();
            assert!(output.status.code() == Some(2) && output.stdout.is_empty(), "{args:?}: {told}");
            assert!(told.starts_with("sandbatch: ") && told.contains(name), "{args:?}: {told}");
        }
        let lesson = run(&["lesson", "check", file], &[]);
        // A text without lessons has errors; a binary file cannot be read.
        let code = if std::str::from_utf8(bytes).is_ok_and(|text| !text.contains('\0')) { 1 } else { 2 };
        assert_eq!(lesson.status.code(), Some(code), "{name}: {}", out(&lesson));
    }
}

#[test]
fn control_characters_of_names_are_never_written() {
    let name = "no\u{1b}[31mwhere";
    for args in [&["shell", "--site", name][..], &["check", name], &["replay", name], &["transcript", name]] {
        let output = run(args, &[]);
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(
            output.status.code() == Some(2) && told.contains("no\u{241b}[31mwhere"),
            "{args:?}: {told:?}"
        );
        assert!(told.chars().all(|c| c == '\n' || !c.is_control()), "{told:?}");
    }
}

/// Nothing can be created there, not even by root.
#[cfg(target_os = "linux")]
#[test]
fn a_report_that_cannot_be_written_is_refused_before_the_work() {
    let plan = path("examples/compare").read_dir().unwrap().flatten().map(|entry| entry.path());
    let plan = plan.filter(|path| path.extension().is_some_and(|ending| ending == "toml")).min().unwrap();
    let output = run(&["compare", plan.to_str().unwrap(), "--out", "/proc"], &[]);
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.code() == Some(2) && told.starts_with("sandbatch: /proc: "), "{told}");
    let output = run(&["calibrate", "nowhere", "--csv", "/proc/x.csv"], &[]);
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.code() == Some(2) && told.starts_with("sandbatch: /proc/x.csv: "), "{told}");
}
