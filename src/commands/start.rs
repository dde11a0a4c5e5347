//! `novel start`: leads from an idea to a planned volume, and from its last chapter to the next one.

use super::answers::{self, AnswerArgs, ShownOutcome as _};
use super::cli::exit::Exit;
use super::cli::failure::Failure;
use super::cli::value_parsers;
use super::metrics::{self, MetricsArgs};
use super::planner_args::AskingArgs;
use super::{App, init, run_context};
use crate::agents::CastRequest;
use crate::domain::VolumeNo;
use crate::domain::book::checkpoint::Phase;
use crate::domain::book::work::Step;
use crate::domain::chapter::stage::Decision;
use crate::domain::workflow::{Answer, BookQuestion, BookStatus, NextStep, REOPENING, pages};
use crate::pipeline::book::estimate::{Price, Prices};
use crate::pipeline::chapter::decide;
use crate::pipeline::engine::done::{Applied, Done};
use crate::pipeline::planning::create_book::Idea;
use crate::pipeline::planning::step::Taken;
use crate::pipeline::planning::style::Samples;
use crate::pipeline::planning::volume;
use crate::pipeline::workflow::{self, AnswerOutcome, Wanted};
use crate::pipeline::{BookView, Goal, Outcome, Run, RunError};
use crate::report::Both;
use crate::report::journey::{JourneyQuestion, Offer, Whereabouts};
use crate::report::lang::{both, say};
use crate::report::plan::PlanView;
use crate::report::question::Question;
use crate::report::words::Words;
use crate::store::{Book, OpenError, key, template};
use serde::Serialize;
use std::path::{Path, PathBuf};

/// The most questions that one run asks (row R2).
const QUESTIONS: u32 = 3;
/// The command line before an answer.
const COMMAND: &str = "novel start --answer";

/// Show where the book is and choose what comes next: set up, plan, write, review
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct StartArgs {
    /// Answer the question that waits, or choose what comes next
    #[arg(long, value_name = "ANSWER", value_parser = value_parsers::one_of::<Answer>(Answer::ALL.iter().map(|a| a.as_str())))]
    pub(crate) answer: Option<Answer>,
    /// Take the recommended answer to every question, up to the next volume's plan, and spend without asking first
    #[arg(long)]
    pub(crate) yes: bool,
    /// How many chapters a volume has [default: 30; the last one, as many as its end needs]
    #[arg(long, value_name = "N", value_parser = value_parsers::chapters)]
    pub(crate) chapters: Option<u32>,
    /// What you want of the volume, in your words
    #[arg(long, value_name = "WISH", default_value = "", hide_default_value = true)]
    pub(crate) wish: String,
    /// Title of a new book [default: the folder's name]
    #[arg(long, value_name = "TITLE")]
    pub(crate) title: Option<String>,
    /// Samples of the prose whose style the book takes: your own (can be repeated)
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with = "style")]
    pub(crate) samples: Vec<PathBuf>,
    /// Author of the samples, when they are not your own prose
    #[arg(long, value_name = "NAME", requires = "samples", value_parser = value_parsers::line)]
    pub(crate) reference_author: Option<String>,
    /// Notes to take into research/, with the answer `research` (can be repeated)
    #[arg(long, value_name = "FILE", num_args = 1..)]
    pub(crate) research: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) particulars: AnswerArgs,
    #[command(flatten)]
    pub(crate) asking: AskingArgs,
}

