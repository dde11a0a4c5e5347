//! How many figures of people are read in untouched novels, and how many of them are taken for a jump. Run when asked:
//! `cargo test --release --test it figures_that_jump -- --ignored --nocapture`. Silent where the novels are not.

use super::name_figures::{CASTS, texts};
use novel::domain::state::State;
use novel::domain::{ChapterNo, Slug};
use novel::text::consistency::{ExaminedChapter, Examiner, Registry, Sort, ladders};
use novel::text::{NameIndex, NamedEntity};
use std::collections::{BTreeMap, BTreeSet};

/// The people of a book as its registry.
fn registry(names: &str) -> Registry {
    let all: Vec<NamedEntity> = names
        .split(' ')
        .map(|name| NamedEntity { id: name.into(), name: name.into(), aliases: vec![], is_person: true })
        .collect();
    Registry {
        names: all.iter().map(|named| (named.id.clone(), named.name.clone())).collect(),
        people: all.iter().map(|named| named.id.clone()).collect(),
        retired: BTreeMap::new(),
        ladders: ladders([]),
        index: NameIndex::new(&all),
    }
}

#[test]
#[ignore = "prints figures: what untouched novels are accused of"]
fn figures_that_jump() {
    for (book, names) in CASTS {
        let texts = texts(book);
        if texts.is_empty() {
            continue;
        }
        let registry = registry(names);
        let (mut examiner, line, nothing) = (Examiner::default(), Slug::new("main").unwrap(), State::default());
        let mut found: BTreeMap<Sort, Vec<String>> = BTreeMap::new();
        let (foreign, expected) = (BTreeMap::new(), BTreeSet::new());
        for (n, text) in (1..).zip(&texts) {
            let examined = ExaminedChapter {
                chapter: ChapterNo::new(n).unwrap(),
                title: "",
                text,
                storyline: &line,
                before: &nothing,
                after: &nothing,
                foreign: &foreign,
                expected: &expected,
                undone: &[],
            };
            for finding in examiner.examine(&registry, examined) {
                let shown = format!("{} {}「{}」", finding.chapter, finding.what.in_chinese(), finding.quotation);
                found.entry(finding.what.sort()).or_default().push(shown);
            }
        }
        let letters: usize = texts.iter().map(|text| text.chars().count()).sum();
        eprintln!("{book}: {letters} characters");
        for (sort, all) in &found {
            let rate = all.len() as f64 * 1e5 / letters as f64;
            eprintln!("  {sort}: {} = {rate:.2} in 100,000 characters", all.len());
            for one in all.iter().filter(|_| !matches!(*sort, Sort::Variant | Sort::Title)).take(12) {
                eprintln!("    {one}");
            }
        }
    }
}
