//! Checks whether an agent's text is whole, for drafts, scenes, revisions, rewrites and continuations. Each
//! [`TextFinding`] has one [`Remedy`], which the pipeline carries out. The author's own text is not checked.

use crate::agents::checks::slips;
use crate::agents::checks::sources::Recycled;
use crate::agents::context::{chars, count_words};
use crate::domain::ChapterNo;
use crate::text::{self, Ending, Script, Scripts, characters};

pub use super::sources::{COMPARED, Sources, TextSource};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Remedy {
    /// The flaw is already removed from the text, which is used.
    Strip,
    /// The text up to its last whole sentence is kept, and the writer is asked for the rest.
    Continue,
    /// The text is dropped; the writer is asked again with the reason.
    AskAgain,
    /// The writer is asked once more with the reason; then the better text is used with a warning.
    AskOnce,
    /// Like [`Remedy::AskAgain`], but without a better answer the old text stays.
    Keep,
}

/// How a text broke off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Break {
    /// The reply reached its maximum length.
    Limit,
    /// The reply reached the end of the model's context.
    Context,
    /// The server or the connection gave up, so that the text may lack its end; a text that is whole by its own signs does not
    /// count as broken off.
    Lost,
    /// The reply repeated itself from there on.
    Loop,
    /// The reply copied the prompt from there on.
    Prompt,
    Sentence,
    Quotation,
    /// The text is whole, but far too short.
    Short,
}

/// A part of a reply that is not story.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RemovedPart {
    /// The model's talk before or after the text, or an end mark.
    Chat { words: String },
    /// Fields of the plan between heading and story, or after the story.
    PlanAround,
    /// Lines of the prompt.
    Prompt,
    /// The end of the previous chapter at the beginning.
    PreviousEnding { words: u32 },
    /// Repeated paragraphs.
    Twice { words: u32 },
    /// The next chapter behind the story.
    NextChapter { words: u32 },
    /// A repeated end.
    EndRepeats { words: u32 },
}

/// A reason why a text is not a chapter as it came.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TextFinding {
    /// A part that is not story was removed.
    Removed(RemovedPart),
    /// The text has no end.
    BrokenOff(Break),
    /// Most lines are list items.
    Outline,
    /// The text repeats too much of itself.
    Circling,
    /// Less than half of the shortest text wanted.
    Fragment { words: u32, wanted: u32 },
    /// So much stands in an earlier text, word for word, that it is another's chapter. `percent` is the share of
    /// 8-grams, `letters` the length of the longest passage.
    Copied { percent: u32, letters: usize, from: TextSource, passage: String },
    /// Some of it stands in an earlier text, word for word; `percent` and `letters` as in [`TextFinding::Copied`].
    Recycled { percent: u32, letters: usize, from: TextSource, passage: String },
    /// The title is that of another chapter, or nearly.
    Title { title: String, like: ChapterNo },
    /// Speech in other quotation marks than the book's, already changed.
    Requoted { spans: usize },
    /// The story mentions its prompt.
    PromptWords { words: String, sentence: String },
    /// Far below the wanted length.
    Short { words: u32, wanted: u32 },
    /// Far above the wanted length, or cut off beyond it.
    Long { words: u32, most: u32 },
    /// In another language or script than the earlier texts; `percent` is its share of the letters.
    Foreign { script: Script, percent: u32 },
    /// A revision equal to the old text.
    Unchanged,
    /// A revision far shorter than the old text.
    Shrunk { words: u32, before: u32 },
}

impl TextFinding {
    pub fn remedy(&self) -> Remedy {
        match self {
            Self::Removed(_) | Self::Title { .. } | Self::Requoted { .. } => Remedy::Strip,
            Self::BrokenOff(_) => Remedy::Continue,
            Self::Outline | Self::Circling | Self::Fragment { .. } | Self::Copied { .. } | Self::Foreign { .. } => {
                Remedy::AskAgain
            }
            Self::PromptWords { .. } | Self::Recycled { .. } | Self::Short { .. } | Self::Long { .. } => {
                Remedy::AskOnce
            }
            Self::Unchanged | Self::Shrunk { .. } => Remedy::Keep,
        }
    }
}

