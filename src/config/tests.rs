//! Tests: whole configurations, their values and their diagnostics.

mod typed_keys;

use super::*;
use base::diagnostic::Severity;

fn site(slurm: &str, more: &[(&str, &str)]) -> SiteFiles {
    let mut files = BTreeMap::from([("slurm.conf".to_owned(), slurm.to_owned())]);
    files.extend(more.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())));
    SiteFiles(files)
}

fn read(slurm: &str) -> Cluster {
    Cluster::parse(&site(slurm, &[]))
}

/// The diagnostics as text, without notes.
fn found(cluster: &Cluster) -> Vec<String> {
    cluster.diagnostics.iter().filter(|d| d.severity > Severity::Note).map(ToString::to_string).collect()
}

const BASE: &str = "ClusterName=Lab\nNodeName=cn[1-4] CPUs=8\nPartitionName=main Nodes=ALL Default=YES\n";

#[test]
fn invalid_scheduler_numbers_are_reported() {
    let c = read(&format!("{BASE}SchedulerParameters=bf_window=abc,bf_resolution=0,bf_interval=10,defer\n"));
    let found = found(&c);
    assert_eq!(found.len(), 2, "{found:?}");
    let told = ["bf_resolution=0 is no number from 1 to 3600", "bf_window=abc is no number from 1 to 43200"];
    for (found, told) in found.iter().zip(told) {
        assert!(found.contains("slurm.conf:4") && found.contains(told), "{found}");
    }
}

#[test]
fn a_small_cluster() {
    let c = read(
        "clustername = Lab  # a comment\n\
         SchedulerParameters=bf_interval=5,defer\n\
         GresTypes=gpu\nLicenses=matlab:2,one\nRequeueExit=1-2,7\n\
         NodeName=DEFAULT RealMemory=64000 Feature=intel,\\\navx2\n\
         NodeName=cn[01-02] Sockets=2 CoresPerSocket=8 ThreadsPerCore=2 Weight=5\n\
         NodeName=gpu1 Boards=1 SocketsPerBoard=2 CoresPerSocket=4 Gres=gpu:a100:4(S:0-1),gpu:v100 RealMemory=1000\n\
         nodename=p1 Procs=16 State=CLOUD Port=17001\n\
         PartitionName=DEFAULT MaxTime=1-06:00:00 State=UP Exclusive=USER\n\
         PartitionName=a,b Nodes=cn[01-02] DefaultTime=90 OverSubscribe=FORCE:2 PriorityTier=3\n\
         PartitionName=\"c\" nodes=ALL Exclusive=NO ExclusiveUser=YES TRESBillingWeights=\"CPU=1.0,Mem=0.25G\"\n",
    );
    assert_eq!(found(&c), Vec::<String>::new());
    assert_eq!(c.global.cluster_name, "lab");
    assert_eq!(c.global.raw.get("ClusterName").map(String::as_str), Some("Lab"));
    assert_eq!(c.global.scheduler_parameters.get("bf_interval").map(String::as_str), Some("5"));
    assert_eq!(c.global.licenses, BTreeMap::from([("matlab".to_owned(), 2), ("one".to_owned(), 1)]));
    assert_eq!(c.global.requeue_exit, [1, 2, 7]);
    let shapes: Vec<_> = c
        .nodes
        .iter()
        .map(|n| (n.name.as_str(), n.sockets, n.cores_per_socket, n.threads_per_core, n.cpus, n.real_memory))
        .collect();
    assert_eq!(
        shapes,
        [
            ("cn01", 2, 8, 2, 32, 64_000),
            ("cn02", 2, 8, 2, 32, 64_000),
            ("gpu1", 2, 4, 1, 8, 1000),
            ("p1", 16, 1, 1, 16, 64_000),
        ]
    );
    let gpus: Vec<_> = c.nodes.iter().flat_map(|n| &n.gres).map(|g| (g.kind.as_deref(), g.count)).collect();
    assert_eq!(gpus, [(Some("a100"), 4), (Some("v100"), 1)]);
    assert!(c.nodes.iter().all(|n| n.features == ["intel", "avx2"]));
    let parts: Vec<_> = c.partitions.iter().map(|p| (p.name.as_str(), p.nodes.len(), p.exclusive)).collect();
    assert_eq!(
        parts,
        [("a", 2, PartExclusive::User), ("b", 2, PartExclusive::User), ("c", 4, PartExclusive::No)]
    );
    let a = c.partitions.first();
    assert_eq!(
        a.map(|p| (p.max_time, p.default_time)),
        Some((Limit::Minutes(1800), Some(Limit::Minutes(90))))
    );
    assert_eq!(a.map(|p| (p.over_subscribe, p.priority_tier)), Some((OverSubscribe::Force(2), 3)));
}

