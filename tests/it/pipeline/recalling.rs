//! A memory server beside the models: checked before a model is asked, and the finder of the writer's earlier passages.

use super::studio::Studio;
use crate::llm::mem0::{FakeMem0, Fault, KEY};
use std::collections::BTreeSet;

fn with(studio: Studio, server: &FakeMem0) -> Studio {
    studio.with("NOVEL_MEMORY_URL", &server.url()).with("MEM0_API_KEY", KEY)
}

#[test]
fn the_writer_is_shown_what_the_server_finds() {
    let server = FakeMem0::start();
    let studio = with(Studio::of_six(), &server);
    let _ = studio.go().ok();
    let prompt = studio.requests("draft")[0].prompt();
    assert!(prompt.contains("第1章：") && !prompt.contains(KEY), "{prompt}");
    let memories = server.memories();
    let shown = prompt.lines().find_map(|line| line.strip_prefix("- 第1章：")).unwrap();
    let (beginning, first) =
        (shown.trim_matches('…').chars().take(12).collect::<String>(), |memory: &serde_json::Value| {
            memory["metadata"]["chapter"] == 1
        });
    assert!(
        memories.iter().any(|memory| first(memory) && memory["memory"].as_str().unwrap().contains(&beginning)),
        "{shown}"
    );
    // The embedded search would find the first chapter again.
    server.set(Fault::Forgets);
    let _ = studio.go().ok();
    let prompt = studio.requests("draft")[1].prompt();
    assert!(!prompt.contains("- 第1章：") && !prompt.contains("- 第2章："), "{prompt}");
    assert!(studio.places_of(KEY).is_empty());
    studio.done();
}

#[test]
fn no_model_is_asked_while_the_server_is_absent_or_refuses_the_key() {
    let server = FakeMem0::start();
    let studio = with(Studio::new(), &server);
    for (name, value, exit, words) in [
        ("NOVEL_MEMORY_URL", "http://127.0.0.1:9", 5, "127.0.0.1:9"),
        ("MEM0_API_KEY", "m0sk_wrong", 4, "MEM0_API_KEY"),
    ] {
        let studio = with(Studio::new(), &server).with(name, value);
        for command in [&["continue"][..], &["write", "ch-2"], &["start", "--answer", "write-1"]] {
            let said = studio.novel(command);
            assert!(said.code == exit && said.stderr.contains(words), "{command:?}: {said:#?}");
        }
        assert!(studio.server.requests().is_empty());
        studio.check();
    }
    let _ = studio.go().ok();
    studio.done();
}

#[test]
fn candidates_add_nothing_twice() {
    let server = FakeMem0::start();
    let studio = with(Studio::of_six(), &server);
    let _ = studio.novel(&["continue", "--candidates", "3"]).ok();
    let memories = server.memories();
    let windows: BTreeSet<String> = memories
        .iter()
        .map(|memory| format!("{} {}", memory["metadata"]["chapter"], memory["metadata"]["window"]))
        .collect();
    assert!(!windows.is_empty() && windows.len() == memories.len(), "{memories:#?}");
    studio.done();
}

#[test]
fn a_server_that_fails_on_the_way_stops_the_run_and_the_next_one_goes_on() {
    let server = FakeMem0::start();
    let studio = with(Studio::of_six(), &server);
    server.set(Fault::FailsAfter(2));
    let said = studio.go().fails(5);
    assert!(said.stderr.contains("embedding failed") && studio.requests("draft").is_empty(), "{said:#?}");
    server.set(Fault::None);
    let _ = studio.go().ok();
    assert_eq!(studio.requests("draft").len(), 1);
    studio.done();
}
