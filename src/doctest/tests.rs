//! The findings for pages with known faults, and for pages without faults.

use super::report::{DoctestReport, ReportFormat};
use super::*;
use config::{SiteFiles, furnish};
use std::collections::BTreeMap;

/// Files by path.
#[derive(Default)]
pub struct SiblingFiles(BTreeMap<String, String>);

impl doc::PageSource for SiblingFiles {
    fn include(&mut self, _: &str, path: &str) -> Result<(String, String), String> {
        let found = self.0.get(path).ok_or_else(|| format!("{path}: no such file"))?;
        Ok((path.to_owned(), found.clone()))
    }
}

impl PageFiles for SiblingFiles {
    fn script(&mut self, _: &str, name: &str) -> Option<String> {
        self.0.get(name).cloned()
    }
}

pub const CONF: &str = "ClusterName=rho\nSelectType=select/cons_tres\nSelectTypeParameters=CR_Core_Memory\nGresTypes=gpu\n\
    NodeName=c[01-08] CPUs=16 RealMemory=64000\nNodeName=g[1-2] CPUs=32 RealMemory=128000 Gres=gpu:a100:4\n\
    PartitionName=small Nodes=c[01-08] MaxTime=1-0 MaxNodes=4 Default=YES\n\
    PartitionName=gpu Nodes=g[1-2] MaxTime=2-0\n";

pub fn site(name: &str, conf: &str) -> DocSite {
    let (files, _) = furnish(SiteFiles([("slurm.conf".to_owned(), conf.to_owned())].into()));
    DocSite::new(name, &files, None, base::time::Time::from_secs(1_795_240_440)).expect("a site").0
}

fn check_with(config: &DoctestConfig, path: &str, text: &str) -> CheckedPage {
    let sites = [site("rho", CONF)];
    Checker::new(&sites, config).page(path, text, &mut SiblingFiles::default())
}

/// `line kind: message` of each finding.
fn found(text: &str) -> Vec<String> {
    let page = check_with(&DoctestConfig::default(), "a.md", text);
    let all = page.blocks.iter().flat_map(|b| &b.findings);
    all.map(|f| format!("{} {}: {}", f.line, f.verdict.rule(), f.message)).collect()
}

fn script(lines: &str) -> String {
    format!("```bash\n#!/bin/bash\n{lines}srun ./prog\n```\n")
}

#[test]
fn examples_without_faults() {
    for text in [
        script("#SBATCH -p small -N 2 -t 12:00:00\n#SBATCH --mem=4G\n"),
        script("#SBATCH --account=<your project>\n#SBATCH --partition=gpu --gres=gpu:a100:2\n"),
        script("#SBATCH --account=project_2001234 --mail-user=me@example.org --mail-type=END\n"),
        script("#SBATCH --reservation=course --dependency=afterok:123456 --begin=now+1hour\n"),
        script("##SBATCH --no-such-option\n# SBATCH -n 1\n"),
        "```bash\n#SBATCH --gres=gpu:1\n```\n".to_owned(),
        script("#SBATCH --time=HH:MM:SS --mem=nnG --gres=gpu:N -n procs\n"),
        "```\nsbatch -p {small | gpu} --qos normal job.sh\n```\n".to_owned(),
        "```console\n$ srun --time=t0 --account=<name> --pty bash\n```\n".to_owned(),
        "```\nsbatch [options] script [args]\n```\n".to_owned(),
        "```console\n$ srun -p gpu --gres=gpu:1 --pty bash\n$ sacct -j 1234567 --format=JobID,Elapsed\n```\n".to_owned(),
        "```bash\nscancel <jobid>\nsqueue -u $USER --start\nscontrol show job $JOBID\n```\n".to_owned(),
        "```python\n# sbatch --nope\n```\n".to_owned(),
        "````md\n```bash\n#SBATCH -p nowhere\n```\n````\n".to_owned(),
        "```bash\nsbatch --container-image=ubuntu job.sh\n```\n".to_owned(),
        // The site describes neither licences nor features, and the reader's own values are left out.
        script("#SBATCH --licenses comsol@uoa_foe:2\n#SBATCH --constraint=avx\n"),
        script("#SBATCH -J\n#SBATCH --account\n#SBATCH -n 2\n"),
        script("#SBATCH -n 1\nwrite() {\n  cat > job.sh <<EOF\n#!/bin/bash\n#SBATCH -n 2\nEOF\n}\n"),
        format!("bad Slurm script\n\n{}", script("#SBATCH --not-a-real-flag=1\n")),
        "```console\n$ squeue --me\n             JOBID PARTITION     NAME     USER ST       TIME  NODES NODELIST(REASON)\n```\n"
            .to_owned(),
        "```console\n$ squeue\nJOBID PARTITION NAME\n```\n".to_owned(),
    ] {
        let faults: Vec<String> = found(&text).into_iter().filter(|f| !f.contains("not-checkable")).collect();
        assert!(faults.is_empty(), "{text}{faults:?}");
    }
}

