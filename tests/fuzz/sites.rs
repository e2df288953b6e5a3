//! Files that describe a cluster: slurm.conf and its companions, site.toml, dumps of accounts, lessons.

use super::{START, booted, corpus, files, holds, path, run};
use base::hostlist;
use base::time::Span;
use config::{Cluster, SiteFiles};
use engine::session::lesson::Lesson;
use engine::world::{Input, World};
use testing::{Corpus, fuzz, fuzz_texts};

/// Sites whose files are edited.
const SITES: &[&str] = &[
    "examples/sites/lab",
    "examples/sites/inserm",
    "examples/sites/mila",
    "examples/sites/gcp",
    "tests/configs/nstda",
    "tests/configs/sussex",
    "tests/configs/ub-medium",
    "tests/configs/unsw",
    "tests/corpus/clusters/preempt-qos",
    "tests/corpus/clusters/topo",
    "tests/corpus/clusters/smt",
    "tests/corpus/clusters/misc",
];

const WORDS: &[&str] = &[
    "NodeName=",
    "PartitionName=",
    "Nodes=ALL",
    "CPUs=",
    "RealMemory=",
    "Gres=gpu:",
    "Sockets=",
    "CoresPerSocket=",
    "ThreadsPerCore=",
    "State=CLOUD",
    "Feature=",
    "NodeSet=",
    "Default=YES",
    "MaxTime=",
    "OverSubscribe=FORCE:4",
    "PreemptMode=",
    "PreemptType=preempt/qos",
    "SelectType=select/linear",
    "SelectTypeParameters=CR_Socket_Memory",
    "Include ",
    "include other/%c.conf",
    "SchedulerParameters=",
    "PriorityType=priority/multifactor",
    "NodeAddr=",
    "SuspendExcNodes=",
    "Licenses=",
    "AccountingStorageTRES=",
    "DownNodes=",
    "SwitchName=",
    "BlockName=",
    "BlockSizes=",
    "[1-9]",
    "[01-99999999]",
    "[[",
    "]]",
    "[1-",
    "n[1-3,5]",
    "cn[001-100]x[1-9]",
    "\\\n",
    "#",
    "DEFAULT",
    "UNLIMITED",
    "INFINITE",
    "File=/dev/nvidia[0-3]",
    "Cores=0-3",
    "Type=a100",
    "Count=",
    "Flags=",
    "AutoDetect=nvml",
    "users = [",
    "[[users]]",
    "name = \"x\"",
    "[background]",
    "{",
    "}",
    "=",
    ",",
];

/// The files of a site, with edits in one or two of them.
fn edited_site(random: &mut testing::Random, sites: &[SiteFiles]) -> SiteFiles {
    let mut site = sites[random.below(sites.len())].clone();
    let names: Vec<String> = site.0.keys().filter(|name| !name.ends_with(".sh")).cloned().collect();
    for _ in 0..=random.below(2) {
        let name = &names[random.below(names.len())];
        // The text is edited with lines of the site's other files.
        let start = site.0.get(name).cloned().unwrap_or_default();
        let all = site.0.values().map(String::as_bytes);
        let mut of_site = Corpus::new(WORDS).with(start.clone()).with(start.clone()).with(start);
        of_site = all.fold(of_site, |corpus, text| corpus.with(text));
        site.0.insert(name.clone(), of_site.edited_text(random));
    }
    site
}

#[test]
fn config() {
    let sites: Vec<SiteFiles> = SITES.iter().map(|site| files(site)).collect();
    fuzz("config", 200, |random| {
        let site = edited_site(random, &sites);
        let cluster = Cluster::parse(&site);
        for found in &cluster.diagnostics {
            let lines = site.0.get(&found.file).map_or(0, |text| text.lines().count() + 1);
            assert!(usize::try_from(found.line).is_ok_and(|line| line <= lines), "{found}: {lines} lines");
        }
        for part in &cluster.partitions {
            let outside = part.nodes.iter().any(|node| cluster.nodes.get(node as usize).is_none());
            assert!(!outside, "{} has nodes that do not exist", part.name);
        }
    });
}

