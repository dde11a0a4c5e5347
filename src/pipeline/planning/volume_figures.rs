//! The figures of a finished volume, and its review as a file.

use crate::agents::PlanningContext;
use crate::agents::planners::plot_architect::ReviewReading;
use crate::domain::chapter::Gate;
use crate::domain::chapter::evaluation::{Check, Finding};
use crate::domain::chapter::summary::lines_seen;
use crate::domain::state::cleanup::{self, CleanupReason, Leftover};
use crate::domain::volume::foreshadowing::Action;
use crate::domain::volume::outline::Section;
use crate::domain::volume::plan::Plan;
use crate::domain::volume::{Judgement, Recommendation};
use crate::domain::world::contract::Layer;
use crate::domain::world::storyline::VolumeRole;
use crate::pipeline::book::files;
use crate::pipeline::book::names;
use crate::pipeline::book::planning_context;
use crate::pipeline::planning::volume_quality::quality;
use crate::pipeline::prelude::*;

/// How many chapters are named as the weakest.
const WEAKEST: usize = 3;
/// How many violations of a layer are spelled out.
const SPELLED_OUT: usize = 12;

pub(crate) struct VolumeChapter {
    chapter: ChapterNo,
    delta: Option<Delta>,
    page: Option<SummaryPage>,
    recorded: Option<RecordedEvaluation>,
}

impl VolumeChapter {
    fn lines(&self) -> impl Iterator<Item = (ChapterNo, &str)> {
        let lines = self.page.iter().flat_map(|page| lines_seen(Some(&page.storyline), &page.cross_references));
        lines.map(|line| (self.chapter, line))
    }
}

/// The volume's chapters, each file read once.
pub(crate) fn written(
    view: &BookView<'_>,
    volume: VolumeNo,
    outline: &Outline,
) -> Result<Vec<VolumeChapter>, RunError> {
    let read = |section: &Section| {
        let chapter = section.chapter;
        Ok(VolumeChapter {
            chapter,
            delta: files::delta(view, volume, chapter)?,
            page: files::summary(view, volume, chapter)?,
            recorded: files::evaluation(view, volume, chapter)?,
        })
    };
    outline.sections.iter().map(read).collect()
}

/// Entries of the state that nothing needs any more after the volume.
pub(crate) fn leftovers(
    view: &BookView<'_>,
    volume: VolumeNo,
    chapters: &[VolumeChapter],
) -> Result<Vec<Leftover>, RunError> {
    let deltas: Vec<&Delta> = chapters.iter().filter_map(|written| written.delta.as_ref()).collect();
    let pages = chapters.iter().filter_map(|written| written.page.as_ref());
    let mut texts: Vec<String> = pages.map(|page| page.text.clone()).collect();
    for written in chapters {
        let text = view.bytes(&layout::chapter(volume, written.chapter))?;
        texts.extend(text.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()));
    }
    let context = planning_context::of_book(view)?;
    texts.extend(context.memories.values().map(|memory| format!("{}\n{}", memory.status, memory.facts)));
    let (state, retired) = (view.state()?, files::retired(view)?);
    Ok(cleanup::leftovers(&cleanup::StoryRecords {
        state: &state,
        ledger: &context.ledger,
        storylines: &context.storylines,
        active: &context.characters,
        retired: &retired,
        deltas: &deltas,
        texts: &texts,
    }))
}

/// The sources of a volume's figures.
pub(crate) struct VolumeFigures {
    volume: VolumeNo,
    plan: Plan,
    last: ChapterNo,
    chapters: Vec<VolumeChapter>,
    /// The ledger at the volume's end.
    ledger: Ledger,
    closing: bool,
    leftovers: Vec<Leftover>,
    quality: Vec<String>,
    /// The names of the book's things, by id.
    names: BTreeMap<String, String>,
}

