//! Answers in which a model declines in words, with a reason for the end like that of any answer.

/// The longest refusal, in characters; a longer text has something else to say.
const LONGEST: usize = 160;

/// True for an answer that consists of a model's apology for not giving one.
pub(super) fn is_refusal(text: &str) -> bool {
    let text = text.trim().to_lowercase().replace('’', "'");
    let begins = [
        "抱歉",
        "对不起",
        "很抱歉",
        "非常抱歉",
        "我无法",
        "我不能",
        "作为",
        "i'm sorry",
        "i am sorry",
        "sorry",
        "i can't",
        "i cannot",
    ];
    let declines = ["无法", "不能", "不便", "不予", "can't", "cannot", "unable", "won't"];
    let what = [
        "协助", "帮助", "提供", "创作", "生成", "续写", "回答", "内容", "请求", "要求", "assist", "help", "comply",
        "request", "content", "create", "写",
    ];
    let any = |words: &[&str]| words.iter().any(|word| text.contains(word));
    text.chars().count() <= LONGEST && begins.iter().any(|word| text.starts_with(word)) && any(&declines) && any(&what)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_apology_is_a_refusal_and_a_storys_is_none() {
        for text in [
            "抱歉，我无法协助创作这类内容。",
            "作为人工智能，我不能生成此类内容。",
            "I’m sorry, but I can’t help with that request.",
        ] {
            assert!(is_refusal(text), "{text}");
        }
        let long = format!("抱歉，我不能帮助你。{}", "雨还在下。".repeat(40));
        for text in ["“抱歉，我不能帮助你。”他说。", "抱歉的话他说不出口。", "作为长子，他不能走。", &long]
        {
            assert!(!is_refusal(text), "{text}");
        }
    }
}
