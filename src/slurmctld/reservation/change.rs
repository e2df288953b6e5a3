//! Creating, updating and deleting reservations. Mirrors `scontrol create`, `update` and `delete reservation`.

use super::pick::{self, Wanted};
use super::{Reservation, ResvDesc, ResvFlags, Who, WhoChange};
use crate::Slurmctld;
use crate::licenses;
use crate::rpc::request::{Caller, Response};
use crate::state::error::SlurmError;
use base::bitset::BitSet;
use base::hostlist;
use base::ids::{NodeId, PartId, ResvId};
use base::time::{Limit, Span, Time};

/// Maximum number of reservations.
const MAX: usize = 10_000;
/// A reservation without an end lasts a year, as in Slurm.
const YEAR: Span = Span::from_secs(365 * 86_400);
/// `start=now` typed a moment ago is not in the past.
const GRACE: Span = Span::from_secs(60);

impl Slurmctld {
    /// `scontrol create reservation`.
    pub(crate) fn create_reservation(&mut self, caller: Caller, desc: &ResvDesc, now: Time) -> Response {
        match self.made_reservation(caller, desc, now) {
            Ok(resv) => {
                let name = resv.name.clone();
                self.reservations.made += 1;
                self.reservations.list.push(resv);
                self.clock.note_change(now);
                Response::Reservation(name)
            }
            Err(error) => Response::Err { error, messages: Vec::new() },
        }
    }

    fn made_reservation(
        &self,
        caller: Caller,
        desc: &ResvDesc,
        now: Time,
    ) -> Result<Reservation, SlurmError> {
        self.operator_only(caller)?;
        if self.reservations.list.len() >= MAX {
            return Err(SlurmError::ReservationInvalid);
        }
        let start = desc.start.ok_or(SlurmError::InvalidTimeValue)?;
        let id = ResvId(self.reservations.made + 1);
        let mut resv = Reservation {
            id,
            name: String::new(),
            start,
            end: end_of(desc, start),
            lasts: desc.end.is_none(),
            nodes: BitSet::new(),
            cores: 0,
            cores_of: Vec::new(),
            features: None,
            partition: None,
            flags: ResvFlags::NONE,
            users: Who::default(),
            groups: Who::default(),
            accounts: Who::default(),
            qos: Who::default(),
            partitions: Who::default(),
            licenses: std::collections::BTreeMap::new(),
            burst_buffer: None,
            comment: None,
            max_start_delay: None,
            purge: Span(0),
            idle_since: None,
            ahead: None,
            begun: false,
        };
        if start < (now - GRACE).floor() || resv.end <= start || resv.end <= now {
            return Err(SlurmError::InvalidTimeValue);
        }
        self.settings(&mut resv, desc, now)?;
        let wanted = Wanted {
            nodes: desc.node_count.unwrap_or(0),
            cores: &desc.core_counts,
            none: desc.node_count == Some(0),
        };
        self.select_nodes(&mut resv, desc.nodes.as_deref(), wanted, now)?;
        resv.name = match &desc.name {
            Some(name) if self.reservations.by_name(name).is_some() => {
                return Err(SlurmError::ReservationNameDup);
            }
            Some(name) => name.clone(),
            None => default_name(&resv),
        };
        Ok(resv)
    }

