//! Contradictions between a chapter and the book's records: deaths, storylines, owners of items, ages, days, the spelling of
//! names.
//!
//! Code decides all of it and shows a sentence of the chapter. A fact that is not recorded cannot be contradicted.

mod figures;
mod items;
mod people;
mod words;

use super::names::{Mention, NameIndex};
use super::quotes::{Quote, QuoteStyle, quotes};
use super::split::{Sentence, prose_sentences};
use crate::domain::named::named;
use crate::domain::state::State;
use crate::domain::{ChapterNo, Slug};
use std::collections::{BTreeMap, BTreeSet};

pub use figures::{Age, Day};
pub use people::death;

named! {
    /// How sure it is that something is wrong.
    pub enum Weight {
        /// A contradiction to the records.
        Conflict = "conflict",
        /// Something that is probably a slip.
        Doubt = "doubt",
    }
}

named! {
    /// The sorts of findings, as the author names them.
    pub enum Sort {
        /// A dead person speaks or acts.
        Dead = "dead",
        /// A person who has left the story speaks or acts.
        Retired = "retired",
        /// A person of another storyline is named.
        Leak = "leak",
        /// An item is in the hands of two people.
        TwoOwners = "two-owners",
        /// A person brings out an item that another one holds, or that is gone.
        NotHeld = "not-held",
        /// An age runs backwards or jumps.
        Age = "age",
        /// The day of a storyline runs backwards.
        Date = "date",
        /// A name is written with another character of the same sound.
        Variant = "variant",
        /// Two styles of quotation marks stand in one chapter.
        Quotes = "quotes",
        /// An earlier chapter has the same title.
        Title = "title",
    }
}

impl Sort {
    /// Whether a finding of the sort is about a person, an item or a word, and not about the chapter as a whole.
    #[must_use]
    pub fn has_subject(self) -> bool {
        self != Self::Quotes
    }

    /// How sure a finding of the sort is.
    #[must_use]
    pub fn weight(self) -> Weight {
        match self {
            Self::Dead | Self::TwoOwners => Weight::Conflict,
            Self::Retired
            | Self::Leak
            | Self::NotHeld
            | Self::Age
            | Self::Date
            | Self::Variant
            | Self::Quotes
            | Self::Title => Weight::Doubt,
        }
    }
}

/// A contradiction in a chapter.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding {
    /// The chapter.
    pub chapter: ChapterNo,
    /// The contradiction.
    pub what: Contradiction,
    /// The sentence of the chapter that shows it; empty where the record itself does.
    pub quotation: String,
}

/// A contradiction between text and records.
#[derive(Debug, Clone, PartialEq)]
pub enum Contradiction {
    /// A person who is dead before the chapter speaks or acts in it.
    Dead {
        /// The person.
        person: String,
        /// The words of the state.
        record: String,
    },
    /// A person who has left the story speaks or acts.
    Retired {
        /// The person.
        person: String,
    },
    /// A person of other storylines is named, and the plan of the chapter does not say so.
    Leak {
        /// The person.
        person: String,
        /// The line of that person.
        line: String,
    },
    /// Two people hold the same item after the chapter, and did not before.
    TwoOwners {
        /// The item.
        item: String,
        /// The two.
        owners: (String, String),
    },
    /// A person brings out an item without having it.
    NotHeld {
        /// The person.
        person: String,
        /// The item.
        item: String,
        /// Its holder; `None` when it is gone.
        owner: Option<String>,
    },
    /// An age does not follow from an earlier one.
    Age {
        /// The person.
        person: String,
        /// The earlier age.
        was: u32,
        /// The chapter that gives it.
        since: ChapterNo,
        /// The age now.
        is: u32,
    },
    /// The day of a storyline is before the one of its last chapter.
    Date {
        /// The day of the last chapter of the line.
        was: String,
        /// The day now.
        is: String,
        /// That chapter.
        since: ChapterNo,
    },
    /// A name is written with another character of the same sound.
    Variant {
        /// As it is written.
        form: String,
        /// The registered form.
        meant: String,
    },
    /// Some speech is in other quotation marks than the rest.
    Quotes {
        /// How many spans are.
        odd: usize,
        /// How many are as usual.
        usual: usize,
    },
    /// An earlier chapter has the same title.
    Title {
        /// That chapter.
        chapter: ChapterNo,
    },
}

