//! Background tasks of the engine, in bounded steps.
//!
//! Between two slices of the clock, one task does one step. Tasks with work left take turns (round robin), so
//! none of them can block another.
//!
//! Invariants: a task starts work only between whole events, and a step takes about a millisecond.

use super::saving::Autosave;
use super::why::Answering;
use crate::session::frame::FrameMaker;
use crate::session::recorded::Session;
use protocol::FromEngine;

/// What a task may use: the session and its channel to the page, but no other task.
pub struct TaskContext<'a> {
    /// The session.
    pub session: &'a mut Session,
    /// The job selected on the page.
    pub job: Option<&'a str>,
    /// Set by a task that changes what the next frame shows.
    pub dirty: &'a mut bool,
    /// Messages for the page.
    pub out: &'a mut Vec<FromEngine>,
}

/// A task that works in bounded steps.
pub trait BackgroundTask {
    /// Starts new work if it is due. Only called between whole events.
    fn start(&mut self, _context: &mut TaskContext) {}

    /// Whether steps are left.
    fn is_pending(&self, session: &Session) -> bool;

    /// Does about a millisecond of the work.
    fn step(&mut self, context: &mut TaskContext);
}

/// The round-robin scheduler of the tasks.
#[derive(Default)]
pub struct RoundRobin {
    /// The task that took the last step.
    last: usize,
}

impl RoundRobin {
    /// Runs a step of the next task that has work left.
    pub fn step(&mut self, tasks: &mut [&mut dyn BackgroundTask], context: &mut TaskContext) {
        let count = tasks.len();
        let turns = (self.last + 1..=self.last + count).map(|turn| turn % count.max(1));
        for turn in turns {
            if let Some(task) = tasks.get_mut(turn).filter(|task| task.is_pending(context.session)) {
                self.last = turn;
                task.step(context);
                return;
            }
        }
    }
}

/// Sorts a long queue. [`FrameMaker::make`] starts it.
impl BackgroundTask for FrameMaker {
    fn is_pending(&self, _session: &Session) -> bool {
        self.is_sorting()
    }

    fn step(&mut self, context: &mut TaskContext) {
        *context.dirty |= self.sort_step(context.session.world());
    }
}

/// Explains why the selected job is pending. Until a job is selected, only this type runs: [`Answering`] is in
/// the deferred module.
#[derive(Default)]
pub struct ExplainTask(pub Answering);

impl BackgroundTask for ExplainTask {
    fn start(&mut self, context: &mut TaskContext) {
        let asks = context.job.is_some() || self.0.is_asked();
        if asks && !self.0.is_pending() {
            self.0.start(context.session, context.job);
        }
    }

    fn is_pending(&self, _session: &Session) -> bool {
        self.0.is_pending()
    }

    fn step(&mut self, context: &mut TaskContext) {
        self.0.step(context.session, context.job, context.out);
    }
}

/// Frees worlds that are no longer needed, and measures the memory of keyframes.
pub struct TidyTask;

impl BackgroundTask for TidyTask {
    fn is_pending(&self, session: &Session) -> bool {
        session.has_to_tidy()
    }

    fn step(&mut self, context: &mut TaskContext) {
        context.session.tidy();
    }
}

/// Hashes the state for a journal entry.
pub struct HashTask;

impl BackgroundTask for HashTask {
    fn is_pending(&self, session: &Session) -> bool {
        session.is_hashing()
    }

    fn step(&mut self, context: &mut TaskContext) {
        context.session.hash_step();
    }
}

/// Packs the session for the browser's storage.
impl BackgroundTask for Autosave {
    fn start(&mut self, context: &mut TaskContext) {
        self.begin_if_due(context.session);
    }

    fn is_pending(&self, _session: &Session) -> bool {
        self.is_packing()
    }

    fn step(&mut self, context: &mut TaskContext) {
        self.pack_step(context.out);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::Setup;
    use base::time::Time;
    use config::SiteFiles;

    /// A task of this many steps, which records its name at each.
    struct CountingTask {
        name: u32,
        left: u32,
    }

    impl BackgroundTask for CountingTask {
        fn is_pending(&self, _session: &Session) -> bool {
            self.left > 0
        }

        fn step(&mut self, context: &mut TaskContext) {
            self.left -= 1;
            context.out.push(FromEngine::Closed(self.name));
        }
    }

    #[test]
    fn tasks_take_turns() {
        let conf = "ClusterName=c\nNodeName=n1\nPartitionName=p Nodes=ALL\n".to_owned();
        let files = SiteFiles([("slurm.conf".to_owned(), conf)].into());
        let mut session = Session::new(Setup { site: "c".to_owned(), files, seed: 1, start: Time(0) });
        let mut tasks = [
            CountingTask { name: 1, left: 1 },
            CountingTask { name: 2, left: 3 },
            CountingTask { name: 3, left: 2 },
        ];
        let (mut robin, mut dirty, mut out) = (RoundRobin::default(), false, Vec::new());
        for _ in 0..8 {
            let mut context =
                TaskContext { session: &mut session, job: None, dirty: &mut dirty, out: &mut out };
            let [a, b, c] = &mut tasks;
            robin.step(&mut [a, b, c], &mut context);
        }
        let names: Vec<u32> =
            out.iter().filter_map(|m| if let FromEngine::Closed(n) = m { Some(*n) } else { None }).collect();
        assert_eq!(names, [2, 3, 1, 2, 3, 2]);
    }
}
