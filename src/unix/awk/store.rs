//! awk's memory: variables, arrays, the record and its fields.

use super::array::AwkArray;
use super::op::{SPECIAL, Var, slot};
use super::value::AwkValue;
use host::memory::ELEMENT;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// All state that a program can change.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Store {
    pub(super) globals: Vec<AwkValue>,
    pub(super) arrays: BTreeMap<u32, AwkArray>,
    next_array: u32,
    /// Parameters of the active functions, all on one stack.
    pub(super) locals: Vec<AwkValue>,
    pub(super) base: u64,
    record: String,
    fields: Vec<String>,
    /// Whether `fields` was made from `record`; whether `record` must be made from `fields`.
    split: bool,
    joined: bool,
}

fn index(n: u32) -> usize {
    usize::try_from(n).unwrap_or(usize::MAX)
}

impl Store {
    /// Memory for this many global variables.
    #[must_use]
    pub fn new(globals: usize) -> Self {
        let mut store = Self {
            globals: vec![AwkValue::Unset; globals.max(SPECIAL.len())],
            split: true,
            joined: true,
            ..Self::default()
        };
        for (slot, text) in [
            (slot::FS, " "),
            (slot::OFS, " "),
            (slot::ORS, "\n"),
            (slot::RS, "\n"),
            (slot::SUBSEP, "\x1c"),
            (slot::CONVFMT, "%.6g"),
            (slot::OFMT, "%.6g"),
        ] {
            store.set_global(slot, AwkValue::Text(text.into()));
        }
        for slot in [slot::NR, slot::FNR, slot::RSTART] {
            store.set_global(slot, AwkValue::Number(0.0));
        }
        store.set_global(slot::RLENGTH, AwkValue::Number(-1.0));
        store
    }

    pub(super) fn stored(&self, var: Var) -> Option<&AwkValue> {
        match var {
            Var::Global(i) => self.globals.get(index(i)),
            Var::Local(i) => self.locals.get(usize::try_from(self.base).ok()? + index(i)),
        }
    }

    fn stored_mut(&mut self, var: Var) -> Option<&mut AwkValue> {
        match var {
            Var::Global(i) => self.globals.get_mut(index(i)),
            Var::Local(i) => self.locals.get_mut(usize::try_from(self.base).ok()? + index(i)),
        }
    }

    /// A global variable by its slot, except `NF`.
    #[must_use]
    pub fn global(&self, slot: u32) -> &AwkValue {
        self.globals.get(index(slot)).unwrap_or(&AwkValue::Unset)
    }

    /// A special variable as text.
    #[must_use]
    pub fn special(&self, slot: u32) -> String {
        self.global(slot).text("%.6g")
    }

    /// Sets a global variable by its slot.
    pub fn set_global(&mut self, slot: u32, value: AwkValue) {
        if let Some(stored) = self.globals.get_mut(index(slot)) {
            *stored = value;
        }
    }

    /// A variable's value.
    pub fn load(&mut self, var: Var) -> AwkValue {
        if var == Var::Global(slot::NF) {
            return AwkValue::Number(self.count_fields() as f64);
        }
        self.stored(var).cloned().unwrap_or_default()
    }

    /// Sets a variable.
    pub fn store(&mut self, var: Var, value: AwkValue) {
        if var == Var::Global(slot::NF) {
            self.count_fields();
            let count = value.number().clamp(0.0, 100_000.0) as usize;
            self.fields.resize(count, String::new());
            self.joined = false;
            return;
        }
        // Fields that are split lazily must use the separator that was in force.
        if var == Var::Global(slot::FS) {
            self.count_fields();
        }
        if let Some(stored) = self.stored_mut(var) {
            *stored = value;
        }
    }

    /// The number of a variable's array. A variable without one becomes an array.
    pub fn array_id(&mut self, var: Var) -> u32 {
        if let Some(AwkValue::Array(id)) = self.stored(var) {
            return *id;
        }
        let id = self.new_array();
        if let Some(stored) = self.stored_mut(var) {
            *stored = AwkValue::Array(id);
        }
        id
    }

    fn new_array(&mut self) -> u32 {
        self.next_array += 1;
        self.arrays.insert(self.next_array, AwkArray::default());
        self.next_array
    }

    /// A variable's array.
    pub fn array(&mut self, var: Var) -> &mut AwkArray {
        let id = self.array_id(var);
        self.arrays.entry(id).or_default()
    }

    /// Bytes of memory that variables, arrays and the record take, about.
    #[must_use]
    pub fn memory(&self) -> usize {
        let values = self.globals.iter().chain(&self.locals).map(|value| value.size() + ELEMENT);
        let arrays = self.arrays.values().map(AwkArray::memory);
        let fields = self.fields.iter().map(|field| field.len() + ELEMENT);
        values.chain(arrays).chain(fields).sum::<usize>() + self.record.len()
    }

    /// Removes the local variables of a function, from this one on, with the arrays that it created. Its arguments
    /// belong to the caller, whose variables begin at `base`.
    pub fn leave(&mut self, from: usize, base: u64) {
        let own = self.locals.split_off(from.min(self.locals.len()));
        let callers = self.locals.get(usize::try_from(base).unwrap_or(usize::MAX)..).unwrap_or_default();
        let stays = |id: u32| self.globals.iter().chain(callers).any(|kept| *kept == AwkValue::Array(id));
        let gone: Vec<u32> = own
            .iter()
            .filter_map(|value| if let AwkValue::Array(id) = value { Some(*id) } else { None })
            .filter(|id| !stays(*id))
            .collect();
        for id in gone {
            self.arrays.remove(&id);
        }
        self.base = base;
    }

    /// A new record.
    pub fn set_record(&mut self, record: String) {
        self.record = record;
        self.fields.clear();
        self.split = false;
        self.joined = true;
    }

    fn count_fields(&mut self) -> usize {
        if !self.split {
            let separator = self.special(slot::FS);
            let paragraphs = self.special(slot::RS).is_empty();
            self.fields = super::record::split(&self.record, &separator, paragraphs);
            self.split = true;
        }
        self.fields.len()
    }

    /// The current record.
    pub fn record(&mut self) -> &str {
        if !self.joined {
            self.record = self.fields.join(&self.special(slot::OFS));
            self.joined = true;
        }
        &self.record
    }

    /// A field; 0 is the record.
    pub fn field(&mut self, number: usize) -> AwkValue {
        if number == 0 {
            return AwkValue::Input(self.record().to_owned());
        }
        self.count_fields();
        self.fields.get(number - 1).map_or(AwkValue::Unset, |f| AwkValue::Input(f.clone()))
    }

    /// Sets a field; 0 is the record.
    pub fn set_field(&mut self, number: usize, text: String) {
        if number == 0 {
            return self.set_record(text);
        }
        if self.count_fields() < number {
            self.fields.resize(number, String::new());
        }
        if let Some(field) = self.fields.get_mut(number - 1) {
            *field = text;
        }
        self.joined = false;
    }

    /// Counts a record in `NR` and `FNR`.
    pub fn count_record(&mut self) {
        for slot in [slot::NR, slot::FNR] {
            let number = self.global(slot).number() + 1.0;
            self.set_global(slot, AwkValue::Number(number));
        }
    }
}
