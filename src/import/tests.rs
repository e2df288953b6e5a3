//! Exports with the peculiarities of real dumps.

use crate::{FINDINGS, WORKLOAD, import, import_bytes};
use base::diagnostic::Severity;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

fn export(files: &[(&str, &str)]) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    fs::create_dir(dir.path().join("export")).unwrap();
    for (name, text) in files {
        fs::write(dir.path().join("export").join(name), text).unwrap();
    }
    dir
}

/// Imports, and returns the lines of the workload by `-sim-job`, and the findings.
fn imported(files: &[(&str, &str)]) -> (Vec<String>, String, BTreeMap<String, String>) {
    let dir = export(files);
    let site = dir.path().join("site");
    import(&dir.path().join("export"), &site).unwrap();
    let read = |name: &str| fs::read_to_string(site.join(name)).unwrap();
    let lines = read(WORKLOAD).lines().filter(|l| l.contains("-sim-job")).map(str::to_owned).collect();
    let mut written = BTreeMap::new();
    for entry in fs::read_dir(&site).unwrap().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        written.insert(name.clone(), read(&name));
    }
    (lines, read(FINDINGS), written)
}

fn of<'l>(lines: &'l [String], job: &str) -> &'l str {
    lines.iter().find(|l| l.contains(&format!("-sim-job {job} "))).map_or("", String::as_str)
}

/// The columns of an old release in an arbitrary order, with `-p`.
const OLD: &str = "User|State|JobName|JobID|Submit|Start|End|Elapsed|Timelimit|ReqMem|ReqCPUS|NNodes|NodeList|Account|Partition|\n\
    ann|COMPLETED|a|b|12|2021-01-04T16:57:11|2021-01-04T16:58:11|2021-01-04T17:58:11|01:00:00|4-04:00:00|2800Mc|16|1|n01|lab|cpu|\n\
    ann|COMPLETED|batch|12.batch|2021-01-04T16:58:11|2021-01-04T16:58:11|2021-01-04T17:58:11|01:00:00||2800Mc|16|1|n01|lab||\n\
    bob|CANCELLED by 1001|two\nlines|13|2021-01-04T17:00:00|Unknown|2021-01-04T18:00:00|00:00:00|UNLIMITED|4Gn|1|1|None assigned|lab|cpu|\n\
    bob|TIMEOUT|x|14_3|2021-01-04T17:00:00|2021-01-04T17:00:01|2021-01-04T17:10:31|00:10:30|00:10:00|4000?|1|1|n02|lab|cpu|\n\
    bob|CANCELLED by 0|x|14_[4-9]|2021-01-04T17:00:00|None|2021-01-04T17:20:00|00:00:00|00:10:00|4000?|1|1|None assigned|lab|cpu|\n\
    cy|OUT_OF_ME+|x|15+1|2021-01-04T17:00:00|2021-01-04T17:00:01|2021-01-04T16:50:00|00:00:30|Partition_Limit|16G|8|2|n[01-02]|lab|cpu|\n\
    this is no record\n\
    cy|RUNNING|x|16|2021-01-04T17:00:00|2021-01-04T17:00:01|Unknown|00:10:00|02:00:00|0|8|2|n[01-02]|lab|cpu|\n";

