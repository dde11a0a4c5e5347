//! What is wrong with a file or a value of the book, in words that an author understands.

use super::catalogue::{both, say};
use super::lang::{Both, Lang};
use super::words::Words;
use crate::agents::call::placeholders::FillError;
use crate::agents::checks::completeness::{Break, Source};
use crate::agents::planners::context::flaw_in_chinese;
use crate::agents::{PromptError, ReplyFault};
use crate::domain::state::{MAX_LIST, Refusal};
use crate::domain::volume::foreshadowing;
use crate::domain::volume::outline::{self, OutlineError};
use crate::domain::volume::plan::Flaw;
use crate::domain::world::retirement::Blocker;
use crate::llm::Fault;
use crate::pipeline::Why;
use crate::report::figures;
use crate::store::format::{At, FormatError, Problem};
use crate::store::{Block, Obstruction, layout};

/// What is wrong with a file and where: `第 5 行：第 1 章缺「冲突」`.
#[must_use]
pub fn of_format(error: &FormatError, lang: Lang) -> String {
    let place = place(&error.at, lang);
    let what = match &error.problem {
        Problem::NotText => say!(lang, file_is_not_utf_text).to_owned(),
        Problem::Encoding(name) => {
            say!(lang, file_is_saved_as_and_not(name))
        }
        Problem::Empty => say!(lang, file_is_empty).to_owned(),
        Problem::CutOff => say!(lang, file_ends_in_middle_of_line).to_owned(),
        Problem::Conflict => say!(lang, file_has_unresolved_conflict_markers).to_owned(),
        Problem::Outline(problem) => of_section(problem, lang),
        Problem::Syntax(words) | Problem::Value(words) if lang == Lang::En => words.clone(),
        Problem::Syntax(words) => in_chinese(words).unwrap_or_else(|| format!("写法不对（{words}）")),
        Problem::Value(words) => in_chinese(words).unwrap_or_else(|| format!("值不对（{words}）")),
        Problem::Newer { found, known } => {
            let version = env!("CARGO_PKG_VERSION");
            say!(lang, file_has_schema_version_and_novel(found, version, known))
        }
        Problem::Secret => say!(lang, keys_and_endpoints_do_not_belong).to_owned(),
    };
    format!("{place}{what}")
}

fn place(at: &At, lang: Lang) -> String {
    match at {
        At::File => String::new(),
        At::Line(line) => say!(lang, problem_line(line)),
        At::Position(line, column) => say!(lang, line_column(line, column)),
        At::Key(key) => say!(lang, problem_key(key)),
    }
}

/// Frequent words of parsers and of our own checks. A `*` stands for what is taken over.
const PHRASES: [(&str, &str); 28] = [
    ("EOF while parsing *", "文件没写完，少了结尾的括号或引号"),
    ("expected `,` or `}`", "这里缺 `,` 或 `}`"),
    ("expected `,` or `]`", "这里缺 `,` 或 `]`"),
    ("expected `:`", "这里缺 `:`"),
    ("expected value", "这里缺一个值"),
    ("key must be a string", "键要加双引号"),
    ("trailing comma", "最后一项后面多了逗号"),
    ("trailing characters", "结尾之后还有别的字"),
    ("missing field *", "缺字段 *"),
    ("unknown setting *", "没有这个设置: *"),
    ("string values must be quoted*", "文字要加引号"),
    ("unclosed array*", "数组缺 `]`"),
    ("duplicate key*", "同一个键写了两遍"),
    ("this id stands twice", "这个编号出现了两次"),
    ("the chapter has no text", "这一章没有正文"),
    ("the chapter has no title*", "这一章没有标题（写成 `# 第48章 标题`）"),
    ("the summary is empty", "摘要是空的"),
    ("a whole number is wanted here", "这里要写整数"),
    ("a border of the gate lies between 1 and 5", "分数线在 1 到 5 之间"),
    ("the borders have to rise: *", "分数线要一级比一级高（*）"),
    ("a share between 0 and 1 is wanted", "写 0 到 1 之间的比例，如 0.15"),
    ("it cannot be negative", "不能是负数"),
    ("either `budget.usd` or `budget.cny`, not both", "`budget.usd` 和 `budget.cny` 只写一项"),
    ("it has to be at least 1000: *", "至少 1000：再少连一章的材料也放不下"),
    ("it has to be at least 1 and at most `chapter.max_words`", "至少 1，且不超过 `chapter.max_words`"),
    ("it has to be at least `context.tokens`", "不能小于 `context.tokens`"),
    ("it has to be at most 20: *", "至多 20：更早的事在故事线的记忆里"),
    ("there is no setting *", "没有这一项：*"),
];

