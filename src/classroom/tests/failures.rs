//! Tabs and servers that fail at random moments.

use super::{TestServer, secret};
use crate::wire::*;
use crate::{ClassMember, MemberNews, chain};
use base::hash::SEED;
use protocol::Micros;
use protocol::class::{ClassAction, ClassEntry};
use testing::{Random, for_seeds};

/// A tab that only collects entries.
struct Tab {
    member: ClassMember,
    seat: u32,
    token: u64,
    entries: Vec<ClassEntry>,
    until: Micros,
    visit: Option<u64>,
    wanted: Vec<u64>,
    refused: Vec<u64>,
}

impl Tab {
    fn take(&mut self, message: FromClassServer) -> Vec<ToClassServer> {
        match self.member.receive(message).expect("sense") {
            MemberNews::Seated(welcome) => {
                (self.seat, self.token) = (welcome.seat, welcome.token + 1);
                Vec::new()
            }
            MemberNews::Back(again) => again,
            MemberNews::Ordered(entries) => {
                assert!(entries.iter().all(|e| e.time >= self.until), "an entry in this tab's past");
                self.entries.extend(entries);
                Vec::new()
            }
            MemberNews::Until(until, _) => {
                self.until = self.until.max(until);
                Vec::new()
            }
            MemberNews::Refused(token, action, _) => {
                assert!(action.is_some());
                self.refused.push(token);
                Vec::new()
            }
            MemberNews::People(_)
            | MemberNews::Differs(_)
            | MemberNews::Hand(_)
            | MemberNews::Lesson(..)
            | MemberNews::Watched(_)
            | MemberNews::Shown(_) => Vec::new(),
            MemberNews::Ended(farewell) => panic!("{farewell:?}"),
        }
    }
}

#[test]
fn all_tabs_have_the_same_entries_whatever_fails() {
    for_seeds(0..60, |_, random| {
        let mut server = TestServer::new();
        let mut visits = 0;
        let mut tabs: Vec<Tab> = (0..random.between(2, 12))
            .map(|n| Tab {
                member: ClassMember::new(secret(1), SeatClaim::New(format!("p{n}"))),
                seat: 0,
                token: 1,
                entries: Vec::new(),
                until: Micros::MIN,
                visit: None,
                wanted: Vec::new(),
                refused: Vec::new(),
            })
            .collect();
        for _ in 0..random.between(50, 400) {
            let at = random.below(tabs.len());
            act(random, &mut server, &mut tabs, at, &mut visits);
        }
        tabs.iter_mut().for_each(|tab| connect(&mut server, tab, &mut visits));
        tabs.iter_mut().for_each(|tab| read_all(&server, tab));
        for tab in &tabs {
            assert_eq!(tab.entries, tabs[0].entries);
            let number = tab.entries.last().map_or(0, |e| e.number);
            assert_eq!((number, tab.member.number()), (server.class.last(), server.class.last()));
            assert!(tab.member.waiting() == 0);
            // Each request was ordered or refused, once.
            let ordered =
                |token: &u64| tab.entries.iter().filter(|e| e.seat == tab.seat && e.token == *token).count();
            for token in &tab.wanted {
                let refused = tab.refused.iter().filter(|t| *t == token).count();
                assert_eq!(ordered(token) + refused, 1, "request {token} of seat {}", tab.seat);
            }
        }
        let chain = tabs[0].entries.iter().fold(SEED, chain);
        assert_eq!(server.class.check_chain(server.class.last()), Some(chain));
    });
}

fn act(random: &mut Random, server: &mut TestServer, tabs: &mut [Tab], at: usize, visits: &mut u64) {
    let tab = &mut tabs[at];
    match random.below(10_u32) {
        0 => tab.visit = None,
        1 => connect(server, tab, visits),
        2 => {
            // Only what was written can have reached a tab, so nothing is missing after a restart.
            server.restart(server.file.len());
            tabs.iter_mut().for_each(|tab| tab.visit = None);
        }
        3 | 4 => server.pass(random.between(1, 300)),
        5 => read_all(server, tab),
        _ if tab.seat == 0 => connect(server, tab, visits),
        _ => {
            let token = tab.token;
            tab.token += 1;
            if let Ok(message) =
                tab.member.request(token, ClassAction::Type(1, vec![b'l'; random.between(1, 9)]))
            {
                tab.wanted.push(token);
                let online = tab.visit.is_some_and(|visit| server.class.holds(tab.seat, visit));
                // The connection may break before or after the server has read the message.
                let arrives = online && random.below(8_u32) > 0;
                if arrives {
                    for (_, answer) in server.send(tab.seat, message) {
                        tab.take(answer);
                    }
                }
                if !arrives || random.below(8_u32) == 0 {
                    tab.visit = None;
                }
            }
        }
    }
}

fn connect(server: &mut TestServer, tab: &mut Tab, visits: &mut u64) {
    *visits += 1;
    let welcome = server.greet(&tab.member.hello(), *visits).expect("a seat");
    tab.visit = Some(*visits);
    let again = tab.take(FromClassServer::Welcome(Box::new(welcome)));
    for message in again {
        for (_, answer) in server.send(tab.seat, message) {
            tab.take(answer);
        }
    }
}

fn read_all(server: &TestServer, tab: &mut Tab) {
    if tab.visit.is_none() {
        return;
    }
    loop {
        let block = server.class.block_after(tab.member.number());
        if block.is_empty() {
            break;
        }
        tab.take(FromClassServer::Entries(block.to_vec()));
    }
    let (until, pace) = server.class.time();
    tab.take(FromClassServer::Until(until, pace));
}
