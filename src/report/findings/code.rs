//! The names of the findings, and what each means.

use crate::domain::named::named;
use crate::report::Lang;
use crate::report::catalogue::pair;

named! {
    /// The name of a kind of finding.
    pub enum Code {
        /// An object's file is damaged.
        BrokenObject = "broken_object",
        /// A pack or its index is damaged.
        BrokenPack = "broken_pack",
        MissingObject = "missing_object",
        /// Objects are nowhere to be had.
        LostContent = "lost_content",
        /// A branch names a commit that cannot be read.
        LostBranch = "lost_branch",
        /// A lock was left behind.
        StrayLock = "stray_lock",
        /// A chapter's tag is wrong.
        WrongTag = "wrong_tag",
        /// A setting of git is wrong.
        WrongSetting = "wrong_setting",
        /// Drafts show up in `git status`.
        NotExcluded = "not_excluded",
        /// A transaction of ours is not finished.
        Unfinished = "unfinished",
        /// The author is in the middle of a merge, a rebase or the like.
        InProgress = "in_progress",
        /// Git's index cannot be read.
        BadIndex = "bad_index",
        /// A committed file is not of its format.
        BadFile = "bad_file",
        /// An uncommitted change makes a file unusable.
        BrokenEdit = "broken_edit",
        /// A file is deleted from the work tree.
        Deleted = "deleted",
        /// The last commit lacks a file.
        Gone = "gone",
        /// Something stands where the book writes.
        InTheWay = "in_the_way",
        /// A chapter lacks one of its files.
        MissingFile = "missing_file",
        /// A chapter is missing.
        Gap = "gap",
        /// A chapter has no delta.
        NoDelta = "no_delta",
        /// A chapter was edited after it was summarised.
        Outdated = "outdated",
        /// Two chapters have one title.
        SameTitle = "same_title",
        /// Two chapters have one text.
        SameText = "same_text",
        /// The state is not what the chapters make it.
        StateDiffers = "state_differs",
        /// The checkpoint is about other chapters.
        CheckpointDiffers = "checkpoint_differs",
        ProviderNotSetUp = "provider_not_set_up",
        /// The provider does not answer.
        ProviderSilent = "provider_silent",
        /// The provider does not take the key.
        KeyRefused = "key_refused",
        /// The provider lists no models.
        ModelsNotListed = "models_not_listed",
        /// The provider does not have the model.
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
            Self::NoDelta => pair!(code_no_delta),
            Self::Outdated => pair!(code_outdated),
            Self::SameTitle => pair!(code_same_title),
            Self::SameText => {
                pair!(code_same_text)
            }
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
