//! The paths of a book's files, and their meanings.
//! [`BookPath`] names each thing once; [`BookPath::path`] and [`classify`] are inverse, and the functions below are
//! shorthands. Paths are relative to the book's folder, with `/`, and every path made here is ASCII (`book.md`,
//! "Tree"): only the author's files in `research/`, `samples/`, `prompts/` and `world/` may have other names.

use crate::domain::{ChapterNo, Slug, VolumeNo};

mod paths;

pub use paths::*;

/// The owner of a file, who decides when the file is missing or damaged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Owner {
    /// The program writes the file and can restore it from history. A readable change is still the author's edit.
    Program,
    /// The author writes or approves the file. Only the author, or `novel doctor --repair`, replaces it.
    Author,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum BookPath {
    /// `README.md`.
    Readme,
    /// `.gitignore`.
    GitIgnore,
    /// `.gitattributes`.
    GitAttributes,
    /// `brief.md`: the author's idea of the book.
    Brief,
    /// `novel.toml`.
    Config,
    /// `.checkpoint.json`: the book's position.
    Checkpoint,
    /// `style-profile.json`.
    StyleProfile,
    /// `ai-blacklist.json`: worn-out phrases.
    AiPhrases,
    /// `style-drift.json`: corrections while the style drifts; otherwise absent.
    StyleDrift,
    /// `waivers.json`: accepted deviations; absent without any.
    Waivers,
    /// `wishes.json`: what the author wants of the next chapters; absent without any.
    Wishes,
    /// A file under `prompts/`: the author's own version of a prompt.
    Prompt(String),
    /// A file under `research/`: the author's notes.
    Research(String),
    /// A file under `samples/`: the author's prose, from which the style was learnt.
    Sample(String),
    /// `world/rules.json`: world rules (L1).
    WorldRules,
    /// Any other file under `world/`: the world in prose.
    World(String),
    /// `characters/{active,retired}/<id>.json`: a character's data and contracts (L2).
    Character { id: Slug, retired: bool },
    /// `characters/{active,retired}/<id>.md`: a character's profile in prose.
    Profile { id: Slug, retired: bool },
    /// `characters/relationships.json`: initial relationships.
    Relationships,
    /// `storylines/storylines.json`: all storylines.
    Storylines,
    /// `storylines/storyline-spec.json`: storyline rules (LS).
    StorylineRules,
    /// `storylines/<id>/memory.md`.
    Memory(Slug),
    /// `volumes/vol-01/outline.md`.
    Outline(VolumeNo),
    /// `volumes/vol-01/storyline-schedule.json`.
    Schedule(VolumeNo),
    /// `volumes/vol-01/foreshadowing.json`: plantings and resolutions of the volume.
    ForeshadowingPlan(VolumeNo),
    /// `volumes/vol-01/chapter-contracts/chapter-001.json` (L3).
    Contract(VolumeNo, ChapterNo),
    /// `volumes/vol-01/review.md`: the review at the volume's end.
    Review(VolumeNo),
    /// `volumes/vol-01/progress.json`: the review's judgement of the book's progress.
    Judgement(VolumeNo),
    /// `state/current-state.json`.
    State,
    /// `state/deltas/vol-01/chapter-001-delta.json`.
    Delta(VolumeNo, ChapterNo),
    /// `foreshadowing/global.json`: the ledger.
    Foreshadowing,
    /// `chapters/vol-01/chapter-001.md`.
    Chapter(VolumeNo, ChapterNo),
    /// `summaries/vol-01/chapter-001-summary.md`.
    Summary(VolumeNo, ChapterNo),
    /// `memory/vol-01/chapter-001-memory.json`: the chapter's entry in the ledger.
    ChapterMemory(VolumeNo, ChapterNo),
    /// `evaluations/vol-01/chapter-001-eval.json`; `…-eval-2.json` is the second judge's.
    Evaluation { volume: VolumeNo, chapter: ChapterNo, second: bool },
    /// `quality/vol-01/chapter-005-quality.json`: the brief on the five chapters that end with this one.
    QualityBrief(VolumeNo, ChapterNo),
    /// `logs/vol-01/chapter-001-log.json`.
    Log(VolumeNo, ChapterNo),
    /// `logs/plans/vol-01-001.json`: the calls of the planners for one transaction.
    PlanLog(Slug),
}

