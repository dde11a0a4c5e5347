//! The text room on whole public-domain novels. These tests run where `/work/shared/data` is present and say so where it
//! is not; the floors lie below what was measured.
#![allow(clippy::print_stderr)]

mod drift_figures;
mod figure_figures;
pub mod name_figures;
mod phrase_figures;
mod presence_figures;
mod ranges;
mod speech_figures;

use std::path::PathBuf;

use novel::agents::checks::completeness::{Expected, TextFinding};
use novel::agents::writer;
use novel::domain::ChapterNo;
use novel::text::{
    self, Fingerprint, NameIndex, NamedEntity, Panel, QuoteStyle, RECYCLED_ALARM, Shingles, StyleComparison, copied,
    diff, find_evidence, longest_shared_run,
};

const DATA: &str = "/work/shared/data";

const BOOKS: [&str; 3] = ["hongloumeng", "qijian13xia", "sanguo"];

/// Chapters `range` of a book in file order, or `None` with a remark when the data is not there.
fn chapters(book: &str, range: std::ops::Range<usize>) -> Option<Vec<String>> {
    let folder = PathBuf::from(DATA).join("fiction").join(book);
    let Ok(entries) = std::fs::read_dir(&folder) else {
        eprintln!("skipped: {} is not there", folder.display());
        return None;
    };
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    Some(files[range].iter().map(|file| std::fs::read_to_string(file).unwrap()).collect())
}

fn borrowed(texts: &[String]) -> Vec<&str> {
    texts.iter().map(String::as_str).collect()
}

#[test]
fn sentences_and_quotes_hold_on_whole_novels() {
    for book in BOOKS {
        let Some(chapters) = chapters(book, 0..100) else { return };
        let (mut marks, mut spans, mut closed) = (0, 0, 0);
        for chapter in &chapters {
            let sentences = text::sentences(chapter);
            assert_eq!(sentences.iter().map(|s| s.raw).collect::<String>(), *chapter);
            let found = text::quotes(chapter);
            marks += chapter.matches('“').count();
            spans += found.iter().filter(|q| q.style == QuoteStyle::CurlyDouble).count();
            closed += found.iter().filter(|q| q.closed).count();
        }
        // Nested marks are part of the outer span, and these editions have a few lines with marks missing.
        assert!(spans * 100 >= marks * 88 && spans <= marks, "{book}: {spans} spans from {marks} marks");
        assert!(closed * 100 >= spans * 98, "{book}: {closed} of {spans} closed");
    }
}

#[test]
fn a_fingerprint_finds_the_known_figures() {
    let Some(chapters) = chapters("hongloumeng", 0..40) else { return };
    let print = Fingerprint::measure(&borrowed(&chapters));
    assert!((17.0..22.0).contains(&print.sentence_length.value), "{:?}", print.sentence_length);
    assert!((0.42..0.62).contains(&print.dialogue_ratio.value), "{:?}", print.dialogue_ratio);
    assert!(print.habits.iter().any(|habit| habit.phrase == "笑道"), "{:?}", print.habits);
    let names = ["贾宝玉", "凤姐", "林黛玉", "贾母", "王夫人", "袭人", "薛宝钗", "贾政", "贾琏"];
    let bare = Fingerprint::measure_without(&borrowed(&chapters), &names);
    assert_eq!(bare.habits[0].phrase, "笑道");
}

#[test]
fn human_chapters_lie_within_the_human_band() {
    for book in BOOKS {
        let Some(chapters) = chapters(book, 0..40) else { return };
        let panels: Vec<Panel> = chapters.iter().map(|chapter| Panel::of(chapter)).collect();
        let usual = panels.iter().filter(|panel| panel.beats.value <= panel.beats.human.1).count();
        assert!(usual >= 38, "{book}: {usual} of 40");
        assert!(chapters.iter().all(|chapter| text::same_skeletons(chapter).is_empty()), "{book}");
    }
}

#[test]
fn recycled_text_stands_out_in_a_human_serial() {
    let Some(chapters) = chapters("qijian13xia", 0..40) else { return };
    let shingles: Vec<Shingles> = chapters.iter().map(|chapter| Shingles::of(chapter)).collect();
    let own: Vec<f64> = (20..40).map(|i| copied(&chapters[i], &shingles[i - 20..i]).share).collect();
    assert!(own.iter().filter(|&&share| share > RECYCLED_ALARM).count() <= 1, "{own:?}");
    let quarter: String = chapters[5].chars().take(chapters[5].chars().count() / 4).collect();
    let padded = format!("{}\n{quarter}", chapters[30]);
    assert!(copied(&padded, &shingles[..30]).share > RECYCLED_ALARM * 5.0);
    let run = longest_shared_run(&padded, &chapters[5], 30).unwrap();
    assert!(run.letters > 300, "{run:?}");
    assert_eq!(longest_shared_run(&chapters[30], &chapters[5], 30), None);
}

