//! Faults in words for the author: flaws of a model's reply, faults of calls without a reply, mistakes in a file's values and
//! syntax, and errors of git and of the operating system, in Chinese their class, followed by the original English text.

use crate::agents::checks::completeness::{Break, TextSource};
use crate::agents::{FieldKind, ReplyFault};
use crate::domain::BadText;
use crate::domain::chapter::author_notes::Wish;
use crate::domain::chapter::evaluation::{Dimension, Unusable};
use crate::domain::state::{MAX_LIST, Misfit, OpRefusal, ValueKind};
use crate::domain::volume::foreshadowing;
use crate::llm::causes::{Document, Mismatch};
use crate::llm::json::NotJson;
use crate::llm::{Disruption, Fault, Limit, RequestPart, TimeoutPhase};
use crate::pipeline::Why;
use crate::report::prelude::*;
use crate::store::format::{ExpectedValue, Mistake, Syntax};
use crate::store::{FaultClass, StoreError, SystemFault};
use crate::text::{Count, Script};
use std::error::Error;
use std::io;

/// Why an agent is asked again.
pub fn of_reply(why: &Why, lang: Lang) -> String {
    match why {
        Why::Fault(fault) => of_fault(fault, lang),
        Why::Adjusted { what, why } => {
            say!(lang, server_does_not_take(what = what.say(lang), why = of_fault(why, lang)))
        }
        Why::BrokenOff(how) => how.say(lang).to_owned(),
        Why::Short { words, wanted } => say!(lang, chapter_is_short(words, wanted)),
        Why::Long { words, most } => say!(lang, chapter_is_long(words, most)),
        Why::Reply(fault) => of_reply_fault(fault, lang),
    }
}

fn of_reply_fault(fault: &ReplyFault, lang: Lang) -> String {
    match fault {
        ReplyFault::Empty => say!(lang, reply_is_empty).to_owned(),
        ReplyFault::NoProse => say!(lang, reply_has_no_prose).to_owned(),
        ReplyFault::Outline => say!(lang, reply_is_outline).to_owned(),
        ReplyFault::BrokenOff(how) => say!(lang, reply_is_not_finished(how = how.say(lang))),
        ReplyFault::Copied { letters, from, passage } => {
            say!(lang, reply_is_copied(letters, from = of_source(*from, lang), passage))
        }
        ReplyFault::Declined(reason) => say!(lang, reply_was_declined(reason)),
        ReplyFault::Foreign { script, percent } => say!(lang, reply_is_foreign(script = script.say(lang), percent)),
        ReplyFault::Unchanged => say!(lang, revision_changes_nothing).to_owned(),
        ReplyFault::Shrunk { words, before } => say!(lang, revision_is_shrunk(words, before)),
        ReplyFault::PromptWords { words, sentence } => say!(lang, reply_speaks_of_task(words, sentence)),
        ReplyFault::NothingNew => say!(lang, continuation_adds_nothing).to_owned(),
        ReplyFault::Circling => say!(lang, reply_goes_in_circles).to_owned(),
        ReplyFault::Unanswered(rules) => say!(lang, report_leaves_out(rules = rules.join(say!(lang, list_comma)))),
        ReplyFault::Unquoted(rules) => {
            say!(lang, quotations_are_not_in_text(rules = rules.join(say!(lang, list_comma))))
        }
        ReplyFault::Echo(example) => say!(lang, reply_repeats_example(example)),
        ReplyFault::Fragment { words, wanted } => say!(lang, reply_is_fragment(words, wanted)),
        ReplyFault::NotJson(why) => say!(lang, reply_is_not_json(why = of_not_json(why, lang))),
        ReplyFault::Field { field, wanted } => say!(lang, reply_lacks_field(field, wanted = wanted.say(lang))),
        ReplyFault::Scores(scores) => say!(lang, scores_are_not_complete(why = of_scores(scores, lang))),
    }
}

impl Words for Script {}

