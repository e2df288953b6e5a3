//! nc(1), ss(8): ports of the local host. There is no network, so other hosts are unreachable.

use super::getopt::{self, Spec};
use crate::Cx;

/// nc(1): prints the answer of a listener on this host.
pub fn nc(cx: &mut Cx) -> u8 {
    const SPEC: Spec = Spec { short: "zvnw:46lp:u", long: &[], usage: 1 };
    let parsed = match getopt::parse(cx, &SPEC) {
        Ok(parsed) => parsed,
        Err(code) => return code,
    };
    if parsed.has('l') || parsed.has('u') {
        cx.error("not simulated in sandbatch: to listen, use a model (#SIM serve=PORT TEXT)");
        return 1;
    }
    let [host, port] = parsed.operands.as_slice() else {
        cx.complain("usage: nc [-zvn] [-w timeout] destination port");
        return 1;
    };
    let own = cx.host();
    let here = matches!(host.as_str(), "localhost" | "127.0.0.1" | "::1") || **host == *own;
    let number = port.parse::<u16>().ok();
    let answer = number.filter(|_| here).and_then(|port| cx.kernel.answer(&own, port));
    let verbose = parsed.has('v');
    match answer {
        Some(answer) => {
            if verbose {
                cx.complain(&format!("Connection to {host} (127.0.0.1) {port} port [tcp/*] succeeded!"));
            }
            if !parsed.has('z') {
                cx.line(&answer);
            }
            0
        }
        None => {
            if verbose && here {
                cx.complain(&format!(
                    "nc: connect to {host} (127.0.0.1) port {port} (tcp) failed: Connection refused"
                ));
            } else if !here {
                cx.error("not simulated in sandbatch: there is no network between hosts");
            }
            1
        }
    }
}

/// ss(8), for calls such as `ss -ltn`: listeners on this host. Processes (`-p`) only for the caller's own.
pub fn ss(cx: &mut Cx) -> u8 {
    const SPEC: Spec = Spec {
        short: "ltnpua46H",
        long: &[("listening", 'l'), ("tcp", 't'), ("numeric", 'n'), ("processes", 'p'), ("no-header", 'H')],
        usage: 255,
    };
    let parsed = match getopt::parse(cx, &SPEC) {
        Ok(parsed) => parsed,
        Err(code) => return code,
    };
    if !parsed.has('H') {
        cx.line("State  Recv-Q Send-Q Local Address:Port Peer Address:PortProcess");
    }
    if !parsed.has('l') && !parsed.has('a') {
        return 0;
    }
    let (own, uid) = (cx.host(), cx.uid());
    let line = |l: &host::kernel::Listener| {
        let name = cx.kernel.process(l.pid).and_then(|p| p.argv.first().cloned()).unwrap_or_default();
        let shown = parsed.has('p') && (l.uid == uid || uid.0 == 0);
        let process =
            if shown { format!("users:((\"{name}\",pid={},fd=3))", l.pid.0) } else { String::new() };
        let local = format!("127.0.0.1:{}", l.port);
        format!("LISTEN 0      128    {local:>18} {:>17}{process}", "0.0.0.0:*")
    };
    let lines: Vec<String> = cx.kernel.listeners(&own).map(line).collect();
    for line in lines {
        cx.line(line.trim_end());
    }
    0
}
