//! The style analyzer's replies: directives from simple counts of the samples.

use super::cut::{paragraphs, words};
use crate::text::{Fingerprint, is_han};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Words that an author who never uses them in long samples seems to avoid.
const AVOIDED: [&str; 10] = ["不禁", "仿佛", "宛如", "缓缓", "顿时", "微微", "不由得", "霎时", "蓦然", "竟然"];

/// Describes the samples.
pub(super) fn analyze(samples: &[String], reference_author: Option<&str>) -> String {
    let all = samples.join("\n");
    let total = words(&all).max(1) as usize;
    let texts: Vec<&str> = samples.iter().map(String::as_str).collect();
    let measured = Fingerprint::measure(&texts);
    let percent = |share: f64| (share * 100.0).round();
    let (short, spoken) = (percent(measured.short_sentences.value), percent(measured.dialogue_ratio.value));
    let mean = measured.sentence_length.value.round();
    let per_thousand = |needle: &str| all.matches(needle).count() * 1000 / total;
    let mut directives = vec![
        format!("平均每句约{mean}字，短句（八字以内）占{short}%，长短照此交替。"),
        format!("对话约占全文{spoken}%，其余交给动作与细节。"),
    ];
    let openings = openings(&all);
    if !openings.is_empty() {
        directives.push(format!("段落常以“{}”起笔，可沿用，但相邻两段不要相同。", openings.join("”“")));
    }
    if let Some(author) = reference_author {
        directives.push(format!("学{author}的节奏与用词习惯，不照搬句子。"));
    }
    let similes = per_thousand("像") + per_thousand("如同") + per_thousand("似的");
    let mut rhetoric = vec![match similes {
        0 => "少用比喻，直写事物",
        1..=3 => "比喻节制，取自日常物件",
        _ => "多用比喻，落在具体的东西上",
    }];
    rhetoric.extend((per_thousand("？") > 4).then_some("常以问句推进"));
    rhetoric.extend((per_thousand("——") > 2).then_some("用破折号打断与补充"));
    rhetoric.extend((per_thousand("、") > 6).then_some("喜欢并列罗列"));
    let forbidden: Vec<&str> = AVOIDED.into_iter().filter(|word| total >= 1000 && !all.contains(word)).collect();
    let reply = json!({
        "rhetoric_preferences": rhetoric,
        "forbidden_words": forbidden,
        "character_speech_patterns": speakers(&all),
        "writing_directives": directives,
    });
    reply.to_string()
}

/// The two-character openings that at least three paragraphs have, most frequent first.
fn openings(text: &str) -> Vec<String> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for paragraph in paragraphs(text) {
        let start: String = paragraph.chars().take(2).collect();
        if start.chars().all(is_han) && start.chars().count() == 2 {
            *counts.entry(start).or_default() += 1;
        }
    }
    let mut frequent: Vec<(String, usize)> = counts.into_iter().filter(|(_, count)| *count >= 3).collect();
    frequent.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    frequent.into_iter().take(3).map(|(start, _)| start).collect()
}

/// The speakers, by the words before `道：“` and the like, and the lengths of their lines.
fn speakers(text: &str) -> Vec<Value> {
    let mut lines: BTreeMap<String, Vec<u32>> = BTreeMap::new();
    for paragraph in paragraphs(text) {
        let Some((before, said)) = paragraph.split_once("：“") else { continue };
        let clause = before.rsplit(['。', '，', '”', '！', '？']).next().unwrap_or(before);
        let Some(who) = ["说道", "笑道", "问道", "说", "道", "问"].iter().find_map(|verb| clause.strip_suffix(verb))
        else {
            continue;
        };
        if (2..=4).contains(&who.chars().count()) && who.chars().all(is_han) {
            let said = said.split('”').next().unwrap_or(said);
            lines.entry(who.to_owned()).or_default().push(words(said));
        }
    }
    let mut frequent: Vec<(String, Vec<u32>)> = lines.into_iter().filter(|(_, said)| said.len() >= 3).collect();
    frequent.sort_by(|a, b| b.1.len().cmp(&a.1.len()).then_with(|| a.0.cmp(&b.0)));
    let describe = |(who, said): (String, Vec<u32>)| {
        let mean = said.iter().sum::<u32>() / said.len().max(1) as u32;
        let mode = match mean {
            0..=8 => "话短，点到即止",
            9..=20 => "一句一意，不绕弯",
            _ => "话长，喜欢铺陈",
        };
        json!({"who": who, "pattern": format!("{mode}（平均{mean}字一句）")})
    };
    frequent.into_iter().take(5).map(describe).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_become_directives() {
        let sample = "林枫说：“走。”\n林枫说：“快些。”\n林枫说：“别回头。”\n雨下了一夜，街上没有人。\n".to_owned();
        let reply: Value = serde_json::from_str(&analyze(&[sample], Some("老舍"))).unwrap();
        assert_eq!(reply["character_speech_patterns"][0]["who"], "林枫");
        assert!(reply["writing_directives"].as_array().unwrap().iter().any(|d| d.as_str().unwrap().contains("老舍")));
        assert!(reply["writing_directives"][2].as_str().unwrap().contains("林枫"));
        assert_eq!(reply["forbidden_words"], json!([]), "too little text to say what is avoided");
    }

    #[test]
    fn no_samples_still_give_a_profile() {
        assert!(serde_json::from_str::<Value>(&analyze(&[], None)).is_ok());
    }
}
