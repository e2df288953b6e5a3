//! The commands of normal and visual mode: keys in, a command out. It knows neither text nor cursor.

use super::MAX_COUNT;
use super::command_line::prompt_in;
use crate::edit::EditorKey::{self, Char, Ctrl};

/// Where a motion goes.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Motion {
    Left,
    Right,
    Up,
    Down,
    /// `-`
    LineUp,
    /// `+`, Enter
    LineDown,
    /// `_`
    LineHere,
    Word {
        big: bool,
    },
    WordBack {
        big: bool,
    },
    WordEnd {
        big: bool,
    },
    WordEndBack {
        big: bool,
    },
    LineStart,
    LineFirst,
    LineEnd,
    /// `G`, with the default last line, or `gg`
    Line {
        first: bool,
    },
    Find(char, char),
    FindAgain {
        reverse: bool,
    },
    Paragraph {
        forward: bool,
    },
    Bracket,
    High,
    Middle,
    Low,
    Column,
    SearchAgain {
        reverse: bool,
    },
    SearchWord {
        forward: bool,
    },
    Search {
        forward: bool,
        pattern: String,
    },
    Mark {
        name: char,
        line: bool,
    },
}

/// What an operator does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub enum ViOperator {
    Delete,
    Change,
    Yank,
    Right,
    Left,
    Upper,
    Lower,
    Toggle,
}

/// What an operator works on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ViTarget {
    /// From the cursor to where the motion goes.
    Motion(Motion),
    /// Lines.
    Lines,
    /// `iw`, `a"`
    Object {
        /// With what surrounds it.
        around: bool,
        /// Its letter.
        name: char,
    },
    /// The selection.
    Selection,
}

/// What a command does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ViAction {
    /// Moves.
    Move(Motion),
    /// Changes or yanks a part of the text.
    Operate(ViOperator, ViTarget),
    /// Selects a text object.
    Select {
        /// With what surrounds it.
        around: bool,
        /// Its letter.
        name: char,
    },
    /// Runs a line.
    Line(String),
    /// Any other command: its key, and the character after it.
    Key(EditorKey, Option<char>),
}

/// A command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    /// The register after `"`.
    pub register: Option<char>,
    /// The count; that of the operator times that of the motion.
    pub count: Option<usize>,
    /// What it does.
    pub action: ViAction,
}

/// The keys so far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KeyParse {
    /// More keys follow.
    More,
    /// No command begins so.
    Bad,
    /// A command.
    Command(Command),
}

/// The keys, from the left.
struct KeyReader<'k> {
    keys: &'k [EditorKey],
    at: usize,
}

impl KeyReader<'_> {
    fn next(&mut self) -> Option<EditorKey> {
        let key = self.keys.get(self.at).copied();
        self.at += 1;
        key
    }

    fn count(&mut self) -> Option<usize> {
        let mut count = None;
        while let Some(Char(digit @ '0'..='9')) = self.keys.get(self.at) {
            if *digit == '0' && count.is_none() {
                break;
            }
            let digit = (*digit as usize).saturating_sub('0' as usize);
            count = Some((count.unwrap_or(0) * 10 + digit).min(MAX_COUNT));
            self.at += 1;
        }
        count
    }

    fn character(&mut self) -> Result<char, KeyParse> {
        match self.next() {
            None => Err(KeyParse::More),
            Some(Char(c)) => Ok(c),
            Some(EditorKey::Enter) => Ok('\n'),
            Some(EditorKey::Tab) => Ok('\t'),
            Some(_) => Err(KeyParse::Bad),
        }
    }

    /// The text of a prompt, whose key is taken.
    fn line(&mut self) -> Result<String, KeyParse> {
        let mut text = String::new();
        loop {
            match self.character()? {
                '\n' => return Ok(text),
                c => text.push(c),
            }
        }
    }
}

/// Reads a command.
#[must_use]
pub fn parse(keys: &[EditorKey], visual: bool) -> KeyParse {
    // Only a prompt's line may be long.
    if keys.len() > 64 && prompt_in(keys).is_none() {
        return KeyParse::Bad;
    }
    let mut reader = KeyReader { keys, at: 0 };
    match command(&mut reader, visual) {
        Ok(command) => KeyParse::Command(command),
        Err(parsed) => parsed,
    }
}

