//! The memory server: an address in the user's settings, and a key in a variable.

use super::Settings;
use super::keys::Key;
use super::models::{must_be_private, usable_key};
use crate::commands::cli::failure::Failure;
use crate::llm::{Mem0, Timeouts};
use crate::pipeline::recall::server::MemoryServer;

/// The variable with the server's key.
pub(super) const KEY: &str = "MEM0_API_KEY";

impl Settings {
    /// The memory server, if set up. Its address is never read from a book. Fails when the address or the key is
    /// invalid, or the key would be sent unencrypted to another machine.
    pub(crate) fn memory_server(&self, timeouts: Timeouts) -> Result<Option<MemoryServer>, Failure> {
        self.must_have_sound(&[Key::MemoryUrl, Key::PlainHttp])?;
        let Some(address) = self.get(Key::MemoryUrl) else { return Ok(None) };
        let plain_http = self.get(Key::PlainHttp);
        let key = self.secrets.get(KEY).map(|key| usable_key(KEY, key.clone())).transpose()?;
        if key.is_some() {
            must_be_private(address, plain_http)?;
        }
        Ok(Some(MemoryServer::new(Mem0::new(address, key, plain_http, timeouts))))
    }
}
