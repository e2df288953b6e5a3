//! Steps: their resources, waiting steps, and output files. The expected output was printed by a real Slurm
//! (22.05 where the recordings of 26.05 do not cover it).

use crate::bench::Site;

const CONF: &str = "\
ClusterName=run
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
DefMemPerCPU=1000
GresTypes=gpu
NodeName=cn[01-03] Sockets=2 CoresPerSocket=4 RealMemory=64000
NodeName=gpu01 Sockets=2 CoresPerSocket=4 RealMemory=64000 Gres=gpu:4
PartitionName=batch Nodes=cn[01-03] Default=YES MaxTime=1-0
PartitionName=gpu Nodes=gpu01 MaxTime=1-0
";
const GRES: &str = "NodeName=gpu01 Name=gpu File=/dev/nvidia[0-3]\n";

fn with(files: &[(&str, &str)]) -> Site {
    let mut all = vec![("slurm.conf", CONF), ("gres.conf", GRES), ("users", "alice bob")];
    all.extend(files);
    let site = Site::new(&all);
    assert_eq!(site.complaints(), [] as [&str; 0]);
    site
}

/// The output of commands, with errors in between.
fn said(site: &mut Site, commands: &str) -> String {
    site.run("alice", &format!("exec 2>&1; {commands}"))
}

/// The output of commands in an allocation with these options.
fn inside(site: &mut Site, options: &str, commands: &str) -> String {
    said(site, &format!("salloc -Q -t 60 {options} bash -c '{commands}'"))
}

#[test]
fn tasks_are_dealt_over_nodes() {
    let mut site = with(&[]);
    let where_ =
        "bash -c \"echo \\$SLURM_PROCID \\$SLURMD_NODENAME\" | sort -n | cut -d\" \" -f2 | tr -d \"cn\\n\"";
    for (options, nodes) in [
        ("", "010101010202020203030303"),
        ("-n6 -m block", "010102020303"),
        ("-n6 -m cyclic", "010203010203"),
        ("-n6 -m plane=2", "010102020303"),
        ("-n6 -m block,pack", "010101010203"),
        ("-n3", "010203"),
        ("-N2 -n5", "0101010202"),
        ("-N2 -n2 -r1", "0203"),
        ("-N1 -n1 -w cn03", "03"),
        ("-N1 -n2 -x cn01,cn02", "0303"),
        ("-w cn03 -n3", "010203"),
    ] {
        let said = inside(&mut site, "-N3 -n12 --ntasks-per-node=4", &format!("srun {options} {where_}"));
        assert_eq!(said, nodes, "{options}");
    }
    let hosts = "printf \"cn02\\ncn01\\ncn02\\n\" > hosts; SLURM_HOSTFILE=hosts srun -m arbitrary ";
    assert_eq!(inside(&mut site, "-N3 -n12 --ntasks-per-node=4", &format!("{hosts}{where_}")), "020102");
}

#[test]
fn requests_that_do_not_fit_are_refused() {
    let mut site = with(&[]);
    for (options, said) in [
        (
            "-n12 -c2",
            "srun: error: Unable to create step for job 1: More processors requested than permitted\n",
        ),
        (
            "-N1 -n5 --ntasks-per-node=8",
            "srun: error: Unable to create step for job 2: More processors requested than permitted\n",
        ),
        ("-N4 -n4", "srun: error: Only allocated 3 nodes asked for 4\n"),
        (
            "-r2 -N2 -n2",
            "srun: error: --relative and --nodes option incompatible with count of allocated nodes (2+2>3)\n",
        ),
        (
            "-w gpu01 -N1 -n1",
            "srun: error: Unable to create step for job 5: Requested node configuration is not available\n",
        ),
        (
            "-x cn01",
            "srun: error: Only allocated 2 nodes asked for 3\nsrun: error: Are required nodes explicitly excluded?\n",
        ),
        (
            "--gres=gpu:1",
            "srun: error: Unable to create step for job 7: Invalid generic resource (gres) specification\n",
        ),
    ] {
        assert_eq!(
            inside(&mut site, "-N3 -n12 --ntasks-per-node=4", &format!("srun {options} hostname")),
            said
        );
    }
}

