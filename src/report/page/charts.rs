//! The charts of the page. Each point names its chapter and leads to the chapter's text.

use crate::domain::Slug;
use crate::domain::chapter::Gate;
use crate::domain::quality::{StyleFigure, StyleMeasure};
use crate::domain::volume::foreshadowing::Action;
use crate::domain::volume::inventory::{Standing, Thread};
use crate::pipeline::checks::metrics::{Pictured, Portrait};
use crate::report::page::{heading, read_score};
use crate::report::prelude::*;
use maud::{Markup, html};

/// The height of a chart of curves or bars, in pixels.
const HEIGHT: f64 = 120.0;
/// The height of a curve among many.
const LOW: f64 = 48.0;
/// So many colours tell lines and places apart; then they begin again.
const COLOURS: usize = 8;
/// So many relations are shown, the strongest first.
const MOST_RELATIONS: usize = 40;

/// The charts that the book has something for, with their titles.
pub(super) fn all(portrait: &Portrait, names: &Names, lang: Lang) -> Vec<(&'static str, Markup)> {
    let titles =
        portrait.chapters.iter().map(|chapter| (chapter.figures.chapter.get(), chapter.title.as_str())).collect();
    let drawing = Drawing { portrait, names, lang, titles, scale: Scale::of(last(portrait)) };
    let charts = [
        (say!(lang, page_weave), drawing.weave()),
        (say!(lang, page_threads), drawing.threads()),
        (say!(lang, page_scores), drawing.scores()),
        (say!(lang, page_style), drawing.style()),
        (say!(lang, page_people), drawing.people()),
        (say!(lang, page_relations), drawing.relations()),
        (say!(lang, page_words_cost_and_time), drawing.spent()),
    ];
    charts.into_iter().filter_map(|(name, chart)| Some((name, chart?))).collect()
}

fn last(portrait: &Portrait) -> u32 {
    let written = portrait.chapters.last().map_or(0, |chapter| chapter.figures.chapter.get());
    portrait.ahead.last().map_or(written, |section| section.chapter.get())
}

struct Drawing<'a> {
    portrait: &'a Portrait,
    names: &'a Names,
    lang: Lang,
    /// The titles of the written chapters.
    titles: BTreeMap<u32, &'a str>,
    scale: Scale,
}

