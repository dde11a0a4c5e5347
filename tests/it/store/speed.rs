//! The time of a chapter in a book of 24,000 files. Run when asked, on an optimised build: `cargo test --release --test
//! it store::speed -- --ignored --nocapture`.

#![allow(clippy::print_stderr, reason = "it is a measurement")]

use std::time::{Duration, Instant};

use super::bench::*;
use novel::domain::ChapterNo;
use novel::store::{self, Change, DraftFiles, EntryFilter, Kind, Log, Message, key};

fn timed<T>(what: &str, work: impl FnOnce() -> T) -> (T, Duration) {
    let start = Instant::now();
    let result = work();
    let time = start.elapsed();
    eprintln!("{what:<44} {:8.2} ms", time.as_secs_f64() * 1000.0);
    (result, time)
}

/// Chapters 1 to 3,428, seven files each, thirty to a volume.
fn whole_book() -> Change {
    let mut change = Change::default();
    for n in 1..=3428u32 {
        let volume = (n - 1) / 30 + 1;
        for (folder, end) in [
            ("chapters", ".md"),
            ("summaries", "-summary.md"),
            ("evaluations", "-eval.json"),
            ("logs", "-log.json"),
            ("state/deltas", "-delta.json"),
            ("volumes", "-contract.json"),
            ("memory", "-memory.json"),
        ] {
            change = change.put(
                &format!("{folder}/vol-{volume:02}/chapter-{n:03}{end}"),
                format!("{folder} {n}\n{}", "文".repeat(40)),
            );
        }
    }
    change
}

#[test]
#[ignore = "a measurement"]
fn a_chapter_among_24_000_files() {
    let home = Home::with_book();
    let book = home.book();
    {
        let session = begin(&book);
        timed("24,000 files in one commit", || {
            store::transaction::commit(&session, &proposal(&session, whole_book(), Message::new(Kind::Import, "全书")))
                .unwrap()
        });
    }
    timed("git gc", || home.git(&["gc", "-q"]));
    for round in 0..3u32 {
        let book = home.book();
        timed("git status", || home.git(&["status", "--porcelain"]));
        timed("hand_edits", || {
            store::hand_edits::of_author(&book, &["chapters", "research"], EntryFilter::of(&|_| true)).unwrap()
        });
        timed("hand_edits again", || {
            store::hand_edits::of_author(&book, &["chapters", "research"], EntryFilter::of(&|_| true)).unwrap()
        });
        let n = 3429 + round;
        let chapter = ChapterNo::new(n).unwrap();
        let scope = DraftFiles::new([
            format!("chapters/vol-115/chapter-{n:03}.md"),
            format!("summaries/vol-115/chapter-{n:03}.md"),
        ]);
        let start = Instant::now();
        let (session, _) = timed("begin", || begin(&book));
        let (draft, _) = timed("open a draft", || store::draft::open_draft(&session, chapter, scope).unwrap());
        for name in ["draft", "summary", "refine", "judge", "gate"] {
            let change = Change::default()
                .put(&format!("chapters/vol-115/chapter-{n:03}.md"), format!("{name} {}", "正文。".repeat(1000)))
                .put(&format!("logs/vol-115/chapter-{n:03}-{name}.json"), "{}\n")
                .put(".checkpoint.json", format!("{{\"stage\": \"{name}\", \"n\": {n}}}\n"));
            let _ = timed("  a stage", || {
                draft.commit_result(&change, &Message::new(Kind::Stage, name), &author(), moment(2)).unwrap()
            });
        }
        let mut accepting =
            proposal(&session, draft.change().unwrap(), chapter_message(n).trailer(key::DRAFT, draft.tip()));
        accepting.keep = vec![(format!("{chapter}/{}", draft.tip().short()), draft.tip())];
        timed("accept", || store::transaction::commit(&session, &accepting).unwrap());
        timed("close", || draft.close().unwrap());
        eprintln!("a chapter: {:.1} ms\n", start.elapsed().as_secs_f64() * 1000.0);
        timed("log of 10", || store::history::log(&book, &Log { limit: 10, ..Log::default() }).unwrap());
    }
    home.assert_clean();
}
