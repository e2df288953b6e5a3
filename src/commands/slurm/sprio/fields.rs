//! sprio's fields: letters, headings, texts for jobs and for weights. Upper-case letters show a factor's
//! weighted contribution, lower-case letters the normalized factor.

use crate::slurm::format;
use crate::slurm::jobtext::JobView;
use base::ids::PartId;
use config::Global;
use slurmctld::job::Job;
use slurmctld::priority::{Factors, Part};
use std::cmp::Ordering;

/// A job in one of its partitions.
pub struct SprioRow<'a> {
    view: JobView<'a>,
    job: &'a Job,
    pub partition: &'a str,
    /// None if an administrator set the priority.
    factors: Option<WeighedFactors<'a>>,
    /// Before truncation to a whole number.
    priority: f64,
}

struct WeighedFactors<'a> {
    of: &'a Factors,
    partition: f64,
    tres: Vec<Part<'a>>,
}

impl<'a> SprioRow<'a> {
    /// The row of a job in a partition.
    pub fn of(view: JobView<'a>, job: &'a Job, part: PartId) -> Self {
        let name = view.state.partitions.get(part.0 as usize).map_or("", |p| p.name.as_str());
        let (partition, tres, sum) = view.state.priority_parts(job, part);
        let (factors, priority) = match job.fixed_priority {
            Some(fixed) => (None, f64::from(fixed)),
            None => (Some(WeighedFactors { of: &job.factors, partition, tres }), sum),
        };
        Self { view, job, partition: name, factors, priority }
    }

    fn weighed(&self, get: impl Fn(&WeighedFactors) -> f64) -> f64 {
        self.factors.as_ref().map_or(0.0, get)
    }

    /// A factor's weighted contribution, as a whole number.
    fn whole(&self, get: impl Fn(&WeighedFactors) -> f64) -> String {
        format!("{:.0}", self.weighed(get))
    }

    /// A factor's normalised value.
    fn norm(
        &self,
        weight: impl Fn(&config::Priority) -> u32,
        get: impl Fn(&WeighedFactors) -> f64,
    ) -> String {
        let weight = weight(&self.view.state.cluster.global.priority);
        format!("{:.7}", if weight == 0 { 0.0 } else { self.weighed(get) / f64::from(weight) })
    }

    fn tres(&self, text: impl Fn(&Part) -> String) -> String {
        let parts = self.factors.iter().flat_map(|f| &f.tres).filter(|t| t.factor > 0.0);
        parts.map(|t| format!("{}={}", t.name, text(t))).collect::<Vec<_>>().join(",")
    }
}

/// The texts of a field.
#[derive(Clone, Copy)]
pub struct SprioSource {
    /// The text for a job.
    pub text: fn(&SprioRow) -> String,
    /// The text in the line of weights.
    pub weight: fn(&Global) -> String,
}

/// A field of priorities.
pub type SprioField = format::FormatField<SprioSource>;

const fn f(
    letter: &'static str,
    title: &'static str,
    weight: fn(&Global) -> String,
    text: fn(&SprioRow) -> String,
) -> SprioField {
    SprioField::new(letter, &[], title, SprioSource { text, weight })
}

fn none(_: &Global) -> String {
    String::new()
}

