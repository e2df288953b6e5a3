//! Fixed journals on a site's files: the same hashes must come out on every machine, natively and in wasm.

use super::recorded::{Session, Setup};
use crate::base::time::{Span, Time};
use crate::config::SiteFiles;
use crate::world::{Applied, Input, World};

/// The names of all scenarios.
pub const SCENARIOS: &[&str] = &["chapter7"];

/// What is done, and how many seconds later the next thing is.
const CHAPTER_7: &[(&str, i64)] = &[
    ("sinfo", 1),
    ("sbatch mon_job.slurm", 3),
    ("squeue -u $USER; sinfo", 20),
    ("for i in 1 2 3; do sbatch --array=1-10%3 -n 2 --wrap='sleep $((SLURM_ARRAY_TASK_ID * 7))'; done", 30),
    ("a=$(sbatch --parsable -t 1 --wrap='sleep 500'); sbatch -d afternotok:$a --wrap='echo later'", 40),
    ("scancel -u $USER --state=PENDING --name=wrap; squeue", 200),
    ("sacct -X; cat *.out | sort | head -50", 5),
];

/// Runs a scenario and gives the state's hash after each of its steps. Unknown names give no hash.
#[must_use]
pub fn scenario(files: &SiteFiles, name: &str) -> Vec<u64> {
    let (script, seed): (&[(&str, i64)], u64) = match name {
        "chapter7" => (CHAPTER_7, 7),
        _ => return Vec::new(),
    };
    let start = Time::from_secs(1_795_240_458);
    let mut session = Session::new(Setup { site: "inserm".to_owned(), files: files.clone(), seed, start });
    let user = session.world().site.users.first().map_or_else(|| "root".to_owned(), |u| u.name.clone());
    let login = session.apply(Input::Login { user: user.clone(), columns: 80, rows: 24 });
    let mut hashes = vec![session.world().hash()];
    for (command, seconds) in script {
        session.apply(match &login {
            Applied::Terminal(tty) => Input::Type(*tty, format!("{command}\n").into_bytes()),
            Applied::Done | Applied::Run(_) | Applied::Refused(_) => {
                Input::Run { user: user.clone(), command: (*command).to_owned() }
            }
        });
        let until = session.world().now + Span::from_secs(*seconds);
        session.run_until(until, 1_000_000);
        hashes.push(session.world().hash());
    }
    hashes
}

/// A busy cluster, for measuring: 2700 jobs on the site `inserm`, run for so many hours. Gives the number of events.
#[must_use]
pub fn busy(files: &SiteFiles, hours: i64) -> (World, u64) {
    let start = Time::from_secs(1_795_240_458);
    let (mut world, _) = World::new("inserm", files, 1, start);
    for partition in ["CPU-4", "CPU-16", "A100-10"] {
        let command =
            format!("sbatch -p {partition} --array=1-900 -t 20 --wrap 'sleep $((RANDOM % 900 + 30))'");
        world.apply(&Input::Run { user: "alice".to_owned(), command });
    }
    let until = start + Span::from_secs(hours * 3600);
    let mut events = 0_u64;
    while world.now < until && world.step(until) {
        events += 1;
    }
    (world, events)
}
