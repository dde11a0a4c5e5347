//! `novel hooks`: git hooks for a book, and the book's position for assistants.

use crate::commands::prelude::*;
use crate::commands::status;
use crate::pipeline::checks::commit::{self, CommitProblem, RefUpdate};
use crate::pipeline::workflow;
use crate::report::hooks::{AssistantFiles, HooksReport, advice, of_moved, of_problem};
use crate::report::question::{Due, LastChapter, PositionReport};
use crate::store::{self, AssistantFile, GitHook, HookState, InstalledHook, OpenError, Wait};
use crate::text::sentences;
use std::ffi::OsString;
use std::io::Read as _;

#[derive(Debug, Clone, clap::Args)]
pub(crate) struct HooksArgs {
    /// Action; without it the hooks are listed
    #[command(subcommand)]
    pub(crate) action: Option<HooksAction>,
}

#[derive(Debug, Clone, clap::Subcommand)]
pub(crate) enum HooksAction {
    Install(For),
    Status(For),
    Remove(For),
    Session,
    #[command(hide = true)]
    Run {
        #[arg(value_name = "HOOK")]
        hook: String,
        #[arg(value_name = "ARGS", trailing_var_arg = true, allow_hyphen_values = true)]
        args: Vec<OsString>,
    },
}

/// The choice between git and assistants.
#[derive(Debug, Clone, Default, clap::Args)]
pub(crate) struct For {
    #[arg(long)]
    pub(crate) assistant: bool,
}

pub(crate) fn run(app: &mut App, args: &HooksArgs) -> Result<Exit, Failure> {
    match args.action.as_ref().unwrap_or(&HooksAction::Status(For::default())) {
        HooksAction::Install(For { assistant: true }) => {
            let files = store::hooks::install_assistant_files(&app.book()?)?;
            show_files(app, files)
        }
        HooksAction::Status(For { assistant: true }) => {
            let files = store::hooks::assistant_files(&app.book()?)?;
            show_files(app, files)
        }
        HooksAction::Remove(For { assistant: true }) => {
            let files = store::hooks::remove_assistant_files(&app.book()?)?;
            show_files(app, files)
        }
        HooksAction::Install(_) => {
            let book = app.book()?;
            install(app, &book)?;
            show(app, &book)
        }
        HooksAction::Status(_) => {
            let book = app.book()?;
            show(app, &book)
        }
        HooksAction::Remove(_) => {
            let book = app.book()?;
            let left =
                store::hooks::remove_hooks(&book, &app.program_path()?, &app.holder("hooks"), &Wait::sleeping())?;
            tell_edited(app, &left)?;
            show(app, &book)
        }
        HooksAction::Session => session(app),
        HooksAction::Run { hook, args } => match answer(app, hook, args) {
            Ok(None) => Ok(Exit::Done),
            Ok(Some(refusal)) => Err(refusal),
            // A failed check must not cost the author a commit.
            Err(failure) => {
                app.ui.warn(&both!(lang, novel_has_not_checked_this(hook, why = failure.message(lang))))?;
                Ok(Exit::Done)
            }
        },
    }
}

/// Installs the hooks and reports special cases.
pub(super) fn install(app: &mut App, book: &Book) -> Result<(), Failure> {
    let installed = store::hooks::install_hooks(book, &app.program_path()?, &app.holder("hooks"), &Wait::sleeping())?;
    tell_edited(app, &installed)
}

fn show(app: &mut App, book: &Book) -> Result<Exit, Failure> {
    let report =
        HooksReport::of(&store::hooks::hooks_folder(book)?, store::hooks::installed(book, &app.program_path()?)?);
    app.ui.show(&report, |lang, columns| report.text(lang, columns))
}

fn show_files(app: &mut App, files: Vec<AssistantFile>) -> Result<Exit, Failure> {
    let report = AssistantFiles::of(&files);
    app.ui.show(&report, |lang, columns| report.text(lang, columns))
}

fn tell_edited(app: &mut App, hooks: &[InstalledHook]) -> Result<(), Failure> {
    for hook in hooks.iter().filter(|hook| hook.state == HookState::Edited) {
        app.ui.warn(&both!(hook_has_been_changed_by_you(hook = hook.hook)))?;
    }
    Ok(())
}

/// Runs a hook, and returns the refusal of the author's action; `None` allows it.
fn answer(app: &mut App, hook: &str, args: &[OsString]) -> Result<Option<Failure>, Failure> {
    // A later version of git or of the scripts may know more hooks.
    let Ok(hook) = hook.parse::<GitHook>() else { return Ok(None) };
    let folder = app.folder()?;
    let book = match app.open(&folder) {
        Ok(book) => book,
        Err(
            OpenError::NoFolder(_)
            | OpenError::NoRepository(_)
            | OpenError::NotABook(_)
            | OpenError::OtherBranch(..)
            | OpenError::Unfinished(_)
            | OpenError::Bare(_),
        ) => {
            return Ok(None);
        }
        Err(error) => return Err(error.into()),
    };
    // Git's own paths, relative to the folder that it runs hooks in.
    let at = |name: &str| app.environment.var(name).map(|path| folder.join(path));
    match hook {
        GitHook::PreCommit => {
            let (git_dir, index) = (at("GIT_DIR"), at("GIT_INDEX_FILE"));
            let Some(staged) = store::index_bytes::staged(&book, git_dir.as_deref(), index.as_deref())? else {
                return Ok(None);
            };
            let problems = commit::of_staged(&book, &staged)?;
            Ok(refusal(both!(this_commit_would_break_book_and), &problems, "git commit"))
        }
        GitHook::CommitMsg => {
            let Some(path) = args.first() else { return Ok(None) };
            let gone = store::index_bytes::clean_message(&book, at("GIT_DIR").as_deref(), &folder.join(path))?;
            if !gone.is_empty() {
                app.ui.warn(&both!(taken_out_of_message_because_only(gone = gone.join("; "))))?;
            }
            Ok(None)
        }
        GitHook::PostCheckout | GitHook::PostMerge | GitHook::PostRewrite => {
            tell_moved(app, &book, hook, args)?;
            Ok(None)
        }
        GitHook::PrePush => {
            let remote = args.first().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            let updates: Vec<RefUpdate> = stdin()?.lines().filter_map(update).collect();
            let problems = commit::of_push(&book, &remote, &updates)?;
            Ok(refusal(both!(nothing_was_pushed), &problems, "git push"))
        }
    }
}