fn of_scores(scores: &Unusable, lang: Lang) -> String {
    // English uses the dimension's name in the file, to be found there.
    let name = |dimension: Dimension| lang.pick(dimension.say(Lang::Zh), dimension.as_str());
    match scores {
        Unusable::Missing(dimension) => say!(lang, score_is_missing(dimension = name(*dimension))),
        Unusable::Twice(dimension) => say!(lang, score_stands_twice(dimension = name(*dimension))),
        Unusable::OutOfRange(dimension) => say!(lang, score_is_out_of_range(dimension = name(*dimension))),
    }
}

impl Words for Break {}

pub fn of_source(source: TextSource, lang: Lang) -> String {
    match source {
        TextSource::Chapter(chapter) => chapter.to_string(),
        TextSource::Scenes => say!(lang, scenes_before).to_owned(),
        TextSource::Plan => say!(lang, chapters_plan).to_owned(),
    }
}

/// A fault on the model's side in a few words; a server's own words stay.
pub fn of_fault(fault: &Fault, lang: Lang) -> String {
    let words = fault.words();
    let detail = match fault {
        Fault::CutStream { why: Disruption::Other(words), .. } => say!(lang, fault_reason(words)),
        Fault::CutStream { why, .. } | Fault::Network { why } if words.is_empty() => {
            say!(lang, fault_detail(words = of_disruption(why, lang)))
        }
        _ if words.is_empty() => String::new(),
        _ => say!(lang, fault_own_words(words)),
    };
    // The words on the screen count characters as the progress does.
    let length = figures::count(fault.partial().map_or(0, |partial| Count::of_prose(partial).words as u64));
    match fault {
        Fault::Unauthorized { .. } => say!(lang, fault_unauthorized(detail)),
        Fault::MalformedKey => say!(lang, fault_malformed_key).to_owned(),
        Fault::Forbidden { .. } => say!(lang, fault_forbidden(detail)),
        Fault::UnknownModel { .. } => say!(lang, fault_unknown_model(detail)),
        Fault::RateLimited { .. } => say!(lang, fault_rate_limited(detail)),
        Fault::Overloaded { .. } => say!(lang, fault_overloaded(detail)),
        Fault::SpendLimit { .. } => say!(lang, fault_spend_limit(detail)),
        Fault::Billing { .. } => say!(lang, fault_billing(detail)),
        Fault::BadRequest { status, .. } => say!(lang, fault_bad_request(status, detail)),
        Fault::CutStream { .. } => say!(lang, fault_cut_stream(length, detail)),
        Fault::Midway { why, .. } => say!(lang, fault_midway(length, why = of_fault(why, lang))),
        Fault::Refused { .. } => say!(lang, fault_refused(detail)),
        Fault::Network { .. } => say!(lang, fault_network(detail)),
        // A relay complains with a success.
        Fault::Server { status: 200, .. } => say!(lang, fault_complaint(detail)),
        Fault::Server { status, .. } => say!(lang, fault_server(status, detail)),
        Fault::Protocol { mismatch } => {
            say!(lang, fault_protocol(detail = say!(lang, fault_detail(words = of_mismatch(mismatch, lang)))))
        }
        Fault::ContextTooLong { limit: Some(limit), sent: Some(sent), .. } => {
            say!(lang, fault_context_sizes(sent, limit, detail))
        }
        Fault::ContextTooLong { limit: Some(limit), sent: None, .. } => say!(lang, fault_context_limit(limit, detail)),
        Fault::ContextTooLong { limit: None, .. } => say!(lang, fault_context_too_long(detail)),
        Fault::Timeout { phase, after, .. } => {
            say!(lang, fault_timeout(seconds = after.as_secs_f64(), phase = phase.say(lang)))
        }
        Fault::Truncated { limit, .. } => {
            let limit = match limit {
                Limit::OutputTokens => say!(lang, fault_output_limit),
                Limit::Context => say!(lang, fault_end_of_context),
                Limit::Thinking => say!(lang, fault_end_of_thinking),
            };
            say!(lang, fault_truncated(limit))
        }
        Fault::Circling { .. } => say!(lang, fault_circling).to_owned(),
        Fault::Empty => say!(lang, fault_empty).to_owned(),
        Fault::Stopped { .. } => say!(lang, fault_stopped).to_owned(),
    }
}

