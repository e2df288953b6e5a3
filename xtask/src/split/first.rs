//! Writes the first module: the original module with stubs instead of deferred functions, and without deferred data.

use super::module::Module;
use super::plan::Plan;
use wasm_encoder::reencode::{Error, Reencode, utils};
use wasm_encoder::{
    BlockType, CodeSection, DataSection, ExportKind, ExportSection, Function, Instruction, TableType,
};
use wasmparser::{CustomSectionReader, FunctionBody, RefType};

/// Rewrites the module with stubs instead of deferred functions.
pub struct FirstModuleWriter<'a> {
    module: &'a Module<'a>,
    plan: &'a Plan,
    /// The function with the next body.
    next: u32,
    /// The next data segment.
    segment: usize,
}

impl<'a> FirstModuleWriter<'a> {
    pub fn new(module: &'a Module<'a>, plan: &'a Plan) -> Self {
        Self { module, plan, next: module.imported, segment: 0 }
    }

    /// Loads the deferred module if the function is missing, and calls the function.
    fn stub(&self, function: u32, slot: u32) -> Option<Function> {
        let (type_index, ty) = self.module.signature(function)?;
        let slot = Instruction::I32Const(slot as i32);
        let mut stub = Function::new([]);
        stub.instruction(&slot)
            .instruction(&Instruction::TableGet(self.plan.table))
            .instruction(&Instruction::RefIsNull)
            .instruction(&Instruction::If(BlockType::Empty))
            .instruction(&Instruction::Call(self.plan.load))
            .instruction(&Instruction::End);
        for parameter in 0..ty.params().len() as u32 {
            stub.instruction(&Instruction::LocalGet(parameter));
        }
        stub.instruction(&slot)
            .instruction(&Instruction::CallIndirect { type_index, table_index: self.plan.table })
            .instruction(&Instruction::End);
        Some(stub)
    }
}

impl Reencode for FirstModuleWriter<'_> {
    type Error = String;

    fn parse_function_body(
        &mut self,
        code: &mut CodeSection,
        body: FunctionBody<'_>,
    ) -> Result<(), Error<Self::Error>> {
        let function = self.next;
        self.next += 1;
        if !self.plan.later.contains(&function) {
            return utils::parse_function_body(self, code, body);
        }
        let stub = self.plan.entries.get(&function).and_then(|slot| self.stub(function, *slot));
        // The others have no callers here, so the optimiser removes them.
        code.function(&stub.unwrap_or_else(|| {
            let mut nothing = Function::new([]);
            nothing.instruction(&Instruction::Unreachable).instruction(&Instruction::End);
            nothing
        }));
        Ok(())
    }

    fn table_type(&mut self, ty: wasmparser::TableType) -> Result<TableType, Error<Self::Error>> {
        let mut table = utils::table_type(self, ty)?;
        if ty.element_type == RefType::FUNCREF {
            let more = self.plan.entries.len() as u64;
            table.minimum += more;
            table.maximum = table.maximum.map(|most| most + more);
        }
        Ok(table)
    }

    fn parse_export_section(
        &mut self,
        exports: &mut ExportSection,
        section: wasmparser::ExportSectionReader<'_>,
    ) -> Result<(), Error<Self::Error>> {
        utils::parse_export_section(self, exports, section)?;
        let kinds = [
            ("m", ExportKind::Memory, self.module.memories.len()),
            ("t", ExportKind::Table, self.module.tables.len()),
            ("g", ExportKind::Global, self.module.globals.len()),
        ];
        for (letter, kind, many) in kinds {
            for index in 0..many as u32 {
                exports.export(&format!("{letter}{index}"), kind, index);
            }
        }
        for function in &self.plan.shared {
            exports.export(&format!("f{function}"), ExportKind::Func, *function);
        }
        Ok(())
    }

    fn parse_data(
        &mut self,
        data: &mut DataSection,
        datum: wasmparser::Data<'_>,
    ) -> Result<(), Error<Self::Error>> {
        let mut bytes = datum.data.to_vec();
        for stretch in self.plan.data.get(self.segment).into_iter().flatten() {
            // The optimiser splits a segment at its zeros.
            bytes[stretch.clone()].fill(0);
        }
        self.segment += 1;
        utils::parse_data(self, data, wasmparser::Data { data: &bytes, ..datum })
    }

    fn parse_custom_section(
        &mut self,
        module: &mut wasm_encoder::Module,
        section: CustomSectionReader<'_>,
    ) -> Result<(), Error<Self::Error>> {
        // The name section would name functions that no longer exist.
        if section.name() == "target_features" {
            utils::parse_custom_section(self, module, section)
        } else {
            Ok(())
        }
    }
}
