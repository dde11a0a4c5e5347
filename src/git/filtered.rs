//! Files that git converts: those with a `filter` in `.gitattributes`, such as LFS pictures, and with another encoding. libgit2 does
//! neither, so the author's own git compares and writes these files.

use std::ffi::OsStr;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use git2::{AttrCheckFlags, AttrValue, Oid, Repository};

use super::error::{GitContext, StoreError};

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
