//! The people who speak, act or come in while the story goes on, by the words around their names, which `presence.txt`
//! lists. Memories, dreams, suppositions and letters show no presence, and neither do people who pose as the one named.
//!
//! Of 749 chapters of three novels that name a living person five times and more, 707 are found to show that person; of
//! 138 that name one who has died, four, in all of which a ghost comes (`figures_of_the_dead`).

use crate::text::consistency::ChapterReading;
use crate::text::names::Mention;
use crate::text::prelude::*;
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

/// The part of a clause that a text ends with.
fn clause_before(told: &str) -> &str {
    told.rsplit(is_mark).next().unwrap_or_default()
}

/// The part of a clause that a text begins with.
fn clause_at(rest: &str) -> &str {
    rest.split(is_mark).next().unwrap_or_default()
}

/// The first place of each person asked for at which that person is present.
pub(super) fn present<'a>(reading: &'a ChapterReading<'_>, is_asked: impl Fn(&str) -> bool) -> Vec<(&'a str, usize)> {
    let mut seen = BTreeSet::new();
    let own = reading.mentions.iter().filter_map(|mention| match mention.ids.as_slice() {
        [id] if is_asked(id) => Some((id.as_str(), mention)),
        _ => None,
    });
    let is_played = |id: &str| {
        let mut own = reading.mentions.iter().filter(|mention| mention.ids == [id]);
        own.any(|mention| {
            let (told, rest) = (&reading.of.text[..mention.range.start], &reading.of.text[mention.range.end..]);
            has(clause_before(told), "disguise") || has(clause_at(rest), "posed")
        })
    };
    own.filter(|(id, mention)| !seen.contains(id) && is_present(reading, mention) && seen.insert(*id))
        .filter(|(id, _)| !is_played(id))
        .map(|(id, mention)| (id, mention.range.start))
        .collect()
}

