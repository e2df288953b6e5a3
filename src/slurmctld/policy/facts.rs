//! The fields of a submission that rules can test.

use super::{MAX_TEXT, RuleLabels};
use crate::Slurmctld;
use crate::state::job::{Exclusive, GresReq, JobDesc};
use base::ids::Uid;
use base::time::{Limit, hms};
use config::policy::{Condition, JobField, Template, TemplatePart, without_end};

/// A submission, with the labels that earlier rules set.
pub(super) struct Facts<'a> {
    pub ctld: &'a Slurmctld,
    pub desc: &'a JobDesc,
    pub labels: &'a RuleLabels,
    /// The user who submits or updates the job.
    pub by: Uid,
    /// What an update changes.
    pub changes: Option<&'a str>,
}

/// A field's value.
enum Fact {
    Text(Option<String>),
    Number(Option<u64>),
    Switch(bool),
}

impl Facts<'_> {
    /// Whether a condition holds.
    pub fn hold(&self, condition: &Condition<JobField>) -> bool {
        if condition.field == JobField::Account
            && matches!(condition.test, config::policy::FieldTest::Given(_))
        {
            // A default account does not count as given.
            return condition.test.text(self.desc.account.as_deref());
        }
        match self.of(&condition.field) {
            Fact::Text(text) => condition.test.text(text.as_deref()),
            Fact::Number(number) => condition.test.number(number),
            Fact::Switch(yes) => condition.test.switch(yes),
        }
    }

    /// Fills in a template with the job's fields.
    pub fn fill(&self, template: &Template) -> String {
        let mut out = String::new();
        for piece in &template.0 {
            match piece {
                TemplatePart::Text(text) => out += text,
                TemplatePart::Field(field) => out += &self.text(field),
                TemplatePart::Trimmed(field, end) => out += without_end(&self.text(field), end),
            }
            if out.len() > MAX_TEXT {
                break;
            }
        }
        out
    }

    fn text(&self, field: &JobField) -> String {
        let minutes = matches!(field, JobField::TimeLimit | JobField::TimeMin);
        match self.of(field) {
            Fact::Text(text) => text.unwrap_or_default(),
            Fact::Number(None) => String::new(),
            Fact::Number(Some(n)) if minutes => {
                let seconds = i64::try_from(n).ok().and_then(|m| m.checked_mul(60));
                seconds.map_or_else(|| "UNLIMITED".to_owned(), hms)
            }
            Fact::Number(Some(n)) => n.to_string(),
            Fact::Switch(yes) => if yes { "yes" } else { "no" }.to_owned(),
        }
    }

    fn of(&self, field: &JobField) -> Fact {
        let d = self.desc;
        let minutes =
            |limit: Option<Limit>| limit.map(|l| if let Limit::Minutes(m) = l { m.into() } else { u64::MAX });
        match field {
            JobField::User => Fact::Text(Some(self.ctld.user_name(d.uid))),
            JobField::By => Fact::Text(Some(self.ctld.user_name(self.by))),
            JobField::Changes => Fact::Text(self.changes.map(str::to_owned)),
            JobField::Account => Fact::Text(d.account.clone().or_else(|| self.default_account())),
            JobField::Partition => Fact::Text(d.partition.clone()),
            JobField::Qos => Fact::Text(d.qos.clone()),
            JobField::Reservation => Fact::Text(d.reservation.clone()),
            JobField::Constraint => Fact::Text(d.constraint.clone()),
            JobField::Licenses => Fact::Text(d.licenses.clone()),
            JobField::Nodelist => Fact::Text(d.nodelist.clone()),
            JobField::Name => Fact::Text(Some(d.name.clone())),
            JobField::Wckey => Fact::Text(d.wckey.clone()),
            JobField::Comment => Fact::Text(d.comment.clone()),
            JobField::Array => Fact::Text(d.array.clone()),
            JobField::Dependency => Fact::Text(d.dependency.clone()),
            JobField::GpuType => Fact::Text(self.gpu_requests().find_map(|g| g.kind.clone())),
            JobField::TimeLimit => Fact::Number(minutes(d.time_limit)),
            JobField::TimeMin => Fact::Number(minutes(d.time_min)),
            JobField::Nodes => Fact::Number(d.min_nodes.map(u64::from)),
            JobField::MaxNodes => Fact::Number(d.max_nodes.map(u64::from)),
            JobField::Tasks => Fact::Number(Some(self.tasks())),
            JobField::TasksPerNode => Fact::Number(d.ntasks_per_node.map(u64::from)),
            JobField::CpusPerTask => Fact::Number(Some(self.cpus_per_task())),
            JobField::Cpus => Fact::Number(Some(self.cpus())),
            JobField::CpusPerNode => Fact::Number(self.cpus_per_node()),
            JobField::Gpus => Fact::Number(Some(self.gpus())),
            JobField::GpusPerNode => Fact::Number(Some(self.gpus().div_ceil(self.nodes()))),
            JobField::Mem => Fact::Number(self.mem()),
            JobField::MemPerNode => {
                Fact::Number(d.mem_per_node.or_else(|| self.mem().map(|m| m / self.nodes())))
            }
            JobField::MemPerCpu => {
                Fact::Number(d.mem_per_cpu.or_else(|| self.mem().map(|m| m / self.cpus().max(1))))
            }
            JobField::Exclusive => Fact::Switch(d.exclusive == Some(Exclusive::Node)),
            JobField::Batch => Fact::Switch(d.script.is_some()),
            JobField::Hold => Fact::Switch(d.hold),
            JobField::Label(name) => {
                Fact::Text(self.labels.iter().find(|l| l.0 == *name).map(|l| l.1.clone()))
            }
        }
    }

    fn default_account(&self) -> Option<String> {
        self.ctld.dbd.default_account(&self.ctld.user_name(self.desc.uid)).map(str::to_owned)
    }

    fn nodes(&self) -> u64 {
        self.desc.min_nodes.unwrap_or(1).max(1).into()
    }

    fn tasks(&self) -> u64 {
        let per_node = u64::from(self.desc.ntasks_per_node.unwrap_or(1).max(1));
        self.desc.ntasks.map_or_else(|| self.nodes() * per_node, u64::from)
    }

    fn cpus_per_task(&self) -> u64 {
        self.desc.cpus_per_task.unwrap_or(1).max(1).into()
    }

    fn cpus(&self) -> u64 {
        self.tasks() * self.cpus_per_task()
    }

    /// Unknown for a job that requests no number of nodes: its tasks may be anywhere.
    fn cpus_per_node(&self) -> Option<u64> {
        let per_node = self.desc.ntasks_per_node.map(|n| u64::from(n) * self.cpus_per_task());
        per_node.or_else(|| self.desc.min_nodes.map(|_| self.cpus().div_ceil(self.nodes())))
    }

    fn gpu_requests(&self) -> impl Iterator<Item = &GresReq> {
        let d = self.desc;
        let lists = [&d.gpus, &d.gpus_per_node, &d.gpus_per_task, &d.gpus_per_socket, &d.gres];
        lists.into_iter().flatten().filter(|g| g.name == "gpu")
    }

    fn gpus(&self) -> u64 {
        let d = self.desc;
        let sum =
            |list: &[GresReq]| -> u64 { list.iter().filter(|g| g.name == "gpu").map(|g| g.count).sum() };
        let for_nodes = sum(&d.gres).max(sum(&d.gpus_per_node)).max(sum(&d.gpus_per_socket));
        sum(&d.gpus)
            .max(for_nodes.saturating_mul(self.nodes()))
            .max(sum(&d.gpus_per_task).saturating_mul(self.tasks()))
    }

    fn mem(&self) -> Option<u64> {
        let d = self.desc;
        let of_node = d.mem_per_node.map(|m| m.saturating_mul(self.nodes()));
        let of_cpu = d.mem_per_cpu.map(|m| m.saturating_mul(self.cpus()));
        of_node.or(of_cpu).or_else(|| d.mem_per_gpu.map(|m| m.saturating_mul(self.gpus())))
    }
}
