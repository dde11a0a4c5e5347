//! The style analyzer's replies: directives from simple counts of the samples.

use crate::agents::prelude::*;
use crate::text::Fingerprint;

/// Describes the samples, which are the named author's where there is one.
pub(super) fn analyze(samples: &[String], author: Option<&str>) -> String {
    let measured = Fingerprint::measure(&samples.iter().map(String::as_str).collect::<Vec<_>>());
    let [short, spoken] = [&measured.short_sentences, &measured.dialogue_ratio].map(|m| (m.value * 100.0).round());
    let mut directives = vec![
        format!("平均每句约{:.0}字，短句（八字以内）占{short}%，长短照此交替。", measured.sentence_length.value),
        format!("对话约占全文{spoken}%，其余交给动作与细节。"),
    ];
    directives.extend(author.map(|author| format!("学{author}的节奏与用词习惯，不照搬句子。")));
    json!({"rhetoric_preferences": [], "forbidden_words": [], "writing_directives": directives}).to_string()
}
