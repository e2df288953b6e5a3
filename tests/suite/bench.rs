//! A site for tests: takes its files, runs commands and returns their output.

use base::time::{Span, Time};
use config::SiteFiles;
use engine::world::{Input, InputResult, World};
use host::memory::MemoryBounds;

/// A running site.
pub struct Site {
    world: World,
    said: Vec<String>,
}

impl Site {
    /// A cluster with these files, by name.
    pub fn new(files: &[(&str, &str)]) -> Self {
        let files = SiteFiles(files.iter().map(|(n, t)| ((*n).to_owned(), (*t).to_owned())).collect());
        let (world, found) = World::new("test", &files, 1, Time::from_secs(1_795_240_440));
        Self { world, said: found.iter().map(ToString::to_string).collect() }
    }

    /// Diagnostics of the files.
    pub fn complaints(&self) -> &[String] {
        &self.said
    }

    /// A command's output, standard output first.
    pub fn run(&mut self, user: &str, command: &str) -> String {
        let input = Input::Run { user: user.to_owned(), command: command.to_owned() };
        let InputResult::Run(run) = self.world.apply(&input) else { return "no such user".to_owned() };
        let until = self.world.now + Span::from_secs(3600);
        while self.world.run_result(run).exit.is_none() && self.world.step(until) {}
        let result = self.world.run_result(run);
        String::from_utf8_lossy(&result.stdout).into_owned() + &String::from_utf8_lossy(&result.stderr)
    }

    /// How many times processes read or checked a descriptor.
    pub fn descriptor_checks(&self) -> u64 {
        self.world.kernel.descriptor_checks
    }

    /// Sets what processes may hold.
    pub fn bound_memory(&mut self, bounds: MemoryBounds) {
        self.world.kernel.memory_bounds = bounds;
    }

    /// Advances virtual time.
    pub fn pass(&mut self, seconds: i64) {
        let until = self.world.now + Span::from_secs(seconds);
        while self.world.step(until) {}
        assert_eq!(self.world.check(), Ok(()));
    }
}
