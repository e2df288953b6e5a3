//! Running jobs that grow: `--dependency=expand:` with `permit_job_expansion`. The answers are those of a real
//! slurmctld (22.05).

use crate::bench::Site;

fn site(parameters: &str) -> Site {
    let conf = format!(
        "ClusterName=grow\nSelectType=select/cons_tres\nSelectTypeParameters=CR_Core_Memory\nDefMemPerCPU=1000\n\
         SchedulerParameters={parameters}\nNodeName=cn[01-04] Sockets=2 CoresPerSocket=4 RealMemory=64000\n\
         PartitionName=batch Nodes=cn[01-04] Default=YES MaxTime=1-0 DefaultTime=60\nPartitionName=other Nodes=cn04\n"
    );
    let mut site = Site::new(&[("slurm.conf", &conf), ("users", "alice bob")]);
    assert_eq!(site.complaints(), [] as [&str; 0]);
    site.run("alice", "sbatch -N1 -n4 -w cn01 --wrap='sleep 300'");
    site.pass(4);
    site
}

fn refusal(error: &str) -> String {
    format!("sbatch: error: Batch job submission failed: {error}\n")
}

#[test]
fn not_without_permission() {
    let mut site = site("bf_interval=30");
    let unsupported = "Requested operation not supported on this system";
    assert_eq!(site.run("alice", "sbatch -n2 -d expand:1 --wrap=true"), refusal(unsupported));
    assert_eq!(site.run("alice", "scontrol update jobid=1 numnodes=2"), format!("{unsupported} for job 1\n"));
}

#[test]
fn jobs_that_cannot_be_merged() {
    let mut site = site("permit_job_expansion");
    let problem = refusal("Job dependency problem");
    assert_eq!(site.run("alice", "sbatch -n2 -d expand:77 --wrap=true"), problem);
    assert_eq!(site.run("alice", "sbatch -n2 -p other -d expand:1 --wrap=true"), problem);
    let count = "Node count specification invalid for job";
    assert_eq!(site.run("alice", "scontrol update jobid=1 numnodes=2"), format!("{count} 1\n"));
    site.run("alice", "sbatch -n2 -d expand:1 --wrap='sleep 300'");
    site.pass(4);
    assert_eq!(
        site.run("alice", "squeue -h -j 4 -o '%T %l %N'"),
        "RUNNING 59:00 cn01\n",
        "no longer than the other"
    );
    assert_eq!(
        site.run("alice", "scontrol update jobid=4 numnodes=0"),
        "Job step already exists for job 4\n"
    );
    site.run("alice", "sbatch -N4 --exclusive -d expand:1 --wrap=true");
    site.run("alice", "scancel 1");
    site.pass(4);
    assert_eq!(site.run("alice", "squeue -h -j 5 -o '%T %r'"), "PENDING DependencyNeverSatisfied\n");
}

#[test]
fn nodes_go_to_the_other_job() {
    let mut site = site("permit_job_expansion");
    let said = site.run(
        "alice",
        "salloc -N1 -n2 -w cn02 -d expand:1 bash -c 'scontrol update jobid=$SLURM_JOB_ID numnodes=0; squeue -h -o \"%i %T %N\"; \
         scontrol update jobid=1 numnodes=ALL; cat slurm_job_1_resize.sh' 2>&1",
    );
    assert_eq!(
        said,
        "salloc: Granted job allocation 2\nsalloc: Nodes cn02 are ready for job\nTo reset Slurm environment variables, execute\n  \
         For bash or sh shells:  . ./slurm_job_2_resize.sh\n  For csh shells:         source ./slurm_job_2_resize.csh\n\
         1 RUNNING cn[01-02]\nTo reset Slurm environment variables, execute\n  \
         For bash or sh shells:  . ./slurm_job_1_resize.sh\n  For csh shells:         source ./slurm_job_1_resize.csh\n\
         export SLURM_NODELIST=\"cn[01-02]\"\nexport SLURM_JOB_NODELIST=\"cn[01-02]\"\nexport SLURM_NNODES=2\n\
         export SLURM_JOB_NUM_NODES=2\nexport SLURM_JOB_CPUS_PER_NODE=\"4,2\"\nunset SLURM_NPROCS\nunset SLURM_NTASKS\n\
         unset SLURM_TASKS_PER_NODE\nsalloc: Relinquishing job allocation 2\n"
    );
    assert_eq!(
        site.run("alice", "scontrol show job 1 | grep -o 'NumNodes=.* NumTasks=4\\|AllocTRES=.*'"),
        "NumNodes=2 NumCPUs=6 NumTasks=4\nAllocTRES=cpu=6,mem=6000M,node=2,billing=6\n"
    );
    assert_eq!(site.run("root", "sinfo -h -p batch -N -o %C | head -2"), "4/4/0/8\n2/6/0/8\n");
    site.pass(10);
    site.run("alice", "scancel 1");
    site.pass(5);
    assert_eq!(
        site.run("alice", "sacct -nXP -o jobid,state,nodelist,alloctres"),
        "1|RESIZING|cn01|billing=4,cpu=4,mem=4000M,node=1\n\
         1|CANCELLED by 1001|cn[01-02]|billing=6,cpu=6,mem=6000M,node=2\n2|RESIZING|None assigned|\n"
    );
    assert_eq!(site.run("root", "sinfo -h -p batch -o '%t %N'"), "idle cn[01-04]\n");
}
