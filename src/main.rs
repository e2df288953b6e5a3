//! `sandbatch`: the native command line, on the same session as the page.

mod cli;

/// A replay makes and forgets millions of small things: the system's allocator was an eighth of its time.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> std::process::ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    cli::main(&args)
}
