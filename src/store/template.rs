//! The files that `novel init` writes: those of an empty book, style presets, and a small book to try things on.
//! The files lie under `templates/` as an author will see them, except that a name which git would act on in this
//! project's own repository lacks its dot there.

use crate::domain::book::config::Genre;
use std::collections::BTreeMap;

/// `novel.toml` with every setting and its default.
pub const CONFIG: &str = include_str!("../../templates/book/novel.toml");

/// An outline of two chapters, as `novel init --help` shows it.
pub const OUTLINE_SAMPLE: &str = include_str!("../../templates/outline.md");

/// A table of paths in the book and the files under one folder of `templates/`.
macro_rules! files {
    ($folder:literal: $($path:literal $(=> $name:literal)?),+ $(,)?) => {
        &[$(($path, files!(@text $folder $path $($name)?))),+]
    };
    (@text $folder:literal $path:literal) => {
        include_str!(concat!("../../templates/", $folder, "/", $path))
    };
    (@text $folder:literal $path:literal $name:literal) => {
        include_str!(concat!("../../templates/", $folder, "/", $name))
    };
}

/// The files of an empty book: path in the book, text. The checkpoint and the style profile are missing: the one has
/// a time in it, the other is a choice (see [`PRESETS`]).
pub const TEMPLATES: &[(&str, &str)] = files! { "book":
    ".gitattributes" => "gitattributes",
    ".gitignore" => "gitignore",
    "README.md",
    "ai-blacklist.json",
    "brief.md",
    "characters/relationships.json",
    "examples/chapter-contract.json",
    "examples/character.json",
    "examples/character.md",
    "examples/outline.md",
    "foreshadowing/global.json",
    "novel.toml",
    "state/current-state.json",
    "storylines/storyline-spec.json",
    "storylines/storylines.json",
    "world/rules.json",
};

/// Folders that an empty book has although nothing is in them yet; git keeps them by a `.gitkeep`.
pub const FOLDERS: &[&str] = &[
    "chapters",
    "characters/active",
    "characters/retired",
    "evaluations",
    "logs",
    "prompts",
    "research",
    "state/deltas",
    "summaries",
    "volumes",
];

/// A style to begin with, for an author without samples (row R6).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StylePreset {
    /// The id for the command line.
    pub id: &'static str,
    /// The name for people.
    pub name: &'static str,
    /// The style profile's file.
    pub text: &'static str,
}

/// The built-in styles; the first is the default.
pub const PRESETS: &[StylePreset] = &[
    StylePreset { id: "light", name: "轻快日常", text: include_str!("../../templates/styles/light.json") },
    StylePreset {
        id: "hot-blooded", name: "热血升级", text: include_str!("../../templates/styles/hot-blooded.json")
    },
    StylePreset { id: "delicate", name: "细腻言情", text: include_str!("../../templates/styles/delicate.json") },
    StylePreset { id: "suspense", name: "悬疑冷峻", text: include_str!("../../templates/styles/suspense.json") },
    StylePreset { id: "classical", name: "古风白描", text: include_str!("../../templates/styles/classical.json") },
    StylePreset { id: "ethereal", name: "清远仙气", text: include_str!("../../templates/styles/ethereal.json") },
    StylePreset { id: "courtly", name: "深宅机锋", text: include_str!("../../templates/styles/courtly.json") },
    StylePreset { id: "rational", name: "冷静理性", text: include_str!("../../templates/styles/rational.json") },
    StylePreset { id: "brisk", name: "爽利快节奏", text: include_str!("../../templates/styles/brisk.json") },
    StylePreset { id: "survival", name: "绝境求生", text: include_str!("../../templates/styles/survival.json") },
];

/// The preset of an id, or of a name for people.
pub fn preset_called(name: &str) -> Option<&'static StylePreset> {
    PRESETS.iter().find(|preset| preset.id == name || preset.name == name)
}

/// The style that claims nothing, for a book whose author has not chosen one.
pub const NEUTRAL: &str = include_str!("../../templates/styles/neutral.json");

/// Words of genres that have no entry in [`Genre`], and the preset that fits.
const OTHER_GENRES: [(&str, &[&str]); 3] = [
    ("delicate", &["婚", "甜", "虐", "恋"]),
    ("classical", &["古风", "古代", "志怪"]),
    ("hot-blooded", &["竞技", "战", "武"]),
];

