//! TLS: the certificate and key, and the listener whose connections are encrypted.
//!
//! A handshake runs in a task of its own, so that a client that is slow or silent keeps no other from connecting.

use axum::serve::Listener;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, mpsc};
use tokio::time::{sleep, timeout};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::{Error as PemError, PemObject as _};
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::{Error as TlsError, InconsistentKeys, ServerConfig};
use tokio_rustls::server::TlsStream;

/// Time for a handshake.
const HANDSHAKE: Duration = Duration::from_secs(10);
/// Most handshakes at once. Further clients wait in the system's queue.
const MAX_HANDSHAKES: usize = 256;
/// Pause after the system refused to accept a connection, for example because there are too many open files.
const REFUSED: Duration = Duration::from_millis(200);

/// Reads a certificate chain and its key: PEM files, as `certbot` and `openssl` write them.
///
/// # Errors
/// A sentence with the option: a file cannot be read, has no such part, or the key does not fit.
pub fn read(cert: &Path, key: &Path) -> Result<TlsAcceptor, String> {
    let problem = |option: &str, path: &Path, what: &str, error: PemError| match error {
        PemError::Io(error) => format!("{option} {}: {error}", path.display()),
        PemError::NoItemsFound => {
            format!("{option} {}: there is no {what} in it (a PEM file has one)", path.display())
        }
        error => format!("{option} {}: not a PEM file: {error}", path.display()),
    };
    let of_cert = |error| problem("--tls-cert", cert, "certificate", error);
    let chain = CertificateDer::pem_file_iter(cert).map_err(of_cert)?;
    let chain = chain.collect::<Result<Vec<_>, _>>().map_err(of_cert)?;
    if chain.is_empty() {
        return Err(of_cert(PemError::NoItemsFound));
    }
    let secret =
        PrivateKeyDer::from_pem_file(key).map_err(|e| problem("--tls-key", key, "private key", e))?;
    let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(|e| format!("TLS: {e}"))?
        .with_no_client_auth()
        .with_single_cert(chain, secret);
    let config = config.map_err(|error| match error {
        TlsError::InconsistentKeys(InconsistentKeys::KeyMismatch) => {
            format!("--tls-key {}: the key of another certificate than {}", key.display(), cert.display())
        }
        error => format!("--tls-cert {}: {error}", cert.display()),
    })?;
    Ok(TlsAcceptor::from(Arc::new(config)))
}

/// A listener with encrypted connections.
pub struct TlsListener {
    connections: mpsc::Receiver<(TlsStream<TcpStream>, SocketAddr)>,
    address: SocketAddr,
}

impl TlsListener {
    /// Accepts connections in the background, until the listener is dropped.
    ///
    /// # Errors
    /// The system does not know the listener's address.
    pub fn new(listener: TcpListener, acceptor: TlsAcceptor) -> std::io::Result<Self> {
        let address = listener.local_addr()?;
        let (sender, connections) = mpsc::channel(MAX_HANDSHAKES);
        tokio::spawn(accept(listener, acceptor, sender));
        Ok(Self { connections, address })
    }
}

async fn accept(
    listener: TcpListener,
    acceptor: TlsAcceptor,
    sender: mpsc::Sender<(TlsStream<TcpStream>, SocketAddr)>,
) {
    let free = Arc::new(Semaphore::new(MAX_HANDSHAKES));
    while let Ok(permit) = Arc::clone(&free).acquire_owned().await {
        let (stream, from) = tokio::select! {
            () = sender.closed() => return,
            accepted = listener.accept() => match accepted {
                Ok(accepted) => accepted,
                Err(_) => {
                    sleep(REFUSED).await;
                    continue;
                }
            },
        };
        let (acceptor, sender) = (acceptor.clone(), sender.clone());
        tokio::spawn(async move {
            if let Ok(Ok(stream)) = timeout(HANDSHAKE, acceptor.accept(stream)).await {
                // It is dropped if the server has ended.
                let _ = sender.send((stream, from)).await;
            }
            drop(permit);
        });
    }
}

impl Listener for TlsListener {
    type Io = TlsStream<TcpStream>;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Self::Io, Self::Addr) {
        match self.connections.recv().await {
            Some(connection) => connection,
            // The task that accepts runs as long as this listener.
            None => std::future::pending().await,
        }
    }

    fn local_addr(&self) -> std::io::Result<Self::Addr> {
        Ok(self.address)
    }
}

#[cfg(test)]
mod tests;
