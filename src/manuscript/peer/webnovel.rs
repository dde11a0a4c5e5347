//! webnovel-writer: a state in JSON beside folders of texts (version 6), or texts with settings at their heads (version 7 on).

use super::{Folder, PeerFact, PeerPerson, PeerThread, front_matter, number_of, stem};
use crate::domain::volume::outline::volume_title;
use serde::Deserialize;
use serde_json::{Map, Value};
use std::collections::BTreeMap;

#[derive(Deserialize)]
struct WebnovelState {
    #[serde(default, alias = "project_info")]
    project: Project,
    #[serde(default)]
    progress: WebnovelProgress,
    #[serde(default)]
    entities_v3: BTreeMap<String, BTreeMap<String, Entity>>,
    #[serde(default)]
    state_changes: Vec<WebnovelChange>,
    #[serde(default)]
    structured_relationships: Vec<WebnovelRelationship>,
    #[serde(default)]
    plot_threads: PlotThreads,
    #[serde(flatten)]
    rest: Map<String, Value>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Project {
    title: String,
    author: String,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct WebnovelProgress {
    current_chapter: u32,
    volumes_planned: Vec<WebnovelVolume>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct WebnovelVolume {
    volume: u32,
    /// Such as `1-50`.
    chapters_range: String,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Entity {
    name: String,
    canonical_name: String,
    tier: String,
    aliases: Vec<String>,
    is_protagonist: bool,
    last_appearance: u32,
    current: Map<String, Value>,
    desc: String,
}

#[derive(Deserialize)]
struct WebnovelChange {
    entity_id: String,
    field: String,
    new: Value,
    #[serde(default)]
    chapter: u32,
}

#[derive(Deserialize)]
struct WebnovelRelationship {
    from: String,
    to: String,
    #[serde(default, rename = "type")]
    kind: String,
    #[serde(default)]
    chapter: u32,
}

#[derive(Deserialize, Default)]
struct PlotThreads {
    #[serde(default)]
    foreshadowing: Vec<WebnovelThread>,
    #[serde(flatten)]
    rest: Map<String, Value>,
}

#[derive(Deserialize)]
struct WebnovelThread {
    content: String,
    #[serde(default)]
    tier: String,
    #[serde(default, alias = "chapter")]
    planted_chapter: u32,
    #[serde(default, alias = "resolved_chapter")]
    resolved: Option<u32>,
    #[serde(flatten)]
    rest: Map<String, Value>,
}

/// The changes that a chapter has brought, in version 6.
#[derive(Default, Deserialize)]
#[serde(default)]
struct WebnovelCommit {
    meta: CommitMeta,
    state_deltas: Vec<Map<String, Value>>,
    entity_deltas: Vec<Map<String, Value>>,
    accepted_events: Vec<Map<String, Value>>,
    summary_text: String,
    #[serde(flatten)]
    rest: Map<String, Value>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct CommitMeta {
    chapter: u32,
    status: String,
}

pub(super) fn read(folder: &mut Folder<'_>) {
    match folder.json_of::<WebnovelState>(&[".webnovel/state.json", "state.json"]) {
        Some(state) => with_state(folder, state),
        None => with_settings(folder),
    }
    folder.research(&folder.under("大纲"));
}

/// A text as a value: the words of a string without their quotes.
fn words(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn with_state(folder: &mut Folder<'_>, state: WebnovelState) {
    folder.book.manuscript.title = Some(state.project.title).filter(|title| !title.is_empty());
    folder.book.manuscript.author = Some(state.project.author).filter(|author| !author.is_empty());
    let mut files: Vec<(u32, String)> =
        folder.under("正文").into_iter().filter_map(|path| Some((number_of(&path)?, path))).collect();
    files.sort();
    // The second file of a number is left out and told.
    files.dedup_by_key(|(number, _)| *number);
    let current = state.progress.current_chapter;
    files.retain(|(number, _)| (1..=current).contains(number));
    let mut last = 0;
    for (number, path) in files {
        folder.lacks(last, number);
        last = number;
        let title = stem(&path).split_once(['-', '_', ' ']).map_or("", |(_, title)| title).to_owned();
        let volume = volume_of(number, &path, &state.progress.volumes_planned);
        let name = volume_title_of(folder, volume);
        folder.chapter(number, &title, (volume, &name), Some(path));
        if let Some(summary) = folder.text(&format!(".webnovel/summaries/ch{number:04}.md")) {
            let (settings, text) = front_matter(&summary);
            let text = text.split_once("## 剧情摘要").map_or(text, |(_, text)| text);
            let (plot, rest) = text.split_once("\n## ").unwrap_or((text, ""));
            folder.book.note.push_str(&format!("\n## 第{number}章\n\n{settings}\n{rest}\n"));
            folder.book.summaries.insert(number, plot.trim().to_owned());
        }
    }
    folder.lacks(last, current.saturating_add(1));
    folder.leave_out(folder.under("正文"));
    let mut names = BTreeMap::new();
    for (kind, entities) in state.entities_v3 {
        for (id, mut entity) in entities {
            if entity.name.is_empty() {
                entity.name = entity.canonical_name;
            }
            names.insert(id.clone(), entity.name.clone());
            for (field, value) in &entity.current {
                let (subject, value) = (entity.name.clone(), words(value));
                let chapter = entity.last_appearance;
                folder.book.facts.push(PeerFact { chapter, subject, field: field.clone(), value });
            }
            if kind == "角色" {
                let role = if entity.is_protagonist { "protagonist" } else { "supporting" }.to_owned();
                let profile = [entity.tier, entity.desc].join("\n\n").trim().to_owned();
                let (name, aliases) = (entity.name, entity.aliases);
                folder.book.people.push(PeerPerson { key: id, name, aliases, role, profile });
            } else {
                folder.book.note.push_str(&format!("- {kind} {}: {}\n", entity.name, entity.aliases.join("、")));
            }
        }
    }
    let mut commits = folder.under(".story-system/commits");
    commits.sort_by_key(|path| number_of(path));
    for path in commits {
        with_commit(folder, &path, &mut names);
    }
    let name = |id: &str| names.get(id).cloned().unwrap_or_else(|| id.to_owned());
    for WebnovelChange { entity_id, field, new, chapter } in &state.state_changes {
        let (subject, field) = (name(entity_id), field.clone());
        folder.book.facts.push(PeerFact { chapter: *chapter, subject, field, value: words(new) });
    }
    for WebnovelRelationship { from, to, kind, chapter } in &state.structured_relationships {
        let (subject, field) = (name(from), format!("与{}的关系", name(to)));
        folder.book.facts.push(PeerFact { chapter: *chapter, subject, field, value: kind.clone() });
    }
    for thread in state.plot_threads.foreshadowing {
        folder.unknown(&thread.content, &thread.rest);
        folder.book.threads.push(PeerThread {
            id: thread.content.clone(),
            is_core: ["core", "核心"].contains(&thread.tier.as_str()),
            description: thread.content,
            planted: thread.planted_chapter,
            advanced: None,
            resolved: thread.resolved,
        });
    }
    folder.unknown("plot_threads", &state.plot_threads.rest);
    folder.unknown("state.json", &state.rest);
    folder.research(&folder.under("设定集"));
}

/// The first of the fields that has a text.
fn field_of(of: &Map<String, Value>, names: &[&str]) -> Option<String> {
    let texts = names.iter().filter_map(|name| of.get(*name)).filter(|value| !value.is_null()).map(words);
    texts.map(|text| text.trim().to_owned()).find(|text| !text.is_empty())
}

/// Reads an accepted commit: whom it brings, the fields that it changes and the plot threads that it opens or closes. All else of it,
/// and a rejected one, goes into the note.
fn with_commit(folder: &mut Folder<'_>, path: &str, names: &mut BTreeMap<String, String>) {
    let Some(commit) = folder.json::<WebnovelCommit>(path) else { return };
    let CommitMeta { chapter, status } = commit.meta;
    if status != "accepted" {
        folder.used.remove(path);
        return;
    }
    for of in &commit.entity_deltas {
        let payload = of.get("payload").and_then(Value::as_object);
        let name = field_of(of, &["canonical_name", "name"]).or_else(|| field_of(payload?, &["name"]));
        let is_person = field_of(of, &["type", "entity_type"]).is_none_or(|kind| kind == "角色");
        match (field_of(of, &["entity_id", "id"]), name) {
            (Some(key), Some(name)) if is_person && !names.contains_key(&key) => {
                let is_protagonist = of.get("is_protagonist").is_some_and(|is| *is == true);
                let role = if is_protagonist { "protagonist" } else { "supporting" }.to_owned();
                let aliases = of.get("aliases").and_then(Value::as_array).into_iter().flatten().map(words).collect();
                let profile = field_of(of, &["desc", "description", "tier"]).unwrap_or_default();
                names.insert(key.clone(), name.clone());
                folder.book.people.push(PeerPerson { key, name, aliases, role, profile });
            }
            _ => folder.unknown(path, of),
        }
    }
    let mut changes = commit.state_deltas;
    for event in commit.accepted_events {
        let kind = field_of(&event, &["event_type"]).unwrap_or_default();
        let mut payload = event.get("payload").and_then(Value::as_object).cloned().unwrap_or_default();
        let about = field_of(&payload, &["content", "description"]);
        match (kind.as_str(), about) {
            ("character_state_changed" | "power_breakthrough", _) => {
                payload.entry("entity_id").or_insert_with(|| event.get("subject").cloned().unwrap_or_default());
                if kind == "power_breakthrough" {
                    payload.entry("field").or_insert_with(|| "realm".into());
                }
                changes.push(payload);
            }
            ("open_loop_created" | "promise_created", Some(description)) => {
                let thread =
                    PeerThread { id: description.clone(), description, planted: chapter, ..PeerThread::default() };
                folder.book.threads.push(thread);
            }
            (_, about) => {
                let is_end = ["open_loop_closed", "promise_paid_off"].contains(&kind.as_str());
                let mut threads = folder.book.threads.iter_mut();
                match threads.find(|thread| is_end && Some(&thread.description) == about.as_ref()) {
                    Some(thread) => thread.resolved = Some(chapter),
                    None => folder.unknown(path, &event),
                }
            }
        }
    }
    for of in changes {
        let value = field_of(&of, &["new", "to", "new_value", "new_state"]);
        match (field_of(&of, &["entity_id"]), field_of(&of, &["field", "field_path"]), value) {
            (Some(id), Some(field), Some(value)) => {
                let subject = names.get(&id).cloned().unwrap_or(id);
                let mut facts = folder.book.facts.iter();
                if !facts.any(|one| one.chapter == chapter && one.subject == subject && one.field == field) {
                    folder.book.facts.push(PeerFact { chapter, subject, field, value });
                }
            }
            _ => folder.unknown(path, &of),
        }
    }
    if !commit.summary_text.trim().is_empty() {
        folder.book.summaries.entry(chapter).or_insert(commit.summary_text.trim().to_owned());
    }
    folder.unknown(path, &commit.rest);
}

/// The volume of a chapter: that of its folder, such as 第2卷, or else the one whose planned range has its number.
fn volume_of(number: u32, path: &str, planned: &[WebnovelVolume]) -> u32 {
    let of_folder = path.rsplit('/').nth(1).filter(|folder| folder.contains('卷')).and_then(number_of);
    let has_number = |volume: &&WebnovelVolume| {
        let range = volume.chapters_range.split_once('-');
        let range = range.and_then(|(first, last)| Some(first.trim().parse().ok()?..=last.trim().parse().ok()?));
        range.is_some_and(|range| range.contains(&number))
    };
    of_folder.or_else(|| planned.iter().find(has_number).map(|volume| volume.volume)).filter(|of| *of > 0).unwrap_or(1)
}

/// The title of a volume at the head of its outline; empty for one that names the outline alone.
fn volume_title_of(folder: &mut Folder<'_>, volume: u32) -> String {
    let is_of_volume = |path: &String| stem(path).contains('卷') && number_of(path) == Some(volume);
    let outlines: Vec<String> = folder.under("大纲").into_iter().filter(is_of_volume).collect();
    let titles = outlines.iter().filter_map(|path| Some(volume_title(&folder.text(path)?)));
    let mut titles =
        titles.filter(|title| !title.is_empty() && !["大纲", "卷纲"].iter().any(|word| title.contains(word)));
    titles.next().unwrap_or_default()
}

/// Accepted texts are those in 定稿.
fn with_settings(folder: &mut Folder<'_>) {
    let field = |text: &str, name: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(name)?.trim_start().strip_prefix([':', '：']));
        line.map(|value| value.trim().trim_matches('"').to_owned()).filter(|value| !value.is_empty())
    };
    if let Some(settings) = folder.text("book.yaml") {
        folder.book.manuscript.title = field(&settings, "书名").or_else(|| field(&settings, "title"));
        folder.book.note.push_str(&format!("\n## book.yaml\n\n{}\n", settings.trim()));
    }
    let mut files: Vec<(u32, String)> = Vec::new();
    for path in folder.under("定稿") {
        let in_volumes = path.starts_with("定稿/正文/") || path.starts_with("定稿/卷");
        files.extend(number_of(&path).filter(|_| in_volumes && path.ends_with(".md")).map(|number| (number, path)));
    }
    files.sort();
    for (number, path) in files {
        let text = folder.text(&path).unwrap_or_default();
        let (settings, _) = front_matter(&text);
        let name = path.rsplit('/').next().unwrap_or_default().trim_end_matches(".md");
        let title =
            field(settings, "标题").unwrap_or_else(|| name.split_once('-').map_or("", |(_, title)| title).to_owned());
        let volume = field(settings, "卷").and_then(|volume| volume.parse().ok()).unwrap_or(1);
        let name = volume_title_of(folder, volume);
        folder.chapter(number, &title, (volume, &name), Some(path.clone()));
        if let Some(summary) = folder.text(&format!("定稿/摘要/章摘要/{number:04}.md")) {
            folder.book.summaries.insert(number, front_matter(&summary).1.trim().to_owned());
        }
    }
    for path in folder.under("定稿/设定/角色") {
        let name = path.rsplit('/').next().unwrap_or_default().trim_end_matches(".md").to_owned();
        if let Some(profile) = folder.text(&path) {
            folder.book.people.push(PeerPerson {
                name,
                role: "supporting".to_owned(),
                profile,
                ..PeerPerson::default()
            });
        }
    }
    folder.leave_out(["草稿区", "工作区"].iter().flat_map(|other| folder.under(other)).collect());
}
