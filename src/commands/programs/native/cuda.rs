//! CUDA's functions, and kernels: their threads run one after the other.

use super::super::nvidia_smi::bus_number;
use super::facts::capability;
use super::run::{CodeValue, Machine};
use super::tree::CodeExpr;
use super::world::{RunHalt, RunStep};

/// CUDA's codes where a host has no GPU, and for a number that no GPU has.
const NO_DEVICE: i64 = 100;
const NO_SUCH_DEVICE: i64 = 101;

impl Machine<'_> {
    /// Calls a function of CUDA's library.
    pub fn cuda(&mut self, name: &str, args: &[CodeExpr]) -> RunStep<CodeValue> {
        self.uses_gpu = true;
        let count = i64::try_from(self.context.gpus.len()).unwrap_or(0);
        match name {
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
                    NO_SUCH_DEVICE => "invalid device ordinal",
                    _ => return Err(RunHalt::Unknown),
                };
                return Ok(CodeValue::Text(text.to_owned()));
            }
            "cudaDeviceReset" => return Ok(CodeValue::Int(0)),
            "cudaGetDeviceCount" => self.give(args, 0, CodeValue::Int(count))?,
            _ => {}
        }
        if count == 0 {
            self.gpu_error = NO_DEVICE;
            return Ok(CodeValue::Int(NO_DEVICE));
        }
        match name {
            "cudaGetDeviceCount"
            | "cudaDeviceSynchronize"
            | "cudaThreadSynchronize"
            | "cudaFree"
            | "cudaFreeHost" => {}
            "cudaSetDevice" => {
                let device = self.whole(self.arg(args, 0)?)?;
                if !(0..count).contains(&device) {
                    self.gpu_error = NO_SUCH_DEVICE;
                    return Ok(CodeValue::Int(NO_SUCH_DEVICE));
                }
                self.device = usize::try_from(device).unwrap_or(0);
            }
            "cudaGetDevice" => {
                let device = i64::try_from(self.device).unwrap_or(0);
                self.give(args, 0, CodeValue::Int(device))?;
            }
            "cudaMalloc" | "cudaMallocManaged" | "cudaMallocHost" => {
                let bytes = self.whole(self.arg(args, 1)?)?;
                let memory = self.cleared(bytes.saturating_add(3) / 4)?;
                self.give(args, 0, memory)?;
            }
            "cudaMemcpy" => {
                let bytes = self.whole(self.arg(args, 2)?)?;
                self.copied(self.arg(args, 0)?, self.arg(args, 1)?, bytes)?;
            }
            "cudaMemset" => drop(self.memory_call("memset", args)?),
            "cudaGetDeviceProperties" => {
                let Some(CodeExpr::Unary("&", to)) = args.first() else { return Err(RunHalt::Unknown) };
                let CodeExpr::Name(to) = &**to else { return Err(RunHalt::Unknown) };
                let at = usize::try_from(self.whole(self.arg(args, 1)?)?).map_err(|_| RunHalt::Unknown)?;
                let (_, gpu) = self.facts.gpus.get(at).cloned().ok_or(RunHalt::Unknown)?;
                let mut members = vec![
                    ("name", CodeValue::Text(gpu.model.clone())),
                    ("totalGlobalMem", CodeValue::Int(i64::try_from(gpu.memory << 20).unwrap_or(0))),
                    ("warpSize", CodeValue::Int(32)),
                    ("maxThreadsPerBlock", CodeValue::Int(1024)),
                ];
                if let Some((major, minor, processors)) = capability(&gpu) {
                    members.push(("major", CodeValue::Int(major)));
                    members.push(("minor", CodeValue::Int(minor)));
                    members.push(("multiProcessorCount", CodeValue::Int(processors)));
                }
                for (member, value) in members {
                    self.assign(&CodeExpr::Name(format!("{to}.{member}")), value)?;
                }
            }
            "cudaDeviceGetPCIBusId" => {
                let at = usize::try_from(self.whole(self.arg(args, 2)?)?).map_err(|_| RunHalt::Unknown)?;
                let (real, _) = self.facts.gpus.get(at).ok_or(RunHalt::Unknown)?;
                let text = format!("0000:{:02X}:00.0", bus_number(*real));
                self.give(args, 0, CodeValue::Text(text))?;
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
        if values.len() != function.params.len() {
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
            CodeValue::Float(_) | CodeValue::Text(_) | CodeValue::Array(_) => return Err(RunHalt::Unknown),
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