/// The preset that fits a genre in the author's words; the first one where no word of them says anything. Of several genres
/// the first in the order of [`Genre::ALL`] counts.
pub fn preset_for(words: &str) -> &'static StylePreset {
    let of_genre = |genre: &Genre| match genre {
        Genre::Infinite => "survival",
        Genre::System => "brisk",
        Genre::Xianxia => "ethereal",
        Genre::Wuxia => "classical",
        Genre::Fantasy => "hot-blooded",
        Genre::SciFi => "rational",
        Genre::Mystery => "suspense",
        Genre::Costume => "courtly",
        Genre::Romance => "delicate",
        Genre::History => "classical",
        Genre::Urban => "light",
    };
    let named = Genre::named_in(words).first().map(of_genre);
    let words = words.to_lowercase();
    let other = || OTHER_GENRES.iter().find(|(_, known)| known.iter().any(|word| words.contains(word)));
    let id = named.or_else(|| other().map(|(id, _)| *id));
    id.and_then(preset).unwrap_or(&PRESETS[0])
}

/// The sample book's own files; the rest is as in [`TEMPLATES`]. See [`demo`].
pub const DEMO: &[(&str, &str)] = files! { "demo":
    "README.md",
    "brief.md",
    "characters/active/cheng-jibai.json",
    "characters/active/cheng-jibai.md",
    "characters/active/lao-ge.json",
    "characters/active/lao-ge.md",
    "characters/active/luo-zhangfang.json",
    "characters/active/luo-zhangfang.md",
    "characters/active/qin-yuanshan.json",
    "characters/active/qin-yuanshan.md",
    "characters/active/wen-xiaoman.json",
    "characters/active/wen-xiaoman.md",
    "characters/relationships.json",
    "novel.toml",
    "storylines/storylines.json",
    "style-profile.json",
    "volumes/vol-01/chapter-contracts/chapter-001.json",
    "volumes/vol-01/chapter-contracts/chapter-002.json",
    "volumes/vol-01/chapter-contracts/chapter-003.json",
    "volumes/vol-01/chapter-contracts/chapter-004.json",
    "volumes/vol-01/chapter-contracts/chapter-005.json",
    "volumes/vol-01/chapter-contracts/chapter-006.json",
    "volumes/vol-01/chapter-contracts/chapter-007.json",
    "volumes/vol-01/chapter-contracts/chapter-008.json",
    "volumes/vol-01/foreshadowing.json",
    "volumes/vol-01/outline.md",
    "volumes/vol-01/storyline-schedule.json",
    "world/clean-company.md",
    "world/liuyin-station.md",
    "world/rules.json",
};

/// The whole sample book: a planned first volume without a word of prose.
pub fn demo() -> BTreeMap<&'static str, &'static str> {
    TEMPLATES.iter().chain(DEMO).copied().collect()
}

