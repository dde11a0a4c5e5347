//! Files restored from history.

use crate::report::prelude::*;

/// The restored and converted files, and the command that shows the earlier bytes.
pub(super) fn text(
    paths: &[String],
    converted: &[String],
    kept: Option<&str>,
    commit: Option<&str>,
    lang: Lang,
) -> String {
    let list =
        |paths: &[&String]| paths.iter().map(|path| path.as_str()).collect::<Vec<_>>().join(say!(lang, list_comma));
    let (plain, other): (Vec<&String>, Vec<&String>) = paths.iter().partition(|path| !converted.contains(path));
    let by = commit.map_or_else(String::new, |commit| say!(lang, restored_commit(commit)));
    let (restored, changed) = (list(&plain), list(&other));
    let restored = (!plain.is_empty()).then(|| say!(lang, missing_or_damaged_restored_from_history(by, restored)));
    let changed = (!other.is_empty()).then(|| say!(lang, converted_to_utf(changed)));
    let bytes = kept.zip(paths.first()).map(|(kept, path)| say!(lang, old_bytes_are_kept_git_show(kept, path)));
    restored.into_iter().chain(changed).chain(bytes).collect::<Vec<_>>().join(say!(lang, clause_semicolon))
}
