//! The operations on values that jaq's interpreter needs: access, update and arithmetic, with jq's messages.

use crate::bound;
use crate::value::{Json, JsonFields, into_fields, into_items};
use crate::write::{brief, compact, literal};
use jaq_core::box_iter::{BoxIter, box_once};
use jaq_core::path::Opt;
use jaq_core::val::Range;
use jaq_core::{Error, Exn, ValR, ValT, ValX};

/// An error with a message.
pub fn fail<T>(text: impl std::fmt::Display) -> Result<T, Error<Json>> {
    Err(Error::str(text))
}

/// `TYPE (VALUE) MESSAGE`
pub fn wrong<T>(value: &Json, text: &str) -> Result<T, Error<Json>> {
    fail(format_args!("{} ({}) {text}", value.kind(), brief(value)))
}

/// `TYPE (VALUE) and TYPE (VALUE) MESSAGE`
pub fn wrong_pair<T>(a: &Json, b: &Json, text: &str) -> Result<T, Error<Json>> {
    fail(format_args!("{} ({}) and {} ({}) {text}", a.kind(), brief(a), b.kind(), brief(b)))
}

fn cannot_index<T>(value: &Json, index: &Json) -> Result<T, Error<Json>> {
    match index.str() {
        Some(key) if key.len() < 30 => {
            fail(format_args!("Cannot index {} with string \"{key}\"", value.kind()))
        }
        _ => fail(format_args!("Cannot index {} with {}", value.kind(), index.kind())),
    }
}

fn cannot_iterate<T>(value: &Json) -> Result<T, Error<Json>> {
    fail(format_args!("Cannot iterate over {} ({})", value.kind(), brief(value)))
}

/// The position of an index in a sequence of this length.
fn position(index: f64, length: usize) -> Option<usize> {
    let at = if index < 0.0 { index.trunc() + length as f64 } else { index.trunc() };
    (0.0..9e15).contains(&at).then_some(at as usize)
}

/// The bounds of a slice: the start is rounded down, the end up.
fn slice(range: &Range<&Json>, length: usize) -> Result<(usize, usize), Error<Json>> {
    let bound = |value: Option<&Json>, default: f64| match value {
        None | Some(Json::Null) => Ok(default),
        Some(value) => match value.number() {
            Some(n) => Ok(n),
            None => fail("Start and end indices of an array slice must be numbers"),
        },
    };
    let total = length as f64;
    let from = |n: f64| {
        if n.is_nan() {
            0.0
        } else if n < 0.0 {
            (n + total).max(0.0)
        } else {
            n.min(total)
        }
    };
    let start = from(bound(range.start, 0.0)?).floor();
    let end = bound(range.end, total)?;
    let end = if end.is_nan() { total } else { from(end).ceil() };
    Ok((start as usize, end.max(start) as usize))
}

/// The range in an object `{"start": 1, "end": 2}`, its form in paths.
fn range_of(object: &JsonFields) -> Range<&Json> {
    object.get("start")..object.get("end")
}

/// The characters of a text between two positions.
pub fn characters(text: &str, from: usize, to: usize) -> String {
    text.chars().skip(from).take(to - from).collect()
}

impl Json {
    /// Positions at which `part` occurs.
    pub fn indices(&self, part: &Self) -> ValR<Self> {
        let all = match (self, part) {
            (Self::Null, _) => return Ok(Self::Null),
            (Self::Text(text), Self::Text(part)) => {
                bound::check(text.len())?;
                if part.is_empty() {
                    return Ok(Self::Null);
                }
                let at = text.char_indices().enumerate();
                at.filter(|(_, (at, _))| text[*at..].starts_with(&**part))
                    .map(|(n, _)| Self::int(n))
                    .collect()
            }
            (Self::Array(_), Self::Array(part)) if part.is_empty() => return Ok(Self::Null),
            (Self::Array(items), Self::Array(part)) => {
                bound::check(items.len().saturating_mul(part.len()))?;
                let windows = items.windows(part.len()).enumerate();
                windows
                    .filter(|(_, window)| *window == part.as_slice())
                    .map(|(at, _)| Self::int(at))
                    .collect()
            }
            (Self::Array(items), part) => {
                bound::check(items.len())?;
                let items = items.iter().enumerate();
                items.filter(|(_, item)| *item == part).map(|(at, _)| Self::int(at)).collect()
            }
            _ => return cannot_index(self, part),
        };
        Ok(Self::array(all))
    }

