//! Threads, and the timer of `signal.alarm`.

use super::NativeTable;
use crate::value::Py;
use crate::vm::PyVm;
use base::time::{Span, Time};

/// The moment after a number of seconds.
pub(super) fn after(vm: &PyVm<'_>, seconds: f64) -> Time {
    vm.now + Span((seconds.max(0.0) * 1e6).min(1e17) as i64)
}

/// The moment after an argument's seconds; `None` without a limit.
pub(super) fn until(vm: &PyVm<'_>, value: Option<&Py>) -> Option<Time> {
    value.and_then(|value| vm.as_float(*value)).map(|seconds| after(vm, seconds))
}

pub(super) const TABLE: NativeTable = &[
    ("threading._start", |vm, a, _| {
        let function = vm.need(a, 0, "start")?;
        vm.start_thread(function)
    }),
    ("threading._number", |vm, _, _| Ok(Py::Int(i64::from(vm.s.threads.current)))),
    ("threading._change", |vm, a, _| {
        // Waits for a change, at most this many seconds: whether there is time left.
        let until = until(vm, a.first());
        vm.wait_for_change(until)
    }),
    ("threading._changed", |vm, _, _| {
        vm.s.threads.changes += 1;
        Ok(Py::None)
    }),
    ("signal._timer", |vm, a, _| {
        // Sets the timer to a number of seconds and an interval: the seconds that the previous one had left.
        let left = vm.s.alarm.map_or(0.0, |timer| (timer.0 - vm.now).0 as f64 / 1e6);
        let interval = vm.s.alarm.map_or(0.0, |timer| timer.1.0 as f64 / 1e6);
        let old = vm.tuple(vec![Py::Float(left), Py::Float(interval)]);
        if let Some(seconds) = a.first().and_then(|value| vm.as_float(*value)) {
            let interval = a.get(1).and_then(|value| vm.as_float(*value)).unwrap_or(0.0);
            let interval = after(vm, interval) - vm.now;
            vm.s.alarm = (seconds > 0.0).then(|| (after(vm, seconds), interval));
        }
        Ok(old)
    }),
    ("signal.pause", |vm, _, _| match vm.s.deadline.0.take() {
        // Repeated after a handler has run.
        Some(_) => Ok(Py::None),
        None => {
            vm.s.deadline.0 = Some(Time(i64::MAX));
            Err(crate::vm::Stop::Wait(host::Wait::Wakeup))
        }
    }),
];