fn command(reader: &mut KeyReader, visual: bool) -> Result<Command, KeyParse> {
    let mut count = reader.count();
    let mut register = None;
    if reader.keys.get(reader.at) == Some(&Char('"')) {
        reader.at += 1;
        register = Some(reader.character()?);
        count = count.or(reader.count());
    }
    let key = reader.next().ok_or(KeyParse::More)?;
    let action = if visual { visual_action(reader, key)? } else { normal_action(reader, key, &mut count)? };
    Ok(Command { register, count, action })
}

fn normal_action(
    reader: &mut KeyReader,
    key: EditorKey,
    count: &mut Option<usize>,
) -> Result<ViAction, KeyParse> {
    if let Some((operator, letter)) = operator(reader, key)? {
        let second = reader.count();
        *count = match (*count, second) {
            (Some(first), Some(second)) => Some(first.saturating_mul(second).min(MAX_COUNT)),
            (first, second) => first.or(second),
        };
        let key = reader.next().ok_or(KeyParse::More)?;
        let target = match key {
            Char(c) if c == letter => ViTarget::Lines,
            Char('g')
                if matches!(letter, 'u' | 'U' | '~') && reader.keys.get(reader.at) == Some(&Char(letter)) =>
            {
                ViTarget::Lines
            }
            Char(c @ ('i' | 'a')) => ViTarget::Object { around: c == 'a', name: reader.character()? },
            key => ViTarget::Motion(motion(reader, key)?.ok_or(KeyParse::Bad)?),
        };
        return Ok(ViAction::Operate(operator, target));
    }
    let whole = |operator, target| Ok(ViAction::Operate(operator, target));
    match key {
        Char('x') | EditorKey::Delete => whole(ViOperator::Delete, ViTarget::Motion(Motion::Right)),
        Char('X') => whole(ViOperator::Delete, ViTarget::Motion(Motion::Left)),
        Char('D') => whole(ViOperator::Delete, ViTarget::Motion(Motion::LineEnd)),
        Char('C') => whole(ViOperator::Change, ViTarget::Motion(Motion::LineEnd)),
        Char('s') => whole(ViOperator::Change, ViTarget::Motion(Motion::Right)),
        Char('S') => whole(ViOperator::Change, ViTarget::Lines),
        Char('Y') => whole(ViOperator::Yank, ViTarget::Lines),
        Char(':') => Ok(ViAction::Line(reader.line()?)),
        Char('r' | 'm' | 'z' | 'Z' | 'q' | '@') => Ok(ViAction::Key(key, Some(reader.character()?))),
        Char(
            'i' | 'I' | 'a' | 'A' | 'o' | 'O' | 'p' | 'P' | 'u' | 'J' | '.' | '~' | 'v' | 'V' | 'R' | '&'
            | 'U',
        )
        | Ctrl('r' | 'g' | 'l' | 'f' | 'b' | 'd' | 'u' | 'e' | 'y' | 'v' | 'a' | 'x' | 'w')
        | EditorKey::Insert
        | EditorKey::PageUp
        | EditorKey::PageDown => Ok(ViAction::Key(key, None)),
        Char('g') if matches!(reader.keys.get(reader.at), Some(Char('J' | 'v' | 'i'))) => {
            Ok(ViAction::Key(key, Some(reader.character()?)))
        }
        key => Ok(ViAction::Move(motion(reader, key)?.ok_or(KeyParse::Bad)?)),
    }
}

/// The operator that begins with a key, and the letter that repeats it for lines.
fn operator(reader: &mut KeyReader, key: EditorKey) -> Result<Option<(ViOperator, char)>, KeyParse> {
    Ok(Some(match key {
        Char('d') => (ViOperator::Delete, 'd'),
        Char('c') => (ViOperator::Change, 'c'),
        Char('y') => (ViOperator::Yank, 'y'),
        Char('>') => (ViOperator::Right, '>'),
        Char('<') => (ViOperator::Left, '<'),
        Char('g') => match reader.keys.get(reader.at) {
            None => return Err(KeyParse::More),
            Some(Char(letter @ ('u' | 'U' | '~'))) => {
                reader.at += 1;
                let operator = match letter {
                    'u' => ViOperator::Lower,
                    'U' => ViOperator::Upper,
                    _ => ViOperator::Toggle,
                };
                (operator, *letter)
            }
            Some(_) => return Ok(None),
        },
        _ => return Ok(None),
    }))
}

