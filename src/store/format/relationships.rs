//! `characters/relationships.json`: initial relationships.

use super::FormatError;
use super::json::{self, Disk};
use crate::domain::world::character::Relationship;
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
struct RelationshipsDisk {
    relationships: Vec<Relationship>,
}

impl Disk for RelationshipsDisk {}

pub fn read(bytes: &[u8]) -> Result<Vec<Relationship>, FormatError> {
    Ok(json::read::<RelationshipsDisk>(bytes)?.relationships)
}

pub fn write(relationships: &[Relationship], previous: Option<&[u8]>) -> Vec<u8> {
    json::write(&RelationshipsDisk { relationships: relationships.to_vec() }, previous)
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
