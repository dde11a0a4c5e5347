//! A volume's plan, for the author to judge.

use super::lang::{Lang, say};
use super::question::Question;
use super::style::{DIM, STRONG, WARN, paint};
use super::table::{Align, Cell, Table};
use super::{json, problem};
use crate::domain::VolumeNo;
use crate::domain::volume::outline::Field;
use crate::pipeline::planning::volume::Draft;
use serde::Serialize;

/// A plan under review, as a question.
pub type PlanView = Question<Subject>;

/// The plan that a question is about.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Subject {
    /// The volume.
    #[serde(serialize_with = "json::volume")]
    pub volume: VolumeNo,
    /// Whether the book ends with it.
    pub closing: bool,
    /// Its theme.
    pub theme: String,
    /// What it is about, as the outline begins.
    pub preface: String,
    /// Its storylines.
    pub storylines: Vec<Line>,
    /// Its chapters.
    pub chapters: Vec<Chapter>,
    /// How many foreshadowings are planned.
    pub foreshadowing: usize,
    /// Where lines meet: first and last chapter, and what brings them together.
    pub convergences: Vec<(u32, u32, String)>,
    /// What must be mended before it can be approved.
    pub flaws: Vec<String>,
    /// What may be better.
    pub advice: Vec<String>,
    /// The folder where it can be changed.
    pub folder: String,
}

/// A storyline of the volume.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Line {
    /// Its id.
    pub id: String,
    /// Its weight.
    pub role: String,
    /// How many chapters it has.
    pub chapters: usize,
    /// What it should reach.
    pub goal: String,
}

/// A chapter of the volume.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Chapter {
    /// Its number.
    pub number: u32,
    /// Its title.
    pub title: String,
    /// Its storyline.
    pub storyline: String,
    /// Its conflict.
    pub conflict: String,
}

impl PlanView {
    /// What the author sees of a plan.
    #[must_use]
    pub fn of(draft: &Draft, lang: Lang) -> Self {
        let plan = &draft.plan;
        let on = |line: &crate::domain::Slug| plan.outline.sections.iter().filter(|s| s.storyline == *line).count();
        let lines = plan.schedule.iter().flat_map(|schedule| &schedule.active).map(|line| Line {
            id: line.storyline.to_string(),
            role: line.role.to_string(),
            chapters: on(&line.storyline),
            goal: line.goal.clone(),
        });
        let chapters = plan.outline.sections.iter().map(|section| Chapter {
            number: section.chapter.get(),
            title: section.title.clone(),
            storyline: section.storyline.to_string(),
            conflict: section.field(Field::Conflict).to_owned(),
        });
        let meetings = plan.schedule.iter().flat_map(|schedule| &schedule.convergences);
        let (flaws, advice): (Vec<_>, Vec<_>) = draft.flaws.iter().partition(|flaw| flaw.blocks());
        let words = |flaws: Vec<&crate::domain::volume::plan::Flaw>| -> Vec<String> {
            flaws.into_iter().map(|flaw| problem::of_flaw(flaw, lang)).collect()
        };
        let sound = draft.is_sound();
        let rationale = match (draft.waits, sound) {
            (false, _) => say!(lang, "还没有规划完", "it is not complete yet"),
            (true, true) => say!(lang, "批准之前什么都不算数", "nothing is final before you approve it"),
            (true, false) => say!(lang, "自动修补过一次，还有不能用的地方", "it was repaired once and still has flaws"),
        };
        let subject = Subject {
            volume: draft.order.volume,
            closing: draft.order.closing,
            theme: plan.schedule.as_ref().map(|schedule| schedule.theme.clone()).unwrap_or_default(),
            preface: plan.outline.preface.trim().to_owned(),
            storylines: lines.collect(),
            chapters: chapters.collect(),
            foreshadowing: plan.foreshadowing.len(),
            convergences: meetings.map(|m| (m.chapters.0, m.chapters.1, m.trigger.clone())).collect(),
            flaws: words(flaws),
            advice: words(advice),
            folder: draft.folder.clone(),
        };
        let options = match (draft.waits, sound) {
            (false, _) => vec!["make", "resize", "reject"],
            (true, true) => vec!["approve", "edit", "resize", "reject"],
            (true, false) => vec!["edit", "resize", "reject"],
        };
        let command = |option: &str| match option {
            "resize" => "novel plan resize N".to_owned(),
            option => format!("novel plan {option}"),
        };
        Self::new("plan", options, rationale, command, subject)
    }

    /// The plan, what is wrong with it, and the command for each answer.
    #[must_use]
    pub fn text(&self, lang: Lang, columns: usize) -> String {
        let folder = &self.data.subject.folder;
        let words = |option: &'static str| match option {
            "make" => say!(lang, "接着规划", "go on planning"),
            "approve" => say!(lang, "批准", "approve it"),
            "edit" => say!(lang, "改完 {folder}/ 里的文件再收进来", "take up your changes in {folder}/"),
            "resize" => say!(lang, "换个章数", "another number of chapters"),
            _ => say!(lang, "不要了，重新规划", "put it aside and plan again"),
        };
        self.details(lang, columns) + &self.commands(&self.choices(lang, words), columns)
    }

    /// The plan and what is wrong with it.
    #[must_use]
    pub fn details(&self, lang: Lang, columns: usize) -> String {
        let Subject { volume, theme, storylines, chapters, flaws, advice, .. } = &self.data.subject;
        let (n, rationale) = (chapters.len(), &self.rationale);
        let mut out = paint(STRONG, &say!(lang, "{volume} {theme}，{n} 章", "{volume} {theme}, {n} chapters"));
        if self.data.subject.closing {
            out.push_str(&say!(lang, "，全书到此为止", ", with which the book ends"));
        }
        out.push_str(&format!("\n  {}\n\n", paint(DIM, rationale)));
        let columns_of = [("", Align::Left), ("", Align::Left), ("", Align::Right), ("", Align::Left)];
        let mut lines = Table::new(columns_of, 3).indented(2);
        for line in storylines {
            let count = line.chapters.to_string();
            lines.row([
                line.id.as_str().into(),
                line.role.as_str().into(),
                count.as_str().into(),
                line.goal.as_str().into(),
            ]);
        }
        out.push_str(&lines.text(columns));
        for (from, to, trigger) in &self.data.subject.convergences {
            out.push_str(&say!(
                lang,
                "  第 {from}–{to} 章交汇：{trigger}\n",
                "  lines meet in {from}–{to}: {trigger}\n"
            ));
        }
        let planned = self.data.subject.foreshadowing;
        out.push_str(&say!(lang, "  伏笔 {planned} 条\n\n", "  foreshadowings: {planned}\n\n"));
        let mut table =
            Table::new([("", Align::Right), ("", Align::Left), ("", Align::Left), ("", Align::Left)], 3).indented(2);
        for chapter in chapters {
            let number = chapter.number.to_string();
            table.row([
                Cell::painted(DIM, number),
                chapter.title.as_str().into(),
                Cell::painted(DIM, chapter.storyline.as_str()),
                chapter.conflict.as_str().into(),
            ]);
        }
        out.push_str(&table.text(columns));
        out.push('\n');
        for flaw in flaws {
            out.push_str(&format!("  {}\n", paint(WARN, &say!(lang, "要改：{flaw}", "to be mended: {flaw}"))));
        }
        for remark in advice {
            out.push_str(&say!(lang, "  可以更好：{remark}\n", "  could be better: {remark}\n"));
        }
        out
    }
}
