//! The people who speak, act or come in while the story goes on, by the words around their names, which `presence.txt`
//! lists. Memories, dreams, suppositions and letters show no presence, and neither do people who pose as the one named.
//!
//! Of 749 chapters of three novels that name a living person five times and more, 704 are found to show that person; of
//! 138 that name one who has died, four, in all of which a ghost comes (`figures_of_the_dead`).

use super::super::names::Mention;
use super::Reading;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::LazyLock;

/// The words by class, longer ones first.
static WORDS: LazyLock<BTreeMap<&str, Vec<&str>>> = LazyLock::new(|| {
    let mut words: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    let lines = include_str!("presence.txt").lines().filter(|line| !line.starts_with('#'));
    for (class, listed) in lines.filter_map(|line| line.split_once(": ")) {
        words.entry(class).or_default().extend(listed.split(' '));
    }
    words.values_mut().for_each(|listed| listed.sort_by_key(|word| std::cmp::Reverse(word.len())));
    words
});

fn words(class: &str) -> impl Iterator<Item = &'static str> {
    WORDS.get(class).into_iter().flatten().copied()
}

/// The rest of a text behind the longest word of a class at its start.
fn behind<'t>(text: &'t str, class: &str) -> Option<&'t str> {
    words(class).find_map(|word| text.strip_prefix(word))
}

/// The rest of a text before the longest word of a class at its end.
fn before<'t>(text: &'t str, class: &str) -> Option<&'t str> {
    words(class).find_map(|word| text.strip_suffix(word))
}

fn has(text: &str, class: &str) -> bool {
    words(class).any(|word| text.contains(word))
}

const STOPS: [char; 9] = ['。', '！', '？', '!', '?', '…', ' ', '　', '\n'];
const COMMAS: [char; 7] = ['，', ',', '；', ';', '：', ':', '—'];

fn is_mark(c: char) -> bool {
    STOPS.contains(&c) || COMMAS.contains(&c) || "“”「」".contains(c)
}

/// The first place of each person asked for at which that person is present.
pub(super) fn present<'a>(reading: &'a Reading<'_>, is_asked: impl Fn(&str) -> bool) -> Vec<(&'a str, usize)> {
    let mut seen = BTreeSet::new();
    let own = reading.mentions.iter().filter_map(|mention| match mention.ids.as_slice() {
        [id] if is_asked(id) => Some((id.as_str(), mention)),
        _ => None,
    });
    let is_played = |id: &str| {
        let mut own = reading.mentions.iter().filter(|mention| mention.ids == [id]);
        own.any(|mention| {
            let (told, rest) = (&reading.of.text[..mention.range.start], &reading.of.text[mention.range.end..]);
            has(told.rsplit(is_mark).next().unwrap_or_default(), "disguise")
                || has(rest.split(is_mark).next().unwrap_or_default(), "posed")
        })
    };
    own.filter(|(id, mention)| !seen.contains(id) && is_present(reading, mention) && seen.insert(*id))
        .filter(|(id, _)| !is_played(id))
        .map(|(id, mention)| (id, mention.range.start))
        .collect()
}

fn is_present(reading: &Reading<'_>, mention: &Mention) -> bool {
    let (at, end) = (mention.range.start, mention.range.end);
    let told = &reading.narration()[..at];
    // Blank in a quotation.
    if !reading.narration()[at..].starts_with(&mention.form) || is_hearsay(told) || before(told, "object").is_some() {
        return false;
    }
    // 魏延、马岱引兵, 管十给林枫倒了茶
    let mut next = reading.mentions.iter().map(|other| &other.range).skip_while(|other| other.start < end).peekable();
    let mut end = end;
    while let Some(other) = next
        .next_if(|other| other.start > end && behind(&reading.narration()[end..other.start], "together") == Some(""))
    {
        end = other.end;
    }
    let (rest, next) = (&reading.narration()[end..], next.next().map(|next| next.start));
    if behind(rest, "gone").is_some() && behind(rest, "act").is_none() {
        return false;
    }
    (acts(rest) || comes_in(told, rest) || goes_on(told, rest, next.map(|next| next - end)))
        && !reading.is_of_another_time(at)
}

fn is_hearsay(told: &str) -> bool {
    let is_narrator = before(told, "narrator").is_some_and(|told| told.is_empty() || told.ends_with(is_mark));
    before(told.trim_end_matches(COMMAS), "told").is_some() && !is_narrator
}

/// True when a text begins with the act of a person who is there.
fn acts(mut rest: &str) -> bool {
    let clause = rest.split(is_mark).next().unwrap_or_default();
    // 慢慢地, 冷冷地
    if let Some((at, _)) = rest.char_indices().take(5).find(|(_, c)| *c == '地') {
        rest = &rest[at + '地'.len_utf8()..];
    }
    loop {
        if behind(rest, "no-act").is_some() {
            return false;
        }
        let lasts = rest.chars().take_while(|c| !is_mark(*c)).take(3).skip(1).any(|c| c == '着');
        if lasts || behind(rest, "act").is_some_and(|rest| behind(rest, "then").is_none()) {
            return !has(clause, "lasting");
        }
        let Some(after) = behind(rest, "adverb") else { return false };
        rest = after;
    }
}

/// True when a name stands behind words such as 只见 and 门外站着, or ends a clause such as 来者正是.
fn comes_in(told: &str, rest: &str) -> bool {
    let ends = rest.starts_with(|c| STOPS.contains(&c) || COMMAS.contains(&c) || c == '也') || rest.is_empty();
    let sentence = told.rsplit(['。', '！', '？', '\n']).next().unwrap_or(told);
    before(told, "entrance").is_some_and(|told| before(told, "unseen").is_none())
        || ends && before(sentence, "copula").is_some_and(|sentence| has(sentence, "coming"))
}

