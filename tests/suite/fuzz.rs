//! Lines that nobody would type, or that somebody mistyped, at a shell on a whole cluster: whatever it is, the cluster goes on and the
//! line ends as others do. `commands::slurm::tests` does the same to the commands one by one.

use super::site::{inserm, path};
use sandbatch::base::time::Span;
use sandbatch::commands::slurm::opt::{Tool, table};
use sandbatch::commands::slurm::tool;
use sandbatch::config::SiteFiles;
use sandbatch::session::{Session, Setup};
use sandbatch::world::{Applied, Input};

/// Commands that have no table of their own, or are no Slurm's.
const OTHERS: &[&str] =
    &["sbatch", "srun", "salloc", "nvidia-smi", "partition-stats", "mail", "seff", "why", "man"];

/// Most steps of the cluster that a line may take.
const MOST_STEPS: u32 = 300_000;

/// Numbers by chance, the same in every run (xorshift).
struct Chance(u64);

impl Chance {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 33) as usize % n.max(1)
    }

    fn of<'a>(&mut self, list: &[&'a str]) -> &'a str {
        list[self.below(list.len())]
    }
}

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
    Session::new(Setup { site: "options".to_owned(), files: SiteFiles(files), ..inserm(1) })
}

/// Types a line; what is not over after two minutes of the cluster's time is left running.
fn types(session: &mut Session, user: &str, line: &str) -> Option<u8> {
    let applied = session.apply(Input::Run { user: user.to_owned(), command: line.to_owned() });
    let Applied::Run(run) = applied else { return None };
    let until = session.world().now + Span::from_secs(120);
    let mut steps = 0;
    while session.world().run_result(run).exit.is_none() && session.step(until) {
        steps += 1;
        assert!(steps < MOST_STEPS, "{}", line.chars().take(200).collect::<String>());
    }
    session.world().run_result(run).exit.map(|_| 0)
}

/// A command with some of its own options and of the odd words.
fn line(random: &mut Chance) -> String {
    let tools: Vec<&str> = tool::TABLE.iter().map(|t| t.name).chain(OTHERS.iter().copied()).collect();
    let name = random.of(&tools);
    let submits = [Tool::Sbatch, Tool::Srun, Tool::Salloc].into_iter().find(|t| t.name() == name);
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

#[test]
fn lines_by_chance_are_harmless() {
    let mut random = Chance(55);
    let mut session = session();
    for round in 0..700 {
        let line = line(&mut random);
        types(&mut session, ["alice", "bob", "root"][round % 3], &line);
        if round % 25 == 24 {
            types(&mut session, "root", "scancel -u alice; scancel -u bob; scancel -u root");
        }
    }
    let well = "squeue -h -t all | wc -l; sinfo -h -o %P; sacctmgr -n show user alice format=user";
    assert_eq!(types(&mut session, "alice", well), Some(0), "the cluster answers");
    assert!(session.world().check().is_ok(), "{:?}", session.world().check());
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
