//! The ranks of a program: each is run again and again, with what the others have sent so far, until it ends.

use super::facts::HostFacts;
use super::parse::SourceProgram;
use super::run::{CodeValue, Line, Machine};
use super::value::binary;
use base::time::Span;
use host::model::ModelContext;
use std::collections::BTreeMap;

/// Why a run ends before `main` does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RunHalt {
    /// Something that is not computed.
    Unknown,
    /// It waits for another rank.
    Blocked,
    /// `exit`
    Exit(u8),
}

pub(super) type RunStep<T> = Result<T, RunHalt>;

/// Operations in which all ranks take part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Collective {
    Barrier,
    Bcast,
    Reduce,
    Gather,
    Scatter,
    Split,
}

/// What a rank has sent and given: messages by receiver and tag, and its part of each collective operation.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Sent {
    messages: Vec<(i64, i64, CodeValue)>,
    parts: Vec<(Collective, CodeValue)>,
}

/// The messages of one rank.
pub(super) struct Messages<'m> {
    rank: i64,
    /// Of every rank, as far as its last run came.
    known: &'m [Sent],
    own: Sent,
    /// How many messages were received from each rank with each tag.
    taken: BTreeMap<(i64, i64), usize>,
}

impl Messages<'_> {
    pub fn send(&mut self, to: i64, tag: i64, value: CodeValue) {
        self.own.messages.push((to, tag, value));
    }

    /// The next message from a rank with a tag; -1: any. Its sender, its tag and its value.
    pub fn receive(&mut self, from: i64, tag: i64) -> RunStep<(i64, i64, CodeValue)> {
        for (sender, sent) in (0_i64..).zip(self.known).filter(|(sender, _)| from < 0 || *sender == from) {
            let mine = sent.messages.iter().filter(|m| m.0 == self.rank);
            let tags: Vec<i64> = mine.clone().map(|m| m.1).filter(|t| tag < 0 || *t == tag).collect();
            for tag in tags {
                let taken = self.taken.entry((sender, tag)).or_insert(0);
                if let Some(message) = mine.clone().filter(|m| m.1 == tag).nth(*taken) {
                    *taken += 1;
                    return Ok((sender, tag, message.2.clone()));
                }
            }
        }
        Err(RunHalt::Blocked)
    }

    /// Gives a part and returns everyone's, by rank.
    pub fn collective(&mut self, what: Collective, value: CodeValue) -> RunStep<Vec<CodeValue>> {
        let nth = self.own.parts.len();
        self.own.parts.push((what, value));
        let all = self.known.iter().map(|sent| {
            let (kind, value) = sent.parts.get(nth).ok_or(RunHalt::Blocked)?;
            if *kind == what { Ok(value.clone()) } else { Err(RunHalt::Unknown) }
        });
        all.collect()
    }
}

/// Combines values with `MPI_SUM` and the like.
pub(super) fn reduced(op: i64, all: &[CodeValue]) -> RunStep<CodeValue> {
    let (first, rest) = all.split_first().ok_or(RunHalt::Unknown)?;
    rest.iter().try_fold(first.clone(), |sum, next| combined(op, sum, next.clone()))
}

fn combined(op: i64, a: CodeValue, b: CodeValue) -> RunStep<CodeValue> {
    if let (CodeValue::List(a), CodeValue::List(b)) = (&a, &b) {
        let pairs = a.iter().cloned().zip(b.iter().cloned());
        return pairs.map(|(a, b)| combined(op, a, b)).collect::<RunStep<_>>().map(CodeValue::List);
    }
    match op {
        1 => binary("+", a, b),
        2 => binary("*", a, b),
        3 | 4 => {
            let less = binary("<", a.clone(), b.clone())? == CodeValue::Int(1);
            Ok(if less == (op == 4) { a } else { b })
        }
        _ => Err(RunHalt::Unknown),
    }
}

/// How a program ends, and what it prints until then.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Ended {
    pub lines: Vec<Line>,
    pub at: Span,
    pub exit: u8,
    pub uses_gpu: bool,
}

/// Most ranks of a program whose ranks talk to each other, and most runs of all of them.
const MAX_RANKS: u32 = 64;
const MAX_ROUNDS: u32 = 200;
/// Most runs of one rank.
const MAX_RUNS: u32 = 1000;

/// Runs the rank of a process. None if something in it is not computed.
pub(super) fn run(
    program: &SourceProgram,
    context: &ModelContext,
    facts: &HostFacts,
    openmp: bool,
) -> Option<Ended> {
    let ranks = context.tasks.max(1);
    let mut known = vec![Sent::default(); usize::try_from(ranks).ok()?];
    let one = |rank: u32, known: &[Sent]| {
        let messages = Messages { rank: rank.into(), known, own: Sent::default(), taken: BTreeMap::new() };
        let mut machine = Machine::new(context, facts, &program.functions, messages, rank, openmp);
        let ended = machine.run(&program.globals);
        let (lines, at, uses_gpu) = (machine.lines, machine.at, machine.uses_gpu);
        (ended.map(|exit| Ended { lines, at, exit, uses_gpu }), machine.messages.own)
    };
    let mut runs = 0;
    for _ in 0..MAX_ROUNDS {
        match one(context.rank, &known) {
            (Ok(ended), _) => return Some(ended),
            (Err(RunHalt::Unknown | RunHalt::Exit(_)), _) => return None,
            (Err(RunHalt::Blocked), _) if ranks > MAX_RANKS => return None,
            (Err(RunHalt::Blocked), _) => {}
        }
        let mut next = Vec::new();
        for rank in 0..ranks {
            runs += 1;
            match one(rank, &known) {
                (Err(RunHalt::Unknown), _) => return None,
                _ if runs > MAX_RUNS => return None,
                (_, sent) => next.push(sent),
            }
        }
        // Nobody got further: the program waits for ever.
        if next == known {
            return None;
        }
        known = next;
    }
    None
}
