//! The lines of a run in words.

use super::{AffectedLine, Line};
use crate::domain::chapter::gate::Gate;
use crate::domain::chapter::scene::Scenes;
use crate::domain::chapter::stage::Stage;
use crate::report::lang::{Lang, say};
use crate::report::style::{BAD, GOOD, STRONG, WARN, paint};
use crate::report::words::{self, Words};
use crate::report::{figures, restored};

/// So many later chapters are listed for people.
const SHOWN: usize = 12;

impl Line {
    /// The line for people, with its end when it is an answer; `None` for what is shown otherwise or not at all.
    #[must_use]
    pub fn text(&self, lang: Lang) -> Option<String> {
        Some(match self {
            Self::Recovered { what, .. } => what.join("\n"),
            Self::Resumed { command, done, left } => resumed(command, *done, *left, lang),
            Self::Restored { paths, converted, kept, commit } => {
                restored::text(paths, converted, kept.as_deref(), commit.as_deref(), lang)
            }
            Self::Migrated { commit, files } => migrated(commit, *files, lang),
            Self::Memories { chapters: (first, last), added, removed } => say!(
                lang,
                "Mem0 服务器：第 {first}–{last} 章，补 {added} 段，删 {removed} 段",
                "Mem0 server, chapters {first}–{last}: {added} passages to add, {removed} to remove"
            ),
            Self::HandEdit { commit, paths } => {
                let list = paths.join(lang.pick("、", ", "));
                say!(
                    lang,
                    "先把你的改动提交为 {commit}：{list}",
                    "your changes are committed first, as {commit}: {list}"
                )
            }
            Self::StyleLearnt { commit, subject } => say!(
                lang,
                "文风已从写成的章节提取：{subject}  {commit}（看看: novel style）",
                "the style is drawn from what is written: {subject}  {commit} (to see it: novel style)"
            ),
            Self::Quality { commit, brief } => brief.announced(commit, lang),
            Self::EditTaken { chapter, path } => say!(
                lang,
                "{path} 里有你的改动：就用它作 {chapter} 的正文，重新摘要、评审",
                "{path} holds an edit of yours: it becomes the text of {chapter} and is summarised and judged"
            ),
            Self::Chapter { chapter, title, reused, scenes, .. } if !reused.is_empty() => {
                let name = |stage: &Stage| match scenes {
                    Some(Scenes { written, planned }) if *stage == Stage::Scene => {
                        say!(lang, "前 {written} 场（共 {planned} 场）", "scene {written} of {planned}")
                    }
                    _ => stage.say(lang).to_owned(),
                };
                let list: Vec<String> = reused.iter().map(name).collect();
                let list = list.join(lang.pick("、", ", "));
                say!(lang, "{chapter} {title}：接着写，{list}已经有了", "{chapter} {title}: going on, {list} is there")
            }
            Self::Waiting { wait_ms, left_ms, .. } => {
                let wait = figures::duration(*wait_ms);
                let left = left_ms.map_or_else(String::new, |left| {
                    let left = figures::duration(left);
                    say!(lang, "（最多再等 {left}）", " (for {left} at most)")
                });
                let why = self.waiting_for(lang)?;
                say!(lang, "{why}；{wait} 后再试{left}", "{why}; trying again in {wait}{left}")
            }
            Self::AskedAgain { stage, why, continued: true } => {
                let stage = stage.say(lang);
                say!(
                    lang,
                    "{stage}：{why}；从最后一句完整的话接着写",
                    "{stage}: {why}; continuing from the last whole sentence"
                )
            }
            Self::AskedAgain { stage, why, .. } => {
                let stage = stage.say(lang);
                say!(lang, "{stage}：{why}；再问一次", "{stage}: {why}; asking again")
            }
            Self::Warning { work, text } => format!("{work} {text}"),
            Self::Reused { chapter, .. } => {
                let chapter = paint(STRONG, &chapter.to_string());
                say!(lang, "{chapter} 已经有了，没有再写\n", "{chapter} is there already and was not written again\n")
            }
            Self::Completed { .. } => self.completed_text(lang),
            Self::Chapter { .. }
            | Self::Stage { .. }
            | Self::StageDone { .. }
            | Self::Gate { .. }
            | Self::Paused { .. } => {
                return None;
            }
        })
    }

    /// Why a call waits before it is sent again, without for how long: what stands beside a countdown.
    #[must_use]
    pub fn waiting_for(&self, lang: Lang) -> Option<String> {
        let Self::Waiting { stage, asked_ms, why, .. } = self else { return None };
        let stage = stage.say(lang);
        let asked = asked_ms.map_or_else(String::new, |asked| {
            let asked = figures::duration(asked);
            say!(lang, "；服务器要求等 {asked}", "; the server asks for {asked}")
        });
        Some(say!(lang, "{stage}：{why}{asked}", "{stage}: {why}{asked}"))
    }

