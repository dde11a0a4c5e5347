//! The style analyzer: from prose samples to directives for a writer. Figures are measured elsewhere.

use super::call::prompt::{Answer, Order, Prompt, compose};
use super::call::reply::{FieldKind, ReplyFault, read_as, schema_of};
use super::context::{self, Section};
use crate::agents::prelude::*;
use crate::domain::world::style::{StyleProfile, StyleSource};

pub(super) fn prompt(
    samples: &[String],
    measured: &[String],
    (source, name): (StyleSource, Option<&str>),
    prompts: &Prompts,
) -> Result<Prompt, PromptError> {
    let order = Order {
        agent: Agent::StyleAnalyzer,
        system: "prompts/style-analyzer/system.md",
        user: &["prompts/style-analyzer/task.md"],
        context: None,
        sections: &|_| {
            let origin = match source {
                StyleSource::Original | StyleSource::Preset | StyleSource::Deferred => "作者本人".to_owned(),
                StyleSource::Extracted => "这本书已经写成的章节，有机器参与；套话不算习惯".to_owned(),
                StyleSource::Reference => format!("参考作者 {}", name.unwrap_or("（未署名）")),
            };
            let samples = samples.iter().enumerate().map(|(n, text)| format!("【样稿 {}】\n{}\n", n + 1, text.trim()));
            vec![
                Section::new("origin", origin),
                Section::new("measured", context::bullets(measured.iter().cloned())),
                Section::new("samples", samples.collect::<Vec<_>>().join("\n")),
            ]
        },
        answer: Answer::Json { name: "style_reading", schema: schema_of::<StyleReply>() },
        max_output_tokens: 2000,
    };
    compose(order, prompts)
}

#[derive(Default, Deserialize, JsonSchema)]
#[serde(default)]
struct StyleReply {
    #[schemars(description = "修辞习惯")]
    rhetoric_preferences: Vec<String>,
    #[schemars(description = "作者明显绕着走的常见词，至多二十个", extend("x-read" = "names"))]
    forbidden_words: Vec<String>,
    #[schemars(description = "人物语癖")]
    character_speech_patterns: Vec<PatternReply>,
    #[schemars(description = "八到十二条可以照做的写法")]
    writing_directives: Vec<String>,
}

#[derive(Default, Deserialize, JsonSchema)]
#[serde(default)]
struct PatternReply {
    #[schemars(description = "哪一类人物")]
    who: String,
    #[schemars(description = "怎么说话，附样稿里的例子")]
    pattern: String,
}

/// The part of a style profile that only reading finds.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct StyleReading {
    pub rhetoric_preferences: Vec<String>,
    /// Words that the author avoids.
    pub forbidden_words: Vec<String>,
    /// By role.
    pub character_speech_patterns: BTreeMap<String, String>,
    pub writing_directives: Vec<String>,
}

/// Fails when no directive is in the reply.
pub fn read(reply: &str) -> Result<StyleReading, ReplyFault> {
    let reply: StyleReply = read_as(reply)?;
    let patterns = reply.character_speech_patterns.into_iter();
    let patterns = patterns.filter(|pattern| !pattern.who.is_empty() && !pattern.pattern.is_empty());
    let reading = StyleReading {
        rhetoric_preferences: reply.rhetoric_preferences,
        forbidden_words: reply.forbidden_words,
        character_speech_patterns: patterns.map(|pattern| (pattern.who, pattern.pattern)).collect(),
        writing_directives: reply.writing_directives,
    };
    if reading.writing_directives.is_empty() {
        return Err(ReplyFault::Field { field: "writing_directives", wanted: FieldKind::Texts });
    }
    Ok(reading)
}

/// The name of the measured share of short sentences in a profile.
const SHORT_SENTENCES: &str = "short_sentence_share";

