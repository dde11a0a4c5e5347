//! (empty so far)
