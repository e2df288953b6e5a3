//! Compiles a parsed pattern into instructions for the NFA simulation.

use super::parse::{Assert, BracketSet, RegexNode};
use super::{Flags, in_class, lower, upper};

/// Maximum number of instructions.
const MAX_STEPS: usize = 60_000;
/// Maximum instructions × slots: the memory of a search.
const MAX_ROOM: usize = 2_000_000;

/// An instruction.
#[derive(Clone, Debug)]
pub(super) enum Inst {
    Char(char),
    Any,
    Set(BracketSet),
    Assert(Assert),
    /// Saves the position in a slot.
    Save(usize),
    /// Branches to both targets; the first has priority.
    Split(usize, usize),
    Jump(usize),
    /// Jumps back to `round` if the position has advanced since the slot was saved, else continues.
    Again {
        slot: usize,
        round: usize,
    },
    Back(usize),
    Match,
}

/// A compiled pattern.
#[derive(Clone, Debug)]
pub(super) struct RegexProgram {
    pub steps: Vec<Inst>,
    pub groups: usize,
    /// The number of saved positions: two per group and one per loop.
    pub slots: usize,
    pub flags: Flags,
    /// Whether it has back-references.
    pub refers: bool,
    /// The literal text, if the pattern is one.
    pub literal: Option<String>,
    /// The ASCII characters a match can begin with, one bit each; `None` if it may be empty.
    pub first: Option<u128>,
}

impl RegexProgram {
    /// Compiles a syntax tree.
    pub fn new(node: &RegexNode, groups: usize, flags: Flags) -> Result<Self, String> {
        let mut program = Self {
            steps: Vec::new(),
            groups,
            slots: 2 * (groups + 1),
            flags,
            refers: false,
            literal: if flags.icase { None } else { literal(node) },
            first: None,
        };
        program.put(Inst::Save(0))?;
        program.node(node)?;
        program.put(Inst::Save(1))?;
        program.put(Inst::Match)?;
        if program.steps.len() * (groups + 1) > MAX_ROOM {
            return Err("Regular expression too big".into());
        }
        program.first = program.beginnings();
        Ok(program)
    }

    fn put(&mut self, step: Inst) -> Result<usize, String> {
        if self.steps.len() >= MAX_STEPS {
            return Err("Regular expression too big".into());
        }
        self.steps.push(step);
        Ok(self.steps.len() - 1)
    }

    fn set(&mut self, at: usize, step: Inst) {
        if let Some(target) = self.steps.get_mut(at) {
            *target = step;
        }
    }

    fn node(&mut self, node: &RegexNode) -> Result<(), String> {
        let step = match node {
            RegexNode::Char(c) => Inst::Char(if self.flags.icase { lower(*c) } else { *c }),
            RegexNode::Any => Inst::Any,
            RegexNode::Set(set) => Inst::Set(set.clone()),
            RegexNode::Assert(assert) => Inst::Assert(*assert),
            RegexNode::Back(group) => {
                self.refers = true;
                Inst::Back(*group)
            }
            RegexNode::Group(number, inner) => {
                self.put(Inst::Save(2 * number))?;
                self.node(inner)?;
                Inst::Save(2 * number + 1)
            }
            RegexNode::All(nodes) => return nodes.iter().try_for_each(|node| self.node(node)),
            RegexNode::Either(choices) => return self.either(choices),
            RegexNode::Repeat { node, least, most } => return self.repeat(node, *least, *most),
        };
        self.put(step).map(|_| ())
    }

    fn either(&mut self, choices: &[RegexNode]) -> Result<(), String> {
        let mut ends = Vec::new();
        let Some((last, others)) = choices.split_last() else { return Ok(()) };
        for choice in others {
            let split = self.put(Inst::Match)?;
            self.node(choice)?;
            ends.push(self.put(Inst::Match)?);
            self.set(split, Inst::Split(split + 1, self.steps.len()));
        }
        self.node(last)?;
        let behind = self.steps.len();
        ends.into_iter().for_each(|end| self.set(end, Inst::Jump(behind)));
        Ok(())
    }

