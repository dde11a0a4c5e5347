//! `novel serve`: the book in the browser of this machine. A page shows what commands print, and a button is a command
//! ([`super::own_program`]).
//! The pages are for the browser that was given the address, and are acted on by their own forms alone. A page of another site can
//! neither read nor act: it lacks the token, and its requests carry another origin.

mod act;
mod site;

use crate::commands::prelude::*;
use crate::commands::run_context::block_on;
use crate::commands::serve::site::Site;
use crate::commands::start::may_begin;
use axum::http::header::{self, COOKIE, HOST, ORIGIN};
use axum::http::{HeaderMap, HeaderValue};
use axum::response::Response;
use std::net::{IpAddr, Ipv4Addr, UdpSocket};
use std::sync::Arc;

#[derive(Debug, Clone, clap::Args)]
pub(crate) struct ServeArgs {
    #[arg(long, value_name = "PORT", default_value = "0", hide_default_value = true)]
    pub(crate) port: u16,
    #[arg(long)]
    pub(crate) lan: bool,
}

#[derive(Serialize)]
struct ServerAddress {
    address: String,
}

/// The address that the other devices of the network know this machine by. Nothing is sent.
fn address_in_network() -> Result<Ipv4Addr, Failure> {
    let failed = || Failure::set_up(both!(site_has_no_network)).hint(both!(site_without_lan));
    let own = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).and_then(|socket| {
        // An address for examples: the system names its own end of a way there.
        socket.connect(("192.0.2.1", 9))?;
        socket.local_addr()
    });
    match own.map_err(|error| failed().because(&error))?.ip() {
        IpAddr::V4(own) if !own.is_loopback() && !own.is_unspecified() => Ok(own),
        _ => Err(failed()),
    }
}

pub(crate) fn run(app: &mut App, args: &ServeArgs) -> Result<Exit, Failure> {
    let folder = app.folder()?;
    let root = match app.open(&folder) {
        Ok(book) => book.root().to_owned(),
        Err(error) if may_begin(&error, &folder) => folder,
        Err(error) => return Err(error.into()),
    };
    let program = app.own_program()?;
    block_on(async {
        let own = if args.lan { address_in_network()? } else { Ipv4Addr::LOCALHOST };
        let listener = tokio::net::TcpListener::bind((own, args.port)).await.map_err(|error| {
            let hint = both!(site_another_port);
            Failure::set_up(both!(site_cannot_listen(port = args.port))).because(&error).hint(hint)
        })?;
        let guard = Guard::new(own, listener.local_addr()?.port())?;
        let address = guard.address();
        app.ui.event(&ServerAddress { address: address.clone() }, |lang, _| match args.lan {
            true => say!(lang, site_address_in_network(address)) + "\n",
            false => say!(lang, site_address(address)) + "\n",
        })?;
        let site = Arc::new(Site::new(program, root, guard));
        let served = axum::serve(listener, site::routes(site.clone()));
        tokio::select! {
            served = served.into_future() => served?,
            pressed = tokio::signal::ctrl_c() => pressed?,
        }
        site.stop().await;
        Ok(Exit::Done)
    })?
}

/// Nothing but the server's own files, and forms to the server itself.
const POLICY: &str = "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; form-action 'self'; \
                      frame-ancestors 'none'; base-uri 'none'";
/// The page of `novel report` has its looks and its few lines of script inside.
const POLICY_OF_REPORT: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'";

pub(super) struct Guard {
    token: String,
    own: Ipv4Addr,
    port: u16,
}

impl Guard {
    /// Fails when the system has no random bytes.
    pub(super) fn new(own: Ipv4Addr, port: u16) -> Result<Self, Failure> {
        let mut bytes = [0_u8; 24];
        getrandom::fill(&mut bytes)
            .map_err(|error| Failure::set_up(both!(system_lacks_resources_to_begin)).because(&error))?;
        Ok(Self { token: bytes.iter().map(|byte| format!("{byte:02x}")).collect(), own, port })
    }

    pub(super) fn token(&self) -> &str {
        &self.token
    }

    /// The address to open, with the token.
    pub(super) fn address(&self) -> String {
        format!("http://{}:{}/?token={}", self.own, self.port, self.token)
    }

    /// The name of the cookie: browsers share cookies between the ports of a machine.
    fn cookie(&self) -> String {
        format!("novel-{}", self.port)
    }

    /// The cookie that stands for the address from the first visit on.
    pub(super) fn set_cookie(&self) -> String {
        format!("{}={}; HttpOnly; SameSite=Strict; Path=/", self.cookie(), self.token)
    }

    /// True for the browser that has the cookie, under this machine's own name.
    pub(super) fn lets_in(&self, headers: &HeaderMap) -> bool {
        let pair = format!("{}={}", self.cookie(), self.token);
        let has = |value: &HeaderValue| value.to_str().is_ok_and(|all| all.split(';').any(|one| one.trim() == pair));
        self.is_own_host(headers) && headers.get_all(COOKIE).iter().any(has)
    }

    /// False where another name leads to this server, as in an attack by a name server.
    pub(super) fn is_own_host(&self, headers: &HeaderMap) -> bool {
        headers.get(HOST).and_then(|host| host.to_str().ok()).is_some_and(|host| self.is_own(host))
    }

    /// True for a form of these pages.
    pub(super) fn lets_act(&self, headers: &HeaderMap, token: &str) -> bool {
        let origin = headers.get(ORIGIN).and_then(|origin| origin.to_str().ok());
        let host = origin.and_then(|origin| origin.strip_prefix("http://"));
        token == self.token && host.is_some_and(|host| self.is_own(host))
    }

    /// True for this server's own name with its port, which clients leave out where it is the usual one.
    fn is_own(&self, host: &str) -> bool {
        let is = |name: &str| host == format!("{name}:{}", self.port) || (self.port == 80 && host == name);
        is(&self.own.to_string()) || (self.own.is_loopback() && is("localhost"))
    }
}

/// Tells the browser to load, frame, keep and tell nothing.
pub(super) fn closed(path: &str, mut response: Response) -> Response {
    let policy = if path == "/report" { POLICY_OF_REPORT } else { POLICY };
    let own = [
        (header::CONTENT_SECURITY_POLICY, policy),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::X_FRAME_OPTIONS, "DENY"),
        // Without any, browsers would send forms with no origin.
        (header::REFERRER_POLICY, "same-origin"),
        (header::CACHE_CONTROL, "no-store"),
    ];
    response.headers_mut().extend(own.map(|(name, value)| (name, HeaderValue::from_static(value))));
    response
}
