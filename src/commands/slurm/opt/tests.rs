//! Tests of the options: values that they accept and reject.

use super::values::{mail_types, memory, moment, nodes, signal, time_limit};
use super::*;
use base::time::Limit;

#[test]
fn time_limits_as_recorded() {
    for (text, minutes) in [
        ("1", 1),
        ("5:30", 6),
        ("1:02:03", 63),
        ("1-0", 1440),
        ("1-2", 1560),
        ("1-2:3", 1563),
        ("0-1:30:00", 90),
        ("0:01", 1),
        ("23:59:59", 1440),
        ("2-30:00", 4680),
        ("90:61", 92),
    ] {
        assert_eq!(time_limit(text), Some(Limit::Minutes(minutes)), "{text}");
    }
    for text in ["0", "-1", "infinite", "UNLIMITED"] {
        assert_eq!(time_limit(text), Some(Limit::Unlimited), "{text}");
    }
    for text in ["", " 5", "5:", ":5", "1d", "10m", "1.5", "abc", "1:2:3:4", "1-2-3", "01::30"] {
        assert_eq!(time_limit(text), None, "{text}");
    }
}

#[test]
fn memory_as_recorded() {
    for (text, mib) in [
        ("500", 500),
        ("62G", 63_488),
        ("1T", 1 << 20),
        ("1500K", 2),
        ("1023K", 1),
        ("1g", 1024),
        ("16GB", 16_384),
    ] {
        assert_eq!(memory(text), Some(mib), "{text}");
    }
    for text in ["lots", "4X", "1.5G", "-1", "", "B"] {
        assert_eq!(memory(text), None, "{text}");
    }
}

#[test]
fn node_counts_as_recorded() {
    for (text, want) in [
        ("2", (2, Some(2), &[][..])),
        ("2-4", (2, Some(4), &[])),
        ("1k", (1024, Some(1024), &[])),
        ("2,4", (2, Some(4), &[2, 4])),
        ("1-8:2", (1, Some(7), &[1, 3, 5, 7])),
        ("8,1-3", (1, Some(8), &[1, 2, 3, 8])),
        ("-1", (1, Some(1), &[])),
        ("-5", (1, Some(5), &[])),
    ] {
        let counts = nodes(text).unwrap();
        assert_eq!((counts.min, counts.max, counts.list.as_slice()), want, "{text}");
    }
    for (text, message) in [
        ("2-", "Maximum node count -1 is less than minimum node count 2"),
        ("4-2", "Maximum node count 2 is less than minimum node count 4"),
        ("abc", "\"abc\" is not a valid node count"),
        ("", "\"\" is not a valid node count"),
    ] {
        assert_eq!(nodes(text).unwrap_err().text, message);
    }
}

#[test]
fn mail_types_as_recorded() {
    for (text, shown) in [
        ("end", Some("END")),
        ("ALL", Some("INVALID_DEPEND,BEGIN,END,FAIL,REQUEUE,STAGE_OUT")),
        ("TIME_LIMIT,TIME_LIMIT_90,TIME_LIMIT_80", Some("TIME_LIMIT_80,TIME_LIMIT_90,TIME_LIMIT")),
        ("NONE,END", Some("")),
        ("bogus,END", Some("END")),
        ("bogus", None),
        ("", None),
    ] {
        assert_eq!(mail_types(text).as_deref(), shown, "{text}");
    }
}

