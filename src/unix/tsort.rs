//! tsort(1): a topological sort of pairs.

use super::getopt::{self, Spec};
use crate::Cx;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

const SPEC: Spec = Spec { short: "w", long: &[], usage: 1 };

/// Whether standard input is read.
pub fn reads(argv: &[String]) -> bool {
    getopt::reads_stdin(&SPEC, argv, 0)
}

/// tsort(1)
pub fn run(cx: &mut Cx, stdin: &[u8]) -> u8 {
    let parsed = match getopt::parse(cx, &SPEC) {
        Ok(parsed) => parsed,
        Err(code) => return code,
    };
    if let Some(extra) = parsed.operands.get(1) {
        return getopt::extra_operand(cx, extra);
    }
    let Some((name, content)) = getopt::contents(cx, &parsed.operands, stdin).pop() else { return 1 };
    let data = match content {
        Ok(data) => data,
        Err(errno) => {
            cx.error(&format!("{name}: {errno}"));
            return 1;
        }
    };
    let text = String::from_utf8_lossy(&data);
    let words: Vec<&str> = text.split_whitespace().collect();
    if words.len() % 2 == 1 {
        cx.error(&format!("{name}: input contains an odd number of tokens"));
        return 1;
    }
    let mut graph = PairGraph::default();
    for pair in words.chunks_exact(2) {
        graph.add(pair[0], pair[1]);
    }
    graph.sort(cx, &name)
}

#[derive(Default)]
struct PairGraph<'a> {
    /// The successors of each item, in reverse order of the pairs.
    next: BTreeMap<&'a str, Vec<&'a str>>,
    /// The number of predecessors of each item that are not printed yet.
    before: BTreeMap<&'a str, usize>,
}

impl<'a> PairGraph<'a> {
    fn add(&mut self, first: &'a str, second: &'a str) {
        self.before.entry(first).or_default();
        *self.before.entry(second).or_default() += usize::from(first != second);
        let next = self.next.entry(first).or_default();
        if first != second {
            next.push(second);
        }
    }

    fn sort(mut self, cx: &mut Cx, name: &str) -> u8 {
        let mut code = 0;
        while !self.before.is_empty() {
            let mut ready: VecDeque<&str> =
                self.before.iter().filter(|(_, count)| **count == 0).map(|(item, _)| *item).collect();
            if ready.is_empty() {
                code = 1;
                self.break_cycle(cx, name);
                continue;
            }
            while let Some(item) = ready.pop_front() {
                cx.line(item);
                self.before.remove(item);
                for next in self.next.remove(item).unwrap_or_default().into_iter().rev() {
                    if let Some(count) = self.before.get_mut(next) {
                        *count -= 1;
                        if *count == 0 {
                            ready.push_back(next);
                        }
                    }
                }
            }
        }
        code
    }

    /// Reports a cycle and removes one of its pairs.
    fn break_cycle(&mut self, cx: &mut Cx, name: &str) {
        cx.error(&format!("{name}: input contains a loop:"));
        // Every remaining item has a predecessor, so walking back from any of them reaches a cycle.
        let previous =
            |item: &str| self.next.iter().find(|(_, next)| next.contains(&item)).map(|(before, _)| *before);
        let (mut seen, mut path) = (BTreeSet::new(), Vec::new());
        let mut at = self.before.keys().next().copied();
        while let Some(item) = at.filter(|item| seen.insert(*item)) {
            path.push(item);
            at = previous(item);
        }
        let start = path.iter().position(|item| Some(*item) == at).unwrap_or(0);
        let cycle: Vec<&str> = path.drain(start..).rev().collect();
        cycle.iter().for_each(|item| cx.error(item));
        if let (Some(last), Some(first)) = (cycle.last(), cycle.first()) {
            if let Some(next) = self.next.get_mut(last)
                && let Some(at) = next.iter().position(|item| item == first)
            {
                next.remove(at);
            }
            if let Some(count) = self.before.get_mut(first) {
                *count -= 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::Host;

    #[test]
    fn same_as_the_real_program() {
        let mut host = Host::default();
        for input in
            ["a b\nb c\nd c\n", "", "a a\n", "main parse\nmain run\nparse lex\nrun lex\nx y\n", "a b c\n"]
        {
            host.same(&["tsort"], input, &[]);
        }
        let looped = host.run_in(&["tsort"], "a b\nb c\nc a\nc d\n");
        assert_eq!((looped.code, looped.out.lines().count()), (1, 4), "{looped:?}");
        assert!(looped.err.starts_with("tsort: -: input contains a loop:\n"), "{looped:?}");
    }
}