#[test]
fn a_step_waits_until_there_is_room() {
    let mut site = with(&[]);
    let both = |options: &str| {
        format!(
            "srun {options} sleep 3 & sleep 1; srun {options} bash -c \"echo \\$SLURM_CPUS_ON_NODE\"; wait; echo \\$SECONDS"
        )
    };
    let room =
        |site: &mut Site, options| inside(site, "-n4 -N1", &both(options).replace("\\$SECONDS", "$SECONDS"));
    assert_eq!(room(&mut site, "-n1"), "srun: Step created for StepId=1.1\n4\n3\n", "a step has all CPUs");
    assert_eq!(room(&mut site, "-n1 --exact"), "1\n3\n");
    assert_eq!(room(&mut site, "-n1 -c2"), "2\n3\n", "-c implies --exact");
    assert_eq!(room(&mut site, "-n1 --overlap"), "4\n3\n");
    assert_eq!(room(&mut site, "-n3 --exact").lines().next(), Some("srun: Step created for StepId=5.1"));
    let memory = inside(
        &mut site,
        "-n4 -N1 --mem=4G",
        "srun -n1 --exact sleep 3 & sleep 1; srun -n1 --exact hostname; wait",
    );
    assert_eq!(memory, "srun: Step created for StepId=6.1\ncn01\n", "each step wants all of the job's --mem");
    let busy = inside(&mut site, "-n1", "srun sleep 3 & sleep 1; srun -I hostname; wait");
    assert_eq!(busy, "srun: error: Unable to create step for job 7: Requested nodes are busy\n");
}

#[test]
fn steps_hold_gpus() {
    let mut site = with(&[]);
    let show = "bash -c \"echo \\$CUDA_VISIBLE_DEVICES \\$SLURM_STEP_GPUS\"";
    for (options, said) in [
        ("-n1", "0,1 0,1\n"),
        ("-n2 -l --gpus-per-task=1", "0: 0 0\n1: 1 1\n"),
        ("-n2 -l --gpus=1", "0: 0 0\n1: 0 0\n"),
        ("-n1 --gres=none", "\n"),
        ("-n4 -l --ntasks-per-gpu=2", "0: 0 0\n1: 0 0\n2: 1 1\n3: 1 1\n"),
        ("-n4 -l --gpu-bind=map_gpu:1,0", "0: 1 1\n1: 0 0\n2: 1 1\n3: 0 0\n"),
        ("-n2 -l --gpu-bind=mask_gpu:0x3,0x1", "0: 0,1 0,1\n1: 0 0\n"),
    ] {
        assert_eq!(
            inside(&mut site, "-p gpu -N1 -n4 --gres=gpu:2", &format!("srun {options} {show}")),
            said,
            "{options}"
        );
    }
    let own = "srun -n1 --exact --gres=gpu:1 sleep 3 & sleep 1;";
    let said = inside(
        &mut site,
        "-p gpu -N1 -n4 --gres=gpu:2",
        &format!("{own} srun -n1 --exact --gres=gpu:1 {show}; srun -n1 --exact {show}; wait"),
    );
    assert_eq!(said, "1 1\nsrun: Step created for StepId=8.2\n0,1 0,1\n", "who names none gets all");
}

#[test]
fn confined_steps_count_their_gpus_from_0() {
    let mut site = with(&[("cgroup.conf", "ConstrainDevices=yes\n")]);
    let said = inside(
        &mut site,
        "-p gpu -N1 -n4 --gres=gpu:2",
        "srun -n1 --exact --gres=gpu:1 sleep 3 & sleep 1; srun -n1 --exact --gres=gpu:1 bash -c \"echo \\$CUDA_VISIBLE_DEVICES \\$SLURM_STEP_GPUS\"; wait",
    );
    assert_eq!(said, "0 1\n");
}

#[test]
fn binding_is_printed() {
    let conf = format!("{CONF}TaskPlugin=task/affinity\n");
    let mut site = Site::new(&[("slurm.conf", &conf), ("gres.conf", GRES), ("users", "alice")]);
    let masks = site.run(
        "alice",
        "srun -n2 -c2 --cpu-bind=verbose bash -c 'echo $SLURM_CPU_BIND' 2>&1 | sed 's/\\[[0-9]*\\]/[PID]/'",
    );
    assert_eq!(
        masks,
        "cpu-bind=MASK - cn01, task  0  0 [PID]: mask 0x3 set\ncpu-bind=MASK - cn01, task  1  1 [PID]: mask 0xc set\n\
         verbose,mask_cpu:0x3,0xc\nverbose,mask_cpu:0x3,0xc\n"
    );
    assert_eq!(said(&mut with(&[]), "srun --cpu-bind=cores hostname"), "cn01\n");
}