    /// Applies the settings that can change at any time and need no nodes.
    fn settings(&self, resv: &mut Reservation, desc: &ResvDesc, now: Time) -> Result<(), SlurmError> {
        resv.flags = resv.flags.with(desc.set).without(desc.clear);
        if let Some(seconds) = desc.purge {
            resv.purge = Span::from_secs(seconds.into());
        }
        resv.ahead = resv.flags.has(ResvFlags::TIME_FLOAT).then(|| Span((resv.start - now).0.max(0)));
        for (who, change) in [
            (&mut resv.users, &desc.users),
            (&mut resv.groups, &desc.groups),
            (&mut resv.accounts, &desc.accounts),
            (&mut resv.qos, &desc.qos),
            (&mut resv.partitions, &desc.partitions),
        ] {
            apply(who, change.as_ref());
        }
        self.check_names(resv)?;
        if let Some(name) = &desc.partition {
            resv.partition = Some(self.partition_by_name(name).ok_or(SlurmError::InvalidPartitionName)?);
        }
        if let Some(features) = &desc.features {
            resv.features = Some(features.clone()).filter(|f| !f.is_empty());
        }
        if let Some(list) = &desc.licenses {
            resv.licenses = licenses::parse(&self.cluster, list)?.0;
        }
        if let Some(text) = &desc.comment {
            resv.comment = Some(text.clone()).filter(|t| !t.is_empty());
        }
        if let Some(text) = &desc.burst_buffer {
            resv.burst_buffer = Some(text.clone()).filter(|t| !t.is_empty());
        }
        if let Some(seconds) = desc.max_start_delay {
            resv.max_start_delay = Some(Span::from_secs(seconds.into())).filter(|d| d.0 > 0);
        }
        Ok(())
    }

    /// Checks that the users, accounts, QOS and partitions exist.
    fn check_names(&self, resv: &Reservation) -> Result<(), SlurmError> {
        let person = |name: &String| self.people.iter().any(|p| p.1 == *name);
        if !resv.users.names.iter().all(person) {
            return Err(SlurmError::UserIdMissing);
        }
        let account = |name: &String| self.dbd.accounts.contains_key(name);
        if !resv.accounts.names.iter().all(account) {
            return Err(SlurmError::InvalidAccount);
        }
        // Each of the users must be able to use each of the accounts, as recorded from 22.05.
        let usable = |account: &String, user: &String| {
            self.dbd.live().any(|a| a.account == *account && a.user.as_ref() == Some(user))
        };
        let both = !resv.users.except && !resv.accounts.except;
        if both && resv.accounts.names.iter().any(|a| resv.users.names.iter().any(|u| !usable(a, u))) {
            return Err(SlurmError::InvalidAccount);
        }
        if !resv.qos.names.iter().all(|q| self.dbd.qos_by_name(q).is_some()) {
            return Err(SlurmError::InvalidQos);
        }
        if !resv.partitions.names.iter().all(|p| self.partition_by_name(p).is_some()) {
            return Err(SlurmError::InvalidPartitionName);
        }
        Ok(())
    }

    /// Selects the reservation's nodes: named ones, or a number from its partition.
    fn select_nodes(
        &self,
        resv: &mut Reservation,
        named: Option<&str>,
        wanted: Wanted<'_>,
        now: Time,
    ) -> Result<(), SlurmError> {
        let of_part = |p| self.partition(p).nodes.clone();
        if let Some(list) = named {
            // Named nodes are not replaced, as recorded from 22.05.
            if resv.flags.has(ResvFlags::REPLACE) {
                return Err(SlurmError::InvalidNodeName);
            }
            resv.flags = resv.flags.with(ResvFlags::SPEC_NODES);
            resv.nodes = self.listed(resv, list)?;
            if !wanted.cores.is_empty() {
                resv.partition = resv.partition.or(self.default_partition());
                resv.cores_of = pick::cores(self, resv, wanted.cores, now)?;
            } else if pick::overlaps(self, resv, &resv.nodes, now) {
                return Err(SlurmError::ReservationOverlap);
            } else if resv.nodes.iter().any(|n| pick::busy(self, resv, NodeId(n), now)) {
                return Err(SlurmError::NodesBusy);
            }
        } else if wanted.nodes > 0 || !wanted.cores.is_empty() {
            if resv.flags.has(ResvFlags::PART_NODES) {
                return Err(SlurmError::InvalidNodeName);
            }
            // A number of nodes is taken from a partition. If the reservation had none, it now has the default one.
            let part = resv.partition.or(self.default_partition());
            if resv.nodes.is_empty() {
                resv.partition = part;
            }
            let pool = part.map(of_part);
            let pool = pool.ok_or(SlurmError::DefaultPartitionNotSet)?;
            (resv.nodes, resv.cores_of) = pick::pick(self, resv, &pool, wanted, now)?;
        } else if resv.nodes.is_empty()
            && resv.burst_buffer.is_none()
            && !resv.flags.has(ResvFlags::ANY_NODES)
        {
            // Licences alone need `ANY_NODES`, as recorded from 22.05, or `NodeCnt=0`.
            if resv.licenses.is_empty() {
                return Err(SlurmError::InvalidNodeCount);
            }
            if !wanted.none {
                return Err(SlurmError::InvalidNodeName);
            }
        }
        resv.cores = resv.nodes.iter().map(|n| resv.cores_on(self.node(NodeId(n)))).sum();
        Ok(())
    }

