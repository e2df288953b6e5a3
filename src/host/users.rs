//! Who exists: `passwd` and `group`, with homes under `/home`.

use crate::base::ids::{Gid, Uid};
use crate::base::order::Order as _;
use serde::{Deserialize, Serialize};

/// The number of the first group that is nobody's own.
const FIRST_GROUP: u32 = 2001;

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
    /// Further groups by name; those that are nobody's own have numbers from 2001 on, in alphabetical order.
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

    /// The groups that are nobody's own, by name.
    fn shared(&self) -> Vec<&str> {
        let all = self.0.iter().flat_map(|user| &user.groups).map(String::as_str);
        let mut names: Vec<&str> = all.filter(|name| self.by_name(name).is_none()).collect();
        names.order();
        names.dedup();
        names
    }

    /// All groups: everybody's own, then the others.
    #[must_use]
    pub fn groups(&self) -> Vec<(String, Gid)> {
        let own = self.0.iter().map(|user| (user.name.clone(), Gid(user.uid.0)));
        let others = self.shared().into_iter().map(str::to_owned).zip((FIRST_GROUP..).map(Gid));
        own.chain(others).collect()
    }

    /// A group's number.
    #[must_use]
    pub fn gid(&self, name: &str) -> Option<Gid> {
        self.groups().into_iter().find(|(group, _)| group == name).map(|(_, gid)| gid)
    }

    /// A group's name, or the number as text where there is no such group.
    #[must_use]
    pub fn group_name(&self, gid: Gid) -> String {
        let found = self.groups().into_iter().find(|(_, number)| *number == gid);
        found.map_or_else(|| gid.to_string(), |(name, _)| name)
    }

    /// Who is in a group besides whose own it is.
    #[must_use]
    pub fn members(&self, group: &str) -> Vec<&str> {
        let of = self.0.iter().filter(|user| user.groups.iter().any(|name| name == group));
        of.map(|user| user.name.as_str()).collect()
    }

    /// The login name, or the number as text where nobody has it.
    #[must_use]
    pub fn name(&self, uid: Uid) -> String {
        self.by_uid(uid).map_or_else(|| uid.to_string(), |u| u.name.clone())
    }
}
