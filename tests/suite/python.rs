//! Python on a site: the prompt in a terminal, packages of the environment, messages between tasks, and pools.

use crate::page::Page;
use crate::site::inserm;
use base::time::Span;
use engine::session::Session;
use engine::world::{Input, InputResult};
use host::tty::TtyId;
use protocol::ToEngine;
use std::collections::BTreeSet;

/// Types a line to a program and returns what the terminal shows after a few ticks.
fn tells(page: &mut Page, line: &str) -> String {
    let before = page.screen.len();
    page.send(ToEngine::Type { tty: page.tty(), bytes: format!("{line}\n").into_bytes() });
    page.ticks(20);
    String::from_utf8_lossy(&page.screen[before..]).into_owned()
}

#[test]
fn a_prompt_runs_in_a_terminal() {
    let mut page = Page::of(inserm(1), None, Vec::new());
    let banner = tells(&mut page, "python3");
    assert!(banner.contains("Python 3.11.2") && banner.trim_end().ends_with(">>>"), "{banner}");
    assert!(tells(&mut page, "6 * 7").contains("42"));
    assert!(tells(&mut page, "import os; os.environ['HOME']").contains("'/home/"));
    assert!(tells(&mut page, "1 / 0").contains("ZeroDivisionError: division by zero"));
    let shell = page.types("exit()");
    assert!(!shell.contains(">>>"), "{shell}");
    assert!(page.types("echo $?").contains('0'));
}

#[test]
fn an_installed_package_can_be_imported() {
    let mut page = Page::of(inserm(1), None, Vec::new());
    let missing = page.types("python3 -c 'import numpy'; echo code $?");
    assert!(missing.contains("ModuleNotFoundError: No module named 'numpy'"), "{missing}");
    assert!(missing.contains("code 1"), "{missing}");
    page.types("python3 -m venv env && source env/bin/activate && pip install numpy > /dev/null");
    let there = page.types("python -c 'import numpy as np; print(np.arange(4).sum(), np.__version__)'");
    assert!(there.contains("6 1.26.4"), "{there}");
    let missing = page.types("deactivate; python3 -c 'import numpy'");
    assert!(missing.contains("ModuleNotFoundError"), "{missing}");
}

#[test]
fn tasks_exchange_messages() {
    let mut page = Page::of(inserm(1), None, Vec::new());
    let script = "from mpi4py import MPI\\nc = MPI.COMM_WORLD\\nr = c.Get_rank()\\nparts = c.gather(r * r, root=0)\\ntotal = c.allreduce(r)\\n\
                  x = c.bcast({\"n\": 5} if r == 0 else None)\\nif r == 0: print(c.Get_size(), parts, total, x[\"n\"])\\n";
    page.types(&format!(
        "mkdir -p ~/.local; echo 'mpi4py 3.1.5' > ~/.local/pip-packages; printf '{script}' > mpi.py"
    ));
    let ran = page.types("srun -n 4 -t 5 python3 mpi.py; ls -A ~/.mpi4py");
    assert!(ran.contains("4 [0, 1, 4, 9] 6 5"), "{ran}");
}

#[test]
fn the_workers_of_a_pool_are_processes() {
    let mut page = Page::of(inserm(1), None, Vec::new());
    let script = "import time, os\\nfrom multiprocessing import Pool\\ndef f(x):\\n    time.sleep(5)\\n    return x * x, os.getpid()\\n\
                  t = time.time()\\nwith Pool(4) as p: r = p.map(f, range(8))\\n\
                  print([a for a, _ in r], len(set([b for _, b in r])), round(time.time() - t))\\n";
    page.types(&format!("printf '{script}' > pool.py"));
    page.types("python3 pool.py > out.txt &");
    page.types("sleep 2");
    let seen = page.types("ps -e | grep -c python3");
    assert!(seen.contains('5'), "{seen}");
    page.types("sleep 15");
    let out = page.types("cat out.txt");
    assert!(out.contains("[0, 1, 4, 9, 16, 25, 36, 49] 4 10"), "{out}");
}

/// Threads, processes, a child and a signal handler. All of them wait when the world is saved.
const WAITS: &str = "import multiprocessing, signal, subprocess, threading, time
def work(q, n):
    for i in range(4):
        time.sleep(3 + n)
        q.put((n, i))
