//! A participant's seat.

use super::flow::MessageFlow;
use super::secret::Secret;
use super::wire::ClassLook;
use std::collections::BTreeSet;

/// A seat. It stays when its participant leaves, so that a reload finds it again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seat {
    /// From 1 in the order of arrival.
    pub number: u32,
    /// The name, which is also the login name (a teacher's is root).
    pub name: String,
    /// A teacher's seat.
    pub teacher: bool,
    /// The secret that proves that a tab belongs to this seat.
    pub(crate) key: Secret,
    /// The token of the last request that was ordered.
    pub token: u64,
    /// Number of logins.
    pub(crate) logins: u32,
    /// Its open terminals, by the number of their login.
    pub(crate) terminals: BTreeSet<u32>,
    /// The connection that uses it.
    pub visit: Option<u64>,
    /// Real time of the last input, in milliseconds.
    pub last: Option<u64>,
    /// When its hand went up, in milliseconds of real time.
    pub(crate) hand: Option<u64>,
    /// A teacher has freed its name: the next tab that chooses the name gets the seat.
    pub(crate) freed: bool,
    /// The terminals that a teacher looks at.
    pub(crate) looks: ClassLook,
    pub(crate) flow: MessageFlow,
}

impl Seat {
    /// A new seat.
    #[must_use]
    pub(crate) fn new(number: u32, name: String, teacher: bool, key: Secret) -> Self {
        Self {
            number,
            name,
            teacher,
            key,
            token: 0,
            logins: 0,
            terminals: BTreeSet::new(),
            visit: None,
            last: None,
            hand: None,
            freed: false,
            looks: ClassLook::Nobody,
            flow: MessageFlow::default(),
        }
    }

    /// The login name.
    #[must_use]
    pub fn user(&self) -> &str {
        if self.teacher { "root" } else { &self.name }
    }
}
