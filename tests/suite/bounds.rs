//! Scripts with errors or endless loops: their output is correct, nothing freezes, and memory stays bounded.

use crate::bench::Site;
use base::time::{Span, Time};
use config::SiteFiles;
use engine::session::{Session, Setup};
use engine::world::{Input, InputResult};
use host::memory::MemoryBounds;
use shell::Prompt;
use std::time::Duration;

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

#[test]
fn memory_of_commands_is_bounded() {
    let mut site = site();
    for (program, code) in [
        ("awk 'BEGIN { while (1) a[i++] = sprintf(\"%10000d\", i) }'", 2),
        ("awk 'function f(x) { f(x) } BEGIN { f(sprintf(\"%100000d\", 1)) }'", 2),
        ("yes $(printf '%01000d' 1) | head -n -999999999", 1),
        ("yes '' | head -c 60M | sort", 2),
    ] {
        let said = site.run("alice", &format!("{program} 2>&1 | tail -c 300; echo ${{PIPESTATUS[@]: -2:1}}"));
        assert!(said.contains("Cannot allocate memory"), "{program}: {said}");
        assert!(said.ends_with(&format!("{code}\n")), "{program}: {said}");
    }
    // The arrays of a function end with it.
    let said = site.run(
        "alice",
        "awk 'function f(  a, i) { for (i = 0; i < 100; i++) a[i] = sprintf(\"%10000d\", i); return g(a) }\n\
         function g(b) { b[1] = 2; return b[1] + length(b) } BEGIN { for (j = 0; j < 200; j++) s += f(); print s }'",
    );
    assert_eq!(said, "20400\n");
    assert_eq!(site.run("alice", "echo on"), "on\n");
}

/// Time passes by the work, not by the number of operations.
#[test]
fn large_texts_take_time() {
    let mut site = site();
    for program in [
        "awk 'BEGIN { x = sprintf(\"%1000000d\", 1); while (1) x = x \"a\" }'",
        "awk 'BEGIN { CONVFMT = sprintf(\"%1000000d\", 1); while (1) y = 1.5 < 2.5 }'",
        "bash -c 'yes $(printf %050000d 1) | sed -n \":a;N;s/1/2/;ba\"'",
        "bash -c 'x=$(printf %0100000d 1); x=$x$x; while :; do y=$x$x; done'",
    ] {
        let began = testing::thread_time();
        let said = site.run("alice", &format!("timeout 0.1 {program}; echo $?"));
        assert!(said.starts_with("124\n") || said.contains("memory"), "{program}: {said}");
        let took = testing::thread_time() - began;
        assert!(took < Duration::from_secs(30), "{program}: {took:?}");
    }
}

#[test]
fn devices_without_end_do_not_stop_the_world() {
    let mut site = site();
    for (command, code) in [
        ("tail -n1 /dev/zero", 124),
        ("xargs < /dev/zero", 1),
        ("cat /dev/zero | tail -c 1", 124),
        ("read x < /dev/zero", 124),
        ("wc /dev/zero", 124),
        ("wc < /dev/urandom", 124),
        ("tee < /dev/zero", 124),
        ("cat /dev/zero", 124),
        ("tr a b < /dev/zero", 124),
        ("dd if=/dev/zero of=/dev/null", 124),
        ("dd if=/dev/urandom bs=1M", 124),
        ("dd skip=99999999999 < /dev/zero", 124),
        ("head -c 999999999999 /dev/zero", 124),
        ("md5sum < /dev/zero", 124),
        ("sha512sum /dev/zero", 124),
        ("cksum < /dev/urandom", 124),
        ("base64 < /dev/urandom", 124),
        ("fold -w 10 /dev/zero", 124),
        ("cut -c1 < /dev/zero", 124),
    ] {
        let said = site.run("alice", &format!("timeout 0.05 bash -c '{command}' > /dev/null 2>&1; echo $?"));
        assert_eq!(said, format!("{code}\n"), "{command}");
    }
}

/// What keeps a device's bytes runs out of memory, and says so.
#[test]
fn devices_without_end_do_not_fit_into_memory() {
    let mut site = site();
    site.bound_memory(MemoryBounds { process: 8 << 20, ..MemoryBounds::default() });
    for command in [
        "tail /dev/zero",
        "tail -n +2 /dev/zero",
        "sort < /dev/zero",
        "grep x /dev/zero",
        "sed p /dev/zero",
        "cut -f1 < /dev/zero",
        "fold -w 999999999 /dev/zero",
        "awk 1 /dev/zero",
        "awk 1 RS=x /dev/zero",
        "jq -s . < /dev/zero",
        "head -n1 /dev/zero",
        "rev /dev/zero",
    ] {
        let said =
            site.run("alice", &format!("timeout 60 {command} 2>&1 | tail -c 200; echo ${{PIPESTATUS[0]}}"));
        let code = said.lines().next_back().unwrap_or_default();
        let told = said.to_lowercase();
        assert!(
            told.contains("cannot allocate memory") || told.contains("memory exhausted"),
            "{command}: {said}"
        );
        assert!(!matches!(code, "0" | "124"), "{command}: {said}");
    }
    assert_eq!(site.run("alice", "echo on"), "on\n");
}

