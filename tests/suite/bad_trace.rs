//! Traces with errors, and closed pipes, on the command line.

use std::fs;
use std::io::{PipeWriter, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

const HEADER: &str = "; MaxNodes: 4\n; MaxProcs: 16\n";

/// A job of an SWF trace.
fn job(number: u32, submit: i64, run: i64, processors: i64) -> String {
    format!("{number} {submit} 0 {run} {processors} -1 -1 {processors} 600 -1 1 1 1 -1 -1 -1 -1 -1\n")
}

/// A temporary file of the test.
fn file(name: &str, bytes: &[u8]) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&path, bytes).unwrap();
    path
}

fn sandbatch(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sandbatch"));
    command.args(args);
    command
}

fn replay(path: &Path) -> (String, String, Output) {
    let output = sandbatch(&["replay", path.to_str().unwrap()]).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (text(&output.stdout), text(&output.stderr), output)
}

fn packed(text: &str) -> Vec<u8> {
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    gzip.write_all(text.as_bytes()).unwrap();
    gzip.finish().unwrap()
}

#[test]
fn invalid_lines_are_reported_and_the_rest_runs() {
    let rows = [
        (job(1, 100, 50, 4), None),
        (job(2, 50, 50, 4), Some("not sorted by time")),
        (job(3, 200, 50, 64), Some(":5: warning: the job never started: PartitionConfig")),
        (job(4, -5, 50, 4), Some(":6: warning: submitted before the start of the trace")),
        (job(5, 300, -1, 4), Some(":7: warning: it has no run time")),
        (job(6, 300, 50, -1), Some(":8: warning: it requests no processors")),
        ("7 300 0 50\n".to_owned(), Some(":9: warning: 4 fields instead of 18")),
        (job(8, 400, 50, 16), None),
    ];
    let text: String = rows.iter().map(|r| r.0.as_str()).collect();
    let (out, err, output) = replay(&file("faults.swf", format!("{HEADER}{text}").as_bytes()));
    assert!(output.status.success(), "{err}");
    for told in rows.iter().filter_map(|r| r.1) {
        assert!(err.contains(told), "{told}: {err}");
    }
    assert!(out.contains("skipped      4 lines"), "{out}");
    assert!(out.lines().any(|l| l.starts_with("jobs") && l.contains("4")), "{out}");
}

/// The replay must refuse the file with exit code 2 and this part of a message.
fn refused(path: &Path, part: &str) {
    let (out, err, output) = replay(path);
    assert_eq!(output.status.code(), Some(2), "{out}{err}");
    assert!(out.is_empty() && err.contains(part), "{path:?}: {out}{err}");
    assert!(err.chars().all(|c| c == '\n' || !c.is_control()), "{err:?}");
}

#[test]
fn garbage_is_an_error() {
    let jobs: String = (1..2000).map(|i| job(i, i64::from(i) * 37, 50 + i64::from(i) % 77, 4)).collect();
    let whole = packed(&format!("{HEADER}{jobs}"));
    refused(&file("cut.swf.gz", &whole[..whole.len() * 2 / 3]), "cut.swf.gz: ");
    refused(&file("none.swf.gz", b"no gzip at all"), "no jobs");
    refused(&file("empty.swf", b""), "no jobs");
    refused(&file("table.csv", b"id,submit\n1,2\n"), "no jobs");
    refused(&file("program", b"\x7fELF\0\0\x1b[31m"), "a binary file");
    refused(&file("bare.swf", job(1, 0, 50, 4).as_bytes()), "give --site");
    refused(Path::new("nowhere.swf"), "nowhere.swf: ");
}

#[test]
fn an_unwritable_report_fails_before_the_work() {
    let trace = file("short.swf", format!("{HEADER}{}", job(1, 0, 50, 4)).as_bytes());
    let output = sandbatch(&["replay", trace.to_str().unwrap(), "--csv", "/nowhere/x.csv"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(output.stdout.is_empty());
}

#[test]
fn a_trace_from_standard_input() {
    let mut child = sandbatch(&["replay", "-", "--quiet"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let bytes = packed(&format!("{HEADER}{}", job(1, 0, 50, 4)));
    child.stdin.take().unwrap().write_all(&bytes).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stdout).contains("makespan"), "{output:?}");
}

/// A pipe whose reading end is closed.
fn unread() -> PipeWriter {
    std::io::pipe().unwrap().1
}

#[test]
fn closed_pipes() {
    let jobs: String = (1..50).map(|i| job(i, i64::from(i), 50, 4)).collect();
    let trace = file("pipe.swf", format!("{HEADER}{jobs}1 2 3\n").as_bytes());
    let trace = trace.to_str().unwrap();
    for args in [&["help"][..], &["replay", trace], &["check", "examples/sites/inserm"]] {
        let output = sandbatch(args).stdout(unread()).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(!said.contains("panicked") && !said.contains("roken pipe"), "{args:?}: {said}");
        assert_eq!(output.status.code(), Some(141), "{args:?}");
    }
    let output = sandbatch(&["replay", trace]).stderr(unread()).output().unwrap();
    assert!(output.status.success(), "without a reader of standard error it goes on");
    let mut shell = sandbatch(&["shell"]);
    let shell = shell.stdin(Stdio::piped()).stdout(unread()).stderr(Stdio::piped());
    let mut shell = shell.spawn().unwrap();
    shell.stdin.take().unwrap().write_all(b"yes\n").unwrap();
    let output = shell.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(141), &b""[..]));
}