    /// The child at an index, if there is one.
    fn child(&self, index: &Self) -> Result<Self, Error<Self>> {
        bound::check(1)?;
        Ok(match (self, index) {
            (
                Self::Null,
                Self::Null | Self::Text(_) | Self::Number(_) | Self::Literal(..) | Self::Object(_),
            ) => Self::Null,
            (Self::Object(fields), Self::Text(key)) => fields.get(key).cloned().unwrap_or_default(),
            (Self::Array(items), Self::Number(n) | Self::Literal(n, _)) => {
                position(*n, items.len()).and_then(|at| items.get(at).cloned()).unwrap_or_default()
            }
            (Self::Array(items), Self::Array(_)) if !items.is_empty() => self.indices(index)?,
            (Self::Array(_) | Self::Text(_), Self::Object(range)) => self.clone().range(range_of(range))?,
            _ => return cannot_index(self, index),
        })
    }
}

impl ValT for Json {
    fn from_num(text: &str) -> ValR<Self> {
        let value: f64 = text.parse().unwrap_or(f64::NAN);
        Ok(Self::Literal(value, literal(text).into()))
    }

    fn from_map<I: IntoIterator<Item = (Self, Self)>>(iter: I) -> ValR<Self> {
        let mut fields = JsonFields::default();
        for (key, value) in iter {
            match key {
                Self::Text(key) => fields.insert(key, value),
                key => {
                    return fail(format_args!("Cannot use {} ({}) as object key", key.kind(), brief(&key)));
                }
            };
        }
        Ok(Self::object(fields))
    }

