//! Keystrokes compared with vim 9.0, and what the terminal shows.
//!
//! `cases.txt` holds keys, a text, and the file after them as vim leaves it. `SANDBATCH_VIM=vim cargo test -p sandbatch-unix`
//! records it again.

use crate::testing::{EditorCases, Host, TestTerminal, keys_of, real};
use base::ids::Uid;
use host::Signal;
use host::kernel::ProcessTarget;
use std::num::NonZero;

fn by_vim(vim: &str, keys: &str, before: &str) -> String {
    let script = format!(
        "timeout 10 {vim} -u NONE -N -i NONE -n --cmd 'set backspace=indent,eol,start' -s keys text >/dev/null 2>&1 </dev/null; cat text"
    );
    let keys = keys_of(&format!("{keys}<Esc><Esc>:wq!<CR>"));
    // vim reads the codes of a terminal that it does not know as these.
    let keys = keys.replace('\x7f', "\x08").replace('\n', "\r");
    real(&["sh", "-c", &script], "", &[("keys", &keys), ("text", before)]).out
}

fn by_us(keys: &str, before: &str) -> String {
    let mut host = Host::with(&[("text", before)]);
    let mut terminal = host.on_terminal(&["vim", "text"]);
    terminal.keys(&mut host, &keys_of(keys));
    if terminal.code.is_none() {
        terminal.keys(&mut host, "\x1b");
        terminal.keys(&mut host, "\x1b:wq!\n");
    }
    assert_eq!(terminal.code, Some(0), "{keys}");
    host.cat("text")
}

#[test]
fn the_file_is_the_one_that_vim_leaves() {
    let mut cases = EditorCases::read(concat!(env!("CARGO_MANIFEST_DIR"), "/vi/cases.txt"));
    if let Ok(vim) = std::env::var("SANDBATCH_VIM") {
        cases.record(|keys, before| by_vim(&vim, keys, before));
    }
    cases.compare(by_us);
}

/// A terminal of 80 columns.
pub(crate) fn emulator(rows: u16) -> vt100::Parser {
    vt100::Parser::new(NonZero::new(rows).unwrap(), NonZero::new(80).unwrap(), 0)
}

/// The rows of a terminal that gets what a program has drawn so far.
struct EditedScreen {
    host: Host,
    terminal: TestTerminal,
    parser: vt100::Parser,
}

impl EditedScreen {
    fn new(argv: &[&str], files: &[(&str, &str)]) -> Self {
        Self::of(Host::with(files), argv)
    }

    fn of(mut host: Host, argv: &[&str]) -> Self {
        let terminal = host.on_terminal(argv);
        let mut screen = Self { host, terminal, parser: emulator(24) };
        screen.keys("");
        screen
    }

    fn keys(&mut self, keys: &str) {
        let drawn = self.terminal.keys(&mut self.host, &keys_of(keys));
        self.parser.process(drawn.as_bytes());
    }

    fn row(&self, row: u16) -> String {
        self.parser.screen().contents_between(row, 0, row, 80).trim_end().to_owned()
    }

    fn cursor(&self) -> (u16, u16) {
        self.parser.screen().cursor_position()
    }
}

#[test]
fn the_terminal_shows_the_text_the_mode_and_the_place() {
    let mut vi = EditedScreen::new(&["vim", "job.sh"], &[("job.sh", "#!/bin/bash\n\tsrun hostname\n")]);
    assert_eq!(
        (vi.row(0), vi.row(1), vi.row(2)),
        ("#!/bin/bash".into(), "        srun hostname".into(), "~".into())
    );
    assert_eq!(vi.row(23), format!("{:<62}{:<14}{}", "\"job.sh\" 2L, 27B", "1,1", "All"));
    vi.keys("j");
    // The cursor is at the end of a tab.
    assert_eq!((vi.cursor(), vi.row(23).trim()), ((1, 7), "2,1-8         All"));
    vi.keys("A --all");
    assert_eq!((vi.row(1), vi.cursor()), ("        srun hostname --all".into(), (1, 27)));
    assert!(vi.row(23).starts_with("-- INSERT --"), "{}", vi.row(23));
    vi.keys("<Esc>:set nu<CR>:wq");
    assert_eq!((vi.row(0), vi.row(23), vi.cursor()), ("  1 #!/bin/bash".into(), ":wq".into(), (23, 3)));
    vi.keys("<CR>");
    assert_eq!(
        (vi.terminal.code, vi.host.cat("job.sh")),
        (Some(0), "#!/bin/bash\n\tsrun hostname --all\n".into())
    );
    assert!(!vi.parser.screen().alternate_screen());
}

