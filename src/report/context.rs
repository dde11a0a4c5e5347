//! The context of an agent: the answer of `novel context`.
//! The findings of a search: the answer of `novel search`.

use crate::agents::context::Cut;
use crate::domain::book::config::Agent;
use crate::pipeline::book::search::{Finder, SearchPart, SearchResult};
use crate::report::prelude::*;
use crate::text::Passage;

/// The prompt of one agent for one chapter.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ContextReport {
    pub chapter: ChapterNo,
    pub agent: Agent,
    /// The most tokens of the prompt, estimated.
    pub budget_tokens: u64,
    /// In the order of the prompt.
    pub parts: Vec<ContextPart>,
    /// The cuts that keep the prompt within the budget, with their reasons.
    pub left_out: Vec<Cut>,
    /// Tokens from the first on that the next chapter's prompt shares, so that the provider's cache serves them.
    pub stable_tokens: u64,
    /// `system` and `user` are the prompts exactly as sent.
    pub system: String,
    pub user: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ContextPart {
    pub name: String,
    /// Estimated tokens.
    pub tokens: u64,
    /// A remark, such as on a cut; may be empty.
    pub note: String,
}

/// The name of a part in words; placeholders of the prompts have these names.
pub fn part(name: &str, lang: Lang) -> &str {
    words::named("part", name, lang).unwrap_or(name)
}

const BAR: usize = 24;

impl ContextReport {
    pub fn tokens(&self) -> u64 {
        self.parts.iter().map(|part| part.tokens).sum()
    }

    /// A row per part with its share, and the cuts.
    pub fn breakdown(&self, lang: Lang, columns: usize) -> String {
        let (chapter, agent) = (self.chapter, self.agent.say(lang));
        let total = self.tokens();
        let (sent, budget) = (figures::count(total), figures::count(self.budget_tokens));
        let mut sums = say!(lang, about_of_tokens(sent, budget));
        if total > self.budget_tokens {
            sums = paint(BAD, &say!(lang, too_many(sums)));
        }
        let heading = paint(STRONG, &say!(lang, context_chapter_agent(chapter, agent)));
        let mut out = format!("{heading}  {sums}\n");
        let mut table = Table::bare("lrrll", 4).indented(2);
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
            out.push_str(&format!("  {}\n", paint(DIM, &say!(lang, left_out(left)))));
        }
        if figures::percent(self.stable_tokens, total).is_some_and(|percent| percent > 0) {
            let share = figures::share(self.stable_tokens, total);
            out.push_str(&format!("  {}\n", paint(DIM, &say!(lang, first_are_same_for_next_chapter(share)))));
        }
        out
    }

    /// The prompt exactly as sent, each half under a heading.
    pub fn prompt(&self, lang: Lang) -> String {
        exactly(&self.system, &self.user, lang)
    }
}