impl VolumeFigures {
    pub(crate) fn of(book: &Book, view: &BookView<'_>, volume: VolumeNo) -> Result<Self, RunError> {
        let plan = planning_context::plan_of(view, volume)?;
        let last = plan.outline.range().map(|(_, last)| last).ok_or(RunError::NoSuchVolume(volume))?;
        let is_present = view.checkpoint()?.last_completed == last.get();
        let chapters = written(view, volume, &plan.outline)?;
        let numbers: Vec<ChapterNo> = chapters.iter().map(|written| written.chapter).collect();
        let quality = quality(book, view, volume, &numbers)?;
        Ok(Self {
            quality,
            names: names::names_by_id(view),
            volume,
            last,
            ledger: if is_present { view.ledger()? } else { ledger_after(book, last)? },
            closing: plan.schedule.as_ref().is_some_and(|schedule| schedule.closing),
            leftovers: if is_present { leftovers(view, volume, &chapters)? } else { Vec::new() },
            plan,
            chapters,
        })
    }

    /// The judge's reports on the chapters.
    fn judged(&self) -> impl Iterator<Item = (ChapterNo, &RecordedEvaluation)> {
        self.chapters.iter().filter_map(|written| Some((written.chapter, written.recorded.as_ref()?)))
    }

    /// Everything that was counted, one figure a line, as the reviewer sees it.
    pub(crate) fn figures(&self) -> Vec<String> {
        let parts = [
            self.scores(),
            self.quality.clone(),
            self.consistency(),
            self.lines(),
            self.completion(),
            self.foreshadowing(),
        ];
        let last = self.closing.then(|| "这一卷是按全书最后一卷规划的。".to_owned());
        last.into_iter().chain(parts.into_iter().flatten()).collect()
    }

    fn scores(&self) -> Vec<String> {
        // A score that stands for a reading that never was is no score.
        let read = self.judged().filter(|(_, recorded)| recorded.evaluation.reading);
        let mut scores: Vec<(ChapterNo, f64)> =
            read.map(|(chapter, recorded)| (chapter, recorded.evaluation.overall())).collect();
        let mean = scores.iter().map(|(_, score)| score).sum::<f64>() / scores.len().max(1) as f64;
        let count = self.judged().count();
        let mut lines = vec![match scores.len() {
            0 => format!("写成 {count} 章，没有均分。"),
            _ => format!("写成 {count} 章，均分 {mean:.2}。"),
        }];
        let unread = self.judged().filter(|(_, recorded)| !recorded.evaluation.reading);
        let unread: Vec<ChapterNo> = unread.map(|(chapter, _)| chapter).collect();
        if !unread.is_empty() {
            lines.push(format!("其中没有读过、只有离线占位分的章：{}。", spans(&unread)));
        }
        scores.sort_by(|a, b| a.1.total_cmp(&b.1));
        let weakest = scores.iter().take(WEAKEST).map(|(chapter, score)| format!("{chapter}（{score:.2}）"));
        let weakest: Vec<String> = weakest.collect();
        if !weakest.is_empty() {
            lines.push(format!("最弱的几章：{}。", weakest.join("、")));
        }
        lines
    }