fn in_chinese(words: &str) -> Option<String> {
    PHRASES.iter().find_map(|(english, chinese)| match english.split_once('*') {
        None => (words == *english).then(|| (*chinese).to_owned()),
        Some((start, _)) => words.strip_prefix(start).map(|rest| chinese.replace('*', rest)),
    })
}

/// What the author can do about a file that cannot be used. `committed` is whether the last commit has it like that.
#[must_use]
pub fn advice(error: &FormatError, path: &str, committed: bool) -> Both {
    match (&error.problem, committed) {
        (Problem::Encoding(_), _) if !path.starts_with("staging/") => both!(save_it_as_utf_or_let),
        (Problem::NotText | Problem::Encoding(_), _) if path.starts_with("staging/") => {
            both!(save_file_as_utf)
        }
        (Problem::Conflict, _) => both!(choose_one_side_between_and_then),
        (Problem::Newer { .. }, _) => {
            both!(install_newer_novel_file_is_left)
        }
        (Problem::Secret, _) => both!(remove_it_here_set_it_with),
        (_, false) => match path.strip_prefix("staging/") {
            // `staging/` is a work tree of its own.
            Some(path) => both!(correct_it_or_drop_change_git(path)),
            None => both!(correct_it_or_go_back_to),
        },
        (_, true) => both!(correct_it_or_bring_last_whole),
    }
}

/// The thing that stands where the book is about to write: `chapters 是符号链接，应为文件夹`.
#[must_use]
pub fn of_obstruction(found: &Obstruction, lang: Lang) -> String {
    match found.block {
        Block::Untracked => {
            say!(lang, file_that_is_not_in_book)
        }
        Block::Committed => say!(lang, committed_file_that_is_no_chapter),
        Block::Link => say!(lang, symbolic_link_at_place_of_file),
        Block::LinkedFolder => say!(lang, symbolic_link_at_place_of_folder),
        Block::File => say!(lang, file_at_place_of_folder),
        Block::Folder => say!(lang, folder_at_place_of_file),
        Block::ReadOnly => say!(lang, folder_may_not_be_written_to),
    }
    .to_owned()
}

/// A mistake in an outline, with its line.
#[must_use]
pub fn of_outline(error: &OutlineError, lang: Lang) -> String {
    format!("{}{}", place(&At::Line(error.line), lang), of_section(&error.problem, lang))
}

fn of_section(problem: &outline::Problem, lang: Lang) -> String {
    use outline::Problem as P;
    if lang == Lang::En {
        return problem.to_string();
    }
    match problem {
        P::Empty => "没有 `## ` 小节，也就没有章".to_owned(),
        P::NoNumber(heading) => format!("标题 `{heading}` 没有章号（写成 `## 第12章 标题`）"),
        P::OutOfOrder { found, wanted } => format!("这里该是第 {wanted} 章，写的却是第 {found} 章"),
        P::Lacks { chapter, field } => format!("第 {chapter} 章缺 `{}`", field.as_str()),
        P::Twice { chapter, field } => format!("第 {chapter} 章的 `{}` 写了两遍", field.as_str()),
        P::Storyline(name) => format!("没有叫 `{name}` 的故事线（写名字或编号，主线写「主线」）"),
        P::NotMarked(heading) => format!("`{heading}` 是一章的标题，前面少了 `## `（写成 `## {heading}`）"),
        P::Repeated { chapter, first } => format!("第 {chapter} 章又写了一遍（第一遍在第 {first} 行）"),
        P::Begins { found, wanted } => format!("大纲从第 {found} 章起头，这一卷该从第 {wanted} 章起头"),
        P::Unknown { label, meant } => format!("没有 `{label}` 这个字段，是不是 `{}`？", meant.as_str()),
    }
}

/// A flaw of a plan.
#[must_use]
pub fn of_flaw(flaw: &Flaw, lang: Lang) -> String {
    match lang {
        Lang::Zh => flaw_in_chinese(flaw),
        Lang::En => flaw.to_string(),
    }
}

/// What still needs a person or a storyline, with the file where it stands.
#[must_use]
pub fn of_tie(tie: &Blocker, lang: Lang) -> String {
    let file = file_of(tie);
    match tie {
        Blocker::Foreshadowing { id, scope } => {
            say!(lang, foreshadowing_is_open(id, scope, file))
        }
        Blocker::PointOfView { line, status, .. } => {
            let status = status.say(lang);
            say!(lang, storyline_is_told_through_this_person(line, status, file))
        }
        Blocker::Shared { from, to } => say!(lang, storylines_and_share_this_person(from, to, file)),
        Blocker::Meeting { chapters: (first, last), through, .. } => {
            let by = through.as_ref().map_or_else(String::new, |line| say!(lang, through_eyes_of(line)));
            {
                let range = figures::range(first, last);
                say!(lang, storylines_are_still_to_meet_in(range, by, file))
            }
        }
        Blocker::Chapters { chapters, .. } => {
            let list = chapters.iter().map(ToString::to_string).collect::<Vec<_>>().join(say!(lang, list_comma));
            say!(lang, planned_and_not_written(list, file))
        }
    }
}

