//! Access to partitions.

use super::*;

#[test]
fn access_to_partitions() {
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
    use crate::state::error::SlurmError;
    let mut bench = bench(&CONF.replace("Licenses", "EnforcePartLimits=ALL\nLicenses"));
    for (text, expect) in [
        ("alice -p chem", SlurmError::InvalidAccount),
        ("carol -p nochem", SlurmError::InvalidAccount),
        ("alice -p onlyq", SlurmError::InvalidQos),
        ("alice -p group", SlurmError::JobMissingRequiredPartitionGroup),
        ("alice -q other", SlurmError::InvalidQos),
        ("alice -n 49", SlurmError::TooManyRequestedCpus),
        // The number of nodes checked is the largest it could use: one for each task (88k).
        ("alice -p short -n 2", SlurmError::RequestedPartConfigUnavailable),
    ] {
        match submit(&mut bench, text) {
            Response::Err { error, .. } => assert_eq!(error, expect, "{text}"),
            other => panic!("{text}: {other:?}"),
        }
    }
    let Response::Job { .. } = submit(&mut bench, "alice -p short -N 1 -n 2") else { panic!("refused") };
}

#[test]
fn one_open_partition_is_enough() {
    use crate::state::error::SlurmError;
    let closed = CONF.replace("MaxTime=30 MaxNodes=1", "MaxTime=30 State=DRAIN");
    let mut first = bench(&closed);
    let Response::Job { id, .. } = submit(&mut first, "alice -p short,gpu") else { panic!("refused") };
    first.run(4);
    assert_eq!(first.job(id).nodes_text, "gpu01", "a closed partition takes no jobs");
    let mut strict = bench(&closed.replace("Licenses", "EnforcePartLimits=ALL\nLicenses"));
    for (bench, text) in [(&mut first, "alice -p short"), (&mut strict, "alice -p short,gpu")] {
        match submit(bench, text) {
            Response::Err { error, .. } => assert_eq!(error, SlurmError::PartitionNotAvail, "{text}"),
            other => panic!("{text}: {other:?}"),
        }
    }
}

#[test]
fn partitions_are_tried_as_typed() {
    for (text, nodes) in [("alice -p gpu,batch", "gpu01"), ("alice -p batch,gpu", "cn01")] {
        let mut bench = bench(CONF);
        let Response::Job { id, .. } = submit(&mut bench, text) else { panic!("{text}: refused") };
        bench.run(4);
        assert_eq!(bench.job(id).nodes_text, nodes, "{text}");
    }
}
