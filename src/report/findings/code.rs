//! The kinds of findings, with their meanings.

use crate::domain::named::named;
use crate::report::Lang;
use crate::report::catalogue::pair;

named! {
    pub enum Code {
        BrokenObject = "broken_object",
        BrokenPack = "broken_pack",
        MissingObject = "missing_object",
        /// Objects cannot be found anywhere.
        LostContent = "lost_content",
        /// A branch names a commit that cannot be read.
        LostBranch = "lost_branch",
        StrayLock = "stray_lock",
        WrongTag = "wrong_tag",
        /// A setting of git is wrong.
        WrongSetting = "wrong_setting",
        /// Drafts show up in `git status`.
        NotExcluded = "not_excluded",
        /// A transaction of the program is unfinished.
        Unfinished = "unfinished",
        /// The author is inside a merge, a rebase or the like.
        InProgress = "in_progress",
        /// A sparse checkout leaves out a file that the book changes.
        LeftOut = "left_out",
        /// Git has something checked out, or set up, with which the book cannot be written.
        NotWritable = "not_writable",
        /// The history is cut, as in a shallow clone.
        Shallow = "shallow",
        /// Git's index has an entry without an object.
        NullEntry = "null_entry",
        /// Git's index cannot be read.
        BadIndex = "bad_index",
        /// A committed file violates its format.
        BadFile = "bad_file",
        BrokenEdit = "broken_edit",
        Deleted = "deleted",
        /// The last commit lacks a file.
        Gone = "gone",
        /// Something blocks a path that the book writes to.
        InTheWay = "in_the_way",
        MissingFile = "missing_file",
        Gap = "gap",
        /// Chapters were moved by hand.
        Rearranged = "rearranged",
        NoDelta = "no_delta",
        /// A chapter was edited after it was summarised.
        Outdated = "outdated",
        /// Two chapters have one title.
        SameTitle = "same_title",
        /// Two chapters have one text.
        SameText = "same_text",
        SameName = "same_name",
        PlansBehind = "plans_behind",
        UnknownStoryline = "unknown_storyline",
        StrayCopy = "stray_copy",
        /// The state is not the result of the chapters.
        StateDiffers = "state_differs",
        CheckpointDiffers = "checkpoint_differs",
        ProviderNotSetUp = "provider_not_set_up",
        ProviderSilent = "provider_silent",
        KeyRefused = "key_refused",
        ModelsNotListed = "models_not_listed",
        ModelUnknown = "model_unknown",
        /// The memory server cannot be used.
        MemoryServer = "memory_server",
    }
}

impl Code {
    /// The meaning of the finding, in a sentence or two; longer than 80 lines because each has a text in two languages.
    #[must_use]
    pub fn explanation(self, lang: Lang) -> &'static str {
        let (zh, en) = match self {
            Self::BrokenObject => pair!(code_broken_object),
            Self::BrokenPack => {
                pair!(code_broken_pack)
            }
            Self::MissingObject => pair!(code_missing_object),
            Self::LostContent => pair!(code_lost_content),
            Self::LostBranch => {
                pair!(code_lost_branch)
            }
            Self::StrayLock => pair!(code_stray_lock),
            Self::WrongTag => pair!(code_wrong_tag),
            Self::WrongSetting => pair!(code_wrong_setting),
            Self::NotExcluded => pair!(code_not_excluded),
            Self::Unfinished => pair!(code_unfinished),
            Self::InProgress => pair!(code_in_progress),
            Self::LeftOut => pair!(code_left_out),
            Self::NotWritable => pair!(code_not_writable),
            Self::Shallow => pair!(code_shallow),
            Self::NullEntry => pair!(code_null_entry),
            Self::BadIndex => pair!(code_bad_index),
            Self::BadFile => pair!(code_bad_file),
            Self::BrokenEdit => {
                pair!(code_broken_edit)
            }
            Self::Deleted => pair!(code_deleted),
            Self::Gone => pair!(code_gone),
            Self::InTheWay => pair!(code_in_the_way),
            Self::MissingFile => pair!(code_missing_file),
            Self::Gap => pair!(code_gap),
            Self::Rearranged => pair!(code_rearranged),
            Self::NoDelta => pair!(code_no_delta),
            Self::Outdated => pair!(code_outdated),
            Self::SameTitle => pair!(code_same_title),
            Self::SameText => {
                pair!(code_same_text)
            }
            Self::SameName => pair!(code_same_name),
            Self::PlansBehind => pair!(code_plans_behind),
            Self::UnknownStoryline => pair!(code_unknown_storyline),
            Self::StrayCopy => pair!(code_stray_copy),
            Self::StateDiffers => pair!(code_state_differs),
            Self::CheckpointDiffers => {
                pair!(code_checkpoint_differs)
            }
            Self::ProviderNotSetUp => pair!(code_provider_not_set_up),
            Self::ProviderSilent => pair!(code_provider_silent),
            Self::KeyRefused => pair!(code_key_refused),
            Self::ModelsNotListed => pair!(code_models_not_listed),
            Self::ModelUnknown => pair!(code_model_unknown),
            Self::MemoryServer => pair!(code_memory_server),
        };
        lang.pick(zh, en)
    }
}