    fn key_values(self) -> BoxIter<'static, ValR<(Self, Self), Self>> {
        match self {
            Self::Array(items) => {
                let all = into_items(items).into_iter().enumerate();
                Box::new(all.map(|(at, item)| bound::check(1).map(|()| (Self::int(at), item))))
            }
            Self::Object(fields) => {
                let all = into_fields(fields).into_iter();
                Box::new(all.map(|(key, value)| bound::check(1).map(|()| (Self::Text(key), value))))
            }
            other => box_once(cannot_iterate(&other)),
        }
    }

    fn values(self) -> Box<dyn Iterator<Item = ValR<Self>>> {
        match self {
            Self::Array(items) => {
                Box::new(into_items(items).into_iter().map(|item| bound::check(1).map(|()| item)))
            }
            Self::Object(fields) => {
                Box::new(into_fields(fields).into_iter().map(|(_, value)| bound::check(1).map(|()| value)))
            }
            other => box_once(cannot_iterate(&other)),
        }
    }

    fn index(self, index: &Self) -> ValR<Self> {
        self.child(index)
    }

    fn range(self, range: Range<&Self>) -> ValR<Self> {
        match self {
            Self::Null => Ok(Self::Null),
            Self::Text(text) => {
                bound::check(text.len() / 16)?;
                let (from, to) = slice(&range, text.chars().count())?;
                Ok(Self::text(characters(&text, from, to)))
            }
            Self::Array(items) => {
                let (from, to) = slice(&range, items.len())?;
                Ok(Self::array(items[from..to].to_vec()))
            }
            other => fail(format_args!("Cannot index {} with object", other.kind())),
        }
    }

    fn map_values<'a, I: Iterator<Item = ValX<'a, Self>>>(
        self,
        opt: Opt,
        f: impl Fn(Self) -> I,
    ) -> ValX<'a, Self> {
        match self {
            Self::Array(items) => {
                let mut all = Vec::new();
                for item in into_items(items) {
                    bound::check(1)?;
                    all.extend(f(item).next().transpose()?);
                }
                Ok(Self::array(all))
            }
            Self::Object(fields) => {
                let mut all = JsonFields::default();
                for (key, value) in into_fields(fields) {
                    bound::check(1)?;
                    if let Some(value) = f(value).next().transpose()? {
                        all.insert(key, value);
                    }
                }
                Ok(Self::object(all))
            }
            other => opt.fail(other, |other| {
                Exn::from(cannot_iterate::<()>(&other).err().unwrap_or_else(|| Error::str("")))
            }),
        }
    }

    fn map_index<'a, I: Iterator<Item = ValX<'a, Self>>>(
        mut self,
        index: &Self,
        opt: Opt,
        f: impl Fn(Self) -> I,
    ) -> ValX<'a, Self> {
        bound::check(1)?;
        match (&mut self, index) {
            (Self::Null | Self::Array(_), Self::Object(range)) => self.map_range(range_of(range), opt, f),
            (Self::Null | Self::Object(_), Self::Text(key)) => {
                if matches!(self, Self::Null) {
                    self = Self::object(JsonFields::default());
                }
                match f(self.take_field(key)).next() {
                    Some(value) => self.set_field(key.clone(), value?),
                    None => self.remove_field(key),
                }
                Ok(self)
            }
            (Self::Null | Self::Array(_), Self::Number(n) | Self::Literal(n, _)) => {
                if matches!(self, Self::Null) {
                    self = Self::array(Vec::new());
                }
                let length = self.items().map_or(0, <[Self]>::len);
                let Some(at) = position(*n, length) else {
                    return match f(Self::Null).next() {
                        Some(value) => value.and_then(|_| Ok(fail("Out of bounds negative array index")?)),
                        None => Ok(self),
                    };
                };
                match f(self.take_item(at)).next() {
                    Some(value) => self.set_item(at, value?),
                    None => self.remove_item(at),
                }
                Ok(self)
            }
            _ => opt.fail(self, |value| {
                Exn::from(cannot_index::<()>(&value, index).err().unwrap_or_else(|| Error::str("")))
            }),
        }
    }

    fn map_range<'a, I: Iterator<Item = ValX<'a, Self>>>(
        self,
        range: Range<&Self>,
        opt: Opt,
        f: impl Fn(Self) -> I,
    ) -> ValX<'a, Self> {
        let items = match self {
            Self::Null => Vec::new(),
            Self::Array(items) => into_items(items),
            Self::Text(_) => return Ok(fail("Cannot update string slices")?),
            other => {
                return opt.fail(other, |other| {
                    Exn::from(Error::str(format_args!(
                        "Cannot update field at object index of {}",
                        other.kind()
                    )))
                });
            }
        };
        let (from, to) = slice(&range, items.len())?;
        let middle = match f(Self::array(items[from..to].to_vec())).next().transpose()? {
            None => Vec::new(),
            Some(Self::Array(middle)) => into_items(middle),
            Some(_) => return Ok(fail("A slice of an array can only be assigned another array")?),
        };
        let mut all = items[..from].to_vec();
        all.extend(middle);
        all.extend_from_slice(&items[to..]);
        Ok(Self::array(all))
    }

    fn as_bool(&self) -> bool {
        !matches!(self, Self::Null | Self::Bool(false))
    }

    fn into_string(self) -> Self {
        match self {
            Self::Text(_) => self,
            other => Self::text(compact(&other)),
        }
    }
}

impl From<Range<Self>> for Json {
    fn from(range: Range<Self>) -> Self {
        Self::fields([("start", range.start.unwrap_or_default()), ("end", range.end.unwrap_or_default())])
    }
}

impl std::fmt::Display for Json {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&compact(self))
    }
}

impl std::ops::Add for Json {
    type Output = ValR<Self>;
    fn add(self, other: Self) -> ValR<Self> {
        bound::check(1)?;
        if let (Some(a), Some(b)) = (self.number(), other.number()) {
            return Ok(Self::Number(a + b));
        }
        match (self, other) {
            (Self::Null, value) | (value, Self::Null) => Ok(value),
            (Self::Text(a), Self::Text(b)) => Ok(Self::text(format!("{a}{b}"))),
            (Self::Array(a), Self::Array(b)) => {
                let mut all = into_items(a);
                all.extend_from_slice(&b);
                Ok(Self::array(all))
            }
            (Self::Object(a), Self::Object(b)) => {
                let mut all = into_fields(a);
                all.extend(b.iter().map(|(key, value)| (key.clone(), value.clone())));
                Ok(Self::object(all))
            }
            (a, b) => wrong_pair(&a, &b, "cannot be added"),
        }
    }
}

