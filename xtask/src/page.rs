//! Builds the page, serves it, and packs it for a release.

use crate::run::{self, cargo, program, visibly};
use crate::server::Server;
use crate::{Outcome, book, budget, examples, halves, root, say, setup, versions};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;
use zip::write::SimpleFileOptions;

/// The compilation target of the page's programs.
const TARGET: &str = "wasm32-unknown-unknown";

/// The directory of the page.
pub fn dist() -> PathBuf {
    root().join("dist")
}

/// A way to compile the page.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Build {
    /// Small and fast, split into modules (`--profile page`).
    Published,
    /// Compiled quickly, with the checks of a debug build, unsplit.
    Development,
}

/// Cargo's output directory for programs of the published page.
pub fn compiled() -> PathBuf {
    Build::Published.compiled(&run::target())
}

impl Build {
    fn profile(self) -> &'static str {
        match self {
            Self::Published => "page",
            Self::Development => "dev",
        }
    }

    /// Cargo's output directory below its target directory.
    fn compiled(self, target: &Path) -> PathBuf {
        target.join(TARGET).join(if self == Self::Development { "debug" } else { self.profile() })
    }

    /// Compiles both programs and writes the page's files but for the book. Only the versions of the worker and of the data are not
    /// in their names yet (`versions::name`).
    pub fn write(self, target: &Path, dist: &Path) -> Outcome {
        self.compile(&["app", "worker"], target)?;
        setup::discard(dist)?;
        let compiled = self.compiled(target);
        for program in ["app", "worker"] {
            bind("web", &compiled.join(program).with_extension("wasm"), dist)?;
        }
        let mut complete = program("node");
        complete.arg("www/build.mjs").arg(dist);
        match self {
            Self::Published => {
                say::note("splitting the page's two programs into two modules each and optimising them");
                halves::split(dist, &compiled)?;
            }
            Self::Development => {
                complete.arg("--dev");
            }
        }
        visibly(&mut complete)?;
        examples::write(dist)
    }

    /// Compiles programs of the page into a target directory. Cargo links several of them at a time.
    fn compile(self, programs: &[&str], target: &Path) -> Outcome {
        let mut build = cargo("build --locked --no-default-features --features web");
        build.args(["--profile", self.profile(), "--target", TARGET]).env("CARGO_TARGET_DIR", target);
        visibly(build.args(programs.iter().flat_map(|program| ["--bin", program])))
    }
}

/// Compiles programs of the published page.
pub fn compile(programs: &[&str]) -> Outcome {
    Build::Published.compile(programs, &run::target())
}

/// Writes a compiled program and its glue for `web` or `nodejs` into a directory.
pub fn bind(target: &str, wasm: &Path, dir: &Path) -> Outcome {
    visibly(
        program("wasm-bindgen").args(["--target", target, "--no-typescript", "--out-dir"]).arg(dir).arg(wasm),
    )
}

/// Builds the page for publication.
pub fn build() -> Outcome {
    say::note("compiling the page and its worker to WebAssembly (takes some minutes the first time)");
    let began = Instant::now();
    Build::Published.write(&run::target(), &dist())?;
    say::note("rendering the book");
    book::build(&dist())?;
    versions::name(&dist())?;
    say::success(&format!("the page is in dist/ ({})", say::duration(began.elapsed())));
    Ok(())
}

/// `cargo xtask book`.
pub fn book() -> Outcome {
    if !dist().join("index.html").is_file() {
        return Err("There is no page in dist/. Run `cargo xtask build` first.".to_owned());
    }
    book::build(&dist())?;
    versions::list_book(&dist())?;
    say::success("the book is in dist/book/, and dist/sw.js lists its files");
    Ok(())
}

/// `cargo xtask serve`.
pub fn serve(kind: Build, port: Option<u16>) -> Outcome {
    setup::need(&setup::PAGE)?;
    let dir = match kind {
        Build::Published => build().map(|()| dist())?,
        Build::Development => {
            let dir = run::target().join("development");
            kind.write(&run::target(), &dir)?;
            versions::name(&dir)?;
            dir
        }
    };
    let address = Server::new(&dir, "/").start(port)?;
    println!("Serving sandbatch until you press Ctrl-C. Open");
    println!("{address}");
    loop {
        std::thread::park();
    }
}

/// `cargo xtask size`.
pub fn size() -> Outcome {
    setup::need(&setup::PAGE)?;
    build()?;
    budget::check(&dist())
}

/// `cargo xtask build`: the page, its zip and the native binary.
pub fn release() -> Outcome {
    setup::need(&setup::PAGE)?;
    say::step(1, 3, "the page");
    build()?;
    say::step(2, 3, "target/sandbatch-web.zip");
    let zip = root().join("target").join("sandbatch-web.zip");
    pack(&zip).map_err(|e| format!("{}: {e}.", zip.display()))?;
    say::success(&zip.display().to_string());
    say::step(3, 3, "the native command line");
    // It contains the page, so that `sandbatch serve` needs no folder.
    let mut build = cargo("build --profile dist --locked --bin sandbatch --features embed-page");
    visibly(build.env("SANDBATCH_PAGE", &zip))?;
    say::success("target/dist/sandbatch");
    Ok(())
}

/// Packs the page into a reproducible zip file.
fn pack(zip: &PathBuf) -> Result<(), Box<dyn std::error::Error>> {
    let half = zip.with_extension("zip.half");
    let mut archive = zip::ZipWriter::new(fs::File::create(&half)?);
    let options = SimpleFileOptions::default()
        .compression_method(zip::CompressionMethod::Deflated)
        .last_modified_time(zip::DateTime::default())
        .unix_permissions(0o644);
    for file in budget::files(&dist())? {
        let name = file.strip_prefix(dist())?.to_string_lossy().replace('\\', "/");
        archive.start_file(format!("sandbatch/{name}"), options)?;
        archive.write_all(&fs::read(&file)?)?;
    }
    archive.finish()?;
    fs::rename(half, zip)?;
    Ok(())
}
