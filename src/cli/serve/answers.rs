//! What the server answers: the files of the page, and questions as lines of JSON.

use super::super::page::{BY_SERVER, CARRIER, GAMES, INDEX, SCRIPT, SHARED, games_script};
use super::guard::{Guard, HEADERS, Start};
use crate::cli::terminal::note;
use carat_core::library::Library;
use carat_core::simulation::lock;
use carat_studies::desk::{Desk, Shared};
use http_body_util::{BodyExt, Either, Full, Limited};
use hyper::body::{Body, Bytes, Frame, Incoming};
use hyper::header::{CONTENT_TYPE, HeaderValue, LOCATION};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use serde_json::json;
use std::convert::Infallible;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};
use std::thread;
use std::time::Duration;
use tokio::net::TcpStream;
use tokio::sync::Semaphore;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::time::{sleep, timeout};

const HTML: &str = "text/html; charset=utf-8";
const TEXT: &str = "text/plain; charset=utf-8";
/// The path of questions.
const ASK: &str = "/ask";

/// The longest question, in bytes.
const QUESTION_MAX: usize = 64 * 1024;
/// The part of the time to send a request in which its headers must come.
const HEADERS_SHARE: u32 = 4;
/// Most questions that are answered at once.
const STREAMS: usize = 8;
/// The longest time to answer a question.
const ANSWERING: Duration = Duration::from_secs(120);

type Reply = Response<Either<Full<Bytes>, Lines>>;

pub struct Server {
    guard: Guard,
    shared: Arc<Shared>,
    /// Free desks, with the tables that they know.
    desks: Mutex<Vec<Desk>>,
    streams: Arc<Semaphore>,
    /// The longest time to send a request.
    asking: Duration,
}

/// The lines of an answer as they come. Dropped with the connection, it stops the answer.
pub struct Lines {
    lines: UnboundedReceiver<Bytes>,
    stop: Arc<AtomicBool>,
}

impl Body for Lines {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let line = self.lines.poll_recv(context);
        line.map(|line| line.map(|line| Ok(Frame::data(line))))
    }
}

impl Drop for Lines {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}

/// Answers the requests of a connection, until it ends or breaks.
pub async fn serve_connection(server: Arc<Server>, stream: TcpStream) {
    let asking = server.asking;
    let answer = service_fn(|request| {
        let server = Arc::clone(&server);
        async move { Ok::<_, Infallible>(server.reply(request).await) }
    });
    let mut http = http1::Builder::new();
    // One request a connection: its time limit also holds if the client never reads the answer.
    http.timer(TokioTimer::new())
        .header_read_timeout(asking / HEADERS_SHARE);
    let connection = http
        .keep_alive(false)
        .serve_connection(TokioIo::new(stream), answer);
    // An error is the client's: it left, or spoke no HTTP.
    let _ = timeout(ANSWERING + 3 * asking, connection).await;
}

impl Server {
    pub fn new(guard: Guard, shared: Shared, asking: Duration) -> Server {
        Server {
            guard,
            shared: Arc::new(shared),
            desks: Mutex::default(),
            streams: Arc::new(Semaphore::new(STREAMS)),
            asking,
        }
    }

    async fn reply(self: Arc<Server>, request: Request<Incoming>) -> Reply {
        let address = self.guard.address();
        let mut reply = match self.answer(request).await {
            Ok(reply) => reply,
            // Whoever comes by another name, as through a tunnel, learns the right one.
            Err(status @ StatusCode::MISDIRECTED_REQUEST) => {
                let why = format!("this page answers only at {address}\n");
                full(status, TEXT, why)
            }
            Err(status) => full(status, TEXT, status.canonical_reason().unwrap_or_default()),
        };
        for (name, value) in HEADERS {
            let value = HeaderValue::from_static(value);
            reply.headers_mut().insert(name, value);
        }
        reply
    }

