//! `sandbatch lesson export`: a lesson as a package for learning platforms.
//!
//! A package is a zip file with `imsmanifest.xml`, the lesson, a page that shows it in an embedded cluster (`launch.js`, which
//! also reports to the platform), and the built page itself.

mod manifest;

use super::{findings, input, out, serve};
use ::serve::WebPage;
use base::hash::fnv1a;
use clap::Args;
use engine::session::lesson::{Lesson, MAX_FILE};
use manifest::{ScormVersion, escape, manifest};
use protocol::{LessonProgress, MarkdownElement, MarkdownKind};
use std::collections::BTreeMap;
use std::fs;
use std::io::{Cursor, Write as _};
use std::path::{Component, Path, PathBuf};
use zip::write::SimpleFileOptions;

/// Most files of the page, and their bytes together.
const MAX_FILES: usize = 2000;
const MAX_BYTES: u64 = 200 << 20;
/// Deepest folder of the page.
const MAX_DEPTH: u32 = 8;
/// Largest picture of a lesson, bytes.
const MAX_PICTURE: u64 = 8 << 20;
/// Files and folders of the page that a package does not need: the book, and the service worker with its offline copy.
const LEFT_OUT: [&str; 2] = ["book", "sw.js"];

const INDEX: &str = include_str!("index.html");
const SCRIPT: &str = include_str!("launch.js");
const STYLE: &str = include_str!("launch.css");

/// `sandbatch lesson export`.
#[derive(Args, Debug, PartialEq, Eq)]
#[command(after_help = "Examples:
  sandbatch lesson export examples/lessons/en/05-arrays.md --scorm12 arrays.zip
  sandbatch lesson export mine.md --scorm2004 mine.zip --web dist
  sandbatch lesson export examples/lessons/en/05-arrays.md --scorm12 arrays.zip \\
      --page https://hpc.example.org/sandbatch/ --name en/05-arrays   a small package that loads the page from there")]
#[command(group(clap::ArgGroup::new("package").required(true).multiple(true).args(["scorm12", "scorm2004"])))]
pub struct ExportArgs {
    /// The lesson's file; - reads standard input
    pub lesson: PathBuf,
    /// Write a package for SCORM 1.2
    #[arg(long, value_name = "OUT.zip", value_parser = super::args::output_file)]
    pub scorm12: Option<PathBuf>,
    /// Write a package for SCORM 2004 (3rd edition)
    #[arg(long, value_name = "OUT.zip", value_parser = super::args::output_file)]
    pub scorm2004: Option<PathBuf>,
    /// Folder or zip file with the built page, which the package contains [default: the one inside the program, else dist next to it]
    #[arg(long, value_name = "DIR|ZIP", conflicts_with = "page")]
    pub web: Option<PathBuf>,
    /// Load the page from this address instead
    #[arg(long, value_name = "URL", requires = "name", value_parser = page_address)]
    pub page: Option<String>,
    /// With --page: the lesson's name or address there
    #[arg(long, value_name = "NAME|URL", requires = "page")]
    pub name: Option<String>,
}

fn page_address(text: &str) -> Result<String, String> {
    let web = text.starts_with("https://") || text.starts_with("http://");
    if !web || text.contains(['?', '#', '"', '<', '>', ' ']) {
        return Err("not the address of a page such as https://hpc.example.org/sandbatch/".to_owned());
    }
    Ok(format!("{}/", text.trim_end_matches('/')))
}

/// The files of a package: path and content.
type PackageFiles = BTreeMap<String, Vec<u8>>;

/// Writes the packages. The exit code is 1 if the lesson has errors.
///
/// # Errors
/// A file cannot be read or written.
pub fn export(args: &ExportArgs) -> Result<u8, String> {
    let name = args.lesson.display().to_string();
    let text = input::text(&args.lesson, MAX_FILE as u64).map_err(|why| format!("{name}: {why}"))?;
    let (lesson, found) = Lesson::read(&name, &text);
    findings::print(&found, findings::of_file(&name, &text), false)?;
    if lesson.steps.is_empty() {
        return Ok(1);
    }
    let mut files = PackageFiles::new();
    let (page, shown) = match (&args.page, &args.name) {
        (Some(page), Some(name)) => (page.as_str(), name.as_str()),
        _ => {
            add_page(&mut files, &serve::page_files(args.web.as_deref())?)?;
            files.insert("lesson/lesson.md".to_owned(), text.clone().into_bytes());
            let folder = args.lesson.parent().filter(|_| !input::is_stdin(&args.lesson));
            add_pictures(&mut files, &lesson, folder)?;
            ("page/", "../lesson/lesson.md")
        }
    };
    files.insert("launch.js".to_owned(), SCRIPT.into());
    files.insert("launch.css".to_owned(), STYLE.into());
    for (version, path) in
        [(ScormVersion::Scorm12, &args.scorm12), (ScormVersion::Scorm2004, &args.scorm2004)]
    {
        let Some(path) = path else { continue };
        let index = INDEX
            .replace("LANGUAGE", if lesson.language.starts_with("fr") { "fr" } else { "en" })
            .replace("STANDARD", version.name())
            .replace("PAGE", &escape(page))
            // A platform has no index for a folder.
            .replace("INDEX", if args.page.is_some() { "" } else { " data-page=\"index.html\"" })
            .replace("LESSON", &escape(shown))
            .replace("TITLE", &escape(&lesson.title));
        files.insert("index.html".to_owned(), index.into_bytes());
        let names: Vec<&str> = files.keys().map(String::as_str).collect();
        let id = format!("{:016x}", fnv1a(format!("{}\n{text}", lesson.title).as_bytes()));
        let manifest = manifest(version, &id, &lesson.title, &names);
        let bytes = pack(&manifest, &files).map_err(|e| format!("{}: {e}", path.display()))?;
        fs::write(path, &bytes).map_err(|e| format!("{}: {e}", path.display()))?;
        let kilobytes = bytes.len().div_ceil(1000);
        out::print(&format!("{}: SCORM {}, {kilobytes} kB\n", path.display(), version.name()))?;
    }
    Ok(0)
}

