//! Applying the refiner's edits within fixed bounds.

use crate::agents::checks::parroting::first_of_prompt;
use crate::agents::context::{chars, listed};
use crate::domain::chapter::Chapter;
use crate::domain::world::style::AiPhrases;
use crate::text::{Ending, is_han};
use std::ops::Range;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefinerEdit {
    pub original: String,
    /// Empty to delete the passage.
    pub refined: String,
    /// In the refiner's words.
    pub reason: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum DropReason {
    #[error("it changes nothing")]
    NoChange,
    #[error("the passage is not in the chapter")]
    NotFound,
    /// The passage is short and occurs several times.
    #[error("the passage is too short to say which place is meant")]
    Ambiguous,
    /// Another edit has already changed the passage.
    #[error("another edit changed the passage already")]
    Overlaps,
    /// The edit changes a character's spoken line.
    #[error("it changes what somebody says")]
    Dialogue,
    /// The replacement holds a heading, a code fence or lines of the prompt.
    #[error("it brings in markup")]
    Markup,
    /// The replacement holds words of another language than the text.
    #[error("it brings in another language")]
    Foreign,
    /// The replacement holds a worn-out phrase of the list.
    #[error("it brings in a worn-out phrase")]
    WornOut,
    /// The edit removes most of the last paragraph, or leaves the chapter without an end.
    #[error("it takes the end of the chapter away")]
    Ending,
    /// The chapter would change more than it may.
    #[error("the chapter would change more than allowed")]
    TooMuch,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Refined {
    pub chapter: Chapter,
    /// The edits made, in the order of the text.
    pub applied: Vec<RefinerEdit>,
    pub dropped: Vec<(RefinerEdit, DropReason)>,
    /// Changed characters over all characters of the original, 0 to 1.
    pub share: f64,
}

/// A passage of fewer characters must be unique in the chapter.
const UNIQUE_BELOW: usize = 4;
/// Characters that an edit may change inside quotation marks: enough for one worn-out word, too few for a meaning.
const MAX_SPOKEN: usize = 4;

/// Applies the safe edits in order, as long as the changed characters stay within `max_share` (0 to 1) of the
/// chapter's. An edit's changed characters are the longer of removed and inserted text, without the common beginning
/// and end, so their sum is never below the true distance of the two texts.
///
/// A passage that occurs several times is changed at the first free place after the previous edit, or else at the first
/// free one, because edits come in the text's order and wear is equal in all places.
pub fn apply_edits(text: &Chapter, edits: &[RefinerEdit], max_share: f64, phrases: &AiPhrases) -> Refined {
    let total = chars(&text.body);
    // The final newline belongs to the file, not to the prose; round down.
    let allowed = (total as f64 * max_share.clamp(0.0, 1.0)).floor() as usize;
    let spoken: Vec<Range<usize>> = crate::text::quotes(&text.body).into_iter().map(|quote| quote.inner).collect();
    let (mut taken, mut dropped) = (Vec::<LocatedEdit>::new(), Vec::new());
    let (mut changed, mut cursor) = (0, 0);
    let ends_whole = crate::text::ending(&text.body) == Some(Ending::Whole);
    for edit in edits {
        let checked = place(&text.body, edit, &taken, cursor).and_then(|span| {
            let core = core(&text.body, &span, &edit.refined);
            check(&text.body, edit, &core, &spoken, phrases)?;
            let mut with: Vec<_> = taken.iter().map(LocatedEdit::replacement).collect();
            with.push((span.clone(), &edit.refined));
            let unfinished =
                || ends_whole && crate::text::ending(&replaced(&text.body, with.clone())) != Some(Ending::Whole);
            if cuts_the_end(&text.body, &with) || unfinished() {
                return Err(DropReason::Ending);
            }
            if changed + core.changed > allowed { Err(DropReason::TooMuch) } else { Ok((span, core.changed)) }
        });
        match checked {
            Ok((span, cost)) => {
                changed += cost;
                cursor = span.end;
                taken.push(LocatedEdit { span, edit });
            }
            Err(reason) => dropped.push((edit.clone(), reason)),
        }
    }
    taken.sort_by_key(|taken| taken.span.start);
    let body = replaced(&text.body, taken.iter().map(LocatedEdit::replacement).collect());
    Refined {
        chapter: Chapter { number: text.number, title: text.title.clone(), body },
        applied: taken.iter().map(|taken| taken.edit.clone()).collect(),
        dropped,
        share: if total == 0 { 0.0 } else { changed as f64 / total as f64 },
    }
}

struct LocatedEdit<'a> {
    span: Range<usize>,
    edit: &'a RefinerEdit,
}

impl<'a> LocatedEdit<'a> {
    fn replacement(&self) -> (Range<usize>, &'a str) {
        (self.span.clone(), &self.edit.refined)
    }
}

/// Replaces ranges of the text, which do not overlap.
fn replaced(body: &str, mut places: Vec<(Range<usize>, &str)>) -> String {
    places.sort_by_key(|(span, _)| span.start);
    let mut body = body.to_owned();
    for (span, words) in places.into_iter().rev() {
        body.replace_range(span, words);
    }
    body
}

/// True when the last paragraph loses more than half of its characters.
fn cuts_the_end(body: &str, places: &[(Range<usize>, &str)]) -> bool {
    let end = body.trim_end().len();
    let start = body[..end].rfind('\n').map_or(0, |at| at + 1);
    let lost: usize = places
        .iter()
        .map(|(span, words)| {
            let (from, to) = (span.start.max(start), span.end.min(end));
            if from < to { chars(&body[from..to]).saturating_sub(chars(words)) } else { 0 }
        })
        .sum();
    lost * 2 > chars(&body[start..end])
}

/// The byte range of the passage to replace.
fn place(body: &str, edit: &RefinerEdit, taken: &[LocatedEdit], cursor: usize) -> Result<Range<usize>, DropReason> {
    if edit.original.is_empty() || edit.original == edit.refined {
        return Err(DropReason::NoChange);
    }
    let spans: Vec<Range<usize>> = body.match_indices(&edit.original).map(|(at, found)| at..at + found.len()).collect();
    if spans.is_empty() {
        return Err(DropReason::NotFound);
    }
    if spans.len() > 1 && chars(&edit.original) < UNIQUE_BELOW {
        return Err(DropReason::Ambiguous);
    }
    let free =
        |span: &&Range<usize>| taken.iter().all(|other| span.end <= other.span.start || other.span.end <= span.start);
    let free: Vec<&Range<usize>> = spans.iter().filter(free).collect();
    let next = free.iter().find(|span| span.start >= cursor).or(free.first());
    next.map(|span| (*span).clone()).ok_or(DropReason::Overlaps)
}

/// The difference of an edit, without the common beginning and end.
struct Core {
    /// Removed bytes of the chapter.
    removed: Range<usize>,
    /// Inserted bytes of the replacement.
    inserted: Range<usize>,
    /// The longer of the two, in characters.
    changed: usize,
}

fn core(body: &str, span: &Range<usize>, refined: &str) -> Core {
    let original = &body[span.clone()];
    let same = |(a, b): &(char, char)| a == b;
    let head: usize = original.chars().zip(refined.chars()).take_while(same).map(|(c, _)| c.len_utf8()).sum();
    let (rest, new) = (&original[head..], &refined[head..]);
    let tail: usize = rest.chars().rev().zip(new.chars().rev()).take_while(same).map(|(c, _)| c.len_utf8()).sum();
    let (rest, new) = (&rest[..rest.len() - tail], &new[..new.len() - tail]);
    let start = span.start + head;
    Core { removed: start..start + rest.len(), inserted: head..head + new.len(), changed: chars(rest).max(chars(new)) }
}

fn check(
    body: &str,
    edit: &RefinerEdit,
    core: &Core,
    spoken: &[Range<usize>],
    phrases: &AiPhrases,
) -> Result<(), DropReason> {
    let inserted = &edit.refined[core.inserted.clone()];
    let lines: Vec<&str> = edit.refined.lines().collect();
    let is_markup = inserted.contains("```") || lines.iter().any(|line| line.starts_with('#'));
    if is_markup || first_of_prompt(&lines).is_some() {
        return Err(DropReason::Markup);
    }
    let words = edit.refined.split(|c: char| !c.is_ascii_alphabetic()).filter(|word| word.len() > 2);
    if body.contains(is_han) && words.into_iter().any(|word| !body.contains(word)) {
        return Err(DropReason::Foreign);
    }
    if marks(&body[core.removed.clone()]) != marks(inserted) {
        return Err(DropReason::Dialogue);
    }
    let inside = |speech: &Range<usize>| {
        let (from, to) = (speech.start.max(core.removed.start), speech.end.min(core.removed.end));
        if from < to { chars(&body[from..to]) } else { 0 }
    };
    let removed: usize = spoken.iter().map(inside).sum();
    let within = spoken.iter().any(|s| s.start <= core.removed.start && core.removed.end <= s.end);
    if removed > MAX_SPOKEN || (within && chars(inserted) > MAX_SPOKEN) {
        return Err(DropReason::Dialogue);
    }
    let count = |text: &str, phrase: &str| text.matches(phrase).count();
    if listed(phrases).any(|phrase| count(&edit.refined, phrase) > count(&edit.original, phrase)) {
        return Err(DropReason::WornOut);
    }
    Ok(())
}

fn marks(text: &str) -> Vec<char> {
    text.chars().filter(|c| "“”\"「」『』".contains(*c)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::ChapterNo;
    use crate::domain::world::style::AiPhrase;
    use proptest::prelude::*;

    const BODY: &str = "雨停了。林枫嘴角微微上扬，收起了信。\n\n“你不由得信他？”许青问，“城北今夜封城。”\n\n他嘴角微微上扬，没有回答。\n";

    fn chapter(body: &str) -> Chapter {
        Chapter { number: ChapterNo::FIRST, title: "密信".into(), body: body.into() }
    }

    fn edit(original: &str, refined: &str) -> RefinerEdit {
        RefinerEdit { original: original.into(), refined: refined.into(), reason: "套话".into() }
    }

    fn worn() -> AiPhrases {
        let phrase = |text: &str| AiPhrase { text: text.into(), category: String::new() };
        AiPhrases {
            phrases: vec![phrase("嘴角微微上扬"), phrase("不由得")],
            allowed: Vec::new(),
            ..AiPhrases::default()
        }
    }

    fn fate(edits: &[RefinerEdit], max_share: f64) -> (String, Vec<DropReason>) {
        let refined = apply_edits(&chapter(BODY), edits, max_share, &worn());
        (refined.chapter.body, refined.dropped.into_iter().map(|(_, reason)| reason).collect())
    }

    #[test]
    fn repeated_passages_are_changed_one_after_the_other() {
        let smile = edit("嘴角微微上扬", "舔了舔牙");
        let (body, dropped) = fate(&[smile.clone(), smile.clone(), smile], 1.0);
        assert!(!body.contains("嘴角微微上扬") && dropped == [DropReason::Overlaps], "{body} {dropped:?}");
    }

    #[test]
    fn unsafe_edits_are_left_out_one_by_one() {
        let cases = [
            (edit("雨停了。", "雨停了。"), DropReason::NoChange),
            (edit("雪停了。", "雨停了。"), DropReason::NotFound),
            (edit("他", "她"), DropReason::Ambiguous),
            (edit("城北今夜封城", "城北明日才开城门"), DropReason::Dialogue),
            (edit("许青问，“城北", "许青问，城北"), DropReason::Dialogue),
            (edit("没有回答。", "不由得点头。"), DropReason::WornOut),
            (edit("没有回答。", "没有回答。\n# 第2章"), DropReason::Markup),
            (edit("没有回答。", "没有回答。\n</章节正文>"), DropReason::Markup),
        ];
        for (edit, reason) in cases {
            assert_eq!(fate(std::slice::from_ref(&edit), 1.0), (BODY.to_owned(), vec![reason]), "{edit:?}");
        }
    }

    #[test]
    fn the_end_of_the_chapter_stays_whole() {
        let last = "他嘴角微微上扬，没有回答。";
        for (original, refined) in [
            ("，没有回答。", "，没有回答"),
            ("没有回答。", "没有回答，"),
            (last, ""),
            ("嘴角微微上扬，没有回答。", "走了。"),
        ] {
            let (body, dropped) = fate(&[edit(original, refined)], 1.0);
            assert_eq!((body.as_str(), &dropped[..]), (BODY, &[DropReason::Ending][..]), "{original}");
        }
        let (body, dropped) = fate(&[edit("没有回答。", "不曾回答。")], 1.0);
        assert!(body.ends_with("不曾回答。\n") && dropped.is_empty(), "{dropped:?}");
        // Two edits that are harmless alone.
        let two = [edit("他嘴角微微上扬，", ""), edit("没有回答。", "走。")];
        assert_eq!(fate(&two, 1.0).1, [DropReason::Ending]);
    }

    #[test]
    fn a_worn_out_word_in_speech_may_go() {
        let (body, dropped) = fate(&[edit("“你不由得信他？”", "“你就信他？”")], 1.0);
        assert!(body.contains("“你就信他？”") && dropped.is_empty(), "{dropped:?}");
    }

    #[test]
    fn an_edit_that_is_too_long_leaves_room_for_a_short_one() {
        let long = edit("林枫嘴角微微上扬，收起了信。", "信纸还是潮的，边角粘着一点蜡。");
        let (body, dropped) = fate(&[long, edit("雨停了。", "雨住了。")], 0.05);
        assert!(body.starts_with("雨住了。林枫嘴角"), "{body}");
        assert_eq!(dropped, [DropReason::TooMuch]);
    }

    /// The least number of characters to insert, delete or replace.
    fn distance(a: &str, b: &str) -> usize {
        let b: Vec<char> = b.chars().collect();
        let mut row: Vec<usize> = (0..=b.len()).collect();
        for (i, x) in a.chars().enumerate() {
            let mut corner = row[0];
            row[0] = i + 1;
            for (j, y) in b.iter().enumerate() {
                let replaced = corner + usize::from(x != *y);
                corner = row[j + 1];
                row[j + 1] = replaced.min(row[j] + 1).min(corner + 1);
            }
        }
        row[b.len()]
    }

    proptest! {
        #[test]
        fn the_text_never_changes_more_than_allowed(
            body in "[甲乙丙丁，。“”\n]{0,60}",
            edits in prop::collection::vec(("[甲乙丙丁，。“”]{0,6}", "[甲乙丙丁子丑，。“”\n]{0,9}"), 0..12),
            max_share in 0.0f64..=1.0,
        ) {
            let edits: Vec<RefinerEdit> = edits.iter().map(|(original, refined)| edit(original, refined)).collect();
            let refined = apply_edits(&chapter(&body), &edits, max_share, &AiPhrases::default());
            let allowed = max_share * chars(&body) as f64;
            prop_assert!(distance(&body, &refined.chapter.body) as f64 <= allowed);
            prop_assert!(refined.share <= max_share);
            prop_assert_eq!(refined.applied.len() + refined.dropped.len(), edits.len());
            if refined.applied.is_empty() {
                prop_assert_eq!(refined.chapter.body, body);
            }
        }

        #[test]
        fn sentences_that_stand_once_are_all_replaced_where_they_stand(
            sentences in prop::collection::btree_set("[甲乙丙丁]{4,8}", 1..8), shuffled in any::<prop::sample::Index>()
        ) {
            let sentences: Vec<String> = sentences.into_iter().map(|s| format!("{s}。")).collect();
            let body = sentences.concat();
            prop_assume!(sentences.iter().all(|s| body.matches(s.as_str()).count() == 1));
            let mut edits: Vec<RefinerEdit> = sentences.iter().map(|s| edit(s, &s.replace('甲', "子"))).collect();
            edits.rotate_left(shuffled.index(sentences.len()));
            let refined = apply_edits(&chapter(&body), &edits, 1.0, &AiPhrases::default());
            prop_assert_eq!(refined.chapter.body, body.replace('甲', "子"));
        }
    }
}
