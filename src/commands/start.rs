//! `novel start`: leads from an idea to a planned volume, and from its last chapter to the next one.

use super::App;
use super::asking::{AskingArgs, CHAPTERS};
use super::exit::Exit;
use super::failure::Failure;
use super::values;
use super::workshop;
use crate::agents::CastRequest;
use crate::domain::VolumeNo;
use crate::domain::journey::{Answer, Asked, Move};
use crate::domain::work::Step;
use crate::pipeline::planning::{self, Done};
use crate::pipeline::{Goal, Halt, Outcome, Run, journey};
use crate::report::journey::Question;
use crate::report::lang::both;
use crate::report::plan::PlanView;
use crate::store::Book;

/// The most questions that one run asks (row R2).
const QUESTIONS: u32 = 3;

/// Go on from wherever the book stands: found it, plan it, review it
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct StartArgs {
    /// Answer the question that waits
    #[arg(long, value_name = "ANSWER", value_parser = values::one_of::<Answer>(Answer::ALL.iter().map(|a| a.as_str())))]
    pub(crate) answer: Option<Answer>,
    /// Take the recommended answer to every question, up to the next volume's plan
    #[arg(long)]
    pub(crate) yes: bool,
    /// How many chapters a volume has [default: 30]
    #[arg(long, value_name = "N", value_parser = values::count)]
    pub(crate) chapters: Option<u32>,
    /// What you want of the volume, in your words
    #[arg(long, value_name = "WISH", default_value = "", hide_default_value = true)]
    pub(crate) wish: String,
    /// A built-in style, with `--answer style`
    #[arg(long, value_name = "NAME")]
    pub(crate) style: Option<String>,
    /// Another genre, with `--answer subject`
    #[arg(long, value_name = "GENRE", default_value = "", hide_default_value = true)]
    pub(crate) genre: String,
    /// Another protagonist, with `--answer subject`
    #[arg(long, value_name = "WHO", default_value = "", hide_default_value = true)]
    pub(crate) protagonist: String,
    /// Another central conflict, with `--answer subject`
    #[arg(long, value_name = "CONFLICT", default_value = "", hide_default_value = true)]
    pub(crate) conflict: String,
    #[command(flatten)]
    pub(crate) asking: AskingArgs,
}

/// Takes move after move until the author has the word.
pub(crate) fn run(app: &mut App, args: &StartArgs) -> Result<Exit, Failure> {
    let book = app.book()?;
    // What an interrupted command left decides how far the book is.
    drop(app.begin(&book, "start")?);
    let mut given = args.answer;
    let mut asked = 0;
    // With --yes a run ends when the volume after the present one is planned, and not with the last volume of a book.
    let mut volumes = 0;
    loop {
        match journey::standing(&book)?.next() {
            Move::Decide(chapter) => {
                super::r#continue::show_question(app, &book)?;
                app.ui.say(&both!("{chapter} 等你决定: novel decide", "{chapter} waits for you: novel decide"))?;
                return Ok(Exit::Decide);
            }
            Move::Ask(question) => {
                let answer = match given.take() {
                    Some(answer) => answer,
                    None if args.yes && volumes < 2 => question.answers()[0],
                    None => match ask(app, &book, question, &mut asked)? {
                        Some(answer) => answer,
                        None => return Ok(Exit::Decide),
                    },
                };
                if !question.answers().contains(&answer) {
                    return Err(not_offered(answer, question));
                }
                if answer == Answer::Approve {
                    volumes += 1;
                }
                match carry_out(app, &book, args, question, answer)? {
                    Some(done) => told(app, &done)?,
                    None => return Ok(if answer == Answer::End { Exit::Done } else { Exit::Decide }),
                }
            }
            step => {
                if let Some(answer) = given.take()
                    && !journey::was_answered(&book, answer)?
                {
                    return Err(Failure::new(
                        Exit::No,
                        both!("现在没有在等 `{answer}` 的问题", "no question waits for `{answer}`"),
                    )
                    .hint(both!("`novel status` 看走到哪了", "`novel status` says how far the book is")));
                }
                if args.yes && volumes == 2 {
                    // The next volume is planned; it begins with the author's next command.
                    return Ok(Exit::Done);
                }
                if !take(app, &book, args, step)? {
                    return Ok(Exit::Decide);
                }
            }
        }
    }
}

/// Says what was done.
pub(super) fn told(app: &mut App, done: &Done) -> Result<(), Failure> {
    let (subject, commit) = (&done.subject, done.commit.short());
    app.ui.say(&both!("{subject}  {commit}", "{subject}  {commit}"))
}

/// Takes a move that needs nobody's word. Returns whether to go on.
fn take(app: &mut App, book: &Book, args: &StartArgs, step: Move) -> Result<bool, Failure> {
    let chapters = args.chapters.unwrap_or(CHAPTERS);
    let wish = args.wish.as_str();
    let idea = protagonist(book)?;
    let result = app.plan(book, &args.asking, "start", async |run| perform(run, step, &idea, chapters, wish).await)?;
    if let Some(done) = result.0 {
        told(app, &done)?;
    }
    Ok(result.1)
}

