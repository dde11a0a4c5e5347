//! `novel plan`: the plan of a volume, from draft to approval.

use crate::agents::VolumeOrder;
use crate::commands::answers;
use crate::commands::prelude::*;
use crate::domain::book::checkpoint::Phase;
use crate::domain::book::work::Work;
use crate::domain::workflow::{BookStatus, NextStep};
use crate::pipeline::RunError;
use crate::pipeline::book::names;
use crate::pipeline::chapter::wishes;
use crate::pipeline::planning::fill;
use crate::pipeline::planning::volume::{self, VolumeDraft};
use crate::pipeline::workflow::{self, VolumeWishes};
use crate::report::plan::{ApprovedPlan, PlanView};
use crate::store::{Identity, Kind, Session, Transaction};

#[derive(Debug, Clone, clap::Args)]
pub(crate) struct PlanArgs {
    #[command(subcommand)]
    pub(crate) action: Option<PlanAction>,
}

#[derive(Debug, Clone, clap::Subcommand)]
pub(crate) enum PlanAction {
    Make {
        #[arg(long, value_name = "COUNT", value_parser = value_parsers::chapters)]
        chapters: Option<u32>,
        #[arg(long, value_name = "WISH", default_value = "", hide_default_value = true)]
        wish: String,
        #[arg(long)]
        closing: bool,
        #[command(flatten)]
        asking: AskingArgs,
    },
    Fill {
        #[command(flatten)]
        asking: AskingArgs,
    },
    Show {
        #[arg(value_name = "VOLUME", value_parser = value_parsers::line)]
        volume: Option<String>,
    },
    Edit,
    Approve,
    Reject,
    Mend {
        #[command(flatten)]
        asking: AskingArgs,
    },
    Resize {
        #[arg(value_name = "COUNT", value_parser = value_parsers::chapters)]
        chapters: u32,
        #[command(flatten)]
        asking: AskingArgs,
    },
}

pub(crate) fn run(app: &mut App, args: &PlanArgs) -> Result<Exit, Failure> {
    let book = app.book()?;
    let action = args.action.as_ref().unwrap_or(&PlanAction::Show { volume: None });
    if matches!(
        action,
        PlanAction::Make { .. }
            | PlanAction::Fill { .. }
            | PlanAction::Edit
            | PlanAction::Mend { .. }
            | PlanAction::Resize { .. }
    ) {
        // An interrupted command decides whether a plan waits, and the author's latest changes decide what is planned.
        drop(begin(app, &book, "plan")?);
    }
    match action {
        PlanAction::Make { chapters, wish, closing, asking } => {
            let wanted = VolumeWishes { chapters: *chapters, wish: wish.clone(), closing: *closing };
            make(app, &book, &wanted, asking)
        }
        PlanAction::Fill { asking } => fill(app, &book, asking),
        PlanAction::Show { volume } => show_plan(app, &book, volume.as_deref()),
        PlanAction::Edit => {
            let volume = waiting(&book)?.volume;
            let draft = app.write(&book, "plan edit", |run| volume::review_plan(run, volume))?;
            tell(app, &book, &draft)
        }
        PlanAction::Approve => approve(app, &book),
        PlanAction::Reject => reject(app, &book),
        PlanAction::Mend { asking } => {
            let volume = waiting(&book)?.volume;
            let draft = app.plan(&book, asking, "plan mend", async |run| {
                let order = volume::mend_plan(run, volume)?;
                volume::plan_volume(run, &order).await
            })?;
            draft.map_or(Ok(Exit::Done), |draft| tell(app, &book, &draft))
        }
        PlanAction::Resize { chapters, asking } => {
            let volume = resizable(&book)?;
            let chapters = *chapters;
            let draft = app.plan(&book, asking, "plan resize", async |run| {
                let order = volume::resize_plan(run, volume, chapters)?;
                volume::plan_volume(run, &order).await
            })?;
            draft.map_or(Ok(Exit::Done), |draft| tell(app, &book, &draft))
        }
    }
}

