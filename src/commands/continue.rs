//! `novel continue`: writes the next chapters.

use crate::commands::cli::value_parsers::Money;
use crate::commands::network::RemoteArgs;
use crate::commands::prelude::*;
use crate::commands::run_context::RunInputs;
use crate::commands::terminal::progress::ProseDisplay;
use crate::domain::book::checkpoint::dollars;
use crate::domain::chapter::Gate;
use crate::domain::chapter::stage::{Next, Progress, Stage};
use crate::pipeline::chapter;
use crate::pipeline::chapter::candidates::{self, CandidateChoice, CandidateOrder};
use crate::pipeline::chapter::decide::{self, InFlight, Pending, WaitReason};
use crate::pipeline::chapter::preview;
use crate::pipeline::engine::run::AheadMode;
use crate::pipeline::planning::follow;
use crate::pipeline::quality;
use crate::pipeline::{Calls, Clock, Goal, Outcome, Responder, Run};
use crate::report::decision::{CandidateList, ChapterQuestion, Conflict, LaterChapter};
use crate::store::{Identity, Session};

#[derive(Debug, Clone, clap::Args)]
pub(crate) struct ContinueArgs {
    #[arg(value_name = "COUNT", value_parser = value_parsers::count, conflicts_with_all = ["to", "volume"])]
    pub(crate) count: Option<u32>,
    #[arg(long, value_name = "CHAPTER", value_parser = value_parsers::chapter, conflicts_with = "volume")]
    pub(crate) to: Option<ChapterNo>,
    #[arg(long)]
    pub(crate) volume: bool,
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u32).range(2..=8),
        conflicts_with_all = ["count", "to", "volume", "dry_run"])]
    pub(crate) candidates: Option<u32>,
    #[arg(long, requires = "candidates")]
    pub(crate) choose: bool,
    #[arg(long, conflicts_with = "dry_run")]
    pub(crate) yes: bool,
    #[arg(long)]
    pub(crate) dry_run: bool,
    #[arg(long, value_name = "WHEN", value_parser = AheadMode::ALL.iter().map(|mode| mode.as_str()).collect::<Vec<_>>(),
        conflicts_with_all = ["candidates", "dry_run"])]
    pub(crate) ahead: Option<String>,
    #[command(flatten)]
    pub(crate) writing: WritingArgs,
}

/// The model, the budget and the display of a run.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct WritingArgs {
    #[arg(long, value_name = "AMOUNT")]
    pub(crate) budget: Option<Money>,
    #[arg(long, value_name = "DURATION", value_parser = value_parsers::duration_or_none)]
    pub(crate) retry_for: Option<Duration>,
    #[arg(long, conflicts_with_all = ["model", "provider", "revise_model"])]
    pub(crate) offline: bool,
    #[arg(long, value_name = "MODEL")]
    pub(crate) model: Option<String>,
    #[arg(long, value_name = "MODEL")]
    pub(crate) revise_model: Option<String>,
    #[arg(long, value_name = "PROVIDER")]
    pub(crate) provider: Option<String>,
    #[arg(long, conflicts_with = "no_scenes")]
    pub(crate) scenes: bool,
    #[arg(long)]
    pub(crate) no_scenes: bool,
    #[arg(long)]
    pub(crate) stream: bool,
    #[command(flatten)]
    pub(crate) remote: RemoteArgs,
}

impl WritingArgs {
    pub(crate) fn flags(&self) -> Flags {
        Flags::default()
            .with(Key::Budget, "--budget", self.budget.map(|budget| budget.to_string()))
            .with(Key::Offline, "--offline", self.offline.then(|| "true".to_owned()))
            .with(Key::Provider, "--provider", self.provider.clone())
            .with(Key::Model, "--model", self.model.clone())
            .with(Key::RetryFor, "--retry-for", self.retry_for.map(|time| format!("{}ms", time.as_millis())))
            .with(Key::ReviseModel, "--revise-model", self.revise_model.clone())
    }

    /// Whether the text is shown while it is written.
    pub(crate) fn prose(&self) -> ProseDisplay {
        if self.stream { ProseDisplay::Shown } else { ProseDisplay::Hidden }
    }

    pub(crate) fn inputs<'b>(
        &self,
        session: &'b Session<'b>,
        responder: &'b Responder,
        clock: &'b Clock,
        author: Identity,
        settings: &Settings,
    ) -> RunInputs<'b> {
        RunInputs { session, responder, clock, author, by_scenes: self.by_scenes(), budget: settings.budget() }
    }

    /// True when new chapters are written scene by scene; `None` for the book's setting.
    fn by_scenes(&self) -> Option<bool> {
        (self.scenes || self.no_scenes).then_some(self.scenes)
    }
}

