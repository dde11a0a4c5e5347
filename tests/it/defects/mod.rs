//! Planted defects: how many of each kind the deterministic checks find by themselves, and what they say of clean text.
#![allow(clippy::print_stderr)]

mod book;
mod novels;

use std::collections::BTreeMap;

/// The fate of the defects of each kind.
#[derive(Debug, Default)]
pub struct Tally {
    kinds: BTreeMap<&'static str, Kind>,
}

#[derive(Debug, Default)]
struct Kind {
    planted: usize,
    found: usize,
    false_alarms: usize,
    missed: Vec<String>,
}

impl Tally {
    pub fn planted(&mut self, kind: &'static str, is_found: bool, what: &str) {
        let kind = self.kinds.entry(kind).or_default();
        kind.planted += 1;
        kind.found += usize::from(is_found);
        if !is_found {
            kind.missed.push(what.to_owned());
        }
    }

    pub fn false_alarm(&mut self, kind: &'static str) {
        self.kinds.entry(kind).or_default().false_alarms += 1;
    }

    /// Prints the table. Every kind is found in four cases of five.
    #[track_caller]
    pub fn show(&self, clean: usize) {
        let (mut planted, mut found, mut alarms) = (0, 0, 0);
        for (name, kind) in &self.kinds {
            eprintln!("{name:<20} {:>3} planted {:>3} found {:>3} false", kind.planted, kind.found, kind.false_alarms);
            for missed in &kind.missed {
                eprintln!("    missed: {missed}");
            }
            (planted, found, alarms) = (planted + kind.planted, found + kind.found, alarms + kind.false_alarms);
        }
        let rate = alarms as f64 * 1e5 / clean.max(1) as f64;
        eprintln!(
            "{planted} planted, {found} found, {alarms} false alarms in {clean} clean characters = {rate:.2} in 100,000"
        );
        for (name, kind) in &self.kinds {
            assert!(kind.found * 5 >= kind.planted * 4, "{name}: {} of {}", kind.found, kind.planted);
        }
    }
}
