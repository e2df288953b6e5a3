//! Checks that native and WebAssembly builds agree to the last bit: both run the same scenarios and print hashes of the
//! state.

use crate::run::{self, cargo, program, quietly, visibly};
use crate::{Outcome, page, root, say, setup};
use std::fs;
use std::path::PathBuf;
use std::process::Command;

/// Calls the module's function.
const RUN: &str = "process.stdout.write(require(process.argv[1]).hashes());";

/// Runs the scenarios in both builds and compares their output.
pub fn check() -> Outcome {
    say::note("compiling the scenarios, natively and for WebAssembly");
    // The native build uses the development profile, because its overflow checks must never make a difference.
    visibly(&mut cargo("build --locked --bin hashes"))?;
    let module = module()?;
    say::note("running the scenarios in both builds");
    let native = quietly(Command::new(run::target().join("debug").join("hashes")).current_dir(root()))?;
    let wasm = quietly(program("node").args(["-e", RUN]).arg(module))?;
    compare(&native, &wasm)
}

/// Compiles the program to WebAssembly; returns the module for Node to load.
pub fn module() -> Outcome<PathBuf> {
    // Compiled like the page, so that the comparison covers what is shipped and reuses its dependencies.
    page::compile(&["hashes"])?;
    let glue = root().join("target").join("hashes");
    setup::discard(&glue)?;
    page::bind("nodejs", &page::compiled().join("hashes.wasm"), &glue)?;
    // The project's package.json says "module"; wasm-bindgen's glue for node is CommonJS.
    let kind = glue.join("package.json");
    fs::write(&kind, "{\"type\":\"commonjs\"}\n").map_err(|e| format!("{}: {e}.", kind.display()))?;
    Ok(glue.join("hashes.js"))
}

fn compare(native: &str, wasm: &str) -> Outcome {
    if native.trim().is_empty() {
        return Err("The scenarios printed no hashes.".to_owned());
    }
    let pairs = native.lines().zip(wasm.lines());
    if let Some((native, wasm)) = pairs.clone().find(|(native, wasm)| native != wasm) {
        return Err(format!("native: `{native}`, WebAssembly: `{wasm}`."));
    }
    if native.lines().count() != wasm.lines().count() {
        return Err("The two builds ran different numbers of scenarios.".to_owned());
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
