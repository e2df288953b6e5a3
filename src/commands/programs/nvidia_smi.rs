//! nvidia-smi(1): the GPUs of the host, the load that models put on them, and their processes.
//!
//! Like the real program it ignores `CUDA_VISIBLE_DEVICES`. It shows all GPUs of the host, or, if a cgroup
//! constrains devices (`ConstrainDevices`), those of the step, numbered from 0.

use super::super::slurm::getopt::{self, Arg, Long, ParsedArguments};
use crate::{CommandMachine, Cx};
use base::hash::fnv1a;
use base::time::Span;
use host::{Gpu, SliceEnd, Status, Wait};
use serde::{Deserialize, Serialize};

/// A driver and the CUDA version that it brings.
#[derive(Clone, Copy)]
struct GpuDriver {
    version: &'static str,
    cuda: &'static str,
}

/// The driver of most GPUs, and the first branch that knows GPUs of the generations Ada and Hopper.
const USUAL: GpuDriver = GpuDriver { version: "515.65.01", cuda: "11.7" };
const NEWER: GpuDriver = GpuDriver { version: "525.147.05", cuda: "12.0" };
/// Words in the model names of those generations.
const NEW_GPUS: [&str; 6] = ["L4", "L40", "L40S", "H100", "H200", "GH200"];

impl GpuDriver {
    /// The driver of a host with such a GPU.
    fn of(gpu: &Gpu) -> Self {
        let new = gpu.model.split([' ', '-']).any(|word| NEW_GPUS.contains(&word));
        if new { NEWER } else { USUAL }
    }

    fn of_all(gpus: &[ShownGpu]) -> Self {
        gpus.first().map_or(USUAL, |shown| Self::of(&shown.gpu))
    }
}

/// PCI buses of the first GPUs of a host.
const BUSES: [u8; 8] = [0x03, 0x04, 0x82, 0x83, 0x84, 0x85, 0xC2, 0xC3];

const OPTIONS: &[Long] = &[
    ("list-gpus", Some('L'), Arg::No),
    ("query", Some('q'), Arg::No),
    ("display", Some('d'), Arg::Required),
    ("id", Some('i'), Arg::Required),
    ("loop", Some('l'), Arg::Optional),
    ("loop-ms", None, Arg::Required),
    ("query-gpu", None, Arg::Required),
    ("query-compute-apps", None, Arg::Required),
    ("format", None, Arg::Required),
    ("filename", Some('f'), Arg::Required),
    ("help", Some('h'), Arg::No),
    ("version", None, Arg::No),
];

/// A repeating nvidia-smi.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct NvidiaSmi {
    every: Option<Span>,
}

/// A GPU as displayed.
struct ShownGpu {
    /// Its number on the host, and the displayed number.
    real: u32,
    index: usize,
    gpu: Gpu,
    load: u32,
    used: u64,
    host: String,
}

/// A process on a GPU.
struct App {
    index: usize,
    uuid: String,
    pid: u32,
    name: String,
    memory: u64,
}

