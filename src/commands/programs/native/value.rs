//! Expressions: operators, names, and C++'s output.

use super::run::{CodeValue, Machine, whole_of};
use super::tree::CodeExpr;
use super::world::{RunHalt, RunStep};
use unix::format::Conversion;

/// Names with a value.
const CONSTANTS: &[(&str, i64)] = &[
    ("NULL", 0),
    ("nullptr", 0),
    ("true", 1),
    ("false", 0),
    ("EXIT_SUCCESS", 0),
    ("EXIT_FAILURE", 1),
    ("stdout", 1),
    ("stderr", 2),
    ("INT_MAX", i32::MAX as i64),
    ("HOST_NAME_MAX", 64),
    ("_OPENMP", 201_511),
    ("MPI_SUCCESS", 0),
    ("MPI_COMM_WORLD", 0),
    ("MPI_MAX_PROCESSOR_NAME", 256),
    ("MPI_MAX_LIBRARY_VERSION_STRING", 256),
    ("MPI_MAX_ERROR_STRING", 256),
    ("MPI_COMM_TYPE_SHARED", 0),
    ("MPI_INFO_NULL", 0),
    ("MPI_STATUS_SIZE", 6),
    ("MPI_STATUSES_IGNORE", 0),
    ("RAND_MAX", i32::MAX as i64),
    ("CLOCKS_PER_SEC", 1_000_000),
    ("BUFSIZ", 8192),
    ("CPU_SETSIZE", 1024),
    ("MPI_THREAD_SINGLE", 0),
    ("MPI_THREAD_FUNNELED", 1),
    ("MPI_THREAD_SERIALIZED", 2),
    ("MPI_THREAD_MULTIPLE", 3),
    ("MPI_ANY_SOURCE", -1),
    ("MPI_ANY_TAG", -1),
    ("MPI_STATUS_IGNORE", 0),
    ("MPI_SUM", 1),
    ("MPI_PROD", 2),
    ("MPI_MAX", 3),
    ("MPI_MIN", 4),
    ("MPI_INT", 0),
    ("MPI_INTEGER", 0),
    ("MPI_LONG", 0),
    ("MPI_FLOAT", 0),
    ("MPI_REAL", 0),
    ("MPI_DOUBLE", 0),
    ("MPI_DOUBLE_PRECISION", 0),
    ("MPI_CHAR", 0),
    ("MPI_CHARACTER", 0),
    ("MPI_UNSIGNED", 0),
    ("MPI_LONG_LONG", 0),
    ("cudaSuccess", 0),
    ("cudaMemcpyHostToHost", 0),
    ("cudaMemcpyHostToDevice", 1),
    ("cudaMemcpyDeviceToHost", 2),
    ("cudaMemcpyDeviceToDevice", 3),
    ("cudaMemcpyDefault", 4),
];

