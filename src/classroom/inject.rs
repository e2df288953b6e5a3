//! What a teacher does to the cluster with a button: commands of root, which run without a terminal.

/// Picks a busy node, or else an idle one.
macro_rules! on_a_node {
    ($rest:literal) => {
        concat!(
            "n=$(sinfo -h -N -t alloc,mix -o %N | head -n 1); n=${n:-$(sinfo -h -N -t idle -o %N | head -n 1)}; ",
            $rest
        )
    };
}

/// Submits a job for the cores of a job that it may preempt, and for those that are idle on its node: by the QOS with the highest
/// priority, or in the partition with the next higher tier on that node. On a site without preemption it waits like any other job.
const PREEMPT: &str = "q=$(sacctmgr -nP show qos format=priority,name | sort -n | tail -n 1 | cut -d'|' -f2); \
    v=$(sacctmgr -nP show qos $q format=preempt); \
    read -r n p c d <<< $(squeue -h -t R -S -V ${v:+-q $v} -o '%B %P %C %D' | head -n 1); \
    t=$(sinfo -h -p $p -o %p | head -n 1); \
    u=$(sinfo -h -N -n $n -o '%p %R' | sort -n | awk -v t=$t '$1 > t { print $2; exit }'); \
    i=$(sinfo -h -n $n -p $p -o %C | cut -d/ -f2); \
    [ -n \"$n\" ] && sbatch -J urgent ${v:+-q $q} -p ${u:-$p} -w $n -N 1 -n $((i + c / d)) --mem-per-cpu=100M -t 15 -o /dev/null --wrap 'sleep 600'";

/// Something that happens to the cluster.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClassEvent {
    /// A node is drained: its jobs go on, and no other starts.
    Drain,
    /// A node fails, with its jobs.
    Fail,
    /// Jobs of root fill the queue.
    Fill,
    /// An urgent job of root takes the node of the newest job that may be preempted.
    Preempt,
    /// The newest running job goes back into the queue.
    Requeue,
    /// Drained and failed nodes come back.
    Resume,
}

impl ClassEvent {
    /// All of them.
    pub const ALL: [Self; 6] =
        [Self::Drain, Self::Fail, Self::Fill, Self::Preempt, Self::Requeue, Self::Resume];

    /// The command line.
    #[must_use]
    pub const fn command(self) -> &'static str {
        match self {
            Self::Drain => on_a_node!("scontrol update nodename=$n state=drain reason=class"),
            Self::Fail => on_a_node!("scontrol update nodename=$n state=down reason=failure"),
            Self::Fill => {
                "for i in $(seq 40); do sbatch -J fill -n 8 -t 30 -o /dev/null --wrap 'sleep 1200'; done"
            }
            Self::Preempt => PREEMPT,
            Self::Requeue => "scontrol requeue $(squeue -h -t R -S -V -o %A | head -n 1)",
            Self::Resume => {
                "n=$(sinfo -h -N -t drain,drng,down -o %N | sort -u | paste -sd,); scontrol update nodename=$n state=resume"
            }
        }
    }
}
