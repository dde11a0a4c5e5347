//! The answer of `novel decide` on a chapter with candidates, side by side.

use crate::pipeline::chapter::candidates::{Candidate, Candidates};
use crate::report::decision::told;
use crate::report::prelude::*;

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CandidateList {
    /// `candidates`, the waiting question.
    pub question: &'static str,
    pub chapter: ChapterNo,
    /// In the order of their numbers.
    pub candidates: Vec<CandidateEntry>,
    /// The best one's number by the judge's reports; `None` before each has one.
    pub best: Option<u32>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CandidateEntry {
    pub number: u32,
    pub branch: String,
    pub title: String,
    pub words: u64,
    pub score: Option<f64>,
    pub blocking: usize,
    /// Blocking violations, each with the rule and the fault.
    pub violations: Vec<String>,
    pub issues: Vec<String>,
    pub text: String,
}

impl CandidateList {
    pub fn of(candidates: &Candidates) -> Self {
        let entry = |candidate: &Candidate| {
            let verdict = candidate.verdict.as_ref();
            let violations: Vec<String> =
                verdict.map(|verdict| verdict.blocking().map(told).collect()).unwrap_or_default();
            CandidateEntry {
                number: candidate.number,
                branch: candidate.branch.clone(),
                title: candidate.title.clone(),
                words: candidate.words,
                score: verdict.map(|verdict| verdict.overall()),
                blocking: violations.len(),
                violations,
                issues: verdict.map(|verdict| verdict.issues.clone()).unwrap_or_default(),
                text: candidate.text.clone(),
            }
        };
        let best = candidates.best().filter(|_| candidates.are_judged());
        Self {
            question: "candidates",
            chapter: candidates.chapter,
            candidates: candidates.all.iter().map(entry).collect(),
            best: best.map(|best| best.number),
        }
    }

    /// A line each, and the commands to look and to choose.
    pub fn text(&self, lang: Lang, columns: usize) -> String {
        let (chapter, n) = (self.chapter, self.candidates.len());
        let mut out = format!("{}\n", paint(STRONG, &say!(lang, has_candidates_choose_one(chapter, n))));
        let mut table = Table::new(say!(lang, candidates_columns).split('|'), "rlrrrl", 1).indented(2);
        for entry in &self.candidates {
            let mark = if self.best == Some(entry.number) { "*" } else { "" };
            table.row([
                format!("{mark}{}", entry.number).into(),
                entry.title.as_str().into(),
                figures::count(entry.words).into(),
                entry.score.map(figures::score).unwrap_or_default().into(),
                entry.blocking.to_string().into(),
                Cell::painted(DIM, entry.branch.as_str()),
            ]);
        }
        out.push_str(&table.text(columns));
        let first = self.candidates.first().map_or("", |entry| entry.branch.as_str());
        let last = self.candidates.last().map_or("", |entry| entry.branch.as_str());
        let compare = paint(HINT, &format!("novel compare {first} {last}"));
        let best = self.best.unwrap_or(1);
        let pick = paint(HINT, &format!("novel decide pick --candidate {best}"));
        out.push_str(&say!(lang, side_by_side_choose_has_best(compare, pick)));
        out
    }
}
