//! The examination of chapters against the book's records, by code alone; see [`crate::text::consistency`]. The
//! deviations that the author intends are recorded, and shown as findings no longer.

use crate::agents::context::mentions::{named, named_in};
use crate::agents::context::rules::objectives;
use crate::domain::chapter::{FindingId, Waiver, Waivers};
use crate::domain::state::history::Facts;
use crate::domain::state::{Op, State};
use crate::domain::volume::foreshadowing::Action;
use crate::domain::volume::outline::{Field, Section};
use crate::domain::world::contract::{ChapterContract, Rule};
use crate::domain::world::storyline::{Schedule, Status, Storylines, adjacent_lines};
use crate::pipeline::book::{chapter_context, direct_commit, files, hand_edits, timeline};
use crate::pipeline::engine::error::WaiverError;
use crate::pipeline::prelude::*;
use crate::store;
use crate::text::consistency::{
    Conflicting, Contradiction, ExaminedChapter, Examiner, Inconsistency, Ladder, Registry, Sort, Weight, ladders,
};
use crate::text::{NameIndex, NamedEntity};

/// The chapters of a book are examined when so many more are written (orchestrator chapter §8.2).
const EVERY: u32 = 10;
/// So many chapters before the first one are read too: what they say of ages, days and items is what it is compared with.
pub(crate) const LOOK_BACK: u32 = 30;

/// The examined chapters, and what was found.
#[derive(Debug, Clone, PartialEq)]
pub struct Examination {
    /// How many chapters were examined.
    pub chapters: usize,
    /// The findings, in the order of the chapters, the gravest of each first.
    pub findings: Vec<Inconsistency>,
    pub waived: Vec<Inconsistency>,
    /// Chapters that cannot be examined before they are read into the state.
    pub unread: Vec<ChapterNo>,
}

/// Examines the chapters of the book from `from` to `to`, both included. Reads only.
/// Fails with [`RunError::NoSuchChapter`] when the book has no chapter `from`; when a file is not of its format.
pub fn examine(book: &Book, from: Option<ChapterNo>, to: Option<ChapterNo>) -> Result<Examination, RunError> {
    let view = BookView::new(book.snapshot()?);
    let contents = view.contents()?;
    if let Some(missing) = from.filter(|from| contents.volume_of(*from).is_none()) {
        return Err(RunError::NoSuchChapter(missing));
    }
    let (from, to) = (from.map_or(1, ChapterNo::get), to.map_or(u32::MAX, ChapterNo::get));
    let known = ChapterNo::new(from.saturating_sub(LOOK_BACK)).unwrap_or(ChapterNo::FIRST);
    let chronicle = timeline::chronicle_since(book, known)?;
    let cast = BookCast::of(&view, chronicle.now())?;
    let registry = cast.registry_since(book, ChapterNo::new(from).unwrap_or(ChapterNo::FIRST))?;
    let waivers = view.waivers()?;
    let mut examiner = Examiner::default();
    let mut examination = Examination { chapters: 0, findings: Vec::new(), waived: Vec::new(), unread: Vec::new() };
    let read: BTreeSet<ChapterNo> = chronicle.chapters().map(|delta| delta.chapter).collect();
    let asked = contents.iter().map(|(chapter, _)| chapter).filter(|chapter| (from..=to).contains(&chapter.get()));
    examination.unread = asked.filter(|chapter| !read.contains(chapter)).collect();
    chronicle.walk(known.get()..=to, |delta, before, after| -> Result<(), RunError> {
        let chapter = delta.chapter;
        let Some(volume) = contents.volume_of(chapter) else { return Ok(()) };
        let text = view.chapter(chapter)?;
        let (outline, contract) = (view.outline(volume)?, files::contract(&view, volume, chapter)?);
        let plan = ChapterPlan {
            chapter,
            own: &delta.storyline,
            section: outline.as_ref().and_then(|outline| outline.section(chapter)),
            next: outline.as_ref().and_then(|outline| outline.section(chapter.next())),
            contract: contract.as_ref(),
            schedule: files::schedule(&view, volume)?,
        };
        let (foreign, expected) = (cast.foreign(&plan), cast.expected(&plan));
        let found = examiner.examine(
            &registry,
            ExaminedChapter {
                chapter,
                title: &text.title,
                text: &text.body,
                storyline: &delta.storyline,
                before: &before.state,
                after: &after.state,
                foreign: &foreign,
                expected: &expected,
                undone: &undone(contract.as_ref(), delta),
            },
        );
        if chapter.get() >= from {
            examination.chapters += 1;
            let (waived, found): (Vec<_>, Vec<_>) = found.into_iter().partition(|finding| is_waived(finding, &waivers));
            examination.findings.extend(found);
            examination.waived.extend(waived);
        }
        Ok(())
    })?;
    Ok(examination)
}