    fn default_partition(&self) -> Option<PartId> {
        let at = self.partitions.iter().position(|p| p.is_default)?;
        u32::try_from(at).ok().map(PartId)
    }

    /// The nodes that `Nodes=` means. `+` and `-` change the existing ones.
    fn listed(&self, resv: &mut Reservation, list: &str) -> Result<BitSet, SlurmError> {
        let (sign, list) = match list.chars().next() {
            Some(c @ ('+' | '-')) => (Some(c), &list[1..]),
            _ => (None, list),
        };
        let nodes: BitSet = if list.eq_ignore_ascii_case("ALL") {
            match resv.partition {
                Some(part) => self.partition(part).nodes.clone(),
                None => {
                    resv.flags = resv.flags.with(ResvFlags::ALL_NODES);
                    BitSet::full(u32::try_from(self.nodes.len()).unwrap_or(0))
                }
            }
        } else {
            let names = hostlist::expand(list).map_err(|_| SlurmError::InvalidNodeName)?;
            let id = |n: &String| self.node_by_name(n).map(|id| id.0).ok_or(SlurmError::InvalidNodeName);
            names.iter().map(id).collect::<Result<BitSet, SlurmError>>()?
        };
        let mut all = resv.nodes.clone();
        match sign {
            None => all = nodes,
            Some('+') => all.union_with(&nodes),
            Some(_) => all.subtract(&nodes),
        }
        if all.is_empty() { Err(SlurmError::InvalidNodeName) } else { Ok(all) }
    }

    /// `scontrol update reservation`.
    pub(crate) fn update_reservation(
        &mut self,
        caller: Caller,
        desc: &ResvDesc,
        now: Time,
    ) -> Result<(), SlurmError> {
        self.operator_only(caller)?;
        let name = desc.name.as_deref().unwrap_or_default();
        let index = self.reservations.list.iter().position(|r| r.name == name);
        let index = index.ok_or(SlurmError::ReservationInvalid)?;
        if desc.skip {
            return self.skip_reservation(index, now);
        }
        let mut resv = self.reservations.list[index].clone();
        if let Some(start) = desc.start {
            if resv.start < now && start != resv.start {
                return Err(SlurmError::RsvAlreadyStarted);
            }
            if resv.lasts {
                resv.end = start + (resv.end - resv.start);
            }
            resv.start = start;
        }
        if desc.duration.is_some() || desc.end.is_some() {
            resv.end = end_of(desc, resv.start);
            resv.lasts = desc.end.is_none();
        }
        if resv.end <= resv.start || resv.end <= now {
            return Err(SlurmError::InvalidTimeValue);
        }
        self.settings(&mut resv, desc, now)?;
        if resv.users.names.is_empty()
            && resv.accounts.names.is_empty()
            && resv.groups.names.is_empty()
            && resv.qos.names.is_empty()
            && resv.partitions.names.is_empty()
        {
            return Err(SlurmError::ReservationInvalid);
        }
        let nodes = desc.node_count.unwrap_or(0);
        let wanted = Wanted { nodes, cores: &desc.core_counts, none: true };
        let resized = desc.nodes.is_some() || wanted.nodes > 0 || !wanted.cores.is_empty();
        if resized && (!resv.cores_of.is_empty() || !wanted.cores.is_empty()) {
            return Err(SlurmError::CoreReservationUpdate);
        }
        self.select_nodes(&mut resv, desc.nodes.as_deref(), wanted, now)?;
        if desc.nodes.is_none() && resv.cores_of.is_empty() && pick::overlaps(self, &resv, &resv.nodes, now) {
            return Err(SlurmError::ReservationOverlap);
        }
        self.reservations.list[index] = resv;
        self.mark_reserved(now);
        self.clock.note_change(now);
        Ok(())
    }