/// The files that a book has once.
static SINGLE: [(BookPath, &str); 17] = [
    (BookPath::Readme, "README.md"),
    (BookPath::GitIgnore, ".gitignore"),
    (BookPath::GitAttributes, ".gitattributes"),
    (BookPath::Brief, BRIEF),
    (BookPath::Config, CONFIG),
    (BookPath::Checkpoint, CHECKPOINT),
    (BookPath::StyleProfile, STYLE_PROFILE),
    (BookPath::AiPhrases, AI_PHRASES),
    (BookPath::StyleDrift, STYLE_DRIFT),
    (BookPath::Waivers, WAIVERS),
    (BookPath::Wishes, WISHES),
    (BookPath::WorldRules, WORLD_RULES),
    (BookPath::Relationships, RELATIONSHIPS),
    (BookPath::Storylines, STORYLINES),
    (BookPath::StorylineRules, STORYLINE_RULES),
    (BookPath::State, STATE),
    (BookPath::Foreshadowing, FORESHADOWING),
];

/// A kind of file that each chapter may have: its folder, with one folder a volume, and the end of its name.
type OfChapter = (fn(VolumeNo, ChapterNo) -> BookPath, &'static str, &'static str);

static OF_CHAPTER: [OfChapter; 8] = [
    (BookPath::Delta, DELTAS, "-delta.json"),
    (BookPath::Chapter, CHAPTERS, ".md"),
    (BookPath::Summary, "summaries", "-summary.md"),
    (BookPath::ChapterMemory, "memory", "-memory.json"),
    (|volume, chapter| BookPath::Evaluation { volume, chapter, second: false }, "evaluations", "-eval.json"),
    (|volume, chapter| BookPath::Evaluation { volume, chapter, second: true }, "evaluations", "-eval-2.json"),
    (BookPath::QualityBrief, QUALITY, "-quality.json"),
    (BookPath::Log, "logs", "-log.json"),
];

impl BookPath {
    pub fn path(&self) -> String {
        let group = |retired: &bool| if *retired { "retired" } else { "active" };
        match self {
            Self::Prompt(name) => format!("prompts/{name}"),
            Self::Research(name) => format!("research/{name}"),
            Self::Sample(name) => format!("{SAMPLES}/{name}"),
            Self::World(name) => format!("world/{name}"),
            Self::Character { id, retired } => format!("characters/{}/{id}.json", group(retired)),
            Self::Profile { id, retired } => format!("characters/{}/{id}.md", group(retired)),
            Self::Memory(id) => format!("storylines/{id}/memory.md"),
            Self::Outline(volume) => format!("volumes/{volume}/outline.md"),
            Self::Schedule(volume) => format!("volumes/{volume}/storyline-schedule.json"),
            Self::ForeshadowingPlan(volume) => format!("volumes/{volume}/foreshadowing.json"),
            Self::Contract(volume, chapter) => format!("volumes/{volume}/chapter-contracts/{}.json", chapter.stem()),
            Self::Review(volume) => format!("volumes/{volume}/review.md"),
            Self::Judgement(volume) => format!("volumes/{volume}/progress.json"),
            Self::PlanLog(name) => format!("{PLAN_LOGS}/{name}.json"),
            _ => match (self.of_kind(), self.volume(), self.chapter()) {
                (Some((_, folder, end)), Some(volume), Some(chapter)) => {
                    format!("{folder}/{volume}/{}{end}", chapter.stem())
                }
                _ => SINGLE.iter().find(|(place, _)| place == self).map_or("", |(_, path)| path).to_owned(),
            },
        }
    }