/// Puts the profile's measured figures into the directives: for the mean length of a sentence, the share of dialogue,
/// and that of short sentences.
pub fn agreeing(directives: Vec<String>, profile: &StyleProfile) -> Vec<String> {
    let percent = |share: f64| (share * 100.0).round();
    let short = profile.measured.get(SHORT_SENTENCES).copied().map(percent);
    let figure = |clause: &str| -> Option<(f64, &'static [&'static str])> {
        let has = |word| clause.contains(word);
        if has("句") && (has("平均") || has("句均")) && !has("%") && !has("％") {
            return Some((profile.avg_sentence_length.round(), ["字", "个字"].as_slice()))
                .filter(|(length, _)| *length > 0.0);
        }
        let share = match clause {
            _ if !has("占") => None,
            _ if has("短句") => short,
            _ if has("对话") || has("对白") => Some(percent(profile.dialogue_ratio)),
            _ => None,
        };
        share.map(|share| (share, ["%", "％"].as_slice()))
    };
    let corrected = |directive: String| {
        let clauses = directive.split_inclusive(['，', '。', '；', ',', ';']);
        clauses
            .map(|clause| match figure(clause) {
                Some((value, units)) => with_number(clause, value, units),
                None => clause.to_owned(),
            })
            .collect()
    };
    directives.into_iter().map(corrected).collect()
}

/// Replaces the clause's first number before one of the units by `value`.
fn with_number(clause: &str, value: f64, units: &[&str]) -> String {
    let is_of_number = |c: char| c.is_ascii_digit() || c == '.';
    let mut from = 0;
    while let Some(start) = clause[from..].find(|c: char| c.is_ascii_digit()).map(|at| from + at) {
        let end = clause[start..].find(|c| !is_of_number(c)).map_or(clause.len(), |at| start + at);
        let after = clause[end..].trim_start();
        if units.iter().any(|unit| after.starts_with(unit)) {
            return format!("{}{value:.0}{}", &clause[..start], &clause[end..]);
        }
        from = end;
    }
    clause.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_in_a_directive_is_the_measured_one() {
        let profile = StyleProfile {
            source: StyleSource::Original,
            source_name: None,
            avg_sentence_length: 17.6,
            dialogue_ratio: 0.42,
            measured: BTreeMap::from([(SHORT_SENTENCES.to_owned(), 0.23)]),
            rhetoric_preferences: Vec::new(),
            forbidden_words: Vec::new(),
            character_speech_patterns: BTreeMap::new(),
            writing_directives: Vec::new(),
            own_phrases: Vec::new(),
        };
        let table = [
            (
                "平均每句约25字，短句（八字以内）占40%，长短照此交替。",
                "平均每句约18字，短句（八字以内）占23%，长短照此交替。",
            ),
            ("句长平均在 12.5 个字上下", "句长平均在 18 个字上下"),
            ("对白约占全文 60％，其余交给动作", "对白约占全文 42％，其余交给动作"),
            ("每章至多3句反问，对白不超过20字", "每章至多3句反问，对白不超过20字"),
            ("打斗每3句换一次视线", "打斗每3句换一次视线"),
        ];
        for (written, expected) in table {
            assert_eq!(agreeing(vec![written.to_owned()], &profile), [expected]);
        }
        let unmeasured = StyleProfile { avg_sentence_length: 0.0, measured: BTreeMap::new(), ..profile };
        assert_eq!(agreeing(vec!["平均每句约25字，短句占40%".into()], &unmeasured), ["平均每句约25字，短句占40%"]);
    }

    #[test]
    fn directives_are_needed_and_the_rest_may_be_missing() {
        let reply = r#"{"writing_directives": ["动手前先写一件小事"], "forbidden_words": ["仿佛", ""],
            "character_speech_patterns": [{"who": "主角", "pattern": "反问多"}, {"who": "旁人"}]}"#;
        let reading = read(reply).unwrap();
        assert_eq!(reading.forbidden_words, ["仿佛"]);
        assert_eq!(reading.character_speech_patterns, BTreeMap::from([("主角".to_owned(), "反问多".to_owned())]));
        assert!(read("{\"writing_directives\": []}").is_err());
    }
}
