//! Making a book in an empty folder, once the author has given its idea.

use super::{AnswerArgs, StartArgs};
use crate::commands::init;
use crate::commands::prelude::*;
use crate::pipeline::planning::create_book::Idea;
use crate::report::question::Question;
use crate::store::OpenError;

/// The book of the folder, which is made in an empty one; `None` where the idea has to be given first.
pub(super) fn open(app: &mut App, args: &StartArgs, times: &mut u32) -> Result<Option<Book>, Failure> {
    let dir = app.folder()?;
    let error = match app.open(&dir) {
        Ok(book) => return Ok(Some(book)),
        Err(error) => error,
    };
    let is_begun = matches!(&error, OpenError::Unfinished(at) if *at == dir);
    let is_free = matches!(error, OpenError::NoRepository(_)) && dir.is_dir() && Book::is_vacant(&dir);
    if !(is_begun || is_free) {
        return Err(error.into());
    }
    let AnswerArgs { genre, protagonist, conflict, style } = &args.particulars;
    let mut said = [genre.clone(), protagonist.clone(), conflict.clone()];
    if !args.yes && app.ui.can_ask() {
        app.ui.say(&both!(there_is_no_book_here_yet_three))?;
        for (said, (question, flag)) in said.iter_mut().zip(init::idea_questions()) {
            if said.trim().is_empty() {
                *times += 1;
                *said = app.ui.ask(&question, flag)?;
            }
        }
    } else if !args.yes && said.iter().all(|said| said.trim().is_empty()) {
        let question = new_book(app);
        app.ui.event(&question, |lang, columns| question.listed(lang, columns, new_book_words))?;
        return Ok(None);
    }
    let [genre, protagonist, conflict] = said;
    let folder = dir.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let idea = Idea {
        title: args.title.clone().unwrap_or(folder),
        genre,
        protagonist,
        conflict,
        preset: style.clone(),
        offline: args.asking.offline,
        ..Idea::default()
    };
    init::create(app, &dir, &idea, (None, &[]), init::Afterwards::default())?;
    Ok(Some(app.open(&dir)?))
}

/// The subject of the question about an empty folder, without fields.
#[derive(Serialize)]
struct Nothing {}

fn new_book(app: &App) -> Question<Nothing> {
    let lang = app.ui.lang();
    let rationale = say!(lang, there_is_no_book_here_yet).to_owned();
    let command = |option: &str| match option {
        "new-book" => {
            "novel start --genre 都市悬疑 --protagonist 沈渡，不会水的摆渡人 --conflict 一张对不上的舱单".to_owned()
        }
        _ => "novel demo".to_owned(),
    };
    Question::new("new-book", vec!["new-book", "demo"], rationale, command, Nothing {})
}

fn new_book_words(option: &str, lang: Lang) -> &'static str {
    match option {
        "new-book" => say!(lang, new_book_make_book_genre_protagonist_and),
        _ => say!(lang, new_book_look_at_sample_book_first),
    }
}
