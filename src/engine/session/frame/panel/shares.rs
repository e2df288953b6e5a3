//! The tree of shares, with the numbers and texts of `sshare -la`.

use crate::session::frame::{People, queue};
use crate::world::World;
use base::ids::AssocId;
use commands::slurm::jobtext::JobView;
use commands::slurm::sshare;
use protocol::{ShareRow, SharesHypothesis, SharesPicture};
use slurmctld::Slurmctld;
use slurmdbd::Assoc;

/// Most rows in a frame.
const MAX_ROWS: usize = 300;

/// Milliseconds between two what-if results. Each needs a copy of the controller.
const REST: u32 = 1000;

/// Computes what-if results at a limited rate.
#[derive(Default)]
pub struct SharesCache {
    hypothesis: SharesHypothesis,
    rest: u32,
}

impl SharesCache {
    /// Lets real time pass.
    pub const fn tick(&mut self, millis: u32) {
        self.rest = self.rest.saturating_sub(millis);
    }

    /// The tree as it is, or as it would be. None if it was sent a moment ago.
    pub fn picture(
        &mut self,
        world: &World,
        hypothesis: SharesHypothesis,
        people: &People,
    ) -> Option<SharesPicture> {
        let (hypothesis, supposed) = suppose(world, hypothesis);
        let Some(ctld) = supposed else { return Some(picture(world, &world.ctld, hypothesis, people)) };
        if self.rest > 0 && self.hypothesis == hypothesis {
            return None;
        }
        (self.hypothesis, self.rest) = (hypothesis, REST);
        Some(picture(world, &ctld(), hypothesis, people))
    }
}

/// The requested changes that differ from the current values, and a controller with these applied.
fn suppose(
    world: &World,
    hypothesis: SharesHypothesis,
) -> (SharesHypothesis, Option<impl FnOnce() -> Slurmctld + '_>) {
    let ctld = &world.ctld;
    let other =
        |(id, shares): &(u32, u32)| ctld.dbd.assoc(AssocId(*id)).is_some_and(|a| a.shares != Some(*shares));
    let hypothesis = SharesHypothesis {
        shares: hypothesis.shares.filter(other),
        half_life: hypothesis.half_life.filter(|h| *h != ctld.cluster.global.priority.half_life),
    };
    let make = move || {
        let mut ctld = ctld.clone();
        if let Some((id, shares)) = hypothesis.shares {
            ctld.suppose_shares(AssocId(id), shares);
        }
        if let Some(half_life) = hypothesis.half_life {
            ctld.suppose_half_life(half_life, world.now);
        }
        ctld
    };
    (hypothesis, (hypothesis != SharesHypothesis::default()).then_some(make))
}

fn picture(world: &World, ctld: &Slurmctld, hypothesis: SharesHypothesis, people: &People) -> SharesPicture {
    let conf = &ctld.cluster.global.priority;
    let view = JobView { state: ctld, ..queue::view(world) };
    let table = sshare::table(&view, MAX_ROWS);
    let ids: Vec<_> = table.rows.iter().map(|(assoc, _)| assoc.id).collect();
    let index_of = |assoc: &Assoc| {
        let at = ids.iter().position(|id| Some(*id) == assoc.parent);
        at.and_then(|i| u32::try_from(i).ok())
    };
    let row = |(assoc, cells): (&Assoc, Vec<String>)| {
        let user = assoc.user.clone().unwrap_or_default();
        let uid = world.kernel.users.by_name(&user).map(|u| u.uid);
        ShareRow {
            id: assoc.id.0,
            parent: index_of(assoc),
            account: assoc.account.clone(),
            partition: assoc.partition.clone().unwrap_or_default(),
            user_index: uid.map_or(u32::MAX, |uid| queue::index(people, uid)),
            shares: assoc.shares,
            norm: assoc.fair.shares,
            effective: assoc.fair.effective,
            level: assoc.fair.level,
            factor: assoc.fair.factor,
            before: world.ctld.dbd.assoc(assoc.id).map_or(0.0, |a| a.fair.factor),
            user,
            cells,
        }
    };
    SharesPicture {
        hypothesis,
        headings: table.headings.iter().map(|h| (*h).to_owned()).collect(),
        rows: table.rows.into_iter().map(row).collect(),
        total: u32::try_from(ctld.dbd.live().count()).unwrap_or(u32::MAX),
        multifactor: conf.multifactor,
        fair_tree: !conf.flags.no_fair_tree,
        weight: conf.weight_fairshare,
        half_life: conf.half_life,
        period: conf.calc_period,
        dampening: conf.dampening,
    }
}