/// Writes chapters until the goal is reached, one waits for the author, or something stops the run.
pub(crate) fn run(app: &mut App, args: &ContinueArgs) -> Result<Exit, Failure> {
    let book = app.book()?;
    let config = run_context::config_of(&book)?;
    let flags = args.writing.flags().with(Key::Ahead, "--ahead", args.ahead.clone());
    let (responder, settings) = app.responder(&flags, &config)?;
    if args.dry_run {
        return dry_run(app, &book, &responder, args.writing.by_scenes());
    }
    let goal = match args.to {
        Some(last) => Goal::Until(last),
        None if args.volume => Goal::Volume,
        None => Goal::Count(args.count.unwrap_or(1)),
    };
    app.streams = true;
    app.remote_args = args.writing.remote;
    // A chapter as the goal stays equal when the command is repeated.
    match goal {
        Goal::Count(count) => app.note_command(format!("continue {count}")),
        Goal::Volume => app.note_command("continue --volume"),
        Goal::Until(_) => {}
    }
    if let Some(count) = args.candidates {
        return candidates(app, args, count);
    }
    let session = app.begin(&book, "continue")?;
    let goal = resumed(app, &book, goal)?;
    let author = app.identity(&book)?;
    let Some(goal) = goal else {
        // The command may have died between its last chapter and the brief.
        run_context::run_without_model(app, &session, author, quality::write_quality_brief)?;
        return Ok(Exit::Done);
    };
    let clock = app.clock();
    // Chapters that a person reads while they are written come one after the other.
    let one_by_one = args.writing.stream && !app.ui.is_json();
    let inputs = args.writing.inputs(&session, &responder, &clock, author, &settings);
    let (outcomes, sum) = run_context::run(app, inputs, args.writing.prose(), async |run| {
        if args.yes {
            follow::keep_contract(run)?;
        }
        run.ahead.mode.set(if one_by_one { AheadMode::Off } else { settings.ahead() });
        let outcomes = chapter::run::write_chapters(run, goal).await?;
        Ok((outcomes, RunSum::of(run)))
    })?;
    if responder.asks_models() {
        sum.tell(app, &outcomes)?;
    }
    match outcomes.last() {
        Some(Outcome::Paused { .. }) => {
            show_question(app, &book)?;
            Ok(Exit::Decide)
        }
        Some(Outcome::Accepted(_)) => Ok(Exit::Done),
        None => {
            if let Some(chapter) = args.to {
                app.ui.say(&both!(is_already_written(chapter)))?;
            }
            Ok(Exit::Done)
        }
    }
}

/// The sums of a run of several chapters.
struct RunSum {
    micro_usd: u64,
    /// Drafts written ahead that went on, and that were put aside.
    ahead: (u32, u32),
}

impl RunSum {
    fn of(run: &Run<'_>) -> Self {
        Self { micro_usd: run.calls.spent_micro.get(), ahead: (run.ahead.kept.get(), run.ahead.lost.get()) }
    }

    /// Tells the sums where several chapters were accepted.
    fn tell(&self, app: &mut App, outcomes: &[Outcome]) -> Result<(), Failure> {
        let costs = outcomes.iter().filter_map(|outcome| match outcome {
            Outcome::Accepted(accepted) => Some(accepted.cost_micro_usd),
            Outcome::Paused { .. } => None,
        });
        let costs: Vec<Option<u64>> = costs.collect();
        if costs.len() < 2 {
            return Ok(());
        }
        let (count, is_known) = (costs.len(), costs.iter().all(Option::is_some));
        let cost = |lang| figures::price(is_known.then_some(self.micro_usd), lang);
        match self.ahead {
            (0, 0) => app.ui.say(&both!(lang, chapters_have_cost(count, cost = cost(lang)))),
            (kept, lost) => {
                app.ui.say(&both!(lang, chapters_have_cost_with_ahead(count, cost = cost(lang), kept, lost)))
            }
        }
    }
}

