//! Which associations sshare prints, in the order of the tree, and how far each is indented.

use crate::base::ids::AssocId;
use crate::commands::slurm::jobtext::View;
use crate::slurmdbd::Assoc;

/// Deeper trees are not walked.
const MAX_DEPTH: u32 = 64;

/// What was asked for.
pub struct Wanted {
    /// Empty: all.
    pub accounts: Vec<String>,
    /// None: all.
    pub users: Option<Vec<String>>,
    /// Whether accounts are left out.
    pub users_only: bool,
    /// Lines at most.
    pub most: usize,
}

impl Default for Wanted {
    fn default() -> Self {
        Self { accounts: Vec::new(), users: None, users_only: false, most: usize::MAX }
    }
}

/// A line.
pub struct Row<'a> {
    /// The association.
    pub assoc: &'a Assoc,
    /// Blanks in front of the account.
    pub indent: usize,
}

/// The lines.
pub fn rows<'a>(view: &View<'a>, wanted: &Wanted) -> Vec<Row<'a>> {
    let mut rows = Vec::new();
    if let Some(root) = view.state.dbd.live().find(|a| a.parent.is_none()) {
        walk(view, wanted, root, 0, 0, &mut rows);
    }
    rows
}

/// `indent` counts the printed ones above.
fn walk<'a>(
    view: &View<'a>,
    wanted: &Wanted,
    assoc: &'a Assoc,
    indent: usize,
    depth: u32,
    rows: &mut Vec<Row<'a>>,
) {
    let shown = wanted.shows(assoc) && view.sees_usage(assoc) && rows.len() < wanted.most;
    if shown {
        rows.push(Row { assoc, indent });
    }
    if depth >= MAX_DEPTH || assoc.user.is_some() || rows.len() >= wanted.most {
        return;
    }
    let below = indent + usize::from(shown);
    for child in children(view, assoc.id) {
        walk(view, wanted, child, below, depth + 1, rows);
    }
}

fn children<'a>(view: &View<'a>, id: AssocId) -> Vec<&'a Assoc> {
    view.state.dbd.children(id)
}

impl Wanted {
    fn shows(&self, assoc: &Assoc) -> bool {
        let account = self.accounts.is_empty() || self.accounts.contains(&assoc.account);
        account
            && match &assoc.user {
                None => !self.users_only,
                Some(user) => self.users.as_ref().is_none_or(|list| list.contains(user)),
            }
    }
}