/// The bytes of a package. The same files give the same bytes.
fn pack(manifest: &str, files: &PackageFiles) -> Result<Vec<u8>, zip::result::ZipError> {
    let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default()
        .compression_method(zip::CompressionMethod::Deflated)
        .last_modified_time(zip::DateTime::default())
        .unix_permissions(0o644);
    // Some platforms look for the manifest among the first entries.
    archive.start_file("imsmanifest.xml", options)?;
    archive.write_all(manifest.as_bytes())?;
    for (name, bytes) in files {
        archive.start_file(name.as_str(), options)?;
        archive.write_all(bytes)?;
    }
    Ok(archive.finish()?.into_inner())
}

/// Adds the built page, below `page/`.
fn add_page(files: &mut PackageFiles, page: &WebPage) -> Result<(), String> {
    match page {
        WebPage::Folder(folder) => add_folder(files, folder),
        WebPage::Packed(page) => {
            let top = |name: &str| name.split('/').next().unwrap_or_default().to_owned();
            for name in page.names().filter(|name| !LEFT_OUT.contains(&top(name).as_str())) {
                let content = page.file(name).ok_or_else(|| format!("{name}: it is damaged"))?;
                files.insert(format!("page/{name}"), content);
            }
            Ok(())
        }
    }
}

/// Adds the files of a folder, below `page/`.
fn add_folder(files: &mut PackageFiles, folder: &Path) -> Result<(), String> {
    let mut bytes = 0;
    let mut folders = vec![(folder.to_path_buf(), "page/".to_owned(), 0)];
    while let Some((folder, name, depth)) = folders.pop() {
        let problem = |e: std::io::Error| format!("{}: {e}", folder.display());
        for entry in fs::read_dir(&folder).map_err(problem)? {
            let entry = entry.map_err(problem)?;
            let own = entry.file_name().to_string_lossy().into_owned();
            let compressed = [".br", ".gz"].iter().any(|ending| own.ends_with(ending));
            if own.starts_with('.') || compressed || (depth == 0 && LEFT_OUT.contains(&own.as_str())) {
                continue;
            }
            let path = entry.path();
            if path.is_dir() {
                if depth >= MAX_DEPTH {
                    return Err(format!("{}: deeper than {MAX_DEPTH} folders", path.display()));
                }
                folders.push((path, format!("{name}{own}/"), depth + 1));
                continue;
            }
            let content = fs::read(&path).map_err(|e| format!("{}: {e}", path.display()))?;
            bytes += content.len() as u64;
            files.insert(format!("{name}{own}"), content);
            if files.len() > MAX_FILES || bytes > MAX_BYTES {
                let most = MAX_BYTES >> 20;
                return Err(format!("{}: more than {MAX_FILES} files or {most} MiB", folder.display()));
            }
        }
    }
    Ok(())
}

/// Adds the pictures that the lesson names relative to its own file.
fn add_pictures(files: &mut PackageFiles, lesson: &Lesson, folder: Option<&Path>) -> Result<(), String> {
    let info = lesson.info(String::new(), LessonProgress::default(), &[]);
    let mut open: Vec<&MarkdownElement> = info.intro.iter().collect();
    for step in &info.steps {
        open.extend(step.text.iter().chain(step.hints.iter().flatten()));
    }
    while let Some(element) = open.pop() {
        open.extend(&element.inside);
        if element.kind != MarkdownKind::Image || element.to.contains(':') || element.to.is_empty() {
            continue;
        }
        let path = Path::new(&element.to);
        let below = path.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
        let Some(folder) = folder.filter(|_| below) else {
            return Err(format!("picture {}: it must be below the folder of the lesson's file", element.to));
        };
        let from = folder.join(path);
        let problem = |e: std::io::Error| format!("picture {}: {e}", from.display());
        if fs::metadata(&from).map_err(problem)?.len() > MAX_PICTURE {
            return Err(format!("picture {}: larger than {} MiB", from.display(), MAX_PICTURE >> 20));
        }
        let name: PathBuf = path.components().filter(|part| *part != Component::CurDir).collect();
        let name = name.to_string_lossy().replace('\\', "/");
        files.insert(format!("lesson/{name}"), fs::read(&from).map_err(problem)?);
    }
    Ok(())
}

#[cfg(test)]
mod tests;