#[test]
fn moments_as_recorded() {
    let now = Time::from_secs(1_795_240_860); // 2026-11-21T06:01:00
    for (text, want) in [
        ("now+10", "2026-11-21T06:01:10"),
        ("now+10minutes", "2026-11-21T06:11:00"),
        ("now+1week", "2026-11-28T06:01:00"),
        ("23:59", "2026-11-21T23:59:00"),
        ("11:30pm", "2026-11-21T23:30:00"),
        ("midnight", "2026-11-22T00:00:00"),
        ("noon", "2026-11-21T12:00:00"),
        ("teatime", "2026-11-21T16:00:00"),
        ("tomorrow", "2026-11-22T00:00:00"),
        ("today", "2026-11-21T00:00:00"),
        ("12/24", "2026-12-24T00:00:00"),
        ("12/24/26", "2026-12-24T00:00:00"),
        ("1224", "2026-12-24T00:00:00"),
        ("2026-12-24T18:00:30", "2026-12-24T18:00:30"),
        ("fika", "2026-11-21T15:00:00"),
        ("now-5", "2026-11-21T06:00:55"),
        ("16:00:00", "2026-11-21T16:00:00"),
    ] {
        assert_eq!(moment(text, now, false).map(Time::iso), Ok(want.to_owned()), "{text}");
    }
    for (text, at) in [("yesterday", 0), ("25:00", 0), ("now+3x", 4), ("bogus", 0), ("", 0)] {
        assert_eq!(moment(text, now, false), Err(at), "{text}");
    }
    assert_eq!(moment("00:00", now, true).map(Time::iso), Ok("2026-11-21T00:00:00".to_owned()));
    assert_eq!(
        moment("12:00", now, true).map(Time::iso),
        Ok("2026-11-21T12:00:00".to_owned()),
        "today's, as a real 22.05 has it"
    );
}

#[test]
fn signals() {
    assert_eq!(signal("USR9@60"), None);
    let warning = signal("B:USR1@60").flatten();
    assert!(warning.is_some_and(|s| s.batch_only && s.seconds == 60));
    assert_eq!((signal("99"), signal("99@70000"), signal("0")), (Some(None), None, None));
}

fn words(line: &[&str]) -> Vec<String> {
    line.iter().map(|w| (*w).to_owned()).collect()
}

#[test]
fn limits_that_wrap() {
    use super::values::time_limit;
    let minutes = |text: &str| match time_limit(text) {
        Some(base::time::Limit::Minutes(minutes)) => minutes,
        Some(base::time::Limit::Unlimited) => 0,
        None => u32::MAX,
    };
    for (text, want) in [
        ("1-", 1440),
        ("10", 10),
        ("0", 0),
        ("-1", 0),
        ("-2", 4_294_964_417),
        ("35791394", 4_259_175_903),
        ("2147483647", 0),
        ("99999999999", 4_293_812_088),
        ("1h", u32::MAX),
    ] {
        assert_eq!(minutes(text), want, "{text}");
    }
}

#[test]
fn error_positions_in_times() {
    let now = base::time::Time::from_secs(1_795_240_460);
    let stop = |text: &str| super::values::moment(text, now, false).err();
    for (text, want) in [
        ("now+60", None),
        ("now + 60", None),
        ("now+1hour", None),
        ("now+2weeks", None),
        ("now+60s", Some(5)),
        ("now+1min", Some(4)),
        ("now+1hour30", Some(9)),
        ("tomorrow+1hour", Some(8)),
        ("TOMORROW", Some(1)),
        ("noon+1", Some(4)),
        ("13pm", Some(0)),
        ("5pm+1", Some(1)),
        ("2030-1-1", Some(0)),
        ("2030-01-01", None),
    ] {
        assert_eq!(stop(text), want, "{text}");
    }
}

