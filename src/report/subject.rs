//! The subjects of the book's commits in the author's language. Commits have them in English, the same in every book; on a screen they are
//! read from that notation, so that a book of an older program reads like one of today. A subject of another notation stays as it is.

use super::catalogue::say;
use super::figures;
use super::lang::Lang;
use super::words::Words;
use crate::domain::world::storyline::Status;
use crate::store::Kind;

/// The subject of a commit of that kind. The author's own subjects stay as they are.
#[must_use]
pub fn of_commit(kind: Kind, subject: &str, lang: Lang) -> String {
    let head = subject.split_once(": ").map_or(subject, |(head, _)| head);
    match kind {
        Kind::HandEdit if !["hand edit", "restore", "remove", "set aside"].contains(&head) => subject.to_owned(),
        _ => worded(subject, lang),
    }
}

/// A subject that the program has written.
#[must_use]
pub fn worded(subject: &str, lang: Lang) -> String {
    let whole = match subject.split_once(' ') {
        Some(("review", volume)) => Some(say!(lang, subject_review(volume))),
        Some(("keep", rest)) => {
            rest.strip_suffix("'s state as it is").map(|volume| say!(lang, subject_state_kept(volume)))
        }
        _ => None,
    };
    let parts = || subject.split_once(": ").and_then(|(head, rest)| of_head(head, rest, lang));
    whole.or_else(parts).unwrap_or_else(|| subject.to_owned())
}

/// The subject that begins with `head` and a colon; `None` for an unknown head, a chapter's number among them.
fn of_head(head: &str, rest: &str, lang: Lang) -> Option<String> {
    let inner = || worded(rest, lang);
    Some(match head {
        "undo" => {
            let of = inner();
            say!(lang, subject_undo(of))
        }
        "redo" => {
            let of = inner();
            say!(lang, subject_redo(of))
        }
        "restore" => {
            let of = inner();
            say!(lang, subject_restore(of))
        }
        "init" if rest == "a new book" => say!(lang, subject_init_untitled).to_owned(),
        "init" => say!(lang, subject_init(rest)),
        "rollback" => say!(lang, subject_rollback(rest)),
        "theme" => say!(lang, subject_theme(rest)),
        "characters" => say!(lang, subject_characters(rest)),
        "retire" => say!(lang, subject_retire(rest)),
        "research" => say!(lang, subject_research(rest)),
        "adopt" => say!(lang, subject_adopt(rest)),
        "branch" => say!(lang, subject_branch(rest)),
        "hand edit" => say!(lang, subject_hand_edit(rest)),
        "remove" => say!(lang, subject_remove(rest)),
        "set aside" => say!(lang, subject_set_aside(rest)),
        "waive" => say!(lang, subject_waive(rest)),
        "config" => say!(lang, subject_config(rest)),
        "world" => counted(rest, lang).map(|what| say!(lang, subject_world(what)))?,
        "storyline" => storyline(rest, lang),
        "style" => style(rest, lang),
        "start" => start(rest, lang)?,
        "quality" => quality(rest, lang)?,
        "rebuild" => match rest {
            "put right from history" => say!(lang, subject_rebuild_repair).to_owned(),
            "what follows from the chapters" => say!(lang, subject_rebuild_derived).to_owned(),
            chapters => say!(lang, subject_rebuild(chapters)),
        },
        "formats" => {
            let files = rest.split_once(' ').map(|(files, _)| files)?;
            say!(lang, subject_formats(files))
        }
        "sync" => match (rest.strip_prefix("join the line of "), rest.strip_prefix("forward to ")) {
            (Some(remote), _) => say!(lang, subject_sync_join(remote)),
            (_, Some(commit)) => say!(lang, subject_sync_forward(commit)),
            _ => return None,
        },
        "regenerate" => {
            let (what, n) = rest.strip_prefix("what ")?.split_once(" touches, ")?;
            let n = n.strip_suffix(" in all")?;
            say!(lang, subject_regenerate(what, n))
        }
        other => match (other.strip_prefix("plan "), other.strip_prefix("clean up ")) {
            (Some(volume), _) => plan(volume, rest, lang)?,
            (_, Some(volume)) => {
                let n = rest.strip_suffix(" entries leave the state")?;
                say!(lang, subject_clean_up(volume, n))
            }
            _ => return None,
        },
    })
}

/// `plan vol-02: 问路, chapters 8 to 14`
fn plan(volume: &str, rest: &str, lang: Lang) -> Option<String> {
    let (theme, chapters) = rest.rsplit_once(", chapters ")?;
    let (first, last) = chapters.split_once(" to ")?;
    let range = figures::range(first, last);
    Some(say!(lang, subject_plan(volume, theme, first, last, range)))
}

/// `2 rules, 1 page`
fn counted(rest: &str, lang: Lang) -> Option<String> {
    let part = |part: &str| {
        let (n, noun) = part.split_once(' ')?;
        match noun.trim_end_matches('s') {
            "rule" => Some(say!(lang, subject_rules(n))),
            "page" => Some(say!(lang, subject_pages(n))),
            _ => None,
        }
    };
    let parts: Option<Vec<String>> = rest.split(", ").map(part).collect();
    parts.map(|parts| parts.join(say!(lang, list_comma)))
}

