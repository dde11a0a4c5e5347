//! Shared by the commands that need a book: opening it, the lock, the responder, and showing a run.

use crate::commands::after_run;
use crate::commands::prelude::*;
use crate::commands::terminal::Verbosity;
use crate::commands::terminal::progress::{self, ProgressDisplay, ProseDisplay, Received, Running};
use crate::commands::{PendingCommand, network};
use crate::domain::book::config::{BookConfig, ModelTier};
use crate::domain::book::work::{Part, Work};
use crate::llm::PriceTable;
use crate::pipeline::book::hand_edits;
use crate::pipeline::book::{damage, merged_draft, migrate};
use crate::pipeline::chapter::existing::own_texts;
use crate::pipeline::engine::clock::Clock;
use crate::pipeline::engine::run::Network;
use crate::pipeline::recall::book_id;
use crate::pipeline::sync::lease;
use crate::pipeline::{Budget, Calls, Event, Models, Responder, Run, RunError, Stop, sound_config};
use crate::report::context;
use crate::report::event::EventLine;
use crate::report::kept::{self, Interrupted};
use crate::store::{self, Closed, Holder, Identity, Moment, Session, Transaction, Wait};
use crate::text;
use std::cell::{Cell, RefCell};
use std::future::Future;
use std::time::Instant;

impl App {
    pub(crate) fn book(&self) -> Result<Book, Failure> {
        let book = self.open(&self.folder()?)?;
        let unfinished = store::recover::unfinished(&book)?;
        *self.interrupted.borrow_mut() = unfinished.map(|transaction| Interrupted::of(&transaction, self.ui.lang()));
        Ok(book)
    }

    /// Notes the command before the lock is taken, so that repeating it after an interruption acts once. Other words
    /// begin another command, and a command without words forgets the noted one.
    pub(crate) fn note_command(&mut self, words: impl Into<String>) {
        self.pending_command = Some(PendingCommand { words: words.into(), ..PendingCommand::default() });
    }

    /// The transactions of the same command before its interruption, oldest first; `None` without one.
    pub(crate) fn resumed(&self, book: &Book) -> Result<Option<Vec<Transaction>>, Failure> {
        let from = self.pending_command.as_ref().and_then(|pending_command| pending_command.resumed);
        Ok(from.map(|from| store::pending_command::log_after(book, from)).transpose()?)
    }

    /// Lets the rest of the command start afresh.
    pub(crate) fn forget_resumed(&mut self) {
        if let Some(pending_command) = &mut self.pending_command {
            pending_command.resumed = None;
        }
    }

    /// Reports the interrupted command and its progress.
    pub(crate) fn tell_resumed(&mut self, command: String, done: u32, left: u32) -> Result<(), Failure> {
        let line = EventLine::Resumed { command, done, left };
        if self.ui.is_json() && self.streams {
            return self.ui.event(&line, |_, _| String::new()).map(|_| ());
        }
        self.ui.say(&Both::same(line.text(self.ui.lang()).unwrap_or_default()))
    }