/// A disruption of the network; the words of a server or of the network library stay.
fn of_disruption(why: &Disruption, lang: Lang) -> &str {
    match why {
        Disruption::Refused => say!(lang, disruption_refused),
        Disruption::UnknownHost => say!(lang, disruption_unknown_host),
        Disruption::NoRoute => say!(lang, disruption_no_route),
        Disruption::Closed => say!(lang, disruption_closed),
        Disruption::EndedEarly => say!(lang, disruption_ended_early),
        Disruption::Certificate => say!(lang, disruption_certificate),
        Disruption::NoHttps => say!(lang, disruption_no_https),
        Disruption::Other(words) => words,
    }
}

/// A mismatch with the wire format; the words of a parser or of the network library stay.
fn of_mismatch(mismatch: &Mismatch, lang: Lang) -> String {
    match mismatch {
        Mismatch::NotJson(document, why) => say!(lang, mismatch_not_json(document = document.say(lang), why)),
        Mismatch::Lacks(document, field) => say!(lang, mismatch_lacks(document = document.say(lang), field)),
        Mismatch::OtherDocument(words) => say!(lang, mismatch_other_document(words)),
        Mismatch::NoAnswer => say!(lang, mismatch_no_answer).to_owned(),
        Mismatch::TooLarge => say!(lang, mismatch_too_large).to_owned(),
        Mismatch::NotUrl => say!(lang, mismatch_not_url).to_owned(),
        Mismatch::NoConnections(why) => say!(lang, mismatch_no_connections(why)),
        Mismatch::UnencryptedKey => say!(lang, mismatch_unencrypted_key).to_owned(),
        Mismatch::WebPage => say!(lang, mismatch_web_page).to_owned(),
        Mismatch::Redirected(status) => say!(lang, mismatch_redirected(status)),
        Mismatch::UnknownEnd { reason, .. } => say!(lang, mismatch_unknown_end(reason)),
        Mismatch::ManyMemories(run) => say!(lang, mismatch_many_memories(run)),
        Mismatch::NoMem0 => say!(lang, mismatch_no_mem0).to_owned(),
        Mismatch::OldMem0(parameter) => say!(lang, mismatch_old_mem0(parameter)),
        Mismatch::OtherMemory => say!(lang, mismatch_other_memory).to_owned(),
        Mismatch::BadMemoryId => say!(lang, mismatch_bad_memory_id).to_owned(),
        Mismatch::Other(words) => words.clone(),
    }
}

impl Words for Document {}

impl Words for TimeoutPhase {}

fn of_not_json(why: &NotJson, lang: Lang) -> String {
    match why {
        NotJson::Missing => say!(lang, json_is_missing).to_owned(),
        NotJson::Truncated => say!(lang, json_breaks_off).to_owned(),
        NotJson::Broken { near, .. } => say!(lang, json_is_broken_near(near)),
        NotJson::Several { count } => say!(lang, json_is_there_several_times(count)),
    }
}

impl Words for FieldKind {}

impl Words for RequestPart {}

pub fn of_system_fault(fault: &SystemFault, lang: Lang) -> String {
    let SystemFault { class, text } = fault;
    match class {
        FaultClass::Missing => say!(lang, system_missing(text)),
        FaultClass::Denied => say!(lang, system_denied(text)),
        FaultClass::ReadOnly => say!(lang, system_read_only(text)),
        FaultClass::Full => say!(lang, system_full(text)),
        FaultClass::Failing => say!(lang, system_failing(text)),
        FaultClass::Locked => say!(lang, system_locked(text)),
        FaultClass::Exhausted => say!(lang, system_exhausted(text)),
        FaultClass::Garbled => say!(lang, system_garbled(text)),
        FaultClass::Other => say!(lang, system_other(text)),
    }
}