impl Machine<'_> {
    pub fn value(&mut self, expr: &CodeExpr) -> RunStep<CodeValue> {
        self.burn()?;
        match expr {
            CodeExpr::Int(n) => Ok(CodeValue::Int(*n)),
            CodeExpr::Float(x) => Ok(CodeValue::Float(*x)),
            CodeExpr::Text(text) => Ok(CodeValue::Text(text.clone())),
            CodeExpr::Char(n) => Ok(CodeValue::Int(*n)),
            CodeExpr::Name(name) => self.named(name),
            CodeExpr::Index(list, at) => {
                let at = usize::try_from(self.whole(at)?).map_err(|_| RunHalt::Unknown)?;
                match self.value(list)? {
                    CodeValue::Array(id) => self.element(id, at),
                    CodeValue::List(items) => items.get(at).cloned().ok_or(RunHalt::Unknown),
                    CodeValue::Text(text) => {
                        let byte = text.as_bytes().get(at).copied().unwrap_or(0);
                        Ok(CodeValue::Int(byte.into()))
                    }
                    CodeValue::Int(_) | CodeValue::Float(_) => Err(RunHalt::Unknown),
                }
            }
            CodeExpr::Invoke(name, args) => self.call(name, args),
            CodeExpr::Launch(name, blocks, threads, args) => self.launch(name, blocks, threads, args),
            CodeExpr::Unary(sign, inner) => {
                if *sign == "*" {
                    return match self.value(inner)? {
                        CodeValue::Array(id) => self.element(id, 0),
                        CodeValue::Text(text) => Ok(CodeValue::Int(text.bytes().next().unwrap_or(0).into())),
                        CodeValue::Int(_) | CodeValue::Float(_) | CodeValue::List(_) => Err(RunHalt::Unknown),
                    };
                }
                if *sign == "&" {
                    // The address of an array's first element is the array.
                    return match self.place(inner)? {
                        Some((id, 0)) => Ok(CodeValue::Array(id)),
                        Some(_) | None => Err(RunHalt::Unknown),
                    };
                }
                match (*sign, self.value(inner)?) {
                    ("!", CodeValue::Int(n)) => Ok(CodeValue::Int(i64::from(n == 0))),
                    ("!", CodeValue::Float(x)) => Ok(CodeValue::Int(i64::from(x == 0.0))),
                    ("-", CodeValue::Int(n)) => Ok(CodeValue::Int(n.wrapping_neg())),
                    ("-", CodeValue::Float(x)) => Ok(CodeValue::Float(-x)),
                    ("~", CodeValue::Int(n)) => Ok(CodeValue::Int(!n)),
                    ("+", value @ (CodeValue::Int(_) | CodeValue::Float(_))) => Ok(value),
                    _ => Err(RunHalt::Unknown),
                }
            }
            CodeExpr::Binary("&&", a, b) => Ok(CodeValue::Int(i64::from(self.truth(a)? && self.truth(b)?))),
            CodeExpr::Binary("||", a, b) => Ok(CodeValue::Int(i64::from(self.truth(a)? || self.truth(b)?))),
            CodeExpr::Binary("<<", a, b) if stream(a).is_some() => {
                let fd = stream(a).unwrap_or(1);
                // The left side prints first.
                if matches!(**a, CodeExpr::Binary(..)) {
                    self.value(a)?;
                }
                let text = self.streamed(b)?;
                self.print(fd, &text);
                Ok(CodeValue::Int(0))
            }
            CodeExpr::Binary(sign, a, b) => {
                let (a, b) = (self.value(a)?, self.value(b)?);
                binary(sign, a, b)
            }
            CodeExpr::Assign(sign, to, value) => {
                let mut value = self.value(value)?;
                if !sign.is_empty() {
                    let old = self.value(to)?;
                    value = binary(sign, old, value)?;
                }
                self.assign(to, value.clone())?;
                Ok(value)
            }
            CodeExpr::Bump(new, step, to) => {
                let old = self.value(to)?;
                let next = binary("+", old.clone(), CodeValue::Int(*step))?;
                self.assign(to, next.clone())?;
                Ok(if *new { next } else { old })
            }
            CodeExpr::Choice(test, yes, no) => {
                if self.truth(test)? {
                    self.value(yes)
                } else {
                    self.value(no)
                }
            }
            CodeExpr::Whole(inner) => self.whole(inner).map(CodeValue::Int),
            CodeExpr::Fraction(inner) => match self.value(inner)? {
                CodeValue::Int(n) => Ok(CodeValue::Float(n as f64)),
                value @ CodeValue::Float(_) => Ok(value),
                CodeValue::Text(_) | CodeValue::List(_) | CodeValue::Array(_) => Err(RunHalt::Unknown),
            },
            CodeExpr::Pointer(kind, inner) => {
                let value = self.value(inner)?;
                Ok(self.retyped(*kind, value))
            }
            CodeExpr::List(items) => {
                items.iter().map(|item| self.value(item)).collect::<RunStep<_>>().map(CodeValue::List)
            }
        }
    }

    /// One item of a chain of `<<`: its text, or a change of how the next one is printed.
    fn streamed(&mut self, item: &CodeExpr) -> RunStep<String> {
        match item {
            CodeExpr::Name(name) if self.read(name).is_none() => match name.as_str() {
                "endl" => return Ok("\n".to_owned()),
                "fixed" => {
                    self.stream.fixed = true;
                    return Ok(String::new());
                }
                "left" | "right" => {
                    self.stream.left = name == "left";
                    return Ok(String::new());
                }
                "flush" | "boolalpha" => return Ok(String::new()),
                _ => {}
            },
            CodeExpr::Invoke(name, args) if matches!(name.as_str(), "setw" | "setprecision" | "setfill") => {
                let n = self.whole(args.first().ok_or(RunHalt::Unknown)?)?;
                let count = usize::try_from(n).ok().filter(|n| *n <= 4096).ok_or(RunHalt::Unknown)?;
                match name.as_str() {
                    "setw" => self.stream.width = count,
                    "setprecision" => self.stream.precision = Some(n),
                    _ => self.stream.fill = u8::try_from(n).map_or(' ', char::from),
                }
                return Ok(String::new());
            }
            _ => {}
        }
        let text = match (item, self.value(item)?) {
            (CodeExpr::Char(n), _) => u8::try_from(*n).map_or(' ', char::from).to_string(),
            (_, CodeValue::Int(n)) => n.to_string(),
            (_, CodeValue::Text(text)) => text,
            (_, CodeValue::Float(x)) => {
                let letter = if self.stream.fixed { 'f' } else { 'g' };
                let mut conversion = Conversion { letter, ..Conversion::default() };
                self.stream.precision.into_iter().for_each(|precision| conversion.set_precision(precision));
                conversion.float(x)
            }
            (_, CodeValue::List(_) | CodeValue::Array(_)) => return Err(RunHalt::Unknown),
        };
        // The width counts for one item.
        let width = std::mem::take(&mut self.stream.width);
        let missing = width.saturating_sub(text.chars().count());
        let fill: String = std::iter::repeat_n(self.stream.fill, missing).collect();
        Ok(if self.stream.left { text + &fill } else { fill + &text })
    }

    fn named(&mut self, name: &str) -> RunStep<CodeValue> {
        if let Some(value) = self.read(name) {
            return Ok(value);
        }
        if let (Some(thread), Some((what, axis))) = (self.gpu_thread, name.split_once('.')) {
            let row = ["blockIdx", "threadIdx", "blockDim", "gridDim"].iter().position(|w| *w == what);
            let column = ["x", "y", "z"].iter().position(|w| *w == axis);
            if let (Some(row), Some(column)) = (row, column) {
                let value = thread.get(row).and_then(|r| r.get(column)).copied();
                return value.map(CodeValue::Int).ok_or(RunHalt::Unknown);
            }
        }
        if name == "M_PI" {
            return Ok(CodeValue::Float(std::f64::consts::PI));
        }
        let constant = CONSTANTS.iter().find(|c| c.0 == name).map(|c| CodeValue::Int(c.1));
        constant.ok_or(RunHalt::Unknown)
    }
}

