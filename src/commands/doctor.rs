//! `novel doctor`: finds flaws of the book, and repairs them on request.

use crate::commands::judge_trial::{self, TrialArgs};
use crate::commands::prelude::*;
use crate::commands::settings::file;
use crate::commands::status::{blocked, next_command};
use crate::llm::Timeouts;
use crate::pipeline::book::rearranged;
use crate::pipeline::checks::diagnose::{self, Consent};
use crate::pipeline::checks::doctor::{self, RepositoryReport};
use crate::pipeline::recall::book_id;
use crate::pipeline::{Responder, RunError, config_now};
use crate::report::change::{ChangeReport, UndoCommand};
use crate::report::doctor::{Code, Diagnosis, DoctorFinding, Examined, Explanation, Severity};
use crate::report::findings;
use crate::report::words::Extent;
use crate::store::remote;
use crate::store::{self, Moment, OpenError, Wait};
use clap::ArgGroup;

#[derive(Debug, Clone, clap::Args)]
#[command(group = ArgGroup::new("asks").args(["repair", "judge"]).multiple(true))]
pub(crate) struct DoctorArgs {
    #[arg(long)]
    pub(crate) repair: bool,
    #[arg(long, value_name = "CHAPTER", num_args = 1.., value_parser = value_parsers::chapter, conflicts_with = "repair")]
    pub(crate) remove: Vec<ChapterNo>,
    #[arg(short, long, requires = "asks")]
    pub(crate) yes: bool,
    #[arg(long)]
    pub(crate) online: bool,
    #[arg(long)]
    pub(crate) all: bool,
    #[arg(
        long,
        value_name = "KIND",
        conflicts_with_all = ["repair", "remove", "online"],
        value_parser = value_parsers::one_of::<Code>(Code::ALL.iter().map(|code| code.as_str()))
    )]
    pub(crate) explain: Option<Code>,
    #[command(flatten)]
    pub(crate) trial: TrialArgs,
}

/// Examines the repository, then the content and the provider, with the allowed repairs.
pub(crate) fn run(app: &mut App, args: &DoctorArgs) -> Result<Exit, Failure> {
    if let Some(code) = args.explain {
        let explanation = Explanation { code, explanation: code.explanation(app.ui.lang()).to_owned() };
        return app.ui.show(&explanation, |lang, _| explanation.text(lang));
    }
    if args.trial.judge {
        return judge_trial::run(app, &args.trial, Consent::from(args.yes));
    }
    let folder = app.folder()?;
    if let Err(nowhere @ (OpenError::NoFolder(_) | OpenError::NoRepository(_))) = Book::open(&folder, wording) {
        return Err(nowhere.into());
    }
    if !args.remove.is_empty() {
        return remove(app, args.remove.iter().copied().collect());
    }
    let root = doctor::root(&folder);
    let mut report = doctor::examine_repository(&root, Moment::from(&app.environment.now()))?;
    let repair = args.repair && report.in_progress.is_none() && may_repair(app, args, &report)?;
    if repair {
        report = doctor::repair_repository(&root, report, &app.holder("doctor"), Wait::sleeping, wording)?;
    }
    let (readable, in_progress) = (report.is_readable(), report.in_progress.is_some());
    let mut findings = of_repository(app, report)?;
    let mut way_out = None;
    let mut examined = vec![Examined::Repository];
    let mut curable = findings.iter().any(|finding| !finding.repaired && finding.repair.is_some());
    if readable {
        let book = app.open(&root)?;
        // A repair would take the files of chapters that have moved for damage.
        let moved = match rearranged::by_hand(&book, ChapterNo::FIRST) {
            Ok(Some(found)) if !found.is_deletion => Some(found.refusal()),
            Err(RunError::Renumber(error)) => Some(error),
            _ => None,
        };
        if let Some(error) = moved.clone() {
            if repair {
                return Err(RunError::from(error).into());
            }
            way_out = Some(next_command(&book)?.to_owned());
        }
        if let Some(obstacle) = store::not_writable::obstacle(&book)?.filter(|_| !in_progress) {
            way_out = Some(obstacle.way_out());
            findings.push(findings::of_obstacle(&obstacle, blocked(obstacle.clone(), app.ui.lang())));
        }
        findings.extend(remote::history::is_shallow(&book).then(|| findings::of_cut_history(app.ui.lang())));
        match moved {
            // Each chapter would have the records of another.
            Some(error) => {
                let (failure, lang) = (Failure::from(RunError::from(error)), app.ui.lang());
                findings.push(findings::of_rearranged(failure.message(lang), &failure.hints(lang)));
            }
            None => {
                examined.extend([Examined::Formats, Examined::Numbering, Examined::State]);
                findings.extend(content(app, &book, repair, Consent::from(args.yes))?);
            }
        }
        curable = findings.iter().any(|finding| !finding.repaired && finding.repair.is_some());
        if let Some(found) = provider(app, &book, args.online)? {
            examined.push(Examined::Provider);
            findings.extend(found);
        }
        if let Some(found) = memory_server(app, &book, args.online)? {
            examined.push(Examined::MemoryServer);
            findings.extend(found);
        }
    }
    let well = findings.iter().all(|finding| finding.repaired || finding.severity != Severity::Problem);
    let next = match way_out {
        // Nothing can be repaired before git has the book's branch again, or before chapters have their records.
        Some(way_out) => way_out,
        // The repairs that are left need the author's word.
        None if curable && repair && !args.yes => "novel doctor --repair --yes".to_owned(),
        None if curable => "novel doctor --repair".to_owned(),
        None => "novel status".to_owned(),
    };
    let diagnosis = Diagnosis { examined, findings, next };
    app.ui.show(&diagnosis, |lang, _| diagnosis.text(lang, Extent::from(args.all)))?;
    Ok(if well { Exit::Done } else { Exit::No })
}

