//! Searching what has been accepted: chapters, their summaries, the world, people and research notes.
//! Chapters are ranked as wholes and shown by their best passage. Files that have every word as typed come before those that
//! only share pairs of characters with the query.

use crate::domain::chapter::title_of_heading;
use crate::pipeline::prelude::*;
use crate::store::layout::classify;
use crate::store::{self, Contents, SearchMatch, SearchMatches, SearchedFiles};
use crate::text::{Passage, Query, opening};
use serde::Serialize;
use serde_json::Value;

named! {
    pub enum SearchPart {
        /// The texts of accepted chapters.
        Chapters = "chapters",
        Summaries = "summaries",
        /// Rules and pages of the world.
        World = "world",
        /// People, with those who have left.
        Characters = "characters",
        Research = "research",
    }
}

named! {
    pub enum Finder {
        /// The index in `.git/novel/`, by words and pairs of characters.
        Embedded = "embedded",
        /// A Mem0 server, by meaning.
        Mem0 = "mem0",
    }
}

const FOLDERS: [&str; 5] = [layout::CHAPTERS, "summaries", "world", "characters", layout::RESEARCH];

/// How many characters of a passage are shown.
const PASSAGE: usize = 60;

/// A text that is not the query as typed has to have at least this part of its terms.
const LEAST_SHARE: usize = 4;

/// At least so many of the files that have all terms of a query are read in order to know whether they have its words as typed. At
/// 10,000 chapters that takes less than a tenth of a second.
const READ: usize = 1000;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Search {
    pub query: Query,
    /// The parts that are searched; all of them when empty.
    pub parts: BTreeSet<SearchPart>,
    /// The first and the last chapter, for a search of chapters and summaries alone.
    pub chapters: Option<(ChapterNo, ChapterNo)>,
    pub limit: usize,
}

/// A chapter that a memory server finds.
#[derive(Debug, Clone, PartialEq)]
pub struct Recalled {
    pub chapter: ChapterNo,
    /// The part of its text that answers, as it stands in the book.
    pub text: String,
    /// The server's measure, the higher the better.
    pub score: f64,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SearchResult {
    /// The number of chapters and other files that have every word as typed.
    pub literal: usize,
    /// True when more of them may have it: only the best of those with all its terms were read. A higher limit reads more.
    pub is_literal_cut: bool,
    /// The best of them and of those that are like the query, the best first.
    pub hits: Vec<Hit>,
}

/// A chapter or another file that answers.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Hit {
    pub part: SearchPart,
    pub chapter: Option<ChapterNo>,
    pub path: String,
    /// The title of the chapter or page, or the person's name.
    pub title: String,
    #[serde(flatten)]
    pub passage: Passage,
    /// True when the file has every word as typed.
    pub is_literal: bool,
    /// BM25 of the file that answers best, or the measure of the memory server, the higher the better.
    pub score: f64,
    pub finder: Finder,
}

/// Searches the book's last commit. Chapters that a memory server has found come after those that have every word as typed and
/// before those that are only like the query.
pub fn search(book: &Book, search: &Search, recalled: &[Recalled]) -> Result<SearchResult, RunError> {
    let view = BookView::new(book.snapshot()?);
    let mut groups: Vec<Vec<(IndexedFile, SearchMatch)>> = Vec::new();
    let mut by_chapter: BTreeMap<ChapterNo, usize> = BTreeMap::new();
    let wanted = |source: &IndexedFile| search.wants(source);
    let Ranked { files, is_cut } = ranked(book, &view, &search.query, (&wanted, search.limit.max(READ)))?;
    for (source, found) in files {
        let group = source.chapter.and_then(|chapter| by_chapter.get(&chapter).copied()).unwrap_or(groups.len());
        if group == groups.len() {
            groups.push(Vec::new());
        }
        by_chapter.extend(source.chapter.map(|chapter| (chapter, group)));
        groups[group].push((source, found));
    }
    let literal = groups.iter().filter(|group| group[0].1.is_literal).count();
    let similar = groups.split_off(literal);
    let chapter_of = |group: &[(IndexedFile, SearchMatch)]| group[0].0.chapter;
    let exact: BTreeSet<ChapterNo> = groups.iter().filter_map(|group| chapter_of(group)).collect();
    let meant: BTreeSet<ChapterNo> = recalled.iter().map(|found| found.chapter).collect();
    let is_new = |group: &&Vec<_>| chapter_of(group).is_none_or(|chapter| !meant.contains(&chapter));
    let of_server = recalled.iter().filter(|found| !exact.contains(&found.chapter));
    let ranked = groups.iter().map(|group| hit(book, &view, group, &search.query));
    let ranked = ranked.chain(of_server.map(|found| hit_of_server(book, &view, search, found)));
    let ranked = ranked.chain(similar.iter().filter(is_new).map(|group| hit(book, &view, group, &search.query)));
    let hits = ranked.filter_map(Result::transpose).take(search.limit).collect::<Result<_, _>>()?;
    Ok(SearchResult { literal, is_literal_cut: is_cut, hits })
}

