//! Messages: requests of commands and node daemons, responses, and orders.

mod order;
pub mod request;
pub mod reservation;
mod reservation_flags;
pub mod step;
pub mod trigger;
