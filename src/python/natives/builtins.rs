//! Built-in functions. Those that call back into Python code are in the library's `builtins.py`.

use super::{Kw, NativeTable, arg};
use crate::code::BinOp;
use crate::index::{range_back, range_len};
use crate::value::{Py, PyIter, PyObject, PyType};
use crate::vm::{PyResult, PyVm, Stop};

pub(super) const TABLE: NativeTable = &[
    ("builtins.len", |vm, a, _| {
        let value = vm.only(a, "len")?;
        vm.len(value).map(Py::Int)
    }),
    ("builtins.repr", |vm, a, _| {
        let value = vm.only(a, "repr")?;
        let text = vm.repr(value)?;
        Ok(vm.text(text))
    }),
    ("builtins.ascii", |vm, a, _| {
        let value = vm.only(a, "ascii")?;
        let mut out = String::new();
        for c in vm.repr(value)?.chars() {
            match u32::from(c) {
                0..=127 => out.push(c),
                n @ 128..=255 => out += &format!("\\x{n:02x}"),
                n @ 256..=0xffff => out += &format!("\\u{n:04x}"),
                n => out += &format!("\\U{n:08x}"),
            }
        }
        Ok(vm.text(out))
    }),
    ("builtins.print", print),
    ("builtins.isinstance", |vm, a, _| {
        let (value, class) = (vm.need(a, 0, "isinstance")?, vm.need(a, 1, "isinstance")?);
        is_instance(vm, value, class).map(Py::Bool)
    }),
    ("builtins.issubclass", |vm, a, _| {
        let (value, class) = (vm.need(a, 0, "issubclass")?, vm.need(a, 1, "issubclass")?);
        let all = if vm.is_class(class) { vec![class] } else { vm.items(class) };
        Ok(Py::Bool(all.into_iter().any(|c| vm.inherits(value, c))))
    }),
    ("builtins.abs", |vm, a, _| {
        let value = vm.only(a, "abs")?;
        if let Some(f) = vm.class_attr(value, "__abs__") {
            return Err(Stop::Tail(f, vec![value], Vec::new()));
        }
        match vm.payload(value) {
            Py::Float(x) => Ok(Py::Float(x.abs())),
            other => match vm.as_big(other) {
                Some(n) => Ok(vm.big(n.magnitude().clone().into())),
                None => {
                    let message = format!("bad operand type for abs(): '{}'", vm.type_name(value));
                    vm.type_error(&message)
                }
            },
        }
    }),
    ("builtins.divmod", |vm, a, _| {
        let (x, y) = (vm.need(a, 0, "divmod")?, vm.need(a, 1, "divmod")?);
        let q = vm.binary(BinOp::Floor, x, y, false)?;
        let r = vm.binary(BinOp::Mod, x, y, false)?;
        Ok(vm.tuple(vec![q, r]))
    }),
    ("builtins.pow", |vm, a, _| {
        let (x, y) = (vm.need(a, 0, "pow")?, vm.need(a, 1, "pow")?);
        if let Some(m) = a.get(2) {
            let (Some(x), Some(y), Some(m)) = (vm.as_big(x), vm.as_big(y), vm.as_big(*m)) else {
                return vm.type_error("pow() 3rd argument not allowed unless all arguments are integers");
            };
            if y.sign() == num_bigint::Sign::Minus || m.sign() != num_bigint::Sign::Plus {
                return vm.value_error("sandbatch computes pow() with a positive modulus only");
            }
            vm.fuel -= i64::try_from(y.bits() * m.bits() / 64).unwrap_or(0);
            let value = ((x % &m) + &m).modpow(&y, &m);
            return Ok(vm.big(value));
        }
        vm.binary(BinOp::Pow, x, y, false)
    }),
    ("builtins.round", round),
    ("builtins.id", |vm, a, _| {
        let value = vm.only(a, "id")?;
        Ok(Py::Int(match value {
            Py::Obj(id) => 140_000_000_000_000 + i64::from(id) * 48,
            Py::Int(n) => 9_000_000 + n * 32,
            _ => 9_500_000,
        }))
    }),
    ("builtins.callable", |vm, a, _| {
        let value = vm.only(a, "callable")?;
        Ok(Py::Bool(match vm.type_of(value) {
            PyType::Function | PyType::Native | PyType::Method | PyType::Type => true,
            _ => vm.class_attr(value, "__call__").is_some(),
        }))
    }),
    ("builtins.chr", |vm, a, _| {
        let n = vm.need_int(a, 0, "chr")?;
        match u32::try_from(n).ok().and_then(char::from_u32) {
            Some(c) => Ok(vm.text(c.to_string())),
            None => vm.value_error("chr() arg not in range(0x110000)"),
        }
    }),
    ("builtins.ord", |vm, a, _| {
        let value = vm.need(a, 0, "ord")?;
        let mut chars = vm.str_ref(value).unwrap_or("").chars();
        match (chars.next(), chars.next()) {
            (Some(c), None) => Ok(Py::Int(i64::from(u32::from(c)))),
            _ => {
                let n = vm.len(value)?;
                vm.type_error(&format!("ord() expected a character, but string of length {n} found"))
            }
        }
    }),
    ("builtins.hex", |vm, a, _| radix(vm, a, "0x", 16)),
    ("builtins.oct", |vm, a, _| radix(vm, a, "0o", 8)),
    ("builtins.bin", |vm, a, _| radix(vm, a, "0b", 2)),
    ("builtins.format", |vm, a, _| {
        let value = vm.need(a, 0, "format")?;
        let spec = a.get(1).and_then(|s| vm.str_ref(*s)).unwrap_or("").to_owned();
        let text = vm.format(value, &spec)?;
        Ok(vm.text(text))
    }),
    ("builtins.getattr", |vm, a, _| {
        let (object, name) = (vm.need(a, 0, "getattr")?, vm.need_text(a, 1, "getattr")?);
        match a.get(2) {
            None => vm.attr(object, &name),
            Some(default) => Ok(vm.find_method(object, &name)?.unwrap_or(*default)),
        }
    }),
    ("builtins.hasattr", |vm, a, _| {
        let (object, name) = (vm.need(a, 0, "hasattr")?, vm.need_text(a, 1, "hasattr")?);
        Ok(Py::Bool(vm.find_method(object, &name)?.is_some()))
    }),
    ("builtins.setattr", |vm, a, _| {
        let (object, name) = (vm.need(a, 0, "setattr")?, vm.need_text(a, 1, "setattr")?);
        let value = vm.need(a, 2, "setattr")?;
        vm.set_attr(object, &name, value).map(|()| Py::None)
    }),
    ("builtins.delattr", |vm, a, _| {
        let (object, name) = (vm.need(a, 0, "delattr")?, vm.need_text(a, 1, "delattr")?);
        vm.del_attr(object, &name).map(|()| Py::None)
    }),
    ("builtins.iter", |vm, a, named| {
        let value = vm.need(a, 0, "iter")?;
        if a.len() > 1 { vm.tail("_iter_until", a, named) } else { vm.iter(value) }
    }),
    ("builtins.next", |vm, a, named| {
        let iterator = vm.need(a, 0, "next")?;
        if a.len() > 1 {
            return vm.tail("_next_or", a, named);
        }
        if let Py::Obj(id) = iterator {
            match vm.obj(id) {
                PyObject::Generator(_) => return Err(Stop::Tail(iterator, vec![Py::None], Vec::new())),
                PyObject::Instance(_) => {
                    if let Some(f) = vm.class_attr(iterator, "__next__") {
                        return Err(Stop::Tail(f, vec![iterator], Vec::new()));
                    }
                }
                _ => {}
            }
        }
        match vm.next(iterator)? {
            Some(value) => Ok(value),
            None => Err(vm.error("StopIteration", "")),
        }
    }),
    ("builtins.sum", |vm, a, named| {
        let value = vm.need(a, 0, "sum")?;
        let mut total = arg(a, named, 1, "start").unwrap_or(Py::Int(0));
        // Sums of lists copy what they have so far, and only Python code is interrupted to free it.
        if vm.needs_python(value) || vm.as_float(total).is_none() {
            return vm.tail("_sum", a, named);
        }
        if let Py::Obj(id) = value
            && let PyObject::Range(from, to, step) = vm.obj(id)
            && let Py::Int(start) = total
        {
            // The sum of a range is computed by a formula.
            let n = i128::try_from(range_len(*from, *to, *step)).unwrap_or(i128::MAX);
            let (from, step) = (i128::from(*from), i128::from(*step));
            if let Some(sum) = n
                .checked_mul(n - 1)
                .and_then(|m| (m / 2).checked_mul(step))
                .and_then(|m| m.checked_add(n * from))
            {
                vm.fuel -= i64::try_from(n).unwrap_or(i64::MAX / 4).min(20_000_000);
                return Ok(vm.big(num_bigint::BigInt::from(sum) + start));
            }
        }
        for item in vm.gather(value)? {
            total = vm.call_binary(BinOp::Add, total, item)?;
            vm.fuel -= 1;
        }
        Ok(total)
    }),
    ("builtins.any", |vm, a, named| test(vm, a, named, true)),
    ("builtins.all", |vm, a, named| test(vm, a, named, false)),
    ("builtins.min", |vm, a, named| extreme(vm, a, named, false)),
    ("builtins.max", |vm, a, named| extreme(vm, a, named, true)),
    ("builtins.sorted", |vm, a, named| {
        let value = vm.need(a, 0, "sorted")?;
        if vm.needs_python(value) || named.iter().any(|n| &*n.0 == "key" && n.1 != Py::None) {
            return vm.tail("_sorted", a, named);
        }
        let items = vm.gather(value)?;
        let reverse = arg(&[], named, 0, "reverse").unwrap_or(Py::None);
        let reverse = vm.truth(reverse)?;
        let items = sort(vm, items, reverse)?;
        Ok(vm.list(items))
    }),
    ("builtins._sort_pairs", |vm, a, _| {
        // Pairs of key and value: sorted by the key, in place.
        let (list, reverse) = (vm.need(a, 0, "sort")?, vm.need(a, 1, "sort")?);
        let reverse = vm.truth(reverse)?;
        let pairs = vm.items(list);
        let keys: Vec<(Py, Py)> = pairs
            .iter()
            .map(|p| {
                let p = vm.items(*p);
                (p[0], p[1])
            })
            .collect();
        let order = sort_by(vm, keys, reverse)?;
        Ok(vm.list(order.into_iter().map(|p| p.1).collect()))
    }),
    ("builtins.reversed", |vm, a, _| {
        let value = vm.need(a, 0, "reversed")?;
        if let Some(f) = vm.class_attr(value, "__reversed__") {
            return Err(Stop::Tail(f, vec![value], Vec::new()));
        }
        let value = match vm.type_of(value) {
            PyType::Dict | PyType::Keys | PyType::Values | PyType::Items => {
                let items = vm.gather(value)?;
                vm.list(items)
            }
            PyType::Generator | PyType::Set | PyType::Iterator => {
                let message = format!("'{}' object is not reversible", vm.type_name(value));
                return vm.type_error(&message);
            }
            _ => value,
        };
        if let Py::Obj(id) = value
            && let &PyObject::Range(from, _, step) = vm.obj(id)
        {
            let back = range_back(from, step, vm.len(value)?);
            return Ok(vm.add(PyObject::Iter(back)));
        }
        let len = u32::try_from(vm.len(value)?).unwrap_or(0);
        Ok(vm.add(PyObject::Iter(PyIter::Reversed(value, len))))
    }),
    ("builtins.enumerate", |vm, a, named| {
        let value = vm.need(a, 0, "enumerate")?;
        let start = arg(a, named, 1, "start");
        // Only Python code counts beyond 64 bits.
        let near = |n| vm.as_int(n).is_some_and(|n| n < i64::MAX / 2);
        let beyond = start.is_some_and(|n| vm.as_big(n).is_some() && !near(n));
        if beyond || vm.needs_python(value) {
            return vm.tail("_enumerate", a, named);
        }
        let start = start.map_or(Ok(0), |n| vm.need_int(&[n], 0, "enumerate"))?;
        let inner = vm.iter(value)?;
        Ok(vm.add(PyObject::Iter(PyIter::Enumerate(inner, start))))
    }),
    ("builtins.zip", |vm, a, named| {
        if a.iter().any(|v| vm.needs_python(*v)) {
            return vm.tail("_zip", a, named);
        }
        let mut all = Vec::new();
        for value in a {
            all.push(vm.iter(*value)?);
        }
        let strict = arg(&[], named, 0, "strict").is_some_and(|s| s == Py::Bool(true));
        Ok(vm.add(PyObject::Iter(PyIter::Zip(all, strict))))
    }),
    ("builtins.globals", |vm, _, _| {
        let module = vm.frame().module;
        match vm.obj(module) {
            PyObject::Module(m) => {
                let attrs = m.attrs.clone();
                vm.attrs_dict(&attrs)
            }
            _ => Ok(Py::None),
        }
    }),
    ("builtins.locals", |vm, _, _| {
        let (unit, code) = (vm.frame().unit, vm.frame().code);
        let code = vm.code_of(unit, code);
        let locals = vm.frame().locals.clone();
        let attrs = code.locals.iter().cloned().zip(locals).filter(|l| l.1 != Py::Unset).collect();
        vm.attrs_dict(&attrs)
    }),
    ("builtins.vars", |vm, a, _| {
        let value = vm.need(a, 0, "vars")?;
        vm.attr(value, "__dict__")
    }),
    ("builtins.open", super::system::open),
];