    /// Violations by layer, chapters that passed by force, and those whose changes could not be read.
    fn consistency(&self) -> Vec<String> {
        let layer = |layer: &Layer| {
            let name = match layer {
                Layer::World => "世界规则",
                Layer::Character => "人物契约",
                Layer::Chapter => "章节契约",
                Layer::Storyline => "故事线规则",
            };
            let checks = self
                .judged()
                .flat_map(|(chapter, recorded)| recorded.evaluation.checks.iter().map(move |check| (chapter, check)));
            let broken = checks.filter(|(_, check)| check.layer == *layer && check.finding == Finding::Violation);
            let broken: Vec<(ChapterNo, &Check)> = broken.collect();
            let told = broken.iter().take(SPELLED_OUT).map(|(chapter, check)| {
                let unproven = if check.is_unproven() { "（未证实）" } else { "" };
                format!("{chapter} {} {}{unproven}", check.rule, check.detail.trim().trim_end_matches('。'))
            });
            let told: Vec<String> = told.collect();
            let unknown = self.judged().filter_map(|(chapter, recorded)| {
                let of_layer = |check: &&Check| check.layer == *layer && !check.finding.is_checked();
                let rules: Vec<&str> =
                    recorded.evaluation.checks.iter().filter(of_layer).map(|check| check.rule.as_str()).collect();
                (!rules.is_empty()).then_some((chapter, rules))
            });
            let unknown: Vec<(ChapterNo, Vec<&str>)> = unknown.collect();
            let held = self.judged().flat_map(|(_, recorded)| &recorded.evaluation.checks);
            let checked = held.filter(|check| check.layer == *layer && check.finding.is_checked()).count();
            let open = open(&unknown);
            match (broken.len(), checked) {
                (0, 0) if unknown.is_empty() => format!("{name}：没有核对过的规则"),
                (0, 0) => format!("{name}：没有核对，{open}"),
                (0, _) if unknown.is_empty() => format!("{name}：没有违反"),
                (0, _) => format!("{name}：核对过的没有违反；没有核对的有 {open}"),
                (n, _) if unknown.is_empty() => format!("{name}：违反 {n} 处。{}", told.join("；")),
                (n, _) => format!("{name}：违反 {n} 处。{}；没有核对的有 {open}", told.join("；")),
            }
        };
        let named = |is: &dyn Fn(&VolumeChapter) -> bool| {
            let names: Vec<String> = self.chapters.iter().filter(|w| is(w)).map(|w| w.chapter.to_string()).collect();
            if names.is_empty() { "没有".to_owned() } else { names.join("、") }
        };
        let is_forced = |written: &VolumeChapter| {
            written.recorded.as_ref().is_some_and(|recorded| recorded.gate == Some(Gate::ForcePass))
        };
        let is_unread = |written: &VolumeChapter| written.delta.as_ref().is_some_and(|delta| delta.skipped.is_some());
        let mut lines: Vec<String> = Layer::ALL.iter().map(layer).collect();
        lines.push(format!("强制通过的章：{}", named(&is_forced)));
        lines.push(format!("状态变更读不出的章：{}", named(&is_unread)));
        lines
    }

    /// Each line's chapters beside those that were planned, and where lines met.
    fn lines(&self) -> Vec<String> {
        let Some(schedule) = &self.plan.schedule else { return Vec::new() };
        let on = |line: &Slug| {
            let pages = self.chapters.iter().filter_map(|written| written.page.as_ref());
            pages.filter(|page| page.storyline == *line).count()
        };
        let active = schedule.active.iter().map(|line| {
            let count = on(&line.storyline);
            let (id, role, target, goal) = (&line.storyline, line.role, line.target_chapters, &line.goal);
            let role = match role {
                VolumeRole::Primary => "主推",
                VolumeRole::Secondary => "辅线",
                VolumeRole::Seasoning => "点缀",
            };
            format!("{id}（{role}）：计划 {target} 章，写了 {count} 章。{goal}")
        });
        let meetings = schedule.convergences.iter().map(|meeting| {
            let at = range(meeting.chapters);
            let met = meeting.has_met(self.chapters.iter().flat_map(VolumeChapter::lines));
            format!("第 {at} 章交汇：{}。{}", if met { "如期" } else { "落空" }, meeting.trigger)
        });
        active.chain(meetings).collect()
    }

