//! Texts that sell a book, made of its own records. The reply is on a draft that is put aside: nothing of it joins the book.

use crate::agents::planners::plot_architect::{self, BlurbReading};
use crate::pipeline::book::planning_context;
use crate::pipeline::engine::call_record::DRAFT_ONLY;
use crate::pipeline::planning::draft::PlanDraft;
use crate::pipeline::prelude::*;

/// Lets the plot architect write title candidates, a blurb, tags and selling points. Returns them in Markdown.
/// After an interruption the same state of the book reuses the paid reply.
pub async fn write_blurb(run: &Run<'_>) -> Result<String, RunError> {
    let view = BookView::new(run.session.book().snapshot()?);
    let context = planning_context::of_book(&view)?;
    let first = view.contents()?.iter().next();
    let opening = first.map(|(number, _)| view.chapter(number)).transpose()?.map_or(String::new(), |text| text.body);
    let request = format!("blurb {}", view.commit_id());
    let draft = PlanDraft::open(run, Work::Step(Step::Blurb), &request, DraftFiles::default())?;
    let path = format!("{DRAFT_ONLY}blurb.md");
    if draft.read(&path)?.is_none() {
        let result = |reading: BlurbReading| {
            let note = StageNote::Name(reading.titles.first().cloned().unwrap_or_default());
            Ok((Change::default().put(&path, markdown(&context.config.title, &reading)), note))
        };
        let task = Task::Blurb { context: &context, opening: &opening };
        draft.ask(PlanStage::Blurb, &task, plot_architect::read_blurb, result).await?;
    }
    let text = String::from_utf8_lossy(&draft.read(&path)?.unwrap_or_default()).into_owned();
    draft.session.abandon()?;
    Ok(text)
}

fn markdown(title: &str, reading: &BlurbReading) -> String {
    let list = |entries: &[String]| entries.iter().map(|entry| format!("- {entry}\n")).collect::<String>();
    let BlurbReading { titles, blurb, tags, selling_points } = reading;
    let heading = if title.is_empty() { "文案".to_owned() } else { format!("《{title}》文案") };
    let mut text = format!("# {heading}\n\n## 书名候选\n\n{}\n## 简介\n\n{}\n", list(titles), blurb.join("\n\n"));
    if !tags.is_empty() {
        text.push_str(&format!("\n## 标签\n\n{}\n", tags.join("、")));
    }
    if !selling_points.is_empty() {
        text.push_str(&format!("\n## 卖点\n\n{}", list(selling_points)));
    }
    text
}
