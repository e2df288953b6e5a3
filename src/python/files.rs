//! Open files of a process: buffers, lines, and writes to full pipes.

use super::value::{Py, PyObject};
use super::vm::{PyResult, PyVm, Stop};
use host::{Errno, Wait, path};

/// Size of a file's write buffer, bytes.
const BUFFER: usize = 8192;

/// Most bytes that one call reads: a device has no end.
const MAX_INPUT: usize = 64 << 20;

impl PyVm<'_> {
    /// The user and the absolute form of a path.
    pub(crate) fn resolve_path(&self, name: &str) -> (base::ids::Uid, String) {
        match self.kernel.process(self.pid) {
            Some(p) => (p.origin.uid, path::resolve(&p.cwd, name)),
            None => (base::ids::Uid(0), name.to_owned()),
        }
    }

    pub(crate) fn read_file_text(&self, file: &str) -> Option<String> {
        let (uid, full) = self.resolve_path(file);
        self.kernel
            .fs
            .read(uid, &full)
            .ok()
            .filter(|d| d.len() < 1 << 20)
            .map(|d| String::from_utf8_lossy(&d).into_owned())
    }

    /// The path of a command on `PATH`.
    pub(crate) fn which(&self, name: &str) -> Option<String> {
        let (uid, full) = self.resolve_path(name);
        let good =
            |file: &str| self.kernel.fs.stat(uid, file).is_ok_and(|s| s.kind != host::fs::FileKind::Dir);
        if name.contains('/') {
            return good(&full).then_some(full);
        }
        let path = self.s.env.iter().find(|e| e.0 == "PATH").map_or("/usr/bin:/bin", |e| e.1.as_str());
        path.split(':').map(|folder| format!("{folder}/{name}")).find(|file| good(file))
    }

    pub(crate) fn stdout_value(&mut self) -> Py {
        // `sys.stdout` may have been replaced.
        let module = self.s.modules.get("sys").copied();
        module.and_then(|m| self.global(m, "stdout")).unwrap_or(Py::Obj(self.s.stdout))
    }

    pub(crate) fn write_out(&mut self, text: &str) {
        let out = self.s.stdout;
        let _ = self.write_file(out, text.as_bytes());
    }

    pub(crate) fn write_file(&mut self, id: u32, data: &[u8]) -> PyResult<()> {
        let PyObject::File(f) = self.obj_mut(id) else { return Ok(()) };
        f.out.extend_from_slice(data);
        if !f.memory && (f.out.len() > BUFFER || f.by_line && data.contains(&b'\n')) {
            self.flush_file(id)?;
        }
        Ok(())
    }

    pub(crate) fn ask_flush(&mut self, id: u32) {
        // The process waits for a full pipe between operations. The next write detects a closed one.
        let _ = self.flush_file(id);
    }

    /// Writes a file's buffer. If a pipe is full, the rest stays in the buffer and the process waits.
    pub(crate) fn flush_file(&mut self, id: u32) -> PyResult<()> {
        loop {
            let PyObject::File(f) = self.obj_mut(id) else { return Ok(()) };
            let (Some(fd), false) = (f.fd, f.out.is_empty()) else { return Ok(()) };
            let data = std::mem::take(&mut f.out);
            let result = self.kernel.write(self.pid, fd, &data, self.now);
            let rest = match result {
                Ok(n) => data.get(n..).unwrap_or(&[]).to_vec(),
                Err(Errno::EAGAIN) => {
                    if let PyObject::File(f) = self.obj_mut(id) {
                        f.out = data;
                    }
                    self.stuck = Some(fd);
                    return Ok(());
                }
                Err(errno) => return Err(self.os_error(errno, None)),
            };
            if let PyObject::File(f) = self.obj_mut(id) {
                f.out = rest;
            }
        }
    }

    /// Flushes files of this name, so that reads see their content.
    pub(crate) fn flush_named(&mut self, name: &str) -> PyResult<()> {
        let ids: Vec<u32> = self.s.heap.all().filter(|(_, o)| matches!(o, PyObject::File(f) if f.name == name && !f.out.is_empty() && f.fd.is_some_and(|fd| fd > 2))).map(|o| o.0).collect();
        ids.into_iter().try_for_each(|id| self.flush_file(id))
    }

    /// Flushes all files except the standard ones.
    pub(crate) fn flush_written(&mut self) -> PyResult<()> {
        let ids: Vec<u32> = self
            .s
            .heap
            .all()
            .filter(
                |(_, o)| matches!(o, PyObject::File(f) if !f.out.is_empty() && f.fd.is_some_and(|fd| fd > 2)),
            )
            .map(|o| o.0)
            .collect();
        ids.into_iter().try_for_each(|id| self.flush_file(id))
    }

    pub(crate) fn flush_all(&mut self) -> PyResult<()> {
        let ids: Vec<u32> = self
            .s
            .heap
            .all()
            .filter(|(_, o)| matches!(o, PyObject::File(f) if !f.out.is_empty() && f.fd.is_some()))
            .map(|o| o.0)
            .collect();
        ids.into_iter().try_for_each(|id| self.flush_file(id))
    }

    /// Forgets what is not written yet.
    pub(crate) fn drop_buffers(&mut self) {
        let full = |object: &PyObject| matches!(object, PyObject::File(f) if !f.out.is_empty());
        let ids: Vec<u32> = self.s.heap.all().filter(|(_, object)| full(object)).map(|o| o.0).collect();
        for id in ids {
            if let PyObject::File(f) = self.obj_mut(id) {
                f.out.clear();
            }
        }
    }

    pub(crate) fn close_file(&mut self, id: u32) -> PyResult<()> {
        self.flush_file(id)?;
        let pid = self.pid;
        if let PyObject::File(f) = self.obj_mut(id)
            && let Some(fd) = f.fd.take()
        {
            // Closing an open descriptor cannot fail.
            let _ = self.kernel.close(pid, fd);
        }
        Ok(())
    }

    /// Reads until a condition holds or the file ends.
    pub(crate) fn fill(&mut self, id: u32, enough: impl Fn(&[u8]) -> bool) -> PyResult<()> {
        loop {
            let PyObject::File(f) = self.obj(id) else { return Ok(()) };
            let (Some(fd), false) = (f.fd, f.at_end || enough(&f.input)) else { return Ok(()) };
            let full = f.input.len() > MAX_INPUT;
            match self.kernel.read(self.pid, fd, 65_536) {
                Ok(_) if full => {
                    return Err(self.error("MemoryError", "sandbatch reads at most 64 MiB at once"));
                }
                Ok(data) => {
                    self.s.heap.grow(data.len() as u64);
                    if let PyObject::File(f) = self.obj_mut(id) {
                        f.at_end = data.is_empty();
                        f.input.extend(data);
                    }
                }
                Err(Errno::EAGAIN) => return Err(Stop::Wait(Wait::Readable(fd))),
                Err(Errno::EBADF) => return Err(self.error("UnsupportedOperation", "not readable")),
                Err(errno) => return Err(self.os_error(errno, None)),
            }
        }
    }

    pub(crate) fn take_input(&mut self, id: u32, most: usize) -> Vec<u8> {
        let PyObject::File(f) = self.obj_mut(id) else { return Vec::new() };
        if most >= f.input.len() {
            // End of file of a terminal holds for this read only.
            f.at_end &= f.input.is_empty();
            return std::mem::take(&mut f.input);
        }
        f.input.drain(..most).collect()
    }

    /// The next line of a file, empty at its end.
    pub(crate) fn read_line(&mut self, file: Py, _most: usize) -> PyResult {
        let Py::Obj(id) = file else { return Ok(Py::None) };
        self.fill(id, |input| input.contains(&b'\n'))?;
        let n = match self.obj(id) {
            PyObject::File(f) => f.input.iter().position(|b| *b == b'\n').map_or(f.input.len(), |n| n + 1),
            _ => 0,
        };
        let data = self.take_input(id, n);
        super::natives::content(self, id, data)
    }

    pub(crate) fn file_attr(&mut self, object: Py, name: &str) -> PyResult<Option<Py>> {
        let Py::Obj(id) = object else { return Ok(None) };
        let PyObject::File(f) = self.obj(id) else { return Ok(None) };
        let (file, mode, closed) = (f.name.clone(), f.mode.trim_end_matches('\n').to_owned(), f.fd.is_none());
        Ok(Some(match name {
            "closed" => Py::Bool(closed),
            "name" => self.text(file),
            "mode" => self.text(mode),
            _ => self.text("UTF-8"),
        }))
    }
}
