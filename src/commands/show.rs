//! `novel show`: prints a chapter and its files.

use crate::commands::cli::value_parsers::Revision;
use crate::commands::log;
use crate::commands::prelude::*;
use crate::domain::chapter::stage::Stage;
use crate::domain::chapter::summary::ChapterMemory;
use crate::domain::renumbering::Renumbering;
use crate::llm::record::RecordedOutcome;
use crate::llm::{Call, Fault};
use crate::pipeline::RunError;
use crate::pipeline::book::call_log;
use crate::pipeline::book::names;
use crate::pipeline::chapter::records::ChapterPaths;
use crate::pipeline::checks::consistency;
use crate::pipeline::engine::call_record::{self, LOG};
use crate::pipeline::engine::responder::micro_usd;
use crate::report::diff::{FileStat, FilesReport};
use crate::report::evaluation::EvaluationReport;
use crate::report::facts::Remembered;
use crate::report::style::{STRONG, paint, wrapped};
use crate::report::{faults, subject};
use crate::store::format::renumber::renumbered;
use crate::store::{self, CommitId, Log, Snapshot, format, layout};

#[derive(Debug, Clone, clap::Args)]
#[command(group(clap::ArgGroup::new("what").args(["summary", "evaluation", "calls", "delta", "log"])))]
pub(crate) struct ShowArgs {
    #[arg(value_name = "VERSION")]
    pub(crate) rev: Option<Revision>,
    #[arg(long)]
    pub(crate) summary: bool,
    #[arg(long)]
    pub(crate) evaluation: bool,
    #[arg(long)]
    pub(crate) calls: bool,
    #[arg(long)]
    pub(crate) delta: bool,
    #[arg(long)]
    pub(crate) log: bool,
    #[arg(long, value_name = "STAGE", value_parser = value_parsers::stage)]
    pub(crate) stage: Option<Stage>,
}

pub(crate) fn run(app: &mut App, args: &ShowArgs) -> Result<Exit, Failure> {
    let book = app.book()?;
    let chapter = match &args.rev {
        None => book.snapshot()?.contents()?.last().ok_or(RunError::NoSuchChapter(ChapterNo::FIRST))?,
        Some(Revision::Chapter(chapter)) => *chapter,
        Some(Revision::Commit(name)) if args.calls => {
            let draft = call_log::draft_behind(&book, known(&book, name)?)?;
            return show_calls(
                app,
                &draft,
                CallsReport { chapter: None, commit: Some(name.clone()), calls: Vec::new() },
            );
        }
        Some(Revision::Commit(name)) => return show_commit(app, &book, name),
    };
    if args.calls {
        let draft = call_log::draft_of(&book, chapter)?.ok_or(RunError::NoSuchChapter(chapter))?;
        return show_calls(app, &draft, CallsReport { chapter: Some(chapter.get()), commit: None, calls: Vec::new() });
    }
    let (version, number) = match args.stage {
        Some(stage) => of_stage(&book, chapter, stage)?,
        None => (version(&book, chapter)?, chapter),
    };
    let places = places(&version, number)?;
    if args.evaluation {
        let Some(bytes) = version.read(&places.evaluation)? else {
            let commit = store::history::commits_of(&book, &[chapter].into())?.remove(&chapter);
            let was_there = commit.map(|commit| Ok::<_, Failure>(book.snapshot_of(commit.id)?.has(&places.evaluation)));
            return Err(match was_there.transpose()? {
                Some(true) => RunError::Missing { path: places.evaluation }.into(),
                _ => Failure::no(both!(chapter_was_never_judged(chapter))),
            });
        };
        let recorded =
            format::evaluation::read(&bytes).map_err(|source| RunError::Format { path: places.evaluation, source })?;
        let evaluation = recorded.evaluation.waiving(&consistency::waivers(&book)?);
        let report = EvaluationReport { evaluation, gate: recorded.gate, names: app.names(&book)? };
        return app.ui.show_paged(&report, |lang, columns| report.text(lang, columns));
    }
    // A broken memory does not keep the chapter from being shown; `status` and `doctor` report it.
    let whole = !(args.summary || args.delta || args.log);
    let remembered = if whole { version.read(&places.memory)? } else { None };
    let remembered = remembered.and_then(|bytes| format::read::<ChapterMemory>(&bytes).ok());
    let path = match (args.summary, args.delta, args.log) {
        (true, ..) => places.summary,
        (_, true, _) => places.delta,
        // While the chapter is in flight its log is only on the draft.
        (_, _, true) if version.has(&places.log) => places.log,
        (_, _, true) => LOG.to_owned(),
        _ => places.text,
    };
    let bytes = version.read(&path)?.ok_or(RunError::Missing { path: path.clone() })?;
    // The draft may be of the number that the chapter had before.
    let is = Renumbering::Move { from: number, to: chapter };
    let bytes = layout::classify(&path).map_or(bytes.clone(), |place| renumbered(&place, &bytes, is));
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let memory = remembered
        .and_then(|memory| Remembered::of(memory.entry, &names::names_by_id(&BookView::new(version.clone()))));
    let file = File { chapter: chapter.get(), path, text, memory };
    // A text for a file or another program is the chapter alone.
    let beside = file.memory.as_ref().filter(|_| app.environment.stdout_is_terminal);
    app.ui.print_paged(&file, |lang, columns| match beside {
        // The text is not wrapped, so that it can be copied.
        Some(memory) => format!("{}\n{}", file.text, wrapped(&memory.text(lang), columns)),
        None => file.text.clone(),
    })
}

