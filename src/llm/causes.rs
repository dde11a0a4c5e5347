//! Causes of calls without a reply: disruptions of the network, by which there was no connection or it broke, and mismatches
//! between a server and the wire format, by which an answer, or a request, is of no use.

use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use std::error::Error;
use std::io;
use std::net::SocketAddr;
use thiserror::Error;

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

/// `Display` words a mismatch for records, which [`Mismatch::of_record`] reads back. Reports have their own words for
/// the author.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Mismatch {
    /// A received document is not JSON: the document, and the words of the parser.
    #[error("{0} is not JSON: {1}")]
    NotJson(Document, String),
    /// A received document lacks a field.
    #[error("{0} has no `{1}`")]
    Lacks(Document, &'static str),
    /// The server sent a document that is no answer, in its own words.
    #[error("the document is no answer: {0}")]
    OtherDocument(String),
    /// The stream ended without an answer.
    #[error("the stream ended without an answer")]
    NoAnswer,
    /// The answer is longer than any answer of a model.
    #[error("the answer is too large")]
    TooLarge,
    /// The address of the server is not an http or https URL.
    #[error("the address is not an http or https URL")]
    NotUrl,
    /// The network library cannot make connections, in its own words.
    #[error("no connections can be made: {0}")]
    NoConnections(String),
    /// The key would go to another machine without encryption.
    #[error("a key is not sent unencrypted to another machine")]
    UnencryptedKey,
    /// A web page came: the address is that of a website, not of its API.
    #[error("the answer is a web page; is the address right?")]
    WebPage,
    /// The server redirects the request, with this HTTP status.
    #[error("the address redirects elsewhere ({0})")]
    Redirected(u16),
    /// The answer ended for a reason that the wire format lacks. Its text was paid for.
    #[error("unknown reason for the end of an answer: {reason}")]
    UnknownEnd { reason: String, partial: String },
    /// A Mem0 server lists more memories of this run than the run can have.
    #[error("it lists too many memories of `{0}`")]
    ManyMemories(String),
    /// The server does not describe itself as a Mem0 server.
    #[error("no Mem0 server answers at this address")]
    NoMem0,
    /// The `/memories` of an old Mem0 server lacks this parameter, which this program needs.
    #[error("its version lacks `{0}` at /memories; a newer one has it")]
    OldMem0(&'static str),
    /// A Mem0 server has kept another text than the given one.
    #[error("it has kept something else than the text that it was given")]
    OtherMemory,
    /// The id of a memory could lead to another address.
    #[error("the id of a memory has characters that no id has")]
    BadMemoryId,
    /// A mismatch that an earlier version recorded in words.
    #[error("{0}")]
    Other(String),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Document {
    Answer,
    Event,
    Models,
    Memories,
}

impl Document {
    const ALL: [Self; 4] = [Self::Answer, Self::Event, Self::Models, Self::Memories];
}

impl std::fmt::Display for Document {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Answer => "the answer",
            Self::Event => "an event",
            Self::Models => "the list of models",
            Self::Memories => "the list of memories",
        })
    }
}

const FIELDS: [&str; 4] = ["choices", "content", "data", "results"];

/// The parameters that an old Mem0 server may lack.
const PARAMETERS: [&str; 2] = ["infer", "top_k"];

impl Mismatch {
    /// Parses the words of a record.
    pub fn of_record(words: &str) -> Self {
        let fixed = [
            Self::NoAnswer,
            Self::TooLarge,
            Self::NotUrl,
            Self::UnencryptedKey,
            Self::WebPage,
            Self::NoMem0,
            Self::OtherMemory,
            Self::BadMemoryId,
        ];
        let lacks = Document::ALL.into_iter().flat_map(|document| FIELDS.map(|field| Self::Lacks(document, field)));
        let old = PARAMETERS.into_iter().map(Self::OldMem0);
        let mut whole = fixed.into_iter().chain(lacks).chain(old).chain((300..400).map(Self::Redirected));
        whole
            .find(|mismatch| mismatch.to_string() == words)
            .or_else(|| Self::around_foreign_words(words))
            .unwrap_or_else(|| Self::Other(words.to_owned()))
    }

    /// The mismatch whose own words stand before and behind foreign ones.
    fn around_foreign_words(words: &str) -> Option<Self> {
        /// Stands for the foreign words; no record has it.
        const PLACE: &str = "\0";
        let foreign = || PLACE.to_owned();
        let unknown = Self::UnknownEnd { reason: foreign(), partial: String::new() };
        let others =
            [Self::OtherDocument(foreign()), Self::NoConnections(foreign()), unknown, Self::ManyMemories(foreign())];
        let not_json = Document::ALL.map(|document| Self::NotJson(document, foreign()));
        not_json.into_iter().chain(others).find_map(|mut mismatch| {
            let own = mismatch.to_string();
            let (before, behind) = own.split_once(PLACE)?;
            *mismatch.words_mut()? = words.strip_prefix(before)?.strip_suffix(behind)?.to_owned();
            Some(mismatch)
        })
    }

    pub(super) fn words_mut(&mut self) -> Option<&mut String> {
        match self {
            Self::NotJson(_, words)
            | Self::OtherDocument(words)
            | Self::NoConnections(words)
            | Self::UnknownEnd { reason: words, .. }
            | Self::ManyMemories(words)
            | Self::Other(words) => Some(words),
            Self::Lacks(..)
            | Self::NoAnswer
            | Self::TooLarge
            | Self::NotUrl
            | Self::UnencryptedKey
            | Self::WebPage
            | Self::NoMem0
            | Self::OldMem0(_)
            | Self::OtherMemory
            | Self::BadMemoryId
            | Self::Redirected(_) => None,
        }
    }
}