/// Several processes that are small alone.
#[test]
fn memory_of_a_user_and_of_all_users_is_bounded() {
    let mut site = site();
    let hold =
        "awk 'BEGIN { for (i = 0; i < 300; i++) a[i] = sprintf(\"%10000d\", i); system(\"sleep 100\") }'";
    let one_more = format!("{hold} 2>&1; echo $?");
    let told = "awk: Cannot allocate memory\n2\n";
    // Each holds 3 MB.
    site.bound_memory(MemoryBounds { process: 4 << 20, user: 10 << 20, all: 16 << 20 });
    site.run("alice", &format!("for n in 1 2 3; do {hold} & done > /dev/null 2>&1; sleep 1"));
    assert_eq!(site.run("alice", &one_more), told);
    assert_eq!(site.run("root", &one_more), "0\n", "another user has memory");
    site.pass(200);
    assert_eq!(site.run("alice", &one_more), "0\n", "the others have ended");
    site.run("alice", &format!("for n in 1 2 3; do {hold} & done > /dev/null 2>&1; sleep 1"));
    site.run("root", &format!("for n in 1 2; do {hold} & done > /dev/null 2>&1; sleep 1"));
    assert_eq!(site.run("root", &one_more), told, "the cluster's memory is full");
    site.pass(200);
    // A shell is told, too.
    site.run("alice", &format!("for n in 1 2 3; do {hold} & done > /dev/null 2>&1; sleep 1"));
    let shell = "bash -c 'x=$(printf %0500000d 1); y=$x$x; z=$y$y; sleep 1' 2>&1; echo $?";
    assert_eq!(site.run("alice", shell), "bash: xrealloc: cannot allocate memory\n2\n");
    assert_eq!(site.run("root", shell), "0\n");
}

#[test]
fn names_that_are_too_long() {
    let mut site = site();
    let said = site.run(
        "alice",
        "mkdir -p $(printf 'd/%.0s' {1..20000}) 2>&1 | tail -c 22; ls -A | grep d$; mkdir -p e/f; ls e",
    );
    assert!(said.starts_with("'. File name too long") || said.contains(": File name too long\n"), "{said}");
    assert!(said.ends_with("long\nf\n"), "nothing is made: {said}");
}

#[test]
fn a_setting_that_is_repeated_counts_once() {
    let mut site = site();
    let said = site.run(
        "root",
        "sacctmgr -i add account one >/dev/null; sacctmgr -i add account two >/dev/null; \
         sacctmgr -i add user alice account=one,two $(printf 'DefaultAccount=one %.0s' {1..5000}) DefaultAccount=two | grep Default; \
         sacctmgr -n show user alice format=defaultaccount%5; n=$(seq -s, 1000); sacctmgr -i add user $n account=$n",
    );
    assert!(said.starts_with("  Default Account = two\n  two \n"), "{said:.500}");
    assert!(said.contains("Too many associations for one command: 1000000"), "{said:.500}");
}

#[test]
fn memory_that_jobs_hold_may_be_taken_from_a_node() {
    let mut site = site();
    site.run(
        "alice",
        "sbatch -w n1 --mem 6000 --wrap 'sleep 600'; sbatch -w n2 --mem 500 --wrap 'sleep 600'; sleep 5",
    );
    let lower = "sed -i 's/RealMemory=8000/RealMemory=1000/' /etc/slurm/slurm.conf; scontrol reconfigure";
    assert_eq!(site.run("root", lower), "");
    site.pass(60);
    site.run("alice", "sbatch -w n1 --mem 100 --wrap 'sleep 5'; sbatch -w n2 --mem 400 --wrap 'sleep 600'");
    site.pass(60);
    let said = site.run("alice", "squeue -h -S i -o '%i %T %r'; sinfo -h -N -o '%N %m %e'");
    assert!(
        said.starts_with("1 RUNNING None\n2 RUNNING None\n3 PENDING Resources\n4 RUNNING None\n"),
        "{said}"
    );
    // It starts when the first one has ended.
    site.pass(700);
    assert!(site.run("alice", "sacct -nPX -j 3 -o state").starts_with("COMPLETED"));
}

/// No single step of the engine takes long, so that Ctrl-C is looked at in time; then the shell is back.
#[test]
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
            let began = testing::thread_time();
            session.step(until);
            longest = longest.max(testing::thread_time() - began);
        }
        assert!(longest < Duration::from_secs(3), "a step of {longest:?}: {typed}");
        session.apply(Input::Type(tty, vec![3]));
        session.run_until(session.world().now + Span::from_secs(1), u64::MAX);
        assert!(matches!(session.prompt(tty), Prompt::Ready(_)), "{typed}");
    }
}
