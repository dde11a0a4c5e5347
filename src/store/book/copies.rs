//! Copies of the book's files that sync programs and file managers leave beside them, texts among the chapters whose names are no
//! chapter's, and chapters that another volume has. The program takes none of them up.

use crate::domain::chapter::heading_number;
use crate::store::layout;
use crate::store::prelude::*;
use std::fs;

/// A file in the book's folders that the book does not know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StrayCopy {
    /// Relative to the book's folder.
    pub path: String,
    /// The file that its name begins with, or that has the chapter's number.
    pub of: Option<String>,
}

const FOLDERS: [&str; 15] = [
    layout::CHAPTERS,
    "characters",
    "evaluations",
    layout::LEDGER_FOLDER,
    "logs",
    "memory",
    layout::PROMPTS,
    layout::QUALITY,
    layout::RESEARCH,
    layout::SAMPLES,
    layout::STATE_FOLDER,
    "storylines",
    "summaries",
    layout::VOLUMES,
    "world",
];

/// The stray copies in the folder of the book and in git's.
pub fn stray_copies(book: &Book) -> Result<Vec<StrayCopy>, StoreError> {
    let mut found = Vec::new();
    let mut folders: Vec<String> = FOLDERS.map(str::to_owned).to_vec();
    let mut own = Vec::new();
    in_folder(book.root(), "", &mut Vec::new(), &mut found, &mut own)?;
    while let Some(folder) = folders.pop() {
        in_folder(book.root(), &folder, &mut folders, &mut found, &mut own)?;
    }
    let contents = book.contents_of(book.tip()?)?;
    found.extend(own.into_iter().filter_map(|(path, _)| match layout::classify(&path)? {
        BookPath::Chapter(volume, chapter) => {
            let counts = contents.volume_of(chapter).filter(|counts| *counts != volume)?;
            Some(StrayCopy { path, of: Some(layout::chapter(counts, chapter)) })
        }
        _ => None,
    }));
    let mut in_git = vec![book.repo.commondir().to_owned()];
    while let Some(folder) = in_git.pop() {
        let is_top = folder == book.repo.commondir();
        for entry in fs::read_dir(&folder).at("reading", &folder)?.flatten() {
            let (path, name) = (entry.path(), entry.file_name().to_string_lossy().into_owned());
            if path.is_dir() {
                in_git.extend((!is_top || name == "refs").then_some(path));
            } else if is_copied_by_sync(&name) {
                let path = path.strip_prefix(book.root()).unwrap_or(&path).display().to_string();
                found.push(StrayCopy { path, of: None });
            }
        }
    }
    found.sort_by(|one, other| one.path.cmp(&other.path));
    Ok(found)
}

/// True for a name that git gives to none of its files.
fn is_copied_by_sync(name: &str) -> bool {
    name.contains(' ') || name.contains("sync-conflict")
}

/// Adds the stray copies of one folder, the folders in it, and its files of the book with their names.
fn in_folder(
    root: &Path,
    folder: &str,
    folders: &mut Vec<String>,
    found: &mut Vec<StrayCopy>,
    all: &mut Vec<(String, String)>,
) -> Result<(), StoreError> {
    let full = root.join(folder);
    if !fs::symlink_metadata(&full).is_ok_and(|meta| meta.is_dir()) {
        return Ok(());
    }
    let (mut own, mut others) = (Vec::new(), Vec::new());
    for entry in fs::read_dir(&full).at("reading", &full)?.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let path = if folder.is_empty() { name.clone() } else { format!("{folder}/{name}") };
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => folders.push(path),
            Ok(kind) if kind.is_file() && layout::is_book_path(&path) => own.push((path, name)),
            Ok(kind) if kind.is_file() && !layout::is_leftover(&path) => others.push((path, name)),
            _ => {}
        }
    }
    for (path, name) in others {
        let begins = |(_, own): &&(String, String)| {
            let (stem, ending) = own.rsplit_once('.').unwrap_or((own, ""));
            let rest = name.strip_prefix(stem).filter(|_| !stem.is_empty());
            name.ends_with(ending) && rest.is_some_and(|rest| rest.starts_with([' ', '.', '(']))
        };
        let of = own.iter().filter(begins).map(|(path, _)| path.clone()).next();
        let is_named = name.starts_with("chapter-") || heading_number(&name).is_some();
        let is_text = folder.starts_with(layout::CHAPTERS) && is_named && name.ends_with(".md");
        if of.is_some() || is_text || layout::is_copy(&path) {
            found.push(StrayCopy { path, of });
        }
    }
    all.extend(own);
    Ok(())
}
