//! Every answer in both languages and as JSON, for a book in the middle of its second volume.

use novel::domain::book::checkpoint::{Phase, Totals};
use novel::domain::book::config::Agent;
use novel::domain::chapter::Gate;
use novel::domain::chapter::evaluation::{Check, Confidence, Dimension, Evaluation, Finding, Fix, Score};
use novel::domain::chapter::stage::{Decision, Pause, PipelineStage, Stage};
use novel::domain::world::contract::{Layer, Strength};
use novel::domain::{ChapterNo, VolumeNo};
use novel::report::change::{ChangeReport, LeavingCommit, Preview, UndoCommand};
use novel::report::config::{Origins, Provider, Providers, Setting, SettingList};
use novel::report::context::{ContextPart, ContextReport};
use novel::report::cost::{By, CostRow, CostSum, Costs, WorkAhead};
use novel::report::decision::ChapterQuestion;
use novel::report::diff::{Detail, DiffReport, FileStat, FilesReport, Marks};
use novel::report::doctor::Code;
use novel::report::doctor::{self, Diagnosis, Examined, Severity};
use novel::report::evaluation::EvaluationReport;
use novel::report::lines::{History, LogEntry};
use novel::report::status::{
    ChapterProgress, ChapterState, DraftStatus, OpenForeshadowing, StatusReport, StepStatus, StyleStatus,
    UnwrittenChapter,
};
use novel::report::style::Colour;
use novel::report::words::{Extent, Names};
use novel::report::{Lang, lang};

const COLUMNS: usize = 100;

/// The text in both languages without colour, and the JSON, as one snapshot.
fn seen(text: impl Fn(Lang) -> String, json: Option<String>) -> String {
    let plain = |lang| novel::report::style::render(&text(lang), Colour::Off);
    let mut seen = format!("{}------- en\n{}", plain(Lang::Zh), plain(Lang::En));
    if let Some(json) = json {
        seen.push_str("------- json\n");
        seen.push_str(&json);
    }
    seen
}

fn chapter(n: u32) -> ChapterNo {
    ChapterNo::new(n).unwrap()
}

fn status() -> StatusReport {
    StatusReport {
        title: "铜镜行".into(),
        phase: Phase::Writing,
        volume: VolumeNo::new(2).unwrap(),
        last_completed: 47,
        line: None,
        waiting_for_others: Vec::new(),
        inflight: Some(DraftStatus {
            scenes: None,
            chapter: chapter(48),
            title: "密信".into(),
            stage: PipelineStage::Judged,
            done: vec![Stage::Draft, Stage::Summarize, Stage::Refine, Stage::Judge],
            revisions: 1,
            known_cost_usd: 220_000,
            calls_with_unknown_cost: 1,
            in_staging: true,
            next_is_drafted: false,
        }),
        totals: Totals {
            chapters: 47,
            words: 142_310,
            score_hundredths: 18_518,
            scored: 47,
            force_passed: 1,
            skipped_ops: 3,
            cost_micro_usd: 12_310_000,
            unknown_cost: 2,
            input_tokens: 3_100_000,
            cached_tokens: 1_900_000,
            output_tokens: 610_000,
        },
        foreshadowing: vec![
            OpenForeshadowing {
                id: "mirror".into(), description: "铜镜背面有字".into(), due: Some(43), overdue: true
            },
            OpenForeshadowing {
                id: "prophecy".into(), description: "残缺的预言".into(), due: None, overdue: false
            },
        ],
        pending: vec!["ch-048 2.40 分，等你决定".into()],
        wishes: Vec::new(),
        hand_edits: ["a", "b", "c", "d"].iter().map(|n| format!("research/{n}.md")).collect(),
        problems: Vec::new(),
        outdated: [12, 13, 30].map(chapter).to_vec(),
        unread: vec![chapter(30)],
        style: StyleStatus::default(),
        interrupted: None,
        obstacle: None,
        shallow: false,
        rebuild: vec![chapter(12), chapter(30), chapter(44)],
        offline: false,
        writer: None,
        steps: vec![
            StepStatus { step: "outline", name: "outline".into(), done: true },
            StepStatus { step: "contracts", name: "contracts".into(), done: false },
        ],
        chapters: vec![ChapterState {
            chapter: chapter(47),
            title: "封城".into(),
            words: 3_050,
            score: Some(4.1),
            gate: Some("pass".into()),
            state: ChapterProgress::Accepted,
        }],
        unwritten: vec![UnwrittenChapter {
            chapter: chapter(48),
            title: "密信".into(),
            state: ChapterProgress::Waiting,
        }],
        next: "novel decide".into(),
    }
}

