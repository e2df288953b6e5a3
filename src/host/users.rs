//! Who exists: `passwd` and `group`, with homes under `/home`.

use crate::base::ids::Uid;
use serde::{Deserialize, Serialize};

/// One person, with a group of the same name and number.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct User {
    /// Login name.
    pub name: String,
    /// Number; 0 for root, 1001 and up for people.
    pub uid: Uid,
    /// Home directory.
    pub home: String,
    /// Full name, for people to read.
    pub gecos: String,
    /// Further groups by name.
    pub groups: Vec<String>,
    /// Variables that their shells begin with besides the usual ones.
    pub env: Vec<(String, String)>,
}

/// Everybody, root first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Users(pub Vec<User>);

impl Users {
    /// Root and these people, numbered from 1001 in their order.
    #[must_use]
    pub fn new<'a>(people: impl IntoIterator<Item = &'a str>) -> Self {
        let root = User {
            name: "root".into(),
            uid: Uid(0),
            home: "/root".into(),
            gecos: "root".into(),
            groups: Vec::new(),
            env: Vec::new(),
        };
        let people = people.into_iter().zip(1001..).map(|(name, uid)| User {
            name: name.to_owned(),
            uid: Uid(uid),
            home: format!("/home/{name}"),
            gecos: String::new(),
            groups: Vec::new(),
            env: Vec::new(),
        });
        Self(std::iter::once(root).chain(people).collect())
    }

    /// By number.
    #[must_use]
    pub fn by_uid(&self, uid: Uid) -> Option<&User> {
        self.0.iter().find(|u| u.uid == uid)
    }

    /// By login name.
    #[must_use]
    pub fn by_name(&self, name: &str) -> Option<&User> {
        self.0.iter().find(|u| u.name == name)
    }

    /// The login name, or the number as text where nobody has it.
    #[must_use]
    pub fn name(&self, uid: Uid) -> String {
        self.by_uid(uid).map_or_else(|| uid.to_string(), |u| u.name.clone())
    }
}
