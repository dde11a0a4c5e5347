use super::Failure;
use crate::domain::chapter::waiver::FindingId;
use crate::pipeline::engine::error::WaiverError;
use crate::report::prelude::*;
use crate::text::consistency::Sort;

impl From<WaiverError> for Failure {
    fn from(error: WaiverError) -> Self {
        let no = Self::no;
        match error {
            WaiverError::UnknownCheck(finding) => {
                let check = &finding.check;
                let known = Both::of(|lang| {
                    let sorts = listed(Sort::ALL.iter().map(|sort| sort.as_str()), lang);
                    say!(lang, checks(sorts))
                });
                no(both!(book_has_neither_check_nor_rule(check))).hint(known).hint(both!(rules_have_their_ids_in_world))
            }
            WaiverError::RuleOfBook(finding) => no(both!(cannot_be_waived_for_whole_book(rule = &finding.check))),
            WaiverError::Subject { finding, wanted: true } => no(both!(does_not_say_about_whom_or(finding))),
            WaiverError::Subject { finding, wanted: false } => {
                let whole = FindingId { subject: String::new(), ..finding.clone() };
                no(both!(has_part_too_many(finding))).hint(both!(write(whole)))
            }
            WaiverError::NotFound { finding, found } => {
                let failure = no(both!(there_is_no_finding(finding)));
                if found.is_empty() {
                    return failure.hint(both!(nothing_in_chapter_contradicts_records));
                }
                found.into_iter().fold(failure, |failure, one| failure.hint(both!(chapter_has(one))))
            }
            WaiverError::NotWaived(finding) => no(both!(is_not_waived(finding))),
        }
    }
}
