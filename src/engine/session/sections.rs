//! The sections of a saved session, and what is packed in them: the site's files and the journal's entries.

use super::journal::JournalEntry;
use base::hash::{self, fnv1a};
use config::SiteFiles;
use std::sync::Arc;

/// Bytes before a section's contents.
pub const SECTION_HEADER: usize = 20;
/// Maximum number of sections that are read.
const MAX_SECTIONS: usize = 64;
/// Maximum size of a site's files, unpacked and packed. Files of a larger site are not saved with the session.
const MAX_SITE: (usize, usize) = (16 << 20, 2 << 20);
/// Compression level of a site's files.
const LEVEL: u8 = 6;

/// Packs a site's files for [`super::saved::SavedSession::own`]. None if they are too large.
#[must_use]
#[inline(never)] // A cut point of the deferred module (xtask).
pub fn pack_site(files: &SiteFiles) -> Option<Arc<Vec<u8>>> {
    let bytes = postcard::to_allocvec(&files.0).ok().filter(|bytes| bytes.len() <= MAX_SITE.0)?;
    let packed = miniz_oxide::deflate::compress_to_vec(&bytes, LEVEL);
    (packed.len() <= MAX_SITE.1).then(|| Arc::new(packed))
}

/// The files that [`pack_site`] has packed.
#[must_use]
pub fn unpack_site(packed: &[u8]) -> Option<SiteFiles> {
    let bytes = miniz_oxide::inflate::decompress_to_vec_with_limit(packed, MAX_SITE.0).ok()?;
    postcard::from_bytes(&bytes).ok().map(SiteFiles)
}

/// Appends a section. `sum` is the hash of its bytes.
pub fn add_section(bytes: &mut Vec<u8>, name: [u8; 4], contents: &[u8], sum: u64) {
    let length = (contents.len() as u64).to_le_bytes();
    bytes.extend_from_slice(&name);
    bytes.extend_from_slice(&length);
    bytes.extend_from_slice(&section_sum(sum, name, length).to_le_bytes());
    bytes.extend_from_slice(contents);
}

/// The checksum of a section: over its bytes, its name and its length.
fn section_sum(sum: u64, name: [u8; 4], length: [u8; 8]) -> u64 {
    hash::more(hash::more(sum, &name), &length)
}

/// A section as it was read.
pub struct SavedSection<'a> {
    pub name: [u8; 4],
    pub bytes: &'a [u8],
    /// It is complete, and its checksum is right.
    pub whole: bool,
}

/// Reads sections until the end of the bytes.
pub fn read_sections(mut rest: &[u8]) -> Vec<SavedSection<'_>> {
    let mut found = Vec::new();
    while let Some((header, after)) = rest.split_first_chunk::<SECTION_HEADER>()
        && found.len() < MAX_SECTIONS
    {
        let (mut name, mut length, mut sum) = ([0; 4], [0; 8], [0; 8]);
        name.copy_from_slice(&header[..4]);
        length.copy_from_slice(&header[4..12]);
        sum.copy_from_slice(&header[12..]);
        let long = usize::try_from(u64::from_le_bytes(length)).unwrap_or(usize::MAX);
        let (bytes, later) = after.split_at_checked(long).unwrap_or((after, &[]));
        let whole = bytes.len() == long && section_sum(fnv1a(bytes), name, length).to_le_bytes() == sum;
        found.push(SavedSection { name, bytes, whole });
        rest = later;
    }
    found
}

/// The journal's section: each entry after its length.
pub fn pack_entries(entries: &[JournalEntry]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for entry in entries {
        let encoded = entry.encode();
        bytes.extend_from_slice(&u32::try_from(encoded.len()).unwrap_or(u32::MAX).to_le_bytes());
        bytes.extend_from_slice(&encoded);
    }
    bytes
}

/// The entries up to the first one that is damaged.
pub fn unpack_entries(mut rest: &[u8]) -> Vec<JournalEntry> {
    let mut entries: Vec<JournalEntry> = Vec::new();
    while let Some((length, after)) = rest.split_first_chunk::<4>() {
        let long = usize::try_from(u32::from_le_bytes(*length)).unwrap_or(usize::MAX);
        let Some((bytes, later)) = after.split_at_checked(long) else { break };
        let Some(entry) = JournalEntry::decode(bytes) else { break };
        if entries.last().is_some_and(|last| last.seq >= entry.seq) {
            break;
        }
        entries.push(entry);
        rest = later;
    }
    entries
}

/// Entries of a branch for `#[serde(with)]`, each encoded.
pub mod encoded_entries {
    use super::JournalEntry;
    use serde::de::{Deserialize, Deserializer, Error as _};
    use serde::ser::{Serialize, Serializer};

    pub fn serialize<S: Serializer>(entries: &[JournalEntry], serializer: S) -> Result<S::Ok, S::Error> {
        entries.iter().map(JournalEntry::encode).collect::<Vec<_>>().serialize(serializer)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<JournalEntry>, D::Error> {
        let all = Vec::<Vec<u8>>::deserialize(deserializer)?;
        let entries: Option<Vec<_>> = all.iter().map(|bytes| JournalEntry::decode(bytes)).collect();
        entries.ok_or_else(|| D::Error::custom("a damaged entry"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_large_site_is_not_saved() {
        let mut n = 1_u64;
        let mut letter = || {
            n = n.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            char::from(b'!' + ((n >> 33) % 90) as u8)
        };
        let noise: String = (0..3 << 20).map(|_| letter()).collect();
        assert_eq!(pack_site(&SiteFiles([("noise".into(), noise)].into())), None);
    }
}
