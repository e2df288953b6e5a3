//! Tests: bare configurations and what is generated for them.

use super::*;
use crate::SiteInfo;

const CONF: &str = "ClusterName=tiny\nAccountingStorageType=accounting_storage/slurmdbd\nAccountingStorageEnforce=associations,qos\n\
    Prolog=/etc/slurm/pro.sh\nEpilog=/opt/epi.sh\nNodeName=n[1-2] CPUs=4\n\
    PartitionName=main Nodes=ALL Default=YES\nPartitionName=lab Nodes=n1 AllowGroups=chem AllowQos=fast AllowAccounts=Prof\n";

fn files(list: &[(&str, &str)]) -> SiteFiles {
    SiteFiles(list.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect())
}

fn messages(found: &[Diagnostic]) -> String {
    found.iter().map(|d| format!("{d}\n")).collect()
}

#[test]
fn a_bare_configuration_gets_users_with_full_access() {
    let (site, found) = furnish(files(&[("slurm.conf", CONF), ("pro.sh", "#!/bin/sh\n")]));
    let accounts = &site.0["accounts.sh"];
    assert!(accounts.contains("add qos fast"), "{accounts}");
    assert!(
        accounts.contains("add user bob account=users,prof defaultaccount=users qos=normal,fast"),
        "{accounts}"
    );
    let (info, problems) = SiteInfo::parse("tiny", &site);
    assert!(problems.is_empty(), "{problems:?}");
    assert_eq!(info.users.len(), 3);
    assert_eq!(info.users[0].groups, ["chem"]);
    let paths: Vec<&str> = info.files.iter().map(|f| f.path.as_str()).collect();
    assert_eq!(paths, ["first.sh", "/etc/slurm/pro.sh", "/opt/epi.sh"]);
    assert!(messages(&found).contains("/opt/epi.sh is not among the files"), "{found:?}");
    assert!(!messages(&found).contains("/etc/slurm/pro.sh is not"), "{found:?}");
    // Completing a completed site changes nothing.
    assert_eq!(furnish(site.clone()), (site, Vec::new()));
}

#[test]
fn users_and_accounts_come_from_a_dump() {
    let dump = "# To edit this file start with a cluster line\nCluster - 'tiny':Fairshare=1:QOS='normal,long'\nParent - 'root'\n\
        User - 'root':DefaultAccount='root'\nAccount - 'chem':Description='x: y'\nParent - 'chem'\nUser - 'ada':DefaultAccount='chem':QOS='+fast'\n";
    let (site, found) = furnish(files(&[("cl/slurm.conf", CONF), ("cl/tiny.cfg", dump), ("other.txt", "x")]));
    assert!(!site.0.contains_key("other.txt"));
    let accounts = &site.0["accounts.sh"];
    assert!(accounts.contains("load file=/etc/slurm/tiny.cfg"), "{accounts}");
    assert!(accounts.contains("add qos long") && accounts.contains("add qos fast"), "{accounts}");
    assert!(
        messages(&found).contains("QOS fast, normal, long")
            || messages(&found).contains("without limits: QOS"),
        "{found:?}"
    );
    let (info, _) = SiteInfo::parse("tiny", &site);
    assert_eq!(info.users.iter().map(|u| u.name.as_str()).collect::<Vec<_>>(), ["ada"]);
}

#[test]
fn users_and_accounts_come_from_sacctmgr_commands() {
    let lines = "# accounts\nadd QOS Name=fast Priority=3\nadd account chem\nsacctmgr -i add user Name=ada Account=chem\nadd user bob account=chem\n";
    let (site, _) = furnish(files(&[("slurm.conf", CONF), ("sacctmgr.script", lines)]));
    assert!(!site.0["accounts.sh"].contains("-Q add qos fast"), "{}", site.0["accounts.sh"]);
    let (info, _) = SiteInfo::parse("tiny", &site);
    assert_eq!(info.users.iter().map(|u| u.name.as_str()).collect::<Vec<_>>(), ["ada", "bob"]);
}

#[test]
fn a_site_with_users_is_unchanged() {
    let recorded = files(&[("slurm.conf", CONF), ("users", "ada")]);
    assert_eq!(furnish(recorded.clone()), (recorded, Vec::new()));
    let mut whole =
        files(&[("slurm.conf", CONF), ("site.toml", "[[users]]\nname = \"ada\"\n"), ("accounts.sh", "true")]);
    assert_eq!(furnish(whole.clone()), (whole.clone(), Vec::new()));
    // Existing users get accounts if there are none.
    whole.0.remove("accounts.sh");
    assert!(furnish(whole).0.0["accounts.sh"].contains("add user ada"));
    let none = files(&[("gres.conf", "")]);
    assert_eq!(furnish(none.clone()).0, none);
}
