//! scontrol's less common commands: completing, error texts, processes of a node, log levels, switches.

use crate::Cx;
use crate::slurm::jobtext::{self, JobView, time_or};
use base::bitset::BitSet;
use base::hostlist;
use base::ids::{JobId, NodeId};
use config::{Block, Topology};
use slurmctld::error::SlurmError;
use slurmctld::job::Job;
use slurmctld::request::Request;

/// `token [lifespan=N] [username=NAME]`: `auth/jwt` is not configured. The server of `sandbatch cluster` answers itself.
pub fn token(args: &[&str]) -> Result<(), String> {
    let known = |word: &&&str| {
        let key = word.split('=').next().unwrap_or_default().to_ascii_lowercase();
        word.contains('=') && ["lifespan", "username"].contains(&key.as_str())
    };
    if let Some(bad) = args.iter().find(|word| !known(word)) {
        return Err(format!("Invalid option: `{bad}`"));
    }
    Err("scontrol: error: slurm_fetch_token: error with request: Required plugin type not loaded or initialized".to_owned())
}

/// `getaddrs NODES`: the addresses of the nodes that exist.
pub fn addresses(cx: &mut Cx, args: &[&str]) -> Result<(), String> {
    let Some(list) = args.first() else { return Err("too few arguments for keyword:getaddrs".to_owned()) };
    let names = hostlist::expand(list).unwrap_or_default();
    let state = cx.cluster.state();
    let node = |name: &String| state.node_by_name(name).map(|id| &state.node(id).conf);
    let lines: String = names
        .iter()
        .filter_map(node)
        .map(|conf| format!("{}: {ADDRESS}:{}\n", conf.name, conf.port))
        .collect();
    cx.print(&lines);
    Ok(())
}

/// The address of all hosts.
const ADDRESS: &str = "10.0.1.1";

/// `completing`: completing jobs, with the nodes that still run their processes.
pub fn completing(cx: &mut Cx) {
    let view = JobView::of(cx);
    let jobs = view.state.active_jobs().filter(|j| j.flags.completing);
    let line = |j: &Job| {
        let took = j.end.map_or(0, |end| view.now.secs() - end.secs()).max(0);
        format!(
            "JobId={} EndTime={} CompletingTime={} Nodes(COMPLETING)={}\n",
            j.id,
            time_or(j.end, "Unknown"),
            base::time::hms(took),
            view.nodelist(j)
        )
    };
    let text: String = jobs.map(line).collect();
    cx.print(&text);
}

/// `errnumstr 2017`.
pub fn error_text(cx: &mut Cx, args: &[&str]) -> Result<(), String> {
    let Some(word) = args.first() else {
        return Err("one arguments required for keyword:errnumstr".to_owned());
    };
    let number: u32 =
        word.parse().map_err(|_| "numeric arguments required for keyword:errnumstr".to_owned())?;
    let text = SlurmError::ALL.iter().find(|e| e.number() == number).map(ToString::to_string);
    cx.line(&text.unwrap_or_else(|| format!("Unknown error {number}")));
    Ok(())
}

/// `listpids`: asks the slurmd of this host. A login node has none.
pub fn processes(cx: &mut Cx, args: &[&str]) -> Result<(), String> {
    let host = cx.host().to_string();
    let state = cx.cluster.state();
    let node = state.node_by_name(&host);
    let wanted = args.first().copied().unwrap_or("");
    let (job, step) = wanted.split_once('.').unwrap_or((wanted, ""));
    let mut out = "PID      JOBID    STEPID   LOCALID GLOBALID\n".to_owned();
    let mut found = false;
    for j in state.active_jobs().filter(|j| job.is_empty() || j.id.to_string() == job) {
        for s in j.steps.values().filter(|s| s.end.is_none()) {
            let here = node.is_some_and(|n| s.nodes.iter().any(|(at, _)| *at == n));
            if here && (step.is_empty() || s.num.to_string() == step) {
                found = true;
                out += &format!(
                    "{:<8} {:<8} {:<8} {:<7} {}\n",
                    "-",
                    j.id.to_string(),
                    s.num.to_string(),
                    "-",
                    "-"
                );
            }
        }
    }
    if found {
        cx.print(&out);
        return Ok(());
    }
    if node.is_none() {
        cx.complain(&format!(
            "scontrol: error: Domain socket directory /var/spool/slurmd/{host}: No such file or directory"
        ));
    }
    if job.is_empty() {
        return Err("No job steps exist on this node.".to_owned());
    }
    Err(format!("JobId={job} does not exist on node (null)."))
}

