//! The author's loop, done: reading how far the book is, and the transactions between its phases.

use super::book::direct_commit::CommitText;
use super::book::estimate::Price;
use super::book::view::BookView;
use super::chapter::decide;
use super::engine::book_commit::BookCommit;
use super::engine::error::RunError;
use super::engine::run::Run;
use super::planning::approval;
use super::planning::approval::ContractChange;
use super::planning::create_book;
use super::planning::steps;
use super::planning::steps::Done;
use super::planning::style::preset_text;
use crate::agents::VolumeOrder;
use crate::domain::book::checkpoint::{Checkpoint, Phase};
use crate::domain::book::config::BookConfig;
use crate::domain::book::work::{Step, Work};
use crate::domain::chapter::stage::Next;
use crate::domain::state::cleanup;
use crate::domain::volume::ending;
use crate::domain::volume::ending::{Judgement, Recommendation};
use crate::domain::workflow::{Answer, BookQuestion, BookStatus, CHAPTERS, Founded, InPlanning, TRIAL};
use crate::domain::{ChapterNo, VolumeNo};
use crate::pipeline::engine::trailer::STEP;
use crate::store::layout::BookPath;
use crate::store::{Book, Change, CommitId, CommitInfo, Kind, Log, Message, Target, Transaction, format, key, layout};

/// Trailer of commits that follow from the author's answer.
pub const ANSWER: &str = key::ANSWER;
/// How many commits back an answer is looked for: a volume's chapters and what stands between them.
const RECENT: usize = 200;

/// What the book is founded on. Reads only.
///
/// # Errors
/// When a file is not of its format.
pub fn founded(book: &Book) -> Result<Founded, RunError> {
    let snapshot = book.snapshot()?;
    founded_in(&BookView::new(&snapshot))
}

fn founded_in(view: &BookView<'_, '_>) -> Result<Founded, RunError> {
    let context = view.planning_context()?;
    Ok(Founded {
        rules: !context.rules.is_empty(),
        theme: !said_under(&context.brief, "## 主题").is_empty(),
        cast: context.characters.iter().any(|person| !person.contracts.is_empty()),
        style: view.style()?.is_some_and(|profile| profile.is_chosen()),
        written: context.last_completed,
    })
}

/// How far the book is. Reads only.
///
/// # Errors
/// When the book or a draft cannot be read.
pub fn standing(book: &Book) -> Result<BookStatus, RunError> {
    let snapshot = book.snapshot()?;
    standing_in(book, &BookView::new(&snapshot))
}

/// The same, for whoever has the book open already.
///
/// # Errors
/// As for [`standing`].
pub fn standing_in(book: &Book, view: &BookView<'_, '_>) -> Result<BookStatus, RunError> {
    let checkpoint = view.checkpoint()?;
    let next = view.plan(checkpoint.next_chapter())?;
    let volume = next.as_ref().map_or(checkpoint.volume, |(volume, _)| *volume);
    let outline = match next {
        Some((_, outline)) => outline,
        None => view.outline(volume)?.unwrap_or_default(),
    };
    let waiting = decide::in_flight(book)?.filter(|flight| matches!(flight.next, Next::Wait(_)));
    let planning = in_planning(book)?;
    // What a book needs before its first chapter matters only before it.
    let founding = match checkpoint.phase {
        Phase::QuickStart => Some(founded_in(view)?),
        _ => None,
    };
    let reviewed = view.is_reviewed(volume)?;
    let judged = if reviewed { view.judgement(volume)? } else { None };
    let untidy = checkpoint.pending.contains(&cleanup::pending(volume));
    Ok(BookStatus {
        phase: checkpoint.phase,
        volume,
        written: checkpoint.last_completed,
        planned: outline.range().map_or(0, |(_, last)| last.get()),
        scheduled: view.has(&layout::schedule(volume)),
        has_rules: founding.is_none_or(|founding| founding.rules),
        has_theme: founding.is_none_or(|founding| founding.theme),
        has_cast: founding.is_none_or(|founding| founding.cast),
        has_style: founding.is_none_or(|founding| founding.style),
        planning,
        proposal: approval::waiting(book)?.map(|proposal| proposal.step),
        waiting: waiting.map(|flight| flight.chapter),
        reviewed,
        untidy: untidy && judged.as_ref().is_some_and(|judged| !judged.leftovers.is_empty()),
        course: judged.map_or(Recommendation::Continue, |judged| judged.recommended()),
    })
}