/// The file where a tie stands: in the book, or in the draft that is shown in `staging/`.
#[must_use]
pub fn file_of(tie: &Blocker) -> String {
    let staged = |waiting: bool, path: String| if waiting { format!("{}/{path}", layout::STAGING) } else { path };
    match tie {
        Blocker::Foreshadowing { .. } => layout::FORESHADOWING.to_owned(),
        Blocker::PointOfView { draft, .. } => staged(draft.is_some(), layout::STORYLINES.to_owned()),
        Blocker::Shared { .. } => layout::STORYLINES.to_owned(),
        Blocker::Meeting { volume, waiting, .. } => staged(*waiting, layout::schedule(*volume)),
        Blocker::Chapters { volume, waiting, .. } => staged(*waiting, layout::outline(*volume)),
    }
}

/// Why an operation was left out of the state.
#[must_use]
pub fn of_refusal(refusal: &Refusal, lang: Lang) -> String {
    use foreshadowing::Refusal as F;
    if lang == Lang::En {
        return refusal.to_string();
    }
    match refusal {
        Refusal::UnknownOp(op) => format!("没有 `{op}` 这种操作"),
        Refusal::Depth { path, depth } => format!("路径 `{path}` 有 {depth} 段，应为 2 到 4 段"),
        Refusal::Category { path } => format!("路径 `{path}` 的开头不是状态的类别"),
        Refusal::Key { path } => format!("路径 `{path}` 里有一段不是编号"),
        Refusal::Value { path, .. } => format!("`{path}` 的值不合适"),
        Refusal::Mismatch { path, .. } => format!("`{path}` 里已有的值是另一种"),
        Refusal::AlreadyThere { path } => format!("`{path}` 里已经有了"),
        Refusal::NotThere { path } => format!("`{path}` 里没有这一项"),
        Refusal::Full { path } => format!("`{path}` 已满 {MAX_LIST} 项"),
        Refusal::Foreshadowing(F::AlreadyPlanted(id)) => format!("伏笔 `{id}` 已经埋过"),
        Refusal::Foreshadowing(F::NotPlanted(id)) => format!("伏笔 `{id}` 还没有埋"),
        Refusal::Foreshadowing(F::AlreadyResolved(id)) => format!("伏笔 `{id}` 已经收了"),
    }
}

/// What is wrong with a prompt file of the book.
#[must_use]
pub fn of_prompt(error: &PromptError, lang: Lang) -> String {
    if lang == Lang::En {
        return error.to_string();
    }
    match error {
        PromptError::Fill(FillError::Unknown { file, line, name, known }) => {
            format!("{file} 第 {line} 行：这里没有变量 {{{name}}}；可以用 {known}")
        }
        PromptError::Fill(FillError::Unused { file, name }) => format!("{file}：没有用上变量 {{{name}}}"),
        PromptError::Fill(FillError::Brace { file, line, brace }) => {
            format!("{file} 第 {line} 行：单个 `{brace}`；要写这个字符就写两遍")
        }
        PromptError::UnknownFile(file) => format!("`{file}` 不对应任何提示词，多半是文件名写错了"),
    }
}

/// Why an agent is asked again.
#[must_use]
pub fn of_reply(why: &Why, lang: Lang) -> String {
    match why {
        Why::Fault(fault) => of_fault(fault, lang),
        Why::Adjusted { what, why } => {
            let why = of_fault(why, lang);
            say!(lang, server_does_not_take(what, why))
        }
        _ if lang == Lang::En => why.to_string(),
        Why::BrokenOff(how) => of_break(*how).to_owned(),
        Why::Short { words, wanted } => format!("只有 {words} 字，少于 {wanted} 字"),
        Why::Reply(fault) => match fault {
            ReplyFault::Empty => "回复是空的".to_owned(),
            ReplyFault::NoProse => "回复里没有正文".to_owned(),
            ReplyFault::Outline => "回复是提纲，不是正文".to_owned(),
            ReplyFault::BrokenOff(how) => of_break(*how).to_owned(),
            ReplyFault::Copied { letters, from, passage } => {
                let from = of_source(*from, lang);
                format!("正文连着 {letters} 字照抄{from}（“{passage}……”）")
            }
            ReplyFault::Shrunk { words, before } => format!("修订稿只有 {words} 字，原稿有 {before} 字"),
            ReplyFault::PromptWords { words, .. } => format!("正文里混进了任务里的话“{words}”"),
            ReplyFault::NothingNew => "接着写的部分没有新内容".to_owned(),
            ReplyFault::Circling => "回复一直在重复同一段话".to_owned(),
            ReplyFault::Unanswered(rules) => format!("评审漏答：{}", rules.join("、")),
            ReplyFault::Unquoted(rules) => format!("正文里找不到评审的引文：{}", rules.join("、")),
            ReplyFault::Echo(text) => format!("回复照抄了格式里的例子“{text}”"),
            ReplyFault::Fragment { words, wanted } => format!("正文只有 {words} 字，一章至少 {wanted} 字"),
            ReplyFault::NotJson(why) => format!("回复不是 JSON（{why}）"),
            ReplyFault::Field { field, .. } => format!("回复缺字段 `{field}`，或它的值不对"),
            ReplyFault::Scores(scores) => format!("评分不全（{scores}）"),
        },
    }
}

