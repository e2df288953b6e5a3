//! Shell variables: scalars, indexed and associative arrays, attributes, dynamic scopes.
//!
//! What a shell inherits stays where it is, packed and shared by all of its copies; only what it changes is its own.
//! So a script at rest with a job's hundred variables is small, and a subshell costs next to nothing.

use crate::base::order::Order as _;
use crate::base::regex::{lower, upper};
use crate::host::Env;
use crate::shell::options::{Flag, Set};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

/// An indexed array.
pub type List = BTreeMap<i64, String>;
/// An associative array.
pub type Map = BTreeMap<String, String>;

/// What a variable holds.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Value {
    /// Declared, without a value.
    #[default]
    Unset,
    /// A scalar.
    Text(String),
    /// An indexed array.
    List(List),
    /// An associative array.
    Map(Map),
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
            text.chars().map(upper).collect()
        } else if self.lower {
            text.chars().map(lower).collect()
        } else {
            text
        }
    }

    /// Nothing but an assignment of a text has to be done to set it.
    const fn is_plain(&self) -> bool {
        !(self.readonly || self.integer || self.upper || self.lower || self.reference)
    }
}

/// A variable as it is found: the shell's own, or an inherited one, which is a plain exported scalar.
#[derive(Clone, Copy, Debug)]
pub enum Seen<'a> {
    /// The shell's own.
    Own(&'a Var),
    /// Inherited and untouched.
    Inherited(&'a str),
}

impl<'a> Seen<'a> {
    /// What `$name` gives.
    #[must_use]
    pub fn scalar(self) -> Option<&'a str> {
        match self {
            Self::Own(var) => var.scalar(),
            Self::Inherited(text) => Some(text),
        }
    }

    /// Its value, if it is not an array.
    #[must_use]
    pub fn text(self) -> Option<&'a str> {
        match self {
            Self::Own(Var { value: Value::Text(text), .. }) => Some(text),
            Self::Own(_) => None,
            Self::Inherited(text) => Some(text),
        }
    }

    /// An indexed array.
    #[must_use]
    pub const fn list(self) -> Option<&'a List> {
        match self {
            Self::Own(Var { value: Value::List(list), .. }) => Some(list),
            Self::Own(_) | Self::Inherited(_) => None,
        }
    }

    /// An associative array.
    #[must_use]
    pub const fn map(self) -> Option<&'a Map> {
        match self {
            Self::Own(Var { value: Value::Map(map), .. }) => Some(map),
            Self::Own(_) | Self::Inherited(_) => None,
        }
    }

    /// Its attributes, where it is the shell's own.
    #[must_use]
    pub const fn own(self) -> Option<&'a Var> {
        match self {
            Self::Own(var) => Some(var),
            Self::Inherited(_) => None,
        }
    }

    /// A copy.
    #[must_use]
    pub fn to_var(self) -> Var {
        match self {
            Self::Own(var) => var.clone(),
            Self::Inherited(text) => Var { exported: true, ..Var::text(text) },
        }
    }
}

/// Whether a variable is there and must not change.
#[must_use]
pub fn is_readonly(seen: Option<Seen>) -> bool {
    seen.and_then(Seen::own).is_some_and(|var| var.readonly)
}

/// What was inherited: `name=value` one behind the other, and where each begins, by name.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Packed {
    text: Box<str>,
    /// Where each name begins.
    places: Box<[u32]>,
    /// How long each name is.
    names: Box<[u16]>,
}

impl Packed {
    fn new(env: &Env) -> Self {
        let size = env.iter().map(|(name, value)| name.len() + value.len() + 1).sum();
        let mut text = String::with_capacity(size);
        let mut places = Vec::with_capacity(env.len());
        let mut names = Vec::with_capacity(env.len());
        // A name of more than 65,535 bytes is none that a shell could use.
        for (name, value) in env.iter().filter(|(name, _)| u16::try_from(name.len()).is_ok()) {
            names.push(u16::try_from(name.len()).unwrap_or(0));
            places.push(u32::try_from(text.len()).unwrap_or(u32::MAX));
            text.push_str(name);
            text.push('=');
            text.push_str(value);
        }
        Self { text: text.into(), places: places.into(), names: names.into() }
    }

