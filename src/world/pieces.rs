//! A world's bytes piece by piece. A long history is tens of megabytes; who must be heard of in between packs or hashes it
//! over many slices: of a copy, which shares its pages with the world that goes on meanwhile.

use super::World;
use super::image::Image;
use crate::base::cow::CowMap;
use crate::base::ids::Pid;
use crate::base::pack::{Packed, Packer};
use crate::host::kernel::Bulk;
use crate::slurmctld;

/// Bytes after which a step is over: about a millisecond of the page's worker.
const STEP: u64 = 64 << 10;

/// Pages that are dropped at a time.
const SHED: u32 = 4;

/// A copy of a world on its way to bytes.
#[derive(Clone, Debug)]
pub struct Pieces {
    /// Until all of it is packed ...
    world: Option<Box<World>>,
    /// ... and then until it is gone.
    remains: Remains,
    packer: Packer,
}

impl Pieces {
    /// Begins; with `keep` false only the hash is wanted.
    #[must_use]
    #[inline(never)] // Where the worker is cut in two (xtask).
    pub fn new(world: &World, keep: bool) -> Self {
        let world = Some(Box::new(world.clone()));
        Self { world, remains: Remains::default(), packer: Packer::new(keep) }
    }

    /// A bit of it; false when that was all.
    #[inline(never)] // Where the worker is cut in two (xtask).
    pub fn step(&mut self) -> bool {
        if self.world.as_deref().is_some_and(|world| self.packer.add_some(world, STEP)) {
            return true;
        }
        match self.world.take() {
            Some(packed) => {
                self.remains = Remains::of(*packed);
                true
            }
            None => self.remains.shed(),
        }
    }

    /// All of it, whatever of it is not done yet.
    #[must_use]
    #[inline(never)] // Where the worker is cut in two (xtask).
    pub fn finish(mut self) -> Packed {
        while self.step() {}
        self.packer.finish()
    }
}

/// What is left of a world that nobody needs any more: to drop thousands of jobs and their scripts takes its time, too.
#[derive(Clone, Debug, Default)]
pub struct Remains {
    ctld: slurmctld::Remains,
    images: CowMap<Pid, Image>,
    kernel: Bulk,
}

impl Remains {
    /// Of this world; what there are not very many of goes at once.
    #[must_use]
    #[inline(never)] // Where the worker is cut in two (xtask).
    pub fn of(mut world: World) -> Self {
        let (images, kernel) = (std::mem::take(&mut world.images), world.kernel.take_bulk());
        Self { ctld: slurmctld::Remains::of(world.ctld), images, kernel }
    }

    /// Drops some; false when nothing is left.
    #[inline(never)] // Where the worker is cut in two (xtask).
    pub fn shed(&mut self) -> bool {
        (0..SHED).all(|_| self.images.shed() || self.kernel.shed()) || self.ctld.shed()
    }
}

impl World {
    /// The world whose bytes these are; none: they are no such thing.
    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        postcard::take_from_bytes(bytes).ok().and_then(|(world, rest)| rest.is_empty().then_some(world))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::time::{Span, Time};
    use crate::config::SiteFiles;
    use crate::world::Input;

    /// A small machine on which three jobs run, with a long history.
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
    fn no_step_does_much() {
        let world = world();
        let mut pieces = Pieces::new(&world, true);
        let (mut steps, mut before) = (0, 0);
        while pieces.step() {
            let length = pieces.packer.length();
            assert!(length - before <= STEP + 8192, "step {steps}: {} bytes", length - before);
            (steps, before) = (steps + 1, length);
        }
        assert!(steps > 10, "{steps} steps for {before} bytes");
    }

    #[test]
    fn the_world_goes_on_while_it_is_packed() {
        let mut world = world();
        let before = world.hash();
        let mut pieces = Pieces::new(&world, true);
        while pieces.step() {
            let until = world.now + Span::from_secs(20);
            while world.step(until) {}
        }
        let Packed { hash, bytes, .. } = pieces.finish();
        assert_ne!(world.hash(), before, "it went on");
        assert_eq!(hash, before);
        let bytes = crate::base::pack::unpack(&bytes, 1 << 30).expect("packed bytes");
        assert_eq!(World::from_bytes(&bytes).map(|world| world.hash()), Some(before));
        assert!(World::from_bytes(&bytes[..bytes.len() - 1]).is_none(), "an end is missing");
    }
}
