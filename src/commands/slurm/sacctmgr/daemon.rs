//! Requests to slurmdbd itself: `archive`, `clear stats`, `reconfigure`, `shutdown`, `ping`.

use super::change::Confirmation;
use super::pairs;
use crate::Cx;
use base::time::Time;

const DENIED: &str = "sacctmgr: error: Your user doesn't have privilege to perform this action";

/// `archive dump`, `archive load`. Nothing is ever purged, so there are no archive files.
pub fn archive(cx: &mut Cx, ask: &mut Confirmation, words: &[String]) -> Result<u8, String> {
    let (what, rest) = words.split_first().map_or(("", &[][..]), |(w, rest)| (w.as_str(), rest));
    let lower = what.to_ascii_lowercase();
    let is = |full: &str| !lower.is_empty() && full.starts_with(&lower);
    let administrator = cx.cluster.state().is_administrator(cx.uid());
    if is("dump") {
        let question = "This may result in loss of accounting database records (if Purge* options enabled).\n\
            Are you sure you want to continue? (You have 30 seconds to decide)\n(N/y): ";
        if !ask.question(cx, question) {
            return Ok(0);
        }
        if !administrator {
            return Err(format!("{DENIED}\n Problem dumping archive: Access/permission denied"));
        }
        cx.complain("sacctmgr: accounting_storage/slurmdbd: jobacct_storage_p_archive: SUCCESS");
        return Ok(0);
    }
    if !is("load") {
        return Err(
            "No valid entity in archive command\nInput line must include, \"Dump\", or \"load\"".to_owned()
        );
    }
    let file = pairs(rest).into_iter().find(|(key, _)| key == "file").and_then(|(_, value)| value);
    let missing = file.is_some_and(|name| cx.kernel.fs.stat(cx.uid(), &cx.path(&name)).is_err());
    Err(match (administrator, missing) {
        (false, _) => format!("{DENIED}\n Problem loading archive file: Access/permission denied"),
        (true, true) => "sacctmgr: error: No archive file given to recover.\n \
            Problem loading archive file: No such file or directory\n \
            Note: For archive load, the file must be accessible on the slurmdbd host."
            .to_owned(),
        (true, false) => {
            "sacctmgr: error: Error with request.\n Problem loading archive file: Unspecified error"
                .to_owned()
        }
    })
}

/// `clear stats`: administrators reset the statistics; for other users it fails silently.
pub fn clear(cx: &mut Cx, words: &[String]) -> Result<u8, String> {
    let what = words.first().map_or("", String::as_str).to_ascii_lowercase();
    if what.is_empty() || !"stats".starts_with(&what) {
        return Err("No valid entity in clear command\nInput line must include \"Stats\"".to_owned());
    }
    Ok(u8::from(!cx.cluster.state().is_administrator(cx.uid())))
}

/// `shutdown`.
pub fn shutdown(cx: &Cx) -> Result<u8, String> {
    if !cx.cluster.state().is_administrator(cx.uid()) {
        return Err(" Problem shutting down server: Access/permission denied".to_owned());
    }
    Err("sacctmgr: error: shutdown is not simulated: the database goes on".to_owned())
}

/// `show stats`. The database is part of the controller here, so messages are not counted.
pub fn stats(cx: &mut Cx) {
    let boot = cx.cluster.state().boot;
    let hours = (cx.now.secs() - boot.secs()).max(0) / 3600;
    let rolled = Time::from_secs((cx.now.secs() - cx.now.secs().rem_euclid(3600)).max(boot.secs()));
    let said = |t: Time| format!("{} ({})", t.strftime("%a %b %e %H:%M:%S %Y"), t.secs());
    let rule = "*".repeat(67);
    cx.print(&format!(
        "{rule}\nsacctmgr show stats output at {}\nData since                    {}\nAll statistics are in microseconds\n{rule}\n\n\
         Internal DBD rollup last ran {}\n\tTotal cycles: {}\n\nRemote Procedure Call statistics by message type\n\n\
         Remote Procedure Call statistics by user\n",
        said(cx.now),
        said(boot),
        said(rolled),
        hours + 1
    ));
}
