//! Objects by their ids, whether they are in files or not yet.

use std::rc::Rc;

use git2::{ObjectType, Oid, Repository};

use crate::store::error::{GitContext, StoreError};

/// A place that objects are read from and written to.
pub(crate) trait ObjectStore {
    /// The content of the object `id`.
    fn read(&self, id: Oid) -> Result<Rc<[u8]>, StoreError>;

    /// Writes an object of that kind, and returns its id.
    fn write(&self, kind: ObjectType, content: Vec<u8>) -> Result<Oid, StoreError>;
}

/// Each object that is written becomes a file.
impl ObjectStore for Repository {
    fn read(&self, id: Oid) -> Result<Rc<[u8]>, StoreError> {
        let odb = self.odb().doing("opening the object store")?;
        Ok(odb.read(id).doing("reading an object")?.data().into())
    }

    fn write(&self, kind: ObjectType, content: Vec<u8>) -> Result<Oid, StoreError> {
        let odb = self.odb().doing("opening the object store")?;
        odb.write(kind, &content).doing("writing an object")
    }
}
