//! Mailboxes: `/var/mail/NAME`, in the mbox format.

use super::Kernel;
use super::fs::FileKind;
use base::ids::Uid;
use base::time::Time;

/// Maximum mailbox size in bytes; later mail is lost.
const MAX_MAILBOX: u64 = 1 << 20;

/// The path of a user's mailbox.
#[must_use]
pub fn mailbox(user: &str) -> String {
    format!("/var/mail/{user}")
}

/// Delivers a message to a user's mailbox. Mail for unknown users or full mailboxes is lost.
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
    if stat.kind != FileKind::File || stat.size > MAX_MAILBOX {
        return;
    }
    let date = now.strftime("%a %b %e %H:%M:%S %Y");
    let letter = format!(
        "From {from}@{host} {date}\nDate: {date}\nFrom: {from}@{host}\nTo: {user}@{host}\nSubject: {subject}\n\n{body}\n"
    );
    let _ = kernel.fs.write_at(stat.ino, stat.size, letter.as_bytes(), now);
}
