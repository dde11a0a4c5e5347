//! The subjects of commits. A commit has the language of its book; a screen shows English subjects in the reader's
//! language, and all others unchanged.
//! English subjects are those of English books, and of older programs, which had no other language.

use crate::agents::Why;
use crate::domain::VolumeNo;
use crate::domain::Work;
use crate::domain::book::work::{Part, Step};
use crate::domain::chapter::stage::{Doubt, Stage};
use crate::domain::world::storyline::Status;
use crate::report::catalogue::{en, zh};
use crate::report::faults;
use crate::report::prelude::*;
use crate::report::table::{clip, width};
use crate::report::words::of_work;
use crate::store::{Course, Kind, QualitySubject, Remark, ReportSubject, StageNote, StyleSubject, Subject, WorldCount};

/// Columns of a subject, as git's own tools expect.
const LONGEST: usize = 72;

/// The subject in a language, with a long title cut.
pub fn wording(subject: &Subject, lang: Lang) -> String {
    match subject {
        // A note is the value of a trailer, which no column limits.
        Subject::Note(_) | Subject::Remark(_) => words(subject, lang, usize::MAX),
        _ => clip(&words(subject, lang, LONGEST), LONGEST),
    }
}

/// The subject of a commit of that kind, for a screen. The author's own subjects stay.
pub fn of_commit(kind: Kind, subject: &str, lang: Lang) -> String {
    let head = subject.split_once(": ").map_or(subject, |(head, _)| head);
    match kind {
        Kind::HandEdit if !["hand edit", "restore", "remove", "set aside"].contains(&head) => subject.to_owned(),
        _ => worded(subject, lang),
    }
}

/// A subject written by the program, for a screen.
pub fn worded(subject: &str, lang: Lang) -> String {
    let translated = if lang == Lang::Zh { translated(subject) } else { None };
    translated.unwrap_or_else(|| subject.to_owned())
}

