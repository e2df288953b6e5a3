//! expr(1): integers and strings. Integers have 128 bits; an overflow is an error.

use crate::Cx;
use base::regex::{Flags, Regex, Syntax};

/// Maximum nesting depth.
const MAX_DEPTH: u32 = 200;

/// An error that ends the evaluation: its message.
struct ExprStop(String);

struct ExprParser<'a> {
    words: &'a [String],
    at: usize,
    depth: u32,
}

type ExprValue = Result<String, ExprStop>;

/// expr(1)
pub fn expr(cx: &mut Cx) -> u8 {
    let mut words = cx.args();
    if let [first, rest @ ..] = words
        && first == "--"
    {
        words = rest;
    }
    if words.is_empty() {
        cx.error("missing operand");
        super::getopt::try_help(cx);
        return 2;
    }
    let mut parser = ExprParser { words, at: 0, depth: 0 };
    let value = parser.either().and_then(|value| match parser.words.get(parser.at) {
        None => Ok(value),
        Some(word) => Err(ExprStop(format!("syntax error: unexpected argument '{word}'"))),
    });
    match value {
        Ok(value) => {
            cx.line(&value);
            u8::from(is_null(&value))
        }
        Err(ExprStop(why)) => {
            cx.error(&why);
            2
        }
    }
}

/// Whether a text is empty or zero.
fn is_null(text: &str) -> bool {
    text.is_empty() || {
        let digits = text.strip_prefix('-').unwrap_or(text);
        !digits.is_empty() && digits.bytes().all(|b| b == b'0')
    }
}

fn number(text: &str) -> Result<i128, ExprStop> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return Err(ExprStop("non-integer argument".to_owned()));
    }
    text.parse().map_err(|_| ExprStop(format!("{text}: Numerical result out of range")))
}

impl ExprParser<'_> {
    fn next_is(&mut self, words: &[&str]) -> Option<String> {
        let word = self.words.get(self.at).filter(|word| words.contains(&word.as_str()))?;
        self.at += 1;
        Some(word.clone())
    }

    /// `a | b`
    fn either(&mut self) -> ExprValue {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(ExprStop("too many parentheses".to_owned()));
        }
        let mut left = self.both()?;
        while self.next_is(&["|"]).is_some() {
            let right = self.both()?;
            if is_null(&left) {
                left = if is_null(&right) { "0".to_owned() } else { right };
            }
        }
        self.depth -= 1;
        Ok(left)
    }

    /// `a & b`
    fn both(&mut self) -> ExprValue {
        let mut left = self.compare()?;
        while self.next_is(&["&"]).is_some() {
            let right = self.compare()?;
            if is_null(&left) || is_null(&right) {
                left = "0".to_owned();
            }
        }
        Ok(left)
    }

    fn compare(&mut self) -> ExprValue {
        let mut left = self.sum()?;
        while let Some(operator) = self.next_is(&["<", "<=", "=", "==", "!=", ">=", ">"]) {
            let right = self.sum()?;
            let order = match (number(&left), number(&right)) {
                (Ok(a), Ok(b)) => a.cmp(&b),
                (Ok(_) | Err(_), _) => left.cmp(&right),
            };
            let holds = match operator.as_str() {
                "<" => order.is_lt(),
                "<=" => order.is_le(),
                "!=" => order.is_ne(),
                ">=" => order.is_ge(),
                ">" => order.is_gt(),
                _ => order.is_eq(),
            };
            left = u8::from(holds).to_string();
        }
        Ok(left)
    }

    fn sum(&mut self) -> ExprValue {
        let mut left = self.product()?;
        while let Some(operator) = self.next_is(&["+", "-"]) {
            let right = self.product()?;
            let (a, b) = (number(&left)?, number(&right)?);
            let sum = if operator == "+" { a.checked_add(b) } else { a.checked_sub(b) };
            left = whole(sum, &operator)?;
        }
        Ok(left)
    }

    fn product(&mut self) -> ExprValue {
        let mut left = self.matching()?;
        while let Some(operator) = self.next_is(&["*", "/", "%"]) {
            let right = self.matching()?;
            let (a, b) = (number(&left)?, number(&right)?);
            if b == 0 && operator != "*" {
                return Err(ExprStop("division by zero".to_owned()));
            }
            let result = match operator.as_str() {
                "*" => a.checked_mul(b),
                "/" => a.checked_div(b),
                _ => a.checked_rem(b),
            };
            left = whole(result, &operator)?;
        }
        Ok(left)
    }

    /// `text : pattern`
    fn matching(&mut self) -> ExprValue {
        let mut left = self.word()?;
        while self.next_is(&[":"]).is_some() {
            let pattern = self.word()?;
            left = matched(&left, &pattern)?;
        }
        Ok(left)
    }

    fn word(&mut self) -> ExprValue {
        let Some(word) = self.words.get(self.at).cloned() else {
            let last = self.words.last().cloned().unwrap_or_default();
            return Err(ExprStop(format!("syntax error: missing argument after '{last}'")));
        };
        self.at += 1;
        match word.as_str() {
            "(" => {
                let value = self.either()?;
                match self.next_is(&[")"]) {
                    Some(_) => Ok(value),
                    None => {
                        let last = self.words.get(self.at - 1).cloned().unwrap_or_default();
                        Err(ExprStop(format!("syntax error: expecting ')' after '{last}'")))
                    }
                }
            }
            ")" => Err(ExprStop("syntax error: unexpected ')'".to_owned())),
            "+" => self.quoted(),
            "match" => {
                let (text, pattern) = (self.word()?, self.word()?);
                matched(&text, &pattern)
            }
            "length" => Ok(self.word()?.chars().count().to_string()),
            "index" => {
                let (text, set) = (self.word()?, self.word()?);
                let at = text.chars().position(|c| set.contains(c));
                Ok(at.map_or(0, |at| at + 1).to_string())
            }
            "substr" => {
                let (text, from, count) = (self.word()?, self.word()?, self.word()?);
                let (Ok(from), Ok(count)) = (number(&from), number(&count)) else { return Ok(String::new()) };
                let (Ok(skip), Ok(count)) = (usize::try_from(from - 1), usize::try_from(count)) else {
                    return Ok(String::new());
                };
                Ok(text.chars().skip(skip).take(count).collect())
            }
            _ => Ok(word),
        }
    }

    /// `+ word`: a word that is not an operator.
    fn quoted(&mut self) -> ExprValue {
        let word = self.words.get(self.at).cloned();
        self.at += 1;
        word.ok_or_else(|| ExprStop("syntax error: missing argument after '+'".to_owned()))
    }
}