/// `listjobs` and `liststeps`: of one node, by default this one.
pub fn on_node(cx: &mut Cx, keyword: &str, args: &[&str]) -> Result<(), String> {
    let host = args.first().map_or_else(|| cx.host().to_string(), |a| (*a).to_owned());
    let state = cx.cluster.state();
    let Some(node) = state.node_by_name(&host) else {
        return Err(format!(
            "scontrol: error: Domain socket directory /var/spool/slurmd/{host}: No such file or directory\nNo slurmstepd's found on this node"
        ));
    };
    let steps = keyword == "liststeps";
    let mut out = if steps { "JOBID    STEPID\n".to_owned() } else { "JOBID\n".to_owned() };
    let mut found = false;
    for j in state.active_jobs() {
        let here = j.steps.values().filter(|s| s.end.is_none() && s.nodes.iter().any(|(at, _)| *at == node));
        let nums: Vec<String> = here.map(|s| s.num.to_string()).collect();
        found |= !nums.is_empty();
        if steps {
            nums.iter().for_each(|n| out += &format!("{:<8} {n}\n", j.id.to_string()));
        } else if !nums.is_empty() {
            out += &format!("{}\n", j.id);
        }
    }
    if !found {
        return Err("No slurmstepd's found on this node".to_owned());
    }
    cx.print(&out);
    Ok(())
}

/// `notify JOB MESSAGE`: a line in a batch job's error output.
pub fn notify(cx: &mut Cx, args: &[&str]) -> Result<(), String> {
    let [word, message @ ..] = args else { return Err("too few arguments for keyword:notify".to_owned()) };
    if message.is_empty() {
        return Err("too few arguments for keyword:notify".to_owned());
    }
    let failed = |error: SlurmError| format!("job notify failure: {error}");
    let spec = jobtext::parse_job(word).ok_or_else(|| failed(SlurmError::InvalidJobId))?;
    let request = Request::Notify { job: JobId(spec.job), message: message.join(" ") };
    cx.cluster.request(cx.uid(), request).done().map_err(|(error, _)| failed(error))
}

/// `getent [NODE]`: users and groups in the view of a node's steps. Only root sees other users' steps.
pub fn people(cx: &mut Cx, args: &[&str]) -> Result<(), String> {
    let host = args.first().map_or_else(|| cx.host().to_string(), |a| (*a).to_owned());
    let view = JobView::of(cx);
    let Some(node) = view.state.node_by_name(&host) else {
        return Err("scontrol: error: stepd_available: Couldn't find nodename\nNo steps found on this node"
            .to_owned());
    };
    let mut out = String::new();
    let jobs = view.state.active_jobs().filter(|j| view.asker.0 == 0 || j.uid() == view.asker);
    for job in jobs {
        let Some(user) = view.users.by_uid(job.uid()) else { continue };
        let here =
            job.steps.values().filter(|s| s.end.is_none() && s.nodes.iter().any(|(at, _)| *at == node));
        for step in here {
            let (name, uid) = (&user.name, user.uid);
            out += &format!(
                "JobId={}.{}:\nUser:\n{name}:x:{uid}:{uid}:{}:{}:/bin/bash\nGroups:\n{name}:x:{uid}:{name}\n\n",
                job.id, step.num, user.gecos, user.home
            );
        }
    }
    cx.print(&out);
    Ok(())
}