fn is_present(reading: &ChapterReading<'_>, mention: &Mention) -> bool {
    let (at, end) = (mention.range.start, mention.range.end);
    let told = &reading.narration()[..at];
    let clause = clause_before(told);
    let is_blank_in_quotation = !reading.narration()[at..].starts_with(&mention.form);
    if is_blank_in_quotation || is_hearsay(told) || before(told, "object").is_some() || has(clause, "nobody") {
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
    let is_heard = is_heard(told, rest);
    if behind(rest, "gone").is_some() && behind(rest, "act").is_none() && !is_heard {
        return false;
    }
    (is_heard || acts(rest) || comes_in(told, rest) || goes_on(told, rest, next.map(|next| next - end)))
        && !reading.is_of_another_time(at)
}

/// True when the voice of a person is told beside a quotation, of which the narration has blanks.
fn is_heard(told: &str, rest: &str) -> bool {
    let Some(rest) = behind(rest, "voice") else { return false };
    let clause = clause_at(rest);
    let led_to = before(told, "copula").or(before(told, "entrance")).unwrap_or(told);
    let follows = rest[clause.len()..].trim_start_matches(COMMAS).starts_with(' ');
    let is_beside = follows || led_to.trim_end_matches(COMMAS).ends_with(' ');
    is_beside && (led_to.is_empty() || led_to.ends_with(is_mark)) && !has(clause, "inner")
}

fn is_hearsay(told: &str) -> bool {
    let is_narrator = before(told, "narrator").is_some_and(|told| told.is_empty() || told.ends_with(is_mark));
    before(told.trim_end_matches(COMMAS), "told").is_some() && !is_narrator
}

/// True when a text begins with the act of a person who is there.
fn acts(mut rest: &str) -> bool {
    let clause = clause_at(rest);
    // 慢慢地, 冷冷地, not 愣在原地
    let manner = rest.char_indices().take(5).find(|(_, c)| *c == '地').map(|(at, c)| &rest[at + c.len_utf8()..]);
    rest = manner.filter(|rest| !rest.is_empty() && !rest.starts_with(is_mark)).unwrap_or(rest);
    loop {
        if behind(rest, "no-act").is_some() {
            return false;
        }
        if behind(rest, "act").is_some_and(|rest| behind(rest, "then").is_none()) || is_gesture(rest) {
            return !has(clause, "lasting");
        }
        let mut letters = rest.chars().take_while(|c| !is_mark(*c));
        let doubled =
            letters.next().filter(|first| letters.next() == Some(*first)).map(|first| &rest[2 * first.len_utf8()..]);
        let Some(after) = behind(rest, "adverb").or(doubled) else { break };
        rest = after;
    }
    is_under_way(rest) && !has(clause, "lasting")
}

/// True for a doubled verb with a part of the body: 摆摆手, 挠挠头.
fn is_gesture(rest: &str) -> bool {
    let mut letters = rest.chars();
    let is_doubled = letters.next() == letters.next();
    is_doubled && letters.next().is_some_and(|part| "手头肩眉嘴眼袖脚腿拳腰唇牙".contains(part))
}

/// True when the form of a predicate tells of one act: 抱着, 愣在, 抬起, 点了点.
fn is_under_way(rest: &str) -> bool {
    let mut letters = rest.chars().take_while(|c| !is_mark(*c));
    let verb = letters.next();
    let (second, third) = (letters.next(), letters.next());
    let is_counted = verb.is_some_and(|verb| "一二两三四五六七八九十几多这那上下每某".contains(verb));
    match second {
        Some('着' | '在') => true,
        Some('了' | '一') if third == verb => true,
        Some('起' | '出' | '进' | '回') => !is_counted && !matches!(third, Some('的' | '过')),
        _ => third == Some('着'),
    }
}

/// True when a name stands behind words such as 只见 and 门外站着, or ends a clause such as 来者正是.
fn comes_in(told: &str, rest: &str) -> bool {
    let ends = rest.starts_with(|c| STOPS.contains(&c) || COMMAS.contains(&c) || c == '也') || rest.is_empty();
    let sentence = told.rsplit(['。', '！', '？', '\n']).next().unwrap_or(told);
    before(told, "entrance").is_some_and(|told| before(told, "unseen").is_none())
        || ends && before(sentence, "copula").is_some_and(|told| !told.ends_with('不') && has(told, "coming"))
}

/// True when a name begins a clause that ends with a verb of speech, or its sentence goes on with the act of the same
/// subject or with words that lead to a line.
fn goes_on(told: &str, rest: &str, next: Option<usize>) -> bool {
    let begins =
        told.is_empty() || told.ends_with(is_mark) || before(told, "entrance").or(before(told, "narrator")).is_some();
    let line = rest.split(STOPS).next().unwrap_or(rest);
    let clause = line.split(COMMAS).next().unwrap_or(line);
    let is_alone = next.is_none_or(|next| next < clause.len() || next >= line.len());
    let leads_to_line = line.ends_with(['：', ':']) && !has(line, "said") && !line.contains(['他', '她', '众']);
    let is_plain = is_alone && !has(clause, "died") && !clause.contains(['会', '要', '每', '总']);
    let goes_on = is_plain && (leads_to_line || is_episode(clause) || line.split(COMMAS).skip(1).any(acts));
    let is_past = || words("past").flat_map(|word| line.match_indices(word)).any(|(at, _)| !is_likened(&line[..at]));
    let is_unreal = || {
        let classes = ["supposed", "once", "memory", "dreamt", "instead"];
        classes.iter().any(|class| has(line, class)) || is_past() || is_in_thing(line)
    };
    begins && (before(clause, "say").is_some() || goes_on) && !is_unreal()
}

/// True when a clause tells of one act by its end or by a count: 跑了过来, 敲了两下.
fn is_episode(clause: &str) -> bool {
    let is_counted = |(at, _): (usize, &str)| {
        let mut rest = clause[at..].chars().skip(1);
        rest.next().is_some_and(|number| "一两几三半".contains(number))
            && rest.next().is_some_and(|unit| "下口眼声圈步阵杯碗".contains(unit))
    };
    !has(clause, "lasting")
        && !clause.contains(['没', '不', '活'])
        && (clause.match_indices('了').any(is_counted) || before(clause, "way").is_some())
}

/// True when a time is only likened to now: 一如当年, 和三年前一样.
fn is_likened(told: &str) -> bool {
    before(told, "like").is_some()
}

impl ChapterReading<'_> {
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
        let is_unreal = |word: &str| match told.rsplit_once(word) {
            // 以为是房东，却是…
            Some((_, rest)) if word.chars().nth(1).is_some() => !has(rest, "contrast"),
            Some((_, rest)) => rest.is_empty(),
            None => false,
        };
        ["unreal", "supposed", "once"].into_iter().flat_map(words).any(is_unreal)
            || has(sentence, "instead")
            || has(told, "thing")
            || is_in_thing(&sentence[told.len()..])
            || self.pasts.get_or_init(|| pasts(self)).iter().any(|past| past.contains(&at))
    }
}