    /// The clock of the run; with a stopped clock nothing takes time.
    pub(crate) fn clock(&self) -> Clock {
        let environment = self.environment.clone();
        let begun = Instant::now();
        let stopped = environment.var("SOURCE_DATE_EPOCH").is_some();
        let millis = move || u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX);
        Clock { now: Box::new(move || environment.now()), ticks: Box::new(move || if stopped { 0 } else { millis() }) }
    }

    /// The holder of the lock, for the message to other processes.
    pub(crate) fn holder(&self, what: &str) -> Holder {
        let host = self.environment.var("HOSTNAME").or(self.environment.var("COMPUTERNAME")).unwrap_or("localhost");
        Holder { what: what.to_owned(), host: host.to_owned(), since: Moment::from(&self.environment.now()) }
    }

    /// Takes the lock. Reports repairs after an interrupted command, and restores the program's own files that the last
    /// commit lacks.
    pub(crate) fn begin<'b>(&mut self, book: &'b Book, what: &str) -> Result<Session<'b>, Failure> {
        let session = self.begin_as_it_is(book, what)?;
        let wounds = damage::wounds(book)?;
        if !wounds.is_empty() {
            let author = self.identity(book)?;
            run_without_model(self, &session, author, |run| damage::heal(run, &wounds))?;
        }
        if merged_draft::is_there(book)? {
            let author = self.identity(book)?;
            if run_without_model(self, &session, author, merged_draft::take_out_draft_files)? {
                self.ui.say(&both!(files_of_merged_draft_are_out))?;
            }
        }
        Ok(session)
    }

    /// Begins a session without restoring files of the last commit, for going back and for repairs.
    pub(crate) fn begin_as_it_is<'b>(&mut self, book: &'b Book, what: &str) -> Result<Session<'b>, Failure> {
        // Before any repair: unfinished work of a newer program is not this one's to finish.
        migrate::refuse_newer(book)?;
        let own_texts = own_texts(book).unwrap_or_default();
        let session = store::pending_command::begin(book, &self.holder(what), Wait::sleeping())?;
        self.interrupted.take();
        self.written = Some(book.root().to_owned());
        match &mut self.pending_command {
            // A later step of the same command.
            Some(pending_command) if pending_command.root.is_some() => {}
            Some(pending_command) => {
                pending_command.resumed = store::pending_command::set_out(&session, &pending_command.words)?;
                pending_command.root = Some(book.root().to_owned());
            }
            None => store::pending_command::forget_pending(&session)?,
        }
        let recovered = session.recovered();
        if let Some(transaction) = &recovered.finished {
            let lang = self.ui.lang();
            let finished = Interrupted::of(transaction, lang);
            let text = finished.finished(lang);
            match self.ui.is_json() && self.streams {
                true => {
                    let line = EventLine::Recovered { what: vec![text], finished: Some(finished) };
                    self.ui.event(&line, |_, _| String::new())?;
                }
                false => self.ui.say(&Both::same(text))?,
            }
        }
        if recovered.index {
            self.ui.say(&both!(gits_index_was_missing_and_has))?;
        }
        for (name, commit) in &recovered.salvaged {
            self.ui.warn(&both!(unfinished_commit_is_kept_as(commit = commit.short(), name)))?;
        }
        for path in &recovered.left {
            self.ui.warn(&both!(holds_changes_of_yours_and_was(path)))?;
        }
        if let Some((was, is)) = &recovered.renamed {
            self.ui.warn(&both!(text_of_draft_has_its_name_again(was, is)))?;
        }
        self.tell_drafts(&recovered.closed, &recovered.reopened)?;
        for Closed { work, kept, .. } in &recovered.closed {
            let kept = store::kept_name(kept).unwrap_or(kept);
            if let Some(own) = own_texts.iter().find(|own| own.committed && work.chapter() == Some(own.chapter)) {
                self.ui.warn(&Both::of(|lang| kept::own_text_in_place_of(own, kept, book.root(), lang)))?;
            }
        }
        Ok(session)
    }

    /// Reports drafts put aside and opened again.
    pub(crate) fn tell_drafts(&mut self, closed: &[Closed], reopened: &[Work]) -> Result<(), Failure> {
        for Closed { work, kept, .. } in closed {
            self.ui.say(&both!(draft_of_is_put_aside(work, kept = store::kept_name(kept).unwrap_or(kept))))?;
        }
        for work in reopened {
            self.ui.say(&both!(draft_of_is_open_again(work)))?;
        }
        Ok(())
    }

    /// The models, or the offline writer, which is suggested where no model is set up.
    pub(crate) fn responder(&mut self, flags: &Flags, config: &BookConfig) -> Result<(Responder, Settings), Failure> {
        let again = self.typed_with("--offline");
        self.responder_or(flags, config, |failure| failure.hint(both!(or_try_it_offline(again))))
    }

    /// `not_set_up` completes the failure of a model that is not set up.
    pub(crate) fn responder_or(
        &mut self,
        flags: &Flags,
        config: &BookConfig,
        not_set_up: impl Fn(Failure) -> Failure,
    ) -> Result<(Responder, Settings), Failure> {
        let mut settings = self.sound_settings(flags, Some(config))?;
        if settings.offline() {
            return Ok((Responder::Offline, settings));
        }
        let speaker = |agent: Option<Agent>, role: ModelTier| settings.client(agent, role).map_err(&not_set_up);
        let standard = speaker(None, ModelTier::Standard)?;
        let strong = speaker(None, ModelTier::Strong)?;
        let mut own = BTreeMap::new();
        for agent in Agent::ALL.iter().copied().filter(|agent| settings.names_model(*agent)) {
            own.insert(agent, speaker(Some(agent), ModelTier::Standard)?);
        }
        let (fallbacks, thinking) = (settings.fallbacks()?, settings.thinking());
        let prices = self.prices(&settings)?;
        settings.exchange = prices.exchange();
        let memory = settings.memory_server(settings.timeouts())?;
        Ok((
            Responder::Models(Box::new(Models { standard, strong, own, fallbacks, thinking, prices, memory })),
            settings,
        ))
    }

    pub(super) fn prices(&self, settings: &Settings) -> Result<PriceTable, Failure> {
        let at_rate = |table: PriceTable| match settings.rate() {
            Some((rate, origin)) => table.with_rate(rate, origin),
            None => table,
        };
        let table = PriceTable::shipped().clone();
        let Some(path) = &settings.prices else { return Ok(at_rate(table)) };
        let shown = path.display();
        let unreadable = || Failure::set_up(both!(price_table_cannot_be_read(shown)));
        let text = super::cli::environment::read_text(path).map_err(|error| unreadable().because(&error))?;
        let text = text.ok_or_else(unreadable)?;
        table.with_overrides(&text).map(at_rate).map_err(|error| unreadable().because(&error))
    }
}

