//! The buffers below the library's `numpy` and `torch`: flat arrays of numbers, which are really computed up to a
//! million elements.
//!
//! Above that, an array is counted and a sample of it is computed: its length, its memory and the time of its operations
//! are those of the whole, and its numbers are estimates.

use super::array_math::{binary_function, reduced, unary_function};
use super::{Kw, NativeTable};
use crate::value::{Py, PyArray, PyObject};
use crate::vm::{PyResult, PyVm, Stop};
use base::math;

/// Maximum number of elements that are computed exactly.
const EXACT: u64 = 1 << 20;
/// Number of sampled elements of a longer array.
const SAMPLE: usize = 4096;
/// Element operations and floating-point operations of a product in a second of one core.
pub(super) const ELEMENTS_PER_SECOND: u64 = 500_000_000;
const FLOPS_PER_SECOND: u64 = 10_000_000_000;

/// Kinds of elements.
const BOOL: u8 = 0;
pub(super) const INT: u8 = 1;

fn array<'a>(vm: &'a PyVm<'_>, value: Py) -> Option<&'a PyArray> {
    match value {
        Py::Obj(id) => match vm.obj(id) {
            PyObject::Array(a) => Some(a),
            _ => None,
        },
        _ => None,
    }
}

pub(super) fn need<'a>(vm: &'a mut PyVm<'_>, a: &[Py], index: usize) -> PyResult<&'a PyArray> {
    let value = a.get(index).copied().unwrap_or(Py::None);
    if array(vm, value).is_none() {
        return Err(vm.error("TypeError", "an array buffer is required"));
    }
    match value {
        Py::Obj(id) => match vm.obj(id) {
            PyObject::Array(found) => Ok(found),
            _ => Err(Stop::Fuel),
        },
        _ => Err(Stop::Fuel),
    }
}

pub(super) fn count(vm: &mut PyVm<'_>, a: &[Py], index: usize) -> PyResult<u64> {
    Ok(u64::try_from(vm.need_int(a, index, "array")?).unwrap_or(0))
}

pub(super) fn word(vm: &mut PyVm<'_>, a: &[Py], index: usize) -> PyResult<String> {
    Ok(vm.need_text(a, index, "array")?.to_string())
}

/// Numbers of a tuple or list.
fn numbers(vm: &PyVm<'_>, value: Py) -> Vec<usize> {
    vm.items(value).into_iter().map(|v| usize::try_from(vm.as_int(v).unwrap_or(0)).unwrap_or(0)).collect()
}

/// The number of stored elements.
pub(super) fn held(len: u64) -> usize {
    if len > EXACT { SAMPLE } else { usize::try_from(len).unwrap_or(SAMPLE) }
}

fn element(kind: u8, x: f64) -> Py {
    match kind {
        BOOL => Py::Bool(x != 0.0),
        INT => Py::Int(x as i64),
        _ => Py::Float(x),
    }
}

impl PyVm<'_> {
    pub(super) fn add_array(&mut self, kind: u8, data: Vec<f64>, len: u64) -> Py {
        self.fuel -= i64::try_from(data.len() / 8).unwrap_or(0);
        self.s.work += len * 1_000_000 / ELEMENTS_PER_SECOND;
        if len > EXACT {
            self.s.estimated = true;
        }
        self.add(PyObject::Array(Box::new(PyArray {
            kind,
            data,
            len,
            width: if kind == BOOL { 1 } else { 8 },
            device: false,
        })))
    }
}

