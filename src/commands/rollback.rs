//! `novel rollback`: takes the book back to a chapter.

use super::cli::exit::Exit;
use super::cli::failure::Failure;
use super::cli::value_parsers::{BadValue, Target};
use super::{App, run_context};
use crate::domain::{ChapterNo, VolumeNo, Work};
use crate::pipeline::book::destination::{self, Destination};
use crate::pipeline::book::rebuild;
use crate::pipeline::chapter::scenes;
use crate::report::change::{Change, Leaving, Preview};
use crate::report::lang::{both, say};
use crate::report::{Both, Lang, system};
use crate::store::{
    self, Book, CommitId, CommitInfo, Identity, Kind, Moment, RollbackError, RollbackResult, Session, Target as At,
    Transaction, Wanted, layout,
};
use serde::Serialize;

/// Take the book back to a chapter, a planning step or any commit, or a draft to a scene; nothing is lost
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct RollbackArgs {
    /// The last thing that stays: a chapter, a volume, a scene of the chapter in flight, a planning step (`world`,
    /// `plan vol-02`), or a commit
    #[arg(value_name = "TARGET", required = true, num_args = 1..=2)]
    pub(crate) target: Vec<String>,
    /// Take your own inputs and the plans back as well
    #[arg(long)]
    pub(crate) exact: bool,
    /// Do not ask
    #[arg(short, long)]
    pub(crate) yes: bool,
    /// Show what would leave the book and what would stay
    #[arg(long)]
    pub(crate) dry_run: bool,
}

/// A rollback to where everything is already.
#[derive(Serialize)]
struct Unchanged {
    /// `unchanged`.
    status: &'static str,
    /// Where it is: `ch-048`, `ch-048/scene-2`.
    at: String,
}

/// Goes back to a chapter or to the end of a volume, by a new commit.
pub(crate) fn run(app: &mut App, args: &RollbackArgs) -> Result<Exit, Failure> {
    let book = app.book()?;
    let target: Target = args.target.join(" ").parse().map_err(|BadValue(message)| Failure::usage(message))?;
    let way = match target {
        Target::Chapter(chapter) => Way::to_chapter(&book, chapter)?,
        Target::Volume(volume) => Way::to_chapter(&book, last_of(&book, volume)?)?,
        Target::Scene(chapter, scene) => return to_scene(app, &book, args, chapter, scene),
        Target::Other(destination) => Way::to(&book, &destination)?,
    };
    let name = &way.name;
    let preview = way.preview(app.ui.lang(), &book, args.exact)?;
    if let Some(exit) = asked(app, args, &preview, &both!("退回 {name}？", "go back to {name}?"))? {
        return Ok(exit);
    }
    let session = app.begin(&book, "rollback")?;
    let author = app.identity(&book)?;
    // So that going back neither loses the author's changes nor is stopped by them.
    run_context::run_without_model(app, &session, author.clone(), |run| run.commit_all_but_losses())?;
    let exact = args.exact;
    let stays = |path: &str| !exact && (way.stays)(path);
    let telling = CommitInfo { subject: Some(format!("rollback: {name}")), ..telling(app, author) };
    let returned = match session.rollback_with(way.to, &stays, &way.also, &[], &telling) {
        // The same command again, after it was interrupted past its commit, is done.
        Err(RollbackError::AlreadyThere) => {
            let unchanged = Unchanged { status: "unchanged", at: name.clone() };
            app.ui.event(&unchanged, |lang, _| {
                say!(lang, "已经在 {name}，什么也没变\n", "the book is at {name} already; nothing has changed\n")
            })?;
            return Ok(Exit::Done);
        }
        other => other?,
    };
    let what = |zh: String, en: String| app.ui.lang().pick(zh, en);
    let change = Change {
        what: what(format!("退回 {name}"), format!("Went back to {name}")),
        commit: returned.committed.id.short(),
        undo: Some("novel undo".to_owned()),
    };
    app.ui.show(&change, |lang, _| change.text(lang))?;
    tell_lag(app, &returned)?;
    Ok(Exit::Done)
}