/// `pidinfo PID`: the simulated scontrol cannot map a process to its job.
pub fn job_of_process(args: &[&str]) -> Result<(), String> {
    match args {
        [] => Err("missing argument for keyword:pidinfo".to_owned()),
        [_, ..] => Err("Failed to locate job for requested pid".to_owned()),
    }
}

/// `fsdampeningfactor FACTOR`.
pub fn dampening(cx: &mut Cx, args: &[&str]) -> Result<(), String> {
    let Some(word) = args.first() else {
        return Err("too few arguments for keyword:fsdampeningfactor".to_owned());
    };
    let factor: u32 = match word.parse() {
        Ok(factor) if (1..=u32::from(u16::MAX)).contains(&factor) => factor,
        Ok(_) | Err(_) => return Err(format!("invalid damping factor: {word}")),
    };
    let asked = cx.cluster.request(cx.uid(), Request::SetDampening(factor));
    asked.done().map_err(|_| "slurm_set_fs_dampeningfactor error:Permission denied".to_owned())
}

/// `DebugFlags` of slurm.conf(5).
#[rustfmt::skip]
const DEBUG_FLAGS: &[&str] = &[
    "Accrue", "Agent", "AuditRPCs", "AuditTLS", "Backfill", "BackfillMap", "BurstBuffer", "Cgroup", "ConMgr", "CPU_Bind",
    "CpuFrequency", "Data", "DBD_Agent", "Dependency", "Elasticsearch", "Energy", "Federation", "Gang", "GLOB_SILENCE", "Gres",
    "Hetjob", "JobAccountGather", "JobComp", "JobContainer", "License", "Metrics", "Namespace", "Network", "NetworkRaw",
    "NodeFeatures", "NO_CONF_HASH", "Power", "Priority", "Profile", "Protocol", "Reservation", "Route", "Script", "SelectType",
    "Steps", "Switch", "TLS", "TraceJobs", "Triggers",
];

const LEVELS: &[&str] =
    &["quiet", "fatal", "error", "info", "verbose", "debug", "debug2", "debug3", "debug4", "debug5"];

/// `setdebug` and similar commands: checked, but without effect, since the controller writes no log.
pub fn log_level(cx: &mut Cx, keyword: &str, args: &[&str]) -> Result<(), String> {
    let Some(word) = args.first() else { return Err(format!("too few arguments for keyword:{keyword}")) };
    let lower = word.to_ascii_lowercase();
    let (valid, call) = match keyword {
        "setdebug" => (
            LEVELS.contains(&lower.as_str()) || lower.parse::<u8>().is_ok_and(|n| n < 10),
            "slurm_set_debug_level",
        ),
        "setdebugflags" => (lower.starts_with(['+', '-']) && lower.len() > 1, "slurm_set_debug_flags"),
        _ => (matches!(lower.as_str(), "0" | "1" | "disable" | "enable"), "slurm_set_schedlog_level"),
    };
    match (keyword, valid) {
        ("setdebugflags", true) => {
            let known = |name: &&str| DEBUG_FLAGS.iter().any(|flag| flag.eq_ignore_ascii_case(name));
            let names = word.trim_start_matches(['+', '-']).split(',').filter(|name| !name.is_empty());
            if let Some(bad) = names.clone().find(|name| !known(name)) {
                return Err(format!("scontrol: error: Invalid DebugFlag: {bad}\ninvalid debug flag: {word}"));
            }
        }
        ("setdebugflags", false) => {
            return Err(format!(
                "invalid debug flag: {word}\nUsage: setdebugflags {{+|-}}NAME [{{+|-}}NAME] [nodes=<NODES>]"
            ));
        }
        ("schedloglevel", false) => return Err(format!("invalid schedlog level: {word}")),
        // The scheduler's log has no file.
        ("schedloglevel", true) if cx.cluster.state().is_administrator(cx.uid()) => {
            return Err(format!("{call} error:{}", SlurmError::Disabled));
        }
        (_, false) => return Err(format!("invalid debug level: {word}")),
        (_, true) => {}
    }
    if cx.cluster.state().is_administrator(cx.uid()) {
        Ok(())
    } else {
        Err(format!("{call} error:Permission denied"))
    }
}

