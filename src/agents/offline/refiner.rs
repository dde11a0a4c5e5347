//! The refiner's replies: small edits where a worn-out phrase stands or two neighbours begin alike.

use super::cut::{has_speech, paragraphs, sentences};
use crate::agents::{ChapterContext, context};
use crate::domain::chapter::Chapter;
use serde_json::{Value, json};

/// Worn-out phrases and what may stand in their place.
const INSTEAD: [(&str, &str); 39] = [
    ("不禁", ""),
    ("不由得", ""),
    ("不由自主地", ""),
    ("空气仿佛凝固了", "四下里一时没了声响"),
    ("的空气忽然凝固", "一时没了声响"),
    ("仿佛凝固了", "一下子静了"),
    ("忽然凝固", "一下子静了"),
    ("仿佛", "像是"),
    ("宛如", "像"),
    ("缓缓", "慢慢"),
    ("顿时", "立刻"),
    ("微微上扬", "翘了翘"),
    ("微微", "略"),
    ("深吸一口气", "定了定神"),
    ("扑面而来", "涌进来"),
    ("闪过一丝", "露出几分"),
    ("心中一动", "转念一想"),
    ("值得注意的是，", ""),
    ("值得注意的是", "要紧的是"),
    ("不知为何，", ""),
    ("不知为何", "说不出缘由"),
    ("的目光落在", "看了看"),
    ("嘴角", "唇边"),
    ("一股", "一阵"),
    ("目光", "眼神"),
    ("一丝", "一点"),
    ("没有说话", "没吭声"),
    ("顿了顿", "停了停"),
    ("沉默了", "静了"),
    ("眉头微皱", "皱了皱眉"),
    ("脸色一变", "变了脸"),
    ("苦笑一声", "苦笑着"),
    ("心头一震", "心里一跳"),
    ("意识到", "明白"),
    ("感觉到", "觉得"),
    ("莫名的", "说不出的"),
    ("就在这时", "偏偏这会儿"),
    ("下一刻", "紧接着"),
    ("攥紧了拳头", "捏了捏拳"),
];

/// Paragraphs that get another beginning in one pass: more would all begin alike again.
const LEADS: usize = 2;
/// Those beginnings.
const OPENINGS: [&str; 3] = ["这时，", "跟着，", "过了一会儿，"];

/// Proposes edits. The first pass changes at most 8 % of the characters, the second at most 3 %.
pub(super) fn refine(context: &ChapterContext, text: &Chapter, pass: u32) -> String {
    let body = &text.body;
    let total = body.chars().count();
    let room = if pass > 1 { total * 3 / 100 } else { total * 8 / 100 };
    let mut edits: Vec<Value> = Vec::new();
    let mut spent = 0;
    let mut touched: Vec<&str> = Vec::new();
    let mut propose = |original: &'_ str, refined: String, reason: &str| {
        let cost = original.chars().count();
        let taken = touched.iter().any(|other| other.contains(original) || original.contains(other));
        if taken || refined == original || spent + cost > room || body.matches(original).count() != 1 {
            return;
        }
        spent += cost;
        if let Some(at) = body.find(original) {
            touched.push(&body[at..at + original.len()]);
        }
        edits.push(json!({"original": original, "refined": refined, "reason": reason}));
    };
    // The opening tells the editions of a chapter apart and stays as it is.
    let first = paragraphs(body).next().unwrap_or_default();
    let listed: Vec<&str> = context::listed(&context.phrases).collect();
    for (worn, fresh) in
        INSTEAD.iter().filter(|(worn, _)| listed.iter().any(|text| worn.contains(text) || text.contains(worn)))
    {
        // 一股脑 is a word of its own.
        let stands = |at: &usize| !(*worn == "一股" && body[*at..].starts_with("一股脑"));
        for (at, _) in body.match_indices(worn).filter(|(at, _)| stands(at) && !first.contains(worn)) {
            let original = clause_around(body, at, worn.len());
            propose(original, original.replacen(worn, fresh, 1), &format!("“{}”用滥了", worn.trim_end_matches('，')));
        }
    }
    // The next chapter, and the next pass, begin with another one.
    let turn = (context.chapter.get() + pass) as usize % OPENINGS.len();
    let mut leads = OPENINGS.iter().cycle().skip(turn).take(LEADS);
    let mut before = "";
    for paragraph in paragraphs(body).skip(1).filter(|p| !has_speech(p)) {
        let start: String = paragraph.chars().take(2).collect();
        if before.starts_with(&start)
            && let Some(clause) = sentences(paragraph).first().and_then(|s| s.split_inclusive('，').next())
        {
            let Some(lead) = leads.next() else { break };
            propose(clause, format!("{lead}{clause}"), "与上一段开头相同");
        }
        before = paragraph;
    }
    if pass > 1 {
        edits.truncate(3);
    }
    json!({ "edits": edits }).to_string()
}

/// The clause in which something stands, without its marks.
fn clause_around(body: &str, at: usize, length: usize) -> &str {
    const MARKS: [char; 10] = ['。', '，', '！', '？', '：', '；', '“', '”', '\n', '—'];
    let start = body[..at].char_indices().rev().find(|(_, c)| MARKS.contains(c)).map_or(0, |(at, c)| at + c.len_utf8());
    let after = at + length;
    let end = body[after..].find(MARKS).map_or(body.len(), |offset| after + offset);
    &body[start..end]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_clause_is_cut_at_its_marks() {
        let body = "雨停了，他不禁笑了。走吧";
        let at = body.find("不禁").unwrap();
        assert_eq!(clause_around(body, at, "不禁".len()), "他不禁笑了");
        assert_eq!(clause_around("不禁", 0, "不禁".len()), "不禁");
    }
}