impl Contradiction {
    /// The sort of it.
    #[must_use]
    pub fn sort(&self) -> Sort {
        match self {
            Self::Dead { .. } => Sort::Dead,
            Self::Retired { .. } => Sort::Retired,
            Self::Leak { .. } => Sort::Leak,
            Self::TwoOwners { .. } => Sort::TwoOwners,
            Self::NotHeld { .. } => Sort::NotHeld,
            Self::Age { .. } => Sort::Age,
            Self::Date { .. } => Sort::Date,
            Self::Variant { .. } => Sort::Variant,
            Self::Quotes { .. } => Sort::Quotes,
            Self::Title { .. } => Sort::Title,
        }
    }

    /// Its subject: the person, the item or the word. With chapter and sort it names a finding.
    #[must_use]
    pub fn subject(&self) -> String {
        match self {
            Self::Dead { person, .. } | Self::Retired { person } | Self::Leak { person, .. } => person.clone(),
            Self::TwoOwners { item, .. } | Self::NotHeld { item, .. } => item.clone(),
            Self::Age { person, .. } => person.clone(),
            Self::Date { is, .. } => is.clone(),
            Self::Variant { form, .. } => form.clone(),
            Self::Quotes { .. } => String::new(),
            Self::Title { chapter } => chapter.to_string(),
        }
    }
}

/// The people of the book as their names stand in the text.
#[derive(Debug, Clone)]
pub struct Registry {
    /// All names.
    pub index: NameIndex,
    /// Display names by id.
    pub names: BTreeMap<String, String>,
    /// The ids of those who have left the story.
    pub retired: BTreeSet<String>,
}

impl Registry {
    fn name<'a>(&'a self, id: &'a str) -> &'a str {
        self.names.get(id).map_or(id, String::as_str)
    }
}

/// A chapter with what is recorded around it.
#[derive(Debug, Clone, Copy)]
pub struct Examined<'a> {
    /// Which.
    pub chapter: ChapterNo,
    /// Its title.
    pub title: &'a str,
    /// Its text.
    pub text: &'a str,
    /// The storyline that it is on.
    pub storyline: &'a Slug,
    /// The state before it.
    pub before: &'a State,
    /// The state after it.
    pub after: &'a State,
    /// People whom the chapter's line does not know, each with a line of theirs.
    pub foreign: &'a BTreeMap<String, String>,
}

/// Examines chapters one after the other, in their order, and remembers what later ones are compared with.
#[derive(Debug, Clone)]
pub struct Examiner<'r> {
    registry: &'r Registry,
    titles: BTreeMap<String, ChapterNo>,
    ages: BTreeMap<String, (u32, ChapterNo)>,
    /// The last day of each storyline.
    days: BTreeMap<Slug, (Day, String, ChapterNo)>,
    /// Items that a person had and lost.
    gone: BTreeSet<String>,
}

/// A chapter's text, taken apart once.
struct Reading<'a> {
    of: Examined<'a>,
    sentences: Vec<Sentence<'a>>,
    quotes: Vec<Quote>,
    mentions: Vec<Mention>,
}

impl<'a> Reading<'a> {
    fn of(examined: Examined<'a>, registry: &Registry) -> Self {
        Self {
            of: examined,
            sentences: prose_sentences(examined.text),
            quotes: quotes(examined.text),
            mentions: registry.index.mentions(examined.text),
        }
    }

    /// Whether that byte is within speech.
    fn is_spoken(&self, at: usize) -> bool {
        self.quotes.iter().any(|quote| quote.range.contains(&at))
    }

    /// The sentence around a byte, shortened for showing.
    fn sentence_at(&self, at: usize) -> String {
        let within = |sentence: &&Sentence<'_>| sentence.start <= at && at < sentence.start + sentence.raw.len();
        self.sentences.iter().find(within).map(|sentence| clipped(sentence.text())).unwrap_or_default()
    }

    fn finding(&self, what: Contradiction, at: usize) -> Finding {
        Finding { chapter: self.of.chapter, what, quotation: self.sentence_at(at) }
    }
}

/// The most characters of a quotation.
const SHOWN: usize = 60;

fn clipped(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}……", &text[..end]),
        None => text.to_owned(),
    }
}

impl<'r> Examiner<'r> {
    /// An examiner who has seen nothing.
    #[must_use]
    pub fn new(registry: &'r Registry) -> Self {
        Self { registry, titles: BTreeMap::new(), ages: BTreeMap::new(), days: BTreeMap::new(), gone: BTreeSet::new() }
    }