/// `shutdown`, `takeover`. There is no backup controller to take over.
pub fn daemons(cx: &mut Cx, keyword: &str, args: &[&str]) -> Result<(), String> {
    let word = args.first();
    match (keyword, word) {
        ("shutdown", Some(word)) if *word != "slurmctld" && *word != "controller" => {
            return Err(format!("invalid shutdown argument:{word}"));
        }
        ("takeover", Some(word)) => {
            return Err(format!("takeover: invalid backup controller index ({word})"));
        }
        ("takeover", None) => {
            let error = SlurmError::CtldCommunicationsConnectionError;
            return Err(format!(
                "scontrol: error: slurm_get_port: Address family '0' not supported\nscontrol: error: Error connecting, bad data: \
                 family = 0, port = 0\nslurm_takeover error: {error}"
            ));
        }
        _ => {}
    }
    if !cx.cluster.state().is_administrator(cx.uid()) {
        return Err(format!("slurm_{keyword} error:{}", SlurmError::UserIdMissing));
    }
    Err(format!("scontrol: error: {keyword} is not simulated: the controller goes on"))
}

/// `show daemons`: the daemons of this host.
pub fn daemons_here(cx: &mut Cx) {
    let host = cx.host().to_string();
    let here = cx.cluster.state().node_by_name(&host).is_some();
    cx.line(if here { "slurmd" } else { "(null)" });
}

/// `show aliases NODE`: a node's host name is its name.
pub fn alias(cx: &mut Cx, id: Option<&str>) -> Result<(), String> {
    let Some(name) = id else { return Ok(()) };
    if cx.cluster.state().node_by_name(name).is_none() {
        return Err(format!("Node {name} not found"));
    }
    cx.line(name);
    Ok(())
}

/// `show slurmd`: this host's daemon.
pub fn slurmd(cx: &mut Cx, id: Option<&str>) -> Result<(), String> {
    let host = id.map_or_else(|| cx.host().to_string(), str::to_owned);
    let view = JobView::of(cx);
    let Some(node) = view.state.nodes.iter().find(|n| n.conf.name == host) else {
        return Err(
            "scontrol: error: slurm_slurmd_info: Connection refused\nslurm_load_slurmd_status:Connection refused".to_owned()
        );
    };
    let steps: Vec<String> = view
        .state
        .active_jobs()
        .flat_map(|j| {
            j.steps
                .values()
                .filter(|s| s.nodes.iter().any(|(at, _)| *at == node.id))
                .map(|s| format!("{}.{}", j.id, s.num))
        })
        .collect();
    let text = format!(
        "Active Steps             = {}\nActual CPUs              = {}\nActual Boards            = 1\nActual sockets           = {}\n\
         Actual cores             = {}\nActual threads per core  = {}\nActual real memory       = {} MB\n\
         Actual temp disk space   = {} MB\nBoot time                = {}\nHostname                 = {host}\n\
         Last slurmctld msg time  = {}\nSlurmd PID               = 1\nSlurmd Debug             = 3\n\
         Slurmd Logfile           = /var/log/slurmd.log\nVersion                  = 26.05.3\n\n",
        if steps.is_empty() { "NONE".to_owned() } else { steps.join(",") },
        node.conf.cpus,
        node.conf.sockets,
        node.conf.cores_per_socket,
        node.conf.threads_per_core,
        node.conf.real_memory,
        node.conf.tmp_disk,
        node.boot.iso(),
        node.last_response.iso(),
    );
    cx.print(&text);
    Ok(())
}

