//! Measurements and pictures: `cargo xtask bench` writes `docs/figures.md`, `cargo xtask shots` the pictures in
//! `docs/images/`, and `cargo xtask looks` pictures of every panel.

use crate::run::{cargo, program, quietly, tools, visibly};
use crate::server::Server;
use crate::{Outcome, budget, check, page, root, say, setup};
use std::fs;
use std::path::{Path, PathBuf};

const LIGHTHOUSE: &str = "12.8.2";

/// `cargo xtask shots`.
pub fn shots() -> Outcome {
    pictures("docs/images/", "--project=shots")
}

/// `cargo xtask looks`.
pub fn looks() -> Outcome {
    pictures("target/looks/", "--project=looks")
}

fn pictures(folder: &str, project: &str) -> Outcome {
    setup::need(&[&setup::PAGE[..], &[setup::Part::Chromium]].concat())?;
    say::step(1, 2, "the page");
    page::build()?;
    say::step(2, 2, &format!("pictures in {folder}"));
    let address = Server::new(&page::dist(), "/").start(None)?;
    visibly(check::playwright(&address)?.arg(project))
}

/// `cargo xtask bench`, or only its part about the page: the other figures stay as they are.
pub fn bench(page_only: bool) -> Outcome {
    setup::need(&[&setup::PAGE[..], &[setup::Part::Chromium]].concat())?;
    let steps = if page_only { 3 } else { 4 };
    say::step(1, steps, "the page");
    page::build()?;
    say::step(2, steps, "time to the prompt and frames per second");
    let address = Server::new(&page::dist(), "/").compressing()?.start(None)?;
    let figures = root().join("target").join("figures.txt");
    let _ = fs::remove_file(&figures);
    visibly(check::playwright(&address)?.arg("--project=bench"))?;
    let mut rows = fs::read_to_string(&figures).map_err(|e| format!("{}: {e}.", figures.display()))?;
    say::step(3, steps, "Lighthouse");
    rows.push_str(&lighthouse(&address).unwrap_or_else(|reason| {
        say::note(&reason);
        "Lighthouse | not measured\n".to_owned()
    }));
    if page_only {
        rows.push_str(&native_rows(&fs::read_to_string(figures_file()).unwrap_or_default()));
    } else {
        say::step(4, steps, "engine throughput and memory");
        rows.push_str(&quietly(&mut cargo("bench --locked --bench engine"))?);
        rows.push_str(&quietly(&mut cargo("bench --locked --bench memory"))?);
    }
    write(&rows)
}

/// The rows of a table of figures that the page does not change, as the benches print them.
fn native_rows(table: &str) -> String {
    let rows = table.lines().filter_map(|line| line.strip_prefix("| ")?.strip_suffix(" |"));
    rows.filter(|row| row.contains(", native: ")).map(|row| format!("{row}\n")).collect()
}

fn figures_file() -> PathBuf {
    root().join("docs").join("figures.md")
}

/// `cargo xtask bench class`: the binary measures and prints.
pub fn class(options: &[&str]) -> Outcome {
    visibly(cargo("run --locked --profile dist -- bench class").args(options))
}

/// Number of Lighthouse runs, because a single score varies too much.
const LOOKS: u32 = 5;

/// The CPU slowdown with which a machine of this benchmark index stands for Lighthouse's phone, as its calculator of CPU
/// throttling has it: 2 at 800, 3 at 1,300, and one more for each 233 above that. The default of 4 is for an index of 1,533.
fn slowdown(index: f64) -> f64 {
    match index {
        1300.0.. => 3.0 + (index - 1300.0) / 233.0,
        800.0.. => 2.0 + (index - 800.0) / 500.0,
        _ => 1.0 + (index - 150.0).max(0.0) / 650.0,
    }
}