impl Search {
    fn wants(&self, source: &IndexedFile) -> bool {
        let is_part = self.parts.is_empty() || self.parts.contains(&source.part);
        is_part
            && self
                .chapters
                .is_none_or(|(first, last)| source.chapter.is_some_and(|chapter| (first..=last).contains(&chapter)))
    }
}

/// The hit of a chapter's files, or of a single file; `None` where too little of the query is in it.
fn hit(
    book: &Book,
    view: &BookView<'_>,
    group: &[(IndexedFile, SearchMatch)],
    query: &Query,
) -> Result<Option<Hit>, RunError> {
    let (first, best) = &group[0];
    let mut shown: Option<(&IndexedFile, Passage)> = None;
    for (source, found) in group.iter().filter(|(_, found)| found.is_literal == best.is_literal) {
        let Some(text) = source.text(book)? else { continue };
        let is_like = found.is_literal || query.held_by(&text) * LEAST_SHARE >= query.terms().len();
        let Some(passage) = query.passage(&text, PASSAGE).filter(|_| is_like) else { continue };
        // Of two that are as good, the chapter's own words.
        let rank = |part: SearchPart, passage: &Passage| (passage.score, part == SearchPart::Chapters);
        if shown.as_ref().is_none_or(|(known, before)| rank(source.part, &passage) > rank(known.part, before)) {
            shown = Some((source, passage));
        }
    }
    let Some((source, passage)) = shown else { return Ok(None) };
    let text = first.chapter.map(|chapter| IndexedFile::of_chapter(view, chapter)).transpose()?.flatten();
    let title = text.as_ref().unwrap_or(first).title(book)?;
    Ok(Some(Hit {
        part: source.part,
        chapter: source.chapter,
        path: source.path.clone(),
        title,
        passage,
        is_literal: best.is_literal,
        score: best.score,
        finder: Finder::Embedded,
    }))
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct IndexedFile {
    part: SearchPart,
    chapter: Option<ChapterNo>,
    /// The volume in whose folder a chapter's file lies.
    volume: Option<VolumeNo>,
    path: String,
    id: ContentId,
}

impl IndexedFile {
    /// The source at that path; `None` for a file that is not searched.
    fn of(path: &str, id: ContentId) -> Option<Self> {
        let (part, place) = match classify(path)? {
            BookPath::Chapter(volume, chapter) => (SearchPart::Chapters, Some((volume, chapter))),
            BookPath::Summary(volume, chapter) => (SearchPart::Summaries, Some((volume, chapter))),
            file @ BookPath::World(_) if file.is_text() => (SearchPart::World, None),
            BookPath::WorldRules => (SearchPart::World, None),
            BookPath::Character { .. } | BookPath::Profile { .. } => (SearchPart::Characters, None),
            file @ BookPath::Research(_) if file.is_text() => (SearchPart::Research, None),
            _ => return None,
        };
        let (volume, chapter) = place.unzip();
        Some(Self { part, chapter, volume, path: path.to_owned(), id })
    }

    /// The source of a document in the index at that path.
    fn of_document(path: &str, document: &str) -> Option<Self> {
        let (id, _) = document.split_once(' ')?;
        Self::of(path, id.parse().ok()?)
    }

    fn of_chapter(view: &BookView<'_>, chapter: ChapterNo) -> Result<Option<Self>, RunError> {
        let Some(volume) = view.contents()?.volume_of(chapter) else { return Ok(None) };
        let path = layout::chapter(volume, chapter);
        Ok(view.content_id(&path).and_then(|id| Self::of(&path, id)))
    }

    /// False for a file that lies in another volume than the chapter that it is of.
    fn is_of_book(&self, contents: &Contents) -> bool {
        self.chapter.is_none_or(|chapter| contents.volume_of(chapter) == self.volume)
    }

    /// The name of the document in the index: the content, and how it is read.
    fn document(&self) -> String {
        let form = match self.part {
            SearchPart::Summaries => "summary",
            _ if self.is_json() => "json",
            _ => "text",
        };
        format!("{} {form}", self.id)
    }

    pub(super) fn chapter_of_text(&self) -> Option<ChapterNo> {
        self.chapter.filter(|_| self.part == SearchPart::Chapters)
    }

    /// True for a page of the world or a note of the author's.
    pub(super) fn is_page(&self) -> bool {
        matches!(self.part, SearchPart::World | SearchPart::Research) && !self.is_json()
    }

    /// The file, relative to the book's folder.
    pub(super) fn path(&self) -> &str {
        &self.path
    }

    fn is_json(&self) -> bool {
        self.path.ends_with(".json")
    }

    fn raw(&self, book: &Book) -> Result<Option<String>, StoreError> {
        text_of(book, &self.id)
    }

    /// The part of the file that is searched and shown: no ids, and no fields for the program. `None` when the repository no
    /// longer has the file.
    pub(super) fn text(&self, book: &Book) -> Result<Option<String>, StoreError> {
        let Some(raw) = self.raw(book)? else { return Ok(None) };
        if self.is_json() {
            return Ok(Some(serde_json::from_str(&raw).map_or(raw, |value| strings(&value))));
        }
        let summary = self.chapter.filter(|_| self.part == SearchPart::Summaries);
        let page = summary.and_then(|chapter| format::summary::read(chapter, raw.as_bytes()).ok());
        Ok(Some(page.map_or(raw, |page| format!("{}\n{}\n", page.text, page.line_status))))
    }

    fn title(&self, book: &Book) -> Result<String, StoreError> {
        let raw = self.raw(book)?.unwrap_or_default();
        if let Some(chapter) = self.chapter {
            return Ok(Chapter::from_markdown(chapter, &raw, "").title);
        }
        if self.is_json() {
            let value: Value = serde_json::from_str(&raw).unwrap_or_default();
            return Ok(value["display_name"].as_str().unwrap_or_default().to_owned());
        }
        Ok(raw.lines().find(|line| line.starts_with("# ")).map(title_of_heading).unwrap_or_default())
    }
}

/// The texts in a JSON value, a line each, in order. Ids are no texts.
fn strings(value: &Value) -> String {
    match value {
        Value::String(text) if text.is_ascii() && !text.contains(' ') => String::new(),
        Value::String(text) => format!("{}\n", text.trim()),
        Value::Array(list) => list.iter().map(strings).collect(),
        Value::Object(map) => map.values().map(strings).collect(),
        _ => String::new(),
    }
}

/// The text of a file, or its beginning, without a byte order mark and with line feeds alone; `None` when the repository no longer
/// has the file.
pub(crate) fn text_of(book: &Book, content: &ContentId) -> Result<Option<String>, StoreError> {
    let text = store::change::beginning_of(book, content)?.map(format::lossy_text);
    Ok(text.map(|text| text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text)))
}