#[test]
fn refused_options() {
    for (line, text, exit) in [
        (
            &["sbatch", "--nosuch=3"][..],
            "sbatch: unrecognized option '--nosuch=3'\nTry \"sbatch --help\" for more information\n",
            255,
        ),
        (&["sbatch", "-n", "0"], "sbatch: error: Invalid numeric value \"0\" for --ntasks.\n", 1),
        (&["sbatch", "-t", "1h"], "sbatch: error: Invalid --time specification\n", 255),
        (
            &["sbatch", "--begin=yesterday"],
            "Invalid time specification (pos=0): yesterday\nsbatch: error: Invalid --begin specification\n",
            255,
        ),
        (
            &["sbatch", "--hint=bad"],
            "sbatch: error: unrecognized --hint argument \"bad\", see --hint=help\n",
            1,
        ),
        (&["sbatch", "--mail-type=SOMETIMES"], "sbatch: error: Invalid --mail-type specification\n", 255),
        (&["sbatch", "-w", "cn[01-"], "sbatch: fatal: Invalid node list specified\n", 1),
        (&["sbatch", "--uid=bob"], "sbatch: error: --uid only permitted by root user\n", 255),
        (
            &["sbatch", "--mem=1G", "--mem-per-cpu=1G"],
            "sbatch: fatal: --mem, --mem-per-cpu, and --mem-per-gpu are mutually exclusive.\n",
            1,
        ),
    ] {
        let mut options = JobOptions { uid: Uid(1001), ..JobOptions::default() };
        let result = options
            .argv(SubmitCommand::Sbatch, &words(line))
            .and_then(|_| check::check(&mut options).map(|_| ()));
        let bad = result.expect_err(text);
        assert_eq!((bad.lines("sbatch").as_str(), bad.exit), (text, exit));
    }
}

#[test]
fn precedence() {
    let script = b"#!/bin/bash\n#SBATCH -J fromscript -t 10\n#SBATCH -n 2\necho\n";
    let env: Env = [("SBATCH_JOB_NAME", "fromenv"), ("SBATCH_TIMELIMIT", "20"), ("SBATCH_NTASKS", "8")]
        .map(|(k, v)| (k.to_owned(), v.to_owned()))
        .into();
    let mut options = JobOptions::default();
    options.script(script, "p.sh").unwrap();
    options.environment(SubmitCommand::Sbatch, &env).unwrap();
    options.argv(SubmitCommand::Sbatch, &words(&["sbatch", "-t", "25", "p.sh", "-n", "7"])).unwrap();
    assert_eq!(options.desc.name, "fromenv");
    assert_eq!(options.desc.time_limit, Some(Limit::Minutes(25)));
    assert_eq!(options.desc.ntasks, Some(2));
}

#[test]
fn directives_as_recorded() {
    let script = "#!/bin/bash\n#SBATCH   --job-name=\"quoted name\"   # trailing comment\n# SBATCH -n 8\n##SBATCH -n 7\n\
        #SBATCH--ntasks=6\n#sbatch -n 5\n#SBATCH -n 2 -c 2\n \n#SBATCH --comment='single quoted'\necho body\n#SBATCH -n 4\n";
    let mut options = JobOptions::default();
    options.script(script.as_bytes(), "spaces.sh").unwrap();
    assert_eq!(options.desc.name, "quoted name");
    assert_eq!((options.desc.ntasks, options.desc.cpus_per_task), (Some(2), Some(2)));
    assert_eq!(options.desc.comment.as_deref(), Some("single quoted"));
}

#[test]
fn table_is_consistent() {
    for tool in [SubmitCommand::Sbatch, SubmitCommand::Srun, SubmitCommand::Salloc] {
        let mut names: Vec<_> = longs(tool).iter().map(|l| l.0).collect();
        let mut shorts: Vec<_> = longs(tool).iter().filter_map(|l| l.1).collect();
        let (n, s) = (names.len(), shorts.len());
        names.sort_unstable();
        names.dedup();
        shorts.sort_unstable();
        shorts.dedup();
        assert_eq!((names.len(), shorts.len()), (n, s), "{tool:?}");
    }
}

#[test]
fn verbose_listing() {
    let mut options = JobOptions::default();
    options.argv(SubmitCommand::Sbatch, &words(&["sbatch", "--verbose", "--wrap=sleep 2"])).unwrap();
    assert_eq!(
        options.defined(SubmitCommand::Sbatch),
        "sbatch: defined options\nsbatch: -------------------- --------------------\nsbatch: verbose             : 1\n\
         sbatch: wrap                : sleep 2\nsbatch: -------------------- --------------------\nsbatch: end of defined options\n"
    );
}