#[test]
fn defaults_are_those_of_slurm() {
    let c = read(BASE);
    assert_eq!(found(&c), Vec::<String>::new());
    let g = &c.global;
    assert_eq!((g.kill_wait, g.min_job_age, g.slurmd_timeout, g.first_job_id), (30, 300, 300, 1));
    assert_eq!((g.max_array_size, g.max_job_count), (1001, 10_000));
    assert!(
        g.batch_requeue && g.scheduler_backfill && g.priority.multifactor && !g.accounting_enforce.limits
    );
    assert_eq!((g.priority.half_life, g.priority.calc_period), (604_800, 300));
    assert_eq!((g.select.unit, g.select.memory, g.select.linear), (SelectUnit::Core, true, false));
    let n = c.nodes.first();
    assert_eq!(n.map(|n| (n.sockets, n.real_memory, n.weight, n.port)), Some((8, 1, 1, 17_001)));
    let p = c.partitions.first();
    assert_eq!(p.map(|p| (p.max_time, p.max_nodes, p.min_nodes)), Some((Limit::Unlimited, None, 0)));
    assert_eq!(p.map(|p| (p.priority_tier, p.priority_job_factor, p.state)), Some((1, 1, PartState::Up)));
}

#[test]
fn errors_are_reported_and_the_rest_is_read() {
    let cases = [
        (
            "SlurmdTimeot=3",
            "error: Parsing error at unrecognized key: SlurmdTimeot (did you mean SlurmdTimeout?)",
        ),
        ("Nonsense=3", "error: Parsing error at unrecognized key: Nonsense"),
        ("KillWait=soon", "error: Invalid value \"soon\" for KillWait"),
        (
            "FastSchedule=1",
            "warning: The option \"FastSchedule\" is defunct, please remove it from slurm.conf",
        ),
        ("{% for x %}", "error: Parse error at \"{% for x %}\""),
        ("PartitionName=x Nodes=cn[3-6] MaxTime=5", "error: Invalid node names in partition: cn[5-6]"),
        ("PartitionName=x Nodes=cn1 MaxTime=1h", "error: Invalid value \"1h\" for MaxTime"),
        (
            "PartitionName=x Nodes=cn1 Nods=cn1",
            "error: Unknown option Nods in a PartitionName line (did you mean Nodes?)",
        ),
        (
            "PartitionName=main Nodes=cn1",
            "warning: duplicate entry for partition main, the later one is used",
        ),
        ("NodeName=cn[4-5]", "error: Duplicated NodeName cn4 in the config file"),
        ("NodeName=x[2-1]", "error: Invalid NodeName=x[2-1]: Invalid range: `2-1'"),
        ("NodeName=g1 Gres=gpu:2", "error: Gres=gpu:2: gres/gpu is not among GresTypes"),
        ("Include gone.conf", "error: could not open file gone.conf to include"),
        ("DownNodes=zz State=DOWN", "error: DownNodes=zz is no node of this cluster"),
        ("ClusterName=b", "warning: ClusterName is specified more than once (line 1), latest value used"),
    ];
    for (line, message) in cases {
        let c = read(&format!("{BASE}{line}\n"));
        assert_eq!(found(&c), [format!("slurm.conf:4: {message}")], "{line}");
        assert!(c.nodes.len() >= 4 && !c.partitions.is_empty(), "{line}");
    }
    let odd = read(&format!("{BASE}NodeName=odd CPUs=7 Sockets=2 CoresPerSocket=2\n"));
    assert_eq!(odd.nodes.last().map(|n| n.cpus), Some(4), "CPUs that match nothing are reset");
    assert_eq!(found(&read("")).len(), 3, "no cluster name, no nodes, no partitions");
}

