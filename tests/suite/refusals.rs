//! What is not simulated says so in one line, and fails or names itself: never empty output and exit code 0.

use std::io::Write as _;
use std::process::{Command, Stdio};

/// What a login shell of the site `lab` prints for these lines, standard output and error.
fn typed(lines: &str) -> (String, String) {
    let mut shell = Command::new(env!("CARGO_BIN_EXE_sandbatch"))
        .args(["shell", "--site", "lab", "--background", "off"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program");
    shell.stdin.take().expect("a pipe").write_all(lines.as_bytes()).expect("commands");
    let output = shell.wait_with_output().expect("an end");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (text(&output.stdout), text(&output.stderr))
}

#[test]
fn programs_that_are_not_there() {
    for command in ["screen -S work", "tmux", "tmux new -s work", "sqlite3 a.db 'select 1'"] {
        let (out, err) = typed(&format!("{command}; echo code $?\n"));
        assert_eq!(out, "code 127\n", "{command}: {err}");
        let name = command.split(' ').next().unwrap_or_default();
        assert!(err.starts_with(&format!("{name}: not simulated in sandbatch: ")), "{err}");
        assert_eq!(err.lines().count(), 1, "{err}");
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
        let (out, err) = typed(&lines);
        assert_eq!(out, "code 1\n", "{script}: {err}");
        assert!(
            err.contains("Traceback") && err.contains("a.py\", line 1") && err.trim_end().ends_with(message),
            "{err}"
        );
    }
    let job = "sbatch -Q -o a.out --wrap 'python3 -c \"from multiprocessing import shared_memory\"'\nsleep 30\n\
               sacct -X -n -P -o State,ExitCode\ntail -n 1 a.out\n";
    assert_eq!(typed(job).0, format!("FAILED|1:0\n{message}\n"));
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
    let (out, err) = typed(&lines);
    assert_eq!(out, "code 0\n", "{err}");
    assert_eq!(err.matches("place: simulated (not computed): see \"man sim\"").count(), 1, "{err}");
}
