//! The host functions that models of packages use: the time of their work, GPUs and their memory, and versions.

use super::NativeTable;
use crate::value::{Py, PyObject};
use crate::vm::PyVm;
use host::kernel::GpuUse;
use host::model::context::visible_gpus;

/// The GPUs visible to a process, by their index on the host.
fn visible(vm: &PyVm<'_>) -> Vec<u32> {
    let Some(process) = vm.kernel.process(vm.pid) else { return Vec::new() };
    let env: host::Env = vm.s.env.iter().cloned().collect();
    visible_gpus(&env, &process.origin.host, vm.kernel)
}

/// Memory of a GPU in MiB: total, and used by other processes.
fn memory(vm: &PyVm<'_>, index: u32) -> (u64, u64) {
    let Some(process) = vm.kernel.process(vm.pid) else { return (0, 0) };
    let host = &process.origin.host;
    let all = vm.kernel.hardware(host).and_then(|h| h.gpus.get(index as usize)).map_or(0, |g| g.memory);
    let others = vm.kernel.gpu_users(host).filter(|p| p.pid != vm.pid).flat_map(|p| &p.gpus);
    (all, others.filter(|g| g.index == index).map(|g| g.memory).sum())
}

impl PyVm<'_> {
    /// Reports the process's GPUs to the host: their utilisation and the memory that it uses on them.
    pub(crate) fn load_gpus(&mut self, load: u32) {
        self.s.gpu_load = load;
        let gpus = self
            .s
            .gpus
            .iter()
            .map(|(index, memory)| GpuUse { index: *index, load, memory: *memory })
            .collect();
        let pid = self.pid;
        self.kernel.set_gpus(pid, gpus);
    }

    /// Prints once that a model replaces a computation.
    pub(crate) fn say_model(&mut self) {
        if self.s.told {
            return;
        }
        self.s.told = true;
        let name = self.s.argv.first().map_or("python", String::as_str);
        let name = if name.is_empty() || name == "-c" || name == "-" {
            "python"
        } else {
            host::path::base_name(name)
        };
        let text = format!("{name}: simulated (not computed): see \"man sim\"\n");
        let err = self.s.stderr;
        let _ = self.write_file(err, text.as_bytes());
    }

    /// The share of time that the process gets on its GPUs, in thousandths.
    pub(crate) fn gpu_share(&self) -> u64 {
        let Some(process) = self.kernel.process(self.pid) else { return 1000 };
        let all: Vec<&GpuUse> = self.kernel.gpu_users(&process.origin.host).flat_map(|p| &p.gpus).collect();
        let full = |index: u32| all.iter().filter(|g| g.index == index).map(|g| g.load).sum::<u32>();
        self.s.gpus.iter().map(|g| u64::from(100_000 / full(g.0).max(100))).min().unwrap_or(1000).max(1)
    }
}

pub(super) const TABLE: NativeTable = &[
    ("_host.work", |vm, a, _| {
        // Microseconds of CPU time, and whether all threads share it.
        let micros = u64::try_from(vm.need_int(a, 0, "work")?).unwrap_or(0);
        vm.s.work = vm.s.work.saturating_add(micros);
        vm.s.threaded |= a.get(1) == Some(&Py::Bool(true));
        Ok(Py::None)
    }),
    ("_host.gpu_work", |vm, a, _| {
        let micros = u64::try_from(vm.need_int(a, 0, "work")?).unwrap_or(0);
        vm.s.gpu_work = vm.s.gpu_work.saturating_add(micros);
        Ok(Py::None)
    }),
    ("_host.gpus", |vm, _, _| {
        // Name and MiB of each visible GPU.
        let host = vm.kernel.process(vm.pid).map(|p| p.origin.host.clone()).unwrap_or_default();
        let mut all = Vec::new();
        for index in visible(vm) {
            let gpu = vm.kernel.hardware(&host).and_then(|h| h.gpus.get(index as usize)).cloned();
            let Some(gpu) = gpu else { continue };
            let name = vm.text(gpu.model);
            all.push(vm.tuple(vec![name, Py::Int(i64::try_from(gpu.memory).unwrap_or(0))]));
        }
        Ok(vm.list(all))
    }),
    ("_host.gpu_memory", |vm, a, _| {
        // Sets the MiB that the process uses on a GPU. Result: the free MiB afterwards, negative if there are too few.
        let device = usize::try_from(vm.need_int(a, 0, "gpu_memory")?).unwrap_or(usize::MAX);
        let wanted = u64::try_from(vm.need_int(a, 1, "gpu_memory")?).unwrap_or(0);
        let Some(index) = visible(vm).get(device).copied() else { return Ok(Py::Int(-1)) };
        let (all, others) = memory(vm, index);
        let free = i64::try_from(all).unwrap_or(0) - i64::try_from(others + wanted).unwrap_or(0);
        if free >= 0 {
            let before = vm.s.gpus.clone();
            match vm.s.gpus.iter_mut().find(|g| g.0 == index) {
                Some(gpu) => gpu.1 = wanted,
                None => vm.s.gpus.push((index, wanted)),
            }
            if vm.s.gpus != before {
                vm.load_gpus(vm.s.gpu_load);
            }
        }
        Ok(Py::Int(free))
    }),
    ("_host.tensors", |vm, _, _| {
        // The tensors that the program can still reach.
        let roots = vm.roots();
        let reachable = vm.s.heap.reachable(roots);
        let all = vm.s.heap.all().filter(|(id, o)| {
            reachable[*id as usize]
                && matches!(o, PyObject::Instance(i) if i.attrs.contains_key("_a") && i.attrs.contains_key("device"))
        });
        let all = all.map(|(id, _)| Py::Obj(id)).collect();
        Ok(vm.list(all))
    }),
    ("_host.model", |vm, _, _| {
        vm.say_model();
        Ok(Py::None)
    }),
    ("_host.version", |vm, a, _| {
        let name = vm.need_text(a, 0, "version")?;
        let version = vm.package_version(&name).unwrap_or_default();
        Ok(vm.text(version))
    }),
    ("_host.conda", |vm, a, _| {
        let name = vm.need_text(a, 0, "conda")?;
        let version = vm.conda_version(&name).unwrap_or_default();
        Ok(vm.text(version))
    }),
];
