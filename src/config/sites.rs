//! The built-in sites: the directories under `examples/sites`. The page's worker never calls this module, so the
//! linker leaves the sites out of it. The page sends the worker a site's files.

use super::SiteFiles;

/// The names of the built-in sites.
#[must_use]
pub fn names() -> Vec<&'static str> {
    SITES.iter().map(|(name, _)| *name).collect()
}

/// The files of a built-in site by relative path; a variant's files override those of its base.
#[must_use]
pub fn built_in(name: &str) -> Option<SiteFiles> {
    let files = own(name)?;
    match files.extends().filter(|base| base != name) {
        Some(base) => Some(files.over(built_in(&base)?)),
        None => Some(files),
    }
}

/// The files in a built-in site's own directory, without its base.
#[must_use]
pub fn own(name: &str) -> Option<SiteFiles> {
    let (_, files) = SITES.iter().find(|(site, _)| *site == name)?;
    Some(SiteFiles(files.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect()))
}

/// Path and text of an embedded file.
type EmbeddedFile = (&'static str, &'static str);

macro_rules! site {
    ($name:literal: $($path:literal),* $(,)?) => {
        ($name, &[$(($path, include_str!(concat!("../../examples/sites/", $name, "/", $path)))),*])
    };
}

const SITES: &[(&str, &[EmbeddedFile])] = &[
    site!(
        "alliance":
        "accounts.sh",
        "files/LISEZMOI.md",
        "files/README.md",
        "files/analyse.py",
        "files/gpu.sh",
        "files/job.sh",
        "files/serial.sh",
        "files/solver.py",
        "files/train.py",
        "files/whole.sh",
        "gres.conf",
        "site.toml",
        "slurm.conf",
    ),
    site!(
        "alliance-beluga":
        "files/LISEZMOI.md",
        "files/README.md",
        "files/gpu.sh",
        "files/serial.sh",
        "files/whole.sh",
        "gres.conf",
        "site.toml",
        "slurm.conf",
    ),
    site!(
        "alliance-niagara":
        "files/LISEZMOI.md",
        "files/README.md",
        "files/serial.sh",
        "files/whole.sh",
        "gres.conf",
        "site.toml",
        "slurm.conf",
    ),
    site!(
        "gcp":
        "accounts.sh",
        "cloud",
        "files/LISEZMOI.md",
        "files/README.md",
        "files/conda.sh",
        "files/myjob.sh",
        "files/train.py",
        "gres.conf",
        "site.toml",
        "slurm.conf",
    ),
    site!(
        "inserm":
        "accounts.sh",
        "files/LISEZMOI.md",
        "files/README.md",
        "files/analyse.py",
        "files/analyse.slurm",
        "files/bureau.slurm",
        "files/calcul.slurm",
        "files/conteneur.slurm",
        "files/data_1.csv",
        "files/data_2.csv",
        "files/data_3.csv",
        "files/depassement.slurm",
        "files/gros_tableau.py",
        "files/mon_app.py",
        "files/mon_conteneur.sif",
        "files/mon_job.slurm",
        "files/mon_script.py",
        "files/preparation.slurm",
        "files/tableau.slurm",
        "gres.conf",
        "site.toml",
        "slurm.conf",
    ),
    site!(
        "iq":
        "accounts.sh",
        "files/LISEZMOI.md",
        "files/README.md",
        "files/bash_profile",
        "files/gpu.sh",
        "files/job.sh",
        "files/simulation.py",
        "files/train.py",
        "site.toml",
        "slurm.conf",
    ),
    site!(
        "lab":
        "accounts.sh",
        "cgroup.conf",
        "files/LISEZMOI.md",
        "files/README.md",
        "files/array.sh",
        "files/first.sh",
        "files/gpu.sh",
        "files/mpi.sh",
        "files/simulate.py",
        "files/solver.py",
        "files/train.py",
        "gres.conf",
        "site.toml",
        "slurm.conf",
    ),
    site!(
        "mila":
        "accounts.sh",
        "cgroup.conf",
        "files/LISEZMOI.md",
        "files/README.md",
        "files/grace.sh",
        "files/guide.sh",
        "files/my_script.py",
        "files/pack.sh",
        "files/pack2.sh",
        "files/script.py",
        "files/share.sh",
        "files/silly.conf",
        "gres.conf",
        "site.toml",
        "slurm.conf",
    ),
    site!("mila-aws": "files/LISEZMOI.md", "files/README.md", "provider.conf", "site.toml"),
    site!("mila-azure": "files/LISEZMOI.md", "files/README.md", "provider.conf", "site.toml"),
    site!(
        "mila-gcp":
        "cloud",
        "files/LISEZMOI.md",
        "files/README.md",
        "files/grace.sh",
        "files/guide.sh",
        "gres.conf",
        "provider.conf",
        "site.toml",
        "slurm.conf",
    ),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Cluster, OutOfMemory, PartExclusive, SiteInfo};
    use base::diagnostic::Severity;

    #[test]
    fn every_site_is_free_of_warnings() {
        for name in names() {
            let files = built_in(name).unwrap_or_default();
            let cluster = Cluster::parse(&files);
            let (site, found) = SiteInfo::parse(name, &files);
            let bad = |d: &&base::diagnostic::Diagnostic| d.severity > Severity::Note;
            assert_eq!(cluster.diagnostics.iter().chain(&found).filter(bad).count(), 0, "{name}: {found:?}");
            assert!(cluster.partitions.iter().filter(|p| p.is_default).count() == 1, "{name}");
            for (path, text) in files.0.iter().filter(|(path, _)| path.starts_with("files/")) {
                assert!(
                    site.files.iter().any(|f| f.content == *text),
                    "{name}: no file has the content of {path}"
                );
            }
            assert!(site.files.iter().any(|f| Some(&f.path) == site.open.as_ref()), "{name}: opens");
            assert!(site.title.len() == 2 && site.motd.len() == 2, "{name}: in both languages");
            let summary = SiteInfo::summary(&files);
            assert!(["en", "fr"].iter().all(|lang| summary.contains_key(*lang)), "{name}: {summary:?}");
            let base = files.extends().and_then(|base| built_in(&base)).unwrap_or_default();
            assert!(SiteInfo::summary(&base) != summary, "{name}: a sentence of its own");
            let lines = site.motd.values().flat_map(|text| text.lines());
            let wide: Vec<&str> = lines.filter(|line| line.chars().count() > 78).collect();
            assert!(wide.is_empty(), "{name}: terminals break {wide:?}");
        }
    }

    #[test]
    fn readmes_explain_where_guide_and_slurm_differ() {
        for name in ["alliance", "gcp", "inserm", "iq", "mila"] {
            let files = built_in(name).unwrap_or_default();
            let (site, _) = SiteInfo::parse(name, &files);
            assert!(site.policy.notes.len() > 1, "{name}");
            for (note, (file, lang)) in site
                .policy
                .notes
                .iter()
                .flat_map(|n| [("README.md", "en"), ("LISEZMOI.md", "fr")].map(|f| (n, f)))
            {
                let text = files
                    .0
                    .get(&format!("files/{file}"))
                    .map(|t| t.split_whitespace().collect::<Vec<_>>().join(" "));
                let text = text.unwrap_or_default();
                let says = note.says.get(lang).map_or("?", String::as_str);
                for part in [&note.prints, &note.answers, says] {
                    assert!(text.contains(part), "{name}/{file} does not tell of {part}");
                }
            }
        }
    }

    #[test]
    fn inserm_follows_the_rules_of_its_guide() {
        let files = built_in("inserm").unwrap_or_default();
        let cluster = Cluster::parse(&files);
        assert_eq!(cluster.nodes.len(), 25);
        let table: Vec<(String, u32)> =
            cluster.partitions.iter().map(|p| (p.name.clone(), p.nodes.len())).collect();
        let guide = [("CPU-4", 4), ("CPU-16", 4), ("A100-10", 14), ("A40-48", 2), ("2xH100-96", 1)];
        assert_eq!(table, guide.map(|(name, nodes)| (name.to_owned(), nodes)));
        for part in &cluster.partitions {
            assert_eq!(part.exclusive, PartExclusive::User, "{}", part.name);
            assert_eq!(part.max_time, base::time::Limit::Minutes(30 * 60), "{}", part.name);
        }
        let (site, _) = SiteInfo::parse("inserm", &files);
        assert!(matches!(site.out_of_memory, OutOfMemory::RebootNode { seconds: 120, .. }));
        assert_eq!(site.users.first().map(|u| u.name.as_str()), Some("alice"));
    }
}
