//! Serialising and freeing a world in steps. A long history is tens of megabytes, so a worker that must stay
//! responsive packs or hashes it over many slices. It works on a copy, which shares pages with the running
//! world.

use super::World;
use super::image::Image;
use base::cow::CowMap;
use base::ids::Pid;
use base::pack::{Packed, Packer};
use host::kernel::Bulk;
use slurmctld;

/// Bytes per step: about a millisecond of the page's worker.
const STEP: u64 = 64 << 10;

/// Pages freed per step.
const SHED: u32 = 4;

/// An incremental serialiser that owns a copy of a world.
#[derive(Clone, Debug)]
pub struct WorldWriter {
    /// The copy, until all of it is packed.
    world: Option<Box<World>>,
    /// The parts of the world that are still to be freed.
    teardown: WorldTeardown,
    packer: Packer,
}

impl WorldWriter {
    /// Starts the serialisation. If `keep` is false, only the hash is computed.
    #[must_use]
    #[inline(never)] // A cut point of the deferred module (xtask).
    pub fn new(world: &World, keep: bool) -> Self {
        let world = Some(Box::new(world.clone()));
        Self { world, teardown: WorldTeardown::default(), packer: Packer::new(keep) }
    }

    /// Does one step. False when the serialisation is complete.
    #[inline(never)] // A cut point of the deferred module (xtask).
    pub fn step(&mut self) -> bool {
        if self.world.as_deref().is_some_and(|world| self.packer.add_some(world, STEP)) {
            return true;
        }
        match self.world.take() {
            Some(packed) => {
                self.teardown = WorldTeardown::of(*packed);
                true
            }
            None => self.teardown.free_some(),
        }
    }

    /// Completes all remaining steps.
    #[must_use]
    #[inline(never)] // A cut point of the deferred module (xtask).
    pub fn finish(mut self) -> Packed {
        while self.step() {}
        self.packer.finish()
    }
}

/// A world that is no longer needed. Freeing thousands of jobs and their scripts takes time, so it is done in steps.
#[derive(Clone, Debug, Default)]
pub struct WorldTeardown {
    ctld: slurmctld::Teardown,
    images: CowMap<Pid, Image>,
    kernel: Bulk,
}

impl WorldTeardown {
    /// Starts to free a world. The small collections are freed immediately.
    #[must_use]
    #[inline(never)] // A cut point of the deferred module (xtask).
    pub fn of(mut world: World) -> Self {
        let (images, kernel) = (std::mem::take(&mut world.images), world.kernel.take_bulk());
        Self { ctld: slurmctld::Teardown::of(world.ctld), images, kernel }
    }

    /// Frees some pages. False when nothing is left.
    #[inline(never)] // A cut point of the deferred module (xtask).
    pub fn free_some(&mut self) -> bool {
        (0..SHED).all(|_| self.images.drop_some() || self.kernel.drop_some()) || self.ctld.drop_some()
    }
}

impl World {
    /// The world with these bytes; none if they are invalid.
    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (mut world, rest) = postcard::take_from_bytes::<Self>(bytes).ok()?;
        if !rest.is_empty() {
            let (shares, rest) = postcard::take_from_bytes(rest).ok()?;
            world.shares = shares;
            // Written only if there are any.
            return (rest.is_empty() && !world.shares.is_empty()).then_some(world);
        }
        Some(world)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::Input;
    use base::time::{Span, Time};
    use config::SiteFiles;

    /// A small machine with three running jobs and a long history.
    fn world() -> World {
        let conf = "ClusterName=c\nSlurmctldHost=h\nNodeName=n[1-4] CPUs=8 RealMemory=1000\nPartitionName=p Nodes=ALL Default=YES\n";
        let files = SiteFiles([("slurm.conf".to_owned(), conf.to_owned())].into());
        let (mut world, _) = World::new("c", &files, 1, Time::from_secs(1_795_240_458));
        let command = "sbatch --array=1-3 --mem=1 --wrap 'sleep 600'".to_owned();
        world.apply(&Input::Run { user: "root".to_owned(), command });
        let until = world.now + Span::from_secs(60);
        while world.step(until) {}
        let like = world.ctld.dbd.jobs.values().next().cloned().expect("a job");
        for _ in 0..5_000 {
            world.ctld.dbd.job_start(like.clone());
        }
        world
    }

    #[test]
    fn steps_are_bounded() {
        let world = world();
        let mut pieces = WorldWriter::new(&world, true);
        let (mut steps, mut before) = (0, 0);
        while pieces.step() {
            let length = pieces.packer.length();
            assert!(length - before <= STEP + 8192, "step {steps}: {} bytes", length - before);
            (steps, before) = (steps + 1, length);
        }
        assert!(steps > 10, "{steps} steps for {before} bytes");
    }

    #[test]
    fn the_world_can_change_while_it_is_packed() {
        let mut world = world();
        let before = world.hash();
        let mut pieces = WorldWriter::new(&world, true);
        while pieces.step() {
            let until = world.now + Span::from_secs(20);
            while world.step(until) {}
        }
        let Packed { hash, bytes, .. } = pieces.finish();
        assert_ne!(world.hash(), before, "it went on");
        assert_eq!(hash, before);
        let bytes = base::pack::unpack(&bytes, 1 << 30).expect("packed bytes");
        assert_eq!(World::from_bytes(&bytes).map(|world| world.hash()), Some(before));
        assert!(World::from_bytes(&bytes[..bytes.len() - 1]).is_none(), "an end is missing");
    }
}