def tick(out):
    for i in range(5):
        time.sleep(2.5)
        out.append(sum(range(i * 1000)))
def caught(number, frame):
    print('caught', signal.Signals(number).name)
    time.sleep(4)
    print('handled')
signal.signal(signal.SIGUSR1, caught)
q, out = multiprocessing.Queue(), []
ps = [multiprocessing.Process(target=work, args=(q, n)) for n in range(2)]
t = threading.Thread(target=tick, args=(out,))
for x in ps + [t]:
    x.start()
print(subprocess.run('sleep 7; echo child', shell=True, capture_output=True, text=True).stdout, end='')
for x in ps + [t]:
    x.join()
print(sorted(q.get() for _ in range(8)), out, 2j ** 2)
";

fn line(session: &mut Session, tty: TtyId, line: &str, seconds: i64) {
    session.apply(Input::Type(tty, format!("{line}\n").into_bytes()));
    let until = session.world().now + Span::from_secs(seconds);
    session.run_until(until, 10_000_000);
}

fn file(session: &Session, name: &str) -> String {
    let data =
        session.world().kernel.fs.read(base::ids::Uid(0), &format!("/home/alice/{name}")).expect("a file");
    String::from_utf8_lossy(&data).into_owned()
}

#[test]
fn a_program_goes_on_where_the_world_was_saved() {
    let mut session = Session::new(inserm(1));
    let InputResult::Terminal(tty) =
        session.apply(Input::Login { user: "alice".to_owned(), columns: 80, rows: 24 })
    else {
        panic!("no terminal");
    };
    session.apply(Input::Save {
        user: "alice".to_owned(),
        path: "/home/alice/busy.py".to_owned(),
        data: WAITS.as_bytes().to_vec(),
    });
    line(&mut session, tty, "python3 busy.py > out.txt & sleep 2; kill -USR1 $!", 4);
    let bytes = session.save();
    let (mut copy, notices) =
        Session::resume(inserm(1), Some(&bytes), &[], &BTreeSet::new()).expect("a good session");
    assert_eq!(notices, []);
    for session in [&mut session, &mut copy] {
        line(session, tty, "ps -e | grep -c '[p]ython3' > seen.txt", 5);
        line(session, tty, "wait; cat out.txt > end.txt", 40);
    }
    assert_eq!(copy.world().hash(), session.world().hash());
    assert_eq!(file(&copy, "end.txt"), file(&session, "end.txt"));
    assert_eq!(
        file(&copy, "end.txt"),
        "caught SIGUSR1\nhandled\nchild\n[(0, 0), (0, 1), (0, 2), (0, 3), (1, 0), (1, 1), (1, 2), (1, 3)] [0, 499500, 1999000, 4498500, 7998000] (-4+0j)\n"
    );
    assert_eq!(file(&copy, "seen.txt"), "3\n");
}

/// The workers of a job's program are processes of the job: they appear in `ps`, and their CPU time in `sacct`.
#[test]
fn processes_of_a_job_use_its_cpus() {
    let mut page = Page::of(inserm(1), None, Vec::new());
    let script = "#!/usr/bin/env python3\\n#SBATCH -c 4 -t 10 -o job.txt\\nimport os, time\\nfrom concurrent.futures import ProcessPoolExecutor\\n\
                  def work(n):\\n    for i in range(300000):\\n        n += i\\n    time.sleep(5)\\n    return os.getpid()\\n\
                  with ProcessPoolExecutor(len(os.sched_getaffinity(0))) as e:\\n    print(len(set(e.map(work, range(8)))))\\n";
    page.types(&format!("printf '{script}' > job.py; sbatch job.py; sleep 6"));
    let seen = page.types("n=$(squeue -h --me -o %N); ssh $n ps -ef | grep -c '[s]lurm_script'");
    assert!(seen.contains('5'), "{seen}{}", page.types("ssh $n ps -ef; squeue"));
    page.types("sleep 20");
    let out = page.types("cat job.txt; sacct -n -X -P -o state -j 1; sacct -n -P -o totalcpu -j 1.batch");
    assert!(out.contains("4\r\nCOMPLETED") || out.contains("4\nCOMPLETED"), "{out}");
    assert!(!out.contains("00:00:00") && out.contains("00:00."), "{out}");
}
