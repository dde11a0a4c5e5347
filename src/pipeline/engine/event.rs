//! Events of a run, for the outside. One type feeds the terminal, `--json` lines and the tests.

use crate::agents::Why;
use crate::agents::checks::completeness::{RemovedPart, TextSource};
use crate::domain::book::checkpoint::StageLog;
use crate::domain::chapter::evaluation::Check;
use crate::domain::chapter::stage::Pause;
use crate::domain::chapter::{Gate, SceneNo, Scenes};
use crate::domain::quality::{QualityBrief, StyleMeasure};
use crate::domain::state::OpRefusal;
use crate::domain::state::history::AffectedChapter;
use crate::llm::Fault;
use crate::pipeline::book::estimate::Price;
use crate::pipeline::prelude::*;
use crate::pipeline::recall::MemoryChange;
use crate::pipeline::sync::conflict::SyncEvent;
use crate::store::SystemFault;
use crate::text::consistency::Inconsistency;
use std::time::Duration;

#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// Missing and damaged files were replaced by older versions.
    Restored(RestoredFiles),
    /// Something happened between this copy and its remote.
    Sync(SyncEvent),
    /// The memory server is brought up to the book.
    Memories(MemoryChange),
    /// The author's uncommitted changes became a commit of their own.
    HandEdit { commit: String, paths: Vec<String> },
    /// A style that was put off is drawn from the chapters.
    StyleLearnt { commit: String, subject: String },
    /// Contracts of chapters follow the author's changes of plans, in a commit of their own.
    ContractsFollow { commit: String, count: usize },
    /// Files of an older format were brought to the present one, in a commit of their own.
    Migrated { commit: String, files: usize },
    /// The author's edit of a chapter that waited is taken as its text, which is judged next.
    EditTaken { chapter: ChapterNo, path: String },
    /// The run comes to one of the chapters that it is to write, or of the readings that it is to have made.
    Turn {
        /// Its place in the run, from 1.
        number: u32,
        /// How many there are.
        of: u32,
    },
    /// Work on a chapter begins or goes on.
    ChapterBegun {
        chapter: ChapterNo,
        title: String,
        storyline: Slug,
        /// The results that are already there and are not paid for again.
        reused: Vec<Stage>,
        /// How far its scenes are, when it is written scene by scene.
        scenes: Option<Scenes>,
    },
    /// A chapter is in the book already and is not written again.
    Reused { chapter: ChapterNo },
    StageBegun {
        work: Work,
        part: Part,
        /// Which candidate of the chapter, where several are written side by side.
        candidate: Option<u32>,
        scene: Option<SceneNo>,
        model: String,
        /// Characters of the prompt.
        sent_chars: u64,
        /// The prompt as it is sent: the system's part, then the user's.
        prompt: [String; 2],
    },
    /// A piece of the answer arrived.
    Text {
        part: Part,
        /// Which candidate of the chapter, where several are written side by side.
        candidate: Option<u32>,
        delta: String,
    },
    /// The call waits before it is sent again.
    Waiting {
        part: Part,
        wait: Duration,
        asked: Option<Duration>,
        /// How much longer an overload is waited out, this wait included; `None` when it is something else.
        left: Option<Duration>,
        why: Fault,
    },
    /// A reply could not be used and the agent is asked again.
    AskedAgain { part: Part, why: Why },
    /// A stage's result is committed to the draft.
    StageDone {
        work: Work,
        part: Part,
        /// Which candidate of the chapter, where several are written side by side.
        candidate: Option<u32>,
        scene: Option<SceneNo>,
        log: StageLog,
    },
    /// Something the author should know, which stops nothing.
    Warning { work: Work, warning: Warning },
    /// The gate has decided.
    Judged { chapter: ChapterNo, overall: f64, blocking: Vec<Check>, gate: Gate },
    /// The chapter is a commit of the book.
    Accepted(Accepted),
    /// The figures of the last five chapters are in the book.
    Quality { brief: Box<QualityBrief>, commit: String },
    /// The chapter waits for the author.
    Paused {
        chapter: ChapterNo,
        /// Why, and what may be chosen.
        pause: Pause,
    },
}

/// Files that older versions have taken the place of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RestoredFiles {
    pub paths: Vec<String>,
    /// Those whose text was converted to UTF-8; the others have the content of an older version.
    pub converted: Vec<String>,
    /// The commit that keeps the damaged bytes, shortened; `None` when the files were missing.
    pub kept: Option<String>,
    /// The commit that restores files which the last commit lacked or had damaged, shortened.
    pub commit: Option<String>,
}

fn numbered(dropped: &[(usize, OpRefusal)]) -> String {
    dropped.iter().map(|(number, reason)| format!("{number}, {reason}")).collect::<Vec<_>>().join("; ")
}

