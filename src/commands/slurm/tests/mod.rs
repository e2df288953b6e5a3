//! Exhaustive tests over the tables: every option of every command, every field of every format, in help,
//! manual and completion; and random command lines.

mod chance;
mod lists;
mod reports;

use super::getopt::Arg;
use super::tool::{self, ArgumentKind, TABLE, ToolOption, ToolSpec, complete::complete};
use crate::{CommandMachine, Slurm, find};
use base::ids::{Cgroup, NodeId, Uid};
use base::time::Time;
use base::usage::Usage;
use config::{Cluster, SiteFiles};
use host::Kernel;
use slurmctld::Slurmctld;
use slurmctld::job::JobDesc;
use slurmctld::request::{Caller, Request, Response};
use unix::testing::{CommandResult, Host};

/// A controller with some jobs.
struct Small {
    ctld: Slurmctld,
    now: Time,
}

impl Slurm for Small {
    fn request(&mut self, uid: Uid, request: Request) -> Response {
        self.ctld.request(Caller { uid }, request, self.now)
    }
    fn state(&self) -> &Slurmctld {
        &self.ctld
    }
    fn usage(&self, _kernel: &Kernel, _step: base::ids::StepId) -> Usage {
        Usage::default()
    }
    fn adopt(&mut self, _uid: Uid, _node: NodeId, _from: Cgroup) -> Option<Cgroup> {
        None
    }
}

/// Runs commands on a cluster.
trait OnCluster {
    /// As alice.
    fn run_with(&mut self, argv: &[&str], input: &str, slurm: &mut dyn Slurm) -> CommandResult;
    /// As root.
    fn run_as_root(&mut self, argv: &[&str], input: &str, slurm: &mut dyn Slurm) -> CommandResult;
}

impl OnCluster for Host {
    fn run_with(&mut self, argv: &[&str], input: &str, slurm: &mut dyn Slurm) -> CommandResult {
        self.run_by::<CommandMachine, dyn Slurm>(Uid(1001), argv, input, slurm)
    }

    fn run_as_root(&mut self, argv: &[&str], input: &str, slurm: &mut dyn Slurm) -> CommandResult {
        self.run_by::<CommandMachine, dyn Slurm>(Uid(0), argv, input, slurm)
    }
}

const CONF: &str = "ClusterName=lab\nGresTypes=gpu\nAccountingStorageTRES=gres/gpu\nLicenses=matlab:2\nScronParameters=enable\n\
    PriorityType=priority/multifactor\nPriorityWeightAge=10\nNodeName=cn[01-04] CPUs=8 RealMemory=8000 Feature=fast\n\
    NodeName=gpu01 CPUs=8 RealMemory=8000 Gres=gpu:2\nPartitionName=batch Nodes=cn[01-04] Default=YES\nPartitionName=gpu Nodes=gpu01\n";

fn small(now: Time) -> Small {
    let files = SiteFiles([("slurm.conf".to_owned(), CONF.to_owned())].into());
    let people =
        vec![(Uid(0), "root".to_owned()), (Uid(1001), "alice".to_owned()), (Uid(1002), "bob".to_owned())];
    let mut small = Small { ctld: Slurmctld::new(Cluster::parse(&files), people, now), now };
    for (i, array) in [None, None, Some("1-5%2"), None].into_iter().enumerate() {
        let desc = JobDesc {
            uid: Uid(1001),
            name: format!("job{i}"),
            work_dir: "/home/alice".to_owned(),
            script: Some(std::sync::Arc::new(b"#!/bin/sh\nsleep 100\n".to_vec())),
            ntasks: Some(if i == 1 { 30 } else { 2 }),
            array: array.map(str::to_owned),
            submit_host: "login01".to_owned(),
            ..JobDesc::default()
        };
        let _ = small.request(Uid(1001), Request::SubmitBatch(Box::new(desc)));
    }
    while let Some(at) = small.ctld.next_due(small.now).filter(|at| at.secs() < now.secs() + 40) {
        small.now = at;
        small.ctld.timer(at);
        let _ = small.ctld.take_orders();
    }
    small
}

