//! The page.

#[cfg(target_arch = "wasm32")]
fn main() {
    sandbatch::ui::start();
}

/// Only so that `--all-features` builds natively.
#[cfg(not(target_arch = "wasm32"))]
fn main() {
    eprintln!("The page is built for wasm32-unknown-unknown: cargo xtask serve");
}