/// One move, and whether to go on after it.
pub(super) async fn perform(
    run: &Run<'_>,
    step: Move,
    idea: &str,
    chapters: u32,
    wish: &str,
) -> Result<(Option<Done>, bool), Halt> {
    let book = run.session.book();
    // Somebody else may have gone on since the book was looked at.
    if journey::standing(book)?.next() != step {
        return Ok((None, true));
    }
    let done = match step {
        Move::Take(Step::World) => run.world("").await?,
        Move::Take(Step::Theme) => run.theme().await?,
        Move::Take(_) => run.cast(&CastRequest::First { protagonist: idea.to_owned() }).await?,
        Move::PlanTrial => {
            let waiting = run.plan(&journey::trial_order()).await?;
            return match waiting {
                None => Ok((None, true)),
                Some(draft) => {
                    Err(Halt::FlawedPlan { volume: VolumeNo::FIRST, flaws: draft.flaws, folder: draft.folder })
                }
            };
        }
        Move::PlanVolume(volume) => {
            let order = journey::volume_order(book, volume, chapters, wish)?;
            run.plan(&order).await?;
            return Ok((None, true));
        }
        Move::Write(last) => {
            let outcomes = run.chapters(Goal::Until(last)).await?;
            return Ok((None, !matches!(outcomes.last(), Some(Outcome::Paused { .. }))));
        }
        Move::Review(volume) => run.review(volume)?,
        Move::Ask(_) | Move::Decide(_) => return Ok((None, false)),
    };
    Ok((Some(done), true))
}

/// What the author has said of the protagonist, from the brief.
pub(super) fn protagonist(book: &Book) -> Result<String, Failure> {
    let snapshot = book.snapshot()?;
    let lore = crate::pipeline::Shelf::new(&snapshot).lore()?;
    let section = lore.brief.split("## 主角").nth(1).and_then(|rest| rest.split("\n#").next()).unwrap_or_default();
    let said = section.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with("<!--"));
    Ok(said.collect::<Vec<_>>().join("，"))
}

/// Asks on a terminal; elsewhere the question is the answer of the run.
fn ask(app: &mut App, book: &Book, question: Asked, asked: &mut u32) -> Result<Option<Answer>, Failure> {
    let lang = app.ui.lang();
    if let Asked::Plan { volume, .. } = question
        && let Some(draft) = planning::drafts(book)?.into_iter().find(|draft| draft.order.volume == volume)
    {
        let view = PlanView::of(&draft, lang);
        app.ui.event(&view, |lang, columns| view.text(lang, columns))?;
        if !app.ui.can_ask() {
            return Ok(None);
        }
    }
    let shown = Question::of(question, &journey::facts(book, question)?, lang);
    if !app.ui.can_ask() || *asked >= QUESTIONS {
        app.ui.event(&shown, |lang, columns| shown.text(lang, columns))?;
        return Ok(None);
    }
    *asked += 1;
    let at = app.ui.choose(&shown.heading(lang), &shown.choices(lang), "--answer")?;
    Ok(question.answers().get(at).copied())
}

fn not_offered(answer: Answer, question: Asked) -> Failure {
    let list = question.answers().iter().map(|answer| answer.as_str()).collect::<Vec<_>>().join(", ");
    Failure::new(Exit::No, both!("现在不能答 `{answer}`", "`{answer}` is no answer to the question that waits"))
        .hint(both!("可以答 {list}", "it may be {list}"))
}

/// Does what was answered; `None` where the author has to do something first, or the book ends.
fn carry_out(
    app: &mut App,
    book: &Book,
    args: &StartArgs,
    question: Asked,
    answer: Answer,
) -> Result<Option<Done>, Failure> {
    let volume = volume_of(question);
    match answer {
        Answer::Edit => {
            app.ui.say(&both!(
                "改 staging/volumes/{volume}/ 里的文件，再 `novel plan edit`",
                "change the files in staging/volumes/{volume}/, then `novel plan edit`"
            ))?;
            return Ok(None);
        }
        Answer::End => {
            app.ui.say(&both!("全书到 {volume} 为止", "the book ends with {volume}"))?;
            return Ok(None);
        }
        _ => {}
    }
    let session = app.begin(book, "start")?;
    if journey::standing(book)?.next() != Move::Ask(question) {
        return Err(Failure::new(Exit::Busy, both!("问题已经有人答了", "the question has been answered meanwhile"))
            .hint(both!("`novel status` 看走到哪了", "`novel status` says how far the book is")));
    }
    let author = app.identity(book)?;
    let anew = Anew {
        style: args.style.as_deref(),
        genre: &args.genre,
        protagonist: &args.protagonist,
        conflict: &args.conflict,
    };
    workshop::quietly(app, &session, author, async |run| respond(run, question, answer, &anew))
}

/// What takes the place of the old where an answer begins something anew.
#[derive(Clone, Copy, Default)]
pub(super) struct Anew<'a> {
    style: Option<&'a str>,
    genre: &'a str,
    protagonist: &'a str,
    conflict: &'a str,
}

/// The transaction that an answer asks for, where it asks for one.
pub(super) fn respond(run: &Run<'_>, question: Asked, answer: Answer, anew: &Anew<'_>) -> Result<Option<Done>, Halt> {
    let volume = volume_of(question);
    match answer {
        Answer::GoOn => run.keep_trial().map(Some),
        Answer::Style => run.drop_trial(anew.style).map(Some),
        Answer::Subject => run.change_subject(anew.genre, anew.protagonist, anew.conflict).map(Some),
        Answer::Approve => run.approve_plan(volume).map(Some),
        Answer::Reject => run.reject_plan(volume).map(|_| None),
        Answer::NextVolume => run.open_volume().map(Some),
        Answer::Edit | Answer::End => Ok(None),
    }
}

/// The volume that a question is about.
fn volume_of(question: Asked) -> VolumeNo {
    match question {
        Asked::Plan { volume, .. } | Asked::Volume(volume) => volume,
        Asked::Trial => VolumeNo::FIRST,
    }
}
