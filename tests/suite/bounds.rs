//! Scripts with errors or endless loops: their output is correct, nothing freezes, and memory stays bounded.

use crate::bench::Site;
use base::time::{Span, Time};
use config::SiteFiles;
use engine::session::{Session, Setup};
use engine::world::{Input, InputResult};
use shell::Prompt;
use std::time::{Duration, Instant};

const CONF: &str = "\
ClusterName=bounds
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
DefMemPerCPU=1000
NodeName=n[1-2] CPUs=4 RealMemory=8000
PartitionName=batch Nodes=n[1-2] Default=YES MaxTime=1-0
";

fn site() -> Site {
    Site::new(&[("slurm.conf", CONF), ("site.toml", "users = [{ name = \"alice\" }]\n")])
}

/// The output of a job with these script lines, and its line in `sacct`.
fn job(site: &mut Site, options: &str, lines: &str) -> String {
    let text = lines.replace('\'', "'\\''");
    let submit =
        format!("printf '#!/bin/bash\\n%s\\n' '{text}' > job.sh; sbatch -W --parsable {options} job.sh");
    let id = site.run("alice", &submit).lines().next().unwrap_or_default().to_owned();
    let text = site.run("alice", &format!("cat slurm-{id}.out; sacct -nPX -j {id} -o state,exitcode"));
    text.replace(&format!("/var/spool/slurmd/n1/job{:05}/slurm_script", id.parse::<u32>().unwrap_or(0)), "S")
}

#[test]
fn a_loop_without_end_reaches_its_time_limit() {
    let mut site = site();
    let said = job(&mut site, "-t 1", "echo begin\nwhile :; do :; done");
    assert!(said.starts_with("begin\n["), "{said}");
    assert!(said.ends_with(" DUE TO TIME LIMIT ***\nTIMEOUT|0:0\n"), "{said}");
}

#[test]
fn recursion_without_end() {
    let mut site = site();
    assert_eq!(
        job(&mut site, "", "f() { f; }\nf\necho rc=$?"),
        "S: line 2: f: maximum function nesting level exceeded (1000)\nrc=1\nCOMPLETED|0:0\n"
    );
    let said = job(&mut site, "-t 1", ":(){ :|:& };:\nsleep 5; echo here");
    assert!(said.contains("fork: retry: Resource temporarily unavailable"), "{said:.300}");
    assert_eq!(site.run("alice", "squeue -h; echo up"), "up\n");
    let said =
        job(&mut site, "", "printf '#!/bin/bash\\n$0\\n' > self; chmod +x self; ./self | tail -n 1; echo on");
    assert!(said.ends_with("on\nCOMPLETED|0:0\n"), "{said:.300}");
}

#[test]
fn pipes_and_texts_are_bounded() {
    let mut site = site();
    assert_eq!(job(&mut site, "", "yes | sleep 1000\necho ${PIPESTATUS[@]}"), "141 0\nCOMPLETED|0:0\n");
    let said = job(&mut site, "", "x=$(yes)\necho never");
    assert_eq!(said, "S: line 2: command substitution: output too large\nnever\nCOMPLETED|0:0\n");
    let said = job(&mut site, "", "x=x; for i in {1..40}; do x=$x$x; done\necho ${#x}");
    assert!(said.starts_with("S: line 2: xrealloc: cannot allocate memory"), "{said:.300}");
    assert_eq!(job(&mut site, "", "for i in {1..300000}; do :; done; echo $i"), "300000\nCOMPLETED|0:0\n");
    let said = job(&mut site, "", "echo {1..99999999} | wc -w; echo on");
    assert!(said.contains("brace expansion: too many words"), "{said:.300}");
}

#[test]
fn huge_files_are_sizes() {
    let mut site = site();
    let said = job(
        &mut site,
        "",
        "truncate -s 5T big; stat -c %s big; head -c 300M /dev/zero > z; wc -c z\ncp big b2; ls -s b2 | cut -c1-2",
    );
    assert_eq!(said, "5497558138880\n314572800 z\n0 \nCOMPLETED|0:0\n");
    let said = job(&mut site, "", "yes | head -c 3M | tr -d '\\n' > line; wc -lc line; cut -c1-5 line");
    assert_eq!(said, "      0 1572864 line\nyyyyy\nCOMPLETED|0:0\n");
}