fn host() -> (Host, Small) {
    let mut host = Host::default();
    let small = small(host.now);
    host.now = small.now;
    (host, small)
}

fn run(argv: &[&str]) -> CommandResult {
    let (mut host, mut small) = host();
    host.run_with(argv, "", &mut small)
}

/// A valid value for the option.
fn value(opt: &ToolOption) -> &'static str {
    match (opt.name, opt.word) {
        ("iterate", _) => "0",
        ("format", ArgumentKind::Text("format")) => "%i",
        ("associations" | "ncpus" | "nnodes", _) => "1",
        ("starttime", _) => "00:00",
        ("running-over" | "running-under" | "timelimit-min" | "timelimit-max", _) => "10",
        ("endtime", _) => "now",
        ("sort", _) => "i",
        ("group" | "gid", _) => "alice",
        ("tres", _) => "cpu",
        (_, ArgumentKind::Account) => "root",
        (_, ArgumentKind::Cluster) => "lab",
        (_, ArgumentKind::Constraint) => "fast",
        (_, ArgumentKind::Fields) => "user",
        (_, ArgumentKind::File) => "/dev/null",
        (_, ArgumentKind::Node) => "cn01",
        (_, ArgumentKind::Job) => "1",
        (_, ArgumentKind::License) => "matlab",
        (_, ArgumentKind::Partition) => "batch",
        (_, ArgumentKind::Qos) => "normal",
        (_, ArgumentKind::Reservation) => "none",
        (_, ArgumentKind::Signal) => "USR1",
        (_, ArgumentKind::JobState) => "R",
        (_, ArgumentKind::NodeState) => "idle",
        (_, ArgumentKind::Step) => "1.0",
        (_, ArgumentKind::User) => "alice",
        (_, ArgumentKind::OneOf(list)) => list.first().copied().unwrap_or(""),
        (_, ArgumentKind::Nothing | ArgumentKind::Text(_)) => "x",
    }
}

/// Words with which a command runs and exits.
fn words(tool: &ToolSpec) -> &'static [&'static str] {
    match tool.name {
        "scontrol" => &["show", "job", "1"],
        "sacctmgr" => &["show", "account"],
        "sreport" => &["cluster", "utilization"],
        "scancel" => &["99"],
        "sattach" => &["99.0"],
        "sbcast" => &["/etc/hosts", "/tmp/copy"],
        "seff" => &["99"],
        "swait" => &["1"],
        _ => &[],
    }
}

#[test]
fn every_option_is_accepted() {
    let mut refused = Vec::new();
    for tool in TABLE {
        for opt in tool.options.iter().filter(|o| o.name != "edit") {
            let long = match opt.arg {
                Arg::No => format!("--{}", opt.name),
                Arg::Required => format!("--{}={}", opt.name, value(opt)),
                Arg::Optional if opt.word == super::data::PARSERS => format!("--{}", opt.name),
                Arg::Optional => format!("--{}={}", opt.name, value(opt)),
            };
            let mut argv = vec![tool.name, &long];
            argv.extend(words(tool));
            let ran = run(&argv);
            let bad = ["unrecognized option", "invalid option", "requires an argument", "ambiguous"];
            let may_fail = ["iterate", "completion", "file", "batch-script", "env-vars", "reset", "list"]
                .contains(&opt.name)
                || ["sattach", "sbcast", "scancel", "scrontab", "seff", "sstat", "strigger", "swait"]
                    .contains(&tool.name);
            if bad.iter().any(|b| ran.err.contains(b)) || (ran.code != 0 && !may_fail) {
                refused.push(format!("{argv:?}: {ran:?}"));
            }
        }
    }
    assert!(refused.is_empty(), "{}", refused.join("\n"));
}

