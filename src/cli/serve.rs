//! `sandbatch serve`: the page and its classes.

use super::args::time;
use super::out;
use ::serve::{OpenedClass, PageServer, WebPage, class_link, qr_code};
use base::time::Time;
use clap::Args;
use classroom::{AccountPlan, ClassDescription};
use config::{SiteInfo, sites};
use engine::session::lesson::{Lesson, class_lesson};
use protocol::LessonFile;
use protocol::class::ClassLesson;
use std::path::{Path, PathBuf};

/// `sandbatch serve`.
#[derive(Args, Debug, PartialEq, Eq)]
#[command(after_help = "Examples:
  sandbatch serve                                 the page alone
  sandbatch serve --class hpc1 --site lab         prints the teacher's and the participants' link
  sandbatch serve --class hpc1 --listen 0.0.0.0:443 --tls-cert fullchain.pem --tls-key privkey.pem
  sandbatch serve --class hpc1 --public https://hpc.example.org/class   behind a reverse proxy")]
pub struct PageServerArgs {
    /// Name of a class; it resumes if it was served before. May be repeated
    #[arg(long, value_name = "NAME")]
    pub class: Vec<String>,
    /// Built-in site of new classes
    #[arg(long, value_name = "NAME", requires = "class", default_value = "lab")]
    pub site: String,
    /// Lesson of new classes: a file, or its name in the page's course such as en/01-first-job. Site, seed, start and other users'
    /// jobs are those of the lesson
    #[arg(long, value_name = "LESSON", requires = "class", conflicts_with_all = ["site", "seed", "start", "background"])]
    pub lesson: Option<String>,
    /// Address to listen on
    #[arg(long, value_name = "HOST:PORT", default_value = "127.0.0.1:8080")]
    pub listen: String,
    /// Certificate chain (PEM): serve https
    #[arg(long, value_name = "FILE", requires = "tls_key")]
    pub tls_cert: Option<PathBuf>,
    /// Private key of the certificate (PEM)
    #[arg(long, value_name = "FILE", requires = "tls_cert")]
    pub tls_key: Option<PathBuf>,
    /// Address under which people reach the page, for links [default: that of --listen]
    #[arg(long, value_name = "URL")]
    pub public: Option<String>,
    /// Directory with the classes [default: sandbatch/classes in $XDG_STATE_HOME or ~/.local/state]
    #[arg(long, value_name = "DIR", requires = "class")]
    pub state: Option<PathBuf>,
    /// Folder or zip file with the built page [default: the one inside the program, else dist next to it]
    #[arg(long, value_name = "DIR|ZIP")]
    pub web: Option<PathBuf>,
    /// Seed of new classes
    #[arg(long, value_name = "N", requires = "class", default_value_t = 1)]
    pub seed: u64,
    /// Virtual start time of new classes
    #[arg(long, value_name = "TIME", requires = "class", default_value = "2026-03-02T09:00:00", value_parser = time)]
    pub start: Time,
    /// Jobs of other users in new classes
    #[arg(long, value_name = "AMOUNT", requires = "class", default_value = "off",
        value_parser = ["off", "quiet", "normal", "busy", "overloaded"])]
    pub background: String,
    /// Most participants of a new class
    #[arg(long, value_name = "N", requires = "class", default_value_t = 100,
        value_parser = clap::value_parser!(u32).range(1..=i64::from(classroom::MAX_PEOPLE)))]
    pub people: u32,
    /// Accounts of a new class's participants: each, together, or groups:N
    #[arg(long, value_name = "PLAN", requires = "class", default_value = "each", value_parser = account_plan)]
    pub plan: AccountPlan,
    /// What stays of the classes when the server is stopped: all, or none (their files are removed)
    #[arg(long, value_name = "WHAT", requires = "class", default_value = "all", value_parser = ["all", "none"])]
    pub keep: String,
    /// Print no QR code
    #[arg(long)]
    pub no_qr: bool,
}

fn account_plan(text: &str) -> Result<AccountPlan, String> {
    match (text, text.strip_prefix("groups:").map(str::parse)) {
        ("each", _) => Ok(AccountPlan::Each),
        ("together", _) => Ok(AccountPlan::Together),
        (_, Some(Ok(groups @ 1..=100))) => Ok(AccountPlan::Groups(groups)),
        _ => Err("not each, together or groups:N with 1 to 100 groups".to_owned()),
    }
}

/// Serves until it is interrupted.
///
/// # Errors
/// The message for the user.
pub fn run(args: &PageServerArgs) -> Result<u8, String> {
    let web = page_files(args.web.as_deref())?;
    let mut server = PageServer::bind(&args.listen, Some(web.clone()), args.public.as_deref())?;
    if let (Some(cert), Some(key)) = (&args.tls_cert, &args.tls_key) {
        server.encrypt(cert, key)?;
    }
    let mut text = format!("Serving the page at {}/\n", server.url());
    if args.keep == "none" {
        server.forget_at_end();
        text.push_str("The classes are forgotten when this server is stopped (--keep none).\n");
    }
    if !args.class.is_empty() {
        let state = state(args)?;
        let file = args.lesson.as_ref().map(|lesson| lesson_file(lesson, &web)).transpose()?;
        for name in &args.class {
            let (class, lesson) = description(args, name, file.as_ref())?;
            let opened = server.open(&class, lesson.as_ref(), &state)?;
            text.push_str(&report(&server.url(), &opened, !args.no_qr));
        }
        if args.public.is_none() && !server.address().ip().is_loopback() {
            text.push_str(
                "Other machines reach this one under another address: give it with --public URL.\n",
            );
        }
    }
    let stop = server.stop_handle();
    ctrlc::set_handler(move || stop.stop()).map_err(|e| format!("signals: {e}"))?;
    out::print(&text)?;
    server.run().map(|()| 0)
}

