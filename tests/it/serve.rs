//! `carat serve`: what its server refuses, over raw sockets, and that it rests when nobody asks.

use crate::process::{Folder, folder, holds};
use serde_json::{Value, json};
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpStream, UdpSocket};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// A server of its own, which ends with the test.
struct Served {
    server: Child,
    output: BufReader<ChildStdout>,
    host: String,
    port: u16,
    key: String,
    folder: Folder,
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

struct Reply {
    status: u16,
    head: String,
    body: String,
}

fn serve() -> Served {
    serve_on("127.0.0.1", "1")
}

/// A server at an address, whose limits of time are divided by `haste`.
fn serve_on(host: &str, haste: &str) -> Served {
    let folder = folder();
    let line = format!("serve --no-open --port 0 --threads 1 --host {host}");
    let mut command = folder.command(&line);
    command.env("CARAT_HASTE", haste);
    command.current_dir(folder.path(".")).stdout(Stdio::piped());
    start(command, folder)
}

fn start(mut command: Command, folder: Folder) -> Served {
    let mut server = command.spawn().expect("it starts");
    let mut line = String::new();
    let mut output = BufReader::new(server.stdout.take().expect("a pipe"));
    output.read_line(&mut line).expect("a link");
    let (before, key) = line.trim().split_once("/#k=").expect("a link with a key");
    let port = before.rsplit(':').next().expect("a port");
    let host = before.rsplit(['/', ':']).nth(1).expect("an address");
    Served {
        host: host.to_string(),
        port: port.parse().expect("a number"),
        key: key.to_string(),
        output,
        server,
        folder,
    }
}

impl Served {
    fn connect(&self) -> TcpStream {
        TcpStream::connect((self.host.as_str(), self.port)).expect("it listens")
    }

    /// Sends these bytes and reads until the connection ends.
    fn send(&self, request: &str) -> Reply {
        let mut stream = self.connect();
        // It may answer before it has read all.
        let _ = stream.write_all(request.as_bytes());
        let mut bytes = Vec::new();
        let _ = stream.read_to_end(&mut bytes);
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
        let status = head
            .split(' ')
            .nth(1)
            .and_then(|status| status.parse().ok());
        Reply {
            status: status.unwrap_or(0),
            head: head.to_lowercase(),
            body: body.to_string(),
        }
    }

    fn get(&self, target: &str, headers: &str) -> Reply {
        self.send(&format!(
            "GET {target} HTTP/1.1\r\n{headers}Connection: close\r\n\r\n"
        ))
    }

    fn own(&self) -> String {
        format!("Host: {}:{}\r\n", self.host, self.port)
    }

    /// The request of a question with these headers in place of the page's own.
    fn request(&self, headers: &str, body: &str) -> String {
        let (host, length) = (self.own(), body.len());
        format!(
            "POST /ask HTTP/1.1\r\n{host}{headers}Content-Length: {length}\r\nConnection: close\r\n\r\n{body}"
        )
    }

    fn headers(&self) -> String {
        format!(
            "Content-Type: application/json\r\nX-Carat-Key: {}\r\n",
            self.key
        )
    }

    fn asked(&self, headers: &str) -> u16 {
        let about = json!({ "ask": "about", "table": { "game": "diamant" } });
        self.send(&self.request(headers, &about.to_string())).status
    }

    fn ask(&self, question: &Value) -> Reply {
        self.send(&self.request(&self.headers(), &question.to_string()))
    }