/// The plan that is being made or waits, the earliest volume's first. Reads only.
///
/// # Errors
/// When a draft cannot be read.
pub fn in_planning(book: &Book) -> Result<Option<InPlanning>, RunError> {
    let draft = steps::drafts(book)?.into_iter().next();
    Ok(draft.map(|draft| InPlanning {
        volume: draft.order.volume,
        waits: draft.waits,
        sound: draft.is_sound(),
        trial: draft.order.trial,
    }))
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

/// The book's position when a question is asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Position {
    /// The book's title; may be empty.
    pub title: String,
    /// The phase of the author's loop.
    pub phase: Phase,
    /// The volume.
    pub volume: VolumeNo,
    /// The last accepted chapter; 0 before the first.
    pub written: u32,
    /// The last planned chapter of the volume; 0 where nothing is planned.
    pub planned: u32,
    /// The cost up to now, as far as it is known, in millionths of a US dollar.
    pub spent_micro_usd: u64,
}

/// Returns the book's position. Reads only.
///
/// # Errors
/// When the book or a draft cannot be read.
pub fn position(book: &Book) -> Result<Position, RunError> {
    let snapshot = book.snapshot()?;
    let view = BookView::new(&snapshot);
    let BookStatus { phase, volume, written, planned, .. } = standing_in(book, &view)?;
    let spent_micro_usd = view.checkpoint()?.totals.cost_micro_usd;
    Ok(Position { title: view.config()?.title, phase, volume, written, planned, spent_micro_usd })
}

/// What a question is about.
#[derive(Debug, Clone, PartialEq)]
pub struct Facts {
    /// The book's position.
    pub position: Position,
    /// The likely cost of each answer, in their order; empty where prices were not asked for.
    pub prices: Vec<Option<Price>>,
    /// The chapters that are written.
    pub chapters: Vec<Fact>,
    /// The rules and contracts that an agent wants to change.
    pub contracts: Vec<ContractChange>,
    /// What the review of the volume has judged.
    pub judgement: Option<Judgement>,
}

/// What a question is about. Reads only.
///
/// # Errors
/// When a file is not of its format.
pub fn facts(book: &Book, asked: BookQuestion) -> Result<Facts, RunError> {
    let snapshot = book.snapshot()?;
    let view = BookView::new(&snapshot);
    let volume = asked.volume();
    let chapters = match asked {
        BookQuestion::Trial | BookQuestion::Volume { .. } => chapters(&view, volume)?,
        BookQuestion::Plan { .. } | BookQuestion::Contracts { .. } | BookQuestion::Cleanup(_) => Vec::new(),
    };
    let contracts = match asked {
        BookQuestion::Contracts { step, .. } => {
            let proposals = approval::proposals(book)?.into_iter();
            proposals.filter(|proposal| proposal.step == step).flat_map(|proposal| proposal.changes).collect()
        }
        _ => Vec::new(),
    };
    let (position, prices) = (position(book)?, Vec::new());
    Ok(Facts { position, prices, contracts, chapters, judgement: view.judgement(volume)? })
}

fn chapters(view: &BookView<'_, '_>, volume: VolumeNo) -> Result<Vec<Fact>, RunError> {
    let outline = view.outline(volume)?.unwrap_or_default();
    let mut facts = Vec::new();
    for section in &outline.sections {
        let Some(recorded) = view.evaluation(volume, section.chapter)? else { continue };
        let (chapter, score) = (section.chapter, recorded.evaluation.overall());
        facts.push(Fact { chapter, title: view.chapter(chapter)?.title, score });
    }
    Ok(facts)
}

/// What stands under a heading of the brief, line by line, the template's advice apart.
#[must_use]
pub fn said_under<'b>(brief: &'b str, heading: &str) -> Vec<&'b str> {
    let mut lines = brief.lines().skip_while(|line| line.trim() != heading);
    lines.next();
    let mut said = Vec::new();
    let mut advice = false;
    for line in lines.map(str::trim).take_while(|line| !line.starts_with('#')) {
        let begins = line.starts_with("<!--");
        if !(advice || begins || line.is_empty()) {
            said.push(line);
        }
        advice = (advice || begins) && !line.contains("-->");
    }
    said
}

/// The order for the three trial chapters.
#[must_use]
pub fn trial_order() -> VolumeOrder {
    VolumeOrder {
        volume: VolumeNo::FIRST,
        first: 1,
        chapters: TRIAL,
        wish: String::new(),
        trial: true,
        closing: false,
        fill: false,
    }
}

