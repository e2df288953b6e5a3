//! Values of options that have no effect in a simulation: checked as sbatch(1) has it, with Slurm's words.

use super::Bad;
use super::values::time_limit;

/// `--acctg-freq=[type=]seconds,...`.
pub(super) fn acctg_freq(v: &str) -> Result<(), Bad> {
    let fits = |part: &str| {
        let (kind, seconds) = part.split_once('=').unwrap_or(("task", part));
        ["task", "energy", "network", "filesystem"].contains(&kind) && seconds.parse::<u32>().is_ok()
    };
    bad_unless(v.split(',').all(fits), || format!("Invalid --acctg-freq specification: {v}"))
}

/// `--cpu-freq=[low-]high[:governor]`, or a governor's name.
pub(super) fn cpu_freq(v: &str) -> Result<(), Bad> {
    const GOVERNORS: &[&str] =
        &["conservative", "ondemand", "performance", "powersave", "schedutil", "userspace"];
    let named = |w: &str| GOVERNORS.iter().any(|g| g.eq_ignore_ascii_case(w));
    let speed = |w: &str| {
        ["low", "medium", "high", "highm1"].iter().any(|k| k.eq_ignore_ascii_case(w))
            || w.parse::<u32>().is_ok()
    };
    let (range, governor) = v.split_once(':').map_or((v, None), |(r, g)| (r, Some(g)));
    let ends = range.split_once('-').map_or(speed(range), |(low, high)| speed(low) && speed(high));
    if (ends || (named(range) && governor.is_none())) && governor.is_none_or(named) {
        return Ok(());
    }
    Err(Bad {
        before: Some(format!("{{tool}}: error: unrecognized --cpu-freq argument \"{v}\"")),
        ..Bad::error("Invalid --cpu-freq argument")
    })
}

/// `--gpu-freq=[memory=]value[,verbose]`.
pub(super) fn gpu_freq(v: &str) -> Result<(), Bad> {
    let speed = |w: &str| ["low", "medium", "high", "highm1"].contains(&w) || w.parse::<u32>().is_ok();
    let fits = |w: &str| w == "verbose" || speed(w.strip_prefix("memory=").unwrap_or(w));
    bad_unless(v.split(',').all(fits), || format!("Invalid --gpu-freq argument: gpu:{v}"))
}

/// `--profile=all|none|type,...`.
pub(super) fn profile(v: &str) -> Result<(), Bad> {
    let known = ["all", "none", "energy", "filesystem", "lustre", "network", "task"];
    bad_unless(v.split(',').all(|w| known.iter().any(|k| k.eq_ignore_ascii_case(w))), || {
        format!("invalid --profile={v} option")
    })
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
            ..Bad::error(format!("--propagate={v} is not valid."))
        }),
    }
}

/// `--delay-boot=time`.
pub(super) fn delay_boot(v: &str) -> Result<(), Bad> {
    bad_unless(time_limit(v).is_some(), || "Invalid --delay-boot specification".to_owned())
}

/// `--no-kill[=off]`.
pub(super) fn no_kill(v: &str) -> Result<bool, Bad> {
    let off = v.eq_ignore_ascii_case("off");
    bad_unless(off || v.is_empty() || v.eq_ignore_ascii_case("set"), || {
        "Invalid --no-kill specification".to_owned()
    })?;
    Ok(!off)
}

/// A number from 0 up.
pub(super) fn count(option: &str, v: &str) -> Result<u32, Bad> {
    let number = v.parse::<u32>().ok().filter(|n| i32::try_from(*n).is_ok());
    number.ok_or_else(|| Bad::error(format!("Invalid numeric value \"{v}\" for {option}.")).with_exit(1))
}

fn bad_unless(fits: bool, text: impl FnOnce() -> String) -> Result<(), Bad> {
    if fits { Ok(()) } else { Err(Bad::error(text())) }
}
