//! Sessions about features that no recording covers: triggers, private data, privileges, mail.
//!
//! They were checked against a real Slurm 22.05's answers to the same commands (`tests/commands/*.txt` mention
//! deviations). The simulation's output must be equal except for clock times and process ids.

use super::seeds::plays_in;

#[test]
fn triggers_and_other_scontrol_commands() {
    plays_in("tests/commands", "triggers");
}

#[test]
fn private_data() {
    plays_in("tests/commands", "private");
}

#[test]
fn privileges() {
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
