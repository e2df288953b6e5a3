//! Shell variables: scalars, indexed and associative arrays, attributes, dynamic scopes.
//!
//! Cost: the inherited environment stays packed and is shared by all copies of a shell; each copy stores only
//! its changes. A script with a job's hundred variables is small, and a subshell costs almost nothing.

pub(crate) mod weight;

use crate::options::{Flag, OptionSet};
use base::order::StableSort as _;
use base::regex::{lower, upper};
use host::Env;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

/// An indexed array.
pub type IndexedArray = BTreeMap<i64, String>;
/// An associative array.
pub type AssocArray = BTreeMap<String, String>;

/// The value of a variable.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum VarValue {
    /// Declared without a value.
    #[default]
    Unset,
    /// A scalar.
    Text(String),
    /// An indexed array.
    List(IndexedArray),
    /// An associative array.
    Map(AssocArray),
}

/// A variable.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShellVar {
    pub value: VarValue,
    pub exported: bool,
    pub readonly: bool,
    pub integer: bool,
    pub upper: bool,
    pub lower: bool,
    /// `declare -n`: the value names another variable.
    pub reference: bool,
    /// An array that is declared but never assigned.
    pub bare: bool,
}

impl ShellVar {
    /// A plain scalar.
    #[must_use]
    pub fn text(value: impl Into<String>) -> Self {
        Self { value: VarValue::Text(value.into()), ..Self::default() }
    }

    /// The value of `$name`; of an array, element 0.
    #[must_use]
    pub fn scalar(&self) -> Option<&str> {
        match &self.value {
            VarValue::Unset => None,
            VarValue::Text(text) => Some(text),
            VarValue::List(list) => list.get(&0).map(String::as_str),
            VarValue::Map(map) => map.get("0").map(String::as_str),
        }
    }

    /// The letters of `declare -p` and `${x@a}`.
    #[must_use]
    pub fn flags(&self) -> String {
        let flags = [
            (matches!(self.value, VarValue::List(_)), 'a'),
            (matches!(self.value, VarValue::Map(_)), 'A'),
            (self.integer, 'i'),
            (self.lower, 'l'),
            (self.reference, 'n'),
            (self.readonly, 'r'),
            (self.upper, 'u'),
            (self.exported, 'x'),
        ];
        flags.iter().filter(|(on, _)| *on).map(|(_, c)| *c).collect()
    }

    /// The value after applying the variable's case attributes.
    #[must_use]
    pub fn cased(&self, text: String) -> String {
        if self.upper {
            text.chars().map(upper).collect()
        } else if self.lower {
            text.chars().map(lower).collect()
        } else {
            text
        }
    }

    /// Whether assigning a text needs no attribute handling.
    const fn is_plain(&self) -> bool {
        !(self.readonly || self.integer || self.upper || self.lower || self.reference)
    }
}

/// A variable lookup result: the shell's own, or an inherited one, which is a plain exported scalar.
#[derive(Clone, Copy, Debug)]
pub enum VarRef<'a> {
    /// One of the shell's own variables.
    Own(&'a ShellVar),
    /// Inherited and unchanged.
    Inherited(&'a str),
}

impl<'a> VarRef<'a> {
    /// The value of `$name`.
    #[must_use]
    pub fn scalar(self) -> Option<&'a str> {
        match self {
            Self::Own(var) => var.scalar(),
            Self::Inherited(text) => Some(text),
        }
    }

    /// Its value, unless it is an array.
    #[must_use]
    pub fn text(self) -> Option<&'a str> {
        match self {
            Self::Own(ShellVar { value: VarValue::Text(text), .. }) => Some(text),
            Self::Own(_) => None,
            Self::Inherited(text) => Some(text),
        }
    }

    /// An indexed array.
    #[must_use]
    pub const fn list(self) -> Option<&'a IndexedArray> {
        match self {
            Self::Own(ShellVar { value: VarValue::List(list), .. }) => Some(list),
            Self::Own(_) | Self::Inherited(_) => None,
        }
    }

    /// An associative array.
    #[must_use]
    pub const fn map(self) -> Option<&'a AssocArray> {
        match self {
            Self::Own(ShellVar { value: VarValue::Map(map), .. }) => Some(map),
            Self::Own(_) | Self::Inherited(_) => None,
        }
    }

    /// The variable with its attributes, if it is the shell's own.
    #[must_use]
    pub const fn own(self) -> Option<&'a ShellVar> {
        match self {
            Self::Own(var) => Some(var),
            Self::Inherited(_) => None,
        }
    }

    /// An owned copy.
    #[must_use]
    pub fn to_var(self) -> ShellVar {
        match self {
            Self::Own(var) => var.clone(),
            Self::Inherited(text) => ShellVar { exported: true, ..ShellVar::text(text) },
        }
    }
}