#[test]
fn status_ends_with_the_next_command() {
    let status = status();
    for (lang, end) in [(Lang::Zh, "：novel decide\n"), (Lang::En, ": novel decide\n")] {
        let text = novel::report::style::render(&status.text(lang, COLUMNS), Colour::Off);
        assert!(text.ends_with(end), "{text}");
    }
    insta::assert_snapshot!(seen(|lang| status.text(lang, COLUMNS), Some(lang::document(&status).unwrap())));
}

#[test]
fn a_new_book_has_a_short_status() {
    let new = StatusReport {
        title: String::new(),
        phase: Phase::QuickStart,
        volume: VolumeNo::FIRST,
        last_completed: 0,
        line: None,
        waiting_for_others: Vec::new(),
        inflight: None,
        totals: Totals::default(),
        foreshadowing: Vec::new(),
        pending: Vec::new(),
        wishes: Vec::new(),
        hand_edits: Vec::new(),
        problems: Vec::new(),
        outdated: vec![],
        unread: vec![],
        style: StyleStatus::default(),
        interrupted: None,
        obstacle: None,
        shallow: false,
        rebuild: Vec::new(),
        offline: true,
        writer: None,
        steps: Vec::new(),
        chapters: Vec::new(),
        unwritten: Vec::new(),
        next: "novel continue".into(),
    };
    insta::assert_snapshot!(seen(|lang| new.text(lang, COLUMNS), None));
}

fn evaluation() -> Evaluation {
    let score = |&dimension: &Dimension| Score {
        dimension,
        score: if dimension == Dimension::Pacing { 2.5 } else { 4.0 },
        reason: "前半段三次回忆打断行动".into(),
        evidence: "他又想起那年冬天".into(),
        evidence_found: dimension != Dimension::Pacing,
    };
    let check = |rule: &str, layer, finding, found| Check {
        rule: rule.into(),
        layer,
        strength: Strength::Hard,
        finding,
        confidence: Confidence::High,
        detail: "筑基以下不能御剑".into(),
        evidence: "他御剑而起".into(),
        evidence_found: found,
    };
    Evaluation {
        chapter: chapter(48),
        reading: true,
        checks: vec![
            check("W-001", Layer::World, Finding::Violation, true),
            check("C-LINFENG-001", Layer::Character, Finding::Violation, false),
            check("OBJ-048-2", Layer::Chapter, Finding::NotChecked, false),
            check("LS-004", Layer::Storyline, Finding::NotAsked, false),
            check("LS-005", Layer::Storyline, Finding::Pass, false),
        ],
        scores: Dimension::ALL.iter().map(score).collect(),
        risk_flags: vec!["character_speech_missing:lin-feng".into()],
        required_fixes: vec![Fix { target: "他御剑而起".into(), instruction: "改为借绳索上墙".into() }],
        issues: vec!["开头拖沓".into()],
        strengths: vec!["对话有锋芒".into()],
    }
}

#[test]
fn an_evaluation_says_which_quotations_are_not_in_the_text() {
    let report = EvaluationReport { evaluation: evaluation(), gate: Some(Gate::Revise), names: Names::default() };
    insta::assert_snapshot!(seen(|lang| report.text(lang, COLUMNS), Some(lang::document(&report).unwrap())));
}

#[test]
fn an_offline_verdict_says_that_nobody_has_read_the_chapter() {
    let evaluation = Evaluation { reading: false, ..evaluation() };
    let report = EvaluationReport { evaluation, gate: Some(Gate::Pass), names: Names::default() };
    let document: serde_json::Value = serde_json::from_str(&lang::document(&report).unwrap()).unwrap();
    assert_eq!(document["reading"], false);
    let (zh, en) = (report.text(Lang::Zh, COLUMNS), report.text(Lang::En, COLUMNS));
    assert!(zh.contains("离线评审没有读正文") && zh.contains("没有核对 2 条"), "{zh}");
    assert!(en.contains("does not read the text") && en.contains("2 not checked"), "{en}");
    assert!(!zh.contains("前半段三次回忆打断行动"), "a reason without a reading is none: {zh}");
}

