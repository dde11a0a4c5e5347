//! Installing and removing hooks. The author's hook is kept beside ours under another name, where its neighbours and
//! links still work, and ours calls it; at every moment a hook is the author's, or ours with the author's behind it.
//! Files of the book's folder by which coding assistants find the book's tools, its rules and its position. A file of the
//! author's in such a place stays as it is.

use crate::domain::id::named;
use crate::git::disk::{create_dirs, read_if_there, sync_dir};
use crate::store::book::lock::{Holder, WriterLock};
use crate::store::book::session::BeginError;
use crate::store::prelude::*;
use serde::Serialize;
use sha1::{Digest as _, Sha1};
use std::fs;

/// The setting for git's hooks folder.
const HOOKS_PATH: &str = "core.hooksPath";

/// The owner of the book's hooks folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HooksPlace {
    /// The book's repository: the hooks are the book's alone.
    Repository,
    /// The book's work tree: hooks show up in `git status` and travel with the book.
    WorkTree,
    /// Another folder, whose hooks also run in other repositories.
    Shared,
    /// A hook manager that writes the folder itself; its name.
    Managed(&'static str),
}

/// The folder that git takes a book's hooks from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HooksFolder {
    pub path: PathBuf,
    pub place: HooksPlace,
}

impl HooksFolder {
    /// True where the program may write.
    pub fn is_own(&self) -> bool {
        matches!(self.place, HooksPlace::Repository | HooksPlace::WorkTree)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum HookState {
    Absent,
    /// Our hook.
    Installed,
    /// Our hook with another program path or version.
    Outdated,
    /// Our hook, changed by the author.
    Edited,
    /// The author's hook, or another program's.
    Foreign,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct InstalledHook {
    pub hook: GitHook,
    pub state: HookState,
    /// True when a hook of the author is kept beside, which runs first.
    pub chained: bool,
    /// The hook manager that wrote the author's hook, if known.
    pub manager: Option<&'static str>,
}

#[derive(Debug, thiserror::Error)]
#[error("{self:?}")]
pub enum HooksError {
    /// The folder does not belong to the book.
    NotOwn(HooksFolder),
    /// Another process is writing.
    Begin(#[from] BeginError),
    Store(#[from] StoreError),
}

/// Finds the hooks folder, also with `core.hooksPath`.
pub fn hooks_folder(book: &Book) -> Result<HooksFolder, StoreError> {
    let config = book.repo.config().and_then(|mut c| c.snapshot()).doing("reading the configuration")?;
    let usual = book.repo.commondir().join("hooks");
    let path = match config.get_path(HOOKS_PATH) {
        // Git resolves a relative path from the folder in which the hook runs: the top of the work tree.
        Ok(named) if !named.as_os_str().is_empty() => book.root.join(named),
        _ => usual,
    };
    let (real, root, inside) = (real(&path), real(&book.root), real(book.repo.commondir()));
    let place = if real.components().any(|part| part.as_os_str() == ".husky") {
        HooksPlace::Managed("husky")
    } else if real.starts_with(&inside) {
        HooksPlace::Repository
    } else if real.starts_with(&root) && real != root {
        HooksPlace::WorkTree
    } else {
        HooksPlace::Shared
    };
    Ok(HooksFolder { path, place })
}

/// `program` is the path that an installed hook should have.
pub fn installed(book: &Book, program: &Path) -> Result<Vec<InstalledHook>, StoreError> {
    let folder = hooks_folder(book)?.path;
    GitHook::ALL.iter().map(|hook| look(&folder, *hook, program)).collect()
}

/// Installs every hook, each with the author's own behind it. Hooks of ours that the author has changed stay.
/// Idempotent; hooks installed before an error stay.
pub fn install_hooks(
    book: &Book,
    program: &Path,
    holder: &Holder,
    wait: &Wait,
) -> Result<Vec<InstalledHook>, HooksError> {
    let folder = own_folder(book)?;
    let _lock = WriterLock::take(&book.private(), holder, wait).map_err(BeginError::from)?;
    create_dirs(&folder)?;
    for hook in GitHook::ALL.iter().copied() {
        let place = folder.join(hook.as_str());
        match look(&folder, hook, program)?.state {
            HookState::Installed | HookState::Edited => continue,
            HookState::Absent | HookState::Outdated => {}
            HookState::Foreign => keep_aside(book, &place, &folder.join(hook.kept_name()))?,
        }
        let area = if folder.starts_with(book.repo.commondir()) { &book.inner } else { &book.temp };
        let temp = area.write(hook.script(program).as_bytes())?;
        system::make_executable(&temp).at("writing", &temp)?;
        system::rename(&temp, &place).at("writing", &place)?;
        sync_dir(&folder)?;
    }
    Ok(installed(book, program)?)
}

/// Removes every hook of ours and restores the author's, the same files. Hooks of ours that the author has changed
/// stay. Idempotent; hooks removed before an error stay removed.
pub fn remove_hooks(
    book: &Book,
    program: &Path,
    holder: &Holder,
    wait: &Wait,
) -> Result<Vec<InstalledHook>, HooksError> {
    let folder = own_folder(book)?;
    let _lock = WriterLock::take(&book.private(), holder, wait).map_err(BeginError::from)?;
    for hook in GitHook::ALL.iter().copied() {
        let (place, kept) = (folder.join(hook.as_str()), folder.join(hook.kept_name()));
        let InstalledHook { state, chained, .. } = look(&folder, hook, program)?;
        match state {
            HookState::Installed | HookState::Outdated | HookState::Absent if chained => {
                system::rename(&kept, &place).at("writing", &place)?;
            }
            HookState::Installed | HookState::Outdated => fs::remove_file(&place).at("removing", &place)?,
            // The installation was killed between keeping the author's hook and writing ours.
            HookState::Foreign if chained && is_same(&place, &kept)? => {
                fs::remove_file(&kept).at("removing", &kept)?;
            }
            HookState::Absent | HookState::Foreign | HookState::Edited => continue,
        }
        sync_dir(&folder)?;
    }
    Ok(installed(book, program)?)
}

fn own_folder(book: &Book) -> Result<PathBuf, HooksError> {
    let folder = hooks_folder(book)?;
    if folder.is_own() { Ok(folder.path) } else { Err(HooksError::NotOwn(folder)) }
}

/// Renames the author's hook. An older one under that name, from before a hook manager replaced ours, gets a
/// number.
fn keep_aside(book: &Book, place: &Path, kept: &Path) -> Result<(), StoreError> {
    if fs::symlink_metadata(kept).is_ok() {
        if is_same(place, kept)? {
            return Ok(());
        }
        let numbered = |n: u32| PathBuf::from(format!("{}.{n}", kept.display()));
        let free = (1..).map(numbered).find(|path| fs::symlink_metadata(path).is_err());
        if let Some(free) = free {
            system::rename(kept, &free).at("writing", &free)?;
        }
    }
    if fs::hard_link(place, kept).is_err() {
        // The file system has no hard links.
        let bytes = fs::read(place).at("reading", place)?;
        let mode = fs::metadata(place).at("reading", place)?.permissions();
        let temp = book.temp.write(&bytes)?;
        fs::set_permissions(&temp, mode).at("writing", &temp)?;
        system::rename(&temp, kept).at("writing", kept)?;
    }
    sync_dir(kept.parent().unwrap_or(kept))
}

fn look(folder: &Path, hook: GitHook, program: &Path) -> Result<InstalledHook, StoreError> {
    let (place, kept) = (folder.join(hook.as_str()), folder.join(hook.kept_name()));
    let bytes = read_if_there(&place)?;
    let is_link = fs::symlink_metadata(&place).is_ok_and(|meta| meta.is_symlink());
    let state = match &bytes {
        // A dangling link is the author's too.
        None if is_link => HookState::Foreign,
        None => HookState::Absent,
        Some(bytes) => match maker(bytes) {
            Maker::Program if *bytes == hook.script(program).into_bytes() => HookState::Installed,
            Maker::Program => HookState::Outdated,
            Maker::ProgramEdited => HookState::Edited,
            Maker::Other => HookState::Foreign,
        },
    };
    let chained = fs::symlink_metadata(&kept).is_ok();
    let own = if state == HookState::Foreign { bytes } else { read_if_there(&kept)? };
    Ok(InstalledHook { hook, state, chained, manager: own.and_then(|bytes| manager(&bytes)) })
}

/// The hook manager named in a script that it has written.
fn manager(script: &[u8]) -> Option<&'static str> {
    let text = String::from_utf8_lossy(script);
    let known = [("pre-commit.com", "pre-commit"), ("lefthook", "lefthook"), ("husky", "husky")];
    known.into_iter().find(|(mark, _)| text.contains(mark)).map(|(_, name)| name)
}

/// True when both names are of one file, or of files equal in bytes and permissions.
fn is_same(one: &Path, other: &Path) -> Result<bool, StoreError> {
    let (a, b) = (fs::symlink_metadata(one).at("reading", one)?, fs::symlink_metadata(other).at("reading", other)?);
    if a.is_symlink() || b.is_symlink() {
        return Ok(a.is_symlink() && b.is_symlink() && fs::read_link(one).ok() == fs::read_link(other).ok());
    }
    Ok(a.permissions() == b.permissions() && read_if_there(one)? == read_if_there(other)?)
}

/// The path without links, as far down as it exists.
fn real(path: &Path) -> PathBuf {
    let there = path.ancestors().find_map(|above| Some((above, fs::canonicalize(above).ok()?)));
    there.map_or_else(|| path.to_owned(), |(above, real)| real.join(path.strip_prefix(above).unwrap_or(Path::new(""))))
}

named! {
    pub enum GitHook {
        /// Before a commit, to check the staged files.
        PreCommit = "pre-commit",
        /// After writing the message.
        CommitMsg = "commit-msg",
        /// After the checkout of another branch or commit.
        PostCheckout = "post-checkout",
        /// After a merge or a pull.
        PostMerge = "post-merge",
        /// After an amend or a rebase.
        PostRewrite = "post-rewrite",
        PrePush = "pre-push",
    }
}

impl GitHook {
    fn template(self) -> &'static str {
        match self {
            Self::PreCommit => include_str!("../../hooks/pre-commit"),
            Self::CommitMsg => include_str!("../../hooks/commit-msg"),
            Self::PostCheckout => include_str!("../../hooks/post-checkout"),
            Self::PostMerge => include_str!("../../hooks/post-merge"),
            Self::PostRewrite => include_str!("../../hooks/post-rewrite"),
            Self::PrePush => include_str!("../../hooks/pre-push"),
        }
    }

    pub(super) fn script(self, program: &Path) -> String {
        let quoted = format!("'{}'", program.display().to_string().replace('\'', r"'\''"));
        let text = self.template().replace("@NOVEL@", &quoted);
        let sum = checksum(&text);
        format!("{text}{SUM}{sum}\n")
    }

    /// The name of the author's own hook while ours is installed.
    pub(super) fn kept_name(self) -> String {
        format!("{self}.before-novel")
    }
}

/// The beginning of the last line.
const SUM: &str = "# novel: ";
/// The second line of all our scripts, in every version.
const MARK: &str = "# Installed by `novel hooks install`";

fn checksum(text: &str) -> String {
    Sha1::digest(text.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Maker {
    /// The program, without changes since.
    Program,
    /// The program, with changes since.
    ProgramEdited,
    Other,
}

pub(super) fn maker(script: &[u8]) -> Maker {
    let text = String::from_utf8_lossy(script);
    if text.lines().nth(1).is_none_or(|line| !line.starts_with(MARK)) {
        return Maker::Other;
    }
    let body = text.trim_end_matches('\n').rsplit_once('\n').map(|(body, sum)| (format!("{body}\n"), sum));
    let is_as_installed =
        body.is_some_and(|(body, sum)| sum.strip_prefix(SUM) == Some(&checksum(&body)) && text.ends_with('\n'));
    if is_as_installed { Maker::Program } else { Maker::ProgramEdited }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum AssistantState {
    Absent,
    Installed,
    /// The author's, or ours and changed.
    Other,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AssistantFile {
    /// The path in the book.
    pub path: &'static str,
    /// The content, for authors who have a file of their own there.
    pub text: &'static str,
    pub state: AssistantState,
}

/// The skill, the server of tools, and the command at the start of a session.
const FILES: [(&str, &str); 3] = [
    (".claude/skills/novel/SKILL.md", include_str!("../../hooks/assistant/SKILL.md")),
    (".mcp.json", include_str!("../../hooks/assistant/mcp.json")),
    (".claude/settings.json", include_str!("../../hooks/assistant/settings.json")),
];

/// Fails when a file cannot be read.
pub fn assistant_files(book: &Book) -> Result<Vec<AssistantFile>, StoreError> {
    let look = |(path, text): (&'static str, &'static str)| {
        let state = match read_if_there(&book.root.join(path))? {
            None => AssistantState::Absent,
            Some(bytes) if bytes == text.as_bytes() => AssistantState::Installed,
            Some(_) => AssistantState::Other,
        };
        Ok(AssistantFile { path, text, state })
    };
    FILES.into_iter().map(look).collect()
}

/// Writes the files that are absent.
/// Fails when a file cannot be read or written; those before it are there then.
pub fn install_assistant_files(book: &Book) -> Result<Vec<AssistantFile>, StoreError> {
    for file in assistant_files(book)?.iter().filter(|file| file.state == AssistantState::Absent) {
        let place = book.root.join(file.path);
        let folder = place.parent().unwrap_or(&book.root);
        create_dirs(folder)?;
        system::rename(&book.temp.write(file.text.as_bytes())?, &place).at("writing", &place)?;
        sync_dir(folder)?;
    }
    assistant_files(book)
}

/// Removes the files that are as they were installed, and the folders that are empty then.
/// Fails when a file cannot be read or removed.
pub fn remove_assistant_files(book: &Book) -> Result<Vec<AssistantFile>, StoreError> {
    for file in assistant_files(book)?.iter().filter(|file| file.state == AssistantState::Installed) {
        let place = book.root.join(file.path);
        fs::remove_file(&place).at("removing", &place)?;
        let folders = place.ancestors().skip(1).take_while(|folder| *folder != book.root);
        // A folder with other files stays.
        folders.take_while(|folder| fs::remove_dir(folder).is_ok()).for_each(drop);
    }
    assistant_files(book)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_script_of_ours_is_known_by_its_checksum() {
        for hook in GitHook::ALL {
            let script = hook.script(Path::new("/opt/it's here/novel"));
            assert!(script.starts_with("#!/bin/sh\n") && !script.contains("@NOVEL@"), "{script}");
            assert!(script.contains(r"novel='/opt/it'\''s here/novel'") && script.contains(&format!("run {hook} ")));
            assert_eq!(maker(script.as_bytes()), Maker::Program);
            assert_eq!(maker(format!("{script}npm test\n").as_bytes()), Maker::ProgramEdited);
            assert_eq!(maker(script.replace("exit 0", "exit 3").as_bytes()), Maker::ProgramEdited);
        }
        for other in [&b""[..], b"#!/bin/sh\nnovel hooks run pre-commit\n", b"\xff\xfe"] {
            assert_eq!(maker(other), Maker::Other);
        }
    }
}
