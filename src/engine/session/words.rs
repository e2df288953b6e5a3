//! How the journal stores an input: the name of its kind, and named fields.
//!
//! Neither the order of the variants of [`Input`] nor that of their fields matters, and both may be renamed in the
//! program. The words here never change (`docs/formats.md`). A later version may add kinds and fields: a reader
//! ignores fields that it does not know, and refuses a kind that it does not know.

use crate::world::Input;
use host::tty::TtyId;
use serde::de::{Deserialize, Deserializer, Error as _};
use serde::ser::{Serialize, Serializer};

/// Maximum number of fields that are read.
const MAX_FIELDS: usize = 64;

/// A field's name and its value: text and bytes as they are, numbers in decimal.
type WordField<N> = (N, Vec<u8>);

/// Serialises an input as words.
///
/// # Errors
/// The serialiser's own.
pub fn serialize<S: Serializer>(input: &Input, serializer: S) -> Result<S::Ok, S::Error> {
    to_words(input).serialize(serializer)
}

/// Deserialises an input from words.
///
/// # Errors
/// The deserialiser's own, an unknown kind, or a field that is missing or has no valid value.
pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Input, D::Error> {
    let (kind, fields) = <(String, Vec<WordField<String>>)>::deserialize(deserializer)?;
    from_words(&kind, &fields).ok_or_else(|| D::Error::custom("an unknown input"))
}

/// The kind and the fields of an input.
fn to_words(input: &Input) -> (&'static str, Vec<WordField<&'static str>>) {
    let number = |n: u32| n.to_string().into_bytes();
    let text = |text: &str| text.as_bytes().to_vec();
    match input {
        Input::Login { user, columns, rows } => (
            "login",
            vec![
                ("user", text(user)),
                ("columns", number((*columns).into())),
                ("rows", number((*rows).into())),
            ],
        ),
        Input::Logout(tty) => ("logout", vec![("terminal", number(tty.0))]),
        Input::Type(tty, bytes) => ("type", vec![("terminal", number(tty.0)), ("bytes", bytes.clone())]),
        Input::Resize(tty, columns, rows) => (
            "resize",
            vec![
                ("terminal", number(tty.0)),
                ("columns", number((*columns).into())),
                ("rows", number((*rows).into())),
            ],
        ),
        Input::Save { user, path, data } => {
            ("save", vec![("user", text(user)), ("path", text(path)), ("data", data.clone())])
        }
        Input::NodeUp { node, up } => {
            ("slurmd", vec![("node", text(node)), ("state", text(if *up { "up" } else { "down" }))])
        }
        Input::Run { user, command } => ("run", vec![("user", text(user)), ("command", text(command))]),
        Input::Enrol(user) => ("enrol", vec![("user", text(user))]),
        Input::Announce(message) => ("announce", vec![("text", text(message))]),
    }
}

/// The input of these words.
fn from_words(kind: &str, fields: &[WordField<String>]) -> Option<Input> {
    if fields.len() > MAX_FIELDS {
        return None;
    }
    let bytes =
        |name: &str| fields.iter().find(|(field, _)| field == name).map(|(_, value)| value.as_slice());
    let text = |name: &str| Some(std::str::from_utf8(bytes(name)?).ok()?.to_owned());
    let small = |name: &str| text(name)?.parse::<u16>().ok();
    let terminal = || text("terminal")?.parse::<u32>().ok().map(TtyId);
    Some(match kind {
        "login" => Input::Login { user: text("user")?, columns: small("columns")?, rows: small("rows")? },
        "logout" => Input::Logout(terminal()?),
        "type" => Input::Type(terminal()?, bytes("bytes")?.to_vec()),
        "resize" => Input::Resize(terminal()?, small("columns")?, small("rows")?),
        "save" => Input::Save { user: text("user")?, path: text("path")?, data: bytes("data")?.to_vec() },
        "slurmd" => {
            let up = match text("state")?.as_str() {
                "up" => true,
                "down" => false,
                _ => return None,
            };
            Input::NodeUp { node: text("node")?, up }
        }
        "run" => Input::Run { user: text("user")?, command: text("command")? },
        "enrol" => Input::Enrol(text("user")?),
        "announce" => Input::Announce(text("text")?),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all() -> Vec<Input> {
        vec![
            Input::Login { user: "zoé".into(), columns: 80, rows: u16::MAX },
            Input::Logout(TtyId(u32::MAX)),
            Input::Type(TtyId(3), vec![0xff, 0, b'\n']),
            Input::Resize(TtyId(0), 1, 2),
            Input::Save { user: "a".into(), path: "/tmp/é".into(), data: vec![0, 255] },
            Input::NodeUp { node: "c01".into(), up: true },
            Input::NodeUp { node: "c01".into(), up: false },
            Input::Run { user: "root".into(), command: "scontrol ping".into() },
            Input::Enrol("guest".into()),
            Input::Announce("ten minutes".into()),
        ]
    }

    fn owned((kind, fields): (&str, Vec<WordField<&str>>)) -> (String, Vec<WordField<String>>) {
        (kind.to_owned(), fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
    }

    #[test]
    fn every_input_comes_back() {
        for input in all() {
            let (kind, fields) = owned(to_words(&input));
            assert_eq!(from_words(&kind, &fields), Some(input));
        }
    }

    #[test]
    fn fields_may_be_added_and_moved_but_not_missing() {
        for input in all() {
            let (kind, mut fields) = owned(to_words(&input));
            fields.reverse();
            fields.insert(0, ("later".to_owned(), b"x".to_vec()));
            assert_eq!(from_words(&kind, &fields), Some(input.clone()));
            fields.pop();
            assert_eq!(from_words(&kind, &fields), None, "{input:?}");
        }
        assert_eq!(from_words("teleport", &[]), None);
        let bad = ["", "x", "-1", "70000", "99999999999"];
        for value in bad {
            let fields = [("user", "a"), ("columns", value), ("rows", "1")];
            let fields = fields.map(|(name, value)| (name.to_owned(), value.as_bytes().to_vec()));
            assert_eq!(from_words("login", &fields), None, "{value}");
        }
    }
}
