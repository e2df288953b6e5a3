//! The connection of a tab.

use crate::open_class::{Classroom, TabView};
use axum::body::Bytes;
use axum::extract::ws::{Message, WebSocket};
use classroom::wire::{
    Farewell, FarewellNext, FromClassServer, Hello, ToClassServer, VERSION, decode, encode, greeting_version,
};
use futures_util::SinkExt as _;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::{Instant, sleep_until, timeout};

/// Time for the greeting.
const GREETING: Duration = Duration::from_secs(10);
/// Time for a message to leave. A tab that reads nothing is disconnected, and asks again for what it lacks.
const WRITING: Duration = Duration::from_secs(20);
/// Pause between two signs of life, which also keep proxies from closing the connection.
const PING: Duration = Duration::from_secs(20);
/// Silence after which the tab counts as gone.
const SILENCE: Duration = Duration::from_secs(65);

/// Serves a tab until its connection ends.
pub async fn serve_tab(classroom: Arc<Classroom>, mut socket: WebSocket) {
    match greeting(&mut socket).await.and_then(|hello| classroom.greet(&hello)) {
        Ok((mut view, welcome)) => {
            let welcomed = send(&mut socket, &FromClassServer::Welcome(Box::new(welcome))).await;
            let ended = if welcomed { converse(&classroom, &mut socket, &mut view).await } else { None };
            classroom.leave(&view);
            if let Some(farewell) = ended {
                end(socket, farewell).await;
            }
        }
        Err(farewell) => end(socket, farewell).await,
    }
}

async fn end(mut socket: WebSocket, farewell: Farewell) {
    if send(&mut socket, &FromClassServer::Farewell(farewell)).await {
        // The tab may be gone already.
        let _ = timeout(WRITING, socket.send(Message::Close(None))).await;
    }
}

fn nonsense() -> Farewell {
    let why = "The server does not understand this tab. Reload the page.".to_owned();
    Farewell { why, next: FarewellNext::Stop }
}

async fn greeting(socket: &mut WebSocket) -> Result<Hello, Farewell> {
    let received = timeout(GREETING, socket.recv()).await;
    let Ok(Some(Ok(Message::Binary(bytes)))) = received else { return Err(nonsense()) };
    match decode::<ToClassServer>(&bytes) {
        Some(ToClassServer::Hello(hello)) => Ok(*hello),
        Some(_) => Err(nonsense()),
        None if greeting_version(&bytes).is_some_and(|version| version != VERSION) => {
            let why =
                "This tab has another version of the program than the class. Reload the page.".to_owned();
            Err(Farewell { why, next: FarewellNext::Stop })
        }
        None => Err(nonsense()),
    }
}

/// Exchanges messages. Returns a farewell if the tab is still there at the end.
async fn converse(classroom: &Classroom, socket: &mut WebSocket, view: &mut TabView) -> Option<Farewell> {
    let mut changes = classroom.changes();
    let (mut heard, mut ping) = (Instant::now(), Instant::now() + PING);
    loop {
        changes.mark_unchanged();
        loop {
            match classroom.next_for(view) {
                Ok(messages) if messages.is_empty() => break,
                Ok(messages) => {
                    if !send_all(socket, &messages).await {
                        return None;
                    }
                }
                Err(farewell) => return Some(farewell),
            }
        }
        tokio::select! {
            changed = changes.changed() => changed.ok()?,
            received = socket.recv() => {
                heard = Instant::now();
                match received?.ok()? {
                    Message::Binary(bytes) => {
                        let Some(message) = decode::<ToClassServer>(&bytes) else { return Some(nonsense()) };
                        if let Err(farewell) = classroom.receive(view, message, bytes.len()) {
                            return Some(farewell);
                        }
                    }
                    Message::Text(_) => return Some(nonsense()),
                    Message::Ping(_) | Message::Pong(_) => {}
                    Message::Close(_) => return None,
                }
            }
            () = sleep_until(ping) => {
                if heard.elapsed() > SILENCE {
                    return None;
                }
                ping = Instant::now() + PING;
                if !put(socket, Message::Ping(Bytes::new())).await {
                    return None;
                }
            }
        }
    }
}

/// Sends several messages with one write: a system call for each would be most of the server's work.
async fn send_all(socket: &mut WebSocket, messages: &[FromClassServer]) -> bool {
    let sent = async {
        for message in messages {
            socket.feed(Message::Binary(encode(message).into())).await?;
        }
        socket.flush().await
    };
    matches!(timeout(WRITING, sent).await, Ok(Ok(())))
}

async fn send(socket: &mut WebSocket, message: &FromClassServer) -> bool {
    put(socket, Message::Binary(encode(message).into())).await
}

async fn put(socket: &mut WebSocket, message: Message) -> bool {
    matches!(timeout(WRITING, socket.send(message)).await, Ok(Ok(())))
}