/// A prompt exactly as sent, each half under a heading.
pub fn exactly(system: &str, user: &str, lang: Lang) -> String {
    let end = |text: &str| if text.ends_with('\n') { "" } else { "\n" };
    let (first, second) = (say!(lang, system_prompt), say!(lang, user_prompt));
    format!("=== {first} ===\n{system}{}=== {second} ===\n{user}{}", end(system), end(user))
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SearchReport {
    pub query: String,
    /// The address of the Mem0 server that was asked too; null where only the embedded search has answered.
    pub memory_server: Option<String>,
    #[serde(flatten)]
    pub found: SearchResult,
}

fn painted(Passage { text, marks, .. }: &Passage) -> String {
    let (mut out, mut end) = (String::new(), 0);
    for mark in marks {
        out.push_str(&text[end..mark.start]);
        out.push_str(&paint(WARN, &text[mark.clone()]));
        end = mark.end;
    }
    out + &text[end..]
}

impl SearchReport {
    /// Two lines per hit: the place with its title, and the passage. Then the count, and the command for more.
    pub fn text(&self, lang: Lang) -> String {
        let mut out = String::new();
        for hit in &self.found.hits {
            let place = hit.chapter.map_or_else(|| hit.path.clone(), |chapter| chapter.to_string());
            out.push_str(&paint(STRONG, &place));
            if !hit.title.is_empty() {
                out.push_str(&format!("  {}", hit.title));
            }
            if hit.finder == Finder::Mem0 {
                out.push_str(&paint(DIM, "  Mem0"));
            }
            if hit.part == SearchPart::Summaries {
                out.push_str(&paint(DIM, &format!("  {}", say!(lang, summary))));
            }
            out.push_str(&format!("\n    {}\n", painted(&hit.passage)));
        }
        out.push_str(&format!("{}\n", paint(DIM, &self.count(lang))));
        if let Some(server) = &self.memory_server {
            out.push_str(&format!("{}\n", paint(DIM, &say!(lang, chapters_by_meaning_mem0_server_at(server)))));
        }
        if let Some(chapter) = self.found.hits.iter().find_map(|hit| hit.chapter) {
            out.push_str(&say!(lang, whole_chapter(command = paint(HINT, &format!("novel show {chapter}")))));
        }
        out
    }

    fn count(&self, lang: Lang) -> String {
        let SearchResult { literal: all, is_literal_cut, ref hits } = self.found;
        let shown = hits.len();
        if is_literal_cut && all > 0 {
            return say!(lang, with_these_very_words_at_least(all, shown));
        }
        if is_literal_cut {
            return say!(lang, no_place_read_has_these_very_words).to_owned();
        }
        if all == 0 {
            return say!(lang, no_place_has_these_very_words).to_owned();
        }
        if all <= shown {
            return say!(lang, with_these_very_words(all));
        }
        say!(lang, with_these_very_words_shown_limit(all, shown))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pipeline::book::search::Hit;
    use crate::report::style::render;
    use crate::text::Query;

    fn found() -> SearchResult {
        let passage = Query::parse("密信").unwrap().passage("他从袖中取出一封密信，没有说话。", 60).unwrap();
        let hit = |part, chapter: Option<u32>, path: &str, title: &str| Hit {
            part,
            chapter: chapter.and_then(ChapterNo::new),
            path: path.into(),
            title: title.into(),
            passage: passage.clone(),
            is_literal: true,
            score: 1.5,
            finder: Finder::Embedded,
        };
        SearchResult {
            literal: 7,
            is_literal_cut: false,
            hits: vec![
                hit(SearchPart::Summaries, Some(30), "summaries/vol-01/chapter-030-summary.md", "雨夜"),
                hit(SearchPart::World, None, "world/rules.json", ""),
            ],
        }
    }

    #[test]
    fn hits_are_laid_out_and_the_words_painted() {
        let report = SearchReport { query: "密信".into(), memory_server: None, found: found() };
        let rows = "    他从袖中取出一封密信，没有说话。\n";
        let said = |lang| render(&report.text(lang), crate::report::style::Colour::Off);
        let zh = "7 处有原话，列出 2 处；--limit 7 列出全部\n查看整章：novel show ch-030\n";
        assert_eq!(said(Lang::Zh), format!("ch-030  雨夜  摘要\n{rows}world/rules.json\n{rows}{zh}"));
        let en = "exact matches: 7, shown: 2 (--limit 7 lists all)\nfull chapter: novel show ch-030\n";
        assert_eq!(said(Lang::En), format!("ch-030  雨夜  summary\n{rows}world/rules.json\n{rows}{en}"));
        assert!(
            render(&report.text(Lang::Zh), crate::report::style::Colour::On).contains("一封\u{1b}[33m密信\u{1b}[0m，")
        );
        assert_eq!(serde_json::to_value(&report).unwrap()["hits"][0]["highlights"], serde_json::json!([[8, 10]]));
        let cut = |literal| SearchReport {
            found: SearchResult { is_literal_cut: true, literal, ..found() },
            ..report.clone()
        };
        assert_eq!(cut(0).count(Lang::En), "no exact match among the closest (a larger --limit looks further)");
        assert_eq!(cut(7).count(Lang::Zh), "至少 7 处有原话，列出 2 处；加大 --limit 可以找到更多");
        assert_eq!(cut(7).count(Lang::En), "exact matches: at least 7, shown: 2 (a larger --limit finds more)");
    }
}