/// The function is longer than 80 lines because every subject has its words here, in one exhaustive match.
fn words(subject: &Subject, lang: Lang, longest: usize) -> String {
    let list = |names: &[String]| names.join(say!(lang, list_comma));
    match subject {
        Subject::Init(title) if title.is_empty() => say!(lang, subject_init_untitled).to_owned(),
        Subject::Init(title) => say!(lang, subject_init(title)),
        Subject::World(count) => say!(lang, subject_world(counts = counted(*count, lang))),
        Subject::Theme(theme) => say!(lang, subject_theme(theme)),
        Subject::Characters(names) if names.is_empty() => say!(lang, subject_characters_none).to_owned(),
        Subject::Characters(names) => say!(lang, subject_characters(names)),
        Subject::Storyline(name) => say!(lang, subject_storyline(name)),
        Subject::StorylineTurned(name, status) => fitted(name, longest, |name| {
            say!(lang, subject_storyline_turned(name, status = lang.pick(status.say(lang), status.as_str())))
        }),
        Subject::Renamed(was, is) => say!(lang, subject_renamed(was, is)),
        Subject::Retire(name) => say!(lang, subject_retire(name)),
        Subject::Research(names) => say!(lang, subject_research(names = list(names))),
        Subject::Style(style) => of_style(style, lang),
        Subject::Plan(volume, theme, [first, last]) => fitted(theme, longest, |theme| {
            say!(lang, subject_plan(volume, theme, first, last, range = figures::range(first, last)))
        }),
        Subject::Review(volume) => say!(lang, subject_review(volume)),
        Subject::CleanUp(volume, n) => say!(lang, subject_clean_up(volume, n)),
        Subject::StateKept(volume) => say!(lang, subject_state_kept(volume)),
        Subject::Course(course) => of_course(course, lang),
        Subject::Chapter(chapter, title) if title.is_empty() => chapter.to_string(),
        Subject::Chapter(chapter, title) => say!(lang, subject_chapter(chapter, title)),
        Subject::Quality(quality) => of_quality(quality, lang),
        Subject::Regenerate(names, n) => fitted(&list(names), longest, |what| say!(lang, subject_regenerate(what, n))),
        Subject::ContractKept(chapter) => say!(lang, subject_contract_kept(chapter)),
        Subject::PlansKept(names) => fitted(&list(names), longest, |what| say!(lang, subject_plans_kept(what))),
        Subject::Renumbered(how) => crate::report::renaming::subject(*how, lang),
        Subject::Rebuild(chapters) => say!(lang, subject_rebuild(chapters = list(chapters))),
        Subject::Retold([first, last]) => say!(lang, subject_retold(first, last, range = figures::range(first, last))),
        Subject::Repaired => say!(lang, subject_rebuild_repair).to_owned(),
        Subject::Derived => say!(lang, subject_rebuild_derived).to_owned(),
        Subject::Formats(files) => say!(lang, subject_formats(files)),
        Subject::Waive(findings) => say!(lang, subject_waive(findings = list(findings))),
        Subject::Wish(text) => say!(lang, subject_wish(text)),
        Subject::WishTakenBack(text) => say!(lang, subject_wish_taken_back(text)),
        Subject::WaiveNoLonger(findings) => say!(lang, subject_waive_no_longer(findings = list(findings))),
        Subject::Config(setting) => say!(lang, subject_config(setting)),
        Subject::Rollback(place) => say!(lang, subject_rollback(place = of_place(place, lang))),
        Subject::Adopt(line) => say!(lang, subject_adopt(line)),
        Subject::Branch(line) => say!(lang, subject_branch(line)),
        Subject::Undo(of) => say!(lang, subject_undo(of = worded(of, lang))),
        Subject::Redo(of) => say!(lang, subject_redo(of = worded(of, lang))),
        Subject::Restore(of) => say!(lang, subject_restore(of = worded(of, lang))),
        Subject::RestoreFiles(paths, commit) => {
            fitted(&list(paths), longest, |paths| say!(lang, subject_restore_files(paths, commit)))
        }
        Subject::HandEdit(paths) => say!(lang, subject_hand_edit(paths = list(paths))),
        Subject::Remove(chapters) => say!(lang, subject_remove(chapters = chapters.join(" "))),
        Subject::SetAside(paths) => say!(lang, subject_set_aside(paths = list(paths))),
        Subject::SyncJoin(remote) => say!(lang, subject_sync_join(remote)),
        Subject::SyncForward(commit) => say!(lang, subject_sync_forward(commit)),
        Subject::Salvaged => say!(lang, subject_salvaged).to_owned(),
        Subject::StagedOnly => say!(lang, subject_staged_only).to_owned(),
        Subject::Begun(work) => say!(lang, subject_begun(work = of_work(*work, lang))),
        Subject::BegunAgain(chapter, wish) => say!(lang, subject_begun_again(chapter, wish)),
        Subject::DraftEdited(work) => say!(lang, subject_draft_edited(work = of_work(*work, lang))),
        Subject::Result { work, part, note } => of_result(*work, *part, note, lang),
        Subject::Note(note) => of_note(note, lang),
        Subject::Remark(remark) => of_remark(remark, lang),
        Subject::Worded(text) => text.clone(),
    }
}

/// The line that `say` makes of a text, which is cut to limit the length of the line.
fn fitted(text: &str, longest: usize, say: impl Fn(&str) -> String) -> String {
    let whole = say(text);
    let excess = width(&whole).saturating_sub(longest);
    if excess == 0 { whole } else { say(&clip(text, width(text).saturating_sub(excess).max(1))) }
}

/// A place of the book, as in a command.
fn of_place(place: &str, lang: Lang) -> String {
    match (lang, place.strip_prefix("plan "), place.parse::<Step>()) {
        (Lang::Zh, Some(volume), _) => say!(lang, subject_place_plan(volume)),
        (Lang::Zh, None, Ok(step)) => step.say(lang).to_owned(),
        _ => place.to_owned(),
    }
}

/// In English a stage has its name of the trailer.
fn of_part(part: Part, lang: Lang) -> &'static str {
    lang.pick(part.say(Lang::Zh), part.as_str())
}

fn of_result(work: Work, part: Part, note: &StageNote, lang: Lang) -> String {
    let (name, note) = (of_part(part, lang), of_note(note, lang));
    match work {
        // A step with one stage has its name once.
        Work::Step(step) if lang == Lang::Zh && step.as_str() == part.as_str() => {
            say!(lang, subject_result_alone(name, note))
        }
        _ => say!(lang, subject_result(work = of_work(work, lang), name, note)),
    }
}

