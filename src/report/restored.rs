//! Files that were put right from history.

use super::lang::{Lang, say};

/// The files that were restored and converted, and the command that shows the bytes that were there.
pub(super) fn text(
    paths: &[String],
    converted: &[String],
    kept: Option<&str>,
    commit: Option<&str>,
    lang: Lang,
) -> String {
    let list =
        |paths: &[&String]| paths.iter().map(|path| path.as_str()).collect::<Vec<_>>().join(lang.pick("、", ", "));
    let (plain, other): (Vec<&String>, Vec<&String>) = paths.iter().partition(|path| !converted.contains(path));
    let by = commit.map_or_else(String::new, |commit| say!(lang, "（{commit}）", " ({commit})"));
    let (restored, changed) = (list(&plain), list(&other));
    let restored = (!plain.is_empty()).then(|| {
        say!(
            lang,
            "缺失或损坏的文件已从历史恢复{by}: {restored}",
            "missing or damaged, restored from history{by}: {restored}"
        )
    });
    let changed = (!other.is_empty()).then(|| say!(lang, "已转成 UTF-8: {changed}", "converted to UTF-8: {changed}"));
    let bytes = kept.zip(paths.first()).map(|(kept, path)| {
        say!(lang, "原来的内容留着: git show {kept}:{path}", "the old bytes are kept: git show {kept}:{path}")
    });
    restored.into_iter().chain(changed).chain(bytes).collect::<Vec<_>>().join(lang.pick("；", "; "))
}
