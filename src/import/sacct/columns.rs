//! The columns of sacct that an import uses, under all their names.

use super::values;

/// A column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "named as in sacct(1)")]
pub enum SacctColumn {
    JobId,
    JobIdRaw,
    JobName,
    User,
    Uid,
    Account,
    Partition,
    Qos,
    Submit,
    Eligible,
    Start,
    End,
    Elapsed,
    ElapsedRaw,
    Suspended,
    Timelimit,
    TimelimitRaw,
    State,
    ReqCpus,
    AllocCpus,
    ReqNodes,
    AllocNodes,
    NodeList,
    ReqMem,
    ReqTres,
    AllocTres,
    ReqGres,
    Constraints,
    Licenses,
    Reservation,
    Reason,
    Restarts,
    Priority,
    Flags,
    SubmitLine,
    Comment,
    AdminComment,
    SystemComment,
    WorkDir,
}

use SacctColumn as C;

/// Names in lower case. NCPUS and AllocCPUS, NNodes and AllocNodes are the same for a started job.
const NAMES: &[(&str, C)] = &[
    ("jobid", C::JobId),
    ("jobidraw", C::JobIdRaw),
    ("jobname", C::JobName),
    ("user", C::User),
    ("uid", C::Uid),
    ("account", C::Account),
    ("partition", C::Partition),
    ("qos", C::Qos),
    ("submit", C::Submit),
    ("eligible", C::Eligible),
    ("start", C::Start),
    ("end", C::End),
    ("elapsed", C::Elapsed),
    ("elapsedraw", C::ElapsedRaw),
    ("suspended", C::Suspended),
    ("timelimit", C::Timelimit),
    ("timelimitraw", C::TimelimitRaw),
    ("state", C::State),
    ("reqcpus", C::ReqCpus),
    ("alloccpus", C::AllocCpus),
    ("ncpus", C::AllocCpus),
    ("reqnodes", C::ReqNodes),
    ("allocnodes", C::AllocNodes),
    ("nnodes", C::AllocNodes),
    ("nodelist", C::NodeList),
    ("reqmem", C::ReqMem),
    ("reqtres", C::ReqTres),
    ("alloctres", C::AllocTres),
    ("reqgres", C::ReqGres),
    ("constraints", C::Constraints),
    ("licenses", C::Licenses),
    ("reservation", C::Reservation),
    ("reason", C::Reason),
    ("restarts", C::Restarts),
    ("priority", C::Priority),
    ("flags", C::Flags),
    ("submitline", C::SubmitLine),
    ("comment", C::Comment),
    ("admincomment", C::AdminComment),
    ("systemcomment", C::SystemComment),
    ("workdir", C::WorkDir),
];

impl SacctColumn {
    /// The number of columns.
    pub const COUNT: usize = C::WorkDir as usize + 1;

    /// The column with this heading.
    #[must_use]
    pub fn named(heading: &str) -> Option<Self> {
        let name = heading.trim().split('%').next().unwrap_or_default();
        NAMES.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|found| found.1)
    }

    /// Whether it is free text, which may contain the delimiter.
    #[must_use]
    pub const fn free(self) -> bool {
        matches!(
            self,
            C::JobName
                | C::Constraints
                | C::SubmitLine
                | C::Comment
                | C::AdminComment
                | C::SystemComment
                | C::WorkDir
        )
    }

    /// Whether a text is valid in this column.
    #[must_use]
    pub fn fits(self, text: &str) -> bool {
        let text = text.trim();
        match self {
            C::JobId | C::JobIdRaw => values::is_job_id(text),
            C::Submit | C::Eligible | C::Start | C::End => text.is_empty() || values::is_moment(text),
            C::ElapsedRaw
            | C::ReqCpus
            | C::AllocCpus
            | C::ReqNodes
            | C::AllocNodes
            | C::Uid
            | C::Restarts
            | C::Priority => text.bytes().all(|b| b.is_ascii_digit()),
            C::State => text.is_empty() || values::state(text).is_some(),
            C::Elapsed | C::Suspended | C::Timelimit | C::TimelimitRaw => {
                !text.contains(' ') && text.len() < 32
            }
            C::User | C::Account | C::Partition | C::Qos => !text.contains([' ', '\n']),
            C::NodeList
            | C::ReqMem
            | C::ReqTres
            | C::AllocTres
            | C::ReqGres
            | C::Licenses
            | C::Reservation
            | C::Reason
            | C::Flags => !text.contains('\n'),
            C::JobName
            | C::Constraints
            | C::SubmitLine
            | C::Comment
            | C::AdminComment
            | C::SystemComment
            | C::WorkDir => true,
        }
    }

    /// Whether a valid text is also typical of this column: a command line begins with a command.
    #[must_use]
    pub fn likely(self, text: &str) -> bool {
        let first = text.trim().split(' ').next().unwrap_or_default();
        let command = first.rsplit('/').next().unwrap_or_default();
        self != C::SubmitLine || matches!(command, "" | "sbatch" | "srun" | "salloc" | "scrontab" | "scrun")
    }
}
