//! The main walk in Firefox and WebKit (what Safari users have). Playwright's suite runs in Chromium only.
//!
//! A browser that is missing is installed from the system's packages where that is possible. Otherwise the walk says that it
//! is left out and goes on. Nobody needs three browsers to work on the page.

use crate::run::{find, program, quietly, visibly};
use crate::{Outcome, page, say, setup};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// The display of the walk in WebKit, which has no mode without one.
const DISPLAY: &str = ":93";

/// A browser of the walk.
struct WalkBrowser {
    name: &'static str,
    /// The first argument of `walk.mjs`.
    word: &'static str,
    /// The system's packages that bring it.
    packages: &'static [&'static str],
    /// The environment of `walk.mjs`, or what is missing.
    programs: fn() -> Outcome<Vec<(&'static str, PathBuf)>>,
}

const BROWSERS: [WalkBrowser; 2] = [
    WalkBrowser { name: "Firefox", word: "firefox", packages: &["firefox-esr"], programs: firefox },
    WalkBrowser {
        name: "WebKit",
        word: "webkit",
        packages: &["webkit2gtk-driver", "xvfb"],
        programs: webkit,
    },
];

/// Runs the walk in each browser that is there or can be installed.
pub fn walk() -> Outcome {
    let mut failed = Vec::new();
    for browser in &BROWSERS {
        match programs(browser) {
            Err(reason) => say::note(&format!("{} is left out: {reason}", browser.name)),
            Ok(programs) => {
                if let Err(reason) = run(browser, &programs) {
                    say::failure(&reason);
                    failed.push(browser.name);
                }
            }
        }
    }
    if failed.is_empty() { Ok(()) } else { Err(format!("The walk fails in {}.", failed.join(" and "))) }
}

fn programs(browser: &WalkBrowser) -> Outcome<Vec<(&'static str, PathBuf)>> {
    (browser.programs)().or_else(|_| {
        setup::packages(browser.packages)?;
        (browser.programs)()
    })
}

fn firefox() -> Outcome<Vec<(&'static str, PathBuf)>> {
    let firefox =
        ["firefox-esr", "firefox"].iter().find_map(|name| find(name)).ok_or("no Firefox was found.")?;
    quietly(Command::new(&firefox).arg("--version"))?;
    setup::geckodriver()?;
    Ok(vec![("FIREFOX", firefox), ("GECKODRIVER", found("geckodriver")?)])
}

fn webkit() -> Outcome<Vec<(&'static str, PathBuf)>> {
    found("Xvfb")?;
    Ok(vec![("WEBKIT_DRIVER", found("WebKitWebDriver")?), ("MINIBROWSER", mini_browser()?)])
}

fn found(name: &str) -> Outcome<PathBuf> {
    find(name).ok_or_else(|| format!("{name} was not found."))
}

/// WebKit's own browser, which is installed beside the library: `/usr/lib/ARCHITECTURE/webkit2gtk-4.1/MiniBrowser`.
fn mini_browser() -> Outcome<PathBuf> {
    let entries =
        |dir: &Path| std::fs::read_dir(dir).into_iter().flatten().flatten().map(|entry| entry.path());
    entries(Path::new("/usr/lib"))
        .chain([PathBuf::from("/usr/libexec")])
        .flat_map(|dir| entries(&dir))
        .map(|dir| dir.join("MiniBrowser"))
        .find(|file| file.is_file())
        .ok_or_else(|| "WebKit's MiniBrowser was not found.".to_owned())
}

fn run(browser: &WalkBrowser, programs: &[(&'static str, PathBuf)]) -> Outcome {
    let mut walk = program("node");
    walk.args(["tests/browser/walk/walk.mjs", browser.word]).arg(page::dist());
    walk.envs(programs.iter().map(|(name, path)| (name, path)));
    let display = if browser.word == "webkit" { Some(display()?) } else { None };
    let result = visibly(walk.env("DISPLAY", DISPLAY));
    if let Some(mut display) = display {
        // It ends with its clients, or now.
        let _ = display.kill();
        let _ = display.wait();
    }
    result
}

fn display() -> Outcome<Child> {
    let mut server = program("Xvfb");
    server.args([DISPLAY, "-screen", "0", "1600x1000x24"]).stdout(Stdio::null()).stderr(Stdio::null());
    let child = server.spawn().map_err(|e| format!("Xvfb could not be started: {e}."))?;
    // It has no word for "ready"; its socket is there within this time.
    std::thread::sleep(Duration::from_secs(2));
    Ok(child)
}
