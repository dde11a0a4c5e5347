//! Why a run stopped; longer than 500 lines because each reason is a kind of its own. Everything that was paid for is kept in
//! every case, and the same command goes on from there.

use crate::agents::{Breakdown, PromptError};
use crate::domain::Work;
use crate::domain::chapter::FindingId;
use crate::domain::chapter::stage::Decision;
use crate::domain::impact::NameClash;
use crate::domain::volume::outline::OutlineError;
use crate::domain::volume::plan::Flaw;
use crate::domain::world::retirement::Blocker;
use crate::domain::world::storyline::Status;
use crate::llm::{CallFailure, Effort, Fault};
use crate::pipeline::prelude::*;
use crate::pipeline::sync::conflict::SyncError;
use crate::store::{BeginError, CommitError, DraftError, InitError, Obstruction, RollbackError};
use std::path::PathBuf;

#[derive(Debug, thiserror::Error)]
#[error("{self:?}")]
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
    /// Chapters cannot get other numbers.
    #[error(transparent)]
    Renumber(#[from] RenumberError),
    #[error(transparent)]
    Rename(#[from] RenameError),
    /// A file cannot join the book.
    #[error(transparent)]
    Import(#[from] ImportError),
    /// A file of the book is not of its format.
    Format { path: String, source: FormatError },
    /// A change of the author's that is in no commit yet makes a file unusable. It stays as it is.
    BrokenEdit { path: String, source: FormatError },
    /// Files that the book needs are gone from the work tree. A person says whether they are to come back.
    Deleted { paths: Vec<String> },
    /// Things of the author's stand where the book is about to write; nothing was sent.
    InTheWay(Vec<Obstruction>),
    /// A volume's outline has mistakes.
    Outline { path: String, errors: Vec<OutlineError> },
    /// Chapters of the book are gone, and nothing says that this was meant. Nothing has been written.
    Lost {
        chapters: Vec<ChapterNo>,
        /// Files that the last commit has and the work tree has not; empty where a commit took the chapters out.
        paths: Vec<String>,
        /// The last of the later chapters, which can move up.
        later: Option<ChapterNo>,
    },
    /// A chapter that is in the book is not one to be confirmed as gone.
    NotLost(ChapterNo),
    /// A file that every book has is missing.
    Missing { path: String },
    /// No built-in style has that name.
    NoSuchStyle { name: String },
    /// No outline has a section for the chapter.
    NotPlanned {
        chapter: ChapterNo,
        /// The volume in which it was looked for first.
        volume: VolumeNo,
    },
    /// A step has to be taken first.
    Lacks {
        /// The step that was asked for; [`Step::Trial`] for the outline of any volume.
        step: Step,
        first: Step,
    },
    /// Chapters before it are not written.
    NotNext {
        chapter: ChapterNo,
        /// The first chapter that is missing.
        first: ChapterNo,
    },
    /// A prompt file of the book has an unknown or an unused placeholder.
    #[error(transparent)]
    Prompt(#[from] PromptError),
    /// The prompt and its answer do not fit the model's context; nothing was sent.
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
        /// Whether the author may say how the chapter goes on without it.
        waits: bool,
    },
    /// The next call could exceed the budget; nothing was sent.
    Budget {
        /// Spent in this run, in millionths of a US dollar.
        spent: u64,
        /// The most that the next call can cost.
        next: u64,
        limit: Budget,
    },
    /// There is a budget, and what the model costs is not known.
    UnknownPrice { model: String },
    /// The model's side failed after all attempts.
    Model {
        work: Work,
        /// The stage, or the agent where there is no chapter.
        stage: &'static str,
        model: String,
        /// How the model was to think, where that has taken up all its room.
        thought: Option<Thought>,
        /// Whether other models are set that go on in its place.
        has_others: bool,
        source: Box<CallFailure>,
    },
    /// The memory server that is set up cannot be used.
    Memory { server: String, fault: Box<Fault> },
    /// The model answered, and nothing could be made of it, after asking again.
    Unusable {
        work: Work,
        /// The stage, or the agent where there is no chapter.
        stage: &'static str,
        model: String,
        /// The fault of the last answer.
        problem: ReplyFault,
    },
    /// A text broke off and could not be continued. The part that exists is on the draft and in `staging/`.
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
    Interrupted,
    /// There is nothing to decide.
    NothingToDecide,
    /// The question that was to be answered no longer waits.
    AnsweredMeanwhile,
    /// That may not be chosen now.
    NotOffered {
        chapter: ChapterNo,
        decision: Decision,
        /// Its overall score; `None` for a text that is not finished.
        overall: Option<f64>,
        options: Vec<Decision>,
    },
    /// `edit` was chosen and the text in `staging/` is as it was.
    NotEdited {
        chapter: ChapterNo,
        /// The file that the author may change.
        path: String,
    },
    /// A scene of a chapter that is in the book cannot be gone back to.
    IsAccepted(ChapterNo),
    /// The chapter has no draft.
    NotInFlight {
        chapter: ChapterNo,
        /// The one that is being written, if there is one.
        in_flight: Option<ChapterNo>,
    },
    /// The draft was written as a whole.
    NotInScenes(ChapterNo),
    /// The draft was written scene by scene, and then again as a whole.
    RevisedSince { chapter: ChapterNo, stage: Stage },
    /// The draft does not have that scene.
    NoSuchScene {
        chapter: ChapterNo,
        scene: u32,
        /// How many are written.
        written: u32,
    },
    /// No active character has that id or name.
    NoSuchCharacter {
        name: String,
        /// The name or id that was perhaps meant.
        nearest: Option<String>,
    },
    /// Several things have that name.
    NameAmbiguous { name: String, candidates: Vec<(String, String)> },
    /// The character has left the story already.
    RetiredAlready { id: Slug },
    /// The story still needs a person.
    PersonNeeded {
        id: Slug,
        name: String,
        /// The things that need the person.
        ties: Vec<Blocker>,
    },
    /// No storyline has that id or name.
    NoSuchStoryline {
        name: String,
        /// The name or id that was perhaps meant.
        nearest: Option<String>,
    },
    /// A storyline that has ended cannot rest.
    LineEnded { id: Slug, name: String },
    /// No character of the book has that name.
    UnknownViewpoint { name: String },
    /// A storyline has that name or id.
    StorylineThere { id: Slug, name: String },
    /// Nothing in the name can stand in an id.
    NoIdIn { name: String },
    /// As many storylines run as models and readers keep apart.
    TooManyActive {
        /// Their ids and names.
        active: Vec<(Slug, String)>,
    },
    /// The story still needs a storyline.
    LineNeeded {
        id: Slug,
        name: String,
        /// The status that the line was to take.
        to: Status,
        /// The things that need the line.
        ties: Vec<Blocker>,
    },
    /// A plan that waits begins storylines of its own.
    LinesDrafted { volume: VolumeNo },
    /// There is too little prose to say anything of its writer.
    TooLittleProse {
        /// How many there are.
        han: usize,
        /// How many it takes.
        least: usize,
    },
    /// The chapters up to this one contradict the records; no more are written before the author has seen it.
    Contradictions {
        last: ChapterNo,
        /// How many contradictions there are.
        conflicts: usize,
    },
    /// The plan has flaws with which no chapter should be written.
    FlawedPlan {
        volume: VolumeNo,
        /// All flaws, advice included.
        flaws: Vec<Flaw>,
        /// The folder where the author may mend them.
        folder: String,
    },
    /// The updated plan does not fit together; the book is as it was.
    FlawedRevision { volume: VolumeNo, flaws: Vec<Flaw> },
    /// The name is no commit.
    NoSuchRevision { name: String },
    /// A volume cannot have fewer chapters than are written.
    TooFewChapters {
        volume: VolumeNo,
        /// The number that was asked for.
        chapters: u32,
        least: u32,
    },
    /// No volume has that number or theme.
    UnknownVolume {
        /// The text that was typed.
        name: String,
        /// The theme that was perhaps meant.
        nearest: Option<String>,
    },
    /// No chapter of that volume is planned.
    NoSuchVolume(VolumeNo),
    /// A volume cannot be reviewed before it is written.
    Unfinished {
        volume: VolumeNo,
        /// How many of its chapters are written.
        written: u32,
        /// How many it has.
        planned: u32,
    },
    /// Of a volume there are only the trial chapters.
    OnTrial(VolumeNo),
    /// The volume is written to its end, and its review comes before any chapter or plan of the next one.
    NotReviewed(VolumeNo),
    /// The book has no quality brief, or none on that chapter.
    NoBrief { chapter: Option<ChapterNo> },
    /// An agent's changes of rules or contracts wait for the author, and chapters depend on them.
    ChangesWait,
    /// The author has written the chapter's contract, and then changed what it is derived from.
    ContractDiffers(ChapterNo),
    /// The author has written the contract of a chapter of the book, and changed the chapter's section since.
    OwnContract { chapter: ChapterNo, path: String },
    /// The contract of the chapter was derived again, and the chapter's draft was begun under the one before.
    DraftUnderOther(ChapterNo),
    /// The plan of the next chapter's volume is complete and waits for the author.
    PlanWaits {
        volume: VolumeNo,
        /// True when the plan may be approved as it is.
        sound: bool,
    },
    /// The book has ended, and no further chapter is planned.
    Ended(VolumeNo),
    /// The chapter is not in the book.
    NoSuchChapter(ChapterNo),
    /// The chapter has been taken out of the book, and later ones are there.
    ChapterGone(ChapterNo),
}

impl RunError {
    /// Reads a format error as being about that file.
    pub(crate) fn of_file(path: &str) -> impl FnOnce(FormatError) -> Self + '_ {
        move |source| Self::Format { path: path.to_owned(), source }
    }
}

/// How a model was to think that has used up its room by thinking.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Thought {
    pub effort: Option<Effort>,
    /// The tokens that were left for thinking; `None` where the model cannot write more.
    pub tokens: Option<u32>,
    /// True where the context leaves room for no more.
    pub fills_context: bool,
}

