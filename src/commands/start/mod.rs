//! `novel start`: leads from an idea to a planned volume, and from its last chapter to the next volume.

use crate::commands::answers::{self, AnswerArgs, ShownOutcome as _};
use crate::commands::prelude::*;
use crate::commands::setup::{self, SetupArgs};
use crate::commands::start::questions::ChoicePage;
use crate::commands::{decide, init, status};
use crate::domain::workflow::{Answer, BookQuestion, BookStatus, NextStep};
use crate::pipeline::config_now;
use crate::pipeline::planning::create_book::Idea;
use crate::pipeline::workflow::{self, AnswerOutcome, VolumeWishes};
use crate::report::question::Question;
use crate::store::{OpenError, key};

mod questions;

/// The most questions of a run (row R2).
const QUESTIONS: u32 = 3;
/// The command line before an answer.
const COMMAND: &str = "novel start --answer";
/// The most volumes that a run with `--yes` plans: the present one and the next.
const VOLUMES: u32 = 2;

#[derive(Debug, Clone, clap::Args)]
pub(crate) struct StartArgs {
    #[arg(long, value_name = "ANSWER", value_parser = value_parsers::one_of::<Answer>(Answer::ALL.iter().map(|a| a.as_str())))]
    pub(crate) answer: Option<Answer>,
    #[arg(long)]
    pub(crate) yes: bool,
    #[arg(long, value_name = "COUNT", value_parser = value_parsers::chapters)]
    pub(crate) chapters: Option<u32>,
    #[arg(long, value_name = "WISH", default_value = "", hide_default_value = true)]
    pub(crate) wish: String,
    #[arg(long, value_name = "TITLE")]
    pub(crate) title: Option<String>,
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with = "style")]
    pub(crate) samples: Vec<PathBuf>,
    #[arg(long, value_name = "AUTHOR", requires = "samples", value_parser = value_parsers::line)]
    pub(crate) reference_author: Option<String>,
    #[arg(long, value_name = "FILE", num_args = 1..)]
    pub(crate) research: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) particulars: AnswerArgs,
    #[command(flatten)]
    pub(crate) asking: AskingArgs,
}

struct StartSession<'a> {
    app: &'a mut App,
    args: &'a StartArgs,
    book: Book,
    asked: u32,
    /// The answer of the command line, until it is used.
    given: Option<Answer>,
    /// True when an interrupted command has carried out the same answer.
    carried_before: bool,
    /// The last answer, which may allow further steps without a question.
    word: Option<Answer>,
    particulars: AnswerArgs,
    /// The plans approved so far. With `--yes` a run ends when the volume after the present one is planned, and not
    /// with the last volume of a book.
    volumes: u32,
}

enum Turn {
    Again,
    Answer(Answer),
    End(Exit),
}

/// Offers the next step, takes it, and repeats, until the author stops or three questions are asked. No model is called
/// before the author has chosen a step.
pub(crate) fn run(app: &mut App, args: &StartArgs) -> Result<Exit, Failure> {
    let mut asked = 0;
    let Some(book) = open_or_make(app, args, &mut asked)? else { return Ok(Exit::Decide) };
    let counts = args.answer.is_some_and(|answer| answer.chapters().is_some());
    if let Some(answer) = args.answer.filter(|answer| counts || !answer.is_choice()) {
        let AnswerArgs { style, genre, protagonist, conflict } = &args.particulars;
        let style = style.as_deref().unwrap_or_default();
        let said = [style, genre.as_str(), protagonist.as_str(), conflict.as_str()];
        let said: String = said.iter().filter(|said| !said.is_empty()).map(|said| format!(" {said}")).collect();
        app.note_command(format!("start {answer}{said}"));
    }
    // The remains of an interrupted command decide the book's progress.
    drop(app.begin(&book, "start")?);
    offer_setup(app, args, &book)?;
    // An answer with a number counts the chapters of the interrupted command; any other is over once carried out.
    let carried_before = !counts && was_carried_out(app, &book, args.answer)?;
    let particulars = args.particulars.clone();
    let given = args.answer;
    StartSession { app, args, book, asked, given, carried_before, word: None, particulars, volumes: 0 }.run()
}

/// Offers to set up a model where none is, before steps are offered that ask models.
fn offer_setup(app: &mut App, args: &StartArgs, book: &Book) -> Result<(), Failure> {
    if args.yes || args.answer.is_some() || !app.ui.can_ask() {
        return Ok(());
    }
    let config = config_now(book).unwrap_or_default();
    let settings = app.settings(&args.asking.flags(), Some(&config))?;
    if !settings.offline() && !settings.has_provider() {
        let wanted = app.ui.confirm_or_later(&both!(setup_offer), DefaultAnswer::Yes, "--offline")?;
        if wanted == Some(true) {
            setup::run(app, &SetupArgs::default())?;
        }
    }
    Ok(())
}

