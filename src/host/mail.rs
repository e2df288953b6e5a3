//! Mailboxes: `/var/mail/NAME`, in the mbox format.

use super::Kernel;
use super::fs::Kind;
use crate::base::ids::Uid;
use crate::base::time::Time;

/// Largest mailbox, bytes; what comes then is lost.
const MAX_MAILBOX: u64 = 1 << 20;

/// The mailbox of this user name.
#[must_use]
pub fn mailbox(user: &str) -> String {
    format!("/var/mail/{user}")
}

/// Puts a letter into a person's mailbox. One for nobody, or for a full box, is lost.
pub fn deliver(kernel: &mut Kernel, to: Uid, from: &str, subject: &str, body: &str, now: Time) {
    let Some(user) = kernel.users.by_uid(to).map(|u| u.name.clone()) else { return };
    let (file, host) = (mailbox(&user), kernel.login.to_string());
    let root = Uid(0);
    if kernel.fs.stat(root, &file).is_err() {
        let made = kernel.fs.mkdir_all("/var/mail", root, 0o755, now).is_ok()
            && kernel.fs.write(root, &file, b"", 0o600, now).is_ok()
            && kernel.fs.chown(root, &file, to).is_ok();
        if !made {
            return;
        }
    }
    let Ok(stat) = kernel.fs.stat(root, &file) else { return };
    if stat.kind != Kind::File || stat.size > MAX_MAILBOX {
        return;
    }
    let date = now.strftime("%a %b %e %H:%M:%S %Y");
    let letter = format!(
        "From {from}@{host} {date}\nDate: {date}\nFrom: {from}@{host}\nTo: {user}@{host}\nSubject: {subject}\n\n{body}\n"
    );
    let _ = kernel.fs.write_at(stat.ino, stat.size, letter.as_bytes(), now);
}
