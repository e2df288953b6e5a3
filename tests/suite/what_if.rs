//! `sandbatch compare` and `sandbatch sweep` on the command line: the worked example of `docs/compare.md`, and tasks that
//! are killed.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use testing::Random;

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn sandbatch(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sandbatch"));
    command.current_dir(root()).args(args);
    command
}

fn compare(args: &[&str]) -> (i32, String, String) {
    output_of(&mut sandbatch(&[&["compare"], args].concat()))
}

fn output_of(command: &mut Command) -> (i32, String, String) {
    let output = command.output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code().unwrap_or(-1), text(&output.stdout), text(&output.stderr))
}

fn temporary(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&path);
    path
}

#[test]
fn the_example_of_the_documentation() {
    let docs = fs::read_to_string(root().join("docs/compare.md")).unwrap();
    let plan = fs::read_to_string(root().join("examples/compare/plan.toml")).unwrap();
    assert!(
        docs.contains(&format!("```toml\n{plan}```")),
        "docs/compare.md shows examples/compare/plan.toml"
    );
    let dir = temporary("compare-example");
    let (code, out, err) =
        compare(&["examples/compare/plan.toml", "--quiet", "--out", dir.to_str().unwrap()]);
    assert_eq!((code, err.as_str()), (0, ""));
    let shown = docs.split("```text\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    assert!(
        !shown.trim().is_empty() && out.contains(shown),
        "docs/compare.md shows:\n{shown}\nand it is\n{out}"
    );
    for (name, part) in [
        ("report.html", "Comparison of policies"),
        ("metrics.csv", "two crowded days,no preemption,8,all,,wait_mean,s,"),
        ("differences.csv", "two crowded days,four more nodes,today,partition,cpu,wait_mean,s,8,"),
    ] {
        assert!(fs::read_to_string(dir.join(name)).unwrap().contains(part), "{name}");
    }
}

#[test]
fn plans_that_cannot_run_are_refused() {
    let dir = temporary("compare-refused");
    fs::create_dir_all(&dir).unwrap();
    let plan = fs::read_to_string(root().join("examples/compare/plan.toml")).unwrap();
    for (from, to, part) in [
        ("\"lab\"", "\"nowhere\"", "unknown site 'nowhere'"),
        ("name = \"today\"", "name = \"today\"\nprice = 3", "plan.toml:11: error: unknown field `price`"),
        ("PreemptMode=OFF", "NodeName=c01 CPUs=99999999999", "policy no preemption: slurm.conf:"),
        ("background = \"overloaded\"\ndays = 2", "file = \"none.swf\"", "none.swf"),
    ] {
        let path = dir.join("plan.toml");
        let text = plan.replace(from, to);
        assert_ne!(text, plan);
        fs::write(&path, text).unwrap();
        let (code, out, err) = compare(&[path.to_str().unwrap(), "--quiet"]);
        assert!(code == 2 && out.is_empty() && err.contains(part), "{err}");
    }
}

/// A small plan with a trace, in a directory of its own.
fn small_plan(name: &str) -> PathBuf {
    let dir = temporary(name);
    fs::create_dir_all(&dir).unwrap();
    let mut dice = Random::new(3);
    let mut trace = "; MaxNodes: 4\n; MaxProcs: 16\n".to_owned();
    for i in 1..=40 {
        let (run, tasks, user) = (dice.between(60, 4000), dice.between(1, 12), dice.between(1, 6));
        trace +=
            &format!("{i} {} 0 {run} {tasks} -1 -1 {tasks} 5000 -1 1 {user} 1 -1 -1 -1 -1 -1\n", i * 300);
    }
    fs::write(dir.join("trace.swf"), trace).unwrap();
    let plan = "[[workload]]\nfile = \"trace.swf\"\n[[policy]]\nname = \"backfill\"\n[[policy]]\n\
                name = \"in order\"\nslurm_conf = [\"SchedulerType=sched/builtin\"]\n[resample]\nnumber = 5\n";
    fs::write(dir.join("plan.toml"), plan).unwrap();
    dir
}

