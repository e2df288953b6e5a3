//! Native and WebAssembly agree to the last bit: both run the same scenarios and print the hashes of the state.

use crate::page::TARGET;
use crate::run::{self, cargo, program, quietly, visibly};
use crate::{Outcome, page, root, say, setup};
use std::fs;
use std::path::PathBuf;
use std::process::Command;

const SITE: &str = "examples/sites/inserm";

/// Calls the module's function with the site's files.
const RUN: &str = "\
    const fs = require('node:fs'), path = require('node:path');
    const [module, site] = process.argv.slice(1);
    const entries = fs.readdirSync(site, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const name = (file) => path.relative(site, file).split(path.sep).join('/');
    const files = entries.map((entry) => path.join(entry.parentPath ?? entry.path, entry.name));
    const pairs = files.flatMap((file) => [name(file), fs.readFileSync(file, 'utf8')]);
    process.stdout.write(require(module).hashes(pairs));";

/// Runs the scenarios in both and compares what they print.
pub fn check() -> Outcome {
    say::note("compiling the scenarios for both");
    // The development profile natively: it has the overflow checks, which must never make a difference.
    visibly(&mut cargo("build --locked --bin hashes"))?;
    let module = module()?;
    say::note("running the scenarios in both");
    let native =
        quietly(Command::new(run::target().join("debug").join("hashes")).arg(SITE).current_dir(root()))?;
    let wasm = quietly(program("node").args(["-e", RUN]).arg(module).arg(SITE))?;
    compare(&native, &wasm)
}

/// Compiles the program to WebAssembly; gives the module that node loads.
pub fn module() -> Outcome<PathBuf> {
    let build = format!(
        "build --release --locked --bin hashes --target {TARGET} --no-default-features --features web"
    );
    // As the page is compiled: what is compared is what is shipped, and its dependencies are there already.
    visibly(cargo(&build).env(page::OPT_LEVEL.0, page::OPT_LEVEL.1))?;
    let glue = root().join("target").join("hashes");
    setup::discard(&glue)?;
    fs::create_dir_all(&glue).map_err(|e| format!("{}: {e}.", glue.display()))?;
    let wasm = page::compiled().join("hashes.wasm");
    visibly(
        program("wasm-bindgen")
            .args(["--target", "nodejs", "--no-typescript", "--out-dir"])
            .arg(&glue)
            .arg(wasm),
    )?;
    // The project's package.json says "module"; wasm-bindgen's glue for node is CommonJS.
    let kind = glue.join("package.json");
    fs::write(&kind, "{\"type\":\"commonjs\"}\n").map_err(|e| format!("{}: {e}.", kind.display()))?;
    Ok(glue.join("hashes.js"))
}

fn compare(native: &str, wasm: &str) -> Outcome {
    if native.trim().is_empty() {
        return Err("The scenarios gave no hashes.".to_owned());
    }
    let pairs = native.lines().zip(wasm.lines());
    if let Some((native, wasm)) = pairs.clone().find(|(native, wasm)| native != wasm) {
        return Err(format!("natively `{native}`, in WebAssembly `{wasm}`."));
    }
    if native.lines().count() != wasm.lines().count() {
        return Err("One of them ran more scenarios than the other.".to_owned());
    }
    for (line, _) in pairs {
        say::note(line);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_are_found() {
        assert!(compare("a 1\nb 2\n", "a 1\nb 2\n").is_ok());
        assert!(compare("a 1\nb 2\n", "a 1\nb 3\n").is_err());
        assert!(compare("a 1\nb 2\n", "a 1\n").is_err());
        assert!(compare("", "").is_err());
    }
}
