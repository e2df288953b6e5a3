//! `sandbatch snippets`: the files of the Carpentries' introduction to HPC, with what the cluster really prints.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

/// The files that the lesson's episodes include.
const INCLUDED: &[&str] = &[
    "cluster/queue-info",
    "cluster/specific-node-info",
    "modules/available-modules",
    "modules/default-modules",
    "modules/missing-python",
    "modules/module-load-python",
    "modules/python-executable-dir",
    "modules/python-ls-dir-command",
    "modules/python-ls-dir-output",
    "modules/python-module-path",
    "modules/software-dependencies",
    "modules/wrong-gcc-version",
    "parallel/eight-tasks-jobscript",
    "parallel/four-tasks-jobscript",
    "parallel/one-task-jobscript",
    "resources/account-history",
    "scheduler/basic-job-script",
    "scheduler/basic-job-status",
    "scheduler/job-with-name-status",
    "scheduler/option-flags-list",
    "scheduler/print-sched-variables",
    "scheduler/runtime-exceeded-job",
    "scheduler/runtime-exceeded-output",
    "scheduler/terminate-job-begin",
    "scheduler/terminate-job-cancel",
    "scheduler/terminate-multiple-jobs",
    "scheduler/using-nodes-interactively",
];

fn written(site: &str) -> BTreeMap<String, String> {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("snippets-{site}"));
    let _ = fs::remove_dir_all(&dir);
    let mut command = Command::new(env!("CARGO_BIN_EXE_sandbatch"));
    let output =
        command.args(["snippets", "--site", site, "--out"]).arg(&dir).output().expect("the binary runs");
    assert!(output.status.success(), "{site}: {}", String::from_utf8_lossy(&output.stderr));
    let read = |name: &&str| {
        let text = fs::read_to_string(dir.join(format!("{name}.snip")))
            .unwrap_or_else(|e| panic!("{site}: {name}: {e}"));
        ((*name).to_owned(), text)
    };
    assert!(dir.join("_config_options.yml").is_file());
    INCLUDED.iter().map(read).collect()
}

#[test]
fn the_course_on_built_in_sites() {
    for site in ["lab", "mila"] {
        let files = written(site);
        for (name, text) in &files {
            assert_eq!(
                text.matches("{: .output}").count() + text.matches("{: .language-bash}").count(),
                text.matches("```").count() / 2,
                "{name}: {text}"
            );
            assert_eq!(text.matches("```").count() % 2, 0, "{name}: {text}");
            // Only the job that exceeds its limit prints an error.
            let expected = name == "scheduler/runtime-exceeded-output";
            assert!(!text.contains("OUTPUT") && text.contains("error: ") == expected, "{name}: {text}");
            assert!(!text.contains("```\n\n```"), "{name} has no output: {text}");
        }
        let job = files["scheduler/basic-job-script"].replace("```\nSubmitted batch job ", "");
        let job = job.lines().next().unwrap_or_default();
        let status = &files["scheduler/basic-job-status"];
        let row = status.lines().find(|l| l.trim_start().starts_with(job)).unwrap_or_default();
        assert_eq!(row.split_whitespace().nth(4), Some("R"), "{site}: {status}");
        assert!(files["scheduler/job-with-name-status"].contains("hello-wo"), "{site}");
        assert!(files["scheduler/runtime-exceeded-output"].contains("DUE TO TIME LIMIT"), "{site}");
        assert!(files["scheduler/terminate-job-begin"].contains("long_job"), "{site}");
        assert!(!files["scheduler/terminate-job-cancel"].contains("long_job"), "{site}");
        assert!(files["resources/account-history"].contains("CANCELLED"), "{site}");
        assert!(files["modules/python-executable-dir"].contains("/python3"), "{site}");
    }
}

#[test]
fn unknown_sites_and_users() {
    for (args, wanted) in [
        (&["snippets", "--site", "nosuch"][..], "unknown site 'nosuch'"),
        (&["snippets", "--site", "lab", "--user", "nobody9"], "site lab has no user nobody9"),
    ] {
        let output =
            Command::new(env!("CARGO_BIN_EXE_sandbatch")).args(args).output().expect("the binary runs");
        assert_eq!(output.status.code(), Some(2));
        assert!(String::from_utf8_lossy(&output.stderr).contains(wanted), "{output:?}");
    }
}

/// The blocks of a snippet that are output.
fn outputs(snippet: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut open: Option<String> = None;
    let mut last = String::new();
    for line in snippet.lines() {
        match (line, &mut open) {
            ("```", None) => open = Some(String::new()),
            ("```", Some(_)) => last = open.take().unwrap_or_default(),
            (_, Some(text)) => text.push_str(&format!("{line}\n")),
            ("{: .output}", None) => found.push(std::mem::take(&mut last)),
            _ => {}
        }
    }
    found
}

#[test]
fn the_example_page_shows_what_the_cluster_prints() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/embeds/carpentries");
    let read = |name: &str| fs::read_to_string(folder.join(name)).unwrap_or_else(|e| panic!("{name}: {e}"));
    let page = read("index.html");
    assert!(page.contains(&read("beside.html")), "index.html contains what a lesson includes");
    let files = written("lab");
    let parts = page.split("<div class=\"output\"><pre><code>").skip(1);
    let shown = parts.filter_map(|rest| rest.split("</code></pre>").next());
    let known: Vec<String> = files.values().flat_map(|text| outputs(text)).collect();
    let mut count = 0;
    for output in shown.map(|text| text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")) {
        assert!(known.contains(&format!("{output}\n")), "no snippet has this output:\n{output}");
        count += 1;
    }
    assert_eq!(count, 4);
}

#[test]
fn the_snippets_are_what_a_shell_prints() {
    let mut shell = Command::new(env!("CARGO_BIN_EXE_sandbatch"))
        .args(["shell", "--site", "lab"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    let course = "sinfo\nls /\nmodule list 2>&1\ncommand -v python3\nsrun -p cpu -t 1 hostname\n";
    shell.stdin.take().expect("a pipe").write_all(course.as_bytes()).expect("the shell reads");
    let output = shell.wait_with_output().expect("the shell ends");
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    let files = written("lab");
    let names = [
        "cluster/queue-info",
        "modules/default-modules",
        "modules/python-executable-dir",
        "scheduler/using-nodes-interactively",
    ];
    for name in names {
        let blocks = outputs(&files[name]);
        assert_eq!(blocks.len(), 1, "{name}");
        for block in blocks {
            assert!(printed.contains(&block), "{name}:\n{block}\nshell:\n{printed}");
        }
    }
}
