//! Programs as guides print them, and what gcc says of broken ones.

use super::facts::HostFacts;
use super::{CompilerFacts, Language, check, run_all};
use base::time::Span;
use host::model::ModelContext;
use std::sync::Arc;

/// The lines that each rank prints.
fn printed(ending: &str, source: &str, ranks: u32, threads: u32, openmp: bool) -> Option<Vec<Vec<String>>> {
    let mut text = String::from("\u{7f}ELF\n");
    if openmp {
        text += "sandbatch: openmp\n";
    }
    text += &format!("sandbatch: source {ending} {}\n{source}\n", source.len());
    let env = Arc::new([("HOSTNAME".to_owned(), "cn01".to_owned())].into_iter().collect());
    (0..ranks)
        .map(|rank| {
            let context = ModelContext {
                name: "hello".to_owned(),
                env: Arc::clone(&env),
                tasks: ranks,
                rank,
                threads,
                cpus: threads,
                gpus: vec![0],
                ..ModelContext::default()
            };
            let hosts = vec!["cn01".to_owned(); ranks as usize];
            run_all(&text, &context, &HostFacts { hosts, ..HostFacts::default() })
                .map(|ended| ended.lines.into_iter().map(|line| line.2).collect())
        })
        .collect()
}

fn one(ending: &str, source: &str) -> Vec<String> {
    printed(ending, source, 1, 4, true)
        .and_then(|mut all| all.pop())
        .unwrap_or_else(|| vec!["not computed".to_owned()])
}

#[test]
fn ranks_sizes_and_hosts() {
    let c = r#"
#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
    MPI_Init(NULL, NULL);
    int world_size;
    MPI_Comm_size(MPI_COMM_WORLD, &world_size);
    int world_rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
    char processor_name[MPI_MAX_PROCESSOR_NAME];
    int name_len;
    MPI_Get_processor_name(processor_name, &name_len);
    // A greeting.
    printf("Hello world from processor %s, rank %d out of %d processors\n",
           processor_name, world_rank, world_size);
    MPI_Finalize();
}
"#;
    assert_eq!(
        printed("c", c, 2, 1, false),
        Some(vec![
            vec!["Hello world from processor cn01, rank 0 out of 2 processors".to_owned()],
            vec!["Hello world from processor cn01, rank 1 out of 2 processors".to_owned()],
        ])
    );
    let cxx = r#"
#include <iostream>
#include <mpi.h>
int main(int argc, char *argv[]) {
    int id, p;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &id);
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    if (id == 0) { std::cout << "P" << p << std::endl; }
    std::cout << "  Process " << id << " says 'Hello, world!'" << std::endl;
    MPI_Finalize();
    return 0;
}
"#;
    assert_eq!(
        printed("cpp", cxx, 2, 1, false),
        Some(vec![
            vec!["P2".to_owned(), "  Process 0 says 'Hello, world!'".to_owned()],
            vec!["  Process 1 says 'Hello, world!'".to_owned()],
        ])
    );
    let fortran = "program hello\n  use mpi\n  implicit none\n  integer :: rank, size, ierror, n\n  character(len=MPI_MAX_PROCESSOR_NAME) :: name\n\n  \
                   call MPI_INIT(ierror)\n  call MPI_COMM_SIZE(MPI_COMM_WORLD, size, ierror)\n  call MPI_COMM_RANK(MPI_COMM_WORLD, rank, ierror)\n  \
                   call MPI_GET_PROCESSOR_NAME(name, n, ierror)\n  print *, 'node', rank, ': Hello from ', trim(name)\n  \
                   write(*,'(a,i0,a,i3)') 'rank ', rank, ' of', size\n  call MPI_FINALIZE(ierror)\nend program hello\n";
    assert_eq!(
        printed("f90", fortran, 2, 1, false).map(|all| all[1].clone()),
        Some(vec![" node           1 : Hello from cn01".to_owned(), "rank 1 of  2".to_owned()])
    );
}

#[test]
fn xthi_lists_the_cpus_of_its_threads() {
    let c = r#"
#define _GNU_SOURCE
#include <mpi.h>
#include <omp.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static char *set_to_text(cpu_set_t *set, char *text) {
    char *end = text;
    int first, last, any = 0;
    for (first = 0; first < CPU_SETSIZE; first++) {
        if (!CPU_ISSET(first, set)) continue;
        any = 1;
        for (last = first; CPU_ISSET(last + 1, set); last++);
        if (last == first) sprintf(end, "%d,", first);
        else sprintf(end, "%d-%d,", first, last);
        first = last;
        while (*end) end++;
    }
    end -= any;
    *end = 0;
    return text;
}

