//! `--constraint` (sbatch(1)): feature expressions, resolved to the set of suitable nodes.
//!
//! `intel&avx2`, `amd|intel`, `(a|b)&c`, `gpu*2` (at least two such nodes), `[rack1|rack2]` (all nodes alike: MOR,
//! which Slurm's older pages call XOR), `[rack1*2&rack2*1]` (a minimum number of each: MCOUNT). As in Slurm, `&` and
//! `|` are applied from left to right.

use super::error::SlurmError;
use super::job::Constraint;
use crate::Slurmctld;
use base::bitset::BitSet;

/// Maximum nesting of parentheses.
const MAX_DEPTH: u32 = 16;

/// Resolves an expression against this cluster's nodes. None if it is empty.
pub(crate) fn constraint(ctld: &Slurmctld, expression: &str) -> Result<Option<Constraint>, SlurmError> {
    read(ctld, expression, true)
}

/// The same for an accepted job: a feature that no node has any more resolves to no node.
pub(crate) fn again(ctld: &Slurmctld, expression: &str) -> Option<Constraint> {
    read(ctld, expression, false).ok().flatten()
}

fn read(ctld: &Slurmctld, expression: &str, strict: bool) -> Result<Option<Constraint>, SlurmError> {
    let text = expression.trim();
    if text.is_empty() {
        return Ok(None);
    }
    let mut reader =
        Reader { ctld, rest: text, strict, counts: Vec::new(), one_of: Vec::new(), bracket: None };
    let nodes = reader.all(MAX_DEPTH)?;
    if !reader.rest.is_empty() {
        return Err(SlurmError::InvalidFeature);
    }
    Ok(Some(Constraint { nodes, counts: reader.counts, one_of: reader.one_of }))
}

/// The kind of square brackets.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Bracket {
    /// `[a|b]`
    OneOf,
    /// `[a*2&b*1]`
    Counts,
}

struct Reader<'a> {
    ctld: &'a Slurmctld,
    rest: &'a str,
    /// Whether a name that no node has is an error.
    strict: bool,
    counts: Vec<(BitSet, u32)>,
    one_of: Vec<BitSet>,
    bracket: Option<Bracket>,
}

impl Reader<'_> {
    fn eat(&mut self, c: char) -> bool {
        let Some(rest) = self.rest.strip_prefix(c) else { return false };
        self.rest = rest;
        true
    }

    /// Terms joined by `&`, `,` and `|`.
    fn all(&mut self, depth: u32) -> Result<BitSet, SlurmError> {
        let mut nodes = self.term(depth)?;
        loop {
            let and = self.eat('&') || self.eat(',');
            if !and && !self.eat('|') {
                return Ok(nodes);
            }
            if self.rest.is_empty() || self.rest.starts_with([')', ']']) {
                // `intel&` is `intel`.
                continue;
            }
            let next = self.term(depth)?;
            if and && self.bracket != Some(Bracket::Counts) {
                nodes.intersect_with(&next);
            } else {
                nodes.union_with(&next);
            }
        }
    }

    /// A name or a bracketed expression, with its count.
    fn term(&mut self, depth: u32) -> Result<BitSet, SlurmError> {
        if depth == 0 {
            return Err(SlurmError::InvalidFeature);
        }
        if self.bracket.is_none() && self.eat('[') {
            return self.square(depth);
        }
        let nodes = if self.eat('(') {
            let outer = self.bracket.take();
            let inner = self.all(depth - 1)?;
            self.bracket = outer;
            if !self.eat(')') {
                return Err(SlurmError::InvalidFeature);
            }
            inner
        } else {
            self.name()?
        };
        let count = self.count()?;
        match (self.bracket, count) {
            (Some(Bracket::OneOf), _) => self.one_of.push(nodes.clone()),
            (Some(Bracket::Counts), count) => self.counts.push((nodes.clone(), count.unwrap_or(1))),
            (None, Some(count)) => {
                // Only this number of the nodes need it.
                self.counts.push((nodes, count));
                return Ok(BitSet::full(u32::try_from(self.ctld.nodes.len()).unwrap_or(0)));
            }
            (None, None) => {}
        }
        Ok(nodes)
    }

    /// The contents of square brackets.
    fn square(&mut self, depth: u32) -> Result<BitSet, SlurmError> {
        let inside = self.rest.split_once(']').ok_or(SlurmError::InvalidFeature)?.0;
        // `[a&b]` needs counts, as recorded from 22.05. Parentheses have an `&` of their own.
        let mut depth_inside = 0i32;
        let and = inside.chars().any(|c| {
            depth_inside += i32::from(c == '(') - i32::from(c == ')');
            depth_inside == 0 && c == '&'
        });
        if and && !inside.contains('*') {
            return Err(SlurmError::InvalidFeature);
        }
        self.bracket = Some(if inside.contains('*') { Bracket::Counts } else { Bracket::OneOf });
        let nodes = self.all(depth - 1)?;
        self.bracket = None;
        if self.eat(']') { Ok(nodes) } else { Err(SlurmError::InvalidFeature) }
    }

    fn name(&mut self) -> Result<BitSet, SlurmError> {
        let end = self.rest.find(['&', ',', '|', '*', '(', ')', '[', ']']).unwrap_or(self.rest.len());
        let (name, rest) = self.rest.split_at(end);
        self.rest = rest;
        let with = self.ctld.nodes.iter().filter(|n| n.features().iter().any(|f| f == name));
        let nodes: BitSet = with.map(|n| n.id.0).collect();
        if nodes.is_empty() && self.strict { Err(SlurmError::InvalidFeature) } else { Ok(nodes) }
    }

    fn count(&mut self) -> Result<Option<u32>, SlurmError> {
        if !self.eat('*') {
            return Ok(None);
        }
        let end = self.rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(self.rest.len());
        let (digits, rest) = self.rest.split_at(end);
        self.rest = rest;
        let count = digits.parse().ok().filter(|count| *count > 0);
        count.map(Some).ok_or(SlurmError::InvalidFeature)
    }
}