/// Shows what would leave, and asks about it unless told not to. How the command ends, when that was all or the answer
/// is no.
fn asked(app: &mut App, args: &RollbackArgs, preview: &Preview, question: &Both) -> Result<Option<Exit>, Failure> {
    if args.dry_run {
        app.ui.show(preview, |lang, columns| preview.text(lang, columns))?;
        return Ok(Some(Exit::Done));
    }
    if args.yes || preview.leaving.is_empty() {
        return Ok(None);
    }
    let (lang, columns) = (app.ui.lang(), 80);
    app.ui.say(&Both::same(preview.text(lang, columns).trim_end()))?;
    let goes_on = app.ui.confirm(question, true, "--yes")?;
    Ok((!goes_on).then_some(Exit::No))
}

/// Takes the chapter in flight back to the end of a scene, by a new commit of its draft.
fn to_scene(app: &mut App, book: &Book, args: &RollbackArgs, chapter: ChapterNo, scene: u32) -> Result<Exit, Failure> {
    if args.exact {
        return Err(Failure::usage(both!(
            "`--exact` 管的是整本书，退回一场用不上",
            "`--exact` is for the book and means nothing for a scene"
        )));
    }
    let lang = app.ui.lang();
    let Some(scenes::WayBack { leaving, .. }) = scenes::way_back(book, chapter, scene)? else {
        return there_already(app, book, chapter, scene);
    };
    let preview = Preview {
        what: say!(
            lang,
            "{chapter} 退回第 {scene} 场，从稿子里去掉的有:",
            "going back to scene {scene} of {chapter}; what leaves the draft:"
        ),
        kept_as: (!leaving.is_empty()).then(|| say!(lang, "draft/{chapter} 的历史", "the history of draft/{chapter}")),
        leaving: leaving
            .into_iter()
            .map(|commit| Leaving { commit: commit.id.short(), subject: commit.subject })
            .collect(),
        untouched: Vec::new(),
        hand_edits: book.staging_edits()?.into_iter().map(|edit| format!("staging/{}", edit.path)).collect(),
    };
    let question = both!("{chapter} 退回第 {scene} 场？", "go back to scene {scene} of {chapter}?");
    if let Some(exit) = asked(app, args, &preview, &question)? {
        return Ok(exit);
    }
    let back = app.write(book, "rollback", |run| run.back_to_scene(chapter, scene))?;
    let Some(commit) = back else { return there_already(app, book, chapter, scene) };
    let what = say!(lang, "{chapter} 退回第 {scene} 场", "Went back to scene {scene} of {chapter}");
    let commit = commit.short();
    let change = Change { what, commit: commit.clone(), undo: None };
    app.ui.show(&change, |lang, _| change.text(lang))?;
    app.ui.say(&both!("去掉的文字: git show {commit}", "what has left the text: git show {commit}"))?;
    Ok(Exit::Done)
}

/// Nothing came after the scene, or nothing does any more since an interrupted command.
fn there_already(app: &mut App, book: &Book, chapter: ChapterNo, scene: u32) -> Result<Exit, Failure> {
    drop(app.begin(book, "rollback")?);
    let unchanged = Unchanged { status: "unchanged", at: format!("{chapter}/scene-{scene}") };
    app.ui.event(&unchanged, |lang, _| {
        say!(
            lang,
            "{chapter} 已经停在第 {scene} 场，什么也没变\n",
            "{chapter} is at scene {scene} already; nothing has changed\n"
        )
    })?;
    Ok(Exit::Done)
}

/// The commit is made; when the folder could not follow, success is not all there is to say.
fn tell_lag(app: &mut App, returned: &RollbackResult) -> Result<(), Failure> {
    app.tell_drafts(&returned.closed, &returned.reopened)?;
    let Some(why) = &returned.committed.lagging else { return Ok(()) };
    let why = system::of_store(why, app.ui.lang());
    app.ui.warn(&both!(
        "提交好了，但文件夹还没跟上（{why}）；下一条写作命令会补上",
        "the commit is made, but the folder could not follow yet ({why}); the next command that writes does it"
    ))
}

/// What a rollback leaves as it is: the author's inputs, the plans of volumes, and files that are not the book's.
fn stays(path: &str) -> bool {
    layout::classify(path).is_none_or(|place| place.is_author_input())
}