#[test]
fn include_node_sets_and_gres() {
    let files = site(
        "ClusterName=x\nGresTypes=gpu\nInclude /etc/slurm/nodes.conf\ninclude parts\n",
        &[
            ("nodes.conf", "NodeName=n[1-3] CPUs=4 Gres=gpu:4\nNodeName=m1 CPUs=4 Feature=big\n"),
            (
                "parts",
                "NodeSet=s Nodes=n[1-2]\nNodeSet=b Feature=big\nPartitionName=p Nodes=s,b\nBad=1\nInclude parts\n",
            ),
            (
                "gres.conf",
                "AutoDetect=off\nNodeName=n[1-2] Name=gpu File=/dev/nvidia[0-1] Cores=0-1\n\
                 NodeName=n[1-2] Name=gpu File=/dev/nvidia2,/dev/nvidia3 Cores=2,3\n\
                 NodeName=n3 Name=gpu File=/dev/nvidia0\nNodeName=m1 Name=gpu Count=1\nName=mps Count=100\n",
            ),
        ],
    );
    let c = Cluster::parse(&files);
    let said = found(&c);
    assert!(said.contains(&"parts:4: error: Parsing error at unrecognized key: Bad".to_owned()), "{said:?}");
    assert!(said.iter().any(|d| d.contains("Include too deep")), "a file that includes itself: {said:?}");
    assert!(said.iter().any(|d| d.contains("count reported lower than configured on n3")), "{said:?}");
    assert!(said.iter().any(|d| d.contains("slurm.conf gives node m1 no such gres/gpu")), "{said:?}");
    assert_eq!(c.partitions.first().map(|p| p.nodes.iter().collect::<Vec<_>>()), Some(vec![0, 1, 3]));
    let gpu = c.nodes.first().and_then(|n| n.gres.first());
    assert_eq!(
        gpu.map(|g| g.files.join(" ")).as_deref(),
        Some("/dev/nvidia0 /dev/nvidia1 /dev/nvidia2 /dev/nvidia3")
    );
    let affinity: Vec<(u32, u32)> =
        gpu.iter().flat_map(|g| &g.affinity).map(|p| (p.units.len(), p.cores.len())).collect();
    assert_eq!(affinity, [(2, 2), (2, 2)]);
}

#[test]
fn bounds_hold() {
    let many = read("ClusterName=x\nNodeName=n[1-90000] CPUs=1\nPartitionName=p Nodes=ALL\n");
    assert_eq!(many.nodes.len(), 20_000);
    assert!(found(&many).iter().any(|d| d.contains("More than 20000 nodes")));
    let huge = "#\n".repeat((4 << 20) + 1);
    assert!(read(&huge).diagnostics.iter().any(|d| d.message.starts_with("More than 8 MiB")));
    let cpus = read("ClusterName=x\nNodeName=n CPUs=4294967295 Sockets=65000 CoresPerSocket=65000\n");
    assert_eq!(cpus.nodes.first().map(|n| n.cpus), Some(1));
}

