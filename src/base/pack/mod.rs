//! Packs state: serialises, hashes and compresses it block by block.
//!
//! Cost: memory stays at one block plus the compressed output, whatever the size of the state.

pub mod chunks;
mod incremental;

use lz4_flex::block::{compress, decompress};
use postcard::ser_flavors::Flavor;
use serde::Serialize;

/// Bytes per compressed block.
const BLOCK: usize = 1 << 16;

/// Hashes or packs serialised values, each in one call or incrementally. One type serves both, because in
/// WebAssembly each would instantiate the serialisation of the whole state.
#[derive(Clone, Debug)]
pub struct Packer {
    sink: ByteSink,
    /// The path at which the incremental write of the current value stopped; empty at its end.
    path: Vec<u32>,
}

/// Receives the serialised bytes.
#[derive(Clone, Debug)]
struct ByteSink {
    block: Vec<u8>,
    hash: u64,
    /// Bytes in the preceding blocks.
    before: u64,
    /// The compressed blocks, each preceded by its compressed length; `None` if only the hash is wanted.
    packed: Option<Vec<u8>>,
    /// The hash of the compressed blocks.
    sum: u64,
}

/// A packed value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Packed {
    /// The hash of the serialised bytes.
    pub hash: u64,
    /// The compressed bytes; empty if only the hash was wanted.
    pub bytes: Vec<u8>,
    /// The hash of the compressed bytes.
    pub sum: u64,
}

impl Packer {
    /// An empty packer; with `keep` false it only hashes.
    #[must_use]
    pub fn new(keep: bool) -> Self {
        use crate::hash::SEED;
        let packed = keep.then(Vec::new);
        let sink = ByteSink { block: Vec::with_capacity(BLOCK), hash: SEED, before: 0, packed, sum: SEED };
        Self { sink, path: Vec::new() }
    }

    /// Adds a value.
    pub fn add<T: Serialize + ?Sized>(&mut self, value: &T) {
        while self.add_some(value, u64::MAX) {}
    }

    /// Adds about `most` more bytes of a value, continuing where the last call stopped; fewer bytes if the
    /// value consists of many small parts. Returns false when the value is complete. The value must not
    /// change in between.
    pub fn add_some<T: Serialize + ?Sized>(&mut self, value: &T, most: u64) -> bool {
        incremental::IncrementalWriter::write_some(value, &mut self.path, &mut self.sink, most);
        !self.path.is_empty()
    }

    /// The number of serialised bytes so far.
    #[must_use]
    pub const fn length(&self) -> u64 {
        self.sink.length()
    }

    /// Finishes and returns the packed value.
    #[must_use]
    pub fn finish(mut self) -> Packed {
        if !self.sink.block.is_empty() {
            self.sink.flush();
        }
        let ByteSink { hash, packed, sum, .. } = self.sink;
        Packed { hash, bytes: packed.unwrap_or_default(), sum }
    }
}

impl ByteSink {
    const fn length(&self) -> u64 {
        self.before + self.block.len() as u64
    }

    fn flush(&mut self) {
        self.hash = crate::hash::more(self.hash, &self.block);
        self.before += self.block.len() as u64;
        if let Some(packed) = &mut self.packed {
            let block = compress(&self.block);
            // Doubling would leave tens of megabytes unused at the end.
            if packed.capacity() - packed.len() < block.len() + 4 {
                packed.reserve_exact(block.len() + 4 + packed.len() / 8);
            }
            let from = packed.len();
            packed.extend_from_slice(&(block.len() as u32).to_le_bytes());
            packed.extend_from_slice(&block);
            self.sum = crate::hash::more(self.sum, packed.get(from..).unwrap_or_default());
        }
        self.block.clear();
    }
}

impl Flavor for &mut ByteSink {
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

/// The hash of a value's serialised bytes.
#[must_use]
pub fn hash<T: Serialize + ?Sized>(value: &T) -> u64 {
    let mut packer = Packer::new(false);
    packer.add(value);
    packer.finish().hash
}

/// Decompresses packed bytes; `None` if they are invalid or longer than `most`.
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
    use crate::hash::fnv1a;

    fn pack<T: Serialize>(value: &T) -> Packed {
        let mut packer = Packer::new(true);
        packer.add(value);
        packer.finish()
    }

    #[test]
    fn packed_values_round_trip() {
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
    fn invalid_packs_are_refused() {
        let packed = pack(&vec![7_u8; 300]).bytes;
        for end in 1..packed.len() {
            assert_eq!(unpack(&packed[..end], 1 << 20), None, "cut at {end}");
        }
        assert_eq!(unpack(&[255; 40], 1 << 20), None);
        // Reject a block that claims more than the block size.
        let long = compress(&vec![0; 4 * BLOCK]);
        let bad = [&(long.len() as u32).to_le_bytes()[..], &long].concat();
        assert_eq!(unpack(&bad, 1 << 30), None);
    }
}
