//! State as few bytes: serialised, hashed and compressed block by block, so that a long history is never in memory as a
//! whole, and takes a small part of it when it is kept.

use lz4_flex::block::{compress, decompress};
use postcard::ser_flavors::Flavor;
use serde::Serialize;

/// Bytes that are compressed at once.
const BLOCK: usize = 1 << 16;

/// Where serialised bytes go. One type for hashing and packing: in WebAssembly each would cost all of the state's code.
struct Packer {
    block: Vec<u8>,
    hash: u64,
    /// The packed blocks, each after its packed length; none: only the hash is wanted.
    packed: Option<Vec<u8>>,
}

impl Packer {
    fn new(packed: Option<Vec<u8>>) -> Self {
        Self { block: Vec::with_capacity(BLOCK), hash: super::hash::SEED, packed }
    }

    fn flush(&mut self) {
        self.hash = super::hash::more(self.hash, &self.block);
        if let Some(packed) = &mut self.packed {
            let block = compress(&self.block);
            // Doubled, tens of megabytes would leave as much memory behind that nobody needs again.
            if packed.capacity() - packed.len() < block.len() + 4 {
                packed.reserve_exact(block.len() + 4 + packed.len() / 8);
            }
            packed.extend_from_slice(&(block.len() as u32).to_le_bytes());
            packed.extend_from_slice(&block);
        }
        self.block.clear();
    }
}

impl Flavor for Packer {
    type Output = (u64, Vec<u8>);

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

    fn finalize(mut self) -> postcard::Result<Self::Output> {
        if !self.block.is_empty() {
            self.flush();
        }
        Ok((self.hash, self.packed.unwrap_or_default()))
    }
}

fn through<T: Serialize + ?Sized>(value: &T, packer: Packer) -> (u64, Vec<u8>) {
    // Plain data always encodes; an error would be a bug in a type's Serialize.
    postcard::serialize_with_flavor(value, packer).unwrap_or_default()
}

/// The hash of a value's bytes.
#[must_use]
pub fn hash<T: Serialize + ?Sized>(value: &T) -> u64 {
    through(value, Packer::new(None)).0
}

/// The hash of a value's bytes, and the bytes, packed.
#[must_use]
pub fn pack<T: Serialize + ?Sized>(value: &T) -> (u64, Vec<u8>) {
    through(value, Packer::new(Some(Vec::new())))
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

    #[test]
    fn what_is_packed_comes_back() {
        for long in [0, 1, 1000, BLOCK - 3, BLOCK, BLOCK + 1, 3 * BLOCK + 17] {
            let value: Vec<u8> = (0..long).map(|i| (i / 40 % 251) as u8).collect();
            let plain = postcard::to_allocvec(&value).expect("bytes are plain data");
            let (sum, packed) = pack(&value);
            assert_eq!((sum, hash(&value)), (fnv1a(&plain), fnv1a(&plain)), "{long}");
            assert_eq!(unpack(&packed, plain.len()).as_deref(), Some(plain.as_slice()), "{long}");
            assert_eq!(unpack(&packed, plain.len() - 1), None, "{long}: more than wanted");
            assert!(packed.len() < 64 + plain.len() / 3, "{long}: {} bytes", packed.len());
        }
    }

    #[test]
    fn what_is_no_pack_is_refused() {
        let (_, packed) = pack(&vec![7_u8; 300]);
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
