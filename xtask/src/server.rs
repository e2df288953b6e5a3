//! A small static file server, like a plain web host: a directory, under any path, over HTTP/1.1.
//!
//! It listens on 127.0.0.1 only. With compression (brotli, computed once at the start) it behaves like a real host, for
//! `bench`.

use crate::{Outcome, budget};
use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

const MAX_HEAD: u64 = 64 * 1024;

/// A static file server.
pub struct Server {
    folder: PathBuf,
    /// `/` or `/some/path/`.
    prefix: String,
    /// Compressed bodies by file; empty without compression.
    compressed: BTreeMap<PathBuf, Vec<u8>>,
}

/// A browser's request.
struct Ask {
    method: String,
    target: String,
    brotli: bool,
    keep: bool,
}

struct Answer {
    status: &'static str,
    kind: &'static str,
    compressed: bool,
    body: Vec<u8>,
}

impl Server {
    /// Serves a directory under a path.
    pub fn new(folder: &Path, prefix: &str) -> Self {
        Self { folder: folder.to_path_buf(), prefix: prefix.to_owned(), compressed: BTreeMap::new() }
    }

    /// Compresses every file up front, so that requests are fast.
    pub fn compressing(mut self) -> Outcome<Self> {
        for file in budget::files(&self.folder)? {
            let bytes = fs::read(&file).map_err(|e| format!("{}: {e}.", file.display()))?;
            self.compressed.insert(file, budget::brotli(&bytes));
        }
        Ok(self)
    }

    /// Serves forever, in the background. Returns the URL.
    pub fn start(self, port: Option<u16>) -> Outcome<String> {
        let listener = listen(port)?;
        let port = listener.local_addr().map_err(|e| e.to_string())?.port();
        let address = format!("http://127.0.0.1:{port}{}", self.prefix);
        let server = Arc::new(self);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let server = Arc::clone(&server);
                std::thread::spawn(move || server.converse(&stream));
            }
        });
        Ok(address)
    }

    /// Answers the requests of one connection until it ends. A disconnected browser is not an error.
    fn converse(&self, stream: &TcpStream) {
        let _ = stream.set_read_timeout(Some(Duration::from_secs(60)));
        let _ = stream.set_nodelay(true);
        let mut reader = BufReader::new(stream);
        while let Some(ask) = read_ask(&mut reader) {
            let answer = self.answer(&ask);
            let coding =
                if answer.compressed { "Content-Encoding: br\r\nVary: Accept-Encoding\r\n" } else { "" };
            let head = format!(
                "HTTP/1.1 {}\r\nContent-Type: {}\r\nContent-Length: {}\r\n{coding}Cache-Control: no-cache\r\n\
                 X-Content-Type-Options: nosniff\r\nConnection: {}\r\n\r\n",
                answer.status,
                answer.kind,
                answer.body.len(),
                if ask.keep { "keep-alive" } else { "close" },
            );
            let mut out = head.into_bytes();
            if ask.method != "HEAD" {
                out.extend_from_slice(&answer.body);
            }
            if (&mut &*stream).write_all(&out).is_err() || !ask.keep {
                return;
            }
        }
    }

    fn answer(&self, ask: &Ask) -> Answer {
        let plain = |status, text: &str| Answer {
            status,
            kind: "text/plain; charset=utf-8",
            compressed: false,
            body: text.as_bytes().to_vec(),
        };
        if ask.method != "GET" && ask.method != "HEAD" {
            return plain("405 Method Not Allowed", "Only GET and HEAD are supported.\n");
        }
        let Some(file) = self.file(&ask.target) else { return plain("404 Not Found", "Not found.\n") };
        let kind = kind(&file);
        match self.compressed.get(&file) {
            Some(body) if ask.brotli => {
                Answer { status: "200 OK", kind, compressed: true, body: body.clone() }
            }
            _ => match fs::read(&file) {
                Ok(body) => Answer { status: "200 OK", kind, compressed: false, body },
                Err(_) => plain("404 Not Found", "Not found.\n"),
            },
        }
    }

    /// The file for a request target, if it is inside the directory.
    fn file(&self, target: &str) -> Option<PathBuf> {
        let path = decode(target.split(['?', '#']).next()?)?;
        let path = path.strip_prefix(&self.prefix)?;
        let inside = |part: &&str| *part != ".." && !part.contains(['\\', ':', '\0']);
        let mut file = self.folder.clone();
        for part in path.split('/').filter(|part| !part.is_empty() && *part != ".") {
            file.push(Some(part).filter(inside)?);
        }
        Some(if file.is_dir() { file.join("index.html") } else { file })
    }
}

