//! Redirections: applied to the shell itself and undone, or applied to a new child.

use super::stack::{Redirection, SavedFd};
use super::{Res, Vm, VmAction};
use crate::ShellContext;
use crate::op::RedirKind;
use crate::options::Flag;
use base::ids::Pid;
use host::kernel::OpenFlags;
use host::{Errno, Fd};

/// The first descriptor for the shell's private copies.
const PRIVATE: Fd = 10;

impl Vm {
    /// Applies redirections to the shell and records how to undo them; the error is bash's message.
    pub(crate) fn redirect_self(
        &mut self,
        cx: &mut ShellContext,
        redirs: &[Redirection],
    ) -> Result<(), String> {
        self.run.redirs.push(Vec::new());
        for redirect in redirs {
            for fd in touched(redirect) {
                self.save(cx, fd);
            }
            self.redirect_process(cx, cx.pid, redirect)?;
        }
        Ok(())
    }

    pub(super) fn save(&mut self, cx: &mut ShellContext, fd: Fd) {
        let kept = cx.kernel.dup_from(cx.pid, fd, PRIVATE).ok();
        if let Some(kept) = kept {
            cx.kernel.set_cloexec(cx.pid, kept, true);
        }
        if let Some(saved) = self.run.redirs.last_mut() {
            saved.push(SavedFd { fd, kept });
        }
    }

    /// Undoes the last redirections.
    pub(crate) fn pop_redirections(&mut self, cx: &mut ShellContext) {
        for saved in self.run.redirs.pop().unwrap_or_default().into_iter().rev() {
            // The descriptor may already be closed.
            let _ = match saved.kept {
                Some(kept) => {
                    let back = cx.kernel.dup2(cx.pid, kept, saved.fd);
                    back.and(cx.kernel.close(cx.pid, kept))
                }
                None => cx.kernel.close(cx.pid, saved.fd),
            };
        }
    }

    /// `exec > file`: keeps the last redirections.
    pub(crate) fn keep_redirections(&mut self, cx: &mut ShellContext) {
        for saved in self.run.redirs.pop().unwrap_or_default() {
            if let Some(kept) = saved.kept {
                let _ = cx.kernel.close(cx.pid, kept);
            }
        }
    }

    /// Applies redirections before a compound command; on failure, jumps by `far`.
    pub(super) fn push_redirections(&mut self, cx: &mut ShellContext, far: i32) -> Res<VmAction> {
        let command = self.run.commands.pop().unwrap_or_default();
        self.line = command.line;
        if let Err(message) = self.redirect_self(cx, &command.redirs) {
            self.pop_redirections(cx);
            self.complain(&message);
            self.status = 1;
            self.jump(far);
            return self.after_status(cx);
        }
        self.next();
        Ok(VmAction::Go)
    }

    /// Applies a redirection to a process (the shell or its new child).
    pub(super) fn redirect_process(
        &mut self,
        cx: &mut ShellContext,
        pid: Pid,
        redirect: &Redirection,
    ) -> Result<(), String> {
        let Redirection { kind, target, var, .. } = redirect;
        let shown = |error: Errno| format!("{target}: {error}");
        let write = OpenFlags { write: true, create: true, truncate: true, ..OpenFlags::default() };
        let append = OpenFlags { write: true, create: true, append: true, ..OpenFlags::default() };
        let (default, flags) = match kind {
            RedirKind::Read => (0, OpenFlags { read: true, ..OpenFlags::default() }),
            RedirKind::Write | RedirKind::Clobber | RedirKind::Both => (1, write),
            RedirKind::Append | RedirKind::BothAppend => (1, append),
            RedirKind::ReadWrite => (0, OpenFlags { read: true, ..OpenFlags { truncate: false, ..write } }),
            RedirKind::DupIn | RedirKind::DupOut => return self.duplicate(cx, pid, redirect),
            RedirKind::Ambiguous => return Err(format!("{target}: ambiguous redirect")),
            RedirKind::Here => {
                let from = cx
                    .kernel
                    .open_unlinked(pid, target.as_bytes(), cx.now)
                    .map_err(|e| format!("cannot create temp file for here-document: {e}"))?;
                return self.place_fd(cx, pid, from, redirect.fd.unwrap_or(0), var.as_deref());
            }
        };
        if target.is_empty() {
            return Err(shown(Errno::ENOENT));
        }
        if matches!(kind, RedirKind::Write | RedirKind::Both)
            && self.flag(Flag::Noclobber)
            && self.is_plain_file(cx, pid, target)
        {
            return Err(format!("{target}: cannot overwrite existing file"));
        }
        let from = cx.kernel.open(pid, target, flags, 0o666, cx.now).map_err(shown)?;
        self.place_fd(cx, pid, from, redirect.fd.unwrap_or(default), var.as_deref())?;
        if matches!(kind, RedirKind::Both | RedirKind::BothAppend) {
            cx.kernel.dup2(pid, 1, 2).map_err(shown)?;
        }
        Ok(())
    }

