//! The time of a chapter inside the program, with the offline writer: `cargo bench`. Whole commands beside git are
//! measured by `benches/book.sh`.
#![allow(clippy::unwrap_used)]

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use novel::agents::{Prompts, Task, offline, prompt};
use novel::domain::ChapterNo;
use novel::domain::chapter::Chapter;
use novel::domain::state::{Delta, RawOp, State};
use novel::domain::volume::foreshadowing::Ledger;
use novel::pipeline::planning::create_book::{Idea, found};
use novel::pipeline::{BookView, Calls, Clock, Goal, Responder, Run};
use novel::report::subject::wording;
use novel::store::{Book, Holder, Identity, Moment, Wait};
use novel::text;
use std::fmt::Write as _;
use std::hint::black_box;

/// A volume of a thousand planned chapters on two storylines.
fn outline() -> String {
    let mut text = String::from("# 第一卷\n");
    for n in 1..=1000 {
        let (line, who) = if n % 3 == 0 { ("side-arc", "罗守拙") } else { ("main-arc", "沈渡") };
        let task = match n % 10 {
            1 => format!("埋设 lamp_{}：栈桥尽头多出一盏灯", n / 10),
            9 => format!("回收 lamp_{}：添灯的是当年的舱单员", n / 10),
            _ => "无".to_owned(),
        };
        let _ = write!(
            text,
            "\n## 第{n}章 渡口第{n}夜\n\n- 故事线: {line}\n- 视角: {who}\n- 地点: 北渡口第{}号栈桥\n- 冲突: 第{n}张船票对不上舱单\n\
             - 人物弧光: 从只认票到开始认人\n- 伏笔: {task}\n- 状态变化: {who}到了栈桥\n",
            n % 17 + 1
        );
    }
    text
}

fn clock() -> Clock {
    let at = jiff::Timestamp::from_second(1_767_225_600).unwrap().to_zoned(jiff::tz::TimeZone::UTC);
    Clock { now: Box::new(move || at.clone()), ticks: Box::new(|| 0) }
}

fn holder() -> Holder {
    Holder { what: "bench".into(), host: "localhost".into(), since: Moment { seconds: 0, offset_minutes: 0 } }
}

fn new_book(dir: &std::path::Path) -> Book {
    let idea = Idea {
        title: "渡口".into(),
        protagonist: "沈渡".into(),
        outline: Some(outline()),
        words: Some((2500, 3500)),
        offline: true,
        ..Idea::default()
    };
    let founding = idea.files(None, &clock()).unwrap();
    found(dir, founding, &[], holder(), wording).unwrap().book
}

/// One chapter from draft to commit, every stage synced to disk.
fn whole_chapter(criterion: &mut Criterion) {
    let dir = tempfile::tempdir().unwrap();
    let book = new_book(dir.path());
    let session = book.begin(&holder(), Wait::sleeping()).unwrap();
    let clock = clock();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let calls = Calls::new(&Responder::Offline, &clock, None, |_| {});
    let run = Run::new(&session, calls, Identity::fallback());
    let mut group = criterion.benchmark_group("book");
    group.sample_size(20);
    group.bench_function("a chapter through all stages", |bencher| {
        bencher.iter(|| runtime.block_on(run.chapters(Goal::Count(1))).unwrap());
    });
    group.finish();
}

/// The pure parts of a chapter.
fn parts(criterion: &mut Criterion) {
    let dir = tempfile::tempdir().unwrap();
    let book = new_book(dir.path());
    let snapshot = book.snapshot().unwrap();
    let chapter_context = BookView::new(snapshot).chapter_context(ChapterNo::FIRST).unwrap();
    let draft = Task::Draft { context: &chapter_context };
    let reply = offline::answer(&draft);
    let chapter = Chapter::from_markdown(ChapterNo::FIRST, &reply, "");
    let edited = chapter.body.replace('了', "过");

    criterion.bench_function("the offline writer's draft", |b| b.iter(|| offline::answer(black_box(&draft))));
    criterion.bench_function("the writer's prompt", |b| {
        let prompts = Prompts::default();
        b.iter(|| prompt(black_box(&draft), &prompts).unwrap());
    });
    criterion.bench_function("a prose diff", |b| b.iter(|| text::diff(black_box(&chapter.body), &edited)));
    criterion.bench_function("the panel of AI tells", |b| b.iter(|| text::Panel::of(black_box(&chapter.body))));
    criterion.bench_function("a hundred operations merged", |b| {
        let ops: Vec<RawOp> = (0..100)
            .map(|n| RawOp {
                op: "set".into(),
                path: format!("characters.c{n}.location"),
                value: serde_json::json!("栈桥"),
                ..RawOp::default()
            })
            .collect();
        let (state, ledger) = (State::default(), Ledger::default());
        b.iter_batched(
            || Delta::screen(ChapterNo::FIRST, chapter_context.storyline(), &ops, &state, &ledger).0,
            |delta| delta.merge(&state, &ledger).unwrap(),
            BatchSize::SmallInput,
        );
    });
}

criterion_group!(benches, whole_chapter, parts);
criterion_main!(benches);
