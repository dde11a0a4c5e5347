//! Mistakes in a file's values and syntax, in words for the author.

use crate::domain::BadText;
use crate::domain::book::wish::Wish;
use crate::domain::state::{MAX_LIST, Misfit, OpRefusal, ValueKind};
use crate::domain::volume::foreshadowing;
use crate::report::prelude::*;
use crate::report::reply;
use crate::store::format::{ExpectedValue, Mistake, Syntax};

pub fn of_syntax(syntax: &Syntax, lang: Lang) -> String {
    match syntax {
        Syntax::Unfinished => say!(lang, syntax_unfinished),
        Syntax::CommaOrBrace => say!(lang, syntax_comma_or_brace),
        Syntax::CommaOrBracket => say!(lang, syntax_comma_or_bracket),
        Syntax::Colon => say!(lang, syntax_colon),
        Syntax::NoValue => say!(lang, syntax_no_value),
        Syntax::BareKey => say!(lang, syntax_bare_key),
        Syntax::TrailingComma => say!(lang, syntax_trailing_comma),
        Syntax::TrailingText => say!(lang, syntax_trailing_text),
        Syntax::BareText => say!(lang, syntax_bare_text),
        Syntax::OpenList => say!(lang, syntax_open_list),
        Syntax::DuplicateKey => say!(lang, syntax_duplicate_key),
        Syntax::MissingField(field) => return say!(lang, syntax_missing_field(field)),
        Syntax::Other(words) => return say!(lang, syntax_other(words)),
    }
    .to_owned()
}

pub fn of_mistake(mistake: &Mistake, lang: Lang) -> String {
    match mistake {
        Mistake::Text(bad) => of_text(bad, lang),
        Mistake::Wanted(wanted) => wanted.say(lang).to_owned(),
        Mistake::Setting { key, mistake } => say!(lang, setting_is_wrong(key, mistake = of_mistake(mistake, lang))),
        Mistake::UnknownSetting { key, meant: None } => say!(lang, setting_is_unknown(key)),
        Mistake::UnknownSetting { key, meant: Some(meant) } => say!(lang, setting_is_unknown_and_meant(key, meant)),
        Mistake::MinWords => say!(lang, min_words_is_out_of_range).to_owned(),
        Mistake::NoCalls => say!(lang, calls_of_no_chapter).to_owned(),
        Mistake::Border => say!(lang, border_is_out_of_range).to_owned(),
        Mistake::BorderOrder => say!(lang, borders_do_not_rise).to_owned(),
        Mistake::Negative => say!(lang, sum_is_negative).to_owned(),
        Mistake::TwoBudgets => say!(lang, budget_stands_twice).to_owned(),
        Mistake::LeaseMinutes { least, most } => say!(lang, lease_is_out_of_range(least, most)),
        Mistake::RemoteName => say!(lang, remote_is_no_name).to_owned(),
        Mistake::LeastContext(least) => say!(lang, context_is_too_small(least)),
        Mistake::ConvergenceContext => say!(lang, convergence_context_is_too_small).to_owned(),
        Mistake::MemoryChapters(most) => say!(lang, memory_chapters_are_too_many(most)),
        Mistake::Operation(refusal) => of_refusal(refusal, lang),
        Mistake::Scores(scores) => reply::of_scores(scores, lang),
        Mistake::EmptyHistory => say!(lang, history_is_empty).to_owned(),
        Mistake::NoPlanting => say!(lang, history_has_no_planting).to_owned(),
        Mistake::OtherStatus => say!(lang, status_is_not_last_entrys).to_owned(),
        Mistake::NoStorylineLine => say!(lang, summary_has_no_storyline).to_owned(),
        Mistake::CrossReference => say!(lang, cross_reference_is_short).to_owned(),
        Mistake::OtherId { name, found } => say!(lang, file_has_other_id(name, found)),
        Mistake::OtherChapter { name, found } => {
            say!(lang, file_has_other_chapter(name = name.get(), found = found.get()))
        }
        Mistake::OtherVolume { folder, found } => {
            say!(lang, file_has_other_volume(folder = folder.get(), found = found.get()))
        }
        Mistake::LongBrief { length, most } => say!(lang, brief_is_long(length, most)),
        Mistake::LongMemory { length, most } => say!(lang, memory_is_long(length, most)),
        Mistake::WishText { number } => say!(lang, wish_has_no_line(number)),
        Mistake::WishLength { number, length } => say!(lang, wish_is_long(number, length, most = Wish::MOST)),
        Mistake::WishChapters { number, first, last } => {
            say!(lang, wish_ends_before_it_begins(number, first = first.get(), last = last.get()))
        }
        Mistake::NoName => say!(lang, person_has_no_name).to_owned(),
        Mistake::EmptyProfile => say!(lang, profile_is_empty).to_owned(),
        Mistake::NoText => say!(lang, chapter_has_no_text).to_owned(),
        Mistake::NoTitle => say!(lang, chapter_has_no_title).to_owned(),
        Mistake::EmptySummary => say!(lang, summary_is_empty).to_owned(),
        Mistake::NoStoryline(line) => say!(lang, storyline_is_not_there(line)),
        Mistake::IdTwice => say!(lang, id_stands_twice).to_owned(),
    }
}

