//! The style analyzer: from samples of prose to directives that a writer can follow. Figures are measured elsewhere.

use super::call::prompt::{Answer, Order, Prompt, compose};
use super::call::prompt_files::{PromptError, Prompts};
use super::call::reply::{ReplyFault, items, lenient, name_list, read_json, schema_of, text_list};
use super::context::{self, Section};
use crate::domain::book::config::Agent;
use crate::domain::world::style::StyleSource;
use schemars::JsonSchema;
use serde::Deserialize;
use std::collections::BTreeMap;

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

#[derive(JsonSchema)]
#[expect(dead_code, reason = "describes the reply; `read` takes its parts one by one to keep what is usable")]
struct StyleReply {
    #[schemars(description = "修辞习惯")]
    rhetoric_preferences: Vec<String>,
    #[schemars(description = "作者明显绕着走的常见词，至多二十个")]
    forbidden_words: Vec<String>,
    #[schemars(description = "人物语癖")]
    character_speech_patterns: Vec<PatternReply>,
    #[schemars(description = "八到十二条可以照做的写法")]
    writing_directives: Vec<String>,
}

#[derive(Deserialize, JsonSchema)]
struct PatternReply {
    #[serde(default, deserialize_with = "lenient")]
    #[schemars(description = "哪一类人物")]
    who: String,
    #[serde(default, deserialize_with = "lenient")]
    #[schemars(description = "怎么说话，附样稿里的例子")]
    pattern: String,
}

/// The part of a style profile that a reader, not a counter, finds.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct StyleReading {
    /// Rhetorical habits.
    pub rhetoric_preferences: Vec<String>,
    /// Words the author does not use.
    pub forbidden_words: Vec<String>,
    /// How characters speak, by role.
    pub character_speech_patterns: BTreeMap<String, String>,
    /// What to do.
    pub writing_directives: Vec<String>,
}

/// Reads the directives.
///
/// # Errors
/// [`ReplyFault`] when there is no object, or no directive in it.
pub fn read(reply: &str) -> Result<StyleReading, ReplyFault> {
    let value = read_json(reply)?;
    let patterns = items::<PatternReply>(&value, "character_speech_patterns").into_iter();
    let patterns = patterns.filter(|pattern| !pattern.who.is_empty() && !pattern.pattern.is_empty());
    let reading = StyleReading {
        rhetoric_preferences: text_list(&value, "rhetoric_preferences"),
        forbidden_words: name_list(&value, "forbidden_words"),
        character_speech_patterns: patterns.map(|pattern| (pattern.who, pattern.pattern)).collect(),
        writing_directives: text_list(&value, "writing_directives"),
    };
    if reading.writing_directives.is_empty() {
        return Err(ReplyFault::Field { field: "writing_directives", wanted: "a list of texts" });
    }
    Ok(reading)
}

#[cfg(test)]
mod tests {
    use super::*;

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
