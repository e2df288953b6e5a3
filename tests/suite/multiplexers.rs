//! tmux and screen on a terminal of the page: windows, keys, and sessions that outlive the terminal. Messages and lists are those
//! of tmux 3.3a and screen 4.9.0.

use crate::page::Page;
use crate::site::inserm;
use protocol::{FromEngine, ToEngine};
use std::num::NonZero;

/// The rows that a terminal of 80 columns and 24 rows shows, without empty ones at the end.
fn shown(page: &Page) -> Vec<String> {
    let size = |n: u16| NonZero::new(n).expect("a size");
    let mut parser = vt100::Parser::new(size(24), size(80), 0);
    parser.process(page.text().replace('\n', "\r\n").as_bytes());
    let row = |row| parser.screen().contents_between(row, 0, row, 80).trim_end().to_owned();
    let mut rows: Vec<String> = (0..24).map(row).collect();
    while rows.last().is_some_and(String::is_empty) {
        rows.pop();
    }
    rows
}

/// Presses keys and returns what the terminal shows then.
fn keys(page: &mut Page, keys: &str) -> Vec<String> {
    page.send(ToEngine::Type { tty: page.tty(), bytes: keys.as_bytes().to_vec() });
    page.ticks(20);
    shown(page)
}

/// The last row, up to the host.
fn status(rows: &[String]) -> String {
    rows.last().map_or(String::new(), |row| row.split(" \"").next().unwrap_or_default().trim_end().to_owned())
}

fn page() -> Page {
    Page::of(inserm(1), None, Vec::new())
}

#[test]
fn windows_of_tmux() {
    let mut page = page();
    let rows = keys(&mut page, "tmux new -s work\n");
    assert_eq!(rows.len(), 24, "{rows:?}");
    assert_eq!(status(&rows), "[work] 0:bash*");
    assert!(rows[0].ends_with('$'), "a prompt: {rows:?}");
    let rows = keys(&mut page, "echo one $TERM $TMUX_PANE\n");
    assert_eq!(rows[1], "one tmux-256color %0");
    let rows = keys(&mut page, "\x02c");
    assert_eq!(status(&rows), "[work] 0:bash- 1:bash*");
    assert_eq!(rows[1], "", "a screen of its own: {rows:?}");
    keys(&mut page, "sleep 500\n");
    let rows = keys(&mut page, "\x02n");
    assert_eq!(
        (status(&rows).as_str(), rows[1].as_str()),
        ("[work] 0:bash* 1:sleep-", "one tmux-256color %0")
    );
    keys(&mut page, "\x02p");
    // Ctrl-C is for the window, not for tmux.
    let rows = keys(&mut page, "\x03");
    assert_eq!(status(&rows), "[work] 0:bash- 1:bash*");
    let rows = keys(&mut page, "\x02,");
    assert_eq!(status(&rows), "(rename-window) bash");
    assert_eq!(status(&keys(&mut page, "\x15log\n")), "[work] 0:bash- 1:log*");
    assert_eq!(keys(&mut page, "\x025").last().map(String::as_str), Some("Can't find window: 5"));
    assert_eq!(status(&keys(&mut page, "\x020")), "[work] 0:bash* 1:log-");
    let list = keys(&mut page, "\x02w");
    assert_eq!(list[..3], ["(0) - work: 2 windows (attached)", "(1) ├─> 0: bash*", "(2) └─> 1: log-"]);
    assert_eq!(status(&keys(&mut page, "j\n")), "[work] 0:bash- 1:log*");
    assert!(keys(&mut page, "\x02?").iter().any(|row| row == "C-b c       Create a new window"));
    assert_eq!(status(&keys(&mut page, "q")), "[work] 0:bash- 1:log*");
    assert_eq!(status(&keys(&mut page, "\x02&")), "kill-window log? (y/n)");
    assert_eq!(status(&keys(&mut page, "y")), "[work] 0:bash*");
    assert_eq!(
        keys(&mut page, "\x02%").last().map(|row| row.starts_with("not simulated in sandbatch")),
        Some(true)
    );
    let rows = keys(&mut page, "\x02d");
    assert_eq!(rows.last().map(String::as_str), Some("[detached (from session work)]"));
    assert!(page.types("tmux ls").contains("work: 1 windows (created "));
    let rows = keys(&mut page, "tmux a -t work\n");
    assert_eq!((status(&rows).as_str(), rows[1].as_str()), ("[work] 0:bash*", "one tmux-256color %0"));
    let rows = keys(&mut page, "exit\n");
    assert_eq!(rows.last().map(String::as_str), Some("[exited]"));
    assert!(page.types("tmux ls; echo $?").contains("no server running on /tmp/tmux-"));
}

