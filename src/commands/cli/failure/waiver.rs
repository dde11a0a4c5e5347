//! Failures of waiving a finding.

use super::Failure;
use crate::commands::cli::exit::Exit;
use crate::domain::chapter::waiver::FindingId;
use crate::pipeline::engine::waiver_error::WaiverError;
use crate::report::lang::both;
use crate::text::consistency::Sort;

impl From<WaiverError> for Failure {
    fn from(error: WaiverError) -> Self {
        let no = |message| Self::new(Exit::No, message);
        match error {
            WaiverError::UnknownCheck(finding) => {
                let check = &finding.check;
                let sorts = Sort::ALL.iter().map(|sort| sort.as_str()).collect::<Vec<_>>().join(", ");
                no(both!("书里没有叫 {check} 的检查或规则", "the book has neither a check nor a rule called {check}"))
                    .hint(both!("检查: {sorts}", "checks: {sorts}"))
                    .hint(both!(
                        "规则的编号在 world/rules.json、人物、章的契约里；某一章的: `novel show 章号 --evaluation`",
                        "rules have their ids in world/rules.json, characters and contracts; those of a chapter: `novel show CHAPTER --evaluation`"
                    ))
            }
            WaiverError::RuleOfBook(finding) => {
                let rule = &finding.check;
                no(both!("{rule} 不能全书豁免", "{rule} cannot be waived for the whole book"))
                    .hint(both!(
                        "只豁免一章: `novel waive ch-012/{rule} --reason 理由`",
                        "waive it in one chapter: `novel waive ch-012/{rule} --reason TEXT`"
                    ))
                    .hint(both!(
                        "规则不该再管用，就改规则本身",
                        "if the rule is no longer to hold, change the rule itself"
                    ))
            }
            WaiverError::Subject { finding, wanted: true } => {
                no(both!("{finding} 没说是谁、是什么", "{finding} does not say about whom or what"))
                    .hint(both!("照 `novel check` 给的编号写全", "write the whole name that `novel check` gives"))
            }
            WaiverError::Subject { finding, wanted: false } => {
                let whole = FindingId { subject: String::new(), ..finding.clone() };
                no(both!("{finding} 多了一段", "{finding} has a part too many"))
                    .hint(both!("写成 {whole}", "write {whole}"))
            }
            WaiverError::NotFound { finding, found } => {
                let failure = no(both!("查不到 {finding}", "there is no finding {finding}"));
                if found.is_empty() {
                    return failure
                        .hint(both!("这一章没有和记录对不上的地方", "nothing in the chapter contradicts the records"));
                }
                found
                    .into_iter()
                    .fold(failure, |failure, one| failure.hint(both!("这一章有: {one}", "the chapter has: {one}")))
            }
            WaiverError::NotWaived(finding) => no(both!("没有豁免过 {finding}", "{finding} is not waived"))
                .hint(both!("`novel waive` 列出已豁免的", "`novel waive` lists what is waived")),
        }
    }
}
