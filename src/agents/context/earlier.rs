//! Earlier chapters: a line for each one before the last summaries, open threads, and related passages, pages and samples
//! of the author, so that the writer meets the words themselves.

use crate::agents::context::PartLimits;
use crate::agents::context::cast::plan_text;
use crate::agents::context::chapter::Recent;
use crate::agents::prelude::*;
use crate::domain::chapter::summary::{ChapterMemory, ChapterNotes, PersonStatus};
use crate::text::{Excerpt, ExcerptKind, common};

/// Characters of a chapter's line.
const MAX_LINE: usize = 120;
/// Further open threads are left out, the oldest first.
const MAX_THREADS: usize = 8;
const MAX_THREAD: usize = 36;
const MAX_PEOPLE: usize = 3;

/// The ledger as far as this chapter may know it: entries of other lines are treated like their summaries.
pub(crate) fn chapter_memory(context: &ChapterContext, extent: &PartLimits) -> String {
    memory_lines(&known(context, extent), &context.recent, &context.characters)
}

/// The lines of chapters on the storylines that `is_told` accepts, without the open threads.
pub(crate) fn chapter_lines(context: &ChapterContext, extent: &PartLimits, is_told: &dyn Fn(&Slug) -> bool) -> String {
    let mut known = known(context, extent);
    known.retain(|memory| is_told(&memory.storyline));
    lines(&known, &context.recent, &context.characters)
}

pub(crate) fn open_threads(context: &ChapterContext, extent: &PartLimits) -> String {
    bullets(threads(&known(context, extent)))
}

fn known<'a>(context: &'a ChapterContext, extent: &PartLimits) -> Vec<&'a ChapterMemory> {
    let known =
        context.chapter_memories.iter().filter(|memory| crate::agents::context::may_know(context, &memory.storyline));
    let known: Vec<&ChapterMemory> = known.collect();
    let skipped = known.len().saturating_sub(extent.memories);
    known[skipped..].to_vec()
}

/// A line for each chapter without a summary beside it, and the open threads of all.
pub(crate) fn memory_lines(memories: &[&ChapterMemory], recent: &[Recent], people: &[Character]) -> String {
    let lines = lines(memories, recent, people);
    let threads = bullets(threads(memories));
    if threads.is_empty() { lines } else { format!("{lines}各章末悬着的事：\n{threads}") }
}

fn lines(memories: &[&ChapterMemory], recent: &[Recent], people: &[Character]) -> String {
    let summarized = |memory: &ChapterMemory| recent.iter().any(|recent| recent.chapter == memory.chapter);
    let older = memories.iter().filter(|memory| !summarized(memory));
    older.filter_map(|memory| line(memory, people)).collect()
}

/// `第5章（main-arc）雨季第九日，城北废墟：林枫赚开北门；管十收了玉｜林枫左手带伤`
fn line(memory: &ChapterMemory, people: &[Character]) -> Option<String> {
    let ChapterNotes { time, places, events, people: standings, .. } = &memory.entry;
    let scene: Vec<&str> = [time.as_str()].into_iter().chain(places.iter().map(String::as_str)).collect();
    let scene = scene.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("，");
    let named = |who: &str| {
        let known = people.iter().find(|person| person.id.as_str() == who);
        known.map_or_else(|| who.to_owned(), |person| person.display_name.clone())
    };
    let standing = |person: &PersonStatus| {
        let name = named(&person.who);
        if person.state.starts_with(&name) { person.state.clone() } else { format!("{name}{}", person.state) }
    };
    let standings: Vec<String> = standings.iter().take(MAX_PEOPLE).map(standing).collect();
    let parts = [scene, events.join("；"), standings.join("；")];
    if parts.iter().all(String::is_empty) {
        return None;
    }
    let [scene, events, standings] = parts;
    let standings = if standings.is_empty() { String::new() } else { format!("｜{standings}") };
    let text = format!("第{}章（{}）{scene}：{events}{standings}", memory.chapter.get(), memory.storyline);
    Some(format!("{}\n", clip_line(&text, MAX_LINE)))
}

/// The open threads, the oldest first, each once with the last chapter that left it open.
fn threads(memories: &[&ChapterMemory]) -> Vec<String> {
    let mut found: Vec<(&str, u32)> = Vec::new();
    for memory in memories.iter().rev() {
        for thread in memory.entry.threads.iter().map(|thread| thread.trim()) {
            if !thread.is_empty() && found.len() < MAX_THREADS && found.iter().all(|(known, _)| *known != thread) {
                found.push((thread, memory.chapter.get()));
            }
        }
    }
    found.reverse();
    found.into_iter().map(|(thread, chapter)| format!("{}（第{chapter}章）", clip_line(thread, MAX_THREAD))).collect()
}