/// The chapters that are examined once `chapter` is written; `None` where that is not due.
pub(crate) fn due_after(chapter: ChapterNo) -> Option<(ChapterNo, ChapterNo)> {
    let first = chapter.get().is_multiple_of(EVERY).then(|| chapter.get() + 1 - EVERY)?;
    Some((ChapterNo::new(first)?, chapter))
}

/// How many of the chapters from `from` to `to` have a delta, and how many conflicts with the records [`examine`] finds in them
/// that the author has not waived. Reads only the texts in which the dead may act.
pub(crate) fn count_conflicts(book: &Book, (from, to): (ChapterNo, ChapterNo)) -> Result<(usize, usize), RunError> {
    let view = BookView::new(book.snapshot()?);
    let chronicle = timeline::chronicle_since(book, from)?;
    let registry = BookCast::of(&view, chronicle.now())?.registry_since(book, from)?;
    let (contents, waivers) = (view.contents()?, view.waivers()?);
    let (mut examined, mut conflicts) = (0, 0);
    let part = |facts: &Facts| Conflicting::of(&facts.state);
    chronicle.walk_parts(from.get()..=to.get(), part, |delta, before, after| -> Result<(), RunError> {
        let chapter = delta.chapter;
        if contents.volume_of(chapter).is_none() {
            return Ok(());
        }
        let text = || Ok::<_, RunError>(view.chapter(chapter)?.body);
        let found = before.conflicts(after, (chapter, &delta.storyline), &registry, text)?;
        let is_waived =
            |(sort, subject): &(Sort, String)| waivers.of_finding(chapter, sort.as_str(), subject).is_some();
        examined += 1;
        conflicts += found.iter().filter(|found| !is_waived(found)).count();
        Ok(())
    })?;
    Ok((examined, conflicts))
}

/// The records and the chapters before a draft, taken apart once for all the texts that it comes to.
pub(crate) struct DraftRecords {
    registry: Registry,
    foreign: BTreeMap<String, String>,
    expected: BTreeSet<String>,
    /// Has seen the chapters before.
    examiner: Examiner,
}

impl DraftRecords {
    pub(crate) fn new(context: &ChapterContext, earlier: &[Chapter]) -> Self {
        let cast = BookCast::new(context.characters.clone(), Vec::new(), context.storylines.clone(), &context.state)
            .with_rules(&context.rules);
        let plan = ChapterPlan {
            chapter: context.chapter,
            own: context.storyline(),
            section: Some(&context.section),
            next: context.outline.section(context.chapter.next()),
            contract: context.contract.as_ref(),
            schedule: Some(context.schedule.clone()),
        };
        let (registry, foreign, expected) = (cast.registry(), cast.foreign(&plan), cast.expected(&plan));
        let mut records = Self { registry, foreign, expected, examiner: Examiner::default() };
        for text in earlier {
            let mut examiner = std::mem::take(&mut records.examiner);
            examiner.recall(&records.registry, records.beside(context, text));
            records.examiner = examiner;
        }
        records
    }

    /// The findings in a text, as far as the records before it and the earlier chapters go: a line for each finding, for the judge to
    /// look into.
    pub(crate) fn doubts(&self, context: &ChapterContext, chapter: &Chapter) -> Vec<String> {
        // A place of the plan needs no way: scenes begin where they are to play.
        let is_planned = |finding: &Inconsistency| match &finding.what {
            Contradiction::Place { is, .. } => context.section.source.contains(is.as_str()),
            _ => false,
        };
        let found = self.examiner.clone().examine(&self.registry, self.beside(context, chapter));
        let line = |finding: &Inconsistency| {
            format!("与记录不合的疑点：{}（原文：{}）", finding.what.in_chinese(), finding.quotation)
        };
        let found = found.iter().filter(|found| !is_planned(found) && !is_waived(found, &context.waivers));
        found.map(line).chain(former_names(context, chapter)).collect()
    }

