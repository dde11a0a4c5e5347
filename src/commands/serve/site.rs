//! The routes: pages of the book, and the form that acts on it.

use super::act::{self, ActForm, CommandSlot};
use crate::commands::cli::environment;
use crate::commands::own_program::OwnProgram;
use crate::commands::prelude::*;
use crate::commands::report::drawn;
use crate::commands::serve::{self, Guard};
use crate::pipeline::planning::volume;
use crate::report::site::documents::{ChoiceDoc, ErrorDoc, RollbackDoc, StatusDoc, TextDoc};
use crate::report::site::{BrowserCommand, Frame, LOOKS, SCRIPT};
use crate::report::words::{Ids, Names};
use axum::Router;
use axum::extract::{Path, Query, Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::sse::{Event, Sse};
use axum::response::{Html, IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use futures_util::{Stream, stream};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::collections::BTreeMap;
use std::convert::Infallible;
use std::path::PathBuf;
use std::sync::Arc;
use tokio::sync::mpsc;

pub(super) struct Site {
    program: OwnProgram,
    root: PathBuf,
    guard: Guard,
    desk: Arc<CommandSlot>,
}

#[derive(Deserialize)]
struct EditForm {
    token: String,
    chapter: ChapterNo,
    was: String,
    text: String,
}

type OfSite = State<Arc<Site>>;

pub(super) fn routes(site: Arc<Site>) -> Router {
    Router::new()
        .route("/", get(desk))
        .route("/chapters", get(contents))
        .route("/chapter/{number}", get(chapter))
        .route("/chapter/{number}/changes", get(changes))
        .route("/chapter/{number}/edit", get(edit))
        .route("/back/{number}", get(back))
        .route("/report", get(report))
        .route("/events", get(events))
        .route("/act", post(acted))
        .route("/save", post(save))
        .route("/looks.css", get(async || ([(header::CONTENT_TYPE, "text/css; charset=utf-8")], LOOKS.concat())))
        .route("/script.js", get(async || ([(header::CONTENT_TYPE, "text/javascript; charset=utf-8")], SCRIPT)))
        .fallback(unknown)
        .layer(middleware::from_fn_with_state(site.clone(), guarded))
        .with_state(site)
}

/// Lets in the browser that was given the address; the first visit leaves the token to a cookie.
async fn guarded(
    State(site): OfSite,
    Query(query): Query<BTreeMap<String, String>>,
    request: Request,
    next: Next,
) -> Response {
    let path = request.uri().path().to_owned();
    let is_first = path == "/" && query.get("token").is_some_and(|token| token == site.guard.token());
    let response = if is_first && site.guard.is_own_host(request.headers()) {
        ([(header::SET_COOKIE, site.guard.set_cookie())], Redirect::to("/")).into_response()
    } else if site.guard.lets_in(request.headers()) {
        site.worded(next.run(request).await)
    } else {
        site.refusal(StatusCode::FORBIDDEN, &both!(site_refused))
    };
    serve::closed(&path, response)
}

impl Site {
    pub(super) fn new(program: OwnProgram, root: PathBuf, guard: Guard) -> Self {
        Self { program, root, guard, desk: Arc::default() }
    }

    /// Ends the command under way in order.
    pub(super) async fn stop(&self) {
        self.desk.stop();
        self.desk.over().await;
    }

    /// The answer, with a page in place of the framework's own refusal of an address or a form.
    fn worded(&self, response: Response) -> Response {
        let status = response.status();
        let is_page =
            response.headers().get(header::CONTENT_TYPE).is_some_and(|kind| kind == "text/html; charset=utf-8");
        match status {
            _ if !status.is_client_error() || is_page => response,
            StatusCode::PAYLOAD_TOO_LARGE => self.refusal(status, &both!(site_form_is_too_large)),
            _ => self.refusal(status, &both!(site_form_is_malformed)),
        }
    }

    fn frame(&self) -> Frame<'_> {
        Frame { lang: self.program.lang, token: self.guard.token() }
    }

    fn refusal(&self, status: StatusCode, why: &Both) -> Response {
        let failed = ErrorDoc::of(why.get(self.program.lang).to_owned());
        (status, Html(self.frame().problem(&failed))).into_response()
    }

    /// The chapter's file in the book's folder, which may have an edit that is in no commit: its path and its text.
    async fn on_disk(&self, chapter: ChapterNo) -> Result<(PathBuf, String), Response> {
        let shown: TextDoc = self.read(&["show", "--", &chapter.to_string()]).await?;
        let path = self.root.join(&shown.path);
        let bytes = environment::read_bytes(&path).map_err(|error| self.broken(error.to_string()))?;
        let not_utf8 = |_| self.refusal(StatusCode::INTERNAL_SERVER_ERROR, &both!(site_not_utf8));
        Ok((path, String::from_utf8(bytes).map_err(not_utf8)?))
    }

    fn broken(&self, why: String) -> Response {
        self.refusal(StatusCode::INTERNAL_SERVER_ERROR, &Both::same(why))
    }

    /// Ids stay where the book cannot be read.
    fn names(&self, volume: VolumeNo) -> Names {
        let read = || Ok::<_, Failure>(volume::names(&Book::open(&self.root, wording)?, volume)?);
        Names::new(read().unwrap_or_default(), Ids::Hidden)
    }

    /// The last document of a command that only reads; or the page of its failure.
    async fn read<T: DeserializeOwned>(&self, words: &[&str]) -> Result<T, Response> {
        let words: Vec<String> = words.iter().map(ToString::to_string).collect();
        let (events, _) = mpsc::unbounded_channel();
        let ended = self.program.run(&words, events, std::future::pending()).await;
        let ended = ended.map_err(|error| self.broken(error.to_string()))?;
        let last = ended.documents.last().ok_or_else(|| self.broken(ended.notes.clone()))?;
        T::deserialize(last).map_err(|error| match ErrorDoc::deserialize(last) {
            Ok(failed) => (StatusCode::NOT_FOUND, Html(self.frame().problem(&failed))).into_response(),
            Err(_) => self.broken(error.to_string()),
        })
    }
}

async fn desk(State(site): OfSite) -> Result<Html<String>, Response> {
    let position: StatusDoc = match site.read(&["status"]).await {
        Ok(position) => position,
        Err(refusal) => match site.read(&["start"]).await {
            Ok(ChoiceDoc::Question(asked)) if asked.data.about == "new-book" => {
                return Ok(Html(site.frame().begin(&asked, site.desk.work().as_ref())));
            }
            _ => return Err(refusal),
        },
    };
    let mut asked = match position.next.as_str() {
        "novel decide" => site.read::<ChoiceDoc>(&["decide"]).await.ok(),
        "novel plan" => site.read::<ChoiceDoc>(&["plan", "show"]).await.ok(),
        _ if position.is_rearranged() => None,
        _ => site.read::<ChoiceDoc>(&["start"]).await.ok(),
    };
    if let Some(ChoiceDoc::Question(asked)) = &mut asked {
        asked.data.names = site.names(asked.data.volume.unwrap_or(VolumeNo::FIRST));
    }
    Ok(Html(site.frame().desk(&position, asked.as_ref(), site.desk.work().as_ref())))
}

async fn contents(State(site): OfSite) -> Result<Html<String>, Response> {
    let position: StatusDoc = site.read(&["status"]).await?;
    Ok(Html(site.frame().contents(&position)))
}

async fn chapter(State(site): OfSite, Path(number): Path<ChapterNo>) -> Result<Html<String>, Response> {
    let position: StatusDoc = site.read(&["status"]).await?;
    let text = site.read(&["show", "--", &number.to_string()]).await?;
    Ok(Html(site.frame().chapter(number, &text, &position)))
}

/// The changes of a chapter: the author's edit where there is one, else those of its draft.
async fn changes(State(site): OfSite, Path(number): Path<ChapterNo>) -> Result<Html<String>, Response> {
    let name = number.to_string();
    let position: StatusDoc = site.read(&["status"]).await?;
    let shown: TextDoc = site.read(&["show", "--", &name]).await?;
    let of_draft = match position.hand_edits.contains(&shown.path) {
        true => None,
        false => site.read(&["diff", "--stage=draft..refine", "--", &name]).await.ok(),
    };
    let compared = match of_draft {
        Some(compared) => compared,
        None => site.read(&["diff", "--", &name]).await?,
    };
    Ok(Html(site.frame().changes(&compared)))
}

async fn back(State(site): OfSite, Path(number): Path<ChapterNo>) -> Result<Html<String>, Response> {
    let leaving = site.read(&["rollback", "--dry-run", "--", &number.to_string()]).await?;
    Ok(Html(site.frame().back(number, &leaving)))
}

async fn report(State(site): OfSite) -> Response {
    let (root, lang) = (site.root.clone(), site.program.lang);
    let page = tokio::task::spawn_blocking(move || drawn(&root, lang)).await;
    match page {
        Ok(Ok(page)) => Html(page).into_response(),
        Ok(Err(why)) => site.refusal(StatusCode::INTERNAL_SERVER_ERROR, &why),
        Err(error) => site.broken(error.to_string()),
    }
}

/// The steps of the command under way as they come, the text that is written (`begin`, `text`), and `end`.
async fn events(State(site): OfSite) -> Sse<impl Stream<Item = Result<Event, Infallible>>> {
    let changes = site.desk.changes();
    let steps = stream::unfold((site, changes, SentProgress::default()), async |(site, mut changes, mut told)| {
        if told.ended {
            return None;
        }
        loop {
            let event = told.next(&site.desk.work().unwrap_or_default());
            match event {
                Some(event) => return Some((Ok(event), (site, changes, told))),
                None if changes.changed().await.is_err() => return None,
                None => {}
            }
        }
    });
    Sse::new(steps)
}

/// The part of the work that a page has been told.
#[derive(Default)]
struct SentProgress {
    steps: usize,
    /// How many texts have begun, and how many bytes of the last one were told.
    texts: usize,
    bytes: usize,
    ended: bool,
}

impl SentProgress {
    /// The next event; `None` where there is nothing new.
    fn next(&mut self, work: &BrowserCommand) -> Option<Event> {
        if let Some(step) = work.steps.get(self.steps) {
            self.steps += 1;
            return Some(Event::default().data(step.replace(['\n', '\r'], " ")));
        }
        if work.is_over || work.command.is_empty() {
            self.ended = true;
            return Some(Event::default().data("end"));
        }
        let begins = work.texts != self.texts;
        let piece = work.text.get(if begins { 0 } else { self.bytes }..).filter(|piece| !piece.is_empty())?;
        (self.texts, self.bytes) = (work.texts, work.text.len());
        // An event cannot have this character.
        Some(Event::default().event(if begins { "begin" } else { "text" }).data(piece.replace('\r', "")))
    }
}

async fn acted(
    State(site): OfSite,
    headers: HeaderMap,
    axum::Form(form): axum::Form<ActForm>,
) -> Result<Response, Response> {
    if !site.guard.lets_act(&headers, &form.token) {
        return Err(site.refusal(StatusCode::FORBIDDEN, &both!(site_refused)));
    }
    if form.is_stop() {
        site.desk.stop();
        return Ok(Redirect::to("/").into_response());
    }
    // A page may be older than the book: what it showed is compared with what there is now.
    let is_same = match &form {
        form if form.takes_wish_back() => {
            let position: StatusDoc = site.read(&["status"]).await?;
            form.is_of_wish(&position.wishes)
        }
        form if form.goes_back() => {
            let leaving: RollbackDoc = site.read(&["rollback", "--dry-run", "--", form.chapter()]).await?;
            form.is_of_tip(&leaving)
        }
        _ => true,
    };
    if !is_same {
        return Err(site.refusal(StatusCode::CONFLICT, &both!(site_page_is_old)));
    }
    match act::act(&site.desk, &site.program, &form).await {
        Ok(()) => Ok(Redirect::to("/").into_response()),
        Err(why) => Err(site.refusal(StatusCode::CONFLICT, &why)),
    }
}

async fn edit(State(site): OfSite, Path(number): Path<ChapterNo>) -> Result<Html<String>, Response> {
    let (_, there) = site.on_disk(number).await?;
    Ok(Html(site.frame().edit(number, &there, &there, None)))
}

/// Saves the author's text of a chapter unless the file has changed since the edit began.
async fn save(
    State(site): OfSite,
    headers: HeaderMap,
    axum::Form(edit): axum::Form<EditForm>,
) -> Result<Response, Response> {
    if !site.guard.lets_act(&headers, &edit.token) {
        return Err(site.refusal(StatusCode::FORBIDDEN, &both!(site_refused)));
    }
    let number = edit.chapter;
    let (path, there) = site.on_disk(number).await?;
    // Forms send line breaks of Windows; the file keeps its own.
    let plain = |text: &str| text.replace("\r\n", "\n").replace('\r', "\n");
    let (was, mut text) = (plain(&edit.was), plain(&edit.text));
    if there.contains("\r\n") {
        text = text.replace('\n', "\r\n");
    }
    if was != plain(&there) {
        let page = site.frame().edit(number, &there, &text, Some(&there));
        return Err((StatusCode::CONFLICT, Html(page)).into_response());
    }
    environment::write_whole(&path, text.as_bytes()).map_err(|error| site.broken(error.to_string()))?;
    Ok(Redirect::to(&format!("/chapter/{}/changes", number.get())).into_response())
}

async fn unknown(State(site): OfSite) -> Response {
    site.refusal(StatusCode::NOT_FOUND, &both!(site_unknown_page))
}