/// True when a thing is named as the place of a person: 在照片里, 从棺材中.
fn is_in_thing(text: &str) -> bool {
    let place = |(at, word): (usize, &str)| text[at + word.len()..].starts_with(['里', '中', '上', '内']);
    words("thing").flat_map(|word| text.match_indices(word)).any(place)
}

/// How long a memory or a dream lasts; a dream ends with its scene too, but only waking leads back from it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Lasts {
    Clause,
    Sentence,
    Paragraph,
    Scene,
    Dream,
}

/// A word that leads to another time or back, in its sentence.
struct TimeShift<'t> {
    class: &'static str,
    /// The sentence up to the word.
    told: &'t str,
    /// The rest of the word's clause.
    clause: &'t str,
    /// True when no clause of the sentence follows.
    ends: bool,
    /// True for a verb of remembering whose clause names no person.
    is_recall: bool,
}

/// Measure words of things that are carried or worn.
const OF_THINGS: [char; 14] = ['把', '件', '张', '块', '只', '条', '本', '封', '双', '顶', '辆', '枚', '瓶', '支'];

impl TimeShift<'_> {
    /// How far the time that the word leads to reaches. A word reaches beyond its sentence from the first clause, when
    /// its time is that of the whole sentence, or from the last one, where the telling begins: 想起三年前的那个雨夜。
    /// It begins a scene where a paragraph ends with the time, and where the scene does.
    fn reach(&self, sentence: &str, is_first: bool, is_last: bool) -> Lasts {
        let begins = !self.told.contains(COMMAS);
        // 三年前的旧账 and 小时候学的那套拳 are of now, 三年前的冬天 and 三年前的那一幕 are not.
        let is_of_now = match (self.clause.strip_prefix('的'), self.clause.rsplit_once('的')) {
            // 三年前的那把伞 is a thing that may be there.
            (Some(noun), _) => {
                let is_counted = noun.strip_prefix(['那', '这']).is_some_and(|noun| noun.starts_with(OF_THINGS));
                is_counted || behind(noun, "one").or(behind(noun, "time")).is_none()
            }
            (None, Some((_, noun))) => !has(noun, "time"),
            _ => is_likened(self.told),
        };
        let is_set_off = |text: &str| text.trim_start().starts_with(['（', '(', '【', '[', '〔']);
        // 想起炉上的水 is no memory of people or times.
        let is_of_thing = self.is_recall && !self.clause.is_empty() && !has(self.clause, "remembered");
        match self.class {
            "past" if is_of_now => Lasts::Clause,
            "past" if has(sentence, "died") => Lasts::Sentence,
            "past" | "memory" | "dreamt" if is_last && is_set_off(sentence) => Lasts::Scene,
            "dream" => Lasts::Dream,
            "memory" if is_of_thing || self.told.ends_with(['不', '没']) => Lasts::Clause,
            "memory" if self.ends && is_last && has(self.clause, "remembered") => Lasts::Scene,
            "memory" if self.ends => Lasts::Paragraph,
            "dreamt" if self.ends && (is_last || is_first) => Lasts::Scene,
            "past" if begins && is_first => Lasts::Scene,
            "past" if self.ends && is_last => {
                let is_time = self.clause.is_empty() || words("time").any(|time| self.clause.ends_with(time));
                if is_time || has(self.told, "memory") { Lasts::Scene } else { Lasts::Sentence }
            }
            "past" | "dreamt" if begins || self.ends => Lasts::Paragraph,
            _ => Lasts::Sentence,
        }
    }
}