/// Asks what comes next, does it, and asks again, until the author stops or three questions are asked. Nothing is asked of a
/// model before the author has chosen what that is for.
pub(crate) fn run(app: &mut App, args: &StartArgs) -> Result<Exit, Failure> {
    let mut asked = 0;
    let Some(book) = open(app, args, &mut asked)? else { return Ok(Exit::Decide) };
    if let Some(answer) = args.answer.filter(|answer| answer.chapters().is_some() || !answer.is_choice()) {
        let AnswerArgs { style, genre, protagonist, conflict } = &args.particulars;
        let style = style.as_deref().unwrap_or_default();
        let said = [style, genre.as_str(), protagonist.as_str(), conflict.as_str()];
        let said: String = said.iter().filter(|said| !said.is_empty()).map(|said| format!(" {said}")).collect();
        app.note_command(format!("start {answer}{said}"));
    }
    // What an interrupted command left decides how far the book is.
    drop(app.begin(&book, "start")?);
    let mut given = args.answer;
    // With a number of chapters the answer counts those of the interrupted command; any other is over once it is carried out.
    let counts = given.is_some_and(|answer| answer.chapters().is_some());
    let carried_before = !counts && was_carried_out(app, &book, given)?;
    // With --yes a run ends when the volume after the present one is planned, and not with the last volume of a book.
    let mut volumes = 0;
    let mut particulars = args.particulars.clone();
    // The last answer: what it says may be done without another question.
    let mut word: Option<Answer> = None;
    loop {
        let standing = workflow::standing(&book)?;
        let (now, quick) = (standing.next(), standing.phase == Phase::QuickStart);
        let answer = match now {
            NextStep::Decide(_) => match settle_chapter(app, &book, &mut asked)? {
                true => continue,
                false => return Ok(Exit::Decide),
            },
            NextStep::Ask(question) => match given.take() {
                // The question has come up again since.
                Some(answer) if carried_before => {
                    word = Some(answer);
                    continue;
                }
                Some(answer) => answer,
                None if args.yes && volumes < 2 => question.answers()[0],
                None => match ask(app, &book, args, &standing, question, &mut asked)? {
                    Some(answer) => {
                        particulars = ask_particulars(app, &args.particulars, answer, &mut asked)?;
                        answer
                    }
                    None => return Ok(Exit::Decide),
                },
            },
            NextStep::Rest(volume) => match given.take() {
                Some(answer) if workflow::answered(&book, answer)?.is_none() => answer,
                _ => match reopen(app, volume, args.yes, &mut asked)? {
                    Some(answer) => answer,
                    None => return Ok(Exit::Done),
                },
            },
            NextStep::Style if args.yes || says_style(args) => {
                let said = style_of(args);
                // A choice that says the same as its flags is answered with them.
                let choice = given.take_if(|answer| standing.choices(now).contains(answer)).unwrap_or(said);
                take_style(app, &book, args, choice, &mut asked)?;
                continue;
            }
            step => {
                let choice = match given.take() {
                    Some(answer) if answer == Answer::More || standing.choices(step).contains(&answer) => Some(answer),
                    // Given once more after an interruption: what it allows goes on.
                    Some(answer) if answer.allows(step, quick) || workflow::answered(&book, answer)?.is_some() => {
                        word = Some(answer);
                        None
                    }
                    Some(answer) => return Err(not_now(answer, &standing, step)),
                    None => None,
                };
                if args.yes && volumes == 2 {
                    // The next volume is planned; it begins with the author's next command.
                    return Ok(Exit::Done);
                }
                let allowed = args.yes || word.is_some_and(|word| word.allows(step, quick));
                if choice.is_none() && allowed {
                    if !go(app, &book, args, step)? {
                        return Ok(Exit::Decide);
                    }
                    continue;
                }
                let choice = match choice {
                    Some(choice) if choice != Answer::More => choice,
                    more => match offer(app, &book, args, &standing, step, more.is_some(), &mut asked)? {
                        Some(choice) => choice,
                        None => return Ok(Exit::Decide),
                    },
                };
                word = Some(choice);
                match carry_choice(app, &book, args, step, choice, &mut asked)? {
                    Some(exit) => return Ok(exit),
                    None => continue,
                }
            }
        };
        if answer == Answer::Stop {
            return stop(app);
        }
        if !answers::fits(now, answer) {
            return Err(answers::refused(answer.as_str(), now));
        }
        volumes += u32::from(answer == Answer::Approve);
        let carried = answers::carry_out(app, &book, &particulars, now, answer)?;
        word = Some(answer);
        say_carried(app, &carried)?;
        if carried.commit().is_none() {
            return Ok(carried.exit());
        }
    }
}

