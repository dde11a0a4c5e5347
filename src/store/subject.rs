//! The subjects of commits, as values. Their words are those of the book's language, and a [`Wording`] has them.

use crate::agents::{ReplyFault, Why};
use crate::domain::book::config::Lang;
use crate::domain::book::work::Part;
use crate::domain::chapter::evaluation::Evaluation;
use crate::domain::chapter::stage::{Decision, Doubt, Stage};
use crate::domain::volume::Recommendation;
use crate::domain::world::storyline::Status;
use crate::store::prelude::*;

/// Words a subject. A book is opened with one, because messages for people are no business of this room.
pub type Wording = fn(&Subject, Lang) -> String;

/// A line of a commit's body that the program writes itself.
#[derive(Debug, Clone, PartialEq)]
pub enum Remark {
    /// How many chapters are planned.
    Planned(usize),
    /// A later chapter rests on what has changed, which is listed.
    RestsOn(ChapterNo, Vec<String>),
    /// How many more lines there would be.
    More(usize),
    /// The edit of a chapter has changed the wording alone.
    WordingAlone(ChapterNo),
    SummarizedAgain(ChapterNo),
    /// Files of an older notation were written in the present one.
    Notation,
    /// So many entries fewer in a file.
    Fewer(String, usize),
    /// The style has moved away, and these corrections are given.
    StyleMoved(Vec<String>),
    /// The style is back, and the corrections go.
    StyleBack,
    /// A phrase joins the house list.
    Listed(String),
}

/// A line of a commit's body.
#[derive(Debug, Clone, PartialEq)]
pub enum BodyLine {
    /// Words of the author's or of the book.
    Text(String),
    /// Words of the program's.
    Remark(Remark),
}

/// The text between the subject and the trailers of a commit.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Body(Vec<BodyLine>);

impl Body {
    #[must_use]
    pub fn and(mut self, remark: Remark) -> Self {
        self.0.push(BodyLine::Remark(remark));
        self
    }

    #[must_use]
    pub fn with(mut self, remarks: impl IntoIterator<Item = Remark>) -> Self {
        self.0.extend(remarks.into_iter().map(BodyLine::Remark));
        self
    }

    pub fn lines(&self) -> impl Iterator<Item = &BodyLine> {
        self.0.iter()
    }
}

impl<T: AsRef<str>> From<T> for Body {
    fn from(text: T) -> Self {
        Self(text.as_ref().lines().map(|line| BodyLine::Text(line.to_owned())).collect())
    }
}

/// The first line of a commit: an event of the book, or a result on a draft.
#[derive(Debug, Clone, PartialEq)]
pub enum Subject {
    /// The book was made; its title may be empty.
    Init(String),
    /// Rules and pages that joined the world.
    World(WorldCount),
    Theme(String),
    /// The names of new or changed people; may be empty.
    Characters(String),
    /// A storyline, by name.
    Storyline(String),
    StorylineTurned(String, Status),
    /// A person has another name: the old one and the new one.
    Renamed(String, String),
    /// A person left the story.
    Retire(String),
    /// Notes of the author's were taken in.
    Research(Vec<String>),
    Style(StyleSubject),
    /// The plan of a volume: its theme, its first and its last chapter.
    Plan(VolumeNo, String, [u32; 2]),
    Review(VolumeNo),
    /// How many entries leave the state after a volume.
    CleanUp(VolumeNo, usize),
    /// The state stays as it is after a volume.
    StateKept(VolumeNo),
    /// The author's word on how the book goes on.
    Course(Course),
    Chapter(ChapterNo, String),
    /// The quality brief of some chapters.
    Quality(QualitySubject),
    /// Things that a change affects were brought up to date: what has changed, and how many things are affected.
    Regenerate(Vec<String>, usize),
    /// The author lets a chapter be written under a contract that does not follow from its section.
    ContractKept(ChapterNo),
    /// Things that follow from changes of plans stay as they are by the author's word: the first changes.
    PlansKept(Vec<String>),
    /// Chapters have other numbers.
    Renumbered(Renumbering),
    /// Chapters were summarised again.
    Rebuild(Vec<String>),
    /// Imported chapters were retold: the first and the last one.
    Retold([u32; 2]),
    /// Files were put right from the history.
    Repaired,
    /// Files that follow from the chapters were derived again.
    Derived,
    /// How many files were brought to the present format.
    Formats(usize),
    /// Findings that the author intends.
    Waive(Vec<String>),
    /// Waivers that were taken back.
    WaiveNoLonger(Vec<String>),
    /// A wish for the next chapters.
    Wish(String),
    /// A wish that was taken back.
    WishTakenBack(String),
    /// A setting and its value.
    Config(String),
    /// The book is as it was at a place: a chapter, a step or a commit.
    Rollback(String),
    Adopt(String),
    Branch(String),
    /// The subject of a transaction that was taken back.
    Undo(String),
    /// The subject of a transaction that was done again.
    Redo(String),
    /// The subject of a line that was left and is back.
    Restore(String),
    RestoreFiles(Vec<String>, String),
    /// Files that the author changed.
    HandEdit(Vec<String>),
    /// Chapters that the author deleted.
    Remove(Vec<String>),
    /// Damaged files, kept beside the book.
    SetAside(Vec<String>),
    SyncJoin(String),
    /// The book's branch moved forward to a commit of a remote.
    SyncForward(String),
    /// Files of `staging/` that were in no commit.
    Salvaged,
    /// Files that the author had staged and changed again.
    StagedOnly,
    Begun(Work),
    /// A chapter was begun again, with the author's wish.
    BegunAgain(ChapterNo, String),
    /// The author changed a draft in `staging/`.
    DraftEdited(Work),
    Result {
        work: Work,
        part: Part,
        /// The result in a few words.
        note: StageNote,
    },
    /// A line of the commit's body.
    Remark(Remark),
    /// The result of a stage alone, in a few words.
    Note(StageNote),
    /// A line that has its words already.
    Worded(String),
}

