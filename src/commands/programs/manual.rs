//! The manual pages of models: `man sim` is the grammar of `#SIM` lines, `man python` says what holds without them.

use crate::host::model::keys::KEYS;
use crate::host::model::programs::{BINARY, Program};

/// What `man NAME` adds for a program that runs as a model.
#[must_use]
pub fn of(program: &Program) -> String {
    let mut text = format!(
        "       It is not simulated itself: it runs as a model, which takes time, CPUs and memory as #SIM comments say: in\n       \
         its program's file, in FILE.sim beside it, or in the job's script. Unless one says otherwise:\n\n           #SIM {}\n",
        program.sim.replace('\n', "\n           #SIM ")
    );
    if !program.options.is_empty() {
        let options: Vec<String> = program.options.iter().map(|(o, key)| format!("{o} ({key})")).collect();
        text += &format!("\n       Options that count: {}\n", options.join(", "));
    }
    text + "\nSEE ALSO\n       sim(5)\n"
}

/// `man sim`.
#[must_use]
pub fn sim() -> String {
    let mut text = String::from(
        "SIM(5)                  sandbatch manual                  SIM(5)\n\nNAME\n       sim - what programs do that are not \
         simulated\n\nSYNOPSIS\n       #SIM [PROGRAM:] KEY[@WHEN]=VALUE ...\n\nDESCRIPTION\n       Comments that begin with #SIM \
         say how long a program runs, how much memory it takes, what it prints\n       and how it ends. A real cluster ignores \
         them. They stand in the program's own file, in a file PROGRAM.sim\n       beside it, or in the job's script: there for \
         every program that the script runs, or for the one they name.\n       The program's own lines count more than the \
         script's, those that name it most.\n\nKEYS\n",
    );
    for key in KEYS {
        let value = if key.value.is_empty() { String::new() } else { format!("={}", key.value) };
        let when = if key.moment { "[@WHEN]" } else { "" };
        text += &format!("       {}{when}{value}\n              {}\n", key.name, key.help);
    }
    text += "\nWHEN\n       50% of the work, 10m of it, every10%, every5m. Work stands still while the program is stopped, \
             and goes\n       slower where a GPU is shared.\n\nDEFAULTS\n       man PROGRAM says what holds for a program; for a \
             binary of which nothing is known:\n\n           #SIM ";
    text + BINARY + "\n"
}
