//! Findings, tasks and their reasons in sentences.

use crate::domain::VolumeNo;
use crate::domain::volume::foreshadowing::Action;
use crate::domain::volume::inventory::Neglect;
use crate::domain::volume::inventory::agenda::{AgendaItem, Reason};
use crate::domain::volume::inventory::irregular::Irregularity;
use crate::report::prelude::*;

/// The task of a chapter: `推进`, `advance`.
pub(in crate::report) fn verb(action: Action, lang: Lang) -> &'static str {
    match (lang, action) {
        (Lang::Zh, _) => action.verb(),
        (Lang::En, Action::Planted) => "plant",
        (Lang::En, Action::Advanced) => "advance",
        (Lang::En, Action::Resolved) => "resolve",
    }
}

/// `推进`, or `推进（提议）` for a proposal.
pub(super) fn wanted(item: &AgendaItem, lang: Lang) -> String {
    let verb = verb(item.action, lang);
    match item.planned {
        true => verb.to_owned(),
        false => say!(lang, proposed(verb)),
    }
}

/// The reason, and the plan's words if any.
pub(super) fn reason(item: &AgendaItem, lang: Lang) -> String {
    let detail = item.detail.trim();
    let why = match &item.reason {
        Reason::Late(to) => say!(lang, its_window_ended_with_chapter(to)),
        Reason::LastChance => say!(lang, last_chapter_of_its_window).to_owned(),
        Reason::PlantingMissed(at) => say!(lang, should_have_planted_it_and_ledger(at)),
        Reason::WindowOpen(to) => say!(lang, to_be_resolved_by_chapter_and(to)),
        Reason::Neglected(Neglect::Volume(volume)) => say!(lang, has_not_touched_it_and_does(volume)),
        Reason::Neglected(Neglect::Chapters(n)) => say!(lang, chapters_have_not_touched_it(n)),
        Reason::Planned if detail.is_empty() => return say!(lang, in_plan).to_owned(),
        Reason::Planned => return detail.to_owned(),
    };
    if detail.is_empty() { why } else { say!(lang, sentences_detail_why(detail, why)) }
}

pub(super) fn about_proposals(volume: VolumeNo, lang: Lang) -> String {
    say!(lang, proposals_are_in_no_outline_to(volume))
}

pub(super) fn nothing(lang: Lang) -> String {
    say!(lang, no_foreshadowing_to_list_write_old).to_owned()
}

/// An irregularity with its chapter, and what to do about it.
pub(super) fn found(irregularity: &Irregularity, lang: Lang) -> String {
    match irregularity {
        Irregularity::BeforePlanting { id, chapter, action, planted, ahead: false } => {
            let (does, planted) = (done(*action, lang), planted.map(|at| at.to_string()).unwrap_or_default());
            say!(lang, is_in_and_planted_in_novel(id, does, chapter, planted))
        }
        Irregularity::BeforePlanting { id, chapter, action, planted, .. } => {
            let when = match planted {
                Some(planted) => say!(lang, plants_it(planted)),
                None => say!(lang, no_chapter_plants_it).to_owned(),
            };
            say!(lang, is_to_and_put_into_outline(chapter, verb = verb(*action, lang), id, when))
        }
        Irregularity::NotPlanted { id, chapter } => say!(lang, should_have_planted_and_ledger_does(chapter, id)),
        Irregularity::OutsideWindow { id, chapter, window: (from, to), ahead: false } => {
            say!(lang, is_resolved_in_outside_of_chapters(id, chapter, range = figures::range(from, to)))
        }
        Irregularity::OutsideWindow { id, chapter, window: (from, to), .. } => {
            say!(lang, is_to_resolve_outside_of_chapters(chapter, id, range = figures::range(from, to)))
        }
        Irregularity::NeverPlanned { id, chapter } => say!(lang, was_planted_in_and_is_in(id, chapter)),
        Irregularity::SameDescription { id, other, .. } => say!(lang, and_have_same_description_if_they(id, other)),
    }
}

fn done(action: Action, lang: Lang) -> &'static str {
    match (lang, action) {
        (Lang::Zh, _) => action.verb(),
        (Lang::En, _) => action.as_str(),
    }
}