    /// A chapter with the records as the draft finds them.
    fn beside<'a>(&'a self, context: &'a ChapterContext, chapter: &'a Chapter) -> ExaminedChapter<'a> {
        ExaminedChapter {
            chapter: chapter.number,
            title: &chapter.title,
            text: &chapter.body,
            storyline: context.storyline(),
            before: &context.state,
            after: &context.state,
            foreign: &self.foreign,
            expected: &self.expected,
            undone: &[],
        }
    }
}

/// A line for each name of before that the text has for a person.
fn former_names(context: &ChapterContext, chapter: &Chapter) -> Vec<String> {
    let people = context.characters.iter();
    let former = people.flat_map(|person| person.former_names.iter().map(move |former| (person, former)));
    let used = former.filter(|(_, former)| former.chars().count() > 1 && chapter.body.contains(former.as_str()));
    let line =
        |(person, former): (&Character, &String)| format!("旧名不再用：「{former}」现在叫「{}」", person.display_name);
    used.map(line).collect()
}

/// The steps of foreshadowings that the contract wants of a chapter and its delta does not have. One that was resolved needs no
/// further step, and of a chapter whose operations could not be read nothing is known.
fn undone(contract: Option<&ChapterContract>, delta: &Delta) -> Vec<(Action, Slug)> {
    let is_done = |(action, id): &(Action, Slug)| {
        delta.ops.iter().any(|op| match op {
            Op::Foreshadow(op) => op.id == *id && (op.action == *action || op.action == Action::Resolved),
            _ => false,
        })
    };
    let wanted = contract.into_iter().filter(|_| delta.skipped.is_none()).flat_map(|contract| &contract.objectives);
    let tasks = wanted.filter(|objective| objective.required).filter_map(|objective| objective.task.clone());
    tasks.filter(|task| !is_done(task)).collect()
}

/// The name under which the author waives a finding.
pub fn id_of(finding: &Inconsistency) -> FindingId {
    let check = finding.what.sort().to_string();
    FindingId { chapter: Some(finding.chapter), check, subject: finding.what.subject() }
}

/// Whether a finding contradicts the records for sure.
pub(crate) fn is_conflict(finding: &Inconsistency) -> bool {
    finding.what.sort().weight() == Weight::Conflict
}

fn is_waived(finding: &Inconsistency, waivers: &Waivers) -> bool {
    let FindingId { check, subject, .. } = id_of(finding);
    waivers.of_finding(finding.chapter, &check, &subject).is_some()
}

/// The people of the book and their lines.
struct BookCast {
    active: Vec<Character>,
    retired: Vec<Character>,
    storylines: Storylines,
    /// Everything else that has a name in the state.
    others: Vec<NamedEntity>,
    /// The levels that the rules list.
    ladders: Vec<Ladder>,
}

struct ChapterPlan<'a> {
    chapter: ChapterNo,
    own: &'a Slug,
    section: Option<&'a Section>,
    next: Option<&'a Section>,
    contract: Option<&'a ChapterContract>,
    schedule: Option<Schedule>,
}

impl ChapterPlan<'_> {
    /// The lines that the chapter may know of: its own, those that it meets, and the one that comes next.
    fn near(&self) -> Vec<&Slug> {
        let meeting = self.schedule.as_ref().and_then(|schedule| schedule.convergence_at(self.chapter));
        let mut near = adjacent_lines(self.own, meeting, self.next.map(|next| &next.storyline));
        near.push(self.own);
        near
    }

    fn names(&self, person: &Character) -> bool {
        self.section.is_some_and(|section| person.is_named_in(&section.source))
            || self.contract.is_some_and(|contract| contract.characters.contains(&person.id))
    }
}

impl BookCast {
    fn of(view: &BookView<'_>, now: &Facts) -> Result<Self, RunError> {
        let cast =
            Self::new(files::characters(view)?, files::retired_characters(view)?, files::storylines(view)?, &now.state);
        Ok(cast.with_rules(&files::rules(view)?))
    }

