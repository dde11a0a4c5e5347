//! `world/rules.json` (L1) and `storylines/storyline-spec.json` (LS): lists of rules in one notation.

use crate::domain::world::contract::{Rule, Strength};
use crate::store::format::json::{self, Disk};
use crate::store::format::{FormatError, VERSION};
use serde::{Deserialize, Serialize};
use serde_json::Value;

#[derive(Serialize, Deserialize)]
struct RulesDisk {
    rules: Vec<RuleDisk>,
}

#[derive(Serialize, Deserialize)]
struct RuleDisk {
    id: String,
    #[serde(default)]
    category: String,
    rule: String,
    constraint_type: Strength,
    #[serde(default)]
    exceptions: Vec<String>,
    #[serde(default)]
    introduced_chapter: u32,
    /// Only in rules of the world.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    last_verified: Option<Value>,
}

impl Disk for RulesDisk {
    const NEWEST: u32 = VERSION;
}

pub fn read(bytes: &[u8]) -> Result<Vec<Rule>, FormatError> {
    let disk: RulesDisk = json::read(bytes)?;
    let rule = |rule: RuleDisk| Rule {
        id: rule.id,
        category: rule.category,
        rule: rule.rule,
        strength: rule.constraint_type,
        exceptions: rule.exceptions,
        introduced_chapter: rule.introduced_chapter,
        last_verified: rule.last_verified.and_then(|chapter| u32::try_from(chapter.as_u64()?).ok()),
    };
    Ok(disk.rules.into_iter().map(rule).collect())
}

pub fn write(rules: &[Rule], previous: Option<&[u8]>) -> Vec<u8> {
    written(rules, &|rule| Some(rule.last_verified.into()), previous)
}

/// Writes the rules of the storylines, without the notes of the running book.
pub fn write_spec(rules: &[Rule], previous: Option<&[u8]>) -> Vec<u8> {
    written(rules, &|rule| rule.last_verified.map(Value::from), previous)
}

fn written(rules: &[Rule], verified: &dyn Fn(&Rule) -> Option<Value>, previous: Option<&[u8]>) -> Vec<u8> {
    let rule = |rule: &Rule| RuleDisk {
        id: rule.id.clone(),
        category: rule.category.clone(),
        rule: rule.rule.clone(),
        constraint_type: rule.strength,
        exceptions: rule.exceptions.clone(),
        introduced_chapter: rule.introduced_chapter,
        last_verified: verified(rule),
    };
    json::write(&RulesDisk { rules: rules.iter().map(rule).collect() }, previous)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::format::samples;
    use proptest::prelude::*;

    #[test]
    fn both_files_of_the_product_document_are_read() {
        let world = r#"{"rules": [{"id": "W-001", "category": "magic", "rule": "夜里不渡船", "constraint_type": "hard",
            "exceptions": [], "introduced_chapter": 1, "last_verified": 47}]}"#;
        let spec = r#"{"spec_version": 1, "rules": [{"id": "LS-002", "category": "transition", "rule": "先立时空",
            "constraint_type": "soft"}]}"#;
        assert_eq!(read(world.as_bytes()).unwrap()[0].introduced_chapter, 1);
        assert_eq!(read(spec.as_bytes()).unwrap()[0].strength, Strength::Soft);
        let mut rules = read(world.as_bytes()).unwrap();
        assert_eq!(rules[0].last_verified, Some(47));
        rules[0].exceptions.push("寒食夜".into());
        assert!(String::from_utf8(write(&rules, Some(world.as_bytes()))).unwrap().contains("\"last_verified\": 47"));
        rules[0].last_verified = None;
        assert!(String::from_utf8(write(&rules, Some(world.as_bytes()))).unwrap().contains("\"last_verified\": null"));
        let ls = read(spec.as_bytes()).unwrap();
        assert!(!String::from_utf8(write_spec(&ls, None)).unwrap().contains("last_verified"));
        let typo = world.replace("hard", "hart");
        let error = read(typo.as_bytes()).unwrap_err().to_string();
        assert!(error.starts_with("line 1") && error.contains("hard, soft"), "{error}");
    }

    proptest! {
        #[test]
        fn any_rules_survive(rules in samples::rules()) {
            samples::survives(&rules, read, |rules, previous| write(rules, previous), &[])?;
        }
    }
}
