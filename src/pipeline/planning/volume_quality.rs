//! The quality of a volume: its quality briefs put together, what its chapters pay their reader, and what contradicts the records.

use crate::agents::context::reader_lines;
use crate::domain::chapter::summary::{ChapterMemory, ReaderLedger};
use crate::domain::quality::{QualityBrief, StyleFigure, StyleMeasure};
use crate::pipeline::book::files;
use crate::pipeline::checks::consistency::{examine, is_conflict};
use crate::pipeline::prelude::*;
use crate::pipeline::quality;

const SPELLED_OUT: usize = 8;

/// The lines of the review's section on quality.
pub(super) fn quality(
    book: &Book,
    view: &BookView<'_>,
    volume: VolumeNo,
    chapters: &[ChapterNo],
) -> Result<Vec<String>, RunError> {
    let mut briefs = Vec::new();
    let mut memories = Vec::new();
    for chapter in chapters {
        briefs.extend(quality::figures::quality_brief(view, *chapter)?);
        memories.extend(files::chapter_memory(view, volume, *chapter)?);
    }
    let mut lines = scores(&briefs);
    lines.extend(style(&briefs));
    lines.extend(reader(&memories));
    let (Some(first), Some(last)) = (chapters.first(), chapters.last()) else { return Ok(lines) };
    let found = examine(book, Some(*first), Some(*last))?;
    let against: Vec<String> = found
        .findings
        .iter()
        .filter(|finding| is_conflict(finding))
        .map(|finding| format!("{} {}", finding.chapter, finding.what.in_chinese()))
        .collect();
    lines.push(match against.len() {
        0 => "和记录冲突：没有".to_owned(),
        count => format!("和记录冲突：{count} 处。{}", against[..count.min(SPELLED_OUT)].join("；")),
    });
    Ok(lines)
}

/// The mean of each block of chapters that was judged, and how many chapters needed help.
fn scores(briefs: &[QualityBrief]) -> Vec<String> {
    let mean = |brief: &QualityBrief| Some(format!("{}–{} {:.2}", brief.first, brief.last, brief.mean()?));
    let means: Vec<String> = briefs.iter().filter_map(mean).collect();
    let figures = briefs.iter().flat_map(|brief| &brief.chapters);
    let helped: Vec<String> =
        figures.filter(|chapter| chapter.needed_help()).map(|chapter| chapter.chapter.to_string()).collect();
    let means = (!means.is_empty()).then(|| format!("每五章均分：{}", means.join("、")));
    let helped = (!helped.is_empty()).then(|| format!("修订过、强制通过或由作者决定的章：{}", helped.join("、")));
    means.into_iter().chain(helped).collect()
}

/// The figures of style that leave the range of books by people, in the mean of the blocks, and the blocks with an alarm.
fn style(briefs: &[QualityBrief]) -> Vec<String> {
    let measures = StyleMeasure::ALL.iter().filter_map(|measure| {
        let of_measure = |brief: &QualityBrief| brief.style.iter().find(|figure| figure.measure == *measure).copied();
        let figures: Vec<StyleFigure> = briefs.iter().filter_map(of_measure).collect();
        let (low, high) = figures.first()?.human?;
        let mean = figures.iter().map(|figure| figure.now).sum::<f64>() / figures.len() as f64;
        if (low..=high).contains(&mean) {
            return None;
        }
        let shown = |value| measure.shown(value);
        Some(format!("{} {}（人写的书 {}–{}）", measure.in_chinese(), shown(mean), shown(low), shown(high)))
    });
    let outside: Vec<String> = measures.collect();
    let moved = briefs.iter().filter(|brief| brief.drift.alarm).map(|brief| format!("{}–{}", brief.first, brief.last));
    let moved: Vec<String> = moved.collect();
    let outside = (!outside.is_empty()).then(|| format!("和人写的书不一样的：{}", outside.join("、")));
    let moved = (!moved.is_empty()).then(|| format!("文风走样：{}", moved.join("、")));
    outside.into_iter().chain(moved).collect()
}

/// The payoffs of the chapters, and the habits and questions at the volume's end.
fn reader(memories: &[ChapterMemory]) -> Vec<String> {
    let noted = memories.iter().filter(|memory| memory.entry.reader.is_noted()).count();
    if noted == 0 {
        return Vec::new();
    }
    let paying = memories.iter().filter(|memory| memory.entry.reader.pays()).count();
    let ledger = reader_lines(&ReaderLedger::of(memories));
    let ledger = ledger.lines().map(|line| line.trim_start_matches("- ").to_owned());
    [format!("有兑现的章：{paying}/{noted}")].into_iter().chain(ledger).collect()
}