#[test]
fn killed_tasks_are_missing_and_the_rest_gives_the_same_report() {
    let dir = small_plan("sweep");
    let path = |name: &str| dir.join(name).to_str().unwrap().to_owned();
    let (plan, results) = (path("plan.toml"), path("results"));
    let (code, out, err) = compare(&[&plan, "--quiet", "--out", &path("whole")]);
    assert_eq!((code, err.as_str()), (0, ""));
    let sweep = |more: &[&str]| sandbatch(&[&["sweep", &plan, "--results", &results], more].concat());
    assert_eq!(output_of(&mut sweep(&["--missing"])), (0, "1-12\n".to_owned(), String::new()));

    // Kills some tasks after a random time. Whatever they leave behind, cells without a result are missing.
    let mut dice = Random::new(8);
    let mut kills = 0;
    for number in 1..=12 {
        let mut task = sweep(&["--task", &number.to_string()]).spawn().unwrap();
        if number % 3 != 0 {
            std::thread::sleep(std::time::Duration::from_millis(dice.below(40)));
            kills += i32::from(task.try_wait().unwrap().is_none());
            task.kill().unwrap();
        }
        task.wait().unwrap();
    }
    let (code, missing, _) = output_of(&mut sweep(&["--missing"]));
    assert!(code == 0 && (kills == 0 || missing.len() > 1), "{kills} kills, {missing}");
    let (code, _, err) = output_of(&mut sweep(&["--gather"]));
    assert!(missing == "\n" || code == 2 && err.contains(&format!("are missing: {missing}")), "{err}");
    let numbers = missing.trim().split(',').filter(|part| !part.is_empty()).flat_map(|part| {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        first.parse::<u32>().unwrap()..=last.parse().unwrap()
    });
    for number in numbers {
        assert_eq!(output_of(&mut sweep(&["--task", &number.to_string()])).0, 0);
    }
    let (code, gathered, err) = output_of(&mut sweep(&["--gather", "--out", &path("gathered")]));
    assert_eq!((code, err.as_str()), (0, ""));
    assert!(out == gathered);
    for name in ["report.html", "metrics.csv", "differences.csv"] {
        let [whole, gathered] = ["whole", "gathered"].map(|of| fs::read(dir.join(of).join(name)).unwrap());
        assert!(whole == gathered && !whole.is_empty(), "{name}");
    }

    // A result of another plan is refused.
    let changed = fs::read_to_string(&plan).unwrap().replace("number = 5", "number = 5\nseed = 2");
    fs::write(&plan, changed).unwrap();
    let (code, _, err) = output_of(&mut sweep(&["--gather"]));
    assert!(code == 2 && err.contains("a result of another plan"), "{err}");
    let (_, missing, _) = output_of(&mut sweep(&["--missing"]));
    assert_eq!(missing, "1-12\n");
    let (code, _, err) = output_of(&mut sweep(&["--task", "13"]));
    assert!(code == 2 && err.contains("from 1 to 12"), "{err}");
}

#[test]
fn scripts_are_accepted_by_their_programs() {
    let dir = small_plan("sweep-scripts");
    let plan = dir.join("plan.toml").to_str().unwrap().to_owned();
    let print = |kind: &str| output_of(&mut sandbatch(&["sweep", &plan, "--print", kind])).1;
    let script = print("sbatch");
    assert!(script.contains("#SBATCH --array=1-12\n"), "{script}");
    // The simulated cluster parses it like sbatch.
    let session = format!("cat > s.sh <<'END'\n{script}END\nsbatch s.sh; squeue -rh -o %K | wc -l\n");
    let mut shell = sandbatch(&["shell", "--site", "lab"]);
    let mut shell =
        shell.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    shell.stdin.take().unwrap().write_all(session.as_bytes()).unwrap();
    let output = shell.wait_with_output().unwrap();
    let out = String::from_utf8_lossy(&output.stdout);
    assert!(out.contains("Submitted batch job") && out.contains("12\n"), "{out}");
    assert!(print("parallel").starts_with("parallel sandbatch sweep "));
    assert!(print("snakemake").starts_with("rule all:\n"));
}
