//! `sandbatch doctest`: checks the Slurm examples of documentation.

mod args;
mod files;
mod table;

use super::input::is_stdin;
use super::{args as cli_args, findings, out, site};
use ::doctest::report::DoctestReport;
use ::doctest::{Baseline, Checker, DocFinding, DocSite, DoctestConfig, Proposal, propose};
pub use args::DoctestArgs;
use files::{Folder, find_pages, is_page, page_name, read_text};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The name of the dictionary in the current directory.
const CONFIG: &str = "doctest.toml";
const NO_PAGES: &str = "no pages: names end in .md, .mdx, .rst, .adoc or .ipynb";

/// Runs the check. The exit code is 1 if there are findings, 2 if something could not be read.
///
/// # Errors
/// The site, the dictionary or a page named on the command line cannot be read.
pub fn run(args: &DoctestArgs) -> Result<u8, String> {
    let (config, config_path, config_text) = dictionary(args)?;
    let sites = load_sites(args, &config)?;
    if let Some(path) = &config_path {
        known_names(&config, path, &config_text, &sites)?;
    }
    if args.table {
        return table::run(&args.paths, &sites, &config, args.run);
    }
    let pages = find_pages(&args.paths, &config)?;
    if !pages.iter().any(|page| is_page(page)) {
        return Err(NO_PAGES.to_owned());
    }
    if args.fix && pages.iter().any(|page| is_stdin(page)) {
        return Err("--fix needs files: - is standard input".to_owned());
    }
    if args.init {
        return init(&pages, &sites[0], config_path.as_deref());
    }
    let mut report = check(&pages, &sites, &config, args.run)?;
    if let Some(path) = &args.write_baseline {
        let faults: Vec<&DocFinding> = report.faults().collect();
        let count = faults.len();
        std::fs::write(path, Baseline::write(&faults)).map_err(|e| format!("{}: {e}", path.display()))?;
        out::print(&format!("{}: {count} findings\n", path.display()))?;
        return Ok(0);
    }
    if let Some(path) = &args.baseline {
        let text = std::fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))?;
        leave_out_known(&mut report, Baseline::read(&text));
    }
    if args.fix {
        fix(&mut report)?;
    }
    out::print(&report.write(args.format.into(), args.verbose, findings::is_coloured()))?;
    // Folders may hold anything; a page that was named has to be read.
    let named = args.paths.iter().filter(|path| is_page(path) && !is_stdin(path) && !path.is_dir());
    if report.pages == 0 || named.into_iter().any(|path| read_text(path).is_err()) {
        return Ok(2);
    }
    Ok(u8::from(report.faults().next().is_some()))
}

/// Checks pages and collects the report.
pub(super) fn check(
    pages: &[PathBuf],
    sites: &[DocSite],
    config: &DoctestConfig,
    run: bool,
) -> Result<DoctestReport, String> {
    let mut checker = Checker::new(sites, config).running(run);
    let mut report = DoctestReport::default();
    let mut seen = BTreeSet::new();
    for path in pages {
        let name = page_name(path);
        let text = match read_text(path) {
            Ok(text) => text,
            Err(why) => {
                report.notes.push(doc::DocNote { file: name.as_str().into(), line: 0, message: why });
                continue;
            }
        };
        let mut folder = Folder::of(path);
        let mut page = checker.page(&name, &text, &mut folder);
        report.pages += 1;
        report.notes.append(&mut page.notes);
        report.ignored += page.ignored;
        // A file that several pages include is reported once.
        page.blocks.retain(|block| block.file == name || seen.insert((block.file.clone(), block.line)));
        report.blocks.append(&mut page.blocks);
    }
    Ok(report)
}

fn dictionary(args: &DoctestArgs) -> Result<(DoctestConfig, Option<PathBuf>, String), String> {
    let path = match &args.config {
        Some(path) => path.clone(),
        None if Path::new(CONFIG).is_file() => CONFIG.into(),
        None => return Ok((DoctestConfig::default(), None, String::new())),
    };
    if args.init && !path.exists() {
        return Ok((DoctestConfig::default(), Some(path), String::new()));
    }
    let text = std::fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
    let name = path.to_string_lossy();
    let config = DoctestConfig::read(&name, &text)
        .map_err(|found| findings::text([&found], findings::of_file(&name, &text)).trim_end().to_owned())?;
    Ok((config, Some(path), text))
}

