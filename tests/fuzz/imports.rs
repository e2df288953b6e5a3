//! Exports of real clusters, given to `sandbatch import`: files of each kind, and archives.

use super::{START, corpus};
use base::time::Span;
use config::{SiteFiles, furnish};
use engine::session::replay::events;
use engine::world::World;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use testing::{Random, fuzz};

const SACCT: &str = "JobID|JobIDRaw|User|Account|Partition|QOS|Submit|Eligible|Start|End|ElapsedRaw|TimelimitRaw|State|ReqCPUS|NCPUS|ReqNodes|NNodes|NodeList|ReqTRES|Constraints|SubmitLine\n\
    20|20|u1|a1|cpu|normal|2026-11-21T06:00:00|2026-11-21T06:00:00|2026-11-21T06:00:05|2026-11-21T06:01:00|55|10|PREEMPTED|8|8|1|1|n1|billing=8,cpu=8,mem=16G,node=1||sbatch -n 4 -c 2 --wrap=a|b\n\
    20.batch|20.batch||a1|||2026-11-21T06:00:05|2026-11-21T06:00:05|2026-11-21T06:00:05|2026-11-21T06:01:00|55||CANCELLED|8|8|1|1|n1|||\n\
    21_[2-9]|21|u2|a1|cpu,gpu|normal|2026-11-21T06:00:00|2026-11-21T06:03:01|Unknown|2026-11-21T06:09:00|0|UNLIMITED|CANCELLED by 1001|8|0|1|1|None assigned|cpu=8,gres/gpu=2||\n\
    22+1|23|u2|a1|gpu|high|2026-11-21T06:01:00|2026-11-21T06:03:01|2026-11-21T06:03:01|Unknown|0|60|RUNNING|8|8|2|2|n[1-2]|cpu=8|a100&ib|srun x\n";
const OLD_SACCT: &str = "User|State|JobName|JobID|Submit|Start|End|Elapsed|Timelimit|ReqMem|ReqCPUS|NNodes|NodeList|Account|Partition|\n\
    ann|COMPLETED|a|b|12|2021-01-04T16:57:11|2021-01-04T16:58:11|2021-01-04T17:58:11|01:00:00|4-04:00:00|2800Mc|16|1|n1|lab|cpu|\n\
    bob|TIMEOUT|x|14_3|2021-01-04T17:00:00|2021-01-04T17:00:01|2021-01-04T17:10:31|00:10:30|00:10:00|4000?|1|1|n2|lab|cpu|\n";
const JSON: &str = "{\"jobs\":[{\"job_id\":7,\"user\":\"u1\",\"account\":\"a1\",\"partition\":\"cpu\",\"time\":{\"submission\":1795240440,\"eligible\":1795240440,\
    \"start\":1795240450,\"end\":1795240500,\"elapsed\":50,\"limit\":{\"set\":true,\"number\":10}},\"state\":{\"current\":[\"COMPLETED\"]},\
    \"required\":{\"CPUs\":4},\"allocation_nodes\":1,\"nodes\":\"n1\"}]}";
const NODES: &str = "NodeName=n1 Arch=x86_64 CoresPerSocket=8 CPUAlloc=4 CPUTot=16 AvailableFeatures=ib,a100 Gres=gpu:a100:2(S:0)\n   \
    RealMemory=64000 Sockets=2 Boards=1 State=MIXED+DRAIN ThreadsPerCore=1 TmpDisk=0 Weight=5\n   Partitions=cpu,gpu Reason=x [root@2026-11-21T06:00:00]\n\n\
    NodeName=n2 Arch=x86_64 CoresPerSocket=8 CPUTot=32 RealMemory=64000 Sockets=2 ThreadsPerCore=2 State=IDLE\n";
const PARTITIONS: &str = "PartitionName=cpu AllowGroups=ALL AllowAccounts=a1 AllowQos=ALL Default=YES MaxTime=1-00:00:00 Nodes=n[1-2] PriorityTier=1 \
    OverSubscribe=NO State=UP TotalCPUs=48\n\nPartitionName=gpu MaxTime=UNLIMITED Nodes=n1 QoS=high State=UP\n";
const CONFIG: &str = "Configuration data as of 2026-11-21T06:00:00\nClusterName             = real\nPriorityType            = priority/multifactor\n\
    PriorityWeightAge       = 1000\nSchedulerParameters     = bf_window=60,defer\nSelectType              = select/cons_tres\n\
    SelectTypeParameters    = CR_CORE_MEMORY\nGresTypes               = gpu\nSlurmctldHost[0]        = ctl\n";
const DUMP: &str = "Cluster - 'real':Fairshare=1:QOS='normal'\nParent - 'root'\nAccount - 'a1':Description='a':Organization='b':Fairshare=5\n\
    Parent - 'a1'\nUser - 'u1':DefaultAccount='a1':Fairshare=1:MaxJobs=4\nUser - 'u2':DefaultAccount='a1'\n";
const ASSOC: &str = "Cluster|Account|User|Partition|Share|Priority|GrpJobs|GrpTRES|MaxJobs|MaxTRES|QOS|Def QOS|\nreal|root|||1||||||normal||\n\
    real|a1|||5|||cpu=100|||normal,high||\nreal|a1|u1||parent||||4|cpu=8|normal||\n";
