//! The context of an agent: the answer of `novel context`.
//! The findings of a search: the answer of `novel search`.

use crate::agents::context::Cut;
use crate::domain::book::config::Agent;
use crate::pipeline::book::search::{Finder, Found, Hit, SearchPart};
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
    pub parts: Vec<Part>,
    /// The cuts that keep the prompt within the budget, with their reasons.
    pub left_out: Vec<Cut>,
    /// Tokens from the first on that the next chapter's prompt shares, so that the provider's cache serves them.
    pub stable_tokens: u64,
    /// `system` and `user` are the prompts exactly as sent.
    pub system: String,
    pub user: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Part {
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
    /// The number of chapters and other files that have every word as typed.
    pub literal: usize,
    /// True when more of them may match, because only the best were read. A higher limit reads more.
    pub is_literal_cut: bool,
    /// The address of the Mem0 server that was asked too; null where only the embedded search has answered.
    pub memory_server: Option<String>,
    pub hits: Vec<SearchHit>,
}

/// A chapter or another file.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SearchHit {
    pub part: SearchPart,
    /// Null for other files.
    pub chapter: Option<ChapterNo>,
    pub path: String,
    /// The title of the chapter or page, or the person's name; may be empty.
    pub title: String,
    /// The best passage, with `…` where a sentence was cut.
    pub passage: String,
    /// The query's words in the passage: index of the first character and of the one after the last.
    pub highlights: Vec<(usize, usize)>,
    /// True when every word stands in the chapter or file as typed.
    pub is_literal: bool,
    /// The finder's measure, the higher the better. Hits with every word as typed come first anyway.
    pub score: f64,
    /// `embedded` for the book's index, which ranks by words; `mem0` for a Mem0 server, which ranks by meaning.
    pub finder: Finder,
    #[serde(skip)]
    marked: Passage,
}

impl SearchHit {
    fn of(hit: Hit) -> Self {
        let text = &hit.passage.text;
        let chars = |byte: usize| text[..byte].chars().count();
        Self {
            highlights: hit.passage.marks.iter().map(|mark| (chars(mark.start), chars(mark.end))).collect(),
            passage: text.clone(),
            part: hit.part,
            chapter: hit.chapter,
            path: hit.path,
            title: hit.title,
            is_literal: hit.is_literal,
            score: hit.score,
            finder: hit.finder,
            marked: hit.passage,
        }
    }

    fn painted(&self) -> String {
        let Passage { text, marks, .. } = &self.marked;
        let (mut out, mut end) = (String::new(), 0);
        for mark in marks {
            out.push_str(&text[end..mark.start]);
            out.push_str(&paint(WARN, &text[mark.clone()]));
            end = mark.end;
        }
        out + &text[end..]
    }
}

impl SearchReport {
    /// `memory_server` is the address of the server that was asked.
    pub fn of(query: &str, found: Found, memory_server: Option<&str>) -> Self {
        Self {
            query: query.to_owned(),
            literal: found.literal,
            is_literal_cut: found.is_literal_cut,
            memory_server: memory_server.map(str::to_owned),
            hits: found.hits.into_iter().map(SearchHit::of).collect(),
        }
    }

    /// Two lines per hit: the place with its title, and the passage. Then the count, and the command for more.
    pub fn text(&self, lang: Lang) -> String {
        let mut out = String::new();
        for hit in &self.hits {
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
            out.push_str(&format!("\n    {}\n", hit.painted()));
        }
        out.push_str(&format!("{}\n", paint(DIM, &self.count(lang))));
        if let Some(server) = &self.memory_server {
            out.push_str(&format!("{}\n", paint(DIM, &say!(lang, chapters_by_meaning_mem0_server_at(server)))));
        }
        if let Some(chapter) = self.hits.iter().find_map(|hit| hit.chapter) {
            out.push_str(&say!(lang, whole_chapter(command = paint(HINT, &format!("novel show {chapter}")))));
        }
        out
    }

    fn count(&self, lang: Lang) -> String {
        let (all, shown) = (self.literal, self.hits.len());
        if self.is_literal_cut && all > 0 {
            return say!(lang, with_these_very_words_at_least(all, shown));
        }
        if self.is_literal_cut {
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
    use crate::report::style::render;
    use crate::text::Query;

    fn found() -> Found {
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
        Found {
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
        let report = SearchReport::of("密信", found(), None);
        let rows = "    他从袖中取出一封密信，没有说话。\n";
        let said = |lang| render(&report.text(lang), crate::report::style::Colour::Off);
        let zh = "7 处有原话，列出 2 处；--limit 7 列出全部\n查看整章：novel show ch-030\n";
        assert_eq!(said(Lang::Zh), format!("ch-030  雨夜  摘要\n{rows}world/rules.json\n{rows}{zh}"));
        let en = "exact matches: 7, shown: 2 (--limit 7 lists all)\nfull chapter: novel show ch-030\n";
        assert_eq!(said(Lang::En), format!("ch-030  雨夜  summary\n{rows}world/rules.json\n{rows}{en}"));
        assert!(
            render(&report.text(Lang::Zh), crate::report::style::Colour::On).contains("一封\u{1b}[33m密信\u{1b}[0m，")
        );
        assert_eq!(report.hits[0].highlights, [(8, 10)]);
        let cut = SearchReport { is_literal_cut: true, ..report };
        assert_eq!(
            SearchReport { literal: 0, ..cut.clone() }.count(Lang::En),
            "no exact match among the closest (a larger --limit looks further)"
        );
        assert_eq!(cut.count(Lang::Zh), "至少 7 处有原话，列出 2 处；加大 --limit 可以找到更多");
        assert_eq!(cut.count(Lang::En), "exact matches: at least 7, shown: 2 (a larger --limit finds more)");
    }
}
