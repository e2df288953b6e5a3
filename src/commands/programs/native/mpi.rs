//! MPI's functions, in C and in Fortran.

use super::run::{CodeValue, Machine};
use super::tree::CodeExpr;
use super::world::{Collective, RunHalt, RunStep, reduced};

/// The value of the first communicator that a program makes.
const FIRST_GROUP: i64 = 1000;
/// Where each function has its communicator.
const COMMUNICATORS: &[(&str, usize)] = &[
    ("mpi_barrier", 0),
    ("mpi_send", 5),
    ("mpi_ssend", 5),
    ("mpi_isend", 5),
    ("mpi_recv", 5),
    ("mpi_bcast", 4),
    ("mpi_reduce", 6),
    ("mpi_allreduce", 5),
    ("mpi_gather", 7),
    ("mpi_allgather", 6),
    ("mpi_scatter", 7),
    ("mpi_sendrecv", 10),
    ("mpi_comm_split", 0),
    ("mpi_comm_split_type", 0),
];

impl Machine<'_> {
    /// Calls a function of MPI by its name in small letters.
    pub fn mpi(&mut self, name: &str, args: &[CodeExpr]) -> RunStep<CodeValue> {
        let (rank, size) = (i64::from(self.rank), i64::from(self.context.tasks.max(1)));
        if let Some((_, at)) = COMMUNICATORS.iter().find(|known| known.0 == name) {
            // Messages within a part of the ranks are not computed.
            if self.whole(self.arg(args, *at)?)? != 0 {
                return Err(RunHalt::Unknown);
            }
        }
        match name {
            "mpi_init" | "mpi_finalize" | "mpi_comm_free" | "mpi_wait" | "mpi_waitall" => {}
            "mpi_init_thread" => {
                // Every level of threads is provided.
                let fortran = usize::from(!matches!(args.first(), Some(CodeExpr::Unary("&", _))))
                    & usize::from(args.len() == 3);
                let (required, provided) = if fortran == 1 { (0, 1) } else { (2, 3) };
                let level = self.value(self.arg(args, required)?)?;
                self.give(args, provided, level)?;
            }
            "mpi_initialized" | "mpi_finalized" => {
                self.give(args, 0, CodeValue::Int(i64::from(name == "mpi_initialized")))?;
            }
            "mpi_comm_rank" | "mpi_comm_size" => {
                let (rank, size) = match self.whole(self.arg(args, 0)?)? {
                    0 => (rank, size),
                    group => {
                        let at = usize::try_from(group - FIRST_GROUP).map_err(|_| RunHalt::Unknown)?;
                        self.groups.get(at).copied().ok_or(RunHalt::Unknown)?
                    }
                };
                self.give(args, 1, CodeValue::Int(if name == "mpi_comm_rank" { rank } else { size }))?;
            }
            "mpi_comm_split" | "mpi_comm_split_type" => {
                let group = if name == "mpi_comm_split" {
                    let (color, key) = (self.whole(self.arg(args, 1)?)?, self.whole(self.arg(args, 2)?)?);
                    let own = CodeValue::List(vec![CodeValue::Int(color), CodeValue::Int(key)]);
                    let all = self.messages.collective(Collective::Split, own.clone())?;
                    let same = |value: &CodeValue| color_and_key(value).filter(|(c, _)| *c == color);
                    let size = all.iter().filter_map(same).count();
                    // Ranks with equal keys keep their order.
                    let before = (0_i64..).zip(&all).filter_map(|(at, value)| Some((same(value)?.1, at)));
                    let before = before.filter(|other| *other < (key, rank)).count();
                    (i64::try_from(before).unwrap_or(0), i64::try_from(size).unwrap_or(1))
                } else {
                    self.among_host()?
                };
                self.groups.push(group);
                let made = FIRST_GROUP + i64::try_from(self.groups.len()).unwrap_or(1) - 1;
                let at = if name == "mpi_comm_split" { 3 } else { 4 };
                self.give(args, at, CodeValue::Int(made))?;
            }
            "mpi_get_processor_name" => {
                let host = self.host()?;
                let length = i64::try_from(host.len()).unwrap_or(0);
                self.give(args, 0, CodeValue::Text(host))?;
                self.give(args, 1, CodeValue::Int(length))?;
            }
            "mpi_get_version" => {
                self.give(args, 0, CodeValue::Int(3))?;
                self.give(args, 1, CodeValue::Int(1))?;
            }
            "mpi_get_library_version" => {
                let text = self.library_version();
                let length = i64::try_from(text.len()).unwrap_or(0);
                self.give(args, 0, CodeValue::Text(text))?;
                self.give(args, 1, CodeValue::Int(length))?;
            }
            "mpi_wtime" => return Ok(CodeValue::Float(self.at.0 as f64 / 1e6)),
            "mpi_barrier" => drop(self.messages.collective(Collective::Barrier, CodeValue::Int(0))?),
            "mpi_abort" => {
                let code = self.whole(self.arg(args, 1)?)?;
                return Err(RunHalt::Exit(u8::try_from(code & 255).unwrap_or(1)));
            }
            "mpi_send" | "mpi_ssend" | "mpi_isend" => {
                let (value, to) = (self.buffer(args, 0, 1)?, self.whole(self.arg(args, 3)?)?);
                let tag = self.whole(self.arg(args, 4)?)?;
                self.messages.send(to, tag, value);
            }
            "mpi_recv" => self.receive(args, 0, 3, 4, 6)?,
            "mpi_sendrecv" => {
                let (value, to) = (self.buffer(args, 0, 1)?, self.whole(self.arg(args, 3)?)?);
                let tag = self.whole(self.arg(args, 4)?)?;
                self.messages.send(to, tag, value);
                self.receive(args, 5, 8, 9, 11)?;
            }
            "mpi_bcast" => {
                let root = self.whole(self.arg(args, 3)?)?;
                let own = if root == rank { self.buffer(args, 0, 1)? } else { CodeValue::Int(0) };
                let all = self.messages.collective(Collective::Bcast, own)?;
                let value = usize::try_from(root).ok().and_then(|root| all.get(root)).cloned();
                if root != rank {
                    self.received(args, 0, value.ok_or(RunHalt::Unknown)?)?;
                }
            }
            "mpi_reduce" | "mpi_allreduce" => {
                let (value, op) = (self.buffer(args, 0, 2)?, self.whole(self.arg(args, 4)?)?);
                let root = if name == "mpi_reduce" { Some(self.whole(self.arg(args, 5)?)?) } else { None };
                let all = self.messages.collective(Collective::Reduce, value)?;
                let sum = reduced(op, &all)?;
                if root.is_none_or(|root| root == rank) {
                    self.received(args, 1, sum)?;
                }
            }
            "mpi_gather" | "mpi_allgather" => {
                let value = self.buffer(args, 0, 1)?;
                let root = if name == "mpi_gather" { Some(self.whole(self.arg(args, 6)?)?) } else { None };
                let all = self.messages.collective(Collective::Gather, value)?;
                if root.is_none_or(|root| root == rank) {
                    let items = all.into_iter().flat_map(|value| match value {
                        CodeValue::List(items) => items,
                        one => vec![one],
                    });
                    self.received(args, 3, CodeValue::List(items.collect()))?;
                }
            }
            "mpi_scatter" => {
                let (root, count) = (self.whole(self.arg(args, 6)?)?, self.whole(self.arg(args, 1)?)?);
                let count = usize::try_from(count).map_err(|_| RunHalt::Unknown)?;
                let own = if root == rank {
                    match self.place(self.arg(args, 0)?)? {
                        Some((id, at)) => {
                            let items: Vec<CodeValue> = self.elements(id)?.iter().skip(at).cloned().collect();
                            self.spend(items.len().saturating_mul(16))?;
                            CodeValue::List(items)
                        }
                        None => return Err(RunHalt::Unknown),
                    }
                } else {
                    CodeValue::Int(0)
                };
                let all = self.messages.collective(Collective::Scatter, own)?;
                let given = usize::try_from(root).ok().and_then(|root| all.get(root));
                let Some(CodeValue::List(items)) = given else { return Err(RunHalt::Unknown) };
                let from = count.saturating_mul(usize::try_from(rank).unwrap_or(0));
                let mine = items.iter().skip(from).take(count).cloned().collect();
                self.received(args, 3, CodeValue::List(mine))?;
            }
            _ => return Err(RunHalt::Unknown),
        }
        // Fortran's last argument is the error code.
        if let Some(CodeExpr::Name(last)) = args.last()
            && last.to_ascii_lowercase().starts_with("ierr")
        {
            self.set_named(last, CodeValue::Int(0));
        }
        Ok(CodeValue::Int(0))
    }

    /// Waits for a message: the positions of the buffer, the sender, the tag and the status.
    fn receive(
        &mut self,
        args: &[CodeExpr],
        buffer: usize,
        from: usize,
        tag: usize,
        status: usize,
    ) -> RunStep<()> {
        let (from, tag) = (self.whole(self.arg(args, from)?)?, self.whole(self.arg(args, tag)?)?);
        let (from, tag, value) = self.messages.receive(from, tag)?;
        self.received(args, buffer, value)?;
        if let Some(CodeExpr::Unary("&", status)) = args.get(status)
            && let CodeExpr::Name(status) = &**status
        {
            self.set_named(&format!("{status}.MPI_SOURCE"), CodeValue::Int(from));
            self.set_named(&format!("{status}.MPI_TAG"), CodeValue::Int(tag));
        }
        Ok(())
    }

    /// The values of a buffer: as many elements as the argument at `count` says.
    fn buffer(&mut self, args: &[CodeExpr], at: usize, count: usize) -> RunStep<CodeValue> {
        let count = usize::try_from(self.whole(self.arg(args, count)?)?).unwrap_or(0);
        let mut what = self.arg(args, at)?;
        if let Some((id, at)) = self.place(what)? {
            let items: Vec<CodeValue> = self.elements(id)?.iter().skip(at).take(count).cloned().collect();
            // Messages are kept for every run of the ranks.
            self.spend(items.len().saturating_mul(16))?;
            return Ok(CodeValue::List(items));
        }
        while let CodeExpr::Unary("&", inner) | CodeExpr::Pointer(_, inner) = what {
            what = inner;
        }
        match self.value(what)? {
            CodeValue::List(_) | CodeValue::Array(_) => Err(RunHalt::Unknown),
            CodeValue::Text(text) => {
                self.spend(text.len())?;
                Ok(CodeValue::Text(text))
            }
            one => Ok(one),
        }
    }

    /// Puts what was received into a buffer.
    fn received(&mut self, args: &[CodeExpr], at: usize, value: CodeValue) -> RunStep<()> {
        let values = match value {
            CodeValue::List(items) => items,
            one => vec![one],
        };
        if values.is_empty() { Ok(()) } else { self.fill(self.arg(args, at)?, values) }
    }

    /// The version of the library: that of a module, or Debian's.
    fn library_version(&self) -> String {
        let loaded = self.context.env.get("LOADEDMODULES").map_or("", String::as_str);
        let version = loaded.split(':').rev().find_map(|full| full.strip_prefix("openmpi/"));
        match version {
            Some(version) => format!("Open MPI v{version}"),
            None => "Open MPI v4.1.4, package: Debian OpenMPI, ident: 4.1.4, repo rev: v4.1.4, May 26, 2022"
                .to_owned(),
        }
    }
}

fn color_and_key(value: &CodeValue) -> Option<(i64, i64)> {
    match value {
        CodeValue::List(pair) => match pair.as_slice() {
            [CodeValue::Int(color), CodeValue::Int(key)] => Some((*color, *key)),
            _ => None,
        },
        _ => None,
    }
}
