//! `novel start`: leads from an idea to a planned volume, and from its last chapter to the next one.

use super::App;
use super::answering::{self, Carried, Particulars};
use super::asking::AskingArgs;
use super::exit::Exit;
use super::failure::Failure;
use super::values;
use crate::agents::CastRequest;
use crate::domain::VolumeNo;
use crate::domain::journey::{Answer, Asked, Move};
use crate::domain::work::Step;
use crate::pipeline::journey::{self, Wanted};
use crate::pipeline::planning::{self, Done};
use crate::pipeline::{Goal, Halt, Outcome, Run};
use crate::report::Both;
use crate::report::lang::{both, say};
use crate::report::plan::PlanView;
use crate::store::{Book, template};
use serde::Serialize;

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
    /// How many chapters a volume has [default: 30; the last one, as many as its end needs]
    #[arg(long, value_name = "N", value_parser = values::chapters)]
    pub(crate) chapters: Option<u32>,
    /// What you want of the volume, in your words
    #[arg(long, value_name = "WISH", default_value = "", hide_default_value = true)]
    pub(crate) wish: String,
    #[command(flatten)]
    pub(crate) particulars: Particulars,
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
    let mut particulars = args.particulars.clone();
    loop {
        let now = journey::standing(&book)?.next();
        let answer = match now {
            Move::Decide(chapter) => {
                super::r#continue::show_question(app, &book)?;
                app.ui.say(&both!("{chapter} 等你决定: novel decide", "{chapter} waits for you: novel decide"))?;
                return Ok(Exit::Decide);
            }
            Move::Ask(question) => match given.take() {
                Some(answer) => answer,
                None if args.yes && volumes < 2 => question.answers()[0],
                None => match ask(app, &book, question, &mut asked)? {
                    Some(answer) => {
                        particulars = ask_particulars(app, &args.particulars, answer, &mut asked)?;
                        answer
                    }
                    None => return Ok(Exit::Decide),
                },
            },
            Move::Rest(volume) => match given.take() {
                Some(answer) if journey::answered(&book, answer)?.is_none() => answer,
                _ => return rest(app, volume),
            },
            step => {
                if let Some(answer) = given.take()
                    && journey::answered(&book, answer)?.is_none()
                {
                    return Err(answering::refused(answer.as_str(), now));
                }
                if args.yes && volumes == 2 {
                    // The next volume is planned; it begins with the author's next command.
                    return Ok(Exit::Done);
                }
                let before = book.tip()?;
                if !take(app, &book, args, step)? {
                    return Ok(Exit::Decide);
                }
                if book.tip()? == before && journey::standing(&book)?.next() == now {
                    return Err(nothing_came_of(step));
                }
                continue;
            }
        };
        if !answering::fits(now, answer) {
            return Err(answering::refused(answer.as_str(), now));
        }
        volumes += u32::from(answer == Answer::Approve);
        let carried = answering::carry_out(app, &book, &particulars, now, answer)?;
        say_carried(app, &carried)?;
        if carried.commit().is_none() {
            return Ok(carried.exit());
        }
    }
}