    fn new(active: Vec<Character>, retired: Vec<Character>, storylines: Storylines, state: &State) -> Self {
        let is_known = |id: &str| active.iter().chain(&retired).any(|person| person.id.as_str() == id);
        let others = named_in(state).filter(|named| !is_known(&named.id)).collect();
        Self { active, retired, storylines, others, ladders: ladders([]) }
    }

    /// The same with the levels that rules list.
    fn with_rules(self, rules: &[Rule]) -> Self {
        Self { ladders: ladders(rules.iter().map(|rule| rule.rule.as_str())), ..self }
    }

    fn registry(&self) -> Registry {
        let all: Vec<NamedEntity> =
            self.active.iter().chain(&self.retired).map(named).chain(self.others.iter().cloned()).collect();
        Registry {
            names: all.iter().map(|named| (named.id.clone(), named.name.clone())).collect(),
            people: all.iter().filter(|named| named.is_person).map(|named| named.id.clone()).collect(),
            ladders: self.ladders.clone(),
            retired: self.retired.iter().map(|person| (person.id.to_string(), None)).collect(),
            index: NameIndex::new(&all),
        }
    }

    /// The same for the chapters from `first` on: a person who has left since may act in those before that.
    fn registry_since(&self, book: &Book, first: ChapterNo) -> Result<Registry, RunError> {
        let mut registry = self.registry();
        if self.retired.is_empty() {
            return Ok(registry);
        }
        let since =
            book.chapter_commit(first)?.map(|commit| store::history::log_since(book, commit)).transpose()?.flatten();
        for retirement in since.unwrap_or_default().iter().filter(|commit| commit.kind == Kind::Retire) {
            // The newest retirement of a person counts.
            let id = retirement.trailers.get(key::CHARACTER).unwrap_or_default();
            if let Some(last @ None) = registry.retired.get_mut(id) {
                *last = book.contents_of(retirement.id)?.last();
            }
        }
        Ok(registry)
    }

    /// The people whom a chapter's line does not know and its plan does not name, each with a line of theirs.
    fn foreign(&self, plan: &ChapterPlan<'_>) -> BTreeMap<String, String> {
        let near = plan.near();
        let line_of = |person: &Character| {
            let knows = near.iter().any(|line| self.storylines.has_on(line, person));
            let mut running = self.storylines.lines.iter().filter(|line| line.status != Status::Ended);
            running.find(|line| !knows && !plan.names(person) && line.includes(person)).map(|line| line.name.clone())
        };
        self.active.iter().filter_map(|person| Some((person.id.to_string(), line_of(person)?))).collect()
    }

    /// The people whom the chapter's contract lists, and the one through whose eyes its section is told.
    fn expected(&self, plan: &ChapterPlan<'_>) -> BTreeSet<String> {
        let pov = plan.section.map(|section| section.field(Field::Pov)).unwrap_or_default();
        let is_wanted = |person: &&Character| {
            person.is_named_in(pov) || plan.contract.is_some_and(|contract| contract.characters.contains(&person.id))
        };
        self.active.iter().filter(is_wanted).map(|person| person.id.to_string()).collect()
    }
}

pub fn waivers(book: &Book) -> Result<Waivers, RunError> {
    BookView::new(book.snapshot()?).waivers()
}

/// Records that the findings are meant, for one reason, in one commit; `None` when all of it is recorded already.
/// Fails with [`WaiverError`]; when the book cannot be read or the commit cannot be made.
pub fn waive(run: &Run<'_>, findings: &[FindingId], reason: &str) -> Result<Option<Done>, RunError> {
    hand_edits::commit_local_changes(run)?;
    let findings = findings.iter().map(|finding| known(run.session.book(), finding));
    let findings = findings.collect::<Result<Vec<_>, _>>()?;
    change_waivers(run, &findings, Subject::Waive(names(&findings)), reason, |waivers| {
        let waiver = |finding: FindingId| Waiver { finding, reason: reason.to_owned() };
        let added: Vec<bool> = findings.iter().cloned().map(|finding| waivers.add(waiver(finding))).collect();
        Ok(added.contains(&true))
    })
}