/// Writes candidates of the next chapter; the best goes on, or the author is asked.
fn candidates(app: &mut App, args: &ContinueArgs, count: u32) -> Result<Exit, Failure> {
    let book = app.book()?;
    let config = run_context::config_of(&book)?;
    let (responder, settings) = app.responder(&args.writing.flags(), &config)?;
    // A repeated command accepts a chapter only once.
    app.note_command(format!("continue --candidates {count}"));
    let session = app.begin(&book, "continue")?;
    if let Some(made) = app.resumed(&book)?
        && made.iter().any(|made| made.accepts().is_some())
    {
        app.tell_resumed(format!("continue --candidates {count}"), 1, 0)?;
        return Ok(Exit::Done);
    }
    let (author, clock) = (app.identity(&book)?, app.clock());
    let inputs = args.writing.inputs(&session, &responder, &clock, author, &settings);
    let order = CandidateOrder { count, choose: args.choose, resumes: app.resumed(&book)?.is_some() };
    let chosen = run_context::run(app, inputs, ProseDisplay::Hidden, async |run| {
        if args.yes {
            follow::keep_contract(run)?;
        }
        candidates::write_candidates(run, &order).await
    })?;
    match chosen {
        CandidateChoice::Waits(candidates) => {
            let list = CandidateList::of(&candidates);
            app.ui.event(&list, |lang, columns| list.text(lang, columns))?;
            Ok(Exit::Decide)
        }
        CandidateChoice::Went { number, outcome } => {
            if let Some(number) = number {
                app.ui.say(&both!(candidate_was_taken_others_are_kept(number)))?;
            }
            match *outcome {
                Outcome::Paused { .. } => {
                    show_question(app, &book)?;
                    Ok(Exit::Decide)
                }
                Outcome::Accepted(_) => Ok(Exit::Done),
            }
        }
    }
}

/// The rest of the goal after an interruption of the same command, otherwise the whole goal; `None` when nothing is
/// left to write.
pub(super) fn resumed(app: &mut App, book: &Book, goal: Goal) -> Result<Option<Goal>, Failure> {
    let Some(made) = app.resumed(book)? else { return Ok(Some(goal)) };
    // A chapter that the author has added meanwhile was not written for this command.
    let written = made.iter().filter(|made| made.accepts().is_some()).count();
    let done = u32::try_from(written).unwrap_or(u32::MAX);
    let view = BookView::new(book.snapshot()?);
    let next = view.checkpoint()?.next_chapter();
    let end = match goal {
        Goal::Count(count) => next.get() + count.saturating_sub(done),
        Goal::Volume => {
            let first = ChapterNo::new(next.get().saturating_sub(done)).unwrap_or(next);
            match view.plan(first)?.and_then(|(_, outline)| outline.range()) {
                Some((_, last)) => last.get() + 1,
                None => return Ok(Some(goal)),
            }
        }
        Goal::Until(last) => last.get() + 1,
    };
    let left = end.saturating_sub(next.get());
    if done > 0 {
        let words =
            if goal == Goal::Volume { "continue --volume".to_owned() } else { format!("continue {}", done + left) };
        app.tell_resumed(words, done, left)?;
    }
    Ok((left > 0).then_some(Goal::Until(ChapterNo::new(end - 1).unwrap_or(next))))
}

/// Shows the question about a paused chapter at the end of stdout.
pub(crate) fn show_question(app: &mut App, book: &Book) -> Result<(), Failure> {
    let lang = app.ui.lang();
    let Some(pending) = decide::pending(book)? else { return Ok(()) };
    if let Some(question) = super::decide::unfinished_question(&pending, lang) {
        return app.ui.event(&question, |lang, columns| question.text(lang, columns)).map(|_| ());
    }
    let Pending { chapter, title, why: WaitReason::Judged { evaluation, pause }, .. } = pending else { return Ok(()) };
    if let Some(conflict) = Conflict::of(chapter, &evaluation) {
        // For people the question has this information.
        app.ui.event(&conflict, |_, _| String::new())?;
    }
    let later = LaterChapter::of(&decide::waiting_after(book, chapter)?);
    let question = ChapterQuestion::of_pause(chapter, &title, &pause, &evaluation, lang).before(later);
    let question = question.named(app.names(book)?);
    app.ui.event(&question, |lang, columns| question.text(lang, columns)).map(|_| ())
}

/// The next call, for `--dry-run`.
#[derive(Serialize)]
struct DryRun {
    chapter: u32,
    /// The number of contracts that follow changes of plans first.
    contracts: usize,
    /// Existing results, which are not paid for again.
    reused: Vec<String>,
    next: Vec<String>,
    models: Vec<(String, String)>,
    /// Characters of the writer's prompt.
    writer_chars: u64,
    /// Estimated tokens of the writer's prompt.
    writer_tokens: u64,
    /// The largest cost of the writer's call, in millionths of a US dollar.
    #[serde(rename = "writer_cost_usd", serialize_with = "dollars::serialize")]
    writer_cost_micro_usd: Option<u64>,
    /// Later stages whose prompts do not fit their models.
    without_room: Vec<String>,
}

