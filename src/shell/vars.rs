//! Shell variables: scalars, indexed and associative arrays, attributes, dynamic scopes.

use crate::base::order::Order as _;
use crate::host::Env;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// What a variable holds.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Value {
    /// Declared, without a value.
    #[default]
    Unset,
    /// A scalar.
    Text(String),
    /// An indexed array.
    List(BTreeMap<i64, String>),
    /// An associative array.
    Map(BTreeMap<String, String>),
}

/// A variable.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct Var {
    pub value: Value,
    pub exported: bool,
    pub readonly: bool,
    pub integer: bool,
    pub upper: bool,
    pub lower: bool,
    /// `declare -n`: the value names another variable.
    pub reference: bool,
    /// An array that was declared and never assigned to.
    pub bare: bool,
}

impl Var {
    /// A plain scalar.
    #[must_use]
    pub fn text(value: impl Into<String>) -> Self {
        Self { value: Value::Text(value.into()), ..Self::default() }
    }

    /// What `$name` gives: of an array, element 0.
    #[must_use]
    pub fn scalar(&self) -> Option<&str> {
        match &self.value {
            Value::Unset => None,
            Value::Text(text) => Some(text),
            Value::List(list) => list.get(&0).map(String::as_str),
            Value::Map(map) => map.get("0").map(String::as_str),
        }
    }

    /// The letters of `declare -p` and `${x@a}`.
    #[must_use]
    pub fn flags(&self) -> String {
        let flags = [
            (matches!(self.value, Value::List(_)), 'a'),
            (matches!(self.value, Value::Map(_)), 'A'),
            (self.integer, 'i'),
            (self.lower, 'l'),
            (self.reference, 'n'),
            (self.readonly, 'r'),
            (self.upper, 'u'),
            (self.exported, 'x'),
        ];
        flags.iter().filter(|(on, _)| *on).map(|(_, c)| *c).collect()
    }

    /// The value as it is stored with this variable's attributes.
    #[must_use]
    pub fn cased(&self, text: String) -> String {
        if self.upper {
            text.to_uppercase()
        } else if self.lower {
            text.to_lowercase()
        } else {
            text
        }
    }
}

/// All variables, and what functions hide with `local`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Vars {
    all: BTreeMap<String, Var>,
    /// Per scope: what stood there before.
    scopes: Vec<BTreeMap<String, Option<Var>>>,
    /// `local -`: options of `set` that come back when so many scopes are left.
    options: Vec<(u32, BTreeSet<String>)>,
    /// How often something may have changed: whoever made something of the variables looks at it.
    #[serde(skip)]
    changes: u64,
}

impl Vars {
    /// The exported variables that a shell inherits.
    #[must_use]
    pub fn inherit(env: &Env) -> Self {
        let exported = |v: &String| Var { exported: true, ..Var::text(v.clone()) };
        Self {
            all: env.iter().map(|(k, v)| (k.clone(), exported(v))).collect(),
            scopes: Vec::new(),
            options: Vec::new(),
            changes: 0,
        }
    }

    /// Changes with every change of a variable.
    #[must_use]
    pub const fn changes(&self) -> u64 {
        self.changes
    }

    /// Follows `declare -n`.
    #[must_use]
    pub fn resolve<'a>(&'a self, name: &'a str) -> &'a str {
        let mut name = name;
        for _ in 0..10 {
            match self.all.get(name) {
                Some(Var { reference: true, value: Value::Text(target), .. }) if !target.is_empty() => {
                    name = target;
                }
                Some(_) | None => break,
            }
        }
        name
    }

    /// The array and subscript that a reference like `declare -n r=a[1]` means.
    #[must_use]
    pub fn resolve_element(&self, name: &str) -> Option<(String, String)> {
        if !self.all.get(name)?.reference {
            return None;
        }
        let (array, rest) = self.resolve(name).split_once('[')?;
        Some((array.to_owned(), rest.strip_suffix(']')?.to_owned()))
    }