/// Takes waivers back in one commit.
/// Fails with [`WaiverError::NotWaived`]; when the book cannot be read or the commit cannot be made.
pub fn unwaive(run: &Run<'_>, findings: &[FindingId]) -> Result<Option<Done>, RunError> {
    hand_edits::commit_local_changes(run)?;
    change_waivers(run, findings, Subject::WaiveNoLonger(names(findings)), "", |waivers| {
        for finding in findings {
            if !waivers.remove(finding) {
                return Err(WaiverError::NotWaived(finding.clone()));
            }
        }
        Ok(true)
    })
}

fn change_waivers(
    run: &Run<'_>,
    findings: &[FindingId],
    subject: Subject,
    reason: &str,
    change: impl FnOnce(&mut Waivers) -> Result<bool, WaiverError>,
) -> Result<Option<Done>, RunError> {
    let view = BookView::new(run.session.book().snapshot()?);
    let mut waivers = view.waivers()?;
    if !change(&mut waivers)? {
        return Ok(None);
    }
    let previous = view.bytes(layout::WAIVERS)?;
    let bytes = (!waivers.list.is_empty()).then(|| format::write(&waivers, previous.as_deref()));
    let files = Change::default().put_or_remove(layout::WAIVERS, bytes);
    let message = Message::new(Kind::Config, subject).body(reason.to_owned());
    direct_commit::commit_step(run, (Step::Waive, &names(findings).join(", ")), message, files, &view).map(Some)
}

fn names(findings: &[FindingId]) -> Vec<String> {
    findings.iter().map(ToString::to_string).collect()
}

/// The finding with the spelling of the book, if it can be waived. A finding of the checks has to be there in a chapter of the
/// book; a chapter that is still to be written may have any.
fn known(book: &Book, finding: &FindingId) -> Result<FindingId, RunError> {
    let Ok(sort) = finding.check.parse::<Sort>() else { return rule(book, finding) };
    let wanted = sort.has_subject();
    if wanted == finding.subject.is_empty() {
        return Err(WaiverError::Subject { finding: finding.clone(), wanted }.into());
    }
    let Some(chapter) = finding.chapter else { return Ok(finding.clone()) };
    if BookView::new(book.snapshot()?).contents()?.volume_of(chapter).is_none() {
        return Ok(finding.clone());
    }
    let examined = examine(book, Some(chapter), Some(chapter))?;
    let found: Vec<FindingId> = examined.findings.iter().chain(&examined.waived).map(id_of).collect();
    match found.contains(finding) {
        true => Ok(finding.clone()),
        false => Err(WaiverError::NotFound { finding: finding.clone(), found }.into()),
    }
}

/// The finding as one of a rule of the book, in one chapter.
fn rule(book: &Book, finding: &FindingId) -> Result<FindingId, RunError> {
    let Some(rule) = rules(book, finding.chapter)?.into_iter().find(|id| id.eq_ignore_ascii_case(&finding.check))
    else {
        return Err(WaiverError::UnknownCheck(finding.clone()).into());
    };
    if finding.chapter.is_none() {
        return Err(WaiverError::RuleOfBook(finding.clone()).into());
    }
    if !finding.subject.is_empty() {
        return Err(WaiverError::Subject { finding: finding.clone(), wanted: false }.into());
    }
    Ok(FindingId { check: rule, ..finding.clone() })
}

/// The ids of all rules that a chapter can be held against.
fn rules(book: &Book, chapter: Option<ChapterNo>) -> Result<Vec<String>, RunError> {
    let view = BookView::new(book.snapshot()?);
    let mut ids: Vec<String> =
        files::rules(&view)?.into_iter().chain(files::storyline_rules(&view)?).map(|rule| rule.id).collect();
    let people = files::characters(&view)?.into_iter().chain(files::retired_characters(&view)?);
    ids.extend(people.flat_map(|person| person.contracts).map(|contract| contract.id));
    let context = chapter.map(|chapter| chapter_context::of_chapter(&view, chapter));
    match context {
        None | Some(Err(RunError::NotPlanned { .. })) => {}
        Some(context) => ids.extend(objectives(&context?).iter().map(|objective| objective.id.clone())),
    }
    Ok(ids)
}
