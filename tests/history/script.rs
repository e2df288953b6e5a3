//! The export script in the machine's own shells, with commands that imitate Slurm's output.

use super::scratch;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

const SCONTROL: &str = r#"#!/bin/sh
case "$2" in
config) printf 'Configuration data as of 2026-11-21T05:54:36\nClusterName             = lab\nPrivateData             = jobs\n'
    printf 'SLURM_CONF              = /nonexistent/slurm.conf\nSLURM_VERSION           = 26.05.3\nJobCompPass             = secret\n' ;;
node) printf 'NodeName=n01 CoresPerSocket=8\n   CPUTot=8 RealMemory=1000 Sockets=1 ThreadsPerCore=1 State=IDLE Owner=alice\n'
    printf '   Reason=alice broke it [root@2026]\n' ;;
partition) printf 'PartitionName=cpu\n   AllowGroups=wheel AllowAccounts=physics,chem Default=YES\n   Nodes=n01 MaxTime=UNLIMITED State=UP\n' ;;
esac
"#;
const SACCT: &str = r#"#!/bin/sh
if [ "$1" = --helpformat ]; then
    echo 'Account AdminComment JobID JobIDRaw User Partition QOS Submit Eligible Start End JobName'
    echo 'ElapsedRaw TimelimitRaw State ReqCPUS AllocCPUS NNodes NodeList ReqMem ReqTRES Constraints SubmitLine'
    exit
fi
for word; do case $word in JobID,*) fields=$word ;; esac; done
echo "$fields" | sed 's/,/@|@/g'
tail='@|@cpu@|@normal@|@2026-11-21T06:00:00@|@2026-11-21T06:00:00@|@2026-11-21T06:00:01@|@2026-11-21T06:01:01@|@60@|@10@|@'
echo "5@|@5@|@alice@|@physics${tail}CANCELLED by 1001@|@4@|@4@|@1@|@n01@|@4G@|@cpu=4,mem=4G,node=1@|@a|b@|@sbatch -J secret -n 4 --mail-user=alice@x.org -C a|b --wrap=echo alice"
echo 'second line of alice'
echo "6@|@6@|@bob@|@chem${tail}COMPLETED@|@4@|@4@|@1@|@n01@|@4G@|@cpu=4,mem=4G,node=1@|@@|@/usr/bin/sbatch -o /home/bob/x -t 10 -d afterok:5 -A chem --exclusive /home/bob/job.sh -n 7"
"#;
const SACCTMGR: &str = r#"#!/bin/sh
case "$*" in
*assoc*) printf 'Cluster|Account|User|Partition|Par Name|Share|QOS\nlab|root||||1|normal\nlab|physics|||root|1|normal\nlab|physics|alice||physics|1|normal\n' ;;
*qos*) printf 'Name|Priority|GraceTime\nnormal|0|00:00:00\n' ;;
esac
"#;

/// Whether a shell is on this machine.
fn there(shell: &[&str]) -> bool {
    Command::new(shell[0]).args(&shell[1..]).args(["-c", "exit 0"]).output().is_ok_and(|o| o.status.success())
}

#[test]
fn the_script_in_the_shells_of_this_machine() {
    let dir = scratch("script");
    let bin = dir.join("bin");
    fs::create_dir_all(&bin).unwrap();
    for (name, text) in [("scontrol", SCONTROL), ("sacct", SACCT), ("sacctmgr", SACCTMGR)] {
        fs::write(bin.join(name), text).unwrap();
        fs::set_permissions(bin.join(name), fs::Permissions::from_mode(0o755)).unwrap();
    }
    fs::write(dir.join("export.sh"), import::EXPORT_SCRIPT).unwrap();
    let shells: [&[&str]; 4] = [&["sh"], &["dash"], &["bash"], &["busybox", "sh"]];
    let present = shells.iter().filter(|shell| there(shell));
    let mut exports: Vec<(String, String)> = Vec::new();
    for shell in present {
        exports.push((shell.join(" "), exported(&dir, &bin, shell)));
    }
    println!("run by {:?}", exports.iter().map(|e| &e.0).collect::<Vec<_>>());
    assert!(!exports.is_empty(), "this machine has no shell");
    for (shell, text) in &exports {
        assert_eq!(text, &exports[0].1, "{shell}");
        for secret in ["alice", "bob", "physics", "secret", "wheel", "chem", "1001"] {
            assert!(!text.contains(secret), "{secret} left the cluster:\n{text}");
        }
        for part in [
            "|@u1@|@a1@|@",
            "@|@sbatch -n 4 -C a|b\n",
            "@|@sbatch -t 10 -d afterok:5 --exclusive\n",
            "AllowAccounts=a1,a2",
            "lab|a1|u1||a1|1|normal",
            "cost: PrivateData hides",
        ] {
            assert!(text.contains(part), "{part}:\n{text}");
        }
    }
}

/// Runs the script, and returns the files of the archive.
fn exported(dir: &Path, bin: &Path, shell: &[&str]) -> String {
    let at = dir.join(shell.join("-"));
    fs::create_dir_all(&at).unwrap();
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap_or_default());
    let output = Command::new(shell[0])
        .args(&shell[1..])
        .args(["../export.sh", "-S", "2026-11-21T00:00:00", "-E", "2026-11-22T00:00:00"])
        .current_dir(&at)
        .env("PATH", path)
        .output()
        .unwrap();
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{shell:?}: {told}");
    assert!(fs::read_to_string(at.join("sandbatch-export.key")).unwrap().contains("u alice u1"));
    let packed = fs::File::open(at.join("sandbatch-export.tar.gz")).unwrap();
    let mut archive = tar::Archive::new(flate2::read::GzDecoder::new(packed));
    archive.unpack(&at).unwrap();
    let mut names: Vec<_> =
        fs::read_dir(at.join("sandbatch-export")).unwrap().flatten().map(|e| e.path()).collect();
    names.sort();
    names.iter().map(|name| fs::read_to_string(name).unwrap()).collect()
}