impl From<&str> for Subject {
    fn from(text: &str) -> Self {
        Self::Worded(text.to_owned())
    }
}

/// How many rules and pages joined the world.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WorldCount {
    pub rules: usize,
    pub pages: usize,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StyleSubject {
    /// It will be drawn from the first chapters.
    Deferred,
    /// The author's own; the name of the sample may be empty.
    Own(String),
    Drawn(String),
    /// After another author.
    After(String),
    /// A built-in one.
    Preset(String),
    /// So many phrases that the author's edits take out were listed.
    Phrases(usize),
}

/// The author's word on how the book goes on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Course {
    /// The trial chapters stay.
    TrialStays,
    /// The trial chapters are put aside; with a name, that style is the book's from now on.
    TrialAside(Option<String>),
    /// Another idea takes the place of the present one.
    AnotherIdea,
    NextVolume,
    /// The book ends with a volume that is planned next.
    EndsWith(VolumeNo),
    Ended(VolumeNo),
}

#[derive(Debug, Clone, PartialEq)]
pub struct QualitySubject {
    pub first: ChapterNo,
    pub last: ChapterNo,
    pub mean: Option<String>,
    /// How many chapters were revised or decided by the author.
    pub helped: usize,
}

/// The result of a stage in a few words.
#[derive(Debug, Clone, PartialEq)]
pub enum StageNote {
    /// A name, a title or figures: the same words in every language.
    Name(String),
    World(WorldCount),
    /// No person is new or changed.
    NobodyNew,
    Directives(usize),
    /// A volume's theme, its storylines and the plot threads that it plants.
    Schedule(String, usize, usize),
    /// The sections of some chapters: the first and the last one.
    Sections(u32, u32),
    SectionsOf(VolumeNo, Vec<ChapterNo>),
    /// Fields of an outline that were filled in, and the chapters that they are of.
    Fields(usize, Option<[ChapterNo; 2]>),
    /// How the book should go on after a volume.
    Recommendation(Recommendation),
    Chapters(u32),
    /// So many flaws of a plan.
    Flaws(usize),
    Contracts(usize),
    /// Files were brought to the present format.
    Migrated,
    /// The storylines of a schedule run.
    StorylinesRun,
    Reworded(ChapterNo),
    /// A chapter was summarised again, with that many operations.
    Summarised(ChapterNo, usize),
    /// State and plot threads were replayed.
    Replayed,
    Operations(usize),
    Scenes(u32),
    /// Edits of a refiner, and the share of the text that they change.
    Edits(usize, f64),
    Report(ReportSubject),
    /// The beginning of an unfinished text: its stage and its length.
    Beginning(Stage, u32),
    /// A text in doubt, and its length.
    Doubtful(Doubt, u32),
    /// The text before a revision that cannot be used.
    Before(ReplyFault),
    BackTo(u32),
    Decision(Decision),
    /// A revision waits for the author.
    WaitForAuthor,
    /// A revision mends what a wish names.
    Mend,
    /// A reply to a stage that could not be used, for the chapter where the work is about several.
    Fault(Part, Option<ChapterNo>, Box<Why>),
    /// A result of a stage, for a text that has been changed since.
    Outdated(Stage, Box<StageNote>),
    /// A step that waits for the author.
    Proposal(String),
    /// A result that repairs what was wrong with the one before.
    Repair(Box<StageNote>),
}

impl Default for StageNote {
    fn default() -> Self {
        Self::Name(String::new())
    }
}

/// The figures of a judge's report.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ReportSubject {
    pub overall: f64,
    /// Violations that count.
    pub violations: usize,
    /// Whether the text was read by a judge who can.
    pub reading: bool,
    pub unchecked: usize,
    /// Violations without evidence in the text.
    pub unproven: usize,
}

impl From<&Evaluation> for ReportSubject {
    fn from(evaluation: &Evaluation) -> Self {
        Self {
            overall: evaluation.overall(),
            violations: evaluation.blocking().count(),
            reading: evaluation.reading,
            unchecked: evaluation.unchecked().count(),
            unproven: evaluation.unproven().count(),
        }
    }
}