/// The descriptor of a chain of `<<` that begins with `cout` or `cerr`.
fn stream(expr: &CodeExpr) -> Option<usize> {
    match expr {
        CodeExpr::Name(name) if name == "cout" => Some(1),
        CodeExpr::Name(name) if name == "cerr" || name == "clog" => Some(2),
        CodeExpr::Binary("<<", a, _) => stream(a),
        _ => None,
    }
}

pub(super) fn binary(sign: &str, a: CodeValue, b: CodeValue) -> RunStep<CodeValue> {
    let truth = |yes: bool| Ok(CodeValue::Int(i64::from(yes)));
    match (a, b) {
        (_, b) if sign == "," => Ok(b),
        (CodeValue::Int(a), CodeValue::Int(b)) => Ok(CodeValue::Int(match sign {
            "+" => a.wrapping_add(b),
            "-" => a.wrapping_sub(b),
            "*" => a.wrapping_mul(b),
            "/" => a.checked_div(b).ok_or(RunHalt::Unknown)?,
            "%" => a.checked_rem(b).ok_or(RunHalt::Unknown)?,
            "<<" => a.checked_shl(u32::try_from(b).map_err(|_| RunHalt::Unknown)?).ok_or(RunHalt::Unknown)?,
            ">>" => a.checked_shr(u32::try_from(b).map_err(|_| RunHalt::Unknown)?).ok_or(RunHalt::Unknown)?,
            "&" => a & b,
            "|" => a | b,
            "^" => a ^ b,
            "**" => a.checked_pow(u32::try_from(b).map_err(|_| RunHalt::Unknown)?).ok_or(RunHalt::Unknown)?,
            "==" => i64::from(a == b),
            "!=" => i64::from(a != b),
            "<" => i64::from(a < b),
            ">" => i64::from(a > b),
            "<=" => i64::from(a <= b),
            ">=" => i64::from(a >= b),
            _ => return Err(RunHalt::Unknown),
        })),
        (CodeValue::Text(a), CodeValue::Text(b)) if matches!(sign, "+" | "//") => joined(a, &b),
        (CodeValue::Text(a), CodeValue::Text(b)) if matches!(sign, "==" | "!=") => {
            truth((a == b) == (sign == "=="))
        }
        // A pointer is compared with `NULL`.
        (CodeValue::Text(_) | CodeValue::Array(_), CodeValue::Int(0)) if matches!(sign, "==" | "!=") => {
            truth(sign == "!=")
        }
        (
            CodeValue::Int(_) | CodeValue::Float(_),
            CodeValue::Text(_) | CodeValue::List(_) | CodeValue::Array(_),
        )
        | (CodeValue::Text(_) | CodeValue::List(_) | CodeValue::Array(_), _) => Err(RunHalt::Unknown),
        (a @ (CodeValue::Int(_) | CodeValue::Float(_)), b) => {
            let number = |value: CodeValue| match value {
                CodeValue::Int(n) => n as f64,
                CodeValue::Float(x) => x,
                CodeValue::Text(_) | CodeValue::List(_) | CodeValue::Array(_) => 0.0,
            };
            let (a, b) = (number(a), number(b));
            match sign {
                "+" => Ok(CodeValue::Float(a + b)),
                "-" => Ok(CodeValue::Float(a - b)),
                "*" => Ok(CodeValue::Float(a * b)),
                "/" => Ok(CodeValue::Float(a / b)),
                "**" => Ok(CodeValue::Float(base::math::pow(a, b))),
                "==" => truth(a == b),
                "!=" => truth(a != b),
                "<" => truth(a < b),
                ">" => truth(a > b),
                "<=" => truth(a <= b),
                ">=" => truth(a >= b),
                _ => Err(RunHalt::Unknown),
            }
        }
    }
}

/// Bytes of a text.
const MAX_TEXT: usize = 1 << 16;

/// Two texts as one.
pub(super) fn joined(a: String, b: &str) -> RunStep<CodeValue> {
    if a.len() + b.len() > MAX_TEXT { Err(RunHalt::Unknown) } else { Ok(CodeValue::Text(a + b)) }
}

/// Text as a number, as `atoi` and `atof` read it.
pub(super) fn number_in(text: &str, whole: bool) -> CodeValue {
    let text = text.trim_start();
    let end = text.find(|c: char| !(c.is_ascii_digit() || "+-.eE".contains(c))).unwrap_or(text.len());
    let number: f64 = (0..=end).rev().find_map(|end| text.get(..end)?.parse().ok()).unwrap_or(0.0);
    if whole { CodeValue::Int(whole_of(number)) } else { CodeValue::Float(number) }
}