/// True when a name begins a clause that ends with a verb of speech, or its sentence goes on with the act of the same
/// subject or with words that lead to a line.
fn goes_on(told: &str, rest: &str, next: Option<usize>) -> bool {
    let begins =
        told.is_empty() || told.ends_with(is_mark) || before(told, "entrance").or(before(told, "narrator")).is_some();
    let line = rest.split(STOPS).next().unwrap_or(rest);
    let clause = line.split(COMMAS).next().unwrap_or(line);
    let is_alone = next.is_none_or(|next| next < clause.len() || next >= line.len());
    let leads_to_line = line.ends_with(['：', ':'])
        && before(line.trim_end_matches(COMMAS), "say").is_some()
        && !line.contains(['他', '她', '众']);
    let is_plain = is_alone && !clause.contains(['会', '要', '每', '总']);
    let goes_on = is_plain && (leads_to_line || line.split(COMMAS).skip(1).any(acts));
    let is_unreal = || ["unreal", "past", "memory", "dreamt", "instead"].iter().any(|class| has(line, class));
    begins && (before(clause, "say").is_some() || goes_on) && !is_unreal()
}

impl Reading<'_> {
    /// The text with blanks in place of quotations and of quoted lines, so that places stay the same.
    pub(super) fn narration(&self) -> &str {
        self.narration.get_or_init(|| {
            let mut told = String::with_capacity(self.of.text.len());
            for quote in self.quotes() {
                told.push_str(&self.of.text[told.len()..quote.range.start]);
                told.push_str(&" ".repeat(quote.range.len()));
            }
            told.push_str(&self.of.text[told.len()..]);
            let is_quoted = |line: &str| line.trim_start().starts_with('>');
            let blank = |line: &str| if is_quoted(line) { " ".repeat(line.len()) } else { line.to_owned() };
            told.split_inclusive('\n').map(blank).collect()
        })
    }

    /// True for a place in a memory or a dream, and for one in a sentence about what is not there.
    pub(super) fn is_of_another_time(&self, at: usize) -> bool {
        let Some(sentence) = self.whole_sentence(at) else { return true };
        let start = sentence.start;
        let sentence = &self.narration()[sentence.start..][..sentence.raw.len()];
        let told = &sentence[..at - start];
        let is_unreal =
            |word: &str| if word.chars().nth(1).is_some() { told.contains(word) } else { told.ends_with(word) };
        words("unreal").any(is_unreal)
            || has(sentence, "instead")
            || self.pasts.get_or_init(|| pasts(self)).iter().any(|past| past.contains(&at))
    }
}

/// How long a memory or a dream lasts; a dream ends with its scene too, but only waking leads back from it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Lasts {
    Paragraph,
    Scene,
    Dream,
}

/// The parts of the narration that tell of a memory or a dream: from a word that leads there to one that leads back or
/// to the end of the paragraph. A dream lasts to the end of the scene, and so does a time past in the first sentence of
/// a scene or the last one of a paragraph.
fn pasts(reading: &Reading<'_>) -> Vec<Range<usize>> {
    let told = reading.narration();
    let mut turns = BTreeMap::new();
    for class in ["past", "memory", "dreamt", "dream", "awake", "return", "was-dream"] {
        let places = words(class).flat_map(|word| told.match_indices(word));
        // 三年前的旧账 is of now, 三年前的冬天 is not, and neither is 三年前的今天.
        let counts = |(at, word): &(usize, &str)| match class {
            "past" => told[at + word.len()..].strip_prefix('的').is_none_or(|rest| behind(rest, "time").is_some()),
            "return" => !told[..*at].ends_with('的'),
            _ => true,
        };
        turns.extend(places.filter(counts).map(|(at, _)| (at, class)));
    }
    let (mut pasts, mut open, mut scene) = (Vec::new(), None::<(usize, Lasts)>, 0);
    let sentences = reading.sentences();
    for (n, sentence) in sentences.iter().enumerate() {
        let since = n.checked_sub(1).map_or(usize::MAX, |before| sentence.paragraph - sentences[before].paragraph);
        let is_last = sentences.get(n + 1).is_none_or(|next| next.paragraph > sentence.paragraph);
        if since > 1 {
            scene = sentence.start;
        }
        if let Some((start, lasts)) = open
            && (since > 1 || since == 1 && lasts == Lasts::Paragraph)
        {
            pasts.push(start..sentence.start);
            open = None;
        }
        for (at, class) in turns.range(sentence.start..sentence.start + sentence.raw.len()) {
            match (*class, open) {
                ("past" | "memory" | "dreamt" | "dream", _) => {
                    let (start, lasts) = open.unwrap_or((*at, Lasts::Paragraph));
                    let how = match *class {
                        "dream" => Lasts::Dream,
                        "past" | "dreamt" if is_last || since > 1 => Lasts::Scene,
                        _ => Lasts::Paragraph,
                    };
                    open = Some((start, lasts.max(how)));
                }
                ("was-dream", _) => pasts.push(scene..*at),
                ("return", Some((_, Lasts::Dream))) | (_, None) => {}
                (_, Some((start, _))) => {
                    pasts.push(start..*at);
                    open = None;
                }
            }
        }
    }
    pasts.extend(open.map(|(start, _)| start..reading.of.text.len()));
    pasts
}