    /// How many of the foreshadowings that were due by the volume's end are paid off.
    fn completion(&self) -> Vec<String> {
        let is_due = |target: Option<(u32, u32)>| target.is_some_and(|(_, to)| to <= self.last.get());
        let planned =
            self.plan.foreshadowing.iter().filter(|planned| is_due(planned.target)).map(|planned| &planned.id);
        let entries = self.ledger.entries.iter();
        let entries = entries.filter(|entry| is_due(entry.target) || entry.status() == Action::Resolved);
        let due: BTreeSet<&Slug> = planned.chain(entries.map(|entry| &entry.id)).collect();
        let is_paid = |id: &&&Slug| self.ledger.get(id).is_some_and(|entry| entry.status() == Action::Resolved);
        let (paid, all) = (due.iter().filter(is_paid).count(), due.len());
        match all {
            0 => vec!["完成度：本卷没有到期的伏笔。".to_owned()],
            _ => vec![format!("完成度：到期 {all} 条，收了 {paid} 条（{}%）。", paid * 100 / all)],
        }
    }

    fn foreshadowing(&self) -> Vec<String> {
        let planned = self.plan.foreshadowing.iter().map(|planned| {
            let entry = self.ledger.get(&planned.id);
            let became = match entry.map(|entry| entry.status()) {
                None => "没有埋下",
                Some(Action::Resolved) => "已回收",
                Some(_) if entry.is_some_and(|entry| entry.overdue(self.last.get())) => "超期未收",
                Some(Action::Planted) => "埋着",
                Some(Action::Advanced) => "推进中",
            };
            format!("{}：{became}。{}", planned.id, planned.description)
        });
        planned.collect()
    }

    /// The open matters that the next volume inherits.
    fn handed_on(&self, context: &PlanningContext, reading: Option<&ReviewReading>) -> Vec<String> {
        let open = self.ledger.open().map(|entry| {
            let due = entry.target.map_or_else(String::new, |window| format!("，宜在第 {} 章收", range(window)));
            format!("伏笔 {}{due}：{}", entry.id, entry.description)
        });
        let lines = context.memories.iter().filter(|(_, memory)| !memory.status.trim().is_empty());
        let lines = lines.map(|(id, memory)| format!("故事线 {id}：{}", memory.status.trim()));
        let bridges = reading.into_iter().flat_map(|reading| &reading.bridges).map(|bridge| format!("铺垫：{bridge}"));
        bridges.chain(open).chain(lines).collect()
    }

    fn cleanup(&self) -> Vec<String> {
        let line = |left: &Leftover| match left.reason {
            CleanupReason::Retired => format!("{left}：人物已退场"),
            CleanupReason::Forgotten => format!("{left}：本卷没有写到，也没有伏笔、故事线或在场的人物提到它"),
        };
        self.leftovers.iter().map(line).collect()
    }

    fn judgement(&self, reading: Option<&ReviewReading>) -> Judgement {
        let unread = "没能读懂情节规划的判断，按继续写处理";
        let reason = reading.map(|reading| reading.reason.clone()).unwrap_or_default();
        let course = reading.and_then(|reading| reading.course);
        Judgement {
            volume: self.volume,
            course: course.unwrap_or(Recommendation::Continue),
            reason: match course {
                Some(_) => reason,
                None if reason.is_empty() => unread.to_owned(),
                None => format!("{reason}（{unread}）"),
            },
            chapters_left: reading.and_then(|reading| reading.chapters_left),
            last: Some(self.last),
            closing: self.closing,
            leftovers: self.leftovers.clone(),
        }
    }

    /// The review's files, and what it comes to.
    pub(crate) fn change(&self, context: &PlanningContext, reading: Option<ReviewReading>) -> (Change, StageNote) {
        let judged = self.judgement(reading.as_ref());
        let name = |id: &str| {
            let objective = || text::objective(id).map(|n| format!("本章目标 {n}"));
            self.names.get(id).cloned().or_else(objective)
        };
        let text = text::with_names(&self.text(context, reading.as_ref(), &judged), name);
        let change = Change::default()
            .put(&layout::review(self.volume), text)
            .put(&layout::judgement(self.volume), format::write(&judged, None));
        (change, StageNote::Recommendation(judged.course))
    }

