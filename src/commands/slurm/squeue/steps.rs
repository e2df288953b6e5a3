//! `squeue -s`: the running steps.

use super::Filter;
use super::rows::names;
use crate::base::bitset::BitSet;
use crate::base::ids::StepNum;
use crate::base::order::Order as _;
use crate::base::table::{Overflow, Piece, cell, short_format};
use crate::base::time::hms_short;
use crate::commands::Cx;
use crate::commands::slurm::getopt::Parsed;
use crate::commands::slurm::jobtext::{self, View};
use crate::slurmctld::job::{Job, StepRecord};

type Get = fn(&View, &Job, &StepRecord) -> String;

const FIELDS: &[(&str, &str, Get)] = &[
    ("A", "TASKS", |_, _, s| s.tasks.to_string()),
    ("b", "TRES_PER_NODE", |_, _, s| {
        jobtext::or_null(Some(s.tres_per_node.as_str()).filter(|t| !t.is_empty()))
    }),
    ("C", "CPUS", |_, _, s| s.nodes.iter().map(|n| n.1).sum::<u32>().to_string()),
    ("i", "STEPID", |_, j, s| format!("{}.{}", jobtext::id_text(j), s.num)),
    ("j", "NAME", |_, _, s| s.name.clone()),
    ("l", "TIME_LIMIT", |_, _, _| "UNLIMITED".to_owned()),
    ("M", "TIME", |v, _, s| hms_short(v.now.secs() - s.start.secs())),
    ("N", "NODELIST", |v, _, s| v.hosts(&s.nodes.iter().map(|n| n.0.0).collect::<BitSet>())),
    ("P", "PARTITION", |v, j, _| v.partitions(j)),
    ("S", "START_TIME", |v, _, s| v.moment(s.start)),
    ("U", "UID", |_, j, _| j.uid().to_string()),
    ("u", "USER", |v, j, _| v.users.name(j.uid())),
];

/// Prints them.
pub fn print(cx: &mut Cx, parsed: &Parsed, filter: &Filter) -> u8 {
    let format = parsed.value("format").unwrap_or(super::STEPS).to_owned();
    let find = |letter: &str| FIELDS.iter().find(|f| f.0 == letter);
    let pieces = short_format(&format, |l| find(l).is_some());
    let asked =
        parsed.value("steps").map(str::to_owned).or_else(|| parsed.rest.first().cloned()).unwrap_or_default();
    let wanted: Vec<_> =
        jobtext::split_list(&asked).into_iter().map(|w| w.split_once('.').unwrap_or((w, ""))).collect();
    let mut out = Vec::new();
    let mut line = |text: &dyn Fn(&(&str, &str, Get)) -> String| {
        for piece in &pieces {
            match piece {
                Piece::Literal(text) | Piece::Bad(_, text) => out.extend_from_slice(text.as_bytes()),
                Piece::Field(c) => {
                    if let Some(field) = find(&c.field) {
                        cell(&mut out, &text(field), c.width, c.right, Overflow::Cut);
                        out.extend_from_slice(c.suffix.as_bytes());
                    }
                }
            }
        }
        out.push(b'\n');
    };
    let view = View::of(cx);
    if !parsed.has("noheader") {
        line(&|field| field.1.to_owned());
    }
    let mut jobs: Vec<&Job> = view.state.jobs.values().filter(|j| !j.steps.is_empty()).collect();
    jobs.order_by_key(|job| (view.partitions(job), job.id));
    for job in jobs {
        let user = filter.users.as_ref().is_none_or(|u| u.contains(&job.uid().0));
        let partition = filter.partitions.is_empty() || filter.partitions.contains(&view.partitions(job));
        let id = filter.jobs.is_empty() || filter.jobs.iter().any(|s| names(s, job));
        if !(user && partition && id && view.sees_job(job)) {
            continue;
        }
        // Numbered steps first, then the script's.
        let mut steps: Vec<&StepRecord> = job.steps.values().filter(|s| s.end.is_none()).collect();
        steps.order_by_key(|s| (!matches!(s.num, StepNum::Number(_)), s.num));
        for step in steps {
            let fits = |(id, num): &(&str, &str)| {
                jobtext::parse_job(id).is_some_and(|s| names(&s, job))
                    && (num.is_empty() || step.num.to_string() == *num)
            };
            if wanted.is_empty() || wanted.iter().any(fits) {
                line(&|field| (field.2)(&view, job, step));
            }
        }
    }
    cx.out.append(&mut out);
    0
}
