//! ainovel-cli: `output/<name>/`, whose progress says which chapters are finished.

use super::{Folder, PeerFact, PeerPerson, PeerRule, PeerThread};
use serde::Deserialize;
use serde_json::{Map, Value};
use std::collections::BTreeMap;

#[derive(Default, Deserialize)]
#[serde(default)]
struct AinovelProgress {
    novel_name: String,
    completed_chapters: Vec<u32>,
}

#[derive(Deserialize)]
struct VolumeOutline {
    index: u32,
    #[serde(default)]
    title: String,
    #[serde(default)]
    arcs: Vec<ArcOutline>,
}

#[derive(Deserialize)]
struct ArcOutline {
    #[serde(default)]
    chapters: Vec<OutlineEntry>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct OutlineEntry {
    chapter: u32,
    title: String,
}

#[derive(Deserialize)]
struct CharacterCard {
    name: String,
    #[serde(default)]
    aliases: Vec<String>,
    #[serde(default)]
    role: String,
    #[serde(default)]
    description: String,
    #[serde(default)]
    arc: String,
    #[serde(default)]
    traits: Vec<String>,
    #[serde(flatten)]
    rest: Map<String, Value>,
}

#[derive(Deserialize)]
struct WorldRule {
    #[serde(default)]
    category: String,
    rule: String,
    #[serde(default)]
    boundary: String,
}

#[derive(Deserialize)]
struct ForeshadowEntry {
    id: String,
    #[serde(default)]
    description: String,
    #[serde(default, alias = "planted_chapter")]
    planted_at: u32,
    #[serde(default, alias = "resolved_chapter")]
    resolved_at: u32,
    #[serde(flatten)]
    rest: Map<String, Value>,
}

#[derive(Deserialize)]
struct StateChange {
    chapter: u32,
    entity: String,
    field: String,
    new_value: String,
}

#[derive(Deserialize)]
struct RelationshipEntry {
    character_a: String,
    character_b: String,
    relation: String,
    #[serde(default)]
    chapter: u32,
}

#[derive(Deserialize)]
struct ChapterSummary {
    #[serde(default)]
    summary: String,
    #[serde(flatten)]
    rest: Map<String, Value>,
}

pub(super) fn read(folder: &mut Folder<'_>) {
    let Some(progress): Option<AinovelProgress> = folder.json_of(&["meta/progress.json", "progress.json"]) else {
        return;
    };
    folder.book.manuscript.title = Some(progress.novel_name).filter(|name| !name.is_empty());
    let mut titles: BTreeMap<u32, (u32, String, String)> = BTreeMap::new();
    let volumes: Vec<VolumeOutline> =
        folder.json_of(&["layered_outline.json", "meta/layered_outline.json"]).unwrap_or_default();
    // The numbers of chapters count through the book.
    for volume in volumes {
        for entry in volume.arcs.into_iter().flat_map(|arc| arc.chapters) {
            titles.insert(titles.len() as u32 + 1, (volume.index, volume.title.clone(), entry.title));
        }
    }
    let flat: Vec<OutlineEntry> = folder.json_of(&["outline.json", "meta/outline.json"]).unwrap_or_default();
    for OutlineEntry { chapter, title } in flat {
        titles.entry(chapter).or_insert((1, String::new(), title));
    }
    let mut accepted = progress.completed_chapters;
    accepted.sort_unstable();
    accepted.dedup();
    for number in accepted {
        let (volume, of_volume, title) = titles.get(&number).cloned().unwrap_or((1, String::new(), String::new()));
        let path = [format!("chapters/{number:02}.md"), format!("chapters/{number:03}.md")];
        let path = path.into_iter().find(|path| folder.files.contains_key(path));
        folder.chapter(number, &title, (volume, &of_volume), path);
        if let Some(ChapterSummary { summary, rest }) = folder.json(&format!("summaries/{number:02}.json")) {
            folder.unknown(&format!("第{number}章"), &rest);
            folder.book.summaries.insert(number, summary);
        }
    }
    folder.leave_out(["chapters", "drafts", "reviews"].iter().flat_map(|other| folder.under(other)).collect());
    records(folder);
    folder.research(&["premise.md", "meta/premise.md", "outline.md", "layered_outline.md"].map(str::to_owned));
}

fn records(folder: &mut Folder<'_>) {
    let people: Vec<CharacterCard> = folder.json_of(&["characters.json", "meta/characters.json"]).unwrap_or_default();
    for card in people {
        folder.unknown(&card.name, &card.rest);
        let texts = [card.description, card.arc, card.traits.join("、")];
        let texts: Vec<String> = texts.into_iter().filter(|text| !text.trim().is_empty()).collect();
        let profile = texts.join("\n\n");
        let (name, aliases, role) = (card.name, card.aliases, card.role);
        folder.book.people.push(PeerPerson { key: String::new(), name, aliases, role, profile });
    }
    let rules: Vec<WorldRule> = folder.json_of(&["world_rules.json", "meta/world_rules.json"]).unwrap_or_default();
    for WorldRule { category, rule, boundary } in rules {
        let rule = if boundary.is_empty() { rule } else { format!("{rule}（{boundary}）") };
        folder.book.rules.push(PeerRule { category, rule });
    }
    let threads: Vec<ForeshadowEntry> =
        folder.json_of(&["foreshadow_ledger.json", "meta/foreshadow_ledger.json"]).unwrap_or_default();
    for entry in threads {
        folder.unknown(&entry.id, &entry.rest);
        folder.book.threads.push(PeerThread {
            id: entry.id,
            description: entry.description,
            planted: entry.planted_at,
            resolved: Some(entry.resolved_at).filter(|chapter| *chapter > 0),
            ..PeerThread::default()
        });
    }
    let changes: Vec<StateChange> =
        folder.json_of(&["meta/state_changes.json", "state_changes.json"]).unwrap_or_default();
    for StateChange { chapter, entity, field, new_value } in changes {
        folder.book.facts.push(PeerFact { chapter, subject: entity, field, value: new_value });
    }
    let relations: Vec<RelationshipEntry> =
        folder.json_of(&["relationship_state.json", "meta/relationship_state.json"]).unwrap_or_default();
    for RelationshipEntry { character_a, character_b, relation, chapter } in relations {
        let field = format!("与{character_b}的关系");
        folder.book.facts.push(PeerFact { chapter, subject: character_a, field, value: relation });
    }
}
