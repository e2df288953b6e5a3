//! Looking for a program in a text: with all places in the program at once, or, for back-references, way by way.

use super::in_class;
use super::parse::Assert;
use super::program::{Program, Step};

/// A slot in which nothing was kept.
pub(super) const UNSET: usize = usize::MAX;
/// Steps of a search with back-references before it is given up.
const MAX_TRIES: u32 = 1_000_000;

/// What is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Want {
    /// Whether there is a match.
    Any,
    /// Where it is.
    Span,
    /// Where it and its groups are.
    Groups,
}

/// The slots of the leftmost longest match from a place on.
pub(super) fn find(program: &Program, text: &str, from: usize, want: Want) -> Option<Vec<usize>> {
    if let Some(literal) = &program.literal {
        let start = from + text.get(from..)?.find(literal.as_str())?;
        return Some(vec![start, start + literal.len()]);
    }
    if program.refers {
        let (mut at, mut tries) = (program.candidate(text, from)?, MAX_TRIES);
        loop {
            if let Some(found) = way_by_way(program, text, at, &mut tries) {
                return Some(found);
            }
            at += text.get(at..)?.chars().next()?.len_utf8();
            at = program.candidate(text, at)?;
        }
    }
    all_at_once(program, text, from, want)
}

/// Places in the program, those that are preferred first, each with its slots.
struct Places {
    at: Vec<usize>,
    slots: Vec<usize>,
    /// In which round a place was entered last.
    seen: Vec<usize>,
    round: usize,
    open: Vec<Open>,
}

/// What is still to be done while ways are followed.
enum Open {
    Step(usize),
    /// The slot had this before.
    Slot(usize, usize),
}

impl Places {
    fn new(program: &Program) -> Self {
        let seen = vec![0; program.steps.len()];
        Self { at: Vec::new(), slots: Vec::new(), seen, round: 1, open: Vec::new() }
    }

    fn clear(&mut self) {
        self.at.clear();
        self.slots.clear();
        self.round += 1;
    }

    /// Enters a place and whatever can be reached from it without taking a character.
    fn enter(&mut self, program: &Program, text: &str, at: usize, step: usize, slots: &mut [usize]) {
        self.open.push(Open::Step(step));
        while let Some(open) = self.open.pop() {
            let step = match open {
                Open::Slot(slot, before) => {
                    if let Some(place) = slots.get_mut(slot) {
                        *place = before;
                    }
                    continue;
                }
                Open::Step(step) => step,
            };
            match self.seen.get_mut(step) {
                Some(seen) if *seen != self.round => *seen = self.round,
                Some(_) | None => continue,
            }
            match program.steps.get(step) {
                Some(Step::Save(slot)) => {
                    if let Some(place) = slots.get_mut(*slot) {
                        self.open.push(Open::Slot(*slot, *place));
                        *place = at;
                    }
                    self.open.push(Open::Step(step + 1));
                }
                Some(Step::Jump(to)) => self.open.push(Open::Step(*to)),
                Some(Step::Split(first, second)) => {
                    self.open.extend([Open::Step(*second), Open::Step(*first)]);
                }
                Some(Step::Again { round, .. }) => {
                    self.open.extend([Open::Step(step + 1), Open::Step(*round)]);
                }
                Some(Step::Assert(assert)) => {
                    let on = holds(*assert, program.flags.lines, text, at);
                    self.open.extend(on.then_some(Open::Step(step + 1)));
                }
                Some(Step::Char(_) | Step::Any | Step::Set(_) | Step::Back(_) | Step::Match) => {
                    self.at.push(step);
                    self.slots.extend_from_slice(slots);
                }
                None => {}
            }
        }
    }
}

fn all_at_once(program: &Program, text: &str, from: usize, want: Want) -> Option<Vec<usize>> {
    let width = if want == Want::Groups { 2 * (program.groups + 1) } else { 2 };
    let (mut now, mut next) = (Places::new(program), Places::new(program));
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
            // Who began later than a match that is known cannot win any more.
            let begun = slots.first().copied()?;
            if best.as_ref().and_then(|best| best.first()).is_some_and(|start| begun > *start) {
                break;
            }
            let taken = program.steps.get(*step)?;
            if matches!(taken, Step::Match) {
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

/// The longest match that begins at `from`, with every way tried.
fn way_by_way(program: &Program, text: &str, from: usize, tries: &mut u32) -> Option<Vec<usize>> {
    enum Open {
        Step(usize, usize),
        Slot(usize, usize),
    }
    let mut slots = vec![UNSET; program.slots];
    let mut best: Option<Vec<usize>> = None;
    let mut open = vec![Open::Step(0, from)];
    while let Some(next) = open.pop() {
        let (step, at) = match next {
            Open::Step(step, at) => (step, at),
            Open::Slot(slot, before) => {
                *slots.get_mut(slot)? = before;
                continue;
            }
        };
        if *tries == 0 {
            return best;
        }
        *tries -= 1;
        match program.steps.get(step)? {
            Step::Save(slot) => {
                let place = slots.get_mut(*slot)?;
                open.push(Open::Slot(*slot, *place));
                *place = at;
                open.push(Open::Step(step + 1, at));
            }
            Step::Jump(to) => open.push(Open::Step(*to, at)),
            Step::Split(first, second) => open.extend([Open::Step(*second, at), Open::Step(*first, at)]),
            Step::Again { slot, round } => {
                open.push(Open::Step(step + 1, at));
                if slots.get(*slot) != Some(&at) {
                    open.push(Open::Step(*round, at));
                }
            }
            Step::Assert(assert) => {
                if holds(*assert, program.flags.lines, text, at) {
                    open.push(Open::Step(step + 1, at));
                }
            }
            Step::Back(group) => {
                let (start, end) = (*slots.get(2 * group)?, *slots.get(2 * group + 1)?);
                let rest = text.get(at..)?;
                if let Some(wanted) = text.get(start..end)
                    && same_beginning(rest, wanted, program.flags.icase)
                {
                    open.push(Open::Step(step + 1, at + wanted.len()));
                }
            }
            Step::Match => {
                if best.as_ref().is_none_or(|best| best.get(1) < Some(&at)) {
                    best = Some(slots.clone());
                }
            }
            taken @ (Step::Char(_) | Step::Any | Step::Set(_)) => {
                if let Some(c) = text.get(at..)?.chars().next().filter(|c| program.takes(taken, *c)) {
                    open.push(Open::Step(step + 1, at + c.len_utf8()));
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

/// Whether an assertion holds at a place.
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