/// True when the same command was interrupted after carrying the answer out. Chapters chosen from here on are no part
/// of that command.
fn was_carried_out(app: &mut App, book: &Book, given: Option<Answer>) -> Result<bool, Failure> {
    let made = app.resumed(book)?.unwrap_or_default();
    app.forget_resumed();
    Ok(given.is_some() && made.iter().any(|transaction| transaction.trailers.read(key::ANSWER) == given))
}

impl StartSession<'_> {
    fn run(&mut self) -> Result<Exit, Failure> {
        loop {
            // No step comes before the choice that waits.
            if self.given.is_none() && decide::show_candidates(self.app, &self.book)? {
                return Ok(Exit::Decide);
            }
            let standing = workflow::standing(&self.book)?;
            let now = standing.next();
            let turn = match now {
                NextStep::Decide(_) => self.settle_chapter()?,
                NextStep::Ask(question) => self.turn_of_question(&standing, question)?,
                NextStep::Rest(volume) => match self.given.take() {
                    Some(answer) if workflow::answered(&self.book, answer)?.is_none() => Turn::Answer(answer),
                    _ => self.reopen(volume)?,
                },
                NextStep::Style if self.args.yes || self.says_style() => self.turn_of_style(&standing)?,
                step => self.turn_of_step(&standing, step)?,
            };
            let answer = match turn {
                Turn::Again => continue,
                Turn::End(exit) => return Ok(exit),
                Turn::Answer(answer) => answer,
            };
            if let Some(exit) = self.carry_out(now, answer)? {
                return Ok(exit);
            }
        }
    }

    /// True when a question can be asked on the terminal.
    fn may_ask(&self) -> bool {
        self.app.ui.can_ask() && self.asked < QUESTIONS
    }

    fn turn_of_question(&mut self, standing: &BookStatus, question: BookQuestion) -> Result<Turn, Failure> {
        match self.given.take() {
            // The question has come up again since.
            Some(answer) if self.carried_before => {
                self.word = Some(answer);
                return Ok(Turn::Again);
            }
            Some(answer) => return Ok(Turn::Answer(answer)),
            None if self.args.yes && self.volumes < VOLUMES => return Ok(Turn::Answer(question.answers()[0])),
            None => {}
        }
        let Some(answer) = self.ask(standing, question)? else { return Ok(Turn::End(Exit::Decide)) };
        self.ask_particulars(answer)?;
        Ok(Turn::Answer(answer))
    }

    /// Takes the style of the flags.
    fn turn_of_style(&mut self, standing: &BookStatus) -> Result<Turn, Failure> {
        let said = self.style_of_flags();
        // A choice that agrees with the flags is answered with them.
        let choices = standing.choices(standing.next());
        let choice = self.given.take_if(|answer| choices.contains(answer)).unwrap_or(said);
        self.take_style(choice)?;
        Ok(Turn::Again)
    }

    /// Takes a step that the last answer allows, or offers the choices.
    fn turn_of_step(&mut self, standing: &BookStatus, step: NextStep) -> Result<Turn, Failure> {
        let choice = match self.given.take() {
            Some(answer) if answer == Answer::More || standing.choices(step).contains(&answer) => Some(answer),
            // A repeated answer after an interruption: the steps that it allows go on.
            Some(answer)
                if answer.allows(step, standing.phase) || workflow::answered(&self.book, answer)?.is_some() =>
            {
                self.word = Some(answer);
                None
            }
            Some(answer) => return Err(not_now(answer, standing, step)),
            None => None,
        };
        if self.args.yes && self.volumes == VOLUMES {
            // The next volume is planned; it begins with the author's next command.
            return Ok(Turn::End(Exit::Done));
        }
        let allowed = self.args.yes || self.word.is_some_and(|word| word.allows(step, standing.phase));
        if choice.is_none() && allowed {
            return self.go(step);
        }
        let choice = match choice {
            Some(choice) if choice != Answer::More => choice,
            more => {
                status::refuse_broken(&self.book)?;
                let page = if more.is_some() { ChoicePage::Rest } else { ChoicePage::First };
                match self.offer(standing, step, page)? {
                    Some(choice) => choice,
                    None => return Ok(Turn::End(Exit::Decide)),
                }
            }
        };
        self.word = Some(choice);
        self.carry_choice(step, choice)
    }

    /// Carries out the answer to the waiting question. An exit code ends the run.
    fn carry_out(&mut self, now: NextStep, answer: Answer) -> Result<Option<Exit>, Failure> {
        if answer == Answer::Stop {
            return stop(self.app).map(Some);
        }
        if !answers::fits(now, answer) {
            return Err(answers::refused(answer.as_str(), now));
        }
        self.volumes += u32::from(answer == Answer::Approve);
        let carried = answers::carry_out(self.app, &self.book, &self.particulars, now, answer)?;
        self.word = Some(answer);
        tell_carried(self.app, &carried)?;
        Ok(carried.commit().is_none().then(|| carried.exit()))
    }

    fn go(&mut self, step: NextStep) -> Result<Turn, Failure> {
        let before = self.book.tip()?;
        let wanted = self.wanted();
        let (done, goes_on) = self.app.plan(&self.book, &self.args.asking, "start", async |run| {
            workflow::step::advance(run, step, &wanted).await
        })?;
        if let Some(done) = done {
            tell_carried(self.app, &AnswerOutcome::Committed(done))?;
        }
        if !goes_on {
            // A chapter waits.
            return self.settle_chapter();
        }
        if self.book.tip()? == before && workflow::standing(&self.book)?.next() == step {
            return Err(nothing_came_of(step));
        }
        Ok(Turn::Again)
    }

    /// The wishes in the flags for the next volume.
    fn wanted(&self) -> VolumeWishes {
        VolumeWishes { chapters: self.args.chapters, wish: self.args.wish.clone(), closing: false }
    }
}

