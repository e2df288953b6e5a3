//! `sacctmgr modify job`: changes job records.

use super::change::{Confirmation, apply_text};
use super::{list, pairs};
use crate::Cx;
use base::ids::JobId;
use slurmdbd::{AccountingChange, JobRecordChange};

const NOTHING: &str = "sacctmgr: accounting_storage/slurmdbd: acct_storage_p_modify_job: Request didn't affect anything or your user \
    doesn't have privilege to perform this action";

/// `modify job [where] jobid=N ... set comment=...`.
pub fn modify(cx: &mut Cx, ask: &mut Confirmation, words: &[String]) -> Result<u8, String> {
    let mut change = JobRecordChange::default();
    let (mut in_set, mut set) = (false, false);
    for (key, value) in pairs(words) {
        let word = key.to_ascii_lowercase();
        match (word.as_str(), value) {
            ("where", None) => in_set = false,
            ("set", None) => in_set = true,
            (_, Some(value)) if in_set => {
                if !setting(&mut change, &word, &value)? {
                    let text = " You didn't give me anything to set";
                    cx.print(&format!(
                        " Unknown option: {key}={value}\n Use keyword 'where' to modify condition\n"
                    ));
                    return Err(text.to_owned());
                }
                set = true;
            }
            (_, value) => condition(&mut change, &word, value.as_deref())?,
        }
    }
    if !set {
        return Err(" You didn't give me anything to set".to_owned());
    }
    let state = cx.cluster.state();
    let by = state.user_name(cx.uid());
    let found = state.dbd.changed_jobs(&change, &by);
    let lines: Vec<String> =
        found.iter().map(|job| format!("  {} submitted at {}", job.job, job.submit.iso())).collect();
    if lines.is_empty() {
        cx.complain(NOTHING);
        cx.line(" Nothing modified");
        return Ok(1);
    }
    cx.line(" Modified jobs...");
    lines.iter().for_each(|line| cx.line(line));
    if ask.commit(cx) {
        apply_text(cx, AccountingChange::Jobs(change))?;
    }
    Ok(0)
}

fn condition(change: &mut JobRecordChange, key: &str, value: Option<&str>) -> Result<(), String> {
    match (key, value) {
        ("job" | "jobs" | "jobid" | "jobids", Some(ids)) => {
            let id = |word: &String| word.parse().map(JobId).map_err(|_| format!(" Bad jobid given: {word}"));
            change.jobs = list(ids).iter().map(id).collect::<Result<_, _>>()?;
        }
        ("user" | "users", Some(names)) => change.users = list(names),
        ("cluster" | "clusters" | "start" | "starttime" | "end" | "endtime", Some(_)) => {}
        (key, value) => {
            let value = value.map_or_else(String::new, |v| format!("={v}"));
            return Err(format!(" Unknown condition: {key}{value}\n Use keyword 'set' to modify value"));
        }
    }
    Ok(())
}

/// Parses a setting; returns whether it is known.
fn setting(change: &mut JobRecordChange, key: &str, value: &str) -> Result<bool, String> {
    let text = Some(value.to_owned());
    match key {
        "admincomment" => change.admin_comment = text,
        "comment" => change.comment = text,
        "derivedexitcode" | "derivedec" => {
            change.derived_exit =
                Some(value.parse().map_err(|_| format!(" Bad DerivedExitCode given: {value}"))?);
        }
        "newwckey" => change.wckey = text,
        // The records here do not have these.
        "extra" | "systemcomment" | "tres" => {}
        _ => return Ok(false),
    }
    Ok(true)
}