/// `夜渡`, and `夜渡, dormant` for a line that was turned.
fn storyline(rest: &str, lang: Lang) -> String {
    let turned = rest.rsplit_once(", ").and_then(|(name, status)| Some((name, status.parse::<Status>().ok()?)));
    match turned {
        Some((name, status)) => {
            let is = status.say(lang);
            say!(lang, subject_storyline_turned(name, status, is))
        }
        None => say!(lang, subject_storyline(rest)),
    }
}

fn style(rest: &str, lang: Lang) -> String {
    if rest == "to be drawn from the first chapter" {
        return say!(lang, subject_style_deferred).to_owned();
    }
    if rest == "the author's own" {
        return say!(lang, subject_style_own).to_owned();
    }
    if let Some(n) = rest.strip_suffix(" phrases that your edits take out") {
        return say!(lang, subject_style_phrases(n));
    }
    for start in ["the author's own, from ", "drawn from "] {
        if let Some(name) = rest.strip_prefix(start) {
            return say!(lang, subject_style_from(name, rest));
        }
    }
    match rest.strip_prefix("after ") {
        Some(name) => say!(lang, subject_style_after(name)),
        None => say!(lang, subject_style(rest)),
    }
}

fn start(rest: &str, lang: Lang) -> Option<String> {
    Some(match rest {
        "the trial chapters stay" => say!(lang, subject_trial_stays).to_owned(),
        "another subject" => say!(lang, subject_another_idea).to_owned(),
        "on to the next volume" => say!(lang, subject_next_volume).to_owned(),
        "the trial chapters are put aside" => say!(lang, subject_trial_aside).to_owned(),
        other => {
            if let Some(name) = other.strip_prefix("the trial chapters are put aside, style ") {
                return Some(say!(lang, subject_trial_aside_style(name)));
            }
            let volume = other.strip_prefix("the book ends with ")?.strip_suffix(", which is planned next")?;
            say!(lang, subject_ends_with(volume))
        }
    })
}

/// `ch-006 to ch-010, mean 4.11, 1 revised or decided by the author`
fn quality(rest: &str, lang: Lang) -> Option<String> {
    let mut parts = rest.split(", ");
    let (first, last) = parts.next()?.split_once(" to ")?;
    let range = figures::range(first, last);
    let mut text = say!(lang, subject_quality(first, last, range));
    for part in parts {
        let more = match (part.strip_prefix("mean "), part.strip_suffix(" revised or decided by the author")) {
            (Some(mean), _) => say!(lang, subject_quality_mean(mean)),
            (_, Some(n)) => say!(lang, subject_quality_helped(n)),
            _ => return None,
        };
        text.push_str(&more);
    }
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn subjects_are_in_the_language_of_the_screen() {
        let table = [
            ("init: 渡口", "建书：渡口"),
            ("init: a new book", "建书"),
            ("world: 2 rules, 1 page", "世界：2 条规则、1 篇文档"),
            ("theme: 欠的还不还？", "主题：欠的还不还？"),
            ("characters: 沈渡、阿七", "人物：沈渡、阿七"),
            ("plan vol-02: 问路, 向北, chapters 8 to 14", "vol-02 计划：问路, 向北，第 8–14 章"),
            ("plan vol-01: 试写, chapters 1 to 1", "vol-01 计划：试写，第 1 章"),
            ("review vol-02", "vol-02 卷末回顾"),
            (
                "quality: ch-006 to ch-010, mean 4.11, 1 revised or decided by the author",
                "质量：ch-006–ch-010，均分 4.11，修订或由作者拍板 1 章",
            ),
            ("start: the book ends with vol-02, which is planned next", "下一步：规划 vol-02，全书到此为止"),
            ("storyline: 夜渡, dormant", "故事线：夜渡，休眠"),
            ("storyline: 夜渡", "故事线：夜渡"),
            ("undo: retire: 葛望潮", "撤销：退场：葛望潮"),
            ("rollback: ch-003", "退回：ch-003"),
            ("style: the author's own, from 旧作.txt", "文风：取自 旧作.txt"),
            ("style: suspense", "文风：suspense"),
            ("clean up vol-01: 3 entries leave the state", "清理 vol-01：状态里去掉 3 项"),
            ("keep vol-01's state as it is", "vol-01 的状态不清理"),
            ("regenerate: what W-001, lin-feng touches, 4 in all", "重新生成：受 W-001, lin-feng 影响的 4 项"),
            ("formats: 1 file in the present notation", "格式更新：1 个文件"),
            ("hand edit: brief.md, …", "手改：brief.md, …"),
            ("ch-003: 密信", "ch-003: 密信"),
            ("改了三处错字", "改了三处错字"),
            ("world: is on fire", "world: is on fire"),
        ];
        for (subject, zh) in table {
            assert_eq!(worded(subject, Lang::Zh), zh, "{subject}");
        }
        for (subject, _) in table {
            assert_eq!(worded(subject, Lang::En), subject);
        }
        assert_eq!(of_commit(Kind::HandEdit, "theme: mine", Lang::Zh), "theme: mine", "the author's own words");
        assert_eq!(of_commit(Kind::HandEdit, "hand edit: a.md", Lang::Zh), "手改：a.md");
    }
}
