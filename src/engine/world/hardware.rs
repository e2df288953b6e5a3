//! The hardware of hosts: CPUs and memory from slurm.conf, GPUs from gres.conf and from the site's own file.

use super::World;
use config::{NodeConf, SiteGpus};
use host::{Gpu, Hardware};

/// CPUs and MiB of memory of a login node.
const LOGIN: (u32, u64) = (8, 16_384);
/// Maximum number of GPUs in a node.
const MAX_GPUS: u32 = 64;

impl World {
    /// Gives every host its hardware.
    pub(super) fn equip(&mut self) {
        let constrained = self.ctld.cluster.constrain_devices;
        let login = self.kernel.login.clone();
        let (cpus, memory) = LOGIN;
        let login_node =
            Hardware { cpus, sockets: 1, cores: cpus, threads: 1, memory, ..Hardware::default() };
        self.kernel.set_hardware(&login, login_node);
        for node in &self.ctld.nodes {
            let conf = &node.conf;
            let own = self.site.gpus.iter().find(|g| g.nodes.contains(&conf.name));
            let hardware = Hardware {
                cpus: conf.cpus,
                sockets: conf.sockets,
                cores: conf.cores_per_socket,
                threads: conf.threads_per_core,
                memory: conf.real_memory,
                gpus: gpus(conf, own),
                constrained,
            };
            self.kernel.set_hardware(&conf.name, hardware);
        }
    }
}

/// The GPUs of a node, by number.
fn gpus(conf: &NodeConf, own: Option<&SiteGpus>) -> Vec<Gpu> {
    let mut gpus = Vec::new();
    for gres in conf.gres.iter().filter(|g| g.name == "gpu") {
        let count = gres.count.min(MAX_GPUS);
        gpus.extend((0..count).map(|_| Gpu::of(gres.kind.as_deref())));
    }
    let Some(own) = own else { return gpus };
    let count = own.count.unwrap_or_else(|| u32::try_from(gpus.len()).unwrap_or(0));
    let watts = Gpu::of(None).watts;
    gpus.resize(count as usize, Gpu { watts, ..Gpu::default() });
    for gpu in &mut gpus {
        gpu.model.clone_from(&own.model);
        gpu.memory = own.memory;
        gpu.watts = gpu.watts.max(250);
    }
    gpus
}