    /// The kind of a chapter's file; `None` for any other, and for a contract, which stands among the plans.
    fn of_kind(&self) -> Option<&'static OfChapter> {
        let (volume, chapter) = self.volume().zip(self.chapter())?;
        OF_CHAPTER.iter().find(|(place, ..)| place(volume, chapter) == *self)
    }

    /// The chapter of the file: text, summary, memory, evaluations, log, delta or contract.
    pub fn chapter(&self) -> Option<ChapterNo> {
        match self {
            Self::Contract(_, chapter)
            | Self::Delta(_, chapter)
            | Self::Chapter(_, chapter)
            | Self::Summary(_, chapter)
            | Self::ChapterMemory(_, chapter)
            | Self::Evaluation { chapter, .. }
            | Self::QualityBrief(_, chapter)
            | Self::Log(_, chapter) => Some(*chapter),
            _ => None,
        }
    }

    pub fn volume(&self) -> Option<VolumeNo> {
        match self {
            Self::Outline(volume)
            | Self::Schedule(volume)
            | Self::ForeshadowingPlan(volume)
            | Self::Review(volume)
            | Self::Judgement(volume)
            | Self::Contract(volume, _)
            | Self::Delta(volume, _)
            | Self::Chapter(volume, _)
            | Self::Summary(volume, _)
            | Self::ChapterMemory(volume, _)
            | Self::Evaluation { volume, .. }
            | Self::QualityBrief(volume, _)
            | Self::Log(volume, _) => Some(*volume),
            _ => None,
        }
    }

    /// The path of this kind of file for another chapter; a file of no chapter stays.
    pub fn of_chapter(&self, volume: VolumeNo, chapter: ChapterNo) -> Self {
        match self {
            Self::Contract(..) => Self::Contract(volume, chapter),
            other => other.of_kind().map_or_else(|| other.clone(), |(place, ..)| place(volume, chapter)),
        }
    }

    /// True when the author, not the pipeline, decides the content. A rollback keeps these files: brief, settings,
    /// research, prompts, style and plans of volumes (`book.md`, property 3). Files that follow from chapters (style
    /// corrections, review) are not among them.
    pub fn is_author_input(&self) -> bool {
        matches!(
            self,
            Self::Readme
                | Self::GitIgnore
                | Self::GitAttributes
                | Self::Brief
                | Self::Config
                | Self::StyleProfile
                | Self::AiPhrases
                | Self::Waivers
                | Self::Wishes
                | Self::Prompt(_)
                | Self::Research(_)
                | Self::Sample(_)
        ) || self.is_plan()
    }

    pub fn owner(&self) -> Owner {
        match self {
            Self::Checkpoint
            | Self::State
            | Self::Delta(..)
            | Self::Foreshadowing
            | Self::Memory(_)
            | Self::Summary(..)
            | Self::ChapterMemory(..)
            | Self::Evaluation { .. }
            | Self::QualityBrief(..)
            | Self::Log(..)
            | Self::PlanLog(_) => Owner::Program,
            _ => Owner::Author,
        }
    }

    /// True for a file of the author whose loss would silently change the book, so that a deletion is asked about.
    /// Style lists and the like are optional.
    pub fn is_needed(&self) -> bool {
        matches!(
            self,
            Self::Brief
                | Self::Config
                | Self::StyleProfile
                | Self::WorldRules
                | Self::Relationships
                | Self::Storylines
                | Self::Character { retired: false, .. }
                | Self::Chapter(..)
        ) || self.is_plan()
    }

    /// True for a file that can only be text. The author's notes may be anything, such as an image.
    pub fn is_text(&self) -> bool {
        match self {
            Self::Research(name) | Self::Sample(name) | Self::World(name) => name.ends_with(".md"),
            _ => true,
        }
    }

    /// True for parts of a volume's plan: outline, schedule, foreshadowing plan, chapter contracts.
    pub fn is_plan(&self) -> bool {
        matches!(self, Self::Outline(_) | Self::Schedule(_) | Self::ForeshadowingPlan(_) | Self::Contract(..))
    }

    /// True for files that telling the story makes: results of chapters, state, memories, reviews, logs and checkpoint.
    pub fn is_told(&self) -> bool {
        let is_result = self.chapter().is_some_and(|chapter| self.is_result_of(chapter));
        is_result
            || matches!(
                self,
                Self::Checkpoint
                    | Self::StyleDrift
                    | Self::Memory(_)
                    | Self::Review(_)
                    | Self::Judgement(_)
                    | Self::State
                    | Self::Foreshadowing
                    | Self::PlanLog(_)
            )
    }

    /// True for an author's file or a chapter's that is about another chapter where the chapters from `first` on have other numbers.
    pub fn has_numbers_from(&self, first: ChapterNo) -> bool {
        match self.chapter() {
            Some(chapter) => chapter >= first,
            None => self.is_plan() || matches!(self, Self::Waivers | Self::Wishes),
        }
    }

    /// True for results of writing the chapter: text, summary, memory, evaluations, log, delta. Its contract is a plan.
    pub fn is_result_of(&self, chapter: ChapterNo) -> bool {
        !self.is_plan() && self.chapter() == Some(chapter)
    }
}