int main(int argc, char *argv[]) {
    int me, thread;
    cpu_set_t set;
    char cpus[7 * CPU_SETSIZE], where[64];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    memset(cpus, 0, sizeof(cpus));
    (void)gethostname(where, sizeof(where));
    #pragma omp parallel private(thread, set, cpus)
    {
        thread = omp_get_thread_num();
        (void)sched_getaffinity(0, sizeof(set), &set);
        set_to_text(&set, cpus);
        #pragma omp barrier
        printf("rank %d thread %d on %s: %s\n", me, thread, where, cpus);
    }
    MPI_Finalize();
    return 0;
}
"#;
    let rank = |me: u32, cpus: &str| -> Vec<String> {
        (0..4).map(|thread| format!("rank {me} thread {thread} on cn01: {cpus}")).collect()
    };
    assert_eq!(printed("c", c, 2, 4, true), Some(vec![rank(0, "0-3"), rank(1, "4-7")]));
}

#[test]
fn threads() {
    let c = r#"
#include <omp.h>
#include <stdio.h>
int main() {
    int nthreads, tid;
    #pragma omp parallel private(nthreads, tid)
    {
        tid = omp_get_thread_num();
        printf("Hello World from thread = %d\n", tid);
        if (tid == 0) {
            nthreads = omp_get_num_threads();
            printf("Number of threads = %d\n", nthreads);
        }
    }
    double sum = 0;
    #pragma omp parallel for reduction(+:sum)
    for (int i = 1; i <= 100; i++) sum += i;
    printf("%.1f\n", sum);
    return 0;
}
"#;
    let hello = |n: u32| format!("Hello World from thread = {n}");
    let mut expected = vec![hello(0), "Number of threads = 4".to_owned()];
    expected.extend([hello(1), hello(2), hello(3), "5050.0".to_owned()]);
    assert_eq!(one("c", c), expected);
    // Without -fopenmp there is one thread.
    let plain = printed("c", c, 1, 4, false).unwrap_or_default();
    assert_eq!(plain, [vec![hello(0), "Number of threads = 1".to_owned(), "5050.0".to_owned()]]);
    let fortran = "PROGRAM Hello\n  USE OMP_LIB\n  INTEGER thread_id\n  !$OMP PARALLEL PRIVATE(thread_id)\n    thread_id = OMP_GET_THREAD_NUM()\n    \
                   PRINT *, \"Hello from process: \", thread_id\n  !$OMP END PARALLEL\nEND\n";
    assert_eq!(one("f90", fortran)[3], " Hello from process:            3");
}

#[test]
fn gpus() {
    let cuda = r#"
#include <cstdio>
#include <cuda_runtime.h>
__global__ void hello() {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    printf("Hello from block %d, thread %d: %d\n", blockIdx.x, threadIdx.x, i);
}
int main(void) {
    int count = 0;
    cudaGetDeviceCount(&count);
    hello<<<2, 2>>>();
    cudaDeviceSynchronize();
    printf("%d GPU\n", count);
    return 0;
}
"#;
    assert_eq!(
        one("cu", cuda),
        [
            "Hello from block 0, thread 0: 0",
            "Hello from block 0, thread 1: 1",
            "Hello from block 1, thread 0: 2",
            "Hello from block 1, thread 1: 3",
            "1 GPU"
        ]
    );
}

#[test]
fn ranks_that_talk() {
    let pi = r#"
#include <mpi.h>
#include <stdio.h>
#include <math.h>
int main(int argc, char *argv[]) {
    int n = 1000, myid, numprocs, i;
    double PI25DT = 3.141592653589793238462643;
    double mypi, pi, h, sum, x;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &numprocs);
    MPI_Comm_rank(MPI_COMM_WORLD, &myid);
    MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD);
    h = 1.0 / (double) n;
    sum = 0.0;
    for (i = myid + 1; i <= n; i += numprocs) {
        x = h * ((double)i - 0.5);
        sum += 4.0 / (1.0 + x*x);
    }
    mypi = h * sum;
    MPI_Reduce(&mypi, &pi, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (myid == 0)
        printf("pi is approximately %.16f, Error is %.16f\n", pi, fabs(pi - PI25DT));
    MPI_Finalize();
    return 0;
}
"#;
    let all = printed("c", pi, 4, 1, false).unwrap_or_default();
    assert!(all[0][0].starts_with("pi is approximately 3.14159273692312"), "{all:?}");
    assert_eq!(all[1], [""; 0]);
    let ring = r#"