fn radix(vm: &mut PyVm<'_>, a: &[Py], prefix: &str, base: u32) -> PyResult {
    let value = vm.need(a, 0, "hex")?;
    let Some(n) = vm.as_big(value) else {
        let message = format!("'{}' object cannot be interpreted as an integer", vm.type_name(value));
        return vm.type_error(&message);
    };
    let sign = if n.sign() == num_bigint::Sign::Minus { "-" } else { "" };
    Ok(vm.text(format!("{sign}{prefix}{}", n.magnitude().to_str_radix(base))))
}

fn print(vm: &mut PyVm<'_>, a: &[Py], named: Kw<'_>) -> PyResult {
    let word = |vm: &PyVm<'_>, name: &str, default: &str| {
        arg(&[], named, 0, name).and_then(|v| vm.str_ref(v)).unwrap_or(default).to_owned()
    };
    let (separator, end) = (word(vm, "sep", " "), word(vm, "end", "\n"));
    let mut out = String::new();
    for (i, value) in a.iter().enumerate() {
        if i > 0 {
            out += &separator;
        }
        out += &vm.str(*value)?;
    }
    out += &end;
    let flush = arg(&[], named, 0, "flush").is_some_and(|f| f != Py::Bool(false) && f != Py::None);
    let file = match arg(&[], named, 0, "file").filter(|f| *f != Py::None) {
        Some(file) => file,
        None => vm.stdout_value(),
    };
    if let Py::Obj(id) = file
        && matches!(vm.obj(id), PyObject::File(_))
    {
        vm.write_file(id, out.as_bytes())?;
        if flush {
            vm.ask_flush(id);
        }
        return Ok(Py::None);
    }
    let text = vm.text(out);
    let write = vm.attr_now(file, "write")?;
    vm.call_now(write, &[text])?;
    Ok(Py::None)
}

