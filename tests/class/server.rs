//! A server of its own for each test, as a process.

use classroom::Secret;
use std::io::{BufRead as _, BufReader, Read as _};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

const SANDBATCH: &str = env!("CARGO_BIN_EXE_sandbatch");
static NEXT: AtomicU32 = AtomicU32::new(0);

/// A running server with the class `c`.
pub struct ClassProcess {
    pub address: SocketAddr,
    /// Of the participants' and the teacher's link.
    pub secrets: (Secret, Secret),
    folder: PathBuf,
    child: Option<Child>,
    options: Vec<String>,
    log: String,
}

impl ClassProcess {
    pub fn start(options: &[&str]) -> Self {
        let number = NEXT.fetch_add(1, Ordering::SeqCst);
        let folder = std::env::temp_dir().join(format!("sbclass{}-{number}", std::process::id()));
        std::fs::create_dir_all(folder.join("web")).expect("a folder");
        std::fs::write(folder.join("web/index.html"), "<p>page").expect("a file");
        let options = options.iter().map(|o| (*o).to_owned()).collect();
        let mut process = Self {
            address: SocketAddr::from(([127, 0, 0, 1], 0)),
            secrets: (Secret::new([0; 16]), Secret::new([0; 16])),
            folder,
            child: None,
            options,
            log: String::new(),
        };
        process.start_again();
        process
    }

    pub fn state(&self) -> PathBuf {
        self.folder.join("state")
    }

    fn command(&self, listen: &str) -> Command {
        let mut command = Command::new(SANDBATCH);
        command.args(["serve", "--class", "c", "--no-qr", "--listen", listen]).args(&self.options);
        command.arg("--state").arg(self.state()).arg("--web").arg(self.folder.join("web"));
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// Starts the server at the address that it had before.
    pub fn start_again(&mut self) {
        let mut child = self.command(&self.address.to_string()).spawn().expect("the binary");
        let mut out = BufReader::new(child.stdout.take().expect("piped"));
        self.log.clear();
        let mut links = Vec::new();
        while links.len() < 2 {
            let mut line = String::new();
            let read = out.read_line(&mut line).expect("text");
            if read == 0 {
                let mut why = String::new();
                child.stderr.take().expect("piped").read_to_string(&mut why).expect("text");
                panic!("the server does not start: {why}");
            }
            match line.split_once("#class=c.") {
                Some((_, secret)) => links.push(Secret::parse(secret.trim()).expect("a secret")),
                None => self.log.push_str(&line),
            }
            if let Some((_, rest)) = line.split_once("http://") {
                self.address = rest.split('/').next().expect("an address").parse().expect("an address");
            }
        }
        self.secrets = (links[1], links[0]);
        self.child = Some(child);
    }

    /// Kills it without a chance to clean up.
    pub fn kill(&mut self) {
        if let Some(mut child) = self.child.take() {
            child.kill().expect("killed");
            child.wait().expect("ended");
        }
    }

    /// Ends it as Ctrl-C does.
    #[cfg(unix)]
    pub fn interrupt(&mut self) {
        let mut child = self.child.take().expect("a server");
        let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill");
        assert!(sent.success() && child.wait().expect("ended").success());
    }

    /// What the server printed at its start, but for the links.
    pub fn log(&self) -> &str {
        &self.log
    }

    /// The error of a second server for the same class.
    pub fn second(&self) -> String {
        let output = self.command("127.0.0.1:0").output().expect("the binary");
        String::from_utf8_lossy(&output.stderr).into_owned()
    }
}

impl Drop for ClassProcess {
    fn drop(&mut self) {
        self.kill();
        // A folder that stays hurts nobody.
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}
