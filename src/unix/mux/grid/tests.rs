//! Random output, compared with another emulator.

use super::*;
use crate::vi::tests::emulator;
use testing::Random;

/// Pieces of output.
const PIECES: [&str; 44] = [
    "word ",
    "x",
    "日本",
    "\n",
    "\r",
    "\t",
    "\x08",
    "a long text that is wider than the screen of the test, in fact by a lot",
    "\x1b[A",
    "\x1b[3B",
    "\x1b[5C",
    "\x1b[2D",
    "\x1b[H",
    "\x1b[4;7H",
    "\x1b[9G",
    "\x1b[3d",
    "\x1b[J",
    "\x1b[1J",
    "\x1b[2J",
    "\x1b[K",
    "\x1b[1K",
    "\x1b[2K",
    "\x1b[3;1H\x1b[L",
    "\x1b[3;1H\x1b[2M",
    "\x1b[3P",
    "\r\x1b[2@",
    "\x1b[4X",
    "\x1b[2S",
    "\x1b[T",
    "\x1b[2;5r\x1b[H",
    "\x1b[r\x1b[H",
    "\x1b7\x1b[3;3Hz\x1b8",
    "y",
    "\x1b[3;1H\x1bM",
    "\x1b[1;31m",
    "\x1b[38;5;200;7m",
    "\x1b[38;2;1;2;3m",
    "\x1b[44m",
    "\x1b[0m",
    "\x1b[22;39m",
    "\x1b[?1049h\x1b[r\x1b[H",
    "\x1b[?1049l\x1b[m\x1b[r\x1b[H",
    "\x1b[?25l",
    "\x1b]0;title\x07",
];

#[test]
fn output_looks_as_in_another_emulator() {
    for seed in 0..400 {
        let mut random = Random::new(seed);
        let mut grid = Grid::new(80, 8);
        let mut parser = emulator(8);
        let mut all = String::new();
        for _ in 0..random.below(30_u32) {
            let piece = random.of(&PIECES);
            all.push_str(piece);
            grid.feed(piece);
            parser.process(piece.replace('\n', "\r\n").as_bytes());
        }
        let theirs: Vec<String> = (0..8)
            .map(|row| parser.screen().contents_between(row, 0, row, 80).trim_end().to_owned())
            .collect();
        assert_eq!(grid.texts().collect::<Vec<_>>(), theirs, "{all:?}");
        // What is drawn from it looks the same, with its colours.
        let mut again = emulator(8);
        for (at, row) in grid.drawn().enumerate() {
            again.process(format!("\x1b[{};1H{row}", at + 1).as_bytes());
        }
        for (row, column) in (0..8).flat_map(|row| (0..80).map(move |column| (row, column))) {
            let look = |parser: &vt100::Parser| {
                let cell = parser.screen().cell(row, column).unwrap();
                let is_blank = cell.contents().trim().is_empty();
                let ink = (!is_blank).then(|| (cell.contents().to_owned(), cell.fgcolor(), cell.bold()));
                (ink, cell.bgcolor(), cell.inverse())
            };
            let (ours, theirs) = (look(&again), look(&parser));
            assert_eq!(ours.0, theirs.0, "row {row}, column {column} of {all:?}");
        }
    }
}

#[test]
fn lines_that_leave_the_screen_are_kept() {
    let mut grid = Grid::new(20, 3);
    (0..600).for_each(|line| grid.feed(&format!("line {line}\n")));
    assert_eq!(grid.history().len(), MAX_HISTORY);
    assert_eq!(grid.texts().collect::<Vec<_>>(), ["line 598", "line 599", ""]);
    grid.resize(6, 2);
    assert_eq!(grid.texts().collect::<Vec<_>>(), ["line 5", ""]);
    assert_eq!(grid.history().back().map(String::as_str), Some("line 598"));
    grid.feed("\x1b[?1049hprogram\n\n\n\x1b[?1049l");
    assert_eq!(grid.texts().collect::<Vec<_>>(), ["line 5", ""]);
}