#[test]
fn another_writers_chapters_are_above_the_alarm_level() {
    for (book, other) in [("hongloumeng", "qijian13xia"), ("sanguo", "hongloumeng")] {
        let (Some(own), Some(foreign)) = (chapters(book, 20..45), chapters(other, 40..45)) else { return };
        let (before, now) = own.split_at(20);
        let compared = |texts: &[String]| StyleComparison::of(&borrowed(before), &borrowed(texts)).unwrap();
        let (own, other) = (compared(now), compared(&foreign));
        assert!(own.delta <= own.level, "{book}: {} above {}", own.delta, own.level);
        assert!(other.delta > other.level, "{book}: {} not above {}", other.delta, other.level);
    }
}

#[test]
fn an_edit_is_shown() {
    let Some(chapters) = chapters("hongloumeng", 60..62) else { return };
    let old = &chapters[0];
    let polished = old.replace("笑道", "笑着说").replace("。宝玉", "，宝玉");
    let found = diff(old, &polished);
    assert!(found.hunks(1).iter().any(|hunk| hunk.to_plain().contains("{+")));
}

#[test]
fn every_sentence_of_a_chapter_is_evidence_in_it_and_in_no_other() {
    let Some(chapters) = chapters("hongloumeng", 10..12) else { return };
    let mut elsewhere = 0;
    for sentence in text::prose_sentences(&chapters[0]).iter().filter(|s| s.han() >= 8).take(60) {
        let found = find_evidence(&chapters[0], sentence.text()).unwrap();
        assert!(found.start() < sentence.start + sentence.raw.len());
        elsewhere += usize::from(find_evidence(&chapters[1], sentence.text()).is_some());
    }
    assert_eq!(elsewhere, 0);
}

#[test]
fn courtesy_names_lead_to_their_bearers() {
    let Some(chapters) = chapters("sanguo", 37..43) else { return };
    let Ok(json) = std::fs::read_to_string(format!("{DATA}/lists/sanguo_entity_aliases.json")) else {
        eprintln!("skipped: the alias list is not there");
        return;
    };
    let lists: serde_json::Value = serde_json::from_str(&json).unwrap();
    let registry: Vec<NamedEntity> = lists["mention"]
        .as_object()
        .unwrap()
        .iter()
        .map(|(name, forms)| NamedEntity {
            id: name.clone(),
            name: name.clone(),
            aliases: forms.as_array().unwrap().iter().map(|form| form.as_str().unwrap().to_owned()).collect(),
            is_person: false,
        })
        .collect();
    let story = chapters.concat();
    let index = NameIndex::new(&registry);
    let written = story.matches("玄德").count();
    assert!(written > 100);
    let liu = [String::from("刘备")];
    let of_liu = |index: &NameIndex| index.mentions(&story).into_iter().filter(|mention| mention.ids == liu).count();
    assert!(of_liu(&index) >= written);
    // Two men of the list are called 孔明, so the form alone counts for neither.
    let shared = index.mentions(&story).into_iter().find(|mention| mention.form == "孔明").unwrap();
    assert!(shared.ids.len() == 2 && shared.ids.contains(&"诸葛亮".to_owned()), "{:?}", shared.ids);
    let bare: Vec<NamedEntity> =
        registry.into_iter().map(|named| NamedEntity { aliases: Vec::new(), ..named }).collect();
    assert!(of_liu(&NameIndex::new(&bare)) < written / 4);
}

#[test]
fn human_chapters_end_whole_and_are_freed_from_nothing() {
    let mut unfinished = Vec::new();
    for (book, count) in BOOKS.into_iter().zip([119, 180, 120]) {
        let Some(chapters) = chapters(book, 0..count) else { return };
        for (at, chapter) in chapters.iter().enumerate() {
            if text::ending(chapter) != Some(text::Ending::Whole) {
                unfinished.push(format!("{book} {at}"));
            }
            let read = writer::read(chapter, ChapterNo::FIRST, "?", &Expected::of_length(0)).unwrap();
            let taken: Vec<&TextFinding> =
                read.findings.iter().filter(|finding| !matches!(finding, TextFinding::BrokenOff(_))).collect();
            assert_eq!(taken, Vec::<&TextFinding>::new(), "{book} {at}");
        }
    }
    // Eight files break off, and four lack a closing mark.
    assert_eq!(unfinished.len(), 12, "{unfinished:?}");
}
