//! Compares jq with outputs of jq 1.7.1 that are recorded in `tests/jq/recorded.jsonl`, so the tests need no jq.
//!
//! Each line is a case: arguments, standard input and the result. To record them again after adding a case:
//! `SANDBATCH_JQ=/path/to/jq-1.7.1 cargo test -p sandbatch-unix jq_as_recorded`.

use crate::testing::{CommandResult, Host, real};
use jq::read;
use jq::value::Json;
use jq::write::compact;

const RECORDED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/jq/recorded.jsonl");

/// The files of every case.
const FILES: &[(&str, &str)] = &[
    (
        "jobs.json",
        "{\"jobs\":[{\"job_id\":7,\"job_state\":[\"RUNNING\"],\"cpus\":{\"set\":true,\"number\":4}},\n{\"job_id\":9,\"job_state\":[\"PENDING\"],\"cpus\":{\"set\":false,\"number\":0}}]}\n",
    ),
    ("f.jq", "# a comment\ndef double: . * 2;\nmap(double)\n"),
    ("lines", "one\ntwo words\n\nlast"),
    ("broken.json", "{\"a\": 1,\n\"b\" 2}\n"),
];

fn text(value: &Json, field: &str) -> String {
    match value {
        Json::Object(fields) => fields.get(field).and_then(Json::str).unwrap_or_default().to_owned(),
        _ => String::new(),
    }
}

fn case(line: &str) -> (Vec<String>, String, CommandResult) {
    let value = read::only(line).unwrap().unwrap();
    let Json::Object(fields) = &value else { panic!("{line}") };
    let arguments =
        fields["args"].items().unwrap().iter().map(|item| item.str().unwrap().to_owned()).collect();
    let code = fields.get("code").and_then(Json::number).unwrap_or(0.0) as u8;
    let result = CommandResult { out: text(&value, "out"), err: text(&value, "err"), code };
    (arguments, text(&value, "in"), result)
}

#[test]
fn jq_as_recorded() {
    super::bound::begin();
    let recorded = std::fs::read_to_string(RECORDED).unwrap();
    let program = std::env::var("SANDBATCH_JQ").ok();
    let mut lines = Vec::new();
    let mut differences = Vec::new();
    for line in recorded.lines() {
        super::bound::begin();
        let (arguments, input, mut expected) = case(line);
        let words = |name| -> Vec<&str> {
            std::iter::once(name).chain(arguments.iter().map(String::as_str)).collect()
        };
        if let Some(program) = &program {
            expected = real(&words(program), &input, FILES);
            expected.err = expected.err.replace(program.as_str(), "jq");
        }
        super::bound::begin();
        let entry = Json::fields([
            ("args", arguments.iter().map(|word| Json::text(word.as_str())).collect()),
            ("in", Json::text(input.as_str())),
            ("out", Json::text(expected.out.as_str())),
            ("err", Json::text(expected.err.as_str())),
            ("code", Json::int(usize::from(expected.code))),
        ]);
        lines.push(compact(&entry) + "\n");
        let mut ran = Host::with(FILES).run_in(&words("jq"), &input);
        // jq also lists the tokens that it expected.
        let unexpected = |text: &str| text.split(['(', ',']).take(2).collect::<String>().trim().to_owned();
        if expected.err.starts_with("jq: error: syntax error") {
            ran.err = unexpected(&ran.err);
            expected.err = unexpected(&expected.err);
        }
        if ran != expected {
            differences.push(format!("{arguments:?} {input:?}\n  ours {ran:?}\n  jq   {expected:?}\n"));
        }
    }
    if program.is_some() {
        std::fs::write(RECORDED, lines.concat()).unwrap();
    }
    assert!(lines.len() >= 60, "{} cases", lines.len());
    assert!(
        differences.is_empty(),
        "{} of {} differ:\n{}",
        differences.len(),
        lines.len(),
        differences.concat()
    );
}

