//! The native command line as a user meets it: garbage, standard input, contradictions, files that cannot be written.

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// A folder with files that are of no use.
fn folder(name: &str) -> PathBuf {
    let dir = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    drop(fs::remove_dir_all(&dir));
    fs::create_dir_all(dir.join("empty-folder")).unwrap();
    fs::write(dir.join("binary"), b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x02\0>\0").unwrap();
    fs::write(dir.join("binary.md"), b"# x\n\0\n").unwrap();
    fs::write(dir.join("empty"), b"").unwrap();
    fs::write(dir.join("table.csv"), b"a,b\n1,2\n").unwrap();
    fs::write(dir.join("latin1.toml"), b"site = \"\xe9\"\n").unwrap();
    dir
}

/// The exit code, standard output and standard error of a command line in a folder.
fn run(dir: &PathBuf, line: &str, input: &str) -> (i32, String, String) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_sandbatch"))
        .args(line.split_whitespace())
        .current_dir(dir)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A program that reads nothing closes it.
    drop(child.stdin.take().unwrap().write_all(input.as_bytes()));
    let output = child.wait_with_output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code().unwrap_or(-1), text(&output.stdout), text(&output.stderr))
}

#[test]
fn garbage_is_never_success() {
    let dir = folder("garbage");
    for (line, why) in [
        ("replay binary", "binary: a binary file"),
        ("replay empty", "no jobs"),
        ("replay table.csv", "no jobs"),
        ("replay nowhere", "No such file"),
        ("replay .", "Is a directory"),
        ("transcript binary", "a binary file"),
        ("transcript empty", "no commands"),
        ("compare binary", "a binary file"),
        ("compare latin1.toml", "not UTF-8: byte 8"),
        ("compare empty", "[[workload]]"),
        ("sweep binary", "a binary file"),
        ("import binary --out site", "nothing to import"),
        ("import empty-folder --out site", "nothing to import"),
        ("calibrate empty-folder", "no slurm.conf"),
        ("check empty", "Not a directory"),
        ("check nowhere", "No such file"),
        ("lesson check binary", "a binary file"),
        ("lesson check nowhere", "nowhere: No such file"),
        ("lesson export binary --scorm12 out.zip", "binary: a binary file"),
        ("lesson export binary.md --scorm12 out.zip", "a binary file"),
        ("doctest binary --site lab", "no pages"),
        ("doctest table.csv --site lab", "no pages"),
        ("doctest empty-folder --site lab", "no pages"),
        ("doctest empty-folder --site lab --table", "no pages"),
        ("doctest nowhere --site lab", "No such file"),
        ("shell --site-dir empty", "Not a directory"),
        ("shell --site nope", "unknown site 'nope'"),
        ("shel", "similar subcommands exist"),
        ("replay --sites lab x", "a similar argument exists: '--site'"),
    ] {
        let (code, _, err) = run(&dir, line, "");
        assert_eq!(code, 2, "{line}: {err}");
        assert!(err.contains(why), "{line}: {err}");
    }
    let (code, out, _) = run(&dir, "doctest binary.md --site lab", "");
    assert_eq!(code, 2, "{out}");
    assert!(out.contains("a binary file"), "{out}");
    assert!(!dir.join("site").exists(), "a refused import leaves nothing");
}

#[test]
fn a_dash_is_standard_input() {
    let dir = folder("dash");
    let swf = "; MaxNodes: 4\n; MaxProcs: 16\n1 0 0 50 4 -1 -1 4 600 -1 1 1 1 -1 -1 -1 -1 -1\n";
    let (code, out, err) = run(&dir, "replay - --quiet", swf);
    assert_eq!((code, err.as_str()), (0, ""), "{out}");
    let (code, out, err) = run(&dir, "replay - --quiet --json", swf);
    assert_eq!((code, err.as_str()), (0, ""));
    let report: serde_json::Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!((report["jobs"].as_u64(), report["started"].as_u64()), (Some(1), Some(1)), "{out}");
    assert_eq!(report["all"]["cpu_seconds"].as_u64(), Some(200), "{out}");

    let page = "# A page\n\n```bash\nsbatch --nodes=2 --tims=10 job.sh\n```\n";
    let (code, out, err) = run(&dir, "doctest - --site lab --format short", page);
    assert_eq!(code, 1, "{out}{err}");
    assert!(out.contains("stdin.md:4"), "{out}");
    let (code, _, err) = run(&dir, "doctest - --site lab --fix", page);
    assert_eq!((code, err.contains("standard input")), (2, true), "{err}");

    let lesson = fs::read_to_string(super::site::path("examples/lessons/en/01-first-job.md"));
    if let Ok(lesson) = lesson {
        let (code, out, err) = run(&dir, "lesson check -", &lesson);
        assert_eq!(code, 0, "{out}{err}");
    }
    let (code, _, err) = run(&dir, "lesson check -", "no lesson");
    assert_eq!(code, 1, "{err}");

    let plan = "site = \"lab\"\n[[workload]]\nfile = \"t.swf\"\n[[policy]]\nname = \"a\"\n[[policy]]\nname = \"b\"\n";
    fs::write(dir.join("t.swf"), swf).unwrap();
    let (code, out, err) = run(&dir, "sweep - --print sbatch", plan);
    assert_eq!((code, out.as_str()), (2, ""), "{err}");

    let sacct = "JobID|User|Account|Partition|Submit|Start|End|ElapsedRaw|TimelimitRaw|State|NCPUS|NNodes|NodeList\n\
        20|u1|a1|cpu|2026-11-21T06:00:00|2026-11-21T06:00:05|2026-11-21T06:01:00|55|10|COMPLETED|8|1|n1\n";
    let (code, out, err) = run(&dir, "import - --out imported", sacct);
    assert_eq!(code, 0, "{err}");
    assert!(out.starts_with("imported: 1 jobs of 1 users"), "{out}");
    let (code, _, err) = run(&dir, "import - --out second", "");
    assert_eq!((code, err.contains("it is empty")), (2, true), "{err}");
    let left: Vec<_> = fs::read_dir(&dir).unwrap().flatten().map(|entry| entry.file_name()).collect();
    assert!(!left.iter().any(|name| name.to_string_lossy().starts_with('.')), "{left:?}");
}

#[test]
fn contradictions_and_files_that_cannot_be_written() {
    let dir = folder("contradictions");
    fs::write(dir.join("t.swf"), "; MaxProcs: 4\n1 0 0 5 1 -1 -1 1 60 -1 1 1 1 -1 -1 -1 -1 -1\n").unwrap();
    for (line, why) in [
        ("replay t.swf --csv -", "- is standard input"),
        ("replay t.swf --csv empty-folder", "Is a directory"),
        ("replay t.swf --csv nowhere/x.csv", "No such file"),
        ("bench scheduler --people 5", "for `bench class`"),
        ("serve --seed 3", "--class <NAME>"),
        ("doctest a.md --site lab --table --format json", "cannot be used with"),
        ("check . --json --short", "cannot be used with"),
        ("shell --site lab --site-dir .", "cannot be used with"),
        ("import t.swf --out empty-folder", "it exists already"),
        ("import t.swf --out empty/x", "empty"),
        ("compare t.swf --out empty", "empty"),
    ] {
        let (code, _, err) = run(&dir, line, "");
        assert_eq!(code, 2, "{line}: {err}");
        assert!(err.contains(why), "{line}: {err}");
    }
    assert!(!dir.join("-").exists());
}
