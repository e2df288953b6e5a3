//! Keys typed by a user, checked on a small terminal model.

use super::*;
use crate::width::char_width;

/// The part of a terminal that the editor uses: rows of text, a cursor, wrapping.
struct TestScreen {
    columns: usize,
    rows: Vec<Vec<char>>,
    at: (usize, usize),
}

impl TestScreen {
    fn new(columns: usize) -> Self {
        Self { columns, rows: vec![Vec::new()], at: (0, 0) }
    }

    fn write(&mut self, text: &str) {
        let mut chars = text.chars();
        while let Some(c) = chars.next() {
            match c {
                '\r' => self.at.1 = 0,
                '\n' => self.down(),
                '\u{7}' => {}
                '\u{1b}' => {
                    let body: String =
                        chars.by_ref().skip(1).take_while(|c| !c.is_ascii_alphabetic()).collect();
                    // `take_while` took the final byte: find it again from the text.
                    let all = text.len() - chars.as_str().len();
                    self.escape(&body, text[..all].chars().next_back().unwrap());
                }
                c => self.put(c),
            }
        }
    }

    fn down(&mut self) {
        self.at.0 += 1;
        if self.rows.len() <= self.at.0 {
            self.rows.push(Vec::new());
        }
    }

    fn put(&mut self, c: char) {
        if self.at.1 + usize::from(char_width(c)) > self.columns {
            self.down();
            self.at.1 = 0;
        }
        let row = &mut self.rows[self.at.0];
        if row.len() <= self.at.1 {
            row.resize(self.at.1 + 1, ' ');
        }
        row[self.at.1] = c;
        self.at.1 += usize::from(char_width(c));
        if char_width(c) == 2 {
            // The second column of a wide character.
            row.resize(row.len().max(self.at.1), ' ');
            row[self.at.1 - 1] = '\0';
        }
    }

    fn escape(&mut self, body: &str, last: char) {
        let n = body.parse().unwrap_or(1);
        match last {
            'A' => self.at.0 -= n,
            'C' => self.at.1 += n,
            'J' if body == "2" => self.rows = vec![Vec::new()],
            'J' => {
                self.rows.truncate(self.at.0 + 1);
                self.rows[self.at.0].truncate(self.at.1);
            }
            'H' => self.at = (0, 0),
            _ => {}
        }
    }

    fn text(&self) -> String {
        let rows: Vec<String> = self
            .rows
            .iter()
            .map(|r| r.iter().filter(|c| **c != '\0').collect::<String>().trim_end().to_owned())
            .collect();
        rows.join("\n").trim_end().to_owned()
    }
}

/// An editor at a terminal; records what was sent and what is shown.
struct Desk {
    editor: LineEditor,
    screen: TestScreen,
    sent: Vec<String>,
    asked: Option<(String, usize)>,
}

impl Desk {
    fn new(columns: u16) -> Self {
        let mut desk = Self {
            editor: LineEditor::new(columns, Vec::new()),
            screen: TestScreen::new(usize::from(columns)),
            sent: Vec::new(),
            asked: None,
        };
        desk.output("", Some("$ "));
        desk
    }

    fn output(&mut self, text: &str, prompt: Option<&str>) {
        let out = self.editor.output(text, prompt.map(str::to_owned));
        self.screen.write(&out.replace("\r\n", "\n").replace('\n', "\r\n"));
        let effects = self.editor.go_on();
        self.take(effects);
    }

    fn keys(&mut self, keys: &str) {
        let effects = self.editor.keys(keys);
        self.take(effects);
    }

    fn take(&mut self, effects: Vec<Effect>) {
        for effect in effects {
            match effect {
                Effect::Write(text) => self.screen.write(&text),
                Effect::Send(bytes) => self.sent.push(String::from_utf8(bytes).unwrap()),
                Effect::Complete { line, cursor } => self.asked = Some((line, cursor)),
            }
        }
    }
}

