//! The REST API of a self-hosted Mem0 server: texts with metadata, listed, added, deleted and searched by meaning.
//! The paths have no `/v1/`, which is the hosted platform's different API. Texts are added with `infer: false`, so that
//! the server keeps them unchanged and asks no model of its own. A server that does not know `infer` would pass every
//! text to its model, and one that does not know `top_k` would list only the first few memories, so the description
//! that the server gives of its API (`/openapi.json`) must name both before anything is sent. Memories that come back
//! are untrusted.

use std::time::Duration;

use reqwest::Method;
use secrecy::SecretString;
use serde_json::{Map, Value, json};

use super::fault::Fault;
use super::http::{JsonCall, Timeouts, Transport};
use crate::llm::causes::{Document, Mismatch};

/// The most memories that a server lists at once.
pub const MOST_LISTED: usize = 1000;

/// The longest wait for an answer: a server embeds a text before it answers.
const PATIENCE: Duration = Duration::from_secs(60);
/// The longest wait for a connection.
const CONNECT: Duration = Duration::from_secs(10);

#[derive(Debug, Clone, PartialEq, Default)]
pub struct ServerMemory {
    pub id: String,
    pub text: String,
    /// The user and the run that the memory is filed under; empty where the server does not say.
    pub user: String,
    pub run: String,
    /// The tags that it was added with, and additions of the server.
    pub metadata: Map<String, Value>,
    /// The rank in a search, in the server's measure; 0 in a list.
    pub score: f64,
}

/// A Mem0 server. Its `Debug` form does not show the key.
#[derive(Debug)]
pub struct Mem0 {
    pub(crate) base_url: String,
    key: Option<SecretString>,
    plain_http: Option<String>,
    transport: Transport,
}

impl Mem0 {
    /// A server at an address without a slash at its end. The key goes over plain http only to this machine and to the
    /// host `plain_http`. Opens nothing before the first request.
    pub fn new(base_url: &str, key: Option<SecretString>, plain_http: Option<&str>, timeouts: Timeouts) -> Self {
        let answer = timeouts.first_byte.min(PATIENCE);
        let timeouts = Timeouts {
            connect: timeouts.connect.min(CONNECT),
            first_byte: answer,
            idle: timeouts.idle.min(answer),
            total: timeouts.total.min(2 * answer),
        };
        let transport = Transport::new(timeouts);
        Self { base_url: base_url.to_owned(), key, plain_http: plain_http.map(str::to_owned), transport }
    }

    /// Checks that the server is there, takes the key, and is a usable Mem0 server. Stores nothing.
    pub async fn check(&self, user: &str) -> Result<(), Fault> {
        let description =
            self.ask(Method::GET, "openapi.json", Vec::new(), None).await.map_err(|fault| match fault {
                Fault::UnknownModel { .. } => mismatched(Mismatch::NoMem0),
                fault => fault,
            })?;
        let operation = |method: &str| resolved(&description, description.get("paths")?.get("/memories")?.get(method)?);
        let (Some(post), Some(get)) = (operation("post"), operation("get")) else {
            return Err(mismatched(Mismatch::NoMem0));
        };
        let body = post.pointer("/requestBody/content/application~1json/schema");
        let fields = body.and_then(|schema| resolved(&description, schema)?.get("properties"));
        if fields.is_none_or(|fields| fields.get("infer").is_none()) {
            return Err(mismatched(Mismatch::OldMem0("infer")));
        }
        let parameters = get.get("parameters").and_then(Value::as_array).into_iter().flatten();
        let mut names = parameters.filter_map(|parameter| parameter.get("name")?.as_str());
        if !names.any(|name| name == "top_k") {
            return Err(mismatched(Mismatch::OldMem0("top_k")));
        }
        self.memories(vec![("user_id", user.to_owned()), ("top_k", "1".to_owned())]).await.map(drop)
    }