    /// Skips the present or next occurrence.
    fn skip_reservation(&mut self, index: usize, now: Time) -> Result<(), SlurmError> {
        let id = self.reservations.list[index].id;
        if self.pending_jobs().chain(self.active_jobs()).any(|j| j.reservations.contains(&id)) {
            return Err(SlurmError::ReservationBusy);
        }
        let resv = &mut self.reservations.list[index];
        let (Some(period), true) = (resv.period(), resv.end > now) else {
            return Err(SlurmError::ReservationNoSkip);
        };
        resv.start += period;
        resv.end += period;
        self.mark_reserved(now);
        self.clock.note_change(now);
        Ok(())
    }

    /// `scontrol delete reservation`. With `USER_DELETE` or `SlurmctldParameters=user_resv_delete`, its users may
    /// delete it.
    pub(crate) fn delete_reservation(
        &mut self,
        caller: Caller,
        name: &str,
        now: Time,
    ) -> Result<(), SlurmError> {
        let own = self.reservations.by_name(name).is_some_and(|r| {
            let user = self.user_name(caller.uid);
            let named = r.users.admits(std::iter::once(user.as_str())) == Some(true);
            (r.flags.has(ResvFlags::USER_DELETE) && named)
                || (self.cluster.global.user_resv_delete && self.admits(r, caller.uid))
        });
        if !own {
            self.operator_only(caller)?;
        }
        let id = self.reservations.by_name(name).ok_or(SlurmError::ReservationInvalid)?.id;
        if self.reservation_used(id) {
            return Err(SlurmError::ReservationBusy);
        }
        self.drop_reservation(id, now);
        self.mark_reserved(now);
        Ok(())
    }

    /// Whether any job runs in it or waits for it.
    pub(super) fn reservation_used(&self, id: ResvId) -> bool {
        let uses = |job: &crate::state::job::Job| job.reservations.contains(&id) && !job.flags.completing;
        self.active_jobs().any(uses) || self.pending_jobs().any(uses)
    }
}

fn end_of(desc: &ResvDesc, start: Time) -> Time {
    match (desc.end, desc.duration) {
        (Some(end), _) => end,
        (None, Some(Limit::Minutes(minutes))) => start + Span::from_mins(minutes.into()),
        (None, Some(Limit::Unlimited) | None) => start + YEAR,
    }
}

fn apply(who: &mut Who, change: Option<&WhoChange>) {
    match change {
        None => {}
        Some(WhoChange::Set(new)) => *who = new.clone(),
        Some(WhoChange::Add(names)) => {
            who.names.retain(|n| !names.contains(n));
            who.names.extend(names.iter().cloned());
        }
        Some(WhoChange::Remove(names)) => who.names.retain(|n| !names.contains(n)),
    }
}

/// `bob_3`: the first account or user, and the reservation's number.
fn default_name(resv: &Reservation) -> String {
    let lists = [&resv.accounts, &resv.users, &resv.groups, &resv.qos, &resv.partitions];
    let first = lists.into_iter().find_map(|who| who.names.first());
    format!("{}_{}", first.map_or("resv", String::as_str), resv.id)
}
