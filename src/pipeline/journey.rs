//! The author's loop, done: reading how far the book is, and the transactions between its phases.

use super::decide;
use super::halt::Halt;
use super::planning::{self, Done};
use super::run::Run;
use super::shelf::Shelf;
use super::style::preset_text;
use crate::agents::VolumeOrder;
use crate::domain::checkpoint::{Checkpoint, Phase};
use crate::domain::config::BookConfig;
use crate::domain::foreshadowing::Action;
use crate::domain::journey::{Answer, Asked, InPlanning, Standing, TRIAL};
use crate::domain::outline::Outline;
use crate::domain::plan::Plan;
use crate::domain::stage::Next;
use crate::domain::work::Work;
use crate::domain::{ChapterNo, VolumeNo};
use crate::store::{Book, Change, CommitId, Kind, Log, Message, Target, Telling, format, key, layout};
use std::fmt::Write as _;

/// Trailer of commits that follow from the author's answer.
pub const ANSWER: &str = "Novel-Answer";
/// How many commits back an answer is looked for: a volume's chapters and what stands between them.
const RECENT: usize = 200;

/// How far the book is. Reads only.
///
/// # Errors
/// When the book or a draft cannot be read.
pub fn standing(book: &Book) -> Result<Standing, Halt> {
    let snapshot = book.snapshot()?;
    let shelf = Shelf::new(&snapshot);
    let checkpoint = shelf.checkpoint()?;
    let next = shelf.plan(checkpoint.next_chapter())?;
    let volume = next.as_ref().map_or(checkpoint.volume, |(volume, _)| *volume);
    let outline = match next {
        Some((_, outline)) => outline,
        None => shelf.outline(volume)?.unwrap_or_default(),
    };
    let waiting = decide::in_flight(book)?.filter(|flight| matches!(flight.next, Next::Wait(_)));
    let planning = planning::drafts(book)?.into_iter().next();
    let lore = shelf.lore()?;
    Ok(Standing {
        phase: checkpoint.phase,
        volume,
        written: checkpoint.last_completed,
        planned: outline.range().map_or(0, |(_, last)| last.get()),
        scheduled: snapshot.has(&layout::schedule(volume)),
        has_rules: !lore.rules.is_empty(),
        has_theme: says_its_theme(&lore.brief),
        has_cast: lore.characters.iter().any(|person| !person.contracts.is_empty()),
        planning: planning.map(|draft| InPlanning {
            volume: draft.order.volume,
            waits: draft.waits,
            sound: draft.is_sound(),
            trial: draft.order.trial,
        }),
        waiting: waiting.map(|flight| flight.chapter),
        reviewed: snapshot.has(&layout::review(volume)),
    })
}

/// A chapter that a question is about.
#[derive(Debug, Clone, PartialEq)]
pub struct Fact {
    /// Which.
    pub chapter: ChapterNo,
    /// Its title.
    pub title: String,
    /// Its overall score.
    pub score: f64,
}

/// The chapters that a question is about. Reads only.
///
/// # Errors
/// When a file is not of its format.
pub fn facts(book: &Book, asked: Asked) -> Result<Vec<Fact>, Halt> {
    let snapshot = book.snapshot()?;
    let shelf = Shelf::new(&snapshot);
    let volume = match asked {
        Asked::Trial => VolumeNo::FIRST,
        Asked::Plan { .. } => return Ok(Vec::new()),
        Asked::Volume(volume) => volume,
    };
    let outline = shelf.outline(volume)?.unwrap_or_default();
    let mut facts = Vec::new();
    for (chapter, score) in scores(&shelf, &outline, volume)? {
        facts.push(Fact { chapter, title: shelf.chapter(chapter)?.title, score });
    }
    Ok(facts)
}

/// Whether something stands under the brief's heading for the theme, advice apart.
fn says_its_theme(brief: &str) -> bool {
    let Some((_, rest)) = brief.split_once("## 主题") else { return false };
    let section = rest.split("\n#").next().unwrap_or_default();
    let mut said = String::new();
    let mut advice = false;
    for line in section.lines() {
        let begins = line.trim_start().starts_with("<!--");
        if !(advice || begins) {
            said.push_str(line.trim());
        }
        advice = (advice || begins) && !line.contains("-->");
    }
    !said.is_empty()
}

