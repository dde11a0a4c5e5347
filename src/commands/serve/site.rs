//! The routes: pages of the book, and the form that acts on it.

use super::act::{self, Desk, Form};
use super::guard::{self, Guard};
use crate::commands::own_program::OwnProgram;
use crate::commands::prelude::*;
use crate::commands::report::drawn;
use crate::report::site::documents::{Asked, Failed, Failure as Told, Position};
use crate::report::site::{Frame, LOOKS, SCRIPT};
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

/// The book behind the pages, and the command under way.
pub(super) struct Site {
    program: OwnProgram,
    root: PathBuf,
    guard: Guard,
    desk: Arc<Desk>,
}

type OfSite = State<Arc<Site>>;

pub(super) fn routes(site: Arc<Site>) -> Router {
    Router::new()
        .route("/", get(desk))
        .route("/chapters", get(contents))
        .route("/chapter/{number}", get(chapter))
        .route("/chapter/{number}/changes", get(changes))
        .route("/back/{number}", get(back))
        .route("/report", get(report))
        .route("/events", get(events))
        .route("/act", post(acted))
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
        next.run(request).await
    } else {
        site.refusal(StatusCode::FORBIDDEN, &both!(site_refused))
    };
    guard::closed(&path, response)
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

    fn frame(&self) -> Frame<'_> {
        Frame { lang: self.program.lang, token: self.guard.token() }
    }

    fn refusal(&self, status: StatusCode, why: &Both) -> Response {
        let message = why.get(self.program.lang).to_owned();
        let failed = Failed { error: Told { message, causes: Vec::new(), hints: Vec::new() } };
        (status, Html(self.frame().problem(&failed))).into_response()
    }

    /// The last document of a command that only reads; or the page of its failure.
    async fn read<T: DeserializeOwned>(&self, words: &[&str]) -> Result<T, Response> {
        let words: Vec<String> = words.iter().map(ToString::to_string).collect();
        let (events, _) = mpsc::unbounded_channel();
        let ended = self.program.run(&words, events, std::future::pending()).await;
        let broken = |why: String| self.refusal(StatusCode::INTERNAL_SERVER_ERROR, &Both::same(why));
        let ended = ended.map_err(|error| broken(error.to_string()))?;
        let last = ended.documents.last().ok_or_else(|| broken(ended.notes.clone()))?;
        T::deserialize(last).map_err(|error| match Failed::deserialize(last) {
            Ok(failed) => (StatusCode::NOT_FOUND, Html(self.frame().problem(&failed))).into_response(),
            Err(_) => broken(error.to_string()),
        })
    }
}

async fn desk(State(site): OfSite) -> Result<Html<String>, Response> {
    let position: Position = site.read(&["status"]).await?;
    let waits = position.inflight.is_some() && position.next == "novel decide";
    let asked = match position.next.as_str() {
        _ if waits => site.read::<Asked>(&["decide"]).await.ok(),
        _ => site.read::<Asked>(&["start"]).await.ok(),
    };
    Ok(Html(site.frame().desk(&position, asked.as_ref(), site.desk.work().as_ref())))
}

async fn contents(State(site): OfSite) -> Result<Html<String>, Response> {
    let position: Position = site.read(&["status"]).await?;
    Ok(Html(site.frame().contents(&position)))
}

async fn chapter(State(site): OfSite, Path(number): Path<ChapterNo>) -> Result<Html<String>, Response> {
    let position: Position = site.read(&["status"]).await?;
    let text = site.read(&["show", "--", &number.to_string()]).await?;
    Ok(Html(site.frame().chapter(number, &text, position.last_completed)))
}

/// The changes of a chapter: of its draft where it is in flight, else from its draft to its present text.
async fn changes(State(site): OfSite, Path(number): Path<ChapterNo>) -> Result<Html<String>, Response> {
    let number = number.to_string();
    let of_draft = site.read(&["diff", "--stage=draft..refine", "--", &number]).await;
    let compared = match of_draft {
        Ok(compared) => compared,
        Err(_) => site.read(&["diff", "--", &number]).await?,
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
        Err(error) => site.refusal(StatusCode::INTERNAL_SERVER_ERROR, &Both::same(error.to_string())),
    }
}

/// The steps of the command under way as they come, and `end`.
async fn events(State(site): OfSite) -> Sse<impl Stream<Item = Result<Event, Infallible>>> {
    let changes = site.desk.changes();
    let steps = stream::unfold((site, changes, 0, false), async |(site, mut changes, told, ended)| {
        if ended {
            return None;
        }
        loop {
            let work = site.desk.work().unwrap_or_default();
            if let Some(step) = work.steps.get(told) {
                let event = Event::default().data(step.replace(['\n', '\r'], " "));
                return Some((Ok(event), (site, changes, told + 1, false)));
            }
            if work.is_over || work.command.is_empty() || changes.changed().await.is_err() {
                return Some((Ok(Event::default().data("end")), (site, changes, told, true)));
            }
        }
    });
    Sse::new(steps)
}

async fn acted(State(site): OfSite, headers: HeaderMap, axum::Form(form): axum::Form<Form>) -> Response {
    if !site.guard.lets_act(&headers, &form.token) {
        return site.refusal(StatusCode::FORBIDDEN, &both!(site_refused));
    }
    if form.is_stop() {
        site.desk.stop();
        return Redirect::to("/").into_response();
    }
    match act::act(&site.desk, &site.program, &form).await {
        Ok(()) => Redirect::to("/").into_response(),
        Err(why) => site.refusal(StatusCode::CONFLICT, &why),
    }
}

async fn unknown(State(site): OfSite) -> Response {
    site.refusal(StatusCode::NOT_FOUND, &both!(site_unknown_page))
}
