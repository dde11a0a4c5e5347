//! Findings on a book: the answer of `novel doctor`.

use super::findings::code::Code;
use crate::domain::named::named;
use crate::report::lists::Extent;
use crate::report::prelude::*;
use std::collections::BTreeMap;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The book cannot be used as it is.
    Problem,
    /// The book can be used, with a flaw.
    Warning,
    /// Worth knowing.
    Note,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// A stable name for programs, and for `novel doctor --explain`.
    pub code: Code,
    pub severity: Severity,
    /// In the author's language.
    pub what: String,
    /// The effect of a repair; `None` when there is nothing to repair.
    pub repair: Option<String>,
    /// True after a repair in this run.
    pub repaired: bool,
}

named! {
    pub enum Examined {
        /// Git's objects, refs, locks and index.
        Repository = "repository",
        /// The files, each by its format.
        Formats = "formats",
        /// Gaps between chapters, and repeated texts or titles.
        Numbering = "numbering",
        /// State and ledger against the deltas.
        State = "state",
        /// The provider's settings, and with `--online` whether it answers.
        Provider = "provider",
        /// The memory server's settings, and with `--online` whether it answers.
        MemoryServer = "memory_server",
    }
}

impl Words for Examined {}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Diagnosis {
    /// The examined parts, in order.
    pub examined: Vec<Examined>,
    /// In the order of examination.
    pub findings: Vec<Finding>,
    /// The command to type next.
    pub next: String,
}

/// Findings of a kind listed in brief; the others are counted.
const LISTED: usize = 5;

impl Diagnosis {
    pub fn is_well(&self) -> bool {
        self.findings.iter().all(|finding| finding.repaired || finding.severity == Severity::Note)
    }

    /// A line per finding with the effect of a repair, the worst first, and the command to type next.
    pub fn text(&self, lang: Lang, extent: Extent) -> String {
        let mut findings: Vec<&Finding> = self.findings.iter().collect();
        findings.sort_by_key(|finding| finding.severity);
        let unlisted = if extent == Extent::Brief { take_unlisted(&mut findings) } else { BTreeMap::new() };
        let mut out = String::new();
        for (at, finding) in findings.iter().enumerate() {
            let (what, code) = (&finding.what, paint(DIM, &format!("[{}]", finding.code)));
            let mark = match (finding.repaired, finding.severity) {
                (true, _) => paint(GOOD, say!(lang, repaired)),
                (_, Severity::Problem) => paint(BAD, say!(lang, problem)),
                (_, Severity::Warning) => paint(WARN, say!(lang, doctor_warning)),
                (_, Severity::Note) => paint(DIM, say!(lang, note)),
            };
            out.push_str(&format!("{mark}{}{what} {code}\n", say!(lang, colon)));
            // A repair that the next finding shares is said once, below the last of them.
            let again = findings.get(at + 1).is_some_and(|next| !next.repaired && next.repair == finding.repair);
            if let (Some(repair), false, false) = (&finding.repair, finding.repaired, again) {
                out.push_str(&format!("  {}\n", paint(DIM, &say!(lang, repair(repair)))));
            }
        }
        if !unlisted.is_empty() {
            let kinds: Vec<String> =
                unlisted.iter().map(|(code, n)| format!("{code} × {}", figures::count(*n))).collect();
            let kinds = kinds.join(say!(lang, list_comma));
            out.push_str(&format!("{}\n", paint(DIM, &say!(lang, doctor_not_listed(kinds)))));
        }
        if self.is_well() {
            let n = self.examined.len();
            let list: Vec<&str> = self.examined.iter().map(|part| part.say(lang)).collect();
            let list = list.join(say!(lang, list_comma));
            out.push_str(&format!("{}\n", paint(GOOD, &say!(lang, all_is_well(list, n)))));
        }
        out.push_str(&say!(lang, doctor_next(next = paint(HINT, &self.next))));
        out
    }
}

/// Removes the findings after the first few of their kind, and returns their numbers by kind.
fn take_unlisted(findings: &mut Vec<&Finding>) -> BTreeMap<&'static str, u64> {
    let (mut seen, mut unlisted) = (BTreeMap::new(), BTreeMap::new());
    findings.retain(|finding| {
        let name = finding.code.as_str();
        let before: &mut usize = seen.entry((name, finding.repaired)).or_default();
        *before += 1;
        let is_listed = *before <= LISTED;
        if !is_listed {
            *unlisted.entry(name).or_default() += 1;
        }
        is_listed
    });
    unlisted
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Explanation {
    pub code: Code,
    /// In the author's language.
    pub explanation: String,
}

impl Explanation {
    pub fn text(&self, lang: Lang) -> String {
        format!("{}{}{}\n", self.code, say!(lang, colon), self.explanation)
    }
}