/// Starts it.
pub fn start(cx: &mut Cx) -> CommandMachine {
    let argv: Vec<String> = cx.argv.iter().enumerate().map(|(i, w)| spaced_loop(cx.argv, i, w)).collect();
    let argv: Vec<String> = argv.into_iter().filter(|w| !w.is_empty()).collect();
    let parsed = match getopt::parse(OPTIONS, &argv, true) {
        Ok(parsed) => parsed,
        Err(_) => return invalid(cx, &argv),
    };
    if let Some(what) = parsed.rest.first() {
        if matches!(what.as_str(), "topo" | "pmon" | "dmon" | "mig" | "nvlink") {
            cx.complain(&format!("nvidia-smi {what}: not simulated in sandbatch"));
            return CommandMachine::End(127);
        }
        return invalid(cx, &argv);
    }
    if parsed.has("help") {
        let host = cx.host().to_string();
        let version = GpuDriver::of_all(&gpus(cx, &host)).version;
        cx.line(&format!(
            "NVIDIA System Management Interface -- v{version}\n\nnvidia-smi [OPTION1 [ARG1]] [OPTION2 [ARG2]] ..."
        ));
        return CommandMachine::End(0);
    }
    let seconds = parsed.has("loop").then(|| parsed.value("loop").and_then(|v| v.parse().ok()).unwrap_or(5));
    let millis = parsed.value("loop-ms").and_then(|v| v.parse::<i64>().ok());
    let every =
        seconds.map(Span::from_secs).or(millis.map(Span::from_millis)).map(|s| Span(s.0.max(1_000_000)));
    match show(cx, &parsed) {
        0 if every.is_some() => CommandMachine::NvidiaSmi(NvidiaSmi { every }),
        code => CommandMachine::End(code),
    }
}

/// `-l 5` is `-l5`: the number may follow as a word of its own.
fn spaced_loop(argv: &[String], i: usize, word: &str) -> String {
    let number =
        |i: usize| argv.get(i).is_some_and(|w| !w.is_empty() && w.bytes().all(|b| b.is_ascii_digit()));
    let is_loop = |w: &str| w == "-l" || w == "--loop";
    if is_loop(word) && number(i + 1) {
        return format!("--loop={}", argv.get(i + 1).map_or("", String::as_str));
    }
    let value = i > 0 && argv.get(i - 1).is_some_and(|w| is_loop(w)) && number(i);
    if value { String::new() } else { word.to_owned() }
}

fn invalid(cx: &mut Cx, argv: &[String]) -> CommandMachine {
    let all = argv.get(1..).unwrap_or_default().join(" ");
    cx.line(&format!(
        "Invalid combination of input arguments. Please run 'nvidia-smi -h' for help.\n\n{all}"
    ));
    CommandMachine::End(1)
}

impl NvidiaSmi {
    /// Waits for the interval, then prints again.
    pub fn step(&mut self, cx: &mut Cx) -> SliceEnd {
        let Some(every) = self.every.take() else {
            // The first interval has passed: print everything again.
            return match start(cx) {
                CommandMachine::NvidiaSmi(again) => {
                    self.every = again.every;
                    self.step(cx)
                }
                _ => SliceEnd::Exit(Status::Exited(0)),
            };
        };
        SliceEnd::Wait(Wait::Until(cx.now + every))
    }
}

fn show(cx: &mut Cx, parsed: &ParsedArguments) -> u8 {
    let host = cx.host().to_string();
    if cx.kernel.hardware(&host).is_none_or(|h| h.gpus.is_empty()) {
        cx.line(
            "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver. Make sure that the latest \
             NVIDIA driver is installed and running.\n",
        );
        return 9;
    }
    let mut gpus = gpus(cx, &host);
    if let Some(wanted) = parsed.value("id") {
        let wanted: Vec<&str> = wanted.split(',').collect();
        gpus.retain(|g| wanted.iter().any(|w| *w == g.index.to_string() || *w == uuid(g)));
    }
    if gpus.is_empty() {
        cx.line("No devices were found");
        return 6;
    }
    if parsed.has("list-gpus") {
        for gpu in &gpus {
            cx.line(&format!("GPU {}: {} (UUID: {})", gpu.index, gpu.gpu.model, uuid(gpu)));
        }
    } else if let Some(fields) = parsed.value("query-gpu") {
        return query(cx, parsed, fields, GPU_FIELDS, &gpus);
    } else if let Some(fields) = parsed.value("query-compute-apps") {
        let apps = apps(cx, &host, &gpus);
        return query(cx, parsed, fields, APP_FIELDS, &apps);
    } else if parsed.has("query") {
        details(cx, &gpus);
    } else {
        table(cx, &host, &gpus);
    }
    0
}