/// What is wanted of a volume.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Wanted {
    /// How many chapters; `None` for as many as are usual, or as the end of the book needs by the last review.
    pub chapters: Option<u32>,
    /// In the author's words.
    pub wish: String,
    /// Whether the book ends with it. It does as well when the author has said so after the last review.
    pub closing: bool,
}

/// The order for a volume's plan: what is ordered already, or the chapters from where the book stands.
///
/// # Errors
/// As for [`new_order`].
pub fn volume_order(book: &Book, volume: VolumeNo, wanted: &Wanted) -> Result<VolumeOrder, RunError> {
    let ordered = steps::orders(book)?.into_iter().find(|order| order.volume == volume);
    ordered.map_or_else(|| new_order(book, volume, wanted), Ok)
}

/// A new order for a volume's plan, whatever was ordered before.
///
/// # Errors
/// [`RunError::TooFewChapters`] when as many are written already.
pub fn new_order(book: &Book, volume: VolumeNo, wanted: &Wanted) -> Result<VolumeOrder, RunError> {
    let snapshot = book.snapshot()?;
    let view = BookView::new(&snapshot);
    let checkpoint = view.checkpoint()?;
    let (written, closing) = (checkpoint.last_completed, checkpoint.pending.contains(&ending::pending(volume)));
    let closing = closing || wanted.closing;
    let chapters = match wanted.chapters {
        Some(chapters) => chapters,
        None => usual_length(&view, volume, closing)?,
    };
    let begun = view.outline(volume)?.and_then(|outline| outline.range());
    let first = begun.map_or(written + 1, |(first, _)| first.get());
    let least = (written + 1).saturating_sub(first).max(1);
    if chapters < least {
        return Err(RunError::TooFewChapters { volume, chapters, least });
    }
    Ok(VolumeOrder { volume, first, chapters, wish: wanted.wish.trim().to_owned(), trial: false, closing, fill: false })
}

/// Returns the length of the volume's plan unless the author gives another. Reads only.
///
/// # Errors
/// When a file is not of its format.
pub fn planned_length(book: &Book, volume: VolumeNo, wanted: &Wanted) -> Result<u32, RunError> {
    if let Some(order) = steps::orders(book)?.into_iter().find(|order| order.volume == volume) {
        return Ok(order.chapters);
    }
    let snapshot = book.snapshot()?;
    let view = BookView::new(&snapshot);
    let closing = wanted.closing || view.checkpoint()?.pending.contains(&ending::pending(volume));
    wanted.chapters.map_or_else(|| usual_length(&view, volume, closing), Ok)
}

/// How many chapters a volume has when nobody says: as many as the last review thinks that the end needs, where it ends.
fn usual_length(view: &BookView<'_, '_>, volume: VolumeNo, closing: bool) -> Result<u32, RunError> {
    let before = VolumeNo::new(volume.get().saturating_sub(1)).filter(|_| closing);
    let judged = before.map(|before| view.judgement(before)).transpose()?.flatten();
    Ok(judged.and_then(|judged| judged.closing_chapters()).unwrap_or(CHAPTERS))
}

/// A transaction that turns the book, as the author has answered.
pub(crate) struct PhaseChange {
    pub(crate) subject: String,
    pub(crate) body: String,
    pub(crate) kind: Kind,
    pub(crate) change: Change,
    pub(crate) answer: Answer,
}

impl PhaseChange {
    /// One that changes the checkpoint and nothing else.
    pub(crate) fn of(subject: impl Into<String>, kind: Kind, answer: Answer) -> Self {
        Self { subject: subject.into(), body: String::new(), kind, change: Change::default(), answer }
    }
}