/// Something that stops nothing and should be known. Its words go into the chapter's log.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Warning {
    /// Files of the chapter's draft stood in the book's folder, as a checkout of its branch leaves them.
    #[error("files of the draft that a checkout had left in the folder are out of it again")]
    CheckoutTakenBack,
    /// The chapter is shorter than the book wants, after asking again.
    #[error("the chapter has {words} words instead of at least {wanted}")]
    TooShort { words: u32, wanted: u32 },
    /// The chapter is much longer than the book wants.
    #[error("the chapter has {words} words instead of at most {wanted}")]
    TooLong { words: u32, wanted: u32 },
    /// The refiner has given no edits that can be used; the text stays as it was.
    #[error("the text is not refined: {why}")]
    NotRefined {
        /// Why its answers cannot be used.
        why: Why,
    },
    /// A part of the reply is no story, and is left out.
    #[error("left out of the text: {0:?}")]
    Removed(RemovedPart),
    /// Some of the text stands in an earlier one, after asking again.
    #[error("{percent} % of the text stands in earlier ones, the longest passage in {from}: {passage}")]
    Recycled {
        /// Share of its 8-grams, in hundredths.
        percent: u32,
        /// The text with the longest passage.
        from: TextSource,
        passage: String,
    },
    /// The chapter's title is too like that of an earlier chapter.
    #[error("the title `{title}` is too like that of {like}")]
    Title { title: String, like: ChapterNo },
    /// Speech stood in other quotation marks than the book's, and was put into the book's.
    #[error("{spans} quotations were put into the book's marks")]
    Requoted { spans: usize },
    /// The story speaks of its task, after asking again.
    #[error("the story speaks of its task: {words}")]
    PromptWords { words: String },
    /// A revision could not be used, after asking again; the text before it stays.
    #[error("the revision cannot be used and the text before it stays: {why}")]
    RevisionDropped { why: ReplyFault },
    /// The refiner has found nothing to change, and the judge says nothing of the style: the second polish would be the same
    /// question.
    #[error("the second polish was left out: the refiner changed nothing, and the judge says nothing of the style")]
    NotPolished,
    /// The judge has not answered for these rules, after asking again where a hard one is among them.
    #[error("the judge did not answer for {}", rules.join(", "))]
    Unchecked { rules: Vec<String> },
    /// The judge is sure that these hard rules are broken, and cannot show it: nothing it quotes is in the text, after
    /// asking again. They force nothing.
    #[error("not proven by words of the text: {}", rules.join(", "))]
    Unproven { rules: Vec<String> },
    /// A mention is not in the text; it was left out.
    #[error("a mention of `{entity}` was dropped: it is not in the text")]
    MentionDropped { entity: String },
    /// One operation repeats an example of the prompt; it was left out.
    #[error("operation {number} was dropped: it repeats the example of the prompt")]
    OperationCopied { number: usize },
    /// Plain git has changed which chapters there are; state and checkpoint follow from them again.
    #[error("the chapters have changed by plain git: state and checkpoint follow from them again")]
    Rebuilt,
    /// A chapter was written again, and the review of its volume is of the text before.
    #[error("the review of {volume} is of the text before")]
    ReviewIsOlder { volume: VolumeNo },
    /// Operations were left out, each named by its number in the answer; the others stand.
    #[error("operations were dropped: {}", numbered(dropped))]
    OperationsDropped { dropped: Vec<(usize, OpRefusal)> },
    /// The operations could not be read twice: the chapter changes nothing in the state.
    #[error("the operations could not be read and are skipped: {why}")]
    OperationsSkipped {
        /// The last answer's fault.
        why: Why,
    },
    /// No answer of the summarizer could be read: sentences of the chapter stand in for the summary, and the chapter changes
    /// nothing in the state.
    #[error(
        "the summary could not be read; sentences of the chapter stand in for it, and its operations are skipped: {why}"
    )]
    SummaryByExcerpt {
        /// The last answer's fault.
        why: Why,
    },
    /// A chapter says something against the records.
    #[error("against the records: {} ({})", .0.what.sort(), .0.what.subject())]
    Contradiction(Inconsistency),
    /// The style has moved away from the chapters before, and corrections for the next ones are written.
    #[error("the style has moved away from the chapters before")]
    StyleDrifts {
        /// The figures that moved most; none where it is the function characters alone.
        moved: Vec<StyleMeasure>,
    },
    /// So many chapters have been without operations that the state has to be rebuilt from them (agent protocol §10.6).
    #[error("the operations of {} could not be read: rebuild the state from these chapters", named(chapters))]
    StateIsThin {
        /// Which, the earliest first.
        chapters: Vec<ChapterNo>,
    },
    /// The summaries and deltas of these chapters are of older texts than they have.
    #[error("summaries of older texts: {}", named(chapters))]
    Outdated {
        /// Which, the earliest first.
        chapters: Vec<ChapterNo>,
    },
    /// Sections and contracts of people rest on what the author has changed, and a model would have to write them again.
    #[error("the plans have changed, and {count} things rest on them")]
    PlansChanged {
        count: usize,
        /// The likely cost of bringing them up to date.
        price: Price,
    },
    /// The author has given a person another name by hand. The old one is noted as a name of before.
    #[error("{id} is called {is} now, and was called {was}")]
    Renamed { id: Slug, was: String, is: String },
    /// The chapter is in the book, but the author's folder does not show it yet; the next command brings it up.
    #[error("the folder is behind the book: {}", why.text)]
    FolderLags { why: SystemFault },
    /// The draft and the author have changed the same lines of these files; the draft's stand.
    #[error("changed in the book as well, and the draft's version stands: {}", paths.join(", "))]
    BothChanged { paths: Vec<String> },
    /// The chapter's draft was begun under another contract, and goes on.
    #[error("the draft was begun under another contract")]
    ContractSince,
    #[error("the contract names {id}, who is not among the characters")]
    UnknownPerson { id: Slug },
    /// The author has changed the chapter's section and its contract together, and they do not agree; the contract stands.
    #[error("`{path}` does not agree with the chapter's section")]
    BesideSection { path: String },
    /// So many things were to follow from changes of plans, which count as followed since chapters were moved in commits.
    #[error("changes of plans since {since} that count as followed: {count}")]
    PlansSettled { count: usize, since: CommitId },
    /// The text has another title than the chapter's section by now.
    #[error("the text is called `{title}`, and its section `{section}`")]
    OtherTitle { title: String, section: String },
    /// The chapter before has become another than the draft was told that was written ahead; that draft is kept under the name.
    #[error("{before} has become another than the draft written ahead was told; the draft is kept as {kept}")]
    AheadLost { before: ChapterNo, kept: String },
    /// The author's change of a plan makes a file unusable; it is committed as it is, because plans may be half written.
    #[error("`{path}` cannot be read as it is")]
    Unusable { path: String },
    /// The chapter could not be written; the run goes on with others, and says at its end why.
    #[error("the chapter could not be written")]
    NotWritten,
    /// Nothing that a writer could follow was found in the chapters from which the style was to be drawn.
    #[error("no style could be drawn from the chapters; the next one is another try")]
    StyleNotLearnt,
    /// A draft that was begun goes on as it was begun, whatever was asked for.
    #[error("the draft was begun {} and goes on so", if *by_scenes { "scene by scene" } else { "as a whole" })]
    BegunOtherwise {
        /// Whether it was begun scene by scene.
        by_scenes: bool,
    },
    /// Another model is asked in place of one that is overloaded, declines or is not paid for.
    #[error("`{}` is asked of {to} in place of {from}: {why}", part.as_str())]
    OtherModel { part: Part, from: String, to: String, why: Fault },
    /// The prompt of a later stage will not fit its model.
    #[error("the prompt of `{}` needs about {needed} tokens, and {model} holds {limit}", stage.as_str())]
    NoRoom { stage: Stage, model: String, needed: u64, limit: u64 },
    /// The prompt is larger than the book wants, because the chapter's own text is.
    #[error("the prompt of `{}` has about {tokens} tokens, more than the book's limit of {limit}", part.as_str())]
    LargePrompt {
        part: Part,
        /// About how many.
        tokens: u32,
        limit: u32,
    },
}

