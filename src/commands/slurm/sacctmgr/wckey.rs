//! Workload characterization keys: `sacctmgr add user NAME wckey=KEY`.

use super::change::{Confirmation, apply_text};
use super::list;
use crate::Cx;
use slurmdbd::AccountingChange;

/// `add user NAME wckey=KEY`: keys of users, without accounts.
pub fn add(cx: &mut Cx, ask: &mut Confirmation, users: &[String], keys: &str) -> Result<u8, String> {
    let cluster = cx.cluster.state().dbd.cluster.clone();
    let (mut lines, mut changes) = (String::from(" WCKeys =\n"), Vec::new());
    for user in users {
        for key in list(keys) {
            lines += &format!("  C = {cluster:<10} W = {key:<10} U = {user:<9}\n");
            changes.push(AccountingChange::AddWckey { name: key, user: user.clone() });
        }
    }
    cx.print(&lines);
    if !ask.commit(cx) {
        return Ok(0);
    }
    for change in changes {
        apply_text(cx, change)?;
    }
    Ok(0)
}
