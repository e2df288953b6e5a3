//! Decides which functions and data go into which module.

use super::linked::Linked;
use super::module::Module;
use crate::Outcome;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use wasmparser::RefType;

/// The assignment of functions and data to modules.
pub struct Plan {
    /// Deferred functions.
    pub later: BTreeSet<u32>,
    /// Deferred functions that the first module calls, with their table indices.
    pub entries: BTreeMap<u32, u32>,
    /// Table entries of deferred functions.
    pub slots: BTreeMap<u32, u32>,
    /// Functions of the first module that the deferred module calls.
    pub shared: BTreeSet<u32>,
    /// Data that only deferred functions read, as byte ranges per segment.
    pub data: Vec<Vec<Range<usize>>>,
    /// The function table.
    pub table: u32,
    pub load: u32,
}

/// Finds what is reachable from outside without passing through a deferred function.
struct First<'a> {
    module: &'a Module<'a>,
    linked: &'a Linked,
    named: &'a BTreeSet<u32>,
    by_name: BTreeMap<&'a str, Vec<u32>>,
    functions: BTreeSet<u32>,
    objects: BTreeSet<usize>,
    entered: BTreeSet<u32>,
    /// Functions and objects whose references have not been followed yet.
    waiting: (Vec<u32>, Vec<usize>),
}

impl<'a> First<'a> {
    fn function(&mut self, function: u32) {
        if self.named.contains(&function) {
            self.entered.insert(function);
        } else if self.functions.insert(function) {
            self.waiting.0.push(function);
        }
    }

    fn object(&mut self, object: usize) {
        if self.objects.insert(object) {
            self.waiting.1.push(object);
        }
    }

    fn refers(&mut self, refers: &super::linked::References) {
        for name in &refers.functions {
            for function in self.by_name.get(name.as_str()).cloned().unwrap_or_default() {
                self.function(function);
            }
        }
        for object in &refers.objects {
            self.object(*object);
        }
    }

    /// Objects without a known reference may be used by anything, so they are roots.
    fn roots(&mut self) {
        let (module, linked) = (self.module, self.linked);
        let all = linked.functions.values().chain(linked.objects.iter().map(|object| &object.refers));
        let (mut named, mut read) = (BTreeSet::new(), BTreeSet::new());
        for refers in all {
            named.extend(refers.functions.iter().map(String::as_str));
            read.extend(refers.objects.iter().copied());
        }
        let unnamed = |function: &u32| module.names.get(function).is_none_or(|name| !named.contains(name));
        let in_table = module.slots.iter().map(|(function, _)| *function).filter(unnamed);
        for function in (0..module.imported).chain(module.open.iter().copied()).chain(in_table) {
            self.function(function);
        }
        for object in (0..linked.objects.len()).filter(|object| !read.contains(object)) {
            self.object(object);
        }
        for (name, refers) in &linked.functions {
            // wasm-bindgen renames exports and removes functions that describe types to it.
            if !self.by_name.contains_key(name.as_str()) && !name.contains("::describe") {
                self.refers(refers);
            }
        }
    }

    fn follow(&mut self) {
        let (module, linked) = (self.module, self.linked);
        loop {
            if let Some(function) = self.waiting.0.pop() {
                for callee in module.callees(function) {
                    self.function(callee);
                }
                if let Some(refers) = module.names.get(&function).and_then(|name| linked.functions.get(*name))
                {
                    self.refers(refers);
                }
            } else if let Some(object) = self.waiting.1.pop() {
                self.refers(&linked.objects[object].refers);
            } else {
                return;
            }
        }
    }
}

impl Plan {
    pub fn make(
        module: &Module<'_>,
        linked: &Linked,
        later: &dyn Fn(&str) -> bool,
        load: &str,
    ) -> Outcome<Self> {
        let load =
            *module.exports.get(load).ok_or_else(|| format!("The module does not export `{load}`."))?;
        let table = module.tables.iter().position(|table| table.element_type == RefType::FUNCREF);
        let table = table.ok_or("The module has no table of functions.")?;
        let start = module.tables[table].initial as u32;
        let named: BTreeSet<u32> =
            module.names.iter().filter(|(_, name)| later(name)).map(|(index, _)| *index).collect();
        let mut by_name: BTreeMap<&str, Vec<u32>> = BTreeMap::new();
        for (index, name) in &module.names {
            by_name.entry(name).or_default().push(*index);
        }
        let mut first = First {
            module,
            linked,
            named: &named,
            by_name,
            functions: BTreeSet::new(),
            objects: BTreeSet::new(),
            entered: BTreeSet::new(),
            waiting: Default::default(),
        };
        first.roots();
        first.follow();
        let First { functions: first, objects, entered, .. } = first;
        let all = 0..module.functions.len() as u32;
        let later: BTreeSet<u32> = all.filter(|function| !first.contains(function)).collect();
        let shared = later
            .iter()
            .flat_map(|function| module.callees(*function))
            .filter(|f| first.contains(f))
            .collect();
        let slots = module.slots.iter().filter(|(f, _)| later.contains(f)).map(|(f, slot)| (*slot, *f));
        let slots = slots.collect();
        let entries = entered.into_iter().zip(start..).collect();
        let data = stretches(module, linked, &objects);
        Ok(Self { later, entries, slots, shared, data, table: table as u32, load })
    }
}

/// The bytes of each segment that don't belong to these objects.
fn stretches(module: &Module<'_>, linked: &Linked, first: &BTreeSet<usize>) -> Vec<Vec<Range<usize>>> {
    let mut stretches: Vec<Vec<Range<usize>>> = vec![Vec::new(); module.data.len()];
    for (_, object) in linked.objects.iter().enumerate().filter(|(i, _)| !first.contains(i)) {
        let Some(stretches) = stretches.get_mut(object.segment) else { continue };
        match stretches.last_mut() {
            Some(last) if last.end == object.bytes.start => last.end = object.bytes.end,
            Some(_) | None => stretches.push(object.bytes.clone()),
        }
    }
    stretches
}