/// A reason that the author can do something about. Nothing has changed then.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{self:?}")]
pub enum HistoryError {
    /// No chapter of the volume is accepted.
    NoChapterIn(VolumeNo),
    /// The book's line has no such place.
    NotOnLine(String),
    /// A path that is to stay is neither in the book nor at the destination.
    NothingToStay(String),
    /// A path that is to stay follows from chapters that leave.
    FollowsFromChapters(String),
    /// There are fewer steps to take back or to do again.
    FewerSteps {
        /// How many there are.
        possible: usize,
        /// How many were wanted.
        wanted: u32,
    },
    /// The author's changes would have to be committed before the last transaction is taken back.
    Uncommitted { paths: Vec<String> },
    /// Nothing that is kept has that name.
    NothingKept(String),
    /// The setting `book.keep_calls` has let the chapter's draft go.
    CallsNotKept { chapter: ChapterNo, keep: u32 },
    /// This copy of the book lacks the draft of a chapter or a plan: it is shallow or rewritten, or there never was one.
    CallsNotHere(String),
    /// Several kept things go by the name.
    SeveralKept {
        name: String,
        /// The name of each.
        found: Vec<String>,
    },
    /// A kept chapter comes after others that the book does not have: `next` is the one that can be written.
    TooFarAhead { chapter: ChapterNo, next: ChapterNo },
    /// The kept text was that of the chapter when it had another number than `now`, or is of none that is left.
    OtherNumber { kept: String, chapter: ChapterNo, now: Option<ChapterNo> },
}