    fn row(&self, at: usize) -> (&str, &str) {
        let (Some(start), Some(name)) = (self.places.get(at), self.names.get(at)) else { return ("", "") };
        let (start, end) = (*start as usize, *start as usize + usize::from(*name));
        let next = self.places.get(at + 1).map_or(self.text.len(), |next| *next as usize);
        (self.text.get(start..end).unwrap_or(""), self.text.get(end + 1..next).unwrap_or(""))
    }

    fn get(&self, name: &str) -> Option<&str> {
        let (mut low, mut high) = (0, self.places.len());
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
        (0..self.places.len()).map(|at| self.row(at))
    }
}

/// A variable of the shell's own; none: an inherited one that is gone.
type Slot = (Box<str>, Option<Var>);

/// All variables, and what functions hide with `local`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Vars {
    inherited: Arc<Packed>,
    /// Sorted by name.
    own: Vec<Slot>,
    /// Per scope: what stood there before.
    scopes: Vec<Vec<(String, Option<Var>)>>,
    /// `local -`: options of `set` that come back when so many scopes are left.
    options: Vec<(u32, Set<Flag>)>,
    /// What a program inherits, until a variable changes.
    #[serde(skip)]
    env: Option<Arc<Env>>,
}

impl Vars {
    /// The exported variables that a shell inherits.
    #[must_use]
    pub fn inherit(env: &Env) -> Self {
        Self { inherited: Arc::new(Packed::new(env)), ..Self::default() }
    }

    fn place(&self, name: &str) -> Result<usize, usize> {
        self.own.binary_search_by(|(own, _)| (**own).cmp(name))
    }