/// The last accepted chapter of a volume.
fn last_of(book: &Book, volume: VolumeNo) -> Result<ChapterNo, Failure> {
    let contents = book.contents_of(book.tip()?)?;
    let last = contents.iter().rev().find(|(_, at)| *at == volume);
    last.map(|(chapter, _)| chapter).ok_or_else(|| {
        Failure::new(Exit::No, both!("{volume} 还没有写成的章", "{volume} has no accepted chapter"))
            .hint(both!("`novel log --kind chapter` 列出各章", "`novel log --kind chapter` lists the chapters"))
    })
}

/// A way back: where it ends, what it takes out of the book, and what stays all the same.
struct Way {
    /// The destination as the author named it: `ch-045`, `world`, `plan vol-02`, the first digits of a commit.
    name: String,
    to: At,
    leaving: Vec<Transaction>,
    /// Changes beside going there: one commit may have brought the chapter and later ones together.
    also: store::Change,
    stays: fn(&str) -> bool,
    /// Whether the plans of volumes stay.
    keeps_plans: bool,
}

impl Way {
    fn to_chapter(book: &Book, chapter: ChapterNo) -> Result<Self, Failure> {
        let mut line = book.since(chapter)?;
        let Some(to) = line.pop() else { return Err(RollbackError::NoSuchChapter(chapter).into()) };
        Ok(Self {
            name: chapter.to_string(),
            to: At::Commit(to.id),
            leaving: line,
            also: rebuild::cut(book, to.id, chapter)?,
            stays,
            keeps_plans: true,
        })
    }

    fn to(book: &Book, destination: &Destination) -> Result<Self, Failure> {
        let named = match destination {
            Destination::Step(step) => step.to_string(),
            Destination::Plan(volume) => format!("plan {volume}"),
            Destination::Commit(name) => name.clone(),
        };
        let Some(transaction) = destination::find(book, destination)? else {
            let message = both!("主线上没有 {named}", "the book's line has no {named}");
            return Err(Failure::new(Exit::No, message)
                .hint(both!("`novel log` 列出每一步和它的提交", "`novel log` lists every step with its commit")));
        };
        let name = if matches!(destination, Destination::Commit(_)) { transaction.id.short() } else { named };
        Ok(Self {
            name,
            to: At::Commit(transaction.id),
            leaving: destination::leaving(book, transaction.id)?,
            also: store::Change::default(),
            stays: destination::stays,
            keeps_plans: false,
        })
    }

    fn preview(&self, lang: Lang, book: &Book, exact: bool) -> Result<Preview, Failure> {
        let name = &self.name;
        let leaving = self.leaving.iter();
        let leaving: Vec<Leaving> =
            leaving.map(|t| Leaving { commit: t.id.short(), subject: t.subject.clone() }).collect();
        let inputs =
            || lang.pick("纲领、设置、文风、提示词、资料", "brief, settings, style, prompts, research").to_owned();
        let plans = || lang.pick("各卷的大纲与契约", "the plans of volumes").to_owned();
        let untouched = match (exact, self.keeps_plans) {
            (true, _) => Vec::new(),
            (false, true) => vec![inputs(), plans()],
            (false, false) => vec![inputs()],
        };
        let edits = book.hand_edits(&[], Wanted::of(&layout::is_book_path))?.edits.into_iter().map(|edit| edit.path);
        Ok(Preview {
            what: say!(lang, "退回 {name}，离开主线的有:", "going back to {name}; what leaves the book:"),
            kept_as: (!leaving.is_empty()).then(|| lang.pick("git 历史", "git's history").to_owned()),
            leaving,
            untouched,
            hand_edits: edits.collect(),
        })
    }
}

fn telling(app: &App, author: Identity) -> CommitInfo {
    CommitInfo { subject: None, body: String::new(), author, time: Moment::from(&app.environment.now()) }
}

/// Which way along the line of transactions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Direction {
    Undo,
    Redo,
}

