//! The texts of the snippets: our words between outputs, with the lesson's own variables.

use super::Recorder;

/// The lesson's description of the site. A trainer merges it into the lesson's `_config.yml`.
pub fn options(name: &str, cluster: &Recorder, partition: &str, node: &str) -> String {
    let (user, host) = (cluster.user(), cluster.host());
    let parent = cluster.home().rsplit_once('/').map_or("/home", |(dir, _)| dir);
    format!(
        "# The simulated site {name}, written by `sandbatch snippets`.
---

snippets: \"/snippets_library/{name}_slurm\"

local:
  prompt: \"[you@laptop:~]$\"
  bash_shebang: \"#!/usr/bin/env bash\"

remote:
  name: \"{name}\"
  login: \"{host}\"
  host: \"{host}\"
  node: \"{node}\"
  location: \"a web page\"
  homedir: \"{parent}\"
  user: \"{user}\"
  module_python3: \"python\"
  prompt: \"[{user}@{host} ~]$\"
  bash_shebang: \"#!/bin/bash\"

sched:
  name: \"Slurm\"
  submit:
    name: \"sbatch\"
    options: \"\"
  queue:
    debug: \"{partition}\"
    testing: \"{partition}\"
  status: \"squeue\"
  flag:
    user: \"-u {user}\"
    interactive: \"\"
    histdetail: \"-l -j\"
    name: \"-J\"
    time: \"-t\"
    queue: \"-p\"
  del: \"scancel\"
  interactive: \"srun\"
  info: \"sinfo\"
  comment: \"#SBATCH\"
  hist: \"sacct -u {user}\"
  hist_filter: \"\"
"
    )
}

/// A block of commands.
pub fn command(lines: &str) -> String {
    let lines: String = lines.lines().map(|line| format!("{{{{ site.remote.prompt }}}} {line}\n")).collect();
    format!("```\n{lines}```\n{{: .language-bash}}\n")
}

/// A challenge: a heading and a quoted text.
pub fn quoted(title: &str, text: &str) -> String {
    let lines: String = text
        .lines()
        .map(|line| if line.is_empty() { ">\n".to_owned() } else { format!("> {line}\n") })
        .collect();
    format!("> ## {title}\n>\n{lines}{{: .challenge}}\n")
}

/// A batch script of the episode on parallel jobs.
pub fn job(name: &str, tasks: u32, line: &str) -> String {
    format!(
        "```
{{{{ site.remote.bash_shebang }}}}
{{{{ site.sched.comment }}}} {{{{ site.sched.flag.name }}}} {name}
{{{{ site.sched.comment }}}} {{{{ site.sched.flag.queue }}}} {{{{ site.sched.queue.testing }}}}
{{{{ site.sched.comment }}}} -N 1
{{{{ site.sched.comment }}}} -n {tasks}

# Load the software
module load {{{{ site.remote.module_python3 }}}}

# Run the program
{line}
```
{{: .language-bash}}
"
    )
}

pub const NODES: &str = "This command lists the nodes with their CPUs and memory in MB:

```
{{ site.remote.prompt }} sinfo -o \"%n %c %m\" | column -t
```
{: .language-bash}

OUTPUT";

pub const STATES: &str = "The column `ST` has the job's state: `R` means running, `PD` pending. A job in state `PD` waits in the queue, and the last
column says why.
";

pub const FLAGS: &str = "* `--ntasks=<ntasks>` or `-n <ntasks>`: the number of tasks, by default with one CPU each

* `--time <days-hours:minutes:seconds>` or `-t <time>`: the time limit; the job is cancelled when it is reached

* `--mem=<size>`: the memory on each node, in MB or with a unit such as `5G`

* `--nodes=<nodes>` or `-N <nodes>`: the number of nodes; Slurm adds nodes if the tasks do not fit otherwise
";

pub const VARIABLES: &str = "{{ site.sched.name }} sets variables in the environment of each job. `SLURM_SUBMIT_DIR` is the directory from which it was
submitted. Let your job print it.

```
{{ site.remote.bash_shebang }}
{{ site.sched.comment }} {{ site.sched.flag.time }} 00:01:00

echo $SLURM_SUBMIT_DIR
```
{: .language-bash}

OUTPUT";

pub const SEVERAL: &str = "The option `-u` cancels all jobs of a user. You can only cancel your own. Submit three jobs, then cancel all of them.

```
{{ site.remote.prompt }} {{ site.sched.submit.name }} example-job.sh
{{ site.remote.prompt }} {{ site.sched.submit.name }} example-job.sh
{{ site.remote.prompt }} {{ site.sched.submit.name }} example-job.sh
{{ site.remote.prompt }} {{ site.sched.del }} {{ site.sched.flag.user }}
```
{: .language-bash}
";

pub const INTERACTIVE: &str = "`{{ site.sched.interactive }}` runs one command on a compute node, shows its output and ends. `Ctrl-C` cancels it.

```
{{ site.remote.prompt }} {{ site.sched.interactive }} hostname
```
{: .language-bash}

OUTPUT
It takes the same options as `{{ site.sched.submit.name }}`, for example `{{ site.sched.interactive }} -n 2 hostname`. With `--pty bash` it opens a
shell on the node; `exit` ends it.
";

pub const MISSING: &str = "A command that is not installed, or not on the search path, is not found:

OUTPUT";

pub const LOADED: &str = "`module list` shows the loaded modules:

```
{{ site.remote.prompt }} module list
```
{: .language-bash}

OUTPUT";

pub const GCC: &str = "Several versions of `gcc` are installed. Without a version, `module load` takes the default one, marked `(D)`:

```
{{ site.remote.prompt }} module load gcc
{{ site.remote.prompt }} module list
```
{: .language-bash}

OUTPUT";

pub const FIELDS: &str = "* **Hostname**: where the job ran
* **MaxRSS**: the most memory that it used
* **Elapsed**: how long it took
* **State**: what it does, or how it ended
* **MaxDiskRead**: the data that it read from disk
* **MaxDiskWrite**: the data that it wrote to disk
";
