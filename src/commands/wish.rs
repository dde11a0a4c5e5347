//! `novel wish`: what the author wants of the next chapters, in plain words.

use crate::commands::answers;
use crate::commands::prelude::*;
use crate::domain::chapter::author_notes::Wish;
use crate::pipeline::chapter::wishes::{self, Noted};
use crate::report::change::{WishNoted, wishes_text};
use crate::store;

#[derive(Debug, Clone, clap::Args)]
pub(crate) struct WishArgs {
    #[arg(value_name = "WISH", value_parser = value_parsers::line)]
    pub(crate) words: Vec<String>,
    #[arg(long, value_name = "COUNT", default_value = "1", hide_default_value = true, value_parser = value_parsers::chapters, requires = "words")]
    pub(crate) chapters: u32,
    #[arg(long, value_name = "NUMBER", value_parser = value_parsers::count, conflicts_with = "words")]
    pub(crate) take_back: Option<u32>,
}

pub(crate) fn run(app: &mut App, args: &WishArgs) -> Result<Exit, Failure> {
    let book = app.book()?;
    if let Some(number) = args.take_back {
        let done = app.write(&book, "wish", |run| wishes::take_wish_back(run, number))?;
        let none = || Failure::no(both!(there_is_no_wish(number))).hint(both!(novel_wish_lists_them));
        return answers::show_done(app, &done.ok_or_else(none)?);
    }
    if args.words.is_empty() {
        let open = wishes::open(&book)?;
        return app.ui.show(&open, |lang, columns| wishes_text(&open, lang, columns));
    }
    let words = args.words.join(" ");
    let told: usize = wishes::open(&book)?.wishes.iter().map(|wish| wish.text.chars().count()).sum();
    if told + words.chars().count() > Wish::MOST {
        return Err(
            Failure::no(both!(wishes_are_too_long(most = Wish::MOST))).hint(both!(say_it_shorter_or_take_wish_back))
        );
    }
    if !store::change::lines_with_key(&book, words.as_bytes(), &[]).is_empty() {
        return Err(Failure::no(both!(wish_has_key)).hint(both!(say_it_without_key)));
    }
    let Noted { wish, done, passed_over } =
        app.write(&book, "wish", |run| wishes::note_wish(run, &words, args.chapters))?;
    let noted = WishNoted { status: "noted", wish, commit: done.commit.into(), passed_over };
    app.ui.event(&noted, |lang, _| noted.text(lang))
}
