//! The tree of shares: numbers and texts are those of `sshare -la`.

use super::{People, queue};
use crate::commands::slurm::sshare;
use crate::protocol::{ShareRow, SharesPicture};
use crate::slurmdbd::Assoc;
use crate::world::World;

/// Most rows in a frame.
const MAX_ROWS: usize = 300;

/// The tree.
pub fn picture(world: &World, people: &People) -> SharesPicture {
    let conf = &world.ctld.cluster.global.priority;
    let table = sshare::table(&queue::view(world), MAX_ROWS);
    let ids: Vec<_> = table.rows.iter().map(|(assoc, _)| assoc.id).collect();
    let place = |assoc: &Assoc| {
        let at = ids.iter().position(|id| Some(*id) == assoc.parent);
        at.and_then(|i| u32::try_from(i).ok())
    };
    let row = |(assoc, cells): (&Assoc, Vec<String>)| {
        let user = assoc.user.clone().unwrap_or_default();
        let uid = world.kernel.users.by_name(&user).map(|u| u.uid);
        ShareRow {
            id: assoc.id.0,
            parent: place(assoc),
            account: assoc.account.clone(),
            partition: assoc.partition.clone().unwrap_or_default(),
            user_index: uid.map_or(u32::MAX, |uid| queue::index(people, uid)),
            shares: assoc.shares,
            norm: assoc.fair.shares,
            effective: assoc.fair.effective,
            level: assoc.fair.level,
            factor: assoc.fair.factor,
            user,
            cells,
        }
    };
    SharesPicture {
        headings: table.headings.iter().map(|h| (*h).to_owned()).collect(),
        rows: table.rows.into_iter().map(row).collect(),
        total: u32::try_from(world.ctld.dbd.live().count()).unwrap_or(u32::MAX),
        multifactor: conf.multifactor,
        fair_tree: !conf.flags.no_fair_tree,
        weight: conf.weight_fairshare,
        half_life: conf.half_life,
        period: conf.calc_period,
        dampening: conf.dampening,
    }
}
