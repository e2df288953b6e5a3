//! Keystrokes compared with nano 7.2.
//!
//! `cases.txt` holds keys, a text, and the file after them as nano leaves it. `SANDBATCH_NANO=nano cargo test -p sandbatch-unix`
//! records it again (it needs script(1)).

use crate::testing::{EditorCases, Host, keys_of, real};
use crate::vi::tests::emulator;
use base::ids::Uid;

fn by_nano(nano: &str, keys: &str, before: &str) -> String {
    // script(1) gives nano a terminal. Without a pause, nano takes keys for a paste.
    let script = format!(
        "(sleep 0.3; while IFS= read -r key; do printf %b \"$key\"; sleep 0.02; done < keys) \
         | timeout 20 script -qec 'stty rows 24 cols 80; LC_ALL=C.UTF-8 TERM=xterm {nano} --ignorercfiles text' /dev/null >/dev/null 2>&1; cat text"
    );
    let keys = keys_of(&format!("{keys}<C-s><C-x>"));
    let mut lines = String::new();
    let mut rest = keys.as_str();
    while let Some(c) = rest.chars().next() {
        // A sequence is one key.
        let length = match rest.as_bytes() {
            [27, b'[', tail @ ..] => 3 + tail.iter().position(|byte| matches!(byte, 64..=126)).unwrap_or(0),
            [27, ..] => 2,
            _ => c.len_utf8(),
        };
        for byte in rest.bytes().take(length) {
            let byte = if byte == b'\n' { b'\r' } else { byte };
            lines.push_str(&format!("\\0{byte:03o}"));
        }
        lines.push('\n');
        rest = &rest[length..];
    }
    real(&["bash", "-c", &script], "", &[("keys", &lines), ("text", before)]).out
}

fn by_us(keys: &str, before: &str) -> String {
    let mut host = Host::with(&[("text", before)]);
    let mut terminal = host.on_terminal(&["nano", "text"]);
    terminal.keys(&mut host, &keys_of(keys));
    if terminal.code.is_none() {
        terminal.keys(&mut host, "\x13\x18");
    }
    assert_eq!(terminal.code, Some(0), "{keys}");
    host.cat("text")
}

#[test]
fn the_file_is_the_one_that_nano_leaves() {
    let mut cases = EditorCases::read(concat!(env!("CARGO_MANIFEST_DIR"), "/nano/cases.txt"));
    if let Ok(nano) = std::env::var("SANDBATCH_NANO") {
        cases.record(|keys, before| by_nano(&nano, keys, before));
    }
    cases.compare(by_us);
}

#[test]
fn the_terminal_shows_title_status_questions_and_keys() {
    let mut host = Host::with(&[("job.sh", "#!/bin/bash\nsrun hostname\n")]);
    host.kernel.fs.write(Uid(0), "/tmp/of-root", b"r\n", 0o644, host.now).unwrap();
    let mut parser = emulator(24);
    let mut nano = host.on_terminal(&["nano", "job.sh"]);
    let mut keys = |host: &mut Host, parser: &mut vt100::Parser, keys: &str| {
        parser.process(nano.keys(host, &keys_of(keys)).as_bytes());
        nano.code
    };
    let row = |parser: &vt100::Parser, row: u16| {
        parser.screen().contents_between(row, 0, row, 80).trim().to_owned()
    };
    keys(&mut host, &mut parser, "");
    assert_eq!(row(&parser, 0), "GNU nano 7.2                       job.sh");
    assert_eq!((row(&parser, 1), row(&parser, 21)), ("#!/bin/bash".into(), "[ Read 2 lines ]".into()));
    assert!(row(&parser, 22).starts_with("^G Help      ^O Write Out ^W Where Is"), "{}", row(&parser, 22));
    keys(&mut host, &mut parser, "# mine<CR>");
    assert!(row(&parser, 0).ends_with("Modified"));
    assert_eq!((row(&parser, 1), row(&parser, 2)), ("# mine".into(), "#!/bin/bash".into()));
    assert_eq!(keys(&mut host, &mut parser, "<C-x>"), None);
    assert_eq!((row(&parser, 21), row(&parser, 22)), ("Save modified buffer?".into(), "Y Yes".into()));
    keys(&mut host, &mut parser, "y");
    assert_eq!(
        (row(&parser, 21), parser.screen().cursor_position()),
        ("File Name to Write: job.sh".into(), (21, 26))
    );
    keys(&mut host, &mut parser, "<BS><BS><BS>.txt<CR>");
    assert_eq!(
        (host.cat("job.txt"), parser.screen().alternate_screen()),
        ("# mine\n#!/bin/bash\nsrun hostname\n".into(), false)
    );
    // Another user's file.
    let mut nano = host.on_terminal(&["nano", "/tmp/of-root"]);
    let mut keys = |host: &mut Host, keys: &str| parser.process(nano.keys(host, &keys_of(keys)).as_bytes());
    keys(&mut host, "");
    let status = |parser: &vt100::Parser| row(parser, 21);
    assert_eq!(status(&parser), "[ File '/tmp/of-root' is unwritable ]");
    let mut keys = |host: &mut Host, keys: &str| {
        parser.process(nano.keys(host, &keys_of(keys)).as_bytes());
        parser.screen().contents_between(21, 0, 21, 80).trim().to_owned()
    };
    assert_eq!(keys(&mut host, "x<C-s>"), "[ Error writing /tmp/of-root: Permission denied ]");
    assert_eq!(keys(&mut host, "<C-c>"), "[ line 1/2 (50%), col 2/3 (66%), char 1/3 (33%) ]");
    assert_eq!(keys(&mut host, "<C-w>nothing<CR>"), "[ \"nothing\" not found ]");
    assert_eq!(keys(&mut host, "<C-x>n"), "");
    assert_eq!(nano.code, Some(0));
    assert_eq!(Host::default().run(&["nano", "x"]).err, "Standard input is not a terminal\n");
}

#[test]
fn a_session_that_is_saved_in_the_middle_goes_on() {
    let mut host = Host::with(&[("text", "one\n")]);
    let mut nano = host.on_terminal(&["nano", "text"]);
    nano.keys(&mut host, &keys_of("ab<C-w>o"));
    nano.running = postcard::from_bytes(&postcard::to_stdvec(&nano.running).unwrap()).unwrap();
    nano.keys(&mut host, &keys_of("n<CR><C-k><C-u><C-u><C-s><C-x>"));
    assert_eq!((nano.code, host.cat("text")), (Some(0), "abone\nabone\n".into()));
}
