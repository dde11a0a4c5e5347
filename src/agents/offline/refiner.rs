//! The refiner's replies: small edits where a worn-out phrase stands.

use crate::agents::offline::phrases::{Stock, paragraphs};
use crate::agents::prelude::*;
use crate::agents::{ChapterContext, context};

/// Proposes edits. The first pass changes at most 8 % of the characters, the second at most 3 %.
pub(super) fn refine(context: &ChapterContext, text: &Chapter, pass: u32) -> String {
    let body = &text.body;
    let mut room = body.chars().count() * if pass > 1 { 3 } else { 8 } / 100;
    let mut edits: Vec<(&str, Value)> = Vec::new();
    // The opening tells the texts of a chapter apart and stays as it is.
    let first = paragraphs(body).next().unwrap_or_default();
    let listed: Vec<&str> = context::listed(&context.phrases).collect();
    for line in Stock::of(&context.config).pool("instead") {
        let (worn, fresh) = line.split_once(' ').unwrap_or((line, ""));
        let is_listed = listed.iter().any(|text| worn.contains(text) || text.contains(worn));
        // 一股脑 is a word of its own.
        let stands = |at: &usize| is_listed && !first.contains(worn) && !body[*at..].starts_with("一股脑");
        for (at, _) in body.match_indices(worn).filter(|(at, _)| stands(at)) {
            let clause = clause_around(body, at, worn.len());
            let cost = clause.chars().count();
            let taken = edits.iter().any(|(other, ..)| other.contains(clause) || clause.contains(other));
            if !taken && cost <= room && body.matches(clause).count() == 1 {
                room -= cost;
                let refined = clause.replacen(worn, fresh, 1);
                let reason = format!("“{worn}”用滥了");
                edits.push((clause, json!({"original": clause, "refined": refined, "reason": reason})));
            }
        }
    }
    edits.truncate(if pass > 1 { 3 } else { usize::MAX });
    json!({ "edits": edits.into_iter().map(|(_, edit)| edit).collect::<Vec<_>>() }).to_string()
}

/// The clause in which something stands, without its marks.
fn clause_around(body: &str, at: usize, length: usize) -> &str {
    const MARKS: [char; 10] = ['。', '，', '！', '？', '：', '；', '“', '”', '\n', '—'];
    let start = body[..at].char_indices().rfind(|(_, c)| MARKS.contains(c)).map_or(0, |(at, c)| at + c.len_utf8());
    let end = body[at + length..].find(MARKS).map_or(body.len(), |offset| at + length + offset);
    &body[start..end]
}
