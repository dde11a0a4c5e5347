//! The author's decisions: each is a command, and one runs at a time.

use crate::commands::answers::aside_text;
use crate::commands::r#continue::spoken;
use crate::commands::own_program::{CommandEnd, OwnProgram};
use crate::commands::prelude::*;
use crate::domain::Work;
use crate::domain::chapter::author_notes::Wish;
use crate::domain::chapter::stage::Stage;
use crate::report::change::wish_noted;
use crate::report::event::in_a_word;
use crate::report::site::documents::{ErrorDoc, RollbackDoc};
use crate::report::site::{self, label};
use crate::report::subject::worded;
use serde::Deserialize;
use serde_json::Value;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::{mpsc, watch};

/// The time in which most commands are done, so that the next page shows what has come of them.
const SHORT: Duration = Duration::from_millis(1500);

#[derive(Debug, Deserialize)]
pub(super) struct ActForm {
    pub(super) token: String,
    act: String,
    #[serde(default)]
    option: String,
    #[serde(default)]
    chapter: String,
    #[serde(default)]
    count: String,
    #[serde(default)]
    wish: String,
    #[serde(default)]
    number: String,
    #[serde(default)]
    genre: String,
    #[serde(default)]
    protagonist: String,
    #[serde(default)]
    conflict: String,
    #[serde(default)]
    title: String,
}

impl ActForm {
    pub(super) fn is_stop(&self) -> bool {
        self.act == "stop"
    }

    pub(super) fn takes_wish_back(&self) -> bool {
        self.act == "unwish"
    }

    pub(super) fn goes_back(&self) -> bool {
        self.act == "back"
    }

    pub(super) fn chapter(&self) -> &str {
        &self.chapter
    }

    /// True when the wish at the form's number is still the one that its page showed.
    pub(super) fn is_of_wish(&self, wishes: &[Wish]) -> bool {
        let at = self.number.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
        at.and_then(|at| wishes.get(at)).is_some_and(|wish| wish.text == self.wish)
    }

    /// True when the newest transaction that would leave is still the one that the preview showed.
    pub(super) fn is_of_tip(&self, leaving: &RollbackDoc) -> bool {
        leaving.leaving.first().is_some_and(|newest| newest.commit == self.option)
    }

    /// The command of the form; `None` for a form that no page has. The command itself refuses what does not fit.
    fn words(&self) -> Option<Vec<String>> {
        let Self { option, chapter, count, wish, number, genre, protagonist, conflict, title, .. } = self;
        let with = |words: &[&str], flags: &[(&str, &String)]| {
            let flags =
                flags.iter().filter(|(_, value)| !value.is_empty()).map(|(name, value)| format!("--{name}={value}"));
            words.iter().copied().map(str::to_owned).chain(flags).collect()
        };
        // A flag in place of an answer would be one of the command's.
        if option.starts_with('-') {
            return None;
        }
        let words: Vec<String> = match self.act.as_str() {
            "continue" => ["continue", "--stream", "--", count].map(str::to_owned).to_vec(),
            "price" => ["continue", "--dry-run"].map(str::to_owned).to_vec(),
            "decide" => vec!["decide".to_owned(), format!("--chapter={chapter}"), "--".to_owned(), option.clone()],
            "pick" => vec![
                "decide".to_owned(),
                "pick".to_owned(),
                format!("--candidate={option}"),
                format!("--chapter={chapter}"),
            ],
            "candidates" => with(&["continue", "--choose"], &[("candidates", count)]),
            "begin" => {
                let idea = [("genre", genre), ("protagonist", protagonist), ("conflict", conflict), ("title", title)];
                with(&["start"], &idea)
            }
            "choose" => with(&["start", "--answer", option], &[("chapters", count), ("wish", wish)]),
            "plan" if option == "resize" => ["plan", "resize", "--", count].map(str::to_owned).to_vec(),
            "plan" => ["plan", option].map(str::to_owned).to_vec(),
            "again" => with(&["plan", "make"], &[("wish", wish)]),
            "wish" => vec!["wish".to_owned(), format!("--chapters={count}"), "--".to_owned(), wish.clone()],
            "unwish" => vec!["wish".to_owned(), format!("--take-back={number}")],
            "back" => vec!["rollback".to_owned(), "--yes".to_owned(), "--".to_owned(), chapter.clone()],
            "accept" => ["chapter", "accept"].map(str::to_owned).to_vec(),
            "undo" => vec!["undo".to_owned()],
            _ => return None,
        };
        words.iter().all(|word| !word.contains('\0')).then_some(words)
    }
}

/// The command under way, or the last one.
#[derive(Default)]
pub(super) struct CommandSlot {
    work: Mutex<Option<site::BrowserCommand>>,
    /// Counts the changes of the work, for pages that follow it.
    changes: watch::Sender<u64>,
    /// Stops the command under way.
    stop: Mutex<Option<mpsc::Sender<()>>>,
}

impl CommandSlot {
    fn lock(&self) -> MutexGuard<'_, Option<site::BrowserCommand>> {
        self.work.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn work(&self) -> Option<site::BrowserCommand> {
        self.lock().clone()
    }

    pub(super) fn changes(&self) -> watch::Receiver<u64> {
        self.changes.subscribe()
    }

    fn change(&self, change: impl FnOnce(&mut site::BrowserCommand)) {
        if let Some(work) = self.lock().as_mut() {
            change(work);
        }
        self.changes.send_modify(|count| *count += 1);
    }

    /// Takes the desk for a command; false while another one is under way.
    fn begin(&self, command: String) -> bool {
        let mut work = self.lock();
        let is_free = work.as_ref().is_none_or(|work| work.is_over);
        if is_free {
            *work = Some(site::BrowserCommand { command, ..site::BrowserCommand::default() });
        }
        is_free
    }