fn load_sites(args: &DoctestArgs, config: &DoctestConfig) -> Result<Vec<DocSite>, String> {
    let mut sites = Vec::new();
    for named in &args.site {
        let (name, files) = site::load(&site::Site::named(named))?;
        let (loaded, found) = DocSite::new(&name, &files, config.user.as_deref(), cli_args::START)?;
        let errors: Vec<_> =
            found.iter().filter(|f| f.severity == base::diagnostic::Severity::Error).collect();
        if !errors.is_empty() {
            out::tell(&format!("site {name}:\n"));
            findings::tell(errors, findings::of_site(&files));
        }
        if loaded.state().partitions.is_empty() {
            return Err(format!("site {name} has no partition"));
        }
        sites.push(loaded);
    }
    Ok(sites)
}

fn known_names(config: &DoctestConfig, path: &Path, text: &str, sites: &[DocSite]) -> Result<(), String> {
    use commands::slurm::opt::{SubmitCommand, find};
    let is_partition = |name: &str| sites.iter().any(|site| site.has_partition(name));
    let is_option = |name: &str| find(SubmitCommand::Sbatch, name).is_some();
    let name = path.to_string_lossy();
    let found = config.unknown_names(&name, text, &is_partition, &is_option);
    if found.is_empty() {
        return Ok(());
    }
    let shown = findings::text(&found, findings::of_file(&name, text));
    Err(format!("the dictionary has unknown names\n{}", shown.trim_end()))
}

fn init(pages: &[PathBuf], site: &DocSite, path: Option<&Path>) -> Result<u8, String> {
    let path = path.unwrap_or(Path::new(CONFIG));
    if path.exists() {
        return Err(format!("{} exists; --init does not overwrite it", path.display()));
    }
    let mut proposal = Proposal::default();
    for page in pages {
        if let Ok(text) = read_text(page) {
            proposal.add(&doc::read(&page_name(page), &text, &mut Folder::of(page)));
        }
    }
    std::fs::write(path, propose(&proposal, site)).map_err(|e| format!("{}: {e}", path.display()))?;
    out::print(&format!("{} written: look at its values\n", path.display()))?;
    Ok(0)
}

fn leave_out_known(report: &mut DoctestReport, mut baseline: Baseline) {
    for block in &mut report.blocks {
        let before = block.findings.len();
        block.findings.retain(|finding| !(finding.verdict.is_fault() && baseline.take(finding)));
        report.known += before - block.findings.len();
        let worst = block.findings.iter().map(|f| f.verdict).max();
        block.verdict = worst.unwrap_or(::doctest::BlockVerdict::Fine);
    }
}

/// Writes the certain corrections and takes their findings out of the report.
fn fix(report: &mut DoctestReport) -> Result<(), String> {
    let mut by_file: BTreeMap<String, Vec<DocFinding>> = BTreeMap::new();
    for finding in report.faults().filter(|finding| finding.fix.is_some()) {
        by_file.entry(finding.file.clone()).or_default().push(finding.clone());
    }
    for (file, findings) in &by_file {
        let text = std::fs::read_to_string(file).map_err(|e| format!("{file}: {e}"))?;
        let (fixed, made) = ::doctest::apply_fixes(&text, &findings.iter().collect::<Vec<_>>());
        if made > 0 {
            std::fs::write(file, fixed).map_err(|e| format!("{file}: {e}"))?;
        }
        out::tell(&format!("{file}: {made} corrections\n"));
    }
    for block in &mut report.blocks {
        block.findings.retain(|finding| finding.fix.is_none());
        block.verdict =
            block.findings.iter().map(|f| f.verdict).max().unwrap_or(::doctest::BlockVerdict::Fine);
    }
    Ok(())
}
