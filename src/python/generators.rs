//! Generators and coroutines: frames that are suspended and resumed.

use super::code::PyOp;
use super::frame::{OnReturn, PyFrame};
use super::value::{Py, PyObject};
use super::vm::{AfterOp, PyResult, PyVm, Stop};

impl PyVm<'_> {
    /// Resumes a generator: pushes its frame.
    pub(super) fn resume(&mut self, id: u32, sent: Py) -> PyResult<AfterOp> {
        self.check_depth()?;
        let PyObject::Generator(g) = self.obj_mut(id) else { return Ok(AfterOp::Next) };
        if g.running {
            return Err(self.error("ValueError", "generator already executing"));
        }
        let Some(mut frame) = g.frame.take() else { return self.generator_ended(id, Py::None, usize::MAX) };
        g.running = true;
        if frame.at > 0 {
            frame.stack.push(sent);
        }
        frame.then = OnReturn::Generator(id);
        self.s.frames.push(frame);
        Ok(AfterOp::Frame)
    }

    /// Resumes a generator with an exception. A generator that awaits another one passes it on.
    pub(super) fn resume_raising(&mut self, mut id: u32, exception: Py) -> PyResult<AfterOp> {
        loop {
            self.check_depth()?;
            let PyObject::Generator(g) = self.obj_mut(id) else { break };
            if g.running {
                return Err(self.error("ValueError", "generator already executing"));
            }
            let Some(mut frame) = g.frame.take() else { break };
            g.running = true;
            frame.then = OnReturn::Generator(id);
            let code = self.code_of(frame.unit, frame.code);
            let inner = match (code.ops.get(frame.at as usize), frame.stack.last()) {
                (Some(PyOp::YieldFrom), Some(Py::Obj(inner))) if frame.at > 0 => Some(*inner),
                _ => None,
            };
            let inner = inner.filter(|i| matches!(self.obj(*i), PyObject::Generator(_)));
            if inner.is_some() {
                frame.at += 1;
            }
            self.s.frames.push(frame);
            match inner {
                Some(inner) => id = inner,
                None => break,
            }
        }
        Err(Stop::Raise(exception))
    }

    pub(super) fn caller_op(&self) -> Option<PyOp> {
        let frame = self.s.frames.last()?;
        self.code_of(frame.unit, frame.code).ops.get(frame.at.saturating_sub(1) as usize).copied()
    }

    pub(super) fn yielded(&mut self, floor: usize) -> PyResult<AfterOp> {
        let value = self.pop();
        loop {
            let Some(frame) = self.s.frames.pop() else { return Ok(AfterOp::Done(value)) };
            let OnReturn::Generator(id) = frame.then else { return Ok(AfterOp::Done(value)) };
            if let PyObject::Generator(g) = self.obj_mut(id) {
                g.running = false;
                g.frame = Some(frame);
            }
            if self.s.frames.len() <= floor {
                return Ok(AfterOp::Done(value));
            }
            if self.caller_op() != Some(PyOp::YieldFrom) {
                self.push(value);
                return Ok(AfterOp::Frame);
            }
            self.frame().at -= 1;
        }
    }

    /// Handles the return of a generator: `for` ends, `yield from` gets the value, and `next` raises.
    pub(super) fn generator_ended(&mut self, id: u32, value: Py, floor: usize) -> PyResult<AfterOp> {
        if let PyObject::Generator(g) = self.obj_mut(id) {
            g.running = false;
        }
        if floor == usize::MAX || self.s.frames.len() > floor {
            match self.caller_op() {
                Some(PyOp::For(end)) => {
                    self.pop();
                    self.frame().at = end;
                    return Ok(AfterOp::Frame);
                }
                Some(PyOp::YieldFrom) => {
                    self.replace(1, value);
                    return Ok(AfterOp::Frame);
                }
                _ => {}
            }
        }
        let class = self.builtin("StopIteration");
        let args = if value == Py::None { Vec::new() } else { vec![value] };
        let e = self.exception_with(class, args);
        self.set_instance_attr(e, "value", value);
        Err(Stop::Raise(e))
    }

    /// `yield from`: the iterator is on top, the sent value was removed.
    pub(super) fn yield_from(&mut self, floor: usize) -> PyResult<AfterOp> {
        let sent = self.pop();
        let iterator = self.top();
        if let Py::Obj(id) = iterator
            && matches!(self.obj(id), PyObject::Generator(_))
        {
            return self.resume(id, sent);
        }
        match self.next(iterator)? {
            None => {
                self.replace(1, Py::None);
                Ok(AfterOp::Next)
            }
            Some(value) => {
                self.frame().at -= 1;
                self.push(value);
                self.yielded(floor)
            }
        }
    }

    /// A new generator with this frame.
    pub(super) fn generator(&mut self, frame: PyFrame, name: super::ast::PyName, coroutine: bool) -> Py {
        let generator = super::value::PyGenerator { frame: Some(frame), running: false, name, coroutine };
        self.add(PyObject::Generator(Box::new(generator)))
    }
}