    /// `ch-001 夜班守则  1,204 字  4.12  通过  34s  $0.61  1a2b3c4d5e`
    fn completed_text(&self, lang: Lang) -> String {
        let Self::Completed { chapter, title, word_count, quality_score, reading, gate, revisions, .. } = self else {
            return String::new();
        };
        let Self::Completed { commit, duration_ms, cost_micro_usd, replaces, resting, .. } = self else {
            return String::new();
        };
        let colour = match gate {
            Gate::Pass | Gate::AuthorPass => GOOD,
            Gate::Polish | Gate::Revise => GOOD,
            Gate::ForcePass => WARN,
            Gate::Rewrite | Gate::Pause => BAD,
        };
        let (words, mut score) = (figures::count(*word_count), figures::score(*quality_score));
        if !reading {
            score.push_str(lang.pick("（占位）", " (placeholder)"));
        }
        let words = say!(lang, "{words} 字", "{words} words");
        let gate = paint(colour, gate.say(lang));
        let revised = match revisions {
            0 => String::new(),
            n => say!(lang, "（修订 {n} 次）", " ({n}× revised)"),
        };
        let again = match replaces {
            Some(old) => say!(lang, "  代替 {old}", "  in place of {old}"),
            None => String::new(),
        };
        let (cost, time) = (money(*cost_micro_usd, lang), figures::duration(*duration_ms));
        let line = format!(
            "{} {title}  {words}  {score}  {gate}{revised}  {time}  {cost}  {commit}{again}\n",
            paint(STRONG, &chapter.to_string())
        );
        line + &resting_text(resting, lang)
    }

    /// Lines that only verbose runs show.
    #[must_use]
    pub fn detail(&self, lang: Lang) -> Option<String> {
        Some(match self {
            Self::Stage { work, stage, scene, model, sent_chars } => {
                let (stage, sent) = (words::of_part(*stage, *scene, lang), figures::count(*sent_chars));
                say!(lang, "{work} {stage} → {model}，{sent} 字符", "{work} {stage} → {model}, {sent} characters")
            }
            Self::StageDone { work, stage, model, duration_ms, input_tokens, cached_tokens, output_tokens, .. } => {
                let Self::StageDone { cost_micro_usd, scene, .. } = self else { return None };
                let cost = money(*cost_micro_usd, lang);
                let (stage, time) = (words::of_part(*stage, *scene, lang), figures::duration(*duration_ms));
                let figure = |tokens: &Option<u64>| tokens.map_or_else(|| "?".to_owned(), figures::count);
                let (sent, cached, got) = (figure(input_tokens), figure(cached_tokens), figure(output_tokens));
                say!(
                    lang,
                    "{work} {stage} ← {model}，{time}，输入 {sent} token（缓存 {cached}），输出 {got} token，{cost}",
                    "{work} {stage} ← {model}, {time}, {sent} tokens in ({cached} cached), {got} tokens out, {cost}"
                )
            }
            Self::Gate { chapter, overall, blocking, gate } => {
                let (score, gate, n) = (figures::score(*overall), gate.say(lang), blocking.len());
                say!(
                    lang,
                    "{chapter} 评分 {score}，{n} 处违反 → {gate}",
                    "{chapter} scores {score}, {n} violations → {gate}"
                )
            }
            _ => return None,
        })
    }
}

/// Said by a command that was interrupted and has been given again.
fn resumed(command: &str, done: u32, left: u32, lang: Lang) -> String {
    match left {
        0 => say!(
            lang,
            "上次被打断的 {command} 已经做完，不再重复；要再做一次，就再运行一次",
            "the interrupted `{command}` is complete and is not done twice; to do it once more, run it again"
        ),
        _ => say!(
            lang,
            "接着上次被打断的 {command}：已做 {done}，还剩 {left}",
            "going on with the interrupted `{command}`: {done} done, {left} left"
        ),
    }
}

fn migrated(commit: &str, files: usize, lang: Lang) -> String {
    let count = figures::of(files as u64, "file");
    say!(
        lang,
        "旧格式的 {files} 个文件已转成现在的格式：{commit}",
        "{count} of an older format brought to the present one as {commit}"
    )
}

/// The things that later chapters rest on, one line each, and how to write them again.
fn resting_text(resting: &[AffectedLine], lang: Lang) -> String {
    if resting.is_empty() {
        return String::new();
    }
    let count = resting.len();
    let chapters = figures::of(count as u64, "later chapter");
    let mut text = say!(lang, "  后面有 {count} 章建立在改了的内容上:\n", "  built on what has changed: {chapters}\n");
    for AffectedLine { chapter, on, dropped } in resting.iter().take(SHOWN) {
        let what: Vec<&str> = on.iter().chain(dropped).map(String::as_str).collect();
        text.push_str(&format!("    {chapter}: {}\n", what.join(lang.pick("、", ", "))));
    }
    if resting.len() > SHOWN {
        text.push_str("    …\n");
    }
    let list = figures::runs(resting.iter().map(|resting| resting.chapter.get()));
    text + &say!(
        lang,
        "  要让它们跟上: novel write {list} --force\n",
        "  to write them again: novel write {list} --force\n"
    )
}

fn money(micro_usd: Option<u64>, lang: Lang) -> String {
    micro_usd.map_or_else(|| lang.pick("价格未知", "unknown price").to_owned(), figures::money)
}
