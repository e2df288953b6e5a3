//! Listing and administration commands: their error messages and their output.

use super::OnCluster as _;
use super::{host, run};

#[test]
fn refusals() {
    for (argv, err, code) in [
        (&["scancel", "-t", "RUNNING,PENDING"][..], "Invalid job state specified: RUNNING,PENDING", 1),
        (&["scancel", "0"], "scancel: error: Invalid job id 0", 1),
        (&["scancel", "1.batch"], "scancel: error: Invalid job id 1.batch", 1),
        (&["sinfo", "-M", "nosuch"], "sinfo: fatal: Could not get cluster information", 1),
        (
            &["sinfo", "--json=bogus"],
            "sinfo: error: load_plugins: unable to find plugin: data_parser/bogus",
            1,
        ),
        (&["sprio", "-S", "x"], "sprio: error: Invalid sort specification: x", 1),
        (&["sstat", "-j", "x"], "sstat: fatal: Bad job/step specified: x", 1),
        (&["scontrol", "show", "job", "1", "2"], "too many arguments for keyword:show", 1),
        (&["scontrol", "show", "step", "x"], "failed: JobID can not be zero", 1),
        (
            &["scontrol", "show", "lic", "nosuch"],
            "scontrol: error: query \"nosuch\" matched zero licenses.",
            1,
        ),
        (&["scontrol", "token", "bogus"], "Invalid option: `bogus`", 1),
        (&["scontrol", "suspend", "99"], "Unexpected message received for job 99", 1),
        (&["sacctmgr", "list", "account", "bogus=1"], " Use keyword 'set' to modify value", 1),
        (&["sacctmgr", "list", "assoc", "where", "maxjobs=1"], " Unknown condition: maxjobs=1", 1),
        (&["sacctmgr", "list", "user", "format=def"], "Unknown field 'def'", 1),
        (&["sacctmgr", "list", "qos", "format="], "Unknown field ''", 1),
        (&["sacctmgr", "li", "account"], "invalid keyword: li", 1),
        (&["sacctmgr", "list", "resources"], "No valid entity in list command", 1),
    ] {
        let ran = run(argv);
        assert!(ran.err.contains(err) && ran.code == code, "{argv:?}: {ran:?}");
    }
}

#[test]
fn each_verb_takes_its_entities() {
    let all =
        ["accounts", "clusters", "coordinators", "events", "qos", "stats", "tres", "transactions", "users"];
    for (verbs, entities) in crate::slurm::sacctmgr::VERBS {
        for (verb, entity) in verbs.iter().flat_map(|verb| all.iter().map(move |entity| (verb, entity))) {
            let ran = run(&["sacctmgr", "-i", verb, entity]);
            let refused = ran.err.contains("No valid entity") || ran.out.contains("No valid entity");
            assert_eq!(refused, !entities.contains(entity), "{verb} {entity}: {ran:?}");
        }
    }
}

#[test]
fn listings() {
    for (argv, out) in [
        (&["scontrol", "show", "hostlistsorted", "b2,a1,a10,a2"][..], "a[1-2,10],b2\n"),
        (&["scontrol", "show", "hostlist", ""], ""),
        (&["scontrol", "show", "federation"], ""),
        (&["sinfo", "-h", "-t", "idle&!idle", "-N"], ""),
        (
            &["sinfo", "--json=list"],
            "data_parser/v0.0.43\ndata_parser/v0.0.42\ndata_parser/v0.0.45\ndata_parser/v0.0.44\n",
        ),
        (&["sacctmgr", "-n", "list", "tres", "where", "type=node", "format=type,id"], "    node      4 \n"),
    ] {
        assert_eq!(run(argv).out, out, "{argv:?}");
    }
}

#[test]
fn a_dump_loads_again() {
    let (mut host, mut small) = host();
    let mut root = |argv: &[&str]| host.run_as_root(argv, "", &mut small);
    root(&["sacctmgr", "-i", "add", "account", "a1,z1"]);
    // The default account comes after the user in the file.
    root(&["sacctmgr", "-i", "add", "user", "zoe", "account=a1,z1", "defaultaccount=z1", "maxjobs=3"]);
    assert_eq!(root(&["sacctmgr", "dump", "lab", "file=/tmp/lab.cfg"]).code, 0);
    root(&["sacctmgr", "-i", "delete", "user", "zoe"]);
    let loaded = root(&["sacctmgr", "-i", "load", "file=/tmp/lab.cfg"]);
    assert!(loaded.code == 0 && loaded.out.contains("User Associations\n"), "{loaded:?}");
    let shown = root(&[
        "sacctmgr",
        "-n",
        "-P",
        "list",
        "user",
        "zoe",
        "withassoc",
        "format=user,defaultaccount,account,maxjobs",
    ]);
    assert_eq!(shown.out, "zoe|z1|a1|3\nzoe|z1|z1|3\n");
}
