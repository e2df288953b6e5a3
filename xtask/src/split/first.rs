//! The first half: the module as it was, with stubs in the place of later functions and nothing in the place of later data.

use super::module::Module;
use super::plan::Plan;
use wasm_encoder::reencode::{Error, Reencode, utils};
use wasm_encoder::{
    BlockType, CodeSection, DataSection, ExportKind, ExportSection, Function, Instruction, TableType,
};
use wasmparser::{CustomSectionReader, FunctionBody, RefType};

/// Writes the module again with stubs in the place of later functions.
pub struct FirstHalf<'a> {
    module: &'a Module<'a>,
    plan: &'a Plan,
    /// The function whose body comes next.
    next: u32,
    /// The data segment that comes next.
    segment: usize,
}

impl<'a> FirstHalf<'a> {
    pub fn new(module: &'a Module<'a>, plan: &'a Plan) -> Self {
        Self { module, plan, next: module.imported, segment: 0 }
    }

    /// Looks whether the function is there, loads the later half if not, and calls it.
    fn stub(&self, function: u32, place: u32) -> Option<Function> {
        let (type_index, ty) = self.module.signature(function)?;
        let place = Instruction::I32Const(place as i32);
        let mut stub = Function::new([]);
        stub.instruction(&place)
            .instruction(&Instruction::TableGet(self.plan.table))
            .instruction(&Instruction::RefIsNull)
            .instruction(&Instruction::If(BlockType::Empty))
            .instruction(&Instruction::Call(self.plan.load))
            .instruction(&Instruction::End);
        for parameter in 0..ty.params().len() as u32 {
            stub.instruction(&Instruction::LocalGet(parameter));
        }
        stub.instruction(&place)
            .instruction(&Instruction::CallIndirect { type_index, table_index: self.plan.table })
            .instruction(&Instruction::End);
        Some(stub)
    }
}

impl Reencode for FirstHalf<'_> {
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
        let stub = self.plan.entries.get(&function).and_then(|place| self.stub(function, *place));
        // Nobody calls the others here: the optimiser takes them out.
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
            // The optimiser cuts a segment where it is empty.
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
        // Names would be of functions that are no longer there.
        if section.name() == "target_features" {
            utils::parse_custom_section(self, module, section)
        } else {
            Ok(())
        }
    }
}
