//! Commands of the administrator's forms, built from the fields of a form. `None`: a required field is empty.

use super::commands::{conf, word};
use base::pad;
use protocol::{AdminPicture, NodeKind};

/// Maximum number of nodes added at once.
const MOST_NODES: u32 = 1000;
/// Directory of the daemons' configuration files.
const DIR: &str = "/etc/slurm";

/// The fields of a form, in order.
pub type Fields<'a> = &'a [String];

fn field(fields: Fields<'_>, at: usize) -> Option<&str> {
    fields.get(at).map(|text| text.trim()).filter(|text| !text.is_empty())
}

/// `key=value` as one word of a command line.
fn pair(key: &str, value: &str) -> String {
    word(&format!("{key}={value}"))
}

/// Changes the state of nodes: nodes, state, reason.
#[must_use]
pub fn node_state(fields: Fields<'_>, _: &AdminPicture) -> Option<String> {
    let (nodes, state) = (field(fields, 0)?, field(fields, 1)?);
    let reason = match state {
        "drain" | "down" | "fail" => format!(" {}", pair("reason", field(fields, 2)?)),
        _ => String::new(),
    };
    Some(format!("scontrol update {} {}{reason}", pair("nodename", nodes), pair("state", state)))
}

/// Cuts or restores a node's power through its management controller.
#[must_use]
pub fn node_power(fields: Fields<'_>, _: &AdminPicture) -> Option<String> {
    let node = field(fields, 0)?;
    Some(format!("ipmitool -H {} chassis power {}", word(&format!("{node}-bmc")), word(field(fields, 1)?)))
}

/// Adds nodes like those of a partition: partition, count.
#[must_use]
pub fn add_nodes(fields: Fields<'_>, picture: &AdminPicture) -> Option<String> {
    let kind = picture.kinds.iter().find(|kind| Some(kind.partition.as_str()) == field(fields, 0))?;
    let count = field(fields, 1)?.parse::<u32>().ok().filter(|n| (1..=MOST_NODES).contains(n))?;
    let names = names_of_new(kind, count)?;
    let line = word(&format!("NodeName={names} {}", kind.shape));
    let mut steps = vec![format!("printf '%s\\n' {line} >> {DIR}/slurm.conf")];
    let gres = kind.gres.iter().map(|gres| word(&format!("NodeName={names} {gres}")));
    steps.extend(gres.map(|line| format!("printf '%s\\n' {line} >> {DIR}/gres.conf")));
    if !kind.everywhere {
        let script = format!("/^PartitionName={} /s/ Nodes=[^ ]*/&,{names}/", kind.partition);
        steps.push(format!("sed -i {} {DIR}/slurm.conf", word(&script)));
    }
    steps.push("scontrol reconfigure".to_owned());
    Some(steps.join(" && "))
}

fn names_of_new(kind: &NodeKind, count: u32) -> Option<String> {
    let ((first, digits), width) = (kind.next, kind.next.1 as usize);
    let last = first.checked_add(count - 1)?;
    let number = |n| pad::zeros(n, width);
    if digits == 0 {
        return None;
    }
    Some(match count {
        1 => format!("{}{}", kind.prefix, number(first)),
        _ => format!("{}[{}-{}]", kind.prefix, number(first), number(last)),
    })
}

/// Creates a reservation: name, nodes, start, minutes, users, flags.
#[must_use]
pub fn reserve(fields: Fields<'_>, _: &AdminPicture) -> Option<String> {
    let name = field(fields, 0)?;
    let flags = field(fields, 5).map(|flags| format!(" {}", pair("flags", flags))).unwrap_or_default();
    Some(format!(
        "scontrol create {} {} {} {} {}{flags}",
        pair("reservationname", name),
        pair("nodes", field(fields, 1)?),
        pair("starttime", field(fields, 2)?),
        pair("duration", field(fields, 3)?),
        pair("users", field(fields, 4)?),
    ))
}

/// Deletes a reservation: name.
#[must_use]
pub fn unreserve(fields: Fields<'_>, _: &AdminPicture) -> Option<String> {
    Some(format!("scontrol delete {}", pair("reservationname", field(fields, 0)?)))
}

/// Changes a setting of a partition until slurmctld is reconfigured: partition, key, value.
#[must_use]
pub fn partition(fields: Fields<'_>, _: &AdminPicture) -> Option<String> {
    let (name, change) =
        (pair("partitionname", field(fields, 0)?), pair(field(fields, 1)?, field(fields, 2)?));
    Some(format!("scontrol update {name} {change}"))
}

/// Adds a partition: name, nodes, tier, maximum time.
#[must_use]
pub fn new_partition(fields: Fields<'_>, _: &AdminPicture) -> Option<String> {
    let line = format!(
        "PartitionName={} Nodes={} PriorityTier={} MaxTime={} State=UP",
        field(fields, 0)?,
        field(fields, 1)?,
        field(fields, 2)?,
        field(fields, 3)?
    );
    Some(format!("printf '%s\\n' {} >> {DIR}/slurm.conf && scontrol reconfigure", word(&line)))
}

/// Adds a QOS: name, priority.
#[must_use]
pub fn new_qos(fields: Fields<'_>, _: &AdminPicture) -> Option<String> {
    Some(format!("sacctmgr -i add qos {} {}", word(field(fields, 0)?), pair("priority", field(fields, 1)?)))
}

/// Changes a setting of a QOS: QOS, key, value.
#[must_use]
pub fn qos(fields: Fields<'_>, _: &AdminPicture) -> Option<String> {
    let (name, change) = (pair("name", field(fields, 0)?), pair(field(fields, 1)?, field(fields, 2)?));
    Some(format!("sacctmgr -i modify qos where {name} set {change}"))
}

