//! Sorting, and how much memory arrays take where.

use super::NativeTable;
use super::arrays::{ELEMENTS_PER_SECOND, INT, count, need};
use crate::value::{Py, PyObject};
use crate::vm::{PyResult, PyVm};

pub(super) const TABLE: NativeTable = &[
    ("_nd.sort", |vm, a, _| sort(vm, a, false)),
    ("_nd.argsort", |vm, a, _| sort(vm, a, true)),
    ("_nd.on_device", |vm, a, _| {
        // Moves a buffer to the memory of a GPU.
        let source = need(vm, a, 0)?;
        let bytes = if source.device { 0 } else { source.len.saturating_mul(u64::from(source.width)) };
        if let Py::Obj(id) = a[0]
            && let PyObject::Array(target) = vm.obj_mut(id)
        {
            target.device = true;
        }
        vm.s.heap.shrink(bytes);
        Ok(Py::None)
    }),
    ("_nd.width", |vm, a, _| {
        // Bytes of an element of a buffer.
        let width = u8::try_from(vm.need_int(a, 1, "width")?).unwrap_or(8);
        let source = need(vm, a, 0)?;
        let spared = source.len.saturating_mul(u64::from(source.width.saturating_sub(width)));
        if let Py::Obj(id) = a[0]
            && let PyObject::Array(target) = vm.obj_mut(id)
        {
            target.width = width;
        }
        vm.s.heap.shrink(spared);
        Ok(Py::None)
    }),
];

/// Sorts the last dimension; `argsort` gives the places.
fn sort(vm: &mut PyVm<'_>, a: &[Py], indices: bool) -> PyResult {
    let n = count(vm, a, 1)?;
    let source = need(vm, a, 0)?.clone();
    let n = usize::try_from(n).unwrap_or(1).clamp(1, source.data.len().max(1));
    let mut data = Vec::with_capacity(source.data.len());
    for row in source.data.chunks(n) {
        let mut order: Vec<(f64, usize)> = row.iter().copied().zip(0..).collect();
        base::order::StableSort::order_by(&mut order[..], |p, q| p.0.total_cmp(&q.0));
        data.extend(order.into_iter().map(|(v, i)| if indices { i as f64 } else { v }));
    }
    vm.s.work += source.len * 20 * 1_000_000 / ELEMENTS_PER_SECOND;
    Ok(vm.add_array(if indices { INT } else { source.kind }, data, source.len))
}