    /// The review as its author reads it. The material for the next plan comes first, because planners see only the
    /// beginning.
    fn text(&self, context: &PlanningContext, reading: Option<&ReviewReading>, judged: &Judgement) -> String {
        let mut text = format!("# 第{}卷 回顾\n\n{}\n", self.volume.get(), self.scores().join("\n"));
        let remarks =
            reading.into_iter().flat_map(|reading| &reading.remarks).map(|remark| format!("情节规划：{remark}"));
        let (mut foreshadowing, mut consistency) = (self.completion(), self.consistency());
        foreshadowing.extend(self.foreshadowing());
        consistency.extend(remarks);
        let last = self.last;
        let kept = format!("本卷终了时的状态在 {last} 这个提交里：`git show {last}:{}`", layout::STATE);
        for (heading, lines) in [
            ("进度判断", progress(judged)),
            ("交给下一卷", self.handed_on(context, reading)),
            ("伏笔", foreshadowing),
            ("故事线", self.lines()),
            ("质量", self.quality.clone()),
            ("一致性", consistency),
            ("清理", self.cleanup()),
            ("归档", vec![kept]),
        ] {
            text.push_str(&format!("\n## {heading}\n\n"));
            if lines.is_empty() {
                text.push_str("- 没有\n");
            }
            lines.iter().for_each(|line| text.push_str(&format!("- {line}\n")));
        }
        text
    }
}

/// Chapters as they follow each other: `ch-001–ch-004、ch-007`.
fn spans(chapters: &[ChapterNo]) -> String {
    let mut spans: Vec<(ChapterNo, ChapterNo)> = Vec::new();
    for &chapter in chapters {
        match spans.last_mut() {
            Some((_, last)) if last.next() == chapter => *last = chapter,
            _ => spans.push((chapter, chapter)),
        }
    }
    let span = |(first, last): (ChapterNo, ChapterNo)| {
        if first == last { first.to_string() } else { format!("{first}–{last}") }
    };
    spans.into_iter().map(span).collect::<Vec<_>>().join("、")
}

/// Chapters by number from the first to the last: `3–7`, and `3` alone.
fn range((first, last): (u32, u32)) -> String {
    if first == last { first.to_string() } else { format!("{first}–{last}") }
}

/// Rules that were not checked, counted: each by its id where they are few, else the chapters alone.
fn open(unknown: &[(ChapterNo, Vec<&str>)]) -> String {
    let count: usize = unknown.iter().map(|(_, rules)| rules.len()).sum();
    let told = match count {
        ..=SPELLED_OUT => {
            let of = |(chapter, rules): &(ChapterNo, Vec<&str>)| format!("{chapter} {}", rules.join("、"));
            unknown.iter().map(of).collect::<Vec<_>>().join("；")
        }
        _ => spans(&unknown.iter().map(|(chapter, _)| *chapter).collect::<Vec<_>>()),
    };
    format!("{count} 条：{told}")
}

fn progress(judged: &Judgement) -> Vec<String> {
    let words = |course| match course {
        Recommendation::Continue => "继续写",
        Recommendation::WrapUp => "再写一卷收尾",
        Recommendation::ForceEnd => "到此为止",
    };
    let (course, advised) = (judged.course, judged.recommended());
    let mut lines = Vec::new();
    if judged.closing {
        lines.push(format!("这一卷是按全书最后一卷规划的，建议：{}", words(advised)));
    }
    let who = if judged.closing { "情节规划的看法" } else { "建议" };
    lines.push(format!("{who}：{}。{}", words(course), judged.reason));
    lines.extend(judged.chapters_left.filter(|left| *left > 0).map(|left| format!("到结局估计还要 {left} 章")));
    lines
}

/// The ledger as the chapter's commit left it: later volumes have dropped what was paid off.
fn ledger_after(book: &Book, last: ChapterNo) -> Result<Ledger, RunError> {
    let commit = book.chapter_commit(last)?.ok_or(RunError::NoSuchChapter(last))?;
    BookView::new(book.snapshot_of(commit)?).ledger()
}
