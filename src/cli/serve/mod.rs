//! `carat serve`: the live page. Its files are included (`assets/page`), all that it shows comes
//! from the answers of `carat engine`, and only this machine may ask unless an address is named.

mod answers;
mod guard;
mod open;

use super::args::parse_threads;
use super::error::{CliError, usage};
use super::terminal::{print, print_as_it_is};
use answers::{Server, serve_connection};
use carat_core::limit::limit;
use carat_core::simulation::Threads;
use carat_studies::desk::{OF_PAGE, Shared};
use guard::Guard;
use open::{draw_code, open_page};
use std::collections::HashMap;
use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tokio::time::sleep;

/// Open a page to explore rules, to get advice while you play, and to play against bots
///
/// The page works offline: it is part of carat, which answers from its own threads on this machine.
/// The address of every view is a link that gives the same numbers again. Ctrl-C stops the server.
#[derive(clap::Args)]
pub struct Args {
    /// The port to listen on; 0 for any free one
    #[arg(
        long,
        value_name = "N",
        default_value_t = 8765,
        allow_negative_numbers = true
    )]
    port: u16,
    /// An address of this machine, such as 192.168.1.5, to open the page on a phone in the same
    /// network. The link holds a key; anyone who has it can make this machine play games
    #[arg(long, value_name = "ADDRESS", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    host: IpAddr,
    /// Print the link without opening it
    #[arg(long)]
    no_open: bool,
    /// Number of threads, up to 256; 0 for one per processor
    #[arg(long, value_name = "N", default_value_t = 0, allow_negative_numbers = true, value_parser = parse_threads)]
    threads: u16,
}

/// The longest time to send a request.
const ASKING: Duration = Duration::from_secs(10);
/// After a connection that could not be accepted.
const PAUSE: Duration = Duration::from_millis(50);
/// Most open connections, and those of one address.
const CONNECTIONS: usize = 512;
const CONNECTIONS_EACH: usize = 256;

pub fn run(args: &Args) -> Result<(), CliError> {
    if args.host.is_unspecified() {
        usage!(
            "--host {}: name one address of this machine, such as 192.168.1.5; pages of other names \
             are refused",
            args.host
        );
    }
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    runtime.block_on(listen(args))
}

async fn listen(args: &Args) -> Result<(), CliError> {
    let address = SocketAddr::new(args.host, args.port);
    let listener = match TcpListener::bind(address).await {
        Ok(listener) => listener,
        Err(error) => {
            usage!("cannot listen on {address}: {error}; choose another --port or --host")
        }
    };
    let address = listener.local_addr()?;
    let guard = Guard::new(address).map_err(|error| io::Error::other(error.to_string()))?;
    let link = guard.link();
    print(&format!(
        "The page is at {link}\nCtrl-C stops the server.\n"
    ))?;
    if !address.ip().is_loopback() {
        print_as_it_is(&draw_code(&link))?;
    }
    if !args.no_open {
        open_page(guard.start());
    }
    let server = Arc::new(Server::new(
        guard,
        Shared::new(Threads::start(usize::from(args.threads))?, OF_PAGE),
        limit(ASKING),
    ));
    let free = Arc::new(Semaphore::new(CONNECTIONS));
    // Each open connection holds the count of its address.
    let mut open: HashMap<IpAddr, Arc<()>> = HashMap::new();
    loop {
        let Ok(permit) = Arc::clone(&free).acquire_owned().await else {
            return Ok(());
        };
        // A connection that broke before it was accepted is no fault of the listener; without free
        // files, none is accepted for a while.
        let Ok((stream, from)) = listener.accept().await else {
            sleep(PAUSE).await;
            continue;
        };
        let each = open.entry(from.ip()).or_default();
        if Arc::strong_count(each) > CONNECTIONS_EACH {
            continue;
        }
        let held = Arc::clone(each);
        open.retain(|_, each| Arc::strong_count(each) > 1);
        let server = Arc::clone(&server);
        tokio::spawn(async move {
            serve_connection(server, stream).await;
            drop((permit, held));
        });
    }
}
