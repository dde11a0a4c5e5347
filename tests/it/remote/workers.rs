//! Workers that keep nothing: each book has each chapter once, although workers are killed.

use super::Devices;
use crate::common::{Output, World};

/// How many; more when the variable says so.
fn asked(name: &str, otherwise: usize) -> usize {
    std::env::var(name).ok().and_then(|value| value.parse().ok()).unwrap_or(otherwise)
}

fn works(world: &World, worker: usize, args: &[&str]) -> Output {
    let mut command = world.command(env!("CARGO_BIN_EXE_novel"), &world.path(""));
    let dir = format!("worker-{worker}");
    command.env("HOSTNAME", &dir).args(["work", "books", "--offline", "--dir", &dir]).args(args);
    crate::common::Running::of(&mut command).finish()
}

#[test]
fn any_number_of_workers_write_each_chapter_of_each_book_once() {
    let (workers, books) = (asked("NOVEL_WORKERS", 4), asked("NOVEL_WORKER_BOOKS", 3));
    let devices = Devices::with(0);
    let world = &devices.world;
    for book in 0..books {
        let _ = world.git("", &["clone", "-q", "--mirror", "hub.git", &format!("books/b{book}.git")]).ok();
    }
    let planned = world.git("desk", &["grep", "-c", "^## 第", "--", "volumes/vol-01/outline.md"]).ok();
    let planned: u32 = planned.trim().rsplit(':').next().unwrap().parse().unwrap();
    // One dies in the middle of its first chapter; its lease is over for all when it comes back to the same folder.
    let mut killed = world.command(env!("CARGO_BIN_EXE_novel"), &world.path(""));
    killed.env("HOSTNAME", "worker-0").env("__NOVEL_CRASH_TEST_ABORT_AT", "txn.kept");
    killed.args(["work", "books", "--offline", "--dir", "worker-0"]);
    assert!(!killed.output().unwrap().status.success());
    std::thread::scope(|scope| {
        for worker in 0..workers {
            scope.spawn(move || {
                let output = works(world, worker, &["--chapters", "1", "--json"]);
                assert_eq!(output.code, 0, "{output:#?}");
                assert_eq!(output.json_lines().pop().unwrap()["event"], "worked");
            });
        }
    });
    // The rest, which was left because another worker had it.
    let _ = works(world, 0, &[]).ok();
    for book in 0..books {
        let place = format!("books/b{book}.git");
        for chapter in 1..=planned {
            assert_eq!(devices.acceptances(&place, chapter), 1, "{place}: chapter {chapter}");
        }
        assert_eq!(devices.refs(&place, "refs/novel/lease"), "", "{place}");
        world.check(&place);
    }
}

#[test]
fn one_book_is_enough_when_asked_and_a_list_of_addresses_will_do() {
    let devices = Devices::with(0);
    devices.world.write("list.txt", &format!("# 书\n\n{}\n", devices.world.path("hub.git").display()));
    let args = ["work", "list.txt", "--offline", "--once", "--chapters", "2"];
    let output = devices.run("w", "", &args);
    assert_eq!(output.code, 0, "{output:#?}");
    assert_eq!([1, 2, 3].map(|chapter| devices.acceptances("hub.git", chapter)), [1, 1, 0]);
    let again = devices.run("w", "", &["work", "hub.git", "--offline", "--dir", "elsewhere", "--json"]);
    assert_eq!(again.json_lines().pop().unwrap()["failed"], 0, "{again:#?}");
}
