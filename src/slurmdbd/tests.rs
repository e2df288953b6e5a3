//! Account scripts that a real sacctmgr accepted, and the controller's queries afterwards.

use super::*;

/// Runs `sacctmgr -i add|modify|delete ...` lines in their simplest form: words, single values and lists of names.
fn run(dbd: &mut Slurmdbd, script: &str) {
    for line in script.lines().filter(|l| !l.trim().is_empty()) {
        for change in changes(line) {
            let done = dbd.apply(&change, ROOT);
            assert!(done.is_ok_and(|d| !d.is_empty()), "{line}: {:?}", dbd.apply(&change, ROOT));
        }
    }
}

fn changes(line: &str) -> Vec<AccountingChange> {
    let bare = line.replace("Description=\"unit 1234\"", "Description=unit");
    let words: Vec<&str> = bare.split_whitespace().collect();
    let [_, _, verb, what, names, rest @ ..] = words.as_slice() else { return Vec::new() };
    let (set, cond) = match rest.split_first() {
        Some((&"set", rest)) => rest.split_at(rest.iter().position(|w| *w == "where").unwrap_or(rest.len())),
        _ => (rest, &[][..]),
    };
    let pair = |w: &&str| w.split_once('=').map(|(k, v)| (k.to_owned(), v.trim_matches('"').to_owned()));
    let settings: Vec<(String, String)> = set.iter().filter_map(pair).collect();
    let value =
        |list: &[(String, String)], key: &str| list.iter().find(|(k, _)| k == key).map(|(_, v)| v.clone());
    let account = value(&settings, "Account");
    let own: Vec<_> = settings.iter().filter(|(k, _)| k != "Account").cloned().collect();
    let cond: Vec<_> = cond.iter().filter_map(pair).collect();
    let one = |name: &str| {
        let (name, settings) = (name.to_owned(), own.clone());
        match (*verb, *what) {
            ("add", "account") => AccountingChange::AddAccount { name, parent: String::new(), settings },
            ("add", "user") => AccountingChange::AddUser {
                name,
                account: account.clone().unwrap_or_default(),
                partition: None,
                settings,
            },
            ("add", _) => AccountingChange::AddQos { name, settings },
            (_, "account") => AccountingChange::ModifyAccount { name, settings },
            (_, "user") => AccountingChange::ModifyUser {
                name,
                account: value(&cond, "account"),
                partition: None,
                settings,
            },
            _ => AccountingChange::ModifyQos { name, settings },
        }
    };
    names.split(',').map(one).collect()
}

fn db(script: &str) -> Slurmdbd {
    let mut dbd = Slurmdbd::new("lab");
    run(&mut dbd, script);
    dbd
}

fn id(dbd: &Slurmdbd, user: &str, account: &str) -> AssocId {
    dbd.user_assoc(user, account, "p").map(|a| a.id).unwrap_or_default()
}

fn qos_names(dbd: &Slurmdbd, ids: &[QosId]) -> String {
    let mut names: Vec<&str> =
        ids.iter().filter_map(|q| dbd.qos_by_id(*q)).map(|q| q.name.as_str()).collect();
    names.sort_unstable();
    names.join(",")
}

fn set(key: &str, value: &str) -> Vec<(String, String)> {
    vec![(key.to_owned(), value.to_owned())]
}

const LAB: &str = "\
sacctmgr -i add account physics Description=\"physics\" Organization=uni
sacctmgr -i add account chemistry Description=\"chemistry\" Organization=uni
sacctmgr -i add account staff Description=\"staff\" Organization=uni
sacctmgr -i add user alice Account=physics DefaultAccount=physics
sacctmgr -i add user bob Account=physics DefaultAccount=physics
sacctmgr -i add user carol Account=chemistry DefaultAccount=chemistry
sacctmgr -i add user dave Account=staff DefaultAccount=staff
sacctmgr -i add qos high Priority=100
sacctmgr -i add qos low Priority=0 MaxJobsPerUser=2
sacctmgr -i modify account physics set QOS=normal,high,low
sacctmgr -i modify account chemistry set QOS=normal,low
";

