//! Pages whose examples run: what is compared, what is certain, and what is said of the rest.

use crate::tests::{CONF, SiblingFiles, site};
use crate::{Checker, DoctestConfig};

/// `line kind: message` of each finding, with or without running the examples.
fn found(text: &str, run: bool) -> Vec<String> {
    let sites = [site("rho", CONF)];
    let config = DoctestConfig::default();
    let page = Checker::new(&sites, &config).running(run).page("a.md", text, &mut SiblingFiles::default());
    let all = page.blocks.iter().flat_map(|b| &b.findings);
    all.map(|f| format!("{} {}: {}", f.line, f.verdict.rule(), f.message)).collect()
}

fn page(script: &str, session: &str) -> String {
    format!("Save as `hello.sh`:\n\n```bash\n{script}```\n\nThen:\n\n```console\n{session}```\n")
}

const HELLO: &str = "#!/bin/bash\n#SBATCH --account=<project>\n#SBATCH --ntasks=2\n#SBATCH --time=5\n\
                     srun echo \"Hello from $SLURM_JOB_NAME\"\nsleep 30\necho \"Done with $SLURM_NTASKS tasks in job $SLURM_JOB_ID\"\n";
const SESSION: &str = "$ sbatch hello.sh\nSubmitted batch job 4711\n$ cat slurm-4711.out\nHello from hello.sh\n\
                       Hello from hello.sh\nDone with 2 tasks in job 4711\n";

#[test]
fn output_that_the_script_prints() {
    assert_eq!(found(&page(HELLO, SESSION), true), Vec::<String>::new());
    // Another ID without the line that sbatch prints, an omission, and the site's own lines.
    let short = "$ sbatch hello.sh\n$ cat slurm-99.out\n...\nDone with 2 tasks in job 99\n";
    assert_eq!(found(&page(HELLO, short), true), Vec::<String>::new());
    let banner = SESSION.replace("Hello from hello.sh\nDone", "== prologue ==\nDone");
    let said = found(&page(HELLO, &banner), true);
    assert_eq!(
        said,
        ["20 not-checkable: the simulated cluster does not print this line: the site may add it"]
    );
}

#[test]
fn output_that_has_drifted() {
    let old = SESSION.replace("Done with 2 tasks", "Done with 4 tasks");
    let wanted = "21 output-drifted: it prints: Done with 2 tasks in job ";
    let said = found(&page(HELLO, &old), true);
    assert!(said.len() == 1 && said[0].starts_with(wanted), "{said:?}");
    assert_eq!(found(&page(HELLO, &old), false), Vec::<String>::new());
    let srun = "```console\n$ srun -n 1 echo \"all is well\"\nAll is well\n```\n";
    assert_eq!(found(srun, true), ["3 output-drifted: it prints: all is well"]);
}

#[test]
fn scripts_that_bash_or_srun_refuses() {
    let open = "#!/bin/bash\n#SBATCH -n 1\nif true; then\n  echo a\nsrun hostname\n";
    let said = found(&format!("```bash\n{open}```\n"), true);
    assert!(
        said.len() == 1 && said[0].contains("fails: bash: syntax error: unexpected end of file"),
        "{said:?}"
    );
    let word = "#!/bin/bash\n#SBATCH -n 1\necho a (b)\nsrun hostname\n";
    let said = found(&format!("```bash\n{word}```\n"), true);
    assert!(said.len() == 1 && said[0].starts_with("4 fails: bash: syntax error near"), "{said:?}");
    let step = "#!/bin/bash\n#SBATCH -n 1\n#SBATCH -p small\nsrun -n 64 hostname\n";
    let said = found(&format!("```bash\n{step}```\n"), true);
    assert!(
        said.len() == 1 && said[0].starts_with("5 fails: srun: error: Unable to create step"),
        "{said:?}"
    );
    assert_eq!(found(&format!("```bash\n{step}```\n"), false), Vec::<String>::new());
}

