//! Accounts, users, associations, QOS and shares, as `sacctmgr --json` and `sshare --json` show them.

use super::rows::accounts::{
    AssociationKey, AssociationRow, AssociationRowDefault, AssociationRowMax, AssociationRowMaxJobs,
    AssociationRowMaxJobsPer, AssociationRowMaxPer, AssociationRowMaxPerAccount, AssociationRowMaxTres,
    AssociationRowMaxTresGroup, AssociationRowMaxTresMinutes, AssociationRowMaxTresMinutesPer,
    AssociationRowMaxTresPer, AssociationRowMin, ClusterRow, ClusterRowAssociations,
    ClusterRowAssociationsRoot, ClusterRowController, Coordinator, QosRow, QosRowLimits, QosRowLimitsMax,
    QosRowLimitsMaxAccruing, QosRowLimitsMaxAccruingPer, QosRowLimitsMaxActiveJobs, QosRowLimitsMaxJobs,
    QosRowLimitsMaxJobsActiveJobs, QosRowLimitsMaxJobsActiveJobsPer, QosRowLimitsMaxJobsPer,
    QosRowLimitsMaxTres, QosRowLimitsMaxTresMinutes, QosRowLimitsMaxTresMinutesPer, QosRowLimitsMaxTresPer,
    QosRowLimitsMaxWallClock, QosRowLimitsMaxWallClockPer, QosRowLimitsMin, QosRowLimitsMinTres,
    QosRowLimitsMinTresPer, QosRowPreempt, SacctmgrAccount, ShareLine, ShareLineFairshare, ShareLineTres,
    ShareList, UserRow, UserRowDefault,
};
use super::rows::{Number, TresCount};
use super::write::ResponseWriter;
use super::{at_most, float, number, text, texts};
use crate::slurm::jobtext::JobView;
use crate::slurm::sshare::rows::SshareRow;
use crate::slurm::tres;
use base::time::Limit;
use slurmdbd::{AdminLevel, Assoc, Limits, Qos};
use std::collections::BTreeMap;

/// The response of `sacctmgr show`.
pub fn sacctmgr(v: &JobView, out: &mut ResponseWriter, kind: &str) {
    let dbd = &v.state.dbd;
    match kind {
        "accounts" => out.rows("accounts", dbd.accounts.values().map(|a| account(v, a))),
        "users" => out.rows("users", dbd.users.values().map(|u| user(v, u))),
        "associations" => out.rows("associations", dbd.live().map(|a| association(v, a))),
        "qos" => out.rows("qos", dbd.qos.iter().filter(|q| !q.deleted).map(|q| qos(v, q))),
        "tres" => {
            let all = tres::rows(v.state).into_iter();
            out.rows("TRES", all.map(|(kind, name, id)| TresCount { kind, name, id, count: 0 }));
        }
        "clusters" => out.rows(
            "clusters",
            std::iter::once(ClusterRow {
                controller: ClusterRowController { host: "127.0.0.1", port: 6817 },
                flags: Vec::new(),
                name: text(dbd.cluster.as_str()),
                nodes: v.hosts(&v.state.nodes.iter().map(|n| n.id.0).collect()),
                select_plugin: "",
                associations: ClusterRowAssociations {
                    root: ClusterRowAssociationsRoot {
                        account: "root",
                        cluster: text(dbd.cluster.as_str()),
                        partition: "",
                        user: "root",
                        id: 2,
                    },
                },
                rpc_version: 11520,
                tres: Vec::new(),
            }),
        ),
        _ => {}
    }
}

fn account(v: &JobView, a: &slurmdbd::Account) -> SacctmgrAccount {
    let dbd = &v.state.dbd;
    SacctmgrAccount {
        associations: dbd.live().filter(|x| x.account == a.name).map(|x| short(v, x)).collect(),
        coordinators: a
            .coordinators
            .iter()
            .map(|c| Coordinator { name: text(c.as_str()), direct: true })
            .collect(),
        description: text(a.description.as_str()),
        name: text(a.name.as_str()),
        organization: text(a.organization.as_str()),
        flags: Vec::new(),
    }
}