#[test]
fn scripts_that_sbatch_refuses() {
    let mut site = site();
    let no_interpreter = "sbatch: error: This does not look like a batch script.  The first\nsbatch: error: line must start with #! followed by the path to an interpreter.\nsbatch: error: For instance: #!/bin/sh\n";
    let dos = "sbatch: error: Batch script contains DOS line breaks (\\r\\n)\nsbatch: error: instead of expected UNIX line breaks (\\n).\n";
    for (make, said) in [
        (r"printf '#!/bin/bash\r\necho hi\r\n'", dos),
        ("echo echo hi", no_interpreter),
        (r"printf '\177ELF\0\0\0'", no_interpreter),
        ("true", "sbatch: error: Batch script is empty!\n"),
    ] {
        assert_eq!(site.run("alice", &format!("{make} > s; sbatch s")), said, "{make}");
    }
    assert_eq!(site.run("alice", "sbatch nope"), "sbatch: error: Unable to open file nope\n");
    let unreadable = "printf '#!/bin/bash\\n' > s; chmod 0 s; sbatch s";
    assert_eq!(site.run("alice", unreadable), "sbatch: error: Unable to open file s\n");
}

#[test]
fn commands_before_a_syntax_error_run() {
    let mut site = site();
    let said = job(&mut site, "", &format!("echo one\n{}if then\necho never", "# x\n".repeat(37)));
    let told =
        "one\nS: line 40: syntax error near unexpected token `then'\nS: line 40: `if then'\nFAILED|2:0\n";
    assert_eq!(said, told);
    let said = job(&mut site, "", "echo one\necho \"open");
    assert_eq!(said, "one\nS: line 3: unexpected EOF while looking for matching `\"'\nFAILED|2:0\n");
}

#[test]
fn a_home_may_be_removed() {
    let mut site = site();
    let said = site.run("alice", "echo x > a; mkdir -p d/e; rm -rf ~; ls -A ~; cd; pwd; echo y > b; cat b");
    assert_eq!(said, "/home/alice\ny\nrm: cannot remove '/home/alice': Permission denied\n");
}

#[test]
fn missing_interpreters() {
    let mut site = site();
    let run = "chmod +x s; ./s; echo $?";
    let said = site.run("alice", &format!("printf '#!/usr/bin/env nosuch\\n' > s; {run}"));
    assert_eq!(said, "127\n/usr/bin/env: 'nosuch': No such file or directory\n");
    let said = site.run("alice", &format!("printf '#!/bin/tcsh\\n' > s; {run}"));
    assert!(said.starts_with("127\ntcsh: not simulated in sandbatch"), "{said}");
    let said =
        site.run("alice", &format!("printf '#!/usr/bin/env -S bash -e\\nfalse\\necho never\\n' > s; {run}"));
    assert_eq!(said, "1\n");
}

#[test]
fn a_node_gets_no_more_tasks_than_max_tasks_per_node() {
    let mut site = site();
    let said = site.run(
        "alice",
        "exec 2>&1; salloc -Q -n1 bash -c 'srun -n 20000 -O hostname; srun -n 512 -O hostname | wc -l'",
    );
    assert!(said.contains("Task count specification invalid"), "{said:.300}");
    assert!(said.ends_with("512\n"), "{said:.300}");
}

/// No single step of the engine takes long, so that Ctrl-C is looked at in time; then the shell is back.
#[test]
#[expect(clippy::disallowed_methods, reason = "it measures real time")]
fn bc_at_a_large_scale_is_interrupted_at_once() {
    let files = [("slurm.conf", CONF), ("site.toml", "users = [{ name = \"alice\" }]\n")];
    let files = SiteFiles(files.map(|(name, text)| (name.to_owned(), text.to_owned())).into());
    let start = Time::from_secs(1_795_240_440);
    let mut session = Session::new(Setup { site: "bounds".to_owned(), files, seed: 1, start });
    let login = Input::Login { user: "alice".to_owned(), columns: 80, rows: 24 };
    let InputResult::Terminal(tty) = session.apply(login) else { panic!("alice logs in") };
    session.run_until(start + Span::from_secs(1), u64::MAX);
    for typed in [
        "echo 'scale=2000; a(1)' | bc -l | tail -c 7; echo 'scale=2000; a(1)' | bc -l\n",
        "while :; do echo 'scale=2000; while (1) x = a(1)' | bc -l; done\n",
    ] {
        session.apply(Input::Type(tty, typed.as_bytes().to_vec()));
        let until = session.world().now + Span::from_secs(3600);
        let mut longest = Duration::ZERO;
        for _ in 0..40 {
            let began = Instant::now();
            session.step(until);
            longest = longest.max(began.elapsed());
        }
        assert!(longest < Duration::from_secs(3), "a step of {longest:?}: {typed}");
        session.apply(Input::Type(tty, vec![3]));
        session.run_until(session.world().now + Span::from_secs(1), u64::MAX);
        assert!(matches!(session.prompt(tty), Prompt::Ready(_)), "{typed}");
    }
}
