//! `sandbatch doctest` as a program: files, exit codes, the dictionary, the baseline, corrections. Also the pages of this
//! project, whose own examples must pass.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A folder of its own for each test.
fn folder(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("doctest-{name}"));
    let _ = fs::remove_dir_all(&dir);
    for (path, text) in files {
        let path = dir.join(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, text).expect("a file");
    }
    dir
}

fn doctest(dir: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sandbatch"));
    command.arg("doctest").args(args).current_dir(dir).output().expect("the binary runs")
}

fn text(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

const GOOD: &str = "Submit:\n\n```bash\n#!/bin/bash\n#SBATCH --ntasks=1\nhostname\n```\n";
const BAD: &str =
    "Submit:\n\n```bash\n#!/bin/bash\n#SBATCH --partition=nowhere\n#SBATCH --workdir=/tmp\nhostname\n```\n";

#[test]
fn exit_codes_baseline_and_corrections() {
    let dir = folder("codes", &[("docs/good.md", GOOD)]);
    let fine = doctest(&dir, &["docs", "--site", "lab"]);
    assert_eq!(fine.status.code(), Some(0), "{}", text(&fine));
    assert!(text(&fine).contains("1 page, 1 block: 1 fine"), "{}", text(&fine));
    fs::write(dir.join("docs/bad.md"), BAD).expect("a file");
    let bad = doctest(&dir, &["docs", "--site", "lab"]);
    assert_eq!(bad.status.code(), Some(1), "{}", text(&bad));
    let marked = "refused: sbatch: unrecognized option '--workdir=/tmp'; the option is now --chdir\n --> docs/bad.md:6:9\n  |\n\
                  6 | #SBATCH --workdir=/tmp\n  |         ^^^^^^^^^^^^^^\n";
    assert!(text(&bad).contains(marked), "{}", text(&bad));
    let short = doctest(&dir, &["docs", "--site", "lab", "--format", "short"]);
    assert!(
        text(&short).contains("docs/bad.md:6: refused: sbatch: unrecognized option '--workdir=/tmp'; the option is now --chdir\n"),
        "{}",
        text(&short)
    );
    let written = doctest(&dir, &["docs", "--site", "lab", "--write-baseline", "known"]);
    assert_eq!(written.status.code(), Some(0), "{}", text(&written));
    // Lines added above do not make a finding new.
    fs::write(dir.join("docs/bad.md"), format!("A line.\n\n{BAD}")).expect("a file");
    let known = doctest(&dir, &["docs", "--site", "lab", "--baseline", "known"]);
    assert_eq!(known.status.code(), Some(0), "{}", text(&known));
    let fixed = doctest(&dir, &["docs", "--site", "lab", "--fix"]);
    assert!(fs::read_to_string(dir.join("docs/bad.md")).expect("a file").contains("#SBATCH --chdir=/tmp\n"));
    assert_eq!(fixed.status.code(), Some(0), "{}", text(&fixed));
    // The other fault is reported once the first is corrected.
    assert_eq!(doctest(&dir, &["docs", "--site", "lab"]).status.code(), Some(1));
    let table = doctest(&dir, &["docs", "--site", "lab", "--table"]);
    assert!(text(&table).contains("| docs | 2 | 2 | 1 | 0 | 0 | 0 | 0 | 0 | 1 |"), "{}", text(&table));
}

#[test]
fn unreadable_files_are_reported() {
    let dir = folder(
        "unread",
        &[
            ("docs/mkdocs.yml", ""),
            ("docs/binary.md", "a\0b"),
            ("docs/outside.md", "--8<-- \"../secret.md\"\n\n--8<-- \"https://example.org/x.md\"\n"),
            ("docs/open.md", "```bash\nsinfo\n"),
            ("docs/cycle.md", "--8<-- \"cycle2.md\"\n"),
            ("docs/cycle2.md", "--8<-- \"cycle.md\"\n"),
            ("secret.md", GOOD),
            ("doctest.toml", ""),
        ],
    );
    let output = text(&doctest(&dir, &["docs", "--site", "lab", "--format", "short"]));
    for wanted in [
        "docs/binary.md: note: a binary file",
        "docs/outside.md:1: note: include: ../secret.md: outside of docs",
        "docs/outside.md:3: note: include: https://example.org/x.md: files of other machines",
        "docs/open.md:1: note: a fence that is not closed",
        "a cycle",
    ] {
        assert!(output.contains(wanted), "{wanted}\n{output}");
    }
    let cases: [(&[&str], &str); 5] = [
        (&["docs", "--site", "nosuch"], "unknown site 'nosuch'"),
        (&["nothing", "--site", "lab"], "nothing: No such file"),
        (&["docs", "--site", "docs"], "docs has no slurm.conf"),
        (&["docs", "--site", "lab", "--config", "none.toml"], "none.toml: No such file"),
        (&["docs"], "--site"),
    ];
    for (args, wanted) in cases {
        let output = doctest(&dir, args);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {}", text(&output));
        assert!(text(&output).contains(wanted), "{wanted}\n{}", text(&output));
    }
    fs::write(dir.join("doctest.toml"), "[partitions]\n\"old\" = \"nowhere\"\n").expect("a file");
    let output = doctest(&dir, &["docs", "--site", "lab"]);
    assert!(
        text(&output).contains("doctest.toml:2: error: the site has no partition 'nowhere'"),
        "{}",
        text(&output)
    );
    assert_eq!(output.status.code(), Some(2));
    fs::write(dir.join("doctest.toml"), "\nplaceholder = 1\n").expect("a file");
    assert!(
        text(&doctest(&dir, &["docs", "--site", "lab"])).contains("doctest.toml:2: error: unknown field")
    );
}

#[test]
fn a_dictionary_is_proposed_once() {
    let page = "```bash\n#SBATCH --partition=<queue> --account=<project>\n```\n";
    let dir = folder("init", &[("docs/a.md", page)]);
    let output = doctest(&dir, &["docs", "--site", "lab", "--init"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
    let written = fs::read_to_string(dir.join("doctest.toml")).expect("a dictionary");
    assert!(written.contains("\"<queue>\" = "), "{written}");
    let checked = doctest(&dir, &["docs", "--site", "lab"]);
    assert!(text(&checked).contains("1 fine"), "{}", text(&checked));
    assert_eq!(doctest(&dir, &["docs", "--site", "lab", "--init"]).status.code(), Some(2));
}

#[test]
fn the_documentation_of_this_project_passes() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let output = doctest(root, &["docs", "README.md", "CONTRIBUTING.md", "--site", "lab", "--site", "mila"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
}

const DRIFTED: &str = "Save as `hello.sh`:\n\n```bash\n#!/bin/bash\n#SBATCH -n 2\necho \"$SLURM_NTASKS tasks\"\n```\n\n\
                       ```console\n$ sbatch hello.sh\nSubmitted batch job 7\n$ cat slurm-7.out\n4 tasks\n```\n";

#[test]
fn examples_run_on_request() {
    let dir = folder("run", &[("docs/a.md", DRIFTED)]);
    let plain = doctest(&dir, &["docs", "--site", "lab"]);
    assert_eq!(plain.status.code(), Some(0), "{}", text(&plain));
    let run = doctest(&dir, &["docs", "--site", "lab", "--run", "--format", "short"]);
    assert_eq!(run.status.code(), Some(1), "{}", text(&run));
    assert!(text(&run).contains("docs/a.md:13: output has drifted: it prints: 2 tasks\n"), "{}", text(&run));
    let table = doctest(&dir, &["docs", "--site", "lab", "--run", "--table"]);
    assert!(text(&table).contains("| docs | 1 | 2 | 1 | 0 | 1 | 0 | 0 | 0 | 0 |"), "{}", text(&table));
}

/// The folder of the binary, before the folders of other programs.
fn path() -> std::ffi::OsString {
    let own = Path::new(env!("CARGO_BIN_EXE_sandbatch")).parent().expect("a folder").to_owned();
    let others = std::env::var_os("PATH").unwrap_or_default();
    std::env::join_paths(std::iter::once(own).chain(std::env::split_paths(&others)))
        .expect("no colon in a folder")
}

const SITE: &str =
    "ClusterName=site\nNodeName=n[1-2] CPUs=4 RealMemory=8000\nPartitionName=all Nodes=n[1-2] Default=YES\n";

/// Runs the steps of the workflow that authors copy, in a checkout whose binary is installed already.
#[test]
fn the_workflow_annotates_faults() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let workflow = fs::read_to_string(root.join("examples/doctest/github.yml")).expect("the workflow");
    let steps: Vec<&str> = workflow.lines().filter_map(|line| line.trim().strip_prefix("- run: ")).collect();
    assert_eq!(steps.len(), 2, "{workflow}");
    let dir = folder("workflow", &[("docs/a.md", BAD), ("site/slurm.conf", SITE)]);
    let run = |step: &str| {
        let mut bash = Command::new("bash");
        bash.args(["-e", "-o", "pipefail", "-c", step])
            .current_dir(&dir)
            .env("PATH", path())
            .output()
            .expect("bash runs")
    };
    assert_eq!(run(steps[0]).status.code(), Some(0), "the binary is installed already");
    let found = run(steps[1]);
    assert_eq!(found.status.code(), Some(1), "{}", text(&found));
    assert!(text(&found).contains("::error file=docs/a.md,line=6,title=refused::"), "{}", text(&found));
    fs::write(dir.join("docs/a.md"), GOOD).expect("a file");
    assert_eq!(run(steps[1]).status.code(), Some(0));
}

/// What pre-commit does with the hook: `entry`, the arguments of the example, and the changed files whose names match `files`.
#[test]
fn the_hook_checks_changed_pages() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let hook = fs::read_to_string(root.join(".pre-commit-hooks.yaml")).expect("the hook");
    let value = |name: &str| {
        let line = hook.lines().find_map(|line| line.trim_start_matches(['-', ' ']).strip_prefix(name));
        line.unwrap_or_else(|| panic!("{name} in {hook}")).trim().to_owned()
    };
    let example = fs::read_to_string(root.join("examples/doctest/pre-commit.yaml")).expect("the example");
    assert!(example.contains(&format!("- id: {}", value("id:"))), "{example}");
    assert!(example.contains("args: [--site, ./site]"), "{example}");
    let endings = value("files:").replace("\\.(", "").replace(")$", "");
    for ending in endings.split('|') {
        assert!(doc::DocFormat::of(&format!("a.{ending}")).is_some(), "{ending} is a page");
    }
    let dir = folder("hook", &[("docs/a.md", BAD), ("docs/b.md", GOOD), ("site/slurm.conf", SITE)]);
    let run = |files: &str| {
        let line = format!("{} --site ./site {files}", value("entry:"));
        Command::new("bash")
            .args(["-c", &line])
            .current_dir(&dir)
            .env("PATH", path())
            .output()
            .expect("bash runs")
    };
    assert_eq!(run("docs/b.md").status.code(), Some(0));
    let found = run("docs/a.md docs/b.md");
    assert_eq!(found.status.code(), Some(1), "{}", text(&found));
    assert!(text(&found).contains("docs/a.md:6:9"), "{}", text(&found));
}

/// An excerpt of the Carpentries' HPC introduction (github.com/carpentries-incubator/hpc-intro, `_episodes/13-scheduler.md`,
/// CC-BY 4.0), whose commands come from `_config.yml` and whose output from snippets.
const EPISODE: &str = "\
> > ```
> > {{ site.remote.prompt }} cat example-job.sh
> > ```
> > {: .language-bash}
> >
> > ```
> > {{ site.remote.bash_shebang }}
> > {{ site.sched.comment }} {{ site.sched.flag.time }} 00:01 # timeout in HH:MM
> >
> > echo -n \"This script is running on \"
> > hostname
> > ```
> > {: .output}
> >
> > ```
> > {{ site.remote.prompt }} {{ site.sched.submit.name }} {% if site.sched.submit.options != '' %}{{ \
site.sched.submit.options }} {% endif %}example-job.sh
> > ```
> > {: .language-bash}
> {: .solution}
{: .challenge}

{% include {{ site.snippets }}/scheduler/basic-job-status.snip %}

```
{{ site.remote.prompt }} {{ site.sched.submit.name }} {{ site.sched.flag.queue }} {{ site.sched.queue.testing }} \
example-job.sh
```
{: .language-bash}
";
const SETTINGS: &str = "snippets: \"/library/one\"\nremote:\n  prompt: \"501 mr-french%\"\n  bash_shebang: \"#!/bin/bash\"\n\
sched:\n  submit:\n    name: \"sbatch\"\n    options: \"\"\n  queue:\n    testing: \"cpubase_bycore_b1\"\n  flag:\n    \
time: \"-t\"\n    queue: \"-p\"\n  comment: \"#SBATCH\"\n";

#[test]
fn commands_of_a_lesson_are_settings() {
    let status = "```\n{{ site.remote.prompt }} squeue -u you\n  JOBID STATION NAME USER ST TIME NODES NODELIST(REASON)\n```\n";
    let files = [
        ("_config.yml", SETTINGS),
        ("_episodes/13-scheduler.md", EPISODE),
        ("_includes/library/one/scheduler/basic-job-status.snip", status),
    ];
    let dir = folder("jekyll", &files);
    // From the folder itself, and by its path.
    for (current, path) in [(dir.clone(), "."), (dir.join(".."), "doctest-jekyll")] {
        let output = doctest(&current, &[path, "--site", "lab", "--format", "short", "--verbose"]);
        let said = text(&output);
        assert_eq!(output.status.code(), Some(1), "{said}");
        for wanted in [
            "_episodes/13-scheduler.md:25: refused: invalid partition specified: cpubase_bycore_b1",
            "basic-job-status.snip:3: output has drifted",
            "1 page, 4 blocks: 2 fine, 1 output has drifted, 1 refused",
        ] {
            assert!(said.contains(wanted), "{wanted}\n{said}");
        }
    }
    let settings = SETTINGS.replace("cpubase_bycore_b1", "cpu");
    fs::write(dir.join("_config.yml"), settings).expect("a file");
    let ran =
        text(&doctest(&dir, &["_episodes", "--site", "lab", "--run", "--verbose", "--format", "short"]));
    assert!(!ran.contains("refused") && !ran.contains("does not show example-job.sh"), "{ran}");
}
