//! `novel decide`: answers the question that a paused chapter asks.

use super::App;
use super::exit::Exit;
use super::failure::Failure;
use super::values;
use super::workshop;
use crate::domain::ChapterNo;
use crate::domain::stage::Decision;
use crate::pipeline::{Halt, decide};
use crate::report::decision::Question;
use crate::report::lang::{both, say};
use crate::report::words::Words;
use serde::Serialize;

/// Show the pending decision, or decide
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct DecideArgs {
    /// What is to become of the chapter; without it the question is shown
    #[arg(value_name = "DECISION", value_parser = values::one_of::<Decision>(Decision::ALL.iter().map(|d| d.as_str())))]
    pub(crate) decision: Option<Decision>,
    /// The chapter meant, so that an answer never reaches another one
    #[arg(long, value_name = "CHAPTER", value_parser = values::chapter)]
    pub(crate) chapter: Option<ChapterNo>,
}

/// A decision that has been written down.
#[derive(Serialize)]
struct Decided {
    /// The chapter.
    chapter: u32,
    /// What was decided.
    decision: &'static str,
    /// The command to type next.
    next: &'static str,
}

/// Shows the question, or writes the answer down.
pub(crate) fn run(app: &mut App, args: &DecideArgs) -> Result<Exit, Failure> {
    let book = app.book()?;
    let Some(decision) = args.decision else {
        let pending = decide::pending(&book)?.ok_or(Halt::NothingToDecide)?;
        let lang = app.ui.lang();
        let question = Question::of_pause(pending.chapter, &pending.title, &pending.pause, &pending.evaluation, lang);
        let (path, edited) = (&pending.path, pending.edited);
        app.ui.show(&question, |lang, columns| {
            let mut text = question.text(lang, columns);
            text.push_str(&match edited {
                false => say!(
                    lang,
                    "要亲手改就改 {path}，存盘后 `novel decide edit`\n",
                    "to change it yourself, edit {path}, then `novel decide edit`\n"
                ),
                true => say!(
                    lang,
                    "{path} 里有你的改动；用它就 `novel decide edit`\n",
                    "{path} holds changes of yours; `novel decide edit` takes them\n"
                ),
            });
            text
        })?;
        return Ok(Exit::Decide);
    };
    if let Some(chapter) = args.chapter {
        let waiting = decide::pending(&book)?.ok_or(Halt::NothingToDecide)?.chapter;
        if waiting != chapter {
            return Err(Failure::new(
                Exit::No,
                both!("等着的是 {waiting}，不是 {chapter}", "{waiting} waits for a decision, and not {chapter}"),
            ));
        }
    }
    let session = app.begin(&book, "decide")?;
    let author = app.identity(&book)?;
    let chapter = workshop::quietly(app, &session, author, async |run| run.decide(decision))?;
    let decided = Decided { chapter: chapter.get(), decision: decision.as_str(), next: "novel continue" };
    app.ui.show(&decided, |lang, _| {
        let (next, decision) = (decided.next, decision.say(lang));
        say!(
            lang,
            "{chapter} 记下了：{decision}；接着 `{next}`\n",
            "{chapter}, noted: {decision}; go on with `{next}`\n"
        )
    })?;
    Ok(Exit::Done)
}
