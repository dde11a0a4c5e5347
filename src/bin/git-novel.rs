//! The same program under the name that `git novel` looks for.
fn main() {}
