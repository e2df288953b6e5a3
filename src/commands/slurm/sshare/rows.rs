//! The associations that sshare prints, in tree order with their indentation.

use crate::slurm::jobtext::JobView;
use base::ids::AssocId;
use slurmdbd::Assoc;

/// Maximum depth of the tree.
const MAX_DEPTH: u32 = 64;

/// The selection.
pub struct SshareSelection {
    /// Empty for all.
    pub accounts: Vec<String>,
    /// None for all.
    pub users: Option<Vec<String>>,
    /// Whether accounts are omitted.
    pub users_only: bool,
    /// Maximum number of lines.
    pub most: usize,
}

impl Default for SshareSelection {
    fn default() -> Self {
        Self { accounts: Vec::new(), users: None, users_only: false, most: usize::MAX }
    }
}

/// A line.
pub struct SshareRow<'a> {
    /// The association.
    pub assoc: &'a Assoc,
    /// Indentation of the account.
    pub indent: usize,
}

/// All lines.
pub fn rows<'a>(view: &JobView<'a>, wanted: &SshareSelection) -> Vec<SshareRow<'a>> {
    let mut rows = Vec::new();
    if let Some(root) = view.state.dbd.live().find(|a| a.parent.is_none()) {
        walk(view, wanted, root, 0, 0, &mut rows);
    }
    rows
}

/// `indent` is the number of printed ancestors.
fn walk<'a>(
    view: &JobView<'a>,
    wanted: &SshareSelection,
    assoc: &'a Assoc,
    indent: usize,
    depth: u32,
    rows: &mut Vec<SshareRow<'a>>,
) {
    let shown = wanted.shows(assoc) && view.sees_usage(assoc) && rows.len() < wanted.most;
    if shown {
        rows.push(SshareRow { assoc, indent });
    }
    if depth >= MAX_DEPTH || assoc.user.is_some() || rows.len() >= wanted.most {
        return;
    }
    let below = indent + usize::from(shown);
    for child in children(view, assoc.id) {
        walk(view, wanted, child, below, depth + 1, rows);
    }
}

fn children<'a>(view: &JobView<'a>, id: AssocId) -> Vec<&'a Assoc> {
    view.state.dbd.children(id)
}

impl SshareSelection {
    fn shows(&self, assoc: &Assoc) -> bool {
        let account = self.accounts.is_empty() || self.accounts.contains(&assoc.account);
        account
            && match &assoc.user {
                None => !self.users_only,
                Some(user) => self.users.as_ref().is_none_or(|list| list.contains(user)),
            }
    }
}