#[test]
fn tables_are_complete() {
    assert!(TABLE.windows(2).all(|w| w[0].name < w[1].name));
    for tool in TABLE {
        assert!(find(tool.name).is_some(), "{}", tool.name);
        let names: Vec<_> = tool.options.iter().map(|o| o.name).collect();
        let letters: Vec<_> = tool.options.iter().filter_map(|o| Some((o.short?, o.arg))).collect();
        for (i, name) in names.iter().enumerate() {
            assert!(!names[..i].contains(name), "{} --{name} twice", tool.name);
        }
        // Several names of one option have the same letter and argument.
        for (i, (letter, arg)) in letters.iter().enumerate() {
            let same = letters[..i].iter().all(|(other, takes)| other != letter || takes == arg);
            assert!(same, "{} -{letter} twice", tool.name);
        }
        for opt in tool.options {
            assert!(
                !opt.help.is_empty() && (!opt.help.ends_with('.') || opt.help.ends_with("...")),
                "{} --{}",
                tool.name,
                opt.name
            );
        }
        assert!(!tool.about.is_empty(), "{}", tool.name);
    }
}

#[test]
fn help_and_manual_name_everything() {
    for tool in TABLE {
        let (help, manual) =
            (tool::help::help(tool), tool::manual::page(tool.name, "summary").unwrap_or_default());
        assert!(tool::help::usage(tool).contains("Usage: ") || !tool.usage.is_empty(), "{}", tool.name);
        for opt in tool.options {
            let name = format!("--{}", opt.name);
            assert!(help.contains(&name) && manual.contains(&name), "{} {name}", tool.name);
            assert!(opt.env.is_empty() || manual.contains(opt.env), "{} {}", tool.name, opt.env);
        }
        for word in tool.keywords {
            assert!(help.contains(word.name) && manual.contains(word.name), "{} {}", tool.name, word.name);
            assert!(tool::keyword(tool.keywords, word.name).is_some_and(|k| k.name == word.name));
        }
        assert!(help.lines().all(|l| l.chars().count() <= 100), "{}", tool.name);
    }
    for name in ["sbatch", "srun", "salloc"] {
        assert!(
            tool::manual::page(name, "")
                .is_some_and(|p| p.contains("--partition") && p.contains("ENVIRONMENT"))
        );
    }
}

#[test]
fn every_field_is_shown() {
    let formats = |tool: &ToolSpec| -> Vec<Vec<String>> {
        let names = (tool.fields)();
        let long: Vec<Vec<String>> = names
            .iter()
            .map(|n| {
                vec![match tool.name {
                    "squeue" | "sinfo" => format!("--Format={n}:.9x"),
                    "sprio" => format!("--format=%.9{n}x"),
                    _ => format!("--format={n}%9"),
                }]
            })
            .collect();
        long
    };
    for tool in
        TABLE.iter().filter(|t| ["squeue", "sinfo", "sacct", "sprio", "sshare", "sstat"].contains(&t.name))
    {
        for options in formats(tool) {
            let mut argv = vec![tool.name];
            argv.extend(options.iter().map(String::as_str));
            if tool.name == "sstat" {
                argv.push("-j99");
            }
            let ran = run(&argv);
            let nobody = "sstat: error: couldn't get steps for JobId=99\n";
            let err = if tool.name == "sstat" { nobody } else { "" };
            assert_eq!((ran.err.as_str(), ran.code), (err, 0), "{argv:?}");
            let lines: Vec<&str> = ran.out.lines().collect();
            assert!(!lines.is_empty(), "{argv:?}");
            let wide = |l: &&str| l.chars().count();
            assert!(
                lines.iter().all(|l| wide(l) == wide(&lines[0]) || tool.name == "squeue"),
                "{argv:?} {lines:?}"
            );
        }
    }
    for letter in ('a'..='z').chain('A'..='Z') {
        for command in ["squeue", "sinfo"] {
            let ran = run(&[command, "-h", "-o", &format!("%{letter}")]);
            assert!(ran.code == 0 && !ran.out.is_empty(), "{command} %{letter} {ran:?}");
        }
    }
}

