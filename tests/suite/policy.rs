//! A site's own rules: the published policies of real sites, each as a small site with a user's commands.

use crate::bench::Site;

const ALLIANCE: &str = "\
ClusterName=graham
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
DefMemPerCPU=256
GresTypes=gpu
AccountingStorageEnforce=associations,limits,qos
PriorityType=priority/multifactor
PriorityWeightFairshare=1000
PriorityDecayHalfLife=7-0
EnforcePartLimits=ALL
NodeName=gra[1-16] Sockets=2 CoresPerSocket=16 RealMemory=128000
NodeName=gra[17-18] Sockets=2 CoresPerSocket=16 RealMemory=512000
NodeName=gra[19-22] Sockets=2 CoresPerSocket=16 RealMemory=128000 Gres=gpu:p100:2
PartitionName=cpubase_bycore_b1 Nodes=gra[1-12] MaxTime=3:00:00 Default=YES
PartitionName=cpubase_bycore_b4 Nodes=gra[1-6] MaxTime=3-0
PartitionName=cpubase_bynode_b1 Nodes=gra[1-16] MaxTime=3:00:00 OverSubscribe=EXCLUSIVE
PartitionName=cpubase_bynode_b6 Nodes=gra[1-4] MaxTime=28-0 OverSubscribe=EXCLUSIVE
PartitionName=cpularge_bycore_b1 Nodes=gra[17-18] MaxTime=3:00:00
PartitionName=gpubase_bycore_b1 Nodes=gra[19-22] MaxTime=3:00:00
PartitionName=gpubase_bynode_b4 Nodes=gra[19-21] MaxTime=3-0 OverSubscribe=EXCLUSIVE
";

const ALLIANCE_ACCOUNTS: &str = "\
sacctmgr -i add account def-prof1_cpu Fairshare=434086 >/dev/null
sacctmgr -i add account def-prof1_gpu Fairshare=434086 >/dev/null
sacctmgr -i add account rrg-prof2_cpu Fairshare=269253828 >/dev/null
sacctmgr -i add user prof1,grad2,postdoc3,u4,u5,u6,u7,u8,u9,u10 Account=def-prof1_cpu >/dev/null
sacctmgr -i add user prof1 Account=def-prof1_gpu >/dev/null
sacctmgr -i add user prof2 Account=rrg-prof2_cpu >/dev/null
";

const ALLIANCE_RULES: &str = r#"
users = [ { name = "prof1" }, { name = "grad2" }, { name = "postdoc3" }, { name = "prof2" } ]

[[job_submit]]
name = "every job says how long it runs"
when = { time_limit = "none" }
refuse = "Please give a time limit with --time"
error = "MissingTimeLimit"
[[job_submit]]
let = { kind = "cpubase", width = "bycore", class = "b6", what = "cpu" }
[[job_submit]]
when = { mem_per_cpu = ">8G" }
let = { kind = "cpularge" }
[[job_submit]]
when = { gpus = ">0" }
let = { kind = "gpubase", what = "gpu" }
[[job_submit]]
name = "whole nodes: all cores, or all GPUs"
when = { cpus_per_node = ">=32" }
let = { width = "bynode" }
[[job_submit]]
when = { gpus_per_node = ">=2" }
let = { width = "bynode" }
[[job_submit]]
when = { exclusive = true }
let = { width = "bynode" }
[[job_submit]]
when = { time_limit = "<=3-0" }
let = { class = "b4" }
[[job_submit]]
when = { time_limit = "<=3:00:00" }
let = { class = "b1" }
[[job_submit]]
name = "the class of nodes that the job asks for"
when = { partition = "none" }
set = { partition = "{kind}_{width}_{class}" }
[[job_submit]]
when = { account = ["!*_cpu", "!*_gpu", "given"] }
set = { account = "{account}_{what}" }
[[job_submit]]
when = { account = "none", gpus = ">0" }
set = { account = "def-{user}_gpu" }
say = "NOTE: charged to {account}"

[[cron]]
name = "accounts without jobs have one share"
every = "15:00"
when = { account = "def-*", jobs = 0 }
set = { fairshare = 1 }
[[cron]]
name = "others have theirs"
every = "15:00"
when = { account = "def-*", jobs = ">0" }
set = { fairshare = 434086 }

[[usage]]
account = "def-prof1_cpu"
user = "grad2"
raw = "54618.53"
[[usage]]
account = "def-prof1_cpu"
user = "postdoc3"
raw = "855517.5"
[[usage]]
account = "def-prof1_cpu"
raw = "601917.97"
[[usage]]
account = "rrg-prof2_cpu"
raw = 35148532591
"#;

