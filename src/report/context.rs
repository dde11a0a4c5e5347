//! What an agent is shown of the book: the answer of `novel context`.

use super::lang::{Lang, say};
use super::style::{BAD, DIM, STRONG, paint};
use super::table::{Align, Cell, Table};
use super::words::Words;
use super::{figures, json};
use crate::agents::context::Cut;
use crate::domain::ChapterNo;
use crate::domain::book::config::Agent;
use serde::Serialize;

/// The prompt of one agent for one chapter, and what it is made of.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ContextReport {
    /// The chapter.
    #[serde(serialize_with = "json::chapter")]
    pub chapter: ChapterNo,
    /// The agent.
    #[serde(serialize_with = "json::name")]
    pub agent: Agent,
    /// The most tokens the prompt may have, by estimate.
    pub budget_tokens: u64,
    /// Its parts, in the order in which they stand in the prompt.
    pub parts: Vec<Part>,
    /// What was left out to keep within the budget, and why.
    #[serde(serialize_with = "json::names")]
    pub left_out: Vec<Cut>,
    /// Tokens from the first on that are the same for the next chapter, so that the provider's cache serves them.
    pub stable_tokens: u64,
    /// The system prompt, exactly as sent.
    pub system: String,
    /// The user prompt, exactly as sent.
    pub user: String,
}

/// One part of a prompt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Part {
    /// What it is.
    pub name: String,
    /// How many tokens it has, by estimate.
    pub tokens: u64,
    /// Whether it was shortened, or what else there is to say; may be empty.
    pub note: String,
}

/// The name of a part, as the placeholders of the prompts call it, in words.
#[must_use]
pub fn part(name: &str, lang: Lang) -> &str {
    let known = PARTS.iter().find(|(placeholder, ..)| *placeholder == name);
    known.map_or(name, |(_, zh, en)| lang.pick(zh, en))
}

const PARTS: [(&str, &str, &str); 64] = [
    ("active_line", "本线的记忆", "memory of the active line"),
    ("adjacent_lines", "邻近的故事线", "neighbouring lines"),
    ("beside", "旁线近况", "chapters of other lines"),
    ("brief", "创作纲领", "brief"),
    ("cast", "本线人物", "cast of the line"),
    ("chapter", "章号", "chapter number"),
    ("chapter_memory", "章节记忆", "chapter memory"),
    ("characters", "人物", "characters"),
    ("contract", "本章契约", "chapter contract"),
    ("cross_references", "越线提及", "mentions of other lines"),
    ("drift", "文风校正", "style correction"),
    ("worn", "近来用滥", "worn out lately"),
    ("entities", "人物与物件编号", "ids of people and things"),
    ("excerpts", "样稿片段", "excerpts of your samples"),
    ("fixes", "修改要求", "required fixes"),
    ("frozen_lines", "冻结的故事线", "frozen lines"),
    ("genre", "题材", "genre"),
    ("genre_notes", "题材要领", "the genre's own rules"),
    ("hints", "写手的备注", "the writer's remarks"),
    ("instructions", "提示词本身", "instructions"),
    ("issues", "问题", "issues"),
    ("ledger", "伏笔", "foreshadowing"),
    ("lines", "故事线", "storylines"),
    ("max_changed", "改动上限", "most that may change"),
    ("max_words", "字数上限", "most words"),
    ("mentions", "点到的别线人事", "mentions of other lines"),
    ("measured", "量出的数据", "measurements"),
    ("memory", "记忆", "memory"),
    ("min_words", "字数下限", "fewest words"),
    ("next_title", "下一章标题", "next title"),
    ("objectives", "本章目标", "objectives"),
    ("opening", "开篇三章", "rules of the first chapters"),
    ("origin", "样本来源", "origin of the samples"),
    ("other_lines", "其他故事线", "other lines"),
    ("overview", "全卷概览", "overview of the volume"),
    ("pages", "设定与资料", "world and notes"),
    ("pass", "第几遍", "pass"),
    ("passages", "前文相关段落", "related earlier passages"),
    ("phrases", "套话清单", "worn-out phrases"),
    ("pov", "视角", "point of view"),
    ("previous_ending", "承接", "previous scene of the line"),
    ("questions", "读者还在等的", "open questions"),
    ("reader", "读者账", "reader's ledger"),
    ("reading", "读法", "reading"),
    ("recent", "近几章摘要", "recent summaries"),
    ("remarks", "意见", "remarks"),
    ("round", "第几轮", "round"),
    ("rule_ids", "规则编号", "rule ids"),
    ("samples", "样本", "samples"),
    ("scene", "这一场", "this scene"),
    ("scene_plan", "场次", "plan of the scenes"),
    ("section", "本章大纲", "section of the outline"),
    ("so_far", "写到这里", "text so far"),
    ("state", "状态", "state"),
    ("storyline", "故事线", "storyline"),
    ("storyline_rules", "故事线规则", "storyline rules"),
    ("style", "文风", "style"),
    ("text", "正文", "text"),
    ("threads", "悬着的事", "open threads"),
    ("title", "标题", "title"),
    ("violations", "违反的规则", "broken rules"),
    ("voices", "人物口吻", "voices of the people"),
    ("volume_lines", "本卷故事线", "lines of the volume"),
    ("world_rules", "世界规则", "world rules"),
];