/// An error in both languages, and true when its text covers the rest of the cause chain.
pub(crate) fn of_error(error: &(dyn Error + 'static)) -> (Both, bool) {
    let both = |fault: &SystemFault| Both::of(|lang| of_system_fault(fault, lang));
    if let Some(error) = error.downcast_ref::<StoreError>() {
        return (both(&error.fault()), true);
    }
    if let Some(error) = error.downcast_ref::<io::Error>() {
        let class = FaultClass::of_io(error);
        return match class {
            FaultClass::Other if error.raw_os_error().is_none() => (Both::same(error.to_string()), false),
            FaultClass::Other => (Both::of(|lang| say!(lang, system_complaint(text = error))), false),
            class => (both(&SystemFault { class, text: error.to_string() }), false),
        };
    }
    (Both::same(error.to_string()), false)
}

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
        Mistake::Scores(scores) => of_scores(scores, lang),
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
    use crate::agents::FieldKind;
    use crate::llm::RequestPart;
    use crate::report::catalogue::english::english_in;

    #[test]
    fn a_fault_says_its_sizes_as_far_as_they_are_known() {
        let said = |limit, sent, lang| of_fault(&Fault::ContextTooLong { limit, sent, message: String::new() }, lang);
        let whole = "the prompt does not fit the model's context: 5000 tokens, the limit is 4096";
        assert_eq!(said(Some(4096), Some(5000), Lang::En), whole);
        assert_eq!(said(None, None, Lang::En), "the prompt does not fit the model's context");
        assert_eq!(said(None, None, Lang::Zh), "提示词超出模型的上下文");
    }

    #[test]
    fn a_servers_own_words_stand_behind_ours() {
        let fault = |message: &str| Fault::Overloaded { message: message.into() };
        assert_eq!(of_fault(&fault("busy"), Lang::En), "the server is overloaded: busy");
        assert_eq!(of_fault(&fault("busy"), Lang::Zh), "服务器繁忙：“busy”");
        assert_eq!(of_fault(&fault(""), Lang::Zh), "服务器繁忙");
    }

    #[test]
    fn a_mismatch_is_in_the_readers_language() {
        let lacks = Fault::Protocol { mismatch: Mismatch::Lacks(Document::Answer, "choices") };
        assert!(of_fault(&lacks, Lang::Zh).ends_with("（回答里没有 `choices`）"));
        assert!(of_fault(&lacks, Lang::En).ends_with(": the answer has no `choices`"));
        assert_eq!(of_fault(&Fault::MalformedKey, Lang::Zh), "密钥里有密钥不该有的字符");
    }

    #[test]
    fn the_kind_of_a_missing_field_is_in_the_readers_language() {
        let fault = ReplyFault::Field { field: "ops", wanted: FieldKind::Objects };
        let said = |lang| of_reply(&Why::Reply(fault.clone()), lang);
        assert_eq!(said(Lang::Zh), "回复缺少字段 `ops`，或写得不对（要写对象的列表）");
        assert_eq!(said(Lang::En), "the field `ops` is missing or is not a list of objects");
        let why = Why::Adjusted { what: RequestPart::AnswerForm, why: Fault::Empty };
        assert!(of_reply(&why, Lang::Zh).starts_with("服务器不接受回答的格式要求（"));
    }

    #[test]
    fn an_error_of_the_system_is_chinese_with_its_own_words_behind() {
        let (told, _) = of_error(&io::Error::from_raw_os_error(5));
        assert!(told.zh.starts_with("磁盘（或网络盘）读写失败：“"), "{told:?}");
        assert!(told.zh.contains(&told.en), "{told:?}");
        let (told, _) = of_error(&io::Error::other("disk on fire"));
        assert_eq!(told, Both::same("disk on fire"));
    }

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