    /// Lists the memories of a user's run, at most [`MOST_LISTED`].
    pub async fn list(&self, user: &str, run: &str) -> Result<Vec<ServerMemory>, Fault> {
        let query = vec![
            ("user_id", user.to_owned()),
            ("run_id", run.to_owned()),
            ("top_k", MOST_LISTED.to_string()),
            // Memories of ours never expire; one with a date of expiry must not be added again.
            ("show_expired", "true".to_owned()),
        ];
        self.memories(query).await
    }

    async fn memories(&self, query: Vec<(&'static str, String)>) -> Result<Vec<ServerMemory>, Fault> {
        read_memories(&self.ask(Method::GET, "memories", query, None).await?)
    }

    /// Adds a text and returns the server's id for it. Fails when the server keeps nothing or something else.
    pub async fn add(&self, user: &str, run: &str, text: &str, metadata: &Value) -> Result<String, Fault> {
        let body = json!({
            "messages": [{"role": "user", "content": text}],
            "user_id": user,
            "run_id": run,
            "metadata": metadata,
            "infer": false,
        });
        let kept = read_memories(&self.ask(Method::POST, "memories", Vec::new(), Some(body)).await?)?;
        match kept.as_slice() {
            [only] if only.text == text && !only.id.is_empty() => Ok(only.id.clone()),
            _ => Err(mismatched(Mismatch::OtherMemory)),
        }
    }

    /// Deletes a memory; a memory that is gone already counts as deleted.
    pub async fn delete(&self, id: &str) -> Result<(), Fault> {
        // The id comes from the server and must not lead to another path.
        if id.is_empty() || !id.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_') {
            return Err(mismatched(Mismatch::BadMemoryId));
        }
        match self.ask(Method::DELETE, &format!("memories/{id}"), Vec::new(), None).await {
            Ok(_) | Err(Fault::UnknownModel { .. }) => Ok(()),
            Err(fault) => Err(fault),
        }
    }

    /// Searches the memories of a user, at most `most`, the best first.
    pub async fn search(&self, user: &str, query: &str, most: usize) -> Result<Vec<ServerMemory>, Fault> {
        let body = json!({"query": query, "filters": {"user_id": user}, "top_k": most});
        read_memories(&self.ask(Method::POST, "search", Vec::new(), Some(body)).await?)
    }

    async fn ask(
        &self,
        method: Method,
        path: &str,
        query: Vec<(&'static str, String)>,
        body: Option<Value>,
    ) -> Result<Value, Fault> {
        let (key, plain_http) = (self.key.as_ref(), self.plain_http.as_deref());
        let call = JsonCall { method, url: format!("{}/{path}", self.base_url), query, body, key, plain_http };
        let answer = self.transport.json(&call).await;
        answer.map_err(|fault| fault.redacted(self.key.as_slice()))
    }
}

fn mismatched(mismatch: Mismatch) -> Fault {
    Fault::Protocol { mismatch }
}

/// Follows a `$ref` of the document.
fn resolved<'v>(document: &'v Value, value: &'v Value) -> Option<&'v Value> {
    match value.get("$ref").and_then(Value::as_str) {
        Some(reference) => document.pointer(reference.strip_prefix('#')?),
        None => Some(value),
    }
}

fn read_memories(answer: &Value) -> Result<Vec<ServerMemory>, Fault> {
    let results = answer.get("results").and_then(Value::as_array);
    let results = results.ok_or_else(|| mismatched(Mismatch::Lacks(Document::Memories, "results")))?;
    let text = |value: &Value, name: &str| value.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
    let memory = |value: &Value| ServerMemory {
        id: text(value, "id"),
        text: text(value, "memory"),
        user: text(value, "user_id"),
        run: text(value, "run_id"),
        metadata: value.get("metadata").and_then(Value::as_object).cloned().unwrap_or_default(),
        score: value.get("score").and_then(Value::as_f64).unwrap_or(0.0),
    };
    Ok(results.iter().map(memory).collect())
}
