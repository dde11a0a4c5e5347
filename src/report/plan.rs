//! A volume's plan, for the author's approval.

use crate::domain::volume::outline::Field;
use crate::domain::volume::plan::Plan;
use crate::domain::world::storyline::VolumeRole;
use crate::domain::{Slug, VolumeNo};
use crate::pipeline::planning::volume::{Approved, VolumeDraft};
use crate::report::prelude::*;
use crate::report::problem;
use crate::report::question::Question;

pub type PlanView = Question<PlanSubject>;

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PlanSubject {
    pub volume: VolumeNo,
    /// True when the book ends with the volume.
    pub closing: bool,
    pub theme: String,
    pub preface: String,
    pub storylines: Vec<PlanLine>,
    pub chapters: Vec<PlanChapter>,
    pub foreshadowing: usize,
    /// First and last chapter, and the event that brings the lines together.
    pub convergences: Vec<(u32, u32, String)>,
    /// Flaws to repair before the approval.
    pub flaws: Vec<String>,
    pub advice: Vec<String>,
    /// The folder where the author can change the plan.
    pub folder: String,
    #[serde(skip)]
    pub names: Names,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PlanLine {
    pub id: String,
    pub role: String,
    pub chapters: usize,
    pub goal: String,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PlanChapter {
    pub number: u32,
    pub title: String,
    pub storyline: String,
    pub conflict: String,
}

impl PlanSubject {
    /// The plan without its flaws.
    fn of(volume: VolumeNo, plan: &Plan) -> Self {
        let on = |line: &Slug| plan.outline.sections.iter().filter(|s| s.storyline == *line).count();
        let lines = plan.schedule.iter().flat_map(|schedule| &schedule.active).map(|line| PlanLine {
            id: line.storyline.to_string(),
            role: line.role.to_string(),
            chapters: on(&line.storyline),
            goal: line.goal.clone(),
        });
        let chapters = plan.outline.sections.iter().map(|section| PlanChapter {
            number: section.chapter.get(),
            title: section.title.clone(),
            storyline: section.storyline.to_string(),
            conflict: section.field(Field::Conflict).to_owned(),
        });
        let meetings = plan.schedule.iter().flat_map(|schedule| &schedule.convergences);
        Self {
            volume,
            closing: plan.schedule.as_ref().is_some_and(|schedule| schedule.closing),
            theme: plan.schedule.as_ref().map(|schedule| schedule.theme.clone()).unwrap_or_default(),
            preface: plan.outline.preface.trim().to_owned(),
            storylines: lines.collect(),
            chapters: chapters.collect(),
            foreshadowing: plan.foreshadowing.len(),
            convergences: meetings.map(|m| (m.chapters.0, m.chapters.1, m.trigger.clone())).collect(),
            flaws: Vec::new(),
            advice: Vec::new(),
            folder: String::new(),
            names: Names::default(),
        }
    }

    /// The volume, its theme and its length, and whether the book ends with it.
    fn heading(&self, lang: Lang) -> String {
        let Self { volume, theme, chapters, .. } = self;
        let (name, n) = (format!("{volume} {theme}"), chapters.len());
        let mut out = paint(STRONG, &say!(lang, plan_chapters(name = name.trim_end(), n)));
        if self.closing {
            out.push_str(say!(lang, with_which_book_ends));
        }
        out
    }

    /// Storylines, crossovers, the number of foreshadowings, and chapters.
    fn tables(&self, lang: Lang, columns: usize) -> String {
        let mut out = String::new();
        let mut lines = Table::bare("llrl", 3).indented(2);
        for line in &self.storylines {
            let role = line.role.parse::<VolumeRole>().map_or(line.role.as_str(), |role| role.say(lang));
            let count = say!(lang, plan_line_chapters(n = line.chapters));
            lines.row([
                self.names.name(&line.id, lang).into(),
                role.into(),
                count.as_str().into(),
                line.goal.as_str().into(),
            ]);
        }
        out.push_str(&lines.text(columns));
        for (from, to, trigger) in &self.convergences {
            let (range, trigger) = (figures::range(from, to), self.names.within(trigger, lang));
            out.push_str(&say!(lang, lines_meet_in(range, trigger)));
        }
        out.push_str(&say!(lang, foreshadowings(planned = self.foreshadowing)));
        let mut table = Table::bare("rlll", 3).indented(2);
        for chapter in &self.chapters {
            table.row([
                Cell::painted(DIM, chapter.number.to_string()),
                chapter.title.as_str().into(),
                Cell::painted(DIM, self.names.name(&chapter.storyline, lang)),
                chapter.conflict.as_str().into(),
            ]);
        }
        out + &table.text(columns)
    }
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ApprovedPlan {
    pub status: &'static str,
    pub written: usize,
    #[serde(flatten)]
    pub subject: PlanSubject,
}

impl ApprovedPlan {
    pub fn of(approved: &Approved, names: Names) -> Self {
        let folder = format!("volumes/{}", approved.volume);
        let subject = PlanSubject { folder, names, ..PlanSubject::of(approved.volume, &approved.plan) };
        Self { status: "approved", written: approved.written, subject }
    }

    /// The approval, the written chapters, and the plan.
    pub fn text(&self, lang: Lang, columns: usize) -> String {
        let (written, folder) = (self.written, &self.subject.folder);
        let state = paint(DIM, &say!(lang, plan_is_approved(written, folder)));
        format!("{}\n  {state}\n\n{}", self.subject.heading(lang), self.subject.tables(lang, columns))
    }
}

pub(super) fn answer_words(option: &str, lang: Lang) -> &'static str {
    match option {
        "make" => say!(lang, go_on_planning),
        "approve" => say!(lang, approve_it),
        "mend" => say!(lang, let_planner_mend_plan),
        "resize" => say!(lang, another_number_of_chapters),
        _ => say!(lang, put_it_aside_and_plan_again),
    }
}

impl PlanView {
    pub fn of(draft: &VolumeDraft, names: Names, lang: Lang) -> Self {
        let (flaws, advice): (Vec<_>, Vec<_>) = draft.flaws.iter().partition(|flaw| flaw.blocks());
        let words = |flaws: Vec<&crate::domain::volume::plan::Flaw>| -> Vec<String> {
            flaws.into_iter().map(|flaw| problem::of_flaw(flaw, lang)).collect()
        };
        let sound = draft.is_sound();
        let rationale = match (draft.waits, sound) {
            (false, _) => say!(lang, it_is_not_complete_yet).to_owned(),
            (true, true) => say!(lang, nothing_is_final_before_you_approve).to_owned(),
            (true, false) => say!(lang, it_was_repaired_once_and_still).to_owned(),
        };
        let subject = PlanSubject {
            closing: draft.order.closing,
            flaws: words(flaws),
            advice: words(advice),
            folder: draft.folder.clone(),
            names,
            ..PlanSubject::of(draft.order.volume, &draft.plan)
        };
        let options = match (draft.waits, sound) {
            (false, _) => vec!["make", "resize", "reject"],
            (true, true) => vec!["approve", "edit", "resize", "reject"],
            (true, false) => vec!["mend", "edit", "resize", "reject"],
        };
        let command = |option: &str| match option {
            "resize" => "novel plan resize N".to_owned(),
            option => format!("novel plan {option}"),
        };
        Self::new("plan", options, rationale, command, subject)
    }

    /// The plan, its flaws, and the command for each answer.
    pub fn text(&self, lang: Lang, columns: usize) -> String {
        let words = |option: &'static str| match option {
            "edit" => say!(lang, take_up_your_changes_in(folder = &self.data.subject.folder)),
            option => answer_words(option, lang).to_owned(),
        };
        self.details(lang, columns) + &self.commands(&self.choices(lang, words), columns)
    }

    pub fn details(&self, lang: Lang, columns: usize) -> String {
        let PlanSubject { flaws, advice, names, .. } = &self.data.subject;
        let mut out = self.data.subject.heading(lang);
        out.push_str(&format!("\n  {}\n\n", paint(DIM, &self.rationale)));
        out.push_str(&self.data.subject.tables(lang, columns));
        for flaw in flaws {
            out.push_str(&format!("  {}\n", paint(WARN, &say!(lang, to_be_mended(flaw = names.within(flaw, lang))))));
        }
        for remark in advice {
            out.push_str(&say!(lang, could_be_better(remark = names.within(remark, lang))));
        }
        out
    }
}