/// A listener on this port, or on 8080 or the first free port after it.
fn listen(port: Option<u16>) -> Outcome<TcpListener> {
    let bind = |port| TcpListener::bind((Ipv4Addr::LOCALHOST, port));
    match port {
        Some(port) => {
            bind(port).map_err(|e| format!("Port {port} cannot be used: {e}. Choose another by --port N."))
        }
        None => (8080..8180).find_map(|port| bind(port).ok()).ok_or_else(|| {
            "None of the ports 8080 to 8179 is free. Choose another one with --port N.".to_owned()
        }),
    }
}

/// The next request on a connection, or `None` at the end or if it is malformed.
fn read_ask(reader: &mut impl BufRead) -> Option<Ask> {
    let mut lines = reader.take(MAX_HEAD).lines();
    let first = lines.next()?.ok()?;
    let mut words = first.split(' ');
    let (method, target, version) = (words.next()?, words.next()?, words.next()?);
    let mut ask = Ask {
        method: method.to_owned(),
        target: target.to_owned(),
        brotli: false,
        keep: version.eq_ignore_ascii_case("HTTP/1.1"),
    };
    loop {
        let line = lines.next()?.ok()?.to_ascii_lowercase();
        match line.split_once(':') {
            None if line.is_empty() => return Some(ask),
            None => return None,
            Some(("accept-encoding", value)) => {
                ask.brotli = value.split(',').any(|c| c.trim().starts_with("br"))
            }
            Some(("connection", value)) => ask.keep &= !value.contains("close"),
            Some(_) => {}
        }
    }
}

/// Decodes `%20` and similar; `None` if the result is not UTF-8.
fn decode(path: &str) -> Option<String> {
    let mut bytes = path.bytes();
    let mut out = Vec::new();
    while let Some(byte) = bytes.next() {
        out.push(if byte == b'%' {
            let digits = [bytes.next()?, bytes.next()?];
            u8::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()?
        } else {
            byte
        });
    }
    String::from_utf8(out).ok()
}

/// The media type for a file extension.
fn kind(file: &Path) -> &'static str {
    match file.extension().and_then(|e| e.to_str()).unwrap_or_default() {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "wasm" => "application/wasm",
        "json" | "map" => "application/json",
        "webmanifest" => "application/manifest+json",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "conf" | "toml" | "txt" | "sh" | "slurm" | "md" | "dump" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(text: &str) -> Option<Ask> {
        read_ask(&mut text.as_bytes())
    }

    #[test]
    fn paths_stay_inside_the_folder() {
        let server = Server::new(Path::new("/srv/page"), "/a/b/");
        let file = |target| server.file(target).map(|f| f.display().to_string());
        assert_eq!(file("/a/b/app.js?x=1").as_deref(), Some("/srv/page/app.js"));
        assert_eq!(file("/a/b/sites/in%73erm").as_deref(), Some("/srv/page/sites/inserm"));
        for out in
            ["/", "/a/b", "/a/b/../x", "/a/b/%2e%2e/x", "/a/b/x%2f..%2f..%2fetc", "/a/b/%ff", "/a/b/%4"]
        {
            assert_eq!(file(out), None, "{out}");
        }
    }

    #[test]
    fn requests_are_read_and_others_refused() {
        let read = ask("GET /x HTTP/1.1\r\nAccept-Encoding: gzip, br\r\n\r\n").expect("a request");
        assert!(read.brotli && read.keep && read.method == "GET" && read.target == "/x");
        assert!(!ask("GET / HTTP/1.1\r\nConnection: close\r\n\r\n").expect("a request").keep);
        assert!(
            ask("GET /\r\n\r\n").is_none() && ask("GET / HTTP/1.1\r\nHalf").is_none() && ask("").is_none()
        );
    }

    #[test]
    fn a_file_is_served_and_the_next_one_on_the_same_connection() {
        let folder = std::env::temp_dir().join(format!("xtask-server-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        fs::write(folder.join("index.html"), "hello").expect("a file");
        let address = Server::new(&folder, "/p/").start(None).expect("a port");
        let host = address.trim_start_matches("http://").split('/').next().expect("a host");
        let mut stream = TcpStream::connect(host).expect("a connection");
        stream
            .write_all(b"GET /p/ HTTP/1.1\r\n\r\nGET /q HTTP/1.1\r\nConnection: close\r\n\r\n")
            .expect("sent");
        let mut text = String::new();
        stream.read_to_string(&mut text).expect("answers");
        assert!(
            text.starts_with("HTTP/1.1 200 OK\r\nContent-Type: text/html") && text.contains("\r\n\r\nhello")
        );
        assert!(text.contains("HTTP/1.1 404 Not Found"), "{text}");
        fs::remove_dir_all(&folder).expect("removed");
    }
}
