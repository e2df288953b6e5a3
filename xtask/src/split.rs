//! Splits a WebAssembly module in two: what is needed at the start, and functions that may come later.
//!
//! Both halves keep one memory and one table of functions, so to Rust it is one program still. In the first half a
//! later function is a stub: it looks into its place in the table, asks the program to load the later half if the
//! place is empty, and jumps to what then stands there. The later half fills these places when it is instantiated,
//! with the first half's exports as its imports. What only later functions call goes with them.

use crate::Outcome;
use std::collections::{BTreeMap, BTreeSet};
use wasm_encoder::reencode::{Error, Reencode, utils};
use wasm_encoder::{
    BlockType, CodeSection, CustomSection, ElementSection, Elements, EntityType, ExportKind, ExportSection,
    Function, FunctionSection, ImportSection, Instruction, TableType, TypeSection,
};
use wasmparser::{
    CustomSectionReader, ElementItems, ExternalKind, FunctionBody, KnownCustom, Name, Operator, Parser,
    Payload, RefType, TypeRef,
};

/// The later half imports this module's exports.
const FIRST: &str = "first";

/// The two halves, not yet optimised.
pub struct Halves {
    pub first: Vec<u8>,
    pub later: Vec<u8>,
    /// The functions that were said to come later.
    pub named: Vec<String>,
}

/// Splits a module that has its names still. `later` says by its name whether a function belongs to the later half;
/// `load` is the exported function, without parameters, that instantiates that half.
pub fn split(wasm: &[u8], later: fn(&str) -> bool, load: &str) -> Outcome<Halves> {
    let module = Module::read(wasm).map_err(|e| format!("The module cannot be read: {e}."))?;
    let plan = Plan::make(&module, later, load)?;
    let fail = |e: Error<String>| format!("The module cannot be split: {e}.");
    let mut first = wasm_encoder::Module::new();
    FirstHalf { module: &module, plan: &plan, next: module.imported }
        .parse_core_module(&mut first, Parser::new(0), wasm)
        .map_err(fail)?;
    let written = LaterHalf::new(&module, &plan).write().map_err(fail)?;
    let named = module.names.values().filter(|name| later(name)).map(|name| (*name).to_owned()).collect();
    Ok(Halves { first: first.finish(), later: written, named })
}

/// What a split has to know of a module.
#[derive(Default)]
struct Module<'a> {
    types: Vec<wasmparser::FuncType>,
    type_section: Option<wasmparser::TypeSectionReader<'a>>,
    /// The type of each function, imported ones first.
    functions: Vec<u32>,
    imported: u32,
    bodies: Vec<FunctionBody<'a>>,
    tables: Vec<wasmparser::TableType>,
    memories: Vec<wasmparser::MemoryType>,
    globals: Vec<wasmparser::GlobalType>,
    exports: BTreeMap<&'a str, u32>,
    /// Functions that something else than a call may reach: exported, in tables, the start function.
    open: BTreeSet<u32>,
    names: BTreeMap<u32, &'a str>,
    features: Option<CustomSectionReader<'a>>,
}

impl<'a> Module<'a> {
    fn read(wasm: &'a [u8]) -> wasmparser::Result<Self> {
        let mut module = Self::default();
        for payload in Parser::new(0).parse_all(wasm) {
            module.section(payload?)?;
        }
        Ok(module)
    }

    fn section(&mut self, payload: Payload<'a>) -> wasmparser::Result<()> {
        match payload {
            Payload::TypeSection(types) => {
                self.type_section = Some(types.clone());
                self.types = types.into_iter_err_on_gc_types().collect::<Result<_, _>>()?;
            }
            Payload::ImportSection(imports) => {
                for import in imports.into_imports() {
                    if let TypeRef::Func(ty) = import?.ty {
                        self.functions.push(ty);
                        self.imported += 1;
                    }
                }
            }
            Payload::FunctionSection(functions) => {
                self.functions.extend(functions.into_iter().collect::<Result<Vec<_>, _>>()?);
            }
            Payload::TableSection(tables) => {
                for table in tables {
                    self.tables.push(table?.ty);
                }
            }
            Payload::MemorySection(memories) => {
                self.memories = memories.into_iter().collect::<Result<_, _>>()?;
            }
            Payload::GlobalSection(globals) => {
                for global in globals {
                    self.globals.push(global?.ty);
                }
            }
            Payload::ExportSection(exports) => {
                for export in exports {
                    let export = export?;
                    if export.kind == ExternalKind::Func {
                        self.exports.insert(export.name, export.index);
                        self.open.insert(export.index);
                    }
                }
            }
            Payload::StartSection { func, .. } => drop(self.open.insert(func)),
            Payload::ElementSection(elements) => {
                for element in elements {
                    if let ElementItems::Functions(functions) = element?.items {
                        self.open.extend(functions.into_iter().collect::<Result<Vec<_>, _>>()?);
                    }
                }
            }
            Payload::CodeSectionEntry(body) => self.bodies.push(body),
            Payload::CustomSection(custom) => self.custom(custom)?,
            _ => {}
        }
        Ok(())
    }

