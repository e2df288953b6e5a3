//! A server with a certificate made here, and a client that trusts only this one.

use super::*;
use crate::PageServer;
use rcgen::{CertifiedKey, generate_simple_self_signed};
use std::fs;
use std::io::{Read as _, Write as _};
use std::net::TcpStream as StdStream;
use std::path::PathBuf;
use tokio_rustls::rustls::pki_types::ServerName;
use tokio_rustls::rustls::{ClientConfig, ClientConnection, RootCertStore, StreamOwned};

/// A folder with the files of a certificate: `cert.pem`, `key.pem`.
fn certificate(name: &str) -> (PathBuf, CertificateDer<'static>) {
    let dir = std::env::temp_dir().join(format!("sandbatch-tls-{}-{name}", std::process::id()));
    fs::create_dir_all(&dir).unwrap();
    let CertifiedKey { cert, signing_key } =
        generate_simple_self_signed(vec!["localhost".to_owned()]).unwrap();
    fs::write(dir.join("cert.pem"), cert.pem()).unwrap();
    fs::write(dir.join("key.pem"), signing_key.serialize_pem()).unwrap();
    (dir, cert.der().clone())
}

/// A connection of a client that trusts one certificate.
fn connect(to: SocketAddr, trusted: &CertificateDer<'static>) -> StreamOwned<ClientConnection, StdStream> {
    let mut roots = RootCertStore::empty();
    roots.add(trusted.clone()).unwrap();
    let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(roots)
        .with_no_client_auth();
    let name = ServerName::try_from("localhost").unwrap();
    let client = ClientConnection::new(Arc::new(config), name).unwrap();
    let stream = StdStream::connect(to).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    StreamOwned::new(client, stream)
}

#[test]
fn the_page_and_its_sockets_are_encrypted() {
    let (dir, trusted) = certificate("served");
    fs::write(dir.join("index.html"), "<title>the page</title>").unwrap();
    let mut server =
        PageServer::bind("127.0.0.1:0", Some(crate::WebPage::Folder(dir.clone())), None).unwrap();
    server.encrypt(&dir.join("cert.pem"), &dir.join("key.pem")).unwrap();
    let (address, stop) = (server.address(), server.stop_handle());
    assert_eq!(server.url(), format!("https://{address}"));
    let running = std::thread::spawn(move || server.run());

    // A client that never begins a handshake keeps no other from connecting.
    let silent = StdStream::connect(address).unwrap();
    let mut page = connect(address, &trusted);
    page.write_all(b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n").unwrap();
    let mut text = String::new();
    page.read_to_string(&mut text).unwrap();
    assert!(text.starts_with("HTTP/1.1 200 OK") && text.ends_with("<title>the page</title>"), "{text}");
    drop(silent);

    // Of the class's route: a socket of another origin is refused, over TLS as without.
    let mut socket = connect(address, &trusted);
    let request = "GET /class/none HTTP/1.1\r\nHost: localhost\r\nOrigin: https://evil.example\r\nConnection: Upgrade\r\n\
                   Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n";
    socket.write_all(request.as_bytes()).unwrap();
    let mut head = [0; 12];
    socket.read_exact(&mut head).unwrap();
    assert_eq!(&head, b"HTTP/1.1 403");

    // Without TLS there is no page, and another certificate is not trusted.
    let mut plain = StdStream::connect(address).unwrap();
    plain.write_all(b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n").unwrap();
    let mut bytes = Vec::new();
    // The server may reset the connection; either way it sends no page.
    let _ = plain.read_to_end(&mut bytes);
    assert!(!String::from_utf8_lossy(&bytes).contains("the page"));
    let (other, stranger) = certificate("stranger");
    assert!(connect(address, &stranger).write_all(b"GET / HTTP/1.1\r\n\r\n").is_err());

    stop.stop();
    running.join().unwrap().unwrap();
    for dir in [dir, other] {
        drop(fs::remove_dir_all(dir));
    }
}

#[test]
fn files_that_do_not_fit_are_one_line() {
    let (dir, _) = certificate("one");
    let (other, _) = certificate("two");
    let at = |name: &str| dir.join(name);
    fs::write(at("text.pem"), "hello\n").unwrap();
    fs::write(at("broken.pem"), "-----BEGIN CERTIFICATE-----\n!!!\n-----END CERTIFICATE-----\n").unwrap();
    fs::write(at("odd.pem"), "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n").unwrap();
    for (cert, key, why) in [
        (at("none.pem"), at("key.pem"), "--tls-cert"),
        (at("cert.pem"), at("none.pem"), "No such file"),
        (at("text.pem"), at("key.pem"), "there is no certificate in it"),
        (at("cert.pem"), at("text.pem"), "there is no private key in it"),
        (at("key.pem"), at("key.pem"), "there is no certificate in it"),
        (at("cert.pem"), at("cert.pem"), "there is no private key in it"),
        (at("cert.pem"), other.join("key.pem"), "the key of another certificate"),
        (at("broken.pem"), at("key.pem"), "not a PEM file"),
        (at("odd.pem"), at("key.pem"), "--tls-cert"),
    ] {
        let Err(message) = read(&cert, &key) else { panic!("{} with {}", cert.display(), key.display()) };
        assert!(message.contains(why) && message.lines().count() == 1, "{message}");
        assert!(message.starts_with("--tls-"), "{message}");
    }
    for dir in [dir, other] {
        drop(fs::remove_dir_all(dir));
    }
}
