//! The table of the administrator's forms. A form has fields and makes a command from them.

use crate::i18n::Words;
use protocol::{AdminPicture, AdminSubject};
use view::admin;

/// A text of the page.
pub type FormWord = fn(&'static Words) -> &'static str;

/// A form.
pub struct AdminForm {
    /// Its name in test ids.
    pub name: &'static str,
    pub subject: AdminSubject,
    pub title: FormWord,
    pub fields: &'static [FormField],
    pub line: fn(admin::Fields<'_>, &AdminPicture) -> Option<String>,
}

/// A field of a form.
pub struct FormField {
    pub word: FormWord,
    pub value: FieldKind,
}

/// The kind of a field.
#[derive(Clone, Copy)]
pub enum FieldKind {
    /// Any text, with this default.
    Text(&'static str),
    /// A number, with this default.
    Number(&'static str),
    /// One of these.
    One(&'static [&'static str]),
    /// A key, with the default of the value field after it.
    Key(&'static [(&'static str, &'static str)]),
    /// The value of the key in the previous field.
    Of,
    /// A key of slurm.conf.
    Setting,
    /// Node names; the default is the selected node.
    Nodes,
    /// A name that exists in the cluster.
    Name(NameKind),
    /// A name that exists in the cluster, or none.
    Maybe(NameKind),
}

/// A kind of names.
#[derive(Clone, Copy)]
pub enum NameKind {
    Partitions,
    Reservations,
    Qos,
    Accounts,
    Users,
}

impl NameKind {
    /// The names that exist.
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

const fn field(word: FormWord, value: FieldKind) -> FormField {
    FormField { word, value }
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

/// All forms. The first one of a subject starts unfolded.
pub const FORMS: &[AdminForm] = &[
    AdminForm {
        name: "node-state",
        subject: AdminSubject::Nodes,
        title: |w| w.admin_node_state,
        fields: &[
            field(|w| w.nodes_field, FieldKind::Nodes),
            field(|w| w.state, FieldKind::One(STATES)),
            field(|w| w.reason, FieldKind::Text("maintenance")),
        ],
        line: admin::node_state,
    },
    AdminForm {
        name: "node-power",
        subject: AdminSubject::Nodes,
        title: |w| w.admin_node_power,
        fields: &[
            field(|w| w.nodes_field, FieldKind::Nodes),
            field(|w| w.admin_power, FieldKind::One(&["off", "on"])),
        ],
        line: admin::node_power,
    },
    AdminForm {
        name: "add-nodes",
        subject: AdminSubject::Nodes,
        title: |w| w.admin_add_nodes,
        fields: &[
            field(|w| w.admin_like, FieldKind::Name(NameKind::Partitions)),
            field(|w| w.admin_count, FieldKind::Number("10")),
        ],
        line: admin::add_nodes,
    },
    AdminForm {
        name: "partition",
        subject: AdminSubject::Partitions,
        title: |w| w.admin_partition,
        fields: &[
            field(|w| w.partition, FieldKind::Name(NameKind::Partitions)),
            field(|w| w.admin_key, FieldKind::Key(OF_PARTITION)),
            field(|w| w.admin_value, FieldKind::Of),
        ],
        line: admin::partition,
    },
    AdminForm {
        name: "new-partition",
        subject: AdminSubject::Partitions,
        title: |w| w.admin_new_partition,
        fields: &[
            field(|w| w.name, FieldKind::Text("urgent")),
            field(|w| w.nodes_field, FieldKind::Text("ALL")),
            field(|w| w.admin_tier, FieldKind::Number("10")),
            field(|w| w.limit, FieldKind::Text("02:00:00")),
        ],
        line: admin::new_partition,
    },
    AdminForm {
        name: "reserve",
        subject: AdminSubject::Reservations,
        title: |w| w.admin_reserve,
        fields: &[
            field(|w| w.name, FieldKind::Text("course")),
            field(|w| w.nodes_field, FieldKind::Nodes),
            field(|w| w.starts, FieldKind::Text("now+10minutes")),
            field(|w| w.minutes, FieldKind::Number("120")),
            field(|w| w.admin_users, FieldKind::Name(NameKind::Users)),
            field(|w| w.admin_flags, FieldKind::One(FLAGS)),
        ],
        line: admin::reserve,
    },
    AdminForm {
        name: "unreserve",
        subject: AdminSubject::Reservations,
        title: |w| w.admin_unreserve,
        fields: &[field(|w| w.name, FieldKind::Name(NameKind::Reservations))],
        line: admin::unreserve,
    },
    AdminForm {
        name: "new-qos",
        subject: AdminSubject::Qos,
        title: |w| w.admin_new_qos,
        fields: &[
            field(|w| w.name, FieldKind::Text("urgent")),
            field(|w| w.priority, FieldKind::Number("100")),
        ],
        line: admin::new_qos,
    },
    AdminForm {
        name: "qos",
        subject: AdminSubject::Qos,
        title: |w| w.admin_qos,
        fields: &[
            field(|_| "QOS", FieldKind::Name(NameKind::Qos)),
            field(|w| w.admin_key, FieldKind::Key(OF_QOS)),
            field(|w| w.admin_value, FieldKind::Of),
        ],
        line: admin::qos,
    },
    AdminForm {
        name: "allow-qos",
        subject: AdminSubject::Qos,
        title: |w| w.admin_allow_qos,
        fields: &[
            field(|w| w.account, FieldKind::Name(NameKind::Accounts)),
            field(|_| "QOS", FieldKind::Name(NameKind::Qos)),
        ],
        line: admin::allow_qos,
    },
    AdminForm {
        name: "limit",
        subject: AdminSubject::Accounts,
        title: |w| w.admin_limit,
        fields: &[
            field(|w| w.account, FieldKind::Name(NameKind::Accounts)),
            field(|w| w.owner, FieldKind::Maybe(NameKind::Users)),
            field(|w| w.admin_key, FieldKind::Key(OF_ACCOUNT)),
            field(|w| w.admin_value, FieldKind::Of),
        ],
        line: admin::limit,
    },
    AdminForm {
        name: "new-account",
        subject: AdminSubject::Accounts,
        title: |w| w.admin_new_account,
        fields: &[
            field(|w| w.name, FieldKind::Text("newlab")),
            field(|w| w.admin_parent, FieldKind::Name(NameKind::Accounts)),
            field(|w| w.shares, FieldKind::Number("5")),
        ],
        line: admin::new_account,
    },
    AdminForm {
        name: "new-user",
        subject: AdminSubject::Accounts,
        title: |w| w.admin_new_user,
        fields: &[
            field(|w| w.owner, FieldKind::Name(NameKind::Users)),
            field(|w| w.account, FieldKind::Name(NameKind::Accounts)),
        ],
        line: admin::new_user,
    },
    AdminForm {
        name: "preemption",
        subject: AdminSubject::Settings,
        title: |w| w.admin_preemption,
        fields: &[
            field(
                |_| "PreemptType",
                FieldKind::One(&["preempt/partition_prio", "preempt/qos", "preempt/none"]),
            ),
            field(|_| "PreemptMode", FieldKind::One(&["REQUEUE", "CANCEL", "SUSPEND,GANG"])),
        ],
        line: admin::preemption,
    },
    AdminForm {
        name: "setting",
        subject: AdminSubject::Settings,
        title: |w| w.admin_setting,
        fields: &[field(|w| w.admin_key, FieldKind::Setting), field(|w| w.admin_value, FieldKind::Of)],
        line: admin::setting,
    },
];
