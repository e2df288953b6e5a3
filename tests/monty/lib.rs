//! Why the project has its own Python: what the crate `monty` lacks that a process of the simulated host needs.
//!
//! `docs/architecture.md` refers to these tests. When a newer version of the crate makes one fail, that reason is gone.

#[cfg(test)]
mod tests {
    use monty::{MontyRun, RunProgress};
    use monty_types::{
        CompileOptions, ExcType, ExtFunctionResult, MontyException, MontyObject, OsFunctionCall, OsPolicy, PrintWriter,
        ResourceLimits, ResourceTracker, SleepMode,
    };
    use std::time::{Duration, Instant};

    const LOOP: &str = "x = 0\nfor i in range(1000000):\n    x += i\nprint(x)\n";

    /// Calls of the host, `time.sleep` among them, suspend the program.
    fn program(source: &str) -> Result<MontyRun, MontyException> {
        let policy = OsPolicy { sleep: SleepMode::CallHost, ..OsPolicy::default() };
        MontyRun::new(source.to_owned(), "script.py", Vec::new(), CompileOptions::default())
            .map(|run| run.with_os_policy(policy))
    }

    /// Runs a program to its end or first suspension: its output so far, and how it stopped.
    fn start(source: &str, limits: ResourceLimits) -> (String, Result<RunProgress, MontyException>) {
        let mut out = String::new();
        let tracker = ResourceTracker::new(limits);
        let progress = program(source)
            .and_then(|run| run.start(Vec::new(), tracker, PrintWriter::CollectString(&mut out, None)));
        (out, progress)
    }

    /// The exception that a program ends with. Without an answer to an import, the module does not exist.
    fn error(source: &str) -> String {
        let (_, mut progress) = start(source, ResourceLimits::default());
        loop {
            match progress {
                Err(exception) => {
                    return format!("{}: {}", exception.exc_type(), exception.message().unwrap_or(""));
                }
                Ok(RunProgress::OsCall(call)) => {
                    progress = call.resume(ExtFunctionResult::NotFound(String::new()), PrintWriter::Disabled);
                }
                Ok(other) => panic!("{source} stopped without an error: {other:?}"),
            }
        }
    }

    #[test]
    fn it_has_no_generators_and_no_del() {
        for (source, part) in [
            ("def f():\n    yield 1\nprint(list(f()))\n", "yield"),
            ("def f():\n    yield from [1]\nprint(list(f()))\n", "yield"),
            ("x = 1\ndel x\n", "del"),
        ] {
            let error = error(source);
            assert!(error.starts_with("NotImplementedError") && error.contains(part), "{source}: {error}");
        }
    }

    #[test]
    fn it_has_async_functions_but_no_async_generators() {
        let source = "import asyncio\nasync def f():\n    return 2\nprint(asyncio.run(f()))\n";
        let (out, progress) = start(source, ResourceLimits::default());
        assert!(matches!(progress, Ok(RunProgress::Complete(_))), "{progress:?}");
        assert_eq!(out, "2\n");
        let error = error("async def f():\n    yield 1\n");
        assert!(error.starts_with("NotImplementedError"), "{error}");
    }

    #[test]
    fn it_lacks_modules_that_job_scripts_import() {
        for module in ["argparse", "signal", "subprocess", "multiprocessing", "threading", "logging", "socket"] {
            let error = error(&format!("import {module}\n"));
            assert!(error.starts_with("ModuleNotFoundError"), "{module}: {error}");
        }
    }

    /// A process must stop after a number of operations and continue later. Here the only bound of a computation is
    /// real time, the exception is final, and the program is gone: `start` consumed it.
    #[test]
    fn a_computation_cannot_be_stopped_and_continued() {
        let limits = ResourceLimits::default().max_turn_duration(Duration::from_millis(20));
        let began = Instant::now();
        let (out, progress) = start("print('begins')\nwhile True:\n    pass\n", limits);
        let exception = progress.expect_err("an endless loop reaches the limit");
        assert_eq!(exception.exc_type(), ExcType::TimeoutError);
        assert_eq!(out, "begins\n");
        assert!(began.elapsed() >= Duration::from_millis(20));
        println!("an endless loop ends after {:?} with {:?}", began.elapsed(), exception.message());
        // Without a limit it suspends nowhere before its end, so nothing can be saved in the middle.
        let (out, progress) = start(LOOP, ResourceLimits::default());
        assert!(matches!(progress, Ok(RunProgress::Complete(_))), "{progress:?}");
        assert_eq!(out, "499999500000\n");
    }

    /// The bound is not the same in two runs: where a program stops depends on the machine, so a journal would not give
    /// the same world.
    #[test]
    fn where_the_time_limit_stops_a_program_differs_between_runs() {
        let source = "i = 0\nwhile True:\n    i += 1\n    if i % 100 == 0:\n        print(i)\n";
        let ends = (0..20).map(|_| {
            let limits = ResourceLimits::default().max_turn_duration(Duration::from_millis(2));
            start(source, limits).0.lines().count()
        });
        let ends: std::collections::BTreeSet<usize> = ends.collect();
        println!("20 runs of 2 ms stopped at {} different places: {ends:?}", ends.len());
        assert!(ends.len() > 1);
    }

    #[test]
    fn memory_is_not_counted_for_a_process() {
        let limits = ResourceLimits::default().max_memory(1 << 20);
        // A single allocation is compared with the limit, their sum is not: that takes the crate's own allocator, which
        // counts for the whole program.
        let source = "x = []\nfor i in range(20000):\n    x.append('a' * 1000 + str(i))\nprint(len(x))\n";
        let (out, progress) = start(source, limits);
        assert!(matches!(progress, Ok(RunProgress::Complete(_))), "{progress:?}");
        assert_eq!(out, "20000\n", "20 MB of texts fit in 1 MiB");
    }

    /// This part works: a call of the host suspends, and the suspended program is data.
    #[test]
    fn a_call_of_the_host_can_be_saved() {
        let source = "import time\nx = [1, 2, 3]\ntime.sleep(10)\nprint(sum(x))\n";
        let (_, progress) = start(source, ResourceLimits::default());
        let progress = progress.expect("no error");
        assert!(
            matches!(&progress, RunProgress::OsCall(call)
                if matches!(call.function_call, OsFunctionCall::Sleep(time) if time == Duration::from_secs(10))),
            "{progress:?}"
        );
        let bytes = minicbor_serde::to_vec(&progress).expect("a snapshot");
        println!("a program of four lines that sleeps: {} bytes", bytes.len());
        let restored: RunProgress = minicbor_serde::from_slice(&bytes).expect("a snapshot");
        let mut out = String::new();
        let RunProgress::OsCall(call) = restored else { panic!("not suspended: {restored:?}") };
        let end = call.resume(MontyObject::none(), PrintWriter::CollectString(&mut out, None));
        assert!(matches!(end, Ok(RunProgress::Complete(_))), "{end:?}");
        assert_eq!(out, "6\n");
    }

    /// Speed is no reason: it is printed for the table.
    #[test]
    fn a_loop_of_a_million_operations() {
        let began = Instant::now();
        let (out, progress) = start(LOOP, ResourceLimits::default());
        assert!(matches!(progress, Ok(RunProgress::Complete(_))), "{progress:?}");
        assert_eq!(out, "499999500000\n");
        println!("a loop of a million additions takes {:?}", began.elapsed());
    }
}
