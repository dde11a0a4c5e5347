//! Names that editors, systems and sync programs leave beside an author's files. No such file is the book's.

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