/// Reduces the middle dimension of `outer * n * inner` elements.
fn reduce(vm: &mut PyVm<'_>, a: &[Py]) -> PyResult {
    let op = word(vm, a, 0)?;
    let (outer, n, inner) = (count(vm, a, 2)?, count(vm, a, 3)?, count(vm, a, 4)?);
    let source = need(vm, a, 1)?;
    let (kind, len) = (source.kind, source.len);
    let out_kind = match op.as_str() {
        "any" | "all" => BOOL,
        "argmax" | "argmin" => INT,
        "sum" | "prod" if kind == BOOL => INT,
        _ => kind,
    };
    let total = outer.saturating_mul(inner);
    let data = if len > EXACT {
        // The result is estimated from the sample.
        let sample = source.data.clone();
        let Some(one) = reduced(&op, &sample) else { return unknown(vm, &op) };
        let one = if op == "sum" { one / sample.len().max(1) as f64 * n as f64 } else { one };
        vec![if out_kind == INT { one.round() } else { one }; held(total)]
    } else {
        let data = source.data.clone();
        let (outer, n, inner) = (outer as usize, n as usize, inner as usize);
        let mut out = Vec::with_capacity(outer * inner);
        for o in 0..outer {
            for i in 0..inner {
                let value = if inner == 1 {
                    reduced(&op, &data[o * n..(o + 1) * n])
                } else {
                    let column: Vec<f64> = (0..n).map(|k| data[(o * n + k) * inner + i]).collect();
                    // Along other dimensions than the last, numpy adds row by row.
                    if op == "sum" {
                        Some(column.iter().fold(0.0, |sum, v| sum + v))
                    } else {
                        reduced(&op, &column)
                    }
                };
                let Some(value) = value else { return unknown(vm, &op) };
                out.push(value);
            }
        }
        out
    };
    vm.s.work += len * 1_000_000 / ELEMENTS_PER_SECOND;
    Ok(vm.add_array(out_kind, data, total))
}

fn unknown<T>(vm: &mut PyVm<'_>, op: &str) -> PyResult<T> {
    Err(vm.error("NotImplementedError", &format!("sandbatch does not simulate numpy.{op}")))
}

/// The step in a flat array for each dimension of `out` (0 where the array is repeated).
fn strides(shape: &[usize], out: &[usize]) -> Vec<usize> {
    let mut steps = vec![0; out.len()];
    let mut step = 1;
    for (i, n) in shape.iter().enumerate().rev() {
        let index = i + out.len() - shape.len();
        steps[index] = if *n == 1 { 0 } else { step };
        step *= n;
    }
    steps
}

/// The number of elements of a shape; of one that no memory holds, the largest number.
fn volume(shape: &[usize]) -> u64 {
    shape.iter().fold(1, |total, n| total.saturating_mul(*n as u64))
}

/// Visits all positions of a shape with the offsets of some strided arrays.
fn walk(shape: &[usize], steps: &[Vec<usize>], mut visit: impl FnMut(&[usize])) {
    let total: usize = shape.iter().product();
    let mut index = vec![0_usize; shape.len()];
    let mut at = vec![0_usize; steps.len()];
    for _ in 0..total {
        visit(&at);
        for d in (0..shape.len()).rev() {
            index[d] += 1;
            for (offset, step) in at.iter_mut().zip(steps) {
                *offset += step[d];
            }
            if index[d] < shape[d] {
                break;
            }
            for (offset, step) in at.iter_mut().zip(steps) {
                *offset -= step[d] * shape[d];
            }
            index[d] = 0;
        }
    }
}

/// `op, a, shape, b, shape, result's shape, kind`
fn binary(vm: &mut PyVm<'_>, a: &[Py]) -> PyResult {
    let op = word(vm, a, 0)?;
    let Some(f) = binary_function(&op) else { return unknown(vm, &op) };
    let (sa, sb, out) = (numbers(vm, a[2]), numbers(vm, a[4]), numbers(vm, a[5]));
    let kind = u8::try_from(vm.need_int(a, 6, "array")?).unwrap_or(2);
    let (x, y) = (need(vm, a, 1)?.clone(), need(vm, a, 3)?.clone());
    let total = volume(&out);
    let n = held(total);
    let data = if total > EXACT || x.len > EXACT || y.len > EXACT {
        (0..n).map(|i| f(x.data[i % x.data.len().max(1)], y.data[i % y.data.len().max(1)])).collect()
    } else if x.data.len() == n && y.data.len() == n {
        x.data.iter().zip(&y.data).map(|(x, y)| f(*x, *y)).collect()
    } else if y.data.len() == 1 && x.data.len() == n {
        x.data.iter().map(|x| f(*x, y.data[0])).collect()
    } else {
        let steps = [strides(&sa, &out), strides(&sb, &out)];
        let mut data = Vec::with_capacity(n);
        walk(&out, &steps, |at| data.push(f(x.data[at[0]], y.data[at[1]])));
        data
    };
    Ok(vm.add_array(kind, data, total))
}

