//! Overlapping reservations, and reservations of licences. The answers about overlaps are those of a real
//! slurmctld (22.05).

use crate::bench::Site;

fn site() -> Site {
    let conf = "ClusterName=resv\nSelectType=select/cons_tres\nSelectTypeParameters=CR_Core\nLicenses=matlab:4\n\
                NodeName=cn[01-04] CPUs=4\nPartitionName=batch Nodes=ALL Default=YES\n";
    let site = Site::new(&[("slurm.conf", conf), ("users", "alice bob")]);
    assert_eq!(site.complaints(), [] as [&str; 0]);
    site
}

fn create(site: &mut Site, what: &str) -> String {
    site.run("root", &format!("scontrol create reservation {what}"))
}

const OVERLAP: &str =
    "Error creating the reservation: Requested reservation overlaps with another reservation\n";

#[test]
fn reservations_do_not_overlap() {
    let mut site = site();
    let later = "start=now+90minutes duration=60 users=bob nodes=cn01";
    assert_eq!(
        create(&mut site, "reservation=o1 start=now+1hour duration=60 users=alice nodes=cn01"),
        "Reservation created: o1\n"
    );
    assert_eq!(create(&mut site, &format!("reservation=o2 {later}")), OVERLAP);
    assert_eq!(
        create(&mut site, &format!("reservation=o3 {later} flags=overlap")),
        "Reservation created: o3\n"
    );
    assert_eq!(
        create(&mut site, &format!("reservation=o4 {later} flags=maint")),
        "Reservation created: o4\n"
    );
    assert_eq!(
        create(&mut site, "reservation=o5 start=now+3hours duration=60 users=bob nodes=cn01"),
        "Reservation created: o5\n",
        "one after the other"
    );
    assert_eq!(
        create(&mut site, "reservation=o6 start=now+90minutes duration=60 users=bob nodecnt=3"),
        "Reservation created: o6\n"
    );
    assert_eq!(
        site.run("root", "scontrol show reservation o6 | grep -o ' Nodes=[^ ]*'"),
        " Nodes=cn[02-04]\n"
    );
    for nodes in ["cn[01-02]", "cn[01-04]"] {
        assert_eq!(
            site.run("root", &format!("scontrol update reservation=o1 nodes={nodes}")),
            "slurm_update error: Requested reservation overlaps with another reservation\n"
        );
    }
}

#[test]
fn licences_are_reserved() {
    let mut site = site();
    create(&mut site, "reservation=r start=now duration=10 users=alice licenses=matlab:3 flags=license_only");
    for (user, more) in [("bob", ""), ("alice", ""), ("alice", "--reservation=r")] {
        site.run(user, &format!("sbatch -t 5 -L matlab:2 {more} --wrap='sleep 100'"));
    }
    site.pass(5);
    assert_eq!(
        site.run("root", "squeue -h --sort=i -o '%u %T %r'"),
        "bob PENDING Licenses\nalice PENDING Licenses\nalice RUNNING None\n",
        "also its user, who does not name it"
    );
}