/// The book of the folder. In an empty one a book is made, once the author has said what it is about; `None` where that is a
/// question to be answered first.
fn open(app: &mut App, args: &StartArgs, times: &mut u32) -> Result<Option<Book>, Failure> {
    let dir = app.folder()?;
    let error = match Book::open(&dir) {
        Ok(book) => return Ok(Some(book)),
        Err(error) => error,
    };
    let is_begun = matches!(&error, OpenError::Unfinished(at) if *at == dir);
    let is_free = matches!(error, OpenError::NoRepository(_)) && dir.is_dir() && Book::is_vacant(&dir);
    if !(is_begun || is_free) {
        return Err(error.into());
    }
    let AnswerArgs { genre, protagonist, conflict, style } = &args.particulars;
    let mut said = [genre.clone(), protagonist.clone(), conflict.clone()];
    if !args.yes && app.ui.can_ask() {
        app.ui.say(&both!(
            "这里还没有书。三个问题就建一本，不花钱；每个都可以直接回车，Esc 退出",
            "There is no book here yet. Three questions make one, at no cost; Enter skips each, Esc leaves"
        ))?;
        for (said, (question, flag)) in said.iter_mut().zip(init::idea_questions()) {
            if said.trim().is_empty() {
                *times += 1;
                *said = app.ui.ask(&question, flag)?;
            }
        }
    } else if !args.yes && said.iter().all(|said| said.trim().is_empty()) {
        let question = new_book(app);
        app.ui.event(&question, |lang, columns| question.listed(lang, columns, new_book_words))?;
        return Ok(None);
    }
    let [genre, protagonist, conflict] = said;
    let folder = dir.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let idea = Idea {
        title: args.title.clone().unwrap_or(folder),
        genre,
        protagonist,
        conflict,
        preset: style.clone(),
        offline: args.asking.offline,
        ..Idea::default()
    };
    init::create(app, &dir, &idea, (None, &[]), init::Afterwards::default())?;
    Ok(Some(Book::open(&dir)?))
}

/// The subject of the question about an empty folder, which has no fields.
#[derive(Serialize)]
struct Nothing {}

fn new_book(app: &App) -> Question<Nothing> {
    let lang = app.ui.lang();
    let rationale = lang.pick("这里还没有书", "there is no book here yet").to_owned();
    let command = |option: &str| match option {
        "new-book" => {
            "novel start --genre 都市悬疑 --protagonist 沈渡，不会水的摆渡人 --conflict 一张对不上的舱单".to_owned()
        }
        _ => "novel demo".to_owned(),
    };
    Question::new("new-book", vec!["new-book", "demo"], rationale, command, Nothing {})
}

fn new_book_words(option: &'static str) -> (&'static str, &'static str) {
    match option {
        "new-book" => (
            "建一本书：题材、主角、核心冲突，换成你的（不花钱）",
            "make a book: genre, protagonist and conflict, in your words (free)",
        ),
        _ => ("先看一本样书（不花钱）", "look at a sample book first (free)"),
    }
}

/// Returns whether the same command was interrupted after it had carried the answer out. Chapters that are chosen from here
/// on are no part of that command.
fn was_carried_out(app: &mut App, book: &Book, given: Option<Answer>) -> Result<bool, Failure> {
    let made = app.resumed(book)?.unwrap_or_default();
    app.forget_resumed();
    Ok(given.is_some() && made.iter().any(|transaction| transaction.trailers.read(key::ANSWER) == given))
}

/// The refusal of a choice that is not offered before that step.
fn not_now(answer: Answer, standing: &BookStatus, step: NextStep) -> Failure {
    match answer.is_choice() {
        true => answers::not_offered(answer.as_str(), &standing.choices(step)),
        false => answers::refused(answer.as_str(), step),
    }
}

/// Takes a move that the author has allowed. Returns whether to go on.
fn go(app: &mut App, book: &Book, args: &StartArgs, step: NextStep) -> Result<bool, Failure> {
    let before = book.tip()?;
    if !take(app, book, args, step)? {
        return Ok(false);
    }
    if book.tip()? == before && workflow::standing(book)?.next() == step {
        return Err(nothing_came_of(step));
    }
    Ok(true)
}

/// Returns the likely cost of each answer, in their order; it is unknown while no model is set up.
fn prices(
    app: &mut App,
    book: &Book,
    args: &StartArgs,
    standing: &BookStatus,
    answers: &[Answer],
) -> Result<Vec<Option<Price>>, Failure> {
    let config = run_context::config_of(book)?;
    let responder = match app.responder(&args.asking.flags(), &config) {
        Ok((responder, _)) => Some(responder),
        Err(failure) if failure.exit() == Exit::NotSetUp => None,
        Err(failure) => return Err(failure),
    };
    let snapshot = book.snapshot()?;
    let prices = Prices::of(&BookView::new(&snapshot), responder.as_ref())?;
    let (now, chapters) = (standing.next(), length(book, args, standing)?);
    Ok(answers.iter().map(|answer| prices.of_answer(*answer, standing, now, chapters)).collect())
}