fn alliance() -> Site {
    Site::new(&[("slurm.conf", ALLIANCE), ("accounts.sh", ALLIANCE_ACCOUNTS), ("site.toml", ALLIANCE_RULES)])
}

#[test]
fn jobs_are_routed_by_their_request() {
    let mut site = alliance();
    assert_eq!(site.complaints(), [] as [&str; 0]);
    for (options, partition) in [
        ("-t 1:00:00", "cpubase_bycore_b1"),
        ("-t 3:00:00 --ntasks=64", "cpubase_bycore_b1"),
        ("-t 3:00:01", "cpubase_bycore_b4"),
        ("-t 1:00:00 -N 2 --ntasks-per-node=32", "cpubase_bynode_b1"),
        ("-t 10-0 -N 1 --exclusive", "cpubase_bynode_b6"),
        ("-t 30 --mem-per-cpu=16G", "cpularge_bycore_b1"),
        ("-t 30 --mem=100G -c 4", "cpularge_bycore_b1"),
        ("-t 30 --mem=100G -c 16", "cpubase_bycore_b1"),
        ("-t 2:00:00 --gres=gpu:1", "gpubase_bycore_b1"),
        ("-t 2-0 --gpus-per-node=2", "gpubase_bynode_b4"),
        ("-t 1:00:00 -p cpubase_bycore_b4", "cpubase_bycore_b4"),
    ] {
        let said = site.run("prof1", &format!("sbatch -H -A def-prof1_cpu {options} --wrap=true"));
        assert!(said.starts_with("Submitted"), "{options}: {said}");
        let got = site.run("prof1", "squeue -h -u prof1 -o %P --sort=-i | head -1");
        assert_eq!(got.trim(), partition, "{options}");
    }
}

#[test]
fn accounts_get_their_suffix_with_a_message() {
    let mut site = alliance();
    let said = site.run("prof1", "sbatch -t 10 --gres=gpu:1 --wrap=true; squeue -h -o %a");
    assert_eq!(said, "Submitted batch job 1\ndef-prof1_gpu\nsbatch: NOTE: charged to def-prof1_gpu\n");
    let said = site.run("prof1", "sbatch --wrap=true; srun hostname; sbatch --test-only --wrap=true");
    let refused = "error: Please give a time limit with --time";
    let reason = "Time limit specification required, but not provided";
    assert_eq!(
        said,
        format!(
            "sbatch: {refused}\nsbatch: error: Batch job submission failed: {reason}\n\
             srun: {refused}\nsrun: error: Unable to allocate resources: {reason}\n\
             sbatch: {refused}\nallocation failure: {reason}\n"
        )
    );
}

#[test]
fn inactive_accounts_have_one_share() {
    let mut site = alliance();
    let shares = "sshare -A def-prof1_cpu -n -P -o RawShares | head -1";
    assert_eq!(site.run("prof1", shares), "434086\n");
    site.pass(900);
    assert_eq!(site.run("prof1", shares), "1\n");
    site.run("grad2", "sbatch -A def-prof1_cpu -t 60 --wrap='sleep 3000'");
    assert_eq!(site.run("prof1", shares), "1\n", "not at once");
    site.pass(900);
    assert_eq!(site.run("prof1", shares), "434086\n");
    site.pass(4000);
    assert_eq!(site.run("prof1", shares), "1\n");
}

#[test]
fn the_guides_sshare_to_the_last_digit() {
    let mut site = alliance();
    let line = "sshare -l -A def-prof1_cpu -u prof1,grad2,postdoc3 -n -P \
                -o User,RawShares,NormShares,RawUsage,EffectvUsage,LevelFS";
    assert_eq!(
        site.run("prof1", line),
        "|434086|0.001607|1512054|0.000043|37.357207\n\
         grad2|1|0.100000|54618|0.036122|2.768390\n\
         postdoc3|1|0.100000|855517|0.565798|0.176741\n\
         prof1|1|0.100000|0|0.000000|inf\n"
    );
}

#[test]
fn users_can_see_the_rules() {
    let mut site = alliance();
    let all = site.run("prof1", "site");
    for part in [
        "if time_limit none: refuse \"Please give a time limit with --time\" (MissingTimeLimit)",
        "if partition none: partition={kind}_{width}_{class}",
        "every 00:15:00, each account: if account def-* and jobs 0: sacctmgr modify set fairshare=1",
        "grad2        54618.530",
    ] {
        assert!(all.contains(part), "{part}\n{all}");
    }
    assert!(site.run("prof1", "site nothing").starts_with("site: invalid argument 'nothing'\n"));
}

