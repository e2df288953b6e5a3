//! A world in which the commands of the course are run one after the other.

use base::time::{Span, Time};
use config::SiteFiles;
use engine::world::{Input, InputResult, World};

/// Longest virtual time of one command.
const LONGEST: Span = Span::from_secs(600);
/// Maximum number of events of one command.
const FUEL: u32 = 500_000;

/// The cluster and the participant.
pub struct Recorder {
    world: World,
    user: String,
    home: String,
}

impl Recorder {
    /// A cluster without jobs.
    pub fn new(name: &str, files: &SiteFiles, user: Option<&str>, start: Time) -> Result<Self, String> {
        let (world, _) = World::new(name, files, 1, start);
        let first = world.site.users.first().map(|u| u.name.clone());
        let user = user.map(str::to_owned).or(first).ok_or_else(|| format!("site {name} has no users"))?;
        let home = world.kernel.users.by_name(&user).map(|u| u.home.clone());
        let home = home.ok_or_else(|| format!("site {name} has no user {user}"))?;
        let mut recorder = Self { world, user, home };
        recorder.advance(60);
        Ok(recorder)
    }

    /// The participant's name.
    pub fn user(&self) -> &str {
        &self.user
    }

    /// The participant's home.
    pub fn home(&self) -> &str {
        &self.home
    }

    /// The login node's name.
    pub fn host(&self) -> String {
        self.world.kernel.login.to_string()
    }

    /// The partition for the course: the default one, or the first in which the participant can run a job.
    ///
    /// # Errors
    /// There is none.
    pub fn partition(&self) -> Result<String, String> {
        let state = &self.world.ctld;
        let default = state.partitions.iter().filter(|p| p.is_default);
        let names = default.chain(state.partitions.iter()).map(|p| p.name.clone());
        for name in names.take(64) {
            let mut fork =
                Self { world: self.world.clone(), user: self.user.clone(), home: self.home.clone() };
            if fork
                .run(&format!("sbatch -p {name} -t 1 --wrap true"))
                .is_ok_and(|text| text.contains("Submitted"))
            {
                return Ok(name);
            }
        }
        Err(format!("{} can run a job in no partition", self.user))
    }

    /// Saves a file in the home.
    pub fn save(&mut self, name: &str, text: &str) {
        let path = format!("{}/{name}", self.home);
        self.world.apply(&Input::Save { user: self.user.clone(), path, data: text.as_bytes().to_vec() });
    }

    /// Lets virtual time pass.
    pub fn advance(&mut self, seconds: i64) {
        let end = self.world.now + Span::from_secs(seconds);
        let mut fuel = FUEL;
        while fuel > 0 && self.world.step(end) {
            fuel -= 1;
        }
    }

    /// What a command prints.
    ///
    /// # Errors
    /// It fails or does not end.
    pub fn run(&mut self, command: &str) -> Result<String, String> {
        let input = Input::Run { user: self.user.clone(), command: command.to_owned() };
        let InputResult::Run(run) = self.world.apply(&input) else {
            return Err(format!("{command}: no such user"));
        };
        let end = self.world.now + LONGEST;
        let mut fuel = FUEL;
        while self.world.run_result(run).exit.is_none() && fuel > 0 && self.world.step(end) {
            fuel -= 1;
        }
        let result = self.world.run_result(run);
        let error = String::from_utf8_lossy(&result.stderr).trim().to_owned();
        match result.exit {
            Some(0) => Ok(String::from_utf8_lossy(&result.stdout).into_owned()),
            Some(code) => Err(format!("{command}: exit code {code}: {error}")),
            None => Err(format!("{command}: it does not end within 10 minutes")),
        }
    }

    /// Submits a job; returns its ID.
    ///
    /// # Errors
    /// It is refused.
    pub fn submit(&mut self, command: &str) -> Result<u32, String> {
        let text = self.run(command)?;
        text.split_whitespace()
            .last()
            .and_then(|id| id.parse().ok())
            .ok_or_else(|| format!("{command}: {text}"))
    }

    /// What a line prints in a job.
    ///
    /// # Errors
    /// The job is refused or prints nothing.
    pub fn run_job(&mut self, partition: &str, line: &str) -> Result<String, String> {
        let id = self.submit(&format!("sbatch -p {partition} -t 1 --wrap '{line}'"))?;
        self.advance(120);
        self.run(&format!("cat slurm-{id}.out"))
    }
}