/// Clusters with files that were edited boot, and their invariants hold while jobs run.
#[test]
fn boot() {
    let sites: Vec<SiteFiles> = SITES.iter().map(|site| files(site)).collect();
    fuzz("boot", 4, |random| {
        let site = edited_site(random, &sites);
        let what = format!("{:?}", site.0.get("slurm.conf"));
        let (mut world, _) = World::new("fuzz", &site, 1, START);
        if world.ctld.nodes.len() > 2000 {
            return;
        }
        for command in [
            "sbatch -n 3 --wrap 'sleep 30'",
            "sbatch --mem 100 --wrap true; squeue; sinfo -N; sacct; scontrol show config >/dev/null",
        ] {
            world.apply(&Input::Run { user: "root".to_owned(), command: command.to_owned() });
        }
        let until = START + Span::from_secs(90);
        for _ in 0..20_000 {
            if !world.step(until) {
                break;
            }
        }
        holds(&world, &what);
    });
}

#[test]
fn hostlists() {
    const WORDS: &[&str] =
        &["[", "]", "-", ",", "n[1-3]", "[001-010]", "[9-1]", "[1-2][3-4]", "..", "99999999999"];
    let corpus = corpus("hostlists", WORDS)
        .with("cn[001-128,130],gpu[1-4]x[01-02],login")
        .with("a[1-3]b[5],c-d[7]e.f");
    fuzz_texts("hostlists", 2_000, &corpus, |text| {
        let text = String::from_utf8_lossy(text);
        if let Ok(names) = hostlist::expand(&text) {
            let again = hostlist::expand(&hostlist::compress(&names))
                .unwrap_or_else(|_| panic!("{names:?} is a list"));
            let sorted = |mut names: Vec<String>| {
                names.sort();
                names.dedup();
                names
            };
            assert_eq!(sorted(again), sorted(names), "{text}");
        }
    });
}

/// `sacctmgr load` of dumps that were edited.
#[test]
fn accounts() {
    const WORDS: &[&str] = &[
        "Cluster - 'lab'",
        "Parent - 'root'",
        "Account - 'a'",
        "User - 'alice'",
        ":DefaultAccount='a'",
        ":Fairshare=1",
        ":GrpTRES=cpu=1",
        ":QOS='+normal'",
        ":MaxJobs=",
        "''",
        "'",
        ":",
        "=",
        "-1",
    ];
    let booted = booted();
    let mut world = booted.clone();
    run(&mut world, "root", "sacctmgr -i dump lab file=/tmp/d.cfg");
    let dump = String::from_utf8_lossy(&run(&mut world, "root", "cat /tmp/d.cfg").stdout).into_owned();
    assert!(dump.contains("Parent - 'root'"), "{dump}");
    let corpus = corpus("accounts", WORDS).with(dump);
    fuzz("accounts", 10, |random| {
        let mut world = booted.clone();
        let text = corpus.edited(random);
        let what = String::from_utf8_lossy(&text).into_owned();
        world.apply(&Input::Save { user: "root".to_owned(), path: "/tmp/e.cfg".to_owned(), data: text });
        let clean = if random.below(3) == 0 { "clean" } else { "" };
        run(
            &mut world,
            "root",
            &format!("sacctmgr -i load {clean} file=/tmp/e.cfg; sacctmgr -n show assoc tree | tail -3"),
        );
        holds(&world, &what);
        run(
            &mut world,
            "root",
            "sacctmgr -i dump lab file=/tmp/f.cfg && sacctmgr -i load clean file=/tmp/f.cfg",
        );
        holds(&world, &what);
    });
}

#[test]
fn lessons() {
    const WORDS: &[&str] = &[
        "## ",
        "```check\n",
        "```solution\n",
        "```start\n",
        "```hint\n",
        "---\n",
        "title:",
        "site:",
        "output contains",
        "job ",
        "file ",
        "~~~~",
        "|--|",
        "[a](b)",
        "![x](y)",
        "&#0;",
        "***",
        "> ",
        "\t",
    ];
    let corpus = corpus("lessons", WORDS).with_files(&path("examples/lessons"), &[".md"]);
    fuzz_texts("lessons", 300, &corpus, |text| {
        let text = String::from_utf8_lossy(text);
        let (lesson, found) = Lesson::read("fuzz.md", &text);
        let lines = text.lines().count() + 1;
        assert!(found.iter().all(|d| usize::try_from(d.line).is_ok_and(|line| line <= lines)), "{found:?}");
        let mut setup = super::lab();
        lesson.prepare(&mut setup);
        drop(lesson.preparation("alice", "/home/alice"));
    });
}
