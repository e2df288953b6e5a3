//! The names, flags and operands of tmux's commands.

use super::ONE_PANE;

/// A command of tmux.
pub(super) struct TmuxCommand {
    pub(super) name: &'static str,
    pub(super) alias: &'static str,
    /// Flags; `:` behind those with an argument.
    pub(super) flags: &'static str,
    /// Fewest and most operands.
    pub(super) operands: (usize, usize),
}

const MANY: usize = usize::MAX;

const fn command(
    name: &'static str,
    alias: &'static str,
    flags: &'static str,
    operands: (usize, usize),
) -> TmuxCommand {
    TmuxCommand { name, alias, flags, operands }
}

/// The commands, by name.
const COMMANDS: [TmuxCommand; 25] = [
    command("attach-session", "attach", "c:dEf:rt:x", (0, 0)),
    command("capture-pane", "capturep", "ab:CeE:JNpPqS:t:", (0, 0)),
    command("detach-client", "detach", "aE:s:t:P", (0, 0)),
    command("display-message", "display", "aIc:d:lNpt:F:v", (0, 1)),
    command("has-session", "has", "t:", (0, 0)),
    command("kill-pane", "killp", "at:", (0, 0)),
    command("kill-server", "", "", (0, 0)),
    command("kill-session", "", "aCt:", (0, 0)),
    command("kill-window", "killw", "at:", (0, 0)),
    command("last-window", "last", "t:", (0, 0)),
    command("list-clients", "lsc", "F:t:", (0, 0)),
    command("list-keys", "lsk", "1aNP:T:", (0, 1)),
    command("list-panes", "lsp", "asF:f:t:", (0, 0)),
    command("list-sessions", "ls", "F:f:", (0, 0)),
    command("list-windows", "lsw", "F:f:at:", (0, 0)),
    command("new-session", "new", "Ac:dDe:EF:f:n:Ps:t:x:Xy:", (0, MANY)),
    command("new-window", "neww", "abc:de:F:kn:PSt:", (0, MANY)),
    command("next-window", "next", "at:", (0, 0)),
    command("previous-window", "prev", "at:", (0, 0)),
    command("rename-session", "rename", "t:", (1, 1)),
    command("rename-window", "renamew", "t:", (1, 1)),
    command("select-window", "selectw", "lnpTt:", (0, 0)),
    command("send-keys", "send", "FHlMN:Rt:X", (0, MANY)),
    command("start-server", "start", "", (0, 0)),
    command("switch-client", "switchc", "c:EFlnO:pt:rT:Z", (0, 0)),
];

/// The other commands of tmux. They are known, and refused.
const OTHERS: &str = "bind-key break-pane choose-buffer choose-client choose-tree clear-history clock-mode command-prompt \
    confirm-before copy-mode customize-mode delete-buffer display-menu display-panes display-popup find-window if-shell \
    join-pane last-pane link-window list-buffers list-commands load-buffer lock-client lock-server lock-session move-pane \
    move-window next-layout paste-buffer pipe-pane previous-layout refresh-client resize-pane resize-window respawn-pane \
    respawn-window rotate-window run-shell save-buffer select-layout select-pane send-prefix server-access set-buffer \
    set-environment set-hook set-option set-window-option show-buffer show-environment show-hooks show-messages \
    show-options show-prompt-history show-window-options source-file split-window swap-pane swap-window suspend-client \
    unbind-key unlink-window wait-for";

/// The command of a name, an alias or the beginning of a name.
pub(super) fn command_of(word: &str) -> Result<&'static TmuxCommand, String> {
    if let Some(found) = COMMANDS.iter().find(|command| command.alias == word || command.name == word) {
        return Ok(found);
    }
    let names = COMMANDS.iter().map(|command| command.name).chain(OTHERS.split(' '));
    let mut found: Vec<&str> = names.filter(|name| name.starts_with(word)).collect();
    found.sort_unstable();
    let other = match (found.as_slice(), word) {
        (_, "splitw") => "split-window",
        (_, "set") => "set-option",
        (_, "setw") => "set-window-option",
        (_, "source") => "source-file",
        (_, "bind") => "bind-key",
        ([], _) => return Err(format!("unknown command: {word}")),
        ([one], _) => one,
        _ if found.contains(&word) => word,
        _ => return Err(format!("ambiguous command: {word}, could be: {}", found.join(", "))),
    };
    match COMMANDS.iter().find(|command| command.name == other) {
        Some(command) => Ok(command),
        None if other == "split-window" => Err(format!("tmux: split-window: {ONE_PANE}")),
        None => Err(format!("tmux: {other}: not simulated in sandbatch")),
    }
}

/// Flags with their arguments, and operands.
type TmuxFlags = (Vec<(char, String)>, Vec<String>);

pub(super) fn flags_of(command: &TmuxCommand, arguments: &[String]) -> Result<TmuxFlags, String> {
    let (mut flags, name) = (Vec::new(), command.name);
    let mut rest = arguments;
    while let [word, more @ ..] = rest {
        let Some(letters) = word.strip_prefix('-').filter(|letters| !letters.is_empty()) else { break };
        rest = more;
        if letters == "-" {
            break;
        }
        let mut letters = letters.chars();
        while let Some(letter) = letters.next() {
            let Some(place) = command.flags.find(letter).filter(|_| letter != ':') else {
                return Err(format!("command {name}: unknown flag -{letter}"));
            };
            if !command.flags[place + 1..].starts_with(':') {
                flags.push((letter, String::new()));
                continue;
            }
            let value = match (letters.as_str(), rest) {
                ("", [value, more @ ..]) => {
                    rest = more;
                    value.clone()
                }
                ("", []) => return Err(format!("command {name}: -{letter} expects an argument")),
                (value, _) => value.to_owned(),
            };
            flags.push((letter, value));
            break;
        }
    }
    let (least, most) = command.operands;
    if rest.len() < least {
        return Err(format!("command {name}: too few arguments (need at least {least})"));
    }
    if rest.len() > most {
        return Err(format!("command {name}: too many arguments (need at most {most})"));
    }
    Ok((flags, rest.to_vec()))
}