/// How many chapters the next planned volume gets.
fn length(book: &Book, args: &StartArgs, standing: &BookStatus) -> Result<u32, Failure> {
    let wanted = Wanted { chapters: args.chapters, wish: String::new(), closing: false };
    Ok(workflow::planned_length(book, standing.volume_to_plan(), &wanted)?)
}

/// Offers what can be done now, on a terminal; elsewhere the offer is the answer of the run. `more` asks for what does not
/// come first.
fn offer(
    app: &mut App,
    book: &Book,
    args: &StartArgs,
    standing: &BookStatus,
    step: NextStep,
    more: bool,
    times: &mut u32,
) -> Result<Option<Answer>, Failure> {
    let (lang, position) = (app.ui.lang(), workflow::position(book)?);
    let (first, rest) = pages(&standing.choices(step));
    let mut choices = if more && !rest.is_empty() { rest.clone() } else { first };
    loop {
        let prices = prices(app, book, args, standing, &choices)?;
        let chapters = length(book, args, standing)?;
        let preset = template::preset_for(&run_context::config_of(book)?.genre).name;
        let offer = Offer { step, choices: choices.clone(), prices, chapters, preset };
        let question = JourneyQuestion::offer(&offer, &position, COMMAND, lang);
        if !app.ui.can_ask() || *times >= QUESTIONS {
            app.ui.event(&question, |lang, columns| question.text(lang, columns))?;
            return Ok(None);
        }
        *times += 1;
        app.ui.answer(&format!("{}\n", question.position(lang)))?;
        let at = app.ui.choose(&question.heading(lang), &question.answers(lang), "--answer")?;
        match choices.get(at) {
            Some(Answer::More) => choices = rest.clone(),
            choice => return Ok(choice.copied()),
        }
    }
}

/// Does what was chosen, as far as it is not a move that goes on by itself. An exit code ends the run.
fn carry_choice(
    app: &mut App,
    book: &Book,
    args: &StartArgs,
    step: NextStep,
    choice: Answer,
    times: &mut u32,
) -> Result<Option<Exit>, Failure> {
    match choice {
        Answer::Stop => return stop(app).map(Some),
        Answer::LookBack => {
            let exit = metrics::run(app, &MetricsArgs { volume: None })?;
            // On a terminal the question comes again below the figures.
            return Ok((!app.ui.can_ask()).then_some(exit));
        }
        Answer::Research => import(app, book, args, times)?,
        Answer::Preset | Answer::Samples | Answer::Reference | Answer::ExtractLater => {
            take_style(app, book, args, choice, times)?;
        }
        _ => match choice.chapters() {
            Some(chapters) => {
                let goal = super::r#continue::resumed(app, book, Goal::Count(chapters))?;
                // Chapters that are chosen after these are others.
                app.forget_resumed();
                let Some(goal) = goal else { return Ok(None) };
                let outcomes = app.plan(book, &args.asking, "start", async |run| run.chapters(goal).await)?;
                super::r#continue::maybe_gc(app, book)?;
                drop(outcomes);
            }
            None => {
                if !go(app, book, args, step)? {
                    return Ok(Some(Exit::Decide));
                }
            }
        },
    }
    Ok(None)
}

fn stop(app: &mut App) -> Result<Exit, Failure> {
    app.ui.say(&both!("先到这里；要接着来: novel start", "stopped here; to go on: novel start"))?;
    Ok(Exit::Done)
}

/// True when flags say whose style the book takes.
fn says_style(args: &StartArgs) -> bool {
    args.particulars.style.is_some() || !args.samples.is_empty()
}

/// The choice of a style that the flags make.
fn style_of(args: &StartArgs) -> Answer {
    match (args.samples.is_empty(), &args.reference_author) {
        (true, _) => Answer::Preset,
        (false, None) => Answer::Samples,
        (false, Some(_)) => Answer::Reference,
    }
}

