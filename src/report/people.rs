//! The people of the book and its storylines: the answers of `novel character list`, `novel character retire` and
//! `novel storyline list`. The voices of the people: the answer of `novel character voices`.

use crate::agents::context::chapter::MinorPerson;
use crate::domain::world::character::TicKind;
use crate::domain::world::retirement::Blocker;
use crate::domain::world::storyline::Status;
use crate::pipeline::book::names::{PersonVoice, Voices};
use crate::pipeline::planning::cast::{CastMember, Retired};
use crate::pipeline::planning::storylines::LineStatus;
use crate::report::prelude::*;
use crate::report::{problem, subject};
use crate::text::{LEAST_LINES, Tic};

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct People {
    /// People in the story first, then retired ones.
    pub characters: Vec<CastMember>,
    /// People without a file whom the last twenty chapters name, the last named first.
    pub minor: Vec<MinorPerson>,
}

impl People {
    /// A line per person.
    pub fn text(&self, lang: Lang, columns: usize) -> String {
        if self.characters.is_empty() {
            return say!(lang, nobody_yet_novel_character_first).to_owned();
        }
        let mut table = Table::new(say!(lang, people_columns).split('|'), "lllll", 1);
        for entry in &self.characters {
            let left = (entry.status == "retired").then(|| say!(lang, has_left).to_owned());
            let former = (!entry.former_names.is_empty())
                .then(|| say!(lang, formerly(names = listed(&entry.former_names, lang))));
            let left = left.into_iter().chain(former).collect::<Vec<_>>().join("  ");
            table.row([
                entry.id.as_str().into(),
                entry.name.as_str().into(),
                words::role(&entry.role, lang).into(),
                entry.last_seen.map_or_else(|| "–".to_owned(), |chapter| chapter.to_string()).into(),
                Cell::painted(DIM, left),
            ]);
        }
        table.text(columns) + &self.minor_text(lang, columns)
    }

