//! State as few bytes: serialised, hashed and compressed block by block, so that a long history is never in memory as a
//! whole, and takes a small part of it when it is kept.

pub mod chunks;
mod walk;

use lz4_flex::block::{compress, decompress};
use postcard::ser_flavors::Flavor;
use serde::Serialize;

/// Bytes that are compressed at once.
const BLOCK: usize = 1 << 16;

/// Where serialised bytes go, one value after the other, each in one go or bit by bit. One type for hashing and packing: in
/// WebAssembly each would cost all of the state's code.
#[derive(Clone, Debug)]
pub struct Packer {
    sink: Sink,
    /// Where the walk over the present value stopped; empty: it is at its end.
    path: Vec<u32>,
}

/// What becomes of the bytes.
#[derive(Clone, Debug)]
struct Sink {
    block: Vec<u8>,
    hash: u64,
    /// Bytes of the blocks before.
    before: u64,
    /// The packed blocks, each after its packed length; none: only the hash is wanted.
    packed: Option<Vec<u8>>,
    /// The hash of the packed blocks.
    sum: u64,
}

/// What was packed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Packed {
    /// The hash of the serialised bytes.
    pub hash: u64,
    /// They, packed; empty if only the hash was wanted.
    pub bytes: Vec<u8>,
    /// The hash of the packed bytes.
    pub sum: u64,
}

impl Packer {
    /// One without bytes yet; with `keep` false it only hashes.
    #[must_use]
    pub fn new(keep: bool) -> Self {
        use crate::base::hash::SEED;
        let packed = keep.then(Vec::new);
        let sink = Sink { block: Vec::with_capacity(BLOCK), hash: SEED, before: 0, packed, sum: SEED };
        Self { sink, path: Vec::new() }
    }

    /// Takes a value's bytes.
    pub fn add<T: Serialize + ?Sized>(&mut self, value: &T) {
        while self.add_some(value, u64::MAX) {}
    }

    /// Takes at most about `most` of a value's bytes, fewer where it is made of many small things, from where it stopped the last time on; false when that was all. The value is the
    /// same until then.
    pub fn add_some<T: Serialize + ?Sized>(&mut self, value: &T, most: u64) -> bool {
        walk::Walk::some(value, &mut self.path, &mut self.sink, most);
        !self.path.is_empty()
    }

    /// How many bytes came, before they were packed.
    #[must_use]
    pub const fn length(&self) -> u64 {
        self.sink.length()
    }

    /// All that came.
    #[must_use]
    pub fn finish(mut self) -> Packed {
        if !self.sink.block.is_empty() {
            self.sink.flush();
        }
        let Sink { hash, packed, sum, .. } = self.sink;
        Packed { hash, bytes: packed.unwrap_or_default(), sum }
    }
}

impl Sink {
    const fn length(&self) -> u64 {
        self.before + self.block.len() as u64
    }

    fn flush(&mut self) {
        self.hash = crate::base::hash::more(self.hash, &self.block);
        self.before += self.block.len() as u64;
        if let Some(packed) = &mut self.packed {
            let block = compress(&self.block);
            // Doubled, tens of megabytes would leave as much memory behind that nobody needs again.
            if packed.capacity() - packed.len() < block.len() + 4 {
                packed.reserve_exact(block.len() + 4 + packed.len() / 8);
            }
            let from = packed.len();
            packed.extend_from_slice(&(block.len() as u32).to_le_bytes());
            packed.extend_from_slice(&block);
            self.sum = crate::base::hash::more(self.sum, packed.get(from..).unwrap_or_default());
        }
        self.block.clear();
    }
}

impl Flavor for &mut Sink {
    type Output = ();

    fn try_extend(&mut self, mut data: &[u8]) -> postcard::Result<()> {
        while !data.is_empty() {
            let (now, rest) = data.split_at(data.len().min(BLOCK - self.block.len()));
            self.block.extend_from_slice(now);
            if self.block.len() == BLOCK {
                self.flush();
            }
            data = rest;
        }
        Ok(())
    }

    fn try_push(&mut self, byte: u8) -> postcard::Result<()> {
        self.block.push(byte);
        if self.block.len() == BLOCK {
            self.flush();
        }
        Ok(())
    }

    fn finalize(self) -> postcard::Result<()> {
        Ok(())
    }
}

/// The hash of a value's bytes.
#[must_use]
pub fn hash<T: Serialize + ?Sized>(value: &T) -> u64 {
    let mut packer = Packer::new(false);
    packer.add(value);
    packer.finish().hash
}

/// The bytes that were packed; none: they are no packed bytes, or more than `most`.
#[must_use]
pub fn unpack(mut packed: &[u8], most: usize) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    while !packed.is_empty() {
        let (length, rest) = packed.split_first_chunk::<4>()?;
        let (block, rest) = rest.split_at_checked(u32::from_le_bytes(*length) as usize)?;
        bytes.extend_from_slice(&decompress(block, BLOCK).ok()?);
        if bytes.len() > most {
            return None;
        }
        packed = rest;
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::hash::fnv1a;

    fn pack<T: Serialize>(value: &T) -> Packed {
        let mut packer = Packer::new(true);
        packer.add(value);
        packer.finish()
    }

    #[test]
    fn what_is_packed_comes_back() {
        for long in [0, 1, 1000, BLOCK - 3, BLOCK, BLOCK + 1, 3 * BLOCK + 17] {
            let value: Vec<u8> = (0..long).map(|i| (i / 40 % 251) as u8).collect();
            let plain = postcard::to_allocvec(&value).expect("bytes are plain data");
            let Packed { hash: sum, bytes: packed, sum: packed_sum } = pack(&value);
            assert_eq!((sum, hash(&value)), (fnv1a(&plain), fnv1a(&plain)), "{long}");
            assert_eq!(packed_sum, fnv1a(&packed), "{long}");
            assert_eq!(unpack(&packed, plain.len()).as_deref(), Some(plain.as_slice()), "{long}");
            assert_eq!(unpack(&packed, plain.len() - 1), None, "{long}: more than wanted");
            assert!(packed.len() < 64 + plain.len() / 3, "{long}: {} bytes", packed.len());
        }
    }

    #[test]
    fn what_is_no_pack_is_refused() {
        let packed = pack(&vec![7_u8; 300]).bytes;
        for end in 1..packed.len() {
            assert_eq!(unpack(&packed[..end], 1 << 20), None, "cut at {end}");
        }
        assert_eq!(unpack(&[255; 40], 1 << 20), None);
        // A block may not say that it is longer than blocks are.
        let long = compress(&vec![0; 4 * BLOCK]);
        let bad = [&(long.len() as u32).to_le_bytes()[..], &long].concat();
        assert_eq!(unpack(&bad, 1 << 30), None);
    }
}
