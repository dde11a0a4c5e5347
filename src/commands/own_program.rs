//! This program, started again with `--json`: the way by which assistants and the browser act on a book. So they have the
//! lock, the refusals, the budget and the questions of the command, and an action that is broken off leaves no more than a
//! command that is broken off.

use crate::commands::prelude::*;
use serde_json::Value;
use std::io;
use std::pin::Pin;
use std::process::Stdio;
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, BufReader};
use tokio::process::{Child, ChildStdout, Command};
use tokio::sync::mpsc::UnboundedSender;

/// The time for a command to end in order after it has been asked to.
const ENDING: Duration = Duration::from_secs(15);

/// The flags of an own command, before the language, `-C`, the folder and the command itself.
const FLAGS: [&str; 5] = ["--json", "--no-input", "--no-pager", "--quiet", "--lang"];

/// The command line as an author would type it in the book's folder; any other than an own command stays.
pub(crate) fn as_typed(args: Vec<String>) -> Vec<String> {
    match args.strip_prefix(&FLAGS.map(str::to_owned)).and_then(|rest| rest.get(3..)) {
        Some(words) => words.iter().filter(|word| *word != "--").cloned().collect(),
        None => args,
    }
}

/// This program, in the folder of the book.
#[derive(Debug, Clone)]
pub(crate) struct OwnProgram {
    pub(crate) path: PathBuf,
    pub(crate) folder: PathBuf,
    pub(crate) lang: Lang,
}

/// The end of a command.
#[derive(Debug, Default)]
pub(crate) struct CommandEnd {
    /// The documents of the answer, in order, without the events on the way.
    pub(crate) documents: Vec<Value>,
    /// The notes for people, on standard error.
    pub(crate) notes: String,
    /// `None` when the command was killed.
    pub(crate) code: Option<i32>,
}

impl CommandEnd {
    /// True when the command failed; a question that waits, or a search without hits, is an answer.
    pub(crate) fn is_failure(&self) -> bool {
        self.code.is_none() || self.documents.last().is_some_and(|document| document.get("error").is_some())
    }
}

impl OwnProgram {
    /// Runs a command until it ends, or ends it as Ctrl-C does once `stop` is done. Its events go to `events`.
    /// Fails when the program cannot be started.
    pub(crate) async fn run(
        &self,
        words: &[String],
        events: UnboundedSender<Value>,
        stop: impl Future<Output = ()>,
    ) -> io::Result<CommandEnd> {
        let mut command = Command::from(system::command_of_its_own(&self.path));
        command.args(FLAGS).args([self.lang.as_str(), "-C"]).arg(&self.folder).args(words);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true);
        let mut child = command.spawn()?;
        let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
        let mut reading = std::pin::pin!(async {
            tokio::join!(documents(stdout, &events), async {
                let mut notes = String::new();
                if let Some(mut stderr) = stderr {
                    stderr.read_to_string(&mut notes).await.ok();
                }
                notes
            })
        });
        let (documents, notes) = tokio::select! {
            read = &mut reading => read,
            () = stop => end(&mut child, reading.as_mut()).await,
        };
        Ok(CommandEnd { documents, notes, code: child.wait().await?.code() })
    }
}

/// The documents of an answer. Events on the way are passed on.
async fn documents(stdout: Option<ChildStdout>, events: &UnboundedSender<Value>) -> Vec<Value> {
    let (mut documents, mut open) = (Vec::new(), String::new());
    let Some(stdout) = stdout else { return documents };
    let mut lines = BufReader::new(stdout).lines();
    while let Ok(Some(line)) = lines.next_line().await {
        open.push_str(&line);
        open.push('\n');
        // A document is a line or, indented, ends with a line that closes it.
        if !line.starts_with(['{', '}', '[', ']']) {
            continue;
        }
        let Ok(document) = serde_json::from_str::<Value>(&open) else { continue };
        open.clear();
        if document.get("event").is_none() || document.get("status").is_some() {
            documents.push(document);
        } else {
            // Reading commands have no listener.
            events.send(document).ok();
        }
    }
    documents
}

/// Asks the command to end as Ctrl-C does, and reads what it still says; a command that goes on is killed.
async fn end<T: Default>(child: &mut Child, reading: Pin<&mut impl Future<Output = T>>) -> T {
    if child.id().is_some_and(system::interrupt)
        && let Ok(read) = tokio::time::timeout(ENDING, reading).await
    {
        return read;
    }
    child.start_kill().ok();
    T::default()
}
