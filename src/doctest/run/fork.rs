//! A fork of a site in which the examples of one page run one after the other.

use base::ids::JobId;
use base::time::Span;
use engine::world::{Input, InputResult, RunResult, World};
use std::cell::RefCell;
use std::collections::BTreeSet;

/// Longest virtual time of a command.
const COMMAND: Span = Span::from_secs(600);
/// Longest virtual time of a job.
const JOB: Span = Span::from_secs(8 * 86_400);
/// Maximum number of events of a command or a job.
const FUEL: u32 = 200_000;
/// Maximum number of events in which a program computes without waiting.
const BUSY: u32 = 2_000;

/// Maximum number of jobs that an example may submit while it runs.
const MAX_LATER: usize = 16;

/// A fork and the user who types in it.
#[derive(Clone, Debug)]
pub struct ExampleFork {
    world: World,
    user: String,
    home: String,
}

/// How a job ended, and what it wrote.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EndedJob {
    /// Slurm's word for its state, such as `COMPLETED`; with several array tasks, the first other one.
    pub state: String,
    /// The exit code as Slurm shows it.
    pub exit: String,
    /// The content of its output files, in the order of the tasks.
    pub output: String,
}

impl ExampleFork {
    /// A fork of this world.
    pub fn new(world: &World, user: &str) -> Self {
        let home =
            world.kernel.users.by_name(user).map_or_else(|| format!("/home/{user}"), |u| u.home.clone());
        Self { world: world.clone(), user: user.to_owned(), home }
    }

    /// Lets virtual time pass.
    pub fn advance(&mut self, span: Span) {
        let end = self.world.now + span;
        let mut fuel = FUEL;
        while fuel > 0 && self.world.step(end) {
            fuel -= 1;
        }
    }

    /// Saves a file in the user's home.
    pub fn save(&mut self, name: &str, text: &str) {
        let path = format!("{}/{name}", self.home);
        self.world.apply(&Input::Save { user: self.user.clone(), path, data: text.as_bytes().to_vec() });
    }

    /// Runs a command in the user's home. Without an exit code it has not ended within the bounds.
    pub fn run(&mut self, command: &str) -> RunResult {
        let input = Input::Run { user: self.user.clone(), command: command.to_owned() };
        let InputResult::Run(run) = self.world.apply(&input) else { return RunResult::default() };
        self.until(COMMAND, |world| world.run_result(run).exit.is_some());
        self.world.run_result(run)
    }

    /// Waits until a job, all tasks of its array and the jobs that they submit have ended.
    ///
    /// # Errors
    /// They do not end within the bounds, or they submit one job after the other.
    pub fn ended(&mut self, id: JobId) -> Result<EndedJob, &'static str> {
        let later = RefCell::new(BTreeSet::new());
        let running = |world: &World| {
            // Nobody else submits here.
            let mut active = false;
            for job in world.ctld.jobs.values().filter(|job| job.id >= id) {
                let own = job.id == id || job.array.as_ref().is_some_and(|array| array.job == id);
                active |= !job.state.ended();
                if !own {
                    later.borrow_mut().insert(job.id);
                }
            }
            active && later.borrow().len() <= MAX_LATER
        };
        let ended = self.until(JOB, |world| !running(world));
        if later.borrow().len() > MAX_LATER {
            return Err("the job submits one job after the other, without an end that a check can wait for");
        }
        if !ended {
            return Err("the job does not end within 8 days of virtual time and the bounds of a check");
        }
        // The files of a job are complete once its nodes are free again.
        self.advance(Span::from_secs(5));
        let shown = self.run(&format!("scontrol -o show job {id}"));
        let shown = String::from_utf8_lossy(&shown.stdout).into_owned();
        let field = |line: &str, name: &str| {
            line.split(' ').find_map(|word| word.strip_prefix(name)).unwrap_or_default().to_owned()
        };
        let mut job = EndedJob::default();
        let mut lines: Vec<&str> = shown.lines().filter(|line| line.contains("JobState=")).collect();
        lines.sort_by_key(|line| field(line, "ArrayTaskId=").parse::<u32>().unwrap_or(0));
        for line in lines {
            let state = field(line, "JobState=");
            if job.state.is_empty() || job.state == "COMPLETED" {
                job = EndedJob { state, exit: field(line, "ExitCode="), ..job };
            }
            let mut paths = vec![field(line, "StdOut="), field(line, "StdErr=")];
            paths.dedup();
            for path in paths.iter().filter(|path| !path.is_empty() && *path != "/dev/null") {
                let text = self.run(&format!("cat {}", doc::words::quoted(path)));
                job.output.push_str(&String::from_utf8_lossy(&text.stdout));
            }
        }
        if job.state.is_empty() { Err("the job's record is gone before it can be read") } else { Ok(job) }
    }

    /// Steps until something holds; false if a bound is reached first.
    fn until(&mut self, span: Span, done: impl Fn(&World) -> bool) -> bool {
        let end = self.world.now + span;
        let (mut fuel, mut busy) = (FUEL, BUSY);
        while !done(&self.world) {
            if fuel == 0 || busy == 0 || !self.world.step(end) {
                return false;
            }
            fuel -= 1;
            busy -= u32::from(self.world.is_burning());
        }
        true
    }
}
