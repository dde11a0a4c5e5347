//! Contradictions between a chapter and the records, as instructions for its reviser.

use crate::domain::chapter::evaluation::Fix;
use crate::text::consistency::{Contradiction, Inconsistency};

/// The line that leaves the rest of the chapter alone.
pub(crate) const NOTHING_ELSE: &str = "别处一个字不改";
/// The words before the right spelling.
pub(crate) const SPELT: &str = "一律写作";

/// Returns the instructions for these findings; `None` where a revision mends nothing.
pub fn revision_wish<'f>(findings: impl IntoIterator<Item = &'f Inconsistency>) -> Option<String> {
    let wishes: Vec<String> = findings.into_iter().filter_map(line).collect();
    (!wishes.is_empty()).then(|| format!("{}\n{NOTHING_ELSE}", wishes.join("\n")))
}

/// Returns the fixes in the instructions: one a line, of the passage quoted at the line's beginning, or else of the
/// whole chapter.
pub fn fixes(wish: &str) -> Vec<Fix> {
    let fix = |line: &str| {
        let (target, instruction) =
            line.strip_prefix('「').and_then(|rest| rest.split_once('」')).unwrap_or(("全章", line));
        Fix { target: target.to_owned(), instruction: instruction.to_owned() }
    };
    wish.lines().map(str::trim).filter(|line| !line.is_empty()).map(fix).collect()
}

/// Returns the instruction for this finding; `None` where a revision mends nothing.
pub fn line(finding: &Inconsistency) -> Option<String> {
    let fix = fix(&finding.what)?;
    let what = finding.what.in_chinese();
    Some(match finding.quotation.is_empty() {
        true => format!("{what}：{fix}"),
        // The quotation marks of the passage are no part of it.
        false => format!("「{}」{what}：{fix}", finding.quotation.trim_end_matches('…').replace(['「', '」'], "")),
    })
}

/// The change that mends a contradiction; `None` where instructions to a reviser cannot help.
fn fix(what: &Contradiction) -> Option<String> {
    Some(match what {
        Contradiction::Dead { person, .. } => {
            format!("{person}不能在场，他的言行换给在场的人，或者写成旁人想起、转述的旧事")
        }
        Contradiction::Retired { person } => format!("{person}已经离开故事，他的言行换给在场的人，或者写明是旧事"),
        Contradiction::Leak { person, .. } => format!("这一章的人不该提到{person}，删去，或者换成本线的人"),
        Contradiction::TwoOwners { item, .. } => format!("{item}只有一样，写清楚在谁手里、怎么到的"),
        Contradiction::NotHeld { person, item, owner: Some(owner) } => {
            format!("{item}在{owner}手里，让{person}换一样真有的东西，或者写出他怎么拿到的")
        }
        Contradiction::NotHeld { person, item, owner: None } => {
            format!("{item}已经没有了，让{person}换一样真有的东西")
        }
        Contradiction::Place { person, was, is } => {
            format!("{person}上一次在{was}，写一句他怎么到的{is}，或者改回{was}")
        }
        Contradiction::Count { recorded, .. } => format!("照记录改成 {recorded}，或者写出多的、少的到哪里去了"),
        Contradiction::Figure { was, .. } => format!("照从前的“{was}”改正，或者写出变化的由来"),
        Contradiction::Task { id, action } => format!("把{}「{id}」的那一笔写进去", action.verb()),
        Contradiction::Age { was, .. } => format!("照从前的 {was} 岁推算，改正年岁"),
        Contradiction::Date { was, .. } => format!("时候不能早于{was}，改正"),
        Contradiction::Variant { meant, .. } => format!("{SPELT}“{meant}”"),
        Contradiction::Quotes { .. } | Contradiction::Title { .. } => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::ChapterNo;

    #[test]
    fn each_finding_says_what_to_change_and_those_beyond_a_reviser_are_left_out() {
        let finding =
            |what, quotation: &str| Inconsistency { chapter: ChapterNo::FIRST, what, quotation: quotation.into() };
        let found = [
            finding(Contradiction::Variant { form: "林峰".into(), meant: "林枫".into(), fills: None }, "林峰推门"),
            finding(Contradiction::Quotes { odd: 1, usual: 9 }, ""),
        ];
        let wish = revision_wish(&found).unwrap();
        let fixes = fixes(&wish);
        assert_eq!((fixes[0].target.as_str(), fixes[1].target.as_str()), ("林峰推门", "全章"));
        assert!(fixes[0].instruction.ends_with("：一律写作“林枫”"), "{wish}");
        assert_eq!((revision_wish(&found[1..]), fixes.len()), (None, 2));
        assert_eq!(super::fixes("写得再紧一些")[0].target, "全章");
    }
}
