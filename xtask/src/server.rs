//! Serves a directory like a plain web host, under any path, on 127.0.0.1 only.
//!
//! With compression (brotli, computed once at the start) it behaves like a real host, for `bench`.

use crate::{Outcome, budget, run, setup};
use axum::Router;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::middleware::map_response;
use axum::response::Response;
use std::fs;
use std::net::{Ipv4Addr, TcpListener};
use std::path::{Path, PathBuf};
use tower_http::services::ServeDir;

/// A static file server.
pub struct Server {
    folder: PathBuf,
    /// `/` or `/some/path/`.
    prefix: String,
}

impl Server {
    /// Serves a directory under a path.
    pub fn new(folder: &Path, prefix: &str) -> Self {
        Self { folder: folder.to_path_buf(), prefix: prefix.to_owned() }
    }

    /// Serves a copy of the directory with a compressed version of each file, so requests are fast.
    pub fn compressing(self) -> Outcome<Self> {
        let copy = run::target().join("served");
        setup::discard(&copy)?;
        for file in budget::files(&self.folder)? {
            let to = copy.join(file.strip_prefix(&self.folder).unwrap_or(&file));
            let copied = fs::create_dir_all(to.parent().unwrap_or(&copy)).and_then(|()| fs::copy(&file, &to));
            copied.map_err(|e| format!("{}: {e}.", file.display()))?;
        }
        budget::compress(&self.folder, &copy)?;
        Ok(Self { folder: copy, ..self })
    }

    /// Serves forever, in the background. Returns the URL.
    pub fn start(self, port: Option<u16>) -> Outcome<String> {
        let listener = listen(port)?;
        let problem = |e: std::io::Error| format!("The server does not start: {e}.");
        let port = listener.local_addr().map_err(problem)?.port();
        listener.set_nonblocking(true).map_err(problem)?;
        let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build().map_err(problem)?;
        let address = format!("http://127.0.0.1:{port}{}", self.prefix);
        let router = self.router();
        std::thread::spawn(move || {
            runtime
                .block_on(async { axum::serve(tokio::net::TcpListener::from_std(listener)?, router).await })
        });
        Ok(address)
    }

    fn router(&self) -> Router {
        let files = ServeDir::new(&self.folder).precompressed_br();
        let router = match self.prefix.as_str() {
            "/" => Router::new().fallback_service(files),
            prefix => Router::new().nest_service(prefix, files),
        };
        router.layer(map_response(with_headers))
    }
}

/// Adds the headers of a careful host: the browser revalidates every file, text is UTF-8, and types are not
/// guessed.
async fn with_headers(mut response: Response) -> Response {
    let headers: &mut HeaderMap = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(header::VARY, HeaderValue::from_static("Accept-Encoding"));
    let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    if kind.starts_with("text/") && !kind.contains("charset") {
        // The type was a valid header value and remains one.
        if let Ok(kind) = HeaderValue::from_str(&format!("{kind}; charset=utf-8")) {
            headers.insert(header::CONTENT_TYPE, kind);
        }
    }
    response
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Read, Write};
    use std::net::TcpStream;

    /// A folder that is removed at the end of a test.
    struct Folder(PathBuf);

    impl Folder {
        fn new(name: &str, files: &[(&str, &str)]) -> Self {
            let folder = std::env::temp_dir().join(format!("xtask-{name}-{}", std::process::id()));
            for (file, text) in files {
                let file = folder.join(file);
                fs::create_dir_all(file.parent().expect("a folder")).expect("a folder");
                fs::write(file, text).expect("a file");
            }
            Self(folder)
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    /// The server's answers to these requests on one connection.
    fn answers(address: &str, requests: &str) -> String {
        let host = address.trim_start_matches("http://").split('/').next().expect("a host");
        let mut stream = TcpStream::connect(host).expect("a connection");
        stream.write_all(requests.as_bytes()).expect("sent");
        let mut text = Vec::new();
        stream.read_to_end(&mut text).expect("answers");
        String::from_utf8_lossy(&text).into_owned()
    }

    fn get(address: &str, target: &str, more: &str) -> String {
        answers(address, &format!("GET {target} HTTP/1.1\r\nHost: x\r\n{more}Connection: close\r\n\r\n"))
    }

    #[test]
    fn a_file_is_served_and_the_next_one_on_the_same_connection() {
        let folder = Folder::new("served", &[("index.html", "hello"), ("a.wasm", "\0asm")]);
        let address = Server::new(&folder.0, "/p/").start(None).expect("a port");
        let text = answers(
            &address,
            "GET /p/ HTTP/1.1\r\nHost: x\r\n\r\nGET /p/a.wasm HTTP/1.1\r\nHost: x\r\n\r\n\
             GET /p/q HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
        );
        let all: Vec<&str> = text.split("HTTP/1.1 ").skip(1).collect();
        assert!(all[0].starts_with("200 OK") && all[0].ends_with("\r\n\r\nhello"), "{text}");
        for header in ["content-type: text/html; charset=utf-8", "cache-control: no-cache"] {
            assert!(all[0].contains(header), "{header} in {text}");
        }
        assert!(all[1].contains("content-type: application/wasm") && all[1].contains("nosniff"), "{text}");
        assert!(all[2].starts_with("404 Not Found"), "{text}");
    }

    #[test]
    fn paths_stay_inside_the_folder() {
        let folder = Folder::new("inside", &[("in/index.html", "in"), ("x", "secret")]);
        let address = Server::new(&folder.0.join("in"), "/a/b/").start(None).expect("a port");
        assert!(get(&address, "/a/b/ind%65x.html?x=1", "").ends_with("\r\n\r\nin"));
        for out in ["/", "/x", "/a/b/../x", "/a/b/../../x", "/a/b/%2e%2e/x", "/a/b/..%2fx", "/a/b/%ff"] {
            let text = get(&address, out, "");
            assert!(!text.starts_with("HTTP/1.1 200") && !text.contains("secret"), "{out}: {text}");
        }
        let posted = "POST /a/b/ HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
        assert!(answers(&address, posted).starts_with("HTTP/1.1 405"));
    }

    #[test]
    fn compressed_files_are_sent_to_clients_that_accept_them() {
        let text = "many words ".repeat(100);
        let folder = Folder::new("compressed", &[("a.js", &text), ("a.js.br", "short")]);
        let address = Server::new(&folder.0, "/").start(None).expect("a port");
        let compressed = get(&address, "/a.js", "Accept-Encoding: gzip, br\r\n");
        assert!(compressed.contains("content-encoding: br") && compressed.ends_with("short"), "{compressed}");
        assert!(compressed.contains("content-type: text/javascript; charset=utf-8"), "{compressed}");
        assert!(get(&address, "/a.js", "").ends_with(&text));
    }
}