    fn custom(&mut self, custom: CustomSectionReader<'a>) -> wasmparser::Result<()> {
        if custom.name() == "target_features" {
            self.features = Some(custom);
        } else if let KnownCustom::Name(names) = custom.as_known() {
            for name in names {
                let Name::Function(functions) = name? else { continue };
                for function in functions {
                    let function = function?;
                    self.names.insert(function.index, function.name);
                }
            }
        }
        Ok(())
    }

    fn body(&self, function: u32) -> Option<&FunctionBody<'a>> {
        self.bodies.get(function.checked_sub(self.imported)? as usize)
    }

    /// The functions that a function names.
    fn callees(&self, function: u32) -> BTreeSet<u32> {
        let operators = self.body(function).and_then(|body| body.get_operators_reader().ok());
        operators
            .into_iter()
            .flatten()
            .filter_map(|operator| match operator.ok()? {
                Operator::Call { function_index }
                | Operator::ReturnCall { function_index }
                | Operator::RefFunc { function_index } => Some(function_index),
                _ => None,
            })
            .collect()
    }

    fn signature(&self, function: u32) -> Option<(u32, &wasmparser::FuncType)> {
        let ty = *self.functions.get(function as usize)?;
        Some((ty, self.types.get(ty as usize)?))
    }
}

/// Which function goes where.
struct Plan {
    /// Functions of the later half.
    later: BTreeSet<u32>,
    /// Those that the first half calls, each with its place in the table.
    entries: BTreeMap<u32, u32>,
    /// Functions of the first half that the later half calls.
    shared: BTreeSet<u32>,
    /// The table of functions.
    table: u32,
    /// Its first place that is new.
    start: u64,
    load: u32,
}

impl Plan {
    fn make(module: &Module, later: fn(&str) -> bool, load: &str) -> Outcome<Self> {
        let load =
            *module.exports.get(load).ok_or_else(|| format!("The module does not export `{load}`."))?;
        let table = module.tables.iter().position(|table| table.element_type == RefType::FUNCREF);
        let table = table.ok_or("The module has no table of functions.")?;
        let start = module.tables[table].initial;
        let named: BTreeSet<u32> =
            module.names.iter().filter(|(_, name)| later(name)).map(|(index, _)| *index).collect();
        let mut first: BTreeSet<u32> =
            (0..module.imported).chain(module.open.difference(&named).copied()).collect();
        let mut entered: BTreeSet<u32> = module.open.intersection(&named).copied().collect();
        let mut waiting: Vec<u32> = first.iter().copied().collect();
        while let Some(function) = waiting.pop() {
            for callee in module.callees(function) {
                if named.contains(&callee) {
                    entered.insert(callee);
                } else if first.insert(callee) {
                    waiting.push(callee);
                }
            }
        }
        let all = 0..module.functions.len() as u32;
        let later: BTreeSet<u32> = all.filter(|function| !first.contains(function)).collect();
        let shared = later
            .iter()
            .flat_map(|function| module.callees(*function))
            .filter(|f| first.contains(f))
            .collect();
        let entries = entered.into_iter().zip(start as u32..).collect();
        Ok(Self { later, entries, shared, table: table as u32, start, load })
    }
}

/// Writes the module again with stubs in the place of later functions.
struct FirstHalf<'a> {
    module: &'a Module<'a>,
    plan: &'a Plan,
    /// The function whose body comes next.
    next: u32,
}

impl FirstHalf<'_> {
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

