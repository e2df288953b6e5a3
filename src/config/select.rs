//! `SelectType` and `SelectTypeParameters` of slurm.conf(5): what is given to jobs, and how it is chosen.

use super::lines::{Options, Report};
use super::value::{words, yes};
use serde::{Deserialize, Serialize};

/// `SelectType` and `SelectTypeParameters`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct Select {
    /// select/linear: whole nodes.
    pub linear: bool,
    pub unit: SelectUnit,
    pub memory: bool,
    pub lln: bool,
    pub pack_nodes: bool,
    pub one_task_per_core: bool,
    /// `CR_CORE_DEFAULT_DIST_BLOCK`: cores socket after socket unless `-m` says otherwise.
    pub block_cores: bool,
    /// `MULTIPLE_SHARING_GRES_PJ`: a job may have parts of several GPUs on a node.
    pub multiple_sharing: bool,
    /// `ENFORCE_BINDING_GRES`: jobs get only cores near their devices.
    pub enforce_binding: bool,
    /// `AllowSpecResourcesUsage`: `--core-spec` counts.
    pub core_spec: bool,
}

/// What cons_tres counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum SelectUnit {
    Cpu,
    Core,
    Socket,
}

impl Select {
    /// Cores by themselves.
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

/// Reads both keys.
pub(super) fn read(o: &Options<'_>, report: &mut Report) -> Select {
    let kind = |t: &str| {
        let lower = t.to_ascii_lowercase();
        let name = lower.strip_prefix("select/").unwrap_or(&lower);
        // cons_res was replaced by cons_tres; old files mean the same.
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
            // Whatever has no effect, or is no word of it, is told of with the other lists.
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

/// What a word switches on.
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