impl Drawing<'_> {
    /// The storylines as lanes, and the way of the story through them.
    fn weave(&self) -> Option<Markup> {
        let written = || self.portrait.chapters.iter().filter_map(|chapter| Some((chapter, chapter.line.as_ref()?)));
        let ahead = &self.portrait.ahead;
        let used: Vec<&Slug> =
            written().map(|(_, line)| line).chain(ahead.iter().map(|section| &section.storyline)).collect();
        let known = self.portrait.lines.iter().map(|line| &line.id);
        let mut lanes: Vec<&Slug> = known.filter(|id| used.contains(id)).collect();
        for line in &used {
            if !lanes.contains(line) {
                lanes.push(line);
            }
        }
        let lane = |id: &str| lanes.iter().position(|line| line.as_str() == id);
        let y = |lane: usize| (lane as f64 + 0.5) * LANE;
        if lanes.is_empty() {
            return None;
        }
        let height = lanes.len() as f64 * LANE;
        let stops = || {
            let planned = ahead.iter().map(|section| (section.chapter, &section.storyline));
            let stops = written().map(|(chapter, line)| (chapter.figures.chapter, line)).chain(planned);
            stops.map(|(chapter, line)| (self.scale.at(chapter.get()), y(lane(line.as_str()).unwrap_or(0))))
        };
        let met = |chapter: &Pictured, own: &str| -> Vec<usize> {
            let seen = chapter.figures.lines.iter().flat_map(|lines| &lines.seen);
            seen.filter(|line| *line != own).filter_map(|line| lane(line)).collect()
        };
        let drawing = html! {
            @for meeting in &self.portrait.meetings {
                @let (from, to) = meeting.chapters;
                rect.meeting x=(px(self.scale.left(from))) y="0" height=(px(height))
                    width=(px(self.scale.left(to + 1) - self.scale.left(from))) {
                    title { (say!(self.lang, page_planned_crossover)) " " (figures::range(from, to)) " " (meeting.trigger) }
                }
            }
            @for at in 0..lanes.len() { line.lane x1="0" x2="100%" y1=(px(y(at))) y2=(px(y(at))) {} }
            polyline.way points=(points(stops())) {}
            @for (chapter, line) in written() {
                @let (x, own) = (self.scale.at(chapter.figures.chapter.get()), lane(line.as_str()).unwrap_or(0));
                @for other in met(chapter, line.as_str()) {
                    line.meets.(colour(other)) x1=(px(x)) x2=(px(x)) y1=(px(y(own))) y2=(px(y(other))) {}
                }
                (self.point(chapter.figures.chapter.get(), y(own), &colour(own), &self.names.name(line.as_str(), self.lang)))
            }
            @for section in ahead {
                @let own = lane(section.storyline.as_str()).unwrap_or(0);
                circle.ahead.(colour(own)) cx=(px(self.scale.at(section.chapter.get()))) cy=(px(y(own))) r="3.5" {
                    title { (heading(section.chapter.get(), &section.title, self.lang)) }
                }
            }
        };
        let labels: Vec<String> = lanes.iter().map(|line| self.names.name(line.as_str(), self.lang)).collect();
        Some(self.scale.chart(&labels, height, &drawing))
    }

    /// A shape that names its chapter and leads to the chapter's text, where the chapter is written.
    fn linked(&self, chapter: u32, shape: &Markup) -> Markup {
        html! { @if self.titles.contains_key(&chapter) { a href=(format!("#ch-{chapter}")) { (shape) } } @else { (shape) } }
    }

    /// A point of a chapter, with words that are shown when it is pointed at.
    fn point(&self, chapter: u32, y: f64, class: &str, words: &str) -> Markup {
        let size = (self.scale.breadth() / 2.0).clamp(1.5, 5.0);
        self.linked(
            chapter,
            &html! {
                circle.(class) cx=(px(self.scale.at(chapter))) cy=(px(y)) r=(px(size)) { title { (self.told(chapter, words)) } }
            },
        )
    }

    /// The words after the number and the title of the chapter.
    fn told(&self, chapter: u32, words: &str) -> String {
        let title = self.titles.get(&chapter).copied().unwrap_or_default();
        format!("{} · {words}", heading(chapter, title, self.lang))
    }

    /// The plot threads as bars from planting to resolution, with the windows in which they are due.
    fn threads(&self) -> Option<Markup> {
        let threads = &self.portrait.threads.threads;
        let drawing = html! {
            @for (at, thread) in threads.iter().enumerate() { (self.thread(thread, at as f64 * LANE)) }
        };
        let label = |thread: &Thread| {
            format!("{} · {}", thread.standing.say(self.lang), self.names.name(thread.id.as_str(), self.lang))
        };
        let labels: Vec<String> = threads.iter().map(label).collect();
        (!threads.is_empty()).then(|| self.scale.chart(&labels, threads.len() as f64 * LANE, &drawing))
    }

    fn thread(&self, thread: &Thread, y: f64) -> Markup {
        let written = self.portrait.threads.last_completed;
        let done = thread.history.iter().map(|step| (step.chapter.get(), step.action, &step.detail));
        let ahead = thread.ahead.iter().map(|step| (step.chapter.get(), step.action, &step.detail));
        let steps: Vec<(u32, Action, &String)> = done.chain(ahead).collect();
        let chapters = || steps.iter().map(|(chapter, ..)| *chapter);
        let open_until = thread.is_open().then_some(written);
        let tone = match thread.standing {
            Standing::Overdue => "bad",
            Standing::Due | Standing::Neglected => "warn",
            Standing::Resolved => "good",
            Standing::Advanced | Standing::Planted => "c0",
            Standing::Planned => "faint",
        };
        let span =
            |from: u32, to: u32| (px(self.scale.left(from)), px(self.scale.left(to + 1) - self.scale.left(from)));
        html! {
            @if let Some((from, to)) = thread.window {
                @let (x, width) = span(from, to);
                rect.window x=(x) y=(px(y + 4.0)) width=(width) height=(px(LANE - 8.0)) {
                    title { (say!(self.lang, page_due)) " " (figures::range(from, to)) }
                }
            }
            @if let (Some(from), Some(to)) = (chapters().min(), chapters().chain(open_until).max()) {
                @let (x, width) = span(from, to);
                rect.(tone) x=(x) y=(px(y + 10.0)) width=(width) height=(px(LANE - 20.0)) {
                    title { (thread.description) " · " (thread.standing.say(self.lang)) }
                }
            }
            @for (chapter, action, detail) in &steps {
                @let class = if *chapter > written { "ahead" } else { tone };
                (self.point(*chapter, y + LANE / 2.0, class, &format!("{} · {detail}", action.say(self.lang))))
            }
        }
    }

    /// The overall scores of the chapters that a model has judged.
    fn scores(&self) -> Option<Markup> {
        let y = |score: f64| (5.2 - score) / 4.4 * HEIGHT;
        let judged = || self.portrait.chapters.iter().filter_map(|chapter| Some((chapter, read_score(chapter)?)));
        let _ = judged().next()?;
        let stops = judged().map(|(chapter, score)| (self.scale.at(chapter.figures.chapter.get()), y(score)));
        let gate = |chapter: &Pictured| match chapter.figures.gate {
            Some(Gate::Pass | Gate::Polish) => "good",
            Some(Gate::AuthorPass | Gate::ForcePass) => "bad",
            _ => "warn",
        };
        let words = |chapter: &Pictured, score: f64| {
            let gate = chapter.figures.gate.map_or("", |gate| gate.say(self.lang));
            format!("{} {gate}", figures::score(score))
        };
        let drawing = html! {
            @for whole in 1..=5 {
                line.lane x1="0" x2="100%" y1=(px(y(f64::from(whole)))) y2=(px(y(f64::from(whole)))) {}
                text.level x="2" y=(px(y(f64::from(whole)) - 2.0)) { (whole) }
            }
            polyline.curve points=(points(stops)) {}
            @for (chapter, score) in judged() {
                (self.point(chapter.figures.chapter.get(), y(score), gate(chapter), &words(chapter, score)))
            }
        };
        Some(self.scale.chart(&[say!(self.lang, page_score).to_owned()], HEIGHT, &drawing))
    }

    /// A curve for each figure of the style, over the range of books by people.
    fn style(&self) -> Option<Markup> {
        let curves: Vec<Markup> = StyleMeasure::ALL.iter().filter_map(|measure| self.curve(*measure)).collect();
        (!curves.is_empty()).then(|| {
            html! { p.note { (say!(self.lang, page_style_note)) } @for curve in curves { (curve) } }
        })
    }

    fn curve(&self, measure: StyleMeasure) -> Option<Markup> {
        let of = |chapter: &Pictured| {
            let figure = chapter.figures.style.iter().find(|figure| figure.measure == measure)?;
            Some((chapter.figures.chapter.get(), *figure))
        };
        let figures: Vec<(u32, StyleFigure)> = self.portrait.chapters.iter().filter_map(of).collect();
        let (_, last) = figures.last()?;
        let human = last.human.into_iter().flat_map(|(from, to)| [from, to]);
        let most = figures.iter().map(|(_, figure)| figure.now).chain(human).fold(0.0, f64::max);
        let y = |value: f64| LOW - value / (most * 1.1).max(f64::EPSILON) * LOW;
        let stops = figures.iter().map(|(chapter, figure)| (self.scale.at(*chapter), y(figure.now)));
        let tone = |figure: &StyleFigure| match figure.human {
            None => "c0",
            Some((from, to)) if (from..=to).contains(&figure.now) => "good",
            Some(_) => "bad",
        };
        let drawing = html! {
            @if let Some((from, to)) = last.human {
                rect.human x="0" width="100%" y=(px(y(to))) height=(px(y(from) - y(to))) {
                    title { (say!(self.lang, page_books_by_people)) " " (measure.shown(from)) "–" (measure.shown(to)) }
                }
            }
            polyline.curve points=(points(stops)) {}
            @for (chapter, figure) in &figures {
                (self.point(*chapter, y(figure.now), tone(figure), &measure.shown(figure.now)))
            }
        };
        let label = format!("{} {}", measure.say(self.lang), measure.shown(last.now));
        Some(self.scale.chart(&[label], LOW, &drawing))
    }

    /// The places of each of the people over the chapters.
    fn people(&self) -> Option<Markup> {
        let end = self.portrait.chapters.last()?.figures.chapter.get();
        let mut colours: BTreeMap<&str, usize> = BTreeMap::new();
        let mut drawing = Vec::new();
        for (at, stays) in self.portrait.places.values().enumerate() {
            let mut stays = stays.iter().peekable();
            while let Some((from, place)) = stays.next() {
                let (from, to) = ((*from).max(1), stays.peek().map_or(end, |(next, _)| next.saturating_sub(1)));
                let new = colours.len();
                let tone = colour(*colours.entry(place).or_insert(new));
                let (name, x) = (self.names.name(place, self.lang), self.scale.left(from));
                let width = self.scale.left(to + 1) - x;
                let has_room = name.chars().count() as f64 * 12.0 + 6.0 < width;
                let stay = html! {
                    rect.(tone) x=(px(x)) y=(px(at as f64 * LANE + 3.0)) width=(px((width - 1.0).max(1.0))) height=(px(LANE - 6.0)) {
                        title { (figures::range(from, to)) " · " (name) }
                    }
                    @if has_room { text.place x=(px(x + 4.0)) y=(px(at as f64 * LANE + 17.0)) { (name) } }
                };
                drawing.push(self.linked(from, &stay));
            }
        }
        let labels: Vec<String> = self.portrait.places.keys().map(|who| self.names.name(who, self.lang)).collect();
        let drawing = html! { @for stay in drawing { (stay) } };
        (!labels.is_empty()).then(|| self.scale.chart(&labels, labels.len() as f64 * LANE, &drawing))
    }

    fn relations(&self) -> Option<Markup> {
        let bonds = &self.portrait.relations;
        let name = |id: &str| self.names.name(id, self.lang);
        (!bonds.is_empty()).then(|| {
            html! {
                table.relations {
                    @for bond in bonds.iter().take(MOST_RELATIONS) {
                        tr {
                            td { (name(&bond.from)) " → " (name(&bond.to)) }
                            td.number { (bond.value) }
                            td { div.(if bond.value < 0 { "enmity" } else { "amity" }) style=(format!("width:{}%", bond.value.abs())) {} }
                        }
                    }
                }
            }
        })
    }

    /// Words, money and time of each chapter, as bars.
    fn spent(&self) -> Option<Markup> {
        type Row = (&'static str, fn(&Pictured) -> Option<u64>, fn(u64, Lang) -> String);
        let lang = self.lang;
        let rows: [Row; 3] = [
            (say!(lang, page_words), |chapter| chapter.figures.words, |words, _| figures::count(words)),
            (
                say!(lang, page_cost),
                |chapter| chapter.figures.calls?.cost_micro_usd.filter(|cost| *cost > 0),
                figures::money,
            ),
            (say!(lang, page_time), |chapter| chapter.figures.calls?.duration_ms, |time, _| figures::duration(time)),
        ];
        let charts = rows.into_iter().filter_map(|(name, value, shown)| {
            let most = self.portrait.chapters.iter().filter_map(value).max()?;
            let bars = self.portrait.chapters.iter().filter_map(|chapter| Some((chapter, value(chapter)?)));
            let drawing = html! {
                @for (chapter, value) in bars {
                    @let (number, height) = (chapter.figures.chapter.get(), value as f64 / most.max(1) as f64 * (LOW - 4.0));
                    @let bar = html! {
                        rect.bar x=(px(self.scale.at(number) - self.scale.breadth() / 2.0)) width=(px(self.scale.breadth()))
                            y=(px(LOW - height)) height=(px(height)) { title { (self.told(number, &shown(value, lang))) } }
                    };
                    (self.linked(number, &bar))
                }
            };
            Some(self.scale.chart(&[format!("{name} ≤ {}", shown(most, lang))], LOW, &drawing))
        });
        let charts: Vec<Markup> = charts.collect();
        (!charts.is_empty()).then(|| html! { @for chart in charts { (chart) } })
    }
}

