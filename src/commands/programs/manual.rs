//! Manual pages of models: `man sim` describes the grammar of `#SIM` lines, `man python` the behaviour
//! without them.

use host::model::keys::KEYS;
use host::model::programs::{BINARY, ModelProgram};

/// What `man NAME` adds for a program that runs as a model.
#[must_use]
pub fn of(program: &ModelProgram) -> String {
    let mut text = format!(
        "       Runs as a model that takes the time, CPUs and memory given in #SIM comments: in the program's file, in\n       \
         FILE.sim beside it, or in the job's script. The default is:\n\n           #SIM {}\n",
        program.sim.replace('\n', "\n           #SIM ")
    );
    if !program.options.is_empty() {
        let options: Vec<String> = program.options.iter().map(|(o, key)| format!("{o} ({key})")).collect();
        text += &format!("\n       Options that set a key: {}\n", options.join(", "));
    }
    text + "\nSEE ALSO\n       sim(5)\n"
}

/// `man sim`.
#[must_use]
pub fn sim() -> String {
    let mut text = String::from(
        "SIM(5)                  sandbatch manual                  SIM(5)\n\nNAME\n       sim - behaviour of programs that run \
         as models\n\nSYNOPSIS\n       #SIM [PROGRAM:] KEY[@WHEN]=VALUE ...\n\nDESCRIPTION\n       Comments that begin with #SIM \
         set how long a program runs, how much memory it takes, what it prints\n       and how it ends. A real cluster ignores \
         them. Put them in the program's own file, in a file PROGRAM.sim\n       beside it, or in the job's script. In the \
         script they apply to every program it runs, or to the one they name.\n       Lines that name the program take \
         precedence, then the program's own lines, then the script's.\n\nKEYS\n",
    );
    for key in KEYS {
        let value = if key.value.is_empty() { String::new() } else { format!("={}", key.value) };
        let when = if key.moment { "[@WHEN]" } else { "" };
        text += &format!("       {}{when}{value}\n              {}\n", key.name, key.help);
    }
    text += "\nWHEN\n       50% of the work, 10m of it, every10%, every5m. Work stops while the program is stopped and \
             is\n       slower on a shared GPU.\n\nDEFAULTS\n       man PROGRAM shows a program's defaults. Those of an \
             unknown binary are:\n\n           #SIM ";
    text + BINARY + "\n"
}