#include <mpi.h>
#include <stdio.h>
int main(int argc, char** argv) {
  MPI_Init(NULL, NULL);
  int world_rank; MPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
  int world_size; MPI_Comm_size(MPI_COMM_WORLD, &world_size);
  int token;
  if (world_rank != 0) {
    MPI_Recv(&token, 1, MPI_INT, world_rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    printf("Process %d received token %d from process %d\n", world_rank, token, world_rank - 1);
  } else {
    token = -1;
  }
  MPI_Send(&token, 1, MPI_INT, (world_rank + 1) % world_size, 0, MPI_COMM_WORLD);
  if (world_rank == 0) {
    MPI_Recv(&token, 1, MPI_INT, world_size - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    printf("Process %d received token %d from process %d\n", world_rank, token, world_size - 1);
  }
  MPI_Finalize();
}
"#;
    let all = printed("c", ring, 3, 1, false).unwrap_or_default();
    let said = |rank: u32, from: u32| vec![format!("Process {rank} received token -1 from process {from}")];
    assert_eq!(all, [said(0, 2), said(1, 0), said(2, 1)]);
}

#[test]
fn unknown_and_endless_programs_are_not_computed() {
    for source in [
        "int main() { int *p = fopen(\"a\"); return 0; }",
        "int main() { while (1) { } }",
        "struct s { int a; }; int main() { return 0; }",
        "int main() { return 1 / 0; }",
        "int f(int n) { return f(n + 1); } int main() { return f(0); }",
        "#define A(x) x x x x x x x x\n#define B(x) A(A(A(A(A(A(A(x)))))))\nint main() { B(B(B(;))) return 0; }",
        "#include <string>\nint main() { std::string s = \"ab\"; while (true) { s = s + s; } }",
        "#include <string>\nint main() { std::string s = \"ab\"; while (true) s.append(s); }",
        "int main() { while (1) { int *p = (int*)malloc(400000); } }",
        "int main() { int a[10]; a[10] = 1; return 0; }",
        "int main() { int *p; p[0] = 1; return 0; }",
    ] {
        assert_eq!(printed("c", source, 1, 1, false), None, "{source}");
    }
    let text = "sandbatch: source c 28\nint main() { sleep(3); exit(2); }".replace("28", "33");
    let ended = run_all(
        &format!("{text}\n"),
        &ModelContext { tasks: 1, ..ModelContext::default() },
        &HostFacts::default(),
    );
    let ended = ended.expect("it ends");
    assert_eq!(ended.exit, 2);
    assert!(ended.at >= Span::from_secs(3) && ended.at < Span::from_secs(4));
}

#[test]
fn compilers_complain() {
    let gcc = CompilerFacts {
        name: "gcc".to_owned(),
        cxx: false,
        mpi: false,
        cuda: false,
        openmp: false,
        searches: false,
        local_files: vec!["own.h".to_owned()],
    };
    let said = |source: &str| check::complaints(&gcc, "hello.c", Language::C, source);
    // What gcc 12.2 prints of these programs.
    assert_eq!(
        said("#include <stdio.h>\nint main() {\n    printf(\"hello\")\n    return 0;\n}\n"),
        [
            "hello.c: In function ‘main’:",
            "hello.c:3:20: error: expected ‘;’ before ‘return’",
            "    3 |     printf(\"hello\")",
            "      |                    ^",
            "      |                    ;",
            "    4 |     return 0;",
            "      |     ~~~~~~          ",
        ]
    );
    assert_eq!(
        said("int main() {\n    return 0\n}\n"),
        [
            "hello.c: In function ‘main’:",
            "hello.c:2:13: error: expected ‘;’ before ‘}’ token",
            "    2 |     return 0",
            "      |             ^",
            "      |             ;",
            "    3 | }",
            "      | ~            ",
        ]
    );
    assert_eq!(
        said("#include <stdio.h>\nint main() {\n    int x = 5\n    printf(\"hello %d\\n\", x);\n}\n"),
        [
            "hello.c: In function ‘main’:",
            "hello.c:4:5: error: expected ‘,’ or ‘;’ before ‘printf’",
            "    4 |     printf(\"hello %d\\n\", x);",
            "      |     ^~~~~~",
        ]
    );
    assert_eq!(
        said("int main() {\n    int x = 1;\n"),
        [
            "hello.c: In function ‘main’:",
            "hello.c:2:5: error: expected declaration or statement at end of input",
            "    2 |     int x = 1;",
            "      |     ^~~",
        ]
    );
    assert_eq!(said("int main() {\n    f(1;\n}\n")[1], "hello.c:2:8: error: expected ‘)’ before ‘;’ token");
    assert_eq!(
        said("#include <mpi.h>\nint main() { }\n"),
        [
            "hello.c:1:10: fatal error: mpi.h: No such file or directory",
            "    1 | #include <mpi.h>",
            "      |          ^~~~~~~",
            "compilation terminated.",
        ]
    );
    assert_eq!(said("#include \"nosuch.h\"\nint main() { }\n").len(), 4);
    // Valid sources in unusual layouts.
    for fine in [
        "#include \"own.h\"\nint main()\n{\n  if (a)\n    b = 1;\n  else\n    c = 2;\n  for (;;)\n    f();\n}\n",
        "int a[] = {\n 1,\n 2\n};\nstruct s {\n int x;\n};\nenum e { A,\n B\n};\n",
        "int main() {\n  cout << \"a\"\n       << \"b\";\n  x = a +\n    b;\n  switch (x)\n  {\n  case 1:\n    f();\n  default:\n    g();\n  }\n}\n",
        "#define N 3\nMACRO(x)\nint main() {\n  CHECK(f())\n  return 0;\n}\n",
        "template <typename T>\nT f(T a) {\n  return a;\n}\n",
    ] {
        assert_eq!(said(fine), [""; 0], "{fine}");
    }
}

#[test]
fn gfortran_and_javac_complain() {
    let compiler = |name: &str, mpi: bool| CompilerFacts {
        name: name.to_owned(),
        cxx: false,
        mpi,
        cuda: false,
        openmp: false,
        searches: false,
        local_files: Vec::new(),
    };
    // What gfortran 12.2 prints of these programs.
    for (source, wanted) in [
        (
            "program a\ninteger :: i\ndo i=1,3\nprint *, i\nend program\n",
            "b.f90:5:3:\n\n    5 | end program\n      |   1\nError: Expecting END DO statement at (1)\n\
             f951: Error: Unexpected end of file in ‘b.f90’",
        ),
        (
            "program a\n  integer :: i\n  do i = 1, 3\n    print *, i\n  end do\n  if (i == 3) then\n    print *, \"x\"\n  end do\nend program a\n",
            "b.f90:8:5:\n\n    8 |   end do\n      |     1\nError: Expecting END IF statement at (1)\n\
             b.f90:9:3:\n\n    9 | end program a\n      |   1\nError: Expecting END IF statement at (1)\n\
             f951: Error: Unexpected end of file in ‘b.f90’",
        ),
        (
            "program a\nprint *, \"x\nend program a\n",
            "b.f90:2:11:\n\n    2 | print *, \"x\n      |           1\nError: Unterminated character constant beginning at (1)",
        ),
        (
            "program a\nprint * \"x\"\nend program a\n",
            "b.f90:2:8:\n\n    2 | print * \"x\"\n      |        1\nError: Expected comma in I/O list at (1)",
        ),
        (
            "program a\nuse mpi\nend program a\n",
            "b.f90:2:5:\n\n    2 | use mpi\n      |     1\n\
             Fatal Error: Cannot open module file ‘mpi.mod’ for reading at (1): No such file or directory\ncompilation terminated.",
        ),
        (
            "program a\ninclude \"mpif.h\"\nend program a\n",
            "b.f90:2:0:\n\n    2 | include \"mpif.h\"\n      | \nFatal Error: Cannot open included file ‘mpif.h’\ncompilation terminated.",
        ),
        ("program a\nprint *, \"x\"\n", "f951: Error: Unexpected end of file in ‘b.f90’"),
        (
            "program a\n  integer :: n ! a \" quote\n  if (n == 0) print *, 'it''s', &\n    n\n  if (n > 0) then; n = 1\n  end if\nend\n",
            "",
        ),
    ] {
        let said = check::complaints(&compiler("gfortran", false), "b.f90", Language::Fortran, source);
        assert_eq!(said.join("\n"), wanted, "{source}");
    }
    assert_eq!(
        check::complaints(
            &compiler("gfortran", true),
            "b.f90",
            Language::Fortran,
            "program a\nuse mpi\nend program a\n"
        ),
        [""; 0]
    );
    // What javac 17 prints.
    let class = |body: &str| format!("public class A {{\n  public static void main(String[] a) {{\n{body}");
    for (source, wanted) in [
        (
            class("    System.out.println(\"hi\")\n  }\n}\n"),
            "A.java:3: error: ';' expected\n    System.out.println(\"hi\")\n                            ^\n1 error",
        ),
        (
            class("    int x = 5\n    System.out.println(\"hi\" + x);\n  }\n}\n"),
            "A.java:3: error: ';' expected\n    int x = 5\n             ^\n1 error",
        ),
        (
            class("    System.out.println(\"hi\");\n  }\n"),
            "A.java:4: error: reached end of file while parsing\n  }\n   ^\n1 error",
        ),
        (class("    System.out.println(\"hi\");\n  }\n}\n"), ""),
    ] {
        let said = check::complaints(&compiler("javac", false), "A.java", Language::Other, &source);
        assert_eq!(said.join("\n"), wanted, "{source}");
    }
}