/// Shows the texts of chapters, one after the other.
pub(crate) fn read(app: &mut App, book: &Book, chapters: &[ChapterNo]) -> Result<(), Failure> {
    let mut texts = Vec::new();
    for &chapter in chapters {
        let version = version(book, chapter)?;
        let path = places(&version, chapter)?.text;
        let bytes = version.read(&path)?.ok_or(RunError::Missing { path })?;
        texts.push(String::from_utf8_lossy(&bytes).into_owned());
    }
    // The text is not wrapped, so that it can be copied.
    app.ui.print_paged(&texts, |_, _| texts.join("\n")).map(|_| ())
}

#[derive(Serialize)]
struct File {
    chapter: u32,
    path: String,
    text: String,
    /// The chapter's ledger entry, beside its text.
    #[serde(skip_serializing_if = "Option::is_none")]
    memory: Option<Remembered>,
}

/// The book as of a chapter, or its draft while it is in flight.
pub(crate) fn version(book: &Book, chapter: ChapterNo) -> Result<Snapshot<'_>, Failure> {
    // The accepted line first: a chapter edited later is shown as it is now.
    let now = book.snapshot()?;
    if now.contents()?.has(chapter) {
        return Ok(now);
    }
    let draft = call_log::draft_of(book, chapter)?;
    draft.ok_or_else(|| RunError::NoSuchChapter(chapter).into())
}

/// Commits of a draft searched, more than any number of revisions makes.
const LONGEST_DRAFT: usize = 200;

/// The chapter's draft after its last commit of that stage, and the number that the chapter has there.
pub(crate) fn of_stage(book: &Book, chapter: ChapterNo, stage: Stage) -> Result<(Snapshot<'_>, ChapterNo), Failure> {
    let Some(draft) = call_log::draft_of(book, chapter)? else { return Err(RunError::NoSuchChapter(chapter).into()) };
    let line = store::history::log_from(book, draft.commit_id(), &Log { limit: LONGEST_DRAFT, ..Log::default() })?;
    let found =
        line.into_iter().find(|commit| commit.trailers.read(crate::pipeline::engine::trailer::STAGE) == Some(stage));
    let found = found.ok_or_else(|| Failure::no(both!(draft_of_has_no_stage(chapter, stage))))?;
    Ok((book.snapshot_of(found.id)?, found.trailers.chapter().unwrap_or(chapter)))
}

/// The paths of the chapter's files in that version.
pub(crate) fn places(version: &Snapshot<'_>, chapter: ChapterNo) -> Result<ChapterPaths, Failure> {
    let view = BookView::new(version.clone());
    let volume = match view.volume_of(chapter) {
        Ok(volume) => volume,
        Err(_) => view.plan(chapter)?.ok_or(RunError::NoSuchChapter(chapter))?.0,
    };
    Ok(ChapterPaths::of(volume, chapter))
}

/// A commit that is no chapter.
#[derive(Serialize)]
struct CommitReport {
    commit: String,
    kind: String,
    time: String,
    subject: String,
    author: String,
    body: String,
    trailers: Vec<(String, String)>,
    files: Vec<String>,
}

fn known(book: &Book, name: &str) -> Result<CommitId, Failure> {
    book.resolve(name)?.ok_or_else(|| RunError::NoSuchRevision { name: name.to_owned() }.into())
}

fn show_commit(app: &mut App, book: &Book, name: &str) -> Result<Exit, Failure> {
    let id = known(book, name)?;
    let transaction = book.transaction(id)?;
    let version = book.snapshot_of(id)?;
    let parent = transaction.parent.map(|parent| book.snapshot_of(parent)).transpose()?;
    let changes = parent.as_ref().map(|parent| file_changes(parent, &version)).transpose()?;
    let files = match &changes {
        Some(changes) => changes.iter().map(|file| file.path.clone()).collect(),
        None => version.files("")?,
    };
    let shown = CommitReport {
        commit: id.to_string(),
        kind: transaction.kind.to_string(),
        time: log::clock_time(transaction.time),
        subject: transaction.subject.clone(),
        author: transaction.author.to_string(),
        body: store::history::body_of(book, id)?,
        trailers: transaction.trailers.iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect(),
        files,
    };
    let changes = transaction.parent.zip(changes);
    let files = changes.map(|(parent, files)| FilesReport { old: parent.short(), new: id.short(), files });
    app.ui.show_paged(&shown, |lang, columns| {
        let mut text = format!("{}\n", paint(STRONG, &subject::of_commit(transaction.kind, &shown.subject, lang)));
        let (kind, time) = (transaction.kind.say(lang), figures::minute(&shown.time));
        text.push_str(&say!(lang, show_commit(commit = &shown.commit, time, kind, author = &shown.author)));
        if !shown.body.is_empty() {
            text.push_str(&format!("{}\n\n", shown.body));
        }
        for (name, value) in &shown.trailers {
            text.push_str(&format!("{name}: {value}\n"));
        }
        text.push('\n');
        match &files {
            Some(files) => text.push_str(&files.text(lang, columns)),
            None => text.extend(shown.files.iter().map(|path| format!("  {path}\n"))),
        }
        text
    })
}

