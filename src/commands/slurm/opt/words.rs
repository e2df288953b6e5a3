//! Checks values of options that have no effect in a simulation, with Slurm's messages. Mirrors sbatch(1).

use super::values::time_limit;
use super::{Bad, Instead, JobOptions};
use base::refusal::Refusal;
use base::time::Limit;

/// `--acctg-freq=[type=]seconds,...`.
pub(super) fn acctg_freq(v: &str) -> Result<(), Bad> {
    let fits = |part: &str| {
        let (kind, seconds) = part.split_once('=').unwrap_or(("task", part));
        ["task", "energy", "network", "filesystem"].contains(&kind) && seconds.parse::<u32>().is_ok()
    };
    bad_unless(v.split(',').all(fits), || format!("Invalid --acctg-freq specification: {v}"))
}

/// `--accel-bind=gnv`.
pub(super) fn accel_bind(v: &str) -> Result<(), Bad> {
    bad_unless(!v.is_empty() && v.chars().all(|c| "gnv".contains(c)), || {
        "Invalid --accel-bind specification".to_owned()
    })
}

/// `--gres-flags=flag,...`.
pub(super) fn gres_flags(o: &mut JobOptions, v: &str) -> Result<(), Bad> {
    for word in v.split(',') {
        match word.to_ascii_lowercase().as_str() {
            "enforce-binding" => o.desc.gres_binding = Some(true),
            "disable-binding" => o.desc.gres_binding = Some(false),
            "allow-task-sharing" => {}
            "one-task-per-sharing" => o.run.one_task_per_sharing = true,
            "multiple-tasks-per-sharing" => {}
            _ => {
                return Err(
                    Bad::error(format!("Invalid --gres-flags specification: {v}")).because(Refusal::Value)
                );
            }
        }
    }
    let has = |name: &str| v.split(',').any(|w| w.eq_ignore_ascii_case(name));
    for (one, other) in
        [("disable-binding", "enforce-binding"), ("one-task-per-sharing", "multiple-tasks-per-sharing")]
    {
        bad_unless(!(has(one) && has(other)), || {
            format!("Invalid --gres-flags combo: {one} and {other} are mutually exclusive.")
        })?;
    }
    Ok(())
}

/// The same for sbatch and salloc, without the flags about sharing between tasks.
pub(super) fn gres_flags_of_job(o: &mut JobOptions, v: &str) -> Result<(), Bad> {
    bad_unless(!v.split(',').any(|w| w.eq_ignore_ascii_case("allow-task-sharing")), || {
        "--gres-flags=allow-task-sharing is only used with srun.".to_owned()
    })?;
    gres_flags(o, v)
}

/// `--kill-command[=signal]`.
pub(super) fn kill_command(v: &str) -> Result<String, Bad> {
    let known = v.is_empty() || v.parse::<u8>().is_ok() || host::Signal::parse(v).is_some();
    bad_unless(known, || "Invalid --kill-command specification".to_owned())?;
    Ok(if v.is_empty() { "TERM" } else { v }.to_owned())
}

/// `--mem-bind=type`.
pub(super) fn mem_bind(o: &mut JobOptions, v: &str) -> Result<(), Bad> {
    if v.eq_ignore_ascii_case("help") {
        o.run.instead = Some(Instead::MemBind);
        return Ok(());
    }
    const KNOWN: &[&str] =
        &["q", "quiet", "v", "verbose", "no", "none", "rank", "local", "sort", "nosort", "p", "prefer"];
    let list = |w: &str| ["map_mem:", "mask_mem:"].iter().any(|k| w.to_ascii_lowercase().starts_with(k));
    let known = |w: &str| KNOWN.iter().any(|k| k.eq_ignore_ascii_case(w));
    // Numbers of a list are separated by commas, too.
    let fits = v.split(',').next().is_some_and(list) || v.split(',').all(|w| known(w) || list(w));
    bad_unless(fits, || format!("unrecognized --mem-bind argument \"{v}\""))
}

/// `--oom-kill-step[=0|1]`.
pub(super) fn oom_kill_step(v: &str) -> Result<bool, Bad> {
    bad_unless(matches!(v, "" | "0" | "1"), || "Invalid --oom-kill-step specification".to_owned())?;
    Ok(v != "0")
}

/// `--threads=n`.
pub(super) fn threads(_: &mut JobOptions, v: &str) -> Result<(), Bad> {
    super::values::positive("--threads", v).map(drop)
}

/// `--wait-all-nodes=0|1`.
pub(super) fn wait_all_nodes(v: &str) -> Result<(), Bad> {
    bad_unless(matches!(v, "0" | "1"), || "Invalid --wait-all-nodes specification".to_owned())
}

/// `--x11[=all|batch|first|last]`: needs a display, which does not exist here.
pub(super) fn x11(o: &mut JobOptions, v: &str) -> Result<(), Bad> {
    let known = ["", "all", "batch", "first", "last"].contains(&v.to_ascii_lowercase().as_str());
    bad_unless(known, || "Invalid --x11 specification".to_owned())?;
    o.run.x11 = true;
    Ok(())
}