#[test]
fn long_lines_wrap_and_the_top_follows_the_cursor() {
    let text: String = (1..=100).map(|n| format!("line {n}\n")).collect();
    let long = format!("{}\n{text}", "x".repeat(170));
    let mut vi = EditedScreen::new(&["vim", "long"], &[("long", &long)]);
    assert_eq!((vi.row(1).len(), vi.row(2), vi.row(3)), (80, "x".repeat(10), "line 1".into()));
    vi.keys("G");
    assert_eq!((vi.row(22), vi.cursor()), ("line 100".into(), (22, 0)));
    vi.keys("50Gzt");
    assert_eq!((vi.row(0), vi.row(23).trim()), ("line 49".into(), "50,1          62%"));
    vi.keys("<C-f>");
    assert_eq!(vi.row(0), "line 70");
    // A smaller window.
    vi.host.kernel.tty_mut(vi.terminal.tty).unwrap().rows = 10;
    vi.parser = emulator(10);
    vi.keys("gg");
    assert_eq!((vi.row(3), vi.row(9).trim()), ("line 1".into(), "1,1           Top"));
}

#[test]
fn messages_are_vims() {
    let mut host = Host::with(&[("own", "a\n"), ("other", "b\n"), ("cut", "no newline")]);
    host.kernel.fs.chmod(Uid(1001), "/home/alice/own", 0o444).unwrap();
    host.kernel.fs.mkdir(Uid(1001), "/home/alice/dir", 0o755, host.now).unwrap();
    host.kernel.fs.write(Uid(0), "/tmp/of-root", b"r\n", 0o644, host.now).unwrap();
    host.kernel.fs.write(Uid(0), "/tmp/secret", b"s\n", 0o600, host.now).unwrap();
    let mut vi = EditedScreen::of(host, &["vim", "own"]);
    let table = [
        ("", "\"own\" [readonly] 1L, 2B"),
        ("ix", "W10: Warning: Changing a readonly file"),
        ("<Esc>:w<CR>", "E45: 'readonly' option is set (add ! to override)"),
        (":q<CR>", "E37: No write since last change (add ! to override)"),
        (":w!<CR>", "\"own\" 1L, 3B written"),
        (":e /tmp/of-root<CR>", "\"/tmp/of-root\" [readonly] 1L, 2B"),
        ("ix<Esc>:w!<CR>", "\"/tmp/of-root\" E212: Can't open file for writing"),
        (":e! /tmp/secret<CR>", "\"/tmp/secret\" [Permission Denied]"),
        (":w<CR>", "\"/tmp/secret\" cannot be read"),
        (":e! dir<CR>", "\"dir\" is a directory"),
        (":e! new<CR>", "\"new\" [New]"),
        ("ihi<Esc>:w<CR>", "\"new\" [New] 1L, 3B written"),
        (":w other<CR>", "E13: File exists (add ! to override)"),
        (":w missing/file<CR>", "\"missing/file\" E212: Can't open file for writing"),
        (":e! missing/file<CR>", "\"missing/file\" [New DIRECTORY]"),
        (":e! cut<CR>", "\"cut\" [noeol] 1L, 10B"),
        ("x:w<CR>", "\"cut\" [noeol] 1L, 9B written"),
        (":frobnicate<CR>", "E492: Not an editor command: frobnicate"),
        (":%s/zzz/y/<CR>", "E486: Pattern not found: zzz"),
        (":99<CR>", "E16: Invalid range"),
        (":set frob<CR>", "E518: Unknown option: frob"),
        (":set ts?<CR>", "tabstop=8"),
        ("'a", "E20: Mark not set"),
        ("qa", "not simulated in sandbatch: macros"),
        (":split<CR>", "not simulated in sandbatch: :split"),
        ("xxu", "1 change; before #3  0 seconds ago"),
        ("<C-g>", "\"cut\" [Modified] 1 line --100%--"),
        (":f<CR>", "\"cut\" [Modified] 1 line --100%--"),
        ("<C-c>", "Type  :qa!  and press <Enter> to abandon all changes and exit Vim"),
        ("/e<CR>nn", "search hit BOTTOM, continuing at TOP"),
        (":q!<CR>", ""),
    ];
    for (keys, message) in table {
        vi.keys(keys);
        let row = vi.row(23);
        let shown = row.get(..62).map_or(row.as_str(), str::trim_end).trim();
        let shown = if message.len() > 52 { row.trim() } else { shown };
        assert_eq!(shown, message, "{keys}");
    }
    assert_eq!(vi.terminal.code, Some(0));
    let stat = vi.host.kernel.fs.stat(Uid(1001), "/home/alice/own").unwrap();
    assert_eq!(
        (stat.mode & 0o777, vi.host.cat("own"), vi.host.cat("cut")),
        (0o444, "xa\n".into(), "o newline".into())
    );
}

