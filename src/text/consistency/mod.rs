//! Contradictions between a chapter and the book's records: deaths, storylines, owners of items, places, ages, days, ranks and
//! other figures, the spelling of names.
//! Code alone decides, and each finding shows a sentence of the chapter. A fact that is not recorded cannot be
//! contradicted.
//! Findings in Chinese, for the author and for the judge.

mod amounts;
mod figures;
mod items;
mod places;
mod presence;

pub use amounts::{AmountMeasure, Ladder, ladders};
pub use figures::{Age, Day};
pub use items::Conflicting;
pub use places::death;

use crate::domain::id::named;
use crate::domain::state::State;
use crate::domain::volume::foreshadowing::Action;
use crate::domain::{ChapterNo, Slug};
use crate::text::names::{Mention, NameIndex};
use crate::text::prelude::*;
use crate::text::quotes::{self, Quote, QuoteStyle, quotes};
use crate::text::split::Sentence;
use std::cell::OnceCell;

named! {
    pub enum Weight {
        /// The text contradicts the records.
        Conflict = "conflict",
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
        /// A person is at another place than the records have, and nothing tells of a way.
        Place = "place",
        /// Another number of an item is told than the records have.
        Count = "count",
        /// An age runs backwards or jumps.
        Age = "age",
        /// A rank, a size, a distance or a sum jumps.
        Figure = "figure",
        /// The day of a storyline runs backwards.
        Date = "date",
        /// A step of a foreshadowing that the contract wants is not among those on record.
        Task = "task",
        /// A name is written with another character of the same sound.
        Variant = "variant",
        /// Two styles of quotation marks stand in one chapter.
        Quotes = "quotes",
        /// An earlier chapter has the same title, or nearly.
        Title = "title",
    }
}

impl Sort {
    /// True when findings of the sort are about a person, an item or a word, and not about the chapter as a whole.
    pub fn has_subject(self) -> bool {
        self != Self::Quotes
    }