/// The order for the three trial chapters.
#[must_use]
pub fn trial_order() -> VolumeOrder {
    VolumeOrder { volume: VolumeNo::FIRST, first: 1, chapters: TRIAL, wish: String::new(), trial: true }
}

/// The order for a volume's plan: what is ordered already, or the chapters from where the book stands.
///
/// # Errors
/// [`Halt::TooFewChapters`] when as many are written already.
pub fn volume_order(book: &Book, volume: VolumeNo, chapters: u32, wish: &str) -> Result<VolumeOrder, Halt> {
    let standing = planning::drafts(book)?.into_iter().find(|draft| draft.order.volume == volume);
    if let Some(draft) = standing {
        return Ok(draft.order);
    }
    let snapshot = book.snapshot()?;
    let shelf = Shelf::new(&snapshot);
    let written = shelf.checkpoint()?.last_completed;
    let begun = shelf.outline(volume)?.and_then(|outline| outline.range());
    let first = begun.map_or(written + 1, |(first, _)| first.get());
    let least = (written + 1).saturating_sub(first).max(1);
    if chapters < least {
        return Err(Halt::TooFewChapters { volume, chapters, least });
    }
    Ok(VolumeOrder { volume, first, chapters, wish: wish.trim().to_owned(), trial: false })
}

