//! The theme: what the book is about, in the brief.

use crate::agents::planners::plot_architect::{self, ThemeReading};
use crate::pipeline::book::planning_context;
use crate::pipeline::planning::step::{self, Existing, closing_of, noted, request_key, require};
use crate::pipeline::prelude::*;

/// Lets the plot architect say what the book is about, and writes it into the brief.
pub async fn find_theme(run: &Run<'_>, existing: Existing) -> Result<Done, RunError> {
    let (stage, request) = (PlanStage::Theme, request_key("", existing));
    let check = |book: &_| require(book, Step::Theme);
    let taken = step::take_step(run, Work::Step(Step::Theme), &request, check, async |draft| {
        if !draft.has(stage)? {
            let context = planning_context::of_book(&BookView::new(draft.snapshot()?))?;
            let result = |reading: ThemeReading| {
                let brief = brief_with(&context.brief, &reading, existing);
                let change = Change::default().put(layout::BRIEF, brief);
                Ok((noted(change, &context, ""), StageNote::Name(reading.theme)))
            };
            draft.ask(stage, &Task::Theme { context: &context }, plot_architect::read_theme, result).await?;
        }
        closing_of(draft, Kind::Plan, Step::Theme, Subject::Theme(draft.words_of(stage)?), "")
    });
    taken.await?.plain()
}

/// The brief with the new texts under its headings. A new text follows an existing one, or replaces it.
fn brief_with(brief: &str, reading: &ThemeReading, existing: Existing) -> String {
    let texts = [
        ("## 一句话", &reading.logline),
        ("## 主题", &reading.theme),
        ("## 核心冲突", &reading.conflict),
        ("## 结局方向", &reading.ending),
    ];
    let mut lines: Vec<String> = brief.trim_end().lines().map(str::to_owned).collect();
    for (heading, text) in texts.into_iter().filter(|(_, text)| !text.trim().is_empty()) {
        let text = text.lines().map(|line| line.trim_start_matches('#').trim()).collect::<Vec<_>>().join("\n");
        let Some(at) = lines.iter().position(|line| line.trim() == heading) else {
            lines.extend([String::new(), heading.to_owned(), String::new(), text]);
            continue;
        };
        if existing == Existing::Replaced {
            let words = |line: &String| !(line.starts_with('#') || line.trim_start().starts_with("<!--"));
            let said = lines[at + 1..].iter().take_while(|line| words(line)).count();
            lines.drain(at + 1..at + 1 + said);
            lines.insert(at + 1, String::new());
        }
        let end = lines[at + 1..].iter().position(|line| line.starts_with('#')).map_or(lines.len(), |n| at + 1 + n);
        let section = lines[at + 1..end].join("\n");
        if section.contains(&text) {
            continue;
        }
        // Before the template's advice, behind the author's words.
        let advice = lines[at + 1..end].iter().position(|line| line.trim_start().starts_with("<!--"));
        let insert = advice.map_or(end, |n| at + 1 + n);
        let insert =
            if advice.is_none() && insert > at + 1 && lines[insert - 1].is_empty() { insert - 1 } else { insert };
        let before = if lines[insert - 1].is_empty() { Vec::new() } else { vec![String::new()] };
        lines.splice(insert..insert, before.into_iter().chain([text, String::new()]));
    }
    lines.join("\n") + "\n"
}
