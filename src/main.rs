//! `sandbatch`: the native command line, on the same session as the page.

mod cli;

/// A replay allocates and frees millions of small objects. The system's allocator took an eighth of its time.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> std::process::ExitCode {
    cli::main()
}
