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

/// Something that happens to the cluster.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClassEvent {
    /// A node is drained: its jobs go on, and no other starts.
    Drain,
    /// A node fails, with its jobs.
    Fail,
    /// Jobs of root fill the queue.
    Fill,
    /// The newest running job goes back into the queue.
    Requeue,
    /// Drained and failed nodes come back.
    Resume,
}

impl ClassEvent {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Drain, Self::Fail, Self::Fill, Self::Requeue, Self::Resume];

    /// The command line.
    #[must_use]
    pub const fn command(self) -> &'static str {
        match self {
            Self::Drain => on_a_node!("scontrol update nodename=$n state=drain reason=class"),
            Self::Fail => on_a_node!("scontrol update nodename=$n state=down reason=failure"),
            Self::Fill => {
                "for i in $(seq 40); do sbatch -J fill -n 8 -t 30 -o /dev/null --wrap 'sleep 1200'; done"
            }
            Self::Requeue => "scontrol requeue $(squeue -h -t R -S -V -o %A | head -n 1)",
            Self::Resume => {
                "n=$(sinfo -h -N -t drain,drng,down -o %N | sort -u | paste -sd,); scontrol update nodename=$n state=resume"
            }
        }
    }
}