#[test]
fn sacctmgr_shows_every_field_and_entity() {
    for name in super::sacctmgr::TOOL.options.iter().map(|o| o.name) {
        assert!(!name.is_empty());
    }
    for field in (super::sacctmgr::TOOL.fields)() {
        for entity in ["user", "account", "assoc", "qos"] {
            let ran = run(&["sacctmgr", "-n", "show", entity, &format!("format={field}%12")]);
            assert_eq!((ran.err.as_str(), ran.code), ("", 0), "{entity} {field}");
        }
    }
    for entity in [
        "cluster",
        "configuration",
        "event",
        "federation",
        "instance",
        "reservation",
        "resource",
        "transaction",
        "tres",
    ] {
        assert_eq!(run(&["sacctmgr", "show", entity]).code, 0, "{entity}");
    }
    assert_eq!(run(&["sacctmgr", "show", "runawayjobs"]).code, 1, "operators' business");
}

#[test]
fn trees_are_balanced() {
    for argv in [
        vec!["squeue", "--json"],
        vec!["sinfo", "--json"],
        vec!["sacct", "-a", "--json"],
        vec!["scontrol", "--json", "show", "job"],
        vec!["scontrol", "--json", "show", "nodes"],
        vec!["scontrol", "--json", "show", "partitions"],
        vec!["scontrol", "--json", "show", "licenses"],
        vec!["sacctmgr", "--json", "show", "assoc"],
        vec!["sacctmgr", "--json", "show", "qos"],
        vec!["sdiag", "--json"],
        vec!["sshare", "--json"],
    ] {
        let ran = run(&argv);
        assert_eq!((ran.err.as_str(), ran.code), ("", 0), "{argv:?}");
        let (open, close) = (ran.out.matches(['{', '[']).count(), ran.out.matches(['}', ']']).count());
        assert!(open == close && open > 4 && ran.out.contains("\"meta\": {"), "{argv:?}");
        let yaml: Vec<&str> = argv.iter().map(|w| if *w == "--json" { "--yaml" } else { w }).collect();
        assert!(run(&yaml).out.starts_with("%YAML 1.1\n--- !!map\n"), "{yaml:?}");
    }
}

#[test]
fn completion_from_the_tables() {
    let small = small(Host::default().now);
    let offers = |line: &str| {
        let (before, current) = line.rsplit_once(' ').unwrap_or(("", line));
        let words: Vec<String> = before.split(' ').map(str::to_owned).collect();
        complete(&small.ctld, &words, current).unwrap_or_default()
    };
    for tool in TABLE {
        for opt in tool.options {
            let whole = format!("--{}", opt.name);
            assert!(offers(&format!("{} {whole}", tool.name)).contains(&whole), "{} {whole}", tool.name);
            let known = matches!(
                opt.word,
                ArgumentKind::Partition
                    | ArgumentKind::Account
                    | ArgumentKind::Qos
                    | ArgumentKind::Node
                    | ArgumentKind::User
                    | ArgumentKind::OneOf(_)
                    | ArgumentKind::Cluster
            );
            if opt.arg == Arg::Required && known {
                assert!(!offers(&format!("{} {whole} ", tool.name)).is_empty(), "{} {whole}", tool.name);
                assert!(!offers(&format!("{} {whole}=", tool.name)).is_empty(), "{} {whole}=", tool.name);
            }
        }
        for word in tool.keywords {
            assert!(offers(&format!("{} {}", tool.name, word.name)).contains(&word.name.to_owned()));
        }
    }
    for (line, one) in [
        ("squeue -p ", "gpu"),
        ("squeue -p batch,g", "batch,gpu"),
        ("scancel ", "1"),
        ("scontrol show jo", "job"),
        ("scontrol show job ", "1"),
        ("scontrol show node cn0", "cn01"),
        ("scontrol update NodeName=cn0", "NodeName=cn01"),
        ("sinfo -n c", "cn01"),
        ("sinfo -t dra", "drain"),
        ("sacct -s PEND", "PENDING"),
        ("sacct -o jobi", "JobID"),
        ("sacctmgr list acc", "account"),
        ("sreport cluster Acc", "AccountUtilizationByUser"),
        ("sbatch --partition=g", "--partition=gpu"),
        ("srun -p ", "batch"),
        ("squeue -u al", "alice"),
    ] {
        let found = offers(line);
        assert!(found.iter().any(|w| w.eq_ignore_ascii_case(one)), "{line}: {found:?}");
    }
}

