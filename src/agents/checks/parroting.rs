//! Answers that repeat an example of the prompt. Weak models do so; in a book, an example would become a rule or a
//! chapter.

use crate::agents::prelude::*;
use crate::domain::state::RawOp;
use crate::llm::json;
use crate::text::is_han;
use std::sync::LazyLock;

/// The fewest Han characters of an example that is no coincidence.
const SHORTEST: usize = 6;
/// The fewest Han characters of a copied instruction of the prompt.
const INSTRUCTION: usize = 10;
/// The fewest Han characters of an example that is hidden after a reply has repeated one.
const SHOWN: usize = 3;

/// The first text of the reply that is dots alone, or that the agent's built-in prompt files have in quotation marks. A
/// reply may repeat the book's or the author's part of the prompt, even from the author's own prompt files.
pub fn echo(agent: Agent, reply: &str) -> Option<ReplyFault> {
    let value = json::find(reply).ok()?;
    let mut leaves = Vec::new();
    collect(&value, &mut leaves);
    echo_of(agent, leaves)
}

/// Finds copies of the prompt's examples, and of whole instructions, among the texts of a parsed answer.
pub fn echo_of<'t>(agent: Agent, texts: impl IntoIterator<Item = &'t str>) -> Option<ReplyFault> {
    let examples = examples(agent, SHORTEST);
    let is_instruction = |text: &str| han(text) >= INSTRUCTION && files(agent).any(|file| file.contains(text.trim()));
    let mut texts = texts.into_iter();
    let echo = texts.find(|text| is_dots(text) || examples.contains(text) || is_instruction(text));
    echo.map(|text| ReplyFault::Echo(text.to_owned()))
}

/// The index of the first line of prose that belongs to the prompt: a tag of its blocks, or an instruction of the
/// writer's prompt files. Weak models go on with the task where the story ends. An opening tag that is never closed may
/// be the story's, such as the panel of a game.
pub fn first_of_prompt(lines: &[&str]) -> Option<usize> {
    let closed: BTreeSet<&str> = lines.iter().filter_map(|line| closing_tag(line.trim())).collect();
    let opening = |line: &str| line.strip_prefix('<').and_then(tag).is_some_and(|name| closed.contains(name));
    lines.iter().map(|line| line.trim()).position(|line| {
        closing_tag(line).is_some()
            || opening(line)
            || INSTRUCTIONS.iter().any(|pieces| is_filled(pieces, unlisted(line)))
    })
}

fn closing_tag(line: &str) -> Option<&str> {
    tag(line.strip_prefix("</").or_else(|| line.strip_prefix("<／"))?)
}

/// The name of a prompt block, when the rest of a line is its tag.
fn tag(rest: &str) -> Option<&str> {
    let inner = rest.strip_suffix('>')?;
    let name = inner.split(' ').next().unwrap_or(inner);
    BLOCKS.contains(name).then_some(name)
}

/// Names of the blocks in all built-in prompt files.
static BLOCKS: LazyLock<BTreeSet<&'static str>> = LazyLock::new(|| {
    let lines = Prompts::built_in().flat_map(|(_, text)| text.lines());
    lines.filter_map(|line| line.trim().strip_prefix("</")?.strip_suffix('>')).collect()
});

/// Instructions to the writer, each as the pieces between its variables.
static INSTRUCTIONS: LazyLock<Vec<Vec<&'static str>>> = LazyLock::new(|| {
    let sent = |path: &str| {
        ["prompts/writer/", "prompts/again/", "prompts/genres/"].iter().any(|folder| path.starts_with(folder))
    };
    let lines = Prompts::built_in().filter(|(path, _)| sent(path)).flat_map(|(_, text)| text.lines());
    let pieces = lines.map(|line| unlisted(line.trim()).split(['{', '}']).step_by(2).collect::<Vec<_>>());
    pieces.filter(|pieces| pieces.iter().map(|piece| han(piece)).sum::<usize>() >= INSTRUCTION).collect()
});

/// A line without a list mark.
fn unlisted(line: &str) -> &str {
    line.trim_start_matches(|c: char| c.is_ascii_digit()).trim_start_matches(['-', '*', '.', ' '])
}

