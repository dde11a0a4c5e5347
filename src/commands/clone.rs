//! `novel clone`: a copy of a book, ready for writing.

use super::terminal::progress::{Progress, Prose};
use super::{network, run_context};
use crate::commands::prelude::*;
use crate::pipeline::BookView;
use crate::pipeline::sync::event::SyncEvent;
use crate::pipeline::sync::exchange::SyncRequest;
use crate::report::subject::wording;
use std::cell::RefCell;
use std::path::PathBuf;

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
pub(crate) fn run(app: &mut App, args: &CloneArgs) -> Result<Exit, Failure> {
    let folder = app.folder()?;
    let dir = args.dir.clone().unwrap_or_else(|| PathBuf::from(last_part(&args.url)));
    let book = clone(app, &args.url, &folder.join(&dir))?;
    let session = app.begin(&book, "clone")?;
    let author = app.identity(&book)?;
    run_context::run_with_remote(app, &session, author, |run| run.sync(&SyncRequest::default()))?;
    let view = BookView::new(book.snapshot()?);
    let draft = book.drafts()?.first().map(|(work, _)| work.to_string());
    let path = dir.display().to_string();
    let cloned = Cloned { path, title: view.config()?.title, chapters: view.checkpoint()?.last_completed, draft };
    app.ui.show(&cloned, |lang, _| {
        let Cloned { path, title, chapters, .. } = &cloned;
        let mut out = say!(lang, is_in_with_chapters(title, path, chapters));
        if let Some(draft) = &cloned.draft {
            out.push_str(&say!(lang, draft_of_has_come_along(draft)));
        }
        out.push_str(&say!(lang, to_go_on_novel_c_continue(quoted = crate::report::lists::quoted(path))));
        out
    })
}

/// The clone without drafts and kept lines, which the first sync brings.
pub(crate) fn clone(app: &mut App, url: &str, dir: &std::path::Path) -> Result<Book, Failure> {
    let folder = app.folder()?;
    let git = app.git();
    let progress: RefCell<Progress> = RefCell::new(app.ui.progress(Prose::Hidden));
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