struct Files<'a> {
    book: &'a Book,
    contents: &'a Contents,
    wanted: &'a dyn Fn(&IndexedFile) -> bool,
    most_read: usize,
}

impl SearchedFiles for Files<'_> {
    fn folders(&self) -> &[&'static str] {
        &FOLDERS
    }

    fn document(&self, path: &str, content: ContentId) -> Option<String> {
        IndexedFile::of(path, content).map(|source| source.document())
    }

    fn text(&self, path: &str, document: &str) -> Result<Option<String>, StoreError> {
        IndexedFile::of_document(path, document).map_or(Ok(None), |source| source.text(self.book))
    }

    fn is_wanted(&self, path: &str, document: &str) -> bool {
        IndexedFile::of_document(path, document)
            .is_some_and(|source| source.is_of_book(self.contents) && (self.wanted)(&source))
    }

    fn most_read(&self) -> usize {
        self.most_read
    }
}

/// The hit of a chapter that a memory server has found; `None` where it is not searched for.
fn hit_of_server(book: &Book, view: &BookView<'_>, search: &Search, found: &Recalled) -> Result<Option<Hit>, RunError> {
    let source = IndexedFile::of_chapter(view, found.chapter)?;
    let Some(source) = source.filter(|source| search.wants(source)) else { return Ok(None) };
    let beginning = || Passage { text: opening(&found.text, PASSAGE), marks: Vec::new(), score: 0 };
    Ok(Some(Hit {
        part: source.part,
        chapter: source.chapter,
        title: source.title(book)?,
        path: source.path,
        passage: search.query.passage(&found.text, PASSAGE).unwrap_or_else(beginning),
        is_literal: false,
        score: found.score,
        finder: Finder::Mem0,
    }))
}

/// The wanted files that have something of a query.
pub(super) struct Ranked {
    /// First those that are known to have all of it, each in the order of their score.
    pub(super) files: Vec<(IndexedFile, SearchMatch)>,
    /// True when more may have all of it than are known to.
    is_cut: bool,
}

/// Looks for the files of the book's last commit that are wanted and have something of the query, and reads at most so many of
/// them in order to know whether they have all of it.
pub(super) fn ranked(
    book: &Book,
    view: &BookView<'_>,
    query: &Query,
    (wanted, most_read): (&dyn Fn(&IndexedFile) -> bool, usize),
) -> Result<Ranked, RunError> {
    let files = Files { book, contents: view.contents()?, wanted, most_read };
    let SearchMatches { files, is_cut } = store::search_index::search(book, query, view, &files)?;
    let sources =
        files.into_iter().filter_map(|found| Some((IndexedFile::of_document(&found.path, &found.document)?, found)));
    Ok(Ranked { files: sources.collect(), is_cut })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_texts_of_json_are_searched_and_its_ids_are_not() {
        let value = json!({"id": "lin-feng", "display_name": "林枫", "contracts": [{"rule": "不 杀 人", "n": 3}]});
        assert_eq!(strings(&value), "林枫\n不 杀 人\n");
        assert_eq!(strings(&json!("a whole sentence")), "a whole sentence\n");
    }
}