fn refusal(message: Both, problems: &[CommitProblem], command: &str) -> Option<Failure> {
    if problems.is_empty() {
        return None;
    }
    let failure = Failure::no(message).causes(problems.iter().map(of_problem).collect());
    let mut hints: Vec<Both> = Vec::new();
    for advice in problems.iter().map(advice) {
        if !hints.contains(&advice) {
            hints.push(advice);
        }
    }
    hints.push(both!(to_go_without_this_check_no(command)));
    Some(hints.into_iter().fold(failure, Failure::hint))
}

fn stdin() -> Result<String, Failure> {
    let mut bytes = Vec::new();
    std::io::stdin().lock().read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// A line that git writes to `pre-push`: local ref, local id, remote ref, remote id.
fn update(line: &str) -> Option<RefUpdate> {
    let [local_ref, local, _, remote] = <[&str; 4]>::try_from(line.split(' ').collect::<Vec<_>>()).ok()?;
    let id = |text: &str| text.parse().ok().filter(|_| text.bytes().any(|byte| byte != b'0'));
    Some(RefUpdate { local_ref: local_ref.to_owned(), local: id(local), remote: id(remote) })
}

/// Reports the work left by a merge, an amend, a rebase or a checkout.
fn tell_moved(app: &mut App, book: &Book, hook: GitHook, args: &[OsString]) -> Result<(), Failure> {
    let arg = |at: usize| args.get(at).and_then(|arg| arg.to_str()).unwrap_or_default().to_owned();
    let is_of_files = hook == GitHook::PostCheckout && arg(2) != "1";
    let is_squash = hook == GitHook::PostMerge && arg(0) == "1";
    if is_of_files || is_squash || !store::index_bytes::is_at_top(book, &app.folder()?) {
        return Ok(());
    }
    if let Some(obstacle) = store::not_writable::obstacle(book)? {
        if hook == GitHook::PostCheckout {
            let failure = Failure::from(obstacle);
            app.ui.say(&in_our_name(failure.words()))?;
        }
        return Ok(());
    }
    let from = match hook {
        // A switch of branches changes nothing in the book's own.
        GitHook::PostCheckout => "HEAD".to_owned(),
        GitHook::PostRewrite if arg(0) == "amend" => {
            stdin()?.lines().last().and_then(|line| line.split(' ').next()).unwrap_or("HEAD").to_owned()
        }
        _ => "ORIG_HEAD".to_owned(),
    };
    let Some(from) = book.resolve(&from)? else { return Ok(()) };
    for line in of_moved(&commit::moved_between(book, from, book.tip()?)?) {
        app.ui.say(&in_our_name(&line))?;
    }
    Ok(())
}

/// A message with the program's name, to stand among git's own output.
fn in_our_name(message: &Both) -> Both {
    both!(lang, novel(message = message.get(lang)))
}

/// A foreshadowing counts as due so many chapters before the last one of its range.
const SOON: u32 = 3;

/// Prints the book's position. Texts with a key are left out.
fn session(app: &mut App) -> Result<Exit, Failure> {
    let book = app.book()?;
    let status = status::of_book(app, &book)?;
    let lang = app.ui.lang();
    let clean = |text: &str| match store::change::lines_with_key(&book, text.as_bytes(), &[]).is_empty() {
        true => text.to_owned(),
        false => say!(lang, holds_key_not_shown).to_owned(),
    };
    let page = workflow::last_summary(&BookView::new(book.snapshot()?)).unwrap_or_default();
    let last_chapter = page.map(|page| LastChapter {
        chapter: page.chapter,
        title: clean(&page.title),
        summary: clean(sentences(&page.text).first().map_or("", |sentence| sentence.text())),
        storyline: page.storyline.to_string(),
        storyline_status: clean(&page.line_status),
    });
    let soon = status.last_completed + SOON;
    let due = status.foreshadowing.iter().filter_map(|entry| {
        let due = entry.due.filter(|due| *due <= soon)?;
        Some(Due { id: entry.id.clone(), description: clean(&entry.description), due })
    });
    let broken = status.problems.iter().map(|trouble| clean(&format!("{}: {}", trouble.path, trouble.what)));
    let position = PositionReport {
        title: clean(&status.title),
        phase: status.phase,
        volume: status.volume.get(),
        last_completed: status.last_completed,
        last_chapter,
        inflight: status
            .inflight
            .as_ref()
            .map(|inflight| clean(&format!("{} {} {}", inflight.chapter, inflight.title, inflight.stage.say(lang)))),
        pending: status.pending.iter().map(|pending| clean(pending)).collect(),
        due: due.collect(),
        uncommitted: status.hand_edits.len(),
        problems: broken.chain(status.obstacle.iter().map(|obstacle| clean(obstacle))).collect(),
        next: status.next.clone(),
    };
    app.ui.show(&position, |lang: Lang, _| position.text(lang))
}
