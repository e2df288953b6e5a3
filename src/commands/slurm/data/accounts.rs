//! Accounts, users, associations, QOS and shares, as `sacctmgr --json` and `sshare --json` show them.

use super::{Data, dict, number, texts};
use crate::slurm::jobtext::JobView;
use crate::slurm::sshare::rows::SshareRow;
use crate::slurm::tres;
use base::time::Limit;
use slurmdbd::{AdminLevel, Assoc, Limits, Qos};
use std::collections::BTreeMap;

/// The response of `sacctmgr show`.
pub fn sacctmgr(v: &JobView, kind: &str) -> Vec<(&'static str, Data)> {
    let dbd = &v.state.dbd;
    match kind {
        "accounts" => vec![("accounts", Data::List(dbd.accounts.values().map(|a| {
            dict! {
                "associations": Data::List(dbd.live().filter(|x| x.account == a.name).map(|x| short(v, x)).collect()),
                "coordinators": Data::List(a.coordinators.iter().map(|c| dict! { "name": c.as_str(), "direct": true }).collect()),
                "description": a.description.as_str(),
                "name": a.name.as_str(),
                "organization": a.organization.as_str(),
                "flags": Data::List(Vec::new()),
            }
        }).collect()))],
        "users" => vec![("users", Data::List(dbd.users.values().map(|u| user(v, u)).collect()))],
        "associations" => vec![("associations", Data::List(dbd.live().map(|a| association(v, a)).collect()))],
        "qos" => vec![("qos", Data::List(dbd.qos.iter().filter(|q| !q.deleted).map(|q| qos(v, q)).collect()))],
        "tres" => vec![("TRES", Data::List(tres::rows(v.state).into_iter().map(|(kind, name, id)| {
            dict! { "type": kind, "name": name, "id": id, "count": 0u32 }
        }).collect()))],
        "clusters" => vec![("clusters", Data::List(vec![dict! {
            "controller": dict! { "host": "127.0.0.1", "port": 6817u32 },
            "flags": Data::List(Vec::new()),
            "name": dbd.cluster.as_str(),
            "nodes": v.hosts(&v.state.nodes.iter().map(|n| n.id.0).collect()),
            "select_plugin": "",
            "associations": dict! { "root": dict! { "account": "root", "cluster": dbd.cluster.as_str(), "partition": "", "user": "root", "id": 2u32 } },
            "rpc_version": 11520u32,
            "tres": Data::List(Vec::new()),
        }]))],
        _ => Vec::new(),
    }
}

/// The response of sshare.
pub fn shares(v: &JobView, rows: &[SshareRow]) -> Vec<(&'static str, Data)> {
    let float = |n: f64| dict! { "set": true, "infinite": n.is_infinite(), "number": if n.is_finite() { n } else { 0.0 } };
    let share = |row: &SshareRow| {
        let a = row.assoc;
        let parent = a.parent.and_then(|p| v.state.dbd.assoc(p)).map_or("", |p| p.account.as_str());
        dict! {
            "id": a.id.0,
            "cluster": v.state.dbd.cluster.as_str(),
            "name": a.user.as_deref().unwrap_or(&a.account),
            "parent": if a.user.is_some() { a.account.as_str() } else { parent },
            "partition": a.partition.as_deref(),
            "shares_normalized": float(a.fair.shares),
            "shares": number(a.shares.map(u64::from)),
            "tres": dict! { "run_seconds": Data::List(Vec::new()), "group_minutes": tres(v, &a.limits.grp_tres_mins), "usage": Data::List(Vec::new()) },
            "effective_usage": float(a.fair.effective),
            "usage_normalized": float(a.fair.usage.unwrap_or(0.0)),
            "usage": a.usage.raw.trunc(),
            "fairshare": dict! { "factor": float(a.fair.factor), "level": float(a.fair.level) },
            "type": texts([if a.user.is_some() { "USER" } else { "ASSOCIATION" }]),
        }
    };
    vec![(
        "shares",
        dict! {
            "shares": Data::List(rows.iter().map(share).collect()),
            "total_shares": i64::try_from(rows.len()).unwrap_or(0),
        },
    )]
}

/// The key of an association.
fn short(v: &JobView, a: &Assoc) -> Data {
    dict! {
        "account": a.account.as_str(),
        "cluster": v.state.dbd.cluster.as_str(),
        "partition": a.partition.as_deref(),
        "user": a.user.as_deref(),
        "id": a.id.0,
    }
}

fn user(v: &JobView, u: &slurmdbd::DbUser) -> Data {
    let level = match u.admin {
        AdminLevel::None => "None",
        AdminLevel::Operator => "Operator",
        AdminLevel::Administrator => "Administrator",
    };
    let dbd = &v.state.dbd;
    let mine = dbd.accounts.values().filter(|a| a.coordinators.contains(&u.name));
    dict! {
        "administrator_level": texts([level]),
        "associations": Data::List(dbd.live().filter(|a| a.user.as_ref() == Some(&u.name)).map(|a| short(v, a)).collect()),
        "coordinators": Data::List(mine.map(|a| dict! { "name": a.name.as_str(), "direct": true }).collect()),
        "default": dict! { "account": u.default_account.as_str(), "qos": "", "wckey": "" },
        "flags": Data::List(Vec::new()),
        "name": u.name.as_str(),
        "old_name": "",
        "wckeys": Data::List(Vec::new()),
    }
}

/// TRES with their IDs, from a list of names and counts.
fn tres(v: &JobView, map: &BTreeMap<String, u64>) -> Data {
    let rows = tres::rows(v.state);
    let one = |(name, count): (&String, &u64)| {
        let (kind, rest) = name.split_once('/').unwrap_or((name, ""));
        let id = rows.iter().find(|r| r.0 == kind && r.1 == rest).map_or(0, |r| r.2);
        dict! { "type": kind, "name": rest, "id": id, "count": *count }
    };
    Data::List(map.iter().map(one).collect())
}

