//! Why a job is pending, for the page: slurmctld's verdict, and the commands that would change the request.

mod change;

use crate::session::explain::Explanation;
use protocol::why::{Remedies, Why};
use slurmctld::Slurmctld;

/// Progress of trying changes of the request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trying {
    /// More will be tried.
    Still,
    /// All were tried.
    Over,
    /// None will be tried: there are more jobs than this.
    TooMany(u64),
}

/// The answer for the page.
#[inline(never)]
pub fn answer(ctld: &Slurmctld, id: &str, explanation: Explanation, trying: Trying) -> Option<Why> {
    let Explanation { verdict, changes, eligibility_change } = explanation;
    let job = ctld.job(verdict.job)?;
    let changes = match trying {
        Trying::Still => Remedies::Trying,
        Trying::Over => {
            let starts = changes.into_iter().map(|change| change::remedy(job, change, true));
            Remedies::Found(
                starts.chain(eligibility_change.map(|change| change::remedy(job, change, false))).collect(),
            )
        }
        Trying::TooMany(most) => Remedies::NotTried { jobs: ctld.jobs.len(), most },
    };
    Some(Why { id: id.to_owned(), verdict, changes })
}