pub fn preset(name: &str) -> Option<&'static StylePreset> {
    let name = name.trim();
    PRESETS.iter().find(|preset| preset.id == name || preset.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::book::config::BookConfig;
    use crate::domain::state::{RawOp, State, apply_op};
    use crate::domain::volume::foreshadowing::{Action, Ledger};
    use crate::domain::volume::outline::Outline;
    use crate::domain::world::contract::ChapterContract;
    use crate::domain::world::storyline::Schedule;
    use crate::domain::world::style::StyleSource;
    use crate::domain::{ChapterNo, Slug, VolumeNo};
    use crate::store::format::check::{FormatSeverity, check_file};
    use crate::store::format::{self, config, contract, foreshadowing, rules, state, storylines, style};
    use crate::store::layout::{self, BookPath};
    use std::collections::BTreeSet;
    use std::path::Path;

    /// The files under a folder, with the dots that their names lack there.
    fn on_disk(folder: &str) -> BTreeSet<String> {
        fn walk(folder: &Path, prefix: &str, out: &mut BTreeSet<String>) {
            for entry in std::fs::read_dir(folder).unwrap() {
                let entry = entry.unwrap();
                let name = entry.file_name().into_string().unwrap();
                let name = if name.starts_with("git") { format!(".{name}") } else { name };
                if entry.file_type().unwrap().is_dir() {
                    walk(&entry.path(), &format!("{prefix}{name}/"), out);
                } else {
                    out.insert(format!("{prefix}{name}"));
                }
            }
        }
        let mut out = BTreeSet::new();
        walk(&Path::new(env!("CARGO_MANIFEST_DIR")).join("templates").join(folder), "", &mut out);
        out
    }

    fn paths(table: &[(&str, &str)]) -> BTreeSet<String> {
        table.iter().map(|(path, _)| (*path).to_owned()).collect()
    }

    #[test]
    fn the_tables_are_the_folders() {
        assert_eq!(paths(TEMPLATES), on_disk("book"));
        assert_eq!(paths(DEMO), on_disk("demo"));
        let styles = PRESETS.iter().map(|p| p.id).chain(["neutral"]).map(|id| format!("{id}.json"));
        assert_eq!(styles.collect::<BTreeSet<_>>(), on_disk("styles"));
    }

    #[test]
    fn every_file_passes_its_own_check() {
        let texts = PRESETS.iter().map(|preset| preset.text).chain([NEUTRAL]);
        let presets = texts.map(|text| (layout::STYLE_PROFILE, text));
        for (path, text) in TEMPLATES.iter().chain(DEMO).copied().chain(presets) {
            assert!(path.is_ascii() && text.ends_with('\n') && !text.contains('\r'), "{path}");
            assert!(path.starts_with("examples/") || layout::is_book_path(path), "{path}");
            let findings = check_file(path, text.as_bytes());
            assert_eq!(findings, [], "{path}");
        }
        let examples = [
            ("outline.md", "volumes/vol-01/outline.md"),
            ("character.json", "characters/active/song-yan.json"),
            ("character.md", "characters/active/song-yan.md"),
            ("chapter-contract.json", "volumes/vol-01/chapter-contracts/chapter-001.json"),
        ];
        for (name, path) in examples {
            let example = format!("examples/{name}");
            let (_, text) = TEMPLATES.iter().find(|(path, _)| *path == example).unwrap();
            assert!(!check_file(path, text.as_bytes()).iter().any(|f| f.severity == FormatSeverity::Error), "{name}");
        }
    }

    #[test]
    fn the_sample_outline_is_read_by_the_reader_of_outlines() {
        let outline = Outline::parse(OUTLINE_SAMPLE).unwrap();
        assert_eq!(outline.range(), Some((ChapterNo::FIRST, ChapterNo::new(2).unwrap())));
        assert!(outline.sections.iter().all(|section| section.storyline.as_str() == "main-arc"));
        assert_eq!(outline.sections.iter().map(|section| section.tasks.len()).sum::<usize>(), 2);
    }

    #[test]
    fn a_genre_has_a_preset_that_fits() {
        let table = [
            ("都市悬疑", "suspense"),
            ("玄幻", "hot-blooded"),
            ("仙侠", "ethereal"),
            ("科幻", "rational"),
            ("系统流", "brisk"),
            ("无限流", "survival"),
            ("历史", "classical"),
            ("都市", "light"),
            ("言情", "delicate"),
            ("古风言情", "courtly"),
            ("武侠", "classical"),
            ("日常", "light"),
            ("", "light"),
            ("Mystery", "suspense"),
        ];
        for (genre, id) in table {
            assert_eq!(preset_for(genre).id, id, "{genre}");
        }
        assert!(OTHER_GENRES.iter().all(|(id, _)| preset(id).is_some()));
    }

    #[test]
    fn the_templates_have_the_shape_that_the_program_writes() {
        let line = Slug::new("main-arc").unwrap();
        let mut contracts = 0;
        for (path, text) in TEMPLATES.iter().chain(DEMO).copied() {
            let bytes = text.as_bytes();
            let written = match layout::classify(path) {
                _ if path.ends_with("chapter-contract.json") => {
                    contract::write(&contract::read(&line, bytes).unwrap(), None)
                }
                Some(BookPath::Contract(..)) => contract::write(&contract::read(&line, bytes).unwrap(), None),
                Some(BookPath::Schedule(_)) => format::write(&format::read::<Schedule>(bytes).unwrap(), None),
                Some(BookPath::Storylines) => storylines::write(&storylines::read(bytes).unwrap(), None),
                Some(BookPath::WorldRules) => rules::write(&rules::read(bytes).unwrap(), None),
                Some(BookPath::StorylineRules) => rules::write_spec(&rules::read(bytes).unwrap(), None),
                _ => continue,
            };
            contracts += usize::from(path.contains("contract"));
            assert_eq!(String::from_utf8(written).unwrap(), text, "{path}");
        }
        assert_eq!(contracts, 9);
    }

    #[test]
    fn an_empty_book_begins_at_nothing() {
        let book: BTreeMap<_, _> = TEMPLATES.iter().copied().collect();
        assert_eq!(state::write(&State::default()), book[layout::STATE].as_bytes());
        assert_eq!(foreshadowing::write(&Ledger::default(), None), book[layout::FORESHADOWING].as_bytes());
        let spec = rules::read(book[layout::STORYLINE_RULES].as_bytes()).unwrap();
        let hard: Vec<&str> = spec.iter().filter(|r| r.strength.as_str() == "hard").map(|r| r.id.as_str()).collect();
        assert_eq!((spec.len(), hard), (5, vec!["LS-001", "LS-005"]));
        let phrases = style::read_phrases(book[layout::AI_PHRASES].as_bytes()).unwrap().phrases;
        let distinct: BTreeSet<&str> = phrases.iter().map(|phrase| phrase.text.as_str()).collect();
        assert!(distinct.len() == phrases.len() && phrases.len() >= 50);
        for preset in PRESETS {
            let profile = style::read_profile(preset.text.as_bytes()).unwrap();
            assert!(profile.source == StyleSource::Preset && profile.is_chosen(), "{}", preset.id);
        }
        let neutral = style::read_profile(NEUTRAL.as_bytes()).unwrap();
        assert!(!neutral.is_chosen() && !neutral.writing_directives.is_empty());
        assert_eq!(neutral.source_name.as_deref(), Some(crate::domain::world::style::NEUTRAL));
        assert_eq!(preset("悬疑冷峻"), preset("suspense"));
        assert!(book["brief.md"].chars().count() <= 1000);
    }

    #[test]
    fn the_sample_book_is_planned_to_the_end() {
        let book = demo();
        let (settings, _) = config::read(book[layout::CONFIG].as_bytes()).unwrap();
        assert_eq!((settings.offline, settings.min_words, settings.max_words), (true, 900, 1400));
        assert_ne!(settings, BookConfig::default());
        let outline = Outline::parse(book["volumes/vol-01/outline.md"]).unwrap();
        assert_eq!(outline.range(), Some((ChapterNo::FIRST, ChapterNo::new(8).unwrap())));
        let lines = storylines::read(book[layout::STORYLINES].as_bytes()).unwrap();
        let schedule = format::read::<Schedule>(book["volumes/vol-01/storyline-schedule.json"].as_bytes()).unwrap();
        assert!(schedule.convergence_at(ChapterNo::new(3).unwrap()).is_some());
        for planned in &schedule.active {
            let chapters = outline.sections.iter().filter(|section| section.storyline == planned.storyline).count();
            assert_eq!(chapters, planned.target_chapters as usize, "{}", planned.storyline);
            assert!(lines.get(&planned.storyline).is_some());
        }
        let people: BTreeSet<Slug> = book
            .keys()
            .filter_map(|path| match layout::classify(path)? {
                BookPath::Character { id, .. } => Some(id),
                _ => None,
            })
            .collect();
        let contracts: Vec<ChapterContract> = outline
            .sections
            .iter()
            .map(|section| {
                let path = layout::contract(VolumeNo::FIRST, section.chapter);
                let contract = contract::read(&section.storyline, book[path.as_str()].as_bytes()).unwrap();
                assert_eq!((contract.chapter, &contract.storyline), (section.chapter, &section.storyline));
                assert!(contract.characters.iter().all(|id| people.contains(id)), "{path}");
                contract
            })
            .collect();
        for pair in contracts.windows(2) {
            let next = pair[0].transition.as_ref().map(|transition| &transition.next);
            assert_eq!(next, Some(&pair[1].storyline), "{}", pair[0].chapter);
        }
    }

    #[test]
    fn the_sample_book_s_foreshadowing_can_be_carried_out() {
        let book = demo();
        let outline = Outline::parse(book["volumes/vol-01/outline.md"]).unwrap();
        let plan = foreshadowing::read_plan(book["volumes/vol-01/foreshadowing.json"].as_bytes()).unwrap();
        let (mut state, mut ledger) = (State::default(), Ledger::default());
        for section in &outline.sections {
            for task in &section.tasks {
                let planned = plan.iter().find(|planned| planned.id == task.id).unwrap();
                let n = section.chapter.get();
                match task.action {
                    Action::Planted => assert_eq!(planned.plant, Some(section.chapter), "{}", task.id),
                    Action::Advanced => assert!(planned.advance.contains(&n), "{} in {n}", task.id),
                    Action::Resolved => {
                        assert!(planned.target.is_some_and(|(from, to)| (from..=to).contains(&n)), "{}", task.id);
                    }
                }
                let raw = RawOp {
                    op: "foreshadow".into(),
                    path: task.id.to_string(),
                    value: task.action.as_str().into(),
                    detail: Some(task.detail.clone()),
                    scope: Some(planned.scope.as_str().into()),
                    target: None,
                };
                apply_op(&mut state, &mut ledger, &raw.check().unwrap(), section.chapter, &section.storyline).unwrap();
            }
        }
        assert_eq!(ledger.entries.len(), plan.len());
        let open: Vec<&str> = ledger.open().map(|entry| entry.id.as_str()).collect();
        assert_eq!(open, ["seventh_day_deal", "brother_name"], "two threads lead into the next volume");
        assert!(ledger.entries.iter().all(|entry| !entry.overdue(8)));
    }
}
