//! `srun --mpi`: the MPI plugins of the cluster. These are the two that come with Slurm, and PMIx if `MpiDefault` in
//! slurm.conf names it.
//!
//! Every task's environment has the variables of MPI launchers, whichever plugin is selected.

use crate::Cx;

const OWN: [&str; 3] = ["none", "cray_shasta", "pmi2"];

fn has_pmix(cx: &Cx) -> bool {
    let raw = &cx.cluster.state().cluster.global.raw;
    raw.iter().any(|(key, value)| key.eq_ignore_ascii_case("MpiDefault") && value.starts_with("pmix"))
}

/// `--mpi=list`
pub fn list(cx: &mut Cx) {
    cx.print("MPI plugin types are...\n\tnone\n\tcray_shasta\n\tpmi2\n");
    if has_pmix(cx) {
        cx.print("\tpmix\nspecific pmix plugin versions available: pmix_v4\n");
    }
}

/// The error message about an MPI type. None if it is valid.
pub fn refused(cx: &Cx, kind: &str) -> Option<[String; 3]> {
    if OWN.contains(&kind) || matches!(kind, "pmix" | "pmix_v4") && has_pmix(cx) {
        return None;
    }
    Some([
        format!("MPI: Cannot create context for mpi/{kind}"),
        "MPI: Unable to load any plugin".to_owned(),
        format!("Invalid MPI type '{kind}', --mpi=list for acceptable types"),
    ])
}
