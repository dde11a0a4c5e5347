//! The pages of `novel serve`: plain HTML made here, with forms for the author's decisions.

pub mod documents;

use crate::domain::ChapterNo;
use crate::domain::book::checkpoint::Phase;
use crate::domain::chapter::stage::{Decision, Stage};
use crate::domain::workflow::Answer;
use crate::report::change;
use crate::report::decision::answer_words;
use crate::report::diff::version;
use crate::report::journey::contract_lines;
use crate::report::plan;
use crate::report::prelude::*;
use documents::{
    About, CandidatesDoc, ChoiceDoc, DiffDoc, ErrorDoc, PieceDoc, QuestionDoc, RollbackDoc, StatusDoc, TextDoc,
};
use maud::{DOCTYPE, Markup, html};

pub const SCRIPT: &str = include_str!("script.js");
/// The looks of the page of `novel report`, and those of forms and navigation.
pub const LOOKS: [&str; 2] = [include_str!("../page/page.css"), include_str!("site.css")];

/// Answers that only print, or that need files: the pages have other ways for the first, and none for the others.
const ELSEWHERE: [&str; 7] = ["look-back", "more", "stop", "research", "edit", "samples", "reference"];
/// Answers that plan a volume, as long and as the author wishes.
const PLANNING: [&str; 4] = ["plan", "go-on", "next-volume", "wrap-up"];

/// The language and the token of all pages.
#[derive(Debug, Clone, Copy)]
pub struct Frame<'a> {
    pub lang: Lang,
    /// Proves that a form is of this server.
    pub token: &'a str,
}

/// A command that the author has given in the browser.
#[derive(Debug, Clone, Default)]
pub struct BrowserCommand {
    /// The command as typed.
    pub command: String,
    /// The steps so far, a line each; of a command that is over, what has come of it.
    pub steps: Vec<String>,
    /// The stage whose text comes, the text so far, and how many texts have begun.
    pub writing: Option<Stage>,
    pub text: String,
    pub texts: usize,
    /// The failure that ended the command.
    pub failed: Option<ErrorDoc>,
    pub is_over: bool,
}

struct Button<'a> {
    act: &'a str,
    fields: &'a [(&'a str, &'a str)],
    label: &'a str,
    is_first: bool,
}

