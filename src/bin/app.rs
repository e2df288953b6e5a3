//! The page.

#[cfg(target_arch = "wasm32")]
fn main() {
    app::start();
}

/// Exists only so that `--all-features` builds natively.
#[cfg(not(target_arch = "wasm32"))]
fn main() {
    eprintln!("The page is built for wasm32-unknown-unknown: cargo xtask serve");
}