/// The refusal of a choice that is not offered before that step.
fn not_now(answer: Answer, standing: &BookStatus, step: NextStep) -> Failure {
    match answer.is_choice() {
        true => answers::not_offered(answer.as_str(), &standing.choices(step)),
        false => answers::refused(answer.as_str(), step),
    }
}

fn stop(app: &mut App) -> Result<Exit, Failure> {
    app.ui.say(&both!(stopped_here_to_go_on_novel))?;
    Ok(Exit::Done)
}

fn tell_carried(app: &mut App, carried: &AnswerOutcome) -> Result<(), Failure> {
    match carried {
        AnswerOutcome::Committed(done) if app.ui.is_json() => answers::show_done(app, done).map(|_| ()),
        _ => say_carried(app, carried),
    }
}

pub(super) fn say_carried(app: &mut App, carried: &AnswerOutcome) -> Result<(), Failure> {
    if let AnswerOutcome::Aside(work, kept) = carried {
        return answers::show_aside(app, *work, kept);
    }
    let text = carried.text(app.ui.lang());
    app.ui.say(&Both::same(text))
}

/// A step that changes nothing would be repeated for ever.
fn nothing_came_of(step: NextStep) -> Failure {
    let failure = Failure::no(both!(step_has_changed_nothing_so_this));
    match step {
        NextStep::Take(Step::World) => failure.hint(both!(book_has_no_world_rules_write)),
        _ => failure.hint(both!(novel_status_says_how_far_book_is)),
    }
}

/// True when the folder that has no book is free for a new one.
pub(super) fn may_begin(error: &OpenError, dir: &Path) -> bool {
    let is_begun = matches!(error, OpenError::Unfinished(at) if at == dir);
    is_begun || matches!(error, OpenError::NoRepository(_)) && dir.is_dir() && Book::is_vacant(dir)
}

/// The book of the folder, which is made in an empty one; `None` where the idea has to be given first.
fn open_or_make(app: &mut App, args: &StartArgs, times: &mut u32) -> Result<Option<Book>, Failure> {
    let dir = app.folder()?;
    let error = match app.open(&dir) {
        Ok(book) => return Ok(Some(book)),
        Err(error) => error,
    };
    if !may_begin(&error, &dir) {
        return Err(error.into());
    }
    let AnswerArgs { genre, protagonist, conflict, style } = &args.particulars;
    let mut said = [genre.clone(), protagonist.clone(), conflict.clone()];
    let is_untold = said.iter().all(|said| said.trim().is_empty());
    if !args.yes && app.ui.can_ask() {
        app.ui.say(&both!(there_is_no_book_here_yet_one))?;
        *times += u32::from(is_untold);
        said = init::ask_idea(app, said)?;
    } else if !args.yes && is_untold {
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
    Ok(Some(app.open(&dir)?))
}

/// The subject of the question about an empty folder, without fields.
#[derive(Serialize)]
struct Nothing {}

fn new_book(app: &App) -> Question<Nothing> {
    let lang = app.ui.lang();
    let rationale = say!(lang, there_is_no_book_here_yet).to_owned();
    let command = |option: &str| match option {
        "new-book" => {
            "novel start --genre 都市悬疑 --protagonist 沈渡，不会水的摆渡人 --conflict 一张对不上的舱单".to_owned()
        }
        _ => "novel demo".to_owned(),
    };
    Question::new("new-book", vec!["new-book", "demo"], rationale, command, Nothing {})
}

fn new_book_words(option: &str, lang: Lang) -> &'static str {
    match option {
        "new-book" => say!(lang, new_book_make_book_genre_protagonist_and),
        _ => say!(lang, new_book_look_at_sample_book_first),
    }
}
