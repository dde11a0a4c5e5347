//! The pages are for the browser that was given the address, and are acted on by their own forms alone. A page of another site can
//! neither read nor act: it lacks the token, and its requests carry another origin.

use crate::commands::prelude::*;
use axum::http::header::{COOKIE, HOST, ORIGIN};
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::Response;
use std::net::Ipv4Addr;

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