/// Takes `count` steps back or forth, one commit each. Steps that were made before one fails stay made.
pub(crate) fn step(app: &mut App, way: Direction, count: u32) -> Result<Exit, Failure> {
    let book = app.book()?;
    let (name, kind) = match way {
        Direction::Undo => ("undo", Kind::Undo),
        Direction::Redo => ("redo", Kind::Redo),
    };
    app.streams = true;
    app.note_command(format!("{name} {count}"));
    let session = app.begin_as_it_is(&book, name)?;
    let author = app.identity(&book)?;
    let done: Vec<Transaction> =
        app.resumed(&book)?.unwrap_or_default().into_iter().filter(|made| made.kind == kind).collect();
    let made = u32::try_from(done.len()).unwrap_or(count);
    let count = count.saturating_sub(made);
    if made > 0 {
        app.tell_resumed(format!("{name} {}", made + count), made, count)?;
    }
    for step in done {
        let of = step.retraces().map(|of| book.transaction(of)).transpose()?;
        let subject = of.map_or(step.subject, |of| of.subject);
        tell_step(app, way, &subject, step.id)?;
    }
    if count == 0 {
        show_open(app, &book, &session, author);
        return Ok(Exit::Done);
    }
    if way == Direction::Undo {
        run_context::run_without_model(app, &session, author.clone(), |run| run.restore_own())?;
        refuse_with_edits(&book)?;
    }
    let possible = match way {
        Direction::Undo => session.undoable()?,
        Direction::Redo => session.redoable()?,
    };
    if possible > 0 && count as usize > possible {
        return Err(Failure::new(
            Exit::No,
            both!("只有 {possible} 步，没有 {count} 步", "there are {possible} steps, and not {count}"),
        ));
    }
    for _ in 0..count {
        let telling = telling(app, author.clone());
        let returned = match way {
            Direction::Undo => session.undo(&telling)?,
            Direction::Redo => session.redo(&telling)?,
        };
        tell_step(app, way, &returned.of.subject, returned.committed.id)?;
        tell_lag(app, &returned)?;
        show(app, &session, &author, returned.reopened);
    }
    Ok(Exit::Done)
}

fn tell_step(app: &mut App, way: Direction, subject: &str, commit: CommitId) -> Result<(), Failure> {
    let lang = app.ui.lang();
    let change = Change {
        what: match way {
            Direction::Undo => say!(lang, "撤销了「{subject}」", "Took back `{subject}`"),
            Direction::Redo => say!(lang, "重做了「{subject}」", "Did `{subject}` again"),
        },
        commit: commit.short(),
        undo: Some(if way == Direction::Undo { "novel redo" } else { "novel undo" }.to_owned()),
    };
    app.ui.event(&change, |lang, _| change.text(lang))
}

/// Shows drafts that are open again. There is one folder, and what is in flight comes first: a chapter, the earliest.
fn show(app: &mut App, session: &Session<'_>, author: &Identity, mut drafts: Vec<Work>) {
    drafts.sort_unstable();
    for work in drafts.into_iter().rev() {
        // The command that continues a draft reports why it cannot be shown.
        let _ = run_context::run_without_model(app, session, author.clone(), |run| run.show_draft(work));
    }
}

/// The same for all that are open: the command was interrupted, and may not have come so far.
fn show_open(app: &mut App, book: &Book, session: &Session<'_>, author: Identity) {
    if let Ok(drafts) = book.drafts() {
        show(app, session, &author, drafts.into_iter().map(|(work, _)| work).collect());
    }
}

/// With uncommitted changes in the book, "the last transaction" is not what the author sees: they would have to be
/// committed first, and then they would be the last transaction.
fn refuse_with_edits(book: &Book) -> Result<(), Failure> {
    let edits: Vec<String> =
        book.hand_edits(&[], Wanted::of(&layout::is_book_path))?.edits.into_iter().map(|edit| edit.path).collect();
    if edits.is_empty() {
        return Ok(());
    }
    let list = edits.join(", ");
    Err(Failure::new(Exit::No, both!("有没提交的手改: {list}", "there are uncommitted changes of yours: {list}")).hint(
        both!(
            "先提交它们: `git commit -a`；或放弃它们: `git restore 文件`",
            "commit them first: `git commit -a`; or drop them: `git restore FILE`"
        ),
    ))
}
