//! `SelectType` and `SelectTypeParameters` of slurm.conf(5): the consumable resources and how they are
//! selected.

use super::lines::{DiagnosticLog, LineOptions};
use super::value::{words, yes};
use serde::{Deserialize, Serialize};

/// `SelectType` and `SelectTypeParameters`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "named as the keys of slurm.conf")]
pub struct Select {
    /// select/linear: allocate whole nodes.
    pub linear: bool,
    pub unit: SelectUnit,
    pub memory: bool,
    pub lln: bool,
    pub pack_nodes: bool,
    pub one_task_per_core: bool,
    /// `CR_CORE_DEFAULT_DIST_BLOCK`: distribute cores in blocks unless `-m` says otherwise.
    pub block_cores: bool,
    /// `MULTIPLE_SHARING_GRES_PJ`: a job may use shares of several GPUs on a node.
    pub multiple_sharing: bool,
    /// `ENFORCE_BINDING_GRES`: allocate only cores close to the job's devices.
    pub enforce_binding: bool,
    /// `AllowSpecResourcesUsage`: `--core-spec` takes effect.
    pub core_spec: bool,
}

/// The consumable unit of cons_tres.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "named as the values in the configuration")]
pub enum SelectUnit {
    Cpu,
    Core,
    Socket,
}

impl Select {
    /// The defaults: cores are consumable.
    const PLAIN: Self = Self {
        linear: false,
        unit: SelectUnit::Core,
        memory: false,
        lln: false,
        pack_nodes: false,
        one_task_per_core: false,
        block_cores: false,
        multiple_sharing: false,
        enforce_binding: false,
        core_spec: false,
    };
}

/// Parses both keys.
pub(super) fn read(o: &LineOptions<'_>, report: &mut DiagnosticLog) -> Select {
    let kind = |t: &str| {
        let lower = t.to_ascii_lowercase();
        let name = lower.strip_prefix("select/").unwrap_or(&lower);
        // cons_tres replaced cons_res; treat old files alike.
        ["cons_tres", "cons_res", "linear"].into_iter().find(|k| *k == name)
    };
    let linear = o.get(report, "SelectType", kind) == Some("linear");
    let core_spec = o.get(report, "AllowSpecResourcesUsage", yes).unwrap_or(false);
    let asked = o.text("SelectTypeParameters").map(parameters);
    Select { linear, core_spec, ..asked.unwrap_or(Select { memory: !linear, ..Select::PLAIN }) }
}

fn parameters(text: &str) -> Select {
    let mut s = Select::PLAIN;
    for word in words(text) {
        let (unit, memory) = match word.to_ascii_uppercase().as_str() {
            "CR_CPU" => (SelectUnit::Cpu, false),
            "CR_CPU_MEMORY" => (SelectUnit::Cpu, true),
            "CR_CORE" => (SelectUnit::Core, false),
            "CR_CORE_MEMORY" => (SelectUnit::Core, true),
            "CR_SOCKET" => (SelectUnit::Socket, false),
            "CR_SOCKET_MEMORY" => (SelectUnit::Socket, true),
            "CR_MEMORY" => (s.unit, true),
            // Options without effect and unknown options are reported with the other lists.
            other => {
                if let Some(on) = switch(&mut s, other) {
                    *on = true;
                }
                continue;
            }
        };
        s = Select { unit, memory: s.memory || memory, ..s };
    }
    s
}

/// The switch that an option turns on.
fn switch<'s>(s: &'s mut Select, word: &str) -> Option<&'s mut bool> {
    Some(match word {
        "CR_LLN" => &mut s.lln,
        "CR_PACK_NODES" => &mut s.pack_nodes,
        "CR_ONE_TASK_PER_CORE" => &mut s.one_task_per_core,
        "CR_CORE_DEFAULT_DIST_BLOCK" => &mut s.block_cores,
        "MULTIPLE_SHARING_GRES_PJ" => &mut s.multiple_sharing,
        "ENFORCE_BINDING_GRES" => &mut s.enforce_binding,
        _ => return None,
    })
}
