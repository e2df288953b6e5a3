//! Calls with unpacked arguments, `with`, and `yield from`.

use super::ast::PyName;
use super::code::PyOp;
use super::frame::OnReturn;
use super::value::Py;
use super::vm::{AfterOp, PyResult, PyVm, Stop};

impl PyVm<'_> {
    pub(super) fn protocol_step(&mut self, op: PyOp, floor: usize) -> PyResult<AfterOp> {
        match op {
            PyOp::CallSpread => {
                let named = self.pop();
                let args = self.pop();
                let function = self.pop();
                let mut list = Vec::new();
                for (key, value) in self.pairs(named) {
                    let Some(key) = self.str_ref(key) else {
                        return self.type_error("keywords must be strings");
                    };
                    list.push((PyName::from(key), value));
                }
                let args = self.items(args);
                match self.call(function, args.clone(), list, OnReturn::Push) {
                    Ok(AfterOp::Done(value)) => {
                        self.push(value);
                        Ok(AfterOp::Next)
                    }
                    Err(Stop::Wait(wait)) => {
                        let args = self.list(args);
                        self.frame().stack.extend([function, args, named]);
                        Err(Stop::Wait(wait))
                    }
                    other => other,
                }
            }
            PyOp::YieldFrom => self.yield_from(floor),
            PyOp::Enter => {
                let manager = self.top();
                let (Some(exit), Some(enter)) =
                    (self.find_method(manager, "__exit__")?, self.find_method(manager, "__enter__")?)
                else {
                    let message = format!(
                        "'{}' object does not support the context manager protocol",
                        self.type_name(manager)
                    );
                    return self.type_error(&message);
                };
                self.replace(1, exit);
                self.call_push(enter, Vec::new())
            }
            _ => {
                let [exit, exception] = self.two();
                let class = self.class_of(exception);
                self.call_push(exit, vec![class, exception, Py::None])
            }
        }
    }

    /// Calls, and pushes the result.
    pub(super) fn call_push(&mut self, function: Py, args: Vec<Py>) -> PyResult<AfterOp> {
        match self.call(function, args, Vec::new(), OnReturn::Push)? {
            AfterOp::Done(value) => {
                self.push(value);
                Ok(AfterOp::Next)
            }
            flow => Ok(flow),
        }
    }
}
