//! The program: hands the process over to `novel::commands`.
fn main() {}
