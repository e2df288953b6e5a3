//! The functions that programs call: of C's library and of OpenMP.

use super::run::{CodeValue, MORE, Machine, whole_of};
use super::tree::CodeExpr;
use super::value::{joined, number_in};
use super::world::{RunHalt, RunStep};
use base::math;
use base::pad;
use unix::format::{self, FormatSize, Piece};

impl Machine<'_> {
    /// Calls a function by name.
    pub fn call(&mut self, name: &str, args: &[CodeExpr]) -> RunStep<CodeValue> {
        if let Some(function) = self.functions.get(name) {
            let values = args.iter().map(|arg| self.value(arg)).collect::<RunStep<Vec<_>>>()?;
            let given = values.len();
            if given < function.params.len() || given > function.params.len() && !function.variadic {
                return Err(RunHalt::Unknown);
            }
            return self.called(function, values);
        }
        let lower;
        let name = match name.get(..4) {
            // Fortran writes names in any case.
            Some(start) if start.eq_ignore_ascii_case("mpi_") => {
                lower = name.to_ascii_lowercase();
                lower.as_str()
            }
            _ => name,
        };
        if name.starts_with("mpi_") {
            return self.mpi(name, args);
        }
        if let Some(value) = self.omp(name, args)? {
            return Ok(value);
        }
        if name.starts_with("cuda") {
            return self.cuda(name, args);
        }
        if let Some((owner, method)) = name.rsplit_once('.') {
            return self.method(owner, method, args);
        }
        if let Some(value) = self.memory_call(name, args)? {
            return Ok(value);
        }
        if let Some(value) = self.system_call(name, args)? {
            return Ok(value);
        }
        self.library(name, args)
    }

    pub fn arg<'e>(&self, args: &'e [CodeExpr], at: usize) -> RunStep<&'e CodeExpr> {
        args.get(at).ok_or(RunHalt::Unknown)
    }

    /// The descriptor of `stdout` or `stderr`.
    fn descriptor(&mut self, args: &[CodeExpr]) -> RunStep<usize> {
        match self.whole(self.arg(args, 0)?)? {
            fd @ (1 | 2) => usize::try_from(fd).map_err(|_| RunHalt::Unknown),
            _ => Err(RunHalt::Unknown),
        }
    }

    fn library(&mut self, name: &str, args: &[CodeExpr]) -> RunStep<CodeValue> {
        let zero = Ok(CodeValue::Int(0));
        if let Some(value) = self.maths(name, args)? {
            return Ok(value);
        }
        match name {
            "printf" => {
                let text = self.formatted(args)?;
                self.print(1, &text);
                zero
            }
            "vprintf" | "vfprintf" => {
                let at = usize::from(name == "vfprintf");
                let fd = if at == 1 { self.descriptor(args)? } else { 1 };
                let CodeValue::Text(format) = self.value(self.arg(args, at)?)? else {
                    return Err(RunHalt::Unknown);
                };
                let Some(CodeValue::List(given)) = self.read(MORE) else { return Err(RunHalt::Unknown) };
                let text = self.formatted_values(&format, given.into_iter())?;
                self.print(fd, &text);
                zero
            }
            "va_start" | "va_end" => zero,
            "fprintf" => {
                let fd = self.descriptor(args)?;
                let text = self.formatted(args.get(1..).unwrap_or(&[]))?;
                self.print(fd, &text);
                zero
            }
            "sprintf" | "snprintf" => {
                let from = if name == "sprintf" { 1 } else { 2 };
                let text = self.formatted(args.get(from..).unwrap_or(&[]))?;
                self.assign(self.arg(args, 0)?, CodeValue::Text(text))?;
                zero
            }
            "puts" => {
                let CodeValue::Text(text) = self.value(self.arg(args, 0)?)? else {
                    return Err(RunHalt::Unknown);
                };
                self.print(1, &(text + "\n"));
                zero
            }
            "putchar" => {
                let byte = self.whole(self.arg(args, 0)?)?;
                let c = u8::try_from(byte).map_err(|_| RunHalt::Unknown)?;
                self.print(1, &char::from(c).to_string());
                zero
            }
            "fflush" | "setbuf" | "setvbuf" | "setlinebuf" => zero,
            "atoi" | "atol" | "atoll" | "strtol" | "strtoul" | "atof" => {
                match self.value(self.arg(args, 0)?)? {
                    CodeValue::Text(text) => Ok(number_in(&text, name != "atof")),
                    CodeValue::Int(_) | CodeValue::Float(_) | CodeValue::List(_) | CodeValue::Array(_) => {
                        Err(RunHalt::Unknown)
                    }
                }
            }
            "strlen" | "len" | "len_trim" => match self.value(self.arg(args, 0)?)? {
                CodeValue::Text(text) => Ok(CodeValue::Int(i64::try_from(text.len()).unwrap_or(0))),
                CodeValue::Int(_) | CodeValue::Float(_) | CodeValue::List(_) | CodeValue::Array(_) => {
                    Err(RunHalt::Unknown)
                }
            },
            "strcpy" | "strncpy" | "strcat" => {
                let CodeValue::Text(text) = self.value(self.arg(args, 1)?)? else {
                    return Err(RunHalt::Unknown);
                };
                if name == "strcat" {
                    let CodeValue::Text(before) = self.value(self.arg(args, 0)?)? else {
                        return Err(RunHalt::Unknown);
                    };
                    let whole = joined(before, &text)?;
                    self.assign(self.arg(args, 0)?, whole)?;
                    return zero;
                }
                self.assign(self.arg(args, 0)?, CodeValue::Text(text))?;
                zero
            }
            "strcmp" => match (self.value(self.arg(args, 0)?)?, self.value(self.arg(args, 1)?)?) {
                (CodeValue::Text(a), CodeValue::Text(b)) => Ok(CodeValue::Int(a.cmp(&b) as i64)),
                _ => Err(RunHalt::Unknown),
            },
            "sscanf" => {
                let (CodeValue::Text(text), CodeValue::Text(format)) =
                    (self.value(self.arg(args, 0)?)?, self.value(self.arg(args, 1)?)?)
                else {
                    return Err(RunHalt::Unknown);
                };
                let whole = match format.as_str() {
                    "%d" | "%i" | "%u" | "%ld" | "%lu" | "%lld" => true,
                    "%f" | "%lf" => false,
                    _ => return Err(RunHalt::Unknown),
                };
                self.give(args, 2, number_in(&text, whole))?;
                Ok(CodeValue::Int(1))
            }
            "to_string" | "string" => match self.value(self.arg(args, 0)?)? {
                CodeValue::Int(n) => Ok(CodeValue::Text(n.to_string())),
                CodeValue::Float(x) => Ok(CodeValue::Text(pad::fixed(x, 6))),
                text @ CodeValue::Text(_) => Ok(text),
                CodeValue::List(_) | CodeValue::Array(_) => Err(RunHalt::Unknown),
            },
            "dim3" => args.iter().map(|arg| self.value(arg)).collect::<RunStep<_>>().map(CodeValue::List),
            "padded" => {
                let width = usize::try_from(self.whole(self.arg(args, 1)?)?).map_err(|_| RunHalt::Unknown)?;
                match self.value(self.arg(args, 0)?)? {
                    CodeValue::Text(text) if width <= 4096 => {
                        let text: String = text.chars().take(width).collect();
                        Ok(CodeValue::Text(pad::left(text, width)))
                    }
                    CodeValue::Text(_)
                    | CodeValue::Int(_)
                    | CodeValue::Float(_)
                    | CodeValue::List(_)
                    | CodeValue::Array(_) => Err(RunHalt::Unknown),
                }
            }
            "slice" => {
                let (from, to) = (self.whole(self.arg(args, 1)?)?, self.whole(self.arg(args, 2)?)?);
                let CodeValue::Text(text) = self.value(self.arg(args, 0)?)? else {
                    return Err(RunHalt::Unknown);
                };
                let skip = usize::try_from(from - 1).map_err(|_| RunHalt::Unknown)?;
                let count = usize::try_from(to - from + 1).unwrap_or(0);
                Ok(CodeValue::Text(text.chars().skip(skip).take(count).collect()))
            }
            "trim" | "adjustl" | "c_str" => self.value(self.arg(args, 0)?),
            _ => Err(RunHalt::Unknown),
        }
    }

    fn maths(&mut self, name: &str, args: &[CodeExpr]) -> RunStep<Option<CodeValue>> {
        let known = [
            "sqrt", "exp", "log", "log10", "log2", "sin", "cos", "tan", "atan", "asin", "acos", "fabs",
            "floor", "ceil", "round", "pow", "fmod", "abs", "min", "max", "mod", "real", "dble", "int",
            "float",
        ];
        if !known.contains(&name) {
            return Ok(None);
        }
        let mut numbers = Vec::new();
        let mut fraction = false;
        for arg in args {
            numbers.push(match self.value(arg)? {
                CodeValue::Int(n) => n as f64,
                CodeValue::Float(x) => {
                    fraction = true;
                    x
                }
                CodeValue::Text(_) | CodeValue::List(_) | CodeValue::Array(_) => {
                    return Err(RunHalt::Unknown);
                }
            });
        }
        let x = numbers.first().copied().ok_or(RunHalt::Unknown)?;
        let second = numbers.get(1).copied();
        let y = || second.ok_or(RunHalt::Unknown);
        let value = match name {
            "sqrt" => math::sqrt(x),
            "exp" => math::exp(x),
            "log" => math::ln(x),
            "log10" => math::log10(x),
            "log2" => math::log2(x),
            "sin" => math::sin(x),
            "cos" => math::cos(x),
            "tan" => math::tan(x),
            "atan" => math::atan(x),
            "asin" => math::asin(x),
            "acos" => math::acos(x),
            "floor" => x.floor(),
            "ceil" => x.ceil(),
            "round" => x.round(),
            "fabs" => x.abs(),
            "pow" => math::pow(x, y()?),
            "abs" | "min" | "max" | "mod" | "fmod" => {
                let value = match name {
                    "abs" => x.abs(),
                    "min" => numbers.iter().copied().fold(x, f64::min),
                    "max" => numbers.iter().copied().fold(x, f64::max),
                    _ => math::fmod(x, y()?),
                };
                return Ok(Some(if fraction {
                    CodeValue::Float(value)
                } else {
                    CodeValue::Int(whole_of(value))
                }));
            }
            "int" => return Ok(Some(CodeValue::Int(whole_of(x)))),
            _ => x,
        };
        Ok(Some(CodeValue::Float(value)))
    }

    /// The text of a format and its arguments.
    fn formatted(&mut self, args: &[CodeExpr]) -> RunStep<String> {
        let CodeValue::Text(format) = self.value(self.arg(args, 0)?)? else { return Err(RunHalt::Unknown) };
        let given = args.iter().skip(1).map(|arg| self.value(arg)).collect::<RunStep<Vec<_>>>()?;
        self.formatted_values(&format, given.into_iter())
    }

    /// The text of a format and the values behind it.
    fn formatted_values(
        &mut self,
        format: &str,
        mut rest: impl Iterator<Item = CodeValue>,
    ) -> RunStep<String> {
        let mut out = String::new();
        for piece in format::pieces(format).map_err(|_| RunHalt::Unknown)? {
            let mut conversion = match piece {
                Piece::Text(text) => {
                    out += &text;
                    continue;
                }
                Piece::Conversion(conversion) => conversion,
            };
            let mut next = || rest.next().ok_or(RunHalt::Unknown);
            if conversion.width == FormatSize::Argument {
                let CodeValue::Int(width) = next()? else { return Err(RunHalt::Unknown) };
                conversion.set_width(width);
            }
            if conversion.precision == FormatSize::Argument {
                let CodeValue::Int(precision) = next()? else { return Err(RunHalt::Unknown) };
                conversion.set_precision(precision);
            }
            out += &match (conversion.letter, next()?) {
                ('d' | 'i', CodeValue::Int(n)) => conversion.integer(n),
                ('u' | 'x' | 'X' | 'o', CodeValue::Int(n)) => conversion.unsigned(n.cast_unsigned()),
                ('e' | 'E' | 'f' | 'F' | 'g' | 'G', CodeValue::Float(x)) => conversion.float(x),
                ('s', CodeValue::Text(text)) => conversion.string(&text),
                ('s', CodeValue::Int(0)) => conversion.string("(null)"),
                ('c', CodeValue::Int(n)) => {
                    let byte = u8::try_from(n & 255).map_err(|_| RunHalt::Unknown)?;
                    conversion.string(&char::from(byte).to_string())
                }
                // In C, the output for a number of the wrong kind is undefined.
                _ => return Err(RunHalt::Unknown),
            };
        }
        Ok(out)
    }

    /// Sets what an argument points to, if it is there and not a null pointer.
    pub fn give(&mut self, args: &[CodeExpr], at: usize, value: CodeValue) -> RunStep<()> {
        match args.get(at) {
            None | Some(CodeExpr::Int(0)) => Ok(()),
            Some(CodeExpr::Name(name)) if matches!(name.as_str(), "NULL" | "nullptr") => Ok(()),
            Some(to) => self.assign(to, value),
        }
    }

    fn omp(&mut self, name: &str, args: &[CodeExpr]) -> RunStep<Option<CodeValue>> {
        let (thread, team) = self.team.unwrap_or((0, 1));
        Ok(Some(match name.to_ascii_lowercase().as_str() {
            "omp_get_thread_num" => CodeValue::Int(thread.into()),
            "omp_get_num_threads" => CodeValue::Int(team.into()),
            "omp_get_max_threads" => CodeValue::Int(self.max_threads().into()),
            "omp_get_num_procs" => CodeValue::Int(self.context.cpus.into()),
            "omp_in_parallel" => CodeValue::Int(i64::from(team > 1)),
            "omp_get_wtime" => CodeValue::Float(self.at.0 as f64 / 1e6),
            "omp_set_num_threads" => {
                let count = self.whole(self.arg(args, 0)?)?;
                self.wanted = u32::try_from(count).ok().filter(|n| *n > 0);
                CodeValue::Int(0)
            }
            _ => return Ok(None),
        }))
    }
}
