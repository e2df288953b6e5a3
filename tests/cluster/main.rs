//! A cluster in the background, used like tools use it: through the commands on PATH and the files of this machine.

mod bounds;
mod clients;
mod fixture;
mod jobs;
mod packaging;
mod rest;
mod sweep;
mod terminal;