#[test]
fn lines_are_edited_in_a_window_as_on_the_page() {
    let mut page = page();
    page.types("touch unusual_name.txt");
    keys(&mut page, "tmux\n");
    let rows = keys(&mut page, "echo wrld\x1b[D\x1b[D\x1b[Do");
    assert!(rows[0].ends_with("$ echo world"), "{rows:?}");
    assert_eq!(keys(&mut page, "\n")[1], "world");
    assert!(keys(&mut page, "\x1b[A")[2].ends_with("$ echo world"), "the history");
    keys(&mut page, "\x15");
    assert!(keys(&mut page, "ls unus\t")[2].ends_with("$ ls unusual_name.txt"), "completion");
    assert_eq!(keys(&mut page, "\n")[3], "unusual_name.txt");
    // A program that reads lines, and one that reads keys.
    keys(&mut page, "clear; read -p 'name: ' name; echo hello $name\n");
    assert_eq!(keys(&mut page, "anne\x7fa\n")[..2], ["name: anna", "hello anna"]);
    keys(&mut page, "vi new.txt\n");
    keys(&mut page, "ihi\x1b:wq\n");
    keys(&mut page, "clear; cat new.txt\n");
    assert_eq!(shown(&page)[0], "hi");
}

#[test]
fn windows_of_screen() {
    let mut page = page();
    let rows = keys(&mut page, "screen -S job\n");
    assert_eq!(rows.len(), 1, "no line at the bottom: {rows:?}");
    let rows = keys(&mut page, "echo $TERM $WINDOW ${STY#*.}\n");
    assert_eq!(rows[1], "screen 0 job");
    assert_eq!(keys(&mut page, "\x01c").len(), 1);
    assert_eq!(keys(&mut page, "\x01w").last().map(String::as_str), Some("0- bash  1* bash"));
    assert_eq!(keys(&mut page, "\x01A").last().map(String::as_str), Some("Set window's title to: bash"));
    keys(&mut page, "\x15log\n");
    let list = keys(&mut page, "\x01\"");
    assert!(list[0].starts_with(" Num Name") && list[3] == "   1 log", "{list:?}");
    assert_eq!(keys(&mut page, "0")[1], "screen 0 job");
    keys(&mut page, "\x01n");
    assert_eq!(keys(&mut page, "\x01k").last().map(String::as_str), Some("Really kill this window [y/n]"));
    assert_eq!(keys(&mut page, "y")[1], "screen 0 job");
    let rows = keys(&mut page, "\x01d");
    assert!(
        rows.last().is_some_and(|row| row.starts_with("[detached from ") && row.ends_with(".job]")),
        "{rows:?}"
    );
    let list = page.types("screen -ls");
    assert!(
        list.contains("There is a screen on:\n\t") && list.contains(".job\t(") && list.contains("(Detached)")
    );
    assert_eq!(keys(&mut page, "screen -r job\n")[1], "screen 0 job");
    let rows = keys(&mut page, "exit\n");
    assert_eq!(rows.last().map(String::as_str), Some("[screen is terminating]"));
    assert!(page.types("screen -r; echo $?").contains("There is no screen to be resumed.\n1\n"));
}

#[test]
fn a_session_outlives_its_terminal() {
    let mut page = page();
    keys(&mut page, "tmux new -s kept\n");
    keys(&mut page, "echo still here\n");
    let first = page.tty();
    let user = page.others.iter().find_map(|message| match message {
        FromEngine::Opened { user, .. } => Some(user.clone()),
        _ => None,
    });
    page.send(ToEngine::Login(user.expect("a terminal")));
    page.ticks(5);
    // The first terminal is closed without detaching.
    page.send(ToEngine::Logout(first));
    page.ticks(20);
    page.screen.clear();
    let list = page.types("tmux ls");
    assert!(list.contains("kept: 1 windows (created ") && !list.contains("(attached)"), "{list}");
    let rows = keys(&mut page, "tmux attach\n");
    assert_eq!((status(&rows).as_str(), rows[1].as_str()), ("[kept] 0:bash*", "still here"));
}

#[test]
fn the_windows_of_a_saved_session_are_there_again() {
    let mut page = page();
    keys(&mut page, "tmux new -s kept\n");
    keys(&mut page, "echo still here; sleep 1000\n");
    for _ in 0..500 {
        page.ticks(10);
        if page.saved.is_some() && page.journal.is_empty() {
            break;
        }
    }
    let since = page.journal.iter().map(|(_, entry)| entry.clone()).collect();
    let mut again = Page::of(inserm(1), page.saved.clone(), since);
    let rows = keys(&mut again, "\x02r");
    assert_eq!((status(&rows).as_str(), rows[1].as_str()), ("[kept] 0:sleep*", "still here"));
    assert_eq!(status(&keys(&mut again, "\x03\x02c")), "[kept] 0:bash- 1:bash*");
}
