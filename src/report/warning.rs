//! Warnings of a run, in words.

use super::lang::{Lang, say};
use super::system;
use super::words::Words;
use crate::agents::checks::completeness::Removed;
use crate::domain::ChapterNo;
use crate::pipeline::{Warning, Why};
use crate::store::SystemFault;

/// A warning in one sentence without its end.
///
/// The function is longer than 80 lines because every warning has its sentence here, in both languages.
#[must_use]
pub fn say(warning: &Warning, lang: Lang) -> String {
    match warning {
        Warning::TooShort { words, wanted } => {
            say!(lang, "只有 {words} 字，少于要求的 {wanted} 字", "has {words} words instead of at least {wanted}")
        }
        Warning::TooLong { words, wanted } => {
            say!(lang, "有 {words} 字，多于要求的 {wanted} 字", "has {words} words instead of at most {wanted}")
        }
        Warning::Removed(removed) => of_removed(removed, lang),
        Warning::Recycled { percent, from, passage } => {
            let from = super::problem::of_source(*from, lang);
            say!(
                lang,
                "有 {percent}% 的文字和{from}重复（“{passage}……”），重问后仍是如此",
                "repeats {percent} % of its text from {from} (“{passage}…”), also after asking again"
            )
        }
        Warning::Title { title, like, is_replaced: true } => say!(
            lang,
            "写手起的章名《{title}》和 {like} 太像，用了章纲里的",
            "was called “{title}”, which is too like the title of {like}; it has the plan's title now"
        ),
        Warning::Title { title, like, is_replaced: false } => say!(
            lang,
            "章名《{title}》和 {like} 太像；要换就改 chapters/ 里的标题行",
            "is called “{title}”, which is too like the title of {like}; to change it, edit the heading of the chapter's file"
        ),
        Warning::Requoted { spans } => say!(
            lang,
            "{spans} 处对白的引号和书里不一样，已统一",
            "had {spans} quotations in other marks than the book's; they are put into the book's"
        ),
        Warning::PromptWords { words } => say!(
            lang,
            "正文里有任务里的话“{words}”，重问后仍是如此",
            "speaks of its task (“{words}”), also after asking again"
        ),
        Warning::RevisionDropped { why } => {
            let why = super::problem::of_reply(&Why::Reply(why.clone()), lang);
            say!(lang, "修订稿用不了，保留原稿：{why}", "keeps its text, because the revision cannot be used: {why}")
        }
        Warning::StyleDrifts { moved } => super::quality::drift_warning(moved, lang),
        Warning::Unchecked { rules } => {
            let list = rules.join(lang.pick("、", ", "));
            say!(lang, "评审漏答，没有核对：{list}", "not checked, because the judge did not answer: {list}")
        }
        Warning::Unproven { rules } => {
            let list = rules.join(lang.pick("、", ", "));
            say!(
                lang,
                "评审判为写破，却在正文里找不出原话，未证实：{list}（不强制修订，请自己看一眼）",
                "judged broken, but no words of the text show it; unproven: {list} (no revision is forced, have a look)"
            )
        }
        Warning::Rebuilt => say!(
            lang,
            "之前的章节被 git 直接增减过，状态和断点已按现有各章重算",
            "follows chapters that plain git has changed: state and checkpoint are computed from them again"
        ),
        Warning::ReviewIsOlder { volume } => {
            let n = volume.get();
            say!(
                lang,
                "重写了，{volume} 的回顾还是照旧稿写的；重做: novel review {n} --force",
                "is another text than the review of {volume} speaks of; to renew that: novel review {n} --force"
            )
        }
        Warning::MentionDropped { entity } => {
            say!(lang, "越线提及“{entity}”不在正文里，已丢弃", "a mention of `{entity}` is not in the text; dropped")
        }
        Warning::OperationCopied { number } => say!(
            lang,
            "第 {number} 条状态变更照抄了提示词里的例子，已丢弃",
            "state operation {number} repeats the prompt's example and was dropped"
        ),
        Warning::OperationDropped { number, reason } => {
            let reason = super::problem::of_refusal(reason, lang);
            say!(
                lang,
                "第 {number} 条状态变更不合规则，已丢弃：{reason}",
                "state operation {number} was dropped: {reason}"
            )
        }
        Warning::OperationsSkipped { why } => say!(
            lang,
            "状态变更两次都读不出来，本章不改状态：{why}",
            "the state operations could not be read twice, so this chapter changes nothing: {why}"
        ),
        Warning::SummaryByExcerpt { why } => say!(
            lang,
            "摘要两次都读不出来，先用正文摘句代替，本章不改状态：{why}",
            "the summary could not be read twice: sentences of the chapter stand in for it, and the chapter changes nothing in the state: {why}"
        ),
        Warning::Contradiction(finding) => super::consistency::what(&finding.what, lang),
        Warning::StateIsThin { chapters } => thin_state(chapters, lang),
        Warning::Outdated { chapters } => outdated(chapters, lang),
        Warning::FolderLags { why } => folder_lags(why, lang),
        Warning::BothChanged { paths } => {
            let list = paths.join(lang.pick("、", ", "));
            say!(
                lang,
                "书里也改了同样的地方，用的是草稿里的，你的那一版在 git 历史里: {list}",
                "the same lines were changed in the book; the draft's stand, and yours are in git's history: {list}"
            )
        }
        Warning::Unusable { path } => say!(
            lang,
            "{path} 现在读不出来，照原样提交了；看哪里不对: novel doctor",
            "{path} cannot be read as it is, and was committed so; to see what is wrong: novel doctor"
        ),
        Warning::NotWritten => {
            say!(lang, "没写成，先记下，接着写别的", "could not be written; noted, and going on with others")
        }
        Warning::StyleNotLearnt => say!(
            lang,
            "没能从写成的章节提取文风，写完下一章再试；也可以选内置的，如 `novel style use light`",
            "the style could not be drawn from what is written; the next chapter is another try (or take a built-in one: novel style use light)"
        ),
        Warning::BegunOtherwise { by_scenes } => begun_otherwise(*by_scenes, lang),
        Warning::LargePrompt { part, tokens, limit } => {
            let stage = part.say(lang);
            say!(
                lang,
                "{stage}的提示词约 {tokens} token，超过本书上限 {limit}（本章正文太长）",
                "the prompt of {stage} has about {tokens} tokens, over the book's limit of {limit}: the chapter's own text is long"
            )
        }
    }
}