    /// The processor's time that it has used, in ticks of 10 ms.
    fn ticks(&self) -> u64 {
        let stat = fs::read_to_string(format!("/proc/{}/stat", self.server.id())).expect("Linux");
        let (_, fields) = stat.rsplit_once(") ").expect("a name");
        let times = fields.split(' ').skip(11).take(2);
        let times = times.filter_map(|time| time.parse::<u64>().ok());
        times.sum()
    }
}

#[test]
fn it_listens_on_this_machine_only() {
    let served = serve();
    assert!(TcpStream::connect(("127.0.0.2", served.port)).is_err());
    assert_eq!(served.get("/", &served.own()).status, 200);
    let refused = folder().refused("serve --no-open --host 0.0.0.0", "192.168.1.5");
    assert!(refused.contains("--host"), "{refused}");
    folder().refused(
        &format!("serve --no-open --port {}", served.port),
        "cannot listen",
    );
}

#[test]
fn a_phone_gets_a_link_and_a_code() {
    // The address by which this machine would reach another; nothing is sent.
    let socket = UdpSocket::bind("0.0.0.0:0").expect("a socket");
    let Ok(host) = (socket.connect("192.0.2.1:9")).and_then(|()| socket.local_addr()) else {
        return;
    };
    let host = host.ip().to_string();
    let mut served = serve_on(&host, "1");
    let code = served.output.by_ref().lines().map_while(Result::ok);
    let code = code.skip_while(|line| !line.contains('█')).take(18);
    let blocks = Vec::from_iter(code.map(|line| line.chars().count()));
    assert!(blocks.len() == 18 && blocks.iter().all(|wide| *wide == blocks[0]));
    assert!(TcpStream::connect(("127.0.0.1", served.port)).is_err());
    assert_eq!(served.get("/", &served.own()).status, 200);
    let local = format!("Host: localhost:{}\r\n", served.port);
    assert_eq!(served.get("/", &local).status, 421);
    assert_eq!(served.asked(&served.headers()), 200);
    assert_eq!(served.asked("Content-Type: application/json\r\n"), 401);
}

#[test]
fn only_its_own_name_leads_to_the_page() {
    let served = serve();
    let (port, own) = (served.port, served.own());
    let of = |name: &str| format!("Host: {name}:{port}\r\n");
    for host in [own.clone(), of("localhost"), of("LOCALHOST")] {
        assert_eq!(served.get("/", &host).status, 200, "{host}");
    }
    let absolute = |name: &str| served.get(&format!("http://{name}/"), &own).status;
    assert_eq!(absolute(&format!("localhost:{port}")), 200);
    for host in [
        String::new(),
        "Host: evil.test\r\n".to_string(),
        of("evil.test"),
        format!("Host: localhost:{}\r\n", port.wrapping_add(1)),
        "Host: localhost\r\n".to_string(),
        format!("{own}{own}"),
        format!("{own}Host: evil.test\r\n"),
        of("127.0.0.1.evil.test"),
    ] {
        let status = served.get("/", &host).status;
        assert!(matches!(status, 400 | 421), "{host}: {status}");
    }
    assert_eq!(absolute(&format!("evil.test:{port}")), 421);
    assert_eq!(absolute("evil.test"), 421);
}

#[test]
fn questions_need_the_page_and_its_key() {
    let served = serve();
    let (good, key, port) = (served.headers(), &served.key, served.port);
    let all_are = |status: u16, more: &dyn Fn(&str) -> String, values: &[&str]| {
        for value in values {
            assert_eq!(served.asked(&more(value)), status, "{value}");
        }
    };
    assert_eq!(served.asked(&good), 200);
    let site = |site: &str| format!("{good}Sec-Fetch-Site: {site}\r\n");
    all_are(200, &site, &["same-origin"]);
    let twice = "same-origin\r\nSec-Fetch-Site: same-origin";
    all_are(403, &site, &["cross-site", "same-site", "none", twice]);
    let origin = |origin: &str| format!("{good}Origin: {origin}\r\n");
    all_are(200, &origin, &[&format!("http://127.0.0.1:{port}")]);
    // Another own name is another origin.
    let local = format!("http://localhost:{port}");
    let (near, safe) = ("http://127.0.0.1:1", "https://127.0.0.1");
    all_are(
        403,
        &origin,
        &["http://evil.test", "null", near, safe, &local],
    );
    let kind = |kind: &str| format!("Content-Type: {kind}\r\nX-Carat-Key: {key}\r\n");
    let form = "application/x-www-form-urlencoded";
    all_are(415, &kind, &["text/plain", form, "multipart/form-data", ""]);
    let keyed = |keys: &str| format!("Content-Type: application/json\r\n{keys}");
    let wrong = key.chars().rev().collect::<String>();
    let keys = [
        "",
        "X-Carat-Key: \r\n",
        &format!("X-Carat-Key: {wrong}\r\n"),
        &format!("X-Carat-Key: {}\r\n", &key[1..]),
        &format!("X-Carat-Key: {key}\r\nX-Carat-Key: {key}\r\n"),
        &format!("Cookie: key={key}\r\n"),
    ];
    all_are(401, &keyed, &keys);
    let own = served.own();
    let status = |target: &str, headers: &str| served.get(target, headers).status;
    assert_eq!(status("/ask", &format!("{own}{good}")), 405);
    assert_eq!(status(&format!("/ask?k={key}"), &own), 405);
    for method in ["OPTIONS", "PUT", "DELETE", "HEAD"] {
        let request = format!("{method} /ask HTTP/1.1\r\n{own}{good}Connection: close\r\n\r\n");
        assert_eq!(served.send(&request).status, 405, "{method}");
    }
    assert_eq!(status("/../Cargo.toml", &own), 404);
}

#[test]
fn every_answer_says_what_browsers_may_do() {
    let served = serve();
    let about = json!({ "ask": "about", "table": { "game": "diamant" } });
    let other = served.get("/", "Host: evil.test\r\n");
    for reply in [
        served.get("/", &served.own()),
        served.get("/none", &served.own()),
        other,
        served.ask(&about),
    ] {
        for said in [
            "content-security-policy: default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; \
             frame-ancestors 'none'; base-uri 'none'",
            "x-content-type-options: nosniff",
            "cross-origin-resource-policy: same-origin",
            "referrer-policy: no-referrer",
            "cache-control: no-store",
        ] {
            assert!(reply.head.contains(said), "{said} in {}", reply.head);
        }
        for unwanted in ["access-control", "set-cookie", &served.key] {
            assert!(!reply.head.contains(unwanted), "{}", reply.head);
        }
    }
    for file in [
        "/",
        "/page.js",
        "/carrier.js",
        "/explore.js",
        "/games.js",
        "/advise.js",
        "/play.js",
        "/page.css",
    ] {
        let reply = served.get(file, &served.own());
        // The name of SVG is no address.
        let text = reply.body.replace("http://www.w3.org/2000/svg", "");
        assert!(
            reply.status == 200 && !text.contains("http://"),
            "{file} loads nothing from elsewhere"
        );
    }
}

#[test]
fn no_question_names_a_file_or_program() {
    let served = serve();
    served
        .folder
        .write("secret.toml", "leave = \"true\" # hunter2\nhunter2\n");
    let path = served.folder.path("secret.toml").display().to_string();
    for name in [
        path.as_str(),
        "secret.toml",
        "./secret.toml",
        "../secret.toml",
        "/etc/passwd",
        "exec:cat /etc/passwd",
        "exec:sh",
        "C:\\secret.toml",
    ] {
        for table in [
            json!({ "game": "diamant", "seats": [name, "people"] }),
            json!({ "game": "diamant", "others": name }),
            json!({ "game": "diamant", "rules": name }),
        ] {
            for question in [
                json!({ "ask": "simulate", "table": table }),
                json!({ "ask": "about", "table": table }),
                json!({ "ask": "files", "table": table }),
                json!({ "ask": "options", "table": table }),
                json!({ "ask": "advise", "table": table, "situation": "5" }),
                json!({ "ask": "simulate", "table": { "game": "diamant" }, "pin": table }),
            ] {
                let body = served.ask(&question).body;
                assert!(body.contains("\"error\""), "{question}: {body}");
                assert!(
                    !body.contains("hunter2") && !body.contains("root:"),
                    "{question}: {body}"
                );
            }
        }
    }
}

#[test]
fn names_stay_text_in_charts() {
    let served = serve();
    let seats = ["people as <img src onerror>", "people as \"><script>"];
    let question = json!({ "ask": "simulate", "table": { "game": "diamant", "seats": seats }, "games": 1000, "width": 400 });
    let body = served.ask(&question).body;
    assert!(
        body.contains("&lt;img") && body.contains("win_shares"),
        "{body}"
    );
    let line = body
        .lines()
        .find(|line| line.starts_with('{'))
        .expect("an answer");
    let answer: Value = serde_json::from_str(line).expect("JSON");
    for (name, svg) in answer["charts"].as_object().expect("charts") {
        let svg = svg.as_str().expect("a text");
        assert!(!svg.contains("<img") && !svg.contains("<script"), "{name}");
        roxmltree::Document::parse(svg).expect("a chart");
    }
}

#[test]
fn questions_are_small() {
    let served = serve();
    let long = format!("{{\"ask\":\"{}\"}}", "x".repeat(65 * 1024));
    let send = |text: &str| served.send(&served.request(&served.headers(), text));
    assert_eq!(send(&long).status, 413);
    let reply = send(&"[".repeat(30_000));
    let is_refused = reply.status == 200 && reply.body.contains("\"error\"");
    assert!(is_refused, "{}", reply.body);
    let diamant = json!({ "game": "diamant" });
    let slow = json!({ "game": "diamant", "seats": ["people:playouts=100000", "people"] });
    let simulate = |games: u64| json!({ "ask": "simulate", "table": diamant, "games": games });
    let files = json!({ "ask": "files", "table": diamant, "games": 1e15 as u64 });
    let advise = json!({ "ask": "advise", "table": diamant, "playouts": 100_001 });
    for (field, question) in [
        ("games", simulate(2_000_001)),
        ("games", files),
        ("games", json!({ "ask": "simulate", "table": slow })),
        ("playouts", advise),
        ("playouts", json!({ "ask": "advise", "table": slow })),
    ] {
        let body = served.ask(&question).body;
        let said = format!("\"field\":\"{field}\"");
        assert!(body.contains(&said), "{question}: {body}");
    }
    // Two lengths are no way to hide a second request.
    let twice = format!("{}Content-Length: 3\r\n", served.headers());
    assert_eq!(served.asked(&twice), 400);
}

/// A question that takes about a minute of one thread.
fn long() -> Value {
    json!({ "ask": "simulate", "table": { "game": "diamond_miner" }, "games": 20_000 })
}

/// Another one, about a position.
fn long_advice() -> Value {
    json!({ "ask": "advise", "table": { "game": "diamond_miner" }, "playouts": 20_000 })
}

#[test]
fn an_answer_that_nobody_reads_frees_its_thread() {
    let served = serve();
    let mut streams = Vec::new();
    for number in 0..8 {
        let mut stream = served.connect();
        let question = [long, long_advice][number % 2]();
        let request = served.request(&served.headers(), &question.to_string());
        stream.write_all(request.as_bytes()).expect("it reads");
        streams.push(stream);
    }
    // The head comes before the games.
    for stream in &mut streams {
        stream.read_exact(&mut [0; 12]).expect("an answer begins");
    }
    assert_eq!(served.ask(&long()).status, 429);
    drop(streams);
    until("a stream is free", || {
        served.asked(&served.headers()) == 200
    });
    rests(&served);
}

/// Waits until something holds, and demands that it does soon.
#[track_caller]
fn until(said: &str, holds: impl Fn() -> bool) {
    let began = Instant::now();
    while !holds() {
        assert!(began.elapsed() < Duration::from_secs(20), "until {said}");
        sleep(Duration::from_millis(20));
    }
}

/// Demands that it comes to rest.
#[track_caller]
fn rests(served: &Served) {
    until("no thread is at work", || {
        let before = served.ticks();
        sleep(Duration::from_millis(500));
        served.ticks() - before <= 1
    });
}

/// Whoever asks more and never reads holds a connection no longer than one answer takes.
#[test]
fn a_connection_has_one_answer() {
    let served = serve();
    let mut stream = served.connect();
    let request = served.request(&served.headers(), &json!({ "ask": "guess" }).to_string());
    let twice = format!("{request}{request}");
    stream.write_all(twice.as_bytes()).expect("it reads");
    let mut text = String::new();
    // What was not read may break the connection after the answer.
    let _ = stream.read_to_string(&mut text);
    assert_eq!(text.matches("HTTP/1.1").count(), 1, "{text}");
}

#[test]
fn the_key_is_in_no_argument() {
    let folder = folder();
    let note = folder.path("opened").display().to_string();
    let text =
        format!("#!/bin/sh\nprintf '%s\\n' \"$@\" > {note}.part\nmv {note}.part {note}\nexit 3\n");
    folder.write("xdg-open", text);
    let opener = folder.path("xdg-open");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(&opener, fs::Permissions::from_mode(0o755)).expect("a program");
    }
    let path = format!(
        "{}:{}",
        folder.path(".").display(),
        std::env::var("PATH").unwrap_or_default()
    );
    let mut command = folder.command("serve --port 0 --threads 1");
    command.env("DISPLAY", ":0").env("PATH", path);
    command.current_dir(folder.path(".")).stdout(Stdio::piped());
    let served = start(command, folder);
    until("the page is opened", || served.folder.has("opened"));
    let opened = served.folder.read("opened");
    assert!(!opened.contains(&served.key), "{opened}");
    let path = opened.trim().split_once("/open/").expect("an address").1;
    // The address leads to the page once; then nobody knows who has the key.
    let first = served.get(&format!("/open/{path}"), &served.own());
    assert_eq!(first.status, 303);
    holds(
        &first.head.to_lowercase(),
        &format!("location: /#k={}", served.key),
    );
    assert_eq!(served.asked(&served.headers()), 200);
    assert_eq!(
        served.get(&format!("/open/{path}"), &served.own()).status,
        410
    );
    assert_eq!(served.asked(&served.headers()), 401);
    let own = fs::read_to_string(format!("/proc/{}/cmdline", served.server.id())).expect("Linux");
    assert!(!own.contains(&served.key));
}

#[test]
fn a_client_that_dawdles_is_left() {
    let served = serve_on("127.0.0.1", "200");
    let mut stream = served.connect();
    stream
        .write_all(b"GET / HTTP/1.1\r\nHost:")
        .expect("it reads");
    stream
        .set_read_timeout(Some(Duration::from_secs(30)))
        .expect("a limit");
    let mut rest = Vec::new();
    assert!(stream.read_to_end(&mut rest).is_ok(), "the connection ends");
    rests(&served);
}