    fn repeat(&mut self, node: &RegexNode, least: u32, most: Option<u32>) -> Result<(), String> {
        let Some(most) = most else {
            for _ in 1..least {
                self.node(node)?;
            }
            return self.star(node, least == 0);
        };
        for _ in 0..least {
            self.node(node)?;
        }
        let mut splits = Vec::new();
        for _ in least..most {
            splits.push(self.put(Inst::Match)?);
            self.node(node)?;
        }
        let behind = self.steps.len();
        splits.into_iter().for_each(|split| self.set(split, Inst::Split(split + 1, behind)));
        Ok(())
    }

    /// Compiles `+`, or `*` if `maybe`.
    fn star(&mut self, node: &RegexNode, maybe: bool) -> Result<(), String> {
        let skip = if maybe { Some(self.put(Inst::Match)?) } else { None };
        let slot = self.slots;
        self.slots += 1;
        let round = self.put(Inst::Save(slot))?;
        self.node(node)?;
        self.put(Inst::Again { slot, round })?;
        if let Some(skip) = skip {
            self.set(skip, Inst::Split(skip + 1, self.steps.len()));
        }
        Ok(())
    }

    /// The ASCII characters a match can begin with; a search skips all others.
    fn beginnings(&self) -> Option<u128> {
        let (mut open, mut seen, mut first) = (vec![0], vec![false; self.steps.len()], 0);
        while let Some(at) = open.pop() {
            if std::mem::replace(seen.get_mut(at)?, true) {
                continue;
            }
            match self.steps.get(at)? {
                Inst::Match | Inst::Back(_) => return None,
                Inst::Save(_) | Inst::Assert(_) => open.push(at + 1),
                Inst::Jump(to) => open.push(*to),
                Inst::Split(a, b) => open.extend([*a, *b]),
                Inst::Again { round, .. } => open.extend([*round, at + 1]),
                step @ (Inst::Char(_) | Inst::Any | Inst::Set(_)) => {
                    let bits = (0..128_u8).filter(|b| self.takes(step, char::from(*b)));
                    first |= bits.fold(0_u128, |all, b| all | 1 << b);
                }
            }
        }
        Some(first)
    }

    /// Whether a single-character instruction accepts `c`.
    pub fn takes(&self, step: &Inst, c: char) -> bool {
        match step {
            Inst::Char(wanted) => *wanted == c || self.flags.icase && *wanted == lower(c),
            Inst::Any => true,
            Inst::Set(set) => {
                let within = |c: char| {
                    set.ranges.iter().any(|(from, to)| (*from..=*to).contains(&c))
                        || set.classes.iter().any(|class| in_class(c, class))
                };
                let hit = within(c) || self.flags.icase && (within(lower(c)) || within(upper(c)));
                hit != set.negated
            }
            Inst::Assert(_)
            | Inst::Save(_)
            | Inst::Split(..)
            | Inst::Jump(_)
            | Inst::Again { .. }
            | Inst::Back(_)
            | Inst::Match => false,
        }
    }

    /// The next position where a match can begin.
    pub fn candidate(&self, text: &str, from: usize) -> Option<usize> {
        let rest = text.get(from..)?;
        let Some(first) = self.first else { return Some(from) };
        rest.char_indices()
            .find(|(_, c)| !c.is_ascii() || first >> u32::from(*c) & 1 == 1)
            .map(|(at, _)| from + at)
    }
}

/// The pattern's text if it is a plain literal.
fn literal(node: &RegexNode) -> Option<String> {
    match node {
        RegexNode::Char(c) => Some(c.to_string()),
        RegexNode::All(nodes) => {
            nodes.iter().map(|n| if let RegexNode::Char(c) = n { Some(*c) } else { None }).collect()
        }
        RegexNode::Any
        | RegexNode::Set(_)
        | RegexNode::Assert(_)
        | RegexNode::Back(_)
        | RegexNode::Group(..)
        | RegexNode::Either(_)
        | RegexNode::Repeat { .. } => None,
    }
}
