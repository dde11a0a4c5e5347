//! `characters/relationships.json`: initial relationships.

use super::json::{self, Disk};
use super::{FormatError, as_text};
use crate::domain::Slug;
use crate::domain::world::character::Relationship;
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
struct RelationshipsDisk {
    relationships: Vec<RelationshipDisk>,
}

#[derive(Serialize, Deserialize)]
struct RelationshipDisk {
    #[serde(with = "as_text")]
    from: Slug,
    #[serde(with = "as_text")]
    to: Slug,
    #[serde(rename = "type", default)]
    kind: String,
    #[serde(default)]
    note: String,
}

impl Disk for RelationshipsDisk {}

pub fn read(bytes: &[u8]) -> Result<Vec<Relationship>, FormatError> {
    let disk: RelationshipsDisk = json::read(bytes)?;
    let relationship = |r: RelationshipDisk| Relationship { from: r.from, to: r.to, kind: r.kind, note: r.note };
    Ok(disk.relationships.into_iter().map(relationship).collect())
}

#[must_use]
pub fn write(relationships: &[Relationship], previous: Option<&[u8]>) -> Vec<u8> {
    let disk = |r: &Relationship| RelationshipDisk {
        from: r.from.clone(),
        to: r.to.clone(),
        kind: r.kind.clone(),
        note: r.note.clone(),
    };
    json::write(&RelationshipsDisk { relationships: relationships.iter().map(disk).collect() }, previous)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::format::samples;
    use proptest::prelude::*;

    #[test]
    fn an_author_s_remark_stays_beside_a_relationship() {
        let text =
            r#"{"relationships": [{"from": "a-qi", "to": "shen-du", "type": "师徒", "note": "", "since": "第一卷"}]}"#;
        let mut relationships = read(text.as_bytes()).unwrap();
        relationships[0].note = "欠着一条船".into();
        let written = String::from_utf8(write(&relationships, Some(text.as_bytes()))).unwrap();
        assert!(written.contains("\"since\": \"第一卷\"") && written.contains("欠着一条船"), "{written}");
        assert!(read(r#"{"relationships": [{"from": "阿七", "to": "b"}]}"#.as_bytes()).is_err());
    }

    proptest! {
        #[test]
        fn any_relationships_survive(relationships in samples::relationships()) {
            samples::survives(&relationships, read, |r, previous| write(r, previous), &[])?;
        }
    }
}
