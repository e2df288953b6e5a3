//! Who may use a partition.

use super::*;

#[test]
fn who_may_use_a_partition() {
    use Reason::*;
    plays("AllowAccounts", &[], &[("alice -p chem", Waits(PartConfig))]);
    plays("accounts below count", &[], &[("carol -p chem", Runs)]);
    plays("DenyAccounts", &[], &[("carol -p nochem", Waits(PartConfig))]);
    plays("DenyAccounts lets others in", &[], &[("alice -p nochem", Runs)]);
    plays("AllowGroups", &[], &[("alice -p group", Waits(PartConfig))]);
    plays("a member", &[], &[("bob -p group", Runs)]);
    plays("AllowQos", &[], &[("alice -p onlyq", Waits(Qos))]);
    let mut bench = bench(CONF);
    let Response::Job { id, .. } = submit(&mut bench, "alice -p onlyq -q q") else { panic!("refused") };
    bench.run(4);
    let text = bench.job(id).state_desc.clone();
    let expect = "Job's QOS not permitted to use this partition (onlyq allows other,more not q)";
    assert_eq!(text.as_deref(), Some(expect));
}

#[test]
fn enforced_partition_limits_refuse() {
    use super::super::super::error::SlurmError;
    let mut bench = bench(&CONF.replace("Licenses", "EnforcePartLimits=ALL\nLicenses"));
    for (text, expect) in [
        ("alice -p chem", SlurmError::InvalidAccount),
        ("carol -p nochem", SlurmError::InvalidAccount),
        ("alice -p onlyq", SlurmError::InvalidQos),
        ("alice -p group", SlurmError::JobMissingRequiredPartitionGroup),
        ("alice -q other", SlurmError::InvalidQos),
    ] {
        match submit(&mut bench, text) {
            Response::Err { error, .. } => assert_eq!(error, expect, "{text}"),
            other => panic!("{text}: {other:?}"),
        }
    }
}
