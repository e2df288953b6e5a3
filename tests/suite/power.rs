//! Power saving: which nodes are powered down and when, according to power_save.html and slurm.conf(5).

use crate::bench::Site;

fn site(more: &str) -> Site {
    let conf = format!(
        "ClusterName=power\nSelectType=select/cons_tres\nSelectTypeParameters=CR_Core\nReturnToService=1\n\
         SuspendProgram=/bin/true\nResumeProgram=/bin/true\nSuspendTime=60\nSuspendTimeout=10\nResumeTimeout=40\n\
         {more}\nNodeName=cn[01-04] CPUs=4\n"
    );
    let site = Site::new(&[("slurm.conf", &conf), ("users", "alice")]);
    assert_eq!(site.complaints(), [] as [&str; 0]);
    site
}

fn states(site: &mut Site) -> String {
    site.run("root", "sinfo -h -N -o %t | tr '\\n' ' '")
}

const ALL: &str = "PartitionName=all Nodes=ALL Default=YES";

#[test]
fn partitions_have_their_own_times() {
    let mut site = site(
        "PartitionName=late Nodes=cn[01-02] Default=YES SuspendTime=300\nPartitionName=also Nodes=cn02 SuspendTime=100\n\
         PartitionName=gone Nodes=cn03 PowerDownOnIdle=YES SuspendTime=-1\nPartitionName=plain Nodes=cn04",
    );
    let list = "sinfo -h -N -o '%N %t' | sort -u | tr '\\n' ' '";
    site.pass(100);
    assert_eq!(
        site.run("root", list),
        "cn01 idle cn02 idle cn03 idle cn04 idle~ ",
        "the largest of its partitions'"
    );
    assert_eq!(
        site.run("root", "scontrol show node | grep -o ' SuspendTime=.*'"),
        " SuspendTime=300\n SuspendTime=300\n SuspendTime=INFINITE\n SuspendTime=60\n"
    );
    site.run("alice", "sbatch -p gone -n1 --wrap='sleep 10'");
    site.pass(16);
    assert_eq!(site.run("root", "sinfo -h -n cn03 -p gone -o %t"), "idle%\n", "it ran a job and is idle");
    site.pass(220);
    assert_eq!(site.run("root", list), "cn01 idle~ cn02 idle~ cn03 idle~ cn04 idle~ ");
}

#[test]
fn excluded_nodes_stay_on() {
    let mut some = site(&format!("SuspendExcNodes=cn[01-03]:2\n{ALL}"));
    some.pass(200);
    assert_eq!(states(&mut some).matches("idle~").count(), 2);
    let mut drained = site(&format!("SuspendExcStates=DRAIN\n{ALL}"));
    drained.run("root", "scontrol update nodename=cn02 state=drain reason=x");
    drained.pass(200);
    assert_eq!(states(&mut drained), "idle~ drain idle~ idle~ ");
    let mut part = site(&format!("SuspendExcParts=kept\n{ALL}\nPartitionName=kept Nodes=cn04"));
    part.pass(200);
    assert_eq!(part.run("root", "sinfo -h -p all -N -o %t | tr '\\n' ' '"), "idle~ idle~ idle~ idle ");
}

#[test]
fn rates_per_minute() {
    let mut site = site(&format!("SuspendRate=2\nResumeRate=1\n{ALL}"));
    site.pass(65);
    assert_eq!(states(&mut site), "idle% idle% idle idle ");
    site.pass(60);
    assert_eq!(states(&mut site), "idle~ idle~ idle% idle% ");
    site.pass(60);
    site.run("alice", "sbatch -N2 -n2 --wrap='sleep 300'");
    site.pass(60);
    assert_eq!(site.run("alice", "squeue -h -o %t"), "CF\n", "the second node comes a minute later");
    site.pass(60);
    assert_eq!(site.run("alice", "squeue -h -o %t"), "R\n");
}

#[test]
fn by_hand() {
    let mut site = site(&format!("SuspendExcNodes=cn[01-04]\n{ALL}"));
    site.run(
        "alice",
        "sbatch -n4 -w cn01 --wrap='sleep 30'; sbatch -n4 -w cn02 --requeue --wrap='sleep 300'",
    );
    site.pass(5);
    site.run(
        "root",
        "scontrol power down asap cn01; scontrol power down force cn02; scontrol power down cn03",
    );
    site.pass(3);
    assert_eq!(states(&mut site), "drng! idle% idle% idle ");
    assert_eq!(site.run("alice", "squeue -h --sort=i -o '%t %r'"), "R None\nPD BeginTime\n");
    site.pass(60);
    assert_eq!(states(&mut site), "idle~ idle~ idle~ idle ");
    site.run("root", "scontrol power up cn03");
    site.pass(1);
    assert_eq!(states(&mut site), "idle~ idle~ idle# idle ");
    site.pass(30);
    assert_eq!(states(&mut site), "idle~ idle~ idle idle ");
    let mut without =
        Site::new(&[("slurm.conf", "ClusterName=x\nNodeName=cn01\nPartitionName=p Nodes=cn01 Default=YES")]);
    assert_eq!(
        without.run("root", "scontrol power down cn01"),
        "scontrol_power_nodes error:Invalid power action\n"
    );
}

const PROGRAMS: &str = r##"
users = [{ name = "alice" }]
files = [
  { path = "/opt/resume", executable = true, content = "#!/bin/bash\necho $(whoami) resume $1 >> /tmp/log\nsleep 5\n[[ $1 != *02* ]]\n" },
  { path = "/opt/suspend", executable = true, content = "#!/bin/bash\necho suspend $1 >> /tmp/log\n" },
  { path = "/opt/failed", executable = true, content = "#!/bin/bash\necho failed $1 >> /tmp/log\n" },
]
"##;

#[test]
fn programs_switch_nodes() {
    let conf = "ClusterName=power\nSelectType=select/cons_tres\nSelectTypeParameters=CR_Core\nReturnToService=1\n\
                SuspendProgram=/opt/suspend\nResumeProgram=/opt/resume\nResumeFailProgram=/opt/failed\n\
                SuspendTime=60\nSuspendTimeout=10\nResumeTimeout=40\nNodeName=cn[01-04] CPUs=4\n";
    let mut site = Site::new(&[("slurm.conf", &format!("{conf}{ALL}")), ("site.toml", PROGRAMS)]);
    assert_eq!(site.complaints(), [] as [&str; 0]);
    site.pass(100);
    site.run(
        "alice",
        "sbatch -n4 -w cn01 --wrap='sleep 100'; sleep 5; sbatch -N3 -w cn02 --wrap='sleep 100'",
    );
    site.pass(15);
    assert_eq!(states(&mut site), "alloc# mix# mix# mix# ");
    site.pass(60);
    assert_eq!(site.run("alice", "squeue -h --sort=i -o '%i %t %r'"), "1 R None\n2 PD BeginTime\n");
    assert_eq!(states(&mut site), "alloc down~ down~ down~ ");
    assert_eq!(site.run("root", "sinfo -h -R -o '%E %N'"), "ResumeTimeout reached cn[02-04]\n");
    assert_eq!(
        site.run("root", "sort /tmp/log"),
        "failed cn[02-04]\nroot resume cn01\nroot resume cn[02-04]\nsuspend cn[01-04]\n"
    );
}
