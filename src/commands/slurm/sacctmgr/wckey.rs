//! Work load keys: `sacctmgr add user NAME wckey=KEY`.

use super::change::{Ask, apply_text};
use super::list;
use crate::commands::Cx;
use crate::slurmdbd::Change;

/// `add user NAME wckey=KEY`: keys of people, without accounts.
pub fn add(cx: &mut Cx, ask: &mut Ask, users: &[String], keys: &str) -> Result<u8, String> {
    let cluster = cx.slurm.state().dbd.cluster.clone();
    let (mut lines, mut changes) = (String::from(" WCKeys =\n"), Vec::new());
    for user in users {
        for key in list(keys) {
            lines += &format!("  C = {cluster:<10} W = {key:<10} U = {user:<9}\n");
            changes.push(Change::AddWckey { name: key, user: user.clone() });
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