/// True when a line is these pieces with text between them.
fn is_filled(pieces: &[&str], line: &str) -> bool {
    let [first, between @ ..] = pieces else { return false };
    let Some(mut rest) = line.strip_prefix(first) else { return false };
    let Some((last, between)) = between.split_last() else { return rest.is_empty() };
    for piece in between {
        let Some((_, after)) = rest.split_once(piece) else { return false };
        rest = after;
    }
    rest.ends_with(last)
}

/// True for a name in the examples of the agent's prompt files that is not in the material of the task.
pub fn is_example_name(agent: Agent, name: &str, material: &str) -> bool {
    examples(agent, SHOWN).contains(name) && !material.contains(name)
}

/// True when an operation sets a value from the examples of the agent's prompt files that the chapter does not have.
/// Removals copy nothing into the state.
pub fn is_example(agent: Agent, chapter: &str, op: &RawOp) -> bool {
    if op.op == "remove" {
        return false;
    }
    let examples = examples(agent, SHOWN);
    let mut leaves = Vec::new();
    collect(&op.value, &mut leaves);
    let is_copied = |text: &str| is_dots(text) || (examples.contains(text) && !chapter.contains(text));
    leaves.into_iter().chain(op.detail.as_deref()).any(is_copied)
}

/// Empties the prompt's examples: after a repeated example only the form is shown.
pub fn without_examples(mut prompt: Prompt) -> Prompt {
    let dots = files(prompt.agent).flat_map(quoted).filter(|text| is_dots(text));
    for example in examples(prompt.agent, SHOWN).into_iter().chain(dots) {
        let example = format!("\"{example}\"");
        for text in prompt.parts.iter_mut().map(|part| &mut part.text).chain([&mut prompt.system]) {
            *text = text.replace(&example, "\"\"");
        }
    }
    prompt
}

/// Texts of at least `least` Han characters in quotation marks in an agent's built-in prompt files.
fn examples(agent: Agent, least: usize) -> BTreeSet<&'static str> {
    files(agent).flat_map(quoted).filter(|text| han(text) >= least).collect()
}

fn files(agent: Agent) -> impl Iterator<Item = &'static str> {
    let folder = format!("prompts/{agent}/");
    Prompts::built_in().filter(move |(path, _)| path.starts_with(&folder)).map(|(_, text)| text)
}

fn quoted(text: &str) -> impl Iterator<Item = &str> {
    // In a line of JSON every second piece between quotation marks is a string.
    text.lines().flat_map(|line| line.split('"').skip(1).step_by(2)).map(str::trim)
}

fn han(text: &str) -> usize {
    text.chars().filter(|c| is_han(*c)).count()
}

/// `……`, `从……到……`: dots with nothing but the words of that form between.
fn is_dots(text: &str) -> bool {
    let dots = text.chars().filter(|c| matches!(c, '…' | '.' | '。')).count();
    let said: String = text.chars().filter(|c| c.is_alphanumeric()).collect();
    dots >= 2 && text.contains('…') && (said.is_empty() || said == "从到")
}