/// The function is longer than 80 lines because every result has its words here, in one exhaustive match.
fn of_note(note: &StageNote, lang: Lang) -> String {
    match note {
        StageNote::Name(name) | StageNote::Proposal(name) => name.clone(),
        StageNote::World(count) => counted(*count, lang),
        StageNote::NobodyNew => say!(lang, note_nobody_new).to_owned(),
        StageNote::Recommendation(course) => lang.pick(course.say(Lang::Zh), course.as_str()).to_owned(),
        StageNote::Directives(n) => say!(lang, note_directives(n)),
        StageNote::Schedule(theme, lines, threads) => say!(lang, note_schedule(theme, lines, threads)),
        StageNote::Sections(first, last) => say!(lang, note_sections(first, last, range = figures::range(first, last))),
        StageNote::SectionsOf(volume, chapters) => {
            let chapters: Vec<String> = chapters.iter().map(|chapter| chapter.get().to_string()).collect();
            say!(lang, note_sections_of(volume, chapters = chapters.join(say!(lang, list_comma))))
        }
        StageNote::Fields(n, None) => say!(lang, note_fields(n)),
        StageNote::Fields(n, Some([first, last])) => {
            let (first, last) = (first.get(), last.get());
            say!(lang, note_fields_of(n, first, last, range = figures::range(first, last)))
        }
        StageNote::Chapters(n) => say!(lang, note_chapters(n)),
        StageNote::Flaws(n) => say!(lang, note_flaws(n)),
        StageNote::Contracts(n) => say!(lang, note_contracts(n)),
        StageNote::Migrated => say!(lang, note_migrated).to_owned(),
        StageNote::StorylinesRun => say!(lang, note_storylines_run).to_owned(),
        StageNote::Reworded(chapter) => say!(lang, note_reworded(chapter)),
        StageNote::Summarised(chapter, n) => say!(lang, note_summarised(chapter, n)),
        StageNote::Replayed => say!(lang, note_replayed).to_owned(),
        StageNote::Repair(note) => say!(lang, note_repair(note = of_note(note, lang))),
        StageNote::Operations(n) => say!(lang, note_operations(n)),
        StageNote::Scenes(n) => say!(lang, note_scenes(n)),
        StageNote::Edits(0, _) => say!(lang, note_no_edits).to_owned(),
        StageNote::Edits(n, share) => say!(lang, note_edits(n, percent = format!("{:.1}", share * 100.0))),
        StageNote::Report(report) => of_report(*report, lang),
        StageNote::Beginning(stage, n) => say!(lang, note_beginning(stage = of_stage(*stage, lang), n)),
        StageNote::Doubtful(doubt, n) => {
            let doubt = match doubt {
                Doubt::Long => say!(lang, doubt_long),
                Doubt::Language => say!(lang, doubt_language),
                Doubt::Task => say!(lang, doubt_task),
            };
            say!(lang, note_doubtful(n, doubt))
        }
        StageNote::Before(fault) => say!(lang, note_before(why = faults::of_reply(&Why::Reply(fault.clone()), lang))),
        StageNote::BackTo(scene) => say!(lang, note_back_to(scene)),
        StageNote::Decision(decision) => lang.pick(decision.say(Lang::Zh), decision.as_str()).to_owned(),
        StageNote::WaitForAuthor => say!(lang, note_wait_for_author).to_owned(),
        StageNote::Mend => say!(lang, note_mend).to_owned(),
        StageNote::Fault(part, chapter, why) => {
            let of = chapter.map_or_else(|| of_part(*part, lang).to_owned(), |chapter| chapter.to_string());
            say!(lang, note_fault(of, why = faults::of_reply(why, lang)))
        }
        StageNote::Outdated(stage, note) => {
            say!(lang, note_outdated(stage = of_stage(*stage, lang), note = of_note(note, lang)))
        }
    }
}

fn of_stage(stage: Stage, lang: Lang) -> &'static str {
    of_part(Part::Chapter(stage), lang)
}

fn of_report(report: ReportSubject, lang: Lang) -> String {
    let ReportSubject { overall, violations, reading, unchecked, unproven } = report;
    let overall = format!("{overall:.2}");
    let mut text = say!(lang, note_report(overall, violations));
    if !reading {
        text.push_str(say!(lang, note_not_a_reading));
    } else if unchecked > 0 {
        text.push_str(&say!(lang, note_unchecked(unchecked)));
    }
    if unproven > 0 {
        text.push_str(&say!(lang, note_unproven(unproven)));
    }
    text
}