#[test]
fn peculiarities_of_real_dumps() {
    let (lines, told, _) = imported(&[("sacct.txt", OLD)]);
    assert_eq!(lines.len(), 5, "{lines:#?}\n{told}");
    let first = of(&lines, "12");
    assert!(first.contains("-dt 0 ") && first.contains("-sim-walltime 3600 "), "{first}");
    assert!(first.contains("--uid=ann --account=lab --partition=cpu --time=6000 "), "{first}");
    assert!(first.contains("--ntasks=16 --mem-per-cpu=2800"), "{first}");
    let cancelled = of(&lines, "13");
    assert!(cancelled.contains("-sim-state CANCELLED") && !cancelled.contains("-sim-start"), "{cancelled}");
    assert!(cancelled.contains("--time=UNLIMITED") && cancelled.contains("--mem=4096"), "{cancelled}");
    let task = of(&lines, "14");
    // Longer than its limit, so that the limit ends it.
    assert!(task.contains("-sim-walltime 4230 ") && task.contains("-sim-array 14_3"), "{task}");
    let component = of(&lines, "16");
    assert!(component.contains("-sim-het 15+1") || component.contains("RUNNING"), "{component}");
    for part in [
        "array tasks that never started share one record",
        "it ends before it starts (a clock was set)",
        "too few columns: this is no record",
        "still running at the export",
        "no time limit recorded",
    ] {
        assert!(told.contains(part), "{part}: {told}");
    }
    assert!(told.contains("sacct.txt:9: warning: too few columns"), "{told}");
}

/// 26.05 with a command line in the last column.
const NEW: &str = "JobID|JobIDRaw|User|Account|Partition|QOS|Submit|Eligible|Start|End|ElapsedRaw|TimelimitRaw|State|ReqCPUS|NCPUS|ReqNodes|NNodes|NodeList|ReqTRES|Constraints|SubmitLine\n\
    20|20|u1|a1|cpu|normal|2026-11-21T06:00:00|2026-11-21T06:00:00|2026-11-21T06:00:05|2026-11-21T06:01:00|55|10|PREEMPTED|8|8|1|1|n01|billing=8,cpu=8,mem=16G,node=1||sbatch -n 4 -c 2 --wrap=a|b\n\
    20|20|u1|a1|cpu|normal|2026-11-21T06:00:00|2026-11-21T06:03:01|2026-11-21T06:04:00|2026-11-21T06:09:00|300|10|COMPLETED|8|8|1|1|n02|billing=8,cpu=8,mem=16G,node=1||sbatch -n 4 -c 2 --wrap=a|b\n\
    20|20|u1|a1|cpu|normal|2026-11-21T06:00:00|2026-11-21T06:03:01|2026-11-21T06:04:00|2026-11-21T06:09:00|300|10|COMPLETED|8|8|1|1|n02|billing=8,cpu=8,mem=16G,node=1||sbatch -n 4 -c 2 --wrap=a|b\n\
    21|21|u2|a1|gpu|high|2026-11-21T06:00:10|2026-11-21T06:05:10|2026-11-21T06:05:12|2026-11-21T06:06:00|48|UNLIMITED|FAILED|4|4|2|2|g[1-2]|billing=4,cpu=4,gres/gpu:a100=4,gres/gpu=4,mem=8000M,node=2|a|b|sbatch -d afterok:20 job.sh\n";

#[test]
fn runs_of_a_job_are_joined_and_command_lines_read() {
    let (lines, told, files) = imported(&[("sacct.txt", NEW)]);
    assert_eq!(lines.len(), 2, "{lines:#?}");
    let first = of(&lines, "20");
    assert!(first.contains("-sim-run 5:60:PREEMPTED -sim-start 240 -sim-end 540"), "{first}");
    assert!(first.contains("--ntasks=4 --cpus-per-task=2"), "{first}");
    let second = of(&lines, "21");
    assert!(
        second.contains("-sim-eligible 310") && second.contains("-sim-waited-for dependency"),
        "{second}"
    );
    assert!(second.contains("--nodes=2 --ntasks=4 --mem-per-cpu=2000 --gres=gpu:a100:2"), "{second}");
    assert!(second.contains("--constraint=a|b"), "{second}");
    assert!(told.contains("the record is there twice"), "{told}");
    assert!(files["accounts.sh"].contains("add user u2 account=a1"), "{}", files["accounts.sh"]);
    assert!(files["accounts.sh"].contains("add qos high"), "{}", files["accounts.sh"]);
    assert!(files["site.toml"].contains("name = \"u1\""));
}

