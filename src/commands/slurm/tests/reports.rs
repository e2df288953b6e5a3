//! Tests of every sreport report with every option, and of sacctmgr's less common commands.

use super::OnCluster as _;
use super::{host, run};

const REPORTS: &[(&str, &str)] = &[
    ("cluster", "AccountUtilizationByUser"),
    ("cluster", "UserUtilizationByAccount"),
    ("cluster", "UserUtilizationByWckey"),
    ("cluster", "Utilization"),
    ("cluster", "WCKeyUtilizationByUser"),
    ("job", "SizesByAccount"),
    ("job", "SizesByAccountAndWckey"),
    ("job", "SizesByWckey"),
    ("reservation", "Utilization"),
    ("user", "TopUsage"),
];

#[test]
fn every_report_with_every_format() {
    for (kind, report) in REPORTS {
        for time in ["Seconds", "Minutes", "Hours", "Percent", "SecPer", "MinPer", "HourPer"] {
            let ran = run(&["sreport", "-t", time, kind, report, "start=00:00", "end=now"]);
            assert_eq!((ran.err.as_str(), ran.code), ("", 0), "{report} {time}");
            assert!(ran.out.starts_with(&"-".repeat(80)), "{report} {time}");
        }
        for option in ["-n", "-p", "-P", "-T cpu,mem", "-T ALL", "-a", "-Q"] {
            let words: Vec<&str> =
                ["sreport"].into_iter().chain(option.split(' ')).chain([*kind, *report]).collect();
            let ran = run(&words);
            assert_eq!((ran.err.as_str(), ran.code), ("", 0), "{words:?}");
        }
        let bad = run(&["sreport", kind, report, "start=bogus"]);
        assert!(bad.err.contains("Invalid time specification (pos=0): bogus"), "{bad:?}");
        let bad = run(&["sreport", kind, report, "format=bogus"]);
        assert!(bad.err.contains("Unknown field 'bogus'") && bad.code == 1, "{bad:?}");
    }
    let sizes = run(&["sreport", "-n", "job", "SizesByAccount", "PrintJobCount", "grouping=2,4"]);
    assert_eq!(sizes.code, 0);
    let titled = run(&["sreport", "job", "SizesByAccount", "PrintJobCount"]);
    assert!(titled.out.contains("\nUnits are in number of jobs ran\n"), "{titled:?}");
}

/// The output for root.
fn as_root(lines: &[&[&str]]) -> Vec<super::CommandResult> {
    let (mut host, mut small) = host();
    lines.iter().map(|argv| host.run_as_root(argv, "", &mut small)).collect()
}

#[test]
fn resources_are_licences() {
    let show: &[&str] = &["sacctmgr", "-n", "-P", "show", "resource", "withclusters"];
    let ran = as_root(&[
        &["sacctmgr", "-i", "add", "resource", "name=ansys", "server=flex", "count=50", "type=license"],
        &["sacctmgr", "-i", "add", "resource", "name=ansys", "server=flex", "count=50"],
        &[
            "sacctmgr",
            "-i",
            "add",
            "resource",
            "name=ansys",
            "server=flex",
            "cluster=lab",
            "percentallowed=30",
        ],
        show,
        &["scontrol", "show", "licenses", "ansys@flex"],
        &["sacctmgr", "-i", "modify", "resource", "where", "name=ansys", "set", "count=20"],
        show,
        &["sacctmgr", "-i", "delete", "resource", "where", "name=ansys"],
        &["sacctmgr", "-n", "show", "resource"],
    ]);
    assert_eq!(
        ran[0].out,
        " Adding Resource(s)\n  ansys@flex\n Settings\n  Name           = ansys\n  Server         = flex\n  Description    = ansys\n  \
         Count          = 50\n  Type           = License\n"
    );
    assert_eq!((ran[1].out.as_str(), ran[1].code), (" Nothing new added.\n", 1));
    assert!(ran[2].out.contains("   Cluster - lab\t30\n"), "{:?}", ran[2]);
    assert_eq!(ran[3].out, "ansys|flex|License|50|0|30||lab|30|\n");
    assert_eq!(ran[4].out, "LicenseName=ansys@flex\n    Total=15 Used=0 Free=15 Reserved=0 Remote=yes\n");
    assert_eq!(ran[5].out, " Modified server resource ...\n  ansys@flex\n");
    assert_eq!(ran[6].out, "ansys|flex|License|20|0|30||lab|30|\n");
    assert_eq!((ran[7].out.as_str(), ran[8].out.as_str()), (" Deleting resource(s)...\n  ansys@flex\n", ""));
}

#[test]
fn requests_to_slurmdbd() {
    let denied = "sacctmgr: error: Your user doesn't have privilege to perform this action\n";
    for (argv, err, code) in [
        (
            &["sacctmgr", "archive"][..],
            "No valid entity in archive command\nInput line must include, \"Dump\", or \"load\"\n",
            1,
        ),
        (
            &["sacctmgr", "-i", "archive", "dump"],
            &format!("{denied} Problem dumping archive: Access/permission denied\n"),
            1,
        ),
        (&["sacctmgr", "clear", "stats"], "", 1),
        (&["sacctmgr", "reconfigure"], "", 0),
        (&["sacctmgr", "shutdown"], " Problem shutting down server: Access/permission denied\n", 1),
    ] {
        let ran = run(argv);
        assert_eq!((ran.err.as_str(), ran.code), (err, code), "{argv:?}");
    }
    let ran = as_root(&[
        &["sacctmgr", "-i", "archive", "dump", "Directory=/tmp"],
        &["sacctmgr", "archive", "load", "File=/nosuch"],
        &["sacctmgr", "clear", "stats"],
        &["sacctmgr", "show", "stats"],
    ]);
    assert_eq!(ran[0].err, "sacctmgr: accounting_storage/slurmdbd: jobacct_storage_p_archive: SUCCESS\n");
    assert!(ran[1].err.contains("Problem loading archive file: No such file or directory"), "{:?}", ran[1]);
    assert_eq!((ran[2].err.as_str(), ran[2].code), ("", 0));
    assert!(ran[3].out.contains("All statistics are in microseconds"), "{:?}", ran[3]);
}

#[test]
fn load_clean_deletes_entities_that_the_file_does_not_name() {
    let (mut host, mut small) = host();
    let mut root = |argv: &[&str]| host.run_as_root(argv, "", &mut small);
    for name in ["physics", "biology"] {
        assert_eq!(root(&["sacctmgr", "-i", "add", "account", name]).code, 0);
    }
    assert_eq!(root(&["sacctmgr", "-i", "add", "user", "bob", "account=physics"]).code, 0);
    assert_eq!(root(&["sacctmgr", "dump", "lab", "file=/tmp/kept"]).code, 0);
    assert_eq!(root(&["sacctmgr", "-i", "add", "account", "late"]).code, 0);
    assert_eq!(root(&["sacctmgr", "-i", "add", "user", "carol", "account=late"]).code, 0);
    let accounts =
        |ran: super::CommandResult| ran.out.lines().map(|l| l.trim().to_owned()).collect::<Vec<_>>();
    assert_eq!(root(&["sacctmgr", "-i", "load", "clean", "file=/tmp/kept"]).code, 0);
    let left = accounts(root(&["sacctmgr", "-n", "-P", "show", "account", "format=account"]));
    assert_eq!(left, ["biology", "physics", "root"]);
    assert_eq!(root(&["sacctmgr", "-n", "-P", "show", "user", "carol", "format=user"]).out, "");
}
