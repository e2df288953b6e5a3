//! The page's filter and sort keys for the queue.

use crate::world::World;
use base::state::JobState;
use base::time::Span;
use commands::slurm::jobtext::JobView;
use commands::slurm::squeue::{Keys, RecordWalk, plain, row::SqueueRow};
use protocol::{Direction, QueueList, SortBy, StateClass};

/// Finished jobs are included for this long after their end.
const ENDED: Span = Span::from_mins(5);

/// squeue's query and sort keys.
pub fn of(world: &World, list: &QueueList) -> (RecordWalk, Keys) {
    // An unused uid, so that an unknown user has no jobs.
    let uid = |name: &String| world.kernel.users.by_name(name).map_or(u32::MAX, |u| u.uid.0);
    let sort = list.sort.map(|(by, way)| letters(by, way)).unwrap_or_default();
    plain(list.user.as_ref().map(uid), list.ended, &sort)
}

/// squeue's letter for a column, with `-` for descending order.
fn letters(by: SortBy, way: Direction) -> String {
    let letter = match by {
        SortBy::Id => "i",
        SortBy::State => "t",
        SortBy::Name => "j",
        SortBy::User => "u",
        SortBy::Partition => "P",
        SortBy::Time => "M",
        SortBy::Size => "C",
        SortBy::NodeList => "r,N",
        SortBy::Priority => "p",
        SortBy::Start => "S",
    };
    match way {
        Direction::Up => letter.to_owned(),
        Direction::Down => format!("-{letter}"),
    }
}

/// Whether an entry matches the filter.
pub fn wants(view: &JobView, list: &QueueList, row: &SqueueRow) -> bool {
    let job = row.job;
    let recent = || list.ended && job.end.is_some_and(|end| view.now - end <= ENDED);
    (job.is_live() || recent()) && passes(view, list, row)
}

fn passes(view: &JobView, list: &QueueList, row: &SqueueRow) -> bool {
    let job = row.job;
    let class = match job.state {
        JobState::Pending => StateClass::Waiting,
        JobState::Running | JobState::Suspended => StateClass::Running,
        _ if job.flags.completing => StateClass::Running,
        _ => StateClass::Over,
    };
    let part = |name: &String| {
        let waits = job.state == JobState::Pending;
        let tried = job.partitions.iter().take(if waits { job.partitions.len() } else { 1 });
        tried.into_iter().any(|p| view.state.partition(*p).name == *name)
    };
    let text = || {
        let has = |text: &str| text.to_lowercase().contains(&list.text);
        list.text.is_empty()
            || has(&job.name)
            || has(&row.id())
            || has(&view.users.name(job.uid()))
            || (job.state == JobState::Pending && has(row.reason()))
    };
    list.state.is_none_or(|s| s == class) && list.partition.as_ref().is_none_or(part) && text()
}
