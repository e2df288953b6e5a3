//! Users and groups: `passwd` and `group`, with home directories under `/home`.

use base::ids::{Gid, Uid};
use base::order::StableSort as _;
use serde::{Deserialize, Serialize};

/// The first group ID of shared groups.
const FIRST_GROUP: u32 = 2001;

/// A user, with a private group of the same name and number.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct User {
    /// Login name.
    pub name: String,
    /// User ID; 0 for root, from 1001 for users.
    pub uid: Uid,
    /// Home directory.
    pub home: String,
    /// Full name.
    pub gecos: String,
    /// Supplementary groups by name; shared groups are numbered from 2001 in alphabetical order.
    pub groups: Vec<String>,
    /// Additional environment variables of their shells.
    pub env: Vec<(String, String)>,
}

/// All users, root first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Users(pub Vec<User>);

impl Users {
    /// Root and these users, numbered from 1001 in order.
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

    /// Finds a user by ID.
    #[must_use]
    pub fn by_uid(&self, uid: Uid) -> Option<&User> {
        self.0.iter().find(|u| u.uid == uid)
    }

    /// Finds a user by login name.
    #[must_use]
    pub fn by_name(&self, name: &str) -> Option<&User> {
        self.0.iter().find(|u| u.name == name)
    }

    /// The shared groups, by name.
    fn shared(&self) -> Vec<&str> {
        let all = self.0.iter().flat_map(|user| &user.groups).map(String::as_str);
        let mut names: Vec<&str> = all.filter(|name| self.by_name(name).is_none()).collect();
        names.order();
        names.dedup();
        names
    }

    /// All groups: private groups, then shared groups.
    #[must_use]
    pub fn groups(&self) -> Vec<(String, Gid)> {
        let own = self.0.iter().map(|user| (user.name.clone(), Gid(user.uid.0)));
        let others = self.shared().into_iter().map(str::to_owned).zip((FIRST_GROUP..).map(Gid));
        own.chain(others).collect()
    }

    /// A group's ID.
    #[must_use]
    pub fn gid(&self, name: &str) -> Option<Gid> {
        self.groups().into_iter().find(|(group, _)| group == name).map(|(_, gid)| gid)
    }

    /// A group's name, or its ID as text if there is no such group.
    #[must_use]
    pub fn group_name(&self, gid: Gid) -> String {
        let found = self.groups().into_iter().find(|(_, number)| *number == gid);
        found.map_or_else(|| gid.to_string(), |(name, _)| name)
    }

    /// The members of a group, except the user whose private group it is.
    #[must_use]
    pub fn members(&self, group: &str) -> Vec<&str> {
        let of = self.0.iter().filter(|user| user.groups.iter().any(|name| name == group));
        of.map(|user| user.name.as_str()).collect()
    }

    /// The login name, or the ID as text if there is no such user.
    #[must_use]
    pub fn name(&self, uid: Uid) -> String {
        self.by_uid(uid).map_or_else(|| uid.to_string(), |u| u.name.clone())
    }
}