const MAX_PASSAGE: usize = 150;

/// A line per passage, without passages of lines that the chapter may not know.
pub(crate) fn passages(context: &ChapterContext, extent: &PartLimits) -> String {
    let known = context.passages.iter().filter(|passage| crate::agents::context::may_know(context, &passage.storyline));
    crate::agents::context::bullets(known.take(extent.passages).map(|passage| {
        let (chapter, text) = (passage.chapter.get(), clip_line(&passage.text, MAX_PASSAGE));
        format!("第{chapter}章：{text}")
    }))
}

/// A line per passage: `liuyin-station：…`.
pub(crate) fn pages(context: &ChapterContext, extent: &PartLimits) -> String {
    crate::agents::context::bullets(context.pages.iter().take(extent.pages).map(|page| {
        let name = page.path.rsplit('/').next().unwrap_or(&page.path).trim_end_matches(".md");
        format!("{}：{}", clip_line(name, 20), clip_line(&page.text, MAX_PASSAGE))
    }))
}

/// One excerpt of each kind: the one with most in common with the chapter's plan, and among equals another for each
/// chapter.
pub(crate) fn excerpts(context: &ChapterContext, extent: &PartLimits) -> String {
    let kinds = [ExcerptKind::Dialogue, ExcerptKind::Action, ExcerptKind::Ending];
    let plan = plan_text(context);
    let chosen = kinds.into_iter().filter_map(|kind| best(context, kind, &plan)).take(extent.samples);
    let texts = chosen.map(|Excerpt { kind, text }| format!("【{}】\n{text}\n", name(*kind)));
    texts.collect::<Vec<_>>().join("\n")
}

fn best<'a>(context: &'a ChapterContext, kind: ExcerptKind, plan: &str) -> Option<&'a Excerpt> {
    let of_kind: Vec<&Excerpt> = context.samples.iter().filter(|excerpt| excerpt.kind == kind).collect();
    let texts: Vec<String> = of_kind.iter().map(|excerpt| excerpt.text.clone()).collect();
    let shared = common(plan, &texts);
    let most = shared.iter().max()?;
    let equals: Vec<&Excerpt> =
        of_kind.into_iter().zip(&shared).filter(|(_, found)| *found == most).map(|(excerpt, _)| excerpt).collect();
    equals.get(context.chapter.get() as usize % equals.len()).copied()
}

const fn name(kind: ExcerptKind) -> &'static str {
    match kind {
        ExcerptKind::Dialogue => "写对话时",
        ExcerptKind::Action => "写动作时",
        ExcerptKind::Ending => "收尾时",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::ChapterNo;

    fn memory(chapter: u32, entry: ChapterNotes) -> ChapterMemory {
        let storyline = Slug::new("main-arc").unwrap();
        ChapterMemory { chapter: ChapterNo::new(chapter).unwrap(), storyline, entry }
    }

    #[test]
    fn chapters_with_a_summary_only_say_what_they_left_open() {
        let entry = |n: u32| ChapterNotes {
            time: format!("第{n}夜"),
            places: vec!["北门".into()],
            events: vec!["门开了".into(), "灯灭了".into()],
            people: vec![PersonStatus { who: "路人".into(), state: "走了".into() }],
            threads: vec!["谁送的信".into(), format!("第{n}盏灯")],
            ..ChapterNotes::default()
        };
        let memories = [memory(4, entry(4)), memory(5, ChapterNotes::default()), memory(6, entry(6))];
        let summary = Recent {
            chapter: ChapterNo::new(6).unwrap(),
            title: String::new(),
            storyline: Slug::new("main-arc").unwrap(),
            summary: String::new(),
        };
        let text = memory_lines(&memories.iter().collect::<Vec<_>>(), &[summary], &[]);
        let expected = "第4章（main-arc）第4夜，北门：门开了；灯灭了｜路人走了\n各章末悬着的事：\n\
                        - 第4盏灯（第4章）\n- 第6盏灯（第6章）\n- 谁送的信（第6章）\n";
        assert_eq!(text, expected);
        assert_eq!(memory_lines(&[], &[], &[]), "");
    }

    #[test]
    fn a_long_entry_takes_no_more_room_than_a_short_one() {
        let long = || "此事说来话长。".repeat(60);
        let threads: Vec<String> = (0..40).map(|n| format!("{n}{}", long())).collect();
        let entry = ChapterNotes { time: long(), events: vec![long(); 9], threads, ..ChapterNotes::default() };
        let text = memory_lines(&[&memory(1, entry)], &[], &[]);
        assert!(text.lines().next().unwrap().chars().count() <= MAX_LINE, "{text}");
        assert!(text.chars().count() <= MAX_LINE + 20 + MAX_THREADS * (MAX_THREAD + 10), "{}", text.chars().count());
    }
}
