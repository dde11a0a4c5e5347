//! `novel demo`: writes a small book offline, to look around in.

use super::App;
use super::exit::Exit;
use super::failure::Failure;
use super::ui::quoted;
use super::values;
use super::workshop::{self, Bench};
use crate::domain::ChapterNo;
use crate::pipeline::{Goal, Voice, found};
use crate::report::lang::say;
use crate::store::Book;
use serde::Serialize;
use std::path::PathBuf;

/// Write a small book offline, to look around in
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct DemoArgs {
    /// Folder of the book; must not be there yet
    #[arg(value_name = "DIR", default_value = "novel-demo")]
    pub(crate) dir: PathBuf,
    /// How many chapters; 0 for the plan alone
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = values::count_or_none)]
    pub(crate) chapters: u32,
}

/// What was made.
#[derive(Serialize)]
struct Made {
    path: String,
    chapters: u32,
    /// Commands to look around with.
    look: Vec<String>,
}

/// Makes the demo book and writes its first chapters with the offline writer. An interrupted demo is gone on with.
pub(crate) fn run(app: &mut App, args: &DemoArgs) -> Result<Exit, Failure> {
    let dir = app.folder()?.join(&args.dir);
    let clock = app.clock();
    let book = match Book::open(&dir).ok().filter(|book| book.root() == dir) {
        Some(book) if workshop::config_of(&book)?.offline => book,
        _ => {
            let founding = found::demo(&clock)?;
            let title = "失物招领处夜班守则";
            found::found(&dir, founding, &[], title, app.holder("demo"), None)?.book
        }
    };
    if let Some(last) = ChapterNo::new(args.chapters) {
        let session = app.begin(&book, "demo")?;
        // The demo is nobody's work: without a name in git it is made as novel's, and no word about it.
        let author = book.identity()?.unwrap_or_else(crate::store::Identity::fallback);
        let bench = Bench {
            session: &session,
            voice: &Voice::Offline,
            clock: &clock,
            author,
            by_scenes: None,
            budget_micro: None,
        };
        workshop::run(app, bench, false, async |run| run.chapters(Goal::Until(last)).await)?;
    }
    let shown = args.dir.display().to_string();
    let report = Made { path: shown.clone(), chapters: args.chapters, look: look(&quoted(&shown), args.chapters) };
    app.ui.event(&report, |lang, _| {
        let mut text = say!(
            lang,
            "\n样书在 {shown}，由离线写手写成。随便看看：\n",
            "\nThe demo book is in {shown}, written by the offline writer. Look around:\n"
        );
        text.extend(report.look.iter().map(|line| format!("  {line}\n")));
        text
    })?;
    Ok(Exit::Done)
}

/// Commands that work in a demo of so many chapters.
fn look(dir: &str, chapters: u32) -> Vec<String> {
    let git = [(0, "log --first-parent --oneline"), (2, "show ch-002 --stat"), (2, "diff ch-001 ch-002 -- state/")];
    let novel = [
        (0, "status"),
        (0, "context 1 --breakdown"),
        (1, "show ch-001"),
        (2, "diff ch-002 --stage draft..refined"),
        (2, "show ch-002 --evaluation"),
        (2, "rollback ch-001 --dry-run"),
        (0, "continue"),
    ];
    let git = git.into_iter().map(|(least, rest)| (least, format!("git -C {dir} {rest}")));
    let novel = novel.into_iter().map(|(least, rest)| (least, format!("novel -C {dir} {rest}")));
    git.chain(novel).filter(|(least, _)| *least <= chapters).map(|(_, line)| line).collect()
}
