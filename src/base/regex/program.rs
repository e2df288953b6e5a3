//! A pattern as a program: what is looked for, one step after the other, with places where the way divides.

use super::parse::{Assert, Node, Set};
use super::{Flags, in_class, lower, upper};

/// Longest program, steps.
const MAX_STEPS: usize = 60_000;
/// Most steps times groups: what a search has to keep.
const MAX_ROOM: usize = 2_000_000;

/// A step.
#[derive(Clone, Debug)]
pub(super) enum Step {
    Char(char),
    Any,
    Set(Set),
    Assert(Assert),
    /// The place is kept in this slot.
    Save(usize),
    /// Both ways are tried, the first one is preferred.
    Split(usize, usize),
    Jump(usize),
    /// Back to `round` if something was taken since the place in the slot, or on.
    Again {
        slot: usize,
        round: usize,
    },
    Back(usize),
    Match,
}

/// A pattern that can be looked for.
#[derive(Clone, Debug)]
pub(super) struct Program {
    pub steps: Vec<Step>,
    pub groups: usize,
    /// Places that are kept: two for each group, and one for each loop.
    pub slots: usize,
    pub flags: Flags,
    /// It has back-references.
    pub refers: bool,
    /// Nothing but this text.
    pub literal: Option<String>,
    /// Which characters of ASCII a match can begin with, a bit for each; `None`: it may be empty.
    pub first: Option<u128>,
}

impl Program {
    /// Translates a pattern.
    pub fn new(node: &Node, groups: usize, flags: Flags) -> Result<Self, String> {
        let mut program = Self {
            steps: Vec::new(),
            groups,
            slots: 2 * (groups + 1),
            flags,
            refers: false,
            literal: if flags.icase { None } else { literal(node) },
            first: None,
        };
        program.put(Step::Save(0))?;
        program.node(node)?;
        program.put(Step::Save(1))?;
        program.put(Step::Match)?;
        if program.steps.len() * (groups + 1) > MAX_ROOM {
            return Err("Regular expression too big".into());
        }
        program.first = program.beginnings();
        Ok(program)
    }

    fn put(&mut self, step: Step) -> Result<usize, String> {
        if self.steps.len() >= MAX_STEPS {
            return Err("Regular expression too big".into());
        }
        self.steps.push(step);
        Ok(self.steps.len() - 1)
    }

    fn set(&mut self, at: usize, step: Step) {
        if let Some(place) = self.steps.get_mut(at) {
            *place = step;
        }
    }

    fn node(&mut self, node: &Node) -> Result<(), String> {
        let step = match node {
            Node::Char(c) => Step::Char(if self.flags.icase { lower(*c) } else { *c }),
            Node::Any => Step::Any,
            Node::Set(set) => Step::Set(set.clone()),
            Node::Assert(assert) => Step::Assert(*assert),
            Node::Back(group) => {
                self.refers = true;
                Step::Back(*group)
            }
            Node::Group(number, inner) => {
                self.put(Step::Save(2 * number))?;
                self.node(inner)?;
                Step::Save(2 * number + 1)
            }
            Node::All(nodes) => return nodes.iter().try_for_each(|node| self.node(node)),
            Node::Either(choices) => return self.either(choices),
            Node::Repeat { node, least, most } => return self.repeat(node, *least, *most),
        };
        self.put(step).map(|_| ())
    }

    fn either(&mut self, choices: &[Node]) -> Result<(), String> {
        let mut ends = Vec::new();
        let Some((last, others)) = choices.split_last() else { return Ok(()) };
        for choice in others {
            let split = self.put(Step::Match)?;
            self.node(choice)?;
            ends.push(self.put(Step::Match)?);
            self.set(split, Step::Split(split + 1, self.steps.len()));
        }
        self.node(last)?;
        let behind = self.steps.len();
        ends.into_iter().for_each(|end| self.set(end, Step::Jump(behind)));
        Ok(())
    }

    fn repeat(&mut self, node: &Node, least: u32, most: Option<u32>) -> Result<(), String> {
        let Some(most) = most else {
            for _ in 1..least {
                self.node(node)?;
            }
            return self.star(node, least == 0);
        };
        for _ in 0..least {
            self.node(node)?;
        }
        let mut ways = Vec::new();
        for _ in least..most {
            ways.push(self.put(Step::Match)?);
            self.node(node)?;
        }
        let behind = self.steps.len();
        ways.into_iter().for_each(|way| self.set(way, Step::Split(way + 1, behind)));
        Ok(())
    }

    /// Once or more, or also not at all.
    fn star(&mut self, node: &Node, maybe: bool) -> Result<(), String> {
        let skip = if maybe { Some(self.put(Step::Match)?) } else { None };
        let slot = self.slots;
        self.slots += 1;
        let round = self.put(Step::Save(slot))?;
        self.node(node)?;
        self.put(Step::Again { slot, round })?;
        if let Some(skip) = skip {
            self.set(skip, Step::Split(skip + 1, self.steps.len()));
        }
        Ok(())
    }

    /// What a match can begin with: what is passed over while there is no other way.
    fn beginnings(&self) -> Option<u128> {
        let (mut open, mut seen, mut first) = (vec![0], vec![false; self.steps.len()], 0);
        while let Some(at) = open.pop() {
            if std::mem::replace(seen.get_mut(at)?, true) {
                continue;
            }
            match self.steps.get(at)? {
                Step::Match | Step::Back(_) => return None,
                Step::Save(_) | Step::Assert(_) => open.push(at + 1),
                Step::Jump(to) => open.push(*to),
                Step::Split(a, b) => open.extend([*a, *b]),
                Step::Again { round, .. } => open.extend([*round, at + 1]),
                step @ (Step::Char(_) | Step::Any | Step::Set(_)) => {
                    let bits = (0..128_u8).filter(|b| self.takes(step, char::from(*b)));
                    first |= bits.fold(0_u128, |all, b| all | 1 << b);
                }
            }
        }
        Some(first)
    }

    /// Whether a step that stands for one character takes this one.
    pub fn takes(&self, step: &Step, c: char) -> bool {
        match step {
            Step::Char(wanted) => *wanted == c || self.flags.icase && *wanted == lower(c),
            Step::Any => true,
            Step::Set(set) => {
                let within = |c: char| {
                    set.ranges.iter().any(|(from, to)| (*from..=*to).contains(&c))
                        || set.classes.iter().any(|class| in_class(c, class))
                };
                let hit = within(c) || self.flags.icase && (within(lower(c)) || within(upper(c)));
                hit != set.negated
            }
            Step::Assert(_)
            | Step::Save(_)
            | Step::Split(..)
            | Step::Jump(_)
            | Step::Again { .. }
            | Step::Back(_)
            | Step::Match => false,
        }
    }

    /// The next place from which a match can begin.
    pub fn candidate(&self, text: &str, from: usize) -> Option<usize> {
        let rest = text.get(from..)?;
        let Some(first) = self.first else { return Some(from) };
        rest.char_indices()
            .find(|(_, c)| !c.is_ascii() || first >> u32::from(*c) & 1 == 1)
            .map(|(at, _)| from + at)
    }
}

/// The text that a pattern is, if it is nothing else.
fn literal(node: &Node) -> Option<String> {
    match node {
        Node::Char(c) => Some(c.to_string()),
        Node::All(nodes) => {
            nodes.iter().map(|n| if let Node::Char(c) = n { Some(*c) } else { None }).collect()
        }
        Node::Any
        | Node::Set(_)
        | Node::Assert(_)
        | Node::Back(_)
        | Node::Group(..)
        | Node::Either(_)
        | Node::Repeat { .. } => None,
    }
}
