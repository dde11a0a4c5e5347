//! The writer: drafts, revises and rewrites chapters.

use crate::agents::call::prompt::{PromptOrder, compose};
use crate::agents::call::task::Task;
use crate::agents::checks::chat;
use crate::agents::checks::completeness::{self, Break, Expected, RemovedPart, TextFinding};
use crate::agents::checks::parroting::first_of_prompt;
use crate::agents::checks::slips::{self, TakenTitle};
use crate::agents::context::{self, NOTHING, PartLimits, PromptSection, chars, count_words, scene};
use crate::agents::prelude::*;
use crate::domain::chapter::evaluation::{Check, Fix};
use crate::domain::chapter::{heading_number, is_heading};
use crate::llm::think;
use crate::text;

const CONTEXT: &str = "prompts/writer/context.md";
/// The heading of the writer's remarks on changes.
pub const HINTS_MARK: &str = "【状态提示】";
/// Phrases of the house list for the writer (orchestrator chapter §8.4): a longer list reads like a suggestion.
const PHRASES: usize = 10;

pub(super) fn prompt(context: &ChapterContext, task: &Task, prompts: &Prompts) -> Result<Prompt, PromptError> {
    let path = match task {
        Task::Revise { .. } => "prompts/writer/revise.md",
        Task::Rewrite { .. } => "prompts/writer/rewrite.md",
        Task::Scene { .. } => "prompts/writer/scene.md",
        _ => "prompts/writer/draft.md",
    };
    let most = match task {
        Task::Scene { order, .. } => *order.words.end(),
        Task::Revise { text, .. } => context.config.max_words.max(count_words(&text.body)),
        _ => context.config.max_words,
    };
    let order = PromptOrder {
        agent: Agent::Writer,
        system: "prompts/writer/system.md",
        user: &[CONTEXT, path],
        context: Some(context),
        sections: &|extent| [shared(context, extent, prompts), own(task, context)].concat(),
        answer: ReplyForm::Prose,
        // Two tokens for each character of the longest text: a Han character takes about one, two with the least
        // thrifty tokenizers. Models that run on are cut off there.
        max_output_tokens: most.saturating_mul(2).saturating_add(600),
    };
    compose(order, prompts)
}

fn shared(context: &ChapterContext, extent: &PartLimits, prompts: &Prompts) -> Vec<PromptSection> {
    // A book's prompt file may be older than `{cast}` and have one placeholder for everything about people.
    let is_by_rate = prompts.text(CONTEXT).1.contains("{cast}");
    let told = if is_by_rate { context::by_rate_of_change } else { context::whole };
    let own = [
        PromptSection::new("world_rules", context::world_rules(context, extent)),
        PromptSection::new("storyline_rules", context::storyline_rules(context)),
        PromptSection::new("style", context::style(context, extent)),
        PromptSection::new("phrases", context::foremost_phrases(context, PHRASES)),
        PromptSection::new("brief", context::brief(context, extent)),
        PromptSection::new("overview", context::overview(context, extent)),
        PromptSection::new("adjacent_lines", context::adjacent_lines(context)),
        PromptSection::new("passages", context::passages(context, extent)),
        PromptSection::new("frozen_lines", context::frozen_lines(context)),
        PromptSection::new("drift", context::drift(context)),
        PromptSection::new("worn", context::worn(context, extent)),
        PromptSection::new("genre_notes", context::genre_notes(context, extent, prompts)),
        PromptSection::new("opening", context::opening(context, extent, prompts)),
        PromptSection::new("excerpts", context::excerpts(context, extent)),
        PromptSection::new("pages", context::pages(context, extent)),
        PromptSection::new("voices", context::voices(context, extent)),
    ];
    [context::of_chapter(context, extent), told(context, extent), own.to_vec()].concat()
}

fn own(task: &Task, context: &ChapterContext) -> Vec<PromptSection> {
    match task {
        Task::Revise { text, fixes, violations, round, .. } => vec![
            PromptSection::new("round", round.to_string()),
            PromptSection::new("text", text.to_markdown()),
            PromptSection::new("violations", context::bullets(violations.iter().map(violation))),
            PromptSection::new("fixes", context::bullets(fixes.iter().map(fix))),
        ],
        Task::Rewrite { issues, .. } => {
            vec![PromptSection::new("issues", context::bullets(issues.iter().cloned()))]
        }
        Task::Scene { order, .. } => scene::of_order(order),
        _ => {
            let pov = context.section.field(Field::Pov);
            vec![
                PromptSection::new("storyline", context.storyline().as_str()),
                PromptSection::new("pov", if pov.is_empty() { NOTHING } else { pov }),
            ]
        }
    }
}

