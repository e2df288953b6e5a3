//! Building the page, serving it, and packing it for a release.

use crate::run::{self, cargo, program, visibly};
use crate::server::Server;
use crate::{Outcome, budget, halves, root, say, setup};
use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::time::Instant;
use zip::write::SimpleFileOptions;

/// What is compiled for the page is optimised for size ("z": 16% smaller than "s" after brotli); the native binary is
/// as Cargo.toml says.
pub const OPT_LEVEL: (&str, &str) = ("CARGO_PROFILE_RELEASE_OPT_LEVEL", "z");

/// What the page's programs are compiled for.
pub const TARGET: &str = "wasm32-unknown-unknown";

/// Where Trunk puts the page.
pub fn dist() -> PathBuf {
    root().join("dist")
}

/// Where cargo puts what it compiles for the page.
pub fn compiled() -> PathBuf {
    run::target().join(TARGET).join("release")
}

/// Builds the page as it is published.
pub fn build() -> Outcome {
    say::note("compiling the page and its worker to WebAssembly: some minutes the first time");
    let began = Instant::now();
    visibly(program("trunk").env(OPT_LEVEL.0, OPT_LEVEL.1).args([
        "build",
        "index.html",
        "--release",
        "--offline=true",
        "--skip-version-check",
    ]))?;
    say::note("shrinking the page's two programs, in two halves each");
    halves::split(&dist(), &compiled())?;
    say::success(&format!("the page is in dist/ ({})", say::duration(began.elapsed())));
    Ok(())
}

/// `cargo xtask serve`.
pub fn serve(port: Option<u16>) -> Outcome {
    setup::need(&setup::PAGE)?;
    build()?;
    let address = Server::new(&dist(), "/").start(port)?;
    println!("sandbatch is served until you press Ctrl-C. Open");
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
    visibly(&mut cargo("build --release --locked --bin sandbatch"))?;
    say::success("target/release/sandbatch");
    Ok(())
}

/// The page as a zip whose bytes depend on nothing but the page.
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