fn begun_otherwise(by_scenes: bool, lang: Lang) -> String {
    let (zh, en) = if by_scenes { ("一场一场写", "scene by scene") } else { ("整章写", "as a whole") };
    say!(lang, "的稿子是{zh}起头的，照旧写下去", "was begun {en} and goes on so")
}

fn folder_lags(why: &SystemFault, lang: Lang) -> String {
    let why = system::of_fault(why, lang);
    say!(
        lang,
        "已经入册，但文件夹还没跟上：{why}；下一条写作命令会补上",
        "is in the book, but the folder is behind ({why}); the next command that writes brings it up"
    )
}

fn of_removed(removed: &Removed, lang: Lang) -> String {
    match removed {
        Removed::PlanAround => {
            say!(lang, "正文前后夹着章纲的条目，已去掉", "had lines of the plan around its story; they are taken out")
        }
        Removed::Prompt => say!(
            lang,
            "正文里混进了提示词，从那里起都去掉了",
            "had lines of the prompt in its text; they are taken out with all that followed them"
        ),
        Removed::EndRepeats { words } => say!(
            lang,
            "末尾 {words} 字只是重复前文，已去掉",
            "repeated itself in its last {words} words; they are taken off"
        ),
        Removed::Twice { words } => say!(
            lang,
            "有 {words} 字的段落原样写了两遍，去掉了后一遍",
            "had paragraphs of {words} words twice; they are taken out the second time"
        ),
        Removed::Chat { chars } => say!(
            lang,
            "正文前后夹着模型的话（{chars} 字），已去掉",
            "had {chars} characters of the model's talk around its story; they are taken out"
        ),
        Removed::PreviousEnding { words } => say!(
            lang,
            "开头 {words} 字照抄上一章的结尾，已去掉",
            "began with {words} words of the end of the chapter before; they are taken off"
        ),
    }
}

/// The chapters whose summaries are of an older text, and what to do about it.
#[must_use]
pub fn outdated(chapters: &[ChapterNo], lang: Lang) -> String {
    let list = super::figures::runs(chapters.iter().map(|chapter| chapter.get()));
    say!(
        lang,
        "第 {list} 章的正文改过，摘要和状态还是照旧稿来的: novel rebuild",
        "chapters {list} have been edited, and their summaries and state changes are of the older texts: novel rebuild"
    )
}

/// The proposal to rebuild the state from chapters whose changes could not be read.
#[must_use]
pub fn thin_state(chapters: &[ChapterNo], lang: Lang) -> String {
    let names: Vec<String> = chapters.iter().map(ChapterNo::to_string).collect();
    let list = names.join(lang.pick("、", ", "));
    let numbers = chapters.iter().map(|chapter| chapter.get().to_string()).collect::<Vec<_>>().join(",");
    let count = chapters.len();
    say!(
        lang,
        "{count} 章的状态变更没有读出来（{list}），state/ 里缺这几章；建议重建：novel rebuild {numbers} 重做这几章的摘要，状态随之重算（正文不动）",
        "the state changes of {count} chapters could not be read ({list}), so state/ lacks them; rebuild it: novel rebuild {numbers} summarises these chapters again and derives the state from them (their texts stay as they are)"
    )
}