impl Frame<'_> {
    fn page(&self, title: &str, body: &Markup) -> String {
        let lang = self.lang;
        let links = html! {
            a href="/" { (say!(lang, site_desk)) }
            a href="/chapters" { (say!(lang, page_chapters)) }
            a href="/report" { (say!(lang, site_report)) }
        };
        self.framed(title, body, &links)
    }

    fn framed(&self, title: &str, body: &Markup, links: &Markup) -> String {
        let lang = self.lang;
        html! {
            (DOCTYPE)
            html lang=(lang.pick("zh-CN", "en")) {
                head {
                    meta charset="utf-8";
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    title { (title) }
                    link rel="stylesheet" href="/looks.css";
                    script src="/script.js" defer {}
                }
                body {
                    nav {
                        b { (title) }
                        (links)
                    }
                    main { (body) }
                }
            }
        }
        .into_string()
    }

    fn form(&self, button: &Button<'_>, inputs: &Markup) -> Markup {
        html! {
            form method="post" action="/act" {
                input type="hidden" name="token" value=(self.token);
                input type="hidden" name="act" value=(button.act);
                @for (name, value) in button.fields { input type="hidden" name=(name) value=(value); }
                (inputs)
                @if button.is_first { button.first { (button.label) } } @else { button { (button.label) } }
            }
        }
    }

    /// The page of a folder that has no book yet.
    pub fn begin(&self, asked: &QuestionDoc, work: Option<&BrowserCommand>) -> String {
        let lang = self.lang;
        let begin = Button { act: "begin", fields: &[], label: say!(lang, site_begin), is_first: true };
        let fields = [
            ("genre", say!(lang, site_genre)),
            ("protagonist", say!(lang, site_protagonist)),
            ("conflict", say!(lang, site_conflict)),
            ("title", say!(lang, site_title)),
        ];
        let body = html! {
            (self.work(work))
            @if work.is_none_or(|work| work.is_over) {
                p { (asked.rationale) }
                (self.form(&begin, &html! {
                    @for (name, words) in fields {
                        p { input type="text" name=(name) required[name == "genre"] maxlength="500" placeholder=(words) aria-label=(words); }
                    }
                }))
            }
        };
        self.framed("novel", &body, &html! {})
    }

    /// The first page: the position, the question that waits, and the ways on.
    pub fn desk(&self, position: &StatusDoc, waiting: Option<&ChoiceDoc>, work: Option<&BrowserCommand>) -> String {
        let lang = self.lang;
        let body = html! {
            (self.work(work))
            @if let Some(obstacle) = &position.obstacle { p.warn { (obstacle) } }
            @for trouble in &position.problems { p.bad { (trouble.path) " " (trouble.what) } }
            @if let Some(writer) = &position.writer { p.note { (say!(lang, is_writing(writer))) } }
            dl.tiles {
                @for (name, value) in tiles(position, lang) { div { dt { (name) } dd { (value) } } }
            }
            @if let Some(flight) = &position.inflight {
                p {
                    (say!(lang, in_flight)) (say!(lang, colon))
                    a href=(format!("/chapter/{}", flight.chapter.get())) { (heading(flight.chapter, &flight.title, lang)) }
                }
            }
            @for pending in &position.pending { p.warn { (pending) } }
            @if work.is_none_or(|work| work.is_over) {
                @match waiting {
                    Some(ChoiceDoc::Question(asked)) => (self.question(asked)),
                    Some(ChoiceDoc::Candidates(candidates)) => (self.candidates(candidates)),
                    None => {}
                }
                div.card { (self.ways_on(position, waiting)) }
            }
        };
        self.page(&position.title, &body)
    }

    fn work(&self, work: Option<&BrowserCommand>) -> Markup {
        let Some(work) = work else { return html! {} };
        let stop = Button { act: "stop", fields: &[], label: say!(self.lang, site_stop), is_first: false };
        html! {
            div.card {
                p { code { (work.command) } }
                @if work.is_over {
                    @for step in &work.steps { p.note { (step) } }
                } @else {
                    pre #log {}
                    div #text {}
                    (self.form(&stop, &html! {}))
                }
                @if let Some(ErrorDoc { error }) = &work.failed {
                    p.bad { (error.message) }
                    @for cause in &error.causes { p.note { (cause) } }
                    @for hint in &error.hints { p { (hint) } }
                }
            }
        }
    }

    fn question(&self, asked: &QuestionDoc) -> Markup {
        let (lang, about) = (self.lang, &asked.data);
        let chapter = about.chapter.map(|chapter| chapter.get().to_string()).unwrap_or_default();
        let title = about.title.as_deref().unwrap_or_default();
        html! {
            div.card {
                @if let Some(chapter) = about.chapter {
                    h3 { a href=(format!("/chapter/{}", chapter.get())) { (heading(chapter, title, lang)) } }
                }
                p { (asked.rationale) }
                @for fault in about.violations.iter().chain(&about.flaws) { p.warn { (about.names.within(fault, lang)) } }
                @for issue in about.issues.iter().chain(&about.advice) { p.note { (about.names.within(issue, lang)) } }
                @for change in &about.contracts {
                    p.hunk { (contract_lines(change, &about.names, lang).join("\n")) }
                }
                @for entry in &about.cleanup {
                    @let path = about.names.path(&entry.to_string(), lang);
                    p.note { (say!(lang, rebuild_path_reason(path, reason = entry.reason.say(lang)))) }
                }
                @if let Some(progress) = &about.progress { p.note { (about.names.within(&progress.text(lang), lang)) } }
                @for line in about.preface.lines().filter(|line| !line.trim().is_empty()) {
                    p { (line.trim_start_matches(['#', ' '])) }
                }
                table {
                    @for section in &about.chapters {
                        @let heading = heading(section.chapter, &section.title, lang);
                        tr {
                            td {
                                @if about.about == "plan" { (heading) }
                                @else { a href=(format!("/chapter/{}", section.chapter.get())) { (heading) } }
                            }
                            td.note { (section.conflict) (section.score.map(figures::score).unwrap_or_default()) }
                        }
                    }
                }
                @for (at, option) in asked.options.iter().enumerate().filter(|(_, option)| !ELSEWHERE.contains(&option.as_str())) {
                    @let act = match about.about.as_str() {
                        "plan" => "plan",
                        _ if about.chapter.is_some() => "decide",
                        _ => "choose",
                    };
                    @let fields = [("option", option.as_str()), ("chapter", chapter.as_str())];
                    @let (label, is_first) = (self.label(about, at, option), asked.recommendation.as_ref() == Some(option));
                    @let inputs = match option.as_str() {
                        "resize" => self.count(about.chapters.len()),
                        option if PLANNING.contains(&option) => html! { (self.count(0)) (self.wish(say!(lang, site_volume_wish), false)) },
                        _ => html! {},
                    };
                    (self.form(&Button { act, fields: &fields, label: &label, is_first }, &inputs))
                }
                @if about.about == "plan" {
                    @let again = Button { act: "again", fields: &[], label: say!(lang, site_plan_again), is_first: false };
                    (self.form(&again, &self.wish(say!(lang, site_plan_wish), true)))
                }
            }
        }
    }

    fn label(&self, about: &About, at: usize, option: &str) -> String {
        let lang = self.lang;
        let words = match (about.about.as_str(), option, &about.preset) {
            ("plan", ..) => plan::answer_words(option, lang).to_owned(),
            ("contract", "keep", _) => say!(lang, answer_keep_contract).to_owned(),
            (_, "preset", Some(name)) => say!(lang, journey_words_name(words = label(option, lang), name)),
            _ => label(option, lang).to_owned(),
        };
        let cost = about.estimates.get(at).and_then(|estimate| estimate.cost_usd).map(|cost| (cost * 1e6).round());
        words + &cost.map(|micro| say!(lang, about(money = figures::money(micro as u64, lang)))).unwrap_or_default()
    }

    fn count(&self, chapters: usize) -> Markup {
        let words = say!(self.lang, site_how_many);
        html! {
            input type="number" name="count" min="1" max="500" value=[(chapters > 0).then_some(chapters)] required[chapters > 0]
                placeholder=(words) aria-label=(words); " "
        }
    }

    fn wish(&self, words: &str, required: bool) -> Markup {
        html! { input type="text" name="wish" required[required] maxlength="500" placeholder=(words) aria-label=(words); " " }
    }

    /// The candidates of a chapter beside each other, on a narrow screen below each other.
    fn candidates(&self, asked: &CandidatesDoc) -> Markup {
        let (lang, chapter) = (self.lang, asked.chapter.get().to_string());
        let label = say!(lang, site_take_candidate);
        html! {
            div.side {
                @for candidate in &asked.candidates {
                    @let number = candidate.number.to_string();
                    @let fields = [("option", number.as_str()), ("chapter", chapter.as_str())];
                    @let is_first = asked.best == Some(candidate.number);
                    details.card open {
                        summary {
                            b { (say!(lang, site_candidate(number))) } " " (candidate.title) " "
                            small {
                                @if let Some(score) = candidate.score { (say!(lang, site_score(score = figures::score(score)))) }
                                (say!(lang, site_characters(n = figures::count(candidate.words))))
                            }
                        }
                        (self.form(&Button { act: "pick", fields: &fields, label, is_first }, &html! {}))
                        @for violation in &candidate.violations { p.warn { (violation) } }
                        @for issue in &candidate.issues { p.note { (issue) } }
                        (prose(&candidate.text))
                    }
                }
            }
        }
    }

    fn ways_on(&self, position: &StatusDoc, waiting: Option<&ChoiceDoc>) -> Markup {
        let lang = self.lang;
        let is_planned = !position.unwritten.is_empty() || position.inflight.is_some();
        let may_write = is_planned && !position.is_rearranged() && !matches!(waiting, Some(ChoiceDoc::Candidates(_)));
        let accept = Button { act: "accept", fields: &[], label: say!(lang, site_accept_chapters), is_first: true };
        let go = Button { act: "continue", fields: &[], label: say!(lang, site_write), is_first: false };
        let several =
            Button { act: "candidates", fields: &[], label: say!(lang, site_write_candidates), is_first: false };
        let wish = Button { act: "wish", fields: &[], label: say!(lang, site_note_wish), is_first: false };
        html! {
            @if position.is_rearranged() { (self.form(&accept, &html! {})) }
            @if may_write {
                (self.form(&go, &self.count(1)))
                (self.form(&Button { act: "price", fields: &[], label: say!(lang, site_price), is_first: false }, &html! {}))
            }
            @if may_write && position.inflight.is_none() {
                (self.form(&several, &html! {
                    input type="number" name="count" min="2" max="8" value="3" required aria-label=(say!(lang, site_candidates)); " "
                }))
            }
            @if !position.is_new() {
                (self.form(&Button { act: "undo", fields: &[], label: say!(lang, site_undo), is_first: false }, &html! {}))
                br;
            }
            (self.form(&wish, &html! {
                (self.wish(say!(lang, site_wish_placeholder), true)) (self.count(1))
            }))
            @for (at, wish) in position.wishes.iter().enumerate() {
                @let number = (at + 1).to_string();
                @let fields = [("number", number.as_str()), ("wish", wish.text.as_str())];
                div {
                    (wish.text) " " small { (change::wish_extent(wish, lang)) } " "
                    (self.form(&Button { act: "unwish", fields: &fields, label: say!(lang, site_take_back), is_first: false }, &html! {}))
                }
            }
        }
    }

    pub fn contents(&self, position: &StatusDoc) -> String {
        let label = plan::answer_words("resize", self.lang);
        let resize = Button { act: "plan", fields: &[("option", "resize")], label, is_first: false };
        let body = html! {
            table {
                @for written in &position.chapters {
                    tr {
                        td { a href=(format!("/chapter/{}", written.chapter.get())) { (heading(written.chapter, &written.title, self.lang)) } }
                        td.number { (figures::count(u64::from(written.words))) }
                        td.number { (written.score.map(figures::score).unwrap_or_default()) }
                    }
                }
                @for planned in &position.unwritten {
                    tr { td.note colspan="3" { (heading(planned.chapter, &planned.title, self.lang)) } }
                }
            }
            @if !position.unwritten.is_empty() && position.phase != Phase::QuickStart {
                p.note { (say!(self.lang, site_resize)) }
                (self.form(&resize, &self.count(0)))
            }
        };
        self.page(&position.title, &body)
    }

    /// A chapter's text, with the ways to its neighbours, its changes and back to it.
    pub fn chapter(&self, number: ChapterNo, text: &TextDoc, position: &StatusDoc) -> String {
        let (lang, last) = (self.lang, position.last_completed);
        let (title, prose) = text.text.split_once('\n').unwrap_or((&text.text, ""));
        let title = title.trim_start_matches(['#', ' ']);
        let link = |number: u32| format!("/chapter/{number}");
        let body = html! {
            @if position.hand_edits.contains(&text.path) { p.warn { (say!(lang, site_edit_waits)) } }
            article {
                h1 { (title) }
                (self::prose(prose))
            }
            p.turn {
                @if number.get() > 1 { a href=(link(number.get() - 1)) { (say!(lang, site_before)) } }
                a href=(format!("/chapter/{}/changes", number.get())) { (say!(lang, site_changes)) }
                @if number.get() <= last {
                    a href=(format!("/chapter/{}/edit", number.get())) { (say!(lang, site_edit)) }
                }
                @if number.get() < last {
                    a href=(format!("/back/{}", number.get())) { (say!(lang, site_back_to_here)) }
                    a href=(link(number.get() + 1)) { (say!(lang, site_after)) }
                }
            }
        };
        self.page(title, &body)
    }

    /// The author's own edit of a chapter: the text that the edit began from goes along, so that another change in the
    /// meantime is noticed. `clash` is the text that is there now, where it is another one.
    pub fn edit(&self, number: ChapterNo, was: &str, text: &str, clash: Option<&str>) -> String {
        let lang = self.lang;
        let body = html! {
            @if let Some(clash) = clash {
                p.bad { (say!(lang, site_text_has_changed)) }
                details { summary { (say!(lang, site_text_there_now)) } pre.hunk { (clash) } }
            }
            form.wide method="post" action="/save" {
                input type="hidden" name="token" value=(self.token);
                input type="hidden" name="chapter" value=(number.get());
                // A browser drops the first line break of such a field.
                textarea.was name="was" aria-hidden="true" tabindex="-1" { "\n" (was) }
                textarea name="text" rows="30" aria-label=(say!(lang, site_edit)) { "\n" (text) }
                button.first { (say!(lang, site_save)) }
            }
            p.note { (say!(lang, site_edit_is_yours)) }
        };
        self.page(&say!(lang, site_edit_title(chapter = number)), &body)
    }

    /// Two versions of a chapter, by sentence and word.
    pub fn changes(&self, compared: &DiffDoc) -> String {
        let [old, new] = [&compared.old, &compared.new].map(|name| version(name, self.lang));
        let title = format!("{old} → {new}");
        let body = html! {
            @if compared.hunks.is_empty() { p.note { (say!(self.lang, site_no_changes)) } }
            @for hunk in &compared.hunks { p.hunk { @for op in &hunk.ops { (piece(op)) } } }
        };
        self.page(&title, &body)
    }

    /// The preview of going back to a chapter, and the button that does it.
    pub fn back(&self, number: ChapterNo, leaving: &RollbackDoc) -> String {
        let title = say!(self.lang, site_back_title(chapter = number));
        let chapter = number.get().to_string();
        let tip = leaving.leaving.first().map_or("", |newest| newest.commit.as_str());
        let fields = [("chapter", chapter.as_str()), ("option", tip)];
        let button = Button { act: "back", fields: &fields, label: say!(self.lang, site_go_back), is_first: true };
        let body = html! {
            p { (leaving.what) }
            ul { @for transaction in &leaving.leaving { li { (transaction.subject) } } }
            p.note { (say!(self.lang, site_nothing_is_lost)) }
            (self.form(&button, &html! {}))
        };
        self.page(&title, &body)
    }

    /// A page that cannot be shown, in the program's own words.
    pub fn problem(&self, failed: &ErrorDoc) -> String {
        let body = html! {
            p.bad { (failed.error.message) }
            @for line in failed.error.causes.iter().chain(&failed.error.hints) { p { (line) } }
        };
        self.page("novel", &body)
    }
}