/// Takes the lock, and commits the author's changes.
fn begin<'b>(app: &mut App, book: &'b Book, what: &str) -> Result<(Session<'b>, Identity), Failure> {
    let session = app.begin(book, what)?;
    let author = app.identity(book)?;
    run_context::commit_local_changes(app, &session, author.clone())?;
    Ok((session, author))
}

/// Approves the waiting plan, or reports the result of an interrupted approval.
fn approve(app: &mut App, book: &Book) -> Result<Exit, Failure> {
    app.note_command("plan approve");
    let (session, author) = begin(app, book, "plan approve")?;
    let volume = match waiting(book) {
        Ok(order) => order.volume,
        Err(failure) => {
            let before = app.resumed(book)?.unwrap_or_default();
            let is_plan = |made: &Transaction| made.kind == Kind::Plan && made.volume.is_some();
            let made = before.into_iter().rev().find(is_plan).ok_or(failure)?;
            return answers::show_done(app, &made.into());
        }
    };
    let done = run_context::run_without_model(app, &session, author, |run| volume::approve_plan(run, volume))?;
    answers::show_done(app, &done)?;
    app.ui.say(&both!(next_novel_continue))?;
    Ok(Exit::Done)
}

fn reject(app: &mut App, book: &Book) -> Result<Exit, Failure> {
    app.note_command("plan reject");
    let (session, author) = begin(app, book, "plan reject")?;
    let volume = match waiting(book) {
        Err(_) if app.resumed(book)?.is_some() => return tell_rejected_before(app),
        order => order?.volume,
    };
    let kept = run_context::run_without_model(app, &session, author, |run| volume::reject_plan(run, volume))?;
    answers::show_aside(app, Work::Plan(volume), &kept.unwrap_or_default())?;
    app.ui.say(&both!(next_after_rejected_plan))?;
    Ok(Exit::Done)
}

/// An interrupted command has already put the plan aside.
fn tell_rejected_before(app: &mut App) -> Result<Exit, Failure> {
    #[derive(Serialize)]
    struct PlanUnchanged {
        status: &'static str,
    }
    app.ui.show(&PlanUnchanged { status: "unchanged" }, |lang, _| {
        say!(lang, plan_was_put_aside_before_interruption).to_owned()
    })
}

/// The order of the existing plan, the earliest volume's first.
fn waiting(book: &Book) -> Result<VolumeOrder, Failure> {
    volume::orders(book)?.into_iter().next().ok_or_else(nothing_waits)
}

/// The volume whose plan waits, or else the approved one that still has chapters to write.
fn resizable(book: &Book) -> Result<VolumeNo, Failure> {
    if let Some(order) = volume::orders(book)?.into_iter().next() {
        return Ok(order.volume);
    }
    let is_trial = BookView::new(book.snapshot()?).checkpoint()?.phase == Phase::QuickStart;
    let approved = volume::approved(book, None)?.filter(|plan| plan.written < plan.plan.outline.sections.len());
    approved.filter(|_| !is_trial).map(|plan| plan.volume).ok_or_else(nothing_waits)
}

fn nothing_waits() -> Failure {
    Failure::no(both!(no_plan_waits_for_you)).hint(both!(novel_status_says_how_far_book_is))
}

fn make(app: &mut App, book: &Book, wanted: &VolumeWishes, asking: &AskingArgs) -> Result<Exit, Failure> {
    let view = BookView::new(book.snapshot()?);
    let is_same = |order: &VolumeOrder| -> Result<bool, Failure> {
        let words = wishes::with_words_for_plan(&view, order.first, &wanted.wish)?;
        Ok(wanted.wish.trim().is_empty() || words == order.wish)
    };
    let order = match (volume::orders(book)?.into_iter().next(), wanted.chapters) {
        (Some(VolumeOrder { volume, chapters, .. }), Some(wanted)) if wanted != chapters => {
            return Err(Failure::no(both!(plan_of_is_being_made_for(volume, chapters, wanted))));
        }
        // The order is continued; only a different wish begins again.
        (Some(order), _) if is_same(&order)? && (order.closing || !wanted.closing) => order,
        (found, chapters) => {
            let chapters = chapters.or(found.map(|order| order.chapters));
            order(book, &VolumeWishes { chapters, ..wanted.clone() })?
        }
    };
    let draft = app.plan(book, asking, "plan make", async |run| volume::plan_volume(run, &order).await)?;
    draft.map_or(Ok(Exit::Done), |draft| tell(app, book, &draft))
}

