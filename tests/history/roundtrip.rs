//! The export script in the simulator's own shell: imports the export of a simulated cluster and replays it with the
//! same waits.

use super::{files, scratch};
use base64::Engine as _;
use import::calibrate::calibrate;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

/// Runs commands in the shell of a site. Returns standard output and error.
fn shell(site: &str, user: &str, commands: &str) -> (String, String) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_sandbatch"))
        .args(["shell", "--site", site, "--user", user])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(commands.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (text(&output.stdout), text(&output.stderr))
}

/// A few hours of work: more jobs than fit on the nodes, of several sizes, an array, a held job, a cancelled job.
fn work() -> String {
    let mut text = String::new();
    for round in 0..12 {
        for (options, seconds) in [
            ("-n 16 -t 30", 700 + round * 37),
            ("-N 2 --ntasks-per-node=8 -t 60", 1500),
            ("-n 4 -c 2 -t 20", 500 + round * 11),
            ("-p gpu --gres=gpu:a100:2 -c 4 -t 90", 2400),
            ("-p gpu -G 1 -n 1 -t 15 --mem=8G", 300),
            ("-n 1 -t 5 -J 'a|b' --comment='x y'", 90),
        ] {
            text += &format!("sbatch -Q {options} --wrap='sleep {seconds}'\n");
        }
        text += "sleep 240\n";
    }
    text += "sbatch -Q -a 1-12%4 -n 8 -t 20 --wrap='sleep 400'\n";
    text += "held=$(sbatch --parsable -H -n 2 -t 10 --wrap='sleep 60'); sleep 300; scontrol release $held\n";
    text +=
        "gone=$(sbatch --parsable -n 2 -t 10 --begin=now+1hour --wrap='sleep 60'); sleep 60; scancel $gone\n";
    text + "sleep 6h\n"
}

/// Exports a site in its own shell, and returns the packed archive.
fn exported(site: &str, user: &str, work: &str, dir: &Path) -> (Vec<u8>, String) {
    let script = format!(
        "cat > export.sh << 'END OF EXPORT'\n{}END OF EXPORT\n{work}\
         sh export.sh -S 2026-11-21T00:00:00\necho ARCHIVE\nbase64 sandbatch-export.tar.gz\necho END\ncat sandbatch-export.key\n",
        import::EXPORT_SCRIPT
    );
    let (out, err) = shell(site, user, &script);
    fs::create_dir_all(dir).unwrap();
    let text = out.split("ARCHIVE\n").nth(1).and_then(|rest| rest.split("END\n").next());
    let text: String = text.unwrap_or_else(|| panic!("{out}{err}")).split_whitespace().collect();
    let bytes =
        base64::engine::general_purpose::STANDARD.decode(text).unwrap_or_else(|e| panic!("{e}: {out}{err}"));
    (bytes, out + &err)
}

#[test]
fn the_export_of_a_simulated_site_gives_the_same_waits() {
    let dir = scratch("roundtrip");
    let (archive, told) = exported("lab", "alice", &work(), &dir);
    let file = dir.join("export.tar.gz");
    fs::write(&file, &archive).unwrap();
    let site = dir.join("site");
    let report = import::import(&file, &site).unwrap_or_else(|e| panic!("{e}\n{told}"));
    assert!(report.totals.jobs >= 84, "{report:?}\n{told}");
    // Real names are not exported; the table of names stays on the cluster.
    let mut all = String::new();
    for (name, text) in &files(&site).0 {
        all += &format!("== {name}\n{text}");
    }
    let workload = fs::read_to_string(site.join(import::WORKLOAD)).unwrap();
    all += &workload;
    for secret in ["alice", "physics", "a|b", "x y", "/home"] {
        let place = all.lines().find(|line| line.contains(secret));
        assert_eq!(place, None, "{secret} left the cluster");
    }
    assert!(told.contains("u alice u"), "{told}");
    let found = calibrate("lab", &files(&site), import::WORKLOAD, &workload, |_, _| {}).unwrap();
    assert_eq!((found.left_out.refused, found.left_out.never), (0, 0), "{found}");
    assert!(found.all.jobs >= 80 && found.all.recorded.mean > 100.0, "{found}");
    let worst = found.jobs.iter().map(|j| (j.simulated_wait().unwrap_or(0) - j.recorded_wait()).abs()).max();
    println!("{found}\nworst {worst:?}");
    assert!(found.all.error() <= 0.02, "{found}");
}
