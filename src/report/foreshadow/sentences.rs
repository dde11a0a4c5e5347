//! Findings, tasks and their reasons in a sentence each.

use crate::domain::VolumeNo;
use crate::domain::volume::foreshadowing::Action;
use crate::domain::volume::inventory::Neglect;
use crate::domain::volume::inventory::agenda::{AgendaItem, Reason};
use crate::domain::volume::inventory::irregular::Irregularity;
use crate::report::lang::{Lang, say};

/// The task of a chapter.
pub(super) fn verb(action: Action, lang: Lang) -> &'static str {
    match (lang, action) {
        (Lang::Zh, _) => action.verb(),
        (Lang::En, Action::Planted) => "plant",
        (Lang::En, Action::Advanced) => "advance",
        (Lang::En, Action::Resolved) => "resolve",
    }
}

/// `推进`, or `推进（提议）` where no plan says so.
pub(super) fn wanted(item: &AgendaItem, lang: Lang) -> String {
    let verb = verb(item.action, lang);
    match item.planned {
        true => verb.to_owned(),
        false => say!(lang, "{verb}（提议）", "{verb} (proposed)"),
    }
}

/// Why, and how where the plan says so.
pub(super) fn reason(item: &AgendaItem, lang: Lang) -> String {
    let detail = item.detail.trim();
    let why = match &item.reason {
        Reason::Late(to) => say!(lang, "最迟该在第 {to} 章收，已经过了", "its window ended with chapter {to}"),
        Reason::LastChance => lang.pick("应收的最后一章", "the last chapter of its window").to_owned(),
        Reason::PlantingMissed(at) => {
            say!(lang, "本该在 {at} 埋下，账上没有", "{at} should have planted it, and the ledger does not have it")
        }
        Reason::WindowOpen(to) => {
            say!(lang, "最迟第 {to} 章回收，还没有哪章排了", "to be resolved by chapter {to}, and no chapter plans to")
        }
        Reason::Neglected(Neglect::Volume(volume)) => {
            say!(lang, "{volume} 还没有提过它，也没有排", "{volume} has not touched it and does not plan to")
        }
        Reason::Neglected(Neglect::Chapters(n)) => {
            say!(lang, "{n} 章没有提过它", "{n} chapters have not touched it")
        }
        Reason::Planned if detail.is_empty() => return lang.pick("计划里有", "in the plan").to_owned(),
        Reason::Planned => return detail.to_owned(),
    };
    if detail.is_empty() { why } else { say!(lang, "{detail}；{why}", "{detail}; {why}") }
}

/// The place of proposals.
pub(super) fn about_proposals(volume: VolumeNo, lang: Lang) -> String {
    say!(
        lang,
        "提议不在章纲里：要它算数，写进 volumes/{volume}/outline.md 那一章的「伏笔」；写手也会看到合它那条线的提议",
        "proposals are in no outline: to settle one, put it into the 伏笔 field of its chapter in volumes/{volume}/outline.md; the writer is shown those of its own lines"
    )
}

/// A book without foreshadowings.
pub(super) fn nothing(lang: Lang) -> String {
    lang.pick(
        "还没有要列的伏笔。在大纲里一章的「伏笔」写 `埋设 old_map：……` 就有了，`novel plan make` 规划一卷时也会埋；已收的用 --all 列出。\n",
        "No foreshadowing to list. Write `埋设 old_map：…` into a chapter's 伏笔 field in the outline, or let `novel plan make` plan some; --all lists those that are resolved.\n",
    )
    .to_owned()
}

/// An irregularity with its chapter, and what can be done about it.
pub(super) fn found(irregularity: &Irregularity, lang: Lang) -> String {
    match irregularity {
        Irregularity::BeforePlanting { id, chapter, action, planted, ahead: false } => {
            let (does, planted) = (done(*action, lang), planted.map(|at| at.to_string()).unwrap_or_default());
            say!(
                lang,
                "`{id}` 在 {chapter} 就{does}，到 {planted} 才埋设：`novel foreshadow {id}` 看每一步，章号不对就改 foreshadowing/global.json，正文不对就 `novel write {chapter} --force`",
                "`{id}` is {does} in {chapter} and planted in {planted}: `novel foreshadow {id}` shows each step; correct the chapter in foreshadowing/global.json, or the text with `novel write {chapter} --force`"
            )
        }
        Irregularity::BeforePlanting { id, chapter, action, planted, .. } => {
            let verb = verb(*action, lang);
            let when = match planted {
                Some(planted) => say!(lang, "到 {planted} 才埋设", "{planted} plants it"),
                None => lang.pick("没有哪一章埋设它", "no chapter plants it").to_owned(),
            };
            say!(
                lang,
                "{chapter} 要{verb} `{id}`，可{when}：在它之前的一章的章纲里写上 `埋设 {id}：…`",
                "{chapter} is to {verb} `{id}`, and {when}: put `埋设 {id}：…` into the outline of a chapter before it"
            )
        }
        Irregularity::NotPlanted { id, chapter } => say!(
            lang,
            "`{id}` 本该在 {chapter} 埋设，账上没有：正文里有就在 foreshadowing/global.json 记上，没有就 `novel write {chapter} --force` 重写，或改到后面的章纲里埋",
            "{chapter} should have planted `{id}`, and the ledger does not have it: note it in foreshadowing/global.json if the text has it, write the chapter again with `novel write {chapter} --force`, or plant it in the outline of a later chapter"
        ),
        Irregularity::OutsideWindow { id, chapter, window: (from, to), ahead: false } => say!(
            lang,
            "`{id}` 在 {chapter} 回收，应在第 {from} 到 {to} 章：读着不顺就 `novel write {chapter} --force` 重写，顺就不用管",
            "`{id}` is resolved in {chapter}, outside of chapters {from} to {to}: write it again with `novel write {chapter} --force` if it reads badly, leave it otherwise"
        ),
        Irregularity::OutsideWindow { id, chapter, window: (from, to), .. } => say!(
            lang,
            "`{id}` 排在 {chapter} 回收，应在第 {from} 到 {to} 章：挪章纲里的回收，或改 foreshadowing/global.json 和本卷 foreshadowing.json 里的范围",
            "{chapter} is to resolve `{id}`, outside of chapters {from} to {to}: move the step in the outline, or change the range in foreshadowing/global.json and the volume's foreshadowing.json"
        ),
        Irregularity::NeverPlanned { id, chapter } => say!(
            lang,
            "`{id}` 在 {chapter} 埋下，大纲和计划里都没有它：在后面一章的章纲里写上 `推进 {id}：…` 或 `回收 {id}：…`",
            "`{id}` was planted in {chapter} and is in no outline and no plan: put `推进 {id}：…` or `回收 {id}：…` into the outline of a later chapter"
        ),
        Irregularity::SameDescription { id, other, .. } => say!(
            lang,
            "`{id}` 和 `{other}` 说的像是同一件事：是的话章纲里只用 `{id}`，并从 foreshadowing/global.json 去掉 `{other}`；不是就改说明",
            "`{id}` and `{other}` have the same description: if they are one, use `{id}` alone in outlines and take `{other}` out of foreshadowing/global.json; otherwise tell them apart there"
        ),
    }
}

fn done(action: Action, lang: Lang) -> &'static str {
    match (lang, action) {
        (Lang::Zh, _) => action.verb(),
        (Lang::En, _) => action.as_str(),
    }
}
