//! Names of classes and participants.

/// Longest name of a participant.
const MAX_USER: usize = 16;
/// Longest name of a class.
const MAX_CLASS: usize = 32;

/// Accounts of the system, which nobody can choose. The site's users are taken, too.
const SYSTEM: &[&str] = &[
    "root", "daemon", "bin", "sys", "sync", "mail", "man", "www-data", "backup", "nobody", "slurm", "munge",
    "sshd", "ubuntu", "admin", "class",
];

/// Checks a participant's name, which becomes a login name.
///
/// # Errors
/// A sentence for the user.
pub fn check_user_name(name: &str) -> Result<(), String> {
    let letters =
        name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || matches!(b, b'_' | b'-'));
    let first = name.starts_with(|c: char| c.is_ascii_lowercase());
    if name.is_empty() || name.len() > MAX_USER || !letters || !first {
        return Err(format!(
            "A name has 1 to {MAX_USER} characters: lower-case letters, digits, `_` and `-`. It starts with a letter."
        ));
    }
    if SYSTEM.contains(&name) {
        return Err(format!("{name} is a user of the system. Choose another name."));
    }
    Ok(())
}

/// Checks the name of a class, which is part of its address and of a file's name.
///
/// # Errors
/// A sentence for the user.
pub fn check_class_name(name: &str) -> Result<(), String> {
    let letters = name.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-'));
    if name.is_empty() || name.len() > MAX_CLASS || !letters {
        return Err(format!("The name of a class has 1 to {MAX_CLASS} letters, digits, `_` and `-`."));
    }
    Ok(())
}