    fn is_plain_file(&self, cx: &ShellContext, pid: Pid, target: &str) -> bool {
        let Some(process) = cx.kernel.process(pid) else { return false };
        let path = host::path::join(&process.cwd, target);
        cx.kernel.fs.stat(process.origin.uid, &path).is_ok_and(|s| s.kind == host::fs::FileKind::File)
    }

    /// Moves an opened descriptor to its number.
    fn place_fd(
        &mut self,
        cx: &mut ShellContext,
        pid: Pid,
        from: Fd,
        to: Fd,
        var: Option<&str>,
    ) -> Result<(), String> {
        let to = match var {
            Some(name) => {
                let fd = cx.kernel.dup_from(pid, from, PRIVATE).map_err(|e| format!("{name}: {e}"))?;
                let _ = cx.kernel.close(pid, from);
                self.set_element(cx, name, None, fd.to_string(), false)?;
                return Ok(());
            }
            None => to,
        };
        if from != to {
            cx.kernel.dup2(pid, from, to).map_err(|e| format!("{to}: {e}"))?;
            let _ = cx.kernel.close(pid, from);
        }
        cx.kernel.set_cloexec(pid, to, false);
        Ok(())
    }

    /// Applies `>&2`, `2>&-`, `<&3-`.
    fn duplicate(&mut self, cx: &mut ShellContext, pid: Pid, redirect: &Redirection) -> Result<(), String> {
        let target = redirect.target.as_str();
        let output = redirect.kind == RedirKind::DupOut;
        let to = match &redirect.var {
            Some(name) if target != "-" => {
                let from = target.strip_suffix('-').unwrap_or(target);
                let from = from.parse::<Fd>().map_err(|_| format!("{target}: ambiguous redirect"))?;
                let fd = cx.kernel.dup_from(pid, from, PRIVATE).map_err(|e| format!("{from}: {e}"))?;
                if target.ends_with('-') {
                    let _ = cx.kernel.close(pid, from);
                }
                self.set_element(cx, name, None, fd.to_string(), false)?;
                return Ok(());
            }
            Some(name) => {
                let value = self.var(name).and_then(|v| v.parse().ok());
                value.ok_or_else(|| format!("{name}: ambiguous redirect"))?
            }
            None => redirect.fd.unwrap_or(Fd::from(output)),
        };
        if target == "-" {
            // Closing a descriptor that is not open is not an error.
            let _ = cx.kernel.close(pid, to);
            return Ok(());
        }
        let (number, moves) = match target.strip_suffix('-') {
            Some(number) => (number, true),
            None => (target, false),
        };
        match number.parse::<Fd>() {
            Ok(from) => {
                if from != to {
                    cx.kernel.dup2(pid, from, to).map_err(|e| format!("{from}: {e}"))?;
                } else if !cx.kernel.fds(pid).contains(&from) {
                    return Err(format!("{from}: {}", Errno::EBADF));
                }
                if moves && from != to {
                    let _ = cx.kernel.close(pid, from);
                }
                Ok(())
            }
            Err(_) if output && redirect.fd.is_none() => {
                let both = Redirection { kind: RedirKind::Both, ..redirect.clone() };
                self.redirect_process(cx, pid, &both)
            }
            Err(_) => Err(format!("{target}: ambiguous redirect")),
        }
    }
}

/// The descriptors that a redirection changes.
fn touched(redirect: &Redirection) -> Vec<Fd> {
    if redirect.var.is_some() {
        return Vec::new();
    }
    match redirect.kind {
        RedirKind::Ambiguous => Vec::new(),
        RedirKind::Both | RedirKind::BothAppend => vec![1, 2],
        RedirKind::DupOut
            if redirect.fd.is_none() && redirect.target.parse::<Fd>().is_err() && redirect.target != "-" =>
        {
            vec![1, 2]
        }
        RedirKind::Read | RedirKind::ReadWrite | RedirKind::DupIn | RedirKind::Here => {
            vec![redirect.fd.unwrap_or(0)]
        }
        RedirKind::Write | RedirKind::Clobber | RedirKind::Append | RedirKind::DupOut => {
            vec![redirect.fd.unwrap_or(1)]
        }
    }
}
