//! InkOS: `books/<id>/` with an index of chapters and the state of the story in JSON.

use super::{Folder, PeerFact, PeerPerson, PeerRule, PeerThread, number_of, stem};
use serde::Deserialize;
use serde_json::{Map, Value};

#[derive(Deserialize)]
struct BookFile {
    title: String,
    #[serde(flatten)]
    rest: Map<String, Value>,
}

#[derive(Deserialize)]
struct IndexEntry {
    number: u32,
    #[serde(default)]
    title: String,
    /// Books of later versions have none: their index has accepted chapters alone.
    status: Option<String>,
}

#[derive(Deserialize)]
struct CurrentState {
    #[serde(default)]
    facts: Vec<StateFact>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct StateFact {
    subject: String,
    predicate: String,
    object: String,
    #[serde(default)]
    source_chapter: u32,
    /// The last chapter of a fact that does not hold any more.
    valid_until_chapter: Option<u32>,
}

#[derive(Deserialize)]
struct InkosHooks {
    #[serde(default)]
    hooks: Vec<InkosHook>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct InkosHook {
    hook_id: String,
    #[serde(default)]
    start_chapter: u32,
    #[serde(default)]
    status: String,
    #[serde(default)]
    last_advanced_chapter: u32,
    #[serde(default)]
    expected_payoff: String,
    #[serde(default)]
    notes: String,
    #[serde(default)]
    core_hook: bool,
    #[serde(flatten)]
    rest: Map<String, Value>,
}

#[derive(Deserialize)]
struct Summaries {
    #[serde(default)]
    rows: Vec<SummaryRow>,
}

#[derive(Deserialize)]
struct SummaryRow {
    chapter: u32,
    #[serde(default)]
    events: String,
    #[serde(flatten)]
    rest: Map<String, Value>,
}

pub(super) fn read(folder: &mut Folder<'_>) {
    if let Some(BookFile { title, rest }) = folder.json("book.json") {
        folder.book.manuscript.title = Some(title);
        folder.unknown("book.json", &rest);
    }
    let files = folder.under("chapters");
    let mut index: Vec<IndexEntry> = folder.json("chapters/index.json").unwrap_or_default();
    index.sort_by_key(|entry| entry.number);
    for IndexEntry { number, title, status } in index {
        let is_accepted = status.is_none_or(|status| ["approved", "published", "imported"].contains(&status.as_str()));
        let file = files.iter().find(|path| path.ends_with(".md") && number_of(path) == Some(number));
        if is_accepted {
            folder.chapter(number, &title, (1, ""), file.cloned());
        }
    }
    let others = ["chapters", ".trash", "chapters/.trash", "story/snapshots", "story/runtime"];
    folder.leave_out(others.iter().flat_map(|other| folder.under(other)).collect());
    state(folder);
    for path in folder.under("story/roles") {
        let name = stem(&path).to_owned();
        let role = if path.contains("主要") { "main" } else { "supporting" }.to_owned();
        if let Some(profile) = folder.text(&path) {
            folder.book.people.push(PeerPerson { name, role, profile, ..PeerPerson::default() });
        }
    }
    if let Some(rules) = folder.text("story/book_rules.md") {
        let bullets = rules.lines().filter_map(|line| line.trim().strip_prefix(['-', '*'])).map(str::trim);
        let rule = |rule: &str| PeerRule { category: String::new(), rule: rule.to_owned() };
        folder.book.rules.extend(bullets.filter(|text| !text.is_empty() && !text.starts_with(['-', '*'])).map(rule));
        folder.book.note.push_str(&format!("\n## story/book_rules.md\n\n{}\n", rules.trim()));
    }
    let outlines = folder.under("story/outline");
    // The older files are pointers to the newer ones where both are there.
    let older = ["story/volume_outline.md", "story/story_bible.md"].map(str::to_owned);
    let outlines = if outlines.is_empty() { older.to_vec() } else { outlines };
    folder.research(&outlines);
    folder.research(&["story/author_intent.md".to_owned(), "story/current_focus.md".to_owned()]);
}

fn state(folder: &mut Folder<'_>) {
    if let Some(CurrentState { facts }) = folder.json("story/state/current_state.json") {
        for StateFact { subject, predicate, object, source_chapter, valid_until_chapter } in facts {
            match valid_until_chapter {
                Some(last) => folder.book.note.push_str(&format!("- {subject} {predicate}: {object} (≤ {last})\n")),
                None => folder.book.facts.push(PeerFact {
                    chapter: source_chapter,
                    subject,
                    field: predicate,
                    value: object,
                }),
            }
        }
    }
    if let Some(InkosHooks { hooks }) = folder.json("story/state/hooks.json") {
        for hook in hooks {
            let texts = [hook.expected_payoff, hook.notes];
            let texts: Vec<&str> = texts.iter().map(|text| text.trim()).filter(|text| !text.is_empty()).collect();
            let is_resolved = hook.status == "resolved";
            folder.unknown(&hook.hook_id, &hook.rest);
            folder.book.threads.push(PeerThread {
                description: if texts.is_empty() { hook.hook_id.clone() } else { texts.join("；") },
                id: hook.hook_id,
                planted: hook.start_chapter,
                advanced: Some(hook.last_advanced_chapter).filter(|_| !is_resolved),
                resolved: Some(hook.last_advanced_chapter).filter(|_| is_resolved),
                is_core: hook.core_hook,
            });
        }
    }
    if let Some(Summaries { rows }) = folder.json("story/state/chapter_summaries.json") {
        for row in rows {
            folder.unknown(&format!("第{}章", row.chapter), &row.rest);
            folder.book.summaries.insert(row.chapter, row.events);
        }
    }
}
