//! `cargo xtask replay TRACE SITE`: measures how long a whole workload takes in WebAssembly and natively.
//!
//! The engine is compiled like the page's worker and runs in Node, which has the same V8 as Chrome.

use crate::run::{cargo, program, quietly, visibly};
use crate::{Outcome, hashes, say};

/// Replays the trace three times in the module and prints the best time.
const RUN: &str = "\
    const fs = require('node:fs'), path = require('node:path'), zlib = require('node:zlib');
    const [module, trace, site] = process.argv.slice(1);
    const names = fs.readdirSync(site).filter((name) => fs.statSync(path.join(site, name)).isFile());
    const pairs = names.flatMap((name) => [name, fs.readFileSync(path.join(site, name), 'utf8')]);
    const bytes = fs.readFileSync(trace);
    const text = (trace.endsWith('.gz') ? zlib.gunzipSync(bytes) : bytes).toString();
    const engine = require(module);
    let best = Infinity, events = 0;
    for (let i = 0; i < 3; i += 1) {
        const began = performance.now();
        events = engine.replay(text, pairs);
        best = Math.min(best, performance.now() - began);
    }
    process.stdout.write(`${(best / 1000).toFixed(2)} s, ${events} events`);";

/// Measures both builds.
pub fn replay(trace: &str, site: &str) -> Outcome {
    say::note("compiling the engine, natively and for WebAssembly");
    let module = hashes::module()?;
    visibly(&mut cargo("build --profile dist --locked --bin sandbatch"))?;
    let wasm = quietly(program("node").args(["-e", RUN]).arg(module).args([trace, site]))?;
    say::note(&format!("in WebAssembly: {wasm}"));
    visibly(
        cargo("run --profile dist --locked --quiet --bin sandbatch -- replay").args([trace, "--site", site]),
    )
}