fn violation(check: &Check) -> String {
    match check.evidence.trim() {
        "" => format!("{}：{}", check.rule, check.detail),
        evidence => format!("{}：{}（原文：{evidence}）", check.rule, check.detail),
    }
}

fn fix(fix: &Fix) -> String {
    format!("位置：{}；改法：{}", fix.target, fix.instruction)
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrittenChapter {
    pub chapter: Chapter,
    /// The remarks on changes, for the summarizer to compare; may be empty.
    pub hints: String,
    pub words: u32,
    /// Already removed flaws first, then the others, the gravest first.
    pub findings: Vec<TextFinding>,
}

impl WrittenChapter {
    /// The text up to its last whole sentence.
    pub fn whole_part(&self) -> Self {
        let body = format!("{}\n", text::whole_part(&self.chapter.body));
        let words = count_words(&body);
        Self { words, chapter: Chapter { body, ..self.chapter.clone() }, ..self.clone() }
    }
}

/// Reads a chapter: the heading and the prose, without code fences, talk around the text, fields of the plan, a
/// repeated end, end marks and the writer's own remarks; and checks that it is whole. Fails with
/// [`ReplyFault::NoProse`] without prose.
pub fn read(
    reply: &str,
    chapter: ChapterNo,
    planned_title: &str,
    expected: &Expected<'_>,
) -> Result<WrittenChapter, ReplyFault> {
    let Prose { page, hints, taken_out: mut findings } = prose_of(reply);
    if page.is_empty() || is_json(&page) {
        return Err(ReplyFault::NoProse);
    }
    let mut chapter = Chapter::from_markdown(chapter, &page, planned_title);
    chapter.body = behind_json(chapter.body.trim_start()).to_owned();
    free_title(&mut chapter, planned_title);
    // A revision may answer a wish for another title.
    if expected.replaces.is_none() {
        let taken = slips::settle_title(&mut chapter, planned_title, expected.sources);
        findings.extend(taken.map(|TakenTitle { title, like }| TextFinding::Title { title, like }));
    }
    findings.extend(cut_fields(&mut chapter.body));
    findings.extend(completeness::cut_previous_ending(&mut chapter.body, expected.sources));
    cut_leading_break(&mut chapter.body);
    cut_title_again(&mut chapter);
    findings.extend(cut_next_chapter(&mut chapter.body, "", (chapter.number, expected)));
    findings.extend(requoted(&mut chapter.body, expected));
    let body = std::mem::take(&mut chapter.body);
    checked(Chapter { body: body.clone(), ..chapter }, &body, hints, findings, expected)
}

/// Removes first lines that repeat the title, with or without the chapter's number.
fn cut_title_again(chapter: &mut Chapter) {
    while let Some((first, rest)) = chapter.body.trim_start().split_once('\n') {
        let bare = first.trim().trim_matches(['*', '#', ' ']);
        let title = bare.split_once('章').filter(|_| is_bare_heading(bare)).map_or(bare, |(_, title)| title);
        if title.trim_matches(['：', ':', ' ', '　', '《', '》']) != chapter.title.trim() {
            break;
        }
        chapter.body = rest.trim_start().to_owned();
    }
}

/// Removes the next chapter, which a model that runs on begins behind a whole one. `kept` is the text before `page`.
fn cut_next_chapter(
    page: &mut String,
    kept: &str,
    (number, expected): (ChapterNo, &Expected<'_>),
) -> Option<TextFinding> {
    let begins =
        |line: &&str| (is_heading(line) || is_bare_heading(line)) && heading_number(line) == Some(number.next().get());
    let at = page.lines().find(begins)?.as_ptr() as usize - page.as_ptr() as usize;
    if completeness::is_short(count_words(kept) + count_words(&page[..at]), expected.least) {
        return None;
    }
    let words = count_words(&page[at..]);
    page.truncate(at);
    Some(TextFinding::Removed(RemovedPart::NextChapter { words }))
}

fn cut_leading_break(body: &mut String) {
    let first = text::paragraphs(body).into_iter().find(|paragraph| paragraph.block != text::BlockKind::SceneBreak);
    if let Some(start) = first.map(|paragraph| paragraph.start) {
        body.drain(..start);
    }
}

/// Reads a continuation of `kept`, and checks both together.
pub fn read_continuation(reply: &str, kept: &Chapter, expected: &Expected<'_>) -> Result<WrittenChapter, ReplyFault> {
    // The text before the next chapter's heading is no talk.
    let mut reply = reply.to_owned();
    let next = cut_next_chapter(&mut reply, &kept.body, (kept.number, expected));
    let Prose { page, hints, taken_out: mut findings } = prose_of(&reply);
    findings.extend(next);
    let goes_on = |line: &&str| {
        let bare = line.trim().trim_matches(['（', '）', '(', ')', '【', '】', '*', ' ']).trim_end_matches(['：', ':']);
        !["接上文", "接着上文", "承接上文", "续写", "续", "继续", "接续"].contains(&bare)
    };
    let lines = page.lines().filter(|line| !is_heading(line) && !is_bare_heading(line)).filter(goes_on);
    let mut own = lines.collect::<Vec<_>>().join("\n").trim().to_owned();
    findings.extend(cut_fields(&mut own));
    findings.extend(requoted(&mut own, expected));
    if count_words(&own) == 0 || is_json(&own) {
        return Err(ReplyFault::NoProse);
    }
    let body = completeness::joined(&kept.body, &own);
    checked(Chapter { body, ..kept.clone() }, &own, hints, findings, expected)
}

/// Puts names in place of ids, and the book's quotation marks in place of others.
fn requoted(text: &mut String, expected: &Expected<'_>) -> Option<TextFinding> {
    slips::name_people(text, expected.sources);
    slips::requote(text, expected.sources).map(|spans| TextFinding::Requoted { spans })
}

/// Cuts repetition off, and checks the text.
fn checked(
    mut chapter: Chapter,
    own: &str,
    hints: String,
    mut findings: Vec<TextFinding>,
    expected: &Expected<'_>,
) -> Result<WrittenChapter, ReplyFault> {
    let whole = count_words(&chapter.body);
    if whole == 0 {
        return Err(ReplyFault::NoProse);
    }
    // With remarks or another chapter at the end, the text was complete when the reply was cut.
    let is_followed = findings.iter().any(|f| matches!(f, TextFinding::Removed(RemovedPart::NextChapter { .. })));
    let mut cut = expected.cut.filter(|_| hints.is_empty() && !is_followed);
    if expected.replaces.is_none() || cut.is_some() {
        if let Some(at) = text::looping_end(&chapter.body) {
            chapter.body.truncate(at);
            cut = Some(Break::Loop);
        }
        let repeats = cut_recurring_end(&mut chapter.body);
        let twice = cut_paragraphs_again(&mut chapter.body);
        // A text that ends in repetition, and is too short without it, is unfinished.
        let is_unfinished = repeats.is_some() && completeness::is_short(count_words(&chapter.body), expected.least);
        cut = cut.or_else(|| is_unfinished.then_some(Break::Loop));
        findings.extend(repeats.into_iter().chain(twice));
    }
    let is_short = completeness::is_short(count_words(&chapter.body), expected.least);
    cut = cut.or_else(|| {
        (is_short && findings.contains(&TextFinding::Removed(RemovedPart::Prompt))).then_some(Break::Prompt)
    });
    let words = count_words(&chapter.body);
    findings.extend(completeness::check(&chapter.body, own, &Expected { cut, ..*expected }));
    Ok(WrittenChapter { chapter, hints, words, findings })
}

/// True when a reply is a JSON object, the answer of other agents.
fn is_json(page: &str) -> bool {
    page.starts_with('{') && page.ends_with('}')
}

/// A reply without everything but prose.
struct Prose {
    /// The heading, if any, and the text.
    page: String,
    hints: String,
    /// Findings about removed parts: talk around the text, lines of the prompt.
    taken_out: Vec<TextFinding>,
}

fn prose_of(reply: &str) -> Prose {
    let reply =
        think::without_inner(chat::without_template(reply.trim_start_matches('\u{feff}'))).replace("\r\n", "\n");
    let reply = without_html(in_json(&reply).unwrap_or(reply));
    let mut lines: Vec<&str> = reply.lines().filter(|line| !line.trim_start().starts_with("```")).collect();
    let hints = cut_hints(&mut lines);
    let echo = cut_prompt(&mut lines);
    let mut chat = cut_chatter(&mut lines);
    chat.extend(chat::cut_beginning(&mut lines, |line| is_heading(line) || is_bare_heading(line)));
    chat.extend(chat::cut_end(&mut lines));
    chat.extend(chat::cut_notes_within(&mut lines));
    chat.extend(chat::break_at_scene_headings(&mut lines));
    let chat = chat.join(" ");
    let text = lines.join("\n");
    let mut page = behind_json(text.trim()).to_owned();
    if is_bare_heading(page.lines().next().unwrap_or_default()) {
        page.insert_str(0, "# ");
    }
    let taken_out = echo
        .into_iter()
        .chain((!chat.is_empty()).then_some(TextFinding::Removed(RemovedPart::Chat { words: chat })))
        .collect();
    Prose { page, hints, taken_out }
}

/// The longest text in a reply that is one JSON object, as long as a story.
fn in_json(reply: &str) -> Option<String> {
    let bare: Vec<&str> = reply.lines().filter(|line| !line.starts_with("```")).collect();
    let object: serde_json::Map<String, serde_json::Value> = serde_json::from_str(&bare.join("\n")).ok()?;
    let text = |value: serde_json::Value| match value {
        serde_json::Value::String(text) => text,
        serde_json::Value::Array(items) => {
            items.iter().filter_map(serde_json::Value::as_str).collect::<Vec<_>>().join("\n\n")
        }
        _ => String::new(),
    };
    let longest = object.into_iter().map(|(_, value)| text(value)).max_by_key(String::len);
    longest.filter(|text| count_words(text) >= LEAST_STORY)
}

const LEAST_STORY: u32 = 200;

fn without_html(reply: String) -> String {
    if !["</p>", "<br"].iter().any(|tag| reply.contains(tag)) {
        return reply;
    }
    let ends = ["<br>", "<br/>", "<br />", "</p>", "</h1>", "</h2>"];
    let reply = ends.iter().fold(reply, |text, tag| text.replace(tag, "\n"));
    let reply = ["<p>", "<h1>", "<h2>", "<div>", "</div>"].iter().fold(reply, |text, tag| text.replace(tag, ""));
    reply.lines().map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n\n")
}

/// The text behind a JSON object that it begins with, the answer of other agents; the whole where nothing follows.
fn behind_json(text: &str) -> &str {
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<serde_json::Map<String, serde_json::Value>>();
    let is_object = text.starts_with('{') && values.next().is_some_and(|value| value.is_ok());
    let rest = if is_object { text[values.byte_offset()..].trim_start() } else { text };
    if rest.is_empty() { text } else { rest }
}

/// Removes lines of the prompt with all that follows them; where they stand before the story, the story stays.
fn cut_prompt(lines: &mut Vec<&str>) -> Option<TextFinding> {
    let mut is_found = false;
    while let Some(at) = first_of_prompt(lines) {
        is_found = true;
        if lines[..at].iter().any(|line| !line.trim().is_empty() && !is_heading(line)) {
            lines.truncate(at);
        } else {
            lines.drain(..=at);
        }
    }
    is_found.then_some(TextFinding::Removed(RemovedPart::Prompt))
}

/// Removes fields of the plan that small models copy before or after the story: headings, items or bold lines that
/// begin with a field's name. One such line alone, or a list of only places and rules, belongs to the story, and so
/// does every field within the story: a caption, a notice, a letter.
fn cut_fields(body: &mut String) -> Option<TextFinding> {
    let field = |line: &str| {
        let bare = line.trim_start_matches(|c: char| c.is_whitespace() || "#-*+>".contains(c));
        let named = |field: &Field| {
            [field.as_str(), field.english()].iter().any(|name| {
                let rest = bare.strip_prefix(name).map(|rest| rest.trim_start_matches(['*', ' ']));
                rest.is_some_and(|rest| rest.starts_with(['：', ':']))
            })
        };
        let is_marked = bare.len() < line.trim_start().len();
        Field::ALL.iter().copied().find(named).filter(|_| is_marked)
    };
    let is_plan = |run: &[&str]| {
        let fields: BTreeSet<Field> = run.iter().filter_map(|line| field(line)).collect();
        fields.len() >= 2 && [Field::Storyline, Field::Pov, Field::Conflict].iter().any(|own| fields.contains(own))
    };
    let lines: Vec<&str> = body.lines().collect();
    let is_told = |line: &&str| !line.trim().is_empty() && field(line).is_none();
    let first = lines.iter().position(is_told).unwrap_or(lines.len());
    let last = lines.iter().rposition(is_told).map_or(first, |last| last + 1);
    let (before, after) = (is_plan(&lines[..first]), is_plan(&lines[last..]));
    if !before && !after {
        return None;
    }
    let story = if before { first } else { 0 }..if after { last } else { lines.len() };
    *body = format!("{}\n", lines[story].join("\n"));
    Some(TextFinding::Removed(RemovedPart::PlanAround))
}

/// Letters of a paragraph that is not repeated on purpose.
const PARAGRAPH: usize = 40;

/// Removes long repeated paragraphs. A text with more of them goes round in circles.
fn cut_paragraphs_again(body: &mut String) -> Option<TextFinding> {
    if text::recurrence(body).share >= text::RECURRING_ALARM {
        return None;
    }
    let letters = |text: &str| text.chars().filter(|c| c.is_alphanumeric()).count();
    let mut seen = BTreeSet::new();
    let long = text::paragraphs(body).into_iter().filter(|paragraph| letters(paragraph.text) >= PARAGRAPH);
    let again = long.filter(|paragraph| !seen.insert(paragraph.text));
    let again: Vec<(usize, usize)> = again.map(|p| (p.start, p.start + p.text.len())).collect();
    let words = again.iter().map(|(start, end)| count_words(&body[*start..*end])).sum();
    for (start, end) in again.iter().rev() {
        let behind = body[*end..].len() - body[*end..].trim_start().len();
        body.replace_range(*start..*end + behind, "");
    }
    (!again.is_empty()).then_some(TextFinding::Removed(RemovedPart::Twice { words }))
}

/// Cuts off an end that repeats the text before, as small models write without an end.
fn cut_recurring_end(body: &mut String) -> Option<TextFinding> {
    let end = text::recurrence(body).end?;
    let words = count_words(&body[end..]);
    body.truncate(body[..end].trim_end().len());
    body.push('\n');
    Some(TextFinding::Removed(RemovedPart::EndRepeats { words }))
}

pub fn words(prose: &str) -> u32 {
    count_words(prose)
}

/// The longest title, in characters; longer ones are a paragraph on the heading's line.
const LONGEST_TITLE: usize = 30;

/// Gives a chapter its planned title when the heading repeats the plan's fields or runs on into the story, as with
/// small models; the story's part goes back to the story.
fn free_title(chapter: &mut Chapter, planned: &str) {
    if chars(&chapter.title) <= LONGEST_TITLE && !chapter.title.contains('｜') {
        return;
    }
    let heading = std::mem::replace(&mut chapter.title, planned.trim().to_owned());
    let last = heading.rsplit('｜').next().unwrap_or_default().trim();
    if chars(last) > LONGEST_TITLE {
        let prose = last.strip_prefix(planned.trim()).unwrap_or(last).trim();
        chapter.body.insert_str(0, &format!("{prose}\n\n"));
    }
}

fn cut_hints(lines: &mut Vec<&str>) -> String {
    let bare = |line: &str| line.trim().trim_matches(['#', '*', ' ']).starts_with(HINTS_MARK);
    let Some(at) = lines.iter().rposition(|line| bare(line)) else { return String::new() };
    let first = lines[at].split_once(HINTS_MARK).map_or("", |(_, rest)| rest.trim_matches(['*', '：', ':', ' ']));
    let hints: Vec<&str> = std::iter::once(first).chain(lines[at + 1..].iter().copied()).collect();
    lines.truncate(at);
    hints.join("\n").trim().to_owned()
}

/// Cuts off a model's talk before a heading, and returns its lines.
fn cut_chatter(lines: &mut Vec<&str>) -> Vec<String> {
    let heading = lines.iter().position(|line| is_heading(line) || is_bare_heading(line));
    let Some(at) = heading else { return Vec::new() };
    let before: usize = lines[..at].iter().map(|line| chars(line.trim())).sum();
    // More than a few sentences before a heading are the story itself.
    if before > 200 {
        return Vec::new();
    }
    lines.drain(..at).map(|line| line.trim().to_owned()).filter(|line| !line.is_empty()).collect()
}

/// True for a heading that lacks its `#`: `第48章 密信`, perhaps in bold.
fn is_bare_heading(line: &str) -> bool {
    let line = line.trim().trim_matches('*');
    let number = line.strip_prefix('第').and_then(|rest| rest.split_once('章')).map(|(number, _)| number);
    let numeral = |c: char| c.is_ascii_digit() || c == ' ' || "零〇一二三四五六七八九十百千两".contains(c);
    chars(line) <= 40 && number.is_some_and(|n| !n.is_empty() && n.chars().all(numeral)) && !line.ends_with('。')
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn written(reply: &str) -> Result<WrittenChapter, ReplyFault> {
        read(reply, ChapterNo::new(48).unwrap(), "密信", &Expected::of_length(0))
    }

    #[test]
    fn a_chapter_is_freed_from_what_models_put_around_it() {
        let replies = [
            "# 第48章 密信\n\n雨停了。\n\n他收起信。",
            "好的，这是第48章：\n\n```markdown\n# 第48章 密信\n\n雨停了。\n\n他收起信。\n```\n",
            "**第四十八章 密信**\n\n雨停了。\n\n他收起信。\n\n（本章完）\n\n---\n字数：3012",
            "# 密信\r\n\r\n雨停了。\r\n\r\n他收起信。\r\n\r\n【全文完】",
            "# 第48章 密信\n\n第四十八章 密信\n\n雨停了。\n\n他收起信。",
            "# 第48章 密信\n\n第48章：密信\n\n雨停了。\n\n他收起信。",
            "# 第48章 密信\n\n密信\n\n雨停了。\n\n他收起信。",
            "# 第48章 密信\n\n好的，下面开始创作。\n\n雨停了。\n\n他收起信。",
            "```json\n{\"chapter\": 48, \"text\": \"x\"}\n```\n\n# 第48章 密信\n\n雨停了。\n\n他收起信。",
            "# 第48章 密信\n\n{\"chapter\": 48}\n\n雨停了。\n\n他收起信。",
            "# 第48章 密信\n\n<think>先想一想</think>\n\n雨停了。\n\n他收起信。",
            "<|channel|>final<|message|># 第48章 密信\n\n雨停了。\n\n他收起信。",
        ];
        for reply in replies {
            let written = written(reply).unwrap();
            assert_eq!(written.chapter.to_markdown(), "# 第48章 密信\n\n雨停了。\n\n他收起信。\n", "{reply}");
            assert_eq!((written.words, written.hints.as_str()), (7, ""));
        }
    }

    #[test]
    fn a_scene_break_before_the_first_scene_goes_and_one_between_scenes_stays() {
        let chapter = written("# 第48章 雨\n\n---\n\n* * *\n\n雨停了。\n\n---\n\n他走了。\n").unwrap().chapter;
        assert_eq!(chapter.body.trim(), "雨停了。\n\n---\n\n他走了。");
    }

    #[test]
    fn hints_are_cut_off_and_given_separately() {
        let written =
            written("# 第48章 密信\n\n雨停了。\n\n（本章完）\n\n**【状态提示】**\n- 林枫得到密信\n- 林枫起疑\n")
                .unwrap();
        assert_eq!(written.hints, "- 林枫得到密信\n- 林枫起疑");
        assert_eq!(written.chapter.body, "雨停了。\n");
    }

    #[test]
    fn an_odd_end_is_still_the_storys() {
        for body in ["雨停了\n。", "他说\n\n……", "“完了。”", "雨停了。\n\n全文共七个字。", "他数了两遍。\n\n字数不对。"]
        {
            assert_eq!(written(&format!("# 第48章 密信\n\n{body}\n\n***")).unwrap().chapter.body.trim(), body);
        }
    }

    #[test]
    fn a_text_without_a_heading_has_the_planned_title() {
        let written = written("第一章书稿他烧了三遍。\n\n雨还在下……").unwrap();
        assert_eq!(written.chapter.title, "密信");
        assert_eq!(written.chapter.body, "第一章书稿他烧了三遍。\n\n雨还在下……\n");
        let post = "雨停了，他打开手机。\n\n#魔都昨夜无雨#上了热搜。";
        let written = super::read(post, ChapterNo::FIRST, "密信", &Expected::of_length(0)).unwrap();
        assert_eq!((written.chapter.title.as_str(), written.chapter.body.trim()), ("密信", post));
    }

    #[test]
    fn a_heading_that_holds_more_than_a_title_gives_it_back() {
        let opening = "沈渡拿到半页旧舱单，上面写着一个十年前就死在河里的人，字迹却是昨天的，墨还没有干透。";
        for heading in [format!("密信｜main-arc｜{opening}"), format!("密信 {opening}"), opening.to_owned()] {
            let written = written(&format!("# 第48章 {heading}\n\n雨停了。")).unwrap();
            assert_eq!(written.chapter.title, "密信", "{heading}");
            assert_eq!(written.chapter.body, format!("{opening}\n\n雨停了。\n"), "{heading}");
        }
        let fields = written("# 第48章 密信｜main-arc｜沈渡\n\n雨停了。").unwrap();
        assert_eq!(fields.chapter.to_markdown(), "# 第48章 密信\n\n雨停了。\n");
    }

    #[test]
    fn an_outline_is_no_chapter_and_a_notice_within_one_is() {
        let outline = "**冲突**：\n\n- 沈渡上前问老妇。\n\n- 老妇不答。\n\n1. 灯灭了。\n\n她转身走了。";
        let found = |text: &str| written(&format!("# 第48章 密信\n\n{text}")).unwrap().findings;
        assert_eq!(found(outline), [TextFinding::Outline]);
        let notice = "墙上贴着守则：\n\n- 零点后不收钥匙\n- 不问失主姓名\n\n沈渡看了两遍。\n\n“谁贴的？”\n\n没人应。";
        assert_eq!(found(notice), []);
    }

    #[test]
    fn fields_of_the_plan_are_no_story() {
        let body = "雨停了，他收起信。\n\n地点：老城区，三更。";
        for fields in
            ["## 故事线: main-arc\n## 视角: 沈渡\n## 冲突: 父亲不许他下水。", "- **POV**：沈渡\n\n- **伏笔**: 无"]
        {
            let before = written(&format!("# 第48章 密信\n\n{fields}\n\n{body}")).unwrap();
            assert_eq!(
                (before.chapter.body.trim(), &before.findings[..]),
                (body, &[TextFinding::Removed(RemovedPart::PlanAround)][..]),
                "{fields}"
            );
            let behind = written(&format!("# 密信\n\n{body}\n\n{fields}")).unwrap();
            assert_eq!(behind.chapter.body.trim(), body, "{fields}");
        }
        for own in [
            "> 地点：清河小学\n\n雨停了，他收起信。",
            "雨停了，他收起信。\n\n**规则：谁先开口，谁留下。**",
            "- 地点：清河小学\n- 规则：不问姓名\n\n雨停了。\n\n他收起信。",
            "> 视角：第三只眼\n\n雨停了。\n\n他收起信。\n\n> 地点：清河小学",
        ] {
            let read = written(&format!("# 密信\n\n{own}")).unwrap();
            assert_eq!(read.chapter.body.trim(), own);
            assert!(!read.findings.contains(&TextFinding::Removed(RemovedPart::PlanAround)), "{own}");
        }
        let notice = "墙上贴着：\n\n- 地点：东市口\n\n雨停了，他走了。";
        assert_eq!(written(&format!("# 第48章 密信\n\n{notice}")).unwrap().chapter.body.trim(), notice);
    }

    #[test]
    fn a_copy_of_the_prompt_is_no_story() {
        let body = "雨停了，他收起信。\n\n“谁写的？”";
        let echo = "<／章纲>\n\n- 从上面那段文字的末尾往下接，写过的句子不重复，后面几场的事不提前写。\n\n他走了。";
        let reply = |text: &str| format!("# 第48章 密信\n\n{text}");
        let behind = written(&reply(&format!("{body}\n\n{echo}\n\n【状态提示】\n- 林枫得信"))).unwrap();
        assert_eq!((behind.chapter.body.trim(), behind.hints.as_str()), (body, "- 林枫得信"));
        assert_eq!(behind.findings, [TextFinding::Removed(RemovedPart::Prompt)]);
        let before = written(&reply(&format!("<这一场>\n</这一场>\n\n{body}"))).unwrap();
        assert_eq!(
            (before.chapter.body.trim(), &before.findings[..]),
            (body, &[TextFinding::Removed(RemovedPart::Prompt)][..])
        );
        let long = Expected::of_length(30);
        let short = super::read(&reply(&format!("{body}\n{echo}")), ChapterNo::FIRST, "雨", &long).unwrap();
        assert_eq!(short.findings, [TextFinding::Removed(RemovedPart::Prompt), TextFinding::BrokenOff(Break::Prompt)]);
        assert_eq!(written("</写到这里>\n<这一场>\n</这一场>"), Err(ReplyFault::NoProse));
    }

    #[test]
    fn an_end_that_begins_again_is_taken_off_and_a_text_in_circles_is_none() {
        let first = "沈渡站在东市口，手里拿着父亲给他的那张写着死人名字的船票，一直等到子夜的更鼓敲完。";
        let second = "他翻遍了码头上所有的账册，也没有找到那个名字，却在最后一页看见了自己的生辰八字。";
        let body = format!("{first}\n\n{second}\n\n“谁写的？”\n\n没有人应他。");
        let once = written(&format!("# 第48章 密信\n\n{body}\n\n{first}\n\n{second}")).unwrap();
        assert_eq!(once.chapter.body.trim(), body);
        assert_eq!(once.findings, [TextFinding::Removed(RemovedPart::EndRepeats { words: 75 })]);
        let circles = format!("# 第48章 密信\n\n{first}\n\n{first}\n\n{first}\n\n{second}");
        assert_eq!(written(&circles).unwrap().findings, [TextFinding::Circling]);
        let revision = Expected { replaces: Some(0), ..Expected::of_length(0) };
        for repeating in [circles, format!("# 第48章 密信\n\n{body}\n\n{first}\n\n{second}")] {
            let revised = super::read(&repeating, ChapterNo::FIRST, "密信", &revision).unwrap();
            assert!(repeating.ends_with(revised.chapter.body.trim()) && revised.findings.is_empty());
        }
        // A text that is short without its repeated end has none.
        let reply = format!("# 第48章 密信\n\n{body}\n\n{first}\n\n{second}");
        let short = super::read(&reply, ChapterNo::FIRST, "雨", &Expected::of_length(200)).unwrap();
        assert_eq!(
            short.findings,
            [TextFinding::Removed(RemovedPart::EndRepeats { words: 75 }), TextFinding::BrokenOff(Break::Loop)]
        );
    }

    #[test]
    fn a_reply_that_was_cut_keeps_what_stands_before_the_loop_and_is_whole_when_its_remarks_have_begun() {
        let cut = |how| Expected { cut: Some(how), ..Expected::of_length(3) };
        let read = |reply: &str, how| super::read(reply, ChapterNo::FIRST, "雨", &cut(how)).unwrap();
        let circling = read(&format!("# 雨\n\n雨停了。他收起信。\n\n{}", "他走了。".repeat(200)), Break::Loop);
        assert_eq!(circling.chapter.body, "雨停了。他收起信。\n\n");
        assert_eq!(circling.findings, [TextFinding::BrokenOff(Break::Loop)]);
        let hinted = read("# 雨\n\n雨停了。\n\n【状态提示】\n- 林枫得", Break::Limit);
        assert_eq!((hinted.chapter.body.as_str(), &hinted.findings[..]), ("雨停了。\n", &[][..]));
    }

    #[test]
    fn a_continuation_is_read_with_the_text_that_it_continues() {
        let kept = Chapter {
            number: ChapterNo::FIRST, title: "雨".into(), body: "雨停了。林枫收起那封信。".into()
        };
        let read = |reply: &str| read_continuation(reply, &kept, &Expected::of_length(5)).unwrap();
        let whole =
            read("（接上文）\n\n# 第1章 雨\n\n林枫收起那封信。他走了。\n\n（本章完）\n\n【状态提示】\n- 林枫走了");
        assert_eq!(
            (whole.chapter.body.as_str(), whole.hints.as_str()),
            ("雨停了。林枫收起那封信。他走了。\n", "- 林枫走了")
        );
        assert_eq!(
            (whole.chapter.title.as_str(), &whole.findings[..]),
            ("雨", &[TextFinding::Removed(RemovedPart::Chat { words: "（接上文）".into() })][..])
        );
        assert_eq!(read("他走到").findings, [TextFinding::BrokenOff(Break::Sentence)]);
        assert_eq!(
            read_continuation("（完）", &kept, &Expected::of_length(5)),
            Err(ReplyFault::NoProse),
            "there is nothing in it"
        );
    }

    #[test]
    fn nothing_and_a_bare_heading_are_faults() {
        assert_eq!(written(" \n```\n```"), Err(ReplyFault::NoProse));
        assert_eq!(written("# 第48章 密信\n\n（本章完）"), Err(ReplyFault::NoProse));
        assert_eq!(written("第48章 密信"), Err(ReplyFault::NoProse));
        assert_eq!(written("{\"text\": \"雨停了。\"}"), Err(ReplyFault::NoProse));
    }

    #[test]
    fn only_a_text_far_too_short_is_remarked_on() {
        let text = |n: usize| format!("{}。", "雨".repeat(n));
        let read = |n: usize| read(&text(n), ChapterNo::FIRST, "雨", &Expected::of_length(100)).unwrap().findings;
        assert_eq!(read(79), [TextFinding::Short { words: 79, wanted: 100 }]);
        assert_eq!(read(80), []);
        assert_eq!(read(49), [TextFinding::Fragment { words: 49, wanted: 100 }]);
        assert_eq!(read(50), [TextFinding::Short { words: 50, wanted: 100 }]);
    }

    proptest! {
        #[test]
        fn prose_is_never_lost(body in "[雨风他说，。！？“”\n]{1,60}") {
            prop_assume!(count_words(&body) > 0);
            let written = written(&format!("# 第48章 密信\n\n{body}")).unwrap();
            prop_assert_eq!(written.chapter.body.trim(), body.trim());
        }
    }
}