fn is_instance(vm: &mut PyVm<'_>, value: Py, class: Py) -> PyResult<bool> {
    if vm.is_class(class) {
        return Ok(vm.is_instance(value, class) || class == Py::Type(PyType::NoneType) && value == Py::None);
    }
    if vm.type_of(class) != PyType::Tuple {
        if let Some(f) = vm.class_attr(class, "__instancecheck__") {
            let result = vm.call_nested(f, vec![class, value], Vec::new())?;
            return vm.truth(result);
        }
        return vm.type_error("isinstance() arg 2 must be a type, a tuple of types, or a union");
    }
    for class in vm.items(class) {
        if class == Py::None && value == Py::None || is_instance(vm, value, class)? {
            return Ok(true);
        }
    }
    Ok(false)
}

fn round(vm: &mut PyVm<'_>, a: &[Py], named: Kw<'_>) -> PyResult {
    let value = vm.need(a, 0, "round")?;
    let digits = arg(a, named, 1, "ndigits").filter(|d| *d != Py::None);
    let digits_number = digits.and_then(|d| vm.as_int(d));
    if let (Some(digits), None) = (digits, digits_number)
        && vm.as_big(digits).is_none()
        && (matches!(vm.payload(value), Py::Float(_)) || vm.as_big(value).is_some())
    {
        let message = format!("'{}' object cannot be interpreted as an integer", vm.type_name(digits));
        return vm.type_error(&message);
    }
    match vm.payload(value) {
        Py::Float(x) => {
            let Some(n) = digits_number else {
                if !x.is_finite() {
                    return vm.value_error("cannot convert float NaN to integer");
                }
                let text = format!("{:.0}", x.round_ties_even());
                return Ok(text.parse::<num_bigint::BigInt>().map_or(Py::Int(0), |n| vm.big(n)));
            };
            if !(0..=300).contains(&n) {
                let scale = base::math::pow(10.0, -n as f64);
                return Ok(Py::Float(if n < -300 {
                    0.0
                } else if n > 300 {
                    x
                } else {
                    (x / scale).round_ties_even() * scale
                }));
            }
            let n = usize::try_from(n).unwrap_or(0);
            Ok(Py::Float(base::pad::fixed(x, n).parse().unwrap_or(x)))
        }
        other if vm.as_big(other).is_some() => match digits_number {
            Some(n) if n < 0 => {
                let scale = 10_i64.checked_pow(u32::try_from(-n).unwrap_or(18)).unwrap_or(i64::MAX);
                let x = vm.as_int(other).unwrap_or(0);
                let (q, r) = (x.div_euclid(scale), x.rem_euclid(scale));
                let up = r * 2 > scale || r * 2 == scale && q % 2 != 0;
                Ok(Py::Int((q + i64::from(up)) * scale))
            }
            _ => Ok(if let Py::Bool(b) = other { Py::Int(i64::from(b)) } else { other }),
        },
        _ => match vm.class_attr(value, "__round__") {
            Some(f) => Err(Stop::Tail(f, a.to_vec(), Vec::new())),
            None => {
                let message = format!("type {} doesn't define __round__ method", vm.type_name(value));
                vm.type_error(&message)
            }
        },
    }
}

