//! Fortran's output: list-directed as gfortran prints it, and by a format.

use super::run::{CodeValue, Machine};
use super::tree::CodeExpr;
use super::world::{RunHalt, RunStep};
use base::pad;

/// Most items that a repeat count makes.
const MAX_REPEAT: usize = 1000;

impl Machine<'_> {
    /// `print` and `write` of one line, or into a variable.
    pub fn write(
        &mut self,
        to: Option<&str>,
        format: Option<&str>,
        items: &[CodeExpr],
    ) -> RunStep<super::run::CodeFlow> {
        let values: Vec<CodeValue> = items.iter().map(|item| self.value(item)).collect::<RunStep<_>>()?;
        let text = match format {
            Some(format) => formatted(format, &values)?,
            None => listed(&values)?,
        };
        match to {
            Some(name) => self.set_named(name, CodeValue::Text(text)),
            None => self.print(1, &(text + "\n")),
        }
        Ok(super::run::CodeFlow::Next)
    }
}

fn listed(values: &[CodeValue]) -> RunStep<String> {
    let mut line = String::new();
    let mut after_number = true;
    for value in values {
        match value {
            CodeValue::Text(text) => {
                if after_number {
                    line.push(' ');
                }
                line += text;
            }
            CodeValue::Int(n) => line += &format!("{n:>12}"),
            CodeValue::Float(x) => line += &wide(*x)?,
            CodeValue::List(_) | CodeValue::Array(_) => return Err(RunHalt::Unknown),
        }
        after_number = !matches!(value, CodeValue::Text(_));
    }
    Ok(line)
}

/// A number of eight bytes: seventeen digits, without an exponent.
fn wide(x: f64) -> RunStep<String> {
    let size = x.abs();
    if x == 0.0 {
        return Ok("   0.0000000000000000     ".to_owned());
    }
    if !(0.1..1e15).contains(&size) {
        return Err(RunHalt::Unknown);
    }
    let whole = if size < 1.0 { 0 } else { format!("{}", size.trunc()).len() };
    let digits = 17_usize.saturating_sub(whole);
    Ok(format!("{}     ", pad::right(pad::fixed(x, digits), 21)))
}

/// One edit descriptor.
enum EditDescriptor {
    Text(String),
    /// `a`, `a10`
    Word(Option<usize>),
    /// `i4`, `i0`
    Whole(usize),
    /// `f8.3`
    Fraction(usize, usize),
    /// `3x`
    Blank,
    NewLine,
}

fn formatted(format: &str, values: &[CodeValue]) -> RunStep<String> {
    let edits = edits(format).ok_or(RunHalt::Unknown)?;
    let mut rest = values.iter();
    let mut out = String::new();
    let takes = edits.iter().any(|e| {
        matches!(e, EditDescriptor::Word(_) | EditDescriptor::Whole(_) | EditDescriptor::Fraction(..))
    });
    loop {
        for edit in &edits {
            match edit {
                EditDescriptor::Text(text) => out += text,
                EditDescriptor::Blank => out.push(' '),
                EditDescriptor::NewLine => out.push('\n'),
                EditDescriptor::Word(_) | EditDescriptor::Whole(_) | EditDescriptor::Fraction(..) => {
                    let Some(value) = rest.next() else { return Ok(out) };
                    out += &match (edit, value) {
                        (EditDescriptor::Word(None), CodeValue::Text(text)) => text.clone(),
                        (EditDescriptor::Word(Some(width)), CodeValue::Text(text)) => {
                            let text: String = text.chars().take(*width).collect();
                            pad::right(text, *width)
                        }
                        (EditDescriptor::Whole(0), CodeValue::Int(n)) => n.to_string(),
                        (EditDescriptor::Whole(width), CodeValue::Int(n)) => fitted(n.to_string(), *width),
                        (EditDescriptor::Fraction(width, digits), CodeValue::Float(x)) => {
                            fitted(pad::fixed(*x, *digits), *width)
                        }
                        _ => return Err(RunHalt::Unknown),
                    };
                }
            }
        }
        if !takes || rest.len() == 0 {
            return Ok(out);
        }
        out.push('\n');
    }
}

/// A number that does not fit becomes asterisks.
fn fitted(text: String, width: usize) -> String {
    if width == 0 {
        text
    } else if text.len() > width {
        "*".repeat(width)
    } else {
        pad::right(text, width)
    }
}

fn edits(format: &str) -> Option<Vec<EditDescriptor>> {
    let inner = format.trim().strip_prefix('(')?.strip_suffix(')')?;
    let mut all = Vec::new();
    let mut rest = inner.trim_start();
    while let Some(c) = rest.chars().next() {
        if matches!(c, ',' | ' ') {
            rest = rest.get(1..)?.trim_start();
            continue;
        }
        if matches!(c, '\'' | '"') {
            let text = rest.get(1..)?;
            let end = text.find(c)?;
            all.push(EditDescriptor::Text(text.get(..end)?.to_owned()));
            rest = text.get(end + 1..)?;
            continue;
        }
        if c == '/' {
            all.push(EditDescriptor::NewLine);
            rest = rest.get(1..)?;
            continue;
        }
        let digits = |text: &str| text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
        let count = digits(rest);
        let repeat: usize =
            if count == 0 { 1 } else { rest.get(..count)?.parse().ok().filter(|n| *n <= MAX_REPEAT)? };
        let letter = rest.get(count..)?.chars().next()?.to_ascii_lowercase();
        let behind = rest.get(count + 1..)?;
        let width = digits(behind);
        let size: Option<usize> = behind.get(..width)?.parse().ok().filter(|n| *n <= MAX_REPEAT);
        rest = behind.get(width..)?;
        let mut decimals = 0;
        if let Some(more) = rest.strip_prefix('.') {
            let end = digits(more);
            decimals = more.get(..end)?.parse().ok().filter(|n| *n <= 100)?;
            rest = more.get(end..)?;
        }
        for _ in 0..repeat {
            all.push(match letter {
                'a' => EditDescriptor::Word(size),
                'i' => EditDescriptor::Whole(size?),
                'f' => EditDescriptor::Fraction(size?, decimals),
                'x' => EditDescriptor::Blank,
                _ => return None,
            });
        }
    }
    Some(all)
}
