//! Builds the page, serves it, and packs it for a release.

use crate::run::{self, cargo, program, visibly};
use crate::server::Server;
use crate::{Outcome, book, budget, examples, halves, root, say, setup, versions};
use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::time::Instant;
use zip::write::SimpleFileOptions;

/// Cargo's profile for what is compiled for the page.
pub const PROFILE: &str = "page";

/// The compilation target of the page's programs.
pub const TARGET: &str = "wasm32-unknown-unknown";

/// Trunk's output directory.
pub fn dist() -> PathBuf {
    root().join("dist")
}

/// Cargo's output directory for the page.
pub fn compiled() -> PathBuf {
    run::target().join(TARGET).join(PROFILE)
}

/// Compiles programs of the page. Cargo links several of them at a time, while Trunk asks for one after the other.
pub fn compile(programs: &[&str]) -> Outcome {
    let mut build = cargo("build --locked --no-default-features --features web");
    build.args(["--profile", PROFILE, "--target", TARGET]);
    visibly(build.args(programs.iter().flat_map(|program| ["--bin", program])))
}

/// Builds the page for publication.
pub fn build() -> Outcome {
    say::note("compiling the page and its worker to WebAssembly (takes some minutes the first time)");
    let began = Instant::now();
    compile(&["app", "worker"])?;
    visibly(program("trunk").args([
        "build",
        "index.html",
        "--release",
        "--cargo-profile",
        PROFILE,
        "--offline=true",
        "--skip-version-check",
    ]))?;
    say::note("splitting the page's two programs into two modules each and optimising them");
    halves::split(&dist(), &compiled())?;
    say::note("rendering the book");
    book::build(&dist())?;
    versions::name(&dist())?;
    say::success(&format!("the page is in dist/ ({})", say::duration(began.elapsed())));
    Ok(())
}

/// `cargo xtask bundle`, which Trunk runs after its build: adds scripts, style sheets, sites and lessons to Trunk's
/// staging directory, so `trunk build` alone produces a complete page.
pub fn bundle() -> Outcome {
    visibly(program("node").arg("www/build.mjs"))?;
    examples::write(&std::env::var_os("TRUNK_STAGING_DIR").map_or_else(dist, PathBuf::from))
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
pub fn serve(port: Option<u16>) -> Outcome {
    setup::need(&setup::PAGE)?;
    build()?;
    let address = Server::new(&dist(), "/").start(port)?;
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