#[test]
fn json_and_the_standard_workload_format() {
    let json = r#"{"meta": {"slurm": {"release": "24.05"}}, "jobs": [
        {"job_id": 7, "user": "u1", "account": "a1", "partition": "cpu", "qos": "normal", "nodes": "n[1-2]", "allocation_nodes": 2,
         "state": {"current": ["COMPLETED"], "reason": "None"}, "array": {"job_id": 0, "task_id": {"set": false, "number": 0}},
         "time": {"submission": 1795240440, "eligible": 1795240440, "start": 1795240450, "end": 1795240550, "elapsed": 100,
                  "limit": {"set": true, "infinite": false, "number": 30}},
         "required": {"CPUs": 4, "memory_per_cpu": {"set": true, "infinite": false, "number": 1000}},
         "tres": {"requested": [{"type": "cpu", "name": "", "count": 4}, {"type": "node", "name": "", "count": 2}],
                  "allocated": [{"type": "cpu", "name": "", "count": 4}]}, "submit_line": "sbatch x.sh"}], "warnings": []}"#;
    let (lines, _, _) = imported(&[("jobs.json", json)]);
    let job = of(&lines, "7");
    assert!(job.contains("-sim-walltime 100 ") && job.contains("-sim-start 10"), "{job}");
    assert!(job.contains("--time=30 --nodes=2 --ntasks=4 --mem-per-cpu=1000"), "{job}");
    let swf = "; MaxNodes: 4\n; MaxProcs: 16\n1 0 30 100 4 -1 -1 4 600 -1 1 7 1 -1 -1 -1 -1 -1\n2 5\n";
    let (lines, told, files) = imported(&[("trace.swf", swf)]);
    assert!(of(&lines, "1").contains("-sim-start 30 -sim-end 130"), "{lines:?}");
    assert!(
        files["slurm.conf"].contains("NodeName=n[1-4]") && told.contains("fewer than 18 numbers"),
        "{told}"
    );
}

#[test]
fn a_site_of_many_texts() {
    let assoc = "Cluster|Account|User|Partition|ParentName|Share|GrpTRES|QOS\nlab|root|||||\u{20}|normal\nlab|a1|||root|10|cpu=64|normal,high\n\
                 lab|a1|u1||a1|1||normal\n";
    let qos = "Name|Priority|GraceTime|MaxTRESPU\nnormal|0|00:00:00|\nhigh|100|00:00:00|cpu=8\n";
    let events = "NodeName|TimeStart|TimeEnd|State|Reason\nn01|2026-11-21T05:00:00|2026-11-21T06:01:00|DOWN|bad disk\n\
                  n02|2026-11-21T06:00:30|Unknown|DRAIN|x\n|2026-11-21T06:00:30|Unknown||Cluster\n";
    let manifest = "sandbatch export 1\nsince: 2026-11-21T06:00:05\nuntil: 2026-11-21T07:00:00\ncost: PrivateData=jobs\n";
    let files = [
        ("sacct.txt", NEW),
        ("assoc.txt", assoc),
        ("qos.txt", qos),
        ("events.txt", events),
        ("manifest.txt", manifest),
    ];
    let (lines, told, files) = imported(&files);
    assert!(
        of(&lines, "20").contains("-sim-warm-up") && !of(&lines, "21").contains("-sim-warm-up"),
        "{lines:?}"
    );
    let script = &files["accounts.sh"];
    for part in [
        "add qos high\n",
        "modify qos high set priority=100 maxtresperuser=cpu=8\n",
        "add account a1 parent=root fairshare=10 grptres=cpu=64",
    ] {
        assert!(script.contains(part), "{part}: {script}");
    }
    assert!(script.contains("add user u2 account=a1"), "{script}");
    let workload = &files[WORKLOAD];
    for part in [
        "-dt 0 -e node | n01 DOWN bad disk\n-dt 60 -e node | n01 RESUME\n-dt 30 -e node | n02 DRAIN x\n",
        "-dt 3600 -e exported |\n",
    ] {
        assert!(workload.contains(part), "{part}: {workload}");
    }
    assert!(told.contains("PrivateData=jobs") && told.contains("a user of jobs who is in no list"), "{told}");
}