#[test]
fn what_is_not_certain() {
    let program = HELLO.replace("sleep 30", "./solver input.dat");
    let said = found(&page(&program, SESSION), true);
    assert!(
        said[0].contains("not-checkable: run here, the job ends as COMPLETED (0:0): line 6: ./solver: No such file or directory"),
        "{said:?}"
    );
    assert!(
        said[1]
            .contains("not-checkable: the output is not compared: ./solver may print something else there"),
        "{said:?}"
    );
    let late = "#!/bin/bash\n#SBATCH -t 1\necho a\nsleep 600\n";
    let said = found(&page(late, "$ sbatch hello.sh\n"), true);
    assert!(
        said.len() == 1 && said[0].contains("not-checkable: run here, the job ends as TIMEOUT"),
        "{said:?}"
    );
    let open = "#!/bin/bash\n#SBATCH -n 1\nsrun <your program>\n";
    let said = found(&page(open, "$ sbatch hello.sh\n"), true);
    assert!(
        said.len() == 1 && said[0].contains("not-checkable: not run: <your program> has no value"),
        "{said:?}"
    );
    // A program that never waits is stopped.
    let busy = "#!/bin/bash\n#SBATCH -t 1-0\nwhile true; do :; done\n";
    let said = found(&page(busy, "$ sbatch hello.sh\n"), true);
    assert!(said.len() == 1 && said[0].contains("not-checkable: not run: the job does not end"), "{said:?}");
}

#[test]
fn scripts_that_start_processes_or_jobs_without_end() {
    for bomb in [":(){ :|:& };:", "bomb() { bomb & bomb & wait; }\nbomb"] {
        let said = found(&format!("```bash\n#!/bin/bash\n#SBATCH -t 10\n{bomb}\n```\n"), true);
        assert!(
            said.len() == 1
                && said[0].contains("not-checkable: run here, the job ends as")
                && said[0].contains("fork: retry: Resource temporarily unavailable"),
            "{said:?}"
        );
    }
    let again = "not-checkable: not run: the job submits one job after the other";
    for script in [
        "echo step\nsbatch $0\n",
        "sbatch hello.sh\n",
        "sbatch --dependency=afterany:$SLURM_JOB_ID hello.sh\nsleep 10\n",
        "sbatch hello.sh\nsbatch hello.sh\n",
        "while true; do sbatch --wrap=hostname; done\n",
    ] {
        let said = found(&page(&format!("#!/bin/bash\n#SBATCH -t 1\n{script}"), "$ sbatch hello.sh\n"), true);
        assert!(said.len() == 1 && said[0].contains(again), "{script}: {said:?}");
    }
    // A chain with an end.
    let chain =
        "#!/bin/bash\n#SBATCH -t 1\nif [ \"${1:-0}\" -lt 2 ]; then\n  sbatch hello.sh $((${1:-0} + 1))\nfi\n";
    assert_eq!(found(&page(chain, "$ sbatch hello.sh\n"), true), Vec::<String>::new());
}

#[test]
fn a_script_that_writes_a_script() {
    // The inner script is no script of the page: its variable is set by the outer one.
    let outer = "#!/bin/bash\n#SBATCH -n 1\nINNER=inner.sh\ncat << 'EOF' > $INNER\n#!/bin/bash\necho in\nEOF\nchmod +x $INNER\n\
                 srun ./$INNER\n";
    assert_eq!(found(&format!("```bash\n{outer}```\n"), true), Vec::<String>::new());
}

#[test]
fn arrays_and_files_of_the_page() {
    let array = "#!/bin/bash\n#SBATCH --array=1-3\n#SBATCH --output=a.out\n#SBATCH --open-mode=append\necho \"task $SLURM_ARRAY_TASK_ID\"\n";
    let session = "$ sbatch hello.sh\n$ sort a.out\ntask 1\ntask 2\ntask 3\n";
    assert_eq!(found(&page(array, session), true), Vec::<String>::new());
    // A button of MkDocs is no part of the script.
    let note = array.replace("echo", "echo \\ # (1)!\n");
    assert_eq!(found(&page(&note, session), true), Vec::<String>::new());
    let said = found(&page(array, &session.replace("task 3", "step 3")), true);
    assert!(said.len() == 1 && said[0].contains("output-drifted: it prints: task "), "{said:?}");
}
