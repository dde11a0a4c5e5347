//! Values that are kept on drafts as JSON.

use anyhow::Context as _;
use serde::Serialize;

/// A value as a file: pretty JSON and a newline. `what` names the file in an error.
/// Fails: only for a value that JSON has no form for, which is a bug.
pub(crate) fn json(value: &impl Serialize, what: &str) -> anyhow::Result<Vec<u8>> {
    let mut bytes = serde_json::to_vec_pretty(value).with_context(|| format!("writing `{what}`"))?;
    bytes.push(b'\n');
    Ok(bytes)
}