#[test]
fn nothing_panics_on_mangled_files() {
    let files = sites::built_in("inserm").unwrap_or_default();
    let junk = [
        "=",
        "\"",
        "[",
        "]",
        "-",
        ",",
        "\\\n",
        "#",
        "\n",
        " ",
        ":",
        "é",
        "99999999999999999999",
        "Include slurm.conf",
        "(",
        "NodeName=",
        "[1-99999]",
        "'''",
        "[[",
        "-1",
        "0",
    ];
    testing::for_seeds(0..400, |_, numbers| {
        let mut random = |n: usize| numbers.below(n.max(1));
        let mut mangled = files.clone();
        for name in ["slurm.conf", "gres.conf", "site.toml"] {
            let Some(text) = mangled.0.get_mut(name) else { continue };
            for _ in 0..=random(6) {
                let mut at = random(text.len());
                while !text.is_char_boundary(at) {
                    at -= 1;
                }
                match random(3) {
                    0 => text.insert_str(at, junk[random(junk.len())]),
                    1 => text.truncate(at),
                    _ => {
                        let end = (at..=text.len()).rev().find(|e| text.is_char_boundary(*e) && *e <= at + 9);
                        text.replace_range(at..end.unwrap_or(at), "");
                    }
                }
            }
        }
        let cluster = Cluster::parse(&mangled);
        assert!(cluster.nodes.len() <= 20_000);
        let (info, _) = SiteInfo::parse("x", &mangled);
        assert!(!info.users.is_empty());
    });
}

#[test]
fn site_toml() {
    let files = site(
        "",
        &[
            (
                "site.toml",
                "login = \"front\" # c\ntitle = \"Plain\"\nopen = 'a.sh'\n\
                 users = [ { name = \"eve\", gecos = \"Eve \\u00e9\" }, { name = \"no good\" } ]\n\
                 [motd]\nen = \"\"\"\nHello\\\n   there\n\"\"\"\n[[files]]\npath = \"a.sh\"\nexecutable = true\n\
                 [[files]]\npath = \"b\"\ncontent = '''x'''\n[[files]]\npath = \"gone\"\n\
                 [out_of_memory]\naction = \"reboot\"\nseconds = 1_0\ncomment = \"why\"\n[new]\nx = [1, true]\n",
            ),
            ("files/a.sh", "#!/bin/sh\n"),
        ],
    );
    let (s, found) = SiteInfo::parse("here", &files);
    assert_eq!((s.login.as_str(), s.open.as_deref()), ("front", Some("a.sh")));
    assert_eq!(s.title.get("en").map(String::as_str), Some("Plain"));
    assert_eq!(s.motd.get("en").map(String::as_str), Some("Hellothere\n"));
    assert_eq!(s.users.iter().map(|u| u.gecos.as_str()).collect::<Vec<_>>(), ["Eve é"]);
    let given: Vec<_> = s.files.iter().map(|f| (f.path.as_str(), f.content.as_str(), f.executable)).collect();
    assert_eq!(given, [("a.sh", "#!/bin/sh\n", true), ("b", "x", false)]);
    assert_eq!(s.out_of_memory, OutOfMemory::RebootNode { comment: "why".to_owned(), seconds: 10 });
    let said: Vec<_> = found.iter().map(|d| d.message.as_str()).collect();
    assert_eq!(
        said,
        [
            "`no good` can be no user's name",
            "file `gone`: the site has no `files/gone`",
            "cannot use the key `new`"
        ]
    );
    let broken = SiteFiles(BTreeMap::from([("site.toml".to_owned(), "login = \"a\"\n\nx = \"".to_owned())]));
    let (s, found) = SiteInfo::parse("b", &broken);
    assert_eq!(s.login, "a", "what stood before the error is used");
    assert_eq!(
        found.first().map(ToString::to_string).as_deref(),
        Some("site.toml:3: error: invalid basic string, expected `\"`")
    );
}

#[test]
fn recorded_clusters_have_a_users_file() {
    let (s, found) = SiteInfo::parse("lab", &site("", &[("users", "alice bob\ncarol\n")]));
    assert_eq!(s.users.iter().map(|u| u.name.as_str()).collect::<Vec<_>>(), ["alice", "bob", "carol"]);
    assert_eq!((s.login.as_str(), found.len()), ("login", 0));
}