    /// A variable; references are followed.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Var> {
        self.all.get(self.resolve(name))
    }

    /// The variable itself.
    #[must_use]
    pub fn raw(&self, name: &str) -> Option<&Var> {
        self.all.get(name)
    }

    /// The variable of this name, made if there is none; references are followed.
    pub fn entry(&mut self, name: &str) -> &mut Var {
        let name = self.resolve(name).to_owned();
        self.changes += 1;
        self.all.entry(name).or_default()
    }

    /// The variable itself, made if there is none.
    pub fn raw_entry(&mut self, name: &str) -> &mut Var {
        self.changes += 1;
        self.all.entry(name.to_owned()).or_default()
    }

    /// Removes a variable.
    pub fn remove(&mut self, name: &str) {
        self.changes += 1;
        self.all.remove(name);
    }

    /// Names and variables, sorted.
    pub fn iter(&self) -> impl Iterator<Item = (&String, &Var)> {
        self.all.iter()
    }

    /// How many scopes are open.
    #[must_use]
    pub fn depth(&self) -> usize {
        self.scopes.len()
    }

    /// Opens a scope.
    pub fn open(&mut self) {
        self.scopes.push(BTreeMap::new());
    }

    /// Closes scopes down to `depth`, with what they hid coming back.
    pub fn close(&mut self, depth: usize) {
        while self.scopes.len() > depth {
            for (name, var) in self.scopes.pop().unwrap_or_default() {
                self.changes += 1;
                match var {
                    Some(var) => self.all.insert(name, var),
                    None => self.all.remove(&name),
                };
            }
        }
    }

    /// `local -`: remembers the options of `set` for the end of the innermost scope.
    pub fn keep_options(&mut self, flags: &BTreeSet<String>) {
        let depth = u32::try_from(self.scopes.len()).unwrap_or(0);
        if self.options.last().is_none_or(|(kept, _)| *kept < depth) {
            self.options.push((depth, flags.clone()));
        }
    }

    /// Options that come back now that scopes were closed.
    pub fn options_back(&mut self) -> Option<BTreeSet<String>> {
        let depth = u32::try_from(self.scopes.len()).unwrap_or(0);
        let mut back = None;
        while let Some((_, flags)) = self.options.pop_if(|(kept, _)| *kept > depth) {
            back = Some(flags);
        }
        back
    }

    /// `declare -g` in a function: the global variable stands in front, if a local one hid it. Gives the local one.
    pub fn expose_global(&mut self, name: &str) -> Option<Option<Var>> {
        self.changes += 1;
        let outermost = self.scopes.iter_mut().find_map(|scope| scope.get_mut(name))?;
        let global = outermost.take();
        let local = self.all.remove(name);
        if let Some(global) = global {
            self.all.insert(name.to_owned(), global);
        }
        Some(local)
    }

    /// Takes [`Vars::expose_global`] back: the local variable hides the global one again.
    pub fn hide_global(&mut self, name: &str, local: Option<Var>) {
        self.changes += 1;
        let global = self.all.remove(name);
        if let Some(outermost) = self.scopes.iter_mut().find_map(|scope| scope.get_mut(name)) {
            *outermost = global;
        }
        if let Some(local) = local {
            self.all.insert(name.to_owned(), local);
        }
    }

    /// Makes a name local to the innermost scope; true if it was not before.
    pub fn hide(&mut self, name: &str) -> bool {
        self.changes += 1;
        let Some(scope) = self.scopes.last_mut() else { return false };
        if scope.contains_key(name) {
            return false;
        }
        let old = self.all.remove(name);
        scope.insert(name.to_owned(), old);
        true
    }

    /// What a program inherits.
    #[must_use]
    pub fn env(&self) -> Env {
        self.exported().map(|(name, text)| (name.clone(), text.clone())).collect()
    }

    /// Whether that is what a program inherits now.
    #[must_use]
    pub fn exports(&self, env: &Env) -> bool {
        self.exported().eq(env.iter())
    }

    fn exported(&self) -> impl Iterator<Item = (&String, &String)> {
        self.all.iter().filter(|(_, v)| v.exported).filter_map(|(name, v)| match &v.value {
            Value::Text(text) => Some((name, text)),
            Value::Unset | Value::List(_) | Value::Map(_) => None,
        })
    }
}

/// The keys of an associative array in the order in which bash walks its hash table.
#[must_use]
pub fn map_keys(map: &BTreeMap<String, String>) -> Vec<&String> {
    let bucket = |key: &str| {
        key.bytes().fold(2_166_136_261_u32, |h, b| h.wrapping_mul(16_777_619) ^ u32::from(b)) & 1023
    };
    let mut keys: Vec<&String> = map.keys().collect();
    keys.order_by_key(|k| bucket(k));
    keys
}