#[test]
fn accounts_of_the_lab() {
    let dbd = db(LAB);
    // Recorded output of `sacctmgr list assoc` and `list account`.
    let alice = id(&dbd, "alice", "physics");
    assert_eq!(alice, AssocId(6));
    assert_eq!(qos_names(&dbd, &dbd.allowed_qos(alice)), "high,low,normal");
    assert_eq!(qos_names(&dbd, &dbd.allowed_qos(id(&dbd, "carol", "chemistry"))), "low,normal");
    assert_eq!(qos_names(&dbd, &dbd.allowed_qos(id(&dbd, "dave", "staff"))), "normal");
    assert_eq!(dbd.default_qos(alice), Some(dbd.normal_qos()));
    assert_eq!(dbd.default_account("alice"), Some("physics"));
    assert_eq!(dbd.default_account("erin"), None);
    assert_eq!(
        (dbd.admin_level("root"), dbd.admin_level("bob")),
        (AdminLevel::Administrator, AdminLevel::None)
    );
    let top = dbd.account_assoc(ROOT).map(|a| a.id).unwrap_or_default();
    let below: Vec<&str> =
        dbd.children(top).iter().map(|a| a.user.as_deref().unwrap_or(&a.account)).collect();
    assert_eq!(below, ["root", "chemistry", "physics", "staff"]);
    assert_eq!(dbd.accounts.get("physics").map(|a| a.organization.as_str()), Some("uni"));
    assert_eq!(dbd.qos_by_name("low").and_then(|q| q.limits.max_jobs), Some(2));
}