fn points(stops: impl Iterator<Item = (f64, f64)>) -> String {
    stops.map(|(x, y)| format!("{},{}", px(x), px(y))).collect::<Vec<_>>().join(" ")
}

fn colour(at: usize) -> String {
    format!("c{}", at % COLOURS)
}

/// Pixels.
pub(super) const LANE: f64 = 26.0;
const AXIS: f64 = 20.0;
/// The width that a short book's charts fill.
const WIDE: f64 = 820.0;
/// Possible distances of the axis's numbers, in chapters.
const STEPS: [u32; 9] = [1, 2, 5, 10, 20, 50, 100, 200, 500];

pub(super) struct Scale {
    last: u32,
    step: f64,
}

impl Scale {
    pub(super) fn of(last: u32) -> Self {
        let last = last.max(1);
        Self { last, step: (WIDE / f64::from(last)).clamp(3.0, 64.0) }
    }

    pub(super) fn at(&self, chapter: u32) -> f64 {
        self.left(chapter) + self.step / 2.0
    }

    /// The left side of a chapter, or the right side of the one before.
    pub(super) fn left(&self, chapter: u32) -> f64 {
        f64::from(chapter.clamp(1, self.last + 1) - 1) * self.step
    }

    /// The width of a bar or the size of a point.
    pub(super) fn breadth(&self) -> f64 {
        (self.step * 0.7).min(12.0)
    }

    /// A chart of `height` pixels above the axis. Each label has a lane of its own, or there is one for the whole height.
    pub(super) fn chart(&self, labels: &[String], height: f64, drawing: &Markup) -> Markup {
        let (width, lane) = (f64::from(self.last) * self.step, height / labels.len().max(1) as f64);
        let step = STEPS.into_iter().find(|step| f64::from(*step) * self.step >= 34.0).unwrap_or(1000);
        let numbers = (1..=self.last).filter(|number| *number == 1 || number % step == 0);
        html! {
            div.chart {
                div.labels { @for label in labels { div style=(format!("height:{lane}px")) title=(label) { (label) } } }
                div.scroll {
                    svg width=(width) height=(height + AXIS) role="img" {
                        (drawing)
                        @for number in numbers { text.axis x=(px(self.at(number))) y=(px(height + 14.0)) { (number) } }
                    }
                }
            }
        }
    }
}

/// A number of pixels with one digit behind the point at most, which keeps the page small.
pub(super) fn px(pixels: f64) -> String {
    let rounded = (pixels * 10.0).round() / 10.0;
    rounded.to_string()
}
