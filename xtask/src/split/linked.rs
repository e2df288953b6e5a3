//! What refers to what, as the linker knew it: `--emit-relocs` makes it leave a note wherever it wrote the place of a function
//! or of data. Afterwards a place is a number like any other. wasm-bindgen numbers functions anew, so that they are
//! known by name here; data stays where it is.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use wasmparser::{
    BinaryReader, BinaryReaderError, Linking, LinkingSectionReader, Parser, Payload, RelocSectionReader,
    RelocationEntry, RelocationType as Kind, SymbolInfo,
};

/// What a function or a piece of data refers to.
#[derive(Clone, Default)]
pub struct References {
    /// Functions whose place in the table stands there, by all their names.
    pub functions: BTreeSet<String>,
    /// Indices of [`Linked::objects`].
    pub objects: BTreeSet<usize>,
}

/// A piece of data: it belongs to one half or the other.
pub struct Object {
    pub segment: usize,
    /// Bytes of the segment.
    pub bytes: Range<usize>,
    pub refers: References,
}

/// The references of a module.
#[derive(Default)]
pub struct Linked {
    /// By the function's name, as wasm-bindgen prints it.
    pub functions: BTreeMap<String, References>,
    /// In the order of memory, without gaps.
    pub objects: Vec<Object>,
}

/// What is read of the module before references are put together.
#[derive(Default)]
struct Parts<'a> {
    symbols: Vec<SymbolInfo<'a>>,
    code: Vec<RelocationEntry>,
    data: Vec<RelocationEntry>,
    /// Where bodies stand in the code section, in the order of functions.
    bodies: Vec<Range<usize>>,
    /// Where segments' bytes stand in the data section.
    segments: Vec<Range<usize>>,
    imported: u32,
}

impl Linked {
    /// Reads the linker's notes; a module without them refers to nothing.
    pub fn read(wasm: &[u8]) -> wasmparser::Result<Self> {
        let parts = Parts::read(wasm)?;
        let mut linked = Self { functions: BTreeMap::new(), objects: parts.objects() };
        let names = parts.names();
        for entry in &parts.code {
            let body = parts.bodies.partition_point(|body| body.end <= entry.offset as usize);
            let refers = linked.meant(&parts, &names, entry);
            for name in names.get(&(parts.imported + body as u32)).into_iter().flatten() {
                linked.functions.entry(name.clone()).or_default().add(refers.clone());
            }
        }
        for entry in &parts.data {
            let segment = parts.segments.partition_point(|segment| segment.end <= entry.offset as usize);
            let Some(bytes) = parts.segments.get(segment) else { continue };
            let at = (entry.offset as usize).saturating_sub(bytes.start);
            let refers = linked.meant(&parts, &names, entry);
            for object in linked.within(segment, at..at + 1) {
                linked.objects[object].refers.add(refers.clone());
            }
        }
        Ok(linked)
    }

    /// What an entry says is referred to.
    fn meant(
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
            // Calls stand in the module that is split; places that are nowhere are nobody's.
            _ => {}
        }
        refers
    }

    /// The objects that have some of these bytes.
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

    /// The names of each function; functions of one body have several.
    fn names(&self) -> BTreeMap<u32, Vec<String>> {
        let mut names: BTreeMap<u32, Vec<String>> = BTreeMap::new();
        for symbol in &self.symbols {
            if let SymbolInfo::Func { index, name: Some(name), .. } = symbol {
                names.entry(*index).or_default().push(rustc_demangle::demangle(name).to_string());
            }
        }
        names
    }

    /// The data, cut wherever a symbol begins.
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