    pub fn weight(self) -> Weight {
        match self {
            Self::Dead | Self::TwoOwners => Weight::Conflict,
            Self::Retired
            | Self::Leak
            | Self::NotHeld
            | Self::Place
            | Self::Count
            | Self::Age
            | Self::Figure
            | Self::Date
            | Self::Task
            | Self::Variant
            | Self::Quotes
            | Self::Title => Weight::Doubt,
        }
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct Inconsistency {
    pub chapter: ChapterNo,
    pub what: Contradiction,
    /// The sentence of the chapter as evidence; empty where the record itself contradicts.
    pub quotation: String,
}

/// The kinds of contradictions, as [`Sort`], with their details.
#[derive(Debug, Clone, PartialEq)]
pub enum Contradiction {
    /// A person who is dead before the chapter speaks or acts.
    Dead {
        person: String,
        /// The words of the state.
        record: String,
    },
    /// A person who has left the story speaks or acts.
    Retired { person: String },
    /// A person of other storylines is named, which the plan of the chapter does not foresee.
    Leak { person: String, line: String },
    /// Two people hold an item after the chapter, and did not before.
    TwoOwners { item: String, owners: (String, String) },
    /// A person brings out an item without having it.
    NotHeld {
        person: String,
        item: String,
        /// `None` when the item is gone.
        owner: Option<String>,
    },
    /// A person is at another place than the records have, and no sentence tells of a way.
    Place { person: String, was: String, is: String },
    /// Another number of an item is told than the records have before and after the chapter.
    Count { item: String, recorded: u64, is: u64 },
    /// A figure of a person, a thing or a place does not follow from an earlier one.
    Figure {
        entity: String,
        measure: AmountMeasure,
        was: String,
        /// The chapter of the earlier figure.
        since: ChapterNo,
        is: String,
    },
    /// The age does not follow from an earlier one.
    Age { person: String, was: u32, since: ChapterNo, is: u32 },
    /// The day of a storyline is before the one of its last chapter.
    Date { was: String, is: String, since: ChapterNo },
    /// The contract has the chapter do a step of a foreshadowing, and the records do not have it.
    Task { id: Slug, action: Action },
    /// A name is written with another character of the same sound.
    Variant {
        form: String,
        meant: String,
        /// The uses of the form in a chapter that never names the person meant, who is expected there.
        fills: Option<usize>,
    },
    /// Some speech is in other quotation marks than the rest.
    Quotes { odd: usize, usual: usize },
    /// An earlier chapter has the same title, or one that differs in a character.
    Title { chapter: ChapterNo, title: String },
}

impl Contradiction {
    pub fn sort(&self) -> Sort {
        match self {
            Self::Dead { .. } => Sort::Dead,
            Self::Retired { .. } => Sort::Retired,
            Self::Leak { .. } => Sort::Leak,
            Self::TwoOwners { .. } => Sort::TwoOwners,
            Self::NotHeld { .. } => Sort::NotHeld,
            Self::Place { .. } => Sort::Place,
            Self::Count { .. } => Sort::Count,
            Self::Figure { .. } => Sort::Figure,
            Self::Age { .. } => Sort::Age,
            Self::Date { .. } => Sort::Date,
            Self::Task { .. } => Sort::Task,
            Self::Variant { .. } => Sort::Variant,
            Self::Quotes { .. } => Sort::Quotes,
            Self::Title { .. } => Sort::Title,
        }
    }

    /// The person, the item or the word of the finding. Chapter, sort and subject together name a finding.
    pub fn subject(&self) -> String {
        match self {
            Self::Dead { person, .. } | Self::Retired { person } | Self::Leak { person, .. } => person.clone(),
            Self::TwoOwners { item, .. } | Self::NotHeld { item, .. } | Self::Count { item, .. } => item.clone(),
            Self::Age { person, .. } | Self::Place { person, .. } => person.clone(),
            Self::Figure { entity, measure, .. } => format!("{entity}的{}", measure.in_chinese()),
            Self::Date { is, .. } => is.clone(),
            Self::Task { id, .. } => id.to_string(),
            Self::Variant { form, .. } => form.clone(),
            Self::Quotes { .. } => String::new(),
            Self::Title { chapter, .. } => chapter.to_string(),
        }
    }
}

/// The people of the book as their names stand in the text.
#[derive(Debug, Clone)]
pub struct Registry {
    pub index: NameIndex,
    /// Display names by id.
    pub names: BTreeMap<String, String>,
    pub people: BTreeSet<String>,
    /// The people who have left the story, each with the last chapter before that where it is known.
    pub retired: BTreeMap<String, Option<ChapterNo>>,
    pub ladders: Vec<Ladder>,
}

impl Registry {
    fn name<'a>(&'a self, id: &'a str) -> &'a str {
        self.names.get(id).map_or(id, String::as_str)
    }
}

/// A chapter with what is recorded around it.
#[derive(Debug, Clone, Copy)]
pub struct ExaminedChapter<'a> {
    pub chapter: ChapterNo,
    pub title: &'a str,
    pub text: &'a str,
    pub storyline: &'a Slug,
    pub before: &'a State,
    pub after: &'a State,
    /// People whom the chapter's storyline does not know, each with a storyline of theirs.
    pub foreign: &'a BTreeMap<String, String>,
    /// The viewpoint character and the people of the contract.
    pub expected: &'a BTreeSet<String>,
    /// The steps of foreshadowings that the contract wants and the records lack.
    pub undone: &'a [(Action, Slug)],
}

/// Examines chapters in order and remembers what later ones are compared with. The registry must be the same for all.
#[derive(Debug, Clone, Default)]
pub struct Examiner {
    titles: Titles,
    ages: BTreeMap<String, KnownAge>,
    /// The years that narration has let pass.
    years: u32,
    figures: crate::text::consistency::items::KnownFigures,
    /// The last day told of each storyline.
    days: BTreeMap<Slug, (Day, String, ChapterNo)>,
    /// Items that a person had and lost.
    gone: BTreeSet<String>,
}

/// An age, and the years that had passed until its chapter.
#[derive(Debug, Clone, Copy)]
struct KnownAge {
    is: u32,
    chapter: ChapterNo,
    years: u32,
}

/// A chapter's text, taken apart once. Sentences and quotations are split lazily: of most earlier chapters only the
/// figures beside names are wanted, and few have any.
struct ChapterReading<'a> {
    of: ExaminedChapter<'a>,
    mentions: Vec<Mention>,
    sentences: OnceCell<Vec<Sentence<'a>>>,
    quotes: OnceCell<Vec<Quote>>,
    narration: OnceCell<String>,
    /// The parts that tell of a memory or a dream.
    pasts: OnceCell<Vec<Range<usize>>>,
}

