//! The reader's ledger as instructions: open questions, and excesses or lacks of the last chapters.

use crate::agents::context::{PartLimits, may_know};
use crate::agents::prelude::*;
use crate::domain::chapter::summary::{ChapterKind, Hook, OpenQuestion, PacingFlag, ReaderLedger};

/// Questions named, the youngest first; a reader remembers no more.
const MOST: usize = 5;
const LONGEST: usize = 40;

/// The question to be taken up, tiring habits, then other questions of lines that the chapter may know.
pub(crate) fn reader(context: &ChapterContext, extent: &PartLimits) -> String {
    let known: Vec<&OpenQuestion> =
        context.reader.questions.iter().filter(|question| may_know(context, &question.storyline)).collect();
    let last = known.iter().rev().find(|question| Some(question.chapter) == context.line_before);
    let first = last.map(|question| format!("{}：这一章先接住它，答了，或者让它更急，不能当没问过", asked(question)));
    let is_told = |flag: &&PacingFlag| match flag {
        PacingFlag::Unanswered(question) => may_know(context, &question.storyline),
        _ => true,
    };
    let tired = context.reader.pacing.iter().filter(is_told).map(|flag| instruction(flag, "这一章"));
    let others =
        known.iter().filter(|question| Some(question.chapter) != context.line_before && !question.is_overdue());
    let waiting: Vec<String> = others.rev().take(MOST).map(|question| asked(question)).collect();
    let waiting = (!waiting.is_empty()).then(|| format!("读者还在等：{}", waiting.join("；")));
    bullets(first.into_iter().chain(tired).chain(waiting).take(extent.reader))
}

/// The questions and worn patterns of all lines, for planners.
pub(crate) fn reader_lines(ledger: &ReaderLedger) -> String {
    let ReaderLedger { questions, pacing } = ledger;
    let tired = pacing.iter().take(MOST + 3).map(|flag| instruction(flag, "接下来"));
    let waiting = questions.iter().filter(|question| !question.is_overdue()).rev().take(MOST);
    bullets(tired.chain(waiting.map(|question| format!("读者还在等：{}", asked(question)))))
}

/// The open questions that a summarizer compares a chapter with.
pub(crate) fn open_questions(context: &ChapterContext) -> String {
    let known = context.reader.questions.iter().rev().filter(|question| may_know(context, &question.storyline));
    let mut shown: Vec<String> = known.take(2 * MOST).map(asked).collect();
    shown.reverse();
    bullets(shown)
}

/// `第12章留下的“谁敲的门”`
fn asked(question: &OpenQuestion) -> String {
    format!("第{}章留下的“{}”", question.chapter.get(), clip_line(&question.question, LONGEST))
}

/// The instruction against a habit, for the chapters that `place` names.
fn instruction(flag: &PacingFlag, place: &str) -> String {
    match flag {
        PacingFlag::SameHook { hook, chapters } => {
            format!("{}都用{}收尾：{place}换一种收法", named(chapters), hook_name(*hook))
        }
        PacingFlag::SameKind { kind, chapters } => {
            format!("{}都在写{}：{place}换一种场面", named(chapters), kind_name(*kind))
        }
        PacingFlag::NoPayoff { chapters } => {
            format!("{}没有一件读者等着的事兑现：{place}给他一件", named(chapters))
        }
        PacingFlag::Unanswered(question) => format!(
            "{}，这条线又写了 {} 章没有回音：{place}给个说法，或者让人物自己提起它",
            asked(question),
            question.later
        ),
    }
}

/// `第10到12章`; chapters in a row have no gaps but those of removed chapters.
fn named(chapters: &[ChapterNo]) -> String {
    match chapters {
        [first, .., last] => format!("第{}到{}章", first.get(), last.get()),
        _ => "最近几章".to_owned(),
    }
}

fn hook_name(hook: Hook) -> &'static str {
    match hook {
        Hook::Question => "悬念",
        Hook::Danger => "危机",
        Hook::Reversal => "反转",
        Hook::Arrival => "来人来物",
        Hook::Choice => "抉择",
        Hook::Promise => "约定",
        Hook::Rest => "收住不勾的写法",
    }
}

fn kind_name(kind: ChapterKind) -> &'static str {
    match kind {
        ChapterKind::Confrontation => "交锋",
        ChapterKind::Pursuit => "追逃",
        ChapterKind::Investigation => "查探",
        ChapterKind::Negotiation => "周旋",
        ChapterKind::Revelation => "揭底",
        ChapterKind::Preparation => "筹备",
        ChapterKind::Journey => "行路",
        ChapterKind::Respite => "喘息",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Slug;

    fn chapter(number: u32) -> ChapterNo {
        ChapterNo::new(number).unwrap()
    }

    fn question(number: u32, later: usize) -> OpenQuestion {
        let (question, storyline) = (format!("第{number}扇门后面是谁"), Slug::new("main-arc").unwrap());
        OpenQuestion { chapter: chapter(number), storyline, question, later }
    }

    #[test]
    fn planners_read_what_tires_first_and_then_the_youngest_questions() {
        let pacing = vec![
            PacingFlag::SameHook { hook: Hook::Danger, chapters: (7..=9).map(chapter).collect() },
            PacingFlag::Unanswered(question(2, 6)),
        ];
        let questions: Vec<OpenQuestion> = (2..=9).map(|n| question(n, usize::from(n == 2) * 6)).collect();
        let text = reader_lines(&ReaderLedger { questions, pacing });
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "- 第7到9章都用危机收尾：接下来换一种收法");
        assert!(lines[1].contains("第2章留下的“第2扇门后面是谁”，这条线又写了 6 章没有回音"), "{text}");
        assert_eq!((lines.len(), lines[2]), (2 + MOST, "- 读者还在等：第9章留下的“第9扇门后面是谁”"));
    }
}