/// The recorded calls of a chapter, or of the planning behind a commit.
#[derive(Serialize)]
struct CallsReport {
    #[serde(skip_serializing_if = "Option::is_none")]
    chapter: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    commit: Option<String>,
    calls: Vec<Call>,
}

fn show_calls(app: &mut App, draft: &Snapshot<'_>, mut report: CallsReport) -> Result<Exit, Failure> {
    let chapter = report.chapter.and_then(ChapterNo::new).map(|chapter| chapter.to_string());
    let of = chapter.or(report.commit.clone()).unwrap_or_default();
    let recorded = call_log::calls(draft)?;
    if recorded.is_empty() {
        return Err(Failure::no(both!(there_are_no_recorded_calls_of(of))));
    }
    let mut names = Vec::new();
    for (name, bytes) in recorded {
        let read = |path: &str| draft.read(path).ok().flatten();
        let call = call_record::read_call(&name, &bytes, &read)
            .map_err(|error| Failure::no(both!(call_of_cannot_be_read(name, of))).because(&*error))?;
        names.push(name);
        report.calls.push(call);
    }
    app.ui.print_paged(&report, |lang, _| {
        names.iter().zip(&report.calls).map(|(name, call)| call_text(lang, name, call)).collect()
    })
}

/// A call for people: request, reply, usage.
fn call_text(lang: Lang, name: &str, call: &Call) -> String {
    let rule = "─".repeat(60);
    let (sent, got) = (figures::count(call.usage.input_tokens), figures::count(call.usage.output_tokens));
    let cached = figures::count(call.usage.cached_tokens);
    let time = figures::duration(call.duration_ms);
    let cost = figures::price(call.cost.map(|cost| micro_usd(cost.usd)), lang);
    let (model, endpoint, attempts) = (&call.request.model, &call.endpoint, call.attempts);
    // Fractions of a second and the zone are only in `--json`.
    let started = call.started_at.get(..19).unwrap_or(&call.started_at).replace('T', " ");
    let mut out = format!("{rule}\n{name}  {model} @ {endpoint}  {started}\n");
    out.push_str(&say!(lang, show_tokens_in_cached_tokens_out(time, sent, cached, got, cost, attempts)));
    let section = |heading: &str, text: &str| say!(lang, show_section(heading, text = text.trim_end()));
    out.push_str(&section(say!(lang, show_system_prompt), &call.request.system));
    out.push_str(&section(say!(lang, show_prompt), &call.request.prompt_text()));
    for outcome in call.earlier.iter().chain([&call.outcome]) {
        match outcome {
            RecordedOutcome::Reply(reply) => out.push_str(&section(say!(lang, show_reply), &reply.text)),
            RecordedOutcome::Fault { fault: kind, message, partial } => {
                let known = Fault::of_record(kind, message, partial.as_deref());
                let why = known.map_or_else(|| format!("{kind}: {message}"), |fault| faults::of_fault(&fault, lang));
                out.push_str(&section(say!(lang, show_no_reply), why.trim_end_matches(": ")));
                if let Some(partial) = partial {
                    out.push_str(&section(say!(lang, show_text_so_far), partial));
                }
            }
        }
    }
    out.push('\n');
    out
}

/// The files in which two versions differ.
pub(super) fn file_changes(old: &Snapshot<'_>, new: &Snapshot<'_>) -> Result<Vec<FileStat>, Failure> {
    let mut files = Vec::new();
    for path in new.changed_since(old)? {
        let (before, after) = (old.read(&path)?, new.read(&path)?);
        let change = match (&before, &after) {
            (None, _) => "added",
            (_, None) => "deleted",
            _ => "modified",
        };
        let (before, after) = (before.unwrap_or_default(), after.unwrap_or_default());
        let (added_lines, deleted_lines) =
            crate::text::line_changes(&String::from_utf8_lossy(&before), &String::from_utf8_lossy(&after));
        files.push(FileStat { path, change, added_lines, deleted_lines });
    }
    Ok(files)
}