/// Writes the later functions as a module that imports everything else.
struct LaterHalf<'a> {
    module: &'a Module<'a>,
    plan: &'a Plan,
    /// Functions by their old index, with their new one.
    index: BTreeMap<u32, u32>,
}

impl<'a> LaterHalf<'a> {
    fn new(module: &'a Module<'a>, plan: &'a Plan) -> Self {
        let index = plan.shared.iter().chain(&plan.later).copied().zip(0..).collect();
        Self { module, plan, index }
    }

    fn write(&mut self) -> Result<Vec<u8>, Error<String>> {
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
        let entries: Vec<u32> =
            plan.entries.keys().filter_map(|function| self.index.get(function).copied()).collect();
        let mut elements = ElementSection::new();
        let start = wasm_encoder::ConstExpr::i32_const(plan.start as i32);
        elements.active(Some(plan.table), &start, Elements::Functions(entries.into()));
        let mut module = wasm_encoder::Module::new();
        module.section(&types).section(&imports).section(&functions).section(&elements).section(&code);
        if let Some(features) = &source.features {
            module.section(&CustomSection { name: features.name().into(), data: features.data().into() });
        }
        Ok(module.finish())
    }

    fn imports(&mut self) -> Result<ImportSection, Error<String>> {
        let (plan, source) = (self.plan, self.module);
        let mut imports = ImportSection::new();
        for (i, memory) in source.memories.iter().enumerate() {
            imports.import(FIRST, &format!("m{i}"), self.memory_type(*memory)?);
        }
        for (i, table) in source.tables.iter().enumerate() {
            let mut ty = self.table_type(*table)?;
            // What is imported may be larger, and is.
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

impl Reencode for LaterHalf<'_> {
    type Error = String;

    fn function_index(&mut self, function: u32) -> Result<u32, Error<Self::Error>> {
        self.index
            .get(&function)
            .copied()
            .ok_or_else(|| Error::UserError(format!("function {function} went nowhere")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wasm_encoder::{NameMap, NameSection, TableSection};

    /// `load` and `main` are exported; `main` calls `later`, which calls `helper` and `load`.
    fn module() -> Vec<u8> {
        let calls: [(&str, &[u32]); 4] = [("load", &[]), ("main", &[2]), ("later", &[3, 0]), ("helper", &[])];
        let (mut types, mut functions, mut tables) =
            (TypeSection::new(), FunctionSection::new(), TableSection::new());
        types.ty().function([], []);
        let element_type = wasm_encoder::RefType::FUNCREF;
        tables.table(TableType { element_type, minimum: 1, maximum: Some(1), table64: false, shared: false });
        let (mut exports, mut code, mut named) = (ExportSection::new(), CodeSection::new(), NameMap::new());
        exports.export("load", ExportKind::Func, 0).export("main", ExportKind::Func, 1);
        for (index, (name, callees)) in (0..).zip(calls) {
            functions.function(0);
            named.append(index, name);
            let mut body = Function::new([]);
            for callee in callees {
                body.instruction(&Instruction::Call(*callee));
            }
            body.instruction(&Instruction::End);
            code.function(&body);
        }
        let mut names = NameSection::new();
        names.functions(&named);
        let mut module = wasm_encoder::Module::new();
        module
            .section(&types)
            .section(&functions)
            .section(&tables)
            .section(&exports)
            .section(&code)
            .section(&names);
        module.finish()
    }

    #[test]
    fn what_only_later_functions_call_goes_with_them() {
        let whole = module();
        let halves = split(&whole, |name| name == "later", "load").expect("it can be split");
        let first = Module::read(&halves.first).expect("the first half is a module");
        let later = Module::read(&halves.later).expect("the later half is a module");
        assert_eq!(first.tables[0].initial, 2, "one more place in the table");
        assert_eq!(first.callees(1), BTreeSet::from([2]), "main calls the stub");
        assert_eq!(first.callees(2), BTreeSet::from([0]), "the stub calls load");
        assert_eq!(
            (later.imported, later.functions.len()),
            (1, 3),
            "load is imported, later and helper are there"
        );
        assert_eq!(later.callees(1), BTreeSet::from([0, 2]));
        assert_eq!(later.open, BTreeSet::from([1]), "later is put into the table");
    }

    #[test]
    fn a_module_without_the_loader_is_refused() {
        assert!(split(&module(), |_| true, "absent").is_err());
        assert!(split(b"no module", |_| true, "load").is_err());
    }
}
