//! Sessions about what no recorded one touches: triggers, private data, who may do what, mail.
//!
//! They were read against answers of a real Slurm 22.05 to the same commands (`tests/commands/*.txt` say so where these
//! differ). What the simulation prints must be that, but for clock times and process numbers.

use super::seeds::plays_in;

#[test]
fn triggers_and_what_else_scontrol_does() {
    plays_in("tests/commands", "triggers");
}

#[test]
fn private_data() {
    plays_in("tests/commands", "private");
}

#[test]
fn who_may_do_what() {
    plays_in("tests/commands", "roles");
}

#[test]
fn roles_and_actions() {
    plays_in("tests/commands", "permissions");
}

#[test]
fn each_type_of_mail() {
    plays_in("tests/commands", "mail");
}