impl Words for ExpectedValue {}

fn of_text(bad: &BadText, lang: Lang) -> String {
    match bad {
        BadText::Name { given, allowed } => say!(lang, name_is_unknown(given, allowed)),
        BadText::Id(given) => say!(lang, text_is_no_id(given)),
        BadText::Chapter(given) => say!(lang, text_is_no_chapter(given)),
        BadText::Volume(given) => say!(lang, text_is_no_volume(given)),
        BadText::Work(given) => say!(lang, text_is_no_work(given)),
        BadText::Content(given) => say!(lang, text_is_no_content(given)),
        BadText::Entry(given) => say!(lang, text_is_no_entry(given)),
        BadText::Interval(given) => say!(lang, text_is_no_interval(given)),
        BadText::ChapterNumber => say!(lang, chapter_number_is_out_of_range).to_owned(),
        BadText::VolumeNumber => say!(lang, volume_number_is_out_of_range).to_owned(),
    }
}

impl Words for Misfit {}

impl Words for ValueKind {}

pub fn of_refusal(refusal: &OpRefusal, lang: Lang) -> String {
    of_refusal_at(refusal, &str::to_owned, lang)
}

/// Words a mistake; `place` words the path of a value that is or is not there.
pub fn of_refusal_at(refusal: &OpRefusal, place: &dyn Fn(&str) -> String, lang: Lang) -> String {
    use foreshadowing::ThreadRefusal as F;
    match refusal {
        OpRefusal::UnknownOp(op) => say!(lang, operation_is_unknown(op)),
        OpRefusal::Depth { path, depth } => say!(lang, path_has_wrong_depth(path, depth)),
        OpRefusal::Category { path } => say!(lang, path_has_no_category(path)),
        OpRefusal::Key { path } => say!(lang, path_has_no_id(path)),
        OpRefusal::Value { path, reason } => {
            say!(lang, value_does_not_fit(path = place(path), reason = reason.say(lang)))
        }
        OpRefusal::Mismatch { path, found, wanted } => {
            say!(lang, value_is_of_another_kind(path = place(path), found = found.say(lang), wanted = wanted.say(lang)))
        }
        OpRefusal::AlreadyThere { path } => say!(lang, entry_is_there_already(path = place(path))),
        OpRefusal::NotThere { path } => say!(lang, entry_is_not_there(path = place(path))),
        OpRefusal::Full { path } => say!(lang, list_is_full(path = place(path), most = MAX_LIST)),
        OpRefusal::Foreshadowing(F::AlreadyPlanted(id)) => say!(lang, foreshadowing_is_planted_already(id)),
        OpRefusal::Foreshadowing(F::NotPlanted(id)) => say!(lang, foreshadowing_is_not_planted(id)),
        OpRefusal::Foreshadowing(F::AlreadyResolved(id)) => say!(lang, foreshadowing_is_resolved_already(id)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::catalogue::english::english_in;

    #[test]
    fn a_refused_change_of_the_state_is_chinese_to_the_last_word() {
        let path = || "人物".to_owned();
        let mut refusals: Vec<OpRefusal> =
            Misfit::ALL.iter().map(|&reason| OpRefusal::Value { path: path(), reason }).collect();
        let kinds = ValueKind::ALL;
        refusals.extend(kinds.iter().map(|&wanted| OpRefusal::Mismatch { path: path(), found: kinds[0], wanted }));
        for refusal in refusals {
            let said = of_refusal(&refusal, Lang::Zh);
            assert!(english_in(&said).is_empty(), "{said}");
            assert_ne!(said, of_refusal(&refusal, Lang::En));
        }
    }
}