/// Whether a variable exists and is read-only.
#[must_use]
pub fn is_readonly(seen: Option<VarRef>) -> bool {
    seen.and_then(VarRef::own).is_some_and(|var| var.readonly)
}

/// The inherited environment: concatenated `name=value` entries with an index by name.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct PackedEnv {
    text: Box<str>,
    /// The start of each name.
    offsets: Box<[u32]>,
    /// The length of each name.
    names: Box<[u16]>,
}

impl PackedEnv {
    fn new(env: &Env) -> Self {
        let size = env.iter().map(|(name, value)| name.len() + value.len() + 1).sum();
        let mut text = String::with_capacity(size);
        let mut offsets = Vec::with_capacity(env.len());
        let mut names = Vec::with_capacity(env.len());
        // Skip names longer than 65,535 bytes.
        for (name, value) in env.iter().filter(|(name, _)| u16::try_from(name.len()).is_ok()) {
            names.push(u16::try_from(name.len()).unwrap_or(0));
            offsets.push(u32::try_from(text.len()).unwrap_or(u32::MAX));
            text.push_str(name);
            text.push('=');
            text.push_str(value);
        }
        Self { text: text.into(), offsets: offsets.into(), names: names.into() }
    }

    fn row(&self, at: usize) -> (&str, &str) {
        let (Some(start), Some(name)) = (self.offsets.get(at), self.names.get(at)) else { return ("", "") };
        let (start, end) = (*start as usize, *start as usize + usize::from(*name));
        let next = self.offsets.get(at + 1).map_or(self.text.len(), |next| *next as usize);
        (self.text.get(start..end).unwrap_or(""), self.text.get(end + 1..next).unwrap_or(""))
    }

    fn get(&self, name: &str) -> Option<&str> {
        let (mut low, mut high) = (0, self.offsets.len());
        while low < high {
            let middle = low + (high - low) / 2;
            let (found, value) = self.row(middle);
            match found.cmp(name) {
                std::cmp::Ordering::Equal => return Some(value),
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        None
    }

    fn rows(&self) -> impl Iterator<Item = (&str, &str)> {
        (0..self.offsets.len()).map(|at| self.row(at))
    }
}

/// A variable of the shell; `None` hides an inherited one that was unset.
type Slot = (Box<str>, Option<ShellVar>);

/// All variables, and the values hidden by `local`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Vars {
    inherited: Arc<PackedEnv>,
    /// Sorted by name.
    own: Vec<Slot>,
    /// The hidden values of each scope.
    scopes: Vec<Vec<(String, Option<ShellVar>)>>,
    /// `local -`: options to restore when this many scopes are left.
    options: Vec<(u32, OptionSet<Flag>)>,
    /// The cached environment for programs, until a variable changes.
    #[serde(skip)]
    env: Option<Arc<Env>>,
}

impl Vars {
    /// Creates the variables from an inherited environment.
    #[must_use]
    pub fn inherit(env: &Env) -> Self {
        Self { inherited: Arc::new(PackedEnv::new(env)), ..Self::default() }
    }

    fn position(&self, name: &str) -> Result<usize, usize> {
        self.own.binary_search_by(|(own, _)| (**own).cmp(name))
    }

    /// Resolves `declare -n` references.
    #[must_use]
    pub fn resolve<'a>(&'a self, name: &'a str) -> &'a str {
        let mut name = name;
        for _ in 0..10 {
            match self.raw(name) {
                Some(VarRef::Own(ShellVar { reference: true, value: VarValue::Text(target), .. }))
                    if !target.is_empty() =>
                {
                    name = target;
                }
                Some(_) | None => break,
            }
        }
        name
    }