impl Run<'_> {
    /// The trial chapters stay, and the volume that they begin is planned next.
    ///
    /// # Errors
    /// When the commit cannot be made.
    pub fn keep_trial(&self) -> Result<Done, RunError> {
        self.turn(PhaseChange::of("start: the trial chapters stay", Kind::Plan, Answer::GoOn), to_planning)
    }

    /// The trial chapters go, by a rollback to the commit before their outline; they stay reachable. What the author has done
    /// to world, people and settings meanwhile stays. With `style`, a built-in style takes the place of the present one.
    ///
    /// # Errors
    /// [`RunError::NoSuchStyle`]; when the commit cannot be made.
    pub fn drop_trial(&self, style: Option<&str>) -> Result<Done, RunError> {
        let also = match style {
            None => Change::default(),
            Some(name) => Change::default().put(layout::STYLE_PROFILE, preset_text(name)?),
        };
        self.commit_local_changes()?;
        let trial = self.step_taken(Step::Trial)?;
        let before = trial.and_then(|transaction| transaction.parent).ok_or(RunError::NothingToDecide)?;
        let subject = match style {
            None => "start: the trial chapters are put aside".to_owned(),
            Some(name) => format!("start: the trial chapters are put aside, style {name}"),
        };
        let stays = |place: &BookPath| !(place.is_plan() || place.is_told());
        self.go_back(before, &stays, &subject, &also, Answer::Style)
    }

    /// Everything since the book was made goes, by a rollback; it stays reachable. What the author says again of genre,
    /// protagonist and conflict takes the place of the old; settings and style are the author's and stay.
    ///
    /// # Errors
    /// When the commit cannot be made.
    pub fn change_subject(&self, genre: &str, protagonist: &str, conflict: &str) -> Result<Done, RunError> {
        self.commit_local_changes()?;
        let book = self.session.book();
        let first = create_book::founded(book)?.ok_or(RunError::NothingToDecide)?.id;
        let own_brief = self.brief_is_own(first)?;
        let mut also = Change::default();
        let is_new = ![genre, protagonist, conflict].iter().all(|text| text.trim().is_empty());
        if is_new {
            also = self.new_idea(first, genre, protagonist, conflict)?;
        }
        let stays = |place: &BookPath| match place {
            BookPath::Brief => own_brief,
            place => place.is_author_input() && !place.is_plan(),
        };
        self.go_back(first, &stays, "start: another subject", &also, Answer::Subject)
    }

    /// Whether the brief is in the author's words: neither as the book began with it nor as the plot architect left it.
    fn brief_is_own(&self, first: CommitId) -> Result<bool, RunError> {
        let book = self.session.book();
        let themed = self.step_taken(Step::Theme)?.map(|transaction| transaction.id);
        let now = book.snapshot()?.read(layout::BRIEF)?;
        for made in [Some(first), themed].into_iter().flatten() {
            if book.snapshot_of(made)?.read(layout::BRIEF)? == now {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Returns the files that follow from another idea, over those of the commit that made the book. Parts of the idea that are
    /// not said again stay.
    fn new_idea(&self, first: CommitId, genre: &str, protagonist: &str, conflict: &str) -> Result<Change, RunError> {
        let book = self.session.book();
        let now = book.snapshot()?;
        let view = BookView::new(&now);
        let config = view.config()?;
        let snapshot = book.snapshot_of(first)?;
        let brief = snapshot.read(layout::BRIEF)?.unwrap_or_default();
        let brief = String::from_utf8_lossy(&brief);
        let or = |new: &str, heading: &str| match new.trim() {
            "" => said_under(&brief, heading).join("\n"),
            new => new.to_owned(),
        };
        let genre = if genre.trim().is_empty() { config.genre.clone() } else { genre.trim().to_owned() };
        let idea = create_book::Idea {
            title: config.title.clone(),
            genre: genre.clone(),
            protagonist: or(protagonist, "## 主角"),
            conflict: or(conflict, "## 核心冲突"),
            ..create_book::Idea::default()
        };
        let mut change = Change::default();
        for (path, bytes) in idea.files(None, self.calls.clock)?.files {
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
        let previous = view.bytes(layout::CONFIG)?;
        let config = BookConfig { genre, ..config };
        Ok(change.put(layout::CONFIG, format::config::write(&config, previous.as_deref())))
    }

    /// Takes the author's notes into `research/`, by name and text, in one commit. A note that is there under the same name
    /// is replaced.
    ///
    /// # Errors
    /// When the commit cannot be made.
    pub fn import_research(&self, notes: &[(String, String)]) -> Result<Done, RunError> {
        self.commit_local_changes()?;
        let snapshot = self.session.book().snapshot()?;
        let mut change = Change::default();
        for (name, text) in notes {
            change = change.put(&BookPath::Research(name.clone()).path(), format!("{}\n", text.trim_end()));
        }
        let names: Vec<&str> = notes.iter().map(|(name, _)| name.as_str()).collect();
        let request = format!("research {}", names.join(" "));
        let told = CommitText {
            kind: Kind::World,
            step: Step::Research,
            request: &request,
            subject: format!("research: {}", names.join(", ")),
            body: String::new(),
            trailers: Vec::new(),
        };
        self.step(told, change, &snapshot)
    }

    /// The next volume may be planned.
    ///
    /// # Errors
    /// When the commit cannot be made.
    pub fn open_volume(&self) -> Result<Done, RunError> {
        self.turn(PhaseChange::of("start: on to the next volume", Kind::Plan, Answer::NextVolume), to_planning)
    }

    /// The next volume may be planned, and the book ends with it.
    ///
    /// # Errors
    /// When the commit cannot be made.
    pub fn wrap_up(&self) -> Result<Done, RunError> {
        let last = standing(self.session.book())?.volume_to_plan();
        let turn = PhaseChange::of(
            format!("start: the book ends with {last}, which is planned next"),
            Kind::Plan,
            Answer::WrapUp,
        );
        self.turn(turn, |before| Checkpoint { pending: vec![ending::pending(last)], ..to_planning(before) })
    }

    /// The book has come to its end.
    ///
    /// # Errors
    /// When the commit cannot be made.
    pub fn end(&self, volume: VolumeNo) -> Result<Done, RunError> {
        let turn = PhaseChange::of(format!("the book ends with {volume}"), Kind::Plan, Answer::End);
        self.turn(turn, |before| Checkpoint { phase: Phase::Completed, pending: Vec::new(), ..before })
    }

    /// The last transaction in effect that took the step.
    fn step_taken(&self, step: Step) -> Result<Option<Transaction>, RunError> {
        let is_it = |transaction: &Transaction| transaction.trailers.get(STEP) == Some(step.as_str());
        Ok(self.session.book().in_effect(is_it)?.pop().filter(is_it))
    }

    /// The book as it was at `to`, apart from the files that stay and those that are not the book's, and `also` over it.
    fn go_back(
        &self,
        to: CommitId,
        stays: &dyn Fn(&BookPath) -> bool,
        subject: &str,
        also: &Change,
        answer: Answer,
    ) -> Result<Done, RunError> {
        let telling = CommitInfo {
            subject: Some(subject.to_owned()),
            body: String::new(),
            author: self.author.clone(),
            time: self.calls.clock.moment(),
        };
        let stays = |path: &str| layout::classify(path).is_none_or(|place| stays(&place));
        let trailers = [(ANSWER, answer.to_string())];
        let returned = self.session.rollback_with(Target::Commit(to), &stays, also, &trailers, &telling)?;
        Ok(Done { commit: returned.committed.id, subject: subject.to_owned() })
    }

    /// A transaction that turns the book from one phase to the next.
    pub(super) fn turn(
        &self,
        turn: PhaseChange,
        after: impl FnOnce(Checkpoint) -> Checkpoint,
    ) -> Result<Done, RunError> {
        let PhaseChange { subject, body, kind, change, answer } = turn;
        self.commit_local_changes()?;
        let book = self.session.book();
        let snapshot = book.snapshot()?;
        let view = BookView::new(&snapshot);
        let before = view.checkpoint()?;
        let volume = before.volume;
        let checkpoint = Checkpoint { time: self.calls.clock.rfc3339(), ..after(before) };
        let previous = view.bytes(layout::CHECKPOINT)?;
        let change = change.put(layout::CHECKPOINT, format::checkpoint::write(&checkpoint, previous.as_deref()));
        let message = Message::new(kind, &subject).body(&body);
        let message = message.trailer(key::VOLUME, volume.get()).trailer(ANSWER, answer);
        let committed = BookCommit::new(self, Work::Plan(volume), message, &snapshot).change(change).make()?;
        Ok(Done { commit: committed.id, subject })
    }
}

fn to_planning(before: Checkpoint) -> Checkpoint {
    Checkpoint { phase: Phase::VolumePlanning, pending: Vec::new(), ..before }
}

/// What came of the last question that the author has answered, when it was answered so: giving the same answer again, after
/// a kill for one, goes on from there. Reads only.
///
/// # Errors
/// When the history cannot be read.
pub fn answered(book: &Book, answer: Answer) -> Result<Option<Done>, RunError> {
    answer_of(book, answer, |transaction| transaction.trailers.get(ANSWER).is_some())
}

/// The same when nothing has happened to the book since: the answer was given twice in a row.
///
/// # Errors
/// As for [`answered`].
pub fn just_answered(book: &Book, answer: Answer) -> Result<Option<Done>, RunError> {
    answer_of(book, answer, |transaction| !matches!(transaction.kind, Kind::HandEdit | Kind::Migrate))
}

fn answer_of(book: &Book, answer: Answer, counts: impl Fn(&Transaction) -> bool) -> Result<Option<Done>, RunError> {
    let log = book.log(&Log { limit: RECENT, ..Log::default() })?;
    let same = |transaction: &Transaction| transaction.trailers.read(ANSWER) == Some(answer);
    let last = log.into_iter().find(counts).filter(same);
    Ok(last.map(|transaction| Done { commit: transaction.id, subject: transaction.subject }))
}