#[test]
fn faults_at_their_lines() {
    let table: &[(String, &str)] = &[
        (
            script("#SBATCH -n 1\n#SBATCH --partition=serial\n"),
            "4 refused: invalid partition specified: serial",
        ),
        (script("#SBATCH -n 1\n#SBATCH --time=3-0\n"), "4 waits-for-ever: (PartitionTimeLimit)"),
        (script("#SBATCH -N 9\n"), "3 waits-for-ever: (PartitionNodeLimit) it requests 9 nodes"),
        (script("#SBATCH -p gpu\n#SBATCH --gres=gpu:v100:1\n"), "4 refused: "),
        (script("#SBATCH -p small\n#SBATCH -t 5\n#SBATCH --mem=100G\n"), "5 refused: "),
        (
            script("#SBATCH --workdir=/tmp\n"),
            "3 refused: sbatch: unrecognized option '--workdir=/tmp'; the option is now --chdir",
        ),
        (script("#SBATCH --time=1h\n"), "3 refused: sbatch: Invalid --time specification"),
        (script("#SBATCH -n 1\nmodule load x\n#SBATCH -t 5\n"), "5 ignored-option: "),
        (script("#SBATCH--ntasks=4\n"), "3 ignored-option: not read by sbatch"),
        (script("#SBATCH -n 4 tasks\n"), "3 refused: sbatch: Invalid directive found in batch script: tasks"),
        ("```bash\n!/bin/bash\n#SBATCH -n 1\n```\n".to_owned(), "2 refused: not a comment but a command"),
        ("```bash\n#SBATCH --gres=gpu:9\n```\n".to_owned(), "2 refused: "),
        (
            "```console\n$ srun -p serial --pty bash\n```\n".to_owned(),
            "2 refused: invalid partition specified: serial",
        ),
        ("```bash\nsqueue --mine\n```\n".to_owned(), "2 refused: squeue: unrecognized option '--mine'"),
        (
            "```bash\nsacct --format=JobID,Elapsedd\n```\n".to_owned(),
            "2 refused: sacct: Invalid field requested",
        ),
        (
            script("#SBATCH -p serial\n#SBATCH --gres=gpux:1\n"),
            "3 refused: Batch job submission failed: Invalid partition name specified",
        ),
        (
            script("#SBATCH -p gpu\n#SBATCH --gpus-per-node A100:1\n"),
            "4 refused: Batch job submission failed: Requested node configuration is not available: rho has a100, and Slurm",
        ),
        (
            script("#SBATCH --gpus-per-node\n"),
            "3 refused: sbatch: option '--gpus-per-node' requires an argument",
        ),
        (
            "```\nsrun -c=\"N\" --pty bash -i\n```\n".to_owned(),
            "2 refused: srun: Invalid numeric value \"=N\" for --cpus-per-task",
        ),
        (
            "```\nsrun -cpus-per-task=\"N\" --pty bash -i\n```\n".to_owned(),
            "2 refused: srun: Invalid numeric value \"pus-per-task=N\" for --cpus-per-task",
        ),
        ("```\nsbatch –p small job.sh\n```\n".to_owned(), "2 refused: sbatch: –p is no option"),
        ("```\nsacct –v\n```\n".to_owned(), "2 refused: sacct: –v is no option"),
        (script("#SBATCH -n 1\nsrun –n 1 hostname\n"), "4 refused: srun: –n is no option"),
        (script("srun -trace-collective ./a.out\n"), "3 refused: srun: Invalid --time specification"),
        (script("srun --multi-progg x\n"), "3 refused: srun: unrecognized option"),
        (
            "```console\n$ squeue\nJOBID PARTITION NAME USER STATE TIME NODES NODELIST(REASON)\n```\n"
                .to_owned(),
            "3 output-drifted: squeue prints these columns: JOBID PARTITION NAME USER ST",
        ),
    ];
    for (text, wanted) in table {
        let found = found(text);
        assert!(found.iter().any(|f| f.starts_with(wanted)), "{text}{wanted}\n{found:#?}");
        assert_eq!(found.len(), 1, "{text}{found:#?}");
    }
}

