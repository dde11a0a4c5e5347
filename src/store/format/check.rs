//! Checks of the book's files, for `novel doctor` and the git hooks.

use crate::domain::book::checkpoint::{ChapterLog, Checkpoint, WorkLog};
use crate::domain::book::config::BookConfig;
use crate::domain::chapter::summary::ChapterMemory;
use crate::domain::chapter::{Chapter, Waivers, heading_number};
use crate::domain::quality::QualityBrief;
use crate::domain::volume::Judgement;
use crate::domain::volume::outline::{self, MAIN_LINE, Outline, OutlineError};
use crate::domain::world::storyline::{MAX_MEMORY, Schedule};
use crate::domain::{ChapterNo, Slug, VolumeNo};
use crate::store::format::{
    At, FormatError, Mistake, Problem, character, config, contract, delta, evaluation, foreshadowing, json, plain,
    rules, state, storylines, style, summary, text,
};
use crate::store::layout::{self, BookPath, Owner};
use crate::text::characters;
use std::borrow::Cow;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum FormatSeverity {
    /// The book works; the author may want to know.
    Warning,
    /// The file cannot be used.
    Error,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FormatFinding {
    pub path: String,
    pub severity: FormatSeverity,
    pub error: FormatError,
}

/// The most characters of `brief.md` (formats chapter §9.1), which goes into every prompt.
pub const MAX_BRIEF: usize = 1000;

/// The problems of a file, by its path; empty for a sound file, and for one that does not belong to the book.
pub fn check_file(path: &str, bytes: &[u8]) -> Vec<FormatFinding> {
    let Some(place) = layout::classify(path) else { return Vec::new() };
    let mut found = FileFindings { path, findings: Vec::new() };
    found.look(&place, bytes);
    found.findings
}

/// Why a file cannot be used, by its path; `None` for a usable one, and for one that does not belong to the book. With
/// the last committed version in `was`, a truncated file is found even where the rest is readable.
pub fn fault(path: &str, bytes: &[u8], was: Option<&[u8]>) -> Option<FormatError> {
    if path == layout::CONFIG {
        return settings(bytes, was).err();
    }
    let found = check_file(path, bytes).into_iter().find(|finding| finding.severity == FormatSeverity::Error);
    let of_version = || {
        let (was, place) = was.zip(layout::classify(path))?;
        let is_cut = || is_cut_off(&place, bytes, was).then(|| FormatError::of_file(Problem::CutOff));
        other_summary(&place, bytes, was).or_else(is_cut)
    };
    found.map(|finding| finding.error).or_else(of_version)
}

/// The summary of another chapter in the place of this one's. Elsewhere the number in its heading decides nothing.
fn other_summary(place: &BookPath, bytes: &[u8], was: &[u8]) -> Option<FormatError> {
    let BookPath::Summary(_, name) = *place else { return None };
    let number = |bytes| heading_number(&String::from_utf8_lossy(bytes)).and_then(ChapterNo::new);
    let found = number(bytes).filter(|found| *found != name && number(was) == Some(name))?;
    Some(FormatError { at: At::Line(1), problem: Problem::Value(Mistake::OtherChapter { name, found }) })
}

/// The settings and the unknown ones, from a file without a [`fault`]. An empty file has one: each setting would have
/// its default, offline mode and limits among them.
pub fn settings(bytes: &[u8], was: Option<&[u8]>) -> Result<(BookConfig, Vec<config::Unknown>), FormatError> {
    let place = BookPath::Config;
    let read = sound_text(&place, bytes).and_then(|_| config::read(bytes)).map_err(|error| {
        let line = config::secret_line(&String::from_utf8_lossy(bytes));
        line.map_or(error, |line| FormatError { at: At::Line(line), problem: Problem::Secret })
    })?;
    let is_cut = was.is_some_and(|was| is_cut_off(&place, bytes, was));
    if is_cut { Err(FormatError::of_file(Problem::CutOff)) } else { Ok(read) }
}

/// The text of a file, if its path may hold text.
fn sound_text<'b>(place: &BookPath, bytes: &'b [u8]) -> Result<Cow<'b, str>, FormatError> {
    let text = text(bytes)?;
    if let Some((before, _)) = text.split_once('\0').filter(|_| place.is_text()) {
        let line = before.lines().count().max(1);
        return Err(FormatError { at: At::Line(line), problem: Problem::NotText });
    }
    if text.trim().is_empty() && (place.owner() == Owner::Program || place.is_needed()) {
        return Err(FormatError::of_file(Problem::Empty));
    }
    let is_marked = || text.lines().any(|line| line.starts_with("<<<<<<< "));
    if text.contains("<<<<<<< ") && is_marked() && text.contains("\n>>>>>>> ") {
        let line = text.lines().position(|line| line.starts_with("<<<<<<< ")).map_or(1, |at| at + 1);
        return Err(FormatError { at: At::Line(line), problem: Problem::Conflict });
    }
    Ok(text)
}

