//! Functions of C's library about the process and its host, and methods of C++'s texts.

use super::random::{GlibcRandom, rand_r};
use super::run::{CodeValue, Machine};
use super::tree::CodeExpr;
use super::value::joined;
use super::world::{RunHalt, RunStep};
use base::time::Span;

/// The function that writes a set of CPUs as a list (`0-3`).
pub(super) const CPU_LIST: &str = "list of CPUs";

/// Variables of the environment that differ between the tasks of a step.
const OF_ONE_TASK: &[&str] = &[
    "CUDA_VISIBLE_DEVICES",
    "HOSTNAME",
    "OMPI_COMM_WORLD_LOCAL_RANK",
    "SLURMD_NODENAME",
    "SLURM_GTIDS",
    "SLURM_LOCALID",
    "SLURM_NODEID",
    "SLURM_STEP_GPUS",
    "SLURM_TASK_PID",
];

impl Machine<'_> {
    /// The host of this rank.
    pub fn host(&self) -> RunStep<String> {
        if self.rank == self.context.rank {
            return Ok(self.context.variable("host"));
        }
        let at = usize::try_from(self.rank).map_err(|_| RunHalt::Unknown)?;
        self.facts.hosts.get(at).cloned().ok_or(RunHalt::Unknown)
    }

    /// This rank's number among those of its host, and how many they are.
    pub fn among_host(&self) -> RunStep<(i64, i64)> {
        let at = usize::try_from(self.rank).map_err(|_| RunHalt::Unknown)?;
        let hosts = &self.facts.hosts;
        let own = hosts.get(at).ok_or(RunHalt::Unknown)?;
        let before = hosts.iter().take(at).filter(|host| *host == own).count();
        let all = hosts.iter().filter(|host| *host == own).count();
        Ok((i64::try_from(before).unwrap_or(0), i64::try_from(all).unwrap_or(1)))
    }

    /// The CPUs on which this thread may run: those of its task, or one of them where OpenMP binds it.
    fn affinity(&self) -> RunStep<String> {
        let cores = i64::from(self.context.cpus.max(1));
        let (local, _) = self.among_host()?;
        let first = local * cores;
        let env = |name: &str| self.context.env.get(name).map_or("", String::as_str).to_ascii_lowercase();
        let places = matches!(env("OMP_PLACES").as_str(), "cores" | "threads");
        let is_bound = match env("OMP_PROC_BIND").as_str() {
            "" => places,
            "false" => false,
            _ => true,
        };
        Ok(match self.team.filter(|_| is_bound) {
            Some((thread, _)) => (first + i64::from(thread) % cores).to_string(),
            None if cores == 1 => first.to_string(),
            None if cores == 2 => format!("{first},{}", first + 1),
            None => format!("{first}-{}", first + cores - 1),
        })
    }

    fn environment(&self, name: &str) -> RunStep<CodeValue> {
        let own = self.rank == self.context.rank;
        if !own && name == "SLURM_PROCID" {
            return Ok(CodeValue::Text(self.rank.to_string()));
        }
        if !own && OF_ONE_TASK.contains(&name) {
            return Err(RunHalt::Unknown);
        }
        let found = self.context.env.get(name);
        Ok(found.map_or(CodeValue::Int(0), |value| CodeValue::Text(value.clone())))
    }

    /// Functions about the process; none if the name is another one.
    pub fn system_call(&mut self, name: &str, args: &[CodeExpr]) -> RunStep<Option<CodeValue>> {
        let name = name.strip_prefix("this_thread::").unwrap_or(name);
        Ok(Some(match name {
            "exit" | "_exit" => {
                let code = self.whole(self.arg(args, 0)?)?;
                return Err(RunHalt::Exit(u8::try_from(code & 255).unwrap_or(1)));
            }
            "sleep" | "usleep" | "sleep_for" => {
                let count = self.whole(self.arg(args, 0)?)?.clamp(0, 1 << 40);
                let span = if name == "sleep" { Span::from_secs(count.min(1 << 31)) } else { Span(count) };
                self.at = self.at + span;
                CodeValue::Int(0)
            }
            "chrono::seconds" => CodeValue::Int(self.whole(self.arg(args, 0)?)?.saturating_mul(1_000_000)),
            "chrono::milliseconds" => CodeValue::Int(self.whole(self.arg(args, 0)?)?.saturating_mul(1000)),
            "gethostname" | "hostnm" => {
                let host = self.host()?;
                self.give(args, 0, CodeValue::Text(host))?;
                CodeValue::Int(0)
            }
            "getpid" if self.rank == self.context.rank => CodeValue::Int(self.facts.pid),
            "get_command_argument" => {
                let at = self.whole(self.arg(args, 0)?)?;
                let word = match usize::try_from(at) {
                    Ok(0) => format!("./{}", self.context.name),
                    Ok(at) => self.context.words.get(at - 1).cloned().unwrap_or_default(),
                    Err(_) => String::new(),
                };
                self.give(args, 1, CodeValue::Text(word))?;
                CodeValue::Int(0)
            }
            "command_argument_count" | "iargc" => {
                CodeValue::Int(i64::try_from(self.context.words.len()).unwrap_or(0))
            }
            "get_environment_variable" | "getenv" => {
                let CodeValue::Text(variable) = self.value(self.arg(args, 0)?)? else {
                    return Err(RunHalt::Unknown);
                };
                let value = self.environment(variable.trim())?;
                if name == "getenv" {
                    return Ok(Some(value));
                }
                let value = if let CodeValue::Text(text) = value { text } else { String::new() };
                self.give(args, 1, CodeValue::Text(value))?;
                CodeValue::Int(0)
            }
            "time" => {
                let now = self.facts.now + self.at;
                CodeValue::Int(now.0.div_euclid(1_000_000))
            }
            "clock" => CodeValue::Int(self.at.0),
            // Each task has its cores in turn, and each thread one of them.
            "sched_getcpu" => {
                let cores = i64::from(self.context.cpus.max(1));
                let (local, _) = self.among_host()?;
                let thread = i64::from(self.team.map_or(0, |team| team.0));
                CodeValue::Int(local * cores + thread % cores)
            }
            "sched_getaffinity" => {
                let set = self.affinity()?;
                self.give(args, 2, CodeValue::Text(set))?;
                CodeValue::Int(0)
            }
            CPU_LIST => {
                let Some(CodeExpr::Unary("&", set)) = args.first() else { return Err(RunHalt::Unknown) };
                let CodeValue::Text(set) = self.value(set)? else { return Err(RunHalt::Unknown) };
                self.give(args, 1, CodeValue::Text(set.clone()))?;
                CodeValue::Text(set)
            }
            "srand" => {
                let seed = self.whole(self.arg(args, 0)?)?;
                let seed = u32::try_from(seed & 0xFFFF_FFFF).unwrap_or(1);
                self.random = Some(GlibcRandom::seeded(seed));
                CodeValue::Int(0)
            }
            "rand" | "random" => {
                let random = self.random.get_or_insert_with(|| GlibcRandom::seeded(1));
                CodeValue::Int(random.next())
            }
            "rand_r" => {
                let Some(CodeExpr::Unary("&", to)) = args.first() else { return Err(RunHalt::Unknown) };
                let seed = u32::try_from(self.whole(to)? & 0xFFFF_FFFF).unwrap_or(1);
                let (number, seed) = rand_r(seed);
                self.assign(to, CodeValue::Int(seed.into()))?;
                CodeValue::Int(number)
            }
            _ => return Ok(None),
        }))
    }

    /// Methods of texts, and MPI's old functions for C++.
    pub fn method(&mut self, owner: &str, method: &str, args: &[CodeExpr]) -> RunStep<CodeValue> {
        if owner == "MPI::COMM_WORLD" {
            return match method {
                "Get_rank" => Ok(CodeValue::Int(self.rank.into())),
                "Get_size" => Ok(CodeValue::Int(self.context.tasks.max(1).into())),
                _ => Err(RunHalt::Unknown),
            };
        }
        let Some(CodeValue::Text(text)) = self.read(owner) else { return Err(RunHalt::Unknown) };
        let length = i64::try_from(text.len()).unwrap_or(0);
        match method {
            "c_str" | "str" => Ok(CodeValue::Text(text)),
            "size" | "length" => Ok(CodeValue::Int(length)),
            "empty" => Ok(CodeValue::Int(i64::from(text.is_empty()))),
            "append" => {
                let CodeValue::Text(more) = self.value(self.arg(args, 0)?)? else {
                    return Err(RunHalt::Unknown);
                };
                let whole = joined(text, &more)?;
                self.assign(&CodeExpr::Name(owner.to_owned()), whole)?;
                Ok(CodeValue::Int(0))
            }
            "substr" => {
                let from = self.whole(self.arg(args, 0)?)?.clamp(0, length);
                let count = args.get(1).map_or(Ok(length), |count| self.whole(count))?.max(0);
                let to = from.saturating_add(count).min(length);
                let range = usize::try_from(from).unwrap_or(0)..usize::try_from(to).unwrap_or(0);
                Ok(CodeValue::Text(text.get(range).ok_or(RunHalt::Unknown)?.to_owned()))
            }
            _ => Err(RunHalt::Unknown),
        }
    }
}