/// Keys, then the resulting line with `|` for the cursor.
#[test]
fn editing() {
    let table = [
        ("abc", "abc|"),
        ("abc\u{1b}[D\u{1b}[DX", "aX|bc"),
        ("abc\u{1}X", "X|abc"),
        ("one two\u{17}", "one |"),
        ("cat a/b\u{1b}\u{7f}", "cat a/|"),
        ("one two\u{1b}b\u{1b}bX", "X|one two"),
        ("one two\u{1}\u{1b}fX", "oneX| two"),
        ("one two\u{1b}b\u{b}", "one |"),
        ("one two\u{15}new \u{19}", "new one two|"),
        ("één\u{7f}\u{7f}", "é|"),
        ("日本\u{1b}[Dx", "日x|本"),
        ("ab\u{14}", "ba|"),
        ("abc\u{1b}[H\u{1b}[3~", "|bc"),
        ("abc\u{1}\u{4}", "|bc"),
        ("abc\u{7}\u{1b}[5~", "abc|"),
    ];
    for (keys, want) in table {
        let mut desk = Desk::new(40);
        // Keys are handled one at a time; an escape sequence arrives whole.
        let mut rest = keys;
        while !rest.is_empty() {
            let end = match rest.as_bytes() {
                [0x1b, b'[', ..] => rest[2..].find(|c: char| ('@'..='~').contains(&c)).unwrap() + 3,
                [0x1b, ..] => 2,
                _ => rest.chars().next().unwrap().len_utf8(),
            };
            desk.keys(&rest[..end]);
            rest = &rest[end..];
        }
        let (before, after) = desk.editor.text.split_at(desk.editor.cursor);
        assert_eq!(format!("{before}|{after}"), want, "{keys:?}");
        assert_eq!(desk.screen.text(), format!("$ {before}{after}").trim_end(), "{keys:?}");
        let width: u16 = before.chars().map(char_width).sum();
        assert_eq!(desk.screen.at, (0, 2 + usize::from(width)), "{keys:?}");
    }
}

#[test]
fn a_long_line_wraps_and_is_edited_across_rows() {
    let mut desk = Desk::new(10);
    desk.keys("0123456789abcdefghij");
    assert_eq!(desk.screen.text(), "$ 01234567\n89abcdefgh\nij");
    desk.keys("\u{1}");
    assert_eq!(desk.screen.at, (0, 2));
    desk.keys("X");
    assert_eq!(desk.screen.text(), "$ X0123456\n789abcdefg\nhij");
    desk.keys("\u{5}\u{15}");
    assert_eq!(desk.screen.text(), "$");
    // Exactly as wide as the terminal.
    desk.keys("01234567");
    assert_eq!((desk.screen.text().as_str(), desk.screen.at), ("$ 01234567", (1, 0)));
    desk.keys("\u{7f}\r");
    assert_eq!(desk.sent, ["0123456\n"]);
    desk.output("done\n", Some("$ "));
    assert_eq!(desk.screen.text(), "$ 0123456\ndone\n$");
}

#[test]
fn history_and_search() {
    let mut desk = Desk::new(60);
    for line in ["sbatch a.slurm", "squeue", "squeue", "sacct"] {
        desk.keys(&format!("{line}\r"));
        desk.output("", Some("$ "));
    }
    desk.keys("unfin");
    desk.keys("\u{1b}[A");
    desk.keys("\u{1b}[A");
    assert_eq!(desk.editor.text(), "squeue");
    desk.keys("\u{1b}[A\u{1b}[A\u{1b}[A");
    assert_eq!(desk.editor.text(), "sbatch a.slurm");
    desk.keys("\u{1b}[B\u{1b}[B\u{1b}[B");
    assert_eq!(desk.editor.text(), "unfin");
    desk.keys("\u{12}");
    desk.keys("sb");
    assert!(desk.screen.text().ends_with("(reverse-i-search)`sb': sbatch a.slurm"), "{}", desk.screen.text());
    desk.keys("\r");
    assert_eq!(desk.sent.last().unwrap(), "sbatch a.slurm\n");
}

#[test]
fn output_while_a_line_is_being_typed() {
    let mut desk = Desk::new(40);
    desk.keys("sq");
    desk.output("slurmstepd: message\n", None);
    assert_eq!(desk.screen.text(), "slurmstepd: message\n$ sq");
    desk.keys("ueue\r");
    desk.output("no newline", Some("$ "));
    assert_eq!(desk.screen.text(), "slurmstepd: message\n$ squeue\nno newline$");
    desk.keys("x\u{7f}y");
    assert!(desk.screen.text().ends_with("no newline$ y"));
}