impl<'a> ChapterReading<'a> {
    fn of(examined: ExaminedChapter<'a>, registry: &Registry) -> Self {
        Self {
            of: examined,
            mentions: registry.index.mentions(examined.text),
            sentences: OnceCell::new(),
            quotes: OnceCell::new(),
            narration: OnceCell::new(),
            pasts: OnceCell::new(),
        }
    }

    fn sentences(&self) -> &[Sentence<'a>] {
        self.sentences.get_or_init(|| prose_sentences(self.of.text))
    }

    fn quotes(&self) -> &[Quote] {
        self.quotes.get_or_init(|| quotes(self.of.text))
    }

    fn is_spoken(&self, at: usize) -> bool {
        self.quotes().iter().any(|quote| quote.range.contains(&at))
    }

    fn whole_sentence(&self, at: usize) -> Option<&Sentence<'a>> {
        let sentences = self.sentences();
        let after = sentences.partition_point(|sentence| sentence.start <= at);
        sentences[..after].last().filter(|sentence| at < sentence.start + sentence.raw.len())
    }

    /// The sentence around a byte, shortened for a finding.
    fn sentence_at(&self, at: usize) -> String {
        self.whole_sentence(at).map(|sentence| clipped(sentence.text())).unwrap_or_default()
    }

    fn finding(&self, what: Contradiction, at: usize) -> Inconsistency {
        Inconsistency { chapter: self.of.chapter, what, quotation: self.sentence_at(at) }
    }
}

const SHOWN: usize = 60;

fn clipped(text: &str) -> String {
    text.char_indices().nth(SHOWN).map_or_else(|| text.to_owned(), |(end, _)| format!("{}……", &text[..end]))
}

impl Examiner {
    /// Returns the contradictions in a chapter, each once, the gravest first.
    pub fn examine(&mut self, registry: &Registry, examined: ExaminedChapter<'_>) -> Vec<Inconsistency> {
        let reading = ChapterReading::of(examined, registry);
        let mut findings = crate::text::consistency::places::acting_without(&reading, registry);
        findings.extend(crate::text::consistency::places::foreign(&reading, registry));
        findings.extend(items::two_owners(&reading));
        findings.extend(items::not_held(&reading, registry, &mut self.gone));
        findings.extend(crate::text::consistency::places::elsewhere(&reading, registry));
        findings.extend(items::counted(&reading, registry));
        findings.extend(self.ages(&reading, registry));
        findings.extend(self.figures.jumps(&reading, registry));
        findings.extend(self.day(&reading));
        findings.extend(examined.undone.iter().map(|(action, id)| {
            let what = Contradiction::Task { id: id.clone(), action: *action };
            Inconsistency { chapter: examined.chapter, what, quotation: String::new() }
        }));
        findings.extend(variants(&reading, registry));
        findings.extend(odd_quotes(&reading));
        findings.extend(self.titles.again(&reading));
        findings.sort_by_key(|finding| (finding.what.sort().weight(), finding.what.sort()));
        findings
    }

    /// Remembers the figures of a chapter without examining it. Money is forgotten, because the changes since are not
    /// known.
    pub fn recall(&mut self, registry: &Registry, examined: ExaminedChapter<'_>) {
        let reading = ChapterReading::of(examined, registry);
        let _ = self.ages(&reading, registry);
        let _ = self.figures.jumps(&reading, registry);
        self.figures.forget_money();
        self.titles.note(examined.chapter, examined.title);
    }