/// The meaning of the path; `None` for a file that does not belong to the book: an author may keep other files there.
pub fn classify(path: &str) -> Option<BookPath> {
    let place = guess(path)?;
    // Only one spelling: `chapter-1.md` or `vol-1` would be a second file for one chapter.
    (place.path() == path).then_some(place)
}

fn guess(path: &str) -> Option<BookPath> {
    if let Some((place, _)) = SINGLE.iter().find(|(_, single)| *single == path) {
        return Some(place.clone());
    }
    let of_chapter = |&(place, folder, end): &OfChapter| {
        let (volume, name) = path.strip_prefix(folder)?.strip_prefix('/')?.split_once('/')?;
        Some(place(volume.parse().ok()?, name.strip_suffix(end)?.parse().ok()?))
    };
    if let Some(place) = OF_CHAPTER.iter().find_map(of_chapter) {
        return Some(place);
    }
    let segments: Vec<&str> = path.split('/').collect();
    let in_folder = |name: &[&str]| {
        let inside = !name.is_empty() && name.iter().all(|part| !matches!(*part, "" | "." | ".."));
        (inside && !is_leftover(path) && !is_copy(path)).then(|| name.join("/"))
    };
    Some(match segments[..] {
        ["prompts", ref name @ ..] => BookPath::Prompt(in_folder(name)?),
        ["research", ref name @ ..] => BookPath::Research(in_folder(name)?),
        ["samples", ref name @ ..] => BookPath::Sample(in_folder(name)?),
        ["world", ref name @ ..] => BookPath::World(in_folder(name)?),
        ["characters", group @ ("active" | "retired"), name] => {
            let retired = group == "retired";
            match name.strip_suffix(".json") {
                Some(id) => BookPath::Character { id: Slug::new(id).ok()?, retired },
                None => BookPath::Profile { id: Slug::new(name.strip_suffix(".md")?).ok()?, retired },
            }
        }
        ["storylines", id, "memory.md"] => BookPath::Memory(Slug::new(id).ok()?),
        ["volumes", volume, "outline.md"] => BookPath::Outline(volume.parse().ok()?),
        ["volumes", volume, "storyline-schedule.json"] => BookPath::Schedule(volume.parse().ok()?),
        ["volumes", volume, "foreshadowing.json"] => BookPath::ForeshadowingPlan(volume.parse().ok()?),
        ["volumes", volume, "review.md"] => BookPath::Review(volume.parse().ok()?),
        ["volumes", volume, "progress.json"] => BookPath::Judgement(volume.parse().ok()?),
        ["volumes", volume, "chapter-contracts", name] => {
            BookPath::Contract(volume.parse().ok()?, name.strip_suffix(".json")?.parse().ok()?)
        }
        ["logs", "plans", name] => BookPath::PlanLog(Slug::new(name.strip_suffix(".json")?).ok()?),
        _ => return None,
    })
}

pub fn is_book_path(path: &str) -> bool {
    classify(path).is_some()
}

/// True for results of writing some chapter.
pub fn is_result(path: &str) -> bool {
    classify(path).is_some_and(|place| place.chapter().is_some_and(|chapter| place.is_result_of(chapter)))
}

