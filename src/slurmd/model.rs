//! Programs that are not simulated (python, R, mpirun, a binary) run as models: how long, how much memory,
//! what they print, how they end. A script says so in `#SIM` comments, which real Slurm and real interpreters ignore.

use crate::base::time::Time;
use crate::host::{Exec, Kernel, Step};
use serde::{Deserialize, Serialize};

/// A running model.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Model {}

impl Model {
    /// A model of `exec`; `script` is the text of the program file it runs, if there is one.
    #[must_use]
    pub fn new(_exec: &Exec, _script: Option<&str>) -> Self {
        todo!()
    }

    /// One slice.
    pub fn run(&mut self, _kernel: &mut Kernel, _pid: crate::base::ids::Pid, _now: Time) -> Step {
        todo!()
    }
}
