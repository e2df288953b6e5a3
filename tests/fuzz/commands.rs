//! Bash source and Unix commands in a world: nothing ends the engine, nothing runs for ever, and the world stays sound.

use super::{booted, corpus, holds, path, run};
use base::time::Span;
use commands::CommandKind;
use engine::world::World;
use testing::{Corpus, Random, fuzz};

/// The scripts of `tests/bash`, each by itself.
fn scripts(corpus: Corpus) -> Corpus {
    let files = Corpus::new(&[]).with_files(&path("tests/bash"), &[".sh"]);
    let texts: Vec<String> =
        files.texts().iter().map(|text| String::from_utf8_lossy(text).into_owned()).collect();
    let cases =
        texts.iter().flat_map(|text| text.split("#--- ").skip(1)).filter_map(|case| case.split_once('\n'));
    cases.fold(corpus, |corpus, (_, script)| corpus.with(script))
}

/// Runs a script. It is killed after a while if it has not ended.
fn survives(world: &mut World, user: &str, script: &str) {
    run(world, user, script);
    holds(world, script);
    run(world, "root", &format!("pkill -KILL -u {user}"));
    let until = world.now + Span::from_secs(60);
    for _ in 0..20_000 {
        if !world.step(until) {
            break;
        }
    }
    holds(world, script);
    assert_eq!(run(world, "alice", "echo alive").stdout, b"alive\n", "{script}");
}

#[test]
fn bash() {
    const WORDS: &[&str] = &[
        "$(",
        "`",
        "${",
        "}",
        "((",
        "))",
        "[[",
        "]]",
        "<<EOF\n",
        "<<<",
        "<(",
        "|&",
        "&>",
        "2>&1",
        ";;",
        ";&",
        "esac",
        "done",
        "fi",
        "case x in",
        "for i in",
        "while :;do",
        "if",
        "function f",
        "() {",
        "declare -A ",
        "local -n ",
        "a[",
        "${a[@]}",
        "${!a@}",
        "${x//",
        "${x@Q}",
        "$((1<<",
        "{1..",
        "..3}",
        "{a,b}",
        "!(",
        "+(",
        "trap 'echo' ",
        "exec ",
        "eval ",
        "set -",
        "shopt -s extglob\n",
        "printf '%*d' ",
        "read -t 1 ",
        "wait ",
        "kill -",
        "$'\\x",
        "\\\n",
        "\0",
        "ulimit -",
        "coproc ",
        "select i in",
        "mapfile -t a",
        "getopts ab: o",
        "${x:1:",
        "PS4=",
        "BASH_REMATCH",
        "=~ ((((",
        "?(*)",
        "sleep 1 &",
    ];
    let booted = booted();
    let corpus = scripts(corpus("bash", WORDS));
    for text in super::corpus("bash", &[]).texts() {
        survives(&mut booted.clone(), "alice", &String::from_utf8_lossy(text));
    }
    fuzz("bash", 60, |random| {
        let mut world = booted.clone();
        survives(&mut world, "alice", &corpus.edited_text(random));
    });
}

/// Input files of commands.
const FILES: &str = "cd; printf 'b 2 x\\na 10 y\\n\\nc -1\\tz\\n' > f; seq 30 > n; printf 'a:1\\nb:2\\nc:3\\n' > t; \
                     printf 'no newline' > u; head -c 300 /dev/zero > z; mkdir -p d/e; ln -s d l; echo '{\"a\":[1,{\"b\":null}]}' > j; cp n d/e";

/// Programs of commands with a language of their own.
const PROGRAMS: &[&str] = &[
    "{print $2, $1}",
    "BEGIN{while(i<9)print i++}",
    "{a[$1]+=$2} END{for(k in a)print k,a[k]}",
    "s/a/b/g",
    "2,3d",
    "$!N;P;D",
    "/b/,$p",
    ".a[1]",
    "map(.)",
    ".. | numbers",
    "2^100",
    "scale=20; 4*a(1)",
    "%5.2f|%s\\n",
    "a-z",
    "[:upper:]",
    "1,2",
    "-k2n",
    "[0-9]*",
    "\\(.\\)\\1",
    "(a|b)+",
    "%H:%M",
    "+%s",
    "{}",
    "*",
    "?",
    "[",
    "\\",
    "%",
    "1",
    "0",
    "-1",
    "999999999999",
    "1e99",
    "f",
    "n",
    "t",
    "u",
    "z",
    "d",
    "l",
    "j",
    "nowhere",
    "/",
    "/etc/passwd",
    "/dev/zero",
    "/dev/full",
    "-",
    "--",
    "''",
    "'a b'",
];

/// A command with random options and operands.
fn command(random: &mut Random) -> String {
    // These wait for a key, or become other programs with the rest of the line.
    const LEFT_OUT: &[&str] =
        &["bash", "sh", "less", "more", "top", "htop", "watch", "nano", "vi", "vim", "emacs"];
    let unix = commands::table().iter().filter(|entry| matches!(entry.kind, CommandKind::Unix(_)));
    let names: Vec<&str> = unix.map(|entry| entry.name).filter(|name| !LEFT_OUT.contains(name)).collect();
    let mut line = random.of(&names).to_owned();
    for _ in 0..random.below(5) {
        let letter = random.of(&[
            "a", "b", "c", "d", "e", "f", "g", "h", "i", "k", "l", "m", "n", "o", "p", "q", "r", "s", "t",
            "u", "v", "w", "x", "z", "A", "B", "C", "E", "F", "H", "I", "L", "N", "P", "R", "S", "T", "X",
            "0", "1",
        ]);
        line += &match random.below(6) {
            0 => format!(" -{letter}"),
            1 => format!(" -{letter} '{}'", random.of(PROGRAMS).replace('\'', "")),
            2 => format!(" -{letter}{}", random.of(&["1", "2", "0", "99999", "1,2", "a", "=x"])),
            _ => format!(" '{}'", random.of(PROGRAMS).replace('\'', "")),
        };
    }
    line
}

#[test]
fn unix_commands() {
    let mut booted = booted();
    run(&mut booted, "alice", FILES);
    fuzz("unix_commands", 40, |random| {
        let mut world = booted.clone();
        let mut lines = Vec::new();
        for _ in 0..8 {
            let input = random.of(&["f", "n", "t", "u", "z", "j", "/dev/null"]);
            let out = random.of(&["", " | head -c 2000", " | tail -3", " > out", " 2>&1 | wc"]);
            lines.push(format!("timeout 5 {} < {input}{out}", command(random)));
        }
        survives(&mut world, "alice", &format!("cd\n{}", lines.join("\n")));
    });
}