#[test]
fn a_session_that_is_saved_in_the_middle_goes_on() {
    let mut vi = EditedScreen::new(&["vim", "text"], &[("text", "one\ntwo\n")]);
    vi.keys("dd3ix");
    let saved = postcard::to_stdvec(&vi.terminal.running).unwrap();
    vi.terminal.running = postcard::from_bytes(&saved).unwrap();
    vi.keys("y<Esc>u");
    assert_eq!((vi.row(0), vi.row(1)), ("two".into(), "~".into()));
    vi.keys("u<C-r><C-r>:x<CR>");
    assert_eq!((vi.terminal.code, vi.host.cat("text")), (Some(0), "xyxyxytwo\n".into()));
}

#[test]
fn control_z_stops_it_and_fg_draws_again() {
    let mut vi = EditedScreen::new(&["vim", "text"], &[("text", "one\n")]);
    vi.keys("ix<Esc><C-z>");
    assert!(vi.host.kernel.process(vi.terminal.pid).unwrap().stopped());
    assert!(!vi.parser.screen().alternate_screen());
    assert_eq!(vi.host.kernel.tty(vi.terminal.tty).unwrap().keys, None);
    let group = ProcessTarget::Process(vi.terminal.pid);
    vi.host.kernel.kill(Uid(0), group, Some(Signal::CONT)).unwrap();
    vi.keys("");
    assert_eq!((vi.row(0), vi.parser.screen().alternate_screen()), ("xone".into(), true));
    vi.keys("ZZ");
    assert_eq!((vi.terminal.code, vi.host.cat("text")), (Some(0), "xone\n".into()));
}

#[test]
fn a_file_that_the_page_saves_ends_an_editor_without_changes() {
    let mut vi = EditedScreen::new(&["vim", "text"], &[("text", "one\n")]);
    vi.host.kernel.note_saved("/home/alice/text");
    vi.keys("");
    assert_eq!(vi.terminal.code, Some(0));
    let mut vi = EditedScreen::new(&["vim", "text"], &[("text", "one\n")]);
    vi.keys("x");
    vi.host.kernel.note_saved("/home/alice/text");
    vi.keys("");
    assert_eq!(
        (vi.terminal.code, vi.row(23).starts_with("W11: Warning: File \"text\" has changed")),
        (None, true)
    );
    vi.keys(":w<CR>");
    assert_eq!((vi.terminal.code, vi.host.cat("text")), (None, "ne\n".into()));
}

#[test]
fn settings_and_arguments_count() {
    let files = [(".vimrc", "\" mine\nset number expandtab sw=4\nsyntax on\n"), ("text", "a\nb\nc\n")];
    let mut vi = EditedScreen::new(&["vim", "+2", "text"], &files);
    assert_eq!((vi.row(0), vi.cursor()), ("  1 a".into(), (1, 4)));
    vi.keys(">>:x<CR>");
    assert_eq!(vi.host.cat("text"), "a\n    b\nc\n");
    assert_eq!(Host::default().run(&["vim", "text"]).err, "vim: an editor needs a terminal\n");
}
