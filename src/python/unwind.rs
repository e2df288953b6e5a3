//! Exceptions of operations: finds the handler and ends frames.

use super::frame::OnReturn;
use super::value::{Py, PyObject};
use super::vm::{PyResult, PyVm, Stop};

impl PyVm<'_> {
    /// Finds the handler of an exception, or ends the frames down to `floor`.
    pub fn unwind(&mut self, exception: Py, floor: usize) -> PyResult<()> {
        if self.instance_attr(exception, "__context__").is_none() {
            let context = self.handled().filter(|c| *c != exception).unwrap_or(Py::None);
            self.set_instance_attr(exception, "__context__", context);
        }
        let mut again = self.take_again(exception);
        loop {
            if self.s.frames.len() <= floor {
                return Err(Stop::Raise(exception));
            }
            if !std::mem::take(&mut again) {
                self.note_frame(exception);
            }
            let frame = self.frame();
            if let Some(block) = frame.blocks.pop() {
                frame.stack.truncate(block.stack as usize);
                frame.handled.truncate(block.handled as usize);
                frame.stack.push(exception);
                frame.at = block.handler;
                return Ok(());
            }
            let Some(frame) = self.s.frames.pop() else { return Err(Stop::Raise(exception)) };
            if let OnReturn::Generator(id) = frame.then
                && let PyObject::Generator(g) = self.obj_mut(id)
            {
                g.running = false;
            }
            if frame.then == OnReturn::Signal {
                self.leave_wait(frame.keep != Py::None);
            }
            if frame.then == OnReturn::Next
                && self.is_exception(exception, "StopIteration")
                && self.loop_ended()
            {
                return Ok(());
            }
        }
    }

    /// Leaves the loop whose `__next__` raised `StopIteration`.
    pub(super) fn loop_ended(&mut self) -> bool {
        let Some(frame) = self.s.frames.last() else { return false };
        let code = self.code_of(frame.unit, frame.code);
        let op = code.ops.get(frame.at.saturating_sub(1) as usize);
        let Some(super::code::PyOp::For(end)) = op.copied() else { return false };
        self.pop();
        self.frame().at = end;
        true
    }

    /// Whether an exception is raised again and keeps its position in this frame.
    pub(super) fn take_again(&mut self, exception: Py) -> bool {
        self.take_attr(exception, "__again__").is_some()
    }

    pub(super) fn take_attr(&mut self, object: Py, name: &str) -> Option<Py> {
        let Py::Obj(id) = object else { return None };
        match self.obj_mut(id) {
            PyObject::Instance(i) => i.attrs.shift_remove(name),
            _ => None,
        }
    }

    /// Adds the current frame to an exception's traceback.
    pub(super) fn note_frame(&mut self, exception: Py) {
        let frame = self.frame();
        let entry = [frame.unit, frame.code, frame.at.saturating_sub(1)].map(|n| Py::Int(i64::from(n)));
        let trace = match self.instance_attr(exception, "__trace__") {
            Some(trace) => trace,
            None => {
                let trace = self.list(Vec::new());
                self.set_instance_attr(exception, "__trace__", trace);
                trace
            }
        };
        if let Py::Obj(id) = trace
            && let PyObject::List(items) = self.obj_mut(id)
        {
            items.extend(entry);
        }
    }
}