#[test]
fn a_question_names_the_command_for_every_answer() {
    let options = vec![Decision::Revise, Decision::Edit, Decision::Rewrite, Decision::Accept];
    let pause = Pause { overall: Some(2.4), blocking: 1, held: false, options };
    let question = |lang| ChapterQuestion::of_pause(chapter(48), "密信", &pause, &evaluation(), lang);
    let document = lang::document(&question(Lang::En)).unwrap();
    insta::assert_snapshot!(seen(|lang| question(lang).text(lang, COLUMNS), Some(document)));
}

#[test]
fn the_log_stays_in_its_columns() {
    let entry = |commit: &str, kind: &str, subject: &str, n: Option<u32>, gate: &str| LogEntry {
        commit: commit.to_owned().into(),
        time: "2026-03-01T21:04:00+08:00".into(),
        kind: kind.into(),
        subject: subject.into(),
        chapter: n.map(chapter),
        score: n.map(|_| 3.94),
        gate: n.map(|_| gate.to_owned()),
        words: n.map(|_| 3_120),
        cost_micro_usd: n.map(|_| 610_000),
    };
    let history = History {
        entries: vec![
            entry("3f2a91c4d2", "chapter", "ch-048: 密信", Some(48), "pass"),
            entry("aa01b2c3d4", "rollback", "rollback to ch-047", None, ""),
            entry(
                "9e8d7c6b5a",
                "chapter",
                "ch-048: 一个长得在任何终端里都放不下的章节标题，还要再长一些",
                Some(48),
                "force_passed",
            ),
        ],
    };
    insta::assert_snapshot!(seen(|lang| history.text(lang, COLUMNS), Some(lang::document(&history).unwrap())));
    let narrow = history.text(Lang::Zh, COLUMNS);
    for line in novel::report::style::render(&narrow, Colour::Off).lines() {
        assert!(novel::report::table::width(line) <= COLUMNS, "{line}");
    }
}

#[test]
fn costs_say_what_they_leave_out() {
    let sum = |cost, unknown| CostSum {
        calls: 4,
        input_tokens: 41_200,
        cached_tokens: 26_000,
        cache_write_tokens: 4_000,
        output_tokens: 9_800,
        cost_micro_usd: cost,
        unknown_cost_calls: unknown,
        estimated_calls: unknown,
    };
    let row = |name: &str, sum| CostRow { name: name.into(), sum };
    let rows = vec![row("ch-047", sum(610_000, 0)), row("ch-048", sum(42_000, 1))];
    let costs = Costs { by: By::Chapter, rows, ahead: WorkAhead::default() };
    insta::assert_snapshot!(seen(|lang| costs.text(lang, COLUMNS, Extent::Brief), Some(costs.json().unwrap())));
}

#[test]
fn the_costs_of_a_long_book_fit_a_screen_and_add_up_to_the_same() {
    let row = |n: u64| CostRow {
        name: format!("ch-{n:03}"),
        sum: CostSum { calls: 1, output_tokens: 10, cost_micro_usd: 1_000_000, ..CostSum::default() },
    };
    let costs = Costs { by: By::Chapter, rows: (1..=1200).map(row).collect(), ahead: WorkAhead::default() };
    let lines = |extent| costs.text(Lang::Zh, COLUMNS, extent).lines().map(str::to_owned).collect::<Vec<_>>();
    let brief = lines(Extent::Brief);
    assert_eq!(brief.len(), 33, "{brief:?}");
    assert!(brief[1].starts_with("ch-001–ch-1171") && brief[1].ends_with("¥7,986.22"), "{brief:?}");
    assert!(brief[2].starts_with("ch-1172") && brief[30].starts_with("ch-1200"), "{brief:?}");
    assert!(brief[32].contains("novel cost --all"), "{brief:?}");
    let whole = lines(Extent::Whole);
    let words = |line: &str| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    assert_eq!((whole.len(), words(&whole[1201])), (1202, words(&brief[31])));
    // Models have no order in which one would come before another.
    let models = Costs { by: By::Model, ..costs.clone() };
    assert_eq!(models.text(Lang::En, COLUMNS, Extent::Brief).lines().count(), 1202);
}

