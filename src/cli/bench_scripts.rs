//! `sandbatch bench scripts`: measures the cost of running scripts that wake every virtual minute.
#![allow(clippy::disallowed_methods)] // It measures real time.

use super::out;
use base::time::{Span, Time};
use config::SiteFiles;
use engine::world::{Input, InputResult, World};
use std::collections::BTreeMap;
use std::time::Instant;

/// Scripts running at the same time.
const SCRIPTS: u32 = 10_000;
/// Virtual minutes measured.
const MINUTES: i64 = 10;

/// A script and its name in the table.
const KINDS: &[(&str, &str)] = &[
    ("bash: `while :; do sleep 60; done`", "#!/bin/bash\nwhile :; do sleep 60; done\n"),
    (
        "bash that prints: `while sleep 60; do echo $((++n)); done`",
        "#!/bin/bash\n#SBATCH -o out-%a\nwhile sleep 60; do echo $((++n)); done\n",
    ),
    (
        "a model that prints each minute",
        "#!/bin/bash\n#SIM time=forever memory=5M print@every1m=step $n\nexec python x.py\n",
    ),
];

/// Prints a row for each kind of script.
///
/// # Errors
/// Standard output cannot be written.
pub fn run(start: Time) -> Result<u8, String> {
    out::print(&format!("| {SCRIPTS} running scripts | a virtual minute |\n| --- | ---: |\n"))?;
    for (name, script) in KINDS {
        let took = measure(script, start).map_or("they did not start".to_owned(), |ms| format!("{ms:.1} ms"));
        out::print(&format!("| {name} | {took} |\n"))?;
    }
    Ok(0)
}

/// Milliseconds of real time per virtual minute while all scripts run.
fn measure(script: &str, start: Time) -> Option<f64> {
    let conf = format!(
        "ClusterName=bench\nSchedulerParameters=default_queue_depth={SCRIPTS},sched_interval=1\nMaxArraySize={}\n\
         MaxJobCount=20000\nSelectType=select/cons_tres\nNodeName=cn[001-100] CPUs=128 RealMemory=1000000\n\
         PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP\n",
        SCRIPTS + 1
    );
    let files = SiteFiles(BTreeMap::from([
        ("slurm.conf".to_owned(), conf),
        ("site.toml".to_owned(), "[[users]]\nname = \"alice\"\n".to_owned()),
    ]));
    let (mut world, _) = World::new("bench", &files, 1, start);
    let user = "alice".to_owned();
    for (path, data) in [("/home/alice/s.sh", script), ("/home/alice/x.py", "")] {
        let (user, path, data) = (user.clone(), path.to_owned(), data.as_bytes().to_vec());
        world.apply(&Input::Save { user, path, data });
    }
    let command = format!("sbatch --mem=10 -a 1-{SCRIPTS} s.sh");
    let InputResult::Run(_) = world.apply(&Input::Run { user, command }) else { return None };
    let settled = start + Span::from_secs(600);
    while world.step(settled) {}
    let running = world.ctld.jobs.values().filter(|j| j.batch_host.is_some() && j.end.is_some()).count();
    if running < SCRIPTS as usize {
        return None;
    }
    let began = Instant::now();
    while world.step(settled + Span::from_secs(60 * MINUTES)) {}
    #[allow(clippy::cast_precision_loss, reason = "a small constant")]
    Some(began.elapsed().as_secs_f64() * 1e3 / MINUTES as f64)
}
