//! Messages: what commands and node daemons ask of slurmctld, what it answers, and the orders it gives.

mod order;
pub mod request;
pub mod reservation;
mod reservation_flags;
pub mod step;
pub mod trigger;