fn test(vm: &mut PyVm<'_>, a: &[Py], named: Kw<'_>, any: bool) -> PyResult {
    let value = vm.need(a, 0, if any { "any" } else { "all" })?;
    if vm.needs_python(value) {
        return vm.tail(if any { "_any" } else { "_all" }, a, named);
    }
    for item in vm.gather(value)? {
        if vm.truth(item)? == any {
            return Ok(Py::Bool(any));
        }
    }
    Ok(Py::Bool(!any))
}

fn extreme(vm: &mut PyVm<'_>, a: &[Py], named: Kw<'_>, max: bool) -> PyResult {
    let name = if max { "max" } else { "min" };
    let first = vm.need(a, 0, name)?;
    if named.iter().any(|n| &*n.0 == "key" && n.1 != Py::None) || a.len() == 1 && vm.needs_python(first) {
        return vm.tail(if max { "_max" } else { "_min" }, a, named);
    }
    let items = if a.len() > 1 { a.to_vec() } else { vm.gather(first)? };
    let mut best: Option<Py> = None;
    for item in items {
        best = match best {
            None => Some(item),
            Some(old) => {
                let better = if max { vm.less(old, item)? } else { vm.less(item, old)? };
                Some(if better { item } else { old })
            }
        };
    }
    match best.or_else(|| arg(&[], named, 0, "default")) {
        Some(value) => Ok(value),
        None => vm.value_error(&format!("{name}() arg is an empty sequence")),
    }
}