#[test]
fn a_command_gives_options_to_a_script_of_another_block() {
    let text = "Save as `train.sh`:\n\n```bash\n#!/bin/bash\n#SBATCH --gres=gpu:a100:1\npython x.py\n```\n\n\
                Then:\n\n```console\n$ sbatch -p gpu train.sh\n```\n";
    assert_eq!(found(text), Vec::<String>::new());
    let wrong = text.replace("-p gpu", "-p small");
    let found = found(&wrong);
    assert!(found.len() == 1 && found[0].starts_with("5 refused: "), "{found:?}");
}

#[test]
fn a_script_beside_the_page() {
    let sites = [site("rho", CONF)];
    let config = DoctestConfig::default();
    let mut files =
        SiblingFiles([("run.sh".to_owned(), "#!/bin/bash\n#SBATCH -p nowhere\n".to_owned())].into());
    let page = Checker::new(&sites, &config).page(
        "a.rst",
        "Run::\n\n  sbatch run.sh\n\n  sbatch other.sh\n",
        &mut files,
    );
    let all: Vec<_> = page.blocks[0].findings.iter().map(|f| (f.line, f.verdict)).collect();
    assert_eq!(all, [(3, BlockVerdict::Refused), (5, BlockVerdict::Unchecked)]);
}

#[test]
fn one_of_several_sites_is_enough() {
    let other = CONF.replace("small", "compute").replace("rho", "sigma");
    let sites = [site("rho", CONF), site("sigma", &other)];
    let config = DoctestConfig::default();
    let mut checker = Checker::new(&sites, &config);
    let page = checker.page("a.md", &script("#SBATCH -p compute\n"), &mut SiblingFiles::default());
    assert_eq!(page.blocks[0].verdict, BlockVerdict::Fine);
    let page = checker.page("a.md", &script("#SBATCH -p compute -M rho\n"), &mut SiblingFiles::default());
    assert!(page.blocks[0].findings[0].message.starts_with("rho: "), "{page:?}");
    let page = checker.page("a.md", &script("#SBATCH -p compute -M tau\n"), &mut SiblingFiles::default());
    assert_ne!(page.blocks[0].verdict, BlockVerdict::Fine);
}

const DICTIONARY: &str = "options = [\"--argos\"]\nfree = [\"constraint\"]\n\n[placeholders]\n\"<queue>\" = \"gpu\"\n\n\
                          [partitions]\n\"serial\" = \"small\"\n";

#[test]
fn the_dictionary() {
    let config = DoctestConfig::read("doctest.toml", DICTIONARY).expect("a dictionary");
    let text = script("#SBATCH -p <queue> --gres=gpu:9 --argos=no -C fast\n#SBATCH -p serial\n");
    let page = check_with(&config, "a.md", &text);
    let finding = &page.blocks[0].findings[0];
    assert_eq!((finding.line, finding.verdict), (4, BlockVerdict::Refused), "{page:?}");
    let fix = finding.fix.as_ref().map(|fix| (fix.old.as_str(), fix.new.as_str()));
    assert_eq!(fix, Some(("-p serial", "-p small")));
    let (fixed, made) = apply_fixes(&text, &[finding]);
    assert_eq!(made, 1);
    assert!(fixed.contains("#SBATCH -p small\n"), "{fixed}");
    let unknown = config.unknown_names("doctest.toml", DICTIONARY, &|_| false, &|_| false);
    assert_eq!(unknown.iter().map(|d| d.line).collect::<Vec<_>>(), [8, 2]);
    let error = DoctestConfig::read("doctest.toml", "user = \"a\"\nfoo = 1\n").expect_err("an unknown key");
    assert_eq!((error.line, error.file.as_str()), (2, "doctest.toml"));
    let config = DoctestConfig::read("d", "exclude = [\"docs/old/*\"]\n").expect("a dictionary");
    assert!(config.excludes("docs/old/a.md") && !config.excludes("docs/a.md"));
}