/// Lighthouse's four scores: the median and all runs. Lighthouse is installed only for this.
fn lighthouse(address: &str) -> Outcome<String> {
    let folder = tools().join("lighthouse");
    let package = format!("lighthouse@{LIGHTHOUSE}");
    quietly(
        program("npm").args(["install", "--no-audit", "--no-fund", "--prefix"]).arg(&folder).arg(package),
    )?;
    let report = |look| root().join("target").join(format!("lighthouse-{look}.json"));
    let look_at_page = |look, slowdown: f64| -> Outcome {
        quietly(
            program("node")
                .arg(folder.join("node_modules/lighthouse/cli/index.js"))
                .args([
                    address,
                    "--quiet",
                    "--output=json",
                    "--chrome-flags=--headless --no-sandbox --disable-gpu",
                ])
                .arg(format!("--throttling.cpuSlowdownMultiplier={slowdown:.2}"))
                .arg(format!("--output-path={}", report(look).display()))
                .env("CHROME_PATH", setup::chromium()?),
        )
        .map(drop)
    };
    // The first looks only measure the machine.
    let mut indices = Vec::new();
    for look in 0..LOOKS {
        look_at_page(look, 4.0)?;
        let text =
            fs::read_to_string(report(look)).map_err(|e| format!("{}: {e}.", report(look).display()))?;
        let report: serde_json::Value = serde_json::from_str(&text).map_err(|e| e.to_string())?;
        let index = report["environment"]["benchmarkIndex"].as_f64();
        indices.push(index.ok_or("Lighthouse reports no benchmark index.")?);
    }
    indices.sort_by(f64::total_cmp);
    let index = indices.get(indices.len() / 2).copied().unwrap_or_default();
    for look in 0..LOOKS {
        look_at_page(look, slowdown(index))?;
    }
    let print = "const all = process.argv.slice(1).map((file) => require(file).categories); \
                 for (const k in all[0]) { \
                   const scores = all.map((c) => Math.round(c[k].score * 100)).sort((a, b) => a - b); \
                   const median = scores[scores.length >> 1]; \
                   console.log(`Lighthouse: ${all[0][k].title}, median of ${scores.length} | ${median} of 100 (${scores.join(', ')})`); \
                 }";
    let scores = quietly(program("node").args(["-e", print]).args((0..LOOKS).map(report)))?;
    Ok(format!(
        "Lighthouse: benchmark index of the machine, and the CPU slowdown for it | {index:.0}, {:.2}\n{scores}",
        slowdown(index)
    ))
}

/// Writes the table, including the sizes of the parts.
fn write(rows: &str) -> Outcome {
    let mut text = String::from(
        "# Measurements\n\nWritten by `cargo xtask bench`. The numbers depend on the machine, so compare them only with each other.\n\
         For engine slices there are two numbers: the CPU time of each task in the worker (`tests/browser/slices.ts`), and the elapsed time,\n\
         during which two cores also serve the page, the compositor and the browser's compiler. An echo counts when its frame has been laid\n\
         out and painted. Lighthouse simulates a slow phone. Its slowdown of the CPU is calibrated by its benchmark, so that the phone is the\n\
         same on a slow machine. The native figures may be from another machine than the page's (`cargo xtask bench page` measures the page only).\n\n\
         | what | value |\n| --- | --- |\n",
    );
    for (part, size, limit) in budget::sizes(&page::dist())? {
        let of = limit.map_or(String::new(), |limit| format!(" of {}", say::kilobytes(limit)));
        text.push_str(&format!("| {part}, brotli | {}{of} |\n", say::kilobytes(size)));
    }
    for (what, figure) in rows.lines().filter_map(|row| row.split_once(" | ")) {
        text.push_str(&format!("| {} | {} |\n", what.trim(), figure.trim()));
        say::note(&format!("{what:50} {figure}"));
    }
    let file = figures_file();
    save(&file, &text)?;
    say::success(&file.display().to_string());
    Ok(())
}

fn save(file: &Path, text: &str) -> Outcome {
    fs::write(file, text).map_err(|e| format!("{}: {e}.", file.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_phone_is_the_same() {
        for (index, is) in
            [(100.0, 1.0), (150.0, 1.0), (800.0, 2.0), (1300.0, 3.0), (1533.0, 4.0), (1999.0, 6.0)]
        {
            assert!((slowdown(index) - is).abs() < 1e-9, "{index}");
        }
    }

    #[test]
    fn native_rows_stay() {
        let table = "# Measurements\n\n| what | value |\n| --- | --- |\n| worker, brotli | 750 kB |\n\
                     | engine, native: a fork | 0.026 ms |\n| memory, native: peak | 161 MB |\n";
        assert_eq!(native_rows(table), "engine, native: a fork | 0.026 ms\nmemory, native: peak | 161 MB\n");
    }
}