/// The demands on a text.
#[derive(Debug, Clone, Copy)]
pub struct Expected<'a> {
    /// The fewest words wanted.
    pub least: u32,
    pub most: u32,
    /// The words of the revised text, as far as they are wanted.
    pub replaces: Option<u32>,
    /// The revised text.
    pub before: Option<&'a str>,
    /// Texts that must not be copied.
    pub sources: &'a Sources,
    /// How the reply was broken off, if it was.
    pub cut: Option<Break>,
}

static NOTHING: Sources = Sources::NONE;

impl Expected<'_> {
    /// A whole text of at least `least` words.
    pub fn of_length(least: u32) -> Self {
        Self { least, most: u32::MAX, replaces: None, before: None, sources: &NOTHING, cut: None }
    }
}

/// In hundredths of the wanted words; a shorter text is worth another request.
const SHORT_PERCENT: u32 = 80;
/// In hundredths of the most words wanted; a longer text is worth another request.
const LONG_PERCENT: u32 = 125;
/// In hundredths of the most words wanted; a longer text is not taken without the author's word.
const DOUBTFUL_PERCENT: u32 = 150;
/// In hundredths of the old text; a shorter revision has left something out, since the reviser is told to copy what is
/// not named.
const SHRUNK_PERCENT: u32 = 70;
/// In hundredths of the old text; a revision that may lack its end and is longer has it.
const COMPLETE_PERCENT: u32 = 90;
/// In hundredths of the wanted words; a longer beginning is worth continuing.
const WORTH_PERCENT: u32 = 20;
/// Letters of a copied passage that counts whatever the chapter's length.
const LONG_PASSAGE: usize = 150;
/// Share of 8-grams from which on a chapter is a copy. Among 416 chapters of three novels the largest is 3.2 %, and two
/// are above [`text::RECYCLED_ALARM`].
const COPIED_SHARE: f64 = 0.1;
/// Returns the findings in a text, the gravest first. `own` is the new part: the whole text, or its continuation.
pub fn check(body: &str, own: &str, expected: &Expected<'_>) -> Vec<TextFinding> {
    let words = count_words(body);
    let wanted = expected.least;
    let mut findings = Vec::new();
    findings.extend(is_outline(own).then_some(TextFinding::Outline));
    let copy = copy(own, expected.sources);
    let (copied, recycled) = match copy {
        Some(finding @ TextFinding::Copied { .. }) => (Some(finding), None),
        other => (None, other),
    };
    findings.extend(copied);
    if let Some((script, percent)) = Scripts::unlike_in(own, expected.sources.scripts) {
        findings.push(TextFinding::Foreign { script, percent });
    }
    // A revision may keep repetitions of the old text.
    let is_fresh = expected.replaces.is_none();
    if is_fresh && text::recurrence(body).share >= text::RECURRING_ALARM {
        findings.push(TextFinding::Circling);
    }
    let own_sign = match text::ending(body) {
        Some(Ending::MidSentence) => Some(Break::Sentence),
        Some(Ending::OpenQuotation) => Some(Break::Quotation),
        Some(Ending::Whole) | None => None,
    };
    let complete = wanted.max(expected.replaces.map_or(0, |before| before.saturating_mul(COMPLETE_PERCENT) / 100));
    let (now, old) = (body.trim(), expected.before.map(str::trim));
    let is_beginning = old.is_some_and(|old| old.len() > now.len() && old.starts_with(now));
    let broken = match expected.cut {
        Some(Break::Lost) if own_sign.is_none() && words >= complete && !is_beginning => None,
        cut => cut.or(own_sign),
    };
    if let Some(broken) = broken {
        if words > expected.most {
            // A continuation would make the text longer still.
            findings.push(TextFinding::Long { words, most: expected.most });
            return findings;
        }
        findings.push(TextFinding::BrokenOff(broken));
        return findings;
    }
    if words < wanted / 2 {
        findings.push(TextFinding::Fragment { words, wanted });
        return findings;
    }
    if old == Some(now) {
        findings.push(TextFinding::Unchanged);
        return findings;
    }
    if let Some(before) = expected.replaces.filter(|before| words < before.saturating_mul(SHRUNK_PERCENT) / 100) {
        findings.push(TextFinding::Shrunk { words, before });
    }
    // The kept part of a continued text has not been looked at for them.
    findings.extend(slips::prompt_words(body).map(|(words, sentence)| TextFinding::PromptWords { words, sentence }));
    findings.extend(recycled);
    findings.extend(is_short(words, wanted).then_some(TextFinding::Short { words, wanted }));
    findings.extend(is_long(words, expected.most).then_some(TextFinding::Long { words, most: expected.most }));
    findings
}

