//! The voices of the people: the answer of `novel character voices`.

use crate::domain::voice::TicKind;
use crate::pipeline::book::voices::{PersonVoice, Voices};
use crate::report::prelude::*;
use crate::text::{LEAST_LINES, Tic};

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ParticleRow {
    pub particle: char,
    /// Share of the lines that end with it, 0 to 1.
    pub share: f64,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TicRow {
    pub words: String,
    pub kind: TicKind,
    /// The number of lines with the words.
    pub times: usize,
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
    pub tics: Vec<TicRow>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct VoiceReport {
    /// First and last chapter read.
    pub chapters: Option<[u32; 2]>,
    pub lines: usize,
    /// Lines with a known speaker.
    pub attributed: usize,
    /// The least lines of each of two people who are compared.
    pub least_lines: usize,
    /// People, those with the most lines first.
    pub people: Vec<VoiceRow>,
    /// The ids of two people who cannot be told apart with the names covered.
    pub alike: Vec<[String; 2]>,
}

const PARTICLES: usize = 3;

fn rounded(value: f64) -> f64 {
    (value * 1000.0).round() / 1000.0
}

impl VoiceReport {
    pub fn of(voices: &Voices) -> Self {
        let tic = |tic: &Tic| TicRow { words: tic.words.clone(), kind: tic.kind, times: tic.times };
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
            tics: voice.tics.iter().map(tic).collect(),
        };
        Self {
            chapters: voices.chapters.map(|(first, last): (ChapterNo, ChapterNo)| [first.get(), last.get()]),
            lines: voices.lines,
            attributed: voices.attributed,
            least_lines: LEAST_LINES,
            people: voices.people.iter().map(row).collect(),
            alike: voices.alike.iter().map(|(one, other)| [one.clone(), other.clone()]).collect(),
        }
    }

    /// A line per person, then habits and pairs.
    pub fn text(&self, lang: Lang, columns: usize) -> String {
        let Some([first, last]) = self.chapters.filter(|_| !self.people.is_empty()) else {
            let none = say!(lang, no_line_with_known_speaker_yet);
            return none.to_owned();
        };
        let (attributed, all) = (self.attributed, self.lines);
        let range = figures::range(first, last);
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
            for TicRow { words, kind, times } in &row.tics {
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
        for [one, other] in &self.alike {
            let (one, other) = (self.name(one), self.name(other));
            out.push_str(&format!("  {}\n", paint(WARN, &say!(lang, and(one, other)))));
        }
        out
    }
}