/// Forty jobs of two users in two partitions: one job at a time on a node, so that they wait for each other.
#[test]
fn a_calibration_in_words() {
    let mut text =
        "JobID|User|Account|Partition|Submit|Eligible|Start|End|ElapsedRaw|TimelimitRaw|State|ReqCPUS|NCPUS|NNodes|NodeList\n".to_owned();
    let clock =
        |secs: u32| format!("2026-11-21T{:02}:{:02}:{:02}", 6 + secs / 3600, secs / 60 % 60, secs % 60);
    for job in 0..40_u32 {
        let (partition, user) = [("cpu", "u1"), ("gpu", "u2")][job as usize % 2];
        let (submit, run) = (clock(job * 90), 100 + job % 7 * 20);
        let start = job / 2 * 240 + 1;
        text += &format!(
            "{job}|{user}|a1|{partition}|{submit}|{submit}|{}|{}|{run}|10|COMPLETED|8|8|1|{partition}1\n",
            clock(start.max(job * 90)),
            clock(start.max(job * 90) + run),
            job = 100 + job
        );
    }
    let conf = "ClusterName=x\nSlurmctldHost=c\nSelectType=select/cons_tres\nSelectTypeParameters=CR_Core\n\
                NodeName=cpu1,gpu1 CPUs=8 RealMemory=8000\nPartitionName=cpu Nodes=cpu1 Default=YES MaxTime=60\n\
                PartitionName=gpu Nodes=gpu1 MaxTime=60\n";
    let (lines, _, files) = imported(&[("slurm.conf", conf), ("sacct.txt", &text)]);
    assert_eq!(lines.len(), 40);
    let workload = files[WORKLOAD].clone();
    let (files, _) = config::furnish(config::SiteFiles(files));
    let found = crate::calibrate::calibrate("site", &files, WORKLOAD, &workload, |_, _| ()).unwrap();
    insta::assert_snapshot!("calibration", found.to_string());
}

#[test]
fn bad_input_leaves_nothing_behind() {
    let dir = export(&[("notes.md", "hello\n")]);
    let failed = |input: &Path| {
        let error = import(input, &dir.path().join("site")).unwrap_err();
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1, "{error}");
        error
    };
    assert!(failed(&dir.path().join("export")).contains("nothing to import"));
    assert!(failed(&dir.path().join("absent")).contains("absent"));
    fs::write(dir.path().join("export/jobs.json"), r#"{"jobs": [{"job_id": 7, "#).unwrap();
    assert!(failed(&dir.path().join("export")).contains("no valid JSON"));
}

#[test]
fn an_archive_in_memory_gives_the_same_site() {
    let conf = "ClusterName=x\nSlurmctldHost=c\nNodeName=n[01-02] CPUs=16 RealMemory=64000\n\
                PartitionName=cpu Nodes=ALL\n";
    let files = [("slurm.conf", conf), ("sacct.txt", OLD)];
    let (_, _, written) = imported(&files);
    let mut archive =
        tar::Builder::new(flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast()));
    for (name, text) in files {
        let mut header = tar::Header::new_ustar();
        header.set_size(text.len() as u64);
        archive.append_data(&mut header, name, text.as_bytes()).unwrap();
    }
    let bytes = archive.into_inner().unwrap().finish().unwrap();
    let (site, report) = import_bytes("export.tar.gz", bytes.clone()).unwrap();
    assert_eq!(report.totals.jobs, 5);
    assert_eq!(site, written);
    // A trace alone is a site, too; half an archive and other files are refused.
    let (site, _) = import_bytes("sacct.txt", OLD.as_bytes().to_vec()).unwrap();
    assert!(site.contains_key(WORKLOAD));
    let cut = import_bytes("e.tgz", bytes[..bytes.len() / 2].to_vec()).unwrap_err();
    assert!(cut.contains("e.tgz: not a whole archive"), "{cut}");
    let other = import_bytes("notes.txt", b"hello".to_vec()).unwrap_err();
    assert!(other.starts_with("notes.txt: nothing to import"), "{other}");
}