    /// Ages that do not follow from earlier ones. A chapter that passes more years than it gives ages lets all of them
    /// grow.
    fn ages(&mut self, reading: &ChapterReading<'_>, registry: &Registry) -> Vec<Inconsistency> {
        let mut findings = Vec::new();
        self.years += figures::years_told(reading);
        for age in figures::ages(reading) {
            let (chapter, is) = (reading.of.chapter, age.years);
            let known = self.ages.insert(age.id.clone(), KnownAge { is, chapter, years: self.years });
            let Some(before) = known.filter(|before| !age.follows(before.is, self.years - before.years)) else {
                continue;
            };
            let person = registry.name(&age.id).to_owned();
            let what = Contradiction::Age { person, was: before.is, since: before.chapter, is };
            findings.push(reading.finding(what, age.at));
        }
        findings
    }

    /// A day before the last day of the chapter's storyline, by the records or by the text.
    fn day(&mut self, reading: &ChapterReading<'_>) -> Option<Inconsistency> {
        let of = &reading.of;
        let told = figures::day_told(reading);
        let last = self.days.get(of.storyline).cloned();
        if let Some((day, is, at)) = told
            && let Some((before, was, since)) = last
            && day.is_before(before)
        {
            return Some(reading.finding(Contradiction::Date { was, is, since }, at));
        }
        let now = figures::day_of(of.after);
        let (day, is) = if now == figures::day_of(of.before) { return None } else { now? };
        let known = self.days.insert(of.storyline.clone(), (day, is.clone(), of.chapter));
        let (_, was, since) = known.filter(|(was, ..)| day.is_before(*was))?;
        Some(Inconsistency {
            chapter: of.chapter,
            what: Contradiction::Date { was, is, since },
            quotation: String::new(),
        })
    }
}

/// A variant that a chapter uses so often is the name of another person, unless the person meant is expected and never named.
const ANOTHER_NAME: usize = 3;

fn variants(reading: &ChapterReading<'_>, registry: &Registry) -> Vec<Inconsistency> {
    let text = reading.of.text;
    let stand_ins = registry.index.stand_ins(text, reading.of.expected);
    let filling = stand_ins.into_iter().filter(|found| found.uses >= ANOTHER_NAME).map(|found| {
        let what = Contradiction::Variant { form: found.form, meant: found.meant, fills: Some(found.uses) };
        reading.finding(what, found.at)
    });
    let found = registry.index.variants(text);
    let uses = |form: &str| found.iter().filter(|variant| variant.form == form).count();
    let mut told = BTreeSet::new();
    let slips = found.iter().filter(|variant| uses(&variant.form) < ANOTHER_NAME);
    let slips = slips.filter(|variant| told.insert(variant.form.as_str())).map(|variant| {
        let (form, meant) = (variant.form.clone(), variant.meant.clone());
        reading.finding(Contradiction::Variant { form, meant, fills: None }, variant.range.start)
    });
    filling.chain(slips).collect()
}

/// Speech in two kinds of outer marks. Marks within others are the usual nesting, and terms that are set apart are no
/// speech.
fn odd_quotes(reading: &ChapterReading<'_>) -> Option<Inconsistency> {
    let of_style =
        |style: QuoteStyle| reading.quotes().iter().filter(move |quote| quote.style == style && quote.is_speech);
    let mut counts: Vec<(usize, QuoteStyle)> = quotes::OUTER.map(|style| (of_style(style).count(), style)).to_vec();
    counts.sort_by_key(|(count, _)| *count);
    let [.., (odd, style), (usual, _)] = counts.as_slice() else { return None };
    let is_mixed = *odd >= quotes::ODD.0 && odd * 100 >= (odd + usual) * quotes::ODD.1;
    let first = of_style(*style).next().filter(|_| is_mixed)?.range.start;
    Some(reading.finding(Contradiction::Quotes { odd: *odd, usual: *usual }, first))
}

#[cfg(test)]
mod tests;

/// A title that differs in one character is looked for in so many chapters back; an equal one in the whole book.
const NEAR: u32 = 100;
/// Shorter titles that differ in one character are different words.
const SHORTEST: usize = 4;
/// Characters that number the parts of one story: 夜雨（上）, 三探水牢.
const COUNTERS: &str = "上中下前后初再又零一二三四五六七八九十百首终续";

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Titles(BTreeMap<ChapterNo, String>);

impl Titles {
    pub(crate) const NONE: Self = Self(BTreeMap::new());

    pub fn note(&mut self, chapter: ChapterNo, title: &str) {
        self.0.insert(chapter, title.trim().to_owned());
    }

