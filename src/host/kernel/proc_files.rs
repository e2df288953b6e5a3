//! `/proc/cpuinfo` and `/proc/meminfo`: the host's CPUs, and its memory at this moment.

use super::super::fs::{Device, Ino, InodeContent};
use super::Kernel;
use base::ids::Pid;
use std::fmt::Write as _;

/// Sockets, cores per socket, threads per core and MiB of a host without hardware of its own.
const USUAL: (u32, u32, u32, u64) = (1, 8, 1, 16_384);

impl Kernel {
    /// The text of a file in `/proc`, as a process on its host reads it; none if the inode is another file.
    #[must_use]
    pub fn proc_text(&self, pid: Pid, ino: Ino) -> Option<String> {
        let InodeContent::Device(device @ (Device::CpuInfo | Device::MemInfo)) = self.fs.inode(ino)?.node
        else {
            return None;
        };
        let host = &self.process(pid)?.origin.host;
        let known = self.hardware(host);
        let (sockets, cores, threads, memory) =
            known.map_or(USUAL, |h| (h.sockets.max(1), h.cores.max(1), h.threads.max(1), h.memory));
        Some(match device {
            Device::CpuInfo => cpus(sockets, cores, threads),
            _ => memory_text(memory, self.host_memory(host)),
        })
    }
}

/// One paragraph for each CPU. Threads of a core are numbered one after the other, as in the node's allocation.
fn cpus(sockets: u32, cores: u32, threads: u32) -> String {
    let mut text = String::new();
    let per_socket = cores.saturating_mul(threads);
    for cpu in 0..sockets.saturating_mul(per_socket).min(4096) {
        let (socket, core) = (cpu / per_socket, cpu % per_socket / threads);
        let _ = write!(
            text,
            "processor\t: {cpu}\nvendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel name\t: Simulated CPU @ 2.60GHz\n\
             cpu MHz\t\t: 2600.000\nphysical id\t: {socket}\nsiblings\t: {per_socket}\ncore id\t\t: {core}\n\
             cpu cores\t: {cores}\napicid\t\t: {cpu}\n\n"
        );
    }
    text
}

fn memory_text(total: u64, used: u64) -> String {
    let (total, used) = (total * 1024, used.min(total) * 1024);
    let free = total - used;
    let rows = [
        ("MemTotal", total),
        ("MemFree", free),
        ("MemAvailable", free),
        ("Buffers", 0),
        ("Cached", 0),
        ("SwapCached", 0),
        ("SwapTotal", 0),
        ("SwapFree", 0),
    ];
    rows.iter().fold(String::new(), |mut text, (name, size)| {
        let _ = writeln!(text, "{:<16}{size:>8} kB", format!("{name}:"));
        text
    })
}