    /// Follows `declare -n`.
    #[must_use]
    pub fn resolve<'a>(&'a self, name: &'a str) -> &'a str {
        let mut name = name;
        for _ in 0..10 {
            match self.raw(name) {
                Some(Seen::Own(Var { reference: true, value: Value::Text(target), .. }))
                    if !target.is_empty() =>
                {
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
        if !self.raw(name)?.own()?.reference {
            return None;
        }
        let (array, rest) = self.resolve(name).split_once('[')?;
        Some((array.to_owned(), rest.strip_suffix(']')?.to_owned()))
    }

    /// A variable; references are followed.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<Seen<'_>> {
        match self.raw(name)? {
            Seen::Own(Var { reference: true, .. }) => self.raw(self.resolve(name)),
            seen => Some(seen),
        }
    }

    /// The variable itself.
    #[must_use]
    pub fn raw(&self, name: &str) -> Option<Seen<'_>> {
        match self.place(name) {
            Ok(at) => self.own[at].1.as_ref().map(Seen::Own),
            Err(_) => self.inherited.get(name).map(Seen::Inherited),
        }
    }

    /// The text of a scalar to which a text can be assigned just so: no attribute, no array, no reference.
    pub fn plain_text(&mut self, name: &str) -> Option<&mut String> {
        let at = self.place(name).ok()?;
        match &mut self.own[at].1 {
            Some(var) if var.exported => None,
            Some(var) if var.is_plain() => match &mut var.value {
                Value::Text(text) => Some(text),
                Value::Unset | Value::List(_) | Value::Map(_) => None,
            },
            Some(_) | None => None,
        }
    }

    /// The variable of this name, made if there is none; references are followed.
    pub fn entry(&mut self, name: &str) -> &mut Var {
        let reference = matches!(self.raw(name), Some(Seen::Own(Var { reference: true, .. })));
        if reference {
            let name = self.resolve(name).to_owned();
            return self.raw_entry(&name);
        }
        self.raw_entry(name)
    }

    /// The variable itself, made if there is none.
    pub fn raw_entry(&mut self, name: &str) -> &mut Var {
        self.env = None;
        let at = match self.place(name) {
            Ok(at) => at,
            Err(at) => {
                let var = self.inherited.get(name).map(|text| Seen::Inherited(text).to_var());
                self.own.insert(at, (name.into(), Some(var.unwrap_or_default())));
                at
            }
        };
        self.own[at].1.get_or_insert_default()
    }

    /// Puts a variable in its place, or takes it away.
    fn put(&mut self, name: &str, var: Option<Var>) -> Option<Var> {
        self.env = None;
        let inherited = self.inherited.get(name);
        match self.place(name) {
            Ok(at) if var.is_none() && inherited.is_none() => self.own.remove(at).1,
            Ok(at) => std::mem::replace(&mut self.own[at].1, var),
            Err(at) => {
                let old = inherited.map(|text| Seen::Inherited(text).to_var());
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

    /// Names and variables, sorted.
    pub fn iter(&self) -> impl Iterator<Item = (&str, Seen<'_>)> {
        let own = self.own.iter().filter_map(|(name, var)| Some((&**name, Seen::Own(var.as_ref()?))));
        let rest = self.inherited.rows().filter(|(name, _)| self.place(name).is_err());
        let mut all: Vec<(&str, Seen)> = own.collect();
        all.extend(rest.map(|(name, text)| (name, Seen::Inherited(text))));
        all.order_by(|a, b| a.0.cmp(b.0));
        all.into_iter()
    }

    /// How many scopes are open.
    #[must_use]
    pub fn depth(&self) -> usize {
        self.scopes.len()
    }

    /// Opens a scope.
    pub fn open(&mut self) {
        self.scopes.push(Vec::new());
    }

    /// Closes scopes down to `depth`, with what they hid coming back.
    pub fn close(&mut self, depth: usize) {
        while self.scopes.len() > depth {
            for (name, var) in self.scopes.pop().unwrap_or_default() {
                self.put(&name, var);
            }
        }
    }

    /// `local -`: remembers the options of `set` for the end of the innermost scope.
    pub fn keep_options(&mut self, flags: Set<Flag>) {
        let depth = u32::try_from(self.scopes.len()).unwrap_or(0);
        if self.options.last().is_none_or(|(kept, _)| *kept < depth) {
            self.options.push((depth, flags));
        }
    }

    /// Options that come back now that scopes were closed.
    pub fn options_back(&mut self) -> Option<Set<Flag>> {
        let depth = u32::try_from(self.scopes.len()).unwrap_or(0);
        let mut back = None;
        while let Some((_, flags)) = self.options.pop_if(|(kept, _)| *kept > depth) {
            back = Some(flags);
        }
        back
    }

    /// What the outermost scope that hides a name keeps.
    fn outermost(&mut self, name: &str) -> Option<&mut Option<Var>> {
        self.scopes.iter_mut().flatten().find(|(hidden, _)| hidden == name).map(|(_, var)| var)
    }

    /// `declare -g` in a function: the global variable stands in front, if a local one hid it. Gives the local one.
    pub fn expose_global(&mut self, name: &str) -> Option<Option<Var>> {
        let global = self.outermost(name)?.take();
        Some(self.put(name, global))
    }

    /// Takes [`Vars::expose_global`] back: the local variable hides the global one again.
    pub fn hide_global(&mut self, name: &str, local: Option<Var>) {
        let global = self.put(name, local);
        if let Some(kept) = self.outermost(name) {
            *kept = global;
        }
    }

    /// Whether nothing was done to a variable since the shell began.
    #[must_use]
    pub fn is_inherited(&self, name: &str) -> bool {
        self.place(name).is_err()
    }

    /// Whether a name is local to the innermost scope.
    #[must_use]
    pub fn is_local(&self, name: &str) -> bool {
        self.scopes.last().is_some_and(|scope| scope.iter().any(|(hidden, _)| hidden == name))
    }

    /// Makes a name local to the innermost scope; true if it was not before.
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

    /// What a program inherits; `more` adds to it. Kept until a variable changes or [`Vars::rest`].
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

    /// The shell waits: what nobody else uses is made again when it is needed.
    pub fn rest(&mut self) {
        self.env = self.env.take().filter(|env| Arc::strong_count(env) > 1);
        self.own.shrink_to_fit();
    }

    /// Exported functions changed.
    pub fn forget_env(&mut self) {
        self.env = None;
    }

    fn env(&self) -> Env {
        let mut env: Env = self.inherited.rows().map(|(k, v)| (k.to_owned(), v.to_owned())).collect();
        for (name, var) in &self.own {
            match var {
                Some(Var { exported: true, value: Value::Text(text), .. }) => {
                    env.insert(name.to_string(), text.clone());
                }
                Some(_) | None => drop(env.remove(&**name)),
            }
        }
        env
    }
}

/// The keys of an associative array in the order in which bash walks its hash table.
#[must_use]
pub fn map_keys(map: &Map) -> Vec<&String> {
    let bucket = |key: &str| {
        key.bytes().fold(2_166_136_261_u32, |h, b| h.wrapping_mul(16_777_619) ^ u32::from(b)) & 1023
    };
    let mut keys: Vec<&String> = map.keys().collect();
    keys.order_by_key(|k| bucket(k));
    keys
}