#[test]
fn a_running_program_gets_lines_and_signals() {
    let mut desk = Desk::new(40);
    desk.keys("cat\r");
    desk.keys("hallo\u{7f}\u{7f}lo\r");
    desk.keys("next");
    desk.output("hallo\n", None);
    assert_eq!(desk.screen.text(), "$ cat\nhallo\nhallo\nnext");
    desk.keys("\u{3}");
    assert_eq!(desk.sent, ["cat\n", "hallo\n", "\u{3}"]);
    desk.keys("typed ahead");
    desk.output("", Some("$ "));
    assert_eq!(desk.screen.text(), "$ cat\nhallo\nhallo\nnext^C\n$ typed ahead");
    desk.keys("\u{3}");
    assert_eq!((desk.sent.len(), desk.editor.text()), (4, ""));
    desk.output("", Some("$ "));
    desk.keys("\u{4}");
    assert_eq!(desk.sent.last().unwrap(), "\u{4}");
}

#[test]
fn a_paste_of_several_lines_waits_for_each_prompt() {
    let mut desk = Desk::new(40);
    desk.keys("one\rtwo\rthr");
    assert_eq!(desk.sent, ["one\n"]);
    assert!(desk.editor.is_waiting());
    desk.output("1\n", Some("$ "));
    assert_eq!(desk.sent, ["one\n", "two\n"]);
    desk.output("2\n", Some("$ "));
    assert_eq!(desk.screen.text(), "$ one\n1\n$ two\n2\n$ thr");
    desk.keys("\u{15}");
    desk.keys("cat\rfor cat\r");
    let effects = desk.editor.give_up_waiting();
    desk.take(effects);
    assert_eq!(desk.sent.last().unwrap(), "for cat\n");
}

#[test]
fn completion() {
    let words = |list: &[&str]| list.iter().map(|s| (*s).to_owned()).collect::<Vec<_>>();
    let mut desk = Desk::new(40);
    desk.keys("cat mo");
    desk.keys("\t");
    assert_eq!(desk.asked.take(), Some(("cat mo".to_owned(), 6)));
    let effects = desk.editor.complete(4, &words(&["mon_job.slurm", "mon_script.py"]));
    desk.take(effects);
    assert_eq!(desk.editor.text(), "cat mon_");
    for _ in 0..2 {
        desk.keys("\t");
        let effects = desk.editor.complete(4, &words(&["mon_job.slurm", "mon_script.py"]));
        desk.take(effects);
    }
    assert_eq!(desk.screen.text(), "$ cat mon_\nmon_job.slurm  mon_script.py\n$ cat mon_");
    desk.keys("j");
    desk.keys("\t");
    let effects = desk.editor.complete(4, &words(&["mon_job.slurm"]));
    desk.take(effects);
    assert_eq!(desk.editor.text(), "cat mon_job.slurm ");
}

#[test]
fn a_button_types_a_line() {
    let mut desk = Desk::new(40);
    desk.keys("half");
    let effects = desk.editor.type_line("sbatch mon_job.slurm");
    desk.take(effects);
    assert_eq!(desk.sent, ["sbatch mon_job.slurm\n"]);
    assert_eq!(desk.screen.text(), "$ sbatch mon_job.slurm");
    // While a program runs, the line waits for the prompt.
    let effects = desk.editor.type_line("squeue");
    assert!(effects.is_empty());
    desk.output("Submitted batch job 1\n", Some("$ "));
    assert_eq!(desk.sent.last().unwrap(), "squeue\n");
}

#[test]
fn an_unfinished_line_moves_to_another_editor() {
    let mut editor = LineEditor::new(80, Vec::new()).with_line("squeue --m");
    let shown = editor.output("what was printed then\n", Some("$ ".to_owned()));
    assert!(shown.ends_with("$ squeue --m"), "{shown:?}");
    assert_eq!(editor.keys("e\r").last(), Some(&Effect::Send(b"squeue --me\n".to_vec())));
}
