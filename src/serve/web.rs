//! HTTP: the files of the page, and the WebSockets of the classes.

use crate::open_class::Classroom;
use crate::page_files::WebPage;
use crate::socket::serve_tab;
use axum::Router;
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::{Path as UrlPath, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri, header};
use axum::middleware::map_response;
use axum::response::{IntoResponse as _, Response};
use axum::routing::any;
use classroom::wire::MAX_MESSAGE;
use std::collections::BTreeMap;
use std::sync::Arc;
use tower_http::services::ServeDir;

/// Headers of every answer: files are asked for again, no type is guessed, and no address leaves with a link.
const HEADERS: &[(HeaderName, &str)] = &[
    (header::CACHE_CONTROL, "no-cache"),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
];

#[derive(Clone)]
struct WebState {
    classrooms: Arc<BTreeMap<String, Arc<Classroom>>>,
    public: Option<String>,
}

/// The routes of a server.
pub fn router(
    web: Option<WebPage>,
    classrooms: BTreeMap<String, Arc<Classroom>>,
    public: Option<String>,
) -> Router {
    let router = Router::new().route("/class/{name}", any(class));
    let router = match web {
        Some(WebPage::Packed(page)) => {
            let page = Arc::new(page);
            router.fallback(move |method: Method, uri: Uri, headers: HeaderMap| async move {
                page.answer(&method, uri.path(), &headers)
            })
        }
        Some(WebPage::Folder(folder)) => {
            router.fallback_service(ServeDir::new(folder).precompressed_br().precompressed_gzip())
        }
        None => router,
    };
    router.layer(map_response(with_headers)).with_state(WebState { classrooms: Arc::new(classrooms), public })
}

async fn with_headers(mut response: Response) -> Response {
    let headers = response.headers_mut();
    for (name, value) in HEADERS {
        headers.insert(name, HeaderValue::from_static(value));
    }
    let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    if kind.starts_with("text/") && !kind.contains("charset") {
        // The type was a valid header value, and stays one.
        if let Ok(kind) = HeaderValue::from_str(&format!("{kind}; charset=utf-8")) {
            headers.insert(header::CONTENT_TYPE, kind);
        }
    }
    response
}

async fn class(
    State(state): State<WebState>,
    UrlPath(name): UrlPath<String>,
    headers: HeaderMap,
    upgrade: WebSocketUpgrade,
) -> Response {
    if !is_own_origin(&headers, state.public.as_deref()) {
        return (StatusCode::FORBIDDEN, "This page may not use the class.\n").into_response();
    }
    let Some(classroom) = state.classrooms.get(&name).map(Arc::clone) else {
        return (StatusCode::NOT_FOUND, "There is no such class.\n").into_response();
    };
    let upgrade = upgrade.max_message_size(MAX_MESSAGE).max_frame_size(MAX_MESSAGE);
    upgrade.on_upgrade(move |socket| serve_tab(classroom, socket))
}

/// Whether a request comes from a page of this server. Browsers send the origin with every WebSocket; a client without
/// one is no page that a stranger has put into a user's browser.
fn is_own_origin(headers: &HeaderMap, public: Option<&str>) -> bool {
    let text = |name: HeaderName| headers.get(name).map(|value| value.to_str().unwrap_or_default());
    let Some(origin) = text(header::ORIGIN) else { return true };
    let of_host = text(header::HOST).is_some_and(|host| {
        let rest = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
        rest.is_some_and(|rest| rest.eq_ignore_ascii_case(host))
    });
    let of_public = public.is_some_and(|url| {
        url.strip_prefix(origin).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    });
    of_host || (of_public && !origin.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_pages_of_this_server_may_connect() {
        let own = |origin: Option<&'static str>, public: Option<&str>| {
            let mut headers = HeaderMap::new();
            headers.insert(header::HOST, HeaderValue::from_static("class.example.org:8080"));
            if let Some(origin) = origin {
                headers.insert(header::ORIGIN, HeaderValue::from_static(origin));
            }
            is_own_origin(&headers, public)
        };
        assert!(own(None, None));
        assert!(own(Some("http://class.example.org:8080"), None));
        assert!(own(Some("https://hpc.example.org"), Some("https://hpc.example.org/class")));
        for foreign in [
            "http://evil.example.org",
            "http://class.example.org",
            "http://class.example.org:8080.evil.org",
            "https://hpc.example.or",
            "https://hpc.example.org.evil",
            "null",
            "",
        ] {
            assert!(!own(Some(foreign), Some("https://hpc.example.org/class")), "{foreign}");
        }
    }
}