/// `--cpu-freq=[low-]high[:governor]`, or a governor's name.
///
/// Returns its text in `scontrol show job`.
pub(super) fn cpu_freq(v: &str) -> Result<String, Bad> {
    const GOVERNORS: &[&str] =
        &["conservative", "ondemand", "performance", "powersave", "schedutil", "userspace"];
    let named = |w: &str| GOVERNORS.iter().any(|g| g.eq_ignore_ascii_case(w));
    let speed = |w: &str| {
        ["low", "medium", "high", "highm1"].iter().any(|k| k.eq_ignore_ascii_case(w))
            || w.parse::<u32>().is_ok()
    };
    let (range, governor) = v.split_once(':').map_or((v, None), |(r, g)| (r, Some(g)));
    let wrong = |text: String| Bad {
        before: Some(format!("{{tool}}: error: {text}")),
        ..Bad::error("Invalid --cpu-freq argument").because(Refusal::Value)
    };
    let known = match range.split_once('-') {
        Some((low, high)) if speed(low) && speed(high) && rank(low) > rank(high) => {
            return Err(wrong(format!("min cpu-frec ({low}) must be < max cpu-freq ({high})")));
        }
        Some((low, high)) => speed(low) && speed(high),
        None => speed(range) || (named(range) && governor.is_none()),
    };
    if !known || !governor.is_none_or(named) {
        return Err(wrong(format!("unrecognized --cpu-freq argument \"{v}\"")));
    }
    Ok(match range.split_once('-') {
        None if named(range) => format!("CPU_Governor={}", shown(range)),
        None => format!("CPU_max_freq={}", shown(range)),
        Some((low, high)) => {
            let governor = governor.map_or_else(String::new, |g| format!(" CPU_Governor={}", shown(g)));
            format!("CPU_min_freq={} CPU_max_freq={}{governor}", shown(low), shown(high))
        }
    })
}

/// The rank of a frequency: names rank above all numbers, in their own order.
fn rank(word: &str) -> u32 {
    match word.to_ascii_lowercase().as_str() {
        "low" => 1,
        "medium" => 1 << 29,
        "highm1" => 1 << 30,
        "high" => 1 << 31,
        number => number.parse().unwrap_or(0),
    }
}

/// `High`, `OnDemand`.
fn shown(word: &str) -> String {
    let lower = word.to_ascii_lowercase();
    match lower.as_str() {
        "highm1" => "Highm1".to_owned(),
        "ondemand" => "OnDemand".to_owned(),
        "powersave" => "PowerSave".to_owned(),
        "schedutil" => "SchedUtil".to_owned(),
        "userspace" => "UserSpace".to_owned(),
        _ => {
            let mut letters = lower.chars();
            letters.next().map_or_else(String::new, |c| c.to_ascii_uppercase().to_string() + letters.as_str())
        }
    }
}

/// `--gpu-freq=[memory=]value[,verbose]`.
pub(super) fn gpu_freq(v: &str) -> Result<(), Bad> {
    let speed = |w: &str| ["low", "medium", "high", "highm1"].contains(&w) || w.parse::<u32>().is_ok();
    let fits = |w: &str| w == "verbose" || speed(w.strip_prefix("memory=").unwrap_or(w));
    bad_unless(v.split(',').all(fits), || format!("Invalid --gpu-freq argument: gpu:{v}"))
}

/// `--profile=all|none|type,...`.
///
/// Returns its text in `squeue -O profile`.
pub(super) fn profile(v: &str) -> Result<String, Bad> {
    let known = ["all", "none", "energy", "filesystem", "lustre", "network", "task"];
    bad_unless(v.split(',').all(|w| known.iter().any(|k| k.eq_ignore_ascii_case(w))), || {
        format!("invalid --profile={v} option")
    })?;
    Ok(v.split(',').map(shown).collect::<Vec<_>>().join(","))
}

/// `--propagate[=limit,...]`.
pub(super) fn propagate(v: &str) -> Result<(), Bad> {
    const KNOWN: &[&str] =
        &["ALL", "NONE", "AS", "CORE", "CPU", "DATA", "FSIZE", "MEMLOCK", "NOFILE", "NPROC", "RSS", "STACK"];
    let known = |w: &str| {
        let upper = w.to_ascii_uppercase();
        KNOWN.contains(&upper.strip_prefix("RLIMIT_").unwrap_or(&upper))
    };
    match v.split(',').find(|w| !w.is_empty() && !known(w)) {
        None => Ok(()),
        Some(word) => Err(Bad {
            before: Some(format!("{{tool}}: error: Bad rlimit name: {word}")),
            ..Bad::error(format!("--propagate={v} is not valid.")).with_exit(1).because(Refusal::Value)
        }),
    }
}

/// `--delay-boot=time`.
///
/// Returns seconds.
pub(super) fn delay_boot(v: &str) -> Result<u32, Bad> {
    match time_limit(v) {
        Some(Limit::Minutes(minutes)) => Ok(minutes.saturating_mul(60)),
        Some(Limit::Unlimited) => Ok(0),
        None => Err(Bad::error("Invalid --delay-boot specification").because(Refusal::Value)),
    }
}

/// `--no-kill[=off]`.
pub(super) fn no_kill(v: &str) -> Result<bool, Bad> {
    let off = v.eq_ignore_ascii_case("off");
    bad_unless(off || v.is_empty() || v.eq_ignore_ascii_case("set"), || {
        "Invalid --no-kill specification".to_owned()
    })?;
    Ok(!off)
}

/// A number of at least 0.
pub(super) fn count(option: &str, v: &str) -> Result<u32, Bad> {
    let number = v.parse::<u32>().ok().filter(|n| i32::try_from(*n).is_ok());
    number.ok_or_else(|| {
        Bad::error(format!("Invalid numeric value \"{v}\" for {option}."))
            .with_exit(1)
            .because(Refusal::Value)
    })
}

fn bad_unless(fits: bool, text: impl FnOnce() -> String) -> Result<(), Bad> {
    if fits { Ok(()) } else { Err(Bad::error(text()).because(Refusal::Value)) }
}