/// `a, b, n, k, m`: the product of an n by k and a k by m matrix.
fn matmul(vm: &mut PyVm<'_>, a: &[Py]) -> PyResult {
    let (n, k, m) = (count(vm, a, 2)?, count(vm, a, 3)?, count(vm, a, 4)?);
    let (x, y) = (need(vm, a, 0)?.clone(), need(vm, a, 1)?.clone());
    let flops = u128::from(n) * u128::from(k) * u128::from(m) * 2;
    vm.s.work += u64::try_from(flops * 1_000_000 / u128::from(FLOPS_PER_SECOND)).unwrap_or(u64::MAX / 4);
    vm.s.threaded = true;
    let total = n.saturating_mul(m);
    let kind = x.kind.max(y.kind);
    if flops > 400_000_000 || x.len > EXACT || y.len > EXACT || total > EXACT {
        // Elements have the mean and the spread of a sum of k products.
        let mean = |v: &[f64]| v.iter().sum::<f64>() / v.len().max(1) as f64;
        let spread =
            |v: &[f64], m: f64| v.iter().map(|x| (x - m) * (x - m)).sum::<f64>() / v.len().max(1) as f64;
        let (p, q) = (mean(&x.data), mean(&y.data));
        let (vp, vq) = (spread(&x.data, p), spread(&y.data, q));
        let deviation = (k as f64 * (vp * vq + vp * q * q + vq * p * p)).sqrt();
        let data = (0..held(total))
            .map(|i| k as f64 * p * q + deviation * math::sin(1.0 + i as f64 * 2.399_963_229_728_653) * 1.414)
            .collect();
        vm.s.estimated = true;
        return Ok(vm.add_array(kind, data, total));
    }
    vm.fuel -= i64::try_from(flops / 16).unwrap_or(0);
    let (n, k, m) = (n as usize, k as usize, m as usize);
    let mut data = vec![0.0; n * m];
    for i in 0..n {
        let row = &mut data[i * m..(i + 1) * m];
        for l in 0..k {
            let factor = x.data[i * k + l];
            for (out, v) in row.iter_mut().zip(&y.data[l * m..(l + 1) * m]) {
                *out += factor * v;
            }
        }
    }
    Ok(vm.add_array(kind, data, total))
}

/// `buffer, steps, counts, offset`: the elements of a strided view, in order.
fn gather(vm: &mut PyVm<'_>, a: &[Py]) -> PyResult {
    let (steps, counts) = (signed(vm, a[1]), numbers(vm, a[2]));
    let offset = vm.need_int(a, 3, "array")?;
    let source = need(vm, a, 0)?;
    let total = volume(&counts);
    let kind = source.kind;
    let data = if source.len > EXACT || total > EXACT {
        (0..held(total))
            .map(|i| source.data[(i + offset.unsigned_abs() as usize) % source.data.len()])
            .collect()
    } else {
        let mut data = Vec::new();
        strided(&counts, &steps, offset, |at| data.push(source.data.get(at).copied().unwrap_or(0.0)));
        data
    };
    Ok(vm.add_array(kind, data, total))
}

fn signed(vm: &PyVm<'_>, value: Py) -> Vec<i64> {
    vm.items(value).into_iter().map(|v| vm.as_int(v).unwrap_or(0)).collect()
}

fn strided(counts: &[usize], steps: &[i64], offset: i64, mut visit: impl FnMut(usize)) {
    let total: usize = counts.iter().product();
    let mut index = vec![0_usize; counts.len()];
    let mut at = offset;
    for _ in 0..total {
        visit(usize::try_from(at).unwrap_or(usize::MAX));
        for d in (0..counts.len()).rev() {
            index[d] += 1;
            at += steps[d];
            if index[d] < counts[d] {
                break;
            }
            at -= steps[d] * i64::try_from(counts[d]).unwrap_or(0);
            index[d] = 0;
        }
    }
}

/// `buffer, steps, counts, offset, values`: sets the elements of a strided view; a single value is repeated.
fn scatter(vm: &mut PyVm<'_>, a: &[Py]) -> PyResult {
    let (steps, counts) = (signed(vm, a[1]), numbers(vm, a[2]));
    let offset = vm.need_int(a, 3, "array")?;
    let values = need(vm, a, 4)?.data.clone();
    need(vm, a, 0)?;
    if let Py::Obj(id) = a[0]
        && let PyObject::Array(target) = vm.obj_mut(id)
        && target.len <= EXACT
        && !values.is_empty()
    {
        let (kind, mut i) = (target.kind, 0);
        strided(&counts, &steps, offset, |at| {
            let value = values[i % values.len()];
            i += 1;
            if let Some(index) = target.data.get_mut(at) {
                *index = cast(kind, value);
            }
        });
    }
    Ok(Py::None)
}