    async fn answer(self: Arc<Server>, request: Request<Incoming>) -> Result<Reply, StatusCode> {
        self.guard.check_host(request.uri(), request.headers())?;
        let path = request.uri().path();
        if let Some(start) = self.guard.open(path) {
            return Ok(lead(start));
        }
        if path != ASK {
            let name = path.trim_start_matches('/');
            let file = SHARED.iter().find(|(known, ..)| *known == name);
            let (kind, text) = match (file, name) {
                (Some((_, kind, text)), _) => (*kind, Bytes::from_static(text.as_bytes())),
                (_, "") => (HTML, Bytes::from_static(INDEX.as_bytes())),
                (_, CARRIER) => (SCRIPT, Bytes::from_static(BY_SERVER.as_bytes())),
                (_, GAMES) => (SCRIPT, Bytes::from(games_script(&json!([])))),
                _ => return Err(StatusCode::NOT_FOUND),
            };
            if ![Method::GET, Method::HEAD].contains(request.method()) {
                return Err(StatusCode::METHOD_NOT_ALLOWED);
            }
            return Ok(full(StatusCode::OK, kind, text));
        }
        if request.method() != Method::POST {
            return Err(StatusCode::METHOD_NOT_ALLOWED);
        }
        self.guard.check_question(request.headers())?;
        let body = Limited::new(request.into_body(), QUESTION_MAX).collect();
        let body = timeout(self.asking, body).await;
        let body = body.map_err(|_| StatusCode::REQUEST_TIMEOUT)?;
        let body = body.map_err(|_| StatusCode::PAYLOAD_TOO_LARGE)?.to_bytes();
        let text = String::from_utf8(body.to_vec()).map_err(|_| StatusCode::BAD_REQUEST)?;
        self.ask(text)
    }

    /// Answers a question on a thread of its own.
    fn ask(self: Arc<Server>, question: String) -> Result<Reply, StatusCode> {
        let permit = Arc::clone(&self.streams).try_acquire_owned();
        let permit = permit.map_err(|_| StatusCode::TOO_MANY_REQUESTS)?;
        let stop = Arc::new(AtomicBool::new(false));
        let (sender, lines) = unbounded_channel();
        let (until, late) = (Arc::clone(&stop), Arc::clone(&stop));
        let reply = Lines { lines, stop };
        let answering = thread::Builder::new().spawn(move || {
            let _permit = permit;
            self.answer_lines(&question, &until, &sender);
        });
        answering.map_err(|_| StatusCode::SERVICE_UNAVAILABLE)?;
        tokio::spawn(async move {
            sleep(ANSWERING).await;
            late.store(true, Ordering::Relaxed);
        });
        let mut response = Response::new(Either::Right(reply));
        let kind = HeaderValue::from_static("application/x-ndjson");
        response.headers_mut().insert(CONTENT_TYPE, kind);
        Ok(response)
    }

    fn answer_lines(&self, question: &str, stop: &AtomicBool, to: &UnboundedSender<Bytes>) {
        let known = lock(&self.desks).pop();
        let new = || Desk::new(Library::included(), Arc::clone(&self.shared));
        let mut desk = known.unwrap_or_else(new);
        desk.answer_line(question, stop, &mut |answer| {
            // Nobody reads an aborted answer.
            let _ = to.send(Bytes::from(answer + "\n"));
        });
        lock(&self.desks).push(desk);
    }
}

/// Leads a browser that carat opened to the page.
fn lead(start: Start) -> Reply {
    match start {
        Start::Page(link) => {
            let mut reply = full(StatusCode::SEE_OTHER, TEXT, "");
            if let Ok(link) = HeaderValue::from_str(&link) {
                reply.headers_mut().insert(LOCATION, link);
            }
            reply
        }
        Start::Used(link) => {
            note(&format!(
                "the address that opens the page was used twice, so the key has changed; open {link}"
            ));
            let why = "this address worked once; open the link that carat printed last\n";
            full(StatusCode::GONE, TEXT, why)
        }
    }
}

fn full(status: StatusCode, kind: &'static str, text: impl Into<Bytes>) -> Reply {
    let mut reply = Response::new(Either::Left(Full::new(text.into())));
    *reply.status_mut() = status;
    let kind = HeaderValue::from_static(kind);
    reply.headers_mut().insert(CONTENT_TYPE, kind);
    reply
}
