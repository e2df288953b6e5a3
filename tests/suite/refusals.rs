//! What is not simulated says so in one line, and fails or names itself: never empty output and exit code 0.

use std::io::Write as _;
use std::process::{Command, Stdio};

/// What a login shell of the site `lab` shows for these lines, output and messages in order.
fn typed(lines: &str) -> String {
    let mut shell = Command::new(env!("CARGO_BIN_EXE_sandbatch"))
        .args(["shell", "--site", "lab", "--background", "off"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program");
    shell.stdin.take().expect("a pipe").write_all(lines.as_bytes()).expect("commands");
    let output = shell.wait_with_output().expect("an end");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn programs_that_are_not_there() {
    for command in ["sqlite3 a.db 'select 1'", "strace ls"] {
        let shown = typed(&format!("{command}; echo code $?\n"));
        let name = command.split(' ').next().unwrap_or_default();
        let lines: Vec<&str> = shown.lines().collect();
        assert!(lines[0].starts_with(&format!("{name}: not simulated in sandbatch: ")), "{shown}");
        assert_eq!(lines[1..], ["code 127"], "{shown}");
    }
}

#[test]
fn memory_that_python_processes_share() {
    let message = "NotImplementedError: sandbatch does not simulate multiprocessing.shared_memory";
    for script in [
        "from multiprocessing import shared_memory\ns = shared_memory.SharedMemory(create=True, size=10)\n",
        "import multiprocessing.shared_memory\nprint('on')\n",
        "from multiprocessing.shared_memory import SharedMemory\n",
    ] {
        let lines = format!("cat > a.py <<'END'\n{script}END\npython3 a.py; echo code $?\n");
        let shown = typed(&lines);
        assert!(shown.starts_with("Traceback") && shown.contains("a.py\", line 1"), "{script}: {shown}");
        assert!(shown.ends_with(&format!("\n{message}\ncode 1\n")), "{script}: {shown}");
    }
    let job = "sbatch -Q -o a.out --wrap 'python3 -c \"from multiprocessing import shared_memory\"'\nsleep 30\n\
               sacct -X -n -P -o State,ExitCode\ntail -n 1 a.out\n";
    assert_eq!(typed(job), format!("FAILED|1:0\n{message}\n"));
}

/// ARCHER2's `xthi` keeps what each rank and thread reports in structures and passes them to rank 0. Such a program is not
/// computed.
#[test]
fn a_hello_program_with_structures_is_a_model() {
    let program = "\
#include <mpi.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
struct place { int node, rank, thread; char host[64], cpus[256]; };
static void report(const struct place *all, int count) {
    for (int i = 0; i < count; i++)
        printf(\"Node %4d, hostname %s, mpi %3d, omp %3d, affinity = %s\\n\", all[i].node, all[i].host, all[i].rank,
               all[i].thread, all[i].cpus);
}
int main(int argc, char *argv[]) {
    int rank, size, threads = omp_get_max_threads();
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    struct place *own = malloc(threads * sizeof(struct place));
    #pragma omp parallel
    own[omp_get_thread_num()].rank = rank;
    if (rank == 0) report(own, threads);
    free(own);
    MPI_Finalize();
    return 0;
}
";
    let lines = format!(
        "cat > place.c <<'END'\n{program}END\nmpicc -fopenmp place.c -o place && srun -Q -n 2 -t 5 ./place; echo code $?\n"
    );
    assert_eq!(typed(&lines), "place: simulated (not computed): see \"man sim\"\ncode 0\n");
}