/// Folders of chapter results, each with a folder per volume.
const RESULT_FOLDERS: [&str; 7] = [CHAPTERS, "summaries", "memory", "evaluations", QUALITY, "logs", DELTAS];

/// A cheap test whether the path is in a folder of results, and so of no plan.
pub fn is_in_results(path: &[u8]) -> bool {
    RESULT_FOLDERS.iter().any(|folder| path.strip_prefix(folder.as_bytes()).is_some_and(|rest| rest.starts_with(b"/")))
}

/// The folders of a volume's chapter results.
pub fn result_folders(volume: VolumeNo) -> Vec<String> {
    RESULT_FOLDERS.map(|at| format!("{at}/{volume}")).to_vec()
}

/// The volume of that folder of results, which has a slash at its end.
pub fn volume_of_results(folder: &str) -> Option<VolumeNo> {
    let (above, name) = folder.strip_suffix('/')?.rsplit_once('/')?;
    volume_named(name).filter(|_| RESULT_FOLDERS.contains(&above))
}

/// See [`BookPath::is_result_of`].
pub fn is_of_chapter(path: &str, chapter: ChapterNo) -> bool {
    classify(path).is_some_and(|place| place.is_result_of(chapter))
}

/// Names as a whole, of files and of folders.
const NAMES: [&str; 10] = [
    ".DS_Store",
    ".idea",
    ".obsidian",
    ".stversions",
    ".trash",
    ".vscode",
    "4913", // Vim's test whether a folder can be written to.
    "@eaDir",
    "Thumbs.db",
    "desktop.ini",
];

const BEGINNINGS: [&str; 7] = [
    "._", // What a Mac keeps beside a file on a disk of another system.
    ".#",
    ".fuse_hidden",
    ".goutputstream-",
    ".nfs",
    ".~lock.",
    "~$",
];

const ENDINGS: [&str; 7] = ["~", ".bak", ".kate-swp", ".orig", ".swo", ".swp", ".tmp"];

/// Parts of the names that sync programs give to the other version, in lower case.
const CONFLICTS: [&str; 4] = ["conflicted copy", "(sfconflict ", ".sync-conflict-", "的冲突副本"];

/// Endings, before the one of the type, of the names that file managers give to a copy. Without the hyphen, 副本 is also
/// an instance in a game, which a world may have.
const COPIES: [&str; 2] = [" - copy", " - 副本"];

/// True for a path that has such a name at its end or on its way.
pub fn is_leftover(path: &str) -> bool {
    let is_autosave = |name: &str| name.len() > 2 && name.starts_with('#') && name.ends_with('#');
    path.split('/').any(|name| {
        NAMES.contains(&name)
            || BEGINNINGS.iter().any(|beginning| name.starts_with(beginning))
            || ENDINGS.iter().any(|ending| name.ends_with(ending))
            || is_autosave(name)
    })
}