    /// The earlier chapter with an equal title, or among the last hundred one that differs in a character; with its
    /// title.
    pub fn like(&self, chapter: ChapterNo, title: &str) -> Option<(ChapterNo, &str)> {
        let letters = letters(title);
        let others = || self.0.iter().filter(|(other, known)| **other < chapter && !known.is_empty());
        let is_near = |other: ChapterNo| other.get() + NEAR >= chapter.get();
        let same = others().find(|(_, known)| self::letters(known) == letters);
        let near =
            || others().rfind(|(other, known)| is_near(**other) && differ_by_one(&letters, &self::letters(known)));
        let (other, known) = same.or_else(near).filter(|_| !letters.is_empty())?;
        Some((*other, known))
    }

    /// The finding about the title of a chapter, which is then remembered.
    fn again(&mut self, reading: &ChapterReading<'_>) -> Option<Inconsistency> {
        let (chapter, title) = (reading.of.chapter, reading.of.title.trim());
        let what = self
            .like(chapter, title)
            .map(|(other, known)| Contradiction::Title { chapter: other, title: known.to_owned() });
        self.note(chapter, title);
        Some(Inconsistency { chapter, what: what?, quotation: title.to_owned() })
    }
}

/// The characters of a title without marks and spaces.
fn letters(title: &str) -> Vec<char> {
    title.chars().filter(|c| c.is_alphanumeric()).collect()
}

/// True when two titles differ in one character that is not a counter.
fn differ_by_one(a: &[char], b: &[char]) -> bool {
    let is_counter = |c: &char| COUNTERS.contains(*c) || c.is_ascii_digit();
    let ends = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    let back = a[ends..].iter().rev().zip(b[ends..].iter().rev()).take_while(|(a, b)| a == b).count();
    let (own, other) = (&a[ends..a.len() - back], &b[ends..b.len() - back]);
    let shorter = a.len().min(b.len());
    let counts = own.iter().chain(other).any(is_counter);
    shorter >= SHORTEST && own.len() <= 1 && other.len() <= 1 && !counts
}

impl Contradiction {
    /// The finding in a sentence without its end.
    pub fn in_chinese(&self) -> String {
        match self {
            Self::Dead { person, record } => format!("{person}已经死了（记录：{record}），这里却在说话或动作"),
            Self::Retired { person } => format!("{person}已经退场，这里却在说话或动作"),
            Self::Leak { person, line } => format!("{person}是「{line}」线的人，章纲里没有他，这一章不该知道"),
            Self::TwoOwners { item, owners: (one, other) } => format!("「{item}」同时在{one}和{other}手里"),
            Self::NotHeld { person, item, owner: Some(owner) } => {
                format!("{person}拿出了「{item}」，记录里它在{owner}手里")
            }
            Self::NotHeld { person, item, owner: None } => format!("{person}拿出了「{item}」，记录里它早就没有了"),
            Self::Age { person, was, since, is } => format!("{person}在 {since} 是 {was} 岁，这里是 {is} 岁"),
            Self::Place { person, was, is } => format!("{person}在记录里是在{was}，这里在{is}，没写怎么过去的"),
            Self::Count { item, recorded, is } => format!("「{item}」在记录里是 {recorded}，这里说是 {is}"),
            Self::Figure { entity, measure, was, since, is } => {
                format!("{entity}的{}在 {since} 是「{was}」，这里是「{is}」", measure.in_chinese())
            }
            Self::Date { was, is, since } => format!("时间往回走了：{since} 是「{was}」，这一章是「{is}」"),
            Self::Task { id, action } => format!("契约要这一章{}「{id}」，这一章的记录里没有", action.verb()),
            Self::Variant { form, meant, fills: Some(uses) } => {
                format!("该写到{meant}，却一次也没有，「{form}」倒有 {uses} 处，像是写错了字")
            }
            Self::Variant { form, meant, fills: None } => format!("「{form}」像是「{meant}」写错了字"),
            Self::Quotes { odd, usual } => format!("引号不统一：{usual} 处一种，{odd} 处另一种"),
            Self::Title { chapter, title } => format!("章名和 {chapter}《{title}》太像"),
        }
    }
}