fn visual_action(reader: &mut KeyReader, key: EditorKey) -> Result<ViAction, KeyParse> {
    let selected = |operator| Ok(ViAction::Operate(operator, ViTarget::Selection));
    match key {
        Char('d' | 'x') | EditorKey::Delete | EditorKey::Backspace => selected(ViOperator::Delete),
        Char('c' | 's') => selected(ViOperator::Change),
        Char('y') => selected(ViOperator::Yank),
        Char('>') => selected(ViOperator::Right),
        Char('<') => selected(ViOperator::Left),
        Char('~') => selected(ViOperator::Toggle),
        Char('u') => selected(ViOperator::Lower),
        Char('U') => selected(ViOperator::Upper),
        Char(c @ ('i' | 'a')) => Ok(ViAction::Select { around: c == 'a', name: reader.character()? }),
        Char(':') => Ok(ViAction::Line(reader.line()?)),
        Char('r' | 'm' | 'z') => Ok(ViAction::Key(key, Some(reader.character()?))),
        Char('v' | 'V' | 'o' | 'O' | 'J' | 'p' | 'P' | 'D' | 'X' | 'C' | 'S' | 'Y' | 'R')
        | Ctrl('f' | 'b' | 'd' | 'u' | 'e' | 'y' | 'l' | 'g' | 'v')
        | EditorKey::PageUp
        | EditorKey::PageDown => Ok(ViAction::Key(key, None)),
        key => Ok(ViAction::Move(motion(reader, key)?.ok_or(KeyParse::Bad)?)),
    }
}

fn motion(reader: &mut KeyReader, key: EditorKey) -> Result<Option<Motion>, KeyParse> {
    Ok(Some(match key {
        Char('h') | EditorKey::Left | EditorKey::Backspace => Motion::Left,
        Char('l' | ' ') | EditorKey::Right => Motion::Right,
        Char('k') | EditorKey::Up | Ctrl('p') => Motion::Up,
        Char('j') | EditorKey::Down | Ctrl('n') => Motion::Down,
        Char('-') => Motion::LineUp,
        Char('+') | EditorKey::Enter => Motion::LineDown,
        Char('_') => Motion::LineHere,
        Char('w') | EditorKey::WordRight => Motion::Word { big: false },
        Char('W') => Motion::Word { big: true },
        Char('b') | EditorKey::WordLeft => Motion::WordBack { big: false },
        Char('B') => Motion::WordBack { big: true },
        Char('e') => Motion::WordEnd { big: false },
        Char('E') => Motion::WordEnd { big: true },
        Char('0') | EditorKey::Home => Motion::LineStart,
        Char('^') => Motion::LineFirst,
        Char('$') | EditorKey::End => Motion::LineEnd,
        Char('G') | EditorKey::Last => Motion::Line { first: false },
        EditorKey::First => Motion::Line { first: true },
        Char('g') => match reader.character()? {
            'g' => Motion::Line { first: true },
            'e' => Motion::WordEndBack { big: false },
            'E' => Motion::WordEndBack { big: true },
            'j' => Motion::Down,
            'k' => Motion::Up,
            _ => return Ok(None),
        },
        Char(letter @ ('f' | 'F' | 't' | 'T')) => Motion::Find(letter, reader.character()?),
        Char(';') => Motion::FindAgain { reverse: false },
        Char(',') => Motion::FindAgain { reverse: true },
        Char('}') => Motion::Paragraph { forward: true },
        Char('{') => Motion::Paragraph { forward: false },
        Char('%') => Motion::Bracket,
        Char('H') => Motion::High,
        Char('M') => Motion::Middle,
        Char('L') => Motion::Low,
        Char('|') => Motion::Column,
        Char('n') => Motion::SearchAgain { reverse: false },
        Char('N') => Motion::SearchAgain { reverse: true },
        Char('*') => Motion::SearchWord { forward: true },
        Char('#') => Motion::SearchWord { forward: false },
        Char('/') => Motion::Search { forward: true, pattern: reader.line()? },
        Char('?') => Motion::Search { forward: false, pattern: reader.line()? },
        Char('\'') => Motion::Mark { name: reader.character()?, line: true },
        Char('`') => Motion::Mark { name: reader.character()?, line: false },
        _ => return Ok(None),
    }))
}
