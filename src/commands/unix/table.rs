//! The rows of everyday programs, sorted by name.

use super::{
    awk, cat, copy, cut, date, exec, files, grep, head, info, lines, ls, man, print, sed, sleep, sort, tail,
    tr, uniq, wc,
};
use crate::commands::Kind::{Filter, Machine, Model, NotSimulated, Once, Shell};
use crate::commands::{Command, Kind};

const fn row(name: &'static str, summary: &'static str, kind: Kind) -> Command {
    Command { name, summary, kind }
}

const fn model(name: &'static str, summary: &'static str) -> Command {
    row(name, summary, Model)
}

const fn absent(name: &'static str, summary: &'static str) -> Command {
    row(name, summary, NotSimulated)
}

/// The rows, sorted by name.
pub const TABLE: &[Command] = &[
    row("awk", "pattern scanning and processing language", Machine(awk::start)),
    row("basename", "strip directory and suffix from file names", Once(info::basename)),
    row("bash", "GNU Bourne-Again SHell", Shell),
    row("cat", "concatenate files and print on the standard output", Machine(cat::cat)),
    row("chmod", "change file mode bits", Once(files::chmod)),
    row("clear", "clear the terminal screen", Once(print::clear)),
    row("cp", "copy files and directories", Once(copy::cp)),
    row("cut", "remove sections from each line of files", Machine(cut::start)),
    row("date", "print the system date and time", Once(date::date)),
    row("dirname", "strip last component from file name", Once(info::dirname)),
    row("echo", "display a line of text", Once(print::echo)),
    row("egrep", "print lines that match extended patterns", Machine(grep::start)),
    absent("emacs", "use the editor of the page"),
    row("env", "run a program in a modified environment", Machine(exec::env)),
    row("false", "do nothing, unsuccessfully", Once(print::no_exit)),
    row("fgrep", "print lines that match fixed strings", Machine(grep::start)),
    row("fold", "wrap each input line to fit in specified width", Machine(lines::fold)),
    row("grep", "print lines that match patterns", Machine(grep::start)),
    row("groups", "print the groups a user is in", Once(info::groups)),
    row("head", "output the first part of files", Machine(head::start)),
    row("hostname", "show the system's host name", Once(info::hostname)),
    row("id", "print real and effective user and group IDs", Once(info::id)),
    model("julia", "the Julia language"),
    row("ln", "make links between files", Once(files::ln)),
    row("logname", "print user's login name", Once(info::whoami)),
    row("ls", "list directory contents", Once(ls::ls)),
    row("man", "an interface to the system reference manuals", Once(man::man)),
    row("mkdir", "make directories", Once(files::mkdir)),
    model("mpiexec", "run MPI programs"),
    model("mpirun", "run MPI programs"),
    row("mv", "move (rename) files", Once(copy::mv)),
    absent("nano", "use the editor of the page"),
    row("nice", "run a program with modified scheduling priority", Machine(exec::nice)),
    row("nl", "number lines of files", Machine(lines::nl)),
    row("nohup", "run a command immune to hangups", Machine(exec::nohup)),
    row("printenv", "print all or part of environment", Once(exec::printenv)),
    row("printf", "format and print data", Once(print::printf)),
    row("pwd", "print name of current directory", Once(info::pwd)),
    model("python", "the Python language"),
    model("python3", "the Python language"),
    row("rev", "reverse lines characterwise", Machine(lines::rev)),
    row("rm", "remove files or directories", Once(copy::rm)),
    row("rmdir", "remove empty directories", Once(files::rmdir)),
    row("sed", "stream editor for filtering and transforming text", Machine(sed::start)),
    row("seq", "print a sequence of numbers", Once(print::seq)),
    row("sh", "command interpreter (bash)", Shell),
    row("sleep", "delay for a specified amount of time", Machine(sleep::start)),
    row("sort", "sort lines of text files", Filter { reads: sort::reads, run: sort::run }),
    row("stty", "show terminal settings", Once(info::stty)),
    row("su", "run a shell with substitute user", Machine(exec::su)),
    row("sudo", "execute a command as the superuser", Machine(exec::sudo)),
    row("tail", "output the last part of files", Machine(tail::start)),
    row("tee", "read from standard input and write to standard output and files", Machine(cat::tee)),
    row("touch", "change file timestamps", Once(files::touch)),
    row("tr", "translate or delete characters", Machine(tr::start)),
    row("true", "do nothing, successfully", Once(print::yes_exit)),
    row("tty", "print the file name of the terminal", Once(info::tty)),
    row("uname", "print system information", Once(info::uname)),
    row("uniq", "report or omit repeated lines", Machine(uniq::start)),
    absent("vi", "use the editor of the page"),
    absent("vim", "use the editor of the page"),
    row("wc", "print newline, word, and byte counts for each file", Machine(wc::start)),
    row("which", "locate a command", Once(info::which)),
    row("whoami", "print effective user name", Once(info::whoami)),
    row("yes", "output a string repeatedly until killed", Machine(print::yes)),
];
