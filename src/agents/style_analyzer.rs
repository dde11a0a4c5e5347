//! The style analyzer: from prose samples to directives for a writer. Figures are measured elsewhere.
//! Instructions for the writer against a drift of the style, with figures of the author's own.

use crate::agents::call::prompt::{PromptOrder, compose};
use crate::agents::context::{self, PromptSection};
use crate::agents::prelude::*;
use crate::domain::quality::StyleMeasure;
use crate::domain::world::style::{StyleProfile, StyleSource};
use crate::text::{ComparedFigure, StyleComparison};

pub(super) fn prompt(
    samples: &[String],
    measured: &[String],
    (source, name): (StyleSource, Option<&str>),
    prompts: &Prompts,
) -> Result<Prompt, PromptError> {
    let order = PromptOrder {
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
                PromptSection::new("origin", origin),
                PromptSection::new("measured", context::bullets(measured.iter().cloned())),
                PromptSection::new("samples", samples.collect::<Vec<_>>().join("\n")),
            ]
        },
        answer: ReplyForm::Json { name: "style_reading", schema: schema_of::<StyleReply>() },
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

/// The most corrections about single characters and marks.
const CHARACTERS: usize = 3;
/// A figure is mentioned from so many deviations on, when only the characters caused the alarm.
const WORTH_SAYING: f64 = 2.0;
/// A character is mentioned from so many spreads of the baseline on.
const MOVED: f64 = 1.5;

/// Returns a Chinese instruction for each figure and character that moved; at most seven.
pub fn corrections(comparison: &StyleComparison) -> Vec<String> {
    let figures = moved_figures(comparison).into_iter().map(of_figure);
    let characters = comparison.moved.iter().filter(|(c, by)| *c != '“' && by.abs() >= MOVED);
    figures.chain(characters.take(CHARACTERS).map(|(c, by)| of_character(*c, *by > 0.0))).collect()
}

/// The figures that moved: the far ones, or else those worth mentioning.
pub fn moved_figures(comparison: &StyleComparison) -> Vec<&ComparedFigure> {
    let is_worth =
        |figure: &&ComparedFigure| figure.is_far() || figure.deviation.z.is_some_and(|z| z.abs() > WORTH_SAYING);
    comparison.figures.iter().filter(is_worth).collect()
}

fn of_figure(figure: &ComparedFigure) -> String {
    let (now, base) = (figure.deviation.now, figure.deviation.base);
    let is_more = now > base;
    let (name, more, less) = match figure.measure {
        StyleMeasure::SentenceLength => (
            "句子",
            "一句只写一个动作，写完就断开，紧要处用十字以内的短句",
            "把连着的动作用逗号接成一句，每段留一句二十字以上的长句",
        ),
        StyleMeasure::Dialogue => (
            "对白",
            "对白之间添上动作和手边的东西，隔几句就让叙述接过去写一段",
            "让人物把话说出口，每一场至少有三个来回",
        ),
        StyleMeasure::ParagraphLength => {
            ("段落", "换了说话的人、换了动作就另起一段", "同一个动作、同一处景写在一段里，不要一句一段")
        }
        _ => ("语气词", "只在要缓一缓、逗一逗的地方带语气词，别的话直接收住", "对白里照各人的口气带上“吧”“呢”“嘛”“啊”"),
    };
    let advice = if is_more { more } else { less };
    let change = match (figure.measure, is_more) {
        (StyleMeasure::SentenceLength | StyleMeasure::ParagraphLength, true) => "变长了",
        (StyleMeasure::SentenceLength | StyleMeasure::ParagraphLength, false) => "变短了",
        (_, true) => "多了",
        (_, false) => "少了",
    };
    let figures = match figure.measure {
        StyleMeasure::Dialogue => format!("现在占 {:.0}%，从前 {:.0}%", now * 100.0, base * 100.0),
        StyleMeasure::ModalParticles => format!("现在每千字 {now:.1} 个，从前 {base:.1} 个"),
        _ => format!("现在平均 {now:.0} 字，从前 {base:.0} 字"),
    };
    format!("{name}{change}（{figures}）：{advice}")
}

