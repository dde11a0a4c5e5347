//! The questions of `novel start`, on a terminal; elsewhere a question is the answer of the run.
//! Carrying out the choices of `novel start`.

use crate::commands::metrics::{self, MetricsArgs};
use crate::commands::prelude::*;
use crate::commands::start::{COMMAND, QUESTIONS, StartSession, Turn, stop, tell_carried};
use crate::commands::{answers, r#continue, init, show};
use crate::domain::chapter::stage::Decision;
use crate::domain::workflow::{Answer, BookQuestion, BookStatus, NextStep, REOPENING, pages};
use crate::pipeline::book::estimate::{Price, Prices};
use crate::pipeline::chapter::{self, decide};
use crate::pipeline::engine::commits::Applied;
use crate::pipeline::planning::style::{self, Samples};
use crate::pipeline::planning::{review, volume};
use crate::pipeline::workflow::{self, AnswerOutcome};
use crate::pipeline::{Goal, RunError};
use crate::report::journey::{JourneyQuestion, Offer, whereabouts};
use crate::report::plan::PlanView;
use crate::report::quality::Review;
use crate::store::template;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ChoicePage {
    First,
    /// The choices after the answer `more`.
    Rest,
}

/// The end of the book, and how to continue.
#[derive(Serialize)]
struct BookEnd {
    status: &'static str,
    volume: u32,
    reopen: &'static str,
}

impl StartSession<'_> {
    /// Asks on a terminal; elsewhere the question is the answer of the run.
    pub(super) fn ask(&mut self, standing: &BookStatus, asked: BookQuestion) -> Result<Option<Answer>, Failure> {
        let lang = self.app.ui.lang();
        if let BookQuestion::Plan { volume, .. } = asked
            && let Some(draft) = volume::drafts(&self.book)?.into_iter().find(|draft| draft.order.volume == volume)
        {
            let view = PlanView::of(&draft, self.app.names_with_plan(&self.book, volume)?, lang);
            let asks = self.may_ask();
            let text = if asks { PlanView::details } else { PlanView::text };
            if !self.app.ui.is_json() {
                let position = whereabouts(&workflow::position(&self.book)?, volume, lang);
                self.app.ui.answer(&format!("{position}\n"))?;
            }
            self.app.ui.event(&view, |lang, columns| text(&view, lang, columns))?;
            if !asks {
                return Ok(None);
            }
        }
        let prices = self.prices(standing, asked.answers())?;
        let question = answers::question(self.app, &self.book, asked, prices, COMMAND)?;
        if !self.may_ask() {
            self.app.ui.event(&question, |lang, columns| question.text(lang, columns))?;
            return Ok(None);
        }
        self.asked += 1;
        if !matches!(asked, BookQuestion::Plan { .. }) {
            self.app.ui.answer(&format!("{}\n", question.position(lang)))?;
        }
        self.app.ui.answer(&question.details(lang))?;
        let reading = question.reading(lang).map(|(words, _)| words);
        let answers: Vec<String> = question.answers(lang).into_iter().chain(reading).collect();
        loop {
            let at = self.app.ui.choose(&question.heading(lang), &answers, "--answer")?;
            match asked.answers().get(at) {
                Some(answer) => return Ok(Some(*answer)),
                None => self.read(asked)?,
            }
        }
    }

    /// Shows the trial chapters, or the review.
    fn read(&mut self, asked: BookQuestion) -> Result<(), Failure> {
        let volume = asked.volume();
        if asked == BookQuestion::Trial {
            let chapters: Vec<ChapterNo> =
                self.book.snapshot()?.contents()?.iter().map(|(chapter, _)| chapter).collect();
            return show::read(self.app, &self.book, &chapters);
        }
        let reviewed = review::reviewed(&self.book, volume)?.ok_or(RunError::NoSuchVolume(volume))?;
        let review = Review::of(&reviewed, None);
        self.app.ui.show_paged(&review, |_, _| review.text()).map(|_| ())
    }

    /// Asks for details of the answer that no flag gives, as long as questions are left. An empty reply changes
    /// nothing.
    pub(super) fn ask_particulars(&mut self, answer: Answer) -> Result<(), Failure> {
        let lang = self.app.ui.lang();
        self.particulars = self.args.particulars.clone();
        match answer {
            Answer::Style if self.particulars.style.is_none() && self.asked < QUESTIONS => {
                self.asked += 1;
                let names = template::PRESETS.iter().map(|preset| format!("{} ({})", preset.name, preset.id));
                let same = say!(lang, present_one_once_more).to_owned();
                let names: Vec<String> = names.chain([same]).collect();
                let at = self.app.ui.choose(say!(lang, which_style), &names, "--style")?;
                self.particulars.style = template::PRESETS.get(at).map(|preset| preset.id.to_owned());
            }
            Answer::Subject => {
                let asked = [
                    (&mut self.particulars.genre, both!(which_genre_enter_keeps_it), "--genre"),
                    (&mut self.particulars.protagonist, both!(who_is_protagonist_in_sentence), "--protagonist"),
                ];
                for (text, question, flag) in asked {
                    if text.trim().is_empty() && self.asked < QUESTIONS {
                        self.asked += 1;
                        *text = self.app.ui.ask(&question, flag)?;
                    }
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Offers choices on a terminal; elsewhere the offer is the answer of the run.
    pub(super) fn offer(
        &mut self,
        standing: &BookStatus,
        step: NextStep,
        page: ChoicePage,
    ) -> Result<Option<Answer>, Failure> {
        let (lang, position) = (self.app.ui.lang(), workflow::position(&self.book)?);
        let (first, rest) = pages(&standing.choices(step));
        let mut choices = if page == ChoicePage::Rest && !rest.is_empty() { rest.clone() } else { first };
        loop {
            let prices = self.prices(standing, &choices)?;
            let chapters = self.length(standing)?;
            let preset = template::preset_for(&run_context::config_of(&self.book)?.genre).name;
            let offer = Offer { step, choices: choices.clone(), prices, chapters, preset };
            let question = JourneyQuestion::offer(&offer, &position, COMMAND, lang);
            if !self.may_ask() {
                self.app.ui.event(&question, |lang, columns| question.text(lang, columns))?;
                return Ok(None);
            }
            self.asked += 1;
            self.app.ui.answer(&format!("{}\n", question.position(lang)))?;
            let at = self.app.ui.choose(&question.heading(lang), &question.answers(lang), "--answer")?;
            match choices.get(at) {
                Some(Answer::More) => choices = rest.clone(),
                choice => return Ok(choice.copied()),
            }
        }
    }

    /// Asks about the waiting chapter on a terminal; elsewhere the question is the answer of the run. Returns whether
    /// it was answered.
    pub(super) fn settle_chapter(&mut self) -> Result<Turn, Failure> {
        let Some(pending) = decide::pending(&self.book)? else { return Ok(Turn::End(Exit::Decide)) };
        r#continue::show_question(self.app, &self.book)?;
        let (chapter, path) = (pending.chapter, &pending.path);
        if !self.may_ask() {
            self.app.ui.say(&both!(waits_for_you_novel_decide(chapter)))?;
            return Ok(Turn::End(Exit::Decide));
        }
        self.asked += 1;
        let lang = self.app.ui.lang();
        let options: Vec<String> = pending.why.options().iter().map(|option| option.say(lang).to_owned()).collect();
        let at = self.app.ui.choose(&say!(lang, questions_what_about(chapter)), &options, "novel decide")?;
        let Some(&decision) = pending.why.options().get(at) else { return Ok(Turn::End(Exit::Decide)) };
        if decision == Decision::Edit && !pending.edited {
            self.app.ui.say(&both!(change_save_it_then_novel_continue(path)))?;
            return Ok(Turn::End(Exit::Decide));
        }
        self.app.write(&self.book, "decide", |run| decide::record_decision(run, decision))?;
        Ok(Turn::Again)
    }

    /// Reports the end of the book, and on a terminal asks whether to continue it.
    pub(super) fn reopen(&mut self, volume: VolumeNo) -> Result<Turn, Failure> {
        let ended = BookEnd { status: "ended", volume: volume.get(), reopen: "novel start --answer next-volume" };
        self.app
            .ui
            .event(&ended, |lang, _| say!(lang, book_is_complete_and_ends_with_to(volume, reopen = ended.reopen)))?;
        if self.args.yes || !self.may_ask() {
            return Ok(Turn::End(Exit::Done));
        }
        self.asked += 1;
        let lang = self.app.ui.lang();
        let answers: Vec<Answer> = [Answer::Stop].into_iter().chain(REOPENING.iter().copied()).collect();
        let words: Vec<String> = answers.iter().map(|answer| answer.say(lang).to_owned()).collect();
        let at = self.app.ui.choose(say!(lang, book_is_complete_what_now), &words, "--answer")?;
        Ok(answers.get(at).map_or(Turn::End(Exit::Done), |answer| Turn::Answer(*answer)))
    }

    /// The likely cost of each answer, in order; unknown while no model is set up.
    fn prices(&mut self, standing: &BookStatus, answers: &[Answer]) -> Result<Vec<Option<Price>>, Failure> {
        let config = run_context::config_of(&self.book)?;
        let responder = match self.app.responder(&self.args.asking.flags(), &config) {
            Ok((responder, _)) => Some(responder),
            Err(failure) if failure.exit() == Exit::NotSetUp => None,
            Err(failure) => return Err(failure),
        };
        let prices = Prices::of(&BookView::new(self.book.snapshot()?), responder.as_ref())?;
        let (now, chapters) = (standing.next(), self.length(standing)?);
        Ok(answers.iter().map(|answer| prices.of_answer(*answer, standing, now, chapters)).collect())
    }

    fn length(&self, standing: &BookStatus) -> Result<u32, Failure> {
        Ok(workflow::planned_length(&self.book, standing.volume_to_plan(), &self.wanted())?)
    }
}

impl StartSession<'_> {
    pub(super) fn carry_choice(&mut self, step: NextStep, choice: Answer) -> Result<Turn, Failure> {
        match choice {
            Answer::Stop => return stop(self.app).map(Turn::End),
            Answer::LookBack => {
                let exit = metrics::run(self.app, &MetricsArgs { volume: None, all: false })?;
                // On a terminal the question comes again below the figures.
                return Ok(if self.app.ui.can_ask() { Turn::Again } else { Turn::End(exit) });
            }
            Answer::Research => self.import()?,
            Answer::Preset | Answer::Samples | Answer::Reference | Answer::ExtractLater => {
                self.take_style(choice)?;
            }
            _ => match choice.chapters() {
                Some(chapters) => {
                    let goal = r#continue::resumed(self.app, &self.book, Goal::Count(chapters))?;
                    // Chapters chosen after these are others.
                    self.app.forget_resumed();
                    let Some(goal) = goal else { return Ok(Turn::Again) };
                    self.app.plan(&self.book, &self.args.asking, "start", async |run| {
                        chapter::run::write_chapters(run, goal).await
                    })?;
                }
                None => return self.go(step),
            },
        }
        Ok(Turn::Again)
    }

    /// True when flags give a style.
    pub(super) fn says_style(&self) -> bool {
        self.args.particulars.style.is_some() || !self.args.samples.is_empty()
    }

    /// The choice of a style by the flags.
    pub(super) fn style_of_flags(&self) -> Answer {
        match (self.args.samples.is_empty(), &self.args.reference_author) {
            (true, _) => Answer::Preset,
            (false, None) => Answer::Samples,
            (false, Some(_)) => Answer::Reference,
        }
    }

    /// Gives the book the chosen style.
    pub(super) fn take_style(&mut self, choice: Answer) -> Result<(), Failure> {
        let turned = match choice {
            Answer::Preset | Answer::ExtractLater => {
                let fits = template::preset_for(&run_context::config_of(&self.book)?.genre).id;
                let name = self.args.particulars.style.as_deref().unwrap_or(fits);
                self.app.write(&self.book, "style", |run| match choice {
                    Answer::Preset => style::use_style(run, name),
                    _ => style::defer_style(run),
                })?
            }
            _ => {
                let question = both!(paths_of_samples_plain_text_separated);
                let paths = self.paths(&self.args.samples, &question, "--samples")?;
                let author = match &self.args.reference_author {
                    None if choice == Answer::Reference => {
                        Some(self.line(&both!(whose_text_it_is), "--reference-author")?)
                    }
                    given => given.clone(),
                };
                let texts =
                    paths.iter().map(|path| init::read(self.app, path)).collect::<Result<Vec<String>, Failure>>()?;
                let samples = Samples::given(texts, author.as_deref());
                Applied::Done(self.app.plan(&self.book, &self.args.asking, "style", async |run| {
                    style::learn_style(run, &samples).await
                })?)
            }
        };
        match turned {
            Applied::Done(done) => tell_carried(self.app, &AnswerOutcome::Committed(done)),
            Applied::Already => Ok(()),
        }
    }

    /// Takes the author's notes into the book.
    fn import(&mut self) -> Result<(), Failure> {
        let question = both!(paths_of_notes_plain_text_separated);
        let mut notes = Vec::new();
        for path in self.paths(&self.args.research, &question, "--research")? {
            let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
            // Planners read Markdown files.
            notes.push((format!("{stem}.md"), init::read(self.app, &path)?));
        }
        let done = self.app.write(&self.book, "research", |run| workflow::step::import_research(run, &notes))?;
        tell_carried(self.app, &AnswerOutcome::Committed(done))
    }

    /// Paths of the author's files: those of the flag, or asked for.
    fn paths(&mut self, given: &[PathBuf], question: &Both, flag: &str) -> Result<Vec<PathBuf>, Failure> {
        if !given.is_empty() {
            return Ok(given.to_vec());
        }
        let said = self.line(question, flag)?;
        // An existing path with spaces is one path.
        let whole = Path::new(said.trim());
        if self.app.typed(whole).is_file() {
            return Ok(vec![whole.to_owned()]);
        }
        Ok(said.split_whitespace().map(PathBuf::from).collect())
    }

    /// Asks for a line of text. With no question left, or without a terminal, the failure names the flag.
    fn line(&mut self, question: &Both, flag: &str) -> Result<String, Failure> {
        if self.asked >= QUESTIONS {
            let message = both!(lang, one_more_thing_is_needed(question = question.get(lang)));
            return Err(Failure::decide(message).hint(both!(give_it_with_and_run_again(flag))));
        }
        let said = self.app.ui.ask(question, flag)?;
        self.asked += 1;
        match said.trim() {
            "" => Err(Failure::decide(both!(nothing_was_answered_nothing_has_changed))),
            said => Ok(said.to_owned()),
        }
    }
}
