//! The properties of wasm-bindgen's output that the split needs.

use std::collections::{BTreeMap, BTreeSet};
use wasmparser::{
    CustomSectionReader, DataKind, ElementItems, ElementKind, ExternalKind, FunctionBody, KnownCustom, Name,
    Operator, Parser, Payload, TypeRef,
};

/// The properties of a module that the split needs.
#[derive(Default)]
pub struct Module<'a> {
    pub types: Vec<wasmparser::FuncType>,
    pub type_section: Option<wasmparser::TypeSectionReader<'a>>,
    /// The type of each function, imports first.
    pub functions: Vec<u32>,
    pub imported: u32,
    pub bodies: Vec<FunctionBody<'a>>,
    pub tables: Vec<wasmparser::TableType>,
    pub memories: Vec<wasmparser::MemoryType>,
    pub globals: Vec<wasmparser::GlobalType>,
    pub exports: BTreeMap<&'a str, u32>,
    /// Functions called from outside: exports and the start function.
    pub open: BTreeSet<u32>,
    /// Functions in the table, with their indices.
    pub slots: Vec<(u32, u32)>,
    /// The address and the bytes of each data segment.
    pub data: Vec<(u32, &'a [u8])>,
    pub names: BTreeMap<u32, &'a str>,
    pub features: Option<CustomSectionReader<'a>>,
}

impl<'a> Module<'a> {
    pub fn read(wasm: &'a [u8]) -> wasmparser::Result<Self> {
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
                    self.element(element?)?;
                }
            }
            Payload::DataSection(segments) => {
                for segment in segments {
                    let segment = segment?;
                    let at = match segment.kind {
                        DataKind::Active { offset_expr, .. } => constant(&offset_expr),
                        DataKind::Passive => None,
                    };
                    self.data.push((at.unwrap_or(u32::MAX), segment.data));
                }
            }
            Payload::CodeSectionEntry(body) => self.bodies.push(body),
            Payload::CustomSection(custom) => self.custom(custom)?,
            _ => {}
        }
        Ok(())
    }

    fn element(&mut self, element: wasmparser::Element<'a>) -> wasmparser::Result<()> {
        let ElementItems::Functions(functions) = element.items else { return Ok(()) };
        let functions = functions.into_iter().collect::<Result<Vec<_>, _>>()?;
        match element.kind {
            ElementKind::Active { offset_expr, .. } if let Some(at) = constant(&offset_expr) => {
                self.slots.extend(functions.into_iter().zip(at..));
            }
            ElementKind::Active { .. } | ElementKind::Passive | ElementKind::Declared => {
                self.open.extend(functions);
            }
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

    pub fn body(&self, function: u32) -> Option<&FunctionBody<'a>> {
        self.bodies.get(function.checked_sub(self.imported)? as usize)
    }

    /// The functions that a function refers to.
    pub fn callees(&self, function: u32) -> BTreeSet<u32> {
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

    pub fn signature(&self, function: u32) -> Option<(u32, &wasmparser::FuncType)> {
        let ty = *self.functions.get(function as usize)?;
        Some((ty, self.types.get(ty as usize)?))
    }
}

/// The value of a constant expression, if it is a number.
fn constant(expression: &wasmparser::ConstExpr<'_>) -> Option<u32> {
    match expression.get_operators_reader().read().ok()? {
        Operator::I32Const { value } => Some(value.cast_unsigned()),
        _ => None,
    }
}