/// The GPUs that the caller may see, with their processes.
fn gpus(cx: &Cx, host: &str) -> Vec<ShownGpu> {
    let Some(hardware) = cx.kernel.hardware(host) else { return Vec::new() };
    let count = u32::try_from(hardware.gpus.len()).unwrap_or(0);
    let mine = || {
        let list = cx.env.get("SLURM_STEP_GPUS").or_else(|| cx.env.get("SLURM_JOB_GPUS"));
        let list = list.map(|l| l.split(',').filter_map(|n| n.parse().ok()).collect::<Vec<u32>>());
        list.or_else(|| cx.env.contains_key("SLURM_JOB_ID").then(Vec::new))
    };
    let seen = if hardware.constrained { mine() } else { None };
    let uses: Vec<_> = cx.kernel.gpu_users(host).flat_map(|p| p.gpus.iter().copied()).collect();
    let numbers = seen.unwrap_or_else(|| (0..count).collect());
    let there = numbers.into_iter().filter_map(|real| Some((real, hardware.gpus.get(real as usize)?)));
    let shown = there.enumerate().map(|(index, (real, gpu))| {
        let here = uses.iter().filter(|u| u.index == real);
        ShownGpu {
            real,
            index,
            gpu: gpu.clone(),
            load: here.clone().map(|u| u.load).sum::<u32>().min(100),
            used: here.map(|u| u.memory).sum::<u64>().min(gpu.memory),
            host: host.to_owned(),
        }
    });
    shown.collect()
}

fn apps(cx: &Cx, host: &str, gpus: &[ShownGpu]) -> Vec<App> {
    let mut apps = Vec::new();
    for gpu in gpus {
        for process in cx.kernel.gpu_users(host) {
            for used in process.gpus.iter().filter(|u| u.index == gpu.real) {
                let name = process.argv.first().cloned().unwrap_or_default();
                let (index, pid, memory) = (gpu.index, process.pid.0, used.memory);
                apps.push(App { index, uuid: uuid(gpu), pid, name, memory });
            }
        }
    }
    apps
}

fn uuid(gpu: &ShownGpu) -> String {
    let a = fnv1a(format!("{}:{}", gpu.host, gpu.real).as_bytes());
    let b = fnv1a(&a.to_le_bytes());
    let (a, b) = (format!("{a:016x}"), format!("{b:016x}"));
    let part = |text: &str, from: usize, to: usize| text.get(from..to).unwrap_or("").to_owned();
    format!(
        "GPU-{}-{}-{}-{}-{}",
        part(&a, 0, 8),
        part(&a, 8, 12),
        part(&a, 12, 16),
        part(&b, 0, 4),
        part(&b, 4, 16)
    )
}

/// The PCI bus of a host's GPU, by its number.
pub(super) fn bus_number(real: u32) -> u8 {
    BUSES.get(real as usize).copied().unwrap_or_else(|| u8::try_from(real).unwrap_or(0xFF))
}

fn bus(gpu: &ShownGpu) -> String {
    let bus = bus_number(gpu.real);
    format!("00000000:{bus:02X}:00.0")
}

/// Temperature and power at its load: degrees and watts.
fn heat(gpu: &ShownGpu) -> (u32, u32) {
    let idle = gpu.gpu.watts / 10;
    (31 + gpu.load * 38 / 100, idle + (gpu.gpu.watts - idle) * gpu.load * 9 / 1000)
}

/// A column of `--query-gpu` and similar options: name, unit, value.
struct GpuField<T> {
    name: &'static str,
    unit: &'static str,
    get: fn(&Cx, &T) -> String,
}

const fn f<T>(name: &'static str, unit: &'static str, get: fn(&Cx, &T) -> String) -> GpuField<T> {
    GpuField { name, unit, get }
}

