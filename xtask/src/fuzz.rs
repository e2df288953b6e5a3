//! `cargo xtask fuzz`: runs fuzz targets for some minutes (`tests/fuzz`, and the requests of slurmrestd in `src/cluster`).

use crate::run::{cargo, visibly};
use crate::{Outcome, say};
use std::time::{SystemTime, UNIX_EPOCH};

/// What to run.
#[derive(Debug, PartialEq)]
struct FuzzOptions {
    /// All targets, or this one.
    target: String,
    /// Minutes for each target.
    minutes: f64,
    /// The first seed; the clock's without it.
    seed: Option<u64>,
}

fn options(args: &[&str]) -> Outcome<FuzzOptions> {
    let mut options = FuzzOptions { target: String::new(), minutes: 1.0, seed: None };
    let mut rest = args.iter();
    while let Some(word) = rest.next() {
        match *word {
            "--minutes" => {
                let value = rest.next().and_then(|text| text.parse::<f64>().ok());
                options.minutes = value
                    .filter(|minutes| minutes.is_finite() && *minutes > 0.0)
                    .ok_or("`--minutes` needs a number above 0.")?;
            }
            "--seed" => {
                let value = rest.next().and_then(|text| text.parse().ok());
                options.seed = Some(value.ok_or("`--seed` needs a number.")?);
            }
            option if option.starts_with('-') => {
                return Err(format!("`fuzz` has no option `{option}`, only `--minutes N` and `--seed N`."));
            }
            target if options.target.is_empty() => target.clone_into(&mut options.target),
            other => return Err(format!("`fuzz` runs one target or all, and `{other}` is a second one.")),
        }
    }
    Ok(options)
}

/// The tests that contain a target: Cargo's arguments, and the filters of the test program.
fn programs(target: &str) -> Vec<(&'static str, Vec<String>)> {
    let tests = "test --locked --profile fuzz --test fuzz --";
    let requests = "test --locked --profile fuzz -p sandbatch-cluster --lib --";
    let of_requests = vec!["rest::tests::requests".to_owned()];
    match target {
        "" => vec![(tests, Vec::new()), (requests, of_requests)],
        "requests" => vec![(requests, of_requests)],
        // `world` alone would also select every test of a module with this name.
        target => vec![(tests, vec![format!("::{target}"), "--exact".to_owned()])],
    }
}

/// The modules of `tests/fuzz` with targets.
const MODULES: &[&str] =
    &["archives", "commands", "coreutils", "gawk", "imports", "python", "real", "sites", "slurm", "world"];

/// `cargo xtask fuzz [TARGET] [--minutes N] [--seed N]`.
pub fn fuzz(args: &[&str]) -> Outcome {
    let options = options(args)?;
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let seed = options.seed.unwrap_or_else(|| u64::try_from(now.as_micros()).unwrap_or(u64::MAX));
    say::note(&format!("{} min for each target, from seed {seed}", options.minutes));
    for (words, filters) in programs(&options.target) {
        let mut command = cargo(words);
        command.env("SANDBATCH_FUZZ_MINUTES", options.minutes.to_string());
        command.env("SANDBATCH_FUZZ_SEED", seed.to_string());
        for filter in filters {
            match filter.strip_prefix("::") {
                Some(target) => command.args(MODULES.iter().map(|module| format!("{module}::{target}"))),
                None => command.arg(filter),
            };
        }
        visibly(command.arg("--nocapture"))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments() {
        let of = |target: &str, minutes, seed| FuzzOptions { target: target.to_owned(), minutes, seed };
        assert_eq!(options(&[]), Ok(of("", 1.0, None)));
        assert_eq!(options(&["config", "--minutes", "0.5"]), Ok(of("config", 0.5, None)));
        assert_eq!(options(&["--seed", "7", "bash"]), Ok(of("bash", 1.0, Some(7))));
        for bad in [&["--minutes"][..], &["--minutes", "-1"], &["a", "b"], &["--seed", "x"], &["--fast"]] {
            assert!(options(bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn every_module_is_listed() {
        let main =
            std::fs::read_to_string(crate::root().join("tests/fuzz/main.rs")).expect("the test program");
        let modules: Vec<&str> =
            main.lines().filter_map(|line| line.strip_prefix("mod ")?.strip_suffix(';')).collect();
        assert_eq!(modules, MODULES);
    }
}
