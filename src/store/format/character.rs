//! `characters/active/<id>.json`, a character's data and contracts (L2), beside `<id>.md`, the profile in prose, and
//! `characters/relationships.json`, the initial relationships.

use crate::domain::Slug;
use crate::domain::notation::or_default;
use crate::domain::world::character::{Character, Relationship};
use crate::domain::world::contract::CharacterContract;
use crate::store::format::json::{self, Disk};
use crate::store::format::{At, FormatError, Mistake, Problem, text};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
struct CharacterDisk {
    id: Option<Slug>,
    display_name: String,
    #[serde(default, deserialize_with = "or_default")]
    aliases: Vec<String>,
    #[serde(default, deserialize_with = "or_default", skip_serializing_if = "Vec::is_empty")]
    former_names: Vec<String>,
    #[serde(default, deserialize_with = "or_default")]
    role: String,
    #[serde(default, deserialize_with = "or_default")]
    storylines: Vec<Slug>,
    #[serde(default, deserialize_with = "or_default")]
    speech: String,
    #[serde(default)]
    contracts: Vec<CharacterContract>,
}

impl Disk for CharacterDisk {}

/// Reads a character from its two files. The id is the file's name, and one inside has to agree.
pub fn read(id: &Slug, bytes: &[u8], profile: &[u8]) -> Result<Character, FormatError> {
    let disk: CharacterDisk = json::read(bytes)?;
    if let Some(found) = disk.id.filter(|found| found != id) {
        let problem = Problem::Value(Mistake::OtherId { name: id.clone(), found });
        return Err(FormatError { at: At::Key("id".into()), problem });
    }
    if disk.display_name.trim().is_empty() {
        return Err(FormatError { at: At::Key("display_name".into()), problem: Problem::Value(Mistake::NoName) });
    }
    Ok(Character {
        id: id.clone(),
        display_name: disk.display_name,
        aliases: disk.aliases,
        former_names: disk.former_names,
        role: disk.role,
        storylines: disk.storylines,
        speech: disk.speech,
        profile: text(profile)?.trim().to_owned(),
        contracts: disk.contracts,
    })
}

/// Writes the `.json` half.
pub fn write(character: &Character, previous: Option<&[u8]>) -> Vec<u8> {
    let disk = CharacterDisk {
        id: Some(character.id.clone()),
        display_name: character.display_name.clone(),
        aliases: character.aliases.clone(),
        former_names: character.former_names.clone(),
        role: character.role.clone(),
        storylines: character.storylines.clone(),
        speech: character.speech.clone(),
        contracts: character.contracts.clone(),
    };
    json::write(&disk, previous)
}

/// Writes the `.md` half: the profile as it is, with one final newline.
pub fn write_profile(character: &Character) -> Vec<u8> {
    format!("{}\n", character.profile.trim()).into_bytes()
}

#[derive(Serialize, Deserialize)]
struct RelationshipsDisk {
    relationships: Vec<Relationship>,
}

impl Disk for RelationshipsDisk {}

/// The initial relationships of people.
pub fn read_relationships(bytes: &[u8]) -> Result<Vec<Relationship>, FormatError> {
    Ok(json::read::<RelationshipsDisk>(bytes)?.relationships)
}

pub fn write_relationships(relationships: &[Relationship], previous: Option<&[u8]>) -> Vec<u8> {
    json::write(&RelationshipsDisk { relationships: relationships.to_vec() }, previous)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::format::samples;
    use proptest::prelude::*;

    #[test]
    fn the_contracts_of_the_product_document_are_read() {
        let text = r#"{"display_name": "沈渡", "contracts": [
            {"id": "C-SHENDU-001", "type": "capability", "rule": "不会水", "valid_from_chapter": 1, "valid_until": null,
             "update_requires": "大纲里写明"},
            {"id": "C-SHENDU-002", "type": "personality", "rule": "先看手再看脸", "exceptions": ["醉酒"]}]}"#;
        let id = Slug::new("shen-du").unwrap();
        let character = read(&id, text.as_bytes(), "\u{feff}# 沈渡\r\n\r\n摆渡人。\r\n".as_bytes()).unwrap();
        assert_eq!(character.profile, "# 沈渡\n\n摆渡人。");
        assert_eq!((character.contracts[1].valid_from, character.contracts[0].valid_until), (1, None));
        let other = text.replacen('{', r#"{"id": "a-qi", "#, 1);
        assert!(read(&id, other.as_bytes(), b"").unwrap_err().to_string().contains("a-qi"));
        let nameless = text.replace("\"沈渡\"", "\" \"");
        let error = read(&id, nameless.as_bytes(), b"").unwrap_err();
        assert_eq!(error.problem, Problem::Value(Mistake::NoName));
    }

    #[test]
    fn an_author_s_remark_stays_beside_a_relationship() {
        let text =
            r#"{"relationships": [{"from": "a-qi", "to": "shen-du", "type": "师徒", "note": "", "since": "第一卷"}]}"#;
        let mut relationships = read_relationships(text.as_bytes()).unwrap();
        relationships[0].note = "欠着一条船".into();
        let written = String::from_utf8(write_relationships(&relationships, Some(text.as_bytes()))).unwrap();
        assert!(written.contains("\"since\": \"第一卷\"") && written.contains("欠着一条船"), "{written}");
        assert!(read_relationships(r#"{"relationships": [{"from": "阿七", "to": "b"}]}"#.as_bytes()).is_err());
    }

    proptest! {
        #[test]
        fn any_relationships_survive(relationships in samples::relationships()) {
            samples::survives(&relationships, read_relationships, |r, previous| write_relationships(r, previous), &[])?;
        }

        #[test]
        fn any_character_survives(character in samples::character()) {
            let profile = write_profile(&character);
            samples::survives(&character, |bytes| read(&character.id, bytes, &profile), write, &[])?;
        }
    }
}
