//! References between functions and data, from the linker's relocations (`--emit-relocs`). Without them, an address in the
//! code is indistinguishable from other numbers. wasm-bindgen renumbers functions, so they are identified by name here. Data
//! keeps its addresses.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use wasmparser::{
    BinaryReader, BinaryReaderError, Linking, LinkingSectionReader, Parser, Payload, RelocSectionReader,
    RelocationEntry, RelocationType as Kind, SymbolInfo,
};

/// The references of a function or a data object.
#[derive(Clone, Default)]
pub struct References {
    /// Functions whose table index is used, by all their names.
    pub functions: BTreeSet<String>,
    /// Indices of [`Linked::objects`].
    pub objects: BTreeSet<usize>,
}

/// A data object, which belongs to one of the two modules.
pub struct Object {
    pub segment: usize,
    /// Bytes of the segment.
    pub bytes: Range<usize>,
    pub refers: References,
}

/// The references of a module.
#[derive(Default)]
pub struct Linked {
    /// By function name, as wasm-bindgen writes it.
    pub functions: BTreeMap<String, References>,
    /// In memory order, without gaps.
    pub objects: Vec<Object>,
}

/// The parts of a module from which references are resolved.
#[derive(Default)]
struct Parts<'a> {
    symbols: Vec<SymbolInfo<'a>>,
    code: Vec<RelocationEntry>,
    data: Vec<RelocationEntry>,
    /// The positions of function bodies in the code section, in order.
    bodies: Vec<Range<usize>>,
    /// The positions of the segments' bytes in the data section.
    segments: Vec<Range<usize>>,
    imported: u32,
}

impl Linked {
    /// Reads the relocations. A module without them has no references.
    pub fn read(wasm: &[u8]) -> wasmparser::Result<Self> {
        let parts = Parts::read(wasm)?;
        let mut linked = Self { functions: BTreeMap::new(), objects: parts.objects() };
        let names = parts.names();
        for entry in &parts.code {
            let body = parts.bodies.partition_point(|body| body.end <= entry.offset as usize);
            let refers = linked.target(&parts, &names, entry);
            for name in names.get(&(parts.imported + body as u32)).into_iter().flatten() {
                linked.functions.entry(name.clone()).or_default().add(refers.clone());
            }
        }
        for entry in &parts.data {
            let segment = parts.segments.partition_point(|segment| segment.end <= entry.offset as usize);
            let Some(bytes) = parts.segments.get(segment) else { continue };
            let at = (entry.offset as usize).saturating_sub(bytes.start);
            let refers = linked.target(&parts, &names, entry);
            for object in linked.within(segment, at..at + 1) {
                linked.objects[object].refers.add(refers.clone());
            }
        }
        Ok(linked)
    }

    /// The target of a relocation entry.
    fn target(
        &self,
        parts: &Parts<'_>,
        names: &BTreeMap<u32, Vec<String>>,
        entry: &RelocationEntry,
    ) -> References {
        let mut refers = References::default();
        match (entry.ty, parts.symbols.get(entry.index as usize)) {
            (Kind::TableIndexSleb | Kind::TableIndexI32, Some(SymbolInfo::Func { index, .. })) => {
                refers.functions.extend(names.get(index).into_iter().flatten().cloned());
            }
            (_, Some(SymbolInfo::Data { symbol: Some(symbol), .. })) => {
                let from = symbol.offset as usize;
                let bytes = from..from + (symbol.size as usize).max(1);
                refers.objects.extend(self.within(symbol.index as usize, bytes));
            }
            // Calls are read from the module itself, and addresses without a target are ignored.
            _ => {}
        }
        refers
    }

    /// The objects that overlap these bytes.
    fn within(&self, segment: usize, bytes: Range<usize>) -> Range<usize> {
        let first = self.objects.partition_point(|o| (o.segment, o.bytes.end) <= (segment, bytes.start));
        let end = self.objects.partition_point(|o| (o.segment, o.bytes.start) < (segment, bytes.end));
        first..end
    }
}

impl References {
    fn add(&mut self, more: Self) {
        self.functions.extend(more.functions);
        self.objects.extend(more.objects);
    }
}

impl<'a> Parts<'a> {
    fn read(wasm: &'a [u8]) -> wasmparser::Result<Self> {
        let mut parts = Self::default();
        let mut code = 0;
        for payload in Parser::new(0).parse_all(wasm) {
            match payload? {
                Payload::ImportSection(imports) => {
                    for import in imports.into_imports() {
                        parts.imported += u32::from(matches!(import?.ty, wasmparser::TypeRef::Func(_)));
                    }
                }
                Payload::CodeSectionStart { range, .. } => code = range.start,
                Payload::CodeSectionEntry(body) => {
                    let range = body.range();
                    parts.bodies.push(range.start - code..range.end - code);
                }
                Payload::DataSection(segments) => {
                    let start = segments.range().start;
                    for segment in segments {
                        let segment = segment?;
                        let end = segment.range.end - start;
                        parts.segments.push(end - segment.data.len()..end);
                    }
                }
                Payload::CustomSection(custom) => {
                    parts.custom(custom.name(), custom.data(), custom.data_offset())?;
                }
                _ => {}
            }
        }
        Ok(parts)
    }

    fn custom(&mut self, name: &str, data: &'a [u8], offset: usize) -> Result<(), BinaryReaderError> {
        let reader = BinaryReader::new(data, offset);
        let entries =
            || RelocSectionReader::new(reader.clone())?.entries().into_iter().collect::<Result<Vec<_>, _>>();
        match name {
            "reloc.CODE" => self.code = entries()?,
            "reloc.DATA" => self.data = entries()?,
            "linking" => {
                for part in LinkingSectionReader::new(reader)?.subsections() {
                    if let Linking::SymbolTable(symbols) = part? {
                        self.symbols = symbols.into_iter().collect::<Result<_, _>>()?;
                    }
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// The names of each function. Merged functions have several.
    fn names(&self) -> BTreeMap<u32, Vec<String>> {
        let mut names: BTreeMap<u32, Vec<String>> = BTreeMap::new();
        for symbol in &self.symbols {
            if let SymbolInfo::Func { index, name: Some(name), .. } = symbol {
                names.entry(*index).or_default().push(rustc_demangle::demangle(name).to_string());
            }
        }
        names
    }

    /// The data, split where a symbol starts.
    fn objects(&self) -> Vec<Object> {
        let mut starts: BTreeSet<(usize, usize)> =
            (0..self.segments.len()).map(|segment| (segment, 0)).collect();
        for symbol in &self.symbols {
            if let SymbolInfo::Data { symbol: Some(symbol), .. } = symbol {
                let (segment, offset) = (symbol.index as usize, symbol.offset as usize);
                if self.segments.get(segment).is_some_and(|bytes| offset < bytes.len()) {
                    starts.insert((segment, offset));
                }
            }
        }
        let next = starts.iter().skip(1).map(Some).chain([None]);
        let ends = starts.iter().zip(next);
        ends.map(|(&(segment, start), next)| {
            let end = match next {
                Some(&(same, end)) if same == segment => end,
                Some(_) | None => self.segments[segment].len(),
            };
            Object { segment, bytes: start..end, refers: References::default() }
        })
        .collect()
    }
}