const SMALL: &str = "\
ClusterName=small
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
DefMemPerCPU=1000
GresTypes=gpu
NodeName=n[1-4] Sockets=2 CoresPerSocket=20 RealMemory=190000
NodeName=g1 Sockets=1 CoresPerSocket=8 RealMemory=64000 Gres=gpu:4
PartitionName=compute Nodes=n[1-4] Default=YES MaxTime=7-0
PartitionName=g2 Nodes=g1 MaxTime=1-0
";

#[test]
fn an_hour_at_least() {
    let rules = "users = [ { name = \"ana\" } ]\n[[job_submit]]\nwhen = { time_limit = \"<1:00:00\" }\n\
                 refuse = \"\"\"\nJobs on Beluga must run for an hour or more (you asked for {time_limit}).\n\
                 Put short tasks together.\n\"\"\"\nerror = \"InvalidTimeLimit\"\n";
    let mut site = Site::new(&[("slurm.conf", SMALL), ("site.toml", rules)]);
    assert_eq!(site.run("ana", "sbatch -t 60 --wrap=true"), "Submitted batch job 1\n");
    assert_eq!(
        site.run("ana", "sbatch -t 59 --wrap=true"),
        "sbatch: error: Jobs on Beluga must run for an hour or more (you asked for 00:59:00).\n\
         sbatch: error: Put short tasks together.\n\
         sbatch: error: Batch job submission failed: Requested time limit is invalid (missing or exceeds some limit)\n"
    );
    assert!(site.run("ana", "salloc -t 5 true").contains("salloc: error: Jobs on Beluga must run"));
}

#[test]
fn whole_nodes_only() {
    let rules = "users = [ { name = \"ana\" } ]\n[[job_submit]]\nwhen = { mem_per_node = \"given\" }\n\
                 say = \"Memory requests are ignored: you get whole nodes\"\n\
                 [[job_submit]]\nset = { exclusive = true, mem_per_node = 0 }\ndefault = { nodes = 1, time_limit = \"15:00\" }\n";
    let mut site = Site::new(&[("slurm.conf", SMALL), ("site.toml", rules)]);
    let said = site.run("ana", "sbatch -n 1 --mem=4G --wrap='sleep 100'");
    assert_eq!(said, "Submitted batch job 1\nsbatch: Memory requests are ignored: you get whole nodes\n");
    site.run("ana", "sbatch -n 40 --wrap='sleep 100'");
    site.pass(5);
    assert_eq!(
        site.run(
            "ana",
            "squeue -h --sort=i -o '%i %C %N %l %m'; scontrol show node n1 | grep -o CPUAlloc=[0-9]*"
        ),
        "1 40 n1 15:00 0\n2 40 n2 15:00 0\nCPUAlloc=40\n"
    );
}

#[test]
fn default_partitions_of_each_user() {
    let rules = "[env]\nSITE = \"gcp\"\n[[users]]\nname = \"ana\"\n\
                 env = { SBATCH_PARTITION = \"g2\", SLURM_PARTITION = \"g2\", SALLOC_PARTITION = \"g2\" }\n\
                 [[users]]\nname = \"ben\"\n";
    let mut site = Site::new(&[("slurm.conf", SMALL), ("site.toml", rules)]);
    for (user, partition) in [("ana", "g2"), ("ben", "compute")] {
        let said = site.run(user, "sbatch --wrap=true >/dev/null; squeue -h -o %P -u $USER; echo $SITE");
        assert_eq!(said, format!("{partition}\ngcp\n"), "{user}");
        site.pass(20);
        assert_eq!(site.run(user, "srun bash -c 'echo $SLURM_JOB_PARTITION'"), format!("{partition}\n"));
    }
    assert_eq!(site.run("ben", "site"), "Your shells start with:\n  SITE=gcp\n");
}

#[test]
fn plugins_of_slurm() {
    let conf = format!("{SMALL}JobSubmitPlugins=require_timelimit,all_partitions,lua\n");
    let mut site = Site::new(&[("slurm.conf", &conf), ("users", "ana")]);
    assert_eq!(
        site.complaints(),
        [
            "slurm.conf:10: note: job_submit/lua does not run here; its rules go into site.toml as [[job_submit]]"
        ]
    );
    let said = site.run("ana", "sbatch --wrap=true; sbatch -H -t 5 --wrap=true; squeue -h -o %P");
    assert_eq!(
        said,
        "Submitted batch job 1\ncompute,g2\n\
         sbatch: error: Batch job submission failed: Time limit specification required, but not provided\n"
    );
    assert_eq!(site.run("ana", "site"), "This site has no rules outside slurm.conf and the accounts.\n");
}

