//! A world's bytes piece by piece. A long history is tens of megabytes; who must be heard of in between packs or hashes it
//! over many slices: of a copy, which shares its pages with the world that goes on meanwhile.
//!
//! First comes the world without its nodes and large maps, then each of those page by page, with an empty piece at its end.

use super::World;
use super::image::Image;
use crate::base::cow::CowMap;
use crate::base::ids::{DbIndex, JobId, Pid};
use crate::base::pack::{Packed, Packer};
use crate::base::shared::Shared;
use crate::host::kernel::Bulk;
use crate::slurmctld::job::Job;
use crate::slurmctld::node::Node;
use crate::slurmdbd::JobRecord;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// Bytes after which a step is over: about a millisecond of the page's worker.
const STEP: u64 = 32 << 10;

/// Pages that are dropped at a time.
const SHED: u32 = 4;
/// Of a list that has no pages, so many at a time.
const SOME: usize = 32;

/// What there may be very many of.
#[derive(Clone, Debug, Default)]
struct Maps {
    nodes: Shared<Node>,
    jobs: CowMap<JobId, Job>,
    records: CowMap<DbIndex, JobRecord>,
    images: CowMap<Pid, Image>,
    kernel: Bulk,
}

/// A copy of a world on its way to bytes.
#[derive(Clone, Debug)]
pub struct Pieces {
    /// Until it is packed.
    rest: Option<Box<World>>,
    maps: Maps,
    /// Which of the maps is next, and which of its pages.
    map: u32,
    page: usize,
    packer: Packer,
}

impl Pieces {
    /// Begins; with `keep` false only the hash is wanted.
    #[must_use]
    #[inline(never)] // Where the worker is cut in two (xtask).
    pub fn new(world: &World, keep: bool) -> Self {
        let mut rest = world.clone();
        let maps = rest.take_maps();
        Self { rest: Some(Box::new(rest)), maps, map: 0, page: 0, packer: Packer::new(keep) }
    }

    /// A bit of it; false when that was all.
    #[inline(never)] // Where the worker is cut in two (xtask).
    pub fn step(&mut self) -> bool {
        if let Some(rest) = self.rest.take() {
            self.packer.add(&*rest);
            return true;
        }
        let until = self.packer.length() + STEP;
        while self.packer.length() < until {
            let (maps, page, packer) = (&self.maps, self.page, &mut self.packer);
            let more = match self.map {
                0 => add_some(packer, &maps.nodes, page),
                1 => add(packer, &maps.jobs, page),
                2 => add(packer, &maps.records, page),
                3 => add(packer, &maps.images, page),
                4 => add(packer, &maps.kernel.processes, page),
                5 => add(packer, &maps.kernel.files, page),
                6 => add(packer, &maps.kernel.groups, page),
                7 => add(packer, &maps.kernel.inodes, page),
                _ => return false,
            };
            (self.map, self.page) = if more { (self.map, page + 1) } else { (self.map + 1, 0) };
        }
        true
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
#[derive(Clone, Debug)]
pub struct Remains(Maps);

impl Remains {
    /// Of this world.
    #[must_use]
    #[inline(never)] // Where the worker is cut in two (xtask).
    pub fn of(mut world: World) -> Self {
        Self(world.take_maps())
    }

    /// Drops some; false when nothing is left.
    #[inline(never)] // Where the worker is cut in two (xtask).
    pub fn shed(&mut self) -> bool {
        let Self(Maps { nodes: _, jobs, records, images, kernel }) = self;
        (0..SHED).all(|_| {
            images.shed() || jobs.shed() || kernel.processes.shed() || kernel.inodes.shed() || records.shed()
        })
    }
}

/// Adds a page, or the end.
fn add<K, V>(packer: &mut Packer, map: &CowMap<K, V>, page: usize) -> bool
where
    K: Into<u64> + Copy,
    V: Clone + Serialize,
{
    let piece = map.piece(page);
    packer.add(&piece.clone().unwrap_or_default());
    piece.is_some()
}

/// Adds some of a list, or the end.
fn add_some<T: Serialize>(packer: &mut Packer, list: &Shared<T>, page: usize) -> bool {
    let some: Vec<&T> = list.iter().skip(page.saturating_mul(SOME)).take(SOME).collect();
    packer.add(&some);
    !some.is_empty()
}

/// Reads a list up to its end.
fn take_list<T: DeserializeOwned>(bytes: &mut &[u8]) -> Option<Shared<T>> {
    let mut list = Shared::default();
    loop {
        let (some, rest) = postcard::take_from_bytes::<Vec<T>>(bytes).ok()?;
        *bytes = rest;
        if some.is_empty() {
            return Some(list);
        }
        some.into_iter().for_each(|thing| list.push(thing));
    }
}

/// Reads pages up to the end.
fn take<K, V>(bytes: &mut &[u8]) -> Option<CowMap<K, V>>
where
    K: Into<u64> + Copy,
    V: Clone + DeserializeOwned,
{
    let mut map = CowMap::default();
    loop {
        let (piece, rest) = postcard::take_from_bytes::<CowMap<K, V>>(bytes).ok()?;
        *bytes = rest;
        if piece.is_empty() {
            return Some(map);
        }
        map.append(piece);
    }
}

impl World {
    /// The world whose pieces these are; none: they are no such thing.
    #[must_use]
    pub fn from_pieces(bytes: &[u8]) -> Option<Self> {
        let (mut world, mut rest) = postcard::take_from_bytes::<Self>(bytes).ok()?;
        let bytes = &mut rest;
        world.ctld.nodes = take_list(bytes)?;
        world.ctld.jobs = take(bytes)?;
        world.ctld.dbd.jobs = take(bytes)?;
        world.images = take(bytes)?;
        let (processes, files) = (take(bytes)?, take(bytes)?);
        world.kernel.put_bulk(Bulk { processes, files, groups: take(bytes)?, inodes: take(bytes)? });
        rest.is_empty().then_some(world)
    }

    /// Leaves the world without what there may be very many of.
    fn take_maps(&mut self) -> Maps {
        Maps {
            nodes: std::mem::take(&mut self.ctld.nodes),
            jobs: std::mem::take(&mut self.ctld.jobs),
            records: std::mem::take(&mut self.ctld.dbd.jobs),
            images: std::mem::take(&mut self.images),
            kernel: self.kernel.take_bulk(),
        }
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
            // A step goes on to the end of a page of 32 entries, and what is added is packed by whole blocks.
            assert!(length - before <= 2 * STEP + (96 << 10), "step {steps}: {} bytes", length - before);
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
        assert_eq!(World::from_pieces(&bytes).map(|world| world.hash()), Some(before));
        assert!(World::from_pieces(&bytes[..bytes.len() - 1]).is_none(), "an end is missing");
    }
}