#[test]
fn a_million_broken_lines() {
    let mut text = String::from("JobID|User|Submit|Start|End|State\n");
    text += &"12|u1|yesterday|||COMPLETED\n".repeat(200_000);
    let dir = export(&[("sacct.txt", &text)]);
    let report = import(&dir.path().join("export"), &dir.path().join("site")).unwrap();
    assert_eq!((report.totals.jobs, report.left_out), (0, 200_000));
    assert!(report.findings.len() < 10);
    assert!(report.findings.iter().any(|d| d.severity == Severity::Warning && d.line == 2));
}

/// Recorded from Slurm 22.05: released after 13 s, a begin time, held while it was pending, requeued, and cancelled while held.
const USERS: &str = "JobID|User|Submit|Eligible|Start|End|ElapsedRaw|State|Reason|SubmitLine\n\
    1|ann|2026-11-28T20:28:28|2026-11-28T20:28:41|2026-11-28T20:28:41|2026-11-28T20:28:42|1|COMPLETED|JobHeldUser|sbatch -n1 -t5 -H --wrap sleep 1\n\
    3|ann|2026-11-28T20:28:28|2026-11-28T20:28:48|2026-11-28T20:28:50|2026-11-28T20:28:51|1|COMPLETED|BeginTime|sbatch -n1 -t5 --begin=now+20 --wrap sleep 1\n\
    8|ann|2026-11-28T20:28:28|2026-11-28T20:28:41|2026-11-28T20:28:43|2026-11-28T20:28:44|1|COMPLETED|JobHeldUser|sbatch -n1 -t5 -w cn01 --wrap sleep 1\n\
    10|ann|2026-11-28T20:28:28|2026-11-28T20:28:28|2026-11-28T20:28:29|2026-11-28T20:28:33|4|REQUEUED|None|sbatch -n1 -t5 --requeue --wrap sleep 100\n\
    10|ann|2026-11-28T20:28:33|2026-11-28T20:30:34|Unknown|Unknown|0|PENDING|BeginTime|sbatch -n1 -t5 --requeue --wrap sleep 100\n\
    2|ann|2026-11-28T20:28:28|Unknown|None|2026-11-28T20:28:40|0|CANCELLED by 1001|JobHeldUser|sbatch -n1 -t5 -H --wrap sleep 1\n";

#[test]
fn begin_times_holds_and_requeues() {
    let (lines, _, _) = imported(&[("sacct.txt", USERS)]);
    for (job, parts) in [
        ("1", ["-sim-eligible 13 ", "-sim-waited-for hold,JobHeldUser"]),
        ("3", ["-sim-eligible 20 ", "-sim-waited-for begin,BeginTime"]),
        ("8", ["-sim-eligible 13 ", "-sim-waited-for JobHeldUser"]),
        ("10", ["-sim-eligible 0 -sim-run 1:5:REQUEUED -sim-state PENDING", " --requeue"]),
        ("2", ["-sim-end 12 -sim-state CANCELLED", "-sim-waited-for hold,JobHeldUser"]),
    ] {
        let line = of(&lines, job);
        assert!(parts.iter().all(|part| line.contains(part)) && !line.contains("--begin"), "{line}");
    }
    assert!(!of(&lines, "2").contains("-sim-eligible"), "{lines:?}");
    // Without the time of eligibility, the command line counts.
    let table: String = USERS
        .lines()
        .map(|line| {
            let columns: Vec<&str> =
                line.split('|').enumerate().filter(|(i, _)| *i != 3).map(|c| c.1).collect();
            columns.join("|") + "\n"
        })
        .collect();
    let (lines, _, _) = imported(&[("sacct.txt", &table)]);
    assert!(of(&lines, "3").contains(" --begin=now+20"), "{lines:?}");
}
