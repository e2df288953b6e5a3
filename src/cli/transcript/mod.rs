//! `sandbatch transcript`: replays a recorded session on a simulated cluster and prints it in the same format.

mod parse;
mod play;

use super::out::Out;
use super::site;
use parse::TranscriptItem;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Replays `file`. Clusters are directories in `clusters`, by default in a directory of that name next to the file.
///
/// # Errors
/// Describes the problem with the file or its cluster.
pub fn run(clusters: Option<&Path>, file: &Path) -> Result<u8, String> {
    let items = parse::parse(&super::replay::read(file)?);
    if !items.iter().any(|item| matches!(item, TranscriptItem::Run(_) | TranscriptItem::Until { .. })) {
        return Err(format!("{}: no commands of a recorded session", file.display()));
    }
    let dir = clusters.map_or_else(|| clusters_dir(file), Path::to_owned);
    let out = &mut std::io::BufWriter::new(Out);
    let load = |name: &str| site::read(&dir.join(name));
    play::play(&items, &load, out)?;
    out.flush().map_err(|e| e.to_string())?;
    Ok(0)
}

/// `clusters` in the file's directory, or in the one above.
fn clusters_dir(file: &Path) -> PathBuf {
    let here = file.parent().unwrap_or(Path::new(""));
    let candidates = [here.join("clusters"), here.join("../clusters")];
    let found = candidates.iter().find(|c| c.is_dir());
    found.unwrap_or(&candidates[0]).clone()
}