/// The response of sshare.
pub fn shares(v: &JobView, out: &mut ResponseWriter, rows: &[SshareRow]) {
    let share = |row: &SshareRow| {
        let a = row.assoc;
        let parent = a.parent.and_then(|p| v.state.dbd.assoc(p)).map_or("", |p| p.account.as_str());
        ShareLine {
            id: a.id.0,
            cluster: text(v.state.dbd.cluster.as_str()),
            name: text(a.user.as_deref().unwrap_or(&a.account)),
            parent: text(if a.user.is_some() { a.account.as_str() } else { parent }),
            partition: text(a.partition.as_deref()),
            shares_normalized: float(a.fair.shares),
            shares: number(a.shares.map(u64::from)),
            tres: ShareLineTres {
                run_seconds: Vec::new(),
                group_minutes: tres(v, &a.limits.grp_tres_mins),
                usage: Vec::new(),
            },
            effective_usage: float(a.fair.effective),
            usage_normalized: float(a.fair.usage.unwrap_or(0.0)),
            usage: a.usage.raw.trunc(),
            fairshare: ShareLineFairshare { factor: float(a.fair.factor), level: float(a.fair.level) },
            kind: texts([if a.user.is_some() { "USER" } else { "ASSOCIATION" }]),
        }
    };
    let shares = rows.iter().map(share).collect();
    out.field("shares", &ShareList { shares, total_shares: i64::try_from(rows.len()).unwrap_or(0) });
}

/// The key of an association.
fn short(v: &JobView, a: &Assoc) -> AssociationKey {
    AssociationKey {
        account: text(a.account.as_str()),
        cluster: text(v.state.dbd.cluster.as_str()),
        partition: text(a.partition.as_deref()),
        user: text(a.user.as_deref()),
        id: a.id.0,
    }
}

fn user(v: &JobView, u: &slurmdbd::DbUser) -> UserRow {
    let level = match u.admin {
        AdminLevel::None => "None",
        AdminLevel::Operator => "Operator",
        AdminLevel::Administrator => "Administrator",
    };
    let dbd = &v.state.dbd;
    let mine = dbd.accounts.values().filter(|a| a.coordinators.contains(&u.name));
    UserRow {
        administrator_level: texts([level]),
        associations: dbd.live().filter(|a| a.user.as_ref() == Some(&u.name)).map(|a| short(v, a)).collect(),
        coordinators: mine.map(|a| Coordinator { name: text(a.name.as_str()), direct: true }).collect(),
        default: UserRowDefault { account: text(u.default_account.as_str()), qos: "", wckey: "" },
        flags: Vec::new(),
        name: text(u.name.as_str()),
        old_name: "",
        wckeys: Vec::new(),
    }
}

/// TRES with their IDs, from a list of names and counts.
fn tres(v: &JobView, map: &BTreeMap<String, u64>) -> Vec<TresCount> {
    let rows = tres::rows(v.state);
    let one = |(name, count): (&String, &u64)| {
        let (kind, rest) = name.split_once('/').unwrap_or((name, ""));
        let id = rows.iter().find(|r| r.0 == kind && r.1 == rest).map_or(0, |r| r.2);
        TresCount {
            kind: kind.to_owned(),
            name: rest.to_owned(),
            id,
            count: i64::try_from(*count).unwrap_or(i64::MAX),
        }
    };
    map.iter().map(one).collect()
}

fn wall(limit: Option<Limit>) -> Number {
    at_most(match limit {
        Some(Limit::Minutes(m)) => Some(m),
        Some(Limit::Unlimited) | None => None,
    })
}

fn association(v: &JobView, a: &Assoc) -> AssociationRow {
    let l: &Limits = &a.limits;
    let dbd = &v.state.dbd;
    let parent = a.parent.and_then(|p| dbd.assoc(p)).map_or("", |p| p.account.as_str());
    let names = dbd.allowed_qos(a.id).into_iter().filter_map(|q| dbd.qos_by_id(q)).map(|q| q.name.as_str());
    let default = a.default_qos.and_then(|q| dbd.qos_by_id(q)).map(|q| q.name.as_str());
    AssociationRow {
        accounting: Vec::new(),
        account: text(a.account.as_str()),
        cluster: text(dbd.cluster.as_str()),
        comment: "",
        default: AssociationRowDefault { qos: text(default) },
        flags: Vec::new(),
        max: AssociationRowMax {
            jobs: AssociationRowMaxJobs {
                per: AssociationRowMaxJobsPer {
                    count: at_most(l.max_jobs),
                    accruing: at_most(l.max_jobs_accrue),
                    submitted: at_most(l.max_submit),
                    wall_clock: wall(l.max_wall),
                },
                active: at_most(l.max_jobs),
                accruing: at_most(l.max_jobs_accrue),
                total: at_most(l.max_submit),
            },
            tres: AssociationRowMaxTres {
                total: tres(v, &l.grp_tres),
                group: AssociationRowMaxTresGroup {
                    minutes: tres(v, &l.grp_tres_mins),
                    active: tres(v, &l.grp_tres_run_mins),
                },
                minutes: AssociationRowMaxTresMinutes {
                    total: tres(v, &l.grp_tres_mins),
                    per: AssociationRowMaxTresMinutesPer { job: tres(v, &l.max_tres_mins) },
                },
                per: AssociationRowMaxTresPer {
                    job: tres(v, &l.max_tres),
                    node: tres(v, &l.max_tres_per_node),
                },
            },
            per: AssociationRowMaxPer {
                account: AssociationRowMaxPerAccount { wall_clock: at_most(l.grp_wall) },
            },
        },
        id: a.id.0,
        is_default: a.user.as_ref().is_some_and(|u| dbd.default_account(u) == Some(a.account.as_str())),
        lineage: dbd.chain(a.id).map(|x| x.account.as_str()).collect::<Vec<_>>().join("/"),
        min: AssociationRowMin { priority_threshold: at_most(l.min_prio_thresh) },
        parent_account: text(parent),
        partition: text(a.partition.as_deref()),
        priority: number(Some(u64::from(a.priority)).filter(|p| *p > 0)),
        qos: texts(names),
        shares_raw: a.shares.unwrap_or(i32::MAX as u32),
        user: text(a.user.as_deref()),
    }
}