#[test]
fn every_limit_of_the_limits_cluster() {
    let dbd = db("\
sacctmgr -i add account physics Organization=uni GrpTRES=cpu=24
sacctmgr -i add account chemistry Organization=uni
sacctmgr -i add user bob Account=physics DefaultAccount=physics MaxJobs=1 MaxSubmitJobs=3
sacctmgr -i add user erin Account=chemistry DefaultAccount=chemistry MaxTRESPerJob=cpu=8 MaxWallDurationPerJob=30 GrpTRES=node=2
sacctmgr -i add qos pujobs MaxJobsPerUser=1 MaxSubmitJobsPerUser=3
sacctmgr -i add qos pucpu MaxTRESPerUser=cpu=8
sacctmgr -i add qos pjcpudeny MaxTRESPerJob=cpu=8 Flags=DenyOnLimit
sacctmgr -i add qos wall MaxWall=10
sacctmgr -i add qos grpjobs GrpJobs=1
sacctmgr -i add qos grpgpu GrpTRES=gres/gpu=2
sacctmgr -i add qos grpmem GrpTRES=mem=10G
sacctmgr -i add qos grpmins GrpTRESMins=cpu=100
sacctmgr -i add qos pjmins MaxTRESMinsPerJob=cpu=100
sacctmgr -i add qos grpwall GrpWall=10
sacctmgr -i add qos paccjobs MaxJobsPerAccount=1
sacctmgr -i add qos pacccpu MaxTRESPerAccount=cpu=8
sacctmgr -i add qos grpsubmit GrpSubmitJobs=2
sacctmgr -i add qos mincpu MinTRESPerJob=cpu=4
sacctmgr -i add qos pnode MaxTRESPerNode=cpu=4
sacctmgr -i add qos runmins GrpTRESRunMins=cpu=300
sacctmgr -i modify user bob set GrpJobs=1 where account=physics
");
    let limits = |name: &str| dbd.qos_by_name(name).map(|q| q.limits.clone()).unwrap_or_default();
    let tres = |name: &str, n: u64| BTreeMap::from([(name.to_owned(), n)]);
    assert_eq!((limits("pujobs").max_jobs, limits("pujobs").max_submit), (Some(1), Some(3)));
    assert_eq!(limits("pucpu").max_tres_per_user, tres("cpu", 8));
    assert_eq!(limits("pjcpudeny").max_tres, tres("cpu", 8));
    assert!(dbd.qos_by_name("pjcpudeny").is_some_and(|q| q.has(super::QosFlag::DenyOnLimit)));
    assert_eq!(limits("wall").max_wall, Some(Limit::Minutes(10)));
    assert_eq!((limits("grpjobs").grp_jobs, limits("grpwall").grp_wall), (Some(1), Some(10)));
    assert_eq!(
        (limits("grpgpu").grp_tres, limits("grpmem").grp_tres),
        (tres("gres/gpu", 2), tres("mem", 10_240))
    );
    assert_eq!(
        (limits("grpmins").grp_tres_mins, limits("pjmins").max_tres_mins),
        (tres("cpu", 100), tres("cpu", 100))
    );
    assert_eq!((limits("paccjobs").max_jobs_per_account, limits("grpsubmit").grp_submit), (Some(1), Some(2)));
    assert_eq!(
        (limits("pacccpu").max_tres_per_account, limits("mincpu").min_tres),
        (tres("cpu", 8), tres("cpu", 4))
    );
    assert_eq!(
        (limits("pnode").max_tres_per_node, limits("runmins").grp_tres_run_mins),
        (tres("cpu", 4), tres("cpu", 300))
    );
    let bob = id(&dbd, "bob", "physics");
    let erin = id(&dbd, "erin", "chemistry");
    assert_eq!(dbd.assoc(bob).map(|a| (a.limits.max_jobs, a.limits.grp_jobs)), Some((Some(1), Some(1))));
    assert_eq!(dbd.inherited(erin, |l| l.max_wall), Some(Limit::Minutes(30)));
    assert_eq!(dbd.inherited(erin, |l| l.max_jobs), None);
    let mut dbd = dbd;
    let change = |settings| AccountingChange::ModifyUser {
        name: "bob".to_owned(),
        account: None,
        partition: None,
        settings,
    };
    assert!(dbd.apply(&change(set("MaxJobs", "-1")), ROOT).is_ok());
    assert_eq!(dbd.assoc(bob).map(|a| a.limits.max_jobs), Some(None), "-1 clears");
    let physics = AccountingChange::ModifyAccount {
        name: "physics".to_owned(),
        settings: set("GrpTRES", "mem=1G,cpu=-1"),
    };
    assert!(dbd.apply(&physics, ROOT).is_ok());
    assert_eq!(dbd.account_assoc("physics").map(|a| a.limits.grp_tres.clone()), Some(tres("mem", 1024)));
}

#[test]
fn qos_preemption_and_usage_factor() {
    let dbd = db("\
sacctmgr -i add account physics Organization=uni
sacctmgr -i add qos scavenge Priority=0 PreemptMode=cancel GraceTime=5
sacctmgr -i add qos spot Priority=1 PreemptMode=requeue UsageFactor=0.5
sacctmgr -i add qos exempt Priority=1 PreemptMode=requeue PreemptExemptTime=00:01:00
sacctmgr -i add qos urgent Priority=100 Preempt=normal,scavenge,spot,exempt
sacctmgr -i modify qos normal set Priority=10 Preempt=scavenge,spot
sacctmgr -i modify qos urgent set Preempt-=spot
");
    let qos = |name: &str| dbd.qos_by_name(name);
    assert_eq!(qos("urgent").map(|q| qos_names(&dbd, &q.preempt)).as_deref(), Some("exempt,normal,scavenge"));
    assert_eq!(qos("scavenge").map(|q| (q.grace_time, q.preempt_mode.as_str())), Some((5, "cancel")));
    assert_eq!(qos("exempt").and_then(|q| q.preempt_exempt_time), Some(60));
    assert_eq!(qos("spot").map(|q| q.usage_factor), Some(0.5));
    assert_eq!(qos("normal").map(|q| (q.priority, q.preempt_mode.as_str())), Some((10, "cluster")));
}

#[test]
fn texts_and_refusals_as_recorded() {
    let mut dbd = db(LAB);
    let erin = AccountingChange::AddUser {
        name: "erin".to_owned(),
        account: "physics".to_owned(),
        partition: None,
        settings: Vec::new(),
    };
    assert_eq!(dbd.apply(&erin, "alice"), Err(ChangeError::AccessDenied));
    let line = "C = lab        A = physics              U = erin     ".to_owned();
    assert_eq!(dbd.apply(&erin, ROOT), Ok(vec![line.clone()]));
    assert_eq!(dbd.apply(&erin, ROOT), Err(ChangeError::NoEffect));
    let user = |name: &str, settings| AccountingChange::ModifyUser {
        name: name.to_owned(),
        account: None,
        partition: None,
        settings,
    };
    assert_eq!(dbd.apply(&user("erin", set("maxjobs", "3")), ROOT), Ok(vec![line]));
    assert!(dbd.apply(&user("erin", set("qos+", "high")), ROOT).is_ok());
    let id = id(&dbd, "erin", "physics");
    assert_eq!(qos_names(&dbd, &dbd.allowed_qos(id)), "high,low,normal");
    assert_eq!(dbd.apply(&user("nosuch", set("maxjobs", "3")), ROOT), Err(ChangeError::NothingModified));
    let account =
        AccountingChange::ModifyAccount { name: "physics".to_owned(), settings: set("grptres", "cpu=100") };
    assert_eq!(dbd.apply(&account, ROOT), Ok(vec!["C = lab        A = physics of root".to_owned()]));
    let bogus = AccountingChange::ModifyQos { name: "low".to_owned(), settings: set("bogus", "6") };
    assert_eq!(dbd.apply(&bogus, ROOT), Err(ChangeError::unknown("bogus", "6")));
    let gone = AccountingChange::DeleteUser { name: "erin".to_owned(), account: Some("physics".to_owned()) };
    assert_eq!(dbd.apply(&gone, ROOT), Ok(vec!["C = lab        A = physics    U = erin     ".to_owned()]));
    assert!(!dbd.users.contains_key("erin"));
    assert!(dbd.apply(&erin, ROOT).is_ok());
    assert_eq!(dbd.user_assoc("erin", "physics", "p").map(|a| a.id), Some(id), "comes back under its id");
    let zed = AccountingChange::AddUser {
        name: "zed".to_owned(),
        account: "nope".to_owned(),
        partition: None,
        settings: Vec::new(),
    };
    assert_eq!(
        dbd.apply(&zed, ROOT),
        Err(ChangeError::NoAccount { account: "nope".to_owned(), cluster: "lab".to_owned() })
    );
}

#[test]
fn a_wrong_setting_changes_nothing() {
    let mut dbd = db(LAB);
    let mut settings = set("Priority", "7");
    settings.extend(set("MaxWall", "soon"));
    assert!(dbd.apply(&AccountingChange::ModifyQos { name: "high".to_owned(), settings }, ROOT).is_err());
    assert_eq!(dbd.qos_by_name("high").map(|q| q.priority), Some(100));
    let inside =
        AccountingChange::ModifyAccount { name: "physics".to_owned(), settings: set("Parent", "physics") };
    assert!(dbd.apply(&inside, ROOT).is_err(), "an account cannot be its own parent");
}

#[test]
fn coordinators_and_partitions() {
    let mut dbd = db(LAB);
    let coordinator =
        AccountingChange::AddCoordinator { account: "physics".to_owned(), user: "bob".to_owned() };
    assert!(dbd.apply(&coordinator, ROOT).is_ok());
    let add = |account: &str| AccountingChange::AddUser {
        name: "carol".to_owned(),
        account: account.to_owned(),
        partition: Some("gpu".to_owned()),
        settings: Vec::new(),
    };
    assert!(dbd.apply(&add("physics"), "bob").is_ok());
    assert!(dbd.apply(&add("staff"), "bob").is_err());
    assert!(dbd.user_assoc("carol", "physics", "gpu").is_some());
    assert!(dbd.user_assoc("carol", "physics", "batch").is_none());
}

fn record(job: u32, assoc: AssocId) -> JobRecord {
    let time = Time::from_secs(1_795_240_460);
    JobRecord {
        index: DbIndex(0),
        job: JobId(job),
        array: None,
        tasks: String::new(),
        name: "wrap".to_owned(),
        uid: Uid(1001),
        user: "alice".to_owned(),
        account: "physics".to_owned(),
        assoc: Some(assoc),
        partition: "batch".to_owned(),
        qos: "normal".to_owned(),
        state: JobState::Running,
        requeued: false,
        resized: false,
        reservation: None,
        wckey: String::new(),
        mcs_label: String::new(),
        cancelled_by: None,
        submit: time,
        eligible: time,
        start: Some(time),
        end: None,
        suspended: 0,
        suspended_since: None,
        exit: ExitCode::default(),
        derived_exit: ExitCode::default(),
        time_limit: Limit::Unlimited,
        priority: 1,
        nodes: String::new(),
        node_count: 1,
        cpus: 1,
        req_cpus: 1,
        req_mem: 0,
        req_nodes: 1,
        req_tres: Tres::default(),
        alloc_tres: Tres::default(),
        reason: String::new(),
        work_dir: String::new(),
        submit_line: String::new(),
        comment: String::new(),
        admin_comment: String::new(),
        constraints: String::new(),
        restarts: 0,
        backfilled: false,
        het: None,
        stdin: String::new(),
        stdout: String::new(),
        stderr: String::new(),
        more: None,
        steps: VecMap::default(),
    }
}

#[test]
fn objects_of_running_jobs_are_not_deleted() {
    let mut dbd = db(LAB);
    let alice = id(&dbd, "alice", "physics");
    let index = dbd.job_start(record(4, alice));
    let refusal = "Job(s) active, cancel job(s) before remove\n  \
                   JobID = 4          C = lab        A = physics    U = alice     Q = normal   ";
    for change in [
        AccountingChange::DeleteQos { name: "normal".to_owned() },
        AccountingChange::DeleteAccount { name: "physics".to_owned() },
        AccountingChange::DeleteUser { name: "alice".to_owned(), account: None },
    ] {
        assert_eq!(dbd.apply(&change, ROOT).map_err(|e| e.to_string()), Err(refusal.to_owned()));
    }
    if let Some(job) = dbd.job_mut(index) {
        job.end = Some(job.submit);
    }
    assert!(dbd.apply(&AccountingChange::DeleteAccount { name: "physics".to_owned() }, ROOT).is_ok());
    assert!(!dbd.users.contains_key("bob") && !dbd.accounts.contains_key("physics"));
    assert!(dbd.job_latest(JobId(4)).is_some(), "history outlives its account");
}

#[test]
fn history_keeps_the_newest() {
    let mut dbd = Slurmdbd::new("lab");
    for job in 1..=40_003 {
        dbd.job_start(record(job, AssocId(1)));
    }
    assert_eq!(dbd.jobs.len(), 40_000);
    assert!(dbd.job_latest(JobId(3)).is_none() && dbd.job_mut(DbIndex(4)).is_some());
}
