//! Derived values of a book that are kept to save time; see [`Cache`].

use super::repository::Book;
use crate::store::disk::cache::Cache;
use crate::store::disk::files::read_if_there;
use crate::store::error::StoreError;

impl Book {
    /// The cached value of that name, when it is whole and was made with `key`.
    pub fn cached(&self, name: &str, key: &str) -> Result<Option<Vec<u8>>, StoreError> {
        self.cache().read(name, key)
    }

    /// Keeps a value under that name, in place of any other. A failure is ignored.
    pub fn keep_cached(&self, name: &str, key: &str, body: &[u8]) {
        self.cache().keep(name, key, body);
    }

    /// The key of a value that this build of the program derives from the history.
    pub fn history_key(&self) -> Result<String, StoreError> {
        Ok(format!("{} {}", env!("NOVEL_BUILD"), self.shallow_ends()?))
    }

    pub(super) fn cache(&self) -> Cache {
        Cache::new(self.private(), self.inner.clone())
    }

    /// The ids of the commits without their parents in a shallow clone, as git notes them; empty in a whole one. Everything that
    /// is derived from the history depends on it.
    pub fn shallow_ends(&self) -> Result<String, StoreError> {
        let noted = read_if_there(&self.repo.commondir().join("shallow"))?.unwrap_or_default();
        Ok(String::from_utf8_lossy(&noted).split_whitespace().collect::<Vec<_>>().join(","))
    }
}
