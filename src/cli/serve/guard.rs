//! Who may ask: the page that carat served, with its key, by its own name.

use carat_core::simulation::lock;
use hyper::header::{CONTENT_TYPE, HOST, HeaderMap, HeaderName, HeaderValue, ORIGIN};
use hyper::{StatusCode, Uri};
use std::fmt::Write;
use std::net::SocketAddr;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

/// The header that holds the key.
pub const KEY: &str = "x-carat-key";
const KEY_BYTES: usize = 16;
/// The port that a link leaves out.
const HTTP: u16 = 80;

/// What every answer says to browsers.
pub const HEADERS: [(&str, &str); 7] = [
    (
        "content-security-policy",
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' \
         data:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
    ),
    ("x-content-type-options", "nosniff"),
    ("x-frame-options", "DENY"),
    ("cross-origin-resource-policy", "same-origin"),
    ("cross-origin-opener-policy", "same-origin"),
    ("referrer-policy", "no-referrer"),
    ("cache-control", "no-store"),
];

/// A key of 128 random bits.
fn new_token() -> Result<String, getrandom::Error> {
    let mut bytes = [0; KEY_BYTES];
    getrandom::fill(&mut bytes)?;
    let mut token = String::new();
    for byte in bytes {
        let _ = write!(token, "{byte:02x}");
    }
    Ok(token)
}

pub struct Guard {
    /// The names by which the page may be reached.
    hosts: Vec<String>,
    token: Mutex<String>,
    /// The path of the address that opens the page once.
    start: String,
    started: AtomicBool,
}

/// What the address leads to that opens the page.
pub enum Start {
    /// The page, with the key.
    Page(String),
    /// Nothing, as it was used before: the link with the new key.
    Used(String),
}

impl Guard {
    pub fn new(address: SocketAddr) -> Result<Guard, getrandom::Error> {
        let mut hosts = vec![address.to_string()];
        if address.ip().is_loopback() {
            hosts.push(format!("localhost:{}", address.port()));
        }
        if address.port() == HTTP {
            let short = hosts.iter().filter_map(|host| host.strip_suffix(":80"));
            hosts.extend(Vec::from_iter(short.map(str::to_string)));
        }
        Ok(Guard {
            hosts,
            token: Mutex::new(new_token()?),
            start: format!("/open/{}", new_token()?),
            started: AtomicBool::new(false),
        })
    }

    /// The link to the page, which holds its key.
    pub fn link(&self) -> String {
        format!("{}/#k={}", self.address(), lock(&self.token))
    }

    /// The address by which the page may be reached.
    pub fn address(&self) -> String {
        format!("http://{}", self.hosts[0])
    }

    /// An address without the key that leads to the page once.
    pub fn start(&self) -> String {
        self.address() + &self.start
    }

    /// What a path leads to if it is that of the start. Whoever uses it second may have read it in
    /// the list of processes, and the first one too: the key changes.
    pub fn open(&self, path: &str) -> Option<Start> {
        if !is_same(path.as_bytes(), self.start.as_bytes()) {
            return None;
        }
        if !self.started.swap(true, Ordering::Relaxed) {
            return Some(Start::Page(format!("/#k={}", lock(&self.token))));
        }
        *lock(&self.token) = new_token().ok()?;
        Some(Start::Used(self.link()))
    }

    /// Checks that a request names this server, and only it: another name may lead here, too.
    pub fn check_host(&self, uri: &Uri, headers: &HeaderMap) -> Result<(), StatusCode> {
        let mut hosts = headers.get_all(HOST).iter();
        let host = hosts.next().filter(|_| hosts.next().is_none());
        let is_own = |host: &str| self.hosts.iter().any(|own| own.eq_ignore_ascii_case(host));
        let names_own = host.is_some_and(|host| host.to_str().is_ok_and(is_own));
        let target = uri.authority().is_none_or(|target| is_own(target.as_str()));
        let is_plain = uri.scheme_str().is_none_or(|scheme| scheme == "http");
        if names_own && target && is_plain {
            Ok(())
        } else {
            Err(StatusCode::MISDIRECTED_REQUEST)
        }
    }

    /// Checks that a question comes from the page itself, with its key.
    pub fn check_question(&self, headers: &HeaderMap) -> Result<(), StatusCode> {
        let site = one(headers, &HeaderName::from_static("sec-fetch-site"));
        if site.is_some_and(|site| site != "same-origin") {
            return Err(StatusCode::FORBIDDEN);
        }
        let own = |origin: &HeaderValue| {
            let origin = origin.to_str().ok()?.strip_prefix("http://")?;
            self.hosts.iter().find(|host| *host == origin)
        };
        let host = headers.get(HOST).map(HeaderValue::as_bytes);
        let origin = one(headers, &ORIGIN);
        if origin.is_some_and(|origin| own(origin).map(String::as_bytes) != host) {
            return Err(StatusCode::FORBIDDEN);
        }
        if one(headers, &CONTENT_TYPE).is_none_or(|kind| kind != "application/json") {
            return Err(StatusCode::UNSUPPORTED_MEDIA_TYPE);
        }
        let key = one(headers, &HeaderName::from_static(KEY));
        if key.is_some_and(|key| is_same(key.as_bytes(), lock(&self.token).as_bytes())) {
            Ok(())
        } else {
            Err(StatusCode::UNAUTHORIZED)
        }
    }
}

/// A header; one that is written twice counts as an empty one.
fn one<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a HeaderValue> {
    static TWICE: HeaderValue = HeaderValue::from_static("");
    let mut values = headers.get_all(name).iter();
    let value = values.next()?;
    Some(values.next().map_or(value, |_| &TWICE))
}

/// Compares in a time that does not depend on the bytes.
fn is_same(a: &[u8], b: &[u8]) -> bool {
    let different = a.iter().zip(b).fold(0, |all, (a, b)| all | (a ^ b));
    a.len() == b.len() && std::hint::black_box(different) == 0
}