/// Removes chapters from the book that the author has deleted.
fn remove(app: &mut App, chapters: BTreeSet<ChapterNo>) -> Result<Exit, Failure> {
    let book = app.book()?;
    let (commit, steps) = app.write(&book, "doctor", |run| diagnose::remove_chapters(run, &chapters))?;
    let named: Vec<String> = chapters.iter().map(ChapterNo::to_string).collect();
    let named = named.join(" ");
    let lang = app.ui.lang();
    let change = ChangeReport {
        what: say!(lang, is_out_of_book(named)),
        commit: commit.into(),
        undo: Some(UndoCommand::Undo(steps)),
    };
    app.ui.show(&change, |lang, _| change.text(lang))
}

/// Permission for a repair: settings and tags need none, other programs' locks and damaged files do.
fn may_repair(app: &mut App, args: &DoctorArgs, report: &RepositoryReport) -> Result<bool, Failure> {
    if args.yes || !report.needs_consent() {
        return Ok(true);
    }
    app.ui.confirm(&both!(locks_or_damaged_objects_will_be), DefaultAnswer::No, "--repair --yes")
}

/// The findings of the repository in words, with failed repairs beside them.
fn of_repository(app: &mut App, report: RepositoryReport) -> Result<Vec<DoctorFinding>, Failure> {
    let lang = app.ui.lang();
    for error in report.failures {
        let failed = Failure::from(error);
        app.ui.warn(&Both::same(failed.unlabelled(lang).trim_end().to_owned()))?;
    }
    let said = |(finding, repaired)| {
        let said: DoctorFinding = findings::of_repository(&finding, lang);
        DoctorFinding { repaired, ..said }
    };
    let mut found: Vec<DoctorFinding> = report.findings.into_iter().map(said).collect();
    found.extend(report.lost.map(|lost| findings::of_lost_content(&lost.needed_for, lost.whole.as_ref(), lang)));
    found.extend(report.in_progress.map(|command| findings::of_unfinished(command, lang)));
    Ok(found)
}

fn content(app: &mut App, book: &Book, repair: bool, consent: Consent) -> Result<Vec<DoctorFinding>, Failure> {
    let mut moved = Vec::new();
    let found = {
        let mut repair_once = || {
            let session = app.begin_as_it_is(book, "doctor")?;
            let author = app.identity(book)?;
            moved.extend(run_context::run_without_model(app, &session, author, |run| diagnose::repair(run, consent))?);
            Ok::<(), Failure>(())
        };
        doctor::examine_content(book, consent, repair.then_some(&mut repair_once as &mut dyn FnMut() -> _))?
    };
    for (from, to) in moved {
        app.ui.say(&both!(is_now(from, to)))?;
    }
    let lang = app.ui.lang();
    let said = |(problem, repaired)| {
        let state = if repaired { findings::Repair::Made } else { findings::Repair::Open };
        findings::of_content(&problem, state, lang)
    };
    Ok(found.into_iter().map(said).collect())
}

/// The longest wait for a server.
const PATIENCE: Duration = Duration::from_secs(5);
const TIMEOUTS: Timeouts = Timeouts { connect: PATIENCE, first_byte: PATIENCE, idle: PATIENCE, total: PATIENCE };

/// Examines the provider of a book that is not offline: its settings where one is chosen, and with `online` whether it
/// answers. `None` without a provider. Findings hold no key.
fn provider(app: &mut App, book: &Book, online: bool) -> Result<Option<Vec<DoctorFinding>>, Failure> {
    let lang = app.ui.lang();
    let config = config_now(book).unwrap_or_default();
    let file = file::load(&app.environment).unwrap_or_default();
    let settings = Settings::resolve(&Flags::default(), &app.environment, &file, Some(&config));
    if settings.offline() || !(online || settings.has_provider()) {
        return Ok(None);
    }
    // The offline writer is no way out here: it has no models to examine.
    let models = match app.responder_or(&Flags::default(), &config, |failure| failure) {
        Ok((Responder::Models(models), _)) => models,
        Ok((Responder::Offline, _)) => return Ok(None),
        Err(failure) => {
            return Ok(Some(vec![findings::of_setup(failure.message(lang), &failure.hints(lang), lang)]));
        }
    };
    if !online {
        return Ok(Some(Vec::new()));
    }
    let found = run_context::block_on(diagnose::probe(*models, TIMEOUTS))?;
    Ok(Some(found.iter().map(|problem| findings::of_provider(problem, lang)).collect()))
}

/// Examines the memory server's settings, and with `online` whether it can be used. `None` without one.
fn memory_server(app: &mut App, book: &Book, online: bool) -> Result<Option<Vec<DoctorFinding>>, Failure> {
    let lang = app.ui.lang();
    let file = file::load(&app.environment).unwrap_or_default();
    let settings = Settings::resolve(&Flags::default(), &app.environment, &file, None);
    let server = match settings.memory_server(TIMEOUTS) {
        Ok(None) => return Ok(None),
        Ok(Some(server)) => server,
        Err(failure) => return Ok(Some(vec![of_memory_server(&failure, lang)])),
    };
    if !online {
        return Ok(Some(Vec::new()));
    }
    let name = book_id(book)?;
    let checked = run_context::block_on(server.check(&name))?;
    let failure = checked.err().map(Failure::from);
    Ok(Some(failure.iter().map(|failure| of_memory_server(failure, lang)).collect()))
}

fn of_memory_server(failure: &Failure, lang: Lang) -> DoctorFinding {
    findings::of_memory_server(&failure.explained(lang), &failure.hints(lang), lang)
}
