//! Foreshadowings, irregularities and tasks of the next chapters: the answer of `novel foreshadow`.

use crate::domain::VolumeNo;
use crate::domain::volume::foreshadowing::{Action, Scope};
use crate::domain::volume::inventory::irregular::{AgendaItem, AgendaReason, Irregularity, NEXT};
use crate::domain::volume::inventory::{Inventory, Neglect, PlannedStep, Standing, Thread};
use crate::pipeline::book::facts::ToldChange;
use crate::pipeline::book::foreshadowing::ThreadHistory;
use crate::report::prelude::*;
use anstyle::Style;

mod timeline;

/// Further irregularities are counted in the text, and not listed.
const MAX_FOUND: usize = 12;
/// Further tasks are counted in the text, and not listed.
const MAX_TASKS: usize = 12;

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ForeshadowReport {
    pub volume: VolumeNo,
    /// The last completed chapter; 0 before the first.
    pub last_completed: u32,
    /// The most urgent first.
    pub foreshadowing: Vec<ThreadEntry>,
    /// The gravest first.
    pub findings: Vec<IrregularEntry>,
    /// The tasks of the next chapters, in order and the most urgent first in each.
    pub tasks: Vec<AgendaItem>,
    #[serde(skip)]
    planned_until: u32,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ThreadEntry {
    pub id: String,
    pub description: String,
    pub scope: Scope,
    /// True when it spans volumes.
    pub core: bool,
    pub storyline: String,
    pub standing: Standing,
    /// The rule of neglect, `volume` or `chapters`; null when not neglected.
    pub neglected: Option<&'static str>,
    /// The chapter that planted it; null when only planned.
    pub planted: Option<ChapterNo>,
    pub last_touched: Option<ChapterNo>,
    /// First and last chapter of the resolution; null without a plan.
    pub window: Option<(u32, u32)>,
    pub history: Vec<StepEntry>,
    /// The plans of coming chapters.
    pub ahead: Vec<StepEntry>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct StepEntry {
    pub chapter: ChapterNo,
    pub action: Action,
    pub detail: String,
    /// The commit of the step; only in the answer on a single foreshadowing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
    /// The chapter's sentence; only in the answer on a single foreshadowing, and where found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sentence: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct IrregularEntry {
    /// The kind: `before-planting`, `not-planted`, `outside-window`, `never-planned` or `same-description`.
    pub finding: &'static str,
    pub id: String,
    /// The other id of `same-description`; null otherwise.
    pub other: Option<String>,
    pub chapter: Option<ChapterNo>,
    /// True when the chapter is not written yet.
    pub ahead: bool,
    #[serde(skip)]
    irregularity: Irregularity,
}

impl StepEntry {
    fn ahead(step: &PlannedStep) -> Self {
        Self { chapter: step.chapter, action: step.action, detail: step.detail.clone(), commit: None, sentence: None }
    }
}

impl ThreadEntry {
    fn of(thread: &Thread) -> Self {
        let history = thread.history.iter().map(|step| StepEntry {
            chapter: step.chapter,
            action: step.action,
            detail: step.detail.clone(),
            commit: None,
            sentence: None,
        });
        Self {
            id: thread.id.to_string(),
            description: thread.description.clone(),
            scope: thread.scope,
            core: thread.is_core(),
            storyline: thread.storyline.to_string(),
            standing: thread.standing,
            neglected: thread.neglect.map(|neglect| match neglect {
                Neglect::Volume(_) => "volume",
                Neglect::Chapters(_) => "chapters",
            }),
            planted: thread.planted(),
            last_touched: thread.last_touched(),
            window: thread.window,
            history: history.collect(),
            ahead: thread.ahead.iter().map(StepEntry::ahead).collect(),
        }
    }

    fn colour(&self) -> Style {
        match self.standing {
            Standing::Overdue => BAD,
            Standing::Due | Standing::Neglected => WARN,
            Standing::Planned | Standing::Resolved => DIM,
            Standing::Advanced | Standing::Planted => Style::new(),
        }
    }

    /// `核心 长线`, `普通`.
    fn sort(&self, lang: Lang) -> String {
        let scope = self.scope.say(lang);
        if self.core { say!(lang, foreshadow_core(scope)) } else { say!(lang, ordinary).to_owned() }
    }

    fn row(&self, lang: Lang) -> [Cell; 8] {
        let chapter =
            |chapter: Option<ChapterNo>| chapter.map_or("–".to_owned(), |chapter| chapter.get().to_string());
        let next = self.ahead.first().map(|step| {
            let (at, action) = (step.chapter.get(), verb(step.action, lang));
            format!("{at} {action}")
        });
        [
            Cell::painted(STRONG, self.id.as_str()),
            self.description.as_str().into(),
            self.sort(lang).into(),
            chapter(self.planted).into(),
            chapter(self.last_touched).into(),
            self.window.map_or("–".to_owned(), |(from, to)| figures::range(from, to)).into(),
            next.unwrap_or_else(|| "–".to_owned()).into(),
            Cell::painted(self.colour(), self.standing.say(lang)),
        ]
    }
}

impl IrregularEntry {
    fn of(irregularity: &Irregularity) -> Self {
        let (other, ahead) = match irregularity {
            Irregularity::SameDescription { other, .. } => (Some(other.to_string()), false),
            Irregularity::BeforePlanting { ahead, .. } | Irregularity::OutsideWindow { ahead, .. } => (None, *ahead),
            Irregularity::NotPlanted { .. } | Irregularity::NeverPlanned { .. } => (None, false),
        };
        Self {
            finding: irregularity.name(),
            id: irregularity.id().to_string(),
            other,
            chapter: irregularity.chapter(),
            ahead,
            irregularity: irregularity.clone(),
        }
    }
}

impl ForeshadowReport {
    pub fn of(inventory: &Inventory) -> Self {
        Self {
            volume: inventory.volume,
            last_completed: inventory.last_completed,
            foreshadowing: inventory.threads.iter().map(ThreadEntry::of).collect(),
            findings: inventory.irregularities.iter().map(IrregularEntry::of).collect(),
            tasks: inventory.agenda(NEXT),
            planned_until: inventory.planned_until,
        }
    }

    fn shown(&self, extent: Extent) -> impl Iterator<Item = &ThreadEntry> {
        let all = extent == Extent::Whole;
        self.foreshadowing.iter().filter(move |entry| all || entry.standing != Standing::Resolved)
    }

    /// A line each, the tasks of the next chapters, and irregularities. In brief, resolved ones are only counted.
    pub fn text(&self, lang: Lang, columns: usize, extent: Extent) -> String {
        if self.foreshadowing.is_empty() && self.findings.is_empty() {
            return nothing(lang);
        }
        let mut table =
            Table::new(say!(lang, foreshadow_columns).split('|'), "lllrrrll", 1).yielding(20, [2, 3, 4]).clipped();
        self.shown(extent).for_each(|entry| table.row(entry.row(lang)));
        let mut out = self.heading(lang, extent);
        if self.shown(extent).next().is_some() {
            out.push_str(&table.text(columns));
        }
        out + &self.agenda(lang, columns) + &self.found(lang)
    }

    /// A chart of the spans, a row each, without irregularities.
    pub fn timeline(&self, lang: Lang, columns: usize, extent: Extent) -> String {
        if self.shown(extent).next().is_none() {
            return match self.foreshadowing.is_empty() {
                true => nothing(lang),
                false => say!(lang, no_open_foreshadowing).to_owned(),
            };
        }
        let rows: Vec<&ThreadEntry> = self.shown(extent).collect();
        let ends = timeline::Ends { last_completed: self.last_completed, planned_until: self.planned_until };
        timeline::chart(&rows, ends, lang, columns)
    }

    fn heading(&self, lang: Lang, extent: Extent) -> String {
        let count = |wanted: &dyn Fn(&ThreadEntry) -> bool| self.foreshadowing.iter().filter(|e| wanted(e)).count();
        let is_open = |entry: &ThreadEntry| !matches!(entry.standing, Standing::Planned | Standing::Resolved);
        let (open, core) = (count(&is_open), count(&|entry| is_open(entry) && entry.core));
        let mut text = match open {
            0 => say!(lang, none_open).to_owned(),
            _ => say!(lang, open_of_them_core(open, core)),
        };
        for standing in [Standing::Overdue, Standing::Due, Standing::Neglected, Standing::Planned] {
            let (n, name) = (count(&|entry| entry.standing == standing), standing.say(lang));
            if n > 0 {
                text.push_str(&say!(lang, foreshadow_n_name(n, name)));
            }
        }
        let resolved = count(&|entry| entry.standing == Standing::Resolved);
        if resolved > 0 {
            text.push_str(&say!(lang, foreshadow_resolved(resolved)));
            if extent == Extent::Brief {
                text.push_str(say!(lang, all_lists_them));
            }
        }
        format!("{text}\n")
    }

    fn agenda(&self, lang: Lang, columns: usize) -> String {
        if self.tasks.is_empty() {
            return String::new();
        }
        let mut table = Table::bare("llll", 3).indented(2);
        for task in self.tasks.iter().take(MAX_TASKS) {
            let colour = if task.planned { Style::new() } else { WARN };
            table.row([
                task.chapter.to_string().into(),
                Cell::painted(STRONG, task.id.as_str()),
                Cell::painted(colour, wanted(task, lang)),
                reason(task, lang).into(),
            ]);
        }
        let heading = paint(STRONG, say!(lang, foreshadow_next));
        let more = more(self.tasks.len(), MAX_TASKS, lang);
        let mut out = format!("\n{heading}\n{}{more}", table.text(columns));
        if self.tasks.iter().any(|task| !task.planned) {
            out.push_str(&format!(
                "  {}\n",
                paint(DIM, &say!(lang, proposals_are_in_no_outline_to(volume = self.volume)))
            ));
        }
        out
    }

    fn found(&self, lang: Lang) -> String {
        if self.findings.is_empty() {
            return String::new();
        }
        let lines = self.findings.iter().take(MAX_FOUND);
        let lines: String =
            lines.map(|entry| format!("  {}\n", irregularity_in_words(&entry.irregularity, lang))).collect();
        let heading = paint(STRONG, say!(lang, irregular));
        format!("\n{heading}\n{lines}{}", more(self.findings.len(), MAX_FOUND, lang))
    }
}

/// The line with the number of entries left out.
fn more(all: usize, most: usize, lang: Lang) -> String {
    let left = all.saturating_sub(most);
    match left {
        0 => String::new(),
        _ => format!("  {}\n", paint(DIM, &say!(lang, more_json_lists_all(left)))),
    }
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ThreadReport {
    /// Each step of the history has commit and sentence.
    #[serde(flatten)]
    pub thread: ThreadEntry,
    pub findings: Vec<IrregularEntry>,
    pub tasks: Vec<AgendaItem>,
}

impl ThreadReport {
    pub fn of(inventory: &Inventory, history: &ThreadHistory) -> Self {
        let id = &history.thread.id;
        let whole = ForeshadowReport::of(inventory);
        let is_about = |entry: &IrregularEntry| entry.id == id.as_str() || entry.other.as_deref() == Some(id.as_str());
        let mut thread = ThreadEntry::of(&history.thread);
        for step in &mut thread.history {
            // An edit by hand is of no chapter.
            let is_of = |told: &&ToldChange| told.chapter() == Some(step.chapter) && told.change.keys.len() == 1;
            if let Some(told) = history.changes.iter().rev().find(is_of) {
                step.commit = Some(told.commit.id.to_string());
                step.sentence = told.source.as_ref().map(|source| source.sentence.clone());
            }
        }
        Self {
            thread,
            findings: whole.findings.into_iter().filter(is_about).collect(),
            tasks: whole.tasks.into_iter().filter(|task| task.id == *id).collect(),
        }
    }

    /// The subject, two lines per step, and coming steps.
    pub fn text(&self, lang: Lang) -> String {
        let ThreadEntry { id, description, storyline, window, history, ahead, .. } = &self.thread;
        let (id, sort) = (paint(STRONG, id), self.thread.sort(lang));
        let standing = paint(self.thread.colour(), self.thread.standing.say(lang));
        let mut out = say!(lang, foreshadow_id_standing(id, standing, sort));
        out.push_str(&format!("  {description}\n"));
        out.push_str(&say!(lang, foreshadow_storyline(storyline)));
        if let Some((from, to)) = window {
            out.push_str(&say!(lang, to_be_resolved_in(range = figures::range(from, to))));
        }
        out.push('\n');
        for step in history {
            let action = step.action.say(lang);
            let commit: String = step.commit.iter().flat_map(|commit| commit.chars().take(10)).collect();
            let commit = if commit.is_empty() { commit } else { format!("  {}", paint(DIM, &commit)) };
            out.push_str(&format!("{}{commit}  {action}  {}\n", paint(STRONG, &step.chapter.to_string()), step.detail));
            if let Some(sentence) = &step.sentence {
                out.push_str(&format!("    {sentence}\n"));
            }
        }
        for step in ahead {
            let (chapter, action) = (step.chapter, verb(step.action, lang));
            let planned = say!(lang, planned);
            out.push_str(&format!("{chapter}  {action}{planned}  {}\n", step.detail));
        }
        for task in self.tasks.iter().filter(|task| !task.planned) {
            let (wanted, reason) = (wanted(task, lang), reason(task, lang));
            out.push_str(&say!(lang, foreshadow_chapter_wanted(chapter = task.chapter, wanted, reason)));
        }
        for found in &self.findings {
            out.push_str(&format!("{}\n", paint(WARN, &irregularity_in_words(&found.irregularity, lang))));
        }
        out
    }
}

/// The task of a chapter: `推进`, `advance`.
pub(super) fn verb(action: Action, lang: Lang) -> &'static str {
    match (lang, action) {
        (Lang::Zh, _) => action.verb(),
        (Lang::En, Action::Planted) => "plant",
        (Lang::En, Action::Advanced) => "advance",
        (Lang::En, Action::Resolved) => "resolve",
    }
}

/// `推进`, or `推进（提议）` for a proposal.
pub(super) fn wanted(item: &AgendaItem, lang: Lang) -> String {
    let verb = verb(item.action, lang);
    match item.planned {
        true => verb.to_owned(),
        false => say!(lang, proposed(verb)),
    }
}

/// The reason, and the plan's words if any.
pub(super) fn reason(item: &AgendaItem, lang: Lang) -> String {
    let detail = item.detail.trim();
    let why = match &item.reason {
        AgendaReason::Late(to) => say!(lang, its_window_ended_with_chapter(to)),
        AgendaReason::LastChance => say!(lang, last_chapter_of_its_window).to_owned(),
        AgendaReason::PlantingMissed(at) => say!(lang, should_have_planted_it_and_ledger(at)),
        AgendaReason::WindowOpen(to) => say!(lang, to_be_resolved_by_chapter_and(to)),
        AgendaReason::Neglected(Neglect::Volume(volume)) => say!(lang, has_not_touched_it_and_does(volume)),
        AgendaReason::Neglected(Neglect::Chapters(n)) => say!(lang, chapters_have_not_touched_it(n)),
        AgendaReason::Planned if detail.is_empty() => return say!(lang, in_plan).to_owned(),
        AgendaReason::Planned => return detail.to_owned(),
    };
    if detail.is_empty() { why } else { say!(lang, sentences_detail_why(detail, why)) }
}

pub(super) fn nothing(lang: Lang) -> String {
    say!(lang, no_foreshadowing_to_list_write_old).to_owned()
}

/// An irregularity with its chapter, and what to do about it.
pub(super) fn irregularity_in_words(irregularity: &Irregularity, lang: Lang) -> String {
    match irregularity {
        Irregularity::BeforePlanting { id, chapter, action, planted, ahead: false } => {
            let (does, planted) = (done(*action, lang), planted.map(|at| at.to_string()).unwrap_or_default());
            say!(lang, is_in_and_planted_in_novel(id, does, chapter, planted))
        }
        Irregularity::BeforePlanting { id, chapter, action, planted, .. } => {
            let when = match planted {
                Some(planted) => say!(lang, plants_it(planted)),
                None => say!(lang, no_chapter_plants_it).to_owned(),
            };
            say!(lang, is_to_and_put_into_outline(chapter, verb = verb(*action, lang), id, when))
        }
        Irregularity::NotPlanted { id, chapter } => say!(lang, should_have_planted_and_ledger_does(chapter, id)),
        Irregularity::OutsideWindow { id, chapter, window: (from, to), ahead: false } => {
            say!(lang, is_resolved_in_outside_of_chapters(id, chapter, range = figures::range(from, to)))
        }
        Irregularity::OutsideWindow { id, chapter, window: (from, to), .. } => {
            say!(lang, is_to_resolve_outside_of_chapters(chapter, id, range = figures::range(from, to)))
        }
        Irregularity::NeverPlanned { id, chapter } => say!(lang, was_planted_in_and_is_in(id, chapter)),
        Irregularity::SameDescription { id, other, .. } => say!(lang, and_have_same_description_if_they(id, other)),
    }
}

fn done(action: Action, lang: Lang) -> &'static str {
    match (lang, action) {
        (Lang::Zh, _) => action.verb(),
        (Lang::En, _) => action.as_str(),
    }
}