/// Lists the blocks, then the aggregated blocks of `BlockSizes`.
fn units(view: &JobView, sizes: &[u32], blocks: &[Block], id: Option<&str>, node: Option<NodeId>) -> String {
    let base = sizes.first().copied().unwrap_or(1).max(1);
    let mut out = String::new();
    let mut index = 0;
    for size in sizes {
        for run in blocks.chunks((size / base).max(1) as usize) {
            let names: Vec<&str> = run.iter().map(|block| block.name.as_str()).collect();
            let mut nodes = BitSet::new();
            run.iter().for_each(|block| nodes.union_with(&block.nodes));
            let name = hostlist::compress(&names);
            let kind = if *size == base { "BlockName" } else { "AggregatedBlock" };
            let wanted = |id: &str| {
                name == id.trim_start_matches("block=") || node.is_some_and(|n| nodes.contains(n.0))
            };
            if id.is_none_or(wanted) {
                out += &format!(
                    "{kind}={name} BlockIndex={index} Nodes={} BlockSize={size}\n",
                    view.hosts(&nodes)
                );
            }
            index += 1;
        }
    }
    out
}

/// `show topoconf`: the topology as topology.yaml describes it.
pub fn topology_file(cx: &mut Cx) {
    let view = JobView::of(cx);
    let mut parts = vec![("block", String::new()), ("flat", String::new()), ("ring", String::new())];
    parts.extend([("torus3d", String::new()), ("tree", String::new())]);
    let mut set = |name: &str, text: String| {
        if let Some(part) = parts.iter_mut().find(|part| part.0 == name) {
            part.1 = text;
        }
    };
    match &view.state.cluster.topology {
        Topology::Flat => {}
        Topology::Tree(switches) => {
            let mut text = "\n    switches:\n".to_owned();
            for switch in switches {
                text += &format!("    - switch: {}\n", switch.name);
                text += &if switch.switches.is_empty() {
                    format!("      nodes: {}\n", view.hosts(&switch.nodes))
                } else {
                    format!("      children: {}\n", hostlist::compress(&switch.switches))
                };
            }
            set("tree", text);
        }
        Topology::Block { sizes, blocks } => {
            let mut text = "\n    block_sizes:\n".to_owned();
            sizes.iter().for_each(|size| text += &format!("    - {size}\n"));
            text += "    blocks:\n";
            for block in blocks {
                text += &format!("    - block: {}\n      nodes: {}\n", block.name, view.hosts(&block.nodes));
            }
            set("block", text);
        }
    }
    let mut out = "%YAML 1.1\n---\n- topology: default\n  cluster_default: false\n".to_owned();
    for (name, text) in parts {
        out += &if text.is_empty() { format!("  {name}: {{}}\n") } else { format!("  {name}:{text}") };
    }
    cx.print(&(out + "...\n"));
}

/// `show topology [NAME]`: all switches or blocks, or those above a node.
pub fn topology(cx: &mut Cx, id: Option<&str>) -> Result<(), String> {
    if id.is_some() && matches!(cx.cluster.state().cluster.topology, Topology::Flat) {
        cx.complain("slurm_load_topo error: Requested topology configuration is not available");
        return Ok(());
    }
    let view = JobView::of(cx);
    let node = id.and_then(|name| view.state.node_by_name(name.trim_start_matches("node=")));
    let mut out = String::new();
    for switch in view.state.cluster.topology.switches() {
        let fits = id.is_none_or(|name| {
            switch.name == name.trim_start_matches("switch=")
                || node.is_some_and(|n| switch.nodes.contains(n.0))
        });
        if fits {
            let below = if switch.switches.is_empty() {
                String::new()
            } else {
                format!(" Switches={}", base::hostlist::compress(&switch.switches))
            };
            out += &format!(
                "SwitchName={} Level={} LinkSpeed=1 Nodes={}{below}\n",
                switch.name,
                switch.level,
                view.hosts(&switch.nodes)
            );
        }
    }
    if let Topology::Block { sizes, blocks } = &view.state.cluster.topology {
        out += &units(&view, sizes, blocks, id, node);
    }
    if let Some(name) = id.filter(|_| out.is_empty()) {
        cx.complain(&format!(
            "scontrol: error: Topology information contains no switch or node named {name}"
        ));
    }
    cx.print(&out);
    Ok(())
}
