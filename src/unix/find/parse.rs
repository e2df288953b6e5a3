//! find(1): parses the expression.

use super::{FindTest, MAX_DEPTH, printf};
use crate::Cx;

pub(super) struct FindParser<'a> {
    pub words: &'a [String],
    pub at: usize,
    pub acts: bool,
    pub min: u32,
    pub max: u32,
    pub execs: u32,
    pub depth: u32,
    pub contents_first: bool,
}

impl FindParser<'_> {
    pub(super) fn parse(&mut self, cx: &Cx) -> Result<FindTest, String> {
        if self.words.is_empty() {
            return Ok(FindTest::True);
        }
        let test = self.or(cx)?;
        match self.words.get(self.at) {
            None => Ok(test),
            Some(_) => Err("you have too many ')'".into()),
        }
    }

    fn peek(&self) -> Option<&str> {
        self.words.get(self.at).map(String::as_str)
    }

    fn or(&mut self, cx: &Cx) -> Result<FindTest, String> {
        let mut test = self.and(cx)?;
        while matches!(self.peek(), Some("-o" | "-or")) {
            self.at += 1;
            test = FindTest::Or(Box::new(test), Box::new(self.and(cx)?));
        }
        Ok(test)
    }

    fn and(&mut self, cx: &Cx) -> Result<FindTest, String> {
        let mut test = self.not(cx)?;
        while !matches!(self.peek(), None | Some("-o" | "-or" | ")")) {
            if matches!(self.peek(), Some("-a" | "-and")) {
                self.at += 1;
            }
            test = FindTest::And(Box::new(test), Box::new(self.not(cx)?));
        }
        Ok(test)
    }

    fn not(&mut self, cx: &Cx) -> Result<FindTest, String> {
        self.depth += 1;
        if self.depth > 200 {
            return Err("expression nested too deeply".into());
        }
        match self.peek() {
            Some("!" | "-not") => {
                self.at += 1;
                Ok(FindTest::Not(Box::new(self.not(cx)?)))
            }
            Some("(") => {
                self.at += 1;
                let test = self.or(cx)?;
                if self.peek() != Some(")") {
                    return Err(
                        "invalid expression; I was expecting to find a ')' somewhere but did not see one."
                            .into(),
                    );
                }
                self.at += 1;
                Ok(test)
            }
            Some(_) => self.primary(cx),
            None => Err("expected an expression".into()),
        }
    }

    fn argument(&mut self, name: &str) -> Result<String, String> {
        let value =
            self.words.get(self.at).cloned().ok_or_else(|| format!("missing argument to `{name}'"))?;
        self.at += 1;
        Ok(value)
    }

    fn primary(&mut self, cx: &Cx) -> Result<FindTest, String> {
        let name = self.argument("")?;
        Ok(match name.as_str() {
            "-name" => FindTest::Name(self.argument(&name)?, false),
            "-iname" => FindTest::Name(self.argument(&name)?.to_lowercase(), true),
            "-path" | "-wholename" => FindTest::Path(self.argument(&name)?),
            "-type" => {
                let kinds = self.argument(&name)?;
                if let Some(bad) = kinds.chars().find(|c| !"fdlcbps,".contains(*c)) {
                    return Err(format!("Unknown argument to -type: {bad}"));
                }
                FindTest::Type(kinds)
            }
            "-newer" => {
                let file = self.argument(&name)?;
                let stat =
                    cx.kernel.fs.stat(cx.uid(), &cx.path(&file)).map_err(|e| format!("'{file}': {e}"))?;
                FindTest::Newer(stat.mtime)
            }
            "-maxdepth" | "-mindepth" => {
                let text = self.argument(&name)?;
                let wrong =
                    || format!("Expected a positive decimal integer argument to {name}, but got '{text}'");
                let depth = text.parse::<u32>().map_err(|_| wrong())?;
                if name == "-maxdepth" {
                    self.max = depth.min(MAX_DEPTH)
                } else {
                    self.min = depth
                }
                FindTest::True
            }
            "-size" | "-mtime" | "-mmin" => {
                let text = self.argument(&name)?;
                number(&name, &text).ok_or_else(|| format!("invalid argument `{text}' to `{name}'"))?
            }
            "-empty" => FindTest::Empty,
            "-user" => {
                let user = self.argument(&name)?;
                let known = cx.kernel.users.by_name(&user).map(|u| u.uid.0).or_else(|| user.parse().ok());
                FindTest::User(known.ok_or_else(|| format!("'{user}' is not the name of a known user"))?)
            }
            "-perm" => {
                let text = self.argument(&name)?;
                let bits = text.trim_start_matches(['-', '/']);
                FindTest::Perm(u32::from_str_radix(bits, 8).map_err(|_| format!("invalid mode '{text}'"))?)
            }
            "-depth" | "-d" => {
                self.contents_first = true;
                FindTest::True
            }
            "-follow" | "-xdev" | "-mount" | "-noleaf" | "-true" => FindTest::True,
            "-false" => FindTest::Not(Box::new(FindTest::True)),
            "-prune" => FindTest::Prune,
            "-printf" => {
                self.acts = true;
                FindTest::Printf(printf::pieces(&self.argument(&name)?)?)
            }
            "-print" | "-print0" | "-delete" | "-quit" | "-exec" => {
                self.acts |= name != "-quit";
                return self.action(&name);
            }
            _ if name.starts_with('-') => return Err(format!("unknown predicate `{name}'")),
            _ => return Err(format!("paths must precede expression: `{name}'")),
        })
    }

    fn action(&mut self, name: &str) -> Result<FindTest, String> {
        Ok(match name {
            "-print" => FindTest::Print,
            "-print0" => FindTest::Print0,
            "-delete" => FindTest::Delete,
            "-quit" => FindTest::Quit,
            _ => {
                let mut words = Vec::new();
                loop {
                    let word = self.argument(name)?;
                    if word == ";" {
                        break;
                    }
                    if word == "+" && words.last().is_some_and(|w| w == "{}") {
                        words.pop();
                        self.execs += 1;
                        return Ok(FindTest::Exec(words, true, self.execs));
                    }
                    words.push(word);
                }
                if words.is_empty() {
                    return Err("missing argument to `-exec'".into());
                }
                self.execs += 1;
                FindTest::Exec(words, false, self.execs)
            }
        })
    }
}

fn number(name: &str, text: &str) -> Option<FindTest> {
    let sign = match text.chars().next()? {
        '+' => 1,
        '-' => -1,
        _ => 0,
    };
    let rest = text.trim_start_matches(['+', '-']);
    if name != "-size" {
        let unit = if name == "-mtime" { 86_400 } else { 60 };
        return Some(FindTest::Age(sign, rest.parse().ok()?, unit));
    }
    let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    let unit = match rest.get(digits..)? {
        "" | "b" => 512,
        "c" => 1,
        "w" => 2,
        "k" => 1 << 10,
        "M" => 1 << 20,
        "G" => 1 << 30,
        _ => return None,
    };
    Some(FindTest::Size(sign, rest.get(..digits)?.parse().ok()?, unit))
}
