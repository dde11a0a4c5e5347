//! Why a run stopped. Everything that was paid for is kept in every case, and the same command goes on from there.

use super::budget::Budget;
use super::history_error::{HistoryError, LineError};
use super::waiver_error::WaiverError;
use crate::agents::{Breakdown, PromptError, ReplyFault};
use crate::domain::book::work::Step;
use crate::domain::chapter::stage::{Decision, Stage};
use crate::domain::volume::outline::OutlineError;
use crate::domain::volume::plan::Flaw;
use crate::domain::world::retirement::Blocker;
use crate::domain::world::storyline::Status;
use crate::domain::{ChapterNo, Slug, VolumeNo};
use crate::llm::{Failure, Fault};
use crate::pipeline::sync::error::SyncError;
use crate::store::format::FormatError;
use crate::store::{BeginError, CommitError, DraftError, InitError, Obstruction, RollbackError, StoreError};

/// A reason to stop.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The book cannot be written to now.
    #[error(transparent)]
    Begin(#[from] BeginError),
    /// An error that nothing can be done about: a bug.
    #[error(transparent)]
    Unexpected(#[from] anyhow::Error),
    /// No book could be made.
    #[error(transparent)]
    Init(#[from] InitError),
    /// A transaction was refused.
    #[error(transparent)]
    Commit(#[from] CommitError),
    /// The book did not go back.
    #[error(transparent)]
    Back(#[from] RollbackError),
    /// The point of the history, or the line, cannot be gone to.
    #[error(transparent)]
    History(#[from] HistoryError),
    /// A line of the book, or candidates of a chapter, are not as the command needs them.
    #[error(transparent)]
    Line(#[from] LineError),
    /// A finding cannot be waived.
    #[error(transparent)]
    Waiver(#[from] WaiverError),
    /// The draft could not be read or written.
    #[error(transparent)]
    Draft(#[from] DraftError),
    /// The repository could not be read or written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The book's remote, or another device, is in the way.
    #[error(transparent)]
    Sync(#[from] SyncError),
    /// A file of the book is not of its format.
    #[error("`{path}` cannot be read")]
    Format { path: String, source: FormatError },
    /// A change of the author's that is in no commit yet makes a file unusable. It stays as it is.
    #[error("`{path}` cannot be read")]
    BrokenEdit { path: String, source: FormatError },
    /// Files that the book needs are gone from the work tree. A person says whether they are to come back.
    #[error("deleted: {}", paths.join(", "))]
    Deleted { paths: Vec<String> },
    /// Things of the author's stand where the book is about to write; nothing was sent.
    #[error("{} things stand in the way", .0.len())]
    InTheWay(Vec<Obstruction>),
    /// A volume's outline has mistakes.
    #[error("`{path}` has {} mistakes", errors.len())]
    Outline {
        path: String,
        /// The mistakes, in the order of lines.
        errors: Vec<OutlineError>,
    },
    /// Chapters of the book are gone, and nothing says that this was meant. Nothing has been written.
    #[error("{} of the book is missing", named(chapters))]
    Lost {
        chapters: Vec<ChapterNo>,
        /// Files that the last commit has and the work tree has not; empty where a commit took the chapters out.
        paths: Vec<String>,
        /// The chapter before those that are gone, when they are the last ones: a rollback to it takes them out on purpose.
        back_to: Option<ChapterNo>,
    },
    /// A chapter that is in the book is not one to be confirmed as gone.
    #[error("{0} is in the book")]
    NotLost(ChapterNo),
    /// A file that every book has is missing.
    #[error("`{path}` is missing")]
    Missing { path: String },
    /// No built-in style has that name.
    #[error("`{name}` is none of the built-in styles")]
    NoSuchStyle { name: String },
    /// No outline has a section for the chapter.
    #[error("{chapter} is not planned: no section for it in {volume}'s outline or the next one's")]
    NotPlanned {
        chapter: ChapterNo,
        /// The volume in which it was looked for first.
        volume: VolumeNo,
    },
    /// A step has to be taken first.
    #[error("`{first}` comes before `{step}`")]
    Lacks {
        /// The step that was asked for; [`Step::Trial`] for the outline of any volume.
        step: Step,
        /// The step that it needs.
        first: Step,
    },
    /// Chapters before it are not written.
    #[error("{chapter} cannot be written yet: {first} comes first")]
    NotNext {
        chapter: ChapterNo,
        /// The first chapter that is missing.
        first: ChapterNo,
    },
    /// A prompt file of the book has an unknown or an unused placeholder.
    #[error(transparent)]
    Prompt(#[from] PromptError),
    /// The prompt and its answer do not fit the model's context; nothing was sent.
    #[error("the prompt of `{stage}` needs about {needed} tokens with its answer, and {model} holds {limit}")]
    DoesNotFit {
        /// The stage, or the agent where there is no chapter.
        stage: &'static str,
        model: String,
        /// About how many tokens are needed.
        needed: u64,
        /// How many the model holds.
        limit: u64,
        /// The sizes of the prompt's pieces.
        breakdown: Box<Breakdown>,
    },
    /// The next call could exceed the budget; nothing was sent.
    #[error("the budget of {} micro-dollars would be exceeded: {spent} spent, the next call may cost {next}", limit.micro_usd)]
    Budget {
        /// Spent in this run, in millionths of a US dollar.
        spent: u64,
        /// The most that the next call can cost.
        next: u64,
        limit: Budget,
    },
    /// There is a budget, and what the model costs is not known.
    #[error("a budget needs a price, and the price of {model} is not known")]
    UnknownPrice { model: String },
    /// The model's side failed after all attempts.
    #[error("{model} gave no answer for `{stage}`")]
    Model {
        /// The stage, or the agent where there is no chapter.
        stage: &'static str,
        model: String,
        source: Box<Failure>,
    },
    /// The memory server that is set up cannot be used.
    #[error("the memory server at {server} cannot be used: {fault}")]
    Memory { server: String, fault: Box<Fault> },
    /// The model answered, and nothing could be made of it, after asking again.
    #[error("the answers of {model} for `{stage}` cannot be used: {problem}")]
    Unusable {
        /// The stage, or the agent where there is no chapter.
        stage: &'static str,
        model: String,
        /// The fault of the last answer.
        problem: ReplyFault,
    },
    /// A text broke off and could not be continued. The part that exists is on the draft and in `staging/`.
    #[error("the text of {chapter} is not finished: {words} words are there")]
    BrokenOff {
        chapter: ChapterNo,
        /// How many words are there.
        words: u32,
        /// The file that shows them.
        path: String,
        /// Why it could not be continued.
        source: Box<RunError>,
    },
    /// The author stopped the run.
    #[error("stopped")]
    Interrupted,
    /// There is nothing to decide.
    #[error("no chapter waits for a decision")]
    NothingToDecide,
    /// The question that was to be answered no longer waits.
    #[error("the question has been answered meanwhile")]
    AnsweredMeanwhile,
    /// That may not be chosen now.
    #[error("`{decision}` cannot be chosen for {chapter} now")]
    NotOffered {
        chapter: ChapterNo,
        /// The decision that was asked for.
        decision: Decision,
        /// Its overall score; `None` for a text that is not finished.
        overall: Option<f64>,
        options: Vec<Decision>,
    },
    /// `edit` was chosen and the text in `staging/` is as it was.
    #[error("the text of {chapter} in `{path}` has not been changed")]
    NotEdited {
        chapter: ChapterNo,
        /// The file that the author may change.
        path: String,
    },
    /// A scene of a chapter that is in the book cannot be gone back to.
    #[error("{0} is accepted, and its scenes are one text")]
    IsAccepted(ChapterNo),
    /// The chapter has no draft.
    #[error("{chapter} is not being written")]
    NotInFlight {
        chapter: ChapterNo,
        /// The one that is being written, if there is one.
        in_flight: Option<ChapterNo>,
    },
    /// The draft was written as a whole.
    #[error("{0} is not written scene by scene")]
    NotInScenes(ChapterNo),
    /// The draft was written scene by scene, and then again as a whole.
    #[error("{chapter} has been through `{stage}` as a whole since its scenes were written")]
    RevisedSince { chapter: ChapterNo, stage: Stage },
    /// The draft does not have that scene.
    #[error("{chapter} has {written} scenes so far, and no scene {scene}")]
    NoSuchScene {
        chapter: ChapterNo,
        scene: u32,
        /// How many are written.
        written: u32,
    },
    /// No active character has that id or name.
    #[error("no active character is called `{name}`")]
    NoSuchCharacter {
        /// The text that was typed.
        name: String,
        /// The name or id that was perhaps meant.
        nearest: Option<String>,
    },
    /// Several things have that name.
    #[error("`{name}` may be {} things", candidates.len())]
    NameAmbiguous {
        name: String,
        /// Their ids and names.
        candidates: Vec<(String, String)>,
    },
    /// The character has left the story already.
    #[error("`{id}` has left the story already")]
    RetiredAlready { id: Slug },
    /// The story still needs a person.
    #[error("{name} (`{id}`) is still needed in {} places", ties.len())]
    PersonNeeded {
        id: Slug,
        name: String,
        /// The things that need the person.
        ties: Vec<Blocker>,
    },
    /// No storyline has that id or name.
    #[error("no storyline is called `{name}`")]
    NoSuchStoryline {
        /// The text that was typed.
        name: String,
        /// The name or id that was perhaps meant.
        nearest: Option<String>,
    },
    /// A storyline that has ended cannot rest.
    #[error("the storyline {name} (`{id}`) has ended")]
    LineEnded { id: Slug, name: String },
    /// No character of the book has that name.
    #[error("nobody in the book is called `{name}`")]
    UnknownViewpoint { name: String },
    /// A storyline has that name or id.
    #[error("there is a storyline {name} (`{id}`) already")]
    StorylineThere { id: Slug, name: String },
    /// Nothing in the name can stand in an id.
    #[error("no id can be made of `{name}`")]
    NoIdIn { name: String },
    /// As many storylines run as models and readers keep apart.
    #[error("{} storylines run already", active.len())]
    TooManyActive {
        /// Their ids and names.
        active: Vec<(Slug, String)>,
    },
    /// The story still needs a storyline.
    #[error("{name} (`{id}`) is still needed in {} places", ties.len())]
    LineNeeded {
        id: Slug,
        name: String,
        /// The status that the line was to take.
        to: Status,
        /// The things that need the line.
        ties: Vec<Blocker>,
    },
    /// A plan that waits begins storylines of its own.
    #[error("the plan of {volume} begins storylines that are not in the book yet")]
    LinesDrafted { volume: VolumeNo },
    /// There is too little prose to say anything of its writer.
    #[error("the samples have {han} Han characters; at least {least} are needed")]
    TooLittleProse {
        /// How many there are.
        han: usize,
        /// How many it takes.
        least: usize,
    },
    /// The chapters up to this one contradict the records; no more are written before the author has seen it.
    #[error("the chapters up to {last} contradict the records in {conflicts} places")]
    Contradictions {
        /// The last examined chapter.
        last: ChapterNo,
        /// How many contradictions there are.
        conflicts: usize,
    },
    /// The plan has flaws with which no chapter should be written.
    #[error("the plan of {volume} has {} flaws", flaws.len())]
    FlawedPlan {
        volume: VolumeNo,
        /// All flaws, advice included.
        flaws: Vec<Flaw>,
        /// The folder where the author may mend them.
        folder: String,
    },
    /// The updated plan does not fit together; the book is as it was.
    #[error("the plan of {volume} would have {} flaws", flaws.len())]
    FlawedRevision {
        volume: VolumeNo,
        /// The flaws that were not there before.
        flaws: Vec<Flaw>,
    },
    /// The name is no commit.
    #[error("there is no commit `{name}`")]
    NoSuchRevision {
        /// The name as typed.
        name: String,
    },
    /// A volume cannot have fewer chapters than are written.
    #[error("{volume} cannot have {chapters} chapters: {least} are the least")]
    TooFewChapters {
        volume: VolumeNo,
        /// The number that was asked for.
        chapters: u32,
        /// The fewest that it may have.
        least: u32,
    },
    /// No volume has that number or theme.
    #[error("no volume is called `{name}`")]
    UnknownVolume {
        /// The text that was typed.
        name: String,
        /// The theme that was perhaps meant.
        nearest: Option<String>,
    },
    /// No chapter of that volume is planned.
    #[error("{0} is not planned")]
    NoSuchVolume(VolumeNo),
    /// A volume cannot be reviewed before it is written.
    #[error("{volume} is not written to its end: {written} of {planned} chapters")]
    Unfinished {
        volume: VolumeNo,
        /// How many of its chapters are written.
        written: u32,
        /// How many it has.
        planned: u32,
    },
    /// Of a volume there are only the trial chapters.
    #[error("of {0} there are only trial chapters")]
    OnTrial(VolumeNo),
    /// The volume is written to its end, and its review comes before any chapter or plan of the next one.
    #[error("{0} is not reviewed")]
    NotReviewed(VolumeNo),
    /// The book has no quality brief, or none on that chapter.
    #[error("there is no quality brief")]
    NoBrief {
        /// The chapter that was asked about.
        chapter: Option<ChapterNo>,
    },
    /// The plan of the next chapter's volume is complete and waits for the author.
    #[error("the plan of {volume} waits for the author")]
    PlanWaits {
        volume: VolumeNo,
        /// True when the plan may be approved as it is.
        sound: bool,
    },
    /// The book has ended, and no further chapter is planned.
    #[error("the book ended with {0}")]
    Ended(VolumeNo),
    /// The chapter is not in the book.
    #[error("{0} is not in the book")]
    NoSuchChapter(ChapterNo),
    /// The chapter has been taken out of the book, and later ones are there.
    #[error("{0} has been taken out of the book")]
    ChapterGone(ChapterNo),
}

fn named(chapters: &[ChapterNo]) -> String {
    chapters.iter().map(ChapterNo::to_string).collect::<Vec<_>>().join(", ")
}

impl RunError {
    /// Reads a format error as being about that file.
    pub(crate) fn of_file(path: &str) -> impl FnOnce(FormatError) -> Self + '_ {
        move |source| Self::Format { path: path.to_owned(), source }
    }
}