/// The parts of the narration that tell of a memory or a dream: from a word that leads there to one that leads back, or
/// as far as the word reaches.
fn pasts(reading: &ChapterReading<'_>) -> Vec<Range<usize>> {
    let told = reading.narration();
    let mut turns = BTreeMap::new();
    for class in ["past", "memory", "dreamt", "dream", "awake", "return", "later", "was-dream"] {
        let places = words(class).flat_map(|word| told.match_indices(word));
        // 那时的现在, 浮现在眼前, 出现在门口
        let is_other = |at: usize| told[..at].ends_with(['的', '浮', '出', '呈', '重', '闪']);
        let counts = |(at, _): &(usize, &str)| class != "return" || !is_other(*at);
        turns.extend(places.filter(counts).map(|(at, word)| (at, (class, word.len()))));
    }
    let (mut pasts, mut open, mut scene) = (Vec::new(), None::<(usize, Lasts)>, 0);
    // The first memory of the scene, which lasts up to a word that leads back from it, if there is one.
    let mut recalled = None;
    let sentences = reading.sentences();
    for (n, sentence) in sentences.iter().enumerate() {
        let since = n.checked_sub(1).map_or(usize::MAX, |before| sentence.paragraph - sentences[before].paragraph);
        let is_last = sentences.get(n + 1).is_none_or(|next| next.paragraph > sentence.paragraph);
        let (start, end) = (sentence.start, sentence.start + sentence.raw.len());
        if since > 1 {
            (scene, recalled) = (start, None);
        }
        if let Some((from, lasts)) = open
            && (since > 1 || since == 1 && lasts == Lasts::Paragraph || lasts < Lasts::Paragraph)
        {
            pasts.push(from..start);
            open = None;
        }
        for (at, (class, length)) in turns.range(start..end) {
            let rest = told.get(at + length..end).unwrap_or_default();
            let rest = rest.trim_end_matches(|c| STOPS.contains(&c) || "）】)]”」".contains(c));
            let clause = rest.split(COMMAS).next().unwrap_or_default();
            let object = *at + length..*at + length + clause.len();
            let is_recall = matches!(&told[*at..at + length], "想起" | "记起" | "忆起" | "记得")
                && !reading.mentions.iter().any(|mention| object.contains(&mention.range.start));
            let turn =
                TimeShift { class, told: &told[start..*at], clause, ends: clause.len() == rest.len(), is_recall };
            let is_end = is_last && has(rest, "end");
            if words("led-back").any(|word| told[*at..].starts_with(word)) {
                pasts.extend(recalled.take().map(|from| from..*at));
            }
            match (*class, open) {
                ("past" | "memory" | "dreamt" | "dream", _) if !is_end => {
                    let reach = turn.reach(&told[start..end], since > 1, is_last);
                    if reach == Lasts::Clause {
                        pasts.push(*at..at + length + clause.len());
                        continue;
                    }
                    if *class == "memory" {
                        recalled = recalled.or(Some(*at));
                    }
                    let (from, lasts) = open.unwrap_or((*at, reach));
                    open = Some((from, lasts.max(reach)));
                }
                ("was-dream", _) => pasts.push(scene..*at),
                ("return", Some((_, Lasts::Dream))) | (_, None) => {}
                ("later", Some((from, _))) if from < start => {}
                (_, Some((from, _))) => {
                    pasts.push(from..*at);
                    open = None;
                }
            }
        }
    }
    pasts.extend(open.map(|(from, _)| from..reading.of.text.len()));
    pasts
}
