//! Paths by name, and parsing names of folders and files.
//! Paths that a book's files may have.

use crate::store::prelude::*;

pub const BRIEF: &str = "brief.md";
pub const CONFIG: &str = "novel.toml";
pub const CHECKPOINT: &str = ".checkpoint.json";
pub const STYLE_PROFILE: &str = "style-profile.json";
pub const AI_PHRASES: &str = "ai-blacklist.json";
pub const STYLE_DRIFT: &str = "style-drift.json";
pub const WAIVERS: &str = "waivers.json";
pub const WISHES: &str = "wishes.json";
pub const WORLD_RULES: &str = "world/rules.json";
pub const RELATIONSHIPS: &str = "characters/relationships.json";
pub const STORYLINES: &str = "storylines/storylines.json";
pub const STORYLINE_RULES: &str = "storylines/storyline-spec.json";
pub const STATE: &str = "state/current-state.json";
pub const FORESHADOWING: &str = "foreshadowing/global.json";
/// Chapters, a folder per volume.
pub const CHAPTERS: &str = "chapters";
pub const STATE_FOLDER: &str = "state";
pub const LEDGER_FOLDER: &str = "foreshadowing";
/// Deltas of chapters, a folder per volume.
pub const DELTAS: &str = "state/deltas";
/// Quality briefs, a folder per volume.
pub const QUALITY: &str = "quality";
pub const PLAN_LOGS: &str = "logs/plans";
pub const RESEARCH: &str = "research";
/// The author's own prose, from which the style was learnt.
pub const SAMPLES: &str = "samples";
pub const PROMPTS: &str = "prompts";
/// Plans of volumes, a folder each.
pub const VOLUMES: &str = "volumes";
pub const ACTIVE_CHARACTERS: &str = "characters/active";
pub const RETIRED_CHARACTERS: &str = "characters/retired";
/// The linked work tree of the chapter in flight; never part of a commit.
pub const STAGING: &str = "staging";

/// The volume of a folder named `vol-01`; `None` for any other spelling.
pub fn volume_named(name: &str) -> Option<VolumeNo> {
    name.parse().ok().filter(|volume: &VolumeNo| volume.to_string() == name)
}

/// The chapter of a file named `chapter-001.md`; `None` for any other spelling.
pub fn chapter_named(name: &str) -> Option<ChapterNo> {
    let digits = name.strip_prefix("chapter-")?.strip_suffix(".md")?;
    // At least three digits, and no further leading zero.
    let is_canonical = digits.len() == 3 || (digits.len() > 3 && !digits.starts_with('0'));
    let number = Some(digits).filter(|digits| is_canonical && digits.bytes().all(|byte| byte.is_ascii_digit()));
    ChapterNo::new(number?.parse().ok()?)
}

/// `chapters/vol-01/chapter-001.md`.
pub fn chapter(volume: VolumeNo, chapter: ChapterNo) -> String {
    BookPath::Chapter(volume, chapter).path()
}

/// `summaries/vol-01/chapter-001-summary.md`.
pub fn summary(volume: VolumeNo, chapter: ChapterNo) -> String {
    BookPath::Summary(volume, chapter).path()
}

/// `memory/vol-01/chapter-001-memory.json`.
pub fn chapter_memory(volume: VolumeNo, chapter: ChapterNo) -> String {
    BookPath::ChapterMemory(volume, chapter).path()
}

/// `evaluations/vol-01/chapter-001-eval.json`.
pub fn evaluation(volume: VolumeNo, chapter: ChapterNo) -> String {
    BookPath::Evaluation { volume, chapter, second: false }.path()
}

/// `evaluations/vol-01/chapter-001-eval-2.json`, by the second judge of a key chapter.
pub fn second_evaluation(volume: VolumeNo, chapter: ChapterNo) -> String {
    BookPath::Evaluation { volume, chapter, second: true }.path()
}

/// `quality/vol-01/chapter-005-quality.json`.
pub fn quality_brief(volume: VolumeNo, chapter: ChapterNo) -> String {
    BookPath::QualityBrief(volume, chapter).path()
}

/// `logs/vol-01/chapter-001-log.json`.
pub fn log(volume: VolumeNo, chapter: ChapterNo) -> String {
    BookPath::Log(volume, chapter).path()
}

/// `state/deltas/vol-01/chapter-001-delta.json`.
pub fn delta(volume: VolumeNo, chapter: ChapterNo) -> String {
    BookPath::Delta(volume, chapter).path()
}

/// `storylines/main-arc/memory.md`.
pub fn memory(storyline: &Slug) -> String {
    BookPath::Memory(storyline.clone()).path()
}

/// `volumes/vol-01/outline.md`.
pub fn outline(volume: VolumeNo) -> String {
    BookPath::Outline(volume).path()
}

/// `volumes/vol-01/storyline-schedule.json`.
pub fn schedule(volume: VolumeNo) -> String {
    BookPath::Schedule(volume).path()
}

/// `volumes/vol-01/foreshadowing.json`.
pub fn foreshadowing_plan(volume: VolumeNo) -> String {
    BookPath::ForeshadowingPlan(volume).path()
}

/// `volumes/vol-01/chapter-contracts/chapter-001.json`.
pub fn contract(volume: VolumeNo, chapter: ChapterNo) -> String {
    BookPath::Contract(volume, chapter).path()
}

/// `volumes/vol-01/review.md`.
pub fn review(volume: VolumeNo) -> String {
    BookPath::Review(volume).path()
}

/// `volumes/vol-01/progress.json`.
pub fn judgement(volume: VolumeNo) -> String {
    BookPath::Judgement(volume).path()
}

/// `characters/active/lin-feng.json`.
pub fn character(id: &Slug) -> String {
    BookPath::Character { id: id.clone(), retired: false }.path()
}

/// `characters/active/lin-feng.md`.
pub fn profile(id: &Slug) -> String {
    BookPath::Profile { id: id.clone(), retired: false }.path()
}

/// `characters/retired/lin-feng.json`.
pub fn retired_character(id: &Slug) -> String {
    BookPath::Character { id: id.clone(), retired: true }.path()
}

/// Whether `path` may be a file of a book: relative, canonical, outside `.git` and `staging`, at most 4 KiB, and of
/// names that this system has.
pub(crate) fn check_path(path: &str) -> Result<(), StoreError> {
    let component = |c: &str| {
        !c.is_empty()
            && c != "."
            && c != ".."
            && !c.eq_ignore_ascii_case(".git")
            && !c.chars().any(|c| c == '\\' || c.is_control())
            && system::is_file_name(c)
    };
    let first = path.split('/').next().unwrap_or_default();
    if path.len() <= 4096 && path.split('/').all(component) && first != "staging" {
        Ok(())
    } else {
        Err(StoreError::BadPath(path.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_canonical_relative_paths_are_paths_of_a_book() {
        for path in ["novel.toml", "chapters/vol-01/chapter-001.md", "research/资料 一.md", "a..b", ".gitignore"] {
            assert!(check_path(path).is_ok(), "{path}");
        }
        for path in
            ["", "/a", "a/", "a//b", "./a", "../a", "a/..", ".git/config", "a/.GIT/x", "staging/a", "a\\b", "a\nb"]
        {
            assert!(check_path(path).is_err(), "{path}");
        }
    }
}
