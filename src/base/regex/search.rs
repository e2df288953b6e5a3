//! Runs a program over a text: a Pike-style NFA simulation, or backtracking for back-references.

use super::in_class;
use super::parse::Assert;
use super::program::{Inst, RegexProgram};

/// A slot without a saved position.
pub(super) const UNSET: usize = usize::MAX;
/// Backtracking steps before a search gives up.
const MAX_TRIES: u32 = 1_000_000;

/// What the caller needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Want {
    /// Whether there is a match.
    Any,
    /// The range of the match.
    Span,
    /// The ranges of the match and its groups.
    Groups,
}

/// The slots of the leftmost-longest match at or after `from`.
pub(super) fn find(program: &RegexProgram, text: &str, from: usize, want: Want) -> Option<Vec<usize>> {
    if let Some(literal) = &program.literal {
        let start = from + text.get(from..)?.find(literal.as_str())?;
        return Some(vec![start, start + literal.len()]);
    }
    if program.refers {
        let (mut at, mut tries) = (program.candidate(text, from)?, MAX_TRIES);
        loop {
            if let Some(found) = backtrack(program, text, at, &mut tries) {
                return Some(found);
            }
            at += text.get(at..)?.chars().next()?.len_utf8();
            at = program.candidate(text, at)?;
        }
    }
    all_at_once(program, text, from, want)
}

/// The threads of the simulation in priority order, each with its slots.
struct ThreadList {
    at: Vec<usize>,
    slots: Vec<usize>,
    /// The round in which each instruction was last entered.
    seen: Vec<usize>,
    round: usize,
    open: Vec<BranchStep>,
}

/// Work left while following branches.
enum BranchStep {
    Step(usize),
    /// Restores a slot.
    Slot(usize, usize),
}

impl ThreadList {
    fn new(program: &RegexProgram) -> Self {
        let seen = vec![0; program.steps.len()];
        Self { at: Vec::new(), slots: Vec::new(), seen, round: 1, open: Vec::new() }
    }

    fn clear(&mut self) {
        self.at.clear();
        self.slots.clear();
        self.round += 1;
    }

    /// Adds a thread at `step` and all threads reachable without consuming a character.
    fn enter(&mut self, program: &RegexProgram, text: &str, at: usize, step: usize, slots: &mut [usize]) {
        self.open.push(BranchStep::Step(step));
        while let Some(open) = self.open.pop() {
            let step = match open {
                BranchStep::Slot(slot, before) => {
                    if let Some(saved) = slots.get_mut(slot) {
                        *saved = before;
                    }
                    continue;
                }
                BranchStep::Step(step) => step,
            };
            match self.seen.get_mut(step) {
                Some(seen) if *seen != self.round => *seen = self.round,
                Some(_) | None => continue,
            }
            match program.steps.get(step) {
                Some(Inst::Save(slot)) => {
                    if let Some(saved) = slots.get_mut(*slot) {
                        self.open.push(BranchStep::Slot(*slot, *saved));
                        *saved = at;
                    }
                    self.open.push(BranchStep::Step(step + 1));
                }
                Some(Inst::Jump(to)) => self.open.push(BranchStep::Step(*to)),
                Some(Inst::Split(first, second)) => {
                    self.open.extend([BranchStep::Step(*second), BranchStep::Step(*first)]);
                }
                Some(Inst::Again { round, .. }) => {
                    self.open.extend([BranchStep::Step(step + 1), BranchStep::Step(*round)]);
                }
                Some(Inst::Assert(assert)) => {
                    let on = holds(*assert, program.flags.lines, text, at);
                    self.open.extend(on.then_some(BranchStep::Step(step + 1)));
                }
                Some(Inst::Char(_) | Inst::Any | Inst::Set(_) | Inst::Back(_) | Inst::Match) => {
                    self.at.push(step);
                    self.slots.extend_from_slice(slots);
                }
                None => {}
            }
        }
    }
}

