//! Git underneath: objects, packs, refs, trees and the index, written so that a death leaves nothing half done.

pub(super) mod commit_id;
pub(super) mod durability;
pub(super) mod feature;
pub(super) mod held_lock;
pub(super) mod index;
pub(super) mod index_entries;
pub(super) mod loose_object;
pub(super) mod merge;
pub(super) mod message;
pub(super) mod object_fault;
pub(super) mod objects;
pub(super) mod pack_file;
pub(super) mod reachable;
pub(super) mod refs;
pub(super) mod repack;
pub(super) mod settings;
pub(super) mod subject;
pub(super) mod tree;
pub(super) mod tree_edit;
pub(super) mod verification;
pub(super) mod work_tree;