/// A reason not to insert, move, split, merge or remove a chapter. Nothing has changed then.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{self:?}")]
pub enum RenumberError {
    /// A plan is in the making, and its draft is for the present numbers.
    DraftOpen(Work),
    /// The number of the draft is another chapter's by now.
    DraftOfOther(Work),
    /// The chapter is after the last one that is written or planned.
    Beyond(ChapterNo, u32),
    /// The text is that of the chapter beside it already.
    SameText(ChapterNo),
    /// One of the chapters is written and the other is not.
    Mixed(ChapterNo, ChapterNo),
    /// The volume would be left without chapters: the chapter is the only one in it.
    EmptyVolume(VolumeNo, ChapterNo),
    /// A chapter among written ones needs a text.
    NeedsText(ChapterNo),
    /// A chapter among planned ones has no text yet.
    NotWritten(ChapterNo),
    /// The author has rearranged the chapters' files, in the folder or in commits.
    ByHand {
        /// The operations to be taken over, in their order.
        all: Vec<Renumbering>,
        /// The first and the last chapter that a rebuild makes edits in place of.
        as_edits: Option<(ChapterNo, ChapterNo)>,
    },
    /// So many things are to follow from changes of plans, which other numbers would hide.
    PlansPending(usize),
    /// The text of a chapter is in the folder of a volume in which the chapters before or after it are not, or behind a gap.
    /// The records of the chapter are where it `belongs`.
    Misplaced { path: String, belongs: String, is_committed: bool, root: PathBuf },
    /// The file has the text of `chapter`, which `belongs` to another place; `replaces` is true where the file had a text of its own.
    OldNumber { path: String, belongs: String, chapter: ChapterNo, replaces: bool, root: PathBuf },
    /// By the outline a section has moved, is new or is gone, and by the texts not.
    SectionAlone { path: String, how: Renumbering },
    /// The words with which the second part begins are not given.
    NoBeginning,
    /// Not exactly one paragraph begins with the words.
    NoPlace { beginning: String, found: usize },
}