fn cast(kind: u8, x: f64) -> f64 {
    match kind {
        BOOL => f64::from(u8::from(x != 0.0)),
        INT => x.trunc(),
        _ => x,
    }
}

fn values(vm: &mut PyVm<'_>, value: Py) -> PyResult<(u8, Vec<f64>)> {
    let items = vm.gather(value)?;
    let (mut kind, mut data) = (BOOL, Vec::with_capacity(items.len()));
    for item in items {
        let item = match vm.class_attr(item, "__float__") {
            Some(f) => vm.call_nested(f, vec![item], Vec::new())?,
            None => item,
        };
        let Some(x) = vm.as_float(item) else {
            let message = format!("could not convert '{}' object to a number", vm.type_name(item));
            return vm.value_error(&message);
        };
        kind = kind.max(match item {
            Py::Bool(_) => BOOL,
            Py::Float(_) => 2,
            _ => INT,
        });
        data.push(x);
    }
    Ok((kind, data))
}

pub(super) const TABLE: NativeTable = &[
    ("_nd.new", |vm, a, _: Kw<'_>| {
        // Arguments: a list of numbers, and the kind or None.
        let (found, data) = values(vm, a[0])?;
        let kind = a.get(1).and_then(|k| vm.as_int(*k)).and_then(|k| u8::try_from(k).ok());
        let kind = kind.unwrap_or(if data.is_empty() { 2 } else { found });
        let data: Vec<f64> = data.into_iter().map(|x| cast(kind, x)).collect();
        let len = data.len() as u64;
        Ok(vm.add_array(kind, data, len))
    }),
    ("_nd.fill", |vm, a, _| {
        let kind = u8::try_from(vm.need_int(a, 0, "fill")?).unwrap_or(2);
        let n = count(vm, a, 1)?;
        let x = vm.as_float(a[2]).unwrap_or(0.0);
        Ok(vm.add_array(kind, vec![cast(kind, x); held(n)], n))
    }),
    ("_nd.arange", |vm, a, _| {
        let kind = u8::try_from(vm.need_int(a, 0, "arange")?).unwrap_or(2);
        let (start, step) = (vm.as_float(a[1]).unwrap_or(0.0), vm.as_float(a[2]).unwrap_or(1.0));
        let n = count(vm, a, 3)?;
        // The samples are spread over the whole range.
        let size = held(n);
        let stretch = if n > EXACT { n as f64 / size as f64 } else { 1.0 };
        let data = (0..size).map(|i| cast(kind, start + step * (i as f64 * stretch))).collect();
        Ok(vm.add_array(kind, data, n))
    }),
    ("_nd.len", |vm, a, _| need(vm, a, 0).map(|b| Py::Int(i64::try_from(b.len).unwrap_or(i64::MAX)))),
    ("_nd.kind", |vm, a, _| need(vm, a, 0).map(|b| Py::Int(i64::from(b.kind)))),
    ("_nd.get", |vm, a, _| {
        let i = usize::try_from(vm.need_int(a, 1, "get")?).unwrap_or(0);
        let source = need(vm, a, 0)?;
        let x = source.data.get(i % source.data.len().max(1)).copied().unwrap_or(0.0);
        Ok(element(source.kind, x))
    }),
    ("_nd.set", |vm, a, _| {
        let i = usize::try_from(vm.need_int(a, 1, "set")?).unwrap_or(0);
        let (_, x) = values_of_one(vm, a[2])?;
        if let Py::Obj(id) = a[0]
            && let PyObject::Array(target) = vm.obj_mut(id)
        {
            let kind = target.kind;
            if let Some(index) = target.data.get_mut(i) {
                *index = cast(kind, x);
            }
        }
        Ok(Py::None)
    }),
    ("_nd.list", |vm, a, _| {
        let source = need(vm, a, 0)?;
        let (kind, len) = (source.kind, source.len);
        let items: Vec<Py> = source.data.iter().map(|x| element(kind, *x)).collect();
        if len > EXACT {
            return Err(vm.error(
                "NotImplementedError",
                "sandbatch does not make lists of more than a million elements",
            ));
        }
        Ok(vm.list(items))
    }),
    ("_nd.copy", |vm, a, _| {
        let source = need(vm, a, 0)?.clone();
        Ok(vm.add_array(source.kind, source.data, source.len))
    }),
    ("_nd.replace", |vm, a, _| {
        // Copies the content of a buffer to another, converted to the kind of the target.
        let from = need(vm, a, 1)?.clone();
        if let Py::Obj(id) = a[0]
            && let PyObject::Array(target) = vm.obj_mut(id)
        {
            let kind = target.kind;
            target.data = from.data.into_iter().map(|x| cast(kind, x)).collect();
            target.len = from.len;
        }
        Ok(Py::None)
    }),
    ("_nd.cast", |vm, a, _| {
        let kind = u8::try_from(vm.need_int(a, 1, "cast")?).unwrap_or(2);
        let source = need(vm, a, 0)?.clone();
        let data = source.data.into_iter().map(|x| cast(kind, x)).collect();
        Ok(vm.add_array(kind, data, source.len))
    }),
    ("_nd.round32", |vm, a, _| {
        // Rounds a new buffer to single precision.
        need(vm, a, 0)?;
        if let Py::Obj(id) = a[0]
            && let PyObject::Array(target) = vm.obj_mut(id)
        {
            target.data.iter_mut().for_each(|x| *x = f64::from(*x as f32));
        }
        Ok(a[0])
    }),
    ("_nd.short32", |vm, a, _| {
        // The shortest text of a number in single precision.
        let x = vm.as_float(a[0]).unwrap_or(0.0);
        Ok(vm.text((x as f32).to_string()))
    }),
    ("_nd.unary", |vm, a, _| {
        let op = word(vm, a, 0)?;
        let kind = u8::try_from(vm.need_int(a, 2, "unary")?).unwrap_or(2);
        let Some(f) = unary_function(&op) else { return unknown(vm, &op) };
        let source = need(vm, a, 1)?.clone();
        let data = source.data.iter().map(|x| f(*x)).collect();
        Ok(vm.add_array(kind, data, source.len))
    }),
    ("_nd.binary", |vm, a, _| binary(vm, a)),
    ("_nd.reduce", |vm, a, _| reduce(vm, a)),
    ("_nd.cumulate", |vm, a, _| {
        // Running sums or products of the last dimension.
        let op = word(vm, a, 0)?;
        let n = usize::try_from(count(vm, a, 2)?).unwrap_or(1).max(1);
        let source = need(vm, a, 1)?.clone();
        let mut data = source.data;
        for row in data.chunks_mut(n) {
            for i in 1..row.len() {
                row[i] = if op == "sum" { row[i - 1] + row[i] } else { row[i - 1] * row[i] };
            }
        }
        Ok(vm.add_array(source.kind.max(INT), data, source.len))
    }),
    ("_nd.matmul", |vm, a, _| matmul(vm, a)),
    ("_nd.gather", |vm, a, _| gather(vm, a)),
    ("_nd.scatter", |vm, a, _| scatter(vm, a)),
    ("_nd.take", |vm, a, _| {
        // Elements of size `inner` at these indices.
        let indices = numbers(vm, a[1]);
        let inner = usize::try_from(count(vm, a, 2)?).unwrap_or(1);
        let source = need(vm, a, 0)?;
        let (kind, n) = (source.kind, source.data.len().max(1));
        let mut data = Vec::with_capacity(indices.len() * inner);
        for index in indices {
            data.extend((0..inner).map(|i| source.data[(index * inner + i) % n]));
        }
        let len = data.len() as u64;
        Ok(vm.add_array(kind, data, len))
    }),
    ("_nd.join", |vm, a, _| {
        let mut data = Vec::new();
        let (mut kind, mut len) = (BOOL, 0);
        for part in vm.items(a[0]) {
            let part = need(vm, &[part], 0)?;
            kind = kind.max(part.kind);
            len += part.len;
            data.extend_from_slice(&part.data);
        }
        if len > EXACT {
            data.truncate(SAMPLE);
        }
        Ok(vm.add_array(kind, data, len))
    }),
    ("_nd.nonzero", |vm, a, _| {
        let source = need(vm, a, 0)?;
        let indices = source.data.iter().zip(0..).filter(|v| *v.0 != 0.0).map(|v| Py::Int(v.1)).collect();
        Ok(vm.list(indices))
    }),
];

fn values_of_one(vm: &mut PyVm<'_>, value: Py) -> PyResult<(u8, f64)> {
    let list = vm.list(vec![value]);
    let (kind, data) = values(vm, list)?;
    Ok((kind, data.first().copied().unwrap_or(0.0)))
}