/// The settings of the book in the folder: uncommitted changes count, because a run commits them first. A misspelt
/// setting is an error, since its limit would not hold.
pub(crate) fn config_of(book: &Book) -> Result<BookConfig, Failure> {
    Ok(sound_config(book)?)
}

pub(crate) struct Showing {
    progress: RefCell<ProgressDisplay>,
    received: RefCell<BTreeMap<Running, Received>>,
    /// The stage that has waited after an attempt that failed, and has received nothing since.
    waited: Cell<Option<Part>>,
    prose: ProseDisplay,
}

impl Showing {
    pub(crate) fn new(app: &App, prose: ProseDisplay) -> Self {
        Self { progress: RefCell::new(app.ui.progress(prose)), received: <_>::default(), waited: <_>::default(), prose }
    }

    /// Shows one event. A failure to print ends the run at its next step.
    fn tell(&self, app: &mut App, event: &Event) -> Result<(), Failure> {
        let mut progress = self.progress.borrow_mut();
        if let Event::Sync(event) = event {
            return network::tell(app, &mut progress, event);
        }
        match event {
            Event::Turn { number, of } => progress.turn(*number, *of),
            Event::StageBegun { work, part, candidate, scene, .. } => {
                let running = Running { candidate: *candidate, part: *part };
                self.received.borrow_mut().insert(running, Received::default());
                self.waited.take();
                progress.begin(*work, running, *scene);
            }
            Event::Text { part, candidate, delta } => {
                let running = Running { candidate: *candidate, part: *part };
                let mut received = self.received.borrow_mut();
                let so_far = received.entry(running).or_default();
                if self.waited.get() == Some(*part) {
                    // The next attempt writes the text from its beginning.
                    self.waited.take();
                    *so_far = Received::default();
                }
                so_far.tokens += crate::llm::estimate(delta);
                if part.writes_prose() {
                    so_far.words += text::Count::of_prose(delta).words as u64;
                }
                progress.received(running, *so_far);
                if self.prose == ProseDisplay::Shown && part.writes_prose() {
                    if app.ui.is_json() {
                        let piece = EventLine::Text { stage: *part, delta: delta.clone() };
                        return app.ui.event(&piece, |_, _| String::new()).map(|_| ());
                    }
                    progress.text(delta);
                }
            }
            Event::Waiting { part, .. } => self.waited.set(Some(*part)),
            Event::StageDone { part, candidate, log, .. } => {
                let running = Running { candidate: *candidate, part: *part };
                let words = self.received.borrow().get(&running).map_or(0, |received| received.words);
                progress.received(running, Received { tokens: log.output_tokens.unwrap_or(0), words });
                progress.end(running, log.duration_ms, log.cost_micro_usd);
            }
            _ => {}
        }
        let Some(line) = EventLine::of(event, app.ui.lang()) else { return Ok(()) };
        if let (Event::Waiting { wait, .. }, true, Some(why)) =
            (event, progress.is_live(), line.waiting_for(app.ui.lang()))
        {
            progress.wait(&why, *wait);
            return Ok(());
        }
        if line.text(app.ui.lang()).is_some() {
            progress.clear();
        }
        drop(progress);
        if app.ui.is_json() {
            return app.ui.event(&line, |_, _| String::new()).map(|_| ());
        }
        let lang = app.ui.lang();
        match line.text(lang) {
            Some(text) if line.is_answer() => app.ui.answer(&text),
            Some(text) if line.is_warning() => app.ui.warn(&Both::same(text)),
            Some(text) => app.ui.say(&Both::same(text)),
            None => {
                if let Some(text) = line.detail(lang) {
                    app.ui.detail(Verbosity::Calls, &Both::same(text))?;
                }
                match event {
                    Event::StageBegun { prompt: [system, user], .. } => {
                        app.ui.detail(Verbosity::Prompts, &Both::same(context::exactly(system, user, lang)))
                    }
                    _ => Ok(()),
                }
            }
        }
    }
}