/// True when a text is far below the wanted length.
pub fn is_short(words: u32, wanted: u32) -> bool {
    words < wanted.saturating_mul(SHORT_PERCENT) / 100
}

/// True when a text is far above the wanted length.
pub fn is_long(words: u32, most: u32) -> bool {
    words > most.saturating_mul(LONG_PERCENT) / 100
}

/// True when a text is so far above the wanted length that the author decides on it.
pub fn is_doubtfully_long(words: u32, most: u32) -> bool {
    words > most.saturating_mul(DOUBTFUL_PERCENT) / 100
}

/// The text up to the last scene break within `most` words that leaves at least `least`, or else up to the last paragraph within them; at
/// least the first paragraph.
pub fn cut_within(body: &str, least: u32, most: u32) -> &str {
    let paragraphs = text::paragraphs(body);
    let is_within = |end: usize| count_words(&body[..end]) <= most;
    let breaks = paragraphs.iter().filter(|paragraph| paragraph.block == text::BlockKind::SceneBreak).map(|p| p.start);
    let ends = paragraphs.iter().map(|paragraph| paragraph.start + paragraph.text.len());
    // A scene's end far before the limit would throw most of the text away.
    let is_worth = |end: &usize| count_words(&body[..*end]) >= least.max(most / 2);
    let end = breaks.filter(|end| is_within(*end)).rfind(is_worth);
    let end = end.or_else(|| ends.clone().rfind(|end| is_within(*end))).or_else(|| ends.clone().next());
    body[..end.unwrap_or(body.len())].trim_end()
}

/// True when a beginning is long enough to ask for the rest only.
pub fn is_worth_continuing(kept: &str, wanted: u32) -> bool {
    let words = count_words(kept);
    words > 0 && words >= wanted.saturating_mul(WORTH_PERCENT) / 100
}

fn copy(own: &str, sources: &Sources) -> Option<TextFinding> {
    let Recycled { share, letters, from, passage } = sources.recycled_in(own)?;
    let percent = (share * 100.0).round() as u32;
    if letters >= LONG_PASSAGE || share >= COPIED_SHARE {
        return Some(TextFinding::Copied { percent, letters, from, passage });
    }
    let is_notable = letters >= from.passage() || share >= text::RECYCLED_ALARM;
    is_notable.then_some(TextFinding::Recycled { percent, letters, from, passage })
}

/// True when more than half of the lines are list items, bold labels or fields of a plan. A few belong to the story: a
/// letter, a notice, a game's panel.
fn is_outline(body: &str) -> bool {
    let lines = || body.lines().map(str::trim).filter(|line| !line.is_empty());
    let item = |line: &&str| {
        let numbered = line.trim_start_matches(|c: char| c.is_ascii_digit());
        ["- ", "* ", "+ ", "#"].iter().any(|mark| line.starts_with(mark))
            || (numbered.len() < line.len() && [". ", "、"].iter().any(|mark| numbered.starts_with(mark)))
            || (line.starts_with("**") && line.trim_end_matches(['：', ':']).ends_with("**"))
            || LABELS.iter().any(|label| line.strip_prefix(label).is_some_and(|rest| rest.starts_with(['：', ':'])))
    };
    lines().filter(item).count() * 2 > lines().count()
}