impl DryRun {
    fn text(&self, lang: Lang) -> String {
        let mut out = say!(lang, next_chapter_is(chapter = self.chapter));
        if self.contracts > 0 {
            out.push_str(&format!("  {}\n", say!(lang, contracts_would_follow_plans(count = self.contracts))));
        }
        if !self.reused.is_empty() {
            out.push_str(&say!(lang, there_already(list = spoken(&self.reused, lang))));
        }
        out.push_str(&say!(lang, to_do(list = spoken(&self.next, lang))));
        for (agent, model) in &self.models {
            let agent = agent.parse::<Agent>().map_or(agent.as_str(), |agent| agent.say(lang));
            out.push_str(&format!("  {agent}{}{model}\n", say!(lang, colon)));
        }
        let (chars, tokens) = (figures::count(self.writer_chars), figures::count(self.writer_tokens));
        let cost = figures::price(self.writer_cost_micro_usd, lang);
        out.push_str(&say!(lang, writers_prompt_has_characters_about_tokens(chars, tokens, cost)));
        if !self.without_room.is_empty() {
            out.push_str(&say!(lang, dry_run_has_no_room_for(list = spoken(&self.without_room, lang))));
        }
        out
    }
}

/// Names of stages and gate actions in words; a command stays.
pub(super) fn spoken(names: &[String], lang: Lang) -> String {
    let word = |name: &String| {
        let stage = name.parse::<Stage>().map(|stage| stage.say(lang));
        stage.or_else(|_| name.parse::<Gate>().map(|gate| gate.say(lang))).map_or_else(|_| name.clone(), str::to_owned)
    };
    names.iter().map(word).collect::<Vec<_>>().join(say!(lang, list_comma))
}

fn dry_run(app: &mut App, book: &Book, responder: &Responder, by_scenes: Option<bool>) -> Result<Exit, Failure> {
    let (preview::Foreseen { view, contracts, stops }, clock) = (preview::foreseen(book)?, app.clock());
    if let Some(error) = stops {
        return Err(error.into());
    }
    let config = view.config()?;
    let chapter = view.checkpoint()?.next_chapter();
    let flight = decide::in_flight(book)?;
    let names = |stages: &[Stage]| stages.iter().map(|stage| stage.to_string()).collect::<Vec<_>>();
    let by_scenes = by_scenes.unwrap_or(config.scene_mode);
    let first = if by_scenes { Stage::ScenePlan } else { Stage::Draft };
    let begun = flight.filter(|flight| flight.progress != Progress::default());
    if begun.as_ref().is_some_and(InFlight::waits) {
        show_question(app, book)?;
        return Ok(Exit::Decide);
    }
    let planned = begun.as_ref().map_or(by_scenes, |flight| flight.progress.scenes.is_some());
    let (reused, next) = match &begun {
        None => (Vec::new(), vec![first.to_string()]),
        Some(flight) => (
            names(&flight.progress.done()),
            match &flight.next {
                Next::Run(stages) => names(stages),
                Next::Accept(gate) => vec![gate.to_string()],
                Next::Wait(_) => vec!["novel decide".to_owned()],
            },
        ),
    };
    let calls = Calls::new(responder, &clock, None, |_| {});
    let prompts = preview::next_prompts(book, &view, &calls, begun.is_none().then_some(first))?;
    let model = responder.model_for(Agent::Writer, config.role(Agent::Writer));
    let request = model.request(&prompts.writer);
    let planner = planned.then_some(Agent::PlotArchitect);
    let agents = planner.into_iter().chain([Agent::Writer, Agent::Summarizer, Agent::Refiner, Agent::Judge]);
    let plan = DryRun {
        chapter: chapter.get(),
        contracts,
        reused,
        next,
        models: agents
            .map(|agent| (agent.to_string(), responder.model_for(agent, config.role(agent)).name().to_owned()))
            .collect(),
        writer_chars: request.system.chars().count() as u64 + request.prompt_text().chars().count() as u64,
        writer_tokens: prompts.writer.breakdown.tokens().into(),
        writer_cost_micro_usd: model.dearest(&request),
        without_room: prompts.without_room.iter().map(|(stage, _)| stage.to_string()).collect(),
    };
    app.ui.show(&plan, |lang, _| plan.text(lang))
}