#[test]
fn heterogeneous_allocations() {
    let mut site = with(&[]);
    let het = |site: &mut Site, commands: &str| {
        said(site, &format!("salloc -Q -n1 : -n2 -p gpu bash -c '{commands}'"))
    };
    assert_eq!(het(&mut site, "srun --het-group=0,1 -l hostname"), "0: cn01\n1: gpu01\n2: gpu01\n");
    assert_eq!(het(&mut site, "srun -l hostname : -n1 hostname"), "0: cn01\n1: gpu01\n");
    assert_eq!(het(&mut site, "srun -l hostname"), "0: cn01\n");
    assert_eq!(
        het(&mut site, "srun --het-group=2 hostname"),
        "srun: error: Requested het-group offset exceeds highest hetjob index (2 > 1)\n"
    );
    assert_eq!(
        het(
            &mut site,
            "echo $SLURM_JOB_ID $SLURM_HET_SIZE $SLURM_NTASKS $SLURM_NODELIST_HET_GROUP_1 $SLURM_NODELIST"
        ),
        "9 2 3 gpu01\n"
    );
    assert_eq!(
        site.run("alice", "srun -Q -l -n1 : -n2 -p gpu bash -c 'echo $SLURM_PROCID $SLURM_NTASKS $SLURM_NODEID $SLURM_STEP_NODELIST'"),
        "0: 0 3 0 cn01,gpu01\n1: 1 3 1 cn01,gpu01\n2: 2 3 1 cn01,gpu01\n"
    );
}

#[test]
fn redirected_output() {
    let mut site = with(&[]);
    assert_eq!(said(&mut site, "srun -n2 -l -o all.txt bash -c 'echo out'; cat all.txt"), "0: out\n1: out\n");
    assert_eq!(
        said(&mut site, "srun -n2 -l -o t%t-%2j.txt -e none bash -c 'echo out; echo err >&2'; head t*"),
        "==> t0-02.txt <==\n0: out\n\n==> t1-02.txt <==\n1: out\n"
    );
    assert_eq!(said(&mut site, "srun -n3 -o 1 -l hostname"), "1: cn01\n");
    assert_eq!(said(&mut site, "echo in | srun -n2 -l -i 1 cat"), "1: in\n");
    assert_eq!(
        said(&mut site, "srun -o /nodir/x hostname"),
        "srun: error: Could not open stdout file: No such file or directory\n"
    );
    assert_eq!(
        said(&mut site, "srun -o /nodir/%t hostname"),
        "srun: error: task 0 launch failed: Slurmd could not connect IO\n"
    );
    assert_eq!(
        said(&mut site, "srun -i nosuch cat"),
        "srun: error: Could not open stdin file: No such file or directory\n"
    );
    assert_eq!(
        said(&mut site, "printf '0 echo a\\n' > m; srun -n2 --multi-prog m"),
        "srun: error: Configuration file m invalid, no record for task id 1\n"
    );
}

#[test]
fn signals_to_srun() {
    let mut site = with(&[]);
    let run = |site: &mut Site, options: &str, signals: &str| {
        let said =
            said(site, &format!("srun {options} -n2 sleep 9 & sleep 2; {signals}; wait $!; echo rc=$?"));
        said.lines().map(|l| l.split("] ").last().unwrap_or(l).to_owned() + "\n").collect::<String>()
    };
    assert_eq!(
        run(&mut site, "", "kill -INT $!; sleep 0.3; kill -INT $!"),
        "srun: interrupt (one more within 1 sec to abort)\nsrun: StepId=1.0 tasks 0-1: running\n\
         srun: sending Ctrl-C to StepId=1.0\nsrun: forcing job termination\n\
         srun: Job step aborted: Waiting up to 32 seconds for job step to finish.\nrc=130\n"
    );
    assert_eq!(
        run(&mut site, "-X", "kill -INT $!"),
        "srun: sending Ctrl-C to StepId=2.0\nsrun: error: cn01: tasks 0-1: Interrupt\nrc=130\n"
    );
    let killed = run(&mut site, "", "kill -TERM $!");
    assert!(killed.starts_with("srun: forcing job termination\nsrun: Job step aborted"), "{killed}");
    assert!(killed.ends_with("srun: error: cn01: tasks 0-1: Killed\nrc=137\n"), "{killed}");
    assert_eq!(
        run(&mut site, "", "kill -USR1 $!"),
        "srun: error: cn01: tasks 0-1: User defined signal 1\nrc=138\n"
    );
}

