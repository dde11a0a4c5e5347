//! `waivers.json`: the deviations that the author intends.

use crate::domain::ChapterNo;
use crate::domain::chapter::{FindingId, Waiver, Waivers};
use crate::store::format::FormatError;
use crate::store::format::json::{self, Disk};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
struct WaiversDisk {
    waivers: Vec<WaiverDisk>,
}

#[derive(Serialize, Deserialize)]
struct WaiverDisk {
    /// Missing for every chapter of the book.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    chapter: Option<ChapterNo>,
    check: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    subject: String,
    #[serde(default)]
    reason: String,
}

impl Disk for WaiversDisk {}

pub fn read(bytes: &[u8]) -> Result<Waivers, FormatError> {
    let disk: WaiversDisk = json::read(bytes)?;
    let waiver = |disk: WaiverDisk| Waiver {
        finding: FindingId { chapter: disk.chapter, check: disk.check, subject: disk.subject },
        reason: disk.reason,
    };
    Ok(Waivers { list: disk.waivers.into_iter().map(waiver).collect() })
}

pub fn write(waivers: &Waivers, previous: Option<&[u8]>) -> Vec<u8> {
    let waiver = |waiver: &Waiver| WaiverDisk {
        chapter: waiver.finding.chapter,
        check: waiver.finding.check.clone(),
        subject: waiver.finding.subject.clone(),
        reason: waiver.reason.clone(),
    };
    json::write(&WaiversDisk { waivers: waivers.list.iter().map(waiver).collect() }, previous)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::format::samples::{self, chapter_number, line, words};
    use proptest::collection::vec;
    use proptest::option;
    use proptest::prelude::*;

    fn waivers() -> impl Strategy<Value = Waivers> {
        let id = (option::of(chapter_number()), line(), words());
        let id = id.prop_map(|(chapter, check, subject)| FindingId { chapter, check, subject });
        let waiver = (id, words()).prop_map(|(finding, reason)| Waiver { finding, reason });
        vec(waiver, 0..4).prop_map(|list| Waivers { list })
    }

    #[test]
    fn a_rule_of_one_chapter_and_a_name_of_all_are_read() {
        let text = r#"{"waivers": [{"chapter": 12, "check": "W-003", "reason": "破例一次"},
            {"check": "variant", "subject": "林峰", "reason": "另一个人", "note": "第三卷出场"}]}"#;
        let waivers = read(text.as_bytes()).unwrap();
        let ids: Vec<String> = waivers.list.iter().map(|waiver| waiver.finding.to_string()).collect();
        assert_eq!(ids, ["ch-012/W-003", "all/variant/林峰"]);
        assert!(String::from_utf8(write(&waivers, Some(text.as_bytes()))).unwrap().contains("第三卷出场"));
    }

    proptest! {
        #[test]
        fn any_waivers_survive(waivers in waivers()) {
            samples::survives(&waivers, read, write, &[])?;
        }
    }
}
