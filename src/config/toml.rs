//! The part of TOML that `site.toml` needs, with diagnostics: tables, arrays of tables, strings of all four
//! kinds, whole numbers, booleans, arrays, inline tables. No dates, no floats.

/// How deep values may be nested.
const MAX_DEPTH: u32 = 16;

/// A value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Value {
    Text(String),
    Number(i64),
    Bool(bool),
    List(Vec<Value>),
    Table(Table),
}

/// A key with its value, and the line in which it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Key {
    pub(super) name: String,
    pub(super) line: u32,
    pub(super) value: Value,
}

/// Keys and values in the order in which they stand.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Table {
    /// Where it begins.
    pub(super) line: u32,
    pub(super) keys: Vec<Key>,
}

impl Table {
    pub(super) fn get(&self, name: &str) -> Option<&Value> {
        self.keys.iter().find(|k| k.name == name).map(|k| &k.value)
    }

    fn new(line: u32) -> Self {
        Self { line, keys: Vec::new() }
    }

    /// The value of a key, made where it is missing.
    fn entry(&mut self, name: &str, line: u32, make: impl FnOnce() -> Value) -> Option<&mut Value> {
        if self.get(name).is_none() {
            self.keys.push(Key { name: name.to_owned(), line, value: make() });
        }
        self.keys.iter_mut().find(|k| k.name == name).map(|k| &mut k.value)
    }
}

/// What is wrong, and in which line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Error {
    pub(super) line: u32,
    pub(super) message: String,
}

/// Reads a document up to its first error; what stood before it is given as well.
pub(super) fn parse(text: &str) -> (Table, Option<Error>) {
    let mut root = Table::new(1);
    let mut p = Parser { text, at: 0, counted: (0, 1) };
    let error = p.document(&mut root).err().map(|message| Error { line: p.line(), message });
    (root, error)
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
    /// A position, and the line in which it is.
    counted: (usize, u32),
}

impl<'a> Parser<'a> {
    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// The line that it has reached.
    fn line(&mut self) -> u32 {
        let (from, line) = self.counted;
        let since = self.text.get(from..self.at).unwrap_or_default().matches('\n').count();
        self.counted = (self.at, line.saturating_add(u32::try_from(since).unwrap_or(u32::MAX)));
        self.counted.1
    }

    fn eat(&mut self, word: &str) -> bool {
        let yes = self.rest().starts_with(word);
        if yes {
            self.at += word.len();
        }
        yes
    }

    fn expect(&mut self, word: &str) -> Result<(), String> {
        if self.eat(word) { Ok(()) } else { Err(format!("expected `{word}`")) }
    }

    /// Skips blanks; with `lines`, comments and line ends too.
    fn skip(&mut self, lines: bool) {
        loop {
            let rest = self.rest();
            let blank = rest.find(|c: char| !(c == ' ' || c == '\t' || lines && (c == '\n' || c == '\r')));
            self.at += blank.unwrap_or(rest.len());
            if !(lines && self.rest().starts_with('#')) {
                return;
            }
            self.at += self.rest().find('\n').unwrap_or(self.rest().len());
        }
    }

    fn document(&mut self, root: &mut Table) -> Result<(), String> {
        let mut path: Vec<String> = Vec::new();
        loop {
            self.skip(true);
            if self.rest().is_empty() {
                return Ok(());
            }
            let line = self.line();
            if self.eat("[") {
                let array = self.eat("[");
                path = self.path()?;
                self.expect(if array { "]]" } else { "]" })?;
                open(root, &path, array, line)?;
            } else {
                let keys = self.path()?;
                self.expect("=")?;
                self.skip(false);
                let value = self.value(0)?;
                put(enter(root, &path, line)?, &keys, value, line)?;
            }
            self.skip(false);
            let end = self.rest();
            if !(end.is_empty() || end.starts_with(['\n', '\r', '#'])) {
                return Err("expected the end of the line".to_owned());
            }
        }
    }

    /// `a.b."c d"`, with blanks around.
    fn path(&mut self) -> Result<Vec<String>, String> {
        let mut keys = Vec::new();
        loop {
            self.skip(false);
            let rest = self.rest();
            if rest.starts_with(['"', '\'']) {
                keys.push(self.string()?);
            } else {
                let word = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
                let end = rest.find(|c| !word(c)).unwrap_or(rest.len());
                if end == 0 {
                    return Err("expected a key".to_owned());
                }
                keys.push(rest[..end].to_owned());
                self.at += end;
            }
            self.skip(false);
            if keys.len() > MAX_DEPTH as usize {
                return Err("key too deep".to_owned());
            }
            if !self.eat(".") {
                return Ok(keys);
            }
        }
    }