    /// Asks the command under way to end in order.
    pub(super) fn stop(&self) {
        drop(self.stop.lock().unwrap_or_else(PoisonError::into_inner).take());
    }

    /// Waits for the end of the command under way.
    pub(super) async fn over(&self) {
        let mut changes = self.changes();
        while self.work().is_some_and(|work| !work.is_over) && changes.changed().await.is_ok() {}
    }
}

pub(super) async fn act(desk: &Arc<CommandSlot>, program: &OwnProgram, form: &ActForm) -> Result<(), Both> {
    let Some(words) = form.words() else { return Err(both!(site_unknown_page)) };
    let shown = words.iter().filter(|word| *word != "--").map(crate::report::words::quoted);
    let command = format!("novel {}", shown.collect::<Vec<_>>().join(" "));
    if !desk.begin(command) {
        return Err(both!(site_busy));
    }
    let (stop, mut stopped) = mpsc::channel::<()>(1);
    *desk.stop.lock().unwrap_or_else(PoisonError::into_inner) = Some(stop);
    let (own, program) = (desk.clone(), program.clone());
    tokio::spawn(async move {
        let (events, mut heard) = mpsc::unbounded_channel();
        let telling = async {
            while let Some(event) = heard.recv().await {
                own.change(|work| tell(work, &event, program.lang));
            }
        };
        let stop = async { stopped.recv().await.unwrap_or_default() };
        let (ended, ()) = tokio::join!(program.run(&words, events, stop), telling);
        let (steps, failed) = match ended {
            Ok(ended) => outcome(&ended, program.lang),
            Err(error) => (Vec::new(), Some(ErrorDoc::of(error.to_string()))),
        };
        own.change(|work| {
            work.steps = steps;
            work.failed = failed;
            work.is_over = true;
        });
    });
    tokio::time::timeout(SHORT, desk.over()).await.ok();
    Ok(())
}

/// Adds a step, or a piece of the text of the stage that was begun last.
fn tell(work: &mut site::BrowserCommand, event: &Value, lang: Lang) {
    let word = |field: &str| event.get(field).and_then(Value::as_str);
    let stage = word("stage").and_then(|stage| stage.parse::<Stage>().ok());
    match word("event") {
        Some("text") if stage == work.writing => {
            work.text.push_str(word("delta").unwrap_or_default());
            return;
        }
        Some("text") => return,
        Some("stage") if stage.is_some_and(Stage::writes_prose) => work.writing = stage,
        // The text comes from its beginning, unless only its rest is asked for.
        Some("waiting" | "asked_again") if stage == work.writing && event.get("continued").is_none() => {}
        _ => return work.steps.push(in_a_word(event, lang)),
    }
    (work.text, work.texts) = (String::new(), work.texts + 1);
    work.steps.push(in_a_word(event, lang));
}

/// The end of a command in words: a line for each document, and the failure.
fn outcome(ended: &CommandEnd, lang: Lang) -> (Vec<String>, Option<ErrorDoc>) {
    let failed = ended.documents.last().and_then(|last| ErrorDoc::deserialize(last).ok());
    let failed = match failed {
        None if ended.is_failure() && ended.notes.trim().is_empty() => {
            Some(ErrorDoc::of(both!(site_command_was_killed).get(lang).to_owned()))
        }
        None if ended.is_failure() => Some(ErrorDoc::of(ended.notes.trim().to_owned())),
        failed => failed,
    };
    let mut lines: Vec<String> = ended.documents.iter().filter_map(|document| line(document, lang)).collect();
    // A question stands below.
    let asks = ended.documents.last().is_some_and(|last| last.get("options").or(last.get("candidates")).is_some());
    if lines.is_empty() && failed.is_none() && !asks {
        lines.push(say!(lang, site_done).to_owned());
    }
    (lines, failed)
}

/// An accepted chapter, a price, a wish, a decision, or a change in words.
fn line(document: &Value, lang: Lang) -> Option<String> {
    let word = |field: &str| document.get(field).and_then(Value::as_str);
    if let (Some(title), Some(number)) = (word("title"), document.get("chapter").and_then(Value::as_u64)) {
        let score = document.get("quality_score").and_then(Value::as_f64).map(figures::score).unwrap_or_default();
        return Some(format!("{}  {score}", say!(lang, page_chapter_heading(number, title))));
    }
    if let Some(next) = document.get("next").and_then(|next| Vec::<String>::deserialize(next).ok()) {
        let micro = document.get("writer_cost_usd").and_then(Value::as_f64).map(|cost| (cost * 1e6).round() as u64);
        return Some(say!(lang, site_price_is(stages = spoken(&next, lang), cost = figures::price(micro, lang))));
    }
    if let (Some("noted"), Ok(wish)) = (word("status"), Wish::deserialize(document)) {
        let passed_over = document.get("passed_over").and_then(|chapter| ChapterNo::deserialize(chapter).ok());
        return Some(wish_noted(&wish, passed_over, lang));
    }
    if let (Some(title), Some(path), Some(commit)) = (word("title"), word("path"), word("commit")) {
        return Some(say!(lang, is_in_commit(title, path, commit = commit.get(..7).unwrap_or(commit))));
    }
    if let (Some(Ok(work)), Some(kept)) = (word("work").map(str::parse::<Work>), word("kept")) {
        return Some(aside_text(work, kept, lang));
    }
    if let Some(decision) = word("decision") {
        let candidate = decision.strip_prefix("pick ").map(|number| say!(lang, site_candidate(number)));
        let words = candidate.unwrap_or_else(|| label(decision, lang).to_owned());
        return Some(say!(lang, site_decided(words)));
    }
    word("what").map(str::to_owned).or_else(|| word("summary").map(|summary| worded(summary, lang)))
}