/// Gives the book the chosen style.
fn take_style(app: &mut App, book: &Book, args: &StartArgs, choice: Answer, times: &mut u32) -> Result<(), Failure> {
    let turned = match choice {
        Answer::Preset | Answer::ExtractLater => {
            let fits = template::preset_for(&run_context::config_of(book)?.genre).id;
            let name = args.particulars.style.as_deref().unwrap_or(fits);
            app.write(book, "style", |run| match choice {
                Answer::Preset => run.use_style(name),
                _ => run.defer_style(),
            })?
        }
        _ => {
            let question =
                both!("样稿的路径（纯文本，多个用空格隔开）", "Paths of the samples (plain text, separated by spaces)");
            let paths = paths(app, &args.samples, &question, "--samples", times)?;
            let author = match &args.reference_author {
                None if choice == Answer::Reference => {
                    let question = both!("这是哪位作者的文字", "Whose text it is");
                    Some(line(app, &question, "--reference-author", times)?)
                }
                given => given.clone(),
            };
            let texts = paths.iter().map(|path| init::read(app, path)).collect::<Result<Vec<String>, Failure>>()?;
            let samples = Samples::given(texts, author.as_deref());
            Applied::Done(app.plan(book, &args.asking, "style", async |run| run.style(&samples).await)?)
        }
    };
    match turned {
        Applied::Done(done) => say_carried(app, &AnswerOutcome::Committed(done)),
        Applied::Already => Ok(()),
    }
}

/// Takes the author's notes into the book.
fn import(app: &mut App, book: &Book, args: &StartArgs, times: &mut u32) -> Result<(), Failure> {
    let question =
        both!("资料的路径（纯文本，多个用空格隔开）", "Paths of the notes (plain text, separated by spaces)");
    let mut notes = Vec::new();
    for path in paths(app, &args.research, &question, "--research", times)? {
        let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
        // Planners read Markdown files.
        notes.push((format!("{stem}.md"), init::read(app, &path)?));
    }
    let done = app.write(book, "research", |run| run.import_research(&notes))?;
    say_carried(app, &AnswerOutcome::Committed(done))
}

/// Paths of the author's files: those of the flag, or asked for.
fn paths(
    app: &mut App,
    given: &[PathBuf],
    question: &Both,
    flag: &str,
    times: &mut u32,
) -> Result<Vec<PathBuf>, Failure> {
    if !given.is_empty() {
        return Ok(given.to_vec());
    }
    let said = line(app, question, flag, times)?;
    // A path with spaces is one path when it is there.
    let whole = Path::new(said.trim());
    if app.folder()?.join(whole).is_file() {
        return Ok(vec![whole.to_owned()]);
    }
    Ok(said.split_whitespace().map(PathBuf::from).collect())
}

/// A line of text, asked for. With no question left, or without a terminal, the flag is named.
fn line(app: &mut App, question: &Both, flag: &str, times: &mut u32) -> Result<String, Failure> {
    if *times >= QUESTIONS {
        let (zh, en) = (&question.zh, &question.en);
        return Err(Failure::new(Exit::Decide, both!("还要知道：{zh}", "one more thing is needed: {en}"))
            .hint(both!("用 `{flag}` 给出，再运行一次", "give it with `{flag}` and run again")));
    }
    let said = app.ui.ask(question, flag)?;
    *times += 1;
    match said.trim() {
        "" => {
            Err(Failure::new(Exit::Decide, both!("没有回答，什么也没变", "nothing was answered, nothing has changed"))
                .hint(both!("`novel start` 重新选", "`novel start` asks again")))
        }
        said => Ok(said.to_owned()),
    }
}

/// Asks what becomes of the chapter that waits, on a terminal; elsewhere the question is the answer of the run. Returns
/// whether it was answered.
fn settle_chapter(app: &mut App, book: &Book, times: &mut u32) -> Result<bool, Failure> {
    let Some(pending) = decide::pending(book)? else { return Ok(false) };
    super::r#continue::show_question(app, book)?;
    let (chapter, path) = (pending.chapter, &pending.path);
    if !app.ui.can_ask() || *times >= QUESTIONS {
        app.ui.say(&both!("{chapter} 等你决定: novel decide", "{chapter} waits for you: novel decide"))?;
        return Ok(false);
    }
    *times += 1;
    let lang = app.ui.lang();
    let options: Vec<String> = pending.why.options().iter().map(|option| option.say(lang).to_owned()).collect();
    let heading = say!(lang, "{chapter} 怎么办？", "What about {chapter}?");
    let at = app.ui.choose(&heading, &options, "novel decide")?;
    let Some(&decision) = pending.why.options().get(at) else { return Ok(false) };
    if decision == Decision::Edit && !pending.edited {
        app.ui.say(&both!("改 {path}，存盘后 `novel continue`", "change {path}, save it, then `novel continue`"))?;
        return Ok(false);
    }
    app.write(book, "decide", |run| run.decide(decision))?;
    Ok(true)
}

