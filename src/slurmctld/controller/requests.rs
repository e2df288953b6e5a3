//! Carries out requests: each goes to the module responsible for it.

use crate::Slurmctld;
use crate::rpc::request::{Caller, Order, Request, Response};
use base::time::Time;

impl Slurmctld {
    /// Carries out a request.
    pub fn request(&mut self, caller: Caller, request: Request, now: Time) -> Response {
        self.build_caches();
        self.caches.moment = now;
        self.clock.note_request(now);
        self.stats.call(caller.uid.0, &request);
        let reshapes = request.reshapes();
        let response = match request {
            // A site's accounts are set up at the start. The page needs no other request before its first prompt.
            Request::Accounting(change) => self.accounting(caller, &change, now),
            other => self.carry_out(caller, other, now),
        };
        if reshapes {
            self.caches.forget();
        }
        response
    }

    pub(super) fn accounting(
        &mut self,
        caller: Caller,
        change: &slurmdbd::AccountingChange,
        now: Time,
    ) -> Response {
        let name = self.user_name(caller.uid);
        match self.dbd.apply(change, &name) {
            Ok(_) => {
                self.dbd.note_change(change, &name, now);
                self.shares_changed();
                if matches!(change, slurmdbd::AccountingChange::Resource(_)) {
                    self.share_resources();
                }
                self.find_associations();
                // A raised limit lets jobs start at the next pass, but does not trigger one.
                self.recount();
                self.clock.note_change(now);
                Response::Ok
            }
            Err(error) => Response::Accounting(error),
        }
    }

    /// Takes the orders that slurmctld has issued, in order.
    pub fn take_orders(&mut self) -> Vec<Order> {
        std::mem::take(&mut self.orders)
    }
}