/// True for a copy that a sync program or a file manager has made of a file. Unlike a leftover it may hold text of the
/// author's that is nowhere else.
pub fn is_copy(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path).to_lowercase();
    let stem = name.rsplit_once('.').map_or(name.as_str(), |(stem, _)| stem);
    // A second copy: `rules - Copy (2).md`.
    let counted = stem.strip_suffix(')').and_then(|stem| stem.rsplit_once(" ("));
    let stem = counted.filter(|(_, n)| n.chars().all(|c| c.is_ascii_digit())).map_or(stem, |(stem, _)| stem);
    CONFLICTS.iter().any(|part| name.contains(part)) || COPIES.iter().any(|ending| stem.ends_with(ending))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn places(v: u32, c: u32, slug: &str) -> Vec<BookPath> {
        let (volume, chapter, id) = (VolumeNo::new(v).unwrap(), ChapterNo::new(c).unwrap(), Slug::new(slug).unwrap());
        let mut all = vec![
            BookPath::Readme,
            BookPath::GitIgnore,
            BookPath::GitAttributes,
            BookPath::Brief,
            BookPath::Config,
            BookPath::Checkpoint,
            BookPath::StyleProfile,
            BookPath::AiPhrases,
            BookPath::StyleDrift,
            BookPath::Waivers,
            BookPath::Wishes,
            BookPath::Prompt("writer/role.md".into()),
            BookPath::Research("宋代夜市.md".into()),
            BookPath::Sample("sample-001.md".into()),
            BookPath::WorldRules,
            BookPath::World("geography.md".into()),
            BookPath::Relationships,
            BookPath::Storylines,
            BookPath::StorylineRules,
            BookPath::Memory(id.clone()),
            BookPath::Outline(volume),
            BookPath::Schedule(volume),
            BookPath::ForeshadowingPlan(volume),
            BookPath::Contract(volume, chapter),
            BookPath::Review(volume),
            BookPath::Judgement(volume),
            BookPath::State,
            BookPath::Delta(volume, chapter),
            BookPath::Foreshadowing,
            BookPath::Chapter(volume, chapter),
            BookPath::Summary(volume, chapter),
            BookPath::ChapterMemory(volume, chapter),
            BookPath::QualityBrief(volume, chapter),
            BookPath::Log(volume, chapter),
        ];
        for flag in [false, true] {
            all.push(BookPath::Character { id: id.clone(), retired: flag });
            all.push(BookPath::Profile { id: id.clone(), retired: flag });
            all.push(BookPath::Evaluation { volume, chapter, second: flag });
        }
        all
    }

    #[test]
    fn the_layout_is_that_of_the_design() {
        let (v, c) = (VolumeNo::FIRST, ChapterNo::FIRST);
        let id = Slug::new("main-arc").unwrap();
        assert_eq!(chapter(v, c), "chapters/vol-01/chapter-001.md");
        assert_eq!(summary(v, c), "summaries/vol-01/chapter-001-summary.md");
        assert_eq!(chapter_memory(v, c), "memory/vol-01/chapter-001-memory.json");
        assert_eq!(evaluation(v, c), "evaluations/vol-01/chapter-001-eval.json");
        assert_eq!(second_evaluation(v, c), "evaluations/vol-01/chapter-001-eval-2.json");
        assert_eq!(log(v, c), "logs/vol-01/chapter-001-log.json");
        assert_eq!(delta(v, c), "state/deltas/vol-01/chapter-001-delta.json");
        assert_eq!(contract(v, c), "volumes/vol-01/chapter-contracts/chapter-001.json");
        assert_eq!(memory(&id), "storylines/main-arc/memory.md");
        assert_eq!(
            (character(&id), profile(&id)),
            ("characters/active/main-arc.json".into(), "characters/active/main-arc.md".into())
        );
        for place in [BookPath::Brief, BookPath::Config, BookPath::Checkpoint, BookPath::State, BookPath::Foreshadowing]
        {
            assert!([BRIEF, CONFIG, CHECKPOINT, STATE, FORESHADOWING].contains(&place.path().as_str()));
        }
    }

    #[test]
    fn only_one_spelling_is_the_book_s() {
        let foreign = [
            "chapters/chapter-001.md",
            "chapters/vol-1/chapter-001.md",
            "chapters/vol-01/chapter-1.md",
            "chapters/vol-01/ch-001.md",
            "chapters/vol-01/chapter-001.md.orig",
            "characters/active/林枫.json",
            "characters/active/lin-feng.txt",
            "storylines/../memory.md",
            "research/../novel.toml",
            "research/",
            "notes.txt",
            "staging/chapters/vol-01/chapter-001.md",
            "",
        ];
        for path in foreign {
            assert_eq!(classify(path), None, "{path}");
        }
    }

    #[test]
    fn each_file_has_one_owner() {
        let all = places(1, 4, "lao-ge");
        let by = |owner: Owner| all.iter().filter(move |place| place.owner() == owner);
        assert!(by(Owner::Program).all(|place| !place.is_needed() && !place.is_author_input() && place.is_text()));
        let paths: Vec<String> = by(Owner::Program).map(BookPath::path).collect();
        assert!(
            paths.contains(&STATE.to_owned()) && paths.contains(&memory(&Slug::new("lao-ge").unwrap())),
            "{paths:?}"
        );
        let needed: Vec<String> = all.iter().filter(|place| place.is_needed()).map(BookPath::path).collect();
        for path in [CONFIG, BRIEF, STORYLINES, "chapters/vol-01/chapter-004.md", "characters/active/lao-ge.json"] {
            assert!(needed.contains(&path.to_owned()), "{path}");
        }
        assert!(!needed.contains(&AI_PHRASES.to_owned()));
    }

    #[test]
    fn a_rollback_keeps_what_the_author_decides() {
        let is_author_input = |path: &str| classify(path).is_some_and(|place| place.is_author_input());
        for path in ["brief.md", "novel.toml", "research/茶.md", "prompts/judge.md", "volumes/vol-01/outline.md"] {
            assert!(is_author_input(path), "{path}");
        }
        for path in ["state/current-state.json", "style-drift.json", "chapters/vol-01/chapter-001.md", "其他.md"] {
            assert!(!is_author_input(path), "{path}");
        }
        let four = ChapterNo::new(4).unwrap();
        assert!(is_of_chapter("evaluations/vol-02/chapter-004-eval-2.json", four));
        assert!(is_of_chapter("memory/vol-02/chapter-004-memory.json", four));
        assert!(!is_of_chapter("volumes/vol-01/chapter-contracts/chapter-004.json", four));
        assert!(!is_of_chapter("chapters/vol-01/chapter-005.md", four));
    }

    proptest! {
        #[test]
        fn a_place_is_found_again_by_its_path(v in 1u32..=999, c in 1u32..=999_999, slug in "[a-z0-9][a-z0-9_-]{0,20}") {
            let all = places(v, c, &slug);
            let mut paths: Vec<String> = all.iter().map(BookPath::path).collect();
            for (place, path) in all.iter().zip(&paths) {
                prop_assert_eq!(classify(path), Some(place.clone()));
                prop_assert!(path.is_ascii() || matches!(place, BookPath::Research(_)));
            }
            paths.sort();
            paths.dedup();
            prop_assert_eq!(paths.len(), all.len());
        }

        #[test]
        fn classifying_never_panics(path in "(chapters|vol-|chapter-|[0-9]|/|\\.|json|md|-eval|-2|陈){0,8}") {
            if let Some(place) = classify(&path) {
                prop_assert_eq!(place.path(), path);
            }
        }
    }

    #[test]
    fn leftovers_and_copies_are_told_from_the_authors_files() {
        let leftovers =
            ["._茶.md", "#茶.md#", ".#茶.md", "茶.md~", "茶.md.orig", "4913", ".茶.md.kate-swp", "~$茶.docx"];
        for name in leftovers.into_iter().chain([".goutputstream-X1", ".nfs0001", ".obsidian/workspace.json"]) {
            assert!(is_leftover(&format!("world/{name}")) && !is_copy(name), "{name}");
        }
        let copies = ["茶 - 副本.md", "茶 - 副本 (2).md", "tea - Copy.md", "tea (Ann's conflicted copy 2026-01-02).md"];
        for name in
            copies.into_iter().chain(["茶.sync-conflict-20260102-030405-ABCDEFG.md", "茶 (安的冲突副本 2026-01-02).md"])
        {
            assert!(is_copy(&format!("world/{name}")) && !is_leftover(name), "{name}");
        }
        for name in
            [".gitkeep", "新手副本.md", "副本.md", "#1.md", "第4913号.md", "冲突.md", "tea (2).md", "writer/role.md"]
        {
            assert!(!is_leftover(name) && !is_copy(name), "{name}");
        }
    }

    #[test]
    fn git_ignores_no_more_in_a_new_book_than_leftovers() {
        let template = include_str!("../../../templates/book/gitignore");
        let patterns = template.lines().filter(|line| !line.is_empty() && !line.starts_with(['#', '/']));
        for pattern in patterns {
            let name = pattern.trim_end_matches('/').replace('\\', "").replace('*', "x");
            assert!(is_leftover(&name), "{pattern}");
        }
    }
}