/// True when `now` is the beginning of `was` and ends within a line. An author may shorten a text to the end of a
/// sentence.
fn is_cut_off(place: &BookPath, now: &[u8], was: &[u8]) -> bool {
    let Some([next, ..]) = was.strip_prefix(now) else { return false };
    let is_within_line = !matches!(next, b'\n' | b'\r') && !now.is_empty() && !now.ends_with(b"\n");
    let ends_sentence = || {
        let text = String::from_utf8_lossy(now);
        text.ends_with(|c: char| "。！？…”’」』】）.!?\"".contains(c))
    };
    place.is_text() && is_within_line && (place.owner() == Owner::Program || !ends_sentence())
}

struct FileFindings<'a> {
    path: &'a str,
    findings: Vec<FormatFinding>,
}

impl FileFindings<'_> {
    fn report(&mut self, severity: FormatSeverity, at: At, problem: Problem) {
        self.findings.push(FormatFinding { path: self.path.to_owned(), severity, error: FormatError { at, problem } });
    }

    fn warn(&mut self, at: At, mistake: Mistake) {
        self.report(FormatSeverity::Warning, at, Problem::Value(mistake));
    }

    fn fail(&mut self, at: At, mistake: Mistake) {
        self.report(FormatSeverity::Error, at, Problem::Value(mistake));
    }

    fn keep<T>(&mut self, read: Result<T, FormatError>) -> Option<T> {
        read.map_err(|error| self.report(FormatSeverity::Error, error.at, error.problem)).ok()
    }

    /// Checks only that the file is readable.
    fn readable<T>(&mut self, read: Result<T, FormatError>) {
        self.keep(read);
    }

    fn look(&mut self, place: &BookPath, bytes: &[u8]) {
        // Files that the author brings along may be anything, even an image.
        if !place.is_text() && std::str::from_utf8(bytes).is_err() {
            return;
        }
        let Some(text) = self.keep(sound_text(place, bytes)) else { return };
        match place {
            BookPath::Readme
            | BookPath::GitIgnore
            | BookPath::GitAttributes
            | BookPath::Prompt(_)
            | BookPath::Research(_)
            | BookPath::Sample(_) => {}
            BookPath::World(_) | BookPath::Review(_) => {}
            BookPath::Brief => {
                let length = characters(&text);
                if length > MAX_BRIEF {
                    self.warn(At::File, Mistake::LongBrief { length, most: MAX_BRIEF });
                }
            }
            BookPath::Config => self.config(bytes),
            BookPath::Outline(_) => self.outline(&text),
            BookPath::Chapter(_, number) => self.chapter(*number, &text),
            BookPath::Profile { .. } if text.trim().is_empty() => self.warn(At::File, Mistake::EmptyProfile),
            BookPath::Profile { .. } => {}
            BookPath::Memory(_) => self.memory(bytes),
            BookPath::Summary(_, number) => self.summary(*number, bytes),
            _ => self.json(place, bytes, &text),
        }
    }

    fn json(&mut self, place: &BookPath, bytes: &[u8], text: &str) {
        match place {
            BookPath::Checkpoint => self.readable(json::read::<Checkpoint>(bytes)),
            BookPath::State => self.readable(state::read(bytes)),
            BookPath::Foreshadowing => self.readable(foreshadowing::read(bytes)),
            BookPath::ForeshadowingPlan(_) => self.readable(foreshadowing::read_plan(bytes)),
            BookPath::Relationships => self.readable(character::read_relationships(bytes)),
            BookPath::PlanLog(_) => self.readable(json::read::<WorkLog>(bytes)),
            BookPath::StyleProfile => self.readable(style::read_profile(bytes)),
            BookPath::AiPhrases => self.readable(style::read_phrases(bytes)),
            BookPath::StyleDrift => self.readable(json::read::<style::Drift>(bytes)),
            BookPath::Waivers => self.readable(json::read::<Waivers>(bytes)),
            BookPath::Wishes => self.readable(plain::read_wishes(bytes)),
            BookPath::WorldRules | BookPath::StorylineRules => self.rules(bytes),
            BookPath::Storylines => self.storylines(bytes),
            BookPath::Schedule(volume) => {
                if let Some(schedule) = self.keep(json::read::<Schedule>(bytes)) {
                    self.same_volume(*volume, schedule.volume);
                }
            }
            BookPath::Judgement(volume) => {
                if let Some(judged) = self.keep(json::read::<Judgement>(bytes)) {
                    self.same_volume(*volume, judged.volume);
                }
            }
            BookPath::Character { id, .. } => self.readable(character::read(id, bytes, b"")),
            BookPath::Contract(..) => self.contract(bytes),
            BookPath::Delta(_, number) => {
                if let Some(delta) = self.keep(delta::read(bytes)) {
                    self.same_chapter(*number, delta.chapter);
                }
            }
            BookPath::Evaluation { chapter, .. } => {
                if let Some(recorded) = self.keep(evaluation::read(bytes)) {
                    self.same_chapter(*chapter, recorded.evaluation.chapter);
                }
            }
            BookPath::ChapterMemory(_, number) => {
                if let Some(memory) = self.keep(json::read::<ChapterMemory>(bytes)) {
                    self.same_chapter(*number, memory.chapter);
                }
            }
            BookPath::QualityBrief(_, number) => {
                if let Some(brief) = self.keep(json::read::<QualityBrief>(bytes)) {
                    self.same_chapter(*number, brief.last);
                }
            }
            BookPath::Log(_, number) => {
                if let Some(log) = self.keep(json::read::<ChapterLog>(bytes)) {
                    self.same_chapter(*number, log.chapter);
                }
            }
            // No structure of ours, but JSON.
            _ => self.readable(json::value(text)),
        }
    }

    fn same_chapter(&mut self, place: ChapterNo, inside: ChapterNo) {
        if place != inside {
            self.fail(At::Key("chapter".into()), Mistake::OtherChapter { name: place, found: inside });
        }
    }

    fn same_volume(&mut self, place: VolumeNo, inside: VolumeNo) {
        if place != inside {
            self.fail(At::Key("volume".into()), Mistake::OtherVolume { folder: place, found: inside });
        }
    }

    fn config(&mut self, bytes: &[u8]) {
        let Some((_, unknown)) = self.keep(config::read(bytes)) else { return };
        for stranger in unknown {
            let config::Unknown { line, key, meant } = stranger;
            self.warn(At::Line(line), Mistake::UnknownSetting { key, meant });
        }
    }

    fn outline(&mut self, text: &str) {
        // The storylines are not known here: any name is accepted.
        let any = |_: &str| Slug::new(MAIN_LINE).ok();
        // An imported volume has a title and no plan.
        if text.lines().all(|line| line.trim().is_empty() || line.starts_with("# ")) {
            return;
        }
        for OutlineError { line, problem } in Outline::parse_with(text, &any).err().unwrap_or_default() {
            // A missing field can be left to the planner.
            let gap = matches!(problem, outline::OutlineProblem::Lacks { .. });
            let severity = if gap { FormatSeverity::Warning } else { FormatSeverity::Error };
            self.report(severity, At::Line(line), Problem::Outline(problem));
        }
    }

    fn chapter(&mut self, number: ChapterNo, text: &str) {
        let chapter = Chapter::from_markdown(number, text, "");
        if chapter.body.trim().is_empty() {
            self.fail(At::File, Mistake::NoText);
        }
        // Chapters of many novels have a number alone.
        if chapter.title.is_empty() && !text.starts_with("# ") {
            self.warn(At::Line(1), Mistake::NoTitle);
        }
    }

    fn memory(&mut self, bytes: &[u8]) {
        let Some(memory) = self.keep(summary::read_memory(bytes)) else { return };
        let length = memory.facts.chars().count();
        if length > MAX_MEMORY {
            self.warn(At::File, Mistake::LongMemory { length, most: MAX_MEMORY });
        }
    }

    fn summary(&mut self, number: ChapterNo, bytes: &[u8]) {
        if self.keep(summary::read(number, bytes)).is_some_and(|page| page.text.is_empty()) {
            self.fail(At::File, Mistake::EmptySummary);
        }
    }

    fn rules(&mut self, bytes: &[u8]) {
        let Some(rules) = self.keep(rules::read(bytes)) else { return };
        self.distinct(rules.iter().map(|rule| rule.id.as_str()));
    }

    fn storylines(&mut self, bytes: &[u8]) {
        let Some(storylines) = self.keep(storylines::read(bytes)) else { return };
        self.distinct(storylines.lines.iter().map(|line| line.id.as_str()));
        for end in storylines.relations.iter().flat_map(|relation| [&relation.from, &relation.to]) {
            if storylines.get(end).is_none() {
                self.fail(At::Key("relationships".into()), Mistake::NoStoryline(end.clone()));
            }
        }
    }

    fn contract(&mut self, bytes: &[u8]) {
        let Some(storyline) = contract::named_storyline(bytes).or_else(|| Slug::new("main-arc").ok()) else { return };
        let Some(contract) = self.keep(contract::read(&storyline, bytes)) else { return };
        self.distinct(contract.objectives.iter().map(|objective| objective.id.as_str()));
    }

    fn distinct<'a>(&mut self, ids: impl Iterator<Item = &'a str>) {
        let mut seen = std::collections::BTreeSet::new();
        for id in ids {
            if !seen.insert(id) {
                self.fail(At::Key(id.to_owned()), Mistake::IdTwice);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(path: &str, text: &str) -> Vec<(FormatSeverity, String)> {
        let finding = |finding: FormatFinding| (finding.severity, finding.error.to_string());
        check_file(path, text.as_bytes()).into_iter().map(finding).collect()
    }

    #[test]
    fn each_file_is_held_against_its_place() {
        use FormatSeverity::{Error, Warning};
        let rule = r#"{"id": "W-001", "rule": "夜里不渡船", "constraint_type": "hard"}"#;
        let cases = [
            ("brief.md", "字".repeat(1001), Warning, "LongBrief { length: 1001"),
            ("novel.toml", "[chapter]\nmin_word = 3".into(), Warning, "line 2: UnknownSetting"),
            ("novel.toml", "[models]\napi_key = 'x'".into(), Error, "key or endpoint"),
            ("volumes/vol-01/outline.md", "## 尾声\n".into(), Error, "line 1"),
            ("chapters/vol-01/chapter-001.md", "# 第1章 雨\n".into(), Error, "NoText"),
            ("chapters/vol-01/chapter-001.md", "雨停了。\n".into(), Warning, "NoTitle"),
            (
                "chapters/vol-01/chapter-001.md",
                "# 雨\n<<<<<<< HEAD\n甲\n=======\n乙\n>>>>>>> x\n".into(),
                Error,
                "line 2",
            ),
            ("summaries/vol-01/chapter-001-summary.md", "只有正文\n".into(), Error, "NoStorylineLine"),
            ("storylines/main-arc/memory.md", "字".repeat(501), Warning, "LongMemory { length: 501"),
            ("world/rules.json", format!(r#"{{"rules": [{rule}, {rule}]}}"#), Error, "IdTwice"),
            ("characters/active/a.json", r#"{"id": "b", "display_name": "乙"}"#.into(), Error, "`id`"),
            ("characters/relationships.json", "{".into(), Error, "line 1"),
            (
                "volumes/vol-02/storyline-schedule.json",
                r#"{"volume": 1, "active_storylines": []}"#.into(),
                Error,
                "OtherVolume",
            ),
            (
                "state/deltas/vol-01/chapter-002-delta.json",
                r#"{"chapter": 1, "base_state_version": 2, "storyline_id": "main-arc", "ops": []}"#.into(),
                Error,
                "OtherChapter",
            ),
            ("state/current-state.json", "{\"schema_version\": 3}".into(), Error, "schema_version 3"),
        ];
        for (path, text, severity, part) in cases {
            let found = words(path, &text);
            assert!(found.len() == 1 && found[0].0 == severity && found[0].1.contains(part), "{path}: {found:?}");
        }
    }

    #[test]
    fn damage_is_told_from_an_edit() {
        let chapter = "chapters/vol-01/chapter-001.md";
        let was = "# 第1章 雨\n\n雨停了。他往回走，路上没有人。\n".as_bytes();
        let at = |text: &str| fault(chapter, text.as_bytes(), Some(was)).map(|error| error.problem);
        assert_eq!(at("# 第1章 雨\n\n雨停了。他往"), Some(Problem::CutOff));
        // Shortened to a sentence, to a line, or written otherwise: the author's.
        assert_eq!(at("# 第1章 雨\n\n雨停了。"), None);
        assert_eq!(at("# 第1章 雨\n\n雨停了。他往回走，路上没有人。"), None);
        assert_eq!(at("# 第1章 雨\n\n雨停了。他往南"), None);
        assert_eq!(fault(chapter, &was[..was.len() - 2], Some(was)).map(|error| error.problem), Some(Problem::NotText));
        for path in [chapter, "novel.toml", "brief.md", "storylines/main-arc/memory.md", "volumes/vol-01/outline.md"] {
            assert_eq!(fault(path, b" \n", None).map(|error| error.problem), Some(Problem::Empty), "{path}");
            let zero = fault(path, b"a\0b", None).map(|error| error.problem);
            assert_eq!(zero, Some(Problem::NotText), "{path}");
        }
        assert_eq!(fault("world/map.png", b"a\0b", None), None);
        assert!(fault("world/map.md", b"a\0b", None).is_some());
        let key = fault("novel.toml", b"x = [\napi_key = 'x'\n", None).unwrap();
        assert_eq!((key.problem.clone(), key.is_damage()), (Problem::Secret, false));
        let newer = fault("state/current-state.json", b"{\"schema_version\": 3}", None).unwrap();
        assert!(!newer.is_damage());
        let gbk = fault("brief.md", b"\xb8\xd9\xc1\xec\xa3\xac\xb6\xaf", None).map(|error| error.problem);
        assert_eq!(gbk, Some(Problem::Encoding("GB18030")));
    }

    #[test]
    fn what_is_not_the_book_s_is_not_looked_at() {
        assert_eq!(check_file("notes.json", b"{"), []);
        assert_eq!(check_file("research/map.png", b"\x89PNG\xff"), []);
        assert_eq!(words("chapters/vol-01/chapter-001.md", "# 第1章 雨\n\n停了。\n"), []);
    }
}