fn all_at_once(program: &RegexProgram, text: &str, from: usize, want: Want) -> Option<Vec<usize>> {
    let width = if want == Want::Groups { 2 * (program.groups + 1) } else { 2 };
    let (mut now, mut next) = (ThreadList::new(program), ThreadList::new(program));
    let mut scratch = vec![UNSET; width];
    let mut best: Option<Vec<usize>> = None;
    let mut at = from;
    loop {
        if best.is_none() {
            if now.at.is_empty() {
                at = program.candidate(text, at)?;
            }
            scratch.fill(UNSET);
            now.enter(program, text, at, 0, &mut scratch);
        }
        let c = text.get(at..)?.chars().next();
        let behind = at + c.map_or(0, char::len_utf8);
        for (step, slots) in now.at.iter().zip(now.slots.chunks_exact(width)) {
            // A thread that began after a known match cannot win.
            let begun = slots.first().copied()?;
            if best.as_ref().and_then(|best| best.first()).is_some_and(|start| begun > *start) {
                break;
            }
            let taken = program.steps.get(*step)?;
            if matches!(taken, Inst::Match) {
                let longer = best.as_ref().is_none_or(|b| b.first() != Some(&begun) || b.get(1) < Some(&at));
                if want == Want::Any {
                    return Some(slots.to_vec());
                }
                if longer {
                    best = Some(slots.to_vec());
                }
            } else if c.is_some_and(|c| program.takes(taken, c)) {
                scratch.copy_from_slice(slots);
                next.enter(program, text, behind, step + 1, &mut scratch);
            }
        }
        std::mem::swap(&mut now, &mut next);
        next.clear();
        if c.is_none() || best.is_some() && now.at.is_empty() {
            return best;
        }
        at = behind;
    }
}

/// The longest match that begins at `from`, found by backtracking.
fn backtrack(program: &RegexProgram, text: &str, from: usize, tries: &mut u32) -> Option<Vec<usize>> {
    enum PendingWork {
        Step(usize, usize),
        Slot(usize, usize),
    }
    let mut slots = vec![UNSET; program.slots];
    let mut best: Option<Vec<usize>> = None;
    let mut open = vec![PendingWork::Step(0, from)];
    while let Some(next) = open.pop() {
        let (step, at) = match next {
            PendingWork::Step(step, at) => (step, at),
            PendingWork::Slot(slot, before) => {
                *slots.get_mut(slot)? = before;
                continue;
            }
        };
        if *tries == 0 {
            return best;
        }
        *tries -= 1;
        match program.steps.get(step)? {
            Inst::Save(slot) => {
                let saved = slots.get_mut(*slot)?;
                open.push(PendingWork::Slot(*slot, *saved));
                *saved = at;
                open.push(PendingWork::Step(step + 1, at));
            }
            Inst::Jump(to) => open.push(PendingWork::Step(*to, at)),
            Inst::Split(first, second) => {
                open.extend([PendingWork::Step(*second, at), PendingWork::Step(*first, at)])
            }
            Inst::Again { slot, round } => {
                open.push(PendingWork::Step(step + 1, at));
                if slots.get(*slot) != Some(&at) {
                    open.push(PendingWork::Step(*round, at));
                }
            }
            Inst::Assert(assert) => {
                if holds(*assert, program.flags.lines, text, at) {
                    open.push(PendingWork::Step(step + 1, at));
                }
            }
            Inst::Back(group) => {
                let (start, end) = (*slots.get(2 * group)?, *slots.get(2 * group + 1)?);
                let rest = text.get(at..)?;
                if let Some(wanted) = text.get(start..end)
                    && same_beginning(rest, wanted, program.flags.icase)
                {
                    open.push(PendingWork::Step(step + 1, at + wanted.len()));
                }
            }
            Inst::Match => {
                if best.as_ref().is_none_or(|best| best.get(1) < Some(&at)) {
                    best = Some(slots.clone());
                }
            }
            taken @ (Inst::Char(_) | Inst::Any | Inst::Set(_)) => {
                if let Some(c) = text.get(at..)?.chars().next().filter(|c| program.takes(taken, *c)) {
                    open.push(PendingWork::Step(step + 1, at + c.len_utf8()));
                }
            }
        }
    }
    best
}

fn same_beginning(text: &str, wanted: &str, icase: bool) -> bool {
    text.get(..wanted.len())
        .is_some_and(|start| start == wanted || icase && start.eq_ignore_ascii_case(wanted))
}

/// Whether an assertion holds at a position.
fn holds(assert: Assert, lines: bool, text: &str, at: usize) -> bool {
    let before = text.get(..at).and_then(|t| t.chars().next_back());
    let after = text.get(at..).and_then(|t| t.chars().next());
    let word = |c: Option<char>| c.is_some_and(|c| in_class(c, "word"));
    let (left, right) = (word(before), word(after));
    match assert {
        Assert::LineStart => before.is_none() || lines && before == Some('\n'),
        Assert::LineEnd => after.is_none() || lines && after == Some('\n'),
        Assert::TextStart => before.is_none(),
        Assert::TextEnd => after.is_none(),
        Assert::Word => left != right,
        Assert::NoWord => left == right,
        Assert::WordStart => !left && right,
        Assert::WordEnd => left && !right,
    }
}
