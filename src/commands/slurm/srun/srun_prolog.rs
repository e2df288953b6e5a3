//! Programs that srun runs on its own host before and after a step: `SrunProlog` and `SrunEpilog` of
//! slurm.conf(5), or `--prolog` and `--epilog`.
//!
//! Mirrors prolog_epilog.html. Their exit codes are ignored.

use super::component::Component;
use crate::Cx;
use base::ids::Pid;
use host::Exec;
use host::kernel::ProcessTarget;
use slurmctld::request::StepLayout;
use std::sync::Arc;

/// The kinds of programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    /// Before the step.
    Before,
    /// After it.
    After,
}

/// Starts the program if there is one. It gets the step's arguments.
pub fn begin(cx: &mut Cx, when: When, first: Option<&Component>, layout: Option<&StepLayout>) -> Option<Pid> {
    let (first, step) = (first?, layout?.step);
    let programs = &cx.cluster.state().cluster.global.programs;
    let (own, site, context) = match when {
        When::Before => (&first.run.prolog, &programs.srun_prolog, "prolog_srun"),
        When::After => (&first.run.epilog, &programs.srun_epilog, "epilog_srun"),
    };
    let program = own.as_ref().or(site.as_ref()).filter(|p| !p.eq_ignore_ascii_case("none"))?.clone();
    let path = match cx.which(&cx.path(&program)) {
        Ok(path) => path,
        Err(why) => {
            cx.complain(&format!("srun: Access denied for {program}: {why}"));
            return None;
        }
    };
    let mut env = cx.env.clone();
    for (name, value) in [
        ("SLURM_JOB_ID", step.job.to_string()),
        ("SLURM_STEP_ID", step.step.to_string()),
        ("SLURM_SCRIPT_CONTEXT", context.to_owned()),
    ] {
        env.insert(name.to_owned(), value);
    }
    let argv = std::iter::once(program).chain(first.command.iter().cloned()).collect();
    cx.spawn(Exec { path, argv, env: Arc::new(env) }).ok()
}

/// Whether it is still running.
pub fn runs(cx: &mut Cx, child: Pid) -> bool {
    matches!(cx.kernel.wait(cx.pid, ProcessTarget::Process(child)), Ok(None))
}
