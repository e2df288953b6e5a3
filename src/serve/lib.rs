//! `sandbatch serve`: the page and its classes over HTTP and WebSockets. Native only.
//!
//! The rules of a class are in `classroom`, without sockets and files. Here are the file of each class, the connections,
//! and the clock. Everything runs on one thread; a class is locked for the time of a message.

pub mod client;
mod file;
mod links;
mod open_class;
pub mod page_files;
pub mod participant;
mod socket;
mod tls;
mod web;

pub use links::{class_link, qr_code};
pub use open_class::Classroom;
pub use page_files::WebPage;

use classroom::{ClassDescription, Secret};
use protocol::class::ClassLesson;
use std::collections::BTreeMap;
use std::net::{SocketAddr, TcpListener};
use std::path::Path;
use std::sync::Arc;
use tls::TlsListener;
use tokio::sync::Notify;
use tokio_rustls::TlsAcceptor;

/// Real time.
#[expect(clippy::disallowed_methods, reason = "the server's own clock; the classes get it as a parameter")]
fn real_now() -> std::time::Instant {
    std::time::Instant::now()
}

/// Most classes of a server.
pub const MAX_CLASSES: usize = 16;

/// A server that is bound and not running yet.
pub struct PageServer {
    listener: TcpListener,
    address: SocketAddr,
    web: Option<WebPage>,
    classrooms: BTreeMap<String, Arc<Classroom>>,
    /// The origin under which people reach the server, if it is behind a proxy.
    public: Option<String>,
    tls: Option<TlsAcceptor>,
    stop: StopHandle,
    /// The files of the classes are removed at the end.
    forgets: bool,
}

/// Ends a server from another thread.
#[derive(Clone, Debug, Default)]
pub struct StopHandle(Arc<Notify>);

impl StopHandle {
    /// The server stores its classes and returns.
    pub fn stop(&self) {
        self.0.notify_one();
    }
}

/// A class that was opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenedClass {
    /// Its name.
    pub name: String,
    /// Its description; for a class that resumes, as stored in its file.
    pub class: ClassDescription,
    /// The secret of the participants' link.
    pub learner: Secret,
    /// The secret of the teacher's link.
    pub teacher: Secret,
    /// The name of its lesson.
    pub lesson: Option<String>,
    /// Participants and inputs, if it resumes.
    pub resumed: Option<(usize, u64)>,
    /// Bytes of an interrupted write that were cut off.
    pub cut: u64,
}

impl PageServer {
    /// Binds the address and serves the page.
    ///
    /// # Errors
    /// The address cannot be used.
    pub fn bind(listen: &str, web: Option<WebPage>, public: Option<&str>) -> Result<Self, String> {
        let problem = |e: std::io::Error| format!("--listen {listen}: {e}");
        let listener = TcpListener::bind(listen).map_err(problem)?;
        listener.set_nonblocking(true).map_err(problem)?;
        let address = listener.local_addr().map_err(problem)?;
        let public = public.map(|url| url.trim_end_matches('/').to_owned());
        Ok(Self {
            listener,
            address,
            web,
            classrooms: BTreeMap::new(),
            public,
            tls: None,
            stop: StopHandle::default(),
            forgets: false,
        })
    }

    /// Removes the files of the classes when the server is stopped. A server that is killed leaves them, so that it can resume.
    pub const fn forget_at_end(&mut self) {
        self.forgets = true;
    }

    /// Encrypts all connections with a certificate chain and its key (PEM files). They are read now, and not again.
    ///
    /// # Errors
    /// A sentence: a file cannot be read, or they do not fit.
    pub fn encrypt(&mut self, cert: &Path, key: &Path) -> Result<(), String> {
        self.tls = Some(tls::read(cert, key)?);
        Ok(())
    }

    /// The address with the port that was chosen.
    #[must_use]
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// The URL of the page, without a slash at its end.
    #[must_use]
    pub fn url(&self) -> String {
        let scheme = if self.tls.is_some() { "https" } else { "http" };
        self.public.clone().unwrap_or_else(|| format!("{scheme}://{}", self.address))
    }

    /// Opens a class: the one in the state directory, or a new one, with this lesson if there is one.
    ///
    /// # Errors
    /// A sentence: the file cannot be used, or the description is out of bounds.
    pub fn open(
        &mut self,
        class: &ClassDescription,
        lesson: Option<&ClassLesson>,
        state: &Path,
    ) -> Result<OpenedClass, String> {
        classroom::check_class_name(&class.name)?;
        if self.classrooms.len() >= MAX_CLASSES {
            return Err(format!("A server has at most {MAX_CLASSES} classes."));
        }
        let (classroom, opened) = Classroom::open(class, lesson, state)?;
        self.classrooms.insert(class.name.clone(), Arc::new(classroom));
        Ok(opened)
    }

    /// A handle to end the server with.
    #[must_use]
    pub fn stop_handle(&self) -> StopHandle {
        self.stop.clone()
    }

    /// Serves until the process ends, or until [`StopHandle::stop`].
    ///
    /// # Errors
    /// The server cannot run, or the classes could not be stored at its end.
    pub fn run(self) -> Result<(), String> {
        let problem = |e: std::io::Error| format!("the server does not start: {e}");
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(problem)?;
        runtime.block_on(async {
            let listener = tokio::net::TcpListener::from_std(self.listener).map_err(problem)?;
            for classroom in self.classrooms.values() {
                tokio::spawn(Arc::clone(classroom).run());
            }
            let router = web::router(self.web, self.classrooms.clone(), self.public);
            let served = async {
                match self.tls {
                    Some(acceptor) => axum::serve(TlsListener::new(listener, acceptor)?, router).await,
                    None => axum::serve(listener, router).await,
                }
            };
            tokio::select! {
                ended = served => ended.map_err(problem),
                () = self.stop.0.notified() => Ok(()),
            }
        })?;
        let end =
            |classroom: &Arc<Classroom>| if self.forgets { classroom.forget() } else { classroom.sync() };
        self.classrooms.values().try_for_each(end)
    }
}
