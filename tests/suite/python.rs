//! Python on a site: the prompt in a terminal, packages of the environment, messages between tasks, and pools.

use crate::page::Page;
use crate::site::inserm;
use protocol::ToEngine;

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
