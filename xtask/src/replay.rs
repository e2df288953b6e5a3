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

/// Runs Python programs three times in the module and prints their best times.
const RUN_PYTHON: &str = "\
    const engine = require(process.argv[1]);
    const loop = 'x = 0\\nfor i in range(1000000):\\n    x += i\\nprint(x)';
    const inner = 'def f():\\n    x = 0\\n    for i in range(1000000):\\n        x += i\\n    print(x)\\nf()';
    const calls = 'def f(x):\\n    return x + 1\\nn = 0\\nwhile n < 1000000:\\n    n = f(n)\\nprint(n)';
    for (const [what, source] of [['additions in a loop', loop], ['additions in a function', inner], ['calls', calls]]) {
        let best = Infinity;
        for (let i = 0; i < 3; i += 1) {
            const began = performance.now();
            if (!engine.python(source).endsWith('00\\n')) throw new Error(what);
            best = Math.min(best, performance.now() - began);
        }
        console.log(`a million ${what}: ${(best / 1000).toFixed(2)} s`);
    }";

/// `cargo xtask python`: measures how long loops of Python take in WebAssembly.
pub fn python() -> Outcome {
    say::note("compiling the engine for WebAssembly");
    let module = hashes::module()?;
    visibly(program("node").args(["-e", RUN_PYTHON]).arg(module))
}

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