pub(super) fn say_carried(app: &mut App, carried: &Carried) -> Result<(), Failure> {
    if let Carried::Aside(volume, kept) = carried {
        return answering::show_aside(app, *volume, kept);
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

fn rest(app: &mut App, volume: VolumeNo) -> Result<Exit, Failure> {
    let ended = Ended { status: "ended", volume: volume.get(), reopen: "novel start --answer next-volume" };
    app.ui.event(&ended, |lang, _| {
        let reopen = ended.reopen;
        say!(
            lang,
            "全书完，到 {volume} 为止；要接着写: {reopen}\n",
            "the book is complete and ends with {volume}; to go on all the same: {reopen}\n"
        )
    })?;
    Ok(Exit::Done)
}

/// A step that leaves the book where it was would be taken for ever.
fn nothing_came_of(step: Move) -> Failure {
    let failure = Failure::new(
        Exit::No,
        both!("这一步没有改动书，停下了", "the step has changed nothing, so this is where it ends"),
    );
    match step {
        Move::Take(Step::World) => failure.hint(both!(
            "书里还没有世界规则：写进 world/rules.json，或换句话说: `novel world update 要什么`",
            "the book has no world rules: write some into world/rules.json, or ask in other words: `novel world update WISH`"
        )),
        _ => failure.hint(both!("`novel status` 看走到哪了", "`novel status` says how far the book is")),
    }
}

/// Takes a move that needs nobody's word. Returns whether to go on.
fn take(app: &mut App, book: &Book, args: &StartArgs, step: Move) -> Result<bool, Failure> {
    let wanted = Wanted { chapters: args.chapters, wish: args.wish.clone(), closing: false };
    let idea = protagonist(book)?;
    let (done, goes_on) =
        app.plan(book, &args.asking, "start", async |run| perform(run, step, &idea, &wanted).await)?;
    if let Some(done) = done {
        say_carried(app, &Carried::Committed(done))?;
    }
    Ok(goes_on)
}

/// One move, and whether to go on after it.
pub(super) async fn perform(
    run: &Run<'_>,
    step: Move,
    idea: &str,
    wanted: &Wanted,
) -> Result<(Option<Done>, bool), Halt> {
    let book = run.session.book();
    run.adopt()?;
    // Somebody else may have gone on since the book was looked at, or the author's own files say more now.
    if journey::standing(book)?.next() != step {
        return Ok((None, true));
    }
    let done = match step {
        Move::Take(Step::World) => run.world("", false).await?,
        Move::Take(Step::Theme) => run.theme(false).await?,
        Move::Take(_) => run.cast(&CastRequest::First { protagonist: idea.to_owned() }, false).await?,
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
            let order = journey::volume_order(book, volume, wanted)?;
            run.plan(&order).await?;
            return Ok((None, true));
        }
        Move::Write(last) => {
            let outcomes = run.chapters(Goal::Until(last)).await?;
            return Ok((None, !matches!(outcomes.last(), Some(Outcome::Paused { .. }))));
        }
        Move::Review(volume) => run.review(volume, false).await?,
        Move::Ask(_) | Move::Decide(_) | Move::Rest(_) => return Ok((None, false)),
    };
    Ok((Some(done), true))
}

/// What the author has said of the protagonist, from the brief.
pub(super) fn protagonist(book: &Book) -> Result<String, Failure> {
    let snapshot = book.snapshot()?;
    let lore = crate::pipeline::Shelf::new(&snapshot).lore()?;
    Ok(journey::said_under(&lore.brief, "## 主角").join("，"))
}

/// Asks on a terminal; elsewhere the question is the answer of the run.
fn ask(app: &mut App, book: &Book, asked: Asked, times: &mut u32) -> Result<Option<Answer>, Failure> {
    let lang = app.ui.lang();
    if let Asked::Plan { volume, .. } = asked
        && let Some(draft) = planning::drafts(book)?.into_iter().find(|draft| draft.order.volume == volume)
    {
        let view = PlanView::of(&draft, lang);
        let asks = app.ui.can_ask() && *times < QUESTIONS;
        let text = if asks { PlanView::details } else { PlanView::text };
        app.ui.event(&view, |lang, columns| text(&view, lang, columns))?;
        if !asks {
            return Ok(None);
        }
    }
    let question = answering::question(app, book, asked, "novel start --answer")?;
    if !app.ui.can_ask() || *times >= QUESTIONS {
        app.ui.event(&question, |lang, columns| question.text(lang, columns))?;
        return Ok(None);
    }
    *times += 1;
    app.ui.answer(&question.details(lang))?;
    let at = app.ui.choose(&question.heading(lang), &question.answers(lang), "--answer")?;
    Ok(asked.answers().get(at).copied())
}

/// What belongs to the answer, as far as no flag has said it and questions are left. Nothing said leaves it as it is.
fn ask_particulars(
    app: &mut App,
    given: &Particulars,
    answer: Answer,
    times: &mut u32,
) -> Result<Particulars, Failure> {
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