fn of_remark(remark: &Remark, lang: Lang) -> String {
    match remark {
        Remark::Planned(chapters) => say!(lang, remark_planned(chapters)),
        Remark::RestsOn(chapter, what) => {
            say!(lang, remark_rests_on(chapter, what = what.join(say!(lang, list_comma))))
        }
        Remark::More(n) => say!(lang, remark_more(n)),
        Remark::WordingAlone(chapter) => say!(lang, remark_wording_alone(chapter)),
        Remark::SummarizedAgain(chapter) => say!(lang, remark_summarized_again(chapter)),
        Remark::Notation => say!(lang, remark_notation).to_owned(),
        Remark::Fewer(path, n) => say!(lang, remark_fewer(path, n)),
        Remark::StyleMoved(corrections) => say!(lang, remark_style_moved(corrections = corrections.join("\n- "))),
        Remark::StyleBack => say!(lang, remark_style_back).to_owned(),
        Remark::Listed(phrase) => say!(lang, remark_listed(phrase)),
    }
}

/// `2 rules, 1 page`
fn counted(WorldCount { rules, pages }: WorldCount, lang: Lang) -> String {
    [say!(lang, subject_rules(rules)), say!(lang, subject_pages(pages))].join(say!(lang, list_comma))
}

fn of_style(style: &StyleSubject, lang: Lang) -> String {
    match style {
        StyleSubject::Deferred => say!(lang, subject_style_deferred).to_owned(),
        StyleSubject::Own(name) if name.is_empty() => say!(lang, subject_style_own).to_owned(),
        StyleSubject::Own(name) => say!(lang, subject_style_own_from(name)),
        StyleSubject::Drawn(name) => say!(lang, subject_style_from(name)),
        StyleSubject::After(name) => say!(lang, subject_style_after(name)),
        StyleSubject::Preset(name) => say!(lang, subject_style(name = words::style(name, lang))),
        StyleSubject::Phrases(n) => say!(lang, subject_style_phrases(n)),
    }
}

fn of_course(course: &Course, lang: Lang) -> String {
    match course {
        Course::TrialStays => say!(lang, subject_trial_stays).to_owned(),
        Course::TrialAside(None) => say!(lang, subject_trial_aside).to_owned(),
        Course::TrialAside(Some(name)) => say!(lang, subject_trial_aside_style(name = words::style(name, lang))),
        Course::AnotherIdea => say!(lang, subject_another_idea).to_owned(),
        Course::NextVolume => say!(lang, subject_next_volume).to_owned(),
        Course::EndsWith(volume) => say!(lang, subject_ends_with(volume)),
        Course::Ended(volume) => say!(lang, subject_ended(volume)),
    }
}

/// `ch-006 to ch-010, mean 4.11, 1 revised or decided by the author`
fn of_quality(QualitySubject { first, last, mean, helped }: &QualitySubject, lang: Lang) -> String {
    let range = figures::range(first, last);
    let mut text = say!(lang, subject_quality(first, last, range));
    if let Some(mean) = mean {
        text.push_str(&say!(lang, subject_quality_mean(mean)));
    }
    if *helped > 0 {
        text.push_str(&say!(lang, subject_quality_helped(helped)));
    }
    text
}

/// Heads of older programs, each with the present one.
const OLDER: [(&str, &str); 3] = [
    ("waive no longer: ", "waiver removed: "),
    ("style: drawn from ", "style: extracted from "),
    ("style: to be drawn ", "style: to be extracted "),
];