/// The widest bar.
const BAR: usize = 24;

impl ContextReport {
    /// Tokens of all parts.
    #[must_use]
    pub fn tokens(&self) -> u64 {
        self.parts.iter().map(|part| part.tokens).sum()
    }

    /// The breakdown: a row a part with its share, and what was left out.
    #[must_use]
    pub fn breakdown(&self, lang: Lang, columns: usize) -> String {
        let (chapter, agent) = (self.chapter, self.agent.say(lang));
        let total = self.tokens();
        let (sent, budget) = (figures::count(total), figures::count(self.budget_tokens));
        let mut sums = say!(lang, "约 {sent} token，上限 {budget}", "about {sent} of {budget} tokens");
        if total > self.budget_tokens {
            sums = paint(BAD, &say!(lang, "{sums}，超出", "{sums}: too many"));
        }
        let heading = paint(STRONG, &say!(lang, "{chapter} · {agent}", "{chapter} · {agent}"));
        let mut out = format!("{heading}  {sums}\n");
        use Align::{Left, Right};
        let mut table = Table::new([("", Left), ("", Right), ("", Right), ("", Left), ("", Left)], 4).indented(2);
        let most = self.parts.iter().map(|part| part.tokens).max().unwrap_or(0);
        for part in &self.parts {
            table.row([
                self::part(&part.name, lang).into(),
                figures::count(part.tokens).into(),
                Cell::painted(DIM, figures::share(part.tokens, total)),
                figures::bar(part.tokens as f64, most as f64, BAR.min(columns / 4)).into(),
                Cell::painted(DIM, part.note.as_str()),
            ]);
        }
        out.push_str(&table.text(columns));
        for left in self.left_out.iter().map(|cut| cut.say(lang)) {
            out.push_str(&format!("  {}\n", paint(DIM, &say!(lang, "未放入: {left}", "left out: {left}"))));
        }
        let share = figures::share(self.stable_tokens, total);
        let note =
            say!(lang, "开头 {share} 与下一章相同，可命中缓存", "the first {share} are the same for the next chapter");
        out.push_str(&format!("  {}\n", paint(DIM, &note)));
        out
    }

    /// The prompt exactly as it is sent, its two halves under a heading each.
    #[must_use]
    pub fn prompt(&self) -> String {
        exactly(&self.system, &self.user)
    }
}

/// A prompt exactly as it is sent, its two halves under a heading each.
#[must_use]
pub fn exactly(system: &str, user: &str) -> String {
    let end = |text: &str| if text.ends_with('\n') { "" } else { "\n" };
    format!("=== system ===\n{system}{}=== user ===\n{user}{}", end(system), end(user))
}