const QOS: &str = "Name|Priority|GraceTime|Preempt|PreemptMode|Flags|GrpTRES|MaxTRESPU|MaxWall|\nnormal|0|00:00:00||cluster||||\n\
    high|100|00:05:00|normal|requeue|DenyOnLimit|cpu=64|gres/gpu=2|1-00:00:00|\n";
const EVENTS: &str = "NodeName|TimeStart|TimeEnd|State|Reason|User|\nn1|2026-11-21T05:00:00|2026-11-21T05:30:00|DOWN*|x|root|\nn2|2026-11-21T06:00:00|Unknown|DRAIN|y|root|\n";
const MANIFEST: &str =
    "sandbatch export 1\ncluster: real\nbegin: 2026-11-21T00:00:00\nend: 2026-11-22T00:00:00\n";
const SWF: &str = "; MaxNodes: 4\n; MaxProcs: 16\n1 0 5 100 4 -1 1000 4 600 -1 1 1 1 -1 1 -1 -1 -1\n";

/// The files of an export.
const FILES: &[(&str, &str)] = &[
    ("sacct.txt", SACCT),
    ("sacct-old.txt", OLD_SACCT),
    ("sacct.json", JSON),
    ("nodes.txt", NODES),
    ("partitions.txt", PARTITIONS),
    ("config.txt", CONFIG),
    ("dump.txt", DUMP),
    ("assoc.txt", ASSOC),
    ("qos.txt", QOS),
    ("events.txt", EVENTS),
    ("export.txt", MANIFEST),
    ("trace.swf", SWF),
    (
        "slurm.conf",
        "ClusterName=real\nNodeName=n[1-2] CPUs=16 RealMemory=64000\nPartitionName=cpu Nodes=ALL\n",
    ),
];

/// An empty directory, deleted at the end.
struct Scratch(PathBuf);

impl Scratch {
    fn new() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let name =
            format!("sandbatch-imports-{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let dir = std::env::temp_dir().join(name);
        std::fs::create_dir_all(dir.join("export")).expect("a directory");
        Self(dir)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        drop(std::fs::remove_dir_all(&self.0));
    }
}

/// The files of a directory by name.
fn site_of(dir: &Path) -> SiteFiles {
    let entries = std::fs::read_dir(dir).expect("the site").flatten();
    let file = |entry: std::fs::DirEntry| {
        let text = std::fs::read_to_string(entry.path()).ok()?;
        Some((entry.file_name().to_string_lossy().into_owned(), text))
    };
    SiteFiles(entries.filter_map(file).collect())
}

/// A `tar.gz` of these files.
fn archive(files: &[(String, Vec<u8>)]) -> Vec<u8> {
    let mut tar = tar::Builder::new(Vec::new());
    for (name, data) in files {
        let mut header = tar::Header::new_gnu();
        header.set_size(data.len() as u64);
        header.set_mode(0o644);
        if tar.append_data(&mut header, format!("export/{name}"), data.as_slice()).is_err() {
            continue;
        }
    }
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    std::io::Write::write_all(&mut packed, &tar.into_inner().unwrap_or_default()).expect("memory");
    packed.finish().unwrap_or_default()
}

/// Some of the files, one or two of them edited.
fn export(random: &mut Random) -> Vec<(String, Vec<u8>)> {
    const WORDS: &[&str] = &[
        "|",
        "||",
        "\n",
        "Unknown",
        "2026-11-21T06:00:00",
        "-1",
        "99999999999999",
        "n[1-99999999]",
        "=",
        "'",
        ":",
        "4294967295",
        "\0",
        "é",
    ];
    let mut files = Vec::new();
    for (name, text) in FILES {
        if random.below(3) == 0 {
            continue;
        }
        let corpus = corpus("imports", WORDS).with(*text);
        let edits = random.below(3) == 0;
        let data = if edits { corpus.edited(random) } else { text.as_bytes().to_vec() };
        files.push(((*name).to_owned(), data));
    }
    files
}

/// What an import writes is a site that starts and a workload in order; a refused one leaves nothing behind.
#[test]
fn imports() {
    fuzz("imports", 25, |random| {
        let scratch = Scratch::new();
        let files = export(random);
        let input = if random.below(3) == 0 {
            let mut packed = archive(&files);
            if random.below(2) == 0 && !packed.is_empty() {
                let at = random.below(packed.len());
                packed[at] ^= 1 << random.below(8);
                packed.truncate(packed.len() - random.below(20).min(packed.len()));
            }
            std::fs::write(scratch.0.join("export.tar.gz"), packed).expect("a file");
            scratch.0.join("export.tar.gz")
        } else {
            for (name, data) in &files {
                std::fs::write(scratch.0.join("export").join(name), data).expect("a file");
            }
            scratch.0.join("export")
        };
        let out = scratch.0.join("site");
        match import::import(&input, &out) {
            Err(why) => {
                assert!(!why.is_empty() && !out.exists(), "{why}");
                let left = std::fs::read_dir(&scratch.0).expect("the directory").count();
                assert!(left <= 2, "{left} entries are left");
            }
            Ok(_) => {
                let (site, _) = furnish(site_of(&out));
                let (mut world, _) = World::new("real", &site, 1, START);
                let until = START + Span::from_secs(60);
                while world.step(until) {}
                super::holds(&world, "the imported site");
                let text = site.0.get(import::WORKLOAD).map_or("", String::as_str);
                let jobs = events::parse(import::WORKLOAD, text, &[]).jobs;
                assert!(jobs.windows(2).all(|two| two[0].submit <= two[1].submit), "sorted by time");
            }
        }
    });
}