const LABELS: [&str; 22] = [
    "故事线",
    "视角",
    "地点",
    "冲突",
    "人物弧光",
    "伏笔",
    "状态变化",
    "开场",
    "开头",
    "铺垫",
    "发展",
    "转折",
    "高潮",
    "结局",
    "结尾",
    "收尾",
    "悬念",
    "第一幕",
    "第二幕",
    "第三幕",
    "场景一",
    "场景二",
];

/// Cuts paragraphs or sentences at the beginning that repeat, word for word, the end of the chapter before or of the
/// last one on the storyline.
pub(crate) fn cut_previous_ending(body: &mut String, sources: &Sources) -> Option<TextFinding> {
    let kept = sources.endings().find_map(|ending| {
        let told: Vec<&str> = ending.lines().collect();
        without_repeated_beginning(body, &told).or_else(|| without_repeated_sentences(body, ending))
    })?;
    let words = count_words(&body[..body.len() - kept.len()]);
    *body = kept.to_owned();
    Some(TextFinding::Removed(RemovedPart::PreviousEnding { words }))
}

/// Returns `body` without the sentences at its beginning that are the last ones of `told`; `None` without any, or when
/// they are so short that they may be an echo.
fn without_repeated_sentences<'b>(body: &'b str, told: &str) -> Option<&'b str> {
    let letters = |text: &str| text.chars().filter(|c| c.is_alphanumeric()).collect::<String>();
    let (own, told) = (text::prose_sentences(body), text::prose_sentences(told));
    let told: Vec<String> = told.iter().map(|sentence| letters(sentence.raw)).collect();
    let first: Vec<String> = own.iter().take(told.len()).map(|sentence| letters(sentence.raw)).collect();
    let again = (1..=first.len()).rev().find(|count| told.ends_with(&first[..*count]))?;
    let last = &own[again - 1];
    let is_telling = first[..again].iter().map(|letters| chars(letters)).sum::<usize>() >= text::TELLING_SENTENCE;
    is_telling.then(|| body[last.start + last.raw.len()..].trim_start())
}

/// Letters of repeated paragraphs that are no chance.
const REPEATED: usize = 6;

/// Returns `body` without the paragraphs at its beginning that are the last ones of `told`, up to its very end; `None`
/// without any.
pub(crate) fn without_repeated_beginning<'b>(body: &'b str, told: &[&str]) -> Option<&'b str> {
    let own: Vec<(usize, &str)> = text::paragraphs(body).iter().map(|p| (p.start + p.text.len(), p.text)).collect();
    let is_end = |count: &usize| {
        let lines: Vec<&str> = own[..*count].iter().map(|(_, text)| *text).collect();
        told.ends_with(&lines)
    };
    let again = (1..=told.len().min(own.len())).rev().find(is_end)?;
    let end = own[again - 1].0;
    (body[..end].chars().filter(|c| c.is_alphanumeric()).count() >= REPEATED).then(|| body[end..].trim_start())
}

/// The most characters that a continuation may repeat of the text before.
const OVERLAP: usize = 400;