impl Run<'_> {
    /// The trial chapters stay, and the volume that they begin is planned next.
    ///
    /// # Errors
    /// When the commit cannot be made.
    pub fn keep_trial(&self) -> Result<Done, Halt> {
        self.turn("start: the trial chapters stay", Kind::Plan, Change::default(), Some(Answer::GoOn), to_planning)
    }

    /// The trial chapters go, by a rollback to the commit before their outline; they stay reachable. With `style`, a
    /// built-in style takes the place of the present one.
    ///
    /// # Errors
    /// [`Halt::NoSuchStyle`]; when the commit cannot be made.
    pub fn drop_trial(&self, style: Option<&str>) -> Result<Done, Halt> {
        let also = match style {
            None => Change::default(),
            Some(name) => Change::default().put(layout::STYLE_PROFILE, preset_text(name)?),
        };
        self.adopt()?;
        let before = self.before_step("trial")?;
        let subject = match style {
            None => "start: the trial chapters are put aside".to_owned(),
            Some(name) => format!("start: the trial chapters are put aside, style {name}"),
        };
        self.go_back(before, &subject, &also, Answer::Style)
    }

    /// Everything since the book was made goes, by a rollback; it stays reachable. What the author says anew of genre,
    /// protagonist and conflict takes the place of the old; settings and style are the author's and stay.
    ///
    /// # Errors
    /// When the commit cannot be made.
    pub fn change_subject(&self, genre: &str, protagonist: &str, conflict: &str) -> Result<Done, Halt> {
        self.adopt()?;
        let book = self.session.book();
        let first = book.in_effect(|transaction| transaction.kind == Kind::Init)?.pop();
        let first = first.ok_or(Halt::NothingToDecide)?.id;
        let mut also = Change::default();
        if ![genre, protagonist, conflict].iter().all(|text| text.trim().is_empty()) {
            also = self.new_idea(first, genre, protagonist, conflict)?;
        }
        self.go_back(first, "start: another subject", &also, Answer::Subject)
    }

    /// What of a new book follows from its idea, over the files of the commit that made this one.
    fn new_idea(&self, first: CommitId, genre: &str, protagonist: &str, conflict: &str) -> Result<Change, Halt> {
        let snapshot = self.session.book().snapshot_of(first)?;
        let shelf = Shelf::new(&snapshot);
        let config = shelf.config()?;
        let genre = if genre.trim().is_empty() { config.genre.clone() } else { genre.trim().to_owned() };
        let idea = super::found::Idea {
            title: config.title.clone(),
            genre: genre.clone(),
            protagonist: protagonist.to_owned(),
            conflict: conflict.to_owned(),
            ..super::found::Idea::default()
        };
        let mut change = Change::default();
        for (path, bytes) in idea.files(None, self.clock)?.files {
            let is_idea = [layout::BRIEF, layout::STORYLINES, layout::STATE].contains(&path.as_str());
            if is_idea || path.starts_with(layout::ACTIVE_CHARACTERS) {
                change = change.put(&path, bytes);
            }
        }
        for path in snapshot.files(layout::ACTIVE_CHARACTERS)? {
            if !change.puts.contains_key(&path) {
                change = change.remove(&path);
            }
        }
        let previous = shelf.bytes(layout::CONFIG)?;
        let config = BookConfig { genre, ..config };
        Ok(change.put(layout::CONFIG, format::config::write(&config, previous.as_deref())))
    }

    /// Writes the review of a finished volume: what was planned and what came of it.
    ///
    /// # Errors
    /// When a file of the volume is not of its format, or the commit cannot be made.
    pub fn review(&self, volume: VolumeNo) -> Result<Done, Halt> {
        self.adopt()?;
        let book = self.session.book();
        let snapshot = book.snapshot()?;
        let shelf = Shelf::new(&snapshot);
        let text = review_of(&shelf, volume)?;
        let change = Change::default().put(&layout::review(volume), text);
        self.turn(&format!("review {volume}"), Kind::Review, change, None, |checkpoint| checkpoint)
    }

    /// The next volume may be planned.
    ///
    /// # Errors
    /// When the commit cannot be made.
    pub fn open_volume(&self) -> Result<Done, Halt> {
        let answer = Some(Answer::NextVolume);
        self.turn("start: on to the next volume", Kind::Plan, Change::default(), answer, to_planning)
    }

    fn before_step(&self, step: &str) -> Result<CommitId, Halt> {
        let is_it = |transaction: &crate::store::Transaction| transaction.trailers.get("Novel-Step") == Some(step);
        let found = self.session.book().in_effect(is_it)?.pop().filter(is_it);
        found.and_then(|transaction| transaction.parent).ok_or(Halt::NothingToDecide)
    }

    /// The book as it was at `to`, plans and inputs included, and `also` over it.
    fn go_back(&self, to: CommitId, subject: &str, also: &Change, answer: Answer) -> Result<Done, Halt> {
        let telling = Telling {
            subject: Some(subject.to_owned()),
            body: String::new(),
            author: self.author.clone(),
            time: self.clock.moment(),
        };
        let is_foreign = |path: &str| layout::classify(path).is_none();
        let trailers = [(ANSWER, answer.to_string())];
        let returned = self.session.rollback_with(Target::Commit(to), &is_foreign, also, &trailers, &telling)?;
        Ok(Done { commit: returned.committed.id, subject: subject.to_owned() })
    }

    /// A transaction that turns the book from one phase to the next.
    fn turn(
        &self,
        subject: &str,
        kind: Kind,
        change: Change,
        answer: Option<Answer>,
        after: impl FnOnce(Checkpoint) -> Checkpoint,
    ) -> Result<Done, Halt> {
        self.adopt()?;
        let book = self.session.book();
        let snapshot = book.snapshot()?;
        let shelf = Shelf::new(&snapshot);
        let before = shelf.checkpoint()?;
        let volume = before.volume;
        let checkpoint = Checkpoint { time: self.clock.rfc3339(), ..after(before) };
        let previous = shelf.bytes(layout::CHECKPOINT)?;
        let change = change.put(layout::CHECKPOINT, format::checkpoint::write(&checkpoint, previous.as_deref()));
        let mut message = Message::new(kind, subject).trailer(key::VOLUME, volume.get());
        if let Some(answer) = answer {
            message = message.trailer(ANSWER, answer);
        }
        let proposal = self.proposal(change, message, snapshot.commit_id());
        let committed = self.commit(Work::Plan(volume), proposal)?;
        Ok(Done { commit: committed.id, subject: subject.to_owned() })
    }
}

fn to_planning(before: Checkpoint) -> Checkpoint {
    Checkpoint { phase: Phase::VolumePlanning, pending: Vec::new(), ..before }
}

/// Whether the last question that the author has answered was answered so: giving the same answer again, after a kill for
/// one, goes on from there. Reads only.
///
/// # Errors
/// When the history cannot be read.
pub fn was_answered(book: &Book, answer: Answer) -> Result<bool, Halt> {
    let log = book.log(&Log { limit: RECENT, ..Log::default() })?;
    let last = log.iter().find_map(|transaction| transaction.trailers.read::<Answer>(ANSWER));
    Ok(last == Some(answer))
}