#[test]
fn scrontab_jobs() {
    let (mut host, mut small) = host();
    let table = "#SCRON -J tick -t 5\nWHO=me\n*/5 * * * * echo $WHO\n# nothing\n@daily true\n";
    host.file("table", table);
    assert_eq!(host.run_with(&["scrontab", "table"], "", &mut small).code, 0);
    assert_eq!(host.run_with(&["scrontab", "-l"], "", &mut small).out, table);
    let queue = |host: &mut Host, small: &mut Small| {
        host.run_with(
            &["squeue", "-h", "-S", "i", "-O", "name:6,cronjob:4,statecompact:3,starttime:20"],
            "",
            small,
        )
        .out
    };
    let shown = queue(&mut host, &mut small);
    assert!(
        shown.ends_with("tick  Yes PD 2026-11-21T05:55:00 \ntrue  Yes PD 2026-11-22T00:00:00 \n"),
        "{shown}"
    );
    for (bad, why) in [
        ("61 * * * * x", "invalid time"),
        ("* * * * *", "missing command"),
        ("#SCRON --nosuch\n* * * * * x", "nosuch"),
    ] {
        host.file("bad", bad);
        let ran = host.run_with(&["scrontab", "bad"], "", &mut small);
        assert!(ran.code == 1 && ran.err.contains(why), "{ran:?}");
    }
    let tick =
        small.ctld.jobs.values().find(|j| j.name == "tick").map(|j| j.id.to_string()).unwrap_or_default();
    assert!(host.run_with(&["scancel", &tick], "", &mut small).err.contains("without --cron flag"));
    assert_eq!(host.run_with(&["scrontab", "-r"], "", &mut small).code, 0);
    assert!(!queue(&mut host, &mut small).contains("Yes"));
    assert_eq!(host.run_with(&["scrontab", "-l"], "", &mut small).err, "no crontab for alice\n");
}

#[test]
fn dialogs() {
    let (mut host, mut small) = host();
    let ran =
        host.run_with(&["scontrol"], "version\nnosuch\nshow hostnames 'n[1-2]'\nexit\nversion\n", &mut small);
    assert_eq!(
        ran.out,
        "scontrol: version\nslurm 26.05.3\nscontrol: nosuch\nscontrol: show hostnames 'n[1-2]'\nn1\nn2\nscontrol: exit\n"
    );
    assert_eq!(ran.err, "invalid keyword: nosuch\n");
    let ran = host.run_with(&["scancel", "-i", "1", "4"], "n\ny\n", &mut small);
    assert_eq!(
        ran.out,
        "Cancel job_id=1 name=job0 partition=batch [y/n]? Cancel job_id=4 name=job3 partition=batch [y/n]? "
    );
    assert!(small.ctld.jobs.values().find(|j| j.id.0 == 1).is_some_and(|j| !j.state.ended()));
    assert!(
        small
            .ctld
            .jobs
            .values()
            .find(|j| j.id.0 == 4)
            .is_some_and(|j| j.state.ended() || j.flags.completing || j.ending.is_some())
    );
}
