//! Disruptions of the network: why there was no connection, or why it broke.

use std::error::Error;
use std::io;
use std::net::SocketAddr;

use reqwest::dns::{Addrs, Name, Resolve, Resolving};

/// `Display` words a disruption for records, which [`Disruption::of_record`] reads back. Reports have their own words
/// for the author.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Disruption {
    #[error("connection refused")]
    Refused,
    #[error("unknown host")]
    UnknownHost,
    #[error("no route to the host")]
    NoRoute,
    #[error("connection closed")]
    Closed,
    /// The answer ended without an end mark.
    #[error("the stream ended before the answer did")]
    EndedEarly,
    /// The certificate of the server cannot be trusted.
    #[error("untrusted certificate")]
    Certificate,
    /// The server does not speak https.
    #[error("no https")]
    NoHttps,
    /// Another disruption, in the words of the network library or of the server.
    #[error("{0}")]
    Other(String),
}

impl Disruption {
    const NAMED: [Self; 7] = [
        Self::Refused,
        Self::UnknownHost,
        Self::NoRoute,
        Self::Closed,
        Self::EndedEarly,
        Self::Certificate,
        Self::NoHttps,
    ];

    /// Parses the words of a record.
    pub fn of_record(words: &str) -> Self {
        let named = Self::NAMED.into_iter().find(|named| named.to_string() == words);
        named.unwrap_or_else(|| Self::Other(words.to_owned()))
    }

    /// The foreign words of [`Disruption::Other`]; otherwise empty.
    pub fn words(&self) -> &str {
        match self {
            Self::Other(words) => words,
            _ => "",
        }
    }

    pub(super) fn words_mut(&mut self) -> Option<&mut String> {
        match self {
            Self::Other(words) => Some(words),
            _ => None,
        }
    }

    /// Classifies an error of the network library: the first of its causes that is known, or else its words down to the
    /// cause, without the address.
    pub(super) fn of(error: reqwest::Error) -> Self {
        let error = error.without_url();
        causes(&error).find_map(named).unwrap_or_else(|| Self::Other(words(&error)))
    }
}

pub(super) fn words(error: &reqwest::Error) -> String {
    let mut words = error.to_string();
    for cause in causes(error) {
        let inner = cause.to_string();
        if !words.contains(&inner) {
            words.push_str(": ");
            words.push_str(&inner);
        }
    }
    words
}

fn causes(error: &reqwest::Error) -> impl Iterator<Item = &(dyn Error + 'static)> {
    std::iter::successors(error.source(), |cause: &&(dyn Error + 'static)| (*cause).source())
}

fn named(cause: &(dyn Error + 'static)) -> Option<Disruption> {
    if cause.is::<UnknownHost>() {
        return Some(Disruption::UnknownHost);
    }
    if let Some(error) = cause.downcast_ref::<hyper::Error>() {
        return (error.is_incomplete_message() || error.is_closed()).then_some(Disruption::Closed);
    }
    // The libraries wrap an error of the system in another one and do not give it as the source.
    let mut error = cause.downcast_ref::<io::Error>()?;
    while let Some(inner) = error.get_ref().and_then(|inner| inner.downcast_ref()) {
        error = inner;
    }
    if let Some(tls) = error.get_ref().and_then(|inner| inner.downcast_ref::<rustls::Error>()) {
        return match tls {
            rustls::Error::InvalidCertificate(_) => Some(Disruption::Certificate),
            rustls::Error::InvalidMessage(_) => Some(Disruption::NoHttps),
            _ => None,
        };
    }
    match error.kind() {
        io::ErrorKind::ConnectionRefused => Some(Disruption::Refused),
        io::ErrorKind::HostUnreachable | io::ErrorKind::NetworkUnreachable | io::ErrorKind::NetworkDown => {
            Some(Disruption::NoRoute)
        }
        io::ErrorKind::ConnectionReset
        | io::ErrorKind::ConnectionAborted
        | io::ErrorKind::BrokenPipe
        | io::ErrorKind::UnexpectedEof => Some(Disruption::Closed),
        _ => None,
    }
}

/// The system's name lookup. The network library has one too, but hides its failure among words.
#[derive(Debug)]
pub(super) struct Lookup;

#[derive(Debug, thiserror::Error)]
#[error("the name of the server is not known")]
struct UnknownHost(#[source] io::Error);

impl Resolve for Lookup {
    fn resolve(&self, name: Name) -> Resolving {
        Box::pin(async move {
            let found = tokio::net::lookup_host((name.as_str(), 0)).await.map_err(UnknownHost)?;
            let addresses: Vec<SocketAddr> = found.collect();
            Ok(Box::new(addresses.into_iter()) as Addrs)
        })
    }
}
