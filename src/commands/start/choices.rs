//! Carrying out the choices of `novel start`.

use crate::commands::prelude::*;
use crate::commands::report::{self, MetricsArgs};
use crate::commands::start::{QUESTIONS, Session, Turn, say_carried, stop};
use crate::commands::{r#continue, init};
use crate::domain::workflow::{Answer, NextStep};
use crate::pipeline::Goal;
use crate::pipeline::engine::commits::Applied;
use crate::pipeline::planning::style::Samples;
use crate::pipeline::workflow::AnswerOutcome;
use crate::store::template;

impl Session<'_> {
    pub(super) fn carry_choice(&mut self, step: NextStep, choice: Answer) -> Result<Turn, Failure> {
        match choice {
            Answer::Stop => return stop(self.app).map(Turn::End),
            Answer::LookBack => {
                let exit = report::metrics(self.app, &MetricsArgs { volume: None, all: false })?;
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
                    self.app.plan(&self.book, &self.args.asking, "start", async |run| run.chapters(goal).await)?;
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
                    Answer::Preset => run.use_style(name),
                    _ => run.defer_style(),
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
                Applied::Done(
                    self.app.plan(&self.book, &self.args.asking, "style", async |run| run.style(&samples).await)?,
                )
            }
        };
        match turned {
            Applied::Done(done) => say_carried(self.app, &AnswerOutcome::Committed(done)),
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
        let done = self.app.write(&self.book, "research", |run| run.import_research(&notes))?;
        say_carried(self.app, &AnswerOutcome::Committed(done))
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