fn qos(v: &JobView, q: &Qos) -> QosRow {
    let l = &q.limits;
    let factor = |n: Option<f64>| Number { set: n.is_some(), infinite: false, number: n.unwrap_or(0.0) };
    let preempts = q.preempt.iter().filter_map(|id| v.state.dbd.qos_by_id(*id)).map(|q| q.name.as_str());
    QosRow {
        description: text(q.description.as_str()),
        flags: texts(q.flags.iter().map(|f| f.text())),
        id: q.id.0,
        limits: QosRowLimits {
            grace_time: q.grace_time,
            max: QosRowLimitsMax {
                active_jobs: QosRowLimitsMaxActiveJobs {
                    accruing: at_most(l.grp_jobs_accrue),
                    count: at_most(l.grp_jobs),
                },
                jobs: QosRowLimitsMaxJobs {
                    count: at_most(l.grp_submit),
                    active_jobs: QosRowLimitsMaxJobsActiveJobs {
                        per: QosRowLimitsMaxJobsActiveJobsPer {
                            account: at_most(l.max_jobs_per_account),
                            user: at_most(l.max_jobs),
                        },
                    },
                    per: QosRowLimitsMaxJobsPer {
                        account: at_most(l.max_submit_per_account),
                        user: at_most(l.max_submit),
                    },
                },
                tres: QosRowLimitsMaxTres {
                    total: tres(v, &l.grp_tres),
                    minutes: QosRowLimitsMaxTresMinutes {
                        total: tres(v, &l.grp_tres_mins),
                        per: QosRowLimitsMaxTresMinutesPer {
                            qos: tres(v, &l.grp_tres_mins),
                            job: tres(v, &l.max_tres_mins),
                            account: tres(v, &l.max_tres_run_mins_per_account),
                            user: tres(v, &l.max_tres_run_mins_per_user),
                        },
                    },
                    per: QosRowLimitsMaxTresPer {
                        account: tres(v, &l.max_tres_per_account),
                        job: tres(v, &l.max_tres),
                        node: tres(v, &l.max_tres_per_node),
                        user: tres(v, &l.max_tres_per_user),
                    },
                },
                wall_clock: QosRowLimitsMaxWallClock {
                    per: QosRowLimitsMaxWallClockPer { qos: at_most(l.grp_wall), job: wall(l.max_wall) },
                },
                accruing: QosRowLimitsMaxAccruing {
                    per: QosRowLimitsMaxAccruingPer {
                        account: at_most(l.max_jobs_accrue_per_account),
                        user: at_most(l.max_jobs_accrue),
                    },
                },
            },
            factor: factor(q.limit_factor),
            min: QosRowLimitsMin {
                priority_threshold: at_most(l.min_prio_thresh),
                tres: QosRowLimitsMinTres { per: QosRowLimitsMinTresPer { job: tres(v, &l.min_tres) } },
            },
        },
        name: text(q.name.as_str()),
        preempt: QosRowPreempt {
            list: texts(preempts),
            mode: texts([if q.preempt_mode.is_empty() || q.preempt_mode == "cluster" {
                "DISABLED"
            } else {
                q.preempt_mode.as_str()
            }]),
            exempt_time: number(q.preempt_exempt_time.map(u64::from)),
        },
        priority: number(Some(q.priority.into())),
        usage_factor: factor(Some(q.usage_factor)),
        usage_threshold: factor(q.usage_threshold),
    }
}
