//! The connection to the book's remote: the user's git, the device name, and progress.
//! The user's part in a book: keys that come into no commit, and the name to commit under.

use crate::commands::prelude::*;
use crate::commands::settings::file;
use crate::commands::terminal::progress::ProgressDisplay;
use crate::pipeline::engine::run::Network;
use crate::pipeline::sync::conflict::SyncEvent;
use crate::report::sync::{self, SyncLine};
use crate::store::{self, GitProgram, GivenAuthor, Identity, Notice, OpenError};
use secrecy::SecretString;

/// Flags about the book's remote.
#[derive(Debug, Clone, Copy, Default, clap::Args)]
pub(crate) struct RemoteArgs {
    #[arg(long, conflicts_with = "no_sync")]
    pub(crate) take_lease: bool,
    #[arg(long)]
    pub(crate) no_sync: bool,
}

impl App {
    pub(crate) fn git(&self) -> GitProgram {
        GitProgram {
            program: PathBuf::from("git"),
            may_ask: self.ui.can_ask(),
            progress: self.environment.stderr_is_terminal && !self.ui.is_json() && !self.globals.quiet,
        }
    }

    /// `None` where a flag forbids the remote.
    pub(crate) fn network(&self) -> Option<Network> {
        let RemoteArgs { take_lease, no_sync } = self.remote_args;
        (!no_sync).then(|| Network { git: self.git(), device: self.device(), take_lease })
    }

    fn device(&self) -> String {
        let named = self.environment.var("HOSTNAME").or(self.environment.var("COMPUTERNAME")).map(str::to_owned);
        let written = || environment::read_text(Path::new("/etc/hostname")).ok().flatten();
        let name = named.or_else(written).unwrap_or_default();
        match name.trim() {
            "" => "localhost".to_owned(),
            name => name.to_owned(),
        }
    }
}

pub(crate) fn tell(app: &mut App, progress: &mut ProgressDisplay, event: &SyncEvent) -> Result<(), Failure> {
    let lang = app.ui.lang();
    if let SyncEvent::Transfer(transfer) = event {
        progress.note(&format!("{} {}%", sync::of_phase(&transfer.phase, lang), transfer.percent));
        return Ok(());
    }
    let Some(line) = SyncLine::of(event) else { return Ok(()) };
    if app.ui.is_json() {
        return if app.streams { app.ui.event(&line, |_, _| String::new()).map(|_| ()) } else { Ok(()) };
    }
    let Some(text) = line.text(lang) else { return Ok(()) };
    progress.clear();
    let text = Both::same(text);
    if line.is_warning() { app.ui.warn(&text) } else { app.ui.say(&text) }
}

impl App {
    /// The author in git's variables.
    pub(crate) fn given_author(&self) -> GivenAuthor {
        let of = |name: &str| self.environment.var(name).map(str::to_owned);
        GivenAuthor { name: of("GIT_AUTHOR_NAME"), email: of("GIT_AUTHOR_EMAIL") }
    }

    /// The author of commits: git's identity, or a name that the author is asked for, or a stand-in with a warning. All of that is
    /// done once for a book.
    pub(crate) fn identity(&mut self, book: &Book) -> Result<Identity, Failure> {
        if book.expects_signatures() && !book.has_told(Notice::Unsigned) {
            self.ui.warn(&both!(commit_gpgsign_is_on_but_commits))?;
            book.note_told(Notice::Unsigned);
        }
        if let Some(identity) = book.identity(&self.given_author())? {
            return Ok(identity);
        }
        let fallback = Identity::fallback();
        if book.has_told(Notice::Nameless) {
            return Ok(fallback);
        }
        match self.asked_name()? {
            Some(name) => {
                book.name_author(&name)?;
                Ok(Identity { name, ..fallback })
            }
            None => {
                self.ui.warn(&both!(git_does_not_know_your_name_so_commits(fallback)))?;
                book.note_told(Notice::Nameless);
                Ok(fallback)
            }
        }
    }

    /// Asks for the name on a terminal; `None` where there is no answer.
    pub(crate) fn asked_name(&mut self) -> Result<Option<String>, Failure> {
        if !self.ui.can_ask() {
            return Ok(None);
        }
        let answer = self.ui.ask_or_later(&both!(name_to_commit_under), "git config user.name")?;
        Ok(answer.map(|name| name.trim().to_owned()).filter(|name| !name.is_empty()))
    }

    pub(crate) fn open(&self, folder: &Path) -> Result<Book, OpenError> {
        Ok(store::change::with_keys(Book::open(folder, wording)?, self.own_keys()))
    }

    /// The user's own keys. Those in settings that cannot be read, with which no command calls a model, are not known.
    pub(crate) fn own_keys(&self) -> Vec<SecretString> {
        let file = file::load(&self.environment).unwrap_or_default();
        Settings::resolve(&Flags::default(), &self.environment, &file, None).own_keys()
    }
}
