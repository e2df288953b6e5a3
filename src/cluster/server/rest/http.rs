//! The HTTP side of slurmrestd: axum on a thread of its own. Requests go to the server's thread as events.

use super::{RestReply, RestRequest};
use crate::server::ServerEvent;
use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use axum::serve::Listener;
use std::io;
use std::path::PathBuf;
use std::sync::mpsc::Sender;
use tokio::net::{UnixListener, UnixStream};
use tokio::sync::oneshot;

/// Maximum size of a body. A script has at most 4 MiB.
const MAX_BODY: usize = 16 << 20;

/// Where slurmrestd listens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RestAddress {
    /// `127.0.0.1:0`
    Tcp(String),
    /// `unix:/path`; without a path, in the cluster's directory.
    Unix(PathBuf),
}

/// A bound listener that does not serve requests yet.
pub enum BoundListener {
    /// A port.
    Tcp(std::net::TcpListener),
    /// A socket.
    Unix(std::os::unix::net::UnixListener),
}

impl RestAddress {
    /// Binds the address. Also returns it with the selected port, in the format that clients use.
    ///
    /// # Errors
    /// It cannot be used.
    pub fn bind(&self) -> Result<(BoundListener, String), String> {
        match self {
            Self::Tcp(address) => {
                let problem = |e: io::Error| format!("--rest {address}: {e}");
                let listener = std::net::TcpListener::bind(address).map_err(problem)?;
                listener.set_nonblocking(true).map_err(problem)?;
                let local = listener.local_addr().map_err(problem)?;
                Ok((BoundListener::Tcp(listener), format!("http://{local}")))
            }
            Self::Unix(path) => {
                let problem = |e: io::Error| format!("--rest unix:{}: {e}", path.display());
                let mask = rustix::process::umask(rustix::fs::Mode::from_bits_truncate(0o177));
                let bound = std::os::unix::net::UnixListener::bind(path);
                rustix::process::umask(mask);
                let listener = bound.map_err(problem)?;
                listener.set_nonblocking(true).map_err(problem)?;
                Ok((BoundListener::Unix(listener), format!("unix:{}", path.display())))
            }
        }
    }
}

/// The state of each handler.
#[derive(Clone)]
struct HttpState {
    events: Sender<ServerEvent>,
    /// The peer is known to be the cluster's user, because it uses a Unix socket with a check.
    local: bool,
}

/// Serves requests until the process ends.
///
/// # Errors
/// The runtime cannot be started.
pub fn serve(listeners: Vec<BoundListener>, events: &Sender<ServerEvent>) -> Result<(), String> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build();
    let runtime = runtime.map_err(|e| format!("--rest: {e}"))?;
    let router =
        |local| Router::new().fallback(answer).with_state(HttpState { events: events.clone(), local });
    let (tcp, unix) = (router(false), router(true));
    let run = move || {
        runtime.block_on(async {
            for listener in listeners {
                match listener {
                    BoundListener::Tcp(listener) => {
                        let Ok(listener) = tokio::net::TcpListener::from_std(listener) else { continue };
                        tokio::spawn(axum::serve(listener, tcp.clone()).into_future());
                    }
                    BoundListener::Unix(listener) => {
                        let Ok(listener) = UnixListener::from_std(listener) else { continue };
                        tokio::spawn(axum::serve(OwnPeers(listener), unix.clone()).into_future());
                    }
                }
            }
            std::future::pending::<()>().await;
        });
    };
    std::thread::Builder::new().spawn(run).map(drop).map_err(|e| format!("--rest: {e}"))
}

/// A Unix socket that accepts only the user of this process.
struct OwnPeers(UnixListener);

impl Listener for OwnPeers {
    type Io = UnixStream;
    type Addr = tokio::net::unix::SocketAddr;

    async fn accept(&mut self) -> (Self::Io, Self::Addr) {
        loop {
            let (stream, address) = Listener::accept(&mut self.0).await;
            let own = rustix::process::geteuid().as_raw();
            if stream.peer_cred().is_ok_and(|peer| peer.uid() == own) {
                return (stream, address);
            }
        }
    }

    fn local_addr(&self) -> io::Result<Self::Addr> {
        self.0.local_addr()
    }
}

async fn answer(State(state): State<HttpState>, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    let Ok(body) = to_bytes(body, MAX_BODY).await else {
        return StatusCode::PAYLOAD_TOO_LARGE.into_response();
    };
    let query = parts.uri.query().unwrap_or_default();
    let request = RestRequest {
        method: parts.method.as_str().to_owned(),
        path: parts.uri.path().to_owned(),
        query: form_urlencoded::parse(query.as_bytes()).into_owned().collect(),
        user: text(&parts.headers, "x-slurm-user-name"),
        token: text(&parts.headers, "x-slurm-user-token").or_else(|| bearer(&parts.headers)),
        local: state.local,
        body: body.to_vec(),
    };
    let (reply, replied) = oneshot::channel();
    if state.events.send(ServerEvent::Rest(request, reply)).is_err() {
        return StatusCode::SERVICE_UNAVAILABLE.into_response();
    }
    let Ok(RestReply { status, kind, body }) = replied.await else {
        return StatusCode::SERVICE_UNAVAILABLE.into_response();
    };
    let status = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    (status, [(header::CONTENT_TYPE, kind)], Body::from(body)).into_response()
}

fn text(headers: &HeaderMap, name: &str) -> Option<String> {
    headers.get(name)?.to_str().ok().map(str::to_owned)
}

fn bearer(headers: &HeaderMap) -> Option<String> {
    let value = text(headers, "authorization")?;
    let (scheme, token) = value.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim().to_owned())
}