#[test]
fn a_proposed_dictionary_can_be_read() {
    let text =
        script("#SBATCH -A <project> -p PARTITION --argos=no\n#SBATCH -A <project>\n#SBATCH --argos=x\n");
    let mut proposal = Proposal::default();
    proposal.add(&doc::read("a.md", &text, &mut SiblingFiles::default()));
    let site = site("rho", CONF);
    let text = propose(&proposal, &site);
    let config = DoctestConfig::read("doctest.toml", &text).expect("valid");
    assert_eq!(config.options, ["--argos"]);
    assert!(text.contains("\"PARTITION\" = \"small\"") && text.contains("\"<project>\""), "{text}");
}

#[test]
fn reports_and_baseline() {
    let page = check_with(&DoctestConfig::default(), "docs/a&b.md", &script("#SBATCH -p serial\n"));
    let report = DoctestReport { pages: 1, blocks: page.blocks, ..DoctestReport::default() };
    let faults: Vec<&DocFinding> = report.faults().collect();
    let mut baseline = Baseline::read(&Baseline::write(&faults));
    let moved = DocFinding { line: 99, ..faults[0].clone() };
    assert!(baseline.take(&moved) && !baseline.take(&moved));
    let text = report.write(ReportFormat::Text, false, false);
    assert!(
        text.contains("refused: ")
            && text.contains(" --> docs/a&b.md:3:9\n")
            && text.contains("3 | #SBATCH -p serial\n  |         ^^^^^^^^^\n"),
        "{text}"
    );
    let short = report.write(ReportFormat::Short, false, false);
    assert!(short.contains("docs/a&b.md:3: refused: ") && !short.contains(" | "), "{short}");
    let github = report.write(ReportFormat::Github, false, false);
    assert!(github.starts_with("::error file=docs/a&b.md,line=3,title=refused::"), "{github}");
    for format in [ReportFormat::Json, ReportFormat::Sarif] {
        let value: serde_json::Value =
            serde_json::from_str(&report.write(format, false, false)).expect("JSON");
        let at = match format {
            ReportFormat::Json => "/blocks/0/findings/0/line",
            _ => "/runs/0/results/0/locations/0/physicalLocation/region/startLine",
        };
        assert_eq!(value.pointer(at).and_then(serde_json::Value::as_u64), Some(3));
    }
    let junit = report.write(ReportFormat::Junit, false, false);
    assert!(junit.contains("name=\"docs/a&amp;b.md\" tests=\"1\" failures=\"1\""), "{junit}");
}

#[test]
fn exclusions_and_files_that_are_not_pages() {
    let text = format!("<!-- sandbatch: ignore -->\n{}", script("#SBATCH -p serial\n"));
    let page = check_with(&DoctestConfig::default(), "a.md", &text);
    assert_eq!((page.blocks.len(), page.ignored), (0, 1));
    let page = check_with(&DoctestConfig::default(), "a.png", "x");
    assert!(page.notes[0].message.contains("not a page"));
}

#[test]
fn examples_that_are_meant_to_fail() {
    let row = "For instance directives like these:\n\n```\n#SBATCH --job-name=big job\n```\n```\n#SBATCH --mem=16 G\n```\n\
               will cause all following lines to be ignored.\n";
    let shown = "```bash\n#SBATCH --gres=gpu:9\n```\n\nThe answer is this:\n\n```\nsbatch: error: Batch job submission failed: \
                 Requested node configuration is not available\n```\n";
    let told = "This will not work:\n\n```bash\nsbatch -p serial job.sh\n```\n";
    for text in [row, shown, told] {
        let found = found(text);
        assert!(
            !found.is_empty() && found.iter().all(|f| f.contains("not-checkable: the page s")),
            "{text}{found:?}"
        );
    }
    // The same without such a sentence.
    assert!(found(&told.replace("will not work", "is how")).iter().any(|f| f.contains("refused")));
}