#[test]
fn errors_in_rules_name_the_line() {
    for (rules, complaint) in [
        (
            "[[job_submit]]\nwhen = { tim_limit = 3 }\nstop = true",
            "3: error: job_submit: unknown condition `tim_limit` (did you mean `time_limit`?)",
        ),
        (
            "[[job_submit]]\nwhen = { gpus = \"lots\" }\nstop = true",
            "3: error: job_submit: gpus: `lots` is no number to compare with",
        ),
        (
            "[[job_submit]]\nset = { partitoin = \"x\" }",
            "3: error: job_submit: unknown setting `partitoin` (did you mean `partition`?)",
        ),
        (
            "[[job_submit]]\nset = { partition = \"{kind}\" }",
            "3: error: job_submit: unknown placeholder `kind`",
        ),
        (
            "[[job_submit]]\nlet = { user = \"x\" }",
            "3: error: job_submit: a label cannot be called `user`: that is what the job asks",
        ),
        ("[[job_submit]]\nname = \"x\"", "2: error: job_submit: the rule does nothing"),
        (
            "[[job_submit]]\nset = { time_limit = \"1h\" }",
            "3: error: job_submit: `time_limit`: this is no value for it",
        ),
        ("[[job_submit]]\nsay = \"{\"", "3: error: job_submit: a `{` has no `}`"),
        (
            "[[cron]]\nevery = \"0\"\nset = { fairshare = 1 }",
            "3: error: cron: `every` must be a time of a minute to a day, such as \"15:00\"",
        ),
        (
            "[[cron]]\nevery = 5\nset = { fairshare = -1 }",
            "4: error: cron: `fairshare`: this is no value for it",
        ),
        ("[[cron]]\nset = { fairshare = 1 }", "2: error: cron: `every` is missing"),
        ("[[usage]]\nraw = 3", "2: error: usage: `account` is missing"),
        (
            "[[usage]]\naccount = \"x\"\nraw = -3",
            "4: error: usage: `raw`: a number is wanted that is not negative",
        ),
        ("[[usage]]\naccount = \"x\"\nraw = 3", "2: error: usage: there is no association in account x"),
        ("[env]\n1X = \"y\"", "3: error: `1X` can be no variable with a text"),
        ("cron = 3", "2: error: cannot use the key `cron`"),
    ] {
        let site = Site::new(&[("slurm.conf", SMALL), ("site.toml", &format!("login = \"l\"\n{rules}\n"))]);
        assert_eq!(site.complaints(), [format!("site.toml:{complaint}")], "{rules}");
    }
}

#[test]
fn rules_for_updates() {
    let toml = r#"
        [[users]]
        name = "alice"
        [[job_modify]]
        when = { by = "root" }
        stop = true
        [[job_modify]]
        when = { changes = "*partition*", partition = "gpu*", gpus = 0 }
        refuse = "{user} stays: no GPUs."
        error = "AccessDenied"
        [[job_modify]]
        when = { changes = "time_limit", time_limit = "<10:00" }
        refuse = "Ten minutes at least."
        [[job_modify]]
        set = { partition = "cpu" }
    "#;
    let conf = "ClusterName=x\nNodeName=cn[01-02] CPUs=4\nPartitionName=cpu Nodes=cn01 Default=YES\n\
                PartitionName=gpu Nodes=cn02\n";
    let mut site = crate::bench::Site::new(&[("slurm.conf", conf), ("site.toml", toml)]);
    assert_eq!(
        site.complaints(),
        [
            "site.toml:14: error: job_modify: a rule for updates refuses or lets pass, it sets and says nothing"
        ]
    );
    site.run("alice", "sbatch -H -t 60 --wrap=true");
    for (user, change, said) in [
        (
            "alice",
            "partition=gpu",
            "scontrol: error: alice stays: no GPUs.\nAccess/permission denied for job 1\n",
        ),
        ("alice", "timelimit=5", "scontrol: error: Ten minutes at least.\nUnspecified error for job 1\n"),
        ("alice", "timelimit=20 name=x", ""),
        ("root", "partition=gpu timelimit=5", ""),
    ] {
        assert_eq!(site.run(user, &format!("scontrol update jobid=1 {change}")), said, "{change}");
    }
    assert_eq!(site.run("alice", "squeue -h -o '%P %l %j'"), "gpu 5:00 x\n");
    assert!(site.run("alice", "site job_modify").contains("refuse \"Ten minutes at least.\""));
}