#[test]
fn list_options_without_effect_are_reported() {
    let text = "ClusterName=a\nSchedulerParameters=bf_window=60,bf_topopt_enable,bf_windw=3\n\
                SlurmctldParameters=max_powered_nodes=3,rl_enable,nonsense\nPreemptParameters=reclaim_licenses\n\
                PrologFlags=Alloc,Bad\nSelectTypeParameters=CR_Core,CR_Nope\nNodeName=n1 CPUs=2\nPartitionName=p Nodes=n1\n";
    let files = SiteFiles([("slurm.conf".to_owned(), text.to_owned())].into());
    let told: Vec<String> = Cluster::parse(&files).diagnostics.iter().map(ToString::to_string).collect();
    for expect in [
        "slurm.conf:2: note: bf_topopt_enable of SchedulerParameters has no effect in the simulation",
        "slurm.conf:2: warning: SchedulerParameters has no word bf_windw, Slurm leaves it alone (did you mean bf_window?)",
        "slurm.conf:3: note: max_powered_nodes of SlurmctldParameters has no effect in the simulation",
        "slurm.conf:3: warning: SlurmctldParameters has no word nonsense, Slurm leaves it alone",
        "slurm.conf:4: note: reclaim_licenses of PreemptParameters has no effect in the simulation",
        "slurm.conf:5: error: PrologFlags has no word Bad",
        "slurm.conf:6: error: SelectTypeParameters has no word CR_Nope (did you mean CR_Core?)",
    ] {
        assert!(told.iter().any(|line| line == expect), "{expect}: {told:#?}");
    }
    assert_eq!(told.len(), 7, "{told:#?}");
}

#[test]
fn topology_yaml_replaces_topology_conf() {
    let conf =
        "ClusterName=a\nTopologyPlugin=topology/flat\nNodeName=n[1-4] CPUs=2\nPartitionName=p Nodes=ALL\n";
    let parse = |yaml: &str| {
        let files =
            [("slurm.conf", conf), ("topology.conf", "SwitchName=x Nodes=n1\n"), ("topology.yaml", yaml)];
        Cluster::parse(&SiteFiles(files.map(|(n, t)| (n.to_owned(), t.to_owned())).into()))
    };
    let tree = parse(
        "---\n- topology: other\n  flat: true\n- topology: main # the one\n  cluster_default: true\n  tree:\n    switches:\n\
         \x20     - switch: top\n        children: s[1-2]\n      - switch: s1\n        nodes: n[1-2]\n\
         \x20     - switch: s2\n        nodes: n[3-9]\n        nonsense: 3\n",
    );
    let switches = tree.topology.switches();
    assert_eq!(
        switches.iter().map(|s| (s.name.as_str(), s.level, s.nodes.len())).collect::<Vec<_>>(),
        [("top", 1, 4), ("s1", 0, 2), ("s2", 0, 2)]
    );
    let told: Vec<String> = tree.diagnostics.iter().map(ToString::to_string).collect();
    assert!(told.iter().any(|t| t.starts_with("topology.yaml:2: note: topology other")), "{told:?}");
    assert!(told.iter().any(|t| t.starts_with("topology.yaml:12: warning: Invalid node names")), "{told:?}");
    assert!(told.iter().any(|t| t.starts_with("topology.yaml:14: error: nonsense")), "{told:?}");
    for sizes in ["block_sizes: [2, 4]", "block_sizes:\n    - 2\n    - 4"] {
        let yaml = format!(
            "- topology: b\n  block:\n    {sizes}\n    blocks:\n    - block: b1\n      nodes: n[1-2]\n    - block: b2\n      nodes: n[3-4]\n"
        );
        let Topology::Block { sizes, blocks } = parse(&yaml).topology else { panic!("{yaml}") };
        assert_eq!((sizes, blocks.len()), (vec![2, 4], 2), "{yaml}");
    }
}

