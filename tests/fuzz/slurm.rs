//! Random and mistyped lines in a shell on a whole cluster: the cluster keeps running and every line ends
//! normally. `commands::slurm::tests` does the same with single commands.

use super::{START, path};
use base::time::Span;
use commands::slurm::opt::{SubmitCommand, table};
use commands::slurm::tool;
use config::SiteFiles;
use engine::session::{Session, Setup};
use engine::world::{Input, InputResult};
use testing::{Random, fuzz};

/// Commands without an option table, or from outside Slurm.
const OTHERS: &[&str] =
    &["sbatch", "srun", "salloc", "nvidia-smi", "partition-stats", "mail", "seff", "why", "man"];

/// Maximum number of events per line.
const MOST_STEPS: u32 = 300_000;

const WORDS: &[&str] = &[
    "'",
    "\"",
    "\\",
    "`",
    "$(",
    "${",
    "<<",
    ">",
    "|",
    "&",
    ";",
    "(",
    ")",
    "{",
    "}",
    "!",
    "#",
    "~",
    "*",
    "[",
    "]",
    "%",
    "%%",
    "=",
    "-",
    "--",
    ",",
    ":",
    "''",
    "\u{1}",
    "\u{7f}",
    "\u{1b}[2J",
    "\u{fc}\u{1f600}",
    "$'\\0'",
    "99999999999999999999",
    "-1",
    "0",
    "1_[1-9999999]",
    "cn[01-",
    "cn[1-999999999]",
    "now+1",
    "1:1:1:1:1",
    "1e9",
    "0x1f",
    "%999999s",
    "--format=%",
    "-o %.9999999i",
    "-N 1-",
    "-n 999999999",
    "-t -1",
    "--mem=1Q",
    "--array=0-99999999",
    "--array=1-2%0",
    "--dependency=afterok:1:1:",
    "--wrap=",
    "--export=A=",
    "--gres=gpu:x:y:z",
    "-w cn[01-99999]",
    "--query-gpu=bogus --format=csv",
    "-q",
    "-L",
    "-i 0",
    "-l 1",
    "--test-only",
    "job",
    "show",
    "set",
    "where",
];

fn session() -> Session {
    let read = |file: &str| std::fs::read_to_string(path("tests/commands/clusters/options").join(file)).ok();
    let files = ["slurm.conf", "gres.conf", "accounts.sh", "users"];
    let files = files.iter().filter_map(|f| Some(((*f).to_owned(), read(f)?))).collect();
    Session::new(Setup { site: "options".to_owned(), files: SiteFiles(files), seed: 1, start: START })
}

/// Types a line. A line that has not ended after two virtual minutes keeps running.
fn types(session: &mut Session, user: &str, line: &str) -> Option<u8> {
    let applied = session.apply(Input::Run { user: user.to_owned(), command: line.to_owned() });
    let InputResult::Run(run) = applied else { return None };
    let until = session.world().now + Span::from_secs(120);
    let mut steps = 0;
    while session.world().run_result(run).exit.is_none() && session.step(until) {
        steps += 1;
        assert!(steps < MOST_STEPS, "{}", line.chars().take(200).collect::<String>());
    }
    session.world().run_result(run).exit.map(|_| 0)
}

/// A command with some of its own options and random words.
fn line(random: &mut Random) -> String {
    let tools: Vec<&str> = tool::TABLE.iter().map(|t| t.name).chain(OTHERS.iter().copied()).collect();
    let name = random.of(&tools);
    let submits = [SubmitCommand::Sbatch, SubmitCommand::Srun, SubmitCommand::Salloc]
        .into_iter()
        .find(|t| t.name() == name);
    let options: Vec<&str> = match (tool::find(name), submits) {
        (Some(tool), _) => tool.options.iter().map(|o| o.name).collect(),
        (None, Some(submit)) => {
            table::TABLE.iter().filter(|o| o.tools & submit.bit() != 0).map(|o| o.name).collect()
        }
        (None, None) => vec!["help", "version"],
    };
    let mut line = name.to_owned();
    for _ in 0..random.below(5) {
        line.push(' ');
        match random.below(3) {
            0 => line += &format!("--{}={}", random.of(&options), random.of(WORDS)),
            1 => line += &format!("--{}", random.of(&options)),
            _ => line += random.of(WORDS),
        }
    }
    line
}

/// Lines of Slurm's commands with random options, as several users.
#[test]
fn slurm() {
    fuzz("slurm", 4, |random| {
        let mut session = session();
        for round in 0..175 {
            if random.is_used_up() {
                break;
            }
            let line = line(random);
            types(&mut session, ["alice", "bob", "root"][round % 3], &line);
            if round % 25 == 24 {
                types(&mut session, "root", "scancel -u alice; scancel -u bob; scancel -u root");
            }
        }
        session.run_until(session.world().now + Span::from_secs(600), u64::from(MOST_STEPS));
        let well = "squeue -h -t all | wc -l; sinfo -h -o %P; sacctmgr -n show user alice format=user";
        assert_eq!(types(&mut session, "alice", well), Some(0), "the cluster answers");
        assert!(session.world().check().is_ok(), "{:?}", session.world().check());
    });
}

#[test]
fn huge_arguments_are_harmless() {
    let mut session = session();
    let names = tool::TABLE.iter().map(|t| t.name).chain(OTHERS.iter().copied());
    for name in names {
        for make in [
            "$(head -c 1000000 /dev/zero | tr '\\0' 9)",
            "--format=$(head -c 1000000 /dev/zero | tr '\\0' %)",
            "--jobs=$(head -c 1000000 /dev/zero | tr '\\0' ,)",
            "-$(head -c 1000000 /dev/zero | tr '\\0' x)",
        ] {
            types(&mut session, "alice", &format!("{name} {make} </dev/null >/dev/null 2>&1"));
        }
    }
    types(&mut session, "alice", "scancel -u alice");
}