fn count(n: Option<u32>) -> Data {
    match n {
        Some(n) => number(Some(n.into())),
        None => dict! { "set": false, "infinite": true, "number": 0u32 },
    }
}

fn wall(limit: Option<Limit>) -> Data {
    count(match limit {
        Some(Limit::Minutes(m)) => Some(m),
        Some(Limit::Unlimited) | None => None,
    })
}

fn association(v: &JobView, a: &Assoc) -> Data {
    let l: &Limits = &a.limits;
    let dbd = &v.state.dbd;
    let parent = a.parent.and_then(|p| dbd.assoc(p)).map_or("", |p| p.account.as_str());
    let names = dbd.allowed_qos(a.id).into_iter().filter_map(|q| dbd.qos_by_id(q)).map(|q| q.name.as_str());
    let default = a.default_qos.and_then(|q| dbd.qos_by_id(q)).map(|q| q.name.as_str());
    dict! {
        "accounting": Data::List(Vec::new()),
        "account": a.account.as_str(),
        "cluster": dbd.cluster.as_str(),
        "comment": "",
        "default": dict! { "qos": default },
        "flags": Data::List(Vec::new()),
        "max": dict! {
            "jobs": dict! {
                "per": dict! { "count": count(l.max_jobs), "accruing": count(l.max_jobs_accrue), "submitted": count(l.max_submit), "wall_clock": wall(l.max_wall) },
                "active": count(l.max_jobs),
                "accruing": count(l.max_jobs_accrue),
                "total": count(l.max_submit),
            },
            "tres": dict! {
                "total": tres(v, &l.grp_tres),
                "group": dict! { "minutes": tres(v, &l.grp_tres_mins), "active": tres(v, &l.grp_tres_run_mins) },
                "minutes": dict! { "total": tres(v, &l.grp_tres_mins), "per": dict! { "job": tres(v, &l.max_tres_mins) } },
                "per": dict! { "job": tres(v, &l.max_tres), "node": tres(v, &l.max_tres_per_node) },
            },
            "per": dict! { "account": dict! { "wall_clock": count(l.grp_wall) } },
        },
        "id": a.id.0,
        "is_default": a.user.as_ref().is_some_and(|u| dbd.default_account(u) == Some(a.account.as_str())),
        "lineage": dbd.chain(a.id).map(|x| x.account.as_str()).collect::<Vec<_>>().join("/"),
        "min": dict! { "priority_threshold": count(l.min_prio_thresh) },
        "parent_account": parent,
        "partition": a.partition.as_deref(),
        "priority": number(Some(u64::from(a.priority)).filter(|p| *p > 0)),
        "qos": texts(names),
        "shares_raw": a.shares.unwrap_or(i32::MAX as u32),
        "user": a.user.as_deref(),
    }
}

fn qos(v: &JobView, q: &Qos) -> Data {
    let l = &q.limits;
    let float = |n: Option<f64>| dict! { "set": n.is_some(), "infinite": false, "number": n.unwrap_or(0.0) };
    let preempts = q.preempt.iter().filter_map(|id| v.state.dbd.qos_by_id(*id)).map(|q| q.name.as_str());
    dict! {
        "description": q.description.as_str(),
        "flags": texts(q.flags.iter().map(|f| f.text())),
        "id": q.id.0,
        "limits": dict! {
            "grace_time": q.grace_time,
            "max": dict! {
                "active_jobs": dict! { "accruing": count(l.grp_jobs_accrue), "count": count(l.grp_jobs) },
                "jobs": dict! {
                    "count": count(l.grp_submit),
                    "active_jobs": dict! { "per": dict! {
                        "account": count(l.max_jobs_per_account),
                        "user": count(l.max_jobs),
                    } },
                    "per": dict! { "account": count(l.max_submit_per_account), "user": count(l.max_submit) },
                },
                "tres": dict! {
                    "total": tres(v, &l.grp_tres),
                    "minutes": dict! { "total": tres(v, &l.grp_tres_mins), "per": dict! { "qos": tres(v, &l.grp_tres_mins), "job": tres(v, &l.max_tres_mins), "account": tres(v, &l.max_tres_run_mins_per_account), "user": tres(v, &l.max_tres_run_mins_per_user) } },
                    "per": dict! { "account": tres(v, &l.max_tres_per_account), "job": tres(v, &l.max_tres), "node": tres(v, &l.max_tres_per_node), "user": tres(v, &l.max_tres_per_user) },
                },
                "wall_clock": dict! { "per": dict! { "qos": count(l.grp_wall), "job": wall(l.max_wall) } },
                "accruing": dict! { "per": dict! { "account": count(l.max_jobs_accrue_per_account), "user": count(l.max_jobs_accrue) } },
            },
            "factor": float(q.limit_factor),
            "min": dict! { "priority_threshold": count(l.min_prio_thresh), "tres": dict! { "per": dict! { "job": tres(v, &l.min_tres) } } },
        },
        "name": q.name.as_str(),
        "preempt": dict! {
            "list": texts(preempts),
            "mode": texts([if q.preempt_mode.is_empty() || q.preempt_mode == "cluster" { "DISABLED" } else { q.preempt_mode.as_str() }]),
            "exempt_time": number(q.preempt_exempt_time.map(u64::from)),
        },
        "priority": number(Some(q.priority.into())),
        "usage_factor": float(Some(q.usage_factor)),
        "usage_threshold": float(q.usage_threshold),
    }
}