fn tiles(position: &StatusDoc, lang: Lang) -> Vec<(&'static str, String)> {
    let mut tiles = vec![
        (say!(lang, site_phase), position.phase.say(lang).to_owned()),
        (say!(lang, page_chapters), position.last_completed.to_string()),
        (say!(lang, page_words), figures::count(position.totals.words)),
    ];
    tiles.extend(position.totals.score_average.map(|mean| (say!(lang, page_mean_score), figures::score(mean))));
    let micro = (position.totals.known_cost_usd * 1e6).round();
    if micro > 0.0 {
        tiles.push((say!(lang, page_cost), figures::money(micro as u64, lang)));
    }
    tiles
}

fn heading(chapter: ChapterNo, title: &str, lang: Lang) -> String {
    say!(lang, page_chapter_heading(number = chapter.get(), title)).trim_end().to_owned()
}

fn prose(text: &str) -> Markup {
    html! { @for paragraph in text.split('\n').filter(|line| !line.trim().is_empty()) { p { (paragraph) } } }
}

/// An answer in words by its name; an unknown name stays.
pub fn label(option: &str, lang: Lang) -> &str {
    let decision = option.parse::<Decision>().map(|decision| answer_words(decision, None, lang));
    decision.or_else(|_| option.parse::<Answer>().map(|answer| answer.say(lang))).unwrap_or(option)
}

fn piece(op: &PieceDoc) -> Markup {
    html! {
        @match op {
            PieceDoc::Equal { text } => (text),
            PieceDoc::Delete { text } => { del { (text) } }
            PieceDoc::Insert { text } => { ins { (text) } }
            PieceDoc::Replace { parts } => { @for part in parts { (piece(part)) } }
        }
    }
}