#[rustfmt::skip]
const GPU_FIELDS: &[GpuField<ShownGpu>] = &[
    f("timestamp", "", |cx, _| cx.now.strftime("%Y/%m/%d %H:%M:%S.000")),
    f("driver_version", "", |_, g| GpuDriver::of(&g.gpu).version.to_owned()),
    f("count", "", |cx, g| gpus(cx, &g.host).len().to_string()),
    f("name", "", |_, g| g.gpu.model.clone()),
    f("gpu_name", "", |_, g| g.gpu.model.clone()),
    f("index", "", |_, g| g.index.to_string()),
    f("uuid", "", |_, g| uuid(g)),
    f("gpu_uuid", "", |_, g| uuid(g)),
    f("pci.bus_id", "", |_, g| bus(g)),
    f("gpu_bus_id", "", |_, g| bus(g)),
    f("pstate", "", |_, g| if g.load > 0 { "P0" } else { "P8" }.to_owned()),
    f("memory.total", "MiB", |_, g| g.gpu.memory.to_string()),
    f("memory.used", "MiB", |_, g| g.used.to_string()),
    f("memory.free", "MiB", |_, g| (g.gpu.memory - g.used).to_string()),
    f("utilization.gpu", "%", |_, g| g.load.to_string()),
    f("utilization.memory", "%", |_, g| (g.load * 6 / 10).to_string()),
    f("temperature.gpu", "", |_, g| heat(g).0.to_string()),
    f("power.draw", "W", |_, g| format!("{}.00", heat(g).1)),
    f("power.limit", "W", |_, g| format!("{}.00", g.gpu.watts)),
    f("compute_mode", "", |_, _| "Default".to_owned()),
];

#[rustfmt::skip]
const APP_FIELDS: &[GpuField<App>] = &[
    f("gpu_uuid", "", |_, a| a.uuid.clone()),
    f("gpu_name", "", |cx, a| gpus(cx, &cx.host()).get(a.index).map_or_else(String::new, |g| g.gpu.model.clone())),
    f("pid", "", |_, a| a.pid.to_string()),
    f("process_name", "", |_, a| a.name.clone()),
    f("name", "", |_, a| a.name.clone()),
    f("used_memory", "MiB", |_, a| a.memory.to_string()),
    f("used_gpu_memory", "MiB", |_, a| a.memory.to_string()),
];

fn query<T>(cx: &mut Cx, parsed: &ParsedArguments, fields: &str, table: &[GpuField<T>], rows: &[T]) -> u8 {
    let format: Vec<&str> = parsed.value("format").unwrap_or("").split(',').map(str::trim).collect();
    if !format.contains(&"csv") {
        cx.line("\"--format=\" switch is missing. Please run 'nvidia-smi -h' for help.");
        return 1;
    }
    let mut columns = Vec::new();
    for name in fields.split(',').map(str::trim) {
        let Some(field) = table.iter().find(|f| f.name == name) else {
            cx.line(&format!("Field \"{name}\" is not a valid field to query."));
            return 2;
        };
        columns.push(field);
    }
    let units = !format.contains(&"nounits");
    let mut lines = Vec::new();
    if !format.contains(&"noheader") {
        let head = |f: &&GpuField<T>| {
            if f.unit.is_empty() || !units { f.name.to_owned() } else { format!("{} [{}]", f.name, f.unit) }
        };
        lines.push(columns.iter().map(head).collect::<Vec<_>>().join(", "));
    }
    for row in rows {
        let cell = |f: &&GpuField<T>| {
            let value = (f.get)(cx, row);
            if f.unit.is_empty() || !units { value } else { format!("{value} {}", f.unit) }
        };
        lines.push(columns.iter().map(cell).collect::<Vec<_>>().join(", "));
    }
    for line in lines {
        cx.line(&line);
    }
    0
}