/// A valid value for an option.
fn sample(name: &str) -> &'static str {
    match name {
        "account" | "bb" | "bbf" | "chdir" | "comment" | "constraint" | "container" | "job-name" => "x",
        "accel-bind" => "g",
        "acctg-freq" => "30",
        "array" => "1-3",
        "begin" | "deadline" => "now+1hours",
        "dependency" => "singleton",
        "distribution" => "block",
        "exclusive" => "user",
        "export" => "ALL",
        "gres" | "gpus" | "gpus-per-node" | "gpus-per-socket" | "gpus-per-task" => "gpu:1",
        "gpu-bind" | "cpu-bind" | "mem-bind" => "none",
        "gres-flags" => "disable-binding",
        "hint" => "nomultithread",
        "licenses" => "matlab:1",
        "mail-type" => "ALL",
        "mem" | "mem-per-cpu" | "mem-per-gpu" | "tmp" => "1G",
        "open-mode" => "append",
        "profile" => "none",
        "propagate" => "NONE",
        "signal" => "USR1@60",
        "extra-node-info" => "1:1:1",
        "kill-command" => "TERM",
        "mpi" => "none",
        "multi-prog" | "label" => "",
        "kill-on-invalid-dep" => "yes",
        "no-kill" => "off",
        "priority" => "10",
        "resv-ports" => "1",
        "switches" => "1@10",
        "wckey" => "key",
        "uid" | "gid" | "get-user-env" => "0",
        "cpu-freq" => "high",
        "gpu-freq" => "low",
        "x11" => "all",
        _ => "1",
    }
}

#[test]
fn every_option_is_accepted_typed_and_from_its_variable() {
    let mut refused = Vec::new();
    for tool in [SubmitCommand::Sbatch, SubmitCommand::Srun, SubmitCommand::Salloc] {
        // Cluster names are checked against the database, which does not exist in this test.
        let rows =
            table::TABLE.iter().filter(|o| o.tools & tool.bit() != 0 && !o.name.starts_with("cluster"));
        for opt in rows {
            let value = sample(opt.name);
            let word = match opt.arg {
                Arg::No => format!("--{}", opt.name),
                Arg::Required | Arg::Optional => format!("--{}={value}", opt.name),
            };
            let mut options = JobOptions::default();
            if let Err(bad) = options.argv(tool, &[tool.name().to_owned(), word.clone()]) {
                refused.push(format!("{} {word}: {}", tool.name(), bad.text));
            }
            let (suffix, tools) = opt.env;
            if suffix.is_empty() || tools & tool.bit() == 0 {
                continue;
            }
            let whole = suffix.strip_prefix('=').map(str::to_owned);
            let name = whole.unwrap_or_else(|| format!("{}{suffix}", tool.env_prefix()));
            let env = Env::from([(name.clone(), value.to_owned())]);
            if let Err(bad) = JobOptions::default().environment(tool, &env) {
                refused.push(format!("{name}={value}: {}", bad.text));
            }
        }
    }
    assert!(refused.is_empty(), "{}", refused.join("\n"));
}

#[test]
fn odd_values_are_harmless() {
    let long = "9".repeat(1 << 20);
    for tool in [SubmitCommand::Sbatch, SubmitCommand::Srun, SubmitCommand::Salloc] {
        for opt in table::TABLE.iter().filter(|o| o.tools & tool.bit() != 0) {
            for value in [
                "",
                "-1",
                "\u{1}\u{7}\u{1b}[31m",
                "'",
                "\"x",
                "[1-",
                "18446744073709551616",
                "\u{fc}\u{1f600}",
                &long,
            ] {
                let word = format!("--{}={value}", opt.name);
                let mut options = JobOptions::default();
                if options.argv(tool, &[tool.name().to_owned(), word]).is_ok() {
                    let _ = check::check(&mut options);
                }
            }
        }
    }
}