/// How a text broke off, in Chinese.
fn of_break(how: Break) -> &'static str {
    match how {
        Break::Limit => "没写完就到了长度上限",
        Break::Loop => "写到一半开始重复",
        Break::Prompt => "写到一半开始照抄提示词",
        Break::Sentence => "停在半句话上",
        Break::Quotation => "停在没合上的引号里",
    }
}

/// A text that something is copied from.
#[must_use]
pub fn of_source(source: Source, lang: Lang) -> String {
    match source {
        Source::Chapter(chapter) => chapter.to_string(),
        Source::Scenes => say!(lang, scenes_before).to_owned(),
        Source::Plan => say!(lang, chapters_plan).to_owned(),
    }
}

/// What went wrong on the model's side, in a few words; a server's own words stay as they are.
#[must_use]
pub fn of_fault(fault: &Fault, lang: Lang) -> String {
    if lang == Lang::En {
        return fault.to_string();
    }
    let (what, words): (&str, &str) = match fault {
        Fault::Unauthorized { message } => ("服务器不接受这把密钥", message.as_str()),
        Fault::Forbidden { message } => ("这把密钥没有权限", message),
        Fault::UnknownModel { message } => ("服务器没有这个模型或地址", message),
        Fault::RateLimited { message, .. } => ("请求过于频繁", message),
        Fault::Overloaded { message, .. } => ("服务器太忙", message),
        Fault::SpendLimit { message, .. } => ("账户的花费上限到了", message),
        Fault::Billing { message } => ("账户余额不足", message),
        Fault::BadRequest { message, .. } => ("服务器拒绝这个请求", message),
        Fault::CutStream { message, .. } => ("回复中途断了", message),
        Fault::Refused { reason, .. } => ("模型拒绝回答", reason),
        Fault::Network { message } => ("连不上服务器", message),
        Fault::Server { message, .. } => ("服务器出错", message),
        Fault::Protocol { message } => ("服务器不按约定回答", message),
        Fault::ContextTooLong { .. } => ("提示词超出模型的上下文", ""),
        Fault::Timeout { .. } => ("等不到回复", ""),
        Fault::Truncated { .. } => ("回复没写完就到了上限", ""),
        Fault::Circling { .. } => ("回复一直在重复同一段话，打断了", ""),
        Fault::Empty => ("回复是空的", ""),
        Fault::Stopped { .. } => ("你中断了调用", ""),
    };
    if words.is_empty() { what.to_owned() } else { format!("{what}（{words}）") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::volume::outline::Outline;

    #[test]
    fn mistakes_of_an_outline_are_told_in_the_authors_language() {
        let errors = Outline::parse("## 第1章 起\n- 故事线: main-arc\n").unwrap_err();
        assert_eq!(of_outline(&errors[0], Lang::Zh), "第 1 行：第 1 章缺 `视角`");
        assert!(of_outline(&errors[0], Lang::En).starts_with("line 1: chapter 1 lacks"));
    }

    #[test]
    fn a_parsers_words_become_chinese_where_they_are_known_and_stay_in_brackets_where_not() {
        let said = |at, problem| of_format(&FormatError { at, problem }, Lang::Zh);
        let syntax = |words: &str| Problem::Syntax(words.into());
        assert_eq!(said(At::Position(1, 8), syntax("expected value")), "第 1 行第 8 列：这里缺一个值");
        assert_eq!(said(At::Line(3), syntax("missing field `id`")), "第 3 行：缺字段 `id`");
        assert_eq!(said(At::File, syntax("cosmic rays")), "写法不对（cosmic rays）");
    }

    #[test]
    fn a_change_that_is_committed_is_not_to_be_restored_from_the_last_commit() {
        let error = FormatError::of_file(Problem::Syntax("x".into()));
        assert!(advice(&error, "a.json", false).en.contains("novel doctor --repair"));
        assert!(advice(&error, "staging/a.json", false).en.contains("git -C staging restore a.json"));
        assert!(!advice(&error, "a.json", true).en.contains("git restore"));
    }
}