/// An English subject of the program's in Chinese, by the template with the most words of its own; `None` for any other line.
fn translated(line: &str) -> Option<String> {
    let older = OLDER.iter().find_map(|(was, is)| Some(format!("{is}{}", line.strip_prefix(was)?)));
    let line = older.as_deref().unwrap_or(line);
    if let Some(how) = line.strip_prefix(say!(Lang::En, subject_chapters)).and_then(|how| how.parse().ok()) {
        return Some(crate::report::renaming::subject(how, Lang::Zh));
    }
    let own_words = |template: &str| -> usize {
        template.split('{').filter_map(|part| part.rsplit('}').next()).map(str::len).sum()
    };
    let templates = en::SUBJECTS.iter().zip(zh::SUBJECTS).filter(|((_, en), _)| !en.starts_with('{'));
    let fitting = templates.filter_map(|((_, en), (_, zh))| {
        let values = ["", "s"].into_iter().find_map(|plural| values(&en.replace("(s)", plural), line))?;
        Some((own_words(en), zh, values))
    });
    let Some((_, zh, mut values)) = fitting.max_by_key(|(own_words, ..)| *own_words) else {
        // A figure that follows has a template of its own.
        let (head, figure) = line.rsplit_once(", ").filter(|(head, _)| !head.is_empty())?;
        return Some(translated(head)? + &translated(&format!(", {figure}"))?);
    };
    let range = values.get("first").zip(values.get("last")).map(|(first, last)| figures::range(first, last));
    values.extend(range.map(|range| ("range".to_owned(), range)));
    Some(values.iter().fold((*zh).to_owned(), |text, (name, value)| text.replace(&format!("{{{name}}}"), value)))
}

/// The values of a template's parameters in an English line, in Chinese.
fn values(template: &str, line: &str) -> Option<BTreeMap<String, String>> {
    let Some((words, rest)) = template.split_once('{') else { return (template == line).then(BTreeMap::new) };
    let ((name, rest), line) = (rest.split_once('}')?, line.strip_prefix(words)?);
    let ends = line.char_indices().map(|(at, _)| at).chain([line.len()]).rev();
    ends.filter(|end| *end > 0).find_map(|end| {
        let (value, left) = line.split_at(end);
        let (mut values, value) = (values(rest, left)?, in_chinese(name, value)?);
        values.insert(name.to_owned(), value);
        Some(values)
    })
}

