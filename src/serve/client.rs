//! A participant without a page: a blocking WebSocket and [`ClassMember`]. For tests and measurements.

use classroom::wire::{FromClassServer, ToClassServer, decode, encode};
use classroom::{ClassMember, MemberNews};
use std::io::ErrorKind;
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;
use tungstenite::{Error, Message, WebSocket};

/// A connection to a class.
pub struct Client {
    socket: WebSocket<TcpStream>,
}

/// Why a connection is over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConnectionLost(pub String);

impl Client {
    /// Connects. `wait` is the longest time that [`Self::message`] waits.
    ///
    /// # Errors
    /// There is no connection.
    pub fn connect(address: SocketAddr, class: &str, wait: Duration) -> Result<Self, ConnectionLost> {
        let lost = |error: &dyn std::fmt::Display| ConnectionLost(error.to_string());
        let stream = TcpStream::connect(address).map_err(|e| lost(&e))?;
        // Typed input must not wait until a packet is full.
        stream.set_nodelay(true).map_err(|e| lost(&e))?;
        let url = format!("ws://{address}/class/{class}");
        let (socket, _) = tungstenite::client(url, stream).map_err(|e| lost(&e))?;
        socket.get_ref().set_read_timeout(Some(wait)).map_err(|e| lost(&e))?;
        Ok(Self { socket })
    }

    /// Connects, and greets for a participant.
    ///
    /// # Errors
    /// There is no connection.
    pub fn join(
        address: SocketAddr,
        class: &str,
        wait: Duration,
        member: &ClassMember,
    ) -> Result<Self, ConnectionLost> {
        let mut client = Self::connect(address, class, wait)?;
        client.send(&member.hello())?;
        Ok(client)
    }

    /// Sends a message.
    ///
    /// # Errors
    /// The connection is over.
    pub fn send(&mut self, message: &ToClassServer) -> Result<(), ConnectionLost> {
        self.send_bytes(encode(message))
    }

    /// Sends bytes that may be no message.
    ///
    /// # Errors
    /// The connection is over.
    pub fn send_bytes(&mut self, bytes: Vec<u8>) -> Result<(), ConnectionLost> {
        self.socket.send(Message::Binary(bytes.into())).map_err(|e| ConnectionLost(e.to_string()))
    }

    /// The next message, if one comes in time.
    ///
    /// # Errors
    /// The connection is over.
    pub fn message(&mut self) -> Result<Option<FromClassServer>, ConnectionLost> {
        loop {
            match self.socket.read() {
                Ok(Message::Binary(bytes)) => {
                    let message = decode(&bytes);
                    return message
                        .map(Some)
                        .ok_or_else(|| ConnectionLost("a message makes no sense".to_owned()));
                }
                Ok(Message::Close(_)) => return Err(ConnectionLost("closed".to_owned())),
                // Answers to pings leave with the next read or write.
                Ok(_) => {}
                Err(Error::Io(e)) if matches!(e.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {
                    return Ok(None);
                }
                Err(error) => return Err(ConnectionLost(error.to_string())),
            }
        }
    }

    /// The next message as it concerns a participant.
    ///
    /// # Errors
    /// The connection is over.
    pub fn news(&mut self, member: &mut ClassMember) -> Result<Option<MemberNews>, ConnectionLost> {
        match self.message()? {
            None => Ok(None),
            Some(message) => match member.receive(message) {
                Some(news) => Ok(Some(news)),
                None => Err(ConnectionLost("the entries do not follow each other".to_owned())),
            },
        }
    }
}
