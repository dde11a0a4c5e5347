use super::cli::failure::Failure;
use crate::report::diff::FileChange;
use crate::store::Snapshot;

/// The files in which two versions differ.
pub(super) fn between(old: &Snapshot<'_>, new: &Snapshot<'_>) -> Result<Vec<FileChange>, Failure> {
    let mut files = Vec::new();
    for path in new.changed_since(old)? {
        let (before, after) = (old.read(&path)?, new.read(&path)?);
        let change = match (&before, &after) {
            (None, _) => "added",
            (_, None) => "deleted",
            _ => "modified",
        };
        let (before, after) = (before.unwrap_or_default(), after.unwrap_or_default());
        let (added_lines, deleted_lines) =
            crate::text::line_changes(&String::from_utf8_lossy(&before), &String::from_utf8_lossy(&after));
        files.push(FileChange { path, change, added_lines, deleted_lines });
    }
    Ok(files)
}