    /// Returns the contradictions in a chapter, each once, the gravest first.
    pub fn examine(&mut self, examined: Examined<'_>) -> Vec<Finding> {
        let reading = Reading::of(examined, self.registry);
        let mut findings = people::acting_without(&reading, self.registry);
        findings.extend(people::foreign(&reading, self.registry));
        findings.extend(items::two_owners(&reading));
        findings.extend(items::not_held(&reading, self.registry, &mut self.gone));
        findings.extend(self.ages(&reading));
        findings.extend(self.day(&reading));
        findings.extend(variants(&reading, self.registry));
        findings.extend(odd_quotes(&reading));
        findings.extend(self.title(&reading));
        findings.sort_by_key(|finding| (finding.what.sort().weight(), finding.what.sort()));
        findings
    }

    fn ages(&mut self, reading: &Reading<'_>) -> Vec<Finding> {
        let mut findings = Vec::new();
        for age in figures::ages(reading) {
            let (chapter, is) = (reading.of.chapter, age.years);
            let known = self.ages.insert(age.id.clone(), (is, chapter));
            let Some((was, since)) = known.filter(|(was, _)| !age.follows(*was)) else { continue };
            let person = self.registry.name(&age.id).to_owned();
            findings.push(reading.finding(Contradiction::Age { person, was, since, is }, age.at));
        }
        findings
    }

    fn day(&mut self, reading: &Reading<'_>) -> Option<Finding> {
        let of = &reading.of;
        let now = figures::day_of(of.after);
        let (day, is) = if now == figures::day_of(of.before) { return None } else { now? };
        let known = self.days.insert(of.storyline.clone(), (day, is.clone(), of.chapter));
        let (_, was, since) = known.filter(|(was, ..)| day.is_before(*was))?;
        Some(Finding { chapter: of.chapter, what: Contradiction::Date { was, is, since }, quotation: String::new() })
    }

    fn title(&mut self, reading: &Reading<'_>) -> Option<Finding> {
        let title = reading.of.title.trim();
        if title.is_empty() {
            return None;
        }
        if let Some(chapter) = self.titles.get(title).copied().filter(|chapter| *chapter != reading.of.chapter) {
            let what = Contradiction::Title { chapter };
            return Some(Finding { chapter: reading.of.chapter, what, quotation: title.to_owned() });
        }
        self.titles.insert(title.to_owned(), reading.of.chapter);
        None
    }
}

/// A variant that is used so often in a chapter is another person's name.
const ANOTHER_NAME: usize = 3;

fn variants(reading: &Reading<'_>, registry: &Registry) -> Vec<Finding> {
    let found = registry.index.variants(reading.of.text);
    let uses = |form: &str| found.iter().filter(|variant| variant.form == form).count();
    let mut told = BTreeSet::new();
    let slips = found.iter().filter(|variant| uses(&variant.form) < ANOTHER_NAME);
    slips
        .filter(|variant| told.insert(variant.form.as_str()))
        .map(|variant| {
            let what = Contradiction::Variant { form: variant.form.clone(), meant: variant.meant.clone() };
            reading.finding(what, variant.range.start)
        })
        .collect()
}

/// The fewest spans in other marks, and their least share in hundredths: fewer are titles and words set apart.
const ODD_QUOTES: (usize, usize) = (3, 10);

/// Speech in one kind of marks and in another; marks within others are the usual nesting, and terms that are set apart are no
/// speech.
fn odd_quotes(reading: &Reading<'_>) -> Option<Finding> {
    let of_style =
        |style: QuoteStyle| reading.quotes.iter().filter(move |quote| quote.style == style && quote.is_speech);
    let mut counts: Vec<(usize, QuoteStyle)> = QuoteStyle::ALL.map(|style| (of_style(style).count(), style)).to_vec();
    counts.sort_by_key(|(count, _)| *count);
    let [.., (odd, style), (usual, _)] = counts.as_slice() else { return None };
    let is_mixed = *odd >= ODD_QUOTES.0 && odd * 100 >= (odd + usual) * ODD_QUOTES.1;
    let first = of_style(*style).next().filter(|_| is_mixed)?.range.start;
    Some(reading.finding(Contradiction::Quotes { odd: *odd, usual: *usual }, first))
}

#[cfg(test)]
mod tests;