    fn value(&mut self, depth: u32) -> Result<Value, String> {
        if depth > MAX_DEPTH {
            return Err("nested too deep".to_owned());
        }
        let rest = self.rest();
        if rest.starts_with(['"', '\'']) {
            return self.string().map(Value::Text);
        }
        if self.eat("[") {
            let mut list = Vec::new();
            loop {
                self.skip(true);
                if self.eat("]") {
                    return Ok(Value::List(list));
                }
                list.push(self.value(depth + 1)?);
                self.skip(true);
                if !self.eat(",") {
                    self.expect("]")?;
                    return Ok(Value::List(list));
                }
            }
        }
        if self.eat("{") {
            return self.inline(depth);
        }
        let end =
            rest.find(|c: char| !(c.is_ascii_alphanumeric() || "+-_.:".contains(c))).unwrap_or(rest.len());
        let word = rest[..end].to_owned();
        self.at += end;
        match word.as_str() {
            "true" => Ok(Value::Bool(true)),
            "false" => Ok(Value::Bool(false)),
            _ => word
                .replace('_', "")
                .parse()
                .map(Value::Number)
                .map_err(|_| format!("unknown value `{word}`")),
        }
    }

    fn inline(&mut self, depth: u32) -> Result<Value, String> {
        let mut table = Table::new(self.line());
        loop {
            self.skip(true);
            if self.eat("}") {
                return Ok(Value::Table(table));
            }
            let line = self.line();
            let keys = self.path()?;
            self.expect("=")?;
            self.skip(false);
            let value = self.value(depth + 1)?;
            put(&mut table, &keys, value, line)?;
            self.skip(true);
            if !self.eat(",") {
                self.expect("}")?;
                return Ok(Value::Table(table));
            }
        }
    }

    fn string(&mut self) -> Result<String, String> {
        for (quote, raw) in [("\"\"\"", false), ("'''", true), ("\"", false), ("'", true)] {
            if self.eat(quote) {
                let many = quote.len() == 3;
                // A line end right after the opening quotes is not part of the text.
                if many && !self.eat("\n") {
                    self.eat("\r\n");
                }
                return self.string_until(quote, raw, many);
            }
        }
        Err("expected a string".to_owned())
    }

    fn string_until(&mut self, quote: &str, raw: bool, many: bool) -> Result<String, String> {
        let mut out = String::new();
        loop {
            if self.eat(quote) {
                return Ok(out);
            }
            let Some(c) = self.rest().chars().next() else { return Err("a string has no end".to_owned()) };
            if c == '\n' && !many {
                return Err("a string has no end".to_owned());
            }
            self.at += c.len_utf8();
            if c == '\\' && !raw { self.escape(&mut out)? } else { out.push(c) }
        }
    }

    /// What follows a backslash.
    fn escape(&mut self, out: &mut String) -> Result<(), String> {
        let Some(c) = self.rest().chars().next() else { return Err("a string has no end".to_owned()) };
        self.at += c.len_utf8();
        match c {
            'n' => out.push('\n'),
            't' => out.push('\t'),
            'r' => out.push('\r'),
            'e' => out.push('\u{1b}'),
            '"' | '\\' => out.push(c),
            // A backslash at the line's end joins it to the next line's first word.
            '\n' | '\r' => {
                let rest = self.rest();
                self.at += rest.find(|c: char| !c.is_ascii_whitespace()).unwrap_or(rest.len());
            }
            'u' | 'U' => {
                let digits = if c == 'u' { 4 } else { 8 };
                let hex = self.rest().get(..digits).unwrap_or_default();
                let code = u32::from_str_radix(hex, 16).ok().and_then(char::from_u32);
                out.push(code.ok_or("bad \\u escape")?);
                self.at += digits;
            }
            _ => return Err(format!("unknown escape `\\{c}`")),
        }
        Ok(())
    }
}

/// The table at `path`, made where it is missing; the last one of an array of tables.
fn enter<'t>(mut table: &'t mut Table, path: &[String], line: u32) -> Result<&'t mut Table, String> {
    for key in path {
        let no_table = || format!("`{key}` is no table");
        let value = table.entry(key, line, || Value::Table(Table::new(line))).ok_or_else(no_table)?;
        table = match value {
            Value::Table(t) => t,
            Value::List(list) => match list.last_mut() {
                Some(Value::Table(t)) => t,
                _ => return Err(no_table()),
            },
            Value::Text(_) | Value::Number(_) | Value::Bool(_) => return Err(no_table()),
        };
    }
    Ok(table)
}

/// `[path]` or `[[path]]`.
fn open(root: &mut Table, path: &[String], array: bool, line: u32) -> Result<(), String> {
    let Some((last, parents)) = path.split_last() else { return Ok(()) };
    if !array {
        return enter(root, path, line).map(|_| ());
    }
    let table = enter(root, parents, line)?;
    match table.entry(last, line, || Value::List(Vec::new())) {
        Some(Value::List(list)) => {
            list.push(Value::Table(Table::new(line)));
            Ok(())
        }
        Some(Value::Text(_) | Value::Number(_) | Value::Bool(_) | Value::Table(_)) | None => {
            Err(format!("`{last}` is no array of tables"))
        }
    }
}

/// Sets one key; each may stand once.
fn put(table: &mut Table, keys: &[String], value: Value, line: u32) -> Result<(), String> {
    let Some((last, parents)) = keys.split_last() else { return Ok(()) };
    let table = enter(table, parents, line)?;
    if table.get(last).is_some() {
        return Err(format!("`{last}` is there twice"));
    }
    table.keys.push(Key { name: last.clone(), line, value });
    Ok(())
}