fn collect<'v>(value: &'v Value, leaves: &mut Vec<&'v str>) {
    match value {
        Value::String(text) => leaves.push(text.trim()),
        Value::Array(list) => list.iter().for_each(|value| collect(value, leaves)),
        Value::Object(map) => map.values().for_each(|value| collect(value, leaves)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agents::{PlanningContext, Task};

    #[test]
    fn whoever_has_repeated_an_example_is_shown_the_form_alone() {
        let (prompts, context) = (Prompts::default(), PlanningContext::default());
        let prompt = crate::agents::prompt(&Task::World { context: &context, request: "" }, &prompts).unwrap();
        let text = |prompt: &Prompt| {
            prompt.parts.iter().map(|part| part.text.as_str()).chain([prompt.system.as_str()]).collect::<String>()
        };
        let shown = text(&prompt);
        let bare = text(&without_examples(prompt));
        assert!(shown.contains("当票上写明的东西") && !bare.contains("当票上写明的东西"), "{bare}");
        assert!(bare.contains("\"rule\": \"\"") && !bare.contains("\"……\""), "{bare}");
        let instructions =
            |text: &str| text.lines().filter(|line| line.starts_with("- ")).map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(instructions(&shown), instructions(&bare));
    }

    #[test]
    fn an_operation_of_the_example_is_told_from_one_of_the_chapter() {
        let is_example = |op: &str, value: Value, detail: Option<&str>, chapter: &str| {
            let (op, path) = (op.to_owned(), "characters.shen-du.inventory".to_owned());
            let op = RawOp { op, path, value, detail: detail.map(str::to_owned), ..RawOp::default() };
            super::is_example(Agent::Summarizer, chapter, &op)
        };
        assert!(is_example("add", "刻了七道痕的顶针".into(), None, "沈渡收起船票。"));
        assert!(!is_example("add", "刻了七道痕的顶针".into(), None, "桌上是刻了七道痕的顶针。"), "the chapter has it");
        assert!(!is_example("remove", "刻了七道痕的顶针".into(), None, "那枚顶针碎了。"), "what the state has may go");
        assert!(!is_example("add", "船票".into(), None, "沈渡收起船票。") && !is_example("inc", 3.into(), None, ""));
        assert!(is_example("foreshadow", "planted".into(), Some("顶针上的痕比失踪的人多一道"), "沈渡收起船票。"));
    }

    #[test]
    fn lines_of_the_prompt_are_told_from_the_story() {
        let first = |text: &str| first_of_prompt(&text.lines().collect::<Vec<_>>());
        for echo in [
            "</写到这里>",
            "<／活跃线>",
            "<活跃线 状态=\"active\">\n- 守更\n</活跃线>",
            "- 这一场 75 到 142 个字；全章的字数由各场合起来算。",
            "上一次写的这一场没法用：没有正文。请重新写这一场，也只写这一场：给出完整的正文，有来有回地写到它的转折为止，不要提纲，不要说明，不要道歉，不写到后面几场里去。",
            "- 写不满，多半是冲突没有展开；超出来，多半是闲笔。\n- 不写场次的序号和小标题，不画分隔线。",
        ] {
            let at = if echo.starts_with("- 写不满") { 3 } else { 2 };
            assert_eq!(first(&format!("雨停了。\n\n{echo}\n他走了。")), Some(at), "{echo}");
        }
        for own in ["<当前状态>\n力量 12", "<／衣>", "这一场 75 到 142 个字", "- 零点后不收钥匙", "", "只回 JSON。"]
        {
            assert_eq!(first(&format!("雨停了。\n\n{own}\n他走了。")), None, "{own}");
        }
    }

    #[test]
    fn an_example_of_the_format_is_no_answer() {
        let said = |agent, reply: &str| echo(agent, reply).map(|fault| fault.to_string());
        let copied = said(Agent::WorldBuilder, r#"{"rules": [{"rule": "当票上写明的东西，过了子时不能再赎"}]}"#);
        assert!(copied.unwrap().contains("当票上写明的东西"));
        for dots in ["……", "从……到……", "…"] {
            let reply = format!(r#"{{"chapters": [{{"title": "假票", "conflict": "{dots}"}}]}}"#);
            assert_eq!(said(Agent::PlotArchitect, &reply).is_some(), dots != "…", "{dots}");
        }
        assert_eq!(
            said(Agent::PlotArchitect, r#"{"chapters": [{"conflict": "要过河的人没有票……船工却认得他"}]}"#),
            None
        );
        // The beginning of a sentence is a title, and what a contract may well say is no example.
        assert_eq!(said(Agent::PlotArchitect, r#"{"chapters": [{"title": "如果……", "arc": "她……"}]}"#), None);
        assert_eq!(said(Agent::CharacterWeaver, r#"{"update_requires": "大纲里写明他学会了"}"#), None);
        let reason = |text: &'static str| echo_of(Agent::Judge, [text]).is_some();
        assert!(
            reason("因果接得上，冲突有来有回，主角靠自己的选择过关；偶有一处省力，读的时候不觉得"),
            "an instruction judges nothing"
        );
        assert!(!reason("守门人认出火漆那一段，言行合他的处境") && !reason("有没有变化"));
        // Ids and single words are not texts.
        assert_eq!(said(Agent::PlotArchitect, r#"{"storylines": [{"id": "main-arc", "role": "primary"}]}"#), None);
        assert_eq!(said(Agent::WorldBuilder, "我不能"), None);
    }
}