/// Joins a text and its continuation. Words repeated from the end of the text are written once; a continuation that
/// begins the text again from its first sentence replaces it.
pub fn joined(text: &str, more: &str) -> String {
    let (text, more) = (text.trim_end(), more.trim());
    let first = |text: &str| text::prose_sentences(text).first().map(|first| first.text().to_owned());
    let begins_again = first(more).is_some_and(|again| chars(&again) > REPEATED && first(text) == Some(again));
    if begins_again || text.is_empty() {
        return format!("{more}\n");
    }
    let told: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    if let Some(rest) = without_repeated_beginning(more, &told) {
        return format!("{text}\n\n{rest}\n");
    }
    let tail: Vec<char> = text.chars().rev().take(OVERLAP).filter(|c| !c.is_whitespace()).collect();
    let head: Vec<(usize, char)> = more.char_indices().filter(|(_, c)| !c.is_whitespace()).take(OVERLAP).collect();
    // Only whole sentences count: a word may well come twice.
    let starts: Vec<usize> = text::prose_sentences(text).iter().map(|sentence| sentence.start).collect();
    let begins = |letters: usize| starts.iter().any(|at| characters(&text[*at..]) == letters);
    let same = |length: &usize| {
        let last = tail[..*length].iter().rev();
        last.eq(head[..*length].iter().map(|(_, c)| c)) && begins(*length)
    };
    let overlap = (4..=tail.len().min(head.len())).rev().find(same);
    let Some(overlap) = overlap else { return format!("{text}\n\n{more}\n") };
    let (at, last) = head[overlap - 1];
    let rest = &more[at + last.len_utf8()..];
    match rest.trim_start_matches([' ', '　']).starts_with('\n') {
        true => format!("{text}\n\n{}\n", rest.trim()),
        false => format!("{text}{}\n", rest.trim()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const TEXT: &str =
        "雨停了。林枫收起信，往北门走。\n\n“站住。”守门人说。\n\n他没有回头，只把怀里的那封信按得更紧了一些。\n";

    fn found(body: &str, expected: &Expected<'_>) -> Vec<Remedy> {
        check(body, body, expected).iter().map(TextFinding::remedy).collect()
    }

    #[test]
    fn every_finding_has_its_remedy_and_a_whole_text_has_none() {
        let of = Expected::of_length;
        assert_eq!(check(TEXT, TEXT, &of(30)), []);
        for (body, expected, remedy) in [
            (TEXT.trim_end().trim_end_matches('。'), of(30), Remedy::Continue),
            ("雨停了。“信呢？他问。", of(5), Remedy::Continue),
            (TEXT, of(50), Remedy::AskOnce),
            (TEXT, of(90), Remedy::AskAgain),
            (TEXT, Expected { cut: Some(Break::Limit), ..of(30) }, Remedy::Continue),
            (TEXT, Expected { replaces: Some(80), ..of(30) }, Remedy::Keep),
            (TEXT, Expected { before: Some(TEXT.trim_end()), ..of(30) }, Remedy::Keep),
            ("冲突：林枫问老妇。\n\n- 老妇不答。\n\n结局：灯灭了。", of(5), Remedy::AskAgain),
        ] {
            assert_eq!(found(body, &expected), [remedy], "{body} {expected:?}");
        }
    }

    #[test]
    fn a_text_that_runs_on_is_too_long_and_is_cut_at_a_scenes_end() {
        let most = |most| Expected { most, ..Expected::of_length(5) };
        assert_eq!(found(TEXT, &most(38)), []);
        assert_eq!(found(TEXT, &most(30)), [Remedy::AskOnce]);
        let cut = TEXT.trim_end().trim_end_matches('。');
        assert_eq!(found(cut, &most(100)), [Remedy::Continue]);
        assert_eq!(found(cut, &most(30)), [Remedy::AskOnce], "no continuation beyond the limit");
        let scenes = "甲说了几句话。\n\n乙没有回答。\n\n***\n\n雨停了。\n\n丙走了。\n";
        assert_eq!(cut_within(scenes, 8, 16), "甲说了几句话。\n\n乙没有回答。");
        assert_eq!(cut_within(scenes, 20, 40), scenes.trim_end());
        assert_eq!(cut_within("甲说了几句话。\n\n乙没有回答。", 3, 7), "甲说了几句话。");
        assert_eq!(cut_within("甲说了几句话。", 1, 2), "甲说了几句话。");
    }

    fn long(seed: u32, length: u32) -> String {
        let mut state = u64::from(seed).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let mut han = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            char::from_u32(0x4E00 + (state >> 40) as u32 % 6000).unwrap_or('雨')
        };
        (0..length).map(|n| if n % 20 == 19 { '。' } else { han() }).collect()
    }

    #[test]
    fn copies_of_earlier_chapters_and_of_the_plan_are_found_with_their_source() {
        let chapter = |n: u32| ChapterNo::new(n).unwrap();
        let plan = "林枫拿着父亲留下的信到了北门守门人认出裂开的火漆把他拦下来问他十二年前的事情。";
        let sources = Sources::default()
            .with(TextSource::Chapter(chapter(3)), &long(3, 3000))
            .with(TextSource::Chapter(chapter(4)), &long(4, 3000))
            .with(TextSource::Plan, plan);
        let expected = Expected { sources: &sources, ..Expected::of_length(100) };
        let copied = |body: &str| check(body, body, &expected);
        assert_eq!(copied(&long(5, 3000)), []);
        assert!(matches!(
            &copied(&long(3, 3000))[..],
            [TextFinding::Copied { percent: 100, from: TextSource::Chapter(from), .. }] if *from == chapter(3)
        ));
        let passage: String = long(4, 3000).chars().skip(1000).take(80).collect();
        let some = copied(&format!("{}{passage}。{}", long(5, 2000), long(6, 1000)));
        assert!(
            matches!(&some[..], [TextFinding::Recycled { percent: 2, from: TextSource::Chapter(from), .. }] if *from == chapter(4)),
            "{some:?}"
        );
        let planned = copied(&format!("{}{plan}", long(5, 3000)));
        assert!(matches!(&planned[..], [TextFinding::Recycled { from: TextSource::Plan, .. }]), "{planned:?}");
        // Of an author's text that is continued only the writer's part counts.
        let body = format!("{}{}", long(3, 1000), long(5, 1000));
        assert_eq!(check(&body, &long(5, 1000), &expected), []);
    }

    #[test]
    fn a_beginning_that_is_the_end_of_the_chapter_before_is_taken_off() {
        let sources = Sources::default().after("他推开门。\n\n灯笼晃了两下，灭了。\n\n没有人说话。\n");
        let mut body = "灯笼晃了两下，灭了。\n\n没有人说话。\n\n雨停了。\n".to_owned();
        assert_eq!(
            cut_previous_ending(&mut body, &sources),
            Some(TextFinding::Removed(RemovedPart::PreviousEnding { words: 13 }))
        );
        assert_eq!(body, "雨停了。\n");
        for own in ["没有人说话，雨停了。\n", "灯笼晃了两下，灭了。\n\n雨停了。\n"] {
            assert_eq!(cut_previous_ending(&mut own.to_owned(), &sources), None, "{own}");
        }
    }

    #[test]
    fn a_continuation_is_joined_without_what_it_repeats() {
        let text = "雨停了，林枫还站在门下。\n\n他收起信。守门人看着他。";
        for (more, whole) in [
            ("他没有回头。", "雨停了，林枫还站在门下。\n\n他收起信。守门人看着他。\n\n他没有回头。\n"),
            ("守门人看着他。他没有回头。", "雨停了，林枫还站在门下。\n\n他收起信。守门人看着他。他没有回头。\n"),
            (
                "守门人看着他。\n\n他没有回头。",
                "雨停了，林枫还站在门下。\n\n他收起信。守门人看着他。\n\n他没有回头。\n",
            ),
            (
                "他收起信。守门人看着他。\n他没有回头。",
                "雨停了，林枫还站在门下。\n\n他收起信。守门人看着他。\n\n他没有回头。\n",
            ),
            ("雨停了，林枫还站在门下。\n\n天亮了。", "雨停了，林枫还站在门下。\n\n天亮了。\n"),
            ("他看着他。", "雨停了，林枫还站在门下。\n\n他收起信。守门人看着他。\n\n他看着他。\n"),
        ] {
            assert_eq!(joined(text, more), whole, "{more}");
        }
    }

    proptest! {
        #[test]
        fn no_sentence_is_lost_where_texts_are_joined(
            text in prop::collection::vec("[甲乙丙丁戊己]{9,14}。", 1..5), more in prop::collection::vec("[子丑寅卯辰巳]{9,14}。", 1..5)
        ) {
            let (text, more) = (text.join("\n\n"), more.concat());
            prop_assert_eq!(joined(&text, &more), format!("{text}\n\n{more}\n"));
            let last = text.rsplit("\n\n").next().unwrap();
            prop_assert_eq!(joined(&text, &format!("{last}{more}")), format!("{text}{more}\n"));
        }
    }
}