/// The review of a volume as its author reads it.
fn review_of(shelf: &Shelf<'_, '_>, volume: VolumeNo) -> Result<String, Halt> {
    let plan = shelf.plan_of(volume)?;
    let (checkpoint, ledger) = (shelf.checkpoint()?, shelf.ledger()?);
    let mut text = format!("# 第{}卷 回顾\n\n", volume.get());
    // Writing to a string cannot fail.
    let _ = chapters(&mut text, shelf, &plan.outline, volume);
    let _ = lines(&mut text, &plan);
    text.push_str("\n## 伏笔\n\n");
    for planned in &plan.foreshadowing {
        let entry = ledger.get(&planned.id);
        let became = match entry.map(|entry| entry.status()) {
            None => "没有埋下",
            Some(Action::Resolved) => "已回收",
            Some(_) if entry.is_some_and(|entry| entry.overdue(checkpoint.last_completed)) => "超期未收",
            Some(Action::Planted) => "埋着",
            Some(Action::Advanced) => "推进中",
        };
        let _ = writeln!(text, "- {}：{became}。{}", planned.id, planned.description);
    }
    text.push_str("\n## 交给下一卷\n\n");
    for entry in ledger.open() {
        let due = entry.target.map_or_else(String::new, |(from, to)| format!("，宜在 {from}–{to} 章收"));
        let _ = writeln!(text, "- 伏笔 {}{due}：{}", entry.id, entry.description);
    }
    for (id, memory) in shelf.lore()?.memories {
        if !memory.status.trim().is_empty() {
            let _ = writeln!(text, "- 故事线 {id}：{}", memory.status.trim());
        }
    }
    Ok(text)
}

/// The overall scores of the volume's chapters that are written.
fn scores(shelf: &Shelf<'_, '_>, outline: &Outline, volume: VolumeNo) -> Result<Vec<(ChapterNo, f64)>, Halt> {
    let mut scores = Vec::new();
    for section in &outline.sections {
        let path = layout::evaluation(volume, section.chapter);
        let Some(bytes) = shelf.bytes(&path)? else { continue };
        let recorded = format::evaluation::read(&bytes).map_err(Halt::of_file(&path))?;
        scores.push((section.chapter, recorded.evaluation.overall()));
    }
    Ok(scores)
}

/// Length and scores, and the chapters that were weakest.
fn chapters(text: &mut String, shelf: &Shelf<'_, '_>, outline: &Outline, volume: VolumeNo) -> Result<(), Halt> {
    let mut scores = scores(shelf, outline, volume)?;
    let mean = scores.iter().map(|(_, score)| score).sum::<f64>() / scores.len().max(1) as f64;
    let _ = writeln!(text, "写成 {} 章，均分 {mean:.2}。", scores.len());
    scores.sort_by(|a, b| a.1.total_cmp(&b.1));
    let weakest: Vec<String> =
        scores.iter().take(3).map(|(chapter, score)| format!("{chapter}（{score:.2}）")).collect();
    if !weakest.is_empty() {
        let _ = writeln!(text, "最弱的几章：{}。", weakest.join("、"));
    }
    Ok(())
}

/// Each line's chapters beside those that were planned, and where lines met.
fn lines(text: &mut String, plan: &Plan) -> std::fmt::Result {
    let Some(schedule) = &plan.schedule else { return Ok(()) };
    text.push_str("\n## 故事线\n\n");
    for line in &schedule.active {
        let count = plan.outline.sections.iter().filter(|section| section.storyline == line.storyline).count();
        writeln!(
            text,
            "- {}（{}）：计划 {} 章，写了 {count} 章。{}",
            line.storyline, line.role, line.target_chapters, line.goal
        )?;
    }
    for meeting in &schedule.convergences {
        let (from, to) = meeting.chapters;
        let on = |chapter: u32| plan.outline.section(ChapterNo::new(chapter)?).map(|section| &section.storyline);
        let met = (from..=to).any(|chapter| on(chapter).is_some_and(|line| meeting.lines.contains(line)));
        let became = if met { "如期" } else { "落空" };
        writeln!(text, "- 第 {from}–{to} 章交汇：{became}。{}", meeting.trigger)?;
    }
    Ok(())
}
