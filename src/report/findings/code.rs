//! The kinds of findings, with their meanings.

use crate::domain::named::named;
use crate::report::prelude::*;

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
        WrongSetting = "wrong_setting",
        /// Drafts show up in `git status`.
        NotExcluded = "not_excluded",
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
        SameTitle = "same_title",
        SameText = "same_text",
        SameName = "same_name",
        PlansBehind = "plans_behind",
        UnknownStoryline = "unknown_storyline",
        StrayCopy = "stray_copy",
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

impl Words for Code {}

impl Code {
    /// The meaning of the finding, in a sentence or two.
    pub fn explanation(self, lang: Lang) -> &'static str {
        self.say(lang)
    }
}