fn of_character(c: char, is_more: bool) -> String {
    let (name, more, less) = match c {
        '，' => ("逗号", "一句里最多停两次，多出来的断成两句", "连着的动作用逗号接起来，不要句句都断"),
        '。' => ("句号", "几个短句并成一句，让动作连起来", "一句写完就收，不要一逗到底"),
        '！' => ("感叹号", "语气写进用词和动作里，感叹号留给喊出来的话", "喊出来的话用上感叹号"),
        '？' => ("问号", "心里的疑问改成他去查、去看的动作", "让人物把疑问当面问出来"),
        '…' => ("省略号", "没说完的话用一个动作来打断", "吞回去的话用省略号收住"),
        '—' => ("破折号", "插进去的话单独写成一句", "被打断的话用破折号断开"),
        '、' => ("顿号", "并列的东西只留最要紧的一两样", "同类的东西并在一处写"),
        '：' => ("冒号", "引出对白多用动作，少用“说：”", "对白前面交代是谁在说"),
        '；' => ("分号", "分号改成句号", "两件对着写的事用分号并在一句里"),
        '的' => ("“的”", "能省的修饰语省掉，多用动词", "给要紧的东西添一个具体的修饰"),
        '了' => ("“了”", "接连几个动作只在最后一个后面用“了”", "做完的事用“了”交代清楚"),
        '着' => ("“着”", "伴随的动作单独写成一句", "边做边说的地方用“着”带出手上的动作"),
        '吗' | '呢' | '吧' | '啊' | '么' => {
            return if is_more {
                format!("“{c}”比从前多：隔几句才带一个，别的话直接收住")
            } else {
                format!("“{c}”比从前少：对白里照人物的口气带上它")
            };
        }
        '而' | '但' | '却' | '因' | '所' | '如' | '若' => {
            return if is_more {
                format!("“{c}”比从前多：转折和因果让前后两件事自己显出来")
            } else {
                format!("“{c}”比从前少：事情拐弯的地方用它点明")
            };
        }
        _ => {
            return if is_more {
                format!("“{c}”比从前多：隔一句再用，换个说法省掉一半")
            } else {
                format!("“{c}”比从前少：照从前的口气，该有的地方补回来")
            };
        }
    };
    let (change, advice) = if is_more { ("多", more) } else { ("少", less) };
    format!("{name}比从前{change}：{advice}")
}

#[cfg(test)]
mod style_corrections_tests {
    use super::*;
    use crate::text::Deviation;

    fn figure(measure: StyleMeasure, base: f64, now: f64, z: f64) -> ComparedFigure {
        let deviation = Deviation { base, now, relative: Some(now / base - 1.0), z: Some(z) };
        ComparedFigure { measure, deviation, own_z: 0.0 }
    }

    #[test]
    fn each_line_says_what_to_do_and_by_how_much_it_moved() {
        let comparison = StyleComparison {
            delta: 1.0,
            level: 0.5,
            moved: vec![('“', 9.0), ('，', -4.0), ('却', 2.0), ('啊', -1.6), ('了', 1.0)],
            figures: vec![
                figure(StyleMeasure::SentenceLength, 21.0, 12.0, -5.0),
                figure(StyleMeasure::Dialogue, 0.3, 0.31, 0.2),
                figure(StyleMeasure::ModalParticles, 5.0, 1.5, -3.5),
            ],
        };
        let lines = corrections(&comparison);
        assert_eq!(
            lines,
            [
                "句子变短了（现在平均 12 字，从前 21 字）：把连着的动作用逗号接成一句，每段留一句二十字以上的长句",
                "语气词少了（现在每千字 1.5 个，从前 5.0 个）：对白里照各人的口气带上“吧”“呢”“嘛”“啊”",
                "逗号比从前少：连着的动作用逗号接起来，不要句句都断",
                "“却”比从前多：转折和因果让前后两件事自己显出来",
                "“啊”比从前少：对白里照人物的口气带上它",
            ]
        );
        let measures: Vec<StyleMeasure> = moved_figures(&comparison).iter().map(|figure| figure.measure).collect();
        assert_eq!(measures, [StyleMeasure::SentenceLength, StyleMeasure::ModalParticles]);
    }

    #[test]
    fn every_line_fits_into_the_prompt() {
        let all = "的了着过地得是在有不没也就都又还才却只很更最把被给向从对和与跟而但因为所以如若之这那哪个们吗呢吧啊么，。！？、：；…—";
        for c in all.chars() {
            assert!([true, false].iter().all(|more| of_character(c, *more).chars().count() <= 60), "{c}");
        }
    }
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