fn whole(number: Option<i128>, operator: &str) -> ExprValue {
    number
        .map(|n| n.to_string())
        .ok_or_else(|| ExprStop(format!("{operator}: Numerical result out of range")))
}

fn matched(text: &str, pattern: &str) -> ExprValue {
    let regex = Regex::new(&format!("^{}", pattern.trim_start_matches('^')), Syntax::Basic, Flags::default())
        .map_err(ExprStop)?;
    let groups = regex.groups_at(text, 0);
    Ok(match groups.as_deref() {
        Some([_, first, ..]) => {
            first.and_then(|(from, to)| text.get(from..to)).unwrap_or_default().to_owned()
        }
        Some([Some((from, to))]) => text.get(*from..*to).unwrap_or_default().chars().count().to_string(),
        Some([] | [None]) | None if pattern.contains("\\(") => String::new(),
        Some([] | [None]) | None => "0".to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use crate::testing::Host;

    #[test]
    fn same_as_the_real_program() {
        let mut host = Host::default();
        for line in [
            "1 + 2",
            "7 - 9",
            "3 * 4",
            "7 / 2",
            "-7 % 3",
            "1 / 0",
            "a + 1",
            "1 + 2 * 3",
            "( 1 + 2 ) * 3",
            "( 1",
            "abc : a\\(.\\)c",
            "abc : a.",
            "abc : x",
            "abc : \\(x\\)",
            "5 > 3",
            "10 < 9",
            "b > a",
            "1 = 01",
            "a = a",
            "0 | 5",
            "3 & 0",
            "length hello",
            "substr hello 2 3",
            "index hello l",
            "match abc ab",
            "9223372036854775807 + 1",
            "1 2",
            "",
            "+ length",
            "0",
            "-- 3",
            "file.txt : .*\\.txt",
            "1 +",
            ") 1",
            "substr x 0 1",
            "length",
            "a != b",
            "2 >= 2",
            "0 + 0",
        ] {
            let argv: Vec<&str> = std::iter::once("expr").chain(line.split_whitespace()).collect();
            host.same(&argv, "", &[]);
        }
    }
}
