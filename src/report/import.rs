//! The answer of `novel import`: the chapters that were found, and every guess.

use crate::manuscript::peer::PeerBook;
use crate::manuscript::{ApartKind, DoubtKind, Manuscript, PartKind, SourceDoubt, SourcePlace};
use crate::pipeline::book::import::{Fate, ImportSlot, TextDifference};
use crate::report::catalogue::counted;
use crate::report::prelude::*;
use crate::report::style;
use crate::text::characters;

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct ImportReport {
    /// `planned` before anything is written, `imported` or `unchanged` afterwards.
    pub status: &'static str,
    pub title: String,
    pub author: Option<String>,
    pub files: Vec<ImportedFile>,
    pub volumes: Vec<ImportedVolume>,
    pub chapters: Vec<ImportedChapter>,
    pub apart: Vec<ApartText>,
    pub doubts: Vec<ImportDoubt>,
    /// The records of another program's book; `None` for other files.
    pub carried: Option<Carried>,
    /// The book's folder; `None` before it is known.
    pub path: Option<String>,
    pub commit: Option<Commit>,
    /// Commands that go on from here.
    pub next: Vec<String>,
}

/// The end of an import whose chapters a model has retold.
#[derive(Debug, Serialize)]
pub struct Retold {
    pub retold: usize,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ImportedFile {
    pub name: String,
    pub encoding: &'static str,
    /// The first line that shows the encoding to be right.
    pub proof: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ImportedVolume {
    pub number: Option<u32>,
    pub title: String,
    pub chapters: usize,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ImportedChapter {
    pub chapter: u32,
    pub volume: u32,
    /// The number in the file.
    pub number: Option<u32>,
    pub kind: &'static str,
    pub title: String,
    /// Characters without blanks.
    pub characters: usize,
    pub file: String,
    pub line: usize,
    /// `new`, `present` or `different`.
    pub status: &'static str,
    /// The way in which the text of a `different` chapter differs from the book's: `title`, `longer`, `shorter`, `text` or
    /// `removed`, where the book has no such chapter any more.
    pub difference: Option<&'static str>,
    /// So many characters more or less.
    #[serde(skip)]
    by: usize,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ApartText {
    pub kind: ApartKind,
    pub file: String,
    pub line: usize,
    pub characters: usize,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ImportDoubt {
    pub kind: DoubtKind,
    pub file: String,
    pub line: usize,
    /// How many places it is about.
    pub count: usize,
    pub detail: String,
    /// The doubt in the author's language.
    pub what: String,
}

/// How many records of another program's book come along with its chapters.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Carried {
    pub facts: usize,
    pub threads: usize,
    pub characters: usize,
    pub rules: usize,
    pub summaries: usize,
    /// Texts for planners, such as outlines.
    pub research: usize,
}

impl Carried {
    pub fn of(peer: &PeerBook) -> Self {
        Self {
            facts: peer.facts.len(),
            threads: peer.threads.len(),
            characters: peer.people.len(),
            rules: peer.rules.len(),
            summaries: peer.summaries.len(),
            research: peer.research.len(),
        }
    }
}

/// So many doubts of one kind are listed for people.
const LISTED: usize = 8;
/// Doubts that another choice of headings settles.
const HEADINGS: [DoubtKind; 5] =
    [DoubtKind::KeptAsText, DoubtKind::Subheadings, DoubtKind::VolumeText, DoubtKind::EmptyVolume, DoubtKind::Long];

impl ImportReport {
    pub fn planned(manuscript: &Manuscript, title: String, plan: &[ImportSlot], lang: Lang) -> Self {
        let file =
            |place: SourcePlace| manuscript.sources.get(place.source).map_or(String::new(), |file| file.name.clone());
        let read = manuscript.sources.iter().filter(|source| !source.encoding.is_empty());
        let files = read.map(|source| ImportedFile {
            name: source.name.clone(),
            encoding: source.encoding,
            proof: source.proof.clone(),
        });
        let volumes = manuscript.volumes.iter().enumerate().map(|(at, volume)| ImportedVolume {
            number: volume.number,
            title: volume.title.clone(),
            chapters: manuscript.chapters.iter().filter(|chapter| chapter.volume == at).count(),
        });
        let chapters = manuscript.chapters.iter().zip(plan).map(|(chapter, place)| ImportedChapter {
            chapter: place.number.get(),
            volume: place.volume.get(),
            number: chapter.number,
            kind: kind_of(chapter.kind),
            title: chapter.title.clone(),
            characters: characters(&chapter.text),
            file: file(chapter.place),
            line: chapter.place.line,
            status: match place.fate {
                Fate::New => "new",
                Fate::Present => "present",
                Fate::Different(_) => "different",
            },
            difference: match place.fate {
                Fate::Different(difference) => Some(difference.as_str()),
                Fate::New | Fate::Present => None,
            },
            by: match place.fate {
                Fate::Different(TextDifference::Longer(by) | TextDifference::Shorter(by)) => by,
                _ => 0,
            },
        });
        let apart = manuscript.apart.iter().map(|apart| ApartText {
            kind: apart.kind,
            file: file(apart.place),
            line: apart.place.line,
            characters: characters(&apart.text),
        });
        let mut found: Vec<SourceDoubt> = manuscript.doubts.clone();
        found.extend(number_shifts(manuscript, plan));
        // Numbers that the file lacks are those of the chapters that the book has before it.
        let is_in_place = |place: SourcePlace| {
            let of_chapters = manuscript.chapters.iter().zip(plan);
            of_chapters.filter(|(of, _)| of.place == place).any(|(of, at)| of.number == Some(at.number.get()))
        };
        found.retain(|doubt| doubt.kind != DoubtKind::Gap || !is_in_place(doubt.place));
        found.sort_by_key(|doubt| doubt.place);
        let doubts = found.iter().map(|doubt| ImportDoubt {
            kind: doubt.kind,
            file: file(doubt.place),
            line: doubt.place.line,
            count: doubt.count,
            detail: doubt.detail.clone(),
            what: words(doubt.kind, doubt.count, &doubt.detail, lang),
        });
        Self {
            status: "planned",
            title,
            author: manuscript.author.clone(),
            files: files.collect(),
            volumes: volumes.collect(),
            chapters: chapters.collect(),
            apart: apart.collect(),
            doubts: doubts.collect(),
            ..Self::default()
        }
    }

    /// How many chapters have that status.
    pub fn count(&self, status: &str) -> usize {
        self.chapters.iter().filter(|chapter| chapter.status == status).count()
    }

    /// The table of the chapters, and the doubts.
    pub fn text(&self, lang: Lang, columns: usize) -> String {
        let mut text = String::new();
        for file in self.files.iter().take(LISTED) {
            let ImportedFile { name, encoding, proof } = file;
            text.push_str(&say!(lang, import_file(name, encoding, proof)));
        }
        text.push_str(&rest(self.files.len(), lang));
        text.push_str(&self.table(lang, columns));
        let characters = figures::count(self.chapters.iter().map(|chapter| chapter.characters as u64).sum());
        let (title, chapters, volumes) = (&self.title, self.chapters.len(), self.volumes.len());
        text.push_str(&say!(lang, import_sum(title, characters, chapters, volumes)));
        if let Some(Carried { facts, threads, characters: people, rules, summaries, research }) = &self.carried {
            text.push_str(&say!(lang, import_carried(facts, threads, people, rules, summaries, research)));
        }
        let mut kinds: Vec<DoubtKind> = self.doubts.iter().map(|doubt| doubt.kind).collect();
        kinds.sort_unstable_by_key(|kind| kind.as_str());
        kinds.dedup();
        for kind in kinds {
            let of_kind: Vec<&ImportDoubt> = self.doubts.iter().filter(|doubt| doubt.kind == kind).collect();
            for ImportDoubt { file, line, what, .. } in of_kind.iter().take(LISTED) {
                let place = paint(DIM, &format!("{file}:{line}"));
                text.push_str(&style::wrapped(&format!("{}  {what}  {place}", paint(WARN, "?")), columns));
                text.push('\n');
            }
            text.push_str(&rest(of_kind.len(), lang));
        }
        let is_of_heading = |doubt: &ImportDoubt| match doubt.kind {
            DoubtKind::NoHeading => self.files.len() == 1,
            kind => HEADINGS.contains(&kind),
        };
        if self.carried.is_none() && self.doubts.iter().any(is_of_heading) {
            text.push_str(say!(lang, import_split));
        }
        text
    }

    fn table(&self, lang: Lang, columns: usize) -> String {
        let mut table = Table::new(say!(lang, import_columns).split('|'), "lrrlrl", 3).clipped();
        for chapter in &self.chapters {
            let n = figures::count(chapter.by as u64);
            let status = match (chapter.status, chapter.difference) {
                ("new", _) => "".into(),
                ("present", _) => Cell::painted(DIM, say!(lang, import_present)),
                (_, Some("title")) => Cell::painted(WARN, say!(lang, import_different_title)),
                (_, Some("longer")) => Cell::painted(WARN, say!(lang, import_different_longer(n))),
                (_, Some("shorter")) => Cell::painted(WARN, say!(lang, import_different_shorter(n))),
                (_, Some("removed")) => Cell::painted(WARN, say!(lang, import_different_removed)),
                _ => Cell::painted(WARN, say!(lang, import_different)),
            };
            table.row([
                format!("ch-{:03}", chapter.chapter).into(),
                chapter.volume.to_string().into(),
                chapter.number.map_or("–".to_owned(), |number| number.to_string()).into(),
                Cell::painted(STRONG, chapter.title.as_str()),
                figures::count(chapter.characters as u64).into(),
                status,
            ]);
        }
        table.text(columns)
    }

    /// The end of an import: what is in the book now, and the ways on.
    pub fn done(&self, lang: Lang) -> String {
        let (new, present, different) = (self.count("new"), self.count("present"), self.count("different"));
        let (path, title) = (self.path.as_deref().unwrap_or_default(), &self.title);
        let mut text = match &self.commit {
            Some(commit) => {
                say!(lang, import_done(title, path, commit, new))
            }
            None => say!(lang, import_nothing_new(title, path)),
        };
        if different > 0 {
            text.push_str(&say!(lang, import_kept_different(different)));
        } else if present > 0 {
            text.push_str(&say!(lang, import_were_present(present)));
        }
        let reasons = [say!(lang, import_next_rebuild), say!(lang, import_next_style), say!(lang, import_next_start)];
        for (command, reason) in
            self.next.iter().zip(reasons.iter().skip(reasons.len().saturating_sub(self.next.len())))
        {
            text.push_str(&format!("  {}  {reason}\n", paint(HINT, command)));
        }
        text
    }
}

/// The chapters from which on the numbers of the book differ otherwise from those of the file: a prologue counts, a number is
/// missing, a volume begins again at 1.
fn number_shifts(manuscript: &Manuscript, plan: &[ImportSlot]) -> Vec<SourceDoubt> {
    let (mut shift, mut found) = (0, Vec::new());
    for (chapter, place) in manuscript.chapters.iter().zip(plan) {
        let Some(number) = chapter.number.filter(|_| chapter.kind == PartKind::Chapter) else { continue };
        let of_chapter = i64::from(place.number.get()) - i64::from(number);
        if std::mem::replace(&mut shift, of_chapter) != of_chapter {
            let heading = chapter.heading.lines().next().filter(|heading| !heading.is_empty());
            let detail = format!("{} → ch-{:03}", heading.unwrap_or(&number.to_string()), place.number.get());
            found.push(SourceDoubt { kind: DoubtKind::NumberShift, place: chapter.place, count: 1, detail });
        }
    }
    found
}

fn rest(all: usize, lang: Lang) -> String {
    let more = all.saturating_sub(LISTED);
    if more > 0 { say!(lang, import_more(more)) } else { String::new() }
}

fn kind_of(kind: PartKind) -> &'static str {
    match kind {
        PartKind::Chapter => "chapter",
        PartKind::Prologue => "prologue",
        PartKind::Extra => "extra",
        PartKind::Epilogue => "epilogue",
        PartKind::Afterword => "afterword",
        PartKind::Notice => "notice",
    }
}

impl Words for DoubtKind {}

/// The doubt as a sentence, with the words in question.
fn words(kind: DoubtKind, count: usize, detail: &str, lang: Lang) -> String {
    let detail = match (kind, detail) {
        (DoubtKind::LeftOut, "w:del") => say!(lang, import_part_deleted),
        (DoubtKind::LeftOut, "drawing" | "pict" | "img") => say!(lang, import_part_picture),
        (DoubtKind::LeftOut, "object" | "altChunk") => say!(lang, import_part_object),
        (DoubtKind::LeftOut, "sym") => say!(lang, import_part_symbol),
        (DoubtKind::LeftOut, "commentReference") => say!(lang, import_part_comment),
        (DoubtKind::LeftOut, "contents") => say!(lang, import_part_contents),
        _ => detail,
    };
    let (count, detail) = (figures::count(count as u64), super::table::clip(detail, 40));
    counted(kind.say(lang).replace("{count}", &count).replace("{detail}", &detail))
}
