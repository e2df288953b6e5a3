//! The wheel with its pytest plugin, the GitHub Action and the container's entry point, each as far as it runs here.

use crate::clients::environment;
use crate::fixture::{CommandOutput, SANDBATCH, TestDir};
use std::path::Path;
use std::process::Command;

const PROJECT: &str = env!("CARGO_MANIFEST_DIR");

/// Runs pytest on one file of `tests/cluster/pytest` with an environment that has pytest.
fn pytest(environment: &Path, before: &str, file: &str) {
    let test_dir = TestDir::new();
    let python = environment.join("bin/python3");
    let script = format!(
        "{before}\n{} -m pytest -q -p no:cacheprovider {PROJECT}/tests/cluster/pytest/{file}",
        python.display()
    );
    let done = test_dir.run(&script);
    assert_eq!(done.code, Some(0), "{}\n{}", done.out, done.err);
}

/// The wheel is built from the sources, as for anybody who installs it, but without optimisation. Because maturin compiles
/// everything once more, only `cargo xtask test` asks for it.
#[test]
fn a_wheel_with_a_pytest_plugin() {
    if std::env::var_os("SANDBATCH_WHEEL").is_none() {
        return eprintln!("SKIPPED: set SANDBATCH_WHEEL=1 to build the wheel");
    }
    let Some(dir) = environment("wheel", &["maturin==1.9.6", "pip==25.3", "pytest==8.4.2"]) else { return };
    let wheels = dir.join("wheels");
    let python = dir.join("bin/python3");
    let run = |command: &mut Command| {
        let done = command.output().unwrap();
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    };
    run(Command::new(dir.join("bin/maturin"))
        .args(["build", "--locked", "--profile", "dev", "--out"])
        .arg(&wheels)
        .arg("--target-dir")
        .arg(Path::new(SANDBATCH).parent().unwrap().parent().unwrap())
        .current_dir(format!("{PROJECT}/src/pytest")));
    let wheel = std::fs::read_dir(&wheels).unwrap().flatten().next().unwrap().path();
    run(Command::new(&python)
        .args(["-m", "pip", "install", "-q", "--no-deps", "--no-index", "--force-reinstall"])
        .arg(wheel));
    assert!(dir.join("bin/sandbatch").exists());
    // Without the binary of this build on PATH, so that the wheel's is found.
    pytest(&dir, "PATH=$(echo \"$PATH\" | cut -d: -f2-)", "test_fixture.py");
}

#[test]
fn a_github_action() {
    let Some(dir) = environment("action", &["pytest==8.4.2", "pyyaml==6.0.3"]) else { return };
    pytest(&dir, "", "test_action.py");
}

#[test]
fn the_entry_point_of_the_container() {
    let test_dir = TestDir::new();
    let entry = format!("{PROJECT}/examples/cluster/entrypoint.sh");
    let done = test_dir.run(&format!("SANDBATCH_SITE=lab SANDBATCH_OPTIONS='--pace 60x --seed 2' {entry} bash -c '
        sbatch --wait -o out --wrap \"echo in \\$SLURM_CLUSTER_NAME\"; cat out; sandbatch cluster status | grep -o pace=.*x'"));
    let CommandOutput { out, code, .. } = &done;
    assert!(*code == Some(0) && out.ends_with("in lab\npace=60x\n"), "{done:?}");
    let refused = test_dir.run(&format!("SANDBATCH_SITE=nosuch {entry} true"));
    assert!(refused.code != Some(0) && refused.err.contains("nosuch"), "{refused:?}");
}