pub(super) fn say_carried(app: &mut App, carried: &AnswerOutcome) -> Result<(), Failure> {
    if let AnswerOutcome::Aside(work, kept) = carried {
        return answers::show_aside(app, *work, kept);
    }
    let text = carried.text(app.ui.lang());
    app.ui.say(&Both::same(text))
}

/// That the book has ended, and how it would go on.
#[derive(Serialize)]
struct Ended {
    /// `ended`.
    status: &'static str,
    /// The volume that it ended with.
    volume: u32,
    /// The command that goes on with it.
    reopen: &'static str,
}

/// Says that the book has ended, and on a terminal asks whether it is taken up again; `None` where it rests.
fn reopen(app: &mut App, volume: VolumeNo, yes: bool, times: &mut u32) -> Result<Option<Answer>, Failure> {
    let ended = Ended { status: "ended", volume: volume.get(), reopen: "novel start --answer next-volume" };
    app.ui.event(&ended, |lang, _| {
        let reopen = ended.reopen;
        say!(
            lang,
            "全书完，到 {volume} 为止；要接着写: {reopen}\n",
            "the book is complete and ends with {volume}; to go on all the same: {reopen}\n"
        )
    })?;
    if yes || !app.ui.can_ask() || *times >= QUESTIONS {
        return Ok(None);
    }
    *times += 1;
    let lang = app.ui.lang();
    let answers: Vec<Answer> = [Answer::Stop].into_iter().chain(REOPENING.iter().copied()).collect();
    let words: Vec<String> = answers.iter().map(|answer| answer.say(lang).to_owned()).collect();
    let at = app.ui.choose(lang.pick("全书完。怎么办？", "The book is complete. What now?"), &words, "--answer")?;
    Ok(answers.get(at).copied())
}

/// A step that leaves the book where it was would be taken for ever.
fn nothing_came_of(step: NextStep) -> Failure {
    let failure = Failure::new(
        Exit::No,
        both!("这一步没有改动书，停下了", "the step has changed nothing, so this is where it ends"),
    );
    match step {
        NextStep::Take(Step::World) => failure.hint(both!(
            "书里还没有世界规则：写进 world/rules.json，或换句话说: `novel world update 要什么`",
            "the book has no world rules: write some into world/rules.json, or ask in other words: `novel world update WISH`"
        )),
        _ => failure.hint(both!("`novel status` 看走到哪了", "`novel status` says how far the book is")),
    }
}

/// Takes a move that needs nobody's word. Returns whether to go on.
fn take(app: &mut App, book: &Book, args: &StartArgs, step: NextStep) -> Result<bool, Failure> {
    let wanted = Wanted { chapters: args.chapters, wish: args.wish.clone(), closing: false };
    let idea = protagonist(book)?;
    let (done, goes_on) =
        app.plan(book, &args.asking, "start", async |run| perform(run, step, &idea, &wanted).await)?;
    if let Some(done) = done {
        say_carried(app, &AnswerOutcome::Committed(done))?;
    }
    Ok(goes_on)
}

/// One move, and whether to go on after it.
pub(super) async fn perform(
    run: &Run<'_>,
    step: NextStep,
    idea: &str,
    wanted: &Wanted,
) -> Result<(Option<Done>, bool), RunError> {
    let book = run.session.book();
    run.commit_local_changes()?;
    // Somebody else may have gone on since the book was looked at, or the author's own files say more now.
    if workflow::standing(book)?.next() != step {
        return Ok((None, true));
    }
    let taken = match step {
        NextStep::Style => {
            let genre = crate::pipeline::config_now(book)?.genre;
            let turned = run.use_style(template::preset_for(&genre).id)?;
            return Ok((if let Applied::Done(done) = turned { Some(done) } else { None }, true));
        }
        NextStep::Take(Step::World) => run.world("", false).await?,
        NextStep::Take(Step::Theme) => Taken::Done(run.theme(false).await?),
        NextStep::Take(_) => run.cast(&CastRequest::First { protagonist: idea.to_owned() }, false).await?,
        NextStep::PlanTrial => {
            let waiting = run.plan(&workflow::trial_order()).await?;
            return match waiting {
                None => Ok((None, true)),
                Some(draft) => {
                    Err(RunError::FlawedPlan { volume: VolumeNo::FIRST, flaws: draft.flaws, folder: draft.folder })
                }
            };
        }
        NextStep::PlanVolume(volume) => {
            let order = workflow::volume_order(book, volume, wanted)?;
            run.plan(&order).await?;
            return Ok((None, true));
        }
        NextStep::Write(last) => {
            let outcomes = run.chapters(Goal::Until(last)).await?;
            return Ok((None, !matches!(outcomes.last(), Some(Outcome::Paused { .. }))));
        }
        NextStep::Review(volume) => Taken::Done(run.review(volume, false).await?),
        NextStep::Ask(_) | NextStep::Decide(_) | NextStep::Rest(_) => return Ok((None, false)),
    };
    Ok(match taken {
        Taken::Done(done) => (Some(done), true),
        // The question of the next turn.
        Taken::Waits(_) => (None, true),
    })
}