/// The inputs of a run, which outlive it.
pub(crate) struct RunInputs<'b> {
    pub(crate) session: &'b Session<'b>,
    pub(crate) responder: &'b Responder,
    pub(crate) clock: &'b Clock,
    pub(crate) author: Identity,
    pub(crate) by_scenes: Option<bool>,
    pub(crate) budget: Option<Budget>,
}

/// Runs work that calls no model and costs nothing, showing its events.
pub(crate) fn run_without_model<T>(
    app: &mut App,
    session: &Session<'_>,
    author: Identity,
    work: impl FnOnce(&Run<'_>) -> Result<T, RunError>,
) -> Result<T, Failure> {
    run_plainly(app, (session, author, None), work)
}

/// Runs work that may use the book's remote.
pub(crate) fn run_with_remote<T>(
    app: &mut App,
    session: &Session<'_>,
    author: Identity,
    work: impl FnOnce(&Run<'_>) -> Result<T, RunError>,
) -> Result<T, Failure> {
    let network = app.network();
    run_plainly(app, (session, author, network.as_ref()), work)
}

fn run_plainly<T>(
    app: &mut App,
    (session, author, network): (&Session<'_>, Identity, Option<&Network>),
    work: impl FnOnce(&Run<'_>) -> Result<T, RunError>,
) -> Result<T, Failure> {
    let clock = app.clock();
    let watched = Watched::new(app, ProseDisplay::Hidden);
    let result = {
        let calls = watched.calls(&Responder::Offline, &clock, None);
        work(&Run { network, ..Run::new(session, calls, author) })
    };
    watched.end(Ok(result))
}

impl App {
    /// Runs with the lock; `what` names the command to others that wait.
    pub(crate) fn write<T>(
        &mut self,
        book: &Book,
        what: &str,
        work: impl FnOnce(&Run<'_>) -> Result<T, RunError>,
    ) -> Result<T, Failure> {
        let session = self.begin(book, what)?;
        let author = self.identity(book)?;
        run_without_model(self, &session, author, work)
    }
}

/// Commits the author's uncommitted changes.
pub(crate) fn commit_local_changes(app: &mut App, session: &Session<'_>, author: Identity) -> Result<(), Failure> {
    run_without_model(app, session, author, |run| hand_edits::commit_local_changes(run).map(|_| ()))
}

/// Runs work with the built-in writer, showing its events.
pub(crate) fn run_offline<T>(
    app: &mut App,
    session: &Session<'_>,
    author: Identity,
    work: impl AsyncFnOnce(&Run<'_>) -> Result<T, RunError>,
) -> Result<T, Failure> {
    let clock = app.clock();
    let responder = &Responder::Offline;
    let inputs = RunInputs { session, responder, clock: &clock, author, by_scenes: None, budget: None };
    run(app, inputs, ProseDisplay::Hidden, work)
}

/// Runs work of the pipeline in a book, showing its events: see [`Watched::wait`]. A synced book is synced around it
/// where its settings say so, and a lease taken by the work is freed at the end. An unusable memory server ends the run
/// before a model is called.
pub(crate) fn run<T>(
    app: &mut App,
    inputs: RunInputs<'_>,
    prose: ProseDisplay,
    work: impl AsyncFnOnce(&Run<'_>) -> Result<T, RunError>,
) -> Result<T, Failure> {
    let RunInputs { session, responder, clock, author, by_scenes, budget } = inputs;
    let (network, packer) = (app.network(), Some(after_run::packer(app)));
    app.ran_in = Some(session.book().root().to_owned());
    let watched = Watched::new(app, prose);
    let result = {
        let calls = watched.calls(responder, clock, budget);
        let run = Run { by_scenes, network: network.as_ref(), packer, ..Run::new(session, calls, author) };
        watched.wait(async {
            if let Some(memory) = responder.memory() {
                memory.check(&book_id(session.book())?).await?;
            }
            lease::around(&run, work(&run)).await
        })
    };
    watched.end(result)
}

/// The context of calls before there is a book.
pub(crate) fn run_calls<T>(
    app: &mut App,
    (responder, clock, budget): (&Responder, &Clock, Option<Budget>),
    work: impl AsyncFnOnce(&Calls<'_>) -> Result<T, RunError>,
) -> Result<T, Failure> {
    let watched = Watched::new(app, ProseDisplay::Hidden);
    let result = watched.wait(work(&watched.calls(responder, clock, budget)));
    watched.end(result)
}

/// Work whose events are shown, and which the user may stop.
struct Watched<'a> {
    app: RefCell<&'a mut App>,
    showing: Showing,
    stop: Stop,
    /// The failure to show an event: the output has lost its reader.
    unread: Cell<Option<Failure>>,
}

impl<'a> Watched<'a> {
    fn new(app: &'a mut App, prose: ProseDisplay) -> Self {
        let showing = Showing::new(app, prose);
        Self { app: RefCell::new(app), showing, stop: Stop::default(), unread: Cell::new(None) }
    }

    /// Calls whose events are shown.
    fn calls<'c>(&'c self, responder: &'c Responder, clock: &'c Clock, budget: Option<Budget>) -> Calls<'c> {
        let listener = |event: Event| {
            if let Err(failure) = self.showing.tell(&mut self.app.borrow_mut(), &event) {
                // The next call would be paid for in vain.
                self.stop.ask();
                self.unread.set(Some(failure));
            }
        };
        Calls { stop: self.stop.clone(), ..Calls::new(responder, clock, budget, listener) }
    }

    /// Waits until the work is done or the user stops it: the first Ctrl-C asks it to stop before the next call, the
    /// second ends it at once.
    fn wait<T>(&self, work: impl Future<Output = Result<T, RunError>>) -> Result<Result<T, RunError>, Failure> {
        let _watched = progress::ends_program();
        block_on(self.interruptible(work))?
    }

    async fn interruptible<T>(
        &self,
        work: impl Future<Output = Result<T, RunError>>,
    ) -> Result<Result<T, RunError>, Failure> {
        let mut work = std::pin::pin!(work);
        loop {
            tokio::select! {
                // Listening starts first: the work may print before its first wait, and a key may be pressed then.
                biased;
                pressed = tokio::signal::ctrl_c() => {
                    if pressed.is_err() {
                        return Ok(work.await);
                    }
                    if self.stop.ask() {
                        return Err(Failure::from(RunError::Interrupted));
                    }
                    self.showing.progress.borrow_mut().clear();
                    self.app.borrow_mut().ui.say(&both!(stopping_after_this_step_ctrl_c))?;
                }
                result = &mut work => return Ok(result),
            }
        }
    }

    fn end<T>(self, result: Result<Result<T, RunError>, Failure>) -> Result<T, Failure> {
        let result = result?;
        self.showing.progress.borrow_mut().clear();
        match (result, self.unread.take()) {
            // Work cut short because its output has no reader is not done.
            (Err(RunError::Interrupted), _) => Err(RunError::Interrupted.into()),
            (_, Some(failure)) => Err(failure),
            (result, None) => Ok(result?),
        }
    }
}

/// Waits for work that calls models.
pub(crate) fn block_on<T>(work: impl Future<Output = T>) -> Result<T, Failure> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| Failure::set_up(both!(system_lacks_resources_to_begin)).because(&error))?;
    let done = runtime.block_on(work);
    // A name lookup in progress holds a thread that the end of a runtime would wait for.
    runtime.shutdown_background();
    Ok(done)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_still_looks_up_a_name_does_not_hold_the_end_up() {
        let (end, looking) = std::sync::mpsc::channel::<()>();
        block_on(async {
            drop(tokio::task::spawn_blocking(move || looking.recv()));
            tokio::task::yield_now().await;
        })
        .unwrap();
        drop(end);
    }
}