impl std::ops::Sub for Json {
    type Output = ValR<Self>;
    fn sub(self, other: Self) -> ValR<Self> {
        bound::check(1)?;
        if let (Some(a), Some(b)) = (self.number(), other.number()) {
            return Ok(Self::Number(a - b));
        }
        match (self, other) {
            (Self::Array(a), Self::Array(b)) => {
                let mut without: Vec<&Self> = b.iter().collect();
                without.sort();
                let mut all = into_items(a);
                all.retain(|item| without.binary_search(&item).is_err());
                Ok(Self::array(all))
            }
            (a, b) => wrong_pair(&a, &b, "cannot be subtracted"),
        }
    }
}

impl std::ops::Mul for Json {
    type Output = ValR<Self>;
    fn mul(self, other: Self) -> ValR<Self> {
        bound::check(1)?;
        match (&self, self.number(), &other, other.number()) {
            (_, Some(a), _, Some(b)) => Ok(Self::Number(a * b)),
            (Self::Text(text), _, _, Some(n)) | (_, Some(n), Self::Text(text), _) => {
                if n.is_nan() || n < 0.0 {
                    return Ok(Self::Null);
                }
                let times = n as usize;
                bound::check(text.len().saturating_mul(times) / 16)?;
                Ok(Self::text(text.repeat(times)))
            }
            (Self::Object(_), _, Self::Object(_), _) => merge(self, other),
            _ => wrong_pair(&self, &other, "cannot be multiplied"),
        }
    }
}

/// The fields of both; objects in both are merged.
fn merge(a: Json, b: Json) -> ValR<Json> {
    match (a, b) {
        (Json::Object(a), Json::Object(b)) => {
            let mut all = into_fields(a);
            for (key, value) in b.iter() {
                bound::check(1)?;
                let old = all.get_mut(key).map(std::mem::take).unwrap_or_default();
                all.insert(key.clone(), merge(old, value.clone())?);
            }
            Ok(Json::object(all))
        }
        (_, b) => Ok(b),
    }
}

impl std::ops::Div for Json {
    type Output = ValR<Self>;
    fn div(self, other: Self) -> ValR<Self> {
        bound::check(1)?;
        match (&self, self.number(), &other, other.number()) {
            (_, Some(_), _, Some(0.0)) => {
                wrong_pair(&self, &other, "cannot be divided because the divisor is zero")
            }
            (_, Some(a), _, Some(b)) => Ok(Self::Number(a / b)),
            (Self::Text(text), _, Self::Text(by), _) => Ok(split(text, by)),
            _ => wrong_pair(&self, &other, "cannot be divided"),
        }
    }
}

/// The pieces of a text between a separator.
fn split(text: &str, by: &str) -> Json {
    bound::charge(text.len() / 4);
    Json::array(if text.is_empty() {
        Vec::new()
    } else if by.is_empty() {
        text.chars().map(|c| Json::text(c.to_string())).collect()
    } else {
        text.split(by).map(Json::text).collect()
    })
}

impl std::ops::Rem for Json {
    type Output = ValR<Self>;
    fn rem(self, other: Self) -> ValR<Self> {
        bound::check(1)?;
        match (self.number(), other.number()) {
            (Some(a), Some(b)) if a.is_nan() || b.is_nan() => Ok(Self::Number(f64::NAN)),
            // The conversion saturates, as in jq.
            (Some(_), Some(b)) if b as i64 == 0 => {
                wrong_pair(&self, &other, "cannot be divided (remainder) because the divisor is zero")
            }
            (Some(a), Some(b)) => Ok(Self::Number((a as i64).wrapping_rem(b as i64) as f64)),
            _ => wrong_pair(&self, &other, "cannot be divided (remainder)"),
        }
    }
}

impl std::ops::Neg for Json {
    type Output = ValR<Self>;
    fn neg(self) -> ValR<Self> {
        match self.number() {
            Some(n) => Ok(Self::Number(-n)),
            None => wrong(&self, "cannot be negated"),
        }
    }
}