impl RenumberError {
    /// The file that is not where the order of chapters has it.
    pub fn path(&self) -> Option<&String> {
        match self {
            Self::Misplaced { path, .. } | Self::OldNumber { path, .. } | Self::SectionAlone { path, .. } => Some(path),
            _ => None,
        }
    }
}

/// A reason not to import a file. Nothing has changed then.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{self:?}")]
pub enum ImportError {
    /// The book has another text from this chapter on, and none of the file's.
    Another(ChapterNo),
    /// A chapter of the file stands in the book under another number, after one that the book lacks.
    Shifted { title: String, file: ChapterNo, book: ChapterNo, lacking: Option<(ChapterNo, String)> },
}

/// A reason not to rename a person. Nothing has changed then.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{self:?}")]
pub enum RenameError {
    /// A chapter or a plan is in the making, and its draft has the old name.
    DraftOpen(Work),
    /// Another person has, or had, the name.
    Taken { name: String, by: String },
    /// Another person had the name, and the file still has it.
    StillUsed { name: String, by: Slug, is: String, path: String },
    /// A name changed by hand leaves open whom a text means.
    Clash(NameClash),
    /// The person has no such alias.
    NoAlias { name: String, aliases: Vec<String> },
}

/// A reason in lines of the book, or in candidates of a chapter. Nothing has changed then.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{self:?}")]
pub enum LineError {
    /// A draft goes on from chapters that the book's branch does not have.
    OtherLine(Work),
    /// The name cannot be a line's.
    NotALineName(String),
    /// A branch of that name stands elsewhere, or git has no room for it beside another.
    LineThere(String),
    /// No branch of that name is a line of the book.
    NoSuchLine(String),
    /// The main line, or the line that the book is on, cannot be deleted or adopted.
    LineInUse { line: String, main: String },
    /// Another line becomes the book's on the main line only.
    NotOnMainLine { main: String },
    /// The chapter has one draft already.
    InFlight(ChapterNo),
    /// The chapter has no candidate of that number.
    NoSuchCandidate { chapter: ChapterNo, number: u32 },
    /// Candidates wait for the author's choice.
    CandidatesWait { chapter: ChapterNo, count: usize },
}

/// A finding that cannot be waived, or a waiver that cannot be taken back. Nothing has changed then.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{self:?}")]
pub enum WaiverError {
    /// The book has neither a check nor a rule of that name.
    UnknownCheck(FindingId),
    /// A rule would be waived for every chapter. The rule itself says then what holds.
    RuleOfBook(FindingId),
    /// The check needs a subject, or has none.
    Subject { finding: FindingId, wanted: bool },
    /// The chapter has no such finding.
    NotFound { finding: FindingId, found: Vec<FindingId> },
    /// There is no such waiver.
    NotWaived(FindingId),
}

/// The limit of a run's cost.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Budget {
    /// In millionths of a US dollar.
    pub micro_usd: u64,
    /// Yuan for a dollar, when the author has given the amount in yuan.
    pub cny_per_usd: Option<f64>,
}