/// Allows an account to use a QOS: account, QOS.
#[must_use]
pub fn allow_qos(fields: Fields<'_>, _: &AdminPicture) -> Option<String> {
    let (account, qos) = (pair("name", field(fields, 0)?), pair("qos+", field(fields, 1)?));
    Some(format!("sacctmgr -i modify account where {account} set {qos}"))
}

/// Adds an account: name, parent, shares.
#[must_use]
pub fn new_account(fields: Fields<'_>, _: &AdminPicture) -> Option<String> {
    let (parent, shares) = (pair("parent", field(fields, 1)?), pair("fairshare", field(fields, 2)?));
    Some(format!("sacctmgr -i add account {} {parent} {shares}", word(field(fields, 0)?)))
}

/// Adds a user to an account: user, account.
#[must_use]
pub fn new_user(fields: Fields<'_>, _: &AdminPicture) -> Option<String> {
    Some(format!("sacctmgr -i add user {} {}", word(field(fields, 0)?), pair("account", field(fields, 1)?)))
}

/// Sets a limit or the shares of an account or of one of its users: account, optional user, key, value.
#[must_use]
pub fn limit(fields: Fields<'_>, _: &AdminPicture) -> Option<String> {
    let account = field(fields, 0)?;
    let change = pair(field(fields, 2)?, field(fields, 3)?);
    Some(match field(fields, 1) {
        None => format!("sacctmgr -i modify account where {} set {change}", pair("name", account)),
        Some(user) => format!(
            "sacctmgr -i modify user where {} {} set {change}",
            pair("name", user),
            pair("account", account)
        ),
    })
}

/// Changes preemption: type, mode.
#[must_use]
pub fn preemption(fields: Fields<'_>, _: &AdminPicture) -> Option<String> {
    let (kind, mode) = (field(fields, 0)?, field(fields, 1)?);
    let mode = if kind == "preempt/none" { "OFF" } else { mode };
    Some(conf(&[("PreemptType", kind), ("PreemptMode", mode)]))
}

/// Changes a setting in slurm.conf: key, value.
#[must_use]
pub fn setting(fields: Fields<'_>, _: &AdminPicture) -> Option<String> {
    Some(conf(&[(field(fields, 0)?, field(fields, 1)?)]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picture() -> AdminPicture {
        let kind = NodeKind {
            partition: "gpu".into(),
            everywhere: false,
            prefix: "a100-".into(),
            next: (9, 2),
            shape: "Sockets=1 Gres=gpu:a100:1".into(),
            gres: vec!["Name=gpu File=/dev/nvidia0".into()],
        };
        AdminPicture { kinds: vec![kind], ..AdminPicture::default() }
    }

    fn line(form: fn(Fields<'_>, &AdminPicture) -> Option<String>, fields: &[&str]) -> Option<String> {
        let fields: Vec<String> = fields.iter().map(|f| (*f).to_owned()).collect();
        form(&fields, &picture())
    }

    #[test]
    fn commands() {
        type Form = fn(Fields<'_>, &AdminPicture) -> Option<String>;
        let table: &[(Form, &[&str], &str)] = &[
            (
                node_state,
                &["n[1-2]", "drain", "bad disk"],
                "scontrol update 'nodename=n[1-2]' state=drain 'reason=bad disk'",
            ),
            (node_state, &["n1", "resume", "bad disk"], "scontrol update nodename=n1 state=resume"),
            (node_power, &["n1", "off"], "ipmitool -H n1-bmc chassis power off"),
            (unreserve, &["r"], "scontrol delete reservationname=r"),
            (
                reserve,
                &["r", "ALL", "now", "60", "root", "maint"],
                "scontrol create reservationname=r nodes=ALL starttime=now duration=60 users=root flags=maint",
            ),
            (qos, &["high", "Preempt", "low"], "sacctmgr -i modify qos where name=high set Preempt=low"),
            (limit, &["lab", "", "GrpJobs", "2"], "sacctmgr -i modify account where name=lab set GrpJobs=2"),
            (
                limit,
                &["lab", "bob", "fairshare", "2"],
                "sacctmgr -i modify user where name=bob account=lab set fairshare=2",
            ),
        ];
        for (form, fields, want) in table {
            assert_eq!(line(*form, fields).as_deref(), Some(*want));
        }
    }

    #[test]
    fn missing_fields_make_no_command() {
        assert_eq!(line(node_state, &["n1", "drain", " "]), None);
        assert_eq!(line(new_qos, &["", "1"]), None);
        for count in ["0", "-1", "many", "1001"] {
            assert_eq!(line(add_nodes, &["gpu", count]), None, "{count}");
        }
        assert_eq!(line(add_nodes, &["nowhere", "2"]), None);
    }

    #[test]
    fn adding_nodes() {
        let text = line(add_nodes, &["gpu", "10"]).unwrap_or_default();
        let steps: Vec<&str> = text.split(" && ").collect();
        assert_eq!(
            steps,
            [
                "printf '%s\\n' 'NodeName=a100-[09-18] Sockets=1 Gres=gpu:a100:1' >> /etc/slurm/slurm.conf",
                "printf '%s\\n' 'NodeName=a100-[09-18] Name=gpu File=/dev/nvidia0' >> /etc/slurm/gres.conf",
                "sed -i '/^PartitionName=gpu /s/ Nodes=[^ ]*/&,a100-[09-18]/' /etc/slurm/slurm.conf",
                "scontrol reconfigure",
            ]
        );
    }

    #[test]
    fn disabling_preemption_sets_type_and_mode() {
        let text = line(preemption, &["preempt/none", "REQUEUE"]).unwrap_or_default();
        assert!(text.contains("PreemptType=preempt/none PreemptMode=OFF"), "{text}");
    }
}
