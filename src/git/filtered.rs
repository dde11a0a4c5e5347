//! Files that git converts: those with a `filter` in `.gitattributes`, such as LFS pictures, and with another encoding. libgit2 does
//! neither, so the author's own git compares and writes these files.
//! The repository's own settings.

use crate::git::disk::{system, with_note};
use crate::git::error::{GitContext, IoContext, StoreError};
use git2::{AttrCheckFlags, AttrValue, Config, ConfigLevel, Oid, Repository};
use std::ffi::OsStr;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

/// Inherited variables, as from `git novel`, that would make git work on another repository.
const FOREIGN: [&str; 9] = [
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_COMMON_DIR",
    "GIT_NAMESPACE",
    "GIT_PREFIX",
    "GIT_QUARANTINE_PATH",
];

/// A command of the author's git, which works on the repository of its folder whatever the process has inherited.
pub(crate) fn users_git(program: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(program);
    for name in FOREIGN {
        command.env_remove(name);
    }
    command
}

/// The name in git's settings of the program that the file passes through, or the encoding that git gives the file in the
/// folder: `lfs`, `working-tree-encoding=GB18030`.
pub(crate) fn filter_of(repo: &Repository, path: &str) -> Result<Option<String>, StoreError> {
    let value = |name| {
        let value = repo.get_attr(Path::new(path), name, AttrCheckFlags::FILE_THEN_INDEX);
        Ok::<_, StoreError>(match AttrValue::from_string(value.doing("reading .gitattributes")?) {
            AttrValue::String(value) => Some(value.to_owned()),
            _ => None,
        })
    };
    if let Some(filter) = value("filter")? {
        return Ok(Some(filter));
    }
    let encoding = value(ENCODING)?.filter(|encoding| !encoding.eq_ignore_ascii_case("utf-8"));
    Ok(encoding.map(|encoding| format!("{ENCODING}={encoding}")))
}

/// The attribute of files whose text git stores in UTF-8 and puts into the folder in another encoding.
const ENCODING: &str = "working-tree-encoding";

/// The blob that git would make of the file's present content; `None` where there is no git, or the filter fails.
pub(crate) fn cleaned(root: &Path, path: &str, bytes: &[u8]) -> Option<Oid> {
    let path = format!("--path={path}");
    let id = output(root, ["hash-object".as_ref(), path.as_ref(), "--stdin".as_ref()], bytes)?;
    String::from_utf8(id).ok()?.trim().parse().ok()
}

/// The content that git would put into the file for the blob; `None` where there is no git, or the filter fails.
pub(crate) fn smudged(root: &Path, path: &str, blob: Oid) -> Option<Vec<u8>> {
    let (path, blob) = (format!("--path={path}"), blob.to_string());
    output(root, ["cat-file".as_ref(), "--filters".as_ref(), path.as_ref(), blob.as_ref()], &[])
}

fn output<const N: usize>(root: &Path, args: [&OsStr; N], input: &[u8]) -> Option<Vec<u8>> {
    let mut command = users_git("git");
    command.current_dir(root).args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().ok()?;
    // Both commands read everything before they answer; one that ends early reports why.
    let _ = child.stdin.take().map(|mut stdin| stdin.write_all(input));
    child.wait_with_output().ok().filter(|done| done.status.success()).map(|done| done.stdout)
}

/// The file that `GIT_CONFIG_GLOBAL` names, which libgit2 does not look at.
static USERS: OnceLock<PathBuf> = OnceLock::new();

/// Takes the user's settings of git from the file at `path` in this process, in place of the usual ones. Call it before a
/// repository is opened.
pub fn use_users_file(path: PathBuf) {
    let _ = USERS.set(path);
}

/// The settings with those of the user from the right file.
pub(crate) fn with_users(mut config: Config) -> Result<Config, StoreError> {
    if let Some(path) = USERS.get() {
        for level in [ConfigLevel::Global, ConfigLevel::XDG] {
            config.add_file(path, level, true).doing("reading the configuration")?;
        }
    }
    Ok(config)
}

/// Writes settings to the repository's own file.
pub(crate) fn write_settings(repo: &Repository, settings: &[(&str, &str)]) -> Result<(), StoreError> {
    if settings.is_empty() {
        return Ok(());
    }
    change(repo, "config", |config| settings.iter().try_for_each(|(name, value)| config.set_str(name, value)))
}

/// Takes settings out of the repository's file.
pub(crate) fn remove_settings(repo: &Repository, names: &[String]) -> Result<(), StoreError> {
    change(repo, "config", |config| names.iter().try_for_each(|name| config.remove(name)))
}

/// Lets each work tree have settings of its own. As git-worktree(1) asks for it, the folder of the main work tree, which a
/// submodule's repository names, becomes a setting of that work tree alone: every other one would take it for its own.
pub(crate) fn separate_work_trees(repo: &Repository) -> Result<(), StoreError> {
    const EXTENSION: &str = "extensions.worktreeConfig";
    const FOLDER: &str = "core.worktree";
    let shared = Config::open(&repo.commondir().join("config")).doing("reading the configuration")?;
    let folder = shared.get_string(FOLDER).ok();
    if let Some(folder) = &folder {
        change(repo, "config.worktree", |config| config.set_str(FOLDER, folder))?;
    } else if shared.get_bool(EXTENSION).unwrap_or(false) {
        return Ok(());
    }
    change(repo, "config", |config| {
        config.set_str(EXTENSION, "true")?;
        if folder.is_some() { config.remove(FOLDER) } else { Ok(()) }
    })
}

/// Changes the file `name` of settings in the repository.
fn change(
    repo: &Repository,
    name: &str,
    work: impl FnOnce(&mut Config) -> Result<(), git2::Error>,
) -> Result<(), StoreError> {
    let path = repo.commondir().join(name);
    let lock = format!("{name}.lock");
    with_note(repo, (&lock, &repo.commondir().join(&lock)), || {
        let mut config = Config::open(&path).doing("reading the configuration")?;
        let written = work(&mut config);
        system::sync_file(&path).at("writing", &path)?;
        written.doing("writing the configuration")
    })
}