/// The page inside this program, in builds with the feature `embed-page`.
#[cfg(feature = "embed-page")]
const EMBEDDED: Option<&[u8]> =
    Some(include_bytes!(env!("SANDBATCH_PAGE", "`cargo xtask build` sets this to the zip file of the page")));
#[cfg(not(feature = "embed-page"))]
const EMBEDDED: Option<&[u8]> = None;

/// The built page: the given folder or zip file, else the one inside this program, else `dist` next to it.
///
/// # Errors
/// There is no page.
pub fn page_files(given: Option<&Path>) -> Result<WebPage, String> {
    if let (None, Some(zip)) = (given, EMBEDDED) {
        return WebPage::embedded(zip);
    }
    let beside = || Some(std::env::current_exe().ok()?.parent()?.join("dist"));
    let path =
        given.map(Path::to_owned).or_else(beside).ok_or("give the folder of the page with --web DIR")?;
    WebPage::open(&path)
}

/// The directory of the classes.
fn state(args: &PageServerArgs) -> Result<PathBuf, String> {
    let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let home = || set("HOME").map(|home| home.join(".local/state"));
    match (&args.state, set("XDG_STATE_HOME").or_else(home)) {
        (Some(dir), _) => Ok(dir.clone()),
        (None, Some(dir)) => Ok(dir.join("sandbatch/classes")),
        (None, None) => Err("give a directory for the classes with --state DIR".to_owned()),
    }
}

/// The file of a lesson: a path, or a name in the course of the page.
fn lesson_file(lesson: &str, web: &WebPage) -> Result<LessonFile, String> {
    let own = lesson.strip_suffix(".md").unwrap_or(lesson);
    let plain = own.split('/').all(|part| !part.is_empty() && !part.starts_with('.'));
    let path = Path::new(lesson);
    if plain
        && !path.is_file()
        && let Some(text) = course_text(own, web)
    {
        return Ok(LessonFile { name: own.to_owned(), text, ..LessonFile::default() });
    }
    let text = std::fs::read_to_string(path).map_err(|e| format!("--lesson {}: {e}", path.display()))?;
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    Ok(LessonFile { name, text, ..LessonFile::default() })
}

/// A lesson of the course, which is in a folder that is named by the build.
fn course_text(name: &str, web: &WebPage) -> Option<String> {
    let file = format!("lessons/{name}.md");
    match web {
        WebPage::Folder(folder) => {
            let inside = std::fs::read_dir(folder).ok()?.filter_map(|entry| Some(entry.ok()?.path()));
            inside.chain([folder.clone()]).find_map(|folder| std::fs::read_to_string(folder.join(&file)).ok())
        }
        WebPage::Packed(page) => {
            let ours = |path: &&str| {
                path.strip_suffix(file.as_str())
                    .is_some_and(|folder| folder.is_empty() || folder.find('/') == Some(folder.len() - 1))
            };
            let path = page.names().find(ours)?;
            String::from_utf8(page.file(path)?).ok()
        }
    }
}

/// A new class with these options, and its lesson.
fn description(
    args: &PageServerArgs,
    name: &str,
    file: Option<&LessonFile>,
) -> Result<(ClassDescription, Option<ClassLesson>), String> {
    let read = file.map(|file| Lesson::read(&file.name, &file.text).0);
    let site = read.as_ref().map_or(&args.site, |lesson| &lesson.site);
    let Some(files) = sites::built_in(site) else {
        return Err(format!("unknown site '{site}'; built-in sites: {}", sites::names().join(", ")));
    };
    let (info, _) = SiteInfo::parse(site, &files);
    let first = info.users.first().map_or("root", |user| user.name.as_str());
    let lesson = file.map(|file| class_lesson(file, site, first)).transpose()?;
    let none = |amount: &str| if amount.is_empty() { "off".to_owned() } else { amount.to_owned() };
    let class = ClassDescription {
        name: name.to_owned(),
        site: site.clone(),
        seed: read.as_ref().map_or(args.seed, |lesson| lesson.seed),
        background: read.as_ref().map_or_else(|| args.background.clone(), |lesson| none(&lesson.background)),
        start: read.as_ref().map_or(args.start.0, |lesson| lesson.start.0),
        plan: args.plan,
        people: args.people,
        taken: info.users.into_iter().map(|user| user.name).collect(),
    };
    class.check().map(|()| (class, lesson))
}

/// The message for the teacher about a class.
fn report(url: &str, opened: &OpenedClass, qr: bool) -> String {
    let OpenedClass { name, class, learner, teacher, lesson, resumed, cut } = opened;
    let mut text = match resumed {
        Some((people, inputs)) => {
            format!("\nClass {name} resumes: site {}, {people} participants, {inputs} inputs.\n", class.site)
        }
        None => {
            format!("\nClass {name} is new: site {}, at most {} participants.\n", class.site, class.people)
        }
    };
    if let Some(lesson) = lesson {
        text.push_str(&format!("Its lesson is {lesson}.\n"));
    }
    if *cut > 0 {
        text.push_str(&format!("The last write was interrupted: {cut} bytes of its file were cut off.\n"));
    }
    let link = class_link(url, name, *learner);
    text.push_str(&format!("Teacher:      {}\nParticipants: {link}\n", class_link(url, name, *teacher)));
    if let Some(code) = qr.then(|| qr_code(&link)).flatten() {
        text.push_str(&format!("{code}\n"));
    }
    text
}