/// `ch-003, ch-007`.
fn named(chapters: &[ChapterNo]) -> String {
    chapters.iter().map(ChapterNo::to_string).collect::<Vec<_>>().join(", ")
}

#[derive(Debug, Clone, PartialEq)]
pub struct Accepted {
    pub chapter: ChapterNo,
    pub title: String,
    pub summary: String,
    pub commit: String,
    /// Words: Han characters and Latin words.
    pub words: u64,
    /// `None` without a judge's report.
    pub overall: Option<f64>,
    /// False when the score is an offline placeholder, and the text was not read.
    pub reading: bool,
    pub gate: Gate,
    /// Revisions by the strong model.
    pub revisions: u32,
    /// Wall time of the calls, in milliseconds.
    pub duration_ms: u64,
    pub input_tokens: u64,
    pub output_tokens: u64,
    pub sent_chars: u64,
    /// Its cost, in millionths of a US dollar; `None` when a price is unknown.
    pub cost_micro_usd: Option<u64>,
    /// The models of writer, refiner and judge.
    pub models: String,
    /// The commit of the text that it takes the place of, shortened, when the chapter was written again.
    pub replaces: Option<String>,
    /// The later chapters that rely on facts that have changed.
    pub affected: Vec<AffectedChapter>,
    /// The names of what these work with, by id.
    pub names: BTreeMap<String, String>,
}
