//! Links the program that the tests start at a fixed address.
//!
//! Unoptimised, it has 205,000 places that the system's loader would otherwise adjust at each start: 4 of 9 ms, and the tests
//! start it 17,000 times. A release stays position-independent, so that the system can place it at random.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let is = |name: &str, value: &str| std::env::var(name).is_ok_and(|set| set == value);
    if is("PROFILE", "debug") && is("CARGO_CFG_TARGET_OS", "linux") && is("CARGO_CFG_TARGET_ENV", "gnu") {
        println!("cargo:rustc-link-arg-bin=novel=-no-pie");
    }
}
