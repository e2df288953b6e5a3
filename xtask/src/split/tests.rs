//! Splits small, hand-written modules.

use super::*;
use std::collections::{BTreeMap, BTreeSet};
use wasm_encoder::{
    CodeSection, ConstExpr, CustomSection, DataSection, DataSymbolDefinition, ElementSection, Elements,
    ExportKind, ExportSection, Function, FunctionSection, Instruction, LinkingSection, MemorySection,
    MemoryType, NameMap, NameSection, SymbolTable, TableSection, TableType, TypeSection,
};
use wasmparser::Payload;

/// `load` and `main` are exported; `main` calls `later`, which calls `helper` and `load`. The table contains `open`, without
/// known references, and `called_back`, which `later` refers to. There are four bytes of data for `main`, then four for
/// `later`.
fn module() -> wasm_encoder::Module {
    let calls: [(&str, &[u32]); 6] = [
        ("load", &[]),
        ("main", &[2]),
        ("later", &[3, 0]),
        ("helper", &[]),
        ("open", &[]),
        ("called_back", &[]),
    ];
    let (mut types, mut functions, mut tables) =
        (TypeSection::new(), FunctionSection::new(), TableSection::new());
    types.ty().function([], []);
    let element_type = wasm_encoder::RefType::FUNCREF;
    tables.table(TableType { element_type, minimum: 3, maximum: Some(3), table64: false, shared: false });
    let mut memories = MemorySection::new();
    memories.memory(MemoryType {
        minimum: 1,
        maximum: None,
        memory64: false,
        shared: false,
        page_size_log2: None,
    });
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
    let (mut elements, mut data, mut names) = (ElementSection::new(), DataSection::new(), NameSection::new());
    elements.active(None, &ConstExpr::i32_const(1), Elements::Functions([4, 5].as_slice().into()));
    data.active(0, &ConstExpr::i32_const(16), *b"mainlast");
    names.functions(&named);
    let mut module = wasm_encoder::Module::new();
    module.section(&types).section(&functions).section(&tables).section(&memories);
    module.section(&exports).section(&elements).section(&code).section(&data).section(&names);
    module
}

/// The same with relocations: the references to the data, and from `later` to `called_back`.
fn linked() -> Vec<u8> {
    let mut module = module();
    let bytes = module.clone().finish();
    let mut symbols = SymbolTable::new();
    symbols.function(0, 5, Some("called_back")).function(0, 1, Some("main")).function(0, 2, Some("later"));
    for (name, offset) in [("of_main", 0), ("of_later", 4)] {
        symbols.data(0, name, Some(DataSymbolDefinition { index: 0, offset, size: 4 }));
    }
    let mut linking = LinkingSection::new();
    linking.symbol_table(&symbols);
    let (main, later) = (body(&bytes, 1), body(&bytes, 2));
    // Section, count, then kind, offset, symbol and addend.
    let notes = [6, 3, 4, main, 3, 0, 4, later, 4, 0, 1, later, 0];
    module
        .section(&linking)
        .section(&CustomSection { name: "reloc.CODE".into(), data: notes.as_slice().into() });
    module.finish()
}

/// The offset of a function's body in the code section.
fn body(wasm: &[u8], function: usize) -> u8 {
    let module = Module::read(wasm).expect("a module");
    let code = Parser::new(0).parse_all(wasm).find_map(|payload| match payload {
        Ok(Payload::CodeSectionStart { range, .. }) => Some(range.start),
        _ => None,
    });
    (module.bodies[function].range().start - code.expect("it has code")) as u8
}

#[test]
fn callees_of_deferred_functions_are_deferred() {
    let whole = module().finish();
    let halves = split(&whole, &whole, &|name| name == "later", "load").expect("it can be split");
    let first = Module::read(&halves.first).expect("the first module is valid");
    let later = Module::read(&halves.later).expect("the deferred module is valid");
    assert_eq!(first.tables[0].initial, 4, "one more entry in the table");
    assert_eq!(first.callees(1), BTreeSet::from([2]), "main calls the stub");
    assert_eq!(first.callees(2), BTreeSet::from([0]), "the stub calls load");
    assert_eq!(
        (later.imported, later.functions.len()),
        (1, 3),
        "load is imported; later and helper are defined; functions in the table may have other callers"
    );
    assert_eq!(later.callees(1), BTreeSet::from([0, 2]));
    assert_eq!(later.slots, [(1, 3)], "later is put into the table");
    assert_eq!(first.data, [(16, b"mainlast".as_slice())], "and so may the data be");
}

#[test]
fn references_of_deferred_functions_are_deferred() {
    let (whole, linked) = (module().finish(), linked());
    let halves = split(&whole, &linked, &|name| name == "later", "load").expect("it can be split");
    let first = Module::read(&halves.first).expect("the first module is valid");
    let later = Module::read(&halves.later).expect("the deferred module is valid");
    assert_eq!(first.data, [(16, b"main\0\0\0\0".as_slice())]);
    assert_eq!(later.data, [(20, b"last".as_slice())]);
    let slots: BTreeMap<u32, u32> = later.slots.iter().map(|(function, slot)| (*slot, *function)).collect();
    assert_eq!(
        slots,
        BTreeMap::from([(2, 3), (3, 1)]),
        "called_back keeps its table index, later gets a new one"
    );
}

#[test]
fn a_module_without_the_loader_is_refused() {
    let whole = module().finish();
    assert!(split(&whole, &whole, &|_| true, "absent").is_err());
    assert!(split(b"no module", b"", &|_| true, "load").is_err());
}
