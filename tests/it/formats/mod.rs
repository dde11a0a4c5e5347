//! Damaged files: whatever an editor, a merge or a full disk makes of a book, it is told and never a panic.

mod documented;

use novel::store::format::check::{FormatFinding, FormatSeverity, check_file};
use novel::store::format::evaluation::{self, RecordedEvaluation};
use novel::store::format::{self, At, Problem, delta, state, summary};
use novel::store::{layout, template};

use novel::agents::context::chapter::Memory;
use novel::domain::book::checkpoint::ChapterLog;
use novel::domain::book::checkpoint::{Checkpoint, Phase};
use novel::domain::chapter::Gate;
use novel::domain::chapter::evaluation::{Dimension, Evaluation, Score};
use novel::domain::chapter::summary::{ChapterMemory, ChapterNotes};
use novel::domain::state::cleanup::{CleanupReason, Leftover, StateEntry};
use novel::domain::state::{Category, Delta, RawOp, State};
use novel::domain::volume::foreshadowing::Ledger;
use novel::domain::volume::{Judgement, Recommendation};
use novel::domain::{ChapterNo, Slug, VolumeNo};

/// The sample book with everything that its first chapter would add.
fn book() -> Vec<(String, Vec<u8>)> {
    let mut files: Vec<(String, Vec<u8>)> =
        template::demo().into_iter().map(|(path, text)| (path.to_owned(), text.as_bytes().to_vec())).collect();
    let (volume, chapter, line) = (VolumeNo::FIRST, ChapterNo::FIRST, Slug::new("main-arc").unwrap());
    let raw = |path: &str, value: &str| RawOp {
        op: "set".into(),
        path: path.into(),
        value: value.into(),
        ..RawOp::default()
    };
    let ops = [
        raw("characters.wen-xiaoman.location", "柳荫站"),
        raw("world_state.time_marker", "周一夜"),
        RawOp {
            op: "foreshadow".into(),
            path: "own_handwriting".into(),
            value: "planted".into(),
            detail: Some("登记页是她自己的字".into()),
            scope: Some("short".into()),
            target: None,
        },
    ];
    let (changes, dropped) = Delta::screen(chapter, &line, &ops, &State::default(), &Ledger::default());
    assert_eq!(dropped, []);
    let merged = changes.merge(&State::default(), &Ledger::default()).unwrap();
    let score = |&dimension: &Dimension| Score {
        dimension,
        score: 4.0,
        reason: "稳".into(),
        evidence: String::new(),
        evidence_found: false,
    };
    let evaluation = Evaluation {
        chapter,
        reading: true,
        checks: vec![],
        scores: Dimension::ALL.iter().map(score).collect(),
        risk_flags: vec![],
        required_fixes: vec![],
        issues: vec![],
        strengths: vec!["开头快".into()],
    };
    let page = summary::SummaryPage {
        chapter,
        title: "夜班守则第七条".into(),
        storyline: line.clone(),
        line_status: "小满上了第一个夜班".into(),
        cross_references: vec![],
        text: "周一夜，小满接班。".into(),
        excerpt: false,
    };
    let entry = ChapterNotes { events: vec!["小满接班".into()], ..ChapterNotes::default() };
    let noted = ChapterMemory { chapter, storyline: line.clone(), entry };
    let cost = ChapterLog {
        chapter,
        storyline: line.clone(),
        started_at: "2026-03-15T14:30:00+08:00".into(),
        stages: vec![],
        gate: Some(Gate::Pass),
        revisions: 0,
        warnings: vec![],
    };
    let remembered =
        Memory {
            chapter: Some(chapter), status: "小满上了第一个夜班".into(), facts: "伞还在架上。".into()
        };
    let judged = Judgement {
        volume,
        course: Recommendation::WrapUp,
        reason: "伞的来历已经说破".into(),
        chapters_left: Some(12),
        last: ChapterNo::new(8),
        closing: false,
        leftovers: vec![Leftover {
            entry: StateEntry { category: Category::Items, id: "umbrella".into() },
            reason: CleanupReason::Forgotten,
        }],
    };
    let stand = Checkpoint::new(Phase::Writing, "2026-03-15T14:31:00+08:00".into());
    files.extend([
        (layout::chapter(volume, chapter), "# 第1章 夜班守则第七条\n\n老葛把钥匙放在窗台上。\n".into()),
        (layout::summary(volume, chapter), summary::write(&page)),
        (layout::chapter_memory(volume, chapter), format::write(&noted, None)),
        (
            layout::evaluation(volume, chapter),
            evaluation::write(&RecordedEvaluation { evaluation, gate: Some(Gate::Pass) }, None),
        ),
        (layout::delta(volume, chapter), delta::write(&changes, None)),
        (layout::log(volume, chapter), format::write(&cost, None)),
        (layout::memory(&line), summary::write_memory(&remembered)),
        (layout::judgement(volume), format::write(&judged, None)),
        (layout::CHECKPOINT.into(), format::write(&stand, None)),
    ]);
    for (path, bytes) in &mut files {
        if path == layout::STATE {
            *bytes = state::write(&merged.state);
        }
    }
    files
}

#[test]
fn a_sound_book_has_no_findings() {
    for (path, bytes) in book() {
        assert_eq!(check_file(&path, &bytes), [], "{path}");
    }
}

#[test]
fn a_json_file_that_is_cut_off_anywhere_is_an_error_with_its_line() {
    for (path, bytes) in book().into_iter().filter(|(path, _)| path.ends_with(".json") && layout::is_book_path(path)) {
        let body = bytes.trim_ascii_end().len();
        for end in (0..body).step_by(7) {
            let findings = check_file(&path, &bytes[..end]);
            assert!(findings.iter().any(|finding| finding.severity == FormatSeverity::Error), "{path} cut at {end}");
            if end == 0 {
                // A file that cannot be empty is said to be so; of any other the parser says where it stopped.
                let is_clear =
                    |found: &FormatFinding| found.error.problem == Problem::Empty || found.error.at.line().is_some();
                assert!(findings.iter().all(is_clear), "{path} is empty: {findings:?}");
                continue;
            }
            // Cut off in the middle of a character, it is no text; else the parser says where it stopped.
            assert!(
                findings.iter().all(|finding| finding.error.at.line().is_some()),
                "{path} cut at {end}: {findings:?}"
            );
        }
    }
}

#[test]
fn no_single_damaged_byte_makes_a_panic() {
    for (path, bytes) in book() {
        for at in (0..bytes.len()).step_by(11) {
            for damage in [b'\0', b'"', b'}', b'9', 0xff] {
                let mut damaged = bytes.clone();
                damaged[at] = damage;
                for finding in check_file(&path, &damaged) {
                    assert!(!finding.error.to_string().is_empty());
                }
            }
        }
    }
}

#[test]
fn an_unfinished_merge_is_named_as_such_in_every_file() {
    for (path, bytes) in book().into_iter().filter(|(path, _)| layout::is_book_path(path)) {
        let text = String::from_utf8(bytes).unwrap();
        let merging = format!("<<<<<<< HEAD\n{text}=======\n{text}>>>>>>> other\n");
        let [finding] = &check_file(&path, merging.as_bytes())[..] else { panic!("{path}") };
        assert_eq!((finding.severity, &finding.error.at), (FormatSeverity::Error, &At::Line(1)), "{path}");
    }
}