#[test]
fn work_depth_and_size_are_bounded() {
    for program in [
        "[range(1e9)]",
        "def f: f; f",
        "def f: f | f; f",
        "def f: [f]; f",
        "def f: 1 + f; f",
        "def f: try f catch f; f",
        "def f: (f?, f?); f",
        "def f(g): f(g | g); f(.)",
        "[repeat(1)]",
        "repeat(empty)",
        "last(repeat(1))",
        "\"x\" * 1e9",
        "[limit(50; repeat(0))] | reduce .[] as $i (\"x\"; . + .)",
        "reduce range(60) as $i (1; [., .])",
        "reduce range(60) as $i ([1]; . + .)",
        "reduce range(100000) as $i (null; [.])",
        "[range(1000)] | [.[] as $a | .[] as $b | .[] as $c | 1] | length",
        "[range(2000)] | [combinations(3)]",
        "(reduce range(100000) as $i (.; .)) |= 1",
        "[recurse(.)]",
        "until(false; .)",
        "[.[1e9] = 1]",
        "[range(30)] | until(false; . + [tojson])",
        "repeat(\"a\" | test(\"(a+)+$\"))",
        "reduce range(1e7) as $x ({}; .[\"k\\($x)\"] = $x) | length",
        "label $f | foreach repeat(1) as $i (0; . + 1)",
        "[paths, (path(repeat(.)))]",
        "walk(repeat(.))",
    ] {
        let ran = Host::default().run(&["jq", "-n", program]);
        assert_eq!(ran.code, 5, "{program}: {:?}", (ran.err, ran.code));
        assert!(ran.err.contains("the limit in sandbatch"), "{program}: {}", ran.err);
    }
    for program in [
        "(".repeat(5000),
        "0".to_owned() + &"-".repeat(5000),
        "[1]|".repeat(2000) + ".",
        "def f: ".repeat(900),
        "1,".repeat(9000) + "1",
    ] {
        let ran = Host::default().run(&["jq", "-n", &program]);
        assert_eq!(ran.code, 3, "{}: {}", &program[..8], ran.err);
    }
}

#[test]
fn ordinary_programs_stay_within_the_bounds() {
    let jobs: Vec<String> = (0..5000)
        .map(|n| {
            format!("{{\"job_id\":{n},\"state\":[\"RUNNING\"],\"cpus\":{{\"set\":true,\"number\":{n}}}}}")
        })
        .collect();
    let text = format!("{{\"jobs\":[{}]}}", jobs.join(","));
    let mut host = Host::default();
    for (program, expected) in [
        ("[.jobs[] | select(.state[0] == \"RUNNING\") | .cpus.number] | add", "12497500\n"),
        ("reduce .jobs[] as $j (0; . + $j.cpus.number)", "12497500\n"),
        (".jobs | group_by(.cpus.number % 7) | map(length) | add", "5000\n"),
        ("[.jobs[] | {key: (.job_id | tostring), value: .cpus}] | from_entries | length", "5000\n"),
        ("INDEX(.jobs[]; .job_id) | length", "5000\n"),
        ("[..] | length", "35002\n"),
        ("[.jobs[] | .job_id | tostring] | join(\",\") | length", "23889\n"),
        ("def fac: if . <= 1 then 1 else . * (. - 1 | fac) end; 50 | fac", "3.0414093201713376e+64\n"),
        (".jobs |= map(.cpus.number += 1) | .jobs[9].cpus.number", "10\n"),
        ("[limit(1000; repeat(1))] | length", "1000\n"),
        ("def r(f): if . < 100 then f | r(f) else . end; 0 | r(. + 1)", "100\n"),
        ("last(range(100000))", "99999\n"),
        ("[foreach range(10000) as $i (0; . + $i)] | last", "49995000\n"),
    ] {
        let ran = host.run_in(&["jq", program], &text);
        assert_eq!((ran.out.as_str(), ran.err.as_str()), (expected, ""), "{program}");
    }
}