#[test]
fn a_context_is_broken_down_and_shown_exactly() {
    let part = |name: &str, tokens, note: &str| ContextPart { name: name.into(), tokens, note: note.into() };
    let report = ContextReport {
        chapter: chapter(48),
        agent: Agent::Writer,
        budget_tokens: 25_000,
        parts: vec![part("写法", 1_200, ""), part("近三章摘要", 950, ""), part("状态", 6_000, "裁到在场人物")],
        left_out: vec![novel::agents::context::Cut::OldestSummary],
        stable_tokens: 5_100,
        system: "你是写手。".into(),
        user: "写第 48 章。\n".into(),
    };
    assert_eq!(report.prompt(Lang::En), "=== system prompt ===\n你是写手。\n=== user prompt ===\n写第 48 章。\n");
    insta::assert_snapshot!(seen(|lang| report.breakdown(lang, COLUMNS), Some(lang::document(&report).unwrap())));
}

#[test]
fn a_diff_keeps_its_meaning_without_colour() {
    let old = "雨下了一夜。他没有睡着。\n\n天亮了。\n\n门开了。\n";
    let new = "雨下了整整一夜。他没有睡着。\n\n天亮了。\n\n门没有开。风很大。\n";
    let report = DiffReport::new(("draft", 18), ("refine", 24), &novel::text::diff(old, new));
    let both = |lang| {
        let text = |detail, marks| report.text(lang, detail, marks);
        text(Detail::Words, Marks::Plain) + &text(Detail::Sentences, Marks::Plain)
    };
    insta::assert_snapshot!(seen(both, Some(lang::document(&report).unwrap())));
    let coloured = report.text(Lang::Zh, Detail::Words, Marks::Colour);
    assert!(novel::report::style::render(&coloured, Colour::On).contains("\u{1b}[32m整整\u{1b}[0m"), "{coloured:?}");
}

#[test]
fn files_are_listed_with_their_lines() {
    let file = |path: &str, change, added_lines, deleted_lines| FileStat {
        path: path.into(),
        change,
        added_lines,
        deleted_lines,
    };
    let files = vec![
        file("chapters/vol-02/chapter-048.md", "added", 61, 0),
        file("state/current-state.json", "modified", 4, 2),
    ];
    let report = FilesReport { old: "ch-047".into(), new: "ch-048".into(), files };
    insta::assert_snapshot!(seen(
        |lang| report.text(lang, COLUMNS),
        Some(novel::report::lang::document(&report).unwrap())
    ));
}

#[test]
fn a_change_says_how_to_take_it_back() {
    let change = ChangeReport {
        what: "ch-048".into(),
        commit: "3f2a91c4d2".to_owned().into(),
        undo: Some(UndoCommand::Undo(1)),
    };
    let preview = Preview {
        what: "ch-045".into(),
        leaving: (46..60)
            .rev()
            .map(|n| LeavingCommit { commit: format!("{n:010x}").into(), subject: format!("ch-0{n}") })
            .collect(),
        chapters_leaving: Vec::new(),
        chapters_returning: Vec::new(),
        files: Vec::new(),
        drafts: Vec::new(),
        paid_micro_usd: 0,
        paid_is_partial: false,
        kept_as: Some("refs/novel/kept/rollback-1".into()),
        untouched: vec!["brief.md".into(), "novel.toml".into()],
        hand_edits: vec!["brief.md".into()],
    };
    let back = ChangeReport { undo: Some(UndoCommand::Redo(3)), ..change.clone() };
    assert!(lang::document(&back).unwrap().contains("\"undo\": \"novel redo 3\""));
    let text = |lang| change.text(lang) + &back.text(lang) + &preview.text(lang, COLUMNS);
    insta::assert_snapshot!(seen(text, None));
}

#[test]
fn findings_come_worst_first_with_their_repair() {
    let finding = |code: Code, severity, repaired| doctor::DoctorFinding {
        code,
        severity,
        what: code.as_str().replace('_', " "),
        repair: Some("novel doctor --repair".into()),
        repaired,
    };
    let diagnosis = Diagnosis {
        examined: vec![Examined::Repository, Examined::State],
        findings: vec![
            finding(Code::StrayLock, Severity::Warning, true),
            finding(Code::SameTitle, Severity::Note, false),
            finding(Code::MissingObject, Severity::Problem, false),
        ],
        next: "novel doctor --repair".into(),
    };
    assert!(!diagnosis.is_well());
    let well = Diagnosis { findings: Vec::new(), next: "novel continue".into(), ..diagnosis.clone() };
    assert!(well.is_well());
    let both = |lang| diagnosis.text(lang, Extent::Brief) + &well.text(lang, Extent::Brief);
    insta::assert_snapshot!(seen(both, Some(lang::document(&diagnosis).unwrap())));
}

