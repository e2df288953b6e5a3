//! The functions that programs call: of C's library, MPI, OpenMP and CUDA.

use super::run::{CodeValue, Machine, whole_of};
use super::tree::CodeExpr;
use super::value::number_in;
use super::world::{Collective, RunHalt, RunStep};
use base::math;
use base::pad;
use base::time::Span;
use unix::format::{self, FormatSize, Piece};

/// CUDA's code where a host has no GPU.
const NO_DEVICE: i64 = 100;

impl Machine<'_> {
    /// Calls a function by name.
    pub fn call(&mut self, name: &str, args: &[CodeExpr]) -> RunStep<CodeValue> {
        if let Some(function) = self.functions.get(name) {
            let mut values = Vec::new();
            for arg in args {
                let value = self.value(arg)?;
                // The function's changes of an array would be lost.
                if matches!(value, CodeValue::List(_)) {
                    return Err(RunHalt::Unknown);
                }
                values.push(value);
            }
            if values.len() != function.params.len() {
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
        self.library(name, args)
    }

    fn arg<'e>(&self, args: &'e [CodeExpr], at: usize) -> RunStep<&'e CodeExpr> {
        args.get(at).ok_or(RunHalt::Unknown)
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
            "fprintf" => {
                let fd = match self.whole(self.arg(args, 0)?)? {
                    2 => 2,
                    1 => 1,
                    _ => return Err(RunHalt::Unknown),
                };
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
            "exit" => {
                let code = self.whole(self.arg(args, 0)?)?;
                Err(RunHalt::Exit(u8::try_from(code & 255).unwrap_or(1)))
            }
            "sleep" | "usleep" => {
                let count = self.whole(self.arg(args, 0)?)?.clamp(0, 1 << 31);
                let span = if name == "sleep" { Span::from_secs(count) } else { Span(count) };
                self.at = self.at + span;
                zero
            }
            "gethostname" => {
                self.assign(self.arg(args, 0)?, CodeValue::Text(self.context.variable("host")))?;
                zero
            }
            "getenv" => {
                let CodeValue::Text(name) = self.value(self.arg(args, 0)?)? else {
                    return Err(RunHalt::Unknown);
                };
                Ok(self
                    .context
                    .env
                    .get(&name)
                    .map_or(CodeValue::Int(0), |value| CodeValue::Text(value.clone())))
            }
            "atoi" | "atol" | "atof" => match self.value(self.arg(args, 0)?)? {
                CodeValue::Text(text) => Ok(number_in(&text, name != "atof")),
                CodeValue::Int(_) | CodeValue::Float(_) | CodeValue::List(_) => Err(RunHalt::Unknown),
            },
            "strlen" | "len" | "len_trim" => match self.value(self.arg(args, 0)?)? {
                CodeValue::Text(text) => Ok(CodeValue::Int(i64::try_from(text.len()).unwrap_or(0))),
                CodeValue::Int(_) | CodeValue::Float(_) | CodeValue::List(_) => Err(RunHalt::Unknown),
            },
            "strcpy" => {
                let text = self.value(self.arg(args, 1)?)?;
                self.assign(self.arg(args, 0)?, text)?;
                zero
            }
            "sizeof" => match self.value(self.arg(args, 0)?)? {
                // The size of the text's array; it is only asked for as a bound.
                CodeValue::Text(_) => Ok(CodeValue::Int(256)),
                CodeValue::Int(_) => Ok(CodeValue::Int(4)),
                CodeValue::Float(_) => Ok(CodeValue::Int(8)),
                CodeValue::List(_) => Err(RunHalt::Unknown),
            },
            "dim3" => args.iter().map(|arg| self.value(arg)).collect::<RunStep<_>>().map(CodeValue::List),
            "padded" => {
                let width = usize::try_from(self.whole(self.arg(args, 1)?)?).map_err(|_| RunHalt::Unknown)?;
                match self.value(self.arg(args, 0)?)? {
                    CodeValue::Text(text) if width <= 4096 => {
                        let text: String = text.chars().take(width).collect();
                        Ok(CodeValue::Text(pad::left(text, width)))
                    }
                    CodeValue::Text(_) | CodeValue::Int(_) | CodeValue::Float(_) | CodeValue::List(_) => {
                        Err(RunHalt::Unknown)
                    }
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
                CodeValue::Text(_) | CodeValue::List(_) => return Err(RunHalt::Unknown),
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
        let mut rest = args.iter().skip(1);
        let mut out = String::new();
        for piece in format::pieces(&format).map_err(|_| RunHalt::Unknown)? {
            let mut conversion = match piece {
                Piece::Text(text) => {
                    out += &text;
                    continue;
                }
                Piece::Conversion(conversion) => conversion,
            };
            let mut next = |machine: &mut Self| machine.value(rest.next().ok_or(RunHalt::Unknown)?);
            if conversion.width == FormatSize::Argument {
                let CodeValue::Int(width) = next(self)? else { return Err(RunHalt::Unknown) };
                conversion.set_width(width);
            }
            if conversion.precision == FormatSize::Argument {
                let CodeValue::Int(precision) = next(self)? else { return Err(RunHalt::Unknown) };
                conversion.set_precision(precision);
            }
            out += &match (conversion.letter, next(self)?) {
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
    fn give(&mut self, args: &[CodeExpr], at: usize, value: CodeValue) -> RunStep<()> {
        match args.get(at) {
            None | Some(CodeExpr::Int(0)) => Ok(()),
            Some(CodeExpr::Name(name)) if matches!(name.as_str(), "NULL" | "nullptr") => Ok(()),
            Some(to) => self.assign(to, value),
        }
    }

    fn mpi(&mut self, name: &str, args: &[CodeExpr]) -> RunStep<CodeValue> {
        let (rank, size) = (i64::from(self.rank), i64::from(self.context.tasks.max(1)));
        match name {
            "mpi_init" | "mpi_finalize" | "mpi_comm_free" => {}
            "mpi_init_thread" => {
                let level = args.iter().rev().nth(1).cloned().unwrap_or(CodeExpr::Int(0));
                let (level, last) = (self.value(&level)?, args.len().saturating_sub(1));
                self.give(args, last, level)?;
            }
            "mpi_comm_rank" => self.give(args, 1, CodeValue::Int(rank))?,
            "mpi_comm_size" => self.give(args, 1, CodeValue::Int(size))?,
            "mpi_get_processor_name" => {
                let host = self.context.variable("host");
                let length = i64::try_from(host.len()).unwrap_or(0);
                self.give(args, 0, CodeValue::Text(host))?;
                self.give(args, 1, CodeValue::Int(length))?;
            }
            "mpi_wtime" => return Ok(CodeValue::Float(self.at.0 as f64 / 1e6)),
            "mpi_barrier" => drop(self.messages.collective(Collective::Barrier, CodeValue::Int(0))?),
            "mpi_abort" => {
                let code = self.whole(self.arg(args, 1)?)?;
                return Err(RunHalt::Exit(u8::try_from(code & 255).unwrap_or(1)));
            }
            "mpi_send" | "mpi_ssend" => {
                let (value, to) = (self.buffer(args, 1)?, self.whole(self.arg(args, 3)?)?);
                let tag = self.whole(self.arg(args, 4)?)?;
                self.messages.send(to, tag, value);
            }
            "mpi_recv" => {
                let (from, tag) = (self.whole(self.arg(args, 3)?)?, self.whole(self.arg(args, 4)?)?);
                let (from, tag, value) = self.messages.receive(from, tag)?;
                self.give(args, 0, value)?;
                if let Some(CodeExpr::Unary("&", status)) = args.get(6)
                    && let CodeExpr::Name(status) = &**status
                {
                    self.set_named(&format!("{status}.MPI_SOURCE"), CodeValue::Int(from));
                    self.set_named(&format!("{status}.MPI_TAG"), CodeValue::Int(tag));
                }
            }
            "mpi_bcast" => {
                let (value, root) = (self.buffer(args, 1)?, self.whole(self.arg(args, 3)?)?);
                let all = self.messages.collective(Collective::Bcast, value)?;
                let value = usize::try_from(root).ok().and_then(|root| all.get(root)).cloned();
                self.give(args, 0, value.ok_or(RunHalt::Unknown)?)?;
            }
            "mpi_reduce" | "mpi_allreduce" => {
                let (value, op) = (self.buffer(args, 2)?, self.whole(self.arg(args, 4)?)?);
                let root = if name == "mpi_reduce" { Some(self.whole(self.arg(args, 5)?)?) } else { None };
                let all = self.messages.collective(Collective::Reduce, value)?;
                let sum = super::world::reduced(op, &all)?;
                if root.is_none_or(|root| root == rank) {
                    self.give(args, 1, sum)?;
                }
            }
            "mpi_gather" | "mpi_allgather" => {
                let value = self.buffer(args, 1)?;
                let root = if name == "mpi_gather" { Some(self.whole(self.arg(args, 6)?)?) } else { None };
                let all = self.messages.collective(Collective::Gather, value)?;
                if root.is_none_or(|root| root == rank) {
                    let items = all.into_iter().flat_map(|value| match value {
                        CodeValue::List(items) => items,
                        one => vec![one],
                    });
                    self.give(args, 3, CodeValue::List(items.collect()))?;
                }
            }
            _ => return Err(RunHalt::Unknown),
        }
        // Fortran's last argument is the error code.
        if let Some(CodeExpr::Name(last)) = args.last()
            && last.to_ascii_lowercase().starts_with("ierr")
        {
            self.set_named(last, CodeValue::Int(0));
        }
        Ok(CodeValue::Int(0))
    }

    /// The value of the first argument as a buffer: as many elements as the argument at `count` says.
    fn buffer(&mut self, args: &[CodeExpr], count: usize) -> RunStep<CodeValue> {
        let count = self.whole(self.arg(args, count)?)?;
        let what = match self.arg(args, 0)? {
            CodeExpr::Unary("&", inner) => &**inner,
            other => other,
        };
        Ok(match self.value(what)? {
            CodeValue::List(mut items) => {
                items.truncate(usize::try_from(count).unwrap_or(0));
                CodeValue::List(items)
            }
            one => one,
        })
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

    fn cuda(&mut self, name: &str, args: &[CodeExpr]) -> RunStep<CodeValue> {
        self.uses_gpu = true;
        let count = i64::try_from(self.context.gpus.len()).unwrap_or(0);
        match name {
            "cudaDeviceSynchronize" | "cudaSetDevice" if count > 0 => {}
            "cudaDeviceReset" => {}
            "cudaGetDeviceCount" if count > 0 => self.give(args, 0, CodeValue::Int(count))?,
            "cudaGetDeviceCount" | "cudaDeviceSynchronize" | "cudaSetDevice" => {
                if name == "cudaGetDeviceCount" {
                    self.give(args, 0, CodeValue::Int(0))?;
                }
                self.gpu_error = NO_DEVICE;
                return Ok(CodeValue::Int(NO_DEVICE));
            }
            "cudaGetLastError" | "cudaPeekAtLastError" => {
                let error = self.gpu_error;
                if name == "cudaGetLastError" {
                    self.gpu_error = 0;
                }
                return Ok(CodeValue::Int(error));
            }
            "cudaGetErrorString" => {
                let text = match self.whole(self.arg(args, 0)?)? {
                    0 => "no error",
                    NO_DEVICE => "no CUDA-capable device is detected",
                    _ => return Err(RunHalt::Unknown),
                };
                return Ok(CodeValue::Text(text.to_owned()));
            }
            _ => return Err(RunHalt::Unknown),
        }
        Ok(CodeValue::Int(0))
    }

    /// Runs a kernel: all its threads, block by block.
    pub fn launch(
        &mut self,
        name: &str,
        blocks: &CodeExpr,
        threads: &CodeExpr,
        args: &[CodeExpr],
    ) -> RunStep<CodeValue> {
        self.uses_gpu = true;
        let function =
            self.functions.get(name).filter(|function| function.is_kernel).ok_or(RunHalt::Unknown)?;
        let (grid, block) = (self.extent(blocks)?, self.extent(threads)?);
        let values: Vec<CodeValue> = args.iter().map(|arg| self.value(arg)).collect::<RunStep<_>>()?;
        if values.iter().any(|value| matches!(value, CodeValue::List(_)))
            || values.len() != function.params.len()
        {
            return Err(RunHalt::Unknown);
        }
        if self.context.gpus.is_empty() {
            self.gpu_error = NO_DEVICE;
            return Ok(CodeValue::Int(0));
        }
        for index in positions(grid) {
            for thread in positions(block) {
                self.gpu_thread = Some([index, thread, block, grid]);
                let ended = self.called(function, values.clone());
                self.gpu_thread = None;
                ended?;
            }
        }
        Ok(CodeValue::Int(0))
    }

    fn extent(&mut self, expr: &CodeExpr) -> RunStep<[i64; 3]> {
        let all = match self.value(expr)? {
            CodeValue::Int(n) => vec![CodeValue::Int(n)],
            CodeValue::List(items) => items,
            CodeValue::Float(_) | CodeValue::Text(_) => return Err(RunHalt::Unknown),
        };
        let mut extent = [1; 3];
        for (to, item) in extent.iter_mut().zip(all) {
            let CodeValue::Int(n) = item else { return Err(RunHalt::Unknown) };
            *to = n.clamp(0, 1 << 20);
        }
        Ok(extent)
    }
}

/// All positions of a block or a grid, x first.
fn positions([x, y, z]: [i64; 3]) -> impl Iterator<Item = [i64; 3]> {
    (0..z).flat_map(move |k| (0..y).flat_map(move |j| (0..x).map(move |i| [i, j, k])))
}
