//! Talking to a language model. Knows nothing of novels.
//! A [`Request`] goes through a [`Client`] to an [`Endpoint`] and comes back as a complete [`Reply`] or as a
//! [`CallFailure`]. Everything but [`http`] and [`client`] is pure. [`anthropic`] and [`openai`] are wire formats;
//! [`mem0`] is a server that searches texts by meaning.

pub mod anthropic;
pub mod causes;
pub mod client;
pub mod endpoint;
pub mod error_body;
pub mod fault;
pub mod gathered;
pub mod http;
pub mod json;
pub mod json_request;
pub mod key;
pub mod mem0;
pub mod openai;
pub mod preset;
pub mod price;
pub mod record;
pub mod reply;
pub mod request;
pub mod retry;
pub mod sse;
pub mod stream_reader;
pub mod think;
pub mod tokens;

pub use causes::Disruption;
pub use client::{CallProgress, Client, Conduct};
pub use endpoint::{Address, BadAddress, Caching, Capabilities, Endpoint, MaxTokensField, Thinking, Wire};
pub use endpoint::{JsonMode, OtherForm};
pub use fault::{CallFailure, Fault, Limit, TimeoutPhase};
pub use http::Timeouts;
pub use json_request::RequestPart;
pub use mem0::{Mem0, ServerMemory};
pub use preset::Preset;
pub use price::{Cost, Currency, Exchange, PriceTable};
pub use record::Call;
pub use reply::{Reply, StopReason, Usage};
pub use request::{AnswerForm, Effort, MessagePart, Request, Sampling};
pub use retry::Policy;
pub use tokens::{estimate, fits};