#[test]
fn many_findings_of_a_kind_are_counted() {
    let finding = |code: Code, severity, n| doctor::DoctorFinding {
        code,
        severity,
        what: format!("{} {n}", code.as_str()),
        repair: None,
        repaired: false,
    };
    let same = (0..1810).map(|n| finding(Code::SameTitle, Severity::Note, n));
    let findings = same.chain([finding(Code::MissingObject, Severity::Problem, 0)]).collect();
    let diagnosis = Diagnosis { examined: vec![Examined::Repository], findings, next: "novel status".into() };
    let brief = diagnosis.text(Lang::En, Extent::Brief);
    let lines: Vec<&str> = brief.lines().collect();
    assert!(lines[0].contains("missing_object 0") && lines[5].contains("same_title 4"), "{brief}");
    assert!(lines[6].contains("same_title × 1,805") && lines[6].contains("novel doctor --all"), "{brief}");
    let whole = diagnosis.text(Lang::En, Extent::Whole);
    assert!(whole.contains("same_title 1809") && !whole.contains("--all"));
}

#[test]
fn findings_of_the_repository_are_chinese_to_the_last_word() {
    use novel::store::{NeededFor, ObjectFault, RepoFinding, UnfinishedThing};
    let commit = "1111111111111111111111111111111111111111".parse().unwrap();
    let faults = [
        ObjectFault::Empty,
        ObjectFault::Garbled,
        ObjectFault::NoHeader,
        ObjectFault::OtherSize,
        ObjectFault::OtherContent,
    ];
    let id = || "2222".to_owned();
    let mut found: Vec<RepoFinding> = Vec::new();
    found.extend(faults.map(|why| RepoFinding::BrokenObject { id: id(), path: "22/22".into(), why }));
    found.extend(faults.map(|why| RepoFinding::BrokenPack { name: "33".into(), why }));
    let needed = [
        NeededFor::History,
        NeededFor::Folder("1/".into(), commit),
        NeededFor::File("1/2".into(), commit),
        NeededFor::Ref("3/4".into()),
    ];
    found.extend(needed.map(|needed_for| RepoFinding::MissingObject { id: id(), needed_for }));
    let left = [UnfinishedThing::Transaction, UnfinishedThing::Draft];
    found.extend(left.map(|what| RepoFinding::Unfinished { what }));
    for finding in &found {
        let said = novel::report::findings::of_repository(finding, Lang::Zh);
        let text = format!("{} {}", said.what, said.repair.unwrap_or_default());
        assert!(!text.contains(|c: char| c.is_ascii_alphabetic()), "{text}");
        assert_ne!(novel::report::findings::of_repository(finding, Lang::En).what, said.what);
    }
}

#[test]
fn settings_are_listed_with_their_origin() {
    let setting = |key: &str, value: Option<&str>, origin: &str| Setting {
        key: key.into(),
        value: value.map(str::to_owned),
        origin: origin.into(),
        meaning: format!("the {key} of a run"),
    };
    let listing = SettingList {
        settings: vec![setting("budget", None, "built-in"), setting("provider", Some("deepseek"), "DEEPSEEK_API_KEY")],
    };
    let provider = |name: &str, key: Option<&str>, key_set| Provider {
        name: name.into(),
        base_url: format!("https://{name}.example/v1"),
        key_env: key.map(str::to_owned),
        key_set,
        chosen: key_set,
        standard: "small".into(),
        strong: "large".into(),
    };
    let providers = Providers {
        providers: vec![
            provider("anthropic", Some("ANTHROPIC_API_KEY"), false),
            provider("deepseek", Some("DEEPSEEK_API_KEY"), true),
            provider("ollama", None, false),
        ],
    };
    let text = |lang| {
        listing.text(Origins::Shown, COLUMNS) + &listing.text(Origins::Hidden, COLUMNS) + &providers.text(lang, COLUMNS)
    };
    insta::assert_snapshot!(seen(text, Some(lang::document(&listing).unwrap() + &lang::document(&providers).unwrap())));
}
