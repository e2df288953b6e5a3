//! Administrator commands for changes made in a panel.

use protocol::ShareRow;

/// Sets the shares of an association with `sacctmgr`.
#[must_use]
pub fn share(row: &ShareRow, shares: u32) -> String {
    let account = word(&row.account);
    if row.user.is_empty() {
        return format!("sacctmgr -i modify account where name={account} set fairshare={shares}");
    }
    let partition = match row.partition.as_str() {
        "" => String::new(),
        partition => format!(" partition={}", word(partition)),
    };
    let user = word(&row.user);
    format!("sacctmgr -i modify user where name={user} account={account}{partition} set fairshare={shares}")
}

/// Replaces settings in slurm.conf and reconfigures slurmctld.
#[must_use]
pub fn conf(lines: &[(&str, &str)]) -> String {
    let file = "/etc/slurm/slurm.conf";
    // Keys in slurm.conf are case-insensitive.
    let old: Vec<String> = lines.iter().map(|(key, _)| format!("/^{key}=/Id")).collect();
    let new: Vec<String> = lines.iter().map(|(key, value)| word(&format!("{key}={value}"))).collect();
    let (old, new) = (old.join(";"), new.join(" "));
    format!("sed -i '{old}' {file} && printf '%s\\n' {new} >> {file} && scontrol reconfigure")
}

/// A word of a command line, quoted if necessary.
#[must_use]
pub fn word(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_.,:/=@%+".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        text.to_owned()
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands() {
        let row = ShareRow { account: "u1234".into(), ..ShareRow::default() };
        assert_eq!(share(&row, 3), "sacctmgr -i modify account where name=u1234 set fairshare=3");
        let user = ShareRow { user: "al ice".into(), partition: "gpu".into(), ..row };
        assert!(share(&user, 1).contains("where name='al ice' account=u1234 partition=gpu set fairshare=1"));
        let line = conf(&[("PriorityWeightAge", "5"), ("PriorityWeightQOS", "7")]);
        assert!(
            line.starts_with(
                "sed -i '/^PriorityWeightAge=/Id;/^PriorityWeightQOS=/Id' /etc/slurm/slurm.conf"
            )
        );
        assert!(line.contains("printf '%s\\n' PriorityWeightAge=5 PriorityWeightQOS=7 >> "), "{line}");
        assert_eq!(word("it's"), r"'it'\''s'");
    }
}
