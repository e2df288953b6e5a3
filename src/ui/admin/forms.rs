//! The forms of the administrator's panel: one table. A form has fields and writes a line; what it is called and what its
//! fields are called are words of the page.

use crate::protocol::{AdminPicture, Subject};
use crate::ui::i18n::Words;
use crate::view::admin;

/// A word of the page.
pub type Word = fn(&'static Words) -> &'static str;

/// A form.
pub struct Form {
    /// In test ids.
    pub name: &'static str,
    pub subject: Subject,
    pub title: Word,
    pub fields: &'static [Field],
    pub line: fn(admin::Fields<'_>, &AdminPicture) -> Option<String>,
}

/// A field of a form.
pub struct Field {
    pub word: Word,
    pub value: Value,
}

/// What a field takes.
#[derive(Clone, Copy)]
pub enum Value {
    /// Anything; it begins with this.
    Text(&'static str),
    /// A number; it begins with this.
    Number(&'static str),
    /// One of these.
    One(&'static [&'static str]),
    /// A key, and what its value could be: the field behind it begins with that.
    Key(&'static [(&'static str, &'static str)]),
    /// The value of the key in the field before.
    Of,
    /// A key of slurm.conf.
    Setting,
    /// Nodes: the one that is selected, or others by name.
    Nodes,
    /// Names of the cluster.
    Name(Names),
    /// Likewise, or none.
    Maybe(Names),
}

/// Which names.
#[derive(Clone, Copy)]
pub enum Names {
    Partitions,
    Reservations,
    Qos,
    Accounts,
    Users,
}

impl Names {
    /// Those that there are.
    pub fn of(self, picture: &AdminPicture) -> Vec<String> {
        let names = &picture.names;
        match self {
            Self::Partitions => &names.partitions,
            Self::Reservations => &names.reservations,
            Self::Qos => &names.qos,
            Self::Accounts => &names.accounts,
            Self::Users => &names.users,
        }
        .clone()
    }
}

const fn field(word: Word, value: Value) -> Field {
    Field { word, value }
}

const STATES: &[&str] = &["drain", "resume", "down", "undrain", "fail", "power_down", "power_up"];
const FLAGS: &[&str] = &["", "maint", "maint,ignore_jobs", "ignore_jobs", "flex", "daily", "weekly"];

const OF_PARTITION: &[(&str, &str)] = &[
    ("State", "DRAIN"),
    ("MaxTime", "02:00:00"),
    ("DefaultTime", "00:30:00"),
    ("PriorityTier", "10"),
    ("PriorityJobFactor", "100"),
    ("PreemptMode", "REQUEUE"),
    ("OverSubscribe", "FORCE:2"),
    ("MaxNodes", "2"),
    ("AllowAccounts", "ALL"),
    ("AllowQos", "ALL"),
    ("QOS", "normal"),
    ("GraceTime", "60"),
    ("Nodes", "ALL"),
];

const OF_QOS: &[(&str, &str)] = &[
    ("Priority", "100"),
    ("Preempt", "normal"),
    ("PreemptMode", "requeue"),
    ("GraceTime", "60"),
    ("UsageFactor", "2"),
    ("MaxWall", "02:00:00"),
    ("MaxTRESPerUser", "cpu=16"),
    ("MaxJobsPerUser", "4"),
    ("MaxSubmitJobsPerUser", "20"),
    ("GrpTRES", "cpu=64"),
    ("Flags", "DenyOnLimit"),
];

const OF_ACCOUNT: &[(&str, &str)] = &[
    ("Fairshare", "10"),
    ("GrpTRES", "cpu=32"),
    ("GrpJobs", "4"),
    ("GrpSubmitJobs", "20"),
    ("MaxJobs", "2"),
    ("MaxSubmitJobs", "10"),
    ("MaxTRES", "cpu=8"),
    ("MaxWall", "02:00:00"),
    ("QOS", "normal"),
    ("DefaultQOS", "normal"),
    ("Priority", "100"),
];

/// All of them; the first of a subject is open at first.
pub const FORMS: &[Form] = &[
    Form {
        name: "node-state",
        subject: Subject::Nodes,
        title: |w| w.admin_node_state,
        fields: &[
            field(|w| w.nodes_field, Value::Nodes),
            field(|w| w.state, Value::One(STATES)),
            field(|w| w.reason, Value::Text("maintenance")),
        ],
        line: admin::node_state,
    },
    Form {
        name: "node-power",
        subject: Subject::Nodes,
        title: |w| w.admin_node_power,
        fields: &[
            field(|w| w.nodes_field, Value::Nodes),
            field(|w| w.admin_power, Value::One(&["off", "on"])),
        ],
        line: admin::node_power,
    },
    Form {
        name: "add-nodes",
        subject: Subject::Nodes,
        title: |w| w.admin_add_nodes,
        fields: &[
            field(|w| w.admin_like, Value::Name(Names::Partitions)),
            field(|w| w.admin_count, Value::Number("10")),
        ],
        line: admin::add_nodes,
    },
    Form {
        name: "partition",
        subject: Subject::Partitions,
        title: |w| w.admin_partition,
        fields: &[
            field(|w| w.partition, Value::Name(Names::Partitions)),
            field(|w| w.admin_key, Value::Key(OF_PARTITION)),
            field(|w| w.admin_value, Value::Of),
        ],
        line: admin::partition,
    },
    Form {
        name: "new-partition",
        subject: Subject::Partitions,
        title: |w| w.admin_new_partition,
        fields: &[
            field(|w| w.name, Value::Text("urgent")),
            field(|w| w.nodes_field, Value::Text("ALL")),
            field(|w| w.admin_tier, Value::Number("10")),
            field(|w| w.limit, Value::Text("02:00:00")),
        ],
        line: admin::new_partition,
    },
    Form {
        name: "reserve",
        subject: Subject::Reservations,
        title: |w| w.admin_reserve,
        fields: &[
            field(|w| w.name, Value::Text("course")),
            field(|w| w.nodes_field, Value::Nodes),
            field(|w| w.starts, Value::Text("now+10minutes")),
            field(|w| w.minutes, Value::Number("120")),
            field(|w| w.admin_users, Value::Name(Names::Users)),
            field(|w| w.admin_flags, Value::One(FLAGS)),
        ],
        line: admin::reserve,
    },
    Form {
        name: "unreserve",
        subject: Subject::Reservations,
        title: |w| w.admin_unreserve,
        fields: &[field(|w| w.name, Value::Name(Names::Reservations))],
        line: admin::unreserve,
    },
    Form {
        name: "new-qos",
        subject: Subject::Qos,
        title: |w| w.admin_new_qos,
        fields: &[field(|w| w.name, Value::Text("urgent")), field(|w| w.priority, Value::Number("100"))],
        line: admin::new_qos,
    },
    Form {
        name: "qos",
        subject: Subject::Qos,
        title: |w| w.admin_qos,
        fields: &[
            field(|_| "QOS", Value::Name(Names::Qos)),
            field(|w| w.admin_key, Value::Key(OF_QOS)),
            field(|w| w.admin_value, Value::Of),
        ],
        line: admin::qos,
    },
    Form {
        name: "allow-qos",
        subject: Subject::Qos,
        title: |w| w.admin_allow_qos,
        fields: &[
            field(|w| w.account, Value::Name(Names::Accounts)),
            field(|_| "QOS", Value::Name(Names::Qos)),
        ],
        line: admin::allow_qos,
    },
    Form {
        name: "limit",
        subject: Subject::Accounts,
        title: |w| w.admin_limit,
        fields: &[
            field(|w| w.account, Value::Name(Names::Accounts)),
            field(|w| w.owner, Value::Maybe(Names::Users)),
            field(|w| w.admin_key, Value::Key(OF_ACCOUNT)),
            field(|w| w.admin_value, Value::Of),
        ],
        line: admin::limit,
    },
    Form {
        name: "new-account",
        subject: Subject::Accounts,
        title: |w| w.admin_new_account,
        fields: &[
            field(|w| w.name, Value::Text("newlab")),
            field(|w| w.admin_parent, Value::Name(Names::Accounts)),
            field(|w| w.shares, Value::Number("5")),
        ],
        line: admin::new_account,
    },
    Form {
        name: "new-user",
        subject: Subject::Accounts,
        title: |w| w.admin_new_user,
        fields: &[
            field(|w| w.owner, Value::Name(Names::Users)),
            field(|w| w.account, Value::Name(Names::Accounts)),
        ],
        line: admin::new_user,
    },
    Form {
        name: "preemption",
        subject: Subject::Settings,
        title: |w| w.admin_preemption,
        fields: &[
            field(|_| "PreemptType", Value::One(&["preempt/partition_prio", "preempt/qos", "preempt/none"])),
            field(|_| "PreemptMode", Value::One(&["REQUEUE", "CANCEL", "SUSPEND,GANG"])),
        ],
        line: admin::preemption,
    },
    Form {
        name: "setting",
        subject: Subject::Settings,
        title: |w| w.admin_setting,
        fields: &[field(|w| w.admin_key, Value::Setting), field(|w| w.admin_value, Value::Of)],
        line: admin::setting,
    },
];