fn fill(app: &mut App, book: &Book, asking: &AskingArgs) -> Result<Exit, Failure> {
    let order = match volume::orders(book)?.into_iter().next() {
        Some(order) if order.fill => order,
        Some(VolumeOrder { volume, .. }) => {
            return Err(Failure::no(both!(plan_plan_of_waits_for_you(volume))));
        }
        None => match fill::order(book)? {
            Some(order) => order,
            None => {
                app.ui.say(&both!(no_field_of_outline_is_open))?;
                return Ok(Exit::Done);
            }
        },
    };
    let draft = app.plan(book, asking, "plan fill", async |run| volume::plan_volume(run, &order).await)?;
    draft.map_or(Ok(Exit::Done), |draft| tell(app, book, &draft))
}

fn order(book: &Book, wanted: &VolumeWishes) -> Result<VolumeOrder, Failure> {
    let standing = workflow::standing(book)?;
    let (written, planned, volume) = (standing.written, standing.planned, standing.volume);
    if let NextStep::Review(volume) = (BookStatus { proposal: None, ..standing }).next() {
        return Err(RunError::NotReviewed(volume).into());
    }
    if written < planned {
        return Err(Failure::no(both!(still_has_chapters_to_write_nothing(volume))));
    }
    Ok(workflow::new_order(book, standing.volume_to_plan(), wanted)?)
}

/// Shows the plan that waits for the author, or else the approved plan.
fn show_plan(app: &mut App, book: &Book, typed: Option<&str>) -> Result<Exit, Failure> {
    let wanted = typed.map(|typed| names::volume(book, typed)).transpose()?;
    let is_wanted = |draft: &VolumeDraft| wanted.is_none_or(|volume| draft.order.volume == volume);
    if let Some(draft) = volume::drafts(book)?.into_iter().find(is_wanted) {
        return show(app, book, &draft);
    }
    let approved = volume::approved(book, wanted)?.ok_or_else(|| match wanted {
        Some(volume) => Failure::from(RunError::NoSuchVolume(volume)),
        None => nothing_waits(),
    })?;
    let view = ApprovedPlan::of(&approved, app.names(book)?);
    app.ui.show_paged(&view, |lang, columns| view.text(lang, columns))
}

/// Shows a plan, and that it waits if it does.
fn show(app: &mut App, book: &Book, draft: &VolumeDraft) -> Result<Exit, Failure> {
    let view = PlanView::of(draft, app.names_with_plan(book, draft.order.volume)?, app.ui.lang());
    app.ui.show(&view, |lang, columns| text(&view, draft, lang, columns))?;
    Ok(if draft.waits { Exit::Decide } else { Exit::Done })
}

fn tell(app: &mut App, book: &Book, draft: &VolumeDraft) -> Result<Exit, Failure> {
    let view = PlanView::of(draft, app.names_with_plan(book, draft.order.volume)?, app.ui.lang());
    app.ui.event(&view, |lang, columns| text(&view, draft, lang, columns))?;
    Ok(if draft.waits { Exit::Decide } else { Exit::Done })
}

fn text(view: &PlanView, draft: &VolumeDraft, lang: Lang, columns: usize) -> String {
    let mut text = view.text(lang, columns);
    if !draft.waits {
        text.push_str(say!(lang, not_complete_yet_novel_plan_make));
    }
    text
}