/// What the author has said of the protagonist, from the brief.
pub(super) fn protagonist(book: &Book) -> Result<String, Failure> {
    let snapshot = book.snapshot()?;
    let context = crate::pipeline::BookView::new(&snapshot).planning_context()?;
    Ok(workflow::said_under(&context.brief, "## 主角").join("，"))
}

/// Asks on a terminal; elsewhere the question is the answer of the run.
fn ask(
    app: &mut App,
    book: &Book,
    args: &StartArgs,
    standing: &BookStatus,
    asked: BookQuestion,
    times: &mut u32,
) -> Result<Option<Answer>, Failure> {
    let lang = app.ui.lang();
    if let BookQuestion::Plan { volume, .. } = asked
        && let Some(draft) = volume::drafts(book)?.into_iter().find(|draft| draft.order.volume == volume)
    {
        let view = PlanView::of(&draft, lang);
        let asks = app.ui.can_ask() && *times < QUESTIONS;
        let text = if asks { PlanView::details } else { PlanView::text };
        if !app.ui.is_json() {
            let position = Whereabouts::of(&workflow::position(book)?).text(volume, lang);
            app.ui.answer(&format!("{position}\n"))?;
        }
        app.ui.event(&view, |lang, columns| text(&view, lang, columns))?;
        if !asks {
            return Ok(None);
        }
    }
    let prices = prices(app, book, args, standing, asked.answers())?;
    let question = answers::question(app, book, asked, prices, COMMAND)?;
    if !app.ui.can_ask() || *times >= QUESTIONS {
        app.ui.event(&question, |lang, columns| question.text(lang, columns))?;
        return Ok(None);
    }
    *times += 1;
    if !matches!(asked, BookQuestion::Plan { .. }) {
        app.ui.answer(&format!("{}\n", question.position(lang)))?;
    }
    app.ui.answer(&question.details(lang))?;
    let at = app.ui.choose(&question.heading(lang), &question.answers(lang), "--answer")?;
    Ok(asked.answers().get(at).copied())
}

/// What belongs to the answer, as far as no flag has said it and questions are left. Nothing said leaves it as it is.
fn ask_particulars(app: &mut App, given: &AnswerArgs, answer: Answer, times: &mut u32) -> Result<AnswerArgs, Failure> {
    let mut particulars = given.clone();
    let lang = app.ui.lang();
    match answer {
        Answer::Style if particulars.style.is_none() && *times < QUESTIONS => {
            *times += 1;
            let names = template::PRESETS.iter().map(|preset| format!("{} ({})", preset.name, preset.id));
            let same = lang.pick("还是现在的文风，再写一遍", "the present one once more").to_owned();
            let names: Vec<String> = names.chain([same]).collect();
            let at = app.ui.choose(lang.pick("换成哪种文风？", "Which style?"), &names, "--style")?;
            particulars.style = template::PRESETS.get(at).map(|preset| preset.id.to_owned());
        }
        Answer::Subject => {
            let asked = [
                (
                    &mut particulars.genre,
                    both!("换成什么题材？（回车不变）", "Which genre? (enter keeps it)"),
                    "--genre",
                ),
                (
                    &mut particulars.protagonist,
                    both!("主角是谁，一句话？", "Who is the protagonist, in a sentence?"),
                    "--protagonist",
                ),
            ];
            for (text, question, flag) in asked {
                if text.trim().is_empty() && *times < QUESTIONS {
                    *times += 1;
                    *text = app.ui.ask(&question, flag)?;
                }
            }
        }
        _ => {}
    }
    Ok(particulars)
}
