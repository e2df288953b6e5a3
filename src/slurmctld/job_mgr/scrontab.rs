//! scrontab jobs: each entry of a user's crontab is a batch job that waits for its next time, runs, and is requeued for
//! the one after. Mirrors scrontab(1).

use crate::Slurmctld;
use crate::rpc::request::{Caller, Response};
use crate::state::edit;
use crate::state::error::SlurmError;
use crate::state::job::{Job, JobDesc, JobState};
use base::ids::{JobId, Uid};
use base::time::Time;

/// Maximum size of a crontab in bytes, and number of entries.
const MAX_TEXT: usize = 1 << 20;
const MAX_ENTRIES: usize = 1000;

impl Slurmctld {
    /// Whether the site enables crontabs (`ScronParameters=enable`).
    #[must_use]
    pub fn scrontab_enabled(&self) -> bool {
        let raw = self.cluster.global.raw.get("ScronParameters");
        raw.is_some_and(|t| t.split(',').any(|w| w.trim().eq_ignore_ascii_case("enable")))
    }

    /// A user's crontab as written.
    #[must_use]
    pub fn crontab(&self, uid: Uid) -> Option<&str> {
        self.crontabs.iter().find(|c| c.0 == uid).map(|c| c.1.as_str())
    }

    /// Replaces a user's crontab; an empty one removes it. Pending jobs of the old one are cancelled, running ones are
    /// not requeued.
    pub(crate) fn set_crontab(
        &mut self,
        caller: Caller,
        uid: Uid,
        text: String,
        jobs: Vec<JobDesc>,
        now: Time,
    ) -> Response {
        let fail = |error| Response::Err { error, messages: Vec::new() };
        if !self.scrontab_enabled() {
            return fail(SlurmError::Disabled);
        }
        if caller.uid != uid && !self.is_operator(caller.uid) {
            return fail(SlurmError::AccessDenied);
        }
        if text.len() > MAX_TEXT || jobs.len() > MAX_ENTRIES {
            return fail(SlurmError::NotSupported);
        }
        // All entries must be valid before the old crontab is replaced.
        for desc in &jobs {
            if let Err(refusal) = self.build(Box::new(desc.clone()), now) {
                return refusal.into();
            }
        }
        self.drop_crontab(uid, now);
        if !text.is_empty() {
            self.crontabs.push((uid, text));
        }
        for mut desc in jobs {
            desc.begin = desc.cron.and_then(|schedule| schedule.next(now));
            let refused = self.submit(Caller { uid }, Box::new(desc), now);
            if let Response::Err { error, messages } = refused {
                return Response::Err { error, messages };
            }
        }
        Response::Ok
    }

    fn drop_crontab(&mut self, uid: Uid, now: Time) {
        self.crontabs.retain(|c| c.0 != uid);
        let old: Vec<JobId> = self
            .pending_jobs()
            .chain(self.active_jobs())
            .filter(|j| j.uid() == uid && j.desc.cron.is_some())
            .map(|j| j.id)
            .collect();
        for id in old {
            self.edit_job(id, edit::request::leave_crontab());
            if self.jobs.get(id).is_some_and(|j| j.state == JobState::Pending && !j.flags.completing) {
                let target = crate::rpc::request::Target { job: id, task: None };
                let scope = crate::rpc::request::SignalScope::default();
                let _ = self.kill(Caller { uid: Uid(0) }, target, None, scope, false, now);
            }
        }
    }
}

impl Job {
    /// Whether it is requeued for its next time when it ends: it belongs to a crontab and was not cancelled.
    pub(crate) fn is_recurring(&self) -> bool {
        self.desc.cron.is_some() && self.ending.is_none_or(|e| e.state != JobState::Cancelled)
    }
}
