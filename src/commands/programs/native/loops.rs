//! Loops, and the regions of OpenMP: the threads of a team run one after the other.

use super::run::{CodeFlow, CodeValue, Machine};
use super::tree::{CodeExpr, Stmt};
use super::world::{RunHalt, RunStep};

impl Machine<'_> {
    /// A `for` loop; of a team's loop only the iterations of this thread.
    pub fn repeat(&mut self, statement: &Stmt, part: Option<(u32, u32)>) -> RunStep<CodeFlow> {
        let Stmt::For { start, until, step, body } = statement else { return Err(RunHalt::Unknown) };
        let len = self.variables.len();
        self.one_kept(start)?;
        let mut left = u64::MAX;
        if let Some((thread, team)) = part {
            // Static scheduling: the iterations in pieces of equal size.
            let (name, first, by, count) = self.counted(start, until.as_ref(), step.as_ref())?;
            let (piece, more, thread) = (count / u64::from(team), count % u64::from(team), u64::from(thread));
            let skipped = i64::try_from(thread * piece + thread.min(more)).map_err(|_| RunHalt::Unknown)?;
            left = piece + u64::from(thread < more);
            self.set_named(&name, CodeValue::Int(first.wrapping_add(skipped.wrapping_mul(by))));
        }
        let mut flow = CodeFlow::Next;
        while left > 0 && until.as_ref().map_or(Ok(true), |until| self.truth(until))? {
            self.burn()?;
            left -= 1;
            match self.one(body)? {
                CodeFlow::Next | CodeFlow::Continue => {}
                CodeFlow::Break => break,
                returned @ CodeFlow::Return(_) => {
                    flow = returned;
                    break;
                }
            }
            step.as_ref().map_or(Ok(CodeValue::Int(0)), |step| self.value(step))?;
        }
        self.variables.truncate(len);
        Ok(flow)
    }

    /// Runs a statement whose variables stay.
    fn one_kept(&mut self, statement: &Stmt) -> RunStep<()> {
        match statement {
            Stmt::Declare(all) => all.iter().try_for_each(|declared| self.declare(declared)),
            other => self.one(other).map(|_| ()),
        }
    }

    /// The variable of a loop that has just started, its value, its step and the number of iterations.
    fn counted(
        &mut self,
        start: &Stmt,
        until: Option<&CodeExpr>,
        step: Option<&CodeExpr>,
    ) -> RunStep<(String, i64, i64, u64)> {
        let name = match start {
            Stmt::Declare(all) => all.first().map(|declared| declared.name.clone()),
            Stmt::Eval(CodeExpr::Assign("", to, _)) => match &**to {
                CodeExpr::Name(name) => Some(name.clone()),
                _ => None,
            },
            _ => None,
        };
        let name = name.ok_or(RunHalt::Unknown)?;
        let Some(CodeValue::Int(first)) = self.read(&name) else { return Err(RunHalt::Unknown) };
        let about = |expr: &CodeExpr| matches!(expr, CodeExpr::Name(n) if *n == name);
        let by = match step {
            Some(CodeExpr::Bump(_, by, of)) if about(of) => *by,
            Some(CodeExpr::Assign("+", to, by)) if about(to) => self.whole(by)?,
            Some(CodeExpr::Assign("-", to, by)) if about(to) => self.whole(by)?.wrapping_neg(),
            Some(_) | None => return Err(RunHalt::Unknown),
        };
        let Some(CodeExpr::Binary(sign, left, bound)) = until else { return Err(RunHalt::Unknown) };
        if !about(left) || by == 0 {
            return Err(RunHalt::Unknown);
        }
        let bound = self.whole(bound)?;
        let span = if by > 0 { bound.saturating_sub(first) } else { first.saturating_sub(bound) };
        let span = match (*sign, by > 0) {
            ("<", true) | (">", false) => span,
            ("<=", true) | (">=", false) => span.saturating_add(1),
            _ => return Err(RunHalt::Unknown),
        };
        let count = u64::try_from(span.max(0)).unwrap_or(0).div_ceil(by.unsigned_abs());
        Ok((name, first, by, count))
    }

    /// A region of OpenMP.
    pub fn region(&mut self, clauses: &str, body: &Stmt) -> RunStep<CodeFlow> {
        if !self.openmp {
            return self.one(body);
        }
        let word = clauses.split(|c: char| !c.is_alphanumeric()).next().unwrap_or("");
        let is_loop =
            clauses.split_whitespace().take(3).any(|w| w == "for" || w.starts_with("for(") || w == "do");
        match (word, self.team) {
            ("parallel", None) => {
                let team = self.team_size(clauses)?;
                // Each thread begins with the values from before the region, and its own are lost.
                let own: Vec<(String, CodeValue)> = private(clauses)
                    .filter_map(|name| self.read(name).map(|value| (name.to_owned(), value)))
                    .collect();
                for thread in 0..=team {
                    own.iter().for_each(|(name, value)| self.set_named(name, value.clone()));
                    if thread == team {
                        break;
                    }
                    self.team = Some((thread, team));
                    let flow = if is_loop {
                        self.repeat(body, self.team)
                    } else if clauses.starts_with("parallel sections") {
                        self.sections(body)
                    } else {
                        self.one(body)
                    };
                    if let Err(halt) = flow {
                        self.team = None;
                        return Err(halt);
                    }
                }
                self.team = None;
                Ok(CodeFlow::Next)
            }
            // Nested regions have one thread.
            ("parallel", Some(_)) => {
                let outer = self.team.replace((0, 1));
                let flow = self.one(body);
                self.team = outer;
                flow
            }
            ("for" | "do", Some(_)) => self.repeat(body, self.team),
            ("sections", _) => self.sections(body),
            ("master" | "single" | "masked", Some((thread, _))) if thread > 0 => Ok(CodeFlow::Next),
            (
                "for" | "do" | "master" | "single" | "masked" | "critical" | "atomic" | "ordered" | "simd",
                _,
            ) => self.one(body),
            _ => Err(RunHalt::Unknown),
        }
    }

    /// The sections that this thread runs.
    fn sections(&mut self, body: &Stmt) -> RunStep<CodeFlow> {
        let Stmt::Block(all) = body else { return Err(RunHalt::Unknown) };
        let (thread, team) = self.team.unwrap_or((0, 1));
        for (nth, section) in (0_u32..).zip(all) {
            let section = match section {
                Stmt::Omp(clauses, inner) if clauses.starts_with("section") => inner,
                other => other,
            };
            if nth % team.max(1) == thread {
                self.one(section)?;
            }
        }
        Ok(CodeFlow::Next)
    }

    /// The number of threads of a region.
    fn team_size(&mut self, clauses: &str) -> RunStep<u32> {
        if let Some((_, rest)) = clauses.split_once("num_threads(") {
            let name = rest.split(')').next().unwrap_or("").trim();
            let count = match name.parse() {
                Ok(count) => count,
                Err(_) => self.whole(&CodeExpr::Name(name.to_owned()))?,
            };
            return u32::try_from(count).ok().filter(|n| (1..=1024).contains(n)).ok_or(RunHalt::Unknown);
        }
        Ok(self.max_threads())
    }

    pub fn max_threads(&self) -> u32 {
        if self.openmp { self.wanted.unwrap_or(self.context.threads).clamp(1, 1024) } else { 1 }
    }
}

/// The variables of a region that each thread has for itself.
fn private(clauses: &str) -> impl Iterator<Item = &str> {
    let lists = clauses.split("private(").skip(1);
    lists.flat_map(|rest| rest.split(')').next().unwrap_or("").split(',')).map(str::trim)
}