/// The value of that parameter; `None` for one that it cannot have.
fn in_chinese(parameter: &str, value: &str) -> Option<String> {
    let lang = Lang::Zh;
    let is_sound = match parameter {
        "volume" => value.parse::<VolumeNo>().is_ok(),
        "chapter" | "first" | "last" => value.parse::<ChapterNo>().is_ok(),
        "n" | "files" | "helped" => value.replace(',', "").parse::<u32>().is_ok(),
        _ => true,
    };
    Some(match parameter {
        _ if !is_sound => return None,
        "of" => worded(value, lang),
        "place" => of_place(value, lang),
        "name" => words::style(value, lang).to_owned(),
        "status" => value.parse::<Status>().ok()?.say(lang).to_owned(),
        "counts" => {
            let count = |part: &str, of: &str| part.trim_end_matches('s').strip_suffix(of)?.trim_end().parse().ok();
            let (rules, pages) = value.split_once(", ")?;
            counted(WorldCount { rules: count(rules, "rule")?, pages: count(pages, "page")? }, lang)
        }
        "names" | "findings" | "paths" | "chapters" | "what" => value.replace(", ", say!(lang, list_comma)),
        _ => value.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agents::ReplyFault;
    use crate::domain::book::work::PlanStage;

    const LANGS: [Lang; 2] = [Lang::Zh, Lang::En];

    fn volume() -> VolumeNo {
        VolumeNo::new(2).unwrap()
    }

    #[test]
    fn english_subjects_are_in_the_language_of_the_screen() {
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
                "质量：ch-006–ch-010，均分 4.11，修订或由作者决定 1 章",
            ),
            ("start: the book ends with vol-02, which is planned next", "下一步：规划 vol-02，全书到此为止"),
            ("the book ends with vol-02", "全书到 vol-02 结束"),
            ("storyline: 夜渡, dormant", "故事线：夜渡，休眠"),
            ("storyline: 夜渡", "故事线：夜渡"),
            ("undo: retire: 葛望潮", "撤销：退场：葛望潮"),
            ("rollback: ch-003", "退回：ch-003"),
            ("rollback: world", "退回：世界规则"),
            ("style: the author's own, from 旧作.txt", "文风：取自 旧作.txt"),
            ("style: suspense", "文风：悬疑冷峻"),
            ("clean up vol-01: 3 entries leave the state", "清理 vol-01：状态里去掉 3 项"),
            ("keep vol-01's state as it is", "vol-01 的状态不清理"),
            ("regenerate: what W-001, lin-feng touches, 4 in all", "重新生成：受 W-001、lin-feng 影响的 4 项"),
            ("formats: 1 file in the present notation", "格式更新：1 个文件"),
            ("hand edit: brief.md, …", "手改：brief.md、…"),
            ("restore: brief.md as of 1a2b3c4", "恢复：brief.md（取自 1a2b3c4）"),
            ("waiver removed: ch-003:dead-speaks", "不再豁免：ch-003:dead-speaks"),
            ("ch-003: 密信", "ch-003: 密信"),
            ("改了三处错字", "改了三处错字"),
            ("world: is on fire", "world: is on fire"),
        ];
        for (subject, zh) in table {
            assert_eq!(worded(subject, Lang::Zh), zh, "{subject}");
            assert_eq!(worded(subject, Lang::En), subject);
        }
        assert_eq!(of_commit(Kind::HandEdit, "theme: mine", Lang::Zh), "theme: mine", "the author's own words");
        assert_eq!(of_commit(Kind::HandEdit, "hand edit: a.md", Lang::Zh), "手改：a.md");
    }

    #[test]
    fn results_of_stages_have_words_in_both_languages() {
        let draft =
            |stage, note| Subject::Result { work: Work::Chapter(ChapterNo::FIRST), part: Part::Chapter(stage), note };
        let plan = |work, stage, note| Subject::Result { work, part: Part::Plan(stage), note };
        let report = ReportSubject { overall: 4.2, violations: 1, reading: true, unchecked: 2, unproven: 0 };
        let unusable = StageNote::Fault(Part::Chapter(Stage::Judge), None, Box::new(Why::Reply(ReplyFault::Empty)));
        let table = [
            (draft(Stage::Draft, StageNote::Name("密信".into())), "ch-001 起草：密信", "ch-001 draft: 密信"),
            (
                draft(Stage::Refine, StageNote::Edits(1, 0.032)),
                "ch-001 润色：改 1 处，占全文 3.2%",
                "ch-001 refine: 1 edit, 3.2 % changed",
            ),
            (
                draft(Stage::Judge, StageNote::Report(report)),
                "ch-001 评审：4.20，违反 1 条，2 条规则未核对",
                "ch-001 judge: 4.20, 1 violation, 2 rules not checked",
            ),
            (
                draft(Stage::Fault, unusable),
                "ch-001 无效回复：评审：回复是空的",
                "ch-001 fault: judge: the reply is empty",
            ),
            (
                draft(Stage::Decision, StageNote::Decision(crate::domain::chapter::stage::Decision::Accept)),
                "ch-001 作者决定：照原样收录",
                "ch-001 decision: accept",
            ),
            (
                plan(Work::Step(Step::World), PlanStage::World, StageNote::World(WorldCount { rules: 2, pages: 1 })),
                "世界设定：2 条规则、1 篇文档",
                "world world: 2 rules, 1 page",
            ),
            (
                plan(Work::Plan(volume()), PlanStage::Outline, StageNote::Repair(Box::new(StageNote::Sections(3, 5)))),
                "vol-02 章纲：第 3–5 章（改过一遍）",
                "vol-02 outline: chapters 3 to 5 (repair)",
            ),
        ];
        for (subject, zh, en) in table {
            assert_eq!(wording(&subject, Lang::Zh), zh);
            assert_eq!(wording(&subject, Lang::En), en);
        }
    }

    #[test]
    fn long_titles_are_cut_and_figures_stay() {
        let long = "夜".repeat(60);
        for (subject, end) in [
            (Subject::Plan(volume(), long.clone(), [8, 14]), ["…，第 8–14 章", "…, chapters 8 to 14"]),
            (Subject::Regenerate(vec![long.clone()], 4), ["… 影响的 4 项", "… touches, 4 in all"]),
            (Subject::Chapter(ChapterNo::FIRST, long.clone()), ["…"; 2]),
            (Subject::Undo(format!("theme: {long}")), ["…"; 2]),
        ] {
            for (lang, end) in LANGS.into_iter().zip(end) {
                let text = wording(&subject, lang);
                assert!(width(&text) <= LONGEST && width(&text) >= LONGEST - 1 && text.ends_with(end), "{text}");
            }
        }
        let note = Subject::Note(StageNote::Name(long.clone()));
        assert_eq!(wording(&note, Lang::En), long, "the value of a trailer is whole");
    }
}