    fn minor_text(&self, lang: Lang, columns: usize) -> String {
        let Some(first) = self.minor.first() else { return String::new() };
        let title = say!(lang, named_in_last_chapters_without_file);
        let mut table = Table::bare("lll", 2).indented(2);
        for person in &self.minor {
            table.row([
                person.name.as_str().into(),
                person.chapter.to_string().into(),
                Cell::painted(DIM, say!(lang, people_times(times = person.times, place = &person.place))),
            ]);
        }
        let command = paint(HINT, &format!("novel character add {}", first.name));
        let hint = say!(lang, to_give_one_file(command));
        format!("\n{title}\n{}{hint}\n", table.text(columns))
    }
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Farewell {
    pub status: &'static str,
    pub commit: Commit,
    /// The subject of the commit.
    pub summary: String,
    /// Planned chapters that still name the person, by file.
    pub named_in: Vec<NamingFile>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct NamingFile {
    pub file: String,
    /// For example `ch-048`.
    pub chapters: Vec<String>,
}

impl Farewell {
    pub fn of(retired: &Retired) -> Self {
        let named = |tie: &Blocker| match tie {
            Blocker::Chapters { chapters, .. } => Some(NamingFile {
                file: problem::file_of(tie),
                chapters: chapters.iter().map(ToString::to_string).collect(),
            }),
            _ => None,
        };
        Self {
            status: "completed",
            commit: retired.done.commit.into(),
            summary: retired.done.subject.clone(),
            named_in: retired.named_in.iter().filter_map(named).collect(),
        }
    }

    pub fn text(&self, lang: Lang) -> String {
        let (commit, summary) = (&self.commit, subject::worded(&self.summary, lang));
        let mut text = say!(lang, people_to_see_what_changed_git_show_to_take_it(summary, commit));
        if !self.named_in.is_empty() {
            text.push_str(say!(lang, chapters_to_come_still_name_this));
            for named in &self.named_in {
                let list = named.chapters.join(say!(lang, list_comma));
                text.push_str(&format!("  {}{}{list}\n", named.file, say!(lang, colon)));
            }
        }
        text
    }
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ParticleRow {
    pub particle: char,
    /// Share of the lines that end with it, 0 to 1.
    pub share: f64,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct VoiceRow {
    pub id: String,
    pub name: String,
    /// Lines whose speaker is certainly this person.
    pub lines: usize,
    /// Mean Han characters of a line.
    pub length: f64,
    /// Share of lines that are questions, 0 to 1.
    pub questions: f64,
    /// Share of lines with a repeated phrase of the person's own, 0 to 1.
    pub catch_phrases: f64,
    /// The most frequent final particles.
    pub particles: Vec<ParticleRow>,
    pub tics: Vec<Tic>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct VoiceReport {
    /// First and last chapter read.
    pub chapters: Option<(ChapterNo, ChapterNo)>,
    pub lines: usize,
    /// Lines with a known speaker.
    pub attributed: usize,
    /// The least lines of each of two people who are compared.
    pub least_lines: usize,
    /// People, those with the most lines first.
    pub people: Vec<VoiceRow>,
    /// The ids of two people who cannot be told apart with the names covered.
    pub alike: Vec<(String, String)>,
}

const PARTICLES: usize = 3;

fn rounded(value: f64) -> f64 {
    (value * 1000.0).round() / 1000.0
}

impl VoiceReport {
    pub fn of(voices: &Voices) -> Self {
        let row = |PersonVoice { id, name, voice }: &PersonVoice| VoiceRow {
            id: id.clone(),
            name: name.clone(),
            lines: voice.lines,
            length: rounded(voice.length),
            questions: rounded(voice.questions),
            catch_phrases: rounded(voice.catch_phrases),
            particles: voice
                .particles
                .iter()
                .take(PARTICLES)
                .map(|(particle, share)| ParticleRow { particle: *particle, share: rounded(*share) })
                .collect(),
            tics: voice.tics.clone(),
        };
        Self {
            chapters: voices.chapters,
            lines: voices.lines,
            attributed: voices.attributed,
            least_lines: LEAST_LINES,
            people: voices.people.iter().map(row).collect(),
            alike: voices.alike.clone(),
        }
    }

    /// A line per person, then habits and pairs.
    pub fn text(&self, lang: Lang, columns: usize) -> String {
        let Some((first, last)) = self.chapters.filter(|_| !self.people.is_empty()) else {
            let none = say!(lang, no_line_with_known_speaker_yet);
            return none.to_owned();
        };
        let (attributed, all) = (self.attributed, self.lines);
        let range = figures::range(first.get(), last.get());
        let mut out = say!(lang, chapters_lines_with_known_speaker(range, all, attributed));
        let mut table = Table::new(say!(lang, voices_columns).split('|'), "lrrrrl", 5);
        for row in &self.people {
            let particle = |of: &ParticleRow| format!("{}\u{a0}{:.0}%", of.particle, of.share * 100.0);
            let particles: Vec<String> = row.particles.iter().map(particle).collect();
            table.row([
                row.name.as_str().into(),
                figures::count(row.lines as u64).into(),
                format!("{:.1}", row.length).into(),
                format!("{:.0}%", row.questions * 100.0).into(),
                format!("{:.0}%", row.catch_phrases * 100.0).into(),
                Cell::painted(DIM, particles.join(say!(lang, columns_gap))),
            ]);
        }
        out.push_str(&table.text(columns));
        out + &self.habits(lang) + &self.pairs(lang)
    }

    fn habits(&self, lang: Lang) -> String {
        let mut out = String::new();
        for row in &self.people {
            for Tic { words, kind, times } in &row.tics {
                let (name, lines) = (&row.name, row.lines);
                let line = match kind {
                    TicKind::Phrase => say!(lang, in_of_lines(name, words, times, lines)),
                    TicKind::Opening => say!(lang, of_lines_begin_with(name, times, lines, words)),
                    TicKind::Particle => say!(lang, of_lines_end_with(name, times, lines, words)),
                };
                out.push_str(&format!("  {}\n", paint(WARN, &line)));
            }
        }
        if out.is_empty() { out } else { format!("\n{}\n{out}", paint(STRONG, say!(lang, habits_that_come_too_often))) }
    }

    fn name<'a>(&'a self, id: &'a str) -> &'a str {
        self.people.iter().find(|row| row.id == id).map_or(id, |row| row.name.as_str())
    }

    fn pairs(&self, lang: Lang) -> String {
        let enough = self.people.iter().filter(|row| row.lines >= self.least_lines).count();
        let n = self.least_lines;
        if enough < 2 {
            return format!("\n{}\n", paint(DIM, &say!(lang, fewer_than_two_people_have_lines(n))));
        }
        if self.alike.is_empty() {
            return format!("\n{}\n", paint(DIM, say!(lang, with_names_covered_all_who_have)));
        }
        let mut out = format!("\n{}\n", paint(STRONG, say!(lang, cannot_be_told_apart_with_names)));
        for (one, other) in &self.alike {
            let (one, other) = (self.name(one), self.name(other));
            out.push_str(&format!("  {}\n", paint(WARN, &say!(lang, and(one, other)))));
        }
        out
    }
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct StorylinesReport {
    /// In the order of their file.
    pub storylines: Vec<LineStatus>,
}

impl StorylinesReport {
    /// A line per storyline.
    pub fn text(&self, lang: Lang, columns: usize) -> String {
        if self.storylines.is_empty() {
            return say!(lang, storylines_no_storyline_yet_novel_storyline).to_owned();
        }
        let mut table = Table::new(say!(lang, storylines_columns).split('|'), "llllrll", 6).yielding(20, [3, 4]);
        for entry in &self.storylines {
            let status = entry.status.say(lang);
            let style = if entry.status == Status::Active { STRONG } else { DIM };
            table.row([
                entry.id.as_str().into(),
                entry.name.as_str().into(),
                Cell::painted(style, status),
                entry.reach.say(lang).into(),
                entry.chapters.to_string().into(),
                entry.last_chapter.map_or_else(|| "–".to_owned(), |chapter| chapter.to_string()).into(),
                entry.standing.as_str().into(),
            ]);
        }
        table.text(columns)
    }
}
