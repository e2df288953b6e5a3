//! `exec`, `eval` and `compile`, and the hashes of values.

use super::{Kw, NativeTable, arg};
use crate::compile::SourceMode;
use crate::value::{Py, PyObject};
use crate::vm::{PyResult, PyVm, Stop};

/// The prime of CPython's hashes of numbers.
const HASH_PRIME: i128 = (1 << 61) - 1;

pub(super) const TABLE: NativeTable = &[
    ("builtins.exec", |vm, a, named| execute(vm, a, named, "exec")),
    ("builtins.eval", |vm, a, named| execute(vm, a, named, "eval")),
    ("builtins._define", |vm, a, _| {
        // Adds a built-in name.
        let name = vm.need_text(a, 0, "define")?;
        let value = vm.need(a, 1, "define")?;
        let builtins = vm.s.builtins;
        vm.set_global(builtins, &name, value);
        Ok(Py::None)
    }),
    ("builtins._load_code", |vm, a, _| {
        // Arguments: source, file name and mode. Result: the number of the unit.
        let (source, file, mode) =
            (vm.need_text(a, 0, "compile")?, vm.need_text(a, 1, "compile")?, vm.need_text(a, 2, "compile")?);
        let mode = match &*mode {
            "eval" => SourceMode::Expression,
            "single" => SourceMode::Interactive,
            _ => SourceMode::File,
        };
        let source = if source.is_empty() { "\n".into() } else { source };
        Ok(Py::Int(i64::from(vm.load_unit(&file, &source, mode)?)))
    }),
    ("builtins._run_code", |vm, a, _| {
        let unit = u32::try_from(vm.need_int(a, 0, "exec")?).unwrap_or(0);
        let Some(Py::Obj(module)) = a.get(1).copied() else { return Ok(Py::None) };
        let owner = vm.s.heap.add(PyObject::Cell(Py::Unset));
        let function = crate::value::PyFunction {
            unit,
            code: 0,
            name: "<module>".into(),
            module,
            defaults: Vec::new(),
            keyword_defaults: Vec::new(),
            cells: Vec::new(),
            owner,
            attrs: Default::default(),
        };
        let function = vm.add(PyObject::Function(Box::new(function)));
        Err(Stop::Tail(function, Vec::new(), Vec::new()))
    }),
    ("builtins._new_namespace", |vm, a, _| {
        let mut attrs = crate::value::Attrs::default();
        for (name, value) in vm.pairs(a[0]) {
            if let Some(name) = vm.str_ref(name) {
                attrs.insert(name.into(), value);
            }
        }
        let module = crate::value::PyModule { name: "__main__".into(), file: String::new(), attrs };
        Ok(vm.add(PyObject::Module(Box::new(module))))
    }),
    ("builtins.hash", |vm, a, _| {
        let value = vm.only(a, "hash")?;
        let key = vm.key(value)?;
        Ok(Py::Int(match key {
            crate::value::DictKey::Int(n) => hash_int(i128::from(n)),
            crate::value::DictKey::Hashed(n) => n,
            crate::value::DictKey::Float(bits) => hash_float(f64::from_bits(bits)),
            key => i64::from_le_bytes(base::hash::fnv1a(format!("{key:?}").as_bytes()).to_le_bytes()) >> 3,
        }))
    }),
];

fn hash_int(n: i128) -> i64 {
    let hash = i64::try_from(n % HASH_PRIME).unwrap_or(0);
    if hash == -1 { -2 } else { hash }
}

/// The hash of a non-integer number, which equals the hash of an equal fraction.
fn hash_float(x: f64) -> i64 {
    if x.is_infinite() {
        return if x > 0.0 { 314_159 } else { -314_159 };
    }
    if x.is_nan() {
        return 0;
    }
    let bits = x.abs().to_bits();
    let exponent = i64::try_from(bits >> 52).unwrap_or(0);
    let fraction = i128::from(bits & ((1 << 52) - 1));
    let (mantissa, exponent) =
        if exponent == 0 { (fraction, -1074) } else { (fraction | 1 << 52, exponent - 1075) };
    // Multiplying by a power of two rotates the bits of a number modulo 2^61 - 1.
    let turn = u32::try_from(exponent.rem_euclid(61)).unwrap_or(0);
    let mut hash = mantissa % HASH_PRIME;
    for _ in 0..turn {
        hash = hash * 2 % HASH_PRIME;
    }
    hash_int(if x < 0.0 { -hash } else { hash })
}

/// `exec` and `eval`. The default namespaces are those of the caller.
fn execute(vm: &mut PyVm<'_>, a: &[Py], named: Kw<'_>, mode: &str) -> PyResult {
    let source = vm.need(a, 0, mode)?;
    let globals = arg(a, named, 1, "globals").filter(|g| *g != Py::None);
    let locals = arg(a, named, 2, "locals").unwrap_or(Py::None);
    let kind = vm.text(mode);
    if let Some(globals) = globals {
        return vm.tail("_exec_in", &[source, kind, globals, locals], &[]);
    }
    let (unit, code, module) = (vm.frame().unit, vm.frame().code, vm.frame().module);
    let code = vm.code_of(unit, code);
    if code.module {
        return vm.tail("_exec_here", &[source, kind, Py::Obj(module)], &[]);
    }
    let mut attrs = match vm.obj(module) {
        PyObject::Module(m) => m.attrs.clone(),
        _ => Default::default(),
    };
    let (values, cells) = (vm.frame().locals.clone(), vm.frame().cells.clone());
    attrs.extend(code.locals.iter().cloned().zip(values).filter(|l| l.1 != Py::Unset));
    for (name, cell) in code.cells.iter().zip(cells) {
        if let PyObject::Cell(value) = vm.obj(cell)
            && *value != Py::Unset
        {
            attrs.insert(name.clone(), *value);
        }
    }
    let all = vm.attrs_dict(&attrs)?;
    vm.tail("_exec_in", &[source, kind, all, Py::None], &[])
}