pub const FIELDS: &[SprioField] = &[
    f("a", "AGE", |g| g.priority.weight_age.to_string(), |r| r.norm(|p| p.weight_age, |f| f.of.age)),
    f("A", "AGE", |g| g.priority.weight_age.to_string(), |r| r.whole(|f| f.of.age)),
    f("b", "ASSOC", |g| g.priority.weight_assoc.to_string(), |r| r.norm(|p| p.weight_assoc, |f| f.of.assoc)),
    f("B", "ASSOC", |g| g.priority.weight_assoc.to_string(), |r| r.whole(|f| f.of.assoc)),
    f("c", "CLUSTER", none, |_| "(null)".to_owned()),
    f(
        "f",
        "FAIRSHARE",
        |g| g.priority.weight_fairshare.to_string(),
        |r| r.norm(|p| p.weight_fairshare, |f| f.of.fairshare),
    ),
    f("F", "FAIRSHARE", |g| g.priority.weight_fairshare.to_string(), |r| r.whole(|f| f.of.fairshare)),
    f("i", "JOBID", |_| "Weights".to_owned(), |r| r.job.id.to_string()),
    f(
        "j",
        "JOBSIZE",
        |g| g.priority.weight_job_size.to_string(),
        |r| r.norm(|p| p.weight_job_size, |f| f.of.job_size),
    ),
    f("J", "JOBSIZE", |g| g.priority.weight_job_size.to_string(), |r| r.whole(|f| f.of.job_size)),
    f("n", "QOSNAME", none, |r| r.view.qos(r.job.qos)),
    f("N", "NICE", none, |r| r.whole(|f| f.of.nice as f64)),
    f("o", "ACCOUNT", none, |r| r.job.account.clone()),
    f(
        "p",
        "PARTITION",
        |g| g.priority.weight_partition.to_string(),
        |r| r.norm(|p| p.weight_partition, |f| f.partition),
    ),
    f("P", "PARTITION", |g| g.priority.weight_partition.to_string(), |r| r.whole(|f| f.partition)),
    f("q", "QOS", |g| g.priority.weight_qos.to_string(), |r| r.norm(|p| p.weight_qos, |f| f.of.qos)),
    f("Q", "QOS", |g| g.priority.weight_qos.to_string(), |r| r.whole(|f| f.of.qos)),
    f("r", "PARTITION", none, |r| r.partition.to_owned()),
    f("S", "SITE", |_| "1".to_owned(), |r| r.whole(|f| f.of.site as f64)),
    f("t", "TRES", none, |r| r.tres(|t| format!("{:.2}", t.factor))),
    f("T", "TRES", tres_weights, |r| r.tres(|t| format!("{:.0}", t.factor * t.weight))),
    f("u", "USER", none, |r| r.view.users.name(r.job.uid())),
    f("y", "PRIORITY", none, |r| format!("{:.14}", r.priority / f64::from(u32::MAX))),
    f("Y", "PRIORITY", none, |r| format!("{:.0}", r.priority.trunc())),
];

fn tres_weights(conf: &Global) -> String {
    conf.raw.get("PriorityWeightTRES").cloned().unwrap_or_default()
}

/// Compares two rows by a field.
pub fn compare(letter: char, a: &SprioRow, b: &SprioRow) -> Ordering {
    let by = |get: &dyn Fn(&SprioRow) -> f64| get(a).total_cmp(&get(b));
    match letter {
        'i' => a.job.id.cmp(&b.job.id),
        'u' => a.view.users.name(a.job.uid()).cmp(&b.view.users.name(b.job.uid())),
        'o' => a.job.account.cmp(&b.job.account),
        'r' => a.partition.cmp(b.partition),
        'n' => a.view.qos(a.job.qos).cmp(&b.view.qos(b.job.qos)),
        'y' | 'Y' => by(&|r| r.priority.trunc()),
        'a' | 'A' => by(&|r| r.weighed(|f| f.of.age)),
        'b' | 'B' => by(&|r| r.weighed(|f| f.of.assoc)),
        'f' | 'F' => by(&|r| r.weighed(|f| f.of.fairshare)),
        'j' | 'J' => by(&|r| r.weighed(|f| f.of.job_size)),
        'p' | 'P' => by(&|r| r.weighed(|f| f.partition)),
        'q' | 'Q' => by(&|r| r.weighed(|f| f.of.qos)),
        'S' => by(&|r| r.weighed(|f| f.of.site as f64)),
        'N' => by(&|r| r.weighed(|f| f.of.nice as f64)),
        _ => Ordering::Equal,
    }
}