#[test]
fn values_that_slurmctld_refuses() {
    for (line, told) in [
        ("PreemptMode=CANCL", "Invalid PreemptMode: CANCL"),
        ("PreemptMode=SUSPEND,GNAG", "Invalid PreemptMode: GNAG"),
        ("MaxJobCount=0", "Invalid value \"0\" for MaxJobCount"),
        ("BatchStartTimeout=ten", "Invalid value \"ten\" for BatchStartTimeout: not a number"),
        ("SuspendExcNodes=zz", "Invalid node zz in SuspendExcNodes"),
        ("SuspendExcNodes=cn[1-2]:1,cn[7-8]", "Invalid node cn7 in SuspendExcNodes"),
        ("SuspendExcParts=main,mian", "Invalid partition mian in SuspendExcParts"),
        ("TaskPlugin=task/affinty", "cannot find task plugin for task/affinty"),
        ("ProctrackType=proctrack/cgruop", "cannot find proctrack plugin for proctrack/cgruop"),
        ("JobCompType=jobcomp/fileText", "cannot find jobcomp plugin for jobcomp/fileText"),
        ("PrivateData=jobs,uzers", "uzers is none of accounts"),
        ("TreeWidth=0", "Invalid value \"0\" for TreeWidth"),
        ("NodeName=x[1-3] NodeAddr=10.0.0.[1-2]", "NodeAddr has 2 values for 3 nodes"),
        ("NodeName=x[1-3] Port=[17001-17002]", "Port has 2 values for 3 nodes"),
    ] {
        let all = found(&read(&format!("{BASE}{line}\n")));
        let at = all.iter().filter(|f| f.starts_with("slurm.conf:4: error: ") && f.contains(told));
        assert_eq!(at.count(), 1, "{line}: {all:?}");
    }
    for line in [
        "PreemptMode=GANG,SUSPEND",
        "PreemptMode=requeue",
        "MaxJobCount=5",
        "TaskPlugin=affinity,cgroup",
        "SuspendExcNodes=cn[1-2]:1",
        "PrivateData=jobs,usage",
        "MpiDefault=pmix",
        "UnkillableStepTimeout=180",
        "NodeName=x[1-3] NodeAddr=10.0.0.[1-3] Port=[17001-17003]",
        "NodeName=x[1-3] NodeHostname=host",
    ] {
        assert_eq!(found(&read(&format!("{BASE}{line}\n"))), Vec::<String>::new(), "{line}");
    }
}

#[test]
fn include_expands_the_cluster_name() {
    let files = [("other/lab.conf", "PartitionName=more Nodes=cn1\n")];
    let c = Cluster::parse(&site(&format!("{BASE}include other/%c.conf\n"), &files));
    assert_eq!((found(&c), c.partitions.len()), (Vec::new(), 2));
    let c = read(&format!("{BASE}include other/%c.conf\n"));
    assert_eq!(found(&c), ["slurm.conf:4: error: could not open file other/lab.conf to include"]);
}

#[test]
fn ports_of_nodes() {
    let conf = format!("{BASE}NodeName=x[1-2] Port=[9001-9002]\nNodeName=y[1-2] Port=9003\nNodeName=z\n");
    let ports = |files: &[(&str, &str)]| {
        let cluster = Cluster::parse(&site(&conf, files));
        let ports: Vec<u32> = cluster.nodes.iter().skip(4).map(|n| n.port).collect();
        (ports, cluster.global.shares_a_machine())
    };
    // A bare configuration is one machine, whose slurmds need different ports.
    assert_eq!(ports(&[]), (vec![9001, 9002, 9003, 9003, 17_009], true));
    assert_eq!(ports(&[("site.toml", "")]), (vec![9001, 9002, 9003, 9003, 6818], false));
}

#[test]
fn the_values_of_built_in_sites_are_valid() {
    for name in sites::names() {
        let cluster = Cluster::parse(&sites::built_in(name).unwrap());
        let refused: Vec<String> = found(&cluster).into_iter().filter(|f| f.contains("Invalid")).collect();
        assert_eq!(refused, Vec::<String>::new(), "{name}");
    }
}
