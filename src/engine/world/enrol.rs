//! New users of a running cluster, and messages to all terminals.

use super::{InputResult, World};
use base::ids::Uid;
use host::path;
use host::tty::TtyId;
use host::users::User;

/// Maximum number of users.
const MAX_USERS: usize = 5000;
/// Longest name, as `useradd` accepts it.
const MAX_NAME: usize = 32;
/// Longest message, in bytes.
const MAX_MESSAGE: usize = 4096;

impl World {
    /// Adds a user with a home directory, a directory on each file system where users have one, and the site's files for
    /// them. Accounts are another matter (`sacctmgr`).
    #[inline(never)] // A cut point of the deferred module (xtask).
    pub(super) fn enrol(&mut self, name: &str) -> InputResult {
        let word = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '_' | '-');
        let first = name.starts_with(|c: char| c.is_ascii_lowercase());
        if !first || name.len() > MAX_NAME || !name.chars().all(word) {
            return InputResult::Refused(format!("useradd: invalid user name '{name}'"));
        }
        if self.kernel.users.by_name(name).is_some() {
            return InputResult::Refused(format!("useradd: user '{name}' already exists"));
        }
        if self.kernel.users.0.len() >= MAX_USERS {
            return InputResult::Refused(format!("there are {MAX_USERS} users"));
        }
        let now = self.now;
        let uid = Uid(self.kernel.users.0.iter().map(|user| user.uid.0).max().unwrap_or(0).max(1000) + 1);
        let dirs: Vec<(String, String)> = self
            .site
            .filesystems
            .iter()
            .filter_map(|fs| Some((fs.variable.clone()?, format!("{}/{name}", fs.path))))
            .collect();
        let user = User {
            name: name.to_owned(),
            uid,
            home: format!("/home/{name}"),
            gecos: String::new(),
            groups: Vec::new(),
            env: dirs.iter().cloned().chain(self.site.env.iter().cloned()).collect(),
        };
        let home = user.home.clone();
        self.ctld.people.push((uid, user.name.clone()));
        self.ctld.groups.push((uid, Vec::new()));
        self.kernel.add_user(user, now);
        self.add_participant(uid);
        let _ = self.kernel.fs.chmod(Uid(0), &home, self.site.home_mode);
        for (_, dir) in &dirs {
            // A full file system leaves the user without a directory, as on a real machine.
            let _ = self.kernel.fs.mkdir_all(dir, uid, 0o700, now);
        }
        for file in self.site.files.clone().into_iter().filter(|file| !file.path.starts_with('/')) {
            let mode = if file.executable { 0o755 } else { 0o644 };
            self.put(uid, &path::resolve(&home, &file.path), &file.content, mode);
        }
        InputResult::Done
    }

    /// Prints a message of root on all terminals.
    #[inline(never)] // A cut point of the deferred module (xtask).
    pub(super) fn announce(&mut self, text: &str) {
        let text: String = text.chars().filter(|c| *c == '\n' || !c.is_control()).collect();
        let end = text.floor_char_boundary(MAX_MESSAGE);
        let when = self.now.strftime("%a %b %e %H:%M:%S %Y");
        let message = format!("\nBroadcast message from root@login ({when}):\n\n{}\n\n", &text[..end]);
        let terminals: Vec<TtyId> = self.terminals.keys().copied().collect();
        for tty in terminals {
            self.kernel.print_on(tty, message.as_bytes());
        }
    }
}
