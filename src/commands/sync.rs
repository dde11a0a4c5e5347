//! `novel sync`: brings this copy of the book and another one together.
//! `novel clone`: a copy of a book, ready for writing.

use crate::commands::network;
use crate::commands::prelude::*;
use crate::commands::terminal::progress::{ProgressDisplay, ProseDisplay};
use crate::pipeline::sync::conflict::{SyncEvent, Take};
use crate::pipeline::sync::exchange::{self, SyncRequest};
use crate::pipeline::sync::lease;
use crate::report::sync::SyncReport;
use crate::store::{self, is_address};
use std::cell::RefCell;

#[derive(Debug, Clone, clap::Args)]
pub(crate) struct SyncArgs {
    #[arg(value_name = "REMOTE")]
    pub(crate) remote: Option<String>,
    #[arg(long, value_name = "SIDE", value_parser = clap::builder::PossibleValuesParser::new(["theirs", "ours", "later"]))]
    pub(crate) take: Option<String>,
    #[arg(long)]
    pub(crate) dry_run: bool,
    #[arg(long, conflicts_with = "dry_run")]
    pub(crate) auto: bool,
}

pub(crate) fn run(app: &mut App, args: &SyncArgs) -> Result<Exit, Failure> {
    let book = app.book()?;
    let take: Option<Take> = args.take.as_ref().and_then(|take| take.parse().ok());
    let remote = address(app, args.remote.as_deref())?;
    let empty = remote.as_deref().map(Path::new).filter(|folder| store::clone::is_empty(folder));
    if let Some(folder) = empty.filter(|_| !args.dry_run) {
        make_remote(app, folder, book.branch())?;
    }
    let request = SyncRequest { remote, take, dry_run: args.dry_run };
    app.streams = true;
    let session = app.begin(&book, "sync")?;
    let author = app.identity(&book)?;
    let outcome = run_context::run_with_remote(app, &session, author, |run| {
        if args.auto {
            lease::sync_from_now_on(run)?;
        }
        exchange::sync_with_remote(run, &request)
    })?;
    let report = SyncReport::of(&request, outcome);
    app.ui.event(&report, |lang, columns| report.text(lang, columns))?;
    if args.auto {
        app.ui.say(&both!(auto_sync_is_on))?;
    }
    Ok(if report.is_undecided() { Exit::Decide } else { Exit::Done })
}

/// Makes a repository in an empty folder, if the author agrees: a drive that is not connected looks the same.
fn make_remote(app: &mut App, folder: &Path, branch: &str) -> Result<(), Failure> {
    let shown = quoted(folder.display());
    if app.ui.can_ask()
        && app.ui.confirm(&both!(folder_is_empty_make_repository(shown)), DefaultAnswer::Yes, "novel sync")?
    {
        return Ok(store::clone::make(folder, branch)?);
    }
    Err(Failure::set_up(both!(folder_is_empty(shown))))
}

/// The remote as typed; a folder as its absolute path, because git resolves it from the book.
fn address(app: &App, typed: Option<&str>) -> Result<Option<String>, Failure> {
    let Some(typed) = typed else { return Ok(None) };
    let folder = app.folder()?.join(typed);
    let is_folder = is_address(typed) && folder.is_dir();
    Ok(Some(if is_folder { folder.to_string_lossy().into_owned() } else { typed.to_owned() }))
}

#[derive(Debug, Clone, clap::Args)]
pub(crate) struct CloneArgs {
    #[arg(value_name = "URL")]
    pub(crate) url: String,
    #[arg(value_name = "DIR")]
    pub(crate) dir: Option<PathBuf>,
}

#[derive(Serialize)]
struct Cloned {
    path: String,
    title: String,
    chapters: u32,
    draft: Option<String>,
}

/// Clones the book, and fetches drafts and kept lines.
pub(crate) fn clone(app: &mut App, args: &CloneArgs) -> Result<Exit, Failure> {
    let folder = app.folder()?;
    let dir = args.dir.clone().unwrap_or_else(|| PathBuf::from(last_part(&args.url)));
    let book = cloned(app, &args.url, &folder.join(&dir))?;
    let session = app.begin(&book, "clone")?;
    let author = app.identity(&book)?;
    run_context::run_with_remote(app, &session, author, |run| {
        exchange::sync_with_remote(run, &SyncRequest::default())
    })?;
    let view = BookView::new(book.snapshot()?);
    let draft = store::closing::drafts(&book)?.first().map(|(work, _)| work.to_string());
    let path = dir.display().to_string();
    let cloned = Cloned { path, title: view.config()?.title, chapters: view.checkpoint()?.last_completed, draft };
    app.ui.show(&cloned, |lang, _| {
        let Cloned { path, title, chapters, .. } = &cloned;
        let mut out = say!(lang, is_in_with_chapters(title, path, chapters));
        if let Some(draft) = &cloned.draft {
            out.push_str(&say!(lang, draft_of_has_come_along(draft)));
        }
        out.push_str(&say!(lang, to_go_on_novel_c_continue(quoted = crate::report::words::quoted(path))));
        out
    })
}

/// The clone without drafts and kept lines, which the first sync brings.
pub(crate) fn cloned(app: &mut App, url: &str, dir: &std::path::Path) -> Result<Book, Failure> {
    let folder = app.folder()?;
    let git = app.git();
    let progress: RefCell<ProgressDisplay> = RefCell::new(app.ui.progress(ProseDisplay::Hidden));
    let shown = RefCell::new(app);
    let listener = |transfer| {
        // A failure to draw progress does not stop the clone.
        let _ = network::tell(&mut shown.borrow_mut(), &mut progress.borrow_mut(), &SyncEvent::Transfer(transfer));
    };
    let book = Book::clone_from(&git, (&folder, url), dir, &listener, wording);
    progress.borrow_mut().clear();
    Ok(book?)
}

/// The folder name that git would choose.
pub(crate) fn last_part(url: &str) -> String {
    let trimmed = url.trim_end_matches(['/', '\\']).trim_end_matches(".git").trim_end_matches(['/', '\\']);
    let name = trimmed.rsplit(['/', '\\', ':']).next().unwrap_or_default();
    if name.is_empty() { "book".to_owned() } else { name.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::last_part;

    #[test]
    fn a_clone_is_called_like_its_address() {
        for (url, name) in [
            ("https://h/me/铜镜行.git", "铜镜行"),
            ("git@h:book.git", "book"),
            ("/srv/b.git/", "b"),
            ("../书", "书"),
            ("/", "book"),
        ] {
            assert_eq!(last_part(url), name);
        }
    }
}