/// Sorts values stably.
pub(super) fn sort(vm: &mut PyVm<'_>, items: Vec<Py>, reverse: bool) -> PyResult<Vec<Py>> {
    let pairs = items.into_iter().map(|v| (v, v)).collect();
    Ok(sort_by(vm, pairs, reverse)?.into_iter().map(|p| p.1).collect())
}

/// Sorts pairs by their first values: a merge sort, because comparisons may fail.
fn sort_by(vm: &mut PyVm<'_>, mut items: Vec<(Py, Py)>, reverse: bool) -> PyResult<Vec<(Py, Py)>> {
    vm.fuel -= i64::try_from(items.len() * 4).unwrap_or(0);
    let mut width = 1;
    while width < items.len() {
        let mut merged = Vec::with_capacity(items.len());
        for chunk in items.chunks(width * 2) {
            let (left, right) = chunk.split_at(width.min(chunk.len()));
            let (mut i, mut j) = (0, 0);
            while i < left.len() && j < right.len() {
                let take_right =
                    if reverse { vm.less(left[i].0, right[j].0)? } else { vm.less(right[j].0, left[i].0)? };
                if take_right {
                    merged.push(right[j]);
                    j += 1;
                } else {
                    merged.push(left[i]);
                    i += 1;
                }
            }
            merged.extend_from_slice(&left[i..]);
            merged.extend_from_slice(&right[j..]);
        }
        items = merged;
        width *= 2;
    }
    Ok(items)
}

impl PyVm<'_> {
    /// Applies an operator; runs its Python code to the end.
    pub(crate) fn call_binary(&mut self, op: BinOp, a: Py, b: Py) -> PyResult {
        match self.binary(op, a, b, false) {
            Err(Stop::Tail(function, args, named)) => self.call_nested(function, args, named),
            other => other,
        }
    }
}
