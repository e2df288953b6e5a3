//! Writes the deferred module: the deferred functions and the data that only they read. It imports everything else.

use super::module::Module;
use super::plan::Plan;
use std::collections::BTreeMap;
use wasm_encoder::reencode::{Error, Reencode};
use wasm_encoder::{
    CodeSection, ConstExpr, CustomSection, DataSection, ElementSection, Elements, EntityType,
    FunctionSection, ImportSection, TypeSection,
};

/// The name of the module whose exports it imports.
const FIRST: &str = "first";

/// Writes the deferred functions as a module that imports everything else.
pub struct DeferredModuleWriter<'a> {
    module: &'a Module<'a>,
    plan: &'a Plan,
    /// Maps old function indices to new ones.
    index: BTreeMap<u32, u32>,
}

impl<'a> DeferredModuleWriter<'a> {
    pub fn new(module: &'a Module<'a>, plan: &'a Plan) -> Self {
        let index = plan.shared.iter().chain(&plan.later).copied().zip(0..).collect();
        Self { module, plan, index }
    }

    pub fn write(&mut self) -> Result<Vec<u8>, Error<String>> {
        let (plan, source) = (self.plan, self.module);
        let mut types = TypeSection::new();
        if let Some(section) = source.type_section.clone() {
            self.parse_type_section(&mut types, section)?;
        }
        let imports = self.imports()?;
        let (mut functions, mut code) = (FunctionSection::new(), CodeSection::new());
        for function in &plan.later {
            if let (Some((ty, _)), Some(body)) = (source.signature(*function), source.body(*function)) {
                functions.function(ty);
                self.parse_function_body(&mut code, body.clone())?;
            }
        }
        let elements = self.elements();
        let data = self.data();
        let mut module = wasm_encoder::Module::new();
        module.section(&types).section(&imports).section(&functions).section(&elements);
        module.section(&code).section(&data);
        if let Some(features) = &source.features {
            module.section(&CustomSection { name: features.name().into(), data: features.data().into() });
        }
        Ok(module.finish())
    }

    /// The table entries of deferred functions, in runs.
    fn elements(&self) -> ElementSection {
        let plan = self.plan;
        let entries = plan.entries.iter().map(|(function, slot)| (*slot, *function));
        let mut runs: Vec<(u32, Vec<u32>)> = Vec::new();
        for (slot, function) in plan.slots.iter().map(|(slot, function)| (*slot, *function)).chain(entries) {
            let Some(index) = self.index.get(&function).copied() else { continue };
            match runs.last_mut() {
                Some((first, run)) if *first + run.len() as u32 == slot => run.push(index),
                Some(_) | None => runs.push((slot, vec![index])),
            }
        }
        let mut elements = ElementSection::new();
        for (first, run) in runs {
            let first = ConstExpr::i32_const(first.cast_signed());
            elements.active(Some(plan.table), &first, Elements::Functions(run.into()));
        }
        elements
    }

    /// The data that only deferred functions read.
    fn data(&self) -> DataSection {
        let mut data = DataSection::new();
        for ((at, bytes), stretches) in self.module.data.iter().zip(&self.plan.data) {
            for stretch in stretches {
                let to = ConstExpr::i32_const((at + stretch.start as u32).cast_signed());
                data.active(0, &to, bytes[stretch.clone()].iter().copied());
            }
        }
        data
    }

    fn imports(&mut self) -> Result<ImportSection, Error<String>> {
        let (plan, source) = (self.plan, self.module);
        let mut imports = ImportSection::new();
        for (i, memory) in source.memories.iter().enumerate() {
            imports.import(FIRST, &format!("m{i}"), self.memory_type(*memory)?);
        }
        for (i, table) in source.tables.iter().enumerate() {
            let mut ty = self.table_type(*table)?;
            // The imported object may be larger, and is.
            ty.maximum = None;
            imports.import(FIRST, &format!("t{i}"), ty);
        }
        for (i, global) in source.globals.iter().enumerate() {
            imports.import(FIRST, &format!("g{i}"), self.global_type(*global)?);
        }
        for function in &plan.shared {
            if let Some((ty, _)) = source.signature(*function) {
                imports.import(FIRST, &format!("f{function}"), EntityType::Function(ty));
            }
        }
        Ok(imports)
    }
}

impl Reencode for DeferredModuleWriter<'_> {
    type Error = String;

    fn function_index(&mut self, function: u32) -> Result<u32, Error<Self::Error>> {
        self.index
            .get(&function)
            .copied()
            .ok_or_else(|| Error::UserError(format!("function {function} went nowhere")))
    }
}