/// `-q`: the most useful part of the real output.
fn details(cx: &mut Cx, gpus: &[ShownGpu]) {
    let stamp = cx.now.strftime("%a %b %e %H:%M:%S %Y");
    cx.line(&format!(
        "\n==============NVSMI LOG==============\n\nTimestamp                                 : {stamp}"
    ));
    let driver = GpuDriver::of_all(gpus);
    cx.line(&format!("Driver Version                            : {}", driver.version));
    cx.line(&format!("CUDA Version                              : {}\n", driver.cuda));
    cx.line(&format!("Attached GPUs                             : {}", gpus.len()));
    for gpu in gpus {
        cx.line(&format!("GPU {}", bus(gpu)));
        for (key, value) in [
            ("Product Name", gpu.gpu.model.clone()),
            ("GPU UUID", uuid(gpu)),
            ("FB Memory Total", format!("{} MiB", gpu.gpu.memory)),
            ("FB Memory Used", format!("{} MiB", gpu.used)),
            ("Utilization Gpu", format!("{} %", gpu.load)),
            ("GPU Current Temp", format!("{} C", heat(gpu).0)),
            ("Power Draw", format!("{}.00 W", heat(gpu).1)),
        ] {
            cx.line(&format!("    {key:<38}: {value}"));
        }
    }
}

/// The table that nvidia-smi prints by default.
fn table(cx: &mut Cx, host: &str, gpus: &[ShownGpu]) {
    let rule = format!("+{}+", "-".repeat(77));
    let stamp = cx.now.strftime("%a %b %e %H:%M:%S %Y");
    cx.line(&format!("{stamp:<31}"));
    cx.line(&rule);
    let GpuDriver { version, cuda } = GpuDriver::of_all(gpus);
    let head = format!("NVIDIA-SMI {version:<12} Driver Version: {version:<12} CUDA Version: {cuda}");
    cx.line(&format!("| {head:<76}|"));
    for line in [
        "|-------------------------------+----------------------+----------------------+",
        "| GPU  Name        Persistence-M| Bus-Id        Disp.A | Volatile Uncorr. ECC |",
        "| Fan  Temp  Perf  Pwr:Usage/Cap|         Memory-Usage | GPU-Util  Compute M. |",
        "|                               |                      |               MIG M. |",
        "|===============================+======================+======================|",
    ] {
        cx.line(line);
    }
    for gpu in gpus {
        let name = &gpu.gpu.model;
        let short: String = name.chars().take(15).collect();
        let name = if name.chars().count() > 18 { format!("{short}...") } else { name.clone() };
        let (degrees, watts) = heat(gpu);
        cx.line(&format!("| {:>3}  {name:<18}  On   | {} Off |                    0 |", gpu.index, bus(gpu)));
        let power = format!("{watts:>3}W / {:>3}W", gpu.gpu.watts);
        let memory = format!("{:>6}MiB / {:>5}MiB", gpu.used, gpu.gpu.memory);
        let state = if gpu.load > 0 { "P0" } else { "P8" };
        cx.line(&format!(
            "| N/A {degrees:>4}C    {state}  {power:>12} | {memory:>20} | {:>6}%      Default |",
            gpu.load
        ));
        cx.line("|                               |                      |                  N/A |");
        cx.line("+-------------------------------+----------------------+----------------------+");
    }
    cx.line(&" ".repeat(79));
    cx.line(&rule);
    for line in [
        "| Processes:                                                                  |",
        "|  GPU   GI   CI        PID   Type   Process name                  GPU Memory |",
        "|        ID   ID                                                   Usage      |",
        "|=============================================================================|",
    ] {
        cx.line(line);
    }
    let apps = apps(cx, host, gpus);
    if apps.is_empty() {
        cx.line("|  No running processes found                                                 |");
    }
    for app in apps {
        let name: String = app.name.chars().take(30).collect();
        let left = format!("|  {:>3}   N/A  N/A {:>9}      C   {name}", app.index, app.pid);
        cx.line(&format!("{left:<66}{:>8}MiB |", app.memory));
    }
    cx.line(&rule);
}
