//! The names of the findings, and what each means.

use crate::domain::named::named;
use crate::report::Lang;

named! {
    /// The name of a kind of finding.
    pub enum Code {
        /// An object's file is damaged.
        BrokenObject = "broken_object",
        /// A pack or its index is damaged.
        BrokenPack = "broken_pack",
        /// An object is missing.
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
        /// The provider is not set up.
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
            Self::BrokenObject => (
                "git 的一个对象文件损坏了，内容和名字对不上；多半是磁盘或断电所致。",
                "The file of one of git's objects is damaged: its content is not what its name says. Mostly a disk or a power cut did it.",
            ),
            Self::BrokenPack => {
                ("git 的一个对象包或它的目录损坏了。", "One of git's packs, or the index of a pack, is damaged.")
            }
            Self::MissingObject => (
                "书的历史要用的一个对象不在 .git 里。",
                "The history of the book needs an object that is not in `.git`.",
            ),
            Self::LostContent => (
                "有对象在包、工作区、草稿和远端里都找不到；除了备份没有别的来源。",
                "Some objects are neither in a pack nor in the work tree, a draft or a remote, so that only a backup has them.",
            ),
            Self::LostBranch => {
                ("书的分支指向一个读不出来的提交。", "The branch of the book names a commit that cannot be read.")
            }
            Self::StrayLock => (
                "git 的锁文件还在，而持有它的程序可能已经不在了；锁在，git 就不肯写。",
                "A lock of git's is there although the program that took it may be gone; while it is there, git refuses to write.",
            ),
            Self::WrongTag => (
                "标签 ch-NNN 不在收录那一章的提交上。",
                "A tag `ch-NNN` is not at the commit that its chapter is from.",
            ),
            Self::WrongSetting => (
                "保护这本书的一项 git 设置没有了，或被改了。",
                "A setting of git's that protects the book is missing or changed.",
            ),
            Self::NotExcluded => (
                "草稿文件夹 staging/ 会出现在 git status 里。",
                "The folder of drafts, `staging/`, shows up in `git status`.",
            ),
            Self::Unfinished => (
                "上一条命令在提交之后被打断，收尾还没有做。",
                "A command was interrupted after its commit, and what follows a commit is not done yet.",
            ),
            Self::InProgress => (
                "你的合并、变基之类还没有做完；做完之前 novel 不写也不修。",
                "A merge, a rebase or the like of yours is not finished; until it is, novel neither writes nor repairs.",
            ),
            Self::BadIndex => ("git 的索引不见了，或读不出来。", "Git's index is missing or cannot be read."),
            Self::BadFile => (
                "最后一次提交里有个文件不合它的格式，用不了，或者不完全。",
                "A file in the last commit is not of its format: it cannot be used, or not all of it.",
            ),
            Self::BrokenEdit => {
                ("一处没提交的改动让文件用不了。", "A change that is not committed yet makes a file unusable.")
            }
            Self::Deleted => (
                "书要用的文件从文件夹里不见了，最后一次提交里还有。",
                "A file that the book needs is gone from the folder; the last commit has it.",
            ),
            Self::Gone => (
                "最后一次提交里没有书要用的文件，更早的提交里有。",
                "The last commit lacks a file that the book needs; an earlier commit has it.",
            ),
            Self::InTheWay => (
                "下一步要写的地方有别的东西：文件、文件夹或链接。",
                "Something else stands where the book is about to write: a file, a folder or a link.",
            ),
            Self::MissingFile => (
                "收录过的一章缺了摘要、状态变更之类的文件。",
                "An accepted chapter lacks one of its files, such as its summary or its delta.",
            ),
            Self::Gap => (
                "章号中间缺了一章，没有记录说是有意去掉的。",
                "A chapter is missing between others, and no record says that this was meant.",
            ),
            Self::NoDelta => (
                "你自己写的一章还没有摘要和状态变更，后面的章不知道它写了什么。",
                "A chapter of your own has no summary and no delta yet, so that later chapters do not know what happens in it.",
            ),
            Self::Outdated => (
                "一章的正文在做完摘要之后又改过，摘要、状态变更和后面的章说的还是旧稿。",
                "A chapter was edited after it was summarised, so that its summary, its delta and later chapters speak of the older text.",
            ),
            Self::SameTitle => ("两章的标题一样。", "Two chapters have the same title."),
            Self::SameText => {
                ("两章的正文一样，多半是粘贴错了。", "Two chapters have the same text; mostly a mistake in pasting.")
            }
            Self::StateDiffers => (
                "状态或伏笔账本和逐章重放状态变更的结果不一样。",
                "The state or the foreshadowing ledger is not what replaying the deltas of the chapters gives.",
            ),
            Self::CheckpointDiffers => {
                ("断点记的章和书里的章不一样。", "The checkpoint counts other chapters than the book has.")
            }
            Self::ProviderNotSetUp => (
                "选了服务商，但还缺密钥、模型名或别的设置，写作会停下。",
                "A provider is chosen, and its key, its model or another setting is missing or unusable, so that writing would stop.",
            ),
            Self::ProviderSilent => ("服务商的地址没有应答。", "The provider's address does not answer."),
            Self::KeyRefused => (
                "服务商不接受这把密钥，或它背后的账户。",
                "The provider does not accept the key, or the account behind it.",
            ),
            Self::ModelsNotListed => (
                "服务商有应答，但不列出它有哪些模型，所以模型名没有核对。",
                "The provider answers and does not list its models, so the names of the models were not checked.",
            ),
            Self::ModelUnknown => (
                "服务商列出的模型里没有你选的那个。",
                "The model that is set up is not among those that the provider lists.",
            ),
            Self::MemoryServer => (
                "设置了 Mem0 服务器，但它没有应答、不接受密钥，或不是能用的版本；写作和检索会停下。",
                "A Mem0 server is set up that does not answer, does not take the key or is not of a kind that can be used, so that writing and searching would stop.",
            ),
        };
        lang.pick(zh, en)
    }
}