    /// The array and subscript of a reference such as `declare -n r=a[1]`.
    #[must_use]
    pub fn resolve_element(&self, name: &str) -> Option<(String, String)> {
        if !self.raw(name)?.own()?.reference {
            return None;
        }
        let (array, rest) = self.resolve(name).split_once('[')?;
        Some((array.to_owned(), rest.strip_suffix(']')?.to_owned()))
    }

    /// A variable, after resolving references.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<VarRef<'_>> {
        match self.raw(name)? {
            VarRef::Own(ShellVar { reference: true, .. }) => self.raw(self.resolve(name)),
            seen => Some(seen),
        }
    }

    /// The variable itself, without resolving references.
    #[must_use]
    pub fn raw(&self, name: &str) -> Option<VarRef<'_>> {
        match self.position(name) {
            Ok(at) => self.own[at].1.as_ref().map(VarRef::Own),
            Err(_) => self.inherited.get(name).map(VarRef::Inherited),
        }
    }

    /// The text of a scalar without attributes, mutably.
    pub fn plain_text(&mut self, name: &str) -> Option<&mut String> {
        let at = self.position(name).ok()?;
        match &mut self.own[at].1 {
            Some(var) if var.exported => None,
            Some(var) if var.is_plain() => match &mut var.value {
                VarValue::Text(text) => Some(text),
                VarValue::Unset | VarValue::List(_) | VarValue::Map(_) => None,
            },
            Some(_) | None => None,
        }
    }

    /// The variable, created if missing, after resolving references.
    pub fn entry(&mut self, name: &str) -> &mut ShellVar {
        let reference = matches!(self.raw(name), Some(VarRef::Own(ShellVar { reference: true, .. })));
        if reference {
            let name = self.resolve(name).to_owned();
            return self.raw_entry(&name);
        }
        self.raw_entry(name)
    }

    /// The variable itself, created if missing.
    pub fn raw_entry(&mut self, name: &str) -> &mut ShellVar {
        self.env = None;
        let at = match self.position(name) {
            Ok(at) => at,
            Err(at) => {
                let var = self.inherited.get(name).map(|text| VarRef::Inherited(text).to_var());
                self.own.insert(at, (name.into(), Some(var.unwrap_or_default())));
                at
            }
        };
        self.own[at].1.get_or_insert_default()
    }

    /// Stores or removes a variable; returns the previous one.
    fn put(&mut self, name: &str, var: Option<ShellVar>) -> Option<ShellVar> {
        self.env = None;
        let inherited = self.inherited.get(name);
        match self.position(name) {
            Ok(at) if var.is_none() && inherited.is_none() => self.own.remove(at).1,
            Ok(at) => std::mem::replace(&mut self.own[at].1, var),
            Err(at) => {
                let old = inherited.map(|text| VarRef::Inherited(text).to_var());
                if var.is_some() || old.is_some() {
                    self.own.insert(at, (name.into(), var));
                }
                old
            }
        }
    }

    /// Removes a variable.
    pub fn remove(&mut self, name: &str) {
        self.put(name, None);
    }

    /// All names and variables, sorted.
    pub fn iter(&self) -> impl Iterator<Item = (&str, VarRef<'_>)> {
        let own = self.own.iter().filter_map(|(name, var)| Some((&**name, VarRef::Own(var.as_ref()?))));
        let rest = self.inherited.rows().filter(|(name, _)| self.position(name).is_err());
        let mut all: Vec<(&str, VarRef)> = own.collect();
        all.extend(rest.map(|(name, text)| (name, VarRef::Inherited(text))));
        all.order_by(|a, b| a.0.cmp(b.0));
        all.into_iter()
    }

    /// The number of open scopes.
    #[must_use]
    pub fn depth(&self) -> usize {
        self.scopes.len()
    }

    /// Opens a scope.
    pub fn open(&mut self) {
        self.scopes.push(Vec::new());
    }

    /// Closes scopes down to `depth` and restores hidden values.
    pub fn close(&mut self, depth: usize) {
        while self.scopes.len() > depth {
            for (name, var) in self.scopes.pop().unwrap_or_default() {
                self.put(&name, var);
            }
        }
    }

    /// `local -`: saves the options until the innermost scope closes.
    pub fn keep_options(&mut self, flags: OptionSet<Flag>) {
        let depth = u32::try_from(self.scopes.len()).unwrap_or(0);
        if self.options.last().is_none_or(|(kept, _)| *kept < depth) {
            self.options.push((depth, flags));
        }
    }

    /// Options to restore after scopes were closed.
    pub fn options_back(&mut self) -> Option<OptionSet<Flag>> {
        let depth = u32::try_from(self.scopes.len()).unwrap_or(0);
        let mut back = None;
        while let Some((_, flags)) = self.options.pop_if(|(kept, _)| *kept > depth) {
            back = Some(flags);
        }
        back
    }

    /// The value hidden by the outermost scope with this name: the global variable.
    fn outermost(&mut self, name: &str) -> Option<&mut Option<ShellVar>> {
        self.scopes.iter_mut().flatten().find(|(hidden, _)| hidden == name).map(|(_, var)| var)
    }

    /// `declare -g` in a function: swaps the global variable in if a local one hides it; returns the local
    /// one.
    pub fn expose_global(&mut self, name: &str) -> Option<Option<ShellVar>> {
        let global = self.outermost(name)?.take();
        Some(self.put(name, global))
    }

    /// Reverts [`Vars::expose_global`]: the local variable hides the global one again.
    pub fn hide_global(&mut self, name: &str, local: Option<ShellVar>) {
        let global = self.put(name, local);
        if let Some(kept) = self.outermost(name) {
            *kept = global;
        }
    }

    /// Whether a variable is inherited and unchanged.
    #[must_use]
    pub fn is_inherited(&self, name: &str) -> bool {
        self.position(name).is_err()
    }

    /// Whether a name is local to the innermost scope.
    #[must_use]
    pub fn is_local(&self, name: &str) -> bool {
        self.scopes.last().is_some_and(|scope| scope.iter().any(|(hidden, _)| hidden == name))
    }

    /// Makes a name local to the innermost scope; returns true if it was not.
    pub fn hide(&mut self, name: &str) -> bool {
        if self.scopes.is_empty() || self.is_local(name) {
            return false;
        }
        let old = self.put(name, None);
        if let Some(scope) = self.scopes.last_mut() {
            scope.push((name.to_owned(), old));
        }
        true
    }

    /// The environment for programs; `more` adds to it. Cached until a variable changes or [`Vars::rest`].
    pub fn shared_env(&mut self, more: impl FnOnce(&mut Env)) -> Arc<Env> {
        if let Some(env) = &self.env {
            return env.clone();
        }
        let mut env = self.env();
        more(&mut env);
        let env = Arc::new(env);
        self.env = Some(env.clone());
        env
    }

    /// Drops caches that are not shared, while the shell waits.
    pub fn rest(&mut self) {
        self.env = self.env.take().filter(|env| Arc::strong_count(env) > 1);
        self.own.shrink_to_fit();
    }

    /// Invalidates the cached environment after a change of exported functions.
    pub fn forget_env(&mut self) {
        self.env = None;
    }

    fn env(&self) -> Env {
        let mut env: Env = self.inherited.rows().map(|(k, v)| (k.to_owned(), v.to_owned())).collect();
        for (name, var) in &self.own {
            match var {
                Some(ShellVar { exported: true, value: VarValue::Text(text), .. }) => {
                    env.insert(name.to_string(), text.clone());
                }
                Some(_) | None => drop(env.remove(&**name)),
            }
        }
        env
    }
}

/// The keys of an associative array in the order of bash's hash table.
#[must_use]
pub fn map_keys(map: &AssocArray) -> Vec<&String> {
    let bucket = |key: &str| {
        key.bytes().fold(2_166_136_261_u32, |h, b| h.wrapping_mul(16_777_619) ^ u32::from(b)) & 1023
    };
    let mut keys: Vec<&String> = map.keys().collect();
    keys.order_by_key(|k| bucket(k));
    keys
}