#[test]
fn sattach_and_sbcast() {
    let mut site = with(&[]);
    site.run(
        "alice",
        "sbatch -N2 -n2 -t 60 --wrap='srun -l bash -c \"echo one; sleep 8; echo two\"; sleep 60'",
    );
    site.pass(5);
    assert_eq!(
        said(&mut site, "sattach -l 1.0 > labelled & sattach --output-filter=1 1.0; wait; sort labelled"),
        "two\n0: two\n1: two\n"
    );
    assert_eq!(
        said(&mut site, "sattach 1.0"),
        "sattach: error: Could not get job step info: Invalid job id specified\n"
    );
    assert_eq!(
        site.run("bob", "sattach 1.batch"),
        "sattach: error: Could not get job step info: Access/permission denied\n"
    );
    let shared = "sbcast: error: REQUEST_FILE_BCAST(cn02): File exists\n";
    assert_eq!(said(&mut site, "echo x > f; SLURM_JOB_ID=1 sbcast f copy; echo $?"), format!("{shared}17\n"));
    assert_eq!(said(&mut site, "sbcast -f -j 1 f copy && cat copy"), "x\n");
    assert_eq!(
        said(&mut site, "sbcast -j 9 f copy"),
        "sbcast: error: Slurm job 9 lookup error: Invalid job id specified\n"
    );
    assert_eq!(
        said(&mut site, "sbcast -j 1 nosuch copy"),
        "sbcast: error: Can't open `nosuch`: No such file or directory\n"
    );
}

#[test]
fn a_command_survives_the_loss_of_its_allocation() {
    let mut site = with(&[]);
    assert_eq!(
        said(&mut site, "salloc -n1 -J x sleep 5 & sleep 1; scancel -n x; sleep 1; wait; echo rc=$?"),
        "salloc: Granted job allocation 1\nsalloc: Nodes cn01 are ready for job\n\
         salloc: Job allocation 1 has been revoked.\nrc=0\n"
    );
    assert_eq!(
        said(&mut site, "salloc -n1 -Q -K -J x sleep 50 & sleep 1; scancel -n x; wait $!; echo rc=$?"),
        "rc=143\n"
    );
}

#[test]
fn default_memory_blocks_no_job() {
    let nodes = "NodeName=cn[01-02] CPUs=4 RealMemory=8000\nPartitionName=p Nodes=ALL Default=YES\n";
    for select in ["CR_Core\nDefMemPerCPU=1000", "CR_Core_Memory\nMaxMemPerNode=8000"] {
        let conf =
            format!("ClusterName=x\nSelectType=select/cons_tres\nSelectTypeParameters={select}\n{nodes}");
        let mut site = Site::new(&[("slurm.conf", &conf), ("users", "alice")]);
        assert_eq!(site.run("alice", "srun -n2 hostname"), "cn01\ncn01\n", "{select}");
    }
}

#[test]
fn the_extern_step_needs_prolog_flags() {
    let steps = |extra: &str| {
        let conf = format!("{CONF}{extra}");
        let mut site = Site::new(&[("slurm.conf", conf.as_str()), ("gres.conf", GRES), ("users", "alice")]);
        said(&mut site, "sbatch -Q -W -t 5 --wrap hostname; sleep 5; sacct -n -P -o JobID,JobName,State")
    };
    let plain = "1|wrap|COMPLETED\n1.batch|batch|COMPLETED\n";
    // The recorded cluster had no PrologFlags, and no such step.
    assert_eq!(steps(""), plain);
    assert_eq!(steps("PrologFlags=Alloc\n"), plain);
    for flag in ["Contain", "X11"] {
        assert_eq!(
            steps(&format!("PrologFlags={flag}\n")),
            format!("{plain}1.extern|extern|COMPLETED\n"),
            "{flag}"
        );
    }
}

/// srun reads the pipes that have output. Reading all of them whenever a task writes takes time in proportion to the square
/// of the tasks.
#[test]
fn the_work_for_output_grows_with_the_tasks() {
    let work = |tasks: u64| {
        let mut site = with(&[]);
        let before = site.descriptor_checks();
        let task = "sleep $SLURM_PROCID; echo $SLURM_PROCID; echo e >&2; sleep 1; echo";
        let command = format!("salloc -Q -n1 srun -n{tasks} -O bash -c '{task}'");
        let lines = site.run("alice", &format!("{command} 2>&1 | wc -l"));
        assert_eq!(lines, format!("{}\n", 3 * tasks));
        site.descriptor_checks() - before
    };
    let (few, many) = (work(32), work(128));
    assert!(many < 5 * few, "{few} for 32 tasks, {many} for 128");
}
